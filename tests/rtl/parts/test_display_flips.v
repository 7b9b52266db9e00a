// SPDX-License-Identifier: Apache-2.0
//
// Flips queued, dropped and taken at random, before and in blanks, against a list: each entry is taken in its turn, at
// the first blank that it is due at and at most one a plane, and nothing that is shown changes otherwise.
`default_nettype none
module test_display_flips;
`include "bench.vh"
`include "gpu_spec.vh"
    reg         rst = 1'b1, push = 1'b0, drop = 1'b0, take_begins = 1'b0, taking = 1'b0, now_go = 1'b0, hold = 1'b0;
    reg  [28:0] push_address;
    reg  [31:0] push_frame, push_word, frame, cursor_place;
    reg  [23:0] place, size;
    reg  [32:0] mix;
    reg  [21:0] image;
    wire [2:0]  level, primary_format, overlay_format;
    wire        taken_all, now_waits, takes;
    wire [28:0] primary_address, overlay_address;
    wire [15:0] primary_pitch, overlay_pitch;
    wire [23:0] overlay_place, overlay_size;
    wire [32:0] overlay_mix;
    wire [21:0] cursor_image;
    wire [31:0] cursor_at;
    display_flips flips (
        .clk(clk), .rst(rst), .push(push), .push_address(push_address), .push_frame(push_frame),
        .push_word(push_word), .drop(drop), .level(level), .frame(frame), .take_begins(take_begins),
        .taking(taking), .taken_all(taken_all), .now_waits(now_waits), .now_go(now_go), .takes(takes), .place(place),
        .size(size), .mix(mix), .hold(hold), .image(image), .cursor_place(cursor_place),
        .primary_address(primary_address), .primary_pitch(primary_pitch), .primary_format(primary_format),
        .overlay_address(overlay_address), .overlay_pitch(overlay_pitch), .overlay_format(overlay_format),
        .overlay_place(overlay_place), .overlay_size(overlay_size), .overlay_mix(overlay_mix),
        .cursor_image(cursor_image), .cursor_at(cursor_at)
    );
    // The list, the oldest entry first, and since when that has been the oldest. What is shown, by plane.
    reg  [92:0] list [0:7];             // push_word, push_frame, push_address
    integer     i, k, queued, rests, blanks, taken, ends, none;
    reg  [28:0] address [0:1];
    reg  [15:0] pitch [0:1];
    reg  [2:0]  format [0:1];
    reg  [80:0] placed;
    reg  [53:0] cursor;
    reg  [1:0]  used, when;
    reg         plane, is_now, due, was_taking, is_new; // new: pushed when there was none
    task look;                          // at the oldest entry: what, for which plane, and whether it may go
        begin
            when   = list[0][DISPLAY_FLIP_PUSH_WHEN_LSB + 61 +: 2];
            plane  = list[0][DISPLAY_FLIP_PUSH_OVERLAY_LSB + 61];
            is_now = queued != 0 && when == WHEN_NOW;
            due    = queued != 0 && (is_now || !used[plane] && (when == WHEN_NEXT
                     || when == WHEN_FRAME && $signed(frame - list[0][60:29]) >= 0));
        end
    endtask
    task take;                          // the oldest entry is shown
        begin
            address[plane] = list[0][28:0];
            if (!is_now) begin
                used[plane]  = 1'b1;
                pitch[plane] = list[0][76:61];
                case (list[0][DISPLAY_FLIP_PUSH_FORMAT_LSB + 61 +: 3])
                    FORMAT_XRGB8888: format[plane] = 3'b110;
                    FORMAT_RGB565:   format[plane] = 3'b101;
                    FORMAT_INDEX8:   format[plane] = 3'b100;
                    default:         format[plane] = 3'b010;
                endcase
                if (plane) placed = {place, size, mix};
            end
            for (k = 0; k < 7; k = k + 1) list[k] = list[k + 1];
            queued = queued - 1;
            rests  = 0;
            is_new = 1'b0;
            taken  = taken + 1;
        end
    endtask
    task shown;
        begin
            check({primary_address, primary_pitch, primary_format}, {address[0], pitch[0], format[0]}, i);
            check({overlay_address, overlay_pitch, overlay_format}, {address[1], pitch[1], format[1]}, i);
            check({overlay_place, overlay_size}, placed[80:33], i);
            check(overlay_mix, placed[32:0], i);
            check({cursor_image, cursor_at}, cursor, i);
            check(level, queued, i);
        end
    endtask
    initial begin
        {frame, push_word, push_frame, push_address, place, size, mix, image, cursor_place} = 292'd0;
        for (k = 0; k < 8; k = k + 1) list[k] = 93'd0;
        {queued, rests, blanks, taken, ends, used, is_new} = 163'd0;
        tick;
        check({primary_format, overlay_format, cursor_image, level}, {3'b010, 3'b010, 22'd0, 3'd0}, 0);
        rst = 1'b0;
        // What is shown is unknown until it is flipped: both planes first.
        for (i = 0; i < 24000; i = i + 1) begin
            {place, size, mix} = {random(1'b0), random(1'b0), random(1'b0)};
            {image, cursor_place} = {random(1'b0), random(1'b0)};
            hold = pick(2);
            push = pick(5) == 0;
            {push_address, push_frame, push_word} = {random(1'b0), frame - 32'd3 + pick(6), random(1'b0)};
            push_word[DISPLAY_FLIP_PUSH_WHEN_LSB +: 2] = pick(8) == 0 ? WHEN_NOW : 1 + pick(2);
            push_word[DISPLAY_FLIP_PUSH_FORMAT_LSB +: 3] = pick(5) == 0 ? random(1'b0) : FORMAT_XRGB8888;
            if (i < 8) begin
                push = i < 2;
                {push_word[DISPLAY_FLIP_PUSH_WHEN_LSB +: 2], push_word[DISPLAY_FLIP_PUSH_OVERLAY_LSB]} = {2'd1, i[0]};
                hold = 1'b0;
            end
            drop = i > 20 && pick(60) == 0;
            was_taking = taking;
            if (taking && ends) taking = 1'b0;
            else if (take_begins) {take_begins, taking} = 2'b01;
            else if (!taking && (i == 3 || i > 20 && pick(12) == 0)) take_begins = 1'b1;
            if (!taking && !take_begins && !was_taking && pick(9) == 0)
                frame = pick(50) == 0 ? random(1'b0) : frame + 1;
            #1;
            now_go = now_waits && pick(4) == 0;
            #1;
            look;
            // An entry is known two cycles after it became the oldest.
            if (queued == 0 || rests >= 2) check(now_waits, is_now, i);
            else check(now_waits && !is_now, 1'b0, i);
            if (takes) check((taking ? due : is_now && now_go) && !drop, 1'b1, i);
            else if (rests >= 2 && !drop) check(is_now && now_go || taking && due, 1'b0, i);
            ends = taken_all;
            if (taken_all) begin
                blanks = blanks + 1;
                check(taking && !(due && (rests >= 2 || !is_new)), 1'b1, i);
            end
            if (take_begins) begin
                used = 2'b00;
                if (!hold) cursor = {image, cursor_place};
            end
            none  = queued == 0;
            rests = rests + 1;
            if (push && queued < 4) begin
                list[queued] = {push_word, push_frame, push_address};
                queued = queued + 1;
                if (none) {is_new, rests} = {1'b1, 32'd0};
            end
            if (takes) take;
            if (drop) {queued, rests} = 64'd0;
            tick;
            if (i > 20) shown;
        end
        check(blanks > 500 && taken > 1500, 1'b1, {blanks, taken});
        finish;
    end
endmodule
`default_nettype wire
