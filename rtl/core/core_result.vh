// SPDX-License-Identifier: Apache-2.0
// Where an instruction's result comes from: chosen by core_decode, obeyed by core_alu. A load's address is its sum.
/* verilator lint_off UNUSED */
localparam [2:0] RESULT_SUM         = 3'd0,
                 RESULT_LOGICAL     = 3'd1,
                 RESULT_LESS        = 3'd2,
                 RESULT_PRODUCT     = 3'd3,     // multiplier and shifter
                 RESULT_ALTERNATIVE = 3'd4,     // auipc, and the return address of jumps
                 RESULT_CSR         = 3'd5,
                 RESULT_ITERATIVE   = 3'd6;
/* verilator lint_on UNUSED */
