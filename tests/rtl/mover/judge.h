/* SPDX-License-Identifier: Apache-2.0
 *
 * What a mover command should do: the command is translated to the packets of spec/gpu.def that mean the
 * same and executed by the golden model (model/), the project's one judge.
 */
#ifndef MOVER_JUDGE_H
#define MOVER_JUDGE_H

#include "engine_model.h"
#include "pins.h"

enum { OP_COPY, OP_FILL, OP_BLIT, OP_TILE, OP_UNTILE };

struct judge {
    struct engine_model engine;
    uint32_t command[64];
    uint32_t palette; /* where the palette lies that draws from INDEX8 take their colours from */
};

/* `memory` is segment 1: WORLD_BYTES bytes at WORLD_BASE. */
void judge_start(struct judge *judge, uint8_t *memory, uint32_t memory_bytes);
/* Returns the model's FAULT code: anything but FAULT_NONE is a mistake of the test. */
uint32_t judge_execute(struct judge *judge, const struct command_pins *command);

/* The words of maps, which a mover takes before their command: of the one to be offered, and of the one after it. */
struct map_feed {
    uint32_t command, words;
};
/* A cycle: at most one word more. True if commands[issued] has its words and may be offered. */
bool map_feed_step(struct map_feed *feed, const struct command_pins *commands, uint32_t count, uint32_t issued,
                   struct mover_pins *pins);

/* Units per row of a BLIT or FILL of its target format. */
uint32_t command_units(const struct command_pins *command);
/* A row's bytes on either side, and a row's address; rows as in the command, tiles taken as linear. */
uint32_t command_source_row_bytes(const struct command_pins *command);
/* Of a BLIT from parts of bytes: bytes of row `row`, of which `first` is the first's address. */
uint32_t command_mask_row(const struct command_pins *command, uint32_t row, uint32_t *first);
/* FORMAT of its source. */
uint32_t command_source_format(const struct command_pins *command);
bool command_reads_target(const struct command_pins *command);
bool command_needs_palette(const struct command_pins *command);

#endif
