// SPDX-License-Identifier: Apache-2.0
//
// Walks a command row by row and hands out pieces: a pair of byte ranges of equal meaning, one on the
// source side, one on the target side. Forward, a piece is a row; the first leaves in the cycle in which the
// command is offered. In reverse, rows go last to first and each row from its end in chunks of at
// most 256 bytes whose targets end at 256-byte boundaries; the writer holds each chunk until it has been
// read completely. To find the last row, reverse steps forward over the rows, one per cycle.
//
// The command stays at the ports until its last piece is taken, so only addresses and counts are kept here.
// A command of zero bytes or rows is one piece marked `is_void`.
`default_nettype none

module mover_rows #(
    parameter ROWS    = 1, // 0: forward, one row; rows, pitches and cmd_reverse are ignored
    parameter REVERSE = 1  // 0: cmd_reverse is ignored
) (
    input  wire        clk,
    input  wire        rst,

    // The command; stable from the first cycle of cmd_valid until step && is_end. cmd_valid may be withheld
    // only while !busy.
    input  wire        cmd_valid,
    input  wire [31:0] cmd_source,
    input  wire [31:0] cmd_target,
    input  wire [31:0] cmd_row_bytes,    // on the target side
    input  wire [15:0] cmd_rows,
    input  wire [15:0] cmd_source_pitch,
    input  wire [15:0] cmd_target_pitch,
    input  wire        cmd_reverse,
    input  wire        cmd_source_half,  // source units are half as wide as the target's
    input  wire        cmd_source_double,

    // The piece; `step` takes it.
    output wire        piece_valid,
    input  wire        step,
    output wire [31:0] source_first,
    output wire [31:0] source_last,
    output wire [31:0] target_first,
    output wire [31:0] target_last,
    output wire        is_void,
    output wire        is_end,           // last piece of the command
    output wire        busy              // in the middle of a command
);
    wire [31:0] extent        = cmd_row_bytes - 32'd1;
    wire [31:0] source_extent = cmd_source_half   ? {1'b0, extent[31:1]}
                              : cmd_source_double ? {extent[30:0], 1'b1} : extent;

    generate if (ROWS != 0) begin : rows_walk
        reg         walking;             // the registers hold the position
        reg         seeking;             // reverse: still stepping to the last row
        reg  [31:0] source_row;
        reg  [31:0] target_row;
        reg  [15:0] rows_left;
        reg  [15:0] seek_left;
        reg  [31:0] chunk_extent;        // reverse: offset in the row of the last byte not handed out

        // -------------------------------------------------------------- piece
        wire        is_reverse = REVERSE != 0 && cmd_reverse;
        wire [31:0] source_at = walking ? source_row : cmd_source;
        wire [31:0] target_at = walking ? target_row : cmd_target;
        wire        last_row  = (walking ? rows_left : cmd_rows) == 16'd1;

        // Reverse: the chunk reaches down to a 256-byte boundary of the target or to the row's start.
        wire [7:0]  chunk_room   = target_row[7:0] + chunk_extent[7:0];
        wire        chunk_is_row = chunk_extent <= {24'd0, chunk_room};
        wire [31:0] chunk_start  = chunk_is_row ? 32'd0 : chunk_extent - {24'd0, chunk_room};
        wire [31:0] first_offset = is_reverse ? chunk_start : 32'd0;

        assign is_void      = cmd_rows == 16'd0 || cmd_row_bytes == 32'd0;
        assign piece_valid  = cmd_valid && (walking ? !seeking : !is_reverse || is_void);
        assign source_first = source_at + first_offset;
        assign source_last  = source_at + (is_reverse ? chunk_extent : source_extent);
        assign target_first = target_at + first_offset;
        assign target_last  = target_at + (is_reverse ? chunk_extent : extent);
        assign is_end       = is_void || (last_row && (!is_reverse || chunk_is_row));
        assign busy         = walking;

        // -------------------------------------------------------------- walk
        wire        start_reverse = cmd_valid && !walking && is_reverse && !is_void;
        wire        row_done      = step && (!is_reverse || chunk_is_row);
        wire        back          = is_reverse && walking && !seeking;
        // Forward + pitch, back - pitch = + ~pitch + 1: the 1 comes in as the carry out of an extra low bit.
        /* verilator lint_off UNUSEDSIGNAL */ // that extra bit
        wire [32:0] source_sum    = {source_at, 1'b1} + {{16{back}}, cmd_source_pitch ^ {16{back}}, back};
        wire [32:0] target_sum    = {target_at, 1'b1} + {{16{back}}, cmd_target_pitch ^ {16{back}}, back};
        /* verilator lint_on UNUSEDSIGNAL */

        always @(posedge clk)
            if (rst) begin
                walking <= 1'b0;
                seeking <= 1'b0;
            end else if (start_reverse) begin
                walking <= 1'b1;
                seeking <= cmd_rows != 16'd1;
            end else begin
                if (step) walking <= !is_end;
                if (seek_left == 16'd1) seeking <= 1'b0;
            end

        always @(posedge clk) begin
            if (start_reverse) begin
                source_row <= cmd_source;
                target_row <= cmd_target;
                rows_left  <= cmd_rows;
                seek_left  <= cmd_rows - 16'd1;
            end else if (row_done || seeking) begin
                source_row <= source_sum[32:1];
                target_row <= target_sum[32:1];
                seek_left  <= seek_left - 16'd1;
                if (row_done) rows_left <= (walking ? rows_left : cmd_rows) - 16'd1;
            end
            if (start_reverse || row_done) chunk_extent <= extent;
            else if (step)                 chunk_extent <= chunk_start - 32'd1;
        end
    end else begin : one_row
        assign is_void      = cmd_row_bytes == 32'd0;
        assign piece_valid  = cmd_valid;
        assign source_first = cmd_source;
        assign source_last  = cmd_source + source_extent;
        assign target_first = cmd_target;
        assign target_last  = cmd_target + extent;
        assign is_end       = 1'b1;
        assign busy         = 1'b0;
        wire unused = &{1'b0, clk, rst, step, cmd_rows, cmd_source_pitch, cmd_target_pitch, cmd_reverse, 1'b0};
    end endgenerate
endmodule

`default_nettype wire
