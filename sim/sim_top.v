// SPDX-License-Identifier: Apache-2.0
//
// What Verilator builds: the chip with segment 2's RAM beside it. The pins left are the host's registers,
// system memory, the interrupt and what a watcher sees. Segment 2 has the largest size a scene wants; a
// scene with less says so in HOST.SEGMENT2_LIMIT. Likewise the firmware's region: room for as many allocations as
// HOST.ALLOCATIONS may ask for; and command RAM and the examiner's table, for DMA buffers and lists as long as
// HOST.DMA_BYTES and HOST.LIST_ENTRIES may say.
//
// BOARD 1: a board's sizes, and its SDRAM (board_side.v) in place of both memories. sim/board_flags.awk reads these
// parameters from the board's top.
`default_nettype none
module sim_top #(
    parameter BOARD                = 0,
    parameter SEGMENT1_BYTES       = 262144,
    parameter SEGMENT2_BYTES       = 16777216,
    parameter FIRMWARE_BYTES       = 2097152,
    parameter FIRMWARE_SEGMENT     = 1,
    parameter TCM_BYTES            = 65536,
    parameter COMMAND_BYTES        = 262144,
    parameter APERTURE_PAGES       = 4096,
    parameter EXAMINER_LOG2        = 12,
    parameter [31:0] CLOCK_KHZ     = 100000,   // for the display; chip.cpp makes its clock from the chip's
    parameter [31:0] PIXEL_KHZ     = 0,
    parameter [31:0] PROMISE2      = 200,
    /* verilator lint_off UNUSED */
    parameter SEGMENT2_BEAT_CYCLES = 2,
    parameter [31:0] SYSTEM_BYTES  = 25165824, // this and what follows: of a board
    parameter SDRAM_HZ             = 75000000,
    parameter SDRAM_WIDTH          = 16,
    parameter BYTE_MASKS           = 1,
    parameter CAS_LATENCY          = 2,
    parameter READ_DELAY           = 3,
    parameter T_INIT               = 15000,
    parameter T_REFRESH            = 500,
    parameter T_RFC                = 5
    /* verilator lint_on UNUSED */
) (
    input  wire        clk,
    input  wire        sdram_clk,       // of a board; beside clk, at any rate
    input  wire        clk_render,      // clk's edges; those may be left out for which the bit of awake was low before
    input  wire        clk_paging,
    input  wire        clk_fabric,
    input  wire        clk_display,
    input  wire        pixel_clk,       // beside clk, while pixel_on or rst
    input  wire        rst,

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
    output wire        irq,

    output wire [31:0] pixel_khz,
    output wire        pixel_on,
    output wire        d_vsync,         // these in pixel_clk
    output wire        d_visible,
    output wire [23:0] d_colour,

    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire [1:0]  m_arburst,
    output wire        m_aruser,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [63:0] m_rdata,
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
    output wire [63:0] m_wdata,
    output wire [7:0]  m_wstrb,
    output wire        m_wlast,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid,
    output wire        m_bready,

    output wire [1:0]  probe_begin,
    output wire [1:0]  probe_end,
    output wire [63:0] probe_offset,
    output wire [15:0] probe_opcode,
    // Rings as the firmware set them up, node 0 in the low half: a packet may wrap at its ring's end.
    output reg  [31:0] ring_base,
    output reg  [31:0] ring_size,
    output wire        trace_valid,
    output wire [31:0] trace_event,
    output wire [31:0] trace_argument,
    output wire        console_valid,
    output wire [7:0]  console_char,
    output wire        exit_valid,
    output wire [31:0] exit_code,
    output wire        retire_valid,
    output wire [31:0] retire_pc,
    output wire        core_held,
    output wire        panicked,

    // Faults of a memory (fault_gate.v): which memory, 1 segment 2, 2 system.
    input  wire [2:0]  fault_kind,
    input  wire [1:0]  fault_memory,
    input  wire [3:0]  fault_readers,
    input  wire [2:0]  fault_writers,
    output wire        fault_fired,
    output wire        m_rheld,        // the chip does not take the beat that is shown
    output wire        m_bheld,
    output wire [1:0]  node_resetting,
    output wire [3:0]  awake            // 0 render, 1 paging, 2 fabric, 3 display
);
`include "gpu_spec.vh"
    // The pins as the chip sees them. The simulator sets the pins for a cycle before the edge that begins it, and the
    // edge brings them in with everything else that changes: one evaluation a cycle, and none but for an edge.
    reg         rst_now = 1'b1; // nothing is checked before the first edge
    reg         rst_render = 1'b1, rst_paging = 1'b1, rst_fabric = 1'b1, rst_display = 1'b1, rst_pixel = 1'b1;
    // While rst is set nothing sleeps.
    reg  [11:0] h_awaddr_now, h_araddr_now;
    reg  [31:0] h_wdata_now;
    reg  [3:0]  h_wstrb_now;
    reg         h_awvalid_now, h_wvalid_now, h_bready_now, h_arvalid_now, h_rready_now;
    reg         m_arready_now, m_rlast_now, m_rvalid_now, m_awready_now, m_wready_now, m_bvalid_now;
    reg  [63:0] m_rdata_now;
    reg  [1:0]  m_rresp_now, m_bresp_now, fault_memory_now;
    reg  [2:0]  fault_kind_now, fault_writers_now;
    reg  [3:0]  fault_readers_now;
    always @(posedge clk) begin
        rst_now           <= rst;
        h_awaddr_now      <= h_awaddr;
        h_awvalid_now     <= h_awvalid;
        h_wdata_now       <= h_wdata;
        h_wstrb_now       <= h_wstrb;
        h_wvalid_now      <= h_wvalid;
        h_bready_now      <= h_bready;
        h_araddr_now      <= h_araddr;
        h_arvalid_now     <= h_arvalid;
        h_rready_now      <= h_rready;
        fault_kind_now    <= fault_kind;
        fault_memory_now  <= fault_memory;
        fault_readers_now <= fault_readers;
        fault_writers_now <= fault_writers;
    end
    always @(posedge clk_render) rst_render <= rst;
    always @(posedge clk_paging) rst_paging <= rst;
    always @(posedge clk_display) rst_display <= rst;
    always @(posedge pixel_clk) rst_pixel <= rst;
    // System memory speaks only to a fabric that is awake.
    always @(posedge clk_fabric) begin
        rst_fabric        <= rst;
        m_arready_now     <= m_arready;
        m_rdata_now       <= m_rdata;
        m_rresp_now       <= m_rresp;
        m_rlast_now       <= m_rlast;
        m_rvalid_now      <= m_rvalid;
        m_awready_now     <= m_awready;
        m_wready_now      <= m_wready;
        m_bresp_now       <= m_bresp;
        m_bvalid_now      <= m_bvalid;
    end

    wire [31:0] l_araddr, l_awaddr;
    wire [7:0]  l_arlen, l_awlen, l_wstrb;
    wire        l_urgent, d_hsync, f_arvalid, f_arready, f_rvalid;
    wire [31:0] f_araddr;
    wire [7:0]  f_arlen;
    wire [2:0]  l_arsize, l_awsize;
    wire [1:0]  l_arburst, l_awburst, l_rresp, l_bresp;
    wire [63:0] l_rdata, l_wdata;
    wire        l_arvalid, l_arready, l_rlast, l_rvalid, l_rready;
    wire        l_awvalid, l_awready, l_wlast, l_wvalid, l_wready, l_bvalid, l_bready;

    localparam OFFSET_BITS = COMMAND_BYTES > 65536 ? $clog2(COMMAND_BYTES) : 16; // as gpu.v has it
    wire [2*OFFSET_BITS-1:0] offsets;
    assign probe_offset = {{(32-OFFSET_BITS){1'b0}}, offsets[2*OFFSET_BITS-1:OFFSET_BITS],
                           {(32-OFFSET_BITS){1'b0}}, offsets[OFFSET_BITS-1:0]};

    // The chip's side of the two ports, where it differs.
    wire        c_arvalid, c_arready, c_rvalid, c_awvalid, c_awready, c_bvalid;
    wire [1:0]  c_rresp, c_bresp;
    wire        k_arvalid, k_arready, k_rvalid, k_awvalid, k_awready, k_bvalid, l_rheld, l_bheld;
    wire [1:0]  k_rresp, k_bresp;

    // System memory as the chip's side of system_gate sees it: the pins, or the board's.
    wire        s_arvalid, s_arready, s_rlast, s_rvalid, s_awvalid, s_awready, s_wready, s_bvalid;
    wire [1:0]  s_rresp, s_bresp;
    wire [63:0] s_rdata;

    gpu #(
        .SEGMENT1_BYTES(SEGMENT1_BYTES), .SEGMENT2_BYTES(SEGMENT2_BYTES), .FIRMWARE_BYTES(FIRMWARE_BYTES),
        .FIRMWARE_SEGMENT(FIRMWARE_SEGMENT), .TCM_BYTES(TCM_BYTES), .COMMAND_BYTES(COMMAND_BYTES),
        .APERTURE_PAGES(APERTURE_PAGES), .EXAMINER_LOG2(EXAMINER_LOG2),
        .CLOCK_KHZ(CLOCK_KHZ), .PIXEL_KHZ(PIXEL_KHZ), .PROMISE1(CLOCK_KHZ / 250), .PROMISE2(PROMISE2)
    ) chip (
        .clk(clk), .clk_render(clk_render), .clk_paging(clk_paging), .clk_fabric(clk_fabric),
        .clk_display(clk_display), .rst(rst_now), .rst_render(rst_render), .rst_paging(rst_paging),
        .rst_fabric(rst_fabric), .rst_display(rst_display),
        .pixel_clk(pixel_clk), .pixel_rst(rst_pixel), .pixel_khz(pixel_khz), .pixel_on(pixel_on), .d_hsync(d_hsync),
        .d_vsync(d_vsync), .d_visible(d_visible), .d_colour(d_colour), .l_urgent(l_urgent),
        .f_araddr(f_araddr), .f_arlen(f_arlen), .f_arvalid(f_arvalid), .f_arready(f_arready), .f_rdata(l_rdata),
        .f_rresp(l_rresp), .f_rlast(l_rlast), .f_rvalid(f_rvalid),
        .h_awaddr(h_awaddr_now), .h_awvalid(h_awvalid_now), .h_awready(h_awready),
        .h_wdata(h_wdata_now), .h_wstrb(h_wstrb_now), .h_wvalid(h_wvalid_now), .h_wready(h_wready),
        .h_bresp(h_bresp), .h_bvalid(h_bvalid), .h_bready(h_bready_now),
        .h_araddr(h_araddr_now), .h_arvalid(h_arvalid_now), .h_arready(h_arready),
        .h_rdata(h_rdata), .h_rresp(h_rresp), .h_rvalid(h_rvalid), .h_rready(h_rready_now),
        .irq(irq),
        .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arburst(m_arburst), .m_aruser(m_aruser),
        .m_arvalid(c_arvalid), .m_arready(c_arready), .m_rdata(s_rdata), .m_rresp(c_rresp), .m_rlast(s_rlast),
        .m_rvalid(c_rvalid), .m_rready(m_rready), .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize),
        .m_awburst(m_awburst), .m_awuser(m_awuser), .m_awvalid(c_awvalid), .m_awready(c_awready), .m_wdata(m_wdata),
        .m_wstrb(m_wstrb), .m_wlast(m_wlast), .m_wvalid(m_wvalid), .m_wready(s_wready), .m_bresp(c_bresp),
        .m_bvalid(c_bvalid), .m_bready(m_bready),
        .l_araddr(l_araddr), .l_arlen(l_arlen), .l_arsize(l_arsize), .l_arburst(l_arburst), .l_arvalid(k_arvalid),
        .l_arready(k_arready), .l_rdata(l_rdata), .l_rresp(k_rresp), .l_rlast(l_rlast), .l_rvalid(k_rvalid),
        .l_rready(l_rready), .l_awaddr(l_awaddr), .l_awlen(l_awlen), .l_awsize(l_awsize), .l_awburst(l_awburst),
        .l_awvalid(k_awvalid), .l_awready(k_awready), .l_wdata(l_wdata), .l_wstrb(l_wstrb), .l_wlast(l_wlast),
        .l_wvalid(l_wvalid), .l_wready(l_wready), .l_bresp(k_bresp), .l_bvalid(k_bvalid), .l_bready(l_bready),
        .probe_begin(probe_begin), .probe_end(probe_end), .probe_offset(offsets), .probe_opcode(probe_opcode),
        .trace_valid(trace_valid), .trace_event(trace_event), .trace_argument(trace_argument),
        .console_valid(console_valid), .console_char(console_char),
        .exit_valid(exit_valid), .exit_code(exit_code),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .core_held(core_held), .panicked(panicked)
    );

    generate
        if (BOARD != 0) begin : board
            assign {m_arvalid, m_awvalid} = 2'b00;
            board_side #(
                .SYSTEM_BYTES(SYSTEM_BYTES[25:0]), .SEGMENT2_BYTES(SEGMENT2_BYTES), .FIRMWARE_BYTES(FIRMWARE_BYTES),
                .SDRAM_HZ(SDRAM_HZ), .WIDTH(SDRAM_WIDTH), .BYTE_MASKS(BYTE_MASKS), .CAS_LATENCY(CAS_LATENCY),
                .READ_DELAY(READ_DELAY), .T_INIT(T_INIT), .T_REFRESH(T_REFRESH), .T_RFC(T_RFC)
            ) memory (
                .clk(clk), .rst(rst_now), .sdram_clk(sdram_clk), .urgent(l_urgent),
                .araddr({f_araddr, l_araddr, m_araddr}), .arlen({f_arlen, l_arlen, m_arlen}),
                .arvalid({f_arvalid, l_arvalid, s_arvalid}), .arready({f_arready, l_arready, s_arready}),
                .rdata(l_rdata), .rresp(l_rresp), .rlast(l_rlast),
                .rvalid({f_rvalid, l_rvalid, s_rvalid}), .awaddr({l_awaddr, m_awaddr}), .awlen({l_awlen, m_awlen}),
                .awvalid({l_awvalid, s_awvalid}), .awready({l_awready, s_awready}), .wdata({l_wdata, m_wdata}),
                .wstrb({l_wstrb, m_wstrb}), .wvalid({l_wvalid, m_wvalid}), .wready({l_wready, s_wready}),
                .bresp({l_bresp, s_bresp}), .bvalid({l_bvalid, s_bvalid}), .bready({l_bready, m_bready})
            );
            assign {s_rdata, s_rresp, s_rlast} = {l_rdata, l_rresp, l_rlast};
            wire unused = &{1'b0, m_arready_now, m_rdata_now, m_rresp_now, m_rlast_now, m_rvalid_now, m_awready_now,
                            m_wready_now, m_bresp_now, m_bvalid_now, fault_memory_now, l_arsize, l_rready, l_rheld,
                            l_awsize, l_wlast, l_bheld};
        end else begin : models
            assign {f_arready, f_rvalid} = 2'b00; // its region lies in segment 1's RAM
            assign {m_arvalid, m_awvalid} = {s_arvalid, s_awvalid};
            assign {s_arready, s_rvalid, s_rlast, s_rresp, s_rdata} =
                   {m_arready_now, m_rvalid_now, m_rlast_now, m_rresp_now, m_rdata_now};
            assign {s_awready, s_wready, s_bvalid, s_bresp} = {m_awready_now, m_wready_now, m_bvalid_now, m_bresp_now};
            // host/tools/replay/replay_meter.h knows how long a beat takes.
            slow_ram #(.BYTES(SEGMENT2_BYTES), .DATA_WIDTH(64), .BEAT_CYCLES(SEGMENT2_BEAT_CYCLES)) segment2 (
                .clk(clk_fabric), .rst(rst_fabric),
                .araddr(l_araddr), .arlen(l_arlen), .arsize(l_arsize), .arvalid(l_arvalid), .arready(l_arready),
                .rdata(l_rdata), .rresp(l_rresp), .rlast(l_rlast), .rvalid(l_rvalid), .rready(l_rready && !l_rheld),
                .awaddr(l_awaddr), .awlen(l_awlen), .awsize(l_awsize), .awvalid(l_awvalid), .awready(l_awready),
                .wdata(l_wdata), .wstrb(l_wstrb), .wlast(l_wlast), .wvalid(l_wvalid), .wready(l_wready),
                .bresp(l_bresp), .bvalid(l_bvalid), .bready(l_bready && !l_bheld)
            );
        end
    endgenerate

    // ------------------------------------------------------------------ memories that misbehave
    // A burst of the lists, behind the paging node's master, is not the node's own.
    wire [1:0] fired;
    wire [3:0] not_lists     = {1'b1, !chip.reads_of_paging.is_b, 2'b11};
    wire [3:0] reads_system  = chip.memory_system.reads.owner[13:10] & not_lists;
    wire [2:0] answers_system = chip.memory_system.writes.slave[2].answer_of
                              & {3{chip.memory_system.writes.slave[2].answer_valid}};
    wire [2:0] answers_segment2 = chip.memory_system.writes.slave[1].answer_of
                                & {3{chip.memory_system.writes.slave[1].answer_valid}};
    fault_gate system_gate (
        .clk(clk_fabric), .rst(rst_fabric),
        .kind(BOARD == 0 && fault_memory_now == 2'd2 ? fault_kind_now : 3'd0),
        .readers(fault_readers_now), .writers(fault_writers_now),
        .read_owner(reads_system), .answer_owner(answers_system),
        .fired(fired[1]),
        .c_ar({m_araddr, m_arlen, m_arsize}), .c_arvalid(c_arvalid), .c_arready(c_arready),
        .m_arvalid(s_arvalid), .m_arready(s_arready), .m_rvalid(s_rvalid), .m_rlast(s_rlast), .m_rresp(s_rresp),
        .c_rvalid(c_rvalid), .c_rresp(c_rresp), .r_held(m_rheld),
        .c_aw({m_awaddr, m_awlen, m_awsize}), .c_awvalid(c_awvalid), .c_awready(c_awready),
        .m_awvalid(s_awvalid), .m_awready(s_awready), .m_bvalid(s_bvalid), .m_bresp(s_bresp),
        .c_bvalid(c_bvalid), .c_bresp(c_bresp), .c_bready(m_bready), .b_held(m_bheld)
    );
    fault_gate segment2_gate (
        .clk(clk_fabric), .rst(rst_fabric),
        .kind(BOARD == 0 && fault_memory_now == 2'd1 ? fault_kind_now : 3'd0),
        .readers(fault_readers_now), .writers(fault_writers_now),
        .read_owner(chip.memory_system.reads.owner[8:5]), .answer_owner(answers_segment2),
        .fired(fired[0]),
        .c_ar({l_araddr, l_arlen, l_arsize}), .c_arvalid(k_arvalid), .c_arready(k_arready),
        .m_arvalid(l_arvalid), .m_arready(l_arready), .m_rvalid(l_rvalid), .m_rlast(l_rlast), .m_rresp(l_rresp),
        .c_rvalid(k_rvalid), .c_rresp(k_rresp), .r_held(l_rheld),
        .c_aw({l_awaddr, l_awlen, l_awsize}), .c_awvalid(k_awvalid), .c_awready(k_awready),
        .m_awvalid(l_awvalid), .m_awready(l_awready), .m_bvalid(l_bvalid), .m_bresp(l_bresp),
        .c_bvalid(k_bvalid), .c_bresp(k_bresp), .c_bready(l_bready), .b_held(l_bheld)
    );
    assign fault_fired    = |fired;
    assign node_resetting = {chip.paging_node.resetting, chip.render_node.resetting};

    // ------------------------------------------------------------------ rings, as written to the nodes
    genvar n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : ring
            always @(posedge clk)
                if (chip.reg_write[2+n]) begin
                    if (chip.reg_offset == NODE_RING_BASE_OFFSET) ring_base[16*n +: 16] <= chip.reg_wdata[15:0];
                    if (chip.reg_offset == NODE_RING_SIZE_OFFSET) ring_size[16*n +: 16] <= chip.reg_wdata[15:0];
                end
        end
    endgenerate
    // ------------------------------------------------------------------ what needs the next edge
    // A node stirs while it is written, fetches, executes or moves, or its guard does. It is still while it has halted,
    // has nothing to do, or waits for a fence that is not reached; its counters go on.
    wire render_still = chip.render_node.is_halted || (chip.render_node.is_quiet && !chip.render_node.busy)
                     || (chip.render_node.is_waiting && !chip.render_node.execute.passes);
    wire render_stirs = rst_now || chip.reg_write[2] || !render_still || chip.render_node.resetting
                     || !chip.render_node.mover_idle || chip.render_node.failed || chip.render_node.probe_begin
                     || chip.render_node.probe_end || chip.render_node.restart || chip.render_node.fetch_req
                     || chip.render_node.fetch.coming != 0
                     || (chip.render_node.word_valid && chip.render_node.word_ready)
                     || chip.render_node.data.grants.hold || chip.render_node.data.touch_busy;
    wire paging_still = chip.paging_node.is_halted || (chip.paging_node.is_quiet && !chip.paging_node.busy)
                     || (chip.paging_node.is_waiting && !chip.paging_node.execute.passes);
    wire paging_stirs = rst_now || chip.reg_write[3] || !paging_still || chip.paging_node.resetting
                     || !chip.paging_node.mover_idle || chip.paging_node.failed || chip.paging_node.probe_begin
                     || chip.paging_node.probe_end || chip.paging_node.restart || chip.paging_node.fetch_req
                     || chip.paging_node.fetch.coming != 0
                     || (chip.paging_node.word_valid && chip.paging_node.word_ready)
                     || chip.paging_node.data.grants.hold || chip.paging_node.data.touch_busy;
    // The fabric, with the memories behind it, stirs while a burst is asked for or not answered, while the aperture's
    // table is written and while a memory misbehaves.
    wire reads_stir  = |chip.memory_system.r_arvalid || chip.memory_system.reads.master[0].outstanding != 0
                    || chip.memory_system.reads.master[1].outstanding != 0
                    || chip.memory_system.reads.master[2].outstanding != 0
                    || chip.memory_system.reads.master[3].outstanding != 0
                    || chip.memory_system.d_arvalid || chip.memory_system.reads.master[4].outstanding != 0;
    wire writes_stir = |chip.memory_system.w_awvalid || |chip.memory_system.w_wvalid
                    || chip.memory_system.writes.master[0].outstanding != 0
                    || chip.memory_system.writes.master[1].outstanding != 0
                    || chip.memory_system.writes.master[2].outstanding != 0;
    wire table_stirs = chip.reg_write[4] || |chip.map_valid || chip.memory_system.table_of_pages.sweeping;
    wire fabric_stirs = rst_now || chip.d_urgent || chip.d_reserve || reads_stir || writes_stir || table_stirs
                     || fault_kind_now != 3'd0 || fault_fired;
    sleep render_sleep (.clk(clk), .stirs(render_stirs), .awake(awake[0]));
    sleep paging_sleep (.clk(clk), .stirs(paging_stirs), .awake(awake[1]));
    // The display, while it is written, shows frames, fetches or has flips to take; none while it is off stirs it.
    wire display_stirs = rst_now || chip.reg_write[8] || pixel_on || chip.memory_system.d_arvalid
                      || chip.memory_system.reads.master[4].outstanding != 0 || chip.display_makes;
    sleep fabric_sleep (.clk(clk), .stirs(fabric_stirs), .awake(awake[2]));
    sleep display_sleep (.clk(clk), .stirs(display_stirs), .awake(awake[3]));

    wire unused = &{1'b0, f_araddr, f_arlen, f_arvalid, sdram_clk, l_arburst, l_awburst, d_hsync, l_urgent};
endmodule
`default_nettype wire
