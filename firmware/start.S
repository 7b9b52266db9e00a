# SPDX-License-Identifier: Apache-2.0
#
# Reset: stack, data (already in place: one memory), bss, interrupt enables, main. Interrupts are enabled
# in mie only, never in mstatus: they end wfi and are polled, so there is no interrupt handler. Any trap is
# therefore an error of ours and ends in PANIC_TRAP with mepc.

    .option arch, +zicsr
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    la      t0, trap
    csrw    mtvec, t0
    csrw    mstatus, zero

    la      t0, __bss_start
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:
    # Timer (7) and platform lines 16 doorbell, 17 node 0, 18 node 1.
    li      t0, (1 << 7) | (1 << 16) | (1 << 17) | (1 << 18)
    csrw    mie, t0
    call    main
3:  j       3b

    .balign 4
trap:
    csrr    a0, mepc
    csrr    a1, mcause
    la      sp, __stack_top
    call    hal_trap
