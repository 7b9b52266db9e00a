// SPDX-License-Identifier: Apache-2.0
//
// Three clocks for scanout_bench.v: SDRAM_PERIOD PERIOD in picoseconds, and 25 MHz for the pixels.
#include <cstdio>
#include <cstdlib>
#include "Vscanout_bench.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    const long sdram_period = argc > 1 ? atol(argv[1]) : 13333, period = argc > 2 ? atol(argv[2]) : 20011;
    const long pixel_period = 40000;
    Vscanout_bench top;
    long next = period / 2, sdram_next = sdram_period / 2, pixel_next = pixel_period / 2;
    unsigned long cycles = 0;
    top.rst = top.sdram_rst = top.pixel_rst = 1;
    while (!top.finished && !Verilated::gotFinish() && cycles < 40000000) {
        const long now = next < sdram_next ? (next < pixel_next ? next : pixel_next)
                                           : sdram_next < pixel_next ? sdram_next : pixel_next;
        if (now == next) {
            top.clk = !top.clk;
            next += period / 2;
            cycles += top.clk;
        }
        if (now == sdram_next) {
            top.sdram_clk = !top.sdram_clk;
            sdram_next += sdram_period / 2;
        }
        if (now == pixel_next) {
            top.pixel_clk = !top.pixel_clk;
            pixel_next += pixel_period / 2;
        }
        if (cycles == 40) top.rst = top.sdram_rst = top.pixel_rst = 0;
        top.eval();
    }
    // The others' share of what the pins can move; it says that they did not rest.
    const double share = 4.0 * top.moved * sdram_period / (static_cast<double>(cycles) * period);
    printf("%u pixels wrong, %u counted as late; scan-out waits at most %u cycles; "
           "the others move %.2f of the pins' rate\n", top.wrong, top.missed, top.longest_wait, share);
    const unsigned failed = (top.wrong != 0) + (top.missed != 0) + !top.finished + (share < 0.3);
    printf("%u passed, %u failed\n", 4 - failed, failed);
    return failed != 0;
}
