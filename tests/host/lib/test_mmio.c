/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the memory-mapped transport touches the words that it is asked for and no others, in the order that the GPU
 * relies on, keeps caches right where it is told how, and waits as it says. Method: registers and memory of this
 * program's, with guards around them; hooks that note when they are called and what memory held then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/device/transport_mmio.h"
#include "gpu_spec.h"

enum { MEMORY = 8192, GUARD = 64, IRQ_STATUS = HOST_IRQ_STATUS_OFFSET / 4, IRQ_ENABLE = HOST_IRQ_ENABLE_OFFSET / 4 };

static uint32_t registers[1024];
static uint8_t storage[GUARD + MEMORY + GUARD], *const memory = storage + GUARD;
static struct mmio_link link;
static struct transport transport;
static const void *cleaned, *forgotten;
static size_t cleaned_bytes, forgotten_bytes;
static uint8_t cleaned_first;
static uint32_t sleeps, sleep_asked[8], sleep_cycles, interrupt_at;

static void clean(const void *from, size_t bytes)
{
    cleaned = from;
    cleaned_bytes = bytes;
    cleaned_first = *(const uint8_t *)from;
}

/* What the GPU has written meanwhile is seen from here on. */
static void forget(const void *from, size_t bytes)
{
    forgotten = from;
    forgotten_bytes = bytes;
    memory[(const uint8_t *)from - memory] = 0x77;
}

static uint32_t sleep(uint32_t cycles)
{
    if (sleeps < 8) sleep_asked[sleeps] = cycles;
    if (++sleeps == interrupt_at) registers[IRQ_STATUS] = 2;
    return sleep_cycles;
}

static uint64_t now(void) { return 0x123456789abcull; }

static int setup(void **state)
{
    (void)state;
    memset(registers, 0, sizeof registers);
    memset(storage, 0xee, sizeof storage);
    link = (struct mmio_link){.registers = registers, .memory = memory, .memory_bytes = MEMORY};
    cleaned = forgotten = NULL;
    sleeps = interrupt_at = 0;
    sleep_cycles = 10;
    mmio_transport(&link, &transport);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GUARD; i++) assert_true(storage[i] == 0xee && storage[GUARD + MEMORY + i] == 0xee);
    return 0;
}

static void test_registers(void **state)
{
    (void)state;
    uint32_t value = 0;
    assert_int_equal(transport.register_write(transport.context, HOST_SUBMIT_TAIL_OFFSET, 0xdecafbad), TRANSPORT_OK);
    for (unsigned i = 0; i < 1024; i++)
        assert_int_equal(registers[i], i == HOST_SUBMIT_TAIL_OFFSET / 4 ? 0xdecafbad : 0);
    registers[MEMORY_TCM_BYTES_OFFSET / 4] = 4711;
    assert_int_equal(transport.register_read(transport.context, MEMORY_TCM_BYTES_OFFSET, &value), TRANSPORT_OK);
    assert_int_equal(value, 4711);
    assert_int_equal(transport.memory_bytes, MEMORY);
    assert_null(transport.cycles);
    assert_null(transport.close);
}

/* Any alignment, both ends of memory, and nothing beside. */
static void test_memory(void **state)
{
    (void)state;
    const struct {
        uint32_t address, bytes;
    } rows[] = {{0, 1}, {0, MEMORY}, {MEMORY - 1, 1}, {MEMORY, 0}, {5, 7}, {4095, 3}};
    uint8_t out[MEMORY], in[MEMORY];
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        memset(memory, 0x11, MEMORY);
        for (unsigned i = 0; i < MEMORY; i++) out[i] = (uint8_t)(i * 7u + 1u);
        assert_int_equal(transport.memory_write(transport.context, rows[row].address, out, rows[row].bytes), 0);
        for (uint32_t i = 0; i < MEMORY; i++)
            assert_int_equal(memory[i], i >= rows[row].address && i - rows[row].address < rows[row].bytes
                                            ? out[i - rows[row].address]
                                            : 0x11);
        assert_int_equal(transport.memory_read(transport.context, rows[row].address, in, rows[row].bytes), 0);
        assert_memory_equal(in, out, rows[row].bytes);
    }
}

static void test_outside(void **state)
{
    (void)state;
    uint8_t data[16] = {1};
    const struct {
        uint32_t address;
        size_t bytes;
    } rows[] = {{MEMORY, 1}, {MEMORY - 1, 2}, {0xffffffffu, 2}, {0, MEMORY + 1}, {8, SIZE_MAX}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        transport.error[0] = 0;
        assert_int_equal(transport.memory_write(transport.context, rows[row].address, data, rows[row].bytes),
                         TRANSPORT_IO);
        assert_int_equal(transport.memory_read(transport.context, rows[row].address, data, rows[row].bytes),
                         TRANSPORT_IO);
        assert_string_equal(transport.error, "an access outside of the memory that is shared with the GPU");
    }
    for (unsigned i = 0; i < MEMORY; i++) assert_int_equal(memory[i], 0xee);
}

/* What is written is cleaned after it, what is read is forgotten before it, each its own range. */
static void test_caches(void **state)
{
    (void)state;
    uint8_t data[4] = {9, 8, 7, 6};
    link.clean = clean;
    link.forget = forget;
    assert_int_equal(transport.memory_write(transport.context, 100, data, 4), 0);
    assert_ptr_equal(cleaned, memory + 100);
    assert_int_equal(cleaned_bytes, 4);
    assert_int_equal(cleaned_first, 9);
    assert_null(forgotten);
    assert_int_equal(transport.memory_read(transport.context, 100, data, 3), 0);
    assert_ptr_equal(forgotten, memory + 100);
    assert_int_equal(forgotten_bytes, 3);
    assert_int_equal(data[0], 0x77);
    assert_int_equal(data[1], 8);
}

static void test_waiting(void **state)
{
    (void)state;
    link.sleep = sleep;
    assert_int_equal(transport.wait(transport.context, 35), 0);
    assert_int_equal(sleeps, 4);
    assert_int_equal(sleep_asked[0], 35);
    assert_int_equal(sleep_asked[3], 5);
    sleeps = 0;
    sleep_cycles = 0xffffffffu; /* more than was asked */
    assert_int_equal(transport.wait(transport.context, 35), 0);
    assert_int_equal(sleeps, 1);
    sleeps = 0;
    sleep_cycles = 10;
    interrupt_at = 3;
    registers[IRQ_ENABLE] = 2;
    assert_int_equal(transport.wait(transport.context, 1000), 0);
    assert_int_equal(sleeps, 3);
    assert_int_equal(transport.wait(transport.context, 1000), 0); /* it is still there */
    assert_int_equal(sleeps, 3);
    registers[IRQ_ENABLE] = 1; /* another one */
    assert_int_equal(transport.wait(transport.context, 20), 0);
    assert_int_equal(sleeps, 5);
    assert_int_equal(transport.wait(transport.context, 0), 0);
    assert_int_equal(sleeps, 5);
}

/* Without a way to sleep it looks again and again, and ends. */
static void test_polling(void **state)
{
    (void)state;
    assert_int_equal(transport.wait(transport.context, 100000), 0);
    link.poll_cycles = 0x80000000u;
    assert_int_equal(transport.wait(transport.context, 0xffffffffu), 0);
    link.cycles = now;
    mmio_transport(&link, &transport);
    assert_true(transport.cycles(transport.context) == 0x123456789abcull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_caches, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waiting, setup, teardown),
        cmocka_unit_test_setup_teardown(test_polling, setup, teardown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
