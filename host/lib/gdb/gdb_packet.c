/* SPDX-License-Identifier: Apache-2.0
 *
 * The gdb remote serial protocol: frames, and an answer to every packet. Nothing a client sends is trusted: lengths are
 * checked against the buffers, numbers for digits, and every packet that is not understood whole is refused.
 */
#include "lib/gdb/gdb_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

enum { CSR_FIRST = 65, CSR_COUNT = 4096, DATA_MAX = GDB_PACKET / 2 }; /* DATA_MAX: bytes as the digits of a packet */

static const char BAD[] = "E16";

static const char *error_of(enum debug_result result)
{
    switch (result) {
    case DEBUG_OK: return "OK";
    case DEBUG_FAULT: return "E0e";
    case DEBUG_NO_ROOM: return "E1c";
    case DEBUG_RUNNING: return "E10";
    case DEBUG_LINK:
    case DEBUG_ABSENT:
    case DEBUG_STUCK:
    default: return "E05";
    }
}

/* ------------------------------------------------------------------ frames */

static int digit(char letter)
{
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return -1;
}

void gdb_send(struct gdb *gdb, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    char frame[GDB_PACKET + 5];
    size_t length = strlen(text);
    uint8_t sum = 0;
    if (length > GDB_PACKET) length = GDB_PACKET;
    frame[0] = '$';
    /* analyse: bugprone-not-null-terminated-result: a packet ends with its checksum */
    memcpy(frame + 1, text, length);
    for (size_t i = 0; i < length; i++) sum = (uint8_t)(sum + (uint8_t)text[i]);
    frame[length + 1] = '#';
    frame[length + 2] = digits[sum >> 4];
    frame[length + 3] = digits[sum & 15];
    gdb_write(gdb, frame, length + 4);
}

static void consume(struct gdb *gdb, size_t bytes)
{
    gdb->input_bytes -= bytes;
    memmove(gdb->input, gdb->input + bytes, gdb->input_bytes);
}

/* The frame at the start of the input is complete and `length` bytes long, '#' at `end`. */
static int open_frame(struct gdb *gdb, size_t end, char packet[GDB_PACKET + 1])
{
    uint8_t sum = 0;
    int high = digit((char)gdb->input[end + 1]), low = digit((char)gdb->input[end + 2]);
    size_t length = 0;
    for (size_t i = 1; i < end; i++) {
        uint8_t byte = gdb->input[i];
        sum = (uint8_t)(sum + byte);
        if (byte == '}' && i + 1 < end) {
            sum = (uint8_t)(sum + gdb->input[i + 1]);
            byte = gdb->input[++i] ^ 0x20;
        }
        packet[length++] = (char)byte;
    }
    packet[length] = 0;
    consume(gdb, end + 3);
    bool is_whole = high >= 0 && low >= 0 && (high << 4 | low) == sum;
    if (!gdb->no_acknowledge) gdb_write(gdb, is_whole ? "+" : "-", 1);
    return is_whole ? (int)length : -2;
}

int gdb_next_packet(struct gdb *gdb, char packet[GDB_PACKET + 1])
{
    while (gdb->input_bytes > 0) {
        if (gdb->input[0] == 3) {
            consume(gdb, 1);
            memcpy(packet, "\3", 2);
            return 1;
        }
        if (gdb->input[0] != '$') { /* acknowledgements, noise */
            consume(gdb, 1);
            continue;
        }
        const uint8_t *end = memchr(gdb->input, '#', gdb->input_bytes);
        size_t at = end != NULL ? (size_t)(end - gdb->input) : 0;
        if (end != NULL && at + 2 < gdb->input_bytes && at <= GDB_PACKET) {
            int length = open_frame(gdb, at, packet);
            if (length >= 0) return length;
            continue;
        }
        if (end == NULL ? gdb->input_bytes <= GDB_PACKET : at <= GDB_PACKET) return -2; /* not here yet */
        consume(gdb, end != NULL ? at + 1 : gdb->input_bytes); /* longer than we said we take */
        gdb_write(gdb, "-", gdb->no_acknowledge ? 0 : 1);
    }
    return -2;
}

/* ------------------------------------------------------------------ pieces of packets */

struct text {
    const char *at, *end;
};

static bool take_number(struct text *text, uint32_t *value)
{
    const char *begin = text->at;
    *value = 0;
    while (text->at < text->end && digit(*text->at) >= 0 && text->at - begin < 8)
        *value = *value << 4 | (uint32_t)digit(*text->at++);
    return text->at > begin;
}

static bool take_letter(struct text *text, char letter)
{
    if (text->at == text->end || *text->at != letter) return false;
    text->at++;
    return true;
}

static bool take_bytes(struct text *text, uint8_t *data, size_t count)
{
    if ((size_t)(text->end - text->at) < 2 * count) return false;
    for (size_t i = 0; i < count; i++, text->at += 2) {
        if (digit(text->at[0]) < 0 || digit(text->at[1]) < 0) return false;
        data[i] = (uint8_t)(digit(text->at[0]) << 4 | digit(text->at[1]));
    }
    return true;
}

static char *put_bytes(char *target, const void *data, size_t count)
{
    for (size_t i = 0; i < count; i++) target += sprintf(target, "%02x", ((const uint8_t *)data)[i]);
    return target;
}

static uint32_t word_of(const uint8_t data[4])
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

static void bytes_of(uint32_t word, uint8_t data[4])
{
    for (uint32_t i = 0; i < 4; i++) data[i] = (uint8_t)(word >> 8 * i);
}

/* ------------------------------------------------------------------ registers
 * Numbers are gdb's own: 0..31, 32 the pc, 65 + n the CSR n. */

static void all_registers(struct gdb *gdb)
{
    char answer[8 * DEBUG_REGISTERS + 1], *at = answer;
    enum debug_result result = DEBUG_OK;
    for (uint32_t i = 0; i < DEBUG_REGISTERS && result == DEBUG_OK; i++) {
        uint32_t value = 0;
        uint8_t data[4];
        result = debug_register(&gdb->debug, i, &value);
        bytes_of(value, data);
        at = put_bytes(at, data, 4);
    }
    gdb_send(gdb, result == DEBUG_OK ? answer : error_of(result));
}

static void set_all_registers(struct gdb *gdb, struct text text)
{
    uint8_t data[4 * DEBUG_REGISTERS];
    enum debug_result result = DEBUG_OK;
    if (!take_bytes(&text, data, sizeof data) || text.at != text.end) {
        gdb_send(gdb, BAD);
        return;
    }
    for (uint32_t i = 0; i < DEBUG_REGISTERS && result == DEBUG_OK; i++)
        result = debug_set_register(&gdb->debug, i, word_of(data + 4 * i));
    gdb_send(gdb, error_of(result));
}

static void one_register(struct gdb *gdb, struct text text)
{
    uint32_t number, value = 0;
    uint8_t data[4];
    char answer[9];
    if (!take_number(&text, &number) || text.at != text.end ||
        (number >= DEBUG_REGISTERS && (number < CSR_FIRST || number >= CSR_FIRST + CSR_COUNT))) {
        gdb_send(gdb, BAD);
        return;
    }
    enum debug_result result = number < DEBUG_REGISTERS ? debug_register(&gdb->debug, number, &value)
                                                        : debug_csr(&gdb->debug, number - CSR_FIRST, &value);
    bytes_of(value, data);
    put_bytes(answer, data, 4);
    gdb_send(gdb, result == DEBUG_OK ? answer : error_of(result));
}

static void set_one_register(struct gdb *gdb, struct text text)
{
    uint32_t number;
    uint8_t data[4];
    if (!take_number(&text, &number) || !take_letter(&text, '=') || !take_bytes(&text, data, 4) ||
        text.at != text.end || (number >= DEBUG_REGISTERS && (number < CSR_FIRST || number >= CSR_FIRST + CSR_COUNT))) {
        gdb_send(gdb, BAD);
        return;
    }
    gdb_send(gdb, error_of(number < DEBUG_REGISTERS ? debug_set_register(&gdb->debug, number, word_of(data))
                                                    : debug_set_csr(&gdb->debug, number - CSR_FIRST, word_of(data))));
}

static const struct {
    const char *name;
    uint32_t number;
} csrs[] = {
    {"mstatus", 0x300},  {"misa", 0x301},     {"mie", 0x304},      {"mtvec", 0x305},
    {"mscratch", 0x340}, {"mepc", 0x341},     {"mcause", 0x342},   {"mtval", 0x343},
    {"mip", 0x344},      {"pmpcfg0", 0x3a0},  {"pmpaddr0", 0x3b0}, {"pmpaddr1", 0x3b1},
    {"pmpaddr2", 0x3b2}, {"pmpaddr3", 0x3b3}, {"mcycle", 0xb00},   {"minstret", 0xb02},
};

/* The target's description in full. Returns its length. Without "no operating system" gdb takes it for Linux, steps by
 * breakpoints on what it believes to be the next instruction, and loses one that traps. */
static size_t description(char *text, size_t room)
{
    static const char *const names[DEBUG_REGISTERS] = {
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1",  "a0",  "a1", "a2", "a3", "a4", "a5", "a6",
        "a7",   "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6", "pc"};
    size_t at = (size_t)snprintf(text, room,
                                 "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
                                 "<architecture>riscv:rv32</architecture><osabi>none</osabi>"
                                 "<feature name=\"org.gnu.gdb.riscv.cpu\">");
    for (uint32_t i = 0; i < DEBUG_REGISTERS; i++)
        at += (size_t)snprintf(text + at, room - at, "<reg name=\"%s\" bitsize=\"32\" regnum=\"%u\" type=\"%s\"/>",
                               names[i], i, i == DEBUG_PC ? "code_ptr" : "int");
    at += (size_t)snprintf(text + at, room - at, "</feature><feature name=\"org.gnu.gdb.riscv.csr\">");
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        at += (size_t)snprintf(text + at, room - at,
                               "<reg name=\"%s\" bitsize=\"32\" regnum=\"%u\" save-restore=\"no\"/>", csrs[i].name,
                               CSR_FIRST + csrs[i].number);
    at += (size_t)snprintf(text + at, room - at, "</feature></target>");
    return at;
}

static void read_description(struct gdb *gdb, struct text text)
{
    char whole[2 * GDB_PACKET], answer[GDB_PACKET + 1];
    uint32_t offset, count;
    size_t length = description(whole, sizeof whole);
    if (!take_number(&text, &offset) || !take_letter(&text, ',') || !take_number(&text, &count) ||
        text.at != text.end || offset > length) {
        gdb_send(gdb, BAD);
        return;
    }
    size_t left = length - offset, given = count < left ? count : left;
    if (given > GDB_PACKET - 1u) given = GDB_PACKET - 1u;
    snprintf(answer, sizeof answer, "%c%.*s", given < left ? 'm' : 'l', (int)given, whole + offset);
    gdb_send(gdb, answer);
}

/* ------------------------------------------------------------------ memory */

/* A read of more than a packet holds is answered with as much as it holds; gdb then asks for the rest. */
static void read_memory(struct gdb *gdb, struct text text)
{
    uint32_t address, count;
    uint8_t data[DATA_MAX];
    char answer[2 * DATA_MAX + 1];
    if (!take_number(&text, &address) || !take_letter(&text, ',') || !take_number(&text, &count) ||
        text.at != text.end) {
        gdb_send(gdb, BAD);
        return;
    }
    if (count > DATA_MAX) count = DATA_MAX;
    enum debug_result result = debug_read(&gdb->debug, address, data, count);
    *put_bytes(answer, data, result == DEBUG_OK ? count : 0) = 0;
    gdb_send(gdb, result == DEBUG_OK ? answer : error_of(result));
}

static void write_memory(struct gdb *gdb, struct text text, bool is_binary)
{
    uint32_t address, count;
    uint8_t data[GDB_PACKET];
    bool is_good = take_number(&text, &address) && take_letter(&text, ',') && take_number(&text, &count) &&
                   take_letter(&text, ':') && count <= sizeof data;
    if (is_good && is_binary) {
        is_good = (size_t)(text.end - text.at) == count;
        if (is_good) memcpy(data, text.at, count);
    } else if (is_good) {
        is_good = take_bytes(&text, data, count) && text.at == text.end;
    }
    gdb_send(gdb, is_good ? error_of(debug_write(&gdb->debug, address, data, count)) : BAD);
}

/* Z and z: 1 hardware breakpoint; 2, 3, 4 watch stores, loads, both. 0 stays gdb's own: it writes ebreak. */
static void breakpoint(struct gdb *gdb, struct text text, bool is_set)
{
    uint32_t kind, address, bytes;
    if (!take_number(&text, &kind) || !take_letter(&text, ',') || !take_number(&text, &address) ||
        !take_letter(&text, ',') || !take_number(&text, &bytes)) {
        gdb_send(gdb, BAD);
    } else if (text.at != text.end || kind == 0 || kind > 4) {
        gdb_send(gdb, ""); /* conditions, commands, other kinds */
    } else if (kind == 1) {
        gdb_send(gdb, error_of(debug_break(&gdb->debug, address, is_set)));
    } else {
        gdb_send(gdb, error_of(debug_watch(&gdb->debug, address, bytes, kind != 2, kind != 3, is_set)));
    }
}

/* ------------------------------------------------------------------ running */

void gdb_say_stopped(struct gdb *gdb)
{
    uint32_t status = 0;
    char answer[64];
    enum debug_result result = debug_status(&gdb->debug, &status);
    uint32_t reason = FIELD_GET(status, DEBUG_STATUS_REASON), index = FIELD_GET(status, DEBUG_STATUS_INDEX);
    if (result != DEBUG_OK) snprintf(answer, sizeof answer, "%s", error_of(result));
    else if (reason == DEBUG_REASON_WATCH && index < DEBUG_WATCHES)
        snprintf(answer, sizeof answer, "T05%s:%08x;",
                 (gdb->debug.watches[index] & 3u) == 2   ? "watch"
                 : (gdb->debug.watches[index] & 3u) == 1 ? "rwatch"
                                                         : "awatch",
                 gdb->debug.watches[index] & ~3u);
    else snprintf(answer, sizeof answer, "T%02x", reason == DEBUG_REASON_HALT ? 2 : 5);
    gdb_send(gdb, answer);
}

/* c, s, with an optional address to go on at. */
static enum gdb_wish go_on(struct gdb *gdb, struct text text, enum gdb_wish wish)
{
    uint32_t address;
    bool has_address = text.at != text.end;
    if (has_address && (!take_number(&text, &address) || text.at != text.end)) {
        gdb_send(gdb, BAD);
        return GDB_STAY;
    }
    enum debug_result result = has_address ? debug_set_register(&gdb->debug, DEBUG_PC, address) : DEBUG_OK;
    if (result == DEBUG_OK) return wish;
    gdb_send(gdb, error_of(result));
    return GDB_STAY;
}

/* ------------------------------------------------------------------ every packet */

static bool starts(const char *packet, const char *word) { return strncmp(packet, word, strlen(word)) == 0; }

static void query(struct gdb *gdb, const char *packet, size_t bytes)
{
    static const char features[] = "qXfer:features:read:target.xml:";
    char answer[128];
    if (starts(packet, "qSupported")) {
        snprintf(answer, sizeof answer, "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;vContSupported+",
                 GDB_PACKET);
        gdb_send(gdb, answer);
    } else if (starts(packet, features)) {
        read_description(gdb, (struct text){packet + sizeof features - 1, packet + bytes});
    } else if (starts(packet, "qXfer:features:read:")) {
        gdb_send(gdb, "E00"); /* no other annex */
    } else {
        const char *reply = starts(packet, "qAttached")              ? "1"
                            : strcmp(packet, "qC") == 0              ? "QC1"
                            : starts(packet, "qfThreadInfo")         ? "m1"
                            : starts(packet, "qsThreadInfo")         ? "l"
                            : starts(packet, "qSymbol")              ? "OK"
                            : strcmp(packet, "QStartNoAckMode") == 0 ? "OK"
                                                                     : "";
        gdb_send(gdb, reply);
        if (packet[0] == 'Q' && reply[0] == 'O') gdb->no_acknowledge = true;
    }
}

enum gdb_wish gdb_packet(struct gdb *gdb, const char *packet, size_t bytes)
{
    struct text text = {packet + (bytes > 0), packet + bytes};
    switch (packet[0]) {
    case '?': gdb_say_stopped(gdb); return GDB_STAY;
    case 'g': all_registers(gdb); return GDB_STAY;
    case 'G': set_all_registers(gdb, text); return GDB_STAY;
    case 'p': one_register(gdb, text); return GDB_STAY;
    case 'P': set_one_register(gdb, text); return GDB_STAY;
    case 'm': read_memory(gdb, text); return GDB_STAY;
    case 'M': write_memory(gdb, text, false); return GDB_STAY;
    case 'X': write_memory(gdb, text, true); return GDB_STAY;
    case 'Z': breakpoint(gdb, text, true); return GDB_STAY;
    case 'z': breakpoint(gdb, text, false); return GDB_STAY;
    case 'c': return go_on(gdb, text, GDB_CONTINUE);
    case 's': return go_on(gdb, text, GDB_STEP);
    case 'H':
    case 'T': gdb_send(gdb, "OK"); return GDB_STAY; /* there is one thread */
    case 'D': gdb_send(gdb, "OK"); return GDB_DETACH;
    case 'k': return GDB_KILL;
    case 'q':
    case 'Q': query(gdb, packet, bytes); return GDB_STAY;
    case 'v':
        if (starts(packet, "vCont?")) {
            gdb_send(gdb, "vCont;c;C;s;S");
        } else if (starts(packet, "vCont;c") || starts(packet, "vCont;C")) {
            return GDB_CONTINUE;
        } else if (starts(packet, "vCont;s") || starts(packet, "vCont;S")) {
            return GDB_STEP;
        } else if (starts(packet, "vKill")) {
            gdb_send(gdb, "OK");
            return GDB_KILL;
        } else {
            gdb_send(gdb, "");
        }
        return GDB_STAY;
    default: gdb_send(gdb, ""); return GDB_STAY;
    }
}
