/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens on the chip under second.elf, from the simulator's probe: every call between manager and driver (the
 * firmware's trace), and every packet of both nodes (the hardware's own signals). What can only be judged while it
 * happens is judged here and counted; the rest is for the test to read from the record.
 */
#ifndef TEST_SECOND_LOG_H
#define TEST_SECOND_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "ddi/ddi.h"
#include "lib/device/probe.h"
#include "second.h"

enum { LOG_CALLS = 8192, LOG_ALLOCATIONS = 64, LOG_BUSY_PAGES = 1024 };

struct log_call {
    enum second_call kind;
    uint32_t word[BUILD_WORDS], count, status;
    bool is_done;
    uint32_t paging_fence; /* how far the paging node was when it began */
};

struct log {
    struct log_call call[LOG_CALLS];
    uint32_t calls, overflow; /* calls not recorded */
    uint32_t nested;          /* calls that began inside another (PGB-48) */
    uint32_t fence[2];        /* of the last FENCE packet that each node has completed */
    uint32_t packets[2];      /* begun */
    /* PGB-13: packets of paging buffers, and those that are not as the driver wrote them. */
    uint32_t compared, changed;
    /* PGB-26..PGB-28: calls that promised idleness, and packets that touched the allocation all the same, before the
     * operation's own; BUSY answers in whose moment the render node was in the allocation. */
    uint32_t idle_calls, not_idle, busy_in_use;
    /* PGB-38: Map and Unmap packets; packets of the render node through the aperture; of those, the ones that met a
     * page being configured or not mapped. */
    uint32_t configurations, through_aperture, in_configuration, unmapped;
};

extern struct log log_of_chip;

/* Forgets everything, allocations included; *probe is for simulator_probe. */
void log_begin(struct probe *probe);
/* How large the allocation is that the driver knows by this handle. */
void log_allocation(uint32_t handle, uint32_t bytes);
uint32_t log_bytes(uint32_t handle); /* 0: unknown */

/* Of a CALL_BUILD: the word of the operation's own part; its flags if it has the idle flag among them, else 0. */
static inline uint32_t log_union(const struct log_call *call, uint32_t word) { return call->word[BUILD_UNION + word]; }
static inline uint32_t log_flags(const struct log_call *call)
{
    if (call->word[BUILD_OPERATION] == DDI_TRANSFER) return log_union(call, TRANSFER_FLAGS);
    return call->word[BUILD_OPERATION] == DDI_DISCARD_CONTENT ? log_union(call, DISCARD_FLAGS) : 0u;
}
static inline bool log_is_idle(const struct log_call *call)
{
    return (log_flags(call) & (uint32_t)DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u;
}

#endif
