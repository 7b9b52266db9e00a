/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden model's device without its firmware: registers, memory and time as model/device.h and the table say. Goal:
 * each register of the table is what its row says, for the host and for the core; the firmware's view of memory goes
 * stale as the core's line buffer does; sizes, ends of memory, waits and stops are exact. Method: every row of
 * spec/gpu.def is read and written from both sides and compared with its columns; the rest is done by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device_internal.h"
#include "unwind.h"
#include "gpu_hash.h"
#include "platform/hal.h"

enum rights { NA, RO, WO, RW, W1C };
static const struct row {
    const char *name;
    uint32_t offset, reset, block, copies, stride;
    enum rights rights[2]; /* host, core */
} rows[] = {
#define REG(block, name, offset, host, core, reset, doc) \
    {#block "." #name, block##_BASE + (offset), (uint32_t)(reset), block##_BASE, \
     block##_COUNT,    block##_STRIDE,          {host, core}},
#include "gpu.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct device *device;
static struct transport transport;
static char message[256];

static int setup(void **state)
{
    (void)state;
    const struct device_options options = {.memory_bytes = 8u << 20, .seed = 0};
    device = device_create(&options, message);
    device_transport(device, &transport);
    device_enter(device);
    return device != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    transport.close(transport.context);
    return 0;
}

static bool reads(enum rights rights) { return rights == RO || rights == RW || rights == W1C; }
static bool writes(enum rights rights) { return rights == WO || rights == RW || rights == W1C; }

/* What is not storage: its value after reset, and that a write does something else. */
static const struct special {
    uint32_t offset, value;
    bool has_value;
} specials[] = {{HOST_ABI_OFFSET, GPU_ABI_HASH, true},
                {DEBUG_STATUS_OFFSET, 0, true},
                {APERTURE_PAGES_OFFSET, 4096, true},
                {MEMORY_TCM_BYTES_OFFSET, TCM_BYTES, true},
                {MEMORY_COMMAND_BYTES_OFFSET, COMMAND_BYTES, true},
                {MEMORY_FEATURES_OFFSET, 0x3f, true},
                {EXAMINE_STATUS_OFFSET, 0xc1, true}, /* present; a table of 1 << 12 */
                {EXAMINE_LISTS_OFFSET, 0xa01, true}, /* present; rows for 1 << 10 */
                {MEMORY_SEGMENT1_BYTES_OFFSET, 256 << 10, true},
                {MEMORY_SEGMENT2_BYTES_OFFSET, 2 << 20, true},
                {CORE_CYCLE_LO_OFFSET, 0, true},
                {CORE_CYCLE_HI_OFFSET, 0, true},
                {APERTURE_DUMMY_OFFSET, 0, false},
                {APERTURE_LOOKUPS_OFFSET, 0, true},
                {APERTURE_DUMMY_HITS_OFFSET, 0, true},
                {APERTURE_ENTRY_OFFSET, 0, true}};

static const struct special *special(uint32_t offset)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (specials[i].offset == offset) return &specials[i];
    return NULL;
}

static uint32_t read_as(uint32_t offset, enum device_side side) { return device_register_read(device, offset, side); }

static void test_reset_values(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t copy = 0; copy < rows[i].copies; copy++)
            for (int side = 0; side < 2; side++) {
                const struct row *row = &rows[i];
                uint32_t offset = row->offset + copy * row->stride, value = read_as(offset, (enum device_side)side);
                const struct special *other = special(offset);
                uint32_t expected = other != NULL && other->has_value ? other->value : row->reset;
                if (!reads(row->rights[side])) expected = 0;
                if (row->block == NODE_BASE && row->offset == NODE_PAGE_BOUND_OFFSET) continue;
                if (value != expected)
                    fail_msg("%s, copy %u, side %d: %x, not %x", row->name, copy, side, value, expected);
            }
    for (uint32_t offset = 0; offset < REGISTER_BYTES; offset += 4) { /* none of the table reads as 0 */
        bool is_known = false;
        for (unsigned i = 0; i < ROWS; i++)
            for (uint32_t copy = 0; copy < rows[i].copies; copy++)
                is_known = is_known || rows[i].offset + copy * rows[i].stride == offset;
        if (is_known) continue;
        device_register_write(device, offset, 0xffffffffu, SIDE_HOST);
        assert_int_equal(read_as(offset, SIDE_HOST), 0);
        assert_int_equal(read_as(offset, SIDE_CORE), 0);
    }
}

/* What is written is read back from the other side, too; what may not be written by the host stays. */
static void test_storage(void **state)
{
    static const uint32_t node_words[] = {NODE_RING_BASE_OFFSET, NODE_RING_SIZE_OFFSET, NODE_TAIL_OFFSET,
                                          NODE_FENCE_OFFSET};
    static const uint32_t acts[] = {HOST_IRQ_STATUS_OFFSET, HOST_IRQ_RAISE_OFFSET, CORE_IRQ_PENDING_OFFSET,
                                    CORE_INVALIDATE_OFFSET, CORE_CONSOLE_OFFSET,   CORE_TRACE_OFFSET,
                                    APERTURE_ENTRY_OFFSET};
    (void)state;
    for (unsigned i = 0; i < ROWS; i++)
        for (int side = 0; side < 2; side++) {
            const struct row *row = &rows[i];
            bool is_act = row->block == NODE_BASE;
            for (size_t k = 0; k < sizeof acts / sizeof *acts; k++) is_act = is_act || acts[k] == row->offset;
            if (is_act) continue;
            uint32_t before[2] = {read_as(row->offset, SIDE_HOST), read_as(row->offset, SIDE_CORE)};
            const uint32_t pattern = 0x13570000u + 16u * i + (uint32_t)side;
            if (!writes(row->rights[side]) && side == 1) continue; /* the firmware must not, and would stop */
            device_register_write(device, row->offset, pattern, (enum device_side)side);
            for (int reader = 0; reader < 2; reader++) {
                uint32_t value = read_as(row->offset, (enum device_side)reader);
                /* This device has no display unit: its registers read zero. */
                uint32_t expected = !reads(row->rights[reader]) || row->block == DISPLAY_BASE ? 0
                                    : writes(row->rights[side])                               ? pattern
                                                                                              : before[reader];
                if (value != expected)
                    fail_msg("%s written by %d: %d reads %x, not %x", row->name, side, reader, value, expected);
            }
        }
    for (uint32_t node = 0; node < NODE_COUNT; node++)
        for (size_t i = 0; i < sizeof node_words / sizeof *node_words; i++) {
            uint32_t offset = node_words[i] + node * NODE_STRIDE, value = 0x1110u * (node + 1) + (uint32_t)i;
            device_register_write(device, offset, value, SIDE_CORE);
            assert_int_equal(read_as(offset, SIDE_CORE), value);
        }
    for (uint32_t node = 0; node < NODE_COUNT; node++)
        for (size_t i = 0; i < sizeof node_words / sizeof *node_words; i++)
            assert_int_equal(read_as(node_words[i] + node * NODE_STRIDE, SIDE_CORE), 0x1110u * (node + 1) + i);
}

/* Registers that do something. */
static void test_acts(void **state)
{
    uint32_t value = 0;
    (void)state;
    device_register_write(device, HOST_IRQ_RAISE_OFFSET, 5, SIDE_CORE);
    device_register_write(device, HOST_IRQ_RAISE_OFFSET, 2, SIDE_CORE);
    assert_int_equal(transport.register_read(transport.context, HOST_IRQ_STATUS_OFFSET, &value), TRANSPORT_OK);
    assert_int_equal(value, 7);
    transport.register_write(transport.context, HOST_IRQ_STATUS_OFFSET, 5);
    assert_int_equal(read_as(HOST_IRQ_STATUS_OFFSET, SIDE_HOST), 2);
    assert_int_equal(read_as(CORE_IRQ_PENDING_OFFSET, SIDE_CORE), 0);
    const uint32_t bells[] = {HOST_SUBMIT_TAIL_OFFSET, HOST_COMPLETE_HEAD_OFFSET};
    for (unsigned i = 0; i < 2; i++) {
        transport.register_write(transport.context, bells[i], 9 + i);
        assert_int_equal(read_as(bells[i], SIDE_CORE), 9 + i);
        assert_int_equal(read_as(CORE_IRQ_PENDING_OFFSET, SIDE_CORE), FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
        device_register_write(device, CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL), SIDE_CORE);
        assert_int_equal(read_as(CORE_IRQ_PENDING_OFFSET, SIDE_CORE), 0);
    }
    for (uint32_t node = 0; node < 2; node++) {
        struct engine_node *state_of = &device_engine(device)->node[node];
        uint32_t bit = node == 0 ? FIELD_PUT(1, CORE_IRQ_PENDING_NODE0) : FIELD_PUT(1, CORE_IRQ_PENDING_NODE1);
        state_of->irq = 6;
        assert_int_equal(read_as(CORE_IRQ_PENDING_OFFSET, SIDE_CORE), bit);
        device_drop_interrupts(device, true);
        assert_int_equal(read_as(CORE_IRQ_PENDING_OFFSET, SIDE_CORE), 0);
        device_drop_interrupts(device, false);
        device_register_write(device, NODE_IRQ_OFFSET + node * NODE_STRIDE, 4, SIDE_CORE);
        assert_int_equal(read_as(NODE_IRQ_OFFSET + node * NODE_STRIDE, SIDE_CORE), 2);
        state_of->irq = 0;
    }
    for (uint32_t page = 4094; page < 4098; page++) { /* beyond the aperture there is nothing */
        device_register_write(device, APERTURE_INDEX_OFFSET, page, SIDE_CORE);
        if (page < 4096) device_engine(device)->aperture[page] = 77 + page;
        assert_int_equal(read_as(APERTURE_ENTRY_OFFSET, SIDE_CORE), page < 4096 ? 77 + page : 0);
    }
    device_register_write(device, APERTURE_DUMMY_OFFSET, 99, SIDE_CORE);
    assert_int_equal(device_engine(device)->dummy_page, 99);
    device_set_cycle(device, 0x123456789abull);
    assert_int_equal(read_as(CORE_CYCLE_LO_OFFSET, SIDE_HOST), 0x456789ab);
    assert_int_equal(read_as(CORE_CYCLE_HI_OFFSET, SIDE_CORE), 0x123);
}

static void test_node_status(void **state)
{
    enum {
        BUSY = 1 << NODE_STATUS_BUSY_LSB,
        HALTED = 1 << NODE_STATUS_HALTED_LSB,
        WAITING = 1 << NODE_STATUS_WAITING_LSB,
        PAUSED = 1 << NODE_STATUS_PAUSED_LSB
    };
    (void)state;
    for (uint32_t node = 0; node < 2; node++) {
        uint32_t at = node * NODE_STRIDE, control = NODE_CONTROL_OFFSET + at, status = NODE_STATUS_OFFSET + at;
        struct engine_node *own = &device_engine(device)->node[node];
        assert_int_equal(read_as(status, SIDE_CORE), 0);
        device_register_write(device, control, FIELD_PUT(1, NODE_CONTROL_ENABLE), SIDE_CORE);
        assert_int_equal(read_as(control, SIDE_CORE), FIELD_PUT(1, NODE_CONTROL_ENABLE));
        own->tail = 4;
        assert_int_equal(read_as(status, SIDE_CORE), BUSY);
        device->is_waiting[node] = true;
        assert_int_equal(read_as(status, SIDE_CORE), BUSY | WAITING);
        device_register_write(device, control, FIELD_PUT(1, NODE_CONTROL_ENABLE) | FIELD_PUT(1, NODE_CONTROL_PAUSE),
                              SIDE_CORE);
        assert_int_equal(read_as(status, SIDE_CORE), PAUSED);
        own->is_in_run = true;
        assert_int_equal(read_as(status, SIDE_CORE), BUSY);
        own->is_in_run = false;
        device_hang(device, node);
        assert_int_equal(read_as(status, SIDE_CORE), BUSY);
        device_release(device, node);
        device_crawl(device, node, 3);
        assert_int_equal(read_as(status, SIDE_CORE), BUSY);
        device_slow(device, node, 5, 64);
        own->is_halted = true;
        device_register_write(device, control, FIELD_PUT(1, NODE_CONTROL_ENABLE), SIDE_CORE);
        assert_int_equal(read_as(status, SIDE_CORE), BUSY | HALTED);
        device->slow_left[node] = 2;
        device_hang(device, node);
        device_register_write(device, control, FIELD_PUT(1, NODE_CONTROL_RESET), SIDE_CORE);
        assert_int_equal(read_as(status, SIDE_CORE), 0);
        assert_int_equal(device->slow_left[node], 5);
        assert_int_equal(read_as(control, SIDE_CORE), 0);
        device_register_write(device, NODE_PAGE_BOUND_OFFSET + at, 0xffffffffu, SIDE_CORE);
        assert_int_equal(read_as(NODE_PAGE_BOUND_OFFSET + at, SIDE_CORE), field_mask(NODE_PAGE_BOUND_PAGES_WIDTH));
        own->bytes_read_local = 1, own->bytes_read_system = 2, own->bytes_written_local = 3,
        own->bytes_written_system = 4;
        own->packets = 5, own->error = 6, own->error_address = 7, own->error_packet = 8, own->error_word = 9,
        own->head = 10;
        const uint32_t offsets[] = {NODE_READ_LOCAL_OFFSET,    NODE_READ_SYSTEM_OFFSET,  NODE_WRITE_LOCAL_OFFSET,
                                    NODE_WRITE_SYSTEM_OFFSET,  NODE_PACKETS_OFFSET,      NODE_ERROR_OFFSET,
                                    NODE_ERROR_ADDRESS_OFFSET, NODE_ERROR_PACKET_OFFSET, NODE_ERROR_WORD_OFFSET,
                                    NODE_HEAD_OFFSET};
        for (uint32_t i = 0; i < 10; i++) assert_int_equal(read_as(offsets[i] + at, SIDE_CORE), i + 1);
        assert_int_equal(read_as(NODE_STALL_READ_OFFSET + at, SIDE_CORE), 0);
    }
}

/* ------------------------------------------------------------------ memory */

static void test_host_memory(void **state)
{
    const uint32_t end = transport.memory_bytes;
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, read[8] = {0};
    (void)state;
    assert_int_equal(end, 8 << 20);
    assert_int_equal(transport.memory_write(transport.context, end - 8, bytes, 8), TRANSPORT_OK);
    assert_int_equal(transport.memory_read(transport.context, end - 8, read, 8), TRANSPORT_OK);
    assert_memory_equal(read, bytes, 8);
    assert_int_equal(transport.memory_write(transport.context, end - 7, bytes, 8), TRANSPORT_IO);
    assert_int_equal(transport.memory_read(transport.context, end - 7, read, 8), TRANSPORT_IO);
    assert_int_equal(transport.memory_read(transport.context, end, read, 0), TRANSPORT_OK);
    assert_int_equal(transport.memory_read(transport.context, end + 1, read, 0), TRANSPORT_IO);
    assert_int_equal(transport.memory_write(transport.context, end, NULL, 0), TRANSPORT_OK);
    assert_memory_equal(device_engine(device)->segment1, "\xa5\xa5\xa5\xa5", 4);
    assert_memory_equal(device_engine(device)->segment2, "\x5a\x5a\x5a\x5a", 4);
}

/* A line that was read is what it was until it is invalidated, or written by the core itself. */
static void test_lines(void **state)
{
    enum { AT = 64 * LINE_WORDS };
    uint32_t words[2 * LINE_WORDS], address = 0, fresh = 5;
    (void)state;
    hal_system_read(AT, words, LINE_WORDS);
    assert_int_equal(words[0] | words[LINE_WORDS - 1], 0);
    transport.memory_write(transport.context, AT + 4, &fresh, 4);
    transport.memory_write(transport.context, AT + 4 * LINE_WORDS, &fresh, 4);
    hal_system_read(AT + 4, words, 1);
    assert_int_equal(words[0], 0);
    hal_system_read(AT + 4 * LINE_WORDS, words, 1); /* another line takes its place */
    assert_int_equal(words[0], 5);
    hal_system_read(AT + 4, words, 1);
    assert_int_equal(words[0], 5);
    fresh = 6;
    transport.memory_write(transport.context, AT + 4, &fresh, 4);
    hal_system_read(AT + 4, words, 1);
    assert_int_equal(words[0], 5);
    hal_system_invalidate();
    hal_system_read(AT + 4, words, 1);
    assert_int_equal(words[0], 6);
    const uint32_t own[2] = {8, 9};
    const uint32_t places[] = {AT - 8, AT - 4, AT, AT + 4 * LINE_WORDS - 4, AT + 4 * LINE_WORDS};
    for (unsigned i = 0; i < 5; i++) { /* a store to the line ends it, one beside it does not */
        fresh = 10 + i;
        transport.memory_write(transport.context, AT + 8, &fresh, 4);
        hal_system_invalidate();
        hal_system_read(AT + 8, words, 1);
        transport.memory_write(transport.context, AT + 8, &(uint32_t){99}, 4);
        hal_system_write(places[i], own, 2);
        hal_system_read(AT + 8, words, 1);
        assert_int_equal(words[0], i == 0 || i == 4 ? 10 + i : 99);
        hal_system_invalidate();
        hal_system_read(places[i], words, 2);
        assert_int_equal(words[0], 8);
        assert_int_equal(words[1], 9);
    }
    assert_false(hal_system_failed(&address));
    hal_system_read((8u << 20) - 8, words, 4); /* two words are there */
    assert_true(hal_system_failed(&address));
    assert_int_equal(address, (8 << 20) + 4);
    assert_false(hal_system_failed(&address));
    hal_system_write(8u << 20, own, 1);
    assert_true(hal_system_failed(&address));
    assert_int_equal(address, 8 << 20);
    hal_command_write(COMMAND_BYTES - 4, 0x1234);
    assert_int_equal(hal_command_read(COMMAND_BYTES - 4), 0x1234);
    assert_int_equal(*(uint32_t *)hal_command_memory(COMMAND_BYTES - 4), 0x1234);
    assert_int_equal(hal_command_read(0), 0xc3c3c3c3u);
}

/* ------------------------------------------------------------------ life, time */

static uint32_t told[3];
static void on_firmware(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)context;
    told[0] = (uint32_t)cycle, told[1] = event, told[2] = argument;
}
static void on_console(void *context, char character) { *(char *)context = character; }

static void test_time(void **state)
{
    char heard = 0;
    const struct probe probe = {.context = &heard, .firmware = on_firmware, .console = on_console};
    (void)state;
    device_set_cycle(device, 1000);
    assert_int_equal(transport.wait(transport.context, 50), TRANSPORT_OK);
    assert_int_equal(transport.cycles(transport.context), 1050);
    assert_int_equal(transport.wait(transport.context, 0), TRANSPORT_OK);
    assert_int_equal(transport.cycles(transport.context), 1050);
    assert_int_equal(hal_cycles(), 1050);
    device_look_cycles(device, 7);
    assert_int_equal(hal_cycles(), 1057);
    assert_int_equal(hal_cycles(), 1064);
    device_probe(device, &probe);
    hal_trace(TRACE_PLAN, 5);
    assert_int_equal(told[0], 1064);
    assert_int_equal(told[1], TRACE_PLAN);
    assert_int_equal(told[2], 5);
    device_register_write(device, CORE_CONSOLE_OFFSET, 'k', SIDE_CORE);
    assert_int_equal(heard, 'k');
    device_probe(device, NULL);
    hal_trace(TRACE_IDLE, 6);
    device_register_write(device, CORE_CONSOLE_OFFSET, 'l', SIDE_CORE);
    assert_int_equal(told[2], 5);
    assert_int_equal(heard, 'k');
    device_register_write(device, HOST_IRQ_RAISE_OFFSET, 2, SIDE_CORE); /* not enabled */
    assert_int_equal(transport.wait(transport.context, 50), TRANSPORT_OK);
    assert_int_equal(transport.cycles(transport.context), 1114);
    transport.register_write(transport.context, HOST_IRQ_ENABLE_OFFSET, 2);
    assert_int_equal(transport.wait(transport.context, 50), TRANSPORT_OK);
    assert_int_equal(transport.cycles(transport.context), 1114);
}

static void panic(void *context)
{
    (void)context;
    hal_panic(PANIC_TRAP, 0x77);
}

static void device_enter_again(void *context)
{
    (void)context;
    device_enter(device);
}

/* Calls of it nest: what the inner one is left for does not leave the outer one. */
static void leave_inner(void *context)
{
    bool *has_gone_on = context;
    assert_false(unwind_call(panic, NULL));
    assert_true(unwind_call(device_enter_again, NULL));
    *has_gone_on = true;
}

static void test_panic(void **state)
{
    (void)state;
    transport.register_write(transport.context, HOST_CONTROL_OFFSET, FIELD_PUT(1, HOST_CONTROL_CORE_RUN));
    assert_false(unwind_call(panic, NULL));
    bool has_gone_on = false;
    assert_true(unwind_call(leave_inner, &has_gone_on));
    assert_true(has_gone_on);
    assert_int_equal(read_as(HOST_PANIC_CODE_OFFSET, SIDE_HOST), PANIC_TRAP);
    assert_int_equal(read_as(HOST_PANIC_PLACE_OFFSET, SIDE_HOST), 0x77);
    assert_int_equal(read_as(HOST_IRQ_STATUS_OFFSET, SIDE_HOST), FIELD_PUT(1, HOST_IRQ_STATUS_PANIC));
    assert_false(device_turn(device));
    assert_int_equal(transport.wait(transport.context, 50), TRANSPORT_DEAD);
    transport.register_write(transport.context, HOST_IRQ_ENABLE_OFFSET, 0xffffffffu);
    assert_int_equal(transport.wait(transport.context, 50), TRANSPORT_OK); /* the interrupt comes first */
}

static void test_sizes(void **state)
{
    static const struct {
        struct device_options options;
        const char *message; /* NULL: it can be made */
    } cases[] = {
        {{.memory_bytes = 4095}, "system memory: 4095 bytes is not a multiple of 4096 up to 2147479552"},
        {{.memory_bytes = 0x80000000u}, "system memory: 2147483648 bytes is not a multiple of 4096 up to 2147479552"},
        {{.segment1_bytes = 4097}, "segment 1: 4097 bytes is not a multiple of 4096 up to 16777216"},
        {{.segment1_bytes = (16 << 20) + 4096}, "segment 1: 16781312 bytes is not a multiple of 4096 up to 16777216"},
        {{.segment2_bytes = 1}, "segment 2: 1 bytes is not a multiple of 4096 up to 16777216"},
        {{.segment2_bytes = (16 << 20) + 4096}, "segment 2: 16781312 bytes is not a multiple of 4096 up to 16777216"},
        {{.aperture_pages = 4097}, "aperture: 16781312 bytes is not a multiple of 4096 up to 16777216"},
        {{.memory_bytes = 4096, .segment1_bytes = 16 << 20, .segment2_bytes = 16 << 20, .aperture_pages = 1}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct device *made = device_create(&cases[i].options, message);
        assert_int_equal(made != NULL, cases[i].message == NULL);
        if (made == NULL) assert_string_equal(message, cases[i].message);
        device_destroy(made);
    }
    struct device *made = device_create(&(struct device_options){0}, message);
    struct transport own;
    device_transport(made, &own);
    assert_int_equal(own.memory_bytes, 64 << 20);
    assert_int_equal(device_register(made, MEMORY_SEGMENT1_BYTES_OFFSET), 256 << 10);
    assert_int_equal(device_register(made, MEMORY_SEGMENT2_BYTES_OFFSET), 2 << 20);
    assert_int_equal(device_register(made, APERTURE_PAGES_OFFSET), 4096);
    device_destroy(made);
    device_destroy(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_reset_values), TEST(test_storage),     TEST(test_acts),
                                       TEST(test_node_status),  TEST(test_host_memory), TEST(test_lines),
                                       TEST(test_time),         TEST(test_panic),       cmocka_unit_test(test_sizes)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
