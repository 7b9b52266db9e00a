// SPDX-License-Identifier: Apache-2.0
//
// What the aperture costs: copies between system memory and segment 1 through it, every page elsewhere and
// guarded, against the same copies with plain system addresses from a privileged stream (no guard, no table). Real
// nodes, movers, guard, fabric and aperture (node_bench.v), a system memory that takes every address at once and
// answers L cycles later. Cycles run from the doorbell to the fence; every byte of the target is compared.
//
// Without arguments a test: each copy through the aperture must reach 0.98 of the plain one's rate, and no copy may
// take more than its bound + FRONT; a blit of 64 rows of 64 bytes by one packet in the ring must take at most L + 921.
// With `json`: the same as rows for out/bench.json, one per line.
#include <cstring>

#include "bench.h"

#include "gpu_spec.h"

static const uint32_t PAGES = 18, FRAMES = 64, FRONT = 42;
static const uint32_t BLIT_ROWS = 64, BLIT_BYTES = 64, BLIT_FRONT = 921;
static const uint32_t SEGMENT1 = 0x10000000, APERTURE = 0x30000000, SYSTEM = 0x80000000;
static const double TARGET = 0.98;

struct copy_case {
    unsigned node, bytes, latency;
    bool to_system, is_shifted;
};

class rig : public bench
{
  public:
    explicit rig(const copy_case &one) : bench(one.bytes + one.latency + one.node), one(one)
    {
        memory.system.resize(FRAMES * 4096);
        memory.latency = one.latency, memory.queue = 64;
        reset();
        for (unsigned n = 0; n < 2; n++) {
            write(n, NODE_RING_BASE_OFFSET, n * 1024);
            write(n, NODE_RING_SIZE_OFFSET, 8);
            write(n, NODE_CONTROL_OFFSET, 1);
        }
        // Aperture page i is at frame 29 + 27 i of 64: all different, never two neighbours in a row.
        for (uint32_t i = 0; i < PAGES; i++) {
            frames[i] = (29 + 27 * i) % FRAMES;
            put({PKT_MAP, i, 1, frames[i]});
        }
        put({PKT_GUARD | 1u << PKT_GUARD_READ_LSB | 1u << PKT_GUARD_WRITE_LSB, 0, 32});
        put({PKT_GUARD | 1u << PKT_GUARD_READ_LSB | 1u << PKT_GUARD_WRITE_LSB, 2 * 4096, PAGES});
        finish();
    }

    // Cycles of the copy; 0 when it does not end. Checks what it wrote.
    unsigned run(bool through_aperture)
    {
        fill_memories();
        uint32_t at_system = one.is_shifted ? 1 : 0, at_local = one.is_shifted ? 3 : 0;
        uint32_t far = (through_aperture ? APERTURE : SYSTEM) + at_system, local = SEGMENT1 + at_local;
        const uint32_t words[4] = {PKT_COPY, one.to_system ? local : far, one.to_system ? far : local, one.bytes};
        for (uint32_t i = 0; i < 4; i++) command(RUN_AT + 4 * i, words[i]);
        put({PKT_RUN | (uint32_t)!through_aperture << PKT_RUN_PRIVILEGED_LSB, RUN_AT, 16});
        unsigned cycles = finish();
        check(through_aperture, at_system, at_local);
        return cycles;
    }

    // Cycles of 64 rows of 64 bytes at a pitch of 4096 within system memory, one COPY_2D packet in the ring.
    unsigned run_blit()
    {
        fill_memories();
        uint32_t from = one.is_shifted ? 1 : 0, to = 2048 + (one.is_shifted ? 3 : 0);
        put({PKT_COPY_2D, SYSTEM + from, SYSTEM + to, BLIT_ROWS << 16 | BLIT_BYTES, 4096u << 16 | 4096});
        unsigned cycles = finish();
        for (uint32_t row = 0; row < BLIT_ROWS; row++)
            memcpy(&system[row * 4096 + to], &system[row * 4096 + from], BLIT_BYTES);
        if (memory.system != system) fail("system memory is wrong after the blit", 0);
        if (memory.protocol_errors != 0) fail("protocol errors:", memory.protocol_errors);
        return cycles;
    }

    unsigned failures = 0;

  private:
    static const uint32_t RUN_AT = 4096;
    copy_case one;
    uint32_t frames[PAGES], ahead = 0, fence = 0;
    std::vector<uint8_t> local, system;

    void put(const std::vector<uint32_t> &words)
    {
        for (uint32_t word : words) command(one.node * 1024 + 4 * (ahead++ & 255), word);
    }
    // Rings the doorbell with a fence after what was put; cycles until the fence has passed.
    unsigned finish()
    {
        put({PKT_FENCE, ++fence});
        write(one.node, NODE_TAIL_OFFSET, ahead);
        for (unsigned cycles = 1; cycles < 100000; cycles++) {
            if (read(one.node, NODE_FENCE_OFFSET) == fence) return cycles;
            tick();
        }
        fail("no fence; ERROR", read(one.node, NODE_ERROR_OFFSET));
        return 0;
    }
    void fail(const char *what, uint32_t value)
    {
        printf("node %u, %u bytes, L = %u: %s %x\n", one.node, one.bytes, one.latency, what, value);
        failures++;
    }
    void fill_memories()
    {
        local.resize(PAGES * 4096);
        for (uint8_t &byte : local) byte = (uint8_t)random.next();
        for (uint8_t &byte : memory.system) byte = (uint8_t)random.next();
        load(SEGMENT1, local.data(), PAGES * 4096);
        system = memory.system;
    }
    void check(bool through_aperture, uint32_t at_system, uint32_t at_local)
    {
        for (uint32_t i = 0; i < one.bytes; i++) {
            uint32_t at = at_system + i, physical = through_aperture ? frames[at / 4096] * 4096 + at % 4096 : at;
            if (one.to_system) system[physical] = local[at_local + i];
            else local[at_local + i] = system[physical];
        }
        std::vector<uint8_t> now(local.size());
        fetch(SEGMENT1, now.data(), (uint32_t)now.size());
        if (now != local) fail("segment 1 is wrong; through the aperture:", through_aperture);
        if (memory.system != system) fail("system memory is wrong; through the aperture:", through_aperture);
        if (memory.protocol_errors != 0) fail("protocol errors:", memory.protocol_errors);
        if (read(one.node, NODE_ERROR_OFFSET) != 0) fail("ERROR is", read(one.node, NODE_ERROR_OFFSET));
    }
};

static void print_row(const copy_case &one, bool through_aperture, unsigned cycles, unsigned bound, double ratio)
{
    static bool is_first = true;
    printf("%s{\"case\": \"node %u, %s%s\", \"rows\": 1, \"bytes\": %u, \"align\": \"%s\", \"latency\": %u, "
           "\"memory_mode\": \"node\", \"cycles\": %u, \"utilisation\": %.4f, "
           "\"bound\": %u, \"ratio\": %.4f, \"of_plain\": %.4f, "
           "\"met\": %s}",
           is_first ? "" : ",\n", one.node, one.to_system ? "segment 1 to " : "",
           one.to_system ? (through_aperture ? "aperture" : "system")
                         : (through_aperture ? "aperture to segment 1" : "system to segment 1"),
           one.bytes, one.is_shifted ? "+1/+3" : "aligned", one.latency, cycles, one.bytes / 8.0 / cycles, bound,
           (double)cycles / bound, ratio, ratio >= TARGET ? "true" : "false");
    is_first = false;
}

// The blit from doorbell to fence at L = 200, aligned and not: at most L + BLIT_FRONT.
static bool blit(unsigned node, bool is_shifted, bool is_json)
{
    copy_case one = {node, BLIT_ROWS * BLIT_BYTES, 200, true, is_shifted};
    rig test(one);
    unsigned cycles = test.run_blit(), bound = 2 * one.latency + BLIT_ROWS * (is_shifted ? 9 : 8) - 1;
    bool good = test.failures == 0 && cycles != 0 && cycles <= one.latency + BLIT_FRONT;
    if (is_json)
        printf(",\n{\"case\": \"node %u, blit from the ring, system to system\", "
               "\"rows\": %u, \"bytes\": %u, \"align\": \"%s\", "
               "\"latency\": %u, \"memory_mode\": \"node\", \"cycles\": %u, \"utilisation\": %.4f, \"bound\": %u, "
               "\"ratio\": %.4f, \"met\": %s}",
               node, BLIT_ROWS, BLIT_BYTES, is_shifted ? "+1/+3" : "aligned", one.latency, cycles,
               one.bytes / 8.0 / cycles, bound, (double)cycles / bound, good ? "true" : "false");
    else
        printf("%s node %u, blit of 64 rows of 64 bytes %-7s L = 200: %u cycles, at most %u\n", good ? "ok  " : "FAIL",
               node, is_shifted ? "+1/+3" : "aligned", cycles, one.latency + BLIT_FRONT);
    return good;
}

int main(int argc, char **argv)
{
    bool is_json = argc > 1 && strcmp(argv[1], "json") == 0;
    unsigned passed = 0, failed = 0;
    double worst = 9.0;
    Verilated::randReset(2);
    for (unsigned bytes : {4096u, 65536u})
        for (unsigned latency : {16u, 64u, 200u})
            for (unsigned kind = 0; kind < 8; kind++) {
                copy_case one = {kind & 1, bytes, latency, (kind & 2) != 0, (kind & 4) != 0};
                rig test(one);
                unsigned plain = test.run(false), mapped = test.run(true);
                // One latency of system memory, the beats, one more where rows straddle.
                unsigned bound = latency + bytes / 8 + (one.is_shifted ? 1 : 0);
                double ratio = (double)plain / mapped;
                bool good = test.failures == 0 && plain != 0 && mapped != 0 && ratio >= TARGET &&
                            plain <= bound + FRONT && mapped <= bound + FRONT;
                if (good) passed++;
                else failed++;
                if (ratio < worst) worst = ratio;
                if (is_json) {
                    print_row(one, false, plain, bound, 1.0);
                    print_row(one, true, mapped, bound, ratio);
                } else
                    printf("%s node %u, %s, %5u bytes %-7s L = %3u: "
                           "plain %5u, aperture %5u cycles, ratio %.4f; bound %u\n",
                           good ? "ok  " : "FAIL", one.node, one.to_system ? "to system" : "to local ", bytes,
                           one.is_shifted ? "+1/+3" : "aligned", latency, plain, mapped, ratio, bound);
            }
    for (unsigned kind = 0; kind < 4; kind++) {
        if (blit(kind & 1, (kind & 2) != 0, is_json)) passed++;
        else failed++;
    }
    if (!is_json) printf("worst ratio %.4f\n%u passed, %u failed\n", worst, passed, failed);
    return failed != 0 || passed == 0;
}
