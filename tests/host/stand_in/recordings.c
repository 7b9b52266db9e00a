/* SPDX-License-Identifier: Apache-2.0
 *
 * See recordings.h.
 */
#include "stand_in/recordings.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/recording/recording.h"

enum { WIDTH = 200, HEIGHT = 160, SPRITE = 30, FIRST_SPRITE = 10, LONG = 40 };

static struct recording_writer *writer;
static uint32_t state;

static uint32_t random_word(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 3 ^ state << 13;
}

static void add(const struct recording_event *event)
{
    if (recording_add(writer, event) != 0) perror("recording"), exit(2);
}

static void begin(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)unlink(path);
    writer = recording_create(path);
    state = 99;
    if (writer == NULL) perror(path), exit(2);
}

static void finish(void)
{
    if (recording_finish(writer) != 0) perror("recording"), exit(2);
}

static void surface(uint32_t id, enum recording_format format, uint32_t width, uint32_t height)
{
    add(&(struct recording_event){
        .kind = RECORDING_SURFACE, .surface = id, .format = format, .rect = {0, 0, width, height}});
}

/* A unit as recordings have it: what no channel uses is as recording.h says. */
static uint32_t unit_of(enum recording_format format)
{
    uint32_t unit = random_word() % 5u * 0x30507090u + 0x11223344u;
    if (format == RECORDING_XRGB8888) return unit | 0xff000000u;
    if (format == RECORDING_XRGB1555) return unit & 0x7fffu;
    if (recording_unit_bytes((uint32_t)format) == 2) return unit & 0xffffu;
    return format == RECORDING_RGB888 ? unit & 0xffffffu : unit;
}

static void pixels(uint32_t id, enum recording_format format, struct recording_rect rect)
{
    static uint8_t bytes[WIDTH * HEIGHT * 4];
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)format);
    for (uint32_t i = 0; i < rect.width * rect.height; i++) {
        uint32_t unit = unit_of(format);
        memcpy(bytes + (size_t)i * unit_bytes, &unit, unit_bytes);
    }
    add(&(struct recording_event){
        .kind = RECORDING_PIXELS, .surface = id, .format = format, .rect = rect, .pixels = bytes});
}

static void fill(uint32_t id, enum recording_format format, struct recording_rect rect)
{
    add(&(struct recording_event){
        .kind = RECORDING_FILL, .surface = id, .format = format, .rect = rect, .unit = unit_of(format)});
}

static void present(uint32_t id, uint32_t milliseconds)
{
    add(&(struct recording_event){.kind = RECORDING_PRESENT, .surface = id, .milliseconds = milliseconds});
}

/* One sprite of every mode that a recording may have between these formats. */
static void blits(uint32_t target, enum recording_format format, bool is_modulated)
{
    for (uint32_t from = 1; from < RECORDING_INDEX8; from++)
        for (uint32_t mode = 0; mode < RECORDING_MODES; mode++) {
            struct recording_event event = {
                .kind = RECORDING_BLIT,
                .surface = target,
                .source = FIRST_SPRITE + from,
                .rect = {random_word() % (WIDTH - SPRITE), random_word() % (HEIGHT - SPRITE),
                         1 + random_word() % (SPRITE - 2), 1 + random_word() % (SPRITE - 2)},
                .source_x = random_word() % 2,
                .source_y = random_word() % 2,
                .mode = (enum recording_mode)mode,
                .alpha = is_modulated ? random_word() & 255u : 255u,
                .colour = is_modulated && mode > 1 ? random_word() & RECORDING_WHITE : RECORDING_WHITE,
                .key = unit_of((enum recording_format)from)};
            if (recording_blit_refusal(&event, (enum recording_format)from, format) == NULL) add(&event);
        }
}

static void scroll(uint32_t id, uint32_t x, uint32_t y)
{
    add(&(struct recording_event){.kind = RECORDING_BLIT,
                                  .surface = id,
                                  .source = id,
                                  .rect = {8 + x, 8 + y, 60, 40},
                                  .source_x = 8,
                                  .source_y = 8,
                                  .alpha = 255,
                                  .colour = RECORDING_WHITE});
}

static void write_mixed(void)
{
    for (uint32_t format = 1; format < RECORDING_INDEX8; format++) {
        surface(FIRST_SPRITE + format, (enum recording_format)format, SPRITE, SPRITE);
        pixels(FIRST_SPRITE + format, (enum recording_format)format, (struct recording_rect){0, 0, SPRITE, SPRITE});
    }
    for (uint32_t number = 0; number < 6; number++) {
        const enum recording_format format = (enum recording_format)(number + 1u);
        surface(number, format, WIDTH, HEIGHT);
        fill(number, format, (struct recording_rect){0, 0, WIDTH, HEIGHT});
        pixels(number, format, (struct recording_rect){3, 5, WIDTH - 7, 30 + number});
        blits(number, format, false);
        fill(number, format, (struct recording_rect){20 + number, 30, 50, 60});
        blits(number, format, true);
        scroll(number, number, 3);
        scroll(number, 0, number);
        if (number == 3) {
            add(&(struct recording_event){.kind = RECORDING_FREE, .surface = FIRST_SPRITE + 1});
            surface(FIRST_SPRITE + 1, RECORDING_RGB565, SPRITE + 1, SPRITE);
            pixels(FIRST_SPRITE + 1, RECORDING_RGB565, (struct recording_rect){0, 0, SPRITE + 1, SPRITE});
        }
        present(number, 10 * number + 7);
        if (number == 4) add(&(struct recording_event){.kind = RECORDING_FREE, .surface = 1});
    }
}

/* Surfaces of all formats and odd sizes that come and go, and everything between any two of them, themselves too. */
static void write_varied(void)
{
    enum { SURFACES = 14, PICTURES = 22, STEPS = 26 };
    static const uint32_t sides[] = {1, 2, 7, 33, 64, 100, 159, WIDTH};
    struct {
        enum recording_format format; /* 0: is not there */
        uint32_t width, height;
    } all[SURFACES] = {{0, 0, 0}};
    for (uint32_t step = 0; step < PICTURES * STEPS; step++) {
        uint32_t id = random_word() % SURFACES, from = random_word() % SURFACES, kind = random_word() % 16u;
        const enum recording_format format = all[id].format;
        if (format == 0) {
            all[id].format = (enum recording_format)(1u + random_word() % (RECORDING_INDEX8 - 1u));
            all[id].width = sides[random_word() % 8u];
            all[id].height = sides[random_word() % 7u];
            surface(id, all[id].format, all[id].width, all[id].height);
            continue;
        }
        struct recording_rect rect = {random_word() % all[id].width, random_word() % all[id].height, 0, 0};
        rect.width = 1 + random_word() % (all[id].width - rect.x);
        rect.height = 1 + random_word() % (all[id].height - rect.y);
        if (kind == 0) {
            add(&(struct recording_event){.kind = RECORDING_FREE, .surface = id});
            all[id].format = 0;
        } else if (kind <= 3) pixels(id, format, rect);
        else if (kind <= 6)
            fill(id, format, kind == 4 ? (struct recording_rect){0, 0, all[id].width, all[id].height} : rect);
        else if (all[from].format != 0) {
            struct recording_event event = {.kind = RECORDING_BLIT,
                                            .surface = id,
                                            .source = kind == 7 ? id : from,
                                            .mode = (enum recording_mode)(random_word() % RECORDING_MODES),
                                            .alpha = kind < 12 ? 255 : random_word() & 255u,
                                            .colour = kind < 14 ? RECORDING_WHITE : random_word() & RECORDING_WHITE};
            const uint32_t source = event.source;
            if (rect.width > all[source].width) rect.width = all[source].width;
            if (rect.height > all[source].height) rect.height = all[source].height;
            event.rect = rect;
            event.source_x = random_word() % (all[source].width - rect.width + 1u);
            event.source_y = random_word() % (all[source].height - rect.height + 1u);
            event.key = unit_of(all[source].format);
            if (recording_blit_refusal(&event, all[source].format, format) == NULL) add(&event);
        }
        if (step % STEPS == STEPS - 1u && all[id].format != 0) present(id, step % 37u);
    }
}

static void write_few(void)
{
    surface(0, RECORDING_XRGB8888, 40, 30);
    surface(1, RECORDING_ARGB8888, 40, 30);
    pixels(1, RECORDING_ARGB8888, (struct recording_rect){0, 0, 40, 30});
    for (uint32_t i = 0; i < 2; i++) {
        fill(0, RECORDING_XRGB8888, (struct recording_rect){i, 0, 30, 30});
        add(&(struct recording_event){.kind = RECORDING_BLIT,
                                      .surface = 0,
                                      .source = 1,
                                      .rect = {0, 0, 40, 30},
                                      .mode = i == 0 ? RECORDING_COPY : RECORDING_BLEND,
                                      .alpha = 255,
                                      .colour = RECORDING_WHITE});
        present(0, 20);
    }
}

static void write_long(void)
{
    surface(7, RECORDING_RGB888, 9, 7);
    for (uint32_t i = 0; i < LONG; i++) {
        fill(7, RECORDING_RGB888, (struct recording_rect){i % 8, i % 5, 1, 2});
        present(7, i);
    }
}

static void cut(const char *folder)
{
    static uint8_t bytes[4 << 20];
    char path[512];
    snprintf(path, sizeof path, "%s/mixed.tsdl", folder);
    FILE *from = fopen(path, "rb");
    size_t count = from != NULL ? fread(bytes, 1, sizeof bytes, from) : 0;
    snprintf(path, sizeof path, "%s/cut.tsdl", folder);
    FILE *to = fopen(path, "wb");
    if (count < 2000 || to == NULL || fwrite(bytes, 1, count - 9, to) != count - 9) exit(2);
    fclose(from);
    fclose(to);
}

void write_recordings(const char *folder)
{
    begin(folder, "mixed.tsdl"), write_mixed(), finish();
    begin(folder, "varied.tsdl"), write_varied(), finish();
    begin(folder, "few.tsdl"), write_few(), finish();
    begin(folder, "long.tsdl"), write_long(), finish();
    begin(folder, "empty.tsdl"), finish();
    cut(folder);
}

/* ------------------------------------------------------------------ WAD */

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_drawn(const char *name)
{
    static const char *const others[] = {"D_",     "DS",       "DP",    "DEMO",   "THINGS", "LINEDEFS", "SIDEDEFS",
                                         "VERTEX", "SSECTORS", "NODES", "SECTOR", "REJECT", "BLOCKMAP", "SEGS"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(name, others[i], strlen(others[i])) == 0) return false;
    return true;
}

void write_wad(const char *folder, const char *whole)
{
    enum { LUMPS = 4096, ENTRY = 16, KEPT = 8 };
    static uint8_t bytes[32 << 20], directory[LUMPS * ENTRY];
    char path[512];
    FILE *from = fopen(whole, "rb");
    size_t count = from != NULL ? fread(bytes, 1, sizeof bytes, from) : 0;
    snprintf(path, sizeof path, "%s/few.wad", folder);
    FILE *to = fopen(path, "wb");
    if (count < 12 || to == NULL) perror(path), exit(2);
    uint32_t lumps = 0, place = 12, wall = 0;
    bool is_wall = false;
    fwrite(bytes, 1, 12, to);
    for (uint32_t i = 0; i < word_at(bytes + 4) && lumps < LUMPS; i++) {
        const uint8_t *entry = bytes + word_at(bytes + 8) + i * ENTRY;
        char name[9] = "";
        memcpy(name, entry + 8, 8);
        if (strcmp(name, "P_END") == 0 || strcmp(name, "F_END") == 0) is_wall = false;
        bool is_kept = is_drawn(name) && (!is_wall || wall++ % KEPT == 0 || word_at(entry + 4) == 0);
        if (strcmp(name, "P_START") == 0 || strcmp(name, "F_START") == 0) is_wall = true;
        if (!is_kept) continue;
        uint8_t *made = directory + lumps++ * ENTRY;
        memcpy(made, &place, 4);
        memcpy(made + 4, entry + 4, 12);
        fwrite(bytes + word_at(entry), 1, word_at(entry + 4), to);
        place += word_at(entry + 4);
    }
    fwrite(directory, ENTRY, lumps, to);
    (void)fseek(to, 4, SEEK_SET);
    fwrite(&lumps, 4, 1, to);
    fwrite(&place, 4, 1, to);
    if (fclose(from) != 0 || fclose(to) != 0) exit(2);
}
