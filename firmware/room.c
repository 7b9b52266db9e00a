/* SPDX-License-Identifier: Apache-2.0
 *
 * The window search. Both ends of the window move up only, so each resident is taken in once and left out once. A
 * resident that alone costs as much as the best window found ends the window: no better one contains it.
 */
#include "room.h"

/* A price is what each page of a resident costs, in steps of about a fifth: whole octaves of pages per time, and the
 * two bits behind the leading one. Time counts in patch locations (residency.h). */
enum {
    STEPS_PER_OCTAVE = 4,
    STEP_COUNT = 72,
    STEP_ONE = 68,      /* one page per patch location: needed again at once */
    STEP_UNKNOWN = 20,  /* a page of unknown future, to be written back: one in 4096 patch locations */
    STEP_MOVE = 44,     /* moving a page inside its segment costs like losing one that is needed again in 64 */
    STEPS_MORE = 8,     /* tried next when no window is found */
    STEPS_BEYOND = 2    /* residents a little dearer than necessary may leave too, so that there is a choice */
};

/* A step's price per page; a page needed again at once costs 65536. */
static uint32_t price_of_step(uint32_t step)
{
    if (step < 2u * STEPS_PER_OCTAVE) return step;
    return (step % STEPS_PER_OCTAVE + STEPS_PER_OCTAVE) << (step / STEPS_PER_OCTAVE - 1u);
}

/* How many steps a span takes off: 0 for 1, four more for twice as long. */
static uint32_t steps_of_span(uint32_t span)
{
    static const uint8_t steps[32] = {0,  0,  4,  6,  8,  9,  10, 11, 12, 12, 13, 13, 14, 14, 15, 15,
                                      16, 16, 16, 17, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 19, 19};
    uint32_t octaves = 0;
    while (span >= 32u) {
        span >>= 2;
        octaves += 2u * STEPS_PER_OCTAVE;
    }
    return octaves + steps[span];
}

/* ------------------------------------------------------------------ what a resident costs */

/* What counts as its priority: offered content goes before everything else. */
static uint32_t rank_priority(const struct allocation *entry)
{
    return entry->offer != 0u ? entry->offer : entry->priority;
}

/* Content that has to be written back; what the portion at hand writes counts already. */
static bool is_dirty(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    bool is_newer = (entry->flags & ALLOCATION_DIRTY) != 0u || (residency->mark[allocation] & MARK_WRITE) != 0u;
    return is_newer && entry->offer == 0u;
}

static uint32_t age_of(const struct residency *residency, uint32_t allocation)
{
    return residency->next_fence - residency->table.entry[allocation].last_fence;
}

/* Known future: a page in, and one out if dirty, in the time until then. Unknown: the page out, in a time far beyond
 * the horizon; clean pages go first, least recently used first. */
static uint32_t step_of(const struct residency *residency, uint32_t allocation)
{
    uint32_t next = residency->next_use[allocation], now = residency->now;
    bool dirty = is_dirty(residency, allocation);
    if (next == NEXT_USE_UNKNOWN) {
        if (dirty) return STEP_UNKNOWN;
        uint32_t age = steps_of_span(age_of(residency, allocation)) / 2u;
        return age < STEP_UNKNOWN / 2 ? STEP_UNKNOWN / 2 - age : 0u;
    }
    uint32_t step = STEP_ONE + (dirty ? (uint32_t)STEPS_PER_OCTAVE : 0u);
    uint32_t off = steps_of_span(next > now ? next - now : 1u);
    return min_u32(step - min_u32(off, step), STEP_COUNT - 1u);
}

struct room_loss room_loss_of(const struct residency *residency, uint32_t allocation)
{
    uint32_t pages = residency->table.entry[allocation].pages, copies = 0;
    /* What is in an aperture is copied nowhere. */
    bool is_memory = !allocation_is_aperture(&residency->table, residency->map.where[allocation]);
    if (is_memory && is_dirty(residency, allocation)) copies++;
    if (is_memory && residency->next_use[allocation] != NEXT_USE_UNKNOWN) copies++;
    return (struct room_loss){pages * copies, pages * price_of_step(step_of(residency, allocation))};
}

/* ------------------------------------------------------------------ what may become of a resident */

/* residency->verdict: its step, and whether it may slide; VERDICT_FIXED: neither leaves nor slides. Marks have their
 * say later. */
enum { VERDICT_STEP = 0x7f, VERDICT_SLIDES = 0x80, VERDICT_FIXED = 0x7f };

/* The verdicts are made once for many searches, and again when so much time has passed that prices have changed. */
enum { VERDICT_LIFE = 16 };

void room_judge(struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    uint32_t verdict = step_of(residency, allocation), id = residency->map.where[allocation];
    bool is_soft = !residency->is_pressing && allocation_is_soft_pinned(&residency->table, allocation);
    if (!residency_is_planned(residency, allocation)) {
        if (is_soft) verdict = VERDICT_STEP;
        if (!allocation_is_aperture(&residency->table, id)) verdict |= VERDICT_SLIDES;
    } else if (entry->segment == id || is_soft) {
        verdict = VERDICT_FIXED; /* it has been moved, or may not leave */
    }
    if ((entry->flags & ALLOCATION_PINNED) != 0u) verdict = VERDICT_FIXED;
    residency->verdict[allocation] = (uint8_t)verdict;
}

static void judge_all(struct residency *residency, bool is_pressing)
{
    bool is_stale = residency->now - residency->judged_at >= (uint32_t)VERDICT_LIFE;
    if (residency->is_judged && !is_stale && residency->is_pressing == is_pressing) return;
    residency->is_judged = true;
    residency->is_pressing = is_pressing;
    residency->judged_at = residency->now;
    residency->has_one_priority = true;
    uint32_t priority = 0;
    for (uint32_t id = 1; id <= SEGMENT_LIMIT; id++) {
        uint32_t owner = residency->map.segment[id - 1u].head;
        for (; owner != SEGMENT_NO_OWNER; owner = residency->map.next[owner]) {
            uint32_t one = rank_priority(&residency->table.entry[owner]);
            if (priority == 0u) priority = one;
            if (one != priority) residency->has_one_priority = false;
            room_judge(residency, owner);
        }
    }
}

/* What the search does with a resident. */
enum fate { FATE_STAYS, FATE_LEAVES, FATE_SLIDES };

static inline enum fate fate_of(const struct residency *residency, uint32_t owner, const struct room_rules *rules,
                                uint32_t threshold)
{
    uint32_t verdict = residency->verdict[owner], mark = residency->mark[owner], step = verdict & VERDICT_STEP;
    bool may_slide = rules->may_slide && (verdict & VERDICT_SLIDES) != 0u && (mark & MARK_KEPT) == 0u;
    bool may_leave = step != (uint32_t)VERDICT_STEP && (mark & rules->keeps) == 0u;
    if (may_leave && (!may_slide || step <= threshold)) return FATE_LEAVES;
    return may_slide ? FATE_SLIDES : FATE_STAYS;
}

/* ------------------------------------------------------------------ places */

static uint32_t start_of(const struct segment_map *map, uint32_t before)
{
    return before == SEGMENT_NO_OWNER ? 0u : (uint32_t)map->first[before] + map->count[before];
}

static uint32_t end_of(const struct segment_map *map, uint32_t id, uint32_t after)
{
    return after == SEGMENT_NO_OWNER ? map->segment[id - 1u].pages : map->first[after];
}

static uint32_t owner_after(const struct segment_map *map, uint32_t id, uint32_t before)
{
    return before == SEGMENT_NO_OWNER ? map->segment[id - 1u].head : map->next[before];
}

/* ------------------------------------------------------------------ the literal search */

static uint64_t rank_of(const struct residency *residency, uint32_t allocation)
{
    uint32_t priority = rank_priority(&residency->table.entry[allocation]);
    return (uint64_t)priority << 32 | (0x80000000u - age_of(residency, allocation));
}

static bool may_leave(const struct residency *residency, uint32_t allocation, const struct room_rules *rules)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    if ((residency->mark[allocation] & rules->keeps) != 0u || (entry->flags & ALLOCATION_PINNED) != 0u) return false;
    return rules->is_pressing || !allocation_is_soft_pinned(&residency->table, allocation);
}

/* The highest rank from `low` to `high`. */
static uint64_t highest_rank(const struct residency *residency, uint32_t low, uint32_t high)
{
    uint64_t highest = rank_of(residency, high);
    for (uint32_t i = low; i != high; i = residency->map.next[i])
        if (rank_of(residency, i) > highest) highest = rank_of(residency, i);
    return highest;
}

static bool find_oldest(struct residency *residency, uint32_t id, const struct segment_request *request,
                        const struct room_rules *rules, struct room *room)
{
    const struct segment_map *map = &residency->map;
    uint32_t before = SEGMENT_NO_OWNER, first;
    *room = (struct room){.id = id, .cost = UINT64_MAX};
    for (uint32_t owner = map->segment[id - 1u].head; owner != SEGMENT_NO_OWNER; owner = map->next[owner]) {
        residency->candidates++;
        if (!may_leave(residency, owner, rules) || rank_of(residency, owner) >= room->cost) {
            before = owner;
            continue;
        }
        for (;;) {
            uint32_t low = owner_after(map, id, before);
            if (!segment_fits_between(map, id, request, before, map->next[owner], &first)) break;
            uint64_t cost = highest_rank(residency, low, owner);
            if (cost < room->cost) *room = (struct room){id, before, map->next[owner], 0, false, cost};
            before = low;
            if (low == owner) break;
        }
    }
    return room->cost != UINT64_MAX;
}

/* ------------------------------------------------------------------ the look-ahead search */

/* The step up to which enough leave, were there no addresses; STEP_COUNT if never. */
static uint32_t find_threshold(const struct residency *residency, uint32_t id, uint32_t pages,
                               const struct room_rules *rules)
{
    const struct segment_map *map = &residency->map;
    uint16_t leaving[VERDICT_STEP + 1];
    uint32_t free = (uint32_t)map->segment[id - 1u].pages - map->segment[id - 1u].used_pages, step;
    for (step = 0; step < STEP_COUNT; step++) leaving[step] = 0;
    for (uint32_t owner = map->segment[id - 1u].head; owner != SEGMENT_NO_OWNER; owner = map->next[owner])
        if ((residency->mark[owner] & rules->keeps) == 0u) {
            step = residency->verdict[owner] & VERDICT_STEP;
            leaving[step] = (uint16_t)(leaving[step] + map->count[owner]);
        }
    for (step = 0; step < STEP_COUNT && (free += leaving[step]) < pages;) step++;
    return step;
}

/* Residents from `low` up to the one being looked at, above `before`. */
struct window {
    uint32_t start, before, low;
    uint32_t slid; /* pages of those who slide */
    uint32_t cost;
};

static inline uint32_t cost_of(const struct residency *residency, uint32_t owner, enum fate fate)
{
    uint32_t step = fate == FATE_LEAVES ? residency->verdict[owner] & VERDICT_STEP : (uint32_t)STEP_MOVE;
    return residency->map.count[owner] * price_of_step(step) + 1u;
}

/* The highest priority of those who leave; 0 where all have the same. */
static uint32_t highest_priority(const struct residency *residency, const struct window *window, uint32_t after,
                                 const struct room_rules *rules, uint32_t threshold)
{
    uint32_t highest = 0;
    if (residency->has_one_priority) return 0;
    for (uint32_t i = window->low; i != after; i = residency->map.next[i])
        if (fate_of(residency, i, rules, threshold) == FATE_LEAVES)
            highest = max_u32(highest, rank_priority(&residency->table.entry[i]));
    return highest;
}

static bool find_cheapest(struct residency *residency, uint32_t id, const struct segment_request *request,
                          const struct room_rules *rules, uint32_t threshold, struct room *room)
{
    const struct segment_map *map = &residency->map;
    struct window window = {0, SEGMENT_NO_OWNER, SEGMENT_NO_OWNER, 0, 0};
    uint32_t owner = map->segment[id - 1u].head, best = UINT32_MAX, first;
    *room = (struct room){.id = id, .cost = UINT64_MAX, .threshold = threshold};
    while (owner != SEGMENT_NO_OWNER) {
        enum fate fate = fate_of(residency, owner, rules, threshold);
        uint32_t cost = cost_of(residency, owner, fate), after = map->next[owner];
        residency->candidates++;
        if (fate == FATE_STAYS || cost >= best) {
            window = (struct window){start_of(map, owner), owner, SEGMENT_NO_OWNER, 0, 0};
            owner = after;
            continue;
        }
        if (window.low == SEGMENT_NO_OWNER) window.low = owner;
        if (fate == FATE_SLIDES) window.slid += map->count[owner];
        window.cost += cost;
        uint32_t end = end_of(map, id, after);
        while (window.low != SEGMENT_NO_OWNER && end - window.start >= request->pages + window.slid) {
            if (window.slid == 0u) {
                if (!segment_fits_between(map, id, request, window.before, after, &first)) break;
            } else if (end - window.start - window.slid < request->pages + request->alignment_pages - 1u) {
                break;
            }
            uint64_t high = highest_priority(residency, &window, after, rules, threshold), value = high << 32 | window.cost;
            if (value < room->cost) {
                *room = (struct room){id, window.before, after, threshold, window.slid != 0u, value};
                if (residency->has_one_priority) best = window.cost;
            }
            enum fate gone = fate_of(residency, window.low, rules, threshold);
            window.cost -= cost_of(residency, window.low, gone);
            if (gone == FATE_SLIDES) window.slid -= map->count[window.low];
            window.before = window.low;
            window.start = start_of(map, window.low);
            window.low = window.low == owner ? (uint32_t)SEGMENT_NO_OWNER : map->next[window.low];
        }
        owner = after;
    }
    return room->cost != UINT64_MAX;
}

bool room_find(struct residency *residency, uint32_t id, const struct segment_request *request,
               const struct room_rules *rules, struct room *room)
{
    if (residency->policy == (uint32_t)POLICY_LITERAL) return find_oldest(residency, id, request, rules, room);
    judge_all(residency, rules->is_pressing);
    uint32_t threshold = find_threshold(residency, id, request->pages, rules);
    if (threshold == STEP_COUNT) return false;
    if (!rules->may_slide) return find_cheapest(residency, id, request, rules, STEP_COUNT, room);
    for (threshold = max_u32(threshold + STEPS_BEYOND, STEP_MOVE);; threshold += STEPS_MORE) {
        if (find_cheapest(residency, id, request, rules, threshold, room)) return true;
        if (threshold >= STEP_COUNT) return false;
    }
}

/* ------------------------------------------------------------------ clearing it */

/* Nobody slides: those who stand in the newcomer's place leave. */
static bool stands_in(const struct segment_map *map, uint32_t owner, uint32_t first, uint32_t pages)
{
    return (uint32_t)map->first[owner] + map->count[owner] > first && map->first[owner] < first + pages;
}

static void clear_by_eviction(struct residency *residency, const struct room *room,
                              const struct segment_request *request, struct segment_place *place)
{
    const struct segment_map *map = &residency->map;
    bool fits = segment_fits_between(map, room->id, request, room->before, room->after, &place->first);
    ASSERT(fits);
    place->before = room->before;
    for (uint32_t owner = owner_after(map, room->id, room->before), next; owner != room->after; owner = next) {
        next = map->next[owner];
        if (stands_in(map, owner, place->first, request->pages)) residency_plan_eviction(residency, owner);
        else if (map->first[owner] < place->first) place->before = owner;
    }
}

/* Those who stay slide down, in address order; the newcomer goes above them. */
static bool clear_by_sliding(struct residency *residency, const struct room *room,
                             const struct segment_request *request, const struct room_rules *rules,
                             struct segment_place *place)
{
    const struct segment_map *map = &residency->map;
    const struct allocation *entries = residency->table.entry;
    uint32_t high = end_of(map, room->id, room->after), at = start_of(map, room->before);
    uint32_t low = owner_after(map, room->id, room->before);
    for (uint32_t owner = low; owner != room->after; owner = map->next[owner])
        if (fate_of(residency, owner, rules, room->threshold) == FATE_SLIDES)
            at = align_up(at, 1u << entries[owner].alignment_pages_log2) + map->count[owner];
    at = align_up(at, request->alignment_pages);
    if (at > high || request->pages > high - at) return false;

    for (uint32_t owner = low, next; owner != room->after; owner = next) {
        next = map->next[owner];
        if (fate_of(residency, owner, rules, room->threshold) == FATE_LEAVES) residency_plan_eviction(residency, owner);
    }
    *place = (struct segment_place){start_of(map, room->before), room->before};
    for (uint32_t owner = owner_after(map, room->id, room->before); owner != room->after; owner = map->next[owner]) {
        place->first = align_up(place->first, 1u << entries[owner].alignment_pages_log2);
        if (place->first != map->first[owner]) residency_plan_move(residency, owner, place);
        place->first += map->count[owner];
        place->before = owner;
    }
    place->first = align_up(place->first, request->alignment_pages);
    return true;
}

bool room_clear(struct residency *residency, const struct room *room, const struct segment_request *request,
                const struct room_rules *rules, struct segment_place *place)
{
    if (room->is_slid) return clear_by_sliding(residency, room, request, rules, place);
    clear_by_eviction(residency, room, request, place);
    return true;
}

struct room_loss room_loss(const struct residency *residency, const struct room *room,
                           const struct segment_request *request)
{
    const struct segment_map *map = &residency->map;
    struct room_loss sum = {0, 0};
    uint32_t first;
    if (!segment_fits_between(map, room->id, request, room->before, room->after, &first)) return sum;
    for (uint32_t i = owner_after(map, room->id, room->before); i != room->after; i = map->next[i]) {
        if (!stands_in(map, i, first, request->pages)) continue;
        const struct room_loss one = room_loss_of(residency, i);
        sum = (struct room_loss){sum.pages + one.pages, sum.rate + one.rate};
    }
    return sum;
}
