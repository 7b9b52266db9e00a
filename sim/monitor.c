/* SPDX-License-Identifier: Apache-2.0
 *
 * A monitor: see monitor.h. A frame is what is visible between two changes of the vertical synchronisation, whichever
 * its polarity is.
 */
#include "monitor.h"

#include <stdlib.h>

bool monitor_watch(struct monitor *monitor, simulator_frame frame, void *context)
{
    monitor->frame = frame;
    monitor->context = context;
    if (frame != NULL && monitor->pixels == NULL)
        monitor->pixels = calloc((size_t)MONITOR_WIDTH * MONITOR_HEIGHT, sizeof *monitor->pixels);
    monitor->x = monitor->y = 0;
    monitor->is_whole = false; /* the first one has begun already */
    return frame == NULL || monitor->pixels != NULL;
}

void monitor_free(struct monitor *monitor) { free(monitor->pixels); }

static void end_line(struct monitor *monitor)
{
    if (monitor->y == 0) monitor->width = monitor->x;
    if (monitor->x != monitor->width || monitor->y >= MONITOR_HEIGHT) monitor->is_whole = false;
    monitor->x = 0;
    monitor->y++;
}

static void end_frame(struct monitor *monitor, uint64_t cycle)
{
    if (monitor->y == 0) return;
    if (monitor->is_whole) monitor->frame(monitor->context, monitor->pixels, monitor->width, monitor->y, cycle);
    monitor->y = 0;
    monitor->is_whole = true;
}

void monitor_take(struct monitor *monitor, bool vsync, bool visible, uint32_t colour, uint64_t cycle)
{
    if (monitor->frame == NULL) return;
    if (visible) {
        uint32_t width = monitor->y == 0 ? 0 : monitor->width;
        if (monitor->x < MONITOR_WIDTH && monitor->y < MONITOR_HEIGHT)
            monitor->pixels[(size_t)monitor->y * width + monitor->x] = colour;
        monitor->x++;
    } else if (monitor->x != 0) end_line(monitor);
    if (vsync != monitor->was_vsync) {
        if (monitor->y == 0) monitor->is_whole = true;
        end_frame(monitor, cycle);
    }
    monitor->was_vsync = vsync;
}
