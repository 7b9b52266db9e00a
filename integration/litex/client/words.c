/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy and memset by words where both ends allow it: picolibc's go byte by byte, and a system's memory takes as long
 * for a byte as for a word.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Else the compiler would make calls of themselves out of these loops. */
#define NO_CALLS __attribute__((optimize("no-tree-loop-distribute-patterns")))

NO_CALLS void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if (((uintptr_t)out | (uintptr_t)in) % 4u == 0)
        for (; bytes >= 4; bytes -= 4, out += 4, in += 4)
            *(uint32_t *)(void *)out = *(const uint32_t *)(const void *)in;
    while (bytes-- > 0) *out++ = *in++;
    return to;
}

NO_CALLS void *memset(void *to, int value, size_t bytes)
{
    uint8_t *out = to;
    const uint32_t word = (uint8_t)value * 0x01010101u;
    if ((uintptr_t)out % 4u == 0)
        for (; bytes >= 4; bytes -= 4, out += 4) *(uint32_t *)(void *)out = word;
    while (bytes-- > 0) *out++ = (uint8_t)value;
    return to;
}
