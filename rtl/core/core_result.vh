// SPDX-License-Identifier: Apache-2.0
// Where an instruction's result comes from: chosen by core_decode, obeyed by core_alu. A product is chosen in the
// memory stage.
/* verilator lint_off UNUSED */
localparam [2:0] RESULT_SUM      = 3'd0,
                 RESULT_LOGICAL  = 3'd1,
                 RESULT_LESS     = 3'd2,
                 RESULT_SHIFT    = 3'd3,
                 RESULT_LINK     = 3'd4,        // the return address of a jump
                 RESULT_CSR      = 3'd5,
                 RESULT_QUOTIENT = 3'd6,
                 RESULT_TARGET   = 3'd7;        // auipc
/* verilator lint_on UNUSED */
