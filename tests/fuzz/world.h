/* SPDX-License-Identifier: Apache-2.0
 *
 * A hostile host, written down as bytes: a header says how the machine is and how the host boots it, and steps of
 * eight bytes say what the host does: messages of every kind, streams, memory and registers rewritten at any time.
 * Any bytes mean something, so a fuzzer may change them as it likes; the same bytes do the same on the golden model
 * (world_model.h) and on the simulated chip.
 */
#ifndef TESTS_FUZZ_WORLD_H
#define TESTS_FUZZ_WORLD_H

#include <stddef.h>

#include "client.h"

enum {
    WORLD_HEADER_BYTES = 24,
    WORLD_STEP_BYTES = 8,
    WORLD_STEPS_MAX = 400, /* more are not looked at */
    WORLD_HANDLES = 16,
    WORLD_CONTEXTS = 8,
    WORLD_TIMELINES = 8,
    WORLD_SPOILS = 4,
    WORLD_TAGS = 4096,
    WORLD_PAGES_MAX = 16,    /* of one allocation, so that a step takes the model little time */
    WORLD_GUARD_BYTES = 4096 /* after the host's memory: nobody may write them */
};

/* What the device has besides a transport, if anything. */
struct fuzz_world;
struct world_hooks {
    /* Change what the firmware or a node reads, so many reads from now. `mode` and `value` as in step READ. */
    void (*spoil_read)(struct fuzz_world *world, uint32_t after, uint32_t mode, uint32_t value);
    /* Hang, slow down, release a node; clock and interrupts. */
    void (*disturb)(struct fuzz_world *world, uint32_t what, uint32_t value);
    /* Many frames of the display pass. */
    void (*pass_frames)(struct fuzz_world *world);
    /* From now on nothing is spoiled or disturbed. */
    void (*calm)(struct fuzz_world *world);
};

struct fuzz_world {
    struct client client; /* its transport knows WORLD_GUARD_BYTES less memory than there is */
    const struct world_hooks *hooks;
    struct stream stream;
    struct client_allocation allocation[WORLD_HANDLES];
    uint32_t context[WORLD_CONTEXTS], timeline[WORLD_TIMELINES];
    /* the client that has created it */
    uint8_t owner[WORLD_HANDLES], context_owner[WORLD_CONTEXTS], timeline_owner[WORLD_TIMELINES];
    uint32_t sender;                            /* the client of the message that is sent next */
    uint8_t kind[WORLD_TAGS], slot[WORLD_TAGS]; /* of the message with this tag */
    struct {
        uint32_t word, mode, value;
    } spoil[WORLD_SPOILS]; /* of the next message's words */
    uint32_t spoil_count, stage, packets;
    uint32_t first_head, first_tail; /* messages and completions before this world */
    bool has_display;                /* messages of the display are sent, too */
    bool may_recover;                /* PANIC RECOVERY is what this host asked for */
    bool moves_tail;                 /* SUBMIT_TAIL was rewritten: messages may have been taken that were taken back */
    bool moves_head;                 /* COMPLETE_HEAD was: answers may have been overwritten */
    bool reads_beyond;               /* it says that it has more memory than it has */
};

/* What the host says before the boot; the device is made to fit (world_model.c). */
struct world_boot {
    struct client_boot client;
    uint32_t segment1_pages, segment2_pages, aperture_pages, seed, look_cycles, first_fence;
    uint32_t register_offset, register_value; /* this one changes between the host's write and the firmware's read */
    bool spoils_register;
};
struct world_boot world_read_header(const uint8_t *bytes, size_t count);

/* Boot the device that world->client.transport reaches, do the steps, calm down, and judge. Aborts with a line when a
 * promise of docs/security.md is broken: the firmware has stopped without cause, does not answer, loses messages, does
 * not serve an honest context afterwards or has written after the host's memory. False: the boot was refused, or the
 * firmware was told of other rings than this host's. */
bool world_run(struct fuzz_world *world, const struct world_boot *boot, const uint8_t *bytes, size_t count);

/* Names the input when a world aborts. */
void world_is_called(const char *name);
_Noreturn void world_die(const char *text, uint32_t value);

#endif
