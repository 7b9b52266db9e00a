// SPDX-License-Identifier: Apache-2.0
//
// The flip queue, and what is shown. At a blank (`taking`) entries are taken in order, one a plane, until one is not
// due; with the overlay's goes the overlay's place, and the cursor is taken as it was written last. An entry for NOW is
// taken at `now_go` too, its address alone. All that is shown is steady at any other time.
`default_nettype none
module display_flips (
    input  wire        clk,
    input  wire        rst,

    input  wire        push,                // ignored with four entries
    input  wire [28:0] push_address,        // bit 28: segment 2
    input  wire [31:0] push_frame,
    input  wire [31:0] push_word,           // DISPLAY.FLIP_PUSH
    input  wire        drop,
    output reg  [2:0]  level,
    input  wire [31:0] frame,

    input  wire        take_begins,         // the cycle before `taking`
    input  wire        taking,
    output wire        taken_all,
    output wire        now_waits,
    input  wire        now_go,              // only while now_waits
    output wire        takes,               // pulse: an entry is taken

    // As written, to be taken.
    input  wire [23:0] place,               // of the overlay: y, x
    input  wire [23:0] size,                // height, width
    input  wire [32:0] mix,                 // keyed, alpha, key
    input  wire        hold,
    input  wire [21:0] image,               // of the cursor: is shown, segment 2, address[27:8]
    input  wire [31:0] cursor_place,        // y, x

    // Shown.
    output reg  [28:0] primary_address,
    output reg  [15:0] primary_pitch,
    output reg  [2:0]  primary_format,      // is shown, log2 of a pixel's bytes
    output reg  [28:0] overlay_address,
    output reg  [15:0] overlay_pitch,
    output reg  [2:0]  overlay_format,
    output reg  [23:0] overlay_place,
    output reg  [23:0] overlay_size,
    output reg  [32:0] overlay_mix,
    output reg  [21:0] cursor_image,
    output reg  [31:0] cursor_at
);
`include "gpu_spec.vh"
    function [2:0] format_of(input [2:0] format);
        case ({29'd0, format})
            FORMAT_XRGB8888: format_of = 3'b110;
            FORMAT_RGB565:   format_of = 3'b101;
            FORMAT_INDEX8:   format_of = 3'b100;
            default:         format_of = 3'b010;
        endcase
    endfunction

    // ------------------------------------------------------------------ queue
    localparam LSB = DISPLAY_FLIP_PUSH_FORMAT_LSB;
    wire [82:0] entry;
    wire        valid, full;
    wire        enters = push && !full;
    sync_fifo #(.WIDTH(83), .LOG2_DEPTH(2)) queue (
        .clk(clk), .rst(rst || drop), .push(enters),
        .push_data({push_word[DISPLAY_FLIP_PUSH_WHEN_LSB +: 2], push_word[DISPLAY_FLIP_PUSH_OVERLAY_LSB],
                    format_of(push_word[LSB +: 3]), push_word[15:0], push_frame, push_address}),
        .full(full), .pop(takes), .data(entry), .valid(valid)
    );
    wire [28:0] address    = entry[28:0];
    wire [31:0] early      = frame - entry[60:29]; // negative: too early
    wire [15:0] pitch      = entry[76:61];
    wire [2:0]  format     = entry[79:77];
    wire        is_overlay = entry[80];
    wire [1:0]  when       = entry[82:81];
    always @(posedge clk)
        if (rst || drop) level <= 3'd0;
        else level <= level + {2'b00, enters} - {2'b00, takes};

    // ------------------------------------------------------------------ which is taken
    // What is known of the oldest entry is a cycle old. After an entry is taken it is unknown for a cycle.
    reg       known, due, is_now;
    reg [1:0] used, settled;                // planes that were flipped at this blank; cycles since the last entry
    always @(posedge clk) begin
        known  <= !rst && !drop && valid && !takes;
        due    <= {30'd0, when} == WHEN_NEXT || {30'd0, when} == WHEN_FRAME && !early[31];
        is_now <= {30'd0, when} == WHEN_NOW;
    end
    assign now_waits = known && is_now;
    assign takes     = known && !drop && (is_now ? taking || now_go : taking && due && !used[is_overlay]);
    assign taken_all = taking && settled == 2'b11 && !takes;
    always @(posedge clk) begin
        settled <= take_begins || takes ? 2'b00 : {settled[0], 1'b1};
        if (take_begins) used <= 2'b00;
        else if (takes && !is_now) used[is_overlay] <= 1'b1;
    end

    // ------------------------------------------------------------------ what is shown
    always @(posedge clk)
        if (rst) begin
            primary_format <= 3'b010;
            overlay_format <= 3'b010;
            cursor_image   <= 22'd0;
        end else begin
            if (takes && !is_overlay) begin
                primary_address <= address;
                if (!is_now) {primary_format, primary_pitch} <= {format, pitch};
            end
            if (takes && is_overlay) begin
                overlay_address <= address;
                if (!is_now) begin
                    {overlay_format, overlay_pitch}            <= {format, pitch};
                    {overlay_place, overlay_size, overlay_mix} <= {place, size, mix};
                end
            end
            if (take_begins && !hold) {cursor_image, cursor_at} <= {image, cursor_place};
        end
    wire unused = &{1'b0, push_word, early[30:0]};
endmodule
`default_nettype wire
