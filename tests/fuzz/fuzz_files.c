/* SPDX-License-Identifier: Apache-2.0
 *
 * What strangers give the host, as a target (fuzz.h): the first byte says which reader gets the rest. Goal: whatever
 * it is, the reader refuses it or uses it, and the sanitizers find nothing.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/device/transport_wire.c" /* its verbs, without a line */
#include "fuzz.h"
#include "tools/command/dump_places.h"
#include "lib/gdb/gdb_internal.h"
#include "lib/tessera_internal.h"
#include "tools/recording/recording.h"
#include "tools/replay/pagesim.h"
#include "tools/scene/wad.h"

enum reader { RECORDS, RECORDING, WORKLOAD, WAD, IMAGE, GDB, WIRE, DUMP, READERS };
enum { ANSWER_BYTES = 64, LUMPS_MAX = 32, TCM = 65536, MEMORY = 1 << 20, STEPS_MAX = 4000 };

static const char *input_name = "?";

void fuzz_name(const char *name) { input_name = name; }

static void on_end(int is_wrong, const char *what)
{
    if (!is_wrong) return;
    fprintf(stderr, "files %s: %s\n", input_name, what);
    abort();
}

/* No time passes for who waits. */
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)time, (void)rest;
    return 0;
}

/* ------------------------------------------------------------------ files */

/* The name of a file that holds these bytes; the descriptor is to be closed. */
static int file_of(const void *bytes, size_t count, char path[64])
{
    const int file = memfd_create("fuzz", 0);
    on_end(file < 0 || write(file, bytes, count) != (ssize_t)count, "no file for the input");
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

static void read_recording(const uint8_t *bytes, size_t count)
{
    struct recording_totals totals;
    char path[64], message[256];
    const int file = file_of(bytes, count, path);
    if (recording_check(path, &totals, message) != 0) on_end(memchr(message, 0, sizeof message) == NULL, "no line");
    close(file);
}

static void little(uint8_t *to, uLong word)
{
    for (uint32_t i = 0; i < 4u; i++) to[i] = (uint8_t)(word >> 8u * i);
}

/* Whole records in a sound file, so that more than its CRC is read. */
static void read_records(const uint8_t *bytes, size_t count)
{
    static uint8_t file[RECORDING_HEADER_BYTES + RECORDING_CHUNK_BYTES + 8192];
    uint8_t *chunk = file + RECORDING_HEADER_BYTES, *payload = chunk + RECORDING_CHUNK_BYTES;
    uLongf packed = 8192;
    memset(file, 0, RECORDING_HEADER_BYTES);
    memcpy(file, "TSRASDL\n", 8);
    file[8] = RECORDING_VERSION;
    little(file + 12, crc32(0, file, 12));
    if (count > 4096u || compress2(payload, &packed, bytes, (uLong)count, 1) != Z_OK) return;
    memcpy(chunk, "CHNK", 4);
    little(chunk + 4, packed);
    little(chunk + 8, (uLong)count);
    little(chunk + 12, 0);
    little(chunk + 16, crc32(crc32(0, chunk + 4, 12), payload, (uInt)packed));
    read_recording(file, (size_t)(payload - file) + packed);
}

static void read_workload(const uint8_t *bytes, size_t count)
{
    char message[PAGESIM_MESSAGE];
    uint32_t grown = 0;
    struct pagesim *workload = pagesim_parse((const char *)bytes, count, "fuzz", message);
    if (workload == NULL) {
        on_end(memchr(message, 0, sizeof message) == NULL || message[0] == 0, "refused without a line");
        return;
    }
    on_end(pagesim_minimum_portions(workload) > workload->step_count, "more portions than steps");
    if (workload->step_count < 50u) {
        (void)pagesim_minimum_loads(workload);
        (void)pagesim_minimum_traffic(workload);
    }
    if (pagesim_scale(workload, 1u + bytes[0] % 7u, &grown, message)) (void)pagesim_limit(workload, 1, message);
    pagesim_free(workload);
}

static void read_wad(const uint8_t *bytes, size_t count)
{
    char path[64], message[256], name[9];
    uint32_t palette[256];
    struct wad wad;
    struct picture picture;
    const int file = file_of(bytes, count, path);
    if (wad_open(&wad, path, message) == 0) {
        (void)wad_palette(&wad, palette);
        for (int lump = 0; lump < (int)wad.lump_count && lump < LUMPS_MAX; lump++) {
            wad_name(&wad, lump, name);
            (void)wad_find(&wad, name, true, lump / 2);
            if (wad_patch(&wad, lump, &picture)) picture_free(&picture);
            if (wad_flat(&wad, lump, &picture)) picture_free(&picture);
        }
        wad_close(&wad);
    }
    close(file);
}

/* Whoever spoils a dump sets its sum, too. What is taken is used. */
static void read_dump(const uint8_t *bytes, size_t count)
{
    static struct tdump dump;
    struct places places;
    uint32_t expected = 0;
    const size_t length = count / 4u * 4u;
    uint32_t *words = malloc(length + 1u);
    on_end(words == NULL, "no memory for the input");
    memcpy(words, bytes, length);
    if (length >= TDUMP_HEAD_WORDS * 4u) {
        words[TDUMP_HEAD_BYTES] = (uint32_t)length;
        words[TDUMP_HEAD_CHECK] = tdump_check(words, length);
    }
    const enum tdump_status status = tdump_read(&dump, words, length);
    on_end(status >= TDUMP_STATUSES || tdump_status_text(status)[0] == 0, "refused without a sentence");
    for (uint32_t i = 0; status == TDUMP_OK && i < dump.buffer_count; i++) {
        on_end(!places_find(&places, &dump, &dump.buffers[i]), "no memory for places");
        on_end(places.frames > (uint32_t)PLACES_SPACE_PAGES, "more frames than an aperture has pages");
        for (uint32_t k = 0; k < dump.buffers[i].word_count && k < 64u; k++)
            (void)places_expected(&places, &dump.buffers[i], k, &expected);
        places_free(&places);
    }
    free(words);
}

/* ------------------------------------------------------------------ a device that answers anything */

struct answers {
    const uint8_t *bytes;
    size_t count, at;
    uint32_t loaded; /* words written through LOAD_DATA */
};

static uint8_t next_answer(struct answers *answers)
{
    return answers->count == 0u ? 0 : answers->bytes[answers->at++ % answers->count];
}

static int answer_read(void *context, uint32_t offset, uint32_t *value)
{
    struct answers *answers = context;
    const uint8_t byte = next_answer(answers);
    *value = (uint32_t)byte << (byte & 24u);
    if (offset == MEMORY_TCM_BYTES_OFFSET) *value = TCM;
    if (offset == DEBUG_STATUS_OFFSET)
        *value = FIELD_PUT(byte < 0xf0u, DEBUG_STATUS_STOPPED) | FIELD_PUT(byte & 7u, DEBUG_STATUS_REASON);
    return byte == 0xffu ? TRANSPORT_IO : TRANSPORT_OK;
}

static int answer_write(void *context, uint32_t offset, uint32_t value)
{
    struct answers *answers = context;
    (void)value;
    if (offset == HOST_LOAD_DATA_OFFSET) answers->loaded++;
    return TRANSPORT_OK;
}

static int answer_memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    on_end(address > (uint32_t)MEMORY || bytes > (uint32_t)MEMORY - address, "memory outside what there is");
    memset(data, next_answer(context), bytes);
    return TRANSPORT_OK;
}

static int answer_memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    (void)context, (void)data;
    on_end(address > (uint32_t)MEMORY || bytes > (uint32_t)MEMORY - address, "memory outside what there is");
    return TRANSPORT_OK;
}

static struct transport answering(struct answers *answers)
{
    return (struct transport){.context = answers,
                              .register_read = answer_read,
                              .register_write = answer_write,
                              .memory_read = answer_memory_read,
                              .memory_write = answer_memory_write,
                              .memory_bytes = MEMORY};
}

int boot_load(struct tessera *tessera, const char *path);

static void read_image(const uint8_t *bytes, size_t count)
{
    static struct tessera tessera;
    struct answers answers = {0};
    struct transport transport = answering(&answers);
    char path[64];
    const int file = file_of(bytes, count, path);
    tessera.transport = &transport;
    const int status = boot_load(&tessera, path);
    on_end(status == TESSERA_OK && answers.loaded == 0u, "loaded nothing");
    on_end(status != TESSERA_OK && tessera.message[0] == 0, "refused without a line");
    close(file);
}

static void read_packets(const uint8_t *bytes, size_t count)
{
    static struct gdb gdb;
    char packet[GDB_PACKET + 1];
    const size_t answered = count < ANSWER_BYTES ? count / 2u : ANSWER_BYTES;
    struct answers answers = {.bytes = bytes, .count = answered};
    memset(&gdb, 0, sizeof gdb);
    gdb.inner = answering(&answers);
    gdb.client = gdb.listener = -1;
    if (debug_attach(&gdb.debug, &gdb.inner) != DEBUG_OK) return;
    for (size_t at = answered; at < count;) { /* in pieces, as they come through a port */
        size_t piece = 1u + bytes[at] % 97u;
        if (piece > count - at) piece = count - at;
        if (piece > sizeof gdb.input - gdb.input_bytes) break;
        memcpy(gdb.input + gdb.input_bytes, bytes + at, piece);
        gdb.input_bytes += piece;
        at += piece;
        for (int length; (length = gdb_next_packet(&gdb, packet)) >= 0;) {
            on_end(length > GDB_PACKET, "a packet longer than its room");
            if (gdb_packet(&gdb, packet, (size_t)length) == GDB_STEP) gdb_say_stopped(&gdb);
        }
    }
}

/* The board's side of the line says these bytes and then is gone. */
static void read_wire(const uint8_t *bytes, size_t count)
{
    struct transport transport = {.memory_bytes = 0};
    struct wire wire = {.transport = &transport, .device = "fuzz", .patience_ms = 1};
    int line[2];
    char message[256];
    uint8_t data[600];
    uint32_t value;
    on_end(socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0, "no line");
    on_end(write(line[1], bytes, count) != (ssize_t)count || shutdown(line[1], SHUT_WR) != 0, "no answers");
    /* Nobody takes what is sent: at some time the line is full, and must not be waited for. */
    on_end(fcntl(line[0], F_SETFL, O_NONBLOCK) != 0, "no line that does not block");
    wire.line = line[0];
    const uint32_t step = count > 0u ? bytes[count - 1u] : 0u;
    if (check_board(&wire, message) == 0) {
        (void)wire_register_read(&wire, HOST_ID_OFFSET, &value);
        (void)wire_memory_read(&wire, step * 3u, data, 1u + step * 2u);
        (void)wire_memory_write(&wire, step * 5u, data, 1u + step * 2u);
        (void)wire_memory_read(&wire, transport.memory_bytes - step, data, step);
        (void)wire_memory_write(&wire, UINT32_MAX - step, data, 100u + step);
        (void)wire_wait(&wire, 1000);
        (void)wire_cycles(&wire);
    }
    close(line[0]);
    close(line[1]);
}

/* ------------------------------------------------------------------ the target */

void fuzz_one(const uint8_t *bytes, size_t count)
{
    static void (*const readers[READERS])(const uint8_t *bytes, size_t count) = {
        [RECORDS] = read_records, [RECORDING] = read_recording, [WORKLOAD] = read_workload, [WAD] = read_wad,
        [IMAGE] = read_image,     [GDB] = read_packets,         [WIRE] = read_wire,         [DUMP] = read_dump};
    if (count < 2u) return;
    uint8_t *copy = malloc(count - 1u); /* of its own, so that a read after it is seen */
    if (copy == NULL) return;
    memcpy(copy, bytes + 1, count - 1u);
    readers[bytes[0] % READERS](copy, count - 1u);
    free(copy);
}

void fuzz_shape(size_t *header, size_t *record) { *header = 1, *record = 1; }

/* ------------------------------------------------------------------ something to begin with */

static uint32_t next_word(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state >> 7;
}

static size_t invent_records(uint8_t *to)
{
    static const uint8_t records[] = {RECORDING_SURFACE,
                                      0,
                                      0,
                                      RECORDING_ARGB8888,
                                      4,
                                      0,
                                      2,
                                      0,
                                      RECORDING_SURFACE,
                                      1,
                                      0,
                                      RECORDING_RGB565,
                                      4,
                                      0,
                                      2,
                                      0,
                                      RECORDING_FILL,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      4,
                                      0,
                                      2,
                                      0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      RECORDING_PIXELS,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      2,
                                      0,
                                      1,
                                      0,
                                      9,
                                      8,
                                      7,
                                      6,
                                      RECORDING_BLIT,
                                      0,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      2,
                                      0,
                                      2,
                                      0,
                                      RECORDING_COPY,
                                      255,
                                      0,
                                      0,
                                      0,
                                      0,
                                      255,
                                      255,
                                      255,
                                      RECORDING_PRESENT,
                                      0,
                                      0,
                                      9,
                                      0,
                                      RECORDING_FREE,
                                      1,
                                      0,
                                      RECORDING_END,
                                      1,
                                      0,
                                      0,
                                      0,
                                      7,
                                      0,
                                      0,
                                      0};
    memcpy(to, records, sizeof records);
    return sizeof records;
}

static size_t invent_workload(uint8_t *to, size_t room)
{
    return (size_t)snprintf(
        (char *)to, room, "%s",
        "{\"format\": \"pagesim-1\", \"name\": \"example\", \"page\": 4096, \"slots\": 8, \"segments\": [{\"kind\": "
        "\"local\", \"size\": 8388608}, {\"kind\": \"aperture\", \"size\": 1048576}], \"allocs\": [{\"size\": 65536}, "
        "{\"size\": 4096, \"seg\": 1}, {\"size\": 262144, \"init\": \"undef\", \"temp\": true, \"align\": 8192}], "
        "\"buffers\": [{\"len\": 200, \"patches\": [[0, 0, 0, 0], [1, 2, 0, 1], [0, null, 96, 0]], \"times\": [12, "
        "3]}]}");
}

static size_t invent_wad(uint8_t *to)
{
    enum { PATCH = 12, FLAT_BYTES = 4096, PALETTE_BYTES = 768 };
    static const uint8_t patch[] = {2, 0, 2, 0, 0, 0, 0, 0,   16, 0, 0, 0, 23, 0,  0,
                                    0, 0, 2, 0, 5, 6, 0, 255, 1,  1, 0, 7, 0,  255};
    memset(to, 0, FLAT_BYTES);
    memcpy(to, "PWAD", 4);
    little(to + 4, 3);
    little(to + 8, PATCH + sizeof patch);
    memcpy(to + PATCH, patch, sizeof patch);
    uint8_t *entry = to + PATCH + sizeof patch;
    little(entry, PATCH);
    little(entry + 4, sizeof patch);
    memcpy(entry + 8, "WALL", 4);
    little(entry + 20, FLAT_BYTES); /* from the file's start, the other lumps included */
    memcpy(entry + 24, "FLAT", 4);
    little(entry + 36, PALETTE_BYTES);
    memcpy(entry + 40, "PLAYPAL", 7);
    return FLAT_BYTES;
}

static size_t invent_image(uint8_t *to)
{
    Elf32_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = EM_RISCV,
                         .e_phoff = sizeof header,
                         .e_phentsize = sizeof(Elf32_Phdr),
                         .e_phnum = 1};
    const Elf32_Phdr segment = {.p_type = PT_LOAD, .p_offset = 0, .p_paddr = 0, .p_filesz = 20, .p_memsz = 40};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(to, &header, sizeof header);
    memcpy(to + sizeof header, &segment, sizeof segment);
    return sizeof header + sizeof segment;
}

static size_t invent_packets(uint8_t *to, uint32_t *state)
{
    static const char *const texts[] = {"?",
                                        "g",
                                        "p20",
                                        "m80000000,40",
                                        "m40000000,4",
                                        "M1000,4:01020304",
                                        "X1000,3:a}\003b",
                                        "Z1,100,4",
                                        "Z2,200,4",
                                        "z1,100,4",
                                        "c",
                                        "s",
                                        "vCont;s",
                                        "qSupported:xmlRegisters",
                                        "qXfer:features:read:target.xml:0,100",
                                        "QStartNoAckMode",
                                        "P1=12345678",
                                        "p341",
                                        "vCont?",
                                        "D",
                                        "k",
                                        "s100"};
    size_t at = ANSWER_BYTES;
    for (size_t i = 0; i < at; i++) to[i] = (uint8_t)(next_word(state) % 0xf1u);
    for (uint32_t i = 0; i < 8u; i++) {
        const char *text = texts[next_word(state) % (sizeof texts / sizeof *texts)];
        uint8_t sum = 0;
        for (const char *c = text; *c != 0; c++) sum = (uint8_t)(sum + (uint8_t)*c);
        at += (size_t)sprintf((char *)to + at, "$%s#%02x", text, sum);
    }
    return at;
}

static size_t invent_wire(uint8_t *to, uint32_t *state)
{
    static const uint8_t board[] = {0x44, 0x42, 0x53, 0x54, 0x44, 0x42, 0x53, 0x54, 0, 0, 0, 1,
                                    0,    0,    0,    0,    0,    16,   0,    0,    0, 0, 0, 0};
    memcpy(to, board, sizeof board);
    for (size_t i = sizeof board; i < 900u; i++) to[i] = (uint8_t)next_word(state);
    return 900;
}

/* One DMA buffer of two words that names one allocation, which is in the aperture. */
static size_t invent_dump(uint8_t *to)
{
    enum { LIST = 2 * LIMIT_BITS_LIST_ENTRY_WORDS, BUFFER = BUFFER_WORDS + 2 + LIST + LIMIT_BITS_PATCH_ENTRY_WORDS };
    uint32_t words[128] = {0}, at = TDUMP_HEAD_WORDS;
    const uint32_t registers[] = {HOST_SYSTEM_PAGES_OFFSET,     16,    APERTURE_PAGES_OFFSET,        64,
                                  MEMORY_SEGMENT1_BYTES_OFFSET, 65536, MEMORY_SEGMENT2_BYTES_OFFSET, 65536};
    memcpy(words, TDUMP_LETTERS, TDUMP_LETTERS_BYTES);
    words[TDUMP_HEAD_VERSION] = TDUMP_VERSION;
    words[TDUMP_HEAD_SECTIONS] = 4;
    words[at] = TDUMP_ABOUT;
    words[at + 1] = ABOUT_WORDS * 4;
    words[at + 2 + ABOUT_REASON] = TDUMP_ASKED;
    words[at + 2 + ABOUT_MEMORY_BYTES] = 65536;
    memcpy(words + at + 2 + ABOUT_TEXT, "1.0", 4);
    at += 2 + ABOUT_WORDS;
    words[at] = TDUMP_REGISTERS;
    words[at + 1] = sizeof registers;
    memcpy(words + at + 2, registers, sizeof registers);
    at += 2 + sizeof registers / 4;
    words[at] = TDUMP_BUFFER;
    words[at + 1] = BUFFER * 4;
    uint32_t *buffer = words + at + 2;
    buffer[BUFFER_IS_GUILTY] = 1;
    buffer[BUFFER_WORD_COUNT] = buffer[BUFFER_LIST_COUNT] = 2;
    buffer[BUFFER_PATCH_COUNT] = 1;
    buffer[BUFFER_WORDS + 2 + LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE] = 7;
    buffer[BUFFER_WORDS + 2 + LIST + PATCH_ALLOCATION_INDEX] = 1;
    buffer[BUFFER_WORDS + 2 + LIST + PATCH_PATCH_OFFSET] = 4;
    at += 2 + BUFFER;
    words[at] = TDUMP_ALLOCATION;
    words[at + 1] = (PLACE_WORDS + 2) * 4;
    words[at + 2 + PLACE_HANDLE] = 7;
    words[at + 2 + PLACE_SEGMENT] = 3;
    words[at + 2 + PLACE_PAGES] = 1;
    at += 2 + PLACE_WORDS + 2;
    memcpy(to, words, at * 4);
    return at * 4;
}

/* A sound one of each in turn; then a few bytes of it are spoiled. */
size_t fuzz_invent(uint8_t *bytes, size_t room, uint32_t seed)
{
    uint32_t state = seed | 1u;
    for (uint32_t i = 0; i < 8u; i++) next_word(&state);
    const uint32_t reader = next_word(&state) % READERS;
    uint8_t *to = bytes + 1;
    bytes[0] = (uint8_t)reader;
    size_t count = reader == RECORDS    ? invent_records(to)
                   : reader == WORKLOAD ? invent_workload(to, room - 1u)
                   : reader == WAD      ? invent_wad(to)
                   : reader == IMAGE    ? invent_image(to)
                   : reader == GDB      ? invent_packets(to, &state)
                   : reader == WIRE     ? invent_wire(to, &state)
                   : reader == DUMP     ? invent_dump(to)
                                        : (memcpy(to, "TSRASDL\n\2", 10), 10u);
    for (uint32_t spoils = next_word(&state) % 4u; spoils > 0u; spoils--)
        to[next_word(&state) % count] = (uint8_t)next_word(&state);
    return count + 1u;
}
