/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of destruction share: a firmware that looks ahead, a temporary and who needs its room, and what has
 * become of content.
 */
#ifndef TESSERA_UNIT_PENDING_DESTROY_H
#define TESSERA_UNIT_PENDING_DESTROY_H

#include "scheduling.h"

enum { TIMEOUT = 1000000, VALUE = 0x5eed0000, MANY = PORTION_COUNT + 4 };

/* As when room has been made before: the policy is told what is queued before each plan. */
static inline void look_ahead_at_once(void)
{
    struct manager *manager = &device_gpu(client.device)->manager;
    residency_set_policy(&manager->residency, manager->policies[POLICY_LOOKAHEAD]);
    manager->residency.outlook.is_tight = true;
}

static inline void begin_ahead(uint32_t segment1_pages, uint32_t segment2_pages, uint32_t force)
{
    boot = (struct client_boot){.force = force | FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY), .timeout = TIMEOUT};
    begin(segment1_pages, segment2_pages);
    boot = (struct client_boot){0};
    look_ahead_at_once();
}

static inline void create(struct client_allocation *allocation, uint32_t pages, uint32_t set)
{
    CHECK_EQUAL(client_create(&client, allocation, pages, set, NULL), STATUS_OK);
}

/* A temporary that `big` drives out of segment 1, and what is read from it, which is not in its way. */
struct cast {
    struct client_allocation temporary, result, other, big;
    uint32_t context, blocker;
};

/* `flags`: of the temporary beside CPU_VISIBLE; its pattern, if it has one, is VALUE. */
static inline void begin_cast(struct cast *cast, uint32_t force, uint32_t flags)
{
    const uint32_t message[16] = {
        [MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | flags, [MSG_CREATE_ALLOCATION_PATTERN] = VALUE};
    begin_ahead(4, 4, force);
    CHECK_EQUAL(client_create(&client, &cast->temporary, 2, SET_1, message), STATUS_OK);
    create(&cast->result, 1, SET_2);
    create(&cast->other, 1, SET_2);
    create(&cast->big, 4, SET_1);
    cast->context = client_context(&client, 0);
    cast->blocker = client_context(&client, 0);
}

/* The render node stands still before a job of somebody else. */
static inline uint32_t hold(uint32_t blocker, const struct client_allocation *other)
{
    node(0)->is_enabled = false;
    uint32_t job = send_fill(blocker, other, 0, 8, 1);
    turns(50);
    return job;
}

/* It goes on, and what waits after that job runs again: it hangs there, or is preempted. */
static inline void rerun(bool hangs)
{
    if (hangs) device_hang(client.device, 0);
    node(0)->is_enabled = true;
    if (!hangs) (void)send_preempt(0);
    receive_all();
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
