/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_tessera_display.h.
 */
#include "clients/lvgl/lv_tessera_display.h"

#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

enum { SURFACES = 2, AREAS = 32, SEGMENTS_ASKED = 8, SLOT_BACK = 0, SLOT_FRONT = 1, SLOT_AREA = 2 };

/* What a refresh has changed. */
struct changes {
    lv_area_t area[AREAS];
    uint32_t count;
};

static struct {
    lv_display_t *display; /* NULL: none */
    struct tessera_allocation *surface[SURFACES];
    struct tessera_stream *stream;
    struct changes now, before; /* of this refresh; of the one before, which the back surface does not have yet */
    uint32_t format, pitch, columns, rows;
    uint32_t back; /* the surface that is shown next */
    tessera_ticket copied, flipped;
    bool is_copying, is_flipping;
    struct lv_tessera_display_counts counts;
} screen;

static bool judge(int status)
{
    screen.counts.failed += status != TESSERA_OK;
    lvt_queue_judge(status);
    return status == TESSERA_OK;
}

static void await_ticket(bool *is_waiting, tessera_ticket ticket)
{
    if (*is_waiting) (void)judge(tessera_wait(lvt_gpu.tessera, ticket, NULL));
    *is_waiting = false;
}

/* LVGL asks for it before it draws into a buffer again. */
static void await_copy(lv_display_t *display)
{
    (void)display;
    await_ticket(&screen.is_copying, screen.copied);
}

/* ------------------------------------------------------------------ areas */

static void add_area(struct changes *changes, const lv_area_t *area)
{
    if (changes->count < AREAS) {
        changes->area[changes->count++] = *area;
        return;
    }
    lv_area_t *last = &changes->area[AREAS - 1];
    last->x1 = LV_MIN(last->x1, area->x1);
    last->y1 = LV_MIN(last->y1, area->y1);
    last->x2 = LV_MAX(last->x2, area->x2);
    last->y2 = LV_MAX(last->y2, area->y2);
}

static bool holds(const lv_area_t *area, const lv_area_t *other)
{
    return other->x1 >= area->x1 && other->x2 <= area->x2 && other->y1 >= area->y1 && other->y2 <= area->y2;
}

/* The pixels of `area`: LVGL flushes a buffer over the whole picture, or one over the area. */
static struct picture picture_of(const lv_area_t *area, uint8_t *pixels)
{
    struct picture picture = lvt_memory_picture(lv_display_get_buf_active(screen.display));
    picture.first = pixels;
    picture.format = screen.format;
    if (picture.width == screen.columns && picture.height == screen.rows)
        picture.first += (uint32_t)area->y1 * picture.stride + (uint32_t)area->x1 * picture.unit_bytes;
    picture.width = (uint32_t)lv_area_get_width(area);
    picture.height = (uint32_t)lv_area_get_height(area);
    return picture;
}

/* ------------------------------------------------------------------ the GPU's copies */

static struct tessera_surface surface_of(uint32_t which, bool is_target)
{
    return (struct tessera_surface){.allocation = screen.surface[which],
                                    .format = screen.format,
                                    .pitch = screen.pitch,
                                    .bytes = screen.pitch * screen.rows,
                                    .is_target = is_target};
}

static int copy_area(uint32_t slot, const lv_area_t *area, uint32_t source_x, uint32_t source_y)
{
    const struct tessera_blit blit = {.target = SLOT_BACK,
                                      .source = slot,
                                      .mode = TESSERA_COPY,
                                      .target_x = (uint32_t)area->x1,
                                      .target_y = (uint32_t)area->y1,
                                      .source_x = source_x,
                                      .source_y = source_y,
                                      .width = (uint32_t)lv_area_get_width(area),
                                      .height = (uint32_t)lv_area_get_height(area)};
    return tessera_stream_blit(screen.stream, &blit);
}

/* The back surface gets what the shown one has more, but for what this area covers anyway. */
static int repeat_changes(const lv_area_t *area)
{
    const struct tessera_surface front = surface_of(1u - screen.back, false);
    int status = TESSERA_OK;
    bool is_bound = false;
    for (uint32_t i = 0; i < screen.before.count && status == TESSERA_OK; i++) {
        const lv_area_t *change = &screen.before.area[i];
        if (holds(area, change)) continue;
        if (!is_bound) status = tessera_stream_bind(screen.stream, SLOT_FRONT, &front);
        is_bound = true;
        if (status == TESSERA_OK) status = copy_area(SLOT_FRONT, change, (uint32_t)change->x1, (uint32_t)change->y1);
        screen.counts.repeated++;
    }
    return status;
}

static int copy_to_back(const lv_area_t *area, const struct picture *picture, bool *is_passing)
{
    const struct tessera_surface back = surface_of(screen.back, true);
    struct tessera_surface source;
    tessera_stream_clear(screen.stream);
    int status = lvt_memory_passing(picture, &source, is_passing);
    if (status == TESSERA_OK) status = tessera_stream_bind(screen.stream, SLOT_BACK, &back);
    if (status == TESSERA_OK && screen.now.count == 0) status = repeat_changes(area);
    if (status == TESSERA_OK) status = tessera_stream_bind(screen.stream, SLOT_AREA, &source);
    if (status == TESSERA_OK) status = copy_area(SLOT_AREA, area, 0, 0);
    if (status == TESSERA_OK)
        status = tessera_submit(lvt_gpu.tessera, lvt_gpu.context, screen.stream, 0, &screen.copied);
    screen.is_copying = status == TESSERA_OK;
    return status;
}

/* ------------------------------------------------------------------ flushes */

static int show_back(void)
{
    const struct tessera_flip flip = {.plane = TESSERA_PLANE_PRIMARY,
                                      .allocation = screen.surface[screen.back],
                                      .pitch = screen.pitch,
                                      .format = screen.format,
                                      .when = TESSERA_WHEN_NEXT,
                                      .context = lvt_gpu.context,
                                      .after = screen.copied};
    const int status = tessera_flip(lvt_gpu.tessera, &flip, &screen.flipped);
    if (status != TESSERA_OK) return status; /* the next refresh has these areas, too */
    screen.is_flipping = true;
    screen.back = 1u - screen.back;
    screen.before = screen.now;
    screen.now.count = 0;
    screen.counts.flips++;
    return TESSERA_OK;
}

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    const struct picture picture = picture_of(area, pixels);
    bool is_passing = false;
    await_ticket(&screen.is_copying, screen.copied); /* of the stream */
    await_ticket(&screen.is_flipping, screen.flipped);
    if (judge(copy_to_back(area, &picture, &is_passing))) {
        add_area(&screen.now, area);
        screen.counts.areas++;
        if (is_passing) await_ticket(&screen.is_copying, screen.copied);
    }
    if (lv_display_flush_is_last(display) && screen.now.count != 0) (void)judge(show_back());
}

/* ------------------------------------------------------------------ begin and end */

static int create_surfaces(void)
{
    struct tessera_segment segments[SEGMENTS_ASKED];
    struct tessera_allocation_options options = {.bytes = screen.pitch * screen.rows};
    uint32_t count = SEGMENTS_ASKED;
    int status = tessera_query_segments(lvt_gpu.tessera, segments, &count);
    for (uint32_t i = 0; i < count && status == TESSERA_OK; i++)
        if ((segments[i].flags & TESSERA_SEGMENT_APERTURE) == 0) options.read_set |= 1u << i;
    options.write_set = options.read_set;
    for (uint32_t i = 0; i < SURFACES && status == TESSERA_OK; i++)
        status = tessera_allocation_create(lvt_gpu.tessera, &options, &screen.surface[i]);
    screen.stream = tessera_stream_create();
    return status == TESSERA_OK && screen.stream == NULL ? TESSERA_NO_MEMORY : status;
}

int lv_tessera_display_begin(lv_display_t *display)
{
    const lv_color_format_t format = lv_display_get_color_format(display);
    const uint32_t columns = (uint32_t)lv_display_get_horizontal_resolution(display);
    const uint32_t rows = (uint32_t)lv_display_get_vertical_resolution(display), mode = tessera_mode_of(columns, rows);
    const bool is_wide = format == LV_COLOR_FORMAT_XRGB8888 || format == LV_COLOR_FORMAT_ARGB8888;
    if (lvt_gpu.tessera == NULL || screen.display != NULL || mode == TESSERA_DISPLAY_OFF ||
        (!is_wide && format != LV_COLOR_FORMAT_RGB565))
        return TESSERA_MISUSE;
    memset(&screen, 0, sizeof screen);
    screen.format = is_wide ? FORMAT_XRGB8888 : FORMAT_RGB565;
    screen.pitch = columns * lv_color_format_get_size(format);
    screen.columns = columns;
    screen.rows = rows;
    int status = tessera_set_mode(lvt_gpu.tessera, mode);
    if (status != TESSERA_OK) return status;
    screen.display = display;
    status = create_surfaces();
    if (status != TESSERA_OK) {
        lv_tessera_display_end();
        return status;
    }
    lv_display_set_flush_cb(display, flush);
    lv_display_set_flush_wait_cb(display, await_copy);
    return TESSERA_OK;
}

void lv_tessera_display_end(void)
{
    if (screen.display == NULL) return;
    await_ticket(&screen.is_copying, screen.copied);
    await_ticket(&screen.is_flipping, screen.flipped);
    (void)judge(tessera_set_mode(lvt_gpu.tessera, TESSERA_DISPLAY_OFF));
    for (uint32_t i = 0; i < SURFACES; i++) (void)judge(tessera_allocation_destroy(lvt_gpu.tessera, screen.surface[i]));
    tessera_stream_destroy(screen.stream);
    screen.display = NULL;
}

struct lv_tessera_display_counts lv_tessera_display_counts(void) { return screen.counts; }
