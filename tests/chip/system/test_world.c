/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the simulator's system memory is a strict AXI4 slave. Method: play the chip at its pins, without
 * one: latencies to the cycle, order, narrow and unaligned beats, when a write becomes visible, errors past
 * the end; then break each rule of the bus once and read which one was noticed.
 */
#include <stdio.h>
#include <string.h>

#include "world.h"

enum { MEMORY = 64 << 10, READ_LATENCY = 7, WRITE_LATENCY = 5, PATIENCE = 400 };

static unsigned passed, failed;

static void check(bool is_right, const char *what)
{
    if (is_right) passed++;
    else {
        failed++;
        printf("FAILED: %s\n", what);
    }
}

struct bench {
    struct world *world;
    struct pins pins;
    const char *broken;
    uint64_t received[16]; /* read data as it came */
    unsigned received_count;
};

static void start(struct bench *bench, uint32_t stall_percent, uint32_t seed)
{
    memset(bench, 0, sizeof *bench);
    bench->world =
        world_create(&(struct world_options){MEMORY, READ_LATENCY, WRITE_LATENCY, stall_percent, seed, NULL});
    bench->pins.m_rready = bench->pins.m_bready = 1;
    bench->pins.m_arsize = bench->pins.m_awsize = 3;
    bench->pins.m_arburst = bench->pins.m_awburst = 1;
}

static void stop(struct bench *bench) { world_destroy(bench->world); }

static void cycle(struct bench *bench)
{
    world_drive(bench->world, &bench->pins);
    const char *broken = world_observe(bench->world, &bench->pins);
    if (broken) bench->broken = broken;
    if (bench->pins.m_rvalid && bench->received_count < 16)
        bench->received[bench->received_count++] = bench->pins.m_rdata;
}

/* Offers one address and returns when it has been taken. */
static void request(struct bench *bench, bool is_write, uint32_t address, unsigned beats, unsigned size)
{
    struct pins *pins = &bench->pins;
    if (is_write) {
        pins->m_awaddr = address;
        pins->m_awlen = (uint8_t)(beats - 1);
        pins->m_awsize = (uint8_t)size;
        pins->m_awvalid = 1;
    } else {
        pins->m_araddr = address;
        pins->m_arlen = (uint8_t)(beats - 1);
        pins->m_arsize = (uint8_t)size;
        pins->m_arvalid = 1;
    }
    for (unsigned i = 0; i < PATIENCE; i++) {
        cycle(bench);
        if (is_write ? pins->m_awready : pins->m_arready) break;
    }
    pins->m_awvalid = pins->m_arvalid = 0;
}

static void send(struct bench *bench, uint64_t data, uint8_t strobes, bool last)
{
    struct pins *pins = &bench->pins;
    pins->m_wdata = data;
    pins->m_wstrb = strobes;
    pins->m_wlast = last;
    pins->m_wvalid = 1;
    for (unsigned i = 0; i < PATIENCE; i++) {
        cycle(bench);
        if (pins->m_wready) break;
    }
    pins->m_wvalid = 0;
}

/* Cycles until the next beat (or response), counted from the cycle after the call. */
static unsigned await(struct bench *bench, const uint8_t *valid)
{
    for (unsigned i = 1; i < PATIENCE; i++) {
        cycle(bench);
        if (*valid) return i;
    }
    return PATIENCE;
}

static void test_latency_and_data(void)
{
    struct bench bench;
    start(&bench, 0, 0);
    for (unsigned i = 0; i < 64; i++) world_memory(bench.world)[0x100 + i] = (uint8_t)i;
    request(&bench, false, 0x100, 4, 3);
    check(await(&bench, &bench.pins.m_rvalid) == READ_LATENCY, "first beat READ_LATENCY cycles after the address");
    check(bench.pins.m_rdata == 0x0706050403020100u && !bench.pins.m_rlast, "first beat");
    for (unsigned beat = 1; beat < 4; beat++) {
        check(await(&bench, &bench.pins.m_rvalid) == 1, "beats without gaps");
        check((bench.pins.m_rdata & 0xff) == 8 * beat && bench.pins.m_rlast == (beat == 3), "beat data and rlast");
    }
    request(&bench, false, 0x104, 1, 2);
    await(&bench, &bench.pins.m_rvalid);
    check(bench.pins.m_rdata >> 32 == 0x07060504u, "a narrow read's bytes are on their lanes");
    request(&bench, true, 0x200, 1, 3);
    send(&bench, 0x1122334455667788u, 0xff, true);
    check(world_memory(bench.world)[0x200] != 0x88, "a write is visible before its response");
    check(await(&bench, &bench.pins.m_bvalid) == WRITE_LATENCY, "response WRITE_LATENCY cycles after the last beat");
    check(world_memory(bench.world)[0x200] == 0x88 && world_memory(bench.world)[0x207] == 0x11,
          "a write is not visible with its response");
    check(bench.broken == NULL, "a rule broken by a legal burst");
    stop(&bench);
}

static void test_strobes_and_order(void)
{
    struct bench bench;
    start(&bench, 0, 0);
    memset(world_memory(bench.world), 0, MEMORY);
    request(&bench, true, 0x303, 2, 3); /* unaligned start: the first beat has five lanes */
    request(&bench, true, 0x404, 1, 2);
    send(&bench, 0xffffffffffffffffu, 0xf8, false);
    send(&bench, 0xeeeeeeeeeeeeeeeeu, 0x03, true);
    send(&bench, 0xddddddddddddddddu, 0xf0, true);
    const uint8_t *memory = world_memory(bench.world);
    await(&bench, &bench.pins.m_bvalid);
    check(memory[0x302] == 0 && memory[0x303] == 0xff && memory[0x307] == 0xff && memory[0x308] == 0xee &&
              memory[0x30a] == 0,
          "strobes");
    check(memory[0x404] == 0, "the second write overtakes the first");
    await(&bench, &bench.pins.m_bvalid);
    check(memory[0x403] == 0 && memory[0x404] == 0xdd && memory[0x408] == 0, "the second write");
    check(bench.broken == NULL, "a rule broken by legal strobes");
    stop(&bench);
}

static void test_past_the_end(void)
{
    struct bench bench;
    start(&bench, 0, 0);
    request(&bench, false, MEMORY - 8, 1, 3);
    await(&bench, &bench.pins.m_rvalid);
    check(bench.pins.m_rresp == 0, "the last word is an error");
    request(&bench, false, MEMORY, 2, 3);
    await(&bench, &bench.pins.m_rvalid);
    check(bench.pins.m_rresp == 3, "a read past the end is not DECERR");
    await(&bench, &bench.pins.m_rvalid);
    check(bench.pins.m_rresp == 3 && bench.pins.m_rlast, "an error burst has all its beats");
    for (unsigned beats = 1; beats <= 3; beats++) { /* bytes, of which the third is after the end */
        request(&bench, false, MEMORY - 2, beats, 0);
        await(&bench, &bench.pins.m_rvalid);
        check(bench.pins.m_rresp == (beats == 3 ? 3 : 0), "a narrow burst at the end");
        while (!bench.pins.m_rlast) await(&bench, &bench.pins.m_rvalid);
    }
    request(&bench, true, 0xfffffff8u, 1, 3);
    send(&bench, 0, 0xff, true);
    await(&bench, &bench.pins.m_bvalid);
    check(bench.pins.m_bresp == 3, "a write at the end of the address space is not DECERR");
    stop(&bench);
}

/* With stalls and jitter everything still arrives, in order, and what is shown stays. */
static void test_stalls(void)
{
    for (uint32_t seed = 1; seed <= 5; seed++) {
        struct bench bench;
        start(&bench, 60, seed);
        for (unsigned i = 0; i < 8; i++) memset(world_memory(bench.world) + 0x1000 + 64 * i, (int)i, 64);
        for (unsigned i = 0; i < 8; i++) request(&bench, false, 0x1000 + 64 * i, 1, 3);
        for (unsigned i = 0; i < PATIENCE && bench.received_count < 8; i++) cycle(&bench);
        for (unsigned i = 0; i < 8; i++)
            check(i < bench.received_count && (bench.received[i] & 0xff) == i, "reads arrive in order under stalls");
        check(bench.broken == NULL, "a rule broken under stalls");
        stop(&bench);
    }
}

/* Each rule, broken once. */
static void test_rules(void)
{
    struct bench bench;
    start(&bench, 0, 0);
    request(&bench, false, 0xff8, 2, 3);
    check(bench.broken && strstr(bench.broken, "4 KiB"), "a crossing read is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, true, 0xffc, 2, 2);
    check(bench.broken && strstr(bench.broken, "4 KiB"), "a crossing write is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, false, 0xff8, 1, 3);
    check(!bench.broken, "a burst up to the boundary is refused");
    stop(&bench);

    start(&bench, 0, 0);
    bench.pins.m_arburst = 0;
    request(&bench, false, 0, 1, 3);
    check(bench.broken && strstr(bench.broken, "INCR"), "a FIXED burst is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, false, 0, 1, 4);
    check(bench.broken && strstr(bench.broken, "wider"), "a beat wider than the bus is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, true, 0, 2, 3);
    send(&bench, 0, 0xff, true);
    check(bench.broken && strstr(bench.broken, "wlast"), "an early wlast is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, true, 0, 1, 3);
    send(&bench, 0, 0xff, false);
    check(bench.broken && strstr(bench.broken, "wlast"), "a missing wlast is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    request(&bench, true, 4, 1, 2);
    send(&bench, 0, 0x0f, true);
    check(bench.broken && strstr(bench.broken, "strobes"), "strobes outside the lanes are not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    bench.pins.m_wvalid = 1; /* no address yet: not taken */
    cycle(&bench);
    bench.pins.m_wdata++;
    cycle(&bench);
    check(bench.broken && strstr(bench.broken, "payload changed"), "unstable write data is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    bench.pins.m_wvalid = 1;
    cycle(&bench);
    bench.pins.m_wvalid = 0;
    cycle(&bench);
    check(bench.broken && strstr(bench.broken, "valid fell"), "a retracted valid is not noticed");
    stop(&bench);

    start(&bench, 0, 0);
    bench.pins.m_rready = 0;
    cycle(&bench);
    check(bench.broken && strstr(bench.broken, "rready"), "a chip that is not ready for data is not noticed");
    stop(&bench);
}

/* ------------------------------------------------------------------ everything at once */

static uint32_t random_state;
static uint32_t pick(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(random_state >> 4) * limit >> 28);
}

static uint64_t sum;
static void add(const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) sum = (sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

/* A burst that keeps the rules, or rarely not; near the end of memory, too. */
static void choose(uint32_t *address, uint8_t *length, uint8_t *size)
{
    *size = (uint8_t)(pick(50) == 0 ? 4 : pick(4));
    *length = (uint8_t)(pick(3) == 0 ? pick(256) : pick(9));
    *address = pick(4) == 0 ? MEMORY - 200 + pick(400) : pick(MEMORY);
    if (pick(60) != 0 && *address % 4096 + ((*length + 1u) << *size) > 4096) *address &= ~4095u, *length %= 16;
}

/* What a random chip sees of it in 20,000 cycles is what it saw when this was written, under latencies and stalls. */
static void test_random(uint32_t stall, uint32_t seed, uint64_t held)
{
    static struct bench bench;
    struct pins *pins = &bench.pins;
    uint32_t beats[64], first = 0, count = 0; /* of write bursts whose data are not all sent */
    char text[160];
    start(&bench, stall, seed);
    random_state = seed + 17;
    sum = 0xcbf29ce484222325u;
    pins->m_wvalid = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        if (!pins->m_arvalid && pick(12) == 0) {
            choose(&pins->m_araddr, &pins->m_arlen, &pins->m_arsize);
            pins->m_arburst = pick(200) != 0;
            pins->m_arvalid = 1;
        }
        if (!pins->m_awvalid && count < 20 && pick(12) == 0) {
            choose(&pins->m_awaddr, &pins->m_awlen, &pins->m_awsize);
            pins->m_awvalid = 1;
        }
        if (!pins->m_wvalid && count != 0 && pick(3) != 0) {
            pins->m_wdata = (uint64_t)pick(0xffffffff) << 32 | pick(0xffffffff);
            pins->m_wstrb = (uint8_t)(pick(2) == 0 ? 0xff : pick(256));
            pins->m_wlast = beats[first % 64] == 1 && pick(90) != 0;
            pins->m_wvalid = 1;
        }
        pins->m_rheld = pick(20) == 0;
        pins->m_bheld = pick(20) == 0;
        pins->rst = pick(3000) == 0;
        world_drive(bench.world, pins);
        const char *broken = world_observe(bench.world, pins);
        const uint8_t seen[] = {pins->m_arready, pins->m_rvalid, pins->m_awready, pins->m_wready, pins->m_bvalid};
        add(seen, sizeof seen);
        if (pins->m_rvalid) add(&pins->m_rdata, 8), add(&pins->m_rlast, 1), add(&pins->m_rresp, 1);
        if (pins->m_bvalid) add(&pins->m_bresp, 1);
        if (broken != NULL) add(broken, strlen(broken));
        if (i % 97 == 0) {
            world_describe(bench.world, text, i % 3 == 0 ? sizeof text : 40 + i % 50);
            add(text, strlen(text));
        }
        if (pins->rst) continue;
        if (pins->m_arready) pins->m_arvalid = 0;
        if (pins->m_awvalid && pins->m_awready) {
            beats[(first + count++) % 64] = pins->m_awlen + 1u;
            pins->m_awvalid = 0;
        }
        if (pins->m_wvalid && pins->m_wready) {
            pins->m_wvalid = 0;
            if (--beats[first % 64] == 0) first++, count--;
        }
    }
    add(world_memory(bench.world), MEMORY);
    printf("stalls %u, seed %u: %016llx\n", stall, seed, (unsigned long long)sum);
    check(sum == held, "a random chip sees what it saw");
    stop(&bench);
}

int main(void)
{
    test_random(0, 0, 0xa7647cb0430853d9u);
    test_random(30, 5, 0xf9c5bcbc597f6775u);
    test_random(90, 77, 0x3ed07fdccab73ddbu);
    test_latency_and_data();
    test_strobes_and_order();
    test_past_the_end();
    test_stalls();
    test_rules();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
