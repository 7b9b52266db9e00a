// SPDX-License-Identifier: Apache-2.0
//
// The examiner with tables that hold anything (examiner.sh cuts them off), whatever the core writes: what it asserts
// holds for ever; and with a memory that grants each word at once no packet takes it longer than 28 cycles, an entry
// that begins counted again, so that every walk ends.
`default_nettype none
module examiner_formal (
    input clk,
    input rst,
    input reg_write, input reg_read, input [7:0] reg_offset, input [31:0] reg_wdata, input [31:0] fetch_rdata
);
    wire        fetch_req;
    wire [15:0] fetch_address;
    wire [31:0] reg_rdata;
    reg         first = 1'b1, fetch_rvalid = 1'b0;
    always @(posedge clk) begin
        first        <= 1'b0;
        fetch_rvalid <= fetch_req && !rst;
        if (first) assume (rst);
`ifdef REACH
        // A walk that is accepted, of more than no words.
        if (!rst && !first) assert (!(reg_offset == 8'h00 && reg_rdata[2] && reg_rdata[29:16] != 14'd0));
`endif
    end
    examiner dut (
        .clk(clk), .rst(rst), .reg_write(reg_write), .reg_read(reg_read), .reg_offset(reg_offset),
        .reg_wdata(reg_wdata), .reg_rdata(reg_rdata), .fetch_req(fetch_req), .fetch_gnt(fetch_req),
        .fetch_address(fetch_address), .fetch_rvalid(fetch_rvalid), .fetch_rdata(fetch_rdata)
    );
endmodule
`default_nettype wire
