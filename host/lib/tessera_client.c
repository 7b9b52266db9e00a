/* SPDX-License-Identifier: Apache-2.0
 *
 * Clients: their figures and limits; and how everything that one has goes: its messages, its allocations, its
 * contexts, its timelines.
 */
#include <string.h>

#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ figures and limits */

static int query_part(struct tessera *tessera, uint32_t client, uint32_t part, uint32_t words[4])
{
    uint32_t message[16] = {MSG_QUERY_CLIENT};
    struct tessera_completion completion;
    message[MSG_QUERY_CLIENT_CLIENT] = client;
    message[MSG_QUERY_CLIENT_PART] = part;
    const int status = tessera_call(tessera, message, &completion);
    if (status == TESSERA_OK) memcpy(words, completion.words, sizeof completion.words);
    return status;
}

static int query_segment(struct tessera *tessera, uint32_t client, uint32_t id, struct tessera_client_segment *segment)
{
    uint32_t words[4];
    const int status = query_part(tessera, client, (uint32_t)CLIENT_PART_SEGMENT + id, words);
    if (status != TESSERA_OK) return status;
    *segment = (struct tessera_client_segment){.pages = words[CLIENT_SEGMENT_PAGES],
                                               .minimum = words[CLIENT_SEGMENT_MINIMUM],
                                               .maximum = words[CLIENT_SEGMENT_MAXIMUM],
                                               .size = words[CLIENT_SEGMENT_SIZE]};
    return status;
}

int tessera_client_query(struct tessera *tessera, uint32_t client, struct tessera_client *figures)
{
    uint32_t work[4] = {0}, pages[4] = {0}, tables[4] = {0};
    struct tessera_client found = {.segment_count = 0};
    int status = argument_check_client(tessera, "client_query", client);
    if (status == TESSERA_OK) status = query_part(tessera, client, CLIENT_PART_WORK, work);
    if (status == TESSERA_OK) status = query_part(tessera, client, CLIENT_PART_PAGES, pages);
    if (status == TESSERA_OK) status = query_part(tessera, client, CLIENT_PART_TABLES, tables);
    if (status == TESSERA_OK) status = tessera_query_segments(tessera, NULL, &found.segment_count);
    if (found.segment_count > GPU_LIMIT(SEGMENTS)) found.segment_count = GPU_LIMIT(SEGMENTS);
    for (uint32_t i = 0; i < found.segment_count && status == TESSERA_OK; i++)
        status = query_segment(tessera, client, i + 1u, &found.segment[i]);
    if (status != TESSERA_OK) return status;
    *figures = found;
    figures->render = work[CLIENT_WORK_RENDER];
    figures->paging = work[CLIENT_WORK_PAGING];
    figures->written = work[CLIENT_WORK_WRITTEN];
    figures->waited = work[CLIENT_WORK_WAITED];
    figures->pages_in = pages[CLIENT_PAGES_IN];
    figures->pages_out = pages[CLIENT_PAGES_OUT];
    figures->lost = pages[CLIENT_PAGES_LOST];
    figures->taken = pages[CLIENT_PAGES_TAKEN];
    figures->allocations = tables[CLIENT_TABLES_ALLOCATIONS];
    figures->contexts = tables[CLIENT_TABLES_CONTEXTS];
    figures->buffers = tables[CLIENT_TABLES_BUFFERS];
    figures->waiting = tables[CLIENT_TABLES_WAITING];
    return TESSERA_OK;
}

int tessera_client_limit(struct tessera *tessera, uint32_t client, uint32_t segment, uint32_t minimum, uint32_t maximum)
{
    uint32_t message[16] = {MSG_SET_CLIENT}, before = tessera->client;
    int status = argument_check_client(tessera, "client_limit", client);
    if (status != TESSERA_OK) return status;
    message[MSG_SET_CLIENT_CLIENT] = client;
    message[MSG_SET_CLIENT_SEGMENT] = segment;
    message[MSG_SET_CLIENT_MINIMUM] = minimum;
    message[MSG_SET_CLIENT_MAXIMUM] = maximum;
    tessera->client = 0;
    status = tessera_call(tessera, message, NULL);
    tessera->client = before;
    return status;
}

int tessera_budget_begin(struct tessera *tessera, tessera_ticket *ticket)
{
    uint32_t message[16] = {MSG_WAIT_BUDGET};
    return tessera_send(tessera, message, ticket);
}

int tessera_budget_end(struct tessera *tessera)
{
    uint32_t message[16] = {MSG_WAIT_BUDGET};
    message[MSG_WAIT_BUDGET_CANCEL] = 1;
    return tessera_call(tessera, message, NULL);
}

/* ------------------------------------------------------------------ everything goes */

/* The first thing that was refused counts, and what comes after it is tried all the same. */
static int first_of(int before, int status) { return before != TESSERA_OK ? before : status; }

/* A budget event may never come: it is ended. */
static int end_budget(struct tessera *tessera, uint32_t client)
{
    const uint32_t before = tessera->client;
    int status = TESSERA_OK;
    for (unsigned i = 0; i < TESSERA_OUTSTANDING && status == TESSERA_OK; i++) {
        const struct outstanding *slot = &tessera->outstanding[i];
        if (!slot->is_used || slot->is_done || slot->message[0] != message_word(MSG_WAIT_BUDGET, client)) continue;
        tessera->client = client;
        status = tessera_budget_end(tessera);
        tessera->client = before;
    }
    return status;
}

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
    if (status == TESSERA_OK) status = end_budget(tessera, client);
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
