// SPDX-License-Identifier: Apache-2.0
//
// System memory behind an AXI4 master port m_ of a Verilated module: random latency, stalls, bus errors past
// its end; checks the port's protocol as it goes. show() before the clock edge, look() after the inputs have
// settled, move() after the edge.
#ifndef SYSTEM_WORLD_H
#define SYSTEM_WORLD_H

#include <cstdint>
#include <cstdio>
#include <deque>
#include <vector>

#include "../random_source.h"

struct burst {
    uint32_t address;
    unsigned beats, size;
    uint64_t due;
    bool snoop;
};

template <class module> class system_world
{
  public:
    system_world(module *top, random_source &random, uint32_t bytes) : system(bytes), top(top), random(random)
    {
        top->m_arready = 0, top->m_awready = 0, top->m_wready = 0, top->m_rvalid = 0, top->m_bvalid = 0;
    }

    std::vector<uint8_t> system;
    unsigned latency = 8, jitter = 0, stall_percent = 0, queue = 16; // bursts taken in advance
    unsigned protocol_errors = 0;
    uint64_t reads_taken = 0, writes_taken = 0, snooped = 0;
    bool is_quiet() const { return reads.empty() && writes.empty() && answers.empty(); }

    // What system memory shows in this cycle, from its state.
    void show()
    {
        top->m_arready = reads.size() < queue && !random.chance(stall_percent);
        top->m_awready = writes.size() < queue && !random.chance(stall_percent);
        top->m_wready = !writes.empty() && !random.chance(stall_percent);
        if (!top->m_rvalid && !reads.empty() && reads.front().due <= cycle && !random.chance(stall_percent))
            show_read();
        if (!top->m_bvalid && !answers.empty() && answers.front().due <= cycle && !random.chance(stall_percent)) {
            top->m_bvalid = 1;
            top->m_bresp = answers.front().address;
        }
    }
    void look()
    {
        ar = top->m_arvalid && top->m_arready, aw = top->m_awvalid && top->m_awready;
        r = top->m_rvalid, b = top->m_bvalid && top->m_bready;
        bool w = top->m_wvalid && top->m_wready;
        if (top->rst) ar = aw = w = false; // outputs mean nothing yet
        if (top->m_wvalid && writes.empty() && !top->rst) complain("write data before its address");
        new_read = {top->m_araddr, top->m_arlen + 1u, top->m_arsize, cycle + delay(), top->m_aruser != 0};
        new_write = {top->m_awaddr, top->m_awlen + 1u, top->m_awsize, 0, top->m_awuser != 0};
        if (w) take_write();
    }
    void move()
    {
        cycle++;
        if (r) {
            top->m_rvalid = 0;
            reads.front().beats--;
            reads.front().address = (reads.front().address & ~7u) + 8;
            if (reads.front().beats == 0) reads.pop_front();
        }
        if (b) top->m_bvalid = 0, answers.pop_front();
        if (ar) check(new_read), reads.push_back(new_read), reads_taken++, snooped += new_read.snoop;
        if (aw) check(new_write), writes.push_back(new_write), writes_taken++, snooped += new_write.snoop;
    }

  private:
    module *top;
    random_source &random;
    uint64_t cycle = 0;
    std::deque<burst> reads, writes, answers;
    burst new_read, new_write;
    bool ar = false, aw = false, r = false, b = false;

    uint64_t delay() { return latency + (jitter ? random.below(jitter) : 0); }
    void complain(const char *text)
    {
        if (protocol_errors++ < 5) printf("protocol, cycle %llu: %s\n", (unsigned long long)cycle, text);
    }
    void check(const burst &one)
    {
        uint32_t first = (one.address & 4095) & ~((1u << one.size) - 1);
        if (first + (one.beats << one.size) > 4096) complain("burst crosses a page");
        if (one.size > 3) complain("beat wider than the bus");
    }
    void show_read()
    {
        const burst &one = reads.front();
        bool bad = one.address >= system.size();
        uint64_t word = 0;
        for (unsigned i = 0; i < 8 && !bad; i++) word |= (uint64_t)system[(one.address & ~7u) + i] << 8 * i;
        top->m_rvalid = 1, top->m_rdata = word, top->m_rresp = bad ? 3 : 0, top->m_rlast = one.beats == 1;
    }
    void take_write()
    {
        burst &one = writes.front();
        bool bad = one.address >= system.size();
        for (unsigned i = 0; i < 8 && !bad; i++)
            if (top->m_wstrb >> i & 1) system[(one.address & ~7u) + i] = (uint8_t)(top->m_wdata >> 8 * i);
        if ((top->m_wlast != 0) != (one.beats == 1)) complain("WLAST in the wrong beat");
        one.address = (one.address & ~7u) + 8;
        if (--one.beats == 0) {
            answers.push_back({bad ? 3u : 0u, 0, 0, cycle + delay(), false});
            writes.pop_front();
        }
    }
};

#endif
