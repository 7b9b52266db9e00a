/* SPDX-License-Identifier: Apache-2.0
 *
 * Context table: what submits, at which priority, and whether it is still trusted after a fault; and the clients that
 * contexts belong to, as far as they have made nodes stop.
 */
#ifndef FIRMWARE_CONTEXT_H
#define FIRMWARE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/tables.h"
#include "platform/base.h"

enum { CONTEXT_PRIORITY_MIN = -7, CONTEXT_PRIORITY_MAX = 7 };

struct context {
    bool exists;
    bool is_lost;    /* one of its buffers faulted or timed out: nothing of it runs any more */
    bool is_cramped; /* its last buffer to be planned ended with NO_PLACEMENT */
    int8_t priority;
    uint8_t recoveries;  /* of the paging node on what it was the last to use, when none of its buffers was to blame */
    uint8_t client;      /* whose it is */
    uint16_t generation; /* so that stale ids are recognised */
    uint16_t jobs;       /* accepted and not completed */
    uint16_t passed;     /* times another context was preferred since its last turn */
};

/* The recoveries that a client has to answer for, since the first of a window; BARRED when they were too many. Client 0
 * is the host program, which is never barred. */
struct client_record {
    uint32_t since : 27; /* cycles / CLIENT_CYCLES */
    uint32_t recoveries : 5;
};
enum { CLIENT_CYCLES = 256, CLIENT_BARRED = 31 };

struct context_table {
    struct context *entry;
    uint32_t limit;                /* entries there are */
    struct client_record *clients; /* CLIENT_LIMIT; in command RAM */
};

/* `clients` has CLIENT_LIMIT entries. Takes what it needs of `tables`; if that is short nothing else may be called. */
void context_table_init(struct context_table *table, struct tables *tables, struct client_record *clients);
/* False when the table is full. It is client 0's. O(contexts). */
bool context_create(struct context_table *table, int32_t priority, uint32_t *id);
/* Id to index; false if the client has no such context (0 included). */
bool context_find_of(const struct context_table *table, uint32_t client, uint32_t id, uint32_t *index);
/* The same, whosever it is. */
bool context_find(const struct context_table *table, uint32_t id, uint32_t *index);
/* The client has one recovery more to answer for. More than `limit` of them (less than CLIENT_BARRED) within `window`,
 * and it is barred and all its contexts are lost. Times are in CLIENT_CYCLES. */
void context_charge(struct context_table *table, uint32_t client, uint32_t now, uint32_t limit, uint32_t window);
/* No jobs may be left. */
void context_destroy(struct context_table *table, uint32_t index);

/* How urgent its next job is: its priority, and one more for each time it was passed over, so that every
 * context makes progress at any setting. */
int32_t context_urgency(const struct context_table *table, uint32_t index);

#endif
