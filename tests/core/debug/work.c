/* SPDX-License-Identifier: Apache-2.0
 *
 * Work for core_debug_test.c to disturb: arithmetic, divisions, loads and stores of every width, calls and branches
 * over core memory, command RAM and segment 1. Leaves a checksum in HOST.SCRATCH, the instructions it took in
 * HOST.PANIC_PLACE, then 1 in HOST.BOOT_STATUS.
 */
#include <stdint.h>

#include "gpu_spec.h"

enum { ROUNDS = 60, WORDS = 32 };

#define REGISTER(name) (*(volatile uint32_t *)(GPU_LIMIT(ADDR_REGISTERS) + name##_OFFSET))

static uint32_t retired(void)
{
    uint32_t value;
    __asm__ volatile(".option arch, +zicsr\n csrr %0, minstret" : "=r"(value));
    return value;
}

static uint32_t mix(volatile uint32_t *words, uint32_t state)
{
    volatile uint8_t *bytes = (volatile uint8_t *)words;
    volatile int16_t *halves = (volatile int16_t *)words;
    for (uint32_t i = 0; i < WORDS; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] ^= state;
        bytes[state % (4 * WORDS)] = (uint8_t)(state >> 11);
        state += (uint32_t)halves[(state >> 5) % (2 * WORDS)];
        if (state & 4) state ^= words[(state >> 7) % WORDS] / ((state & 0xff) + 1);
        if ((int32_t)state < 0) state -= (uint32_t)((int32_t)words[i] % 1000003);
    }
    return state;
}

int main(void)
{
    static uint32_t core_words[WORDS];
    volatile uint32_t *const places[] = {core_words, (volatile uint32_t *)GPU_LIMIT(ADDR_COMMAND),
                                         (volatile uint32_t *)GPU_LIMIT(ADDR_SEGMENT1)};
    uint32_t state = 1, before = retired();
    for (uint32_t place = 1; place < 3; place++)
        for (uint32_t i = 0; i < WORDS; i++) places[place][i] = i;
    for (uint32_t round = 0; round < ROUNDS; round++) state = mix(places[round % 3], state);
    REGISTER(HOST_PANIC_PLACE) = retired() - before;
    REGISTER(HOST_SCRATCH) = state;
    REGISTER(HOST_BOOT_STATUS) = 1;
    for (;;) {}
}
