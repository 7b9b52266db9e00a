// SPDX-License-Identifier: Apache-2.0
//
// The ECP5's pin for both directions, for simulation: T releases it.
`default_nettype none

module BB (
    input  wire I,
    input  wire T,
    output wire O,
    inout  wire B
);
    assign B = T ? 1'bz : I;
    assign O = B;
endmodule
`default_nettype wire
