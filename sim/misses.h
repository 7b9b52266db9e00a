/* SPDX-License-Identifier: Apache-2.0
 *
 * What misses the caches of the firmware's region, by function and by table, so that what lies in core memory is chosen
 * by measure (make profile-placement). The firmware takes no part: where a table of a boot lies is what tables_take
 * answers, read in the core's registers as it returns.
 */
#ifndef TESSERA_MISSES_H
#define TESSERA_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols.h"

struct misses;

/* What the caches do in a cycle. */
struct misses_seen {
    bool instruction, data;                     /* an access misses ... */
    bool instruction_waits, data_waits;         /* ... or waits for longer than a hit would take */
    uint32_t instruction_address, data_address; /* as the core sees them */
};

/* NULL when out of memory. The symbols and the core's 32 registers stay the caller's and must outlive it. */
struct misses *misses_create(const struct symbols *symbols, const uint32_t *registers);
void misses_free(struct misses *misses);

/* An instruction was retired; a cycle has passed in which something missed or waits. An instruction's miss is its own
 * function's, one of data belongs to the function that retired an instruction last, and so do the cycles that are
 * waited. */
void misses_retire(struct misses *misses, uint32_t pc);
void misses_count(struct misses *misses, const struct misses_seen *seen);
/* The core is held in reset: the tables of the next boot take the place of this one's, the sums of functions stay. */
void misses_reset(struct misses *misses);

/* "function NAME ADDRESS INSTRUCTION_MISSES DATA_MISSES WAITED" a line, then "table CALLER ADDRESS BYTES DATA_MISSES":
 * the place that called tables_take, and how far it is to the next table (0: there is none, it is the memory's last);
 * last "data 0 0 0 DATA_MISSES", of all that lies before the tables. */
bool misses_write(const struct misses *misses, const char *path);

#endif
