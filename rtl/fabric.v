// SPDX-License-Identifier: Apache-2.0
//
// The memory system: every master's bursts to segment 1, segment 2 and system memory (directly or through
// the aperture). Contains segment 1's RAM and the aperture's page table.
//
//   read masters   0 render source, 1 render target, 2 paging source, 3 core; the display (d_), at segments 1 and 2
//   write masters  0 render, 1 paging, 2 core
//
// Vectors carry the masters side by side, master 0 in the low bits. Reads (fabric_read.v) and writes
// (fabric_write.v) share nothing but the memories. Per slave and direction bursts are granted round robin:
// a waiting master sees at most one burst of each other master go first. A master has bursts outstanding
// at one slave at a time and always takes its read data, so no cycle of waits can close. An address
// outside every space, or past the size of its space, gets DECERR and reaches no memory. The firmware's region follows
// segment 1 in its RAM, or segment 2. The core alone reaches it: for other masters it is past the segment's size.
`default_nettype none

module fabric #(
    parameter DATA_WIDTH     = 64,
    parameter SEGMENT1_BYTES = 262144,  // multiple of 4096
    parameter SEGMENT2_BYTES = 2097152, // multiple of 4096
    parameter FIRMWARE_BYTES = 0,       // the core's region, multiple of 4096
    parameter FIRMWARE_SEGMENT = 1,     // behind segment 1 or 2
    parameter APERTURE_PAGES = 1024,    // power of two, 16 .. 65536
    parameter MASTER_BURSTS  = 64      // that a master may have in flight, power of two
) (
    input  wire                      clk,
    input  wire                      rst,

    // Read masters. Bursts are INCR, inside one 4 KiB page. There is no rready: data must be taken at once.
    input  wire [4*32-1:0]           r_araddr,
    input  wire [4*8-1:0]            r_arlen,
    input  wire [4*3-1:0]            r_arsize,
    input  wire [3:0]                r_arvalid,
    output wire [3:0]                r_arready,
    output wire [4*DATA_WIDTH-1:0]   r_rdata,
    output wire [4*2-1:0]            r_rresp,
    output wire [3:0]                r_rlast,
    output wire [3:0]                r_rvalid,

    // The display's reads: whole beats. Urgent: no other burst goes where it has one. Else after all others.
    input  wire [31:0]               d_araddr,
    input  wire [7:0]                d_arlen,
    input  wire                      d_arvalid,
    output wire                      d_arready,
    output wire [DATA_WIDTH-1:0]     d_rdata,
    output wire                      d_rvalid,
    input  wire                      d_urgent,
    input  wire                      d_reserve,  // ... soon; the core's still go
    output wire                      l_urgent,   // segment 2 is the display's alone now

    // Write masters. Bursts likewise; data may be offered before its address is taken, it then waits.
    input  wire [3*32-1:0]           w_awaddr,
    input  wire [3*8-1:0]            w_awlen,
    input  wire [3*3-1:0]            w_awsize,
    input  wire [2:0]                w_awvalid,
    output wire [2:0]                w_awready,
    input  wire [3*DATA_WIDTH-1:0]   w_wdata,
    input  wire [3*DATA_WIDTH/8-1:0] w_wstrb,
    input  wire [2:0]                w_wlast,
    input  wire [2:0]                w_wvalid,
    output wire [2:0]                w_wready,
    output wire [3*2-1:0]            w_bresp,
    output wire [2:0]                w_bvalid,
    input  wire [2:0]                w_bready,

    // Aperture table writes, node 0 in the low bits: held until map_ready (all entries written).
    input  wire [1:0]                map_valid,
    output wire [1:0]                map_ready,
    input  wire [2*16-1:0]           map_first,
    input  wire [2*16-1:0]           map_count,
    input  wire [2*20-1:0]           map_frame,
    input  wire [1:0]                map_increment,
    input  wire [1:0]                map_mapped,
    input  wire [1:0]                map_coherent,

    // Registers of block APERTURE: written in the one cycle of reg_write, reg_rdata combinational.
    input  wire                      reg_write,
    input  wire [7:0]                reg_offset,
    input  wire [31:0]               reg_wdata,
    output wire [31:0]               reg_rdata,
    // Counters of block MEMORY: data beats, reads and writes.
    output wire [31:0]               segment1_beats,
    output wire [31:0]               segment2_beats,
    output wire [31:0]               system_beats,

    // AXI4 master, segment 2: addresses from 0. One id, INCR; data of a write follows its address.
    output wire [31:0]               l_araddr,
    output wire [7:0]                l_arlen,
    output wire [2:0]                l_arsize,
    output wire [1:0]                l_arburst,
    output wire                      l_arvalid,
    input  wire                      l_arready,
    input  wire [DATA_WIDTH-1:0]     l_rdata,
    input  wire [1:0]                l_rresp,
    input  wire                      l_rlast,
    input  wire                      l_rvalid,
    output wire                      l_rready,   // constant 1
    output wire [31:0]               l_awaddr,
    output wire [7:0]                l_awlen,
    output wire [2:0]                l_awsize,
    output wire [1:0]                l_awburst,
    output wire                      l_awvalid,
    input  wire                      l_awready,
    output wire [DATA_WIDTH-1:0]     l_wdata,
    output wire [DATA_WIDTH/8-1:0]   l_wstrb,
    output wire                      l_wlast,
    output wire                      l_wvalid,
    input  wire                      l_wready,
    input  wire [1:0]                l_bresp,
    input  wire                      l_bvalid,
    output wire                      l_bready,

    // AXI4 master, system memory: addresses from 0 (GPU address minus ADDR_SYSTEM, or the aperture's page).
    // The user bits are the snoop hint: set for aperture pages mapped CacheCoherent.
    output wire [31:0]               m_araddr,
    output wire [7:0]                m_arlen,
    output wire [2:0]                m_arsize,
    output wire [1:0]                m_arburst,
    output wire                      m_aruser,
    output wire                      m_arvalid,
    input  wire                      m_arready,
    input  wire [DATA_WIDTH-1:0]     m_rdata,
    input  wire [1:0]                m_rresp,
    input  wire                      m_rlast,
    input  wire                      m_rvalid,
    output wire                      m_rready,   // constant 1
    output wire [31:0]               m_awaddr,
    output wire [7:0]                m_awlen,
    output wire [2:0]                m_awsize,
    output wire [1:0]                m_awburst,
    output wire                      m_awuser,
    output wire                      m_awvalid,
    input  wire                      m_awready,
    output wire [DATA_WIDTH-1:0]     m_wdata,
    output wire [DATA_WIDTH/8-1:0]   m_wstrb,
    output wire                      m_wlast,
    output wire                      m_wvalid,
    input  wire                      m_wready,
    input  wire [1:0]                m_bresp,
    input  wire                      m_bvalid,
    output wire                      m_bready
);
    localparam LANES = DATA_WIDTH / 8;

    // ------------------------------------------------------------------ the two halves
    // Memory ports: 0 segment 1, 1 segment 2, 2 system (before the aperture), with full engine addresses.
    wire [3*32-1:0]         p_araddr, p_awaddr;
    wire [3*8-1:0]          p_arlen, p_awlen;
    wire [3*3-1:0]          p_arsize, p_awsize;
    wire [2:0]              p_arvalid, p_arready, p_awvalid, p_awready, p_addressed;
    wire [3*DATA_WIDTH-1:0] p_rdata, p_wdata;
    wire [3*LANES-1:0]      p_wstrb;
    wire [3*2-1:0]          p_rresp, p_bresp;
    wire [2:0]              p_rlast, p_rvalid, p_wlast, p_wvalid, p_wready, p_bvalid, p_bready;

    wire [3:0] d_alone;
    assign l_urgent = d_alone[1];
    fabric_read #(
        .DATA_WIDTH     (DATA_WIDTH),
        .SEGMENT1_BYTES (SEGMENT1_BYTES),
        .SEGMENT2_BYTES (SEGMENT2_BYTES),
        .FIRMWARE_BYTES (FIRMWARE_BYTES),
        .FIRMWARE_SEGMENT (FIRMWARE_SEGMENT),
        .APERTURE_PAGES (APERTURE_PAGES),
        .MASTER_BURSTS  (MASTER_BURSTS)
    ) reads (
        .clk       (clk),
        .rst       (rst),
        .r_araddr  (r_araddr),
        .r_arlen   (r_arlen),
        .r_arsize  (r_arsize),
        .r_arvalid (r_arvalid),
        .r_arready (r_arready),
        .r_rdata   (r_rdata),
        .r_rresp   (r_rresp),
        .r_rlast   (r_rlast),
        .r_rvalid  (r_rvalid),
        .d_araddr  (d_araddr),
        .d_arlen   (d_arlen),
        .d_arvalid (d_arvalid),
        .d_arready (d_arready),
        .d_rdata   (d_rdata),
        .d_rvalid  (d_rvalid),
        .d_urgent  (d_urgent),
        .d_reserve (d_reserve),
        .d_alone   (d_alone),
        .p_araddr  (p_araddr),
        .p_arlen   (p_arlen),
        .p_arsize  (p_arsize),
        .p_arvalid (p_arvalid),
        .p_arready (p_arready),
        .p_rdata   (p_rdata),
        .p_rresp   (p_rresp),
        .p_rlast   (p_rlast),
        .p_rvalid  (p_rvalid)
    );

    fabric_write #(
        .DATA_WIDTH     (DATA_WIDTH),
        .SEGMENT1_BYTES (SEGMENT1_BYTES),
        .SEGMENT2_BYTES (SEGMENT2_BYTES),
        .FIRMWARE_BYTES (FIRMWARE_BYTES),
        .FIRMWARE_SEGMENT (FIRMWARE_SEGMENT),
        .APERTURE_PAGES (APERTURE_PAGES),
        .MASTER_BURSTS  (MASTER_BURSTS)
    ) writes (
        .clk         (clk),
        .rst         (rst),
        .w_awaddr    (w_awaddr),
        .w_awlen     (w_awlen),
        .w_awsize    (w_awsize),
        .w_awvalid   (w_awvalid),
        .w_awready   (w_awready),
        .w_wdata     (w_wdata),
        .w_wstrb     (w_wstrb),
        .w_wlast     (w_wlast),
        .w_wvalid    (w_wvalid),
        .w_wready    (w_wready),
        .w_bresp     (w_bresp),
        .w_bvalid    (w_bvalid),
        .w_bready    (w_bready),
        .p_awaddr    (p_awaddr),
        .p_awlen     (p_awlen),
        .p_awsize    (p_awsize),
        .p_awvalid   (p_awvalid),
        .p_awready   (p_awready),
        .p_addressed (p_addressed),
        .p_wdata     (p_wdata),
        .p_wstrb     (p_wstrb),
        .p_wlast     (p_wlast),
        .p_wvalid    (p_wvalid),
        .p_wready    (p_wready),
        .p_bresp     (p_bresp),
        .p_bvalid    (p_bvalid),
        .p_bready    (p_bready)
    );

    // ------------------------------------------------------------------ segment 1
    segment_ram #(
        .BYTES      (SEGMENT1_BYTES + (FIRMWARE_SEGMENT == 1 ? FIRMWARE_BYTES : 0)),
        .DATA_WIDTH (DATA_WIDTH)
    ) segment1 (
        .clk     (clk),
        .rst     (rst),
        .araddr  ({4'd0, p_araddr[27:0]}),
        .arlen   (p_arlen[7:0]),
        .arsize  (p_arsize[2:0]),
        .arvalid (p_arvalid[0]),
        .arready (p_arready[0]),
        .rdata   (p_rdata[DATA_WIDTH-1:0]),
        .rresp   (p_rresp[1:0]),
        .rlast   (p_rlast[0]),
        .rvalid  (p_rvalid[0]),
        .awaddr  ({4'd0, p_awaddr[27:0]}),
        .awlen   (p_awlen[7:0]),
        .awsize  (p_awsize[2:0]),
        .awvalid (p_awvalid[0]),
        .awready (p_awready[0]),
        .wdata   (p_wdata[DATA_WIDTH-1:0]),
        .wstrb   (p_wstrb[LANES-1:0]),
        .wlast   (p_wlast[0]),
        .wvalid  (p_wvalid[0]),
        .wready  (p_wready[0]),
        .bresp   (p_bresp[1:0]),
        .bvalid  (p_bvalid[0]),
        .bready  (p_bready[0])
    );
    assign p_addressed[0] = p_awvalid[0] && p_awready[0];

    // ------------------------------------------------------------------ segment 2
    assign l_araddr       = {4'd0, p_araddr[59:32]};
    assign l_arlen        = p_arlen[15:8];
    assign l_arsize       = p_arsize[5:3];
    assign l_arburst      = 2'b01;
    assign l_arvalid      = p_arvalid[1];
    assign l_rready       = 1'b1;
    assign p_arready[1]   = l_arready;
    assign p_rdata[DATA_WIDTH +: DATA_WIDTH] = l_rdata;
    assign p_rresp[3:2]   = l_rresp;
    assign p_rlast[1]     = l_rlast;
    assign p_rvalid[1]    = l_rvalid;
    assign l_awaddr       = {4'd0, p_awaddr[59:32]};
    assign l_awlen        = p_awlen[15:8];
    assign l_awsize       = p_awsize[5:3];
    assign l_awburst      = 2'b01;
    assign l_awvalid      = p_awvalid[1];
    assign p_awready[1]   = l_awready;
    assign p_addressed[1] = l_awvalid && l_awready;
    assign l_wdata        = p_wdata[DATA_WIDTH +: DATA_WIDTH];
    assign l_wstrb        = p_wstrb[LANES +: LANES];
    assign l_wlast        = p_wlast[1];
    assign l_wvalid       = p_wvalid[1];
    assign p_wready[1]    = l_wready;
    assign p_bresp[3:2]   = l_bresp;
    assign p_bvalid[1]    = l_bvalid;
    assign l_bready       = p_bready[1];

    // ------------------------------------------------------------------ system memory behind the aperture
    aperture #(.PAGES(APERTURE_PAGES), .ATTRIBUTES_WIDTH(11)) table_of_pages (
        .clk               (clk),
        .rst               (rst),
        .ar_in_address     (p_araddr[95:64]),
        .ar_in_attributes  ({p_arsize[8:6], p_arlen[23:16]}),
        .ar_in_valid       (p_arvalid[2]),
        .ar_in_ready       (p_arready[2]),
        .ar_out_address    (m_araddr),
        .ar_out_attributes ({m_arsize, m_arlen}),
        .ar_out_coherent   (m_aruser),
        .ar_out_valid      (m_arvalid),
        .ar_out_ready      (m_arready),
        .aw_in_address     (p_awaddr[95:64]),
        .aw_in_attributes  ({p_awsize[8:6], p_awlen[23:16]}),
        .aw_in_valid       (p_awvalid[2]),
        .aw_in_ready       (p_awready[2]),
        .aw_out_address    (m_awaddr),
        .aw_out_attributes ({m_awsize, m_awlen}),
        .aw_out_coherent   (m_awuser),
        .aw_out_valid      (m_awvalid),
        .aw_out_ready      (m_awready),
        .map_valid         (map_valid),
        .map_ready         (map_ready),
        .map_first         (map_first),
        .map_count         (map_count),
        .map_frame         (map_frame),
        .map_increment     (map_increment),
        .map_mapped        (map_mapped),
        .map_coherent      (map_coherent),
        .reg_write         (reg_write),
        .reg_offset        (reg_offset),
        .reg_wdata         (reg_wdata),
        .reg_rdata         (reg_rdata)
    );
    assign m_arburst      = 2'b01;
    assign m_rready       = 1'b1;
    assign p_rdata[2*DATA_WIDTH +: DATA_WIDTH] = m_rdata;
    assign p_rresp[5:4]   = m_rresp;
    assign p_rlast[2]     = m_rlast;
    assign p_rvalid[2]    = m_rvalid;
    assign m_awburst      = 2'b01;
    assign p_addressed[2] = m_awvalid && m_awready;
    assign m_wdata        = p_wdata[2*DATA_WIDTH +: DATA_WIDTH];
    assign m_wstrb        = p_wstrb[2*LANES +: LANES];
    assign m_wlast        = p_wlast[2];
    assign m_wvalid       = p_wvalid[2];
    assign p_wready[2]    = m_wready;
    assign p_bresp[5:4]   = m_bresp;
    assign p_bvalid[2]    = m_bvalid;
    assign m_bready       = p_bready[2];

    // ------------------------------------------------------------------ counters
    reg [31:0] beats1, beats2, beats3;
    wire [2:0] read_beat  = p_rvalid;
    wire [2:0] write_beat = p_wvalid & p_wready;
    always @(posedge clk) begin
        beats1 <= rst ? 32'd0 : beats1 + {31'd0, read_beat[0]} + {31'd0, write_beat[0]};
        beats2 <= rst ? 32'd0 : beats2 + {31'd0, read_beat[1]} + {31'd0, write_beat[1]};
        beats3 <= rst ? 32'd0 : beats3 + {31'd0, read_beat[2]} + {31'd0, write_beat[2]};
    end
    assign segment1_beats = beats1;
    assign segment2_beats = beats2;
    assign system_beats   = beats3;

    wire unused = &{1'b0, d_alone[3:2], d_alone[0], 1'b0,
                    p_araddr[31:28], p_araddr[63:60], p_awaddr[31:28], p_awaddr[63:60], 1'b0};
endmodule

`default_nettype wire
