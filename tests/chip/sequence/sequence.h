/* SPDX-License-Identifier: Apache-2.0
 *
 * Random operation sequences over libtessera, with an oracle that knows nothing of memory management: an image
 * of every allocation's bytes as the host would see them. One seed is one sequence, on any machine.
 */
#ifndef TEST_SEQUENCE_H
#define TEST_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "tessera.h"
#include "tessera_stream.h"

enum {
    SEQUENCE_CONTEXTS = 3,
    SEQUENCE_PER_CONTEXT = 4,
    SEQUENCE_SHARED = 2, /* read by the jobs of every context, written by the host alone */
    SEQUENCE_ALLOCATIONS = SEQUENCE_CONTEXTS * SEQUENCE_PER_CONTEXT + SEQUENCE_SHARED,
    SEQUENCE_PAGES_MAX = 3,
    SEQUENCE_IN_FLIGHT = 6,
    SEQUENCE_PAGE = LIMIT_BITS_PAGE_BYTES,
    SEQUENCE_BYTES_MAX = SEQUENCE_PAGES_MAX * SEQUENCE_PAGE
};

/* Surfaces of swizzled allocations: SEQUENCE_PAGE bytes per this many rows. */
enum { SEQUENCE_PITCH = 64, SEQUENCE_ROWS = SEQUENCE_PAGE / SEQUENCE_PITCH };

struct tracked {
    struct tessera_allocation *allocation;
    uint8_t image[SEQUENCE_BYTES_MAX]; /* as the host sees it */
    uint32_t bytes, set;
    bool is_offered, is_swizzled;
};

struct flight {
    tessera_ticket ticket;
    uint32_t context;
};

struct sequence_plan {
    uint32_t seed, steps;
    bool is_unsplit;     /* all of local memory, no forced modes: what the others must equal */
    bool only_jobs;      /* submissions and visits, allocations in local memory */
    uint32_t more_pages; /* of the second memory, beyond the few it has */
    uint32_t stall_percent, latency;
    uint32_t timeout_cycles;                  /* HOST.TIMEOUT; 0 = the firmware's */
    uint32_t recovery_limit, recovery_window; /* HOST.RECOVERY_LIMIT, HOST.RECOVERY_WINDOW; 0 = the firmware's */
    uint32_t patience_cycles;                 /* without a completion; 0 = the library's, which is long */
    const struct probe *probe;
};

struct sequence_counts {
    uint32_t sequences, jobs, unplaced, portions, evictions, discarded, refused, compared;
    uint64_t cycles;
};

struct sequence {
    struct sequence_plan plan;
    struct machine machine;
    struct tessera *tessera;
    struct tessera_stream *stream;
    struct tracked tracked[SEQUENCE_ALLOCATIONS];
    uint32_t context[SEQUENCE_CONTEXTS];
    bool is_unknown[SEQUENCE_CONTEXTS]; /* a job found no placement part of the way: read back before trusting images */
    struct flight flight[SEQUENCE_IN_FLIGHT];
    uint32_t flights, random, step, untouched_pages, force;
    uint32_t digest; /* of what every visit saw */
    struct sequence_counts *counts;
};

/* One sequence from boot to the last destroy. False: something was not as the oracle says, and printed. */
bool sequence_run(const struct sequence_plan *plan, struct sequence_counts *counts, uint32_t *digest);

/* ------------------------------------------------------------------ inside */

/* The parts of a sequence, for tests that do something else in between. All answer false, and print, when
 * something is not as the oracle says. */

/* Boot, contexts, allocations with content, forced modes. On false nothing is left open. */
bool sequence_open(struct sequence *sequence, const struct sequence_plan *plan, struct sequence_counts *counts);
void sequence_close(struct sequence *sequence);
bool sequence_create(struct sequence *sequence, struct tracked *tracked); /* random kind, size, sets and content */
bool sequence_destroy(struct sequence *sequence, struct tracked *tracked);
/* Build and submit one DMA buffer of a context; `flight` has room. */
bool sequence_submit(struct sequence *sequence, uint32_t context);
/* Read all bytes and compare; jobs in flight were waited for. */
bool sequence_compare(struct sequence *sequence, struct tracked *tracked);
/* Pages that no allocation ever had are as they were before the boot. */
bool sequence_check_untouched(struct sequence *sequence);
/* Reclaim, compare, destroy everything: nothing is resident, nothing is mapped. */
bool sequence_finish(struct sequence *sequence);
bool sequence_is_cut(const struct sequence *sequence); /* which description of the segments it boots on */
bool sequence_complain(const struct sequence *sequence, const char *what, int status); /* false */

/* Seeded generator (xorshift32). */
uint32_t sequence_random(struct sequence *sequence);
uint32_t sequence_pick(struct sequence *sequence, uint32_t limit); /* 0 .. limit - 1 */

/* Adds random packets of one context to the DMA buffer in `stream`; the images follow them (sequence_job.c). */
void sequence_build_job(struct sequence *sequence, uint32_t context);

#endif
