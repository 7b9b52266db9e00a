/* SPDX-License-Identifier: Apache-2.0
 *
 * The context table: what submits, at which priority, and whether it may still run after a fault. Also the clients of
 * the contexts, and how often each has stopped a node.
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
    bool is_cramped; /* the last of its buffers to be planned ended with NO_PLACEMENT */
    int8_t priority;
    uint8_t recoveries;  /* of the paging node, blamed on what it used last, when no buffer was to blame */
    uint8_t client;      /* its client */
    uint16_t generation; /* so that stale ids are recognised */
    uint16_t jobs;       /* accepted and not completed */
    uint16_t passed;     /* how often another context was preferred since its last turn */
};

/* Recoveries that a client has caused since the first of a window. CLIENT_BARRED: too many. Client 0 is the host
 * program, which is never barred. */
struct client_record {
    uint32_t since : 27; /* cycles / CLIENT_CYCLES */
    uint32_t recoveries : 5;
};
enum { CLIENT_CYCLES = 256, CLIENT_BARRED = 31 };

/* What a client has. */
struct client_use {
    uint16_t contexts;
    uint16_t jobs; /* of these: accepted and not completed */
};

struct context_table {
    struct context *entry;
    uint32_t limit, used;          /* number of entries; of those that exist */
    struct client_record *clients; /* CLIENT_LIMIT entries, in command RAM */
    struct client_use *of_client;  /* the same, among the tables */
};

/* Initialise, with working space from `tables`. If `tables` ran short, nothing else may be called. */
void context_table_init(struct context_table *table, struct tables *tables, struct client_record *clients);
/* Create a context of the client. False: the table is full. O(contexts). */
bool context_create(struct context_table *table, uint32_t client, int32_t priority, uint32_t *id);
/* May the client have one more, as the table is divided (client_may_take)? Yes if it is full. O(1). */
bool context_may_create(const struct context_table *table, uint32_t client);
/* Id to index. False: the client has no such context (0 included). O(1). */
bool context_find_of(const struct context_table *table, uint32_t client, uint32_t id, uint32_t *index);
/* The same for a context of any client. */
bool context_find(const struct context_table *table, uint32_t id, uint32_t *index);
/* The client has caused one more recovery. More than `limit` of them within `window` bar it, and all its contexts
 * are lost. `limit` is less than CLIENT_BARRED. Times are in CLIENT_CYCLES. */
void context_charge(struct context_table *table, uint32_t client, uint32_t now, uint32_t limit, uint32_t window);
/* Destroy a context. It may have no jobs. */
void context_destroy(struct context_table *table, uint32_t index);

/* How urgent its next job is: its priority, plus one for each time it was passed over. So every context makes
 * progress (SCH-12). */
int32_t context_urgency(const struct context_table *table, uint32_t index);

/* For tests: every client has as many contexts and jobs as the entries say. */
bool context_check(const struct context_table *table);

#endif
