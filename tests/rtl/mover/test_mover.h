/* SPDX-License-Identifier: Apache-2.0
 *
 * A mover, the memory behind it and the golden model beside it; batches of commands for both. Used by test_mover.c
 * and test_errors.c.
 */
#ifndef MOVER_TEST_MOVER_H
#define MOVER_TEST_MOVER_H

#include "judge.h"
#include "world.h"

enum { BATCH = 24, PATIENCE = 100000, PALETTE_ALIGNMENT = 256 };

struct bench {
    struct harness *harness;
    bool has_pixels, has_formats; /* what the device was built with */
    bool has_palette, is_loading; /* that of the judge's place is loaded; it is being loaded, so nothing is offered */
    struct mover_pins pins;
    struct world world;
    struct judge judge;
    uint8_t expected[WORLD_BYTES];
    /* the batch */
    struct command_pins commands[BATCH];
    uint32_t count, issued, done;
    struct map_feed feed;
    uint8_t fault[BATCH];
    uint32_t fault_address[BATCH];
    uint64_t cycles;
    uint32_t passed, failed;
};

static inline uint32_t below(struct bench *bench, uint32_t limit) { return world_random(&bench->world) % limit; }

/* Random content, the same in the world and in the model; `options` for what follows; no commands. */
void bench_prepare(struct bench *bench, const struct world_options *options);
/* Any legal command; sources in the first half of memory, targets in the 4 KiB `area` of the second. */
struct command_pins bench_command(struct bench *bench, uint32_t area);
/* Makes a BLIT with a colour on both sides one by any map. */
void bench_map(struct bench *bench, struct command_pins *command);
/* Makes a BLIT from A8 to a format with colours one from parts of bytes. */
void bench_mask(struct bench *bench, struct command_pins *command);
void bench_add(struct bench *bench, struct command_pins command); /* to the batch */
void bench_cycle(struct bench *bench);                            /* without a clock edge */
/* A cycle of offering commands and taking completions; false when the order of tags is wrong. */
bool bench_work(struct bench *bench);
/* Loads a palette from the judge's place, after what is under way: to the outcome, which is in the pins. NULL or what
 * went wrong. */
const char *bench_load(struct bench *bench);
/* The same without the world's error, and as if nothing had been counted, if a command of the batch needs it. */
const char *bench_begin(struct bench *bench);
void bench_abort(struct bench *bench);                 /* as the node stops after an error */
const char *bench_finish(struct bench *bench);         /* begun, to the last completion; NULL or what went wrong */
void bench_run(struct bench *bench, const char *what); /* the same, then all of memory is compared with the model's */
void bench_verdict(struct bench *bench, bool good, const char *what, const char *detail);

void errors_anywhere(struct bench *bench, uint32_t seed); /* of random commands */
void errors_by_kind(struct bench *bench, uint32_t seed);  /* each kind of command by itself */
void palettes(struct bench *bench, uint32_t seed);        /* loaded at any time, with errors, and drawn with */
void masks(struct bench *bench, uint32_t seed);           /* units that are parts of bytes */
void aborts_anywhere(struct bench *bench, uint32_t seed);

#endif
