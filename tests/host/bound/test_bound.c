/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower bound (host/tools/bound/). Goal: no schedule gets below it, and it is not far below the best one. Method:
 * 600 small random worlds, of each all schedules: before every use any of the allocations may leave, the one that is
 * used goes to any place that has room. The best schedule's busiest port is compared with the bound. Then worlds whose
 * best schedule is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tools/bound/bound.h"

enum { WORLDS = 600, MOST_ITEMS = 3, MOST_USES = 5, PAGE = 4096, PAGE_BEATS = 512 };

enum kind { DRAW, HOST_READ, HOST_WRITE, FRAME };

struct use {
    enum kind kind;
    uint32_t item, read, written; /* bytes */
    bool is_whole;
};

struct world {
    struct bound_machine machine;
    uint32_t item_count, use_count, pages[MOST_ITEMS];
    bool is_mappable[MOST_ITEMS];
    struct use uses[MOST_USES];
};

static uint32_t random_state;

static uint32_t below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

/* ------------------------------------------------------------------ all schedules */

struct state {
    uint8_t place[MOST_ITEMS];
    bool is_newer[MOST_ITEMS];
    double busy[BOUND_RENDER_NODE], before[BOUND_RENDER_NODE]; /* before: when the frame began */
    uint32_t frame;
};

static const struct world *searched;
static double best;
static bool looks_at_frames; /* at all schedules, for what each frame takes at least */
static double frame_best[MOST_USES + 1];

static void move_bytes(struct state *state, uint8_t place, double beats, bool is_write)
{
    static const uint8_t resource[BOUND_PLACES][2] = {{BOUND_SYSTEM_READ, BOUND_SYSTEM_WRITE},
                                                      {BOUND_SEGMENT1_READ, BOUND_SEGMENT1_WRITE},
                                                      {BOUND_SEGMENT2_PORT, BOUND_SEGMENT2_PORT}};
    double cycles = place == BOUND_SEGMENT2 ? 2.0 : 1.0;
    if (place == BOUND_PAGES) cycles = 100.0 / (100.0 - searched->machine.stall_percent);
    state->busy[resource[place][is_write]] += beats * cycles;
}

static void copy(struct state *state, uint32_t item, uint8_t from, uint8_t to)
{
    move_bytes(state, from, searched->pages[item] * PAGE_BEATS, false);
    move_bytes(state, to, searched->pages[item] * PAGE_BEATS, true);
    state->busy[BOUND_PAGING_NODE] += searched->pages[item] * PAGE_BEATS;
}

/* To its pages. */
static void leave(struct state *state, uint32_t item, bool is_dead)
{
    if (state->is_newer[item] && !is_dead) copy(state, item, state->place[item], BOUND_PAGES);
    state->place[item] = BOUND_PAGES;
    state->is_newer[item] = false;
}

static bool has_room(const struct state *state)
{
    uint32_t used[BOUND_PLACES] = {0};
    for (uint32_t i = 0; i < searched->item_count; i++) used[state->place[i]] += searched->pages[i];
    return used[1] <= searched->machine.pages[1] && used[2] <= searched->machine.pages[2];
}

static void search(uint32_t at, const struct state *now);

static void draw(uint32_t at, const struct state *now, uint8_t place)
{
    const struct use *use = &searched->uses[at];
    struct state state = *now;
    const uint8_t before = state.place[use->item];
    if (place == BOUND_PAGES) {
        if (!searched->is_mappable[use->item]) return;
        leave(&state, use->item, use->is_whole);
    } else if (before != place) {
        if (!use->is_whole) copy(&state, use->item, before, place);
        state.place[use->item] = place;
        if (!has_room(&state)) return;
    }
    move_bytes(&state, place, use->read / 8.0, false);
    move_bytes(&state, place, use->written / 8.0, true);
    if (place != BOUND_PAGES) state.is_newer[use->item] |= use->written != 0 || use->is_whole;
    search(at + 1, &state);
}

static void end_frame(struct state *state)
{
    double busiest = 0;
    for (unsigned r = 0; r < BOUND_RENDER_NODE; r++)
        if (state->busy[r] - state->before[r] > busiest) busiest = state->busy[r] - state->before[r];
    if (busiest < frame_best[state->frame]) frame_best[state->frame] = busiest;
    memcpy(state->before, state->busy, sizeof state->before);
    state->frame++;
}

static void search(uint32_t at, const struct state *now)
{
    double busiest = 0;
    for (unsigned r = 0; r < BOUND_RENDER_NODE; r++) busiest = now->busy[r] > busiest ? now->busy[r] : busiest;
    if (busiest >= best && !looks_at_frames) return;
    if (at == searched->use_count) {
        struct state state = *now;
        end_frame(&state);
        best = busiest < best ? busiest : best;
        return;
    }
    const struct use *use = &searched->uses[at];
    for (uint32_t leaving = 0; leaving < 1u << searched->item_count; leaving++) {
        struct state state = *now;
        for (uint32_t i = 0; i < searched->item_count; i++)
            if (leaving >> i & 1u) leave(&state, i, false);
        if (use->kind == FRAME) {
            end_frame(&state);
            search(at + 1, &state);
        } else if (use->kind == DRAW) {
            for (uint8_t place = 0; place < BOUND_PLACES; place++) draw(at, &state, place);
        } else if (use->kind == HOST_WRITE) {
            leave(&state, use->item, use->is_whole);
            search(at + 1, &state);
        } else {
            if (state.is_newer[use->item]) copy(&state, use->item, state.place[use->item], BOUND_PAGES);
            state.is_newer[use->item] = false;
            search(at + 1, &state);
        }
    }
}

static double exhaustive(const struct world *world)
{
    const struct state empty = {.frame = 0};
    for (unsigned f = 0; f <= MOST_USES; f++) frame_best[f] = 1e18;
    searched = world;
    best = 1e18;
    search(0, &empty);
    return best;
}

/* ------------------------------------------------------------------ the bound */

static uint64_t frames[MOST_USES + 1], frame_sum; /* of the world that was solved last */
static uint32_t frame_count;

static uint64_t solve(const struct world *world)
{
    struct bound *bound = bound_create();
    frame_count = 1;
    frame_sum = 0;
    assert_non_null(bound);
    for (uint32_t i = 0; i < world->item_count; i++)
        assert_int_equal(bound_allocation(bound, world->pages[i] * PAGE, world->is_mappable[i]), i);
    for (uint32_t i = 0; i < world->use_count; i++) {
        const struct use *use = &world->uses[i];
        switch (use->kind) {
        case DRAW: bound_use(bound, use->item, use->read, use->written, use->is_whole); break;
        case HOST_READ: bound_host_read(bound, use->item); break;
        case HOST_WRITE: bound_host_write(bound, use->item, use->is_whole); break;
        case FRAME:
            bound_frame(bound);
            frame_count++;
            break;
        }
    }
    const uint64_t cycles = bound_solve_frames(bound, &world->machine, frames, frame_count).cycles;
    assert_int_equal(cycles, bound_solve(bound, &world->machine).cycles);
    for (uint32_t f = 0; f < frame_count; f++) frame_sum += frames[f];
    bound_destroy(bound);
    return cycles;
}

static void invent(struct world *world)
{
    memset(world, 0, sizeof *world);
    world->machine.pages[1] = below(4);
    world->machine.pages[2] = 3u + below(6);
    world->machine.stall_percent = below(2) * 80u;
    world->item_count = 1u + below(MOST_ITEMS);
    world->use_count = 2u + below(MOST_USES - 1u);
    for (uint32_t i = 0; i < world->item_count; i++) {
        world->pages[i] = 1u + below(3);
        world->is_mappable[i] = below(4) != 0;
    }
    for (uint32_t i = 0; i < world->use_count; i++) {
        struct use *use = &world->uses[i];
        const uint32_t kind = below(10), bytes = PAGE * (1u + below(6));
        use->kind = kind < 6 ? DRAW : kind == 6 ? HOST_READ : kind == 7 ? HOST_WRITE : FRAME;
        use->item = below(world->item_count);
        use->is_whole = below(4) == 0;
        if (use->kind != DRAW) continue;
        use->read = below(3) != 0 && !use->is_whole ? bytes : 0;
        use->written = below(2) != 0 || use->is_whole ? bytes : 0;
    }
}

static void test_all_schedules(void **state)
{
    double sum = 0;
    uint32_t counted = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= WORLDS; seed++) {
        struct world world;
        random_state = seed;
        invent(&world);
        const double least = exhaustive(&world), bound = (double)solve(&world);
        if (bound > least + 1e-6) fail_msg("world %u: bound %.1f, a schedule takes %.1f", seed, bound, least);
        if ((double)frame_sum > least + 1e-6)
            fail_msg("world %u: its frames %.1f, a schedule takes %.1f", seed, (double)frame_sum, least);
        if (least == 0 || least > 1e17) continue; /* nothing to do, or it fits nowhere */
        sum += bound / least;
        counted++;
    }
    assert_true(counted > WORLDS / 2);
    print_message("bound / best schedule of %u worlds: %.3f\n", counted, sum / counted);
    assert_true(sum / counted > 0.75); /* ports shared at will take less than whole allocations can */
}

/* In no schedule does a frame's busiest port work less than the frame's number. */
static void test_frames(void **state)
{
    uint32_t counted = 0;
    double sum = 0;
    (void)state;
    looks_at_frames = true;
    for (uint32_t seed = 1; seed <= WORLDS; seed++) {
        struct world world;
        random_state = 1000 + seed;
        invent(&world);
        world.item_count = world.item_count < 2 ? world.item_count : 2;
        world.use_count = world.use_count < 4 ? world.use_count : 4;
        for (uint32_t i = 0; i < world.use_count; i++) world.uses[i].item %= world.item_count;
        if (world.use_count > 2) world.uses[1 + seed % 2].kind = FRAME;
        const double least = exhaustive(&world);
        (void)solve(&world);
        for (uint32_t f = 0; f < frame_count; f++) {
            if ((double)frames[f] > frame_best[f] + 1e-6)
                fail_msg("world %u, frame %u: %.1f, a schedule takes %.1f", seed, f, (double)frames[f], frame_best[f]);
            if (frame_best[f] == 0 || least > 1e17) continue;
            sum += (double)frames[f] / frame_best[f];
            counted++;
        }
    }
    looks_at_frames = false;
    assert_true(counted > WORLDS / 4);
    print_message("frame's number / least of all schedules, %u frames: %.3f\n", counted, sum / counted);
    assert_true(sum / counted > 0.6);
}

/* ------------------------------------------------------------------ known ones */

static uint64_t one(uint32_t pages, bool is_mappable, uint32_t stall, const struct use *uses, uint32_t count)
{
    struct world world = {.machine = {.pages = {0, 0, 64}, .stall_percent = stall},
                          .item_count = 1,
                          .use_count = count,
                          .pages = {pages},
                          .is_mappable = {is_mappable}};
    memcpy(world.uses, uses, count * sizeof *uses);
    return solve(&world);
}

#define NEARLY(value, wanted) assert_in_range(value, (uint64_t)((wanted)*0.98), (uint64_t)(wanted))

static void test_known(void **state)
{
    const struct use read_once = {DRAW, 0, 4 * PAGE, 0, false}, cover = {DRAW, 0, 0, 4 * PAGE, true};
    const struct use looked_at = {HOST_READ, 0, 0, 0, false};
    const struct use often[] = {read_once, read_once, read_once, read_once, read_once};
    (void)state;
    NEARLY(one(4, true, 0, &read_once, 1), 4.0 * PAGE_BEATS);   /* where it lies */
    NEARLY(one(4, false, 0, &read_once, 1), 16.0 * PAGE_BEATS); /* copied: written and read, two cycles a beat */
    NEARLY(one(4, true, 80, &read_once, 1), 20.0 * PAGE_BEATS);
    assert_in_range(one(4, true, 80, often, 5), 20 * PAGE_BEATS, 48 * PAGE_BEATS); /* copied once, not read 5 times */
    NEARLY(one(4, false, 0, (const struct use[]){cover, looked_at}, 2), 16.0 * PAGE_BEATS); /* nothing copied in */
    assert_int_equal(one(4, true, 0, &looked_at, 1), 0);
}

/* Two of 40 pages do not stay side by side in 64: each frame something comes or is read where it lies. */
static void test_room(void **state)
{
    enum { FRAMES = 20 };
    struct bound_machine machine = {.pages = {0, 0, 64}};
    uint64_t cycles[2];
    (void)state;
    for (unsigned k = 0; k < 2; k++, machine.pages[2] = 80) {
        struct bound *bound = bound_create();
        const uint32_t a = bound_allocation(bound, 40 * PAGE, false), b = bound_allocation(bound, 40 * PAGE, false);
        for (unsigned frame = 0; frame < FRAMES; frame++, bound_frame(bound)) {
            bound_use(bound, a, PAGE, 0, false);
            bound_use(bound, b, PAGE, 0, false);
        }
        cycles[k] = bound_solve(bound, &machine).cycles;
        bound_destroy(bound);
    }
    assert_in_range(cycles[1], 160 * PAGE_BEATS, 260 * PAGE_BEATS);
    assert_true(cycles[0] > 2 * cycles[1]);
}

/* One frame alone is the whole run; of allocations that are used once each frame has its own; room that is too small is
 * paid in each frame but the first, which pays more. */
static void test_known_frames(void **state)
{
    const struct use reads = {DRAW, 0, 4 * PAGE, 0, false}, other = {DRAW, 1, 8 * PAGE, 0, false};
    const struct use ends = {.kind = FRAME};
    const struct bound_machine machine = {.pages = {0, 0, 64}};
    struct world world = {.machine = machine,
                          .item_count = 2,
                          .use_count = 3,
                          .pages = {4, 8},
                          .is_mappable = {true, true},
                          .uses = {reads, ends, other}};
    uint64_t of[20], sum = 0;
    (void)state;
    const uint64_t alone = one(4, true, 0, (const struct use[]){reads, reads, reads}, 3);
    assert_in_range(frame_sum, alone - 1, alone);
    NEARLY(solve(&world), 12.0 * PAGE_BEATS);
    NEARLY(frames[0], 4.0 * PAGE_BEATS);
    NEARLY(frames[1], 8.0 * PAGE_BEATS);
    struct bound *bound = bound_create();
    const uint32_t a = bound_allocation(bound, 40 * PAGE, false), b = bound_allocation(bound, 40 * PAGE, false);
    for (unsigned frame = 0; frame < 20; frame++, bound_frame(bound)) {
        bound_use(bound, a, PAGE, 0, false);
        bound_use(bound, b, PAGE, 0, false);
    }
    const uint64_t whole = bound_solve_frames(bound, &machine, of, 20).cycles;
    for (unsigned frame = 0; frame < 20; frame++) {
        sum += of[frame];
        if (frame > 1) assert_int_equal(of[frame], of[1]); /* steady */
    }
    assert_in_range(sum, whole, whole * 5 / 4); /* the run's has room for what is carried into the first, too */
    assert_true(of[0] > of[1]);                 /* nothing was there */
    uint64_t three[3];
    (void)bound_solve_frames(bound, &machine, three, 3); /* what is after them counts for the last */
    assert_int_equal(three[1], of[1]);
    assert_in_range(three[2], 18 * of[1], 18 * (of[1] + 1));
    bound_destroy(bound);
}

/* The render node's own work counts, and what was told is forgotten. */
static void test_draw(void **state)
{
    const struct bound_machine machine = {.pages = {0, 4, 4}};
    struct bound *bound = bound_create();
    (void)state;
    const uint32_t a = bound_allocation(bound, PAGE, true);
    bound_use(bound, a, PAGE, 0, false);
    bound_draw(bound, 80000, 8000, 0);
    assert_int_equal(bound_solve(bound, &machine).cycles, 10000);
    assert_int_equal(bound_solve(bound, &machine).busiest, BOUND_RENDER_NODE);
    bound_draw(bound, 0, 0, 60000);
    assert_int_equal(bound_solve(bound, &machine).cycles, 30000);
    bound_frame(bound);
    bound_frame(bound);
    bound_draw(bound, 0, 90000, 6000);
    uint64_t of[3];
    assert_int_equal(bound_solve_frames(bound, &machine, of, 3).cycles, 33000);
    assert_int_equal(of[0], 30000); /* all of pixels, which are most in the run */
    assert_int_equal(of[1], 0);
    assert_int_equal(of[2], 3000);
    bound_clear(bound);
    assert_int_equal(bound_solve(bound, &machine).cycles, 0);
    bound_destroy(bound);
    bound_use(NULL, 0, 1, 1, false);
    assert_int_equal(bound_solve(NULL, &machine).cycles, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_schedules), cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_room),          cmocka_unit_test(test_draw),
                                       cmocka_unit_test(test_frames),        cmocka_unit_test(test_known_frames)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
