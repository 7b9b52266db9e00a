/* SPDX-License-Identifier: Apache-2.0
 *
 * The mover against the golden model, memory image against memory image, over kind and hostile memories.
 * Sections: sweep of length x source offset x target offset x direction around a 4 KiB boundary; random batches of
 * every operation; overlaps; ordering with the barrier; empty commands; of test_errors.c: an error at every beat, of
 * random commands and kind by kind, abort at every
 * cycle; nothing hangs on a memory that serves in order; blits whose source comes from a map; palettes; parts of bytes.
 * Usage: test_mover [section [seed [share]]], of random batches one in share, all if not given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "pixel_model.h"
#include "test_mover.h"

#ifndef MOVER_PIXELS
#define MOVER_PIXELS 1 /* 0: the device was built without its pixel path; BLITs only move bytes */
#endif
#ifndef MOVER_FORMATS
#define MOVER_FORMATS 1 /* 0: it was built for fewer formats and modes (pixel_path.v) */
#endif

void bench_cycle(struct bench *bench)
{
    world_drive(&bench->world, &bench->pins);
    harness_settle(bench->harness, &bench->pins);
    if (world_arbitrate(&bench->world, &bench->pins)) harness_settle(bench->harness, &bench->pins);
    world_sample(&bench->world, &bench->pins);
    bench->cycles++;
}

void bench_verdict(struct bench *bench, bool good, const char *what, const char *detail)
{
    if (good) {
        bench->passed++;
        return;
    }
    bench->failed++;
    if (bench->failed <= 10) {
        const struct world_options *o = &bench->world.options;
        printf("FAILED %s: %s\n  memory: latency %u+%u stalls ar%u r%u aw%u w%u b%u port %d early %d late %d seed %u\n",
               what, detail, o->latency, o->jitter, o->ar_stall, o->r_stall, o->aw_stall, o->w_stall, o->b_stall,
               (int)o->port, o->samples_early, o->writes_late, o->seed);
        for (uint32_t i = 0; i < bench->count; i++) {
            const struct command_pins *c = &bench->commands[i];
            printf("  %2u: op %u mode %u %u->%u source %08x target %08x row %u x %u pitch %u %u rev %u bar %u fault %u "
                   "%08x\n",
                   i, c->op, c->mode, c->source_format, c->target_format, c->source, c->target, c->row_bytes, c->rows,
                   c->source_pitch, c->target_pitch, c->reverse, c->barrier, bench->fault[i], bench->fault_address[i]);
        }
    }
}

static void reset(struct bench *bench)
{
    memset(&bench->pins, 0, sizeof bench->pins);
    bench->pins.rst = 1;
    for (int i = 0; i < 3; i++) {
        harness_settle(bench->harness, &bench->pins);
        harness_clock(bench->harness);
    }
    bench->pins.rst = 0;
}

/* Random content, the same in the world and in the model; options for what follows. */
void bench_prepare(struct bench *bench, const struct world_options *options)
{
    world_start(&bench->world, options);
    for (uint32_t i = 0; i < WORLD_BYTES; i += 4) {
        uint32_t word = world_random(&bench->world);
        memcpy(&bench->world.memory[i], &word, 4);
    }
    memcpy(bench->expected, bench->world.memory, WORLD_BYTES);
    bench->count = bench->issued = bench->done = 0;
    bench->feed = (struct map_feed){0, 0};
    bench->has_palette = false;
    bench->judge.palette = WORLD_BASE + PALETTE_ALIGNMENT * below(bench, 125);
    memset(bench->fault, 0, sizeof bench->fault);
    bench->world.expected_user = (uint8_t)(options->seed & 1u);
}

static void allow_rows(struct bench *bench, enum world_channel channel, uint32_t address, uint32_t pitch,
                       uint32_t bytes, uint32_t rows)
{
    for (uint32_t row = 0; row < rows && bytes != 0; row++)
        world_allow(&bench->world, channel, address + row * pitch, bytes);
}

void bench_add(struct bench *bench, struct command_pins command)
{
    bool tiled_target = command.op == OP_TILE, tiled_source = command.op == OP_UNTILE;
    command.tag = (uint8_t)(bench->count * 7u + 3u);
    command.user = bench->world.expected_user;
    command.units = (uint16_t)command_units(&command);
    bench->commands[bench->count++] = command;
    if (command.mapped)
        allow_rows(bench, CHANNEL_SOURCE, command.source, command.source_pitch,
                   (command.map[0] & 0xffffu) * pixel_unit_bytes(command.source_format), command.map[0] >> 16);
    else if (command.depth != 0)
        for (uint32_t row = 0; row < command.rows && command.row_bytes != 0; row++) {
            uint32_t first, bytes = command_mask_row(&command, row, &first);
            world_allow(&bench->world, CHANNEL_SOURCE, first, bytes);
        }
    else if (command.op != OP_FILL)
        allow_rows(bench, CHANNEL_SOURCE, command.source, tiled_source ? command.row_bytes : command.source_pitch,
                   command_source_row_bytes(&command), command.rows);
    if (command_reads_target(&command))
        allow_rows(bench, CHANNEL_TARGET, command.target, command.target_pitch, command.row_bytes, command.rows);
    allow_rows(bench, CHANNEL_WRITE, command.target, tiled_target ? command.row_bytes : command.target_pitch,
               command.row_bytes, command.rows);
}

/* One cycle of offering commands and taking completions; false when the order of tags is wrong. */
bool bench_work(struct bench *bench)
{
    const bool has_words =
        !bench->is_loading && map_feed_step(&bench->feed, bench->commands, bench->count, bench->issued, &bench->pins);
    bench->pins.cmd_valid = has_words && bench->issued < bench->count && !bench->pins.abort;
    if (bench->pins.cmd_valid) bench->pins.cmd = bench->commands[bench->issued];
    bench_cycle(bench);
    bool good = true;
    if (bench->pins.done_valid) {
        good = bench->done < bench->count && bench->pins.done_tag == bench->commands[bench->done].tag;
        if (bench->done < bench->count) {
            bench->fault[bench->done] = bench->pins.done_fault;
            bench->fault_address[bench->done] = bench->pins.done_address;
        }
        bench->done++;
    }
    if (bench->pins.cmd_valid && bench->pins.cmd_ready) bench->issued++;
    harness_clock(bench->harness);
    return good;
}

/* Runs the batch to its last completion; NULL or what went wrong. */
const char *bench_finish(struct bench *bench)
{
    const char *wrong = bench_begin(bench);
    if (wrong != NULL) return wrong;
    for (uint32_t i = 0; i < PATIENCE && bench->done < bench->count; i++)
        if (!bench_work(bench)) return "completions out of order";
    if (bench->done < bench->count) return "hang";
    for (uint32_t i = 0; i < 4; i++)
        if (!bench_work(bench)) return "a completion too many";
    if (!bench->pins.idle || !world_is_quiet(&bench->world)) return "not idle after the last completion";
    return bench->world.violations != 0 ? bench->world.violation : NULL;
}

/* Runs the batch and compares all of memory with the model's. */
void bench_run(struct bench *bench, const char *what)
{
    static char text[64];
    const char *wrong = bench_finish(bench);
    for (uint32_t i = 0; i < bench->count && wrong == NULL; i++)
        if (bench->fault[i] != FAULT_NONE) wrong = "a fault without an error";
    for (uint32_t i = 0; i < bench->count; i++)
        if (judge_execute(&bench->judge, &bench->commands[i]) != FAULT_NONE)
            wrong = "the model refuses the test's command";
    for (uint32_t i = 0; i < WORLD_BYTES && wrong == NULL; i++)
        if (bench->world.memory[i] != bench->expected[i]) {
            (void)snprintf(text, sizeof text, "byte %05x is %02x, not %02x", i, bench->world.memory[i],
                           bench->expected[i]);
            wrong = text;
        }
    bench_verdict(bench, wrong == NULL, what, wrong != NULL ? wrong : "");
    if (wrong != NULL) {
        memset(&bench->world.reads, 0, sizeof bench->world.reads);
        memset(&bench->world.writes, 0, sizeof bench->world.writes);
        memset(&bench->world.answers, 0, sizeof bench->world.answers);
        bench->world.orphan_count = 0;
        bench->world.late_head = bench->world.late_tail;
        reset(bench);
    }
}

/* ------------------------------------------------------------------ sweep (COPY, FILL; forward, reverse) */

static void sweep(struct bench *bench, uint32_t seed)
{
    static const uint32_t lengths[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 255, 256, 257, 300, 513};
    for (uint32_t length = 0; length < sizeof lengths / sizeof *lengths; length++) {
        for (uint32_t source = 0; source < 8; source++) {
            struct world_options options = world_memory(seed++);
            bench_prepare(bench, &options);
            /* Eight target offsets with their own areas; each range lies across a 4 KiB boundary or ends at it. */
            for (uint32_t target = 0; target < 8; target++) {
                uint32_t back = below(bench, lengths[length] + 2u);
                for (uint32_t kind = 0; kind < 3; kind++) {
                    uint32_t slot = target * 3u + kind;
                    bench_add(bench, (struct command_pins){.op = kind == 2 ? OP_FILL : OP_COPY,
                                                           .reverse = kind == 1,
                                                           .rows = 1,
                                                           .source = WORLD_BASE + 0x1000u + (slot % 3u) * 0x1000u +
                                                                     source - (back & ~7u),
                                                           .target = WORLD_BASE + 0x5000u + slot * 0x1000u + target -
                                                                     (below(bench, 2) ? back & ~7u : 0),
                                                           .row_bytes = lengths[length],
                                                           .pattern = world_random(&bench->world)});
                }
            }
            bench_run(bench, "sweep");
        }
    }
}

/* ------------------------------------------------------------------ random batches of everything */

static bool has_colours(uint8_t format)
{
    return format != FORMAT_BYTES && format != FORMAT_A8 && format != FORMAT_INDEX8;
}

/* Any legal combination of formats, mode and flags. */
static void random_blit(struct bench *bench, struct command_pins *c)
{
    c->source_format = (uint8_t)below(bench, MOVER_FORMATS ? 8 : 3);
    c->target_format = (uint8_t)(1u + below(bench, MOVER_FORMATS ? 5 : 2));
    if (c->source_format == FORMAT_BYTES || below(bench, 3) == 0) c->target_format = c->source_format;
    if (!MOVER_PIXELS) {
        c->target_format = c->source_format;
    } else if (c->source_format == FORMAT_BYTES || !has_colours(c->target_format)) {
        c->mode = below(bench, 2) ? BLIT_COPY : BLIT_ROP;
    } else {
        c->mode = (uint8_t)below(bench, MOVER_FORMATS ? 6 : 4);
        bool has_rop = c->source_format == c->target_format && c->source_format != FORMAT_RGB888;
        if (c->mode == BLIT_ROP && !has_rop) c->mode = BLIT_COPY;
        if (c->mode == BLIT_KEY && c->source_format == FORMAT_A8) c->mode = BLIT_BLEND;
        bool has_flags = MOVER_FORMATS && c->mode != BLIT_KEY && c->mode != BLIT_ROP;
        c->coloured = has_flags && below(bench, 2);
        c->keyed = has_flags && c->source_format != FORMAT_A8 && below(bench, 3) == 0;
    }
    c->premultiplied = (uint8_t)below(bench, 2);
    c->rop = (uint8_t)world_random(&bench->world); /* other modes: how they round */
    if (!MOVER_FORMATS && c->mode != BLIT_ROP) c->rop = 0;
    if (below(bench, 5) == 0) c->row_bytes = below(bench, 1000);
    c->row_bytes -= c->row_bytes % pixel_unit_bytes(c->target_format);
    c->reverse =
        c->mode == BLIT_COPY && c->source_format == c->target_format && !c->coloured && !c->keyed && below(bench, 2);
    if (below(bench, 2)) c->pattern |= 0xffu;
    if (c->source_format == FORMAT_A8 && has_colours(c->target_format) && below(bench, 3)) bench_mask(bench, c);
    /* keys that occur */
    const uint8_t *row = &bench->world.memory[c->source - WORLD_BASE];
    if (c->mode == BLIT_KEY) memcpy(&c->pattern, row + pixel_unit_bytes(c->source_format) * below(bench, 4), 4);
    if (c->keyed) {
        memcpy(&c->key, row + pixel_unit_bytes(c->source_format) * below(bench, 4), 4);
        c->key &= 0xffffffu;
    }
}

void bench_mask(struct bench *bench, struct command_pins *c)
{
    c->depth = (uint8_t)(1u + below(bench, 3));
    c->first_bit = (uint8_t)(below(bench, 8) & ~((8u >> c->depth) - 1u));
    c->pitch_bits = (uint8_t)(below(bench, 8) & ~((8u >> c->depth) - 1u));
}

/* A step of a map. */
static uint32_t random_step(struct bench *bench)
{
    switch (below(bench, 6)) {
    case 0: return 0;
    case 1: return below(bench, 2) ? 0x10000u : 0xffff0000u;
    case 2: return below(bench, 0x10000);             /* larger */
    case 3: return world_random(&bench->world);       /* anywhere */
    default: return below(bench, 0x80000) - 0x40000u; /* turned, smaller */
    }
}

void bench_map(struct bench *bench, struct command_pins *c)
{
    const uint32_t columns = 1u + below(bench, below(bench, 2) ? 8 : 60), rows = 1u + below(bench, 20);
    c->mapped = 1;
    c->reverse = 0;
    c->transparent = (uint8_t)below(bench, 2);
    c->repeated = !c->transparent && below(bench, 2);
    c->source_pitch = (uint16_t)below(bench, 300);
    c->filtered = 0;
    if (c->mode != BLIT_KEY && !c->keyed && c->source_format != FORMAT_RGB888 && c->source_format != FORMAT_INDEX8 &&
        below(bench, 2)) {
        const uint32_t size = pixel_unit_bytes(c->source_format);
        c->filtered = 1;
        c->source -= c->source % size;
        c->source_pitch = (uint16_t)(c->source_pitch - c->source_pitch % size);
    }
    c->map[0] = columns | rows << 16;
    c->map[1] = (below(bench, columns + 8u) - 4u) * 0x10000u + below(bench, 0x10000);
    c->map[2] = (below(bench, rows + 8u) - 4u) * 0x10000u + below(bench, 0x10000);
    for (uint32_t i = 3; i < MAP_WORDS; i++) c->map[i] = random_step(bench);
    /* Beside anything: plain, mirrored, a quarter turn; all inside where the rectangle is large enough. */
    const uint32_t kind = below(bench, 5), sign = below(bench, 2) ? 1u : ~0u;
    if (kind > 2u) return;
    c->map[3] = c->map[6] = kind == 2u ? 0 : 0x10000u;
    c->map[4] = c->map[5] = kind == 2u ? 0x10000u * sign : 0;
    if (kind == 1u) c->map[3] *= sign;
}

static bool may_be_mapped(const struct command_pins *c)
{
    return MOVER_PIXELS && c->op == OP_BLIT && c->mode != BLIT_ROP && c->source_format != FORMAT_BYTES &&
           has_colours(c->target_format) && c->rows != 0 && c->row_bytes != 0 && c->depth == 0;
}

struct command_pins bench_command(struct bench *bench, uint32_t area)
{
    /* Sources: the first 32 KiB, never written. Targets: 4 KiB of the rest per command. */
    struct command_pins c = {.op = (uint8_t)below(bench, 5),
                             .rows = (uint16_t)(1u + below(bench, 12)),
                             .pattern = world_random(&bench->world)};
    uint32_t target = WORLD_BASE + 0x8000u + area * 0x1000u;
    c.source = WORLD_BASE + below(bench, 0x4000);
    c.source_pitch = (uint16_t)below(bench, 1200);
    c.row_bytes = below(bench, 4) == 0 ? below(bench, 320) : below(bench, 40);
    if (below(bench, 30) == 0) c.row_bytes = 0;
    if (below(bench, 30) == 0) c.rows = 0;
    c.reverse = c.op == OP_COPY && below(bench, 2);
    if (c.op == OP_TILE || c.op == OP_UNTILE) {
        c.row_bytes = 32u * (1u + below(bench, 4));
        c.rows = (uint16_t)(8u * (1u + below(bench, 2)));
        if (below(bench, 20) == 0) c.rows = 0;
        c.source &= ~0xffu;
        c.source_pitch = c.target_pitch = (uint16_t)(c.row_bytes + 8u * below(bench, 12));
        c.target = target;
        return c;
    }
    if (c.op == OP_BLIT) {
        random_blit(bench, &c);
    }
    if (c.op == OP_FILL && MOVER_PIXELS && MOVER_FORMATS && below(bench, 3) == 0) {
        c.target_format = FORMAT_RGB888;
        c.row_bytes -= c.row_bytes % 3u;
    }
    /* Rows must not overlap: the engine may read a later row's target before an earlier row is written. */
    uint32_t room = c.rows > 1 ? (0x0ff0u - c.row_bytes) / (c.rows - 1u) : 1200u;
    c.target_pitch = (uint16_t)(c.row_bytes + below(bench, room > c.row_bytes ? room - c.row_bytes : 1u));
    while (c.rows > 1 && (uint32_t)(c.rows - 1) * c.target_pitch + c.row_bytes > 0xff0u) c.rows--;
    c.target = target + below(bench, 16);
    if (may_be_mapped(&c) && below(bench, 3) == 0) bench_map(bench, &c);
    return c;
}

/* Mapped commands alone and beside each other, with keys that occur in their rectangle. */
static void mapped(struct bench *bench, uint32_t seed, uint32_t batches)
{
    for (uint32_t i = 0; i < batches; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        const uint32_t count = 1u + below(bench, 8);
        while (bench->count < count) {
            struct command_pins command = bench_command(bench, bench->count);
            if (!may_be_mapped(&command)) continue;
            bench_map(bench, &command);
            command.barrier = below(bench, 8) == 0;
            bench_add(bench, command);
        }
        bench_run(bench, "mapped");
    }
}

static void random_batches(struct bench *bench, uint32_t seed, uint32_t batches)
{
    for (uint32_t i = 0; i < batches; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        uint32_t count = 1u + below(bench, BATCH - 1);
        for (uint32_t c = 0; c < count; c++) {
            struct command_pins command = bench_command(bench, c);
            command.barrier = below(bench, 4) == 0;
            bench_add(bench, command);
        }
        bench_run(bench, "random");
    }
}

/* Every ROP3 function, every pair of formats and mode at every lane offset of both sides. */
static void pixels(struct bench *bench, uint32_t seed)
{
    for (uint32_t rop = 0; rop < 256; rop += 16) {
        struct world_options options = world_memory(seed + rop);
        bench_prepare(bench, &options);
        for (uint32_t i = 0; i < 16; i++) {
            uint8_t format = (uint8_t[]){0, 1, 2, 3, 5, 6, 7}[below(bench, MOVER_FORMATS ? 7 : 3)];
            bench_add(bench, (struct command_pins){.op = OP_BLIT,
                                                   .mode = BLIT_ROP,
                                                   .rop = (uint8_t)(rop + i),
                                                   .source_format = format,
                                                   .target_format = format,
                                                   .rows = 3,
                                                   .row_bytes = 24,
                                                   .source_pitch = 36,
                                                   .target_pitch = 44,
                                                   .source = WORLD_BASE + 0x100u + below(bench, 64),
                                                   .pattern = world_random(&bench->world),
                                                   .target = WORLD_BASE + 0x8000u + i * 0x400u + below(bench, 64)});
        }
        bench_run(bench, "rop");
    }
    for (uint32_t pair = 0; pair < 35; pair++) {
        for (uint32_t mode = 0; mode <= BLIT_MOD; mode++) {
            uint8_t from = (uint8_t)(1u + pair % 7u), to = (uint8_t)(1u + pair / 7u);
            if (mode == BLIT_ROP || (mode == BLIT_KEY && from == FORMAT_A8)) continue;
            if (!MOVER_FORMATS && (mode > BLIT_ROP || from > FORMAT_ARGB8888 || to > FORMAT_ARGB8888)) continue;
            for (uint32_t offset = 0; offset < 64; offset += 16) {
                struct world_options options = world_memory(seed + 1000u + pair * 96u + mode * 16u + offset);
                bench_prepare(bench, &options);
                for (uint32_t i = 0; i < 16; i++) {
                    uint32_t unit = pixel_unit_bytes(to), bytes = unit * (1u + below(bench, i == 0 ? 200u : 20u));
                    bool has_flags = MOVER_FORMATS && mode != BLIT_KEY;
                    struct command_pins c = {.op = OP_BLIT,
                                             .mode = (uint8_t)mode,
                                             .source_format = from,
                                             .target_format = to,
                                             .premultiplied = (uint8_t)(i & 1u),
                                             .rows = i == 0 ? 1u : 3u,
                                             .row_bytes = bytes,
                                             .rop =
                                                 MOVER_FORMATS ? (uint8_t)(below(bench, 2) ? below(bench, 4) : 0) : 0,
                                             .coloured = has_flags && (i & 2u),
                                             .keyed = has_flags && from != FORMAT_A8 && (i & 4u),
                                             .source_pitch = (uint16_t)below(bench, 200),
                                             .target_pitch = (uint16_t)(80u + below(bench, 40)),
                                             .source = WORLD_BASE + 0x400u + (offset + i) % 8u,
                                             .pattern = world_random(&bench->world),
                                             .target = WORLD_BASE + 0x8000u + i * 0x400u + (offset + i) / 8u};
                    const uint8_t *first = &bench->world.memory[0x400u + (offset + i) % 8u];
                    if (mode == BLIT_KEY) memcpy(&c.pattern, first, 4);
                    memcpy(&c.key, first, 4);
                    c.key &= 0xffffffu;
                    bench_add(bench, c);
                }
                bench_run(bench, "pixels");
            }
        }
    }
    /* Fills of three-byte units at every lane, rows shorter and longer than a burst. */
    for (uint32_t i = 0; MOVER_FORMATS && i < 32; i++) {
        struct world_options options = world_memory(seed + 9000u + i);
        bench_prepare(bench, &options);
        for (uint32_t c = 0; c < 16; c++)
            bench_add(bench, (struct command_pins){.op = OP_FILL,
                                                   .target_format = c % 4u == 3u ? FORMAT_BYTES : FORMAT_RGB888,
                                                   .rows = (uint16_t)(1u + c % 3u),
                                                   .row_bytes = 3u * (1u + below(bench, c % 2u ? 120u : 8u)),
                                                   .target_pitch = (uint16_t)(360u + i),
                                                   .pattern = world_random(&bench->world),
                                                   .target = WORLD_BASE + 0x8000u + c * 0x800u + (c + i) % 8u});
        bench_run(bench, "fill");
    }
}

/* ------------------------------------------------------------------ overlaps, order, empty */

static void overlaps(struct bench *bench, uint32_t seed)
{
    for (uint32_t i = 0; i < 400; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        uint32_t distance = 1u + (below(bench, 2) ? below(bench, 24) : below(bench, 700));
        uint32_t bytes = 1u + below(bench, 900), rows = below(bench, 2) ? 1u : 1u + below(bench, 6);
        uint32_t pitch = bytes + below(bench, 40), low = WORLD_BASE + 0x2000u + below(bench, 64);
        bool up = below(bench, 2); /* target above source: reverse */
        bench_add(bench, (struct command_pins){.op = OP_COPY,
                                               .reverse = up,
                                               .rows = (uint16_t)rows,
                                               .row_bytes = bytes,
                                               .source_pitch = (uint16_t)pitch,
                                               .target_pitch = (uint16_t)pitch,
                                               .source = up ? low : low + distance,
                                               .target = up ? low + distance : low});
        bench_run(bench, "overlap");
    }
}

/* The wrong direction, forward with the target above the source by less than a beat: a beat is read before it is
 * written, so nothing smears, as it does in the golden model, which moves byte by byte (docs/engine.md, Order). */
static void upwards(struct bench *bench, uint32_t seed)
{
    for (uint32_t i = 0; i < 400; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        uint32_t distance = 1u + i % 7u, bytes = 1u + below(bench, i % 2u != 0 ? 40 : 3000);
        uint32_t from = 0x2000u + below(bench, 300);
        bench_add(bench, (struct command_pins){.op = OP_COPY,
                                               .rows = 1,
                                               .row_bytes = bytes,
                                               .source = WORLD_BASE + from,
                                               .target = WORLD_BASE + from + distance});
        memmove(bench->expected + from + distance, bench->expected + from, bytes);
        const char *wrong = bench_finish(bench);
        if (wrong == NULL && memcmp(bench->world.memory, bench->expected, WORLD_BYTES) != 0) wrong = "it smears";
        bench_verdict(bench, wrong == NULL, "upwards", wrong);
    }
}

/* PGB-49 and the benches' --dep: each command reads what the one before wrote. */
static void order(struct bench *bench, uint32_t seed)
{
    for (uint32_t i = 0; i < 60; i++) {
        struct world_options options = world_memory(seed + i);
        options.samples_early = options.writes_late = true;
        bench_prepare(bench, &options);
        uint32_t bytes = 1u + below(bench, 300);
        for (uint32_t c = 0; c < 12; c++)
            bench_add(bench, (struct command_pins){.op = OP_COPY,
                                                   .barrier = 1,
                                                   .rows = 1,
                                                   .row_bytes = bytes,
                                                   .source = WORLD_BASE + 0x1003u + c * 0x205u,
                                                   .target = WORLD_BASE + 0x1003u + (c + 1u) * 0x205u});
        bench_run(bench, "order");
    }
}

static void empty(struct bench *bench, uint32_t seed)
{
    const uint32_t cycles = 4; /* that a command may take */
    for (uint32_t i = 0; i < 20; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        for (uint32_t c = 0; c < 20; c++) {
            bool no_rows = below(bench, 2);
            bench_add(bench, (struct command_pins){.op = (uint8_t)(c % 5u),
                                                   .mode = (uint8_t)(c % 4u),
                                                   .reverse = c == 5,
                                                   .source_format = 2,
                                                   .target_format = 2,
                                                   .rows = no_rows ? 0 : 8,
                                                   .row_bytes = no_rows ? 64 : 0,
                                                   .source = WORLD_BASE + 0xffcu * (c % 5u < 3u),
                                                   .target = WORLD_BASE + 0x4000u,
                                                   .barrier = c == 7});
        }
        uint64_t before = bench->cycles;
        bench_run(bench, "empty");
        bench_verdict(bench,
                      bench->world.bursts[0] + bench->world.bursts[1] + bench->world.bursts[2] == 0 &&
                          bench->cycles - before < 20u * cycles,
                      "empty", "traffic or delay");
    }
}

/* ------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    static struct bench bench;
    const char *only = argc > 1 ? argv[1] : "all";
    uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : 1u;
    const uint32_t batches = argc > 3 ? 600u / (uint32_t)strtoul(argv[3], NULL, 0) : 600u;
    static const char *const names[] = {"sweep", "random", "pixels",  "overlaps", "order",    "empty", "errors",
                                        "kinds", "aborts", "upwards", "mapped",   "palettes", "masks"};
    bench.harness = harness_create(seed);
    bench.has_pixels = MOVER_PIXELS != 0;
    bench.has_formats = MOVER_FORMATS != 0;
    judge_start(&bench.judge, bench.expected, WORLD_BYTES);
    reset(&bench);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(only, "all") != 0 && strcmp(only, names[i]) != 0) continue;
        uint32_t failed = bench.failed, passed = bench.passed;
        switch (i) {
        case 0: sweep(&bench, seed * 1000u); break;
        case 1: random_batches(&bench, seed * 100000u, batches); break;
        case 2:
            if (MOVER_PIXELS) pixels(&bench, seed * 3000u);
            break;
        case 3: overlaps(&bench, seed * 5000u); break;
        case 4:
            rows_begin("PGB-49");
            order(&bench, seed * 7000u);
            rows_checks = bench.passed - passed;
            rows_end(bench.failed == failed);
            break;
        case 5: empty(&bench, seed * 9000u); break;
        case 6: errors_anywhere(&bench, seed * 11000u); break;
        case 7: errors_by_kind(&bench, seed * 17000u); break;
        case 8: aborts_anywhere(&bench, seed * 13000u); break;
        case 9: upwards(&bench, seed * 19000u); break;
        case 10:
            if (MOVER_PIXELS) mapped(&bench, seed * 23000u, batches);
            break;
        case 11:
            if (MOVER_PIXELS && MOVER_FORMATS) palettes(&bench, seed * 29000u);
            break;
        default:
            if (MOVER_PIXELS && MOVER_FORMATS) masks(&bench, seed * 31000u);
            break;
        }
        printf("%-9s %5u passed %5u failed\n", names[i], bench.passed - passed, bench.failed - failed);
    }
    printf("%llu cycles\n", (unsigned long long)bench.cycles);
    harness_destroy(bench.harness);
    printf("%u passed, %u failed\n", bench.passed, bench.failed);
    return bench.failed != 0 || bench.passed == 0;
}
