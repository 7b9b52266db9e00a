// SPDX-License-Identifier: Apache-2.0
//
// Tessera: the whole chip, board-independent. The control core with its memory, the register blocks, the
// command RAM, two engine nodes and the fabric with local segment 1 and the system-memory aperture.
// docs/architecture.md has the drawing; spec/gpu.def the addresses and registers.
//
//   host --- reg_bus_axi --- reg_bus --- host_regs, core_regs, node 0, node 1, aperture, memory_regs, display
//                               |                                                                       |
//                         core_complex --- command_ram === node 0, node 1                               |
//                               |                             |                                         |
//                            fabric ----------------------------------------------  --> AXI4: system memory, segment 2
//
// All memories but segment 2 are inside. After rst the core is held until the host writes CONTROL.CORE_RUN.
`default_nettype none
module gpu #(
    parameter DATA_WIDTH     = 64,          // of both AXI4 masters, and nothing else (docs/engine.md)
    parameter FIRMWARE_BYTES = 262144,      // the firmware's region, power of two; 0: none, no caches
    parameter FIRMWARE_SEGMENT = 1,         // behind which segment it lies: 1, in its RAM; 2, in the memory behind l_*
    parameter TCM_BYTES      = FIRMWARE_BYTES == 0 ? 180224 : 65536, // core memory, multiple of 4 KB (linker/gpu.ld)
    parameter TCM_INIT       = "",          // tcm.v
    parameter COMMAND_BYTES  = 65536,       // command RAM, power of two, at most 262144
    parameter SEGMENT1_BYTES = 262144,      // multiple of 4096
    parameter SEGMENT2_BYTES = 2097152,     // RAM behind l_*; multiple of 4096; the region may follow
    parameter APERTURE_PAGES = 4096,        // power of two; all that its address space has
    parameter LOG2_BURSTS    = 4,           // of the bursts that each channel of a node may have in flight
    parameter EXAMINER_LOG2  = 10,          // of the patch entries that its table has room for, 5 to 12
    parameter ROWS_LOG2      = 10,          // of the allocations that lists.v knows, 6 to 14
    parameter [31:0] RESET_VECTOR = 32'd0,  // the core's first instruction
    parameter WITH_DISPLAY   = 1,           // 0: nothing is at the pins d_*, pixel_clk does not run
    parameter [31:0] CLOCK_KHZ = 100000,    // of clk, for the display: what it can mix
    parameter [31:0] PIXEL_KHZ = 0,         // of pixel_clk; 0: pixel_khz says what it should be
    parameter [31:0] PROMISE1  = 400,       // what the display gets of segments 1 and 2: DISPLAY.PROMISE1 and 2
    parameter [31:0] PROMISE2  = 100,
    parameter COMMAND_WIDTH  = COMMAND_BYTES > 65536 ? $clog2(COMMAND_BYTES) : 16 // follows: do not set it
) (
    input  wire        clk,
`ifdef GPU_CLOCKS
    // Clocks of the parts that may sleep: edges of clk, left out while they would change nothing (sim/sleep.v).
    input  wire        clk_render,
    input  wire        clk_paging,
    input  wire        clk_fabric,
    input  wire        rst_render,          // rst, registered by these clocks
    input  wire        rst_paging,
    input  wire        rst_fabric,
    input  wire        clk_display,
    input  wire        rst_display,
`endif
    input  wire        rst,                 // synchronous, at least one cycle

    // Host registers: AXI4-Lite slave. Writes of less than a word answer SLVERR.
    input  wire [11:0] h_awaddr,
    input  wire        h_awvalid,
    output wire        h_awready,
    input  wire [31:0] h_wdata,
    input  wire [3:0]  h_wstrb,
    input  wire        h_wvalid,
    output wire        h_wready,
    output wire [1:0]  h_bresp,
    output wire        h_bvalid,
    input  wire        h_bready,
    input  wire [11:0] h_araddr,
    input  wire        h_arvalid,
    output wire        h_arready,
    output wire [31:0] h_rdata,
    output wire [1:0]  h_rresp,
    output wire        h_rvalid,
    input  wire        h_rready,

    // Interrupt to the host: level, IRQ_STATUS & IRQ_ENABLE.
    output wire        irq,

    // The display, in pixel_clk; what it should be, and whether it is needed, in clk.
    input  wire        pixel_clk,
    input  wire        pixel_rst,
    output wire [31:0] pixel_khz,
    output wire        pixel_on,
    output wire        d_hsync,
    output wire        d_vsync,
    output wire        d_visible,
    output wire [23:0] d_colour,            // red 23:16, green, blue; black while not visible

    // System memory: AXI4 master, one id, INCR bursts that do not cross 4 KiB, answers in order; rready is
    // constant 1. The user bits are a hint: the burst should snoop the host's caches.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire [1:0]  m_arburst,
    output wire        m_aruser,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid,
    output wire        m_rready,
    output wire [31:0] m_awaddr,
    output wire [7:0]  m_awlen,
    output wire [2:0]  m_awsize,
    output wire [1:0]  m_awburst,
    output wire        m_awuser,
    output wire        m_awvalid,
    input  wire        m_awready,
    output wire [DATA_WIDTH-1:0] m_wdata,
    output wire [DATA_WIDTH/8-1:0] m_wstrb,
    output wire        m_wlast,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid,
    output wire        m_bready,

    // Lines of the firmware's region, where it lies behind segment 2: reads of an AXI4 master, whole beats, addresses
    // as l_*'s. The core waits for each, and one is under way: it should go before l_* and m_*. Else the port rests.
    output wire [31:0] f_araddr,
    output wire [7:0]  f_arlen,
    output wire        f_arvalid,
    input  wire        f_arready,
    input  wire [DATA_WIDTH-1:0] f_rdata,
    input  wire [1:0]  f_rresp,
    input  wire        f_rlast,
    input  wire        f_rvalid,

    // Local segment 2: AXI4 master to the board's RAM, addresses from 0, the same rules. l_urgent: the display waits
    // for a burst that was asked for or will be; reads from here go before all others.
    output wire        l_urgent,
    output wire [31:0] l_araddr,
    output wire [7:0]  l_arlen,
    output wire [2:0]  l_arsize,
    output wire [1:0]  l_arburst,
    output wire        l_arvalid,
    input  wire        l_arready,
    input  wire [DATA_WIDTH-1:0] l_rdata,
    input  wire [1:0]  l_rresp,
    input  wire        l_rlast,
    input  wire        l_rvalid,
    output wire        l_rready,
    output wire [31:0] l_awaddr,
    output wire [7:0]  l_awlen,
    output wire [2:0]  l_awsize,
    output wire [1:0]  l_awburst,
    output wire        l_awvalid,
    input  wire        l_awready,
    output wire [DATA_WIDTH-1:0] l_wdata,
    output wire [DATA_WIDTH/8-1:0] l_wstrb,
    output wire        l_wlast,
    output wire        l_wvalid,
    input  wire        l_wready,
    input  wire [1:0]  l_bresp,
    input  wire        l_bvalid,
    output wire        l_bready,

    // What a watcher may see; a board leaves these open. Pulses of one cycle with their data; node 0 in the
    // low bits. probe_offset is the command RAM byte offset of the packet that begins.
    output wire [1:0]  probe_begin,
    output wire [1:0]  probe_end,
    output wire [2*COMMAND_WIDTH-1:0] probe_offset,
    output wire [15:0] probe_opcode,
    output wire        trace_valid,
    output wire [31:0] trace_event,
    output wire [31:0] trace_argument,
    output wire        console_valid,
    output wire [7:0]  console_char,
    output wire        exit_valid,
    output wire [31:0] exit_code,
    output wire        retire_valid,
    output wire [31:0] retire_pc,
    output wire        core_held,           // level: the core is in reset
    output wire        panicked             // level: IRQ_STATUS.PANIC
);
`include "gpu_spec.vh"
`include "config.vh"
    generate if (FORMATS == 0 && (PALETTE != 0 || MASKS != 0)) begin : check
        palettes_and_masks_need_formats see_rtl_config_vh();
    end endgenerate

`ifndef GPU_CLOCKS
    wire clk_render = clk;
    wire clk_paging = clk;
    wire clk_fabric = clk;
    wire rst_render, rst_paging, rst_fabric;
    staged_reset reset_render (.clk(clk), .in(rst), .out(rst_render));
    staged_reset reset_paging (.clk(clk), .in(rst), .out(rst_paging));
    staged_reset reset_fabric (.clk(clk), .in(rst), .out(rst_fabric));
    wire clk_display = clk;
    wire rst_display;
    staged_reset reset_display (.clk(clk), .in(rst), .out(rst_display));
`endif
    // ------------------------------------------------------------------ registers
    wire        bus_req, bus_we, bus_gnt, corereg_req, corereg_we, corereg_gnt;
    wire [11:0] bus_address, corereg_address;
    wire [31:0] bus_wdata, corereg_wdata, bus_rdata;
    wire [8:0]  reg_write, reg_read;
    wire        reg_from_host;
    wire [7:0]  reg_offset;
    wire [31:0] reg_wdata, host_rdata, core_rdata, node0_rdata, node1_rdata, aperture_rdata, memory_rdata;
    wire [31:0] debug_rdata, examine_rdata, display_rdata;
    localparam HOST = 0, CORE = 1, NODE0 = 2, NODE1 = 3, APERTURE = 4, UNIT = 6, EXAMINE = 7, SHOW = 8;

    reg_bus_axi host_port (
        .clk(clk), .rst(rst),
        .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready),
        .h_wdata(h_wdata), .h_wstrb(h_wstrb), .h_wvalid(h_wvalid), .h_wready(h_wready),
        .h_bresp(h_bresp), .h_bvalid(h_bvalid), .h_bready(h_bready),
        .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready),
        .h_rdata(h_rdata), .h_rresp(h_rresp), .h_rvalid(h_rvalid), .h_rready(h_rready),
        .bus_req(bus_req), .bus_we(bus_we), .bus_address(bus_address), .bus_wdata(bus_wdata),
        .bus_gnt(bus_gnt), .bus_rdata(bus_rdata)
    );

    reg_bus registers (
        .clk(clk), .rst(rst),
        .host_req(bus_req && !load_busy), .host_we(bus_we), .host_address(bus_address),
        .host_wdata(bus_wdata), .host_gnt(bus_gnt),
        .core_req(corereg_req), .core_we(corereg_we), .core_address(corereg_address), .core_wdata(corereg_wdata),
        .core_gnt(corereg_gnt), .rdata(bus_rdata),
        .reg_write(reg_write), .reg_read(reg_read), .reg_from_host(reg_from_host),
        .reg_offset(reg_offset), .reg_wdata(reg_wdata),
        .host_rdata(host_rdata), .core_rdata(core_rdata), .node0_rdata(node0_rdata), .node1_rdata(node1_rdata),
        .aperture_rdata(aperture_rdata), .memory_rdata(memory_rdata), .debug_rdata(debug_rdata),
        .examine_rdata(examine_rdata), .display_rdata(display_rdata)
    );

    wire        doorbell, invalidate, cache_flush, load_write, load_busy;
    wire [31:0] load_address, load_wdata, load_rdata;
    host_regs #(.TCM_BYTES(TCM_BYTES), .FIRMWARE_BYTES(FIRMWARE_BYTES)) host_block (
        .clk(clk), .rst(rst),
        .reg_write(reg_write[HOST]), .reg_read(reg_read[HOST]), .reg_from_host(reg_from_host),
        .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(host_rdata),
        .core_held(core_held), .doorbell(doorbell), .irq(irq), .panicked(panicked),
        .load_address(load_address), .load_write(load_write), .load_wdata(load_wdata),
        .load_rdata(load_rdata)
    );

    wire [1:0]  node_irq;
    wire        irq_software, irq_timer, display_irq;
    wire [2:0]  irq_platform;
    wire [63:0] instret, time_now;
    wire [6:0]  cache_events;
    core_regs core_block (
        .clk(clk), .rst(rst),
        .reg_write(reg_write[CORE]), .reg_from_host(reg_from_host),
        .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(core_rdata),
        .doorbell(doorbell), .node_irq(node_irq), .display_irq(display_irq),
        .irq_software(irq_software), .irq_timer(irq_timer), .irq_platform(irq_platform),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(time_now),
        .invalidate(invalidate), .cache_flush(cache_flush), .cache_events(cache_events),
        .console_valid(console_valid), .console_char(console_char),
        .exit_valid(exit_valid), .exit_code(exit_code),
        .trace_valid(trace_valid), .trace_event(trace_event), .trace_argument(trace_argument)
    );

    wire [31:0] segment1_beats, segment2_beats, system_beats;
    memory_regs #(
        .TCM_BYTES(TCM_BYTES), .COMMAND_BYTES(COMMAND_BYTES),
        .SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES), .FIRMWARE_BYTES(FIRMWARE_BYTES),
        .WITH_DISPLAY(WITH_DISPLAY)
    ) memory_block (
        .reg_offset(reg_offset), .reg_rdata(memory_rdata),
        .segment1_beats(segment1_beats), .segment2_beats(segment2_beats), .system_beats(system_beats)
    );

    // ------------------------------------------------------------------ control core and its memory
    // c_: the core's master on the fabric.
    wire [3:0]  command_write;
    wire [COMMAND_WIDTH-1:0] command_address;
    wire [31:0] command_wdata, command_rdata;
    wire [31:0] c_araddr, c_awaddr;
    wire [7:0]  c_arlen, c_awlen;
    wire [2:0]  c_arsize, c_awsize;
    wire [DATA_WIDTH-1:0]   c_rdata, c_wdata;
    wire [DATA_WIDTH/8-1:0] c_wstrb;
    wire [1:0]  c_rresp, c_bresp;
    wire        c_arvalid, c_arready, c_rlast, c_rvalid;
    wire        c_awvalid, c_awready, c_wvalid, c_wlast, c_wready, c_bvalid;
    wire [31:0] line_araddr;
    assign f_araddr = {4'd0, line_araddr[27:0]};
    core_complex #(
        .DATA_WIDTH(DATA_WIDTH), .TCM_BYTES(TCM_BYTES), .TCM_INIT(TCM_INIT), .COMMAND_BYTES(COMMAND_BYTES),
        .COMMAND_WIDTH(COMMAND_WIDTH), .FIRMWARE_BYTES(FIRMWARE_BYTES),
        .FIRMWARE_AT(FIRMWARE_SEGMENT == 2 ? LIMIT_ADDR_SEGMENT2 + SEGMENT2_BYTES
                                           : LIMIT_ADDR_SEGMENT1 + SEGMENT1_BYTES),
        .LINES_APART(FIRMWARE_SEGMENT == 2 ? 1 : 0), .RESET_VECTOR(RESET_VECTOR)
    ) core_side (
        .clk(clk), .rst(rst),
        .core_held(core_held), .load_address(load_address), .load_write(load_write), .load_wdata(load_wdata),
        .load_rdata(load_rdata), .load_busy(load_busy),
        .debug_write(reg_write[UNIT]), .debug_offset(reg_offset), .debug_wdata(reg_wdata), .debug_rdata(debug_rdata),
        .irq_software(irq_software), .irq_timer(irq_timer), .irq_external(display_irq),
        .irq_platform(irq_platform),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(time_now),
        .invalidate(invalidate), .cache_flush(cache_flush), .cache_events(cache_events),
        .reg_req(corereg_req), .reg_we(corereg_we), .reg_address(corereg_address), .reg_wdata(corereg_wdata),
        .reg_gnt(corereg_gnt), .reg_rdata(bus_rdata),
        .command_write(command_write), .command_address(command_address),
        .command_wdata(command_wdata), .command_rdata(command_rdata),
        .f_araddr(line_araddr), .f_arlen(f_arlen), .f_arvalid(f_arvalid), .f_arready(f_arready), .f_rdata(f_rdata),
        .f_rresp(f_rresp), .f_rlast(f_rlast), .f_rvalid(f_rvalid),
        .m_araddr(c_araddr), .m_arlen(c_arlen), .m_arsize(c_arsize), .m_arvalid(c_arvalid), .m_arready(c_arready),
        .m_rdata(c_rdata), .m_rresp(c_rresp), .m_rlast(c_rlast), .m_rvalid(c_rvalid),
        .m_awaddr(c_awaddr), .m_awlen(c_awlen), .m_awsize(c_awsize), .m_awvalid(c_awvalid), .m_awready(c_awready),
        .m_wdata(c_wdata), .m_wstrb(c_wstrb), .m_wlast(c_wlast), .m_wvalid(c_wvalid), .m_wready(c_wready),
        .m_bresp(c_bresp), .m_bvalid(c_bvalid)
    );

    // ------------------------------------------------------------------ command RAM, examiner and engine nodes
    wire [2:0]  fetch_req, fetch_gnt, fetch_rvalid;
    wire [3*COMMAND_WIDTH-1:0] fetch_address;
    wire [31:0] fetch_rdata, lists_wdata;
    wire [3:0]  lists_write;
    command_ram #(.BYTES(COMMAND_BYTES), .WIDTH(COMMAND_WIDTH)) commands (
        .clk(clk), .rst(rst),
        .c_write(command_write), .c_address(command_address),
        .c_wdata(command_wdata), .c_rdata(command_rdata),
        .fetch_req(fetch_req), .fetch_gnt(fetch_gnt), .fetch_address(fetch_address),
        .fetch_write(lists_write), .fetch_wdata(lists_wdata),
        .fetch_rvalid(fetch_rvalid), .fetch_rdata(fetch_rdata)
    );

    // Wires named x0_ belong to the render node, x1_ to the paging node; both nodes together where the fabric
    // takes a vector.
    wire [31:0] fence0, fence1;
    wire [1:0]  map_valid, map_ready, map_increment, map_mapped, map_coherent;
    wire [31:0] map_first, map_count;
    wire [39:0] map_frame;
    wire [31:0] s0_araddr, t0_araddr, s1_araddr, w0_awaddr, w1_awaddr;
    wire [7:0]  s0_arlen, t0_arlen, s1_arlen, w0_awlen, w1_awlen;
    wire [2:0]  s0_arsize, t0_arsize, s1_arsize, w0_awsize, w1_awsize;
    wire        s0_arvalid, t0_arvalid, s1_arvalid, w0_awvalid, w1_awvalid;
    wire        s0_arready, t0_arready, s1_arready, w0_awready, w1_awready;
    wire [DATA_WIDTH-1:0] s0_rdata, t0_rdata, s1_rdata, w0_wdata, w1_wdata;
    wire [DATA_WIDTH/8-1:0] w0_wstrb, w1_wstrb;
    wire [1:0]  s0_rresp, t0_rresp, s1_rresp, w0_bresp, w1_bresp;
    wire        s0_rlast, t0_rlast, s1_rlast, w0_wlast, w1_wlast;
    wire        s0_rvalid, t0_rvalid, s1_rvalid, w0_wvalid, w1_wvalid;
    wire        w0_wready, w1_wready, w0_bvalid, w1_bvalid, w0_bready, w1_bready;

    // b_: its reads, in turns with the paging node's: behind the core's they would make it wait.
    wire [31:0] b_araddr;
    wire [7:0]  b_arlen;
    wire [2:0]  b_arsize;
    wire        b_arvalid, b_arready, b_rvalid;
    examination #(
        .PRESENT(EXAMINER), .LISTS(LISTS), .DATA_WIDTH(DATA_WIDTH), .COMMAND_WIDTH(COMMAND_WIDTH),
        .ENTRIES_LOG2(EXAMINER_LOG2), .ROWS_LOG2(ROWS_LOG2)
    ) examination (
        .clk(clk), .rst(rst), .core_held(core_held),
        .reg_write(reg_write[EXAMINE]), .reg_read(reg_read[EXAMINE]), .reg_offset(reg_offset), .reg_wdata(reg_wdata),
        .reg_rdata(examine_rdata),
        .fetch_req(fetch_req[2]), .fetch_gnt(fetch_gnt[2]),
        .fetch_address(fetch_address[2*COMMAND_WIDTH +: COMMAND_WIDTH]), .fetch_write(lists_write),
        .fetch_wdata(lists_wdata), .fetch_rvalid(fetch_rvalid[2]), .fetch_rdata(fetch_rdata),
        .m_araddr(b_araddr), .m_arlen(b_arlen), .m_arsize(b_arsize), .m_arvalid(b_arvalid), .m_arready(b_arready),
        .m_rdata(s1_rdata), .m_rresp(s1_rresp), .m_rlast(s1_rlast), .m_rvalid(b_rvalid)
    );
    // a_: the paging node's own reads.
    wire [31:0] a_araddr;
    wire [7:0]  a_arlen;
    wire [2:0]  a_arsize;
    wire        a_arvalid, a_arready, a_rvalid;
    read_share reads_of_paging (
        .clk(clk), .rst(rst),
        .a_araddr(a_araddr), .a_arlen(a_arlen), .a_arsize(a_arsize), .a_arvalid(a_arvalid), .a_arready(a_arready),
        .a_rvalid(a_rvalid),
        .b_araddr(b_araddr), .b_arlen(b_arlen), .b_arsize(b_arsize), .b_arvalid(b_arvalid), .b_arready(b_arready),
        .b_rvalid(b_rvalid),
        .m_araddr(s1_araddr), .m_arlen(s1_arlen), .m_arsize(s1_arsize), .m_arvalid(s1_arvalid),
        .m_arready(s1_arready), .m_rlast(s1_rlast), .m_rvalid(s1_rvalid)
    );

    node #(
        .NODE(0), .DATA_WIDTH(DATA_WIDTH), .COMMAND_BYTES(COMMAND_BYTES), .COMMAND_WIDTH(COMMAND_WIDTH),
        .APERTURE_PAGES(APERTURE_PAGES), .LOG2_BURSTS(LOG2_BURSTS)
    ) render_node (
        .clk(clk_render), .rst(rst_render),
`ifdef GPU_CLOCKS
        .clk_counters(clk),
`endif
        .reg_write(reg_write[NODE0]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(node0_rdata),
        .irq(node_irq[0]),
        .fetch_req(fetch_req[0]), .fetch_gnt(fetch_gnt[0]), .fetch_address(fetch_address[COMMAND_WIDTH-1:0]),
        .fetch_rvalid(fetch_rvalid[0]), .fetch_rdata(fetch_rdata),
        .fence(fence0), .other_fence(fence1),
        .map_valid(map_valid[0]), .map_ready(map_ready[0]), .map_first(map_first[15:0]), .map_count(map_count[15:0]),
        .map_frame(map_frame[19:0]), .map_increment(map_increment[0]), .map_mapped(map_mapped[0]),
        .map_coherent(map_coherent[0]),
        .s_araddr(s0_araddr), .s_arlen(s0_arlen), .s_arsize(s0_arsize), .s_arvalid(s0_arvalid), .s_arready(s0_arready),
        .s_rdata(s0_rdata), .s_rresp(s0_rresp), .s_rlast(s0_rlast), .s_rvalid(s0_rvalid),
        .t_araddr(t0_araddr), .t_arlen(t0_arlen), .t_arsize(t0_arsize), .t_arvalid(t0_arvalid), .t_arready(t0_arready),
        .t_rdata(t0_rdata), .t_rresp(t0_rresp), .t_rlast(t0_rlast), .t_rvalid(t0_rvalid),
        .w_awaddr(w0_awaddr), .w_awlen(w0_awlen), .w_awsize(w0_awsize), .w_awvalid(w0_awvalid), .w_awready(w0_awready),
        .w_wdata(w0_wdata), .w_wstrb(w0_wstrb), .w_wlast(w0_wlast), .w_wvalid(w0_wvalid), .w_wready(w0_wready),
        .w_bresp(w0_bresp), .w_bvalid(w0_bvalid), .w_bready(w0_bready),
        .probe_begin(probe_begin[0]), .probe_end(probe_end[0]), .probe_offset(probe_offset[COMMAND_WIDTH-1:0]),
        .probe_opcode(probe_opcode[7:0])
    );

    // The paging node never reads a target, so its t_ channel goes nowhere.
    wire [31:0] t1_araddr;
    wire [7:0]  t1_arlen;
    wire [2:0]  t1_arsize;
    wire        t1_arvalid;
    node #(
        .NODE(1), .DATA_WIDTH(DATA_WIDTH), .COMMAND_BYTES(COMMAND_BYTES), .COMMAND_WIDTH(COMMAND_WIDTH),
        .APERTURE_PAGES(APERTURE_PAGES), .LOG2_BURSTS(LOG2_BURSTS)
    ) paging_node (
        .clk(clk_paging), .rst(rst_paging),
`ifdef GPU_CLOCKS
        .clk_counters(clk),
`endif
        .reg_write(reg_write[NODE1]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(node1_rdata),
        .irq(node_irq[1]),
        .fetch_req(fetch_req[1]), .fetch_gnt(fetch_gnt[1]),
        .fetch_address(fetch_address[COMMAND_WIDTH +: COMMAND_WIDTH]),
        .fetch_rvalid(fetch_rvalid[1]), .fetch_rdata(fetch_rdata),
        .fence(fence1), .other_fence(fence0),
        .map_valid(map_valid[1]), .map_ready(map_ready[1]), .map_first(map_first[31:16]), .map_count(map_count[31:16]),
        .map_frame(map_frame[39:20]), .map_increment(map_increment[1]), .map_mapped(map_mapped[1]),
        .map_coherent(map_coherent[1]),
        .s_araddr(a_araddr), .s_arlen(a_arlen), .s_arsize(a_arsize), .s_arvalid(a_arvalid), .s_arready(a_arready),
        .s_rdata(s1_rdata), .s_rresp(s1_rresp), .s_rlast(s1_rlast), .s_rvalid(a_rvalid),
        .t_araddr(t1_araddr), .t_arlen(t1_arlen), .t_arsize(t1_arsize), .t_arvalid(t1_arvalid), .t_arready(1'b0),
        .t_rdata({DATA_WIDTH{1'b0}}), .t_rresp(2'b00), .t_rlast(1'b0), .t_rvalid(1'b0),
        .w_awaddr(w1_awaddr), .w_awlen(w1_awlen), .w_awsize(w1_awsize), .w_awvalid(w1_awvalid), .w_awready(w1_awready),
        .w_wdata(w1_wdata), .w_wstrb(w1_wstrb), .w_wlast(w1_wlast), .w_wvalid(w1_wvalid), .w_wready(w1_wready),
        .w_bresp(w1_bresp), .w_bvalid(w1_bvalid), .w_bready(w1_bready),
        .probe_begin(probe_begin[1]), .probe_end(probe_end[1]),
        .probe_offset(probe_offset[COMMAND_WIDTH +: COMMAND_WIDTH]),
        .probe_opcode(probe_opcode[15:8])
    );

    // ------------------------------------------------------------------ display
    wire [31:0] d_araddr;
    wire [7:0]  d_arlen;
    wire        display_makes, d_arvalid, d_arready, d_rvalid, d_urgent, d_reserve;
    wire [DATA_WIDTH-1:0] d_rdata;
    generate
        if (DISPLAY != 0 && WITH_DISPLAY != 0) begin : shows
            if (DATA_WIDTH != 64) begin : check
                a_display_needs_64_bits see_rtl_display_display_v();
            end
            display #(
                .CLOCK_KHZ(CLOCK_KHZ), .PIXEL_KHZ(PIXEL_KHZ), .PROMISE1(PROMISE1), .PROMISE2(PROMISE2)
            ) display (
                .clk(clk_display), .rst(rst_display), .reg_write(reg_write[SHOW]), .reg_offset(reg_offset),
                .reg_wdata(reg_wdata), .reg_rdata(display_rdata), .irq(display_irq), .making(display_makes),
                .time_now(time_now),
                .r_araddr(d_araddr), .r_arlen(d_arlen), .r_arvalid(d_arvalid), .r_arready(d_arready),
                .r_rdata(d_rdata), .r_rvalid(d_rvalid), .r_urgent(d_urgent), .r_reserve(d_reserve),
                .pixel_khz(pixel_khz), .pixel_on(pixel_on), .pixel_clk(pixel_clk), .pixel_rst(pixel_rst),
                .d_hsync(d_hsync), .d_vsync(d_vsync), .d_visible(d_visible), .d_colour(d_colour)
            );
        end else begin : dark
            assign {display_rdata, display_irq, d_araddr, d_arlen, d_arvalid, d_urgent, d_reserve} = 76'd0;
            assign display_makes = 1'b0;
            assign {pixel_khz, pixel_on, d_hsync, d_vsync, d_visible, d_colour} = 60'd0;
            wire unused = &{1'b0, reg_write[SHOW], d_arready, d_rvalid, d_rdata, pixel_clk, pixel_rst, clk_display,
                            rst_display};
        end
    endgenerate

    // ------------------------------------------------------------------ fabric
    // Read masters, highest first: core, paging source, render target, render source; write masters: core,
    // paging, render.
    fabric #(
        .DATA_WIDTH(DATA_WIDTH), .SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES),
        .FIRMWARE_BYTES(FIRMWARE_BYTES), .FIRMWARE_SEGMENT(FIRMWARE_SEGMENT), .APERTURE_PAGES(APERTURE_PAGES),
        .MASTER_BURSTS(1 << LOG2_BURSTS)
    ) memory_system (
        .clk(clk_fabric), .rst(rst_fabric),
        .r_araddr ({c_araddr,  s1_araddr,  t0_araddr,  s0_araddr}),
        .r_arlen  ({c_arlen,   s1_arlen,   t0_arlen,   s0_arlen}),
        .r_arsize ({c_arsize,  s1_arsize,  t0_arsize,  s0_arsize}),
        .r_arvalid({c_arvalid, s1_arvalid, t0_arvalid, s0_arvalid}),
        .r_arready({c_arready, s1_arready, t0_arready, s0_arready}),
        .r_rdata  ({c_rdata,   s1_rdata,   t0_rdata,   s0_rdata}),
        .r_rresp  ({c_rresp,   s1_rresp,   t0_rresp,   s0_rresp}),
        .r_rlast  ({c_rlast,   s1_rlast,   t0_rlast,   s0_rlast}),
        .r_rvalid ({c_rvalid,  s1_rvalid,  t0_rvalid,  s0_rvalid}),
        .d_araddr(d_araddr), .d_arlen(d_arlen), .d_arvalid(d_arvalid), .d_arready(d_arready), .d_rdata(d_rdata),
        .d_rvalid(d_rvalid), .d_urgent(d_urgent), .d_reserve(d_reserve), .l_urgent(l_urgent),
        .w_awaddr ({c_awaddr,  w1_awaddr,  w0_awaddr}),
        .w_awlen  ({c_awlen,   w1_awlen,   w0_awlen}),
        .w_awsize ({c_awsize,  w1_awsize,  w0_awsize}),
        .w_awvalid({c_awvalid, w1_awvalid, w0_awvalid}),
        .w_awready({c_awready, w1_awready, w0_awready}),
        .w_wdata  ({c_wdata,   w1_wdata,   w0_wdata}),
        .w_wstrb  ({c_wstrb,   w1_wstrb,   w0_wstrb}),
        .w_wlast  ({c_wlast,   w1_wlast,   w0_wlast}),
        .w_wvalid ({c_wvalid,  w1_wvalid,  w0_wvalid}),
        .w_wready ({c_wready,  w1_wready,  w0_wready}),
        .w_bresp  ({c_bresp,   w1_bresp,   w0_bresp}),
        .w_bvalid ({c_bvalid,  w1_bvalid,  w0_bvalid}),
        .w_bready ({1'b1,      w1_bready,  w0_bready}),
        .map_valid(map_valid), .map_ready(map_ready), .map_first(map_first), .map_count(map_count),
        .map_frame(map_frame), .map_increment(map_increment), .map_mapped(map_mapped), .map_coherent(map_coherent),
        .reg_write(reg_write[APERTURE]), .reg_offset(reg_offset), .reg_wdata(reg_wdata), .reg_rdata(aperture_rdata),
        .segment1_beats(segment1_beats), .segment2_beats(segment2_beats), .system_beats(system_beats),
        .l_araddr(l_araddr), .l_arlen(l_arlen), .l_arsize(l_arsize), .l_arburst(l_arburst), .l_arvalid(l_arvalid),
        .l_arready(l_arready), .l_rdata(l_rdata), .l_rresp(l_rresp), .l_rlast(l_rlast), .l_rvalid(l_rvalid),
        .l_rready(l_rready), .l_awaddr(l_awaddr), .l_awlen(l_awlen), .l_awsize(l_awsize), .l_awburst(l_awburst),
        .l_awvalid(l_awvalid), .l_awready(l_awready), .l_wdata(l_wdata), .l_wstrb(l_wstrb), .l_wlast(l_wlast),
        .l_wvalid(l_wvalid), .l_wready(l_wready), .l_bresp(l_bresp), .l_bvalid(l_bvalid), .l_bready(l_bready),
        .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arburst(m_arburst), .m_aruser(m_aruser),
        .m_arvalid(m_arvalid), .m_arready(m_arready), .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast),
        .m_rvalid(m_rvalid), .m_rready(m_rready), .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize),
        .m_awburst(m_awburst), .m_awuser(m_awuser), .m_awvalid(m_awvalid), .m_awready(m_awready), .m_wdata(m_wdata),
        .m_wstrb(m_wstrb), .m_wlast(m_wlast), .m_wvalid(m_wvalid), .m_wready(m_wready), .m_bresp(m_bresp),
        .m_bvalid(m_bvalid), .m_bready(m_bready)
    );

    wire unused = &{1'b0, display_makes, reg_write[5], reg_read[8], reg_read[6:1],
                    t1_araddr, t1_arlen, t1_arsize, t1_arvalid, line_araddr[31:28]};
endmodule
`default_nettype wire
