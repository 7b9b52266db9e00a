/* SPDX-License-Identifier: Apache-2.0
 *
 * test_tdump_read FILE: goal: no other file is taken for a dump, and one that is taken does no harm. Method: a dump of
 * test_tdump is read with each byte flipped and cut at each length, with its check sum as it was and with a right one,
 * and field by field with what each status is about. Of those that are taken some are explained and run on the golden
 * engine.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/command/dump_again.h"
#include "tools/command/dump_text.h"
#include "lib/tdump/tdump.h"

enum { PAGE = LIMIT_BITS_PAGE_BYTES, BYTES = 65536, SAMPLE_MOST = 1 << 20 };

static const char *name = "build/host/tdump/text.tdump";

static uint32_t *sample;
static size_t sample_bytes;

/* A dump of test_tdump's with the last instructions of a chip. */
static void make_sample(void)
{
    enum { MORE = 4 * 4 };
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    sample = malloc(SAMPLE_MOST + MORE);
    assert_non_null(sample);
    sample_bytes = fread(sample, 1, SAMPLE_MOST, file);
    fclose(file);
    assert_true(sample_bytes % 4 == 0 && sample_bytes > TDUMP_HEAD_WORDS * 4);
    uint32_t *more = sample + sample_bytes / 4;
    more[0] = TDUMP_INSTRUCTIONS;
    more[1] = 8;
    more[2] = more[3] = 4;
    sample[TDUMP_HEAD_SECTIONS]++;
    sample_bytes += MORE;
}

static void set_check(uint32_t *words, size_t bytes)
{
    words[TDUMP_HEAD_BYTES] = (uint32_t)bytes;
    words[TDUMP_HEAD_CHECK] = tdump_check(words, bytes);
}

/* Whatever it says, it is explained and run on an engine, and both come to an end. */
static void use(const struct tdump *dump)
{
    struct again again;
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(out >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    dump_print("hostile", dump);
    fflush(stdout);
    assert_true(dup2(out, STDOUT_FILENO) >= 0 && close(out) == 0 && close(nowhere) == 0);
    again_engine(dump, &again);
    if (again.text[0] == 0) fail();
}

static enum tdump_status read_words(const uint32_t *words, size_t bytes)
{
    static unsigned count;
    /* Exactly as long as it is, so that the sanitizer sees a word past it. */
    uint32_t *copy = malloc(bytes != 0 ? bytes : 1);
    struct tdump *dump = malloc(sizeof *dump);
    assert_true(copy != NULL && dump != NULL);
    memcpy(copy, words, bytes);
    const enum tdump_status status = tdump_read(dump, copy, bytes);
    uint32_t sum = 0;
    if (status == TDUMP_OK && count++ % 64u == 0) use(dump);
    if (status == TDUMP_OK) { /* all that it points to is there */
        for (uint32_t i = 0; i < dump->buffer_count; i++)
            for (uint32_t k = 0; k < dump->buffers[i].patch_count * LIMIT_BITS_PATCH_ENTRY_WORDS; k++)
                sum += dump->buffers[i].patches[k];
        for (uint32_t i = 0; i < dump->allocation_count; i++)
            for (uint32_t k = 0; k < dump->allocations[i].page_count; k++) sum += dump->allocations[i].found[k];
        for (uint32_t i = 0; i < dump->portion_count; i++)
            for (uint32_t k = 0; k < dump->portions[i].word_count; k++) sum += dump->portions[i].words[k];
        for (uint32_t i = 0; i < TDUMP_RINGS; i++)
            for (uint32_t k = 0; k < dump->rings[i].word_count; k++) sum += dump->rings[i].words[k];
    }
    free(dump);
    free(copy);
    assert_true(status < TDUMP_STATUSES && (sum != 1 || sum == 1));
    return status;
}

static void test_flips(void **state)
{
    (void)state;
    make_sample();
    set_check(sample, sample_bytes);
    assert_int_equal(read_words(sample, sample_bytes), TDUMP_OK);
    uint8_t *bytes = (uint8_t *)sample;
    unsigned refused = 0, taken = 0, seen[TDUMP_STATUSES] = {0};
    const uint32_t check = sample[TDUMP_HEAD_CHECK];
    for (size_t i = 0; i < sample_bytes; i += i < 4096 ? 1 : 7) {
        bytes[i] ^= 0xff;
        assert_int_not_equal(read_words(sample, sample_bytes), TDUMP_OK);
        if (i >= TDUMP_HEAD_WORDS * 4u) { /* whoever means harm sets the sum */
            set_check(sample, sample_bytes);
            const enum tdump_status status = read_words(sample, sample_bytes);
            seen[status]++;
            if (status == TDUMP_OK) taken++;
            else refused++;
            sample[TDUMP_HEAD_CHECK] = check;
        }
        bytes[i] ^= 0xff;
    }
    assert_true(refused > 50 && taken > 50);
    assert_true(seen[TDUMP_BAD_SIZE] != 0 && seen[TDUMP_BAD_TAG] != 0 && seen[TDUMP_BAD_TEXT] != 0);
    for (size_t length = 0; length < sample_bytes; length += length < 4096 ? 1 : 13) {
        assert_int_not_equal(read_words(sample, length), TDUMP_OK);
        if (length % 4u != 0 || length < TDUMP_HEAD_WORDS * 4u) continue;
        uint32_t *cut = malloc(length);
        assert_non_null(cut);
        memcpy(cut, sample, length);
        set_check(cut, length);
        assert_int_not_equal(read_words(cut, length), TDUMP_OK);
        free(cut);
    }
    assert_int_equal(read_words(sample, sample_bytes), TDUMP_OK);
}

/* The first word of the section number `number` of this kind. */
static uint32_t *section(enum tdump_tag tag, unsigned number)
{
    for (size_t at = TDUMP_HEAD_WORDS; at < sample_bytes / 4; at += 2u + sample[at + 1] / 4u)
        if (sample[at] == (uint32_t)tag && number-- == 0) return sample + at + 2;
    fail();
    return NULL;
}

/* One word changed, with a right sum: this status. */
static void expect(uint32_t *word, uint32_t value, enum tdump_status status)
{
    const uint32_t before = *word;
    *word = value;
    set_check(sample, sample_bytes);
    assert_string_equal(tdump_status_name(read_words(sample, sample_bytes)), tdump_status_name(status));
    *word = before;
    set_check(sample, sample_bytes);
}

static void test_fields(void **state)
{
    (void)state;
    uint32_t *about = section(TDUMP_ABOUT, 0), *registers = section(TDUMP_REGISTERS, 0), *ring = section(TDUMP_RING, 0);
    uint32_t *portion = section(TDUMP_PORTION, 0), *events = section(TDUMP_EVENTS, 0);
    uint32_t *journal = section(TDUMP_JOURNAL, 0), *buffer = section(TDUMP_BUFFER, 0);
    uint32_t *place = section(TDUMP_ALLOCATION, 0), *second = section(TDUMP_ALLOCATION, 1);
    expect(about + ABOUT_REASON, 0, TDUMP_BAD_REASON);
    expect(about + ABOUT_REASON, TDUMP_REASONS, TDUMP_BAD_REASON);
    expect(about + ABOUT_STATUS, STATUS_TIMEOUT, TDUMP_BAD_STATUS);
    expect(about + ABOUT_MEMORY_BYTES, 0, TDUMP_BAD_MEMORY);
    expect(about + ABOUT_MEMORY_BYTES, 4097, TDUMP_BAD_MEMORY);
    expect(about + ABOUT_MEMORY_BYTES, 0xfffff000u, TDUMP_BAD_MEMORY);
    expect(about + ABOUT_TEXT, 0, TDUMP_BAD_TEXT);
    expect(about + ABOUT_TEXT, 0x0a0a0a0au, TDUMP_BAD_TEXT);
    expect(about - 2, TDUMP_TAGS, TDUMP_BAD_TAG);
    expect(about - 2, TDUMP_RING, TDUMP_NO_ABOUT);
    expect(about - 1, ABOUT_WORDS * 4 + 1, TDUMP_BAD_SIZE);
    expect(about - 1, 0xfffffffcu, TDUMP_BAD_SIZE);
    expect(registers, 0x1000, TDUMP_BAD_REGISTER);
    expect(registers, 1, TDUMP_BAD_REGISTER);
    expect(registers + 2, 0, TDUMP_BAD_REGISTER);
    expect(ring + RING_NAME, TDUMP_RINGS, TDUMP_BAD_RING);
    expect(ring + RING_LOG2, 0, TDUMP_BAD_RING);
    expect(ring + RING_LOG2, 32, TDUMP_BAD_RING);
    expect(ring + RING_LOG2, 7, TDUMP_BAD_SIZE);
    expect(ring + RING_TAIL, ring[RING_HEAD] + 65, TDUMP_BAD_RING);
    expect(section(TDUMP_RING, 1) + RING_NAME, ring[RING_NAME], TDUMP_TWICE);
    expect(portion + PORTION_NODE, 2, TDUMP_BAD_PORTION);
    expect(portion + PORTION_AT, 2, TDUMP_BAD_PORTION);
    expect(portion + PORTION_BYTES, 0, TDUMP_BAD_PORTION);
    expect(portion + PORTION_BYTES, 0xfffffffcu, TDUMP_BAD_PORTION);
    expect(portion + PORTION_BYTES, portion[PORTION_BYTES] + 4, TDUMP_BAD_SIZE);
    expect(portion + PORTION_START, 65536, TDUMP_BAD_PORTION);
    expect(events + EVENT_NAME, 0, TDUMP_BAD_EVENT);
    expect(events + EVENT_NAME, 0xffffffffu, TDUMP_BAD_EVENT);
    expect(journal + JOURNAL_STATE, 2, TDUMP_BAD_JOURNAL);
    expect(buffer + BUFFER_IS_GUILTY, 2, TDUMP_BAD_GUILT);
    expect(buffer + BUFFER_WORD_COUNT, 16385, TDUMP_BAD_COUNTS);
    expect(buffer + BUFFER_LIST_COUNT, 4097, TDUMP_BAD_COUNTS);
    expect(buffer + BUFFER_PATCH_COUNT, 0xffffffffu, TDUMP_BAD_COUNTS);
    expect(buffer + BUFFER_PATCH_COUNT, 0, TDUMP_BAD_SIZE);
    expect(place + PLACE_PAGES, 0, TDUMP_BAD_PAGES);
    expect(place + PLACE_PAGES, 4097, TDUMP_BAD_PAGES);
    expect(place + PLACE_PAGES, 1, TDUMP_BAD_SIZE);
    expect(place + PLACE_CONTENT_BYTES, 1, TDUMP_BAD_CONTENT);
    expect(place + PLACE_CONTENT_BYTES, BYTES, TDUMP_BAD_SIZE);
    expect(place + PLACE_HANDLE, 0, TDUMP_BAD_HANDLE);
    expect(second + PLACE_HANDLE, place[PLACE_HANDLE], TDUMP_BAD_HANDLE);
    expect(place + PLACE_SEGMENT, 9, TDUMP_BAD_SEGMENT);
    expect(section(TDUMP_STATISTICS, 0) - 2, TDUMP_REGISTERS, TDUMP_TWICE);
    expect(sample + TDUMP_HEAD_VERSION, 2, TDUMP_BAD_VERSION);
    expect(sample + TDUMP_HEAD_SECTIONS, 3, TDUMP_BAD_SECTIONS);
    expect(sample, 0, TDUMP_NOT_A_DUMP);
    /* The head alone. */
    assert_int_equal(read_words(sample, TDUMP_HEAD_WORDS * 4 - 1), TDUMP_TOO_SHORT);
    assert_int_equal(read_words(sample, sample_bytes - 4), TDUMP_BAD_LENGTH);
    sample[TDUMP_HEAD_CHECK] ^= 1;
    assert_int_equal(read_words(sample, sample_bytes), TDUMP_BAD_CHECK);
    sample[TDUMP_HEAD_CHECK] ^= 1;
    struct tdump *dump = malloc(sizeof *dump);
    assert_non_null(dump);
    assert_int_equal(tdump_read(dump, sample, TDUMP_BYTES_MAX + 4u), TDUMP_TOO_LONG); /* before a byte is looked at */
    free(dump);
    free(sample);
}

/* More of a kind than there may be, and an empty file. */
static void test_many(void **state)
{
    enum { PORTION_SIZE = 2 + PORTION_WORDS + 1, ABOUT_SIZE = 2 + ABOUT_WORDS, PORTIONS = TDUMP_PORTIONS_MAX + 1 };
    uint32_t words[TDUMP_HEAD_WORDS + ABOUT_SIZE + PORTIONS * PORTION_SIZE] = {0};
    (void)state;
    memcpy(words, TDUMP_LETTERS, TDUMP_LETTERS_BYTES);
    words[TDUMP_HEAD_VERSION] = TDUMP_VERSION;
    set_check(words, TDUMP_HEAD_WORDS * 4);
    assert_int_equal(read_words(words, TDUMP_HEAD_WORDS * 4), TDUMP_NO_ABOUT);
    uint32_t *about = words + TDUMP_HEAD_WORDS, *at = about + ABOUT_SIZE;
    about[0] = TDUMP_ABOUT;
    about[1] = ABOUT_WORDS * 4;
    about[2 + ABOUT_REASON] = TDUMP_ASKED;
    about[2 + ABOUT_MEMORY_BYTES] = PAGE;
    memcpy(about + 2 + ABOUT_TEXT, "1.0", 4);
    for (unsigned i = 0; i < PORTIONS; i++, at += PORTION_SIZE) {
        at[0] = TDUMP_PORTION;
        at[1] = (PORTION_WORDS + 1) * 4;
        at[2 + PORTION_BYTES] = 4;
        words[TDUMP_HEAD_SECTIONS] = i + 2;
        const size_t bytes = (size_t)(at + PORTION_SIZE - words) * 4;
        set_check(words, bytes);
        assert_int_equal(read_words(words, bytes), i < TDUMP_PORTIONS_MAX ? TDUMP_OK : TDUMP_TOO_MANY);
    }
}

const char *tessera_version(void);
const char *tessera_version(void) { return "1.2.3"; }

int main(int argc, char **argv)
{
    if (argc > 1) name = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flips), cmocka_unit_test(test_fields),
                                       cmocka_unit_test(test_many)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
