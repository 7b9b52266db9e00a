/* SPDX-License-Identifier: Apache-2.0
 *
 * blends FILE: a recording that leaves no way of blending out. First every alpha meets 64 levels of the source and 64
 * of the target, one blend deep. Then, for every format of the target, FRAMES times LAYERS blits on one another:
 * sources of every format, every mode, with and without key, constant alpha and modulated colours. Then what a copy has
 * made of a surface of each format is drawn from there onto each, in every mode. Played with --check it says whether
 * the GPU draws what SDL draws.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/recording/recording.h"

enum { LEVELS = 64, CASES = 4, FRAMES = 40, LAYERS = 6, CHAINS = 6, PALETTE = 64 };
enum {
    XRGB_TARGET,
    RGB565_TARGET,
    SOURCE_ALPHA,
    SOURCE_PLAIN,
    SOURCE_565,
    BACK_32,
    BACK_16, /* surfaces */
    BACK,
    TARGET,
    SOURCE, /* one of each format from here on */
    MIDDLE = SOURCE + RECORDING_FORMATS
};

static struct recording_writer *writer;

static void add(const struct recording_event *event)
{
    if (recording_add(writer, event) != 0) {
        perror("blends");
        exit(1);
    }
}

static void surface(uint32_t id, enum recording_format format, uint32_t width)
{
    const struct recording_event event = {
        .kind = RECORDING_SURFACE, .surface = id, .format = format, .rect = {0, 0, width, LEVELS}};
    add(&event);
}

static uint32_t level(uint32_t i) { return i * 255u / (LEVELS - 1u); }

static uint32_t unit_of(enum recording_format format, uint32_t grey, uint32_t alpha)
{
    if (format == RECORDING_RGB565) return (grey >> 3) << 11 | (grey >> 2) << 5 | grey >> 3;
    return alpha << 24 | grey * 0x10101u;
}

/* Grey levels from left to right (sources) or from top to bottom (targets). */
static void levels(uint32_t id, enum recording_format format, bool is_target, uint32_t alpha)
{
    uint8_t bytes[LEVELS * LEVELS * 4], *to = bytes;
    const struct recording_event event = {
        .kind = RECORDING_PIXELS, .surface = id, .format = format, .rect = {0, 0, LEVELS, LEVELS}, .pixels = bytes};
    for (uint32_t y = 0; y < LEVELS; y++) {
        for (uint32_t x = 0; x < LEVELS; x++) {
            uint32_t unit = unit_of(format, level(is_target ? y : x), alpha);
            for (uint32_t i = 0; i < recording_unit_bytes((uint32_t)format); i++) *to++ = (uint8_t)(unit >> 8 * i);
        }
    }
    add(&event);
}

static void blit(uint32_t target, uint32_t column, uint32_t source, enum recording_mode mode, uint32_t alpha,
                 uint32_t key)
{
    const struct recording_event event = {.kind = RECORDING_BLIT,
                                          .surface = target,
                                          .source = source,
                                          .rect = {column * LEVELS, 0, LEVELS, LEVELS},
                                          .mode = mode,
                                          .alpha = alpha,
                                          .colour = RECORDING_WHITE,
                                          .key = key};
    add(&event);
}

static void frame(uint32_t target)
{
    const struct recording_event event = {.kind = RECORDING_PRESENT, .surface = target};
    add(&event);
}

/* ------------------------------------------------------------------ layers */

static uint32_t random_word(void)
{
    static uint64_t state = 12345;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* A surface of few different units, so that keys occur; some of them opaque, some transparent. */
static void noise(uint32_t id, enum recording_format format, uint32_t palette[PALETTE])
{
    uint8_t bytes[LEVELS * LEVELS * 4], *to = bytes;
    const struct recording_event event = {
        .kind = RECORDING_PIXELS, .surface = id, .format = format, .rect = {0, 0, LEVELS, LEVELS}, .pixels = bytes};
    for (uint32_t i = 0; i < PALETTE; i++) {
        palette[i] = random_word();
        if (format == RECORDING_XRGB8888 || i % 7u == 0) palette[i] |= 0xff000000u;
        if (format == RECORDING_ARGB8888 && i % 5u == 0) palette[i] &= 0xffffffu;
        if (format == RECORDING_XRGB1555) palette[i] &= 0x7fffu;
    }
    for (uint32_t i = 0; i < LEVELS * LEVELS; i++) {
        uint32_t unit = palette[random_word() % PALETTE];
        for (uint32_t byte = 0; byte < recording_unit_bytes((uint32_t)format); byte++)
            *to++ = (uint8_t)(unit >> 8 * byte);
    }
    add(&event);
}

/* Of INDEX8, new for each picture; the key's colour is another one's, too. */
static void colours(void)
{
    uint32_t colours[RECORDING_COLOURS];
    const struct recording_event event = {
        .kind = RECORDING_PALETTE, .surface = SOURCE + RECORDING_INDEX8, .colours = colours};
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++) colours[i] = 0xff000000u | (random_word() & RECORDING_WHITE);
    for (uint32_t i = 0; i < RECORDING_COLOURS; i += 5) colours[i] = colours[0];
    add(&event);
}

static void layer(enum recording_format target, uint32_t palettes[RECORDING_FORMATS][PALETTE])
{
    struct recording_event event = {.kind = RECORDING_BLIT, .surface = TARGET, .rect = {0, 0, LEVELS, LEVELS}};
    enum recording_format source;
    do {
        source = (enum recording_format)(1u + random_word() % (RECORDING_FORMATS - 1u));
        event.source = SOURCE + (uint32_t)source;
        event.mode = (enum recording_mode)(random_word() % RECORDING_MODES);
        event.alpha = random_word() % 3u != 0 ? random_word() & 255u : 255u;
        event.colour = random_word() % 3u == 0 ? random_word() & RECORDING_WHITE : RECORDING_WHITE;
        event.key = palettes[source][random_word() % PALETTE];
    } while (recording_blit_refusal(&event, source, target) != NULL);
    if (recording_unit_bytes((uint32_t)source) == 2) event.key &= 0xffffu;
    if (source == RECORDING_RGB888) event.key &= 0xffffffu;
    if (source == RECORDING_INDEX8) event.key &= 0xffu;
    add(&event);
}

static void layers(uint32_t palettes[RECORDING_FORMATS][PALETTE])
{
    for (uint32_t format = 1; format < RECORDING_FORMATS; format++) {
        surface(SOURCE + format, (enum recording_format)format, LEVELS);
        noise(SOURCE + format, (enum recording_format)format, palettes[format]);
    }
    for (uint32_t format = 1; format < RECORDING_INDEX8; format++) {
        const struct recording_event free_target = {.kind = RECORDING_FREE, .surface = TARGET};
        const struct recording_event free_back = {.kind = RECORDING_FREE, .surface = BACK};
        surface(BACK, (enum recording_format)format, LEVELS);
        surface(TARGET, (enum recording_format)format, LEVELS);
        noise(BACK, (enum recording_format)format, palettes[0]);
        for (uint32_t i = 0; i < FRAMES; i++) {
            blit(TARGET, 0, BACK, RECORDING_COPY, 255, 0);
            colours();
            for (uint32_t n = 0; n < LAYERS; n++) layer((enum recording_format)format, palettes);
            frame(TARGET);
        }
        add(&free_target);
        add(&free_back);
    }
}

/* A copy onto the middle surface, of any format, and from there in one of the modes; false: no recording has that. */
static bool link(uint32_t from, enum recording_format source, uint32_t to, enum recording_format target, uint32_t mode,
                 uint32_t key)
{
    struct recording_event event = {.kind = RECORDING_BLIT,
                                    .surface = to,
                                    .source = from,
                                    .rect = {0, 0, LEVELS, LEVELS},
                                    .mode = (enum recording_mode)mode,
                                    .alpha = random_word() % 3u != 0 ? random_word() & 255u : 255u,
                                    .colour = RECORDING_WHITE,
                                    .key = key};
    if (recording_blit_refusal(&event, source, target) != NULL) return false;
    add(&event);
    return true;
}

static void chain(enum recording_format middle, enum recording_format target,
                  uint32_t palettes[RECORDING_FORMATS][PALETTE])
{
    for (uint32_t i = 0; i < CHAINS; i++) {
        enum recording_format source;
        do source = (enum recording_format)(1u + random_word() % (RECORDING_INDEX8 - 1u));
        while (!link(SOURCE + (uint32_t)source, source, MIDDLE, middle, random_word() % 2u, palettes[source][i]));
        blit(TARGET, 0, BACK, RECORDING_COPY, 255, 0);
        while (!link(MIDDLE, middle, TARGET, target, random_word() % RECORDING_MODES, palettes[source][i])) {}
        frame(TARGET);
    }
}

static void chains(uint32_t palettes[RECORDING_FORMATS][PALETTE])
{
    for (uint32_t i = 0; i < (RECORDING_INDEX8 - 1u) * (RECORDING_INDEX8 - 1u); i++) {
        const enum recording_format middle = (enum recording_format)(1u + i / (RECORDING_INDEX8 - 1u));
        const enum recording_format target = (enum recording_format)(1u + i % (RECORDING_INDEX8 - 1u));
        surface(BACK, target, LEVELS);
        surface(TARGET, target, LEVELS);
        surface(MIDDLE, middle, LEVELS);
        noise(BACK, target, palettes[0]);
        chain(middle, target, palettes);
        for (uint32_t k = 0; k < 3; k++)
            add(&(struct recording_event){.kind = RECORDING_FREE, .surface = (uint32_t[]){BACK, TARGET, MIDDLE}[k]});
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || (writer = recording_create(argv[1])) == NULL) {
        perror("blends FILE");
        return 1;
    }
    surface(XRGB_TARGET, RECORDING_XRGB8888, CASES * LEVELS);
    surface(RGB565_TARGET, RECORDING_RGB565, CASES * LEVELS);
    surface(SOURCE_ALPHA, RECORDING_ARGB8888, LEVELS);
    surface(SOURCE_PLAIN, RECORDING_XRGB8888, LEVELS);
    surface(SOURCE_565, RECORDING_RGB565, LEVELS);
    surface(BACK_32, RECORDING_XRGB8888, LEVELS);
    surface(BACK_16, RECORDING_RGB565, LEVELS);
    levels(SOURCE_PLAIN, RECORDING_XRGB8888, false, 255);
    levels(SOURCE_565, RECORDING_RGB565, false, 255);
    levels(BACK_32, RECORDING_XRGB8888, true, 255);
    levels(BACK_16, RECORDING_RGB565, true, 255);
    uint32_t key_32 = unit_of(RECORDING_XRGB8888, level(9), 255), key_16 = unit_of(RECORDING_RGB565, level(9), 255);
    for (uint32_t alpha = 0; alpha < 255; alpha++) {
        levels(SOURCE_ALPHA, RECORDING_ARGB8888, false, alpha);
        for (uint32_t i = 0; i < CASES; i++) {
            blit(XRGB_TARGET, i, BACK_32, RECORDING_COPY, 255, 0);
            blit(RGB565_TARGET, i, BACK_16, RECORDING_COPY, 255, 0);
        }
        blit(XRGB_TARGET, 0, SOURCE_ALPHA, RECORDING_BLEND, 255, 0);
        blit(XRGB_TARGET, 1, SOURCE_PLAIN, RECORDING_BLEND, alpha, 0);
        blit(XRGB_TARGET, 2, SOURCE_PLAIN, RECORDING_KEYED_BLEND, alpha, key_32);
        blit(XRGB_TARGET, 3, SOURCE_ALPHA, RECORDING_COPY, 255, 0);
        frame(XRGB_TARGET);
        blit(RGB565_TARGET, 0, SOURCE_ALPHA, RECORDING_BLEND, 255, 0);
        blit(RGB565_TARGET, 1, SOURCE_PLAIN, RECORDING_BLEND, alpha, 0);
        blit(RGB565_TARGET, 2, SOURCE_565, RECORDING_BLEND, alpha, 0);
        blit(RGB565_TARGET, 3, SOURCE_565, RECORDING_KEYED_BLEND, alpha, key_16);
        frame(RGB565_TARGET);
    }
    uint32_t palettes[RECORDING_FORMATS][PALETTE];
    layers(palettes);
    chains(palettes);
    if (recording_finish(writer) == 0) return 0;
    perror("blends");
    return 1;
}
