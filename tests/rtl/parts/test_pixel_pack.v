// SPDX-License-Identifier: Apache-2.0
//
// Rows of every length and format, two colours a step: the beats that come out are the row's units, byte after byte,
// with the mask and the errors of each, and no more beats than they fill.
`default_nettype none
module test_pixel_pack;
`include "bench.vh"
`include "gpu_spec.vh"
    reg         step = 1'b0, drain;
    reg  [2:0]  format;
    reg  [1:0]  phase, error;
    reg  [63:0] colours, out_wanted;
    reg  [7:0]  mask, mask_wanted;
    wire [63:0] out_data;
    wire [7:0]  out_mask;
    wire [1:0]  out_error;
    pixel_pack pack (.clk(clk), .step(step), .format(format), .phase(phase), .drain(drain), .colours(colours),
                     .mask(mask), .error(error), .out_data(out_data), .out_mask(out_mask), .out_error(out_error));
    // The row's bytes, whether each is written, and the errors of its step.
    reg  [7:0]  bytes [0:255];
    reg         written [0:255];
    reg  [1:0]  errors [0:255], error_wanted;
    reg  [31:0] colour, unit;
    integer     i, k, j, side, steps, units, width, given, made;
    task put;                           // the unit of `colour`, if `k` is one of the row's
        begin
            case (format)
                FORMAT_RGB565:   unit = colour[23:19] << 11 | colour[15:10] << 5 | colour[7:3];
                FORMAT_ARGB1555: unit = colour[31] << 15 | colour[23:19] << 10 | colour[15:11] << 5 | colour[7:3];
                FORMAT_XRGB8888: unit = colour | 32'hff000000;
                default:         unit = colour;
            endcase
            for (j = 0; j < width; j = j + 1) begin
                bytes[made] = unit[8*j +: 8];
                written[made] = width == 4 ? mask[4*side + j] : mask[4*side];
                errors[made] = error;
                made = made + 1;
            end
        end
    endtask
    task beat;                          // the next eight bytes, or what there are
        begin
            #1;
            {mask_wanted, error_wanted} = 10'd0;
            for (j = 0; j < 8 && given + j < made; j = j + 1) begin
                mask_wanted[j] = written[given + j];
                error_wanted   = error_wanted | errors[given + j];
                if (written[given + j]) check(out_data[8*j +: 8], bytes[given + j], {format, i[15:0], j[7:0]});
            end
            check(out_mask, mask_wanted, {format, i[15:0]});
            check(out_error, error_wanted, {format, i[15:0]});
            given = given + j;
        end
    endtask
    initial begin
        for (i = 0; i < 1200; i = i + 1) begin
            case (i % 5)
                0:       {format, width} = {FORMAT_RGB565[2:0], 32'd2};
                1:       {format, width} = {FORMAT_ARGB1555[2:0], 32'd2};
                2:       {format, width} = {FORMAT_RGB888[2:0], 32'd3};
                3:       {format, width} = {FORMAT_XRGB8888[2:0], 32'd4};
                default: {format, width} = {FORMAT_ARGB8888[2:0], 32'd4};
            endcase
            units = 1 + i / 5 % 40;
            steps = (units + 1) / 2;
            {given, made, drain} = 65'd0;
            for (k = 0; k < steps; k = k + 1) begin
                phase   = k;
                colours = {random(1'b0), random(1'b0)};
                error   = pick(8) == 0 ? random(1'b0) : 2'd0;
                mask    = width == 4 ? random(1'b0) : {3'd0, random(1'b0) & 1'b1, 3'd0, random(1'b0) & 1'b1};
                if (pick(2)) mask = 8'hff;
                if (2*k + 1 == units) mask[7:4] = 4'd0;
                for (side = 0; side < 2 && 2*k + side < units; side = side + 1) begin
                    colour = colours[32*side +: 32];
                    put;
                end
                tick;                   // without a step nothing is kept
                if (made - given >= 8 || k == steps - 1) beat;
                step = 1'b1;
                tick;
                step = 1'b0;
            end
            if (given < made) begin
                {drain, error, mask, colours} = {1'b1, 2'd0, 8'd0, random(1'b0), random(1'b0)};
                phase = steps;
                beat;
            end
            check(given, made, {format, i[15:0]});
        end
        finish;
    end
endmodule
`default_nettype wire
