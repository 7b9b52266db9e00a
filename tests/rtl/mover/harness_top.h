// SPDX-License-Identifier: Apache-2.0
//
// For harness.cpp and dut_harness.cpp, which say what TOP is and have included its header: the life and the clock of
// one Verilated module.
#include <memory>

#include "pins.h"
#include "verilated.h"

struct harness {
    VerilatedContext context;
    std::unique_ptr<TOP> top;
};

struct harness *harness_create(unsigned seed)
{
    struct harness *harness = new struct harness;
    harness->context.randReset(2);
    harness->context.randSeed(static_cast<int>(seed + 1));
    harness->top.reset(new TOP(&harness->context));
    harness->top->clk = 0;
    return harness;
}

void harness_destroy(struct harness *harness)
{
    harness->top->final();
    delete harness;
}

void harness_clock(struct harness *harness)
{
    harness->top->clk = 1;
    harness->top->eval();
    harness->top->clk = 0;
}
