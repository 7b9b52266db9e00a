// SPDX-License-Identifier: Apache-2.0
//
// Goal: multiplier, divider and shifter compute what the C model computes. (The formal checks put other expressions in
// the place of the first two, so this is where they are judged.)
// Method: every pair of corner operands, every shift amount of many values, and random pairs. The cycles of the divider
// are counted. Between a product's operands and the product the multiplier waits at random, with other operands, and a
// division may be given up before.
#include <verilated.h>

#include <cstdio>

#include "Varithmetic_pieces.h"
#include "random_program.h"

namespace
{

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

// What core_divide.v says: start, 16 steps, 3 fewer for each zero byte that leads the dividend's magnitude.
unsigned expected_cycles(unsigned funct3, uint32_t a, uint32_t b)
{
    const uint32_t magnitude = !(funct3 & 1) && a >> 31 ? 0u - a : a;
    if (b == 0 || magnitude >> 24) return 17;
    return magnitude >> 16 ? 14 : magnitude >> 8 ? 11 : 8;
}

class bench
{
  public:
    bench()
    {
        pieces_.start = pieces_.take = pieces_.kill = 0;
        pieces_.rst = 1, tick(), pieces_.rst = 0;
    }

    uint32_t product(unsigned funct3, uint32_t a, uint32_t b)
    {
        operands(funct3, a, b);
        pieces_.take = 1, tick();
        pieces_.take = 0;
        for (unsigned wait = random_below(&source_, 3); wait != 0; wait--)
            operands(random_below(&source_, 4), random_next(&source_), random_next(&source_)), tick();
        pieces_.eval();
        return pieces_.product;
    }

    // False when nothing comes in 40 cycles, or the divider is not idle before or after.
    bool divide(unsigned funct3, uint32_t a, uint32_t b)
    {
        if (random_below(&source_, 4) == 0) {
            operands(4 + random_below(&source_, 4), random_next(&source_), random_next(&source_));
            pieces_.start = 1, tick(), pieces_.start = 0;
            for (unsigned wait = random_below(&source_, 20); wait != 0; wait--) tick();
            pieces_.kill = 1, tick(), pieces_.kill = 0;
        }
        operands(funct3, a, b);
        const bool was_idle = pieces_.idle;
        pieces_.start = 1, tick(), pieces_.start = 0;
        for (cycles = 1; !pieces_.done && cycles < 40; cycles++) tick();
        quotient = pieces_.quotient;
        const bool is_done = pieces_.done;
        pieces_.kill = 1, tick(), pieces_.kill = 0;
        return was_idle && is_done && pieces_.idle && !pieces_.done;
    }

    uint32_t shift(bool right, bool arithmetic, uint32_t a, uint32_t b)
    {
        pieces_.arithmetic = arithmetic;
        operands(right ? 5 : 1, a, b);
        return pieces_.shifted;
    }
    uint32_t quotient = 0;
    unsigned cycles = 0;

  private:
    void operands(unsigned funct3, uint32_t a, uint32_t b)
    {
        pieces_.funct3 = funct3;
        pieces_.a = a;
        pieces_.b = b;
        pieces_.eval();
    }
    void tick()
    {
        pieces_.clk = 0, pieces_.eval();
        pieces_.clk = 1, pieces_.eval();
        pieces_.clk = 0, pieces_.eval();
    }
    VerilatedContext context_;
    Varithmetic_pieces pieces_{&context_};
    random_source source_{54321};
};

unsigned passed = 0, failed = 0;

void judge(bool good, const char *what, unsigned funct3, uint32_t a, uint32_t b, uint32_t got)
{
    if (good) passed++;
    else if (failed++ < 10) std::printf("%s funct3 %u of %08x, %08x gives %08x\n", what, funct3, a, b, got);
}

void check_pair(bench &pieces, uint32_t a, uint32_t b)
{
    for (unsigned funct3 = 0; funct3 < 4; funct3++) {
        const uint32_t product = pieces.product(funct3, a, b);
        judge(product == expected_m(funct3, a, b), "product", funct3, a, b, product);
    }
    for (unsigned funct3 = 4; funct3 < 8; funct3++) {
        const bool is_done = pieces.divide(funct3, a, b);
        judge(is_done && pieces.quotient == expected_m(funct3, a, b), "quotient", funct3, a, b, pieces.quotient);
        judge(pieces.cycles == expected_cycles(funct3, a, b), "cycles of the divider", funct3, a, b, pieces.cycles);
    }
}

void check_shifts(bench &pieces, uint32_t a)
{
    for (unsigned amount = 0; amount < 32; amount++) {
        for (unsigned kind = 0; kind < 3; kind++) {
            const bool right = kind != 0, arithmetic = kind == 2;
            // Bits above the amount are another instruction's business.
            const uint32_t shifted = pieces.shift(right, arithmetic, a, amount | a << 5);
            judge(shifted == expected_shift(right, arithmetic, a, amount), "shift", kind, a, amount, shifted);
        }
    }
}

} // namespace

int main()
{
    static const uint32_t corners[] = {0,          1,          2,          3,          7,
                                       0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001,
                                       0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa};
    bench pieces;
    random_source source{12345};
    for (uint32_t a : corners)
        for (uint32_t b : corners) check_pair(pieces, a, b);
    for (int i = 0; i < 3000; i++)
        check_pair(pieces, random_next(&source) >> random_below(&source, 32),
                   random_next(&source) >> random_below(&source, 32));
    for (uint32_t a : corners) check_shifts(pieces, a);
    for (int i = 0; i < 300; i++) check_shifts(pieces, random_next(&source));
    std::printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
