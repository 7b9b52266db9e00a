/* SPDX-License-Identifier: Apache-2.0
 *
 * The running measurement of what pages and portions cost: goal, that it follows a device whose costs are known, from
 * any start, over counters that wrap, and keeps its defaults where nobody counts; method, invented devices.
 */
#include "check.h"
#include "fake_hal.h"
#include "page/paging.h"
#include "plan/cost_model.h"

enum { SURE_PAGES = 4 * COST_SAMPLE_PAGES }; /* enough whatever is queued */

static struct cost_model costs;
static uint32_t memory_cycles;

/* A paging node that carries pages at `cycles` each, in portions of `size`, from these counts on. */
static void carry(uint32_t pages, uint32_t count, uint32_t size, uint32_t cycles, uint32_t portion)
{
    uint32_t work = 0u - 5000u;
    cost_init(&costs, memory_cycles);
    costs.pages = pages;
    costs.cycles = work;
    for (uint32_t i = 0; i < count; i++) {
        pages += size;
        work += size * cycles;
        cost_paging(&costs, pages, work, false);
        cost_portion(&costs, portion);
    }
}

static void test_follows(void)
{
    static const struct {
        uint32_t page, portion, split, share;
    } cases[] = {{1024, 4096, 4, 64},    {2500, 5000, 2, 64},      {5000, 1000, 1, 64},   {512, 16384, 32, 128},
                 {100, 40000, 400, 512}, {100, 120000, 1024, 512}, {700, 70000, 100, 400}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carry(0u - 7u, 400, 40, cases[i].page, cases[i].portion);
        CHECK(costs.page_cycles <= cases[i].page && costs.page_cycles + 4u > cases[i].page);
        CHECK(costs.portion_cycles + 16u > cases[i].portion && costs.portion_cycles < cases[i].portion + 16u);
        CHECK(cost_split_pages(&costs) == cases[i].split);
        CHECK(cost_portion_pages(&costs, 512, false) == cases[i].share);
    }
}

static void test_defaults(void)
{
    cost_init(&costs, 1024);
    CHECK(cost_split_pages(&costs) == 4u && cost_portion_pages(&costs, 4096, false) == 256u);
    for (uint32_t i = 1; i < 100u; i++) { /* a device whose nodes count nothing */
        cost_paging(&costs, i * 100u, 0, false);
        cost_portion(&costs, 3);
    }
    CHECK(!cost_is_timed(&costs) && cost_split_pages(&costs) == 4u);
    cost_paging(&costs, 99u * 100u + SURE_PAGES, SURE_PAGES * 1024u, false); /* now they do */
    CHECK(cost_is_timed(&costs) && cost_portion_pages(&costs, 4096, false) == 512u);
    cost_init(&costs, 1024);
    CHECK(cost_portion_pages(&costs, 8, false) == 8u); /* never more than there is */
    CHECK(cost_portion_pages(&costs, 0, false) == 0u);
}

/* A few pages say little: what is queued is counted before it is worked on. */
static void test_few_pages(void)
{
    cost_init(&costs, 1024);
    cost_paging(&costs, SURE_PAGES - 1, 9000000, false);
    CHECK(!costs.is_measured);
    cost_paging(&costs, SURE_PAGES, SURE_PAGES * 300, false);
    CHECK(costs.is_measured && costs.page_cycles == 300u);
    cost_paging(&costs, SURE_PAGES + COST_SAMPLE_PAGES - 1, SURE_PAGES * 400, true);
    CHECK(costs.page_cycles == 300u);
    cost_paging(&costs, 2 * SURE_PAGES, SURE_PAGES * (300 + 700), false);
    CHECK(costs.page_cycles == 400u);
    cost_init(&costs, 1024);
    cost_paging(&costs, COST_FIRST_PAGES - 1, 9000000, true);
    CHECK(!costs.is_measured);
    cost_paging(&costs, COST_FIRST_PAGES, COST_FIRST_PAGES * 300, true); /* the first ones, all carried */
    CHECK(costs.is_measured && costs.page_cycles == 300u);
}

/* Portion after portion, each so long, of which the firmware works `load` eighths. */
static void plan(uint32_t count, bool is_starved, uint32_t load)
{
    static uint32_t worked = 0u - 100000u, now = 0u - 700000u;
    for (uint32_t i = 0; i < count; i++) {
        now += 8u << 13;
        worked += load << 13;
        cost_planned(&costs, is_starved, worked, now);
    }
}

static void test_firmware_bound(void)
{
    cost_init(&costs, 1024);
    plan(100, true, 8); /* a device whose nodes count nothing */
    CHECK(!cost_is_firmware_bound(&costs));
    cost_paging(&costs, SURE_PAGES, SURE_PAGES * 1024, false);
    plan(1, true, 8); /* half of what it takes is presumed */
    CHECK(!cost_is_firmware_bound(&costs));
    plan(1, true, 8);
    CHECK(cost_is_firmware_bound(&costs));
    cost_init(&costs, 1024);
    cost_paging(&costs, SURE_PAGES, SURE_PAGES * 1024, false);
    plan(100, false, 8); /* busy, but the nodes are, too */
    CHECK(!cost_is_firmware_bound(&costs) && cost_portion_pages(&costs, 480, false) == 60u);
    for (uint32_t i = 0; i < 50u; i++) { /* now and then they wait */
        plan(1, true, 8);
        plan(1, false, 8);
    }
    plan(3, true, 8);
    CHECK(!cost_is_firmware_bound(&costs));
    plan(1, true, 8);
    CHECK(cost_is_firmware_bound(&costs) && cost_portion_pages(&costs, 480, false) == 60u);
    plan(100, false, 6); /* that nobody waits any more is what it is for */
    CHECK(cost_is_firmware_bound(&costs));
    plan(8, false, 4);
    CHECK(!cost_is_firmware_bound(&costs));
}

/* While the firmware limits, and the next DMA buffer is there, a portion is at least twice as long as else; where its
 * part of memory is more than that, it stays. */
static void test_next_waits(void)
{
    carry(0, 400, 40, 1000, 5000);
    CHECK(cost_split_pages(&costs) == 5u);
    CHECK(cost_portion_pages(&costs, 64, true) == 20u);
    plan(20, true, 8);
    CHECK(cost_is_firmware_bound(&costs));
    CHECK(cost_portion_pages(&costs, 128, false) == 20u && cost_portion_pages(&costs, 128, true) == 80u);
    CHECK(cost_portion_pages(&costs, 32, true) == 32u && cost_portion_pages(&costs, 960, true) == 120u);
}

static void test_slow_bus(void)
{
    cost_init(&costs, 100);
    CHECK(!cost_is_bus_slow(&costs)); /* nothing is measured */
    static const struct {
        uint32_t memory, page;
        bool is_slow;
        uint32_t share;
    } cases[] = {{1024, 3000, true, 30}, {1024, 2040, false, 60}, {2048, 3000, false, 60}, {0, 3000, false, 60}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memory_cycles = cases[i].memory;
        carry(0, 400, 40, cases[i].page, 4096);
        CHECK(cost_is_bus_slow(&costs) == cases[i].is_slow && cost_portion_pages(&costs, 480, false) == cases[i].share);
        if (cases[i].is_slow) CHECK(cost_portion_pages(&costs, 24, false) == 4u * cost_split_pages(&costs));
    }
    plan(20, true, 8);
    CHECK(cost_is_firmware_bound(&costs));
    memory_cycles = 1024;
    carry(0, 400, 40, 3000, 4096);
    plan(20, true, 8);
    CHECK(costs.is_starved && !cost_is_firmware_bound(&costs)); /* the nodes wait for the bus, too */
}

/* What the paging node has had to do: pages in, out and filled, and twice those moved. */
static void test_built_pages(void)
{
    uint32_t statistics[STAT_COUNT];
    for (uint32_t i = 0; i < STAT_COUNT; i++) statistics[i] = 100000;
    statistics[STAT_PAGES_IN] = 1;
    statistics[STAT_PAGES_OUT] = 10;
    statistics[STAT_PAGES_FILLED] = 100;
    statistics[STAT_PAGES_MOVED] = 1000;
    const struct paging paging = {.setup = {.statistics = statistics}};
    CHECK_EQUAL(paging_built_pages(&paging), 2111);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_follows);
    CHECK_RUN(test_defaults);
    CHECK_RUN(test_few_pages);
    CHECK_RUN(test_firmware_bound);
    CHECK_RUN(test_next_waits);
    CHECK_RUN(test_slow_bus);
    CHECK_RUN(test_built_pages);
    return check_finish();
}
