/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what the gdb server answers to a packet, and what it asks of the core for it, changes only where that is meant.
 * Method: host/lib/gdb/gdb_packet.c between a debug unit that is made up and a client that is: packets of every kind,
 * right, at limits, damaged, in pieces, with escapes and wrong sums; answers, calls and wishes of all are held in a sum
 * (tests/host/report/written).
 *   test_packets FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/gdb/gdb_internal.h"
#include "gpu_spec.h"
#include "held.h"

enum { PACKETS = 20000 };

static struct gdb gdb;
static uint32_t sum, answers, refusals;

static void add(const void *data, size_t bytes) { sum = (uint32_t)crc32(sum, data, (uInt)bytes); }

/* ------------------------------------------------------------------ what is below and above */

static enum debug_result called(uint32_t what, uint32_t first, uint32_t second)
{
    static const enum debug_result bad[] = {DEBUG_FAULT, DEBUG_NO_ROOM, DEBUG_RUNNING,
                                            DEBUG_LINK,  DEBUG_ABSENT,  DEBUG_STUCK};
    const uint32_t words[] = {what, first, second};
    add(words, sizeof words);
    return pick(8) == 0 ? bad[pick(6)] : DEBUG_OK;
}

enum debug_result debug_status(struct debug *debug, uint32_t *status)
{
    for (uint32_t i = 0; i < DEBUG_WATCHES; i++) debug->watches[i] = pick(0x7fffffff);
    *status = FIELD_PUT(pick(6), DEBUG_STATUS_REASON) | FIELD_PUT(pick(4), DEBUG_STATUS_INDEX);
    return called(1, 0, 0);
}

enum debug_result debug_register(struct debug *debug, uint32_t number, uint32_t *value)
{
    (void)debug;
    *value = pick(0x7fffffff);
    return called(2, number, 0);
}

enum debug_result debug_set_register(struct debug *debug, uint32_t number, uint32_t value)
{
    (void)debug;
    return called(3, number, value);
}

enum debug_result debug_csr(struct debug *debug, uint32_t number, uint32_t *value)
{
    (void)debug;
    *value = pick(0x7fffffff);
    return called(4, number, 0);
}

enum debug_result debug_set_csr(struct debug *debug, uint32_t number, uint32_t value)
{
    (void)debug;
    return called(5, number, value);
}

enum debug_result debug_read(struct debug *debug, uint32_t address, void *data, size_t bytes)
{
    (void)debug;
    for (size_t i = 0; i < bytes; i++) ((uint8_t *)data)[i] = (uint8_t)pick(256);
    return called(6, address, (uint32_t)bytes);
}

enum debug_result debug_write(struct debug *debug, uint32_t address, const void *data, size_t bytes)
{
    (void)debug;
    add(data, bytes);
    return called(7, address, (uint32_t)bytes);
}

enum debug_result debug_break(struct debug *debug, uint32_t address, bool is_set)
{
    (void)debug;
    return called(8, address, is_set);
}

enum debug_result debug_watch(struct debug *debug, uint32_t address, uint32_t bytes, bool loads, bool stores,
                              bool is_set)
{
    (void)debug;
    add(&(uint32_t){bytes}, 4);
    return called(9, address, (uint32_t)loads << 2 | (uint32_t)stores << 1 | is_set);
}

void gdb_write(struct gdb *it, const char *bytes, size_t count)
{
    (void)it;
    add(bytes, count);
    answers += count > 4;
    refusals += count == 7 && memcmp(bytes, "$E16", 4) == 0;
}

/* ------------------------------------------------------------------ packets */

static uint32_t digits(char *text, uint32_t bytes)
{
    for (uint32_t i = 0; i < 2 * bytes; i++) text[i] = "0123456789abcdefABCDEF"[pick(22)];
    return 2 * bytes;
}

/* A number near what bounds it. */
static uint32_t number(void)
{
    static const uint32_t near[] = {0, 1, 4, 31, 32, 33, 64, 65, 4160, 4161, 2048, 4095, 4096, 0x80000000u};
    return pick(4) == 0 ? pick(0x7fffffff) : near[pick(14)] + pick(3) - 1;
}

static size_t invent(char *text)
{
    static const char *const words[] = {"?",
                                        "g",
                                        "H1",
                                        "T2",
                                        "D",
                                        "k",
                                        "qSupported:x",
                                        "qAttached",
                                        "qAttach",
                                        "qC",
                                        "qCC",
                                        "qfThreadInfo",
                                        "qsThreadInfo",
                                        "qSymbol::",
                                        "QStartNoAckMode",
                                        "QStartNoAckModes",
                                        "vCont?",
                                        "vCont;c",
                                        "vCont;C05",
                                        "vCont;s:1",
                                        "vCont;S",
                                        "vKill;1",
                                        "vKil",
                                        "vMustReply",
                                        "qXfer:features:read:other.xml:0,9",
                                        "!",
                                        "",
                                        "bc",
                                        "qP"};
    uint32_t kind = pick(16), a = number(), b = number(), c = pick(6), last = pick(9), length;
    char set = pick(2) != 0 ? 'Z' : 'z';
    switch (kind) {
    case 0: length = (uint32_t)sprintf(text, "p%" PRIx32, a); break;
    case 1:
        length = (uint32_t)sprintf(text, "P%" PRIx32 "=", a);
        length += digits(text + length, 4);
        break;
    case 2:
        text[0] = 'G';
        length = 1 + digits(text + 1, 4 * DEBUG_REGISTERS + (pick(9) == 0));
        break;
    case 3: length = (uint32_t)sprintf(text, "m%" PRIx32 ",%" PRIx32, a, b); break;
    case 4:
    case 5:
        b = pick(20) == 0 ? 2000 : pick(40);
        length = (uint32_t)sprintf(text, "%c%" PRIx32 ",%" PRIx32 ":", kind == 4 ? 'M' : 'X', a, b + (pick(9) == 0));
        if (kind == 4) length += digits(text + length, b);
        else
            for (uint32_t i = 0; i < b; i++) text[length++] = (char)pick(256);
        break;
    case 6:
    case 7: length = (uint32_t)sprintf(text, "%c%" PRIx32 ",%" PRIx32 ",%" PRIx32, set, c, a, last); break;
    case 8: length = (uint32_t)sprintf(text, pick(2) != 0 ? "c%" PRIx32 : "s%" PRIx32, a); break;
    case 9: length = (uint32_t)sprintf(text, "%c", pick(2) != 0 ? 'c' : 's'); break;
    case 10:
    case 11: length = (uint32_t)sprintf(text, "qXfer:features:read:target.xml:%" PRIx32 ",%" PRIx32, a, b); break;
    default: length = (uint32_t)sprintf(text, "%s", words[pick(sizeof words / sizeof *words)]); break;
    }
    if (pick(6) == 0 && length > 0) text[pick(length)] = ",:;=#$}g0"[pick(9)];
    if (pick(9) == 0 && length > 0) length -= 1 + pick(length < 3 ? length : 3);
    if (pick(9) == 0) text[length++] = ",:0;"[pick(4)];
    text[length] = 0;
    return length;
}

/* As a frame, what would end it escaped; now and then with a wrong sum, or noise before it. */
static void post(const char *text, size_t length)
{
    uint8_t *to = gdb.input + gdb.input_bytes, check = 0;
    if (pick(9) == 0) *to++ = (uint8_t) "+-x\3#"[pick(5)];
    *to++ = '$';
    for (size_t i = 0; i < length; i++) {
        bool is_escaped = text[i] == '$' || text[i] == '#' || text[i] == '}';
        if (is_escaped) *to++ = '}', check = (uint8_t)(check + '}');
        *to = (uint8_t)(is_escaped ? text[i] ^ 0x20 : text[i]);
        check = (uint8_t)(check + *to++);
    }
    check = (uint8_t)(check + (pick(16) == 0));
    to += sprintf((char *)to, pick(2) != 0 ? "#%02x" : "#%02X", check);
    gdb.input_bytes = (size_t)(to - gdb.input);
}

static void take(void)
{
    static char packet[GDB_PACKET + 1];
    for (int length = gdb_next_packet(&gdb, packet); length >= 0; length = gdb_next_packet(&gdb, packet)) {
        enum gdb_wish wish = packet[0] == 3 ? GDB_STAY : gdb_packet(&gdb, packet, (size_t)length);
        const uint32_t words[] = {(uint32_t)length, wish, gdb.no_acknowledge};
        add(words, sizeof words);
        add(packet, (size_t)length);
        if (pick(40) == 0) gdb.no_acknowledge = false;
    }
    add(&(uint32_t){(uint32_t)gdb.input_bytes}, 4);
}

/* Longer than a packet may be, by a byte more or less, with an end and without. */
static void test_long(void)
{
    for (uint32_t length = GDB_PACKET - 6; length < GDB_PACKET + 7; length++)
        for (uint32_t kind = 0; kind < 3; kind++) {
            memset(gdb.input, 'a', sizeof gdb.input);
            gdb.input[0] = '$';
            gdb.input_bytes = length;
            if (kind != 0) memcpy(gdb.input + length - (kind == 1 ? 3 : 1), "#00", kind == 1 ? 3 : 1);
            take();
            if (kind != 0) add(gdb.input, gdb.input_bytes < 9 ? gdb.input_bytes : 9);
            gdb.input_bytes = 0;
        }
}

int main(int argc, char **argv)
{
    static char text[2 * GDB_PACKET];
    if (argc != 3) return printf("usage: test_packets FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    for (uint32_t i = 0; i < PACKETS; i++) {
        for (uint32_t count = pick(3); count > 0; count--) post(text, invent(text));
        size_t all = gdb.input_bytes, now = pick(4) == 0 ? pick((uint32_t)all + 1) : all; /* the rest comes later */
        gdb.input_bytes = now;
        take();
        memmove(gdb.input + gdb.input_bytes, gdb.input + now, all - now);
        gdb.input_bytes += all - now;
        take();
        gdb.input_bytes = 0;
    }
    test_long();
    hold("gdb-packets", sum);
    if (answers > PACKETS / 3 && refusals > PACKETS / 60 && refusals < answers / 2) passed++;
    else failed++, printf("FAILED: %" PRIu32 " answers, %" PRIu32 " refusals\n", answers, refusals);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
