// SPDX-License-Identifier: Apache-2.0
//
// Random packet streams for the node bench. A generator knows which physical pages each packet reads and
// writes, so it sets BARRIER exactly where a packet reads what an earlier one may still be writing; it
// keeps the bindings and the aperture's frames as they will be when a packet executes.
#ifndef NODE_STREAMS_H
#define NODE_STREAMS_H

#include <cstdint>
#include <set>
#include <vector>

#include "bench.h"
extern "C" {
#include "engine_model.h"
}

typedef std::vector<uint32_t> packet;

struct area {
    uint32_t address, bytes;
};

class generator
{
  public:
    enum { SEGMENT_PAGES = 4, APERTURE_PAGES = 16, SYSTEM_PAGES = 16, DUMMY = 15 };

    generator(random_source &source, unsigned node) : random(source), node(node)
    {
        for (unsigned i = 0; i < APERTURE_PAGES; i++) frames[i] = DUMMY;
    }

    random_source &random;
    unsigned node;
    uint32_t frames[APERTURE_PAGES];
    // Pages this generator may touch: physical numbers 0.. segment 1, 4.. segment 2, 8.. system frames.
    bool may_touch[8 + SYSTEM_PAGES] = {};
    bool may_use_system = true; // addresses of system memory itself (privileged only)
    bool may_map = true;
    unsigned first_map = 0, map_count = APERTURE_PAGES;

    // A packet that is legal in an unprivileged RUN.
    packet user()
    {
        switch (random.below(12)) {
        case 0: return {PKT_NOP};
        case 1: return fill();
        case 2:
        case 3: return copy();
        case 4: return copy_2d();
        case 5: return tile();
        case 6:
        case 7: return bind();
        case 8:
        case 9: return fill_rect();
        default: return blit();
        }
    }
    // A packet for rings and privileged RUNs, other than RUN and WAIT_FENCE.
    packet ring()
    {
        switch (random.below(10)) {
        case 0: return fence(random.next(), false);
        case 1: return may_map ? map() : packet{PKT_NOP};
        case 2: return may_map ? unmap() : packet{PKT_NOP};
        case 3: return touch();
        default: return user();
        }
    }
    packet fence(uint32_t value, bool interrupt)
    {
        dirty.clear(); // a FENCE is a barrier
        return {PKT_FENCE | (uint32_t)interrupt << PKT_FENCE_INTERRUPT_LSB, value};
    }
    packet guard(uint32_t first, uint32_t count, bool read, bool write)
    {
        if (count != 0) dirty.clear();
        return {PKT_GUARD | (uint32_t)read << PKT_GUARD_READ_LSB | (uint32_t)write << PKT_GUARD_WRITE_LSB, first,
                count};
    }
    // No binding survives (after RESET).
    void forget()
    {
        for (binding &b : bindings) b = binding{};
        dirty.clear();
    }

    packet copy()
    {
        area source = pick(), target = pick();
        uint32_t bytes = std::min(std::min(source.bytes, target.bytes), length());
        if (!separate({source.address, bytes}, {target.address, bytes})) return fill();
        uint32_t flags = random.chance(20) ? 1u << PKT_COPY_REVERSE_LSB : 0;
        return {PKT_COPY | flags | order({source.address, bytes}, {target.address, bytes}) << PKT_COPY_BARRIER_LSB,
                source.address, target.address, bytes};
    }
    packet fill()
    {
        area target = pick();
        uint32_t bytes = std::min(target.bytes, length());
        return {PKT_FILL | order({0, 0}, {target.address, bytes}) << PKT_FILL_BARRIER_LSB, target.address, bytes,
                random.next()};
    }
    packet copy_2d()
    {
        area source = pick(), target = pick();
        uint32_t row_bytes = random.below(90), rows = random.below(6);
        uint32_t source_pitch = row_bytes + random.below(100), target_pitch = row_bytes + random.below(100);
        uint32_t moved = row_bytes ? rows : 0;
        area reads = {source.address, moved * source_pitch}, writes = {target.address, moved * target_pitch};
        if (reads.bytes > source.bytes || writes.bytes > target.bytes || !separate(reads, writes)) return {PKT_NOP};
        uint32_t flags = random.chance(20) ? 1u << PKT_COPY_2D_REVERSE_LSB : 0;
        return {PKT_COPY_2D | flags | order(reads, writes) << PKT_COPY_2D_BARRIER_LSB, source.address, target.address,
                row_bytes | rows << 16, source_pitch | target_pitch << 16};
    }
    packet tile()
    {
        uint32_t row_bytes = 32 * random.below(4), rows = 8 * random.below(3), pitch = row_bytes + 8 * random.below(8);
        bool untile = random.chance(50);
        area tiled = pick(), linear = pick();
        tiled.address &= ~255u, linear.address &= ~7u;
        tiled.bytes &= ~255u, linear.bytes &= ~7u;
        area in_tiles = {tiled.address, row_bytes * rows}, in_rows = {linear.address, row_bytes ? rows * pitch : 0};
        if (in_tiles.bytes > tiled.bytes || in_rows.bytes > linear.bytes || !separate(in_tiles, in_rows))
            return {PKT_NOP};
        return {PKT_TILE | (uint32_t)untile << PKT_TILE_UNTILE_LSB |
                    order(untile ? in_tiles : in_rows, untile ? in_rows : in_tiles) << PKT_TILE_BARRIER_LSB,
                untile ? tiled.address : linear.address, untile ? linear.address : tiled.address,
                row_bytes | rows << 16, pitch};
    }
    packet touch()
    {
        area at = pick();
        uint32_t bytes = 1 + random.below(8), write = random.below(2);
        if (at.bytes < bytes) return {PKT_NOP};
        if (write) order({0, 0}, {at.address, bytes});
        else dirty.clear();
        return {PKT_TOUCH | write << PKT_TOUCH_WRITE_LSB | bytes << PKT_TOUCH_BYTES_LSB, at.address};
    }
    packet map()
    {
        uint32_t first = first_map + random.below(map_count), count = random.below(first_map + map_count - first + 1);
        uint32_t frame = pick_frame(), coherent = random.below(2);
        while (count > 0 && !frames_allowed(frame, count)) count--;
        for (uint32_t i = 0; i < count; i++) frames[first + i] = frame + i;
        if (count != 0) dirty.clear(); // no pages: it waits for nothing
        return {PKT_MAP | coherent << PKT_MAP_COHERENT_LSB, first, count, frame};
    }
    packet unmap()
    {
        uint32_t first = first_map + random.below(map_count), count = random.below(first_map + map_count - first + 1);
        uint32_t frame = pick_frame();
        for (uint32_t i = 0; i < count; i++) frames[first + i] = frame;
        if (count != 0) dirty.clear();
        return {PKT_UNMAP, first, count, frame};
    }
    packet bind()
    {
        uint32_t slot = random.below(6), format = random.below(8);
        area surface = pick();
        uint32_t pitch = 64 + 4 * random.below(24), bytes = surface.bytes & ~3u;
        surface.address &= ~3u;
        if (random.chance(5)) surface.address = 0;
        if (bytes < pitch) return {PKT_NOP};
        slot = slot * 63 / 5; // both ends of the table
        bindings[slot] = {surface.address, pitch, format, bytes};
        return {PKT_BIND | slot << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB, surface.address, pitch, bytes};
    }
    packet fill_rect()
    {
        uint32_t slot = random.below(6) * 63 / 5, x, y, width, height;
        if (!rectangle(slot, 16, 16, &x, &y, &width, &height)) return bind();
        if (node == 1 && bindings[slot].format == FORMAT_RGB888) return bind(); // no pixel path there
        area writes = rows_of(slot, x, y, width, height);
        return {PKT_FILL_RECT | slot << PKT_FILL_RECT_TARGET_LSB | order({0, 0}, writes) << PKT_FILL_RECT_BARRIER_LSB,
                x | y << 16, width | height << 16, random.next()};
    }
    packet blit()
    {
        uint32_t target = random.below(6) * 63 / 5, source = random.below(6) * 63 / 5, x, y, width, height, sx, sy;
        if (!rectangle(target, 16, 16, &x, &y, &width, &height)) return bind();
        if (node == 0 && random.chance(30)) return affine(target, source, {x | y << 16, width | height << 16});
        if (!rectangle(source, width, height, &sx, &sy, &width, &height)) return bind();
        area reads = rows_of(source, sx, sy, width, height), writes = rows_of(target, x, y, width, height);
        if (!separate(reads, writes)) return {PKT_NOP};
        uint32_t from = bindings[source].format, to = bindings[target].format, mode = random.below(6);
        bool raw = from == FORMAT_BYTES || to == FORMAT_BYTES || to == FORMAT_A8 || to == FORMAT_INDEX8;
        if (raw && from != to) return bind();
        if (node == 1) mode = BLIT_COPY; // the paging node has no pixel path
        if (node == 1 && from != to) return bind();
        if ((raw && mode != BLIT_ROP) || (mode == BLIT_ROP && (from != to || from == FORMAT_RGB888))) mode = BLIT_COPY;
        if (mode == BLIT_KEY && from == FORMAT_A8) mode = BLIT_BLEND;
        bool computes = mode == BLIT_BLEND || mode == BLIT_ADD || mode == BLIT_MOD;
        uint32_t flags = computes ? random.below(2) << PKT_BLIT_PREMULTIPLIED_LSB : 0;
        if (node == 0 && !raw && (computes || mode == BLIT_COPY))
            flags |= random.below(2) << PKT_BLIT_COLOURED_LSB | (from != FORMAT_A8 && random.chance(30))
                                                                    << PKT_BLIT_KEYED_LSB;
        if (node == 0 && mode != BLIT_ROP && random.chance(30))
            flags |= (1u + random.below(3)) << PKT_BLIT_TRUNCATED_LSB;
        if (mode == BLIT_COPY && from == to && (flags == 0) && random.chance(30)) flags |= 1u << PKT_BLIT_REVERSE_LSB;
        if (mode != BLIT_COPY && mode != BLIT_KEY) reads_also = writes;
        packet result = colours(from, to);
        uint32_t barrier = order(reads, writes);
        packet drawn = {PKT_BLIT | target << PKT_BLIT_TARGET_LSB | source << PKT_BLIT_SOURCE_LSB |
                            mode << PKT_BLIT_MODE_LSB | flags | barrier << PKT_BLIT_BARRIER_LSB,
                        x | y << 16,
                        sx | sy << 16,
                        width | height << 16,
                        computes && random.chance(50) ? random.next() | 255 : random.next(),
                        mode == BLIT_ROP ? random.below(256) : random.below(4) << PKT_BLIT_KEY_LSB};
        result.insert(result.end(), drawn.begin(), drawn.end());
        return result;
    }
    // A palette for a draw that needs one: from where the guard grants reads, if anything else.
    packet colours(uint32_t from, uint32_t to)
    {
        if (from != FORMAT_INDEX8 || to == FORMAT_INDEX8) return {};
        bool may_use_system_too = may_use_system;
        may_use_system = false;
        area at = pick();
        may_use_system = may_use_system_too;
        uint32_t skip = (256 - at.address % 256) % 256;
        if (at.bytes < skip + LIMIT_BITS_PALETTE_BYTES) at.address &= ~4095u, skip = 0;
        dirty.clear(); // it waits for everything before
        return {PKT_PALETTE, at.address + skip};
    }

    // `where`: the target's corner and size.
    packet affine(uint32_t target, uint32_t source, packet where)
    {
        uint32_t sx, sy, columns, rows, width = where[1] & 0xffff, height = where[1] >> 16;
        if (!rectangle(source, 16, 16, &sx, &sy, &columns, &rows) || columns == 0 || rows == 0) return bind();
        area reads = rows_of(source, sx, sy, columns, rows);
        area writes = rows_of(target, where[0] & 0xffff, where[0] >> 16, width, height);
        uint32_t from = bindings[source].format, to = bindings[target].format, mode = random.below(6);
        if (!separate(reads, writes)) return {PKT_NOP};
        if (from == FORMAT_BYTES || to == FORMAT_BYTES || to == FORMAT_A8 || to == FORMAT_INDEX8) return bind();
        if (mode == BLIT_ROP || (mode == BLIT_KEY && from == FORMAT_A8)) mode = BLIT_COPY;
        uint32_t flags = random.below(2) << PKT_BLIT_AFFINE_TRANSPARENT_LSB, filtered = 0;
        if (flags == 0) flags = random.below(2) << PKT_BLIT_AFFINE_REPEAT_LSB;
        if (mode != BLIT_KEY) flags |= random.below(2) << PKT_BLIT_AFFINE_COLOURED_LSB;
        if (mode != BLIT_KEY && from != FORMAT_A8) flags |= random.below(2) << PKT_BLIT_AFFINE_KEYED_LSB;
        if (mode != BLIT_COPY && mode != BLIT_KEY) reads_also = writes;
        if (from != FORMAT_RGB888 && from != FORMAT_INDEX8 && mode != BLIT_KEY &&
            (flags >> PKT_BLIT_AFFINE_KEYED_LSB & 1) == 0)
            filtered = random.below(2) << PKT_BLIT_AFFINE_BILINEAR_LSB;
        packet before = colours(from, to);
        flags |= order(reads, writes) << PKT_BLIT_AFFINE_BARRIER_LSB;
        packet result = {PKT_BLIT_AFFINE | target << PKT_BLIT_AFFINE_TARGET_LSB | source << PKT_BLIT_AFFINE_SOURCE_LSB |
                             mode << PKT_BLIT_AFFINE_MODE_LSB | flags,
                         where[0],
                         sx | sy << 16,
                         where[1],
                         random.next() | 255,
                         random.below(4) << PKT_BLIT_AFFINE_KEY_LSB | filtered,
                         columns | rows << 16};
        for (unsigned i = 0; i < 6; i++)
            result.push_back(random.chance(20) ? random.next() : random.below(0x60000) - 0x30000);
        result.insert(result.begin(), before.begin(), before.end());
        return result;
    }

    // Pages an area lies in, as physical numbers.
    std::set<unsigned> pages(area a) const
    {
        std::set<unsigned> result;
        for (uint32_t page = a.address >> 12; a.bytes && page <= (a.address + a.bytes - 1) >> 12; page++) {
            uint32_t number = page & 0xffff;
            switch (page >> 16) {
            case 1: result.insert(number); break;
            case 2: result.insert(4 + number); break;
            case 3: result.insert(8 + frames[number]); break;
            default: result.insert(8 + number); break;
            }
        }
        return result;
    }
    std::set<unsigned> written; // by all packets so far

  private:
    struct binding {
        uint32_t address, pitch, format, bytes;
    };
    binding bindings[64] = {};
    std::set<unsigned> dirty; // written, and no barrier since
    area reads_also = {0, 0};

    uint32_t length() { return random.chance(20) ? random.below(9000) : random.below(300); }

    // An address anywhere this generator may touch, with the bytes to the end of what it may touch there.
    area pick()
    {
        for (;;) {
            unsigned space = random.below(may_use_system ? 4 : 3), page, count;
            uint32_t base;
            if (space == 0) base = 0x10000000, count = SEGMENT_PAGES;
            else if (space == 1) base = 0x20000000, count = SEGMENT_PAGES;
            else if (space == 2) base = 0x30000000, count = APERTURE_PAGES;
            else base = 0x80000000, count = SYSTEM_PAGES;
            page = random.below(count);
            uint32_t bytes = 0;
            while (page + bytes / 4096 < count && allowed(base + page * 4096 + bytes)) bytes += 4096;
            if (bytes == 0) continue;
            uint32_t skip = random.chance(30) ? 4096 - random.below(40) : random.below(4096);
            if (skip >= bytes) skip = 0;
            return {base + page * 4096 + skip, bytes - skip};
        }
    }
    bool allowed(uint32_t address) const
    {
        for (unsigned page : pages({address, 1}))
            if (!may_touch[page]) return false;
        return true;
    }
    uint32_t pick_frame()
    {
        for (;;) {
            uint32_t frame = random.below(SYSTEM_PAGES);
            if (may_touch[8 + frame]) return frame;
        }
    }
    bool frames_allowed(uint32_t frame, uint32_t count) const
    {
        for (uint32_t i = 0; i < count; i++)
            if (frame + i >= SYSTEM_PAGES || !may_touch[8 + frame + i]) return false;
        return true;
    }
    bool separate(area a, area b) const
    {
        std::set<unsigned> other = pages(b);
        for (unsigned page : pages(a))
            if (other.count(page)) return false;
        // Two aperture pages on one frame: the order inside one packet is not defined.
        return pages(b).size() == (b.bytes ? ((b.address + b.bytes - 1) >> 12) - (b.address >> 12) + 1 : 0);
    }
    uint32_t order(area reads, area writes)
    {
        bool barrier = random.chance(10);
        for (unsigned page : pages(reads)) barrier |= dirty.count(page) != 0;
        for (unsigned page : pages(reads_also)) barrier |= dirty.count(page) != 0;
        reads_also = {0, 0};
        if (barrier && writes.bytes != 0) dirty.clear(); // what writes nothing does nothing: it waits for nothing
        for (unsigned page : pages(writes)) dirty.insert(page), written.insert(page);
        return barrier;
    }
    uint32_t unit(uint32_t slot) const
    {
        static const uint8_t bytes[] = {1, 2, 4, 4, 3, 2, 1, 1}; // in the order of the FORMAT group
        return bytes[bindings[slot].format];
    }
    // A rectangle inside the surface of a slot, rows not overlapping.
    bool rectangle(uint32_t slot, uint32_t most_width, uint32_t most_height, uint32_t *x, uint32_t *y, uint32_t *width,
                   uint32_t *height)
    {
        const binding &b = bindings[slot];
        if (b.address == 0 || (b.address >= 0x80000000u && !may_use_system)) return false;
        uint32_t lines = b.bytes / b.pitch, units = b.pitch / unit(slot);
        if (lines == 0) return false;
        *width = random.chance(5) ? 0 : std::min(1 + random.below(16), std::min(most_width, units));
        *height = random.chance(5) ? 0 : std::min(1 + random.below(8), std::min(most_height, lines));
        *x = random.below(units - *width + 1);
        *y = random.below(lines - *height + 1);
        if (random.chance(20)) *x = units - *width, *y = lines - *height;
        return true;
    }
    area rows_of(uint32_t slot, uint32_t x, uint32_t y, uint32_t width, uint32_t height) const
    {
        if (width == 0 || height == 0) return {0, 0};
        const binding &b = bindings[slot];
        return {b.address + y * b.pitch + x * unit(slot), (height - 1) * b.pitch + width * unit(slot)};
    }
};

#endif
