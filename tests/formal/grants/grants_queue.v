// SPDX-License-Identifier: Apache-2.0
//
// In the place of sync_fifo in grants_mover.v: the same handshakes, without the memory. It keeps one word, any one, and
// gives it out when its turn comes; other words come out as anything. That a queue gives out what was put in, in order,
// is proved in sync_fifo_formal.v.
`default_nettype none

module sync_fifo #(
    parameter WIDTH      = 8,
    parameter LOG2_DEPTH = 5
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] push_data,
    output wire             full,
    input  wire             pop,
    output wire [WIDTH-1:0] data,
    output wire             valid
);
    (* anyseq *) wire [WIDTH-1:0] any;
    (* anyseq *) wire             mark;
    reg  [LOG2_DEPTH:0] level;
    reg                 watching; // the word pushed when it was marked is inside ...
    reg  [LOG2_DEPTH:0] before;   // ... after so many
    reg  [WIDTH-1:0]    word;
    reg  [WIDTH-1:0]    other;    // when another is the oldest
    wire                keeps = push && mark && !watching;
    assign valid = level != 0;
    assign full  = level[LOG2_DEPTH];
    assign data  = watching && before == 0 ? word : other;
    always @(posedge clk) begin
        if (pop || !valid) other <= any;
        level <= level + {{LOG2_DEPTH{1'b0}}, push} - {{LOG2_DEPTH{1'b0}}, pop};
        if (keeps) begin
            watching <= 1'b1;
            before   <= level - {{LOG2_DEPTH{1'b0}}, pop};
            word     <= push_data;
        end else if (pop) begin
            if (before == 0) watching <= 1'b0;
            before <= before - 1'b1;
        end
        if (rst) begin
            level    <= 0;
            watching <= 1'b0;
        end
    end
endmodule

`default_nettype wire
