// SPDX-License-Identifier: Apache-2.0
//
// Timing profiles: where pipeline registers cut the critical paths of the chip. A board names one, as parameter TIMING
// of gpu.v; this table is the only place that says what each name means. docs/boards.md tells which path each stage
// cuts and what it costs.
//
//   "fast"  fewest cycles: no stage that is not needed. Simulation.
//   "ecp5"  highest clock on an ECP5: a stage in every path that was critical there.
//   "tiny"  least area: the core as on an iCE40, products and shifts a bit per cycle.
//
// Names have four letters, so that every tool compares words of one width. Another name does not elaborate. Included
// inside modules with TIMING; not every module uses every constant, hence the pair of waivers.
/* verilator lint_off UNUSED */
localparam IS_FAST = TIMING == "fast", IS_ECP5 = TIMING == "ecp5", IS_TINY = TIMING == "tiny";

// Core: log2 of the entries of its table of jumps; 0: there is none.
localparam PREDICT       = IS_TINY ? 0 : 10;
/* verilator lint_on UNUSED */

generate if (!(IS_FAST || IS_ECP5 || IS_TINY)) begin : unknown
    TIMING_names_no_profile see_rtl_timing_vh ();
end endgenerate
