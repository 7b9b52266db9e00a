/* SPDX-License-Identifier: Apache-2.0
 *
 * What the render node may touch (schedule/portion_access.h). Goal: exactly the marked pages, with the right to write
 * where the mark says so, neighbours in one command, in the order of segments and addresses; the same for few members
 * as for many; a full ring changes nothing but when. Method: residents at random places; the walk over all of them and
 * the one over few are compared page by page and command by command.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "schedule/portion_access.h"

enum { OWNERS = 64, PAGES = 96, SEGMENTS = 3, RUNS = OWNERS, ROUNDS = 20000 };

static struct manager manager;
static struct segment_link links[OWNERS + 1];
static uint8_t marks[OWNERS + 1];
static struct ddi_access runs[2][RUNS];
static uint32_t run_count, kind, full_percent;

static uint32_t words[2 + GROUP_ENTRIES / 32]; /* of the set: its one group, how many groups, members */
static struct index_set *const members = (struct index_set *)&words[1];

static uint32_t below(uint32_t limit) { return (uint32_t)rand() % limit; }

static bool fake_set_access(void *adapter, const struct ddi_access *access)
{
    CHECK(adapter == &manager);
    if (below(100) < full_percent) return false;
    if (run_count < RUNS) runs[kind][run_count] = *access;
    run_count++;
    return true;
}

/* Residents with gaps or none between them, of which `few` or all may be marked. */
static uint32_t place(bool are_few)
{
    uint32_t owner = 0, marked = 0;
    memset(marks, 0, sizeof marks);
    marks[OWNERS] = 0xff;
    index_set_clear(members);
    for (uint32_t id = 1; id <= (uint32_t)SEGMENT_LIMIT; id++) {
        struct segment *segment = &manager.residency.world.map.segment[id - 1u];
        uint16_t *next = &segment->head;
        uint32_t page = 0;
        segment->pages = PAGES;
        while (id <= (uint32_t)SEGMENTS && owner < id * OWNERS / SEGMENTS && page + 4 < PAGES) {
            const uint32_t at = (owner * 37u + 11u) % OWNERS; /* no order in their indices */
            page += below(2) * below(3);
            links[at] = (struct segment_link){.where = (uint8_t)(id & 15u), .first = (uint16_t)page};
            links[at].count = (uint16_t)(1 + below(3));
            page += links[at].count;
            *next = (uint16_t)at;
            next = &links[at].next;
            if (below(3) == 0 && (!are_few || marked < (uint32_t)FEW_MEMBERS)) {
                marks[at] = (uint8_t)(MARK_READ | below(2) * (uint32_t)MARK_WRITE);
                (void)index_set_add(members, at);
                marked++;
            }
            owner++;
        }
        *next = OWNERS;
    }
    return marked;
}

static uint32_t grant(uint32_t which, const struct index_set *set)
{
    struct portion_access access = {0};
    kind = which;
    run_count = 0;
    portion_access_begin(&access, &manager.residency, set);
    while (!portion_access_grant(&access, &manager)) continue;
    return access.granted;
}

static void check_pages(uint32_t which, uint32_t count)
{
    static uint32_t granted[SEGMENT_LIMIT][PAGES], wanted[SEGMENT_LIMIT][PAGES];
    memset(granted, 0, sizeof granted);
    memset(wanted, 0, sizeof wanted);
    for (uint32_t i = 0; i < count; i++) {
        const struct ddi_access *run = &runs[which][i];
        CHECK(run->may_read);
        for (uint32_t page = run->first_page; page < run->first_page + run->pages; page++)
            granted[run->segment_id - 1u][page] += run->may_write ? 16u : 1u;
    }
    for (uint32_t i = 0; i < OWNERS; i++)
        for (uint32_t k = 0; marks[i] != 0u && k < links[i].count; k++)
            wanted[links[i].where - 1u][links[i].first + k] += (marks[i] & (uint32_t)MARK_WRITE) != 0u ? 16u : 1u;
    CHECK(memcmp(granted, wanted, sizeof granted) == 0);
}

static void begin(void)
{
    fake_hal_reset();
    srand(1);
    memset(words, 0, sizeof words);
    members->group_count = 1;
    manager.ddi = (struct ddi){.adapter = &manager, .set_access = fake_set_access};
    manager.residency.world.map.link = links;
    manager.residency.world.map.none = OWNERS;
    manager.residency.plan.mark = marks;
}

static bool is_same(const struct ddi_access *a, const struct ddi_access *b)
{
    return a->segment_id == b->segment_id && a->first_page == b->first_page && a->pages == b->pages &&
           a->may_read == b->may_read && a->may_write == b->may_write;
}

static void test_few_as_all(void)
{
    begin();
    for (uint32_t round = 0; round < (uint32_t)ROUNDS; round++) {
        (void)place(true);
        full_percent = round % 2u * 40u;
        const uint32_t all = grant(0, NULL), count = run_count;
        CHECK(count <= (uint32_t)RUNS);
        check_pages(0, count);
        CHECK_EQUAL(grant(1, members), all);
        CHECK_EQUAL(run_count, count);
        for (uint32_t i = 0; i < count; i++) CHECK(is_same(&runs[0][i], &runs[1][i]));
    }
}

/* A member that the portion does not use is in the set, too. */
static void test_unmarked_members(void)
{
    begin();
    for (uint32_t round = 0; round < 1000; round++) {
        uint32_t count = place(true);
        for (uint32_t i = 0; i < OWNERS && count < (uint32_t)FEW_MEMBERS; i++)
            if (marks[i] == 0u) count += index_set_add(members, i) ? 0u : 1u;
        (void)grant(0, members);
        check_pages(0, run_count);
    }
}

static void test_many(void)
{
    begin();
    for (uint32_t round = 0; round < 1000; round++) {
        (void)place(false);
        full_percent = 30;
        (void)grant(0, NULL);
        check_pages(0, run_count);
    }
}

static void test_revoke(void)
{
    struct portion_access access = {.granted = 5};
    begin();
    (void)place(true);
    full_percent = 50;
    kind = run_count = 0;
    portion_access_begin(&access, &manager.residency, NULL);
    while (!portion_access_revoke(&access, &manager)) continue;
    CHECK_EQUAL(access.granted, 0);
    CHECK_EQUAL(run_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct ddi_access *run = &runs[0][i];
        CHECK(run->segment_id == (i == 0 ? 1u : 3u) && run->first_page == 0 && run->pages == (uint32_t)PAGES);
        CHECK(!run->may_read && !run->may_write);
    }
}

int main(void)
{
    CHECK_RUN(test_few_as_all);
    CHECK_RUN(test_unmarked_members);
    CHECK_RUN(test_many);
    CHECK_RUN(test_revoke);
    return check_finish();
}
