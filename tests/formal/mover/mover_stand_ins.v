// SPDX-License-Identifier: Apache-2.0
//
// Stand-ins for mover_stream.v and mover_pixel_rows.v: queues and read buffer without their memory.
//
// A queue keeps its level, its oldest word and its youngest. When the oldest leaves and more than one stays,
// the next is any word: the proof says what is known of it. That a queue gives out what was put in, in order,
// is proved in sync_fifo_formal.v and mover_buffer_formal.v.
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
    reg  [15:0]      head = 16'd0;   // pops, modulo 2**16
    reg  [15:0]      tail = 16'd0;   // pushes
    reg  [WIDTH-1:0] oldest, youngest;
    wire [15:0]      level = tail - head;
    wire             sound = level != 16'd1 || oldest == youngest;
    assign valid = head != tail;
    assign full  = level == 16'd1 << LOG2_DEPTH;
    assign data  = oldest;
    always @(posedge clk) begin
        if (push) youngest <= push_data;
        if (push && (level == 16'd0 || (level == 16'd1 && pop))) oldest <= push_data;
        else if (pop)                                            oldest <= level == 16'd2 ? youngest : any;
        head <= rst ? 16'd0 : head + {15'd0, pop};
        tail <= rst ? 16'd0 : tail + {15'd0, push};
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
    output wire             out_valid
);
    wire full;
    sync_fifo #(.WIDTH(WIDTH), .LOG2_DEPTH(8)) words (
        .clk(clk), .rst(rst), .push(push), .push_data(push_data), .full(full), .pop(pop), .data(out_data),
        .valid(out_valid)
    );
endmodule

`default_nettype wire
