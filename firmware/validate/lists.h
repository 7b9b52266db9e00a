/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware that reads what a SUBMIT names and has it examined (rtl/lists.v, block EXAMINE of the table). It does
 * what validate.c does, for lists that name nothing but what the client owns and may use, each once. At anything else
 * it stops, and validate.c begins again.
 */
#ifndef FIRMWARE_LISTS_H
#define FIRMWARE_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/job.h"
#include "memory/index_set.h"

enum lists_progress {
    LISTS_READS,
    LISTS_STOPPED, /* command RAM may hold any part of it */
    LISTS_SOUND,   /* DMA buffer and patch list are in command RAM, the lists are right; the packets are to be judged */
    LISTS_ACCEPTED, /* so are the packets; is_written and traffic are known, and the address words have addresses */
    LISTS_IN_PLACE  /* and each is where the allocation was, and its use allowed there */
};

/* What a SUBMIT message says beside its job. */
struct lists_source {
    uint32_t dma, list, patches; /* byte addresses in system memory */
    uint32_t list_count;
    uint32_t client;
    bool counts_traffic;
};

/* Longest list that the chip's reader has room for; 0: the chip has none. */
uint32_t lists_room(void);

/* Begin. The lists fit the room, the job has words and is reached (examiner_reaches), and all is inside system memory.
 * It must not be reading. O(1). */
void lists_begin(const struct lists_source *source, const struct job *job);

/* Give up what it still does: it writes nothing more. True: it was reading, and may not be used before the progress is
 * LISTS_STOPPED. O(1). */
bool lists_stop(void);

enum lists_progress lists_progress(void);

/* Is it known already that the list does not name it? The hardware has rows for `limit` allocations. O(1). */
bool lists_spare(uint32_t allocation, uint32_t limit);

/* What the list names into an empty set. O(limit / 32). */
void lists_take_named(struct index_set *named, uint32_t limit);

#endif
