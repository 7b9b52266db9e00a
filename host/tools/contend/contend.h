/* SPDX-License-Identifier: Apache-2.0
 *
 * `tessera contend`: contexts whose sets of textures do not fit in memory together take turns; what each pays for the
 * others is counted, and every target is compared with what the program computed by itself. docs/memory.md, "Shares".
 */
#ifndef TESSERA_CONTEND_H
#define TESSERA_CONTEND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/replay/replay.h"

enum { CONTEND_CONTEXTS = 8, CONTEND_QUEUE = 8 };

/* One context: the sizes are percents of the memory that the contexts share. */
struct contend_context {
    uint32_t set;    /* its textures together */
    uint32_t budget; /* 0 = an automatic share */
    int32_t priority;
};

struct contend_options {
    replay_machine_open *open;
    const char *firmware, *report; /* report: JSON, NULL = none */
    struct contend_context contexts[CONTEND_CONTEXTS];
    uint32_t context_count;
    uint32_t pages;   /* memory that they share */
    uint32_t rounds;  /* DMA buffers of each context, after one that is not counted */
    uint32_t ahead;   /* of them under way at a time, per context */
    uint32_t texture; /* pages of the largest texture */
    uint32_t draws;   /* of each texture in a DMA buffer */
    uint32_t skipped; /* percent of the textures that a DMA buffer does not use */
    bool may_map;     /* textures may be read from the host's pages, too (the aperture) */
    bool is_shuffled; /* each DMA buffer uses its textures in an order of its own */
    uint32_t force, latency, seed;
    struct option_limits limits;
};

/* What one context paid and got, without the first round. */
struct contend_result {
    uint32_t textures, pages; /* its set */
    uint32_t jobs, portions;
    uint64_t pages_in, pages_out;          /* for its DMA buffers */
    uint64_t cycles;                       /* from submission to completion, all DMA buffers together */
    uint32_t share, resident, lost, taken; /* what the device says at the end (QUERY_CONTEXT) */
};

/* CONTEND_NOT_RUN: there was no device, or the contexts cannot be set up in it. */
enum contend_outcome { CONTEND_GOOD, CONTEND_WRONG, CONTEND_NOT_RUN };

/* Run, with progress on stderr. If it does not end well, `message` has one line. */
enum contend_outcome contend_run(const struct contend_options *options, struct contend_result result[CONTEND_CONTEXTS],
                                 uint64_t *cycles, char message[256]);

/* The command; argv[0] is "contend". Exit status: 0 every byte right, 1 not, 2 it could not be run. */
int contend_command(int argc, char **argv);

#endif
