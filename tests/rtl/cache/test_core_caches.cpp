// SPDX-License-Identifier: Apache-2.0
//
// Runs core_caches_bench.v, which judges itself. Ends with "N passed, N failed".
#include <cstdio>
#include <cstdlib>

#include "Vcore_caches_bench.h"

int main(int argc, char **argv)
{
    Verilated::randReset(2);
    Verilated::randSeed(argc > 1 ? atoi(argv[1]) : 1);
    Vcore_caches_bench *top = new Vcore_caches_bench;
    top->clk = 0;
    top->eval(); // the bench's own beginning; before it `done` is anything
    for (unsigned long edge = 1; !top->done && edge < 100000000; edge++) {
        top->clk = edge & 1;
        top->eval();
    }
    int failures = top->done ? (int)top->failures : 1;
    printf("%d passed, %d failed\n", failures == 0, failures != 0);
    top->final();
    delete top;
    return failures != 0;
}
