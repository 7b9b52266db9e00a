/* SPDX-License-Identifier: Apache-2.0
 *
 * SHARE: see share_command.h.
 */
#include "frontend/share_command.h"

#include "platform/turn.h"

/* May the owner of the allocation give this right? One that exists may be changed; else the table is divided
 * (client_may_take). *own: rights that the owner has given, if that had to be known. */
static bool may_share(const struct allocation_table *table, uint32_t owner, uint32_t index, uint32_t client,
                      uint32_t *own)
{
    *own = 0;
    if (client_may_take(owner, RIGHT_LIMIT, table->rights.count, RIGHT_LIMIT)) return true;
    if (rights_find(&table->rights, index, client) != 0u) return true;
    for (uint32_t i = 0; i < table->rights.count; i++) {
        *own += table->entry[table->rights.index[i]].client == owner;
        yield_in_loop(i);
    }
    return client_may_take(owner, *own, table->rights.count, RIGHT_LIMIT);
}

struct reply share_command(struct manager *manager, const uint32_t message[MESSAGE_WORDS])
{
    struct allocation_table *table = &manager->residency.world.table;
    const uint32_t owner = message_client(message[0]);
    const uint32_t client = message[MSG_SHARE_CLIENT], rights = message[MSG_SHARE_RIGHTS];
    uint32_t index, own;
    if (!allocation_find_of(table, owner, message[MSG_SHARE_HANDLE], &index))
        return (struct reply){.status = STATUS_BAD_HANDLE, .detail = MSG_SHARE_HANDLE};
    if (client >= (uint32_t)CLIENT_LIMIT || client == owner)
        return (struct reply){.status = STATUS_BAD_ARGUMENT, .detail = MSG_SHARE_CLIENT};
    if (rights != 0u && (rights & ~(uint32_t)RIGHT_WRITE) != (uint32_t)RIGHT_READ)
        return (struct reply){.status = STATUS_BAD_ARGUMENT, .detail = MSG_SHARE_RIGHTS};
    if (rights != 0u && !may_share(table, owner, index, client, &own))
        return (struct reply){.status = STATUS_TABLE_SHARE, .detail = own};
    return (struct reply){.status =
                              rights_set(&table->rights, index, client, rights) ? STATUS_OK : STATUS_OUT_OF_HANDLES};
}
