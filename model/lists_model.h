/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of lists (rtl/lists.v), the registers of block EXAMINE from LISTS on, in front of an examiner
 * (examiner_model.h). It takes no time here.
 */
#ifndef TESSERA_LISTS_MODEL_H
#define TESSERA_LISTS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "examiner_model.h"

enum { LISTS_ROWS_LOG2_MAX = 14 };

/* What is known of an allocation, as the registers take it. */
struct lists_row {
    uint32_t key, place, pages;
};

struct lists_model {
    struct lists_row row[1 << LISTS_ROWS_LOG2_MAX];
    uint32_t named[(1 << LISTS_ROWS_LOG2_MAX) / 32];
    uint32_t key, place, dma_at, list_at, patches_at, counts, job, named_at;
    uint32_t log2;   /* of the allocations that have a row */
    uint32_t status; /* LISTS' fields; never BUSY */
};

/* The memories around it, in words. */
struct lists_memory {
    uint32_t *command;
    uint32_t command_words;
    const uint32_t *system;
    uint32_t system_words;
};

/* As after a reset and STOP.FORGET, with 2^log2 rows. */
void lists_model_reset(struct lists_model *lists, uint32_t log2);

/* A read or write of the core's, by EXAMINE_*_OFFSET from LISTS on. READ does all there is to do: it stops where
 * rtl/lists.v stops, and at addresses outside the memories. Of command RAM a READ that is not SOUND may have written
 * any part of the DMA buffer and of the patch list. */
uint32_t lists_model_read(struct lists_model *lists, uint32_t offset);
void lists_model_write(struct lists_model *lists, struct examiner_model *examiner, uint32_t offset, uint32_t value,
                       const struct lists_memory *memory);

#endif
