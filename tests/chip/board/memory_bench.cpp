// SPDX-License-Identifier: Apache-2.0
//
// Two clocks for memory_bench.v: sdram_clk of PERIOD_PS, clk of 20 ns with a phase that drifts against it; then how
// wide the SDRAM is.
#include <cstdio>
#include <cstdlib>
#include "Vmemory_bench.h"
#include "clocks.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    const long sdram_period = argc > 1 ? atol(argv[1]) : 10000, period = argc > 2 ? atol(argv[2]) : 20011;
    const unsigned bursts = 256, width = argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 16;
    Vmemory_bench top;
    bench_clock clock(&top.clk, period), sdram_clock(&top.sdram_clk, sdram_period);
    top.rst = top.sdram_rst = 1;
    while (!top.finished && !Verilated::gotFinish()) {
        next_edges({&clock, &sdram_clock});
        if (clock.cycles == 20) top.rst = top.sdram_rst = 0;
        top.eval();
        if (clock.cycles > 4000000) {
            printf("the bench hangs\n0 passed, 1 failed\n");
            return 1;
        }
    }
    // A burst is 128 beats of 8 bytes.
    const double transfers = 128.0 * 64 / width * bursts;
    const double read = transfers / top.read_cycles, write = transfers / top.write_cycles;
    printf("%u beats compared, %u wrong; scan-out waits at most %u cycles; "
           "streams: read %.3f, write %.3f of the pins' rate\n",
           top.beats, top.errors, top.longest_wait, read, write);
    const unsigned failed =
        (top.errors != 0) + (top.beats < 1000) + (read < 0.8) + (write < 0.8) + (top.longest_wait > 900);
    printf("%u passed, %u failed\n", 5 - failed, failed);
    return failed != 0;
}
