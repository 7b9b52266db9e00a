/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of destruction share: a firmware that looks ahead, and what has become of content.
 */
#ifndef TESSERA_UNIT_DOOMED_H
#define TESSERA_UNIT_DOOMED_H

#include "scheduling.h"

enum { TIMEOUT = 1000000, VALUE = 0x5eed0000, MANY = PORTION_COUNT + 4 };

static inline void begin_ahead(uint32_t segment1_pages, uint32_t segment2_pages, uint32_t force)
{
    boot = (struct client_boot){.force = force | FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY), .timeout = TIMEOUT};
    begin(segment1_pages, segment2_pages);
    boot = (struct client_boot){0};
}

static inline void create(struct client_allocation *allocation, uint32_t pages, uint32_t set)
{
    CHECK_EQUAL(client_create(&client, allocation, pages, set, NULL), STATUS_OK);
}

static inline uint32_t send_destroy(const struct client_allocation *allocation)
{
    const uint32_t message[16] = {MSG_DESTROY_ALLOCATION, 0, allocation->handle};
    CHECK(sent.count < JOBS_MAX);
    sent.tag[sent.count] = client_send(&client, message);
    return sent.count++;
}

static inline uint32_t call(uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    return client_call(&client, message).status;
}

static inline struct residency *residency_of(void) { return &device_gpu(client.device)->manager.residency; }

/* Its content was copied to its pages so many times, or dropped where it was. */
static inline uint32_t count_built(const struct client_allocation *allocation, enum ddi_operation operation)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < built_count; i++) {
        bool is_its = built[i].allocation.handle == allocation->handle && built[i].operation == operation;
        bool is_out = operation != DDI_TRANSFER || built[i].u.transfer.destination.segment_id == 0u;
        count += is_its && is_out && answered[i] == DDI_SUCCESS;
    }
    return count;
}

#endif
