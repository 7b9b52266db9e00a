// SPDX-License-Identifier: Apache-2.0
//
// Scan-out: a picture of RGB565 from memory to a 640 x 480 display, 60 times a second (the standard 800 x 525
// frame at 25 MHz): 640 x 480 pixels, or 320 x 240 each shown as 2 x 2. Rows follow each other without a gap. The
// fetching side (clk) reads 128-byte bursts ahead into a FIFO; the pixel side (pixel_clk) empties it. A pixel that is
// not there when its time comes is shown black and counted.
//
// The first beat of a frame is marked. Before each frame the pixel side throws away everything up to the mark,
// so a frame that ran short or long never shifts the next one.
`default_nettype none

module scanout #(
    parameter LOG2_DEPTH = 8           // of the FIFO, in beats of four pixels; 6 or more
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,         // these three are taken at the start of a frame
    input  wire        doubled,        // 320 x 240
    input  wire [24:0] address,        // of the first pixel, multiple of 128
    output reg  [31:0] frames,         // fetched since reset
    output reg  [31:0] underflows,     // pixels shown black since reset

    // Read port of memory_hub.
    output wire [31:0] r_araddr,
    output wire [7:0]  r_arlen,
    output wire        r_arvalid,
    input  wire        r_arready,
    input  wire [63:0] r_rdata,
    input  wire        r_rvalid,

    input  wire        pixel_clk,
    input  wire        pixel_rst,
    output reg         hsync,          // active low, as the mode demands
    output reg         vsync,
    output reg         visible,
    output reg  [15:0] pixel           // RGB565, while visible
);
    localparam [9:0] LINES = 10'd480;
    localparam [LOG2_DEPTH:0] BURST = 16, ROOM = (1 << LOG2_DEPTH) - 16;

    // ------------------------------------------------------------------ crossing: frame pulse, underflow count
    reg        frame_toggle;           // pixel_clk: flips at the start of the vertical gap
    reg  [2:0] frame_seen;
    always @(posedge clk) frame_seen <= rst ? 3'd0 : {frame_seen[1:0], frame_toggle};
    wire       frame_now = frame_seen[2] != frame_seen[1];
    reg        running;
    reg  [1:0] running_seen, double_seen; // in pixel_clk; they change in the vertical gap only
    reg        is_double;
    always @(posedge pixel_clk) begin
        running_seen <= {running_seen[0], running};
        double_seen  <= {double_seen[0], is_double};
    end
    reg        miss_toggle;            // pixel_clk: flips at each fourth missing pixel
    reg  [2:0] miss_seen;
    always @(posedge clk) miss_seen <= rst ? 3'd0 : {miss_seen[1:0], miss_toggle};

    // ------------------------------------------------------------------ fetch
    wire [LOG2_DEPTH:0] level;
    reg  [LOG2_DEPTH:0] in_flight;     // beats asked for and not here yet
    reg  [9:0]  lines;                 // of the display, to be asked for
    reg  [3:0]  bursts;                // of 16 beats, of this line, to be asked for
    reg  [24:0] at;
    reg         renew, asking, is_marked;
    wire [3:0]  line_bursts = is_double ? 4'd5 : 4'd10;
    wire [LOG2_DEPTH:0] held = level + in_flight;
    wire        has_room = held <= ROOM;  // for one more burst
    wire        taken    = asking && r_arready;
    assign r_araddr  = {7'd0, at};
    assign r_arlen   = 8'd15;
    assign r_arvalid = asking;
    always @(posedge clk)
        if (rst) begin
            running    <= 1'b0;
            is_double  <= 1'b0;
            renew      <= 1'b0;
            asking     <= 1'b0;
            in_flight  <= {(LOG2_DEPTH+1){1'b0}};
            lines      <= 10'd0;
            frames     <= 32'd0;
            underflows <= 32'd0;
        end else begin
            in_flight <= in_flight + (taken ? BURST : {(LOG2_DEPTH+1){1'b0}}) - {{LOG2_DEPTH{1'b0}}, r_rvalid};
            if (r_rvalid) is_marked <= 1'b0;
            if (miss_seen[2] != miss_seen[1]) underflows <= underflows + 32'd4;
            if (frame_now) renew <= 1'b1; // a frame that is late is cut
            if (renew && in_flight == 0 && !asking) begin
                renew     <= 1'b0;
                running   <= enable;
                is_double <= doubled;
                is_marked <= 1'b1;
                lines     <= enable ? LINES : 10'd0;
                bursts    <= doubled ? 4'd5 : 4'd10;
                at        <= address;
                if (enable) frames <= frames + 32'd1;
            end else if (!asking) asking <= !renew && has_room && lines != 10'd0;
            else if (taken) begin
                asking <= 1'b0;
                at     <= at + 25'd128;
                bursts <= bursts - 4'd1;
                if (bursts == 4'd1) begin
                    bursts <= line_bursts;
                    lines  <= lines - 10'd1;
                    // Each row twice: back to its start after the display's even lines.
                    if (is_double && !lines[0]) at <= at - 25'd512;
                end
            end
        end

    // ------------------------------------------------------------------ to the pixel's clock
    wire        beat_valid, beat_pop, beat_first, full;
    wire [63:0] beat;
    async_fifo #(.WIDTH(65), .LOG2_DEPTH(LOG2_DEPTH), .OUTPUT_REGISTER(1)) line (
        .w_clk(clk), .w_rst(rst), .w_push(r_rvalid), .w_data({is_marked, r_rdata}), .w_full(full), .w_level(level),
        .r_clk(pixel_clk), .r_rst(pixel_rst), .r_pop(beat_pop), .r_data({beat_first, beat}), .r_valid(beat_valid)
    );

    // ------------------------------------------------------------------ raster
    reg  [9:0] x, y;                   // 0..799, 0..524; visible 0..639, 0..479
    wire line_ends  = x == 10'd799;
    wire frame_ends = y == 10'd524;
    wire in_picture = x < 10'd640 && y < 10'd480;
    wire is_first   = x == 10'd0 && y == 10'd0;
    reg  in_step;                      // what is in the FIFO belongs to this frame
    wire is_double_here = double_seen[1];
    wire [1:0] lane = is_double_here ? x[2:1] : x[1:0]; // of the beat
    wire beat_starts = lane == 2'd0 && !(is_double_here && x[0]);
    wire beat_ends   = lane == 2'd3 && !(is_double_here && !x[0]);
    wire has_pixel   = is_first ? beat_valid && beat_first : in_step && beat_valid && (!beat_starts || !beat_first);
    wire takes      = in_picture && has_pixel;
    wire throws     = !in_picture && y >= 10'd480 && beat_valid && !beat_first;
    reg  [1:0] misses;
    assign beat_pop = takes && beat_ends || throws;
    wire [31:0] half   = lane[1] ? beat[63:32] : beat[31:0];
    wire [15:0] picked = lane[0] ? half[31:16] : half[15:0];
    always @(posedge pixel_clk)
        if (pixel_rst) begin
            x <= 10'd0;
            y <= 10'd480;
            hsync        <= 1'b1;
            vsync        <= 1'b1;
            visible      <= 1'b0;
            pixel        <= 16'd0;
            frame_toggle <= 1'b0;
            miss_toggle  <= 1'b0;
            misses       <= 2'd0;
            in_step      <= 1'b0;
        end else begin
            x <= line_ends ? 10'd0 : x + 10'd1;
            if (line_ends) y <= frame_ends ? 10'd0 : y + 10'd1;
            if (line_ends && y == 10'd479) frame_toggle <= !frame_toggle;
            if (is_first) in_step <= has_pixel;
            hsync   <= !(x >= 10'd656 && x < 10'd752);
            vsync   <= !(y >= 10'd490 && y < 10'd492);
            visible <= in_picture;
            pixel   <= takes ? picked : 16'd0;
            if (in_picture && !takes && running_seen[1]) begin
                misses <= misses + 2'd1;
                if (misses == 2'd3) miss_toggle <= !miss_toggle;
            end
        end
    wire unused = &{1'b0, full};
endmodule
`default_nettype wire
