# SPDX-License-Identifier: Apache-2.0
# Reset of the test firmware: stack, then main; what main returns ends the simulation as CORE.EXIT.
# A trap ends it with 0x80000000 + mcause (interrupts are polled, never taken).
    .section .text.start, "ax"
    .option arch, +zicsr
    .global _start
_start:
    la      sp, stack_top
    li      tp, 0                       # hal_mmio.c: no bus error yet
    la      t0, trap
    csrw    mtvec, t0
    la      t0, bss_start
    la      t1, bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:  call    main
finish:
    la      t0, core_exit
    sw      a0, 0(t0)
3:  wfi
    j       3b

    .balign 4
trap:
    csrr    a0, mcause
    lui     t0, 0x80000
    or      a0, a0, t0
    j       finish
