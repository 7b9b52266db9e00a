/* SPDX-License-Identifier: Apache-2.0
 *
 * Free runs are filled one after the other from their low ends. Whatever lies in a run in a legal placement can be
 * slid down to its low end in the same order, so to try every order of every subset in every run is to try everything.
 */
#include "plan/exact_fit.h"

#include "plan/commit.h"
#include "platform/turn.h"

struct run {
    uint16_t low, high, id;
};

struct member {
    uint16_t allocation, pages, alignment, set;
    uint16_t run, first; /* where it goes */
};

/* Where one member goes: from page `at` of a run on. */
struct level {
    uint16_t run, at;
    uint8_t rest, tried, member; /* sets: not tried in this run yet, and tried; what is placed here */
    uint32_t behind;             /* pages of the runs after this one */
};

struct search {
    struct run run[PACK_RUNS];
    struct member member[PACK_MEMBERS];
    struct level level[PACK_MEMBERS];
    uint32_t run_count, member_count, steps;
    uint32_t left_pages;                /* of the members that have no place */
    uint32_t aperture_set, mapped_room; /* pages that may still be mapped under the apertures' common limit */
};

static bool add_run(struct search *search, uint32_t id, uint32_t low, uint32_t high)
{
    if (low == high) return true;
    if (search->run_count == (uint32_t)PACK_RUNS) return false;
    search->run[search->run_count++] = (struct run){(uint16_t)low, (uint16_t)high, (uint16_t)id};
    return true;
}

static bool add_runs(struct search *search, const struct segment_map *map, uint32_t id)
{
    uint32_t low = 0;
    for (uint32_t owner = map->segment[id - 1u].head; owner != map->none; owner = map->link[owner].next) {
        yield_if_late();
        if (!add_run(search, id, low, map->link[owner].first)) return false;
        low = segment_end(map, owner);
    }
    return add_run(search, id, low, map->segment[id - 1u].pages);
}

/* A member like one that has just been tried in the same place. */
static bool is_like_another(const struct search *search, uint32_t tried, uint32_t index)
{
    const struct member *member = &search->member[index];
    for (; tried != 0u; tried &= tried - 1u) {
        const struct member *other = &search->member[lowest_bit(tried)];
        if (other->pages == member->pages && other->alignment == member->alignment && other->set == member->set)
            return true;
    }
    return false;
}

/* Give the member the next place at this level, if it may be there; otherwise nothing is changed. */
static bool try_member(struct search *search, struct level *level, uint32_t i)
{
    const struct run *here = &search->run[level->run];
    struct member *member = &search->member[i];
    const bool is_aperture = (search->aperture_set >> (here->id - 1u) & 1u) != 0u;
    const uint32_t first = align_up(max_u32(level->at, here->low), member->alignment);
    if (((uint32_t)member->set >> (here->id - 1u) & 1u) == 0u || first + member->pages > here->high) return false;
    if (is_aperture && member->pages > search->mapped_room) return false;
    if (is_like_another(search, level->tried, i)) return false;
    search->steps++;
    search->left_pages -= member->pages;
    level->tried = (uint8_t)(level->tried | 1u << i);
    level->member = (uint8_t)i;
    member->run = level->run;
    member->first = narrow_u16(first);
    if (is_aperture) search->mapped_room -= member->pages;
    return true;
}

/* The member placed at this level has no place again. */
static void take_back(struct search *search, const struct level *level)
{
    const struct member *member = &search->member[level->member];
    const bool is_aperture = (search->aperture_set >> (search->run[member->run].id - 1u) & 1u) != 0u;
    if (is_aperture) search->mapped_room += member->pages;
    search->left_pages += member->pages;
}

/* Those that have no place would not fit into what is left of this run and those after it if they were cut in pages.
 */
static bool is_hopeless(const struct search *search, const struct level *level)
{
    const struct run *here = &search->run[level->run];
    const uint32_t at = max_u32(level->at, here->low);
    return search->left_pages > level->behind + (here->high > at ? here->high - at : 0u);
}

static struct level first_level(const struct search *search, uint32_t members)
{
    struct level level = {.rest = (uint8_t)members};
    for (uint32_t i = 1; i < search->run_count; i++) level.behind += (uint32_t)search->run[i].high - search->run[i].low;
    return level;
}

/* Place all members: each level places one, after the one before or in a later run. */
static bool place_all(struct search *search, uint32_t members)
{
    uint32_t left = members, depth = 0;
    if (members == 0u || search->run_count == 0u) return members == 0u;
    search->level[0] = first_level(search, members);
    while (search->steps <= (uint32_t)PACK_STEPS) {
        struct level *level = &search->level[depth];
        yield_if_late();
        const bool is_over = is_hopeless(search, level);
        if (level->rest != 0u && !is_over) {
            const uint32_t i = lowest_bit(level->rest);
            level->rest = (uint8_t)(level->rest & (level->rest - 1u));
            if (!try_member(search, level, i)) continue;
            left &= ~(1u << i);
            if (left == 0u) return true;
            const uint32_t end = (uint32_t)search->member[i].first + search->member[i].pages;
            search->level[++depth] = (struct level){level->run, (uint16_t)end, (uint8_t)left, .behind = level->behind};
        } else if (level->run + 1u < search->run_count && !is_over) {
            const struct run *next = &search->run[level->run + 1u];
            const uint32_t behind = level->behind - ((uint32_t)next->high - next->low);
            *level = (struct level){(uint16_t)(level->run + 1u), 0, (uint8_t)left, .behind = behind};
        } else {
            if (depth == 0u) return false;
            take_back(search, &search->level[--depth]);
            left |= 1u << search->level[depth].member;
        }
    }
    return false;
}

bool pack_group(struct residency *residency, const uint16_t *members, uint32_t count)
{
    const struct allocation_table *table = &residency->world.table;
    struct search search = {.aperture_set = table->aperture_set};
    uint32_t segments = 0, mapped = residency_mapped_pages(&residency->world);
    if (count > (uint32_t)PACK_MEMBERS) return false;
    residency->plan.steps += count;
    if (residency->plan.fail_step != 0u && residency->plan.steps >= residency->plan.fail_step)
        return false; /* FORCE.FAIL_STEP */
    if (mapped < table->commit_limit) search.mapped_room = table->commit_limit - mapped;
    for (uint32_t i = 0; i < count; i++) {
        const struct allocation *entry = &table->entry[members[i]];
        uint32_t set = allocation_segments(table, members[i], (residency->plan.mark[members[i]] & MARK_WRITE) != 0u);
        ASSERT(residency->world.map.link[members[i]].where == 0u);
        search.member[i] =
            (struct member){.allocation = members[i],
                            .pages = entry->pages,
                            .alignment = narrow_u16(1u << table->details[members[i]].alignment_pages_log2),
                            .set = narrow_u16(set)};
        segments |= set;
        search.left_pages += entry->pages;
    }
    for (uint32_t left = segments; left != 0u; left &= left - 1u)
        if (!add_runs(&search, &residency->world.map, lowest_bit(left) + 1u)) return false;
    if (!place_all(&search, (1u << count) - 1u)) return false;
    for (uint32_t i = 0; i < count; i++)
        residency_plan_placement(residency, search.member[i].allocation, search.run[search.member[i].run].id,
                                 search.member[i].first);
    return true;
}
