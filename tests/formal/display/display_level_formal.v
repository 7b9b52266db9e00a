// SPDX-License-Identifier: Apache-2.0
//
// Why no pixel is late. A ring of words, a raster that takes one every CLOCKS cycles at the most, and a memory of which
// two things are known while the level is below LOW: the first word comes within WAIT cycles (what the fabric and the
// hub let go before an urgent display), and each next one within EVERY cycles of the one before (PROMISE). If
// EVERY <= CLOCKS and WAIT < (LOW - 2) * CLOCKS, the level is never below zero, for ever. The numbers are the ULX3S' at
// 640 x 480: a word of two pixels of 25 MHz every 3 cycles of 41.7 MHz, and a WAIT of 600 cycles, 14 us.
module display_level_formal #(
    parameter [12:0] LOW    = 640,
    parameter [12:0] CLOCKS = 3,
    parameter [12:0] WAIT   = 600,
    parameter [12:0] EVERY  = 3
) (
    input clk,
    input rst,
    input wants,                       // the raster takes a word in this cycle, if it may
    input gives                        // a word is made in this cycle
);
    reg         first = 1'b1;
    reg  [12:0] level, since_take, waited;
    reg         flows;                 // the first word of this shortage has come
    wire        urgent = level < LOW;
    wire        takes  = wants && since_take >= CLOCKS - 13'd1;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (!gives || level < 13'd1024);
        if (!rst && !first && urgent) assume (gives || waited + 13'd1 < (flows ? EVERY : WAIT));
        if (rst) begin
            level      <= LOW;
            since_take <= 13'd0;
            waited     <= 13'd0;
            flows      <= 1'b0;
        end else begin
            level      <= level + {12'd0, gives} - {12'd0, takes};
            since_take <= takes ? 13'd0 : since_take >= CLOCKS ? CLOCKS : since_take + 13'd1;
            waited     <= gives || !urgent ? 13'd0 : waited + 13'd1;
            flows      <= urgent && (flows || gives);
        end
        if (!rst && !first) begin
            assert (!takes || level != 13'd0);
            // What induction needs: how low the level can be, by how long the shortage has lasted.
            assert (level <= 13'd1024 && since_take <= CLOCKS);
            assert (!urgent || flows || waited <= WAIT);
            assert (!flows || waited <= EVERY);
            assert (!urgent || flows || CLOCKS * (level + 13'd1) + waited + CLOCKS >= CLOCKS * LOW + since_take);
            assert (!flows || CLOCKS * (level + 13'd2) + WAIT + waited >= CLOCKS * LOW + since_take);
        end
`ifdef REACH
        // A shortage in which words flow, with one taken.
        if (!rst && !first) assert (!(urgent && flows && takes));
`endif
    end
endmodule
