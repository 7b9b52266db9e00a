/* SPDX-License-Identifier: Apache-2.0
 *
 * See scene.h. The page is drawn whole, three times, and nothing moves between: LVGL's clock stands still.
 */
#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "demos/lv_demos.h"
#include "lvgl.h"

/* ------------------------------------------------------------------ LVGL's surroundings */

static uint32_t no_time(void) { return 0; }

static void flush(lv_display_t *display, const lv_area_t *area, uint8_t *pixels)
{
    (void)area;
    (void)pixels;
    lv_display_flush_ready(display);
}

static lv_display_t *begin(const struct scene *scene)
{
    lv_init();
    lv_tick_set_cb(no_time);
    lv_display_t *display = lv_display_create(SCENE_WIDTH, SCENE_HEIGHT);
    lv_display_set_color_format(display, LV_COLOR_FORMAT_RGB565);
    lv_display_set_buffers(display, scene->screen, NULL, SCENE_PIXELS * 2, LV_DISPLAY_RENDER_MODE_FULL);
    lv_display_set_flush_cb(display, flush);
    lv_display_enable_invalidation(display, false);
    if (scene->put_off != NULL) scene->put_off(true);
    lv_demo_widgets();
    if (scene->put_off != NULL) scene->put_off(false);
    lv_display_enable_invalidation(display, true);
    scene->say("LVGL has its widgets");
    lv_obj_update_layout(lv_screen_active());
    scene->say("and they their places");
    return display;
}

/* ------------------------------------------------------------------ a page */

static uint32_t draw(const struct scene *scene, lv_display_t *display)
{
    lv_obj_invalidate(lv_screen_active());
    const uint32_t before = scene->clock();
    lv_refr_now(display);
    return scene->clock() - before;
}

static int channel(uint16_t a, uint16_t b, unsigned low, unsigned bits)
{
    const int mask = (1 << bits) - 1, difference = (a >> low & mask) - (b >> low & mask);
    return difference < 0 ? -difference : difference;
}

static int largest_difference(const uint16_t *a, const uint16_t *b)
{
    int largest = 0;
    for (uint32_t i = 0; i < SCENE_PIXELS; i++) {
        if (a[i] == b[i]) continue;
        const int found[] = {channel(a[i], b[i], 11, 5), channel(a[i], b[i], 5, 6), channel(a[i], b[i], 0, 5)};
        for (unsigned j = 0; j < 3; j++)
            if (found[j] > largest) largest = found[j];
    }
    return largest;
}

static uint32_t tasks(const struct lv_draw_tessera_counts *counts)
{
    return counts->fills + counts->borders + counts->labels + counts->images + counts->layers;
}

static void draw_page(const struct scene *scene, lv_display_t *display, unsigned way, struct scene_page *page)
{
    const struct lv_draw_tessera_counts before = lv_draw_tessera_counts();
    lv_draw_tessera_least(way == SCENE_SOFTWARE ? UINT32_MAX : scene->least_pixels);
    lv_draw_tessera_opaque_only(way == SCENE_OPAQUE);
    page->cycles = draw(scene, display);
    const struct lv_draw_tessera_counts after = lv_draw_tessera_counts();
    page->drawn = tasks(&after) - tasks(&before);
    page->blended = after.blended - before.blended;
    page->off = 0;
    if (way == SCENE_SOFTWARE) memcpy(scene->expected, scene->screen, SCENE_PIXELS * sizeof *scene->screen);
    else page->off = largest_difference(scene->screen, scene->expected);
}

static void tell(const struct scene *scene, unsigned way, const struct scene_page *page)
{
    static const char *const names[SCENE_WAYS] = {"in software", "with the GPU", "with the GPU where opaque"};
    char line[120];
    snprintf(line, sizeof line, "page %s: %u cycles, %u tasks on the GPU, %u of them blended, off by %d", names[way],
             (unsigned)page->cycles, (unsigned)page->drawn, (unsigned)page->blended, page->off);
    scene->say(line);
}

bool scene_run(const struct scene *scene, struct scene_page pages[SCENE_WAYS])
{
    lv_display_t *display = begin(scene);
    int status = lv_draw_tessera_init(scene->gpu);
    if (status == TESSERA_OK) status = lv_draw_tessera_share(&scene->memory);
    if (status != TESSERA_OK) {
        scene->say(tessera_message(scene->gpu));
        lv_draw_tessera_deinit();
        return false;
    }
    for (unsigned way = 0; way < SCENE_WAYS; way++) {
        draw_page(scene, display, way, &pages[way]);
        tell(scene, way, &pages[way]);
    }
    const struct lv_draw_tessera_counts counts = lv_draw_tessera_counts();
    lv_draw_tessera_deinit();
    return counts.failed == 0 && pages[SCENE_OPAQUE].off == 0 && pages[SCENE_ALL].off <= SCENE_BLENDED_LEVELS &&
           pages[SCENE_SOFTWARE].drawn == 0 && pages[SCENE_OPAQUE].drawn > 0 && pages[SCENE_OPAQUE].blended == 0 &&
           pages[SCENE_ALL].drawn >= pages[SCENE_OPAQUE].drawn;
}
