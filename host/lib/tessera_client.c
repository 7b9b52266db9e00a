/* SPDX-License-Identifier: Apache-2.0
 *
 * How everything that a client has goes: its messages, its allocations, its contexts, its timelines.
 */
#include "lib/tessera_internal.h"

/* The first thing that was refused counts, and what comes after it is tried all the same. */
static int first_of(int before, int status) { return before != TESSERA_OK ? before : status; }

/* Wait for whatever the client has sent. How its own messages end does not matter any more. */
static int drain(struct tessera *tessera, uint32_t client)
{
    for (unsigned i = 0; i < TESSERA_OUTSTANDING; i++) {
        const struct outstanding *slot = &tessera->outstanding[i];
        if (!slot->is_used || slot->is_abandoned || message_client(slot->message[0]) != client) continue;
        const int status = tessera_wait(tessera, slot->tag, NULL);
        if (status < TESSERA_OK) return status;
    }
    return TESSERA_OK;
}

static struct tessera_allocation *next_of(struct tessera_allocation *allocation, uint32_t client)
{
    while (allocation != NULL && allocation->client != client) allocation = allocation->next;
    return allocation;
}

static int take_allocations(struct tessera *tessera, uint32_t client)
{
    int result = TESSERA_OK;
    struct tessera_allocation *allocation = next_of(tessera->all, client);
    while (allocation != NULL && result >= TESSERA_OK) {
        struct tessera_allocation *after = next_of(allocation->next, client);
        if (allocation->is_locked) result = first_of(result, tessera_unlock(tessera, allocation));
        if (result >= TESSERA_OK) result = first_of(result, tessera_allocation_destroy(tessera, allocation));
        allocation = after;
    }
    return result;
}

static int take_contexts(struct tessera *tessera, uint32_t client)
{
    int result = TESSERA_OK;
    const struct client_note *note = tessera->contexts;
    while (note != NULL && result >= TESSERA_OK) {
        const struct client_note *after = note->next;
        if (note->client == client) result = first_of(result, tessera_context_destroy(tessera, note->id));
        note = after;
    }
    return result;
}

/* Its timelines go, and its rights to others': what it waits for ends. */
static int take_timelines(struct tessera *tessera, uint32_t client)
{
    int result = TESSERA_OK;
    const struct client_note *note = tessera->timelines;
    while (note != NULL && result >= TESSERA_OK) {
        const struct client_note *after = note->next;
        tessera->client = note->client;
        const int status = note->client == client ? tessera_timeline_destroy(tessera, note->id)
                                                  : tessera_timeline_share(tessera, note->id, client, false);
        result = first_of(result, status);
        note = after;
    }
    return result;
}

int tessera_client_clear(struct tessera *tessera, uint32_t client)
{
    const uint32_t before = tessera->client;
    int status = argument_check_client(tessera, "client_clear", client);
    if (status == TESSERA_OK) status = take_timelines(tessera, client);
    tessera->client = before;
    if (status == TESSERA_OK) status = drain(tessera, client);
    if (status != TESSERA_OK) return status;
    tessera->client = client;
    status = take_allocations(tessera, client);
    if (status >= TESSERA_OK) status = first_of(status, take_contexts(tessera, client));
    tessera->client = before;
    return status;
}
