// SPDX-License-Identifier: Apache-2.0
//
// Every command is cut into finitely many bursts, told apart and ended as mover_stream.v takes for granted. By
// induction: unbounded in time and in the command.
//
// The mover with its real mover_pieces and both cutters; what takes the bursts (mover_read, mover_write) is cut off:
// it takes them when it likes, and is idle when it likes. Commands are any that node_check.v lets pass whose rows do
// not wrap at 4 GiB, one after the other. Then
//   - every step of the walk lowers a number, and nothing else moves it: follows[0]. With mover_cutter_formal.v,
//     which says the same of the bursts of a piece, a command has finitely many bursts;
//   - a command that passed the gates offers a burst or steps by itself, and of a piece each half that is not taken is
//     offered, so the side that lags behind the other is: follows[1], [2]; a step ends both halves: follows[3];
//   - the halves hold the same bytes (tiles: 8 pieces of one side those of one of the other), in lanes and with
//     marks as mover_fit.v has them: follows[4] to [6];
//   - reverse chunks, fills and the command's end are told by the bursts they end in: follows[7] to [11].
`default_nettype none

module mover_walk (
    input wire        clk,
    input wire        cmd_valid_any
);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    // ------------------------------------------------------------------ the command: any that the node lets pass
    (* anyseq *) wire         cmd_reverse, cmd_barrier, cmd_premultiplied, cmd_keyed, cmd_coloured;
    (* anyseq *) wire [3:0]   cmd_op;
    (* anyseq *) wire [2:0]   cmd_mode, cmd_source_format, cmd_target_format;
    (* anyseq *) wire [31:0]  cmd_source, cmd_target, cmd_row_bytes;
    (* anyseq *) wire [15:0]  cmd_rows, cmd_source_pitch, cmd_target_pitch, cmd_units;
    wire          cmd_ready;
    wire          cmd_valid = cmd_valid_any && !rst;
    wire [177:0]  command = {cmd_reverse, cmd_barrier, cmd_premultiplied, cmd_keyed, cmd_coloured, cmd_op, cmd_mode,
                             cmd_source_format, cmd_target_format, cmd_source, cmd_target, cmd_row_bytes, cmd_rows,
                             cmd_source_pitch, cmd_target_pitch, cmd_units};
    reg           waits = 1'b0;
    reg  [177:0]  command_d1;
    always @(posedge clk) begin
        waits      <= cmd_valid && !cmd_ready;
        command_d1 <= command;
    end
    always @(*) if (waits) assume (cmd_valid && command == command_d1); // it stands until it is taken
    wire         is_tile = cmd_op == 4'd3, is_untile = cmd_op == 4'd4;
    wire [31:0]  tiled   = is_tile ? cmd_target : cmd_source, linear = is_tile ? cmd_source : cmd_target;
    always @(*) begin
        if (is_tile || is_untile)                                       // node_check.v
            assume (cmd_row_bytes[31:16] == 16'd0 && cmd_row_bytes[4:0] == 5'd0 && cmd_rows[2:0] == 3'd0
                 && tiled[7:0] == 8'd0 && linear[2:0] == 3'd0
                 && (is_tile ? cmd_source_pitch[2:0] == 3'd0 : cmd_target_pitch[2:0] == 3'd0));
        assume (cmd_op != 4'd2 || cmd_units != 16'd0 || cmd_row_bytes == 32'd0); // a row of pixels has some
    end

    // ------------------------------------------------------------------ the mover, cut off after the two cutters
    wire [31:0] s_araddr, w_awaddr, t_araddr, done_address;
    wire [7:0]  s_arlen, w_awlen, w_wstrb, t_arlen, done_tag, done_fault;
    wire [2:0]  s_arsize, w_awsize, t_arsize;
    wire [1:0]  s_arburst, w_awburst, t_arburst;
    wire [63:0] w_wdata;
    wire        s_aruser, s_arvalid, s_rready, w_awuser, w_awvalid, w_wlast, w_wvalid, w_bready, t_aruser, t_arvalid;
    wire        t_rready, stall_read, stall_write, stall_drain, done_valid, idle;
    mover #(.PIXELS(0)) mover (
        .clk(clk), .rst(rst), .abort(1'b0), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(cmd_op), .cmd_source(cmd_source),
        .cmd_target(cmd_target), .cmd_row_bytes(cmd_row_bytes), .cmd_rows(cmd_rows),
        .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch), .cmd_reverse(cmd_reverse),
        .cmd_barrier(cmd_barrier), .cmd_pattern(32'd0), .cmd_units(cmd_units), .cmd_mode(cmd_mode),
        .cmd_source_format(cmd_source_format), .cmd_mask(8'd0), .cmd_target_format(cmd_target_format),
        .cmd_premultiplied(cmd_premultiplied), .cmd_keyed(cmd_keyed),
        .cmd_coloured(cmd_coloured), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(8'd0), .cmd_user(1'b0),
        .cmd_mapped(1'b0), .cmd_sampling(3'd0), .map_push(1'b0), .map_word(32'd0),
        .load_start(1'b0), .load_source(24'd0),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arburst(s_arburst), .s_aruser(s_aruser),
        .s_arvalid(s_arvalid), .s_arready(1'b0), .s_rdata(64'd0), .s_rresp(2'd0), .s_rlast(1'b0),
        .s_rvalid(1'b0), .s_rready(s_rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(1'b0), .t_rvalid(1'b0),
        .t_rready(t_rready),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awburst(w_awburst), .w_awuser(w_awuser),
        .w_awvalid(w_awvalid), .w_awready(1'b0), .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast),
        .w_wvalid(w_wvalid), .w_wready(1'b0), .w_bresp(2'd0), .w_bvalid(1'b0), .w_bready(w_bready)
    );

    // What the write half says of itself changes only when it is given a burst (mover_stream.v, follows[4]).
    (* hierconn *) wire        \mover.write.idle ;
    (* hierconn *) wire        \mover.fills_full ;
    reg was_idle = 1'b0, had_room = 1'b0;
    always @(*) assume ((!was_idle || \mover.write.idle ) && (!had_room || !\mover.fills_full ));

    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire        \mover.drop ;
    (* hierconn *) wire        \mover.is_special ;
    (* hierconn *) wire        \mover.is_reverse ;
    (* hierconn *) wire        \mover.offer ;
    (* hierconn *) wire        \mover.first_taken ;
    (* hierconn *) wire        \mover.started ;
    (* hierconn *) wire        \mover.sb_busy ;
    (* hierconn *) wire        \mover.sb_head ;
    (* hierconn *) wire        \mover.sb_tail ;
    (* hierconn *) wire        \mover.tb_tail ;
    (* hierconn *) wire        \mover.sb_spill ;
    (* hierconn *) wire        \mover.pieces.source_ready ;
    (* hierconn *) wire        \mover.pieces.target_ready ;
    (* hierconn *) wire        \mover.pieces.source_end ;
    (* hierconn *) wire        \mover.tb_busy ;
    (* hierconn *) wire        \mover.source_read.burst_valid ;
    (* hierconn *) wire        \mover.source_read.burst_ready ;
    (* hierconn *) wire [4:0]  \mover.source_read.burst_beats ;
    (* hierconn *) wire [8:0]  \mover.source_read.burst_bytes ;
    (* hierconn *) wire        \mover.source_read.burst_prime ;
    (* hierconn *) wire        \mover.source_read.burst_flush ;
    (* hierconn *) wire        \mover.source_read.burst_chunk_end ;
    (* hierconn *) wire        \mover.write.burst_valid ;
    (* hierconn *) wire        \mover.write.burst_ready ;
    (* hierconn *) wire [4:0]  \mover.write.burst_beats ;
    (* hierconn *) wire [2:0]  \mover.write.burst_first ;
    (* hierconn *) wire [2:0]  \mover.write.burst_last ;
    (* hierconn *) wire        \mover.write.burst_void ;
    (* hierconn *) wire        \mover.write.burst_end ;
    (* hierconn *) wire        \mover.write.burst_fill ;
    (* hierconn *) wire        \mover.write.burst_reverse ;
    (* hierconn *) wire        \mover.write.burst_chunk_end ;
    (* hierconn *) wire [31:8] \mover.source_cutter.block ;
    (* hierconn *) wire        \mover.source_cutter.block_is_last ;
    (* hierconn *) wire [31:8] \mover.target_cutter.block ;
    (* hierconn *) wire        \mover.target_cutter.block_is_last ;
    (* hierconn *) wire        \mover.pieces.cmd_valid ;
    (* hierconn *) wire        \mover.pieces.step ;
    (* hierconn *) wire        \mover.is_known ;
    (* hierconn *) wire [8:0]  \mover.write.burst_bytes ;
    (* hierconn *) wire [11:0] \mover.command.kind ;
    (* hierconn *) wire [11:0] \mover.command.kind_found ;
    (* hierconn *) wire [66:0] \mover.command.extents ;
    (* hierconn *) wire [66:0] \mover.command.extents_found ;
    (* hierconn *) wire        \mover.pieces.piece_valid ;
    (* hierconn *) wire        \mover.pieces.target_end ;
    (* hierconn *) wire        \mover.pieces.piece_void ;
    (* hierconn *) wire        \mover.pieces.has_source ;
    (* hierconn *) wire        \mover.pieces.has_target ;
    (* hierconn *) wire        \mover.pieces.source_taken ;
    (* hierconn *) wire        \mover.pieces.target_taken ;
    (* hierconn *) wire        \mover.pieces.source_offer ;
    (* hierconn *) wire        \mover.pieces.target_offer ;
    (* hierconn *) wire [31:0] \mover.pieces.source_first ;
    (* hierconn *) wire [31:0] \mover.pieces.source_last ;
    (* hierconn *) wire [31:0] \mover.pieces.target_first ;
    (* hierconn *) wire [31:0] \mover.pieces.target_last ;
    (* hierconn *) wire [31:0] \mover.pieces.extent ;
    (* hierconn *) wire [31:0] \mover.pieces.source_extent ;
    (* hierconn *) wire        \mover.pieces.walk.moved ;
    (* hierconn *) wire        \mover.pieces.walk.seeking ;
    (* hierconn *) wire        \mover.pieces.walk.start_reverse ;
    (* hierconn *) wire [31:0] \mover.pieces.walk.source_row ;
    (* hierconn *) wire [31:0] \mover.pieces.walk.target_row ;
    (* hierconn *) wire [15:0] \mover.pieces.walk.rows_left ;
    (* hierconn *) wire [31:0] \mover.pieces.walk.chunks.left ;
    (* hierconn *) wire        \mover.pieces.walk.chunks.cut ;
    (* hierconn *) wire        \mover.pieces.walk.chunks.cut_is_row ;
    (* hierconn *) wire [31:0] \mover.pieces.walk.chunks.cut_start ;
    (* hierconn *) wire [7:0]  \mover.pieces.walk.chunks.cut_extent ;
    (* hierconn *) wire [2:0]  \mover.pieces.walk.tiling.row ;
    (* hierconn *) wire [10:0] \mover.pieces.walk.tiling.tiles_left ;
    (* hierconn *) wire [10:0] \mover.pieces.walk.tiling.tiles_now ;
    (* hierconn *) wire [20:0] \mover.pieces.walk.tiling.next_tile ;
    (* hierconn *) wire [20:0] \mover.pieces.walk.tiling.next_band ;
    (* hierconn *) wire        \mover.pieces.walk.tile_done ;

    wire        any_tile = is_tile || is_untile;
    wire        moved    = \mover.pieces.walk.moved ;
    wire        seeking  = \mover.pieces.walk.seeking ;
    wire        step     = \mover.pieces.step ;
    wire        is_void  = \mover.pieces.piece_void ;
    wire        is_fill  = cmd_op == 4'd1;
    wire        backward = \mover.is_reverse  && !is_void;
    wire [31:0] source_at = \mover.pieces.walk.source_row , target_at = \mover.pieces.walk.target_row ;
    wire [31:0] source_extent = !any_tile ? \mover.pieces.source_extent  : is_tile ? 32'd31 : 32'd255;
    wire [31:0] target_extent = !any_tile ? \mover.pieces.extent  : is_tile ? 32'd255 : 32'd31;
    // No row wraps at 4 GiB.
    always @(*) if (waits && !is_void && !seeking)
        assume ((is_fill || source_at <= ~source_extent) && target_at <= ~target_extent);

    // ------------------------------------------------------------------ what the cutters are given, and give
    wire [31:0] sf = \mover.pieces.source_first , sl = \mover.pieces.source_last ;
    wire [31:0] tf = \mover.pieces.target_first , tl = \mover.pieces.target_last ;
    wire        sb_busy = \mover.sb_busy , tb_busy = \mover.tb_busy ;
    wire        sb_head = \mover.sb_head , sb_tail = \mover.sb_tail , tb_tail = \mover.tb_tail ;
    wire        source_taken = \mover.pieces.source_taken , target_taken = \mover.pieces.target_taken ;
    wire        source_offer = \mover.pieces.source_offer , target_offer = \mover.pieces.target_offer ;
    wire        issue = \mover.source_read.burst_valid  && \mover.source_read.burst_ready ;
    wire        put   = \mover.write.burst_valid  && \mover.write.burst_ready ;
    wire        is_put_void = \mover.write.burst_void ;
    wire        prime = \mover.source_read.burst_prime , flush = \mover.source_read.burst_flush ;
    wire [2:0]  goal  = \mover.is_special  ? 3'd0 : tf[2:0];
    wire [2:0]  shift = goal - sf[2:0];
    wire [2:0]  tile_row = moved ? \mover.pieces.walk.tiling.row  : 3'd0;
    reg         source_waits = 1'b0, target_waits = 1'b0, lags = 1'b0;
    reg  [63:0] source_d1, target_d1;
    always @(posedge clk) if (!rst) begin
        was_idle     <= \mover.write.idle  && !put;
        had_room     <= !\mover.fills_full  && !put;
        source_waits <= source_offer && !\mover.pieces.source_ready ;
        target_waits <= target_offer && !\mover.pieces.target_ready ;
        source_d1    <= {sf, sl};
        target_d1    <= {tf, tl};
        if (issue) lags <= prime && !flush && \mover.source_read.burst_beats  == 5'd0; // made no beat
    end

    // What is left of the walk: falls with every step.
    wire [1:0]  phase = backward ? {!moved, seeking && moved} : 2'd0;
    wire [31:0] inner = any_tile ? {18'd0, \mover.pieces.walk.tiling.tiles_now , ~tile_row}
                      : backward && moved && !seeking ? \mover.pieces.walk.chunks.left  : 32'd0;
    wire        cuts  = backward && moved && !seeking && !\mover.pieces.walk.chunks.cut ;
    wire [50:0] rank  = {phase, \mover.pieces.walk.rows_left , inner, cuts};
    wire        moves = step || seeking || cuts || \mover.pieces.walk.start_reverse ;
    reg  [50:0] rank_d1;
    reg         moves_d1, known_d1;   // the command stood in registers
    always @(posedge clk) {rank_d1, moves_d1, known_d1} <= {rank, moves, waits};

    reg filling = 1'b0, fill_open = 1'b0, ended = 1'b0;
    wire put_fill_end = put && !is_put_void && \mover.write.burst_fill  && \mover.write.burst_end ;
    wire fill_begins  = \mover.first_taken  && is_fill;
    always @(posedge clk) if (!rst) begin
        if (put && !is_put_void) filling <= \mover.write.burst_fill  && !\mover.write.burst_end ;
        fill_open <= (fill_open || fill_begins) && !put_fill_end;
        ended     <= (ended || (put && \mover.write.burst_end )) && !cmd_ready;
    end

    wire        at_rest = !moved && !seeking && !source_taken && !target_taken && !sb_busy && !tb_busy;
    wire [15:0] rows_left = \mover.pieces.walk.rows_left ;
    wire [31:0] left      = \mover.pieces.walk.chunks.left ;
    wire [7:0]  room      = \mover.pieces.walk.target_row [7:0] + left[7:0];
    wire        is_row    = left <= {24'd0, room};
    (* keep *) wire [15:0] state;
    assign state[0] = rst ? !(filling || fill_open || ended || waits || source_waits || target_waits || lags || was_idle
                            || had_room)
                          : !\mover.drop ;
    assign state[1] = rst || waits || (at_rest && !filling && !fill_open && !ended);
    assign state[2] = rst || !(source_taken || target_taken)
                   || (waits && \mover.pieces.piece_valid  && (!source_taken || \mover.pieces.has_source )
                    && (!target_taken || \mover.pieces.has_target ));
    assign state[3] = rst || ended == (waits && \mover.pieces.target_end
                                    && (target_taken || (is_tile && tile_row != 3'd0)));
    // The walk.
    assign state[4] = rst || !waits || !moved || (!is_void && rows_left != 16'd0 && rows_left <= cmd_rows);
    assign state[5] = rst || !waits || !seeking
                   || (backward && moved && rows_left >= 16'd2
                    && !source_taken && !target_taken && !sb_busy && !tb_busy);
    assign state[6] = rst || !waits || !moved || !backward
                   || \mover.pieces.walk.chunks.left  <= \mover.pieces.extent ;
    // On from a tile's last row: to the next tile, or to the next band.
    wire [15:0] linear_pitch = is_untile ? cmd_target_pitch : cmd_source_pitch;
    wire [20:0] onward       = {5'd0, linear_pitch} + 21'd32;
    assign state[7] = rst || !waits || !moved || !any_tile
                   || (\mover.pieces.walk.tiling.next_tile  == onward - {2'd0, linear_pitch, 3'd0}
                    && \mover.pieces.walk.tiling.next_band  == onward - {5'd0, cmd_row_bytes[15:0]}
                    && rows_left[2:0] == 3'd0 && \mover.pieces.walk.tiling.tiles_left  != 11'd0
                    && \mover.pieces.walk.tiling.tiles_left  <= cmd_row_bytes[15:5]
                    && (is_tile ? source_at[2:0] == 3'd0 && target_at[7:0] == 8'd0
                                : source_at[7:0] == 8'd0 && target_at[2:0] == 3'd0));
    // The cutters.
    assign state[8] = rst || !sb_busy
                   || (waits && source_waits && source_d1[63:40] < \mover.source_cutter.block
                    && \mover.source_cutter.block  <= source_d1[31:8]
                    && \mover.source_cutter.block_is_last  == (\mover.source_cutter.block  == source_d1[31:8]));
    assign state[9] = rst || !tb_busy
                   || (waits && target_waits && target_d1[63:40] < \mover.target_cutter.block
                    && \mover.target_cutter.block  <= target_d1[31:8]
                    && \mover.target_cutter.block_is_last  == (\mover.target_cutter.block  == target_d1[31:8]));
    // Offers stand.
    assign state[10] = rst || ((!source_waits || (source_offer && source_d1 == {sf, sl}))
                            && (!target_waits || (target_offer && (is_void || target_d1 == {tf, tl}))));
    assign state[11] = rst || !lags || sb_busy;
    assign state[12] = rst || (filling == fill_open
                            && filling == (waits && is_fill && !is_void && !ended
                                           && (moved || tb_busy || target_taken)));
    assign state[13] = rst || !waits || !(is_void || seeking || \mover.pieces.walk.start_reverse )
                    || (!source_taken && (is_void || !target_taken) && !sb_busy && !tb_busy);
    // A chunk that is cut ends at `left` and begins at a boundary of the target's or at the row's start.
    assign state[14] = rst
                    || (\mover.pieces.walk.chunks.cut
                        ? waits && backward && moved && !seeking && \mover.pieces.walk.chunks.cut_is_row  == is_row
                          && \mover.pieces.walk.chunks.cut_start  == (is_row ? 32'd0 : left - {24'd0, room})
                          && \mover.pieces.walk.chunks.cut_extent  == (is_row ? left[7:0] : room)
                        : \mover.pieces.walk.chunks.cut_start  == 32'd0);
    // What the command is, and where it begins, stands in registers.
    assign state[15] = rst || (\mover.is_known  == waits
                            && (!waits || (\mover.command.kind  == \mover.command.kind_found
                                           && \mover.command.extents  == \mover.command.extents_found ))
                            && (!waits || moved || (\mover.pieces.walk.source_row  == cmd_source
                                                 && \mover.pieces.walk.target_row  == cmd_target
                                                 && rows_left == cmd_rows)));
    // ------------------------------------------------------------------ what follows
    wire [2:0] end_lane = sl[2:0];
    wire       is_plain = !any_tile && !is_fill && !is_void;
    (* keep *) wire [12:0] follows;
    // Each step of the walk leaves less; in between nothing moves.
    assign follows[0] = rst || !waits || !known_d1 || (moves_d1 ? rank < rank_d1 : rank == rank_d1);
    // A command that may go on offers a burst, or steps by itself.
    assign follows[1] = rst || !\mover.offer  || source_offer || target_offer || step || seeking || cuts
                     || \mover.pieces.walk.start_reverse ;
    // Of an open piece the half that is not taken is offered; a step ends both.
    assign follows[2] = rst || !\mover.pieces.piece_valid
                     || ((source_offer || source_taken || !\mover.pieces.has_source )
                      && (target_offer || target_taken || !\mover.pieces.has_target )
                      && \mover.pieces.has_source  == (!is_fill && !is_void && (!is_untile || tile_row == 3'd0))
                      && \mover.pieces.has_target  == (is_void || !is_tile || tile_row == 3'd0));
    assign follows[3] = rst || !step
                     || ((source_taken || !\mover.pieces.has_source  || (issue && sb_tail))
                      && (target_taken || !\mover.pieces.has_target  || (put && tb_tail)));
    // Both halves of a row's piece have the same bytes; of tiles, 32 and 256, in the same lanes.
    assign follows[4] = rst || !\mover.pieces.piece_valid  || !is_plain || \mover.is_special
                     || (sl - sf == tl - tf && sl >= sf && tl >= tf);
    assign follows[5] = rst || !\mover.pieces.piece_valid  || !any_tile || is_void
                     || (sf[2:0] == 3'd0 && sl[2:0] == 3'd7 && tf[2:0] == 3'd0 && tl[2:0] == 3'd7
                      && sl - sf == (is_tile ? 32'd31 : 32'd255) && tl - tf == (is_tile ? 32'd255 : 32'd31)
                      && (is_tile ? tf[7:0] == 8'd0 : sf[7:0] == 8'd0));
    // The marks of a burst: its row's first word may make no beat, its last may make two.
    assign follows[6] = rst || !issue
                     || (prime == (sb_head && sf[2:0] > goal)
                      && flush == (sb_tail && {1'b0, end_lane} + {1'b0, shift} >= 4'd8)
                      && (!lags || !prime)
                      && (!sb_tail || !prime || flush || \mover.source_read.burst_beats  != 5'd0)
                      && \mover.source_read.burst_bytes  != 9'd0);
    // A chunk of a reverse row is one burst of the target, and the last of its source says so.
    assign follows[7] = rst || !put || \mover.write.burst_reverse  == backward;
    assign follows[8] = rst || !put
                     || (\mover.write.burst_chunk_end  == backward
                      && (!backward || (tb_tail && !tb_busy && !is_put_void && !\mover.write.burst_fill )));
    assign follows[9] = rst || !issue || \mover.source_read.burst_chunk_end  == (backward && sb_tail);
    // Fills: counted with their first burst, ended with their last, nothing else between.
    assign follows[10] = rst || !put
                     || ((!filling || \mover.write.burst_fill )
                      && (!fill_begins || (!filling && !is_put_void && !\mover.fills_full ))
                      && (is_put_void || !\mover.write.burst_fill  || filling || fill_begins));
    // The end of the command is told once, with its last burst of the target.
    assign follows[11] = rst || ((!ended || !put) && (!cmd_ready || ended || (put && \mover.write.burst_end )));

    // A burst of the target says how many bytes it has.
    assign follows[12] = rst || !put || is_put_void
                      || \mover.write.burst_bytes  == {1'b0, \mover.write.burst_beats , \mover.write.burst_last }
                                                    - {6'd0, \mover.write.burst_first } + 9'd1;

    // Reached from reset: the end of a reverse command of two rows of two chunks each, of a fill of two rows, of one
    // tile either way, of a copy of two rows of three bursts.
    reg [3:0] puts = 4'd0, steps = 4'd0;
    always @(posedge clk) if (!rst) begin
        puts  <= puts + {3'd0, put};
        steps <= steps + {3'd0, step};
    end
    (* keep *) wire [4:0] misses;
    assign misses[0] = !(cmd_ready && puts == 4'd4 && backward && cmd_rows == 16'd2 && steps == 4'd3);
    assign misses[1] = !(cmd_ready && is_fill && cmd_rows == 16'd2 && puts == 4'd4 && steps == 4'd1);
    assign misses[2] = !(cmd_ready && is_tile && cmd_rows == 16'd8 && steps == 4'd7);
    assign misses[3] = !(cmd_ready && is_untile && cmd_rows == 16'd8 && steps == 4'd7);
    assign misses[4] = !(cmd_ready && is_plain && !backward && steps == 4'd1 && puts == 4'd6);

`ifdef STEP
    reg is_later = 1'b0;
    always @(posedge clk) is_later <= 1'b1;
    always @(*) assume (is_later || &state);
`endif
endmodule

`default_nettype wire
