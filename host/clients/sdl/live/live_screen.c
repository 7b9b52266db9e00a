/* SPDX-License-Identifier: Apache-2.0
 *
 * See live_screen.h. A frame of the display is complete some lines after the last one that is visible, which may be
 * after the blank's event: so the device works on until the frame after the flip has come.
 */
#include "clients/sdl/live/live_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera_device.h"

enum { STEP_CYCLES = 4096, STEPS = 4096 }; /* the device's; steps of a frame that never comes */

struct live_screen {
    struct tessera *tessera;
    struct play_gpu *drawing;
    bool has_frames;
    uint32_t modes; /* that can be set, as bits */
    int refused;    /* a status of the display; TESSERA_OK: none */
    uint32_t *frame;
    uint32_t columns, rows; /* of it; 0: there is none */
    uint64_t cycle;         /* at which it was complete */
    uint8_t *pixels;
    size_t room, pixel_room; /* bytes of both */
};

/* False: out of memory; nothing has changed. */
static bool grow(void **bytes, size_t *room, size_t wanted)
{
    if (wanted <= *room) return true;
    void *more = realloc(*bytes, wanted);
    if (more == NULL) return false;
    *bytes = more;
    *room = wanted;
    return true;
}

static void take_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows)
{
    struct live_screen *screen = context;
    const size_t bytes = (size_t)columns * rows * sizeof *pixels;
    void *frame = screen->frame;
    const bool has_room = grow(&frame, &screen->room, bytes);
    screen->frame = frame;
    screen->columns = has_room ? columns : 0;
    screen->rows = has_room ? rows : 0;
    screen->cycle = transport_cycles(tessera_transport(screen->tessera));
    if (has_room) memcpy(screen->frame, pixels, bytes);
}

struct live_screen *live_screen_create(struct tessera *tessera, struct play_gpu *drawing)
{
    struct live_screen *screen = calloc(1, sizeof *screen);
    if (screen == NULL) return NULL;
    screen->tessera = tessera;
    screen->drawing = drawing;
    struct tessera_display display = {0};
    if (tessera_query_display(tessera, &display) == TESSERA_OK) screen->modes = display.modes;
    screen->has_frames = tessera_device_frames(tessera, take_frame, screen);
    return screen;
}

void live_screen_destroy(struct live_screen *screen)
{
    if (screen == NULL) return;
    free(screen->frame);
    free(screen->pixels);
    free(screen);
}

static bool is_refusal(int status)
{
    return status == TESSERA_STATUS_NO_MODE || status == TESSERA_STATUS_NO_BANDWIDTH ||
           status == TESSERA_STATUS_NO_PLACEMENT || status == TESSERA_STATUS_NO_SEGMENT ||
           status == TESSERA_STATUS_NOT_OWNER || status == TESSERA_NO_MEMORY;
}

/* A frame that was complete after this cycle. */
static int await_frame(const struct live_screen *screen, uint64_t cycle)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; screen->cycle < cycle && i < STEPS && status == TESSERA_OK; i++)
        status = tessera_work(screen->tessera, STEP_CYCLES);
    return status;
}

/* The display's colours in the surface's format, from which they came. */
static void convert(const struct live_screen *screen, enum recording_format format)
{
    const size_t count = (size_t)screen->columns * screen->rows;
    for (size_t i = 0; i < count; i++) {
        const uint32_t colour = screen->frame[i];
        if (format == RECORDING_RGB565) {
            const uint16_t unit =
                (uint16_t)((colour >> 19 & 31u) << 11 | (colour >> 10 & 63u) << 5 | (colour >> 3 & 31u));
            memcpy(screen->pixels + 2u * i, &unit, 2);
        } else {
            const uint32_t unit = 0xff000000u | colour;
            memcpy(screen->pixels + 4u * i, &unit, 4);
        }
    }
}

static bool can_show(const struct live_screen *screen, uint32_t surface, const struct recording_surface *of,
                     char reason[LIVE_REASON])
{
    const uint32_t mode = play_gpu_mode(screen->drawing, surface);
    const bool has_mode = mode != TESSERA_DISPLAY_OFF && (screen->modes >> mode & 1u) != 0;
    if (!screen->has_frames) snprintf(reason, LIVE_REASON, "the device's display is seen on its monitor only");
    else if (screen->refused != TESSERA_OK)
        snprintf(reason, LIVE_REASON, "the display refused to show them (%s)", tessera_status_name(screen->refused));
    else if (!has_mode)
        snprintf(reason, LIVE_REASON, "the display has no mode of %u x %u in their format", of->width, of->height);
    return screen->has_frames && screen->refused == TESSERA_OK && has_mode;
}

/* In the room for the picture. */
static int picture(struct live_screen *screen, const struct recording_surface *of)
{
    const size_t bytes = (size_t)of->width * of->height * recording_unit_bytes((uint32_t)of->format);
    void *room = screen->pixels;
    if (screen->columns != of->width || screen->rows != of->height) return TESSERA_TIMED_OUT;
    const bool has_room = grow(&room, &screen->pixel_room, bytes);
    screen->pixels = room;
    if (!has_room) return TESSERA_NO_MEMORY;
    convert(screen, of->format);
    return TESSERA_OK;
}

int live_screen_show(struct live_screen *screen, uint32_t surface, const struct recording_surface *of,
                     const uint8_t **pixels, char reason[LIVE_REASON])
{
    struct play_work work;
    uint64_t middle = 0;
    *pixels = NULL;
    if (!can_show(screen, surface, of, reason)) return TESSERA_OK;
    int status = play_gpu_flip(screen->drawing, surface, &work, &middle);
    if (is_refusal(status)) {
        screen->refused = status;
        (void)can_show(screen, surface, of, reason);
        return TESSERA_OK;
    }
    if (status == TESSERA_OK) status = await_frame(screen, middle);
    if (status == TESSERA_OK) status = screen->cycle >= middle ? picture(screen, of) : TESSERA_TIMED_OUT;
    if (status == TESSERA_OK) *pixels = screen->pixels;
    return status;
}
