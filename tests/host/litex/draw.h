/* SPDX-License-Identifier: Apache-2.0
 *
 * What the LiteX client does, on the golden model.
 */
#ifndef TESTS_LITEX_DRAW_H
#define TESTS_LITEX_DRAW_H

#include <stdbool.h>

#include "picture.h"
#include "tessera_dump.h"

struct draw_machine {
    uint32_t segment1_bytes, segment2_bytes, seed;
};

/* What picture_draw answers on a model of this machine, or what opening it does. */
int draw_picture(const struct draw_machine *machine, struct picture *picture, void (*say)(const char *line));
/* The same of picture_draw and then picture_show, on a model with a display or without; *shown_crc: of what the last
 * frame had where the picture is, as RGB565; 0: there was no frame, or the rest of it was not black. */
int draw_shown(bool has_display, struct picture *picture, bool *is_shown, uint32_t *shown_crc,
               void (*say)(const char *line));
/* The same of picture_agree; `is_kept`: the host has a cache of allocations' pages that writes through and is never
 * emptied. */
int draw_agree(bool is_kept, uint32_t *old, void (*say)(const char *line));
/* A fill whose node hangs, as a SoC's processor sees it: no clock, nothing of the inside. What waiting for it answers;
 * its dump goes to `take`. */
int draw_hung(tessera_dump_sink take, void *context, void (*say)(const char *line));

#endif
