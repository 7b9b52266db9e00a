// SPDX-License-Identifier: Apache-2.0
//
// The world around node_bench.v: clock, registers, command RAM, the core's bursts, system memory.
#ifndef NODE_BENCH_H
#define NODE_BENCH_H

#include <cstdlib>

#include "Vnode_bench.h"
#include "record.h"
#include "system_world.h"

class bench
{
  public:
    static const uint32_t system_bytes = 16 * 4096;

    explicit bench(uint64_t seed)
        : random{seed * 0x9e3779b97f4a7c15u + 1}, top(new Vnode_bench), memory(top, random, system_bytes)
    {
        top->reg_write = 0, top->c_req = 0, top->c_we = 0, top->b_arvalid = 0, top->b_awvalid = 0, top->b_wvalid = 0;
        top->reg_offset = 0, top->rst = 1;
    }
    ~bench()
    {
        top->final();
        delete top;
    }

    random_source random;
    Vnode_bench *top;
    system_world<Vnode_bench> memory;
    uint64_t cycle = 0;
    FILE *recording = nullptr; // every cycle goes there

    void reset()
    {
        top->rst = 1;
        for (int i = 0; i < 4; i++) tick();
        top->rst = 0;
        tick();
    }

    void tick()
    {
        memory.show();
        top->clk = 0;
        top->eval();
        memory.look();
        if (recording != nullptr) record_cycle(recording, top);
        top->clk = 1;
        top->eval();
        memory.move();
        cycle++;
    }

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
};

#endif
