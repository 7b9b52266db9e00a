/* SPDX-License-Identifier: Apache-2.0
 *
 * See report_base64.h.
 */
#include "view/report_base64.h"

static void print_letters(struct base64 *base64, uint32_t letters)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t i = 0; i < 4; i++)
        fputc(i < letters ? alphabet[base64->bits >> (18u - 6u * i) & 63u] : '=', base64->file);
    base64->bits = 0;
}

void base64_byte(struct base64 *base64, uint32_t byte)
{
    base64->bits |= byte << (16u - 8u * (base64->count % 3u));
    if (++base64->count % 3u == 0) print_letters(base64, 4);
}

void base64_end(struct base64 *base64)
{
    if (base64->count % 3u != 0) print_letters(base64, base64->count % 3u + 1u);
}

void base64_word(struct base64 *base64, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) base64_byte(base64, word >> 8 * i & 0xffu);
}
