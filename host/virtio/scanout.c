/* SPDX-License-Identifier: Apache-2.0
 *
 * See scanout.h.
 */
#include "virtio/scanout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = VIRTIO_GPU_CURSOR_SIDE, PIXEL = 4, LOCAL = 2, FRAME_MICROSECONDS = 16667, STEP_CYCLES = 20000 };

struct scanout {
    struct tessera *tessera;
    struct painter *painter;
    struct screen *screen;
    struct virtio_gpu_display reading; /* the screen's */
    uint32_t modes;                    /* of the display; 0: there is none */
    bool has_frames;                   /* they come to this program */
    struct scanout_counts counts;
    /* what the guest shows */
    uint32_t place, format;
    struct virtio_gpu_rectangle rectangle;
    uint32_t x, y, hot_x, hot_y;
    /* the display */
    uint32_t mode;
    bool is_shown;  /* it shows the scanout, or will */
    bool has_shown; /* ... and a frame of this mode had it */
    bool must_read; /* it does not, and the screen has not read the scanout yet */
    bool is_flipping, is_imaging;
    tessera_ticket flip, image;
    uint64_t flipped; /* microseconds */
    struct tessera_allocation *cursor[2];
    uint32_t cursors; /* images so far */
    /* its frames */
    uint8_t *frame;
    uint32_t width, height; /* of the last; 0: none yet */
    uint32_t owed;          /* ends of frames until one has shown the last change */
    bool is_behind;         /* something has changed since that number was set */
    bool has_changed;
};

/* ------------------------------------------------------------------ frames */

static void note_change(struct scanout *scanout)
{
    if (scanout->owed == 0) scanout->owed = 2; /* the frame at hand may have begun before it */
    else scanout->is_behind = true;
}

static void keep_frame(struct scanout *scanout, const uint32_t *pixels, uint32_t width, uint32_t height)
{
    const size_t bytes = (size_t)width * height * PIXEL;
    const bool is_as_large = width == scanout->width && height == scanout->height;
    if (is_as_large && memcmp(scanout->frame, pixels, bytes) == 0) return;
    if (!is_as_large) {
        uint8_t *frame = realloc(scanout->frame, bytes);
        if (frame == NULL) return;
        scanout->frame = frame;
        scanout->width = width;
        scanout->height = height;
    }
    memcpy(scanout->frame, pixels, bytes);
    scanout->has_changed = true;
}

static void take_frame(void *context, const uint32_t *pixels, uint32_t width, uint32_t height)
{
    struct scanout *scanout = context;
    if (!scanout->has_shown) return;
    keep_frame(scanout, pixels, width, height);
    if (scanout->owed == 0 || --scanout->owed != 0) return;
    scanout->owed = scanout->is_behind;
    scanout->is_behind = false;
}

/* ------------------------------------------------------------------ the display */

static uint64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* A device that computes its time may be ahead of the guest's. Its flips are a frame apart for the guest, too. */
static void keep_pace(struct scanout *scanout)
{
    const uint64_t gone = microseconds() - scanout->flipped;
    if (gone < FRAME_MICROSECONDS) {
        const struct timespec rest = {.tv_nsec = (long)(FRAME_MICROSECONDS - gone) * 1000};
        (void)nanosleep(&rest, NULL);
    }
    scanout->flipped = microseconds();
}

static bool declined(struct scanout *scanout, const char *reason)
{
    snprintf(scanout->counts.reason, sizeof scanout->counts.reason, "%.127s", reason);
    return false;
}

/* False: the display has not shown it. */
static bool await_flip(struct scanout *scanout)
{
    if (!scanout->is_flipping) return true;
    scanout->is_flipping = false;
    if (tessera_wait(scanout->tessera, scanout->flip, NULL) != TESSERA_OK)
        return declined(scanout, tessera_message(scanout->tessera));
    keep_pace(scanout);
    scanout->has_shown = true;
    scanout->counts.flips++;
    note_change(scanout);
    return true;
}

static bool await_image(struct scanout *scanout)
{
    if (!scanout->is_imaging) return true;
    scanout->is_imaging = false;
    return tessera_wait(scanout->tessera, scanout->image, NULL) == TESSERA_OK ||
           declined(scanout, tessera_message(scanout->tessera));
}

static bool set_mode(struct scanout *scanout, uint32_t mode)
{
    if (mode == scanout->mode) return true;
    scanout->has_shown = false;
    scanout->width = scanout->height = scanout->owed = 0;
    scanout->is_behind = false;
    if (tessera_set_mode(scanout->tessera, mode) != TESSERA_OK)
        return declined(scanout, tessera_message(scanout->tessera));
    scanout->mode = mode;
    return true;
}

/* It names no allocation any more. */
static void turn_off(struct scanout *scanout)
{
    if (scanout->modes == 0) return;
    (void)await_flip(scanout);
    (void)await_image(scanout);
    scanout->is_shown = false;
    (void)set_mode(scanout, TESSERA_DISPLAY_OFF);
}

/* What a scanout can be, from the size that is preferred on. */
static const struct {
    uint32_t width, height, mode, line; /* nanoseconds of a line */
} modes[] = {{1024, 768, TESSERA_DISPLAY_XGA, 20677},
             {800, 600, TESSERA_DISPLAY_SVGA, 26400},
             {640, 480, TESSERA_DISPLAY_VGA, 31778},
             {1280, 720, TESSERA_DISPLAY_HD, 22222}};
enum { MODES = sizeof modes / sizeof *modes };

static uint32_t mode_of(uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < MODES; i++)
        if (modes[i].width == width && modes[i].height == height) return modes[i].mode;
    return TESSERA_DISPLAY_OFF;
}

void scanout_prefer_of(uint32_t offered, uint32_t promise, uint32_t *width, uint32_t *height)
{
    *width = modes[0].width;
    *height = modes[0].height;
    for (uint32_t i = 0; i < MODES; i++) {
        const uint64_t bytes = (modes[i].width + (uint64_t)SIDE) * PIXEL * 1000u;
        if ((offered >> modes[i].mode & 1u) == 0 || bytes > (uint64_t)promise * modes[i].line) continue;
        *width = modes[i].width;
        *height = modes[i].height;
        return;
    }
}

void scanout_prefer(const struct scanout *scanout, uint32_t *width, uint32_t *height)
{
    uint32_t promise = 0;
    (void)tessera_register_read(scanout->tessera, DISPLAY_PROMISE2_OFFSET, &promise); /* else none is promised */
    scanout_prefer_of(scanout->modes, promise, width, height);
}

/* ------------------------------------------------------------------ the cursor */

/* The guest's colours are multiplied by alpha, the display multiplies them itself. */
static void divide(uint8_t *to, const uint8_t *from)
{
    for (uint32_t i = 0; i < SIDE * SIDE * PIXEL; i += PIXEL) {
        const uint32_t alpha = from[i + 3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t colour = alpha == 0 ? 0 : (from[i + k] * 255u + alpha / 2u) / alpha;
            to[i + k] = (uint8_t)(colour < 255u ? colour : 255u);
        }
        to[i + 3] = (uint8_t)alpha;
    }
}

/* Signed numbers of 16 bits; what is farther out is not seen either. */
static int32_t clamp(uint32_t place, uint32_t hot)
{
    const int64_t corner = (int64_t)(int32_t)place - (int64_t)hot;
    return (int32_t)(corner < INT16_MIN ? INT16_MIN : corner > INT16_MAX ? INT16_MAX : corner);
}

static bool move_plane(struct scanout *scanout)
{
    const int32_t left = clamp(scanout->x, scanout->hot_x), top = clamp(scanout->y, scanout->hot_y);
    if (tessera_move_cursor(scanout->tessera, left, top) != TESSERA_OK)
        return declined(scanout, tessera_message(scanout->tessera));
    note_change(scanout);
    return true;
}

/* The image that is shown stays as it is: the next one has another place. */
static bool show_image(struct scanout *scanout)
{
    uint8_t image[SIDE * SIDE * PIXEL];
    const uint8_t *wanted = screen_cursor_image(scanout->screen);
    struct tessera_allocation *place = NULL;
    int status = TESSERA_OK;
    if (!await_image(scanout)) return false;
    if (wanted != NULL) {
        place = scanout->cursor[scanout->cursors++ % 2u];
        divide(image, wanted);
        status = tessera_write(scanout->tessera, place, 0, image, sizeof image);
    }
    if (status == TESSERA_OK) status = tessera_cursor(scanout->tessera, place, 0, 0, 0, &scanout->image);
    if (status != TESSERA_OK) return declined(scanout, tessera_message(scanout->tessera));
    scanout->is_imaging = true;
    return move_plane(scanout);
}

/* ------------------------------------------------------------------ reading back */

static bool reads(const struct scanout *scanout) { return !scanout->is_shown || !scanout->has_frames; }

static void read_all(struct scanout *scanout)
{
    scanout->must_read = false;
    scanout->reading.show(scanout->reading.context, 0, scanout->place, scanout->format, &scanout->rectangle);
}

/* The display cannot, for the reason that was said. */
static void leave_display(struct scanout *scanout)
{
    turn_off(scanout);
    scanout->counts.read_back++;
    read_all(scanout);
}

/* A transfer found no room: what is shown need not stay. It is read back when it is asked for. */
static bool let_go(void *context)
{
    struct scanout *scanout = context;
    if (!scanout->is_shown) return false;
    turn_off(scanout);
    scanout->counts.read_back++;
    scanout->must_read = true;
    (void)declined(scanout, "its memory was needed");
    return true;
}

/* ------------------------------------------------------------------ what the device says */

/* Show the scanout. False: the display cannot. */
static bool present(struct scanout *scanout)
{
    const struct virtio_gpu_rectangle *shown = &scanout->rectangle;
    const uint32_t mode = mode_of(shown->width, shown->height), before = scanout->mode;
    struct tessera_flip flip = {.plane = TESSERA_PLANE_PRIMARY, .format = TESSERA_XRGB8888, .when = TESSERA_WHEN_NEXT};
    if (scanout->modes == 0) return declined(scanout, "there is no display");
    if ((scanout->modes >> mode & 1u) == 0 || mode == TESSERA_DISPLAY_OFF)
        return declined(scanout, "its size is not a mode of the display");
    if (scanout->format != VIRTIO_BGRX && scanout->format != VIRTIO_BGRA)
        return declined(scanout, "its format is not one of the display");
    flip.allocation = painter_content(scanout->painter, scanout->place, &flip.pitch);
    flip.offset = shown->y * flip.pitch + shown->x * (uint32_t)PIXEL;
    if (!await_flip(scanout) || !set_mode(scanout, mode)) return false;
    if (tessera_flip(scanout->tessera, &flip, &scanout->flip) != TESSERA_OK)
        return declined(scanout, tessera_message(scanout->tessera));
    scanout->is_flipping = scanout->is_shown = true;
    scanout->must_read = false;
    return mode == before || show_image(scanout);
}

static void show(void *context, uint32_t number, uint32_t place, uint32_t format,
                 const struct virtio_gpu_rectangle *rectangle)
{
    struct scanout *scanout = context;
    if (number != 0) return;
    scanout->place = place;
    scanout->format = format;
    scanout->rectangle = *rectangle;
    if (place == VIRTIO_GPU_NOTHING) {
        turn_off(scanout);
        read_all(scanout);
    } else if (!present(scanout)) leave_display(scanout);
    else if (reads(scanout)) read_all(scanout);
}

static void flush(void *context, uint32_t number, const struct virtio_gpu_rectangle *part)
{
    struct scanout *scanout = context;
    if (number != 0 || scanout->place == VIRTIO_GPU_NOTHING) return;
    if (!await_flip(scanout)) {
        leave_display(scanout);
        return;
    }
    if (scanout->is_shown) note_change(scanout);
    if (scanout->must_read) read_all(scanout);
    else if (reads(scanout)) scanout->reading.flush(scanout->reading.context, number, part);
}

static void set_cursor(void *context, uint32_t number, uint32_t place, uint32_t format, uint32_t hot_x, uint32_t hot_y)
{
    struct scanout *scanout = context;
    if (number != 0) return;
    scanout->reading.cursor(scanout->reading.context, number, place, format, hot_x, hot_y);
    scanout->hot_x = hot_x;
    scanout->hot_y = hot_y;
    if (scanout->is_shown && !show_image(scanout)) leave_display(scanout);
}

static void move(void *context, uint32_t number, uint32_t x, uint32_t y)
{
    struct scanout *scanout = context;
    if (number != 0) return;
    scanout->reading.move(scanout->reading.context, number, x, y);
    scanout->x = x;
    scanout->y = y;
    if (scanout->is_shown && !move_plane(scanout)) leave_display(scanout);
}

void scanout_table(struct scanout *scanout, struct virtio_gpu_display *table)
{
    *table = (struct virtio_gpu_display){scanout, show, flush, set_cursor, move};
}

/* ------------------------------------------------------------------ life */

static int make_parts(struct scanout *scanout)
{
    const struct tessera_allocation_options image = {
        .bytes = SIDE * SIDE * PIXEL, .read_set = LOCAL, .write_set = LOCAL, .flags = ALLOCATION_CPU_VISIBLE};
    struct tessera_display display;
    int status = tessera_query_display(scanout->tessera, &display);
    for (uint32_t i = 0; i < 2 && status == TESSERA_OK; i++)
        status = tessera_allocation_create(scanout->tessera, &image, &scanout->cursor[i]);
    if (status == TESSERA_OK) scanout->modes = display.modes;
    scanout->screen = screen_create(scanout->painter);
    return scanout->screen != NULL ? status : TESSERA_NO_MEMORY;
}

struct scanout *scanout_create(struct tessera *tessera, struct painter *painter, struct platform *platform)
{
    struct scanout *scanout = calloc(1, sizeof *scanout);
    if (scanout == NULL) return NULL;
    scanout->tessera = tessera;
    scanout->painter = painter;
    scanout->place = VIRTIO_GPU_NOTHING;
    if (make_parts(scanout) != TESSERA_OK) {
        scanout_destroy(scanout);
        return NULL;
    }
    screen_table(scanout->screen, &scanout->reading);
    painter_make_room(painter, let_go, scanout);
    scanout->has_frames = scanout->modes != 0 && platform_display(platform, take_frame, scanout);
    return scanout;
}

void scanout_destroy(struct scanout *scanout)
{
    if (scanout == NULL) return;
    turn_off(scanout);
    painter_make_room(scanout->painter, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) (void)tessera_allocation_destroy(scanout->tessera, scanout->cursor[i]);
    screen_destroy(scanout->screen);
    free(scanout->frame);
    free(scanout);
}

/* ------------------------------------------------------------------ the picture */

bool scanout_run(struct scanout *scanout)
{
    if (!scanout->is_shown || !scanout->has_frames) return false;
    /* A driver that does not flush is shown as well. */
    if (scanout->is_flipping && tessera_is_done(scanout->tessera, scanout->flip) && !await_flip(scanout)) {
        leave_display(scanout);
        return false;
    }
    if (scanout->owed == 0 && !scanout->is_flipping) return false;
    return tessera_work(scanout->tessera, STEP_CYCLES) == TESSERA_OK;
}

const uint8_t *scanout_picture(struct scanout *scanout, uint32_t *width, uint32_t *height)
{
    if (scanout->must_read) read_all(scanout);
    if (reads(scanout)) return screen_picture(scanout->screen, width, height);
    *width = scanout->width;
    *height = scanout->height;
    return scanout->width != 0 ? scanout->frame : NULL;
}

bool scanout_changed(struct scanout *scanout)
{
    const bool has_changed = reads(scanout) ? screen_changed(scanout->screen) : scanout->has_changed;
    scanout->has_changed = false;
    return has_changed;
}

bool scanout_cursor(const struct scanout *scanout, uint32_t *x, uint32_t *y)
{
    return screen_cursor(scanout->screen, x, y);
}

bool scanout_is_shown(const struct scanout *scanout) { return scanout->is_shown; }
const struct scanout_counts *scanout_counts(const struct scanout *scanout) { return &scanout->counts; }
