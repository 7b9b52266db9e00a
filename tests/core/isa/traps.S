/* SPDX-License-Identifier: Apache-2.0
 * Goal: every exception arrives precisely: right mcause, mepc, mtval, nothing of the instruction done.
 * Method: cause each one and look at the recorder. */
#include "check.h"
    li s0, BAD_ADDRESS
    la s1, data
    li s7, 0x1234

    test 1                      /* load access fault from the bus; rd keeps its value */
    trap_to 1f
2:  lw s7, 8(s0)
    j failed
1:  expect_trap 5, 2b, BAD_ADDRESS + 8
    expect s7, 0x1234

    test 2                      /* byte load: mtval is the byte's address */
    trap_to 1f
2:  lb s7, 3(s0)
    j failed
1:  expect_trap 5, 2b, BAD_ADDRESS + 3
    expect s7, 0x1234

    test 3                      /* store access fault from the bus */
    trap_to 1f
2:  sh s7, 6(s0)
    j failed
1:  expect_trap 7, 2b, BAD_ADDRESS + 6

    test 4                      /* what follows a faulting access has not happened */
    li s8, 5
    trap_to 1f
2:  lw s7, 0(s0)
    addi s8, s8, 1
    sw s8, 0(s1)
    csrw mscratch, s8
1:  expect_trap 5, 2b, BAD_ADDRESS
    expect s8, 5
    lw t0, 0(s1)
    expect t0, 0x11223344
    csrr t0, mscratch
    beq t0, s8, failed

    test 5                      /* a jump after a faulting access is not taken */
    trap_to 1f
2:  sw s7, 0(s0)
    j failed
1:  expect_trap 7, 2b, BAD_ADDRESS

.macro misaligned number, instruction, cause, offset
    test \number
    trap_to 1f
2:  \instruction s7, \offset (s1)
    j failed
1:  expect s5, 1
    expect s2, \cause
    expect_address s3, 2b
    addi t5, s1, \offset
    bne s4, t5, failed
    expect s7, 0x1234
.endm
    misaligned 6, lh, 4, 1
    misaligned 7, lhu, 4, 3
    misaligned 8, lw, 4, 1
    misaligned 9, lw, 4, 2
    misaligned 10, lw, 4, 3
    misaligned 11, sh, 6, 1
    misaligned 12, sw, 6, 2
    misaligned 13, sw, 6, 1
    lw t0, 0(s1)
    expect t0, 0x11223344

    test 14                     /* misaligned comes before the bus */
    trap_to 1f
2:  lw s7, 1(s0)
    j failed
1:  expect_trap 4, 2b, BAD_ADDRESS + 1

    test 15                     /* environment call, breakpoint */
    trap_to 1f
2:  ecall
    j failed
1:  expect_trap 11, 2b, 0
    test 16
    trap_to 1f
    .option push
    .option norvc
2:  ebreak
    .option pop
    j failed
1:  expect_trap 3, 2b, 0

.macro illegal number, word
    test \number
    trap_to 1f
    .balign 4
2:  .word \word
    j failed
1:  expect_trap 2, 2b, \word
.endm
    illegal 20, 0xffffffff
    illegal 21, 0x00003003              /* ld */
    illegal 22, 0x00003023              /* sd */
    illegal 23, 0x00002063              /* branch with funct3 2 */
    illegal 24, 0x00001067              /* jalr with funct3 1 */
    illegal 25, 0x02001013              /* slli by 32 */
    illegal 26, 0x40001013              /* slli with bit 30 */
    illegal 27, 0x40004033              /* xor with bit 30 */
    illegal 28, 0x0000200f              /* fence with funct3 2 */
    illegal 29, 0x10200073              /* sret */
    illegal 30, 0x00200073              /* uret */
    illegal 31, 0x12000073              /* sfence.vma */
    illegal 32, 0x30200173              /* mret with rd */
    illegal 33, 0x3000c073 & 0xfff0c0ff
    illegal 34, 0x7b0022f3              /* csrr dcsr */
    illegal 35, 0x14102373              /* csrr sepc */
    illegal 36, 0xf1129073              /* csrw mvendorid */
    illegal 37, 0xc0029073              /* csrw cycle */
    illegal 38, 0x30202373              /* csrr medeleg */
    illegal 39, 0x00000007              /* flw */
    illegal 40, 0x0000202f              /* lr.w */

    test 41                     /* reading a read-only register is no write */
    csrr t0, mhartid
    expect t0, 0
    csrrs t0, mvendorid, zero
    csrrsi t0, mvendorid, 0

#ifdef __riscv_compressed
.macro illegal_short number, half
    test \number
    trap_to 1f
    .balign 4
    nop
2:  .half \half
    c.nop
    j failed
1:  expect_trap 2, 2b, \half
.endm
    illegal_short 50, 0x0000
    illegal_short 51, 0x2000            /* c.fld */
    illegal_short 52, 0x6081              /* c.lui x1 with no immediate */
    illegal_short 53, 0x8002            /* c.jr x0 */
    illegal_short 54, 0x9c01            /* c.subw */
    illegal_short 55, 0x4002            /* c.lwsp to x0 */
    test 56
    trap_to 1f
2:  c.ebreak
    j failed
1:  expect_trap 3, 2b, 0
#endif

    test 60                     /* instruction access fault: at the address jumped to */
    trap_to 1f
    jr s0
1:  expect s5, 1
    expect s2, 1
    bne s3, s0, failed
    bne s4, s0, failed

    test 61                     /* ... and the return address was written */
    trap_to 1f
    jalr s8, 16(s0)
2:  j failed
1:  expect s2, 1
    expect_address s8, 2b
    li t5, BAD_ADDRESS + 16
    bne s3, t5, failed

#ifdef __riscv_compressed
    test 62                     /* an instruction whose second half cannot be fetched: mtval is that half's address */
    /* The last word of the memory below 16 MiB gets `straddle` */
    la t1, straddle
    lw t1, 0(t1)
    li t2, 0x00fffffc
    sw t1, 0(t2)
    fence.i
    trap_to 1f
    addi t2, t2, 2
    jr t2
1:  expect s5, 1
    expect s2, 1
    expect s3, 0x00fffffe
    expect s4, 0x01000000
#else
    test 63                     /* jumps to half words do not exist */
    trap_to 1f
    la t0, 1f
2:  jalr s8, 2(t0)
    j failed
1:  expect s5, 1
    expect s2, 0
    expect_address s3, 2b
    test 64
    trap_to 1f
2:  .word 0x0060006f            /* j . + 6 */
    j failed
1:  expect s5, 1
    expect s2, 0
    expect_address s3, 2b
    test 65
    trap_to 1f
2:  .word 0x00000363            /* beqz x0, . + 6 */
    j failed
1:  expect s5, 1
    expect s2, 0
    expect_address s3, 2b
    test 66                     /* not taken: no trap */
    li s5, 0
    .word 0x00001363            /* bnez x0, . + 6 */
    expect s5, 0
#endif

    test 70                     /* the trap keeps and restores the interrupt enable */
    csrsi mstatus, 8
    trap_to 1f
    ecall
1:  csrr t0, mstatus
    expect t0, 0x1888           /* mret set MPIE, MIE is back */
    csrci mstatus, 8
    csrr t0, mstatus
    expect t0, 0x1880
    j passed

    .data
    .balign 4
data: .word 0x11223344, 0
    .balign 4
straddle:
    .half 0x0001, 0x0003        /* c.nop, then the first half of a 32-bit instruction */
