/* SPDX-License-Identifier: Apache-2.0
 * Goal: the cycles that docs/core.md states, with a memory that answers in a single cycle. Not for stalled runs.
 * Method: mcycle around a sequence, less the cost of the empty one. Each sequence runs four times, and the last counts:
 * by then the table of jumps knows it. NO_TABLE: the core has none, so no jump is foreseen. */
#include "check.h"
#define WRONG 3     /* a jump that was not foreseen */
#ifdef NO_TABLE
#define JUMP WRONG
#define FORESEEN 0
#else
#define JUMP 0
#define FORESEEN 1
#endif
    .option norvc
    .option norelax
    .macro measure number, cycles, code:vararg
    test \number
    .balign 8
    li s9, 4
9:  csrr s10, mcycle
    \code
    nop
    nop
    csrr s11, mcycle            /* waits until it is alone: two cycles after the last nop */
    addi s9, s9, -1
    bnez s9, 9b
    sub s11, s11, s10
    expect s11, 5 + \cycles
    .endm
    .macro five instruction:vararg
    .rept 5
    \instruction
    .endr
    .endm
    la s0, data
    li s1, 7
    measure 1, 0
    measure 2, 5, five addi t0, t0, 1
    measure 3, 5, five mul t0, s1, s1
    measure 4, 5 + 4, five mul t0, s1, t0              /* the next one needs it: a cycle more */
    measure 5, 5 + 4, five mulhu t0, s1, t0
    measure 6, 5, five sra t0, s1, t0
    measure 7, 5, five lw t0, 0(s0)
    measure 8, 5 + 4, five lw s0, 0(s0)                /* each address from the load before */
    measure 9, 5, five sw t0, 8(s0)
    .macro turns_about
    sw t0, 8(s0)
    lw t1, 8(s0)
    sw t0, 8(s0)
    lw t1, 8(s0)
    .endm
    measure 10, 4 + 2, turns_about                     /* a load right after a store: a cycle more */
    measure 11, 5 * 3, five csrw mscratch, s1          /* waits until it is alone */
    measure 12, 9, div t0, s1, s1                      /* three zero bytes lead the dividend */
    li s1, -1
    measure 13, 18, remu t0, s1, s1
    measure 14, 9, div t0, s1, s1
    measure 15, 18, divu t0, s1, zero
    measure 16, 1, fence

    .macro jump_forward
    j 7f
    nop
7:  nop
    .endm
    measure 20, 2 + JUMP, jump_forward
    .macro branch_not_taken
    bnez zero, 7f
    nop
7:  nop
    .endm
    measure 21, 3, branch_not_taken
    .macro branch_taken
    beqz zero, 7f
    nop
7:  nop
    .endm
    measure 22, 2 + JUMP, branch_taken
    .macro branch_taken_at_last                        /* it was not, three times */
    addi t0, s9, -1
    beqz t0, 7f
    nop
7:  nop
    .endm
    measure 23, 3 + WRONG, branch_taken_at_last
    .macro loop
    li t0, 10
7:  addi t0, t0, -1
    bnez t0, 7b
    .endm
    measure 24, 1 + 9 * (2 + JUMP) + 2 + FORESEEN * WRONG, loop
    .macro jump_to_register
    la t0, 7f
    jalr zero, 0(t0)
    nop
7:  nop
    .endm
    measure 25, 2 + 2 + JUMP, jump_to_register
    .macro call_twice
    call function
    nop
    call function
    .endm
    measure 26, 2 * 3 + 1 + 4 * JUMP, call_twice          /* auipc, jalr, ret; the return goes elsewhere */
    .macro return_after_wrong                          /* the stack of return addresses is as execute left it */
    addi t0, s9, -1
    call turning
    .endm
    measure 28, 3 + 4 + 2 * JUMP + WRONG, return_after_wrong
#ifdef __riscv_compressed
    .macro half_word
    j 7f
    .option push
    .option rvc
    c.nop
7:  addi t0, t0, 100           /* not to be compressed */
    c.nop
    .option pop
    .endm
    measure 27, 3 + JUMP + 1 - FORESEEN, half_word    /* straddles two words: a cycle more, if fetch is not ahead */
#endif

    measure 30, 3 + WRONG, fence.i
    .macro trap_round
    la s6, 7f
    ecall
    nop
7:
    .endm
    measure 31, 2 + (1 + 5) + (1 + 3 + 3 + 1 + 3) + (3 + WRONG), trap_round   /* la, ecall, recorder, mret */

    test 40                     /* interrupt: from the line to the first instruction of the handler */
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 17
    csrw mie, t0
    li s9, 4                    /* the last of four counts: nothing on the way is taken for a jump by then */
9:  csrsi mstatus, 8
    li t0, DELAY
    li t1, 20
    sw t1, 0(t0)
    li t1, LINE_NODE0
    sw t1, RAISE - DELAY (t0)
    .rept 40
    nop
    .endr
    j failed
    .balign 4
handler:
    li t2, CYCLE
    lw t3, 0(t2)                /* executes two instructions after the handler's first */
    lw t4, RAISED - CYCLE (t2)
    sub t3, t3, t4
    addi t3, t3, -2
    li t5, LINES
    sw zero, 0(t5)
    addi s9, s9, -1
    bnez s9, 9b
    expect t3, 7
    j passed
    .balign 4
function:
    ret
    .balign 4
turning:
    beqz t0, 7f                                        /* it was not, three times */
    nop
7:  nop
    nop
    ret

    .data
    .balign 4
data: .word data, 0, 0
