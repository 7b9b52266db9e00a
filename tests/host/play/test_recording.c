/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording format: what is written comes back, a file that was cut off or changed anywhere is refused with one
 * line, and so is every record that breaks a rule of recording.h. The writer checks nothing, so it can make them all.
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
#include <zlib.h>

#include "tools/recording/recording.h"
#include "recording_cases.h"

static const char *const path = "build/play/test.tsdl";
static const char *const cut_path = "build/play/test-cut.tsdl";

static const struct recording_event plain[] = {
    {.kind = RECORDING_SURFACE, .surface = 0, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 64}},
    {.kind = RECORDING_SURFACE, .surface = 4095, .format = RECORDING_ARGB8888, .rect = {0, 0, 16, 9}},
    {.kind = RECORDING_SURFACE, .surface = 7, .format = RECORDING_RGB565, .rect = {0, 0, 16, 16}},
    {.kind = RECORDING_PIXELS, .surface = 4095, .format = RECORDING_ARGB8888, .rect = {3, 2, 13, 7}, .pixels = pixels},
    {.kind = RECORDING_FILL, .surface = 0, .rect = {1, 2, 63, 62}, .unit = 0xff123456},
    {.kind = RECORDING_BLIT,
     .surface = 0,
     .source = 4095,
     .rect = {48, 55, 16, 9},
     .mode = RECORDING_BLEND,
     .alpha = 255,
     .colour = WHITE},
    {.kind = RECORDING_BLIT,
     .surface = 7,
     .source = 7,
     .rect = {1, 1, 15, 15},
     .mode = RECORDING_COPY,
     .alpha = 255,
     .colour = WHITE},
    {.kind = RECORDING_BLIT,
     .surface = 7,
     .source = 0,
     .rect = {0, 0, 16, 16},
     .source_x = 48,
     .source_y = 48,
     .mode = RECORDING_KEY,
     .alpha = 255,
     .colour = WHITE,
     .key = 0xff00ff00},
    {.kind = RECORDING_BLIT, /* a quarter turn and scaled: 9 rows under 30 columns, 16 columns under 20 rows */
     .surface = 0,
     .source = 4095,
     .rect = {4, 5, 30, 20},
     .map = {.width = 16, .height = 9, .u = 65536, .v = 65536 * 9 - 1, .u_y = 49152, .v_x = -19660},
     .mode = RECORDING_ADD,
     .alpha = 77,
     .colour = 0x123456},
    {.kind = RECORDING_PRESENT, .surface = 0, .milliseconds = 16},
    {.kind = RECORDING_BLIT, /* twice as large, between the units: half a unit before the first one */
     .surface = 0,
     .source = 4095,
     .rect = {1, 2, 20, 12},
     .source_x = 3,
     .source_y = 2,
     .map = {.width = 10, .height = 6, .u = -16384, .v = -16384, .u_x = 32768, .v_y = 32768, .is_filtered = true},
     .mode = RECORDING_COPY,
     .alpha = 255,
     .colour = WHITE},
    {.kind = RECORDING_FREE, .surface = 4095},
    {.kind = RECORDING_SURFACE, .surface = 4095, .format = RECORDING_RGB565, .rect = {0, 0, 16383, 1}},
    {.kind = RECORDING_PRESENT, .surface = 7, .milliseconds = 65535},
};
enum { PLAIN_COUNT = sizeof plain / sizeof *plain };

static void write_file(const struct recording_event *events, size_t count)
{
    unlink(path);
    struct recording_writer *writer = recording_create(path);
    assert_non_null(writer);
    for (size_t i = 0; i < count; i++) assert_int_equal(recording_add(writer, &events[i]), 0);
    assert_int_equal(recording_finish(writer), 0);
}

/* A message is one line that begins with the file's name. */
static void assert_refused(const char *name, const char *part)
{
    struct recording_totals totals;
    char message[256] = "";
    assert_int_equal(recording_check(name, &totals, message), -1);
    assert_memory_equal(message, name, strlen(name));
    assert_null(strchr(message, '\n'));
    if (strstr(message, part) == NULL) fail_msg("'%s' is not in: %s", part, message);
}

static size_t load(uint8_t **bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *bytes = malloc(1 << 20);
    size_t count = fread(*bytes, 1, 1 << 20, file);
    fclose(file);
    return count;
}

static void save(const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(cut_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* ------------------------------------------------------------------ tests */

static void test_round_trip(void **state)
{
    struct recording *recording;
    struct recording_event event;
    struct recording_totals totals;
    char message[256];
    (void)state;
    write_file(plain, PLAIN_COUNT);
    assert_int_equal(recording_open(&recording, path, message), 0);
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        const struct recording_event *want = &plain[i];
        assert_int_equal(recording_next(recording, &event, message), 1);
        assert_int_equal(event.kind, want->kind);
        assert_int_equal(event.surface, want->surface);
        assert_int_equal(event.source, want->source);
        assert_memory_equal(&event.rect, &want->rect, sizeof event.rect);
        assert_int_equal(event.source_x, want->source_x);
        assert_int_equal(event.source_y, want->source_y);
        assert_int_equal(event.map.is_filtered, want->map.is_filtered);
        assert_memory_equal(&event.map, &want->map, offsetof(struct recording_map, is_filtered));
        assert_int_equal(event.mode, want->mode);
        assert_int_equal(event.alpha, want->alpha);
        assert_int_equal(event.colour, want->colour);
        assert_int_equal(event.unit, want->unit);
        assert_int_equal(event.milliseconds, want->milliseconds);
        if (want->mode == RECORDING_KEY) assert_int_equal(event.key, want->key);
        if (want->kind != RECORDING_PIXELS) continue;
        assert_int_equal(event.format, want->format);
        assert_memory_equal(event.pixels, pixels, 13 * 7 * 4);
    }
    assert_int_equal(recording_next(recording, &event, message), 0);
    assert_int_equal(event.frames, 2);
    assert_int_equal(event.records, PLAIN_COUNT);
    assert_int_equal(recording_next(recording, &event, message), 0); /* the end stays the end */
    recording_close(recording);
    assert_int_equal(recording_check(path, &totals, message), 0);
    assert_int_equal(totals.frames, 2);
    assert_int_equal(totals.records[RECORDING_BLIT], 5);
    assert_int_equal(totals.live_surfaces, 3);
    assert_int_equal(totals.live_bytes, 64 * 64 * 4 + 16 * 16 * 2 + 16383 * 2);
}

/* Pictures larger than a record, records larger than a chunk. */
static void test_large(void **state)
{
    enum { SIDE = 1200 };
    struct recording *recording;
    struct recording_event event;
    struct recording_totals totals;
    char message[256];
    uint32_t rows = 0;
    uint8_t *large = malloc(SIDE * SIDE * 4);
    (void)state;
    for (uint32_t i = 0; i < SIDE * SIDE * 4; i++) large[i] = (uint8_t)(i * 2654435761u >> 24);
    const struct recording_event events[] = {
        {.kind = RECORDING_SURFACE, .format = RECORDING_ARGB8888, .rect = {0, 0, SIDE, SIDE}},
        {.kind = RECORDING_PIXELS, .format = RECORDING_ARGB8888, .rect = {0, 0, SIDE, SIDE}, .pixels = large}};
    write_file(events, 2);
    assert_int_equal(recording_check(path, &totals, message), 0);
    assert_true(totals.chunks > 3);
    assert_int_equal(recording_open(&recording, path, message), 0);
    while (recording_next(recording, &event, message) == 1) {
        if (event.kind != RECORDING_PIXELS) continue;
        assert_int_equal(event.rect.y, rows);
        assert_memory_equal(event.pixels, large + (size_t)rows * SIDE * 4, (size_t)event.rect.height * SIDE * 4);
        rows += event.rect.height;
    }
    assert_int_equal(rows, SIDE);
    recording_close(recording);
    free(large);
}

static void test_cut_off_anywhere(void **state)
{
    uint8_t *bytes;
    (void)state;
    write_file(plain, PLAIN_COUNT);
    size_t count = load(&bytes);
    for (size_t length = 0; length < count; length++) {
        save(bytes, length);
        assert_refused(cut_path, length < RECORDING_HEADER_BYTES ? "is not a recording" : "is cut off");
    }
    save(bytes, count); /* and the whole is good: the loop did not refuse for another reason */
    struct recording_totals totals;
    char message[256];
    assert_int_equal(recording_check(cut_path, &totals, message), 0);
    free(bytes);
}

static void test_changed_anywhere(void **state)
{
    uint8_t *bytes;
    (void)state;
    write_file(plain, PLAIN_COUNT);
    size_t count = load(&bytes);
    for (size_t at = 0; at < count; at++) {
        bytes[at] ^= (uint8_t)(1u << at % 8u);
        save(bytes, count);
        assert_refused(cut_path, "");
        bytes[at] ^= (uint8_t)(1u << at % 8u);
    }
    bytes[count] = 0; /* something after END */
    save(bytes, count + 1);
    assert_refused(cut_path, "something follows");
    free(bytes);
}

static void test_foreign(void **state)
{
    uint8_t header[RECORDING_HEADER_BYTES] = {'T', 'S', 'R', 'A', 'S', 'D', 'L', '\n', 1};
    static const uint8_t picture[] = "\x89PNG\r\n\x1a\n and so on and so on";
    (void)state;
    save(picture, sizeof picture);
    assert_refused(cut_path, "is not a recording");
    uint32_t crc = (uint32_t)crc32(0, header, 12);
    memcpy(header + 12, &crc, 4);
    save(header, sizeof header);
    assert_refused(cut_path, "has version 1, this program reads versions 2 to 8");
    unlink(cut_path);
    assert_refused(cut_path, "No such file");
}

/* PIXELS of so many rows: header, one chunk of SURFACE, PIXELS and END, all by hand. The chunk lacks its last bytes, as
 * many as `missing`. */
static void save_pixels(uint32_t rows, uint32_t missing)
{
    enum { SIDE = 1024, ROW_BYTES = SIDE * 4 };
    static uint8_t raw[RECORDING_CHUNK_LIMIT], file[RECORDING_CHUNK_LIMIT];
    const uint8_t records[] = {RECORDING_SURFACE,
                               0,
                               0,
                               RECORDING_XRGB8888,
                               SIDE & 0xff,
                               SIDE >> 8,
                               SIDE & 0xff,
                               SIDE >> 8,
                               RECORDING_PIXELS,
                               0,
                               0,
                               0,
                               0,
                               0,
                               0,
                               SIDE & 0xff,
                               SIDE >> 8,
                               (uint8_t)rows,
                               (uint8_t)(rows >> 8)};
    const uint8_t end[] = {RECORDING_END, 0, 0, 0, 0, 2, 0, 0, 0};
    uint32_t raw_bytes = (uint32_t)(sizeof records + rows * ROW_BYTES + sizeof end);
    memset(raw, 0, sizeof raw);
    memcpy(raw, records, sizeof records);
    memcpy(raw + raw_bytes - sizeof end, end, sizeof end);
    uint8_t *header = file + RECORDING_HEADER_BYTES;
    raw_bytes -= missing;
    uLongf packed = sizeof file - RECORDING_HEADER_BYTES - RECORDING_CHUNK_BYTES;
    assert_int_equal(compress(header + RECORDING_CHUNK_BYTES, &packed, raw, raw_bytes), Z_OK);
    memcpy(file, "TSRASDL\n", 8);
    file[8] = RECORDING_VERSION;
    uint32_t crc = (uint32_t)crc32(0, file, 12), words[3] = {(uint32_t)packed, raw_bytes, 0};
    memcpy(file + 12, &crc, 4);
    memcpy(header, "CHNK", 4);
    memcpy(header + 4, words, sizeof words);
    crc = (uint32_t)crc32(crc32(0, header + 4, 12), header + RECORDING_CHUNK_BYTES, (uInt)packed);
    memcpy(header + 16, &crc, 4);
    save(file, RECORDING_HEADER_BYTES + RECORDING_CHUNK_BYTES + packed);
}

/* The longest operand of PIXELS; one of a row more, which no writer makes; one that ends some bytes too early. */
static void test_longest_pixels(void **state)
{
    static const uint32_t missing[] = {10, 16, 28}; /* END has 9 */
    struct recording_totals totals;
    char message[256] = "";
    (void)state;
    save_pixels(RECORDING_PIXELS_LIMIT / 4096, 0);
    if (recording_check(cut_path, &totals, message) != 0) fail_msg("%s", message);
    save_pixels(RECORDING_PIXELS_LIMIT / 4096 + 1, 0);
    assert_refused(cut_path, "PIXELS: more bytes than its chunk holds");
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        save_pixels(5, missing[i]);
        assert_refused(cut_path, "PIXELS: more bytes than its chunk holds");
    }
}

static void test_bad_records(void **state)
{
    struct recording_event events[5] = {
        {.kind = RECORDING_SURFACE, .surface = 0, .format = RECORDING_XRGB8888, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_SURFACE, .surface = 1, .format = RECORDING_ARGB8888, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_SURFACE, .surface = 2, .format = RECORDING_RGB565, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_SURFACE, .surface = 3, .format = RECORDING_INDEX8, .rect = {0, 0, 8, 8}}};
    (void)state;
    for (size_t i = 0; i < sizeof bad_events / sizeof *bad_events; i++) {
        events[4] = bad_events[i].event;
        write_file(events, 5);
        assert_refused(path, bad_events[i].part);
    }
}

/* Surfaces have as much room as a recorder could have filled: a few bytes of a file do not take gigabytes. */
static void test_room(void **state)
{
    const struct recording_event most = {
        .kind = RECORDING_SURFACE, .surface = 0, .format = RECORDING_ARGB8888, .rect = {0, 0, 4096, 2048}};
    const struct recording_event longest = {.kind = RECORDING_SURFACE,
                                            .surface = 1,
                                            .format = RECORDING_ARGB8888,
                                            .rect = {0, 0, RECORDING_SIDE, RECORDING_SIDE}};
    struct recording_event events[3] = {most, most, most};
    struct recording_totals totals;
    char message[256];
    (void)state;
    events[1].surface = 1;
    events[1].rect = (struct recording_rect){0, 0, 1, 1};
    write_file(events, 2); /* all of RECORDING_ROOM, and what its own bytes give */
    if (recording_check(path, &totals, message) != 0) fail_msg("%s", message);
    assert_int_equal(totals.live_bytes, RECORDING_ROOM + 4);
    events[1].rect.width = events[1].rect.height = 1024;
    write_file(events, 2);
    assert_refused(path, "its surfaces take 36 MB at one time");
    events[1] = (struct recording_event){.kind = RECORDING_FREE, .surface = 0};
    write_file(events, 3); /* not at one time */
    if (recording_check(path, &totals, message) != 0) fail_msg("%s", message);
    events[0] = longest;
    write_file(events, 1);
    assert_refused(path, "no recorder wrote it");
}

/* Whoever has the state ends the recording of a writer that is gone, also one that died while a chunk went out; and
 * what such a writer had begun to put after the last whole record is not looked at. */
static void test_continued(void **state)
{
    enum { ROUNDS = 300 }; /* chunks and a half */
    struct recording_state *shared = calloc(1, sizeof *shared);
    struct recording_totals totals;
    char message[256] = "";
    (void)state;
    assert_non_null(shared);
    for (int case_number = 0; case_number < 2; case_number++) {
        memset(shared, 0, sizeof *shared);
        unlink(path);
        int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0666), own = dup(descriptor);
        assert_true(descriptor >= 0 && own >= 0);
        struct recording_writer *dead = recording_continue(descriptor, shared);
        assert_non_null(dead);
        assert_int_equal(recording_add(dead, &plain[0]), 0);
        for (int round = 0; round < ROUNDS; round++) {
            const struct recording_event event = {
                .kind = RECORDING_PIXELS, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 64}, .pixels = pixels};
            assert_int_equal(recording_add(dead, &event), 0);
            assert_int_equal(recording_add(dead, &plain[9]), 0);
        }
        const struct recording_progress progress = recording_progress(shared);
        assert_int_equal(progress.frames, ROUNDS);
        assert_true(progress.raw_bytes > 0 && progress.file_bytes > RECORDING_HEADER_BYTES);
        memset(shared->raw + progress.raw_bytes, 0xee, 100);
        if (case_number == 1) assert_int_equal(pwrite(own, "CHNK and no more", 16, (off_t)progress.file_bytes), 16);
        struct recording_writer *heir = recording_continue(own, shared);
        assert_non_null(heir);
        assert_int_equal(recording_finish(heir), 0);
        if (recording_check(path, &totals, message) != 0) fail_msg("%s", message);
        assert_int_equal(totals.frames, ROUNDS);
        assert_int_equal(totals.records[RECORDING_PIXELS], ROUNDS);
        recording_abandon(dead);
    }
    free(shared);
}

/* The unused byte of a fill, and of a key, is 255 whatever the file has; other formats' units stay as they are. */
static void test_fill_units(void **state)
{
    static const struct {
        enum recording_format format;
        uint32_t unit, read;
    } rows[] = {{RECORDING_XRGB8888, 0x123456, 0xff123456}, {RECORDING_ARGB8888, 0x123456, 0x123456},
                {RECORDING_RGB888, 0x123456, 0x123456},     {RECORDING_RGB565, 0x1234, 0x1234},
                {RECORDING_ARGB1555, 0x1234, 0x1234},       {RECORDING_XRGB1555, 0x1234, 0x1234}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct recording *recording;
        struct recording_event event;
        char message[256];
        const struct recording_event events[] = {
            {.kind = RECORDING_SURFACE, .surface = 3, .format = rows[i].format, .rect = {0, 0, 8, 8}},
            {.kind = RECORDING_FILL,
             .surface = 3,
             .format = rows[i].format,
             .rect = {1, 2, 3, 4},
             .unit = rows[i].unit},
            {.kind = RECORDING_BLIT,
             .surface = 3,
             .source = 3,
             .rect = {0, 0, 2, 2},
             .source_x = 4,
             .mode = RECORDING_KEY,
             .alpha = 255,
             .colour = WHITE,
             .key = rows[i].unit}};
        bool is_keyed = recording_blit_refusal(&events[2], rows[i].format, rows[i].format) == NULL;
        write_file(events, is_keyed ? 3 : 2);
        assert_int_equal(recording_open(&recording, path, message), 0);
        for (unsigned n = 0; n < 2; n++) assert_int_equal(recording_next(recording, &event, message), 1);
        assert_int_equal(event.unit, rows[i].read);
        assert_int_equal(event.format, rows[i].format);
        if (is_keyed) {
            assert_int_equal(recording_next(recording, &event, message), 1);
            assert_int_equal(event.key, rows[i].read);
        }
        recording_close(recording);
    }
}

/* What is in cut_path, as if it were of that version. */
static void save_as(uint8_t version)
{
    uint8_t bytes[2048];
    FILE *file = fopen(cut_path, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(count < sizeof bytes);
    bytes[8] = version;
    uint32_t crc = (uint32_t)crc32(0, bytes, 12);
    memcpy(bytes + 12, &crc, 4);
    save(bytes, count);
}

/* A recording with one frame and, if `reason` is not 0, LEFT; as if it were of that version. */
static void save_left(uint32_t reason, uint8_t version)
{
    struct recording_event events[] = {
        {.kind = RECORDING_SURFACE, .format = RECORDING_RGB565, .rect = {0, 0, 4, 4}},
        {.kind = RECORDING_PRESENT},
        {.kind = RECORDING_LEFT, .reason = (enum recording_reason)reason, .blits = 70000}};
    unlink(cut_path);
    struct recording_writer *writer = recording_create(cut_path);
    assert_non_null(writer);
    for (unsigned i = 0; i < (reason != 0 ? 3u : 2u); i++) assert_int_equal(recording_add(writer, &events[i]), 0);
    assert_int_equal(recording_finish(writer), 0);
    save_as(version);
}

/* A kind of record is known from its own version on. */
static void test_versions(void **state)
{
    struct recording_event events[] = {
        {.kind = RECORDING_SURFACE, .format = RECORDING_XRGB8888, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_SURFACE, .surface = 1, .format = RECORDING_XRGB8888, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_BLIT,
         .source = 1,
         .rect = {0, 0, 8, 8},
         .map = {8, 8, 0, 0, 65536, 0, 0, 65536, false},
         .alpha = 255,
         .colour = WHITE}};
    struct recording_totals totals;
    char message[256];
    (void)state;
    for (unsigned is_filtered = 0; is_filtered < 2; is_filtered++) {
        const uint8_t first = is_filtered != 0 ? RECORDING_FILTERS : RECORDING_MAPS;
        events[2].map.is_filtered = is_filtered != 0;
        unlink(cut_path);
        struct recording_writer *writer = recording_create(cut_path);
        assert_non_null(writer);
        for (unsigned i = 0; i < 3; i++) assert_int_equal(recording_add(writer, &events[i]), 0);
        assert_int_equal(recording_finish(writer), 0);
        save_as(first);
        assert_int_equal(recording_check(cut_path, &totals, message), 0);
        save_as((uint8_t)(first - 1u));
        assert_refused(cut_path, "its kind is unknown");
    }
}

/* A palette comes back as it was written; a file from before palettes has none. */
static void test_palette(void **state)
{
    const struct recording_event events[] = {
        {.kind = RECORDING_SURFACE, .surface = 3, .format = RECORDING_INDEX8, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_PALETTE, .surface = 3, .colours = colours},
        {.kind = RECORDING_SURFACE, .surface = 4, .format = RECORDING_RGB565, .rect = {0, 0, 8, 8}},
        {.kind = RECORDING_BLIT,
         .surface = 4,
         .source = 3,
         .rect = {0, 0, 8, 8},
         .mode = RECORDING_KEYED_BLEND,
         .alpha = 70,
         .colour = WHITE,
         .key = 200}};
    struct recording *recording;
    struct recording_event event;
    char message[256];
    (void)state;
    write_file(events, 4);
    if (recording_open(&recording, path, message) != 0) fail_msg("%s", message);
    assert_int_equal(recording_next(recording, &event, message), 1);
    assert_int_equal(recording_next(recording, &event, message), 1);
    assert_int_equal(event.kind, RECORDING_PALETTE);
    assert_memory_equal(event.colours, colours, sizeof colours);
    assert_int_equal(recording_next(recording, &event, message), 1);
    assert_int_equal(recording_next(recording, &event, message), 1);
    assert_int_equal(event.key, 200);
    recording_close(recording);
    assert_int_equal(rename(path, cut_path), 0);
    save_as(RECORDING_INDICES - 1);
    assert_refused(cut_path, "pixel format 7 is unknown");
}

static void test_left(void **state)
{
    struct recording_totals totals;
    char message[256];
    (void)state;
    for (uint32_t reason = 1; reason < RECORDING_REASONS; reason++) {
        save_left(reason, RECORDING_VERSION);
        assert_int_equal(recording_check(cut_path, &totals, message), 0);
        assert_true(totals.knows_left);
        for (uint32_t i = 0; i < RECORDING_REASONS; i++) assert_int_equal(totals.left[i], i == reason ? 70000 : 0);
        assert_int_equal(totals.frames, 1);
        assert_true(strlen(recording_reason_words((enum recording_reason)reason)) > 10);
    }
    save_left(RECORDING_REASONS, RECORDING_VERSION);
    assert_refused(cut_path, "LEFT: the reason is unknown");
    save_left(REASON_ODD, RECORDING_OLDEST);
    assert_refused(cut_path, "its kind is unknown");
    save_left(0, RECORDING_OLDEST);
    assert_int_equal(recording_check(cut_path, &totals, message), 0);
    assert_false(totals.knows_left);
    save_left(0, RECORDING_VERSION + 1);
    assert_refused(cut_path, "has version 9, this program reads versions 2 to 8");
}

/* PIXELS come back with the reason of each, in bands, too; a file from before has none, an unknown one is refused. */
static void test_because(void **state)
{
    static const enum recording_reason reasons[] = {REASON_NONE,    REASON_FIRST, REASON_FIRST,
                                                    REASON_PROGRAM, REASON_NONE,  RECORDING_REASONS};
    struct recording_event events[1 + 6] = {
        {.kind = RECORDING_SURFACE, .surface = 3, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 64}}};
    struct recording *recording;
    struct recording_event event;
    char message[256];
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        events[1 + i] = (struct recording_event){
            .kind = RECORDING_PIXELS, .surface = 3, .format = RECORDING_XRGB8888, .rect = {i, 0, 8, 8}};
        events[1 + i].pixels = pixels;
        events[1 + i].reason = reasons[i];
    }
    write_file(events, 6);
    if (recording_open(&recording, path, message) != 0) fail_msg("%s", message);
    assert_int_equal(recording_next(recording, &event, message), 1);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(recording_next(recording, &event, message), 1);
        assert_int_equal(event.kind, RECORDING_PIXELS);
        assert_int_equal(event.rect.x, i);
        assert_int_equal(event.reason, reasons[i]);
    }
    assert_int_equal(recording_next(recording, &event, message), 0);
    recording_close(recording);
    assert_int_equal(rename(path, cut_path), 0);
    save_as(RECORDING_TELLS_WHY - 1);
    assert_refused(cut_path, "its kind is unknown");
    write_file(events, 7);
    assert_refused(path, "BECAUSE: the reason is unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_cut_off_anywhere), cmocka_unit_test(test_changed_anywhere),
                                       cmocka_unit_test(test_foreign),          cmocka_unit_test(test_bad_records),
                                       cmocka_unit_test(test_continued),        cmocka_unit_test(test_longest_pixels),
                                       cmocka_unit_test(test_fill_units),       cmocka_unit_test(test_left),
                                       cmocka_unit_test(test_because),          cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_palette),          cmocka_unit_test(test_room)};
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(i * 7 + (i >> 6));
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++) colours[i] = 0xff000000u | (i * 0x10307u & WHITE);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    unlink(cut_path);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
