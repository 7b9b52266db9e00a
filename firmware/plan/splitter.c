/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting portions. The order of decisions is that of the documents; where they are silent:
 *   - a failing group is tried once more with its largest allocations first, since fit is a matter of
 *     placement, not of bytes;
 *   - the first group of a portion, the smallest thing that can run, may move members of its own that are
 *     resident already: placed again in the order in which they will leave, the last one first, so that what stays
 *     bound at the next splits lies together; then largest first; then with soft-pinned allocations pushed out. If
 *     nothing helps and the group is small, every placement is tried (exact_fit.h); then the job fails and nothing else
 *     does;
 *   - an allocation used earlier in the portion stays, even if its slot has been given to another since:
 *     commands before that point still use it.
 */
#include "plan/splitter.h"

#include "plan/fitting.h"
#include "plan/limits.h"
#include "plan/policy.h"
#include "platform/turn.h"

enum { WORD_BYTES = 4 };

void splitter_init(struct splitter *splitter)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) splitter->slot[i] = splitter->carried[i] = SLOT_EMPTY;
    splitter->next_entry = 0;
    splitter->next_word = 0;
    splitter->inherits = false;
}

/* ------------------------------------------------------------------ groups and slots */

/* One past the last entry of the group at `first`. */
static uint32_t group_end(const struct job *job, uint32_t first)
{
    uint32_t end = first;
    while (end < job->patch_count && job->patches[end].split_word == job->patches[first].split_word)
        yield_in_loop(end++);
    return end;
}

/* `entry` is its index. */
static void update_slot(struct splitter *splitter, const struct patch *patch, uint32_t entry)
{
    splitter->slot[patch->slot] = (uint16_t)(patch->allocation == PATCH_NULL ? (uint32_t)SLOT_EMPTY : entry);
}

static void mark_carried(const struct splitter *splitter, const struct job *job, struct residency *residency)
{
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) {
        if (splitter->carried[i] == SLOT_EMPTY) continue;
        const struct patch *patch = &job->patches[splitter->carried[i]];
        residency_mark(residency, patch->allocation, residency_marks_of(patch) | (uint32_t)MARK_KEPT);
    }
}

/* Mark the group's allocations; what nothing before in this portion has marked is fresh: only this group uses
 * it. */
static void mark_group(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        yield_in_loop(i);
        if (allocation == PATCH_NULL) continue;
        uint32_t fresh = residency->plan.mark[allocation] == 0u ? (uint32_t)MARK_FRESH : 0u;
        residency_mark(residency, allocation, fresh | residency_marks_of(&job->patches[i]));
    }
}

/* The group is not part of the portion. */
static void unmark_fresh(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        yield_in_loop(i);
        if (allocation == PATCH_NULL) continue;
        if ((residency->plan.mark[allocation] & MARK_FRESH) != 0u) residency_unmark(residency, allocation);
    }
}

/* The group is part of the portion now. */
static void join_portion(const struct job *job, uint32_t first, uint32_t end, struct residency *residency)
{
    for (uint32_t i = first; i < end; i++, yield_in_loop(i))
        if (job->patches[i].allocation != PATCH_NULL)
            residency->plan.mark[job->patches[i].allocation] &= (uint8_t) ~(uint32_t)MARK_FRESH;
}

/* The start of a portion: rows that its first group programs again are empty, the others carry over. */
static void carry_over(struct splitter *splitter, const struct job *job)
{
    const uint32_t first = splitter->next_entry;
    uint32_t all = SLOT_EMPTY;
    splitter->has_moved = false;
    if (first == 0u) return; /* nothing has been bound yet */
    for (uint32_t i = first; i < job->patch_count && job->patches[i].split_word == splitter->next_word;
         i++, yield_in_loop(i))
        splitter->slot[job->patches[i].slot] = SLOT_EMPTY;
    for (uint32_t i = 0; i < SLOT_LIMIT; i++) all &= splitter->carried[i] = splitter->slot[i];
    splitter->inherits = all != SLOT_EMPTY;
}

/* Rows that the portion inherits, of what its plan has given another place. */
__attribute__((cold)) static uint64_t moved_slots(const struct splitter *splitter, const struct job *job,
                                                  const struct residency *residency)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < SLOT_LIMIT; i++)
        if (splitter->carried[i] != SLOT_EMPTY &&
            residency_is_planned(&residency->plan, job->patches[splitter->carried[i]].allocation))
            slots |= (uint64_t)1 << i;
    return slots;
}

/* ------------------------------------------------------------------ one group */

/* It is where this use is allowed and wanted: it costs nothing, and there is nothing to plan. */
static bool is_in_place(const struct residency *residency, const struct patch *patch)
{
    if (patch->allocation == PATCH_NULL) return true;
    const uint32_t where = residency->world.map.link[patch->allocation].where;
    const bool is_written =
        ((residency->plan.mark[patch->allocation] | residency_marks_of(patch)) & (uint32_t)MARK_WRITE) != 0u;
    if (where == 0u || (residency->policy_state.has_called_in && residency_is_called_in(residency, patch->allocation)))
        return false;
    return (allocation_segments(&residency->world.table, patch->allocation, is_written) >> (where - 1u) & 1u) != 0u;
}

/* Groups join the portion from `entry` on as long as all their members are in place. Returns the first entry of the
 * one that does not. */
static uint32_t join_in_place(struct splitter *splitter, const struct job *job, uint32_t entry,
                              struct residency *residency)
{
    const struct patch *patch = &job->patches[entry];
    const struct patch *const end = &job->patches[job->patch_count];
    uint32_t steps = 0;
    while (patch < end) {
        const struct patch *behind = patch;
        do {
            if (!is_in_place(residency, behind)) return entry;
            behind++;
            yield_in_loop(++steps);
        } while (behind < end && behind->split_word == patch->split_word);
        for (; patch < behind; patch++, entry++) {
            yield_in_loop(++steps);
            if (patch->allocation != PATCH_NULL)
                residency_mark(residency, patch->allocation, residency_marks_of(patch));
            update_slot(splitter, patch, entry);
        }
    }
    return entry;
}

/* All that is left is known to be in place and joins the portion, which is the job's last, so that no row of the
 * resource table is asked for any more. */
static void join_known(const struct job *job, uint32_t entry, struct residency *residency)
{
    for (uint32_t count; entry < job->patch_count; entry += count) {
        count = min_u32(job->patch_count - entry, 2 * LOOP_STEPS);
        residency_mark_entries(residency, &job->patches[entry], count);
        yield_if_late();
    }
}

/* What has joined the portion since the policy was told; nothing as long as it has not been told what is queued. */
static void tell_passed(struct splitter *splitter, const struct job *job, struct residency *residency, uint32_t end)
{
    if (residency->policy->passes != NULL && (residency->outlook.news & NEWS_QUEUE) == 0u && splitter->told_entry < end)
        residency->policy->passes(residency, &residency->policy_state, job, splitter->told_entry, end);
    splitter->told_entry = end;
}

/* A member has to come in, and nowhere are so many pages free where it may be. */
static bool will_need_room(const struct job *job, uint32_t first, uint32_t end, const struct residency *residency)
{
    bool has_room = true;
    for (uint32_t i = first; i < end && has_room; i++) {
        const struct patch *patch = &job->patches[i];
        yield_in_loop(i);
        if (patch->allocation == PATCH_NULL || residency->world.map.link[patch->allocation].where != 0u) continue;
        const uint32_t pages = residency->world.table.entry[patch->allocation].pages;
        uint32_t left =
            allocation_segments(&residency->world.table, patch->allocation, (patch->flags & PATCH_WRITE) != 0u);
        for (has_room = false; left != 0u; left &= left - 1u) {
            const struct segment *segment = &residency->world.map.segment[lowest_bit(left)];
            has_room |= (uint32_t)segment->pages - segment->used_pages >= pages;
        }
    }
    return !has_room;
}

/* The first group of a portion has to find a place. */
__attribute__((cold)) static bool try_harder(const struct splitter *splitter, struct group *group,
                                             struct residency *residency)
{
    const bool moves_bound = residency->policy->moves_bound && splitter->inherits;
    const enum effort last = moves_bound ? EFFORT_BOUND_EXACT : EFFORT_EXACT;
    while (group->effort < last) {
        group->effort++;
        if (effort_moves_bound(group->effort) && !moves_bound) continue;
        if (fitting_group(group, residency)) return true;
    }
    return false;
}

/* Try the entries from the walk up to `end`, so hard at first, and the minimum of a portion as hard as can be. False:
 * there is no room for it; its marks stay. */
static bool try_group(struct splitter *splitter, const struct job *job, uint32_t end, struct residency *residency,
                      enum effort effort)
{
    const uint32_t first = splitter->walked;
    struct group group = {.job = job,
                          .first = first,
                          .end = end,
                          .carried = splitter->carried,
                          .journal = residency->plan.journal_count,
                          .effort = effort};
    tell_passed(splitter, job, residency, first);
    mark_group(job, first, end, residency);
    const bool is_minimum = job->patches[first].split_word == splitter->next_word;
    residency->plan.group = is_minimum ? STANDING_FIRST : STANDING_LATER;
    residency->outlook.ahead = job->patches;
    residency->outlook.ahead_first = end;
    residency->outlook.ahead_end = job->patch_count;
    bool fits = fitting_group(&group, residency);
    if (!fits && is_minimum) fits = try_harder(splitter, &group, residency);
    splitter->has_moved |= fits && effort_moves_bound(group.effort);
    return fits;
}

/* ------------------------------------------------------------------ portions */

/* The group needs paging, and with it the portion would use more than its share. A portion brings in half of what a
 * split costs before that counts. */
static bool is_long(const struct job *job, uint32_t first, uint32_t end, const struct residency *residency)
{
    uint32_t pages = 0;
    bool is_paged = false;
    if (residency->outlook.portion_limit == 0u || residency->plan.placed_pages < residency->outlook.split_pages / 2u)
        return false;
    for (uint32_t i = first; i < end; i++) {
        uint32_t allocation = job->patches[i].allocation;
        yield_in_loop(i);
        if (allocation == PATCH_NULL || residency->plan.mark[allocation] != 0u) continue;
        pages += residency->world.table.entry[allocation].pages;
        is_paged = is_paged || residency->world.map.link[allocation].where == 0u;
    }
    return is_paged && residency->plan.portion_pages + pages > residency->outlook.portion_limit;
}

static bool refuse_portion(struct refusal *why, enum gpu_status status, uint32_t word)
{
    *why = (struct refusal){status, word * (uint32_t)WORD_BYTES};
    return false;
}

/* How hard the group at `word` is tried at first. */
static enum effort first_effort(const struct splitter *splitter, const struct splitter_modes *modes,
                                const struct residency *residency, uint32_t word)
{
    if (modes->packs_first && word == 0u) return EFFORT_PACKED;
    return modes->moves_bound && residency->policy->moves_bound && splitter->inherits && word == splitter->next_word
               ? EFFORT_MOVED
               : EFFORT_USUAL;
}

/* The portion ends where the walk is. */
static void end_portion(struct splitter *splitter, const struct job *job, struct residency *residency,
                        struct portion *portion)
{
    const uint32_t first = splitter->next_entry, end = splitter->walked;
    const bool is_last = end == job->patch_count;
    const uint32_t end_word = is_last ? job->dma_words : job->patches[end].split_word;
    tell_passed(splitter, job, residency, end);
    *portion = (struct portion){.first_entry = first,
                                .entry_count = end - first,
                                .start_word = splitter->next_word,
                                .end_word = end_word,
                                .is_last = is_last,
                                .moved_slots = splitter->has_moved ? moved_slots(splitter, job, residency) : 0u};
    splitter->next_entry = end;
    splitter->next_word = end_word;
}

/* The policy is told what is queued, before room is made for the first time. */
static void tell_queue(struct splitter *splitter, struct residency *residency, const struct splitter_modes *modes)
{
    splitter->told_entry = splitter->walked;
    residency->outlook.is_tight = true;
    modes->tell_queue(modes->queue);
    residency->outlook.news &= ~(uint32_t)NEWS_QUEUE;
}

/* What becomes of a group. */
enum joining { JOINING_DONE, JOINING_ENDS_PORTION, JOINING_REFUSED };

/* The group that the walk is at joins the portion; or it is the next portion's; or it has no place at all. */
static enum joining join_group(struct splitter *splitter, const struct job *job, struct residency *residency,
                               const struct splitter_modes *modes)
{
    const uint32_t first = splitter->walked, word = job->patches[first].split_word;
    const bool is_minimum = word == splitter->next_word;
    const uint32_t end = group_end(job, first);
    if (!is_minimum && (modes->takes_every_split || is_long(job, first, end, residency))) return JOINING_ENDS_PORTION;
    const bool is_unknown = (residency->outlook.news & NEWS_QUEUE) != 0u;
    if (is_unknown && will_need_room(job, first, end, residency)) tell_queue(splitter, residency, modes);
    if (!try_group(splitter, job, end, residency, first_effort(splitter, modes, residency, word))) {
        if (is_minimum) return JOINING_REFUSED;
        unmark_fresh(job, first, end, residency);
        return JOINING_ENDS_PORTION;
    }
    join_portion(job, first, end, residency);
    for (uint32_t i = first; i < end; i++, yield_in_loop(i)) update_slot(splitter, &job->patches[i], i);
    splitter->walked = end;
    return JOINING_DONE;
}

/* From the portion's first entry to its end. False: it has no place for its first group. */
static bool walk(struct splitter *splitter, const struct job *job, struct residency *residency,
                 const struct splitter_modes *modes)
{
    const bool is_forced = modes->takes_every_split || modes->packs_first || modes->moves_bound;
    enum joining joining = JOINING_DONE;
    if (modes->is_in_place && !is_forced && !residency->policy_state.has_called_in &&
        residency->plan.journal_count == 0u) {
        join_known(job, splitter->walked, residency);
        splitter->walked = job->patch_count;
    }
    while (splitter->walked < job->patch_count && joining == JOINING_DONE) {
        const enum effort from = first_effort(splitter, modes, residency, job->patches[splitter->walked].split_word);
        if (from == EFFORT_USUAL && !modes->takes_every_split) {
            splitter->walked = join_in_place(splitter, job, splitter->walked, residency);
            if (splitter->walked == job->patch_count) break;
        }
        joining = join_group(splitter, job, residency, modes);
    }
    return joining != JOINING_REFUSED;
}

bool splitter_plan(struct splitter *splitter, const struct job *job, struct residency *residency, uint32_t next_fence,
                   const struct splitter_modes *modes, struct portion *portion, struct refusal *why)
{
    const uint32_t first = splitter->next_entry, start = splitter->next_word;
    ASSERT(residency->plan.journal_count == 0u && first <= job->patch_count && start <= job->dma_words);
    carry_over(splitter, job);
    if (modes->checks_leaks && start != 0u && splitter->inherits) return refuse_portion(why, STATUS_LEAK, start);
    yield_if_late();
    residency_begin(residency, next_fence, first);
    yield_if_late();
    splitter->walked = splitter->told_entry = first;
    if ((residency->outlook.news & NEWS_QUEUE) != 0u && residency->outlook.is_tight)
        tell_queue(splitter, residency, modes);
    residency->plan.planner = job->context;
    if (splitter->inherits) mark_carried(splitter, job, residency);
    if (residency->world.limits != CLIENT_LIMITS_NONE) limits_meet(residency);
    yield_if_late();
    if (!walk(splitter, job, residency, modes)) {
        residency_rollback(residency, 0);
        return refuse_portion(why, STATUS_NO_PLACEMENT, start);
    }
    end_portion(splitter, job, residency, portion);
    return true;
}
