/* SPDX-License-Identifier: Apache-2.0
 *
 * Carrying out a residency plan. One action = one DDI operation: an eviction is a Transfer to the pages
 * (written since page-in), a DiscardContent (clean) or an Unmap; a placement is a Transfer from the pages,
 * a Fill (no content yet) or a Map.
 *
 * Order: the paging node carries its buffers out in order, and a buffer waits for the render fence of every
 * allocation evicted in it, so a page is never overwritten while a portion may still use it.
 */
#include "paging.h"

void paging_init(struct paging *paging, const struct paging_setup *setup)
{
    ASSERT(setup->private_bytes <= (uint32_t)PAGING_PRIVATE_BYTES);
    *paging = (struct paging){.setup = *setup, .last_fence = setup->first_fence};
    for (uint32_t i = 0; i < PAGING_BUFFER_COUNT; i++) paging->buffer_fence[i] = setup->first_fence;
}

static uint32_t current_fence(const struct paging *paging, enum node node)
{
    const struct ddi *ddi = paging->setup.ddi;
    return ddi->query_current_fence(ddi->adapter, node);
}

bool paging_is_quiet(const struct paging *paging)
{
    return !paging->is_active && fence_reached(current_fence(paging, NODE_PAGING), paging->last_fence);
}

/* ------------------------------------------------------------------ buffers */

static uint32_t buffer_start(const struct paging *paging)
{
    return paging->setup.buffers + paging->buffer * paging->setup.buffer_bytes;
}

static bool open_buffer(struct paging *paging)
{
    if (paging->is_open) return true;
    if (!fence_reached(current_fence(paging, NODE_PAGING), paging->buffer_fence[paging->buffer])) return false;
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    arguments->dma_buffer = buffer_start(paging);
    arguments->private_data = paging->private_data[paging->buffer];
    paging->is_open = true;
    return true;
}

/* Submit what the open buffer holds; false when the ring has no room. An empty buffer is kept open. */
static bool flush(struct paging *paging)
{
    const struct ddi *ddi = paging->setup.ddi;
    uint32_t start = buffer_start(paging);
    if (!paging->is_open || paging->arguments.dma_buffer == start) return true;
    if (!ddi->can_submit(ddi->adapter, NODE_PAGING)) return false;
    uint32_t bytes = paging->arguments.dma_buffer - start;
    ASSERT(bytes <= paging->setup.buffer_bytes); /* 0x10E / 0x12: the driver overran its buffer */
    struct ddi_submit_command command = {
        .node_ordinal = NODE_PAGING,
        .dma_buffer = start,
        .dma_buffer_size = bytes,
        .submission_end_offset = bytes,
        .submission_fence_id = ++paging->last_fence,
        .is_paging = true,
        .must_wait = paging->must_wait_render,
        .wait_fence_id = paging->render_fence,
    };
    ddi->submit_command(ddi->adapter, &command);
    hal_trace(TRACE_PAGING, paging->last_fence);
    paging->setup.statistics[STAT_PAGING_BUFFERS]++;
    paging->buffer_fence[paging->buffer] = paging->last_fence;
    paging->buffer = (paging->buffer + 1u) % (uint32_t)PAGING_BUFFER_COUNT;
    paging->must_wait_render = false;
    paging->is_open = false;
    return true;
}

/* The open buffer, or the next one, must not run before the render node is done with the allocation. */
static void wait_for_render(struct paging *paging, const struct allocation *entry)
{
    if (fence_reached(current_fence(paging, NODE_RENDER), entry->last_fence)) return;
    if (!paging->must_wait_render || !fence_reached(paging->render_fence, entry->last_fence))
        paging->render_fence = entry->last_fence;
    paging->must_wait_render = true;
}

/* ------------------------------------------------------------------ actions to operations */

static uint32_t segment_address(const struct paging *paging, uint32_t id, uint32_t page)
{
    return paging->setup.segments[id - 1u].base_address + page * (uint32_t)PAGE_BYTES;
}

static bool is_aperture(const struct paging *paging, uint32_t id)
{
    return (paging->setup.segments[id - 1u].flags & DDI_SEGMENT_APERTURE) != 0u;
}

/* Swizzled content is tiled in memory segments and linear in the pages, always. */
static struct ddi_transfer whole_transfer(const struct allocation *entry, enum ddi_transfer_flag swizzling)
{
    bool is_swizzled = (entry->flags & ALLOCATION_SWIZZLED) != 0u;
    return (struct ddi_transfer){.transfer_size = (uint32_t)entry->pages * (uint32_t)PAGE_BYTES,
                                 .flags = DDI_TRANSFER_START | DDI_TRANSFER_END |
                                          (is_swizzled ? (uint32_t)swizzling : 0u)};
}

static void begin_eviction(struct paging *paging, const struct allocation *entry)
{
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    uint32_t address = segment_address(paging, entry->segment, entry->first_page);
    if (is_aperture(paging, entry->segment)) {
        arguments->operation = DDI_UNMAP_APERTURE_SEGMENT;
        arguments->u.unmap = (struct ddi_unmap_aperture_segment){entry->segment, entry->first_page, entry->pages,
                                                                 paging->setup.dummy_page};
    } else if ((entry->flags & ALLOCATION_DIRTY) != 0u && (entry->offer == 0u || paging->keeps_offered)) {
        arguments->operation = DDI_TRANSFER;
        arguments->u.transfer = whole_transfer(entry, DDI_TRANSFER_UNSWIZZLE);
        arguments->u.transfer.source = (struct ddi_location){entry->segment, address, 0};
        arguments->u.transfer.destination.mdl = entry->pages_address;
    } else {
        arguments->operation = DDI_DISCARD_CONTENT;
        arguments->u.discard_content = (struct ddi_discard_content){0, entry->segment, address};
    }
}

static void begin_placement(struct paging *paging, const struct allocation *entry, uint32_t id, uint32_t page)
{
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    struct ddi_location target = {id, segment_address(paging, id, page), 0};
    if (is_aperture(paging, id)) {
        bool is_coherent = (entry->flags & ALLOCATION_CACHED) != 0u &&
                           (paging->setup.segments[id - 1u].flags & DDI_SEGMENT_CACHE_COHERENT) != 0u;
        arguments->operation = DDI_MAP_APERTURE_SEGMENT;
        arguments->u.map =
            (struct ddi_map_aperture_segment){id, page, entry->pages, entry->pages_address, 0, is_coherent};
    } else if ((entry->flags & ALLOCATION_UNDEFINED) != 0u) {
        arguments->operation = DDI_FILL;
        arguments->u.fill = (struct ddi_fill){(uint32_t)entry->pages * (uint32_t)PAGE_BYTES, entry->pattern, target};
    } else {
        arguments->operation = DDI_TRANSFER;
        arguments->u.transfer = whole_transfer(entry, DDI_TRANSFER_SWIZZLE);
        arguments->u.transfer.source.mdl = entry->pages_address;
        arguments->u.transfer.destination = target;
    }
}

static void count_operation(struct paging *paging, uint32_t pages)
{
    uint32_t *statistics = paging->setup.statistics;
    const struct ddi_build_paging_buffer *arguments = &paging->arguments;
    switch (arguments->operation) {
    case DDI_TRANSFER:
        statistics[STAT_OP_TRANSFER]++;
        statistics[arguments->u.transfer.source.segment_id == 0u ? STAT_PAGES_IN : STAT_PAGES_OUT] += pages;
        break;
    case DDI_FILL:
        statistics[STAT_OP_FILL]++;
        statistics[STAT_PAGES_FILLED] += pages;
        break;
    case DDI_DISCARD_CONTENT:
        statistics[STAT_OP_DISCARD]++;
        statistics[STAT_PAGES_DISCARDED] += pages;
        break;
    case DDI_MAP_APERTURE_SEGMENT:
        statistics[STAT_OP_MAP]++;
        statistics[STAT_PAGES_MAPPED] += pages;
        break;
    case DDI_UNMAP_APERTURE_SEGMENT:
        statistics[STAT_OP_UNMAP]++;
        statistics[STAT_PAGES_UNMAPPED] += pages;
        break;
    case DDI_READ_PHYSICAL: statistics[STAT_OP_READ_PHYSICAL]++; break;
    case DDI_WRITE_PHYSICAL: statistics[STAT_OP_WRITE_PHYSICAL]++; break;
    default: ASSERT(false);
    }
}

/* ------------------------------------------------------------------ the protocols */

/* The flags word that carries AllocationIsIdle, or NULL: only these operations may be answered BUSY. */
static uint32_t *idle_flags(struct paging *paging)
{
    if (paging->arguments.operation == DDI_TRANSFER) return &paging->arguments.u.transfer.flags;
    if (paging->arguments.operation == DDI_DISCARD_CONTENT) return &paging->arguments.u.discard_content.flags;
    return NULL;
}

/* Nothing on either node refers to the allocation any more, paging already batched for it included. */
static bool is_idle(const struct paging *paging, const struct allocation *entry)
{
    return fence_reached(current_fence(paging, NODE_RENDER), entry->last_fence) &&
           fence_reached(current_fence(paging, NODE_PAGING), paging->last_fence);
}

static void complete_action(struct paging *paging, uint32_t allocation, enum residency_action action)
{
    struct residency *residency = paging->setup.residency;
    uint32_t handle = allocation_handle(&residency->table, allocation);
    count_operation(paging, residency->table.entry[allocation].pages);
    if (action == ACTION_EVICT) {
        bool is_dirty = (residency->table.entry[allocation].flags & ALLOCATION_DIRTY) != 0u;
        residency_has_left(residency, allocation, is_dirty && paging->arguments.operation == DDI_DISCARD_CONTENT);
        paging->setup.statistics[STAT_EVICTIONS]++;
        hal_trace(TRACE_EVICT, handle);
    } else {
        residency_has_arrived(residency, allocation);
        const struct allocation *entry = &residency->table.entry[allocation];
        hal_trace(TRACE_PLACE, (uint32_t)entry->segment << 28 | (uint32_t)entry->first_page);
        hal_trace(TRACE_PAGE_IN, handle);
    }
    paging->has_operation = false;
    paging->cursor++;
}

/* Build the action at the cursor as far as it goes. False: it has to wait. */
static bool build_action(struct paging *paging)
{
    struct residency *residency = paging->setup.residency;
    const struct ddi *ddi = paging->setup.ddi;
    uint32_t allocation = residency_action_allocation(residency, paging->cursor);
    enum residency_action action = residency_action_kind(residency, paging->cursor);
    const struct allocation *entry = &residency->table.entry[allocation];
    struct ddi_build_paging_buffer *arguments = &paging->arguments;

    if (paging->awaits_idle) {
        if (!flush(paging) || !is_idle(paging, entry)) return false;
        paging->awaits_idle = false;
        *idle_flags(paging) |= (uint32_t)DDI_TRANSFER_ALLOCATION_IS_IDLE;
    }
    if ((entry->flags & ALLOCATION_SYNCHRONOUS_PAGING) != 0u && !paging->has_operation &&
        !fence_reached(current_fence(paging, NODE_RENDER), entry->last_fence))
        return false;
    if (!open_buffer(paging)) return false;
    if (!paging->has_operation) {
        if (action == ACTION_EVICT) begin_eviction(paging, entry);
        else begin_placement(paging, entry, residency->map.where[allocation], residency->map.first[allocation]);
        arguments->multipass_offset = 0;
        arguments->allocation = (struct ddi_allocation){allocation_handle(&residency->table, allocation), entry->pitch,
                                                        entry->height, entry->levels};
        paging->has_operation = true;
    }
    /* Once promised, idleness holds at every further pass, whose predecessors touched the allocation too. */
    uint32_t *flags = idle_flags(paging);
    if (flags != NULL && (*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u && !is_idle(paging, entry)) return false;
    wait_for_render(paging, entry);

    uint32_t start = buffer_start(paging);
    arguments->dma_size = start + paging->setup.buffer_bytes - arguments->dma_buffer;
    arguments->private_data_size =
        (uint32_t)(paging->private_data[paging->buffer] + paging->setup.private_bytes - arguments->private_data);
    uint32_t before = arguments->dma_buffer, pass = arguments->multipass_offset;
    enum ddi_status status = ddi->build_paging_buffer(ddi->adapter, arguments);
    switch (status) {
    case DDI_SUCCESS: complete_action(paging, allocation, action); return true;
    case DDI_INSUFFICIENT_DMA_BUFFER:
        /* A full-size buffer without progress would never end. */
        if (before == start && arguments->dma_buffer == before && arguments->multipass_offset == pass)
            hal_panic(PANIC_DRIVER, status);
        return flush(paging);
    case DDI_ALLOCATION_BUSY:
        if (flags == NULL || (*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u) hal_panic(PANIC_DRIVER, status);
        paging->awaits_idle = true;
        return true;
    case DDI_NOT_SUPPORTED:
    default: hal_panic(PANIC_DRIVER, status);
    }
}

/* ------------------------------------------------------------------ operations without a plan */

bool paging_can_build(struct paging *paging)
{
    const struct ddi *ddi = paging->setup.ddi;
    return !paging->is_active && ddi->can_submit(ddi->adapter, NODE_PAGING) && open_buffer(paging) &&
           paging->arguments.dma_buffer == buffer_start(paging);
}

uint32_t paging_build(struct paging *paging, struct ddi_build_paging_buffer *operations, uint32_t count)
{
    const struct ddi *ddi = paging->setup.ddi;
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    uint32_t end = buffer_start(paging) + paging->setup.buffer_bytes;
    for (uint32_t i = 0; i < count; i++) {
        operations[i].dma_buffer = arguments->dma_buffer;
        operations[i].dma_size = end - arguments->dma_buffer;
        operations[i].private_data = arguments->private_data;
        operations[i].private_data_size =
            (uint32_t)(paging->private_data[paging->buffer] + paging->setup.private_bytes - arguments->private_data);
        enum ddi_status status = ddi->build_paging_buffer(ddi->adapter, &operations[i]);
        if (status != DDI_SUCCESS) hal_panic(PANIC_DRIVER, status);
        *arguments = operations[i];
        count_operation(paging, 1);
    }
    bool is_submitted = flush(paging);
    ASSERT(is_submitted);
    return paging->last_fence;
}

/* ------------------------------------------------------------------ a plan */

void paging_start(struct paging *paging)
{
    ASSERT(!paging->is_active && !paging->has_operation);
    paging->is_active = true;
    paging->cursor = 0;
}

enum paging_progress paging_step(struct paging *paging)
{
    ASSERT(paging->is_active);
    if (paging->cursor < paging->setup.residency->journal_count)
        return build_action(paging) ? PAGING_WORKED : PAGING_WAITS;
    if (!flush(paging)) return PAGING_WAITS;
    residency_finish(paging->setup.residency);
    paging->is_active = false;
    return PAGING_DONE;
}
