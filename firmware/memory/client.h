/* SPDX-License-Identifier: Apache-2.0
 *
 * Accounts of clients: what the nodes have done for each, how much memory each has, and how much each may have.
 * An allocation counts for the client that created it, whoever uses it. This module decides nothing: plans are kept
 * within the limits by plan/limits.h. Nothing of this is touched more often than once for a DMA buffer, and once for an
 * allocation that comes or goes, unless a limit is set: what lies in the region is slow.
 *
 * The figures lie in the firmware's region. An image without a region has none (frontend/client_absent.c): there
 * `account` and `part` are NULL, nothing is counted, and no limit can be set. The count of allocations is always kept,
 * because the table of allocations is divided by it.
 */
#ifndef FIRMWARE_CLIENT_H
#define FIRMWARE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/tables.h"
#include "platform/base.h"

/* Counts of a client; they wrap. Cycles and bytes are in units of CLIENT_UNIT. */
enum { CLIENT_UNIT = 256 };
struct client_account {
    uint32_t busy[NODE_LIMIT], written, waited, buffers;
    uint32_t pages_in, pages_out, lost, taken;
    uint32_t told; /* `lost`, when WAIT_BUDGET was answered last */
    uint32_t tag;  /* of the WAIT_BUDGET that waits */
};

/* A client's part of a segment, in pages. */
struct client_part {
    uint16_t held; /* as the table of allocations says: plans run ahead of it */
    uint16_t minimum, maximum;
};

/* A hardware counter, and what of it is not charged yet. */
struct client_meter {
    uint32_t seen, rest;
};

struct client_table {
    struct client_account *account;
    struct client_part *part;           /* by segment, then by client */
    uint32_t *guarded;                  /* for plans (limits.h): bit per allocation */
    uint32_t segments;                  /* ids with parts */
    bool has_news;                      /* a client that waits for it may have given way: `news` says which */
    uint32_t news[CLIENT_LIMIT / 32];   /* bit per client: it has given way since it was told ... */
    uint32_t is_set[CLIENT_LIMIT / 32]; /* ... its limits were set since */
    uint32_t waits[CLIENT_LIMIT / 32];  /* bit per client: a WAIT_BUDGET of it is not answered */
    struct client_meter render, writes; /* of the render node */
};

/* Set up the empty table: figures and limits. With memory from `tables`. If they ran short, nothing else may be called.
 */
void client_table_init(struct client_table *clients, struct tables *tables,
                       const uint16_t segment_pages[SEGMENT_LIMIT]);
/* Pages of `owner` were evicted from a memory segment for a plan of another client. */
void client_gave_way(struct client_table *clients, uint32_t owner, uint32_t client, uint32_t pages);

/* How far a counter has come, in whole units, when it is at `now`; the rest is counted the next time. */
static inline uint32_t client_meter(struct client_meter *meter, uint32_t now)
{
    const uint32_t more = now - meter->seen + meter->rest;
    meter->seen = now;
    meter->rest = more % (uint32_t)CLIENT_UNIT;
    return more / (uint32_t)CLIENT_UNIT;
}

static inline struct client_part *client_part(const struct client_table *clients, uint32_t segment, uint32_t client)
{
    return &clients->part[(segment - 1u) * (uint32_t)CLIENT_LIMIT + client];
}

/* Its pages in the segment are so many more or fewer. O(1). */
void client_hold(const struct client_table *clients, uint32_t segment, uint32_t client, uint32_t pages, bool is_added);

/* How tables are divided: the last eighth of one is kept for clients that hold less than their share, which is as many
 * entries as the table has for each client. So whatever others hold, eight clients come to their share. Client 0 may
 * have all that is left: it is the host's own program, which may evict everybody, and without which clients are
 * neither admitted nor served. */
static inline bool client_may_take(uint32_t client, uint32_t held, uint32_t used, uint32_t limit)
{
    return client == 0u || limit - used > limit / 8u || held < limit / (uint32_t)CLIENT_LIMIT;
}

#endif
