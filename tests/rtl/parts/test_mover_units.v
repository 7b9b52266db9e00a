// SPDX-License-Identifier: Apache-2.0
//
// Rows of every length up to three bursts, from every lane, with units of each size: a burst counts the units whose
// first byte is in it.
`default_nettype none
module test_mover_units;
`include "bench.vh"
    reg  [8:0]  bytes;
    reg         head;
    reg  [1:0]  size, place;
    wire [1:0]  place_next;
    wire [8:0]  units;
    integer     i, row, from, to, width;
    mover_units part (.bytes(bytes), .head(head), .size(size), .place(place), .place_next(place_next), .units(units));
    initial begin
        for (i = 0; i < 2400; i = i + 1) begin
            size  = i[1:0];
            width = size + 1;
            row   = (1 + pick(700 / width)) * width;
            head  = 1'b1;
            place = pick(4);
            from  = 0;
            to    = 256 - pick(256); // where the first burst ends at a multiple of 256
            while (from < row) begin
                if (to > row) to = row;
                bytes = to - from;
                #1;
                check(units, (to + width - 1) / width - (from + width - 1) / width, {size, from[15:0]});
                place = place_next;
                head  = 1'b0;
                from  = to;
                to    = to + 256;
            end
        end
        finish;
    end
endmodule
`default_nettype wire
