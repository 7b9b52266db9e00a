// SPDX-License-Identifier: Apache-2.0
//
// What lies around core_bridge: all memories as one array of words, and the fabric, which takes its time and refuses
// certain beats. drive() before the edge, observe() when the outputs have settled.
#ifndef BRIDGE_WORLD_H
#define BRIDGE_WORLD_H

#include <cstdint>
#include <cstdio>

#include "../random_source.h"

// The fabric reaches the firmware's region behind segment REGION_SEGMENT, 1 or 2.
struct world {
    enum : uint32_t {
        TCM_BYTES = 12288,
        COMMAND_BYTES = 4096,
        REGION_BYTES = 8192,
        SPACE_BYTES = 16384,
        REGION_AT = (REGION_SEGMENT << 28) + SPACE_BYTES,
        SYSTEM_BYTES = 32768,
        COMMAND_AT = TCM_BYTES / 4,
        SEGMENT1 = COMMAND_AT + COMMAND_BYTES / 4,
        REGION = SEGMENT1 + SPACE_BYTES / 4,
        SEGMENT2 = REGION + REGION_BYTES / 4,
        APERTURE = SEGMENT2 + SPACE_BYTES / 4,
        SYSTEM = APERTURE + SPACE_BYTES / 4,
        REGISTERS = SYSTEM + SYSTEM_BYTES / 4,
        WORDS = REGISTERS + 1024
    };
    uint32_t word[WORDS];

    // Where the word at an address lies. Segments, aperture and system memory come again and again.
    static uint32_t at(uint32_t address)
    {
        const uint32_t offset = (address & 0x0fffffffu) / 4;
        if (address - REGION_AT < REGION_BYTES) return REGION + (address - REGION_AT) / 4;
        switch (address >> 28) {
        case 0: return address < TCM_BYTES ? offset : REGION + offset % (REGION_BYTES / 4);
        case 1: return SEGMENT1 + offset % (SPACE_BYTES / 4);
        case 2: return SEGMENT2 + offset % (SPACE_BYTES / 4);
        case 3: return APERTURE + offset % (SPACE_BYTES / 4);
        case 4: return REGISTERS + offset % 1024;
        case 5: return COMMAND_AT + offset % (COMMAND_BYTES / 4);
        default: return SYSTEM + offset % (SYSTEM_BYTES / 4);
        }
    }
    void store(uint32_t where, uint32_t lanes, uint32_t value)
    {
        uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; byte++) mask |= lanes >> byte & 1 ? 0xffu << 8 * byte : 0;
        word[where] = (word[where] & ~mask) | (value & mask);
    }
};

class bridge_fabric
{
  public:
    explicit bridge_fabric(random_source &source) : random(source) {}

    unsigned long failures = 0;

    // One beat of 64 in every space is refused, but for the region.
    static bool is_bad(uint32_t address) { return (address >> 3 & 63u) == 21 && !is_region(address); }
    static bool is_region(uint32_t address) { return address - world::REGION_AT < world::REGION_BYTES; }
    bool is_storing() const { return is_asked_to_store; }

    template <class top_type> void forget(top_type *top)
    {
        is_reading = has_address = has_data = is_asked_to_store = was_valid = false;
        top->m_rvalid = top->m_bvalid = top->m_arready = top->m_awready = top->m_wready = 0;
    }

    // What the core has asked for: the next store has to be this one.
    void asked(uint32_t address, bool we, uint32_t lanes, uint32_t value)
    {
        if (!we) return;
        is_asked_to_store = true;
        store_address = address & ~3u, store_lanes = lanes, store_value = value;
    }

    template <class top_type> void drive(top_type *top, const world &is)
    {
        top->m_arready = !is_reading && random.chance(60);
        top->m_awready = !has_address && random.chance(60);
        top->m_wready = !has_data && random.chance(60);
        top->m_rvalid = is_reading && random.chance(70);
        top->m_rlast = left == 1;
        top->m_rresp = top->m_rvalid && is_bad(read_at) ? 2 + random.below(2) : random.chance(50);
        top->m_rdata = (uint64_t)random.next() << 32 | random.next();
        if (top->m_rvalid && !is_bad(read_at))
            top->m_rdata = (uint64_t)is.word[world::at(read_at | 4u)] << 32 | is.word[world::at(read_at & ~4u)];
        top->m_bvalid = has_address && has_data && random.chance(50);
        top->m_bresp = top->m_bvalid && is_bad(write_at) ? 2 + random.below(2) : random.chance(50);
    }

    template <class top_type> void observe(top_type *top, world &is)
    {
        if (top->m_rvalid && --left != 0) read_at += 8;
        else if (top->m_rvalid) is_reading = false;
        if (top->m_arvalid && top->m_arready) {
            const bool is_system = top->m_araddr >> 31;
            is_reading = true, read_at = top->m_araddr, left = top->m_arlen + 1u;
            check(left == (is_system ? 8u : 1u), "beats", left);
            check(top->m_arsize == (is_system ? 3 : 2), "size", top->m_arsize);
            check(!is_system || read_at % 64 == 0, "a line", read_at);
        }
        if (top->m_bvalid) {
            for (unsigned half = 0; half < 2 && !is_bad(write_at); half++)
                is.store(world::at((write_at & ~7u) + 4 * half), strobes >> 4 * half & 15,
                         (uint32_t)(data >> 32 * half));
            has_address = has_data = is_asked_to_store = false;
        }
        if (top->m_awvalid && top->m_awready) has_address = true, write_at = top->m_awaddr;
        if (top->m_wvalid && top->m_wready) has_data = true, data = top->m_wdata, strobes = top->m_wstrb;
        if (top->m_awvalid && top->m_awready) check(top->m_awsize == 2, "size of a store", top->m_awsize);
        if (has_address && is_asked_to_store) check(write_at == store_address, "address of a store", write_at);
        if (has_data && is_asked_to_store) {
            const unsigned shift = store_address & 4u;
            check(strobes == store_lanes << shift, "lanes of a store", strobes);
            check((uint32_t)(data >> 8 * shift) == store_value, "data of a store", (uint32_t)data);
        }
    }

    // An access of the host's to the region has appeared on the pins.
    template <class top_type> bool begins_in_region(top_type *top)
    {
        const bool reads = top->m_arvalid && is_region(top->m_araddr);
        const bool writes = top->m_awvalid && is_region(top->m_awaddr);
        const bool begins = (reads || writes) && !was_valid;
        was_valid = reads || writes;
        return begins;
    }

  private:
    random_source &random;
    bool is_reading = false, has_address = false, has_data = false, is_asked_to_store = false, was_valid = false;
    uint32_t read_at = 0, left = 0, write_at = 0, strobes = 0, store_address = 0, store_lanes = 0, store_value = 0;
    uint64_t data = 0;

    void check(bool is_right, const char *what, uint32_t value)
    {
        if (!is_right && failures++ < 10) printf("fabric: %s: %08x\n", what, value);
    }
};

#endif
