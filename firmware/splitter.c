/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting portions. The order of decisions is that of the documents; where they are silent:
 *   - a failing group is tried once more with its largest allocations first, since fit is a matter of
 *     placement, not of bytes;
 *   - only the first group of a portion, the smallest thing that can run, may move members of its own that are
 *     resident already: placed anew in the order in which they will leave, the last one first, so that what stays
 *     bound at the next splits lies together; then largest first; then with soft-pinned allocations pushed out. If
 *     nothing helps and the group is small, every placement is tried (pack.h); then the job fails and nothing else
 *     does;
 *   - an allocation used earlier in the portion stays, even if its slot has been given to another since:
 *     commands before that point still use it.
 */
#include "splitter.h"

#include "lookahead.h"
#include "newcomer.h"
#include "pack.h"

enum { WORD_BYTES = 4 };

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
        else residency->mark[allocation] &= (uint8_t)~(uint32_t)MARK_GROUP;
    }
}

/* The group is part of the portion now. */
static void settle(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL)
            residency->mark[job->patches[i].allocation] &= (uint8_t)~(uint32_t)(MARK_FRESH | MARK_GROUP);
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

/* ------------------------------------------------------------------ fitting one group */

static bool fit_in_order(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                         bool is_pressing)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL &&
            !newcomer_require(residency, job->patches[i].allocation, is_pressing))
            return false;
    return true;
}

/* Largest first, or by time: what stays bound longest first, of equals the largest. By passes over these ranks; what
 * is resident already costs nothing to require. */
static bool fit_by_rank(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                        bool is_pressing, bool is_by_time)
{
    uint16_t soon[SLOT_LIMIT] = {0}; /* rows that are programmed again, the higher the sooner */
    if (is_by_time)
        for (uint32_t i = job->patch_count; i-- > end;) soon[job->patches[i].slot] = (uint16_t)(job->patch_count - i);
    for (uint32_t limit = UINT32_MAX, highest; limit != 0u; limit = highest) {
        highest = 0;
        for (uint32_t pass = 0; pass < 2u; pass++) /* which is it; all of that rank */
            for (uint32_t i = first; i < end; i++) {
                const struct patch *patch = &job->patches[i];
                if (patch->allocation == PATCH_NULL) continue;
                uint32_t rank = (UINT16_MAX - (uint32_t)soon[patch->slot]) << 16 |
                                residency->table.entry[patch->allocation].pages;
                if (pass == 0u && rank < limit) highest = max_u32(highest, rank);
                if (pass != 0u && rank == highest && !newcomer_require(residency, patch->allocation, is_pressing))
                    return false;
            }
    }
    return true;
}

/* Take out everything that may go, and what only this group uses, so that it can be placed anew between
 * what must stay, without gaps left by anything else. */
static void clear_for_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                            bool is_pressing)
{
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency_is_evictable(residency, i) && (is_pressing || !allocation_is_soft_pinned(&residency->table, i)))
            residency_plan_eviction(residency, i);
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        if (allocation == PATCH_NULL || residency->map.link[allocation].where == 0u) continue;
        bool is_pinned = (residency->table.entry[allocation].flags & ALLOCATION_PINNED) != 0u;
        if ((residency->mark[allocation] & MARK_FRESH) != 0u && !is_pinned)
            residency_plan_eviction(residency, allocation);
    }
}

/* Small enough, it is placed if there is any way to: everything that may leave, leaves, and all orders are tried. */
static bool fit_exactly(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    uint16_t members[PACK_MEMBERS];
    uint32_t count = residency->journal_count, member_count = 0;
    bool is_possible = true;
    clear_for_group(job, first, end, residency, true);
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation, k = 0;
        if (allocation == PATCH_NULL) continue;
        if (residency->map.link[allocation].where != 0u) { /* kept in place; is it where this use is allowed? */
            is_possible = is_possible && newcomer_require(residency, allocation, true);
            continue;
        }
        while (k < member_count && members[k] != allocation) k++;
        if (k < member_count) continue;
        is_possible = is_possible && member_count < (uint32_t)PACK_MEMBERS;
        if (!is_possible) break;
        members[member_count++] = (uint16_t)allocation;
    }
    if (is_possible && pack_group(residency, members, member_count)) {
        residency_trim(residency, count);
        return true;
    }
    residency_rollback(residency, count);
    return false;
}

/* Place the group's members anew, in one order or the other, when everything that may go has gone. */
static bool fit_anew(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                     bool is_pressing, bool is_by_time)
{
    uint32_t count = residency->journal_count;
    clear_for_group(job, first, end, residency, is_pressing);
    bool fits = fit_by_rank(job, first, end, residency, is_pressing, is_by_time);
    if (fits) residency_trim(residency, count);
    else residency_rollback(residency, count);
    return fits;
}

/* How hard a group is tried. */
struct effort {
    bool may_clear;   /* evict all that can be and move its own members, at the price of paging them again */
    bool is_pressing; /* push out soft-pinned allocations */
    bool is_exact;    /* all that, and every order, if the group is small enough */
    bool is_packed;   /* nothing but to place it anew, by time */
};

/* Make the group resident beside what is marked; false leaves the journal as it was. */
static bool fit_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency,
                      const struct effort *effort)
{
    uint32_t count = residency->journal_count;
    if (effort->is_exact) return fit_exactly(job, first, end, residency);
    if (effort->is_packed) return fit_anew(job, first, end, residency, false, true);
    if (fit_in_order(job, first, end, residency, effort->is_pressing)) return true;
    residency_rollback(residency, count);
    if (fit_by_rank(job, first, end, residency, effort->is_pressing, false)) return true;
    residency_rollback(residency, count);
    return effort->may_clear && (fit_anew(job, first, end, residency, effort->is_pressing, true) ||
                                 fit_anew(job, first, end, residency, effort->is_pressing, false));
}

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

/* Try a group, the minimum of a portion as hard as can be. */
static bool try_group(const struct splitter *splitter, const struct job *job, uint32_t first, uint32_t end,
                      struct residency *residency, bool is_minimum, bool is_packed)
{
    static const struct effort efforts[] = {{.is_packed = true},
                                            {.may_clear = false},
                                            {.may_clear = true},
                                            {.may_clear = true, .is_pressing = true},
                                            {.may_clear = true, .is_pressing = true, .is_exact = true}};
    uint32_t limit = is_minimum ? 5u : 2u;
    uint32_t count = residency->journal_count;
    const struct room_loss before = residency->lost;
    mark_group(job, first, end, residency);
    residency->short_pages = 0;
    residency->ahead = job->patches;
    residency->ahead_first = end;
    residency->ahead_end = job->patch_count;
    for (uint32_t i = is_packed ? 0u : 1u; i < limit; i++) {
        if (!fit_group(job, first, end, residency, &efforts[i])) continue;
        const struct room_loss lost = {residency->lost.pages - before.pages, residency->lost.rate - before.rate};
        const bool takes_spared = residency_takes_spared(residency, count);
        bool may_gain = residency->short_pages != 0u && lost.pages > residency->split_pages &&
                        residency->member_price < lost.rate / residency->short_pages;
        if (!is_minimum && residency->policy == (uint32_t)POLICY_LOOKAHEAD && (may_gain || takes_spared)) {
            residency_rollback(residency, count);
            if (is_split_cheaper(splitter, job, first, end, residency, &lost, takes_spared)) return false;
            if (!fit_group(job, first, end, residency, &efforts[i])) return false;
        }
        settle(job, first, end, residency);
        return true;
    }
    return false;
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

bool splitter_next(struct splitter *splitter, const struct job *job, struct residency *residency,
                   uint32_t next_fence, const struct splitter_modes *modes, struct portion *portion,
                   struct refusal *why)
{
    uint32_t first = splitter->next_entry, start = splitter->next_word;
    ASSERT(residency->journal_count == 0u && first <= job->patch_count && start <= job->dma_words);
    residency_begin(residency, next_fence);
    residency->planner = job->context;
    carry_over(splitter, job);
    if (modes->checks_leaks && start != 0u && has_leak(splitter)) return refuse(why, STATUS_LEAK, start);
    mark_carried(splitter, residency);

    uint32_t entry = first, end_word = job->dma_words;
    while (entry < job->patch_count) {
        uint32_t split = job->patches[entry].split_word, end = group_end(job, entry);
        bool is_minimum = split == start;
        if (!is_minimum && (modes->takes_every_split || is_long(job, entry, end, residency))) {
            end_word = split;
            break;
        }
        bool fits = try_group(splitter, job, entry, end, residency, is_minimum, modes->packs_first && split == 0u);
        if (!fits && is_minimum) {
            residency_rollback(residency, 0);
            return refuse(why, STATUS_NO_PLACEMENT, split);
        }
        if (!fits) {
            unmark_fresh(job, entry, end, residency); /* the group belongs to the next portion */
            end_word = split;
            break;
        }
        for (uint32_t i = entry; i < end; i++) update_slot(splitter, &job->patches[i]);
        lookahead_pass(residency, job, entry, end);
        entry = end;
    }

    bool is_last = entry == job->patch_count && end_word == job->dma_words;
    *portion = (struct portion){first, entry - first, start, end_word, is_last};
    splitter->next_entry = entry;
    splitter->next_word = end_word;
    return true;
}
