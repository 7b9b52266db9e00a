// SPDX-License-Identifier: Apache-2.0
//
// Two clocks for memory_bench.v: sdram_clk of PERIOD_PS, clk of 20 ns with a phase that drifts against it.
#include <cstdio>
#include <cstdlib>
#include "Vmemory_bench.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    const long sdram_period = argc > 1 ? atol(argv[1]) : 10000, period = argc > 2 ? atol(argv[2]) : 20011;
    const unsigned bursts = 256;
    Vmemory_bench top;
    long now = 0, next = period / 2, sdram_next = sdram_period / 2;
    top.rst = top.sdram_rst = 1;
    for (unsigned long cycles = 0; !top.finished && !Verilated::gotFinish();) {
        now = next < sdram_next ? next : sdram_next;
        if (now == next) {
            top.clk = !top.clk;
            next += period / 2;
            cycles += top.clk;
        }
        if (now == sdram_next) {
            top.sdram_clk = !top.sdram_clk;
            sdram_next += sdram_period / 2;
        }
        if (cycles == 20) top.rst = top.sdram_rst = 0;
        top.eval();
        if (cycles > 4000000) {
            printf("the bench hangs\n0 passed, 1 failed\n");
            return 1;
        }
    }
    // A burst is 128 beats of four transfers.
    const double read = 512.0 * bursts / top.read_cycles, write = 512.0 * bursts / top.write_cycles;
    printf("%u beats compared, %u wrong; scan-out waits at most %u cycles; "
           "streams: read %.3f, write %.3f of the pins' rate\n",
           top.beats, top.errors, top.longest_wait, read, write);
    const unsigned failed = (top.errors != 0) + (top.beats < 1000) + (read < 0.8) + (write < 0.8) +
                            (top.longest_wait > 900);
    printf("%u passed, %u failed\n", 5 - failed, failed);
    return failed != 0;
}
