// SPDX-License-Identifier: Apache-2.0
//
// A packet, and for draws the addresses found for it, as a command of the mover. Combinational.
`default_nettype none

module node_command #(
    parameter AFFINE  = 0,               // 0: no BLIT_AFFINE
    parameter PALETTE = 0                // 0: there is no INDEX8
) (
    input  wire [191:0] packet,          // COPY, FILL, COPY_2D, TILE, TOUCH write, FILL_RECT, BLIT, BLIT_AFFINE
    input  wire         is_draw,         // one of the last three; the following belong to it
    input  wire [31:0]  target_address,
    input  wire [15:0]  target_pitch,
    input  wire [2:0]   target_format,
    input  wire [31:0]  source_address,
    input  wire [15:0]  source_pitch,
    input  wire [2:0]   source_format,
    input  wire [7:0]   source_mask,
    input  wire [17:0]  row_bytes,       // of the target

    // See mover.v.
    output reg  [3:0]   cmd_op,
    output reg  [31:0]  cmd_source,
    output reg  [31:0]  cmd_target,
    output reg  [31:0]  cmd_row_bytes,
    output reg  [15:0]  cmd_rows,
    output reg  [15:0]  cmd_source_pitch,
    output reg  [15:0]  cmd_target_pitch,
    output wire         cmd_reverse,
    output wire         cmd_barrier,
    output reg  [31:0]  cmd_pattern,
    output wire [2:0]   cmd_mode,
    output wire [2:0]   cmd_source_format,
    output wire [2:0]   cmd_target_format,
    output wire [7:0]   cmd_mask,
    output wire         cmd_premultiplied,
    output wire         cmd_keyed,
    output wire         cmd_coloured,
    output wire [7:0]   cmd_rop,
    output wire [23:0]  cmd_key,
    output wire [15:0]  cmd_units,
    output wire         cmd_mapped,
    output wire [2:0]   cmd_sampling
);
`include "gpu_spec.vh"
    localparam [3:0] OP_COPY   = 4'd0;
    localparam [3:0] OP_FILL   = 4'd1;
    localparam [3:0] OP_BLIT   = 4'd2;
    localparam [3:0] OP_TILE   = 4'd3;
    localparam [3:0] OP_UNTILE = 4'd4;

    wire [31:0] word0  = packet[31:0];
    wire [31:0] word1  = packet[63:32];
    wire [31:0] word2  = packet[95:64];
    wire [31:0] word3  = packet[127:96];
    wire [31:0] word4  = packet[159:128];
    wire [31:0] word5  = packet[191:160];
    wire        untile = word0[PKT_TILE_UNTILE_LSB];

    // A unit's colour, repeated: the pattern is then right whatever the unit's size (3 bytes: the mover repeats them).
    reg [31:0] colour;
    always @(*)
        case (target_format)
            FORMAT_RGB565[2:0], FORMAT_ARGB1555[2:0]: colour = {2{word3[15:0]}};
            FORMAT_BYTES[2:0], FORMAT_A8[2:0]:        colour = {4{word3[7:0]}};
            FORMAT_INDEX8[2:0]:                       colour = PALETTE != 0 ? {4{word3[7:0]}} : word3;
            default:                                  colour = word3;
        endcase

    always @(*) begin
        // COPY
        cmd_op           = OP_COPY;
        cmd_source       = word1;
        cmd_target       = word2;
        cmd_row_bytes    = word3;
        cmd_rows         = 16'd1;
        cmd_source_pitch = 16'd0;
        cmd_target_pitch = 16'd0;
        cmd_pattern      = 32'd0;
        case (word0[7:0])
            PKT_FILL: begin
                cmd_op        = OP_FILL;
                cmd_target    = word1;
                cmd_row_bytes = word2;
                cmd_pattern   = word3;
            end
            PKT_TOUCH: begin
                cmd_op        = OP_FILL;
                cmd_target    = word1;
                cmd_row_bytes = {28'd0, word0[PKT_TOUCH_BYTES_LSB +: PKT_TOUCH_BYTES_WIDTH]};
            end
            PKT_COPY_2D: begin
                cmd_row_bytes    = {16'd0, word3[15:0]};
                cmd_rows         = word3[31:16];
                cmd_source_pitch = word4[15:0];
                cmd_target_pitch = word4[31:16];
            end
            PKT_TILE: begin
                cmd_op           = untile ? OP_UNTILE : OP_TILE;
                cmd_row_bytes    = {16'd0, word3[15:0]};
                cmd_rows         = word3[31:16];
                cmd_source_pitch = untile ? 16'd0 : word4[15:0];
                cmd_target_pitch = untile ? word4[15:0] : 16'd0;
            end
            PKT_FILL_RECT: begin
                cmd_op           = OP_FILL;
                cmd_target       = target_address;
                cmd_row_bytes    = {14'd0, row_bytes};
                cmd_rows         = word2[31:16];
                cmd_target_pitch = target_pitch;
                cmd_pattern      = colour;
            end
            PKT_BLIT, PKT_BLIT_AFFINE: begin
                cmd_op           = OP_BLIT;
                cmd_source       = source_address;
                cmd_target       = target_address;
                cmd_row_bytes    = {14'd0, row_bytes};
                cmd_rows         = word3[31:16];
                cmd_source_pitch = source_pitch;
                cmd_target_pitch = target_pitch;
                cmd_pattern      = word4;
            end
            default: ;
        endcase
    end
    wire is_touch  = word0[7:0] == PKT_TOUCH;
    wire is_blit   = word0[7:0] == PKT_BLIT || cmd_mapped; // which has the same fields in the same places
    assign cmd_mapped        = AFFINE != 0 && word0[7:0] == PKT_BLIT_AFFINE;
    assign cmd_sampling      = {word5[PKT_BLIT_AFFINE_BILINEAR_LSB], word0[PKT_BLIT_AFFINE_REPEAT_LSB],
                                word0[PKT_BLIT_AFFINE_TRANSPARENT_LSB]};
    wire has_flags = !is_touch; // REVERSE and BARRIER lie in the same bits of every other packet, reserved if absent
    assign cmd_reverse       = has_flags && word0[PKT_COPY_REVERSE_LSB];
    assign cmd_barrier       = is_touch || word0[PKT_COPY_BARRIER_LSB];
    assign cmd_mode          = is_blit ? word0[PKT_BLIT_MODE_LSB +: PKT_BLIT_MODE_WIDTH] : 3'd0;
    assign cmd_source_format = is_blit ? source_format : 3'd0;
    assign cmd_target_format = is_draw ? target_format : 3'd0;
    assign cmd_mask          = is_blit ? source_mask : 8'd0;
    assign cmd_premultiplied = is_blit && word0[PKT_BLIT_PREMULTIPLIED_LSB];
    assign cmd_keyed         = is_blit && word0[PKT_BLIT_KEYED_LSB];
    assign cmd_coloured      = is_blit && word0[PKT_BLIT_COLOURED_LSB];
    // Other modes than ROP: how they round.
    assign cmd_rop           = cmd_mode == BLIT_ROP[2:0] ? word5[PKT_BLIT_ROP_LSB +: PKT_BLIT_ROP_WIDTH]
                             : {6'd0, word0[PKT_BLIT_BY_256_LSB], word0[PKT_BLIT_TRUNCATED_LSB]};
    assign cmd_key           = word5[PKT_BLIT_KEY_LSB +: PKT_BLIT_KEY_WIDTH];
    assign cmd_units         = word3[PKT_BLIT_WIDTH_LSB +: PKT_BLIT_WIDTH_WIDTH];
endmodule

`default_nettype wire
