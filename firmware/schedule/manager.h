/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory manager's state in one place: what the scheduler and the host's commands both work on.
 */
#ifndef FIRMWARE_MANAGER_H
#define FIRMWARE_MANAGER_H

#include "platform/base.h"
#include "platform/hal.h"
#include "schedule/context.h"
#include "ddi/ddi.h"
#include "gpu_policies.h"
#include "host_ring/host.h"
#include "page/paging.h"
#include "plan/policy.h"
#include "plan/residency.h"
#include "memory/segment_description.h"

struct timelines;

struct manager {
    struct ddi ddi;
    struct ddi_segment_descriptor segments[SEGMENT_LIMIT];
    struct ddi_query_segment_out adapter; /* what the driver said of paging buffers */
    struct ddi_driver_caps caps;
    struct memory_totals totals;
    struct context_table contexts;
    struct host host;
    struct table_limits limits; /* of this boot */
    uint32_t statistics[STAT_COUNT];
    uint32_t dummy_page;
    uint32_t force;                       /* HOST.FORCE, read once per turn */
    struct timelines *timelines;          /* NULL: the image has none */
    bool has_waits;                       /* messages wait for points (timeline.h) ... */
    bool is_point_due;                    /* ... and may go on, or end */
    const struct policy *const *policies; /* by HOST.FORCE.POLICY */
    struct paging paging;
    struct residency residency;
};

static inline bool manager_is_forced(const struct manager *manager, uint32_t lsb)
{
    return (manager->force >> lsb & 1u) != 0u;
}

/* HOST.FORCE.POLICY; a value that names no policy means LOOKAHEAD. */
static inline const struct policy *manager_policy(const struct manager *manager)
{
    const uint32_t policy = FIELD_GET(manager->force, HOST_FORCE_POLICY);
    return manager->policies[policy < POLICY_COUNT ? policy : (uint32_t)POLICY_LOOKAHEAD];
}

/* The statistics that are states, not counts: pages resident and mapped now. */
static inline void manager_count_pages(struct manager *manager)
{
    const struct segment *segments = manager->residency.world.map.segment;
    uint32_t mapped = 0;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++)
        if (allocation_is_aperture(&manager->residency.world.table, i + 1u)) mapped += segments[i].used_pages;
    manager->statistics[STAT_RESIDENT_PAGES_1] = segments[0].used_pages;
    manager->statistics[STAT_RESIDENT_PAGES_2] = segments[1].used_pages;
    manager->statistics[STAT_MAPPED_PAGES] = mapped;
}

#endif
