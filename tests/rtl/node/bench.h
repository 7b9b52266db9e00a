// SPDX-License-Identifier: Apache-2.0
//
// The world around node_bench.v: clock, registers, command RAM, the core's bursts, and system memory with
// random latency, stalls and bus errors past its end. Checks the memory port's protocol as it goes.
#ifndef NODE_BENCH_H
#define NODE_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "Vnode_bench.h"

struct random_source {
    uint64_t state;
    uint32_t next()
    {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (uint32_t)(state >> 16);
    }
    uint32_t below(uint32_t limit) { return next() % limit; }
    bool chance(uint32_t percent) { return below(100) < percent; }
};

struct burst { uint32_t address; unsigned beats, size; uint64_t due; bool snoop; };

class bench {
public:
    static const uint32_t system_bytes = 16 * 4096;

    explicit bench(uint64_t seed) : random{seed * 0x9e3779b97f4a7c15u + 1}, system(system_bytes), top(new Vnode_bench)
    {
        top->reg_write = 0, top->c_req = 0, top->c_we = 0, top->b_arvalid = 0, top->b_awvalid = 0, top->b_wvalid = 0;
        top->m_arready = 0, top->m_awready = 0, top->m_wready = 0, top->m_rvalid = 0, top->m_bvalid = 0;
        top->reg_offset = 0, top->rst = 1;
    }
    ~bench() { top->final(); delete top; }

    random_source random;
    std::vector<uint8_t> system;
    Vnode_bench *top;
    uint64_t cycle = 0;
    unsigned latency = 8, jitter = 0, stall_percent = 0; // of system memory
    unsigned protocol_errors = 0;
    uint64_t reads_taken = 0, writes_taken = 0, snooped = 0;

    void reset()
    {
        top->rst = 1;
        for (int i = 0; i < 4; i++) tick();
        top->rst = 0;
        tick();
    }

    void tick()
    {
        // System memory decides from its state what it shows in this cycle.
        top->m_arready = reads.size() < 16 && !random.chance(stall_percent);
        top->m_awready = writes.size() < 16 && !random.chance(stall_percent);
        top->m_wready = !writes.empty() && !random.chance(stall_percent);
        if (!top->m_rvalid && !reads.empty() && reads.front().due <= cycle && !random.chance(stall_percent))
            show_read();
        if (!top->m_bvalid && !answers.empty() && answers.front().due <= cycle && !random.chance(stall_percent)) {
            top->m_bvalid = 1;
            top->m_bresp = answers.front().address;
        }
        top->clk = 0;
        top->eval();
        bool ar = top->m_arvalid && top->m_arready, aw = top->m_awvalid && top->m_awready;
        bool w = top->m_wvalid && top->m_wready, r = top->m_rvalid, b = top->m_bvalid && top->m_bready;
        if (top->rst) ar = aw = w = false; // outputs mean nothing yet
        if (top->m_wvalid && writes.empty() && !top->rst) complain("write data before its address");
        burst new_read = {top->m_araddr, top->m_arlen + 1u, top->m_arsize, cycle + delay(), top->m_aruser != 0};
        burst new_write = {top->m_awaddr, top->m_awlen + 1u, top->m_awsize, 0, top->m_awuser != 0};
        if (w) take_write();
        top->clk = 1;
        top->eval();
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
    bool memory_is_quiet() const { return reads.empty() && writes.empty() && answers.empty(); }

    // Registers: 0, 1 the nodes, 2 the aperture.
    void write(unsigned block, uint32_t offset, uint32_t value)
    {
        top->reg_write = (uint8_t)(1u << block);
        top->reg_offset = (uint8_t)offset;
        top->reg_wdata = value;
        tick();
        top->reg_write = 0;
    }
    uint32_t read(unsigned block, uint32_t offset)
    {
        top->reg_offset = (uint8_t)offset;
        top->clk = 0;
        top->eval();
        return block == 0 ? top->reg_rdata0 : block == 1 ? top->reg_rdata1 : top->reg_rdata2;
    }
    void command(uint32_t offset, uint32_t word)
    {
        top->c_req = 1, top->c_we = 1, top->c_be = 15, top->c_address = (uint16_t)offset, top->c_wdata = word;
        tick();
        top->c_req = 0, top->c_we = 0;
    }

    // The core's bursts of 16 beats; whole 128-byte blocks.
    void load(uint32_t address, const uint8_t *data, uint32_t bytes)
    {
        for (uint32_t done = 0; done < bytes; done += 128) {
            top->b_awaddr = address + done, top->b_awlen = 15, top->b_awvalid = 1, top->b_wstrb = 255;
            unsigned beat = 0;
            for (bool answered = false; !answered;) {
                uint64_t word = 0;
                for (unsigned i = 0; i < 8 && beat < 16; i++) word |= (uint64_t)data[done + 8 * beat + i] << 8 * i;
                top->b_wvalid = beat < 16, top->b_wdata = word, top->b_wlast = beat == 15;
                top->clk = 0;
                top->eval();
                bool aw = top->b_awready, w = top->b_wvalid && top->b_wready;
                answered = top->b_bvalid;
                tick();
                if (aw) top->b_awvalid = 0;
                beat += w;
            }
            top->b_wvalid = 0;
        }
    }
    void fetch(uint32_t address, uint8_t *data, uint32_t bytes)
    {
        for (uint32_t done = 0; done < bytes; done += 128) {
            top->b_araddr = address + done, top->b_arlen = 15, top->b_arvalid = 1;
            for (unsigned beat = 0; beat < 16;) {
                top->clk = 0;
                top->eval();
                bool ar = top->b_arready;
                if (top->b_rvalid) {
                    for (unsigned i = 0; i < 8; i++) data[done + 8 * beat + i] = (uint8_t)(top->b_rdata >> 8 * i);
                    beat++;
                }
                tick();
                if (ar) top->b_arvalid = 0;
            }
        }
    }

private:
    std::deque<burst> reads, writes, answers;

    uint64_t delay() { return latency + (jitter ? random.below(jitter) : 0); }
    void complain(const char *text)
    {
        if (protocol_errors++ < 5) printf("protocol, cycle %llu: %s\n", (unsigned long long)cycle, text);
    }
    void check(const burst &b)
    {
        if (((b.address & 4095) & ~((1u << b.size) - 1)) + (b.beats << b.size) > 4096) complain("burst crosses a page");
        if (b.size > 3) complain("beat wider than the bus");
    }
    void show_read()
    {
        const burst &b = reads.front();
        bool bad = b.address >= system_bytes;
        uint64_t word = 0;
        for (unsigned i = 0; i < 8 && !bad; i++) word |= (uint64_t)system[(b.address & ~7u) + i] << 8 * i;
        top->m_rvalid = 1, top->m_rdata = word, top->m_rresp = bad ? 3 : 0, top->m_rlast = b.beats == 1;
    }
    void take_write()
    {
        burst &b = writes.front();
        bool bad = b.address >= system_bytes;
        for (unsigned i = 0; i < 8 && !bad; i++)
            if (top->m_wstrb >> i & 1) system[(b.address & ~7u) + i] = (uint8_t)(top->m_wdata >> 8 * i);
        if ((top->m_wlast != 0) != (b.beats == 1)) complain("WLAST in the wrong beat");
        b.address = (b.address & ~7u) + 8;
        if (--b.beats == 0) {
            answers.push_back({bad ? 3u : 0u, 0, 0, cycle + delay(), false});
            writes.pop_front();
        }
    }
};

#endif
