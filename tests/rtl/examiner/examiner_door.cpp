// SPDX-License-Identifier: Apache-2.0
//
// rtl/examination.v behind the registers of tests/fuzz/bench_door.c, with command RAM and system memory that make it
// wait at random, and the golden models beside it. After each walk both say the same: accepted or not, the packet where
// it stopped, and of an accepted walk the result of every entry that is read; after each reading of lists what LISTS
// says, and if it is sound all of command RAM. Nothing outside the job is fetched or written. Every job of fuzz_jobs.c
// goes through it so; first of all the limit of the work that a DMA buffer asks for, each bit of a small one, and
// readings that are stopped or meet an error of the bus in every cycle.
//
// EXAMINER_RECORD names a file that takes what goes in and out, for icarus_examination.v.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vexamination.h"
#include "verilated.h"

#include "examiner_door.h"
#include "random_source.h"
extern "C" {
#include "examiner_model.h"
#include "lists_model.h"
}

namespace
{

constexpr uint32_t records = 60;         // walks
constexpr uint64_t cycles_per_word = 64; // far more than it takes

Vexamination *top;
examiner_model model;
lists_model lists;
uint32_t command_ram[1 << 16]; // the hardware's
FILE *record;
uint32_t entries, walks;
uint64_t cycles, walk_cycles; // of all; of the last walk
bool is_ready;                // command RAM makes nothing wait
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

// What the hardware may touch: of command RAM these two windows, in words, of which a write may be anywhere in.
struct window {
    uint32_t first, count;
    bool has(uint32_t at) const { return at >= first && at - first < count; }
};
window job, room;
const uint32_t *system_memory; // nullptr: no burst may be asked for
uint32_t system_words;
uint64_t error_at = UINT64_MAX; // the beat, counted from the last reading's first, that comes with an error
uint64_t beats, writes, seen, stopped;

constexpr uint32_t beat_words = 2, line_beats = 8, system_base = 0x80000000u;
uint32_t burst_at, burst_left;

void answer_burst()
{
    top->m_rvalid = top->m_rlast = 0;
    top->m_rresp = noise.next() & 3u;
    top->m_rdata = static_cast<uint64_t>(noise.next()) << 32 | noise.next();
    if (burst_left == 0 || !(is_ready || noise.chance(70))) return;
    const uint32_t at = burst_at + (line_beats - burst_left) * beat_words;
    top->m_rvalid = 1;
    top->m_rresp = beats == error_at ? 2u : 0u;
    top->m_rdata = static_cast<uint64_t>(system_memory[at + 1]) << 32 | system_memory[at];
    top->m_rlast = --burst_left == 0;
    beats++;
}

void take_burst()
{
    top->m_arready = is_ready || noise.chance(60);
    top->eval();
    if (!top->m_arvalid || !top->m_arready) return;
    const uint32_t at = (top->m_araddr - system_base) / 4u;
    if (system_memory == nullptr || top->m_araddr < system_base || at + line_beats * beat_words > system_words ||
        top->m_araddr % 64u != 0 || top->m_arlen != line_beats - 1 || top->m_arsize != 3 || burst_left != 0)
        fail("a burst that nobody may ask for", top->m_araddr, burst_left);
    burst_at = at;
    burst_left = line_beats;
}

// One cycle.
void tick()
{
    static bool comes;
    static uint32_t word;
    top->fetch_rvalid = comes;
    top->fetch_rdata = comes ? word : noise.next();
    top->fetch_gnt = 0;
    answer_burst();
    top->eval();
    take_burst();
    comes = false;
    if (top->fetch_req) {
        const uint32_t at = top->fetch_address / 4u;
        if (!job.has(at) && !room.has(at)) fail("command RAM outside the job", at, job.first);
        top->fetch_gnt = is_ready || noise.chance(75);
        if (top->fetch_gnt) {
            comes = true, word = command_ram[at];
            for (uint32_t byte = 0; byte < 4; byte++) {
                const uint32_t mask = (top->fetch_write >> byte & 1u) != 0 ? 0xffu << 8u * byte : 0u;
                command_ram[at] = (command_ram[at] & ~mask) | (top->fetch_wdata & mask);
            }
            writes += top->fetch_write != 0;
        }
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
    top->reg_offset = noise.below(EXAMINE_NAMED_OFFSET - EXAMINE_BASE + 4u);
    top->reg_wdata = noise.next();
}

uint32_t read_register(uint32_t offset)
{
    top->reg_read = 1;
    top->reg_offset = offset - EXAMINE_BASE;
    top->eval();
    const uint32_t value = top->reg_rdata;
    tick();
    top->reg_read = 0;
    return value;
}

void write_register(uint32_t offset, uint32_t value)
{
    if (noise.chance(25)) idle(), tick();
    top->reg_write = 1;
    top->reg_offset = offset - EXAMINE_BASE;
    top->reg_wdata = value;
    tick();
    top->reg_write = 0;
}

void end()
{
    // An error of the bus in a beat that is needed, and STOP, were tried often enough to count.
    if (walks > 100 && (seen < 10 || stopped < 10)) fprintf(stderr, "too few errors or stops were tried\n"), _Exit(1);
    top->final();
    delete top;
}

void begin()
{
    static char arg0[] = "examiner", *args[] = {arg0};
    const char *path = getenv("EXAMINER_RECORD");
    Verilated::commandArgs(1, args);
    Verilated::randReset(2);
    top = new Vexamination;
    atexit(end);
    if (path != nullptr && (record = fopen(path, "w")) == nullptr) fail("no record can be written", 0, 0);
    top->clk = 0;
    top->eval();
}

// A write of the bench's own: command RAM is `words` words.
void put(uint32_t offset, uint32_t value, uint32_t *command, uint32_t words)
{
    const lists_memory memory = {command, words, nullptr, 0};
    examiner_door_write(offset, value, &memory);
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
        put(EXAMINE_INDEX_OFFSET, 0, command, words);
        put(EXAMINE_ENTRY_PLACE_OFFSET,
            FIELD_PUT(PKT_BIND_ADDRESS_WORD, EXAMINE_ENTRY_PLACE_PATCH_WORD) | FIELD_PUT(1, EXAMINE_ENTRY_PLACE_WRITE),
            command, words);
        put(EXAMINE_ENTRY_ROOM_OFFSET, BYTES, command, words);
        put(EXAMINE_ENTRIES_OFFSET, 1, command, words);
        put(EXAMINE_START_OFFSET, FIELD_PUT(words, EXAMINE_START_WORDS), command, words);
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
void write_entry(uint32_t at, uint32_t slot, uint32_t bytes, uint32_t *command, uint32_t words)
{
    put(EXAMINE_ENTRY_PLACE_OFFSET,
        FIELD_PUT(at + PKT_BIND_ADDRESS_WORD, EXAMINE_ENTRY_PLACE_PATCH_WORD) | FIELD_PUT(1, EXAMINE_ENTRY_PLACE_WRITE),
        command, words);
    put(EXAMINE_ENTRY_ROOM_OFFSET,
        FIELD_PUT(bytes, EXAMINE_ENTRY_ROOM_BYTES) | FIELD_PUT(slot, EXAMINE_ENTRY_ROOM_SLOT), command, words);
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
        put(EXAMINE_INDEX_OFFSET, 0, command, WORDS);
        for (uint32_t i = 0; i < SURFACES; i++) write_entry(BIND_WORDS * i, i, BYTES, command, WORDS);
        put(EXAMINE_ENTRIES_OFFSET, SURFACES, command, WORDS);
        put(EXAMINE_START_OFFSET, FIELD_PUT(WORDS, EXAMINE_START_WORDS), command, WORDS);
        const bool is_accepted = FIELD_GET(examiner_door_read(EXAMINE_STATUS_OFFSET), EXAMINE_STATUS_ACCEPTED) != 0u;
        accepted += is_accepted;
        if (turned == 0u && !is_accepted) fail("a sound DMA buffer", 0, 1);
        command[bit / 32u % WORDS] ^= turned;
    }
    if (accepted < 8u || accepted > 16u * WORDS) fail("DMA buffers with a bit turned, accepted", accepted, 0);
    record = kept;
    walks = 0;
}

// Nothing makes a walk wait: what each packet costs, to the cycle, whatever came before it. Until its length is known
// as many words are asked for as the shortest packet but NOP has.
void check_cycles()
{
    enum { BYTES = 4, BEGIN_CYCLES = 65, NOP_CYCLES = 4, BIND_CYCLES = 10, FILL_CYCLES = 13, BLIT_CYCLES = 21 };
    static const struct {
        uint32_t opcode, words, cycles;
    } packets[] = {{PKT_BIND, PKT_BIND_WORDS, BIND_CYCLES},
                   {PKT_NOP, PKT_NOP_WORDS, NOP_CYCLES},
                   {PKT_FILL_RECT, PKT_FILL_RECT_WORDS, FILL_CYCLES},
                   {PKT_NOP, PKT_NOP_WORDS, NOP_CYCLES},
                   {PKT_BLIT, PKT_BLIT_WORDS, BLIT_CYCLES},
                   {PKT_NOP, PKT_NOP_WORDS, NOP_CYCLES},
                   {PKT_NOP, PKT_NOP_WORDS, NOP_CYCLES},
                   {PKT_BLIT, PKT_BLIT_WORDS, BLIT_CYCLES},
                   {PKT_FILL_RECT, PKT_FILL_RECT_WORDS, FILL_CYCLES},
                   {PKT_BLIT, PKT_BLIT_WORDS, BLIT_CYCLES}};
    static uint32_t command[64];
    FILE *kept = record;
    uint32_t words = 0;
    record = nullptr;
    is_ready = true;
    for (const auto &packet : packets) {
        command[words] = packet.opcode;
        if (packet.opcode == PKT_BIND) {
            command[words] |= FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
            command[words + PKT_BIND_PITCH_WORD] = command[words + PKT_BIND_BYTES_WORD] = BYTES;
        } else if (packet.opcode != PKT_NOP) {
            command[words + (packet.opcode == PKT_BLIT ? PKT_BLIT_WIDTH_WORD : PKT_FILL_RECT_WIDTH_WORD)] =
                FIELD_PUT(1, PKT_FILL_RECT_WIDTH) | FIELD_PUT(1, PKT_FILL_RECT_HEIGHT);
        }
        words += packet.words;
        put(EXAMINE_INDEX_OFFSET, 0, command, words);
        write_entry(0, 0, BYTES, command, words);
        put(EXAMINE_ENTRIES_OFFSET, 1, command, words);
        put(EXAMINE_START_OFFSET, FIELD_PUT(words, EXAMINE_START_WORDS), command, words);
        if (!FIELD_GET(examiner_door_read(EXAMINE_STATUS_OFFSET), EXAMINE_STATUS_ACCEPTED)) fail("a packet", words, 0);
        // Behind a NOP two words are asked for in vain, if there are as many.
        uint32_t due = BEGIN_CYCLES, begin = 0;
        for (const auto *each = packets; each <= &packet; each++) {
            begin += each->words;
            due += each->cycles + (each->opcode == PKT_NOP ? std::min(2u, words - begin) : 0u);
        }
        if (walk_cycles != due) fail("cycles of a walk", static_cast<uint32_t>(walk_cycles), due);
    }
    is_ready = false;
    record = kept;
    walks = 0;
}

// The hardware is at work until the register says that it is not BUSY.
void work(uint32_t offset, uint64_t limit)
{
    const uint64_t begun = cycles;
    top->reg_offset = offset - EXAMINE_BASE;
    top->eval();
    while ((top->reg_rdata & 2u) != 0) {
        if (cycles - begun > limit) fail("a walk without end", job.count, 0);
        idle();
        // What a reader of lists is told meanwhile is another allocation's.
        tick();
        top->reg_offset = offset - EXAMINE_BASE;
        top->eval();
    }
    walk_cycles = cycles - begun;
}

// A walk of the hardware, and what it says at its end.
void walk(uint32_t start, const uint32_t *command)
{
    job = {FIELD_GET(start, EXAMINE_START_BASE), FIELD_GET(start, EXAMINE_START_WORDS)};
    room = {0, 0};
    for (uint32_t i = job.first; i < job.first + job.count; i++) {
        command_ram[i] = command[i];
        say("c", i, command[i]);
    }
    write_register(EXAMINE_START_OFFSET, start);
    work(EXAMINE_STATUS_OFFSET, 256u + cycles_per_word * (job.count + entries));
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

// The windows of a reading that begins; the hardware's command RAM is as the model's.
void begin_reading(uint32_t start, const lists_memory *memory)
{
    constexpr uint32_t entry_words = 3;
    job = {FIELD_GET(start, EXAMINE_START_BASE), FIELD_GET(start, EXAMINE_START_WORDS)};
    room = {FIELD_GET(lists.job, EXAMINE_JOB_PATCHES), FIELD_GET(lists.counts, EXAMINE_COUNTS_PATCHES) * entry_words};
    system_memory = memory->system;
    system_words = memory->system_words;
    beats = writes = 0;
    std::memcpy(command_ram, memory->command, memory->command_words * sizeof *command_ram);
}

uint64_t reading_limit()
{
    return 4096u + cycles_per_word * (job.count + room.count + 4u * FIELD_GET(lists.counts, EXAMINE_COUNTS_LIST));
}

// As the model says, which has done it.
void check_reading(const lists_memory *memory)
{
    const uint32_t expected = lists_model_read(&lists, EXAMINE_LISTS_OFFSET);
    if (top->reg_rdata != expected) fail("LISTS", top->reg_rdata, expected);
    if (FIELD_GET(expected, EXAMINE_LISTS_SOUND) == 0u) return;
    for (const window &part : {job, room})
        for (uint32_t at = part.first; at < part.first + part.count; at++)
            if (command_ram[at] != memory->command[at]) fail("command RAM", command_ram[at], memory->command[at]);
}

// Stopped in a cycle of its work, it writes nothing more and ends; and reads another time as if it had not been.
// With an error in any beat that it needs, it ends by itself and has found nothing sound.
void check_troubles(uint32_t start, const lists_memory *memory)
{
    const uint64_t all_cycles = walk_cycles, all_beats = beats;
    const uint64_t when = noise.below(static_cast<uint32_t>(all_cycles) + 1u);
    begin_reading(start, memory);
    write_register(EXAMINE_READ_OFFSET, start);
    for (uint64_t i = 0; i < when; i++) idle(), tick();
    const bool is_held = noise.chance(30);
    top->core_held = is_held;
    if (is_held) tick();
    else write_register(EXAMINE_STOP_OFFSET, 0);
    top->core_held = 0;
    const uint64_t before = writes;
    stopped += when < all_cycles;
    work(EXAMINE_LISTS_OFFSET, reading_limit());
    if (writes != before) fail("a write after STOP", static_cast<uint32_t>(writes - before), 0);
    if (FIELD_GET(top->reg_rdata, EXAMINE_LISTS_SOUND) != 0u) fail("a sound reading after STOP", top->reg_rdata, 0);
    if (all_beats != 0) {
        begin_reading(start, memory);
        error_at = noise.below(static_cast<uint32_t>(all_beats));
        write_register(EXAMINE_READ_OFFSET, start);
        work(EXAMINE_LISTS_OFFSET, reading_limit());
        error_at = UINT64_MAX;
        // A beat that nothing is needed of may come after all words have been taken.
        const uint32_t expected = lists_model_read(&lists, EXAMINE_LISTS_OFFSET);
        if (top->reg_rdata == expected && FIELD_GET(expected, EXAMINE_LISTS_SOUND) != 0u) return;
        if (FIELD_GET(top->reg_rdata, EXAMINE_LISTS_SOUND) != 0u) fail("an error was not seen", top->reg_rdata, 0);
        seen++;
    }
}

void say_system(uint32_t address, uint32_t count)
{
    for (uint32_t at = address / 4u; at < address / 4u + count && at < system_words; at++)
        say("m", at, system_memory[at]);
}

void read_lists(uint32_t start, const lists_memory *memory)
{
    say_system(lists.list_at, FIELD_GET(lists.counts, EXAMINE_COUNTS_LIST) * LIMIT_BITS_LIST_ENTRY_WORDS);
    say_system(lists.dma_at, job.count);
    say_system(lists.patches_at, FIELD_GET(lists.counts, EXAMINE_COUNTS_PATCHES) * LIMIT_BITS_PATCH_ENTRY_WORDS);
    write_register(EXAMINE_READ_OFFSET, start);
    work(EXAMINE_LISTS_OFFSET, reading_limit());
    check_reading(memory);
    say("w", EXAMINE_READ_OFFSET, start);
    say("s", EXAMINE_LISTS_OFFSET, top->reg_rdata);
    if (FIELD_GET(top->reg_rdata, EXAMINE_LISTS_SOUND) == 0u) return;
    for (const window &part : {job, room})
        for (uint32_t at = part.first; at < part.first + part.count; at++) say("k", at, command_ram[at]);
}

} // namespace

void examiner_door_reset(void)
{
    const bool is_first = top == nullptr;
    if (is_first) begin();
    top->rst = 1;
    top->reg_write = top->reg_read = top->core_held = 0;
    for (int i = 0; i < 3; i++) tick();
    top->rst = 0;
    examiner_model_reset(&model, EXAMINER_LOG2_MAX);
    lists_model_reset(&lists, DOOR_ROWS_LOG2);
    if (is_first) check_limits(), check_bits(), check_cycles(), examiner_door_reset();
}

uint32_t examiner_door_read(uint32_t offset)
{
    const bool is_lists = offset >= EXAMINE_LISTS_OFFSET;
    const uint32_t expected = is_lists ? lists_model_read(&lists, offset) : examiner_model_read(&model, offset);
    const uint32_t is = read_register(offset);
    if (is != expected) fail("a register", is, expected);
    say("r", offset, expected);
    return is;
}

void examiner_door_write(uint32_t offset, uint32_t value, const lists_memory *memory)
{
    static lists_memory given;
    static uint32_t kept[1 << 16];
    if (offset == EXAMINE_READ_OFFSET) {
        begin_reading(value, memory);
        std::memcpy(kept, memory->command, memory->command_words * sizeof *kept);
    }
    if (offset >= EXAMINE_LISTS_OFFSET) lists_model_write(&lists, &model, offset, value, memory);
    else examiner_model_write(&model, offset, value, memory->command, memory->command_words);
    if (offset == EXAMINE_ENTRIES_OFFSET) entries = value;
    if (offset == EXAMINE_START_OFFSET) {
        walk(value, memory->command);
        return;
    }
    if (offset == EXAMINE_READ_OFFSET) {
        given = *memory;
        given.command = kept;
        read_lists(value, memory);
        if (record == nullptr && noise.chance(20)) {
            check_troubles(value, &given);
            begin_reading(value, &given);
            read_lists(value, memory);
        }
        system_memory = nullptr;
        return;
    }
    write_register(offset, value);
    say("w", offset, value);
    if (offset != EXAMINE_STOP_OFFSET) return;
    work(EXAMINE_LISTS_OFFSET, 1024);
    say("s", EXAMINE_LISTS_OFFSET, top->reg_rdata);
}
