/* SPDX-License-Identifier: Apache-2.0
 *
 * blends FILE: a recording in which every alpha meets 64 levels of the source and 64 of the target, one blend deep, in
 * every combination of formats that can be recorded. Played with --check it says how far one blend may lie from SDL's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "recording.h"

enum { LEVELS = 64, CASES = 4 };
enum { XRGB_TARGET, RGB565_TARGET, SOURCE_ALPHA, SOURCE_PLAIN, SOURCE_565, BACK_32, BACK_16 }; /* surfaces */

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
    const struct recording_event event = {.kind = RECORDING_PIXELS,
                                          .surface = id,
                                          .format = format,
                                          .rect = {0, 0, LEVELS, LEVELS},
                                          .pixels = bytes};
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
                                          .key = key};
    add(&event);
}

static void frame(uint32_t target)
{
    const struct recording_event event = {.kind = RECORDING_PRESENT, .surface = target};
    add(&event);
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
    if (recording_finish(writer) == 0) return 0;
    perror("blends");
    return 1;
}
