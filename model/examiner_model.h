/* SPDX-License-Identifier: Apache-2.0
 *
 * The examiner (rtl/examiner.v), block EXAMINE of the table: what it accepts, and what it finds of each entry. It
 * takes no time here.
 */
#ifndef TESSERA_EXAMINER_MODEL_H
#define TESSERA_EXAMINER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_spec.h"

/* What a patch entry is worth: both halves as the registers take them, and what the walk adds up. */
struct examiner_entry {
    uint32_t place, room;
    uint32_t result; /* RESULT's fields */
};

enum { EXAMINER_LOG2_MAX = 12 };

struct examiner_model {
    struct examiner_entry entry[1 << EXAMINER_LOG2_MAX];
    uint32_t index, place, entries;
    uint32_t log2;   /* of the entries that there is room for */
    uint32_t status; /* STATUS's fields; never BUSY */
};

/* As after a reset, with room for 2^log2 entries: entries and results hold anything. */
void examiner_model_reset(struct examiner_model *examiner, uint32_t log2);

/* A read or write of the core's, by EXAMINE_*_OFFSET. `command` is command RAM, `command_words` long: a walk
 * that leaves it stops. What the table says may not be read reads zero. */
uint32_t examiner_model_read(struct examiner_model *examiner, uint32_t offset);
void examiner_model_write(struct examiner_model *examiner, uint32_t offset, uint32_t value, const uint32_t *command,
                          uint32_t command_words);

#endif
