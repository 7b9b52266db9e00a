/* SPDX-License-Identifier: Apache-2.0
 *
 * A demo of LVGL's own in a real LVGL, drawn twice (make test-lvgl-real LVGL_DIR=), or images of every format, scaled,
 * turned, recoloured and mixed at random, over gradients (pictures: tests/host/lvgl/pictures.c), or layers and
 * what changes images (whole: tests/host/lvgl/whole.c):
 *
 *   demos widgets|benchmark|music|pictures|whole FORMAT FRAMES LEVELS SHARE [travel|MODE|MODE=|DEVICE]
 *
 * One process draws with LVGL's software renderer, the other with the draw unit on the golden model; each picture that
 * is flushed must be alike within LEVELS of a channel of the format, and SHARE percent of the area of the tasks must
 * have gone through the unit. LVGL's clock moves 33 ms per frame in both. With `travel` nothing lies in the GPU's
 * memory. With a render MODE of LVGL (partial, direct, full) the unit's process shows its refreshes by flips
 * (lv_tessera_display.h), and what the device's display shows is compared instead, whole; with = after it the other
 * process draws with the unit, too, without flips. DEVICE: drm:/dev/dri/renderD128, a virtual machine's GPU in the
 * place of the golden model (tests/host/virtio/guest_draw.sh); nothing lies in its memory. One line says what was
 * measured; TESSERA_LVGL_TYPES=1 adds the area by type of task.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "demos/lv_demos.h"
#include "device.h"
#include "lib/device/drm_kernel.h"
#include "lib/device/transport_drm.h"
#include "engine_model.h"
#include "clients/lvgl/lv_draw_tessera.h"
#include "clients/lvgl/lv_tessera_display.h"
#include "lvgl.h"
#include "lvgl_pictures.h"
#include "clients/lvgl/lv_versions.h"
#include "tessera.h"

enum {
    WIDTH = 480,
    HEIGHT = 320,
    SHOWN_WIDTH = 640,
    SHOWN_HEIGHT = 480,
    MEMORY = 64 << 20,
    OWN = 12 << 20,
    UNIT_ID = 90,
    TYPES = 24
};

static const char DRM[] = "drm:";

static struct {
    bool is_unit; /* this process draws with the unit */
    int pipe;     /* software's pictures: written or read here */
    uint32_t now;
    lv_color_format_t format;
    uint64_t area[TYPES], taken[TYPES];
    uint32_t flushes, different;
    uint64_t channels[256]; /* by how much they differ */
    int largest;
    /* Flips. */
    bool is_shown;
    lv_display_render_mode_t render;
    struct tessera *tessera;
    uint32_t picture[SHOWN_WIDTH * SHOWN_HEIGHT]; /* the last frame of the device's display, XRGB8888 */
} test;

static uint32_t clock_now(void) { return test.now; }

/* ------------------------------------------------------------------ pictures */

static uint32_t channel(const uint8_t *unit, unsigned which)
{
    if (test.format != LV_COLOR_FORMAT_RGB565) return unit[which];
    const uint32_t value = unit[0] | (uint32_t)unit[1] << 8;
    return which == 0 ? value & 31u : which == 1 ? value >> 5 & 63u : value >> 11;
}

static uint64_t different_channels(void)
{
    uint64_t count = 0;
    for (unsigned i = 1; i < 256; i++) count += test.channels[i];
    return count;
}

static void compare_row(const uint8_t *a, const uint8_t *b, uint32_t width, bool *is_different)
{
    const uint32_t bytes = lv_color_format_get_size(test.format);
    for (uint32_t x = 0; x < width; x++)
        for (unsigned i = 0; i < LV_MIN(test.format == LV_COLOR_FORMAT_RGB565 ? 3u : bytes, 3u); i++) {
            const int found = abs((int)channel(a + x * bytes, i) - (int)channel(b + x * bytes, i));
            if (found > test.largest) test.largest = found;
            test.channels[found]++;
            *is_different |= found != 0;
        }
}

static bool get(void *data, size_t bytes)
{
    uint8_t *at = data;
    for (ssize_t count; bytes > 0; at += count, bytes -= (size_t)count)
        if ((count = read(test.pipe, at, bytes)) <= 0) return false;
    return true;
}

static void put(const void *data, size_t bytes)
{
    const uint8_t *at = data;
    for (ssize_t count; bytes > 0; at += count, bytes -= (size_t)count)
        if ((count = write(test.pipe, at, bytes)) <= 0) exit(3);
}

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    static uint8_t row[WIDTH * 4];
    const bool has_bits = test.format == LV_COLOR_FORMAT_I1; /* whole rows of them, after the colours */
    const uint32_t stride = lv_draw_buf_width_to_stride(WIDTH, test.format);
    const uint32_t bytes = lv_color_format_get_size(test.format);
    const uint32_t width = has_bits ? stride : (uint32_t)lv_area_get_width(area);
    const uint8_t *first = pixels + (size_t)area->y1 * stride + (has_bits ? 8u : (size_t)area->x1 * bytes);
    lv_area_t other = *area;
    bool is_different = false;
    if (!test.is_unit) put(area, sizeof *area);
    else if (!get(&other, sizeof other) || memcmp(&other, area, sizeof other) != 0) {
        printf("the software renderer has flushed another area\n");
        exit(1);
    }
    for (int32_t y = area->y1; y <= area->y2; y++, first += stride) {
        if (!test.is_unit) put(first, (size_t)width * bytes);
        else if (!get(row, (size_t)width * bytes)) exit(1);
        else compare_row(first, row, width, &is_different);
    }
    test.flushes++;
    test.different += is_different;
    lv_display_flush_ready(display);
}

static void take_shown(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                       uint64_t cycle)
{
    (void)context, (void)frame, (void)cycle;
    if (columns == SHOWN_WIDTH && rows == SHOWN_HEIGHT) memcpy(test.picture, pixels, sizeof test.picture);
}

/* The frame at the display's pins as pixels of LVGL's format, and software's screen. */
static void compare_shown(const lv_draw_buf_t *screen)
{
    static uint8_t row[SHOWN_WIDTH * 4], software[SHOWN_WIDTH * 4];
    const uint32_t bytes = lv_color_format_get_size(test.format);
    bool is_different = false;
    if (test.is_unit)
        for (int i = 0; i < 2; i++) (void)tessera_wait_vblank(test.tessera, TESSERA_WHEN_NEXT, 0, NULL);
    for (uint32_t y = 0; y < SHOWN_HEIGHT; y++) {
        if (!test.is_unit) {
            put(screen->data + (size_t)y * screen->header.stride, SHOWN_WIDTH * bytes);
            continue;
        }
        for (uint32_t x = 0; x < SHOWN_WIDTH; x++) {
            const uint32_t pixel = test.picture[y * SHOWN_WIDTH + x];
            const uint32_t unit =
                bytes == 4 ? pixel : (pixel >> 19 & 31u) << 11 | (pixel >> 10 & 63u) << 5 | (pixel >> 3 & 31u);
            memcpy(row + x * bytes, &unit, bytes);
        }
        if (!get(software, SHOWN_WIDTH * bytes)) exit(1);
        compare_row(row, software, SHOWN_WIDTH, &is_different);
    }
    test.flushes++;
    test.different += is_different;
}

static void flush_nothing(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    (void)area;
    (void)pixels;
    lv_display_flush_ready(display);
}

/* ------------------------------------------------------------------ tasks */

/* What is scaled or turned covers more than it says. */
static bool is_image(const lv_draw_task_t *task)
{
    return task->type == LV_DRAW_TASK_TYPE_IMAGE || task->type == LV_DRAW_TASK_TYPE_LAYER;
}

/* A unit that only looks: it is asked after the one that draws. */
static int32_t look(lv_draw_unit_t *unit, lv_draw_task_t *task)
{
    lv_area_t area;
    (void)unit;
    if ((unsigned)task->type >= TYPES ||
        !lv_area_intersect(&area, is_image(task) ? &task->_real_area : &task->area, &task->clip_area))
        return 0;
    test.area[task->type] += lv_area_get_size(&area);
    if (task->type == LV_DRAW_TASK_TYPE_MASK_RECTANGLE) return 0; /* the processor's, whoever takes it */
    if (task->preferred_draw_unit_id != UNIT_ID) return 0;
    test.taken[task->type] += lv_area_get_size(&area);
    return 0;
}

static int32_t idle(lv_draw_unit_t *unit, lv_layer_t *layer)
{
    (void)unit;
    (void)layer;
    return LV_DRAW_UNIT_IDLE;
}

static int share_of_area(uint64_t *all)
{
    uint64_t taken = 0;
    *all = 0;
    for (unsigned i = 0; i < TYPES; i++) {
        *all += test.area[i];
        taken += test.taken[i];
        if (getenv("TESSERA_LVGL_TYPES") != NULL && test.area[i] > 0)
            printf("type %2u: %9.3f Mpx, %9.3f left\n", i, (double)test.area[i] / 1e6,
                   (double)(test.area[i] - test.taken[i]) / 1e6);
    }
    return *all > 0 ? (int)(taken * 1000 / *all) : 0;
}

/* ------------------------------------------------------------------ a run */

/* Software's refreshes are always DIRECT, so that its screen is whole. */
static lv_draw_buf_t *begin_shown(lv_display_t *display)
{
    const bool is_partial = test.is_unit && test.render == LV_DISPLAY_RENDER_MODE_PARTIAL;
    lv_draw_buf_t *screen =
        lv_draw_buf_create(SHOWN_WIDTH, is_partial ? SHOWN_HEIGHT / 10 : SHOWN_HEIGHT, test.format, 0);
    lv_draw_buf_t *other = NULL;
    if (test.is_unit)
        other = lv_draw_buf_create(SHOWN_WIDTH, is_partial ? SHOWN_HEIGHT / 10 : SHOWN_HEIGHT, test.format, 0);
    lv_display_set_draw_buffers(display, screen, other);
    lv_display_set_render_mode(display, test.is_unit ? test.render : LV_DISPLAY_RENDER_MODE_DIRECT);
    lv_display_set_flush_cb(display, flush_nothing);
    if (test.is_unit && lv_tessera_display_begin(display) != TESSERA_OK) exit(1);
    return screen;
}

static lv_draw_buf_t *begin_screen(void)
{
    lv_display_t *display =
        lv_display_create(test.is_shown ? SHOWN_WIDTH : WIDTH, test.is_shown ? SHOWN_HEIGHT : HEIGHT);
    lv_display_set_color_format(display, test.format);
    if (test.is_shown) return begin_shown(display);
    lv_draw_buf_t *screen = lv_draw_buf_create(WIDTH, HEIGHT, test.format, 0);
    lv_draw_buf_clear(screen, NULL);
    lv_display_set_draw_buffers(display, screen, NULL);
    lv_display_set_render_mode(display, LV_DISPLAY_RENDER_MODE_DIRECT);
    lv_display_set_flush_cb(display, flush);
    return screen;
}

static void run_demo(const char *name, unsigned frames)
{
    const lv_draw_buf_t *screen = begin_screen();
    if (strncmp(name, "pictures", 8) == 0) pictures_begin(name + 8);
    else if (strncmp(name, "whole", 5) == 0) whole_begin(name + 5);
    else if (strcmp(name, "widgets") == 0) {
        lv_demo_widgets();
        lv_demo_widgets_start_slideshow();
    } else if (strcmp(name, "benchmark") == 0) lv_demo_benchmark();
    else lv_demo_music();
    for (unsigned i = 0; i < frames; i++, test.now += 33) {
        if (strncmp(name, "pictures", 8) == 0) pictures_step();
        if (strncmp(name, "whole", 5) == 0) whole_step();
        lv_timer_handler();
        if (test.is_shown) compare_shown(screen);
    }
}

static lv_color_format_t format_of(const char *name)
{
    static const struct {
        const char *name;
        lv_color_format_t format;
    } formats[] = {{"RGB565", LV_COLOR_FORMAT_RGB565},
                   {"RGB888", LV_COLOR_FORMAT_RGB888},
                   {"XRGB8888", LV_COLOR_FORMAT_XRGB8888},
                   {"L8", LV_COLOR_FORMAT_L8},
                   {"AL88", LV_COLOR_FORMAT_AL88},
                   {"I1", LV_COLOR_FORMAT_I1},
                   {"SWAPPED", LV_COLOR_FORMAT_RGB565_SWAPPED}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(name, formats[i].name) == 0) return formats[i].format;
    return LV_COLOR_FORMAT_ARGB8888;
}

static void begin_lvgl(void)
{
    lv_init();
    lv_tick_set_cb(clock_now);
    lv_draw_unit_t *unit = lv_draw_create_unit(sizeof *unit);
    unit->evaluate_cb = look;
    unit->dispatch_cb = idle;
}

/* The golden model, or the device of that name; 0, or 1 after a line. */
static int open_gpu(const char *where, struct device **device, struct tessera **tessera)
{
    const bool is_model = where == NULL;
    const struct device_options options = {
        .memory_bytes = MEMORY, .segment2_bytes = 4 << 20, .seed = 1, .has_display = test.is_shown};
    const struct tessera_options open_options = {.own_bytes = is_model ? OWN : 0};
    static struct transport transport;
    struct drm_kernel kernel;
    char message[256];
    bool is_good;
    if (is_model) {
        *device = device_create(&options, message);
        is_good = *device != NULL;
        if (is_good) device_transport(*device, &transport);
        if (is_good) device_display(*device)->on_frame = take_shown;
    } else {
        is_good =
            drm_kernel_open(&kernel, where + strlen(DRM), message) == 0 && drm_open(&transport, &kernel, message) == 0;
    }
    is_good = is_good && tessera_open(tessera, &transport, &open_options, message) == TESSERA_OK;
    if (!is_good) printf("%s\n", message);
    return !is_good;
}

/* LVGL with the draw unit; 0, or 1 after a line. */
static int begin_unit(const char *way)
{
    struct device *device = NULL;
    const bool is_model = strncmp(way, DRM, strlen(DRM)) != 0;
    if (open_gpu(is_model ? NULL : way, &device, &test.tessera) != 0) return 1;
    begin_lvgl();
    if (lv_draw_tessera_init(test.tessera) != TESSERA_OK) return 1;
    if (!is_model || strcmp(way, "travel") == 0) return 0;
    const struct lv_draw_tessera_memory memory = {device_engine(device)->system + MEMORY - OWN, OWN, MEMORY - OWN, NULL,
                                                  true};
    return lv_draw_tessera_share(&memory) != TESSERA_OK;
}

static int draw_with_unit(char **arguments, const char *way)
{
    if (begin_unit(way) != 0) return 1;
    run_demo(arguments[1], (unsigned)atoi(arguments[3]));
    lv_tessera_display_end();
    uint64_t all;
    const int share = share_of_area(&all);
    const struct lv_draw_tessera_counts counts = lv_draw_tessera_counts();
    printf(
        "LVGL %d.%d.%d %s %s: %u flushes, %.1f Mpx, %d.%d %% through the GPU, %.1f %% made by the processor each time, "
        "%u tasks by maps; %.2f MB in, %.2f MB out; "
        "%u submissions, %u masks; %u flushes differ, by %d of %s at most, %.2f million channels, %llu by the most; "
        "%u failed\n",
        LVGL_VERSION_MAJOR, LVGL_VERSION_MINOR, LVGL_VERSION_PATCH, arguments[1], arguments[2], test.flushes,
        (double)all / 1e6, share / 10, share % 10, (double)counts.cover_pixels * 100 / (double)(all > 0 ? all : 1),
        counts.mapped, (double)counts.bytes_in / 1e6, (double)counts.bytes_out / 1e6, counts.submissions, counts.masks,
        test.different, test.largest, test.format == LV_COLOR_FORMAT_RGB565 ? "31 or 63" : "255",
        (double)different_channels() / 1e6, (unsigned long long)(test.largest > 0 ? test.channels[test.largest] : 0),
        counts.failed);
    lv_draw_tessera_deinit();
    tessera_close(test.tessera);
    const struct lv_tessera_display_counts shown = lv_tessera_display_counts();
    if (test.is_shown) printf("%u flips, %u areas, %u repeated\n", shown.flips, shown.areas, shown.repeated);
    return test.flushes == 0 || shown.failed != 0 || counts.failed != 0 || test.largest > atoi(arguments[4]) ||
           share < 10 * atoi(arguments[5]);
}

int main(int count, char **arguments)
{
    int ends[2], status;
    if (count < 6 || pipe(ends) != 0) return 2;
    test.format = format_of(arguments[2]);
    const char *const way = count > 6 ? arguments[6] : "";
    const size_t name = strcspn(way, "=");
    const bool is_same = way[name] != 0;
    test.is_shown = name > 0 && (strncmp(way, "partial", name) == 0 || strncmp(way, "direct", name) == 0 ||
                                 strncmp(way, "full", name) == 0);
    test.render = way[0] == 'p'   ? LV_DISPLAY_RENDER_MODE_PARTIAL
                  : way[0] == 'd' ? LV_DISPLAY_RENDER_MODE_DIRECT
                                  : LV_DISPLAY_RENDER_MODE_FULL;
    const pid_t software = fork();
    test.is_unit = software != 0;
    test.pipe = ends[test.is_unit ? 0 : 1];
    close(ends[test.is_unit ? 1 : 0]);
    if (!test.is_unit) {
        if (!is_same) begin_lvgl();
        else if (begin_unit(way) != 0) return 1; /* and the judge misses its pictures */
        run_demo(arguments[1], (unsigned)atoi(arguments[3]));
        return 0;
    }
    const int result = draw_with_unit(arguments, way);
    close(test.pipe);
    waitpid(software, &status, 0);
    return result;
}
