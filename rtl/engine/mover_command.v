// SPDX-License-Identifier: Apache-2.0
//
// What kind of command the mover has, and how far its rows reach.
//
// It is computed once from the command's words, before the command is cut into pieces. Nothing later looks at
// operation, mode and formats again.
`default_nettype none

module mover_command #(
    parameter FILLS   = 1, // the mover's
    parameter ROWS    = 1,
    parameter REVERSE = 1,
    parameter TILES   = 1,
    parameter PIXELS  = 1
) (
    input  wire        clk,
    input  wire        rst,             // also: forget what was seen

    // The command as it stands at the mover's port; stable from cmd_valid until cmd_ready.
    input  wire        cmd_valid,
    input  wire        cmd_ready,
    input  wire [3:0]  cmd_op,
    input  wire [31:0] cmd_row_bytes,
    input  wire [15:0] cmd_rows,
    input  wire        cmd_reverse,
    input  wire [15:0] cmd_units,
    input  wire [2:0]  cmd_mode,
    input  wire [2:0]  cmd_source_format,
    input  wire [2:0]  cmd_target_format,
    input  wire        cmd_keyed,
    input  wire        cmd_coloured,
    input  wire        cmd_mapped,      // of a BLIT: its source units come one by one
    input  wire [1:0]  cmd_depth,       // likewise: of units that are parts of bytes

    // The answers stand in registers. They hold while is_known: from the cycle after cmd_valid until cmd_ready.
    output reg         is_known,
    output wire        is_fill,
    output wire        is_tile,         // TILE or UNTILE
    output wire        is_untile,
    output wire        is_special,      // goes through the pixel path
    output wire        is_reverse,
    output wire        reads_target,    // BLEND, ROP
    output wire        is_threes,       // FILL repeats three bytes of the pattern
    output wire        is_void,         // moves no byte
    output wire [1:0]  source_size,     // of a conversion's units, bytes minus one; else 0
    output wire [1:0]  target_size,
    output wire [31:0] extent,          // of a row, bytes minus one, on the target side
    output wire [31:0] source_extent,   // and on the source side
    output wire [2:0]  source_rest      // and so many bits more; 7 where units are bytes: the byte is whole
);
`include "gpu_spec.vh"
`include "config.vh"
    localparam [3:0] OP_FILL = 4'd1, OP_BLIT = 4'd2, OP_TILE = 4'd3, OP_UNTILE = 4'd4;

    wire op_fill    = FILLS != 0 && cmd_op == OP_FILL;
    wire op_tile    = TILES != 0 && (cmd_op == OP_TILE || cmd_op == OP_UNTILE);
    wire op_blit    = PIXELS != 0 && cmd_op == OP_BLIT;
    wire converts   = op_blit && cmd_source_format != cmd_target_format;
    wire has_flags  = FORMATS != 0 && (cmd_keyed || cmd_coloured);
    wire special    = op_blit && (cmd_mapped || converts || has_flags || cmd_mode != BLIT_COPY[2:0]);
    wire [1:0] unit_source, unit_target;
    pixel_size source_sizer (.format(converts ? cmd_source_format : FORMAT_BYTES[2:0]), .size(unit_source));
    pixel_size target_sizer (.format(converts ? cmd_target_format : FORMAT_BYTES[2:0]), .size(unit_target));
    // units * (1, 2, 3 or 4)
    wire [17:0] units_once   = unit_source[1] ? {1'b0, cmd_units, 1'b0} : 18'd0;
    wire [17:0] source_bytes = units_once + (unit_source[0] ? {1'b0, cmd_units, 1'b0} : {2'd0, cmd_units});
    // Parts of bytes: units * (4, 2 or 1) bits
    wire        is_small     = MASKS != 0 && op_blit && cmd_depth != 2'd0;
    wire [17:0] source_bits  = cmd_depth == 2'd1 ? {cmd_units, 2'd0} : cmd_depth == 2'd2 ? {1'b0, cmd_units, 1'b0}
                             : {2'd0, cmd_units};
    wire [17:0] units_extent = (is_small ? source_bits : source_bytes) - 18'd1;
    wire [34:0] source_found = is_small ? {17'd0, units_extent} : {14'd0, units_extent, 3'd7};
    wire [31:0] row_extent   = cmd_row_bytes - 32'd1;

    localparam KIND = 12, EXTENTS = 67;
    wire [KIND-1:0] kind_found = {
        op_fill, op_tile, TILES != 0 && cmd_op == OP_UNTILE, special,
        ROWS != 0 && REVERSE != 0 && cmd_reverse && !op_fill && !op_tile && !special,
        special && cmd_mode != BLIT_COPY[2:0] && cmd_mode != BLIT_KEY[2:0],
        PIXELS != 0 && FORMATS != 0 && op_fill && cmd_target_format == FORMAT_RGB888[2:0],
        (ROWS != 0 && cmd_rows == 16'd0) || cmd_row_bytes == 32'd0, unit_source, unit_target};
    wire [EXTENTS-1:0] extents_found = {row_extent, converts ? source_found : {row_extent, 3'd7}};
    reg  [KIND-1:0]    kind;
    reg  [EXTENTS-1:0] extents;
    always @(posedge clk) begin
        kind     <= kind_found;
        extents  <= extents_found;
        is_known <= !rst && cmd_valid && !cmd_ready;
    end
    assign {is_fill, is_tile, is_untile, is_special, is_reverse, reads_target, is_threes, is_void, source_size,
            target_size} = kind;
    assign {extent, source_extent, source_rest} = extents;
    wire unused_parts = &{1'b0, cmd_units, cmd_mode, cmd_source_format, cmd_target_format, cmd_reverse, cmd_rows,
                          cmd_keyed, cmd_coloured, cmd_mapped, cmd_depth, 1'b0};
endmodule

`default_nettype wire
