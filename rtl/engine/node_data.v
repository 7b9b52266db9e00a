// SPDX-License-Identifier: Apache-2.0
//
// What a node does with memory: the mover's commands, one after the other, and the actions that run alone
// (node_actions.v). TOUCH and page lists read in parallel to the mover. The guard is between all of them and memory.
`default_nettype none

module node_data #(
    parameter NODE       = 0,
    parameter DATA_WIDTH = 64,
    parameter LOG2_BURSTS = 6 // likewise
) (
    input  wire                    clk,
    input  wire                    rst,

    // Mover commands and completions; see mover.v.
    input  wire                    abort,
    output reg                     mover_idle, // and no list is walked, a cycle ago
    input  wire                    cmd_valid,
    output wire                    cmd_ready,
    input  wire [3:0]              cmd_op,
    input  wire [31:0]             cmd_source,
    input  wire [31:0]             cmd_target,
    input  wire [31:0]             cmd_row_bytes,
    input  wire [15:0]             cmd_rows,
    input  wire [15:0]             cmd_source_pitch,
    input  wire [15:0]             cmd_target_pitch,
    input  wire                    cmd_reverse,
    input  wire                    cmd_barrier,
    input  wire [31:0]             cmd_pattern,
    input  wire [2:0]              cmd_mode,
    input  wire [2:0]              cmd_source_format,
    input  wire [2:0]              cmd_target_format,
    input  wire [7:0]              cmd_mask,
    input  wire                    cmd_premultiplied,
    input  wire                    cmd_keyed,
    input  wire                    cmd_coloured,
    input  wire [7:0]              cmd_rop,
    input  wire [23:0]             cmd_key,
    input  wire [15:0]             cmd_units,
    input  wire [7:0]              cmd_tag,
    input  wire                    cmd_user,
    input  wire                    cmd_mapped,
    input  wire [2:0]              cmd_sampling,
    input  wire                    affine_push,
    input  wire [31:0]             affine_word,
    output wire                    done_valid,
    output wire [7:0]              done_tag,
    output wire [7:0]              done_fault,
    output wire [31:0]             done_address,
    output wire                    stall_read,
    output wire                    stall_write,
    output wire                    stall_drain,

    // What is carried out at the head of the queue; see node_actions.v. The mover is idle at the start of a walk and
    // works for the walk alone; its completions are not shown.
    input  wire                    act_start,
    input  wire                    act_cancel,
    input  wire [127:0]            packet,
    output wire                    acting,
    output wire                    act_is_firm,
    output wire                    act_done,
    output wire                    act_has_failed,
    output wire [7:0]              act_failed_code,
    output wire [31:0]             act_failed_address,
    input  wire [19:0]             page_bound, // of the aperture's frames; see node_list.v

    // Aperture table; see node.v.
    output wire                    map_valid,
    input  wire                    map_ready,
    output wire [15:0]             map_first,
    output wire [15:0]             map_count,
    output wire [19:0]             map_frame,
    output wire                    map_increment,
    output wire                    map_mapped,
    output wire                    map_coherent,

    // Memory; see node.v.
    output wire [31:0]             s_araddr,
    output wire [7:0]              s_arlen,
    output wire [2:0]              s_arsize,
    output wire                    s_arvalid,
    input  wire                    s_arready,
    input  wire [DATA_WIDTH-1:0]   s_rdata,
    input  wire [1:0]              s_rresp,
    input  wire                    s_rlast,
    input  wire                    s_rvalid,
    output wire [31:0]             t_araddr,
    output wire [7:0]              t_arlen,
    output wire [2:0]              t_arsize,
    output wire                    t_arvalid,
    input  wire                    t_arready,
    input  wire [DATA_WIDTH-1:0]   t_rdata,
    input  wire [1:0]              t_rresp,
    input  wire                    t_rlast,
    input  wire                    t_rvalid,
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
    // The write burst whose data passes now goes to segment 1 or 2.
    output wire                    w_is_local
);
`include "gpu_spec.vh"
`include "config.vh"
    // ------------------------------------------------------------------ between mover and guard
    wire [31:0]             source_araddr, target_araddr, write_awaddr;
    wire [7:0]              source_arlen, target_arlen, write_awlen;
    wire [2:0]              source_arsize, target_arsize, write_awsize;
    wire [1:0]              source_arburst, target_arburst, write_awburst;
    wire                    source_aruser, target_aruser, write_awuser;
    wire                    source_arvalid, source_arready, target_arvalid, target_arready;
    wire                    write_awvalid, write_awready;
    wire [DATA_WIDTH-1:0]   source_rdata, target_rdata, write_wdata;
    wire [DATA_WIDTH/8-1:0] write_wstrb;
    wire [1:0]              source_rresp, target_rresp, write_bresp;
    wire                    source_rlast, source_rvalid, source_rready, target_rlast, target_rvalid, target_rready;
    wire                    write_wlast, write_wvalid, write_wready, write_bvalid, write_bready;

    // ------------------------------------------------------------------ actions
    wire        guard_valid, guard_ready, guard_read, guard_write;
    wire [13:0] guard_first, guard_count;
    wire        palette_start, palette_done;
    wire [7:0]  palette_fault;
    wire [31:0] palette_failed_address;
    wire        touch_start, touch_done, touch_has_failed;
    wire [31:0] touch_address, touch_failed_address;
    wire [3:0]  touch_bytes;
    wire        list_start, list_done, list_has_failed, list_map_valid;
    wire [31:0] list_failed_address;
    wire [7:0]  list_failed_code;
    wire [15:0] list_map_first;
    wire [19:0] list_map_frame;
    node_actions #(.NODE(NODE)) actions (
        .clk                  (clk),
        .rst                  (rst),
        .start                (act_start),
        .cancel               (act_cancel),
        .packet               (packet),
        .acting               (acting),
        .is_firm              (act_is_firm),
        .done                 (act_done),
        .has_failed           (act_has_failed),
        .failed_code          (act_failed_code),
        .failed_address       (act_failed_address),
        .guard_valid          (guard_valid),
        .guard_ready          (guard_ready),
        .guard_first          (guard_first),
        .guard_count          (guard_count),
        .guard_read           (guard_read),
        .guard_write          (guard_write),
        .map_valid            (map_valid),
        .map_ready            (map_ready),
        .map_first            (map_first),
        .map_count            (map_count),
        .map_frame            (map_frame),
        .map_increment        (map_increment),
        .map_mapped           (map_mapped),
        .map_coherent         (map_coherent),
        .palette_start        (palette_start),
        .palette_done         (palette_done),
        .palette_fault        (palette_fault),
        .palette_failed_address (palette_failed_address),
        .touch_start          (touch_start),
        .touch_address        (touch_address),
        .touch_bytes          (touch_bytes),
        .touch_done           (touch_done),
        .touch_has_failed     (touch_has_failed),
        .touch_failed_address (touch_failed_address),
        .list_start           (list_start),
        .list_done            (list_done),
        .list_has_failed      (list_has_failed),
        .list_failed_code     (list_failed_code),
        .list_failed_address  (list_failed_address),
        .list_map_valid       (list_map_valid),
        .list_map_first       (list_map_first),
        .list_map_frame       (list_map_frame)
    );

    // ------------------------------------------------------------------ TOUCH
    // Reads borrow the source channel of the idle mover.
    wire        touch_busy, touch_arvalid;
    wire [31:0] touch_araddr;
    node_touch #(.DATA_WIDTH(DATA_WIDTH)) touch (
        .clk            (clk),
        .rst            (rst),
        .start          (touch_start),
        .address        (touch_address),
        .bytes          (touch_bytes),
        .done           (touch_done),
        .has_failed     (touch_has_failed),
        .failed_address (touch_failed_address),
        .busy           (touch_busy),
        .araddr         (touch_araddr),
        .arvalid        (touch_arvalid),
        .arready        (source_arready),
        .rresp          (source_rresp),
        .rlast          (source_rlast),
        .rvalid         (source_rvalid)
    );

    // ------------------------------------------------------------------ page lists
    // Reads of a list go between the mover's.
    wire                  list_arvalid, list_arready, list_rvalid, is_list, asks_source, mover_arready, mover_rvalid;
    wire [31:0]           list_araddr, list_source, list_target;
    wire [7:0]            list_arlen;
    wire [12:0]           list_bytes;
    wire                  list_idle, list_cmd_valid, list_moves, moved_valid;
    generate if (NODE == 1) begin : lists
        // From the start of a walk to its end, or until the mover has forgotten what it was given for it.
        reg walking;
        always @(posedge clk)
            if (rst || list_done || (abort && mover_idle)) walking <= 1'b0;
            else if (list_start)                           walking <= 1'b1;
        assign list_moves = walking;
        node_list #(.DATA_WIDTH(DATA_WIDTH)) walk (
            .clk            (clk),
            .rst            (rst),
            .start          (list_start),
            .is_copy        (packet[7:0] == PKT_COPY_LIST),
            .to_system      (packet[PKT_COPY_LIST_TO_SYSTEM_LSB]),
            .place          (packet[63:32]),
            .extent         (packet[95:64]),
            .first          (packet[127:96]),
            .bound          (page_bound),
            .done           (list_done),
            .has_failed     (list_has_failed),
            .failed_code    (list_failed_code),
            .failed_address (list_failed_address),
            .forget         (abort),
            .idle           (list_idle),
            .araddr         (list_araddr),
            .arlen          (list_arlen),
            .arvalid        (list_arvalid),
            .arready        (list_arready),
            .rdata          (source_rdata),
            .rresp          (source_rresp),
            .rlast          (source_rlast),
            .rvalid         (list_rvalid),
            .cmd_valid      (list_cmd_valid),
            .cmd_ready      (cmd_ready),
            .cmd_source     (list_source),
            .cmd_target     (list_target),
            .cmd_bytes      (list_bytes),
            .moved_valid    (moved_valid && list_moves),
            .moved_fault    (done_fault),
            .moved_address  (done_address),
            .map_valid      (list_map_valid),
            .map_ready      (map_ready),
            .map_first      (list_map_first),
            .map_frame      (list_map_frame)
        );
        node_share share (
            .clk           (clk),
            .rst           (rst),
            .mover_arvalid (source_arvalid),
            .mover_arready (mover_arready),
            .mover_rvalid  (mover_rvalid),
            .list_arvalid  (list_arvalid),
            .list_arready  (list_arready),
            .list_rvalid   (list_rvalid),
            .is_list       (is_list),
            .arvalid       (asks_source),
            .arready       (source_arready && !touch_busy),
            .rlast         (source_rlast),
            .rvalid        (source_rvalid && !touch_busy)
        );
    end else begin : no_lists
        assign {list_done, list_has_failed, list_map_valid, list_arvalid, list_moves, list_cmd_valid, is_list} = 7'd0;
        assign {list_failed_code, list_failed_address, list_map_first, list_map_frame} = 76'd0;
        assign {list_araddr, list_arlen, list_source, list_target, list_bytes} = 117'd0;
        assign list_idle     = 1'b1;
        assign asks_source   = source_arvalid;
        assign mover_arready = source_arready && !touch_busy;
        assign mover_rvalid  = source_rvalid && !touch_busy;
        assign {list_arready, list_rvalid} = 2'b00;
        wire unused = &{1'b0, list_start, page_bound, list_arready, list_rvalid, list_arvalid,
                        1'b0};
    end endgenerate
    assign done_valid = moved_valid && !list_moves;

    // ------------------------------------------------------------------ the command offered
    // It waits for the mover in a register, so what makes it of a packet and what cuts it into bursts are two cycles.
    wire         post_ready, moves_idle;
    wire         post_valid = posted && !abort;
    wire [95:0]  moves_what = list_moves ? {list_source, list_target, 19'd0, list_bytes}
                                         : {cmd_source, cmd_target, cmd_row_bytes};
    wire [262:0] offered = {cmd_op, moves_what, cmd_rows, cmd_source_pitch, cmd_target_pitch, cmd_reverse, cmd_barrier,
                            cmd_pattern, cmd_mode, cmd_source_format, cmd_target_format, cmd_premultiplied, cmd_keyed,
                            cmd_coloured, cmd_rop, cmd_key, cmd_units, cmd_tag, cmd_user, cmd_mapped, cmd_sampling,
                            cmd_mask};
    wire [3:0]   post_op;
    wire [31:0]  post_source, post_target, post_row_bytes, post_pattern;
    wire [15:0]  post_rows, post_source_pitch, post_target_pitch, post_units;
    wire [2:0]   post_mode, post_source_format, post_target_format;
    wire         post_reverse, post_barrier, post_premultiplied, post_keyed, post_coloured, post_user;
    wire         post_mapped;
    wire [2:0]   post_sampling;
    wire [7:0]   post_rop, post_tag, post_mask;
    wire [23:0]  post_key;
    reg          posted;
    reg  [262:0] post;
    assign {post_op, post_source, post_target, post_row_bytes, post_rows, post_source_pitch, post_target_pitch,
            post_reverse, post_barrier, post_pattern, post_mode, post_source_format, post_target_format,
            post_premultiplied, post_keyed, post_coloured, post_rop, post_key, post_units, post_tag,
            post_user, post_mapped, post_sampling, post_mask} = post;
    assign cmd_ready  = !posted;
    // Late it still tells all: whoever looks has offered no command since, or holds abort.
    always @(posedge clk) mover_idle <= moves_idle && !posted && list_idle;
    always @(posedge clk) begin
        if (rst || abort) posted <= 1'b0;
        else              posted <= posted ? !post_ready : cmd_valid || list_cmd_valid;
        if (!posted) post <= offered;
    end

    // ------------------------------------------------------------------ mover
    mover #(
        .DATA_WIDTH(DATA_WIDTH), .ROWS(1), .PIXELS(NODE == 0 ? 1 : 0), .LOG2_BURSTS(LOG2_BURSTS)
    ) moves (
        .clk               (clk),
        .rst               (rst),
        .abort             (abort),
        .idle              (moves_idle),
        .cmd_valid         (post_valid),
        .cmd_ready         (post_ready),
        .cmd_op            (post_op),
        .cmd_source        (post_source),
        .cmd_target        (post_target),
        .cmd_row_bytes     (post_row_bytes),
        .cmd_rows          (post_rows),
        .cmd_source_pitch  (post_source_pitch),
        .cmd_target_pitch  (post_target_pitch),
        .cmd_reverse       (post_reverse),
        .cmd_barrier       (post_barrier),
        .cmd_pattern       (post_pattern),
        .cmd_mode          (post_mode),
        .cmd_source_format (post_source_format),
        .cmd_mask          (post_mask),
        .cmd_target_format (post_target_format),
        .cmd_premultiplied (post_premultiplied),
        .cmd_keyed         (post_keyed),
        .cmd_coloured      (post_coloured),
        .cmd_rop           (post_rop),
        .cmd_key           (post_key),
        .cmd_units         (post_units),
        .cmd_tag           (post_tag),
        .cmd_user          (post_user),
        .cmd_mapped        (post_mapped),
        .cmd_sampling      (post_sampling),
        .map_push          (affine_push),
        .map_word          (affine_word),
        .load_start        (palette_start),
        .load_source       (packet[63:40]),
        .load_done         (palette_done),
        .load_fault        (palette_fault),
        .load_address      (palette_failed_address),
        .done_valid        (moved_valid),
        .done_tag          (done_tag),
        .done_fault        (done_fault),
        .done_address      (done_address),
        .stall_read        (stall_read),
        .stall_write       (stall_write),
        .stall_drain       (stall_drain),
        .s_araddr          (source_araddr),
        .s_arlen           (source_arlen),
        .s_arsize          (source_arsize),
        .s_arburst         (source_arburst),
        .s_aruser          (source_aruser),
        .s_arvalid         (source_arvalid),
        .s_arready         (mover_arready),
        .s_rdata           (source_rdata),
        .s_rresp           (source_rresp),
        .s_rlast           (source_rlast),
        .s_rvalid          (mover_rvalid),
        .s_rready          (source_rready),
        .t_araddr          (target_araddr),
        .t_arlen           (target_arlen),
        .t_arsize          (target_arsize),
        .t_arburst         (target_arburst),
        .t_aruser          (target_aruser),
        .t_arvalid         (target_arvalid),
        .t_arready         (target_arready),
        .t_rdata           (target_rdata),
        .t_rresp           (target_rresp),
        .t_rlast           (target_rlast),
        .t_rvalid          (target_rvalid),
        .t_rready          (target_rready),
        .w_awaddr          (write_awaddr),
        .w_awlen           (write_awlen),
        .w_awsize          (write_awsize),
        .w_awburst         (write_awburst),
        .w_awuser          (write_awuser),
        .w_awvalid         (write_awvalid),
        .w_awready         (write_awready),
        .w_wdata           (write_wdata),
        .w_wstrb           (write_wstrb),
        .w_wlast           (write_wlast),
        .w_wvalid          (write_wvalid),
        .w_wready          (write_wready),
        .w_bresp           (write_bresp),
        .w_bvalid          (write_bvalid),
        .w_bready          (write_bready)
    );

    // ------------------------------------------------------------------ guard
    localparam WORD_LOG2 = $clog2(DATA_WIDTH / 8);
    wire [2:0] word_size = WORD_LOG2[2:0];
    guard #(.DATA_WIDTH(DATA_WIDTH)) grants (
        .clk          (clk),
        .rst          (rst),
        .set_valid    (guard_valid),
        .set_ready    (guard_ready),
        .set_first    (guard_first),
        .set_count    (guard_count),
        .set_read     (guard_read),
        .set_write    (guard_write),
        .in_s_araddr  (touch_busy ? touch_araddr : is_list ? list_araddr : source_araddr),
        .in_s_arlen   (touch_busy ? 8'd0 : is_list ? list_arlen : source_arlen),
        .in_s_arsize  (touch_busy || is_list ? word_size : source_arsize),
        .in_s_aruser  (!touch_busy && !is_list && source_aruser),
        .in_s_arvalid (touch_busy ? touch_arvalid : asks_source),
        .in_s_arready (source_arready),
        .in_s_rdata   (source_rdata),
        .in_s_rresp   (source_rresp),
        .in_s_rlast   (source_rlast),
        .in_s_rvalid  (source_rvalid),
        .in_t_araddr  (target_araddr),
        .in_t_arlen   (target_arlen),
        .in_t_arsize  (target_arsize),
        .in_t_aruser  (target_aruser),
        .in_t_arvalid (target_arvalid),
        .in_t_arready (target_arready),
        .in_t_rdata   (target_rdata),
        .in_t_rresp   (target_rresp),
        .in_t_rlast   (target_rlast),
        .in_t_rvalid  (target_rvalid),
        .in_w_awaddr  (write_awaddr),
        .in_w_awlen   (write_awlen),
        .in_w_awsize  (write_awsize),
        .in_w_awuser  (write_awuser),
        .in_w_awvalid (write_awvalid),
        .in_w_awready (write_awready),
        .in_w_wdata   (write_wdata),
        .in_w_wstrb   (write_wstrb),
        .in_w_wlast   (write_wlast),
        .in_w_wvalid  (write_wvalid),
        .in_w_wready  (write_wready),
        .in_w_bresp   (write_bresp),
        .in_w_bvalid  (write_bvalid),
        .in_w_bready  (write_bready),
        .s_araddr     (s_araddr),
        .s_arlen      (s_arlen),
        .s_arsize     (s_arsize),
        .s_arvalid    (s_arvalid),
        .s_arready    (s_arready),
        .s_rdata      (s_rdata),
        .s_rresp      (s_rresp),
        .s_rlast      (s_rlast),
        .s_rvalid     (s_rvalid),
        .t_araddr     (t_araddr),
        .t_arlen      (t_arlen),
        .t_arsize     (t_arsize),
        .t_arvalid    (t_arvalid),
        .t_arready    (t_arready),
        .t_rdata      (t_rdata),
        .t_rresp      (t_rresp),
        .t_rlast      (t_rlast),
        .t_rvalid     (t_rvalid),
        .w_awaddr     (w_awaddr),
        .w_awlen      (w_awlen),
        .w_awsize     (w_awsize),
        .w_awvalid    (w_awvalid),
        .w_awready    (w_awready),
        .w_wdata      (w_wdata),
        .w_wstrb      (w_wstrb),
        .w_wlast      (w_wlast),
        .w_wvalid     (w_wvalid),
        .w_wready     (w_wready),
        .w_bresp      (w_bresp),
        .w_bvalid     (w_bvalid),
        .w_bready     (w_bready),
        .w_is_local   (w_is_local)
    );

    wire unused = &{1'b0, source_arburst, target_arburst, write_awburst, source_rready, target_rready, 1'b0};

`ifdef GPU_ASSERT
    // The mover stays idle while a TOUCH uses its channel, and always takes read data.
    always @(posedge clk) if (!rst) begin
        assert (!touch_busy || !asks_source);
        assert (source_rready && target_rready);
        // A walk gives the mover commands only while it lasts, and ends after them.
        assert (!list_cmd_valid || list_moves);
        assert (!list_done || !(posted || list_cmd_valid));
    end
`endif
endmodule

`default_nettype wire
