/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver that is ours inside (second_driver.h checks the manager's promises on the way) and records every call
 * between manager and driver, for tests that judge the record. At most one call is active at a time (PGB-48): a nested
 * one fails the test.
 */
#ifndef TESSERA_UNIT_RECORD_H
#define TESSERA_UNIT_RECORD_H

#include "second_driver.h"
#include "system.h"

enum { RECORD = 1024, COMMAND_BYTES = 65536 };

/* Boot options of the next device, and of the driver under it. */
static struct client_boot boot;

static struct second_driver second;
static struct ddi recording;
static struct ddi_build_paging_buffer built[RECORD]; /* as the manager asked */
static enum ddi_status answered[RECORD];
static uint32_t built_to[RECORD]; /* dma_buffer after the call */
static uint32_t built_count;
static struct ddi_submit_command submitted[RECORD];
static uint32_t submitted_count;
static bool was_idle[RECORD];         /* at the call: the render node had passed the allocation's last fence */
static uint32_t paging_fence[RECORD]; /* at the submission: how far the paging node was */
static uint32_t calls_active, calls_made;

static inline void enter_call(void)
{
    CHECK_EQUAL(calls_active, 0);
    calls_active++;
    calls_made++;
}
static inline void leave_call(void) { calls_active--; }

static inline enum ddi_status record_build(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const struct allocation_table *table = &device_gpu(client.device)->manager.residency.world.table;
    uint32_t index;
    enter_call();
    CHECK(built_count < RECORD);
    was_idle[built_count] =
        allocation_find_any(table, arguments->allocation.handle, &index) &&
        fence_reached(second.ddi.query_current_fence(adapter, NODE_RENDER), table->entry[index].last_fence);
    built[built_count] = *arguments;
    enum ddi_status status = second.ddi.build_paging_buffer(adapter, arguments);
    answered[built_count] = status;
    built_to[built_count++] = arguments->dma_buffer;
    leave_call();
    return status;
}

static inline enum ddi_status record_submit(void *adapter, const struct ddi_submit_command *arguments)
{
    enter_call();
    CHECK(submitted_count < RECORD);
    paging_fence[submitted_count] = second.ddi.query_current_fence(adapter, NODE_PAGING);
    submitted[submitted_count++] = *arguments;
    enum ddi_status status = second.ddi.submit_command(adapter, arguments);
    leave_call();
    return status;
}

static inline enum ddi_status record_preempt(void *adapter, const struct ddi_preempt_command *arguments)
{
    enter_call();
    enum ddi_status status = second.ddi.preempt_command(adapter, arguments);
    leave_call();
    return status;
}

static inline void record_reset(void *adapter, struct ddi_reset_engine *arguments)
{
    enter_call();
    second.ddi.reset_engine(adapter, arguments);
    leave_call();
}

static inline struct ddi_engine_status record_status(void *adapter, uint32_t node)
{
    enter_call();
    struct ddi_engine_status status = second.ddi.query_engine_status(adapter, node);
    leave_call();
    return status;
}

/* Patch, too, is one of the calls of which at most one is active; never for a paging buffer (PGB-13). */
static inline enum ddi_status record_patch(void *adapter, struct ddi_patch *arguments)
{
    const struct paging_setup *setup = &device_gpu(client.device)->manager.paging.setup;
    enter_call();
    CHECK(arguments->dma_buffer >= setup->buffers + (PAGING_BUFFER_COUNT - 1) * PAGING_STRIDE + setup->buffer_bytes);
    enum ddi_status status = second.ddi.patch(adapter, arguments);
    leave_call();
    return status;
}

/* Another commit limit than the driver's, pages, by segment; 0 = as it says. */
static uint32_t own_commit_limit[SEGMENT_LIMIT];

static inline enum ddi_status record_query(void *adapter, enum ddi_query_type type,
                                           const struct ddi_query_segment_in *in, struct ddi_query_segment_out *out)
{
    enum ddi_status status = second.ddi.query_adapter_info(adapter, type, in, out);
    for (uint32_t i = 0; out->descriptor != NULL && i < out->nb_segment; i++)
        if (own_commit_limit[i] != 0u) out->descriptor[i].commit_limit = own_commit_limit[i] * CLIENT_PAGE;
    return status;
}

static inline void forget(void) { built_count = submitted_count = 0; }

/* With a seed firmware and nodes run in random order. */
static inline void open_seeded(uint32_t segment1_pages, uint32_t segment2_pages, uint32_t seed)
{
    second_driver_init(&second, 1);
    recording = second.ddi;
    recording.build_paging_buffer = record_build;
    recording.submit_command = record_submit;
    recording.query_adapter_info = record_query;
    recording.patch = record_patch;
    recording.preempt_command = record_preempt;
    recording.reset_engine = record_reset;
    recording.query_engine_status = record_status;
    calls_active = calls_made = 0;
    forget();
    gpu_options.ddi = &recording;
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = segment1_pages * CLIENT_PAGE,
                                           .segment2_bytes = segment2_pages * CLIENT_PAGE,
                                           .aperture_pages = 16,
                                           .seed = seed,
                                           .gpu = &gpu_options};
    client_boot(&client, &options, &boot);
    gpu_options.ddi = NULL;
}

static inline void open_recorded(uint32_t segment1_pages, uint32_t segment2_pages)
{
    open_seeded(segment1_pages, segment2_pages, 0);
}

/* The n-th operation of that kind in the record, from 0; NULL if there are not as many. */
static inline const struct ddi_build_paging_buffer *nth(enum ddi_operation operation, uint32_t n)
{
    for (uint32_t i = 0; i < built_count; i++)
        if (built[i].operation == operation && n-- == 0u) return &built[i];
    return NULL;
}

/* The one operation of that kind in the record. */
static inline const struct ddi_build_paging_buffer *only(enum ddi_operation operation)
{
    CHECK(nth(operation, 0) != NULL && nth(operation, 1) == NULL);
    return nth(operation, 0);
}

static inline const struct allocation *entry_of(const struct client_allocation *allocation)
{
    const struct allocation_table *table = &device_gpu(client.device)->manager.residency.world.table;
    uint32_t index;
    CHECK(allocation_find(table, allocation->handle, &index));
    return &table->entry[index];
}
static inline const struct allocation_details *details_of(const struct client_allocation *allocation)
{
    return allocation_details(&device_gpu(client.device)->manager.residency.world.table, entry_of(allocation));
}

static inline uint32_t segment_of(const struct client_allocation *allocation) { return entry_of(allocation)->segment; }

static inline uint32_t evict(const struct client_allocation *allocation)
{
    const uint32_t message[16] = {MSG_EVICT, 0, allocation->handle};
    return client_call(&client, message).status;
}

static inline uint32_t statistic(uint32_t which)
{
    uint32_t statistics[STAT_COUNT];
    client_statistics(&client, statistics);
    return statistics[which];
}

#endif
