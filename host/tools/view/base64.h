/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes as base64 into a file, one after the other.
 */
#ifndef TESSERA_BASE64_H
#define TESSERA_BASE64_H

#include <stdint.h>
#include <stdio.h>

struct base64 {
    FILE *file;
    uint32_t bits, count; /* bytes not printed yet, and how many came in all */
};

static inline void base64_letters(struct base64 *base64, uint32_t letters)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t i = 0; i < 4; i++)
        fputc(i < letters ? alphabet[base64->bits >> (18u - 6u * i) & 63u] : '=', base64->file);
    base64->bits = 0;
}

static inline void base64_byte(struct base64 *base64, uint32_t byte)
{
    base64->bits |= byte << (16u - 8u * (base64->count % 3u));
    if (++base64->count % 3u == 0) base64_letters(base64, 4);
}

static inline void base64_end(struct base64 *base64)
{
    if (base64->count % 3u != 0) base64_letters(base64, base64->count % 3u + 1u);
}

/* Four bytes, the lowest first. */
static inline void base64_word(struct base64 *base64, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) base64_byte(base64, word >> 8 * i & 0xffu);
}

#endif
