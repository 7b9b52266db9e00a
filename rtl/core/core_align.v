// SPDX-License-Identifier: Apache-2.0
//
// Byte lanes of loads and stores, for a data port of whole words with byte enables.
//
// In: address, size, and a store's value or a loaded word. Out, for a store: its bytes in their lanes, and the byte
// enables. Out, for a load: the byte or half word at bit 0 with its sign. For both: is the access misaligned?
`default_nettype none

module core_align (
    // Request side, execute stage. size: 0 byte, 1 half word, 2 word.
    input  wire [1:0]  size,
    input  wire [1:0]  address,
    input  wire [31:0] store_value,
    output wire        misaligned,
    output wire [3:0]  byte_enable,
    output wire [31:0] lanes,

    // Answer side, memory stage. funct3 of the load: bits 1:0 size, bit 2 zero-extend.
    input  wire [2:0]  load_funct3,
    input  wire [1:0]  load_address,
    input  wire [31:0] load_lanes,
    output wire [31:0] load_value
);
    assign misaligned  = (size[0] && address[0]) || (size[1] && address != 2'd0);
    assign byte_enable = size[1] ? 4'b1111 : size[0] ? {{2{address[1]}}, {2{!address[1]}}} : 4'b0001 << address;
    assign lanes       = size[1] ? store_value : size[0] ? {2{store_value[15:0]}} : {4{store_value[7:0]}};

    // A load's answer is late in its cycle: the sign is chosen of all four lanes, beside the bytes.
    wire        load_half = load_funct3[0];
    wire        load_word = load_funct3[1];
    wire [3:0]  tops = {load_lanes[31], load_lanes[23], load_lanes[15], load_lanes[7]};
    wire [1:0]  last = {load_address[1], load_address[0] || load_half};
    wire        sign = !load_funct3[2] && tops[last];
    wire [15:0] half = load_address[1] ? load_lanes[31:16] : load_lanes[15:0];
    wire [7:0]  low  = load_address[0] ? half[15:8] : half[7:0];
    assign load_value = {load_word ? load_lanes[31:16] : {16{sign}},
                         (load_word || load_half) ? half[15:8] : {8{sign}}, low};
endmodule

`default_nettype wire
