/* SPDX-License-Identifier: Apache-2.0
 *
 * The segment map: goal, that it finds a place exactly when one exists and never overlaps; method, every
 * sequence of takes and releases on a tiny segment against a page bitmap, and random ones on larger ones.
 * Names SEG-20, SEG-21.
 */
#include "check.h"
#include "fake_hal.h"
#include "segment.h"

enum { TINY = 8, DEPTH = 6, NOBODY = 0xff };

static struct segment_map map;
static uint8_t bitmap[4096]; /* owner of each page, by brute force */
static uint32_t states;

static void start(uint16_t pages1, uint16_t pages2, uint16_t pages3)
{
    const uint16_t pages[SEGMENT_LIMIT] = {pages1, pages2, pages3};
    segment_map_init(&map, pages);
    for (uint32_t i = 0; i < sizeof bitmap; i++) bitmap[i] = NOBODY;
}

static bool run_is_free(uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        if (bitmap[i] != NOBODY) return false;
    return true;
}

/* The oracle: every legal first page, judged by the size of the hole around it. */
static bool oracle_hole(uint32_t pages, const struct segment_request *request, uint32_t *first)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t at = 0; at + request->pages <= pages; at += request->alignment_pages) {
        if (!run_is_free(at, request->pages)) continue;
        uint32_t low = at, high = at + request->pages;
        while (low > 0 && bitmap[low - 1] == NOBODY) low--;
        while (high < pages && bitmap[high] == NOBODY) high++;
        if (high - low < best || (high - low == best && request->is_from_end)) {
            best = high - low;
            *first = at;
        }
    }
    return best != UINT32_MAX;
}

static void compare_holes(uint32_t pages)
{
    for (uint32_t size = 1; size <= pages; size++)
        for (uint32_t alignment = 1; alignment <= 4; alignment *= 2)
            for (uint32_t from_end = 0; from_end < 2; from_end++) {
                const struct segment_request request = {size, alignment, from_end != 0};
                uint32_t ours = 0, theirs = 0;
                bool is_found = segment_find_hole(&map, 1, &request, &ours);
                CHECK_EQUAL(is_found, oracle_hole(pages, &request, &theirs));
                if (is_found) CHECK_EQUAL(ours, theirs);
            }
}

static void take(uint32_t owner, uint32_t first, uint32_t count)
{
    segment_insert(&map, 1, owner, first, count);
    for (uint32_t i = first; i < first + count; i++) bitmap[i] = (uint8_t)owner;
}

static void release(uint32_t owner)
{
    segment_remove(&map, owner);
    for (uint32_t i = 0; i < sizeof bitmap; i++)
        if (bitmap[i] == owner) bitmap[i] = NOBODY;
}

/* Depth first over all sequences: take 1..3 pages at either end, or release any owner. Undoing by the
 * opposite operation also proves that removal and insertion are exact inverses. */
static void explore(uint32_t depth)
{
    states++;
    CHECK(segment_check(&map));
    if (depth == DEPTH) {
        compare_holes(TINY);
        return;
    }
    for (uint32_t size = 1; size <= 3; size++)
        for (uint32_t from_end = 0; from_end < 2; from_end++) {
            const struct segment_request request = {size, 1, from_end != 0};
            uint32_t first;
            if (!segment_find_hole(&map, 1, &request, &first)) continue;
            take(depth, first, size);
            explore(depth + 1);
            release(depth);
        }
    for (uint32_t owner = 0; owner < depth; owner++) {
        if (map.where[owner] == 0) continue;
        uint32_t first = map.first[owner], count = map.count[owner];
        release(owner);
        explore(depth + 1);
        take(owner, first, count);
    }
}

static void test_every_sequence(void)
{
    start(TINY, 0, 0);
    states = 0;
    explore(0);
    CHECK(states > 10000);
    CHECK_EQUAL(map.segment[0].used_pages, 0);
}

/* ------------------------------------------------------------------ windows */

struct ranks {
    uint64_t rank[64];
    uint64_t fixed; /* bit per owner that may not leave */
};

static bool may_leave(const void *context, uint32_t owner, uint64_t *rank)
{
    const struct ranks *ranks = context;
    *rank = ranks->rank[owner];
    return (ranks->fixed >> owner & 1u) == 0;
}

/* The lowest possible highest rank over all places, by brute force; false if no place is free of fixed ones. */
static bool oracle_window(uint32_t pages, const struct segment_request *request, const struct ranks *ranks,
                          uint64_t *rank)
{
    bool is_found = false;
    for (uint32_t at = 0; at + request->pages <= pages; at += request->alignment_pages) {
        uint64_t highest = 0;
        bool is_legal = true;
        for (uint32_t i = at; i < at + request->pages; i++) {
            if (bitmap[i] == NOBODY) continue;
            is_legal = is_legal && (ranks->fixed >> bitmap[i] & 1u) == 0;
            if (ranks->rank[bitmap[i]] > highest) highest = ranks->rank[bitmap[i]];
        }
        if (is_legal && (!is_found || highest < *rank)) {
            is_found = true;
            *rank = highest;
        }
    }
    return is_found;
}

static void test_windows(void)
{
    uint32_t random = 1;
    struct ranks ranks;
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t pages = 4 + check_pick(&random, 24), owners = 1 + check_pick(&random, 12), first;
        start((uint16_t)pages, 0, 0);
        ranks.fixed = 0;
        for (uint32_t owner = 0; owner < owners; owner++) {
            struct segment_request request = {1 + check_pick(&random, 4), 1, check_pick(&random, 2) != 0};
            ranks.rank[owner] = 1 + check_pick(&random, 6);
            if (check_pick(&random, 4) == 0) ranks.fixed |= (uint64_t)1 << owner;
            if (segment_find_hole(&map, 1, &request, &first)) take(owner, first, request.pages);
        }
        for (uint32_t owner = 0; owner < owners; owner++) /* some holes */
            if (map.where[owner] != 0 && check_pick(&random, 4) == 0) release(owner);
        struct segment_request request = {1 + check_pick(&random, 8), 1u << check_pick(&random, 3),
                                          check_pick(&random, 2) != 0};
        const struct segment_judge judge = {may_leave, &ranks};
        uint64_t ours = 0, theirs = 0;
        if (segment_find_hole(&map, 1, &request, &first)) continue; /* windows are for when no hole fits */
        bool is_found = segment_find_window(&map, 1, &request, &judge, &first, &ours);
        CHECK_EQUAL(is_found, oracle_window(pages, &request, &ranks, &theirs));
        if (!is_found) continue;
        CHECK(ours == theirs);
        CHECK(first % request.alignment_pages == 0 && first + request.pages <= pages);
        uint64_t highest = 0;
        for (uint32_t i = first; i < first + request.pages; i++) {
            if (bitmap[i] == NOBODY) continue;
            CHECK((ranks.fixed >> bitmap[i] & 1u) == 0);
            if (ranks.rank[bitmap[i]] > highest) highest = ranks.rank[bitmap[i]];
        }
        CHECK(highest == theirs);
        CHECK(segment_check(&map));
    }
}

static void test_segments_are_separate(void)
{
    start(4, 6, 8);
    segment_insert(&map, 1, 10, 0, 4);
    segment_insert(&map, 2, 11, 0, 6);
    segment_insert(&map, 3, 12, 7, 1);
    CHECK(segment_check(&map));
    const struct segment_request one = {1, 1, false};
    uint32_t first = 99;
    CHECK(!segment_find_hole(&map, 1, &one, &first) && !segment_find_hole(&map, 2, &one, &first));
    CHECK(segment_find_hole(&map, 3, &one, &first));
    CHECK_EQUAL(first, 0);
    CHECK_EQUAL(segment_owner_from(&map, 3, 0), 12);
    CHECK_EQUAL(segment_owner_from(&map, 3, 8), SEGMENT_NO_OWNER);
}

/* The map refuses to be corrupted. */
static void test_assertions(void)
{
    start(4, 4, 4);
    segment_insert(&map, 1, 1, 1, 2);
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 2, 1)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 0, 2)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 3, 2)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 1, 3, 1)));
    CHECK(FAKE_STOPS(segment_remove(&map, 3)));
    CHECK_EQUAL(fake_hal.stop_code, PANIC_ASSERT);
    CHECK(segment_check(&map));
    map.count[1] = 9;
    CHECK(!segment_check(&map));
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_every_sequence);
    CHECK_RUN(test_windows);
    CHECK_RUN(test_segments_are_separate);
    CHECK_RUN(test_assertions);
    return check_finish();
}
