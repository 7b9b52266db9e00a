// SPDX-License-Identifier: Apache-2.0
//
// Drives rtl/sync_fifo.v to its last word, or one further when the argument is "overflow": then the module's
// own assertion must stop the program. Shows that the build flags switch assertions on.
#include <cstring>

#include "Vsync_fifo.h"
#include "verilated.h"

int main(int argc, char **argv)
{
    VerilatedContext context;
    Vsync_fifo fifo{&context};
    const int words = 32 + (argc == 2 && strcmp(argv[1], "overflow") == 0 ? 1 : 0);
    for (int cycle = 0; cycle < 4 + words; cycle++) {
        fifo.rst = cycle < 4;
        fifo.push = cycle >= 4;
        fifo.clk = 0;
        fifo.eval();
        fifo.clk = 1;
        fifo.eval();
    }
    return 0;
}
