/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the debug unit (rtl/core/core_debug.v) stops the core between two instructions, shows and changes what the
 * program sees and nothing else, and leaves no trace. Method: on the whole chip, through host/lib/gdb/debug.h;
 * directed.S has instructions at known places, work.c a checksum that thousands of stops must not change.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/gdb/debug.h"
#include "gpu_spec.h"
#include "rig.h"

enum {
    PLACE_LINE = 0x100,
    PLACE_EBREAK = 0x140,
    PLACE_LOOP = 0x160,
    PLACE_TRAP = 0x180,
    SPARE = 0x8000,
    MSTATUS = 0x300,
    MISA = 0x301,
    MIE = 0x304,
    MTVEC = 0x305,
    MEPC = 0x341,
    MCAUSE = 0x342,
    PMPCFG0 = 0x3a0,
    PMPADDR0 = 0x3b0
};

static struct rig rig;
static struct debug unit;

static bool ok(enum debug_result result, const char *what)
{
    return rig_check(&rig, result == DEBUG_OK, "%s: result %d", what, (int)result);
}

static uint32_t get(uint32_t number)
{
    uint32_t value = 0;
    ok(debug_register(&unit, number, &value), "register");
    return value;
}

static void set(uint32_t number, uint32_t value) { ok(debug_set_register(&unit, number, value), "set register"); }

static uint32_t csr(uint32_t number)
{
    uint32_t value = 0;
    ok(debug_csr(&unit, number, &value), "csr");
    return value;
}

static uint32_t word(uint32_t address)
{
    uint32_t value = 0;
    ok(debug_read(&unit, address, &value, 4), "read");
    return value;
}

static uint32_t reason(void)
{
    uint32_t status = rig_read(&rig, DEBUG_STATUS_OFFSET);
    return FIELD_GET(status, DEBUG_STATUS_STOPPED) ? FIELD_GET(status, DEBUG_STATUS_REASON) : 0;
}

static uint32_t which(void) { return FIELD_GET(rig_read(&rig, DEBUG_STATUS_OFFSET), DEBUG_STATUS_INDEX); }

/* Until it stops for `expected`, at `pc`. */
static void stops(uint32_t expected, uint32_t pc, const char *what)
{
    for (unsigned i = 0; i < 200 && reason() == 0; i++) rig.transport.wait(rig.transport.context, 1);
    rig_check(&rig, reason() == expected, "%s: reason %u, not %u", what, reason(), expected);
    if (reason() != 0) rig_check(&rig, get(DEBUG_PC) == pc, "%s: stopped at 0x%x, not 0x%x", what, get(DEBUG_PC), pc);
}

static void go(uint32_t pc)
{
    set(DEBUG_PC, pc);
    ok(debug_resume(&unit, false), "resume");
}

static void step_to(uint32_t pc, const char *what)
{
    ok(debug_resume(&unit, true), what);
    stops(DEBUG_REASON_STEP, pc, what);
}

/* ------------------------------------------------------------------ registers and memory */

static void test_first_instruction(void)
{
    rig_check(&rig, debug_register(&unit, 1, &(uint32_t){0}) == DEBUG_RUNNING, "a held core is not stopped");
    ok(debug_stop(&unit), "stop while held");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    stops(DEBUG_REASON_HALT, 0, "stop before the first instruction");
    rig_check(&rig, rig_read(&rig, CORE_INSTRET_LO_OFFSET) == 0, "something was executed");
    step_to(4, "la, first half");
    step_to(8, "la, second half");
    step_to(12, "csrw");
    rig_check(&rig, csr(MTVEC) == PLACE_TRAP, "mtvec was not written");
    rig_check(&rig, rig_read(&rig, CORE_INSTRET_LO_OFFSET) == 3, "minstret %u after three steps",
              rig_read(&rig, CORE_INSTRET_LO_OFFSET));
}

static void test_registers(void)
{
    for (uint32_t i = 0; i < 32; i++) set(i, 0x01010101u * i ^ 0xdeadbeefu << i % 7);
    for (uint32_t i = 0; i < 32; i++)
        rig_check(&rig, get(i) == (i ? 0x01010101u * i ^ 0xdeadbeefu << i % 7 : 0), "x%u is 0x%08x", i, get(i));
    (void)word(SPARE); /* borrows x5 and x6 */
    set(6, 0x66666666);
    rig_check(&rig, get(5) == (0x05050505u ^ 0xdeadbeefu << 5), "x5 is 0x%08x while it is borrowed", get(5));
    set(DEBUG_PC, PLACE_LOOP);
    step_to(PLACE_LOOP + 4, "step after a borrow");
    rig_check(&rig, get(6) == 0x66666666 && get(1) == (0x01010101u ^ 0xdeadbeefu << 1) + 1, "x6 0x%08x x1 0x%08x",
              get(6), get(1));
}

static void test_memory(void)
{
    static const uint32_t places[] = {GPU_LIMIT(ADDR_TCM) + SPARE, GPU_LIMIT(ADDR_COMMAND) + 0x7f8,
                                      GPU_LIMIT(ADDR_SEGMENT1) + 0xffc, GPU_LIMIT(ADDR_SEGMENT2) + 0x17fc,
                                      GPU_LIMIT(ADDR_SYSTEM) + 0x3000};
    uint8_t sent[23], back[23];
    for (unsigned place = 0; place < sizeof places / sizeof *places; place++)
        for (uint32_t offset = 0; offset < 4; offset++)
            for (uint32_t bytes = 1; bytes <= sizeof sent; bytes += 1 + bytes / 3) {
                for (uint32_t i = 0; i < bytes; i++) sent[i] = (uint8_t)rand();
                ok(debug_write(&unit, places[place] + offset, sent, bytes), "write");
                ok(debug_read(&unit, places[place] + offset, back, bytes), "read");
                rig_check(&rig, memcmp(sent, back, bytes) == 0, "0x%x: %u bytes differ", places[place] + offset, bytes);
            }
    uint32_t cause = csr(MCAUSE), epc = csr(MEPC), retired = rig_read(&rig, CORE_INSTRET_LO_OFFSET);
    rig_check(&rig, debug_read(&unit, 0x60000000, back, 4) == DEBUG_FAULT, "a read of no memory");
    rig_check(&rig, debug_write(&unit, 0x60000000, sent, 4) == DEBUG_FAULT, "a write of no memory");
    rig_check(&rig, debug_write(&unit, 0x40000068, sent, 1) == DEBUG_FAULT, "a byte of a register");
    rig_check(&rig, debug_csr(&unit, 0x7c0, &cause) == DEBUG_FAULT, "a CSR that is none");
    rig_check(&rig, debug_set_csr(&unit, 0xf11, 1) == DEBUG_FAULT, "a CSR that is read-only");
    rig_check(&rig, csr(MEPC) == epc && csr(MCAUSE) == cause, "failed accesses trapped");
    rig_check(&rig, rig_read(&rig, CORE_INSTRET_LO_OFFSET) == retired, "the host's instructions count");
    rig_check(&rig, word(GPU_LIMIT(ADDR_REGISTERS) + HOST_ID_OFFSET) == 0x41525354, "a register through the core");
    rig_check(&rig, csr(MISA) == 0x40001104, "misa");
}

/* Locked regions stop the program, not the debugger. */
static void test_protected_memory(void)
{
    ok(debug_set_csr(&unit, PMPADDR0, (SPARE + 0x400) >> 2), "pmpaddr0");
    ok(debug_set_csr(&unit, PMPADDR0 + 1, (SPARE + 0x600) >> 2), "pmpaddr1");
    ok(debug_set_csr(&unit, PMPCFG0, 0x98), "pmpcfg0"); /* locked, NAPOT, which the chip's core does not have: off */
    rig_check(&rig, csr(PMPCFG0) == 0x80, "pmpcfg0 0x%x", csr(PMPCFG0));
    ok(debug_set_csr(&unit, PMPCFG0, 0x8880), "pmpcfg0"); /* the second: locked, TOR, nothing allowed */
    uint32_t value = 0x13572468;
    ok(debug_write(&unit, SPARE + 0x410, &value, 4), "write of what is protected");
    rig_check(&rig, word(SPARE + 0x410) == value, "what is protected was not written");
    set(5, SPARE + 0x410);
    ok(debug_break(&unit, PLACE_TRAP, true), "break");
    go(PLACE_LOOP + 4); /* the store */
    stops(DEBUG_REASON_BREAK, PLACE_TRAP, "the program's store of what is protected");
    rig_check(&rig, csr(MCAUSE) == 7, "mcause %u", csr(MCAUSE));
    ok(debug_break(&unit, PLACE_TRAP, false), "break");
    set(DEBUG_PC, PLACE_LOOP + 4);
    step_to(PLACE_TRAP, "a step over a store of what is protected");
    uint32_t cause = csr(MCAUSE), epc = csr(MEPC);
    rig_check(&rig, cause == 7 && epc == PLACE_LOOP + 4, "denied: mcause %u, mepc 0x%x", cause, epc);
}

/* ------------------------------------------------------------------ steps and stops */

static void test_steps(void)
{
    static const uint32_t line[] = {0x104, 0x106, 0x108, 0x110, 0x118, 0x11c, 0x120, 0x124, 0x128};
    uint32_t value = 0x80000001;
    ok(debug_write(&unit, SPARE, &value, 4), "write");
    for (uint32_t i = 1; i < 9; i++) set(i, 0);
    set(5, SPARE), set(7, 100), set(8, 7), set(DEBUG_PC, PLACE_LINE);
    uint32_t before = rig_read(&rig, CORE_INSTRET_LO_OFFSET);
    for (uint32_t i = 0; i < sizeof line / sizeof *line; i++) step_to(line[i], "a step");
    rig_check(&rig, rig_read(&rig, CORE_INSTRET_LO_OFFSET) == before + 9, "nine steps are not nine instructions");
    rig_check(&rig, get(1) == 1 && get(2) == 2 && get(4) == value && get(6) == 14, "results of the steps");
    rig_check(&rig, word(SPARE + 4) == value, "the store of a step");
    step_to(PLACE_TRAP, "a step into the handler");
    rig_check(&rig, csr(MCAUSE) == 11 && csr(MEPC) == 0x128, "ecall: mcause %u, mepc 0x%x", csr(MCAUSE), csr(MEPC));
    set(5, 0x60000000), set(DEBUG_PC, 0x118);
    step_to(PLACE_TRAP, "a step over a bus error");
    rig_check(&rig, csr(MCAUSE) == 5 && csr(MEPC) == 0x118, "bus error: mcause %u, mepc 0x%x", csr(MCAUSE), csr(MEPC));
}

static void test_breaks(void)
{
    static const uint32_t places[] = {0x104, 0x106, 0x110, 0x120};
    uint32_t value;
    set(5, SPARE);
    for (uint32_t i = 0; i < 4; i++) ok(debug_break(&unit, places[i], true), "set");
    ok(debug_break(&unit, places[2], true), "set twice");
    rig_check(&rig, debug_break(&unit, 0x118, true) == DEBUG_NO_ROOM, "a fifth breakpoint");
    set(DEBUG_PC, PLACE_LINE);
    for (uint32_t i = 0; i < 4; i++) {
        ok(debug_resume(&unit, false), "resume");
        stops(DEBUG_REASON_BREAK, places[i], "a breakpoint");
        rig_check(&rig, which() == i, "breakpoint %u says %u", i, which());
        ok(debug_resume(&unit, false), "resume");
        stops(DEBUG_REASON_BREAK, places[i], "the same breakpoint again"); /* nothing was executed in between */
        ok(debug_break(&unit, places[i], false), "clear");
    }
    ok(debug_break(&unit, places[0], false), "clear twice");
    go(PLACE_LOOP);
    rig_check(&rig, debug_register(&unit, 1, &value) == DEBUG_RUNNING, "registers of a running core");
    rig_check(&rig, debug_read(&unit, 0, &value, 4) == DEBUG_RUNNING, "memory of a running core");
    rig_check(&rig, debug_resume(&unit, false) == DEBUG_RUNNING, "resume of a running core");
    uint32_t pc = rig_read(&rig, DEBUG_PC_OFFSET), result = rig_read(&rig, DEBUG_RESULT_OFFSET);
    rig_write(&rig, DEBUG_PC_OFFSET, 0x44444444); /* past the library: ignored */
    rig_write(&rig, DEBUG_INSTRUCTION_OFFSET, 0x00a00093);
    rig_check(&rig, rig_read(&rig, DEBUG_PC_OFFSET) == pc && rig_read(&rig, DEBUG_RESULT_OFFSET) == result,
              "commands to a running core");
    ok(debug_stop(&unit), "stop");
    rig.transport.wait(rig.transport.context, 20);
    rig_check(&rig, reason() == DEBUG_REASON_HALT, "a stop: reason %u", reason());
    rig_check(&rig, get(DEBUG_PC) >= PLACE_LOOP && get(DEBUG_PC) <= PLACE_LOOP + 16, "stopped at 0x%x", get(DEBUG_PC));
}

static void test_watches(void)
{
    set(1, 5), set(5, SPARE);
    ok(debug_watch(&unit, SPARE, 4, false, true, true), "watch stores");
    go(PLACE_LOOP);
    stops(DEBUG_REASON_WATCH, 0x168, "a watched store"); /* it is done, the next is not */
    rig_check(&rig, word(SPARE) == 6 && get(1) == 6, "the watched store: %u", word(SPARE));
    ok(debug_watch(&unit, SPARE, 4, false, true, false), "no watch");
    ok(debug_watch(&unit, SPARE + 8, 1, true, false, true), "watch loads");
    ok(debug_watch(&unit, SPARE + 12, 4, true, false, true), "watch loads");
    rig_check(&rig, debug_watch(&unit, SPARE, 4, true, true, true) == DEBUG_NO_ROOM, "a third watched word");
    ok(debug_resume(&unit, false), "resume");
    stops(DEBUG_REASON_WATCH, 0x16c, "a watched load");
    ok(debug_watch(&unit, SPARE + 8, 1, true, false, false), "no watch");
    ok(debug_watch(&unit, SPARE + 15, 1, true, true, true), "watch all, a half word's upper byte");
    ok(debug_resume(&unit, false), "resume");
    stops(DEBUG_REASON_WATCH, 0x170, "a watched half word");
    rig_check(&rig, debug_watch(&unit, SPARE, 12, false, true, true) == DEBUG_NO_ROOM, "more than two words");
    rig_check(&rig, which() == 0, "watched word %u, not the first", which());
    ok(debug_watch(&unit, SPARE + 15, 1, true, true, false), "no watch");
    ok(debug_watch(&unit, SPARE + 32, 4, true, true, true), "watch what the loop does not touch");
    ok(debug_watch(&unit, SPARE + 12, 4, true, false, false), "no watch");
    ok(debug_watch(&unit, SPARE + 8, 4, true, false, true), "watch loads");
    ok(debug_resume(&unit, false), "resume");
    stops(DEBUG_REASON_WATCH, 0x16c, "the second watched word");
    rig_check(&rig, which() == 1, "watched word %u, not the second", which());
    ok(debug_watch(&unit, SPARE + 32, 4, true, true, false), "no watch");
    ok(debug_watch(&unit, SPARE + 8, 4, true, false, false), "no watch");
    ok(debug_break(&unit, PLACE_LOOP, true), "break");
    ok(debug_resume(&unit, false), "resume");
    stops(DEBUG_REASON_BREAK, PLACE_LOOP, "no watch is left");
    ok(debug_resume(&unit, true), "a step with a breakpoint at its start");
    stops(DEBUG_REASON_BREAK, PLACE_LOOP, "it is the breakpoint's");
    ok(debug_break(&unit, PLACE_LOOP, false), "break");
}

static void test_ebreak(void)
{
    set(1, 0);
    go(PLACE_EBREAK);
    stops(DEBUG_REASON_EBREAK, PLACE_EBREAK + 4, "ebreak");
    rig_check(&rig, get(1) == 1, "before the ebreak");
    rig_write(&rig, DEBUG_CONTROL_OFFSET, 0);
    step_to(PLACE_TRAP, "ebreak traps when not asked for");
    rig_check(&rig, csr(MCAUSE) == 3 && csr(MEPC) == PLACE_EBREAK + 4, "mcause %u", csr(MCAUSE));
    rig_write(&rig, DEBUG_CONTROL_OFFSET, FIELD_PUT(1, DEBUG_CONTROL_EBREAK));
}

/* An interrupt waits for the end of a step and is taken when the core runs. */
static void test_interrupts(void)
{
    uint32_t software = GPU_LIMIT(ADDR_REGISTERS) + CORE_SOFTWARE_OFFSET, on = 1, off = 0;
    ok(debug_set_csr(&unit, MIE, 1u << 3), "mie");
    ok(debug_set_csr(&unit, MSTATUS, 1u << 3), "mstatus");
    ok(debug_write(&unit, software, &on, 4), "software interrupt");
    set(5, SPARE), set(DEBUG_PC, PLACE_LOOP);
    step_to(PLACE_LOOP + 4, "a step with an interrupt pending");
    step_to(PLACE_LOOP + 8, "another");
    ok(debug_break(&unit, PLACE_TRAP, true), "break");
    ok(debug_resume(&unit, false), "resume");
    stops(DEBUG_REASON_BREAK, PLACE_TRAP, "the interrupt");
    rig_check(&rig, csr(MCAUSE) == 0x80000003 && csr(MEPC) == PLACE_LOOP + 8, "mcause 0x%x, mepc 0x%x", csr(MCAUSE),
              csr(MEPC));
    ok(debug_break(&unit, PLACE_TRAP, false), "break");
    ok(debug_write(&unit, software, &off, 4), "no interrupt");
    ok(debug_set_csr(&unit, MIE, 0), "mie");
    set(DEBUG_PC, 0x124); /* wfi, and nothing to wake it */
    ok(debug_resume(&unit, false), "resume");
    rig.transport.wait(rig.transport.context, 50);
    rig_check(&rig, reason() == 0, "wfi does not wait");
    ok(debug_stop(&unit), "stop");
    stops(DEBUG_REASON_HALT, 0x124, "stop in wfi");
}

static void test_detach(void)
{
    ok(debug_break(&unit, PLACE_LOOP, true), "break");
    set(DEBUG_PC, PLACE_LOOP + 4);
    set(5, SPARE), set(6, 0x12341234);
    (void)word(SPARE);
    ok(debug_detach(&unit), "detach");
    rig.transport.wait(rig.transport.context, 100);
    rig_check(&rig, reason() == 0 && rig_read(&rig, DEBUG_CONTROL_OFFSET) == 0, "it does not run on");
    ok(debug_attach(&unit, &rig.transport), "attach again");
    ok(debug_stop(&unit), "stop");
    rig.transport.wait(rig.transport.context, 20);
    rig_check(&rig, reason() == DEBUG_REASON_HALT && get(6) == 0x12341234, "after attaching again");
}

/* A reset of the core forgets that it was stopped. */
static void test_reset(void)
{
    rig_write(&rig, HOST_CONTROL_OFFSET, 0);
    rig_check(&rig, reason() == 0, "a held core is stopped");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig.transport.wait(rig.transport.context, 50);
    rig_check(&rig, reason() == 0, "the core is stopped after a reset");
    rig_check(&rig, debug_register(&unit, 5, &(uint32_t){0}) == DEBUG_RUNNING, "registers after a reset");
}

/* ------------------------------------------------------------------ no trace */

static bool finish(uint32_t *checksum, uint32_t *retired)
{
    for (unsigned i = 0; i < 4000 && rig_read(&rig, HOST_BOOT_STATUS_OFFSET) == 0; i++)
        rig.transport.wait(rig.transport.context, 200);
    *checksum = rig_read(&rig, HOST_SCRATCH_OFFSET);
    *retired = rig_read(&rig, HOST_PANIC_PLACE_OFFSET);
    return rig_check(&rig, rig_read(&rig, HOST_BOOT_STATUS_OFFSET) == 1, "the work does not end");
}

static void test_no_trace(void)
{
    uint32_t checksum, retired, again, retired_again;
    unsigned stopped = 0, stepped = 0;
    rig_load(&rig, "build/core/debug/work.bin");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    if (!finish(&checksum, &retired)) return;
    rig_write(&rig, HOST_CONTROL_OFFSET, 0);
    rig_load(&rig, "build/core/debug/work.bin");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    while (rig_read(&rig, HOST_BOOT_STATUS_OFFSET) == 0 && stopped < 20000) {
        uint32_t count = (uint32_t)rand() % 40u;
        if (count > 0) rig.transport.wait(rig.transport.context, count);
        (void)debug_stop(&unit);
        for (unsigned i = 0; i < 100 && reason() == 0; i++) {}
        if (reason() == 0) continue;
        stopped++;
        if (rand() % 4 == 0) {
            uint32_t value = word(SPARE + 4u * ((uint32_t)rand() % 64u));
            (void)debug_write(&unit, 0xf000, &value, 4);
            (void)debug_read(&unit, 0x60000000, &value, 4);
        }
        for (int steps = rand() % 4; steps > 0; steps--, stepped++) {
            if (debug_resume(&unit, true) != DEBUG_OK) break;
            for (unsigned i = 0; i < 100 && reason() == 0; i++) {}
        }
        (void)debug_resume(&unit, false);
    }
    (void)debug_resume(&unit, false);
    if (!finish(&again, &retired_again)) return;
    rig_check(&rig, again == checksum, "%u stops, %u steps: checksum 0x%08x, not 0x%08x", stopped, stepped, again,
              checksum);
    rig_check(&rig, retired_again == retired, "%u stops, %u steps: %u instructions, not %u", stopped, stepped,
              retired_again, retired);
    rig_check(&rig, stopped > 500, "only %u stops", stopped);
    printf("%u stops, %u steps, %u instructions, checksum 0x%08x\n", stopped, stepped, retired, checksum);
}

int main(int argc, char **argv)
{
    rig_open(&rig, argc, argv, "build/core/debug/directed.elf", 30000000);
    srand(rig.options.seed + 1);
    rig_load(&rig, "build/core/debug/directed.bin");
    ok(debug_attach(&unit, &rig.transport), "attach");
    test_first_instruction();
    test_registers();
    test_memory();
    test_steps();
    test_breaks();
    test_watches();
    test_ebreak();
    test_interrupts();
    test_detach();
    test_protected_memory();
    test_reset();
    test_no_trace();
    return rig_close(&rig);
}
