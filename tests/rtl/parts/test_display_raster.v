// SPDX-License-Identifier: Apache-2.0
//
// Small modes, with words that are made in time, late, or not at all: syncs, colours, events and words read in every
// cycle, against positions counted from the first blank on. What is not made is black, is counted, and shifts nothing.
`default_nettype none
module test_display_raster;
`include "bench.vh"
    reg         rst = 1'b1, enable = 1'b0, hsync_high, vsync_high;
    reg  [11:0] h_visible, h_sync, h_sync_end, h_total, v_visible, v_sync, v_sync_end, v_total, lead;
    reg  [47:0] ring [0:1023], ring_word;
    wire        running, blank, line, soon, take, missed, ring_read, hsync, vsync, visible;
    wire [11:0] read_gray;
    wire [9:0]  ring_index;
    wire [23:0] colour;
    integer     made, read;             // words, from the start on; made: as far as the mixer is
    wire [11:0] made_gray = made[11:0] ^ made[11:0] >> 1;
    display_raster raster (
        .pixel_clk(clk), .pixel_rst(rst), .enable(enable), .hsync_high(hsync_high), .vsync_high(vsync_high),
        .h_visible(h_visible), .h_sync(h_sync), .h_sync_end(h_sync_end), .h_total(h_total), .v_visible(v_visible),
        .v_sync(v_sync), .v_sync_end(v_sync_end), .v_total(v_total), .lead(lead), .made_gray(made_gray),
        .running(running), .blank(blank), .line(line), .soon(soon), .take(take), .missed(missed),
        .read_gray(read_gray), .ring_read(ring_read), .ring_index(ring_index), .ring_word(ring_word), .hsync(hsync),
        .vsync(vsync), .visible(visible), .colour(colour)
    );
    always @(posedge clk) if (ring_read) ring_word <= ring[ring_index];

    integer     mode, i, k, x, y, line_words, frame_words, frames, lateness, late_by, black, levels;
    integer     seen [0:2];             // what the raster knows of `made`: of so many cycles before
    integer     target;                 // words that the mixer makes until the frame's end
    wire        is_large = mode % 12 == 7; // nothing is made of it, and it is more than the ring can tell
    reg         is_on, is_lost, is_made, in_picture, waits_zero;
    reg  [4:0]  events, expected;       // blank, line, soon, take, missed
    // {hsync, vsync, visible, colour} of this position and of the two before
    reg  [26:0] wanted, wanted_1, wanted_2;
    task new_mode;
        begin
            h_visible  = is_large ? 200 : 2 + pick(30);
            h_sync     = h_visible + 1 + pick(6);
            h_sync_end = h_sync + 1 + pick(6);
            h_total    = h_sync_end + 1 + pick(20);
            v_visible  = is_large ? 24 : 2 + pick(12);
            v_sync     = v_visible + pick(3);
            v_sync_end = v_sync + 1 + pick(3);
            v_total    = v_sync_end + 3 + pick(3);
            lead       = 1 + pick(h_total - 1);
            {hsync_high, vsync_high} = pick(4);
            line_words  = (h_visible + 1) / 2;
            frame_words = line_words * v_visible;
        end
    endtask
    task one_cycle;
        begin
            #1;
            in_picture = is_on && x < h_visible && y < v_visible;
            check({running, ring_read}, {is_on, in_picture && x % 2 == 0}, {mode[7:0], y[11:0], x[11:0]});
            // A word that is read: is it there?
            if (ring_read) begin
                check(ring_index, read[9:0], {mode[7:0], y[11:0], x[11:0]});
                is_made = seen[2] > read && !is_lost;
                if (!is_made) black = black + 1;
                if (!is_made && black % 2 == 0) expected[0] = !expected[0];
                if (read - seen[2] > 1024) is_lost = 1'b1;
            end else if (seen[2] == read && y >= v_visible && !(y == v_total - 1 && x == h_total - lead))
                is_lost = 1'b0;
            wanted_2 = wanted_1;
            wanted_1 = wanted;
            wanted[26]   = is_on && x >= h_sync && x < h_sync_end ? hsync_high : !hsync_high;
            wanted[25]   = is_on && y >= v_sync && y < v_sync_end ? vsync_high : !vsync_high;
            wanted[24]   = in_picture;
            wanted[23:0] = !in_picture || !is_made ? 24'd0 : x % 2 ? ring[read - 1 & 1023][47:24] : ring[read & 1023];
            if (ring_read) read = read + 1;
            // The position goes on; events belong to it.
            if (is_on) begin
                if (y == v_total - 2 && x == h_total - lead) expected[2] = !expected[2];
                if (y == v_total - 1 && x == h_total - lead) begin
                    expected[1] = !expected[1];
                    is_lost = 1'b1;
                    lateness = 4 + late_by;
                end
                x = x + 1;
                if (x == h_total) begin
                    x = 0;
                    y = y + 1;
                    expected[3] = !expected[3];
                    if (y == v_total) y = 0;
                    if (y == v_visible) begin
                        frames = frames + 1;
                        if (levels[1]) expected[4] = !expected[4];
                        else is_on = 1'b0;
                    end
                end
            end else if (levels[1]) begin
                {is_on, x, y} = {1'b1, 32'd0, 20'd0, v_visible};
                expected = expected ^ 5'b11000;
            end
            levels = levels << 1 | enable;
            for (k = 2; k > 0; k = k - 1) seen[k] = seen[k - 1];
            seen[0] = made;
            tick;
            check({blank, line, soon, take, missed}, expected, {mode[7:0], y[11:0], x[11:0]});
            check({hsync, vsync, visible, colour}, wanted_1, {mode[7:0], y[11:0], x[11:0]});
            // The mixer: begins a while after `take` where the raster reads next, then makes words at random.
            if (lateness > 0) begin
                lateness = lateness - 1;
                if (lateness == 3) {made, target} = {read, read + frame_words};
            end else if (made < target && made - read < 1000 && pick(8) > late_by / 16) begin
                made = made + 1;
            end
        end
    endtask
    initial begin
        {made, read, frames, black, levels, lateness, late_by, target, x, y} = 320'd0;
        {is_on, is_lost, is_made, wanted, wanted_1, wanted_2, expected} = {3'b010, 81'd0, 5'd0};
        for (k = 0; k < 3; k = k + 1) seen[k] = 0;
        for (k = 0; k < 1024; k = k + 1) ring[k] = {random(1'b0), random(1'b0)};
        mode = 0;
        new_mode;
        repeat (5) tick;
        rst = 1'b0;
        for (mode = 0; mode < 24; mode = mode + 1) begin
            new_mode;
            enable = 1'b0;
            {wanted, wanted_1} = {2{!hsync_high, !vsync_high, 25'd0}};
            repeat (3) tick;
            enable = 1'b1;
            frames = 0;
            while (frames < (is_large ? 2 : 5)) begin
                late_by = is_large ? 112 : mode % 4 == 3 ? 16 * pick(8) : 0;
                one_cycle;
            end
            enable = 1'b0;
            while (is_on) one_cycle;
            repeat (4) one_cycle;
            check({hsync, vsync, visible}, {!hsync_high, !vsync_high, 1'b0}, mode);
        end
        check(black > 100, 1'b1, black);
        finish;
    end
endmodule
`default_nettype wire
