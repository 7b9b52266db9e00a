/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the report says of a pixel is what the golden model did. Method: random draws of every mode on the model's
 * device, in memory too small for their textures; beside the view, which makes the page, the device's own memory is
 * read at chosen pixels before and after every packet, and whether the packet had to write them is computed from the
 * packet. make_steps BITS DIRECTORY: of a picture of 16 or 32 bits, report.html, points (the fragment that asks the
 * page) and history (what it has to answer)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "pixel_model.h"
#include "tessera.h"
#include "tessera_stream.h"
#include "tools/view/report_html.h"

enum { WIDTH = 96, HEIGHT = 64, SIDE = 48, TEXTURES = 14, FRAMES = 70, DRAWS = 24, POINTS = 12, ASKED = 6 };
enum { SHOWN, HIDDEN, FIRST_TEXTURE, SURFACES = FIRST_TEXTURE + TEXTURES };

static const uint32_t asked[ASKED] = {0, 5, 17, 63, 64, 69}; /* both sides of a key frame and of a snapshot */

struct step_surface {
    struct tessera_allocation *allocation;
    uint32_t width, height, format;
};

static struct {
    struct device *device;
    struct tessera *tessera;
    struct view *view;
    const struct probe *probe;
    struct step_surface surfaces[SURFACES];
    uint32_t frame, points[POINTS][2], address; /* of SHOWN, in the packet at work */
    bool is_open, is_written[POINTS];
    uint32_t before[POINTS];
    char lines[ASKED][POINTS][8192];
} bench;

static uint32_t shown_unit(void) { return pixel_unit_bytes(bench.surfaces[SHOWN].format); }

static uint32_t seed = 7;
static uint32_t pick(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return (seed >> 4) % limit;
}

static void must(int status)
{
    if (status == TESSERA_OK) return;
    fprintf(stderr, "make_steps: %s: %s\n", tessera_status_name(status), tessera_message(bench.tessera));
    exit(1);
}

/* ------------------------------------------------------------------ beside the view */

static uint32_t unit_at(uint32_t address, uint32_t bytes)
{
    uint32_t unit = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t byte = 0;
        (void)engine_model_read(device_engine(bench.device), address + i, &byte);
        unit |= (uint32_t)byte << 8u * i;
    }
    return unit;
}

static uint32_t shown_at(uint32_t point)
{
    const uint32_t at = bench.points[point][1] * WIDTH + bench.points[point][0];
    return unit_at(bench.address + shown_unit() * at, shown_unit());
}

static uint32_t asked_index(void)
{
    uint32_t i = 0;
    while (i < ASKED && asked[i] != bench.frame) i++;
    return i;
}

/* The draw before has been executed. */
static void end_draw(void)
{
    uint32_t frame = asked_index();
    for (uint32_t i = 0; bench.is_open && frame < ASKED && i < POINTS; i++) {
        char *line = bench.lines[frame][i];
        size_t used = strlen(line);
        if (bench.is_written[i])
            snprintf(line + used, sizeof bench.lines[frame][i] - used, " %x>%x", bench.before[i], shown_at(i));
    }
    bench.is_open = false;
}

/* A map's coordinate, as docs/pixels.md says it; false: outside. */
static bool map_to(int64_t start, int64_t step_x, int64_t step_y, uint32_t count, bool is_repeated, uint32_t x,
                   uint32_t y, uint32_t *to)
{
    const int64_t end = (int64_t)count * 65536, last = end - 1;
    int64_t at = start + x * step_x + y * step_y;
    if (is_repeated) at = (at % end + end) % end;
    *to = (uint32_t)((at < 0 ? 0 : at > last ? last : at) / 65536);
    return at >= 0 && at <= last;
}

/* The source's unit under (x, y), from its rectangle's corner. False: none, nothing is written. */
static bool source_at(const uint32_t *words, uint32_t *x, uint32_t *y)
{
    if ((words[0] & 0xffu) != PKT_BLIT_AFFINE) return true;
    const int32_t *map = (const int32_t *)words + PKT_BLIT_AFFINE_U_WORD;
    const uint32_t size = words[PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD];
    uint32_t column, row;
    const bool is_repeated = FIELD_GET(words[0], PKT_BLIT_AFFINE_REPEAT) != 0;
    /* A filter's units are those around the coordinates; outside is what is nearest to none. */
    const int32_t middle = FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR) != 0 ? 0x8000 : 0;
    bool is_inside = map_to(map[0] + middle, map[2], map[4], size & 0xffffu, is_repeated, *x, *y, &column);
    is_inside = map_to(map[1] + middle, map[3], map[5], size >> 16, is_repeated, *x, *y, &row) && is_inside;
    *x = column, *y = row;
    return is_inside || FIELD_GET(words[0], PKT_BLIT_AFFINE_TRANSPARENT) == 0;
}

static bool is_blit_written(const uint32_t *words, uint32_t x, uint32_t y)
{
    if (!source_at(words, &x, &y)) return false;
    const struct engine_binding *source =
        &device_engine(bench.device)->node[0].bindings[FIELD_GET(words[0], PKT_BLIT_SOURCE)];
    const bool is_key = FIELD_GET(words[0], PKT_BLIT_MODE) == BLIT_KEY;
    if (!is_key && FIELD_GET(words[0], PKT_BLIT_KEYED) == 0) return true;
    uint32_t bytes = pixel_unit_bytes(source->format);
    uint32_t at = source->address + (y + FIELD_GET(words[2], PKT_BLIT_SOURCE_Y)) * source->pitch +
                  (x + FIELD_GET(words[2], PKT_BLIT_SOURCE_X)) * bytes;
    uint32_t mask = is_key ? field_mask(8u * bytes) : pixel_colour_mask(source->format);
    uint32_t key = is_key ? words[PKT_BLIT_VALUE_WORD] : FIELD_GET(words[PKT_BLIT_KEY_WORD], PKT_BLIT_KEY);
    return ((unit_at(at, bytes) ^ key) & mask) != 0;
}

static void begin_draw(const uint32_t *words)
{
    const bool is_fill = (words[0] & 0xffu) == PKT_FILL_RECT;
    const uint32_t place = words[1], size = words[is_fill ? 2 : 3]; /* x or width low, y or height high */
    const struct engine_binding *target =
        &device_engine(bench.device)->node[0].bindings[FIELD_GET(words[0], PKT_BLIT_TARGET)];
    if (target->format != bench.surfaces[SHOWN].format || target->pitch != shown_unit() * WIDTH) return;
    bench.address = target->address;
    bench.is_open = true;
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t x = bench.points[i][0] - (place & 0xffffu), y = bench.points[i][1] - (place >> 16);
        bench.is_written[i] = x < (size & 0xffffu) && y < size >> 16 && (is_fill || is_blit_written(words, x, y));
        bench.before[i] = shown_at(i);
    }
}

static void packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    if (node == 0) end_draw();
    bench.probe->packet_begin(context, cycle, node, offset, words);
    const uint32_t opcode = words[0] & 0xffu;
    if (node == 0 && (opcode == PKT_BLIT || opcode == PKT_BLIT_AFFINE || opcode == PKT_FILL_RECT)) begin_draw(words);
}

/* ------------------------------------------------------------------ the program */

static void make_surface(uint32_t index, uint32_t width, uint32_t height, uint32_t format, const char *name)
{
    struct step_surface *surface = &bench.surfaces[index];
    const uint32_t bytes = width * height * pixel_unit_bytes(format);
    const bool is_target = index < FIRST_TEXTURE;
    const struct tessera_allocation_options options = {
        .bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE, .read_set = index % 3u == 2 ? 7 : 3, .write_set = 3};
    uint8_t *content = malloc(bytes);
    *surface = (struct step_surface){NULL, width, height, format};
    must(tessera_allocation_create(bench.tessera, &options, &surface->allocation));
    for (uint32_t i = 0; content != NULL && i < bytes; i++) content[i] = (uint8_t)(pick(3) == 0 ? 0 : pick(256));
    must(tessera_write(bench.tessera, surface->allocation, 0, content, bytes));
    free(content);
    view_name(bench.view, tessera_allocation_handle(surface->allocation), name);
    if (is_target)
        view_surface(bench.view, tessera_allocation_handle(surface->allocation),
                     &(struct view_surface){index, width, height, format, 0, name});
}

static void bind(struct tessera_stream *stream, uint32_t slot, uint32_t index)
{
    const struct step_surface *surface = &bench.surfaces[index];
    const uint32_t pitch = surface->width * pixel_unit_bytes(surface->format);
    must(tessera_stream_bind(stream, slot,
                             &(struct tessera_surface){.allocation = surface->allocation,
                                                       .format = surface->format,
                                                       .pitch = pitch,
                                                       .bytes = pitch * surface->height,
                                                       .is_target = index < FIRST_TEXTURE}));
}

/* Scaled, turned and mirrored ones, and any map with an inverse. */
static void draw_by_map(struct tessera_stream *stream, const struct tessera_blit *blit, const struct step_surface *to,
                        const struct step_surface *source)
{
    struct tessera_affine affine = {.blit = *blit, .is_transparent = pick(2) == 0};
    affine.blit.target_x = pick(to->width);
    affine.blit.target_y = pick(to->height);
    affine.blit.width = 1 + pick(to->width - affine.blit.target_x);
    affine.blit.height = 1 + pick(to->height - affine.blit.target_y);
    affine.is_repeated = !affine.is_transparent && pick(2) == 0;
    affine.is_filtered = blit->mode != BLIT_KEY && !blit->is_keyed && source->format != FORMAT_RGB888 && pick(4) == 0;
    affine.source_width = 1 + pick(source->width - blit->source_x);
    affine.source_height = 1 + pick(source->height - blit->source_y);
    tessera_affine_fit(&affine, pick(4), pick(2) == 0);
    if (pick(3) == 0) {
        int32_t *const steps[] = {&affine.u_x, &affine.v_x, &affine.u_y, &affine.v_y};
        for (size_t i = 0; i < 4; i++) *steps[i] = (int32_t)pick(3 << 16) - (i % 3u == 0 ? -(1 << 15) : 3 << 15);
        affine.u -= (int32_t)pick(8 << 16);
    }
    must(tessera_stream_blit_affine(stream, &affine));
}

static void draw(struct tessera_stream *stream)
{
    static const uint32_t modes[] = {BLIT_COPY, BLIT_COPY, BLIT_KEY, BLIT_BLEND, BLIT_ADD, BLIT_MOD, BLIT_BLEND};
    const uint32_t target = pick(4) == 0 ? HIDDEN : SHOWN;
    const struct step_surface *to = &bench.surfaces[target];
    uint32_t from = pick(5) == 0 ? HIDDEN + SHOWN - target : FIRST_TEXTURE + pick(TEXTURES);
    const struct step_surface *source = &bench.surfaces[from];
    struct tessera_blit blit = {
        .target = 0, .source = 1, .mode = modes[pick(7)], .value = pick(256), .is_alpha_zero = true};
    blit.width = 1 + pick(to->width < source->width ? to->width : source->width);
    blit.height = 1 + pick(to->height < source->height ? to->height : source->height);
    blit.target_x = pick(to->width - blit.width + 1);
    blit.target_y = pick(to->height - blit.height + 1);
    blit.source_x = pick(source->width - blit.width + 1);
    blit.source_y = pick(source->height - blit.height + 1);
    if (blit.mode == BLIT_KEY) blit.value = 0;
    else blit.is_keyed = pick(3) == 0;
    if (blit.mode == BLIT_BLEND && shown_unit() == 4u) {
        const uint32_t how = pick(4);
        blit.is_premultiplied = how % 2u != 0;
        blit.is_by_256 = how > 1u;
        blit.value = 255;
    }
    bind(stream, 0, target);
    if (pick(5) == 0) {
        must(tessera_stream_fill_rect(stream, 0, blit.target_x, blit.target_y, blit.width, blit.height, pick(65536)));
        return;
    }
    bind(stream, 1, from);
    if (pick(3) == 0) draw_by_map(stream, &blit, to, source);
    else must(tessera_stream_blit(stream, &blit));
}

/* The host writes some rows itself: what a draw finds there is nobody's draw. */
static void write_rows(void)
{
    uint8_t rows[4 * 4 * WIDTH];
    const uint32_t pitch = shown_unit() * WIDTH;
    for (size_t i = 0; i < 4u * pitch; i++) rows[i] = (uint8_t)pick(256);
    must(tessera_write(bench.tessera, bench.surfaces[SHOWN].allocation, pitch * pick(HEIGHT - 4), rows, 4u * pitch));
}

static uint64_t now(void)
{
    const struct transport *transport = tessera_transport(bench.tessera);
    return transport->cycles(transport->context);
}

static void draw_frame(struct tessera_stream *stream, uint32_t context)
{
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    tessera_ticket ticket;
    view_frame_begin(bench.view, bench.frame, now());
    if (bench.frame % 9u == 8) write_rows();
    tessera_stream_clear(stream);
    if (bench.frame == 0) {
        bind(stream, 0, SHOWN);
        must(tessera_stream_fill_rect(stream, 0, 0, 0, WIDTH, HEIGHT, 0x1234));
    }
    for (uint32_t i = 0; i < DRAWS; i++) draw(stream);
    must(tessera_submit(bench.tessera, context, stream, 0, &ticket));
    must(tessera_wait(bench.tessera, ticket, NULL));
    end_draw();
    must(tessera_read(bench.tessera, bench.surfaces[SHOWN].allocation, 0, pixels, shown_unit() * WIDTH * HEIGHT));
    view_frame_picture(bench.view, bench.frame, SHOWN, pixels, NULL);
    view_frame_end(bench.view, bench.frame, now());
}

static void open_all(const char *directory)
{
    char message[256];
    static struct transport inner, watched;
    static struct probe probe;
    bench.view = view_open(directory, message);
    if (bench.view == NULL) {
        fprintf(stderr, "make_steps: %s\n", message);
        exit(1);
    }
    view_report_frames(bench.view, 0, FRAMES - 1);
    bench.probe = view_probe(bench.view);
    probe = *bench.probe;
    probe.packet_begin = packet_begin;
    bench.device = device_create(&(struct device_options){.memory_bytes = 8u << 20, .probe = &probe}, message);
    device_transport(bench.device, &inner);
    view_watch(bench.view, &inner, &watched);
    must(tessera_open(&bench.tessera, &watched, &(struct tessera_options){.segment1_pages = 6, .segment2_pages = 16},
                      message));
}

static void write_files(const char *directory)
{
    char path[512], message[256];
    snprintf(path, sizeof path, "%s/points", directory);
    FILE *points = fopen(path, "w");
    snprintf(path, sizeof path, "%s/history", directory);
    FILE *history = fopen(path, "w");
    for (uint32_t frame = 0; points != NULL && history != NULL && frame < ASKED; frame++) {
        fprintf(points, "%s%u:", frame != 0 ? "_" : "", asked[frame]);
        for (uint32_t i = 0; i < POINTS; i++) {
            fprintf(points, "%s%u,%u", i != 0 ? ";" : "", bench.points[i][0], bench.points[i][1]);
            fprintf(history, "%u %u %u:%s\n", asked[frame], bench.points[i][0], bench.points[i][1],
                    bench.lines[frame][i]);
        }
    }
    if (points == NULL || history == NULL || fclose(points) != 0 || fclose(history) != 0) exit(1);
    const struct report_row row = {"made up", "yes", "by tests/host/report/make_steps.c"};
    const struct report_page page = {.title = "random draws",
                                     .verdict = "nothing was judged",
                                     .is_good = true,
                                     .rows = &row,
                                     .row_count = 1,
                                     .directory = directory,
                                     .digits = 2,
                                     .frame_count = FRAMES};
    snprintf(path, sizeof path, "%s/report.html", directory);
    if (view_close(bench.view) == 0 && report_html(path, bench.view, &page, message) == 0) return;
    fprintf(stderr, "make_steps: %s\n", message);
    exit(1);
}

int main(int argc, char **argv)
{
    static const uint32_t formats[] = {FORMAT_RGB565, FORMAT_ARGB8888, FORMAT_XRGB8888, FORMAT_ARGB1555, FORMAT_RGB888};
    uint32_t context;
    if (argc != 3) return 2;
    open_all(argv[2]);
    for (uint32_t i = 0; i < POINTS; i++) bench.points[i][0] = pick(WIDTH), bench.points[i][1] = pick(HEIGHT);
    make_surface(SHOWN, WIDTH, HEIGHT, atoi(argv[1]) == 32 ? FORMAT_XRGB8888 : FORMAT_RGB565, "shown");
    make_surface(HIDDEN, SIDE, SIDE, FORMAT_XRGB8888, "hidden");
    for (uint32_t i = FIRST_TEXTURE; i < SURFACES; i++)
        make_surface(i, 8 + pick(SIDE), 8 + pick(SIDE), i % 2u == 0 ? bench.surfaces[SHOWN].format : formats[pick(5)],
                     "texture");
    must(tessera_context_create(bench.tessera, 0, 0, &context));
    struct tessera_stream *stream = tessera_stream_create();
    for (bench.frame = 0; bench.frame < FRAMES; bench.frame++) draw_frame(stream, context);
    tessera_stream_destroy(stream);
    write_files(argv[2]);
    tessera_close(bench.tessera);
    view_free(bench.view);
    return 0;
}
