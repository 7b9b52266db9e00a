// SPDX-License-Identifier: Apache-2.0
//
// The fabric under four random readers, the display and three random writers, every beat checked: pages are either
// constant during a round (any reader) or belong to one writer, whose bytes are compared when the round is
// over. Meanwhile spare aperture pages are mapped and unmapped (PGB-37); in the end all are mapped, and reset unmaps
// them. Then rates: segment 1 and the aperture at full speed. Usage: test_fabric [seed] [rounds]. Ends with "N passed,
// N failed".
#include <cstdlib>
#include <cstring>

#include "../../rows.h"
#include "Vfabric_bench.h"
#include "gpu_spec.h"
#include "system_world.h"

enum { READERS = 4, WRITERS = 3, PAGES = 8 + 16, APERTURE_PAGES = 16, SPARE = 12, DUMMY = 14 };
enum { CONSTANT = 3 }; // owner of a page that nobody writes

struct request {
    uint32_t address;
    unsigned beats, done;
    int page;
    uint64_t since;
};

class fabric_test
{
  public:
    explicit fabric_test(uint64_t seed)
        : random{seed * 0x9e3779b97f4a7c15u + 1}, top(new Vfabric_bench), memory(top, random, 16 * 4096),
          image(PAGES * 4096)
    {
        top->rst = 1, top->r_arvalid = 0, top->w_awvalid = 0, top->w_wvalid = 0, top->w_bready = 7, top->map_valid = 0;
        top->reg_write = 0, top->reg_offset = 0;
        top->d_arvalid = 0, top->d_urgent = 0, top->d_reserve = 0;
        for (int i = 0; i < 4; i++) tick();
        top->rst = 0;
        tick();
        memory.latency = 3 + random.below(30), memory.jitter = random.below(20),
        memory.stall_percent = 20 * random.below(3);
        for (uint8_t &byte : image) byte = (uint8_t)random.next();
        memcpy(memory.system.data(), image.data() + 8 * 4096, 16 * 4096);
        for (unsigned i = 0; i < APERTURE_PAGES + 4; i++) tick(); // the sweep
        expect_register("DUMMY after reset", APERTURE_DUMMY_OFFSET, 0);
        expect_register("INDEX after reset", APERTURE_INDEX_OFFSET, 0);
        expect_register("ENTRY after reset", APERTURE_ENTRY_OFFSET, 0);
        check_table();
        write_register(APERTURE_DUMMY_OFFSET, DUMMY);
        for (unsigned i = 0; i < APERTURE_PAGES; i++) frames[i] = DUMMY;
        for (unsigned page = 0; page < 8; page++) load_page(page);
    }
    ~fabric_test()
    {
        top->final();
        delete top;
    }

    random_source random;
    Vfabric_bench *top;
    system_world<Vfabric_bench> memory;
    std::vector<uint8_t> image; // physical pages: 0.. segment 1, 4.. segment 2, 8.. system
    uint32_t frames[APERTURE_PAGES];
    bool is_mapped[APERTURE_PAGES] = {};
    int owner[PAGES];
    uint64_t cycle = 0, longest_wait = 0;
    uint32_t lookups = 0, dummy_hits = 0, snoops = 0, snooped = 0; // snoops: of bursts to coherent pages
    uint32_t entry[APERTURE_PAGES] = {}, index = 0;
    int failures = 0;

    void fail(const char *what, uint64_t is, uint64_t should_be)
    {
        if (failures++ < 5)
            printf("cycle %llu: %s is %llx, should be %llx\n", (unsigned long long)cycle, what, (unsigned long long)is,
                   (unsigned long long)should_be);
    }
    void tick()
    {
        memory.show();
        top->clk = 0;
        top->eval();
        memory.look();
        before_edge();
        top->clk = 1;
        top->eval();
        memory.move();
        cycle++;
    }
    void write_register(uint32_t offset, uint32_t value)
    {
        top->reg_write = 1, top->reg_offset = (uint8_t)offset, top->reg_wdata = value;
        tick();
        top->reg_write = 0;
    }
    uint32_t read_register(uint32_t offset)
    {
        top->reg_offset = (uint8_t)offset;
        top->clk = 0;
        top->eval();
        return top->reg_rdata;
    }
    void expect_register(const char *name, uint32_t offset, uint32_t value)
    {
        if (read_register(offset) != value) fail(name, read_register(offset), value);
    }
    // Every entry by INDEX; the one at which it stands shows what was mapped since. What only tells cannot be written.
    void check_table()
    {
        static const uint32_t silent[] = {APERTURE_PAGES_OFFSET, APERTURE_LOOKUPS_OFFSET, APERTURE_DUMMY_HITS_OFFSET,
                                          APERTURE_ENTRY_OFFSET};
        for (unsigned i = 0; i < 4; i++) tick();
        expect_register("PAGES", APERTURE_PAGES_OFFSET, APERTURE_PAGES);
        expect_register("INDEX", APERTURE_INDEX_OFFSET, index);
        expect_register("ENTRY where INDEX stands", APERTURE_ENTRY_OFFSET, entry[index]);
        for (uint32_t i = 0; i < APERTURE_PAGES; i++) {
            write_register(APERTURE_INDEX_OFFSET, i);
            write_register(silent[i % 4], random.next());
            tick();
            expect_register("ENTRY", APERTURE_ENTRY_OFFSET, entry[i]);
        }
        index = random.below(APERTURE_PAGES);
        write_register(APERTURE_INDEX_OFFSET, index);
    }
    // Reset with every entry mapped leaves none, not even for an INDEX that is written before the sweep has come to it.
    void reset_again()
    {
        map(random.below(2), 0, APERTURE_PAGES, random.below(16), true, false);
        top->rst = 1;
        tick();
        top->rst = 0;
        memset(entry, 0, sizeof entry);
        index = APERTURE_PAGES / 2 + random.below(APERTURE_PAGES / 2);
        write_register(APERTURE_INDEX_OFFSET, index);
        for (unsigned i = 0; i < APERTURE_PAGES + 4; i++) tick();
        check_table();
    }
    // A map of this node has been taken: what the pins say, entry by entry.
    void note_map(unsigned node)
    {
        const uint32_t first = top->map_first >> 16 * node & 0xffff, count = top->map_count >> 16 * node & 0xffff;
        const uint32_t frame = (uint32_t)(top->map_frame >> 20 * node) & 0xfffff;
        const bool grows = top->map_increment >> node & 1, is_map = top->map_mapped >> node & 1;
        const bool coherent = is_map && (top->map_coherent >> node & 1);
        for (uint32_t i = 0; i < count && first + i < APERTURE_PAGES; i++)
            entry[first + i] = FIELD_PUT((frame + (grows ? i : 0)) & 0xfffff, APERTURE_ENTRY_FRAME) |
                               FIELD_PUT(1, APERTURE_ENTRY_VALID) | FIELD_PUT(is_map, APERTURE_ENTRY_MAPPED) |
                               FIELD_PUT(coherent, APERTURE_ENTRY_COHERENT);
    }
    void map(unsigned node, uint32_t first, uint32_t count, uint32_t frame, bool is_map, bool coherent)
    {
        set_map(node, first, count, frame, is_map, coherent);
        while (top->map_valid) {
            tick();
            release();
        }
    }

    // ------------------------------------------------------------------ masters
    std::deque<request> reads[READERS], writes[WRITERS], answers[WRITERS]; // waiting for data, data, B
    request offered_read[READERS], offered_write[WRITERS];
    std::deque<request> shows; // the display's, waiting for data
    request offered_show{};
    bool took_show = false;
    uint32_t shown = 0;
    unsigned percent = 50; // how often an idle master offers a burst
    bool is_running = false;

    // The display: bursts of at most sixteen beats in the segments, urgent or reserving for a while.
    void drive_display()
    {
        if (random.chance(2)) top->d_urgent = is_running && random.chance(50);
        if (random.chance(2)) top->d_reserve = is_running && random.chance(20);
        if (!is_running) top->d_urgent = top->d_reserve = 0;
        if (top->d_arvalid || !is_running || shows.size() >= 2 || !random.chance(percent)) return;
        uint32_t page = random.below(8);
        if (owner[page] != CONSTANT) return;
        unsigned beats = 1 + random.below(16);
        uint32_t address = page < 4 ? 0x10000000 + page * 4096 : 0x20000000 + (page - 4) * 4096;
        offered_show = {address + 8 * random.below(512 - beats + 1), beats, 0, (int)page, cycle};
        top->d_araddr = offered_show.address, top->d_arlen = (uint8_t)(offered_show.beats - 1), top->d_arvalid = 1;
    }
    void look_at_display()
    {
        took_show = top->d_arvalid && top->d_arready;
        if (took_show) shows.push_back(offered_show);
        if (!top->d_rvalid) return;
        if (shows.empty()) {
            fail("data for the display without a burst", 0, 0);
            return;
        }
        request &one = shows.front();
        uint64_t should_be = 0;
        memcpy(&should_be, image.data() + one.page * 4096 + (one.address & 4095) + 8 * one.done, 8);
        if (top->d_rdata != should_be) fail("data for the display", top->d_rdata, should_be);
        if (++one.done == one.beats) shows.pop_front(), shown++;
    }

    void drive()
    {
        drive_display();
        for (unsigned m = 0; m < READERS; m++)
            if (!(top->r_arvalid >> m & 1) && is_running && reads[m].size() < 12 && random.chance(percent)) {
                offered_read[m] = pick(CONSTANT);
                top->r_araddr[m] = offered_read[m].address;
                top->r_arlen = (top->r_arlen & ~(0xffu << 8 * m)) | (offered_read[m].beats - 1) << 8 * m;
                top->r_arsize = 03333; // octal: 8 bytes for every master
                top->r_arvalid |= (uint8_t)(1 << m);
            }
        for (unsigned m = 0; m < WRITERS; m++) {
            if (!(top->w_awvalid >> m & 1) && is_running && writes[m].size() + answers[m].size() < 8 &&
                random.chance(percent)) {
                offered_write[m] = pick((int)m);
                top->w_awaddr[m] = offered_write[m].address;
                top->w_awlen = (top->w_awlen & ~(0xffu << 8 * m)) | (offered_write[m].beats - 1) << 8 * m;
                top->w_awsize = 0333;
                top->w_awvalid |= (uint8_t)(1 << m);
                writes[m].push_back(offered_write[m]); // data may come first
            }
            if (!(top->w_wvalid >> m & 1) && !writes[m].empty() && random.chance(80)) {
                const request &w = writes[m].front();
                top->w_wdata[2 * m] = random.next(), top->w_wdata[2 * m + 1] = random.next();
                unsigned strobes = random.chance(50) ? 255 : random.below(256);
                top->w_wstrb = (top->w_wstrb & ~(0xffu << 8 * m)) | strobes << 8 * m;
                top->w_wlast = (uint8_t)((top->w_wlast & ~(1 << m)) | (w.done == w.beats - 1) << m);
                top->w_wvalid |= (uint8_t)(1 << m);
            }
        }
        top->w_bready = (uint8_t)(random.chance(80) ? 7 : random.below(8));
        if (is_running)
            for (unsigned node = 0; node < 2; node++)
                if (!(top->map_valid >> node & 1) && random.chance(5)) {
                    uint32_t first = SPARE + 2 * node + random.below(2);
                    set_map(node, first, first % 2 == 0 ? 1 + random.below(2) : 1, random.below(16), random.chance(60),
                            random.chance(50));
                }
    }
    // Handshakes of this cycle; unless rates are measured, everything is checked.
    void before_edge()
    {
        if (top->rst) return;
        took_read = top->r_arvalid & top->r_arready;
        took_address = top->w_awvalid & top->w_awready;
        took_data = top->w_wvalid & top->w_wready;
        took_map = top->map_valid & top->map_ready;
        for (unsigned node = 0; node < 2; node++)
            if (took_map >> node & 1) note_map(node);
        const bool snoops_read = top->m_arvalid && top->m_arready && top->m_aruser;
        const bool snoops_write = top->m_awvalid && top->m_awready && top->m_awuser;
        if (snoops_read && !(top->m_araddr >> 12 & 1)) fail("a read that must not snoop", top->m_araddr, 0);
        if (snoops_write && !(top->m_awaddr >> 12 & 1)) fail("a write that must not snoop", top->m_awaddr, 0);
        snooped += snoops_read + snoops_write;
        if (is_measuring) return;
        look_at_display();
        for (unsigned m = 0; m < READERS; m++) {
            if (took_read >> m & 1) {
                reads[m].push_back(offered_read[m]);
                if (cycle - offered_read[m].since > longest_wait) longest_wait = cycle - offered_read[m].since;
            }
            if (top->r_rvalid >> m & 1) check_read(m);
        }
        for (unsigned m = 0; m < WRITERS; m++) {
            if (took_data >> m & 1) take_data(m);
            if (top->w_bvalid >> m & top->w_bready >> m & 1) check_answer(m);
        }
    }
    void step()
    {
        drive();
        tick();
        release();
    }
    void release()
    {
        top->r_arvalid &= (uint8_t)~took_read;
        top->w_awvalid &= (uint8_t)~took_address;
        top->w_wvalid &= (uint8_t)~took_data;
        top->map_valid &= (uint8_t)~took_map;
        if (took_show) top->d_arvalid = 0;
        took_show = false;
    }
    bool is_quiet() const
    {
        for (unsigned m = 0; m < READERS; m++)
            if (!reads[m].empty() || top->r_arvalid) return false;
        for (unsigned m = 0; m < WRITERS; m++)
            if (!writes[m].empty() || !answers[m].empty() || top->w_awvalid) return false;
        return memory.is_quiet() && !top->map_valid && !top->d_arvalid && shows.empty();
    }
    void drain()
    {
        is_running = false;
        unsigned patience = 20000;
        while (!is_quiet() && patience) step(), patience--;
        if (patience == 0) fail("not drained, cycles", 20000, 0);
    }

    // A round of traffic, then everything is compared.
    void round(unsigned cycles)
    {
        for (unsigned page = 0; page < PAGES; page++) owner[page] = (int)random.below(4);
        for (int who = 0; who < 4; who++) owner[8 + who] = who, owner[who] = who, owner[4 + who] = who;
        // The two nodes map the aperture for this round; odd frames are coherent.
        for (unsigned i = 0; i < SPARE; i++) {
            uint32_t frame = random.below(16);
            is_mapped[i] = random.chance(80);
            map(i & 1, i, 1, frames[i] = frame, is_mapped[i], frame & 1);
        }
        is_running = true;
        for (unsigned i = 0; i < cycles; i++) step();
        drain();
        std::vector<uint8_t> copy(image);
        for (unsigned page = 0; page < 8; page++) fetch_page(page, copy.data() + page * 4096);
        memcpy(copy.data() + 8 * 4096, memory.system.data(), 16 * 4096);
        for (unsigned i = 0; i < copy.size() && failures == 0; i++)
            if (copy[i] != image[i])
                fail("byte after the round", copy[i], image[i]),
                    printf("  physical %x, owner %d\n", i, owner[i / 4096]);
        expect_register("LOOKUPS", APERTURE_LOOKUPS_OFFSET, lookups);
        expect_register("DUMMY_HITS", APERTURE_DUMMY_HITS_OFFSET, dummy_hits);
        expect_register("DUMMY", APERTURE_DUMMY_OFFSET, DUMMY);
        if (snooped != snoops) fail("bursts that snoop", snooped, snoops);
        check_table();
    }

    // Beats per cycle of `readers` and `writers` that only do bursts of `beats` in 16 KiB from `base`.
    double rate(uint32_t base, unsigned readers, unsigned writers, unsigned beats, unsigned cycles)
    {
        uint32_t at[READERS] = {}, to[WRITERS] = {};
        unsigned left[WRITERS];
        for (unsigned &one : left) one = beats;
        is_measuring = true;
        top->r_arsize = 03333, top->w_awsize = 0333, top->w_wstrb = 0xffffff, top->w_bready = 7;
        top->r_arlen = (beats - 1) * 0x01010101u, top->w_awlen = (beats - 1) * 0x010101u;
        uint32_t beats_before = 0;
        for (unsigned i = 0; i < 2 * cycles; i++) {
            if (i == cycles)
                beats_before = top->segment1_beats + top->segment2_beats + top->system_beats; // steady by now
            for (unsigned m = 0; m < readers; m++) top->r_araddr[m] = base + at[m] % 16384;
            for (unsigned m = 0; m < writers; m++) {
                top->w_awaddr[m] = base + to[m] % 16384;
                top->w_wlast = (uint8_t)((top->w_wlast & ~(1 << m)) | (left[m] == 1) << m);
            }
            top->r_arvalid = (uint8_t)((1 << readers) - 1);
            top->w_awvalid = top->w_wvalid = (uint8_t)((1 << writers) - 1);
            tick();
            for (unsigned m = 0; m < READERS; m++)
                if (took_read >> m & 1) at[m] += 8 * beats;
            for (unsigned m = 0; m < WRITERS; m++) {
                if (took_address >> m & 1) to[m] += 8 * beats;
                if (took_data >> m & 1) left[m] = left[m] == 1 ? beats : left[m] - 1;
            }
        }
        return (double)(top->segment1_beats + top->segment2_beats + top->system_beats - beats_before) / cycles;
    }

  private:
    uint8_t took_read = 0, took_address = 0, took_data = 0, took_map = 0;
    bool is_measuring = false;

    // A burst inside one page whose physical page this master may use, or (rarely) outside every space.
    request pick(int who)
    {
        unsigned beats = random.chance(30) ? 1 : 1 + random.below(32);
        uint32_t offset = 8 * random.below(512 - beats + 1);
        if (random.chance(4)) {
            static const uint32_t bad[] = {0x00001000, 0x10004000, 0x20004000, 0x30010000,
                                           0x40000000, 0x50000000, 0x7ffff000};
            // Often right after a space's end, where a comparison that is one off would let it in.
            return {bad[random.below(7)] + (random.chance(50) ? 0 : offset), beats, 0, -1, cycle};
        }
        for (;;) {
            uint32_t address, physical, number;
            switch (random.below(4)) {
            case 0: number = random.below(4), address = 0x10000000 + number * 4096, physical = number; break;
            case 1: number = random.below(4), address = 0x20000000 + number * 4096, physical = 4 + number; break;
            case 2:
                number = random.below(SPARE), address = 0x30000000 + number * 4096, physical = 8 + frames[number];
                break;
            default: number = random.below(16), address = 0x80000000 + number * 4096, physical = 8 + number; break;
            }
            if (owner[physical] != who) continue;
            if (address >> 28 == 3)
                lookups++, dummy_hits += !is_mapped[number], snoops += is_mapped[number] && frames[number] % 2 != 0;
            return {address + offset, beats, 0, (int)physical, cycle};
        }
    }
    void check_read(unsigned m)
    {
        if (reads[m].empty()) {
            fail("data without a burst, master", m, 0);
            return;
        }
        request &one = reads[m].front();
        uint64_t is = (uint64_t)top->r_rdata[2 * m] | (uint64_t)top->r_rdata[2 * m + 1] << 32, should_be = 0;
        unsigned response = top->r_rresp >> 2 * m & 3;
        if (response != (one.page < 0 ? 3u : 0u)) fail("RRESP", response, one.page < 0 ? 3 : 0);
        if (one.page >= 0) {
            memcpy(&should_be, image.data() + one.page * 4096 + (one.address & 4095) + 8 * one.done, 8);
            if (is != should_be) fail("data read", is, should_be);
        }
        one.done++;
        if ((top->r_rlast >> m & 1) != (one.done == one.beats))
            fail("RLAST", top->r_rlast >> m & 1, one.done == one.beats);
        if (one.done == one.beats) reads[m].pop_front();
    }
    void take_data(unsigned m)
    {
        request &one = writes[m].front();
        for (unsigned lane = 0; lane < 8 && one.page >= 0; lane++)
            if (top->w_wstrb >> (8 * m + lane) & 1)
                image[one.page * 4096 + (one.address & 4095) + 8 * one.done + lane] =
                    (uint8_t)(top->w_wdata[2 * m + lane / 4] >> 8 * (lane % 4));
        if (++one.done == one.beats) answers[m].push_back(one), writes[m].pop_front();
    }
    void set_map(unsigned node, uint32_t first, uint32_t count, uint32_t frame, bool is_map, bool coherent)
    {
        uint32_t shift = 16 * node;
        uint64_t frame_shift = 20 * node;
        top->map_first = (top->map_first & ~(0xffffu << shift)) | first << shift;
        top->map_count = (top->map_count & ~(0xffffu << shift)) | count << shift;
        top->map_frame = (top->map_frame & ~(0xfffffull << frame_shift)) | (uint64_t)frame << frame_shift;
        top->map_increment = (uint8_t)((top->map_increment & ~(1 << node)) | is_map << node);
        top->map_mapped = (uint8_t)((top->map_mapped & ~(1 << node)) | is_map << node);
        top->map_coherent = (uint8_t)((top->map_coherent & ~(1 << node)) | coherent << node);
        top->map_valid |= (uint8_t)(1 << node);
    }
    void check_answer(unsigned m)
    {
        if (answers[m].empty()) {
            fail("answer without a burst, master", m, 0);
            return;
        }
        unsigned response = top->w_bresp >> 2 * m & 3, expected = answers[m].front().page < 0 ? 3 : 0;
        if (response != expected) fail("BRESP", response, expected);
        answers[m].pop_front();
    }
    // One page of a segment through the core's reader.
    void fetch_page(unsigned page, uint8_t *bytes)
    {
        uint32_t base = page < 4 ? 0x10000000 + page * 4096 : 0x20000000 + (page - 4) * 4096;
        is_measuring = true;
        for (unsigned at = 0; at < 4096; at += 256) {
            top->r_araddr[3] = base + at, top->r_arlen = 31u << 24, top->r_arsize = 03333, top->r_arvalid = 8;
            for (unsigned beat = 0; beat < 32; release()) {
                top->clk = 0;
                top->eval();
                if (top->r_rvalid >> 3 & 1) memcpy(bytes + at + 8 * beat++, &top->r_rdata[6], 8);
                tick();
            }
        }
        is_measuring = false;
    }
    // Segments start with random bytes: the bench's image is written through the core's writer.
    void load_page(unsigned page)
    {
        uint32_t base = page < 4 ? 0x10000000 + page * 4096 : 0x20000000 + (page - 4) * 4096;
        is_measuring = true;
        for (unsigned at = 0; at < 4096; at += 256) {
            top->w_awaddr[2] = base + at, top->w_awlen = 31u << 16, top->w_awsize = 0333, top->w_awvalid = 4,
            top->w_wstrb = 0xffffff;
            for (unsigned beat = 0; beat < 32; release()) {
                memcpy(&top->w_wdata[4], image.data() + page * 4096 + at + 8 * beat, 8);
                top->w_wvalid = 4, top->w_wlast = (beat == 31) << 2;
                tick();
                beat += took_data >> 2 & 1;
            }
            for (bool is_answered = false; !is_answered; tick()) {
                top->clk = 0;
                top->eval();
                is_answered = top->w_bvalid >> 2 & 1;
            }
        }
        is_measuring = false;
    }
};

static void expect_rate(int *failed, const char *what, double is, double at_least)
{
    printf("%-44s %.3f beats per cycle, at least %.3f\n", what, is, at_least);
    *failed += is < at_least;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
    int passed = 0, failed = 0, slow = 0;
    uint64_t longest = 0, snooped = 0, cycles = 0;
    Verilated::randReset(2);
    Verilated::randSeed((int)seed);
    rows_begin("PGB-37");
    for (unsigned i = 0; i < rounds; i++) {
        fabric_test test(seed * 1000 + i);
        static const unsigned eagerness[] = {100, 50, 10};
        test.percent = eagerness[i % 3];
        for (unsigned k = 0; k < 2 && test.failures == 0; k++) test.round(1500);
        if (test.failures == 0) test.reset_again();
        if (test.memory.protocol_errors) test.failures++;
        if (test.shown == 0) test.fail("bursts of the display", 0, 1);
        if (test.failures) printf("round %u of seed %llu failed\n", i, (unsigned long long)seed);
        if (test.failures) failed++;
        else passed++;
        if (test.longest_wait > longest) longest = test.longest_wait;
        snooped += test.memory.snooped, cycles += test.cycle;
    }
    printf("longest wait of a read address: %llu cycles; bursts with the snoop hint: %llu\n",
           (unsigned long long)longest, (unsigned long long)snooped);
    if (snooped == 0) failed++;
    rows_checks = (unsigned)passed;
    rows_end(failed == 0);
    struct {
        const char *name;
        uint32_t base;
        unsigned readers, writers, beats;
        double at_least;
    } rates[] = {
        {"segment 1, one reader, 16 beats", 0x10000000, 1, 0, 16, 1.0},
        {"segment 1, one reader, 1 beat", 0x10000000, 1, 0, 1, 0.5}, // an address every other cycle
        {"segment 1, four readers, 8 beats", 0x10000000, 4, 0, 8, 1.0},
        {"segment 1, one writer, 8 beats", 0x10000000, 0, 1, 8, 1.0},
        {"segment 1, three writers, 8 beats", 0x10000000, 0, 3, 8, 1.0},
        {"segment 1, two readers and a writer, 8 beats", 0x10000000, 2, 1, 8, 2.0},
        {"system, one reader, 8 beats", 0x80000000, 1, 0, 8, 1.0},
        {"system, one writer, 8 beats", 0x80000000, 0, 1, 8, 1.0},
        {"aperture, one reader, 8 beats", 0x30000000, 1, 0, 8, 1.0},
        {"aperture, one writer, 8 beats", 0x30000000, 0, 1, 8, 1.0},
        {"aperture, reader and writer, 8 beats", 0x30000000, 1, 1, 8, 2.0},
        {"segment 2, reader and writer, 8 beats", 0x20000000, 1, 1, 8, 0.5},
    };
    for (const auto &r : rates) {
        fabric_test test(seed);
        test.memory.latency = 40, test.memory.jitter = 0, test.memory.stall_percent = 0, test.memory.queue = 64;
        expect_rate(&slow, r.name, test.rate(r.base, r.readers, r.writers, r.beats, 800), r.at_least - 0.001);
    }
    if (slow) failed++;
    else passed++;
    printf("%llu cycles\n%d passed, %d failed\n", (unsigned long long)cycles, passed, failed);
    return failed != 0;
}
