/* SPDX-License-Identifier: Apache-2.0
 *
 * See drawn.h.
 */
#include "clients/sdl/record/drawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    int pipe; /* with is_open */
    bool is_open;
    uint8_t *picture, *row;
    size_t room, row_room;
} drawn_from;

static bool grow(uint8_t **bytes, size_t *room, size_t wanted)
{
    if (wanted <= *room) return true;
    uint8_t *more = realloc(*bytes, wanted);
    if (more == NULL) return false;
    *bytes = more;
    *room = wanted;
    return true;
}

static bool read_all(void *to, size_t bytes)
{
    for (uint8_t *at = to; bytes != 0;) {
        ssize_t count = read(drawn_from.pipe, at, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        bytes -= (size_t)count;
    }
    return true;
}

const uint8_t *drawn_take(const struct link_drawn *drawn, uint32_t frame, size_t bytes)
{
    struct drawn_header header;
    if (!drawn_from.is_open) {
        drawn_from.pipe = open(drawn->pictures, O_RDONLY | O_CLOEXEC);
        if (drawn_from.pipe < 0) return NULL;
        drawn_from.is_open = true;
    }
    bool is_good = grow(&drawn_from.picture, &drawn_from.room, bytes) && read_all(&header, sizeof header) &&
                   header.frame == frame && header.bytes == bytes && read_all(drawn_from.picture, bytes);
    return is_good ? drawn_from.picture : NULL;
}

/* How far apart two raw units are, in the channel where they are farthest, of 255. */
static uint32_t levels_apart(const struct conversion *conversion, uint32_t a, uint32_t b)
{
    const uint32_t colours[2] = {conversion_colour(conversion, a), conversion_colour(conversion, b)};
    uint32_t most = 0;
    for (unsigned lsb = 0; lsb < 32; lsb += 8) {
        uint32_t one = colours[0] >> lsb & 255u, other = colours[1] >> lsb & 255u;
        uint32_t apart = one > other ? one - other : other - one;
        if (apart > most) most = apart;
    }
    return most;
}

/* A row of the picture into the surface; `own` has the units that the surface has there. */
static void put_row(const struct conversion *conversion, const uint8_t *units, const uint8_t *own,
                    const struct view *view, int32_t y, struct link_unlike *unlike)
{
    const uint32_t bytes = recording_unit_bytes((uint32_t)conversion->format);
    uint8_t *raw = view->pixels + (size_t)y * view->pitch;
    for (int32_t x = 0; x < view->width; x++, raw += conversion->unit_bytes, units += bytes, own += bytes) {
        uint32_t unit = 0, before = 0, after;
        if (memcmp(units, own, bytes) == 0) continue;
        memcpy(&unit, units, bytes);
        memcpy(&before, raw, conversion->unit_bytes);
        after = conversion_back(conversion, unit, before);
        if (after == before) continue;
        memcpy(raw, &after, conversion->unit_bytes);
        uint32_t levels = levels_apart(conversion, before, after);
        if (unlike->pixels++ == 0) *unlike = (struct link_unlike){unlike->frame, 1, (uint32_t)x, (uint32_t)y, 0};
        if (levels > unlike->levels) unlike->levels = levels;
    }
}

static void count(struct link_drawn *drawn, const struct link_unlike *unlike)
{
    drawn->frames++;
    if (unlike->pixels == 0) return;
    if (drawn->unlike_frames < LINK_UNLIKE) drawn->unlike[drawn->unlike_frames] = *unlike;
    drawn->unlike_frames++;
    drawn->unlike_pixels += unlike->pixels;
    if (unlike->levels > drawn->levels) drawn->levels = unlike->levels;
}

void drawn_put(struct link_drawn *drawn, uint32_t frame, const struct view *view, const struct conversion *conversion,
               const uint8_t *picture)
{
    const size_t row_bytes = (size_t)view->width * recording_unit_bytes((uint32_t)conversion->format);
    struct link_unlike unlike = {.frame = frame};
    if (!grow(&drawn_from.row, &drawn_from.row_room, row_bytes)) return;
    for (int32_t y = 0; y < view->height; y++, picture += row_bytes) {
        conversion_row(conversion, view->pixels + (size_t)y * view->pitch, (uint32_t)view->width, drawn_from.row);
        if (memcmp(picture, drawn_from.row, row_bytes) != 0)
            put_row(conversion, picture, drawn_from.row, view, y, &unlike);
    }
    count(drawn, &unlike);
}
