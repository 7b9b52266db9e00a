// SPDX-License-Identifier: Apache-2.0
//
// Seven counters: each is exact in every cycle, from each reset on, with events that are rare, random or always there.
`default_nettype none
module test_event_counters;
`include "bench.vh"
    reg         rst;
    reg  [6:0]  events;
    reg  [2:0]  index;
    wire [31:0] value;
    integer     i, k;
    reg  [31:0] sums [0:7];
    event_counters counters (.clk(clk), .rst(rst), .events(events), .index(index), .value(value));
    initial begin
        for (i = 0; i < 4000; i = i + 1) begin
            rst    = i == 0 || pick(150) == 0;
            events = i[8] ? 7'h7f : i[9] ? random(1'b0) : 7'd1 << pick(16);
            for (k = 0; k < 8; k = k + 1) sums[k] = i == 0 || rst ? 0 : sums[k] + (k < 7 && events[k]);
            tick;
            for (k = 0; k < 8; k = k + 1) begin
                index = k;
                #1;
                check(value, sums[k], i);
            end
        end
        finish;
    end
endmodule
`default_nettype wire
