/* SPDX-License-Identifier: Apache-2.0
 *
 * The look-ahead policy: whoever's loss makes the bus carry least, per time until it is needed again, leaves first.
 */
#include "policy/lookahead_state.h"

#include <string.h>

#include "platform/turn.h"
#include "policy/eviction_cost.h"
#include "policy/map_or_copy.h"
#include "policy/policies.h"
#include "policy/window.h"

/* ------------------------------------------------------------------ what it is told */

/* The next search begins at a segment's start. While the firmware limits nearly any window will do, so that the place
 * where a search begins is what decides: going on where the last portion found room, what is drawn in turn would always
 * be gone just before it comes again. */
static void rewind_searches(const struct residency *residency, struct policy_state *state)
{
    struct lookahead *lookahead = lookahead_of(state);
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) lookahead->rover[i] = narrow_u16(residency->world.map.none);
}

static void lookahead_start(const struct residency *residency, struct policy_state *state)
{
    struct lookahead *lookahead = lookahead_of(state);
    const struct policy_tables *tables = &state->tables;
    const uint32_t limit = residency->world.table.limit;
    memset(lookahead, 0, sizeof *lookahead);
    lookahead->next_use = tables->halfwords[0];
    lookahead->place_in_job = tables->halfwords[1];
    lookahead->price = tables->bytes;
    lookahead->foreseen = tables->pieces;
    memset(lookahead->next_use, 0xff, limit * sizeof *lookahead->next_use);
    memset(lookahead->place_in_job, 0, limit * sizeof *lookahead->place_in_job);
    memset(lookahead->price, 0, limit);
    memset(lookahead->foreseen, 0, pieces_bytes(limit));
    rewind_searches(residency, state);
    /* What lies in a faster memory comes back sooner, as far as that makes whole powers of two. */
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        const uint32_t cycles = residency->outlook.segment_cycles[i];
        uint32_t steps = 0;
        for (uint32_t left = residency->outlook.page_cycles / 2u; cycles != 0u && left >= cycles; left /= 2u)
            steps += STEPS_PER_OCTAVE;
        lookahead->fast_steps[i + 1u] = (uint8_t)min_u32(steps, STEP_COUNT);
    }
}

static void lookahead_begin(const struct residency *residency, struct policy_state *state, uint32_t now)
{
    struct lookahead *lookahead = lookahead_of(state);
    lookahead->now = now;
    if (now == 0u) lookahead->has_places = false;
    lookahead->has_review = lookahead->is_single = false;
    lookahead->awaited_fence = residency->outlook.retired_fence;
    if (residency->outlook.bottleneck == BOTTLENECK_FIRMWARE) rewind_searches(residency, state);
    price_begin(residency, state);
}

static void lookahead_frees(const struct residency *residency, struct policy_state *state, uint32_t allocation,
                            bool is_free)
{
    if (is_free) price_take_in(residency, state, allocation);
    else price_take_out(residency, state, allocation);
}

/* ------------------------------------------------------------------ next uses */

/* Where the job at hand names what it names, at first. */
static void keep_places(struct lookahead *lookahead, const struct job *job)
{
    lookahead->has_places = true;
    lookahead->job_age += (uint32_t)JOB_AGE;
    for (uint32_t i = job->patch_count; i-- > 0u; yield_in_loop(i))
        if (job->patches[i].allocation != PATCH_NULL)
            lookahead->place_in_job[job->patches[i].allocation] = (uint16_t)(i - lookahead->job_age);
}

static inline void set_next_use(struct lookahead *lookahead, uint32_t allocation, uint32_t time)
{
    lookahead->next_use[allocation] = (uint16_t)time;
    pieces_note(lookahead->foreseen, allocation);
}

static void foresee(const struct residency *residency, struct policy_state *state, const struct job *job,
                    uint32_t first, uint32_t end, uint32_t time)
{
    struct lookahead *lookahead = lookahead_of(state);
    if (job == NULL) {
        ASSERT(time < (uint32_t)NEXT_USE_UNKNOWN);
        price_forget(state);
        lookahead->horizon = time;
        pieces_reset(lookahead->foreseen, residency->world.table.limit, lookahead->next_use,
                     sizeof *lookahead->next_use, 0xff);
        return;
    }
    for (uint32_t i = end; i-- > first;) {
        struct patch *patch = &job->patches[i];
        yield_in_loop(i);
        if (patch->allocation == PATCH_NULL) continue;
        patch->next_use = lookahead->next_use[patch->allocation];
        set_next_use(lookahead, patch->allocation, time + i);
    }
    if (time != 0u) return;
    lookahead->now = first;
    if (!lookahead->has_places) keep_places(lookahead, job);
}

static void passes(const struct residency *residency, struct policy_state *state, const struct job *job, uint32_t first,
                   uint32_t end)
{
    (void)residency;
    struct lookahead *lookahead = lookahead_of(state);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t allocation = job->patches[i].allocation;
        yield_in_loop(i);
        lookahead->now = i + 1u;
        if (allocation == PATCH_NULL) continue;
        set_next_use(lookahead, allocation, job->patches[i].next_use);
        lookahead->price[allocation] = (uint8_t)PRICE_STALE;
    }
}

/* ------------------------------------------------------------------ making room */

/* Pages of those that have to come next in this portion, too, and may go where this one goes. */
static uint32_t pages_ahead(const struct residency *residency, uint32_t id)
{
    const uint32_t used = residency->plan.portion_pages;
    uint32_t pages = 0, left = residency->outlook.portion_limit > used ? residency->outlook.portion_limit - used : 0u;
    for (uint32_t i = residency->outlook.ahead_first; i < residency->outlook.ahead_end; i++) {
        const struct patch *patch = &residency->outlook.ahead[i];
        yield_in_loop(i);
        if (patch->allocation == PATCH_NULL || residency->world.map.link[patch->allocation].where != 0u) continue;
        if (lookahead_in(residency)->next_use[patch->allocation] != i) continue; /* counted already */
        const struct allocation *entry = &residency->world.table.entry[patch->allocation];
        uint32_t set =
            allocation_segments(&residency->world.table, patch->allocation, (patch->flags & PATCH_WRITE) != 0u);
        yield_if_late();
        if ((set >> (id - 1u) & 1u) == 0u || entry->pages > left) break;
        if (residency->world.table.details[patch->allocation].alignment_pages_log2 != 0u) break;
        pages += entry->pages;
        left -= entry->pages;
    }
    return pages;
}

/* Room for the allocation and for those that come next, in the segment where a page of it costs least: what a search
 * takes hardly depends on what is searched for. */
static bool find_room_ahead(const struct residency *residency, struct policy_state *state,
                            const struct incoming *incoming, struct found_room *found)
{
    const struct room_rules rules = {.is_near = true, .limit = UINT64_MAX};
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < incoming->count; i++) {
        const struct candidate *candidate = &incoming->list[i];
        const uint32_t ahead = pages_ahead(residency, candidate->id);
        const struct segment_request wide = {incoming->pages + ahead, 1, candidate->is_from_end};
        struct room room;
        if (ahead == 0u) continue;
        lookahead_of(state)->is_single = true; /* unless there is such a room */
        if (!room_find(residency, state, candidate->id, &wide, &rules, &room)) continue;
        const uint64_t cost = (room.cost >> 32) << 32 | (uint32_t)room.cost / wide.pages;
        if (cost >= least) continue;
        least = cost;
        *found = (struct found_room){.room = room, .request = wide, .ahead = ahead};
    }
    if (least != UINT64_MAX) lookahead_of(state)->is_single = false;
    return least != UINT64_MAX;
}

/* The cheapest room in any of the candidates; *rules says in the end what may be evicted. Those within their shares do
 * for the first group of a portion alone: before any other a split leaves more to choose from. */
static bool find_best_room(const struct residency *residency, struct policy_state *state,
                           const struct incoming *incoming, struct segment_request *request, struct room_rules *rules,
                           struct room *best)
{
    best->id = 0;
    do
        for (uint32_t i = 0; i < incoming->count; i++) {
            struct room room;
            request->is_from_end = incoming->list[i].is_from_end;
            if (!room_find(residency, state, incoming->list[i].id, request, rules, &room)) continue;
            if (room.cost >= rules->limit) continue;
            *best = room;
            rules->limit = room.cost;
        }
    while (best->id == 0u && residency->plan.group != STANDING_LATER && room_search_harder(residency, rules));
    return best->id != 0u;
}

/* Room for the allocation alone, in the cheapest of the candidates. Without sliding it is known soonest that there is
 * none. */
static bool find_room_alone(const struct residency *residency, struct policy_state *state,
                            const struct incoming *incoming, struct found_room *found)
{
    struct room_rules rules = {
        .is_pressing = incoming->is_pressing, .may_slide = !residency_gives_up_soon(residency), .limit = UINT64_MAX};
    *found = (struct found_room){.request = {incoming->pages, incoming->alignment_pages, false}};
    return find_best_room(residency, state, incoming, &found->request, &rules, &found->room);
}

/* One of the candidates has more residents than a quick search passes over. */
static bool has_many(const struct residency *residency, const struct incoming *incoming)
{
    bool is_found = false;
    for (uint32_t i = 0; i < incoming->count; i++) is_found |= price_has_many(residency, incoming->list[i].id);
    return is_found;
}

/* The first run that will do in place of the best window, in the segment where that costs least. */
static enum quick find_room_quickly(const struct residency *residency, struct policy_state *state,
                                    const struct incoming *incoming, struct found_room *found)
{
    enum quick result = QUICK_NONE;
    for (uint32_t i = 0; i < incoming->count; i++) {
        struct room room;
        const enum quick quick = room_find_quickly(residency, state, incoming->list[i].id, incoming->pages, &room);
        if (quick != QUICK_FOUND && result == QUICK_NONE) result = quick;
        if (quick != QUICK_FOUND || (result == QUICK_FOUND && room.cost >= found->room.cost)) continue;
        *found = (struct found_room){.room = room, .request = {incoming->pages, 1, incoming->list[i].is_from_end}};
        result = QUICK_FOUND;
    }
    return result;
}

static bool lookahead_find_room(const struct residency *residency, struct policy_state *state,
                                struct planning *planning, const struct incoming *incoming, struct found_room *found)
{
    const bool is_quick = residency->outlook.bottleneck == BOTTLENECK_FIRMWARE && !incoming->is_pressing &&
                          incoming->alignment_pages == 1u;
    const bool is_together = is_quick && !lookahead_of(state)->is_single;
    for (uint32_t i = 0; i < incoming->count; i++)
        room_know_prices(residency, state, planning, incoming->list[i].id, incoming->pages);
    if (!(is_together && has_many(residency, incoming) && find_room_ahead(residency, state, incoming, found))) {
        const enum quick quick = is_quick ? find_room_quickly(residency, state, incoming, found) : QUICK_UNKNOWN;
        if (quick == QUICK_NONE && residency_gives_up_soon(residency)) return false;
        if (quick != QUICK_FOUND && !find_room_alone(residency, state, incoming, found)) return false;
    }
    return true;
}

/* Where those that slide leave too little, without sliding. */
static bool clear_found_room(const struct residency *residency, struct policy_state *state, struct planning *planning,
                             struct found_room *found, struct made_room *made)
{
    if (room_clear(residency, state, planning, &found->room, &found->request, made)) return true;
    struct room_rules rules = found->room.rules;
    rules.may_slide = false;
    rules.limit = UINT64_MAX;
    return room_find(residency, state, found->room.id, &found->request, &rules, &found->room) &&
           room_clear(residency, state, planning, &found->room, &found->request, made);
}

static bool lookahead_make_room(const struct residency *residency, struct policy_state *state,
                                struct planning *planning, const struct incoming *incoming, struct made_room *made)
{
    struct found_room found;
    if (!lookahead_find_room(residency, state, planning, incoming, &found)) return false;
    ASSERT(found.request.pages == incoming->pages + found.ahead);
    if (!clear_found_room(residency, state, planning, &found, made)) return false;
    if (found.request.is_from_end) made->place.first += found.ahead;
    return true;
}

static uint32_t next_use(const struct residency *residency, uint32_t allocation)
{
    const struct lookahead *lookahead = lookahead_in(residency);
    const uint32_t next = lookahead->next_use[allocation];
    if (next == (uint32_t)NEXT_USE_UNKNOWN) return 0;
    return next > lookahead->now ? next - lookahead->now + 1u : 1u;
}

const struct policy policy_lookahead = {.moves_bound = true,
                                        .start = lookahead_start,
                                        .begin = lookahead_begin,
                                        .flush = price_flush,
                                        .make_room = lookahead_make_room,
                                        .favours = map_or_copy_favours,
                                        .accepts = map_or_copy_accepts,
                                        .locks = map_or_copy_locks,
                                        .frees = lookahead_frees,
                                        .passes = passes,
                                        .foresee = foresee,
                                        .next_use = next_use,
                                        .is_over = price_is_over};
