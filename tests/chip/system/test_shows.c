/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every frame that the chip shows is whole and the right one, and none of its pixels is late, however busy the
 * memory is. Method: shows.c on the chip; each frame at the display's pins is compared with model/display_picture.c.
 * test_shows WIDTHxHEIGHT FORMAT FRAMES [OVERLAY [HOSTILE [SEED]]] with a mode of MODES. HOSTILE: both engines copy
 * and fill without a pause, the core reads, and a board's wire is at work, too. SEED: from where on they copy, and
 * what.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "display_picture.h"
#include "rig.h"
#include "shows.h"

struct mode {
    const char *name;
    uint32_t khz, h_visible, h_sync, h_sync_end, h_total, v_visible, v_sync, v_sync_end, v_total;
};
static const struct mode MODES[] = {{"160x120", 12500, 160, 168, 184, 200, 120, 122, 124, 130},
                                    {"640x480", 25000, 640, 656, 752, 800, 480, 490, 492, 525},
                                    {"800x600", 40000, 800, 840, 968, 1056, 600, 601, 605, 628},
                                    {"1024x768", 65000, 1024, 1048, 1184, 1344, 768, 771, 777, 806},
                                    {"1280x720", 74250, 1280, 1390, 1430, 1650, 720, 725, 730, 750}};

static struct rig rig;
static uint8_t noise[SHOWS_NOISE_BYTES];
static struct display_picture picture;
static uint32_t shown, wrong;

static uint32_t segment2(void *context, uint32_t address, uint32_t bytes)
{
    (void)context;
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint32_t)noise[(address - GPU_LIMIT(ADDR_SEGMENT2) + i) % SHOWS_NOISE_BYTES] << 8u * i;
    return value;
}

static void take_frame(void *context, const uint32_t *pixels, uint32_t width, uint32_t height, uint64_t cycle)
{
    (void)context;
    uint32_t frame = ++shown, differ = 0;
    picture.primary.address = shows_primary(frame);
    picture.cursor_x = shows_cursor_x(frame), picture.cursor_y = shows_cursor_y(frame);
    if (width != picture.width || height != picture.height) differ = 1;
    for (uint32_t y = 0; y < height && differ == 0; y++)
        for (uint32_t x = 0; x < width; x++)
            if (pixels[y * width + x] != display_pixel(&picture, x, y, segment2, NULL) && differ++ == 0)
                printf("frame %u, cycle %llu: pixel %u, %u is %06x, not %06x\n", frame, (unsigned long long)cycle, x, y,
                       pixels[y * width + x], display_pixel(&picture, x, y, segment2, NULL));
    wrong += differ != 0;
    rig_check(&rig, differ == 0, "frame %u of %u x %u has wrong pixels", frame, width, height);
}

static void write_settings(const struct mode *mode, uint32_t format, uint32_t frames, uint32_t overlay,
                           uint32_t hostile, uint32_t seed)
{
    uint32_t bytes = format == FORMAT_XRGB8888 ? 4 : format == FORMAT_RGB565 ? 2 : 1;
    uint32_t settings[SHOWS_SETTINGS] = {mode->h_sync << 16 | mode->h_visible,
                                         mode->h_total << 16 | mode->h_sync_end,
                                         mode->v_sync << 16 | mode->v_visible,
                                         mode->v_total << 16 | mode->v_sync_end,
                                         mode->khz / 50,
                                         mode->khz,
                                         format,
                                         mode->h_visible * bytes,
                                         overlay,
                                         hostile,
                                         frames,
                                         seed}; /* LEAD: 20 us */
    if (settings[SHOWS_LEAD] >= mode->h_total) settings[SHOWS_LEAD] = mode->h_total - 1;
    picture = (struct display_picture){.width = mode->h_visible, .height = mode->v_visible};
    picture.primary = (struct display_plane){0, settings[SHOWS_PITCH], format};
    picture.cursor_image = GPU_LIMIT(ADDR_SEGMENT2) + SHOWS_CURSOR_AT;
    if (overlay != 0) {
        picture.overlay =
            (struct display_plane){GPU_LIMIT(ADDR_SEGMENT2) + SHOWS_OVERLAY_AT, SHOWS_OVERLAY_PITCH, FORMAT_RGB565};
        picture.overlay_x = SHOWS_OVERLAY_X, picture.overlay_y = SHOWS_OVERLAY_Y;
        picture.overlay_width = SHOWS_OVERLAY_WIDTH, picture.overlay_height = SHOWS_OVERLAY_HEIGHT;
        picture.alpha = SHOWS_ALPHA;
    }
    for (uint32_t i = 0, value = seed; i < sizeof noise; i++)
        value = value * 1664525u + 1013904223u, noise[i] = (uint8_t)(value >> 24);
    rig.transport.memory_write(rig.transport.context, SHOWS_MAIL, settings, sizeof settings);
    rig.transport.memory_write(rig.transport.context, SHOWS_NOISE, noise, sizeof noise);
}

static uint32_t format_of(const char *name)
{
    return strcmp(name, "xrgb8888") == 0 ? FORMAT_XRGB8888 : strcmp(name, "rgb565") == 0 ? FORMAT_RGB565 : FORMAT_BYTES;
}

int main(int argc, char **argv)
{
    const struct mode *mode = NULL;
    for (size_t i = 0; argc > 3 && i < sizeof MODES / sizeof MODES[0]; i++)
        if (strcmp(argv[1], MODES[i].name) == 0) mode = &MODES[i];
    if (mode == NULL) {
        fprintf(stderr, "usage: test_shows MODE FORMAT FRAMES [OVERLAY [HOSTILE [SEED]]]\n");
        return 2;
    }
    uint32_t frames = (uint32_t)atoi(argv[3]), hostile = argc > 5 ? (uint32_t)atoi(argv[5]) : 0;
    char *none[] = {argv[0], NULL};
    rig_open(&rig, 1, none, "build/system/shows.elf", 0);
    write_settings(mode, format_of(argv[2]), frames, argc > 4 ? (uint32_t)atoi(argv[4]) : 0, hostile,
                   argc > 6 ? (uint32_t)atoi(argv[6]) : 1);
    if (hostile != 0) simulator_wire(rig.simulator);
    rig_load(&rig, "build/system/shows.bin");
    rig_check(&rig, simulator_display(rig.simulator, take_frame, NULL), "no memory for frames");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig_check(&rig, rig_await(&rig, HOST_BOOT_STATUS_OFFSET, 1, 20000000), "the firmware does not start");
    printf("PROMISE1 %u, PROMISE2 %u bytes, MIX_RATE %u pixels a microsecond\n",
           rig_read(&rig, DISPLAY_PROMISE1_OFFSET), rig_read(&rig, DISPLAY_PROMISE2_OFFSET),
           rig_read(&rig, DISPLAY_MIX_RATE_OFFSET));
    uint64_t begin = rig.transport.cycles(rig.transport.context);
    uint32_t beats = rig_read(&rig, MEMORY_SEGMENT2_BEATS_OFFSET) + rig_read(&rig, MEMORY_SYSTEM_BEATS_OFFSET);
    rig_check(&rig, rig_await(&rig, HOST_BOOT_STATUS_OFFSET, 2, frames * 4000000u), "the frames do not end");
    uint64_t cycles = rig.transport.cycles(rig.transport.context) - begin;
    beats = rig_read(&rig, MEMORY_SEGMENT2_BEATS_OFFSET) + rig_read(&rig, MEMORY_SYSTEM_BEATS_OFFSET) - beats;
    printf("%u frames, %llu cycles, %u beats of memory\n", shown, (unsigned long long)cycles, beats);
    rig_check(&rig, shown == frames, "%u frames were shown, not %u", shown, frames);
    uint32_t missed = rig_read(&rig, DISPLAY_MISSED_OFFSET);
    rig_check(&rig, missed == 0, "%u pixels came too late", missed);
    rig_check(&rig, rig_read(&rig, DISPLAY_TAKEN_OFFSET) == frames + picture.overlay_width / SHOWS_OVERLAY_WIDTH,
              "%u flips were taken", rig_read(&rig, DISPLAY_TAKEN_OFFSET));
    return rig_close(&rig);
}
