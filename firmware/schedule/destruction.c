/* SPDX-License-Identifier: Apache-2.0
 *
 * Destruction, in rounds: all that can go at a time is evicted by one plan and answered together.
 */
#include "schedule/destruction.h"

#include "platform/turn.h"

void destruction_init(struct destruction *destruction, struct tables *tables)
{
    *destruction = (struct destruction){.pending = tables_take_set(tables), .going = tables_take_set(tables)};
}

bool destruction_begin(struct destruction *destruction, struct manager *manager, const uint32_t message[MESSAGE_WORDS],
                       struct reply *reply)
{
    struct residency *residency = &manager->residency;
    const uint32_t client = message_client(message[0]), handle = message[MSG_DESTROY_ALLOCATION_HANDLE];
    uint32_t index;
    *reply = (struct reply){.status = STATUS_BAD_HANDLE, .detail = MSG_DESTROY_ALLOCATION_HANDLE};
    if (!allocation_find_of(&residency->world.table, client, handle, &index)) return false;
    *reply = (struct reply){.status = STATUS_LOCKED};
    if (allocation_is_locked(&residency->world.table, index)) return false;
    allocation_begin_destroy(&residency->world.table, index, message[1]);
    residency_note_pending_destroy(&residency->outlook);
    index_set_add(destruction->pending, index);
    destruction->has_news = true;
    return true;
}

/* Those that nothing needs go now. False: there is none. */
static bool choose(struct destruction *destruction, struct manager *manager)
{
    struct residency *residency = &manager->residency;
    bool has_any = false;
    const struct index_set *pending = destruction->pending;
    INDEX_SET_EACH (i, pending) {
        struct allocation *entry = &residency->world.table.entry[i];
        yield_if_late();
        if (residency_is_named(&residency->uses, i) || (entry->flags & ALLOCATION_SHOWN) != 0u) continue;
        index_set_add(destruction->going, i);
        has_any = true;
        if (entry->segment == 0u) continue;
        allocation_clear(entry, ALLOCATION_NEWER); /* nothing wants the content */
        residency_plan_eviction(residency, i);
    }
    return has_any;
}

static void answer_destroyed(struct destruction *destruction, struct manager *manager)
{
    const struct reply reply = {.status = STATUS_OK};
    struct index_set *going = destruction->going;
    INDEX_SET_EACH (i, going) {
        uint32_t tag = manager->residency.world.table.details[i].destroy_tag;
        yield_if_late();
        allocation_destroy(&manager->residency.world.table, i);
        host_complete(&manager->host, tag, &reply);
        index_set_drop(destruction->pending, i);
    }
    index_set_clear(going);
    index_set_trim(destruction->pending);
}

/* True: there is something that may have become free to go. */
static bool take_news(struct destruction *destruction, const struct manager *manager)
{
    if (!destruction_has_news(destruction, manager)) return false;
    destruction->has_news = false;
    destruction->ended_jobs = manager->statistics[STAT_DMA_BUFFERS];
    return manager->residency.world.table.pending_destroy_count != 0u;
}

bool destruction_go_on(struct destruction *destruction, struct manager *manager, bool may_page)
{
    const struct ddi *ddi = &manager->ddi;
    switch (destruction->stage) {
    case DESTRUCTION_WAITS:
        if (!may_page || !take_news(destruction, manager) || !choose(destruction, manager)) return false;
        if (manager->residency.plan.journal_count != 0u) paging_start(&manager->paging);
        destruction->stage = DESTRUCTION_EVICTS;
        return true;
    case DESTRUCTION_EVICTS:
        if (paging_is_active(&manager->paging)) return false;
        destruction->paging_fence = manager->paging.last_fence;
        destruction->stage = DESTRUCTION_DRAINS;
        return true;
    default:
        ASSERT(destruction->stage == DESTRUCTION_DRAINS);
        if (!fence_reached(ddi->query_current_fence(ddi->adapter, NODE_PAGING), destruction->paging_fence))
            return false;
        answer_destroyed(destruction, manager);
        destruction->stage = DESTRUCTION_WAITS;
        return true;
    }
}
