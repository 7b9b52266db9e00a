# SPDX-License-Identifier: Apache-2.0
#
# Instructions at known places for core_debug_test.c, which names the same addresses (PLACE_*).
    .option arch, +zicsr
    .option norvc
    .section .text.start, "ax"
    .global _start
_start:
    la      t0, trap
    csrw    mtvec, t0
1:  j       1b

    .org 0x100                  # PLACE_LINE: forms of instructions, one after the other
    addi    x1, x1, 1
    .option rvc
    c.addi  x2, 1
    c.addi  x2, 1
    .option norvc
    j       2f
    addi    x1, x1, 64          # never
2:  beq     x0, x0, 3f          # 0x110
    addi    x1, x1, 64          # never
3:  lw      x4, 0(x5)           # 0x118
    sw      x4, 4(x5)           # 0x11c
    div     x6, x7, x8          # 0x120
    wfi                         # 0x124
    ecall                       # 0x128

    .org 0x140                  # PLACE_EBREAK
    addi    x1, x1, 1
    ebreak                      # 0x144
    addi    x1, x1, 1
1:  j       1b

    .org 0x160                  # PLACE_LOOP: counts in x1, stores and loads around it
1:  addi    x1, x1, 1
    sw      x1, 0(x5)           # 0x164
    lw      x2, 8(x5)           # 0x168
    sh      x1, 14(x5)          # 0x16c
    j       1b

    .org 0x180                  # PLACE_TRAP
trap:
    csrr    x10, mcause
    csrr    x11, mepc
1:  j       1b
