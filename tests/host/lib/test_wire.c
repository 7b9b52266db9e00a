/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: over a serial line registers and memory are read and written as they are on the chip: big-endian words, any
 * alignment, any length, neighbours untouched, in as many commands as it takes; and waiting ends when it should.
 * Method: a board of our own at the other end of a socket, which speaks the protocol of docs/boards.md word by word and
 * counts; memory is held against an array. tests/chip/board/test_wire.c has peers that misbehave, and the real board.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/device/transport_wire.h"
#include "gpu_spec.h"
#include "wire_board.h"

enum { PATIENCE_MS = 5000 };

static void open_board(struct transport *transport)
{
    char device[64], message[256] = "";
    int port = board_listen();
    assert_int_not_equal(port, 0);
    snprintf(device, sizeof device, "tcp:127.0.0.1:%d", port);
    if (wire_open(transport, device, PATIENCE_MS, message) != 0) fail_msg("%s", message);
}

static void close_board(struct transport *transport)
{
    transport->close(transport->context);
    board_join();
    assert_int_equal(board.bad, 0);
}

static int setup(void **state)
{
    (void)state;
    memset(&board, 0, sizeof board);
    board.polls_until_ready = 1;
    return 0;
}

static uint32_t seed = 7;
static uint32_t pick(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

/* Opening waits for the memory; a register is a word. */
static void test_registers(void **state)
{
    struct transport transport;
    uint32_t value;
    (void)state;
    board.polls_until_ready = 4;
    open_board(&transport);
    assert_int_equal(board.polls_until_ready, 0);
    assert_int_equal(board.reads, 5); /* the id, and until it was ready */
    assert_int_equal(transport.memory_bytes, MEMORY_BYTES);
    assert_int_equal(transport.register_write(transport.context, 0x120, 0x12345678), TRANSPORT_OK);
    assert_int_equal(transport.register_read(transport.context, 0x120, &value), TRANSPORT_OK);
    assert_int_equal(value, 0x12345678);
    assert_int_equal(board.registers[0x120 / 4], 0x12345678);
    assert_int_equal(board.registers[0x11c / 4] | board.registers[0x124 / 4], 0);
    assert_int_equal(board.writes, 1);
    assert_int_equal(board.reads, 6);
    close_board(&transport);
}

static void test_memory(void **state)
{
    enum { ROUNDS = 400, LONGEST = 5000 };
    static uint8_t expected[MEMORY_BYTES], bytes[LONGEST];
    struct transport transport;
    (void)state;
    open_board(&transport);
    for (uint32_t i = 0; i < MEMORY_BYTES; i++) expected[i] = (uint8_t)pick(256);
    memcpy(board.memory, expected, MEMORY_BYTES); /* a little-endian memory, as the chip's */
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t count = round % 4 != 0 ? pick(14) : pick(LONGEST), at = pick(MEMORY_BYTES - count + 1);
        if (round % 3 == 0) {
            for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)pick(256);
            memcpy(expected + at, bytes, count);
            uint32_t before = board.reads;
            assert_int_equal(transport.memory_write(transport.context, at, bytes, count), TRANSPORT_OK);
            if (at % 4 == 0 && count % 4 == 0) assert_int_equal(board.reads, before); /* whole words are not read */
            assert_int_equal(transport.memory_read(transport.context, 0, bytes, 1), TRANSPORT_OK); /* it has arrived */
            assert_memory_equal(board.memory, expected, MEMORY_BYTES);
        } else {
            uint32_t before = board.words, last = board.reads;
            assert_int_equal(transport.memory_read(transport.context, at, bytes, count), TRANSPORT_OK);
            assert_memory_equal(bytes, expected + at, count);
            uint32_t words = count != 0 ? (at % 4 + count + 3) / 4 : 0;
            assert_int_equal(board.words - before, words);
            assert_int_equal(board.reads - last, (words + 254) / 255);
        }
    }
    assert_int_equal(board.longest, 255);
    uint32_t words = board.words;
    assert_int_equal(transport.memory_read(transport.context, MEMORY_BYTES - 4, bytes, 5), TRANSPORT_IO);
    assert_non_null(strstr(transport.error, "0x5ffc is outside system memory"));
    assert_int_equal(transport.memory_write(transport.context, MEMORY_BYTES, bytes, 1), TRANSPORT_IO);
    assert_non_null(strstr(transport.error, "0x6000 is outside system memory"));
    assert_int_equal(transport.memory_read(transport.context, 0, expected, MEMORY_BYTES + 1), TRANSPORT_IO);
    assert_int_equal(transport.memory_write(transport.context, MEMORY_BYTES, bytes, 0), TRANSPORT_OK);
    assert_int_equal(board.words, words); /* nothing was asked of the board */
    close_board(&transport);
}

/* Until the time is over, or until an interrupt that is enabled; time is 64 bits. */
static void test_wait(void **state)
{
    struct transport transport;
    (void)state;
    open_board(&transport);
    board.cycles_each = 100;
    board.registers[CORE_CYCLE_LO_OFFSET / 4] = 0xfffffff0u;
    board.registers[CORE_CYCLE_HI_OFFSET / 4] = 6;
    assert_true(transport.cycles(transport.context) == 0x700000054ull);
    assert_int_equal(transport.wait(transport.context, 1000),
                     TRANSPORT_OK); /* begins at one reading, ends at the 10th */
    assert_int_equal(board.irq_reads, 10);
    assert_int_equal(transport.wait(transport.context, 0), TRANSPORT_OK);
    assert_int_equal(board.irq_reads, 10);
    board.irq_after = 13;
    assert_int_equal(transport.wait(transport.context, 500), TRANSPORT_OK); /* raised, and not enabled */
    assert_int_equal(board.irq_reads, 15);
    board.registers[HOST_IRQ_ENABLE_OFFSET / 4] = 3;
    assert_int_equal(transport.wait(transport.context, 500), TRANSPORT_OK); /* another one is */
    assert_int_equal(board.irq_reads, 20);
    board.registers[HOST_IRQ_ENABLE_OFFSET / 4] = 6;
    assert_int_equal(transport.wait(transport.context, 500), TRANSPORT_OK);
    assert_int_equal(board.irq_reads, 21);
    close_board(&transport);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_registers, setup),
                                       cmocka_unit_test_setup(test_memory, setup),
                                       cmocka_unit_test_setup(test_wait, setup)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
