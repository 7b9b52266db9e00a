/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources whose units are parts of bytes: every depth, mode and target format, begun at every place in a byte, with
 * rows of any length that lie one after the other as in a font, or apart; and how long they take.
 */
#include <string.h>

#include "pixel_model.h"
#include "test_mover.h"

enum { AREA = 0x1000, AREAS = 8 };

/* `rows` of `units` from the place `first_bit` on, into the `area`. */
static struct command_pins mask_of(struct bench *bench, uint32_t depth, uint32_t units, uint32_t rows, uint32_t area)
{
    static const uint8_t modes[] = {BLIT_COPY, BLIT_BLEND, BLIT_ADD, BLIT_MOD};
    struct command_pins c = {.op = OP_BLIT,
                             .mode = modes[below(bench, 4)],
                             .source_format = FORMAT_A8,
                             .target_format = (uint8_t)(FORMAT_RGB565 + below(bench, 5)),
                             .coloured = (uint8_t)below(bench, 2),
                             .rop = (uint8_t)below(bench, 3),
                             .premultiplied = (uint8_t)below(bench, 2),
                             .rows = (uint16_t)rows,
                             .source = WORLD_BASE + 0x1000u + below(bench, 64),
                             .source_pitch = (uint16_t)below(bench, 100),
                             .pattern = world_random(&bench->world),
                             .target = WORLD_BASE + 0x8000u + area * AREA + below(bench, 64)};
    bench_mask(bench, &c);
    const uint32_t bits = 8u >> depth;
    c.depth = (uint8_t)depth;
    c.first_bit = (uint8_t)(below(bench, 8) & ~(bits - 1u));
    c.pitch_bits = (uint8_t)(below(bench, 8) & ~(bits - 1u));
    c.row_bytes = units * pixel_unit_bytes(c.target_format);
    c.target_pitch = (uint16_t)(c.row_bytes + below(bench, 8));
    if (below(bench, 2)) { /* as a font's glyphs lie */
        c.source_pitch = (uint16_t)(units * bits / 8u);
        c.pitch_bits = (uint8_t)(units * bits % 8u);
    }
    return c;
}

static void anything(struct bench *bench, uint32_t seed)
{
    for (uint32_t i = 0; i < 600; i++) {
        struct world_options options = world_memory(seed + i);
        bench_prepare(bench, &options);
        for (uint32_t area = 0; area < AREAS; area++) {
            const uint32_t rows = 1u + below(bench, 8), most = 3000u / rows / 4u;
            const uint32_t units = 1u + below(bench, below(bench, 2) ? 20u : most);
            bench_add(bench, mask_of(bench, 1u + below(bench, 3), units, rows, area));
        }
        bench_run(bench, "mask");
    }
}

/* Every place of the first unit with every length up to more than two beats of the source. */
static void places(struct bench *bench, uint32_t seed)
{
    for (uint32_t depth = 1; depth <= 3; depth++)
        for (uint32_t units = 1; units <= 2u * 64u / (8u >> depth) + 3u; units++) {
            struct world_options options = world_memory(seed++);
            bench_prepare(bench, &options);
            for (uint32_t area = 0; area < AREAS; area++) {
                struct command_pins c = mask_of(bench, depth, units, 1u + area % 3u, area);
                c.first_bit = (uint8_t)(area & ~((8u >> depth) - 1u));
                bench_add(bench, c);
            }
            bench_run(bench, "place of a mask");
        }
}

/* Two units a cycle, however the rows begin, as A8 has it. */
static void rate(struct bench *bench)
{
    enum { UNITS = 128, ROWS = 32, LATENCY = 16, MORE = 14 };
    for (uint32_t depth = 0; depth <= 3; depth++)
        for (uint32_t late = 0; late < 2; late++) {
            const struct world_options options = {.latency = LATENCY, .seed = depth};
            bench_prepare(bench, &options);
            const uint32_t bits = 8u >> depth;
            bench_add(bench, (struct command_pins){.op = OP_BLIT,
                                                   .mode = BLIT_BLEND,
                                                   .coloured = 1,
                                                   .source_format = FORMAT_A8,
                                                   .target_format = FORMAT_ARGB8888,
                                                   .depth = (uint8_t)depth,
                                                   .first_bit = (uint8_t)(depth == 0 ? 0 : late * bits),
                                                   .rows = ROWS,
                                                   .row_bytes = 4u * UNITS,
                                                   .source_pitch = 256,
                                                   .target_pitch = 4u * UNITS,
                                                   .pattern = 0x20c040ffu,
                                                   .source = WORLD_BASE + 0x1000u,
                                                   .target = WORLD_BASE + 0x8000u});
            const uint64_t before = bench->cycles;
            bench_run(bench, "rate of a mask");
            bench_verdict(bench, bench->cycles - before <= 2u * LATENCY + UNITS * ROWS / 2u + MORE, "rate of a mask",
                          "delay");
        }
}

void masks(struct bench *bench, uint32_t seed)
{
    anything(bench, seed);
    places(bench, seed + 1000u);
    rate(bench);
}
