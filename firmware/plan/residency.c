/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks, the journal of a plan and how it is undone, and the table as it follows when the plan is carried out. How a
 * allocation finds its place is in placement.c.
 */
#include "plan/residency.h"

#include "plan/policy.h"
#include "platform/turn.h"

/* In the order in which they should lie in core memory. */
static void take_tables(struct residency *residency, struct tables *tables)
{
    const uint32_t limit = tables->limits.allocations, bits = limit / 8u,
                   halfwords = limit * (uint32_t)sizeof(uint16_t);
    struct policy_tables *policy = &residency->policy_state.tables;
    residency->plan.mark = tables_take(tables, limit + 1u);
    residency->plan.marked = tables_take(tables, pieces_bytes(limit));
    residency->plan.planned = tables_take(tables, bits);
    residency->policy_state.called_in = tables_take(tables, bits);
    policy->pieces = tables_take(tables, pieces_bytes(limit));
    policy->halfwords[0] = tables_take(tables, halfwords);
    policy->bytes = tables_take(tables, limit);
    residency->world.owned = tables_take_set(tables);
    residency->plan.journal = tables_take(tables, 2u * halfwords);
    policy->halfwords[1] = tables_take(tables, halfwords);
}

void residency_init(struct residency *residency, struct tables *tables, const uint16_t segment_pages[SEGMENT_LIMIT],
                    uint32_t system_pages)
{
    struct world *world = &residency->world;
    residency->policy = NULL;
    residency->plan = (struct plan){.planner = NO_CONTEXT, .planner_client = CLIENT_LIMIT};
    residency->outlook = (struct outlook){
        .is_timed = true, .bottleneck = BOTTLENECK_NODES, .future = FUTURE_STALE, .split_pages = SPLIT_PAGES};
    residency->uses = (struct uses){.accepted = 0};
    residency->policy_state.has_called_in = false;
    residency->policy_state.candidates = 0;
    world->limits = CLIENT_LIMITS_NONE;
    allocation_table_init(&world->table, tables, segment_pages, system_pages);
    take_tables(residency, tables);
    segment_map_init(&world->map, tables, segment_pages);
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        residency->uses.job[i] = (struct job_use){.dirtied = tables_take_set(tables), .named = tables_take_set(tables)};
    share_init(&world->shares, tables);
    client_table_init(&world->clients, tables, segment_pages);
    if (!tables->is_short) residency->plan.mark[world->map.none] = UINT8_MAX;
}

void residency_begin(struct residency *residency, uint32_t next_fence, uint32_t now)
{
    struct plan *plan = &residency->plan;
    struct outlook *outlook = &residency->outlook;
    outlook->next_fence = next_fence;
    plan->hindrance = HINDRANCE_NONE;
    residency->policy->begin(residency, &residency->policy_state, now);
    if (residency->policy->flush != NULL) residency->policy->flush(residency, &residency->policy_state);
    outlook->news &= ~(uint32_t)NEWS_PLACES;
    plan->group = STANDING_FIRST;
    outlook->ahead_first = outlook->ahead_end = 0;
    plan->portion_pages = plan->placed_pages = 0;
    yield_if_late();
    pieces_reset(plan->marked, residency->world.table.limit, plan->mark, sizeof *plan->mark, 0);
}

/* ------------------------------------------------------------------ the apertures' common limit */

uint32_t residency_mapped_pages(const struct world *world)
{
    uint32_t pages = 0;
    for (uint32_t left = world->table.aperture_set; left != 0u; left &= left - 1u)
        pages += world->map.segment[lowest_bit(left)].used_pages;
    return pages;
}

bool residency_keeps_limit(const struct world *world, uint32_t id, uint32_t pages)
{
    if (!allocation_is_aperture(&world->table, id)) return true;
    return residency_mapped_pages(world) + pages <= world->table.commit_limit;
}

/* ------------------------------------------------------------------ whose it is */

/* Not inlined: that it has no pages in memory yet is more frequent. */
__attribute__((noinline)) static void hand_pages_over(struct share_table *shares, uint32_t from, uint32_t to,
                                                      uint32_t pages)
{
    share_count(shares, from, pages, false);
    share_count(shares, to, pages, true);
}

static void set_owner(struct world *world, uint32_t allocation, uint32_t context)
{
    struct allocation *entry = &world->table.entry[allocation];
    const uint32_t owner = allocation_owner(entry);
    if (allocation_is_in_memory(&world->table, entry)) hand_pages_over(&world->shares, owner, context, entry->pages);
    if (owner == (uint32_t)NO_CONTEXT) index_set_add(world->owned, allocation);
    allocation_set_owner(entry, context);
}

void residency_disown(struct world *world, uint32_t context)
{
    struct index_set *owned = world->owned;
    INDEX_SET_EACH (i, owned) {
        const struct allocation *entry = &world->table.entry[i];
        const bool exists = (entry->flags & ALLOCATION_EXISTS) != 0u;
        if (exists && allocation_owner(entry) == context) set_owner(world, i, NO_CONTEXT);
        if (!exists || allocation_owner(entry) == (uint32_t)NO_CONTEXT) index_set_drop(owned, i);
        yield_if_late();
    }
}

/* ------------------------------------------------------------------ marks and ages */

/* As far as the plan is concerned it may be evicted from here on, or no longer; never what is marked. A policy that
 * is told what is queued looks at all residents again after that, so before it need not know. */
static inline void tell_free(struct residency *residency, uint32_t allocation, bool is_free)
{
    if ((residency->outlook.news & NEWS_QUEUE) != 0u || residency->plan.mark[allocation] != 0u ||
        residency->policy->frees == NULL)
        return;
    residency->policy->frees(residency, &residency->policy_state, allocation, is_free);
}

/* The first mark of the portion. */
__attribute__((always_inline)) static inline void begin_marks(struct residency *residency, uint32_t allocation,
                                                              uint32_t marks)
{
    struct plan *plan = &residency->plan;
    const bool is_carried = (marks & MARK_KEPT) != 0u; /* what it inherits is no share of its own */
    ASSERT(allocation < residency->world.table.limit);
    pieces_note(plan->marked, allocation);
    if (!is_carried) {
        const struct allocation *entry = &residency->world.table.entry[allocation];
        plan->portion_pages += entry->pages;
        if (allocation_owner(entry) != plan->planner) set_owner(&residency->world, allocation, plan->planner);
    }
    tell_free(residency, allocation, false);
    plan->mark[allocation] = (uint8_t)marks;
}

__attribute__((always_inline)) static inline void add_marks(struct residency *residency, uint32_t allocation,
                                                            uint32_t marks)
{
    uint8_t *mark = &residency->plan.mark[allocation];
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
    struct plan *plan = &residency->plan;
    uint8_t *const mark = plan->mark, *const marked = plan->marked;
    const struct allocation *const table = residency->world.table.entry;
    const uint32_t planner = plan->planner, limit = residency->world.table.limit;
    const bool tells = (residency->outlook.news & NEWS_QUEUE) == 0u && residency->policy->frees != NULL;
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
    plan->portion_pages += pages;
}

static inline void use(struct residency *residency, struct allocation *entry, uint32_t allocation, uint32_t marks,
                       uint32_t fence, bool is_executed)
{
    ASSERT(fence_reached(fence, entry->last_fence)); /* 0x10E / 0x1F: a busy mark only rises */
    ASSERT(marks != 0u);
    entry->last_fence = fence;
    if (!is_executed || (marks & MARK_DIRTIES) == 0u) return;
    if (allocation_is_aperture(&residency->world.table, entry->segment) || (entry->flags & ALLOCATION_DIRTY) != 0u)
        return;
    allocation_set(entry, ALLOCATION_DIRTY);
    index_set_add(residency->uses.current->dirtied, allocation);
}

void residency_use(struct residency *residency, uint32_t allocation, uint32_t fence, bool is_executed)
{
    use(residency, &residency->world.table.entry[allocation], allocation, residency->plan.mark[allocation], fence,
        is_executed);
}

void residency_use_entries(struct residency *residency, const struct patch *entries, uint32_t count, uint32_t fence,
                           bool is_executed)
{
    struct allocation *const table = residency->world.table.entry;
    const uint8_t *const mark = residency->plan.mark;
    for (const struct patch *patch = entries; patch < entries + count; patch++) {
        const uint32_t allocation = patch->allocation;
        if (allocation != PATCH_NULL)
            use(residency, &table[allocation], allocation, mark[allocation], fence, is_executed);
    }
}

void residency_unmark(struct residency *residency, uint32_t allocation)
{
    struct plan *plan = &residency->plan;
    ASSERT(plan->mark[allocation] != 0u && (plan->mark[allocation] & MARK_KEPT) == 0u);
    plan->mark[allocation] = 0;
    plan->portion_pages -= residency->world.table.entry[allocation].pages;
    tell_free(residency, allocation, true);
}

void residency_set_priority(struct residency *residency, uint32_t allocation, uint32_t priority, uint32_t offer)
{
    struct world *world = &residency->world;
    world->table.details[allocation].priority = priority;
    world->table.entry[allocation].offer = offer & 7u;
    allocation_tell(&world->table, allocation);
    if (world->map.link[allocation].where != 0u) residency->outlook.news |= (uint32_t)NEWS_PLACES;
}

/* ------------------------------------------------------------------ what is known of the jobs */

bool residency_is_named(const struct uses *uses, uint32_t allocation)
{
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        if ((uses->accepted >> i & 1u) != 0u && index_set_has(uses->job[i].named, allocation)) return true;
    return false;
}

/* It has left its place, or has a new one. */
static void note_place(struct uses *uses, uint32_t allocation)
{
    for (uint32_t i = 0; i < UNFINISHED_JOBS; i++)
        if (index_set_has(uses->job[i].named, allocation)) uses->job[i].is_in_place = false;
}

bool residency_is_own(const struct residency *residency, uint32_t allocation)
{
    const struct uses *uses = &residency->uses;
    for (uint32_t i = 0; i < uses->unfinished_count; i++) {
        const struct job_use *use = uses->unfinished[i];
        if (index_set_has(use->dirtied, allocation))
            return fence_reached(use->last_fence, residency->world.table.entry[allocation].last_fence);
    }
    return false;
}

/* ------------------------------------------------------------------ journal */

static void record(struct residency *residency, uint32_t allocation, enum residency_action action)
{
    struct plan *plan = &residency->plan;
    ASSERT(plan->journal_count < 2u * residency->world.table.limit);
    plan->journal[plan->journal_count++] = (uint16_t)(allocation * 4u + (uint32_t)action);
}

static void enter(struct world *world, uint32_t allocation, uint32_t id, const struct segment_place *place)
{
    segment_insert(&world->map, id, allocation, world->table.entry[allocation].pages, place);
}

/* Back to where the table says it still is. */
static void restore(struct residency *residency, uint32_t allocation)
{
    const struct allocation *entry = &residency->world.table.entry[allocation];
    const struct segment_place place = segment_place_at(&residency->world.map, entry->segment, entry->first_page);
    enter(&residency->world, allocation, entry->segment, &place);
    tell_free(residency, allocation, true);
}

static void set_planned(struct plan *plan, uint32_t allocation, bool is_planned)
{
    uint32_t *word = &plan->planned[allocation / 32u], bit = 1u << allocation % 32u;
    *word = is_planned ? *word | bit : *word & ~bit;
}

static void plan_departure(struct residency *residency, uint32_t allocation)
{
    segment_remove(&residency->world.map, allocation);
    record(residency, allocation, ACTION_EVICT);
}

void residency_plan_eviction(struct residency *residency, uint32_t allocation)
{
    tell_free(residency, allocation, false);
    plan_departure(residency, allocation);
}

/* struct planning is the residency. */
static struct residency *residency_of(struct planning *planning) { return (struct residency *)planning; }

void residency_plan_own_eviction(struct planning *planning, uint32_t allocation)
{
    plan_departure(residency_of(planning), allocation);
}

void residency_review_shares(struct planning *planning, uint32_t pages)
{
    struct residency *residency = residency_of(planning);
    share_review(&residency->world.shares, residency->plan.planner, residency->plan.placed_pages, pages);
}

void residency_plan_move(struct planning *planning, uint32_t allocation, struct segment_place *place)
{
    struct residency *residency = residency_of(planning);
    uint32_t id = residency->world.map.link[allocation].where;
    segment_remove(&residency->world.map, allocation);
    set_planned(&residency->plan, allocation, true);
    enter(&residency->world, allocation, id, place);
    record(residency, allocation, ACTION_MOVE);
}

/* What bringing it to where the plan has it copies: nothing where it is mapped. */
static uint32_t copied_pages(const struct world *world, uint32_t allocation)
{
    const bool is_mapped = allocation_is_aperture(&world->table, world->map.link[allocation].where);
    return is_mapped ? 0u : world->table.entry[allocation].pages;
}

void residency_plan_arrival(struct residency *residency, uint32_t allocation, uint32_t id,
                            const struct segment_place *place)
{
    set_planned(&residency->plan, allocation, true);
    enter(&residency->world, allocation, id, place);
    record(residency, allocation, ACTION_PLACE);
    residency->plan.placed_pages += copied_pages(&residency->world, allocation);
}

void residency_plan_placement(struct residency *residency, uint32_t allocation, uint32_t id, uint32_t first)
{
    const struct segment_place place = segment_place_at(&residency->world.map, id, first);
    residency_plan_arrival(residency, allocation, id, &place);
}

void residency_rollback(struct residency *residency, uint32_t count)
{
    struct plan *plan = &residency->plan;
    ASSERT(count <= plan->journal_count);
    while (plan->journal_count > count) {
        yield_if_late();
        uint32_t last = --plan->journal_count;
        uint32_t allocation = residency_action_allocation(plan, last);
        enum residency_action action = residency_action_kind(plan, last);
        if (action == ACTION_PLACE) plan->placed_pages -= copied_pages(&residency->world, allocation);
        if (action != ACTION_EVICT) {
            segment_remove(&residency->world.map, allocation);
            set_planned(plan, allocation, false);
        }
        if (action != ACTION_PLACE) restore(residency, allocation);
    }
}

/* What carrying out the journal's actions [first, end) adds to the client's pages in the segment, or takes away. */
static uint32_t change(const struct residency *residency, uint32_t id, uint32_t client, uint32_t first, uint32_t end)
{
    const struct plan *plan = &residency->plan;
    uint32_t pages = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t allocation = residency_action_allocation(plan, i);
        const struct allocation *entry = &residency->world.table.entry[allocation];
        const bool is_counted = residency_action_kind(plan, i) == ACTION_EVICT || entry->segment == 0u;
        yield_if_late();
        if (entry->client != client || !is_counted) continue; /* what comes again was counted when it left */
        if (residency->world.map.link[allocation].where == id) pages += entry->pages;
        if (entry->segment == id) pages -= entry->pages;
    }
    return pages;
}

uint32_t residency_held(const struct residency *residency, uint32_t id, uint32_t client)
{
    return client_part(&residency->world.clients, id, client)->held +
           change(residency, id, client, 0, residency->plan.journal_count);
}

/* Back in its place, does it leave its client within the maximum? The actions [kept, next) are none any more. */
static bool keeps_maximum(const struct residency *residency, uint32_t allocation, uint32_t kept, uint32_t next)
{
    const struct world *world = &residency->world;
    const struct plan *plan = &residency->plan;
    const struct allocation *entry = &world->table.entry[allocation];
    const struct client_part *part = client_part(&world->clients, entry->segment, entry->client);
    return part->held + change(residency, entry->segment, entry->client, 0, kept) +
               change(residency, entry->segment, entry->client, next, plan->journal_count) + entry->pages <=
           part->maximum;
}

/* Taken out and brought in again, it is where the table says that it still is. */
static bool is_at_old_place(const struct world *world, uint32_t allocation)
{
    const struct allocation *entry = &world->table.entry[allocation];
    const struct segment_link *link = &world->map.link[allocation];
    return link->where != 0u && link->where == entry->segment && link->first == entry->first_page;
}

/* No allocation has been given any page of the place where the allocation still is. */
static bool is_place_free(const struct world *world, const struct allocation *entry)
{
    uint32_t owner = segment_owner_from(&world->map, entry->segment, entry->first_page);
    return owner == world->map.none || world->map.link[owner].first >= (uint32_t)entry->first_page + entry->pages;
}

void residency_trim(struct residency *residency, uint32_t count)
{
    struct plan *plan = &residency->plan;
    struct world *world = &residency->world;
    uint32_t kept = count;
    for (uint32_t i = count; i < plan->journal_count; i++) {
        yield_if_late();
        uint32_t allocation = residency_action_allocation(plan, i);
        const struct allocation *entry = &world->table.entry[allocation];
        bool has_left = residency_action_kind(plan, i) == ACTION_EVICT && world->map.link[allocation].where == 0u;
        bool may_return = has_left && is_place_free(world, entry) &&
                          residency_keeps_limit(world, entry->segment, entry->pages) &&
                          (world->limits == CLIENT_LIMITS_NONE || keeps_maximum(residency, allocation, kept, i));
        const bool is_needless = residency_action_kind(plan, i) != ACTION_MOVE && is_at_old_place(world, allocation);
        if (may_return) {
            restore(residency, allocation);
        } else if (is_needless) {
            if (residency_action_kind(plan, i) == ACTION_PLACE) plan->placed_pages -= copied_pages(world, allocation);
            set_planned(plan, allocation, false);
        } else {
            plan->journal[kept++] = plan->journal[i];
        }
    }
    plan->journal_count = (uint16_t)kept;
}

/* ------------------------------------------------------------------ what may be evicted */

bool residency_is_evictable(const struct residency *residency, uint32_t allocation)
{
    const struct plan *plan = &residency->plan;
    const struct allocation *entry = &residency->world.table.entry[allocation];
    if (residency->world.map.link[allocation].where == 0u || plan->mark[allocation] != 0u) return false;
    if (residency_is_planned(plan, allocation) || residency_is_guarded(plan, allocation)) return false;
    return (entry->flags & ALLOCATION_STAYS) == 0u;
}

/* ------------------------------------------------------------------ carrying out */

/* The content of one that is pending destroy was dropped: a job that runs again begins with the pattern, or with the
 * host's pages, as the first time. (The job may have been taken back since that was planned.) Content that no
 * unfinished job has made is not asked for: placement.c makes sure of that. */
static void drop_content(struct residency *residency, uint32_t allocation)
{
    struct allocation *entry = &residency->world.table.entry[allocation];
    if ((entry->flags & ALLOCATION_UNSAVED) != 0u) allocation_set(entry, ALLOCATION_UNDEFINED);
    else if (!residency_is_own(residency, allocation)) allocation_lose(&residency->world.table, allocation);
}

/* Evicted, maybe for another context than its owner, or for another client. */
static void note_loss(struct residency *residency, const struct allocation *entry, uint32_t owner)
{
    struct world *world = &residency->world;
    const struct plan *plan = &residency->plan;
    if (owner != plan->planner) share_evicted(&world->shares, owner, plan->planner, entry->pages);
    if (entry->client == plan->planner_client || plan->planner_client == (uint32_t)CLIENT_LIMIT) return;
    client_gave_way(&world->clients, entry->client, plan->planner_client, entry->pages);
}

void residency_has_left(struct residency *residency, uint32_t allocation, bool is_discarded)
{
    struct world *world = &residency->world;
    struct allocation *entry = &world->table.entry[allocation];
    ASSERT(entry->segment != 0u);
    client_hold(&world->clients, entry->segment, entry->client, entry->pages, false);
    if (allocation_is_in_memory(&world->table, entry)) {
        const uint32_t owner = allocation_owner(entry);
        share_count(&world->shares, owner, entry->pages, false);
        if ((owner != residency->plan.planner || entry->client != residency->plan.planner_client) &&
            !residency_is_dead(residency, allocation))
            note_loss(residency, entry, owner);
    }
    entry->segment = 0;
    allocation_tell(&world->table, allocation);
    note_place(&residency->uses, allocation);
    if (is_discarded && entry->offer != 0u) entry->offer = OFFER_DISCARDED;
    if (is_discarded && (entry->flags & ALLOCATION_PENDING_DESTROY) != 0u) drop_content(residency, allocation);
    allocation_clear(entry, ALLOCATION_NEWER);
}

void residency_has_arrived(struct residency *residency, uint32_t allocation)
{
    struct world *world = &residency->world;
    struct allocation *entry = &world->table.entry[allocation];
    ASSERT(entry->segment == 0u && world->map.link[allocation].where != 0u);
    entry->segment = world->map.link[allocation].where & 15u;
    entry->first_page = world->map.link[allocation].first;
    client_hold(&world->clients, entry->segment, entry->client, entry->pages, true);
    allocation_tell(&world->table, allocation);
    set_planned(&residency->plan, allocation, false);
    bool is_in_memory = allocation_is_in_memory(&world->table, entry);
    bool is_filled = (entry->flags & ALLOCATION_UNDEFINED) != 0u && is_in_memory;
    if (is_in_memory) share_count(&world->shares, allocation_owner(entry), entry->pages, true);
    allocation_clear(entry, ALLOCATION_UNDEFINED);
    if (!is_filled) return;
    allocation_set(entry, ALLOCATION_NEWER); /* the pattern exists only in the segment */
    if (residency->uses.current != NULL) index_set_add(residency->uses.current->dirtied, allocation);
}

void residency_has_moved(struct residency *residency, uint32_t allocation)
{
    struct world *world = &residency->world;
    ASSERT(world->table.entry[allocation].segment == world->map.link[allocation].where);
    world->table.entry[allocation].first_page = world->map.link[allocation].first;
    allocation_tell(&world->table, allocation);
    note_place(&residency->uses, allocation);
    set_planned(&residency->plan, allocation, false);
}

void residency_finish(struct residency *residency)
{
    struct plan *plan = &residency->plan;
    plan->journal_count = 0;
    if (plan->planner == (uint32_t)NO_CONTEXT || plan->guarded != NULL)
        residency->outlook.news |= (uint32_t)NEWS_PLACES;
    plan->planner = NO_CONTEXT;
    plan->planner_client = CLIENT_LIMIT;
    plan->guarded = NULL;
}
