// SPDX-License-Identifier: Apache-2.0
//
// The chip with ids on its memory ports, which cocotbext-axi wants (it has one: 0); all pins for VPI, nothing inside.
// Besides, AXI A3.2.1 for what the chip offers: valid stands, and its payload with it, until ready. It is looked at
// here because it costs a simulator nothing.
`default_nettype none
module chip_axi (
    input  wire         clk /*verilator public_flat_rw*/,
    input  wire         rst /*verilator public_flat_rw*/,
    input  wire [11:0]  h_awaddr /*verilator public_flat_rw*/,
    input  wire         h_awvalid /*verilator public_flat_rw*/,
    output wire         h_awready /*verilator public_flat_rw*/,
    input  wire [31:0]  h_wdata /*verilator public_flat_rw*/,
    input  wire [3:0]   h_wstrb /*verilator public_flat_rw*/,
    input  wire         h_wvalid /*verilator public_flat_rw*/,
    output wire         h_wready /*verilator public_flat_rw*/,
    output wire [1:0]   h_bresp /*verilator public_flat_rw*/,
    output wire         h_bvalid /*verilator public_flat_rw*/,
    input  wire         h_bready /*verilator public_flat_rw*/,
    input  wire [11:0]  h_araddr /*verilator public_flat_rw*/,
    input  wire         h_arvalid /*verilator public_flat_rw*/,
    output wire         h_arready /*verilator public_flat_rw*/,
    output wire [31:0]  h_rdata /*verilator public_flat_rw*/,
    output wire [1:0]   h_rresp /*verilator public_flat_rw*/,
    output wire         h_rvalid /*verilator public_flat_rw*/,
    input  wire         h_rready /*verilator public_flat_rw*/,
    output wire         irq /*verilator public_flat_rw*/,
    output wire         m_arid /*verilator public_flat_rw*/,
    output wire [31:0]  m_araddr /*verilator public_flat_rw*/,
    output wire [7:0]   m_arlen /*verilator public_flat_rw*/,
    output wire [2:0]   m_arsize /*verilator public_flat_rw*/,
    output wire [1:0]   m_arburst /*verilator public_flat_rw*/,
    output wire         m_arvalid /*verilator public_flat_rw*/,
    input  wire         m_arready /*verilator public_flat_rw*/,
    input  wire         m_rid /*verilator public_flat_rw*/,
    input  wire [63:0]  m_rdata /*verilator public_flat_rw*/,
    input  wire [1:0]   m_rresp /*verilator public_flat_rw*/,
    input  wire         m_rlast /*verilator public_flat_rw*/,
    input  wire         m_rvalid /*verilator public_flat_rw*/,
    output wire         m_rready /*verilator public_flat_rw*/,
    output wire         m_awid /*verilator public_flat_rw*/,
    output wire [31:0]  m_awaddr /*verilator public_flat_rw*/,
    output wire [7:0]   m_awlen /*verilator public_flat_rw*/,
    output wire [2:0]   m_awsize /*verilator public_flat_rw*/,
    output wire [1:0]   m_awburst /*verilator public_flat_rw*/,
    output wire         m_awvalid /*verilator public_flat_rw*/,
    input  wire         m_awready /*verilator public_flat_rw*/,
    output wire [63:0]  m_wdata /*verilator public_flat_rw*/,
    output wire [7:0]   m_wstrb /*verilator public_flat_rw*/,
    output wire         m_wlast /*verilator public_flat_rw*/,
    output wire         m_wvalid /*verilator public_flat_rw*/,
    input  wire         m_wready /*verilator public_flat_rw*/,
    input  wire         m_bid /*verilator public_flat_rw*/,
    input  wire [1:0]   m_bresp /*verilator public_flat_rw*/,
    input  wire         m_bvalid /*verilator public_flat_rw*/,
    output wire         m_bready /*verilator public_flat_rw*/,
    output wire         l_arid /*verilator public_flat_rw*/,
    output wire [31:0]  l_araddr /*verilator public_flat_rw*/,
    output wire [7:0]   l_arlen /*verilator public_flat_rw*/,
    output wire [2:0]   l_arsize /*verilator public_flat_rw*/,
    output wire [1:0]   l_arburst /*verilator public_flat_rw*/,
    output wire         l_arvalid /*verilator public_flat_rw*/,
    input  wire         l_arready /*verilator public_flat_rw*/,
    input  wire         l_rid /*verilator public_flat_rw*/,
    input  wire [63:0]  l_rdata /*verilator public_flat_rw*/,
    input  wire [1:0]   l_rresp /*verilator public_flat_rw*/,
    input  wire         l_rlast /*verilator public_flat_rw*/,
    input  wire         l_rvalid /*verilator public_flat_rw*/,
    output wire         l_rready /*verilator public_flat_rw*/,
    output wire         l_awid /*verilator public_flat_rw*/,
    output wire [31:0]  l_awaddr /*verilator public_flat_rw*/,
    output wire [7:0]   l_awlen /*verilator public_flat_rw*/,
    output wire [2:0]   l_awsize /*verilator public_flat_rw*/,
    output wire [1:0]   l_awburst /*verilator public_flat_rw*/,
    output wire         l_awvalid /*verilator public_flat_rw*/,
    input  wire         l_awready /*verilator public_flat_rw*/,
    output wire [63:0]  l_wdata /*verilator public_flat_rw*/,
    output wire [7:0]   l_wstrb /*verilator public_flat_rw*/,
    output wire         l_wlast /*verilator public_flat_rw*/,
    output wire         l_wvalid /*verilator public_flat_rw*/,
    input  wire         l_wready /*verilator public_flat_rw*/,
    input  wire         l_bid /*verilator public_flat_rw*/,
    input  wire [1:0]   l_bresp /*verilator public_flat_rw*/,
    input  wire         l_bvalid /*verilator public_flat_rw*/,
    output wire         l_bready /*verilator public_flat_rw*/,
    output wire [5:0]   broken /*verilator public_flat_rw*/,     // channels that have not stood
    output wire [31:0]  waited /*verilator public_flat_rw*/      // cycles in which one had to
);
    assign {m_arid, m_awid, l_arid, l_awid} = 4'd0;
    gpu #(.SEGMENT1_BYTES(65536), .SEGMENT2_BYTES(262144)) chip (
        .clk(clk), .rst(rst), .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready), .h_wdata(h_wdata),
        .h_wstrb(h_wstrb), .h_wvalid(h_wvalid), .h_wready(h_wready), .h_bresp(h_bresp), .h_bvalid(h_bvalid),
        .h_bready(h_bready), .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready), .h_rdata(h_rdata),
        .h_rresp(h_rresp), .h_rvalid(h_rvalid), .h_rready(h_rready), .irq(irq), .m_araddr(m_araddr),
        .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arburst(m_arburst), .m_arvalid(m_arvalid), .m_arready(m_arready),
        .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid), .m_rready(m_rready),
        .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize), .m_awburst(m_awburst), .m_awvalid(m_awvalid),
        .m_awready(m_awready), .m_wdata(m_wdata), .m_wstrb(m_wstrb), .m_wlast(m_wlast), .m_wvalid(m_wvalid),
        .m_wready(m_wready), .m_bresp(m_bresp), .m_bvalid(m_bvalid), .m_bready(m_bready), .l_araddr(l_araddr),
        .l_arlen(l_arlen), .l_arsize(l_arsize), .l_arburst(l_arburst), .l_arvalid(l_arvalid), .l_arready(l_arready),
        .l_rdata(l_rdata), .l_rresp(l_rresp), .l_rlast(l_rlast), .l_rvalid(l_rvalid), .l_rready(l_rready),
        .l_awaddr(l_awaddr), .l_awlen(l_awlen), .l_awsize(l_awsize), .l_awburst(l_awburst), .l_awvalid(l_awvalid),
        .l_awready(l_awready), .l_wdata(l_wdata), .l_wstrb(l_wstrb), .l_wlast(l_wlast), .l_wvalid(l_wvalid),
        .l_wready(l_wready), .l_bresp(l_bresp), .l_bvalid(l_bvalid), .l_bready(l_bready)
    );
    wire [5:0] waits;
    offered #(.WIDTH(45)) m_ar (clk, rst, m_arvalid, m_arready, {m_araddr, m_arlen, m_arsize, m_arburst}, waits[0],
                                broken[0]);
    offered #(.WIDTH(45)) m_aw (clk, rst, m_awvalid, m_awready, {m_awaddr, m_awlen, m_awsize, m_awburst}, waits[1],
                                broken[1]);
    offered #(.WIDTH(73)) m_w (clk, rst, m_wvalid, m_wready, {m_wdata, m_wstrb, m_wlast}, waits[2], broken[2]);
    offered #(.WIDTH(45)) l_ar (clk, rst, l_arvalid, l_arready, {l_araddr, l_arlen, l_arsize, l_arburst}, waits[3],
                                broken[3]);
    offered #(.WIDTH(45)) l_aw (clk, rst, l_awvalid, l_awready, {l_awaddr, l_awlen, l_awsize, l_awburst}, waits[4],
                                broken[4]);
    offered #(.WIDTH(73)) l_w (clk, rst, l_wvalid, l_wready, {l_wdata, l_wstrb, l_wlast}, waits[5], broken[5]);
    reg [31:0] count;
    always @(posedge clk) count <= rst ? 32'd0 : count + {31'd0, |waits};
    assign waited = count;
    wire unused = &{1'b0, m_rid, m_bid, l_rid, l_bid};
endmodule

module offered #(parameter WIDTH = 1) (
    input  wire clk,
    input  wire rst,
    input  wire valid,
    input  wire ready,
    input  wire [WIDTH-1:0] payload,
    output reg  waits,
    output reg  broken
);
    reg [WIDTH-1:0] kept;
    always @(posedge clk) begin
        waits  <= !rst && valid && !ready;
        kept   <= payload;
        broken <= !rst && (broken || (waits && !(valid && payload == kept)));
    end
endmodule
`default_nettype wire
