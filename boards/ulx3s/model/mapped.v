// SPDX-License-Identifier: Apache-2.0
//
// For `techmap` on the way to a simulation: a LUT4 as multiplexers of one bit, whose constants `opt_expr` then folds LUT by
// LUT. (The cells' own model in Yosys' library means the same.)
module LUT4 (input A, input B, input C, input D, output Z);
    parameter [15:0] INIT = 16'h0000;
    wire z0 = C ? (B ? (A ? INIT[7]  : INIT[6])  : (A ? INIT[5]  : INIT[4]))
                : (B ? (A ? INIT[3]  : INIT[2])  : (A ? INIT[1]  : INIT[0]));
    wire z1 = C ? (B ? (A ? INIT[15] : INIT[14]) : (A ? INIT[13] : INIT[12]))
                : (B ? (A ? INIT[11] : INIT[10]) : (A ? INIT[9]  : INIT[8]));
    assign Z = D ? z1 : z0;
endmodule
