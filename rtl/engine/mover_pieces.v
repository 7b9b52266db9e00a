// SPDX-License-Identifier: Apache-2.0
//
// From commands to pieces: the walk over rows (mover_rows) or tiles (mover_tiles), and the fork that lets the source
// and the target side take their halves of a piece each when it can. A piece is done when both have.
`default_nettype none

module mover_pieces #(
    parameter ROWS    = 1,
    parameter REVERSE = 1,
    parameter TILES   = 1
) (
    input  wire        clk,
    input  wire        rst,               // also: forget the command

    // The command; stable until cmd_ready. cmd_valid may be withheld only while !started.
    input  wire        cmd_valid,
    output wire        cmd_ready,         // its last piece is taken
    input  wire        is_fill,           // no source
    input  wire        is_tile,           // TILE or UNTILE
    input  wire        is_untile,
    input  wire        is_reverse,
    input  wire        is_wider,          // target units are twice as wide as the source's
    input  wire        is_narrower,
    input  wire [31:0] cmd_source,
    input  wire [31:0] cmd_target,
    input  wire [31:0] cmd_row_bytes,
    input  wire [15:0] cmd_rows,
    input  wire [15:0] cmd_source_pitch,
    input  wire [15:0] cmd_target_pitch,
    output wire        started,           // some of it is taken
    output wire        first_taken,       // pulse: the target side takes its first piece, not an empty one

    // The two halves of a piece, taken in a cycle with offer and ready. Ready does not depend on offer.
    output wire        source_offer,
    input  wire        source_ready,
    output wire [31:0] source_first,
    output wire [31:0] source_last,
    output wire        source_end,        // last of the command on this side
    output wire        target_offer,
    input  wire        target_ready,
    output wire [31:0] target_first,
    output wire [31:0] target_last,
    output wire        target_end,
    output wire        piece_void         // an empty command: target side only, no bytes
);
    wire        step;

    wire        rows_valid, rows_void, rows_end, rows_busy;
    wire [31:0] rows_source_first, rows_source_last, rows_target_first, rows_target_last;
    mover_rows #(.ROWS(ROWS), .REVERSE(REVERSE)) rows (
        .clk               (clk),
        .rst               (rst),
        .cmd_valid         (cmd_valid && !is_tile),
        .cmd_source        (cmd_source),
        .cmd_target        (cmd_target),
        .cmd_row_bytes     (cmd_row_bytes),
        .cmd_rows          (cmd_rows),
        .cmd_source_pitch  (cmd_source_pitch),
        .cmd_target_pitch  (cmd_target_pitch),
        .cmd_reverse       (is_reverse),
        .cmd_source_half   (is_wider),
        .cmd_source_double (is_narrower),
        .piece_valid       (rows_valid),
        .step              (step),
        .source_first      (rows_source_first),
        .source_last       (rows_source_last),
        .target_first      (rows_target_first),
        .target_last       (rows_target_last),
        .is_void           (rows_void),
        .is_end            (rows_end),
        .busy              (rows_busy)
    );

    wire        piece_valid, piece_end, walk_busy, has_source, has_target;
    generate if (TILES != 0) begin : tiling
        wire        tiles_valid, tiles_void, tiles_end, tiles_busy, tile_valid, tile_is_end;
        wire [31:0] linear_first, linear_last, tile_first, tile_last;
        mover_tiles tiles (
            .clk           (clk),
            .rst           (rst),
            .cmd_valid     (cmd_valid && is_tile),
            .cmd_linear    (is_untile ? cmd_target : cmd_source),
            .cmd_tiled     (is_untile ? cmd_source : cmd_target),
            .cmd_row_bytes (cmd_row_bytes[15:0]),
            .cmd_rows      (cmd_rows),
            .cmd_pitch     (is_untile ? cmd_target_pitch : cmd_source_pitch),
            .piece_valid   (tiles_valid),
            .step          (step),
            .linear_first  (linear_first),
            .linear_last   (linear_last),
            .tile_first    (tile_first),
            .tile_last     (tile_last),
            .tile_valid    (tile_valid),
            .tile_is_end   (tile_is_end),
            .is_void       (tiles_void),
            .is_end        (tiles_end),
            .busy          (tiles_busy)
        );
        assign piece_valid  = is_tile ? tiles_valid : rows_valid;
        assign piece_void   = is_tile ? tiles_void : rows_void;
        assign piece_end    = is_tile ? tiles_end : rows_end;
        assign walk_busy    = rows_busy || tiles_busy;
        assign source_first = !is_tile ? rows_source_first : is_untile ? tile_first : linear_first;
        assign source_last  = !is_tile ? rows_source_last  : is_untile ? tile_last  : linear_last;
        assign target_first = !is_tile ? rows_target_first : is_untile ? linear_first : tile_first;
        assign target_last  = !is_tile ? rows_target_last  : is_untile ? linear_last  : tile_last;
        assign has_source   = !is_fill && !piece_void && (!is_tile || !is_untile || tile_valid);
        assign has_target   = piece_void || !is_tile || is_untile || tile_valid;
        assign target_end   = is_tile && !is_untile && !piece_void ? tile_is_end : piece_end;
    end else begin : no_tiling
        wire unused = &{1'b0, is_tile, is_untile, 1'b0};
        assign piece_valid  = rows_valid;
        assign piece_void   = rows_void;
        assign piece_end    = rows_end;
        assign walk_busy    = rows_busy;
        assign source_first = rows_source_first;
        assign source_last  = rows_source_last;
        assign target_first = rows_target_first;
        assign target_last  = rows_target_last;
        assign has_source   = !is_fill && !piece_void;
        assign has_target   = 1'b1;
        assign target_end   = piece_end;
    end endgenerate

    // Each side takes its half of a piece when it can; the piece is done when both have.
    reg  source_taken, target_taken;
    assign source_offer = piece_valid && has_source && !source_taken;
    assign target_offer = piece_valid && has_target && !target_taken;
    assign step      = piece_valid && (!has_source || source_taken || source_ready)
                                   && (!has_target || target_taken || target_ready);
    assign started   = walk_busy || source_taken || target_taken;
    // The command's parameters are queued with its first piece.
    assign first_taken = target_offer && target_ready && !walk_busy && !piece_void;
    assign cmd_ready  = step && piece_end;
    assign source_end = piece_end;
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
