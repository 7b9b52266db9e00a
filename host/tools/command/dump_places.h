/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the allocations of a dump were for the engine, what it was granted, and the limits of its work: what a portion
 * needs to be run again without firmware. All of it is computed from numbers that may be anybody's.
 */
#ifndef TESSERA_DUMP_PLACES_H
#define TESSERA_DUMP_PLACES_H

#include "lib/tdump/tdump.h"

enum {
    PLACES_SPACES = 3, /* segment 1, segment 2, aperture: as guard indices have them */
    PLACES_SPACE_PAGES = LIMIT_BITS_GUARD_SPACE_PAGES,
    PLACES_FIRST_FRAME = 16 /* of the system pages that stand for those of the dump */
};

struct place {
    const struct tdump_allocation *allocation;
    uint32_t space, first_page, pages;
    uint32_t frame; /* of the aperture: the first of as many frames */
    bool may_write;
};

struct places {
    struct place *place; /* of every allocation of the guilty DMA buffer of which it is known */
    uint32_t count, frames;
    uint32_t space_pages[PLACES_SPACES]; /* memory that there is */
    uint32_t memory_pages;               /* of system memory */
};

/* The limits of HOST.TIMEOUT and so on, with the firmware's defaults. */
struct work_limits {
    uint64_t packet, portion; /* cycles after which a packet, or a portion, is ended by a reset */
};

/* False: no memory. */
bool places_find(struct places *places, const struct tdump *dump, const struct tdump_buffer *buffer);
void places_free(struct places *places);
/* The engine's address of an allocation; 0: not known. */
uint32_t places_address(const struct places *places, uint32_t handle);
/* Was this page of an allocation in the aperture one that the bus would not answer for? */
bool places_is_outside(const struct tdump *dump, const struct tdump_allocation *allocation, uint32_t page);
struct work_limits places_limits(const struct tdump *dump);
/* What the word `index` of a buffer had to be when it ran: patched, if its place is known (else false). */
bool places_expected(const struct places *places, const struct tdump_buffer *buffer, uint32_t index, uint32_t *word);

#endif
