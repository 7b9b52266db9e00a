// SPDX-License-Identifier: Apache-2.0
//
// The display unit against model/display_picture.c: every pixel of every frame. Modes, planes, overlay and cursor are
// random, and the model takes the flips when the unit has to. Then the cases of cases.cpp. Usage: test_display [seed]
// [rounds]. Ends with "N passed, N failed".
#include <cstdio>
#include <cstdlib>

#include "cases.h"
#include "gpu_spec.h"

static const display_mode SMALL = {200, 210, 222, 260, 12, 13, 15, 18, 200, 0};

// ---------------------------------------------------------------- what the unit should show
struct model_entry {
    bool is_overlay;
    display_plane plane;
    uint32_t when, frame;
};

struct model {
    display_picture shown{}, written{};
    std::deque<model_entry> queue;
    uint32_t taken = 0;

    // Before the frame that follows blank `frame`.
    void take(uint32_t frame)
    {
        bool used[2] = {};
        while (!queue.empty()) {
            model_entry &entry = queue.front();
            display_plane &plane = entry.is_overlay ? shown.overlay : shown.primary;
            if (entry.when == WHEN_NOW) plane.address = entry.plane.address;
            else {
                bool is_due = entry.when == WHEN_NEXT || (int32_t)(frame - entry.frame) >= 0;
                if (!is_due || used[entry.is_overlay]) break;
                plane = entry.plane;
                used[entry.is_overlay] = true;
                if (entry.is_overlay) place_overlay();
            }
            taken++;
            queue.pop_front();
        }
        shown.cursor_image = written.cursor_image;
        shown.cursor_x = written.cursor_x, shown.cursor_y = written.cursor_y;
        for (int i = 0; i < 256; i++) shown.palette[i] = written.palette[i];
    }
    void place_overlay()
    {
        shown.overlay_x = written.overlay_x, shown.overlay_y = written.overlay_y;
        shown.overlay_width = written.overlay_width, shown.overlay_height = written.overlay_height;
        shown.is_keyed = written.is_keyed, shown.key = written.key, shown.alpha = written.alpha;
    }
    bool has_overlay() const
    {
        for (const model_entry &entry : queue)
            if (entry.is_overlay) return true;
        return false;
    }
};

void compare(display_door &door, const display_picture &picture, const display_frame &frame)
{
    door.check("pixels of a frame", frame.pixels.size(), picture.width * picture.height);
    if (frame.pixels.size() != picture.width * picture.height) return;
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            uint32_t is = frame.pixels[y * picture.width + x];
            uint32_t should_be = display_pixel(&picture, x, y, read_memory, &door);
            if (is != should_be) {
                printf("pixel %u, %u: ", x, y);
                door.fail("colour", is, should_be);
                return;
            }
        }
    door.passed++;
}

// ---------------------------------------------------------------- random pictures
static uint32_t random_address(display_door &door, uint32_t bytes, uint32_t unit)
{
    uint32_t segment = door.random.chance(50) ? GPU_LIMIT(ADDR_SEGMENT1) : GPU_LIMIT(ADDR_SEGMENT2);
    return segment + door.random.below((display_door::SEGMENT_BYTES - bytes) / unit) * unit;
}

static display_plane random_plane(display_door &door, uint32_t width, uint32_t height, bool is_overlay)
{
    static const uint32_t FORMATS[] = {FORMAT_XRGB8888, FORMAT_RGB565, FORMAT_INDEX8};
    display_plane plane{};
    plane.format = door.random.chance(12) ? (uint32_t)FORMAT_BYTES : FORMATS[door.random.below(is_overlay ? 2 : 3)];
    uint32_t bytes = plane.format == FORMAT_XRGB8888 ? 4 : plane.format == FORMAT_RGB565 ? 2 : 1;
    plane.pitch = (width + door.random.below(70)) * bytes;
    plane.address = random_address(door, plane.pitch * height + 8, bytes);
    return plane;
}

static void write_overlay(display_door &door, model &model)
{
    display_picture &picture = model.written;
    picture.overlay_width = 1 + door.random.below(picture.width);
    picture.overlay_height = 1 + door.random.below(picture.height);
    picture.overlay_x = door.random.below(picture.width), picture.overlay_y = door.random.below(picture.height);
    picture.is_keyed = door.random.below(2), picture.alpha = door.random.chance(30) ? 255 : door.random.below(256);
    picture.key = door.random.next() & 0xffffff;
    door.write(DISPLAY_OVERLAY_PLACE_OFFSET, picture.overlay_y << 16 | picture.overlay_x);
    door.write(DISPLAY_OVERLAY_SIZE_OFFSET, picture.overlay_height << 16 | picture.overlay_width);
    door.write(DISPLAY_OVERLAY_MIX_OFFSET, picture.alpha << 24 | picture.key);
    door.write(DISPLAY_OVERLAY_MODE_OFFSET, picture.is_keyed);
}

static void write_cursor(display_door &door, display_picture &picture, int32_t x, int32_t y)
{
    picture.cursor_image = random_address(door, 64 * 64 * 4, 256);
    picture.cursor_x = x, picture.cursor_y = y;
    door.write(DISPLAY_HOLD_OFFSET, 1);
    door.write(DISPLAY_CURSOR_IMAGE_OFFSET, picture.cursor_image);
    door.write(DISPLAY_CURSOR_PLACE_OFFSET, (uint32_t)(uint16_t)y << 16 | (uint16_t)x);
    door.write(DISPLAY_HOLD_OFFSET, 0);
}

static void write_palette(display_door &door, display_picture &picture)
{
    for (uint32_t i = 0; i < 256; i++) {
        picture.palette[i] = door.random.next() & 0xffffff;
        door.write(DISPLAY_PALETTE_OFFSET, i << 24 | picture.palette[i]);
    }
}

static void random_flip(display_door &door, model &model)
{
    if (model.queue.size() == 4) return;
    bool is_overlay = door.random.chance(40);
    if (is_overlay && !model.has_overlay()) write_overlay(door, model);
    model_entry entry{is_overlay, {}, door.random.chance(60) ? (uint32_t)WHEN_NEXT : (uint32_t)WHEN_FRAME, 0};
    uint32_t height = model.shown.height, width = model.shown.width;
    if (is_overlay) width = model.written.overlay_width, height = model.written.overlay_height;
    entry.plane = random_plane(door, width, height, is_overlay);
    entry.frame = door.read(DISPLAY_FRAME_OFFSET) + door.random.below(4) - 1;
    model.queue.push_back(entry);
    door.flip(is_overlay, entry.plane, entry.when, entry.frame);
    door.check("QUEUED", door.read(DISPLAY_STATUS_OFFSET) >> DISPLAY_STATUS_QUEUED_LSB, model.queue.size());
}

static display_mode random_mode(display_door &door)
{
    display_mode mode{};
    mode.visible = 2 + 2 * door.random.below(150);
    mode.sync = mode.visible + 1 + door.random.below(20);
    mode.sync_end = mode.sync + 1 + door.random.below(20);
    mode.lead = mode.visible > 120 ? 120 : 60;
    mode.total = mode.sync_end + 80 + door.random.below(20);
    mode.v_visible = 1 + door.random.below(20);
    mode.v_sync = mode.v_visible + 1 + door.random.below(3);
    mode.v_sync_end = mode.v_sync + 1 + door.random.below(3);
    mode.v_total = mode.v_sync_end + 1 + door.random.below(3);
    mode.polarity = door.random.below(4) << 1;
    return mode;
}

// A mode, and frames in it. What is written in a frame's first lines is taken before the next one.
static void run_mode(display_door &door, const display_mode &mode, uint32_t count)
{
    model model;
    model.shown.width = model.written.width = mode.visible;
    model.shown.height = model.written.height = mode.v_visible;
    door.write(DISPLAY_FLIP_DROP_OFFSET, 1);
    door.set_mode(mode);
    door.check("MISSED", door.read(DISPLAY_MISSED_OFFSET), 0);
    uint32_t before = door.read(DISPLAY_TAKEN_OFFSET);
    // Planes of the mode before.
    model.queue.push_back({false, random_plane(door, mode.visible, mode.v_visible, false), WHEN_NEXT, 0});
    model.queue.push_back({true, {}, WHEN_NEXT, 0});
    write_overlay(door, model);
    for (const model_entry &entry : model.queue) door.flip(entry.is_overlay, entry.plane, entry.when);
    uint32_t first = door.read(DISPLAY_FRAME_OFFSET);
    door.enable();
    door.wait_frames(1);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || door.random.chance(30)) write_palette(door, model.written);
        if (i == 0 || door.random.chance(70))
            write_cursor(door, model.written, (int32_t)door.random.below(mode.visible + 160) - 80,
                         (int32_t)door.random.below(mode.v_visible + 160) - 80);
        while (door.random.chance(60)) random_flip(door, model);
        door.check("IN_BLANK", door.read(DISPLAY_STATUS_OFFSET) >> DISPLAY_STATUS_IN_BLANK_LSB & 1u, 1);
        model.take(door.read(DISPLAY_FRAME_OFFSET));
        size_t number = door.read(DISPLAY_FRAME_OFFSET) - first;
        uint32_t line = door.read(DISPLAY_SCAN_OFFSET);
        door.check("SCAN in the blank", line >= mode.v_visible && line < mode.v_total, 1);
        door.wait_frames(1);
        // Synchronisation ends the frame for the monitor.
        for (uint64_t limit = door.cycle + 400000; door.frames.size() < number && door.cycle < limit;) door.run(10);
        if (door.frames.size() != number) {
            door.fail("frames at the monitor", door.frames.size(), number);
            return;
        }
        compare(door, model.shown, door.frames.back());
        if (model.taken != door.read(DISPLAY_TAKEN_OFFSET) - before) printf("frame %u: ", i);
        door.check("TAKEN", door.read(DISPLAY_TAKEN_OFFSET) - before, model.taken);
        door.check("SHOWN_PRIMARY", door.read(DISPLAY_SHOWN_PRIMARY_OFFSET),
                   model.shown.primary.format == FORMAT_BYTES ? 0 : model.shown.primary.address);
    }
    door.check("MISSED", door.read(DISPLAY_MISSED_OFFSET), 0);
    door.disable();
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
    uint32_t rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 30;
    uint32_t passed = 0, failures = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        display_door door(seed + i);
        door.pixel_period = 37 + door.random.below(40);
        door.latency = 3 + door.random.below(20), door.jitter = door.random.below(20);
        door.stall_percent = 20 * door.random.below(3);
        run_mode(door, i == 0 ? SMALL : random_mode(door), 6);
        passed += door.passed, failures += door.failures;
        if (door.failures != 0) printf("seed %llu\n", (unsigned long long)(seed + i));
    }
    void (*const cases[])(display_door &) = {case_registers, case_steady, case_now, case_late, case_cursor};
    for (uint32_t i = 0; i < 5; i++) {
        display_door door(seed);
        cases[i](door);
        passed += door.passed, failures += door.failures;
        if (door.failures != 0) printf("case %u\n", i);
    }
    display_door door(seed);
    case_any_time(door, 20 * rounds);
    passed += door.passed, failures += door.failures;
    printf("%u passed, %u failed\n", passed, failures);
    return failures != 0;
}
