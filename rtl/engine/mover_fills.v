// SPDX-License-Identifier: Apache-2.0
//
// The patterns of FILLs between the pieces and the write half, oldest first.
//
// A pattern enters with its command's first burst. It is at the aligner's input until the write half ends it. It has
// four bytes, or three that repeat.
`default_nettype none

module mover_fills #(
    parameter THREES = 1 // 0: no pattern of three bytes
) (
    input  wire        clk,
    input  wire        rst,

    // A pattern is queued only when not full.
    output wire        full,
    input  wire        push,
    input  wire        push_threes,
    input  wire [31:0] push_pattern,

    // Where in the pattern a burst begins, from the lane of its piece's first byte: what the write half is given with
    // it and returns as `shift`. A burst that is not its piece's first goes on by full beats.
    input  wire [2:0]  lane,
    input  wire        is_head,
    input  wire        lane_threes, // of the command in work: its pattern has three bytes
    output wire [1:0]  row_shift,

    // The oldest pattern as the aligner takes it; `pop` only when there is one.
    input  wire        pop,
    input  wire [1:0]  shift,       // bytes that a pattern of three is turned by
    output wire        is_threes,
    output wire [63:0] data
);
    wire        is_valid, kind;
    wire [31:0] pattern;
    sync_fifo #(.WIDTH(33), .LOG2_DEPTH(4)) queue (
        .clk(clk), .rst(rst), .push(push), .push_data({push_threes, push_pattern}), .full(full),
        .pop(pop), .data({kind, pattern}), .valid(is_valid)
    );
    assign is_threes = THREES != 0 && kind;
    // Three bytes repeated, from byte `shift` on.
    wire [39:0] threes = {pattern[15:0], pattern[23:0]};
    wire [23:0] turned = shift == 2'd0 ? threes[23:0] : shift == 2'd1 ? threes[31:8] : threes[39:16];
    assign data = is_threes ? {turned[15:0], {2{turned}}} : {2{pattern}};
    // The first beat's lane 0 is byte (- lane) modulo 3 of the row.
    wire [1:0] threes_shift = lane == 3'd0 || lane == 3'd3 || lane == 3'd6 ? 2'd0
                           : lane == 3'd1 || lane == 3'd4 || lane == 3'd7 ? 2'd2 : 2'd1;
    assign row_shift = !lane_threes ? lane[1:0] : is_head ? threes_shift : 2'd3;
    wire unused = &{1'b0, is_valid};
endmodule

`default_nettype wire
