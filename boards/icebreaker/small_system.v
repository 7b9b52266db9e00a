// SPDX-License-Identifier: Apache-2.0
//
// The largest part of Tessera that an iCE40 UP5K holds: the control core in its smallest configuration, the mover with
// rows and fills, local memory and the host's wire, without a vendor's primitive. What is missing of the chip, and
// why, is in docs/boards.md; the program on the core (boards/icebreaker/program) does the paging node's work.
//
//   wire (UART) -- wire_bridge --+-- small_registers --- mover command, answer
//                                +-- small_memory ------ RAM of 64 bits (outside)
//   core -- core memory, small_registers, small_memory -- mover
//
// The core's addresses are the chip's: ADDR_TCM, ADDR_SEGMENT1, ADDR_REGISTERS.
`default_nettype none

module small_system #(
    parameter CLOCK_HZ  = 6000000,
    parameter WIRE_IDLE = CLOCK_HZ / 10,
    parameter [31:0] BAUD_STEP = 32'd715827883,  // baud / CLOCK_HZ * 2**32: 1 Mbit/s
    parameter TCM_INIT  = ""                     // hexadecimal words that core memory starts with
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        uart_rx,
    output wire        uart_tx,

    output wire [13:0] ram_word,                 // as in small_memory.v
    output wire [7:0]  ram_write,
    output wire [63:0] ram_wdata,
    input  wire [63:0] ram_rdata,

    output wire        received,                 // for the lights
    output wire        core_held,
    output wire        busy,
    output wire        failed
);
`include "gpu_spec.vh"
    localparam ADDRESS_BITS = 18;
    localparam TCM_WORDS = 1024, LOCAL_BYTES = 131072;
    localparam [31:0] BASE = LIMIT_ADDR_SEGMENT1;

    // ------------------------------------------------------------------ core
    wire        i_req, i_gnt, d_req, d_we, d_loads;
    wire [31:0] i_addr, d_addr, d_store_addr, d_load_addr, d_wdata;
    wire [3:0]  d_be, d_store_be;
    reg         i_rvalid, i_err, d_rvalid, d_err;
    reg  [31:0] d_rdata, tcm_rdata;
    wire [31:0] pc, result, retire_pc;
    wire [63:0] instret;
    wire        retire_valid, stopped, debug_busy, debug_failed, fence_i;
    wire [2:0]  reason;
    wire [1:0]  index;
    core #(
        .COMPRESSED(0), .MULTIPLY(0), .SHIFTER(0), .PREDICT(0), .COUNTERS(0), .TRAP_VALUES(0), .PMP_REGIONS(0),
        .DEBUG(0)
    ) control_core (
        .clk(clk), .rst(core_held),
        .i_req(i_req), .i_gnt(i_gnt), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(tcm_rdata), .i_err(i_err),
        .d_req(d_req), .d_gnt(1'b1), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_store_addr(d_store_addr), .d_store_be(d_store_be), .d_load_addr(d_load_addr), .d_loads(d_loads),
        .d_rvalid(d_rvalid), .d_frees(d_rvalid && !d_err), .d_rdata(d_rdata), .d_err(d_err),
        .irq_software(1'b0), .irq_timer(1'b0), .irq_external(1'b0), .irq_platform(3'd0),
        .fence_i(fence_i),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .instret(instret), .time_now(64'd0),
        .debug_halt(1'b0), .debug_on_ebreak(1'b0), .debug_resume(1'b0), .debug_step(1'b0), .debug_write_pc(1'b0),
        .debug_run(1'b0), .debug_data(32'd0), .debug_breaks(128'd0), .debug_watches(64'd0), .debug_stopped(stopped),
        .debug_busy(debug_busy), .debug_failed(debug_failed), .debug_reason(reason), .debug_index(index),
        .debug_pc(pc), .debug_result(result)
    );

    // ------------------------------------------------------------------ where its data port ends
    localparam [1:0] FROM_TCM = 2'd0, FROM_REGISTERS = 2'd1, FROM_MEMORY = 2'd2;
    wire [3:0]  space       = d_addr[31:28];
    wire        is_tcm      = space == LIMIT_ADDR_TCM[31:28];
    wire        is_register = space == LIMIT_ADDR_REGISTERS[31:28];
    wire        is_memory   = space == LIMIT_ADDR_SEGMENT1[31:28];
    wire [31:0] register_rdata, memory_rdata;
    reg  [1:0]  from;
    always @(posedge clk) begin
        d_rvalid <= d_req && !core_held;
        d_err    <= !(is_tcm && d_addr[27:12] == 16'd0 || is_memory && d_addr[27:17] == 11'd0 ||
                      is_register && d_addr[27:12] == 16'd0 && (!d_we || (&d_be)));
        from     <= is_tcm ? FROM_TCM : is_register ? FROM_REGISTERS : FROM_MEMORY;
    end
    always @(*)
        case (from)
            FROM_TCM:       d_rdata = tcm_rdata;
            FROM_REGISTERS: d_rdata = register_rdata;
            default:        d_rdata = memory_rdata;
        endcase

    // ------------------------------------------------------------------ core memory: one port reads, one writes
    wire        load_write;
    wire [11:0] load_address;
    wire [31:0] load_wdata;
    (* no_rw_check *) // a program that changes what it executes says FENCE.I
    reg  [31:0] tcm [0:TCM_WORDS-1];
    generate
        if (TCM_INIT != "") begin : initialised
            initial $readmemh(TCM_INIT, tcm);
        end
    endgenerate
    wire        d_reads_tcm = d_req && is_tcm && !d_we;
    wire        d_stores    = d_req && is_tcm && d_we && d_addr[27:12] == 16'd0;
    wire [3:0]  tcm_write   = core_held ? {4{load_write}} : d_be & {4{d_stores}};
    wire [9:0]  tcm_at      = core_held ? load_address[11:2] : d_addr[11:2];
    wire [31:0] tcm_wdata   = core_held ? load_wdata : d_wdata;
    wire [9:0]  tcm_look    = d_reads_tcm ? d_addr[11:2] : i_addr[11:2];
    assign i_gnt = !d_reads_tcm;
    always @(posedge clk) begin
        i_rvalid <= i_req && i_gnt && !core_held;
        i_err    <= i_addr[31:12] != 20'd0;
        tcm_rdata <= tcm[tcm_look];
        if (tcm_write[0]) tcm[tcm_at][7:0]   <= tcm_wdata[7:0];
        if (tcm_write[1]) tcm[tcm_at][15:8]  <= tcm_wdata[15:8];
        if (tcm_write[2]) tcm[tcm_at][23:16] <= tcm_wdata[23:16];
        if (tcm_write[3]) tcm[tcm_at][31:24] <= tcm_wdata[31:24];
    end

    // ------------------------------------------------------------------ the host's wire
    wire        listening, send, send_ready, board_write;
    wire [7:0]  received_byte, send_byte, board_offset;
    wire [31:0] board_wdata, wire_address;
    wire [11:0] h_awaddr, h_araddr;
    wire [31:0] h_wdata;
    wire        h_awvalid, h_awready, h_wvalid, h_bvalid, h_arvalid, h_arready, h_rvalid;
    wire        m_awvalid, m_awready, m_wvalid, m_bvalid, m_arvalid, m_arready, m_rvalid;
    wire [63:0] m_wdata, memory_data;
    wire [7:0]  m_wstrb;
    uart #(.STEP(BAUD_STEP)) serial (
        .clk(clk), .rst(rst), .rx(uart_rx), .tx(uart_tx), .received(received), .received_byte(received_byte),
        .send(send), .send_byte(send_byte), .send_ready(send_ready)
    );
    wire_bridge #(.IDLE(WIRE_IDLE)) bridge (
        .clk(clk), .rst(rst), .received(received), .received_byte(received_byte), .listening(listening),
        .send(send), .send_byte(send_byte), .send_ready(send_ready),
        .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready), .h_wdata(h_wdata), .h_wvalid(h_wvalid),
        .h_wready(h_awready), .h_bvalid(h_bvalid), .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready),
        .h_rdata(register_rdata), .h_rvalid(h_rvalid),
        .board_write(board_write), .board_offset(board_offset), .board_wdata(board_wdata), .board_rdata(board_rdata),
        .m_address(wire_address), .m_awvalid(m_awvalid), .m_awready(m_awready), .m_wdata(m_wdata),
        .m_wstrb(m_wstrb), .m_wvalid(m_wvalid), .m_wready(m_awready), .m_bvalid(m_bvalid),
        .m_arvalid(m_arvalid), .m_arready(m_arready), .m_rdata(memory_data), .m_rvalid(m_rvalid)
    );
    reg [31:0] board_rdata;
    always @(*)
        case (board_offset)
            BOARD_ID_OFFSET:           board_rdata = BOARD_ID_RESET;
            BOARD_STATUS_OFFSET:       board_rdata = 32'd1 << BOARD_STATUS_MEMORY_READY_LSB;
            BOARD_CLOCK_HZ_OFFSET:     board_rdata = CLOCK_HZ;
            BOARD_SYSTEM_BYTES_OFFSET: board_rdata = LOCAL_BYTES;
            default:                   board_rdata = 32'd0;
        endcase

    // ------------------------------------------------------------------ registers, mover, memory
    wire [ADDRESS_BITS-1:0] source, target, row_bytes;
    wire [7:0]  rows;
    wire [11:0] source_pitch, target_pitch;
    wire [31:0] pattern, done_address;
    wire        is_fill, cmd_valid, cmd_ready, done_valid;
    wire [7:0]  done_fault, done_tag;
    small_registers #(.ADDRESS_BITS(ADDRESS_BITS)) registers (
        .clk(clk), .rst(rst),
        .c_req(d_req && is_register), .c_we(d_we), .c_address(d_addr[11:0]), .c_wdata(d_wdata),
        .h_awvalid(h_awvalid), .h_awready(h_awready), .h_awaddr(h_awaddr), .h_wdata(h_wdata), .h_bvalid(h_bvalid),
        .h_arvalid(h_arvalid), .h_arready(h_arready), .h_araddr(h_araddr), .h_rvalid(h_rvalid), .rdata(register_rdata),
        .core_held(core_held), .load_write(load_write), .load_address(load_address), .load_wdata(load_wdata),
        .source(source), .target(target), .row_bytes(row_bytes), .rows(rows), .source_pitch(source_pitch),
        .target_pitch(target_pitch), .pattern(pattern), .is_fill(is_fill), .cmd_valid(cmd_valid),
        .cmd_ready(cmd_ready), .done_valid(done_valid), .done_fault(done_fault), .done_address(done_address),
        .busy(busy), .failed(failed)
    );

    wire [31:0] s_araddr, w_awaddr, t_araddr;
    wire [7:0]  s_arlen, w_awlen, t_arlen, w_wstrb;
    wire [2:0]  s_arsize, w_awsize, t_arsize;
    wire [1:0]  s_arburst, w_awburst, t_arburst;
    wire        s_aruser, s_arvalid, s_arready, s_rvalid, s_rlast, s_rerror, s_rready;
    wire        t_aruser, t_arvalid, t_rready, idle, stall_read, stall_write, stall_drain;
    wire        w_awuser, w_awvalid, w_awready, w_wlast, w_wvalid, w_wready, w_bvalid, w_berror, w_bready;
    wire [63:0] w_wdata;
    wire        load_done;
    wire [7:0]  load_fault;
    wire [31:0] load_failed_address;
    mover #(.FILLS(1), .ROWS(1), .REVERSE(0), .TILES(0), .PIXELS(0)) engine (
        .clk(clk), .rst(rst), .abort(core_held), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op({3'd0, is_fill}),
        .cmd_source({BASE[31:ADDRESS_BITS], source}), .cmd_target({BASE[31:ADDRESS_BITS], target}),
        .cmd_row_bytes({{32-ADDRESS_BITS{1'b0}}, row_bytes}), .cmd_rows({8'd0, rows}),
        .cmd_source_pitch({4'd0, source_pitch}), .cmd_target_pitch({4'd0, target_pitch}), .cmd_reverse(1'b0),
        .cmd_barrier(1'b0), .cmd_pattern(pattern), .cmd_units(16'd0), .cmd_mode(3'd0), .cmd_source_format(3'd0),
        .cmd_mask(8'd0), .cmd_target_format(3'd0), .cmd_premultiplied(1'b0), .cmd_keyed(1'b0), .cmd_coloured(1'b0),
        .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(8'd0), .cmd_user(1'b0),
        .cmd_mapped(1'b0), .cmd_sampling(3'd0), .map_push(1'b0), .map_word(32'd0),
        .load_start(1'b0), .load_source(24'd0), .load_done(load_done), .load_fault(load_fault),
        .load_address(load_failed_address),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arburst(s_arburst), .s_aruser(s_aruser),
        .s_arvalid(s_arvalid), .s_arready(s_arready), .s_rdata(memory_data), .s_rresp({s_rerror, 1'b0}),
        .s_rlast(s_rlast), .s_rvalid(s_rvalid), .s_rready(s_rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(1'b0), .t_rvalid(1'b0),
        .t_rready(t_rready),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awburst(w_awburst), .w_awuser(w_awuser),
        .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast),
        .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp({w_berror, 1'b0}), .w_bvalid(w_bvalid), .w_bready(w_bready)
    );

    small_memory #(.BASE(BASE), .LOG2_WORDS(14)) memory (
        .clk(clk), .rst(rst),
        .c_req(d_req && is_memory && d_addr[27:17] == 11'd0), .c_write(d_be & {4{d_we}}), .c_address(d_addr[16:0]),
        .c_wdata(d_wdata), .c_rdata(memory_rdata),
        .h_address(wire_address[16:0]), .h_awvalid(m_awvalid), .h_awready(m_awready), .h_wdata(m_wdata[31:0]),
        .h_bvalid(m_bvalid), .h_arvalid(m_arvalid), .h_arready(m_arready), .h_rvalid(m_rvalid),
        .r_araddr(s_araddr), .r_arlen(s_arlen[4:0]), .r_arvalid(s_arvalid), .r_arready(s_arready), .r_rvalid(s_rvalid),
        .r_rlast(s_rlast), .r_rerror(s_rerror), .w_awaddr(w_awaddr), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bvalid(w_bvalid), .w_berror(w_berror), .w_bready(w_bready), .rdata(memory_data),
        .ram_word(ram_word), .ram_write(ram_write), .ram_wdata(ram_wdata), .ram_rdata(ram_rdata)
    );

    wire unused = &{1'b0, fence_i,
                    pc, result, retire_pc, instret, retire_valid, stopped, debug_busy, debug_failed, reason,
                    index, listening, h_wvalid, m_wvalid, m_wstrb, m_wdata[63:32], wire_address[31:17], board_write,
                    board_wdata, done_tag, s_arlen[7:5], s_arsize, s_arburst, s_aruser, s_rready, t_araddr, t_arlen,
                    load_done, load_fault, load_failed_address,
                    t_arsize, t_arburst, t_aruser, t_arvalid, t_rready, idle, stall_read, stall_write, stall_drain,
                    w_awlen, w_awsize, w_awburst, w_awuser, load_address[1:0], i_addr[1:0], d_store_addr, d_store_be,
                    d_load_addr, d_loads};
endmodule
`default_nettype wire
