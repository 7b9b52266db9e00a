// SPDX-License-Identifier: Apache-2.0
//
// One engine node: fetches ring words from command RAM, executes packets in order, drives one mover.
//
//   command RAM -> node_fetch -> node_packet -> node_execute -> node_data ----------------> memory
//                  (prefetch)    (assembly)     (checks,        (mover, actions at the head,
//                                                order,          guard: pages that an unprivileged
//                                                bindings)       RUN may touch)
//                                                     \-> node_retire: HEAD, FENCE, faults, in order
//   node_regs: what software sets and reads; node_counters: where the cycles went
//
// Packets start and complete in order; several mover commands are in flight. An error halts the node with code,
// address, packet offset and word 0, after everything before it has completed. Software may rely on this:
//
//   FENCE       is also a barrier for what follows it
//   waits       GUARD, MAP, UNMAP, TOUCH and lists wait for everything before them
//   words       while PAUSED, or idle without ENABLE, nothing fetched is kept: words after HEAD may be rewritten
//   RESET       unbinds all slots, keeps FENCE, IRQ and the grants
//   lists       COPY_LIST, MAP_LIST: pages before one that stops them are complete, later ones are untouched. A list is
//               read in blocks of 16 aligned bytes and must not overlap what its packet writes
//   BAD_OPERAND   a draw past its surface's BYTES; a list on the render node
//   NODE 1      the paging node has no pixel path: it refuses BLIT except COPY between equal formats, and FILL_RECT of
//               RGB888; its t_ channel is silent
`default_nettype none

module node #(
    parameter NODE           = 0,     // 0 render, 1 paging
    parameter DATA_WIDTH     = 64,    // memory bus, bits
    parameter COMMAND_BYTES  = 65536, // command RAM, at most 2^COMMAND_WIDTH: RUN ranges outside it are refused
    parameter COMMAND_WIDTH  = 16,    // bits of a byte offset in it, 16 to 18; the ring lies in its first 64 KB
    parameter APERTURE_PAGES = 1024,  // MAP and UNMAP ranges outside it are refused
    parameter LOG2_BURSTS    = 6      // of the mover's bursts in flight on each channel
) (
    input  wire                    clk,
`ifdef GPU_CLOCKS
    input  wire                    clk_counters, // clk's edges and those that were left out of it (sim/sleep.v)
`endif
    input  wire                    rst,

    // Registers of block NODE. A write happens in the one cycle of reg_write. reg_rdata is combinational
    // from reg_offset (byte offset in the block); reads have no side effect; unknown offsets read zero.
    input  wire                    reg_write,
    input  wire [7:0]              reg_offset,
    input  wire [31:0]             reg_wdata,
    output wire [31:0]             reg_rdata,
    // Level: any bit of IRQ set.
    output wire                    irq,

    // Command words. A request is taken in a cycle with fetch_gnt (which may depend on fetch_req); its word
    // arrives with fetch_rvalid, in order, any number of cycles later. Address: byte offset, word aligned.
    output wire                    fetch_req,
    input  wire                    fetch_gnt,
    output wire [COMMAND_WIDTH-1:0] fetch_address,
    input  wire                    fetch_rvalid,
    input  wire [31:0]             fetch_rdata,

    // This node's FENCE register, and the other node's for WAIT_FENCE.
    output wire [31:0]             fence,
    input  wire [31:0]             other_fence,

    // Aperture table: held with map_valid until map_ready, which says that all entries are written.
    output wire                    map_valid,
    input  wire                    map_ready,
    output wire [15:0]             map_first,
    output wire [15:0]             map_count,
    output wire [19:0]             map_frame,
    output wire                    map_increment, // entry i points at map_frame + i, else all at map_frame
    output wire                    map_mapped,
    output wire                    map_coherent,

    // AXI4 reads of the source: INCR bursts inside one 4 KiB page, one id, data always taken at once.
    output wire [31:0]             s_araddr,
    output wire [7:0]              s_arlen,
    output wire [2:0]              s_arsize,
    output wire                    s_arvalid,
    input  wire                    s_arready,
    input  wire [DATA_WIDTH-1:0]   s_rdata,
    input  wire [1:0]              s_rresp,
    input  wire                    s_rlast,
    input  wire                    s_rvalid,

    // AXI4 reads of the target (blending, raster operations); the same rules.
    output wire [31:0]             t_araddr,
    output wire [7:0]              t_arlen,
    output wire [2:0]              t_arsize,
    output wire                    t_arvalid,
    input  wire                    t_arready,
    input  wire [DATA_WIDTH-1:0]   t_rdata,
    input  wire [1:0]              t_rresp,
    input  wire                    t_rlast,
    input  wire                    t_rvalid,

    // AXI4 writes: INCR bursts inside one 4 KiB page; data of a burst never before its address was taken.
    output wire [31:0]             w_awaddr,
    output wire [7:0]              w_awlen,
    output wire [2:0]              w_awsize,
    output wire                    w_awvalid,
    input  wire                    w_awready,
    output wire [DATA_WIDTH-1:0]   w_wdata,
    output wire [DATA_WIDTH/8-1:0] w_wstrb,
    output wire                    w_wlast,
    output wire                    w_wvalid,
    input  wire                    w_wready,
    input  wire [1:0]              w_bresp,
    input  wire                    w_bvalid,
    output wire                    w_bready,

    // Timeline: one-cycle pulses, never both in one cycle. A packet begins when everything before it has
    // completed; packets of a RUN begin and end between the RUN's own begin and end.
    output wire                    probe_begin,
    output wire                    probe_end,
    output wire [COMMAND_WIDTH-1:0] probe_offset, // of the packet that begins: byte offset in command RAM
    output wire [7:0]              probe_opcode
);
`include "config.vh"
`ifndef GPU_CLOCKS
    wire clk_counters = clk;
`endif

    // ------------------------------------------------------------------ registers
    wire        enable, pause, resetting, fence_write;
    wire [15:0] ring_base;
    wire [3:0]  ring_size;
    wire [31:0] tail, head;
    wire [19:0] page_bound;
    wire [7:0]  error;
    wire [31:0] error_address, error_word, counter;
    wire [COMMAND_WIDTH-1:0] error_packet;
    wire        busy, is_halted, is_waiting, is_paused;
    wire        reset_done, halts, fence_interrupt;
    node_regs #(.COMMAND_WIDTH(COMMAND_WIDTH)) registers (
        .clk             (clk),
        .rst             (rst),
        .reg_write       (reg_write),
        .reg_offset      (reg_offset),
        .reg_wdata       (reg_wdata),
        .reg_rdata       (reg_rdata),
        .irq             (irq),
        .enable          (enable),
        .pause           (pause),
        .resetting       (resetting),
        .reset_done      (reset_done),
        .ring_base       (ring_base),
        .ring_size       (ring_size),
        .tail            (tail),
        .page_bound      (page_bound),
        .fence_write     (fence_write),
        .halts           (halts),
        .fence_interrupt (fence_interrupt),
        .busy            (busy),
        .is_halted       (is_halted),
        .is_waiting      (is_waiting),
        .is_paused       (is_paused),
        .head            (head),
        .fence           (fence),
        .error           (error),
        .error_address   (error_address),
        .error_packet    (error_packet),
        .error_word      (error_word),
        .counter         (counter)
    );

    // ------------------------------------------------------------------ words and packets
    wire         restart, fetch_enable;
    wire [COMMAND_WIDTH-2:0] restart_words;
    wire [COMMAND_WIDTH-1:0] restart_offset;
    wire [31:0]  restart_index;
    wire         word_valid, word_ready, word_in_run, word_run_last;
    wire [31:0]  word;
    wire [COMMAND_WIDTH-1:0] word_offset;
    node_fetch #(.COMMAND_WIDTH(COMMAND_WIDTH)) fetch (
        .clk            (clk),
        .rst            (rst),
        .enable         (fetch_enable),
        .ring_base      (ring_base),
        .ring_size      (ring_size),
        .tail           (tail),
        .restart        (restart),
        .restart_words  (restart_words),
        .restart_offset (restart_offset),
        .restart_index  (restart_index),
        .fetch_req      (fetch_req),
        .fetch_gnt      (fetch_gnt),
        .fetch_address  (fetch_address),
        .fetch_rvalid   (fetch_rvalid),
        .fetch_rdata    (fetch_rdata),
        .word_valid     (word_valid),
        .word_ready     (word_ready),
        .word           (word),
        .word_offset    (word_offset),
        .word_in_run    (word_in_run),
        .word_run_last  (word_run_last)
    );

    wire         packet_valid, packet_ready, packet_in_run, packet_run_last, packet_truncated;
    wire [191:0] packet;
    wire [3:0]   packet_words;
    wire [COMMAND_WIDTH-1:0] packet_offset;
    wire [2:0]   rest_index;
    wire [31:0]  rest_word;
    node_packet #(.NODE(NODE), .COMMAND_WIDTH(COMMAND_WIDTH)) assembly (
        .clk              (clk),
        .rst              (rst),
        .restart          (restart),
        .word_valid       (word_valid),
        .word_ready       (word_ready),
        .word             (word),
        .word_offset      (word_offset),
        .word_in_run      (word_in_run),
        .word_run_last    (word_run_last),
        .packet_valid     (packet_valid),
        .packet_ready     (packet_ready),
        .packet           (packet),
        .packet_words     (packet_words),
        .packet_offset    (packet_offset),
        .packet_in_run    (packet_in_run),
        .packet_run_last  (packet_run_last),
        .packet_truncated (packet_truncated),
        .rest_index       (rest_index),
        .rest_word        (rest_word)
    );

    // ------------------------------------------------------------------ execution
    wire        put_valid, put_ready, put_opens_run, put_ends_run, put_interrupt;
    wire [1:0]  put_kind;
    wire [3:0]  put_ring_words;
    wire [COMMAND_WIDTH-1:0] put_offset, head_offset;
    wire [31:0] put_word, head_word, failed_address;
    wire [7:0]  put_opcode, failed_code;
    wire        retire_empty, execute_at_head, execute_done, failed, clear;
    wire        act_start, act_cancel, acting, act_is_firm, act_done, act_has_failed;
    wire [7:0]  act_failed_code;
    wire [31:0] act_failed_address;
    wire        abort, mover_idle, cmd_valid, cmd_ready;
    wire [3:0]  cmd_op;
    wire [31:0] cmd_source, cmd_target, cmd_row_bytes, cmd_pattern;
    wire [15:0] cmd_rows, cmd_source_pitch, cmd_target_pitch;
    wire [2:0]  cmd_mode, cmd_source_format, cmd_target_format;
    wire [7:0]  cmd_mask;
    wire        cmd_reverse, cmd_barrier, cmd_premultiplied, cmd_user, cmd_mapped, affine_push;
    wire [2:0]  cmd_sampling;
    wire        cmd_keyed, cmd_coloured;
    wire [23:0] cmd_key;
    wire [15:0] cmd_units;
    wire [7:0]  cmd_rop, cmd_tag;
    wire        in_run, is_quiet, is_draining, is_starved;
    wire        stop = pause || !enable;
    node_execute #(
        .NODE(NODE), .COMMAND_BYTES(COMMAND_BYTES), .COMMAND_WIDTH(COMMAND_WIDTH), .APERTURE_PAGES(APERTURE_PAGES)
    ) execute (
        .clk                  (clk),
        .rst                  (rst),
        .stop                 (stop),
        .reset                (resetting),
        .reset_done           (reset_done),
        .tail                 (tail),
        .fetch_enable         (fetch_enable),
        .in_run               (in_run),
        .is_quiet             (is_quiet),
        .is_waiting           (is_waiting),
        .is_draining          (is_draining),
        .is_halted            (is_halted),
        .is_starved           (is_starved),
        .packet_valid         (packet_valid),
        .packet_ready         (packet_ready),
        .packet               (packet),
        .packet_words         (packet_words),
        .packet_offset        (packet_offset),
        .packet_in_run        (packet_in_run),
        .packet_run_last      (packet_run_last),
        .packet_truncated     (packet_truncated),
        .rest_index           (rest_index),
        .rest_word            (rest_word),
        .restart              (restart),
        .restart_words        (restart_words),
        .restart_offset       (restart_offset),
        .restart_index        (restart_index),
        .put_valid            (put_valid),
        .put_ready            (put_ready),
        .put_kind             (put_kind),
        .put_opens_run        (put_opens_run),
        .put_ends_run         (put_ends_run),
        .put_interrupt        (put_interrupt),
        .put_ring_words       (put_ring_words),
        .put_offset           (put_offset),
        .put_word             (put_word),
        .put_opcode           (put_opcode),
        .retire_empty         (retire_empty),
        .execute_at_head      (execute_at_head),
        .execute_done         (execute_done),
        .failed               (failed),
        .failed_code          (failed_code),
        .failed_address       (failed_address),
        .head_offset          (head_offset),
        .head_word            (head_word),
        .clear                (clear),
        .halts                (halts),
        .error                (error),
        .error_address        (error_address),
        .error_packet         (error_packet),
        .error_word           (error_word),
        .other_fence          (other_fence),
        .act_start            (act_start),
        .act_cancel           (act_cancel),
        .acting               (acting),
        .act_is_firm          (act_is_firm),
        .act_done             (act_done),
        .act_has_failed       (act_has_failed),
        .act_failed_code      (act_failed_code),
        .act_failed_address   (act_failed_address),
        .mover_abort          (abort),
        .mover_idle           (mover_idle),
        .cmd_valid            (cmd_valid),
        .cmd_ready            (cmd_ready),
        .cmd_op               (cmd_op),
        .cmd_source           (cmd_source),
        .cmd_target           (cmd_target),
        .cmd_row_bytes        (cmd_row_bytes),
        .cmd_rows             (cmd_rows),
        .cmd_source_pitch     (cmd_source_pitch),
        .cmd_target_pitch     (cmd_target_pitch),
        .cmd_reverse          (cmd_reverse),
        .cmd_barrier          (cmd_barrier),
        .cmd_pattern          (cmd_pattern),
        .cmd_mode             (cmd_mode),
        .cmd_source_format    (cmd_source_format),
        .cmd_target_format    (cmd_target_format),
        .cmd_mask             (cmd_mask),
        .cmd_premultiplied    (cmd_premultiplied),
        .cmd_keyed            (cmd_keyed),
        .cmd_coloured         (cmd_coloured),
        .cmd_rop              (cmd_rop),
        .cmd_key              (cmd_key),
        .cmd_units            (cmd_units),
        .cmd_user             (cmd_user),
        .cmd_mapped           (cmd_mapped),
        .cmd_sampling         (cmd_sampling),
        .affine_push          (affine_push)
    );

    wire        done_valid;
    wire [7:0]  done_tag, done_fault;
    wire [31:0] done_address;
    wire        packet_leaves;
    node_retire #(.COMMAND_WIDTH(COMMAND_WIDTH)) retire (
        .clk             (clk),
        .rst             (rst),
        .clear           (clear),
        .tail            (tail),
        .put_valid       (put_valid),
        .put_ready       (put_ready),
        .put_kind        (put_kind),
        .put_opens_run   (put_opens_run),
        .put_ends_run    (put_ends_run),
        .put_interrupt   (put_interrupt),
        .put_ring_words  (put_ring_words),
        .put_offset      (put_offset),
        .put_word        (put_word),
        .put_opcode      (put_opcode),
        .empty           (retire_empty),
        .tag             (cmd_tag),
        .done_valid      (done_valid),
        .done_tag        (done_tag),
        .done_fault      (done_fault),
        .done_address    (done_address),
        .execute_at_head (execute_at_head),
        .execute_done    (execute_done),
        .failed          (failed),
        .failed_code     (failed_code),
        .failed_address  (failed_address),
        .head_offset     (head_offset),
        .head_word       (head_word),
        .head            (head),
        .fence           (fence),
        .fence_write     (fence_write),
        .fence_wdata     (reg_wdata),
        .fence_interrupt (fence_interrupt),
        .packet_leaves   (packet_leaves),
        .probe_begin     (probe_begin),
        .probe_end       (probe_end),
        .probe_offset    (probe_offset),
        .probe_opcode    (probe_opcode)
    );
    assign is_paused = pause && is_quiet && !in_run;
    assign busy      = !is_halted && (!is_quiet || in_run || (!stop && head != tail));

    // ------------------------------------------------------------------ data
    wire stall_read, stall_write, stall_drain, w_is_local;
    node_data #(
        .NODE(NODE), .DATA_WIDTH(DATA_WIDTH),
        .LOG2_BURSTS(LOG2_BURSTS)
    ) data (
        .clk                  (clk),
        .rst                  (rst),
        .abort                (abort),
        .mover_idle           (mover_idle),
        .cmd_valid            (cmd_valid),
        .cmd_ready            (cmd_ready),
        .cmd_op               (cmd_op),
        .cmd_source           (cmd_source),
        .cmd_target           (cmd_target),
        .cmd_row_bytes        (cmd_row_bytes),
        .cmd_rows             (cmd_rows),
        .cmd_source_pitch     (cmd_source_pitch),
        .cmd_target_pitch     (cmd_target_pitch),
        .cmd_reverse          (cmd_reverse),
        .cmd_barrier          (cmd_barrier),
        .cmd_pattern          (cmd_pattern),
        .cmd_mode             (cmd_mode),
        .cmd_source_format    (cmd_source_format),
        .cmd_target_format    (cmd_target_format),
        .cmd_mask             (cmd_mask),
        .cmd_premultiplied    (cmd_premultiplied),
        .cmd_keyed            (cmd_keyed),
        .cmd_coloured         (cmd_coloured),
        .cmd_rop              (cmd_rop),
        .cmd_key              (cmd_key),
        .cmd_units            (cmd_units),
        .cmd_tag              (cmd_tag),
        .cmd_user             (cmd_user),
        .cmd_mapped           (cmd_mapped),
        .cmd_sampling         (cmd_sampling),
        .affine_push          (affine_push),
        .affine_word          (rest_word),
        .done_valid           (done_valid),
        .done_tag             (done_tag),
        .done_fault           (done_fault),
        .done_address         (done_address),
        .stall_read           (stall_read),
        .stall_write          (stall_write),
        .stall_drain          (stall_drain),
        .act_start            (act_start),
        .act_cancel           (act_cancel),
        .packet               (packet[127:0]),
        .acting               (acting),
        .act_is_firm          (act_is_firm),
        .act_done             (act_done),
        .act_has_failed       (act_has_failed),
        .act_failed_code      (act_failed_code),
        .act_failed_address   (act_failed_address),
        .page_bound           (page_bound),
        .map_valid            (map_valid),
        .map_ready            (map_ready),
        .map_first            (map_first),
        .map_count            (map_count),
        .map_frame            (map_frame),
        .map_increment        (map_increment),
        .map_mapped           (map_mapped),
        .map_coherent         (map_coherent),
        .s_araddr             (s_araddr),
        .s_arlen              (s_arlen),
        .s_arsize             (s_arsize),
        .s_arvalid            (s_arvalid),
        .s_arready            (s_arready),
        .s_rdata              (s_rdata),
        .s_rresp              (s_rresp),
        .s_rlast              (s_rlast),
        .s_rvalid             (s_rvalid),
        .t_araddr             (t_araddr),
        .t_arlen              (t_arlen),
        .t_arsize             (t_arsize),
        .t_arvalid            (t_arvalid),
        .t_arready            (t_arready),
        .t_rdata              (t_rdata),
        .t_rresp              (t_rresp),
        .t_rlast              (t_rlast),
        .t_rvalid             (t_rvalid),
        .w_awaddr             (w_awaddr),
        .w_awlen              (w_awlen),
        .w_awsize             (w_awsize),
        .w_awvalid            (w_awvalid),
        .w_awready            (w_awready),
        .w_wdata              (w_wdata),
        .w_wstrb              (w_wstrb),
        .w_wlast              (w_wlast),
        .w_wvalid             (w_wvalid),
        .w_wready             (w_wready),
        .w_bresp              (w_bresp),
        .w_bvalid             (w_bvalid),
        .w_bready             (w_bready),
        .w_is_local           (w_is_local)
    );

    // ------------------------------------------------------------------ counters
    node_counters #(.DATA_WIDTH(DATA_WIDTH)) counters (
        .clk         (clk_counters),
        .rst         (rst),
        .packet      (packet_leaves),
        .busy        (busy),
        .stall_fetch (busy && is_starved),
        .stall_fence (is_waiting),
        .stall_read  (busy && stall_read),
        .stall_write (busy && stall_write),
        .stall_drain (busy && (stall_drain || is_draining)),
        .s_araddr    (s_araddr),
        .s_arlen     (s_arlen),
        .s_arsize    (s_arsize),
        .s_taken     (s_arvalid && s_arready),
        .t_araddr    (t_araddr),
        .t_arlen     (t_arlen),
        .t_arsize    (t_arsize),
        .t_taken     (t_arvalid && t_arready),
        .w_strobes   (w_wstrb),
        .w_is_local  (w_is_local),
        .w_taken     (w_wvalid && w_wready),
        .offset      (reg_offset),
        .value       (counter)
    );
endmodule

`default_nettype wire
