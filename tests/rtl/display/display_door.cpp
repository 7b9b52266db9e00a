// SPDX-License-Identifier: Apache-2.0
#include "display_door.h"

#include <cstdio>
#include <cstring>

#include "gpu_spec.h"

static uint32_t place_of(uint32_t address)
{
    bool first = address >> 28 == 1, second = address >> 28 == 2;
    uint32_t offset = address & 0x0fffffffu;
    if ((!first && !second) || offset >= display_door::SEGMENT_BYTES) return UINT32_MAX;
    return offset + (second ? display_door::SEGMENT_BYTES : 0u);
}

uint32_t read_memory(void *context, uint32_t address, uint32_t bytes)
{
    display_door *door = static_cast<display_door *>(context);
    uint32_t place = place_of(address), value = 0;
    if (place == UINT32_MAX) return 0;
    memcpy(&value, door->memory.data() + place, bytes);
    return value;
}

display_door::display_door(uint64_t seed)
    : random{seed * 0x9e3779b97f4a7c15u + 1}, memory(2 * SEGMENT_BYTES), top(new Vdisplay)
{
    for (uint8_t &byte : memory) byte = (uint8_t)random.next();
    top->rst = top->pixel_rst = 1;
    top->reg_write = 0, top->r_arready = 0, top->r_rvalid = 0;
    for (int i = 0; i < 40; i++) step();
    top->rst = top->pixel_rst = 0;
    run(8);
}

display_door::~display_door()
{
    top->final();
    delete top;
}

void display_door::fail(const char *what, uint64_t is, uint64_t should_be)
{
    if (failures++ < 8)
        printf("cycle %llu: %s is %llx, should be %llx\n", (unsigned long long)cycle, what, (unsigned long long)is,
               (unsigned long long)should_be);
}

void display_door::check(const char *what, uint64_t is, uint64_t should_be)
{
    if (is == should_be) passed++;
    else fail(what, is, should_be);
}

void display_door::take_burst(uint32_t address, uint32_t length)
{
    uint64_t when = cycle + latency + (jitter != 0 ? random.below(jitter) : 0);
    bursts.push_back({address, length + 1u, when});
    if (length > 15u || (address & 7u) != 0u) fail("burst", length, 15);
    if ((address & 127u) + 8u * (length + 1u) > 128u) fail("end of a burst", address, 0);
}

// At most one beat of the oldest burst.
void display_door::answer()
{
    top->r_rvalid = 0;
    if (bursts.empty() || bursts.front().when > cycle) return;
    burst &oldest = bursts.front();
    uint32_t place = place_of(oldest.address);
    top->r_rdata = 0;
    if (place == UINT32_MAX) outside++;
    else memcpy(&top->r_rdata, memory.data() + place, 8);
    top->r_rvalid = 1;
    oldest.address += 8;
    if (--oldest.beats == 0) bursts.pop_front();
}

void display_door::clock_edge()
{
    urgent_cycles += top->r_urgent;
    bool accepted = top->r_arvalid && top->r_arready;
    uint32_t address = top->r_araddr, length = top->r_arlen;
    top->clk = 1;
    top->eval();
    cycle++;
    if (accepted) take_burst(address, length);
    // Inputs of the next cycle.
    top->time_now = cycle;
    top->r_arready = random.below(100) >= stall_percent;
    answer();
    top->clk = 0;
    top->eval();
}

void display_door::end_of_line()
{
    if (in_line != 0) drawing.widths.push_back(in_line);
    in_line = 0;
}

void display_door::pixel_edge()
{
    top->pixel_clk = 1;
    top->eval();
    bool h = top->d_hsync == ((mode.polarity & 2u) != 0), v = top->d_vsync == ((mode.polarity & 4u) != 0);
    if (top->d_visible) {
        drawing.pixels.push_back(top->d_colour);
        in_line++;
    } else if (top->d_colour != 0) fail("colour outside the picture", top->d_colour, 0);
    since_hsync++;
    if (h && !hsync) {
        end_of_line();
        if (has_synced && since_hsync != mode.total) fail("pixels of a line", since_hsync, mode.total);
        since_hsync = 0;
        lines++;
    }
    if (!h && hsync && since_hsync != mode.sync_end - mode.sync) fail("pulse", since_hsync, mode.sync_end - mode.sync);
    if (v && !vsync) {
        if (has_synced && lines != mode.v_total) fail("lines of a frame", lines, mode.v_total);
        if (has_synced) frames.push_back(drawing);
        drawing = display_frame{};
        has_synced = true;
        lines = 0;
    }
    if (!v && vsync && lines != mode.v_sync_end - mode.v_sync) fail("lines of the pulse", lines, 0);
    hsync = h, vsync = v;
    top->pixel_clk = 0;
    top->eval();
}

void display_door::step()
{
    if (next_clock <= next_pixel || !(top->pixel_on || top->pixel_rst)) {
        now = next_clock;
        next_clock += period;
        if (next_pixel < now) next_pixel = now;
        clock_edge();
    } else {
        now = next_pixel;
        next_pixel += pixel_period;
        pixel_edge();
    }
}

void display_door::run(uint64_t cycles)
{
    for (uint64_t end = cycle + cycles; cycle < end;) step();
}

void display_door::write(uint32_t offset, uint32_t value)
{
    top->reg_write = 1, top->reg_offset = offset & 0xffu, top->reg_wdata = value;
    run(1);
    top->reg_write = 0;
}

uint32_t display_door::read(uint32_t offset)
{
    top->reg_offset = offset & 0xffu;
    top->eval();
    return top->reg_rdata;
}

void display_door::set_mode(const display_mode &wanted)
{
    mode = wanted;
    write(DISPLAY_H_SHOW_OFFSET, mode.sync << 16 | mode.visible);
    write(DISPLAY_H_LINE_OFFSET, mode.total << 16 | mode.sync_end);
    write(DISPLAY_V_SHOW_OFFSET, mode.v_sync << 16 | mode.v_visible);
    write(DISPLAY_V_LINE_OFFSET, mode.v_total << 16 | mode.v_sync_end);
    write(DISPLAY_LEAD_OFFSET, mode.lead);
    write(DISPLAY_CONTROL_OFFSET, mode.polarity);
}

void display_door::enable()
{
    has_synced = false;
    hsync = vsync = false;
    in_line = 0;
    drawing = display_frame{};
    frames.clear();
    write(DISPLAY_CONTROL_OFFSET, mode.polarity | 1u);
}

void display_door::disable()
{
    write(DISPLAY_CONTROL_OFFSET, mode.polarity);
    for (uint64_t end = cycle + 4000000; (read(DISPLAY_STATUS_OFFSET) & 1u) != 0u && cycle < end;) run(10);
    check("RUNNING after ENABLE 0", read(DISPLAY_STATUS_OFFSET) & 1u, 0);
}

void display_door::wait_frames(uint32_t count)
{
    uint32_t end = read(DISPLAY_FRAME_OFFSET) + count;
    for (uint64_t limit = cycle + 8000000; read(DISPLAY_FRAME_OFFSET) != end; run(1))
        if (cycle > limit) {
            fail("frames", read(DISPLAY_FRAME_OFFSET), end);
            return;
        }
}

void display_door::flip(bool overlay, const display_plane &plane, uint32_t when, uint32_t frame)
{
    write(DISPLAY_FLIP_ADDRESS_OFFSET, plane.address);
    write(DISPLAY_FLIP_FRAME_OFFSET, frame);
    write(DISPLAY_FLIP_PUSH_OFFSET, when << DISPLAY_FLIP_PUSH_WHEN_LSB |
                                        (overlay ? 1u << DISPLAY_FLIP_PUSH_OVERLAY_LSB : 0u) |
                                        plane.format << DISPLAY_FLIP_PUSH_FORMAT_LSB | plane.pitch);
}
