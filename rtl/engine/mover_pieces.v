// SPDX-License-Identifier: Apache-2.0
//
// Walks a command and gives out its pieces: a byte range of the source with the range of the target that holds the
// same bytes. The first piece leaves in the cycle in which cmd_valid comes (not in reverse).
//
//   rows, forward   a row is a piece.
//   reverse         rows go last to first, each from its end in chunks of at most 256 bytes whose targets end at 256-
//                   byte boundaries; the writer holds a chunk until it has been read completely. To find the last row,
//                   the walk first steps over all rows, one per cycle.
//   tiles           in the order of the tiled side, which is contiguous. A piece is 32 bytes of the linear side; the
//                   first of a tile's 8 rows also hands out the whole tile (256 bytes) of the other. Both sides are
//                   8-byte aligned: the beats need no shift, and the sides need not agree on where their ranges end.
//
//   linear, pitch P:   row 0  |A0|B0|C0|          tiled:  A0 A1 .. A7 B0 B1 .. B7 C0 .. C7 | next 8 rows
//                      row 1  |A1|B1|C1|
//                       ...   32 bytes each
//
// All three walks step the same two addresses. The command stays at the ports until its last piece is taken; only
// positions are kept. Each side takes its half when it can, and the piece is done when both have.
`default_nettype none

module mover_pieces #(
    parameter ROWS    = 1, // 0: forward, one row; rows, pitches and is_reverse are ignored
    parameter REVERSE = 1, // 0: is_reverse is ignored; needs ROWS
    parameter TILES   = 1, // 0: is_tile is ignored; needs ROWS
    parameter PIXELS  = 1  // 0: rows of the source are whole bytes, as without MASKS
) (
    input  wire        clk,
    input  wire        rst,

    // The command; stable from the cycle before cmd_valid until cmd_ready: its start stands in registers then.
    // cmd_valid may be withheld only while !started, or by an abort; cmd_stands is what it is made of when started.
    // Void: one piece, marked so.
    input  wire        cmd_valid,
    input  wire        cmd_stands,
    output wire        cmd_ready,
    input  wire        is_fill,           // no source
    input  wire        is_tile,           // TILE or UNTILE: row bytes a multiple of 32, rows of 8
    input  wire        is_untile,
    input  wire        is_reverse,
    input  wire        is_void,           // no rows or no bytes
    input  wire [31:0] extent,            // bytes of a row less one, on the target side
    input  wire [31:0] source_extent,     // on the source side
    input  wire [31:0] cmd_source,
    input  wire [31:0] cmd_target,
    input  wire [15:0] cmd_row_bytes,     // of tiles
    input  wire [15:0] cmd_rows,
    input  wire [15:0] cmd_source_pitch,
    input  wire [15:0] cmd_target_pitch,
    input  wire [2:0]  cmd_bit,           // PARTS: of the byte at cmd_source, from its high end; with whole bytes 0
    input  wire [2:0]  cmd_pitch_bits,    // and beyond cmd_source_pitch
    input  wire [2:0]  source_rest,       // and beyond source_extent; with whole bytes 7
    output wire [2:0]  source_bit,        // where the piece's row begins in its first byte
    output wire        started,           // a piece or half of one is taken
    output wire        is_first,          // the piece offered is the command's first, and not void

    // The two halves of a piece, taken in a cycle with offer and ready.
    output wire        source_offer,
    input  wire        source_ready,
    output wire [31:0] source_first,
    output wire [31:0] source_last,
    output wire        source_short,      // both lie in one 256-byte block
    output wire        source_end,        // last of the command on this side
    output wire        target_offer,
    input  wire        target_ready,
    output wire [31:0] target_first,
    output wire [31:0] target_last,
    output wire        target_short,
    output wire        target_end,
    output wire        piece_void         // an empty command: target side only, no bytes
);
`include "gpu_spec.vh"
`include "config.vh"
    localparam PARTS = PIXELS != 0 && MASKS != 0; // rows may begin and end within bytes
    assign piece_void = is_void;
    wire        step, piece_valid, piece_end, walking, has_source, has_target;

    generate if (ROWS != 0) begin : walk
        wire        reverse = REVERSE != 0 && is_reverse;
        wire        tile    = TILES != 0 && is_tile;
        wire        untile  = tile && is_untile;

        // -------------------------------------------------------------- position
        reg         moved;               // on from the command's start
        reg         seeking;             // reverse: still stepping to the last row
        reg  [31:0] source_row;
        reg  [31:0] target_row;
        reg  [15:0] rows_left;           // seeking: of the rows to step over
        wire [2:0]  source_in, step_in;  // bits of its position, and of a step
        assign      source_bit = source_in;
        wire        last_row  = rows_left == (tile ? LIMIT_TILE_ROWS[15:0] : 16'd1);
        wire        row_done;            // the step takes the last of a row, or of a band of tiles
        wire        back      = reverse && moved && !seeking;

        // -------------------------------------------------------------- reverse: chunks of a row
        // A chunk reaches down to a 256-byte boundary of the target or to the row's start. It is computed in the cycle
        // after the step to it and stands in registers (`cut`) until it is done.
        wire [31:0] chunk_end, chunk_start; // offsets in the row, both included
        wire [7:0]  chunk_extent;           // the one less the other
        wire        chunk_is_row, chunk_ready;
        if (REVERSE != 0) begin : chunks
            reg  [31:0] left;               // offset of the last byte not handed out
            wire [7:0]  room = target_row[7:0] + left[7:0];
            wire        is_row = left <= {24'd0, room};
            wire        stays = !rst && back && !step;
            reg         cut, cut_is_row;
            reg  [31:0] cut_start;
            reg  [7:0]  cut_extent;
            assign chunk_ready  = cut;
            assign chunk_end    = left;
            assign chunk_is_row = cut_is_row;
            assign chunk_start  = cut_start;
            assign chunk_extent = cut_extent;
            always @(posedge clk) begin
                if (!moved || row_done) left <= extent;
                else if (step)          left <= chunk_start - 32'd1;
                cut        <= stays;
                cut_is_row <= is_row;
                cut_start  <= stays && !is_row ? left - {24'd0, room} : 32'd0;
                cut_extent <= is_row ? left[7:0] : room;
            end
        end else begin : no_chunks
            assign {chunk_ready, chunk_is_row, chunk_end, chunk_start, chunk_extent} = {2'b11, 72'd0};
        end

        // -------------------------------------------------------------- tiles
        wire tile_begins, tile_done, band_done, band_ends; // band_ends: with this tile
        wire [20:0] linear_step;
        if (TILES != 0) begin : tiling
            reg  [2:0]  row;             // of the tile
            reg  [10:0] tiles_left;      // of the band of 8 rows
            wire [10:0] tiles_now = moved ? tiles_left : cmd_row_bytes[15:5];
            assign tile_begins = !moved || row == 3'd0;
            assign tile_done   = moved && row == LIMIT_TILE_ROWS[2:0] - 3'd1;
            assign band_ends   = tiles_now == 11'd1;
            assign band_done   = tile_done && band_ends;
            always @(posedge clk)
                if (step) begin
                    row        <= moved ? row + 3'd1 : 3'd1;
                    tiles_left <= !tile_done ? tiles_now : band_done ? cmd_row_bytes[15:5] : tiles_now - 11'd1;
                end
            // On to the next row; from a tile's last row 7 rows back to the next tile, or on to the next band.
            wire [15:0] pitch = is_untile ? cmd_target_pitch : cmd_source_pitch;
            // The command has stood still for 7 rows by then, so both ways are known.
            reg  [20:0] next_tile, next_band;
            wire [20:0] onward = {5'd0, pitch} + LIMIT_TILE_ROW_BYTES[20:0];
            always @(posedge clk) begin
                next_tile <= onward - {2'd0, pitch, 3'd0};
                next_band <= onward - {5'd0, cmd_row_bytes};
            end
            assign linear_step = !tile_done ? {5'd0, pitch} : band_ends ? next_band : next_tile;
        end else begin : no_tiling
            assign {tile_begins, tile_done, band_done, band_ends, linear_step} = 25'd0;
            wire unused = &{1'b0, cmd_row_bytes, 1'b0};
        end
        wire [20:0] tiled_step = {12'd0, tile_done, 8'd0};

        // -------------------------------------------------------------- piece
        wire [31:0] first_offset = chunk_start; // zero but in reverse
        assign piece_valid  = cmd_valid && (moved ? !seeking && (!reverse || chunk_ready) : !reverse || piece_void);
        assign source_first = source_row + first_offset;
        wire [31:0] source_forth = !tile ? source_extent : untile ? 32'd255 : 32'd31;
        wire [31:0] target_forth = !tile ? extent : untile ? 32'd31 : 32'd255;
        wire [31:0] source_reach_to = reverse ? chunk_end : source_forth;
        if (PARTS) begin : last_part
            /* verilator lint_off UNUSEDSIGNAL */ // the bit in the last byte: whole bytes are read
            wire [34:0] last_bit = {source_row, source_in} + {source_reach_to, tile || reverse ? 3'd7 : source_rest};
            /* verilator lint_on UNUSEDSIGNAL */
            assign source_last = last_bit[34:3];
        end else begin : last_byte
            assign source_last = source_row + source_reach_to;
            wire unused = &{1'b0, source_rest, 1'b0};
        end
        assign target_first = target_row + first_offset;
        assign target_last  = target_row + (reverse ? chunk_end : target_forth);
        // Told by the low bytes, before the addresses' sums are there.
        wire [7:0]  source_reach = reverse ? chunk_extent : source_forth[7:0];
        wire [7:0]  target_reach = reverse ? chunk_extent : target_forth[7:0];
        wire [2:0]  short_rest = PARTS && !tile && !reverse ? source_rest : 3'd7;
        assign source_short = {source_first[7:0], source_in} <= ~{source_reach, short_rest}
                           && (reverse || source_forth[31:8] == 24'd0);
        assign target_short = target_first[7:0] <= ~target_reach && (reverse || target_forth[31:8] == 24'd0);
        assign piece_end    = piece_void || (last_row && (tile ? band_done : !reverse || chunk_is_row));
        assign target_end   = piece_void || (tile && !untile ? last_row && band_ends : piece_end);
        assign has_source   = !is_fill && !piece_void && (!untile || tile_begins);
        assign has_target   = piece_void || !tile || untile || tile_begins;
        assign walking      = moved;

        // -------------------------------------------------------------- step
        wire        start_reverse = cmd_valid && !moved && reverse && !piece_void;
        assign      row_done      = step && (tile ? band_done : !reverse || chunk_is_row);
        // Back: - pitch = + ~pitch + 1; the 1 comes in as the carry out of an extra low bit.
        wire [20:0] source_step   = untile ? tiled_step : tile ? linear_step : {5'd0, cmd_source_pitch};
        wire [20:0] target_step   = untile ? linear_step : tile ? tiled_step : {5'd0, cmd_target_pitch};
        /* verilator lint_off UNUSEDSIGNAL */ // that extra bit
        localparam LOW = PARTS ? 4 : 1;
        wire [31+LOW:0] source_sum;
        wire [32:0] target_sum    = {target_row, 1'b1}
                                  + {{11{target_step[20] ^ back}}, target_step ^ {21{back}}, back};
        /* verilator lint_on UNUSEDSIGNAL */
        if (PARTS) begin : sum_parts
            assign source_sum = {source_row, source_in, 1'b1}
                              + {{11{source_step[20] ^ back}}, {source_step, step_in} ^ {24{back}}, back};
            reg  [2:0]  row_in;
            assign source_in  = row_in;
            assign step_in    = tile ? 3'd0 : cmd_pitch_bits;
            always @(posedge clk)
                if (start_reverse || (!moved && !step))         row_in <= cmd_bit;
                else if (row_done || seeking || (tile && step)) row_in <= source_sum[3:1];
        end else begin : sum_bytes
            assign source_sum = {source_row, 1'b1}
                              + {{11{source_step[20] ^ back}}, source_step ^ {21{back}}, back};
            assign source_in  = 3'd0;
            assign step_in    = 3'd0;
            wire unused = &{1'b0, cmd_bit, cmd_pitch_bits, step_in, 1'b0};
        end
        wire        found         = rows_left == 16'd2; // the next step of seeking reaches the last row

        always @(posedge clk)
            if (rst) begin
                moved   <= 1'b0;
                seeking <= 1'b0;
            end else if (start_reverse) begin
                moved   <= 1'b1;
                seeking <= cmd_rows != 16'd1;
            end else begin
                if (step)  moved   <= !piece_end;
                if (found) seeking <= 1'b0;
            end

        always @(posedge clk) begin
            if (start_reverse || (!moved && !step)) begin
                source_row <= cmd_source;
                target_row <= cmd_target;
                rows_left  <= cmd_rows;
            end else begin
                if (row_done || seeking || (tile && step)) begin
                    source_row <= source_sum[31+LOW:LOW];
                    target_row <= target_sum[32:1];
                end
                if (seeking && found)         rows_left <= cmd_rows;
                else if (row_done || seeking) rows_left <= rows_left - (tile ? LIMIT_TILE_ROWS[15:0] : 16'd1);
            end
        end
    end else begin : one_row
        assign piece_valid  = cmd_valid;
        assign source_first = cmd_source;
        assign source_last  = cmd_source + source_extent;
        assign target_first = cmd_target;
        assign target_last  = cmd_target + extent;
        assign source_short = source_first[31:8] == source_last[31:8];
        assign target_short = target_first[31:8] == target_last[31:8];
        assign piece_end    = 1'b1;
        assign target_end   = 1'b1;
        assign has_source   = !is_fill && !piece_void;
        assign has_target   = 1'b1;
        assign walking      = 1'b0;
        assign source_bit   = 3'd0;
        wire unused = &{1'b0, cmd_rows, cmd_row_bytes,
                        cmd_source_pitch, cmd_target_pitch, is_tile, is_untile, is_reverse, cmd_bit, cmd_pitch_bits,
                        source_rest, 1'b0};
    end endgenerate

    // ------------------------------------------------------------------ the two halves
    reg  source_taken, target_taken;
    // A piece goes in the cycle after both halves have been taken. It has been offered until then, so of cmd_valid,
    // which comes late, only cmd_stands is asked again.
    wire   has_source_now = has_source && !source_taken;
    wire   has_target_now = has_target && !target_taken;
    assign source_offer = piece_valid && has_source_now;
    assign target_offer = piece_valid && has_target_now;
    assign step         = cmd_stands && (source_taken || target_taken) && !has_source_now && !has_target_now;
    assign cmd_ready    = step && piece_end;
    assign started      = walking || source_taken || target_taken;
    assign is_first     = !walking && !piece_void;
    assign source_end   = piece_end;
    always @(posedge clk)
        if (rst || step) begin
            source_taken <= 1'b0;
            target_taken <= 1'b0;
        end else begin
            if (source_offer && source_ready) source_taken <= 1'b1;
            if (target_offer && target_ready) target_taken <= 1'b1;
        end
endmodule

`default_nettype wire
