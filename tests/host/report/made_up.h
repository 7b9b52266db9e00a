/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that is made up, as far as a view looks at it: rings in a piece of memory, and a clock that a test moves on,
 * also in its register_write.
 */
#ifndef TESTS_MADE_UP_H
#define TESTS_MADE_UP_H

#include <stdint.h>
#include <string.h>

#include "transport.h"

enum { SUBMIT_RING = 0x1000, COMPLETE_RING = 0x2000, RING_LOG2 = 6 };

static uint8_t memory[0x4000];
static uint64_t clock_now = 1000;

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    (void)offset;
    *value = 0;
    return TRANSPORT_OK;
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    (void)context;
    memcpy(data, memory + address, bytes);
    return TRANSPORT_OK;
}

static uint64_t cycles(void *context)
{
    (void)context;
    return clock_now;
}

static void close_device(void *context) { (void)context; }

#endif
