// SPDX-License-Identifier: Apache-2.0
//
// The raster: counts the pixels and lines of a mode in the pixel's clock and shows what is in the ring of pixels
// (display_ring.v). All of the timing is still while it runs.
//
// Words of the ring, two pixels each, are read by position: every two visible pixels are the next word, whether it is
// there or not. A word that is not is shown black, is counted, and shifts nothing. Events for the other clock are
// flips of a level.
`default_nettype none
module display_raster (
    input  wire        pixel_clk,
    input  wire        pixel_rst,

    // From the chip's clock: steady while `running`, but `enable`.
    input  wire        enable,
    input  wire        hsync_high,
    input  wire        vsync_high,
    input  wire [11:0] h_visible,
    input  wire [11:0] h_sync,
    input  wire [11:0] h_sync_end,
    input  wire [11:0] h_total,
    input  wire [11:0] v_visible,
    input  wire [11:0] v_sync,
    input  wire [11:0] v_sync_end,
    input  wire [11:0] v_total,
    input  wire [11:0] lead,                // pixel clocks from `take` to the first visible pixel
    input  wire [11:0] made_gray,           // words of the ring that are made, free running

    // To the chip's clock.
    output reg         running,
    output reg         blank,               // flips: a vertical blank begins
    output reg         line,                // flips: a line begins
    output reg         soon,                // flips: a line before `take`
    output reg         take,                // flips: the next frame is to be made
    output reg         missed,              // flips: four pixels were missing
    output reg  [11:0] read_gray,           // words read

    // Port of the ring: the word is there a cycle later and stays.
    output wire        ring_read,
    output wire [9:0]  ring_index,
    input  wire [47:0] ring_word,           // the left pixel in the low half

    output reg         hsync,
    output reg         vsync,
    output reg         visible,
    output reg  [23:0] colour               // red 23:16, green, blue; black outside the picture
);
    function [11:0] from_gray(input [11:0] gray);
        integer i;
        begin
            from_gray[11] = gray[11];
            for (i = 10; i >= 0; i = i - 1) from_gray[i] = from_gray[i+1] ^ gray[i];
        end
    endfunction

    reg  [1:0]  enable_seen;
    reg  [11:0] made_seen0, made_seen1, made;
    always @(posedge pixel_clk) begin
        enable_seen <= pixel_rst ? 2'b00 : {enable_seen[0], enable};
        made_seen0  <= made_gray;
        made_seen1  <= made_seen0;
        made        <= from_gray(made_seen1);
    end

    // ------------------------------------------------------------------ position
    reg  [11:0] x, y;
    wire [11:0] next_x = x + 12'd1, next_y = y + 12'd1;
    wire        line_ends  = next_x == h_total;
    wire        frame_ends = next_y == v_total;
    wire        blank_next = line_ends && next_y == v_visible;
    wire        in_lead    = x == h_total - lead;
    wire        takes_now  = frame_ends && in_lead;
    always @(posedge pixel_clk)
        if (pixel_rst) begin
            running <= 1'b0;
            {blank, line, soon, take} <= 4'b0000;
        end else if (!running) begin
            running <= enable_seen[1];
            x       <= 12'd0;
            y       <= v_visible;
            if (enable_seen[1]) {blank, line} <= ~{blank, line};
        end else begin
            x <= line_ends ? 12'd0 : next_x;
            if (line_ends) y <= frame_ends ? 12'd0 : next_y;
            if (line_ends) line <= !line;
            if (blank_next && enable_seen[1]) blank <= !blank;
            if (blank_next && !enable_seen[1]) running <= 1'b0;
            if (in_lead && next_y + 12'd1 == v_total) soon <= !soon;
            if (takes_now) take <= !take;
        end

    // ------------------------------------------------------------------ words
    // A frame that is late by as much as the ring holds is lost: the rest of it is black. So is one that the mixer has
    // not begun, from no word ahead on, between `take` and the first visible line.
    reg  [11:0] words;
    reg         lost, odd_word;
    wire        in_picture = running && x < h_visible && y < v_visible;
    wire [11:0] ahead      = made - words;
    wire        is_made    = !ahead[11] && ahead != 12'd0 && !lost;
    assign ring_read  = in_picture && !x[0];
    assign ring_index = words[9:0];
    always @(posedge pixel_clk)
        if (pixel_rst) begin
            words     <= 12'd0;
            read_gray <= 12'd0;
            lost      <= 1'b1;
            missed    <= 1'b0;
            odd_word  <= 1'b0;
        end else begin
            if (ring_read) words <= words + 12'd1;
            read_gray <= words ^ {1'b0, words[11:1]};
            if (takes_now || ring_read && ahead[11:10] == 2'b10) lost <= 1'b1;
            else if (ahead == 12'd0 && y >= v_visible) lost <= 1'b0;
            if (ring_read && !is_made) begin
                odd_word <= !odd_word;
                if (odd_word) missed <= !missed;
            end
        end

    // ------------------------------------------------------------------ out, two cycles after the position
    reg shows, shows_right, has_word, in_hsync, in_vsync;
    always @(posedge pixel_clk) begin
        shows       <= in_picture && !pixel_rst;
        shows_right <= x[0];
        if (ring_read) has_word <= is_made;
        in_hsync    <= running && x >= h_sync && x < h_sync_end;
        in_vsync    <= running && y >= v_sync && y < v_sync_end;
        hsync       <= in_hsync == hsync_high;
        vsync       <= in_vsync == vsync_high;
        visible     <= shows;
        colour      <= !shows || !has_word ? 24'd0 : shows_right ? ring_word[47:24] : ring_word[23:0];
    end
endmodule
`default_nettype wire
