// SPDX-License-Identifier: Apache-2.0
//
// The pixels between the mixer and the raster: 1,024 words of two, each three bytes. The mixer's port reads or writes,
// and keeps what it read while it writes. The raster's port reads in its own clock. Three block RAMs of an ECP5.
`default_nettype none
module display_ring (
    input  wire        clk,
    input  wire        write,
    input  wire [9:0]  index,
    input  wire [47:0] data,
    output reg  [47:0] word,           // a cycle after its index

    input  wire        pixel_clk,
    input  wire        pixel_read,
    input  wire [9:0]  pixel_index,
    output reg  [47:0] pixel_word
);
    (* ram_style = "block", no_rw_check *)
    reg [47:0] memory [0:1023];
    always @(posedge clk)
        if (write) memory[index] <= data;
        else       word <= memory[index];
    always @(posedge pixel_clk)
        if (pixel_read) pixel_word <= memory[pixel_index];
endmodule
`default_nettype wire
