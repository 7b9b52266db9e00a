// SPDX-License-Identifier: Apache-2.0
//
// speed [CYCLES]: millions of cycles per second of processor time of one core (SPEED_TOP) that runs the workload. The
// count of instructions says that it runs at all.
#include <verilated.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include SPEED_HEADER

int main(int argc, char **argv)
{
    const unsigned long cycles = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 5000000;
    VerilatedContext context;
    SPEED_TOP top{&context};
    unsigned long instructions = 0;
    std::clock_t start = 0;
    for (unsigned long cycle = 0; cycle < cycles + 8; cycle++) {
        if (cycle == 8) start = std::clock();
        top.rst = cycle < 8;
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        instructions += top.retires;
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%.3f million cycles per second, %.2f cycles per instruction\n",
                static_cast<double>(cycles) * 1e-6 / seconds,
                static_cast<double>(cycles) / static_cast<double>(instructions));
    return instructions > cycles / 100 ? 0 : 1;
}
