/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices: see eviction_cost.h.
 */
#include "policy/eviction_cost.h"

#include "platform/turn.h"

enum { STEP_ONE = 68 }; /* one page per patch location: needed again at once */

/* Linear below the second octave, then whole octaves in quarters. */
#define OCTAVE(n) 4u << (n), 5u << (n), 6u << (n), 7u << (n)
const uint32_t price_of_step[STEP_COUNT] = {
    0,          1,          2,          3,          OCTAVE(0),  OCTAVE(1),  OCTAVE(2),
    OCTAVE(3),  OCTAVE(4),  OCTAVE(5),  OCTAVE(6),  OCTAVE(7),  OCTAVE(8),  OCTAVE(9),
    OCTAVE(10), OCTAVE(11), OCTAVE(12), OCTAVE(13), OCTAVE(14), OCTAVE(15), OCTAVE(16),
};

/* How many steps a span takes off: 0 for 1, four more for twice as long. */
static inline uint32_t steps_of_span(uint32_t span)
{
    static const uint8_t steps[32] = {0,  0,  4,  6,  8,  9,  10, 11, 12, 12, 13, 13, 14, 14, 15, 15,
                                      16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19, 19};
    uint32_t octaves = 0;
    if (span >= 512u) {
        span >>= 4;
        octaves = 4u;
    }
    while (span >= 32u) {
        span >>= 2;
        octaves += 2u;
    }
    return octaves * STEPS_PER_OCTAVE + steps[span];
}

/* Jobs that a preemption or a reset takes back run again, so either the portions that used it are over for good, or one
 * unfinished job alone has made the content: it would find what it found before. What is planned on this holds until it
 * is built, as no new job can name it; when a job is taken back nothing is over until the queue has been looked
 * through.
 */
__attribute__((cold, noinline)) bool price_is_over(const struct residency *residency, uint32_t allocation)
{
    if (residency->plan.mark[allocation] != 0u) return false;
    return residency->outlook.future != FUTURE_STALE &&
           lookahead_in(residency)->next_use[allocation] == NEXT_USE_UNKNOWN &&
           (fence_reached(residency->uses.over_fence, residency->world.table.entry[allocation].last_fence) ||
            residency_is_own(residency, allocation));
}

/* Content that has to be written back; what the portion at hand writes counts already. Of one that is not dead. */
static inline bool is_dirty(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    bool is_newer = (entry->flags & ALLOCATION_DIRTY) != 0u || (residency->plan.mark[allocation] & MARK_DIRTIES) != 0u;
    return is_newer && entry->offer == 0u;
}

/* Nothing queued names it. Buffers often resemble each other: the next one is taken to begin where the known future
 * ends, and to need it where the last one that named it did. */
static uint32_t guess_span(const struct residency *residency, uint32_t allocation)
{
    const struct lookahead *lookahead = lookahead_in(residency);
    uint32_t place = (uint16_t)(lookahead->place_in_job[allocation] + lookahead->job_age);
    return lookahead->horizon - lookahead->now + place;
}

/* A portion that uses it has not retired yet: its place cannot be had without waiting for that portion. */
static bool is_busy(const struct residency *residency, uint32_t allocation)
{
    return !fence_reached(lookahead_in(residency)->awaited_fence, residency->world.table.entry[allocation].last_fence);
}

static inline uint32_t step_of(const struct residency *residency, uint32_t allocation)
{
    const struct lookahead *lookahead = lookahead_in(residency);
    uint32_t next = lookahead->next_use[allocation], now = lookahead->now, step = STEP_ONE, span;
    bool is_known = next != NEXT_USE_UNKNOWN;
    if (is_known) span = next > now ? next - now : 1u;
    else span = guess_span(residency, allocation);
    if (is_dirty(residency, allocation)) step += (uint32_t)STEPS_PER_OCTAVE; /* one out for the one in */
    else if (!is_known) step -= (uint32_t)STEPS_PER_OCTAVE;                  /* as likely as not */
    const uint32_t less = steps_of_span(span) + lookahead->fast_steps[price_segment(residency, allocation)];
    return min_u32(step - min_u32(less, step), STEP_COUNT - 1u);
}

/* What waiting for its last user adds. */
static inline uint32_t with_wait(const struct residency *residency, uint32_t allocation, uint32_t step)
{
    /* While the firmware limits the nodes have time to wait for each other; where no cycles are counted no wait costs
     * any. */
    const enum bottleneck bottleneck = residency->outlook.bottleneck;
    const bool waits_cost = residency->outlook.is_timed && bottleneck != BOTTLENECK_FIRMWARE;
    if (!waits_cost || !is_busy(residency, allocation)) return step;
    if (bottleneck != BOTTLENECK_BUS) return min_u32(step + STEPS_BUSY, STEP_COUNT - 1u);
    /* Older portions are over when the paging node comes to it; for the newest, just brought in, it would wait. */
    const bool is_newest = residency->world.table.entry[allocation].last_fence + 1u == residency->outlook.next_fence;
    return is_newest ? min_u32(step + STEPS_WAIT, STEP_COUNT - 1u) : step;
}

/* ------------------------------------------------------------------ kept prices */

_Static_assert(PRICE_PROTECTED + STEP_COUNT / 2 <= PRICE_STEP, "a protected one's price fits");

/* `has_protected`: some contexts' pages are. `has_soft`: so is what is soft-pinned. */
static uint32_t current_price(const struct residency *residency, uint32_t allocation, bool has_protected, bool has_soft)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    if ((entry->flags & (ALLOCATION_STAYS | ALLOCATION_PENDING_DESTROY)) != 0u) {
        if ((entry->flags & ALLOCATION_STAYS) != 0u) return PRICE_FIXED;
        if (price_is_over(residency, allocation)) return with_wait(residency, allocation, 0);
    }
    if (has_soft && allocation_is_soft_pinned(&residency->world.table, allocation)) return PRICE_SOFT;
    if (residency_is_guarded(&residency->plan, allocation)) return PRICE_SOFT; /* it may slide, never leave */
    const uint32_t step = with_wait(residency, allocation, step_of(residency, allocation));
    return has_protected && price_is_protected(residency, allocation) ? PRICE_PROTECTED + step / 2u : step;
}

uint32_t price_step(const struct residency *residency, uint32_t allocation)
{
    return current_price(residency, allocation, false, false);
}

/* It may leave: its pages count, and its priority. */
static inline void count_in(const struct residency *residency, struct price_list *list, uint32_t allocation,
                            uint32_t price)
{
    const uint32_t rank = allocation_rank(&residency->world.table, &residency->world.table.entry[allocation]);
    if (rank != list->rank && list->rank != UINT32_MAX) list->has_one_rank = false;
    list->rank = min_u32(list->rank, rank);
    list->leaving[price] = (uint16_t)(list->leaving[price] + residency->world.map.link[allocation].count);
    if (price < list->lowest) list->lowest = (uint8_t)price;
}

/* All residents of segment `id`. */
static void sweep(const struct residency *residency, struct policy_state *state, uint32_t id, struct price_list *list)
{
    struct lookahead *lookahead = lookahead_of(state);
    const struct segment_map *map = &residency->world.map;
    const bool has_protected = share_has_protected(&residency->world.shares);
    uint32_t residents = 0;
    for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next, residents++) {
        yield_if_late();
        uint32_t price = current_price(residency, i, has_protected, true);
        const bool is_unmarked = residency->plan.mark[i] == 0u;
        if (is_unmarked && residency_is_planned(&residency->plan, i)) price |= (uint32_t)PRICE_MOVED;
        lookahead->price[i] = (uint8_t)price;
        if (is_unmarked && price < (uint32_t)STEP_COUNT) count_in(residency, list, i, price);
    }
    list->residents = narrow_u16(residents);
    state->candidates += residents;
}

void price_forget(struct policy_state *state)
{
    struct lookahead *lookahead = lookahead_of(state);
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) lookahead->prices[i].is_kept = false;
}

void price_begin(const struct residency *residency, struct policy_state *state)
{
    const struct outlook *outlook = &residency->outlook;
    if (outlook->bottleneck != BOTTLENECK_FIRMWARE || outlook->news != 0u) price_forget(state);
}

/* An unmarked one of a kept list, or one that is about to be unmarked, counts from here on. */
__attribute__((always_inline)) static inline void flush_one(const struct residency *residency,
                                                            struct policy_state *state, struct price_list *list,
                                                            uint32_t allocation, bool has_protected)
{
    uint8_t *price = &lookahead_of(state)->price[allocation];
    *price &= (uint8_t)PRICE_STEP; /* not moved any more */
    if (*price == (uint32_t)PRICE_STALE) *price = (uint8_t)current_price(residency, allocation, has_protected, true);
    if (*price < (uint32_t)STEP_COUNT) count_in(residency, list, allocation, *price);
}

void price_flush(const struct residency *residency, struct policy_state *state)
{
    struct lookahead *lookahead = lookahead_of(state);
    const struct segment_map *map = &residency->world.map;
    const bool has_protected = share_has_protected(&residency->world.shares);
    uint32_t steps = 0;
    for (uint32_t id = 1; id <= (uint32_t)SEGMENT_LIMIT; id++) {
        struct price_list *list = &lookahead->prices[id - 1u];
        if (!list->is_kept) continue;
        for (uint32_t i = map->segment[id - 1u].head; i != map->none; i = map->link[i].next) {
            yield_in_loop(++steps);
            if (residency->plan.mark[i] == 0u && (lookahead->price[i] & PRICE_MOVED) == 0u) continue;
            flush_one(residency, state, list, i, has_protected);
            yield_if_late();
        }
    }
}

void price_keep(const struct residency *residency, struct policy_state *state, uint32_t id)
{
    struct lookahead *lookahead = lookahead_of(state);
    struct price_list *list = &lookahead->prices[id - 1u];
    if (lookahead->has_to_wait) price_forget(state);
    lookahead->has_to_wait = false;
    if (list->is_kept) return;
    *list = (struct price_list){.has_one_rank = true, .rank = UINT32_MAX};
    sweep(residency, state, id, list);
    list->is_kept = true;
}

const struct price_list *price_kept(struct policy_state *state, uint32_t id)
{
    struct price_list *list = &lookahead_of(state)->prices[id - 1u];
    ASSERT(list->is_kept && !lookahead_of(state)->has_to_wait);
    while (list->lowest < STEP_COUNT && list->leaving[list->lowest] == 0u) list->lowest++;
    return list;
}

uint32_t price_level(const struct residency *residency, uint32_t id, uint32_t pages)
{
    const struct price_list *list = &lookahead_in(residency)->prices[id - 1u];
    uint32_t step = list->lowest, leaving = 0;
    while (step < (uint32_t)STEP_COUNT && (leaving += list->leaving[step]) < pages) step++;
    return step;
}

uint32_t price_threshold(const struct residency *residency, uint32_t id, uint32_t pages)
{
    const struct segment *segment = &residency->world.map.segment[id - 1u];
    const uint32_t free = (uint32_t)segment->pages - segment->used_pages;
    return free >= pages ? 0u : price_level(residency, id, pages - free);
}

void price_take_out(const struct residency *residency, struct policy_state *state, uint32_t allocation)
{
    struct lookahead *lookahead = lookahead_of(state);
    const uint32_t id = residency->world.map.link[allocation].where, step = lookahead->price[allocation];
    if (id == 0u || !lookahead->prices[id - 1u].is_kept) return;
    if (residency->plan.mark[allocation] != 0u || step >= (uint32_t)STEP_COUNT) return;
    uint16_t *leaving = &lookahead->prices[id - 1u].leaving[step];
    const uint32_t pages = residency->world.map.link[allocation].count;
    ASSERT(*leaving >= pages);
    *leaving = (uint16_t)(*leaving - pages);
}

void price_take_in(const struct residency *residency, struct policy_state *state, uint32_t allocation)
{
    struct lookahead *lookahead = lookahead_of(state);
    const uint32_t id = residency->world.map.link[allocation].where;
    lookahead->price[allocation] &= (uint8_t)PRICE_STEP;
    if (id == 0u) return;
    struct price_list *list = &lookahead->prices[id - 1u];
    if (list->is_kept) flush_one(residency, state, list, allocation, share_has_protected(&residency->world.shares));
}
