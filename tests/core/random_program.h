/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs for comparing the core with the ISA model.
 *
 * A program is a page of code that the bench shows again and again over the whole lower address range, so that a
 * jump to nearly any address finds instructions. It begins by giving every register a value; at
 * RANDOM_HANDLER lies a vector table whose handler skips four bytes and returns (into the middle of an instruction now
 * and then, which is just as good). Everything else is instructions drawn by weight, a few of them plain noise.
 */
#ifndef TESSERA_RANDOM_PROGRAM_H
#define TESSERA_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RANDOM_CODE_BYTES = 4096, RANDOM_HANDLER = 0x800, RANDOM_TAME_PROLOGUE = 31 * 8 + 2 * 12 /* bytes */ };

struct random_source {
    uint64_t state;
};

uint32_t random_next(struct random_source *source);
uint32_t random_below(struct random_source *source, uint32_t limit);

/* What may occur. `is_tame` keeps to what every RV32IMC machine does alike: accesses are aligned and through
 * the base registers, jumps are short, of the system only ecall, ebreak and mscratch are used; the handler is the
 * caller's, at `handler`. */
struct random_options {
    bool is_tame;
    uint32_t handler, data_base;
};

void random_program(struct random_source *source, const struct random_options *options,
                    uint32_t code[RANDOM_CODE_BYTES / 4]);

/* One random instruction; the return value is its length in half words. */
unsigned random_instruction(struct random_source *source, const struct random_options *options, uint32_t *word);

/* Whether an instruction keeps to the rules of `is_tame`; a jump into the middle of one may find one that does not. */
bool random_is_tame(uint32_t word);

#ifdef __cplusplus
}
#endif
#endif
