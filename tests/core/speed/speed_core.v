// SPDX-License-Identifier: Apache-2.0
//
// The control core alone over a memory that answers in one cycle: how fast does Verilator go?
`default_nettype none
module speed_core (
    input  wire        clk,
    input  wire        rst,
    output wire        retires, // an instruction in this cycle
    output wire [31:0] address  // of data
);
    reg  [31:0] memory [0:16383];
    initial $readmemh("build/core/speed/speed.hex", memory);
    wire        i_req, d_req, d_we;
    wire [31:0] i_addr, d_addr, d_wdata, retire_pc, debug_pc, debug_result;
    wire [3:0]  d_be;
    wire [63:0] instret;
    wire        debug_stopped, debug_busy, debug_failed, fence_i;
    wire [2:0]  debug_reason;
    wire [1:0]  debug_index;
    reg         i_rvalid, d_rvalid;
    reg  [31:0] i_rdata, d_rdata;
    core control_core (
        .clk(clk), .rst(rst),
        .i_req(i_req), .i_gnt(1'b1), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(i_rdata), .i_err(1'b0),
        .d_req(d_req), .d_gnt(1'b1), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_rvalid(d_rvalid), .d_frees(d_rvalid), .d_rdata(d_rdata), .d_err(1'b0),
        .irq_software(1'b0), .irq_timer(1'b0), .irq_external(1'b0), .irq_platform(3'd0),
        .fence_i(fence_i),
        .retire_valid(retires), .retire_pc(retire_pc), .instret(instret), .time_now(64'd0),
        .debug_halt(1'b0), .debug_on_ebreak(1'b0), .debug_resume(1'b0), .debug_step(1'b0), .debug_write_pc(1'b0),
        .debug_run(1'b0), .debug_data(32'd0), .debug_breaks(128'd0), .debug_watches(64'd0),
        .debug_stopped(debug_stopped), .debug_busy(debug_busy), .debug_failed(debug_failed),
        .debug_reason(debug_reason), .debug_index(debug_index), .debug_pc(debug_pc), .debug_result(debug_result)
    );
    assign address = d_addr;
    always @(posedge clk) begin
        i_rvalid <= i_req && !rst;
        d_rvalid <= d_req && !rst;
        if (i_req) i_rdata <= memory[i_addr[15:2]];
        if (d_req) d_rdata <= memory[d_addr[15:2]];
        if (d_req && d_we) begin
            if (d_be[0]) memory[d_addr[15:2]][7:0]   <= d_wdata[7:0];
            if (d_be[1]) memory[d_addr[15:2]][15:8]  <= d_wdata[15:8];
            if (d_be[2]) memory[d_addr[15:2]][23:16] <= d_wdata[23:16];
            if (d_be[3]) memory[d_addr[15:2]][31:24] <= d_wdata[31:24];
        end
    end
endmodule
`default_nettype wire
