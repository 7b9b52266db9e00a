/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefix codes for deflate.c.
 */
#ifndef TESSERA_WEB_HUFFMAN_H
#define TESSERA_WEB_HUFFMAN_H

#include <stdint.h>

enum { HUFFMAN_SYMBOLS = 288 };

/* Lengths of a best code of at most `limit` bits, by how often each symbol occurs; 0: one that does not occur. A single
 * symbol has one bit. At most HUFFMAN_SYMBOLS symbols, of which there are less than 1 << limit. */
void huffman_lengths(const uint32_t *often, uint32_t count, uint32_t limit, uint8_t *lengths);
/* The codes of these lengths, first bit lowest, as they are put into the stream. */
void huffman_codes(const uint8_t *lengths, uint32_t count, uint16_t *codes);

#endif
