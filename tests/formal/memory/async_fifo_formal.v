// SPDX-License-Identifier: Apache-2.0
//
// The FIFO between two clocks: after any pushes and pops at most one bit of a Gray pointer changes from one cycle to
// the next, and what is made of it is two flip-flops after it (the assertions of async_fifo.v). By induction, for
// ever. Neither pointer looks at the other's clock, so both sides have one here; with and without the register after.
module async_fifo_formal (
    input       clk,
    input       rst,
    input [1:0] push,
    input [1:0] pop
);
    wire [1:0] full, valid;
    wire [1:0] data_0, data_1;
    wire [2:0] level_0, level_1;
    async_fifo #(.WIDTH(2), .LOG2_DEPTH(2)) direct (
        .w_clk(clk), .w_rst(rst), .w_push(push[0]), .w_data(2'd0), .w_full(full[0]), .w_level(level_0),
        .r_clk(clk), .r_rst(rst), .r_pop(pop[0]), .r_data(data_0), .r_valid(valid[0])
    );
    async_fifo #(.WIDTH(2), .LOG2_DEPTH(2), .OUTPUT_REGISTER(1)) held (
        .w_clk(clk), .w_rst(rst), .w_push(push[1]), .w_data(2'd0), .w_full(full[1]), .w_level(level_1),
        .r_clk(clk), .r_rst(rst), .r_pop(pop[1]), .r_data(data_1), .r_valid(valid[1])
    );
    reg first = 1'b1;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume ((push & full) == 2'd0 && (pop & ~valid) == 2'd0);
    end
`ifdef REACH
    always @(posedge clk) assert (!(!rst && full[0] && level_0[2]));
`endif
endmodule
