// SPDX-License-Identifier: Apache-2.0
//
// The chip before cocotb's judges. Nothing is a port: Verilator has a port of the top twice, and VPI then may write the
// copy that nothing reads. cocotbext-axi wants ids: the chip has none, so all are 0. Between chip and judges every
// channel is looked at (channel.v), and a number in `spoil` breaks one rule; spoils.py has the same numbers.
`default_nettype none
module chip_axi;
    reg         clk /*verilator public_flat_rw*/;
    reg         rst /*verilator public_flat_rw*/;
    reg  [7:0]  spoil /*verilator public_flat_rw*/;
    wire        irq /*verilator public_flat_rd*/;

    // ------------------------------------------------------------------ the host's registers
    reg  [11:0] h_awaddr /*verilator public_flat_rw*/;
    reg         h_awvalid /*verilator public_flat_rw*/;
    wire        h_awready /*verilator public_flat_rd*/;
    reg  [31:0] h_wdata /*verilator public_flat_rw*/;
    reg  [3:0]  h_wstrb /*verilator public_flat_rw*/;
    reg         h_wvalid /*verilator public_flat_rw*/;
    wire        h_wready /*verilator public_flat_rd*/;
    wire [1:0]  h_bresp /*verilator public_flat_rd*/;
    wire        h_bvalid /*verilator public_flat_rd*/;
    reg         h_bready /*verilator public_flat_rw*/;
    reg  [11:0] h_araddr /*verilator public_flat_rw*/;
    reg         h_arvalid /*verilator public_flat_rw*/;
    wire        h_arready /*verilator public_flat_rd*/;
    wire [31:0] h_rdata /*verilator public_flat_rd*/;
    wire [1:0]  h_rresp /*verilator public_flat_rd*/;
    wire        h_rvalid /*verilator public_flat_rd*/;
    reg         h_rready /*verilator public_flat_rw*/;

    // ------------------------------------------------------------------ system memory
    wire        m_arid /*verilator public_flat_rd*/;
    wire [31:0] m_araddr /*verilator public_flat_rd*/;
    wire [7:0]  m_arlen /*verilator public_flat_rd*/;
    wire [2:0]  m_arsize /*verilator public_flat_rd*/;
    wire [1:0]  m_arburst /*verilator public_flat_rd*/;
    wire        m_arvalid /*verilator public_flat_rd*/;
    reg         m_arready /*verilator public_flat_rw*/;
    wire        m_awid /*verilator public_flat_rd*/;
    wire [31:0] m_awaddr /*verilator public_flat_rd*/;
    wire [7:0]  m_awlen /*verilator public_flat_rd*/;
    wire [2:0]  m_awsize /*verilator public_flat_rd*/;
    wire [1:0]  m_awburst /*verilator public_flat_rd*/;
    wire        m_awvalid /*verilator public_flat_rd*/;
    reg         m_awready /*verilator public_flat_rw*/;
    wire [63:0] m_wdata /*verilator public_flat_rd*/;
    wire [7:0]  m_wstrb /*verilator public_flat_rd*/;
    wire        m_wlast /*verilator public_flat_rd*/;
    wire        m_wvalid /*verilator public_flat_rd*/;
    reg         m_wready /*verilator public_flat_rw*/;
    reg         m_rid /*verilator public_flat_rw*/;
    reg  [63:0] m_rdata /*verilator public_flat_rw*/;
    reg  [1:0]  m_rresp /*verilator public_flat_rw*/;
    reg         m_rlast /*verilator public_flat_rw*/;
    reg         m_rvalid /*verilator public_flat_rw*/;
    wire        m_rready /*verilator public_flat_rd*/;
    reg         m_bid /*verilator public_flat_rw*/;
    reg  [1:0]  m_bresp /*verilator public_flat_rw*/;
    reg         m_bvalid /*verilator public_flat_rw*/;
    wire        m_bready /*verilator public_flat_rd*/;

    // ------------------------------------------------------------------ segment 2
    wire        l_arid /*verilator public_flat_rd*/;
    wire [31:0] l_araddr /*verilator public_flat_rd*/;
    wire [7:0]  l_arlen /*verilator public_flat_rd*/;
    wire [2:0]  l_arsize /*verilator public_flat_rd*/;
    wire [1:0]  l_arburst /*verilator public_flat_rd*/;
    wire        l_arvalid /*verilator public_flat_rd*/;
    reg         l_arready /*verilator public_flat_rw*/;
    wire        l_awid /*verilator public_flat_rd*/;
    wire [31:0] l_awaddr /*verilator public_flat_rd*/;
    wire [7:0]  l_awlen /*verilator public_flat_rd*/;
    wire [2:0]  l_awsize /*verilator public_flat_rd*/;
    wire [1:0]  l_awburst /*verilator public_flat_rd*/;
    wire        l_awvalid /*verilator public_flat_rd*/;
    reg         l_awready /*verilator public_flat_rw*/;
    wire [63:0] l_wdata /*verilator public_flat_rd*/;
    wire [7:0]  l_wstrb /*verilator public_flat_rd*/;
    wire        l_wlast /*verilator public_flat_rd*/;
    wire        l_wvalid /*verilator public_flat_rd*/;
    reg         l_wready /*verilator public_flat_rw*/;
    reg         l_rid /*verilator public_flat_rw*/;
    reg  [63:0] l_rdata /*verilator public_flat_rw*/;
    reg  [1:0]  l_rresp /*verilator public_flat_rw*/;
    reg         l_rlast /*verilator public_flat_rw*/;
    reg         l_rvalid /*verilator public_flat_rw*/;
    wire        l_rready /*verilator public_flat_rd*/;
    reg         l_bid /*verilator public_flat_rw*/;
    reg  [1:0]  l_bresp /*verilator public_flat_rw*/;
    reg         l_bvalid /*verilator public_flat_rw*/;
    wire        l_bready /*verilator public_flat_rd*/;

    // ------------------------------------------------------------------ what is spoiled, and what was seen
    // The bits of `broken`, and the places of `waited`: m_ar, m_aw, m_w, l_ar, l_aw, l_w, h_b, h_r.
    wire [7:0]  broken /*verilator public_flat_rd*/;
    wire [31:0] waited_m_ar /*verilator public_flat_rd*/;
    wire [31:0] waited_m_aw /*verilator public_flat_rd*/;
    wire [31:0] waited_m_w /*verilator public_flat_rd*/;
    wire [31:0] waited_l_ar /*verilator public_flat_rd*/;
    wire [31:0] waited_l_aw /*verilator public_flat_rd*/;
    wire [31:0] waited_l_w /*verilator public_flat_rd*/;
    wire [31:0] waited_h_b /*verilator public_flat_rd*/;
    wire [31:0] waited_h_r /*verilator public_flat_rd*/;

    // Bursts that are wrong in themselves; `is_long`: of more than a beat. ar and aw: address, length, size, burst.
    wire        is_long_ar = |m_chip_ar[12:5], is_long_aw = |m_chip_aw[12:5];
    wire [44:0] to_end_ar = {20'd0, ~m_chip_ar[24:16], 16'd0}, to_end_aw = {20'd0, ~m_chip_aw[24:16], 16'd0};
    wire        m_w_offered;
    reg  [44:0] ar_spoil, aw_spoil, l_spoil;
    reg  [72:0] w_spoil, l_w_spoil;
    always @* begin
        {ar_spoil, aw_spoil, l_spoil, w_spoil, l_w_spoil} = {(3 * 45 + 2 * 73){1'b0}};
        case (spoil)
            8'd17: if (is_long_ar) ar_spoil = to_end_ar;                // over the end of its 4 KB
            8'd18: if (is_long_aw) aw_spoil = to_end_aw;
            8'd19: w_spoil[0] = m_chip_w[0];                            // no last beat
            8'd20: w_spoil[0] = !m_chip_w[0];                           // the first is the last, the last not
            8'd21: ar_spoil[44:13] = 32'h0080_0000;                     // beyond what the host has
            8'd22: aw_spoil[44:13] = 32'h0040_0000;                     // a page that the host did not give
            8'd23: l_spoil[44:13] = 32'h0004_0000;                      // beyond segment 2
            8'd24: ar_spoil[1:0] = 2'b01;                               // FIXED
            8'd25: if (is_long_aw) aw_spoil[12:5] = 8'd1;               // a beat more or less than its data have
            8'd26: if (m_chip_aw[15:13] == 3'd0) aw_spoil[15:13] = 3'd4;    // a strobe before its address
            8'd27: l_w_spoil[12] = 1'b1;                                // another bit of what is written
            default: ;
        endcase
    end
    wire        m_chip_arvalid, m_chip_arready, m_chip_awvalid, m_chip_awready, m_chip_wvalid, m_chip_wready;
    wire [44:0] m_chip_ar, m_chip_aw;
    wire [72:0] m_chip_w;
    assign m_arid = 1'b0, m_awid = 1'b0;
    channel #(.WIDTH(45)) m_ar (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd1), .changes(spoil == 8'd2), .chip_valid(m_chip_arvalid),
        .chip_ready(m_chip_arready), .chip_payload(m_chip_ar ^ ar_spoil), .valid(m_arvalid), .ready(m_arready),
        .payload({m_araddr, m_arlen, m_arsize, m_arburst}), .broken(broken[0]),
        .waited(waited_m_ar)
    );
    channel #(.WIDTH(45)) m_aw (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd3), .changes(spoil == 8'd4), .chip_valid(m_chip_awvalid),
        .chip_ready(m_chip_awready), .chip_payload(m_chip_aw ^ aw_spoil), .valid(m_awvalid), .ready(m_awready),
        .payload({m_awaddr, m_awlen, m_awsize, m_awburst}), .broken(broken[1]),
        .waited(waited_m_aw)
    );
    channel #(.WIDTH(73)) m_w (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd5), .changes(spoil == 8'd6), .chip_valid(m_chip_wvalid),
        .chip_ready(m_chip_wready), .chip_payload(m_chip_w ^ w_spoil), .valid(m_w_offered), .ready(m_wready),
        .payload({m_wdata, m_wstrb, m_wlast}), .broken(broken[2]),
        .waited(waited_m_w)
    );
    wire        l_chip_arvalid, l_chip_arready, l_chip_awvalid, l_chip_awready, l_chip_wvalid, l_chip_wready;
    wire [44:0] l_chip_ar, l_chip_aw;
    wire [72:0] l_chip_w;
    assign l_arid = 1'b0, l_awid = 1'b0;
    channel #(.WIDTH(45)) l_ar (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd7), .changes(spoil == 8'd8), .chip_valid(l_chip_arvalid),
        .chip_ready(l_chip_arready), .chip_payload(l_chip_ar ^ l_spoil), .valid(l_arvalid), .ready(l_arready),
        .payload({l_araddr, l_arlen, l_arsize, l_arburst}), .broken(broken[3]),
        .waited(waited_l_ar)
    );
    channel #(.WIDTH(45)) l_aw (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd9), .changes(spoil == 8'd10), .chip_valid(l_chip_awvalid),
        .chip_ready(l_chip_awready), .chip_payload(l_chip_aw), .valid(l_awvalid), .ready(l_awready),
        .payload({l_awaddr, l_awlen, l_awsize, l_awburst}), .broken(broken[4]),
        .waited(waited_l_aw)
    );
    channel #(.WIDTH(73)) l_w (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd11), .changes(spoil == 8'd12), .chip_valid(l_chip_wvalid),
        .chip_ready(l_chip_wready), .chip_payload(l_chip_w ^ l_w_spoil), .valid(l_wvalid), .ready(l_wready),
        .payload({l_wdata, l_wstrb, l_wlast}), .broken(broken[5]),
        .waited(waited_l_w)
    );
    assign m_wvalid = m_w_offered || (spoil == 8'd28 && m_wready);      // a beat that belongs to no burst
    // Answers of the registers.
    wire        chip_bvalid, chip_bready, chip_rvalid, chip_rready;
    wire [1:0]  chip_bresp, chip_rresp;
    wire [31:0] chip_rdata;
    channel #(.WIDTH(2)) h_b (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd13), .changes(spoil == 8'd14), .chip_valid(chip_bvalid),
        .chip_ready(chip_bready), .chip_payload(chip_bresp), .valid(h_bvalid), .ready(h_bready), .payload(h_bresp),
        .broken(broken[6]), .waited(waited_h_b)
    );
    channel #(.WIDTH(34)) h_r (
        .clk(clk), .rst(rst), .withdraws(spoil == 8'd15), .changes(spoil == 8'd16), .chip_valid(chip_rvalid),
        .chip_ready(chip_rready), .chip_payload({chip_rresp, chip_rdata}), .valid(h_rvalid), .ready(h_rready),
        .payload({h_rresp, h_rdata}), .broken(broken[7]), .waited(waited_h_r)
    );

    gpu #(.SEGMENT1_BYTES(65536), .SEGMENT2_BYTES(262144)) chip (
        .clk(clk), .rst(rst), .irq(irq), .pixel_clk(clk), .pixel_rst(rst),
        .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready), .h_wdata(h_wdata), .h_wstrb(h_wstrb),
        .h_wvalid(h_wvalid), .h_wready(h_wready), .h_bresp(chip_bresp), .h_bvalid(chip_bvalid), .h_bready(chip_bready),
        .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready), .h_rdata(chip_rdata), .h_rresp(chip_rresp),
        .h_rvalid(chip_rvalid), .h_rready(chip_rready),
        .m_araddr(m_chip_ar[44:13]), .m_arlen(m_chip_ar[12:5]), .m_arsize(m_chip_ar[4:2]),
        .m_arburst(m_chip_ar[1:0]), .m_arvalid(m_chip_arvalid), .m_arready(m_chip_arready),
        .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid), .m_rready(m_rready),
        .m_awaddr(m_chip_aw[44:13]), .m_awlen(m_chip_aw[12:5]), .m_awsize(m_chip_aw[4:2]),
        .m_awburst(m_chip_aw[1:0]), .m_awvalid(m_chip_awvalid), .m_awready(m_chip_awready),
        .m_wdata(m_chip_w[72:9]), .m_wstrb(m_chip_w[8:1]), .m_wlast(m_chip_w[0]), .m_wvalid(m_chip_wvalid),
        .m_wready(m_chip_wready), .m_bresp(m_bresp), .m_bvalid(m_bvalid), .m_bready(m_bready),
        .l_araddr(l_chip_ar[44:13]), .l_arlen(l_chip_ar[12:5]), .l_arsize(l_chip_ar[4:2]),
        .l_arburst(l_chip_ar[1:0]), .l_arvalid(l_chip_arvalid), .l_arready(l_chip_arready),
        .l_rdata(l_rdata), .l_rresp(l_rresp), .l_rlast(l_rlast), .l_rvalid(l_rvalid), .l_rready(l_rready),
        .l_awaddr(l_chip_aw[44:13]), .l_awlen(l_chip_aw[12:5]), .l_awsize(l_chip_aw[4:2]),
        .l_awburst(l_chip_aw[1:0]), .l_awvalid(l_chip_awvalid), .l_awready(l_chip_awready),
        .l_wdata(l_chip_w[72:9]), .l_wstrb(l_chip_w[8:1]), .l_wlast(l_chip_w[0]), .l_wvalid(l_chip_wvalid),
        .l_wready(l_chip_wready), .l_bresp(l_bresp), .l_bvalid(l_bvalid), .l_bready(l_bready)
    );
    wire unused = &{1'b0, m_rid, m_bid, l_rid, l_bid};
endmodule
`default_nettype wire
