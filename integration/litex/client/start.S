/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the BIOS jumps to: a stack, empty data, the client. A trap, of which the GPU's interrupt is the only one meant,
 * saves what C may change.
 */
    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, client_stack_top
    la      t0, client_bss
    la      t1, client_bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:  la      t0, trap
    csrw    mtvec, t0
    call    main
3:  j       3b

    .balign 4
trap:
    addi    sp, sp, -64
    sw      ra, 0(sp)
    sw      t0, 4(sp)
    sw      t1, 8(sp)
    sw      t2, 12(sp)
    sw      a0, 16(sp)
    sw      a1, 20(sp)
    sw      a2, 24(sp)
    sw      a3, 28(sp)
    sw      a4, 32(sp)
    sw      a5, 36(sp)
    sw      a6, 40(sp)
    sw      a7, 44(sp)
    sw      t3, 48(sp)
    sw      t4, 52(sp)
    sw      t5, 56(sp)
    sw      t6, 60(sp)
    csrr    a0, mcause
    csrr    a1, mepc
    call    client_trap
    lw      ra, 0(sp)
    lw      t0, 4(sp)
    lw      t1, 8(sp)
    lw      t2, 12(sp)
    lw      a0, 16(sp)
    lw      a1, 20(sp)
    lw      a2, 24(sp)
    lw      a3, 28(sp)
    lw      a4, 32(sp)
    lw      a5, 36(sp)
    lw      a6, 40(sp)
    lw      a7, 44(sp)
    lw      t3, 48(sp)
    lw      t4, 52(sp)
    lw      t5, 56(sp)
    lw      t6, 60(sp)
    addi    sp, sp, 64
    mret

/* The GPU's firmware, an ELF file as it is. */
    .section .rodata.firmware, "a"
    .globl client_firmware
    .balign 4
client_firmware:
    .incbin CLIENT_FIRMWARE
    .globl client_firmware_end
client_firmware_end:
