/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for the whole GPU under libtessera: it answers messages at once, keeps every allocation
 * resident in one large segment and runs DMA buffers on the engine model. No paging, no splitting, no
 * validation: what it tests is the host library, and it can misbehave on purpose.
 */
#ifndef TESTS_FAKE_DEVICE_H
#define TESTS_FAKE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine_model.h"
#include "transport.h"

enum { FAKE_ALLOCATIONS = 1024, FAKE_REGISTERS = 0x800 / 4 };

struct fake_allocation {
    uint32_t bytes, room, list, offset; /* room: bytes that its place has, for who comes after it */
    bool exists, is_in;
};

struct fake_device {
    struct engine_model engine;
    uint8_t *system, *segment2;
    uint32_t command[LIMIT_BITS_DMA_BYTES_MAX / 4 + 64];
    uint32_t registers[FAKE_REGISTERS];
    struct fake_allocation allocations[FAKE_ALLOCATIONS];
    uint32_t allocation_count, segment2_used, segment_count;
    uint64_t cycles;
    bool has_numbers; /* answers what is asked for segments, statistics, places, and what a submission cost: made up */
    /* misbehaviour */
    uint32_t refuse_at;                         /* the n-th message is refused (NO_SEGMENT), 0 = none */
    uint32_t id, abi, boot_status, panic_after; /* panic at the n-th message, 0 = never */
    bool is_silent;                             /* takes messages, never answers */
    uint32_t busy;                              /* messages of clients other than 0 that are answered BUSY first */
    uint32_t delay;                             /* waits before a message is answered */
    /* what was seen */
    uint32_t messages, loaded_words, load_address, last_barriers, budget, client, admitted;
    uint32_t shared[3]; /* handle, client and rights of the last SHARE */
    int32_t priority;
};

void fake_device_init(struct fake_device *device, struct transport *transport);
void fake_device_free(struct fake_device *device);

#endif
