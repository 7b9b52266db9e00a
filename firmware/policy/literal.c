/* SPDX-License-Identifier: Apache-2.0
 *
 * The documents' policy: whoever has the lowest priority, and of those whoever was used longest ago, leaves first, as
 * soon as something does not fit; nothing is known of the future, and nothing moves.
 *
 * Each segment has a list of its residents in that order. To make room they are taken as gone one by one, the first to
 * leave first, and runs of neighbours that are gone are joined; the first run that can hold the allocation is its
 * place, so that the worst loss is the smallest possible. What is gone but does not stand in that place stays after
 * all.
 */
#include "policy/policies.h"

#include "platform/turn.h"

#include <string.h>

enum { IS_GONE = 0x80 };

struct literal {
    uint16_t oldest[SEGMENT_LIMIT], youngest[SEGMENT_LIMIT]; /* or `none` of the map */
    /* By allocation. */
    uint16_t *older, *younger; /* the lists' links; `older` of what IS_GONE: see join_gone */
    uint8_t *list;             /* the segment in whose list it is, or 0; inside a search with IS_GONE */
};
_Static_assert(sizeof(struct literal) <= POLICY_STATE_BYTES, "what it keeps has room");

static struct literal *literal_of(struct policy_state *state) { return (void *)state->bytes; }

/* Lower leaves first. */
static uint64_t rank_of(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    return (uint64_t)allocation_rank(&residency->world.table, entry) << 32 |
           (0x80000000u - (residency->outlook.next_fence - entry->last_fence));
}

/* Of its list. O(1). */
static inline void unlink(const struct residency *residency, struct policy_state *state, uint32_t allocation)
{
    struct literal *literal = literal_of(state);
    const uint32_t none = residency->world.map.none;
    const uint32_t list = literal->list[allocation] - 1u;
    const uint32_t older = literal->older[allocation], younger = literal->younger[allocation];
    if (older == none) literal->oldest[list] = (uint16_t)younger;
    else literal->younger[older] = (uint16_t)younger;
    if (younger == none) literal->youngest[list] = (uint16_t)older;
    else literal->older[younger] = (uint16_t)older;
    literal->list[allocation] = 0;
}

/* Into its segment's list, between two neighbours or below them. O(those that leave after it, of the older ones). */
static void link_below(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t allocation,
                       uint32_t older, uint32_t younger)
{
    struct literal *literal = literal_of(state);
    const uint32_t none = residency->world.map.none;
    while (older != none && rank_of(residency, older) > rank_of(residency, allocation)) {
        yield_if_late();
        younger = older;
        older = literal->older[older];
    }
    literal->older[allocation] = (uint16_t)older;
    literal->younger[allocation] = (uint16_t)younger;
    if (older == none) literal->oldest[id - 1u] = (uint16_t)allocation;
    else literal->younger[older] = (uint16_t)allocation;
    if (younger == none) literal->youngest[id - 1u] = (uint16_t)allocation;
    else literal->older[younger] = (uint16_t)allocation;
    literal->list[allocation] = (uint8_t)id;
}

/* The same from the youngest on. */
static void link(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t allocation)
{
    link_below(residency, state, id, allocation, literal_of(state)->youngest[id - 1u], residency->world.map.none);
}

static void literal_start(const struct residency *residency, struct policy_state *state)
{
    struct literal *literal = literal_of(state);
    const struct policy_tables *tables = &state->tables;
    literal->older = tables->halfwords[0];
    literal->younger = tables->halfwords[1];
    literal->list = tables->bytes;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++)
        literal->oldest[i] = literal->youngest[i] = narrow_u16(residency->world.map.none);
    memset(literal->list, 0, residency->world.table.limit);
}

/* What is marked or has left is in no list. */
static void literal_frees(const struct residency *residency, struct policy_state *state, uint32_t allocation,
                          bool is_free)
{
    struct literal *literal = literal_of(state);
    const uint32_t id = residency->world.map.link[allocation].where;
    if (literal->list[allocation] != 0u) unlink(residency, state, allocation);
    if (is_free && id != 0u) link(residency, state, id, allocation);
}

static void literal_begin(const struct residency *residency, struct policy_state *state, uint32_t now)
{
    (void)residency, (void)state, (void)now;
}

/* What the host has given another priority, maybe, goes to its place: those before are in order, the next one has not
 * moved yet. Returns that one. O(what it has to move). */
static uint32_t sort(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t i)
{
    struct literal *literal = literal_of(state);
    const uint32_t older = literal->older[i], next = literal->younger[i];
    if (older == residency->world.map.none || rank_of(residency, older) <= rank_of(residency, i)) return next;
    unlink(residency, state, i);
    link_below(residency, state, id, i, older, next);
    return next;
}

/* What the last portion has used is the youngest now; of one portion's allocations, all of one age, those at lower
 * addresses leave first. */
static uint32_t take_in(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t allocation)
{
    if (literal_of(state)->list[allocation] == 0u) link(residency, state, id, allocation);
    return residency->world.map.link[allocation].next;
}

static void literal_flush(const struct residency *residency, struct policy_state *state)
{
    const struct literal *literal = literal_of(state);
    const uint32_t none = residency->world.map.none;
    for (uint32_t id = 1; id <= (uint32_t)SEGMENT_LIMIT && (residency->outlook.news & NEWS_PLACES) != 0u; id++)
        for (uint32_t i = literal->oldest[id - 1u]; i != none; i = sort(residency, state, id, i)) yield_if_late();
    for (uint32_t id = 1; id <= (uint32_t)SEGMENT_LIMIT; id++)
        for (uint32_t i = residency->world.map.segment[id - 1u].head; i != none; i = take_in(residency, state, id, i))
            yield_if_late();
}

/* ------------------------------------------------------------------ making room */

static bool may_leave(const struct residency *residency, uint32_t allocation, bool is_pressing)
{
    return residency_is_evictable(residency, allocation) &&
           (is_pressing || !allocation_is_soft_pinned(&residency->world.table, allocation));
}

/* A window of neighbours that are gone, between two that stay. */
struct run {
    uint32_t before, after;
};

/* The allocation is taken as gone: join it with neighbours that are. A search goes from the oldest up, so that of what
 * is gone `older` is free: of either end of a run it is the other end. */
static struct run join_gone(const struct residency *residency, struct policy_state *state, uint32_t allocation)
{
    const struct segment_map *map = &residency->world.map;
    struct literal *literal = literal_of(state);
    uint16_t *other = literal->older;
    const uint32_t before = map->previous[allocation], after = map->link[allocation].next;
    uint32_t low = allocation, high = allocation;
    literal->list[allocation] |= IS_GONE;
    if (before != map->none && (literal->list[before] & IS_GONE) != 0u) low = other[before];
    if (after != map->none && (literal->list[after] & IS_GONE) != 0u) high = other[after];
    other[low] = (uint16_t)high;
    other[high] = (uint16_t)low;
    return (struct run){map->previous[low], map->link[high].next};
}

/* The first run of segment `id` that holds the request, and the rank of the worst loss in it. */
static bool literal_find_run(const struct residency *residency, struct policy_state *state, uint32_t id,
                             const struct segment_request *request, bool is_pressing, struct run *run, uint64_t *rank)
{
    struct literal *literal = literal_of(state);
    const uint32_t none = residency->world.map.none;
    uint32_t i, first, end, older = none, steps = 0;
    for (i = literal->oldest[id - 1u]; i != none; i = literal->younger[i]) {
        state->candidates++;
        yield_if_late();
        if (!may_leave(residency, i, is_pressing)) continue;
        *run = join_gone(residency, state, i);
        *rank = rank_of(residency, i);
        if (segment_fits_between(&residency->world.map, id, request, run->before, run->after, &first)) break;
    }
    end = i == none ? i : literal->younger[i];
    for (uint32_t k = literal->oldest[id - 1u]; k != end; k = literal->younger[k]) {
        yield_in_loop(++steps);
        literal->list[k] &= (uint8_t) ~(uint32_t)IS_GONE;
        literal->older[k] = (uint16_t)older;
        older = k;
    }
    return i != none;
}

/* Those in the allocation's place are evicted. */
static void clear(const struct residency *residency, struct policy_state *state, struct planning *planning,
                  const struct run *run, uint32_t pages, struct made_room *made)
{
    const struct segment_map *map = &residency->world.map;
    made->place.before = run->before;
    for (uint32_t i = segment_owner_after(map, made->id, run->before), next; i != run->after; i = next) {
        next = map->link[i].next;
        yield_if_late();
        if (segment_is_in(map, i, made->place.first, pages)) {
            unlink(residency, state, i);
            residency_plan_own_eviction(planning, i);
        } else if (map->link[i].first < made->place.first) {
            made->place.before = i;
        }
    }
}

static bool literal_make_room(const struct residency *residency, struct policy_state *state, struct planning *planning,
                              const struct incoming *incoming, struct made_room *made)
{
    struct run run = {0}, best = {0};
    uint64_t rank = 0, least = UINT64_MAX;
    made->id = 0;
    for (uint32_t i = 0; i < incoming->count; i++) {
        const uint32_t id = incoming->list[i].id;
        const struct segment_request request = {incoming->pages, incoming->alignment_pages,
                                                incoming->list[i].is_from_end};
        if (!literal_find_run(residency, state, id, &request, incoming->is_pressing, &run, &rank) || rank >= least)
            continue;
        least = rank;
        best = run;
        made->id = id;
        (void)segment_fits_between(&residency->world.map, id, &request, run.before, run.after, &made->place.first);
    }
    if (made->id == 0u) return false;
    made->hole_limit = residency->world.map.segment[made->id - 1u].hole_limit;
    clear(residency, state, planning, &best, incoming->pages, made);
    return true;
}

const struct policy policy_literal = {.start = literal_start,
                                      .begin = literal_begin,
                                      .flush = literal_flush,
                                      .make_room = literal_make_room,
                                      .frees = literal_frees};
