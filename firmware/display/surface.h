/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plane shows: a part of an allocation, checked against the plane, the mode and the promised bandwidth.
 */
#ifndef FIRMWARE_SURFACE_H
#define FIRMWARE_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "display/modes.h"
#include "host_ring/host.h"
#include "schedule/manager.h"

/* The planes of the PLANE group, and the cursor. */
enum { PLANE_CURSOR = PLANE_OVERLAY + 1, PLANE_COUNT = PLANE_CURSOR + 1 };
enum { NO_SURFACE = 0xffff, CURSOR_PIXELS = LIMIT_BITS_CURSOR_SIZE };

struct surface {
    uint16_t allocation; /* NO_SURFACE: the plane is off, and the rest is 0 */
    uint8_t format;
    uint8_t client; /* that shows it */
    uint16_t width; /* pixels of a line that are fetched */
    uint32_t offset, pitch;
    uint32_t place, size; /* overlay: words OVERLAY_PLACE and OVERLAY_SIZE */
    uint32_t mix, mode;   /* overlay: words OVERLAY_MIX and OVERLAY_MODE */
    uint32_t hot_spot;    /* cursor */
    uint32_t ticks;       /* of a line's time: what its fetch takes (modes.h) */
};

static inline struct surface surface_none(void) { return (struct surface){.allocation = NO_SURFACE}; }
static inline bool surface_is_on(const struct surface *surface) { return surface->allocation != (uint16_t)NO_SURFACE; }

/* Read a FLIP for a mode that is not OFF. False: refused, and `reply` says why: BAD_ARGUMENT (detail: the message's
 * word), BAD_HANDLE, LOCKED, OFFERED, CONTENT_LOST, UNSUPPORTED (swizzled), EXTENT, NO_SEGMENT. */
bool surface_read_flip(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], uint32_t mode,
                       struct surface *surface, struct reply *reply);
/* The same of a SET_CURSOR. */
bool surface_read_cursor(const struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct surface *surface,
                         struct reply *reply);

/* May it still be shown? OK, or the status that speaks against it. */
enum gpu_status surface_state(const struct manager *manager, uint32_t client, uint32_t allocation);
/* Is it in memory that the display reads, and will it stay there: no plan moves it, and no paging is under way? */
bool surface_is_ready(const struct manager *manager, uint32_t allocation);
/* Memory segments that may hold it. */
uint32_t surface_segments(const struct manager *manager, uint32_t allocation);
/* GPU address of its first pixel. It is ready. */
uint32_t surface_address(const struct manager *manager, const struct surface *surface);

/* Do these planes together keep a line's time? The cursor's part is always counted. `surfaces` has one for each plane.
 * False: *rate is the bytes a microsecond that they would take. */
bool surface_keeps_time(const struct surface *const surfaces[PLANE_COUNT], uint32_t mode, uint32_t *rate);

#endif
