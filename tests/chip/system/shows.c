/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the display unit shows whole frames, flipped at each blank, while everything else wants the memory. Method:
 * both nodes copy without a pause, one also fills, which is writes alone, and the core reads system memory and lines
 * that its data cache misses. At each blank another start of the picture and another place of the cursor are written.
 * test_shows.c is the host and the judge.
 */
enum { RING_LOG2 = 8 };

#include "rings.h"
#include "shows.h"

static volatile uint32_t seen;

static uint32_t setting(enum shows_setting which)
{
    return *word_at(GPU_LIMIT(ADDR_SYSTEM) + SHOWS_MAIL + 4u * (uint32_t)which);
}

static uint32_t waiting(unsigned node)
{
    return tail[node] - reg_read(NODE_HEAD_OFFSET + node * (uint32_t)NODE_STRIDE);
}

static void copy(unsigned node, uint32_t source, uint32_t target, uint32_t bytes)
{
    put(node, PKT_COPY);
    put(node, source);
    put(node, target);
    put(node, bytes);
    kick(node);
}

static void fill_with(unsigned node, uint32_t target, uint32_t bytes)
{
    put(node, PKT_FILL);
    put(node, target);
    put(node, bytes);
    put(node, seen);
    kick(node);
}

/* Some work for each node, if it has little. */
static void keep_busy(void)
{
    uint32_t area = GPU_LIMIT(ADDR_SEGMENT2) + SHOWS_FILLED, system = GPU_LIMIT(ADDR_SYSTEM);
    if (waiting(0) < 8u) {
        copy(0, area + (seen & 7u) * 0x1001u, area + SHOWS_COPIED / 2u, 0x8000);
        fill_with(0, area + SHOWS_COPIED + 0x10000u, 0x10000);
    }
    if (waiting(1) < 16u) copy(1, system + SHOWS_NOISE, area + SHOWS_COPIED + (seen & 3u), 0x8000);
    if (waiting(1) < 32u) copy(1, area, system + SHOWS_NOISE + SHOWS_NOISE_BYTES, 0x4000);
    reg_write(CORE_INVALIDATE_OFFSET, 1);
    seen += *word_at(system + SHOWS_NOISE + (seen & 63u) * 64u);
    /* Lines of one set, more than it holds: each is missed. */
    for (uint32_t line = 0; line < 16u; line++) seen += *word_at(GPU_LIMIT(ADDR_FIRMWARE) + line * 0x2000u);
}

static void fill(void)
{
    for (uint32_t at = 0; at < SHOWS_FILLED; at += SHOWS_NOISE_BYTES) {
        while (waiting(1) > RING_WORDS / 2) continue;
        copy(1, GPU_LIMIT(ADDR_SYSTEM) + SHOWS_NOISE, GPU_LIMIT(ADDR_SEGMENT2) + at, SHOWS_NOISE_BYTES);
    }
    while (waiting(1) != 0u || FIELD_GET(reg_read(NODE_STATUS_OFFSET + NODE_STRIDE), NODE_STATUS_BUSY)) continue;
}

static void flip(uint32_t address, uint32_t word)
{
    reg_write(DISPLAY_FLIP_ADDRESS_OFFSET, address);
    reg_write(DISPLAY_FLIP_PUSH_OFFSET, word | FIELD_PUT(WHEN_NEXT, DISPLAY_FLIP_PUSH_WHEN));
}

static void show(uint32_t frame)
{
    flip(shows_primary(frame), FIELD_PUT(setting(SHOWS_FORMAT), DISPLAY_FLIP_PUSH_FORMAT) | setting(SHOWS_PITCH));
    reg_write(DISPLAY_HOLD_OFFSET, 1);
    reg_write(DISPLAY_CURSOR_IMAGE_OFFSET, GPU_LIMIT(ADDR_SEGMENT2) + SHOWS_CURSOR_AT);
    reg_write(DISPLAY_CURSOR_PLACE_OFFSET, FIELD_PUT(shows_cursor_x(frame), DISPLAY_CURSOR_PLACE_X) |
                                               FIELD_PUT(shows_cursor_y(frame), DISPLAY_CURSOR_PLACE_Y));
    reg_write(DISPLAY_HOLD_OFFSET, 0);
}

static void set_mode(void)
{
    reg_write(DISPLAY_CLOCK_OFFSET, setting(SHOWS_KHZ));
    reg_write(DISPLAY_H_SHOW_OFFSET, setting(SHOWS_H_SHOW));
    reg_write(DISPLAY_H_LINE_OFFSET, setting(SHOWS_H_LINE));
    reg_write(DISPLAY_V_SHOW_OFFSET, setting(SHOWS_V_SHOW));
    reg_write(DISPLAY_V_LINE_OFFSET, setting(SHOWS_V_LINE));
    reg_write(DISPLAY_LEAD_OFFSET, setting(SHOWS_LEAD));
    reg_write(DISPLAY_IRQ_ENABLE_OFFSET, FIELD_PUT(1, DISPLAY_IRQ_BLANK));
    if (setting(SHOWS_OVERLAY) != 0u) {
        reg_write(DISPLAY_OVERLAY_PLACE_OFFSET, FIELD_PUT(SHOWS_OVERLAY_X, DISPLAY_OVERLAY_PLACE_X) |
                                                    FIELD_PUT(SHOWS_OVERLAY_Y, DISPLAY_OVERLAY_PLACE_Y));
        reg_write(DISPLAY_OVERLAY_SIZE_OFFSET, FIELD_PUT(SHOWS_OVERLAY_WIDTH, DISPLAY_OVERLAY_SIZE_WIDTH) |
                                                   FIELD_PUT(SHOWS_OVERLAY_HEIGHT, DISPLAY_OVERLAY_SIZE_HEIGHT));
        reg_write(DISPLAY_OVERLAY_MIX_OFFSET, FIELD_PUT(SHOWS_ALPHA, DISPLAY_OVERLAY_MIX_ALPHA));
        reg_write(DISPLAY_OVERLAY_MODE_OFFSET, 0);
        flip(GPU_LIMIT(ADDR_SEGMENT2) + SHOWS_OVERLAY_AT, FIELD_PUT(FORMAT_RGB565, DISPLAY_FLIP_PUSH_FORMAT) |
                                                              FIELD_PUT(1, DISPLAY_FLIP_PUSH_OVERLAY) |
                                                              SHOWS_OVERLAY_PITCH);
    }
    reg_write(DISPLAY_CONTROL_OFFSET, FIELD_PUT(1, DISPLAY_CONTROL_ENABLE));
}

int main(void)
{
    uint32_t frames = setting(SHOWS_FRAMES);
    start_node(0);
    start_node(1);
    fill();
    seen = setting(SHOWS_SEED) * 0x9e3779b1u;
    for (uint32_t i = seen >> 20; i != 0u; i--) reg_write(CORE_INVALIDATE_OFFSET, 1); /* the raster begins later */
    set_mode();
    reg_write(HOST_BOOT_STATUS_OFFSET, 1);
    for (uint32_t frame = 1; frame <= frames; frame++) {
        while (FIELD_GET(reg_read(CORE_IRQ_PENDING_OFFSET), CORE_IRQ_PENDING_DISPLAY) == 0u)
            if (setting(SHOWS_HOSTILE) != 0u) keep_busy();
        reg_write(DISPLAY_IRQ_OFFSET, FIELD_PUT(1, DISPLAY_IRQ_BLANK));
        show(frame);
        reg_write(HOST_COMPLETE_TAIL_OFFSET, frame);
    }
    while (reg_read(DISPLAY_FRAME_OFFSET) == frames) {
        if (setting(SHOWS_HOSTILE) != 0u) keep_busy();
    }
    reg_write(DISPLAY_CONTROL_OFFSET, 0);
    while (FIELD_GET(reg_read(DISPLAY_STATUS_OFFSET), DISPLAY_STATUS_RUNNING)) continue;
    reg_write(HOST_BOOT_STATUS_OFFSET, 2);
    for (;;) continue;
}
