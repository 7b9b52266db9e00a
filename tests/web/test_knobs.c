/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: each knob of the page takes the values of its range and refuses the first beyond each end, with a sentence, and
 * changes nothing else. Method: a table of boundaries for every knob that is a number, all names of the lists, and
 * texts of every wrong shape.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu_policies.h"
#include "gpu_spec.h"
#include "knobs.h"

/* Only names and sizes of scenes are looked at here: none is made. */
#define NOT_MADE(name) \
    bool name(struct scene *scene, uint32_t seed) { return scene == NULL && seed == 0; }
NOT_MADE(scene_collection)
NOT_MADE(scene_cards)
NOT_MADE(scene_two_programs)
NOT_MADE(scene_locks)

static struct knobs knobs;
static char message[256];

static void good(const char *text)
{
    if (!knobs_parse(&knobs, text, message)) fail_msg("'%s': %s", text, message);
}

static void wrong(const char *text, const char *word)
{
    message[0] = 0;
    if (knobs_parse(&knobs, text, message)) fail_msg("'%s' is taken", text);
    if (strstr(message, word) == NULL) fail_msg("'%s': no '%s' in: %s", text, word, message);
    assert_null(strchr(message, '\n'));
}

static const struct {
    const char *name;
    uint64_t low, high;
    size_t offset; /* of the number in struct knobs */
} numbers[] = {
    {"seed", 0, UINT32_MAX, offsetof(struct knobs, seed)},      {"frames", 1, 999, offsetof(struct knobs, frames)},
    {"segment1", 1, 4096, offsetof(struct knobs, segment1)},    {"segment2", 1, 4096, offsetof(struct knobs, segment2)},
    {"aperture", 16, 4096, offsetof(struct knobs, aperture)},   {"queued", 0, 16, offsetof(struct knobs, queued)},
    {"splitCost", 0, 1024, offsetof(struct knobs, split_cost)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static uint32_t number_of(const struct knobs *of, size_t number)
{
    uint32_t value;
    memcpy(&value, (const char *)of + numbers[number].offset, sizeof value);
    return value;
}

static void test_numbers(void **context)
{
    struct knobs usual;
    char text[96];
    (void)context;
    good("");
    usual = knobs;
    for (size_t i = 0; i < NUMBERS; i++) {
        const uint64_t edges[] = {numbers[i].low, numbers[i].high};
        for (unsigned side = 0; side < 2; side++) {
            snprintf(text, sizeof text, "%s %llu", numbers[i].name, (unsigned long long)edges[side]);
            good(text);
            for (size_t other = 0; other < NUMBERS; other++)
                assert_int_equal(number_of(&knobs, other), other == i ? edges[side] : number_of(&usual, other));
        }
        snprintf(text, sizeof text, "%s %llu", numbers[i].name, (unsigned long long)numbers[i].high + 1u);
        wrong(text, numbers[i].name);
        snprintf(text, sizeof text, "%s %lld", numbers[i].name, (long long)numbers[i].low - 1);
        wrong(text, "give a number from");
        static const char *const shapes[] = {"", " 1", "+1", "1 ", "1x", "x1", "99999999999999999999", "1.0", "/", ":"};
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
            snprintf(text, sizeof text, "%s %s", numbers[i].name, shapes[shape]);
            wrong(text, "give a number from");
        }
        wrong(numbers[i].name, "give a number from");
    }
}

static void test_usual(void **context)
{
    (void)context;
    good("");
    assert_non_null(knobs.scene);
    assert_string_equal(knobs.scene->name, "collection"); /* the first that is computed */
    assert_int_equal(knobs.seed, 1);
    assert_int_equal(knobs.frames, 8);
    assert_int_equal(knobs.aperture, 4096);
    assert_int_equal(knobs.segment1, knobs.scene->segment1_pages);
    assert_int_equal(knobs.segment2, knobs.scene->segment2_pages);
    assert_int_equal(knobs_policy(&knobs), POLICY_LOOKAHEAD);
    assert_false(knobs.is_own || knobs.is_copied);
    assert_int_equal(knobs.queued + knobs.split_cost, 0);
    assert_string_equal(knobs.file, "");
    good("segment1 3\n\nsegment2 5"); /* an empty line, and a last one without an end */
    assert_int_equal(knobs.segment1, 3);
    assert_int_equal(knobs.segment2, 5);
}

static void test_copied(void **context)
{
    (void)context;
    for (uint32_t i = 0; scene_about_number(i) != NULL; i++) {
        const struct scene_about *scene = scene_about_number(i);
        char text[96];
        snprintf(text, sizeof text, "scene %s", scene->name);
        if (scene->is_file) {
            wrong(text, "this scene does not exist");
            continue;
        }
        good(text);
        assert_ptr_equal(knobs.scene, scene);
        assert_int_equal(knobs.is_copied, scene->is_copied);
        assert_int_equal(knobs.segment1, scene->segment1_pages);
        assert_int_equal(knobs.segment2, scene->segment2_pages);
        for (unsigned copied = 0; copied < 2; copied++) {
            snprintf(text, sizeof text, "scene %s\ncopyOnly %u", scene->name, copied);
            good(text);
            assert_int_equal(knobs.is_copied, copied);
        }
    }
    good("scene cards\nfile a.tsdl"); /* what was loaded says itself how it draws */
    assert_false(knobs.is_copied);
    assert_string_equal(knobs.file, "a.tsdl");
    good("file a.tsdl\ncopyOnly 1");
    assert_true(knobs.is_copied);
    wrong("copyOnly 2", "copyOnly is 2: give a number from 0 to 1");
}

static void test_names(void **context)
{
    char text[96];
    uint32_t modes = 0, policies = 0, seen = 0;
    (void)context;
    for (; knobs_force_name(modes) != NULL; modes++) {
        snprintf(text, sizeof text, "force %s", knobs_force_name(modes));
        good(text);
        for (uint32_t other = 0; knobs_force_name(other) != NULL; other++)
            assert_int_equal(knobs_is_forced(&knobs, other), other == modes);
        const uint32_t bit = knobs.force & ~(FIELD_PUT(field_mask(HOST_FORCE_POLICY_WIDTH), HOST_FORCE_POLICY));
        assert_true(bit != 0 && (bit & (bit - 1u)) == 0 && (seen & bit) == 0);
        seen |= bit;
        assert_true(strlen(knobs_force_text(modes)) > 10u);
        assert_int_equal(knobs_policy(&knobs), POLICY_LOOKAHEAD);
    }
    assert_int_equal(modes, 12); /* the fields of one bit of HOST.FORCE */
    assert_string_equal(knobs_force_name(0), "SPLIT");
    assert_string_equal(knobs_force_text(modes), "");
    assert_false(knobs_is_forced(&knobs, modes));
    for (; knobs_policy_name(policies) != NULL; policies++) {
        snprintf(text, sizeof text, "force EVICT\npolicy %s", knobs_policy_name(policies));
        good(text);
        assert_int_equal(knobs_policy(&knobs), policies);
        assert_false(knobs.is_own);
        assert_true(knobs_is_forced(&knobs, 1));
        assert_true(strlen(knobs_policy_text(policies)) > 10u);
    }
    assert_int_equal(policies, POLICY_COUNT);
    assert_string_equal(knobs_policy_text(policies), "");
    good("policy own");
    assert_true(knobs.is_own);
    assert_int_equal(knobs_policy(&knobs), POLICY_LOOKAHEAD); /* what stands behind it */
    good("policy own\npolicy literal");
    assert_false(knobs.is_own);
    wrong("policy owner", "this policy does not exist");
    wrong("policy", "this policy does not exist");
    wrong("force FASTER", "this mode does not exist");
    wrong("force POLICY", "this mode does not exist"); /* a field of more bits */
    wrong("scene quake", "this scene does not exist");
    wrong("colour 3", "colour: this setting does not exist");
    wrong("see 3", "this setting does not exist");
}

static void test_opposites(void **context)
{
    (void)context;
    good("force KEEP_OFFERED\nforce EVICT");
    good("force DROP_OFFERED\nforce SPLIT");
    wrong("force KEEP_OFFERED\nforce DROP_OFFERED", "contradict each other");
    wrong("force DROP_OFFERED\nforce EVICT\nforce KEEP_OFFERED", "contradict each other");
}

/* Number, priority and budget of a context, each at its ends. */
static void test_contexts(void **context)
{
    static const char *const shapes[] = {"context",       "context 0",       "context 0 1",    "context 0 1 x",
                                         "context x 1 2", "context 0 1 2 3", "context 0 1 2x", "context 0 1 2 ",
                                         "context 2 0 0", "context 0 8 0",   "context 0 -8 0", "context 1 0 8193",
                                         "context -1 0 0"};
    (void)context;
    good("context 0 -7 0\ncontext 1 7 12");
    assert_int_equal(knobs.contexts[0].priority, -7);
    assert_int_equal(knobs.contexts[0].budget, 0);
    assert_int_equal(knobs.contexts[1].priority, 7);
    assert_int_equal(knobs.contexts[1].budget, 12);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        wrong(shapes[i], "contexts: give a priority from -7 to 7");
    good("segment1 4096\nsegment2 4096\ncontext 1 0 8192");
    assert_int_equal(knobs.contexts[1].budget, 8192);
    good("segment1 30\nsegment2 12\ncontext 0 0 2\ncontext 1 0 40"); /* all that there is */
    wrong("segment1 30\nsegment2 12\ncontext 0 0 2\ncontext 1 0 41",
          "add up to 43 pages, but segments 1 and 2 have only 42");
}

/* A line longer than any knob, and a name of a file that does not fit. */
static void test_long(void **context)
{
    char text[512];
    (void)context;
    memset(text, 'x', sizeof text - 1u);
    text[sizeof text - 1u] = 0;
    wrong(text, "this setting does not exist");
    memcpy(text, "file ", 5);
    text[400] = '\n';
    memcpy(text + 401, "seed 5", 7);
    good(text);
    assert_int_equal(strlen(knobs.file), sizeof knobs.file - 1u);
    assert_int_equal(knobs.seed, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),   cmocka_unit_test(test_usual),
                                       cmocka_unit_test(test_copied),    cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_opposites), cmocka_unit_test(test_contexts),
                                       cmocka_unit_test(test_long)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
