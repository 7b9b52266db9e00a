// SPDX-License-Identifier: Apache-2.0
//
// One output of the PLL's model: a clock of PERIOD ticks, high for the first half of it, which rises OFFSET ticks after
// tick 0. PERIOD 0: none.
`default_nettype none

module pll_output #(
    parameter integer PERIOD = 0,                 // even
    parameter integer OFFSET = 0                  // -PERIOD to PERIOD
) (
    input  wire [63:0] now,
    output wire        clock,
    output wire [31:0] to_edge            // ticks from now, at least 1
);
    generate
        if (PERIOD == 0) begin : off
            wire unused = &{1'b0, now};
            assign clock   = 1'b0;
            assign to_edge = 32'hffffffff;
        end else begin : on
            if (PERIOD % 2 != 0 || OFFSET < -PERIOD || OFFSET > PERIOD) begin : check
                phase_or_period_between_two_ticks illegal();
            end
            localparam [63:0] LONG = {32'd0, PERIOD}, BEFORE = {32'd0, PERIOD - OFFSET};
            /* verilator lint_off UNUSED */ // a remainder's upper half is zero
            wire [63:0] phase = (now + BEFORE) % LONG;
            /* verilator lint_on UNUSED */
            assign clock   = phase[31:0] < LONG[32:1];
            assign to_edge = (clock ? LONG[32:1] : LONG[31:0]) - phase[31:0];
        end
    endgenerate
endmodule
`default_nettype wire
