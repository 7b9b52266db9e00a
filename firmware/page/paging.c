/* SPDX-License-Identifier: Apache-2.0
 *
 * Carrying out a residency plan. An eviction is a Transfer to the pages (written since page-in), a DiscardContent
 * (clean) or an Unmap; a placement is a Transfer from the pages, a Fill (no content yet) or a Map; a move is a
 * Transfer inside the segment. A Transfer may come in pieces, and out of a memory segment between a Map and an Unmap of
 * the pages in an aperture.
 *
 * Order: the paging node carries its buffers out in order, and a buffer waits for the render fence of every
 * allocation evicted in it, so a page is never overwritten while a portion may still use it.
 */
#include "page/paging.h"

#include "memory/bank.h"
#include "plan/commit.h"
#include "platform/turn.h"

static uint32_t current_fence(const struct paging *paging, enum node node)
{
    const struct ddi *ddi = paging->setup.ddi;
    return ddi->query_current_fence(ddi->adapter, node);
}

void paging_init(struct paging *paging, struct tables *tables, const struct paging_setup *setup)
{
    ASSERT(setup->private_bytes <= (uint32_t)PAGING_PRIVATE_BYTES);
    *paging = (struct paging){.setup = *setup, .last_fence = setup->first_fence};
    for (uint32_t i = 0; i < PAGING_BUFFER_COUNT; i++) {
        paging->buffer_fence[i] = setup->first_fence;
        paging->touched[i] = tables_take_set(tables);
        paging->saved[i] = tables_take_set(tables);
    }
    paging->aborted = tables_take_set(tables);
    for (uint32_t i = 0; i < NODE_LIMIT; i++) paging->seen_fence[i] = current_fence(paging, (enum node)i);
}

/* The node has come so far. It is asked only if it had not when it was asked last. */
static bool has_passed(struct paging *paging, enum node node, uint32_t fence)
{
    uint32_t *seen = &paging->seen_fence[node];
    if (!fence_reached(*seen, fence)) *seen = current_fence(paging, node);
    return fence_reached(*seen, fence);
}

bool paging_is_quiet(const struct paging *paging)
{
    return !paging->is_active && fence_reached(current_fence(paging, NODE_PAGING), paging->last_fence);
}

bool paging_has_next(const struct paging *paging)
{
    return !fence_reached(current_fence(paging, NODE_PAGING), paging->last_fence - 1u);
}

uint32_t paging_built_pages(const struct paging *paging)
{
    const uint32_t *statistics = paging->setup.statistics;
    return statistics[STAT_PAGES_IN] + statistics[STAT_PAGES_OUT] + statistics[STAT_PAGES_FILLED] +
           2u * statistics[STAT_PAGES_MOVED];
}

/* ------------------------------------------------------------------ buffers */

static uint32_t buffer_start(const struct paging *paging)
{
    return paging->setup.buffers + paging->buffer * (uint32_t)PAGING_STRIDE;
}

static bool open_buffer(struct paging *paging)
{
    if (paging->is_open) return true;
    if (!has_passed(paging, NODE_PAGING, paging->buffer_fence[paging->buffer])) return false;
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    arguments->dma_buffer = buffer_start(paging);
    arguments->private_data = paging->private_data[paging->buffer];
    paging->is_open = true;
    index_set_clear(paging->touched[paging->buffer]);
    index_set_clear(paging->saved[paging->buffer]);
    return true;
}

static bool is_fresh(const struct paging *paging)
{
    return paging->arguments.dma_buffer == buffer_start(paging) &&
           paging->arguments.private_data == paging->private_data[paging->buffer];
}

/* What the open buffer holds; the ring has room. */
static void submit(struct paging *paging)
{
    const struct ddi *ddi = paging->setup.ddi;
    uint32_t start = buffer_start(paging), bytes = paging->arguments.dma_buffer - start;
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
    if (ddi->submit_command(ddi->adapter, &command) != DDI_SUCCESS) hal_panic(PANIC_SUBMIT, paging->last_fence);
    paging->submitted[paging->buffer] = command;
    hal_trace(TRACE_PAGING, paging->last_fence);
    paging->setup.statistics[STAT_PAGING_BUFFERS]++;
    paging->buffer_fence[paging->buffer] = paging->last_fence;
    paging->buffer = (paging->buffer + 1u) % (uint32_t)PAGING_BUFFER_COUNT;
    paging->must_wait_render = false;
    paging->is_open = false;
}

/* Submit what the open buffer holds; false when the ring has no room. A buffer without instructions is kept open, and
 * private data of operations that had none go nowhere: their room is free again. */
static bool flush(struct paging *paging)
{
    const struct ddi *ddi = paging->setup.ddi;
    if (!paging->is_open) return true;
    if (paging->arguments.dma_buffer == buffer_start(paging)) {
        paging->arguments.private_data = paging->private_data[paging->buffer];
        return true;
    }
    if (!ddi->can_submit(ddi->adapter, NODE_PAGING)) return false;
    submit(paging);
    return true;
}

/* The open buffer could run earlier than the allocation allows: what it holds goes ahead, the operation into the next
 * one. False: it has to wait for room in the ring. */
static bool let_ahead(struct paging *paging, const struct allocation *entry)
{
    bool is_early = paging->is_open && paging->arguments.dma_buffer != buffer_start(paging) &&
                    !has_passed(paging, NODE_RENDER, entry->last_fence) &&
                    (!paging->must_wait_render || !fence_reached(paging->render_fence, entry->last_fence));
    return !is_early || flush(paging);
}

/* The open buffer, or the next one, must not run before the render node is done with the allocation. */
static void wait_for_render(struct paging *paging, const struct allocation *entry)
{
    if (has_passed(paging, NODE_RENDER, entry->last_fence)) return;
    if (!paging->must_wait_render || !fence_reached(paging->render_fence, entry->last_fence))
        paging->render_fence = entry->last_fence;
    paging->must_wait_render = true;
}

/* ------------------------------------------------------------------ actions to operations */

static uint32_t segment_address(const struct paging *paging, uint32_t id, uint32_t page)
{
    return paging->setup.segments[id - 1u].base_address + page * (uint32_t)PAGE_BYTES;
}

static bool paging_is_aperture(const struct paging *paging, uint32_t id)
{
    return (paging->setup.segments[id - 1u].flags & DDI_SEGMENT_APERTURE) != 0u;
}

/* Not inlined: it is asked for in many places, and an image without a region has little room. */
__attribute__((noinline)) static const struct allocation_details *details_of(const struct paging *paging,
                                                                             const struct allocation *entry)
{
    return allocation_details(&paging->setup.residency->world.table, entry);
}

static uint32_t bytes_of(const struct allocation *entry) { return (uint32_t)entry->pages * (uint32_t)PAGE_BYTES; }

/* The next piece of an allocation's Transfer. Swizzled content is tiled in memory segments and linear in the
 * pages, always. */
static struct ddi_transfer next_piece(const struct paging *paging, const struct allocation *entry,
                                      enum ddi_transfer_flag swizzling)
{
    uint32_t limit = paging->setup.transfer_bytes, left = bytes_of(entry) - paging->transferred;
    uint32_t size = limit != 0u ? min_u32(left, limit) : left, flags = 0;
    if (paging->transferred == 0u) flags |= (uint32_t)DDI_TRANSFER_START;
    if (size == left) flags |= (uint32_t)DDI_TRANSFER_END;
    if ((entry->flags & ALLOCATION_SWIZZLED) != 0u) flags |= (uint32_t)swizzling;
    return (struct ddi_transfer){.transfer_offset = paging->transferred,
                                 .transfer_size = size,
                                 .flags = flags,
                                 .mdl_offset = paging->transferred / (uint32_t)PAGE_BYTES};
}

static bool is_coherent(const struct paging *paging, const struct allocation *entry, uint32_t id)
{
    return (entry->flags & ALLOCATION_CACHED) != 0u &&
           (paging->setup.segments[id - 1u].flags & DDI_SEGMENT_CACHE_COHERENT) != 0u;
}

static void begin_map(struct paging *paging, const struct allocation *entry, uint32_t id, uint32_t page)
{
    paging->arguments.operation = DDI_MAP_APERTURE_SEGMENT;
    paging->arguments.u.map = (struct ddi_map_aperture_segment){
        id, page, entry->pages, details_of(paging, entry)->pages_address, 0, is_coherent(paging, entry, id)};
}

static void begin_unmap(struct paging *paging, const struct allocation *entry, uint32_t id, uint32_t page)
{
    paging->arguments.operation = DDI_UNMAP_APERTURE_SEGMENT;
    paging->arguments.u.unmap = (struct ddi_unmap_aperture_segment){id, page, entry->pages, paging->setup.dummy_page};
}

/* To the pages, or to where the aperture shows them. */
static void begin_copy_out(struct paging *paging, const struct allocation *entry)
{
    struct ddi_transfer *transfer = &paging->arguments.u.transfer;
    uint32_t through = paging->detour_segment;
    paging->arguments.operation = DDI_TRANSFER;
    *transfer = next_piece(paging, entry, DDI_TRANSFER_UNSWIZZLE);
    transfer->source.segment_id = entry->segment;
    transfer->source.segment_address = segment_address(paging, entry->segment, entry->first_page);
    if (paging->detour == DETOUR_NONE) {
        transfer->destination.mdl = details_of(paging, entry)->pages_address;
    } else {
        transfer->mdl_offset = 0;
        transfer->destination.segment_id = through;
        transfer->destination.segment_address = segment_address(paging, through, paging->detour_page);
    }
}

/* The pages that stand in the range, or anywhere in an aperture, until evictions ahead in the journal are built:
 * the map takes them as gone already. */
static bool is_still_used(const struct paging *paging, uint32_t id, uint32_t first, uint32_t pages, uint32_t *mapped)
{
    const struct residency *residency = paging->setup.residency;
    *mapped = 0;
    for (uint32_t i = paging->cursor; i < residency->plan.journal_count; i++) {
        const struct allocation *other =
            &residency->world.table.entry[residency_action_allocation(&residency->plan, i)];
        yield_in_loop(i);
        if (residency_action_kind(&residency->plan, i) != ACTION_EVICT || !paging_is_aperture(paging, other->segment))
            continue;
        *mapped += other->pages;
        uint32_t other_end = (uint32_t)other->first_page + other->pages;
        if (other->segment == id && first < other_end && other->first_page < first + pages) return true;
    }
    return false;
}

/* A range of an aperture of its eviction set that nothing uses; none is needed to evict. */
static void find_detour(struct paging *paging, const struct allocation *entry)
{
    struct residency *residency = paging->setup.residency;
    const struct segment_request request = {entry->pages, 1, true};
    paging->detour = DETOUR_NONE;
    for (uint32_t left = details_of(paging, entry)->eviction_set; left != 0u; left &= left - 1u) {
        uint32_t id = lowest_bit(left) + 1u, mapped;
        struct segment_place place;
        if (!segment_find_hole(&residency->world.map, id, &request, &place)) continue;
        if (is_still_used(paging, id, place.first, entry->pages, &mapped)) continue;
        if (!residency_keeps_limit(&residency->world, id, mapped + entry->pages)) continue;
        paging->detour = DETOUR_MAP;
        paging->detour_segment = id;
        paging->detour_page = place.first;
        return;
    }
}

/* The first operation of an eviction, or the next one. */
static void begin_eviction(struct paging *paging, const struct allocation *entry)
{
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    const struct residency *residency = paging->setup.residency;
    const uint32_t allocation = (uint32_t)(entry - residency->world.table.entry);
    bool is_wanted = (entry->offer == 0u || paging->keeps_offered) && !residency_is_dead(residency, allocation);
    if (paging_is_aperture(paging, entry->segment)) {
        begin_unmap(paging, entry, entry->segment, entry->first_page);
        return;
    }
    if (paging->is_purging) { /* TDR-04: a Transfer of size 0 says that the content is gone */
        arguments->operation = DDI_TRANSFER;
        arguments->u.transfer = (struct ddi_transfer){.flags = DDI_TRANSFER_START | DDI_TRANSFER_END};
        arguments->u.transfer.source.segment_id = entry->segment;
        arguments->u.transfer.source.segment_address = segment_address(paging, entry->segment, entry->first_page);
        arguments->u.transfer.destination.mdl = details_of(paging, entry)->pages_address;
        return;
    }
    /* What a preemption makes clean again in the middle of it is copied to its end all the same. */
    bool is_begun = paging->transferred != 0u || paging->detour != DETOUR_NONE;
    if (!is_begun && ((entry->flags & ALLOCATION_DIRTY) == 0u || !is_wanted)) {
        arguments->operation = DDI_DISCARD_CONTENT;
        arguments->u.discard_content =
            (struct ddi_discard_content){0, entry->segment, segment_address(paging, entry->segment, entry->first_page)};
        return;
    }
    if (paging->transferred == 0u && paging->detour == DETOUR_NONE) find_detour(paging, entry);
    if (paging->detour == DETOUR_MAP) begin_map(paging, entry, paging->detour_segment, paging->detour_page);
    else if (paging->detour == DETOUR_UNMAP) begin_unmap(paging, entry, paging->detour_segment, paging->detour_page);
    else begin_copy_out(paging, entry);
}

static void begin_placement(struct paging *paging, const struct allocation *entry, uint32_t id, uint32_t page)
{
    struct ddi_build_paging_buffer *arguments = &paging->arguments;
    struct ddi_location target = {id, segment_address(paging, id, page), 0};
    if (paging_is_aperture(paging, id)) {
        begin_map(paging, entry, id, page);
    } else if ((entry->flags & ALLOCATION_UNDEFINED) != 0u) {
        arguments->operation = DDI_FILL;
        arguments->u.fill = (struct ddi_fill){bytes_of(entry), details_of(paging, entry)->pattern, target};
    } else {
        arguments->operation = DDI_TRANSFER;
        arguments->u.transfer = next_piece(paging, entry, DDI_TRANSFER_SWIZZLE);
        arguments->u.transfer.source.mdl = details_of(paging, entry)->pages_address;
        arguments->u.transfer.destination = target;
    }
}

/* Inside its segment; the new place may overlap the old one. */
static void begin_move(struct paging *paging, const struct allocation *entry, uint32_t page)
{
    struct ddi_transfer *transfer = &paging->arguments.u.transfer;
    paging->arguments.operation = DDI_TRANSFER;
    *transfer = next_piece(paging, entry, DDI_TRANSFER_SWIZZLE);
    transfer->flags &= ~(uint32_t)DDI_TRANSFER_SWIZZLE; /* tiled it is, and tiled it stays */
    transfer->mdl_offset = 0;
    transfer->source.segment_id = transfer->destination.segment_id = entry->segment;
    transfer->source.segment_address = segment_address(paging, entry->segment, entry->first_page);
    transfer->destination.segment_address = segment_address(paging, entry->segment, page);
}

/* Which way the pages of a Transfer go. */
static enum gpu_statistic transfer_direction(const struct ddi_transfer *transfer)
{
    if (transfer->source.segment_id == 0u) return STAT_PAGES_IN;
    return transfer->source.segment_id == transfer->destination.segment_id ? STAT_PAGES_MOVED : STAT_PAGES_OUT;
}

static void count_operation(struct paging *paging, uint32_t pages)
{
    uint32_t *statistics = paging->setup.statistics;
    const struct ddi_build_paging_buffer *arguments = &paging->arguments;
    switch (arguments->operation) {
    case DDI_TRANSFER:
        statistics[STAT_OP_TRANSFER]++;
        statistics[transfer_direction(&arguments->u.transfer)] += pages;
        if (paging->detour != DETOUR_NONE) statistics[STAT_PAGES_THROUGH_APERTURE] += pages;
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
static bool is_idle(struct paging *paging, const struct allocation *entry)
{
    return has_passed(paging, NODE_RENDER, entry->last_fence) && has_passed(paging, NODE_PAGING, paging->last_fence);
}

/* The operation is built: does the action have another? */
static bool has_more_operations(struct paging *paging, const struct allocation *entry)
{
    const struct ddi_build_paging_buffer *arguments = &paging->arguments;
    if (paging->is_purging) return false;
    if (arguments->operation == DDI_TRANSFER) {
        paging->transferred += arguments->u.transfer.transfer_size;
        if (paging->transferred < bytes_of(entry)) return true;
        if (paging->detour == DETOUR_COPY) paging->detour = DETOUR_UNMAP;
        return paging->detour == DETOUR_UNMAP;
    }
    if (paging->detour != DETOUR_MAP) return false;
    paging->detour = DETOUR_COPY;
    return true;
}

static void count_placement(struct paging *paging, const struct allocation *entry)
{
    const struct residency *residency = paging->setup.residency;
    uint32_t *statistics = paging->setup.statistics;
    if (paging_is_aperture(paging, entry->segment))
        statistics[STAT_MAPPED_MAX] = max_u32(statistics[STAT_MAPPED_MAX], residency_mapped_pages(&residency->world));
    if (!bank_has_hints(&residency->world.table, entry)) return;
    bool is_hinted = bank_is_hinted(&residency->world.table, entry, entry->segment, entry->first_page);
    statistics[is_hinted ? STAT_BANK_HINTS : STAT_BANK_HINTS_MISSED]++;
}

/* All operations of the action are built: the table follows. */
static void complete_action(struct paging *paging, uint32_t allocation)
{
    struct residency *residency = paging->setup.residency;
    struct allocation *entry = &residency->world.table.entry[allocation];
    uint32_t handle = allocation_handle(&residency->world.table, allocation);
    if (paging->is_write_back) {
        allocation_clear(entry, ALLOCATION_NEWER);
        paging->setup.statistics[STAT_WRITEBACKS]++;
        paging->is_write_back = false; /* which leaves an empty journal */
        paging->cursor = 0;
        paging->transferred = 0;
        return;
    }
    enum residency_action action = residency_action_kind(&residency->plan, paging->cursor);
    if (action == ACTION_MOVE) {
        residency_has_moved(residency, allocation);
        hal_trace(TRACE_PLACE, (uint32_t)entry->segment << 28 | (uint32_t)entry->first_page);
        hal_trace(TRACE_MOVE, handle);
    } else if (action == ACTION_EVICT) {
        bool is_dirty = (entry->flags & ALLOCATION_DIRTY) != 0u;
        bool is_dropped = paging->is_purging || paging->arguments.operation == DDI_DISCARD_CONTENT;
        residency_trace_next_use(residency, allocation, is_dirty && !is_dropped);
        residency_has_left(residency, allocation, is_dirty && is_dropped);
        paging->setup.statistics[STAT_EVICTIONS]++;
        hal_trace(TRACE_EVICT, handle);
    } else {
        residency_has_arrived(residency, allocation);
        count_placement(paging, entry);
        hal_trace(TRACE_PLACE, (uint32_t)entry->segment << 28 | (uint32_t)entry->first_page);
        hal_trace(TRACE_PAGE_IN, handle);
    }
    paging->transferred = 0;
    paging->detour = DETOUR_NONE;
    paging->cursor++;
}

/* What the open buffer will do to the allocation, in case the buffer is never executed. */
static void note_operation(struct paging *paging, uint32_t allocation)
{
    const struct ddi_build_paging_buffer *arguments = &paging->arguments;
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool is_saved = arguments->operation == DDI_TRANSFER && transfer->source.segment_id != 0u &&
                    transfer->source.segment_id != transfer->destination.segment_id && transfer->transfer_size != 0u;
    index_set_add(paging->touched[paging->buffer], allocation);
    if (is_saved) index_set_add(paging->saved[paging->buffer], allocation);
}

static uint32_t current_allocation(const struct paging *paging)
{
    if (paging->is_write_back) return paging->cursor;
    return residency_action_allocation(&paging->setup.residency->plan, paging->cursor);
}

static void begin_operation(struct paging *paging, uint32_t allocation)
{
    const struct residency *residency = paging->setup.residency;
    const struct segment_link *link = &residency->world.map.link[allocation];
    const struct allocation *entry = &residency->world.table.entry[allocation];
    enum residency_action action = residency_action_kind(&residency->plan, paging->cursor);
    if (paging->is_write_back) begin_copy_out(paging, entry);
    else if (action == ACTION_EVICT) begin_eviction(paging, entry);
    else if (action == ACTION_MOVE) begin_move(paging, entry, link->first);
    else begin_placement(paging, entry, link->where, link->first);
    const struct allocation_details *details = details_of(paging, entry);
    paging->arguments.multipass_offset = 0;
    paging->arguments.allocation =
        (struct ddi_allocation){.handle = allocation_driver_handle(&residency->world.table, allocation),
                                .pitch = details->pitch_tiles * GPU_LIMIT(TILE_ROW_BYTES),
                                .height = details->height_tiles * GPU_LIMIT(TILE_ROWS),
                                .levels = details->levels};
    paging->has_operation = true;
}

static void complete_operation(struct paging *paging, uint32_t allocation)
{
    const struct allocation *entry = &paging->setup.residency->world.table.entry[allocation];
    bool is_piece = paging->arguments.operation == DDI_TRANSFER;
    uint32_t bytes = is_piece ? paging->arguments.u.transfer.transfer_size : bytes_of(entry);
    count_operation(paging, bytes / (uint32_t)PAGE_BYTES);
    paging->has_operation = false;
    if (!has_more_operations(paging, entry)) complete_action(paging, allocation);
}

/* Build the operation at hand as far as it goes. False: it has to wait. */
__attribute__((noinline)) static bool build_operation(struct paging *paging)
{
    const struct residency *residency = paging->setup.residency;
    const struct ddi *ddi = paging->setup.ddi;
    uint32_t allocation = current_allocation(paging);
    const struct allocation *entry = &residency->world.table.entry[allocation];
    struct ddi_build_paging_buffer *arguments = &paging->arguments;

    if (paging->is_full && !flush(paging)) return false; /* nothing more goes into a partial buffer (PGB-05) */
    paging->is_full = false;
    if (paging->awaits_idle) {
        if (!flush(paging) || !is_idle(paging, entry)) return false;
        paging->awaits_idle = false;
        /* analyse: analyzer-null-dereference: what has no such flags and is busy has panicked, below */
        *idle_flags(paging) |= (uint32_t)DDI_TRANSFER_ALLOCATION_IS_IDLE;
    }
    if ((entry->flags & ALLOCATION_SYNCHRONOUS_PAGING) != 0u && !paging->has_operation &&
        !has_passed(paging, NODE_RENDER, entry->last_fence))
        return false;
    if (!paging->has_operation && !let_ahead(paging, entry)) return false;
    if (!open_buffer(paging)) return false;
    if (!paging->has_operation) begin_operation(paging, allocation);
    /* Once promised, idleness holds at every further pass, whose predecessors touched the allocation too. */
    uint32_t *flags = idle_flags(paging);
    if (flags != NULL && (*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u && !is_idle(paging, entry)) return false;
    wait_for_render(paging, entry);

    uint32_t start = buffer_start(paging);
    arguments->dma_size = start + paging->setup.buffer_bytes - arguments->dma_buffer;
    arguments->private_data_size =
        (uint32_t)(paging->private_data[paging->buffer] + paging->setup.private_bytes - arguments->private_data);
    bool was_fresh = is_fresh(paging);
    uint32_t pass = arguments->multipass_offset;
    note_operation(paging, allocation);
    enum ddi_status status = ddi->build_paging_buffer(ddi->adapter, arguments);
    switch (status) {
    case DDI_SUCCESS: complete_operation(paging, allocation); return true;
    case DDI_INSUFFICIENT_DMA_BUFFER:
        /* A full-size buffer without progress would never end (PGB-10). */
        if (was_fresh && arguments->dma_buffer == start && arguments->multipass_offset == pass)
            hal_panic(PANIC_DRIVER, status);
        paging->is_full = !flush(paging);
        return !paging->is_full;
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
    return paging_is_quiet(paging) && ddi->can_submit(ddi->adapter, NODE_PAGING) && open_buffer(paging) &&
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
    ASSERT(arguments->dma_buffer != buffer_start(paging));
    submit(paging); /* can_submit was asked by paging_can_build: it need not say the same twice */
    return paging->last_fence;
}

/* ------------------------------------------------------------------ a plan */

void paging_start(struct paging *paging)
{
    ASSERT(!paging->is_active && !paging->has_operation);
    paging->is_active = true;
    paging->cursor = 0;
    paging->seen_fence[NODE_RENDER] = current_fence(paging, NODE_RENDER); /* so that it never grows too old */
}

void paging_start_write_back(struct paging *paging, uint32_t allocation)
{
    const struct residency *residency = paging->setup.residency;
    ASSERT(residency->plan.journal_count == 0u);
    ASSERT(allocation_is_in_memory(&residency->world.table, &residency->world.table.entry[allocation]));
    paging_start(paging);
    paging->is_write_back = true;
    paging->cursor = allocation;
}

enum paging_progress paging_step(struct paging *paging)
{
    ASSERT(paging->is_active);
    if (paging->is_write_back || paging->cursor < paging->setup.residency->plan.journal_count)
        return build_operation(paging) ? PAGING_WORKED : PAGING_WAITS;
    if (!flush(paging)) return PAGING_WAITS;
    residency_finish(paging->setup.residency);
    paging->is_active = paging->is_purging = false;
    return PAGING_DONE;
}
