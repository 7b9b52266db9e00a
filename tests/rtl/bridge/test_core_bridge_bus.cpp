// SPDX-License-Identifier: Apache-2.0
//
// The core's accesses on the fabric (core_bridge_bus) against a memory: random loads and stores of system memory and of
// a segment, with waits and bus errors, while the memory also changes behind the bridge's back. What a load returns is
// what the memory holds, but a word of system memory may be as old as the last invalidation or store. A beat with an
// error holds noise: it fails a load, or is never seen. Bursts are lines that are loaded from, or the line after in
// the same page; stores have the right lanes.
// Usage: test_core_bridge_bus [seed] [accesses]. Ends with "N passed, N failed".
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vcore_bridge_bus.h"

enum { WORDS = 2048, LINE_WORDS = 16, BEAT_WORDS = 2, PAGE_WORDS = 1024, LINES_ASKED = 8 };
enum { SYSTEM = 0, SEGMENT = 1 };
static const uint32_t base[2] = {0x80000000u, 0x10000000u};

static uint64_t state;
static uint32_t random_below(uint32_t limit)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 32) % limit;
}
static uint32_t noise() { return random_below(0xffffffffu); }

static Vcore_bridge_bus *top;
static uint32_t memory[2][WORDS];
static bool may_be_old[WORDS]; // of system memory: changed behind the bridge while its line may be in a buffer
static uint32_t failed_at[WORDS / LINE_WORDS]; // of the last burst of a line: the word of the beat that failed + 1
static uint32_t asked_lines[LINES_ASKED];      // the last that were loaded from: a read may wait for its grant
static unsigned long failures, checks, lines_read, hits, errors;

static void expect(bool is_right, const char *what, uint32_t is, uint32_t should_be)
{
    checks++;
    if (is_right) return;
    if (failures++ < 10) printf("%s: %08x, should be %08x\n", what, is, should_be);
}

static int space_of(uint32_t address) { return address >= base[SYSTEM] ? SYSTEM : SEGMENT; }

// The slave: one read and one write at a time, as the bridge asks.
static bool is_reading, is_writing, has_address, has_data;
static uint32_t read_at, beats_left, write_at, write_strobes;
static uint32_t segment_word; // of the last read of the segment, + 1, if it failed
static uint32_t failing_beat; // 0: none; else the one that comes when as many are left
static uint64_t write_data;

static void slave(uint32_t error_percent)
{
    top->m_arready = !is_reading && random_below(3) != 0;
    top->m_awready = !has_address && random_below(3) != 0;
    top->m_wready = !has_data && random_below(3) != 0;
    top->m_rvalid = is_reading && beats_left != 0 && random_below(4) != 0;
    top->m_rresp = 0;
    top->m_rlast = beats_left == 1;
    if (top->m_rvalid) {
        const uint32_t word = (read_at & ~7u) % (WORDS * 4u) / 4u;
        const uint32_t *words = &memory[space_of(read_at)][word];
        top->m_rdata = (uint64_t)words[1] << 32 | words[0];
        if (beats_left == failing_beat) {
            top->m_rresp = 2 + random_below(2);
            top->m_rdata = (uint64_t)noise() << 32 | noise();
            (space_of(read_at) == SYSTEM ? failed_at[word / LINE_WORDS] : segment_word) = word + 1u;
        }
    }
    const bool answers = is_writing && has_address && has_data && random_below(3) != 0;
    top->m_bvalid = answers;
    top->m_bresp = answers && random_below(100) < error_percent ? 2 : 0;
}

static void clock_edge(uint32_t error_percent)
{
    top->eval();
    const bool read_asked = top->m_arvalid && top->m_arready, beat = top->m_rvalid, answered = top->m_bvalid;
    if (read_asked) {
        is_reading = true, read_at = top->m_araddr, beats_left = top->m_arlen + 1u;
        failing_beat = random_below(100) < error_percent ? 1 + random_below(beats_left) : 0;
        const bool is_system = space_of(read_at) == SYSTEM;
        expect(beats_left == (is_system ? LINE_WORDS / BEAT_WORDS : 1u), "beats", beats_left, is_system);
        expect(!is_system || read_at % 64u == 0, "a line's address", read_at, read_at & ~63u);
        const uint32_t line = read_at % (WORDS * 4u) / 64u;
        if (is_system) {
            bool is_asked = false;
            for (uint32_t asked : asked_lines)
                is_asked |= line == asked || (line == asked + 1u && line % (PAGE_WORDS / LINE_WORDS) != 0);
            expect(is_asked, "a line to read", line, asked_lines[0]);
            failed_at[line] = 0;
        } else segment_word = 0;
        expect(top->m_arsize == (is_system ? 3 : 2), "size of a beat", top->m_arsize, is_system ? 3 : 2);
        lines_read += is_system;
    } else if (beat) {
        beats_left--, read_at = (read_at & ~7u) + 8u;
        if (beats_left == 0) is_reading = false;
    }
    if (top->m_awvalid && top->m_awready) has_address = is_writing = true, write_at = top->m_awaddr;
    if (top->m_wvalid && top->m_wready) has_data = true, write_data = top->m_wdata, write_strobes = top->m_wstrb;
    if (answered) {
        if (top->m_bresp == 0)
            for (unsigned byte = 0; byte < 8; byte++)
                if (write_strobes >> byte & 1)
                    ((uint8_t *)memory[space_of(write_at)])[(write_at & ~7u) % (WORDS * 4u) + byte] =
                        (uint8_t)(write_data >> 8 * byte);
        is_writing = has_address = has_data = false;
    }
    top->clk = 1, top->eval();
    top->clk = 0, top->eval();
}

static void forget_lines()
{
    for (bool &old : may_be_old) old = false;
}

static void change_memory()
{
    const uint32_t word = random_below(WORDS);
    memory[SYSTEM][word] = noise();
    may_be_old[word] = true;
}

static void access(uint32_t error_percent)
{
    const int space = random_below(4) != 0 ? SYSTEM : SEGMENT;
    const bool is_store = random_below(12) == 0, invalidates = random_below(12) == 0;
    static uint32_t last;
    uint32_t word = (last + random_below(3)) % WORDS;
    if (random_below(12) == 0) word = random_below(2) != 0 ? random_below(WORDS) : PAGE_WORDS - 1u - random_below(40);
    const uint32_t value = noise(), lanes = random_below(3) != 0 ? 15u : 1u + random_below(15);
    const uint32_t before = memory[space][word], lines_before = lines_read, line = word / LINE_WORDS;
    last = word;
    if (invalidates) {
        top->invalidate = 1, slave(error_percent), clock_edge(error_percent), top->invalidate = 0;
        forget_lines();
    }
    for (uint32_t idle = random_below(2) != 0 ? random_below(30) : 0; idle != 0; idle--)
        slave(error_percent), clock_edge(error_percent);
    top->start = 1, top->we = is_store, top->address = base[space] + 4u * word, top->be = is_store ? lanes : 15u;
    top->wdata = value;
    static uint32_t loads;
    if (space == SYSTEM && !is_store) asked_lines[loads++ % LINES_ASKED] = line;
    slave(error_percent), clock_edge(error_percent);
    top->start = 0, top->address = noise(), top->wdata = noise(); // held by nobody
    unsigned patience = 1000;
    while (!top->done && --patience) slave(error_percent), clock_edge(error_percent);
    expect(patience != 0, "an answer", 0, 1);
    if (is_store) {
        uint32_t mask = 0;
        for (unsigned byte = 0; byte < 4; byte++) mask |= lanes >> byte & 1 ? 0xffu << 8 * byte : 0;
        const uint32_t now = (before & ~mask) | (value & mask);
        expect(memory[space][word] == (top->error ? before : now), "stored", memory[space][word], now);
        if (space == SYSTEM) forget_lines(); // a store empties the buffers
        return;
    }
    if (space == SYSTEM && lines_read == lines_before) hits++;
    const uint32_t failed = space == SYSTEM ? failed_at[line] : segment_word;
    const bool may_fail = failed != 0 && (failed - 1u) / BEAT_WORDS == word / BEAT_WORDS;
    errors += top->error;
    expect(!top->error || may_fail, "error", top->error, may_fail);
    if (top->error || (space == SYSTEM && may_be_old[word])) return;
    expect(top->rdata == memory[space][word], "loaded", top->rdata, memory[space][word]);
}

int main(int argc, char **argv)
{
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
    const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;
    state = seed * 0x9e3779b97f4a7c15u + 1;
    Verilated::randReset(2);
    Verilated::randSeed((int)seed);
    top = new Vcore_bridge_bus;
    for (auto &space : memory)
        for (uint32_t &word : space) word = noise();
    top->rst = 1;
    top->start = top->invalidate = 0;
    top->m_arready = top->m_rvalid = top->m_awready = top->m_wready = top->m_bvalid = 0;
    for (int i = 0; i < 3; i++) top->clk = 0, top->eval(), top->clk = 1, top->eval(); // registers held anything
    top->clk = 0, top->eval();
    top->rst = 0;
    for (unsigned long i = 0; i < count && failures < 10; i++) {
        if (random_below(5) == 0) change_memory();
        access(i % 1000 < 500 ? 0 : 15);
    }
    expect(hits > count / 10, "hits", (uint32_t)hits, (uint32_t)(count / 10));
    expect(errors > count / 1000, "errors", (uint32_t)errors, (uint32_t)(count / 1000));
    // Less often than every third access, since what is there is not read again.
    expect(lines_read > count / 10, "lines", (uint32_t)lines_read, (uint32_t)(count / 10));
    expect(lines_read < count * 36 / 100, "lines", (uint32_t)lines_read, (uint32_t)(count * 36 / 100));
    top->final();
    delete top;
    printf("%lu accesses, %lu lines read, %lu hits, %lu checks (seed %lu)\n", count, lines_read, hits, checks, seed);
    printf("%d passed, %d failed\n", failures == 0, failures != 0);
    return failures != 0;
}
