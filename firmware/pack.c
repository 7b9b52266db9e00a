/* SPDX-License-Identifier: Apache-2.0
 *
 * Free runs are filled one after the other from their low ends. Whatever lies in a run in a legal placement can be
 * slid down to its low end in the same order, so to try every order of every subset in every run is to try everything.
 */
#include "pack.h"

#include "commit.h"

struct run {
    uint16_t low, high, id;
};

struct member {
    uint16_t allocation, pages, alignment, set;
    uint16_t run, first; /* where it goes */
};

struct search {
    struct run run[PACK_RUNS];
    struct member member[PACK_MEMBERS];
    uint32_t run_count, member_count, steps;
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
    for (uint32_t owner = map->segment[id - 1u].head; owner != SEGMENT_NO_OWNER; owner = map->link[owner].next) {
        if (!add_run(search, id, low, map->link[owner].first)) return false;
        low = (uint32_t)map->link[owner].first + map->link[owner].count;
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

/* Place the members in `left` from page `at` of run `run` on. */
static bool fill(struct search *search, uint32_t run, uint32_t at, uint32_t left)
{
    if (left == 0u) return true;
    for (; run < search->run_count; run++, at = 0) {
        const struct run *here = &search->run[run];
        const bool is_aperture = (search->aperture_set >> (here->id - 1u) & 1u) != 0u;
        uint32_t tried = 0;
        if (at < here->low) at = here->low;
        for (uint32_t rest = left; rest != 0u; rest &= rest - 1u) {
            uint32_t i = lowest_bit(rest);
            struct member *member = &search->member[i];
            uint32_t first = align_up(at, member->alignment);
            if (((uint32_t)member->set >> (here->id - 1u) & 1u) == 0u || first + member->pages > here->high) continue;
            if (is_aperture && member->pages > search->mapped_room) continue;
            if (is_like_another(search, tried, i)) continue;
            if (++search->steps > (uint32_t)PACK_STEPS) return false;
            tried |= 1u << i;
            member->run = (uint16_t)run;
            member->first = (uint16_t)first;
            if (is_aperture) search->mapped_room -= member->pages;
            if (fill(search, run, first + member->pages, left & ~(1u << i))) return true;
            if (is_aperture) search->mapped_room += member->pages;
        }
    }
    return false;
}

bool pack_group(struct residency *residency, const uint16_t *members, uint32_t count)
{
    const struct allocation_table *table = &residency->table;
    struct search search = {.aperture_set = table->aperture_set};
    uint32_t segments = 0, mapped = commit_mapped_pages(residency);
    if (count > (uint32_t)PACK_MEMBERS) return false;
    residency->steps += count;
    if (residency->fail_step != 0u && residency->steps >= residency->fail_step) return false; /* FORCE.FAIL_STEP */
    if (mapped < table->commit_limit) search.mapped_room = table->commit_limit - mapped;
    for (uint32_t i = 0; i < count; i++) {
        const struct allocation *entry = &table->entry[members[i]];
        uint32_t set = allocation_segments(table, members[i], (residency->mark[members[i]] & MARK_WRITE) != 0u);
        ASSERT(residency->map.link[members[i]].where == 0u);
        search.member[i] = (struct member){.allocation = members[i], .pages = entry->pages,
                                           .alignment = (uint16_t)(1u << entry->alignment_pages_log2),
                                           .set = (uint16_t)set};
        segments |= set;
    }
    for (uint32_t left = segments; left != 0u; left &= left - 1u)
        if (!add_runs(&search, &residency->map, lowest_bit(left) + 1u)) return false;
    if (!fill(&search, 0, 0, (1u << count) - 1u)) return false;
    for (uint32_t i = 0; i < count; i++)
        residency_plan_placement(residency, search.member[i].allocation, search.run[search.member[i].run].id,
                                 search.member[i].first);
    return true;
}
