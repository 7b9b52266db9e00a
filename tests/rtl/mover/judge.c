/* SPDX-License-Identifier: Apache-2.0
 *
 * Mover command to packets, packets to the golden model.
 */
#include "judge.h"

#include <string.h>

#include "pixel_model.h"

void judge_start(struct judge *judge, uint8_t *memory, uint32_t memory_bytes)
{
    memset(judge, 0, sizeof *judge);
    judge->engine.segment1 = memory;
    judge->engine.segment1_bytes = memory_bytes;
    judge->engine.command = judge->command;
    judge->engine.command_bytes = sizeof judge->command;
    memset(judge->engine.node[0].guard, 1, 4096); /* which looks at palettes */
}

uint32_t command_units(const struct command_pins *command)
{
    return command->row_bytes / pixel_unit_bytes(command->target_format);
}

uint32_t command_source_row_bytes(const struct command_pins *command)
{
    if (command->op != OP_BLIT || command->source_format == command->target_format) return command->row_bytes;
    return command_units(command) * pixel_unit_bytes(command->source_format);
}

uint32_t command_mask_row(const struct command_pins *command, uint32_t row, uint32_t *first)
{
    const uint32_t begin = command->first_bit + row * (command->source_pitch * 8u + command->pitch_bits);
    const uint32_t end = begin + command_units(command) * (8u >> command->depth);
    *first = command->source + begin / 8u;
    return (end + 7u) / 8u - begin / 8u;
}

uint32_t command_source_format(const struct command_pins *command)
{
    return (const uint32_t[]){command->source_format, FORMAT_A4, FORMAT_A2, FORMAT_A1}[command->depth];
}

bool command_reads_target(const struct command_pins *command)
{
    return command->op == OP_BLIT && command->mode != BLIT_COPY && command->mode != BLIT_KEY;
}

bool command_needs_palette(const struct command_pins *command)
{
    return command->op == OP_BLIT && command->source_format == FORMAT_INDEX8 && command->target_format != FORMAT_INDEX8;
}

static uint32_t run(struct judge *judge, uint32_t words)
{
    return engine_model_run(&judge->engine, 0, 0, words * 4u, true);
}

static uint32_t bind(uint32_t *words, uint32_t slot, uint32_t format, uint32_t address, uint32_t pitch)
{
    words[0] = PKT_BIND | slot << PKT_BIND_SLOT_LSB | format << PKT_BIND_FORMAT_LSB;
    words[PKT_BIND_ADDRESS_WORD] = address;
    words[PKT_BIND_PITCH_WORD] = pitch;
    words[PKT_BIND_BYTES_WORD] = 0x0fffffff;
    return 4;
}

bool map_feed_step(struct map_feed *feed, const struct command_pins *commands, uint32_t count, uint32_t issued,
                   struct mover_pins *pins)
{
    pins->map_push = 0;
    while (feed->command < count && !commands[feed->command].mapped) feed->command++;
    bool is_ready = feed->command > issued;
    if (feed->command >= count || feed->command > issued + 1u || pins->abort) return is_ready;
    pins->map_push = 1;
    pins->map_word = commands[feed->command].map[MAP_WORDS - 1u - feed->words];
    if (++feed->words == MAP_WORDS) {
        feed->command++;
        feed->words = 0;
    }
    return is_ready;
}

/* The packet that `blit` is, with a map. */
static uint32_t execute_affine(struct judge *judge, const struct command_pins *c, uint32_t count)
{
    uint32_t *affine = judge->command + count;
    affine[0] ^= (uint32_t)PKT_BLIT ^ (uint32_t)PKT_BLIT_AFFINE;
    affine[0] |= (uint32_t)c->transparent << PKT_BLIT_AFFINE_TRANSPARENT_LSB | (uint32_t)c->repeated
                                                                                   << PKT_BLIT_AFFINE_REPEAT_LSB;
    affine[PKT_BLIT_AFFINE_BILINEAR_WORD] |= (uint32_t)c->filtered << PKT_BLIT_AFFINE_BILINEAR_LSB;
    memcpy(affine + PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD, c->map, sizeof c->map);
    return run(judge, count + PKT_BLIT_AFFINE_WORDS);
}

static uint32_t execute_blit(struct judge *judge, const struct command_pins *c)
{
    uint32_t *words = judge->command;
    const uint32_t bits = 8u >> c->depth; /* of a unit, if that is part of a byte */
    const uint32_t pitch = c->depth == 0 ? c->source_pitch : (c->source_pitch * 8u + c->pitch_bits) / bits;
    uint32_t count = bind(words, 1, c->target_format, c->target, c->target_pitch);
    count += bind(words + count, 2, command_source_format(c), c->source, pitch);
    if (command_needs_palette(c)) {
        words[count++] = PKT_PALETTE;
        words[count++] = judge->palette;
    }
    uint32_t *blit = words + count;
    memset(blit, 0, PKT_BLIT_WORDS * sizeof *blit);
    blit[0] = PKT_BLIT | 1u << PKT_BLIT_TARGET_LSB | 2u << PKT_BLIT_SOURCE_LSB |
              (uint32_t)c->mode << PKT_BLIT_MODE_LSB | (uint32_t)c->premultiplied << PKT_BLIT_PREMULTIPLIED_LSB |
              (uint32_t)c->keyed << PKT_BLIT_KEYED_LSB | (uint32_t)c->coloured << PKT_BLIT_COLOURED_LSB |
              (uint32_t)c->reverse << PKT_BLIT_REVERSE_LSB;
    if (c->mode == BLIT_ROP) blit[PKT_BLIT_ROP_WORD] = (uint32_t)c->rop << PKT_BLIT_ROP_LSB;
    else blit[0] |= (c->rop & 1u) << PKT_BLIT_TRUNCATED_LSB | (c->rop >> 1 & 1u) << PKT_BLIT_BY_256_LSB;
    blit[PKT_BLIT_SOURCE_X_WORD] = FIELD_PUT(c->first_bit / bits, PKT_BLIT_SOURCE_X);
    blit[PKT_BLIT_WIDTH_WORD] = command_units(c) << PKT_BLIT_WIDTH_LSB | (uint32_t)c->rows << PKT_BLIT_HEIGHT_LSB;
    blit[PKT_BLIT_VALUE_WORD] = c->pattern;
    blit[PKT_BLIT_ROP_WORD] |= c->key << PKT_BLIT_KEY_LSB;
    if (c->mapped) return execute_affine(judge, c, count);
    return run(judge, count + PKT_BLIT_WORDS);
}

/* A pattern of three bytes. */
static uint32_t execute_fill_rect(struct judge *judge, const struct command_pins *c)
{
    uint32_t count = bind(judge->command, 1, c->target_format, c->target, c->target_pitch);
    uint32_t *fill = judge->command + count;
    fill[0] = PKT_FILL_RECT | 1u << PKT_FILL_RECT_TARGET_LSB;
    fill[PKT_FILL_RECT_X_WORD] = 0;
    fill[PKT_FILL_RECT_WIDTH_WORD] = command_units(c) << PKT_FILL_RECT_WIDTH_LSB | (uint32_t)c->rows
                                                                                       << PKT_FILL_RECT_HEIGHT_LSB;
    fill[PKT_FILL_RECT_COLOUR_WORD] = c->pattern;
    return run(judge, count + PKT_FILL_RECT_WORDS);
}

uint32_t judge_execute(struct judge *judge, const struct command_pins *c)
{
    uint32_t *words = judge->command, fault = FAULT_NONE;
    switch (c->op) {
    case OP_FILL:
        if (c->target_format == FORMAT_RGB888) return execute_fill_rect(judge, c);
        for (uint32_t row = 0; row < c->rows && fault == FAULT_NONE; row++) {
            words[0] = PKT_FILL;
            words[PKT_FILL_TARGET_WORD] = c->target + row * c->target_pitch;
            words[PKT_FILL_BYTES_WORD] = c->row_bytes;
            words[PKT_FILL_PATTERN_WORD] = c->pattern;
            fault = run(judge, PKT_FILL_WORDS);
        }
        return fault;
    case OP_BLIT: return execute_blit(judge, c);
    case OP_TILE:
    case OP_UNTILE:
        words[0] = PKT_TILE | (c->op == OP_UNTILE ? 1u << PKT_TILE_UNTILE_LSB : 0u);
        words[PKT_TILE_SOURCE_WORD] = c->source;
        words[PKT_TILE_TARGET_WORD] = c->target;
        words[PKT_TILE_ROW_BYTES_WORD] = c->row_bytes | (uint32_t)c->rows << PKT_TILE_ROWS_LSB;
        words[PKT_TILE_PITCH_WORD] = c->op == OP_UNTILE ? c->target_pitch : c->source_pitch;
        return run(judge, PKT_TILE_WORDS);
    default: break;
    }
    if (c->rows == 1u) {
        words[0] = PKT_COPY | (uint32_t)c->reverse << PKT_COPY_REVERSE_LSB;
        words[PKT_COPY_SOURCE_WORD] = c->source;
        words[PKT_COPY_TARGET_WORD] = c->target;
        words[PKT_COPY_BYTES_WORD] = c->row_bytes;
        return run(judge, PKT_COPY_WORDS);
    }
    words[0] = PKT_COPY_2D | (uint32_t)c->reverse << PKT_COPY_2D_REVERSE_LSB;
    words[PKT_COPY_2D_SOURCE_WORD] = c->source;
    words[PKT_COPY_2D_TARGET_WORD] = c->target;
    words[PKT_COPY_2D_ROW_BYTES_WORD] = c->row_bytes | (uint32_t)c->rows << PKT_COPY_2D_ROWS_LSB;
    words[PKT_COPY_2D_SOURCE_PITCH_WORD] = c->source_pitch | (uint32_t)c->target_pitch << PKT_COPY_2D_TARGET_PITCH_LSB;
    return run(judge, PKT_COPY_2D_WORDS);
}
