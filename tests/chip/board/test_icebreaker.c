/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated iCEBreaker (arguments: its simulator, its program in hexadecimal words) over its wire: registers and
 * memory, random packets executed exactly as by the golden model, every refusal and its code, a program loaded again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_packets.h"
#include "simulator.h"
#include "small.h"
#include "lib/device/transport_wire.h"

static const char *simulator_path, *program_path;
static uint8_t memory[SMALL_LOCAL_BYTES], seen[SMALL_LOCAL_BYTES];
static struct engine_model model = {.segment1 = memory, .segment1_bytes = SMALL_LOCAL_BYTES};
static struct transport transport;
static uint32_t tail, random_state = 1;
static pid_t simulator;
static bool is_open;

static uint32_t any(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * below) >> 32);
}

static uint32_t get(uint32_t offset)
{
    uint32_t value;
    assert_int_equal(transport.register_read(transport.context, offset, &value), TRANSPORT_OK);
    return value;
}

static void set(uint32_t offset, uint32_t value)
{
    assert_int_equal(transport.register_write(transport.context, offset, value), TRANSPORT_OK);
}

static uint32_t node(uint32_t offset) { return get(offset + NODE_STRIDE); }

/* ------------------------------------------------------------------ the board */

static int start(void **state)
{
    char device[64], message[256] = "";
    unsigned port;
    (void)state;
    simulator = simulator_start(simulator_path, NULL, &port);
    if (simulator < 0) return -1;
    snprintf(device, sizeof device, "tcp:127.0.0.1:%u", port);
    is_open = wire_open(&transport, device, 0, message) == 0;
    if (!is_open) fprintf(stderr, "%s\n", message);
    return is_open ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    if (is_open) transport.close(transport.context);
    return simulator_stop(simulator) ? 0 : -1;
}

static void run_core(void)
{
    set(HOST_CONTROL_OFFSET, 0);
    set(HOST_SUBMIT_TAIL_OFFSET, tail = 0);
    set(HOST_CONTROL_OFFSET, FIELD_PUT(1, HOST_CONTROL_CORE_RUN));
    for (int tries = 0; tries < 100 && get(HOST_BOOT_STATUS_OFFSET) != 1; tries++) {}
    assert_int_equal(get(HOST_BOOT_STATUS_OFFSET), 1);
}

static void memory_is_as_modelled(void)
{
    assert_int_equal(transport.memory_read(transport.context, 0, seen, SMALL_RING_AT), TRANSPORT_OK);
    assert_memory_equal(seen, memory, SMALL_RING_AT);
}

/* ------------------------------------------------------------------ packets */

static void put_packet(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, tail++) {
        uint32_t at = SMALL_RING_AT + 4u * (tail % SMALL_RING_WORDS);
        memcpy(memory + at, words + i, 4);
        assert_int_equal(transport.memory_write(transport.context, at, words + i, 4), TRANSPORT_OK);
    }
}

/* Address of `bytes` in local memory before the ring. */
static uint32_t place(uint32_t bytes) { return GPU_LIMIT(ADDR_SEGMENT1) + any(SMALL_RING_AT - bytes + 1); }

/* A random packet that overlaps itself in no way that the mover may order differently; its words. */
static uint32_t random_packet(uint32_t words[PKT_COPY_2D_WORDS])
{
    uint32_t bytes = any(4) == 0 ? any(4000) : any(100), rows = any(9), kind = any(3);
    uint32_t source_pitch = bytes + any(40), target_pitch = bytes + any(40);
    uint32_t span = kind == 2 ? rows * (source_pitch > target_pitch ? source_pitch : target_pitch) : bytes;
    if (kind == 2 && (source_pitch > MOVER_MOST_PITCH || target_pitch > MOVER_MOST_PITCH)) return 0;
    uint32_t source = place(span), target = place(span);
    if (kind != 1 && source < target + span && target < source + span) return 0;
    words[0] = kind == 0 ? PKT_COPY : kind == 1 ? PKT_FILL : PKT_COPY_2D;
    if (any(2)) words[0] |= FIELD_PUT(1, PKT_COPY_BARRIER);
    words[1] = kind == 1 ? target : source;
    words[2] = kind == 1 ? bytes : target;
    words[3] = kind == 1 ? random_state : kind == 0 ? bytes : bytes | rows << PKT_COPY_2D_ROWS_LSB;
    words[4] = source_pitch | target_pitch << PKT_COPY_2D_TARGET_PITCH_LSB;
    return kind == 2 ? PKT_COPY_2D_WORDS : PKT_COPY_WORDS;
}

static void wait_for_fence(uint32_t value)
{
    const uint32_t fence[] = {PKT_FENCE, value};
    put_packet(fence, PKT_FENCE_WORDS);
    set(HOST_SUBMIT_TAIL_OFFSET, tail & 0xffffu);
    for (int tries = 0; tries < 10000 && node(NODE_FENCE_OFFSET) != value; tries++)
        assert_int_equal(node(NODE_ERROR_OFFSET), FAULT_NONE);
    assert_int_equal(node(NODE_FENCE_OFFSET), value);
    while (node(NODE_HEAD_OFFSET) != (tail & 0xffffu)) {}
}

static void test_registers(void **state)
{
    (void)state;
    assert_int_equal(transport.memory_bytes, SMALL_LOCAL_BYTES);
    assert_int_equal(get(HOST_ID_OFFSET), small_id);
    assert_int_equal(get(BOARD_CLOCK_HZ_OFFSET), 6000000);
    set(HOST_SCRATCH_OFFSET, 0xc0ffee11);
    assert_int_equal(get(HOST_SCRATCH_OFFSET), 0xc0ffee11);
    set(MOVER_SOURCE, 0x1234); /* the core's alone, and nothing to read */
    assert_int_equal(get(MOVER_SOURCE), 0);
}

static void test_packets(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SMALL_RING_AT; i++) memory[i] = (uint8_t)any(256);
    assert_int_equal(transport.memory_write(transport.context, 0, memory, SMALL_RING_AT), TRANSPORT_OK);
    memory_is_as_modelled();
    run_core();
    uint32_t packets = 0;
    for (uint32_t round = 1; round <= 12; round++) { /* more words than the ring has */
        for (unsigned i = 0; i < 40; i++) {
            uint32_t words[PKT_COPY_2D_WORDS], address, count = random_packet(words);
            if (count == 0) continue;
            packets++;
            put_packet(words, count);
            assert_int_equal(engine_packet_execute(&model, 1, words, false, &address), FAULT_NONE);
        }
        wait_for_fence(round * 0x01010101u);
    }
    assert_true(packets > 300 && tail > SMALL_RING_WORDS);
    memory_is_as_modelled();
}

static void test_refusals(void **state)
{
    const uint32_t base = GPU_LIMIT(ADDR_SEGMENT1), past = base + SMALL_LOCAL_BYTES;
    const struct {
        uint32_t words[PKT_COPY_2D_WORDS], fault;
    } refused[] = {
        {{PKT_WAIT_FENCE, 1}, FAULT_BAD_OPCODE},
        {{0xff}, FAULT_BAD_OPCODE},
        {{PKT_FENCE | FIELD_PUT(1, PKT_FENCE_INTERRUPT), 1}, FAULT_BAD_OPERAND},
        {{PKT_COPY | FIELD_PUT(1, PKT_COPY_REVERSE), base, base, 8}, FAULT_BAD_OPERAND},
        {{PKT_COPY | 0x100, base, base, 8}, FAULT_BAD_OPERAND},
        {{PKT_COPY, GPU_LIMIT(ADDR_SEGMENT2), base, 8}, FAULT_BAD_OPERAND},
        {{PKT_COPY, base, base + 64, 1u << MOVER_ADDRESS_BITS}, FAULT_BAD_OPERAND},
        {{PKT_COPY_2D, base, base + 4096, 4 | 256u << PKT_COPY_2D_ROWS_LSB, 8 | 8 << 16}, FAULT_BAD_OPERAND},
        {{PKT_COPY_2D, base, base + 4096, 4 | 2 << 16, 4096 | 8 << 16}, FAULT_BAD_OPERAND},
        {{PKT_COPY, past, base, 8}, FAULT_READ_BUS},
        {{PKT_COPY, past - 4, base, 8}, FAULT_READ_BUS},
        {{PKT_COPY, base, past, 8}, FAULT_WRITE_BUS},
        {{PKT_FILL, past - 300, 600, 0}, FAULT_WRITE_BUS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run_core();
        assert_int_equal(node(NODE_ERROR_OFFSET), FAULT_NONE);
        put_packet(refused[i].words, PKT_COPY_2D_WORDS);
        set(HOST_SUBMIT_TAIL_OFFSET, tail);
        for (int tries = 0; tries < 1000 && node(NODE_ERROR_OFFSET) == FAULT_NONE; tries++) {}
        assert_int_equal(node(NODE_ERROR_OFFSET), refused[i].fault);
        assert_int_equal(node(NODE_HEAD_OFFSET), 0);
        if (refused[i].fault == FAULT_READ_BUS || refused[i].fault == FAULT_WRITE_BUS)
            assert_int_equal(get(MOVER_FAULT) & ~0xffu, past & ~0xffu);
    }
}

/* The program comes over the wire as well as in the bit stream: first one that only traps, then the right one. */
static void test_load(void **state)
{
    (void)state;
    set(HOST_CONTROL_OFFSET, 0);
    set(HOST_LOAD_ADDRESS_OFFSET, 0);
    FILE *program = fopen(program_path, "r");
    assert_non_null(program);
    uint32_t word, first = 0;
    for (uint32_t i = 0; fscanf(program, "%x", &word) == 1; i++) {
        if (i == 0) first = word;
        set(HOST_LOAD_DATA_OFFSET, i < 64 ? word : 0); /* zero is no instruction */
    }
    set(HOST_SUBMIT_TAIL_OFFSET, 4);
    set(HOST_CONTROL_OFFSET, FIELD_PUT(1, HOST_CONTROL_CORE_RUN));
    for (int tries = 0; tries < 100 && node(NODE_ERROR_OFFSET) == 0; tries++) {}
    assert_int_equal(node(NODE_ERROR_OFFSET), 0x80 + TRAP_ILLEGAL);

    set(HOST_CONTROL_OFFSET, 0);
    set(HOST_LOAD_ADDRESS_OFFSET, 0);
    rewind(program);
    while (fscanf(program, "%x", &word) == 1) set(HOST_LOAD_DATA_OFFSET, word);
    fclose(program);
    assert_int_not_equal(first, 0);
    run_core();
    const uint32_t fill[] = {PKT_FILL, GPU_LIMIT(ADDR_SEGMENT1) + 5, 1001, 0x89abcdef};
    uint32_t address;
    put_packet(fill, PKT_FILL_WORDS);
    assert_int_equal(engine_packet_execute(&model, 1, fill, false, &address), FAULT_NONE);
    wait_for_fence(7);
    memory_is_as_modelled();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_registers), cmocka_unit_test(test_packets),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_load)};
    if (argc < 3) {
        fprintf(stderr, "test_icebreaker SIMULATOR PROGRAM.hex\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    simulator_path = argv[1];
    program_path = argv[2];
    int failed = cmocka_run_group_tests(tests, start, end);
    int count = (int)(sizeof tests / sizeof *tests);
    if (failed < 0) failed = count; /* the board did not start */
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
