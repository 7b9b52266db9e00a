/* SPDX-License-Identifier: Apache-2.0
 *
 * See scene.h. Each page is drawn whole, three times, and nothing moves between: LVGL's clock stands still.
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
    if (scene->put_off_layout != NULL) scene->put_off_layout(true);
    lv_demo_widgets();
    if (scene->put_off_layout != NULL) scene->put_off_layout(false);
    lv_display_enable_invalidation(display, true);
    return display;
}

/* ------------------------------------------------------------------ a page */

/* Everything is laid out before the clock is looked at. */
static uint32_t draw(const struct scene *scene, lv_display_t *display, uint32_t page)
{
    lv_obj_t *screen = lv_screen_active();
    lv_tabview_set_active(lv_obj_get_child(screen, 0), page, LV_ANIM_OFF);
    lv_obj_update_layout(screen);
    lv_obj_invalidate(screen);
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

static void draw_page(const struct scene *scene, lv_display_t *display, uint32_t index, struct scene_page *page)
{
    memset(page, 0, sizeof *page);
    for (unsigned way = 0; way < SCENE_WAYS; way++) {
        const struct lv_draw_tessera_counts before = lv_draw_tessera_counts();
        lv_draw_tessera_least(way == SCENE_SOFTWARE ? UINT32_MAX : scene->least_pixels);
        lv_draw_tessera_opaque_only(way == SCENE_OPAQUE);
        page->cycles[way] = draw(scene, display, index);
        const struct lv_draw_tessera_counts after = lv_draw_tessera_counts();
        page->drawn[way] = after.fills + after.images - before.fills - before.images;
        page->blended = after.blended - before.blended;
        if (way == SCENE_SOFTWARE) memcpy(scene->expected, scene->screen, SCENE_PIXELS * sizeof *scene->screen);
        else page->off[way] = largest_difference(scene->screen, scene->expected);
    }
}

static void tell(const struct scene *scene, uint32_t index, const struct scene_page *page)
{
    char line[160];
    snprintf(line, sizeof line,
             "page %u: %u cycles in software, %u with %u opaque tasks on the GPU, off by %d, %u with %u, %u of them "
             "blended, off by %d",
             (unsigned)index + 1, (unsigned)page->cycles[SCENE_SOFTWARE], (unsigned)page->cycles[SCENE_OPAQUE],
             (unsigned)page->drawn[SCENE_OPAQUE], page->off[SCENE_OPAQUE], (unsigned)page->cycles[SCENE_ALL],
             (unsigned)page->drawn[SCENE_ALL], (unsigned)page->blended, page->off[SCENE_ALL]);
    scene->say(line);
}

bool scene_run(const struct scene *scene, struct scene_page pages[SCENE_PAGES])
{
    bool is_good = true;
    lv_display_t *display = begin(scene);
    scene->say("LVGL has its widgets");
    int status = lv_draw_tessera_init(scene->gpu);
    if (status == TESSERA_OK) status = lv_draw_tessera_share(&scene->memory);
    if (status != TESSERA_OK) {
        scene->say(tessera_message(scene->gpu));
        lv_draw_tessera_deinit();
        return false;
    }
    for (uint32_t i = SCENE_PAGES; i-- > 0;) {
        draw_page(scene, display, i, &pages[i]);
        tell(scene, i, &pages[i]);
        is_good = is_good && pages[i].off[SCENE_OPAQUE] == 0 && pages[i].off[SCENE_ALL] <= SCENE_BLENDED_LEVELS &&
                  pages[i].drawn[SCENE_SOFTWARE] == 0 && pages[i].drawn[SCENE_OPAQUE] > 0 &&
                  pages[i].drawn[SCENE_ALL] >= pages[i].drawn[SCENE_OPAQUE];
    }
    const struct lv_draw_tessera_counts counts = lv_draw_tessera_counts();
    lv_draw_tessera_deinit();
    return is_good && counts.failed == 0;
}
