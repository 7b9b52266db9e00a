/* SPDX-License-Identifier: Apache-2.0
 * Goal: PMP in machine mode: unlocked regions never deny, locked ones do until reset; TOR, NA4, NAPOT; priority.
 * Method: program regions over a data block and a code block, access inside and around them. */
#include "check.h"
#define R 1
#define W 2
#define X 4
#define TOR 0x08
#define NA4 0x10
#define NAPOT 0x18
#define L 0x80
    la s1, block                /* 64 bytes, 64-byte aligned */
    li s7, 0x77

.macro allowed instruction, offset
    li s5, 0
    la s6, failed
    \instruction s7, \offset (s1)
    expect s5, 0
.endm
.macro denied instruction, offset, cause
    trap_to 1f
2:  \instruction s7, \offset (s1)
    j failed
1:  expect s5, 1
    expect s2, \cause
    expect_address s3, 2b
    addi t5, s1, \offset
    bne s4, t5, failed
.endm

    test 1                      /* registers: what is kept, what reads zero */
    li t0, -1
    csrw pmpaddr0, t0
    csrr t1, pmpaddr0
    expect t1, 0x3fffffff
    csrw pmpaddr8, t0
    csrr t1, pmpaddr8
    expect t1, 0
    csrw pmpcfg2, t0
    csrr t1, pmpcfg2
    expect t1, 0
    li t0, W                    /* W without R is reserved */
    csrw pmpcfg0, t0
    csrr t1, pmpcfg0
    expect t1, 0

    test 2                      /* an unlocked region without permissions denies nothing in machine mode */
    srli t0, s1, 2
    csrw pmpaddr0, t0
    li t0, NA4
    csrw pmpcfg0, t0
    allowed lw, 0
    allowed sw, 0

    test 3                      /* NA4, locked, read only: that word and no other */
    li t0, L | NA4 | R
    csrw pmpcfg0, t0
    allowed lw, 0
    denied sw, 0, 7
    denied sb, 3, 7
    denied sh, 2, 7
    allowed sw, 4
    allowed sw, -4

    test 4                      /* locked: neither part can be changed */
    csrr s8, pmpaddr0
    csrw pmpaddr0, zero
    csrr t1, pmpaddr0
    bne t1, s8, failed
    csrw pmpcfg0, zero
    csrr t1, pmpcfg0
    expect t1, L | NA4 | R

    test 5                      /* NAPOT of 16 bytes at block + 16, no access at all */
    addi t0, s1, 16
    srli t0, t0, 2
    ori t0, t0, 1
    csrw pmpaddr1, t0
    li t0, (L | NAPOT) << 8
    csrs pmpcfg0, t0
    denied lw, 16, 5
    denied sw, 16, 7
    denied lbu, 31, 5
    denied sb, 31, 7
    allowed lw, 12
    allowed sw, 32
    trap_to 1f                  /* misaligned goes before the access fault */
2:  lw s7, 17(s1)
    j failed
1:  expect s2, 4
    lw s8, 4(s1)
    li s11, 64                  /* the load after a denied one may be asked for: its answer is dropped */
3:  trap_to 1f
    lw t0, 16(s1)
    lw t1, 8(s1)
    j failed
1:  expect s2, 5
    lw t1, 4(s1)
    bne t1, s8, failed
    addi s11, s11, -1
    bnez s11, 3b

    test 6                      /* TOR from pmpaddr2 to pmpaddr3: [32, 44) write denied; a region 2 is off */
    addi t0, s1, 32
    srli t0, t0, 2
    csrw pmpaddr2, t0
    addi t0, t0, 3
    csrw pmpaddr3, t0
    li t0, (L | TOR | R | X) << 24
    csrs pmpcfg0, t0
    denied sw, 32, 7
    denied sw, 40, 7
    allowed sw, 44
    allowed lw, 32
    allowed lw, 40
    test 7                      /* a locked TOR region locks the address it begins at */
    csrr s8, pmpaddr2
    csrw pmpaddr2, zero
    csrr t1, pmpaddr2
    bne t1, s8, failed

    test 8                      /* the lowest matching region decides: region 2 over all, behind regions 0 and 1 */
    li t0, (L | NA4) << 16      /* on pmpaddr2 = word 32, which region 3 would let read */
    csrs pmpcfg0, t0
    denied lw, 32, 5
    allowed lw, 36

    test 9                      /* execution: only where X; here region 1 covers code in `block` + 16 */
    trap_to 1f
    addi t0, s1, 16
    jr t0
1:  expect s5, 1
    expect s2, 1
    addi t0, s1, 16
    bne s3, t0, failed
    bne s4, t0, failed
    test 10                     /* region 3 allows execution */
    la s6, failed
    la t0, 1f
    la t6, 1f
    addi t0, s1, 36
    jr t0
1:  j passed

    .data
    .balign 64
block:
    .word 0, 1, 2, 3, 4, 5, 6, 7, 8
    .word 0x000f8067            /* jr t6 */
    .word 10, 11, 12, 13, 14, 15
