/* SPDX-License-Identifier: Apache-2.0
 *
 * System memory behind the chip's AXI4 master: latency, jitter, back-pressure, and a check of every rule of
 * the bus that the chip must keep. Answers come in the order of their addresses, per direction.
 *
 * A write becomes visible (to reads and to the host) only when its response is sent: whoever relies on less
 * finds old data here. Reads return what memory holds when the beat is sent.
 */
#ifndef TESSERA_WORLD_H
#define TESSERA_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "chip.h"

struct world_options {
    uint32_t memory_bytes;  /* multiple of 4096; bursts at or past it answer DECERR */
    uint32_t read_latency;  /* AR handshake to first R beat, cycles, at least 1 */
    uint32_t write_latency; /* last W beat to B, cycles, at least 1 */
    uint32_t stall_percent; /* 0..90: cycles in which a ready or valid is withheld */
    uint32_t seed;          /* not 0: up to half the latency more, at random; and the stalls */
    void *memory;           /* the caller's, which outlives the world and is not filled; NULL: the world's own */
};

struct world;

struct world *world_create(const struct world_options *options); /* NULL: out of memory */
void world_destroy(struct world *world);
uint8_t *world_memory(struct world *world);

/* Per cycle: drive before chip_cycle, observe after it. observe returns NULL, or the bus rule that was broken
 * (the text is the world's and lives until the next call). */
void world_drive(struct world *world, struct pins *pins);
const char *world_observe(struct world *world, const struct pins *pins);

/* A line about what is under way, for reports. */
void world_describe(const struct world *world, char *text, unsigned text_bytes);

#endif
