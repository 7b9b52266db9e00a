/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what a report keeps of draws is what it was: rows, units, textures, surfaces, differences from a picture.
 * Method: frames are made up on the view alone (history.h): allocations come and go, surfaces get names, packets bind,
 * fill and blit in every mode and format, the host writes, reads pictures that are right, late or wrong; all that the
 * encoder has at the end is inflated and held in sums. After a change that is meant: make report-written.
 *   test_drawn FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "history.h"
#include "tools/view/draws_encode.h"
#include "tools/view/report_html.h"

enum { PLACES = 10, WIDTH = 16, HEIGHT = 16, PITCH = 64, DRAWN = 90 };

static uint32_t rows, surfaces, pictures, fence, held[PLACES];

/* ------------------------------------------------------------------ what happens */

static void add(uint32_t *sum, const uint32_t *numbers, size_t count)
{
    *sum = (uint32_t)crc32(*sum, (const uint8_t *)numbers, (uInt)(count * sizeof *numbers));
}

static int write_memory(void *context, uint32_t address, const void *data, size_t bytes)
{
    (void)context;
    memcpy(memory + address, data, bytes);
    return TRANSPORT_OK;
}

static void ask(uint32_t code, const uint32_t *arguments, uint32_t count, uint32_t answer)
{
    uint32_t message[16] = {code, ++tag}, words[8] = {tag, STATUS_OK};
    for (uint32_t i = 0; i < count; i++) message[2 + i] = arguments[i];
    memcpy(memory + SUBMIT_RING + sent % (1u << RING_LOG2) * 64u, message, 64);
    watched.register_write(watched.context, HOST_SUBMIT_TAIL_OFFSET, ++sent);
    if (answer == 0) return;
    words[REPLY_CREATE_ALLOCATION_HANDLE] = answer;
    memcpy(memory + COMPLETE_RING + completed % (1u << RING_LOG2) * 32u, words, 32);
    watched.register_write(watched.context, HOST_COMPLETE_HEAD_OFFSET, ++completed);
}

static void event(uint32_t code, uint32_t argument)
{
    clock_now += pick(9);
    probe->firmware(probe->context, clock_now, code, argument);
}

/* Two pages each, so that places of neighbours meet. */
static void arrive(uint32_t place)
{
    held[place] = (1u + pick(2)) << 28 | pick(6) * 2u;
    event(TRACE_PLACE, held[place]);
    event(pick(4) != 0 ? TRACE_PAGE_IN : TRACE_MOVE, place + 1);
}

static void run_packet(uint32_t node, const uint32_t *words)
{
    clock_now += pick(40);
    probe->packet_begin(probe->context, clock_now, node, pick(512) * 8, words);
    clock_now += pick(90);
    probe->packet_end(probe->context, clock_now, node);
}

static void bind(uint32_t slot, uint32_t place)
{
    static const uint32_t pitches[] = {PITCH, PITCH, PITCH, PITCH / 2, 48};
    uint32_t address = (held[place] >> 28) << 28 | (held[place] & 0xffffu) * GPU_LIMIT(PAGE_BYTES),
             pitch = pitches[pick(5)];
    const uint32_t words[] = {PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(pick(7), PKT_BIND_FORMAT),
                              pick(9) == 0 ? GPU_LIMIT(ADDR_SYSTEM) + 0x3000 : address + pick(4) * PITCH,
                              FIELD_PUT(pitch, PKT_BIND_PITCH), pitch * (1 + pick(HEIGHT))};
    run_packet(0, words);
}

static void draw_by_map(uint32_t at, uint32_t size)
{
    const uint32_t affine[] = {
        PKT_BLIT_AFFINE | FIELD_PUT(pick(4), PKT_BLIT_AFFINE_TARGET) | FIELD_PUT(4 + pick(4), PKT_BLIT_AFFINE_SOURCE) |
            FIELD_PUT(pick(2), PKT_BLIT_AFFINE_TRANSPARENT) | FIELD_PUT(pick(3) == 0, PKT_BLIT_AFFINE_MODE),
        at,
        FIELD_PUT(pick(4), PKT_BLIT_AFFINE_SOURCE_X),
        size,
        255,
        0,
        FIELD_PUT(pick(9), PKT_BLIT_AFFINE_SOURCE_WIDTH) | FIELD_PUT(1 + pick(HEIGHT), PKT_BLIT_AFFINE_SOURCE_HEIGHT),
        pick(1 << 20) - (1 << 18),
        pick(1 << 20) - (1 << 18),
        pick(1 << 18) - (1 << 17),
        pick(1 << 18) - (1 << 17),
        pick(1 << 18) - (1 << 17),
        pick(1 << 18) - (1 << 17)};
    run_packet(0, affine);
}

static void draw(void)
{
    const uint32_t size = FIELD_PUT(1 + pick(WIDTH), PKT_BLIT_WIDTH) | FIELD_PUT(1 + pick(HEIGHT), PKT_BLIT_HEIGHT);
    const uint32_t at = FIELD_PUT(pick(6), PKT_BLIT_TARGET_X) | FIELD_PUT(pick(6), PKT_BLIT_TARGET_Y);
    const uint32_t fill[] = {PKT_FILL_RECT | FIELD_PUT(pick(4), PKT_FILL_RECT_TARGET), at, size, pick(3) * 0x01234567u};
    const uint32_t blit[] = {PKT_BLIT | FIELD_PUT(pick(4), PKT_BLIT_TARGET) | FIELD_PUT(4 + pick(4), PKT_BLIT_SOURCE) |
                                 FIELD_PUT(pick(5), PKT_BLIT_MODE) | FIELD_PUT(pick(2), PKT_BLIT_PREMULTIPLIED) |
                                 FIELD_PUT(pick(4) == 0, PKT_BLIT_KEYED) | FIELD_PUT(pick(4) == 0, PKT_BLIT_COLOURED),
                             at,
                             FIELD_PUT(pick(4), PKT_BLIT_SOURCE_X) | FIELD_PUT(pick(4), PKT_BLIT_SOURCE_Y),
                             size,
                             pick(0x7fffffff),
                             FIELD_PUT(pick(256), PKT_BLIT_ROP)};
    run_packet(0, pick(3) == 0 ? fill : blit);
    if (pick(4) == 0) draw_by_map(at, size);
}

static void page_something(void)
{
    uint32_t place = pick(PLACES);
    event(TRACE_EVICT, place + 1);
    arrive(place);
    const uint32_t target = (held[place] >> 28) << 28 | (held[place] & 0xffffu) * GPU_LIMIT(PAGE_BYTES);
    const uint32_t copy[] = {PKT_COPY, GPU_LIMIT(ADDR_SYSTEM) + pick(2) * 0x3000, target, pick(17) * 64, 0, 0};
    run_packet(1, copy);
}

static void portion(void)
{
    event(TRACE_PLAN, 0);
    event(TRACE_PLANNED, 3);
    for (uint32_t i = pick(3); i > 0; i--) page_something();
    event(TRACE_JOB, tag);
    if (pick(30) != 0) event(TRACE_PORTION, ++fence);
    for (uint32_t slot = 0; slot < 8; slot++)
        if (pick(4) != 0) bind(slot, pick(PLACES));
    for (uint32_t i = pick(7); i > 0; i--) draw();
    const uint32_t end[] = {PKT_FENCE, fence};
    run_packet(0, end);
}

static void picture(uint32_t frame)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4], expected[sizeof pixels];
    for (size_t i = 0; i < sizeof pixels; i++) pixels[i] = (uint8_t)(pick(9) == 0 ? pick(256) : 0);
    memcpy(expected, pixels, sizeof pixels);
    if (pick(2) == 0) expected[pick(sizeof pixels)] ^= 5;
    if (pick(4) != 0)
        view_frame_picture(view, frame, pick(4), pick(5) != 0 ? pixels : NULL, pick(3) != 0 ? expected : NULL);
}

static void frame(uint32_t number)
{
    view_frame_begin(view, number, clock_now);
    for (uint32_t job = 1 + pick(3); job > 0; job--) {
        static const char *const names[] = {"screen", "sprite", "font", "a rather long name of a surface, cut"};
        const uint32_t submit[] = {1, 0x3000, 512};
        for (uint32_t i = pick(3); i > 0; i--) {
            const struct view_surface surface = {
                pick(4), pick(5) != 0 ? WIDTH : WIDTH / 2, HEIGHT, 1 + pick(4), pick(3), names[pick(4)]};
            view_surface(view, 1 + pick(PLACES), &surface);
        }
        uint8_t bytes[200];
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)pick(256);
        watched.memory_write(watched.context, pick(2) * 0x3000 + pick(800), bytes, pick(sizeof bytes));
        ask(MSG_SUBMIT, submit, 3, 0);
        for (uint32_t i = 1 + pick(3); i > 0; i--) portion();
    }
    picture(number);
    view_frame_end(view, number, clock_now);
}

/* ------------------------------------------------------------------ what is kept */

static void take_piece(uint32_t *sum, const struct encoded *piece)
{
    static uint8_t bytes[4 << 20];
    uLongf room = sizeof bytes;
    if (piece->data == NULL) add(sum, (const uint32_t[]){0}, 1);
    else if (uncompress(bytes, &room, piece->data, piece->bytes) != Z_OK)
        failed++, printf("FAILED: a piece is damaged\n");
    else *sum = (uint32_t)crc32(*sum, bytes, (uInt)room), passed++;
}

static void take(void)
{
    const struct draw_encoder *encoder = view->draws->encoder;
    for (uint32_t i = 0; i < encoded_frames(encoder); i++) {
        const struct encoded_frame *kept = encoded_frame(encoder, i);
        const uint32_t numbers[] = {kept->number,  kept->rows,  (uint32_t)kept->begin,
                                    kept->surface, kept->later, kept->wrong};
        add(&rows, numbers, sizeof numbers / sizeof *numbers);
        take_piece(&rows, &kept->draws);
        take_piece(&rows, &kept->textures);
        take_piece(&pictures, &kept->expected);
    }
    for (uint32_t i = 0; i < encoded_surfaces(encoder); i++) {
        const struct encoded_surface *surface = encoded_surface(encoder, i);
        const uint32_t numbers[] = {surface->id,     surface->known,  surface->width,
                                    surface->height, surface->format, surface->is_begun};
        add(&surfaces, numbers, sizeof numbers / sizeof *numbers);
        surfaces = (uint32_t)crc32(surfaces, (const uint8_t *)surface->name, (uInt)strlen(surface->name));
    }
    add(&surfaces, (const uint32_t[]){view->draws->lost, view->draws->texture_count, view->draws->is_over}, 3);
}

static void history(uint32_t frames, uint32_t first, uint32_t last)
{
    const uint32_t create[] = {2 * GPU_LIMIT(PAGE_BYTES)};
    char message[256] = "";
    clock_now = 100, sent = completed = tag = fence = 0;
    memset(&counters, 0, sizeof counters);
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)(i * i / 7);
    view = view_open(folder, message);
    if (view == NULL) printf("%s\n", message), exit(2);
    probe = view_probe(view);
    view_report_frames(view, first, last);
    device.memory_bytes = sizeof memory;
    device.memory_write = write_memory;
    watch();
    for (uint32_t place = 0; place < PLACES; place++) {
        ask(MSG_CREATE_ALLOCATION, create, 1, place + 1);
        arrive(place);
    }
    view_frames_begin(view);
    for (uint32_t i = 0; i < frames; i++) frame(i);
    if (encoded_frames(view->draws->encoder) > 0) passed++;
    else failed++, printf("FAILED: no frame is kept\n");
    take();
    view_free(view);
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_drawn FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    seed = 2026;
    history(DRAWN, 0, DRAWN - 1);
    history(20, 5, 12);
    history(20, 3, 400);
    for (uint32_t i = 0; i < 6; i++) history(1 + i, 0, i);
    hold("drawn-rows", rows);
    hold("drawn-surfaces", surfaces);
    hold("drawn-pictures", pictures);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
