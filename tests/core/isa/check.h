/* SPDX-License-Identifier: Apache-2.0
 *
 * Frame of the directed tests. A test is a piece of code between `test N` and the next; `expect register, value`
 * fails it. Traps land in a recorder that keeps mcause, mepc and mtval in s2, s3, s4, counts in s5 and goes on at
 * the address in s6 (set by `trap_to`). t5 and t6 belong to the macros.
 */
.option arch, +zicsr, +zifencei

#define LINES 0xf0000004
#define RAISE 0xf0000008
#define DELAY 0xf000000c
#define CYCLE 0xf0000010
#define RAISED 0xf0000014
#define LINE_SOFTWARE 1
#define LINE_TIMER 2
#define LINE_EXTERNAL 4
#define LINE_DOORBELL 8
#define LINE_NODE0 16
#define LINE_NODE1 32
#define BAD_ADDRESS 0x60000000

.macro test number
    li gp, \number
.endm

.macro expect register, value
    li t6, \value
    bne \register, t6, failed
.endm

.macro expect_address register, label
    la t6, \label
    bne \register, t6, failed
.endm

/* The next trap goes on at the label; s5 counts from zero again. */
.macro trap_to label
    la s6, \label
    li s5, 0
.endm

/* Exactly one trap happened, with this cause, at this instruction, with this value. */
.macro expect_trap cause, where, value
    expect s5, 1
    expect s2, \cause
    expect_address s3, \where
    li t6, \value
    bne s4, t6, failed
.endm

.macro set_lines value
    li t5, LINES
    li t6, \value
    sw t6, 0(t5)
    fence
    lw zero, 0(t5)              /* the write has arrived */
.endm

    .section .text.start
    .global _start
_start:
    la t0, recorder
    csrw mtvec, t0
    j body

    .align 2
recorder:
    csrr s2, mcause
    csrr s3, mepc
    csrr s4, mtval
    addi s5, s5, 1
    csrw mepc, s6
    mret

failed:
    slli a0, gp, 1
    ori a0, a0, 1
    j end
passed:
    li a0, 1
end:
    la t0, tohost
    sw a0, 0(t0)
1:  j 1b

    .section .tohost, "aw"
    .align 6
    .global tohost
tohost:
    .word 0
    .text
body:
