/* SPDX-License-Identifier: Apache-2.0
 *
 * See tracker.h. A surface is recognised by its address and shape; one that was freed behind our back and made again
 * at the same place with the same shape differs from its shadow, which is all that matters.
 */
#define _GNU_SOURCE
#include "clients/sdl/record/tracker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clients/sdl/record/difference.h"
#include "clients/sdl/record/drawn.h"

/* CANDIDATES: so many surfaces are looked at for a copy, if it has LEAST_OPERATION units or more. */
enum { BUCKETS = 4096, NO_ID = RECORDING_SURFACES, LEFT_AREAS = 16, CANDIDATES = 8, LEAST_OPERATION = 1024 };

/* A recording has RECORDING_SURFACES at a time. If the program uses more, the one used longest ago gives way: it has
 * NO_ID and no shadow until it is used again. */
struct tracked {
    struct tracked *next;          /* of the bucket */
    struct tracked *newer, *older; /* by their last use, of those with an id */
    const void *surface;
    uint8_t *pixels;
    int32_t width, height;
    uint32_t pitch;
    uint32_t id, row_bytes; /* of the shadow */
    struct conversion conversion;
    uint8_t *shadow;
    struct left { /* what differs there, the last one first, has that reason */
        struct area area;
        enum recording_reason reason;
    } left[LEFT_AREAS];
    uint32_t left_count;
};

static struct {
    struct record_link *link;
    struct recording_writer *writer;
    bool has_failed;
    struct tracked *buckets[BUCKETS];
    struct tracked *newest, *oldest;
    uint8_t used[RECORDING_SURFACES];
    uint8_t *units; /* one PIXELS operand */
    size_t unit_room;
    uint32_t frames;
    uint64_t last_present; /* milliseconds */
} tracker;

/* ------------------------------------------------------------------ the file */

static bool is_live(void) { return tracker.link->drawn.pictures[0] != 0; }

static void fail(const char *what)
{
    if (!tracker.has_failed)
        fprintf(stderr, "tessera-%s: %s: %s. %s\n", is_live() ? "live" : "record", tracker.link->name, what,
                is_live() ? "SDL draws the remaining frames." : "The recording ends here; the program goes on.");
    tracker.has_failed = true;
    atomic_store(&tracker.link->has_failed, true);
}

static void add(const struct recording_event *event)
{
    if (!tracker.has_failed && recording_add(tracker.writer, event) != 0) fail(strerror(errno));
}

bool tracker_open(struct record_link *link)
{
    tracker.link = link;
    int descriptor = open(link->file, O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) tracker.writer = recording_continue(descriptor, &link->state);
    if (tracker.writer == NULL) fail(strerror(errno));
    return tracker.writer != NULL;
}

void tracker_count_pixels(enum recording_reason reason)
{
    tracker.link->counts.blits_as_pixels++;
    tracker.link->counts.left[reason]++;
}

/* ------------------------------------------------------------------ surfaces */

static struct tracked **bucket_of(const void *surface)
{
    return &tracker.buckets[((uintptr_t)surface >> 4) * 2654435761u % BUCKETS];
}

static void unlink_use(struct tracked *tracked)
{
    if (tracked->newer != NULL) tracked->newer->older = tracked->older;
    else tracker.newest = tracked->older;
    if (tracked->older != NULL) tracked->older->newer = tracked->newer;
    else tracker.oldest = tracked->newer;
    tracked->newer = tracked->older = NULL;
}

static void link_use(struct tracked *tracked)
{
    tracked->older = tracker.newest;
    if (tracker.newest != NULL) tracker.newest->newer = tracked;
    else tracker.oldest = tracked;
    tracker.newest = tracked;
}

static void use(struct tracked *tracked)
{
    if (tracked == tracker.newest) return;
    unlink_use(tracked);
    link_use(tracked);
}

/* The recording has the surface no longer. */
static void give_way(struct tracked *tracked)
{
    const struct recording_event event = {.kind = RECORDING_FREE, .surface = tracked->id};
    if (tracked->id == NO_ID) return;
    add(&event);
    tracker.used[tracked->id] = 0;
    tracked->id = NO_ID;
    unlink_use(tracked);
    free(tracked->shadow);
    tracked->shadow = NULL;
}

static void drop(struct tracked **link)
{
    struct tracked *tracked = *link;
    give_way(tracked);
    *link = tracked->next;
    free(tracked);
}

static struct tracked **find(const void *surface)
{
    struct tracked **link = bucket_of(surface);
    while (*link != NULL && (*link)->surface != surface) link = &(*link)->next;
    return link;
}

bool tracker_is_read_alone(const void *surface)
{
    const struct tracked *tracked = *find(surface);
    return tracked == NULL || tracked->conversion.format == RECORDING_INDEX8;
}

bool tracker_find(struct view *view, const void *pixels, uint32_t pitch)
{
    const uint8_t *at = pixels;
    const struct tracked *tracked = tracker.newest;
    while (tracked != NULL && (tracked->conversion.has_palette || tracked->pitch != pitch || at < tracked->pixels ||
                               (size_t)(at - tracked->pixels) >= (size_t)tracked->pitch * (size_t)tracked->height))
        tracked = tracked->older;
    if (tracked == NULL) return false;
    const struct conversion *units = &tracked->conversion;
    *view = (struct view){.surface = tracked->surface,
                          .width = tracked->width,
                          .height = tracked->height,
                          .pitch = pitch,
                          .unit_bytes = units->unit_bytes,
                          .pixels = tracked->pixels,
                          .red = units->red,
                          .green = units->green,
                          .blue = units->blue,
                          .alpha_mask = units->alpha_mask,
                          .clip = {0, 0, tracked->width, tracked->height},
                          .alpha = 255,
                          .colour = RECORDING_WHITE};
    return true;
}

void tracker_forget(const void *surface)
{
    struct tracked **link = find(surface);
    if (*link != NULL) drop(link);
}

static void copy_in(struct tracked *tracked, const struct view *view, const struct area *area)
{
    size_t left = (size_t)area->x * view->unit_bytes, bytes = (size_t)area->width * view->unit_bytes;
    for (int32_t y = area->y; y < area->y + area->height; y++)
        memcpy(tracked->shadow + (size_t)y * tracked->row_bytes + left, view->pixels + (size_t)y * view->pitch + left,
               bytes);
}

static void add_pixels(struct tracked *tracked, const struct view *view, const struct area *area,
                       enum recording_reason reason)
{
    struct recording_event event = {.kind = RECORDING_PIXELS, .surface = tracked->id, .reason = reason};
    size_t row_bytes = (size_t)area->width * recording_unit_bytes((uint32_t)tracked->conversion.format);
    size_t bytes = row_bytes * (size_t)area->height;
    if (bytes > tracker.unit_room) {
        uint8_t *units = realloc(tracker.units, bytes);
        if (units == NULL) {
            fail("out of memory");
            return;
        }
        tracker.units = units;
        tracker.unit_room = bytes;
    }
    for (int32_t y = 0; y < area->height; y++)
        conversion_row(&tracked->conversion,
                       view->pixels + (size_t)(area->y + y) * view->pitch + (size_t)area->x * view->unit_bytes,
                       (uint32_t)area->width, tracker.units + (size_t)y * row_bytes);
    event.format = tracked->conversion.format;
    event.rect =
        (struct recording_rect){(uint32_t)area->x, (uint32_t)area->y, (uint32_t)area->width, (uint32_t)area->height};
    event.pixels = tracker.units;
    add(&event);
    tracker.link->counts.pixel_bytes += bytes;
    tracker.link->counts.finished[reason] += bytes;
    copy_in(tracked, view, area);
}

/* Of a surface of INDEX8. */
static void add_palette(const struct tracked *tracked)
{
    const struct recording_event event = {
        .kind = RECORDING_PALETTE, .surface = tracked->id, .colours = tracked->conversion.colours};
    if (tracked->conversion.format == RECORDING_INDEX8) add(&event);
}

static uint32_t free_id(void)
{
    uint32_t id = 0;
    while (id < RECORDING_SURFACES && tracker.used[id]) id++;
    if (id == RECORDING_SURFACES) {
        id = tracker.oldest->id;
        give_way(tracker.oldest);
    }
    tracker.used[id] = 1;
    return id;
}

static struct tracked *make(const struct view *view, struct tracked **link, enum recording_reason reason)
{
    const struct area all = {0, 0, view->width, view->height};
    struct recording_event event = {.kind = RECORDING_SURFACE,
                                    .rect = {0, 0, (uint32_t)view->width, (uint32_t)view->height}};
    struct tracked *tracked = calloc(1, sizeof *tracked);
    if (tracked != NULL) {
        tracked->row_bytes = (uint32_t)view->width * view->unit_bytes;
        tracked->shadow = malloc((size_t)tracked->row_bytes * (size_t)view->height);
    }
    if (tracked == NULL || tracked->shadow == NULL) {
        fail("out of memory");
        if (tracked != NULL) free(tracked->shadow);
        free(tracked);
        return NULL;
    }
    const uint32_t id = free_id();
    tracker.link->counts.surfaces++;
    tracked->surface = view->surface;
    tracked->pixels = view->pixels;
    tracked->pitch = view->pitch;
    tracked->width = view->width;
    tracked->height = view->height;
    tracked->id = id;
    conversion_make(&tracked->conversion, view);
    tracked->next = *link;
    *link = tracked;
    link_use(tracked);
    event.surface = id;
    event.format = tracked->conversion.format;
    add(&event);
    add_palette(tracked);
    add_pixels(tracked, view, &all, reason);
    return tracked;
}

/* The surface's record, made if it is new or has changed its shape, or is drawn to and was indices before; all of it
 * written again if its palette has changed what its units mean. */
static struct tracked *track(const struct view *view)
{
    const struct area all = {0, 0, view->width, view->height};
    struct tracked **link = find(view->surface), *tracked = *link;
    struct conversion conversion;
    if (tracked == NULL) return make(view, link, REASON_FIRST);
    conversion_make(&conversion, view);
    if (tracked->id == NO_ID) tracker_count_pixels(REASON_GAVE_WAY);
    else use(tracked);
    if (tracked->id == NO_ID || tracked->width != view->width || tracked->height != view->height ||
        tracked->conversion.format != conversion.format || tracked->conversion.unit_bytes != conversion.unit_bytes) {
        bool is_alike = tracked->width == view->width && tracked->height == view->height &&
                        tracked->conversion.unit_bytes == conversion.unit_bytes;
        const enum recording_reason reason = tracked->id == NO_ID ? REASON_GAVE_WAY
                                             : is_alike           ? REASON_COLOURS
                                                                  : REASON_FIRST;
        drop(link);
        return make(view, bucket_of(view->surface), reason);
    }
    /* analyse: bugprone-suspicious-memory-comparison: conversion_make clears what no member covers */
    if (memcmp(&conversion, &tracked->conversion, sizeof conversion) != 0) {
        tracked->conversion = conversion;
        if (conversion.format == RECORDING_INDEX8) add_palette(tracked);
        else add_pixels(tracked, view, &all, REASON_COLOURS);
    }
    tracked->pixels = view->pixels;
    tracked->pitch = view->pitch;
    return tracked;
}

/* ------------------------------------------------------------------ differences */

/* Does the reader have the same units at the same place of that surface? */
static bool is_there(const struct tracked *other, const struct view *view, const struct area *area)
{
    const struct conversion *units = &other->conversion;
    if (units->unit_bytes != view->unit_bytes || units->red != view->red || units->green != view->green ||
        units->blue != view->blue || units->alpha_mask != view->alpha_mask || other->width < area->x + area->width ||
        other->height < area->y + area->height)
        return false;
    return difference_is_none(&(struct shadow){other->shadow, other->row_bytes}, view, area);
}

static struct recording_rect rect_of(const struct area *area)
{
    return (struct recording_rect){(uint32_t)area->x, (uint32_t)area->y, (uint32_t)area->width, (uint32_t)area->height};
}

/* What the program itself has written is a fill if its units are alike, and a copy if one of the surfaces used last has
 * them at the same place. False: neither. */
static bool add_operation(struct tracked *tracked, const struct view *view, const struct area *area)
{
    struct recording_event event = {.surface = tracked->id, .rect = rect_of(area)};
    uint32_t raw = 0;
    int left = CANDIDATES;
    if (view->palette != NULL || area->width * area->height < LEAST_OPERATION) return false;
    if (difference_is_flat(view, area)) {
        memcpy(&raw, view->pixels + (size_t)area->y * view->pitch + (size_t)area->x * view->unit_bytes,
               view->unit_bytes);
        event.kind = RECORDING_FILL;
        event.unit = conversion_unit(&tracked->conversion, raw);
        tracker.link->counts.fills++;
    }
    for (const struct tracked *other = tracker.newest; event.kind == 0 && other != NULL && left > 0;
         other = other->older, left--) {
        if (other == tracked || !is_there(other, view, area)) continue;
        event.kind = RECORDING_BLIT;
        event.source = other->id;
        event.source_x = (uint32_t)area->x;
        event.source_y = (uint32_t)area->y;
        event.alpha = 255;
        event.colour = RECORDING_WHITE;
        tracker.link->counts.blits++;
    }
    if (event.kind == 0) return false;
    add(&event);
    copy_in(tracked, view, area);
    return true;
}

/* Write all that is unlike the shadow. False: nothing is. */
static bool add_differences(struct tracked *tracked, const struct view *view, const struct area *area,
                            enum recording_reason reason)
{
    const struct shadow shadow = {tracked->shadow, tracked->row_bytes};
    struct area rows, columns, found;
    bool is_unlike = false;
    for (int32_t row = area->y; difference_next(&shadow, view, area, &rows, &row); is_unlike = true)
        for (int32_t column = rows.x; difference_columns(&shadow, view, &rows, &columns, &column);)
            for (int32_t next = columns.y; difference_next(&shadow, view, &columns, &found, &next);)
                if (reason != REASON_PROGRAM || !add_operation(tracked, view, &found))
                    add_pixels(tracked, view, &found, reason);
    return is_unlike;
}

/* Write what operations were left to pixels there, each for its reason. An area that is written whole is settled. */
static void add_left(struct tracked *tracked, const struct view *view, const struct area *area)
{
    struct area part;
    uint32_t kept = 0;
    for (uint32_t i = tracked->left_count; i-- > 0;)
        if (area_shared(&tracked->left[i].area, area, &part))
            (void)add_differences(tracked, view, &part, tracked->left[i].reason);
    for (uint32_t i = 0; i < tracked->left_count; i++) {
        const struct left *left = &tracked->left[i];
        bool is_settled =
            area_shared(&left->area, area, &part) && part.width == left->area.width && part.height == left->area.height;
        if (!is_settled) tracked->left[kept++] = *left;
    }
    tracked->left_count = kept;
}

static struct tracked *synchronise(const struct view *view, const struct area *area)
{
    struct tracked *tracked = track(view);
    if (tracked == NULL) return NULL;
    add_left(tracked, view, area);
    (void)add_differences(tracked, view, area, REASON_PROGRAM);
    return tracked;
}

bool tracker_sync(const struct view *view, const struct area *area)
{
    return !tracker.has_failed && synchronise(view, area) != NULL;
}

static bool has_left(const struct tracked *tracked, const struct area *area)
{
    struct area part;
    bool has = false;
    for (uint32_t i = 0; i < tracked->left_count; i++) has = has || area_shared(&tracked->left[i].area, area, &part);
    return has;
}

void tracker_leave(const struct view *view, const struct area *area, enum recording_reason reason)
{
    const struct area all = {0, 0, view->width, view->height};
    tracker_count_pixels(reason);
    /* What is recorded as indices stays so until something is recorded that draws to it. */
    if (tracker.has_failed || (view->palette != NULL && tracker_is_read_alone(view->surface))) return;
    struct tracked *tracked = track(view);
    if (tracked == NULL) return;
    if (tracked->left_count == LEFT_AREAS) (void)synchronise(view, &all);
    if (!has_left(tracked, area)) (void)add_differences(tracked, view, area, REASON_PROGRAM);
    tracked->left[tracked->left_count++] = (struct left){*area, reason};
}

/* Where a unit differs from its shadow in bits alone that mean nothing, the shadow takes the unit. */
static void forgive(struct tracked *tracked, const struct view *view, const struct area *area)
{
    const uint32_t mask = view->red | view->green | view->blue | view->alpha_mask;
    for (int32_t y = area->y; view->palette == NULL && y < area->y + area->height; y++) {
        const uint8_t *now = view->pixels + (size_t)y * view->pitch + (size_t)area->x * view->unit_bytes;
        uint8_t *before = tracked->shadow + (size_t)y * tracked->row_bytes + (size_t)area->x * view->unit_bytes;
        if (memcmp(now, before, (size_t)area->width * view->unit_bytes) == 0) continue;
        for (int32_t x = 0; x < area->width; x++, now += view->unit_bytes, before += view->unit_bytes) {
            uint32_t a = 0, b = 0;
            memcpy(&a, now, view->unit_bytes);
            memcpy(&b, before, view->unit_bytes);
            if (((a ^ b) & mask) == 0) memcpy(before, now, view->unit_bytes);
        }
    }
}

bool tracker_agree(const struct view *view, const struct area *area, enum recording_reason reason)
{
    struct tracked *tracked = tracker.has_failed ? NULL : track(view);
    if (tracked == NULL) return true;
    forgive(tracked, view, area);
    return !add_differences(tracked, view, area, reason);
}

/* ------------------------------------------------------------------ operations */

static struct tracked *add_fill(const struct view *target, const struct area *area, uint32_t raw)
{
    struct recording_event event = {.kind = RECORDING_FILL, .rect = rect_of(area)};
    struct tracked *tracked = track(target);
    if (tracked == NULL) return NULL;
    event.surface = tracked->id;
    event.unit = conversion_unit(&tracked->conversion, raw);
    add(&event);
    tracker.link->counts.fills++;
    return tracked;
}

void tracker_fill(const struct view *target, const struct area *area, uint32_t raw)
{
    struct tracked *tracked = add_fill(target, area, raw);
    if (tracked != NULL) copy_in(tracked, target, area);
}

void tracker_expect_fill(const struct view *target, const struct area *area, uint32_t raw)
{
    struct tracked *tracked = add_fill(target, area, raw);
    for (int32_t y = area->y; tracked != NULL && y < area->y + area->height; y++) {
        uint8_t *row = tracked->shadow + (size_t)y * tracked->row_bytes + (size_t)area->x * target->unit_bytes;
        for (int32_t x = 0; x < area->width; x++, row += target->unit_bytes) memcpy(row, &raw, target->unit_bytes);
    }
}

static struct tracked *add_blit(const struct view *target, const struct area *area, const struct view *source,
                                int32_t source_x, int32_t source_y, const struct recording_event *how)
{
    struct tracked *from = *find(source->surface);
    if (from == NULL || from->id == NO_ID) return NULL;
    use(from); /* the target, made now, may take the place of another */
    struct tracked *to = track(target);
    if (to == NULL) return NULL;
    const struct recording_event event = {.kind = RECORDING_BLIT,
                                          .surface = to->id,
                                          .source = from->id,
                                          .rect = rect_of(area),
                                          .source_x = (uint32_t)source_x,
                                          .source_y = (uint32_t)source_y,
                                          .map = how->map,
                                          .mode = how->mode,
                                          .alpha = how->alpha,
                                          .colour = how->colour,
                                          .key = conversion_unit(&from->conversion, source->key)};
    add(&event);
    tracker.link->counts.blits++;
    return to;
}

void tracker_blit(const struct view *target, const struct area *area, const struct view *source, int32_t source_x,
                  int32_t source_y, const struct recording_event *how)
{
    struct tracked *tracked = add_blit(target, area, source, source_x, source_y, how);
    if (tracked != NULL) copy_in(tracked, target, area);
}

uint8_t *tracker_expect_blit(const struct view *target, const struct area *area, const struct view *source,
                             int32_t source_x, int32_t source_y, const struct recording_event *how, uint32_t *row_bytes)
{
    struct tracked *tracked = add_blit(target, area, source, source_x, source_y, how);
    if (tracked == NULL) return NULL;
    *row_bytes = tracked->row_bytes;
    return tracked->shadow;
}

static uint64_t now_milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000u + (uint64_t)time.tv_nsec / 1000000u;
}

/* What the GPU has drawn is shown, and the reader's. */
static void show_drawn(struct tracked *tracked, const struct view *view)
{
    const struct area all = {0, 0, view->width, view->height};
    const size_t units = (size_t)view->width * (size_t)view->height;
    const uint8_t *picture = NULL;
    if (recording_flush(tracker.writer) == 0)
        picture = drawn_take(&tracker.link->drawn, tracker.frames,
                             units * recording_unit_bytes((uint32_t)tracked->conversion.format));
    if (picture == NULL) {
        fail("has exited");
        return;
    }
    drawn_put(&tracker.link->drawn, tracker.frames, view, &tracked->conversion, picture);
    copy_in(tracked, view, &all);
}

uint32_t tracker_present(const struct view *view)
{
    const struct area all = {0, 0, view->width, view->height};
    struct recording_event event = {.kind = RECORDING_PRESENT};
    uint64_t now = now_milliseconds(), passed = tracker.last_present != 0 ? now - tracker.last_present : 0;
    struct tracked *tracked = synchronise(view, &all);
    if (tracked == NULL || tracker.has_failed) return 0;
    event.surface = tracked->id;
    event.milliseconds = passed < 65535u ? (uint32_t)passed : 65535u;
    add(&event);
    if (is_live() && !tracker.has_failed) show_drawn(tracked, view);
    tracker.last_present = now;
    return ++tracker.frames;
}
