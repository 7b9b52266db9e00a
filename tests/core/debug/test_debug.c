/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every function of host/lib/gdb/debug.c does what debug.h says, with as few instructions as there are widths
 * for, and one that fails has changed nothing of the core. Method: a debug unit of a core that executes what it is
 * given and remembers it; registers, CSRs and bytes are compared with what was asked for, and then each access of the
 * link fails in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/gdb/debug.h"
#include "gpu_spec.h"

enum { MEMORY = 0x10000ff0, BYTES = 64, BLOCKS = 0x40000000, SYSTEM_BYTES = 64, CSR = 0x340, CSR_FIXED = 0xf14 };

static struct unit {
    uint32_t x[32], csr, pc, result, resumes, last_resume, control, breaks[DEBUG_BREAKS], watches[DEBUG_WATCHES];
    uint32_t block; /* a register: whole words only */
    uint8_t memory[BYTES], system[SYSTEM_BYTES];
    bool is_stopped, has_failed, is_absent, is_busy_always;
    unsigned busy; /* looks at STATUS until it is done */
    unsigned instructions, loads, stores, luis;
    unsigned accesses, bad_access; /* of the link; the one that fails, 0: none */
} unit;

/* ------------------------------------------------------------------ the core */

/* The bytes that an access of the core means, or NULL: it traps. */
static uint8_t *place(uint32_t address, uint32_t bytes)
{
    if (address % bytes != 0) return NULL;
    if (address == BLOCKS && bytes == 4) return (uint8_t *)&unit.block;
    return address >= MEMORY && address + bytes <= MEMORY + BYTES ? unit.memory + (address - MEMORY) : NULL;
}

static bool execute(uint32_t instruction)
{
    const uint32_t rd = instruction >> 7 & 31u, kind = instruction >> 12 & 7u, rs1 = instruction >> 15 & 31u;
    const uint32_t rs2 = instruction >> 20 & 31u, bytes = 1u << (kind & 3u), immediate = instruction >> 20;
    const uint32_t offset = (immediate ^ 0x800u) - 0x800u;
    uint8_t *at;
    uint32_t value = 0;
    unit.instructions++;
    switch (instruction & 0x7fu) {
    case 0x37: unit.luis++, value = instruction & 0xfffff000u; break;
    case 0x13:
        if (kind != 0) return false;
        value = unit.x[rs1] + offset;
        break;
    case 0x03:
        at = place(unit.x[rs1] + offset, bytes);
        unit.loads++;
        if (at == NULL || (kind != 2 && kind != 4 && kind != 5)) return false;
        memcpy(&value, at, bytes);
        break;
    case 0x23:
        at = place(unit.x[rs1] + (((instruction >> 25 << 5 | rd) ^ 0x800u) - 0x800u), bytes);
        unit.stores++;
        if (at == NULL || kind > 2) return false;
        memcpy(at, &unit.x[rs2], bytes);
        return true;
    case 0x73:
        if (immediate != CSR && immediate != CSR_FIXED) return false;
        value = immediate == CSR ? unit.csr : 7;
        if (kind == 2 && rs1 == 0) break;
        if (kind != 1 || immediate != CSR) return false;
        unit.csr = unit.x[rs1];
        break;
    default: return false;
    }
    unit.result = value;
    if (rd != 0) unit.x[rd] = value;
    return true;
}

/* ------------------------------------------------------------------ the link */

static bool is_lost(void) { return ++unit.accesses == unit.bad_access; }

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    (void)context;
    if (is_lost()) return TRANSPORT_IO;
    if (unit.is_absent) {
        *value = 0;
    } else if (offset == DEBUG_STATUS_OFFSET) {
        const bool is_busy = unit.is_busy_always || unit.busy > 0;
        unit.busy -= unit.busy > 0;
        *value = FIELD_PUT(1, DEBUG_STATUS_PRESENT) | FIELD_PUT(unit.is_stopped, DEBUG_STATUS_STOPPED) |
                 FIELD_PUT(is_busy, DEBUG_STATUS_BUSY) | FIELD_PUT(!is_busy && unit.has_failed, DEBUG_STATUS_FAILED);
    } else if (offset == DEBUG_RESULT_OFFSET) {
        *value = unit.result;
    } else {
        assert_int_equal(offset, DEBUG_PC_OFFSET);
        *value = unit.pc;
    }
    return TRANSPORT_OK;
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    (void)context;
    if (is_lost()) return TRANSPORT_IO;
    if (offset >= DEBUG_BREAK0_OFFSET && offset < DEBUG_BREAK0_OFFSET + 4 * DEBUG_BREAKS)
        unit.breaks[(offset - DEBUG_BREAK0_OFFSET) / 4] = value;
    else if (offset >= DEBUG_WATCH0_OFFSET && offset < DEBUG_WATCH0_OFFSET + 4 * DEBUG_WATCHES)
        unit.watches[(offset - DEBUG_WATCH0_OFFSET) / 4] = value;
    else if (offset == DEBUG_CONTROL_OFFSET) unit.control = value;
    else if (offset == DEBUG_PC_OFFSET) unit.pc = value;
    else if (offset == DEBUG_RESUME_OFFSET) unit.resumes++, unit.last_resume = value, unit.is_stopped = value != 0;
    else if (offset == DEBUG_INSTRUCTION_OFFSET) unit.has_failed = !execute(value), unit.busy = 2;
    else fail_msg("0x%x is written", offset);
    return TRANSPORT_OK;
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    (void)context;
    if (is_lost()) return TRANSPORT_IO;
    memcpy(data, unit.system + address, bytes);
    return TRANSPORT_OK;
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    (void)context;
    if (is_lost()) return TRANSPORT_IO;
    memcpy(unit.system + address, data, bytes);
    return TRANSPORT_OK;
}

static struct transport transport = {.register_read = register_read,
                                     .register_write = register_write,
                                     .memory_read = memory_read,
                                     .memory_write = memory_write,
                                     .memory_bytes = SYSTEM_BYTES};

/* A stopped core whose registers and bytes are all different. */
static struct debug stopped(void)
{
    struct debug debug;
    memset(&unit, 0, sizeof unit);
    for (uint32_t i = 1; i < 32; i++) unit.x[i] = 0x9e3779b9u * i;
    for (uint32_t i = 0; i < BYTES; i++) unit.memory[i] = (uint8_t)(3 + 5 * i);
    for (uint32_t i = 0; i < SYSTEM_BYTES; i++) unit.system[i] = (uint8_t)(7 * i);
    unit.csr = 0xfedcba98, unit.pc = 0x1234, unit.block = 0x55667788;
    for (uint32_t i = 0; i < DEBUG_BREAKS; i++) unit.breaks[i] = 9;
    for (uint32_t i = 0; i < DEBUG_WATCHES; i++) unit.watches[i] = 9;
    assert_int_equal(debug_attach(&debug, &transport), DEBUG_OK);
    unit.is_stopped = true;
    return debug;
}

/* ------------------------------------------------------------------ tests */

static void test_attach(void **state)
{
    struct debug debug = stopped();
    (void)state;
    for (uint32_t i = 0; i < DEBUG_BREAKS; i++) assert_int_equal(unit.breaks[i], 0);
    for (uint32_t i = 0; i < DEBUG_WATCHES; i++) assert_int_equal(unit.watches[i], 0);
    assert_int_equal(unit.control, FIELD_PUT(1, DEBUG_CONTROL_EBREAK));
    assert_int_equal(debug_stop(&debug), DEBUG_OK);
    assert_int_equal(unit.control, FIELD_PUT(1, DEBUG_CONTROL_EBREAK) | FIELD_PUT(1, DEBUG_CONTROL_HALT));
    unit.is_absent = true;
    assert_int_equal(debug_attach(&debug, &transport), DEBUG_ABSENT);
}

/* All 32 and the pc, while two are borrowed and while none is. */
static void test_registers(void **state)
{
    (void)state;
    for (unsigned is_borrowed = 0; is_borrowed < 2; is_borrowed++) {
        struct debug debug = stopped();
        uint8_t byte;
        if (is_borrowed) assert_int_equal(debug_read(&debug, MEMORY, &byte, 1), DEBUG_OK);
        for (uint32_t i = 0; i < DEBUG_REGISTERS; i++) {
            uint32_t value = 1;
            assert_int_equal(debug_register(&debug, i, &value), DEBUG_OK);
            assert_int_equal(value, i == DEBUG_PC ? 0x1234 : 0x9e3779b9u * i);
            assert_int_equal(debug_set_register(&debug, i, 0x7ffff801u * (i + 1)), DEBUG_OK);
        }
        assert_int_equal(debug_resume(&debug, false), DEBUG_OK);
        assert_int_equal(unit.last_resume, 0);
        assert_int_equal(unit.pc, 0x7ffff801u * (DEBUG_PC + 1));
        assert_int_equal(unit.x[0], 0);
        for (uint32_t i = 1; i < 32; i++) assert_int_equal(unit.x[i], 0x7ffff801u * (i + 1));
    }
}

static void test_csrs(void **state)
{
    struct debug debug = stopped();
    uint32_t value = 0;
    (void)state;
    assert_int_equal(debug_csr(&debug, CSR, &value), DEBUG_OK);
    assert_int_equal(value, 0xfedcba98);
    assert_int_equal(debug_set_csr(&debug, CSR, 0x80000fff), DEBUG_OK);
    assert_int_equal(unit.csr, 0x80000fff);
    assert_int_equal(debug_csr(&debug, CSR_FIXED, &value), DEBUG_OK);
    assert_int_equal(value, 7);
    assert_int_equal(debug_set_csr(&debug, CSR_FIXED, 1), DEBUG_FAULT);
    assert_int_equal(debug_csr(&debug, CSR + 1, &value), DEBUG_FAULT);
    assert_int_equal(debug_resume(&debug, true), DEBUG_OK);
    assert_int_equal(unit.last_resume, FIELD_PUT(1, DEBUG_RESUME_STEP));
    for (uint32_t i = 1; i < 32; i++) assert_int_equal(unit.x[i], 0x9e3779b9u * i);
}

/* The fewest aligned accesses of 4, 2 and 1 bytes that cover a range. */
static unsigned fewest(uint32_t address, uint32_t bytes)
{
    unsigned count = 0;
    for (uint32_t step; bytes > 0; address += step, bytes -= step, count++)
        step = address % 4 == 0 && bytes >= 4 ? 4 : address % 2 == 0 && bytes >= 2 ? 2 : 1;
    return count;
}

/* Every range of up to 11 bytes around the end of a page, where x5 has to be another. */
static void test_memory(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < 24; at++)
        for (uint32_t bytes = 0; bytes < 12; bytes++) {
            struct debug debug = stopped();
            uint8_t data[16] = {0}, expected[BYTES];
            assert_int_equal(debug_read(&debug, MEMORY + at, data, bytes), DEBUG_OK);
            assert_memory_equal(data, unit.memory + at, bytes);
            assert_int_equal(unit.loads, fewest(MEMORY + at, bytes));
            assert_true(unit.luis <= 2);
            memcpy(expected, unit.memory, BYTES);
            for (uint32_t i = 0; i < bytes; i++) expected[at + i] = data[i] = (uint8_t)(0xf0 + i);
            assert_int_equal(debug_write(&debug, MEMORY + at, data, bytes), DEBUG_OK);
            assert_memory_equal(unit.memory, expected, BYTES);
            assert_int_equal(unit.stores, fewest(MEMORY + at, bytes));
            assert_int_equal(debug_resume(&debug, false), DEBUG_OK);
            for (uint32_t i = 1; i < 32; i++) assert_int_equal(unit.x[i], 0x9e3779b9u * i);
        }
}

/* A register block takes words only; what lies nowhere faults, and the bytes before it are written. */
static void test_faults(void **state)
{
    struct debug debug = stopped();
    uint32_t word = 0;
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    assert_int_equal(debug_read(&debug, BLOCKS, &word, 4), DEBUG_OK);
    assert_int_equal(word, 0x55667788);
    assert_int_equal(debug_read(&debug, BLOCKS, &word, 2), DEBUG_FAULT);
    assert_int_equal(debug_read(&debug, BLOCKS + 1, &word, 1), DEBUG_FAULT);
    assert_int_equal(debug_write(&debug, BLOCKS, bytes, 3), DEBUG_FAULT);
    assert_int_equal(unit.block, 0x55667788);
    assert_int_equal(debug_write(&debug, MEMORY + BYTES - 4, bytes, 8), DEBUG_FAULT);
    assert_memory_equal(unit.memory + BYTES - 4, bytes, 4);
}

/* System memory goes over the link, to its last byte and no further. */
static void test_system(void **state)
{
    struct debug debug = stopped();
    uint8_t data[SYSTEM_BYTES + 1] = {0};
    (void)state;
    const uint32_t base = GPU_LIMIT(ADDR_SYSTEM);
    assert_int_equal(debug_read(&debug, base, data, SYSTEM_BYTES), DEBUG_OK);
    assert_memory_equal(data, unit.system, SYSTEM_BYTES);
    assert_int_equal(debug_write(&debug, base + SYSTEM_BYTES - 1, "\x99", 1), DEBUG_OK);
    assert_int_equal(unit.system[SYSTEM_BYTES - 1], 0x99);
    assert_int_equal(unit.instructions, 0);
    assert_int_equal(debug_read(&debug, base, data, SYSTEM_BYTES + 1), DEBUG_FAULT);
    assert_int_equal(debug_read(&debug, base + SYSTEM_BYTES, data, 1), DEBUG_FAULT);
    assert_int_equal(debug_write(&debug, base + SYSTEM_BYTES - 1, data, 2), DEBUG_FAULT);
    assert_int_equal(unit.system[SYSTEM_BYTES - 1], 0x99);
}

static void test_breaks(void **state)
{
    struct debug debug = stopped();
    (void)state;
    for (uint32_t i = 0; i < DEBUG_BREAKS; i++) assert_int_equal(debug_break(&debug, 0x100 * i, true), DEBUG_OK);
    assert_int_equal(debug_break(&debug, 0x200, true), DEBUG_OK); /* again */
    for (uint32_t i = 0; i < DEBUG_BREAKS; i++) assert_int_equal(unit.breaks[i], 0x100 * i | 1u);
    assert_int_equal(debug_break(&debug, 0x900, true), DEBUG_NO_ROOM);
    assert_int_equal(debug_break(&debug, 0x900, false), DEBUG_OK);
    assert_int_equal(debug_break(&debug, 0x200, false), DEBUG_OK);
    assert_int_equal(unit.breaks[2], 0);
    assert_int_equal(debug_break(&debug, 0x902, true), DEBUG_OK);
    assert_int_equal(unit.breaks[2], 0x903);
    assert_int_equal(debug_detach(&debug), DEBUG_OK);
    for (uint32_t i = 0; i < DEBUG_BREAKS; i++) assert_int_equal(unit.breaks[i], 0);
    assert_int_equal(debug.breaks[0], 0);
}

static void test_watches(void **state)
{
    static const struct {
        uint32_t address, bytes, loads, stores, expected[DEBUG_WATCHES];
        enum debug_result result;
    } cases[] = {{0x40, 4, 1, 0, {0x41, 0}, DEBUG_OK},           {0x41, 3, 0, 1, {0x42, 0}, DEBUG_OK},
                 {0x43, 2, 1, 1, {0x43, 0x47}, DEBUG_OK},        {0x40, 8, 1, 1, {0x43, 0x47}, DEBUG_OK},
                 {0x41, 8, 1, 1, {0, 0}, DEBUG_NO_ROOM},         {0x40, 9, 1, 1, {0, 0}, DEBUG_NO_ROOM},
                 {0x40, 0, 1, 1, {0, 0}, DEBUG_NO_ROOM},         {0x40, 4, 0, 0, {0, 0}, DEBUG_NO_ROOM},
                 {0x40, UINT32_MAX, 1, 1, {0, 0}, DEBUG_NO_ROOM}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct debug debug = stopped();
        const uint32_t at = cases[i].address, bytes = cases[i].bytes;
        const bool loads = cases[i].loads != 0, stores = cases[i].stores != 0;
        assert_int_equal(debug_watch(&debug, at, bytes, loads, stores, true), cases[i].result);
        assert_memory_equal(unit.watches, cases[i].expected, sizeof unit.watches);
        if (cases[i].result != DEBUG_OK) continue;
        const bool is_full = cases[i].expected[1] != 0;
        assert_int_equal(debug_watch(&debug, 0x80, 4, true, false, true), is_full ? DEBUG_NO_ROOM : DEBUG_OK);
        assert_int_equal(unit.watches[1], is_full ? cases[i].expected[1] : 0x81);
        assert_int_equal(debug_watch(&debug, at, bytes, loads, stores, false), DEBUG_OK);
        assert_int_equal(unit.watches[0], 0);
        assert_int_equal(unit.watches[1], is_full ? 0 : 0x81);
    }
}

static void test_running(void **state)
{
    struct debug debug = stopped();
    uint32_t value;
    (void)state;
    unit.is_stopped = false;
    assert_int_equal(debug_register(&debug, 3, &value), DEBUG_RUNNING);
    assert_int_equal(debug_set_register(&debug, 3, 1), DEBUG_RUNNING);
    assert_int_equal(debug_csr(&debug, CSR, &value), DEBUG_RUNNING);
    assert_int_equal(debug_set_csr(&debug, CSR, 1), DEBUG_RUNNING);
    assert_int_equal(debug_read(&debug, MEMORY, &value, 4), DEBUG_RUNNING);
    assert_int_equal(debug_write(&debug, MEMORY, &value, 4), DEBUG_RUNNING);
    assert_int_equal(debug_resume(&debug, false), DEBUG_RUNNING);
    assert_int_equal(unit.instructions + unit.resumes, 0);
    assert_int_equal(debug_detach(&debug), DEBUG_OK);
    assert_int_equal(unit.resumes + unit.control, 0);
    debug = stopped();
    unit.is_busy_always = true;
    assert_int_equal(debug_register(&debug, 3, &value), DEBUG_STUCK);
    assert_int_equal(debug_resume(&debug, false), DEBUG_STUCK);
    assert_int_equal(unit.instructions + unit.resumes, 0);
}

/* A core that was reset between has registers of its own: none is given back. */
static void test_reset(void **state)
{
    struct debug debug = stopped();
    uint32_t value, status;
    (void)state;
    assert_int_equal(debug_read(&debug, MEMORY, &value, 4), DEBUG_OK);
    unit.is_stopped = false;
    assert_int_equal(debug_status(&debug, &status), DEBUG_OK);
    unit.is_stopped = true;
    unit.x[5] = 55, unit.x[6] = 66;
    assert_int_equal(debug_register(&debug, 5, &value), DEBUG_OK);
    assert_int_equal(value, 55);
    assert_int_equal(debug_read(&debug, MEMORY, &value, 4), DEBUG_OK);
    assert_memory_equal(&value, unit.memory, 4);
    assert_int_equal(debug_resume(&debug, false), DEBUG_OK);
    assert_true(unit.x[5] == 55 && unit.x[6] == 66);
}

/* ------------------------------------------------------------------ a link that fails */

static enum debug_result do_read(struct debug *debug)
{
    uint8_t data[11];
    return debug_read(debug, MEMORY + 9, data, sizeof data);
}
static enum debug_result do_system(struct debug *debug)
{
    uint8_t data[3];
    return debug_read(debug, GPU_LIMIT(ADDR_SYSTEM), data, sizeof data);
}
static enum debug_result do_set_system(struct debug *debug)
{
    return debug_write(debug, GPU_LIMIT(ADDR_SYSTEM), "\0\7\16", 3); /* what is there */
}
static enum debug_result do_register(struct debug *debug) { return debug_register(debug, 7, &(uint32_t){0}); }
static enum debug_result do_pc(struct debug *debug) { return debug_register(debug, DEBUG_PC, &(uint32_t){0}); }
static enum debug_result do_csr(struct debug *debug) { return debug_csr(debug, CSR, &(uint32_t){0}); }
static enum debug_result do_set_csr(struct debug *debug) { return debug_set_csr(debug, CSR, 0xfedcba98); }
static enum debug_result do_write(struct debug *debug) { return debug_write(debug, MEMORY + 3, unit.memory + 3, 9); }
static enum debug_result do_break(struct debug *debug) { return debug_break(debug, 0x88, true); }
static enum debug_result do_watch(struct debug *debug) { return debug_watch(debug, 0x88, 8, true, true, true); }
static enum debug_result do_stop(struct debug *debug) { return debug_stop(debug); }
static enum debug_result do_resume(struct debug *debug) { return debug_resume(debug, false); }
static enum debug_result do_detach(struct debug *debug) { return debug_detach(debug); }
static enum debug_result do_attach(struct debug *debug) { return debug_attach(&(struct debug){0}, debug->transport); }

static void test_lost(void **state)
{
    enum debug_result (*const functions[])(struct debug *) = {do_read, do_system,  do_set_system, do_register, do_pc,
                                                              do_csr,  do_set_csr, do_write,      do_break,    do_watch,
                                                              do_stop, do_resume,  do_detach,     do_attach};
    unsigned tried = 0;
    (void)state;
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (unsigned n = 1;; n++) {
            struct debug debug = stopped();
            uint8_t byte;
            assert_int_equal(debug_read(&debug, MEMORY, &byte, 1), DEBUG_OK); /* two registers are borrowed */
            unit.accesses = 0, unit.bad_access = n;
            const struct unit before = unit;
            enum debug_result result = functions[f](&debug);
            if (unit.accesses < n) {
                assert_int_equal(result, DEBUG_OK);
                break;
            }
            assert_int_equal(result, DEBUG_LINK);
            tried++;
            assert_int_equal(unit.resumes, 0);
            assert_memory_equal(unit.memory, before.memory, BYTES);
            if (!unit.is_stopped) continue;
            assert_int_equal(debug_resume(&debug, false), DEBUG_OK);
            for (uint32_t i = 1; i < 32; i++) assert_int_equal(unit.x[i], 0x9e3779b9u * i);
        }
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attach), cmocka_unit_test(test_registers), cmocka_unit_test(test_csrs),
        cmocka_unit_test(test_memory), cmocka_unit_test(test_faults),    cmocka_unit_test(test_system),
        cmocka_unit_test(test_breaks), cmocka_unit_test(test_watches),   cmocka_unit_test(test_running),
        cmocka_unit_test(test_reset),  cmocka_unit_test(test_lost),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL), count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
