/* SPDX-License-Identifier: Apache-2.0
 *
 * Palettes of the mover: loaded before a batch that needs one, after commands that write their bytes, with an error at
 * each of their beats; what is drawn with them, and how long it takes.
 */
#include <string.h>

#include "test_mover.h"

const char *bench_load(struct bench *bench)
{
    const char *wrong = "the palette does not come";
    world_allow(&bench->world, CHANNEL_SOURCE, bench->judge.palette, GPU_LIMIT(PALETTE_BYTES));
    bench->is_loading = true;
    bench->pins.map_push = 0;
    bench->pins.load_start = 1;
    bench->pins.load_source = bench->judge.palette;
    for (uint32_t i = 0; i < PATIENCE; i++) {
        if (!bench_work(bench)) wrong = "completions out of order";
        bench->pins.load_start = 0;
        if (!bench->pins.load_done) continue;
        wrong = bench->done < bench->issued ? "the palette is loaded before what was asked for before it" : NULL;
        break;
    }
    bench->is_loading = false;
    bench->has_palette = true;
    return wrong;
}

const char *bench_begin(struct bench *bench)
{
    static uint8_t allowed[WORLD_BYTES];
    struct world *world = &bench->world;
    const struct world before = {.expected_user = world->expected_user, .options.has_error = world->options.has_error};
    bool is_needed = false;
    for (uint32_t i = 0; i < bench->count; i++) is_needed = is_needed || command_needs_palette(&bench->commands[i]);
    if (!is_needed || bench->has_palette) return NULL;
    memcpy(allowed, world->allowed, sizeof allowed);
    world->options.has_error = false;
    world->expected_user = 1; /* the guard's, whoever asks */
    const char *wrong = bench_load(bench);
    if (wrong == NULL && bench->pins.load_fault != FAULT_NONE) wrong = "the palette fails without an error";
    world->options.has_error = before.options.has_error;
    world->expected_user = before.expected_user;
    memcpy(world->allowed, allowed, sizeof allowed);
    memset(world->beats, 0, sizeof world->beats);
    memset(world->bursts, 0, sizeof world->bursts);
    return wrong;
}

/* Palettes loaded while commands are under way that write their bytes, and what is drawn with them. */
static void loads(struct bench *bench, uint32_t seed)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct world_options options = world_memory(2u * (seed + i) + 1u); /* odd: all is the guard's */
        bench_prepare(bench, &options);
        uint32_t count = 1u + below(bench, 6);
        for (uint32_t c = 0; c < count; c++) {
            uint32_t bytes = 1u + below(bench, 400), from = below(bench, GPU_LIMIT(PALETTE_BYTES) - bytes);
            bench_add(bench, (struct command_pins){.op = below(bench, 2) ? OP_COPY : OP_FILL,
                                                   .rows = 1,
                                                   .barrier = (uint8_t)below(bench, 2),
                                                   .row_bytes = bytes,
                                                   .pattern = world_random(&bench->world),
                                                   .source = WORLD_BASE + 0x10000u + below(bench, 0x1000),
                                                   .target = bench->judge.palette + from});
        }
        bool is_good = true;
        for (uint32_t k = 0; k < PATIENCE && bench->issued < count && is_good; k++) is_good = bench_work(bench);
        const char *wrong = is_good ? bench_load(bench) : "completions out of order";
        bench_verdict(bench, wrong == NULL && bench->pins.load_fault == FAULT_NONE, "palette",
                      wrong != NULL ? wrong : "it fails");
        for (uint32_t c = 0; c < 6; c++) {
            struct command_pins command = bench_command(bench, 1u + c);
            command.op = OP_BLIT;
            command.rows = (uint16_t)(1u + below(bench, 3));
            command.row_bytes = 4u * (1u + below(bench, 200));
            command.target_pitch = 900;
            command.source = WORLD_BASE + 0x11000u + below(bench, 0x800);
            command.mode = c < 3 ? BLIT_COPY : (uint8_t)below(bench, BLIT_BLEND + 1u);
            command.source_format = FORMAT_INDEX8;
            command.target_format = FORMAT_ARGB8888;
            command.mapped = command.reverse = command.coloured = 0;
            command.depth = command.first_bit = command.pitch_bits = 0;
            command.keyed = command.mode != BLIT_KEY && below(bench, 2);
            if (command.mode != BLIT_KEY && below(bench, 3) == 0) bench_map(bench, &command);
            bench_add(bench, command);
        }
        bench_run(bench, "drawn by a palette");
    }
    /* A colour a cycle. */
    for (uint32_t latency = 1; latency <= 64; latency *= 2) {
        struct world_options options = {.latency = latency, .seed = 1};
        bench_prepare(bench, &options);
        const uint64_t before = bench->cycles;
        const char *wrong = bench_load(bench);
        bench_verdict(bench, wrong == NULL && bench->cycles - before <= latency + 256u + 6u, "palette", "delay");
    }
}

/* An error at each beat of a palette is reported, and the next one is whole. */
static void errors(struct bench *bench, uint32_t seed)
{
    for (uint32_t index = 0; index < GPU_LIMIT(PALETTE_BYTES) / 8u; index++) {
        struct world_options options = world_memory(2u * (seed + index) + 1u); /* odd: all is the guard's */
        options.has_error = true;
        options.error_channel = CHANNEL_SOURCE;
        options.error_index = index;
        options.error_response = (uint8_t)(1u + index % 3u);
        bench_prepare(bench, &options);
        const char *wrong = bench_load(bench);
        const uint32_t burst = bench->judge.palette + index * 8u / 256u * 256u;
        if (wrong == NULL && bench->pins.load_fault != (index % 3u == 0 ? FAULT_READ_GUARD : FAULT_READ_BUS))
            wrong = "wrong fault code";
        if (wrong == NULL && bench->pins.load_address != burst) wrong = "wrong fault address";
        if (wrong == NULL && bench->world.violations != 0) wrong = bench->world.violation;
        bench_verdict(bench, wrong == NULL, "error of a palette", wrong != NULL ? wrong : "");
        bench_abort(bench);
        options.has_error = false;
        bench_prepare(bench, &options);
        bench_add(bench, (struct command_pins){.op = OP_BLIT,
                                               .mode = BLIT_COPY,
                                               .source_format = FORMAT_INDEX8,
                                               .target_format = FORMAT_ARGB8888,
                                               .rows = 1,
                                               .row_bytes = 1200,
                                               .source = WORLD_BASE + below(bench, 0x4000),
                                               .target = WORLD_BASE + 0x8000u + below(bench, 16)});
        bench_run(bench, "after an error of a palette");
    }
}

void palettes(struct bench *bench, uint32_t seed)
{
    loads(bench, seed);
    errors(bench, seed + 1000u);
}
