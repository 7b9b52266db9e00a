/* SPDX-License-Identifier: Apache-2.0
 *
 * A board at the end of a serial line: see transport_wire.h.
 */
#include "lib/device/transport_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "gpu_spec.h"

enum { OP_WRITE = 1, OP_READ = 2, COMMAND_WORDS = 255, HEADER_BYTES = 6 };
enum { TTY_MS = 5000, TCP_MS = 120000 };
enum { READY_MS = 2000, FORGET_MS = 150, SLICE_MS = 500, WAIT_SLEEP_US = 200 };
static const uint32_t memory_base = 0x80000000u;
static const uint32_t board_id = 0x44425354u; /* the letters TSBD */

struct wire {
    int line;
    struct transport *transport; /* for its error text */
    const char *device;
    int patience_ms;
    int lost; /* what the line failed with; an answer that still comes would be taken for the next one's */
    char reason[256];
};

static int fail(struct wire *wire, int result, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(struct wire *wire, int result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wire->transport->error, sizeof wire->transport->error, format, arguments);
    va_end(arguments);
    return result;
}

/* ------------------------------------------------------------------ bytes */

/* Waits in slices: if this machine slept (a lid closed, a virtual machine paused), that was not the board's silence. */
static int await(struct wire *wire, short events)
{
    struct pollfd line = {.fd = wire->line, .events = events};
    int ready = 0;
    for (int left = wire->patience_ms; ready == 0 && left > 0; left -= SLICE_MS) do
            ready = poll(&line, 1, left < SLICE_MS ? left : SLICE_MS);
        while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return fail(wire, TRANSPORT_TIMEOUT,
                    "%s gave no answer for %d ms. Check that the bit stream is loaded and that the baud rate is right.",
                    wire->device, wire->patience_ms);
    if (ready < 0 || (line.revents & (POLLERR | POLLNVAL)) != 0)
        return fail(wire, TRANSPORT_IO, "%s is gone. Check the cable.", wire->device);
    return TRANSPORT_OK;
}

static int send_bytes(struct wire *wire, const uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t put = write(wire->line, bytes, count);
        if (put > 0) {
            bytes += put;
            count -= (size_t)put;
        } else if (put < 0 && (errno == EAGAIN || errno == EINTR)) {
            int result = await(wire, POLLOUT);
            if (result != TRANSPORT_OK) return result;
        } else return fail(wire, TRANSPORT_IO, "%s is gone: %s. Check the cable.", wire->device, strerror(errno));
    }
    return TRANSPORT_OK;
}

static int receive_bytes(struct wire *wire, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        int result = await(wire, POLLIN);
        if (result != TRANSPORT_OK) return result;
        ssize_t got = read(wire->line, bytes, count);
        if (got > 0) {
            bytes += got;
            count -= (size_t)got;
        } else if (got == 0) return fail(wire, TRANSPORT_IO, "%s was closed at the other end.", wire->device);
        else if (errno != EAGAIN && errno != EINTR)
            return fail(wire, TRANSPORT_IO, "%s is gone: %s. Check the cable.", wire->device, strerror(errno));
    }
    return TRANSPORT_OK;
}

/* ------------------------------------------------------------------ commands: big-endian words, addresses / 4 */

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(word >> (24 - 8 * i));
}

static void put_header(uint8_t *bytes, uint8_t op, uint32_t words, uint32_t address)
{
    bytes[0] = op;
    bytes[1] = (uint8_t)words;
    put_word(bytes + 2, address >> 2);
}

/* A command, and its answer in the place of its bytes. One that failed may have been half sent, or be answered yet: no
 * other can follow it. */
static int exchange(struct wire *wire, uint8_t *bytes, size_t sent, size_t answered)
{
    if (wire->lost != TRANSPORT_OK) return fail(wire, wire->lost, "%s", wire->reason);
    int result = send_bytes(wire, bytes, sent);
    if (result == TRANSPORT_OK) result = receive_bytes(wire, bytes, answered);
    if (result != TRANSPORT_OK) snprintf(wire->reason, sizeof wire->reason, "%s", wire->transport->error);
    return wire->lost = result;
}

static int write_words(struct wire *wire, uint8_t op, uint32_t address, const uint32_t *words, uint32_t count)
{
    uint8_t bytes[HEADER_BYTES + 4 * COMMAND_WORDS];
    put_header(bytes, op, count, address);
    for (uint32_t i = 0; i < count; i++) put_word(bytes + HEADER_BYTES + 4 * i, words[i]);
    return exchange(wire, bytes, HEADER_BYTES + 4u * count, 0);
}

static int read_words(struct wire *wire, uint32_t address, uint32_t *words, uint32_t count)
{
    uint8_t bytes[HEADER_BYTES + 4 * COMMAND_WORDS];
    put_header(bytes, OP_READ, count, address);
    int result = exchange(wire, bytes, HEADER_BYTES, 4u * count);
    for (uint32_t i = 0; i < count && result == TRANSPORT_OK; i++)
        words[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8 |
                   bytes[4 * i + 3];
    return result;
}

/* ------------------------------------------------------------------ the transport's verbs */

static int wire_register_read(void *context, uint32_t offset, uint32_t *value)
{
    return read_words(context, offset, value, 1);
}

static int wire_register_write(void *context, uint32_t offset, uint32_t value)
{
    return write_words(context, OP_WRITE, offset, &value, 1);
}

static bool is_in_memory(struct wire *wire, uint32_t address, size_t bytes)
{
    return bytes <= wire->transport->memory_bytes && address <= wire->transport->memory_bytes - bytes;
}

/* Words that hold [address, address + bytes), at most a command's worth. */
static uint32_t words_of(uint32_t address, size_t bytes)
{
    size_t words = (address % 4u + bytes + 3u) / 4u;
    return words < COMMAND_WORDS ? (uint32_t)words : (uint32_t)COMMAND_WORDS;
}

static int wire_memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct wire *wire = context;
    uint8_t *to = data;
    uint32_t words[COMMAND_WORDS];
    if (!is_in_memory(wire, address, bytes))
        return fail(wire, TRANSPORT_IO, "address 0x%x is outside system memory", address);
    while (bytes > 0) {
        uint32_t count = words_of(address, bytes), skip = address % 4u;
        size_t part = 4u * count - skip < bytes ? 4u * count - skip : bytes;
        int result = read_words(wire, memory_base + address - skip, words, count);
        if (result != TRANSPORT_OK) return result;
        for (size_t i = 0; i < part; i++) to[i] = (uint8_t)(words[(skip + i) / 4u] >> (8u * ((skip + i) % 4u)));
        address += (uint32_t)part;
        to += part;
        bytes -= part;
    }
    return TRANSPORT_OK;
}

static int wire_memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct wire *wire = context;
    const uint8_t *from = data;
    if (!is_in_memory(wire, address, bytes))
        return fail(wire, TRANSPORT_IO, "address 0x%x is outside system memory", address);
    while (bytes > 0) {
        uint32_t words[COMMAND_WORDS] = {0}, count = words_of(address, bytes), skip = address % 4u;
        size_t part = 4u * count - skip < bytes ? 4u * count - skip : bytes;
        uint32_t at = memory_base + address - skip;
        int result = TRANSPORT_OK;
        if (skip != 0) result = read_words(wire, at, words, 1);
        if (result == TRANSPORT_OK && (skip + part) % 4u != 0)
            result = read_words(wire, at + 4u * (count - 1u), words + count - 1u, 1);
        for (size_t i = 0; i < part; i++) {
            uint32_t *word = &words[(skip + i) / 4u], shift = 8u * (uint32_t)((skip + i) % 4u);
            *word = (*word & ~(0xffu << shift)) | (uint32_t)from[i] << shift;
        }
        if (result == TRANSPORT_OK) result = write_words(wire, OP_WRITE, at, words, count);
        if (result != TRANSPORT_OK) return result;
        address += (uint32_t)part;
        from += part;
        bytes -= part;
    }
    return TRANSPORT_OK;
}

static int read_cycles(struct wire *wire, uint64_t *cycles)
{
    uint32_t words[2];
    int result = read_words(wire, CORE_CYCLE_LO_OFFSET, words, 2);
    *cycles = result == TRANSPORT_OK ? (uint64_t)words[1] << 32 | words[0] : 0;
    return result;
}

static int wire_wait(void *context, uint32_t cycles)
{
    struct wire *wire = context;
    uint64_t begin = 0, now = 0;
    int result = read_cycles(wire, &begin);
    for (now = begin; result == TRANSPORT_OK && now - begin < cycles;) {
        uint32_t irq[2]; /* IRQ_STATUS, IRQ_ENABLE */
        result = read_words(wire, HOST_IRQ_STATUS_OFFSET, irq, 2);
        if (result != TRANSPORT_OK || (irq[0] & irq[1]) != 0u) return result;
        const struct timespec pause = {.tv_nsec = WAIT_SLEEP_US * 1000};
        nanosleep(&pause, NULL);
        result = read_cycles(wire, &now);
    }
    return result;
}

static uint64_t wire_cycles(void *context)
{
    uint64_t cycles;
    (void)read_cycles(context, &cycles);
    return cycles;
}

static void wire_close(void *context)
{
    struct wire *wire = context;
    close(wire->line);
    free(wire);
}

/* ------------------------------------------------------------------ opening */

static speed_t speed_of(unsigned long baud)
{
    static const struct {
        unsigned long baud;
        speed_t speed;
    } speeds[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},   {921600, B921600},
                  {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000}, {3000000, B3000000}};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud) return speeds[i].speed;
    return B0;
}

static int open_tty(const char *path, char message[256])
{
    char name[200];
    unsigned long baud = 3000000;
    const char *at = strchr(path, '@');
    size_t length = at != NULL ? (size_t)(at - path) : strlen(path);
    if (at != NULL) baud = strtoul(at + 1, NULL, 10);
    if (length >= sizeof name || speed_of(baud) == B0) {
        snprintf(message, 256,
                 "tty:%.100s: give tty:/dev/NAME@BAUD with 115200, 230400, 460800, 921600 or 1 to 3 million.", path);
        return -1;
    }
    memcpy(name, path, length);
    name[length] = 0;
    int line = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (line < 0) {
        const char *hint = errno == EACCES   ? " Join the group of the file (see docs/boards.md on udev)."
                           : errno == ENOENT ? " Is the board plugged in?"
                                             : "";
        snprintf(message, 256, "cannot open %.100s: %s.%s", name, strerror(errno), hint);
        return -1;
    }
    struct termios modes;
    if (tcgetattr(line, &modes) != 0) {
        snprintf(message, 256, "%.100s is not a serial line.", name);
        close(line);
        return -1;
    }
    cfmakeraw(&modes);
    modes.c_cflag |= CLOCAL | CREAD;
    modes.c_cflag &= ~(tcflag_t)(CRTSCTS | CSTOPB | PARENB);
    if (cfsetspeed(&modes, speed_of(baud)) != 0 || tcsetattr(line, TCSANOW, &modes) != 0) {
        snprintf(message, 256, "%.100s cannot be set to %lu baud: %s.", name, baud, strerror(errno));
        close(line);
        return -1;
    }
    /* Whoever spoke last may have stopped in the middle of a command: the board forgets it when the line rests. */
    const struct timespec rest = {.tv_nsec = FORGET_MS * 1000000L};
    nanosleep(&rest, NULL);
    tcflush(line, TCIOFLUSH);
    return line;
}

static int open_tcp(const char *address, char message[256])
{
    char host[200];
    const char *colon = strrchr(address, ':');
    size_t length = colon != NULL ? (size_t)(colon - address) : 0;
    if (length == 0 || length >= sizeof host || colon[1] == 0) {
        snprintf(message, 256, "tcp:%.100s: give tcp:HOST:PORT.", address);
        return -1;
    }
    memcpy(host, address, length);
    host[length] = 0;
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int error = getaddrinfo(host, colon + 1, &hints, &found), line = -1, yes = 1;
    if (error != 0) {
        snprintf(message, 256, "tcp:%.100s: %s.", address, gai_strerror(error));
        return -1;
    }
    for (struct addrinfo *one = found; one != NULL && line < 0; one = one->ai_next) {
        line = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (line >= 0 && connect(line, one->ai_addr, one->ai_addrlen) == 0) break;
        error = errno;
        if (line >= 0) close(line);
        line = -1;
    }
    freeaddrinfo(found);
    if (line < 0) {
        snprintf(message, 256, "cannot connect to %.100s: %s. Start the board's simulation with 'make board-sim'.",
                 address, strerror(error));
        return -1;
    }
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(line, F_SETFL, O_NONBLOCK);
    return line;
}

/* Is it ours, and is its memory initialised? */
static int check_board(struct wire *wire, char message[256])
{
    uint32_t words[5] = {0}; /* ID, STATUS, CLOCK_HZ, SYSTEM_BYTES, LOCAL_BASE */
    int result = read_words(wire, BOARD_ID_OFFSET, words, 1);
    if (result == TRANSPORT_OK && words[0] != board_id) {
        snprintf(message, 256,
                 "%s answers, but is not a Tessera board: BOARD.ID is 0x%08x, not 'TSBD'. Check port and bit stream.",
                 wire->device, words[0]);
        return -1;
    }
    for (int tries = 0; result == TRANSPORT_OK && tries < READY_MS; tries++) {
        result = read_words(wire, BOARD_ID_OFFSET, words, 5);
        if (result == TRANSPORT_OK && (words[1] & FIELD_PUT(1, BOARD_STATUS_MEMORY_READY)) != 0u) {
            wire->transport->memory_bytes = words[3];
            return 0;
        }
        const struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    if (result == TRANSPORT_OK)
        snprintf(message, 256, "%s: the memory of the board does not become ready. Reset the board and try again.",
                 wire->device);
    else snprintf(message, 256, "%s", wire->transport->error);
    return -1;
}

int wire_open(struct transport *transport, const char *device, uint32_t patience_ms, char message[256])
{
    memset(transport, 0, sizeof *transport);
    struct wire *wire = calloc(1, sizeof *wire);
    if (wire == NULL) {
        snprintf(message, 256, "out of memory");
        return -1;
    }
    *transport = (struct transport){.context = wire,
                                    .register_read = wire_register_read,
                                    .register_write = wire_register_write,
                                    .memory_read = wire_memory_read,
                                    .memory_write = wire_memory_write,
                                    .wait = wire_wait,
                                    .cycles = wire_cycles,
                                    .close = wire_close};
    wire->transport = transport;
    wire->device = device;
    wire->patience_ms = patience_ms != 0 ? (int)patience_ms : strncmp(device, "tcp:", 4) == 0 ? TCP_MS : TTY_MS;
    if (strncmp(device, "tty:", 4) == 0) wire->line = open_tty(device + 4, message);
    else if (strncmp(device, "tcp:", 4) == 0) wire->line = open_tcp(device + 4, message);
    else {
        snprintf(message, 256, "%.100s is not a device. Write tty:/dev/NAME[@BAUD] or tcp:HOST:PORT.", device);
        wire->line = -1;
    }
    if (wire->line < 0) {
        free(wire);
        return -1;
    }
    if (check_board(wire, message) == 0) return 0;
    wire_close(wire);
    return -1;
}
