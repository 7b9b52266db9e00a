/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a zlib stream (RFC 1950 and 1951). The bytes are a stranger's: nothing is read or written outside of what the
 * caller gave, and what is no stream is refused. Codes are decoded bit by bit, by how many codes there are of each
 * length: slow, small and easy to see right.
 */
#include <stdbool.h>
#include <string.h>

#include "adler.h"
#include "zlib.h"

enum { LENGTHS = 16, LITERALS = 288, DISTANCES = 30, ORDERS = 19, END_OF_BLOCK = 256 };

struct reader {
    const uint8_t *from;
    size_t at, bytes;
    uint32_t bits, bit_count;
    uint8_t *to;
    size_t used, room;
    bool is_cut, is_full; /* the stream ended, or the room */
};

/* A code: how many symbols have each length, and the symbols in the order of their codes. */
struct code {
    uint16_t count[LENGTHS], symbol[LITERALS];
};

static uint32_t take_bits(struct reader *reader, uint32_t count)
{
    while (reader->bit_count < count) {
        if (reader->at == reader->bytes) {
            reader->is_cut = true;
            return 0;
        }
        reader->bits |= (uint32_t)reader->from[reader->at++] << reader->bit_count;
        reader->bit_count += 8;
    }
    const uint32_t value = reader->bits & ((1u << count) - 1u);
    reader->bits >>= count;
    reader->bit_count -= count;
    return value;
}

static bool put(struct reader *reader, uint8_t byte)
{
    if (reader->used == reader->room) {
        reader->is_full = true;
        return false;
    }
    reader->to[reader->used++] = byte;
    return true;
}

/* False: more codes than their lengths have room for, or fewer, unless there is one symbol at most. */
static bool make_code(struct code *code, const uint8_t *lengths, uint32_t count)
{
    uint16_t next[LENGTHS] = {0};
    int32_t left = 1;
    memset(code, 0, sizeof *code);
    for (uint32_t i = 0; i < count; i++) code->count[lengths[i]]++;
    const bool is_single = count - code->count[0] <= 1u;
    code->count[0] = 0;
    for (uint32_t length = 1; length < LENGTHS; length++) {
        left = 2 * left - code->count[length];
        if (left < 0) return false;
        if (length + 1u < LENGTHS) next[length + 1u] = (uint16_t)(next[length] + code->count[length]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (lengths[i] != 0) code->symbol[next[lengths[i]]++] = (uint16_t)i;
    return left == 0 || is_single;
}

/* UINT32_MAX: no such code, or the stream is cut off. */
static uint32_t take_symbol(struct reader *reader, const struct code *code)
{
    uint32_t value = 0, first = 0, index = 0;
    for (uint32_t length = 1; length < LENGTHS && !reader->is_cut; length++) {
        value |= take_bits(reader, 1);
        if (value - first < code->count[length]) return code->symbol[index + value - first];
        index += code->count[length];
        first = (first + code->count[length]) << 1;
        value <<= 1;
    }
    return UINT32_MAX;
}

static bool copy_back(struct reader *reader, uint32_t length, uint32_t distance)
{
    if (distance > reader->used) return false;
    for (; length != 0; length--)
        if (!put(reader, reader->to[reader->used - distance])) return false;
    return true;
}

static bool read_codes(struct reader *reader, const struct code *literals, const struct code *distances)
{
    for (;;) {
        uint32_t symbol = take_symbol(reader, literals);
        if (symbol == END_OF_BLOCK) return true;
        if (symbol < END_OF_BLOCK) {
            if (!put(reader, (uint8_t)symbol)) return false;
            continue;
        }
        if (symbol > 285u) return false;
        symbol -= 257u;
        uint32_t extra = symbol < 8u || symbol == 28u ? 0 : symbol / 4u - 1u;
        uint32_t length = symbol < 8u ? symbol + 3u : symbol == 28u ? 258u : ((4u + symbol % 4u) << extra) + 3u;
        length += take_bits(reader, extra);
        symbol = take_symbol(reader, distances);
        if (symbol >= DISTANCES) return false;
        extra = symbol < 4u ? 0 : symbol / 2u - 1u;
        uint32_t distance = symbol < 4u ? symbol + 1u : ((2u + symbol % 2u) << extra) + 1u;
        distance += take_bits(reader, extra);
        if (reader->is_cut || !copy_back(reader, length, distance)) return false;
    }
}

static bool read_fixed(struct reader *reader)
{
    struct code literals, distances;
    uint8_t lengths[LITERALS];
    for (uint32_t i = 0; i < LITERALS; i++) lengths[i] = i < 144u ? 8 : i < 256u ? 9 : i < 280u ? 7 : 8;
    (void)make_code(&literals, lengths, LITERALS);
    memset(lengths, 5, DISTANCES);
    (void)make_code(&distances, lengths, DISTANCES); /* two codes of 32 are never used */
    return read_codes(reader, &literals, &distances);
}

/* The lengths of both codes, run-length coded by a third one. */
static bool read_lengths(struct reader *reader, const struct code *code, uint8_t *lengths, uint32_t count)
{
    for (uint32_t at = 0; at < count;) {
        const uint32_t symbol = take_symbol(reader, code);
        if (symbol > 18u) return false;
        if (symbol < 16u) {
            lengths[at++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16u && at == 0) return false;
        const uint8_t value = symbol == 16u ? lengths[at - 1u] : 0;
        const uint32_t times = symbol == 16u   ? 3u + take_bits(reader, 2)
                               : symbol == 17u ? 3u + take_bits(reader, 3)
                                               : 11u + take_bits(reader, 7);
        if (reader->is_cut || times > count - at) return false;
        memset(lengths + at, value, times);
        at += times;
    }
    return true;
}

static bool read_dynamic(struct reader *reader)
{
    static const uint8_t order[ORDERS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    struct code literals, distances;
    uint8_t lengths[LITERALS + 32] = {0};
    const uint32_t literal_count = take_bits(reader, 5) + 257u, distance_count = take_bits(reader, 5) + 1u;
    const uint32_t order_count = take_bits(reader, 4) + 4u;
    if (literal_count > 286u || distance_count > DISTANCES) return false;
    for (uint32_t i = 0; i < order_count; i++) lengths[order[i]] = (uint8_t)take_bits(reader, 3);
    if (reader->is_cut || !make_code(&literals, lengths, ORDERS)) return false;
    memset(lengths, 0, ORDERS);
    if (!read_lengths(reader, &literals, lengths, literal_count + distance_count)) return false;
    if (lengths[END_OF_BLOCK] == 0) return false;
    return make_code(&literals, lengths, literal_count) &&
           make_code(&distances, lengths + literal_count, distance_count) && read_codes(reader, &literals, &distances);
}

static bool read_stored(struct reader *reader)
{
    reader->bits = reader->bit_count = 0; /* up to the byte */
    if (reader->bytes - reader->at < 4u) {
        reader->is_cut = true;
        return false;
    }
    const uint8_t *at = reader->from + reader->at;
    const uint32_t length = at[0] | (uint32_t)at[1] << 8, other = at[2] | (uint32_t)at[3] << 8;
    reader->at += 4u;
    if ((length ^ other) != 0xffffu) return false;
    reader->is_cut = length > reader->bytes - reader->at;
    reader->is_full = length > reader->room - reader->used;
    if (reader->is_cut || reader->is_full) return false;
    if (length != 0) memcpy(reader->to + reader->used, reader->from + reader->at, length);
    reader->at += length;
    reader->used += length;
    return true;
}

static bool read_block(struct reader *reader, bool *is_last)
{
    *is_last = take_bits(reader, 1) != 0;
    switch (take_bits(reader, 2)) {
    case 0: return !reader->is_cut && read_stored(reader);
    case 1: return read_fixed(reader);
    case 2: return read_dynamic(reader);
    default: return false;
    }
}

int uncompress(Bytef *to, uLongf *to_bytes, const Bytef *from, uLong from_bytes)
{
    struct reader reader = {.from = from, .at = 2, .bytes = from_bytes, .to = to, .room = *to_bytes};
    bool is_good = true, is_last = false;
    if (from_bytes < 2u) return Z_BUF_ERROR;
    if ((from[0] & 15u) != 8u || from[0] >> 4 > 7u || (from[0] * 256u + from[1]) % 31u != 0 || (from[1] & 32u) != 0)
        return Z_DATA_ERROR;
    while (is_good && !is_last) is_good = read_block(&reader, &is_last);
    *to_bytes = reader.used;
    if (reader.is_cut || reader.is_full) return Z_BUF_ERROR;
    if (!is_good) return Z_DATA_ERROR;
    if (from_bytes - reader.at < 4u) return Z_BUF_ERROR;
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) sum = sum << 8 | from[reader.at + (size_t)i];
    return sum == adler32_of(to, reader.used) ? Z_OK : Z_DATA_ERROR;
}
