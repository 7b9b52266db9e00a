/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of residents in order of leaving, and the search along them: see leaving.h.
 */
#include "plan/leaving.h"

void leaving_init(struct residency *residency)
{
    residency->is_listed = true;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        residency->order[i].occupied = 0;
        for (uint32_t k = 0; k < PRIORITY_CLASSES; k++)
            residency->order[i].oldest[k] = residency->order[i].youngest[k] = SEGMENT_NO_OWNER;
    }
}

static uint32_t priority_class(const struct allocation *entry) { return allocation_rank(entry) >> 28; }

/* Lower leaves first. */
static uint64_t rank_of(const struct residency *residency, const struct allocation *entry)
{
    return (uint64_t)allocation_rank(entry) << 32 | (0x80000000u - (residency->next_fence - entry->last_fence));
}

void leaving_remove(struct residency *residency, uint32_t allocation)
{
    if (!residency->is_listed) return;
    struct leaving_order *order = &residency->order[residency->map.link[allocation].where - 1u];
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
    uint32_t priority_a = allocation_rank(&entries[a]), priority_b = allocation_rank(&entries[b]);
    if (priority_a != priority_b) return priority_a > priority_b;
    if (residency->mark[b] != 0u) return false;
    return residency->mark[a] != 0u || rank_of(residency, &entries[a]) > rank_of(residency, &entries[b]);
}

void leaving_insert(struct residency *residency, uint32_t allocation)
{
    if (!residency->is_listed) return;
    struct leaving_order *order = &residency->order[residency->map.link[allocation].where - 1u];
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

void leaving_keep(struct residency *residency, bool is_listed)
{
    if (residency->is_listed == is_listed) return;
    leaving_init(residency);
    residency->is_listed = is_listed;
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency->map.link[i].where != 0u) leaving_insert(residency, i);
}

/* ------------------------------------------------------------------ the search */

static bool may_leave(const struct residency *residency, uint32_t allocation, const struct room_rules *rules)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    if ((residency->mark[allocation] & rules->keeps) != 0u || (entry->flags & ALLOCATION_PINNED) != 0u) return false;
    return rules->is_pressing || !allocation_is_soft_pinned(&residency->table, allocation);
}

/* The allocation is taken as gone: join it with neighbours that are; the run's own neighbours go to the room. */
static void join_run(struct residency *residency, uint32_t allocation, struct room *room)
{
    const struct segment_map *map = &residency->map;
    uint32_t low = allocation, high = allocation;
    uint32_t before = map->previous[allocation], after = map->link[allocation].next;
    residency->mark[allocation] |= MARK_LEAVING;
    if (before != SEGMENT_NO_OWNER && (residency->mark[before] & MARK_LEAVING) != 0u)
        low = residency->run_other[before];
    if (after != SEGMENT_NO_OWNER && (residency->mark[after] & MARK_LEAVING) != 0u) high = residency->run_other[after];
    residency->run_other[low] = (uint16_t)high;
    residency->run_other[high] = (uint16_t)low;
    room->before = map->previous[low];
    room->after = map->link[high].next;
}

/* Along one class; *last: the last one looked at. */
static bool search_class(struct residency *residency, uint32_t class, const struct segment_request *request,
                         const struct room_rules *rules, struct room *room, uint32_t *last)
{
    uint32_t first;
    for (uint32_t i = residency->order[room->id - 1u].oldest[class]; i != SEGMENT_NO_OWNER; i = residency->younger[i]) {
        residency->candidates++;
        *last = i;
        if (!may_leave(residency, i, rules)) continue;
        join_run(residency, i, room);
        if (!segment_fits_between(&residency->map, room->id, request, room->before, room->after, &first)) continue;
        room->cost = rank_of(residency, &residency->table.entry[i]);
        return true;
    }
    return false;
}

bool leaving_find(struct residency *residency, uint32_t id, const struct segment_request *request,
                  const struct room_rules *rules, struct room *room)
{
    const struct leaving_order *order = &residency->order[id - 1u];
    ASSERT(residency->is_listed);
    bool is_found = false;
    uint32_t class = 0, last = SEGMENT_NO_OWNER, left;
    *room = (struct room){.id = id, .cost = UINT64_MAX};
    for (left = order->occupied; left != 0u && !is_found; left &= left - 1u)
        is_found = search_class(residency, class = lowest_bit(left), request, rules, room, &last);
    /* Nobody is taken as gone any more. */
    for (left = order->occupied; left != 0u && lowest_bit(left) <= class; left &= left - 1u)
        for (uint32_t i = order->oldest[lowest_bit(left)]; i != SEGMENT_NO_OWNER; i = residency->younger[i]) {
            residency->mark[i] &= (uint8_t) ~(uint32_t)MARK_LEAVING;
            if (i == last) break;
        }
    return is_found;
}
