/* SPDX-License-Identifier: Apache-2.0
 *
 * Hinted banks. Goal: a place is found inside the hinted bank, exactly when it has one, from the end that the hint
 * names, in the order of the hints. Method: banks that end inside pages; random residents, against a search page by
 * page. SEG-22, SEG-23.
 */
#include "check.h"
#include "fake_hal.h"
#include "memory/bank.h"
#include "table_memory.h"

enum { SYSTEM_PAGES = 200, PAGES = 64, OWNERS = 12, BANKS = 3 };

static struct allocation_table table;

static void start(void)
{
    const uint16_t pages[SEGMENT_LIMIT] = {8, 64, 16};
    fake_hal_reset();
    allocation_table_init(&table, table_memory(), pages, SYSTEM_PAGES);
}

/* Banks that end inside a page: a page that two share is in neither. */
static void test_banks_inside_pages(void)
{
    static const uint32_t ends[] = {0x1800, 0x3001, 0x6fff}; /* pages 0; 2; 4, 5; 7 */
    static const struct segment_map empty = {.none = ALLOCATION_LIMIT,
                                             .segment[0] = {.pages = 8, .head = SEGMENT_NO_OWNER}};
    static const uint32_t expected[] = {0, 2, 4, 7}, pages[] = {1, 1, 2, 1};
    start();
    struct allocation *entry = table.entry;
    table.banks[0].count = 4;
    table.banks[0].end = ends;
    for (uint32_t bank = 0; bank < 4; bank++)
        for (uint32_t size = 1; size <= 3; size++) {
            struct segment_place place;
            *entry = (struct allocation){.pages = (uint16_t)size};
            *table.details = (struct allocation_details){.preferred = 1, .hinted_banks = bank + 1};
            bool fits = size <= pages[bank];
            CHECK_EQUAL(bank_find_hole(&table, entry, &empty, 1, &place), fits);
            if (fits) CHECK_EQUAL(place.first, expected[bank]);
            CHECK_EQUAL(bank_is_hinted(&table, entry, 1, expected[bank]), fits);
            if (expected[bank] > 0) CHECK(!bank_is_hinted(&table, entry, 1, expected[bank] - 1));
        }
}

/* What the header says, page by page. */
static bool place_by_hand(const bool *used, const uint32_t *ends, const struct allocation_details *details,
                          uint32_t pages, uint32_t *first)
{
    const uint32_t step = 1u << details->alignment_pages_log2;
    for (uint32_t hints = details->hinted_banks; hints != 0u; hints >>= BANK_HINT_BITS) {
        const uint32_t number = hints & (BANK_HINT_FROM_END - 1u);
        bool is_found = false;
        if (number == 0u || number > BANKS + 1) continue;
        const uint32_t low = number == 1u ? 0u : ends[number - 2u];
        const uint32_t high = number == BANKS + 1 ? PAGES * 4096u : ends[number - 1u];
        for (uint32_t at = 0; at + pages <= PAGES; at += step) {
            bool is_free = at * 4096u >= low && (at + pages) * 4096u <= high;
            for (uint32_t i = at; i < at + pages; i++) is_free = is_free && !used[i];
            if (!is_free || (is_found && (hints & BANK_HINT_FROM_END) == 0u)) continue;
            is_found = true;
            *first = at;
        }
        if (is_found) return true;
    }
    return false;
}

/* A page in two banks is in neither; hints of no bank are passed over. */
static void test_every_place(void)
{
    CASE("SEG-22, SEG-23");
    static const uint16_t pages[SEGMENT_LIMIT] = {PAGES, 1, 1};
    static struct segment_map map;
    uint32_t state = 9, ends[BANKS], found = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        bool used[PAGES] = {false};
        struct segment_place place;
        allocation_table_init(&table, table_memory(), pages, SYSTEM_PAGES);
        segment_map_init(&map, &table_memory_given, pages);
        for (uint32_t owner = 1, at = check_pick(&state, 6); owner < OWNERS && at < PAGES - 8; owner++) {
            const uint32_t count = 1 + check_pick(&state, 7);
            place = segment_place_at(&map, 1, at);
            segment_insert(&map, 1, owner, count, &place);
            for (uint32_t i = at; i < at + count; i++) used[i] = true;
            at += count + check_pick(&state, 9);
        }
        for (uint32_t i = 0; i < BANKS; i++)
            ends[i] = PAGE_BYTES * (16 * i + 4 + check_pick(&state, 12)) + check_pick(&state, 2) * 2048u;
        table.banks[0] = (struct allocation_banks){ends, BANKS + 1};
        for (uint32_t asked = 0; asked < 8; asked++) {
            struct allocation *entry = &table.entry[0];
            const uint32_t count = 1 + check_pick(&state, BANK_HINT_COUNT);
            uint32_t hints = 0, first = 0;
            for (uint32_t i = 0; i < count; i++)
                hints |= (check_pick(&state, BANKS + 3) | check_pick(&state, 2) * BANK_HINT_FROM_END)
                         << i * BANK_HINT_BITS;
            *entry = (struct allocation){.pages = (uint16_t)(1 + check_pick(&state, 6))};
            table.details[0] = (struct allocation_details){.preferred = 1, .hinted_banks = hints};
            table.details[0].alignment_pages_log2 = check_pick(&state, 3) & 3u;
            const bool fits = place_by_hand(used, ends, &table.details[0], entry->pages, &first);
            CHECK_EQUAL(bank_find_hole(&table, entry, &map, 1, &place), fits);
            CHECK(!bank_find_hole(&table, entry, &map, 2, &place)); /* not the segment that is preferred */
            if (!fits) continue;
            CHECK(bank_find_hole(&table, entry, &map, 1, &place));
            CHECK_EQUAL(place.first, first);
            CHECK(bank_is_hinted(&table, entry, 1, first));
            segment_insert(&map, 1, 0, entry->pages, &place); /* asserts that it is free and in its order */
            segment_remove(&map, 0);
            found++;
        }
    }
    CHECK(found > 4000);
}

int main(void)
{
    CHECK_RUN(test_banks_inside_pages);
    CHECK_RUN(test_every_place);
    return check_finish();
}
