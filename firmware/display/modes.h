/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's modes: their timing, which of them this build can show, and the time that planes take of a line.
 *
 * Times are in units of 1/1024 microsecond (MODE_TICKS of them).
 */
#ifndef FIRMWARE_MODES_H
#define FIRMWARE_MODES_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"

enum { MODE_COUNT = DISPLAY_MODE_HD + 1, MODE_TICKS = 1024 };

struct mode {
    uint16_t columns, rows;
    uint16_t h_sync, h_end, h_total; /* pixel clocks from the first visible pixel */
    uint16_t v_sync, v_end, v_total; /* lines from the first visible one */
    uint32_t kilohertz;
    bool is_high; /* both sync pulses */
};

/* A mode of the DISPLAY_MODE group, below MODE_COUNT. OFF has no columns. */
const struct mode *mode_at(uint32_t number);

/* Bit n: the build has the pixel clock of mode n, to a percent. OFF can always be set. The raster must be stopped. */
uint32_t modes_offered(void);

/* Program the timing. The raster must be stopped; it starts if the mode is not OFF. */
void mode_start(uint32_t number);

/* Time of a line. */
uint32_t mode_line_ticks(uint32_t number);

#endif
