// SPDX-License-Identifier: Apache-2.0
//
// Clocks that drift against each other, for benches whose clocks come from outside.
#ifndef TESSERA_BOARD_CLOCKS_H
#define TESSERA_BOARD_CLOCKS_H

#include <algorithm>
#include <initializer_list>

struct bench_clock {
    unsigned char *pin;
    long half; // of a period, picoseconds
    long next; // time of the next edge
    unsigned long cycles;
    bench_clock(unsigned char *clock_pin, long period) : pin(clock_pin), half(period / 2), next(half), cycles(0) {}
};

// On to the next edge of any of them; edges at the same time happen at once.
inline void next_edges(std::initializer_list<bench_clock *> clocks)
{
    long now = (*clocks.begin())->next;
    for (const bench_clock *clock : clocks) now = std::min(now, clock->next);
    for (bench_clock *clock : clocks) {
        if (clock->next != now) continue;
        *clock->pin = !*clock->pin;
        clock->next += clock->half;
        clock->cycles += *clock->pin;
    }
}

#endif
