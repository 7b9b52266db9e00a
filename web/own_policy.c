/* SPDX-License-Identifier: Apache-2.0
 *
 * See own_policy.h. To make room residents are taken as gone, the one that is worth least first, until a run of
 * neighbours that are gone holds the allocation; what is gone and does not stand in its place stays.
 */
#include "own_policy.h"

#include <stdlib.h>
#include <string.h>

#include "plan/residency.h"

enum { RESIDENTS_MOST = 16384 }; /* of one segment: allocations of a device at most */

struct own {
    uint32_t tag, now;  /* the DMA buffer at hand, and the patch entry where the walk stands */
    uint16_t *next_use; /* by allocation, as a time (policy.h), or OWN_NEXT_UNKNOWN */
    uint16_t *came;     /* the fence of the portion that it came for, modulo 65536 (65535 for 0); 0: it is nowhere */
    uint8_t *uses;      /* portions that have used it since */
};
_Static_assert(sizeof(struct own) <= POLICY_STATE_BYTES, "what it keeps has room");

static struct own *own_of(struct policy_state *state) { return (void *)state->bytes; }
static const struct own *state_of(const struct residency *residency)
{
    return (const void *)residency->policy_state.bytes;
}

static void start(const struct residency *residency, struct policy_state *state)
{
    struct own *own = own_of(state);
    const struct policy_tables *tables = &state->tables;
    const uint32_t limit = residency->world.table.limit;
    *own = (struct own){.next_use = tables->halfwords[0], .came = tables->halfwords[1], .uses = tables->bytes};
    memset(own->next_use, 0xff, limit * sizeof *own->next_use);
    memset(own->came, 0, limit * sizeof *own->came);
    memset(own->uses, 0, limit);
}

/* What the last portion has used is used once more; what has no time of coming has come for that portion. */
static void begin(const struct residency *residency, struct policy_state *state, uint32_t now)
{
    struct own *own = own_of(state);
    const uint16_t last = (uint16_t)(residency->outlook.next_fence - 1u);
    own->now = now;
    for (uint32_t i = 0; i < residency->world.table.limit; i++) {
        if (residency->world.map.link[i].where == 0u) own->came[i] = own->uses[i] = 0;
        else if (own->came[i] == 0u) own->came[i] = last != 0u ? last : UINT16_MAX;
        if (residency->plan.mark[i] != 0u && own->uses[i] < OWN_USES_MOST) own->uses[i]++;
    }
}

/* ------------------------------------------------------------------ next uses */

static void foresee(const struct residency *residency, struct policy_state *state, const struct job *job,
                    uint32_t first, uint32_t end, uint32_t time)
{
    struct own *own = own_of(state);
    if (job == NULL) {
        memset(own->next_use, 0xff, residency->world.table.limit * sizeof *own->next_use);
        return;
    }
    for (uint32_t i = end; i-- > first;) {
        struct patch *patch = &job->patches[i];
        if (patch->allocation == PATCH_NULL) continue;
        patch->next_use = own->next_use[patch->allocation];
        own->next_use[patch->allocation] = (uint16_t)(time + i);
    }
    if (time != 0u) return;
    own->now = first;
    own->tag = job->tag;
}

static void passes(const struct residency *residency, struct policy_state *state, const struct job *job, uint32_t first,
                   uint32_t end)
{
    (void)residency;
    struct own *own = own_of(state);
    own->tag = job->tag;
    for (uint32_t i = first; i < end; i++) {
        own->now = i + 1u;
        if (job->patches[i].allocation != PATCH_NULL)
            own->next_use[job->patches[i].allocation] = job->patches[i].next_use;
    }
}

/* Patch locations from where the walk stands, 1 being there. */
static uint32_t distance(const struct own *own, uint32_t allocation)
{
    const uint32_t next = own->next_use[allocation];
    if (next == (uint32_t)OWN_NEXT_UNKNOWN) return OWN_NEXT_UNKNOWN;
    return next > own->now ? next - own->now + 1u : 1u;
}

static uint32_t next_use(const struct residency *residency, uint32_t allocation)
{
    const uint32_t next = distance(state_of(residency), allocation);
    return next == (uint32_t)OWN_NEXT_UNKNOWN ? 0u : next;
}

/* ------------------------------------------------------------------ making room */

struct ranked {
    uint32_t rank, owner, first;
    double worth;
};

/* A search asks for all that may leave first, then takes them in this order. */
static struct ranked order[RESIDENTS_MOST];
static uint8_t is_gone[RESIDENTS_MOST];

static int compare(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
    if (left->worth != right->worth) return left->worth < right->worth ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

static double worth_of(const struct residency *residency, uint32_t owner)
{
    const struct own *own = state_of(residency);
    const struct allocation *entry = &residency->world.table.entry[owner];
    const struct own_resident resident = {
        .number = owner,
        .pages = entry->pages,
        .age = residency->outlook.next_fence - entry->last_fence,
        .came = own->came[owner] != 0u ? (residency->outlook.next_fence - own->came[owner]) & 0xffffu : 0u,
        .uses = own->uses[owner],
        .next = distance(own, owner),
        .is_dirty = (entry->flags & ALLOCATION_DIRTY) != 0u,
        .tag = own->tag,
        .entry = own->now};
    return own_worth(&resident);
}

static bool may_leave(const struct residency *residency, uint32_t owner, bool is_pressing)
{
    return residency_is_evictable(residency, owner) &&
           (is_pressing || !allocation_is_soft_pinned(&residency->world.table, owner));
}

static uint32_t rank_all(const struct residency *residency, struct policy_state *state, uint32_t id, bool is_pressing)
{
    const struct segment_map *map = &residency->world.map;
    uint32_t count = 0;
    for (uint32_t i = map->segment[id - 1u].head; i != map->none && count < RESIDENTS_MOST; i = map->link[i].next) {
        is_gone[i] = 0;
        state->candidates++;
        if (!may_leave(residency, i, is_pressing)) continue;
        order[count++] =
            (struct ranked){.rank = allocation_rank(&residency->world.table, &residency->world.table.entry[i]),
                            .owner = i,
                            .first = map->link[i].first,
                            .worth = worth_of(residency, i)};
    }
    qsort(order, count, sizeof *order, compare);
    return count;
}

/* Neighbours that are gone, between two that stay. */
struct run {
    uint32_t before, after;
};

static struct run run_around(const struct segment_map *map, uint32_t owner)
{
    struct run run = {map->previous[owner], map->link[owner].next};
    while (run.before != map->none && is_gone[run.before] != 0u) run.before = map->previous[run.before];
    while (run.after != map->none && is_gone[run.after] != 0u) run.after = map->link[run.after].next;
    return run;
}

/* The first run of segment `id` that holds the request, and the worst loss in it. */
static bool find_run(const struct residency *residency, struct policy_state *state, uint32_t id,
                     const struct segment_request *request, bool is_pressing, struct run *run, struct ranked *loss)
{
    const uint32_t count = rank_all(residency, state, id, is_pressing);
    uint32_t first;
    for (uint32_t i = 0; i < count; i++) {
        is_gone[order[i].owner] = 1;
        *run = run_around(&residency->world.map, order[i].owner);
        *loss = order[i];
        if (segment_fits_between(&residency->world.map, id, request, run->before, run->after, &first)) return true;
    }
    return false;
}

static void clear(const struct residency *residency, struct planning *planning, const struct run *run, uint32_t pages,
                  struct made_room *made)
{
    const struct segment_map *map = &residency->world.map;
    made->place.before = run->before;
    for (uint32_t i = segment_owner_after(map, made->id, run->before), next; i != run->after; i = next) {
        next = map->link[i].next;
        if (segment_is_in(map, i, made->place.first, pages)) residency_plan_own_eviction(planning, i);
        else if (map->link[i].first < made->place.first) made->place.before = i;
    }
}

static bool make_room(const struct residency *residency, struct policy_state *state, struct planning *planning,
                      const struct incoming *incoming, struct made_room *made)
{
    struct run run = {0}, best = {0};
    struct ranked loss = {0}, least = {0};
    made->id = 0;
    for (uint32_t i = 0; i < incoming->count; i++) {
        const uint32_t id = incoming->list[i].id;
        const struct segment_request request = {incoming->pages, incoming->alignment_pages,
                                                incoming->list[i].is_from_end};
        if (!find_run(residency, state, id, &request, incoming->is_pressing, &run, &loss)) continue;
        loss.first = 0; /* of two equals the segment that is tried first */
        if (made->id != 0u && compare(&loss, &least) >= 0) continue;
        least = loss;
        best = run;
        made->id = id;
        (void)segment_fits_between(&residency->world.map, id, &request, run.before, run.after, &made->place.first);
    }
    if (made->id == 0u) return false;
    made->hole_limit = residency->world.map.segment[made->id - 1u].hole_limit;
    clear(residency, planning, &best, incoming->pages, made);
    return true;
}

static const struct policy policy_own = {
    .start = start, .begin = begin, .make_room = make_room, .passes = passes, .foresee = foresee, .next_use = next_use};
#define OWN_POLICY(name, symbol) [POLICY_##name] = &policy_own,
const struct policy *const own_policies[POLICY_COUNT] = {POLICY_TABLE(OWN_POLICY)};
