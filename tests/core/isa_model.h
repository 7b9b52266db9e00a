/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction set model: what one RV32IMC hart with machine mode does, one instruction at a time. Written from the
 * specification and sharing nothing with rtl/core, so that the two can be compared; itself compared with
 * qemu-system-riscv32 (model_check.c). It has the core's choices where the specification leaves one: misaligned
 * accesses trap, mtval holds instruction bits, the same CSRs exist, PMP has 8 regions.
 *
 * Time is not modelled: a read of a counter is reported (`reads_time`) and the caller stores the value it knows.
 */
#ifndef TESSERA_ISA_MODEL_H
#define TESSERA_ISA_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ISA_PMP_REGIONS = 8 };

/* What one instruction did. Registers and memory effects are those of RVFI. */
struct isa_record {
    uint32_t pc, next_pc, instruction; /* compressed: 16 bits, zero extended */
    bool trapped;
    uint32_t rd, rd_value;   /* rd 0: nothing written */
    uint32_t memory_address; /* word address; masks 0: no access */
    unsigned read_mask, write_mask;
    uint32_t write_lanes; /* bytes in their lanes, others zero */
    bool reads_time;      /* rd got a counter: the caller sets isa_model.x[rd] */
};

struct isa_model {
    uint32_t pc, x[32];
    bool mie, mpie; /* of mstatus */
    uint32_t interrupt_enable, mtvec, mscratch, mepc, mcause, mtval;
    bool pmp_ranges_only; /* as with PMP_POWERS = 0; reset leaves it */
    uint8_t pmp_configuration[ISA_PMP_REGIONS];
    uint32_t pmp_address[ISA_PMP_REGIONS];
    /* Memory, whole words; false is a bus error. */
    bool (*fetch)(void *context, uint32_t address, uint32_t *value);
    bool (*read)(void *context, uint32_t address, uint32_t *value);
    bool (*write)(void *context, uint32_t address, uint32_t value, unsigned byte_mask);
    void *context;
};

/* As after the core's reset. Registers, which hardware leaves undefined, are zero. */
void isa_model_reset(struct isa_model *model, uint32_t reset_vector);

/* Executes the instruction at pc, or takes its trap. */
void isa_model_step(struct isa_model *model, struct isa_record *record);

/* Takes the interrupt of highest priority among `lines`; false, and nothing changed, when none is enabled. */
bool isa_model_interrupt(struct isa_model *model, uint32_t lines);

/* The 32-bit instruction a compressed one stands for; false when it is reserved or not of this core. */
bool isa_expand(uint32_t compressed, uint32_t *instruction);

#ifdef __cplusplus
}
#endif
#endif
