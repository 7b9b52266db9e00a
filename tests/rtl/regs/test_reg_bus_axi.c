/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the host port keeps AXI4-Lite however its master behaves. Method: drive the pins with three
 * independent random streams (AW, W, AR) and random bready and rready, many mixes of their speeds; judge
 * every answer by a model: each write answered once and in order, SLVERR without effect when strobes are off,
 * a read sees the last answered write of its register or one that is under way.
 */
#include <stdio.h>
#include <stdlib.h>

#include "chip.h"
#include "gpu_spec.h"

enum { REGISTERS = 5, TRANSFERS = 400, RESP_SLVERR = 2 };
/* Plain storage for the host. */
static const uint32_t offsets[REGISTERS] = {
    HOST_SCRATCH_OFFSET,      HOST_SUBMIT_BASE_OFFSET, HOST_COMPLETE_BASE_OFFSET,
    HOST_SYSTEM_PAGES_OFFSET, HOST_ABI_HOST_OFFSET,
};

struct write {
    unsigned target;
    uint32_t value;
    uint8_t strobes;
};

struct bench {
    struct chip *chip;
    struct pins pins;
    unsigned write_count, read_count; /* TRANSFERS, or 0 in a mix without */
    struct write writes[TRANSFERS];
    unsigned aw_done, w_done, b_done; /* handshakes so far */
    unsigned reads[TRANSFERS], ar_done, r_done;
    unsigned answered_before[TRANSFERS]; /* writes answered when each read was asked for */
    uint64_t random;
    unsigned aw_percent, w_percent, ar_percent, b_percent, r_percent;
    unsigned passed, failed;
};

static uint32_t chance(struct bench *bench, uint32_t range)
{
    bench->random = bench->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(bench->random >> 33) % range;
}

static void check(struct bench *bench, int is_right, const char *what, unsigned index)
{
    if (is_right) bench->passed++;
    else if (bench->failed++ < 10) printf("FAILED: %s (%u)\n", what, index);
}

/* Raise a valid with the given chance; once up it stays until taken. */
static uint8_t offer(struct bench *bench, uint8_t valid, unsigned percent, int has_more)
{
    return valid || (has_more && chance(bench, 100) < percent);
}

static void drive(struct bench *bench)
{
    struct pins *pins = &bench->pins;
    uint8_t was_offered = pins->h_awvalid;
    pins->h_awvalid = offer(bench, pins->h_awvalid, bench->aw_percent, bench->aw_done < bench->write_count);
    pins->h_wvalid = offer(bench, pins->h_wvalid, bench->w_percent, bench->w_done < bench->write_count);
    pins->h_arvalid = offer(bench, pins->h_arvalid, bench->ar_percent, bench->ar_done < bench->read_count);
    pins->h_bready = chance(bench, 100) < bench->b_percent;
    pins->h_rready = chance(bench, 100) < bench->r_percent;
    if (pins->h_awvalid && !was_offered)
        pins->h_awaddr =
            (uint16_t)(offsets[bench->writes[bench->aw_done].target] + chance(bench, 4)); /* the low bits are ignored */
    if (pins->h_wvalid) {
        pins->h_wdata = bench->writes[bench->w_done].value;
        pins->h_wstrb = bench->writes[bench->w_done].strobes;
    }
    if (pins->h_arvalid) pins->h_araddr = (uint16_t)offsets[bench->reads[bench->ar_done]];
}

/* Could register `target` hold `value` after `from` .. `to` of the writes? */
static int is_possible(const struct bench *bench, unsigned target, uint32_t value, unsigned from, unsigned to)
{
    uint32_t holds = 0;
    for (unsigned i = 0; i <= to; i++) {
        if (i >= from && holds == value) return 1;
        if (i < to && bench->writes[i].target == target && bench->writes[i].strobes == 0xf)
            holds = bench->writes[i].value;
    }
    return 0;
}

static void observe(struct bench *bench)
{
    struct pins *pins = &bench->pins;
    unsigned taken = bench->aw_done < bench->w_done ? bench->aw_done : bench->w_done;
    if (pins->h_bvalid && pins->h_bready) {
        unsigned index = bench->b_done++;
        check(bench, index < taken, "an answer to a write that is not complete", index);
        if (index < bench->write_count)
            check(bench, pins->h_bresp == (bench->writes[index].strobes == 0xf ? 0 : RESP_SLVERR), "bresp", index);
    }
    if (pins->h_rvalid && pins->h_rready) {
        unsigned index = bench->r_done++;
        check(bench, index < bench->ar_done, "data nobody asked for", index);
        if (index < bench->read_count)
            check(bench,
                  pins->h_rresp == 0 &&
                      is_possible(bench, bench->reads[index], pins->h_rdata, bench->answered_before[index], taken),
                  "a read's value", index);
    }
    if (pins->h_awvalid && pins->h_awready) {
        bench->aw_done++;
        pins->h_awvalid = 0;
    }
    if (pins->h_wvalid && pins->h_wready) {
        bench->w_done++;
        pins->h_wvalid = 0;
    }
    if (pins->h_arvalid && pins->h_arready) {
        bench->answered_before[bench->ar_done++] = bench->b_done;
        pins->h_arvalid = 0;
    }
}

static void run(struct bench *bench, uint32_t seed)
{
    bench->chip = chip_create(seed);
    bench->random = seed;
    for (unsigned i = 0; i < TRANSFERS; i++) {
        bench->writes[i].target = chance(bench, REGISTERS);
        bench->writes[i].value = chance(bench, 0x7fffffff);
        bench->writes[i].strobes = chance(bench, 4) ? 0xf : (uint8_t)chance(bench, 15);
    }
    for (unsigned i = 0; i < TRANSFERS; i++) bench->reads[i] = chance(bench, REGISTERS);
    bench->pins.rst = 1;
    for (unsigned i = 0; i < 4; i++) {
        chip_cycle(bench->chip, &bench->pins);
    }
    bench->pins.rst = 0;
    for (unsigned i = 0; i < 200000 && (bench->b_done < bench->write_count || bench->r_done < bench->read_count); i++) {
        drive(bench);
        if (!chip_cycle(bench->chip, &bench->pins)) check(bench, 0, "an assertion", i);
        observe(bench);
    }
    check(bench, bench->b_done == bench->write_count, "writes answered", bench->b_done);
    check(bench, bench->r_done == bench->read_count, "reads answered", bench->r_done);
    for (unsigned i = 0; i < 50; i++) { /* nothing comes that was not asked for */
        bench->pins.h_bready = bench->pins.h_rready = 1;
        chip_cycle(bench->chip, &bench->pins);
        check(bench, !bench->pins.h_bvalid && !bench->pins.h_rvalid, "a late answer", i);
    }
    chip_destroy(bench->chip);
}

int main(void)
{
    /* Percent chances per cycle of AW, W, AR, bready, rready: the named odd cases and everything at full speed. */
    static const unsigned mixes[][5] = {
        {100, 100, 100, 100, 100}, {100, 5, 0, 100, 100},  {5, 100, 0, 100, 100},   {0, 0, 100, 100, 100},
        {0, 0, 100, 100, 10},      {100, 100, 0, 10, 100}, {100, 100, 100, 10, 10}, {30, 30, 30, 30, 30},
        {100, 10, 100, 50, 5},     {10, 100, 5, 5, 100},
    };
    unsigned passed = 0, failed = 0;
    for (unsigned i = 0; i < sizeof mixes / sizeof mixes[0]; i++) {
        struct bench *bench = calloc(1, sizeof *bench);
        bench->write_count = mixes[i][0] && mixes[i][1] ? TRANSFERS : 0;
        bench->read_count = mixes[i][2] ? TRANSFERS : 0;
        bench->aw_percent = mixes[i][0];
        bench->w_percent = mixes[i][1];
        bench->ar_percent = mixes[i][2];
        bench->b_percent = mixes[i][3];
        bench->r_percent = mixes[i][4];
        run(bench, i + 1);
        passed += bench->passed;
        failed += bench->failed;
        free(bench);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
