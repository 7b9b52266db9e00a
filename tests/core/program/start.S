# SPDX-License-Identifier: Apache-2.0
# Start of a C program under core-run: stack, bss, main; then its return value goes to tohost. A trap nobody
# asked for ends the program as test 99 with mcause and mepc in s0 and s1.
    .option arch, +zicsr
    .section .text.start
    .global _start
_start:
    la sp, __stack
    la t0, unexpected_trap
    csrw mtvec, t0
    la t0, __bss_start
    la t1, __bss_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  call main
    slli a0, a0, 1          # main returns 0, or the number of the failing check
    ori a0, a0, 1
end:
    la t0, tohost
    sw a0, 0(t0)
    j end
    .align 2
unexpected_trap:
    csrr s0, mcause
    csrr s1, mepc
    li a0, 199
    j end

    .section .tohost, "aw"
    .align 6
    .global tohost
tohost:
    .word 0
