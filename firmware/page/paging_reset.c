/* SPDX-License-Identifier: Apache-2.0
 *
 * Preempted and aborted paging buffers. They are in rotation, so the oldest one not completed is found by age.
 */
#include "page/paging_reset.h"

static bool is_pending(const struct paging *paging, uint32_t buffer, uint32_t completed)
{
    return !fence_reached(completed, paging->buffer_fence[buffer]);
}

/* In order of submission: the next one to be filled is the oldest. */
static uint32_t buffer_at(const struct paging *paging, uint32_t age)
{
    return (paging->buffer + age) % (uint32_t)PAGING_BUFFER_COUNT;
}

bool paging_touches(const struct paging *paging, uint32_t allocation)
{
    const struct ddi *ddi = paging->setup.ddi;
    const uint32_t fence = ddi->query_current_fence(ddi->adapter, NODE_PAGING);
    for (uint32_t i = 0; i < (uint32_t)PAGING_BUFFER_COUNT; i++) {
        const bool is_open = paging->is_open && i == paging->buffer;
        if ((is_open || is_pending(paging, i, fence)) && index_set_has(paging->touched[i], allocation)) return true;
    }
    return false;
}

uint32_t paging_resubmit(struct paging *paging, uint32_t last_completed)
{
    const struct ddi *ddi = paging->setup.ddi;
    uint32_t count = 0;
    for (uint32_t age = 0; age < (uint32_t)PAGING_BUFFER_COUNT; age++) {
        uint32_t buffer = buffer_at(paging, age);
        const struct ddi_submit_command *command = &paging->submitted[buffer];
        if (!is_pending(paging, buffer, last_completed)) continue;
        if (ddi->submit_command(ddi->adapter, command) != DDI_SUCCESS)
            hal_panic(PANIC_SUBMIT, command->submission_fence_id);
        hal_trace(TRACE_PAGING, command->submission_fence_id);
        count++;
    }
    return count;
}

/* ------------------------------------------------------------------ purge */

static void lose(struct residency *residency, uint32_t allocation)
{
    struct allocation *entry = &residency->world.table.entry[allocation];
    if ((entry->flags & ALLOCATION_EXISTS) == 0u) return;
    const uint32_t priority = residency->world.table.details[allocation].priority;
    if (entry->offer == 0u) allocation_lose(&residency->world.table, allocation);
    else residency_set_priority(residency, allocation, priority, OFFER_DISCARDED);
}

static void lose_saved(struct paging *paging, uint32_t buffer)
{
    const struct index_set *saved = paging->saved[buffer];
    INDEX_SET_EACH (i, saved) lose(paging->setup.residency, i);
}

void paging_purge(struct paging *paging, uint32_t completed, uint32_t next_fence)
{
    struct residency *residency = paging->setup.residency;
    bool has_aborted = false;
    residency_rollback(residency, paging->is_active && !paging->is_write_back ? paging->cursor : 0u);
    residency_finish(residency);
    index_set_clear(paging->aborted);
    for (uint32_t age = 0; age < (uint32_t)PAGING_BUFFER_COUNT; age++) {
        uint32_t buffer = buffer_at(paging, age);
        if (!is_pending(paging, buffer, completed)) continue;
        lose_saved(paging, buffer);
        if (!has_aborted) index_set_copy(paging->aborted, paging->touched[buffer]);
        has_aborted = true;
        paging->buffer_fence[buffer] = paging->last_fence;
    }
    if (paging->is_open) lose_saved(paging, paging->buffer);
    paging->is_active = paging->is_open = paging->has_operation = paging->awaits_idle = paging->is_full = false;
    paging->is_write_back = paging->must_wait_render = false;
    paging->detour = DETOUR_NONE;
    paging->transferred = 0;

    residency_begin(residency, next_fence, 0);
    const struct index_set *residents = residency->world.map.residents;
    INDEX_SET_EACH (i, residents) {
        const uint32_t flags = residency->world.table.entry[i].flags;
        if ((flags & ALLOCATION_DIRTY) != 0u) lose(residency, i);
        /* The display goes on with what it shows. */
        if ((flags & ALLOCATION_SHOWN) == 0u) residency_plan_eviction(residency, i);
    }
    paging_start(paging);
    paging->is_purging = true;
}
