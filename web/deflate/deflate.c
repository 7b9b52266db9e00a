/* SPDX-License-Identifier: Apache-2.0
 *
 * Checksums, and zlib streams (RFC 1950 and 1951): what was there before is named by its distance, found by chains of
 * places with the same three bytes, and blocks have a code of their own or are stored, whichever is shorter.
 */
#include <stdbool.h>
#include <string.h>

#include "adler.h"
#include "huffman.h"
#include "zlib.h"

enum {
    WINDOW = 1 << 15,
    HASH_BITS = 15,
    CHAIN = 48,    /* places that are tried */
    PATIENCE = 32, /* of a match that is shorter the next place is tried, too */
    SHORTEST = 3,
    LONGEST = 258,
    NEAR = 4096,      /* a shortest match from farther away is longer than its bytes */
    TOKENS = 1 << 14, /* of a block */
    STORED = 65535,   /* most bytes of a stored block */
    LITERALS = 286,
    DISTANCES = 30,
    ORDERS = 19,
    END_OF_BLOCK = 256,
    HEADER = 6, /* of a stored block, with the bits before it */
    ENDS = 6
};

uLong crc32_z(uLong crc, const Bytef *data, size_t bytes)
{
    static uint32_t table[256];
    if (table[1] == 0) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t value = i;
            for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ ((value & 1u) != 0 ? 0xedb88320u : 0u);
            table[i] = value;
        }
    }
    uint32_t sum = ~(uint32_t)crc;
    for (size_t i = 0; i < bytes; i++) sum = table[(sum ^ data[i]) & 255u] ^ sum >> 8;
    return (uLong)(uint32_t)~sum;
}

uLong crc32(uLong crc, const Bytef *data, uInt bytes) { return data != NULL ? crc32_z(crc, data, bytes) : 0; }

uint32_t adler32_of(const uint8_t *data, size_t bytes)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < bytes; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

/* A byte, where `length` is 0, or so many from `value` bytes ago. */
struct token {
    uint16_t length, value;
};

struct packer {
    const Bytef *from;
    uLong bytes, begin; /* begin: of the block */
    Bytef *to;
    uLong used, room;
    uint32_t bits, bit_count;
    bool is_full;
    uint32_t head[1 << HASH_BITS], before[WINDOW]; /* places, counted from 1: the newest of a hash, the one before it */
    struct token tokens[TOKENS];
    uint32_t count;
};

/* ------------------------------------------------------------------ bits */

static void put_byte(struct packer *packer, uint32_t byte)
{
    if (packer->used == packer->room) packer->is_full = true;
    else packer->to[packer->used++] = (Bytef)byte;
}

static void put_bits(struct packer *packer, uint32_t value, uint32_t count)
{
    packer->bits |= value << packer->bit_count;
    packer->bit_count += count;
    for (; packer->bit_count >= 8u; packer->bit_count -= 8u, packer->bits >>= 8) put_byte(packer, packer->bits & 255u);
}

static void fill_byte(struct packer *packer)
{
    if (packer->bit_count != 0) put_bits(packer, 0, 8u - packer->bit_count);
}

/* ------------------------------------------------------------------ symbols */

struct symbol {
    uint32_t code, extra_bits, extra;
};

static uint32_t log2_of(uint32_t value) { return 31u - (uint32_t)__builtin_clz(value); }

static struct symbol length_symbol(uint32_t length)
{
    const uint32_t from = length - (uint32_t)SHORTEST;
    if (length == (uint32_t)LONGEST) return (struct symbol){285, 0, 0};
    if (from < 8u) return (struct symbol){257u + from, 0, 0};
    const uint32_t bits = log2_of(from) - 2u;
    return (struct symbol){257u + 4u * bits + (from >> bits), bits, from & ((1u << bits) - 1u)};
}

static struct symbol distance_symbol(uint32_t distance)
{
    const uint32_t from = distance - 1u;
    if (from < 4u) return (struct symbol){from, 0, 0};
    const uint32_t bits = log2_of(from) - 1u;
    return (struct symbol){2u * bits + (from >> bits), bits, from & ((1u << bits) - 1u)};
}

/* ------------------------------------------------------------------ blocks */

/* The codes of a block, and how they are said: their lengths, as lengths or runs of lengths. */
struct codes {
    uint8_t lengths[LITERALS + DISTANCES], order_lengths[ORDERS];
    uint16_t literal[LITERALS], distance[DISTANCES], order[ORDERS];
    struct symbol runs[LITERALS + DISTANCES];
    uint32_t run_count, order_count;
};
static const uint8_t orders[ORDERS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static struct symbol take_run(const uint8_t *lengths, uint32_t left, bool has_before, uint32_t *count)
{
    uint32_t same = 1;
    while (same < left && lengths[same] == lengths[0]) same++;
    *count = 1;
    if (lengths[0] == 0 && same >= 3u) {
        *count = same < 138u ? same : 138u;
        return *count < 11u ? (struct symbol){17, 3, *count - 3u} : (struct symbol){18, 7, *count - 11u};
    }
    if (has_before && lengths[0] == lengths[-1] && same >= 3u) {
        *count = same < 6u ? same : 6u;
        return (struct symbol){16, 2, *count - 3u};
    }
    return (struct symbol){lengths[0], 0, 0};
}

static void say_lengths(struct codes *codes)
{
    uint32_t often[ORDERS] = {0};
    codes->run_count = 0;
    for (uint32_t at = 0, count; at < (uint32_t)(LITERALS + DISTANCES); at += count) {
        codes->runs[codes->run_count] = take_run(codes->lengths + at, LITERALS + DISTANCES - at, at != 0, &count);
        often[codes->runs[codes->run_count++].code]++;
    }
    huffman_lengths(often, ORDERS, 7, codes->order_lengths);
    huffman_codes(codes->order_lengths, ORDERS, codes->order);
    codes->order_count = ORDERS;
    while (codes->order_lengths[orders[codes->order_count - 1u]] == 0) codes->order_count--;
}

/* Gives the number of bits that the block has with them. */
static uLong make_codes(const struct packer *packer, struct codes *codes)
{
    uint32_t often[LITERALS] = {0}, far[DISTANCES] = {0};
    uLong bits = 3u + 14u;
    often[END_OF_BLOCK] = 1;
    for (uint32_t i = 0; i < packer->count; i++) {
        const struct token token = packer->tokens[i];
        if (token.length == 0) {
            often[token.value]++;
            continue;
        }
        const struct symbol length = length_symbol(token.length), distance = distance_symbol(token.value);
        often[length.code]++;
        far[distance.code]++;
        bits += length.extra_bits + distance.extra_bits;
    }
    huffman_lengths(often, LITERALS, 15, codes->lengths);
    huffman_lengths(far, DISTANCES, 15, codes->lengths + LITERALS);
    huffman_codes(codes->lengths, LITERALS, codes->literal);
    huffman_codes(codes->lengths + LITERALS, DISTANCES, codes->distance);
    say_lengths(codes);
    for (uint32_t i = 0; i < (uint32_t)LITERALS; i++) bits += often[i] * (uLong)codes->lengths[i];
    for (uint32_t i = 0; i < (uint32_t)DISTANCES; i++) bits += far[i] * (uLong)codes->lengths[LITERALS + i];
    for (uint32_t i = 0; i < codes->run_count; i++)
        bits += codes->order_lengths[codes->runs[i].code] + codes->runs[i].extra_bits;
    return bits + 3u * codes->order_count;
}

static void put_coded(struct packer *packer, const struct codes *codes)
{
    put_bits(packer, 2, 2);
    put_bits(packer, LITERALS - 257, 5);
    put_bits(packer, DISTANCES - 1, 5);
    put_bits(packer, codes->order_count - 4u, 4);
    for (uint32_t i = 0; i < codes->order_count; i++) put_bits(packer, codes->order_lengths[orders[i]], 3);
    for (uint32_t i = 0; i < codes->run_count; i++) {
        const struct symbol run = codes->runs[i];
        put_bits(packer, codes->order[run.code], codes->order_lengths[run.code]);
        put_bits(packer, run.extra, run.extra_bits);
    }
    for (uint32_t i = 0; i < packer->count; i++) {
        const struct token token = packer->tokens[i];
        const struct symbol first =
            token.length != 0 ? length_symbol(token.length) : (struct symbol){token.value, 0, 0};
        put_bits(packer, codes->literal[first.code], codes->lengths[first.code]);
        if (token.length == 0) continue;
        const struct symbol distance = distance_symbol(token.value);
        put_bits(packer, first.extra, first.extra_bits);
        put_bits(packer, codes->distance[distance.code], codes->lengths[LITERALS + distance.code]);
        put_bits(packer, distance.extra, distance.extra_bits);
    }
    put_bits(packer, codes->literal[END_OF_BLOCK], codes->lengths[END_OF_BLOCK]);
}

static void put_stored(struct packer *packer, uLong end)
{
    const uint32_t length = (uint32_t)(end - packer->begin);
    put_bits(packer, 0, 2);
    fill_byte(packer);
    put_bits(packer, length, 16);
    put_bits(packer, ~length & 0xffffu, 16);
    if (length > packer->room - packer->used) {
        packer->is_full = true;
        return;
    }
    if (length != 0) memcpy(packer->to + packer->used, packer->from + packer->begin, length);
    packer->used += length;
}

/* What has been gathered, up to the byte `end`. */
static void put_block(struct packer *packer, uLong end, bool is_last)
{
    struct codes codes;
    const uLong bits = make_codes(packer, &codes), length = end - packer->begin;
    put_bits(packer, is_last, 1);
    if (length <= (uLong)STORED && length * 8u + 8u * HEADER < bits) put_stored(packer, end);
    else put_coded(packer, &codes);
    packer->begin = end;
    packer->count = 0;
}

/* ------------------------------------------------------------------ matches */

static uint32_t hash_at(const struct packer *packer, uLong at)
{
    const Bytef *from = packer->from + at;
    return ((uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2]) * 2654435761u >> (32 - HASH_BITS);
}

static void remember(struct packer *packer, uLong at)
{
    if (packer->bytes - at < (uLong)SHORTEST) return;
    uint32_t *head = &packer->head[hash_at(packer, at)];
    packer->before[at % WINDOW] = *head;
    *head = (uint32_t)at + 1u;
}

static struct token find(const struct packer *packer, uLong at)
{
    struct token best = {0, packer->from[at]};
    const uLong left = packer->bytes - at, most = left < (uLong)LONGEST ? left : (uLong)LONGEST;
    const Bytef *here = packer->from + at;
    if (most < (uLong)SHORTEST) return best;
    uint32_t place = packer->head[hash_at(packer, at)];
    for (uint32_t tries = 0; place != 0 && at + 1u - place <= (uLong)WINDOW && tries < (uint32_t)CHAIN; tries++) {
        const Bytef *there = packer->from + place - 1u;
        uint32_t same = 0;
        if (best.length == 0 || there[best.length] == here[best.length])
            while (same < most && there[same] == here[same]) same++;
        const bool is_worth =
            same > (uint32_t)SHORTEST || (same == (uint32_t)SHORTEST && at + 1u - place <= (uLong)NEAR);
        if (is_worth && same > best.length) best = (struct token){(uint16_t)same, (uint16_t)(at + 1u - place)};
        if (same == most) break;
        const uint32_t next = packer->before[(place - 1u) % WINDOW];
        if (next >= place) break; /* its place in the ring is another's by now */
        place = next;
    }
    return best;
}

static void push(struct packer *packer, struct token token, uLong end)
{
    packer->tokens[packer->count++] = token;
    if (packer->count == (uint32_t)TOKENS) put_block(packer, end, false);
}

static void pack(struct packer *packer)
{
    uLong at = 0;
    struct token now = packer->bytes != 0 ? find(packer, 0) : (struct token){0, 0};
    while (at < packer->bytes) {
        struct token next = {0, 0};
        remember(packer, at);
        if (now.length != 0 && now.length < (uint32_t)PATIENCE && at + 1u < packer->bytes) next = find(packer, at + 1u);
        const bool waits = next.length > now.length;
        const uint32_t step = waits || now.length == 0 ? 1 : now.length;
        if (waits) now = (struct token){0, packer->from[at]};
        push(packer, now, at + step);
        for (uint32_t i = 1; i < step; i++) remember(packer, at + i);
        at += step;
        if (waits) now = next;
        else if (at < packer->bytes) now = find(packer, at);
    }
    put_block(packer, packer->bytes, true);
    fill_byte(packer);
}

uLong compressBound(uLong bytes) { return bytes + (bytes / TOKENS + 2u) * HEADER + ENDS + HUFFMAN_SYMBOLS; }

int compress2(Bytef *to, uLongf *to_bytes, const Bytef *from, uLong from_bytes, int level)
{
    static struct packer packer;
    (void)level;
    memset(packer.head, 0, sizeof packer.head);
    packer.from = from;
    packer.bytes = from_bytes;
    packer.to = to;
    packer.room = *to_bytes;
    packer.begin = packer.used = 0;
    packer.bits = packer.bit_count = packer.count = 0;
    packer.is_full = false;
    put_byte(&packer, 0x78);
    put_byte(&packer, 0x9c);
    pack(&packer);
    const uint32_t sum = adler32_of(from, from_bytes);
    for (int lsb = 24; lsb >= 0; lsb -= 8) put_byte(&packer, sum >> lsb & 255u);
    *to_bytes = packer.used;
    return packer.is_full ? Z_BUF_ERROR : Z_OK;
}
