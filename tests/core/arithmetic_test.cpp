// SPDX-License-Identifier: Apache-2.0
//
// Goal: the multiplier, with its shifts, and the divider compute what the C model computes. (The formal checks put
// other expressions in their place, so this is where they are judged.)
// Method: every pair of corner operands, every shift amount of many values, and random pairs; cycles of the divider
// are counted, too. The top is core_alu in the configuration this program is built with.
#include <verilated.h>

#include <cstdio>

#include "Vcore_alu.h"
#include "random_program.h"

namespace
{

constexpr unsigned kProduct = 3, kIterative = 6; // RESULT_PRODUCT, RESULT_ITERATIVE of core_result.vh

uint32_t expected_m(unsigned funct3, uint32_t a, uint32_t b)
{
    const int64_t sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
    switch (funct3) {
    case 0: return a * b;
    case 1: return static_cast<uint32_t>(static_cast<uint64_t>(sa * sb) >> 32);
    case 2: return static_cast<uint32_t>(static_cast<uint64_t>(sa * static_cast<int64_t>(b)) >> 32);
    case 3: return static_cast<uint32_t>(static_cast<uint64_t>(a) * b >> 32);
    case 4: return b == 0 ? ~0u : static_cast<uint32_t>(sa / sb);
    case 5: return b == 0 ? ~0u : a / b;
    case 6: return b == 0 ? a : static_cast<uint32_t>(sa % sb);
    default: return b == 0 ? a : a % b;
    }
}

uint32_t expected_shift(bool right, bool arithmetic, uint32_t a, unsigned amount)
{
    if (!right) return a << amount;
    const uint32_t fill = arithmetic && (a >> 31) && amount ? ~0u << (32 - amount) : 0;
    return a >> amount | fill;
}

class bench
{
  public:
    bench() { alu_.rst = 1, tick(), alu_.rst = 0; }

    // One operation; iterative ones are clocked until done. Returns false when nothing comes in 40 cycles.
    bool operate(bool shift, unsigned funct3, bool arithmetic, uint32_t a, uint32_t b, bool iterates, unsigned from)
    {
        alu_.is_shift = shift;
        alu_.funct3 = funct3;
        alu_.arithmetic = arithmetic;
        alu_.a = a;
        alu_.r = alu_.b = b;
        alu_.result_from = from;
        alu_.iterate = iterates;
        cycles = 0;
        alu_.eval();
        while (iterates && !alu_.iterate_done && cycles < 40) cycles++, tick();
        result = alu_.result;
        const bool is_done = !iterates || alu_.iterate_done;
        alu_.flush = 1;
        tick();
        alu_.flush = alu_.iterate = 0;
        return is_done;
    }
    uint32_t result = 0;
    unsigned cycles = 0;

  private:
    void tick()
    {
        alu_.clk = 0, alu_.eval();
        alu_.clk = 1, alu_.eval();
        alu_.clk = 0, alu_.eval();
    }
    VerilatedContext context_;
    Vcore_alu alu_{&context_};
};

unsigned passed = 0, failed = 0;

void judge(bool good, const char *what, unsigned funct3, uint32_t a, uint32_t b, uint32_t got)
{
    if (good) passed++;
    else if (failed++ < 10) std::printf("%s funct3 %u of %08x, %08x gives %08x\n", what, funct3, a, b, got);
}

void check_pair(bench &alu, bool fast, uint32_t a, uint32_t b)
{
    for (unsigned funct3 = 0; funct3 < 8; funct3++) {
        const bool iterates = funct3 >= 4 || !fast;
        const bool is_done = alu.operate(false, funct3, false, a, b, iterates, iterates ? kIterative : kProduct);
        judge(is_done && alu.result == expected_m(funct3, a, b) && (!iterates || alu.cycles == 33), "M", funct3, a, b,
              alu.result);
    }
}

void check_shifts(bench &alu, bool fast, uint32_t a)
{
    for (unsigned amount = 0; amount < 32; amount++) {
        for (unsigned kind = 0; kind < 3; kind++) {
            const bool right = kind != 0, arithmetic = kind == 2;
            // Bits above the amount are another instruction's business.
            const uint32_t b = amount | a << 5;
            const bool is_done = alu.operate(true, right ? 5 : 1, arithmetic, a, b, !fast, kProduct);
            judge(is_done && alu.result == expected_shift(right, arithmetic, a, amount), "shift", kind, a, amount,
                  alu.result);
        }
    }
}

} // namespace

int main()
{
    const bool fast = CORE_FAST_MULTIPLY;
    static const uint32_t corners[] = {0,          1,          2,          3,          7,
                                       0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001,
                                       0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa};
    bench alu;
    random_source source{12345};
    for (uint32_t a : corners)
        for (uint32_t b : corners) check_pair(alu, fast, a, b);
    for (int i = 0; i < 3000; i++)
        check_pair(alu, fast, random_next(&source) >> random_below(&source, 32),
                   random_next(&source) >> random_below(&source, 32));
    for (uint32_t a : corners) check_shifts(alu, fast, a);
    for (int i = 0; i < 300; i++) check_shifts(alu, fast, random_next(&source));
    std::printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
