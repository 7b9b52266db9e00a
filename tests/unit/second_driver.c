/* SPDX-License-Identifier: Apache-2.0
 *
 * See second_driver.h. The promises: PGB-03, PGB-05, PGB-07, PGB-09, PGB-11, PGB-12, PGB-14..PGB-17, PGB-21,
 * PGB-22, PGB-25..PGB-30, SEG-08, SEG-11.
 */
#include "second_driver.h"

#include <string.h>

static void promise(bool is_kept, const char *what)
{
    if (!is_kept) second_broken(what);
    second_kept(what);
}

static struct ddi inner(void) { return driver_ddi(&second_gpu()->driver); }

static uint32_t pick(struct second_driver *driver, uint32_t limit)
{
    driver->random = driver->random * 1664525u + 1013904223u;
    return (driver->random >> 10) % limit;
}

static enum ddi_status query_adapter_info(void *adapter, enum ddi_query_type type,
                                          const struct ddi_query_segment_in *in, struct ddi_query_segment_out *out)
{
    (void)adapter;
    struct ddi ddi = inner();
    promise(in != NULL, "SEG-04: the AGP description is supplied in both calls");
    bool is_second = out->descriptor != NULL;
    enum ddi_status status = ddi.query_adapter_info(ddi.adapter, type, in, out);
    if (is_second) out->paging_buffer_private_data_size = SECOND_PRIVATE_BYTES;
    return status;
}

static uint32_t *idle_flags(struct ddi_build_paging_buffer *arguments)
{
    if (arguments->operation == DDI_TRANSFER) return &arguments->u.transfer.flags;
    if (arguments->operation == DDI_DISCARD_CONTENT) return &arguments->u.discard_content.flags;
    return NULL;
}

static bool is_memory(uint32_t id)
{
    const struct driver *driver = &second_gpu()->driver;
    return id >= 1u && id <= driver->segment_count && (driver->segment[id - 1u].flags & DDI_SEGMENT_APERTURE) == 0u;
}

/* A new Transfer, or the next piece of the one that is open: in order, complete, nothing in between. */
static void check_transfer(struct second_driver *driver, const struct ddi_build_paging_buffer *arguments)
{
    const struct allocation_table *table = &second_gpu()->manager.residency.world.table;
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    const bool is_start = (transfer->flags & DDI_TRANSFER_START) != 0u;
    const bool is_end = (transfer->flags & DDI_TRANSFER_END) != 0u;
    const bool has_pages = transfer->source.segment_id == 0u || transfer->destination.segment_id == 0u;
    uint32_t index;
    bool is_notice = transfer->transfer_size == 0u; /* PGB-23: the content is gone */
    if (arguments->allocation.handle == 0u || is_notice) {
        promise(is_start && is_end, "PGB-14: a single piece has both flags");
        return;
    }
    /* A renamed allocation's first instance, whose handle this is, may be gone. */
    bool is_known = allocation_find_any(table, arguments->allocation.handle, &index);
    promise(is_start == (driver->open_transfer == 0u), "PGB-14, PGB-16: Start once, when nothing else is open");
    if (transfer->transfer_size == 0u) { /* the content is gone: one notice */
        promise(is_start && is_end, "TDR-04: a notice is whole");
        return;
    }
    if (is_start) driver->open_bytes = 0;
    else promise(driver->open_transfer == arguments->allocation.handle, "PGB-16: one transfer at a time");
    promise(transfer->transfer_offset == driver->open_bytes, "PGB-17: pieces in order, none left out");
    promise(transfer->mdl_offset == (has_pages ? transfer->transfer_offset / GPU_LIMIT(PAGE_BYTES) : 0u),
            "PGB-21: MdlOffset in pages");
    driver->open_bytes += transfer->transfer_size;
    driver->open_transfer = is_end ? 0u : arguments->allocation.handle;
    if (is_known)
        promise(is_end == (driver->open_bytes == allocation_bytes(table, index)), "PGB-14, PGB-17: End at the last");
    driver->pieces += !is_start;
}

/* After what is there already, or at the start of a fresh buffer with all that describes it set again. */
static void check_buffer(struct second_driver *driver, const struct ddi_build_paging_buffer *arguments)
{
    bool is_full = arguments->private_data_size == SECOND_PRIVATE_BYTES;
    promise(arguments->private_data_size <= SECOND_PRIVATE_BYTES, "private data size");
    if (driver->buffer_bytes == 0u) driver->buffer_bytes = arguments->dma_size;
    bool is_fresh = arguments->dma_size == driver->buffer_bytes;
    if (is_fresh) promise(arguments->dma_buffer % GPU_LIMIT(PAGE_BYTES) == 0u, "PGB-12: a fresh buffer is aligned");
    else promise(arguments->dma_buffer == driver->next_free, "PGB-11: the next operation follows the last");
    if (driver->has_pending && !driver->was_busy)
        promise(is_fresh && is_full, "PGB-09: DmaSize and private data are those of the fresh buffer");
}

/* Everything submitted to the node is complete. What a restart puts into the ring refers to no allocation. */
static bool is_done(uint32_t node)
{
    uint32_t fence = hal_register_read(NODE_FENCE_OFFSET + node * (uint32_t)NODE_STRIDE);
    return fence_reached(fence, second_gpu()->driver.submitted[node]);
}

static void check_call(struct second_driver *driver, struct ddi_build_paging_buffer *arguments)
{
    uint32_t *flags = idle_flags(arguments);
    check_buffer(driver, arguments);
    if (driver->has_pending) { /* the same operation again */
        uint32_t *before = idle_flags((struct ddi_build_paging_buffer *)&driver->pending);
        promise(arguments->operation == driver->pending.operation, "PGB-05: the same operation after INSUFFICIENT");
        promise(arguments->multipass_offset == driver->pending.multipass_offset, "PGB-07: MultipassOffset untouched");
        struct ddi_build_paging_buffer copy = *arguments;
        if (driver->was_busy && flags != NULL) {
            promise((*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u, "PGB-26: idle after BUSY");
            *idle_flags(&copy) = *before;
        }
        promise(memcmp(&copy.u, &driver->pending.u, sizeof copy.u) == 0, "PGB-22: arguments constant over passes");
    } else {
        promise(arguments->multipass_offset == 0u, "PGB-07: MultipassOffset 0 at first");
        if (arguments->operation == DDI_TRANSFER) check_transfer(driver, arguments);
    }
    if (flags != NULL && (*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u)
        promise(is_done(NODE_PAGING), "PGB-27, PGB-28: idle");
    if (arguments->operation == DDI_FILL)
        promise(is_memory(arguments->u.fill.destination.segment_id), "PGB-30: Fill targets memory segments");
}

static bool is_busy(struct second_driver *driver, const struct ddi_build_paging_buffer *arguments,
                    const uint32_t *flags)
{
    if (!driver->says_busy || flags == NULL || (*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u) return false;
    uint32_t offset = arguments->operation == DDI_TRANSFER ? arguments->u.transfer.transfer_offset : UINT32_MAX;
    return offset >= driver->busy_from && (driver->is_stubborn || pick(driver, 3) != 0u);
}

static enum ddi_status build_paging_buffer(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    driver->calls++;
    check_call(driver, arguments);
    uint32_t *flags = idle_flags(arguments);
    if (is_busy(driver, arguments, flags)) {
        driver->busy_answers++;
        driver->next_free = arguments->dma_buffer;
        driver->has_pending = driver->was_busy = true;
        driver->pending = *arguments;
        return DDI_ALLOCATION_BUSY;
    }
    if (arguments->private_data_size < SECOND_PRIVATE_PER_CALL) { /* private data can run out too */
        driver->insufficient_answers++;
        driver->next_free = arguments->dma_buffer;
        driver->has_pending = true;
        driver->was_busy = false;
        driver->pending = *arguments;
        return DDI_INSUFFICIENT_DMA_BUFFER;
    }
    for (uint32_t i = 0; i < SECOND_PRIVATE_PER_CALL; i++) {
        promise(arguments->private_data[i] == 0u || arguments->private_data[i] == 0xe0u + i,
                "SEG-11: private data is the driver's alone");
        arguments->private_data[i] = (uint8_t)(0xe0u + i);
    }
    uint32_t room = arguments->dma_size;
    if (driver->is_one_packet && room > 20u) arguments->dma_size = 20; /* the longest packet */
    enum ddi_status status = ddi.build_paging_buffer(ddi.adapter, arguments);
    arguments->private_data += SECOND_PRIVATE_PER_CALL;
    driver->has_pending = status == DDI_INSUFFICIENT_DMA_BUFFER;
    driver->next_free = arguments->dma_buffer;
    driver->was_busy = false;
    driver->insufficient_answers += driver->has_pending;
    driver->pending = *arguments;
    return status;
}

static bool can_submit(void *adapter, uint32_t node)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    return ddi.can_submit(ddi.adapter, node) && (!driver->is_slow || pick(driver, 3) != 0u);
}

static enum ddi_status create_context(void *adapter, uint32_t node, struct ddi_context_info *info)
{
    (void)adapter;
    struct ddi ddi = inner();
    return ddi.create_context(ddi.adapter, node, info);
}

static enum ddi_status patch(void *adapter, struct ddi_patch *arguments)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    driver->patched = *arguments;
    driver->has_patched = true;
    return ddi.patch(ddi.adapter, arguments);
}

/* DMA-08, DMA-09: Patch and SubmitCommand speak of the same buffer, portion and fence. Patch is skipped where all words
 * are right (scheduler_check), perhaps after that of a portion that was taken back. */
static void check_patched(const struct ddi_patch *patched, const struct ddi_submit_command *submitted)
{
    promise(patched->dma_buffer == submitted->dma_buffer && patched->dma_buffer_size == submitted->dma_buffer_size,
            "DMA-08: the buffer of Patch and of SubmitCommand");
    promise(patched->submission_start_offset == submitted->submission_start_offset &&
                patched->submission_end_offset == submitted->submission_end_offset &&
                patched->submission_fence_id == submitted->submission_fence_id,
            "DMA-09: offsets and fence of Patch and of SubmitCommand");
}

static enum ddi_status submit_command(void *adapter, const struct ddi_submit_command *arguments)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    driver->submissions++;
    if (!arguments->is_paging && driver->has_patched && driver->patched.dma_buffer == arguments->dma_buffer)
        check_patched(&driver->patched, arguments);
    if (!arguments->is_paging) driver->has_patched = false;
    if (arguments->is_paging) {
        promise(arguments->submission_end_offset > 0u, "no empty paging submission");
        promise(arguments->submission_end_offset <= GPU_LIMIT(PAGING_BUFFER_BYTES), "SEG-08: PagingBufferSize");
    }
    return ddi.submit_command(ddi.adapter, arguments);
}

static bool set_access(void *adapter, const struct ddi_access *access)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    if (driver->is_slow && pick(driver, 3) == 0u) return false;
    return ddi.set_access(ddi.adapter, access);
}

static bool rebind(void *adapter, const struct ddi_rebinding *rebinding)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    promise(rebinding->patch_location < rebinding->patch_location_list_size, "bind again: a location of the list");
    if (driver->is_slow && pick(driver, 3) == 0u) return false;
    driver->rebindings++;
    return ddi.rebind(ddi.adapter, rebinding);
}

static uint32_t query_current_fence(void *adapter, uint32_t node)
{
    (void)adapter;
    struct ddi ddi = inner();
    return ddi.query_current_fence(ddi.adapter, node);
}

static struct ddi_engine_status query_engine_status(void *adapter, uint32_t node)
{
    (void)adapter;
    struct ddi ddi = inner();
    return ddi.query_engine_status(ddi.adapter, node);
}

static uint32_t query_work_cycles(void *adapter, uint32_t node)
{
    (void)adapter;
    struct ddi ddi = inner();
    return ddi.query_work_cycles(ddi.adapter, node);
}

static uint32_t query_written_bytes(void *adapter, uint32_t node)
{
    (void)adapter;
    struct ddi ddi = inner();
    return ddi.query_written_bytes(ddi.adapter, node);
}

static enum ddi_status preempt_command(void *adapter, const struct ddi_preempt_command *arguments)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    promise(!driver->is_preempting[arguments->node_ordinal], "one preemption of a node at a time");
    driver->is_preempting[arguments->node_ordinal] = true;
    driver->has_patched = false;
    driver->preemptions++;
    return ddi.preempt_command(ddi.adapter, arguments);
}

static bool query_dma_preempted(void *adapter, uint32_t node, struct ddi_dma_preempted *report)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    if (!ddi.query_dma_preempted(ddi.adapter, node, report)) return false;
    driver->is_preempting[node] = driver->has_patched = false;
    return true;
}

static void reset_engine(void *adapter, struct ddi_reset_engine *arguments)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    driver->is_preempting[arguments->node_ordinal] = driver->has_patched = false;
    ddi.reset_engine(ddi.adapter, arguments);
}

static void reset_from_timeout(void *adapter)
{
    struct second_driver *driver = adapter;
    struct ddi ddi = inner();
    driver->is_preempting[0] = driver->is_preempting[1] = driver->has_pending = driver->has_patched = false;
    driver->open_transfer = 0;
    ddi.reset_from_timeout(ddi.adapter);
}

static void restart_from_timeout(void *adapter)
{
    (void)adapter;
    struct ddi ddi = inner();
    ddi.restart_from_timeout(ddi.adapter);
}

static void query_driver_caps(void *adapter, struct ddi_driver_caps *caps)
{
    (void)adapter;
    struct ddi ddi = inner();
    ddi.query_driver_caps(ddi.adapter, caps);
}

void second_driver_init(struct second_driver *driver, uint32_t seed)
{
    *driver = (struct second_driver){.random = seed};
    driver->ddi = (struct ddi){
        .adapter = driver,
        .query_adapter_info = query_adapter_info,
        .create_context = create_context,
        .build_paging_buffer = build_paging_buffer,
        .patch = patch,
        .can_submit = can_submit,
        .submit_command = submit_command,
        .set_access = set_access,
        .rebind = rebind,
        .query_current_fence = query_current_fence,
        .query_engine_status = query_engine_status,
        .query_work_cycles = query_work_cycles,
        .query_written_bytes = query_written_bytes,
        .preempt_command = preempt_command,
        .query_dma_preempted = query_dma_preempted,
        .reset_engine = reset_engine,
        .reset_from_timeout = reset_from_timeout,
        .restart_from_timeout = restart_from_timeout,
        .query_driver_caps = query_driver_caps,
    };
}
