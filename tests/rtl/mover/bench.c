/* SPDX-License-Identifier: Apache-2.0
 *
 * Cycles of the mover against lower bounds, on a memory that takes every address at once and gives a read's
 * first beat `latency` cycles after its address, a write's answer `latency` after its last beat; reads and writes
 * apart, or one beat per cycle in all, or strictly in order of arrival. Every run compares all of
 * memory with the golden model and checks the protocol (world.c).
 *
 * A case: one command, or 64 of them offered as fast as they are taken; from the first offer to the last completion.
 * `long stream`: 1024 of 64 bytes on the in-order port, where the 2 latency of start and end no longer count.
 * Aligned: source ...000, target ...000; else +1 and +3. Bound in cycles:
 *   copies 2 latency + max(beats read, beats written) - 1; fills latency + beats; pixels as copies, but at most
 *   two pixels per cycle where colours are computed.
 * One JSON object per line on stdout (`ratio`: cycles over that bound), and a line per missed target on stderr. Usage:
 * bench copies|operations|maps
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* Cycles that a copy takes through the mover itself, with the registers between its parts. */
enum { STAGES = 4 };
#include "pixel_model.h"
#include "world.h"

enum {
    PALETTE = WORLD_BASE + 0x80000,
    SOURCE = WORLD_BASE + 0x100000,
    TARGET = WORLD_BASE + 0x800000,
    STREAM = 64,
    LONG_STREAM = 1024
};

struct bench {
    struct harness *harness;
    struct mover_pins pins;
    struct world world;
    struct judge judge;
    uint8_t expected[WORLD_BYTES];
    struct command_pins commands[LONG_STREAM];
    struct map_feed feed;
    uint32_t count, failures, rows;
    /* results */
    uint64_t cycles, quarter, three_quarters, launch;
    uint64_t bytes;
    bool good;
};

static uint64_t beats_of(uint32_t address, uint32_t bytes) { return ((uint64_t)(address & 7u) + bytes + 7u) / 8u; }

/* What draws from INDEX8 look up. */
static void load_palette(struct bench *bench)
{
    world_start(&bench->world, &(struct world_options){.latency = 1, .seed = 1});
    memset(bench->world.allowed, 0xff, sizeof bench->world.allowed);
    bench->world.expected_user = 1;
    bench->judge.palette = bench->pins.load_source = PALETTE;
    bench->pins.load_start = 1;
    for (unsigned cycle = 0; cycle < 1000 && !bench->pins.load_done; cycle++) {
        world_drive(&bench->world, &bench->pins);
        harness_settle(bench->harness, &bench->pins);
        world_sample(&bench->world, &bench->pins);
        harness_clock(bench->harness);
        bench->pins.load_start = 0;
    }
}

static void run(struct bench *bench, const struct world_options *options)
{
    uint64_t limit = 20000u, written = 0;
    uint32_t issued = 0, done = 0;
    for (uint32_t i = 0; i < bench->count; i++)
        limit += 4u * ((uint64_t)bench->commands[i].row_bytes * bench->commands[i].rows + 8u * options->latency + 400u);
    world_start(&bench->world, options);
    memset(bench->world.allowed, 0xff, sizeof bench->world.allowed);
    bench->world.expected_user = 0;
    memcpy(bench->expected, bench->world.memory, sizeof bench->expected);
    bench->quarter = bench->three_quarters = bench->launch = 0;
    bench->feed = (struct map_feed){0, 0};
    bench->cycles = 0;
    for (uint64_t cycle = 0; cycle < limit && done < bench->count; cycle++) {
        const bool has_words = map_feed_step(&bench->feed, bench->commands, bench->count, issued, &bench->pins);
        bench->pins.cmd_valid = has_words && issued < bench->count;
        if (issued < bench->count) bench->pins.cmd = bench->commands[issued];
        bench->pins.cmd.units = (uint16_t)command_units(&bench->pins.cmd);
        world_drive(&bench->world, &bench->pins);
        harness_settle(bench->harness, &bench->pins);
        if (world_arbitrate(&bench->world, &bench->pins)) harness_settle(bench->harness, &bench->pins);
        if (bench->pins.read[0].arvalid && bench->launch == 0) bench->launch = cycle + 1u;
        if (bench->pins.write.wvalid && bench->pins.write.wready) {
            written += (uint64_t)__builtin_popcount(bench->pins.write.wstrb);
            if (bench->quarter == 0 && written * 4u >= bench->bytes) bench->quarter = cycle;
            if (bench->three_quarters == 0 && written * 4u >= bench->bytes * 3u) bench->three_quarters = cycle;
        }
        world_sample(&bench->world, &bench->pins);
        if (bench->pins.done_valid && ++done == bench->count) bench->cycles = cycle;
        if (bench->pins.cmd_valid && bench->pins.cmd_ready) issued++;
        harness_clock(bench->harness);
    }
    bench->good = done == bench->count && bench->world.violations == 0 && world_is_quiet(&bench->world);
    for (uint32_t i = 0; i < bench->count; i++)
        if (judge_execute(&bench->judge, &bench->commands[i]) != FAULT_NONE) bench->good = false;
    if (memcmp(bench->expected, bench->world.memory, sizeof bench->expected) != 0) bench->good = false;
}

/* Runs what is in `commands`, prints it, holds it against `target` (0 = none). */
static void report(struct bench *bench, const char *name, const char *align, const struct world_options *options,
                   const char *memory, uint64_t bound, uint64_t target)
{
    const struct command_pins *first = &bench->commands[0];
    bench->bytes = 0;
    for (uint32_t i = 0; i < bench->count; i++)
        bench->bytes += (uint64_t)bench->commands[i].row_bytes * bench->commands[i].rows;
    run(bench, options);
    double steady = bench->three_quarters > bench->quarter
                        ? (double)bench->bytes / 2.0 / 8.0 / (double)(bench->three_quarters - bench->quarter)
                        : 0.0;
    bool met = bench->good && (target == 0 || bench->cycles <= target);
    printf("%s{\"case\": \"%s\", \"rows\": %u, \"bytes\": %u, \"align\": \"%s\", \"latency\": %u, \"memory_mode\": "
           "\"%s\", "
           "\"cycles\": %llu, \"utilisation\": %.4f, \"steady\": %.4f, \"bound\": %llu, \"ratio\": %.4f, \"target\": "
           "%llu, "
           "\"first_ar\": %llu, "
           "\"reads_in_flight\": %u, \"writes_in_flight\": %u, \"correct\": %s, \"met\": %s}",
           bench->rows++ != 0 ? ",\n" : "", name, bench->count > 1 ? bench->count : first->rows, first->row_bytes,
           align, options->latency, memory, (unsigned long long)bench->cycles,
           (double)bench->bytes / 8.0 / (double)bench->cycles, steady, (unsigned long long)bound,
           (double)bench->cycles / (double)bound, (unsigned long long)target, (unsigned long long)(bench->launch - 1u),
           bench->world.most_in_flight[0], bench->world.most_in_flight[2], bench->good ? "true" : "false",
           met ? "true" : "false");
    if (!met) {
        fprintf(stderr, "MISSED %s %u x %u %s latency %u %s: %llu cycles, target %llu, %s\n", name, bench->count,
                first->row_bytes, align, options->latency, memory, (unsigned long long)bench->cycles,
                (unsigned long long)target, bench->good ? "data right" : bench->world.violation);
        bench->failures++;
    }
}

/* ------------------------------------------------------------------ copies: the descriptor bench */

static void copies(struct bench *bench)
{
    static const uint32_t latencies[] = {1, 16, 64, 200}, sizes[] = {64, 256, 1024, 4096, 65536};
    static const struct {
        enum world_port port;
        uint8_t w_stall;
        const char *name;
    } memories[] = {
        {PORT_APART, 0, "ideal"}, {PORT_SHARED, 0, "shared"}, {PORT_IN_ORDER, 0, "inorder"}, {PORT_APART, 50, "wst50"}};
    static const char *const kinds[] = {"isolated", "stream", "2d"};
    for (unsigned memory = 0; memory < 4; memory++)
        for (unsigned kind = 0; kind < 3; kind++)
            for (unsigned off = 0; off < 2; off++)
                for (unsigned l = 0; l < 4; l++)
                    for (unsigned s = 0; s < 5; s++) {
                        uint32_t bytes = sizes[s], source = SOURCE + (off ? 1u : 0u), target = TARGET + (off ? 3u : 0u);
                        struct world_options options = {.latency = latencies[l],
                                                        .port = memories[memory].port,
                                                        .w_stall = memories[memory].w_stall,
                                                        .seed = 1};
                        uint64_t read = 0, write = 0;
                        if ((kind == 2 && bytes > 4096u) || (memory != 0 && bytes > 4096u)) continue;
                        bench->count = kind == 1 ? STREAM : 1;
                        for (uint32_t i = 0; i < STREAM; i++) {
                            uint32_t step = kind == 2 ? 4096u : bytes;
                            bench->commands[i] = (struct command_pins){.op = OP_COPY,
                                                                       .source = source + i * step,
                                                                       .target = target + i * step,
                                                                       .row_bytes = bytes,
                                                                       .rows = kind == 2 ? STREAM : 1,
                                                                       .source_pitch = 4096,
                                                                       .target_pitch = 4096,
                                                                       .tag = (uint8_t)i};
                            if (i < bench->count || kind == 2) {
                                read += beats_of(source + i * step, bytes);
                                write += beats_of(target + i * step, bytes);
                            }
                        }
                        uint64_t more = read > write ? read : write, bound = 2u * latencies[l] + more - 1u;
                        uint64_t goal = bound + STAGES;
                        if (memories[memory].w_stall != 0) goal = 0;
                        if (memories[memory].port != PORT_APART) {
                            bound = 2u * latencies[l] + read + write - 1u;
                            goal = bound + STAGES;
                        }
                        report(bench, kinds[kind], off ? "+1/+3" : "aligned", &options, memories[memory].name, bound,
                               goal);
                    }
}

/* One port that serves in order: what short commands reach once the pipeline is full, at any latency. */
static void long_streams(struct bench *bench)
{
    static const uint32_t latencies[] = {1, 16, 64, 200};
    for (unsigned l = 0; l < 4; l++) {
        struct world_options options = {.latency = latencies[l], .port = PORT_IN_ORDER, .seed = 1};
        bench->count = LONG_STREAM;
        for (uint32_t i = 0; i < LONG_STREAM; i++)
            bench->commands[i] = (struct command_pins){.op = OP_COPY,
                                                       .source = SOURCE + i * 64u,
                                                       .target = TARGET + i * 64u,
                                                       .row_bytes = 64,
                                                       .rows = 1,
                                                       .tag = (uint8_t)i};
        uint64_t bound = 2u * latencies[l] + 2u * 8u * LONG_STREAM - 1u;
        report(bench, "long stream", "aligned", &options, "inorder", bound, bound + STAGES);
    }
}

/* ------------------------------------------------------------------ everything else */

static void operation(struct bench *bench, const char *name, struct command_pins command, uint32_t latency,
                      uint64_t work)
{
    struct world_options options = {.latency = latency, .seed = 1};
    bool fill = command.op == OP_FILL;
    uint64_t bound = fill ? latency + work : 2u * latency + work - 1u;
    bench->count = 1;
    bench->commands[0] = command;
    report(bench, name, (command.source | command.target) & 7u ? "+1/+3" : "aligned", &options, "ideal", bound,
           fill ? bound + STAGES : 0u);
}

static void operations(struct bench *bench)
{
    static const uint32_t latencies[] = {1, 16, 64, 200};
    static const struct {
        const char *name;
        uint8_t mode, from, to, depth;
    } pixels[] = {{"key 8888", BLIT_KEY, 2, 2, 0},
                  {"key 565", BLIT_KEY, 1, 1, 0},
                  {"rop 8888", BLIT_ROP, 2, 2, 0},
                  {"blend 8888", BLIT_BLEND, 2, 2, 0},
                  {"blend 8888 on 565", BLIT_BLEND, 2, 1, 0},
                  {"blend 565", BLIT_BLEND, 1, 1, 0},
                  {"565 to 8888", BLIT_COPY, 1, 2, 0},
                  {"8888 to 565", BLIT_COPY, 2, 1, 0},
                  {"key 565 to 8888", BLIT_KEY, 1, 2, 0},
                  {"888 to 8888", BLIT_COPY, 4, 2, 0},
                  {"8888 to 888", BLIT_COPY, 2, 4, 0},
                  {"888 to 565", BLIT_COPY, 4, 1, 0},
                  {"1555 to 8888", BLIT_COPY, 5, 2, 0},
                  {"key 888", BLIT_KEY, 4, 4, 0},
                  {"blend 8888 on 888", BLIT_BLEND, 2, 4, 0},
                  {"blend mask on 565", BLIT_BLEND, 6, 1, 0},
                  {"blend mask on 8888", BLIT_BLEND, 6, 2, 0},
                  {"blend mask of 4 bits on 565", BLIT_BLEND, 6, 1, 1},
                  {"blend mask of 4 bits on 8888", BLIT_BLEND, 6, 2, 1},
                  {"blend mask of 1 bit on 8888", BLIT_BLEND, 6, 2, 3},
                  {"index to 8888", BLIT_COPY, 7, 2, 0},
                  {"index to 565", BLIT_COPY, 7, 1, 0},
                  {"key index to 8888", BLIT_KEY, 7, 2, 0},
                  {"blend index on 565", BLIT_BLEND, 7, 1, 0},
                  {"add 8888", BLIT_ADD, 2, 2, 0},
                  {"mod 8888", BLIT_MOD, 2, 2, 0}};
    for (unsigned l = 0; l < 4; l++) {
        uint32_t latency = latencies[l];
        struct command_pins wide = {
            .rows = 1, .source = SOURCE, .target = TARGET, .row_bytes = 65536, .pattern = 0x12345678};
        wide.op = OP_FILL;
        operation(bench, "fill 64 KB", wide, latency, 8192);
        wide.target += 3u;
        operation(bench, "fill 64 KB", wide, latency, 8193);
        struct command_pins rect = {.rows = 64,
                                    .source = SOURCE,
                                    .target = TARGET,
                                    .row_bytes = 256,
                                    .source_pitch = 1024,
                                    .target_pitch = 640,
                                    .pattern = 0x1234ff};
        struct command_pins up = rect;
        up.op = OP_COPY;
        up.reverse = 1;
        operation(bench, "reverse 2d", up, latency, 64u * 32u);
        up.rows = 1;
        up.row_bytes = 65535;
        up.target = up.source + 640u;
        operation(bench, "reverse 64 KB", up, latency, 8192);
        rect.op = OP_TILE;
        operation(bench, "tile", rect, latency, 64u * 32u);
        rect.op = OP_UNTILE;
        operation(bench, "untile", rect, latency, 64u * 32u);
        rect.op = OP_BLIT;
        rect.rop = 0x6a;
        for (unsigned i = 0; i < sizeof pixels / sizeof *pixels; i++) {
            for (unsigned off = 0; off < 2; off++) {
                rect.mode = pixels[i].mode;
                rect.source_format = pixels[i].from;
                rect.target_format = pixels[i].to;
                rect.row_bytes = 256u - 256u % pixel_unit_bytes(pixels[i].to);
                rect.source = SOURCE + off;
                rect.target = TARGET + 3u * off;
                rect.depth = pixels[i].depth;
                rect.first_bit = rect.depth != 0 ? (uint8_t)(off * (8u >> rect.depth)) : 0;
                uint32_t first = rect.source, source_bytes = command_source_row_bytes(&rect);
                if (rect.depth != 0) source_bytes = command_mask_row(&rect, 0, &first);
                uint64_t in = beats_of(first, source_bytes), out = beats_of(rect.target, rect.row_bytes);
                uint64_t pairs = (command_units(&rect) + 1u) / 2u; /* a step where colours are computed */
                bool whole = pixels[i].from == pixels[i].to && pixels[i].from != FORMAT_RGB888 &&
                             (pixels[i].mode == BLIT_KEY || pixels[i].mode == BLIT_ROP);
                uint64_t work = in > out ? in : out;
                work = 64u * (!whole && pairs > work ? pairs : work);
                operation(bench, pixels[i].name, rect, latency, work);
            }
        }
    }
}

/* 64 x 64 units by a map, all inside: as it stands, mirrored, turned, enlarged, reduced. The bound is a unit a cycle,
 * two where each lies in two beats; the seven words of the map come before the first. */
static void maps(struct bench *bench)
{
    enum { SIDE = 64, ONE = 0x10000 };
    static const uint32_t latencies[] = {1, 16, 64, 200};
    static const struct {
        const char *name;
        uint32_t side; /* of the source */
        int32_t map[6];
        bool is_repeated;
    } kinds[] = {{"map, as it stands", SIDE, {0, 0, ONE, 0, 0, ONE}, false},
                 {"map, mirrored", SIDE, {SIDE * ONE - 1, 0, -ONE, 0, 0, ONE}, false},
                 {"map, a quarter turn", SIDE, {0, SIDE * ONE - 1, 0, -ONE, ONE, 0}, false},
                 {"map, by 30 degrees", 2 * SIDE, {0, 32 * ONE, 56756, -32768, 32768, 56756}, false},
                 {"map, enlarged 4 times", SIDE / 4, {0, 0, ONE / 4, 0, 0, ONE / 4}, false},
                 {"map, reduced 2 times", 2 * SIDE, {0, 0, 2 * ONE, 0, 0, 2 * ONE}, false},
                 {"map, repeated 4 by 4 times", SIDE / 4, {0, 0, ONE, 0, 0, ONE}, true}};
    static const struct {
        const char *name;
        uint8_t mode, from, to;
        bool is_filtered; /* two cycles a unit */
    } pixels[] = {{"8888", BLIT_COPY, 2, 2, false},
                  {"565", BLIT_COPY, 1, 1, false},
                  {"blend 8888 on 565", BLIT_BLEND, 2, 1, false},
                  {"index to 8888", BLIT_COPY, 7, 2, false},
                  {"8888, bilinear", BLIT_COPY, 2, 2, true},
                  {"565, bilinear", BLIT_COPY, 1, 1, true}};
    for (unsigned l = 0; l < sizeof latencies / sizeof *latencies; l++)
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (unsigned p = 0; p < sizeof pixels / sizeof *pixels; p++) {
                struct command_pins command = {.op = OP_BLIT,
                                               .mode = pixels[p].mode,
                                               .source_format = pixels[p].from,
                                               .target_format = pixels[p].to,
                                               .source = SOURCE,
                                               .target = TARGET,
                                               .rows = SIDE,
                                               .row_bytes = SIDE * pixel_unit_bytes(pixels[p].to),
                                               .source_pitch = 1024,
                                               .target_pitch = 640,
                                               .pattern = 0xff,
                                               .mapped = 1,
                                               .repeated = kinds[k].is_repeated,
                                               .filtered = pixels[p].is_filtered};
                char name[64];
                command.map[0] = kinds[k].side | kinds[k].side << 16;
                memcpy(command.map + 1, kinds[k].map, sizeof kinds[k].map);
                (void)snprintf(name, sizeof name, "%s, %s", kinds[k].name, pixels[p].name);
                operation(bench, name, command, latencies[l], SIDE * SIDE * (1u + pixels[p].is_filtered));
            }
}

int main(int argc, char **argv)
{
    static struct bench bench;
    bench.harness = harness_create(1);
    judge_start(&bench.judge, bench.expected, WORLD_BYTES);
    for (uint32_t i = 0, word = 1; i < WORLD_BYTES; i += 4) {
        word = word * 1664525u + 1013904223u;
        memcpy(&bench.world.memory[i], &word, 4);
    }
    bench.pins.rst = 1;
    for (int i = 0; i < 3; i++) {
        harness_settle(bench.harness, &bench.pins);
        harness_clock(bench.harness);
    }
    bench.pins.rst = 0;
    if (argc > 1 && strcmp(argv[1], "copies") != 0) load_palette(&bench); /* the other device has none */
    if (argc > 1 && strcmp(argv[1], "operations") == 0) operations(&bench);
    else if (argc > 1 && strcmp(argv[1], "maps") == 0) maps(&bench);
    else {
        copies(&bench);
        long_streams(&bench);
    }
    harness_destroy(bench.harness);
    fprintf(stderr, "%u cases, %u failed\n", bench.rows, bench.failures);
    return bench.failures != 0 || bench.rows == 0;
}
