// SPDX-License-Identifier: Apache-2.0
//
// Assembles words into packets by the length of their opcode. One packet is offered while the next is collected.
//
// An unknown opcode is a packet of one word. A packet cut off by the end of its RUN is offered with `truncated`. Words
// past a packet's length are old ones. The next packet's last word is taken one cycle after this packet. So no
// word waits for execution in the same cycle. Words after the sixth are in a memory of two halves, for the offered
// packet and for the next.
`default_nettype none

module node_packet #(
    parameter NODE = 0, // the paging node (1) has no packet of more than 6 words
    parameter COMMAND_WIDTH = 16 // bits of a byte offset in command RAM
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         restart,        // pulse: drop everything, also the packet offered

    // Words, from node_fetch.
    input  wire         word_valid,
    output wire         word_ready,
    input  wire [31:0]  word,
    input  wire [COMMAND_WIDTH-1:0] word_offset,
    input  wire         word_in_run,
    input  wire         word_run_last,

    // The packet: taken with packet_ready.
    output reg          packet_valid,
    input  wire         packet_ready,
    output reg  [191:0] packet,         // word i at bits 32*i
    output reg  [3:0]   packet_words,
    output reg  [COMMAND_WIDTH-1:0] packet_offset,
    output reg          packet_in_run,
    output reg          packet_run_last, // ends where its RUN ends
    output reg          packet_truncated,
    input  wire [2:0]   rest_index,
    output wire [31:0]  rest_word       // word 6 + rest_index, combinational
);
`include "gpu_spec.vh"
`include "config.vh"
    // Without maps a packet that is longer by the table is offered with fewer words.
    localparam HAS_LONG = MAPS != 0 && NODE == 0;
`include "gpu_packets.vh"
    // ------------------------------------------------------------------ length
    wire [3:0] length_of_opcode = packet_length(word[7:0]);

    // ------------------------------------------------------------------ collection
    reg  [3:0]   count;                 // words collected
    reg  [3:0]   length_known;
    reg  [159:0] collected;
    reg  [COMMAND_WIDTH-1:0] first_offset;
    wire [3:0]   length_found = HAS_LONG ? length_of_opcode : {1'b0, length_of_opcode[2:0]};
    wire [3:0]   length   = count == 4'd0 ? length_found : length_known;
    wire         complete = count + 4'd1 == length;
    wire         ends     = complete || word_run_last;
    assign word_ready = !ends || !packet_valid;
    wire         take     = word_valid && word_ready;

    // What is collected at `count` is written in every cycle; what stays is the word that is taken.
    always @(posedge clk) begin
        if (count == 4'd0) length_known <= length_found;
        if (count == 4'd0) first_offset <= word_offset;
        case (count)
            4'd0:    collected[31:0]    <= word;
            4'd1:    collected[63:32]   <= word;
            4'd2:    collected[95:64]   <= word;
            4'd3:    collected[127:96]  <= word;
            4'd4:    collected[159:128] <= word;
            default: ;
        endcase
        if (take) count <= ends ? 4'd0 : count + 4'd1;
        if (rst || restart) count <= 4'd0;
    end

    // ------------------------------------------------------------------ words after the sixth
    wire [31:0] sixth;                  // when it is not the last
    generate if (HAS_LONG) begin : long
        (* ram_style = "distributed" *)
        reg  [31:0] rest [0:15];
        reg  [31:0] word5;
        reg         half;               // of the packet being collected
        wire [3:0]  index = count - 4'd6;
        always @(posedge clk) begin
            if (count == 4'd5) word5 <= word;
            if (count > 4'd5) rest[{half, index[2:0]}] <= word;
            if (rst)               half <= 1'b0;
            else if (take && ends) half <= !half;
        end
        assign rest_word = rest[{!half, rest_index}];
        assign sixth     = word5;
        wire unused_index = index[3];
    end else begin : short
        assign rest_word = 32'd0;
        assign sixth     = word;
        wire unused_index = |rest_index || length_of_opcode[3];
    end endgenerate

    // ------------------------------------------------------------------ the packet offered
    // None follows in the cycle in which one is taken, so these registers may change as long as none is
    // offered: what stands in them when one is has come with its last word.
    always @(posedge clk) begin
        if (!packet_valid) begin
            packet[31:0]    <= count == 4'd0 ? word : collected[31:0];
            packet[63:32]   <= count == 4'd1 ? word : collected[63:32];
            packet[95:64]   <= count == 4'd2 ? word : collected[95:64];
            packet[127:96]  <= count == 4'd3 ? word : collected[127:96];
            packet[159:128] <= count == 4'd4 ? word : collected[159:128];
            packet[191:160] <= count == 4'd5 ? word : sixth;
            packet_words     <= length;
            packet_offset    <= count == 4'd0 ? word_offset : first_offset;
            packet_in_run    <= word_in_run;
            packet_run_last  <= word_run_last;
            packet_truncated <= !complete;
        end
        packet_valid <= (take && ends) || (packet_valid && !packet_ready);
        if (rst || restart) packet_valid <= 1'b0;
    end

`ifdef GPU_ASSERT
    // A packet offered stays as it is until taken or dropped.
    reg        was_waiting;
    reg [63:0] old_words;
    always @(posedge clk) begin
        was_waiting <= !rst && !restart && packet_valid && !packet_ready;
        old_words   <= packet[63:0];
        if (!rst && was_waiting) assert (packet_valid && packet[63:0] == old_words);
        if (!rst) assert (count < (HAS_LONG ? 4'd15 : 4'd7));
    end
`endif
endmodule

`default_nettype wire
