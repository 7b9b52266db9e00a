/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors and abort. An answer with an error at every beat of every channel (on the write channel: at every
 * burst), of random commands and of each kind of command by itself: nothing hangs, the report names the burst, nothing
 * after it looks good, bytes are old or new, and after abort all is as new. Abort at every cycle.
 * Command fetch has no place here: command RAM is on the chip and has no error answer.
 */
#include <stdio.h>
#include <string.h>

#include "test_mover.h"

static const char *old_or_new(struct bench *bench, const uint8_t *old, uint32_t whole)
{
    /* The first `whole` commands are complete, the rest may be in part. */
    static uint8_t complete[WORLD_BYTES];
    for (uint32_t i = 0; i < bench->count; i++) {
        if (i == whole) memcpy(complete, bench->expected, WORLD_BYTES);
        (void)judge_execute(&bench->judge, &bench->commands[i]);
    }
    if (whole >= bench->count) memcpy(complete, bench->expected, WORLD_BYTES);
    for (uint32_t i = 0; i < WORLD_BYTES; i++) {
        uint8_t is = bench->world.memory[i];
        if (is != bench->expected[i] && is != old[i]) return "a byte is neither old nor new";
        if (is != complete[i] && complete[i] != old[i]) return "a completed command is not complete";
    }
    return NULL;
}

static void add_mixed(struct bench *bench)
{
    for (uint32_t c = 0; c < 8; c++) {
        struct command_pins command = bench_command(bench, c);
        if (c % 2u == 0) {
            command.mapped = command.depth = command.first_bit = command.pitch_bits = 0;
            command.op = OP_BLIT;
            command.mode = bench->has_pixels ? BLIT_BLEND : BLIT_COPY;
            command.source_format = command.target_format = FORMAT_ARGB8888;
            command.row_bytes = 4u * (1u + below(bench, 12));
            command.rows = 4;
            command.reverse = 0;
            command.target_pitch = 200;
            command.pattern |= 0xffu;
            if (!bench->has_formats) command.rop = 0;
        }
        bench_add(bench, command);
    }
}

void bench_abort(struct bench *bench)
{
    bench->pins.abort = 1;
    bench->pins.cmd_valid = 0;
    for (uint32_t i = 0; i < 4; i++) {
        bench_cycle(bench);
        harness_clock(bench->harness);
    }
    bench->pins.abort = 0;
    for (uint32_t i = 0; i < 4; i++) {
        bench_cycle(bench);
        harness_clock(bench->harness);
    }
}

/* Runs the batch with the error that the world's options name, up to the abort that ends the fault. `old`: memory
 * before. False when no beat was there for the error. */
static bool run_with_error(struct bench *bench, const char *what, const uint8_t *old)
{
    const struct world_options *options = &bench->world.options;
    bool guard = options->error_response == 1, is_write = options->error_channel == CHANNEL_WRITE;
    uint32_t code =
        is_write ? (guard ? FAULT_WRITE_GUARD : FAULT_WRITE_BUS) : (guard ? FAULT_READ_GUARD : FAULT_READ_BUS);
    const char *wrong = bench_finish(bench);
    uint32_t first = 0;
    while (first < bench->count && bench->fault[first] == FAULT_NONE) first++;
    bool hit = bench->world.error_hit;
    if (wrong == NULL && !hit && first < bench->count) wrong = "a fault without an error";
    if (wrong == NULL && hit) {
        if (first == bench->count) wrong = "the error was not reported";
        else if (bench->fault[first] != code) wrong = "wrong fault code";
        else if (bench->fault_address[first] != bench->world.error_address) wrong = "wrong fault address";
        for (uint32_t i = first; i < bench->count && wrong == NULL; i++)
            if (bench->fault[i] != code) wrong = "a later command looks good";
    }
    if (wrong == NULL) wrong = old_or_new(bench, old, first);
    bench_abort(bench);
    bench_verdict(bench, wrong == NULL, what, wrong != NULL ? wrong : "");
    return hit;
}

void errors_anywhere(struct bench *bench, uint32_t seed)
{
    static uint8_t old[WORLD_BYTES];
    for (enum world_channel channel = CHANNEL_SOURCE; channel < CHANNELS; channel++) {
        for (uint32_t index = 0; index < 120; index++) {
            struct world_options options = world_memory(seed + index % 7u);
            options.has_error = true;
            options.error_channel = channel;
            options.error_index = index;
            options.error_response = (uint8_t)(1u + index % 3u);
            bench_prepare(bench, &options);
            memcpy(old, bench->world.memory, WORLD_BYTES);
            add_mixed(bench);
            (void)run_with_error(bench, "error", old);
            options.has_error = false;
            bench_prepare(bench, &options);
            add_mixed(bench);
            bench_run(bench, "after an error");
        }
    }
}

/* ------------------------------------------------------------------ each kind of command by itself */

struct kind {
    const char *name;
    struct command_pins command; /* addresses come from add_kind */
    uint8_t channels;            /* bit per world_channel: it has beats there */
    uint8_t needs;               /* 1: the pixel path, 2: all formats */
};

enum { READS = 1 << CHANNEL_SOURCE, READS_TARGET = 1 << CHANNEL_TARGET, WRITES = 1 << CHANNEL_WRITE };

/* After the command comes a plain copy, so that the error also lies in front of, between and after its beats. */
static void add_kind(struct bench *bench, const struct kind *kind)
{
    struct command_pins command = kind->command;
    bool tiles = command.op == OP_TILE || command.op == OP_UNTILE;
    command.source = WORLD_BASE + 0x1000u - (tiles ? 256u : command.filtered ? 20u : 19u); /* across 4 KiB */
    command.target = WORLD_BASE + 0x9000u - (tiles ? 256u : 37u);
    command.pattern = 0xff6633c0u;
    command.rop = command.mode == BLIT_ROP ? 0x5a : 0; /* 0: the rounding that every build has */
    bench_add(bench, command);
    bench_add(
        bench,
        (struct command_pins){
            .op = OP_COPY, .rows = 1, .row_bytes = 43, .source = WORLD_BASE + 0x3fe1u, .target = WORLD_BASE + 0xaff3u});
}

void errors_by_kind(struct bench *bench, uint32_t seed)
{
    static uint8_t old[WORLD_BYTES];
#define ROWS .rows = 3, .source_pitch = 300, .target_pitch = 560
#define BLIT(m, from, to) .op = OP_BLIT, .mode = m, .source_format = from, .target_format = to, ROWS
/* 40 x 3 units from a little left of the rectangle on, clear of the copy's. */
#define MAP(u_x, v_x, u_y, v_y) .mapped = 1, .map = { 40u | 3u << 16, 0xffff0000u, 0x8000, u_x, v_x, u_y, v_y }
    static const struct kind kinds[] = {
        {"copy", {.op = OP_COPY, .rows = 1, .row_bytes = 301}, READS | WRITES, 0},
        {"copy of rows", {.op = OP_COPY, ROWS, .row_bytes = 45}, READS | WRITES, 0},
        {"reverse copy", {.op = OP_COPY, .reverse = 1, ROWS, .row_bytes = 45}, READS | WRITES, 0},
        {"long reverse copy", {.op = OP_COPY, .reverse = 1, .rows = 1, .row_bytes = 301}, READS | WRITES, 0},
        {"fill", {.op = OP_FILL, ROWS, .row_bytes = 45}, WRITES, 0},
        {"tile", {.op = OP_TILE, .rows = 16, .row_bytes = 64, .source_pitch = 72}, READS | WRITES, 0},
        {"untile", {.op = OP_UNTILE, .rows = 16, .row_bytes = 64, .target_pitch = 72}, READS | WRITES, 0},
        {"blit", {BLIT(BLIT_COPY, FORMAT_ARGB8888, FORMAT_ARGB8888), .row_bytes = 44}, READS | WRITES, 0},
        {"key", {BLIT(BLIT_KEY, FORMAT_RGB565, FORMAT_RGB565), .row_bytes = 46}, READS | WRITES, 1},
        {"blend",
         {BLIT(BLIT_BLEND, FORMAT_ARGB8888, FORMAT_ARGB8888), .row_bytes = 44},
         READS | READS_TARGET | WRITES,
         1},
        {"rop", {BLIT(BLIT_ROP, FORMAT_BYTES, FORMAT_BYTES), .row_bytes = 45}, READS | READS_TARGET | WRITES, 1},
        {"wider", {BLIT(BLIT_COPY, FORMAT_RGB565, FORMAT_ARGB8888), .row_bytes = 44}, READS | WRITES, 1},
        {"narrower", {BLIT(BLIT_COPY, FORMAT_ARGB8888, FORMAT_RGB565), .row_bytes = 46}, READS | WRITES, 1},
        {"blend, narrower",
         {BLIT(BLIT_BLEND, FORMAT_ARGB8888, FORMAT_RGB565), .row_bytes = 46},
         READS | READS_TARGET | WRITES,
         1},
        {"fill of threes", {.op = OP_FILL, .target_format = FORMAT_RGB888, ROWS, .row_bytes = 45}, WRITES, 2},
        {"add to threes",
         {BLIT(BLIT_ADD, FORMAT_ARGB8888, FORMAT_RGB888), .row_bytes = 45},
         READS | READS_TARGET | WRITES,
         2},
        {"mask",
         {BLIT(BLIT_BLEND, FORMAT_A8, FORMAT_ARGB8888), .coloured = 1, .row_bytes = 44},
         READS | READS_TARGET | WRITES,
         2},
        {"mask of parts of bytes",
         {BLIT(BLIT_BLEND, FORMAT_A8, FORMAT_RGB565), .coloured = 1, .row_bytes = 540, .depth = 1, .first_bit = 4,
          .pitch_bits = 4},
         READS | READS_TARGET | WRITES,
         2},
        {"by a palette", {BLIT(BLIT_COPY, FORMAT_INDEX8, FORMAT_ARGB8888), .row_bytes = 44}, READS | WRITES, 2},
        {"by a palette, turned",
         {BLIT(BLIT_BLEND, FORMAT_INDEX8, FORMAT_RGB565), .keyed = 1, .row_bytes = 46,
          MAP(0, 0x1000, 0x10000, 0xfffff000)},
         READS | READS_TARGET | WRITES,
         2},
        {"turned",
         {BLIT(BLIT_COPY, FORMAT_ARGB8888, FORMAT_ARGB8888), .row_bytes = 44, MAP(0, 0x1000, 0x10000, 0xfffff000)},
         READS | WRITES,
         1},
        {"enlarged with an edge",
         {BLIT(BLIT_BLEND, FORMAT_RGB565, FORMAT_RGB565), .row_bytes = 90, .transparent = 1,
          MAP(0x5000, 0, 0, 0x10000)},
         READS | READS_TARGET | WRITES,
         1},
        {"between four, repeated",
         {BLIT(BLIT_BLEND, FORMAT_ARGB8888, FORMAT_RGB565), .row_bytes = 46, .repeated = 1, .filtered = 1,
          MAP(0x5000, 0x3000, 0xffffd000, 0x10000)},
         READS | READS_TARGET | WRITES,
         1},
    };
#undef MAP
#undef BLIT
#undef ROWS
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const struct kind *kind = &kinds[k];
        if ((kind->needs >= 1 && !bench->has_pixels) || (kind->needs >= 2 && !bench->has_formats)) continue;
        for (enum world_channel channel = CHANNEL_SOURCE; channel < CHANNELS; channel++) {
            uint32_t index = 0;
            struct world_options options = world_memory(seed++);
            options.has_error = true;
            options.error_channel = channel;
            for (bool hit = true; hit; index++) {
                options.error_index = index;
                options.error_response = (uint8_t)(1u + (index + seed) % 3u);
                bench_prepare(bench, &options);
                memcpy(old, bench->world.memory, WORLD_BYTES);
                add_kind(bench, kind);
                hit = run_with_error(bench, kind->name, old);
            }
            /* The command's own beats were among them: those of the copy after it are 6 reads, 2 bursts. */
            uint32_t alone = channel == CHANNEL_SOURCE ? 6u : channel == CHANNEL_WRITE ? 2u : 0u;
            bool expected = (kind->channels >> channel & 1) != 0;
            bench_verdict(bench, (index - 1u > alone) == expected, kind->name, "channel without its beats");
            options.has_error = false;
            bench_prepare(bench, &options);
            add_kind(bench, kind);
            bench_run(bench, "after errors");
        }
    }
}

/* ------------------------------------------------------------------ abort */

void aborts_anywhere(struct bench *bench, uint32_t seed)
{
    static uint8_t old[WORLD_BYTES];
    for (uint32_t when = 0; when < 500; when++) {
        struct world_options options = world_memory(seed + when % 11u);
        bench_prepare(bench, &options);
        memcpy(old, bench->world.memory, WORLD_BYTES);
        add_mixed(bench);
        const char *wrong = bench_begin(bench);
        for (uint32_t i = 0; i < when && wrong == NULL; i++)
            if (!bench_work(bench)) wrong = "completions out of order";
        bench->pins.abort = 1;
        uint32_t patience = PATIENCE;
        do {
            if (!bench_work(bench)) wrong = "completions out of order";
        } while ((!bench->pins.idle || !world_is_quiet(&bench->world)) && --patience != 0);
        if (patience == 0) wrong = "abort does not end";
        uint32_t completed = bench->done;
        for (uint32_t i = 0; i < bench->done; i++)
            if (bench->fault[i] != FAULT_NONE) wrong = "a fault without an error";
        bench->pins.abort = 0;
        bench->pins.cmd_valid = 0;
        for (uint32_t i = 0; i < 3; i++) {
            bench_cycle(bench);
            harness_clock(bench->harness);
        }
        if (bench->pins.done_valid || !bench->pins.idle) wrong = "a dropped command came back";
        if (wrong == NULL && bench->world.violations != 0) wrong = bench->world.violation;
        if (wrong == NULL) wrong = old_or_new(bench, old, completed);
        bench_verdict(bench, wrong == NULL, "abort", wrong != NULL ? wrong : "");
        bench_prepare(bench, &options);
        add_mixed(bench);
        bench_run(bench, "after an abort");
    }
}
