// SPDX-License-Identifier: Apache-2.0
//
// The display unit: shows planes and a cursor in time. Everything but the raster is in the chip's clock.
//
//   display_regs, display_flips   what is shown
//   display_spans --- passes --> display_fetch --> display_unpack --> display_mix <--> display_ring --> display_raster
//                                (fabric)                                              (pixel_clk)
//
// `r_urgent`: the ring has fewer than LOW words, two pixels each, so that what it is read from is its alone; else it
// goes last. From LOW words on the memory has LOW * 2 pixel clocks for the next ones. `r_reserve`: a frame begins soon,
// and what others have asked for should be done by then.
`default_nettype none
module display #(
    parameter [31:0] CLOCK_KHZ = 100000,    // of clk
    parameter [31:0] PIXEL_KHZ = 0,         // of pixel_clk; 0: pixel_khz says what it should be
    parameter [31:0] PROMISE1  = 400,       // see gpu.def
    parameter [31:0] PROMISE2  = 100,
    parameter        LOW       = 640        // at most 1023 words
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        reg_write,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata,
    output wire        irq,
    output wire        making,              // a frame is under way
    input  wire [63:0] time_now,

    output wire [31:0] r_araddr,
    output wire [7:0]  r_arlen,
    output wire        r_arvalid,
    input  wire        r_arready,
    input  wire [63:0] r_rdata,
    input  wire        r_rvalid,
    output reg         r_urgent,
    output wire        r_reserve,

    output wire [31:0] pixel_khz,
    output reg         pixel_on,            // pixel_clk is needed
    input  wire        pixel_clk,
    input  wire        pixel_rst,
    output wire        d_hsync,
    output wire        d_vsync,
    output wire        d_visible,
    output wire [23:0] d_colour
);
    // Seven eighths of the clock: between two passes the mixer rests for a few cycles.
    localparam [31:0] MIX_RATE = CLOCK_KHZ * 7 / 8000;

    // ------------------------------------------------------------------ what is shown
    wire        enable, hsync_high, vsync_high, running, blank, line, soon, take_flips, missed, take, begins, skips;
    wire [11:0] h_visible, h_sync, h_sync_end, h_total, v_visible, v_sync, v_sync_end, v_total, lead;
    wire        flip_push, flip_drop, flip_takes, hold, palette_write;
    wire [28:0] flip_address, primary_address, overlay_address;
    wire [31:0] flip_frame, frame, cursor_place, cursor_at;
    wire [2:0]  flip_level, primary_format, overlay_format;
    wire [23:0] place, size, overlay_place, overlay_size;
    wire [32:0] mix, overlay_mix;
    wire [21:0] image, cursor_image;
    wire [15:0] primary_pitch, overlay_pitch;
    wire        take_begins, taking, taken_all, now_waits, now_go;
    reg  [1:0]  running_seen;
    always @(posedge clk) running_seen <= rst ? 2'b00 : {running_seen[0], running};
    always @(posedge clk) pixel_on <= !rst && (enable || running_seen[1]);

    display_regs #(
        .PIXEL_KHZ(PIXEL_KHZ), .PROMISE1(PROMISE1), .PROMISE2(PROMISE2), .MIX_RATE(MIX_RATE)
    ) registers (
        .clk(clk), .rst(rst), .reg_write(reg_write), .reg_offset(reg_offset), .reg_wdata(reg_wdata),
        .reg_rdata(reg_rdata), .irq(irq), .time_now(time_now),
        .enable(enable), .hsync_high(hsync_high), .vsync_high(vsync_high), .h_visible(h_visible), .h_sync(h_sync),
        .h_sync_end(h_sync_end), .h_total(h_total), .v_visible(v_visible), .v_sync(v_sync), .v_sync_end(v_sync_end),
        .v_total(v_total), .lead(lead), .pixel_khz(pixel_khz),
        .raster_runs(running), .raster_blank(blank), .raster_line(line), .raster_soon(soon),
        .raster_take(take_flips), .raster_missed(missed), .take(take), .begins(begins),
        .reserve(r_reserve),
        .flip_push(flip_push), .flip_address(flip_address), .flip_frame(flip_frame), .flip_drop(flip_drop),
        .flip_level(flip_level), .flip_takes(flip_takes), .frame(frame), .place(place), .size(size), .mix(mix),
        .hold(hold), .image(image), .cursor_place(cursor_place), .palette_write(palette_write),
        .primary_address(primary_address), .primary_shown(primary_format[2]),
        .overlay_address(overlay_address), .overlay_shown(overlay_format[2])
    );
    display_flips flips (
        .clk(clk), .rst(rst), .push(flip_push), .push_address(flip_address), .push_frame(flip_frame),
        .push_word(reg_wdata), .drop(flip_drop), .level(flip_level), .frame(frame),
        .take_begins(take_begins), .taking(taking), .taken_all(taken_all), .now_waits(now_waits), .now_go(now_go),
        .takes(flip_takes), .place(place), .size(size), .mix(mix), .hold(hold), .image(image),
        .cursor_place(cursor_place),
        .primary_address(primary_address), .primary_pitch(primary_pitch), .primary_format(primary_format),
        .overlay_address(overlay_address), .overlay_pitch(overlay_pitch), .overlay_format(overlay_format),
        .overlay_place(overlay_place), .overlay_size(overlay_size), .overlay_mix(overlay_mix),
        .cursor_image(cursor_image), .cursor_at(cursor_at)
    );

    // ------------------------------------------------------------------ passes
    wire        drop, fetch_idle, fetch_start, fetch_ready, in_segment2, pass_push, pass_full;
    wire [24:0] from;
    wire [6:0]  beats, words, pass_words;
    wire [1:0]  kind, pass_kind;
    wire        has_data, skips_left, skips_right, pass_has_data, pass_skips_left, pass_skips_right, pass_valid;
    wire [9:0]  word, pass_word;
    wire [2:0]  lane, pass_lane;
    wire        unpack_ready, mix_idle, mixer_busy;
    reg  [11:0] read;
    wire [11:0] line_word;
    display_spans spans (
        .clk(clk), .rst(rst), .take(take), .begins(begins), .skips(skips), .take_begins(take_begins),
        .taking(taking), .taken_all(taken_all), .now_waits(now_waits), .now_go(now_go), .drop(drop), .making(making),
        .all_idle(fetch_idle && mix_idle && !pass_valid), .fetch_idle(fetch_idle), .read(read),
        .line_word(line_word), .h_visible(h_visible), .v_visible(v_visible),
        .primary_address(primary_address), .primary_pitch(primary_pitch), .primary_format(primary_format),
        .overlay_address(overlay_address), .overlay_pitch(overlay_pitch), .overlay_format(overlay_format),
        .overlay_place(overlay_place), .overlay_size(overlay_size), .cursor_image(cursor_image), .cursor_at(cursor_at),
        .fetch_start(fetch_start), .fetch_ready(fetch_ready), .in_segment2(in_segment2), .from(from), .beats(beats),
        .pass_push(pass_push), .pass_full(pass_full), .kind(kind), .has_data(has_data), .word(word), .words(words),
        .skips_left(skips_left), .skips_right(skips_right), .lane(lane)
    );
    wire        pass_pop;
    sync_fifo #(.WIDTH(25), .LOG2_DEPTH(2)) passes (
        .clk(clk), .rst(rst || drop), .push(pass_push),
        .push_data({kind, has_data, word, words, skips_left, skips_right, lane}), .full(pass_full), .pop(pass_pop),
        .data({pass_kind, pass_has_data, pass_word, pass_words, pass_skips_left, pass_skips_right, pass_lane}),
        .valid(pass_valid)
    );

    // ------------------------------------------------------------------ fetch and mix
    wire        beat_valid, beat_pop;
    wire [63:0] beat;
    display_fetch fetch (
        .clk(clk), .rst(rst), .start(fetch_start), .in_segment2(in_segment2), .from(from), .beats(beats),
        .ready(fetch_ready), .drop(drop), .idle(fetch_idle), .valid(beat_valid), .beat(beat), .pop(beat_pop),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready), .r_rdata(r_rdata),
        .r_rvalid(r_rvalid)
    );
    localparam [1:0] OVERLAY = 1, CURSOR = 2, MADE = 3;
    reg  [1:0]  mixing;                     // kind of the pass in the mixer
    wire        is_release = pass_kind == MADE;
    wire        starts     = pass_valid && unpack_ready && !drop;
    wire [1:0]  format     = mixing == OVERLAY ? overlay_format[1:0] : primary_format[1:0];
    wire [1:0]  next       = pass_kind == OVERLAY ? overlay_format[1:0]
                           : pass_kind == CURSOR ? 2'd2 : primary_format[1:0];
    assign pass_pop = starts;
    always @(posedge clk) if (starts) mixing <= pass_kind;
    wire        slot_valid, slot_right, slot_pixel, ring_write;
    wire [9:0]  slot_at, ring_index;
    wire [31:0] slot_raw;
    wire [47:0] ring_data, ring_word;
    display_unpack unpack (
        .clk(clk), .rst(rst), .drop(drop), .start(starts && !is_release), .ready(unpack_ready), .idle(mix_idle),
        .has_data(pass_has_data), .word(pass_word), .words(pass_words), .skips_left(pass_skips_left),
        .skips_right(pass_skips_right), .lane(pass_lane), .log2_bytes(next), .mixer_busy(mixer_busy),
        .beat_valid(beat_valid), .beat(beat), .beat_pop(beat_pop),
        .valid(slot_valid), .is_right(slot_right), .has_pixel(slot_pixel), .at(slot_at), .raw(slot_raw)
    );
    display_mix mixer (
        .clk(clk), .rst(rst), .valid(slot_valid), .is_right(slot_right), .has_pixel(slot_pixel), .at(slot_at),
        .raw(slot_raw), .busy(mixer_busy),
        .is_rgb565(mixing != CURSOR && format == 2'd1), .is_index8(mixing != CURSOR && format == 2'd0),
        .by_alpha(mixing == CURSOR), .keyed(mixing == OVERLAY && overlay_mix[32]), .key(overlay_mix[23:0]),
        .constant(mixing == OVERLAY ? overlay_mix[31:24] : 8'd255),
        .palette_write(palette_write), .palette_index(reg_wdata[31:24]), .palette_colour(reg_wdata[23:0]),
        .ring_write(ring_write), .ring_index(ring_index), .ring_data(ring_data), .ring_word(ring_word)
    );

    // ------------------------------------------------------------------ ring: what is made, what is read
    // `made` follows `target` a word a cycle, so that one bit of its code changes at a time. Before a frame it jumps:
    // then the raster does not look.
    function [11:0] from_gray(input [11:0] gray);
        integer i;
        begin
            from_gray[11] = gray[11];
            for (i = 10; i >= 0; i = i - 1) from_gray[i] = from_gray[i+1] ^ gray[i];
        end
    endfunction
    reg  [11:0] made, target, made_gray, read_seen0, read_seen1;
    wire [11:0] read_gray;
    wire [11:0] level = made - read;
    always @(posedge clk) begin
        read_seen0 <= rst ? 12'd0 : read_gray;
        read_seen1 <= rst ? 12'd0 : read_seen0;
        read       <= rst ? 12'd0 : from_gray(read_seen1);
        made_gray  <= rst ? 12'd0 : made ^ {1'b0, made[11:1]};
        if (rst) {made, target} <= 24'd0;
        else if (take_begins || skips) {made, target} <= {read, read};
        else begin
            if (made != target) made <= made + 12'd1;
            if (starts && is_release) target <= target + {5'd0, pass_words};
        end
        r_urgent <= (making || !fetch_idle) && !rst && (level[11] || level < LOW);
    end
    wire        ring_read;
    wire [9:0]  ring_at;
    wire [47:0] pixels;
    display_ring ring (
        .clk(clk), .write(ring_write), .index(ring_index), .data(ring_data), .word(ring_word),
        .pixel_clk(pixel_clk), .pixel_read(ring_read), .pixel_index(ring_at), .pixel_word(pixels)
    );
    display_raster raster (
        .pixel_clk(pixel_clk), .pixel_rst(pixel_rst), .enable(enable), .hsync_high(hsync_high), .vsync_high(vsync_high),
        .h_visible(h_visible), .h_sync(h_sync), .h_sync_end(h_sync_end), .h_total(h_total),
        .v_visible(v_visible), .v_sync(v_sync), .v_sync_end(v_sync_end), .v_total(v_total), .lead(lead),
        .made_gray(made_gray), .running(running), .blank(blank), .line(line), .soon(soon), .take(take_flips),
        .missed(missed), .read_gray(read_gray), .ring_read(ring_read), .ring_index(ring_at), .ring_word(pixels),
        .hsync(d_hsync), .vsync(d_vsync), .visible(d_visible), .colour(d_colour)
    );
    wire unused = &{1'b0, line_word, overlay_mix};
`ifdef GPU_ASSERT
    // The mixer never writes a word that the raster has still to read. Of a frame that is a ring late nothing is shown.
    wire [11:0] here = target - read;
    reg         late;
    always @(posedge clk) begin
        late <= !rst && !take_begins && !skips && (late || here[11:10] == 2'b10);
        if (!rst) assert (late || here[11] || here <= 12'd1024);
    end
`endif
endmodule
`default_nettype wire
