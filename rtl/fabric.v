// SPDX-License-Identifier: Apache-2.0
//
// The memory system: every master's bursts to segment 1, segment 2 and system memory (directly or through
// the aperture). Contains segment 1's RAM and the aperture's page table.
//
//   read masters   0 render source, 1 render target, 2 paging source, 3 core
//   write masters  0 render, 1 paging, 2 core
//
// Vectors carry the masters side by side, master 0 in the low bits. Reads (fabric_read.v) and writes
// (fabric_write.v) share nothing but the memories. Per slave and direction bursts are granted round robin:
// a waiting master sees at most one burst of each other master go first. A master has bursts outstanding
// at one slave at a time and always takes its read data, so no cycle of waits can close. An address
// outside every space, or past the size of its space, gets DECERR and reaches no memory.
`default_nettype none

module fabric #(
    parameter DATA_WIDTH     = 64,
    parameter SEGMENT1_BYTES = 262144,  // multiple of 4096
    parameter SEGMENT2_BYTES = 2097152, // multiple of 4096
    parameter APERTURE_PAGES = 1024     // power of two, 16 .. 65536
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
    assign {r_arready, r_rdata, r_rresp, r_rlast, r_rvalid} = 0;
    assign {w_awready, w_wready, w_bresp, w_bvalid} = 0;
    assign {map_ready, reg_rdata, segment1_beats, segment2_beats, system_beats} = 0;
    assign {l_araddr, l_arlen, l_arsize, l_arburst, l_arvalid, l_rready} = 0;
    assign {l_awaddr, l_awlen, l_awsize, l_awburst, l_awvalid, l_wdata, l_wstrb, l_wlast, l_wvalid, l_bready} = 0;
    assign {m_araddr, m_arlen, m_arsize, m_arburst, m_aruser, m_arvalid, m_rready} = 0;
    assign {m_awaddr, m_awlen, m_awsize, m_awburst, m_awuser, m_awvalid, m_wdata, m_wstrb, m_wlast, m_wvalid,
        m_bready} = 0;
    wire parameters_unused = (SEGMENT1_BYTES + SEGMENT2_BYTES + APERTURE_PAGES) == 0;
    wire unused = &{1'b0, parameters_unused, clk, rst, r_araddr, r_arlen, r_arsize, r_arvalid, w_awaddr, w_awlen, w_awsize, w_awvalid,
        w_wdata, w_wstrb, w_wlast, w_wvalid, w_bready, map_valid, map_first, map_count, map_frame, map_increment,
        map_mapped, map_coherent, reg_write, reg_offset, reg_wdata, l_arready, l_rdata, l_rresp, l_rlast, l_rvalid,
        l_awready, l_wready, l_bresp, l_bvalid, m_arready, m_rdata, m_rresp, m_rlast, m_rvalid, m_awready,
        m_wready, m_bresp, m_bvalid, 1'b0};
endmodule

`default_nettype wire
