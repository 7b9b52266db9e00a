// SPDX-License-Identifier: Apache-2.0
//
// Three clocks for scanout_bench.v: SDRAM_PERIOD PERIOD in picoseconds, and 25 MHz for the pixels.
#include <cstdio>
#include <cstdlib>
#include "Vscanout_bench.h"
#include "clocks.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    const long sdram_period = argc > 1 ? atol(argv[1]) : 13333, period = argc > 2 ? atol(argv[2]) : 20011;
    Vscanout_bench top;
    bench_clock clock(&top.clk, period), sdram_clock(&top.sdram_clk, sdram_period), pixel_clock(&top.pixel_clk, 40000);
    top.rst = top.sdram_rst = top.pixel_rst = 1;
    while (!top.finished && !Verilated::gotFinish() && clock.cycles < 40000000) {
        next_edges({&clock, &sdram_clock, &pixel_clock});
        if (clock.cycles == 40) top.rst = top.sdram_rst = top.pixel_rst = 0;
        top.eval();
    }
    // The others' share of what the pins can move; it says that they did not rest.
    const double share = 4.0 * top.moved * sdram_period / (static_cast<double>(clock.cycles) * period);
    printf("%u pixels wrong, %u counted as late; scan-out waits at most %u cycles; "
           "the others move %.2f of the pins' rate\n",
           top.wrong, top.missed, top.longest_wait, share);
    const unsigned failed = (top.wrong != 0) + (top.missed != 0) + !top.finished + (share < 0.3);
    printf("%u passed, %u failed\n", 4 - failed, failed);
    return failed != 0;
}
