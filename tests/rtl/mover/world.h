/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory behind the mover's three channels, as kind or as hostile as asked: latency and its jitter, withheld
 * readys and valids, one port that serves strictly in order of arrival, reads sampled at their
 * address or at their data, writes visible at their data or at their answer, errors at a chosen place. It also
 * checks the protocol: stable offers, bursts inside 4 KiB and inside what the test allows, WLAST, RREADY.
 */
#ifndef MOVER_WORLD_H
#define MOVER_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pins.h"

#ifndef WORLD_LOG2_BYTES
#define WORLD_LOG2_BYTES 17
#endif

enum { WORLD_BASE = 0x10000000, WORLD_BYTES = 1 << WORLD_LOG2_BYTES, WORLD_QUEUE = 64 };

enum world_port {
    PORT_APART,    /* reads and writes do not disturb each other */
    PORT_SHARED,   /* one data beat per cycle in all */
    PORT_IN_ORDER, /* PORT_SHARED, and commands are served strictly in order of arrival */
};

enum world_channel { CHANNEL_SOURCE, CHANNEL_TARGET, CHANNEL_WRITE, CHANNELS };

struct world_options {
    uint32_t latency, jitter; /* address to first beat and last beat to answer; plus 0..jitter at random */
    uint8_t ar_stall, r_stall, aw_stall, w_stall, b_stall; /* percent of cycles withheld */
    enum world_port port;
    bool samples_early; /* a read's data is what memory held when its address came */
    bool writes_late;   /* written data is visible with its answer, not before */
    uint32_t seed;
    /* Error: on this channel, at this beat (reads) or burst (writes) counted from world_start. */
    bool has_error;
    enum world_channel error_channel;
    uint32_t error_index;
    uint8_t error_response;
};

struct world_burst {
    uint64_t ready;   /* first cycle of data or answer */
    uint64_t order;   /* arrival */
    uint32_t address; /* of the next beat */
    uint32_t first;   /* of the burst */
    uint32_t left;    /* beats */
    uint32_t log;     /* writes: first late beat in the log */
    uint8_t sample[256];
};

struct world_fifo {
    struct world_burst burst[WORLD_QUEUE];
    uint32_t head, tail;
};

struct world {
    struct world_options options;
    uint8_t memory[WORLD_BYTES];
    uint8_t allowed[WORLD_BYTES]; /* bit per channel: the test allows a beat to touch this byte */
    uint64_t cycle, order;
    uint32_t random;
    struct world_fifo reads[2], writes, answers;
    bool prefers_write;
    struct world_beat {
        uint32_t address;
        uint8_t strobe, is_last;
        uint64_t data;
    } late[4096], orphans[WORLD_QUEUE];
    uint32_t late_head, late_tail;
    uint32_t orphan_count; /* data that came before its address */
    uint32_t answered;
    struct mover_pins before; /* last cycle's pins, for stability */
    uint32_t beats[CHANNELS], bursts[CHANNELS], most_in_flight[CHANNELS];
    bool error_hit;
    uint32_t error_address; /* of the burst it hit */
    uint8_t expected_user;
    uint32_t violations;
    char violation[160]; /* the first */
};

struct world_options world_memory(uint32_t seed); /* kind or hostile */
void world_start(struct world *world, const struct world_options *options);
void world_allow(struct world *world, enum world_channel channel, uint32_t address, uint32_t bytes);
/* Inputs of this cycle; then harness_settle; with PORT_SHARED or IN_ORDER world_arbitrate may change them and
 * ask for another settle; then world_sample. */
void world_drive(struct world *world, struct mover_pins *pins);
bool world_arbitrate(struct world *world, struct mover_pins *pins);
void world_sample(struct world *world, const struct mover_pins *pins);
bool world_is_quiet(const struct world *world);
uint32_t world_random(struct world *world);

#endif
