// SPDX-License-Identifier: Apache-2.0
//
// Pixel path: everything a BLIT does to data beyond moving it. Source and target beats are first packed (the
// row's first byte to lane 0), so that units lie alike whatever the surfaces' alignment; results leave packed,
// with what the mover's aligner needs to bring them to the target's lanes.
//
//   source beats -> aligner -> [pixels]-\                  5 stages
//                                        step -> blend or pass -> pack -> results
//   target beats -> aligner -> [pixels]-/
//
// A step is a whole beat where formats are equal and no arithmetic is needed (KEY, ROP: 8 bytes per cycle),
// else two pixels: 8 bytes per cycle on an ARGB8888 side, 4 on an RGB565 side. A step happens when the beats it
// needs are there; rows are counted here, commands come through a small queue of parameters.
`default_nettype none

module pixel_path (
    input  wire        clk,
    input  wire        rst,                // also: forget everything

    // A command; must come before its first beat does. Only commands with at least one byte.
    input  wire        param_push,
    output wire        param_room,
    input  wire [1:0]  param_mode,         // BLIT group
    input  wire [2:0]  param_source_format,
    input  wire [2:0]  param_target_format,
    input  wire        param_premultiplied,
    input  wire [7:0]  param_rop,
    input  wire [31:0] param_value,
    input  wire [2:0]  param_lane,         // target lane of the first row
    input  wire [2:0]  param_pitch_lane,   // target pitch mod 8
    input  wire [17:0] param_row_extent,   // target bytes per row minus one
    input  wire [15:0] param_rows,

    // Beats as read, with the tags that bring them to lane 0.
    input  wire        source_valid,
    output wire        source_ready,
    input  wire [63:0] source_data,
    input  wire [2:0]  source_shift,
    input  wire        source_prime,
    input  wire        source_flush,
    input  wire        source_error,
    input  wire        target_valid,
    output wire        target_ready,
    input  wire [63:0] target_data,
    input  wire [2:0]  target_shift,
    input  wire        target_prime,
    input  wire        target_flush,
    input  wire        target_error,

    // Results, packed.
    output wire        out_valid,
    input  wire        out_ready,
    output wire [63:0] out_data,
    output wire [7:0]  out_mask,           // bytes to write
    output wire [2:0]  out_shift,          // to the target's lanes
    output wire        out_flush,
    output wire [1:0]  out_error,          // bit 0 source, bit 1 target
    output wire        out_end             // last beat of its command
);
`include "gpu_spec.vh"

    // ------------------------------------------------------------------ parameters
    wire        valid, full;
    wire [1:0]  mode;
    wire [2:0]  source_format, target_format, lane_0, pitch_lane;
    wire        premultiplied;
    wire [7:0]  rop;
    wire [31:0] value;
    wire [17:0] row_extent;
    wire [15:0] rows;
    wire        command_end;
    assign param_room = !full;

    sync_fifo #(.WIDTH(89), .LOG2_DEPTH(2)) parameters (
        .clk       (clk),
        .rst       (rst),
        .push      (param_push),
        .push_data ({param_mode, param_source_format, param_target_format, param_premultiplied, param_rop, param_value,
                     param_lane, param_pitch_lane, param_row_extent, param_rows}),
        .full      (full),
        .pop       (command_end),
        .data      ({mode, source_format, target_format, premultiplied, rop, value,
                     lane_0, pitch_lane, row_extent, rows}),
        .valid     (valid)
    );

    wire source_565  = source_format == FORMAT_RGB565[2:0];
    wire target_565  = target_format == FORMAT_RGB565[2:0];
    wire is_blend    = mode == BLIT_BLEND[1:0];
    wire is_key      = mode == BLIT_KEY[1:0];
    wire is_rop      = mode == BLIT_ROP[1:0];
    wire whole       = source_format == target_format && !is_blend;
    wire needs_target = is_blend || is_rop;

    // ------------------------------------------------------------------ packed beats
    wire        s_valid, s_take, s_error;
    wire [63:0] s_beat;
    mover_aligner #(.LANE(8), .ERROR(1)) source_packer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (source_valid),
        .in_ready  (source_ready),
        .in_data   (source_data),
        .in_shift  (source_shift),
        .in_prime  (source_prime),
        .in_flush  (source_flush),
        .in_error  (source_error),
        .pattern   (1'b0),
        .out_valid (s_valid),
        .out_ready (s_take),
        .out_data  (s_beat),
        .out_error (s_error)
    );
    wire        t_valid, t_take, t_error;
    wire [63:0] t_beat;
    mover_aligner #(.LANE(8), .ERROR(1)) target_packer (
        .clk       (clk),
        .rst       (rst),
        .in_valid  (target_valid),
        .in_ready  (target_ready),
        .in_data   (target_data),
        .in_shift  (target_shift),
        .in_prime  (target_prime),
        .in_flush  (target_flush),
        .in_error  (target_error),
        .pattern   (1'b0),
        .out_valid (t_valid),
        .out_ready (t_take),
        .out_data  (t_beat),
        .out_error (t_error)
    );

    // ------------------------------------------------------------------ steps
    reg  [15:0] step_index;                // in the row
    reg  [15:0] row_index;
    reg  [2:0]  lane;                      // of the row, when not the first
    reg         s_upper;                   // the step takes the upper half of a beat
    reg         t_upper;

    wire        advance    = !out_valid || out_ready;
    wire        fire       = valid && s_valid && (t_valid || !needs_target) && advance;
    wire        fine       = target_565 && !whole;             // steps of 4 target bytes, else of 8
    wire [15:0] last_step  = fine ? row_extent[17:2] : {1'b0, row_extent[17:3]};
    wire        row_end    = step_index == last_step;
    wire        emit       = !fine || t_upper || row_end;
    wire [15:0] row_next   = row_index + 16'd1;
    wire [2:0]  row_lane   = row_index == 16'd0 ? lane_0 : lane;
    wire        row_flush  = row_extent[2:0] > ~row_lane;       // the end's lane + row_lane is 8 or more
    assign command_end = fire && row_end && row_next == rows;
    assign s_take      = fire && (whole || !source_565 || s_upper || row_end);
    assign t_take      = fire && needs_target && emit;

    always @(posedge clk)
        if (rst) begin
            step_index <= 16'd0;
            row_index  <= 16'd0;
            s_upper    <= 1'b0;
            t_upper    <= 1'b0;
        end else if (fire) begin
            step_index <= row_end ? 16'd0 : step_index + 16'd1;
            s_upper    <= !s_take;
            t_upper    <= !emit;
            if (row_end) row_index <= command_end ? 16'd0 : row_next;
        end
    always @(posedge clk)
        if (fire && row_end) lane <= row_lane + pitch_lane;

    // ------------------------------------------------------------------ whole beats: key, raster operation
    wire [63:0] s_colours, t_colours;
    wire [31:0] s_raw, t_raw;
    pixel_pair source_pair (.beat(s_beat), .is_565(source_565), .upper(s_upper), .colours(s_colours), .raw(s_raw));
    pixel_pair target_pair (.beat(t_beat), .is_565(target_565), .upper(t_upper), .colours(t_colours), .raw(t_raw));

    // Units of the beat (565: four, 8888: two) that equal the key; of the pair when formats differ.
    wire [3:0] key_16 = {s_beat[63:48] == value[15:0], s_beat[47:32] == value[15:0],
                         s_beat[31:16] == value[15:0], s_beat[15:0] == value[15:0]};
    wire [1:0] key_pair = source_565 ? (s_upper ? key_16[3:2] : key_16[1:0])
                                     : {s_beat[63:32] == value, s_beat[31:0] == value};
    wire [7:0] key_mask = whole && source_565 ? ~{{2{key_16[3]}}, {2{key_16[2]}}, {2{key_16[1]}}, {2{key_16[0]}}}
                                              : ~{{4{key_pair[1]}}, {4{key_pair[0]}}};

    wire [31:0] pattern_word = source_format == FORMAT_BYTES[2:0] ? {4{value[7:0]}}
                             : source_565 ? {2{value[15:0]}} : value;
    wire [63:0] pattern = {2{pattern_word}};
    wire [63:0] rop_beat = (pattern & ((s_beat & ((t_beat & {64{rop[7]}}) | (~t_beat & {64{rop[6]}})))
                                     | (~s_beat & ((t_beat & {64{rop[5]}}) | (~t_beat & {64{rop[4]}})))))
                         | (~pattern & ((s_beat & ((t_beat & {64{rop[3]}}) | (~t_beat & {64{rop[2]}})))
                                      | (~s_beat & ((t_beat & {64{rop[1]}}) | (~t_beat & {64{rop[0]}})))));

    // ------------------------------------------------------------------ pipeline: step register, four of blending
    localparam TAGS = 18;
    reg  [63:0]       first_source;
    reg  [63:0]       first_target;
    reg               first_blend, first_premultiplied;
    reg  [7:0]        first_constant;
    reg  [TAGS-1:0]   tags_0, tags_1, tags_2, tags_3, tags_4;
    reg  [4:0]        filled;

    always @(posedge clk)
        if (advance) begin
            first_source        <= is_rop ? rop_beat : whole ? s_beat : s_colours;
            first_target        <= t_colours;
            first_blend         <= is_blend;
            first_premultiplied <= premultiplied;
            first_constant      <= value[7:0];
            tags_0 <= {fine, t_upper, emit, row_lane, row_flush && row_end, command_end, is_key ? key_mask : 8'hff,
                        s_error, t_error && needs_target};
            tags_1 <= tags_0;
            tags_2 <= tags_1;
            tags_3 <= tags_2;
            tags_4 <= tags_3;
        end
    always @(posedge clk)
        if (rst)          filled <= 5'd0;
        else if (advance) filled <= {filled[3:0], fire};

    wire [63:0] colours;
    genvar i;
    generate for (i = 0; i < 2; i = i + 1) begin : pixels
        pixel_blend one (
            .clk           (clk),
            .enable        (advance),
            .blend         (first_blend),
            .premultiplied (first_premultiplied),
            .constant      (first_constant),
            .source        (first_source[32*i +: 32]),
            .target        (first_target[32*i +: 32]),
            .result        (colours[32*i +: 32])
        );
    end endgenerate

    // ------------------------------------------------------------------ pack
    wire        is_fine, is_upper, is_emitted, has_s_error, has_t_error;
    wire [7:0]  mask;
    assign {is_fine, is_upper, is_emitted, out_shift, out_flush, out_end, mask, has_s_error, has_t_error} = tags_4;

    wire [31:0] reduced = {colours[55:51], colours[47:42], colours[39:35],   // truncated to 5, 6, 5 bits
                           colours[23:19], colours[15:10], colours[7:3]};
    wire [3:0]  reduced_mask = {{2{mask[4]}}, {2{mask[0]}}};

    reg  [31:0] lower;                     // first half of a beat of RGB565
    reg  [3:0]  lower_mask;
    reg  [1:0]  lower_error;
    always @(posedge clk)
        if (advance && filled[4]) begin
            lower       <= reduced;
            lower_mask  <= reduced_mask;
            lower_error <= {has_t_error, has_s_error};
        end

    assign out_valid = filled[4] && is_emitted;
    assign out_data  = !is_fine ? colours : is_upper ? {reduced, lower} : {32'd0, reduced};
    assign out_mask  = !is_fine ? mask : is_upper ? {reduced_mask, lower_mask} : {4'd0, reduced_mask};
    assign out_error = {has_t_error, has_s_error} | (is_fine && is_upper ? lower_error : 2'd0);

    wire unused = &{1'b0, s_raw, t_raw, 1'b0};
endmodule

`default_nettype wire
