// SPDX-License-Identifier: Apache-2.0
//
// The units of a bilinear BLIT_AFFINE: four colours become one ARGB8888 colour.
//
// Each channel is weighted between the two rows, then between the two columns, and rounded down at the end. This is
// pixel_bilinear of model/pixel_model.h, SDL's linear stretch.
//
//   taps, beats -> four beats kept -> two units of a row a cycle, as colours -> left, right: between rows
//     -> between columns
//
// A unit is two rows, so at least two taps. The same multipliers do left and right, in the two cycles after.
`default_nettype none

module mover_filter (
    input  wire        clk,
    input  wire        rst,

    // A tap is taken with `give`, only while `room`. `row`: the lower, the last of its unit if `ends`.
    output wire        room,
    input  wire        give,
    input  wire [12:0] tap,             // mover_taps.v: {row is odd; odd beats: read, taken from; lanes, first, new}
    input  wire        is_new,          // a beat has been read for it
    input  wire        row,
    input  wire        ends,
    input  wire [6:0]  fraction,        // across with the upper row, down with the lower
    input  wire [2:0]  format,
    input  wire [2:0]  tags,            // left out, and what else comes with the unit's end
    input  wire [63:0] beat_data,
    input  wire        beat_error,

    output wire        is_busy,
    output reg         out_valid,
    input  wire        out_ready,
    output reg  [31:0] out_colour,
    output reg         out_error,
    output reg  [2:0]  out_tags
);
    assign room = !out_valid || out_ready;

    // ------------------------------------------------------------------ beats kept, and units out of them
    reg  [64:0] kept [0:3];             // with an error's mark
    wire [1:0]  slot_new, slot_0, slot_1;
    wire [2:0]  lane_0, lane_1;
    wire        first, new_0, new_1;    // the first tap of a row; it or the next has the second unit
    assign {slot_new[1], slot_new[0], slot_0[0], slot_1[0], lane_0, lane_1, first, new_0, new_1} = tap;
    assign {slot_0[1], slot_1[1]} = {2{slot_new[1]}};
    wire [64:0] fresh  = {beat_error, beat_data};
    wire [64:0] kept_0 = kept[slot_0];
    wire [64:0] kept_1 = kept[slot_1];
    wire [64:0] from_0 = new_0 ? fresh : kept_0;
    wire [64:0] from_1 = new_1 ? fresh : kept_1;
    // Units lie at multiples of their size.
    function [31:0] unit_at(input [63:0] beat, input [2:0] lane);
        reg [31:0] four;
        reg [15:0] half;
        begin
            four    = lane[2] ? beat[63:32] : beat[31:0];
            half    = lane[1] ? four[31:16] : four[15:0];
            unit_at = {four[31:16], half[15:8], lane[0] ? half[15:8] : half[7:0]};
        end
    endfunction
    wire [31:0] colour_0, colour_1;
    pixel_expand expand_0 (
        .format(format), .rounding(2'b00), .stored(unit_at(from_0[63:0], lane_0)), .colour(colour_0)
    );
    pixel_expand expand_1 (
        .format(format), .rounding(2'b00), .stored(unit_at(from_1[63:0], lane_1)), .colour(colour_1)
    );

    reg  [32:0] upper_0, upper_1, lower_0, lower_1; // with an error's mark
    reg  [6:0]  across, down;
    reg  [2:0]  held_tags;
    reg         full;                   // all four are there, since this cycle
    always @(posedge clk) begin
        if (give && is_new) kept[slot_new] <= fresh;
        if (give && !row) across <= fraction;
        if (give && row)  down   <= fraction;
        if (give && first && !row) upper_0 <= {from_0[64], colour_0};
        if (give && !row)          upper_1 <= {from_1[64], colour_1};
        if (give && first && row)  lower_0 <= {from_0[64], colour_0};
        if (give && row)           lower_1 <= {from_1[64], colour_1};
        if (give) held_tags <= tags;
        if (rst)       full <= 1'b0;
        else if (room) full <= give && row && ends;
    end

    // ------------------------------------------------------------------ between rows, left and then right
    reg         second, last;           // right is computed; both are there
    reg  [31:0] late_upper, late_lower;
    reg  [59:0] left, right;            // 128ths
    reg  [6:0]  late_down, late_across, last_across;
    reg         late_error, last_error;
    reg  [2:0]  late_tags, last_tags;
    wire [59:0] by_rows;
    wire [87:0] by_columns;             // 16384ths
    pixel_between #(.WIDTH(8)) rows (
        .a(second ? late_upper : upper_0[31:0]), .b(second ? late_lower : lower_0[31:0]),
        .part(second ? late_down : down), .result(by_rows)
    );
    pixel_between #(.WIDTH(15)) columns (.a(left), .b(right), .part(last_across), .result(by_columns));
    wire        has_error = upper_0[32] || upper_1[32] || lower_0[32] || lower_1[32];
    always @(posedge clk)
        if (rst) {second, last, out_valid} <= 3'd0;
        else if (room) {second, last, out_valid} <= {full, second, last};
    always @(posedge clk)
        if (room) begin
            if (full) begin
                late_upper  <= upper_1[31:0];
                late_lower  <= lower_1[31:0];
                late_down   <= down;
                late_across <= across;
                late_tags   <= held_tags;
                late_error  <= has_error && !held_tags[2];
                left        <= by_rows;
            end
            if (second) begin
                right       <= by_rows;
                last_across <= late_across;
                last_tags   <= late_tags;
                last_error  <= late_error;
            end
            {out_error, out_tags} <= {last_error, last_tags};
            out_colour <= {by_columns[87:80], by_columns[65:58], by_columns[43:36], by_columns[21:14]};
        end
    assign is_busy = full || second || last || out_valid;

    wire unused = &{1'b0, by_columns[79:66], by_columns[57:44], by_columns[35:22], by_columns[13:0],
                    1'b0};

`ifdef GPU_ASSERT
    // Units end two cycles apart at least, so the multipliers are free.
    always @(posedge clk) if (!rst) assert (!(full && second));
    always @(posedge clk) if (!rst) assert (!give || room);
`endif
endmodule

`default_nettype wire
