/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: whatever is wrong with a board's line is said in one line, at once or when patience ends, and a line on which
 * something went wrong is not used again. Method: names of devices that cannot be one, with the exact message; a board
 * (wire_board.h) that is another one, is never ready, closes, falls silent or stops in the middle of an answer, at the
 * first command or a later one; and a pseudo-terminal.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <termios.h>
#include <time.h>

#include "lib/device/transport_wire.h"
#include "wire_board.h"

enum { SHORT_MS = 120 };

static struct transport transport;
static char message[256], device[64];

static int setup(void **state)
{
    (void)state;
    memset(&board, 0, sizeof board);
    memset(message, 0, sizeof message);
    board.registers[BOARD_STATUS_OFFSET / 4] = FIELD_PUT(1, BOARD_STATUS_MEMORY_READY);
    return 0;
}

static int open_board(uint32_t patience)
{
    int port = board_listen();
    assert_int_not_equal(port, 0);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", port);
    return wire_open(&transport, device, patience, message);
}

static void assert_said(const char *text, const char *format)
{
    char expected[300];
    snprintf(expected, sizeof expected, format, device);
    assert_string_equal(text, expected);
}

static void test_names(void **state)
{
    static const char of_tty[] = ": give tty:/dev/NAME@BAUD with 115200, 230400, 460800, 921600 or 1 to 3 million.";
    static const struct {
        const char *device, *message; /* the whole of it; with a colon first: after the name */
    } rows[] = {
        {"tty:/no/such", "cannot open /no/such: No such file or directory. Is the board plugged in?"},
        {"tty:/no/such@115200", "cannot open /no/such: No such file or directory. Is the board plugged in?"},
        {"tty:/no/such@3000000", "cannot open /no/such: No such file or directory. Is the board plugged in?"},
        {"tty:/no/such@230400", "cannot open /no/such: No such file or directory. Is the board plugged in?"},
        {"tty:/no/such@1500000", "cannot open /no/such: No such file or directory. Is the board plugged in?"},
        {"tty:/no/such/", "cannot open /no/such/: No such file or directory. Is the board plugged in?"},
        {"tty:/dev/null/x", "cannot open /dev/null/x: Not a directory."},
        {"tty:/dev/null", "/dev/null is not a serial line."},
        {"tty:/dev/null@9600", of_tty},
        {"tty:/dev/null@115201", of_tty},
        {"tty:/dev/null@", of_tty},
        {"tcp:", ": give tcp:HOST:PORT."},
        {"tcp:host", ": give tcp:HOST:PORT."},
        {"tcp::5", ": give tcp:HOST:PORT."},
        {"tcp:127.0.0.1:", ": give tcp:HOST:PORT."},
        {"tcp:127.0.0.1:no-such-service", ": Servname not supported for ai_socktype."},
        {"tcp:127.0.0.1:1", "cannot connect to 127.0.0.1:1: Connection refused. Start the board's simulation with "
                            "'make board-sim'."},
        {"usb:1", "usb:1 is not a device. Write tty:/dev/NAME[@BAUD] or tcp:HOST:PORT."},
        {"", " is not a device. Write tty:/dev/NAME[@BAUD] or tcp:HOST:PORT."},
    };
    char longest[256], expected[512];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(wire_open(&transport, rows[i].device, 0, message), -1);
        snprintf(expected, sizeof expected, "%s%s", rows[i].message[0] == ':' ? rows[i].device : "", rows[i].message);
        assert_string_equal(message, expected);
    }
    for (size_t length = 199; length <= 200; length++) { /* of the name: 199 characters are looked for */
        memset(longest, 'x', sizeof longest);
        memcpy(longest, "tty:", 4);
        longest[4 + length] = 0;
        assert_int_equal(wire_open(&transport, longest, 0, message), -1);
        assert_int_equal(strstr(message, length == 199 ? "cannot open xx" : of_tty) != NULL, 1);
        memcpy(longest, "tcp:", 4);
        strcpy(longest + 4 + length, ":1");
        assert_int_equal(wire_open(&transport, longest, 0, message), -1);
        assert_int_equal(strstr(message, "give tcp:HOST:PORT.") != NULL, length == 200);
    }
}

static uint32_t passed_ms(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000);
}

static void test_other_boards(void **state)
{
    struct timespec begin;
    (void)state;
    int port = board_listen();
    board.registers[BOARD_ID_OFFSET / 4] = 0x12345678;
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", port);
    assert_int_equal(wire_open(&transport, device, 5000, message), -1);
    board_join();
    assert_said(
        message,
        "%s answers, but is not a Tessera board: BOARD.ID is 0x12345678, not 'TSBD'. Check port and bit stream.");
    assert_int_equal(board.reads, 1);
    for (uint32_t after = 0; after < 2; after++) {
        setup(NULL);
        board.end = END_SILENT;
        board.ends_after = after;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        assert_int_equal(open_board(SHORT_MS), -1);
        assert_true(passed_ms(&begin) >= SHORT_MS && passed_ms(&begin) < 20 * SHORT_MS);
        board_join();
        assert_said(
            message,
            "%s gave no answer for 120 ms. Check that the bit stream is loaded and that the baud rate is right.");
        assert_int_equal(board.reads, after + 1);
        setup(NULL);
        board.end = END_CLOSED;
        board.ends_after = after;
        assert_int_equal(open_board(5000), -1);
        board_join();
        assert_said(message, "%s was closed at the other end.");
    }
    setup(NULL);
    board.registers[BOARD_STATUS_OFFSET / 4] = 0;
    assert_int_equal(open_board(5000), -1);
    board_join();
    assert_said(message, "%s: the memory of the board does not become ready. Reset the board and try again.");
    assert_int_equal(board.reads, 2001);
}

/* Each verb, on a line that ends at it: it fails, and so does every other one afterwards, with the same words and
 * without a byte on the line. */
static void test_lost(void **state)
{
    static const char *const texts[] = {[END_CLOSED] = "%s was closed at the other end.",
                                        [END_SILENT] = "%s gave no answer for 120 ms. Check that the bit stream is "
                                                       "loaded and that the baud rate is right.",
                                        [END_HALF] = "%s gave no answer for 120 ms. Check that the bit stream is "
                                                     "loaded and that the baud rate is right."};
    uint8_t bytes[1600] = {0};
    uint32_t value;
    (void)state;
    for (uint32_t verb = 0; verb < 10; verb++) {
        const enum board_end end = (enum board_end)(1 + verb % 3);
        setup(NULL);
        board.end = end;
        board.ends_after = verb == 3 || verb == 4 || verb == 8 ? 3 : 2;
        assert_int_equal(open_board(SHORT_MS), 0);
        int result = TRANSPORT_OK;
        switch (verb) {
        case 0: result = transport.register_read(transport.context, 0x10, &value); break;
        case 1: result = transport.memory_read(transport.context, 1, bytes, 1); break;
        case 2: result = transport.memory_write(transport.context, 1, bytes, 1); break;
        case 3: result = transport.memory_write(transport.context, 1, bytes, 8); break;
        case 4: result = transport.memory_read(transport.context, 0, bytes, 1024); break;
        case 5: result = transport.wait(transport.context, 100); break;
        case 6: result = transport.memory_write(transport.context, 4, bytes, 6); break;
        case 7: assert_int_equal(transport.cycles(transport.context), 0); break;
        case 8: result = transport.wait(transport.context, 100); break;
        default: result = transport.memory_read(transport.context, 0, bytes, 4); break;
        }
        const int expected = end == END_CLOSED ? TRANSPORT_IO : TRANSPORT_TIMEOUT;
        if (verb != 7) assert_int_equal(result, expected);
        assert_said(transport.error, texts[end]);
        uint32_t before = board.reads + board.writes;
        memset(transport.error, 0, sizeof transport.error);
        assert_int_equal(transport.register_write(transport.context, 0x10, 1), expected);
        assert_said(transport.error, texts[end]);
        assert_int_equal(transport.memory_read(transport.context, 0, bytes, 4), expected);
        assert_int_equal(transport.wait(transport.context, 100), expected);
        assert_int_equal(board.reads + board.writes, before);
        transport.close(transport.context);
        board_join();
    }
}

static void *serve(void *context)
{
    board_serve();
    return context;
}

/* A serial line: raw, eight bits, no hand shake; what was left on it is thrown away. */
static void test_terminal(void **state)
{
    static const speed_t speeds[] = {B115200, B3000000};
    struct termios modes;
    uint32_t value = 0;
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        setup(NULL);
        int master = posix_openpt(O_RDWR | O_NOCTTY);
        if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) skip();
        snprintf(device, sizeof device, "tty:%s%s", ptsname(master), i == 0 ? "@115200" : "");
        int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
        tcgetattr(slave, &modes);
        modes.c_cflag |= CSTOPB | PARENB | CRTSCTS;
        tcsetattr(slave, TCSANOW, &modes);
        assert_int_equal(write(master, "left\nover\n", 10), 10);
        board.client = master;
        board.naps_after = 4; /* so that what is written fills the line */
        board.registers[BOARD_ID_OFFSET / 4] = BOARD_ID;
        board.registers[BOARD_SYSTEM_BYTES_OFFSET / 4] = MEMORY_BYTES;
        board.registers[4] = 0x0a0d0304; /* no character of it means anything */
        assert_int_equal(pthread_create(&board.thread, NULL, serve, NULL), 0);
        if (wire_open(&transport, device, 5000, message) != 0) fail_msg("%s", message);
        assert_int_equal(transport.register_read(transport.context, 16, &value), TRANSPORT_OK);
        assert_int_equal(value, 0x0a0d0304);
        static uint8_t much[MEMORY_BYTES];
        for (uint32_t at = 0; at < sizeof much; at++) much[at] = (uint8_t)(at * 7 + at / 256);
        assert_int_equal(transport.memory_write(transport.context, 0, much, sizeof much), TRANSPORT_OK);
        assert_int_equal(transport.register_read(transport.context, 16, &value), TRANSPORT_OK); /* it has arrived */
        assert_memory_equal(board.memory, much, sizeof much);
        assert_int_equal(tcgetattr(slave, &modes), 0);
        assert_int_equal(modes.c_cflag & (CSIZE | CSTOPB | PARENB | CRTSCTS), CS8);
        assert_int_equal(modes.c_cflag & (CLOCAL | CREAD), CLOCAL | CREAD);
        assert_int_equal(modes.c_lflag & (ICANON | ECHO | ISIG), 0);
        assert_int_equal(cfgetospeed(&modes), speeds[i]);
        assert_int_equal(cfgetispeed(&modes), speeds[i]);
        close(slave);
        transport.close(transport.context);
        pthread_join(board.thread, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_names, setup), cmocka_unit_test_setup(test_other_boards, setup),
        cmocka_unit_test_setup(test_lost, setup), cmocka_unit_test_setup(test_terminal, setup)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
