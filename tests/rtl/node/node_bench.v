// SPDX-License-Identifier: Apache-2.0
//
// Both nodes with their movers, command RAM, fabric and board RAM: everything of the chip that moves memory,
// small. The bench is the core (registers, command RAM, one AXI master) and system memory (m_).
`default_nettype none

module node_bench #(
    parameter SEGMENT1_BYTES = 16384,
    parameter SEGMENT2_BYTES = 16384,
    parameter APERTURE_PAGES = 16,
    parameter COMMAND_BYTES  = 16384,
    parameter LOG2_BURSTS    = 4
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [2:0]  reg_write,     // node 0, node 1, aperture
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata0,
    output wire [31:0] reg_rdata1,
    output wire [31:0] reg_rdata2,
    output wire [1:0]  irq,

    input  wire        c_req,
    input  wire        c_we,
    input  wire [3:0]  c_be,
    input  wire [15:0] c_address,
    input  wire [31:0] c_wdata,
    output wire [31:0] c_rdata,

    // The core's master.
    input  wire [31:0] b_araddr,
    input  wire [7:0]  b_arlen,
    input  wire        b_arvalid,
    output wire        b_arready,
    output wire [63:0] b_rdata,
    output wire [1:0]  b_rresp,
    output wire        b_rlast,
    output wire        b_rvalid,
    input  wire [31:0] b_awaddr,
    input  wire [7:0]  b_awlen,
    input  wire        b_awvalid,
    output wire        b_awready,
    input  wire [63:0] b_wdata,
    input  wire [7:0]  b_wstrb,
    input  wire        b_wlast,
    input  wire        b_wvalid,
    output wire        b_wready,
    output wire [1:0]  b_bresp,
    output wire        b_bvalid,

    // System memory.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_aruser,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [63:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid,
    output wire [31:0] m_awaddr,
    output wire [7:0]  m_awlen,
    output wire [2:0]  m_awsize,
    output wire        m_awuser,
    output wire        m_awvalid,
    input  wire        m_awready,
    output wire [63:0] m_wdata,
    output wire [7:0]  m_wstrb,
    output wire        m_wlast,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid,
    output wire        m_bready,

    // For checks and measurements.
    output wire [1:0]  probe_begin,
    output wire [1:0]  probe_end,
    output wire [31:0] probe_offset,
    output wire [15:0] probe_opcode,
    output wire [1:0]  node_arvalid,  // source reads as they leave the nodes
    output wire [1:0]  node_awvalid,
    output wire [31:0] segment1_beats,
    output wire [31:0] segment2_beats,
    output wire [31:0] system_beats
);
    wire [1:0]  fetch_req, fetch_gnt, fetch_rvalid;
    wire [31:0] fetch_address, fetch_rdata;
    wire [31:0] fence0, fence1;
    wire [1:0]  map_valid, map_ready, map_increment, map_mapped, map_coherent;
    wire [31:0] map_first, map_count;
    wire [39:0] map_frame;

    // Read masters 0 render source, 1 render target, 2 paging source, 3 core; write masters 0, 1, 2 core.
    wire [127:0] r_araddr;
    wire [31:0]  r_arlen;
    wire [11:0]  r_arsize;
    wire [3:0]   r_arvalid, r_arready, r_rlast, r_rvalid;
    wire [255:0] r_rdata;
    wire [7:0]   r_rresp;
    wire [95:0]  w_awaddr;
    wire [23:0]  w_awlen, w_wstrb;
    wire [8:0]   w_awsize;
    wire [2:0]   w_awvalid, w_awready, w_wlast, w_wvalid, w_wready, w_bvalid, w_bready;
    wire [191:0] w_wdata;
    wire [5:0]   w_bresp;

    node #(
        .NODE(0), .COMMAND_BYTES(COMMAND_BYTES), .APERTURE_PAGES(APERTURE_PAGES),
        .LOG2_BURSTS(LOG2_BURSTS)
    ) node0 (
        .clk(clk), .rst(rst),
        .reg_write(reg_write[0]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(reg_rdata0),
        .irq(irq[0]),
        .fetch_req(fetch_req[0]), .fetch_gnt(fetch_gnt[0]), .fetch_address(fetch_address[15:0]),
        .fetch_rvalid(fetch_rvalid[0]), .fetch_rdata(fetch_rdata),
        .fence(fence0), .other_fence(fence1),
        .map_valid(map_valid[0]), .map_ready(map_ready[0]), .map_first(map_first[15:0]),
        .map_count(map_count[15:0]), .map_frame(map_frame[19:0]), .map_increment(map_increment[0]),
        .map_mapped(map_mapped[0]), .map_coherent(map_coherent[0]),
        .s_araddr(r_araddr[31:0]), .s_arlen(r_arlen[7:0]), .s_arsize(r_arsize[2:0]), .s_arvalid(r_arvalid[0]),
        .s_arready(r_arready[0]), .s_rdata(r_rdata[63:0]), .s_rresp(r_rresp[1:0]), .s_rlast(r_rlast[0]),
        .s_rvalid(r_rvalid[0]),
        .t_araddr(r_araddr[63:32]), .t_arlen(r_arlen[15:8]), .t_arsize(r_arsize[5:3]), .t_arvalid(r_arvalid[1]),
        .t_arready(r_arready[1]), .t_rdata(r_rdata[127:64]), .t_rresp(r_rresp[3:2]), .t_rlast(r_rlast[1]),
        .t_rvalid(r_rvalid[1]),
        .w_awaddr(w_awaddr[31:0]), .w_awlen(w_awlen[7:0]), .w_awsize(w_awsize[2:0]), .w_awvalid(w_awvalid[0]),
        .w_awready(w_awready[0]), .w_wdata(w_wdata[63:0]), .w_wstrb(w_wstrb[7:0]), .w_wlast(w_wlast[0]),
        .w_wvalid(w_wvalid[0]), .w_wready(w_wready[0]), .w_bresp(w_bresp[1:0]), .w_bvalid(w_bvalid[0]),
        .w_bready(w_bready[0]),
        .probe_begin(probe_begin[0]), .probe_end(probe_end[0]), .probe_offset(probe_offset[15:0]),
        .probe_opcode(probe_opcode[7:0])
    );

    wire [31:0] t_araddr;
    wire [7:0]  t_arlen;
    wire [2:0]  t_arsize;
    wire        t_arvalid;
    node #(
        .NODE(1), .COMMAND_BYTES(COMMAND_BYTES), .APERTURE_PAGES(APERTURE_PAGES),
        .LOG2_BURSTS(LOG2_BURSTS)
    ) node1 (
        .clk(clk), .rst(rst),
        .reg_write(reg_write[1]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(reg_rdata1),
        .irq(irq[1]),
        .fetch_req(fetch_req[1]), .fetch_gnt(fetch_gnt[1]), .fetch_address(fetch_address[31:16]),
        .fetch_rvalid(fetch_rvalid[1]), .fetch_rdata(fetch_rdata),
        .fence(fence1), .other_fence(fence0),
        .map_valid(map_valid[1]), .map_ready(map_ready[1]), .map_first(map_first[31:16]),
        .map_count(map_count[31:16]), .map_frame(map_frame[39:20]), .map_increment(map_increment[1]),
        .map_mapped(map_mapped[1]), .map_coherent(map_coherent[1]),
        .s_araddr(r_araddr[95:64]), .s_arlen(r_arlen[23:16]), .s_arsize(r_arsize[8:6]), .s_arvalid(r_arvalid[2]),
        .s_arready(r_arready[2]), .s_rdata(r_rdata[191:128]), .s_rresp(r_rresp[5:4]), .s_rlast(r_rlast[2]),
        .s_rvalid(r_rvalid[2]),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arvalid(t_arvalid),
        .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'b00), .t_rlast(1'b0), .t_rvalid(1'b0),
        .w_awaddr(w_awaddr[63:32]), .w_awlen(w_awlen[15:8]), .w_awsize(w_awsize[5:3]), .w_awvalid(w_awvalid[1]),
        .w_awready(w_awready[1]), .w_wdata(w_wdata[127:64]), .w_wstrb(w_wstrb[15:8]), .w_wlast(w_wlast[1]),
        .w_wvalid(w_wvalid[1]), .w_wready(w_wready[1]), .w_bresp(w_bresp[3:2]), .w_bvalid(w_bvalid[1]),
        .w_bready(w_bready[1]),
        .probe_begin(probe_begin[1]), .probe_end(probe_end[1]), .probe_offset(probe_offset[31:16]),
        .probe_opcode(probe_opcode[15:8])
    );
`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) assert (!t_arvalid);
`endif

    assign node_arvalid = {r_arvalid[2], r_arvalid[0]};
    assign node_awvalid = w_awvalid[1:0];

    assign r_araddr[127:96] = b_araddr;
    assign r_arlen[31:24]   = b_arlen;
    assign r_arsize[11:9]   = 3'd3;
    assign r_arvalid[3]     = b_arvalid;
    assign b_arready        = r_arready[3];
    assign b_rdata          = r_rdata[255:192];
    assign b_rresp          = r_rresp[7:6];
    assign b_rlast          = r_rlast[3];
    assign b_rvalid         = r_rvalid[3];
    assign w_awaddr[95:64]  = b_awaddr;
    assign w_awlen[23:16]   = b_awlen;
    assign w_awsize[8:6]    = 3'd3;
    assign w_awvalid[2]     = b_awvalid;
    assign b_awready        = w_awready[2];
    assign w_wdata[191:128] = b_wdata;
    assign w_wstrb[23:16]   = b_wstrb;
    assign w_wlast[2]       = b_wlast;
    assign w_wvalid[2]      = b_wvalid;
    assign b_wready         = w_wready[2];
    assign b_bresp          = w_bresp[5:4];
    assign b_bvalid         = w_bvalid[2];
    assign w_bready[2]      = 1'b1;

    wire no_gnt, no_rvalid; // the examiner is not here
    command_ram #(.BYTES(COMMAND_BYTES)) command (
        .clk(clk), .rst(rst),
        .c_write({4{c_req && c_we}} & c_be), .c_address(c_address), .c_wdata(c_wdata), .c_rdata(c_rdata),
        .fetch_req({1'b0, fetch_req}), .fetch_gnt({no_gnt, fetch_gnt}), .fetch_address({16'd0, fetch_address}),
        .fetch_write(4'd0), .fetch_wdata(32'd0), .fetch_rvalid({no_rvalid, fetch_rvalid}), .fetch_rdata(fetch_rdata)
    );

    wire [31:0] l_araddr, l_awaddr;
    wire [7:0]  l_arlen, l_awlen, l_wstrb;
    wire [2:0]  l_arsize, l_awsize;
    wire [1:0]  l_arburst, l_awburst, l_rresp, l_bresp, m_arburst, m_awburst;
    wire        l_arvalid, l_arready, l_rlast, l_rvalid, l_rready, l_awvalid, l_awready, l_wlast, l_wvalid, l_wready;
    wire        l_bvalid, l_bready, m_rready, d_arready, d_rvalid, l_urgent;
    wire [63:0] l_rdata, l_wdata, d_rdata;
    fabric #(.SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES), .APERTURE_PAGES(APERTURE_PAGES),
             .MASTER_BURSTS(1 << LOG2_BURSTS)) memory (
        .clk(clk), .rst(rst),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arsize(r_arsize), .r_arvalid(r_arvalid), .r_arready(r_arready),
        .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .d_araddr(32'd0), .d_arlen(8'd0), .d_arvalid(1'b0), .d_arready(d_arready), .d_rdata(d_rdata),
        .d_rvalid(d_rvalid), .d_urgent(1'b0), .d_reserve(1'b0), .l_urgent(l_urgent),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready),
        .map_valid(map_valid), .map_ready(map_ready), .map_first(map_first), .map_count(map_count),
        .map_frame(map_frame), .map_increment(map_increment), .map_mapped(map_mapped), .map_coherent(map_coherent),
        .reg_write(reg_write[2]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(reg_rdata2),
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

    wire unused = &{1'b0, t_araddr, t_arlen, t_arsize, l_arburst, l_awburst, m_arburst, m_awburst, m_rready, no_gnt,
                    d_arready, d_rvalid, d_rdata, l_urgent,
                      no_rvalid, 1'b0};
endmodule

`default_nettype wire
