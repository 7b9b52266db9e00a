// SPDX-License-Identifier: Apache-2.0
//
// Stand-ins for sync_fifo and mover_buffer in mover_progress.v: the same handshakes, with pointers that never wrap and
// without memory. What comes out is any value; the proof says which, as a function of the pointer, after having
// checked the same function on everything that goes in. That a FIFO gives out what was put in, in order, is proved
// in sync_fifo_formal.v and mover_buffer_formal.v.
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
    reg  [31:0] head = 32'd0; // pops
    reg  [31:0] tail = 32'd0; // pushes
    assign valid = head != tail;
    assign full  = tail - head == 32'd1 << LOG2_DEPTH;
    assign data  = any;
    always @(posedge clk)
        if (rst) begin
            head <= 32'd0;
            tail <= 32'd0;
        end else begin
            head <= head + {31'd0, pop};
            tail <= tail + {31'd0, push};
        end
endmodule

module mover_buffer #(
    parameter WIDTH = 72
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,
    input  wire [WIDTH-1:0] push_data,
    input  wire             pop,
    output wire [WIDTH-1:0] out_data,
    output reg              out_valid
);
    (* anyseq *) wire [WIDTH-1:0] any;
    reg  [31:0] head = 32'd0;
    reg  [31:0] tail = 32'd0;
    wire [31:0] head_next = head + {31'd0, pop};
    wire [31:0] tail_next = tail + {31'd0, push};
    assign out_data = any;
    always @(posedge clk)
        if (rst) begin
            head      <= 32'd0;
            tail      <= 32'd0;
            out_valid <= 1'b0;
        end else begin
            head      <= head_next;
            tail      <= tail_next;
            out_valid <= head_next != tail_next;
        end
endmodule

`default_nettype wire
