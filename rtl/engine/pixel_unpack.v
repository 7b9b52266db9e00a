// SPDX-License-Identifier: Apache-2.0
//
// Takes two units at a time from a row's packed beats. `phase` counts a row's pairs modulo 4:
//
//   unit bytes   pair taken from (c: the beat before, b: this one; bytes)      beat given back after phase
//   1            b 0..1 | b 2..3 | b 4..5 | b 6..7                             3
//   2            b 0..3 | b 4..7                                               1, 3
//   3            b 0..5 | c 6..7 b 0..3 | c 4..7 b 0..1 | b 2..7               0, 1, 3
//   4            b 0..7                                                        all
//
// A row's last pair gives its beat back. With units of 3 bytes it may be in the beat before (phase 2, one unit).
//
// Units of 4, 2 and 1 bits are given as the two bytes where they lie; pixel_parts.v takes them out.
`default_nettype none

module pixel_unpack (
    input  wire        clk,

    input  wire [1:0]  size,       // of a unit, minus one
    input  wire [1:0]  phase,
    input  wire        row_end,    // the row's last pair
    input  wire        single,     // ... has one unit only
    input  wire [1:0]  chunk,      // which two bytes of the beat; phase where units are whole bytes
    input  wire        last_part,  // units of a byte or less: they have the beat's last pair
    input  wire        crosses,    // units of less: the pair's first lies in the beat before

    input  wire        beat_valid,
    input  wire [63:0] beat,
    input  wire        beat_error,
    output wire        beat_ends,  // the step takes the beat

    output wire        pair_valid,
    input  wire        step,       // only while pair_valid
    output wire [31:0] unit_0,
    output wire [31:0] unit_1,
    output wire        error
);
`include "config.vh"
    reg  [31:0] carry;             // bytes 4 to 7 of the beat before
    reg         carry_error;
    wire        is_three = FORMATS != 0 && size == 2'd2;
    wire        spent    = ((is_three && phase == 2'd2) || crosses) && row_end && single;
    wire        uses_carry = (is_three && (phase == 2'd1 || phase == 2'd2)) || crosses;
    reg         ends;
    assign beat_ends  = ends;
    assign pair_valid = beat_valid || spent;
    assign error      = (beat_error && !spent) || (carry_error && uses_carry);

    always @(*)
        case (size)
            2'd0:    ends = last_part || (row_end && !spent);
            2'd1:    ends = phase[0] || row_end;
            2'd2:    ends = phase != 2'd2 || (row_end && !single);
            default: ends = 1'b1;
        endcase

    always @(posedge clk)
        if (step && ends) begin
            carry       <= beat[63:32];
            carry_error <= beat_error;
        end

    reg  [47:0] pair;              // of units of up to 3 bytes
    always @(*)
        if (FORMATS != 0)
            case ({size, chunk})
                {2'd0, 2'd0}, {2'd1, 2'd0}, {2'd1, 2'd2}, {2'd2, 2'd0}: pair = beat[47:0];
                {2'd0, 2'd1}:                                           pair = {32'd0, beat[31:16]};
                {2'd0, 2'd2}, {2'd1, 2'd1}, {2'd1, 2'd3}:               pair = {16'd0, beat[63:32]};
                {2'd0, 2'd3}:                                           pair = {32'd0, beat[63:48]};
                {2'd2, 2'd1}:                                           pair = {beat[31:0], carry[31:16]};
                {2'd2, 2'd2}:                                           pair = {beat[15:0], carry};
                {2'd2, 2'd3}:                                           pair = beat[63:16];
                default:                                                pair = beat[47:0];
            endcase
        else pair = {16'd0, chunk[0] ? beat[63:32] : beat[31:0]};

    reg [31:0] low, high;
    always @(*)
        case (size)
            2'd0:    {high, low} = {24'd0, pair[15:8], 24'd0, pair[7:0]};
            2'd1:    {high, low} = {16'd0, pair[31:16], 16'd0, pair[15:0]};
            2'd2:    {high, low} = {8'd0, pair[47:24], 8'd0, pair[23:0]};
            default: {high, low} = beat;
        endcase
    assign unit_0 = low;
    assign unit_1 = high;
endmodule

`default_nettype wire
