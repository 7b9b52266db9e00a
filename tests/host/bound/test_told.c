/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene on the GPU (host/tools/scene/scene_gpu.c) on the golden model. Goal: each frame is the scene's in every byte,
 * however its textures are bound, and the lower bound is told exactly what each draw reads and writes. Method: a
 * made-up scene with textures of every format and size, draws of every mode one by one, then frames of hundreds of them
 * by two programs with touches between them; what is told is compared with a table, the pixels with scene_reference.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "tools/scene/scene_gpu.h"
#include "tessera_stream.h"

enum { SMALL = 20, TEXTURES = SMALL + 2, LARGE = SMALL, WORDS = SMALL + 1, SIDE = 16, LARGE_SIDE = 128, FRAMES = 6 };

/* ------------------------------------------------------------------ the scene */

static uint8_t units[TEXTURES][LARGE_SIDE * LARGE_SIDE * 2], touched[SIDE * SIDE * 4];
static struct scene_texture textures[TEXTURES];
static struct scene scene = {.name = "told", .textures = textures, .texture_count = TEXTURES, .program_count = 2};
static struct scene_frame frame;

static uint32_t below(uint32_t bound)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

static uint32_t unit_bytes(uint32_t format) { return format == FORMAT_A8 ? 1 : format == FORMAT_RGB565 ? 2 : 4; }

static void make_textures(void)
{
    static const uint32_t formats[] = {FORMAT_RGB565, FORMAT_ARGB8888, FORMAT_A8, FORMAT_XRGB8888};
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const uint32_t side = i == LARGE ? LARGE_SIDE : SIDE, format = i == LARGE ? FORMAT_RGB565 : formats[i % 4u];
        textures[i] = (struct scene_texture){.format = i == WORDS ? FORMAT_RGB565 : format,
                                             .width = side,
                                             .height = side,
                                             .pitch = side * unit_bytes(i == WORDS ? FORMAT_RGB565 : format),
                                             .data = units[i]};
        for (size_t k = 0; k < sizeof units[i]; k++) units[i][k] = (uint8_t)below(i == WORDS ? 2 : 256);
    }
    for (size_t k = 0; k < sizeof touched; k++) touched[k] = (uint8_t)below(256);
}

/* Of a texture's format, what can be drawn with. */
static struct scene_draw some_draw(uint32_t texture)
{
    static const uint16_t modes[] = {BLIT_COPY, BLIT_KEY, BLIT_BLEND};
    const uint32_t side = texture == LARGE ? LARGE_SIDE : SIDE;
    struct scene_draw draw = {.texture = (uint16_t)texture};
    draw.width = (uint16_t)(1 + below(side));
    draw.height = (uint16_t)(1 + below(side));
    draw.target_x = (uint16_t)below(SCENE_WIDTH - draw.width);
    draw.target_y = (uint16_t)below(SCENE_HEIGHT - draw.height);
    if (texture == SCENE_FILL) {
        draw.value = below(1u << 16);
        return draw;
    }
    draw.source_x = (uint16_t)below(side - draw.width + 1u);
    draw.source_y = (uint16_t)below(side - draw.height + 1u);
    const uint32_t format = textures[texture].format;
    draw.mode = format == FORMAT_RGB565     ? modes[below(2)]
                : format == FORMAT_XRGB8888 ? (uint16_t)BLIT_COPY
                                            : (uint16_t)BLIT_BLEND;
    if (draw.mode == BLIT_KEY) draw.value = below(2);
    else if (format == FORMAT_A8) draw.value = below(1u << 24) << 8 | (1 + below(255));
    else if (draw.mode == BLIT_BLEND) draw.value = 1 + below(255);
    return draw;
}

/* ------------------------------------------------------------------ what is told */

static char told[1 << 20];
static size_t told_bytes;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    told_bytes += (size_t)vsnprintf(told + told_bytes, sizeof told - told_bytes, format, arguments);
    va_end(arguments);
}

uint32_t __wrap_bound_allocation(struct bound *bound, uint32_t bytes, bool is_mappable);
uint32_t __wrap_bound_allocation(struct bound *bound, uint32_t bytes, bool is_mappable)
{
    (void)bound;
    tell("%u%s ", bytes, is_mappable ? "m" : "");
    return 0;
}
void __wrap_bound_use(struct bound *bound, uint32_t allocation, uint32_t read_bytes, uint32_t write_bytes, bool covers);
void __wrap_bound_use(struct bound *bound, uint32_t allocation, uint32_t read_bytes, uint32_t write_bytes, bool covers)
{
    (void)bound;
    tell("%u reads %u writes %u%s; ", allocation, read_bytes, write_bytes, covers ? " all" : "");
}
void __wrap_bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels);
void __wrap_bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels)
{
    (void)bound;
    tell("%u in %u out %u pixels. ", (unsigned)read_bytes, (unsigned)write_bytes, (unsigned)pixels);
}
void __wrap_bound_host_read(struct bound *bound, uint32_t allocation);
void __wrap_bound_host_read(struct bound *bound, uint32_t allocation)
{
    (void)bound;
    tell("read %u ", allocation);
}
void __wrap_bound_host_write(struct bound *bound, uint32_t allocation, bool is_whole);
void __wrap_bound_host_write(struct bound *bound, uint32_t allocation, bool is_whole)
{
    (void)bound;
    tell("write %u %d ", allocation, is_whole);
}
void __wrap_bound_frame(struct bound *bound);
void __wrap_bound_frame(struct bound *bound)
{
    (void)bound;
    tell("frame");
}

/* ------------------------------------------------------------------ on the model */

static struct tessera *tessera;
static struct scene_gpu gpu;

static void open_gpu(bool is_mapped)
{
    static struct transport transport;
    const struct device_options device_options = {.seed = 3};
    const struct tessera_options options = {
        .segment1_pages = 4, .segment2_pages = 80, .seed = 3, .force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY)};
    char message[256];
    struct device *device = device_create(&device_options, message);
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &options, message), TESSERA_OK);
    assert_int_equal(scene_gpu_create(&gpu, tessera, &scene, is_mapped), TESSERA_OK);
    told_bytes = 0;
    told[0] = 0;
}

/* Nothing is left. */
static void close_gpu(void)
{
    uint32_t statistics[TESSERA_STATISTICS];
    scene_gpu_destroy(&gpu);
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    assert_int_equal(statistics[TESSERA_STATISTIC_RESIDENT_PAGES_1], 0);
    assert_int_equal(statistics[TESSERA_STATISTIC_RESIDENT_PAGES_2], 0);
    assert_int_equal(statistics[TESSERA_STATISTIC_MAPPED_PAGES], 0);
    tessera_close(tessera);
}

static void submit(uint32_t number)
{
    const int status = scene_gpu_submit(&gpu, number, &frame);
    if (status != TESSERA_OK) fail_msg("%s: %s", tessera_status_name(status), tessera_stream_message(gpu.stream));
}

static struct scene_result finish(uint32_t number, uint8_t *expected)
{
    static uint8_t pixels[SCENE_FRAME_BYTES];
    struct scene_result result;
    assert_int_equal(scene_gpu_finish(&gpu, number, pixels, &result), TESSERA_OK);
    assert_memory_equal(pixels, expected, sizeof pixels);
    assert_int_equal(result.failed, 0);
    return result;
}

/* ------------------------------------------------------------------ the tests */

static void test_told(void **state)
{
#define PART 8, 16, 0, 0, 10, 8
#define ALL 0, 0, 0, 0, SCENE_WIDTH, SCENE_HEIGHT
    static const struct {
        struct scene_draw draw;
        const char *told;
    } rows[] = {
        {{SCENE_FILL, BLIT_COPY, ALL, 5, 0}, "22 reads 0 writes 153600 all; 0 in 153600 out 0 pixels. "},
        {{SCENE_FILL, BLIT_COPY, PART, 5, 0}, "22 reads 0 writes 160; 0 in 160 out 0 pixels. "},
        {{SCENE_FILL, BLIT_KEY, PART, 5, 0}, "22 reads 0 writes 160; 0 in 160 out 0 pixels. "}, /* it has no mode */
        {{0, BLIT_BLEND, PART, 255, 0}, "0 reads 160 writes 0; 22 reads 160 writes 160; 320 in 160 out 80 pixels. "},
        {{0, BLIT_COPY, PART, 0, 0}, "0 reads 160 writes 0; 22 reads 0 writes 160; 160 in 160 out 0 pixels. "},
        {{0, BLIT_KEY, PART, 0, 0}, "0 reads 160 writes 0; 22 reads 0 writes 0; 160 in 0 out 0 pixels. "},
        {{1, BLIT_BLEND, PART, 255, 0}, "1 reads 320 writes 0; 22 reads 160 writes 160; 480 in 160 out 80 pixels. "},
        {{2, BLIT_BLEND, PART, 0xffffffff, 0},
         "2 reads 80 writes 0; 22 reads 160 writes 160; 240 in 160 out 80 pixels. "},
        {{3, BLIT_COPY, PART, 0, 0}, "3 reads 320 writes 0; 22 reads 0 writes 160; 320 in 160 out 80 pixels. "},
    };
    static uint8_t expected[SCENE_FRAME_BYTES];
    char text[4096] = "";
    (void)state;
    for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
        open_gpu(is_mapped != 0);
        scene_gpu_tell(&gpu, NULL, is_mapped != 0);
        text[0] = 0;
        for (uint32_t i = 0; i < TEXTURES; i++)
            (void)snprintf(text + strlen(text), 64, "%u%s ", textures[i].pitch * textures[i].height,
                           is_mapped != 0 ? "m" : "");
        (void)snprintf(text + strlen(text), 64, "153600 153600 ");
        assert_string_equal(told, text);
        memset(&frame, 0, sizeof frame);
        frame.buffer_count = 1;
        frame.touch_count = 1;
        frame.touches[0] = (struct scene_touch){1, touched};
        (void)snprintf(text, sizeof text, "write 1 1 ");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            frame.buffer[0].draws[frame.buffer[0].count++] = rows[i].draw;
            (void)snprintf(text + strlen(text), 512, "%s", rows[i].told);
        }
        (void)snprintf(text + strlen(text), 64, "read 22 frame");
        uint8_t *before = textures[1].data;
        textures[1].data = touched;
        scene_reference(&scene, &frame, expected);
        textures[1].data = before;
        told_bytes = 0;
        submit(0);
        assert_string_equal(told, text);
        const struct scene_result result = finish(0, expected);
        assert_int_equal(result.buffers, 1);
        assert_null(scene_gpu_allocation(&gpu, TEXTURES + SCENE_TARGETS));
        assert_int_equal(tessera_allocation_bytes(scene_gpu_allocation(&gpu, TEXTURES)), 38 * 4096);
        assert_int_equal(tessera_allocation_bytes(scene_gpu_allocation(&gpu, LARGE)), LARGE_SIDE * LARGE_SIDE * 2);
        close_gpu();
    }
}

static void make_frame(void)
{
    memset(&frame, 0, sizeof frame);
    frame.buffer_count = 4;
    for (uint32_t b = 0; b < frame.buffer_count; b++) {
        frame.buffer[b].program = b % 2u;
        frame.buffer[b].count = 100 + below(SCENE_BUFFER_DRAWS - 100);
        for (uint32_t d = 0; d < frame.buffer[b].count; d++)
            frame.buffer[b].draws[d] = some_draw(below(9) == 0 ? SCENE_FILL : below(TEXTURES));
        /* What programs draw is not ordered: each has a half. */
        for (uint32_t d = 0; d < frame.buffer[b].count; d++) {
            struct scene_draw *draw = &frame.buffer[b].draws[d];
            draw->target_y = (uint16_t)(b % 2u * (SCENE_HEIGHT / 2) + draw->target_y % (SCENE_HEIGHT / 2u - 1u));
            if (draw->target_y + draw->height > (b % 2u + 1u) * (SCENE_HEIGHT / 2))
                draw->height = (uint16_t)((b % 2u + 1u) * (SCENE_HEIGHT / 2) - draw->target_y);
        }
    }
    frame.buffer[0].draws[0] =
        (struct scene_draw){SCENE_FILL, BLIT_COPY, 0, 0, 0, 0, SCENE_WIDTH, SCENE_HEIGHT / 2, 7, 0};
    frame.buffer[1].draws[0] =
        (struct scene_draw){SCENE_FILL, BLIT_COPY, 0, SCENE_HEIGHT / 2, 0, 0, SCENE_WIDTH, SCENE_HEIGHT / 2, 9, 0};
}

/* DMA buffers that were not waited for. */
static uint32_t queued(void) { return gpu.ticket_count[0] - gpu.waited[0] + gpu.ticket_count[1] - gpu.waited[1]; }

/* Two frames overlap; textures take turns in slots; with a bound on what is queued, and with early unbinding. */
static void test_frames(void **state)
{
    static uint8_t expected[2][SCENE_FRAME_BYTES];
    (void)state;
    for (uint32_t way = 0; way < 4; way++) {
        uint32_t buffers = 0, evictions = 0;
        scene.unbinds = (way & 1u) != 0;
        open_gpu(way == 3);
        gpu.most_queued = way == 2 ? 1 : 0;
        for (uint32_t number = 0; number <= FRAMES; number++) {
            if (number < FRAMES) {
                make_frame();
                scene_reference(&scene, &frame, expected[number % 2u]);
                told_bytes = 0;
                submit(number);
                if (way == 2) assert_int_equal(queued(), 1);
            }
            if (number == 0) continue;
            const struct scene_result result = finish(number - 1, expected[(number - 1) % 2u]);
            buffers += result.buffers;
            evictions += result.evictions;
            assert_in_range(result.portions, result.buffers, 1000);
        }
        assert_in_range(buffers, FRAMES * 4, FRAMES * 12);
        if (way != 3) assert_true(evictions > 0);
        close_gpu();
    }
}

int main(void)
{
    make_textures();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_told), cmocka_unit_test(test_frames)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", 2 - failed, failed);
    return failed != 0;
}
