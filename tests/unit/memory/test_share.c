/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares of memory. Goal: every page is counted for the context that used it last; shares are what the budgets, the
 * weights and the last users of memory say; whoever is within its share loses nothing while others have more than
 * theirs. Method: random plans, kept and undone, beside a model that knows only who was named last; random holdings
 * beside a division of memory drop by drop; random memories, in which every place for an allocation is tried. SCH-12.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/placement.h"
#include "plan/residency.h"
#include "policy/lookahead_state.h"
#include "policy/policies.h"
#include "table_memory.h"

enum { OWNERS = 24, CONTEXTS = 4, MEMORY = 40, APERTURE = 12, INCOMING = OWNERS, SET_MEMORY = 1, SET_APERTURE = 2 };

static struct residency residency, before;
TABLE_MEMORY_KEEP
TABLE_MEMORY_BACK
static struct share_table table;
static uint32_t random_state = 99;

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

static void add(uint32_t index, uint32_t pages, uint32_t set)
{
    residency.world.table.entry[index] =
        (struct allocation){.flags = (uint16_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = (uint8_t)set};
    residency.world.table.details[index] =
        (struct allocation_details){.priority = 0x78000000u, .write_set = (uint8_t)set};
    if (residency.world.table.free_head != index) return; /* not the first of its kind */
    residency.world.table.free_head++;
    residency.world.table.live_count++;
    residency.world.table.of_client[0]++;
}

/* One memory segment and an aperture, CONTEXTS contexts of priority 0. */
static void open_memory(void)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {MEMORY, APERTURE};
    residency_init(&residency, table_memory(), sizes, 1000);
    allocation_table_set_apertures(&residency.world.table, SET_APERTURE, APERTURE);
    for (uint32_t i = 0; i < CONTEXTS; i++) share_open(&residency.world.shares, i, SHARE_WEIGHT);
}

static void begin_plan(uint32_t context)
{
    residency_set_policy(&residency, &policy_lookahead);
    residency_begin(&residency, 1, 0);
    policy_lookahead.foresee(&residency, &residency.policy_state, NULL, 0, 0, 0);
    residency.plan.planner = context;
    share_use(&residency.world.shares, context);
}

/* ------------------------------------------------------------------ counting */

/* Who was named last, and what contexts have lost and taken. */
struct model {
    uint16_t owner[OWNERS];
    uint32_t lost[CONTEXTS], taken[CONTEXTS];
};

static void check_counts(const struct model *model)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i <= (uint32_t)CONTEXT_LIMIT; i++) {
        const uint32_t context = i < (uint32_t)CONTEXT_LIMIT ? i : NO_CONTEXT;
        const struct share *share =
            i < (uint32_t)CONTEXT_LIMIT ? &residency.world.shares.entry[i] : &residency.world.shares.nobody;
        uint32_t pages = 0;
        for (uint32_t k = 0; k < OWNERS; k++)
            if (model->owner[k] == context && residency.world.table.entry[k].segment == 1u)
                pages += residency.world.table.entry[k].pages;
        CHECK_EQUAL(share->pages, pages);
        CHECK_EQUAL(share->lost, context < CONTEXTS ? model->lost[context] : 0);
        CHECK_EQUAL(share->taken, context < CONTEXTS ? model->taken[context] : 0);
        all += pages;
    }
    CHECK_EQUAL(residency.world.shares.pages, all);
}

/* A context names something; the plan may be undone. */
static uint32_t name_one(struct model *model, uint32_t context)
{
    uint32_t i = pick(OWNERS), length = residency.plan.journal_count, undone = 0;
    model->owner[i] = (uint16_t)context;
    residency_mark(&residency, i, MARK_READ);
    check_counts(model);
    if (!placement_require(&residency, i, false) || pick(4) == 0) {
        undone = residency.plan.journal_count - length;
        residency_rollback(&residency, length);
        if (residency.world.map.link[i].where == 0) residency_unmark(&residency, i);
    }
    check_counts(model);
    return undone;
}

/* The plan is carried out: who loses, and to whom. */
static uint32_t carry_out_counted(struct model *model, uint32_t context)
{
    uint32_t pages = 0;
    for (uint32_t k = 0; k < residency.plan.journal_count; k++) {
        uint32_t i = residency_action_allocation(&residency.plan, k), owner = model->owner[i];
        if (residency_action_kind(&residency.plan, k) != ACTION_EVICT || residency.world.table.entry[i].segment != 1)
            continue;
        if (owner == context || owner == NO_CONTEXT) continue;
        model->lost[owner] += residency.world.table.entry[i].pages;
        model->taken[context] += residency.world.table.entry[i].pages;
        pages += residency.world.table.entry[i].pages;
    }
    carry_out(&residency);
    check_counts(model);
    return pages;
}

/* A context goes; another takes its place, and nothing of what it had. */
static void replace_context(struct model *model, uint32_t context)
{
    residency_disown(&residency.world, context);
    for (uint32_t i = 0; i < OWNERS; i++)
        if (model->owner[i] == context) model->owner[i] = NO_CONTEXT;
    share_close(&residency.world.shares, context);
    share_open(&residency.world.shares, context, SHARE_WEIGHT);
    model->lost[context] = model->taken[context] = 0;
    check_counts(model);
}

static void test_counts(void)
{
    struct model model = {.lost = {0}};
    uint32_t taken = 0, undone = 0;
    open_memory();
    for (uint32_t i = 0; i < OWNERS; i++) model.owner[i] = NO_CONTEXT;
    for (uint32_t i = 0; i < OWNERS; i++) add(i, 1 + pick(5), pick(4) == 0 ? SET_APERTURE : SET_MEMORY);
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t context = pick(CONTEXTS), count = 1 + pick(4);
        begin_plan(context);
        for (uint32_t k = 0; k < count; k++) undone += name_one(&model, context);
        taken += carry_out_counted(&model, context);
        if (pick(50) == 0) replace_context(&model, context);
        CHECK(residency_check(&residency));
    }
    CHECK(taken > 1000 && undone > 1000);
    residency.world.shares.entry[0].pages++; /* the validator sees one page too many */
    CHECK(!residency_check(&residency));
}

/* ------------------------------------------------------------------ shares */

static void test_shares(void)
{
    share_init(&table, table_memory());
    share_open(&table, 3, SHARE_WEIGHT);
    share_open(&table, 9, SHARE_WEIGHT);
    share_open(&table, 20, SHARE_WEIGHT / 2);
    CHECK_EQUAL(share_of(&table, 3, 1000), 0); /* nobody has used memory */
    share_use(&table, 3);
    CHECK_EQUAL(share_of(&table, 3, 1000), 1000);
    CHECK_EQUAL(share_of(&table, 9, 1000), 0);
    share_use(&table, 9);
    CHECK_EQUAL(share_of(&table, 3, 1000), 500);
    share_use(&table, 20);
    CHECK_EQUAL(share_of(&table, 3, 1000), 400);
    CHECK_EQUAL(share_of(&table, 20, 1000), 200);
    share_set_budget(&table, 9, 700);
    CHECK_EQUAL(share_of(&table, 9, 1000), 700);
    CHECK_EQUAL(share_of(&table, 3, 1000), 200);
    CHECK_EQUAL(share_of(&table, 20, 1000), 100);
    share_set_budget(&table, 20, 700); /* more than there is */
    CHECK_EQUAL(share_of(&table, 3, 1000), 0);
    share_set_budget(&table, 9, 0);
    share_set_budget(&table, 20, 0);
    for (uint32_t i = 0; i < (uint32_t)SHARE_TURNS - 1u; i++) share_use(&table, 9);
    CHECK_EQUAL(share_of(&table, 20, 1000), 1000 / 3); /* its last DMA buffer is just one of the last */
    share_use(&table, 9);
    CHECK_EQUAL(share_of(&table, 20, 1000), 0);
    for (uint32_t i = 0; i < table.contexts; i++) share_use(&table, 9);
    CHECK(table.turn - table.entry[20].used_at < SHARE_TURNS + table.contexts); /* however long it has not come */
    CHECK(share_check(&table));
    share_close(&table, 9);
    CHECK_EQUAL(share_of(&table, 9, 1000), 0);
    CHECK(FAKE_STOPS(share_count(&table, 3, 1, false)));
}

/* Memory handed out in drops: each to the context that has the least for its weight, of those who want more. Budgets
 * are served first. */
enum { DROP_CONTEXTS = 6, DROPS = 64 /* a page's */, WEIGHTS = 15 };

static void divide(uint32_t planner, uint32_t has[DROP_CONTEXTS])
{
    uint32_t left = table.pages;
    for (uint32_t i = 0; i < DROP_CONTEXTS; i++) {
        const struct share *share = &table.entry[i];
        uint32_t claim = i == planner ? share->budget : min_u32(share->budget, share->pages);
        left -= min_u32(claim, left);
        has[i] = share->budget * (uint32_t)DROPS;
    }
    for (left *= (uint32_t)DROPS; left != 0; left--) {
        uint32_t next = DROP_CONTEXTS;
        for (uint32_t i = 0; i < DROP_CONTEXTS; i++) {
            const struct share *share = &table.entry[i];
            if (share->budget != 0 || (i != planner && has[i] >= share->pages * (uint32_t)DROPS)) continue;
            if (next == DROP_CONTEXTS || has[i] * table.entry[next].weight < has[next] * share->weight) next = i;
        }
        if (next == DROP_CONTEXTS) return;
        has[next]++;
    }
}

static void hold_at_random(void)
{
    share_init(&table, table_memory());
    for (uint32_t i = 0; i < DROP_CONTEXTS; i++) {
        share_open(&table, i, 1 + pick(WEIGHTS));
        share_use(&table, i);
        if (pick(3) == 0) share_set_budget(&table, i, 1 + pick(60));
        share_count(&table, i, pick(2) == 0 ? pick(8) : pick(80), true);
    }
}

static void test_division(void)
{
    CASE("SCH-12");
    uint32_t protected = 0, exceeding = 0, close = 0;
    for (uint32_t round = 0; round < 300; round++) {
        uint32_t planner = pick(DROP_CONTEXTS), need = 1 + pick(8), has[DROP_CONTEXTS];
        hold_at_random();
        divide(planner, has);
        share_review(&table, planner, 0, need);
        for (uint32_t i = 0; i < DROP_CONTEXTS && share_has_protected(&table); i++) {
            uint32_t wants = (table.entry[i].pages + (i == planner ? need : 0)) * (uint32_t)DROPS;
            bool is_close = wants + WEIGHTS > has[i] && wants < has[i] + WEIGHTS && wants != has[i];
            close += is_close; /* a drop more or less decides */
            if (!is_close) CHECK_EQUAL(share_is_protected(&table, i), wants <= has[i]);
            protected += share_is_protected(&table, i);
            exceeding += !share_is_protected(&table, i);
        }
        table.is_off = true;
        share_review(&table, planner, 0, need);
        CHECK(!share_has_protected(&table));
    }
    CHECK(protected > 300 && exceeding > 300 && close < 100);
}

/* While the planner goes on, whoever has held more than its share is not protected, and nobody is who would not be
 * otherwise; budgets hold as ever. */
static void test_going_on(void)
{
    uint32_t protected = 0, less = 0;
    share_init(&table, table_memory());
    for (uint32_t i = 0; i < 4; i++) {
        share_open(&table, i, SHARE_WEIGHT);
        share_use(&table, i);
    }
    share_count(&table, 0, 70, true);
    share_count(&table, 1, 70, true);
    share_count(&table, 1, 40, false); /* has lost some of its set */
    share_count(&table, 2, 10, true);
    share_set_budget(&table, 3, 20);
    share_count(&table, 3, 40, true);
    share_count(&table, 3, 20, false);
    table.has_more = true;
    share_review(&table, 0, 0, 1);
    CHECK(!share_is_protected(&table, 0) && !share_is_protected(&table, 1));
    CHECK(share_is_protected(&table, 2) && share_is_protected(&table, 3));
    table.has_more = false;
    share_review(&table, 0, 0, 1);
    CHECK(!share_is_protected(&table, 0) && share_is_protected(&table, 1));
    share_count(&table, 0, 70, false); /* all that it has is its plan's */
    share_review(&table, 0, 70, 1);
    CHECK(!share_is_protected(&table, 0) && share_is_protected(&table, 1));
    share_count(&table, 0, 70, true);
    table.has_more = true;
    share_use(&table, 1); /* a new DMA buffer, that has needed no more */
    share_review(&table, 0, 0, 1);
    CHECK(share_is_protected(&table, 1));
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t planner = pick(DROP_CONTEXTS), need = 1 + pick(8);
        hold_at_random();
        for (uint32_t i = 0; i < DROP_CONTEXTS; i++) table.entry[i].peak += pick(2) == 0 ? 0 : pick(60);
        table.has_more = false;
        share_review(&table, planner, 0, need);
        const uint32_t content = table.protected[0];
        table.has_more = true;
        share_review(&table, planner, 0, need);
        for (uint32_t i = 0; i < DROP_CONTEXTS && content != 0; i++) {
            if (i != planner) CHECK(bit_is_set(&content, i) || !share_is_protected(&table, i));
            if (i != planner && table.entry[i].budget != 0)
                CHECK_EQUAL(share_is_protected(&table, i), bit_is_set(&content, i));
            protected += share_is_protected(&table, i);
            less += bit_is_set(&content, i) && !share_is_protected(&table, i);
        }
    }
    CHECK(protected > 1000 && less > 500);
}

/* ------------------------------------------------------------------ who leaves */

/* Is there a place that nobody protected, marked or pinned stands in? */
static bool has_free_choice(uint32_t pages)
{
    for (uint32_t at = 0; at + pages <= MEMORY; at++) {
        bool is_good = true;
        for (uint32_t i = 0; i < OWNERS; i++) {
            const struct allocation *entry = &residency.world.table.entry[i];
            bool stands_in = residency.world.map.link[i].where == 1u &&
                             residency.world.map.link[i].first < at + pages &&
                             residency.world.map.link[i].first + residency.world.map.link[i].count > at;
            bool stays = residency.plan.mark[i] != 0 || (entry->flags & ALLOCATION_PINNED) != 0 ||
                         (share_is_protected(&residency.world.shares, allocation_owner(entry)) && entry->offer == 0);
            is_good = is_good && !(stands_in && stays);
        }
        if (is_good) return true;
    }
    return false;
}

static void fill_memory(void)
{
    open_memory();
    for (uint32_t i = 0; i < OWNERS; i++) {
        add(i, 1 + pick(4), SET_MEMORY);
        begin_plan(pick(3) != 0 ? 0 : pick(CONTEXTS));
        residency_mark(&residency, i, MARK_READ);
        struct segment_request request = {residency.world.table.entry[i].pages, 1, false};
        struct segment_place place;
        if (segment_find_hole(&residency.world.map, 1, &request, &place))
            CHECK(placement_require(&residency, i, false));
        carry_out(&residency);
        if (pick(8) == 0) residency.world.table.entry[i].flags |= (uint16_t)ALLOCATION_PINNED;
        residency.world.table.details[i].priority += pick(3); /* shares come before priorities */
        if (pick(8) == 0) residency.world.table.entry[i].offer = 1;
    }
    for (uint32_t i = 0; i < CONTEXTS; i++)
        if (pick(3) == 0) share_set_budget(&residency.world.shares, i, 1 + pick(MEMORY));
}

static void test_within_share(void)
{
    uint32_t kept = 0, exhausted = 0;
    for (uint32_t round = 0; round < 4000; round++) {
        fill_memory();
        begin_plan(pick(CONTEXTS));
        for (uint32_t i = 0; i < OWNERS; i++) {
            if (pick(5) == 0 && residency.world.map.link[i].where != 0) residency_mark(&residency, i, MARK_READ);
            if (pick(2) != 0) lookahead_of(&residency.policy_state)->next_use[i] = (uint16_t)(1 + pick(20));
        }
        add(INCOMING, 1 + pick(6), SET_MEMORY);
        residency_mark(&residency, INCOMING, MARK_READ);
        table_memory_keep(&before, &residency, sizeof residency);
        struct segment_request request = {residency.world.table.entry[INCOMING].pages, 1, false};
        struct segment_place place;
        bool has_hole = segment_find_hole(&before.world.map, 1, &request, &place), is_off = pick(4) == 0;
        residency.world.shares.is_off = is_off;
        bool is_placed = placement_require(&residency, INCOMING, false);
        uint32_t protected = 0;
        for (uint32_t k = 0; k < residency.plan.journal_count; k++) {
            const struct allocation *entry =
                &residency.world.table.entry[residency_action_allocation(&residency.plan, k)];
            bool is_evicted = residency_action_kind(&residency.plan, k) == ACTION_EVICT;
            protected +=
                is_evicted && entry->offer == 0 && share_is_protected(&residency.world.shares, allocation_owner(entry));
        }
        residency_rollback(&residency, 0);
        if (has_hole || !is_placed) continue;
        CHECK(!is_off || !share_has_protected(&residency.world.shares));
        if (!share_has_protected(&residency.world.shares)) continue;
        if (has_free_choice(request.pages)) CHECK_EQUAL(protected, 0);
        kept += protected == 0;
        exhausted += protected != 0;
    }
    CHECK(kept > 500 && exhausted > 50);
}

/* An allocation is never refused for a share: wherever it is placed without shares, it is with them. */
static void test_refuses_nothing(void)
{
    CASE("SCH-12");
    uint32_t placed = 0, refused = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        fill_memory();
        begin_plan(pick(CONTEXTS));
        for (uint32_t i = 0; i < OWNERS; i++)
            if (pick(2) == 0 && residency.world.map.link[i].where != 0) residency_mark(&residency, i, MARK_READ);
        add(INCOMING, 1 + pick(8), SET_MEMORY);
        residency_mark(&residency, INCOMING, MARK_READ);
        table_memory_keep(&before, &residency, sizeof residency);
        bool fits = placement_require(&residency, INCOMING, false);
        table_memory_back(&residency, &before, sizeof residency);
        residency.world.shares.is_off = true;
        bool fits_off = placement_require(&residency, INCOMING, false);
        CHECK(fits || !fits_off);
        placed += fits;
        refused += !fits;
    }
    CHECK(placed > 500 && refused > 50);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_counts);
    CHECK_RUN(test_shares);
    CHECK_RUN(test_division);
    CHECK_RUN(test_going_on);
    CHECK_RUN(test_within_share);
    CHECK_RUN(test_refuses_nothing);
    return check_finish();
}
