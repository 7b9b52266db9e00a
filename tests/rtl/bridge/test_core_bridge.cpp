// SPDX-License-Identifier: Apache-2.0
//
// The bridge of the control core (core_bridge) against a model: random accesses to every space and past each one's end,
// with core memory, command RAM, register bus, cache and fabric around it that take their time and fail; holds and
// resets in the middle of anything, the host loading while the core is held. What a load returns is what the accesses
// before it have left; answers come in order and when they are promised; what nothing asked for does not happen.
// Usage: test_core_bridge [seed] [cycles]. Ends with "N passed, N failed".
#include <cstdlib>
#include <cstring>

#include "Vcore_bridge.h"
#include "bridge_world.h"

enum kind { TCM, REGISTER, COMMAND, BUS, REGION, NOWHERE, KINDS };
static const char *const kind_names[KINDS] = {"core memory", "register", "command RAM", "fabric", "region", "nowhere"};

struct request {
    uint32_t address, be, wdata, expected;
    bool we, fails;
    kind to;
    uint64_t since;
};

class bridge_test
{
  public:
    explicit bridge_test(uint64_t seed) : random{seed * 0x9e3779b97f4a7c15u + 1}, top(new Vcore_bridge), fabric(random)
    {
        for (uint32_t i = 0; i < world::WORDS; i++) is.word[i] = random.next();
        should = is;
        reset();
    }
    ~bridge_test()
    {
        top->final();
        delete top;
    }

    void cycle()
    {
        if (now % 9973 == 9000) reset();
        drive();
        top->clk = 0, top->eval();
        observe();
        top->clk = 1, top->eval();
        now++;
    }

    unsigned long failures = 0, checks = 0, count[KINDS] = {}, refused = 0, loaded = 0, holds = 0;

    void finish()
    {
        wants = false, stops = true;
        for (unsigned i = 0; i < 3000; i++) cycle();
        for (uint32_t i = 0; i < world::WORDS; i++) expect(is.word[i] == should.word[i], "at the end", is.word[i], i);
    }

  private:
    random_source random;
    Vcore_bridge *top;
    bridge_fabric fabric;
    world is, should; // what the memories hold, and what they have to when all that was accepted is done
    uint64_t now = 0, released = 0;
    bool wants = false, is_out = false, stops = false;
    request next = {}, last = {};     // the one that is offered, and the last accepted: under way while is_out
    unsigned held = 0, hold_left = 0; // cycles since the hold began; how many are left
    // The targets' answers in the next cycle.
    uint32_t tcm_comes = 0, command_comes = 0, register_comes = 0;
    bool register_answers = false, register_asked = false, region_is_busy = false;
    unsigned region_left = 0, tail = 0; // cycles until the cache answers, and for which it is busy besides
    uint32_t region_word = 0;
    bool was_busy = false, answers_next = false;
    enum { NOTHING, WAITS_TCM, WAITS_READ, WAITS_WRITE } host = NOTHING;
    uint32_t host_address = 0, host_word = 0, host_seen = 0x08000000, system_seen = 0x80000000;
    uint32_t asked_before = 0, looked_before = 0; // in the last cycle: load_address, and what core memory read
    bool host_may_look = false, is_behind = false;
    unsigned busy_for = 0;
    uint64_t wanted_at = 0;

    void expect(bool is_right, const char *what, uint32_t value, uint32_t other)
    {
        checks++;
        if (is_right) return;
        if (failures++ < 10)
            printf("cycle %llu: %s: %08x, %08x; last %s %08x\n", (unsigned long long)now, what, value, other,
                   kind_names[last.to], last.address);
    }

    void reset()
    {
        fabric.forget(top);
        top->cache_rvalid = top->cache_busy = top->cache_gnt = 0;
        for (int i = 0; i < 4; i++) { // whatever is asked in the meantime is forgotten
            top->rst = 1, top->d_req = i != 0 && random.chance(70), top->core_held = random.chance(50);
            top->d_addr = random.chance(50) ? 0x40000000u : 0x80000000u, top->d_we = random.chance(50), top->d_be = 15;
            top->load_write = random.chance(50), top->load_address = 0x08000000u + 4u * random.below(64);
            top->reg_gnt = random.chance(50), top->invalidate = random.chance(50);
            top->clk = 0, top->eval();
            observe_memories();
            top->clk = 1, top->eval();
        }
        top->rst = 0;
        wants = is_out = register_answers = register_asked = region_is_busy = was_busy = answers_next = false;
        held = hold_left = region_left = tail = 0, host = NOTHING;
        should = is; // what was under way may have been done or not
    }

    kind target(uint32_t address, bool we, uint32_t be)
    {
        const uint32_t space = address >> 28;
        if (space == 0 && address < world::TCM_BYTES) return TCM;
        if (address >= 0x08000000u && address < 0x08000000u + world::REGION_BYTES) return REGION;
        if (space == 4 && (address & 0x0ffff000u) == 0 && (!we || be == 15)) return REGISTER;
        if (space == 5 && (address & 0x0fffffffu) < world::COMMAND_BYTES) return COMMAND;
        if (space == REGION_SEGMENT && address >= world::REGION_AT) return NOWHERE;
        return space >= 8 || (space >= 1 && space <= 3) ? BUS : NOWHERE;
    }

    void pick()
    {
        static const uint32_t bases[] = {0,          0,          0x08000000, 0x10000000, 0x20000000,
                                         0x30000000, 0x40000000, 0x50000000, 0x80000000, 0xfffff000};
        static const uint32_t ends[] = {world::TCM_BYTES, 0x08000000 - 4u, 0x08000000 + world::REGION_BYTES,
                                        world::REGION_AT, 0x40001000,      0x50000000 + world::COMMAND_BYTES,
                                        0x60000000,       0x70000000,      0x7ffffffc,
                                        0x48000000,       0x54000000,      0x18000000};
        next.we = random.chance(40);
        next.be = next.we ? 1 + random.below(15) : random.chance(50) ? 15 : 1u << random.below(4);
        if (random.chance(50)) next.be = 15;
        next.wdata = random.next();
        if (random.chance(4)) next.address = random.chance(50) ? system_seen : host_seen;
        else if (random.chance(60))
            next.address = (next.address & ~0xfffu) | ((next.address + 4u * random.below(3)) & 0xfffu);
        else if (random.chance(15))
            next.address = ends[random.below(sizeof ends / sizeof ends[0])] - 8u + 4u * random.below(4);
        else next.address = bases[random.below(sizeof bases / sizeof bases[0])] + 4u * random.below(2048);
        wants = true;
    }

    // ------------------------------------------------------------------ before the edge

    void drive()
    {
        top->invalidate = 0;
        if (held != 0 && host == WAITS_WRITE && hold_left < 3) hold_left = 3; // it waits before it releases the core
        if (held != 0 && --hold_left == 0) held = 0, released = now, host = NOTHING;
        else if (held == 0 && !stops && random.below(400) == 0)
            hold_left = 3 + random.below(random.chance(40) ? 6 : 200), held = 1, holds++;
        else if (held != 0) held++;
        if (held > 1) wants = false; // the core asks for nothing from its second cycle on
        if (held == 0 && !wants && !stops && random.chance(70)) pick();
        top->core_held = held != 0;
        top->d_req = wants;
        top->d_we = next.we, top->d_addr = next.address, top->d_be = (uint8_t)next.be, top->d_wdata = next.wdata;
        top->d_store_addr = next.we ? next.address : random.next();
        top->d_store_be = next.we ? (uint8_t)next.be : random.below(16);
        top->d_load_addr = next.we ? random.next() : next.address;
        top->d_loads = wants && !next.we ? 1 : random.chance(50);
        if (!wants) top->d_we = random.chance(50), top->d_be = random.below(16), top->d_wdata = random.next();
        // What the host has not ordered to be seen changes unseen: only while the core is held, or with the pulse.
        const bool is_idle = held == 0 && !wants && !is_out && now > released + 100;
        if (is_idle ? random.chance(20) : held > 2 && random.chance(5)) {
            const uint32_t line = world::at(system_seen) & ~15u,
                           anywhere = world::SYSTEM + random.below(world::SYSTEM_BYTES / 4);
            const uint32_t at = random.chance(70) ? line + random.below(16) : anywhere;
            is.word[at] = should.word[at] = random.next();
            top->invalidate = is_idle;
        } else if (random.below(50) == 0) top->invalidate = 1;
        top->tcm_rdata = tcm_comes, top->command_rdata = command_comes;
        top->reg_rdata = register_answers ? register_comes : random.next();
        top->reg_gnt = random.chance(30);
        top->cache_gnt = !region_is_busy && random.chance(50);
        top->cache_rvalid = region_is_busy && region_left == 0;
        top->cache_rdata = top->cache_rvalid ? region_word : random.next();
        top->cache_err = top->cache_rvalid ? last.fails : random.chance(50);
        top->cache_busy = region_is_busy || tail != 0;
        fabric.drive(top, is);
        drive_host();
    }

    void drive_host()
    {
        top->load_write = held == 0 && random.chance(5), top->load_wdata = random.next(); // not while the core runs
        if (held == 0 && random.below(300) == 0) top->load_address = random.next();
        if (is_behind) top->load_address += 4; // as its registers go on to the next word at once
        is_behind = false;
        const bool gives_up = host == WAITS_READ && random.chance(10);
        if (held < 3 || (host != NOTHING && !gives_up) || hold_left < 3) return;
        host = NOTHING;
        const bool is_region = random.chance(60);
        host_address = is_region ? 0x08000000u + 4u * random.below(world::REGION_BYTES / 4)
                                 : 4u * random.below(world::TCM_BYTES / 4);
        if (random.chance(20)) host_address = top->load_address; // the same once more
        if (target(host_address, false, 15) != REGION && target(host_address, false, 15) != TCM) return;
        const bool is_write = random.chance(50) && !gives_up;
        if (is_write && top->load_busy) return;
        top->load_address = host_address;
        host_may_look = false;
        const bool is_tcm = target(host_address, false, 15) == TCM;
        host = is_write ? WAITS_WRITE : is_tcm ? WAITS_TCM : WAITS_READ;
        top->load_write = is_behind = is_write, host_word = top->load_wdata, host_seen = host_address;
        if (is_write) should.word[world::at(host_address)] = host_word;
    }

    // ------------------------------------------------------------------ with everything settled

    void observe()
    {
        const bool was_out = is_out;
        observe_answer();
        observe_grant(was_out);
        observe_memories();
        observe_registers();
        observe_region();
        fabric.observe(top, is);
        failures += fabric.failures, fabric.failures = 0;
        observe_host();
        was_busy = top->cache_busy;
    }

    void observe_answer()
    {
        if (held > 2) is_out = false; // nothing waits for it any more
        if (!top->d_rvalid) {
            expect(!answers_next || held > 0, "no answer in time", 0, 0);
            expect(!is_out || now - last.since < 2000, "no answer", 0, 0);
            answers_next = false;
            return;
        }
        answers_next = false;
        if (held != 0 && held < 3) {
            is_out = false;
            return;
        }
        expect(is_out, "an answer that nothing waits for", top->d_rdata, held);
        is_out = false;
        expect(top->d_err == last.fails, "error", top->d_err, last.fails);
        if (!last.we && (!last.fails || last.to == NOWHERE))
            expect(top->d_rdata == last.expected, "loaded", top->d_rdata, last.expected);
        refused += last.fails;
    }

    void observe_grant(bool was_out)
    {
        const bool is_free = !was_out || top->d_rvalid;
        if (!wants || (held != 0 && top->d_gnt == 0)) return;
        const kind to = target(next.address, next.we, next.be);
        if (!top->d_gnt) { // at once, but while the cache takes none
            expect(!is_free || now < released + 200 || !top->cache_gnt, "not granted", next.address, to);
            return;
        }
        expect(is_free, "granted too early", next.address, to);
        last = next, last.to = to, last.since = now;
        last.fails = to == NOWHERE || (to == BUS && fabric.is_bad(last.address)) || (to == REGION && random.chance(10));
        last.expected = to == NOWHERE ? 0 : should.word[world::at(last.address)];
        // In the first cycle of a hold core memory is the host's already: what the core stores there is lost.
        if (last.we && !last.fails && to != REGISTER && !(to == TCM && held != 0))
            should.store(world::at(last.address), last.be, last.wdata);
        wants = false, is_out = true, count[to]++;
        answers_next = to == TCM || to == COMMAND || to == NOWHERE;
        if (to == REGISTER) register_asked = true;
        if (to == BUS && last.address >> 31) system_seen = last.address;
        if (to == BUS) fabric.asked(last.address, last.we, last.be, last.wdata);
    }

    void observe_memories()
    {
        tcm_comes = is.word[top->tcm_word % (world::TCM_BYTES / 4)];
        if (top->tcm_write) is.store(top->tcm_word, top->tcm_write, top->tcm_wdata);
        const uint32_t at = world::COMMAND_AT + top->command_word;
        command_comes = is.word[at];
        if (top->command_write) is.store(at, top->command_write, top->command_wdata);
    }

    void observe_registers()
    {
        if (register_answers) {
            expect(held != 0 || top->d_rvalid || !register_waits, "no answer after the grant", 0, 0);
            register_answers = false;
        }
        if (!top->reg_req) return;
        expect(register_asked && last.to == REGISTER, "a register that nothing asks for", top->reg_address, 0);
        expect(top->reg_we == last.we && top->reg_address == (last.address & 0xfffu) &&
                   (!last.we || top->reg_wdata == last.wdata),
               "register access", top->reg_address, last.address);
        expect(!fabric.is_storing(), "a register while a store is under way", 0, 0);
        if (!top->reg_gnt) return;
        register_comes = random.next(), register_answers = true, register_asked = false;
        register_waits = is_out && last.to == REGISTER;
        last.expected = register_comes;
    }
    bool register_waits = false;

    void observe_region()
    {
        if (tail != 0) tail--;
        if (top->cache_rvalid) region_is_busy = false, tail = random.chance(30) ? random.below(40) : 0;
        else if (region_left != 0) region_left--;
        if (!top->cache_req || !top->cache_gnt) return;
        expect(wants || top->d_gnt, "the cache is asked for nothing", 0, 0);
        region_is_busy = true, region_left = random.chance(50) ? 0 : random.below(20);
        const uint32_t at = world::at(last.address);
        region_word = is.word[at];
        expect(last.to == REGION && last.since == now, "the cache is asked for something else", last.address, 0);
        if (last.we && !last.fails) is.store(at, last.be, last.wdata);
    }

    void observe_host()
    {
        if (fabric.begins_in_region(top)) {
            expect(held > 2 || now < released + 200, "the region past the cache", 0, 0);
            expect(!was_busy, "the region while the cache is at work", 0, 0);
            expect(now < wanted_at + 60, "the region for nothing", top->load_address, 0);
        }
        if (target(host == WAITS_WRITE ? host_seen : top->load_address, false, 15) == REGION) wanted_at = now;
        busy_for = held > 2 && top->load_busy && !top->cache_busy ? busy_for + 1 : 0;
        expect(busy_for < 200, "the host waits for ever", held, 0);
        const bool must_wait = held == 1 || held == 2 || (held != 0 && (top->cache_busy || fabric.is_storing()));
        expect(!must_wait || top->load_busy, "the host need not wait", held, 0);
        expect(held != 0 || now < released + 200 || !top->load_busy, "the host has to wait", 0, 0);
        // load_rdata is the word at load_address of the cycle before, while the host need not wait.
        if (held > 2 && !top->load_busy && target(asked_before, false, 15) == TCM)
            expect(looked_before == asked_before / 4, "what the host reads of core memory", looked_before,
                   asked_before);
        asked_before = top->load_address, looked_before = top->tcm_write == 0 ? top->tcm_word : ~0u;
        if (host == NOTHING) {
            host_may_look = true;
            return;
        }
        if (host == WAITS_TCM) {
            expect(top->tcm_word == host_address / 4 && top->tcm_write == 0, "the host's core memory", top->tcm_word,
                   host_address / 4);
            host = NOTHING, loaded++;
            return;
        }
        if (!host_may_look) { // busy shows in the cycle after
            host_may_look = true;
            return;
        }
        if (top->load_busy) return;
        const uint32_t word = is.word[world::at(host_address)];
        if (host == WAITS_READ) expect(top->load_rdata == word, "loaded by the host", top->load_rdata, word);
        else expect(word == host_word, "stored by the host", word, host_word);
        host = NOTHING, loaded++;
    }
};

int main(int argc, char **argv)
{
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
    const unsigned long cycles = argc > 2 ? strtoul(argv[2], NULL, 0) : 200000;
    Verilated::randReset(2);
    Verilated::randSeed((int)seed);
    bridge_test test(seed);
    for (unsigned long i = 0; i < cycles && test.failures < 10; i++) test.cycle();
    if (test.failures == 0) test.finish();
    unsigned long accesses = 0;
    for (unsigned k = 0; k < KINDS; k++) {
        accesses += test.count[k];
        printf("%lu of %s, ", test.count[k], kind_names[k]);
        test.failures += test.count[k] < cycles / 200;
    }
    test.failures += test.loaded < cycles / 500 || test.refused < cycles / 500;
    printf("%lu refused; %lu words of the host's in %lu holds; %lu checks (seed %lu)\n", test.refused, test.loaded,
           test.holds, test.checks, seed);
    printf("%lu accesses\n", accesses);
    printf("%d passed, %d failed\n", test.failures == 0, test.failures != 0);
    return test.failures != 0;
}
