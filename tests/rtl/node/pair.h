// SPDX-License-Identifier: Apache-2.0
//
// The bench and the golden model side by side: one word stream, one set of registers, one memory for both, and
// every way to compare them.
#ifndef NODE_PAIR_H
#define NODE_PAIR_H

#include <cstring>

#include "streams.h"

static const uint32_t RING_LOG2 = 8, RING_BYTES = 4u << RING_LOG2, RUN_BASE[2] = {2048, 9216}, RUN_BYTES = 7168;

// The bench and the model side by side, with one word stream for both.
class pair_of
{
  public:
    explicit pair_of(uint64_t seed, FILE *recording = nullptr) : seed(seed), hard(seed), command(4096)
    {
        hard.recording = recording;
        segment[0].resize(16384), segment[1].resize(16384), system.resize(bench::system_bytes), aperture.resize(16);
        model.segment1 = segment[0].data(), model.segment2 = segment[1].data(), model.system = system.data();
        model.segment1_bytes = model.segment2_bytes = 16384, model.system_bytes = bench::system_bytes;
        model.command = command.data(), model.command_bytes = 16384;
        model.aperture = aperture.data(), model.aperture_pages = 16, model.dummy_page = generator::DUMMY;
        if (watch != nullptr) model.on_packet = show_packet;
        hard.memory.latency = 2 + hard.random.below(40), hard.memory.jitter = hard.random.below(30),
        hard.memory.stall_percent = hard.random.below(3) * 20;
        hard.reset();
        for (unsigned segment_index = 0; segment_index < 2; segment_index++) {
            for (uint8_t &byte : segment[segment_index]) byte = (uint8_t)hard.random.next();
            hard.load(0x10000000u + segment_index * 0x10000000u, segment[segment_index].data(), 16384);
        }
        for (uint8_t &byte : system) byte = (uint8_t)hard.random.next();
        hard.memory.system = system;
        hard.write(2, APERTURE_DUMMY_OFFSET, generator::DUMMY);
        for (unsigned node = 0; node < 2; node++) {
            hard.write(node, NODE_RING_BASE_OFFSET, model.node[node].ring_base = node * RING_BYTES);
            hard.write(node, NODE_RING_SIZE_OFFSET, model.node[node].ring_log2_words = RING_LOG2);
            control(node, true, false);
        }
    }

    static void show_packet(void *, unsigned node, uint32_t offset, const uint32_t *words)
    {
        printf("  node %u %04x:", node, offset);
        for (unsigned i = 0; i < 6; i++) printf(" %08x", words[i]);
        printf("\n");
    }

    uint64_t seed;
    bench hard;
    engine_model model = {};
    std::vector<uint8_t> segment[2], system;
    std::vector<uint32_t> command, aperture;
    const char *watch = getenv("WATCH"); // print every packet of the model, for debugging
    uint32_t run_next[2] = {0, 0};
    int failures = 0;

    void fail(const char *what, uint32_t is, uint32_t should_be)
    {
        if (failures++ < 6)
            printf("seed %llu, cycle %llu: %s is %08x, should be %08x\n", (unsigned long long)seed,
                   (unsigned long long)hard.cycle, what, is, should_be);
    }
    void expect(const char *what, uint32_t is, uint32_t should_be)
    {
        if (is != should_be) fail(what, is, should_be);
    }

    void control(unsigned node, bool enable, bool pause)
    {
        hard.write(node, NODE_CONTROL_OFFSET, (uint32_t)enable | (uint32_t)pause << NODE_CONTROL_PAUSE_LSB);
        model.node[node].is_enabled = enable, model.node[node].is_paused = pause;
    }
    void poke(uint32_t offset, uint32_t word)
    {
        hard.command(offset, word);
        command[offset / 4] = word;
    }
    // Ring words; visible to the node with the next doorbell().
    void put(unsigned node, const packet &words)
    {
        for (uint32_t word : words) poke(node * RING_BYTES + 4 * (ahead[node]++ & ((1u << RING_LOG2) - 1)), word);
    }
    uint32_t ahead[2] = {0, 0};
    void doorbell(unsigned node)
    {
        hard.write(node, NODE_TAIL_OFFSET, ahead[node]);
        model.node[node].tail = ahead[node];
    }
    uint32_t ring_room(unsigned node) { return (1u << RING_LOG2) - (ahead[node] - hard.read(node, NODE_HEAD_OFFSET)); }
    // A RUN of these words at the next free place of the node's part of command RAM.
    packet run(unsigned node, const packet &words, bool is_privileged)
    {
        if (run_next[node] + 4 * words.size() > RUN_BYTES) run_next[node] = 0;
        uint32_t offset = RUN_BASE[node] + run_next[node];
        for (uint32_t word : words) poke(offset, word), offset += 4;
        run_next[node] += 4 * (uint32_t)words.size();
        return {PKT_RUN | (uint32_t)is_privileged << PKT_RUN_PRIVILEGED_LSB, offset - 4 * (uint32_t)words.size(),
                4 * (uint32_t)words.size()};
    }
    // Where the aperture's pages are as a stream starts.
    void show_aperture(generator &g)
    {
        for (unsigned i = 0; i < 16; i++)
            g.frames[i] = FIELD_GET(aperture[i], APERTURE_ENTRY_VALID) ? FIELD_GET(aperture[i], APERTURE_ENTRY_FRAME)
                                                                       : generator::DUMMY;
    }
    packet grant_all(generator &g, bool read, bool write)
    {
        packet all;
        for (uint32_t space = 0; space < 3; space++) {
            packet one = g.guard(space * 4096, 16, read, write);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }

    bool is_done(unsigned node)
    {
        uint32_t status = hard.read(node, NODE_STATUS_OFFSET);
        return FIELD_GET(status, NODE_STATUS_HALTED) || !FIELD_GET(status, NODE_STATUS_BUSY);
    }
    bool settle(unsigned nodes)
    {
        for (unsigned i = 0; i < 200000; i++) {
            if ((!(nodes & 1) || is_done(0)) && (!(nodes & 2) || is_done(1)) && hard.memory.is_quiet()) return true;
            hard.tick();
        }
        for (unsigned n = 0; n < 2; n++) {
            printf("node %u: HEAD %x TAIL %x FENCE %x ERROR %x at %x, packet %x %08x\n  ", n,
                   hard.read(n, NODE_HEAD_OFFSET), ahead[n], hard.read(n, NODE_FENCE_OFFSET),
                   hard.read(n, NODE_ERROR_OFFSET), hard.read(n, NODE_ERROR_ADDRESS_OFFSET),
                   hard.read(n, NODE_ERROR_PACKET_OFFSET), hard.read(n, NODE_ERROR_WORD_OFFSET));
            fail("time-out; STATUS", hard.read(n, NODE_STATUS_OFFSET), 0);
        }
        return false;
    }
    void run_model()
    {
        for (bool went = true; went;) {
            went = engine_model_step(&model, 0);
            went |= engine_model_step(&model, 1);
        }
    }
    // Whether the guard refuses an access of this kind there.
    static bool is_refused(const engine_node &node, uint32_t fault, uint32_t address)
    {
        uint32_t space = (address >> 28) - 1, page = (address & 0x0fffffff) >> 12;
        uint32_t bit = fault == FAULT_WRITE_GUARD ? 2 : 1;
        return space > 2 || page >= 4096 || !(node.guard[space * 4096 + page] & bit);
    }
    // A packet that is refused on both sides: the model goes by bytes, the hardware by bursts, so either may be named.
    bool names_the_other(unsigned n)
    {
        const engine_node &node = model.node[n];
        uint32_t error = hard.read(n, NODE_ERROR_OFFSET);
        return ((error == FAULT_READ_GUARD && node.error == FAULT_WRITE_GUARD) ||
                (error == FAULT_WRITE_GUARD && node.error == FAULT_READ_GUARD)) &&
               is_refused(node, error, hard.read(n, NODE_ERROR_ADDRESS_OFFSET));
    }
    // A copy from its end on: the model goes down byte by byte, the hardware reads a chunk of up to 256 bytes upwards,
    // from a multiple of 8 on, so where that reaches over two pages that are both refused the lower one is named.
    bool names_the_chunk(unsigned n)
    {
        const engine_node &node = model.node[n];
        uint32_t address = hard.read(n, NODE_ERROR_ADDRESS_OFFSET), opcode = node.error_word & 0xff;
        bool is_reverse = (opcode == PKT_COPY && FIELD_GET(node.error_word, PKT_COPY_REVERSE)) ||
                          (opcode == PKT_COPY_2D && FIELD_GET(node.error_word, PKT_COPY_2D_REVERSE)) ||
                          (opcode == PKT_BLIT && FIELD_GET(node.error_word, PKT_BLIT_REVERSE));
        return is_reverse && node.error == FAULT_READ_GUARD && node.error_address - address < 264 &&
               is_refused(node, node.error, address);
    }
    void compare_registers(unsigned n)
    {
        const engine_node &node = model.node[n];
        bool other = names_the_other(n);
        expect("HEAD", hard.read(n, NODE_HEAD_OFFSET), node.head);
        expect("FENCE", hard.read(n, NODE_FENCE_OFFSET), node.fence);
        if (!other) expect("ERROR", hard.read(n, NODE_ERROR_OFFSET), node.error);
        expect("IRQ", hard.read(n, NODE_IRQ_OFFSET), node.irq);
        expect("irq line", hard.top->irq >> n & 1, node.irq != 0);
        expect("PACKETS", hard.read(n, NODE_PACKETS_OFFSET), node.packets);
        expect("HALTED", FIELD_GET(hard.read(n, NODE_STATUS_OFFSET), NODE_STATUS_HALTED), node.is_halted);
        if (node.error == 0) return;
        expect("ERROR_PACKET", hard.read(n, NODE_ERROR_PACKET_OFFSET), node.error_packet);
        expect("ERROR_WORD", hard.read(n, NODE_ERROR_WORD_OFFSET), node.error_word);
        if (other) return;
        if (node.error == FAULT_BAD_PAGE)
            expect("index of the entry", hard.read(n, NODE_ERROR_ADDRESS_OFFSET), node.error_address);
        if (names_the_chunk(n)) return;
        expect("page of ERROR_ADDRESS", hard.read(n, NODE_ERROR_ADDRESS_OFFSET) >> 12, node.error_address >> 12);
    }
    void compare_bytes(const char *what, const std::vector<uint8_t> &is, const std::vector<uint8_t> &should_be)
    {
        for (uint32_t i = 0; i < is.size(); i++)
            if (is[i] != should_be[i]) {
                printf("%s + %x: ", what, i);
                fail("byte", is[i], should_be[i]);
                return;
            }
    }
    std::vector<uint8_t> read_segment(unsigned i)
    {
        std::vector<uint8_t> bytes(16384);
        hard.fetch(0x10000000u + i * 0x10000000u, bytes.data(), 16384);
        return bytes;
    }
    // The aperture's entry, read as late after INDEX as a master's next access comes.
    uint32_t read_entry(uint32_t index)
    {
        hard.write(2, APERTURE_INDEX_OFFSET, index);
        for (int i = 0; i < 2; i++) hard.tick();
        return hard.read(2, APERTURE_ENTRY_OFFSET);
    }
    void compare_memory()
    {
        compare_bytes("segment 1", read_segment(0), segment[0]);
        compare_bytes("segment 2", read_segment(1), segment[1]);
        compare_bytes("system", hard.memory.system, system);
        // INDEX stands where the last comparison left it: what was mapped since is seen there all the same.
        uint32_t index = hard.read(2, APERTURE_INDEX_OFFSET);
        expect("aperture entry at INDEX", hard.read(2, APERTURE_ENTRY_OFFSET), aperture[index]);
        for (uint32_t i = 0; i < 17; i++) {
            index = (index + 5) % 16; // all of them, another one last every time
            expect("aperture entry", read_entry(index), aperture[index]);
        }
    }
    // After a fault: what the failing packet and those after it wrote is unspecified, but pages that no packet
    // may write are as before. The model then takes over the hardware's bytes.
    void adopt_memory(const std::set<unsigned> &writable)
    {
        std::vector<uint8_t> now[2] = {read_segment(0), read_segment(1)};
        for (unsigned page = 0; page < 8 + 16; page++) {
            uint8_t *mine = page < 8 ? segment[page / 4].data() + page % 4 * 4096 : system.data() + (page - 8) * 4096;
            const uint8_t *its =
                page < 8 ? now[page / 4].data() + page % 4 * 4096 : hard.memory.system.data() + (page - 8) * 4096;
            if (!writable.count(page) && memcmp(mine, its, 4096) != 0) fail("page written without right", page, 0);
            memcpy(mine, its, 4096);
        }
    }
    void reset_node(unsigned n)
    {
        hard.write(n, NODE_CONTROL_OFFSET, 1u << NODE_CONTROL_RESET_LSB | 1u);
        unsigned patience = 5000;
        while (FIELD_GET(hard.read(n, NODE_CONTROL_OFFSET), NODE_CONTROL_RESET) && patience--) hard.tick();
        if (patience > 5000) fail("RESET still", 1, 0);
        engine_model_reset(&model, n);
        hard.write(n, NODE_IRQ_OFFSET, 3);
        model.node[n].irq = 0;
        model.node[n].head = model.node[n].tail = ahead[n] = hard.read(n, NODE_HEAD_OFFSET);
        model.node[n].packets = hard.read(n, NODE_PACKETS_OFFSET);
        expect("ERROR after RESET", hard.read(n, NODE_ERROR_OFFSET), 0);
    }
};

#endif
