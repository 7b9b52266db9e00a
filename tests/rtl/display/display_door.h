// SPDX-License-Identifier: Apache-2.0
//
// The display unit with a memory, a monitor and a register port around it. Memory answers bursts in order, after a
// latency that a test sets. The monitor takes frames from the pixel's clock and checks the mode's timing.
#ifndef DISPLAY_DOOR_H
#define DISPLAY_DOOR_H

#include <cstdint>
#include <deque>
#include <vector>

#include "../random_source.h"
#include "Vdisplay.h"
extern "C" {
#include "display_picture.h"
}

struct display_mode {
    uint32_t visible, sync, sync_end, total;         // pixels of a line
    uint32_t v_visible, v_sync, v_sync_end, v_total; // lines
    uint32_t lead, polarity;                         // polarity: bits of CONTROL
};

struct display_frame {
    std::vector<uint32_t> pixels;
    std::vector<uint32_t> widths; // visible pixels of each line
};

class display_door
{
  public:
    explicit display_door(uint64_t seed);
    ~display_door();

    void write(uint32_t offset, uint32_t value);
    uint32_t read(uint32_t offset);
    void step();               // one edge, of the clock whose turn it is
    void run(uint64_t cycles); // of the chip's clock
    void set_mode(const display_mode &mode);
    void enable();
    void disable();                   // until the raster rests
    void wait_frames(uint32_t count); // until so many blanks later
    void flip(bool overlay, const display_plane &plane, uint32_t when, uint32_t frame = 0);
    void fail(const char *what, uint64_t is, uint64_t should_be);
    void check(const char *what, uint64_t is, uint64_t should_be);

    static constexpr uint32_t SEGMENT_BYTES = 1u << 20;
    random_source random;
    std::vector<uint8_t> memory; // segment 1, then segment 2
    uint32_t period = 10, pixel_period = 40;
    uint32_t latency = 5, jitter = 0, stall_percent = 0;
    uint64_t cycle = 0;
    uint32_t passed = 0, failures = 0;
    uint32_t urgent_cycles = 0, outside = 0, blanks = 0;
    std::deque<display_frame> frames; // whole ones, oldest first
    display_mode mode{};

  private:
    void clock_edge();
    void pixel_edge();
    void take_burst(uint32_t address, uint32_t length);
    void answer();
    void end_of_line();

    struct burst {
        uint32_t address, beats;
        uint64_t when;
    };
    Vdisplay *top;
    std::deque<burst> bursts;
    uint64_t now = 0, next_clock = 0, next_pixel = 0, last_answer = 0;
    bool hsync = false, vsync = false;
    uint32_t in_line = 0, since_hsync = 0, lines = 0;
    bool has_synced = false;
    display_frame drawing;
};

uint32_t read_memory(void *door, uint32_t address, uint32_t bytes);

#endif
