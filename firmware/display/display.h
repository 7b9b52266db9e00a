/* SPDX-License-Identifier: Apache-2.0
 *
 * The display's messages: its owner, its mode, planes, cursor, and the vertical blank.
 *
 * A chip without a display unit answers QUERY_DISPLAY with no modes, and everything else UNSUPPORTED.
 */
#ifndef FIRMWARE_DISPLAY_H
#define FIRMWARE_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "display/flips.h"
#include "schedule/scheduler.h"

enum { BLANK_WAITS = 8 };

enum mode_stage {
    MODE_STANDS, /* no SET_MODE is under way */
    MODE_HIDES,  /* every plane is being turned off */
    MODE_STOPS   /* the raster ends its frame */
};

struct blank_wait {
    uint32_t tag, frame;
};

struct display {
    struct flips flips;
    struct scheduler *scheduler;
    struct blank_wait wait[BLANK_WAITS]; /* WAIT_VBLANKs */
    uint32_t wait_count;
    uint32_t modes; /* offered: bit n is mode n */
    uint8_t mode;   /* that is set */
    uint8_t owner;  /* client */
    uint8_t stage;  /* enum mode_stage */
};

/* Boot: the display is off, and client 0 owns it. NULL: there is none, or `tables` ran short. Only
 * display_command takes that NULL. */
struct display *display_create(struct tables *tables, struct manager *manager, struct scheduler *scheduler);

/* Is the message one of the display's? */
static inline bool display_takes(uint32_t code)
{
    return code >= (uint32_t)MSG_QUERY_DISPLAY && code <= (uint32_t)MSG_WAIT_VBLANK;
}

/* Is it short, and never LATER? */
static inline bool display_is_quick(uint32_t code)
{
    return code != (uint32_t)MSG_GIVE_DISPLAY && code != (uint32_t)MSG_SET_MODE && code != (uint32_t)MSG_SET_PALETTE;
}

/* Carry out a message. Not while a plan is paused.
 *
 *   LATER     it waits: call again
 *   ANSWERED  *reply is the answer
 *   TAKEN     it is answered when it is shown, or at its blank */
enum display_outcome { DISPLAY_LATER, DISPLAY_ANSWERED, DISPLAY_TAKEN };
enum display_outcome display_command(struct display *display, const uint32_t message[MESSAGE_WORDS],
                                     struct reply *reply);

/* Is there anything to look at, to hold, or to bring in? A few instructions, because each turn asks. */
static inline bool display_has_flips(const struct display *display)
{
    return display != NULL && display->flips.count != 0u;
}
static inline bool display_holds(const struct display *display)
{
    return display != NULL && (display->flips.count != 0u || display->flips.held_count != 0u);
}
static inline bool display_is_called(const struct display *display)
{
    if (display == NULL) return false;
    if (display->scheduler->ended_flips != 0u || display->flips.count != 0u) return true;
    return display->mode != (uint8_t)DISPLAY_MODE_OFF && hal_register_read(DISPLAY_IRQ_OFFSET) != 0u;
}

/* When display_is_called, after the render node's fences: what the display unit and the DMA buffers have done. True:
 * something was done. */
bool display_look(struct display *display);

/* When display_holds, in each turn and before messages that wait, not while a plan is paused: which allocations stay.
 * True: one need not any more, so its destruction may go on. */
bool display_hold(struct display *display);

/* When display_has_flips and the scheduler has no job at hand: plan how the next surface comes to memory. True:
 * something was done. */
bool display_bring_in(struct display *display);
bool display_has_work(struct display *display);

#endif
