// SPDX-License-Identifier: Apache-2.0
//
// Barrel shifter. A shift to the left is one to the right of the mirrored word.
`default_nettype none

module core_shift (
    input  wire        right,
    input  wire        arithmetic,      // fill with the sign; only with `right`
    input  wire [31:0] value,
    input  wire [4:0]  amount,
    output wire [31:0] result
);
    wire [31:0] mirrored, start, shifted;
    genvar n;
    generate
        for (n = 0; n < 32; n = n + 1) begin : mirror
            assign mirrored[n] = value[31 - n];
            assign result[n]   = right ? shifted[n] : shifted[31 - n];
        end
    endgenerate
    assign start = right ? value : mirrored;
    wire        fill    = arithmetic && value[31];
    wire [34:0] quarter = {{3{fill}}, start} >> amount[1:0];
    wire [43:0] middle  = {{12{fill}}, quarter[31:0]} >> {amount[3:2], 2'b00};
    wire [47:0] last    = {{16{fill}}, middle[31:0]} >> {amount[4], 4'b0000};
    assign shifted = last[31:0];
    wire unused = &{1'b0, quarter[34:32], middle[43:32], last[47:32]};
endmodule

`default_nettype wire
