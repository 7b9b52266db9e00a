/* SPDX-License-Identifier: Apache-2.0
 *
 * A monitor at the simulated chip's display: takes its pixels, cycle by cycle of their clock, and gives whole frames.
 */
#ifndef TESSERA_MONITOR_H
#define TESSERA_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "simulator.h"

enum { MONITOR_WIDTH = 2048, MONITOR_HEIGHT = 2048 }; /* more is not shown */

struct monitor {
    simulator_frame frame;
    void *context;
    uint32_t *pixels;         /* MONITOR_WIDTH * MONITOR_HEIGHT, without gaps once the width is known */
    uint32_t x, y, width;     /* width: of the first line */
    bool was_vsync, is_whole; /* whole: every line had that width */
};

/* False when out of memory; NULL for frame: frames are not kept. */
bool monitor_watch(struct monitor *monitor, simulator_frame frame, void *context);
void monitor_free(struct monitor *monitor);
/* A cycle of the pixel's clock. */
void monitor_take(struct monitor *monitor, bool vsync, bool visible, uint32_t colour, uint64_t cycle);

#endif
