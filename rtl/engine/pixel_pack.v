// SPDX-License-Identifier: Apache-2.0
//
// Two colours per step to units of the target, packed into beats from lane 0 of the row on. What does not fill a
// beat is held for the next step; `phase` counts a row's steps modulo 4 as in pixel_unpack:
//
//   unit bytes   beat out of step (h: held bytes, s: this step's)                          held after it
//   2            - | h 0..3 s 0..3                                                         s 0..3 | -
//   3            - | h 0..5 s 0..1 | h 0..3 s 0..3 | h 0..1 s 0..5                         s 0..5 | s 2..5 | s 4..5 | -
//   4            s 0..7                                                                    -
//
// The row's last step always gives a beat; where it leaves bytes held, one more step with `drain` gives them.
`default_nettype none

module pixel_pack (
    input  wire        clk,
    input  wire        step,

    input  wire [2:0]  format,  // of the target; ARGB8888 also for 8 bytes that are to stay as they are
    input  wire [1:0]  phase,
    input  wire        drain,
    input  wire [63:0] colours,
    input  wire [7:0]  mask,    // bytes to write: of format ARGB8888 all, else bit 0 for one unit, bit 4 for the other
    input  wire [1:0]  error,

    output reg  [63:0] out_data,
    output reg  [7:0]  out_mask,
    output wire [1:0]  out_error
);
`include "gpu_spec.vh"
`include "config.vh"
    wire is_1555  = FORMATS != 0 && format == FORMAT_ARGB1555[2:0];
    wire is_two   = is_1555 || format == FORMAT_RGB565[2:0];
    wire is_three = FORMATS != 0 && format == FORMAT_RGB888[2:0];
    wire is_x     = FORMATS != 0 && format == FORMAT_XRGB8888[2:0];

    // ------------------------------------------------------------------ colours to units
    /* verilator lint_off UNUSEDSIGNAL */ // truncation: the low bits
    function [15:0] reduce(input [31:0] colour, input with_alpha);
        reduce = with_alpha ? {colour[31], colour[23:19], colour[15:11], colour[7:3]}
                            : {colour[23:19], colour[15:10], colour[7:3]};
    endfunction
    /* verilator lint_on UNUSEDSIGNAL */
    wire [31:0] colour_0 = colours[31:0];
    wire [31:0] colour_1 = colours[63:32];
    wire [31:0] twos     = {reduce(colour_1, is_1555), reduce(colour_0, is_1555)};
    wire [3:0]  twos_mask = {{2{mask[4]}}, {2{mask[0]}}};
    wire [47:0] threes   = {colour_1[23:0], colour_0[23:0]};
    wire [5:0]  threes_mask = {{3{mask[4]}}, {3{mask[0]}}};
    wire [63:0] fours    = {colour_1[31:24] | {8{is_x}}, colour_1[23:0], colour_0[31:24] | {8{is_x}}, colour_0[23:0]};

    // ------------------------------------------------------------------ units to beats
    reg  [47:0] held;
    reg  [5:0]  held_mask;
    reg  [1:0]  held_error;
    wire        uses_held = (is_two && phase[0]) || (is_three && (phase != 2'd0 || drain));
    assign out_error = error | (uses_held ? held_error : 2'd0);

    always @(*) begin
        out_data = fours;
        out_mask = mask;
        if (is_two) begin
            out_data = phase[0] ? {twos, held[31:0]} : {32'd0, twos};
            out_mask = phase[0] ? {twos_mask, held_mask[3:0]} : {4'd0, twos_mask};
        end else if (is_three) begin
            case (phase)
                2'd0: {out_mask, out_data} = {2'd0, threes_mask, 16'd0, threes};
                2'd1: {out_mask, out_data} = {threes_mask[1:0], held_mask, threes[15:0], held};
                2'd2: {out_mask, out_data} = {threes_mask[3:0], held_mask[3:0], threes[31:0], held[31:0]};
                2'd3: {out_mask, out_data} = {threes_mask, held_mask[1:0], threes, held[15:0]};
            endcase
            if (drain) {out_mask, out_data} = {2'd0, held_mask, 16'd0, held};
        end
    end

    always @(posedge clk)
        if (step) begin
            held_error <= error;
            {held_mask, held} <= {2'd0, twos_mask, 16'd0, twos};
            if (is_three)
                case (phase)
                    2'd0:    {held_mask, held} <= {threes_mask, threes};
                    2'd1:    {held_mask, held} <= {2'd0, threes_mask[5:2], 16'd0, threes[47:16]};
                    default: {held_mask, held} <= {4'd0, threes_mask[5:4], 32'd0, threes[47:32]};
                endcase
        end
endmodule

`default_nettype wire
