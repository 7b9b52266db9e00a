/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting portions. The order of decisions is that of the documents; where they are silent:
 *   - a failing group is tried once more with its largest allocations first, since fit is a matter of
 *     placement, not of bytes;
 *   - the first group of a portion, the smallest thing that can run, may move members of its own that are
 *     resident already: placed anew in the order in which they will leave, the last one first, so that what stays
 *     bound at the next splits lies together; then largest first; then with soft-pinned allocations pushed out. If
 *     nothing helps and the group is small, every placement is tried (pack.h); then the job fails and nothing else
 *     does;
 *   - before a later group ends the portion, and splits are dear, all of the portion's members are given places anew;
 *   - an allocation used earlier in the portion stays, even if its slot has been given to another since:
 *     commands before that point still use it.
 */
#include "plan/splitter.h"

#include <string.h>

#include "plan/fitting.h"
#include "plan/lookahead.h"
#include "plan/newcomer.h"

enum { WORD_BYTES = 4 };
enum { SPLIT_PAGES_DEAR = 128 }; /* what is gained where one costs less is hardly worth the planning */

void splitter_init(struct splitter *splitter)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) splitter->slot[i] = splitter->carried[i] = SLOT_EMPTY;
    splitter->next_entry = 0;
    splitter->next_word = 0;
}

/* ------------------------------------------------------------------ groups and slots */

/* One past the last entry of the group at `first`. */
static uint32_t group_end(const struct job *job, uint32_t first)
{
    uint32_t end = first;
    while (end < job->patch_count && job->patches[end].split_word == job->patches[first].split_word) end++;
    return end;
}

static uint32_t use_marks(const struct patch *patch)
{
    uint32_t marks = MARK_READ;
    if ((patch->flags & PATCH_WRITE) != 0u) marks |= (uint32_t)MARK_WRITE;
    if (patch->is_written) marks |= (uint32_t)MARK_DIRTIES;
    return marks;
}

static void update_slot(struct splitter *splitter, const struct patch *patch)
{
    uint32_t row = patch->allocation;
    if ((patch->flags & PATCH_WRITE) != 0u) row |= (uint32_t)SLOT_WRITE;
    if (patch->is_written) row |= (uint32_t)SLOT_DIRTIES;
    splitter->slot[patch->slot] = patch->allocation == PATCH_NULL ? (uint16_t)SLOT_EMPTY : (uint16_t)row;
}

static void mark_carried(const struct splitter *splitter, struct residency *residency)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) {
        uint32_t row = splitter->carried[i];
        if (row == SLOT_EMPTY) continue;
        uint32_t marks = MARK_READ | MARK_KEPT;
        if ((row & SLOT_WRITE) != 0u) marks |= (uint32_t)MARK_WRITE;
        if ((row & SLOT_DIRTIES) != 0u) marks |= (uint32_t)MARK_DIRTIES;
        residency_mark(residency, row & SLOT_ALLOCATION, marks);
    }
}

/* Mark the group's allocations; what nothing before in this portion has marked is fresh: only this group uses
 * it. */
static void mark_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL) continue;
        uint32_t fresh = residency->mark[allocation] == 0u ? (uint32_t)MARK_FRESH : 0u;
        residency_mark(residency, allocation, fresh | MARK_GROUP | use_marks(&job->patches[i]));
    }
}

/* The group is not part of the portion. */
static void unmark_fresh(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL) continue;
        if ((residency->mark[allocation] & MARK_FRESH) != 0u) residency_unmark(residency, allocation);
        else residency->mark[allocation] &= (uint8_t) ~(uint32_t)MARK_GROUP;
    }
}

/* The group is part of the portion now. */
static void settle(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL)
            residency->mark[job->patches[i].allocation] &= (uint8_t) ~(uint32_t)(MARK_FRESH | MARK_GROUP);
}

/* The start of a portion: rows that its first group programs again are empty, the others carry over. */
static void carry_over(struct splitter *splitter, const struct job *job)
{
    uint32_t first = splitter->next_entry;
    for (uint32_t i = first; i < job->patch_count && job->patches[i].split_word == splitter->next_word; i++)
        splitter->slot[job->patches[i].slot] = SLOT_EMPTY;
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) splitter->carried[i] = splitter->slot[i];
}

static bool has_leak(const struct splitter *splitter)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++)
        if (splitter->carried[i] != SLOT_EMPTY) return true;
    return false;
}

/* ------------------------------------------------------------------ one group */

/* Mark, or unmark, what a split before the group at [first, end) would leave bound. */
static void mark_bound(const struct splitter *splitter, const struct job *job, uint32_t first, uint32_t end,
                       struct residency *residency, bool is_marked)
{
    uint64_t programmed = 0;
    for (uint32_t i = first; i < end; i++) programmed |= (uint64_t)1 << job->patches[i].slot;
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) {
        uint32_t row = splitter->slot[i];
        if (row == SLOT_EMPTY || (programmed >> i & 1u) != 0u) continue;
        uint8_t *mark = &residency->mark[row & SLOT_ALLOCATION];
        *mark = (uint8_t)(is_marked ? *mark | (uint32_t)MARK_BOUND : *mark & ~(uint32_t)MARK_BOUND);
    }
}

/* The group fits, at the price of `lost`. Would a split before it be cheaper by more than a split costs? Then
 * everything that the portion has used so far and that is not bound any more may leave instead. The two losses last
 * for different times, so the gain is what the portion's way loses in the time in which the split's way loses its
 * pages. */
static bool is_split_cheaper(const struct splitter *splitter, const struct job *job, uint32_t first, uint32_t end,
                             struct residency *residency, const struct room_loss *lost, bool takes_spared)
{
    struct room_loss instead = {0, 0};
    bool instead_takes = false;
    mark_bound(splitter, job, first, end, residency, true);
    bool is_possible = newcomer_estimate(residency, &instead, &instead_takes);
    mark_bound(splitter, job, first, end, residency, false);
    if (!is_possible) return false;
    if (takes_spared && !instead_takes) return true;
    if (lost->rate <= instead.rate) return false;
    if (instead.pages == 0u) return lost->pages > residency->split_pages;
    /* What is gained, (lost - instead) * pages / instead, is more than a split costs. */
    return (uint64_t)(lost->rate - instead.rate) * instead.pages >=
           (uint64_t)max_u32(instead.rate, 1u) * (residency->split_pages + 1u);
}

/* Every member stands where this use is allowed: the group costs nothing, and there is nothing to plan. */
static bool is_in_place(const struct job *job, uint32_t first, uint32_t end, const struct residency *residency)
{
    for (uint32_t i = first; i < end; i++) {
        const struct patch *patch = &job->patches[i];
        if (patch->allocation == PATCH_NULL) continue;
        const uint32_t where = residency->map.link[patch->allocation].where;
        const bool is_written = ((residency->mark[patch->allocation] | use_marks(patch)) & (uint32_t)MARK_WRITE) != 0u;
        if (where == 0u) return false;
        if ((allocation_segments(&residency->table, patch->allocation, is_written) >> (where - 1u) & 1u) == 0u)
            return false;
    }
    return true;
}

static void mark_in_place(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL)
            residency_mark(residency, job->patches[i].allocation, use_marks(&job->patches[i]));
}

enum group_fit { GROUP_FITS, GROUP_HAS_NO_ROOM, GROUP_COSTS_MORE /* than a split before it */ };

/* Try a group, the minimum of a portion as hard as can be. */
static enum group_fit try_group(const struct splitter *splitter, const struct job *job, uint32_t first, uint32_t end,
                                struct residency *residency, bool is_minimum, bool is_packed)
{
    const enum effort last = is_minimum ? EFFORT_EXACT : EFFORT_USUAL;
    uint32_t count = residency->journal_count;
    const struct room_loss before = residency->lost;
    if (!is_packed && is_in_place(job, first, end, residency)) {
        mark_in_place(job, first, end, residency);
        return GROUP_FITS;
    }
    mark_group(job, first, end, residency);
    residency->short_pages = 0;
    residency->ahead = job->patches;
    residency->ahead_first = end;
    residency->ahead_end = job->patch_count;
    for (enum effort effort = is_packed ? EFFORT_PACKED : EFFORT_USUAL; effort <= last; effort++) {
        if (!fitting_group(job, first, end, residency, effort)) continue;
        const struct room_loss lost = {residency->lost.pages - before.pages, residency->lost.rate - before.rate};
        const bool takes_spared = residency_takes_spared(residency, count);
        bool may_gain = residency->short_pages != 0u && lost.pages > residency->split_pages &&
                        residency->member_price < lost.rate / residency->short_pages;
        if (!is_minimum && residency->policy == (uint32_t)POLICY_LOOKAHEAD && (may_gain || takes_spared)) {
            residency_rollback(residency, count);
            if (is_split_cheaper(splitter, job, first, end, residency, &lost, takes_spared)) return GROUP_COSTS_MORE;
            if (!fitting_group(job, first, end, residency, effort)) return GROUP_HAS_NO_ROOM;
        }
        settle(job, first, end, residency);
        return GROUP_FITS;
    }
    return GROUP_HAS_NO_ROOM;
}

/* ------------------------------------------------------------------ portions */

/* The group needs paging, and with it the portion would use more than its share. A portion brings in half of what a
 * split costs before that counts. */
static bool is_long(const struct job *job, uint32_t first, uint32_t end, const struct residency *residency)
{
    uint32_t pages = 0;
    bool is_paged = false;
    if (residency->portion_limit == 0u || residency->placed_pages < residency->split_pages / 2u) return false;
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL || residency->mark[allocation] != 0u) continue;
        pages += residency->table.entry[allocation].pages;
        is_paged = is_paged || residency->map.link[allocation].where == 0u;
    }
    return is_paged && residency->portion_pages + pages > residency->portion_limit;
}

static bool refuse(struct refusal *why, enum gpu_status status, uint32_t word)
{
    *why = (struct refusal){status, word * (uint32_t)WORD_BYTES};
    return false;
}

/* A portion on its way. */
struct walk {
    uint32_t entry; /* how far it has come; a group that does not join begins here */
    uint32_t stop;  /* it comes no further */
    bool is_spoilt; /* the plan, by trying that group: the portion has to be planned once more */
};

/* Splits are so dear that a portion is laid out anew before it ends. (A second plan would count placements twice.) */
static bool is_split_dear(const struct residency *residency)
{
    return residency->policy == (uint32_t)POLICY_LOOKAHEAD && !residency->is_hurried &&
           residency->split_pages >= (uint32_t)SPLIT_PAGES_DEAR && residency->fail_step == 0u;
}

/* What the plan copies, and what it costs that others leave. */
static uint32_t plan_pages(const struct residency *residency)
{
    return residency->placed_pages + residency->lost.pages;
}

/* Of the group at hand: what has to come in whatever is done. */
static uint32_t missing_pages(const struct residency *residency)
{
    uint32_t pages = 0;
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if ((residency->mark[i] & MARK_GROUP) != 0u && residency->map.link[i].where == 0u)
            pages += residency->table.entry[i].pages;
    return pages;
}

/* Nobody leaves of a higher priority than somebody who could leave instead. */
static bool keeps_priorities(const struct residency *residency)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency_is_evictable(residency, i)) lowest = min_u32(lowest, allocation_rank(&residency->table.entry[i]));
    for (uint32_t i = 0; i < residency->journal_count; i++) {
        const uint32_t allocation = residency_action_allocation(residency, i);
        if (residency->mark[allocation] == 0u && residency->map.link[allocation].where == 0u &&
            allocation_rank(&residency->table.entry[allocation]) > lowest)
            return false;
    }
    return true;
}

/* The group at [walk->entry, end), marked and without room, joins the portion that begins at `first` if the members
 * find other places, at the price of no more pages than a split costs (those that only move are not counted), and if
 * nobody leaves for it who is to be spared or has the higher priority. */
__attribute__((cold, noinline)) static bool try_portion(const struct job *job, uint32_t first, uint32_t end,
                                                        struct residency *residency, struct walk *walk)
{
    if (!fitting_may_fit(residency)) return false;
    const bool takes_spared = residency_takes_spared(residency, 0);
    const uint32_t limit = plan_pages(residency) + missing_pages(residency) + residency->split_pages;
    walk->is_spoilt = !fitting_portion(job, first, end, residency) || plan_pages(residency) > limit ||
                      !keeps_priorities(residency) || (!takes_spared && residency_takes_spared(residency, 0));
    if (!walk->is_spoilt) settle(job, walk->entry, end, residency);
    return !walk->is_spoilt;
}

/* From the splitter's place on, group by group. False: not even the first one fits. */
static bool walk_on(struct splitter *splitter, const struct job *job, struct residency *residency,
                    const struct splitter_modes *modes, struct walk *walk)
{
    const uint32_t first = splitter->next_entry;
    walk->is_spoilt = false;
    for (uint32_t entry = first, end; entry < job->patch_count; entry = end) {
        const uint32_t split = job->patches[entry].split_word;
        const bool is_minimum = split == splitter->next_word;
        walk->entry = entry;
        end = group_end(job, entry);
        if (!is_minimum && (entry == walk->stop || modes->takes_every_split || is_long(job, entry, end, residency)))
            return true;
        const bool is_packed = modes->packs_first && split == 0u;
        const enum group_fit fit = try_group(splitter, job, entry, end, residency, is_minimum, is_packed);
        if (fit != GROUP_FITS && is_minimum) return false;
        const bool may_join = fit == GROUP_HAS_NO_ROOM && is_split_dear(residency);
        if (fit != GROUP_FITS && !(may_join && try_portion(job, first, end, residency, walk))) {
            unmark_fresh(job, entry, end, residency); /* the group belongs to the next portion */
            return true;
        }
        for (uint32_t i = entry; i < end; i++) update_slot(splitter, &job->patches[i]);
        lookahead_pass(residency, job, entry, end);
    }
    walk->entry = job->patch_count;
    return true;
}

bool splitter_next(struct splitter *splitter, const struct job *job, struct residency *residency, uint32_t next_fence,
                   const struct splitter_modes *modes, struct portion *portion, struct refusal *why)
{
    const uint32_t first = splitter->next_entry, start = splitter->next_word;
    struct walk walk = {.stop = UINT32_MAX};
    ASSERT(residency->journal_count == 0u && first <= job->patch_count && start <= job->dma_words);
    carry_over(splitter, job);
    if (modes->checks_leaks && start != 0u && has_leak(splitter)) return refuse(why, STATUS_LEAK, start);
    /* Once; or, while a plan is spoilt, again up to the group that spoilt it, which comes earlier each time. */
    for (;; walk.stop = walk.entry) {
        residency_begin(residency, next_fence);
        residency->planner = job->context;
        residency->owns_late = is_split_dear(residency);
        mark_carried(splitter, residency);
        const bool is_possible = walk_on(splitter, job, residency, modes, &walk);
        if (is_possible && !walk.is_spoilt) break;
        residency_rollback(residency, 0);
        if (!is_possible) return refuse(why, STATUS_NO_PLACEMENT, start);
        lookahead_return(residency, job, first, walk.entry);
        memcpy(splitter->slot, splitter->carried, sizeof splitter->slot);
    }
    if (residency->owns_late) residency_own_marked(residency);
    const bool is_last = walk.entry == job->patch_count;
    const uint32_t end_word = is_last ? job->dma_words : job->patches[walk.entry].split_word;
    *portion = (struct portion){first, walk.entry - first, start, end_word, is_last};
    splitter->next_entry = walk.entry;
    splitter->next_word = end_word;
    return true;
}
