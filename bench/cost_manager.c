/* SPDX-License-Identifier: Apache-2.0
 *
 * What the memory manager costs on the control core, in instructions (qemu counts one per cycle), on a hardware door of
 * plain loads and stores: carrying out one action of a plan, from the journal to the packets in the paging buffer;
 * looking up a handle; and the longest search of the segment allocator.
 */
#include "check.h"
#include "driver/driver.h"
#include "fake_hal.h"
#include "plan/placement.h"
#include "policy/policies.h"
#include "page/paging.h"
#include "table_memory.h"

enum { ACTIONS = 32, LIST = 0x8000, SYSTEM_PAGES = 200, DUMMY = 7, PAGING_BUFFERS_AT = 8192 };

static struct driver driver;
static struct ddi ddi;
static struct residency residency;
static struct paging paging;
static struct segment_map map;
static uint32_t statistics[STAT_COUNT];
static uint32_t index_of[ACTIONS];

static uint32_t instructions(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

static void figure(const char *name, uint32_t value, const char *unit)
{
    printf("manager.%s %lu %s\n", name, (unsigned long)value, unit);
}

/* ------------------------------------------------------------------ a manager over a driver over nothing */

static void start(void)
{
    const uint16_t pages[SEGMENT_LIMIT] = {64, 512, 1024};
    fake_hal_reset();
    fake_hal.registers[MEMORY_SEGMENT1_BYTES_OFFSET / 4] = 64 * 4096;
    fake_hal.registers[MEMORY_SEGMENT2_BYTES_OFFSET / 4] = 512 * 4096;
    fake_hal.registers[APERTURE_PAGES_OFFSET / 4] = 1024;
    fake_hal.registers[HOST_SYSTEM_PAGES_OFFSET / 4] = SYSTEM_PAGES;
    fake_hal.registers[HOST_DUMMY_PAGE_OFFSET / 4] = DUMMY;
    for (uint32_t i = 0; i < 64; i++) fake_hal.system[LIST / 4 + i] = 100 + i;
    const struct driver_layout layout = {{0, 4096},
                                         {1024, 1024},
                                         {0, 0},
                                         0xc000,
                                         hal_register_read(HOST_SYSTEM_PAGES_OFFSET),
                                         hal_register_read(HOST_DUMMY_PAGE_OFFSET),
                                         DMA_BYTES_DEFAULT,
                                         LIST_DEFAULT};
    driver_init(&driver, &layout);
    ddi = driver_ddi(&driver);
    struct tables *tables = table_memory();
    residency_init(&residency, tables, pages, SYSTEM_PAGES);
    residency_set_policy(&residency, &policy_literal);
    allocation_table_set_apertures(&residency.world.table, 4, 1024);
    const struct paging_setup setup = {.ddi = &ddi,
                                       .residency = &residency,
                                       .statistics = statistics,
                                       .segments = driver.segment,
                                       .buffers = PAGING_BUFFERS_AT,
                                       .buffer_bytes = GPU_LIMIT(PAGING_BUFFER_BYTES),
                                       .dummy_page = DUMMY};
    paging_init(&paging, tables, &setup);
}

static void create(uint32_t count, uint32_t set, uint32_t flags, uint32_t eviction_set)
{
    uint32_t message[MESSAGE_WORDS] = {0}, handle;
    struct refusal why;
    message[MSG_CREATE_ALLOCATION_BYTES] = 4096;
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | flags;
    message[MSG_CREATE_ALLOCATION_READ_SET] = message[MSG_CREATE_ALLOCATION_WRITE_SET] = set;
    message[MSG_CREATE_ALLOCATION_EVICTION_SET] = eviction_set;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u;
    message[MSG_CREATE_ALLOCATION_PAGES] = LIST;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(allocation_create(&residency.world.table, message, &handle, &why));
        CHECK(allocation_find(&residency.world.table, handle, &index_of[i % ACTIONS]));
    }
}

/* Instructions to carry out the journal. The paging node is as fast as can be. */
static uint32_t carry_out(void)
{
    uint32_t total = 0;
    enum paging_progress progress;
    paging_start(&paging);
    do {
        uint32_t begin = instructions();
        progress = paging_step(&paging);
        total += instructions() - begin;
        const uint32_t bank = NODE_STRIDE / 4;
        fake_hal.registers[NODE_FENCE_OFFSET / 4 + bank] = paging.last_fence;
        fake_hal.registers[NODE_HEAD_OFFSET / 4 + bank] = fake_hal.registers[NODE_TAIL_OFFSET / 4 + bank];
    } while (progress != PAGING_DONE);
    return total;
}

static uint32_t place(uint32_t count)
{
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < count; i++) {
        residency_mark(&residency, index_of[i], MARK_READ);
        CHECK(placement_require(&residency, index_of[i], false));
    }
    return carry_out();
}

static uint32_t evict(uint32_t count, bool is_dirty)
{
    residency_begin(&residency, 1, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (is_dirty) allocation_set(&residency.world.table.entry[index_of[i]], ALLOCATION_DIRTY);
        residency_plan_eviction(&residency, index_of[i]);
    }
    return carry_out();
}

struct kind {
    const char *in, *out;
    uint32_t set, flags, eviction_set;
    bool is_dirty;
};

/* The slope from one action to many: what is the plan's own falls out. */
static void test_actions(void)
{
    static const struct kind kinds[] = {
        {"page_in_transfer", "evict_transfer", 1, 0, 0, true},
        {"page_in_fill", "evict_discard", 1, ALLOCATION_UNDEFINED, 0, false},
        {"map", "unmap", 4, 0, 0, false},
        {"", "evict_through_aperture", 1, 0, 4, true},
    };
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct kind *kind = &kinds[i];
        uint32_t in[2], out[2];
        for (uint32_t many = 0; many < 2; many++) {
            uint32_t count = many ? ACTIONS : 1;
            start();
            create(count, kind->set, kind->flags, kind->eviction_set);
            in[many] = place(count);
            CHECK_EQUAL(residency.world.map.link[index_of[0]].where, kind->set == 4 ? 3 : 1);
            if (kind->flags != 0u) /* filled content is dirty: this one is to be discarded */
                for (uint32_t k = 0; k < count; k++)
                    allocation_clear(&residency.world.table.entry[index_of[k]], ALLOCATION_DIRTY);
            out[many] = evict(count, kind->is_dirty);
            CHECK(residency_check(&residency));
        }
        if (kind->in[0] != '\0') figure(kind->in, (in[1] - in[0]) / (ACTIONS - 1), "instructions");
        figure(kind->out, (out[1] - out[0]) / (ACTIONS - 1), "instructions");
    }
}

/* ------------------------------------------------------------------ handles */

static void test_lookup(void)
{
    static const uint32_t counts[] = {16, 128, 512};
    for (uint32_t i = 0; i < 3; i++) {
        char name[32];
        uint32_t total = 0, index;
        start();
        create(counts[i], 1, 0, 0);
        for (uint32_t k = 0; k < counts[i]; k++) {
            uint32_t handle = allocation_handle(&residency.world.table, k), begin = instructions();
            bool is_found = allocation_find(&residency.world.table, handle, &index);
            total += instructions() - begin;
            CHECK(is_found && index == k);
        }
        snprintf(name, sizeof name, "lookup_of_%lu", (unsigned long)counts[i]);
        figure(name, total / counts[i], "instructions");
    }
}

/* ------------------------------------------------------------------ the segment allocator */

/* Residents of one page with a hole of one page behind each: no hole holds two, though as many are free, and the search
 * has to look at every one. */
static void test_allocator(void)
{
    static const uint32_t counts[] = {16, 128, 512};
    for (uint32_t i = 0; i < 3; i++) {
        const uint16_t pages[SEGMENT_LIMIT] = {2048};
        const struct segment_request two = {2, 1, false};
        struct segment_place place = {0, SEGMENT_NO_OWNER};
        char name[40];
        segment_map_init(&map, table_memory(), pages);
        for (uint32_t k = 0; k <= counts[i]; k++) {
            place = (struct segment_place){2 * k, k == 0 ? SEGMENT_NO_OWNER : k - 1};
            segment_insert(&map, 1, k, k < counts[i] ? 1 : 2048 - 2 * k, &place);
        }
        segment_remove(&map, 0); /* a hole of two, which is filled again: the allocator does not know that */
        place = (struct segment_place){0, SEGMENT_NO_OWNER};
        segment_insert(&map, 1, 0, 1, &place);
        uint32_t begin = instructions();
        bool is_found = segment_find_hole(&map, 1, &two, &place);
        uint32_t count = instructions() - begin;
        CHECK(!is_found);
        snprintf(name, sizeof name, "allocator_worst_of_%lu", (unsigned long)counts[i]);
        figure(name, count, "instructions");
    }
}

int main(void)
{
    CHECK_RUN(test_actions);
    CHECK_RUN(test_lookup);
    CHECK_RUN(test_allocator);
    return check_finish();
}
