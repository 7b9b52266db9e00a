/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: web/deflate is zlib to the host's code. Method: the real one compresses and reads what it has to read and has
 * written, of every level and kind of content, and is hardly smaller; streams that are cut, changed or have no room are
 * refused, and never touch a byte outside (sanitizers). Its names are changed for this, by -D.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

/* web/deflate, compiled with other names. */
unsigned long web_crc32(unsigned long crc, const unsigned char *data, unsigned int bytes);
unsigned long web_compressBound(unsigned long bytes);
int web_compress2(unsigned char *to, unsigned long *to_bytes, const unsigned char *from, unsigned long from_bytes,
                  int level);
int web_uncompress(unsigned char *to, unsigned long *to_bytes, const unsigned char *from, unsigned long from_bytes);

enum { MOST = 200000, KINDS = 5 };
static uint8_t content[MOST], back[MOST], packed[MOST + 1000];
static uint32_t state;

static uint32_t pick(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

/* Zeros, noise, text of few letters, runs, and what was there a little before. */
static void fill(uint32_t kind, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        switch (kind) {
        case 0: content[i] = 0; break;
        case 1: content[i] = (uint8_t)pick(256); break;
        case 2: content[i] = (uint8_t)('a' + pick(4)); break;
        case 3: content[i] = i != 0 && pick(50) != 0 ? content[i - 1u] : (uint8_t)pick(256); break;
        default: content[i] = i > 40000u && pick(30) != 0 ? content[i - 32768u + pick(3)] : (uint8_t)pick(20); break;
        }
    }
}

static void test_reads(void **context)
{
    static const size_t sizes[] = {0, 1, 2, 300, 65535, 65536, 150000};
    (void)context;
    state = 7;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            fill(kind, sizes[i]);
            for (int level = 0; level <= 9; level += 3) {
                uLongf bytes = sizeof packed, read = sizeof back;
                assert_int_equal(compress2(packed, &bytes, content, sizes[i], level), Z_OK);
                assert_int_equal(web_uncompress(back, &read, packed, bytes), Z_OK);
                assert_int_equal(read, sizes[i]);
                assert_memory_equal(back, content, sizes[i]);
                if (sizes[i] == 0) continue;
                read = sizes[i] - 1u; /* no room */
                assert_int_equal(web_uncompress(back, &read, packed, bytes), Z_BUF_ERROR);
            }
        }
    }
}

static void test_writes(void **context)
{
    (void)context;
    state = 9;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (size_t size = 0; size <= 140000; size += size < 5u ? 1u : 33999u) {
            uLongf bytes = web_compressBound(size), read = sizeof back, theirs = sizeof back;
            fill(kind, size);
            assert_true(bytes <= sizeof packed);
            assert_int_equal(web_compress2(packed, &bytes, content, size, 6), Z_OK);
            assert_int_equal(uncompress(back, &read, packed, bytes), Z_OK);
            assert_int_equal(read, size);
            assert_memory_equal(back, content, size);
            assert_int_equal(web_crc32(web_crc32(0, content, 0), content, (uInt)size), crc32(0, content, (uInt)size));
            assert_int_equal(compress2(back, &theirs, content, size, 6), Z_OK);
            assert_true(bytes <= theirs + theirs / 20u + 64u); /* about as small */
            uint8_t *exact = malloc(bytes); /* a byte less is no room, and nothing is written after it */
            read = bytes - 1u;
            assert_int_equal(web_compress2(exact, &read, content, size, 6), Z_BUF_ERROR);
            read = bytes;
            assert_int_equal(web_compress2(exact, &read, content, size, 6), Z_OK);
            assert_int_equal(read, bytes);
            free(exact);
        }
    }
}

/* Alphabets with gaps of every length, since lengths of codes are said in runs: byte 0, and so many on. */
static void test_alphabets(void **context)
{
    (void)context;
    state = 17;
    for (uint32_t gap = 1; gap < 256; gap++) {
        for (uint32_t wide = 1; wide <= 17; wide += 4) { /* and so many bytes that are as frequent */
            const size_t bytes = 600;
            for (size_t i = 0; i < bytes; i++) content[i] = (uint8_t)(pick(wide) + (pick(2) != 0 ? gap : 0));
            uLongf packed_bytes = web_compressBound(bytes), read = sizeof back;
            assert_int_equal(web_compress2(packed, &packed_bytes, content, bytes, 6), Z_OK);
            assert_int_equal(uncompress(back, &read, packed, packed_bytes), Z_OK);
            assert_int_equal(read, bytes);
            assert_memory_equal(back, content, bytes);
        }
    }
}

/* Frequencies like Fibonacci's numbers want a code of more than 15 bits. */
static void test_long_codes(void **context)
{
    (void)context;
    size_t used = 0;
    for (uint32_t symbol = 0, now = 1, before = 1; used + now < MOST; symbol++) {
        for (uint32_t i = 0; i < now; i++) content[used++] = (uint8_t)symbol;
        const uint32_t next = now + before;
        before = now;
        now = next;
    }
    state = 13;
    for (size_t i = used; i > 1u; i--) { /* mixed, so that there are few matches */
        const size_t with = pick((uint32_t)i);
        const uint8_t byte = content[i - 1u];
        content[i - 1u] = content[with];
        content[with] = byte;
    }
    uLongf bytes = sizeof packed, read = sizeof back;
    assert_int_equal(web_compress2(packed, &bytes, content, used, 6), Z_OK);
    assert_int_equal(uncompress(back, &read, packed, bytes), Z_OK);
    assert_int_equal(read, used);
    assert_memory_equal(back, content, used);
}

/* Cut at each byte, and changed: an error, or the same content that zlib makes of it. */
static void test_broken(void **context)
{
    (void)context;
    state = 11;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        uLongf bytes = sizeof packed;
        fill(kind, 3000);
        assert_int_equal(compress2(packed, &bytes, content, 3000, 6), Z_OK);
        uint8_t *exact = malloc(bytes); /* so that a read after it shows */
        for (uLongf cut = 0; cut < bytes; cut++) {
            uLongf read = 3000;
            uint8_t *part = malloc(cut + (cut == 0));
            memcpy(part, packed, cut);
            assert_int_not_equal(web_uncompress(back, &read, part, cut), Z_OK);
            free(part);
        }
        for (uint32_t try = 0; try < 3000; try++) {
            memcpy(exact, packed, bytes);
            exact[pick((uint32_t)bytes)] ^= (uint8_t)(1u << pick(8));
            uLongf mine = 4000, theirs = 4000;
            static uint8_t other[4000];
            const int status = web_uncompress(back, &mine, exact, bytes),
                      judge = uncompress(other, &theirs, exact, bytes);
            assert_int_equal(status == Z_OK, judge == Z_OK);
            if (status == Z_OK) assert_int_equal(mine, theirs);
        }
        free(exact);
    }
}

/* ------------------------------------------------------------------ blocks of fixed codes */

static struct {
    uint8_t bytes[64];
    uint32_t used; /* bits */
} stream;

static void put_bit(uint32_t bit)
{
    stream.bytes[stream.used / 8u] |= (uint8_t)((bit & 1u) << stream.used % 8u);
    stream.used++;
}
static void put_code(uint32_t code, uint32_t bits)
{
    while (bits-- > 0) put_bit(code >> bits);
}
static void put_symbol(uint32_t symbol)
{
    if (symbol < 144u) put_code(48u + symbol, 8);
    else if (symbol < 256u) put_code(256u + symbol, 9);
    else if (symbol < 280u) put_code(symbol - 256u, 7);
    else put_code(symbol - 88u, 8);
}

/* Every length with every distance, those that there are not, too; from so many bytes as there are, or more. */
static void test_fixed(void **context)
{
    static const uint8_t begin[] = {0x78, 0x9c, 3}; /* the last block, of fixed codes: bits 1, 1, 0 */
    static uint8_t other[70000];
    uint32_t good = 0;
    (void)context;
    for (uint32_t length = 256; length < 288; length++) {
        for (uint32_t distance = 0; distance < 32; distance++) {
            for (uint32_t before = 1; before <= 5; before += 2) {
                memset(&stream, 0, sizeof stream);
                memcpy(stream.bytes, begin, sizeof begin);
                stream.used = 19;
                for (uint32_t i = 0; i < before; i++) put_symbol('a' + i * 40u);
                put_symbol(length);
                if (length != 256) {
                    const uint32_t extra = length < 265u || length > 284u ? 0 : (length - 261u) / 4u;
                    for (uint32_t i = 0; i < extra; i++) put_bit(i);
                    put_code(distance, 5);
                    for (uint32_t i = 2; i < distance; i += 2) put_bit(0);
                    put_symbol(256);
                }
                uLongf bytes = (stream.used + 7u) / 8u, mine = sizeof back, theirs = sizeof other;
                for (unsigned tries = 0; tries < 2; tries++) { /* without a checksum, then with the right one */
                    mine = sizeof back, theirs = sizeof other;
                    const int status = web_uncompress(back, &mine, stream.bytes, bytes);
                    const int judge = uncompress(other, &theirs, stream.bytes, bytes);
                    assert_int_equal(status == Z_OK, judge == Z_OK);
                    if (judge == Z_OK) {
                        assert_int_equal(mine, theirs);
                        assert_memory_equal(back, other, theirs);
                        good++;
                    }
                    const uLong sum = adler32(1, other, (uInt)theirs);
                    for (uint32_t i = 0; i < 4 && tries == 0; i++)
                        stream.bytes[bytes + i] = (uint8_t)(sum >> (24u - 8u * i));
                    bytes += tries == 0 ? 4u : 0;
                }
            }
        }
    }
    assert_in_range(good, 100, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads),     cmocka_unit_test(test_writes),
                                       cmocka_unit_test(test_alphabets), cmocka_unit_test(test_long_codes),
                                       cmocka_unit_test(test_broken),    cmocka_unit_test(test_fixed)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
