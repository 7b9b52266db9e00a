/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the display share: a device with a display unit, surfaces, messages, and the frames that are shown.
 */
#ifndef TESSERA_UNIT_DISPLAY_H
#define TESSERA_UNIT_DISPLAY_H

#include "system.h"

enum {
    COLUMNS = 640,
    ROWS = 480,
    PITCH = COLUMNS * 2,
    PICTURE_PAGES = 150, /* of RGB565 */
    SEGMENT1_PAGES = 64,
    SEGMENT2_PAGES = 1024
};

/* The last frame that was shown. */
static struct {
    uint32_t count, frame, columns, rows;
    uint64_t cycle;
    uint32_t pixels[1280 * 1024];
} seen;

static inline void see_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows, uint32_t frame,
                             uint64_t cycle)
{
    (void)context;
    seen.count++;
    seen.frame = frame;
    seen.columns = columns;
    seen.rows = rows;
    seen.cycle = cycle;
    memcpy(seen.pixels, pixels, (size_t)columns * rows * 4u);
}

static inline uint32_t seen_at(uint32_t column, uint32_t row) { return seen.pixels[row * seen.columns + column]; }

/* `khz`: the only pixel clock; 0 = any. */
static inline void open_display_at(const struct client_boot *boot, uint32_t seed, uint32_t khz)
{
    const struct device_options options = {.memory_bytes = 16u << 20,
                                           .segment1_bytes = SEGMENT1_PAGES * CLIENT_PAGE,
                                           .segment2_bytes = SEGMENT2_PAGES * CLIENT_PAGE,
                                           .aperture_pages = 256,
                                           .seed = seed,
                                           .has_display = true,
                                           .display_khz = khz,
                                           .gpu = &gpu_options};
    client_boot(&client, &options, boot);
    memset(&seen, 0, sizeof seen);
    device_display(client.device)->on_frame = see_frame;
}

static inline void open_display(const struct client_boot *boot, uint32_t seed) { open_display_at(boot, seed, 0); }

static inline struct answer call(uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    return client_call(&client, message);
}

static inline uint32_t set_mode(uint32_t mode) { return call(MSG_SET_MODE, mode, 0).status; }

/* A FLIP of a surface of the primary plane, or of none. */
struct flip_message {
    uint32_t words[16];
};
static inline struct flip_message flip_of(const struct client_allocation *surface)
{
    return (struct flip_message){{MSG_FLIP, 0, PLANE_PRIMARY, surface != NULL ? surface->handle : 0u, 0,
                                  surface != NULL ? PITCH : 0u, surface != NULL ? FORMAT_RGB565 : 0u, WHEN_NEXT}};
}

static inline struct answer flip(const struct client_allocation *surface)
{
    const struct flip_message message = flip_of(surface);
    return client_call(&client, message.words);
}

static inline struct answer overlay(const struct client_allocation *surface, uint32_t place, uint32_t size,
                                    uint32_t mix, uint32_t value)
{
    struct flip_message message = flip_of(surface);
    message.words[MSG_FLIP_PLANE] = PLANE_OVERLAY;
    message.words[MSG_FLIP_POSITION] = place;
    message.words[MSG_FLIP_SIZE] = size;
    message.words[MSG_FLIP_MIX] = mix;
    message.words[MSG_FLIP_VALUE] = value;
    return client_call(&client, message.words);
}

/* A picture all of one RGB565 colour. */
static inline void create_picture(struct client_allocation *picture, uint32_t set, uint32_t colour)
{
    static uint16_t pixels[PICTURE_PAGES * CLIENT_PAGE / 2];
    CHECK_EQUAL(client_create(&client, picture, PICTURE_PAGES, set, NULL), STATUS_OK);
    for (uint32_t i = 0; i < sizeof pixels / 2u; i++) pixels[i] = (uint16_t)colour;
    client_write(&client, picture, (const uint8_t *)pixels);
}

/* Until a whole frame more has been shown. */
static inline void show_frame(void)
{
    const uint32_t count = seen.count;
    while (seen.count == count) CHECK(device_blank(client.device));
}

static inline bool is_marked_shown(const struct client_allocation *allocation)
{
    const struct allocation_table *table = &device_gpu(client.device)->manager.residency.world.table;
    uint32_t index;
    return allocation_find_any(table, allocation->handle, &index) &&
           (table->entry[index].flags & ALLOCATION_SHOWN) != 0;
}

static inline uint32_t statistic(enum gpu_statistic which)
{
    uint32_t statistics[STAT_COUNT];
    client_statistics(&client, statistics);
    return statistics[which];
}

/* Three pictures, and VGA. */
enum { RED = 0xf800, GREEN = 0x07e0, BLUE = 0x001f, RED_SEEN = 0xff0000, GREEN_SEEN = 0x00ff00, BLUE_SEEN = 0x0000ff };
static struct client_allocation red, green, blue;

static inline void begin_with(const struct client_boot *boot)
{
    open_display(boot, 0);
    create_picture(&red, SET_2, RED);
    create_picture(&green, SET_2, GREEN);
    create_picture(&blue, SET_2, BLUE);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_VGA), STATUS_OK);
}

static inline void begin(void)
{
    const struct client_boot boot = {0};
    begin_with(&boot);
}

static inline uint32_t frame_now(void) { return call(MSG_QUERY_DISPLAY, 0, 0).words[REPLY_QUERY_DISPLAY_FRAME - 4]; }

static inline void check_refusal(struct answer answer, uint32_t status, uint32_t detail)
{
    CHECK_EQUAL(answer.status, status);
    CHECK_EQUAL(answer.detail, detail);
}

/* A cursor whose left column is white, the rest is clear. */
enum { CURSOR_SIDE = 64 };
static inline void create_cursor(struct client_allocation *image)
{
    static uint32_t pixels[CURSOR_SIDE * CURSOR_SIDE];
    CHECK_EQUAL(client_create(&client, image, 4, SET_LOCAL, NULL), STATUS_OK);
    for (uint32_t i = 0; i < CURSOR_SIDE * CURSOR_SIDE; i++)
        pixels[i] = i % CURSOR_SIDE == 0 ? 0xffffffffu : 0x00123456u;
    client_write(&client, image, (const uint8_t *)pixels);
}

static inline struct answer cursor(const struct client_allocation *image, uint32_t hot_spot)
{
    const uint32_t message[16] = {MSG_SET_CURSOR, 0, image != NULL ? image->handle : 0, 0, hot_spot};
    return client_call(&client, message);
}

/* The display goes off, so that everything can be destroyed. */
static inline void close_display(void)
{
    client.id = 0;
    CHECK_EQUAL(call(MSG_GIVE_DISPLAY, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(set_mode(DISPLAY_MODE_OFF), STATUS_OK);
    close_checked();
}

#endif
