/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames in flight (host/clients/sdl/play/play_frame.c) on the golden model. Goal: whatever is drawn, updated and freed
 * while older frames are still to be read, each frame shows what it showed when it was presented; and what fails fails
 * for its own frame. Method: 40 worlds of random fills, copies, keyed and part copies, updates, new and freed surfaces,
 * between presents with one to four frames in flight, against surfaces of plain C; then a placement of one frame is
 * made to fail while the frame before is still to be read. Small writes by the host move no page of the surfaces.
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
#include "gpu_spec.h"
#include "clients/sdl/play/play_gpu_internal.h"

enum {
    SURFACES = 5,
    SCREEN = 0,
    WIDTH = 160,
    HEIGHT = 120, /* of the screen: bands of 12 rows */
    LOCAL_PAGES = 16,
    WORLDS = 40,
    FRAMES = 14,
    OPERATIONS = 7
};

void view_reason(struct view *view, uint32_t handle, uint32_t reason)
{
    (void)handle, (void)reason;
    assert_null(view);
}

void view_surface(struct view *view, uint32_t handle, const struct view_surface *surface)
{
    (void)handle, (void)surface;
    assert_null(view);
}

void view_name(struct view *view, uint32_t handle, const char *name)
{
    (void)handle;
    assert_null(view); /* nothing watches */
    assert_true(name[0] != 0);
}

/* ------------------------------------------------------------------ the other side: surfaces of plain C */

struct plain {
    uint32_t width, height;
    uint32_t *units; /* XRGB8888; NULL: does not exist */
};

struct frames_world {
    struct tessera *tessera;
    struct play_gpu *gpu;
    struct plain plain[SURFACES];
    uint32_t random;
    uint32_t *shown[PLAY_IN_FLIGHT + 1]; /* by frame */
    uint32_t taken, presented;
};

static uint32_t below(struct frames_world *world, uint32_t bound)
{
    world->random ^= world->random << 13;
    world->random ^= world->random >> 17;
    world->random ^= world->random << 5;
    return world->random % bound;
}

static void event(struct frames_world *world, const struct recording_event *event)
{
    int status = play_gpu_event(world->gpu, event);
    if (status != TESSERA_OK) fail_msg("%s: %s", tessera_status_name(status), play_gpu_message(world->gpu));
}

static void make_surface(struct frames_world *world, uint32_t surface, uint32_t width, uint32_t height)
{
    struct plain *plain = &world->plain[surface];
    *plain = (struct plain){width, height, malloc((size_t)width * height * 4u)};
    assert_non_null(plain->units);
    for (uint32_t i = 0; i < width * height; i++) plain->units[i] = 0xff000000u;
    event(world, &(struct recording_event){.kind = RECORDING_SURFACE,
                                           .surface = surface,
                                           .format = RECORDING_XRGB8888,
                                           .rect = {0, 0, width, height}});
}

static void free_surface(struct frames_world *world, uint32_t surface)
{
    event(world, &(struct recording_event){.kind = RECORDING_FREE, .surface = surface});
    free(world->plain[surface].units);
    world->plain[surface].units = NULL;
}

static struct recording_rect some_rect(struct frames_world *world, uint32_t width, uint32_t height)
{
    struct recording_rect rect = {0, 0, width, height};
    uint32_t way = below(world, 4);
    if (way == 0) return rect; /* all of it */
    if (way != 1) {            /* 1: whole rows */
        rect.x = below(world, width);
        rect.width = 1u + below(world, width - rect.x);
    }
    rect.y = below(world, height);
    rect.height = 1u + below(world, height - rect.y);
    return rect;
}

static void fill(struct frames_world *world, uint32_t surface)
{
    struct plain *plain = &world->plain[surface];
    const struct recording_rect rect = some_rect(world, plain->width, plain->height);
    uint32_t unit = 0xff000000u | below(world, 1u << 24);
    for (uint32_t y = rect.y; y < rect.y + rect.height; y++)
        for (uint32_t x = rect.x; x < rect.x + rect.width; x++) plain->units[y * plain->width + x] = unit;
    event(world,
          &(struct recording_event){
              .kind = RECORDING_FILL, .surface = surface, .format = RECORDING_XRGB8888, .rect = rect, .unit = unit});
}

static void update_rect(struct frames_world *world, uint32_t surface, const struct recording_rect rect)
{
    const struct plain *plain = &world->plain[surface];
    uint32_t *units = malloc((size_t)rect.width * rect.height * 4u);
    assert_non_null(units);
    for (uint32_t i = 0; i < rect.width * rect.height; i++) units[i] = 0xff000000u | below(world, 1u << 24);
    for (uint32_t y = 0; y < rect.height; y++)
        memcpy(&plain->units[(rect.y + y) * plain->width + rect.x], &units[y * rect.width], rect.width * 4u);
    event(world, &(struct recording_event){.kind = RECORDING_PIXELS,
                                           .surface = surface,
                                           .format = RECORDING_XRGB8888,
                                           .rect = rect,
                                           .pixels = (const uint8_t *)units});
    free(units);
}

static void update(struct frames_world *world, uint32_t surface)
{
    update_rect(world, surface, some_rect(world, world->plain[surface].width, world->plain[surface].height));
}

/* COPY, or the same with a key, between two surfaces; also of the screen itself. */
static void copy(struct frames_world *world, uint32_t target, uint32_t source)
{
    struct plain *to = &world->plain[target], *from = &world->plain[source];
    uint32_t width = to->width < from->width ? to->width : from->width;
    uint32_t height = to->height < from->height ? to->height : from->height;
    struct recording_rect rect = some_rect(world, width, height);
    bool is_keyed = below(world, 3) == 0;
    uint32_t key = from->units[below(world, from->width * from->height)];
    uint32_t source_x = below(world, from->width - rect.width + 1u),
             source_y = below(world, from->height - rect.height + 1u);
    for (uint32_t y = 0; y < rect.height; y++)
        for (uint32_t x = 0; x < rect.width; x++) {
            uint32_t unit = from->units[(source_y + y) * from->width + source_x + x];
            if (!is_keyed || unit != key) to->units[(rect.y + y) * to->width + rect.x + x] = unit;
        }
    event(world, &(struct recording_event){.kind = RECORDING_BLIT,
                                           .surface = target,
                                           .source = source,
                                           .rect = rect,
                                           .source_x = source_x,
                                           .source_y = source_y,
                                           .mode = is_keyed ? RECORDING_KEY : RECORDING_COPY,
                                           .alpha = 255,
                                           .key = key,
                                           .colour = RECORDING_WHITE});
}

/* What a filter makes of the four units around these coordinates of a part, each found at the part's edges. */
static uint32_t between(const struct plain *from, const struct recording_rect *part, int64_t u, int64_t v)
{
    const int64_t column = u >> 16, row = v >> 16, right = u >> 9 & 127, low = v >> 9 & 127;
    uint32_t unit = 0;
    for (unsigned lsb = 0; lsb < 32; lsb += 8) {
        int64_t sum = 0;
        for (unsigned i = 0; i < 4; i++) {
            int64_t x = column + i % 2u, y = row + i / 2u;
            x = x < 0 ? 0 : x >= part->width ? part->width - 1 : x;
            y = y < 0 ? 0 : y >= part->height ? part->height - 1 : y;
            const uint32_t at = from->units[(part->y + (uint32_t)y) * from->width + part->x + (uint32_t)x];
            sum += (at >> lsb & 255u) * (i % 2u != 0 ? right : 128 - right) * (i / 2u != 0 ? low : 128 - low);
        }
        unit |= (uint32_t)(sum >> 14) << lsb;
    }
    return unit;
}

/* The same by a map: scaled, mirrored, turned by quarters, filtered. */
static void copy_mapped(struct frames_world *world, uint32_t target, uint32_t source)
{
    struct plain *to = &world->plain[target], *from = &world->plain[source];
    const struct recording_rect rect = some_rect(world, to->width, to->height);
    const struct recording_rect part = some_rect(world, from->width, from->height);
    struct tessera_affine fit = {
        .blit = {.width = rect.width, .height = rect.height}, .source_width = part.width, .source_height = part.height};
    fit.is_filtered = below(world, 3) == 0;
    tessera_affine_fit(&fit, below(world, 4), below(world, 2) == 0);
    struct recording_event mapped = {
        .kind = RECORDING_BLIT,
        .surface = target,
        .source = source,
        .rect = rect,
        .source_x = part.x,
        .source_y = part.y,
        .map = {part.width, part.height, fit.u, fit.v, fit.u_x, fit.v_x, fit.u_y, fit.v_y, fit.is_filtered},
        .mode = !fit.is_filtered && below(world, 3) == 0 ? RECORDING_KEY : RECORDING_COPY,
        .alpha = 255,
        .key = from->units[below(world, from->width * from->height)],
        .colour = RECORDING_WHITE};
    assert_true(recording_map_fits(&mapped.map, rect.width, rect.height));
    for (uint32_t y = 0; y < rect.height; y++)
        for (uint32_t x = 0; x < rect.width; x++) {
            int64_t u = fit.u + (int64_t)x * fit.u_x + (int64_t)y * fit.u_y;
            int64_t v = fit.v + (int64_t)x * fit.v_x + (int64_t)y * fit.v_y;
            uint32_t unit =
                fit.is_filtered
                    ? between(from, &part, u, v)
                    : from->units[(part.y + (uint32_t)(v / 65536)) * from->width + part.x + (uint32_t)(u / 65536)];
            if (mapped.mode == RECORDING_COPY || unit != mapped.key)
                to->units[(rect.y + y) * to->width + rect.x + x] = unit;
        }
    event(world, &mapped);
}

/* ------------------------------------------------------------------ frames */

static void present(struct frames_world *world)
{
    const struct plain *screen = &world->plain[SCREEN];
    size_t bytes = (size_t)screen->width * screen->height * 4u;
    uint32_t **shown = &world->shown[world->presented++ % (PLAY_IN_FLIGHT + 1u)];
    free(*shown);
    *shown = malloc(bytes);
    assert_non_null(*shown);
    memcpy(*shown, screen->units, bytes);
    assert_int_equal(play_gpu_present(world->gpu, SCREEN), TESSERA_OK);
}

static int take(struct frames_world *world, struct play_work *work)
{
    const uint8_t *pixels = NULL;
    int status = play_gpu_take(world->gpu, &pixels, work);
    if (status != TESSERA_OK) return status;
    const uint32_t *wanted = world->shown[world->taken % (PLAY_IN_FLIGHT + 1u)];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t unit;
        memcpy(&unit, pixels + 4u * i, 4);
        if (unit != wanted[i])
            fail_msg("frame %u: pixel %u, %u is %08x, not %08x", world->taken, i % WIDTH, i / WIDTH, unit, wanted[i]);
    }
    world->taken++;
    return TESSERA_OK;
}

static void open_world(struct frames_world *world, uint32_t seed)
{
    const struct device_options device_options = {.seed = seed};
    const struct tessera_options options = {.segment1_pages = 4,
                                            .segment2_pages = LOCAL_PAGES - 4,
                                            .seed = seed,
                                            .force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY)};
    static struct transport transport;
    char message[256];
    *world = (struct frames_world){.random = seed * 2654435761u + 1u};
    struct device *device = device_create(&device_options, message);
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&world->tessera, &transport, &options, message), TESSERA_OK);
    world->gpu = play_gpu_create(LOCAL_PAGES, seed % 2u == 0);
    assert_non_null(world->gpu);
    assert_int_equal(play_gpu_enter(world->gpu, world->tessera), TESSERA_OK);
    make_surface(world, SCREEN, WIDTH, HEIGHT);
    make_surface(world, 1, WIDTH, HEIGHT);
    make_surface(world, 2, 40, 30);
    assert_int_equal(play_gpu_begin(world->gpu), TESSERA_OK);
}

/* Nothing is left on the device: every allocation was destroyed, those that frames kept among them. */
static void close_world(struct frames_world *world)
{
    assert_int_equal(play_gpu_leave(world->gpu), TESSERA_OK);
    assert_int_equal(world->gpu->allocation_count, 0);
    play_gpu_destroy(world->gpu);
    tessera_close(world->tessera);
    for (uint32_t i = 0; i < SURFACES; i++) free(world->plain[i].units);
    for (uint32_t i = 0; i <= PLAY_IN_FLIGHT; i++) free(world->shown[i]);
}

static void do_something(struct frames_world *world)
{
    uint32_t surface = below(world, SURFACES);
    bool is_there = world->plain[surface].units != NULL;
    if (!is_there) make_surface(world, surface, 1u + below(world, 60), 1u + below(world, 90));
    switch (below(world, 10)) {
    case 8:
        if (surface != SCREEN) copy_mapped(world, surface, SCREEN);
        return;
    case 9:
        if (surface != SCREEN) copy_mapped(world, SCREEN, surface);
        return;
    case 0: fill(world, surface); return;
    case 1: update(world, surface); return;
    case 2: fill(world, SCREEN); return;
    case 3: update(world, SCREEN); return;
    case 4:
        if (surface > 2u) free_surface(world, surface);
        return;
    case 5:
        if (surface != SCREEN) copy(world, surface, SCREEN);
        return;
    default:
        if (surface != SCREEN) copy(world, SCREEN, surface);
        return;
    }
}

static void test_worlds(void **state)
{
    struct play_counts sum = {0};
    uint32_t buffers = 0;
    (void)state;
    for (uint32_t seed = 1; seed <= WORLDS; seed++) {
        struct frames_world world;
        struct play_work work;
        const uint32_t in_flight = 1u + seed % PLAY_IN_FLIGHT;
        open_world(&world, seed);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            for (uint32_t i = below(&world, OPERATIONS + 1u); i > 0; i--) do_something(&world);
            present(&world);
            for (; play_gpu_presented(world.gpu) >= in_flight; buffers += work.buffers)
                assert_int_equal(take(&world, &work), TESSERA_OK);
        }
        for (; play_gpu_presented(world.gpu) != 0; buffers += work.buffers)
            assert_int_equal(take(&world, &work), TESSERA_OK);
        assert_int_equal(world.taken, FRAMES);
        const struct play_counts *counts = play_gpu_counts(world.gpu);
        if (in_flight == 1) assert_int_equal(counts->overlapped + counts->renewed + counts->reread, 0);
        assert_true(counts->reread <= FRAMES); /* a frame that has been read is not read again */
        sum.overlapped += counts->overlapped;
        sum.renewed += counts->renewed;
        sum.reread += counts->reread;
        close_world(&world);
    }
    assert_true(sum.overlapped >= WORLDS && sum.renewed >= WORLDS && sum.reread >= WORLDS);
    assert_true(buffers >= WORLDS * FRAMES / 2);
}

/* More than PLAY_IN_FLIGHT frames cannot be left to take. */
static void test_too_many(void **state)
{
    struct frames_world world;
    struct play_work work;
    (void)state;
    open_world(&world, 1);
    for (uint32_t i = 0; i < PLAY_IN_FLIGHT; i++) present(&world);
    assert_int_equal(play_gpu_present(world.gpu, SCREEN), TESSERA_MISUSE);
    for (uint32_t i = 0; i < PLAY_IN_FLIGHT; i++) assert_int_equal(take(&world, &work), TESSERA_OK);
    assert_int_equal(play_gpu_take(world.gpu, NULL, NULL), TESSERA_MISUSE);
    close_world(&world);
}

/* Frame 3 is under way, frame 4 needs a surface that has no place yet, and gets none. */
static void test_failure(void **state)
{
    struct frames_world world;
    struct play_work work;
    (void)state;
    open_world(&world, 1);
    for (uint32_t frame = 0; frame < 4; frame++) {
        fill(&world, 1);
        copy(&world, SCREEN, 1);
        present(&world);
        if (frame > 0) assert_int_equal(take(&world, &work), TESSERA_OK);
    }
    assert_int_equal(play_wait_frame(world.gpu, 3), TESSERA_OK); /* drawn, and not read */
    assert_int_equal(
        tessera_register_write(world.tessera, HOST_FORCE_OFFSET,
                               FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_FAIL_STEP)),
        TESSERA_OK);
    make_surface(&world, 3, 30, 30);
    copy(&world, 2, 3);
    present(&world);
    assert_int_equal(take(&world, &work), TESSERA_OK);
    assert_true(work.buffers >= 1);
    assert_int_equal(play_gpu_failed_frame(world.gpu), 5); /* nothing has failed: the one that is drawn */
    assert_int_equal(take(&world, &work), STATUS_NO_PLACEMENT);
    assert_int_equal(play_gpu_failed_frame(world.gpu), 4);
    assert_non_null(strstr(play_gpu_message(world.gpu), "NO_PLACEMENT"));
    close_world(&world);
}

/* A band and what it is drawn from, each written by the host between two draws, 400 times: what is moved is the bytes
 * written. Where nothing may be mapped, a page for each DMA buffer comes in; a whole write of a large band needs none
 * of its old content. */
static void test_small_writes(void **state)
{
    enum { WRITES = 400, SMALL = 2, STAGED = 64 * WRITES / 4096 };
    (void)state;
    for (uint32_t seed = 1; seed <= 2; seed++) {
        struct frames_world world;
        struct play_work work;
        uint32_t before[STAT_COUNT], after[STAT_COUNT];
        open_world(&world, seed);
        copy(&world, SCREEN, SMALL);
        update_rect(&world, SMALL, (struct recording_rect){1, 2, 3, 4});
        present(&world);
        assert_int_equal(take(&world, &work), TESSERA_OK);
        fill(&world, SMALL);
        assert_int_equal(play_drain(world.gpu), TESSERA_OK);
        assert_int_equal(tessera_statistics(world.tessera, before), TESSERA_OK);
        for (uint32_t i = 0; i < WRITES; i++) {
            update_rect(&world, SMALL, (struct recording_rect){i % 37u, i % 28u, 3, 2});
            event(&world, &(struct recording_event){.kind = RECORDING_BLIT,
                                                    .surface = SCREEN,
                                                    .source = SMALL,
                                                    .rect = {0, 0, 30, 10},
                                                    .mode = RECORDING_COPY,
                                                    .alpha = 255,
                                                    .colour = RECORDING_WHITE});
            for (uint32_t y = 0; y < 10; y++)
                memcpy(&world.plain[SCREEN].units[y * WIDTH], &world.plain[SMALL].units[y * 40u], 30u * 4u);
            update_rect(&world, SCREEN, (struct recording_rect){i % 150u, i % 9u, 5, 1});
        }
        assert_int_equal(play_drain(world.gpu), TESSERA_OK);
        assert_int_equal(tessera_statistics(world.tessera, after), TESSERA_OK);
        const uint32_t buffers = after[STAT_DMA_BUFFERS] - before[STAT_DMA_BUFFERS];
        const uint32_t pages = after[STAT_PAGES_IN] - before[STAT_PAGES_IN]; /* 2: the bands, once */
        assert_in_range(buffers, 1, WRITES / 40);
        assert_in_range(pages, 0, 2 + (seed == 2 ? buffers + STAGED : 0));
        assert_int_equal(after[STAT_PAGES_OUT] - before[STAT_PAGES_OUT], 0);
        assert_int_equal(play_gpu_counts(world.gpu)->uploads, 2 * WRITES + 1);
        make_surface(&world, 3, 5000, 2); /* a row is longer than a stage */
        copy(&world, 3, SMALL);
        update_rect(&world, 3, (struct recording_rect){1, 0, 4990, 2});
        for (uint32_t i = 0; i < 20; i++) copy(&world, SCREEN, 3);
        present(&world);
        assert_int_equal(take(&world, &work), TESSERA_OK);
        close_world(&world);
    }
}

/* Frames of 40 bands, all in flight and each drawn whole: more allocations come back than are kept, and those are
 * destroyed. */
static void test_spares(void **state)
{
    enum { TALL = 3, TALL_HEIGHT = 4 * HEIGHT };
    struct frames_world world;
    struct play_work work;
    (void)state;
    open_world(&world, 1);
    make_surface(&world, TALL, WIDTH, TALL_HEIGHT);
    const uint32_t before = world.gpu->allocation_count, bands = world.gpu->images[TALL].band_count;
    assert_true((PLAY_IN_FLIGHT - 1u) * bands > PLAY_SPARES);
    for (uint32_t round = 0; round < 2; round++) {
        uint32_t colour[PLAY_IN_FLIGHT];
        for (uint32_t frame = 0; frame < PLAY_IN_FLIGHT; frame++) {
            colour[frame] = 0xff000000u | below(&world, 1u << 24);
            event(&world, &(struct recording_event){.kind = RECORDING_FILL,
                                                    .surface = TALL,
                                                    .format = RECORDING_XRGB8888,
                                                    .rect = {0, 0, WIDTH, TALL_HEIGHT},
                                                    .unit = colour[frame]});
            assert_int_equal(play_gpu_present(world.gpu, TALL), TESSERA_OK);
        }
        for (uint32_t frame = 0; frame < PLAY_IN_FLIGHT; frame++) {
            const uint8_t *pixels = NULL;
            assert_int_equal(play_gpu_take(world.gpu, &pixels, &work), TESSERA_OK);
            assert_memory_equal(pixels, &colour[frame], 4);
            assert_memory_equal(pixels + 4u * (WIDTH * TALL_HEIGHT - 1u), &colour[frame], 4);
        }
        assert_int_equal(play_await_answers(world.gpu), TESSERA_OK);
        assert_int_equal(world.gpu->spare_count, PLAY_SPARES);
        assert_int_equal(world.gpu->allocation_count, before + bands + PLAY_SPARES);
    }
    close_world(&world);
}

/* The last draw that was told to the bound. */
static uint64_t told[3];
void __real_bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels);
void __wrap_bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels);
void __wrap_bound_draw(struct bound *bound, uint64_t read_bytes, uint64_t write_bytes, uint64_t pixels)
{
    told[0] = read_bytes, told[1] = write_bytes, told[2] = pixels;
    __real_bound_draw(bound, read_bytes, write_bytes, pixels);
}

/* What a blit of 16 x 8 reads, writes and goes through one by one at least: a copy between units of one format moves
 * bytes; a key may leave all of them out. */
static void test_told(void **state)
{
    enum { NARROW = 7, ALIKE, WIDE };
    static const struct {
        uint32_t source;
        enum recording_mode mode;
        uint32_t colour;
        uint64_t told[3];
    } rows[] = {{NARROW, RECORDING_COPY, RECORDING_WHITE, {256, 256, 0}},
                {NARROW, RECORDING_KEY, RECORDING_WHITE, {256, 0, 0}},
                {NARROW, RECORDING_COPY, 0x808080, {256, 256, 128}},
                {WIDE, RECORDING_COPY, RECORDING_WHITE, {512, 256, 128}},
                {NARROW, RECORDING_ADD, RECORDING_WHITE, {512, 256, 128}},
                {WIDE, RECORDING_KEYED_MOD, RECORDING_WHITE, {768, 0, 128}}};
    struct frames_world world;
    (void)state;
    open_world(&world, 1);
    for (uint32_t surface = NARROW; surface <= WIDE; surface++)
        event(&world, &(struct recording_event){.kind = RECORDING_SURFACE,
                                                .surface = surface,
                                                .format = surface == WIDE ? RECORDING_XRGB8888 : RECORDING_RGB565,
                                                .rect = {0, 0, 16, 8}});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        event(&world, &(struct recording_event){.kind = RECORDING_BLIT,
                                                .surface = ALIKE,
                                                .source = rows[i].source,
                                                .rect = {0, 0, 16, 8},
                                                .mode = rows[i].mode,
                                                .alpha = 255,
                                                .colour = rows[i].colour});
        for (uint32_t k = 0; k < 3; k++) assert_int_equal(told[k], rows[i].told[k]);
    }
    close_world(&world);
}

/* ------------------------------------------------------------------ palettes */

enum { INDEXED = 7, MANY = 3 * PLAY_PALETTES + 5 };

static void palette_draw(struct frames_world *world, uint32_t number, uint32_t x)
{
    uint32_t colours[RECORDING_COLOURS];
    for (uint32_t i = 0; i < RECORDING_COLOURS; i++) colours[i] = 0xff000000u | number << 8 | i;
    event(world, &(struct recording_event){.kind = RECORDING_PALETTE, .surface = INDEXED, .colours = colours});
    event(world, &(struct recording_event){.kind = RECORDING_BLIT,
                                           .surface = SCREEN,
                                           .source = INDEXED,
                                           .rect = {x, 0, 1, 16},
                                           .mode = RECORDING_COPY,
                                           .alpha = 255,
                                           .colour = RECORDING_WHITE});
    for (uint32_t y = 0; y < 16; y++) world->plain[SCREEN].units[y * WIDTH + x] = colours[16u * y];
}

static bool has_palette(const struct frames_world *world, uint32_t number)
{
    for (uint32_t i = 0; i < PLAY_PALETTES; i++)
        if (world->gpu->palettes[i].allocation != NULL &&
            world->gpu->palettes[i].colours[0] == (0xff000000u | number << 8))
            return true;
    return false;
}

/* Three times as many palettes as are kept, all in one frame: each draw has its own, and the one that gives way is the
 * one used longest ago, wherever it lies. */
static void test_many_palettes(void **state)
{
    uint8_t pixels[16];
    struct frames_world world;
    struct play_work work;
    (void)state;
    for (uint32_t i = 0; i < 16; i++) pixels[i] = (uint8_t)(16u * i);
    open_world(&world, 1);
    event(&world,
          &(struct recording_event){
              .kind = RECORDING_SURFACE, .surface = INDEXED, .format = RECORDING_INDEX8, .rect = {0, 0, 1, 16}});
    event(&world, &(struct recording_event){.kind = RECORDING_PIXELS,
                                            .surface = INDEXED,
                                            .format = RECORDING_INDEX8,
                                            .rect = {0, 0, 1, 16},
                                            .pixels = pixels});
    for (uint32_t i = 0; i < MANY; i++) palette_draw(&world, i, i);
    present(&world);
    assert_int_equal(take(&world, &work), TESSERA_OK);
    for (uint32_t i = 0; i < MANY; i++) assert_int_equal(has_palette(&world, i), i >= MANY - PLAY_PALETTES);
    for (uint32_t i = MANY - PLAY_PALETTES; i < MANY; i += 2) palette_draw(&world, i, i); /* every second, once more */
    for (uint32_t i = 0; i < PLAY_PALETTES / 2; i++) palette_draw(&world, 1000 + i, i);
    present(&world);
    assert_int_equal(take(&world, &work), TESSERA_OK);
    for (uint32_t i = MANY - PLAY_PALETTES; i < MANY; i++)
        assert_int_equal(has_palette(&world, i), (i - (MANY - PLAY_PALETTES)) % 2u == 0);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_worlds),       cmocka_unit_test(test_too_many),
                                       cmocka_unit_test(test_failure),      cmocka_unit_test(test_told),
                                       cmocka_unit_test(test_small_writes), cmocka_unit_test(test_many_palettes),
                                       cmocka_unit_test(test_spares)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
