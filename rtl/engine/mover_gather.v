// SPDX-License-Identifier: Apache-2.0
//
// Packs the units of a BLIT_AFFINE: takes parts (mover_map.v) and the beats read for them, and gives the pixel path
// packed beats. A part takes a cycle.
//
//   parts -> 256 x 10 buffer -+-> rotate from its lane to its place -> packed beat -> another -> pixel path
//   beats --------------------+                                     \-> which units are left out, two at a time
//
// Parts of filtered commands are taps (35 bits); their units of 4 bytes come from mover_filter.v. The pixel
// path may look at a beat for several cycles, while the next is packed.
`default_nettype none

module mover_gather (
    input  wire        clk,
    input  wire        rst,            // also: forget everything

    input  wire        part_push,      // only while part_room
    input  wire [34:0] part,           // see mover_map.v
    output wire        part_room,
    output wire        is_busy,        // a part or a beat is inside

    input  wire        beat_valid,
    output wire        beat_ready,
    input  wire [63:0] beat_data,
    input  wire        beat_error,

    output reg         out_valid,
    input  wire        out_ready,
    output reg  [63:0] out_data,
    output reg         out_error,
    output reg         out_end,        // last of its command

    output wire        pair_push,      // of a row's units, a single one at its end; before their beat is given
    output wire [1:0]  pair            // left out
);
    // ------------------------------------------------------------------ parts
    reg  [7:0]  held_parts;
    wire        part_valid, is_new, left_out, unit_ends, row_ends, command_ends;
    wire [2:0]  lane;
    wire [1:0]  bytes;
    reg         complete;                // the beat put together is, and waits
    wire        passes  = complete && !out_valid;     // a packed beat has two parts or more
    wire        accepts = !complete || passes;
    localparam  WIDTH = 35;
    wire [34:0] oldest;
    wire        is_tap  = oldest[34];
    wire        tap_room, filter_busy, made_valid, made_error;
    wire [31:0] made;
    wire [2:0]  made_tags;               // left out, ends its row, ends the command
    wire        goes = part_valid && (!is_new || beat_valid) && (is_tap ? tap_room : accepts && !filter_busy);
    mover_buffer #(.WIDTH(WIDTH)) parts (
        .clk(clk), .rst(rst), .push(part_push), .push_data(part[WIDTH-1:0]), .pop(goes),
        .out_data(oldest[WIDTH-1:0]), .out_valid(part_valid)
    );
    assign {lane, bytes, is_new, left_out, unit_ends, row_ends, command_ends} = oldest[9:0];
    wire        places = goes && !is_tap;     // bytes of a unit as it is
    wire        sets   = made_valid && accepts; // a filtered one
    mover_filter filter (
        .clk(clk), .rst(rst), .room(tap_room), .give(goes && is_tap), .tap(oldest[22:10]), .is_new(is_new),
        .row(oldest[30]), .ends(unit_ends), .fraction(oldest[29:23]), .format(oldest[33:31]),
        .tags({left_out, row_ends, command_ends}), .beat_data(beat_data), .beat_error(beat_error),
        .is_busy(filter_busy), .out_valid(made_valid), .out_ready(accepts), .out_colour(made),
        .out_error(made_error), .out_tags(made_tags)
    );
    always @(posedge clk)
        if (rst) held_parts <= 8'd0;
        else     held_parts <= held_parts + {7'd0, part_push} - {7'd0, goes};
    assign part_room  = held_parts < 8'd250;
    assign is_busy    = held_parts != 8'd0 || filter_busy || complete || out_valid;
    assign beat_ready = goes && is_new;

    // ------------------------------------------------------------------ rotate
    reg  [63:0] held;                    // the beat taken last
    reg         held_error;
    wire [63:0] from = is_new ? beat_data : held;
    reg  [2:0]  place;                   // of the next byte
    wire [2:0]  turn = place - lane;
    wire [63:0] by_1, by_2, turned;
    mover_turn #(.WIDTH(64), .BY(8)) turn_1 (.turn(turn[0]), .in(from), .out(by_1));
    mover_turn #(.WIDTH(64), .BY(16)) turn_2 (.turn(turn[1]), .in(by_1), .out(by_2));
    mover_turn #(.WIDTH(64), .BY(32)) turn_4 (.turn(turn[2]), .in(by_2), .out(turned));

    // ------------------------------------------------------------------ merge
    // A unit's bytes as they are, or a filtered one; never both.
    wire [1:0]  more  = sets ? 2'd3 : bytes;
    wire        now_left_out    = sets ? made_tags[2] : left_out;
    wire        now_unit_ends   = sets || unit_ends;
    wire        now_row_ends    = sets ? made_tags[1] : row_ends;
    wire        now_command_ends = sets ? made_tags[0] : command_ends;
    wire        fills = places || sets;
    wire [63:0] placed = sets ? {2{made}} : turned;
    wire [7:0]  ones  = more == 2'd0 ? 8'h01 : more == 2'd1 ? 8'h03 : more == 2'd2 ? 8'h07 : 8'h0f;
    wire [7:0]  fresh = ones << place;
    wire [3:0]  after = {1'b0, place} + {2'd0, more} + 4'd1;
    wire        has_error = sets ? made_error : !left_out && (is_new ? beat_error : held_error);
    reg  [63:0] merged;
    reg         merged_error, merged_end;
    integer i;
    always @(posedge clk) begin
        if (fills) begin
            for (i = 0; i < 8; i = i + 1)
                if (fresh[i]) merged[8*i +: 8] <= placed[8*i +: 8];
            merged_error <= has_error || (merged_error && place != 3'd0);
            merged_end   <= now_command_ends;
            place        <= now_row_ends ? 3'd0 : after[2:0];
        end
        if (goes && is_new) begin
            held       <= beat_data;
            held_error <= beat_error;
        end
        if (passes) {out_data, out_error, out_end} <= {merged, merged_error, merged_end};
        complete  <= fills ? now_row_ends || after[3] : complete && !passes;
        out_valid <= passes || (out_valid && !out_ready);
        if (rst) begin
            complete  <= 1'b0;
            out_valid <= 1'b0;
            place     <= 3'd0;
        end
    end

    // ------------------------------------------------------------------ what is left out
    reg  odd, first_left_out;
    assign pair_push = fills && now_unit_ends && (odd || now_row_ends);
    assign pair      = odd ? {now_left_out, first_left_out} : {1'b0, now_left_out};
    always @(posedge clk) begin
        if (fills && now_unit_ends) begin
            odd            <= !odd && !now_row_ends;
            first_left_out <= now_left_out;
        end
        if (rst) odd <= 1'b0;
    end
endmodule

`default_nettype wire
