/* SPDX-License-Identifier: Apache-2.0
 *
 * Residency planning. To bring one allocation in: the segments it may use are tried in order of
 * preference, first for a hole (best fit), then for the window whose present owners hurt least: lowest
 * priority, then least recent use, judged on placement, so that an eviction never happens that does not
 * make the room. A window is found whenever one exists, whatever must leave.
 */
#include "residency.h"

void residency_init(struct residency *residency, const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages)
{
    allocation_table_init(&residency->table, segment_pages, system_pages);
    segment_map_init(&residency->map, segment_pages);
    residency->journal_count = 0;
    residency->may_evict_soft_pinned = false;
    residency_begin(residency, 0);
}

void residency_begin(struct residency *residency, uint32_t next_fence)
{
    residency->oldest_fence = next_fence - 0x80000000u;
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) residency->mark[i] = 0;
}

void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks)
{
    ASSERT(allocation < ALLOCATION_LIMIT);
    residency->mark[allocation] = (uint8_t)(residency->mark[allocation] | marks);
}

/* ------------------------------------------------------------------ journal */

static void record(struct residency *residency, uint32_t allocation, enum residency_action action)
{
    ASSERT(residency->journal_count < 2u * ALLOCATION_LIMIT);
    residency->journal[residency->journal_count++] = (uint16_t)(allocation * 2u + (uint32_t)action);
}

void residency_plan_eviction(struct residency *residency, uint32_t allocation)
{
    segment_remove(&residency->map, allocation);
    record(residency, allocation, ACTION_EVICT);
}

static void plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first)
{
    segment_insert(&residency->map, id, allocation, first, residency->table.entry[allocation].pages);
    record(residency, allocation, ACTION_PLACE);
}

void residency_rollback(struct residency *residency, uint32_t count)
{
    ASSERT(count <= residency->journal_count);
    while (residency->journal_count > count) {
        uint32_t last = --residency->journal_count;
        uint32_t allocation = residency_action_allocation(residency, last);
        const struct allocation *entry = &residency->table.entry[allocation];
        if (residency_action_kind(residency, last) == ACTION_PLACE) segment_remove(&residency->map, allocation);
        else segment_insert(&residency->map, entry->segment, allocation, entry->first_page, entry->pages);
    }
}

/* Nobody has been given any page of the place where the allocation still is. */
static bool is_place_free(const struct residency *residency, const struct allocation *entry)
{
    uint32_t owner = segment_owner_from(&residency->map, entry->segment, entry->first_page);
    return owner == SEGMENT_NO_OWNER || residency->map.first[owner] >= (uint32_t)entry->first_page + entry->pages;
}

void residency_trim(struct residency *residency, uint32_t count)
{
    uint32_t kept = count;
    for (uint32_t i = count; i < residency->journal_count; i++) {
        uint32_t allocation = residency_action_allocation(residency, i);
        const struct allocation *entry = &residency->table.entry[allocation];
        bool has_left = residency_action_kind(residency, i) == ACTION_EVICT && residency->map.where[allocation] == 0u;
        if (has_left && is_place_free(residency, entry))
            segment_insert(&residency->map, entry->segment, allocation, entry->first_page, entry->pages);
        else
            residency->journal[kept++] = residency->journal[i];
    }
    residency->journal_count = (uint16_t)kept;
}

/* ------------------------------------------------------------------ who may leave */

bool residency_is_evictable(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    if (residency->map.where[allocation] == 0u || residency->mark[allocation] != 0u) return false;
    return (entry->flags & ALLOCATION_PINNED) == 0u;
}

/* Rank of a victim: offered ones before all others, then priority, then age of the last use. */
static bool may_leave(const void *context, uint32_t owner, uint64_t *rank)
{
    const struct residency *residency = context;
    const struct allocation *entry = &residency->table.entry[owner];
    if (!residency_is_evictable(residency, owner)) return false;
    if (!residency->may_evict_soft_pinned && allocation_is_soft_pinned(&residency->table, owner)) return false;
    uint32_t priority = entry->offer != 0u ? entry->offer : entry->priority;
    *rank = (uint64_t)priority << 32 | (entry->last_fence - residency->oldest_fence);
    return true;
}

static void evict_overlap(struct residency *residency, uint32_t id, uint32_t first, uint32_t count)
{
    uint32_t owner = segment_owner_from(&residency->map, id, first);
    while (owner != SEGMENT_NO_OWNER && residency->map.first[owner] < first + count) {
        uint32_t after = residency->map.next[owner];
        residency_plan_eviction(residency, owner);
        owner = after;
    }
}

/* ------------------------------------------------------------------ bringing in */

struct candidate {
    uint32_t id;
    bool is_from_end;
};

/* Segments in the order in which they are tried: preferences that suit the use, then the rest of the set. */
static uint32_t list_candidates(const struct allocation *entry, uint32_t set,
                                struct candidate list[PREFERENCE_COUNT + SEGMENT_LIMIT])
{
    bool from_end = (entry->flags & ALLOCATION_FROM_END) != 0u;
    uint32_t count = 0, seen = 0;
    for (uint32_t i = 0; i < PREFERENCE_COUNT; i++) {
        uint32_t field = (uint32_t)entry->preferred >> (i * PREFERENCE_BITS) & ((1u << PREFERENCE_BITS) - 1u);
        uint32_t id = field & (PREFERENCE_FROM_END - 1u);
        if (id == 0u || (set >> (id - 1u) & 1u) == 0u) continue;
        list[count++] = (struct candidate){id, (field & PREFERENCE_FROM_END) != 0u};
        seen |= 1u << (id - 1u);
    }
    for (uint32_t id = 1; id <= SEGMENT_LIMIT; id++)
        if ((set & ~seen) >> (id - 1u) & 1u) list[count++] = (struct candidate){id, from_end};
    return count;
}

static bool place(struct residency *residency, uint32_t allocation, uint32_t set)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    struct candidate list[PREFERENCE_COUNT + SEGMENT_LIMIT];
    uint32_t count = list_candidates(entry, set, list);
    struct segment_request request = {entry->pages, 1u << entry->alignment_pages_log2, false};
    uint32_t first;
    for (uint32_t i = 0; i < count; i++) {
        request.is_from_end = list[i].is_from_end;
        if (!segment_find_hole(&residency->map, list[i].id, &request, &first)) continue;
        plan_placement(residency, allocation, list[i].id, first);
        return true;
    }
    const struct segment_judge judge = {may_leave, residency};
    uint32_t best_id = 0, best_first = 0;
    uint64_t best_rank = UINT64_MAX, rank;
    for (uint32_t i = 0; i < count; i++) {
        request.is_from_end = list[i].is_from_end;
        if (!segment_find_window(&residency->map, list[i].id, &request, &judge, &first, &rank)) continue;
        if (best_id != 0u && rank >= best_rank) continue;
        best_id = list[i].id;
        best_first = first;
        best_rank = rank;
    }
    if (best_id == 0u) return false;
    evict_overlap(residency, best_id, best_first, entry->pages);
    plan_placement(residency, allocation, best_id, best_first);
    return true;
}

bool residency_require(struct residency *residency, uint32_t allocation, bool is_pressing)
{
    ASSERT(allocation < ALLOCATION_LIMIT && residency->mark[allocation] != 0u);
    bool is_written = (residency->mark[allocation] & MARK_WRITE) != 0u;
    uint32_t set = allocation_segments(&residency->table, allocation, is_written);
    uint32_t where = residency->map.where[allocation];
    if (where != 0u && (set >> (where - 1u) & 1u) != 0u) return true;

    /* It sits where this use is not allowed: it must move, unless its address is already loaded or the
     * plan itself has put it there. */
    uint32_t count = residency->journal_count;
    if (where != 0u) {
        const struct allocation *entry = &residency->table.entry[allocation];
        bool is_placed_by_plan = entry->segment != where || entry->first_page != residency->map.first[allocation];
        if (is_placed_by_plan || (residency->mark[allocation] & MARK_KEPT) != 0u) return false;
        if ((entry->flags & ALLOCATION_PINNED) != 0u) return false;
        residency_plan_eviction(residency, allocation);
    }
    residency->may_evict_soft_pinned = is_pressing;
    if (place(residency, allocation, set)) return true;
    residency_rollback(residency, count);
    return false;
}

/* ------------------------------------------------------------------ carrying out */

void residency_has_left(struct residency *residency, uint32_t allocation, bool is_discarded)
{
    struct allocation *entry = &residency->table.entry[allocation];
    ASSERT(entry->segment != 0u);
    entry->segment = 0;
    if (is_discarded && entry->offer != 0u) entry->offer = OFFER_DISCARDED;
    entry->flags &= ~(uint32_t)ALLOCATION_DIRTY;
}

void residency_has_arrived(struct residency *residency, uint32_t allocation)
{
    struct allocation *entry = &residency->table.entry[allocation];
    ASSERT(entry->segment == 0u && residency->map.where[allocation] != 0u);
    entry->segment = residency->map.where[allocation];
    entry->first_page = residency->map.first[allocation];
    bool is_filled = (entry->flags & ALLOCATION_UNDEFINED) != 0u && entry->segment != SEGMENT_LIMIT;
    entry->flags &= ~(uint32_t)ALLOCATION_UNDEFINED;
    if (is_filled) entry->flags |= (uint32_t)ALLOCATION_DIRTY; /* the pattern exists only in the segment */
}

void residency_finish(struct residency *residency) { residency->journal_count = 0; }

/* ------------------------------------------------------------------ validator */

bool residency_check(const struct residency *residency)
{
    if (!allocation_table_check(&residency->table) || !segment_check(&residency->map)) return false;
    if (residency->journal_count != 0u) return true; /* the map runs ahead of the table */
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) {
        const struct allocation *entry = &residency->table.entry[i];
        bool exists = (entry->flags & ALLOCATION_EXISTS) != 0u;
        uint32_t where = exists ? entry->segment : 0u;
        if (residency->map.where[i] != where) return false;
        if (where == 0u) continue;
        if (residency->map.first[i] != entry->first_page || residency->map.count[i] != entry->pages) return false;
        if (((uint32_t)(entry->read_set | entry->write_set) >> (where - 1u) & 1u) == 0u) return false;
    }
    return true;
}
