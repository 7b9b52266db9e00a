/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks, the journal of a plan and how it is undone, and the table as it follows when the plan is carried out. How a
 * allocation finds its place is in placement.c.
 */
#include "plan/residency.h"

#include <string.h>

#include "plan/policy.h"
#include "platform/turn.h"

/* In the order in which they should lie in core memory. */
static void take_tables(struct residency *residency, struct tables *tables)
{
    const uint32_t limit = tables->limits.allocations, bits = limit / 8u,
                   halfwords = limit * (uint32_t)sizeof(uint16_t);
    struct policy_tables *policy = &residency->policy_tables;
    residency->mark = tables_take(tables, limit + 1u);
    residency->marked = tables_take(tables, pieces_bytes(limit));
    residency->planned = tables_take(tables, bits);
    residency->called_in = tables_take(tables, bits);
    policy->pieces = tables_take(tables, pieces_bytes(limit));
    policy->halfwords[0] = tables_take(tables, halfwords);
    policy->bytes = tables_take(tables, limit);
    residency->owned = tables_take_set(tables);
    residency->journal = tables_take(tables, 2u * halfwords);
    policy->halfwords[1] = tables_take(tables, halfwords);
}

void residency_init(struct residency *residency, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT],
                    uint32_t system_pages)
{
    allocation_table_init(&residency->table, tables, segment_pages, system_pages);
    take_tables(residency, tables);
    segment_map_init(&residency->map, tables, segment_pages);
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        residency->uses[i] = (struct job_use){.dirtied = tables_take_set(tables), .named = tables_take_set(tables)};
    share_init(&residency->shares, tables);
    client_table_init(&residency->clients, tables, segment_pages);
    if (tables->is_short) return;
    residency->mark[residency->map.none] = UINT8_MAX;
    residency->planner = NO_CONTEXT;
    residency->planner_client = CLIENT_LIMIT;
    residency->has_limits = residency->has_minimums = false;
    residency->has_news = residency->has_guarded = false;
    residency->is_over_limit = residency->is_over_maximum = false;
    residency->journal_count = 0;
    residency->future = FUTURE_STALE;
    residency->current = NULL;
    residency->unfinished_count = residency->accepted = 0;
    residency->has_called_in = residency->is_survey_due = residency->is_tight = false;
    residency->steps = residency->fail_step = 0;
    residency->policy = NULL;
    residency->retired_fence = residency->over_fence = residency->portion_limit = 0;
    residency->candidates = 0;
    residency->is_firmware_bound = residency->is_careful = residency->is_bus_slow = residency->is_disturbed = false;
    residency->is_timed = true;
    residency->avoided_set = 0;
    residency->page_cycles = residency->copy_cycles = 0;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) residency->segment_cycles[i] = 0;
    residency->split_pages = SPLIT_PAGES;
}

void residency_set_page_cycles(struct residency *residency, const uint32_t cycles[SEGMENT_LIMIT])
{
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        residency->segment_cycles[i] = cycles[i];
        residency->page_cycles = max_u32(residency->page_cycles, cycles[i]);
    }
}

void residency_set_policy(struct residency *residency, const struct policy *policy)
{
    if (residency->policy == policy) return;
    residency->policy = policy;
    residency->future = FUTURE_STALE;
    residency->has_called_in = residency->is_survey_due = residency->is_tight = false;
    memset(residency->called_in, 0, residency->table.limit / 8u);
    policy->start(residency);
}

void residency_begin(struct residency *residency, uint32_t next_fence, uint32_t now)
{
    residency->next_fence = next_fence;
    residency->is_over_limit = residency->is_over_maximum = false;
    residency->policy->begin(residency, now);
    if (residency->policy->flush != NULL) residency->policy->flush(residency);
    residency->is_disturbed = false;
    residency->is_minimum = true;
    residency->may_move_bound = false;
    residency->ahead_first = residency->ahead_end = 0;
    residency->portion_pages = residency->placed_pages = 0;
    yield_if_late();
    pieces_reset(residency->marked, residency->table.limit, residency->mark, sizeof *residency->mark, 0);
}

/* ------------------------------------------------------------------ the apertures' common limit */

uint32_t residency_mapped_pages(const struct residency *residency)
{
    uint32_t pages = 0;
    for (uint32_t left = residency->table.aperture_set; left != 0u; left &= left - 1u)
        pages += residency->map.segment[lowest_bit(left)].used_pages;
    return pages;
}

bool residency_keeps_limit(const struct residency *residency, uint32_t id, uint32_t pages)
{
    if (!allocation_is_aperture(&residency->table, id)) return true;
    return residency_mapped_pages(residency) + pages <= residency->table.commit_limit;
}

/* ------------------------------------------------------------------ whose it is */

/* Not inlined: that it has no pages in memory yet is more frequent. */
__attribute__((noinline)) static void hand_pages_over(struct share_table *shares, uint32_t from, uint32_t to,
                                                      uint32_t pages)
{
    share_count(shares, from, pages, false);
    share_count(shares, to, pages, true);
}

static void set_owner(struct residency *residency, uint32_t allocation, uint32_t context)
{
    struct allocation *entry = &residency->table.entry[allocation];
    const uint32_t owner = allocation_owner(entry);
    if (allocation_is_in_memory(&residency->table, entry))
        hand_pages_over(&residency->shares, owner, context, entry->pages);
    if (owner == (uint32_t)NO_CONTEXT) index_set_add(residency->owned, allocation);
    allocation_set_owner(entry, context);
}

void residency_disown(struct residency *residency, uint32_t context)
{
    struct index_set *owned = residency->owned;
    INDEX_SET_EACH (i, owned) {
        const struct allocation *entry = &residency->table.entry[i];
        const bool exists = (entry->flags & ALLOCATION_EXISTS) != 0u;
        if (exists && allocation_owner(entry) == context) set_owner(residency, i, NO_CONTEXT);
        if (!exists || allocation_owner(entry) == (uint32_t)NO_CONTEXT) index_set_drop(owned, i);
        yield_if_late();
    }
}

/* ------------------------------------------------------------------ marks and ages */

/* As far as the plan is concerned it may be evicted from here on, or no longer; never what is marked. A policy that
 * is told what is queued looks at all residents again after that, so before it need not know. */
static void tell_free(struct residency *residency, uint32_t allocation, bool is_free)
{
    if (residency->is_survey_due || residency->mark[allocation] != 0u || residency->policy->frees == NULL) return;
    residency->policy->frees(residency, allocation, is_free);
}

/* The first mark of the portion. */
__attribute__((always_inline)) static inline void begin_marks(struct residency *residency, uint32_t allocation,
                                                              uint32_t marks)
{
    const bool is_carried = (marks & MARK_KEPT) != 0u; /* what it inherits is no share of its own */
    ASSERT(allocation < residency->table.limit);
    pieces_note(residency->marked, allocation);
    if (!is_carried) {
        const struct allocation *entry = &residency->table.entry[allocation];
        residency->portion_pages += entry->pages;
        if (allocation_owner(entry) != residency->planner) set_owner(residency, allocation, residency->planner);
    }
    tell_free(residency, allocation, false);
    residency->mark[allocation] = (uint8_t)marks;
}

__attribute__((always_inline)) static inline void add_marks(struct residency *residency, uint32_t allocation,
                                                            uint32_t marks)
{
    uint8_t *mark = &residency->mark[allocation];
    const uint32_t before = *mark;
    if (before == 0u) begin_marks(residency, allocation, marks);
    else *mark = (uint8_t)(before | marks);
}

void residency_mark(struct residency *residency, uint32_t allocation, uint32_t marks)
{
    add_marks(residency, allocation, marks);
}

/* What is hot: the first mark of what is the planner's already, while the policy need not know. */
void residency_mark_entries(struct residency *residency, const struct patch *entries, uint32_t count)
{
    uint8_t *const mark = residency->mark, *const marked = residency->marked;
    const struct allocation *const table = residency->table.entry;
    const uint32_t planner = residency->planner, limit = residency->table.limit;
    const bool tells = !residency->is_survey_due && residency->policy->frees != NULL;
    uint32_t pages = 0;
    for (const struct patch *patch = entries; patch < entries + count; patch++) {
        const uint32_t allocation = patch->allocation, marks = residency_marks_of(patch);
        if (allocation == PATCH_NULL) continue;
        ASSERT(allocation < limit);
        const struct allocation *entry = &table[allocation];
        if (mark[allocation] != 0u || tells || allocation_owner(entry) != planner) {
            residency_mark(residency, allocation, marks);
            continue;
        }
        pieces_note(marked, allocation);
        mark[allocation] = (uint8_t)marks;
        pages += entry->pages;
    }
    residency->portion_pages += pages;
}

static inline void use(struct residency *residency, struct allocation *entry, uint32_t allocation, uint32_t marks,
                       uint32_t fence, bool is_executed)
{
    ASSERT(fence_reached(fence, entry->last_fence)); /* 0x10E / 0x1F: a busy mark only rises */
    ASSERT(marks != 0u);
    entry->last_fence = fence;
    if (!is_executed || (marks & MARK_DIRTIES) == 0u) return;
    if (allocation_is_aperture(&residency->table, entry->segment) || (entry->flags & ALLOCATION_DIRTY) != 0u) return;
    allocation_set(entry, ALLOCATION_DIRTY);
    index_set_add(residency->current->dirtied, allocation);
}

void residency_use(struct residency *residency, uint32_t allocation, uint32_t fence, bool is_executed)
{
    use(residency, &residency->table.entry[allocation], allocation, residency->mark[allocation], fence, is_executed);
}

void residency_use_entries(struct residency *residency, const struct patch *entries, uint32_t count, uint32_t fence,
                           bool is_executed)
{
    struct allocation *const table = residency->table.entry;
    const uint8_t *const mark = residency->mark;
    for (const struct patch *patch = entries; patch < entries + count; patch++) {
        const uint32_t allocation = patch->allocation;
        if (allocation != PATCH_NULL)
            use(residency, &table[allocation], allocation, mark[allocation], fence, is_executed);
    }
}

void residency_unmark(struct residency *residency, uint32_t allocation)
{
    ASSERT(residency->mark[allocation] != 0u && (residency->mark[allocation] & MARK_KEPT) == 0u);
    residency->mark[allocation] = 0;
    residency->portion_pages -= residency->table.entry[allocation].pages;
    tell_free(residency, allocation, true);
}

void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer)
{
    residency->table.details[allocation].priority = priority;
    residency->table.entry[allocation].offer = offer & 7u;
    allocation_tell(&residency->table, allocation);
    residency->is_disturbed |= residency->map.link[allocation].where != 0u;
}

/* ------------------------------------------------------------------ what is known of the jobs */

bool residency_is_named(const struct residency *residency, uint32_t allocation)
{
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        if ((residency->accepted >> i & 1u) != 0u && index_set_has(residency->uses[i].named, allocation)) return true;
    return false;
}

/* It has left its place, or has a new one. */
static void note_place(struct residency *residency, uint32_t allocation)
{
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        if (index_set_has(residency->uses[i].named, allocation)) residency->uses[i].is_in_place = false;
}

bool residency_is_own(const struct residency *residency, uint32_t allocation)
{
    for (uint32_t i = 0; i < residency->unfinished_count; i++) {
        const struct job_use *use = residency->unfinished[i];
        if (index_set_has(use->dirtied, allocation))
            return fence_reached(use->last_fence, residency->table.entry[allocation].last_fence);
    }
    return false;
}

void residency_note_job(struct residency *residency, const struct job *job)
{
    if (residency->future == (uint8_t)FUTURE_KNOWN) residency->future = FUTURE_PARTIAL;
    if (residency_wants_traffic(residency)) residency->policy->accepts(residency, job);
}

uint32_t residency_favoured(const struct residency *residency, uint32_t allocation, uint32_t set)
{
    return residency->policy->favours == NULL ? set : residency->policy->favours(residency, allocation, set) & set;
}

uint32_t residency_place_reason(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    const uint32_t set = entry->read_set, apertures = residency->table.aperture_set;
    if (entry->segment == 0u) return PLACE_REASON_PAGES;
    if ((set & apertures) == 0u || (set & ~apertures) == 0u) return PLACE_REASON_ONLY;
    const uint32_t favoured = residency_favoured(residency, allocation, set);
    if (favoured == set) return PLACE_REASON_ORDER;
    if ((favoured >> (entry->segment - 1u) & 1u) == 0u) return PLACE_REASON_ELSEWHERE;
    if ((favoured & apertures) == 0u) return PLACE_REASON_WORTH;
    return residency->is_bus_slow ? PLACE_REASON_LITTLE : PLACE_REASON_QUICK;
}

bool residency_leaves_to_be_read(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    if ((entry->flags & ALLOCATION_STAYS) != 0u) return false;
    return (residency_favoured(residency, allocation, residency->table.details[allocation].write_set) &
            ~residency->table.aperture_set) == 0u;
}

void residency_note_lock(struct residency *residency, uint32_t allocation)
{
    if (residency->policy->locks != NULL) residency->policy->locks(residency, allocation);
}

bool residency_wants_traffic(const struct residency *residency)
{
    return residency->is_bus_slow && residency->policy->accepts != NULL;
}

void residency_note_pending_destroy(struct residency *residency)
{
    if (residency->future == (uint8_t)FUTURE_PARTIAL) residency->future = FUTURE_STALE;
}

void residency_note_repeat(struct residency *residency) { residency->future = FUTURE_STALE; }

/* ------------------------------------------------------------------ journal */

static void record(struct residency *residency, uint32_t allocation, enum residency_action action)
{
    ASSERT(residency->journal_count < 2u * residency->table.limit);
    residency->journal[residency->journal_count++] = (uint16_t)(allocation * 4u + (uint32_t)action);
}

static void enter(struct residency *residency, uint32_t allocation, uint32_t id, const struct segment_place *place)
{
    segment_insert(&residency->map, id, allocation, residency->table.entry[allocation].pages, place);
}

/* Back to where the table says it still is. */
static void restore(struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    const struct segment_place place = segment_place_at(&residency->map, entry->segment, entry->first_page);
    enter(residency, allocation, entry->segment, &place);
    tell_free(residency, allocation, true);
}

static void set_planned(struct residency *residency, uint32_t allocation, bool is_planned)
{
    uint32_t *word = &residency->planned[allocation / 32u], bit = 1u << allocation % 32u;
    *word = is_planned ? *word | bit : *word & ~bit;
}

void residency_plan_own_eviction(struct residency *residency, uint32_t allocation)
{
    segment_remove(&residency->map, allocation);
    record(residency, allocation, ACTION_EVICT);
}

void residency_plan_eviction(struct residency *residency, uint32_t allocation)
{
    tell_free(residency, allocation, false);
    residency_plan_own_eviction(residency, allocation);
}

void residency_plan_move(struct residency *residency, uint32_t allocation, struct segment_place *place)
{
    uint32_t id = residency->map.link[allocation].where;
    segment_remove(&residency->map, allocation);
    set_planned(residency, allocation, true);
    enter(residency, allocation, id, place);
    record(residency, allocation, ACTION_MOVE);
}

/* What bringing it to where the plan has it copies: nothing where it is mapped. */
static uint32_t copied_pages(const struct residency *residency, uint32_t allocation)
{
    const bool is_mapped = allocation_is_aperture(&residency->table, residency->map.link[allocation].where);
    return is_mapped ? 0u : residency->table.entry[allocation].pages;
}

void residency_plan_arrival(struct residency *residency, uint32_t allocation, uint32_t id,
                            const struct segment_place *place)
{
    set_planned(residency, allocation, true);
    enter(residency, allocation, id, place);
    record(residency, allocation, ACTION_PLACE);
    residency->placed_pages += copied_pages(residency, allocation);
}

void residency_plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first)
{
    const struct segment_place place = segment_place_at(&residency->map, id, first);
    residency_plan_arrival(residency, allocation, id, &place);
}

void residency_rollback(struct residency *residency, uint32_t count)
{
    ASSERT(count <= residency->journal_count);
    while (residency->journal_count > count) {
        yield_if_late();
        uint32_t last = --residency->journal_count;
        uint32_t allocation = residency_action_allocation(residency, last);
        enum residency_action action = residency_action_kind(residency, last);
        if (action == ACTION_PLACE) residency->placed_pages -= copied_pages(residency, allocation);
        if (action != ACTION_EVICT) {
            segment_remove(&residency->map, allocation);
            set_planned(residency, allocation, false);
        }
        if (action != ACTION_PLACE) restore(residency, allocation);
    }
}

/* What carrying out the journal's actions [first, end) adds to the client's pages in the segment, or takes away. */
static uint32_t change(const struct residency *residency, uint32_t id, uint32_t client, uint32_t first, uint32_t end)
{
    uint32_t pages = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t allocation = residency_action_allocation(residency, i);
        const struct allocation *entry = &residency->table.entry[allocation];
        const bool is_counted = residency_action_kind(residency, i) == ACTION_EVICT || entry->segment == 0u;
        yield_if_late();
        if (entry->client != client || !is_counted) continue; /* what comes again was counted when it left */
        if (residency->map.link[allocation].where == id) pages += entry->pages;
        if (entry->segment == id) pages -= entry->pages;
    }
    return pages;
}

uint32_t residency_held(const struct residency *residency, uint32_t id, uint32_t client)
{
    return client_part(&residency->clients, id, client)->held +
           change(residency, id, client, 0, residency->journal_count);
}

/* Back in its place, does it leave its client within the maximum? The actions [kept, next) are none any more. */
static bool keeps_maximum(const struct residency *residency, uint32_t allocation, uint32_t kept, uint32_t next)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    const struct client_part *part = client_part(&residency->clients, entry->segment, entry->client);
    return part->held + change(residency, entry->segment, entry->client, 0, kept) +
               change(residency, entry->segment, entry->client, next, residency->journal_count) + entry->pages <=
           part->maximum;
}

/* Taken out and brought in again, it is where the table says that it still is. */
static bool is_at_old_place(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    const struct segment_link *link = &residency->map.link[allocation];
    return link->where != 0u && link->where == entry->segment && link->first == entry->first_page;
}

/* No allocation has been given any page of the place where the allocation still is. */
static bool is_place_free(const struct residency *residency, const struct allocation *entry)
{
    uint32_t owner = segment_owner_from(&residency->map, entry->segment, entry->first_page);
    return owner == residency->map.none ||
           residency->map.link[owner].first >= (uint32_t)entry->first_page + entry->pages;
}

void residency_trim(struct residency *residency, uint32_t count)
{
    uint32_t kept = count;
    for (uint32_t i = count; i < residency->journal_count; i++) {
        yield_if_late();
        uint32_t allocation = residency_action_allocation(residency, i);
        const struct allocation *entry = &residency->table.entry[allocation];
        bool has_left =
            residency_action_kind(residency, i) == ACTION_EVICT && residency->map.link[allocation].where == 0u;
        bool may_return = has_left && is_place_free(residency, entry) &&
                          residency_keeps_limit(residency, entry->segment, entry->pages) &&
                          (!residency->has_limits || keeps_maximum(residency, allocation, kept, i));
        const bool is_needless =
            residency_action_kind(residency, i) != ACTION_MOVE && is_at_old_place(residency, allocation);
        if (may_return) {
            restore(residency, allocation);
        } else if (is_needless) {
            if (residency_action_kind(residency, i) == ACTION_PLACE)
                residency->placed_pages -= copied_pages(residency, allocation);
            set_planned(residency, allocation, false);
        } else {
            residency->journal[kept++] = residency->journal[i];
        }
    }
    residency->journal_count = (uint16_t)kept;
}

/* ------------------------------------------------------------------ what may be evicted */

bool residency_is_evictable(const struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->table.entry[allocation];
    if (residency->map.link[allocation].where == 0u || residency->mark[allocation] != 0u) return false;
    if (residency_is_planned(residency, allocation) || residency_is_guarded(residency, allocation)) return false;
    return (entry->flags & ALLOCATION_STAYS) == 0u;
}

bool residency_is_dead(const struct residency *residency, uint32_t allocation)
{
    if ((residency->table.entry[allocation].flags & ALLOCATION_PENDING_DESTROY) == 0u) return false;
    const struct policy *policy = residency->policy;
    return policy->is_over != NULL && policy->is_over(residency, allocation);
}

void residency_trace_next_use(const struct residency *residency, uint32_t allocation, bool is_copied_out)
{
    const struct policy *policy = residency->policy;
    if (policy->next_use == NULL || residency->is_survey_due || residency->future == (uint8_t)FUTURE_STALE) return;
    hal_trace(TRACE_NEXT_USE, policy->next_use(residency, allocation) | (uint32_t)is_copied_out << 31);
}

/* ------------------------------------------------------------------ carrying out */

/* The content of one that is pending destroy was dropped: a job that runs again begins with the pattern, or with the
 * host's pages, as the first time. (The job may have been taken back since that was planned.) Content that no
 * unfinished job has made is not asked for: placement.c makes sure of that. */
static void drop_content(struct residency *residency, uint32_t allocation)
{
    struct allocation *entry = &residency->table.entry[allocation];
    if ((entry->flags & ALLOCATION_UNSAVED) != 0u) allocation_set(entry, ALLOCATION_UNDEFINED);
    else if (!residency_is_own(residency, allocation)) allocation_lose(&residency->table, allocation);
}

/* Evicted, maybe for another context than its owner, or for another client. */
static void note_loss(struct residency *residency, const struct allocation *entry, uint32_t owner)
{
    if (owner != residency->planner) share_evicted(&residency->shares, owner, residency->planner, entry->pages);
    if (entry->client == residency->planner_client || residency->planner_client == (uint32_t)CLIENT_LIMIT) return;
    client_gave_way(&residency->clients, entry->client, residency->planner_client, entry->pages);
    residency->has_news = true;
}

void residency_has_left(struct residency *residency, uint32_t allocation, bool is_discarded)
{
    struct allocation *entry = &residency->table.entry[allocation];
    ASSERT(entry->segment != 0u);
    client_hold(&residency->clients, entry->segment, entry->client, entry->pages, false);
    if (allocation_is_in_memory(&residency->table, entry)) {
        const uint32_t owner = allocation_owner(entry);
        share_count(&residency->shares, owner, entry->pages, false);
        if ((owner != residency->planner || entry->client != residency->planner_client) &&
            !residency_is_dead(residency, allocation))
            note_loss(residency, entry, owner);
    }
    entry->segment = 0;
    allocation_tell(&residency->table, allocation);
    note_place(residency, allocation);
    if (is_discarded && entry->offer != 0u) entry->offer = OFFER_DISCARDED;
    if (is_discarded && (entry->flags & ALLOCATION_PENDING_DESTROY) != 0u) drop_content(residency, allocation);
    allocation_clear(entry, ALLOCATION_NEWER);
}

void residency_has_arrived(struct residency *residency, uint32_t allocation)
{
    struct allocation *entry = &residency->table.entry[allocation];
    ASSERT(entry->segment == 0u && residency->map.link[allocation].where != 0u);
    entry->segment = residency->map.link[allocation].where & 15u;
    entry->first_page = residency->map.link[allocation].first;
    client_hold(&residency->clients, entry->segment, entry->client, entry->pages, true);
    allocation_tell(&residency->table, allocation);
    set_planned(residency, allocation, false);
    bool is_in_memory = allocation_is_in_memory(&residency->table, entry);
    bool is_filled = (entry->flags & ALLOCATION_UNDEFINED) != 0u && is_in_memory;
    if (is_in_memory) share_count(&residency->shares, allocation_owner(entry), entry->pages, true);
    allocation_clear(entry, ALLOCATION_UNDEFINED);
    if (!is_filled) return;
    allocation_set(entry, ALLOCATION_NEWER); /* the pattern exists only in the segment */
    if (residency->current != NULL) index_set_add(residency->current->dirtied, allocation);
}

void residency_has_moved(struct residency *residency, uint32_t allocation)
{
    ASSERT(residency->table.entry[allocation].segment == residency->map.link[allocation].where);
    residency->table.entry[allocation].first_page = residency->map.link[allocation].first;
    allocation_tell(&residency->table, allocation);
    note_place(residency, allocation);
    set_planned(residency, allocation, false);
}

void residency_finish(struct residency *residency)
{
    residency->journal_count = 0;
    if (residency->planner == (uint32_t)NO_CONTEXT || residency->has_guarded) residency->is_disturbed = true;
    residency->planner = NO_CONTEXT;
    residency->planner_client = CLIENT_LIMIT;
    residency->has_guarded = false;
}
