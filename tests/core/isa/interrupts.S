/* SPDX-License-Identifier: Apache-2.0
 * Goal: interrupts: causes, vectors, priority, masks, WFI, and how long they take.
 * Method: the bench's devices raise lines at once or after a given number of cycles. */
#include "check.h"
    la t0, recorder_once
    csrw mtvec, t0

.macro one_line number, line, cause
    test \number
    trap_to 1f
    li t0, 1 << \cause
    csrw mie, t0
    set_lines \line
    csrr t1, mip
    bne t1, t0, failed
    expect s5, 0                /* mstatus.MIE is still clear */
    csrsi mstatus, 8
2:  j failed
1:  csrci mstatus, 8
    expect_trap 0x80000000 | \cause, 2b, 0
    set_lines 0
    csrr t1, mip
    expect t1, 0
.endm
    one_line 1, LINE_SOFTWARE, 3
    one_line 2, LINE_TIMER, 7
    one_line 3, LINE_EXTERNAL, 11
    one_line 4, LINE_DOORBELL, 16
    one_line 5, LINE_NODE0, 17
    one_line 6, LINE_NODE1, 18

    test 10                     /* priority: 11, 3, 7, 16, 17, 18; each masked after it came */
    set_lines 63
    li t0, -1
    csrw mie, t0
    csrr t0, mie
    expect t0, 0x70888
    .macro next cause
    trap_to 1f
    csrsi mstatus, 8
    nop
    j failed
1:  csrci mstatus, 8
    expect s2, 0x80000000 | \cause
    li t0, 1 << \cause
    csrc mie, t0
    .endm
    next 11
    next 3
    next 7
    next 16
    next 17
    next 18
    csrsi mstatus, 8            /* all masked: nothing comes */
    nop
    nop
    csrci mstatus, 8
    set_lines 0

    test 20                     /* vectored: base + 4 * cause; exceptions go to the base */
    la t0, table
    ori t0, t0, 1
    csrw mtvec, t0
    csrr t1, mtvec
    bne t0, t1, failed
    .macro vector line, cause
    li s7, 0
    trap_to 1f
    li t0, 1 << \cause
    csrw mie, t0
    set_lines \line
    csrsi mstatus, 8
    j failed
1:  csrci mstatus, 8
    expect s7, 100 + \cause
    expect s2, 0x80000000 | \cause
    set_lines 0
    .endm
    vector LINE_SOFTWARE, 3
    vector LINE_TIMER, 7
    vector LINE_EXTERNAL, 11
    vector LINE_DOORBELL, 16
    vector LINE_NODE0, 17
    vector LINE_NODE1, 18
    test 21
    li s7, 0
    trap_to 1f
    ecall
1:  expect s7, 100
    la t0, recorder_once
    csrw mtvec, t0

    test 30                     /* WFI waits for a line that mie enables, MIE or not, and returns after itself */
    li t0, 1 << 16
    csrw mie, t0
    li s5, 0
    li t0, DELAY
    li t1, 60
    sw t1, 0(t0)
    li t1, LINE_DOORBELL
    li t2, CYCLE
    lw s8, 0(t2)
    sw t1, RAISE - DELAY (t0)
    wfi
    lw s9, 0(t2)
    expect s5, 0
    sub s9, s9, s8
    li t6, 60
    blt s9, t6, failed          /* it has waited */
    set_lines 0
    test 31                     /* with MIE: mepc is the instruction after WFI */
    trap_to 1f
    csrsi mstatus, 8
    li t1, LINE_DOORBELL
    sw t1, RAISE - DELAY (t0)
    wfi
2:  j failed
1:  csrci mstatus, 8
    expect_trap 0x80000010, 2b, 0
    set_lines 0
    test 32                     /* a line that mie does not enable does not wake */
    li t1, 1 << 17
    csrw mie, t1
    li t0, LINES
    li t1, LINE_DOORBELL
    sw t1, 0(t0)                /* up already */
    li t1, LINE_NODE0 | LINE_DOORBELL
    sw t1, RAISE - LINES (t0)
    li t2, CYCLE
    lw s8, 0(t2)
    wfi
    lw s9, 0(t2)
    sub s9, s9, s8
    li t6, 50
    blt s9, t6, failed
    set_lines 0
    test 33                     /* what has WFI's upper bits and another opcode does not wait: no line would wake it */
    csrrw s8, mie, zero
    .word 0x10500013            /* addi x0, x0, 0x105 */
    .word 0x10500037            /* lui x0, 0x10500 */
    .word 0x10500017            /* auipc x0, 0x10500 */
    csrw mie, s8

    test 40                     /* an interrupt ends a division, which starts again afterwards */
    li t0, DELAY
    li t1, 8
    sw t1, 0(t0)
    la t2, recorder_resume
    csrw mtvec, t2
    li s5, 0
    csrsi mstatus, 8
    li s8, 1000003
    li s9, 7
    li t1, LINE_NODE0
    sw t1, RAISE - DELAY (t0)
#ifdef __riscv_div
    div s10, s8, s9
    rem s11, s8, s9
#else
    li s10, 142857
    li s11, 4
    .rept 20
    nop
    .endr
#endif
    csrci mstatus, 8
    expect s5, 1
    expect s10, 142857
    expect s11, 4

    test 50                     /* a level that stays comes again right after mret, before anything else */
    la t2, recorder_three
    csrw mtvec, t2
    li s5, 0
    li s7, 0
    set_lines LINE_NODE0
    csrsi mstatus, 8
    addi s7, s5, 0
    csrci mstatus, 8
    expect s5, 3
    expect s7, 3
    j passed

    /* Records, and returns with interrupts disabled: the line is still up. */
    .balign 4
recorder_once:
    li t5, 0x80
    csrc mstatus, t5
    j recorder

    .balign 4
recorder_three:
    addi s5, s5, 1
    li t5, 3
    blt s5, t5, 1f
    li t5, LINES
    sw zero, 0(t5)
    lw zero, 0(t5)
1:  mret

    .balign 4
recorder_resume:
    addi s5, s5, 1
    li t5, LINES
    sw zero, 0(t5)
    lw zero, 0(t5)
    mret

    .balign 4
table:
    .option push
    .option norvc
    .macro entry number
    j entry_\number
    .endm
    .altmacro
    .set number, 0
    .rept 19
    entry %number
    .set number, number + 1
    .endr
    .option pop
    .macro body number
entry_\number:
    li s7, 100 + \number
    j recorder_once
    .endm
    .set number, 0
    .rept 19
    body %number
    .set number, number + 1
    .endr
