/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands. Each handler checks its arguments first and changes nothing until they are all right. Those
 * that move content go through three stages: wait until no accepted job refers to the allocation; evict it
 * through the paging node; wait until the paging node is done, counted by the fence at that moment.
 */
#include "frontend/command.h"

#include <stddef.h>

#include "frontend/client_command.h"
#include "frontend/query_segment.h"
#include "frontend/share_command.h"
#include "platform/turn.h"
#include "schedule/timeline.h"

enum {
    QUICK_PAGES = 32,   /* of an allocation that is created at once */
    PIECE_PAGES = 128,  /* of a longer list, looked at in one step */
    PIECE_RESIDENTS = 8 /* looked at in a step of an EVICT of all */
};

static bool finish(struct reply *reply, enum gpu_status status, uint32_t detail)
{
    reply->status = status;
    reply->detail = detail;
    return true;
}

static bool done(struct reply *reply) { return finish(reply, STATUS_OK, 0); }

static uint32_t client_of(const struct command *command) { return message_client(command->message[0]); }

/* ------------------------------------------------------------------ evicting on behalf of the host */

/* No accepted job may use it, so moving it disturbs no one; and it is the client's. */
static bool may_move(const struct manager *manager, uint32_t client, uint32_t index)
{
    const struct allocation *entry = &manager->residency.world.table.entry[index];
    return (entry->flags & ALLOCATION_EXISTS) != 0u && (client == 0u || entry->client == client) &&
           entry->segment != 0u && (entry->flags & ALLOCATION_STAYS) == 0u &&
           !residency_is_named(&manager->residency.uses, index);
}

/* It may not leave its place. */
static bool stays(const struct allocation *entry, struct reply *reply)
{
    if ((entry->flags & ALLOCATION_SHOWN) != 0u) return finish(reply, STATUS_SHOWN, 0);
    return (entry->flags & ALLOCATION_PINNED) != 0u && finish(reply, STATUS_PINNED, 0);
}

static void start_paging(struct command *command, struct manager *manager)
{
    paging_start(&manager->paging);
    command->stage = COMMAND_EVICTING;
}

/* The stages after the plan: true when the paging node has done everything. */
static bool drain(struct command *command, const struct manager *manager)
{
    const struct ddi *ddi = &manager->ddi;
    if (command->stage == COMMAND_EVICTING) {
        if (paging_is_active(&manager->paging)) return false;
        command->stage = COMMAND_START;
    }
    if (command->stage == COMMAND_START) {
        command->paging_fence = manager->paging.last_fence;
        command->stage = COMMAND_DRAINING;
    }
    return fence_reached(ddi->query_current_fence(ddi->adapter, NODE_PAGING), command->paging_fence);
}

/* ------------------------------------------------------------------ allocations */

/* The client's allocation that the word names. */
static bool find(const struct manager *manager, const uint32_t *message, uint32_t word, uint32_t *index,
                 struct reply *reply)
{
    if (allocation_find_of(&manager->residency.world.table, message_client(message[0]), message[word], index))
        return true;
    finish(reply, STATUS_BAD_HANDLE, word);
    return false;
}

/* The client's context that the word names. */
static bool find_message_context(const struct command *command, const struct manager *manager, uint32_t word,
                                 uint32_t *index, struct reply *reply)
{
    return context_find_of(&manager->contexts, client_of(command), command->message[word], index) ||
           !finish(reply, STATUS_BAD_CONTEXT, 0);
}

/* Refused; but for want of an entry only when none is about to become free. */
static bool end_or_wait(const struct allocation_table *table, const struct refusal *why, struct reply *reply)
{
    const bool is_full = why->status == STATUS_OUT_OF_HANDLES || why->status == STATUS_TABLE_SHARE;
    return (!is_full || table->pending_destroy_count == 0u) && finish(reply, why->status, why->detail);
}

static bool create_allocation(struct command *command, struct manager *manager, struct reply *reply)
{
    struct allocation_table *table = &manager->residency.world.table;
    uint32_t context, handle, index;
    struct refusal why;
    if (command->message[MSG_CREATE_ALLOCATION_CONTEXT] != 0u &&
        !find_message_context(command, manager, MSG_CREATE_ALLOCATION_CONTEXT, &context, reply))
        return true;
    uint32_t checked = command->looked;
    if (!allocation_check(table, command->message, &checked, PIECE_PAGES, &why))
        return finish(reply, why.status, why.detail);
    command->looked = narrow_u16(checked);
    command->goes_on = checked < pages_of_bytes(command->message[MSG_CREATE_ALLOCATION_BYTES]);
    if (command->goes_on) return false;
    if (!allocation_make(table, command->message, &handle, &why)) return end_or_wait(table, &why, reply);
    bool is_found = allocation_find(table, handle, &index);
    ASSERT(is_found);
    table->entry[index].last_fence = manager->ddi.query_current_fence(manager->ddi.adapter, NODE_RENDER);
    reply->words[REPLY_CREATE_ALLOCATION_HANDLE - 4] = handle;
    return done(reply);
}

static bool check_lock_flags(uint32_t flags, struct reply *reply)
{
    const uint32_t both = LOCK_READ_ONLY | LOCK_WRITE_ONLY;
    const uint32_t known = both | LOCK_DONT_WAIT | LOCK_IGNORE_SYNC | LOCK_ENTIRE | LOCK_DONT_EVICT |
                           LOCK_ACQUIRE_APERTURE | LOCK_DISCARD | LOCK_ALTERNATE_VA;
    const uint32_t clash = LOCK_IGNORE_SYNC | LOCK_ACQUIRE_APERTURE;
    if ((flags & ~known) != 0u) return finish(reply, STATUS_BAD_FLAGS, flags & ~known);
    if ((flags & both) == both) return finish(reply, STATUS_BAD_FLAGS, both);
    if ((flags & clash) == clash) return finish(reply, STATUS_BAD_FLAGS, clash);
    if ((flags & LOCK_ALTERNATE_VA) != 0u && (flags & LOCK_ACQUIRE_APERTURE) == 0u)
        return finish(reply, STATUS_BAD_FLAGS, LOCK_ALTERNATE_VA);
    if ((flags & LOCK_ENTIRE) == 0u) return finish(reply, STATUS_BAD_FLAGS, LOCK_ENTIRE);
    if ((flags & LOCK_ACQUIRE_APERTURE) != 0u) return finish(reply, STATUS_UNSUPPORTED, LOCK_ACQUIRE_APERTURE);
    return false;
}

/* What a lock asks of the allocation's content. */
enum lock_way {
    LOCK_AT_ONCE,    /* the pages are current, or nothing looks at what is there now */
    LOCK_WRITE_BACK, /* read only: the pages become current, the content stays where it is */
    LOCK_EVICT       /* the content moves to the pages, or is dropped with DISCARD */
};

static enum lock_way choose_way(const struct manager *manager, uint32_t index, uint32_t flags)
{
    const struct allocation *entry = &manager->residency.world.table.entry[index];
    if (!allocation_is_in_memory(&manager->residency.world.table, entry)) return LOCK_AT_ONCE;
    if ((flags & LOCK_READ_ONLY) == 0u) return LOCK_EVICT;
    if ((entry->flags & ALLOCATION_DIRTY) == 0u) return LOCK_AT_ONCE;
    const bool leaves = (flags & LOCK_DONT_EVICT) == 0u && residency_leaves_to_be_read(&manager->residency, index);
    return leaves ? LOCK_EVICT : LOCK_WRITE_BACK;
}

static bool check_lock_state(const struct allocation *entry, struct reply *reply)
{
    if ((entry->flags & ALLOCATION_CPU_VISIBLE) == 0u) return finish(reply, STATUS_NOT_CPU_VISIBLE, 0);
    if ((entry->flags & ALLOCATION_LOCKED) != 0u) return finish(reply, STATUS_LOCKED, 0);
    if (entry->offer != 0u) return finish(reply, STATUS_OFFERED, 0);
    if ((entry->flags & ALLOCATION_LOST) != 0u) return finish(reply, STATUS_CONTENT_LOST, 0);
    return false;
}

static bool grant_lock(struct manager *manager, uint32_t index, uint32_t flags, struct reply *reply)
{
    struct allocation *entry = &manager->residency.world.table.entry[index];
    allocation_set(entry, ALLOCATION_LOCKED);
    allocation_tell(&manager->residency.world.table, index);
    if ((flags & LOCK_READ_ONLY) == 0u) allocation_clear(entry, ALLOCATION_UNDEFINED);
    reply->words[REPLY_LOCK_HANDLE - 4] = allocation_handle(&manager->residency.world.table, index);
    residency_note_lock(&manager->residency, index);
    manager->statistics[STAT_LOCKS]++;
    return done(reply);
}

/* DISCARD with other pages: a new instance, locked; the GPU goes on with the old one. Nothing to wait for. */
static bool lock_renamed(struct command *command, struct manager *manager, uint32_t index, struct reply *reply)
{
    struct allocation_table *table = &manager->residency.world.table;
    uint32_t handle, instance;
    struct refusal why;
    if (!allocation_rename(table, index, command->message[MSG_LOCK_PAGES], &handle, &why))
        return end_or_wait(table, &why, reply);
    bool is_found = allocation_find(table, handle, &instance);
    ASSERT(is_found);
    table->entry[instance].last_fence = manager->ddi.query_current_fence(manager->ddi.adapter, NODE_RENDER);
    manager->statistics[STAT_RENAMES]++;
    return grant_lock(manager, instance, command->message[MSG_LOCK_FLAGS], reply);
}

/* Neither node, no DMA buffer and no plan has anything to do with the allocation, and its pages are current. */
static bool is_idle_for_lock(const struct manager *manager, uint32_t index, uint32_t flags)
{
    const struct residency *residency = &manager->residency;
    return !residency_is_named(&residency->uses, index) && choose_way(manager, index, flags) == LOCK_AT_ONCE &&
           residency->world.map.link[index].where == residency->world.table.entry[index].segment &&
           !residency_is_planned(&residency->plan, index) && !paging_touches(&manager->paging, index);
}

/* The host's pages become current. DISCARD makes DONT_WAIT and IGNORE_SYNC without effect. IGNORE_SYNC is granted at
 * once where content never leaves the pages; elsewhere it may have to move, which cannot be done under the GPU. */
static bool lock(struct command *command, struct manager *manager, bool may_page, struct reply *reply)
{
    struct residency *residency = &manager->residency;
    uint32_t index, flags = command->message[MSG_LOCK_FLAGS];
    if (!find(manager, command->message, MSG_LOCK_HANDLE, &index, reply)) return true;
    struct allocation *entry = &residency->world.table.entry[index];
    bool is_discard = (flags & LOCK_DISCARD) != 0u, is_used = residency_is_named(&residency->uses, index);
    bool ignores_sync =
        (flags & LOCK_IGNORE_SYNC) != 0u && !is_discard && allocation_stays_in_pages(&residency->world.table, entry);
    if (command->stage == COMMAND_START) {
        enum lock_way way = choose_way(manager, index, flags);
        if (check_lock_flags(flags, reply) || check_lock_state(entry, reply)) return true;
        if (command->message[MSG_LOCK_PAGES] != 0u) {
            if (!is_discard) return finish(reply, STATUS_BAD_ARGUMENT, MSG_LOCK_PAGES);
            return lock_renamed(command, manager, index, reply);
        }
        if (ignores_sync) return grant_lock(manager, index, flags, reply);
        if (is_used && (flags & LOCK_DONT_WAIT) != 0u && !is_discard) return finish(reply, STATUS_WAS_STILL_DRAWING, 0);
        if (way == LOCK_EVICT) {
            if (stays(entry, reply)) return true;
            if ((flags & LOCK_DONT_EVICT) != 0u) return finish(reply, STATUS_UNSUPPORTED, LOCK_DONT_EVICT);
        }
        if (is_idle_for_lock(manager, index, flags)) return grant_lock(manager, index, flags, reply);
        if (is_used || !may_page) return false;
        if (way == LOCK_EVICT) {
            if (is_discard) allocation_clear(entry, ALLOCATION_NEWER);
            residency_plan_eviction(residency, index);
            start_paging(command, manager);
            return false;
        }
        if (way == LOCK_WRITE_BACK) {
            paging_start_write_back(&manager->paging, index);
            command->stage = COMMAND_EVICTING;
            return false;
        }
    }
    if (!drain(command, manager)) return false;
    /* Another client, with which it is shared, may have used it meanwhile. */
    if (residency_is_named(&residency->uses, index) || choose_way(manager, index, flags) != LOCK_AT_ONCE) {
        command->stage = COMMAND_START;
        return false;
    }
    if ((entry->flags & ALLOCATION_LOST) != 0u) return finish(reply, STATUS_CONTENT_LOST, 0); /* by a reset meanwhile */
    return grant_lock(manager, index, flags, reply);
}

static bool unlock(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t index;
    if (!find(manager, command->message, MSG_UNLOCK_HANDLE, &index, reply)) return true;
    struct allocation *entry = &manager->residency.world.table.entry[index];
    if ((entry->flags & ALLOCATION_LOCKED) == 0u) return finish(reply, STATUS_NOT_LOCKED, 0);
    allocation_clear(entry, ALLOCATION_LOCKED);
    allocation_tell(&manager->residency.world.table, index);
    return done(reply);
}

static bool set_priority(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t index, priority = command->message[MSG_SET_PRIORITY_PRIORITY];
    if (!find(manager, command->message, MSG_SET_PRIORITY_HANDLE, &index, reply)) return true;
    if (priority == 0u) return finish(reply, STATUS_BAD_ARGUMENT, MSG_SET_PRIORITY_PRIORITY);
    residency_set_priority(&manager->residency, index, priority, manager->residency.world.table.entry[index].offer);
    return done(reply);
}

/* So many residents from `first` on, as far as they may leave. Returns the next one. */
static uint32_t plan_evictions(const struct command *command, struct manager *manager, uint32_t first, uint32_t count)
{
    uint32_t i = first;
    for (uint32_t steps = 0; steps < count && i != (uint32_t)INDEX_NONE; steps++) {
        yield_if_late();
        if (may_move(manager, client_of(command), i)) residency_plan_eviction(&manager->residency, i);
        i = index_set_next(manager->residency.world.map.residents, i + 1u);
    }
    return i;
}

/* Of all: a piece of the residents at a time, so that what others have asked for comes between. */
static bool evict_command(struct command *command, struct manager *manager, bool may_page, struct reply *reply)
{
    struct residency *residency = &manager->residency;
    uint32_t handle = command->message[MSG_EVICT_HANDLE], index = 0;
    if (handle != 0u && !find(manager, command->message, MSG_EVICT_HANDLE, &index, reply)) return true;
    const bool has_built = command->stage == COMMAND_EVICTING && !paging_is_active(&manager->paging);
    if (has_built && command->looked != (uint32_t)INDEX_NONE) command->stage = COMMAND_START;
    if (command->stage == COMMAND_START) {
        const struct allocation *entry = &residency->world.table.entry[index];
        if (handle != 0u && stays(entry, reply)) return true;
        if ((handle != 0u && residency_is_named(&residency->uses, index)) || !may_page) return false;
        const uint32_t first = handle != 0u ? index : index_set_next(residency->world.map.residents, command->looked);
        const uint32_t next = plan_evictions(command, manager, first, handle != 0u ? 1 : PIECE_RESIDENTS);
        command->looked = narrow_u16(handle != 0u ? INDEX_NONE : next);
        command->goes_on = command->looked != (uint32_t)INDEX_NONE;
        if (residency->plan.journal_count != 0u) {
            start_paging(command, manager);
            return false;
        }
        if (command->goes_on) return false;
    }
    return drain(command, manager) && done(reply);
}

/* ------------------------------------------------------------------ offer and reclaim */

static bool offer(struct command *command, struct manager *manager, bool may_page, struct reply *reply)
{
    struct residency *residency = &manager->residency;
    uint32_t index, priority = command->message[MSG_OFFER_PRIORITY];
    if (!find(manager, command->message, MSG_OFFER_HANDLE, &index, reply)) return true;
    struct allocation *entry = &residency->world.table.entry[index];
    if (command->stage == COMMAND_START) {
        if (priority < 1u || priority > 3u) return finish(reply, STATUS_BAD_ARGUMENT, MSG_OFFER_PRIORITY);
        if ((entry->flags & ALLOCATION_LOCKED) != 0u) return finish(reply, STATUS_LOCKED, 0);
        if ((entry->flags & ALLOCATION_SHOWN) != 0u) return finish(reply, STATUS_SHOWN, 0);
        if (residency_is_named(&residency->uses, index) || !may_page) return false;
        residency_set_priority(residency, index, residency->world.table.details[index].priority, priority);
        if (!manager_is_forced(manager, HOST_FORCE_DROP_OFFERED_LSB)) return done(reply);
        if (entry->segment != 0u) {
            residency_plan_eviction(residency, index);
            start_paging(command, manager);
            return false;
        }
    }
    if (!drain(command, manager)) return false;
    entry->offer = OFFER_DISCARDED;
    return done(reply);
}

static bool reclaim(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t index;
    if (!find(manager, command->message, MSG_RECLAIM_HANDLE, &index, reply)) return true;
    struct allocation *entry = &manager->residency.world.table.entry[index];
    reply->words[REPLY_RECLAIM_DISCARDED - 4] = entry->offer == OFFER_DISCARDED;
    residency_set_priority(&manager->residency, index, manager->residency.world.table.details[index].priority, 0);
    return done(reply);
}

/* ------------------------------------------------------------------ contexts and queries */

static bool is_priority(uint32_t word)
{
    return (int32_t)word >= CONTEXT_PRIORITY_MIN && (int32_t)word <= CONTEXT_PRIORITY_MAX;
}

static uint32_t weight_of(int32_t priority) { return (uint32_t)((int32_t)SHARE_WEIGHT + priority); }
_Static_assert((int)SHARE_WEIGHT > -(int)CONTEXT_PRIORITY_MIN, "everybody has a share");

static bool create_context_command(struct command *command, struct manager *manager, struct reply *reply)
{
    int32_t priority = (int32_t)command->message[MSG_CREATE_CONTEXT_PRIORITY];
    const uint32_t client = client_of(command);
    uint32_t id, index;
    if (command->message[MSG_CREATE_CONTEXT_NODE] != NODE_RENDER)
        return finish(reply, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_NODE);
    if (!is_priority(command->message[MSG_CREATE_CONTEXT_PRIORITY]))
        return finish(reply, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_PRIORITY);
    if (manager->contexts.clients[client].recoveries == (uint32_t)CLIENT_BARRED) return finish(reply, STATUS_BARRED, 0);
    struct refusal why;
    if (!query_context_room(manager, &why)) return finish(reply, why.status, why.detail);
    if (!context_may_create(&manager->contexts, client))
        return finish(reply, STATUS_TABLE_SHARE, manager->contexts.of_client[client].contexts);
    if (!context_create(&manager->contexts, client, priority, &id)) return finish(reply, STATUS_OUT_OF_HANDLES, 0);
    bool is_found = context_find(&manager->contexts, id, &index);
    ASSERT(is_found);
    share_open(&manager->residency.world.shares, index, weight_of(priority));
    reply->words[REPLY_CREATE_CONTEXT_CONTEXT - 4] = id;
    return done(reply);
}

static bool destroy_context(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t index;
    if (!find_message_context(command, manager, MSG_DESTROY_CONTEXT_CONTEXT, &index, reply)) return true;
    timelines_end_submits(manager, command->message[MSG_DESTROY_CONTEXT_CONTEXT]);
    if (manager->contexts.entry[index].jobs != 0u) return false;
    context_destroy(&manager->contexts, index);
    residency_disown(&manager->residency.world, index);
    share_close(&manager->residency.world.shares, index);
    return done(reply);
}

static bool set_context(struct command *command, struct manager *manager, struct reply *reply)
{
    const uint32_t *message = command->message, known = CONTEXT_PRIORITY | CONTEXT_BUDGET;
    const uint32_t changes = message[MSG_SET_CONTEXT_CHANGES], budget = message[MSG_SET_CONTEXT_BUDGET];
    const bool has_priority = (changes & CONTEXT_PRIORITY) != 0u, has_budget = (changes & CONTEXT_BUDGET) != 0u;
    uint32_t index;
    if (!find_message_context(command, manager, MSG_SET_CONTEXT_CONTEXT, &index, reply)) return true;
    if ((changes & ~known) != 0u) return finish(reply, STATUS_BAD_FLAGS, changes & ~known);
    if (changes == 0u) return finish(reply, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_CHANGES);
    if (has_priority && !is_priority(message[MSG_SET_CONTEXT_PRIORITY]))
        return finish(reply, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_PRIORITY);
    if (has_budget && budget > manager->residency.world.table.memory_pages)
        return finish(reply, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_BUDGET);
    if (has_budget) share_set_budget(&manager->residency.world.shares, index, budget);
    if (!has_priority) return done(reply);
    manager->contexts.entry[index].priority = narrow_i8((int32_t)message[MSG_SET_CONTEXT_PRIORITY]);
    share_set_weight(&manager->residency.world.shares, index, weight_of(manager->contexts.entry[index].priority));
    return done(reply);
}

static bool query_context(struct command *command, struct manager *manager, struct reply *reply)
{
    const struct residency *residency = &manager->residency;
    uint32_t index;
    if (!find_message_context(command, manager, MSG_QUERY_CONTEXT_CONTEXT, &index, reply)) return true;
    const struct share *share = &residency->world.shares.entry[index];
    reply->words[REPLY_QUERY_CONTEXT_SHARE - 4] =
        share_of(&residency->world.shares, index, residency->world.table.memory_pages);
    reply->words[REPLY_QUERY_CONTEXT_RESIDENT - 4] = share->pages;
    reply->words[REPLY_QUERY_CONTEXT_LOST - 4] = share->lost;
    reply->words[REPLY_QUERY_CONTEXT_TAKEN - 4] = client_of(command) == 0u ? share->taken : 0u;
    return done(reply);
}

static bool admit_client(struct command *command, struct manager *manager, struct reply *reply)
{
    const uint32_t client = command->message[MSG_ADMIT_CLIENT_CLIENT];
    if (client >= (uint32_t)CLIENT_LIMIT) return finish(reply, STATUS_BAD_ARGUMENT, MSG_ADMIT_CLIENT_CLIENT);
    manager->contexts.clients[client] = (struct client_record){0};
    client_reset(manager, client);
    return done(reply);
}

static bool query_allocation(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t index;
    if (!find(manager, command->message, MSG_QUERY_ALLOCATION_HANDLE, &index, reply)) return true;
    const struct allocation *entry = &manager->residency.world.table.entry[index];
    reply->words[REPLY_QUERY_ALLOCATION_SEGMENT - 4] = entry->segment;
    reply->words[REPLY_QUERY_ALLOCATION_OFFSET - 4] =
        entry->segment != 0u ? (uint32_t)entry->first_page * (uint32_t)PAGE_BYTES : 0u;
    reply->words[REPLY_QUERY_ALLOCATION_REASON - 4] = residency_place_reason(&manager->residency, index);
    return done(reply);
}

static bool query_statistics(struct command *command, struct manager *manager, struct reply *reply)
{
    uint32_t address = command->message[MSG_QUERY_STATISTICS_ADDRESS];
    uint32_t words = min_u32(command->message[MSG_QUERY_STATISTICS_WORDS], STAT_COUNT);
    if (!host_owns(&manager->host, address, words * 4u))
        return finish(reply, STATUS_BAD_ADDRESS, MSG_QUERY_STATISTICS_ADDRESS);
    manager_count_pages(manager);
    hal_system_write(address, manager->statistics, words);
    reply->words[REPLY_QUERY_STATISTICS_WORDS - 4] = words;
    return done(reply);
}

/* Round after round; the stages are used as for evictions: START to begin one, DRAINING while it runs. */
static bool self_test(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                      struct reply *reply)
{
    const struct ddi *ddi = &manager->ddi;
    uint32_t number = command->message[MSG_SELF_TEST_TEST];
    if (number < SELF_TEST_UNMAPPED || number > SELF_TEST_LAST)
        return finish(reply, STATUS_BAD_ARGUMENT, MSG_SELF_TEST_TEST);
    if (manager->paging.setup.buffer_bytes < (uint32_t)SELF_TEST_PAGING_BYTES)
        return finish(reply, STATUS_UNSUPPORTED, manager->paging.setup.buffer_bytes);
    if (command->stage == COMMAND_START) {
        const bool may_become = manager->residency.world.table.pending_destroy_count != 0u;
        if (may_page && !may_become && !self_test_has_page(manager)) return finish(reply, STATUS_BUSY, 0);
        if (may_page && self_test_begin(test, manager, number)) command->stage = COMMAND_DRAINING;
        return false;
    }
    if (!fence_reached(ddi->query_current_fence(ddi->adapter, NODE_PAGING), test->fence)) return false;
    uint32_t failed = self_test_check(test, manager, number);
    if (failed == 0u && test->round < self_test_rounds(number)) {
        command->stage = COMMAND_START;
        return false;
    }
    test->round = 0; /* for the next one */
    reply->words[REPLY_SELF_TEST_RESULT - 4] = failed;
    return done(reply);
}

/* ------------------------------------------------------------------ one command */

/* What concerns everybody: for client 0 alone. */
static bool is_of_host(uint32_t code)
{
    return code == (uint32_t)MSG_QUERY_STATISTICS || code == (uint32_t)MSG_SELF_TEST || code == (uint32_t)MSG_PREEMPT ||
           code == (uint32_t)MSG_ADMIT_CLIENT || code == (uint32_t)MSG_SET_CLIENT;
}

static bool step(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                 struct reply *reply)
{
    switch (message_code(command->message[0])) {
    case MSG_QUERY_SEGMENT: *reply = query_segment(manager, command->message); return true;
    case MSG_CREATE_CONTEXT: return create_context_command(command, manager, reply);
    case MSG_DESTROY_CONTEXT: return destroy_context(command, manager, reply);
    case MSG_SET_CONTEXT: return set_context(command, manager, reply);
    case MSG_ADMIT_CLIENT: return admit_client(command, manager, reply);
    case MSG_QUERY_CLIENT: *reply = client_query(manager, command->message); return true;
    case MSG_SET_CLIENT: *reply = client_set(manager, command->message); return true;
    case MSG_SET_PRIORITY: return set_priority(command, manager, reply);
    case MSG_SHARE: *reply = share_command(manager, command->message); return true;
    case MSG_OFFER: return offer(command, manager, may_page, reply);
    case MSG_RECLAIM: return reclaim(command, manager, reply);
    case MSG_EVICT: return evict_command(command, manager, may_page, reply);
    case MSG_SELF_TEST: return self_test(command, manager, test, may_page, reply);
    default: ASSERT(false); return true;
    }
}

/* What is quick, or may be. False: it waits. */
static bool step_quick(struct command *command, struct manager *manager, bool may_page, struct reply *reply)
{
    switch (message_code(command->message[0])) {
    case MSG_NOP: return done(reply);
    case MSG_CREATE_ALLOCATION: return create_allocation(command, manager, reply);
    case MSG_LOCK: return lock(command, manager, may_page, reply);
    case MSG_UNLOCK: return unlock(command, manager, reply);
    case MSG_QUERY_ALLOCATION: return query_allocation(command, manager, reply);
    case MSG_QUERY_CONTEXT: return query_context(command, manager, reply);
    case MSG_QUERY_STATISTICS: return query_statistics(command, manager, reply);
    case MESSAGE_UNREADABLE: return finish(reply, STATUS_BUS_ERROR, command->message[2]);
    default: return finish(reply, STATUS_BAD_MESSAGE, command->message[0]);
    }
}

static bool is_refused(const struct command *command, struct reply *reply)
{
    const uint32_t code = message_code(command->message[0]);
    *reply = (struct reply){0};
    return client_of(command) != 0u && is_of_host(code) && finish(reply, STATUS_NOT_ALLOWED, code);
}

/* Does a message of this code yield, change what plans are made of, or take more stack than the main loop has? */
static bool needs_work_stack(uint32_t code)
{
    switch (code) {
    case MSG_QUERY_SEGMENT:
    case MSG_CREATE_CONTEXT:
    case MSG_DESTROY_CONTEXT:
    case MSG_SET_CONTEXT:
    case MSG_ADMIT_CLIENT:
    case MSG_QUERY_CLIENT:
    case MSG_SET_CLIENT:
    case MSG_WAIT_BUDGET:
    case MSG_SET_PRIORITY:
    case MSG_SHARE:
    case MSG_OFFER:
    case MSG_RECLAIM:
    case MSG_EVICT:
    case MSG_SELF_TEST: return true;
    default: return false;
    }
}

/* A word of the host's that was not there ends what has been done with it. */
static bool end_step(bool is_done, struct reply *reply)
{
    uint32_t failed;
    if (hal_system_failed(&failed) && is_done) *reply = (struct reply){.status = STATUS_BUS_ERROR, .detail = failed};
    return is_done;
}

void command_answer(struct command *command, struct manager *manager, struct reply *reply)
{
    const bool is_done = end_step(is_refused(command, reply) || step_quick(command, manager, false, reply), reply);
    ASSERT(is_done);
}

bool command_step(struct command *command, struct manager *manager, struct self_test *test, bool may_page,
                  struct reply *reply)
{
    if (is_refused(command, reply)) return true;
    const bool is_done = needs_work_stack(message_code(command->message[0]))
                             ? step(command, manager, test, may_page, reply)
                             : step_quick(command, manager, may_page, reply);
    return end_step(is_done, reply);
}

/* A short list of pages, and a handle is free: nothing to wait for. */
static bool is_short_creation(const struct command *command, const struct manager *manager)
{
    return command->message[MSG_CREATE_ALLOCATION_BYTES] <= (uint32_t)QUICK_PAGES * (uint32_t)PAGE_BYTES &&
           manager->residency.world.table.pending_destroy_count == 0u;
}

bool command_is_quick(const struct command *command, const struct manager *manager, bool is_paused)
{
    const uint32_t *message = command->message, code = message_code(message[0]);
    uint32_t index;
    if (needs_work_stack(code) || code == (uint32_t)MSG_SUBMIT || code == (uint32_t)MSG_DESTROY_ALLOCATION ||
        code == (uint32_t)MSG_PREEMPT)
        return false;
    if (code == (uint32_t)MSG_CREATE_ALLOCATION) return !is_paused && is_short_creation(command, manager);
    if (code != (uint32_t)MSG_LOCK) return true;
    if (!allocation_find_of(&manager->residency.world.table, client_of(command), message[MSG_LOCK_HANDLE], &index))
        return true;
    return message[MSG_LOCK_PAGES] == 0u && is_idle_for_lock(manager, index, message[MSG_LOCK_FLAGS]);
}
