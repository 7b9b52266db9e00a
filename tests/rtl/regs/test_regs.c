/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the hardware's registers are what spec/gpu.def says, from both sides. Method: walk the table on the
 * whole chip; the host's side over AXI4-Lite, the core's side through mailbox.c. What the table cannot
 * say (live counters, side effects, fields narrower than their word) is listed here, once, by name.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_hash.h"
#include "gpu_spec.h"
#include "mailbox.h"
#include "rig.h"

/* ------------------------------------------------------------------ the table */

enum access { RO, RW, WO, W1C, NA };

struct row {
    const char *name;
    uint32_t offset, count, stride;
    enum access host, core;
    uint32_t reset;
};

#define BLOCK(block, base, count, stride, doc) enum { ROW_##block##_COUNT = (count), ROW_##block##_STRIDE = (stride) };
#include "gpu.def"

static const struct row rows[] = {
/* The BOARD block is not the chip's: nobody sees anything there. */
#define REG(block, name, offset, host, core, reset, doc) \
    {#block "." #name, \
     block##_##name##_OFFSET, \
     ROW_##block##_COUNT, \
     ROW_##block##_STRIDE, \
     (int)block##_BASE == (int)BOARD_BASE ? NA : host, \
     (int)block##_BASE == (int)BOARD_BASE ? NA : core, \
     (uint32_t)(reset)},
#include "gpu.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct {
    uint32_t offset, mask;
} fields[] = {
#define FIELD(block, reg, name, lsb, width, doc) \
    {block##_##reg##_OFFSET, (uint32_t)((((uint64_t)1 << (width)) - 1) << (lsb))},
#include "gpu.def"
};

/* Registers without fields whose hardware is narrower than the word: the bits that exist. */
static const struct {
    uint32_t offset, mask;
} narrow[] = {
    {NODE_RING_BASE_OFFSET, 0xfff8},  {NODE_RING_SIZE_OFFSET, 0xf},   {CORE_SOFTWARE_OFFSET, 0x1},
    {APERTURE_DUMMY_OFFSET, 0xfffff}, {APERTURE_INDEX_OFFSET, 0xfff}, {DISPLAY_CLOCK_OFFSET, 0xffffff},
    {DISPLAY_IRQ_ENABLE_OFFSET, 0x3}, {DISPLAY_HOLD_OFFSET, 0x1},
};

static uint32_t mask_of(uint32_t offset)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
        if (narrow[i].offset == offset) return narrow[i].mask;
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].offset == offset) mask |= fields[i].mask;
    return mask ? mask : 0xffffffffu;
}

/* Values after reset that come from parameters; the table says 0 for them. */
static const struct {
    uint32_t offset, value;
} built[] = {
    {HOST_ABI_OFFSET, GPU_ABI_HASH},
    {APERTURE_PAGES_OFFSET, 4096},
    {MEMORY_TCM_BYTES_OFFSET, 65536},
    {MEMORY_COMMAND_BYTES_OFFSET, 262144},
    {MEMORY_SEGMENT1_BYTES_OFFSET, 262144},
    {MEMORY_SEGMENT2_BYTES_OFFSET, 16777216},
    {MEMORY_FEATURES_OFFSET, FEATURES_ALL | 1u << MEMORY_FEATURES_DISPLAY_LSB},
    {MEMORY_FIRMWARE_BYTES_OFFSET, 2097152},
    {DEBUG_STATUS_OFFSET, 1u << DEBUG_STATUS_PRESENT_LSB},
    {DISPLAY_PROMISE1_OFFSET, 400},
    {DISPLAY_PROMISE2_OFFSET, 200},
    {DISPLAY_MIX_RATE_OFFSET, 87},
};

static uint32_t reset_of(const struct row *row)
{
    for (unsigned i = 0; i < sizeof built / sizeof built[0]; i++)
        if (built[i].offset == row->offset) return built[i].value;
    return row->reset;
}

static bool one_of(uint32_t offset, const uint32_t *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == offset) return true;
    return false;
}

/* Read-only registers that change by themselves while the mailbox firmware works, or by being read. */
static const uint32_t live[] = {CORE_CYCLE_LO_OFFSET,       CORE_INSTRET_LO_OFFSET, CORE_PC_OFFSET,
                                MEMORY_SYSTEM_BEATS_OFFSET, EXAMINE_RESULT_OFFSET,  EXAMINE_NAMED_OFFSET};
/* Registers whose writes do more than store; each has a test of its own below. */
static const uint32_t active[] = {
    HOST_CONTROL_OFFSET,    HOST_LOAD_ADDRESS_OFFSET, HOST_LOAD_DATA_OFFSET, CORE_EXIT_OFFSET,
    NODE_CONTROL_OFFSET,    NODE_TAIL_OFFSET,         CORE_CONSOLE_OFFSET,   CORE_TRACE_OFFSET,
    DEBUG_CONTROL_OFFSET,   DEBUG_PC_OFFSET, /* tests/core/debug/core_debug_test.c */
    DISPLAY_CONTROL_OFFSET,                  /* test_shows.c */
    EXAMINE_READ_OFFSET,                     /* tests/rtl/examiner */
};
#define IS_LIVE(offset) one_of(offset, live, sizeof live / sizeof live[0])
#define IS_ACTIVE(offset) one_of(offset, active, sizeof active / sizeof active[0])

/* ------------------------------------------------------------------ the core's side */

static uint32_t sequence;

static uint32_t ask(struct rig *rig, uint32_t operation, uint32_t address, uint32_t value, uint32_t *cause)
{
    uint32_t mail[4] = {0, operation, address, value}, answer[3] = {0};
    mail[MAIL_SEQUENCE] = ++sequence;
    rig->transport.memory_write(rig->transport.context, MAILBOX, mail, sizeof mail);
    for (unsigned i = 0; i < 5000 && answer[MAIL_DONE] != sequence; i++) {
        rig->transport.wait(rig->transport.context, 1);
        rig->transport.memory_read(rig->transport.context, MAIL_ANSWER, answer, sizeof answer);
    }
    if (answer[MAIL_DONE] != sequence) rig_check(rig, false, "the core does not answer (access to 0x%08x)", address);
    *cause = answer[MAIL_CAUSE];
    return answer[MAIL_RESULT];
}

static uint32_t core_access(struct rig *rig, uint32_t operation, uint32_t offset, uint32_t value)
{
    uint32_t cause, result = ask(rig, operation, GPU_LIMIT(ADDR_REGISTERS) + offset, value, &cause);
    if (cause) rig_check(rig, false, "the core traps (%u) at register 0x%03x", cause - 1, offset);
    return result;
}

static uint32_t core_read(struct rig *rig, uint32_t offset) { return core_access(rig, MAIL_READ, offset, 0); }
static void core_write(struct rig *rig, uint32_t offset, uint32_t value)
{
    core_access(rig, MAIL_WRITE, offset, value);
}

static uint32_t core_lines(struct rig *rig)
{
    uint32_t cause;
    return ask(rig, MAIL_LINES, 0, 0, &cause);
}

static void boot(struct rig *rig)
{
    uint32_t zero[32] = {0};
    sequence = 0;
    rig->transport.memory_write(rig->transport.context, MAILBOX, zero, sizeof zero);
    rig_load(rig, "build/system/mailbox.bin");
    rig_write(rig, HOST_CONTROL_OFFSET, 1);
    rig_check(rig, rig_await(rig, HOST_BOOT_STATUS_OFFSET, 1, 20000), "the mailbox firmware does not start");
}

/* ------------------------------------------------------------------ walks */

/* Right after reset, the host sees the table's reset values; NA and WO read zero. */
static void walk_reset(struct rig *rig)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t copy = 0; copy < rows[i].count; copy++) {
            uint32_t offset = rows[i].offset + copy * rows[i].stride;
            uint32_t expected = rows[i].host == NA || rows[i].host == WO ? 0 : reset_of(&rows[i]),
                     value = rig_read(rig, offset);
            if (rows[i].offset == CORE_CYCLE_LO_OFFSET || rows[i].offset == HOST_LOAD_DATA_OFFSET)
                continue; /* running; random */
            if (rows[i].offset == APERTURE_ENTRY_OFFSET)
                expected = value & ~FIELD_PUT(1, APERTURE_ENTRY_VALID); /* not valid */
            rig_check(rig, value == expected, "%s[%u] is 0x%08x after reset, not 0x%08x", rows[i].name, copy, value,
                      expected);
        }
}

static uint32_t (*const readers[])(struct rig *, uint32_t) = {rig_read, core_read};
static void (*const writers[])(struct rig *, uint32_t, uint32_t) = {rig_write, core_write};
static const char *const sides[] = {"host", "core"};

static bool can_read(enum access access) { return access == RO || access == RW || access == W1C; }

/* A side with the right changes exactly the bits that exist, and both sides that may look see it. */
static void walk_writable(struct rig *rig, const struct row *row, unsigned side, uint32_t offset)
{
    static const uint32_t patterns[] = {0xffffffffu, 0xa5a5a5a5u, 0x5a5a5a5au, 0};
    uint32_t before = readers[side](rig, offset), mask = mask_of(row->offset);
    for (unsigned i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        writers[side](rig, offset, patterns[i]);
        for (unsigned reader = 0; reader < 2; reader++) {
            if (!can_read(reader ? row->core : row->host)) continue;
            uint32_t value = readers[reader](rig, offset);
            rig_check(rig, value == (patterns[i] & mask), "%s: %s writes 0x%08x, %s reads 0x%08x", row->name,
                      sides[side], patterns[i], sides[reader], value);
        }
    }
    writers[side](rig, offset, before);
}

/* A side without the right changes nothing and, where it may not look, sees zero. */
static void walk_forbidden(struct rig *rig, const struct row *row, unsigned side, uint32_t offset)
{
    enum access access = side ? row->core : row->host, other = side ? row->host : row->core;
    if (!can_read(access))
        rig_check(rig, readers[side](rig, offset) == 0, "%s: the %s sees what it may not", row->name, sides[side]);
    if (access == RW || access == WO || access == W1C || IS_LIVE(row->offset)) return;
    unsigned watcher = can_read(access) ? side : can_read(other) ? !side : 2;
    if (watcher == 2) return;
    uint32_t before = readers[watcher](rig, offset);
    writers[side](rig, offset, ~before);
    uint32_t after = readers[watcher](rig, offset);
    rig_check(rig, after == before, "%s: a write by the %s changes 0x%08x to 0x%08x", row->name, sides[side], before,
              after);
}

static void walk_rights(struct rig *rig)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t copy = 0; copy < rows[i].count; copy++)
            for (unsigned side = 0; side < 2; side++) {
                enum access access = side ? rows[i].core : rows[i].host;
                uint32_t offset = rows[i].offset + copy * rows[i].stride;
                if (access == RW && !IS_ACTIVE(rows[i].offset)) walk_writable(rig, &rows[i], side, offset);
                else if (access != RW) walk_forbidden(rig, &rows[i], side, offset);
            }
}

/* Offsets that the table does not name read zero; writing them changes no register that it does name. */
static void walk_unknown(struct rig *rig)
{
    static uint32_t before[0x1000 / 4];
    static bool known[0x1000 / 4];
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t copy = 0; copy < rows[i].count; copy++) {
            uint32_t offset = rows[i].offset + copy * rows[i].stride;
            known[offset / 4] = true;
            before[offset / 4] = rig_read(rig, offset);
        }
    for (uint32_t offset = 0; offset < 0x1000; offset += 4) {
        if (known[offset / 4]) continue;
        rig_write(rig, offset, 0xffffffffu);
        uint32_t value = rig_read(rig, offset);
        rig_check(rig, value == 0, "unknown offset 0x%03x reads 0x%08x", offset, value);
    }
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t copy = 0; copy < rows[i].count; copy++) {
            uint32_t offset = rows[i].offset + copy * rows[i].stride, value = rig_read(rig, offset);
            if (!IS_LIVE(rows[i].offset) && rows[i].offset != HOST_LOAD_DATA_OFFSET)
                rig_check(rig, value == before[offset / 4], "%s changed by a write to an unknown offset", rows[i].name);
        }
}

/* ------------------------------------------------------------------ registers that act */

static void test_load(struct rig *rig)
{
    uint32_t tcm = rig_read(rig, MEMORY_TCM_BYTES_OFFSET);
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, tcm - 8);
    rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x11111111);
    rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x22222222);
    rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x33333333); /* past the end */
    rig_check(rig, rig_read(rig, HOST_LOAD_ADDRESS_OFFSET) == tcm + 4, "LOAD_ADDRESS does not advance by 4");
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, 0);
    uint32_t first = rig_read(rig, HOST_LOAD_DATA_OFFSET);
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, tcm - 8);
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0x11111111, "LOAD_DATA, last word but one");
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0x22222222, "LOAD_DATA, last word");
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0, "LOAD_DATA past the end of core memory is not zero");
    rig_check(rig, first != 0x33333333, "a LOAD_DATA past the end wraps to the start");
}

/* The firmware's region: loaded while the core is held, read by the core; what it stores is there when it is held. */
static void test_load_region(struct rig *rig)
{
    uint32_t end = GPU_LIMIT(ADDR_FIRMWARE) + rig_read(rig, MEMORY_FIRMWARE_BYTES_OFFSET), wrong = 0;
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, end - 256);
    for (uint32_t i = 0; i < 65; i++) rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x5eed0000u + i); /* the last is past it */
    rig_check(rig, rig_read(rig, HOST_LOAD_ADDRESS_OFFSET) == end + 4, "LOAD_ADDRESS does not advance in the region");
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, end - 256);
    for (uint32_t i = 0; i < 64; i++) wrong += rig_read(rig, HOST_LOAD_DATA_OFFSET) != 0x5eed0000u + i;
    rig_check(rig, wrong == 0, "%u of 64 words of the region are not what was loaded", wrong);
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0, "LOAD_DATA past the end of the region is not zero");
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, GPU_LIMIT(ADDR_FIRMWARE));
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) != 0x5eed0040u, "LOAD_DATA past the end wraps to the start");
}

static void test_region(struct rig *rig)
{
    uint32_t end = GPU_LIMIT(ADDR_FIRMWARE) + rig_read(rig, MEMORY_FIRMWARE_BYTES_OFFSET), cause, wrong = 0;
    uint32_t misses = rig_read(rig, CORE_D_MISSES_OFFSET), backs = rig_read(rig, CORE_WRITE_BACKS_OFFSET);
    for (uint32_t i = 0; i < 64; i++)
        wrong += ask(rig, MAIL_READ, end - 256 + 4 * i, 0, &cause) != 0x5eed0000u + i || cause != 0;
    rig_check(rig, wrong == 0, "the core sees %u of 64 words of the region otherwise than they were loaded", wrong);
    rig_check(rig, rig_read(rig, CORE_D_MISSES_OFFSET) == misses + 8, "64 words are not 8 misses");
    for (uint32_t i = 0; i < 32; i++) ask(rig, MAIL_WRITE, end - 256 + 8 * i, 0xcafe0000u + i, &cause);
    rig_check(rig, rig_read(rig, CORE_WRITE_BACKS_OFFSET) == backs, "a store that hits is written back");
    core_write(rig, CORE_CACHE_FLUSH_OFFSET, 1);
    ask(rig, MAIL_READ, end - 256, 0, &cause);
    rig_check(rig, rig_read(rig, CORE_WRITE_BACKS_OFFSET) == backs + 8, "CACHE_FLUSH does not write 8 lines back");
    ask(rig, MAIL_WRITE, end - 8, 0xcafe0100u, &cause); /* changed when the core is held */
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, end - 256);
    rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x87654321u);
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0, "the region is readable while the core runs");
    rig_write(rig, HOST_CONTROL_OFFSET, 0);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t stored = rig_read(rig, HOST_LOAD_DATA_OFFSET), loaded = rig_read(rig, HOST_LOAD_DATA_OFFSET);
        wrong += stored != (i == 31 ? 0xcafe0100u : 0xcafe0000u + i) || loaded != 0x5eed0001u + 2 * i;
    }
    rig_check(rig, wrong == 0, "%u of 32 stored words are not in memory when the core is held", wrong);
    boot(rig);
}

static void test_load_while_running(struct rig *rig)
{
    uint32_t word = GPU_LIMIT(ADDR_TCM) + 0xf000, cause;
    ask(rig, MAIL_WRITE, word, 0x12345678, &cause);
    rig_write(rig, HOST_LOAD_ADDRESS_OFFSET, word);
    rig_write(rig, HOST_LOAD_DATA_OFFSET, 0x87654321);
    rig_check(rig, rig_read(rig, HOST_LOAD_ADDRESS_OFFSET) == word, "LOAD_ADDRESS advances while the core runs");
    rig_check(rig, rig_read(rig, HOST_LOAD_DATA_OFFSET) == 0, "LOAD_DATA is readable while the core runs");
    rig_check(rig, ask(rig, MAIL_READ, word, 0, &cause) == 0x12345678, "LOAD_DATA writes while the core runs");
}

static void test_interrupt_to_host(struct rig *rig)
{
    rig_write(rig, HOST_IRQ_RAISE_OFFSET, 3);
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 0, "the host raises its own interrupt");
    core_write(rig, HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 1, "IRQ_RAISE does not set IRQ_STATUS");
    core_write(rig, HOST_IRQ_STATUS_OFFSET, 1);
    rig_check(rig, core_read(rig, HOST_IRQ_STATUS_OFFSET) == 1, "the core clears the host's interrupt");
    core_write(rig, HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_PANIC));
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 3, "IRQ_RAISE clears a bit");
    rig_write(rig, HOST_IRQ_STATUS_OFFSET, 1);
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 2, "W1C of one bit");
    rig_write(rig, HOST_IRQ_STATUS_OFFSET, 0);
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 2, "writing 0 clears");
    rig_write(rig, HOST_IRQ_STATUS_OFFSET, 2);
    rig_check(rig, rig_read(rig, HOST_IRQ_STATUS_OFFSET) == 0, "W1C of the other bit");
}

static void test_doorbell(struct rig *rig)
{
    static const uint32_t doorbells[] = {HOST_SUBMIT_TAIL_OFFSET, HOST_COMPLETE_HEAD_OFFSET};
    uint32_t bell = FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL);
    core_write(rig, CORE_IRQ_PENDING_OFFSET, bell);
    for (unsigned i = 0; i < 2; i++) {
        rig_check(rig, core_read(rig, CORE_IRQ_PENDING_OFFSET) == 0, "doorbell %u: pending before it rings", i);
        rig_write(rig, doorbells[i], rig_read(rig, doorbells[i])); /* the same value rings, too */
        rig_check(rig, core_read(rig, CORE_IRQ_PENDING_OFFSET) == bell, "doorbell %u does not ring", i);
        rig_check(rig, core_lines(rig) >> 16 == 1, "doorbell %u is not interrupt 16", i);
        rig_write(rig, CORE_IRQ_PENDING_OFFSET, bell);
        rig_check(rig, rig_read(rig, CORE_IRQ_PENDING_OFFSET) == bell, "the host clears the core's doorbell");
        core_write(rig, CORE_IRQ_PENDING_OFFSET, 0);
        rig_check(rig, core_read(rig, CORE_IRQ_PENDING_OFFSET) == bell, "writing 0 clears the doorbell");
        core_write(rig, CORE_IRQ_PENDING_OFFSET, bell);
    }
    rig_check(rig, core_lines(rig) == 0, "interrupt 16 stays after the clear");
}

static void test_core_lines(struct rig *rig)
{
    core_write(rig, CORE_SOFTWARE_OFFSET, 1);
    rig_check(rig, core_lines(rig) == 1u << 3, "SOFTWARE is not interrupt 3");
    core_write(rig, CORE_SOFTWARE_OFFSET, 0);
    core_write(rig, CORE_TIMECMP_HI_OFFSET, 0); /* the low half is still all ones: in the future */
    rig_check(rig, core_lines(rig) == 0, "the timer fires early");
    core_write(rig, CORE_TIMECMP_LO_OFFSET, 0);
    rig_check(rig, core_lines(rig) == 1u << 7, "the timer is not interrupt 7");
    core_write(rig, CORE_TIMECMP_HI_OFFSET, 0xffffffffu);
    rig_check(rig, core_lines(rig) == 0, "the timer does not stop");
}

static void test_time(struct rig *rig)
{
    uint64_t before = rig->transport.cycles(rig->transport.context);
    uint32_t first = rig_read(rig, CORE_CYCLE_LO_OFFSET);
    uint64_t middle = rig->transport.cycles(rig->transport.context);
    rig_check(rig, first >= before && first <= middle, "CYCLE_LO %u, but %u..%u", first, (unsigned)before,
              (unsigned)middle);
    uint32_t retired = rig_read(rig, CORE_INSTRET_LO_OFFSET);
    for (unsigned i = 0; i < 500; i++) rig->transport.wait(rig->transport.context, 1);
    uint32_t more = rig_read(rig, CORE_INSTRET_LO_OFFSET) - retired;
    rig_check(rig, more > 5 && more < 600, "%u instructions in 500 cycles", more);
    uint32_t pc = rig_read(rig, CORE_PC_OFFSET);
    rig_check(rig, pc != 0 && pc < 0x1000, "PC is 0x%x", pc);
}

/* NODE.CONTROL and TAIL of disabled nodes; the packets themselves are test_bringup's. */
static void test_node_control(struct rig *rig)
{
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        uint32_t block = node * (uint32_t)NODE_STRIDE, pause = FIELD_PUT(1, NODE_CONTROL_PAUSE);
        rig_write(rig, block + NODE_CONTROL_OFFSET, 3);
        rig_write(rig, block + NODE_TAIL_OFFSET, 3);
        rig_check(rig, rig_read(rig, block + NODE_CONTROL_OFFSET) == 0, "the host enables node %u", node);
        rig_check(rig, rig_read(rig, block + NODE_TAIL_OFFSET) == 0, "the host rings node %u", node);
        core_write(rig, block + NODE_CONTROL_OFFSET, pause);
        rig_check(rig, rig_read(rig, block + NODE_CONTROL_OFFSET) == pause, "node %u does not pause", node);
        core_write(rig, block + NODE_TAIL_OFFSET, 5);
        rig_check(rig, core_read(rig, block + NODE_TAIL_OFFSET) == 5, "node %u: TAIL", node);
        core_write(rig, block + NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_RESET));
        rig_check(rig, rig_await(rig, block + NODE_CONTROL_OFFSET, 0, 2000), "node %u stays in reset", node);
        rig_check(rig, rig_read(rig, block + NODE_HEAD_OFFSET) == 5, "node %u: RESET does not move HEAD to TAIL", node);
    }
}

/* Accesses outside every space, partial stores to registers: the core traps and nothing changes. */
static void test_core_errors(struct rig *rig)
{
    uint32_t registers = GPU_LIMIT(ADDR_REGISTERS), cause;
    const struct {
        uint32_t operation, address, cause;
    } bad[] = {
        {MAIL_READ, GPU_LIMIT(ADDR_TCM) + 65536, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_TCM) + 65536, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_FIRMWARE) + 2097152, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_FIRMWARE) + 2097152, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_COMMAND) + 262144, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_COMMAND) + 262144, 7},
        {MAIL_READ, registers + 0x1000, 5},
        {MAIL_WRITE_BYTE, registers + HOST_SCRATCH_OFFSET, 7},
        {MAIL_READ, 0x60000000u, 5},
        {MAIL_WRITE, 0x70000000u, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_SEGMENT1) + 262144, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_SEGMENT1) + 262144, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_SEGMENT2) + 16777216, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_SEGMENT2) + 16777216, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_APERTURE) + 0x1000000, 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_APERTURE) + 0x1000000, 7},
        {MAIL_READ, GPU_LIMIT(ADDR_SYSTEM) + (1u << 20), 5},
        {MAIL_WRITE, GPU_LIMIT(ADDR_SYSTEM) + (1u << 20), 7},
    };
    core_write(rig, HOST_SCRATCH_OFFSET, 0x600dda7a);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ask(rig, bad[i].operation, bad[i].address, 0xffffffffu, &cause);
        rig_check(rig, cause == bad[i].cause + 1, "operation %u at 0x%08x: mcause + 1 is %u", bad[i].operation,
                  bad[i].address, cause);
    }
    rig_check(rig, rig_read(rig, HOST_SCRATCH_OFFSET) == 0x600dda7a, "a byte store changed a register");
    ask(rig, MAIL_READ_BYTE, registers + HOST_SCRATCH_OFFSET + 1, 0, &cause);
    rig_check(rig, cause == 0, "a byte load of a register traps");
}

/* Every memory the core can reach holds words and bytes. */
static void test_core_memories(struct rig *rig)
{
    const uint32_t places[] = {
        GPU_LIMIT(ADDR_TCM) + 0xf004,       GPU_LIMIT(ADDR_SEGMENT1) + 0x3fff8, GPU_LIMIT(ADDR_SEGMENT2) + 0xfffffc,
        GPU_LIMIT(ADDR_COMMAND) + 0xfffc,   GPU_LIMIT(ADDR_SYSTEM) + 0x8004,    GPU_LIMIT(ADDR_SYSTEM) + 0xffffc,
        GPU_LIMIT(ADDR_FIRMWARE) + 0x1fffc,
    };
    uint32_t cause;
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        ask(rig, MAIL_WRITE, places[i], 0x03020100u + i, &cause);
        ask(rig, MAIL_WRITE_BYTE, places[i] + 2, 0xee, &cause);
        uint32_t word = ask(rig, MAIL_READ, places[i], 0, &cause);
        rig_check(rig, word == 0x03ee0100u + i && cause == 0, "memory at 0x%08x holds 0x%08x", places[i], word);
        uint32_t byte = ask(rig, MAIL_READ_BYTE, places[i] + 3, 0, &cause);
        rig_check(rig, byte == 3, "byte at 0x%08x is 0x%x", places[i] + 3, byte);
    }
}

/* Holding the core again zeroes what the last boot said; the second boot works. */
static void test_second_boot(struct rig *rig)
{
    static const uint32_t said[] = {HOST_PANIC_CODE_OFFSET,    HOST_PANIC_PLACE_OFFSET, HOST_PANIC_CAUSE_OFFSET,
                                    HOST_PANIC_ADDRESS_OFFSET, HOST_SUBMIT_HEAD_OFFSET, HOST_COMPLETE_TAIL_OFFSET};
    for (unsigned i = 0; i < sizeof said / sizeof said[0]; i++) core_write(rig, said[i], 2);
    rig_write(rig, HOST_CONTROL_OFFSET, 0xfffffffeu);
    rig_check(rig, rig_read(rig, HOST_CONTROL_OFFSET) == 0, "CONTROL has more bits than CORE_RUN");
    rig_check(rig, rig_read(rig, HOST_BOOT_STATUS_OFFSET) == 0, "BOOT_STATUS survives the hold");
    for (unsigned i = 0; i < sizeof said / sizeof said[0]; i++)
        rig_check(rig, rig_read(rig, said[i]) == 0, "register 0x%x survives the hold", said[i]);
    boot(rig);
    rig_check(rig, core_read(rig, HOST_ID_OFFSET) == 0x41525354u, "ID is not TSRA");
}

int main(int argc, char **argv)
{
    struct rig rig;
    rig_open(&rig, argc, argv, "build/system/mailbox.elf", 5000000);
    walk_reset(&rig);
    test_load(&rig);
    test_load_region(&rig);
    boot(&rig);
    test_region(&rig);
    walk_rights(&rig);
    walk_unknown(&rig);
    test_load_while_running(&rig);
    test_interrupt_to_host(&rig);
    test_doorbell(&rig);
    test_core_lines(&rig);
    test_time(&rig);
    test_node_control(&rig);
    test_core_errors(&rig);
    test_core_memories(&rig);
    test_second_boot(&rig);
    return rig_close(&rig);
}
