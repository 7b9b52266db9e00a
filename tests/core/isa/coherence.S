/* SPDX-License-Identifier: Apache-2.0
 * Goal: fence.i makes stores visible to fetch, also to instructions already fetched ahead, and jumps into, over and
 * between half words work.
 * Method: a subroutine is patched again and again right before it runs. */
#include "check.h"
    test 1
    la s0, patched
    li s1, 0x00000513           /* li a0, 0, later the loop's count */
    li s2, 0
1:  slli t0, s2, 20
    add t0, t0, s1
    sw t0, 0(s0)
    .balign 4
    .option push
    .option norvc
    fence.i
patched:
    li a0, -1                   /* fetched ahead of the store with near certainty */
    .option pop
    bne a0, s2, failed
    addi s2, s2, 1
    li t1, 100
    bne s2, t1, 1b

#ifdef __riscv_compressed
    test 2                      /* 32-bit instructions at odd half words, jumped to and run into */
    li t0, 0
    j 1f
    .balign 4
    c.nop
1:  .option push
    .option norvc
    addi t0, t0, 1
    addi t0, t0, 2
    .option pop
    c.addi t0, 4
    .option push
    .option norvc
    addi t0, t0, 8
    beqz zero, 2f
    addi t0, t0, 1024
2:  addi t0, t0, 16
    .option pop
    expect t0, 31
    test 3                      /* loops whose branch and target straddle words, backwards and forwards */
    li t0, 0
    li t1, 50
    .balign 4
    c.nop
1:  c.addi t0, 1
    .option push
    .option norvc
    beq t0, t1, 2f
    j 1b
    .option pop
2:  expect t0, 50
#endif
    test 4                      /* call and return, the address in another register than x1, x0 as link */
    la t3, 1f
    jalr t4, 0(t3)
2:  j 3f
1:  expect_address t4, 2b
    jr t4
3:  j passed
