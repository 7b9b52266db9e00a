/* SPDX-License-Identifier: Apache-2.0
 *
 * The segment map: goal, that it finds a place exactly when one exists and never overlaps; method, every
 * sequence of takes and releases on a tiny segment against a page bitmap, and random ones on larger ones.
 * Names SEG-20, SEG-21.
 */
#include "check.h"
#include "fake_hal.h"
#include "memory/segment.h"
#include "table_memory.h"

enum { TINY = 8, DEPTH = 6, NOBODY = 0xff };

static struct segment_map map;
static uint8_t bitmap[4096]; /* owner of each page, by brute force */
static uint32_t states;

static void start(uint16_t pages1, uint16_t pages2, uint16_t pages3)
{
    const uint16_t pages[SEGMENT_LIMIT] = {pages1, pages2, pages3};
    segment_map_init(&map, table_memory(), pages);
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
                struct segment_place ours;
                uint32_t theirs = 0;
                bool is_found = segment_find_hole(&map, 1, &request, &ours);
                CHECK_EQUAL(is_found, oracle_hole(pages, &request, &theirs));
                if (!is_found) continue;
                CHECK_EQUAL(ours.first, theirs);
                CHECK_EQUAL(ours.before, segment_place_at(&map, 1, ours.first).before);
            }
}

static void take(uint32_t owner, uint32_t first, uint32_t count)
{
    const struct segment_place place = segment_place_at(&map, 1, first);
    segment_insert(&map, 1, owner, count, &place);
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
            struct segment_place place;
            if (!segment_find_hole(&map, 1, &request, &place)) continue;
            take(depth, place.first, size);
            explore(depth + 1);
            release(depth);
        }
    for (uint32_t owner = 0; owner < depth; owner++) {
        if (map.link[owner].where == 0) continue;
        uint32_t first = map.link[owner].first, count = map.link[owner].count;
        release(owner);
        explore(depth + 1);
        take(owner, first, count);
    }
}

static void test_every_sequence(void)
{
    CASE("SEG-20, SEG-21");
    start(TINY, 0, 0);
    states = 0;
    explore(0);
    CHECK(states > 10000);
    CHECK_EQUAL(map.segment[0].used_pages, 0);
}

static void put(uint32_t id, uint32_t owner, uint32_t first, uint32_t count)
{
    const struct segment_place place = segment_place_at(&map, id, first);
    segment_insert(&map, id, owner, count, &place);
}

static void test_segments_are_separate(void)
{
    CASE("SEG-20, SEG-21");
    start(4, 6, 8);
    put(1, 10, 0, 4);
    put(2, 11, 0, 6);
    put(3, 12, 7, 1);
    CHECK(segment_check(&map));
    const struct segment_request one = {1, 1, false};
    struct segment_place place;
    CHECK(!segment_find_hole(&map, 1, &one, &place) && !segment_find_hole(&map, 2, &one, &place));
    CHECK(segment_find_hole(&map, 3, &one, &place));
    CHECK_EQUAL(place.first, 0);
    CHECK_EQUAL(segment_owner_from(&map, 3, 0), 12);
    CHECK_EQUAL(segment_owner_from(&map, 3, 8), SEGMENT_NO_OWNER);
}

/* The run between two owners, whatever stands between them. */
static void test_fits_between(void)
{
    start(16, 0, 0);
    put(1, 1, 2, 2);
    put(1, 2, 6, 2);
    put(1, 3, 10, 2);
    const struct segment_request four = {4, 4, false}, from_end = {4, 4, true}, seven = {7, 1, false};
    uint32_t first = 99;
    CHECK(segment_fits_between(&map, 1, &four, 1, 3, &first));
    CHECK_EQUAL(first, 4);
    CHECK(!segment_fits_between(&map, 1, &seven, 1, 3, &first));
    CHECK(segment_fits_between(&map, 1, &seven, 1, SEGMENT_NO_OWNER, &first));
    CHECK_EQUAL(first, 4);
    CHECK(segment_fits_between(&map, 1, &from_end, SEGMENT_NO_OWNER, SEGMENT_NO_OWNER, &first));
    CHECK_EQUAL(first, 12);
}

/* The map refuses to be corrupted. */
static void test_assertions(void)
{
    start(4, 4, 4);
    put(1, 1, 1, 2);
    const struct segment_place inside = {2, SEGMENT_NO_OWNER}, below = {0, SEGMENT_NO_OWNER}, above = {3, 1},
                               stranger = {3, 9};
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 1, &inside)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 2, &below)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 2, &above)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 2, 1, &stranger)));
    CHECK(FAKE_STOPS(segment_insert(&map, 1, 1, 1, &above)));
    CHECK(FAKE_STOPS(segment_remove(&map, 3)));
    CHECK_EQUAL(fake_hal.stop_code, PANIC_ASSERT);
    CHECK(segment_check(&map));
    map.link[1].count = 9;
    CHECK(!segment_check(&map));
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_every_sequence);
    CHECK_RUN(test_segments_are_separate);
    CHECK_RUN(test_fits_between);
    CHECK_RUN(test_assertions);
    return check_finish();
}
