// SPDX-License-Identifier: Apache-2.0
//
// The fabric with board RAM behind its segment 2 port; everything else is the bench's.
`default_nettype none

module fabric_bench #(
    parameter SEGMENT1_BYTES = 16384,
    parameter SEGMENT2_BYTES = 16384,
    parameter APERTURE_PAGES = 16
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] r_araddr,
    input  wire [31:0]  r_arlen,
    input  wire [11:0]  r_arsize,
    input  wire [3:0]   r_arvalid,
    output wire [3:0]   r_arready,
    output wire [255:0] r_rdata,
    output wire [7:0]   r_rresp,
    output wire [3:0]   r_rlast,
    output wire [3:0]   r_rvalid,
    input  wire [31:0]  d_araddr,
    input  wire [7:0]   d_arlen,
    input  wire         d_arvalid,
    output wire         d_arready,
    output wire [63:0]  d_rdata,
    output wire         d_rvalid,
    input  wire         d_urgent,
    input  wire         d_reserve,
    output wire         l_urgent,
    input  wire [95:0]  w_awaddr,
    input  wire [23:0]  w_awlen,
    input  wire [8:0]   w_awsize,
    input  wire [2:0]   w_awvalid,
    output wire [2:0]   w_awready,
    input  wire [191:0] w_wdata,
    input  wire [23:0]  w_wstrb,
    input  wire [2:0]   w_wlast,
    input  wire [2:0]   w_wvalid,
    output wire [2:0]   w_wready,
    output wire [5:0]   w_bresp,
    output wire [2:0]   w_bvalid,
    input  wire [2:0]   w_bready,
    input  wire [1:0]   map_valid,
    output wire [1:0]   map_ready,
    input  wire [31:0]  map_first,
    input  wire [31:0]  map_count,
    input  wire [39:0]  map_frame,
    input  wire [1:0]   map_increment,
    input  wire [1:0]   map_mapped,
    input  wire [1:0]   map_coherent,
    input  wire         reg_write,
    input  wire [7:0]   reg_offset,
    input  wire [31:0]  reg_wdata,
    output wire [31:0]  reg_rdata,
    output wire [31:0]  segment1_beats,
    output wire [31:0]  segment2_beats,
    output wire [31:0]  system_beats,
    output wire [31:0]  m_araddr,
    output wire [7:0]   m_arlen,
    output wire [2:0]   m_arsize,
    output wire         m_aruser,
    output wire         m_arvalid,
    input  wire         m_arready,
    input  wire [63:0]  m_rdata,
    input  wire [1:0]   m_rresp,
    input  wire         m_rlast,
    input  wire         m_rvalid,
    output wire [31:0]  m_awaddr,
    output wire [7:0]   m_awlen,
    output wire [2:0]   m_awsize,
    output wire         m_awuser,
    output wire         m_awvalid,
    input  wire         m_awready,
    output wire [63:0]  m_wdata,
    output wire [7:0]   m_wstrb,
    output wire         m_wlast,
    output wire         m_wvalid,
    input  wire         m_wready,
    input  wire [1:0]   m_bresp,
    input  wire         m_bvalid,
    output wire         m_bready
);
    wire [31:0] l_araddr, l_awaddr;
    wire [7:0]  l_arlen, l_awlen, l_wstrb;
    wire [2:0]  l_arsize, l_awsize;
    wire [1:0]  l_arburst, l_awburst, l_rresp, l_bresp, m_arburst, m_awburst;
    wire        l_arvalid, l_arready, l_rlast, l_rvalid, l_rready, l_awvalid, l_awready, l_wlast, l_wvalid, l_wready;
    wire        l_bvalid, l_bready, m_rready;
    wire [63:0] l_rdata, l_wdata;
    fabric #(.SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES), .APERTURE_PAGES(APERTURE_PAGES),
             .MASTER_BURSTS(16)) memory (
        .clk(clk), .rst(rst),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arsize(r_arsize), .r_arvalid(r_arvalid), .r_arready(r_arready),
        .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .d_araddr(d_araddr), .d_arlen(d_arlen), .d_arvalid(d_arvalid), .d_arready(d_arready), .d_rdata(d_rdata),
        .d_rvalid(d_rvalid), .d_urgent(d_urgent), .d_reserve(d_reserve), .l_urgent(l_urgent),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready),
        .map_valid(map_valid), .map_ready(map_ready), .map_first(map_first), .map_count(map_count),
        .map_frame(map_frame), .map_increment(map_increment), .map_mapped(map_mapped), .map_coherent(map_coherent),
        .reg_write(reg_write), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(reg_rdata),
        .segment1_beats(segment1_beats), .segment2_beats(segment2_beats), .system_beats(system_beats),
        .l_araddr(l_araddr), .l_arlen(l_arlen), .l_arsize(l_arsize), .l_arburst(l_arburst), .l_arvalid(l_arvalid),
        .l_arready(l_arready), .l_rdata(l_rdata), .l_rresp(l_rresp), .l_rlast(l_rlast), .l_rvalid(l_rvalid),
        .l_rready(l_rready),
        .l_awaddr(l_awaddr), .l_awlen(l_awlen), .l_awsize(l_awsize), .l_awburst(l_awburst), .l_awvalid(l_awvalid),
        .l_awready(l_awready), .l_wdata(l_wdata), .l_wstrb(l_wstrb), .l_wlast(l_wlast), .l_wvalid(l_wvalid),
        .l_wready(l_wready), .l_bresp(l_bresp), .l_bvalid(l_bvalid), .l_bready(l_bready),
        .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arburst(m_arburst), .m_aruser(m_aruser),
        .m_arvalid(m_arvalid), .m_arready(m_arready), .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast),
        .m_rvalid(m_rvalid), .m_rready(m_rready),
        .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize), .m_awburst(m_awburst), .m_awuser(m_awuser),
        .m_awvalid(m_awvalid), .m_awready(m_awready), .m_wdata(m_wdata), .m_wstrb(m_wstrb), .m_wlast(m_wlast),
        .m_wvalid(m_wvalid), .m_wready(m_wready), .m_bresp(m_bresp), .m_bvalid(m_bvalid), .m_bready(m_bready)
    );

    slow_ram #(.BYTES(SEGMENT2_BYTES)) board (
        .clk(clk), .rst(rst),
        .araddr(l_araddr), .arlen(l_arlen), .arsize(l_arsize), .arvalid(l_arvalid), .arready(l_arready),
        .rdata(l_rdata), .rresp(l_rresp), .rlast(l_rlast), .rvalid(l_rvalid), .rready(l_rready),
        .awaddr(l_awaddr), .awlen(l_awlen), .awsize(l_awsize), .awvalid(l_awvalid), .awready(l_awready),
        .wdata(l_wdata), .wstrb(l_wstrb), .wlast(l_wlast), .wvalid(l_wvalid), .wready(l_wready),
        .bresp(l_bresp), .bvalid(l_bvalid), .bready(l_bready)
    );
    wire unused = &{1'b0, l_arburst, l_awburst, m_arburst, m_awburst, m_rready, 1'b0};
endmodule

`default_nettype wire
