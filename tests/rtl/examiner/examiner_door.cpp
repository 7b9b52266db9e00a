// SPDX-License-Identifier: Apache-2.0
//
// rtl/examiner.v behind the registers of tests/fuzz/bench_door.c, with command RAM that makes it wait at random, and
// the golden model beside it. After each walk both say the same: accepted or not, the packet where it stopped, and of
// an accepted walk the result of every entry that is read. Nothing after the DMA buffer is fetched. Every job of
// fuzz_jobs.c goes through it so; first of all the limit of the work that a DMA buffer asks for, and each bit of a
// small one.
//
// EXAMINER_RECORD names a file that takes what goes in and out, for icarus_examiner.v.
#include <cstdio>
#include <cstdlib>

#include "Vexaminer.h"
#include "verilated.h"

#include "examiner_door.h"
#include "random_source.h"
extern "C" {
#include "examiner_model.h"
}

namespace
{

constexpr uint32_t records = 60;         // walks
constexpr uint64_t cycles_per_word = 64; // far more than it takes

Vexaminer *top;
examiner_model model;
FILE *record;
uint32_t entries, walks;
uint64_t cycles;
random_source noise = {1};

[[noreturn]] void fail(const char *what, uint32_t is, uint32_t expected)
{
    fprintf(stderr, "examiner.v: %s: 0x%08x, the model has 0x%08x (walk %u)\n", what, is, expected, walks);
    abort();
}

void say(const char *what, uint32_t a, uint32_t b)
{
    if (record != nullptr) fprintf(record, "%s %x %x\n", what, a, b);
}

// One cycle. What is fetched comes from `command`, of which the DMA buffer is words first .. first + count - 1.
void tick(const uint32_t *command, uint32_t first, uint32_t count)
{
    static bool comes;
    static uint32_t word;
    top->fetch_rvalid = comes;
    top->fetch_rdata = comes ? word : noise.next();
    top->fetch_gnt = 0;
    top->eval();
    comes = false;
    if (top->fetch_req) {
        const uint32_t at = top->fetch_address / 4u;
        if (at < first || at - first >= count) fail("a fetch outside the DMA buffer", at, first);
        top->fetch_gnt = noise.chance(75);
        if (top->fetch_gnt) comes = true, word = command[at];
    }
    top->eval();
    top->clk = 1;
    top->eval();
    top->clk = 0;
    top->eval();
    cycles++;
}

// Without a read or a write, what is on the lines means nothing.
void idle()
{
    top->reg_offset = noise.below(EXAMINE_RESULT_OFFSET - EXAMINE_BASE + 4u);
    top->reg_wdata = noise.next();
}

uint32_t read_register(uint32_t offset)
{
    top->reg_read = 1;
    top->reg_offset = offset - EXAMINE_BASE;
    top->eval();
    const uint32_t value = top->reg_rdata;
    tick(nullptr, 0, 0);
    top->reg_read = 0;
    return value;
}

void write_register(uint32_t offset, uint32_t value)
{
    if (noise.chance(25)) idle(), tick(nullptr, 0, 0);
    top->reg_write = 1;
    top->reg_offset = offset - EXAMINE_BASE;
    top->reg_wdata = value;
    tick(nullptr, 0, 0);
    top->reg_write = 0;
}

void end()
{
    top->final();
    delete top;
}

void begin()
{
    static char arg0[] = "examiner", *args[] = {arg0};
    const char *path = getenv("EXAMINER_RECORD");
    Verilated::commandArgs(1, args);
    Verilated::randReset(2);
    top = new Vexaminer;
    atexit(end);
    if (path != nullptr && (record = fopen(path, "w")) == nullptr) fail("no record can be written", 0, 0);
    top->clk = 0;
    top->eval();
}

// All packets together may write no more than DMA_WORK_BYTES: as many of the largest rectangles as may, and one more.
// Registers that are only written read zero.
void check_limits()
{
    enum { MOST = 16, PITCH = 65532, ROWS = 512, BYTES = PITCH * ROWS };
    static uint32_t command[4 + 4 * (MOST + 1)];
    FILE *kept = record;
    record = nullptr;
    command[0] = PKT_BIND | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
    command[PKT_BIND_PITCH_WORD] = PITCH;
    command[PKT_BIND_BYTES_WORD] = BYTES;
    for (uint32_t i = 4; i < sizeof command / sizeof *command; i += 4) {
        command[i] = PKT_FILL_RECT;
        command[i + PKT_FILL_RECT_WIDTH_WORD] =
            FIELD_PUT(PITCH / 4, PKT_FILL_RECT_WIDTH) | FIELD_PUT(ROWS, PKT_FILL_RECT_HEIGHT);
    }
    for (uint32_t count = MOST; count <= MOST + 1; count++) {
        const uint32_t words = 4 + 4 * count;
        examiner_door_write(EXAMINE_INDEX_OFFSET, 0, command, words);
        examiner_door_write(EXAMINE_ENTRY_PLACE_OFFSET,
                            FIELD_PUT(PKT_BIND_ADDRESS_WORD, EXAMINE_ENTRY_PLACE_PATCH_WORD) |
                                FIELD_PUT(1, EXAMINE_ENTRY_PLACE_WRITE),
                            command, words);
        examiner_door_write(EXAMINE_ENTRY_ROOM_OFFSET, BYTES, command, words);
        examiner_door_write(EXAMINE_ENTRIES_OFFSET, 1, command, words);
        examiner_door_write(EXAMINE_START_OFFSET, FIELD_PUT(words, EXAMINE_START_WORDS), command, words);
        const uint32_t status = examiner_door_read(EXAMINE_STATUS_OFFSET);
        if (FIELD_GET(status, EXAMINE_STATUS_ACCEPTED) != (count == MOST)) fail("work", status, count);
        examiner_door_read(EXAMINE_INDEX_OFFSET);
        examiner_door_read(EXAMINE_ENTRY_PLACE_OFFSET);
        examiner_door_read(EXAMINE_ENTRIES_OFFSET);
    }
    record = kept;
    walks = 0;
}

// An entry of the next walk at INDEX: it patches the BIND whose words begin at `at`.
void write_entry(uint32_t at, uint32_t slot, uint32_t bytes, const uint32_t *command, uint32_t words)
{
    examiner_door_write(EXAMINE_ENTRY_PLACE_OFFSET,
                        FIELD_PUT(at + PKT_BIND_ADDRESS_WORD, EXAMINE_ENTRY_PLACE_PATCH_WORD) |
                            FIELD_PUT(1, EXAMINE_ENTRY_PLACE_WRITE),
                        command, words);
    examiner_door_write(EXAMINE_ENTRY_ROOM_OFFSET,
                        FIELD_PUT(bytes, EXAMINE_ENTRY_ROOM_BYTES) | FIELD_PUT(slot, EXAMINE_ENTRY_ROOM_SLOT), command,
                        words);
}

// Every bit of a sound DMA buffer that binds two surfaces, fills one and draws it onto the other: turned by itself, the
// walk says of it what the model does. As it stands it is accepted, and with many a bit turned it is not.
void check_bits()
{
    enum {
        SIDE = 8,
        PITCH = 4 * SIDE,
        BYTES = PITCH * SIDE,
        SURFACES = 2,
        BIND_WORDS = 4,
        WORDS = SURFACES * BIND_WORDS + 10
    };
    static uint32_t command[WORDS];
    FILE *kept = record;
    uint32_t accepted = 0;
    record = nullptr;
    for (uint32_t i = 0; i < SURFACES; i++) {
        uint32_t *bind = &command[BIND_WORDS * i];
        bind[0] = PKT_BIND | FIELD_PUT(i, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
        bind[PKT_BIND_ADDRESS_WORD] = i;
        bind[PKT_BIND_PITCH_WORD] = PITCH;
        bind[PKT_BIND_BYTES_WORD] = BYTES;
    }
    uint32_t *fill = &command[BIND_WORDS * SURFACES], *blit = fill + 4;
    const uint32_t side = FIELD_PUT(SIDE, PKT_FILL_RECT_WIDTH) | FIELD_PUT(SIDE, PKT_FILL_RECT_HEIGHT);
    fill[0] = PKT_FILL_RECT;
    fill[PKT_FILL_RECT_WIDTH_WORD] = side;
    blit[0] = PKT_BLIT | FIELD_PUT(1, PKT_BLIT_SOURCE);
    blit[PKT_BLIT_WIDTH_WORD] = side;
    for (uint32_t bit = 0; bit <= 32u * WORDS; bit++) {
        const uint32_t turned = bit < 32u * WORDS ? 1u << bit % 32u : 0u;
        command[bit / 32u % WORDS] ^= turned;
        examiner_door_write(EXAMINE_INDEX_OFFSET, 0, command, WORDS);
        for (uint32_t i = 0; i < SURFACES; i++) write_entry(BIND_WORDS * i, i, BYTES, command, WORDS);
        examiner_door_write(EXAMINE_ENTRIES_OFFSET, SURFACES, command, WORDS);
        examiner_door_write(EXAMINE_START_OFFSET, FIELD_PUT(WORDS, EXAMINE_START_WORDS), command, WORDS);
        const bool is_accepted = FIELD_GET(examiner_door_read(EXAMINE_STATUS_OFFSET), EXAMINE_STATUS_ACCEPTED) != 0u;
        accepted += is_accepted;
        if (turned == 0u && !is_accepted) fail("a sound DMA buffer", 0, 1);
        command[bit / 32u % WORDS] ^= turned;
    }
    if (accepted < 8u || accepted > 16u * WORDS) fail("DMA buffers with a bit turned, accepted", accepted, 0);
    record = kept;
    walks = 0;
}

// A walk of the hardware, and what it says at its end.
void walk(uint32_t start, const uint32_t *command)
{
    const uint32_t first = FIELD_GET(start, EXAMINE_START_BASE), count = FIELD_GET(start, EXAMINE_START_WORDS);
    for (uint32_t i = 0; i < count; i++) say("c", first + i, command[first + i]);
    write_register(EXAMINE_START_OFFSET, start);
    const uint64_t begun = cycles, limit = 256u + cycles_per_word * (count + entries);
    top->reg_offset = EXAMINE_STATUS_OFFSET - EXAMINE_BASE;
    top->eval();
    while (FIELD_GET(top->reg_rdata, EXAMINE_STATUS_BUSY)) {
        if (cycles - begun > limit) fail("a walk without end", count, 0);
        idle();
        tick(command, first, count);
        top->reg_offset = EXAMINE_STATUS_OFFSET - EXAMINE_BASE;
        top->eval();
    }
    walks++;
    const uint32_t expected = examiner_model_read(&model, EXAMINE_STATUS_OFFSET);
    if (top->reg_rdata != expected) fail("STATUS", top->reg_rdata, expected);
    say("w", EXAMINE_START_OFFSET, start);
    say("s", EXAMINE_STATUS_OFFSET, expected);
    if (record != nullptr && walks == records) {
        fclose(record);
        record = nullptr;
    }
}

} // namespace

void examiner_door_reset(void)
{
    const bool is_first = top == nullptr;
    if (is_first) begin();
    top->rst = 1;
    top->reg_write = top->reg_read = 0;
    for (int i = 0; i < 3; i++) tick(nullptr, 0, 0);
    top->rst = 0;
    examiner_model_reset(&model, EXAMINER_LOG2_MAX);
    if (is_first) check_limits(), check_bits(), examiner_door_reset();
}

uint32_t examiner_door_read(uint32_t offset)
{
    const uint32_t is = read_register(offset), expected = examiner_model_read(&model, offset);
    if (is != expected) fail("a register", is, expected);
    say("r", offset, expected);
    return is;
}

void examiner_door_write(uint32_t offset, uint32_t value, const uint32_t *command, uint32_t command_words)
{
    examiner_model_write(&model, offset, value, command, command_words);
    if (offset == EXAMINE_ENTRIES_OFFSET) entries = value;
    if (offset == EXAMINE_START_OFFSET) {
        walk(value, command);
        return;
    }
    write_register(offset, value);
    say("w", offset, value);
}
