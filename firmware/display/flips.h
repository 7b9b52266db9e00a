/* SPDX-License-Identifier: Apache-2.0
 *
 * FLIPs that wait, and what is shown.
 *
 * A FLIP waits for its surface to come to memory, for its DMA buffer, for earlier FLIPs of its plane, and for its
 * frame. Then it is armed: the display unit takes it at the next blank. At most one FLIP of each plane is armed. So
 * the unit's queue never holds one that blocks another plane. A cursor is armed by registers instead of the queue.
 *
 * An allocation that is shown, or that a FLIP names whose surface has come, has ALLOCATION_SHOWN. It stays where it is.
 * The flag changes only in flips_hold, because a paused plan relies on it.
 */
#ifndef FIRMWARE_FLIPS_H
#define FIRMWARE_FLIPS_H

#include <stdbool.h>
#include <stdint.h>

#include "display/surface.h"
#include "schedule/timeline.h"

enum {
    FLIP_COUNT = LIMIT_BITS_FLIPS,
    FLIP_ROOM = FLIP_COUNT + PLANE_COUNT + 1, /* with the firmware's own, which turn planes off */
    HELD_COUNT = FLIP_ROOM + PLANE_COUNT
};

enum flip_state {
    FLIP_COMES,    /* its surface is not in memory yet, or paging is not done with it */
    FLIP_IS_DRAWN, /* its DMA buffer is not complete */
    FLIP_WAITS,    /* for its frame, or for the plane */
    FLIP_ARMED     /* the display unit has it */
};

struct flip {
    struct surface surface;
    enum flip_state state;
    uint8_t plane;
    uint8_t when;    /* WHEN group */
    uint8_t job_bit; /* the DMA buffer that must be complete, as the scheduler knows it; 0 = none */
    bool has_answer; /* a message waits for it; else it is the firmware's own */
    uint32_t tag;
    uint32_t frame;               /* the earliest frame that shows it */
    uint32_t asked;               /* the frame at which it was to be shown */
    uint32_t number;              /* armed: the unit takes them in this order */
    uint32_t taken_at;            /* an armed cursor: the take of this frame's blank takes it */
    uint32_t signal[POINT_WORDS]; /* when it is shown */
};

struct flips {
    struct manager *manager;
    struct surface shown[PLANE_COUNT];
    struct flip flip[FLIP_ROOM]; /* in the order of their messages */
    uint32_t count;
    uint16_t held[HELD_COUNT]; /* allocations with ALLOCATION_SHOWN */
    uint32_t held_count;
    uint32_t taken;    /* DISPLAY.TAKEN, as far as its entries are noted */
    uint32_t armed;    /* FLIPs armed since boot */
    uint32_t hot_spot; /* of the cursor whose image was armed last */
    uint32_t position; /* where the hot spot is */
};

void flips_init(struct flips *flips, struct manager *manager);

/* Number of the frame that the next take belongs to. */
uint32_t flips_next_frame(void);
/* Cycle at which the last blank began. */
void flips_blank_time(uint32_t *low, uint32_t *high);

/* FLIPs that messages wait for. */
uint32_t flips_waiting(const struct flips *flips);
/* The newest of the plane, or NULL. */
const struct flip *flips_newest(const struct flips *flips, uint32_t plane);
/* The surface that needs most time of a line, of those shown in the plane and those that wait for it. */
const struct surface *flips_heaviest(const struct flips *flips, uint32_t plane);

/* Add one that is checked. There must be room: flips_waiting() < FLIP_COUNT for those with an answer. */
void flips_add(struct flips *flips, const struct flip *flip);

/* A DMA buffer has ended with this status. */
void flips_end_job(struct flips *flips, uint32_t job_bit, enum gpu_status status);

/* Changes of ALLOCATION_SHOWN: hold what has come, release what is neither shown nor waits. Not while a plan is paused.
 * True: something was released. O(FLIPs). */
bool flips_hold(struct flips *flips);

/* Note what the display unit has taken, arm what may be, and write the answers. True: something changed. O(FLIPs). */
bool flips_look(struct flips *flips);

/* Arm what may be: the oldest of each plane, unless the unit has one of the plane, or has had it since flips_look.
 * True: something changed. O(FLIPs). */
bool flips_arm(struct flips *flips);

/* Drop all that wait, the armed ones included. */
void flips_drop(struct flips *flips);
/* Turn the plane off at the next blank. */
void flips_hide(struct flips *flips, uint32_t plane);

/* Move the cursor's hot spot. */
void flips_move_cursor(struct flips *flips, uint32_t position);

/* The first whose surface has to come, or NULL. */
struct flip *flips_coming(struct flips *flips);
/* It found no room, or may not be shown any more. */
void flips_fail(struct flips *flips, struct flip *flip, enum gpu_status status, uint32_t detail);

#endif
