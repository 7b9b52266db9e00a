/* SPDX-License-Identifier: Apache-2.0
 * Goal: minstret counts retired instructions exactly, counters can be written, carries reach the high halves.
 * Method: count known sequences. */
#include "check.h"
    test 9                      /* a reset has cleared them */
    csrr t0, mcycleh
    expect t0, 0
    csrr t0, minstreth
    expect t0, 0
    csrr t0, mcycle
    csrr t1, minstret
    bltu t0, t1, failed         /* an instruction takes a cycle at least */
    li t2, 4096
    bgeu t0, t2, failed
    test 1                      /* reads are apart by what retired between them, the read itself included */
    csrr t0, minstret
    csrr t1, minstret
    sub t1, t1, t0
    expect t1, 1
    test 2                      /* a trapping instruction does not retire; the recorder's six and mret do */
    trap_to 1f
    csrr t0, minstret
    ecall
1:  csrr t1, minstret
    sub t1, t1, t0
    expect t1, 1 + 6
    test 3                      /* nor does one that faults on the bus */
    li s0, BAD_ADDRESS
    trap_to 1f
    csrr t0, minstret
    lw t2, 0(s0)
1:  csrr t1, minstret
    sub t1, t1, t0
    expect t1, 1 + 6
    test 4                      /* a written value is what the next instruction reads */
    li t0, 1000
    csrw minstret, t0
    csrr t1, minstret
    expect t1, 1000
    csrr t1, minstret           /* csrr, and `expect`'s two */
    expect t1, 1003
    test 5                      /* carry into the high half */
    li t0, 0x7ffffff0
    csrw minstreth, t0
    li t0, -2
    csrw minstret, t0
    csrr t1, minstret
    expect t1, -2
    nop
    nop
    csrr t1, minstreth
    expect t1, 0x7ffffff1
    test 6
    li t0, 0x7ffffff0
    csrw mcycleh, t0
    li t0, -1
    csrw mcycle, t0
    nop
    csrr t1, mcycleh
    expect t1, 0x7ffffff1
    test 7                      /* user views agree; time moves */
    csrr t0, cycle
    csrr t1, mcycle
    bgeu t0, t1, failed
    csrr t0, instret
    csrr t1, minstret
    sub t1, t1, t0
    expect t1, 1
    csrr t0, time
    nop
    csrr t1, time
    bgeu t0, t1, failed
    test 10                     /* a CSR takes what the load before it has just brought */
    la s0, brought
    lw t0, 0(s0)
    csrw minstreth, t0
    csrr t1, minstreth
    expect t1, 0x12345678
    test 8                      /* counters of events do not exist, but may be read */
    csrr t0, mhpmcounter3
    expect t0, 0
    csrr t0, mhpmevent31
    expect t0, 0
    j passed
.balign 4
brought: .word 0x12345678
