# SPDX-License-Identifier: Apache-2.0
# Reset of the small system's program: stack, then main, which never returns. A trap stops it with
# NODE1.ERROR = 0x80 + mcause; the host sees that and the red light.
    .section .text.start, "ax"
    .option arch, +zicsr
    .global _start
_start:
    la      sp, stack_top
    la      t0, trap
    csrw    mtvec, t0
    j       main

    .balign 4
trap:
    csrr    a0, mcause
    addi    a0, a0, 0x80
    la      t0, node1_error
    sw      a0, 0(t0)
1:  j       1b
