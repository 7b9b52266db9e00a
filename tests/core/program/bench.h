/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program under core-run can do besides computing: print, and read the counters.
 */
#ifndef TESSERA_CORE_BENCH_H
#define TESSERA_CORE_BENCH_H

#include <stdint.h>

/* Bench devices: ../bench_memory.h. */
static inline void bench_put(char character) { *(volatile uint32_t *)0xf0000000u = (uint8_t)character; }

static inline void bench_text(const char *text)
{
    while (*text) bench_put(*text++);
}

static inline void bench_number(uint32_t value)
{
    char digits[10];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count > 0) bench_put(digits[--count]);
}

static inline uint32_t bench_cycles(void)
{
    uint32_t value;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mcycle\n.option pop" : "=r"(value)::"memory");
    return value;
}

static inline uint32_t bench_instructions(void)
{
    uint32_t value;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(value)::"memory");
    return value;
}

#endif
