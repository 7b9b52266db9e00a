/* SPDX-License-Identifier: Apache-2.0
 *
 * board-sim: a whole board in simulation, with its serial line on a TCP port. Whoever connects speaks to the wire
 * bridge as over a cable; what the display would show goes to PNG files.
 *
 *   board-sim [--port N] [--frames DIR] [--every N] [--cycles N] [--once]
 *
 * Says "listening on port N" on stdout once it does (port 0: any free one). Ends after N cycles, with --once when the
 * first client leaves, or on SIGTERM. Exit status 1 when an assertion of the RTL failed or the display saw a bad
 * symbol, line or frame.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "board_pins.h"
#include "display.h"

enum { POLL_CYCLES = 64, BUFFER_BYTES = 4096 };

struct options {
    unsigned port;
    const char *frames;
    unsigned every;
    unsigned long long cycles;
    int once;
};

/* One direction of the line: a frame of ten bits, first bit first. */
struct line {
    uint32_t bits;   /* still to be sent, or seen so far */
    unsigned count;  /* of them */
    unsigned cycles; /* until the next */
};

struct wire {
    int listener, client;
    uint8_t in[BUFFER_BYTES], out[BUFFER_BYTES];
    size_t in_at, in_end, out_end;
    struct line to_board, from_board;
    int had_client;
    unsigned long long bytes_in, bytes_out; /* over the line since the start */
};

static volatile sig_atomic_t is_stopped;
static void stop(int signal)
{
    (void)signal;
    is_stopped = 1;
}

static int listen_on(unsigned port, unsigned *bound)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0 || fcntl(listener, F_SETFL, O_NONBLOCK) != 0)
        return -1;
    *bound = ntohs(address.sin_port);
    return listener;
}

/* New clients, bytes from and to the client. False: --once and the client has left. */
static int poll_client(struct wire *wire, const struct options *options)
{
    if (wire->client < 0) {
        int yes = 1;
        wire->client = accept(wire->listener, NULL, NULL);
        if (wire->client < 0) return 1;
        fcntl(wire->client, F_SETFL, O_NONBLOCK);
        setsockopt(wire->client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        wire->had_client = 1;
    }
    if (wire->in_at == wire->in_end) {
        ssize_t got = recv(wire->client, wire->in, sizeof wire->in, 0);
        wire->in_at = wire->in_end = 0;
        if (got > 0) wire->in_end = (size_t)got;
        else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(wire->client);
            wire->client = -1;
            wire->out_end = 0;
            return !options->once;
        }
    }
    if (wire->out_end > 0) {
        ssize_t put = send(wire->client, wire->out, wire->out_end, MSG_NOSIGNAL);
        if (put > 0) {
            memmove(wire->out, wire->out + put, wire->out_end - (size_t)put);
            wire->out_end -= (size_t)put;
        }
    }
    return 1;
}

/* The level of the line towards the board in this cycle. */
static uint8_t drive_line(struct wire *wire)
{
    struct line *line = &wire->to_board;
    if (line->count == 0) {
        if (wire->in_at == wire->in_end) return 1;
        line->bits = 0x200u | (uint32_t)wire->in[wire->in_at++] << 1; /* stop, data, start */
        wire->bytes_in++;
        line->count = 10;
        line->cycles = board_bit_cycles;
    }
    uint8_t level = line->bits & 1u;
    if (--line->cycles == 0) {
        line->bits >>= 1;
        line->count--;
        line->cycles = board_bit_cycles;
    }
    return level;
}

static void watch_line(struct wire *wire, uint8_t level)
{
    struct line *line = &wire->from_board;
    if (line->count == 0) {
        if (level != 0) return;
        line->count = 1; /* the start bit's first cycle */
        line->bits = 0;
        line->cycles = board_bit_cycles + board_bit_cycles / 2 - 1; /* to the middle of the first data bit */
        return;
    }
    if (line->cycles-- > 0) return;
    line->cycles = board_bit_cycles - 1;
    if (line->count <= 8) line->bits |= (uint32_t)level << (line->count - 1);
    if (line->count++ < 9) return;
    line->count = 0;
    wire->bytes_out++;
    if (wire->client >= 0 && wire->out_end < sizeof wire->out) wire->out[wire->out_end++] = (uint8_t)line->bits;
}

static int show(struct display *display, const struct options *options)
{
    char path[512], message[256];
    if (options->frames == NULL || (display->frames - 1u) % options->every != 0) return 1;
    snprintf(path, sizeof path, "%s/display-%03u.png", options->frames, display->frames - 1u);
    if (display_write_png(display, path, message) == 0) return 1;
    fprintf(stderr, "board-sim: %s\n", message);
    return 0;
}

static int run(struct wire *wire, const struct options *options)
{
    static struct display display;
    struct board_pins pins = {.uart_rx = 1};
    unsigned long long cycle = 0;
    int is_good = 1;
    display_init(&display);
    for (; !is_stopped && is_good && (options->cycles == 0 || cycle < options->cycles); cycle++) {
        if (cycle % POLL_CYCLES == 0 && !poll_client(wire, options)) break;
        pins.uart_rx = drive_line(wire);
        is_good = board_cycle(&pins);
        watch_line(wire, pins.uart_tx);
        if (pins.has_symbols && display_take(&display, pins.red, pins.green, pins.blue))
            is_good = is_good && show(&display, options);
    }
    printf("%llu cycles, %llu bytes to the board, %llu from it, %u frames shown, %u bad lines, %u bad symbols, "
           "lights 0x%02x\n",
           cycle, wire->bytes_in, wire->bytes_out, display.frames, display.bad_lines, display.bad_symbols, pins.led);
    return is_good && display.bad_lines == 0 && display.bad_symbols == 0;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {
        {"port", required_argument, NULL, 'p'},  {"frames", required_argument, NULL, 'f'},
        {"every", required_argument, NULL, 'e'}, {"cycles", required_argument, NULL, 'c'},
        {"once", no_argument, NULL, 'o'},        {NULL, 0, NULL, 0}};
    struct options options = {.port = 1234, .every = 1};
    static struct wire wire = {.client = -1};
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) switch (option) {
        case 'p': options.port = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'f': options.frames = optarg; break;
        case 'e': options.every = (unsigned)strtoul(optarg, NULL, 0); break;
        case 'c': options.cycles = strtoull(optarg, NULL, 0); break;
        case 'o': options.once = 1; break;
        default: return 2;
        }
    if (options.port > 65535u || options.every == 0u) {
        fprintf(stderr, "board-sim: give --port from 0 to 65535, and --every from 1.\n");
        return 2;
    }
    unsigned port = 0;
    wire.listener = listen_on(options.port, &port);
    if (wire.listener < 0) {
        fprintf(stderr, "board-sim: cannot listen on port %u: %s. Choose another with --port.\n", options.port,
                strerror(errno));
        return 2;
    }
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    if (!board_create()) return 1;
    printf("listening on port %u\n", port);
    fflush(stdout);
    int is_good = run(&wire, &options);
    board_destroy();
    return is_good ? 0 : 1;
}
