// SPDX-License-Identifier: Apache-2.0
//
// Pixel path: everything that a BLIT does to data beyond moving it.
//
// Source and target beats are packed first, the row's first byte in lane 0. So units are in the same places, whatever
// the alignment. Results leave packed, with what the mover's aligner needs to move them to the target's lanes.
//
//   source beats -> aligner -> pixel_unpack -\             6 stages
//                                            step -> expand -> pixel_blend -> pixel_pack -> results
//   target beats -> aligner -> pixel_unpack -/
//
// A step is a whole beat where formats are equal and there is no arithmetic (KEY, KEYED copies, ROP: 8 bytes a cycle;
// not RGB888). Else it is two pixels. A step happens when its beats are there. Rows are counted here; parameters of
// commands come through a small queue.
`default_nettype none

module pixel_path (
    input  wire        clk,
    input  wire        rst,                // also: forget everything

    // A command; must come before its first beat does. Only commands with at least one byte.
    input  wire        param_push,
    output wire        param_room,
    input  wire [2:0]  param_mode,         // BLIT group
    input  wire [2:0]  param_source_format,
    input  wire [2:0]  param_target_format,
    input  wire        param_premultiplied,
    input  wire        param_keyed,
    input  wire        param_coloured,
    input  wire [7:0]  param_rop,          // in other modes: bit 0 TRUNCATED, bit 1 BY_256
    input  wire [23:0] param_key,
    input  wire [31:0] param_value,
    input  wire [2:0]  param_lane,         // target lane of the first row
    input  wire [2:0]  param_pitch_lane,   // target pitch mod 8
    input  wire [17:0] param_row_extent,   // target bytes per row minus one
    input  wire [15:0] param_units,        // per row
    input  wire [15:0] param_rows,
    input  wire [7:0]  param_mask,         // cmd_mask of mover.v
    input  wire        param_mapped,       // units may be left out: two bits for each pair of them come with the beats

    // Of mapped commands: which of two units of a row (at its end: of one) are not written. Before their beat.
    input  wire        pair_push,
    input  wire [1:0]  pair,

    // A colour of the palette, only while no command is under way.
    input  wire        palette_write,
    input  wire [7:0]  palette_index,
    input  wire [31:0] palette_colour,

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
`include "config.vh"

    // ------------------------------------------------------------------ parameters
    // Whole beats where nothing is computed with colours; units of 3 bytes do not fill a beat.
    wire        param_computes = param_mode == BLIT_BLEND[2:0]
                              || (FORMATS != 0 && (param_mode == BLIT_ADD[2:0] || param_mode == BLIT_MOD[2:0]
                                                   || param_coloured || param_target_format == FORMAT_RGB888[2:0]));
    // A step of a mapped command is two units, so that units of 2 bytes are not whole there.
    wire        param_whole    = param_source_format == param_target_format && !param_computes
                              && !(MAPS != 0 && param_mapped && param_unit_size == 2'd1);
    // Whole beats pass as two units of 4 bytes.
    wire [2:0]  param_source_form = param_whole ? FORMAT_ARGB8888[2:0] : param_source_format;
    wire [2:0]  param_target_form = param_whole ? FORMAT_ARGB8888[2:0] : param_target_format;
    wire [1:0]  param_unit_size, param_source_size, param_target_size;
    pixel_size unit_sizer   (.format(param_source_format), .size(param_unit_size));
    pixel_size source_sizer (.format(param_source_form), .size(param_source_size));
    pixel_size target_sizer (.format(param_target_form), .size(param_target_size));
    wire [15:0] pairs_extent   = param_units - 16'd1;
    wire [14:0] param_last     = param_whole ? param_row_extent[17:3] : pairs_extent[15:1];

    localparam  PARAMETERS = MASKS != 0 ? 136 : 128;
    reg         valid;
    wire        full, whole, odd, mapped;
    wire [2:0]  mode, source_format, source_form, target_form, lane_0, pitch_lane, extent;
    wire [1:0]  unit_size, source_size, target_size;
    wire        is_premultiplied, keyed, coloured;
    wire [7:0]  rop;
    wire [23:0] key;
    wire [31:0] value;
    wire [14:0] last_step;
    wire [15:0] rows;
    wire        command_end;
    assign param_room = !full;

    wire [135:0] param_all = {
        param_mask, param_mode, param_source_format, param_source_form, param_target_form, param_unit_size,
        param_source_size, param_target_size, param_premultiplied, param_keyed, param_coloured, param_rop, param_key,
        param_value, param_lane, param_pitch_lane, param_whole, param_last, !pairs_extent[0], param_row_extent[2:0],
        param_rows, MAPS != 0 && param_mapped};
    wire                  oldest_valid, oldest_pop;
    wire [PARAMETERS-1:0] oldest;
    reg  [PARAMETERS-1:0] current;
    sync_fifo #(.WIDTH(PARAMETERS), .LOG2_DEPTH(2)) parameters (
        .clk       (clk),
        .rst       (rst),
        .push      (param_push),
        .push_data (param_all[PARAMETERS-1:0]),
        .full      (full),
        .pop       (oldest_pop),
        .data      (oldest),
        .valid     (oldest_valid)
    );
    assign {mode, source_format, source_form, target_form, unit_size, source_size, target_size, is_premultiplied, keyed,
            coloured, rop, key, value, lane_0, pitch_lane, whole, last_step, odd, extent, rows, mapped}
        = current[127:0];
    // A command's parameters stand in registers, two cycles after the queue. So does what its first row begins with.
    wire [2:0]  new_lane;
    wire [14:0] new_last;
    wire [15:0] new_rows;
    assign new_lane   = oldest[42:40];
    assign new_last   = oldest[35:21];
    assign new_rows   = oldest[16:1];
    assign oldest_pop = oldest_valid && !valid && (advance || !filled[0]); // a step in in_source needs them
    wire unused_first = &{1'b0, lane_0, rows, 1'b0};
    always @(posedge clk) begin
        if (oldest_pop) current <= oldest;
        valid <= !rst && (oldest_pop || (valid && !command_end));
    end

    wire is_blend    = mode == BLIT_BLEND[2:0];
    wire is_key      = mode == BLIT_KEY[2:0];
    wire is_rop      = mode == BLIT_ROP[2:0];
    wire is_add      = FORMATS != 0 && mode == BLIT_ADD[2:0];
    wire is_mod      = FORMATS != 0 && mode == BLIT_MOD[2:0];
    wire is_keyed    = FORMATS != 0 && keyed;
    wire is_coloured = FORMATS != 0 && coloured;
    wire is_truncated = FORMATS != 0 && !is_rop && rop[0];
    wire is_by_256   = FORMATS != 0 && !is_rop && rop[1];
    wire computes    = is_blend || is_add || is_mod;
    wire needs_target = computes || is_rop;

    // ------------------------------------------------------------------ packed beats
    wire        s_valid, s_take, s_error;
    wire [63:0] s_beat;
    mover_aligner #(.LANE(8), .ERROR(1)) source_packer (
        .clk       (clk),
        .rst       (rst),
        .still     (1'b0),
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
        .still     (1'b0),
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
    reg  [14:0] steps_left;                // in the row, after this one
    reg         row_end;                   // none is
    reg  [15:0] rows_left;                 // with this one
    reg         last_row;
    reg  [2:0]  lane;                      // of the row
    reg  [1:0]  phase;                     // steps of the row modulo 4
    reg         draining;                  // one more step for bytes that pixel_pack holds after the row's last pair

    wire        s_ends, s_pair_valid, s_pair_error, t_ends, t_pair_valid, t_pair_error;
    wire        advance    = !out_valid || out_ready;
    wire        pair_valid;
    wire [1:0]  left_out;
    wire        fire       = valid && pair_valid && s_pair_valid && (t_pair_valid || !needs_target) && advance
                          && !draining;
    wire        step       = fire || (draining && advance);
    wire        is_three   = FORMATS != 0 && target_size == 2'd2;
    wire        overflows  = is_three && !draining && (phase == 2'd1 || (phase == 2'd2 && !odd));
    wire        row_done   = row_end && !overflows;
    wire        emit       = target_size == 2'd3 || (target_size == 2'd1 && phase[0])
                          || (is_three && phase != 2'd0) || row_end;
    wire        row_flush  = extent > ~lane;                    // the end's lane + lane is 8 or more
    assign command_end = step && row_done && last_row;
    assign s_take      = fire && s_ends;
    assign t_take      = fire && needs_target && t_ends;

    always @(posedge clk)
        if (rst) begin
            phase    <= 2'd0;
            draining <= 1'b0;
        end else if (step) begin
            draining <= row_end && !row_done;
            phase    <= row_done ? 2'd0 : row_end ? phase : phase + 2'd1;
        end
    wire row_begins = oldest_pop || (step && row_done);
    always @(posedge clk)
        if (row_begins) begin
            steps_left <= oldest_pop ? new_last : last_step;
            row_end    <= oldest_pop ? new_last == 15'd0 : last_step == 15'd0;
            rows_left  <= oldest_pop ? new_rows : rows_left - 16'd1;
            last_row   <= oldest_pop ? new_rows == 16'd1 : rows_left == 16'd2;
            lane       <= oldest_pop ? new_lane : lane + pitch_lane;
        end else if (step && !row_end) begin
            steps_left <= steps_left - 15'd1;
            row_end    <= steps_left == 15'd1;
        end

    // ------------------------------------------------------------------ rows of parts of bytes
    // Where a row begins in its first byte, in bits, goes from row to row as its lane does. Pairs are told by the place
    // of their unit with an even place: the first, or, in a row that begins with an odd one, the second.
    wire [1:0] depth;
    wire       is_late;                    // the row begins with a unit of odd place
    wire [2:0] place;                      // see pixel_parts.v
    wire [1:0] chunk;                      // see pixel_unpack.v
    wire       last_part, crosses;
    generate if (MASKS != 0) begin : parts
        reg  [2:0] bits;                   // where the row begins in its first byte
        reg        late;
        reg  [4:0] part;                   // half the place of the pair's unit that is even, from the row's first beat
        reg  [6:0] pair_at;
        wire [2:0] new_bits  = oldest_pop ? oldest[132:130] : bits + current[135:133];
        wire [1:0] new_depth = oldest_pop ? oldest[129:128] : depth;
        wire [2:0] begins = new_depth == 2'd1 ? {2'd0, new_bits[2]}
                          : new_depth == 2'd2 ? {1'b0, new_bits[2:1]} : new_bits;
        wire [4:0] new_part = row_begins ? {3'd0, begins[2:1]} + {4'd0, begins[0]} : part + 5'd1;
        assign depth   = current[129:128];
        assign is_late = late;
        assign {crosses, chunk, place, last_part} = pair_at;
        wire       new_late = row_begins ? begins[0] : late;
        reg  [5:0] new_at;
        always @(*)
            case (new_depth)
                2'd1:    new_at = {new_part[2:1], new_part[0], 2'd0, &new_part[2:0]};
                2'd2:    new_at = {new_part[3:2], new_part[1:0], 1'd0, &new_part[3:0]};
                2'd3:    new_at = {new_part[4:3], new_part[2:0], &new_part};
                default: new_at = {row_begins ? 2'd0 : phase + 2'd1, 3'd0, !row_begins && phase == 2'd2};
            endcase
        always @(posedge clk)
            if (row_begins) begin
                bits <= new_bits;
                late <= begins[0];
            end
        // A pair crosses into the beat before where a late row's is the first of its beat; never a row's first pair,
        // which begins in its first byte.
        always @(posedge clk)
            if (row_begins || (step && !row_end)) begin
                part    <= new_part;
                pair_at <= {new_depth != 2'd0 && new_late && new_at[5:1] == 5'd0, new_at};
            end
        wire unused = &{1'b0, current[132:130], 1'b0};
    end else begin : whole_bytes
        assign {depth, is_late, place, crosses} = 7'd0;
        assign chunk     = phase;
        assign last_part = phase == 2'd3;
        wire unused = &{1'b0, param_all[135:128], 1'b0};
    end endgenerate

    // ------------------------------------------------------------------ units that are left out
    generate if (MAPS != 0) begin : pairs
        wire       is_there, pairs_full;
        wire [1:0] front;
        sync_fifo #(.WIDTH(2), .LOG2_DEPTH(4)) waiting (
            .clk(clk), .rst(rst), .push(pair_push), .push_data(pair), .full(pairs_full), .pop(fire && mapped),
            .data(front), .valid(is_there)
        );
        assign pair_valid = !mapped || is_there;
        assign left_out   = front & {2{mapped}};
        wire unused = &{1'b0, pairs_full, 1'b0};
    end else begin : all_written
        assign pair_valid = 1'b1;
        assign left_out   = 2'b00;
        wire unused = &{1'b0, pair_push, pair, param_mapped, mapped, 1'b0};
    end endgenerate

    // ------------------------------------------------------------------ units, colours
    wire [31:0] s_unit_0, s_unit_1, t_unit_0, t_unit_1;
    wire [63:0] s_colours, t_colours;
    pixel_unpack source_unpack (
        .clk        (clk),
        .chunk      (chunk),
        .last_part  (last_part),
        .crosses    (crosses),
        .size       (source_size),
        .phase      (phase),
        .row_end    (row_end),
        .single     (odd),
        .beat_valid (s_valid),
        .beat       (s_beat),
        .beat_error (s_error),
        .beat_ends  (s_ends),
        .pair_valid (s_pair_valid),
        .step       (fire),
        .unit_0     (s_unit_0),
        .unit_1     (s_unit_1),
        .error      (s_pair_error)
    );
    pixel_unpack target_unpack (
        .clk        (clk),
        .chunk      (phase),
        .last_part  (phase == 2'd3),
        .crosses    (1'b0),
        .size       (target_size),
        .phase      (phase),
        .row_end    (row_end),
        .single     (odd),
        .beat_valid (t_valid),
        .beat       (t_beat),
        .beat_error (t_error),
        .beat_ends  (t_ends),
        .pair_valid (t_pair_valid),
        .step       (fire && needs_target),
        .unit_0     (t_unit_0),
        .unit_1     (t_unit_1),
        .error      (t_pair_error)
    );
    // A step's units stand in registers, with what the stages after it are told.
    reg  [63:0] in_source, in_target;
    reg  [3:0]  in_part;                   // is_late, place
    reg  [12:0] in_tags;
    reg  [5:0]  filled;                    // stages with a step
    always @(posedge clk)
        if (advance) begin
            in_source <= {s_unit_1, s_unit_0};
            in_target <= {t_unit_1, t_unit_0};
            in_part   <= {is_late, place};
            in_tags   <= {phase, draining, emit, lane, row_flush && row_done, command_end, left_out,
                          s_pair_error && !draining, t_pair_error && needs_target && !draining};
        end

    wire [63:0] colours_in;                // of the source: what is smaller than a byte is alpha
    generate if (MASKS != 0) begin : small_units
        wire [15:0] made;
        pixel_parts parts (
            .clk(clk), .step(advance && filled[0]), .depth(depth), .is_late(in_part[3]), .place(in_part[2:0]),
            .pair({in_source[39:32], in_source[7:0]}), .made(made)
        );
        reg  is_small;
        always @(posedge clk) is_small <= depth != 2'd0;
        assign colours_in = is_small ? {made[15:8], 24'hffffff, made[7:0], 24'hffffff} : s_colours;
    end else begin : whole_units
        assign colours_in = s_colours;
        wire unused = &{1'b0, in_part, depth, 1'b0};
    end endgenerate

    // Both together, in BLEND, are LVGL's rounding: a source of 5 and 6 bits is expanded as the target has room for it.
    // Of the command, in registers: a step's units come a cycle after its parameters.
    function pads(input [2:0] form, input by_256); // bits 2:0, 9:8 and 18:16 are zeros, whatever pixel_expand.v says
        pads = FORMATS != 0 && by_256 && (form == FORMAT_RGB565[2:0] || form == FORMAT_ARGB1555[2:0]);
    endfunction
    wire       is_even  = is_blend && is_by_256 && is_truncated;
    wire       coarse   = is_even && pads(target_form, is_by_256);
    wire       s_by_256 = is_by_256 && (!is_even || coarse);
    reg  [1:0] rounding, s_rounding;
    reg        is_mask, is_coarse, is_by_32, s_padded, t_padded;
    always @(posedge clk) begin
        rounding   <= {is_by_256, is_truncated};
        s_rounding <= {s_by_256, is_truncated};
        is_mask    <= source_form == FORMAT_A8[2:0];
        is_coarse  <= coarse;
        is_by_32   <= coarse && (source_form == FORMAT_A8[2:0] || pads(source_form, s_by_256));
        s_padded   <= pads(source_form, s_by_256);
        t_padded   <= pads(target_form, is_by_256);
    end
    pixel_expand source_0 (
        .format(source_form), .rounding(s_rounding), .stored(in_source[31:0]), .colour(s_colours[31:0])
    );
    pixel_expand source_1 (
        .format(source_form), .rounding(s_rounding), .stored(in_source[63:32]), .colour(s_colours[63:32])
    );
    pixel_expand target_0 (
        .format(target_form), .rounding(rounding), .stored(in_target[31:0]), .colour(t_colours[31:0])
    );
    pixel_expand target_1 (
        .format(target_form), .rounding(rounding), .stored(in_target[63:32]), .colour(t_colours[63:32])
    );

    // ------------------------------------------------------------------ key, raster operation
    // KEY compares whole units, KEYED their colour bits. Whole beats hold four units of 2 bytes or two of 4.
    wire        has_byte  = unit_size == 2'd3 && !is_keyed;     // of alpha, compared
    wire        has_bit   = is_keyed && source_format == FORMAT_ARGB1555[2:0];
    wire        is_two    = unit_size == 2'd1;
    wire        is_one    = PALETTE != 0 && unit_size == 2'd0;
    wire [31:0] compared  = is_keyed ? {8'd0, key} : value;
    wire [31:0] key_bits  = {{8{has_byte}}, {8{!is_two && !is_one}}, !has_bit && !is_one, {7{!is_one}}, 8'hff};
    wire [31:0] key_32    = compared & key_bits;
    wire [15:0] key_16    = compared[15:0] & key_bits[15:0];
    wire [3:0]  equal_16;
    genvar i;
    generate for (i = 0; i < 4; i = i + 1) begin : twos
        assign equal_16[i] = (in_source[16*i +: 16] & key_bits[15:0]) == key_16;
    end endgenerate
    wire [1:0] equal_unit = {(in_source[63:32] & key_bits) == key_32, (in_source[31:0] & key_bits) == key_32};
    wire [7:0] key_mask   = whole && is_two ? ~{{2{equal_16[3]}}, {2{equal_16[2]}}, {2{equal_16[1]}}, {2{equal_16[0]}}}
                                            : ~{{4{equal_unit[1]}}, {4{equal_unit[0]}}};

    wire [31:0] pattern_word = unit_size == 2'd0 ? {4{value[7:0]}} : is_two ? {2{value[15:0]}} : value;
    wire [63:0] pattern = {2{pattern_word}};
    wire [63:0] rop_beat = (pattern & ((in_source & ((in_target & {64{rop[7]}}) | (~in_target & {64{rop[6]}})))
                                     | (~in_source & ((in_target & {64{rop[5]}}) | (~in_target & {64{rop[4]}})))))
                         | (~pattern & ((in_source & ((in_target & {64{rop[3]}}) | (~in_target & {64{rop[2]}})))
                                      | (~in_source & ((in_target & {64{rop[1]}}) | (~in_target & {64{rop[0]}})))));

    // ------------------------------------------------------------------ pipeline: expanded, four of pixel_blend
    localparam TAGS = 22;
    reg  [63:0]       first_source;
    reg  [63:0]       first_target;
    reg               first_scale, first_blend, first_add, first_mod, first_premultiplied;
    reg               first_truncated, first_by_256, first_coarse, first_by_32;
    reg  [7:0]        first_constant;
    reg  [23:0]       first_factors;
    reg  [TAGS-1:0]   tags_0, tags_1, tags_2, tags_3, tags_4;

    always @(posedge clk)
        if (advance) begin
            first_source        <= is_rop ? rop_beat : colours_in;
            first_target        <= t_colours;
            first_scale         <= computes || is_coloured;
            first_blend         <= is_blend;
            first_add           <= is_add;
            first_mod           <= is_mod;
            first_premultiplied <= is_premultiplied;
            first_truncated     <= is_truncated;
            first_by_256        <= is_by_256;
            first_coarse        <= is_coarse;
            first_by_32         <= is_by_32;
            first_constant      <= value[7:0];
            first_factors       <= is_coloured ? value[31:8] : is_premultiplied ? {3{value[7:0]}} : 24'hffffff;
            tags_0 <= {target_form, in_tags[12:4],
                       (is_key || is_keyed ? key_mask : 8'hff) & ~{{4{in_tags[3]}}, {4{in_tags[2]}}}, in_tags[1:0]};
            tags_1 <= tags_0;
            tags_2 <= tags_1;
            tags_3 <= tags_2;
            tags_4 <= tags_3;
            // What BY_256 pads with zeros, see pixel_expand; when even, also what another source has there.
            // A colour of a palette comes later and stays as it is.
            if (s_padded || (is_coarse && !is_mask))
                {first_source[18:16], first_source[9:8], first_source[2:0]} <= 8'd0;
            if (s_padded || (is_coarse && !is_mask))
                {first_source[50:48], first_source[41:40], first_source[34:32]} <= 8'd0;
            if (t_padded) {first_target[18:16], first_target[9:8], first_target[2:0]} <= 8'd0;
            if (t_padded) {first_target[50:48], first_target[41:40], first_target[34:32]} <= 8'd0;
        end
    always @(posedge clk)
        if (rst)          filled <= 6'd0;
        else if (advance) filled <= {filled[4:0], step};

    // ------------------------------------------------------------------ palette
    // A copy of the table for each of the two units of a step: block RAMs whose output stands with first_source.
    wire [63:0] source_colours;
    generate if (PALETTE != 0) begin : looked_up
        (* no_rw_check *) // never both
        reg  [31:0] colours_0 [0:255];
        (* no_rw_check *)
        reg  [31:0] colours_1 [0:255];
        reg  [31:0] found_0, found_1;
        reg         is_indexed;
        always @(posedge clk) begin
            if (palette_write) begin
                colours_0[palette_index] <= palette_colour;
                colours_1[palette_index] <= palette_colour;
            end
            if (advance) begin
                found_0    <= colours_0[in_source[7:0]];
                found_1    <= colours_1[in_source[39:32]];
                is_indexed <= source_form == FORMAT_INDEX8[2:0];
            end
        end
        assign source_colours = is_indexed ? {found_1, found_0} : first_source;
    end else begin : not_looked_up
        assign source_colours = first_source;
        wire unused = &{1'b0, palette_write, palette_index, palette_colour, 1'b0};
    end endgenerate

    wire [63:0] colours;
    generate for (i = 0; i < 2; i = i + 1) begin : pixels
        pixel_blend one (
            .clk           (clk),
            .enable        (advance),
            .scale         (first_scale),
            .blend         (first_blend),
            .add           (first_add),
            .multiply      (first_mod),
            .premultiplied (first_premultiplied),
            .truncated     (first_truncated),
            .by_256        (first_by_256),
            .coarse        (first_coarse),
            .by_32         (first_by_32),
            .constant      (first_constant),
            .factors       (first_factors),
            .source        (source_colours[32*i +: 32]),
            .target        (first_target[32*i +: 32]),
            .result        (colours[32*i +: 32])
        );
    end endgenerate

    // ------------------------------------------------------------------ pack
    wire [2:0] last_form;
    wire [1:0] last_phase;
    wire       last_drain, is_emitted, has_s_error, has_t_error;
    wire [7:0] mask;
    assign {last_form, last_phase, last_drain, is_emitted, out_shift, out_flush, out_end, mask, has_s_error,
            has_t_error} = tags_4;
    assign out_valid = filled[5] && is_emitted;

    pixel_pack pack (
        .clk       (clk),
        .step      (advance && filled[5]),
        .format    (last_form),
        .phase     (last_phase),
        .drain     (last_drain),
        .colours   (colours),
        .mask      (mask),
        .error     ({has_t_error, has_s_error}),
        .out_data  (out_data),
        .out_mask  (out_mask),
        .out_error (out_error)
    );
endmodule

`default_nettype wire
