// SPDX-License-Identifier: Apache-2.0
//
// Rows of every length and size of unit, two units at a time out of beats that come when they like: each unit has its
// bytes and its beats' error, and a row takes as many beats as it has.
`default_nettype none
module test_pixel_unpack;
`include "bench.vh"
    reg  [1:0]  size, phase;
    reg         row_end, single, beat_valid, step = 1'b0;
    reg  [7:0]  bytes [0:255];
    reg  [31:0] errors, wanted_0, wanted_1;         // of the row, by beat
    integer     i, k, pair, pairs, units, beat, width, from, last;
    wire [63:0] data;
    wire        beat_ends, pair_valid, error;
    wire [31:0] unit_0, unit_1;
    genvar lane;
    generate for (lane = 0; lane < 8; lane = lane + 1) begin : lanes
        assign data[8*lane +: 8] = bytes[8*beat + lane];
    end endgenerate
    pixel_unpack unpack (
        .clk(clk), .size(size), .phase(phase), .row_end(row_end), .single(single), .chunk(phase),
        .last_part(phase == 2'd3), .crosses(1'b0), .beat_valid(beat_valid), .beat(data), .beat_error(errors[beat]),
        .beat_ends(beat_ends), .pair_valid(pair_valid), .step(step), .unit_0(unit_0), .unit_1(unit_1), .error(error)
    );
    initial begin
        for (i = 0; i < 240; i = i + 1) begin
            size = i[1:0];
            units = 1 + i / 4 % 30;
            width = size + 1;
            pairs = (units + 1) / 2;
            for (k = 0; k < 256; k = k + 1) bytes[k] = random(1'b0);
            errors = random(1'b0) & random(1'b0);
            beat = 0;
            for (pair = 0; pair < pairs; pair = pair + 1) begin
                phase   = pair[1:0];
                row_end = pair == pairs - 1;
                single  = row_end && units[0];
                last    = 2*pair + (single ? 0 : 1);
                from    = 2*pair * width;
                // The last bytes of a row may be there already: then no beat is needed.
                beat_valid = 1'b0;
                #1;
                check(pair_valid, ((last + 1) * width - 1) / 8 < beat, {size, units[15:0]});
                beat_valid = 1'b1;
                #1;
                {wanted_0, wanted_1} = 64'd0;
                for (k = 0; k < width; k = k + 1) begin
                    wanted_0[8*k +: 8] = bytes[from + k];
                    wanted_1[8*k +: 8] = bytes[from + width + k];
                end
                check(unit_0, wanted_0, {size, pair[15:0]});
                if (!single) check(unit_1, wanted_1, {size, pair[15:0]});
                check(error, errors[from / 8] || errors[((last + 1) * width - 1) / 8], {size, pair[15:0]});
                tick; // without a step nothing goes on
                check(unit_0, wanted_0, {size, pair[15:0]});
                step = 1'b1;
                k = beat_ends;
                tick;
                step = 1'b0;
                beat = beat + k;
            end
            check(beat, (units * width + 7) / 8, {size, units[15:0]});
        end
        finish;
    end
endmodule
`default_nettype wire
