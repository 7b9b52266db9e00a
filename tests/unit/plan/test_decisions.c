/* SPDX-License-Identifier: Apache-2.0
 *
 * What planning decides, held exactly. Goal: a change of the planner or of a policy that decides anything else shows,
 * and the validators hold after every portion. Method: random worlds with three segments, alignments, priorities,
 * offers, pins, shares, commit limits and a queue that the policy sees; what every portion evicts, places and moves is
 * counted, and its order and places go into a digest. decisions.h has what is expected; `make decisions` takes it again
 * after a change that is meant.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "decisions.h"
#include "fake_hal.h"
#include "plan/residency.h"
#include "plan/splitter.h"
#include "policy/policies.h"
#include "table_memory.h"

enum {
    LIST = 0x4000,
    SYSTEM_PAGES = 4000,
    OBJECTS = 44,
    CONTEXTS = 4,
    ENTRIES = 48,
    QUEUE = 3,
    JOBS = 900,
    WORLD = 30
};

static struct residency residency;
static struct splitter splitter;
static struct queued {
    struct job job;
    struct patch patches[ENTRIES];
} queue[QUEUE];
static uint32_t state, fence, object[OBJECTS];
static struct decisions seen;

static uint32_t pick(uint32_t limit) { return check_pick(&state, limit); }
static void note(uint32_t word) { seen.digest = (seen.digest ^ word) * 16777619u + (seen.digest >> 27); }

/* ------------------------------------------------------------------ worlds */

static uint32_t create(void)
{
    static const uint32_t sets[] = {1, 2, 3, 3, 3, 7, 7, 4, 6, 5}, alignments[] = {0, 0, 0, 8192, 16384};
    uint32_t message[MESSAGE_WORDS] = {0}, handle, index, set = sets[pick(10)];
    struct refusal why;
    message[MSG_CREATE_ALLOCATION_BYTES] = (1 + pick(pick(4) == 0 ? 7 : 3)) * 4096u;
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | (pick(5) == 0 ? (uint32_t)ALLOCATION_FROM_END : 0u);
    message[MSG_CREATE_ALLOCATION_PREFERRED] = pick(3) == 0 ? lowest_bit(set) + 1u : 0u;
    message[MSG_CREATE_ALLOCATION_READ_SET] = set;
    message[MSG_CREATE_ALLOCATION_WRITE_SET] = pick(4) == 0 ? set & (0u - set) : set;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = pick(4) == 0 ? 0xA0000000u + pick(3) : 0x78000000u + pick(3);
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = alignments[pick(5)];
    message[MSG_CREATE_ALLOCATION_PAGES] = LIST;
    CHECK(allocation_create(&residency.world.table, message, &handle, &why));
    CHECK(allocation_find(&residency.world.table, handle, &index));
    return index;
}

static void open_world(const struct decisions_of *of)
{
    const uint16_t pages[SEGMENT_LIMIT] = {(uint16_t)(12 + pick(12)), (uint16_t)(20 + pick(24)),
                                           (uint16_t)(8 + pick(12))};
    const uint32_t cycles[SEGMENT_LIMIT] = {200, pick(2) == 0 ? 0u : 900u, 400};
    residency_init(&residency, table_memory(), pages, SYSTEM_PAGES);
    allocation_table_set_apertures(&residency.world.table, 4, pick(2) == 0 ? pages[2] : 8u);
    residency_set_page_cycles(&residency.outlook, cycles);
    residency_set_policy(&residency, of->policy == POLICY_LITERAL ? &policy_literal : &policy_lookahead);
    residency.outlook.is_timed = of->is_timed;
    residency.outlook.bottleneck = of->bottleneck;
    residency.outlook.copy_cycles = 2000;
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        share_open(&residency.world.shares, i, 1 + pick(12));
        if (pick(6) == 0) share_set_budget(&residency.world.shares, i, 1 + pick(20));
    }
    for (uint32_t i = 0; i < OBJECTS; i++) object[i] = create();
    fence = 0xffffff00u + pick(400); /* it wraps in some */
}

/* Mostly of its context's own objects, in groups, with unbinds. */
static void fill_job(struct queued *queued)
{
    uint32_t context = pick(CONTEXTS), word = pick(4) == 0 ? 4 : 0, slots = 1 + pick(8), count = 1 + pick(ENTRIES);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = context * (OBJECTS / CONTEXTS) + pick(OBJECTS / CONTEXTS), other = pick(OBJECTS);
        if (pick(3) != 0) word += 4 * pick(3);
        queued->patches[i] =
            (struct patch){.allocation = (uint16_t)(pick(9) == 0 ? PATCH_NULL : object[pick(5) == 0 ? other : own]),
                           .patch_word = (uint16_t)(word + 1) & 0x7fffu,
                           .split_word = (uint16_t)word,
                           .slot = pick(slots) & (SLOT_LIMIT - 1u),
                           .flags = pick(3) == 0 ? (uint32_t)PATCH_WRITE : 0u};
        queued->patches[i].is_written = queued->patches[i].flags != 0u && pick(2) == 0;
    }
    queued->job =
        (struct job){.dma_words = word + 8, .patches = queued->patches, .patch_count = count, .context = context};
}

/* Between jobs the host does this and that. */
static void disturb(void)
{
    const uint32_t i = object[pick(OBJECTS)];
    struct allocation *entry = &residency.world.table.entry[i];
    switch (pick(6)) {
    case 0: residency_set_priority(&residency, i, 0x70000000u + pick(1u << 29), entry->offer); break;
    case 1: residency_set_priority(&residency, i, residency.world.table.details[i].priority, pick(4)); break;
    case 2:
        if (entry->segment == 0u) break;
        residency_begin(&residency, fence + 1, 0);
        residency_plan_eviction(&residency, i);
        carry_out(&residency);
        break;
    case 3: residency.world.shares.is_off = !residency.world.shares.is_off; break;
    case 4:
        if ((entry->flags & ALLOCATION_PINNED) == 0u && pick(3) != 0) break;
        entry->flags = (uint16_t)(entry->flags ^ (uint32_t)ALLOCATION_PINNED);
        break;
    default: residency_note_job(&residency, &queue[0].job); break;
    }
}

/* ------------------------------------------------------------------ plans */

static void note_plan(const struct portion *portion)
{
    for (uint32_t i = 0; i < residency.plan.journal_count; i++) {
        const uint32_t allocation = residency_action_allocation(&residency.plan, i);
        const enum residency_action kind = residency_action_kind(&residency.plan, i);
        const struct segment_link *link = &residency.world.map.link[allocation];
        const uint32_t pages = residency.world.table.entry[allocation].pages;
        *(kind == ACTION_EVICT ? &seen.evicted : kind == ACTION_PLACE ? &seen.placed : &seen.moved) += pages;
        note(residency.plan.journal[i]);
        note((uint32_t)link->where << 16 | link->first);
    }
    note(portion->end_word << 16 | portion->entry_count);
    note(residency.plan.portion_pages << 16 | residency.plan.placed_pages);
    seen.portions++;
}

/* As the scheduler submits it. */
static void submit(void)
{
    carry_out(&residency);
    fence++;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        struct allocation *entry = &residency.world.table.entry[object[i]];
        if (residency.plan.mark[object[i]] == 0u) continue;
        entry->last_fence = fence;
        if ((residency.plan.mark[object[i]] & MARK_DIRTIES) != 0u &&
            allocation_is_in_memory(&residency.world.table, entry))
            allocation_set(entry, ALLOCATION_DIRTY);
    }
    CHECK(residency_check(&residency));
}

static uint32_t known;

static void survey(struct residency *of)
{
    CHECK(of == &residency);
    uint32_t time = 0;
    for (uint32_t i = 0; i < known; i++) time += queue[i].job.patch_count;
    residency.policy->foresee(&residency, &residency.policy_state, NULL, 0, 0, time);
    for (uint32_t i = known; i-- > 1;) {
        time -= queue[i].job.patch_count;
        residency.policy->foresee(&residency, &residency.policy_state, &queue[i].job, 0, queue[i].job.patch_count,
                                  time);
    }
    residency.policy->foresee(&residency, &residency.policy_state, &queue[0].job, splitter.told_entry,
                              queue[0].job.patch_count, 0);
    residency.outlook.future = FUTURE_KNOWN;
}

/* So many jobs are known when room is made next. */
static void foresee(uint32_t jobs)
{
    known = jobs;
    carry_out_survey = survey;
    if (policy_looks_ahead(residency.policy)) residency.outlook.news |= NEWS_QUEUE;
}

static void plan_job(void)
{
    const struct job *job = &queue[0].job;
    const struct splitter_modes modes = {pick(12) == 0, pick(12) == 0, pick(4) == 0, false, false, NULL, NULL};
    struct portion portion = {0};
    struct refusal why;
    share_use(&residency.world.shares, job->context);
    splitter_init(&splitter);
    foresee(1 + pick(QUEUE));
    do {
        residency.outlook.retired_fence = residency.uses.over_fence = fence - pick(3);
        residency.outlook.split_pages = pick(3) * 8;
        residency.outlook.portion_limit = pick(4) == 0 ? 4 + pick(12) : 0;
        residency.outlook.is_careful = residency.outlook.bottleneck != BOTTLENECK_FIRMWARE && pick(2) == 0;
        if (pick(8) == 0) foresee(QUEUE);
        if (!plan_portion(&splitter, job, &residency, fence + 1, &modes, &portion, &why)) {
            CHECK_EQUAL(residency.plan.journal_count, 0);
            CHECK(residency_check(&residency));
            note(why.status << 16 | why.detail);
            seen.refused++;
            return;
        }
        note_plan(&portion);
        submit();
    } while (!portion.is_last);
}

static void decide(const struct decisions_of *of)
{
    state = 2026;
    seen = (struct decisions){.digest = 1};
    for (uint32_t i = 0; i < QUEUE; i++) fill_job(&queue[i]);
    for (uint32_t i = 0; i < JOBS; i++) {
        if (i % WORLD == 0) {
            open_world(of);
            for (uint32_t k = 0; k < QUEUE; k++) fill_job(&queue[k]);
        }
        if (pick(3) == 0) disturb();
        plan_job();
        for (uint32_t k = 0; k + 1 < QUEUE; k++) {
            queue[k] = queue[k + 1];
            queue[k].job.patches = queue[k].patches;
        }
        fill_job(&queue[QUEUE - 1]);
    }
    for (uint32_t i = 0; i < CONTEXT_LIMIT; i++)
        note(residency.world.shares.entry[i].taken << 16 | residency.world.shares.entry[i].lost);
    note(residency.policy_state.candidates);
}

static void test_decisions(void)
{
    for (uint32_t i = 0; i < DECISIONS; i++) {
        const struct decisions_of *of = &decisions_of[i];
        decide(of);
        CHECK_EQUAL(seen.portions, of->expected.portions);
        CHECK_EQUAL(seen.refused, of->expected.refused);
        CHECK_EQUAL(seen.evicted, of->expected.evicted);
        CHECK_EQUAL(seen.placed, of->expected.placed);
        CHECK_EQUAL(seen.moved, of->expected.moved);
        CHECK_EQUAL(seen.digest, of->expected.digest);
    }
}

static void print_decisions(void)
{
    static const char *const names[] = {
        [BOTTLENECK_FIRMWARE] = "FIRMWARE", [BOTTLENECK_NODES] = "NODES", [BOTTLENECK_BUS] = "BUS"};
    for (uint32_t i = 0; i < DECISIONS; i++) {
        const struct decisions_of *of = &decisions_of[i];
        decide(of);
        printf("    {POLICY_%s, %d, BOTTLENECK_%s, {%lu, %lu, %lu, %lu, %lu, 0x%08lxu}},\n",
               of->policy == POLICY_LITERAL ? "LITERAL" : "LOOKAHEAD", of->is_timed, names[of->bottleneck],
               (unsigned long)seen.portions, (unsigned long)seen.refused, (unsigned long)seen.evicted,
               (unsigned long)seen.placed, (unsigned long)seen.moved, (unsigned long)seen.digest);
    }
}

/* With any argument: what decisions.h has to hold. */
int main(int count, char **arguments)
{
    (void)arguments;
    fake_hal_reset();
    for (uint32_t i = 0; i < 64; i++) fake_hal.system[LIST / 4 + i] = 100 + i;
    if (count > 1) CHECK_RUN(print_decisions);
    else CHECK_RUN(test_decisions);
    return check_finish();
}
