/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the machine of the page counts units as its operations say, shows the picture that the program reads, lives
 * and ends in any order, and says so when memory is out. Method: a run of two frames, counted again plainly; machines
 * destroyed in both orders; and every allocation of a creation failing in turn.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "machine.h"
#include "own_policy.h"
#include "snapshot_check.h"

#define CARDS "scene cards\nframes 2\n"

static int until_failure = -1; /* allocations that succeed; -1: all */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static bool is_once; /* one allocation fails; else all after it do, too */

static bool fails(void)
{
    if (until_failure < 0) return false;
    if (until_failure > 0) {
        until_failure -= 1;
        return false;
    }
    if (is_once) until_failure = -2;
    return true;
}

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { return fails() ? NULL : __real_calloc(count, bytes); }
void *__wrap_realloc(void *old, size_t bytes) { return fails() ? NULL : __real_realloc(old, bytes); }

double own_worth(const struct own_resident *a) { return a->age; }

static struct machine *made(const char *text)
{
    static struct knobs knobs;
    char message[256] = "";
    snapshot_check_begin();
    CHECK(knobs_parse(&knobs, text, message));
    struct machine *machine = machine_create(&knobs, message);
    if (machine == NULL) printf("%s\n", message);
    CHECK(machine != NULL);
    return machine;
}

static void test_lives(void)
{
    CHECK(machine_current() == NULL);
    struct machine *first = made(CARDS);
    CHECK(machine_current() == first && first->before == NULL);
    struct machine *second = made(CARDS);
    CHECK(machine_current() == second && second->before == first);
    machine_destroy(second); /* the newer one: the older is the current one again */
    CHECK(machine_current() == first);
    second = made(CARDS);
    machine_destroy(first); /* the older one: the newer stays, and is followed by none */
    CHECK(machine_current() == second && second->before == NULL);
    machine_destroy(NULL);
    CHECK(machine_current() == second);
    machine_destroy(second);
    CHECK(machine_current() == NULL);
}

/* What is said of a packet is the word that tells its size, or the fence that it names. */
static void test_details(void)
{
    static const uint8_t places[][2] = {{PKT_BLIT, PKT_BLIT_WIDTH_WORD},
                                        {PKT_FILL_RECT, PKT_FILL_RECT_WIDTH_WORD},
                                        {PKT_COPY_LIST, 2},
                                        {PKT_MAP_LIST, 2},
                                        {PKT_COPY, 3},
                                        {PKT_FILL, 2},
                                        {PKT_UNMAP, 2},
                                        {PKT_GUARD, PKT_GUARD_COUNT_WORD},
                                        {PKT_FENCE, 1},
                                        {PKT_WAIT_FENCE, 1},
                                        {PKT_BIND, 1},
                                        {PKT_RUN, 2}};
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        uint32_t words[8] = {opcode | 0xabcd00u, 11, 12, 13, 14, 15, 16, 17}, wanted = 0;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if (places[i][0] == opcode) wanted = words[places[i][1]];
        CHECK_EQUAL(operation_detail(words), wanted);
    }
}

/* Operations, counted plainly. */
static void check_units(const struct machine *machine)
{
    uint32_t ended[MACHINE_UNITS] = {0};
    CHECK(machine->count > 500u);
    for (uint32_t at = 1; at <= machine->count; at++) {
        const struct operation *operation = &machine->operations[at - 1u];
        CHECK_EQUAL(operation->ends & ~(1u << UNIT_PORTION | 1u << UNIT_BUFFER | 1u << UNIT_FRAME), 0);
        for (unsigned unit = UNIT_PORTION; unit < MACHINE_UNITS; unit++) {
            if ((operation->ends >> unit & 1u) != 0) {
                ended[unit]++;
                CHECK_EQUAL(machine_end_of(machine, (enum machine_unit)unit, ended[unit]), at);
            }
            CHECK_EQUAL(machine_ended(machine, (enum machine_unit)unit, at), ended[unit]);
        }
        CHECK_EQUAL(machine_ended(machine, UNIT_OPERATION, at), at);
        CHECK_EQUAL(machine_end_of(machine, UNIT_OPERATION, at), at);
    }
    uint32_t portions = 0, buffers = 0, of_nodes = 0;
    for (uint32_t i = 0; i < machine->count; i++) {
        const struct operation *operation = &machine->operations[i];
        portions += operation->by == BY_FIRMWARE && operation->kind == TRACE_PORTION;
        buffers += operation->by == BY_PROGRAM && operation->kind == MSG_SUBMIT;
        of_nodes += operation->by == BY_RENDER && operation->kind == PKT_FENCE;
    }
    CHECK_EQUAL(ended[UNIT_PORTION], portions); /* with the fence that ends each */
    CHECK_EQUAL(ended[UNIT_PORTION], of_nodes);
    CHECK_EQUAL(ended[UNIT_BUFFER], buffers);
    CHECK_EQUAL(ended[UNIT_FRAME], 2);
    CHECK(ended[UNIT_BUFFER] >= 2u && ended[UNIT_PORTION] >= ended[UNIT_BUFFER]);
    for (unsigned unit = 0; unit < MACHINE_UNITS; unit++) {
        const uint32_t past = (unit == UNIT_OPERATION ? machine->count : ended[unit]) + 1u;
        CHECK_EQUAL(machine_end_of(machine, (enum machine_unit)unit, 0), 0);
        CHECK_EQUAL(machine_end_of(machine, (enum machine_unit)unit, past), machine->count);
        CHECK_EQUAL(machine_ended(machine, (enum machine_unit)unit, 0), 0);
    }
}

/* After the operation with which a frame ends, its target holds what the program has read. */
static void check_pictures(struct machine *machine)
{
    for (uint32_t frame = 0; frame < 2; frame++) {
        const uint32_t at = machine_end_of(machine, UNIT_FRAME, frame + 1u);
        const struct snapshot *state = machine_state(machine, at);
        CHECK_EQUAL(state->finished, frame + 1u);
        CHECK(state->target < machine->surface_count);
        const uint8_t *surfaces = machine_surfaces(machine, at);
        if (frame == 1) CHECK_EQUAL(state->target, 1); /* drawn last; while the first is read, the second is drawn */
        CHECK(memcmp(surfaces + (size_t)frame * machine->surface_bytes,
                     machine->pixels + (size_t)frame * SCENE_FRAME_BYTES, SCENE_FRAME_BYTES) == 0);
    }
    const uint8_t *surfaces = machine_surfaces(machine, 0); /* at the beginning nothing is drawn */
    for (size_t i = 0; i < (size_t)machine->surface_count * machine->surface_bytes; i++) CHECK_EQUAL(surfaces[i], 0);
    CHECK_EQUAL(machine_state(machine, 0)->finished, 0);
}

/* Every operation has words, and a frame's and a portion's say which. */
static void check_words(const struct machine *machine)
{
    char text[160], again[160];
    uint32_t of_program = 0, of_nodes = 0;
    for (uint32_t i = 0; i < machine->count; i++) {
        memset(text, 'x', sizeof text);
        machine_describe(machine, &machine->operations[i], text);
        CHECK(memchr(text, 0, sizeof text) != NULL && strlen(text) > 3u);
        CHECK(strlen(machine_kind(&machine->operations[i])) > 2u);
        machine_describe(machine, &machine->operations[i], again);
        CHECK(strcmp(text, again) == 0);
        of_program += machine->operations[i].by == BY_PROGRAM;
        of_nodes += machine->operations[i].by == BY_RENDER || machine->operations[i].by == BY_PAGING;
    }
    CHECK(of_program > 4u && of_nodes > 100u);
}

/* What was compared has happened at all. */
static void check_seen(void)
{
    CHECK(seen.snapshots > 500u && seen.allocations > 10000u && seen.jobs > 500u);
    CHECK(seen.submissions[0] > 100u && seen.submissions[1] > 100u && seen.waits > 10u);
    for (unsigned flag = 0; flag < 7; flag++)
        if (1u << flag != SNAPSHOT_OFFERED && 1u << flag != SNAPSHOT_LOCKED) CHECK(seen.flags[flag] > 20u);
}

static void check_scene(const char *knobs)
{
    struct machine *machine = made(knobs);
    CHECK(!machine->is_over);
    CHECK_EQUAL(machine->count, 0);
    uint32_t runs = 0;
    for (; !machine->is_over && runs < 9u; runs++) CHECK(machine_run(machine));
    CHECK(machine->is_over && runs >= 2u && machine->message[0] == 0);
    const uint32_t count = machine->count;
    CHECK(machine_run(machine)); /* nothing is left */
    CHECK_EQUAL(machine->count, count);
    check_units(machine);
    check_pictures(machine);
    check_words(machine);
    check_seen();
    machine_destroy(machine);
}

/* Targets that do not fit beside each other, two programs that draw a half each, surfaces that a program paints. */
static void test_run(void)
{
    check_scene(CARDS);
    check_scene("scene programs\nframes 2\ncontext 0 3 40\ncontext 1 -2 17\n");
    CHECK_EQUAL(seen.contexts, 2);
    CHECK(seen.cuts > 0);
    check_scene("scene locks\nframes 2\nsegment2 100\n");
}

/* Priority and budget of each program's context are the knobs'; none is set where the knob is 0. */
/* By flips at blanks every picture of the display is a whole frame that the program has read, in their order. By flips
 * at once some are torn: above the last frame's rows are those of older ones. */
static void test_display(void)
{
    static const char *const texts[] = {"scene cards\nframes 6\nsegment2 400\n",
                                        "scene cards\nframes 6\nsegment2 400\ndisplay 1\n",
                                        "scene cards\nframes 6\nsegment2 400\ndisplay 2\n"};
    for (uint32_t display = 0; display < 3; display++) {
        struct machine *machine = made(texts[display]);
        while (!machine->is_over) CHECK(machine_run(machine));
        uint32_t torn = 0, whole = 0, next = 0, below = 0;
        for (uint32_t i = 0; i < machine->shown_count; i++) {
            const struct machine_shown *shown = &machine->shown[i];
            uint32_t frame = next;
            const size_t from = (size_t)shown->torn * SCENE_PITCH;
            while (frame < 6 && memcmp(machine->pixels + (size_t)frame * SCENE_FRAME_BYTES + from, shown->units + from,
                                       SCENE_FRAME_BYTES - from) != 0)
                frame++;
            CHECK(frame < 6);
            next = frame;
            torn += shown->torn != 0;
            whole += shown->torn == 0;
            below += shown->torn < SCENE_HEIGHT;
            CHECK(i == 0 || shown->at >= machine->shown[i - 1].at);
            CHECK_EQUAL(machine_shown_at(machine, shown->at) > i, 1);
        }
        CHECK_EQUAL(machine_shown_at(machine, 0), 0);
        CHECK_EQUAL(machine->shown_count != 0, display != 0);
        if (display == 1) CHECK(torn == 0 && whole >= 5);
        if (display == 2) CHECK(torn >= 2 && below == machine->shown_count);
        machine_destroy(machine);
    }
}

static void test_contexts(void)
{
    static const char *const knobs[] = {"scene programs\ncontext 0 3 40\ncontext 1 -2 17\n",
                                        "scene programs\ncontext 0 0 40\ncontext 1 5 0\n", "scene programs\n"};
    static const int32_t wanted[][4] = {{3, 40, -2, 17}, {0, 40, 5, 0}, {0, 0, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        struct machine *machine = made(knobs[i]);
        const struct snapshot *state = machine_state(machine, 0);
        for (unsigned context = 0, found = 0; context < (uint32_t)SNAPSHOT_CONTEXTS; context++) {
            if (state->contexts[context].id != machine->run.gpu.contexts[found] % CONTEXT_MAXIMUM) continue;
            CHECK_EQUAL(state->contexts[context].priority, wanted[i][2 * found]);
            CHECK_EQUAL(state->contexts[context].budget, wanted[i][2 * found + 1]);
            if (++found == 2) break;
            CHECK(context + 1u < (uint32_t)SNAPSHOT_CONTEXTS);
        }
        machine_destroy(machine);
    }
}

/* Whether an allocation has failed. */
static bool tries(int allowed, struct machine **machine, char message[256])
{
    static struct knobs knobs;
    CHECK(knobs_parse(&knobs, CARDS, message));
    message[0] = 0;
    snapshot_check_begin();
    until_failure = allowed;
    *machine = machine_create(&knobs, message);
    const bool has_failed = until_failure == 0 || until_failure == -2;
    until_failure = -1;
    return has_failed;
}

static void test_no_memory(void)
{
    char message[256];
    struct machine *first = made(CARDS), *machine = NULL;
    int allowed = 0;
    for (is_once = true; tries(allowed, &machine, message); allowed += allowed < 24 ? 1 : 7) {
        CHECK(machine == NULL && message[0] != 0 && strchr(message, '\n') == NULL);
        CHECK(machine_current() == first);
        is_once = false;
        CHECK(tries(allowed, &machine, message) && machine == NULL && message[0] != 0);
        is_once = true;
    }
    CHECK(machine != NULL && allowed > 4);
    is_once = false;
    until_failure = 0; /* while it runs */
    CHECK(!machine_run(machine));
    until_failure = -1;
    CHECK(machine->is_over && machine->message[0] != 0);
    CHECK(!machine_run(machine)); /* and it stays so */
    machine_destroy(machine);
    machine_destroy(first);
    CHECK(machine_current() == NULL);
}

int main(void)
{
    CHECK_RUN(test_lives);
    CHECK_RUN(test_details);
    CHECK_RUN(test_run);
    CHECK_RUN(test_display);
    CHECK_RUN(test_contexts);
    CHECK_RUN(test_no_memory);
    printf("%u passed, %u failed\n", check_state.passed, check_state.failed);
    return check_state.failed != 0;
}
