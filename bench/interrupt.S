/* SPDX-License-Identifier: Apache-2.0
 * Cycles from an interrupt line's rise to the first instruction of its handler, printed as a number. Memory answers
 * in a single cycle; the core executes nops (tests/core/isa/timing.S proves the same figure as a test). */
#include "check.h"
#define CONSOLE 0xf0000000
    test 1
    la t0, handler
    csrw mtvec, t0
    li t0, 1 << 17
    csrw mie, t0
    li s9, 4                    /* the last of four counts: nothing on the way is taken for a jump by then */
9:  csrsi mstatus, 8
    li t0, DELAY
    li t1, 20                   /* the line rises 20 cycles after the write below */
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
    li t2, CONSOLE
    li t4, 10
    divu t5, t3, t4
    addi t5, t5, '0'
    sw t5, 0(t2)
    remu t5, t3, t4
    addi t5, t5, '0'
    sw t5, 0(t2)
    sw t4, 0(t2)                /* new line */
    j passed
