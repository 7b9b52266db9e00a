# SPDX-License-Identifier: Apache-2.0
#
# Reset: stack, data (already in place: the host loads it), bss, interrupt enables, main. Interrupts are enabled
# in mie only, never in mstatus: they end wfi and are polled, so there is no interrupt handler. A trap is a bus error of
# system memory, which the host may cause: it is noted in tp (hal_system_failed) and the access is skipped. Any other
# is an error of ours and ends in PANIC_TRAP with mepc, mcause and mtval. Protection is locked first, until the next
# reset: linker/gpu.ld says what lies between the borders.

#define PMP_LOCKED    0x80
#define PMP_TO_HERE   0x08          /* from the border before to this one */
#define PMP_CODE      5             /* read, execute */
#define PMP_CONSTANTS 1             /* read */
#define PMP_DATA      3             /* read, write */
#define REGISTERS     0x40000000    /* ADDR_REGISTERS (hal_mmio.c compares) */
#define FIRMWARE_BYTES 0x51c        /* MEMORY.FIRMWARE_BYTES (likewise) */

    .option arch, +zicsr
    .macro  border register, symbol
    la      t0, \symbol
    srli    t0, t0, 2
    csrw    \register, t0
    .endm

    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    li      tp, 0
    la      t0, trap
    csrw    mtvec, t0
    csrw    mstatus, zero

    border  pmpaddr0, __text_end
    border  pmpaddr1, __rodata_end
    border  pmpaddr2, __memory_end
    border  pmpaddr3, __region_start
    border  pmpaddr4, __region_text_end
    border  pmpaddr5, __region_rodata_end
    la      t0, __region_start          # as large as the chip has it
    li      t1, REGISTERS
    lw      t1, FIRMWARE_BYTES(t1)
    add     t0, t0, t1
    srli    t0, t0, 2
    csrw    pmpaddr6, t0
    li      t0, REGISTERS >> 2
    csrw    pmpaddr7, t0
    li      t0, PMP_LOCKED * 0x01010101 | PMP_TO_HERE * 0x01010101 | PMP_CODE | PMP_CONSTANTS << 8 | PMP_DATA << 16
    csrw    pmpcfg0, t0                 # the fourth: nothing
    csrw    pmpcfg1, t0                 # the region's likewise; a chip without it has no such registers

    la      a0, __bss_start
    la      a2, __bss_end
    sub     a2, a2, a0
    li      a1, 0
    call    memset
    la      a0, __cold_bss_start
    la      a2, __cold_bss_end
    sub     a2, a2, a0
    call    memset
    # Timer (7), display (11), and platform lines 16 doorbell, 17 node 0, 18 node 1.
    li      t0, (1 << 7) | (1 << 11) | (1 << 16) | (1 << 17) | (1 << 18)
    csrw    mie, t0
    call    main
3:  j       3b

# The stacks of long work (stacks.c). What a call may not change, ra and tp lie on the stack that is left: tp is the
# bus error of what runs there. stack_begin is where a new stack starts: its body in s0, the body's argument in s1.
#   void stack_switch(uint32_t *left, uint32_t to)
    .section .text.stack_switch, "ax"
    .globl stack_switch
    .type stack_switch, @function
stack_switch:
    addi    sp, sp, -64
    sw      ra, 0(sp)
    sw      tp, 4(sp)
    sw      s0, 8(sp)
    sw      s1, 12(sp)
    sw      s2, 16(sp)
    sw      s3, 20(sp)
    sw      s4, 24(sp)
    sw      s5, 28(sp)
    sw      s6, 32(sp)
    sw      s7, 36(sp)
    sw      s8, 40(sp)
    sw      s9, 44(sp)
    sw      s10, 48(sp)
    sw      s11, 52(sp)
    sw      sp, 0(a0)
    mv      sp, a1
    lw      ra, 0(sp)
    lw      tp, 4(sp)
    lw      s0, 8(sp)
    lw      s1, 12(sp)
    lw      s2, 16(sp)
    lw      s3, 20(sp)
    lw      s4, 24(sp)
    lw      s5, 28(sp)
    lw      s6, 32(sp)
    lw      s7, 36(sp)
    lw      s8, 40(sp)
    lw      s9, 44(sp)
    lw      s10, 48(sp)
    lw      s11, 52(sp)
    addi    sp, sp, 64
    ret
    .size stack_switch, . - stack_switch
    .globl stack_begin
    .type stack_begin, @function
stack_begin:
    mv      a0, s1
    jalr    s0
    call    stack_end
    .size stack_begin, . - stack_begin

# The end: what is said last begins with an empty stack.
#   void stack_last(uint32_t code, uint32_t place)
    .section .text.stack_last, "ax"
    .globl stack_last
    .weak hal_last_words
    .type stack_last, @function
stack_last:
    la      sp, __stack_top
    call    hal_last_words
4:  csrw    mie, zero
    wfi
    j       4b
    .size stack_last, . - stack_last

# The library's defaults of these two go byte by byte, its fast ones take 1.8 KB. A word at a time where everything is
# aligned, as it is for what the compiler clears and copies. (Nothing is cleared in the first 16 bytes of memory.)
    .section .text.memset, "ax"
    .globl memset
    .type memset, @function
memset:
    add     t1, a0, a2
    mv      t0, a0
    or      t2, a0, a2
    andi    t2, t2, 3
    bnez    t2, 2f
    andi    a1, a1, 0xff
    slli    t2, a1, 8
    or      a1, a1, t2
    slli    t2, a1, 16
    or      a1, a1, t2
    addi    a2, t1, -15
1:  bgeu    t0, a2, 4f
    sw      a1, 0(t0)
    sw      a1, 4(t0)
    sw      a1, 8(t0)
    sw      a1, 12(t0)
    addi    t0, t0, 16
    j       1b
4:  bgeu    t0, t1, 3f
    sw      a1, 0(t0)
    addi    t0, t0, 4
    j       4b
2:  bgeu    t0, t1, 3f
    sb      a1, 0(t0)
    addi    t0, t0, 1
    j       2b
3:  ret

    .section .text.memcpy, "ax"
    .globl memcpy
    .type memcpy, @function
memcpy:
    add     t1, a0, a2
    mv      t0, a0
    or      t2, a0, a1
    or      t2, t2, a2
    andi    t2, t2, 3
    bnez    t2, 2f
1:  bgeu    t0, t1, 3f
    lw      t2, 0(a1)
    addi    a1, a1, 4
    sw      t2, 0(t0)
    addi    t0, t0, 4
    j       1b
2:  bgeu    t0, t1, 3f
    lbu     t2, 0(a1)
    addi    a1, a1, 1
    sb      t2, 0(t0)
    addi    t0, t0, 1
    j       2b
3:  ret

    .section .text.start, "ax"
    .balign 4
trap:
    mv      tp, t0                      # all that is free until it holds the address
    csrr    t0, mcause
    addi    t0, t0, -5                  # 5 load denied, 7 store denied
    andi    t0, t0, -3
    bnez    t0, 2f
    csrr    t0, mtval
    bgez    t0, 2f                      # below ADDR_SYSTEM
    csrr    t0, mepc
    lbu     t0, 0(t0)
    andi    t0, t0, 3
    addi    t0, t0, -3
    beqz    t0, 1f                      # an instruction of 4 bytes
    csrr    t0, mepc
    addi    t0, t0, -2
    csrw    mepc, t0
1:  csrr    t0, mepc
    addi    t0, t0, 4
    csrw    mepc, t0
    mv      t0, tp
    csrr    tp, mtval
    mret
2:  csrr    a0, mepc
    csrr    a1, mcause
    csrr    a2, mtval
    la      sp, __stack_top
    call    hal_trap
