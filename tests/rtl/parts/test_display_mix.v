// SPDX-License-Identifier: Apache-2.0
//
// Passes of every kind over a ring of pixels, through display_ring.v: what is in the ring at the end is each pixel over
// what was there, rounded to the nearest; slots without a pixel or of the key's colour change nothing.
`default_nettype none
module test_display_mix;
`include "bench.vh"
    reg         rst = 1'b1, valid = 1'b0, is_right, has_pixel, is_rgb565, is_index8, by_alpha, keyed;
    reg         palette_write = 1'b0;
    reg  [9:0]  at;
    reg  [31:0] raw;
    reg  [23:0] key, palette_colour;
    reg  [7:0]  constant, palette_index;
    wire        busy, ring_write;
    wire [9:0]  ring_index;
    wire [47:0] ring_data, ring_word, pixel_word;
    display_mix mix (
        .clk(clk), .rst(rst), .valid(valid), .is_right(is_right), .has_pixel(has_pixel), .at(at), .raw(raw),
        .busy(busy), .is_rgb565(is_rgb565), .is_index8(is_index8), .by_alpha(by_alpha), .keyed(keyed), .key(key),
        .constant(constant), .palette_write(palette_write), .palette_index(palette_index),
        .palette_colour(palette_colour), .ring_write(ring_write), .ring_index(ring_index), .ring_data(ring_data),
        .ring_word(ring_word)
    );
    display_ring ring (.clk(clk), .write(ring_write), .index(ring_index), .data(ring_data), .word(ring_word),
                       .pixel_clk(clk), .pixel_read(1'b1), .pixel_index(at), .pixel_word(pixel_word));
    reg  [23:0] shown [0:2047], palette [0:255], colour;
    integer     i, k, c, n, words, alpha, sum;
    task slot(input right);             // with a pixel at random, in the model too
        begin
            {valid, is_right, raw} = {1'b1, right, pick(6) == 0 ? 32'd0 : random(1'b0)};
            raw[31:24] = some_byte(1'b0);
            has_pixel = pick(5) != 0;
            colour = is_rgb565 ? {raw[15:11], raw[15:13], raw[10:5], raw[10:9], raw[4:0], raw[4:2]}
                   : is_index8 ? palette[raw[7:0]] : raw[23:0];
            alpha = !has_pixel || (keyed && colour == key) ? 0 : by_alpha ? raw[31:24] : keyed ? 255 : constant;
            for (c = 0; c < 3; c = c + 1) begin
                sum = colour[8*c +: 8] * alpha + shown[2*at + right][8*c +: 8] * (255 - alpha) + 128;
                if (alpha != 0) shown[2*at + right][8*c +: 8] = (sum + (sum >> 8)) >> 8;
            end
            tick;
            valid = 1'b0;
        end
    endtask
    initial begin
        for (k = 0; k < 2048; k = k + 1) shown[k] = random(1'b0);
        for (k = 0; k < 1024; k = k + 1) ring.memory[k] = {shown[2*k + 1], shown[2*k]};
        {is_rgb565, is_index8, by_alpha, keyed, key, constant} = 36'd0;
        tick;
        rst = 1'b0;
        for (i = 0; i < 60; i = i + 1) begin
            palette_write = 1'b1;
            for (k = 0; k < 256; k = k + (i == 0 ? 1 : 16)) begin
                palette_index  = k + i;
                palette_colour = random(1'b0);
                palette[palette_index] = palette_colour;
                tick;
            end
            palette_write = 1'b0;
            {is_rgb565, is_index8} = i % 3 == 0 ? 2'b10 : i % 3 == 1 ? 2'b01 : 2'b00;
            {by_alpha, keyed} = i % 4;
            key      = is_index8 ? palette[pick(256)] : 24'd0;
            constant = some_byte(1'b0);
            words    = 1 + pick(40);
            at       = pick(1024);
            for (n = 0; n < words; n = n + 1) begin
                slot(1'b0);
                repeat (pick(3)) begin
                    tick;
                    tick;
                end
                slot(1'b1);
                at = at + 10'd1;
                repeat (2 * pick(2)) tick;
            end
            while (busy) tick;
            for (k = 0; k < (i == 59 ? 1024 : 24); k = k + 1) begin
                at = at - 10'd1;
                tick;
                check(pixel_word, {shown[2*at + 1], shown[2*at]}, {i[15:0], 6'd0, at});
            end
        end
        finish;
    end
endmodule
`default_nettype wire
