// SPDX-License-Identifier: Apache-2.0
//
// What the mover sends is what the guard takes for granted: by induction, for any commands one after the other, cut off
// by abort or rst at any time, with any memory. Real are the walk of a command, both cutters, both halves and the reads
// of the target; what computes the data is cut off and gives anything.
//   - Every burst carries the user bit of the command that it is cut from: it is cut while that command stands at the
//     port, and neither half of a piece outlives its command. A palette's carries the guard's, whoever asks for it.
//   - It lies in one block of 256 bytes, whatever the command's addresses.
//   - Write data is as long as its address said.
`default_nettype none

module grants_mover #(
    parameter PIXELS = 1
) (
    input wire        clk,
    input wire        rst_any,
    input wire        abort_any,
    input wire        cmd_valid_any,
    input wire        s_arready,
    input wire        s_rlast,
    input wire        s_rvalid,
    input wire        t_arready,
    input wire        t_rlast,
    input wire        t_rvalid,
    input wire        w_awready,
    input wire        w_wready,
    input wire        w_bvalid
);
`include "config.vh"
    (* anyconst *) wire [19:0] page;
    reg  first = 1'b1;
    wire rst = first || rst_any;
    always @(posedge clk) first <= 1'b0;

    // ------------------------------------------------------------------ commands
    (* anyseq *) wire         cmd_reverse, cmd_barrier, cmd_premultiplied, cmd_keyed, cmd_coloured, cmd_user;
    (* anyseq *) wire         cmd_mapped, map_push;
    (* anyseq *) wire [2:0]   cmd_sampling;
    (* anyseq *) wire [31:0]  map_word;
    (* anyseq *) wire [3:0]   cmd_op;
    (* anyseq *) wire [2:0]   cmd_mode, cmd_source_format, cmd_target_format;
    (* anyseq *) wire [31:0]  cmd_source, cmd_target, cmd_row_bytes;
    (* anyseq *) wire [15:0]  cmd_rows, cmd_source_pitch, cmd_target_pitch, cmd_units;
    wire         idle, cmd_ready;
    wire         abort = abort_any;
    wire         cmd_valid = cmd_valid_any && !abort && !rst;
    grants_command #(.GIVEN(1), .WIDTH(183)) command (
        .clk(clk), .rst(rst), .abort(abort), .idle(idle), .valid(cmd_valid), .ready(cmd_ready),
        .command({cmd_reverse, cmd_barrier, cmd_premultiplied, cmd_keyed, cmd_coloured, cmd_user, cmd_op, cmd_mode,
                  cmd_source_format, cmd_target_format, cmd_source, cmd_target, cmd_row_bytes, cmd_rows,
                  cmd_source_pitch, cmd_target_pitch, cmd_units, cmd_mapped, cmd_sampling})
    );

    // ------------------------------------------------------------------ palettes
    (* anyseq *) wire        load_start;
    (* anyseq *) wire [31:8] load_source;
    wire         load_done, load_open;
    grants_load #(.GIVEN(1)) load (
        .clk(clk), .rst(rst), .start(load_start), .done(load_done), .source(load_source), .abort(abort),
        .cmd_valid(cmd_valid), .stands(1'b0), .open(load_open)
    );

    // ------------------------------------------------------------------ the mover
    wire [31:0] s_araddr, w_awaddr, t_araddr, done_address;
    wire [7:0]  s_arlen, w_awlen, w_wstrb, t_arlen, done_tag, done_fault;
    wire [2:0]  s_arsize, w_awsize, t_arsize;
    wire [1:0]  s_arburst, w_awburst, t_arburst;
    wire [63:0] w_wdata;
    wire        s_aruser, s_arvalid, s_rready, w_awuser, w_awvalid, w_wlast, w_wvalid, w_bready, t_aruser, t_arvalid;
    wire        t_rready, stall_read, stall_write, stall_drain, done_valid;
    mover #(.PIXELS(PIXELS)) mover (
        .clk(clk), .rst(rst), .abort(abort), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(cmd_op), .cmd_source(cmd_source),
        .cmd_target(cmd_target), .cmd_row_bytes(cmd_row_bytes), .cmd_rows(cmd_rows),
        .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch), .cmd_reverse(cmd_reverse),
        .cmd_barrier(cmd_barrier), .cmd_pattern(32'd0), .cmd_units(cmd_units), .cmd_mode(cmd_mode),
        .cmd_source_format(cmd_source_format), .cmd_mask(8'd0), .cmd_target_format(cmd_target_format),
        .cmd_premultiplied(cmd_premultiplied), .cmd_keyed(cmd_keyed),
        .cmd_coloured(cmd_coloured), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(8'd0), .cmd_user(cmd_user),
        .cmd_mapped(cmd_mapped), .cmd_sampling(cmd_sampling), .map_push(map_push), .map_word(map_word),
        .load_start(load_start), .load_source(load_source), .load_done(load_done),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arburst(s_arburst), .s_aruser(s_aruser),
        .s_arvalid(s_arvalid), .s_arready(s_arready), .s_rdata(64'd0), .s_rresp(2'd0), .s_rlast(s_rlast),
        .s_rvalid(s_rvalid), .s_rready(s_rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(t_arready), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(t_rlast),
        .t_rvalid(t_rvalid), .t_rready(t_rready),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awburst(w_awburst), .w_awuser(w_awuser),
        .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast),
        .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(2'd0), .w_bvalid(w_bvalid), .w_bready(w_bready)
    );
    // A read is answered only when it was asked for.
    always @(*) assume ((!s_rvalid || \mover.source_read.records.valid ) && (!t_rvalid || !\mover.t_idle )
                     && (!w_bvalid || w_bready));

    // ------------------------------------------------------------------ the claim
    wire       watching, aw_is_marked;
    wire [7:0] open, before, length, beat;
    grants_burst #(.GIVEN(0)) s_out (.valid(!rst && s_arvalid), .address(s_araddr), .beats(s_arlen), .user(s_aruser),
                                     .page(page));
    grants_burst #(.GIVEN(0)) t_out (.valid(!rst && t_arvalid), .address(t_araddr), .beats(t_arlen), .user(t_aruser),
                                     .page(page));
    grants_burst #(.GIVEN(0)) w_out (.valid(!rst && w_awvalid), .address(w_awaddr), .beats(w_awlen), .user(w_awuser),
                                     .page(page));
    grants_write_data #(.GIVEN(0)) d_out (
        .clk(clk), .rst(rst), .awvalid(w_awvalid), .awready(w_awready), .awlen(w_awlen), .wvalid(w_wvalid),
        .wready(w_wready), .wlast(w_wlast), .mark(aw_is_marked), .watching(watching), .open(open), .before(before),
        .length(length), .beat(beat)
    );

    // ------------------------------------------------------------------ why: what holds inside
    (* hierconn *) wire         \mover.t_idle ;
    (* hierconn *) wire         \mover.is_known ;
    (* hierconn *) wire [11:0]  \mover.command.kind ;
    (* hierconn *) wire [11:0]  \mover.command.kind_found ;
    (* hierconn *) wire [63:0]  \mover.command.extents ;
    (* hierconn *) wire [63:0]  \mover.command.extents_found ;
    (* hierconn *) wire         \mover.hold ;
    (* hierconn *) wire         \mover.drop ;
    (* hierconn *) wire         \mover.started ;
    (* hierconn *) wire         \mover.sb_busy ;
    (* hierconn *) wire         \mover.tb_busy ;
    (* hierconn *) wire         \mover.map_begun ;
    (* hierconn *) wire         \mover.map_valid ;
    (* hierconn *) wire         \mover.is_mapped ;
    (* hierconn *) wire         \mover.reads_palette ;
    (* hierconn *) wire         \mover.source_end ;
    (* hierconn *) wire         \mover.target_cutter.block_is_last ;
    (* hierconn *) wire [1:0]   \mover.target_cutter.quarter ;
    (* hierconn *) wire         \mover.is_reverse ;
    (* hierconn *) wire         \mover.piece_void ;
    (* hierconn *) wire         \mover.source_read.records.valid ;
    (* hierconn *) wire         \mover.source_read.burst_valid ;
    (* hierconn *) wire [28:0]  \mover.source_read.burst_address ;
    (* hierconn *) wire [4:0]   \mover.source_read.burst_beats ;
    (* hierconn *) wire         \mover.source_read.burst_user ;
    (* hierconn *) wire         \mover.source_read.held ;
    (* hierconn *) wire [43:0]  \mover.source_read.held_burst ;
    (* hierconn *) wire         \mover.write.burst_valid ;
    (* hierconn *) wire [28:0]  \mover.write.burst_address ;
    (* hierconn *) wire [4:0]   \mover.write.burst_beats ;
    (* hierconn *) wire         \mover.write.burst_user ;
    (* hierconn *) wire         \mover.write.burst_void ;
    (* hierconn *) wire         \mover.write.queue_void ;
    (* hierconn *) wire [28:0]  \mover.write.queue_address ;
    (* hierconn *) wire [4:0]   \mover.write.queue_beats ;
    (* hierconn *) wire         \mover.write.queue_user ;
    (* hierconn *) wire         \mover.write.queue.valid ;
    (* hierconn *) wire         \mover.write.queue.push ;
    (* hierconn *) wire         \mover.write.send ;
    (* hierconn *) wire [4:0]   \mover.write.beat ;
    (* hierconn *) wire [4:0]   \mover.write.wait_beats ;
    (* hierconn *) wire [6:0]   \mover.write.waiting.level ;
    (* hierconn *) wire         \mover.write.waiting.watching ;
    (* hierconn *) wire         \mover.write.waiting.keeps ;
    (* hierconn *) wire [6:0]   \mover.write.waiting.before ;
    (* hierconn *) wire [14:0]  \mover.write.waiting.word ;
    (* hierconn *) wire         \mover.pieces.piece_valid ;
    (* hierconn *) wire         \mover.pieces.has_source ;
    (* hierconn *) wire         \mover.pieces.has_target ;
    (* hierconn *) wire         \mover.pieces.source_taken ;
    (* hierconn *) wire         \mover.pieces.target_taken ;
    (* hierconn *) wire         \mover.pieces.source_offer ;
    (* hierconn *) wire         \mover.pieces.target_offer ;
    (* hierconn *) wire [31:0]  \mover.pieces.source_first ;
    (* hierconn *) wire [31:0]  \mover.pieces.source_last ;
    (* hierconn *) wire [31:0]  \mover.pieces.target_first ;
    (* hierconn *) wire [31:0]  \mover.pieces.target_last ;
    (* hierconn *) wire         \mover.pieces.source_short ;
    (* hierconn *) wire         \mover.pieces.target_short ;
    (* hierconn *) wire         \mover.pieces.walk.moved ;
    (* hierconn *) wire         \mover.pieces.walk.seeking ;
    (* hierconn *) wire [31:0]  \mover.pieces.walk.chunks.left ;
    (* hierconn *) wire         \mover.pieces.walk.chunks.cut ;
    (* hierconn *) wire         \mover.pieces.walk.chunks.cut_is_row ;
    (* hierconn *) wire [31:0]  \mover.pieces.walk.chunks.cut_start ;
    (* hierconn *) wire [7:0]   \mover.pieces.walk.chunks.cut_extent ;
    (* hierconn *) wire [31:0]  \mover.pieces.walk.target_row ;
    (* hierconn *) wire [15:0]  \mover.pieces.walk.rows_left ;
`ifdef MAPS
    (* hierconn *) wire [1:0]   \mover.pixels.affine.maps.map.state ;
    (* hierconn *) wire         \mover.pixels.affine.maps.map.is_empty ;
    (* hierconn *) wire         \mover.pixels.affine.maps.gather.part_valid ;
    (* hierconn *) wire [7:0]   \mover.pixels.affine.maps.gather.held_parts ;
    // Of the parts that wait only their number is real: none comes out that did not go in.
    always @(*) assume (!\mover.pixels.affine.maps.gather.part_valid
                     || \mover.pixels.affine.maps.gather.held_parts  != 8'd0);
    // No unit is under way before a map's words are there, or after its command.
    always @(*) if (!rst && !\mover.pixels.affine.maps.map.state [1])
        assert (\mover.pixels.affine.maps.map.is_empty );
`endif
`ifdef PALETTES
    (* hierconn *) wire [1:0]   \mover.pixels.palette.load.state ;
    always @(*) if (!rst) assert ((\mover.pixels.palette.load.state  != 2'd0) == load_open);
`endif
    wire        hold = \mover.hold , started = \mover.started ;
    wire        sb_busy = \mover.sb_busy , tb_busy = \mover.tb_busy ;
    // Of the command at the port something has been taken.
    wire        is_open = started || sb_busy || tb_busy || \mover.map_begun ;
    wire        source_taken = \mover.pieces.source_taken , target_taken = \mover.pieces.target_taken ;
    wire        source_offer = \mover.pieces.source_offer , target_offer = \mover.pieces.target_offer ;
    wire [31:0] left = \mover.pieces.walk.chunks.left ;
    wire [7:0]  room = \mover.pieces.walk.target_row [7:0] + left[7:0];
    wire        is_row = left <= {24'd0, room};
    wire        moved = \mover.pieces.walk.moved , seeking = \mover.pieces.walk.seeking ;

    // No privileged command walks over the page: no burst that is cut from it while it stands at the port lies there.
    wire [31:0] sb_address = {\mover.source_read.burst_address , 3'd0};
    wire [31:0] tb_address = {\mover.write.burst_address , 3'd0};
    always @(*) if (cmd_valid && !cmd_user)
        assume ((!\mover.source_read.burst_valid  || sb_address[31:12] != page)
             && (!\mover.write.burst_valid  || \mover.write.burst_void  || tb_address[31:12] != page));

    // the command was there in the cycle before and not taken; abort since it was idle
    reg stands = 1'b0, aborted = 1'b0;
    reg marked = 1'b0;                 // the address in the register is that of the word watched
    always @(posedge clk) begin
        stands  <= !rst && cmd_valid && !cmd_ready;
        aborted <= !rst && (abort || aborted) && !idle;
        marked  <= !rst && (\mover.write.waiting.keeps  || (marked && !(w_awvalid && w_awready)));
    end
    assign aw_is_marked = marked;
    wire [4:0] marked_beats = \mover.write.waiting.word [14:10];
    function is_kept(input [28:0] address, input [4:0] beats, input user);
        is_kept = {1'b0, address[4:0]} + {1'b0, beats} < 6'd32 && (user || address[28:9] != page);
    endfunction
    always @(*) if (!rst) begin
        // A command that has begun stands at the port until its last piece is taken.
        if (is_open) assert (stands || aborted);
        if (aborted) assert (abort);
        if (seeking) assert (moved);
        if (!hold && cmd_valid) begin
            if (\mover.is_known ) begin
                assert (\mover.command.kind  == \mover.command.kind_found );
                assert (\mover.command.extents  == \mover.command.extents_found );
                if (!moved)
                    assert (\mover.pieces.walk.target_row  == cmd_target && \mover.pieces.walk.rows_left  == cmd_rows);
            end
            if (is_open) assert (\mover.is_known );
            if (sb_busy) assert (source_offer && !\mover.is_mapped );
            if (seeking) assert (\mover.is_reverse );
            // A map is walked while its command stands, until the source half of the last piece is taken.
            if (\mover.map_begun )
                assert (\mover.is_mapped  && \mover.pieces.piece_valid  && \mover.pieces.has_source );
            if (\mover.map_begun  && source_taken) assert (!\mover.source_end );
            if (\mover.map_valid ) assert (\mover.map_begun );
            if (tb_busy) assert (target_offer);
            if (source_taken) assert (\mover.pieces.piece_valid  && \mover.pieces.has_source );
            if (target_taken) assert (\mover.pieces.piece_valid  && \mover.pieces.has_target );
        end
        // So each burst is the standing command's, or a palette's.
        if (\mover.source_read.burst_valid  && !hold) begin
            assert (\mover.reads_palette  ? load_open && \mover.source_read.burst_user
                                          : cmd_valid && \mover.source_read.burst_user  == cmd_user);
            assert (is_kept(\mover.source_read.burst_address , \mover.source_read.burst_beats ,
                            \mover.source_read.burst_user ));
        end
        if (\mover.write.burst_valid ) assert (cmd_valid && \mover.write.burst_user  == cmd_user);
        if (\mover.write.burst_valid  && !\mover.write.burst_void )
            assert (is_kept(\mover.write.burst_address , \mover.write.burst_beats , \mover.write.burst_user ));
        // Pieces: what is told of them by their low bytes is right.
        if (source_offer) assert (!\mover.pieces.source_short
                                  || \mover.pieces.source_last [7:0] >= \mover.pieces.source_first [7:0]);
        if (target_offer && !\mover.piece_void ) assert (!\mover.pieces.target_short
                                  || \mover.pieces.target_last [7:0] >= \mover.pieces.target_first [7:0]);
        // In the last block a fine cutter is not after the piece's end.
        if (!hold && tb_busy && \mover.is_mapped  && !\mover.piece_void  && \mover.target_cutter.block_is_last )
            assert (\mover.target_cutter.quarter  <= \mover.pieces.target_last [7:6]);
        if (\mover.pieces.walk.chunks.cut )
            assert (moved && !seeking && \mover.pieces.walk.chunks.cut_is_row  == is_row
                    && \mover.pieces.walk.chunks.cut_start  == (is_row ? 32'd0 : left - {24'd0, room})
                    && \mover.pieces.walk.chunks.cut_extent  == (is_row ? left[7:0] : room));
        else assert (\mover.pieces.walk.chunks.cut_start  == 32'd0);
        // On their way.
        if (\mover.source_read.held )
            assert (is_kept(\mover.source_read.held_burst [43:15], \mover.source_read.held_burst [14:10],
                            \mover.source_read.held_burst [0]));
        // Addresses and data leave the queue of bursts together.
        assert ({1'b0, \mover.write.waiting.level } == open + {7'd0,
            w_awvalid} && \mover.write.waiting.level  <= 7'd64 && open <= 8'd64);
        assert ({3'd0, \mover.write.beat } == beat && (open != 8'd0 || beat == 8'd0));
        if (\mover.write.waiting.level  != 7'd0) assert (\mover.write.beat  <= \mover.write.wait_beats );
        if (marked) assert (w_awvalid && \mover.write.waiting.watching  && {3'd0, marked_beats} == w_awlen
                            && {1'b0, \mover.write.waiting.before } == open);
        if (\mover.write.waiting.watching ) assert (marked || watching);
        if (watching) assert (\mover.write.waiting.watching  && {3'd0, marked_beats} == length && !marked
                              && {1'b0, \mover.write.waiting.before } == before && before < open);
        if (watching && before == 8'd0) assert (beat <= length);
    end
    // The queue of bursts: what comes out was put in.
    always @(*) if (!rst) begin
        if (\mover.write.queue.valid  && !\mover.write.queue_void )
            assume (is_kept(\mover.write.queue_address , \mover.write.queue_beats , \mover.write.queue_user ));
    end
`ifdef REACH
    reg [1:0] seen = 2'd0;
    always @(posedge clk) if (!rst) begin
        if (w_awvalid && w_awready && w_awuser) seen[0] <= 1'b1;
        if (seen[0] && s_arvalid && s_arready && !s_aruser) seen[1] <= 1'b1;
    end
    (* keep *) wire misses = !(seen[1] && watching && before == 8'd0 && w_wvalid && w_wready && w_wlast);
`endif
endmodule

`default_nettype wire
