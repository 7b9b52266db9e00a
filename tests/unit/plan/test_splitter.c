/* SPDX-License-Identifier: Apache-2.0
 *
 * The splitter against an oracle written from the documents' section on splitting, not from its code. Goal:
 * every portion is legal and no buffer fails that has a solution. Method: 20,000 random buffers in tiny
 * memories; the oracle keeps what the engine keeps, the address each slot was loaded with, and checks it
 * wherever commands run.
 * SPL-02, SPL-04, SPL-06..SPL-15, SPL-17, SPL-21..SPL-27, SCH-13; the fourteen notes of the model's 4.6.
 */
#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "foresee.h"
#include "plan/splitter.h"
#include "policy/eviction_cost.h"
#include "policy/policies.h"
#include "random_policy.h"
#include "table_memory.h"

enum { ENTRIES = 24, OBJECTS = 10, NOT_LOADED = -1 };
#ifdef __riscv
enum { BUFFERS = 1500 }; /* under an emulator: what is another there is the compiler */
#else
enum { BUFFERS = 20000 };
#endif

static struct residency residency;
static struct splitter splitter;
static struct patch patches[ENTRIES];
static struct job job;
static uint32_t random_state, memory_pages, fence, moves, censuses, rebound;

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

/* ------------------------------------------------------------------ a world of one segment */

static void add_object(uint32_t index, uint32_t pages)
{
    struct allocation *entry = &residency.world.table.entry[index];
    *entry = (struct allocation){
        .flags = (uint32_t)ALLOCATION_EXISTS, .pages = (uint16_t)pages, .read_set = 1, .last_fence = fence};
    residency.world.table.details[index] = (struct allocation_details){.priority = 0x78000000u, .write_set = 1};
}

static void open_world(uint32_t pages, uint32_t objects)
{
    const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)pages, 1, 1};
    memory_pages = pages;
    residency_init(&residency, table_memory(), sizes, 1000);
    residency_set_policy(&residency, &policy_literal);
    for (uint32_t i = 0; i < objects; i++) add_object(i, 1 + pick(3));
}

/* A random list: offsets rise by 0 (same group) or more, a few unbinds, slots from a small set. */
static void random_job(uint32_t objects)
{
    uint32_t count = 1 + pick(ENTRIES), word = pick(4) == 0 ? 4 : 0, slots = 1 + pick(4);
    for (uint32_t i = 0; i < count; i++) {
        if (pick(3) != 0) word += 4 * pick(3);
        bool is_unbind = pick(8) == 0;
        patches[i] = (struct patch){.allocation = is_unbind ? (uint16_t)PATCH_NULL : (uint16_t)pick(objects),
                                    .patch_word = (uint16_t)(word + 1) & 0x7fffu,
                                    .split_word = (uint16_t)word,
                                    .slot = pick(slots) & (SLOT_LIMIT - 1u),
                                    .flags = pick(2) & 1u};
    }
    job = (struct job){.dma_words = word + 8, .patches = patches, .patch_count = count};
}

/* Nothing is copied out and in again to where it was. (Where the firmware limits, room is made for several at once, and
 * one who leaves for it may turn out to be needed.) */
static void check_journal(void)
{
    for (uint32_t i = 0; i < residency.plan.journal_count && residency.outlook.bottleneck != BOTTLENECK_FIRMWARE; i++) {
        const uint32_t object = residency_action_allocation(&residency.plan, i);
        const struct allocation *entry = &residency.world.table.entry[object];
        const struct segment_link *link = &residency.world.map.link[object];
        CHECK(link->where == 0 || link->where != entry->segment || link->first != entry->first_page);
    }
}

/* What paging does with the journal, and what the scheduler does at submission. */
static void end_plan(void)
{
    check_journal();
    moves += carry_out(&residency);
    fence++;
    for (uint32_t i = 0; i < OBJECTS; i++)
        if (residency.plan.mark[i] != 0) {
            residency.world.table.entry[i].last_fence = fence;
            bool is_written = (residency.plan.mark[i] & MARK_WRITE) != 0;
            if (is_written) residency.world.table.entry[i].flags |= (uint32_t)ALLOCATION_DIRTY;
        }
}

/* The objects are put into the table by hand, so only map and table are compared. */
static void check_world(void)
{
    CHECK(segment_check(&residency.world.map));
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const struct allocation *entry = &residency.world.table.entry[i];
        CHECK_EQUAL(residency.world.map.link[i].where, entry->segment);
        if (entry->segment != 0) CHECK_EQUAL(residency.world.map.link[i].first, entry->first_page);
    }
}

/* Every allocation's next use is the first in the patch list after the portions planned, once room has been made. */
static void check_future(uint32_t next_entry)
{
    enum { UNTOLD = 0x12345678 };
    uint16_t next_use[OBJECTS];
    fake_hal.traced[TRACE_NEXT_USE] = UNTOLD;
    if (residency.policy != &policy_lookahead || (residency.outlook.news & NEWS_QUEUE) != 0 ||
        residency.outlook.future == FUTURE_STALE) {
        residency_trace_next_use(&residency, 0, true);
        CHECK_EQUAL(fake_hal.traced[TRACE_NEXT_USE], UNTOLD);
        return;
    }
    for (uint32_t i = 0; i < OBJECTS; i++) next_use[i] = NEXT_USE_UNKNOWN;
    for (uint32_t i = job.patch_count; i-- > next_entry;)
        if (patches[i].allocation != PATCH_NULL) next_use[patches[i].allocation] = (uint16_t)i;
    for (uint32_t i = 0; i < OBJECTS; i++) CHECK_EQUAL(lookahead_of(&residency.policy_state)->next_use[i], next_use[i]);
    CHECK_EQUAL(lookahead_of(&residency.policy_state)->now, next_entry);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const uint32_t ahead = next_use[i] == NEXT_USE_UNKNOWN ? 0u : next_use[i] - next_entry + 1u;
        residency_trace_next_use(&residency, i, i % 2u != 0u);
        CHECK_EQUAL(fake_hal.traced[TRACE_NEXT_USE], ahead | i % 2u << 31);
    }
}

/* Prices that are kept count just the residents that may leave, each by its price and pages. */
static void check_census(void)
{
    uint32_t leaving[STEP_COUNT] = {0};
    if (residency.policy != &policy_lookahead || (residency.outlook.news & NEWS_QUEUE) != 0) return;
    const struct lookahead *lookahead = lookahead_of(&residency.policy_state);
    const struct price_list *list = &lookahead->prices[0];
    if (!list->is_kept) return;
    for (uint32_t i = residency.world.map.segment[0].head; i != residency.world.map.none;
         i = residency.world.map.link[i].next)
        if (residency.plan.mark[i] == 0 && lookahead->price[i] < STEP_COUNT)
            leaving[lookahead->price[i]] += residency.world.map.link[i].count;
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        CHECK_EQUAL(list->leaving[step], leaving[step]);
        CHECK(leaving[step] == 0 || step >= list->lowest);
    }
    censuses++;
}

/* ------------------------------------------------------------------ the oracle */

struct engine {
    int32_t object[SLOT_LIMIT]; /* what is bound, -1 = nothing */
    int32_t loaded[SLOT_LIMIT]; /* the page the engine's register was loaded with */
};

static int32_t place_of(uint32_t object)
{
    const struct allocation *entry = &residency.world.table.entry[object];
    return entry->segment == 0 ? NOT_LOADED : (int32_t)entry->first_page;
}

/* Commands run here: every bound slot must point at where its allocation is. */
static void check_registers(const struct engine *engine)
{
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        if (engine->object[slot] < 0) continue;
        CHECK(place_of((uint32_t)engine->object[slot]) != NOT_LOADED);
        CHECK_EQUAL(engine->loaded[slot], place_of((uint32_t)engine->object[slot]));
    }
}

/* What the portion inherits and has moved is bound again before it; nothing else is, and nothing in vain. */
static void rebind(struct engine *engine, const struct portion *portion)
{
    CHECK(residency.policy->moves_bound || portion->moved_slots == 0);
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        if ((portion->moved_slots >> slot & 1u) == 0) continue;
        CHECK(engine->object[slot] >= 0);
        if (engine->object[slot] < 0) continue;
        CHECK(engine->loaded[slot] != place_of((uint32_t)engine->object[slot]));
        engine->loaded[slot] = place_of((uint32_t)engine->object[slot]);
        rebound++;
    }
}

/* Run [start, end): entries take effect at their SplitOffset, group by group; what an entry references must
 * be resident from the portion's start on and stay until its end. */
static void run_portion(struct engine *engine, const struct portion *portion)
{
    uint32_t i = portion->first_entry, end = i + portion->entry_count;
    rebind(engine, portion);
    if (i == end || patches[i].split_word > portion->start_word) check_registers(engine);
    while (i < end) {
        uint32_t split = patches[i].split_word;
        CHECK(split >= portion->start_word && split < portion->end_word);
        for (; i < end && patches[i].split_word == split; i++) {
            bool is_unbind = patches[i].allocation == PATCH_NULL;
            engine->object[patches[i].slot] = is_unbind ? -1 : (int32_t)patches[i].allocation;
            engine->loaded[patches[i].slot] = is_unbind ? NOT_LOADED : place_of(patches[i].allocation);
            if (!is_unbind) CHECK(engine->loaded[patches[i].slot] != NOT_LOADED);
        }
        check_registers(engine);
    }
}

/* Can the group that starts at `first` be placed beside what must stay? Exact search over a bitmap. */
static bool search(const uint32_t *sizes, uint32_t count, uint32_t used)
{
    if (count == 0) return true;
    uint32_t run = (1u << sizes[0]) - 1u;
    for (uint32_t at = 0; at + sizes[0] <= memory_pages; at++)
        if ((used & run << at) == 0 && search(sizes + 1, count - 1, used | run << at)) return true;
    return false;
}

/* Can all that a portion names before entry `end` be placed? What it inherits stays where the engine has it, unless the
 * policy moves that. */
static bool has_placement(const struct engine *engine, uint32_t first, uint32_t end, uint32_t start)
{
    uint32_t used = 0, sizes[ENTRIES + SLOT_LIMIT], count = 0;
    bool is_kept[OBJECTS] = {false}, is_listed[OBJECTS] = {false};
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        bool is_programmed = false;
        for (uint32_t i = first; i < job.patch_count && patches[i].split_word == start; i++)
            is_programmed = is_programmed || patches[i].slot == slot;
        if (engine->object[slot] < 0 || is_programmed) continue;
        uint32_t object = (uint32_t)engine->object[slot];
        if (is_kept[object]) continue;
        is_kept[object] = true;
        if (residency.policy->moves_bound) sizes[count++] = residency.world.table.entry[object].pages;
        else used |= ((1u << residency.world.table.entry[object].pages) - 1u) << (uint32_t)engine->loaded[slot];
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t object = patches[i].allocation;
        if (object == PATCH_NULL || is_kept[object] || is_listed[object]) continue;
        is_listed[object] = true;
        sizes[count++] = residency.world.table.entry[object].pages;
    }
    return search(sizes, count, used);
}

static uint32_t end_of_group(uint32_t first, uint32_t start)
{
    while (first < job.patch_count && patches[first].split_word == start) first++;
    return first;
}

/* ------------------------------------------------------------------ random buffers */

static uint32_t solved, unsolvable, missed, portions_total;

static void run_buffer(const struct splitter_modes *modes)
{
    struct engine engine;
    struct portion portion = {0};
    struct refusal why;
    uint32_t next_entry = 0, next_word = 0, portions = 0;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) engine.object[slot] = engine.loaded[slot] = -1;
    splitter_init(&splitter);
    foresee_job(&residency, &job, &splitter);
    do {
        uint32_t evictable = residency.plan.journal_count;
        CHECK_EQUAL(evictable, 0);
        if (residency.policy == &policy_lookahead) residency.outlook.retired_fence = fence - pick(2); /* one runs */
        if (!plan_portion(&splitter, &job, &residency, fence + 1, modes, &portion, &why)) {
            CHECK_EQUAL(why.status, STATUS_NO_PLACEMENT);
            CHECK_EQUAL(why.detail, next_word * 4);
            CHECK_EQUAL(residency.plan.journal_count, 0);
            check_world();
            if (has_placement(&engine, next_entry, end_of_group(next_entry, next_word), next_word)) missed++;
            else unsolvable++;
            return;
        }
        CHECK_EQUAL(portion.first_entry, next_entry);
        CHECK_EQUAL(portion.start_word, next_word);
        CHECK(portions == 0 || portion.end_word > portion.start_word);
        next_entry += portion.entry_count;
        next_word = portion.end_word;
        if (!portion.is_last) { /* SPL-09, SPL-21: it ends at the SplitOffset of the entry that comes next */
            CHECK(next_entry < job.patch_count);
            CHECK_EQUAL(portion.end_word, patches[next_entry].split_word);
        }
        if (modes->takes_every_split && portion.entry_count > 0)
            CHECK_EQUAL(patches[portion.first_entry].split_word, patches[next_entry - 1].split_word);
        end_plan();
        check_world();
        check_census();
        check_future(next_entry);
        run_portion(&engine, &portion);
        portions++;
        CHECK(portions <= job.patch_count + 1);
    } while (!portion.is_last);
    CHECK_EQUAL(next_entry, job.patch_count);
    CHECK_EQUAL(next_word, job.dma_words);
    portions_total += portions;
    solved++;
}

static void random_buffers(const struct policy *policy, bool is_firmware_bound)
{
    random_state = 2026;
    solved = unsolvable = missed = portions_total = moves = censuses = rebound = 0;
    for (uint32_t i = 0; i < BUFFERS; i++) {
        if (i % 10 == 0) open_world(4 + pick(9), OBJECTS); /* what earlier buffers left stays resident */
        residency_set_policy(&residency, policy);
        residency.outlook.bottleneck = is_firmware_bound && pick(4) != 0 ? BOTTLENECK_FIRMWARE : BOTTLENECK_NODES;
        residency.outlook.split_pages = pick(3);
        residency.outlook.portion_limit = policy == &policy_literal || i % 3 != 0 ? 0 : 1 + pick(8);
        const struct splitter_modes modes = {pick(6) == 0, false, pick(8) == 0, pick(5) == 0, false, NULL, NULL};
        random_job(OBJECTS);
        run_buffer(&modes);
    }
    const char *name = policy == &policy_literal ? "literal" : policy == &policy_lookahead ? "lookahead" : "random";
    printf("%s%s: %lu solved in %lu portions, %lu without solution, %lu missed, %lu moves, %lu bound again\n", name,
           is_firmware_bound ? ", firmware-bound" : "", (unsigned long)solved, (unsigned long)portions_total,
           (unsigned long)unsolvable, (unsigned long)missed, (unsigned long)moves, (unsigned long)rebound);
    CHECK(solved > BUFFERS / 2 && unsolvable > BUFFERS / 100);
    CHECK(portions_total > solved + solved / 2);
    CHECK_EQUAL(missed, 0);
    CHECK(policy == &policy_lookahead ? moves > BUFFERS / 10 && rebound > BUFFERS / 100 : moves == 0 && rebound == 0);
}

/* What the oracle asks of every portion. */
#define ORACLE \
    "SPL-02, SPL-06, SPL-07, SPL-09, SPL-10, SPL-11, SPL-12, SPL-13, SPL-14, SPL-15, SPL-21, SPL-22, SPL-23, SPL-24, " \
    "SPL-27, SCH-13"

static void test_random_buffers(void)
{
    CASE(ORACLE);
    random_buffers(&policy_literal, false);
}

static void test_random_buffers_lookahead(void)
{
    CASE(ORACLE);
    random_buffers(&policy_lookahead, false);
}

/* The seam: a policy of which no other file knows. */
static void test_random_buffers_random_policy(void)
{
    random_buffers(&policy_random, false);
    CHECK(random_policy_rooms > BUFFERS);
}

/* Where the firmware limits, prices last, and room is made for several at once. */
static void test_random_buffers_firmware_bound(void)
{
    random_buffers(&policy_lookahead, true);
    CHECK(censuses > BUFFERS / 2);
}

/* ------------------------------------------------------------------ single rules */

static void entry(uint32_t i, uint32_t object, uint32_t slot, uint32_t split)
{
    patches[i] = (struct patch){.allocation = (uint16_t)object,
                                .patch_word = (uint16_t)(split + 1) & 0x7fffu,
                                .split_word = (uint16_t)split,
                                .slot = slot & (SLOT_LIMIT - 1u)};
}

static void small_world(uint32_t pages, const uint32_t *sizes, uint32_t objects, uint32_t entries, uint32_t words)
{
    open_world(pages, 0);
    for (uint32_t i = 0; i < objects; i++) add_object(i, sizes[i]);
    job = (struct job){.dma_words = words, .patches = patches, .patch_count = entries};
    splitter_init(&splitter);
}

/* The whole patch list is known. */
static void look_ahead(uint32_t split_pages)
{
    residency_set_policy(&residency, &policy_lookahead);
    residency.outlook.split_pages = split_pages;
    foresee_job(&residency, &job, &splitter);
}

static struct portion next_portion(void)
{
    const struct splitter_modes modes = {0};
    struct portion portion;
    struct refusal why;
    CHECK(plan_portion(&splitter, &job, &residency, fence + 1, &modes, &portion, &why));
    end_plan();
    return portion;
}

/* The model's 4.7, with the equal-offset trap: (slot2 A 100) before (slot1 C 100). */
static void test_equal_offset_trap(void)
{
    CASE("SPL-15, SPL-21");
    static const uint32_t sizes[] = {1, 1, 1};
    small_world(2, sizes, 3, 5, 300);
    entry(0, 0, 0, 0);
    entry(1, 1, 1, 0);
    entry(2, 0, 2, 100);
    entry(3, 2, 1, 100);
    entry(4, 1, 0, 200);
    struct portion portion = next_portion();
    CHECK_EQUAL(portion.entry_count, 2);
    CHECK_EQUAL(portion.end_word, 100);
    int32_t place = place_of(0);
    portion = next_portion();
    CHECK_EQUAL(portion.first_entry, 2);
    CHECK_EQUAL(portion.entry_count, 2);
    CHECK_EQUAL(portion.end_word, 200);
    CHECK_EQUAL(place_of(0), place); /* kept through slot 0 */
    CHECK_EQUAL(place_of(1), NOT_LOADED);
}

/* SPL-08: a first entry that does not fit beside nothing is a failure; one that is needed later only splits. */
static void test_empty_first_portion(void)
{
    CASE("SPL-08");
    static const uint32_t sizes[] = {2, 2};
    small_world(2, sizes, 2, 2, 100);
    entry(0, 0, 0, 10);
    entry(1, 1, 0, 50);
    struct portion portion = next_portion();
    CHECK_EQUAL(portion.entry_count, 1);
    CHECK_EQUAL(portion.end_word, 50);
    portion = next_portion();
    CHECK(portion.is_last);
}

static void test_no_entries(void)
{
    CASE("SPL-02");
    open_world(2, 0);
    job = (struct job){.dma_words = 7, .patches = patches, .patch_count = 0};
    splitter_init(&splitter);
    struct portion portion = next_portion();
    CHECK(portion.is_last);
    CHECK_EQUAL(portion.start_word, 0);
    CHECK_EQUAL(portion.end_word, 7);
}

/* A portion that has used its share ends before the next group that needs paging, and not before one that needs none:
 * what is resident costs no wait. */
static void test_share(void)
{
    static const uint32_t sizes[] = {2, 2, 2, 2};
    for (uint32_t limit = 0; limit <= 8; limit++) {
        small_world(8, sizes, 4, 5, 100);
        for (uint32_t i = 0; i < 4; i++) entry(i, i, i, i * 10);
        entry(4, 0, 4, 40);
        residency.outlook.portion_limit = limit;
        look_ahead(2);
        struct portion portion = next_portion();
        uint32_t groups = limit == 0 || limit == 8 ? 4 : limit < 4 ? 1 : limit / 2;
        CHECK_EQUAL(portion.entry_count, groups == 4 ? 5 : groups);
        CHECK_EQUAL(portion.is_last, groups == 4);
        while (!portion.is_last) portion = next_portion();
        CHECK_EQUAL(portion.first_entry + portion.entry_count, 5);
    }
}

/* Resident at `page`. */
static void put(uint32_t object, uint32_t page, bool is_dirty)
{
    const struct segment_place place = segment_place_at(&residency.world.map, 1, page);
    struct allocation *entry = &residency.world.table.entry[object];
    segment_insert(&residency.world.map, 1, object, entry->pages, &place);
    share_count(&residency.world.shares, allocation_owner(entry), entry->pages, true);
    client_hold(&residency.world.clients, 1, entry->client, entry->pages, true);
    entry->segment = 1;
    entry->first_page = (uint16_t)page;
    if (is_dirty) entry->flags |= (uint32_t)ALLOCATION_DIRTY;
}

/* A group of which one is in the way of the other is placed again, but not what is pinned of it. */
static void test_pinned(void)
{
    CASE("ALC-11");
    static const uint32_t sizes[] = {10, 60};
    for (uint32_t is_pinned = 0; is_pinned < 2; is_pinned++) {
        const struct splitter_modes modes = {0};
        struct portion portion;
        struct refusal why;
        small_world(100, sizes, 2, 2, 100);
        put(0, 45, false);
        if (is_pinned != 0) residency.world.table.entry[0].flags |= (uint32_t)ALLOCATION_PINNED;
        for (uint32_t i = 0; i < 2; i++) entry(i, i, i, 0);
        look_ahead(SPLIT_PAGES);
        CHECK_EQUAL(plan_portion(&splitter, &job, &residency, fence + 1, &modes, &portion, &why), is_pinned == 0);
        CHECK(is_pinned == 0 || residency.world.map.link[0].first == 45);
        end_plan();
    }
}

/* An aligned resident that slides leaves a hole below itself: the next one to come finds it. */
static void test_slide_gap(void)
{
    static const uint32_t sizes[] = {3, 1, 3, 3, 5, 1};
    small_world(10, sizes, 6, 4, 100);
    residency.world.table.details[2].alignment_pages_log2 = 1;
    static const uint32_t places[] = {0, 3, 4, 7};
    for (uint32_t i = 0; i < 4; i++) put(i, places[i], false);
    residency.world.map.segment[0].hole_limit = 0;
    static const uint32_t objects[] = {4, 1, 2, 5};
    for (uint32_t i = 0; i < 4; i++) entry(i, objects[i], i, i * 10);
    residency.outlook.is_careful = true;
    residency.outlook.is_timed = false;
    look_ahead(SPLIT_PAGES);
    struct portion portion = next_portion();
    CHECK(portion.is_last);
    check_world();
    CHECK_EQUAL(place_of(1), 0);
    CHECK_EQUAL(place_of(5), 1);
    CHECK_EQUAL(place_of(2), 2);
    CHECK_EQUAL(place_of(4), 5);
}

/* SPL-29 */
static void test_leak(void)
{
    CASE("SPL-29");
    static const uint32_t sizes[] = {1, 1};
    const struct splitter_modes modes = {.takes_every_split = true, .checks_leaks = true};
    struct portion portion;
    struct refusal why;
    small_world(2, sizes, 2, 2, 100);
    entry(0, 0, 0, 0);
    entry(1, 1, 1, 50);
    CHECK(plan_portion(&splitter, &job, &residency, fence + 1, &modes, &portion, &why));
    end_plan();
    CHECK(!plan_portion(&splitter, &job, &residency, fence + 1, &modes, &portion, &why));
    CHECK_EQUAL(why.status, STATUS_LEAK);
    CHECK_EQUAL(why.detail, 200);
}

/* Pages that a frame brings in which draws `objects` pages in turn, in a memory of `pages`: of the sixth frame. */
static uint32_t pages_of_cycle(uint32_t objects, uint32_t pages)
{
    enum { MOST = 160, FRAMES = 6 };
    static struct patch list[MOST];
    const struct splitter_modes modes = {0};
    struct portion portion;
    struct refusal why;
    uint32_t arrivals = 0;
    CHECK(objects <= MOST);
    open_world(pages, 0);
    for (uint32_t i = 0; i < objects; i++) {
        add_object(i, 1);
        list[i] = (struct patch){.allocation = (uint16_t)i,
                                 .patch_word = (uint16_t)(2u * i + 1u) & 0x7fffu,
                                 .split_word = (uint16_t)(2u * i)};
    }
    job = (struct job){.dma_words = 2u * objects, .patches = list, .patch_count = objects};
    residency_set_policy(&residency, &policy_lookahead);
    residency.outlook.bottleneck = BOTTLENECK_FIRMWARE;
    residency.outlook.portion_limit = pages / 8u;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        arrivals = 0;
        splitter_init(&splitter);
        foresee_job(&residency, &job, &splitter);
        do {
            CHECK(plan_portion(&splitter, &job, &residency, fence + 1u, &modes, &portion, &why));
            for (uint32_t i = 0; i < residency.plan.journal_count; i++)
                arrivals += residency_action_kind(&residency.plan, i) == ACTION_PLACE;
            (void)carry_out(&residency);
            fence++;
            for (uint32_t i = 0; i < objects; i++)
                if (residency.plan.mark[i] != 0) residency.world.table.entry[i].last_fence = fence;
        } while (!portion.is_last);
    }
    return arrivals;
}

/* What is drawn in turn and does not fit: each page that leaves should be one that comes late. Where the oldest leaves,
 * all come in again in each frame. */
static void test_cycle(void)
{
    CHECK(pages_of_cycle(96, 96) == 0);
    const uint32_t arrivals = pages_of_cycle(160, 96);
    printf("160 pages drawn in turn, in 96: %lu come in a frame\n", (unsigned long)arrivals);
    CHECK(arrivals >= 160u - 96u && arrivals <= 100u);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_random_buffers);
    CHECK_RUN(test_random_buffers_lookahead);
    CHECK_RUN(test_random_buffers_firmware_bound);
    CHECK_RUN(test_random_buffers_random_policy);
    CHECK_RUN(test_equal_offset_trap);
    CHECK_RUN(test_empty_first_portion);
    CHECK_RUN(test_no_entries);
    CHECK_RUN(test_share);
    CHECK_RUN(test_pinned);
    CHECK_RUN(test_slide_gap);
    CHECK_RUN(test_leak);
    CHECK_RUN(test_cycle);
    return check_finish();
}
