/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: where the host's parts are refused memory, the call says so or goes on without, nothing is used that is not
 * there, and everything else is given back. Method: a story for each part on the golden model (the library, a played
 * recording, a scene, a virtio GPU), told again and again; each place that asks for memory is refused it once, and then
 * once at its second time. The sanitizers look for what is lost or used.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "device.h"
#include "clients/sdl/play/play_gpu_internal.h"
#include "clients/sdl/play/play_origin.h"
#include "refused.h"
#include "tools/scene/scene_gpu.h"
#include "tools/scene/scenes.h"
#include "tessera_stream.h"
#include "virtio/scanout.h"

enum { MEMORY = 64 << 20, PAGE = 4096, SCREEN_AT = 48 << 20, GUEST_AT = 52 << 20, GUEST_BYTES = MEMORY - GUEST_AT };

void view_reason(struct view *view, uint32_t handle, uint32_t reason) { (void)view, (void)handle, (void)reason; }
void view_surface(struct view *view, uint32_t handle, const struct view_surface *surface)
{
    (void)view, (void)handle, (void)surface;
}
void view_name(struct view *view, uint32_t handle, const char *name) { (void)view, (void)handle, (void)name; }

static struct transport transport;
static uint8_t *system_memory;
static char message[256];

/* The device itself has all that it wants. */
static bool open_tessera(struct tessera **tessera, uint32_t own_bytes)
{
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    const struct tessera_options open_options = {.seed = 1, .segment2_pages = 200, .own_bytes = own_bytes};
    refused_is_off = true;
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    system_memory = device_engine(device)->system;
    device_transport(device, &transport);
    refused_is_off = false;
    if (tessera_open(tessera, &transport, &open_options, message) == TESSERA_OK) return true;
    transport.close(transport.context); /* it stays the caller's */
    return false;
}

/* ------------------------------------------------------------------ the stories: true if all went well */

static bool library(void)
{
    struct tessera *tessera = NULL;
    struct tessera_allocation *allocation = NULL;
    const struct tessera_allocation_options options = {
        .bytes = 3 * PAGE, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    uint32_t context = 0;
    uint8_t bytes[64] = {1};
    if (!open_tessera(&tessera, 0)) return false;
    bool is_good = tessera_context_create(tessera, 0, 0, &context) == TESSERA_OK &&
                   tessera_allocation_create(tessera, &options, &allocation) == TESSERA_OK &&
                   tessera_write(tessera, allocation, 100, bytes, sizeof bytes) == TESSERA_OK;
    struct tessera_stream *stream = is_good ? tessera_stream_create_for(tessera) : NULL;
    is_good = stream != NULL;
    for (uint32_t round = 0; is_good && round < 3; round++) { /* one is refused: it writes what it only lists */
        const struct tessera_surface surface = {
            .allocation = allocation, .format = FORMAT_XRGB8888, .pitch = 256, .is_target = round != 1};
        tessera_ticket ticket;
        tessera_stream_clear(stream);
        is_good = tessera_stream_bind(stream, 0, &surface) == TESSERA_OK &&
                  tessera_stream_fill_rect(stream, 0, 0, 0, 16, 16, 5) == TESSERA_OK;
        if (!is_good || tessera_submit(tessera, context, stream, 0, &ticket) != TESSERA_OK) is_good = false;
        else is_good = (tessera_wait(tessera, ticket, NULL) == TESSERA_OK) == (round != 1);
        if (is_good && round == 1) is_good = strstr(tessera_message(tessera), "FILL_RECT") != NULL;
    }
    if (is_good) is_good = tessera_read(tessera, allocation, 0, bytes, 4) == TESSERA_OK && bytes[0] == 5;
    tessera_stream_destroy(stream);
    (void)tessera_allocation_destroy(tessera, allocation);
    tessera_close(tessera);
    return is_good;
}

static const struct recording_event events[] = {
    {.kind = RECORDING_SURFACE, .surface = 0, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 90}},
    {.kind = RECORDING_SURFACE, .surface = 1, .format = RECORDING_INDEX8, .rect = {0, 0, 8, 8}},
    {.kind = RECORDING_SURFACE, .surface = 2, .format = RECORDING_ARGB8888, .rect = {0, 0, 8, 8}},
    {.kind = RECORDING_FILL, .surface = 0, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 90}, .unit = 0xff112233},
    {.kind = RECORDING_PRESENT, .surface = 0},
    {.kind = RECORDING_FILL, .surface = 0, .format = RECORDING_XRGB8888, .rect = {0, 0, 64, 90}, .unit = 0xff445566},
    {.kind = RECORDING_BLIT, .surface = 0, .source = 1, .rect = {9, 9, 8, 8}, .alpha = 255, .colour = RECORDING_WHITE},
    {.kind = RECORDING_BLIT,
     .surface = 0,
     .source = 2,
     .rect = {30, 9, 8, 8},
     .mode = RECORDING_BLEND,
     .alpha = 99,
     .colour = RECORDING_WHITE},
    {.kind = RECORDING_PRESENT, .surface = 0},
    {.kind = RECORDING_FREE, .surface = 2},
};

static bool play_event(struct play_gpu *gpu, const struct recording_event *event)
{
    return event->kind == RECORDING_PRESENT ? play_gpu_present(gpu, event->surface) == TESSERA_OK
                                            : play_gpu_event(gpu, event) == TESSERA_OK;
}

static bool playing(void)
{
    static const uint32_t colours[RECORDING_COLOURS] = {0xff010203};
    static const uint8_t units[8 * 8 * 4] = {7};
    struct tessera *tessera = NULL;
    struct play_work work;
    const uint8_t *pixels = NULL;
    const bool is_open = open_tessera(&tessera, 0);
    struct play_gpu *gpu = is_open ? play_gpu_create(32, true) : NULL;
    struct bound *bound = gpu != NULL ? bound_create() : NULL;
    struct play_origin *origin = bound != NULL ? play_origin_create() : NULL;
    bool is_good = origin != NULL && play_gpu_enter(gpu, tessera) == TESSERA_OK;
    if (is_good) play_gpu_tell(gpu, bound);
    if (is_good) is_good = play_gpu_begin(gpu) == TESSERA_OK;
    for (size_t i = 0; is_good && i < sizeof events / sizeof *events; i++) {
        is_good = play_event(gpu, &events[i]) && play_origin_event(origin, &events[i], true);
        if (!is_good || events[i].kind != RECORDING_SURFACE || i == 0) continue;
        const struct recording_event palette = {.kind = RECORDING_PALETTE, .surface = 1, .colours = colours};
        const struct recording_event content = {.kind = RECORDING_PIXELS,
                                                .surface = events[i].surface,
                                                .format = events[i].format,
                                                .rect = {0, 0, 8, 8},
                                                .pixels = units};
        is_good = (i == 2 || play_event(gpu, &palette)) && play_event(gpu, &content) &&
                  play_origin_event(origin, &content, true);
    }
    for (int frame = 0; is_good && frame < 2; frame++)
        is_good = play_gpu_take(gpu, &pixels, &work) == TESSERA_OK && pixels[0] == (frame == 0 ? 0x33 : 0x66);
    const struct bound_machine machine = {.pages = {0, 64, 32}};
    if (is_good) is_good = bound_solve(bound, &machine).cycles != 0;
    if (gpu != NULL && gpu->tessera != NULL) (void)play_gpu_leave(gpu);
    play_origin_destroy(origin);
    bound_destroy(bound);
    if (gpu != NULL) play_gpu_destroy(gpu);
    if (is_open) tessera_close(tessera);
    return is_good;
}

static bool scenes(void)
{
    static struct scene_frame frame;
    static uint8_t expected[SCENE_FRAME_BYTES], pixels[SCENE_FRAME_BYTES];
    static const char *const names[] = {"cards", "locks", "programs"};
    bool is_good = true;
    for (size_t i = 0; is_good && i < sizeof names / sizeof *names; i++) {
        struct tessera *tessera = NULL;
        struct scene scene;
        struct scene_gpu gpu;
        struct scene_result result;
        if (scene_computed(&scene, names[i], 1, message) != 0) return false;
        if (!open_tessera(&tessera, 0)) return scene.destroy(&scene), false;
        memset(&frame, 0, sizeof frame);
        scene.frame(&scene, 0, &frame);
        scene_reference(&scene, &frame, expected);
        is_good = scene_frame_footprint(&scene, 0) != 0 && scene_gpu_create(&gpu, tessera, &scene, false) == TESSERA_OK;
        if (scene_frame_footprint(&scene, 0) != 0 && !is_good) scene_gpu_forget(&gpu);
        if (is_good) {
            is_good = scene_gpu_submit(&gpu, 0, &frame) == TESSERA_OK &&
                      scene_gpu_finish(&gpu, 0, pixels, &result) == TESSERA_OK &&
                      (frame.touch_count != 0 || memcmp(pixels, expected, sizeof pixels) == 0);
            scene_gpu_destroy(&gpu);
        }
        scene.destroy(&scene);
        tessera_close(tessera);
    }
    return is_good;
}

static uint8_t *at(void *context, uint64_t address, uint64_t bytes)
{
    (void)context;
    return address > GUEST_BYTES || bytes > GUEST_BYTES - address ? NULL : system_memory + GUEST_AT + address;
}

/* As a board's, whose frames go elsewhere. */
bool platform_display(struct platform *platform, platform_frame *frame, void *context)
{
    (void)platform, (void)frame, (void)context;
    return false;
}

static bool virtual_gpu(void)
{
    static const struct virtio_gpu_rectangle whole = {0, 0, 64, 64};
    static const struct virtio_gpu_entry entries[] = {{0, 4 * PAGE, 0}, {8 * PAGE + 4, 4 * PAGE, 0}};
    struct painter_options options = {.memory = {NULL, at}, .screen = SCREEN_AT, .guest = GUEST_AT};
    struct virtio_gpu_painter table;
    struct virtio_gpu_display display;
    struct platform platform = {.name = "golden model"};
    struct tessera *tessera = NULL;
    uint32_t width = 0, height = 0;
    bool is_good = open_tessera(&tessera, MEMORY - SCREEN_AT);
    if (!is_good) return false;
    options.system = system_memory;
    options.guest_bytes = GUEST_BYTES;
    struct painter *painter = painter_create(tessera, &options, message);
    struct scanout *scanout = painter != NULL ? scanout_create(tessera, painter, &platform) : NULL;
    is_good = scanout != NULL;
    if (is_good) {
        painter_table(painter, &table);
        scanout_table(scanout, &display);
        for (uint32_t i = 0; is_good && i < 2; i++)
            is_good = table.create(table.context, i, 64, 64) && table.attach(table.context, i, &entries[i], 1) &&
                      table.transfer(table.context, i, &whole, 0);
        if (is_good) display.show(display.context, 0, 0, VIRTIO_BGRX, &whole);
        is_good = is_good && scanout_picture(scanout, &width, &height) != NULL && width == 64 && height == 64;
    }
    scanout_destroy(scanout);
    painter_destroy(painter);
    tessera_close(tessera);
    return is_good;
}

/* ------------------------------------------------------------------ each place */

static void tell(const char *name, bool (*story)(void), unsigned least)
{
    unsigned refused = 0, bad = 0;
    memset(refused_sites, 0, sizeof refused_sites);
    refused_site_count = 0;
    refused_begin(0, 0);
    assert_true(story());
    const unsigned known = refused_site_count;
    for (unsigned call = 1; call <= 2; call++)
        for (unsigned site = 1; site <= known; site++) {
            refused_begin(site, call);
            const bool is_good = story();
            bad += !is_good;
            refused += refused_calls[site - 1] >= call;
            if (!is_good && refused_calls[site - 1] < call) fail_msg("%s fails, and nothing was refused", name);
        }
    refused_begin(0, 0);
    assert_true(story());
    printf("%s: %u places ask for memory, refused %u times: the story ended %u times\n", name, known, refused, bad);
    assert_in_range(bad, least, refused);
}

static void test_library(void **state) { (void)state, tell("library", library, 9); }
static void test_playing(void **state) { (void)state, tell("playing", playing, 25); }
static void test_scenes(void **state) { (void)state, tell("scenes", scenes, 20); }
static void test_virtual(void **state) { (void)state, tell("virtual GPU", virtual_gpu, 14); }

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library), cmocka_unit_test(test_playing),
                                       cmocka_unit_test(test_scenes), cmocka_unit_test(test_virtual)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
