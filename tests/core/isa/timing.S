/* SPDX-License-Identifier: Apache-2.0
 * Goal: the cycles that docs/core.md states, with a memory that answers in a single cycle. Not for stalled runs.
 * Method: mcycle around a sequence, less the cost of the empty one. What a stage of the core costs is a symbol, zero
 * without it: see core.mk. */
#include "check.h"
#ifndef STAGES
#define JUMP 0      /* a known jump that is followed */
#define REDIRECT 0  /* one that is not foreseen, a trap, mret, fence.i */
#define PRODUCT 0
#define ACCESS 0    /* load or store */
#define USE 0       /* of a loaded value by the next instruction */
#endif
    .macro measure number, cycles, code:vararg
    test \number
    .balign 8
    csrr s10, mcycle
    \code
    csrr s11, mcycle
    sub s11, s11, s10
    expect s11, 1 + \cycles
    .endm
    .macro five instruction:vararg
    .rept 5
    \instruction
    .endr
    .endm
    .option norvc
    la s0, data
    li s1, 7
    measure 1, 0
    measure 2, 5, five addi t0, t0, 1
    measure 3, 5 * (1 + PRODUCT), five mul t0, s1, t0
    measure 4, 5 * (1 + PRODUCT), five sll t0, s1, t0
    measure 5, 5 * (1 + ACCESS) + 4 * USE, five lw s0, 0(s0)             /* each address from the load before */
    measure 6, 5 * (1 + ACCESS), five sw t0, 8(s0)
    measure 7, 34, div t0, s1, s1
    measure 8, 34, remu t0, s1, s1
    measure 9, 5, five csrw mscratch, s1

    .macro jump_forward
    j 7f
    nop
7:  nop
    .endm
    measure 20, 2 + JUMP, jump_forward                 /* known jump: 1 */
    .macro branch_not_taken
    bnez zero, 7f
    nop
7:  nop
    .endm
    measure 21, 3, branch_not_taken             /* forward, not taken: 1 */
    .macro branch_taken
    beqz zero, 7f
    nop
7:  nop
    .endm
    measure 22, 3 + REDIRECT, branch_taken                 /* forward, taken: 2 */
    .macro loop
    li t0, 10
7:  addi t0, t0, -1
    bnez t0, 7b
    .endm
    measure 23, 1 + 9 * (2 + JUMP) + 3 + REDIRECT, loop             /* backward: 1 while taken, 2 at the end */
    .macro call
    la t0, 7f
    jalr zero, 0(t0)
    nop
7:  nop
    .endm
    measure 24, 2 + 2 + 1 + REDIRECT, call                 /* jalr: 2 */
    measure 25, 2 + REDIRECT, fence.i                      /* 2 */
    .macro trap_round
    la s6, 7f
    ecall
    nop
7:
    .endm
    measure 26, 2 + 2 + 5 + 2 + 2 * REDIRECT, trap_round       /* la, ecall 2, recorder 5, mret 2 */

    test 40                     /* interrupt: from the line to the first instruction of the handler */
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 17
    csrw mie, t0
    csrsi mstatus, 8
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
    addi t3, t3, -2 - ACCESS
    expect t3, 3 + REDIRECT
    j passed

    .data
    .balign 4
data: .word data, 0, 0
