/* SPDX-License-Identifier: Apache-2.0
 * Goal: the edges of a locked range (TOR): its first and last word are in it, the words before and after it are not,
 * for fetches, loads, stores. Method: a block of returns with a range over its middle; jump to and access each word. */
#include "check.h"
    la s1, block
    addi t0, s1, 8
    srli t0, t0, 2
    csrw pmpaddr0, t0           /* region 0 is off: the lower edge */
    addi t0, s1, 16
    srli t0, t0, 2
    csrw pmpaddr1, t0
    li t0, 0x88 << 8            /* locked, TOR, nothing allowed */
    csrw pmpcfg0, t0
    li s7, 0x000f8067

.macro runs offset
    la s6, failed
    la t6, 1f
    jr \offset (s1)
1:
.endm
.macro refuses offset
    trap_to 1f
    jr \offset (s1)
1:  expect s5, 1
    expect s2, 1
    addi t5, s1, \offset
    bne s3, t5, failed
    bne s4, t5, failed
    trap_to 1f
    lw t0, \offset (s1)
1:  expect s2, 5
    trap_to 1f
    sw s7, \offset (s1)
1:  expect s2, 7
.endm
.macro takes offset
    la s6, failed
    sw s7, \offset (s1)
    lw t0, \offset (s1)
    bne t0, s7, failed
.endm

    test 1                      /* right below, and the word before it */
    runs 0
    takes 0
    runs 4
    takes 4
    test 2                      /* first and last word */
    refuses 8
    refuses 12
    test 3                      /* right after */
    runs 16
    takes 16
    runs 20
    takes 20
    test 4              /* the lowest region that matches decides, also when it allows what a later one denies */
    addi t0, s1, 20
    srli t0, t0, 2
    csrw pmpaddr2, t0           /* NA4: word 20, everything allowed */
    addi t0, s1, 16
    srli t0, t0, 2
    csrw pmpaddr3, t0           /* NAPOT: words 16 and 20, nothing allowed */
    li t0, 0x98970000
    csrs pmpcfg0, t0
    runs 20
    takes 20
    refuses 16
    test 5                      /* the regions of pmpcfg1: a range whose bottom is region 4's address */
    la s1, block2
    addi t0, s1, 4
    srli t0, t0, 2
    csrw pmpaddr4, t0
    addi t0, s1, 12
    srli t0, t0, 2
    csrw pmpaddr5, t0
    li t0, 0x8d00               /* locked, TOR, read and execute */
    csrw pmpcfg1, t0
    csrr t1, pmpcfg1
    bne t0, t1, failed
    csrr t1, pmpaddr5
    addi t0, s1, 12
    srli t0, t0, 2
    bne t0, t1, failed
    li t0, -1
    csrw pmpaddr4, t0           /* the locked range locks the address it begins at, too */
    csrw pmpaddr5, t0
    csrr t1, pmpaddr4
    beq t0, t1, failed
    runs 0
    takes 0
    runs 4
    lw t0, 8 (s1)
    bne t0, s7, failed
    trap_to 1f
    sw s7, 4 (s1)
1:  expect s2, 7
    trap_to 1f
    sw s7, 8 (s1)
1:  expect s2, 7
    runs 12
    takes 12
    test 6                      /* a region of pmpcfg1 denies what one of pmpcfg0 allows: the lower one decides */
    la s1, block
    addi t0, s1, 20
    srli t0, t0, 2
    csrw pmpaddr6, t0           /* NA4: word 20, nothing allowed */
    li t0, 0x900000
    csrs pmpcfg1, t0
    runs 20
    takes 20
    j passed

    .data
    .balign 16
block:
    .rept 6
    .word 0x000f8067            /* jr t6 */
    .endr
    .balign 16
block2:
    .rept 4
    .word 0x000f8067
    .endr
