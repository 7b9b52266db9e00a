/* SPDX-License-Identifier: Apache-2.0
 *
 * Rights of clients to allocations of other clients. The owner needs none.
 *
 * The table is in the order of allocations, then of clients. So a look at it takes at most 11 steps, whatever others
 * have put there. A new right moves all that come after it: that loop yields.
 */
#ifndef FIRMWARE_RIGHTS_H
#define FIRMWARE_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/tables.h"

enum { RIGHT_LIMIT = LIMIT_BITS_SHARES, RIGHT_TO_WRITE = 0x80 };
_Static_assert(CLIENT_LIMIT <= (int)RIGHT_TO_WRITE, "right_table.client");
struct right_table {
    uint16_t *index; /* of the allocation, per entry */
    uint8_t *client; /* the client, and RIGHT_TO_WRITE if it includes writing */
    uint32_t count;
};

/* With working space from `tables`. If `tables` ran short, nothing else may be called. */
void rights_init(struct right_table *rights, struct tables *tables);
/* RIGHT_* of the client to the allocation with this index; 0: none. */
uint32_t rights_find(const struct right_table *rights, uint32_t index, uint32_t client);
/* Replace a client's rights; 0 removes them. False: the table is full. Yields. */
bool rights_set(struct right_table *rights, uint32_t index, uint32_t client, uint32_t granted);
/* Remove all rights to the allocation. Yields. */
void rights_remove(struct right_table *rights, uint32_t index);

#endif
