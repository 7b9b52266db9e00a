/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines: counters of 64 bits that only grow, and the messages that wait for their points.
 *
 * A timeline belongs to a client, which alone signals it, by a message, a SUBMIT or a FLIP. Clients that it is shared
 * with may wait for its points. SUBMIT, FLIP and WAIT_TIMELINE may wait. A SUBMIT or FLIP that waits is kept here and
 * counts as sent when its point is reached: nothing of it is looked at before, it holds no job and no other table. So
 * it holds up what comes after it in its context or plane, and nothing else. A wait ends with its point, its limit
 * (POINT_TIMEOUT), its timeline or the right to it (TIMELINE_GONE), or its context (WAIT_ENDED).
 *
 * Both tables are shared by one rule: a client may have one more while more are free than it has. So no client alone
 * can take the last.
 */
#ifndef FIRMWARE_TIMELINE_H
#define FIRMWARE_TIMELINE_H

#include "schedule/manager.h"

enum {
    TIMELINE_COUNT = LIMIT_BITS_TIMELINES,
    POINT_WAIT_COUNT = LIMIT_BITS_POINT_WAITS,
    /* What waits for a point, or signals one: an id, 0 for none, and the point, low half first. */
    POINT_WORDS = 3,
    POINTS_WORDS = 2 * POINT_WORDS /* a wait, then a signal: SUBMIT's words 10 to 15 */
};
_Static_assert((int)MSG_SUBMIT_SIGNAL_TIMELINE == (int)MSG_SUBMIT_WAIT_TIMELINE + (int)POINT_WORDS,
               "one after the other");

struct timeline {
    uint32_t value[2];   /* low half first */
    uint32_t readers[2]; /* bit per client that may wait for it, not its own */
    uint32_t limit;      /* of a wait, cycles */
    uint16_t generation; /* so that stale ids are recognised */
    uint8_t client;      /* whose it is */
    bool exists;
};

struct point_wait {
    uint32_t message[MESSAGE_WORDS];
    uint32_t points[POINTS_WORDS];
    uint32_t since, limit; /* cycles */
};

struct timelines {
    struct timeline entry[TIMELINE_COUNT];
    struct point_wait wait[POINT_WAIT_COUNT];
    uint8_t order[POINT_WAIT_COUNT]; /* of `wait`: those in use, the oldest first; then the free ones */
    uint32_t wait_count;
    uint32_t limit;                /* of a wait, if its timeline has none */
    uint8_t waiting[CLIENT_LIMIT]; /* how many each client has among them */
    uint8_t resumed;               /* of `wait`, plus one: is being carried out; 0: none is */
    uint8_t next, due; /* the place that timelines_step looks at next, and how many it has still to look at */
};

_Static_assert(sizeof(struct timelines) <= TABLES_REGION_BYTES, "linker/room.sh counts with it");

/* Boot: `limit` cycles are the limit of a timeline that is created without one. NULL: `tables` ran short, or the image
 * has no timelines; then every message of theirs is UNSUPPORTED. */
struct timelines *timelines_create(struct tables *tables, uint32_t limit);

/* Is the message one of theirs? */
static inline bool timelines_take(uint32_t code)
{
    return code >= (uint32_t)MSG_CREATE_TIMELINE && code <= (uint32_t)MSG_WAIT_TIMELINE;
}

/* Carry out a message of theirs. True: *reply is the answer. False: a WAIT_TIMELINE, answered later. At any time.
 * O(timelines + waits). */
bool timelines_command(struct manager *manager, const uint32_t message[MESSAGE_WORDS], struct reply *reply);

/* May the SUBMIT or FLIP go on, with these points? `points` may be NULL: it has none, but others may wait in front of
 * it.
 *
 *   NOW      yes
 *   WAITS    not yet: it has been taken, and timelines_step will give it back
 *   REFUSED  *why: BAD_TIMELINE (detail: the word of SUBMIT), BUSY: the table is full, or UNSUPPORTED
 *
 * O(waits) for a client of which something waits, else O(1). */
enum admission { ADMISSION_NOW, ADMISSION_WAITS, ADMISSION_REFUSED };
enum admission timelines_admit(struct manager *manager, const uint32_t message[MESSAGE_WORDS], const uint32_t *points,
                               struct refusal *why);

/* The same of a FLIP, which names its points in memory. `signal`: what it signals when it is shown. REFUSED, in
 * `reply`: also BAD_ADDRESS, BUS_ERROR; the detail of BAD_TIMELINE is MSG_FLIP_POINTS. */
enum admission timelines_admit_flip(struct manager *manager, const uint32_t message[MESSAGE_WORDS],
                                    uint32_t signal[POINT_WORDS], struct reply *reply);

/* What timelines_step has found is carried out from here on; NULL: no longer. */
void timelines_resume(struct timelines *timelines, const struct point_wait *wait);
/* The points of the message that is being carried out again after its wait; NULL: it is not this one. */
const uint32_t *timelines_resumed(const struct manager *manager, const uint32_t message[MESSAGE_WORDS]);

/* Take the timeline of this point there, if it still exists. O(1). */
void timelines_signal(struct manager *manager, const uint32_t signal[POINT_WORDS]);

/* Look at a few waits. End one that has to end, or find one that may go on: *ready, else NULL. False: there is neither
 * among all of them, and manager.is_point_due is cleared. O(waits). */
bool timelines_step(struct manager *manager, uint32_t now, struct point_wait **ready);
/* What timelines_step has found has been carried out. */
void timelines_release(struct manager *manager, const struct point_wait *wait);

/* All SUBMITs that wait in this context end, WAIT_ENDED. It yields. O(waits squared). */
void timelines_end_submits(struct manager *manager, uint32_t context_id);
/* All FLIPs that wait for points end, DROPPED. O(waits squared). */
void timelines_drop_flips(struct manager *manager);

/* For tests: the tables are consistent. */
bool timelines_check(const struct manager *manager);

#endif
