// SPDX-License-Identifier: Apache-2.0
//
// Takes a step's two units of 4, 2 or 1 bits out of two bytes, and makes units of 8 bits (A8) of them.
//
// The first unit lies in a byte's high bits. In a row that begins with a unit of odd place (`is_late`) a pair lies in
// two halves of four bytes. Then its first unit is kept from the step before.
`default_nettype none

module pixel_parts (
    input  wire        clk,
    input  wire        step,       // the pair is used, and the next one comes
    input  wire [1:0]  depth,      // 1, 2, 3: units of 4, 2, 1 bits; 0: the bytes are the units
    input  wire        is_late,
    input  wire [2:0]  place,      // half the place in the bytes of the pair's unit with even place, from the left
    input  wire [15:0] pair,       // the bytes, the first in the low bits
    output reg  [15:0] made        // the units
);
    reg  [3:0]  kept;              // the last unit of the bytes before, low bits first
    wire [19:0] bits = {kept, pair[7:0], pair[15:8]};
    reg  [15:0] from;              // units of even places at even places
    always @(*)
        case (is_late ? depth : 2'd0)
            2'd1:    from = bits[19:4];
            2'd2:    from = bits[17:2];
            2'd3:    from = bits[16:1];
            default: from = bits[15:0];
        endcase
    wire [7:0]  eight = place[2] ? from[7:0] : from[15:8];
    wire [3:0]  four  = place[1] ? eight[3:0] : eight[7:4];
    wire [1:0]  two   = place[0] ? four[1:0] : four[3:2];
    always @(*)
        case (depth)
            2'd1:    made = {{2{eight[3:0]}}, {2{eight[7:4]}}};
            2'd2:    made = {{4{four[1:0]}}, {4{four[3:2]}}};
            2'd3:    made = {{8{two[0]}}, {8{two[1]}}};
            default: made = pair;
        endcase
    always @(posedge clk) if (step) kept <= pair[11:8];
endmodule

`default_nettype wire
