// SPDX-License-Identifier: Apache-2.0
//
// Node, guard and memory system against the golden model: random legal streams, every fault, guard
// violations, fences after their writes (SCH-02) and between nodes, PAUSE, RESET in mid-flight, both nodes at once,
// latency of the doorbell, page lists.
// Usage: test_node [seed] [iterations], or test_node record FILE SEED for node_replay.v. Ends with "N passed, N
// failed".
#include "../../rows.h"
#include "lists.h"

struct outcome {
    int passed = 0, failed = 0;
    uint64_t cycles = 0;
};

// A stream on one node: ring packets and RUNs, several doorbells.
static void legal_stream(pair_of &p, unsigned n)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    memset(g.may_touch, 1, sizeof g.may_touch);
    p.put(n, p.grant_all(g, true, true));
    for (unsigned part = 0, parts = 1 + p.hard.random.below(6); part < parts; part++) {
        unsigned kind = p.hard.random.below(3), count = 1 + p.hard.random.below(14);
        g.may_use_system = kind != 0;
        packet words;
        for (unsigned i = 0; i < count; i++) append(words, kind == 0 ? g.user() : g.ring());
        p.put(n, kind == 2 ? (words.size() > 100 ? packet{PKT_NOP} : words) : p.run(n, words, kind == 1));
        if (kind == 2 && words.size() > 100) break;
        if (p.hard.random.chance(50)) p.doorbell(n);
        for (unsigned i = p.hard.random.below(200); i > 0; i--) p.hard.tick();
        if (p.ring_room(n) < 140) {
            p.doorbell(n);
            p.settle(1u << n);
        }
    }
    p.put(n, g.fence(p.hard.random.next(), p.hard.random.chance(50)));
    p.doorbell(n);
    p.run_model();
    if (!p.settle(1u << n)) return;
    p.expect("error of a legal stream", p.model.node[n].error, 0);
    p.compare_registers(n);
    p.compare_memory();
    p.hard.write(n, NODE_IRQ_OFFSET, 3);
    p.model.node[n].irq = 0;
    p.expect("IRQ after clear", p.hard.read(n, NODE_IRQ_OFFSET), 0);
}

// One packet with something wrong; what is legal in front of and after it.
static packet faulty(random_source &random, unsigned kind, bool *truncates)
{
    *truncates = false;
    switch (kind) {
    case 0: return {0x09 + random.below(7)};                                              // unknown opcode
    case 1: return {PKT_FENCE, 1};                                                        // privilege
    case 2: return {PKT_RUN, 4096, 0};                                                    // RUN inside RUN
    case 3: *truncates = true; return {PKT_BLIT, 0, 0};                                   // cut off
    case 4: return {PKT_COPY | 1u << (8 + random.below(20)), 0, 0, 0};                    // reserved bit
    case 5: return {PKT_TILE, 0x10000000 + 4, 0x10000000 + 8192, 32 | 8u << 16, 32};      // alignment
    case 6: return {PKT_PALETTE, 0x10000000 + 1024 + (1u << random.below(8))};            // alignment
    case 7: return {PKT_FILL_RECT | 33u << PKT_FILL_RECT_TARGET_LSB, 0, 1 | 1u << 16, 0}; // unbound
    case 8: return {PKT_COPY, 0x10000000 + 16384 - 8, 0x20000000, 100};                   // read past segment 1
    case 9: return {PKT_FILL, 0x20000000 + 16384 - 16, 300, 1};                           // write past segment 2
    case 10: return {PKT_COPY, 0x30000000 + 16 * 4096, 0x20000000, 8};                    // read past the aperture
    case 11: return {PKT_FILL, 0x40000000, 8, 1};                                         // registers
    case 12: return {PKT_COPY, 0x80000000 + 16 * 4096, 0x20000000, 64};                   // past system memory
    case 13: return {PKT_GUARD, 3 * 4096 - 2, 3};                                         // guard range
    case 14: return {PKT_MAP, 15, 2, 0};                                                  // aperture range
    case 15: return {PKT_TOUCH | 9u << PKT_TOUCH_BYTES_LSB, 0x10000000};                  // bytes
    case 16: return {PKT_TOUCH | 8u << PKT_TOUCH_BYTES_LSB, 0x10000000 + 16384 - 4};      // read past segment 1
    case 17:
        return {PKT_BLIT | 5u << PKT_BLIT_MODE_LSB | 40u << PKT_BLIT_TARGET_LSB | 40u << PKT_BLIT_SOURCE_LSB,
                0,
                0,
                0,
                0,
                0}; // unbound first
    case 18:
        return {PKT_FILL_RECT | 1u << PKT_FILL_RECT_BARRIER_LSB | 1u << 14, 0, 0, 0}; // reserved bit above the slot
    case 19: return {PKT_COPY_LIST, 0x10000000, 4096, 0x80000002}; // half an entry; and node 0 walks no lists
    case 20: return {PKT_MAP_LIST, 0, 4, 0x10000000 + 4096 * random.below(4)}; // a list in local memory
    case 21: return {PKT_MAP_LIST, 15, 2, 0x80000000};                         // aperture range
    case 22: return {PKT_COPY_LIST | 1u << (9 + random.below(23)), 0x10000000, 4096, 0x80000000}; // reserved bit
    default: return {PKT_NOP | 1u << (8 + random.below(24))};                                     // reserved bit
    }
}

static void fault_stream(pair_of &p, unsigned n, unsigned kind)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    memset(g.may_touch, 1, sizeof g.may_touch);
    bool truncates, needs_privilege = (kind >= 12 && kind <= 16) || (kind >= 19 && kind <= 22);
    packet words, bad = faulty(p.hard.random, kind, &truncates);
    bool is_privileged = needs_privilege || (kind != 1 && p.hard.random.chance(50));
    g.may_use_system = is_privileged;
    for (unsigned i = p.hard.random.below(8); i > 0; i--) append(words, is_privileged ? g.ring() : g.user());
    std::set<unsigned> sure = g.written;
    append(words, bad);
    if (!truncates)
        for (unsigned i = p.hard.random.below(8); i > 0; i--) append(words, is_privileged ? g.ring() : g.user());
    p.put(n, p.grant_all(g, true, true));
    bool in_ring = is_privileged && !truncates && kind != 2 && words.size() < 90 && p.hard.random.chance(40);
    p.put(n, in_ring ? words : p.run(n, words, is_privileged));
    p.put(n, g.fence(7, true));
    p.doorbell(n);
    p.run_model();
    if (!p.settle(1u << n)) return;
    if (p.model.node[n].error == 0) p.fail("the model sees no fault of kind", kind, kind);
    p.compare_registers(n);
    std::set<unsigned> writable = g.written;
    for (unsigned page : {3u, 7u}) writable.insert(page); // the bad packets write there
    writable.insert(4);
    p.adopt_memory(writable);
    p.reset_node(n);
}

// Unprivileged streams with only some pages granted: nothing else is read or written, and the fault is named.
static void guarded_stream(pair_of &p, unsigned n)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    g.may_use_system = false;
    memset(g.may_touch, 1, sizeof g.may_touch);
    p.put(n, p.grant_all(g, false, false));
    std::set<unsigned> writable;
    unsigned percent = p.hard.random.chance(30) ? 100 : 80;
    for (unsigned space = 0; space < 3; space++)
        for (unsigned page = 0; page < (space == 2 ? 16u : 4u); page++) {
            bool read = p.hard.random.chance(percent), write = p.hard.random.chance(percent);
            p.put(n, g.guard(space * 4096 + page, 1, read, write));
            if (write)
                for (unsigned physical : g.pages({0x10000000u * (space + 1) + page * 4096, 1}))
                    writable.insert(physical);
        }
    packet words;
    for (unsigned i = 1 + p.hard.random.below(12); i > 0; i--) append(words, g.user());
    if (p.hard.random.chance(20))
        append(words, {PKT_FILL, 0x80000000u + p.hard.random.below(60000), 8, 0}); // system: never
    p.put(n, p.run(n, words, false));
    p.doorbell(n);
    p.run_model();
    if (!p.settle(1u << n)) return;
    p.compare_registers(n);
    if (p.model.node[n].error == 0) p.compare_memory();
    else {
        p.adopt_memory(writable);
        p.reset_node(n);
    }
}

// Both nodes at once on pages of their own, each waiting for fences of the other. The model runs them one
// after the other, which gives the same memory.
static void two_nodes(pair_of &p)
{
    generator first(p.hard.random, 0), second(p.hard.random, 1);
    generator *g[2] = {&first, &second};
    for (unsigned page = 0; page < 8 + 16; page++) {
        unsigned owner = p.hard.random.below(2);
        if (page == 0 || page == 4 || page == 8) owner = 0;
        if (page == 1 || page == 5 || page == 9) owner = 1;
        g[owner]->may_touch[page] = true;
    }
    for (unsigned n = 0; n < 2; n++) {
        g[n]->first_map = 8 * n, g[n]->map_count = 8;
        // Give each its half of the aperture, on its own frames.
        uint32_t frame = 0;
        for (uint32_t page = 8 * n; page < 8 * n + 8; page++) {
            while (!g[n]->may_touch[8 + frame % 16]) frame++;
            p.put(n, {PKT_MAP, page, 1, frame % 16});
            g[n]->frames[page] = frame++ % 16;
        }
        for (unsigned i = 8 * (1 - n); i < 8 * (1 - n) + 8; i++) g[n]->frames[i] = 0xff; // the other's half
        p.put(n, p.grant_all(*g[n], true, true));
    }
    uint32_t fences[2];
    for (unsigned n = 0; n < 2; n++) { // ids near the wrap-around too (SCH-01)
        fences[n] = p.hard.random.chance(50) ? p.model.node[n].fence : 0xfffffffeu;
        p.hard.write(n, NODE_FENCE_OFFSET, p.model.node[n].fence = fences[n]);
    }
    for (unsigned round = 0; round < 3; round++)
        for (unsigned n = 0; n < 2; n++) {
            packet words;
            bool is_privileged = p.hard.random.chance(50);
            g[n]->may_use_system = is_privileged;
            for (unsigned i = p.hard.random.below(6); i > 0; i--) append(words, g[n]->user());
            p.put(n, p.run(n, words, is_privileged));
            p.put(n, g[n]->fence(++fences[n], true));
            if (n == 1 || round > 0) p.put(n, {PKT_WAIT_FENCE, fences[1 - n]});
        }
    p.doorbell(p.hard.random.below(2) ? 0 : 1);
    for (unsigned i = p.hard.random.below(300); i > 0; i--) p.hard.tick();
    p.doorbell(0), p.doorbell(1);
    p.run_model();
    if (!p.settle(3)) return;
    for (unsigned n = 0; n < 2; n++)
        p.compare_registers(n), p.hard.write(n, NODE_IRQ_OFFSET, 3), p.model.node[n].irq = 0;
    p.compare_memory();
}

// SCH-02: in the very cycle in which a fence is seen, everything before it has been written and answered.
static void fence_stream(pair_of &p, unsigned n)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    memset(g.may_touch, 1, sizeof g.may_touch);
    packet words;
    for (unsigned i = 1 + p.hard.random.below(8); i > 0; i--) append(words, g.ring());
    uint32_t id = p.model.node[n].fence + 1 + p.hard.random.below(1000);
    p.put(n, p.run(n, words, true));
    p.put(n, g.fence(id, true));
    p.doorbell(n);
    p.run_model();
    unsigned patience = 200000;
    while (p.hard.read(n, NODE_FENCE_OFFSET) != id && patience > 0) p.hard.tick(), patience--;
    if (patience == 0) p.fail("FENCE", p.hard.read(n, NODE_FENCE_OFFSET), id);
    if (!p.hard.memory.is_quiet()) p.fail("bursts under way when the fence is seen", 1, 0);
    p.compare_memory();
    if (!p.settle(1u << n)) return;
    p.compare_registers(n);
    p.hard.write(n, NODE_IRQ_OFFSET, 3);
    p.model.node[n].irq = 0;
}

// PAUSE between packets: nothing moves while paused, the ring may be rewritten, everything is done after.
static void pause_stream(pair_of &p, unsigned n)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    memset(g.may_touch, 1, sizeof g.may_touch);
    packet words;
    for (unsigned i = 0; i < 6; i++) append(words, g.user());
    p.put(n, p.run(n, words, true));
    uint32_t place = p.ahead[n];
    p.put(n, g.fence(1, false));
    p.put(n, {PKT_NOP});
    p.doorbell(n);
    for (unsigned i = p.hard.random.below(150); i > 0; i--) p.hard.tick();
    p.hard.write(n, NODE_CONTROL_OFFSET, 1 | 1u << NODE_CONTROL_PAUSE_LSB);
    unsigned patience = 20000;
    while (!FIELD_GET(p.hard.read(n, NODE_STATUS_OFFSET), NODE_STATUS_PAUSED) && patience--) p.hard.tick();
    if (patience > 20000) p.fail("never PAUSED; STATUS", p.hard.read(n, NODE_STATUS_OFFSET), 8);
    uint32_t head = p.hard.read(n, NODE_HEAD_OFFSET);
    uint64_t traffic = p.hard.memory.reads_taken + p.hard.memory.writes_taken;
    for (unsigned i = 0; i < 60; i++) p.hard.tick();
    p.expect("HEAD while paused", p.hard.read(n, NODE_HEAD_OFFSET), head);
    p.expect("bursts while paused", (uint32_t)(p.hard.memory.reads_taken + p.hard.memory.writes_taken - traffic), 0);
    if (head == place) p.poke(n * RING_BYTES + 4 * ((place + 1) & 255), 0x1234); // another fence id
    p.control(n, true, false);
    p.run_model();
    if (!p.settle(1u << n)) return;
    p.compare_registers(n);
    p.compare_memory();
}

// RESET in the middle of traffic (TDR-03): the bus stays legal and falls silent, the rest of the ring is dropped, the
// node works again.
static void reset_stream(pair_of &p, unsigned n)
{
    generator g(p.hard.random, n);
    p.show_aperture(g);
    memset(g.may_touch, 1, sizeof g.may_touch);
    packet words;
    for (unsigned i = 0; i < 12; i++) append(words, g.ring());
    p.put(n, p.run(n, words, true));
    p.put(n, {PKT_WAIT_FENCE, p.model.node[1 - n].fence + 5}); // never comes
    p.doorbell(n);
    for (unsigned i = p.hard.random.below(400); i > 0; i--) p.hard.tick();
    p.reset_node(n);
    for (unsigned i = 0; i < 100; i++) p.hard.tick();
    if (!p.hard.memory.is_quiet()) p.fail("traffic after RESET", 1, 0);
    p.expect("STATUS after RESET", p.hard.read(n, NODE_STATUS_OFFSET), 0);
    std::set<unsigned> writable = g.written;
    p.adopt_memory(writable);
    p.model.node[n].fence = p.hard.read(n, NODE_FENCE_OFFSET);
    for (uint32_t i = 0; i < 16; i++) p.aperture[i] = p.read_entry(i);
    p.put(n, {PKT_FILL, 0x10000000, 64, 0x01020304});
    p.put(n, {PKT_FILL_RECT, 0, 0, 0}); // no binding survives
    p.doorbell(n);
    p.run_model();
    if (!p.settle(1u << n)) return;
    p.compare_registers(n);
    p.reset_node(n);
}

// Draws at the edge of BYTES: legal exactly when the last byte lies inside, else BAD_OPERAND and nothing
// written. (The model trusts the firmware's check here, so the judge is this arithmetic.)
static void bounds(pair_of &p, unsigned n)
{
    static const uint32_t unit[] = {1, 2, 4};
    uint32_t format = p.hard.random.below(3), pitch = 4 * p.hard.random.below(40), bytes = p.hard.random.below(3000);
    bool is_blit = p.hard.random.chance(50), in_source = is_blit && p.hard.random.chance(50);
    uint32_t x = p.hard.random.below(20), y = p.hard.random.below(20), width = p.hard.random.below(12),
             height = p.hard.random.below(12);
    if (p.hard.random.chance(10)) y = 0xffff, height = 0xffff, pitch = 0xfffc;     // carries
    if (p.hard.random.chance(25)) (p.hard.random.chance(50) ? width : height) = 0; // empty, wherever it would end
    uint64_t end = (uint64_t)(y + height - 1) * pitch + (uint64_t)(x + width) * unit[format];
    bool is_empty = width == 0 || height == 0;
    if (!is_empty && p.hard.random.chance(50)) bytes = (uint32_t)(end - p.hard.random.below(2)); // the very edge
    if (bytes > 16384) bytes = 16384;
    bool is_legal = is_empty || end <= bytes;
    p.put(n, {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB, 0x10000000, pitch, bytes});
    p.put(n, {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB, 0x20000000, pitch, 0xffffffff});
    p.doorbell(n);
    p.run_model();
    uint32_t target = in_source ? 2 : 1, source = in_source ? 1 : 2;
    if (is_blit)
        p.put(n, {PKT_BLIT | target << PKT_BLIT_TARGET_LSB | source << PKT_BLIT_SOURCE_LSB, x | y << 16, x | y << 16,
                  width | height << 16, 0, 0});
    else p.put(n, {PKT_FILL_RECT | 1u << PKT_FILL_RECT_TARGET_LSB, x | y << 16, width | height << 16, 0x55aa33cc});
    p.doorbell(n);
    if (is_legal) p.run_model();
    if (!p.settle(1u << n)) return;
    if (is_legal) p.compare_registers(n);
    else p.expect("ERROR of a draw past BYTES", p.hard.read(n, NODE_ERROR_OFFSET), FAULT_BAD_OPERAND);
    p.compare_memory();
    p.reset_node(n);
}

// A BLIT_AFFINE with each edge and filter, from sources of each format and alignment: the model says which are refused.
static void sampling(pair_of &p, unsigned i)
{
    const uint32_t format = p.hard.random.below(8), low = p.hard.random.below(4), more = p.hard.random.below(4);
    const uint32_t mode = p.hard.random.below(2) ? BLIT_KEY : BLIT_COPY, keyed = mode == BLIT_COPY && i % 5u == 0;
    p.put(0, {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | 2u << PKT_BIND_FORMAT_LSB, 0x10000000, 64, 4096});
    p.put(0, {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB, 0x20000000 + low, 64 + more, 2048});
    p.put(0, p.run(0, {PKT_NOP}, true)); // no palette
    if (i % 3u == 0) p.put(0, {PKT_PALETTE, 0x20001000});
    p.put(0, {PKT_BLIT_AFFINE | 1u << PKT_BLIT_TARGET_LSB | (i % 50u == 0 ? 3u : 2u) << PKT_BLIT_SOURCE_LSB |
                  mode << PKT_BLIT_MODE_LSB | keyed << PKT_BLIT_KEYED_LSB | (i & 3u) << PKT_BLIT_AFFINE_TRANSPARENT_LSB,
              0, 0, 5 | 5u << 16, 0, i >> 2 & 1u, 8 | 8u << 16, 0x8000, 0x4000, 0x5000, 0, 0, 0x6000});
    p.doorbell(0);
    p.run_model();
    if (!p.settle(1)) return;
    p.compare_registers(0);
    p.compare_memory();
    p.reset_node(0);
}

// Palettes: one is there after its PALETTE and until its RUN ends, and then none, whatever the table holds; not after
// a RESET; one that cannot be read, or that is not granted, stops the node. The model says which, and what is drawn.
static void palettes(pair_of &p, unsigned i)
{
    const packet blit = {PKT_BLIT | 1u << PKT_BLIT_TARGET_LSB | 2u << PKT_BLIT_SOURCE_LSB, 0, 0, 16 | 4u << 16, 0, 0};
    const uint32_t place[] = {0x10000000 + 256 * p.hard.random.below(13), 0x30000000, 0x20000000 + 16384 - 512};
    const unsigned kind = i % 6u;
    generator g(p.hard.random, 0);
    packet load = {PKT_PALETTE, place[kind == 4 ? 2 : i / 6u % 2u]}, words;
    p.put(0, p.grant_all(g, kind != 3, true));
    p.put(0, {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | 2u << PKT_BIND_FORMAT_LSB, 0x20001000, 64, 4096});
    p.put(0, {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | 7u << PKT_BIND_FORMAT_LSB, 0x20002000 + i % 8u, 64, 2048});
    append(words, load);
    if (kind == 3 && p.hard.random.below(2)) words = load; // in the ring, and still not granted
    else append(words, blit);
    bool in_run = words.size() > load.size();
    p.put(0, in_run ? p.run(0, words, p.hard.random.below(2) && kind != 3) : words);
    if (kind == 1) p.put(0, p.run(0, blit, i % 4u == 1)); // another's
    if (kind == 2) p.put(0, p.run(0, {PKT_NOP}, true)), p.put(0, blit);
    p.doorbell(0);
    p.run_model();
    if (!p.settle(1)) return;
    if (p.model.node[0].error != (kind == 0 || kind == 5 ? 0u
                                  : kind == 3            ? (uint32_t)FAULT_READ_GUARD
                                  : kind == 4            ? (uint32_t)FAULT_READ_BUS
                                                         : (uint32_t)FAULT_BAD_OPERAND))
        p.fail("the model's error of a palette of kind", p.model.node[0].error, kind);
    p.compare_registers(0);
    p.compare_memory();
    if (kind == 5) {
        p.reset_node(0);
        p.put(0, {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | 2u << PKT_BIND_FORMAT_LSB, 0x20001000, 64, 4096});
        p.put(0, {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | 7u << PKT_BIND_FORMAT_LSB, 0x20002000, 64, 2048});
        p.put(0, blit);
        p.doorbell(0);
        p.run_model();
        if (!p.settle(1)) return;
        p.expect("ERROR after RESET", p.hard.read(0, NODE_ERROR_OFFSET), FAULT_BAD_OPERAND);
        p.compare_registers(0);
    }
    p.reset_node(0);
}

// Draws from parts of bytes: rectangles up to the very last unit of BYTES are drawn as the model has it, one unit more
// is BAD_OPERAND; as what they are no source of, and as targets they are refused as the model says.
static void masks(pair_of &p, unsigned i)
{
    static const uint32_t formats[] = {FORMAT_A4, FORMAT_A2, FORMAT_A1};
    static const uint32_t modes[] = {BLIT_COPY, BLIT_BLEND, BLIT_ADD, BLIT_MOD, BLIT_KEY, BLIT_ROP, 6, 7};
    const uint32_t depth = 1 + i % 3u, format = formats[i % 3u], to = p.hard.random.below(8), kind = i / 3u % 8u;
    const uint32_t pitch = p.hard.random.below(300), x = p.hard.random.below(100), y = p.hard.random.below(20),
                   width = p.hard.random.below(60), height = p.hard.random.below(6);
    const uint32_t last = (y + height - 1) * pitch + x + width, least = (last + (1u << depth) - 1) >> depth;
    const bool is_empty = width == 0 || height == 0, is_short = kind == 1 && !is_empty && least != 0;
    const uint32_t bytes = is_empty ? p.hard.random.below(2) : least - is_short;
    generator g(p.hard.random, 0);
    p.put(0, p.grant_all(g, true, true));
    p.put(0, {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | (kind == 0 ? to : 1 + to % 5) << PKT_BIND_FORMAT_LSB, 0x10000003,
              400, 4096});
    p.put(0, {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB, 0x20000000 + i % 8u, pitch, bytes});
    p.doorbell(0);
    p.run_model();
    const uint32_t mode = kind == 2 ? modes[p.hard.random.below(8)] : modes[p.hard.random.below(4)];
    const uint32_t flags = kind == 3 ? p.hard.random.below(8) << PKT_BLIT_KEYED_LSB & ~(1u << 31)
                                     : p.hard.random.below(2) << PKT_BLIT_COLOURED_LSB;
    packet blit = {PKT_BLIT | (kind == 4 ? 2u : 1u) << PKT_BLIT_TARGET_LSB | 2u << PKT_BLIT_SOURCE_LSB |
                       mode << PKT_BLIT_MODE_LSB | flags,
                   0,
                   x | y << 16,
                   width | height << 16,
                   p.hard.random.next(),
                   0};
    if (kind == 5) blit = {PKT_FILL_RECT | 2u << PKT_FILL_RECT_TARGET_LSB, 0, 1 | 1u << 16, 0x55};
    if (kind == 6) {
        blit[0] ^= PKT_BLIT ^ PKT_BLIT_AFFINE;
        blit.insert(blit.end(), {1 | 1u << 16, 0, 0, 0x10000, 0, 0, 0x10000});
    }
    if (kind == 4) blit[3] = 1 | 1u << 16; // lies within, as what is drawn to
    if (kind == 7)
        blit = {PKT_BIND | 3u << PKT_BIND_SLOT_LSB | (8 + p.hard.random.below(24)) << PKT_BIND_FORMAT_LSB, 0x20000000,
                1, 1};
    p.put(0, blit);
    p.doorbell(0);
    if (!is_short) p.run_model();
    if (!p.settle(1)) return;
    if (is_short) p.expect("ERROR of a mask past BYTES", p.hard.read(0, NODE_ERROR_OFFSET), FAULT_BAD_OPERAND);
    else p.compare_registers(0);
    p.compare_memory();
    p.reset_node(0);
}

// Cycles from the write of TAIL to the first AR of the node, and counters of one known copy.
static void latency(pair_of &p)
{
    p.put(0, {PKT_COPY, 0x10000000, 0x20000000, 64});
    p.doorbell(0); // one tick: the write
    unsigned cycles = 0;
    for (; cycles < 100; cycles++) {
        p.hard.top->clk = 0;
        p.hard.top->eval();
        if (p.hard.top->node_arvalid & 1) break;
        p.hard.tick();
    }
    cycles++; // the cycle of the write itself is 0
    p.settle(1);
    p.run_model();
    p.compare_registers(0);
    p.compare_memory();
    p.expect("READ_LOCAL", p.hard.read(0, NODE_READ_LOCAL_OFFSET), 64);
    p.expect("WRITE_LOCAL", p.hard.read(0, NODE_WRITE_LOCAL_OFFSET), 64);
    p.expect("READ_SYSTEM", p.hard.read(0, NODE_READ_SYSTEM_OFFSET), 0);
    const unsigned most = 12; // L + 11, L = 1: request, packet and command wait a cycle each
    if (cycles > most) p.fail("doorbell to first AR, cycles", cycles, most);
    printf("doorbell to first AR: %u cycles (fetch latency 1)\n", cycles);
}

// Cycles of a RUN from doorbell to HEAD, all inside segment 1.
static unsigned timed(pair_of &p, const packet &words)
{
    p.put(0, p.run(0, words, true));
    p.doorbell(0);
    unsigned cycles = 0;
    for (; p.hard.read(0, NODE_HEAD_OFFSET) != p.ahead[0] && cycles < 20000; cycles++) p.hard.tick();
    p.settle(1);
    p.run_model();
    p.compare_registers(0);
    return cycles;
}

// Short work must be limited by memory, not by the front end: 64 copies of 64 bytes (8 beats each) and 64
// rectangles of 8 x 8 ARGB8888 (32 beats each) one after the other; 1 x 1 blits show the front end itself.
static void rates(pair_of &p)
{
    packet copies, blits, dots;
    append(copies,
           {PKT_BIND | 1u << PKT_BIND_SLOT_LSB | FORMAT_ARGB8888 << PKT_BIND_FORMAT_LSB, 0x10000000, 256, 8192});
    append(copies,
           {PKT_BIND | 2u << PKT_BIND_SLOT_LSB | FORMAT_ARGB8888 << PKT_BIND_FORMAT_LSB, 0x10002000, 256, 8192});
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t blit = PKT_BLIT | 2u << PKT_BLIT_TARGET_LSB | 1u << PKT_BLIT_SOURCE_LSB, at = i % 8 * 8;
        append(copies, {PKT_COPY, 0x10000000 + 64 * i, 0x10002000 + 64 * i, 64});
        append(blits, {blit, at, at, 8 | 8u << 16, 0, 0});
        append(dots, {blit, at, at, 1 | 1u << 16, 0, 0});
    }
    unsigned cycles[3] = {timed(p, copies), timed(p, blits), timed(p, dots)};
    printf("64 copies of 64 bytes: %u cycles (data %u); 64 blits of 8 x 8: %u (data %u); 64 blits of 1 x 1: %u\n",
           cycles[0], 64 * 8, cycles[1], 64 * 32, cycles[2]);
    if (cycles[0] > 64 * 8 + 50) p.fail("cycles of 64 copies", cycles[0], 64 * 8 + 50);
    if (cycles[1] > 64 * 32 * 5 / 4 + 50) p.fail("cycles of 64 blits", cycles[1], 64 * 32 * 5 / 4 + 50);
    const unsigned front = 14; // cycles of a packet of six words
    if (cycles[2] > 64 * front + 50) p.fail("cycles of 64 dots", cycles[2], 64 * front + 50);
    p.compare_memory();
}

template <typename check> static void repeat(outcome &o, const char *name, uint64_t seed, unsigned times, check body)
{
    int failed = 0;
    for (unsigned i = 0; i < times; i++) {
        pair_of p(seed * 1000 + i);
        body(p, i);
        if (p.hard.memory.protocol_errors) p.failures++;
        o.cycles += p.hard.cycle;
        if (p.failures) failed++, printf("  %s %u failed (seed %llu)\n", name, i, (unsigned long long)seed);
    }
    printf("%s: %u of %u\n", name, times - (unsigned)failed, times);
    if (failed) o.failed++;
    else o.passed++;
}

// The same where it proves rows of spec/requirements.txt.
template <typename check>
static void prove(const char *ids, outcome &o, const char *name, uint64_t seed, unsigned times, check body)
{
    int failed = o.failed;
    rows_begin(ids);
    repeat(o, name, seed, times, body);
    rows_checks = times;
    rows_end(o.failed == failed);
}

// Some of everything on one pair, recorded for Icarus.
static int record(const char *path, uint64_t seed)
{
    FILE *file = fopen(path, "w");
    if (file == nullptr) return 2;
    pair_of p(seed, file);
    legal_stream(p, 0);
    legal_stream(p, 1);
    guarded_stream(p, 0);
    fault_stream(p, 1, 9);
    reset_stream(p, 0);
    two_nodes(p);
    for (int k = 0; k < 3; k++) list_stream(p);
    cut_list(p);
    fclose(file);
    printf("%llu cycles recorded, %d failures\n", (unsigned long long)p.hard.cycle, p.failures);
    return p.failures != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "record") == 0) return record(argv[2], strtoull(argv[3], nullptr, 0));
    uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
    unsigned times = argc > 2 ? (unsigned)atoi(argv[2]) : 20;
    outcome o;
    Verilated::randReset(2);
    Verilated::randSeed((int)seed);
    repeat(o, "latency", seed, 1, [](pair_of &p, unsigned) { latency(p); });
    repeat(o, "rates", seed, 1, [](pair_of &p, unsigned) { rates(p); });
    repeat(o, "legal streams", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 4 && !p.failures; k++) legal_stream(p, i & 1);
    });
    for (unsigned kind = 0; kind < 24; kind++) {
        char name[40];
        snprintf(name, sizeof name, "fault %u", kind);
        repeat(o, name, seed + kind, 1 + times / 8, [kind](pair_of &p, unsigned i) {
            for (int k = 0; k < 3 && !p.failures; k++) fault_stream(p, i & 1, kind);
        });
    }
    repeat(o, "guard", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 4 && !p.failures; k++) guarded_stream(p, i & 1);
    });
    prove("SCH-01", o, "two nodes", seed, times, [](pair_of &p, unsigned) {
        for (int k = 0; k < 3 && !p.failures; k++) two_nodes(p);
    });
    repeat(o, "bounds", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 12 && !p.failures; k++) bounds(p, i & 1);
    });
    repeat(o, "sampling", seed, times, [](pair_of &p, unsigned i) {
        for (unsigned k = 0; k < 40 && !p.failures; k++) sampling(p, 40 * i + k);
        for (unsigned k = 0; k < 24 && !p.failures; k++) palettes(p, 24 * i + k);
        for (unsigned k = 0; k < 48 && !p.failures; k++) masks(p, 48 * i + k);
    });
    prove("SCH-02", o, "fence", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 4 && !p.failures; k++) fence_stream(p, i & 1);
    });
    repeat(o, "pause", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 3 && !p.failures; k++) pause_stream(p, i & 1);
    });
    prove("TDR-03", o, "reset", seed, times, [](pair_of &p, unsigned i) {
        for (int k = 0; k < 4 && !p.failures; k++) reset_stream(p, i & 1);
    });
    repeat(o, "lists", seed, times, [](pair_of &p, unsigned) {
        for (int k = 0; k < 6 && !p.failures; k++) list_stream(p);
    });
    repeat(o, "bad entries", seed, 1 + times / 4, [](pair_of &p, unsigned i) { bad_entries(p, i % 3); });
    repeat(o, "lists cut short", seed, times, [](pair_of &p, unsigned) {
        for (int k = 0; k < 4 && !p.failures; k++) cut_list(p);
    });
    repeat(o, "rate of lists", seed, 1, [](pair_of &p, unsigned) { list_rates(p); });
    printf("%llu cycles\n%d passed, %d failed\n", (unsigned long long)o.cycles, o.passed, o.failed);
    return o.failed != 0;
}
