// SPDX-License-Identifier: Apache-2.0
//
// What Yosys maps a BB onto, for simulation. (Yosys' own model compares with 'z, which Verilator has not.)
`default_nettype none

module TRELLIS_IO #(
    parameter DIR = "INPUT"
) (
    input  wire I,
    input  wire T,
    output wire O,
    inout  wire B
);
    generate
        if (DIR != "BIDIR") begin : check
            pin_of_one_direction_has_no_model illegal();
        end
    endgenerate
    assign B = T ? 1'bz : I;
    assign O = B;
endmodule
`default_nettype wire
