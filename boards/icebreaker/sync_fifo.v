// SPDX-License-Identifier: Apache-2.0
//
// rtl/sync_fifo.v for FPGAs without distributed RAM, with the same contract cycle by cycle: the words are in block
// RAM, read at the falling edge. The oldest word's place stands in a register, so what is read is there for the second
// half of the cycle, and a word pushed at its beginning can be seen in it.
`default_nettype none

module sync_fifo #(
    parameter WIDTH      = 8, // bits per word
    parameter LOG2_DEPTH = 5  // 1 or more; holds 2**LOG2_DEPTH words
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             push,      // only while !full
    input  wire [WIDTH-1:0] push_data,
    output wire             full,

    input  wire             pop,       // only while valid
    output wire [WIDTH-1:0] data,      // the oldest word, while valid
    output wire             valid
);
    localparam DEPTH = 1 << LOG2_DEPTH;

    reg  [WIDTH-1:0]      memory [0:DEPTH-1];
    reg  [WIDTH-1:0]      oldest;
    reg  [LOG2_DEPTH:0]   head;        // pops, free running
    reg  [LOG2_DEPTH:0]   tail;        // pushes, free running
    wire [LOG2_DEPTH-1:0] head_index = head[LOG2_DEPTH-1:0];
    wire [LOG2_DEPTH-1:0] tail_index = tail[LOG2_DEPTH-1:0];

    assign valid = head != tail;
    assign full  = head_index == tail_index && head[LOG2_DEPTH] != tail[LOG2_DEPTH];
    assign data  = oldest;

    always @(posedge clk)
        if (push) memory[tail_index] <= push_data;

    always @(negedge clk)
        oldest <= memory[head_index];

    always @(posedge clk)
        if (rst) begin
            head <= {(LOG2_DEPTH+1){1'b0}};
            tail <= {(LOG2_DEPTH+1){1'b0}};
        end else begin
            head <= head + {{LOG2_DEPTH{1'b0}}, pop};
            tail <= tail + {{LOG2_DEPTH{1'b0}}, push};
        end

`ifdef GPU_ASSERT
    wire [LOG2_DEPTH:0] level = tail - head;
    always @(posedge clk)
        if (!rst) begin
            assert (!(push && full));
            assert (!(pop && !valid));
            assert (level <= DEPTH[LOG2_DEPTH:0]);
        end
`endif
endmodule

`default_nettype wire
