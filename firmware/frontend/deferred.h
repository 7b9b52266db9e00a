/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages that were taken out of the host's ring and cannot be carried out yet: LOCK of what the GPU uses, EVICT,
 * OFFER, DESTROY_CONTEXT, a SUBMIT without room, and whatever comes after them from the same client. Each client's are
 * carried out in order, with one exception. A LOCK or UNLOCK overtakes its client's SUBMITs that do not name its
 * allocation, so that the pixels of one frame need not wait until the next one is validated. The client sees only a
 * difference in time, as long as it does not change the lists of what it has submitted. Between clients there is no
 * order, so no message waits for another client's.
 *
 * The table is bounded. Client 0 may have DEFERRED_HOST in it: what is more stays in the ring, as long as it must. Any
 * other may have DEFERRED_CLIENT. When the table is full, whoever has most gives way with its newest: it is answered
 * BUSY, as what no longer fits is. So of up to DEFERRED_LIMIT - DEFERRED_HOST clients each can have one that waits.
 */
#ifndef FIRMWARE_DEFERRED_H
#define FIRMWARE_DEFERRED_H

#include "frontend/command.h"

enum { DEFERRED_LIMIT = 24, DEFERRED_HOST = 16, DEFERRED_CLIENT = 4 };

struct deferred {
    struct command *entry;             /* DEFERRED_LIMIT + 1; in command RAM */
    uint8_t order[DEFERRED_LIMIT + 1]; /* of entries: `count` that wait, the oldest first; the free ones */
    uint8_t client[DEFERRED_LIMIT];    /* of those that wait, in this order */
    uint8_t waiting[CLIENT_LIMIT];     /* how many each client has among them */
    uint8_t count;
    const struct command *held; /* is being carried out, or NULL */
    uint8_t next, untried;      /* the place to look at next, and how many of them are left */
};

void deferred_init(struct deferred *deferred, struct command *entries);

/* Where a message is read to before it is known what becomes of it. */
struct command *deferred_incoming(const struct deferred *deferred);
/* How many of the client's wait. */
static inline uint32_t deferred_count(const struct deferred *deferred, uint32_t client)
{
    return deferred->waiting[client];
}
/* Is there room for one more of the client's? If another client has to give way for it, *has_tag, and *tag is its
 * message's, which is out of the table and to be answered BUSY. */
bool deferred_has_room(struct deferred *deferred, uint32_t client, bool *has_tag, uint32_t *tag);
/* The incoming message waits from here on. There is room. */
void deferred_add(struct deferred *deferred);

/* A LOCK or UNLOCK, but for a LOCK that makes a new instance. */
bool deferred_can_overtake(const struct command *command);
/* The next message that may have its turn, of those not tried since deferred_retry: its client's oldest, or one that
 * may overtake with nothing but SUBMITs of its client in front. NULL: none is left. */
struct command *deferred_next(struct deferred *deferred);
/* Has `command`, which has its turn, to wait for a SUBMIT of its client in front of it that names its allocation? Each
 * list is looked at once, and one in a call: true as well while others are left. It yields. Lists of more than
 * `list_entries` are refused later. O(entries of one list). */
bool deferred_is_held_up(struct deferred *deferred, struct command *command, uint32_t system_pages,
                         uint32_t list_entries);
/* `command`, which is being carried out and may pause, does not give way to another; NULL: none is. */
static inline void deferred_hold(struct deferred *deferred, const struct command *command) { deferred->held = command; }
/* Something may have changed. */
static inline void deferred_retry(struct deferred *deferred) { deferred->untried = deferred->count; }
/* It has been answered, or taken. */
void deferred_remove(struct deferred *deferred, const struct command *command);

#endif
