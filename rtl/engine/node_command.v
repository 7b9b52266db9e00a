// SPDX-License-Identifier: Apache-2.0
//
// A packet as a command of the mover, from its second cycle on. Draws bring the addresses found for them.
`default_nettype none

module node_command #(
    parameter NODE    = 0               // the paging node (1) has no use for a BLIT's VALUE
) (
    input  wire         clk,
    input  wire [191:0] packet,          // COPY, FILL, COPY_2D, TILE, TOUCH write, FILL_RECT, BLIT, BLIT_AFFINE
    input  wire         is_draw,         // one of the last three, now; the following belong to it
    input  wire [31:0]  target_address,
    input  wire [15:0]  target_pitch,
    input  wire [2:0]   target_format,
    input  wire [31:0]  source_address,
    input  wire [15:0]  source_pitch,
    input  wire [2:0]   source_format,
    input  wire [7:0]   source_mask,
    input  wire [17:0]  row_bytes,       // of the target

    // See mover.v.
    output wire [3:0]   cmd_op,
    output wire [31:0]  cmd_source,
    output wire [31:0]  cmd_target,
    output wire [31:0]  cmd_row_bytes,
    output wire [15:0]  cmd_rows,
    output wire [15:0]  cmd_source_pitch,
    output wire [15:0]  cmd_target_pitch,
    output wire         cmd_reverse,
    output wire         cmd_barrier,
    output wire [31:0]  cmd_pattern,
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
`include "config.vh"
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

    wire [7:0]  opcode = word0[7:0];
    reg         is_touch, is_fill, is_rect, is_tile, is_2d, is_blit, is_mapped;
    always @(posedge clk) begin
        is_touch  <= opcode == PKT_TOUCH;
        is_fill   <= opcode == PKT_FILL;
        is_rect   <= opcode == PKT_FILL_RECT;
        is_tile   <= opcode == PKT_TILE;
        is_2d     <= opcode == PKT_COPY_2D || opcode == PKT_TILE;
        // A BLIT_AFFINE has a BLIT's fields in the same places.
        is_blit   <= opcode == PKT_BLIT || (MAPS != 0 && NODE == 0 && opcode == PKT_BLIT_AFFINE);
        is_mapped <= MAPS != 0 && NODE == 0 && opcode == PKT_BLIT_AFFINE;
    end

    // What a command has no use for is whatever is at hand: the source and its pitch of what only writes, the pattern
    // of what only moves, both pitches where there is one row, the pitch of a tiled side.
    assign cmd_op           = is_touch || is_fill || is_rect ? OP_FILL : is_blit ? OP_BLIT
                            : !is_tile ? OP_COPY : untile ? OP_UNTILE : OP_TILE;
    assign cmd_source       = is_draw ? source_address : word1;
    assign cmd_target       = is_draw ? target_address : is_touch || is_fill ? word1 : word2;
    assign cmd_source_pitch = is_draw ? source_pitch : word4[15:0];
    assign cmd_target_pitch = is_draw ? target_pitch : is_tile ? word4[15:0] : word4[31:16];
    assign cmd_rows         = is_rect ? word2[31:16] : is_blit || is_2d ? word3[31:16] : 16'd1;
    assign cmd_row_bytes    = is_draw  ? {14'd0, row_bytes}
                            : is_touch ? {28'd0, word0[PKT_TOUCH_BYTES_LSB +: PKT_TOUCH_BYTES_WIDTH]}
                            : is_fill  ? word2 : {is_2d ? 16'd0 : word3[31:16], word3[15:0]};

    // A unit's colour, repeated: the pattern is then right whatever the unit's size (3 bytes: the mover repeats them).
    wire        is_two  = is_draw && (target_format == FORMAT_RGB565[2:0] || target_format == FORMAT_ARGB1555[2:0]);
    wire        is_one  = is_draw && (target_format == FORMAT_BYTES[2:0] || target_format == FORMAT_A8[2:0]
                                      || (PALETTE != 0 && target_format == FORMAT_INDEX8[2:0]));
    wire [31:0] colour  = is_one ? {4{word3[7:0]}} : is_two ? {2{word3[15:0]}} : word3;
    assign cmd_pattern  = NODE == 0 && is_blit ? word4 : is_touch ? 32'd0 : colour;

    assign cmd_mapped        = is_mapped;
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
