/* SPDX-License-Identifier: Apache-2.0
 *
 * The window search. Both ends of the window move up only, so
 * each resident is taken in once and left out once. A resident that alone costs as much as the best window found ends
 * the window: no better one contains it.
 */
#include "policy/window.h"

#include "platform/turn.h"
#include "policy/eviction_cost.h"

/* A window whose cost is near the ideal is not improved upon: NEAR_NUMERATOR of these. */
enum { NEAR_DENOMINATOR = 4, STEP_END = 0xff };

/* ------------------------------------------------------------------ what may become of a resident */

/* What the search does with a resident. */
enum outcome { OUTCOME_STAYS, OUTCOME_LEAVES, OUTCOME_SLIDES };

/* A marked resident, or one that has no price or a new place from the plan. *step: its price if it leaves. */
static enum outcome outcome_of_special(const struct residency *residency, uint32_t owner, const struct room *room,
                                       uint32_t *step)
{
    const struct room_rules *rules = &room->rules;
    const uint32_t price = lookahead_in(residency)->price[owner], mark = residency->plan.mark[owner];
    *step = price & PRICE_STEP;
    ASSERT(mark != 0u || *step != (uint32_t)PRICE_STALE);
    if (*step == (uint32_t)PRICE_FIXED || (price & PRICE_MOVED) != 0u) return OUTCOME_STAYS;
    const bool is_held = (mark & MARK_KEPT) != 0u && residency->plan.group != STANDING_MOVES_BOUND;
    bool may_slide = rules->may_slide && !is_held && !residency_is_planned(&residency->plan, owner);
    bool may_leave = mark == 0u && (*step != (uint32_t)PRICE_SOFT || rules->is_pressing) &&
                     (*step < (uint32_t)PRICE_PROTECTED || rules->takes_protected) &&
                     !residency_is_guarded(&residency->plan, owner);
    *step = price_unprotected(*step);
    if (may_leave && *step == (uint32_t)PRICE_SOFT) *step = price_step(residency, owner);
    if (may_leave && (*step <= room->threshold || !may_slide)) return OUTCOME_LEAVES;
    return may_slide ? OUTCOME_SLIDES : OUTCOME_STAYS;
}

static inline enum outcome outcome_of(const struct residency *residency, uint32_t owner, const struct room *room,
                                      uint32_t *step)
{
    *step = lookahead_in(residency)->price[owner];
    if (residency->plan.mark[owner] != 0u && !room->rules.may_slide) return OUTCOME_STAYS;
    if (residency->plan.mark[owner] != 0u || *step >= (uint32_t)STEP_COUNT)
        return outcome_of_special(residency, owner, room, step);
    return *step <= room->threshold || !room->rules.may_slide ? OUTCOME_LEAVES : OUTCOME_SLIDES;
}

/* ------------------------------------------------------------------ the look-ahead search */

/* The price of moving a page inside its segment. */
static inline uint32_t move_step(const struct residency *residency)
{
    return residency->outlook.is_timed ? STEP_MOVE : STEP_MOVE_UNTIMED;
}

/* Residents from `low` up to the one being looked at, above `before`. */
struct window {
    uint32_t start, before, low;
    uint32_t slid; /* pages of those that slide */
    uint32_t cost;
    uint32_t odd; /* how many are evicted that have not the lowest priority */
};

/* What a resident costs a window, and its pages if it slides there; UINT32_MAX: it stays where it is. */
static inline uint32_t weigh(const struct residency *residency, uint32_t owner, const struct room *room, uint32_t *slid)
{
    const uint32_t count = residency->world.map.link[owner].count;
    uint32_t step;
    const enum outcome outcome = outcome_of(residency, owner, room, &step);
    *slid = 0;
    if (outcome == OUTCOME_STAYS) return UINT32_MAX;
    if (outcome == OUTCOME_SLIDES) {
        *slid = count;
        step = move_step(residency);
    }
    return count * price_of_step[step] + 1u;
}

/* The highest priority of those that are evicted. */
static uint32_t highest_priority(const struct residency *residency, const struct window *window, uint32_t after,
                                 const struct room *room)
{
    uint32_t highest = 0, step;
    for (uint32_t i = window->low; i != after; i = residency->world.map.link[i].next)
        if (outcome_of(residency, i, room, &step) == OUTCOME_LEAVES)
            highest = max_u32(highest, allocation_rank(&residency->world.table, &residency->world.table.entry[i]));
    return highest;
}

/* The window, which ends at page `end`, holds the request, whoever slides. */
static inline bool is_large_enough(const struct segment_map *map, const struct room *room, const struct window *window,
                                   uint32_t after, uint32_t end, const struct segment_request *request)
{
    uint32_t size = end - window->start, first;
    if (size < request->pages + window->slid) return false;
    if (request->alignment_pages == 1u) return true;
    if (window->slid == 0u) return segment_fits_between(map, room->id, request, window->before, after, &first);
    return size - window->slid >= request->pages + request->alignment_pages - 1u;
}

/* Where a scan begins, how many residents it looks at, what it wants. */
struct scan {
    uint32_t owner, left;
    uint32_t ideal;    /* what cost will do */
    uint32_t rank;     /* the lowest priority of those that may be evicted */
    bool has_one_rank; /* which is that of all */
    bool is_census;    /* the prices' lists say at which steps there is anything that may leave */
};

static inline uint32_t is_odd(const struct residency *residency, const struct scan *scan, uint32_t owner, uint32_t slid)
{
    if (scan->has_one_rank || slid != 0u) return 0;
    return allocation_rank(&residency->world.table, &residency->world.table.entry[owner]) != scan->rank;
}

/* Its lowest owner is not in it any more. */
static inline void shrink_window(const struct residency *residency, const struct scan *scan, const struct room *room,
                                 struct window *window, uint32_t high)
{
    const uint32_t low = window->low;
    const struct segment_link *link = &residency->world.map.link[low];
    uint32_t slid;
    window->cost -= weigh(residency, low, room, &slid);
    window->odd -= is_odd(residency, scan, low, slid);
    window->slid -= slid;
    window->before = low;
    window->start = segment_end(&residency->world.map, low);
    window->low = low == high ? residency->world.map.none : link->next;
}

/* The cheapest window from scan->owner on that is cheaper than *room; the first that costs no more than `ideal` ends
 * the scan. Most residents only end a window, so that has to be quick. */
static void find_cheapest(const struct residency *residency, struct policy_state *state, const struct scan *scan,
                          const struct segment_request *request, struct room *room)
{
    const struct segment_map *map = &residency->world.map;
    uint32_t owner = scan->owner, left = scan->left, before = map->previous[owner], after, slid;
    /* Cost of the best window of the lowest priority: none of higher cost is better. */
    uint32_t best = room->cost >> 32 == scan->rank ? (uint32_t)room->cost : UINT32_MAX;
    const uint32_t none = map->none;
    struct window window = {.low = none};
    for (; owner != none && left != 0u; before = owner, owner = after, left--) {
        after = map->link[owner].next;
        yield_in_loop(2u * left); /* it may end a window */
        const uint32_t cost = weigh(residency, owner, room, &slid);
        if (cost >= best) {
            window.low = none;
            continue;
        }
        if (window.low == none) window = (struct window){segment_run_start(map, before), before, owner, 0, 0, 0};
        window.slid += slid;
        window.cost += cost;
        window.odd += is_odd(residency, scan, owner, slid);
        const uint32_t end = segment_run_end(map, room->id, after);
        while (is_large_enough(map, room, &window, after, end, request)) {
            uint64_t high = scan->rank;
            if (window.odd != 0u) high = highest_priority(residency, &window, after, room);
            const uint64_t value = high << 32 | window.cost;
            if (value < room->cost) {
                room->before = window.before;
                room->after = after;
                room->is_slid = window.slid != 0u;
                room->cost = value;
                if (window.odd == 0u) best = window.cost;
            }
            shrink_window(residency, scan, room, &window, owner);
            if (window.low == none) break;
        }
        if (best <= scan->ideal) break;
    }
    state->candidates += scan->left - left;
}

/* Over all residents from the segment's start, so that what is free gathers at its end; of very many, over a sample
 * that begins where the last room was found. Where it has no room the sample grows, until it is the whole segment. */
static bool find_in_segment(const struct residency *residency, struct policy_state *state, struct scan *scan,
                            const struct segment_request *request, struct room *room)
{
    const struct lookahead *lookahead = lookahead_in(residency);
    const uint32_t head = residency->world.map.segment[room->id - 1u].head, rover = lookahead->rover[room->id - 1u];
    const bool has_rover = rover != residency->world.map.none && residency->world.map.link[rover].where == room->id;
    const bool is_other = room->rules.limit != UINT64_MAX; /* there is a room elsewhere */
    bool is_whole = false;
    room->cost = room->rules.limit;
    for (uint32_t limit = min_u32(SAMPLE + request->pages, 4u * SAMPLE); room->cost == room->rules.limit && !is_whole;
         limit *= 4u) {
        yield_if_late();
        is_whole = !has_rover || lookahead->prices[room->id - 1u].residents <= limit;
        scan->owner = is_whole ? head : rover;
        scan->left = is_whole ? UINT32_MAX : limit;
        find_cheapest(residency, state, scan, request, room);
        if (is_other) break;
    }
    return room->cost != room->rules.limit;
}

/* The next threshold to try. Where nothing was found another search finds no more, unless more residents may leave: the
 * census says at which steps there are any. STEP_END: at none. */
static uint32_t next_threshold(const struct residency *residency, const struct scan *scan, const struct room *room)
{
    const uint16_t *leaving = lookahead_in(residency)->prices[room->id - 1u].leaving;
    const bool is_found = room->rules.limit != UINT64_MAX;
    uint32_t threshold = room->threshold;
    if (is_found || !scan->is_census) return threshold + (uint32_t)STEPS_MORE;
    while (++threshold < (uint32_t)STEP_COUNT) {
        if (leaving[threshold] == 0u) continue;
        const uint32_t above = threshold - room->threshold; /* those thresholds are STEPS_MORE apart */
        return room->threshold + (above + STEPS_MORE - 1u) / STEPS_MORE * STEPS_MORE;
    }
    return STEP_END;
}

/* Those more expensive than a threshold slide, the others are evicted. Few evictions may make many slide, so with care
 * more expensive ones are let go, too, until the room costs hardly more than it would without addresses, where that is
 * known. */
static bool find_sliding(const struct residency *residency, struct policy_state *state, struct scan *scan,
                         const struct segment_request *request, uint32_t lowest, struct room *room)
{
    const bool is_careful = residency->outlook.is_careful;
    const bool is_other = room->rules.limit != UINT64_MAX;
    const uint64_t ideal = (uint64_t)scan->rank << 32 | scan->ideal;
    struct room best = {.id = 0};
    for (uint32_t threshold = lowest; threshold != STEP_END; threshold = next_threshold(residency, scan, room)) {
        room->threshold = threshold;
        if (find_in_segment(residency, state, scan, request, room)) {
            best = *room;
            room->rules.limit = room->cost;
            if (!is_careful || room->cost <= ideal) break;
        }
        if (threshold >= (uint32_t)STEP_COUNT || (is_other && !is_careful)) break;
    }
    if (best.id != 0u) *room = best;
    return best.id != 0u;
}

/* What to protect in this portion; prices know, too. */
static void review_shares(const struct residency *residency, struct policy_state *state, struct planning *planning,
                          uint32_t pages)
{
    const bool had_protected = share_has_protected(&residency->world.shares);
    residency_review_shares(planning, pages);
    lookahead_of(state)->has_review = true;
    if (had_protected || share_has_protected(&residency->world.shares)) price_forget(state);
}

void room_know_prices(const struct residency *residency, struct policy_state *state, struct planning *planning,
                      uint32_t id, uint32_t pages)
{
    if (residency->world.map.segment[id - 1u].head == residency->world.map.none) return;
    if (!lookahead_in(residency)->has_review) review_shares(residency, state, planning, pages);
    price_keep(residency, state, id);
}

bool room_find(const struct residency *residency, struct policy_state *state, uint32_t id,
               const struct segment_request *request, const struct room_rules *rules, struct room *room)
{
    if (residency->world.map.segment[id - 1u].head == residency->world.map.none) return false;
    const struct price_list *prices = price_kept(state, id);
    /* What is protected is no part of the census. */
    const uint32_t level = rules->takes_protected ? 0u : price_threshold(residency, id, request->pages);
    /* The census is of what is not marked. */
    const bool is_census = !rules->is_pressing && !rules->takes_protected;
    struct scan scan = {
        .rank = prices->rank, .has_one_rank = is_census && prices->has_one_rank, .is_census = is_census};
    *room = (struct room){.id = id, .rules = *rules, .threshold = STEP_COUNT};
    room->rules.may_slide = rules->may_slide && !allocation_is_aperture(&residency->world.table, id);
    /* What it would cost without addresses, at most, as long as what is marked stays. */
    if (is_census && level < STEP_COUNT) {
        const uint32_t marginal = request->pages * price_of_step[level];
        scan.ideal = marginal * NEAR_NUMERATOR / NEAR_DENOMINATOR + 1u;
        if (((uint64_t)scan.rank << 32 | scan.ideal) >= rules->limit) return false;
        if (rules->is_near) {
            scan.ideal = scan.ideal * (uint32_t)NEAR_TOGETHER;
            room->rules.limit = ((uint64_t)scan.rank << 32 | scan.ideal) + 1u;
        }
    } else if (rules->is_near || is_census) {
        return false; /* there are not so many pages that may be had, wherever they are */
    }
    const bool is_found = room->rules.may_slide ? find_sliding(residency, state, &scan, request,
                                                               max_u32(level, move_step(residency)), room)
                                                : find_in_segment(residency, state, &scan, request, room);
    if (is_found) lookahead_of(state)->rover[id - 1u] = (uint16_t)room->after;
    return is_found;
}

/* The run of owners that may leave at the end of which `owner` stands: as short as will do. */
static void shorten_run(const struct segment_map *map, uint32_t pages, uint32_t end, uint32_t owner, struct room *room)
{
    uint32_t low = segment_owner_after(map, room->id, room->before);
    for (; low != owner && end - segment_end(map, low) >= pages; low = map->link[low].next) room->before = low;
}

/* From scan->owner on, or from the segment's start after its end if not all of it is looked at. */
static bool window_find_run(const struct residency *residency, struct policy_state *state, const struct scan *scan,
                            uint32_t pages, struct room *room)
{
    const struct segment_map *map = &residency->world.map;
    const uint8_t *const price = lookahead_in(residency)->price, *const mark = residency->plan.mark;
    uint32_t owner = scan->owner, start = segment_run_start(map, room->before = map->previous[owner]);
    yield_if_late();
    for (uint32_t left = scan->left; left != 0u; left--) {
        const struct segment_link *link = &map->link[owner];
        yield_in_loop(left);
        state->candidates++;
        if (mark[owner] != 0u || price[owner] > room->threshold || is_odd(residency, scan, owner, 0) != 0u) {
            room->before = owner;
            start = segment_end(map, owner);
        } else if (segment_run_end(map, room->id, link->next) - start >= pages) {
            room->after = link->next;
            shorten_run(map, pages, segment_run_end(map, room->id, link->next), owner, room);
            return true;
        }
        owner = link->next;
        if (owner != map->none) continue;
        if (scan->left == UINT32_MAX) break;
        owner = map->segment[room->id - 1u].head;
        start = segment_run_start(map, room->before = map->none);
    }
    return false;
}

enum quick room_find_quickly(const struct residency *residency, struct policy_state *state, uint32_t id, uint32_t pages,
                             struct room *room)
{
    const struct segment_map *map = &residency->world.map;
    struct lookahead *lookahead = lookahead_of(state);
    const uint32_t head = map->segment[id - 1u].head, rover = lookahead->rover[id - 1u];
    if (head == map->none) return QUICK_NONE;
    const struct price_list *prices = price_kept(state, id);
    const bool is_whole = !price_has_many(residency, id);
    const bool has_rover = !is_whole && rover != map->none && map->link[rover].where == id;
    const struct scan scan = {.owner = has_rover ? rover : head,
                              .left = is_whole ? UINT32_MAX : (uint32_t)FEW_RESIDENTS,
                              .rank = prices->rank,
                              .has_one_rank = prices->has_one_rank};
    *room = (struct room){
        .id = id, .threshold = min_u32(price_level(residency, id, pages) + (uint32_t)QUICK_STEPS, STEP_COUNT - 1u)};
    bool is_found = window_find_run(residency, state, &scan, pages, room);
    if (!is_found && is_whole && room->threshold != STEP_COUNT - 1u) {
        room->threshold = STEP_COUNT - 1u;
        is_found = window_find_run(residency, state, &scan, pages, room);
    }
    if (!is_found) return is_whole && scan.has_one_rank ? QUICK_NONE : QUICK_UNKNOWN;
    uint32_t cost = 0;
    for (uint32_t i = segment_owner_after(map, id, room->before); i != room->after; i = map->link[i].next)
        cost += map->link[i].count * price_of_step[lookahead->price[i]];
    room->cost = (uint64_t)prices->rank << 32 | cost;
    lookahead->rover[id - 1u] = (uint16_t)room->after;
    return QUICK_FOUND;
}

/* ------------------------------------------------------------------ clearing it */

/* What is in use no longer than the plan has to wait anyway costs no more time. */
static void evict_owner(const struct residency *residency, struct policy_state *state, struct planning *planning,
                        uint32_t owner)
{
    struct lookahead *lookahead = lookahead_of(state);
    const uint32_t fence = residency->world.table.entry[owner].last_fence;
    if (residency->outlook.bottleneck == BOTTLENECK_BUS && !fence_reached(lookahead->awaited_fence, fence)) {
        lookahead->awaited_fence = fence;
        lookahead->has_to_wait = true;
    }
    price_take_out(residency, state, owner);
    residency_plan_own_eviction(planning, owner);
}

static void move(const struct residency *residency, struct policy_state *state, struct planning *planning,
                 uint32_t owner, struct segment_place *place)
{
    price_take_out(residency, state, owner);
    residency_plan_move(planning, owner, place);
    if (residency->plan.mark[owner] == 0u) lookahead_of(state)->price[owner] |= (uint8_t)PRICE_MOVED;
}

/* Nothing slides: those in the allocation's place are evicted. */
static void clear_by_eviction(const struct residency *residency, struct policy_state *state, struct planning *planning,
                              const struct room *room, const struct segment_request *request,
                              struct segment_place *place)
{
    const struct segment_map *map = &residency->world.map;
    bool fits = segment_fits_between(map, room->id, request, room->before, room->after, &place->first);
    ASSERT(fits);
    place->before = room->before;
    for (uint32_t owner = segment_owner_after(map, room->id, room->before), next; owner != room->after; owner = next) {
        next = map->link[owner].next;
        yield_if_late();
        if (segment_is_in(map, owner, place->first, request->pages)) evict_owner(residency, state, planning, owner);
        else if (map->link[owner].first < place->first) place->before = owner;
    }
}

/* Those that stay slide down, in address order; the allocation goes above them. */
static bool clear_by_sliding(const struct residency *residency, struct policy_state *state, struct planning *planning,
                             const struct room *room, const struct segment_request *request, struct made_room *made)
{
    struct segment_place *place = &made->place;
    const struct segment_map *map = &residency->world.map;
    const struct allocation_details *details = residency->world.table.details;
    uint32_t high = segment_run_end(map, room->id, room->after), at = segment_run_start(map, room->before);
    uint32_t low = segment_owner_after(map, room->id, room->before), step, gap = 0;
    for (uint32_t owner = low; owner != room->after; owner = map->link[owner].next)
        if (outcome_of(residency, owner, room, &step) == OUTCOME_SLIDES)
            at = align_up(at, 1u << details[owner].alignment_pages_log2) + map->link[owner].count;
    at = align_up(at, request->alignment_pages);
    if (at > high || request->pages > high - at) return false;

    for (uint32_t owner = low, next; owner != room->after; owner = next) {
        next = map->link[owner].next;
        yield_if_late();
        if (outcome_of(residency, owner, room, &step) == OUTCOME_LEAVES) evict_owner(residency, state, planning, owner);
    }
    *place = (struct segment_place){segment_run_start(map, room->before), room->before};
    low = segment_owner_after(map, room->id, room->before);
    for (uint32_t owner = low; owner != room->after; owner = map->link[owner].next) {
        const uint32_t end = place->first;
        yield_if_late();
        place->first = align_up(end, 1u << details[owner].alignment_pages_log2);
        gap = max_u32(gap, place->first - end);
        if (place->first != map->link[owner].first) move(residency, state, planning, owner, place);
        place->first += map->link[owner].count;
        place->before = owner;
    }
    place->first = align_up(place->first, request->alignment_pages);
    made->hole_limit = max_u32(made->hole_limit, gap);
    return true;
}

bool room_clear(const struct residency *residency, struct policy_state *state, struct planning *planning,
                const struct room *room, const struct segment_request *request, struct made_room *made)
{
    made->id = room->id;
    made->hole_limit = residency->world.map.segment[room->id - 1u].hole_limit;
    if (room->is_slid) return clear_by_sliding(residency, state, planning, room, request, made);
    clear_by_eviction(residency, state, planning, room, request, &made->place);
    return true;
}
