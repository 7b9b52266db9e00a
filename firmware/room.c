/* SPDX-License-Identifier: Apache-2.0
 *
 * The look-ahead policy's window search (the literal one's is leaving.c). Both ends of the window move up only, so
 * each resident is taken in once and left out once. A resident that alone costs as much as the best window found ends
 * the window: no better one contains it.
 */
#include "room.h"

#include "leaving.h"
#include "price.h"

enum {
    STEPS_MORE = 8,  /* tried next when no window is found */
    STEPS_BEYOND = 2 /* residents a little dearer than necessary may leave too, so that there is a choice */
};

struct room_loss room_loss_of(const struct residency *residency, uint32_t allocation)
{
    uint32_t pages = residency->table.entry[allocation].pages, copies = 0;
    /* What is in an aperture is copied nowhere. */
    bool is_memory = !allocation_is_aperture(&residency->table, residency->map.link[allocation].where);
    if (is_memory && price_is_dirty(residency, allocation)) copies++;
    if (is_memory && residency->next_use[allocation] != NEXT_USE_UNKNOWN) copies++;
    return (struct room_loss){pages * copies, pages * price_of_step(price_step(residency, allocation))};
}

/* ------------------------------------------------------------------ what may become of a resident */

/* residency->verdict: its step, and whether it may slide; VERDICT_FIXED: neither leaves nor slides. Valid inside one
 * search, of those that it has visited. */
/* Residents looked at first: the more, the more there is to copy. */
enum { SAMPLE_FEW = 6, SAMPLE_COUNT = 48 };
enum { VERDICT_STEP = 0x7f, VERDICT_SLIDES = 0x80, VERDICT_FIXED = 0x7f };

static uint32_t judge(const struct residency *residency, uint32_t allocation, const struct room_rules *rules)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    uint32_t mark = residency->mark[allocation], verdict = VERDICT_FIXED;
    bool is_planned = entry->first_page != residency->map.first[allocation] ||
                      entry->segment != residency->map.link[allocation].where; /* residency_is_planned */
    if ((entry->flags & ALLOCATION_PINNED) != 0u) return VERDICT_FIXED;
    if ((mark & rules->keeps) == 0u && !(is_planned && mark == 0u)) {
        bool is_soft = entry->priority >> 31 != 0u && allocation_is_soft_pinned(&residency->table, allocation);
        if (!is_soft || rules->is_pressing) verdict = price_step(residency, allocation);
    }
    if (rules->may_slide && !is_planned && (mark & MARK_KEPT) == 0u) verdict |= VERDICT_SLIDES;
    return verdict;
}

/* What the search does with a resident. */
enum fate { FATE_STAYS, FATE_LEAVES, FATE_SLIDES };

static inline enum fate fate_of(const struct residency *residency, uint32_t owner, uint32_t threshold)
{
    uint32_t verdict = residency->verdict[owner], step = verdict & VERDICT_STEP;
    if (verdict == (uint32_t)VERDICT_FIXED) return FATE_STAYS;
    return step <= threshold || (verdict & VERDICT_SLIDES) == 0u ? FATE_LEAVES : FATE_SLIDES;
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
    return before == SEGMENT_NO_OWNER ? map->segment[id - 1u].head : map->link[before].next;
}

/* ------------------------------------------------------------------ the look-ahead search */

/* A run of residents, in address order, that a search looks at: from `first` up to `after`. */
struct sample {
    uint32_t id, first, after, count;
    bool has_one_priority;
    uint32_t member_step; /* of the cheapest that only marks keep, as a split might not */
};

/* Judge the residents from `first` on, at most `limit`. */
static struct sample take_sample(struct residency *residency, uint32_t id, uint32_t first, uint32_t limit,
                                 const struct room_rules *rules)
{
    struct sample sample = {id, first, first, 0, true, VERDICT_STEP};
    const uint32_t priority = allocation_rank(&residency->table.entry[first]);
    struct room_rules own = *rules;
    own.may_slide = rules->may_slide && !allocation_is_aperture(&residency->table, id);
    for (; sample.after != SEGMENT_NO_OWNER && sample.count < limit; sample.count++) {
        residency->verdict[sample.after] = (uint8_t)judge(residency, sample.after, &own);
        if (allocation_rank(&residency->table.entry[sample.after]) != priority) sample.has_one_priority = false;
        uint32_t mark = residency->mark[sample.after];
        if (mark != 0u && (mark & (MARK_KEPT | MARK_GROUP)) == 0u)
            sample.member_step = min_u32(sample.member_step, price_step(residency, sample.after));
        sample.after = residency->map.link[sample.after].next;
    }
    residency->candidates += sample.count;
    return sample;
}

/* The step up to which enough of the sample leave, were there no addresses; STEP_COUNT if never. */
static uint32_t find_threshold(const struct residency *residency, const struct sample *sample, uint32_t pages)
{
    const struct segment_map *map = &residency->map;
    uint16_t leaving[VERDICT_STEP + 1];
    uint32_t free = end_of(map, sample->id, sample->after) - start_of(map, map->previous[sample->first]), step;
    for (step = 0; step < STEP_COUNT; step++) leaving[step] = 0;
    for (uint32_t owner = sample->first; owner != sample->after; owner = map->link[owner].next) {
        step = residency->verdict[owner] & VERDICT_STEP;
        leaving[step] = (uint16_t)(leaving[step] + map->count[owner]);
        free -= map->count[owner];
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
                                 uint32_t threshold)
{
    uint32_t highest = 0;
    for (uint32_t i = window->low; i != after; i = residency->map.link[i].next)
        if (fate_of(residency, i, threshold) == FATE_LEAVES)
            highest = max_u32(highest, allocation_rank(&residency->table.entry[i]));
    return highest;
}

/* The cheapest window of the sample; the first that costs no more than `ideal` will do. */
static bool find_cheapest(const struct residency *residency, const struct sample *sample,
                          const struct segment_request *request, uint32_t threshold, uint32_t ideal,
                          struct room *room)
{
    const struct segment_map *map = &residency->map;
    uint32_t id = sample->id, owner = sample->first, best = UINT32_MAX, first, before = map->previous[owner];
    struct window window = {start_of(map, before), before, SEGMENT_NO_OWNER, 0, 0};
    *room = (struct room){.id = id, .cost = UINT64_MAX, .threshold = threshold};
    while (owner != sample->after && best > ideal) {
        enum fate fate = fate_of(residency, owner, threshold);
        uint32_t cost = cost_of(residency, owner, fate), after = map->link[owner].next;
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
                if (request->alignment_pages > 1u &&
                    !segment_fits_between(map, id, request, window.before, after, &first))
                    break;
            } else if (end - window.start - window.slid < request->pages + request->alignment_pages - 1u) {
                break;
            }
            uint64_t high = 0;
            if (!sample->has_one_priority) high = highest_priority(residency, &window, after, threshold);
            const uint64_t value = high << 32 | window.cost;
            if (value < room->cost) {
                *room = (struct room){id, window.before, after, threshold, window.slid != 0u, value};
                if (sample->has_one_priority) best = window.cost;
            }
            enum fate gone = fate_of(residency, window.low, threshold);
            window.cost -= cost_of(residency, window.low, gone);
            if (gone == FATE_SLIDES) window.slid -= map->count[window.low];
            window.before = window.low;
            window.start = start_of(map, window.low);
            window.low = window.low == owner ? (uint32_t)SEGMENT_NO_OWNER : map->link[window.low].next;
        }
        owner = after;
    }
    return room->cost != UINT64_MAX;
}

static bool find_in_sample(const struct residency *residency, const struct sample *sample,
                           const struct segment_request *request, const struct room_rules *rules, struct room *room)
{
    uint32_t threshold = find_threshold(residency, sample, request->pages);
    if (threshold == STEP_COUNT) return false;
    uint32_t ideal = request->pages * price_of_step(threshold) + 1u; /* what it would cost without addresses, at most */
    if (!rules->may_slide) return find_cheapest(residency, sample, request, STEP_COUNT, ideal, room);
    for (threshold = max_u32(threshold + STEPS_BEYOND, STEP_MOVE);; threshold += STEPS_MORE) {
        if (find_cheapest(residency, sample, request, threshold, ideal, room)) return true;
        if (threshold >= STEP_COUNT) return false;
    }
}

bool room_find(struct residency *residency, uint32_t id, const struct segment_request *request,
               const struct room_rules *rules, struct room *room)
{
    if (residency->policy == (uint32_t)POLICY_LITERAL) return leaving_find(residency, id, request, rules, room);
    uint32_t head = residency->map.segment[id - 1u].head, rover = residency->rover[id - 1u];
    if (head == SEGMENT_NO_OWNER) return false;
    if (rover == SEGMENT_NO_OWNER || residency->map.link[rover].where != id) rover = head;
    for (uint32_t limit = min_u32(SAMPLE_FEW + request->pages, SAMPLE_COUNT);; limit *= 4u) {
        struct sample sample = take_sample(residency, id, rover, limit, rules);
        bool is_last = sample.after == SEGMENT_NO_OWNER;
        if (is_last && rover != head) { /* too near to the end: all over again from the start */
            rover = head;
            sample = take_sample(residency, id, rover, limit, rules);
            is_last = sample.after == SEGMENT_NO_OWNER;
        }
        if (find_in_sample(residency, &sample, request, rules, room)) {
            residency->member_price = min_u32(residency->member_price, price_of_step(sample.member_step));
            residency->rover[id - 1u] = (uint16_t)(is_last ? (uint32_t)SEGMENT_NO_OWNER : room->after);
            return true;
        }
        if (is_last) return false;
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
        next = map->link[owner].next;
        if (stands_in(map, owner, place->first, request->pages)) residency_plan_eviction(residency, owner);
        else if (map->first[owner] < place->first) place->before = owner;
    }
}

/* Those who stay slide down, in address order; the newcomer goes above them. */
static bool clear_by_sliding(struct residency *residency, const struct room *room,
                             const struct segment_request *request, struct segment_place *place)
{
    const struct segment_map *map = &residency->map;
    const struct allocation *entries = residency->table.entry;
    uint32_t high = end_of(map, room->id, room->after), at = start_of(map, room->before);
    uint32_t low = owner_after(map, room->id, room->before);
    for (uint32_t owner = low; owner != room->after; owner = map->link[owner].next)
        if (fate_of(residency, owner, room->threshold) == FATE_SLIDES)
            at = align_up(at, 1u << entries[owner].alignment_pages_log2) + map->count[owner];
    at = align_up(at, request->alignment_pages);
    if (at > high || request->pages > high - at) return false;

    for (uint32_t owner = low, next; owner != room->after; owner = next) {
        next = map->link[owner].next;
        if (fate_of(residency, owner, room->threshold) == FATE_LEAVES) residency_plan_eviction(residency, owner);
    }
    *place = (struct segment_place){start_of(map, room->before), room->before};
    low = owner_after(map, room->id, room->before);
    for (uint32_t owner = low; owner != room->after; owner = map->link[owner].next) {
        place->first = align_up(place->first, 1u << entries[owner].alignment_pages_log2);
        if (place->first != map->first[owner]) residency_plan_move(residency, owner, place);
        place->first += map->count[owner];
        place->before = owner;
    }
    place->first = align_up(place->first, request->alignment_pages);
    return true;
}

bool room_clear(struct residency *residency, const struct room *room, const struct segment_request *request,
                struct segment_place *place)
{
    if (room->is_slid) return clear_by_sliding(residency, room, request, place);
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
    for (uint32_t i = owner_after(map, room->id, room->before); i != room->after; i = map->link[i].next) {
        if (!stands_in(map, i, first, request->pages)) continue;
        const struct room_loss one = room_loss_of(residency, i);
        sum = (struct room_loss){sum.pages + one.pages, sum.rate + one.rate};
    }
    return sum;
}
