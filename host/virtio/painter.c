/* SPDX-License-Identifier: Apache-2.0
 *
 * See painter.h. Everything is waited for: the driver may write its pages again when a transfer is answered.
 */
#include "virtio/painter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera_stream.h"

enum { PAGE = 4096, PIXEL = 4, LOCAL = 2, APERTURE = 4, TARGET = 0, SOURCE = 1 };

struct picture {
    struct tessera_allocation *content, *backing; /* backing NULL: the host copies */
    uint32_t width, height;
    uint64_t backing_bytes;
    struct virtio_gpu_entry *entries; /* of a backing that the host copies */
    uint32_t entry_count;
};

struct painter {
    struct tessera *tessera;
    struct painter_options options;
    struct tessera_stream *stream;
    struct tessera_allocation *screen;
    uint32_t context;
    bool (*make_room)(void *context);
    void *room_context;
    struct picture picture[VIRTIO_GPU_RESOURCES_MOST];
    struct painter_counts counts;
    char message[256];
};

/* The reason, for whoever runs this; false. */
static bool said(struct painter *painter, const char *what)
{
    snprintf(painter->message, sizeof painter->message, "%.40s: %.200s", what, tessera_message(painter->tessera));
    return false;
}

static bool failed(struct painter *painter, const char *what)
{
    painter->counts.failures++;
    return said(painter, what);
}

static void name(const struct painter *painter, const struct tessera_allocation *allocation, const char *kind)
{
    if (painter->options.name != NULL) painter->options.name(painter->options.name_context, allocation, kind);
}

/* ------------------------------------------------------------------ life */

static int make_parts(struct painter *painter)
{
    struct tessera_allocation_options screen = {.bytes = PAINTER_SCREEN_BYTES, .flags = ALLOCATION_CPU_VISIBLE};
    screen.read_set = screen.write_set = APERTURE;
    screen.address = painter->options.system != NULL ? painter->options.screen : 0;
    painter->stream = tessera_stream_create_for(painter->tessera);
    if (painter->stream == NULL) return TESSERA_NO_MEMORY;
    int status = tessera_context_create(painter->tessera, 0, 0, &painter->context);
    return status != TESSERA_OK ? status : tessera_allocation_create(painter->tessera, &screen, &painter->screen);
}

const struct tessera_allocation *painter_screen(const struct painter *painter) { return painter->screen; }

struct painter *painter_create(struct tessera *tessera, const struct painter_options *options, char message[256])
{
    struct painter *painter = calloc(1, sizeof *painter);
    if (painter == NULL) {
        snprintf(message, 256, "out of memory");
        return NULL;
    }
    painter->tessera = tessera;
    painter->options = *options;
    if (make_parts(painter) == TESSERA_OK) return painter;
    snprintf(message, 256, "%.255s", tessera_message(tessera));
    tessera_stream_destroy(painter->stream);
    free(painter);
    return NULL;
}

static void forget_backing(struct painter *painter, struct picture *picture)
{
    if (tessera_allocation_destroy(painter->tessera, picture->backing) != TESSERA_OK) (void)failed(painter, "detach");
    free(picture->entries);
    picture->backing = NULL;
    picture->entries = NULL;
    picture->entry_count = 0;
    picture->backing_bytes = 0;
}

static void destroy(void *context, uint32_t place)
{
    struct painter *painter = context;
    struct picture *picture = &painter->picture[place];
    forget_backing(painter, picture);
    if (tessera_allocation_destroy(painter->tessera, picture->content) != TESSERA_OK) (void)failed(painter, "destroy");
    picture->content = NULL;
}

void painter_destroy(struct painter *painter)
{
    if (painter == NULL) return;
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) destroy(painter, i);
    (void)tessera_allocation_destroy(painter->tessera, painter->screen);
    (void)tessera_context_destroy(painter->tessera, painter->context);
    tessera_stream_destroy(painter->stream);
    free(painter);
}

static bool create(void *context, uint32_t place, uint32_t width, uint32_t height)
{
    struct painter *painter = context;
    struct picture *picture = &painter->picture[place];
    struct tessera_allocation_options options = {.flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED};
    const uint64_t bytes = (uint64_t)width * height * PIXEL;
    if (bytes > UINT32_MAX) return false;
    options.bytes = (uint32_t)bytes;
    options.read_set = options.write_set = LOCAL;
    const int status = tessera_allocation_create(painter->tessera, &options, &picture->content);
    if (status == TESSERA_STATUS_NO_SEGMENT) { /* a guest may ask for it: the GPU has not failed */
        painter->counts.too_large++;
        return said(painter, "create");
    }
    if (status != TESSERA_OK) return failed(painter, "create");
    name(painter, picture->content, "resource");
    picture->width = width;
    picture->height = height;
    return true;
}

/* ------------------------------------------------------------------ backing */

/* Whole pages, all of them the GPU's to read. */
static bool has_pages(const struct painter *painter, const struct virtio_gpu_entry *entries, uint32_t count)
{
    const uint64_t limit = painter->options.guest_bytes;
    for (uint32_t i = 0; i < count; i++) {
        const struct virtio_gpu_entry *entry = &entries[i];
        if (entry->address % PAGE != 0 || entry->bytes % PAGE != 0) return false;
        if (entry->address > limit || entry->bytes > limit - entry->address) return false;
    }
    return true;
}

/* An allocation over as many of the pages as the picture needs. */
static bool name_pages(struct painter *painter, struct picture *picture, const struct virtio_gpu_entry *entries,
                       uint32_t count)
{
    const uint32_t wanted = (picture->width * picture->height * (uint32_t)PIXEL + PAGE - 1u) / PAGE;
    uint32_t *pages = malloc(wanted * sizeof *pages), found = 0;
    if (pages == NULL) return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t at = 0; at < entries[i].bytes && found < wanted; at += PAGE)
            pages[found++] = (uint32_t)((painter->options.guest + entries[i].address + at) / PAGE);
    struct tessera_allocation_options options = {.bytes = found * (uint32_t)PAGE, .pages = pages, .page_count = found};
    options.flags = ALLOCATION_CPU_VISIBLE;
    options.read_set = options.write_set = APERTURE;
    int status = found != 0 ? tessera_allocation_create(painter->tessera, &options, &picture->backing) : TESSERA_OK;
    free(pages);
    if (status == TESSERA_OK && found != 0) name(painter, picture->backing, "pages of resource");
    picture->backing_bytes = found * (uint64_t)PAGE;
    return status == TESSERA_OK || failed(painter, "attach");
}

/* The entries as they are, if all of them are the driver's memory. */
static bool keep_entries(struct painter *painter, struct picture *picture, const struct virtio_gpu_entry *entries,
                         uint32_t count)
{
    const struct guest_memory *memory = &painter->options.memory;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (memory->at(memory->context, entries[i].address, entries[i].bytes) == NULL) return false;
        bytes += entries[i].bytes;
    }
    picture->entries = malloc((count + 1u) * sizeof *entries);
    if (picture->entries == NULL) return false;
    if (count != 0) memcpy(picture->entries, entries, count * sizeof *entries);
    picture->entry_count = count;
    picture->backing_bytes = bytes;
    return true;
}

static bool attach(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count)
{
    struct painter *painter = context;
    struct picture *picture = &painter->picture[place];
    if (!keep_entries(painter, picture, entries, count)) return false;
    if (!has_pages(painter, entries, count)) return true;
    if (name_pages(painter, picture, entries, count)) return true;
    forget_backing(painter, picture);
    return false;
}

static void detach(void *context, uint32_t place)
{
    struct painter *painter = context;
    forget_backing(painter, &painter->picture[place]);
}

/* ------------------------------------------------------------------ drawing */

static int submit_once(struct painter *painter)
{
    tessera_ticket ticket;
    int status = tessera_submit(painter->tessera, painter->context, painter->stream, 0, &ticket);
    return status != TESSERA_OK ? status : tessera_wait(painter->tessera, ticket, NULL);
}

static int submit(struct painter *painter)
{
    const int status = submit_once(painter);
    const bool is_full = status == TESSERA_STATUS_NO_PLACEMENT || status == TESSERA_STATUS_OVER_LIMIT;
    const bool has_room = is_full && painter->make_room != NULL && painter->make_room(painter->room_context);
    return has_room ? submit_once(painter) : status;
}

/* Rows that lie one after the other on both sides. */
static int copy(struct painter *painter, const struct tessera_place *target, const struct tessera_place *source,
                uint32_t bytes)
{
    tessera_stream_clear(painter->stream);
    int status = tessera_stream_copy(painter->stream, target, source, bytes);
    return status != TESSERA_OK ? status : submit(painter);
}

static int draw(struct painter *painter, const struct tessera_surface *target, const struct tessera_surface *source,
                const struct tessera_blit *blit)
{
    tessera_stream_clear(painter->stream);
    int status = tessera_stream_bind(painter->stream, TARGET, target);
    if (status == TESSERA_OK) status = tessera_stream_bind(painter->stream, SOURCE, source);
    if (status == TESSERA_OK) status = tessera_stream_blit(painter->stream, blit);
    return status != TESSERA_OK ? status : submit(painter);
}

/* A context that is lost, by a fault or a reset, is of no use any more. */
static bool drawn(struct painter *painter, const char *what, int status)
{
    if (status == TESSERA_OK) return true;
    (void)failed(painter, what);
    if (status > 0 && tessera_context_destroy(painter->tessera, painter->context) == TESSERA_OK)
        (void)tessera_context_create(painter->tessera, 0, 0, &painter->context);
    return false;
}

static struct tessera_surface surface_of(struct tessera_allocation *allocation, uint32_t offset, uint32_t width,
                                         bool is_target)
{
    return (struct tessera_surface){.allocation = allocation,
                                    .offset = offset,
                                    .format = TESSERA_ARGB8888,
                                    .pitch = width * (uint32_t)PIXEL,
                                    .is_target = is_target};
}

/* All of each row: as much as there is of them. */
static bool copy_whole_rows(struct painter *painter, const struct picture *picture,
                            const struct virtio_gpu_rectangle *rectangle, uint32_t offset)
{
    const uint32_t pitch = picture->width * (uint32_t)PIXEL, wanted = pitch * rectangle->height;
    const uint64_t left = picture->backing_bytes - offset;
    const struct tessera_place target = {picture->content, rectangle->y * pitch, TARGET};
    const struct tessera_place source = {picture->backing, offset, SOURCE};
    return drawn(painter, "transfer", copy(painter, &target, &source, left < wanted ? (uint32_t)left : wanted));
}

/* Rows from the driver's pages: `whole` ones, then a part of the next. */
static bool draw_rows(struct painter *painter, const struct picture *picture,
                      const struct virtio_gpu_rectangle *rectangle, uint32_t offset)
{
    const struct tessera_surface target = surface_of(picture->content, 0, picture->width, true);
    const struct tessera_surface source = surface_of(picture->backing, offset, picture->width, false);
    const uint64_t pitch = (uint64_t)picture->width * PIXEL, row = (uint64_t)rectangle->width * PIXEL;
    const uint64_t left = picture->backing_bytes - offset;
    const uint64_t fitting = left >= row ? (left - row) / pitch + 1u : 0;
    const uint32_t whole = fitting < rectangle->height ? (uint32_t)fitting : rectangle->height;
    struct tessera_blit blit = {.target = TARGET, .source = SOURCE, .mode = TESSERA_COPY};
    blit.target_x = rectangle->x;
    blit.target_y = rectangle->y;
    blit.width = rectangle->width;
    blit.height = whole;
    if (whole != 0 && !drawn(painter, "transfer", draw(painter, &target, &source, &blit))) return false;
    if (whole == rectangle->height || whole * pitch >= left) return true;
    blit.target_y += whole;
    blit.source_y = whole;
    blit.width = (uint32_t)((left - whole * pitch) / PIXEL);
    blit.height = 1;
    return blit.width == 0 || drawn(painter, "transfer", draw(painter, &target, &source, &blit));
}

/* Bytes of the driver's memory by its entries; how many there were. */
static uint32_t gather(const struct painter *painter, const struct picture *picture, uint64_t offset, uint8_t *data,
                       uint32_t bytes)
{
    const struct guest_memory *memory = &painter->options.memory;
    uint32_t done = 0;
    for (uint32_t i = 0; i < picture->entry_count && done < bytes; i++) {
        const struct virtio_gpu_entry *entry = &picture->entries[i];
        if (offset >= entry->bytes) {
            offset -= entry->bytes;
            continue;
        }
        const uint64_t rest = entry->bytes - offset;
        const uint32_t step = rest < bytes - done ? (uint32_t)rest : bytes - done;
        const uint8_t *from = memory->at(memory->context, entry->address + offset, step);
        if (from == NULL) break; /* the driver's memory has become smaller */
        memcpy(data + done, from, step);
        done += step;
        offset = 0;
    }
    return done;
}

/* Rows of so many pixels, which the screen's memory has one after the other, to this corner of a resource. */
static bool draw_screen(struct painter *painter, const struct picture *picture,
                        const struct virtio_gpu_rectangle *rectangle)
{
    const struct tessera_surface target = surface_of(picture->content, 0, picture->width, true);
    const struct tessera_surface source = surface_of(painter->screen, 0, rectangle->width, false);
    const struct tessera_blit blit = {.target = TARGET,
                                      .source = SOURCE,
                                      .mode = TESSERA_COPY,
                                      .target_x = rectangle->x,
                                      .target_y = rectangle->y,
                                      .width = rectangle->width,
                                      .height = rectangle->height};
    return rectangle->height == 0 || drawn(painter, "transfer", draw(painter, &target, &source, &blit));
}

static int put_screen(struct painter *painter, uint32_t at, const uint8_t *data, uint32_t bytes)
{
    if (painter->options.system == NULL) return tessera_write(painter->tessera, painter->screen, at, data, bytes);
    memcpy(painter->options.system + painter->options.screen + at, data, bytes);
    return TESSERA_OK;
}

/* The first bytes of a row. Of its last pixel, what is behind them stays. */
static bool draw_part(struct painter *painter, uint32_t place, const struct virtio_gpu_rectangle *row,
                      const uint8_t *data, uint32_t bytes)
{
    static uint8_t pixels[VIRTIO_GPU_SIDE_MOST * PIXEL];
    const struct virtio_gpu_rectangle part = {row->x, row->y, (bytes + PIXEL - 1u) / PIXEL, 1};
    if (!painter_read(painter, place, &part, pixels, sizeof pixels)) return false;
    memcpy(pixels, data, bytes);
    if (put_screen(painter, 0, pixels, part.width * (uint32_t)PIXEL) != TESSERA_OK) return failed(painter, "transfer");
    return draw_screen(painter, &painter->picture[place], &part);
}

/* By way of the screen's memory, which holds the strip: a resource that is shown cannot be locked. */
static bool copy_strip(struct painter *painter, uint32_t place, const struct virtio_gpu_rectangle *strip,
                       uint64_t offset)
{
    static uint8_t row[VIRTIO_GPU_SIDE_MOST * PIXEL];
    const struct picture *picture = &painter->picture[place];
    const uint32_t wanted = strip->width * (uint32_t)PIXEL;
    const uint64_t pitch = (uint64_t)picture->width * PIXEL;
    struct virtio_gpu_rectangle whole = *strip;
    uint32_t bytes = wanted;
    int status = TESSERA_OK;
    for (whole.height = 0; whole.height < strip->height && status == TESSERA_OK; whole.height++) {
        bytes = gather(painter, picture, offset + pitch * whole.height, row, wanted);
        if (bytes < wanted) break;
        status = put_screen(painter, whole.height * wanted, row, wanted);
    }
    if (status != TESSERA_OK) return failed(painter, "transfer");
    if (!draw_screen(painter, picture, &whole)) return false;
    whole.y += whole.height;
    return bytes == wanted || bytes == 0 || draw_part(painter, place, &whole, row, bytes);
}

static bool copy_rows(struct painter *painter, uint32_t place, const struct virtio_gpu_rectangle *rectangle,
                      uint64_t offset)
{
    const uint64_t pitch = (uint64_t)painter->picture[place].width * PIXEL;
    const uint32_t rows = (uint32_t)PAINTER_SCREEN_BYTES / (rectangle->width * (uint32_t)PIXEL);
    for (uint32_t y = 0; y < rectangle->height; y += rows) {
        struct virtio_gpu_rectangle strip = *rectangle;
        strip.y += y;
        strip.height = rectangle->height - y < rows ? rectangle->height - y : rows;
        if (!copy_strip(painter, place, &strip, offset + pitch * y)) return false;
    }
    return true;
}

static bool transfer(void *context, uint32_t place, const struct virtio_gpu_rectangle *rectangle, uint64_t offset)
{
    struct painter *painter = context;
    const struct picture *picture = &painter->picture[place];
    if (offset >= picture->backing_bytes) return true; /* all of it is behind the end */
    if (picture->backing == NULL || offset % PIXEL != 0) {
        painter->counts.copied++;
        return copy_rows(painter, place, rectangle, offset);
    }
    painter->counts.in_place++;
    if (rectangle->width == picture->width) return copy_whole_rows(painter, picture, rectangle, (uint32_t)offset);
    return draw_rows(painter, picture, rectangle, (uint32_t)offset);
}

void painter_make_room(struct painter *painter, bool (*make_room)(void *context), void *context)
{
    painter->make_room = make_room;
    painter->room_context = context;
}

struct tessera_allocation *painter_content(const struct painter *painter, uint32_t place, uint32_t *pitch)
{
    *pitch = painter->picture[place].width * (uint32_t)PIXEL;
    return painter->picture[place].content;
}

void painter_table(struct painter *painter, struct virtio_gpu_painter *table)
{
    *table = (struct virtio_gpu_painter){painter, create, destroy, attach, detach, transfer};
}

/* ------------------------------------------------------------------ reading back */

/* Whole rows, by way of the screen's memory: of these the rectangle's columns. */
static bool read_strip(struct painter *painter, const struct picture *picture, const struct virtio_gpu_rectangle *strip,
                       uint8_t *pixels, size_t pitch)
{
    const uint32_t row = picture->width * (uint32_t)PIXEL, wanted = strip->width * (uint32_t)PIXEL;
    const struct tessera_place target = {painter->screen, 0, TARGET},
                               source = {picture->content, strip->y * row, SOURCE};
    if (!drawn(painter, "flush", copy(painter, &target, &source, strip->height * row))) return false;
    for (uint32_t y = 0; y < strip->height; y++) {
        const uint32_t at = y * row + strip->x * (uint32_t)PIXEL;
        if (painter->options.system != NULL)
            memcpy(pixels + y * pitch, painter->options.system + painter->options.screen + at, wanted);
        else if (tessera_read(painter->tessera, painter->screen, at, pixels + y * pitch, wanted) != TESSERA_OK)
            return failed(painter, "flush");
    }
    return true;
}

bool painter_read(struct painter *painter, uint32_t place, const struct virtio_gpu_rectangle *rectangle,
                  uint8_t *pixels, size_t pitch)
{
    const struct picture *picture = &painter->picture[place];
    const uint32_t rows = (uint32_t)PAINTER_SCREEN_BYTES / (picture->width * (uint32_t)PIXEL);
    for (uint32_t y = 0; y < rectangle->height; y += rows) {
        struct virtio_gpu_rectangle strip = *rectangle;
        strip.y += y;
        strip.height = rectangle->height - y < rows ? rectangle->height - y : rows;
        if (!read_strip(painter, picture, &strip, pixels + y * pitch, pitch)) return false;
    }
    return true;
}

void painter_where(struct painter *painter, uint32_t place, struct painter_place *where)
{
    const struct picture *picture = &painter->picture[place];
    struct tessera_residence residence;
    const int status = tessera_residence(painter->tessera, picture->content, &residence);
    *where = (struct painter_place){.entries = picture->entry_count};
    where->is_local = status == TESSERA_OK && residence.segment != 0;
    if (picture->backing != NULL) where->guest_pages = (uint32_t)(picture->backing_bytes / PAGE);
}

const struct painter_counts *painter_counts(const struct painter *painter) { return &painter->counts; }
const char *painter_message(const struct painter *painter) { return painter->message; }
