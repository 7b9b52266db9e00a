/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables' own validators, on which the soak and the fuzzer rely. Goal: each broken belief is noticed, and nothing
 * that is sound is refused. Method: a sound state with every kind of allocation, and one word of it spoiled at a time.
 */
#include <string.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/placement.h"
#include "plan/residency.h"
#include "policy/policies.h"
#include "table_memory.h"

enum { LIST = 0x4000, SYSTEM_PAGES = 200, CLIENT = 5, MAPPED_SEGMENT = 3, PLANNER = 7 };

static struct residency now, sound;
TABLE_MEMORY_KEEP
TABLE_MEMORY_BACK
/* Two neighbours in segment 1, one in the aperture, one nowhere and not yet filled, one with instances, a destroyed
 * one, a free entry. */
static uint32_t low, high, mapped, nowhere, renamed, instance, destroyed, unused;

static uint32_t create(uint32_t pages, uint32_t preferred, uint32_t set)
{
    uint32_t message[MESSAGE_WORDS] = {0}, handle, index;
    struct refusal why;
    message[MSG_CREATE_ALLOCATION_BYTES] = pages * 4096u;
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE;
    message[MSG_CREATE_ALLOCATION_PREFERRED] = preferred;
    message[MSG_CREATE_ALLOCATION_READ_SET] = message[MSG_CREATE_ALLOCATION_WRITE_SET] = set;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u;
    message[MSG_CREATE_ALLOCATION_PAGES] = LIST;
    CHECK(allocation_create(&now.world.table, message, &handle, &why));
    CHECK(allocation_find(&now.world.table, handle, &index));
    return index;
}

static void place(uint32_t allocation)
{
    residency_begin(&now, 1, 0);
    now.plan.planner = PLANNER;
    residency_mark(&now, allocation, MARK_READ);
    CHECK(placement_require(&now, allocation, false));
    carry_out(&now);
}

static void start(void)
{
    const uint16_t pages[SEGMENT_LIMIT] = {8, 64, 16};
    uint32_t handle;
    struct refusal why;
    fake_hal_reset();
    for (uint32_t i = 0; i < 100; i++) fake_hal.system[LIST / 4 + i] = 100 + i % 90;
    residency_init(&now, table_memory(), pages, SYSTEM_PAGES);
    allocation_table_set_apertures(&now.world.table, 1u << (MAPPED_SEGMENT - 1), 16);
    residency_set_policy(&now, &policy_literal);
    low = create(2, 1, 3);
    high = create(3, 1, 3);
    mapped = create(1, MAPPED_SEGMENT, 4);
    nowhere = create(1, 1, 3);
    renamed = create(1, MAPPED_SEGMENT, 4);
    destroyed = create(1, 1, 3);
    place(low);
    place(high);
    place(mapped);
    allocation_clear(&now.world.table.entry[low], ALLOCATION_UNDEFINED);
    allocation_set(&now.world.table.entry[nowhere], ALLOCATION_UNDEFINED);
    CHECK(allocation_rename(&now.world.table, renamed, LIST, &handle, &why));
    CHECK(allocation_find(&now.world.table, handle, &instance));
    CHECK(rights_set(&now.world.table.rights, low, CLIENT, RIGHT_READ));
    allocation_begin_destroy(&now.world.table, destroyed, 0);
    unused = now.world.table.free_head;
    CHECK(now.world.map.link[low].first == 0 && now.world.map.link[high].first == 2);
    CHECK(residency_check(&now));
    table_memory_keep(&sound, &now, sizeof now);
}

/* `check` is false after the statement that follows, and true where KEPT. */
#define SPOILED(check, ...) \
    do { \
        table_memory_back(&now, &sound, sizeof now); \
        __VA_ARGS__; \
        CHECK(!(check)); \
    } while (0)
#define KEPT(check, ...) \
    do { \
        table_memory_back(&now, &sound, sizeof now); \
        __VA_ARGS__; \
        CHECK(check); \
    } while (0)

static void test_allocations(void)
{
    start();
    struct allocation *entry = now.world.table.entry;
    struct allocation_details *details = now.world.table.details;
#define TABLE allocation_table_check(&now.world.table)
    SPOILED(TABLE, entry[low].pages = 0);
    SPOILED(TABLE, details[low].priority = 0);
    SPOILED(TABLE, entry[low].segment = SEGMENT_LIMIT + 1);
    KEPT(TABLE, entry[low].segment = SEGMENT_LIMIT);
    /* Content that is newer is in a memory segment. */
    KEPT(TABLE, allocation_set(&entry[low], ALLOCATION_DIRTY));
    SPOILED(TABLE, allocation_set(&entry[nowhere], ALLOCATION_DIRTY));
    SPOILED(TABLE, allocation_set(&entry[mapped], ALLOCATION_DIRTY));
    KEPT(TABLE, allocation_set(&entry[low], ALLOCATION_NEWER));
    SPOILED(TABLE, allocation_set(&entry[low], ALLOCATION_UNSAVED));
    KEPT(TABLE, allocation_set(&entry[low], ALLOCATION_LOCKED));
    SPOILED(TABLE, allocation_set(&entry[destroyed], ALLOCATION_LOCKED));
    SPOILED(TABLE, allocation_set(&entry[low], ALLOCATION_UNDEFINED));
    /* Counts. */
    SPOILED(TABLE, now.world.table.live_count++);
    SPOILED(TABLE, now.world.table.pending_destroy_count++);
    SPOILED(TABLE, allocation_clear(&entry[destroyed], ALLOCATION_PENDING_DESTROY));
    SPOILED(TABLE, now.world.table.instance_count--);
    SPOILED(TABLE, allocation_clear(&entry[nowhere], ALLOCATION_EXISTS));
    /* The list of free entries. */
    SPOILED(TABLE, now.world.table.free_head = ALLOCATION_LIMIT);
    SPOILED(TABLE, now.world.table.free_head = entry[unused].first_page);
    SPOILED(TABLE, now.world.table.free_head = (uint16_t)low, entry[low].first_page = (uint16_t)unused);
    SPOILED(TABLE, entry[unused].first_page = (uint16_t)unused);
}

static void test_rights_and_instances(void)
{
    start();
    struct allocation_details *details = now.world.table.details;
    struct right_table *rights = &now.world.table.rights;
    const uint32_t group = details[renamed].group - 1u;
    CHECK_EQUAL(rights->count, 1);
    CHECK(rights->index[0] == low && rights->client[0] == CLIENT);
    CHECK_EQUAL(allocation_rights(&now.world.table, 0, low), RIGHT_READ | RIGHT_WRITE); /* its own */
    CHECK_EQUAL(allocation_rights(&now.world.table, CLIENT, low), RIGHT_READ);
    CHECK_EQUAL(allocation_rights(&now.world.table, CLIENT, high), 0);
    KEPT(TABLE, rights->client[0] |= RIGHT_TO_WRITE);
    KEPT(TABLE, rights->index[0] = (uint16_t)high);
    SPOILED(TABLE, rights->index[0] = (uint16_t)unused);
    SPOILED(TABLE, rights->index[0] = (uint16_t)destroyed);
    SPOILED(TABLE, rights->client[0] = 0);
    CHECK(details[instance].group == group + 1u && now.world.table.instance_count == 2);
    SPOILED(TABLE, details[instance].group = 0);
    SPOILED(TABLE, details[instance].group = RENAMING_GROUPS + 1);
    KEPT(TABLE, details[instance].group = RENAMING_GROUPS);
    KEPT(TABLE, now.world.table.groups[group].used = now.world.table.groups[group].named = 1);
    SPOILED(TABLE, now.world.table.groups[group].named = 1);
    SPOILED(TABLE, now.world.table.groups[group].used = now.world.table.groups[group].named = 2);
    SPOILED(TABLE, now.world.table.groups[group].newest = 0);
    SPOILED(TABLE, now.world.table.groups[group].members = 1);
    SPOILED(TABLE, now.world.table.groups[group].members = 0);
    SPOILED(TABLE, now.world.table.groups[(group + 1u) % RENAMING_GROUPS].members = 1);
    SPOILED(TABLE, now.world.table.groups[RENAMING_GROUPS - 1].members = 1);
}

static void test_map(void)
{
    start();
    struct segment_link *link = now.world.map.link;
    struct segment *segment = now.world.map.segment;
#define MAP segment_check(&now.world.map)
    SPOILED(MAP, segment[0].head = ALLOCATION_LIMIT);
    SPOILED(MAP, segment[0].head = (uint16_t)high);
    SPOILED(MAP, link[high].next = (uint16_t)low);
    SPOILED(MAP, link[low].next = SEGMENT_NO_OWNER);
    SPOILED(MAP, link[low].where = 2);
    SPOILED(MAP, now.world.map.previous[high] = SEGMENT_NO_OWNER);
    SPOILED(MAP, now.world.map.previous[low] = (uint16_t)high);
    SPOILED(MAP, link[high].count = 0, segment[0].used_pages = 2, segment[0].hole_limit = 8);
    SPOILED(MAP, link[high].first = 1, segment[0].hole_limit = 8);
    SPOILED(MAP, link[high].first = 6, link[high].gap = 4, segment[0].hole_limit = 8);
    KEPT(MAP, link[high].first = 5, link[high].gap = 3, segment[0].hole_limit = 3,
         segment[0].packed = SEGMENT_NO_OWNER);
    SPOILED(MAP, link[high].first = 5, link[high].gap = 3, segment[0].hole_limit = 2,
            segment[0].packed = SEGMENT_NO_OWNER);
    SPOILED(MAP, link[high].first = 5, link[high].gap = 2, segment[0].hole_limit = 8,
            segment[0].packed = SEGMENT_NO_OWNER);
    SPOILED(MAP, link[high].gap = 1);
    KEPT(MAP, segment[0].packed = (uint16_t)low);
    KEPT(MAP, segment[0].packed = (uint16_t)high);
    KEPT(MAP, link[high].first = 5, link[high].gap = 3, segment[0].hole_limit = 8, segment[0].packed = (uint16_t)low);
    SPOILED(MAP, link[high].first = 5, link[high].gap = 3, segment[0].hole_limit = 8,
            segment[0].packed = (uint16_t)high);
    SPOILED(MAP, segment[0].packed = (uint16_t)mapped);
    SPOILED(MAP, segment[0].tail = (uint16_t)low);
    SPOILED(MAP, segment[0].used_pages--);
    KEPT(MAP, segment[0].hole_limit = 3);
    SPOILED(MAP, segment[0].hole_limit = 2);
    SPOILED(MAP, link[nowhere].where = 1);
    SPOILED(MAP, index_set_drop(now.world.map.residents, low));
    SPOILED(MAP, index_set_add(now.world.map.residents, nowhere));
    SPOILED(MAP, segment[MAPPED_SEGMENT - 1].used_pages++);
    SPOILED(MAP, segment[1].used_pages++);
}

/* The map, the table and the shares agree. */
static void test_together(void)
{
    start();
    struct allocation *entry = now.world.table.entry;
#define ALL residency_check(&now)
    SPOILED(ALL, now.world.table.live_count++);
    SPOILED(ALL, now.world.map.segment[0].used_pages--);
    SPOILED(ALL, now.world.shares.entry[PLANNER].pages++);
    SPOILED(ALL, now.world.shares.nobody.pages++);
    SPOILED(ALL, now.world.shares.entry[0].pages++);
    SPOILED(ALL, entry[low].owner = PLANNER + 1);
    SPOILED(ALL, entry[low].owner = CONTEXT_LIMIT);
    SPOILED(ALL, allocation_clear(&entry[low], ALLOCATION_OWNED));
    SPOILED(ALL, now.world.shares.budgeted[0] ^= 1);
    SPOILED(ALL, now.world.shares.recent++);
    SPOILED(ALL, now.world.shares.holding[0] ^= 1);
    SPOILED(ALL, entry[low].first_page++);
    SPOILED(ALL, entry[low].pages++, now.world.shares.entry[PLANNER].pages++);
    SPOILED(ALL, entry[low].read_set = now.world.table.details[low].write_set = 2);
    KEPT(ALL, entry[low].read_set = 2);
    KEPT(ALL, now.world.table.details[low].write_set = 2);
    SPOILED(ALL, entry[mapped].segment = 0);
    SPOILED(ALL, entry[renamed].segment = MAPPED_SEGMENT);
    SPOILED(ALL, entry[mapped].first_page++);
    /* Locked while jobs use it: only where content never leaves its pages. */
    KEPT(ALL, allocation_set(&entry[low], ALLOCATION_LOCKED), now.uses.accepted = 1u << 3);
    SPOILED(ALL, allocation_set(&entry[low], ALLOCATION_LOCKED), now.uses.accepted = 1u << 3,
            index_set_add(now.uses.job[3].named, low));
    KEPT(ALL, allocation_set(&entry[low], ALLOCATION_LOCKED), index_set_add(now.uses.job[3].named, low));
    KEPT(ALL, allocation_set(&entry[mapped], ALLOCATION_LOCKED), now.uses.accepted = 1u << 3,
         index_set_add(now.uses.job[3].named, mapped));
    /* Between a plan and its end the map runs ahead. */
    KEPT(ALL, entry[mapped].segment = 0, now.plan.journal_count = 1,
         client_part(&now.world.clients, MAPPED_SEGMENT, entry[mapped].client)->held--);
    SPOILED(ALL, entry[mapped].segment = 0, now.plan.journal_count = 1);
    SPOILED(ALL, client_part(&now.world.clients, MAPPED_SEGMENT, entry[mapped].client)->held--);
    SPOILED(ALL, client_part(&now.world.clients, 1, CLIENT)->held++);
    SPOILED(ALL, now.world.table.of_client[CLIENT]++);
    SPOILED(ALL, now.world.shares.entry[PLANNER].pages++, now.plan.journal_count = 1);
}

int main(void)
{
    CHECK_RUN(test_allocations);
    CHECK_RUN(test_rights_and_instances);
    CHECK_RUN(test_map);
    CHECK_RUN(test_together);
    return check_finish();
}
