/* SPDX-License-Identifier: Apache-2.0
 *
 * Residency planning. To bring one allocation in, the segments it may use are tried in order of preference,
 * first for a hole (best fit). When there is none, residents are taken as gone one by one in the order in
 * which they should leave (priority, then age), and runs of neighbours that are gone are joined; the first
 * run that can hold the newcomer is the room whose worst loss is the smallest possible. Only those who
 * stand in that place are evicted, so no eviction happens that does not make room, and a place is found
 * whenever one exists. Each resident is looked at once, and joining costs O(1) (run_other).
 */
#include "residency.h"

#include "bank.h"
#include "commit.h"

void residency_init(struct residency *residency, const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages)
{
    allocation_table_init(&residency->table, segment_pages, system_pages);
    segment_map_init(&residency->map, segment_pages);
    residency->journal_count = 0;
    residency->steps = residency->fail_step = 0;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        residency->order[i].occupied = 0;
        for (uint32_t k = 0; k < PRIORITY_CLASSES; k++)
            residency->order[i].oldest[k] = residency->order[i].youngest[k] = SEGMENT_NO_OWNER;
    }
    residency_begin(residency, 0);
}

void residency_begin(struct residency *residency, uint32_t next_fence)
{
    residency->oldest_fence = next_fence - 0x80000000u;
    for (uint32_t i = 0; i < ALLOCATION_LIMIT / 4; i++) residency->mark_words[i] = 0;
}

void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks)
{
    ASSERT(allocation < ALLOCATION_LIMIT);
    residency->mark[allocation] = (uint8_t)(residency->mark[allocation] | marks);
}

/* ------------------------------------------------------------------ the order of leaving */

/* What counts as its priority: offered content goes before everything else. */
static uint32_t rank_priority(const struct allocation *entry)
{
    return entry->offer != 0u ? entry->offer : entry->priority;
}

static uint32_t priority_class(const struct allocation *entry) { return rank_priority(entry) >> 28; }

/* Lower leaves first. */
static uint64_t rank_of(const struct residency *residency, const struct allocation *entry)
{
    return (uint64_t)rank_priority(entry) << 32 | (entry->last_fence - residency->oldest_fence);
}

static void order_remove(struct residency *residency, uint32_t allocation)
{
    struct leaving_order *order = &residency->order[residency->map.where[allocation] - 1u];
    uint32_t class = priority_class(&residency->table.entry[allocation]);
    uint32_t older = residency->older[allocation], younger = residency->younger[allocation];
    if (older == SEGMENT_NO_OWNER) order->oldest[class] = (uint16_t)younger;
    else residency->younger[older] = (uint16_t)younger;
    if (younger == SEGMENT_NO_OWNER) order->youngest[class] = (uint16_t)older;
    else residency->older[younger] = (uint16_t)older;
    if (order->oldest[class] == SEGMENT_NO_OWNER) order->occupied &= ~(1u << class);
}

/* Does `a` leave after `b`? Of equal priority the younger does. What is marked was or will be used by the
 * portion at hand: it is young whatever its last fence says. */
static bool leaves_after(const struct residency *residency, uint32_t a, uint32_t b)
{
    const struct allocation *entries = residency->table.entry;
    uint32_t priority_a = rank_priority(&entries[a]), priority_b = rank_priority(&entries[b]);
    if (priority_a != priority_b) return priority_a > priority_b;
    if (residency->mark[b] != 0u) return false;
    return residency->mark[a] != 0u || rank_of(residency, &entries[a]) > rank_of(residency, &entries[b]);
}

/* Insert where it belongs, looking from the young end. */
static void order_insert(struct residency *residency, uint32_t allocation)
{
    struct leaving_order *order = &residency->order[residency->map.where[allocation] - 1u];
    uint32_t class = priority_class(&residency->table.entry[allocation]);
    uint32_t older = order->youngest[class], younger = SEGMENT_NO_OWNER;
    while (older != SEGMENT_NO_OWNER && leaves_after(residency, older, allocation)) {
        younger = older;
        older = residency->older[older];
    }
    order->occupied |= 1u << class;
    residency->older[allocation] = (uint16_t)older;
    residency->younger[allocation] = (uint16_t)younger;
    if (older == SEGMENT_NO_OWNER) order->oldest[class] = (uint16_t)allocation;
    else residency->younger[older] = (uint16_t)allocation;
    if (younger == SEGMENT_NO_OWNER) order->youngest[class] = (uint16_t)allocation;
    else residency->older[younger] = (uint16_t)allocation;
}

void residency_used(struct residency *residency, uint32_t allocation, uint32_t fence)
{
    order_remove(residency, allocation);
    residency->table.entry[allocation].last_fence = fence;
    order_insert(residency, allocation);
}

void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer)
{
    struct allocation *entry = &residency->table.entry[allocation];
    bool is_resident = residency->map.where[allocation] != 0u;
    if (is_resident) order_remove(residency, allocation);
    entry->priority = priority;
    entry->offer = (uint8_t)offer;
    if (is_resident) order_insert(residency, allocation);
}

/* ------------------------------------------------------------------ journal */

static void record(struct residency *residency, uint32_t allocation, enum residency_action action)
{
    ASSERT(residency->journal_count < 2u * ALLOCATION_LIMIT);
    residency->journal[residency->journal_count++] = (uint16_t)(allocation * 2u + (uint32_t)action);
}

static void enter(struct residency *residency, uint32_t allocation, uint32_t id, const struct segment_place *place)
{
    segment_insert(&residency->map, id, allocation, residency->table.entry[allocation].pages, place);
    order_insert(residency, allocation);
}

static void leave(struct residency *residency, uint32_t allocation)
{
    order_remove(residency, allocation);
    segment_remove(&residency->map, allocation);
}

/* Back to where the table says it still is. */
static void restore(struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    const struct segment_place place = segment_place_at(&residency->map, entry->segment, entry->first_page);
    enter(residency, allocation, entry->segment, &place);
}

void residency_plan_eviction(struct residency *residency, uint32_t allocation)
{
    leave(residency, allocation);
    record(residency, allocation, ACTION_EVICT);
}

static void plan_placement(struct residency *residency, uint32_t allocation, uint32_t id,
                           const struct segment_place *place)
{
    enter(residency, allocation, id, place);
    record(residency, allocation, ACTION_PLACE);
}

void residency_rollback(struct residency *residency, uint32_t count)
{
    ASSERT(count <= residency->journal_count);
    while (residency->journal_count > count) {
        uint32_t last = --residency->journal_count;
        uint32_t allocation = residency_action_allocation(residency, last);
        if (residency_action_kind(residency, last) == ACTION_PLACE) leave(residency, allocation);
        else restore(residency, allocation);
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
        bool may_return = has_left && is_place_free(residency, entry) &&
                          commit_has_room(residency, entry->segment, entry->pages);
        if (may_return) restore(residency, allocation);
        else residency->journal[kept++] = residency->journal[i];
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

/* What a search for room has found: the newcomer's place once the owners between `before` and `after`
 * that stand in it are gone; `rank` is that of the last one taken as gone. */
struct room {
    uint32_t id, first, before, after;
    uint32_t last; /* the last one taken as gone ... */
    uint64_t rank; /* ... and its rank */
};

/* The allocation is taken as gone: join it with neighbours that are, and name the ends of the run. */
static void join_run(struct residency *residency, uint32_t allocation, struct room *room)
{
    const struct segment_map *map = &residency->map;
    uint32_t low = allocation, high = allocation;
    uint32_t before = map->previous[allocation], after = map->next[allocation];
    residency->mark[allocation] |= MARK_LEAVING;
    if (before != SEGMENT_NO_OWNER && (residency->mark[before] & MARK_LEAVING) != 0u)
        low = residency->run_other[before];
    if (after != SEGMENT_NO_OWNER && (residency->mark[after] & MARK_LEAVING) != 0u) high = residency->run_other[after];
    residency->run_other[low] = (uint16_t)high;
    residency->run_other[high] = (uint16_t)low;
    room->before = map->previous[low];
    room->after = map->next[high];
}

static bool search_class(struct residency *residency, uint32_t class, const struct segment_request *request,
                         bool is_pressing, struct room *room)
{
    uint32_t i = residency->order[room->id - 1u].oldest[class];
    for (; i != SEGMENT_NO_OWNER; i = residency->younger[i]) {
        if (!residency_is_evictable(residency, i)) continue;
        if (!is_pressing && allocation_is_soft_pinned(&residency->table, i)) continue;
        join_run(residency, i, room);
        if (!segment_fits_between(&residency->map, room->id, request, room->before, room->after, &room->first)) continue;
        room->rank = rank_of(residency, &residency->table.entry[i]);
        room->last = i;
        return true;
    }
    return false;
}

/* The room in segment room->id that costs least; false if there is none, whatever left. */
static bool find_room(struct residency *residency, const struct segment_request *request, bool is_pressing,
                      struct room *room)
{
    const struct leaving_order *order = &residency->order[room->id - 1u];
    bool is_found = false;
    uint32_t class = 0, left;
    room->last = SEGMENT_NO_OWNER;
    for (left = order->occupied; left != 0u && !is_found; left &= left - 1u)
        is_found = search_class(residency, class = lowest_bit(left), request, is_pressing, room);
    for (left = order->occupied; left != 0u && lowest_bit(left) <= class; left &= left - 1u) {
        uint32_t i = order->oldest[lowest_bit(left)];
        for (; i != SEGMENT_NO_OWNER; i = residency->younger[i]) { /* nobody is taken as gone any more */
            residency->mark[i] &= (uint8_t)~(uint32_t)MARK_LEAVING;
            if (i == room->last) break;
        }
    }
    return is_found;
}

/* Evict who stands in the room; the place that results. */
static struct segment_place clear_room(struct residency *residency, const struct room *room, uint32_t pages)
{
    const struct segment_map *map = &residency->map;
    struct segment_place place = {room->first, room->before};
    uint32_t owner = room->before == SEGMENT_NO_OWNER ? map->segment[room->id - 1u].head : map->next[room->before];
    while (owner != room->after && map->first[owner] < room->first + pages) {
        uint32_t next = map->next[owner];
        if ((uint32_t)map->first[owner] + map->count[owner] > room->first) residency_plan_eviction(residency, owner);
        else place.before = owner;
        owner = next;
    }
    return place;
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
    for (uint32_t left = entry->preferred; left != 0u; left >>= PREFERENCE_BITS) {
        uint32_t field = left & ((1u << PREFERENCE_BITS) - 1u);
        uint32_t id = field & (PREFERENCE_FROM_END - 1u);
        if (id == 0u || (set >> (id - 1u) & 1u) == 0u) continue;
        list[count++] = (struct candidate){id, (field & PREFERENCE_FROM_END) != 0u};
        seen |= 1u << (id - 1u);
    }
    for (uint32_t id = 1; id <= SEGMENT_LIMIT; id++)
        if ((set & ~seen) >> (id - 1u) & 1u) list[count++] = (struct candidate){id, from_end};
    return count;
}

static bool place(struct residency *residency, uint32_t allocation, uint32_t set, bool is_pressing)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    struct candidate list[PREFERENCE_COUNT + SEGMENT_LIMIT];
    if (residency->fail_step != 0u && ++residency->steps >= residency->fail_step) return false;
    uint32_t count = list_candidates(entry, set, list);
    struct segment_request request = {entry->pages, 1u << entry->alignment_pages_log2, false};
    for (uint32_t i = 0; i < count; i++) {
        struct segment_place place;
        request.is_from_end = list[i].is_from_end;
        if (!bank_find_hole(&residency->table, entry, &residency->map, list[i].id, &place) &&
            !segment_find_hole(&residency->map, list[i].id, &request, &place))
            continue;
        plan_placement(residency, allocation, list[i].id, &place);
        return true;
    }
    struct room best = {.id = 0};
    for (uint32_t i = 0; i < count; i++) {
        struct room room = {.id = list[i].id};
        request.is_from_end = list[i].is_from_end;
        if (!find_room(residency, &request, is_pressing, &room)) continue;
        if (best.id == 0u || room.rank < best.rank) best = room;
    }
    if (best.id == 0u) return false;
    uint32_t hole_limit = residency->map.segment[best.id - 1u].hole_limit;
    const struct segment_place place = clear_room(residency, &best, entry->pages);
    plan_placement(residency, allocation, best.id, &place);
    segment_lower_hole_limit(&residency->map, allocation, hole_limit);
    return true;
}

bool residency_require(struct residency *residency, uint32_t allocation, bool is_pressing)
{
    ASSERT(allocation < ALLOCATION_LIMIT && residency->mark[allocation] != 0u);
    bool is_written = (residency->mark[allocation] & MARK_WRITE) != 0u;
    uint32_t set = allocation_segments(&residency->table, allocation, is_written);
    uint32_t where = residency->map.where[allocation];
    if (where != 0u && (set >> (where - 1u) & 1u) != 0u) {
        order_remove(residency, allocation); /* it is young now: searches need not step over it */
        order_insert(residency, allocation);
        return true;
    }

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
    uint32_t without = residency->journal_count;
    if (place(residency, allocation, set, is_pressing)) {
        if (commit_meet_limit(residency, is_pressing)) return true;
        residency_rollback(residency, without);
        set &= ~residency->table.aperture_set; /* no room under the apertures' common limit */
        if (set != 0u && place(residency, allocation, set, is_pressing)) return true;
    }
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
    bool is_filled = (entry->flags & ALLOCATION_UNDEFINED) != 0u && allocation_is_in_memory(&residency->table, entry);
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
