// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <cstring>

#include "gpu_spec.h"

static const display_mode MODE = {130, 140, 150, 240, 70, 71, 73, 76, 150, 0};

static void await(display_door &door, size_t frames)
{
    for (uint64_t limit = door.cycle + 4000000; door.frames.size() < frames && door.cycle < limit;) door.run(10);
    door.check("frames at the monitor", door.frames.size() >= frames, 1);
    if (door.frames.size() < frames) door.frames.resize(frames);
}

static display_picture plain(const display_mode &mode, uint32_t address)
{
    display_picture picture{};
    picture.width = mode.visible, picture.height = mode.v_visible;
    picture.primary = {address, mode.visible * 4, FORMAT_XRGB8888};
    return picture;
}

void case_registers(display_door &door)
{
    for (uint32_t offset = DISPLAY_BASE; offset < DISPLAY_BASE + 0x90u; offset += 4) {
        uint32_t value = offset == DISPLAY_PROMISE1_OFFSET   ? 400
                         : offset == DISPLAY_PROMISE2_OFFSET ? 100
                         : offset == DISPLAY_MIX_RATE_OFFSET ? 87
                                                             : 0;
        door.check("a register after reset", door.read(offset), value);
    }
    for (int i = 0; i < 6; i++) {
        door.flip(false, {0x10000000, 64, FORMAT_RGB565}, WHEN_NEXT);
        door.check("QUEUED", door.read(DISPLAY_STATUS_OFFSET) >> DISPLAY_STATUS_QUEUED_LSB, i < 4 ? i + 1 : 4);
    }
    door.write(DISPLAY_FLIP_DROP_OFFSET, 0);
    door.check("QUEUED after FLIP_DROP", door.read(DISPLAY_STATUS_OFFSET), 0);
    door.write(DISPLAY_CLOCK_OFFSET, 74250);
    door.check("CLOCK", door.read(DISPLAY_CLOCK_OFFSET), 74250);
    // Without a raster NOW is at once, and has no format.
    door.flip(false, {0x20001000, 64, FORMAT_RGB565}, WHEN_NOW);
    door.run(10);
    door.check("TAKEN", door.read(DISPLAY_TAKEN_OFFSET), 1);
    door.check("SHOWN_PRIMARY", door.read(DISPLAY_SHOWN_PRIMARY_OFFSET), 0);
    door.check("IRQ", door.read(DISPLAY_IRQ_OFFSET), 1u << DISPLAY_IRQ_FLIP_LSB);
    door.write(DISPLAY_IRQ_OFFSET, 3);
    door.check("IRQ cleared", door.read(DISPLAY_IRQ_OFFSET), 0);
}

// The timing stays while the raster runs; the monitor counts it.
void case_steady(display_door &door)
{
    door.set_mode(MODE);
    door.flip(false, {0x20000000, MODE.visible * 4, FORMAT_XRGB8888}, WHEN_NEXT);
    door.enable();
    await(door, 1);
    static const uint32_t TIMING[] = {DISPLAY_H_SHOW_OFFSET, DISPLAY_H_LINE_OFFSET, DISPLAY_V_SHOW_OFFSET,
                                      DISPLAY_V_LINE_OFFSET, DISPLAY_LEAD_OFFSET,   DISPLAY_CLOCK_OFFSET};
    for (uint32_t offset : TIMING) door.write(offset, 0x00400020);
    door.write(DISPLAY_CONTROL_OFFSET, 7);
    await(door, 3);
    door.check("CONTROL", door.read(DISPLAY_CONTROL_OFFSET), 1);
    compare(door, plain(MODE, 0x20000000), door.frames.back());
    door.disable();
    uint32_t frame = door.read(DISPLAY_FRAME_OFFSET);
    door.run(60000);
    door.check("FRAME while off", door.read(DISPLAY_FRAME_OFFSET), frame);
    door.set_mode({100, 104, 110, 200, 20, 21, 22, 24, 150, 6});
    door.enable();
    door.wait_frames(3);
    door.check("pixels of another mode", door.frames.back().pixels.size(), 2000);
    door.disable();
}

// One change, between two lines.
void case_now(display_door &door)
{
    uint32_t bytes = MODE.visible * 4, old = 0x10000000, latest = 0x20004000;
    memset(door.memory.data(), 0x11, display_door::SEGMENT_BYTES);
    memset(door.memory.data() + display_door::SEGMENT_BYTES, 0x22, display_door::SEGMENT_BYTES);
    door.set_mode(MODE);
    door.flip(false, {old, bytes, FORMAT_XRGB8888}, WHEN_NEXT);
    door.enable();
    await(door, 1);
    for (uint32_t taken = 1; taken < 12; taken++) {
        size_t had = door.frames.size();
        while (door.read(DISPLAY_SCAN_OFFSET) != 2 + 4 * taken) door.run(1);
        door.flip(false, {taken % 2 != 0 ? latest : old, 7, FORMAT_INDEX8}, WHEN_NOW);
        await(door, had + 1);
        const display_frame &frame = door.frames[had];
        uint32_t changes = 0, mixed = 0;
        for (size_t i = 1; i < frame.pixels.size(); i++)
            if (frame.pixels[i] != frame.pixels[i - 1]) changes++, mixed += i % MODE.visible != 0;
        door.check("changes in a frame that tears", changes, 1);
        door.check("of them inside a line", mixed, 0);
        door.check("TAKEN", door.read(DISPLAY_TAKEN_OFFSET), taken + 1);
        door.check("SHOWN_PRIMARY", door.read(DISPLAY_SHOWN_PRIMARY_OFFSET), taken % 2 != 0 ? latest : old);
    }
    door.disable();
}

// A memory that is too slow: every pixel is right or black, MISSED counts the black ones, and the next frame that is
// in time is whole.
void case_late(display_door &door)
{
    for (uint8_t &byte : door.memory) byte |= 1;
    display_picture picture = plain(MODE, 0x20000000);
    door.set_mode(MODE);
    door.flip(false, picture.primary, WHEN_NEXT);
    door.enable();
    await(door, 2);
    uint32_t black = 0, wrong = 0;
    for (uint32_t latency : {300u, 900u, 5000u, 200000u, 20u}) {
        door.latency = latency, door.jitter = latency / 2 + 1;
        await(door, door.frames.size() + 3);
    }
    for (const display_frame &frame : door.frames)
        for (uint32_t i = 0; i < frame.pixels.size(); i++) {
            uint32_t x = i % MODE.visible, y = i / MODE.visible;
            if (frame.pixels[i] == 0) black++;
            else wrong += frame.pixels[i] != display_pixel(&picture, x, y, read_memory, &door);
        }
    door.check("pixels that are neither right nor black", wrong, 0);
    door.check("some are black", black > 0, 1);
    door.check("MISSED", door.read(DISPLAY_MISSED_OFFSET), black & ~3u);
    door.check("cycles in which it was urgent", door.urgent_cycles > 0, 1);
    compare(door, picture, door.frames.back());
    door.disable();
}

// The cursor at all edges and corners, alone and over the overlay.
void case_cursor(display_door &door)
{
    display_picture picture = plain(MODE, 0x10000000);
    picture.cursor_image = 0x20008000;
    picture.overlay = {0x20010002, 2 * MODE.visible, FORMAT_RGB565};
    picture.overlay_x = 3, picture.overlay_y = 5, picture.overlay_width = 400, picture.overlay_height = 20;
    picture.alpha = 128;
    door.set_mode(MODE);
    door.write(DISPLAY_OVERLAY_PLACE_OFFSET, 5u << 16 | 3u);
    door.write(DISPLAY_OVERLAY_SIZE_OFFSET, 20u << 16 | 400u);
    door.write(DISPLAY_OVERLAY_MIX_OFFSET, 128u << 24);
    door.write(DISPLAY_OVERLAY_MODE_OFFSET, 0);
    door.write(DISPLAY_CURSOR_IMAGE_OFFSET, picture.cursor_image);
    door.flip(false, picture.primary, WHEN_NEXT);
    door.flip(true, picture.overlay, WHEN_NEXT);
    door.enable();
    int32_t right = (int32_t)MODE.visible, down = (int32_t)MODE.v_visible;
    const int32_t columns[] = {-32768, -65, -64, -63, -1, 0, 1, right - 65, right - 64, right - 1, right, 32767};
    const int32_t rows[] = {-32768, -64, -63, 0, down - 64, down - 1, down, 32767};
    size_t seen = 0;
    door.wait_frames(1);
    for (int32_t x : columns)
        for (int32_t y : rows) {
            picture.cursor_x = x, picture.cursor_y = y;
            door.write(DISPLAY_CURSOR_PLACE_OFFSET, (uint32_t)y << 16 | (uint16_t)x);
            await(door, ++seen);
            compare(door, picture, door.frames.back());
        }
    door.disable();
}

// Flips at any time: each frame is whole, the old one's or the new one's, and the new one's if it came in time.
void case_any_time(display_door &door, uint32_t flips)
{
    const display_mode mode = {32, 34, 36, 70, 6, 7, 8, 10, 40, 0};
    display_picture old = plain(mode, 0x10000000), latest = old;
    door.set_mode(mode);
    door.flip(false, old.primary, WHEN_NEXT);
    door.enable();
    door.wait_frames(2);
    uint32_t late = 0, torn = 0;
    for (uint32_t i = 0; i < flips; i++) {
        latest.primary.address = 0x10000000 + door.random.below(1000) * 128;
        door.run(door.random.below(mode.total * mode.v_total * door.pixel_period / door.period));
        uint32_t taken = door.read(DISPLAY_TAKEN_OFFSET);
        door.flip(false, latest.primary, WHEN_NEXT);
        // What the next blank takes is shown whole; a flip later than that has to wait for one more.
        uint64_t pushed = door.cycle;
        uint32_t before = door.read(DISPLAY_FRAME_OFFSET);
        while (door.read(DISPLAY_TAKEN_OFFSET) == taken && door.cycle < pushed + 100000) door.run(1);
        if (door.read(DISPLAY_FRAME_OFFSET) - before > 1) late++;
        size_t number = door.frames.size() + 1;
        await(door, number);
        for (uint32_t p = 0; p < mode.visible * mode.v_visible; p++)
            if (door.frames.back().pixels[p] !=
                display_pixel(&latest, p % mode.visible, p / mode.visible, read_memory, &door)) {
                torn++;
                break;
            }
        door.frames.clear();
    }
    door.check("frames that are not whole", torn, 0);
    door.check("flips that were late", late, 0);
    door.check("MISSED", door.read(DISPLAY_MISSED_OFFSET), 0);
    door.disable();
}
