module top (input clk, input [3:0] in, output reg [3:0] out);
    reg rst = 1; reg [3:0] held;
    always @(posedge clk) begin held <= in; rst <= held[0]; end
    wire i_req, d_req, d_we; wire [31:0] i_addr, d_addr, d_wdata; wire [3:0] d_be;
    reg i_rvalid, d_rvalid; reg [31:0] i_rdata, d_rdata;
    (* no_rw_check *) reg [31:0] mem [0:16383];
    integer n;
    always @(posedge clk) begin
        i_rvalid <= i_req && !rst; d_rvalid <= d_req && !rst;
        i_rdata <= mem[i_addr[15:2]];
    end
    always @(posedge clk) begin
        for (n = 0; n < 4; n = n + 1) if (d_req && d_we && d_be[n]) mem[d_addr[15:2]][8*n +: 8] <= d_wdata[8*n +: 8];
        d_rdata <= mem[d_addr[15:2]];
    end
    wire retire_valid; wire [31:0] retire_pc; wire [63:0] instret; wire fence_i;
    core #(.PMP_REGIONS(`REGIONS), .PMP_POWERS(0)) core (.clk(clk), .rst(rst), .i_req(i_req), .i_gnt(1'b1), .i_addr(i_addr), .i_rvalid(i_rvalid),
        .i_rdata(i_rdata), .i_err(1'b0), .d_req(d_req), .d_gnt(1'b1), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_rvalid(d_rvalid), .d_rdata(d_rdata), .d_err(1'b0), .irq_software(held[1]), .irq_timer(held[2]), .irq_external(held[3]), .irq_platform(3'd0),
        .fence_i(fence_i), .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(64'd0),
        .debug_halt(1'b0), .debug_on_ebreak(1'b0), .debug_resume(1'b0), .debug_step(1'b0), .debug_write_pc(1'b0), .debug_run(1'b0),
        .debug_data(32'd0), .debug_breaks(128'd0), .debug_watches(64'd0));
    reg [69:0] r0; reg [32:0] r1; reg [32:0] r2; reg [64:0] r3;
    always @(posedge clk) begin
        r0 <= {d_wdata, d_addr, d_be, d_we, d_req}; r1 <= {i_addr, i_req}; r2 <= {retire_pc, retire_valid}; r3 <= {instret, fence_i};
        out[0] <= ^r0; out[1] <= ^r1; out[2] <= ^r2; out[3] <= ^r3;
    end
endmodule
