// SPDX-License-Identifier: Apache-2.0
//
// cocotb's main for Verilator with a clock of its own, so that Python is not asked twice a cycle for an edge. The order
// within a time step is cocotb's: timers, then the edge is seen by Python before the chip has worked on it, so that
// what is sampled is what the chip samples; then the chip; then what Python writes.
#include <memory>

#include "Vtop.h"
#include "Vtop___024root.h"
#include "verilated.h"
#include "verilated_vpi.h"

extern "C" void vlog_startup_routines_bootstrap(void);

static const uint64_t HALF_CYCLE_PS = 5000;
static uint64_t now;

double sc_time_stamp() { return static_cast<double>(now); }

static bool settle()
{
    bool any = false;
    while (VerilatedVpi::callValueCbs()) any = true;
    return any;
}

static void step(Vtop &top)
{
    bool again = true;
    while (again) {
        top.eval_step();
        again = settle();
        again |= VerilatedVpi::callCbs(cbReadWriteSynch);
        again |= settle();
    }
    top.eval_end_step();
    VerilatedVpi::callCbs(cbReadOnlySynch);
}

int main(int argc, char **argv)
{
    Verilated::commandArgs(argc, argv);
    std::unique_ptr<Vtop> top(new Vtop(""));
    Verilated::fatalOnVpiError(false);
    vlog_startup_routines_bootstrap();
    VerilatedVpi::callCbs(cbStartOfSimulation);
    uint64_t edge = HALF_CYCLE_PS;
    while (!Verilated::gotFinish()) {
        VerilatedVpi::callTimedCbs();
        settle();
        if (now == edge) {
            top->rootp->chip_axi__DOT__clk ^= 1;
            edge += HALF_CYCLE_PS;
            settle();
        }
        step(*top);
        uint64_t timer = VerilatedVpi::cbNextDeadline();
        now = timer < edge ? timer : edge;
        VerilatedVpi::callCbs(cbNextSimTime);
        settle();
    }
    VerilatedVpi::callCbs(cbEndOfSimulation);
    top->final();
    return 0;
}
