/* SPDX-License-Identifier: Apache-2.0
 *
 * See play_check.h.
 */
#include "clients/sdl/play/play_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/picture/sdl2.h"

enum { DEEPEST = 255 };

struct judged {
    struct sdl2_surface *surface; /* NULL: does not exist */
    enum recording_format format;
    uint32_t width, height;
    uint8_t *depth;
};

struct play_check {
    const struct sdl2 *sdl;
    uint32_t tolerance;
    char version[16];
    struct judged judged[RECORDING_SURFACES];
};

/* ------------------------------------------------------------------ set up */

struct play_check *play_check_create(uint32_t tolerance, char message[256])
{
    const struct sdl2 *sdl = sdl2_load(message);
    struct play_check *check = sdl != NULL ? calloc(1, sizeof *check) : NULL;
    uint8_t version[3];
    if (sdl != NULL && check == NULL) snprintf(message, 256, "out of memory");
    if (check == NULL) return NULL;
    check->sdl = sdl;
    check->tolerance = tolerance;
    sdl->GetVersion(version);
    snprintf(check->version, sizeof check->version, "%u.%u.%u", version[0], version[1], version[2]);
    return check;
}

static void free_judged(struct play_check *check, struct judged *judged)
{
    if (judged->surface != NULL) check->sdl->FreeSurface(judged->surface);
    free(judged->depth);
    memset(judged, 0, sizeof *judged);
}

void play_check_destroy(struct play_check *check)
{
    for (uint32_t i = 0; check != NULL && i < RECORDING_SURFACES; i++) free_judged(check, &check->judged[i]);
    free(check);
}

const char *play_check_version(const struct play_check *check) { return check->version; }

/* ------------------------------------------------------------------ surfaces */

static uint8_t *row_of(const struct judged *judged, uint32_t x, uint32_t y)
{
    return (uint8_t *)judged->surface->pixels + (size_t)y * (size_t)judged->surface->pitch +
           (size_t)x * recording_unit_bytes((uint32_t)judged->format);
}

static uint8_t *depth_of(const struct judged *judged, uint32_t x, uint32_t y)
{
    return judged->depth + (size_t)y * judged->width + x;
}

/* Where the channels of a unit lie, alpha last; width 0: none. */
struct fields {
    uint8_t lsb[4], width[4];
    uint32_t colours; /* mask of all but alpha */
};

static const struct fields *fields_of(enum recording_format format)
{
    static const struct fields fields[RECORDING_FORMATS] = {
        [RECORDING_RGB565] = {{0, 5, 11}, {5, 6, 5}, 0xffff},
        [RECORDING_XRGB8888] = {{0, 8, 16}, {8, 8, 8}, 0xffffff},
        [RECORDING_ARGB8888] = {{0, 8, 16, 24}, {8, 8, 8, 8}, 0xffffff},
        [RECORDING_RGB888] = {{0, 8, 16}, {8, 8, 8}, 0xffffff},
        [RECORDING_ARGB1555] = {{0, 5, 10, 15}, {5, 5, 5, 1}, 0x7fff},
        [RECORDING_XRGB1555] = {{0, 5, 10}, {5, 5, 5}, 0x7fff},
        [RECORDING_INDEX8] = {{0}, {8}, 0xff}};
    return &fields[format];
}

static uint32_t unit_at(const struct judged *judged, uint32_t x, uint32_t y)
{
    uint32_t unit = 0;
    memcpy(&unit, row_of(judged, x, y), recording_unit_bytes((uint32_t)judged->format));
    return unit;
}

static int make_judged(const struct play_check *check, struct judged *judged, enum recording_format format,
                       uint32_t width, uint32_t height)
{
    static const struct {
        int depth;
        uint32_t format;
    } formats[] = {
        [RECORDING_RGB565] = {16, SDL2_PIXELFORMAT_RGB565},     [RECORDING_XRGB8888] = {24, SDL2_PIXELFORMAT_XRGB8888},
        [RECORDING_ARGB8888] = {32, SDL2_PIXELFORMAT_ARGB8888}, [RECORDING_RGB888] = {24, SDL2_PIXELFORMAT_BGR24},
        [RECORDING_ARGB1555] = {16, SDL2_PIXELFORMAT_ARGB1555}, [RECORDING_XRGB1555] = {15, SDL2_PIXELFORMAT_XRGB1555},
        [RECORDING_INDEX8] = {8, SDL2_PIXELFORMAT_INDEX8}};
    judged->format = format;
    judged->width = width;
    judged->height = height;
    judged->depth = calloc(judged->width, judged->height);
    judged->surface = check->sdl->CreateRGBSurfaceWithFormat(0, (int)judged->width, (int)judged->height,
                                                             formats[format].depth, formats[format].format);
    return judged->depth != NULL && judged->surface != NULL ? 0 : -1;
}

/* Black before the first. */
static int take_palette(const struct play_check *check, const struct judged *judged, const uint32_t *colours)
{
    struct sdl_colour palette[RECORDING_COLOURS];
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++) {
        const uint32_t colour = colours != NULL ? colours[i] : 0;
        palette[i] =
            (struct sdl_colour){(uint8_t)(colour >> 16), (uint8_t)(colour >> 8 & 255u), (uint8_t)(colour & 255u), 255};
    }
    return check->sdl->SetPaletteColors(judged->surface->format->palette, palette, 0, RECORDING_COLOURS);
}

static void take_pixels(struct play_check *check, const struct recording_event *event)
{
    struct judged *judged = &check->judged[event->surface];
    size_t row_bytes = (size_t)event->rect.width * recording_unit_bytes((uint32_t)judged->format);
    for (uint32_t y = 0; y < event->rect.height; y++) {
        memcpy(row_of(judged, event->rect.x, event->rect.y + y), event->pixels + y * row_bytes, row_bytes);
        memset(depth_of(judged, event->rect.x, event->rect.y + y), 0, event->rect.width);
    }
}

static struct sdl2_rect sdl_rect(uint32_t x, uint32_t y, const struct recording_rect *size)
{
    return (struct sdl2_rect){(int)x, (int)y, (int)size->width, (int)size->height};
}

static int fill(struct play_check *check, const struct recording_event *event)
{
    struct judged *judged = &check->judged[event->surface];
    const struct sdl2_rect rect = sdl_rect(event->rect.x, event->rect.y, &event->rect);
    for (uint32_t y = 0; y < event->rect.height; y++)
        memset(depth_of(judged, event->rect.x, event->rect.y + y), 0, event->rect.width);
    return check->sdl->FillRect(judged->surface, &rect, event->unit);
}

/* ------------------------------------------------------------------ blits */

/* What becomes of one pixel's depth. */
static uint8_t depth_after(const struct recording_event *event, const struct judged *source, uint32_t x, uint32_t y,
                           uint8_t source_depth, uint8_t target_depth)
{
    uint32_t unit = unit_at(source, x, y), colours = fields_of(source->format)->colours;
    enum recording_mode mode = recording_unkeyed(event->mode);
    if (recording_is_keyed(event->mode) && (unit & colours) == (event->key & colours)) return target_depth;
    if (mode == RECORDING_COPY && event->colour == RECORDING_WHITE && event->alpha == 255) return source_depth;
    if (mode == RECORDING_BLEND && source->format != RECORDING_ARGB1555) {
        uint32_t alpha = source->format == RECORDING_ARGB8888 ? unit >> 24 : event->alpha;
        if (alpha == 0) return target_depth;
        if (alpha == 255) return source_depth;
    }
    uint32_t deeper = (uint32_t)source_depth + target_depth + 1u;
    return (uint8_t)(deeper < DEEPEST ? deeper : DEEPEST);
}

static void blit_depths(struct judged *target, const struct judged *source, const struct recording_event *event)
{
    bool is_backward = source == target && event->rect.y > event->source_y;
    for (uint32_t i = 0; i < event->rect.height; i++) {
        uint32_t y = is_backward ? event->rect.height - 1u - i : i;
        uint8_t *to = depth_of(target, event->rect.x, event->rect.y + y);
        const uint8_t *from = depth_of(source, event->source_x, event->source_y + y);
        if (event->mode == RECORDING_COPY && event->colour == RECORDING_WHITE && event->alpha == 255) {
            memmove(to, from, event->rect.width);
            continue;
        }
        for (uint32_t x = 0; x < event->rect.width; x++)
            to[x] = depth_after(event, source, event->source_x + x, event->source_y + y, from[x], to[x]);
    }
}

/* SDL compares all bits of units without alpha with the key, a recording those of their colour: the others become as
 * `key` has them. */
static uint32_t level_key(const struct judged *source, const struct recording_event *event)
{
    const uint32_t colours = fields_of(source->format)->colours;
    const uint32_t unused = source->format == RECORDING_XRGB8888 ? 0xff000000u : 0;
    const uint32_t key = (event->key & colours) | unused, bytes = recording_unit_bytes((uint32_t)source->format);
    if (!recording_is_keyed(event->mode) || recording_has_alpha(source->format) || bytes < 2) return key;
    for (uint32_t y = event->source_y; y < event->source_y + event->rect.height; y++)
        for (uint32_t x = event->source_x; x < event->source_x + event->rect.width; x++) {
            const uint32_t unit = (unit_at(source, x, y) & colours) | unused;
            memcpy(row_of(source, x, y), &unit, bytes);
        }
    return key;
}

static int blit(const struct play_check *check, struct judged *judged, const struct judged *judged_source,
                const struct recording_event *event)
{
    const struct sdl2 *sdl = check->sdl;
    struct sdl2_surface *target = judged->surface, *source = judged_source->surface;
    const struct sdl2_rect from = sdl_rect(event->source_x, event->source_y, &event->rect);
    struct sdl2_rect to = sdl_rect(event->rect.x, event->rect.y, &event->rect);
    static const int modes[RECORDING_MODES] = {[RECORDING_COPY] = SDL2_BLENDMODE_NONE,
                                               [RECORDING_BLEND] = SDL2_BLENDMODE_BLEND,
                                               [RECORDING_ADD] = SDL2_BLENDMODE_ADD,
                                               [RECORDING_MOD] = SDL2_BLENDMODE_MOD};
    blit_depths(judged, judged_source, event);
    int status = sdl->SetColorKey(source, recording_is_keyed(event->mode), level_key(judged_source, event));
    if (status == 0) status = sdl->SetSurfaceAlphaMod(source, (uint8_t)event->alpha);
    if (status == 0)
        status = sdl->SetSurfaceColorMod(source, (uint8_t)(event->colour >> 16), (uint8_t)(event->colour >> 8 & 255u),
                                         (uint8_t)(event->colour & 255u));
    if (status == 0) status = sdl->SetSurfaceBlendMode(source, modes[recording_unkeyed(event->mode)]);
    return status == 0 ? sdl->UpperBlit(source, &from, target, &to) : status;
}

/* How deep the units laid out are: as that they are of, or as the deepest of four. */
static void lay_depths(struct judged *laid, const struct judged *source, const struct recording_event *event)
{
    const struct recording_map *map = &event->map;
    for (uint32_t y = 0; y < event->rect.height; y++)
        for (uint32_t x = 0; x < event->rect.width; x++) {
            uint32_t column, row;
            recording_map_at(map, x, y, &column, &row);
            const uint32_t columns = map->is_filtered && column + 1u < map->width ? 2 : 1;
            const uint32_t rows = map->is_filtered && row + 1u < map->height ? 2 : 1;
            uint8_t *to = depth_of(laid, x, y);
            *to = 0;
            for (uint32_t i = 0; i < columns * rows; i++) {
                const uint8_t depth =
                    *depth_of(source, event->source_x + column + i % columns, event->source_y + row + i / columns);
                if (depth > *to) *to = depth;
            }
        }
}

/* By a map: a plain blit of the source's units laid out as the target takes them. */
static int blit_mapped(struct play_check *check, const struct recording_event *event)
{
    const struct judged *source = &check->judged[event->source];
    const uint32_t width = event->rect.width, height = event->rect.height;
    struct recording_event plain = *event;
    struct judged laid = {.surface = NULL};
    plain.source_x = plain.source_y = 0;
    int status = make_judged(check, &laid, source->format, width, height);
    if (status == 0) {
        recording_map_lay(&event->map, recording_unit_bytes((uint32_t)source->format),
                          row_of(source, event->source_x, event->source_y), (size_t)source->surface->pitch, width,
                          height, row_of(&laid, 0, 0), (size_t)laid.surface->pitch);
        lay_depths(&laid, source, event);
        status = blit(check, &check->judged[event->surface], &laid, &plain);
    }
    free_judged(check, &laid);
    return status;
}

static int draw(struct play_check *check, const struct recording_event *event)
{
    if (event->map.width != 0) return blit_mapped(check, event);
    return blit(check, &check->judged[event->surface], &check->judged[event->source], event);
}

int play_check_event(struct play_check *check, const struct recording_event *event, char message[256])
{
    int status = 0;
    switch (event->kind) {
    case RECORDING_SURFACE:
        status =
            make_judged(check, &check->judged[event->surface], event->format, event->rect.width, event->rect.height);
        if (status == 0 && event->format == RECORDING_INDEX8)
            status = take_palette(check, &check->judged[event->surface], NULL);
        break;
    case RECORDING_PALETTE: status = take_palette(check, &check->judged[event->surface], event->colours); break;
    case RECORDING_FREE: free_judged(check, &check->judged[event->surface]); break;
    case RECORDING_PIXELS: take_pixels(check, event); break;
    case RECORDING_FILL: status = fill(check, event); break;
    case RECORDING_BLIT: status = draw(check, event); break;
    case RECORDING_END:
    case RECORDING_PRESENT:
    case RECORDING_LEFT:
    case RECORDING_BECAUSE:
    case RECORDING_MAPPED:
    case RECORDING_FILTERED:
    case RECORDING_KINDS: break;
    }
    if (status != 0)
        snprintf(message, 256, "--check: SDL %s cannot draw this record: %.180s", check->version,
                 check->sdl->GetError());
    return status != 0 ? -1 : 0;
}

/* ------------------------------------------------------------------ frames */

static uint32_t difference(uint32_t a, uint32_t b, unsigned lsb, unsigned width)
{
    uint32_t mask = (1u << width) - 1u, x = (a >> lsb) & mask, y = (b >> lsb) & mask;
    return x > y ? x - y : y - x;
}

/* The largest difference of one channel. */
static uint32_t distance(enum recording_format format, uint32_t a, uint32_t b)
{
    const struct fields *fields = fields_of(format);
    uint32_t largest = 0;
    for (uint32_t i = 0; i < 4 && fields->width[i] != 0; i++) {
        uint32_t one = difference(a, b, fields->lsb[i], fields->width[i]);
        if (one > largest) largest = one;
    }
    return largest;
}

/* Units in rows without padding, and their depths. */
struct check_picture {
    enum recording_format format;
    uint32_t width, height;
    uint8_t *units, *depth;
};

static void compare(const struct play_check *check, const struct check_picture *picture, const uint8_t *pixels,
                    struct check_result *result)
{
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)picture->format);
    memset(result, 0, sizeof *result);
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++) {
        uint32_t played = 0, judged = 0, depth = picture->depth[i];
        memcpy(&played, pixels + i * unit_bytes, unit_bytes);
        memcpy(&judged, picture->units + i * unit_bytes, unit_bytes);
        uint32_t apart = distance(picture->format, played, judged);
        result->blended += depth != 0;
        if (depth > result->largest_depth) result->largest_depth = depth;
        if (apart > result->largest) result->largest = apart;
        result->over_one += apart > 1;
        if (apart <= check->tolerance * depth) continue;
        if (result->bad++ == 0) {
            result->x = (uint32_t)(i % picture->width);
            result->y = (uint32_t)(i / picture->width);
        }
        result->exact_bad += depth == 0;
    }
}

struct check_picture *play_check_keep(const struct play_check *check, uint32_t surface)
{
    const struct judged *judged = &check->judged[surface];
    size_t row_bytes = (size_t)judged->width * recording_unit_bytes((uint32_t)judged->format);
    struct check_picture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) return NULL;
    *picture = (struct check_picture){.format = judged->format, .width = judged->width, .height = judged->height};
    picture->units = malloc(row_bytes * judged->height + 1u);
    picture->depth = malloc((size_t)judged->width * judged->height + 1u);
    if (picture->units == NULL || picture->depth == NULL) {
        play_check_forget(picture);
        return NULL;
    }
    for (uint32_t y = 0; y < judged->height; y++)
        memcpy(picture->units + y * row_bytes, row_of(judged, 0, y), row_bytes);
    memcpy(picture->depth, judged->depth, (size_t)judged->width * judged->height);
    return picture;
}

void play_check_kept(const struct play_check *check, const struct check_picture *picture, const uint8_t *pixels,
                     struct check_result *result)
{
    compare(check, picture, pixels, result);
}

const uint8_t *play_check_units(const struct check_picture *picture) { return picture->units; }

void play_check_forget(struct check_picture *picture)
{
    if (picture == NULL) return;
    free(picture->units);
    free(picture->depth);
    free(picture);
}
