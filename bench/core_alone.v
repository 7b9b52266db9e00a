// SPDX-License-Identifier: Apache-2.0
//
// The core alone, to be placed: 64 KB of block RAM on both ports, outputs folded to four pins (bench/core_alone.sh).
// So what peers in the same wrapper reach can be compared.
`default_nettype none

module core_alone (
    input  wire       clk,
    input  wire [3:0] in,
    output reg  [3:0] out
);
    reg [3:0] held;
    reg       rst;
    always @(posedge clk) begin
        held <= in;
        rst  <= held[0];
    end

    wire        i_req, d_req, d_we, fence_i, retire_valid;
    wire [31:0] i_addr, d_addr, d_wdata, retire_pc;
    wire [3:0]  d_be;
    wire [63:0] instret;
    reg         i_rvalid, d_rvalid;
    reg  [31:0] i_rdata, d_rdata;

    (* no_rw_check *) reg [31:0] memory [0:16383];
    integer n;
    always @(posedge clk) begin
        i_rvalid <= i_req && !rst;
        i_rdata  <= memory[i_addr[15:2]];
    end
    always @(posedge clk) begin
        d_rvalid <= d_req && !rst;
        d_rdata  <= memory[d_addr[15:2]];
        for (n = 0; n < 4; n = n + 1)
            if (d_req && d_we && d_be[n]) memory[d_addr[15:2]][8 * n +: 8] <= d_wdata[8 * n +: 8];
    end

    core #(.PMP_REGIONS(8), .PMP_POWERS(0)) core (
        .clk(clk), .rst(rst),
        .i_req(i_req), .i_gnt(1'b1), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(i_rdata), .i_err(1'b0),
        .d_req(d_req), .d_gnt(1'b1), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_rvalid(d_rvalid), .d_frees(d_rvalid), .d_rdata(d_rdata), .d_err(1'b0),
        .irq_software(held[1]), .irq_timer(held[2]), .irq_external(held[3]), .irq_platform(3'd0),
        .fence_i(fence_i), .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(64'd0),
        .debug_halt(1'b0), .debug_on_ebreak(1'b0), .debug_resume(1'b0), .debug_step(1'b0), .debug_write_pc(1'b0),
        .debug_run(1'b0), .debug_data(32'd0), .debug_breaks(128'd0), .debug_watches(64'd0),
        .debug_stopped(), .debug_busy(), .debug_failed(), .debug_reason(), .debug_index(), .debug_pc(),
        .debug_result()
    );

    reg [69:0] data;
    reg [32:0] fetched, retired;
    reg [64:0] counted;
    always @(posedge clk) begin
        data    <= {d_wdata, d_addr, d_be, d_we, d_req};
        fetched <= {i_addr, i_req};
        retired <= {retire_pc, retire_valid};
        counted <= {instret, fence_i};
        out     <= {^counted, ^retired, ^fetched, ^data};
    end
endmodule

`default_nettype wire
