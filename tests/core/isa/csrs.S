/* SPDX-License-Identifier: Apache-2.0
 * Goal: exactly the CSRs that docs/core.md names exist (Traps and CSRs). Method: read all 4,096 numbers. */
#include "check.h"

/* `expect`, from further away than a branch reaches. */
.macro expect_far register, value
    li t6, \value
    beq \register, t6, 9f
    la t5, failed
    jr t5
9:
.endm

/* The next number, by whether it exists; the order of the numbers is the order of the calls. */
.macro read_next exists
    trap_to 1f
    li s7, 0
    csrr s8, NUMBER
    li s7, 1                    /* not reached by one that is illegal */
1:  expect_far s7, \exists
    expect_far s5, 1 - \exists
    .set NUMBER, NUMBER + 1
.endm
.macro legal first, last
    .rept \first - NUMBER
    read_next 0
    .endr
    .rept \last + 1 - NUMBER
    read_next 1
    .endr
.endm
    .option norvc
    .set NUMBER, 0
    test 1
    legal 0x300, 0x301          /* mstatus, misa */
    legal 0x304, 0x305          /* mie, mtvec */
    legal 0x310, 0x310          /* mstatush */
    legal 0x320, 0x320          /* mcountinhibit */
    legal 0x323, 0x33f          /* mhpmevent */
    legal 0x340, 0x344          /* mscratch, mepc, mcause, mtval, mip */
    test 2
    legal 0x3a0, 0x3a3          /* pmpcfg */
    legal 0x3b0, 0x3bf          /* pmpaddr */
    test 3
    legal 0x7a0, 0x7a3          /* tselect, tdata1, tdata2, tdata3 */
    test 4
    legal 0xb00, 0xb00          /* mcycle */
    legal 0xb02, 0xb1f          /* minstret, mhpmcounter */
    legal 0xb80, 0xb80
    legal 0xb82, 0xb9f
    test 5
    legal 0xc00, 0xc02          /* cycle, time, instret */
    legal 0xc80, 0xc82
    test 6
    legal 0xf11, 0xf15          /* mvendorid, marchid, mimpid, mhartid, mconfigptr */
    test 7
    .rept 0x1000 - NUMBER
    read_next 0
    .endr

    la t5, passed
    jr t5
