/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging operations in packets. System pages are scattered: each run of neighbouring page numbers becomes
 * one packet, and space is checked before each. multipass_offset counts what is already written: bytes of
 * a Transfer, pages of a Map, 1 for operations of one packet.
 *
 * The page list is in host memory and may have changed since it was checked, so every number is checked
 * again here; one outside system memory becomes the dummy page.
 */
#include "driver_paging.h"

#include "driver.h"

enum { LIST_BLOCK = 8 }; /* page numbers read at a time */

/* ------------------------------------------------------------------ the bounded stream */

static bool emit(struct ddi_build_paging_buffer *arguments, struct packet packet)
{
    uint32_t bytes = packet.words * 4u;
    if (arguments->dma_size < bytes) return false;
    for (uint32_t i = 0; i < packet.words; i++) hal_command_write(arguments->dma_buffer + i * 4u, packet.word[i]);
    arguments->dma_buffer += bytes;
    arguments->dma_size -= bytes;
    return true;
}

/* ------------------------------------------------------------------ page lists */

struct page_run {
    uint32_t frame, pages;
};

static uint32_t checked_frame(const struct driver *driver, uint32_t frame)
{
    return frame < driver->system_pages ? frame : driver->dummy_page;
}

/* The longest run of neighbouring pages at `index` of the list, at most `limit` pages. */
static struct page_run next_run(const struct driver *driver, uint32_t mdl, uint32_t index, uint32_t limit)
{
    struct page_run run = {0, 0};
    while (run.pages < limit) {
        uint32_t numbers[LIST_BLOCK];
        uint32_t count = min_u32(LIST_BLOCK, limit - run.pages);
        hal_system_read(mdl + (index + run.pages) * 4u, numbers, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t frame = checked_frame(driver, numbers[i]);
            if (run.pages == 0u) run.frame = frame;
            else if (frame != run.frame + run.pages) return run;
            run.pages++;
        }
    }
    return run;
}

static uint32_t frame_address(uint32_t frame) { return GPU_LIMIT(ADDR_SYSTEM) + frame * (uint32_t)PAGE_BYTES; }

/* ------------------------------------------------------------------ operations */

/* Within or between segments: one packet. A move inside one segment may overlap itself. */
static enum ddi_status transfer_local(struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    uint32_t source = transfer->source.segment_address + transfer->transfer_offset;
    uint32_t target = transfer->destination.segment_address + transfer->transfer_offset;
    if (!emit(arguments, packet_copy(source, target, transfer->transfer_size, true, target > source)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

static enum ddi_status transfer(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool from_system = transfer->source.segment_id == 0u, to_system = transfer->destination.segment_id == 0u;
    if (transfer->transfer_size == 0u) return DDI_SUCCESS; /* a notice that the content is gone */
    if (from_system && to_system) return DDI_NOT_SUPPORTED;
    if (!from_system && !to_system) return transfer_local(arguments);

    uint32_t mdl = from_system ? transfer->source.mdl : transfer->destination.mdl;
    hal_system_invalidate();
    while (arguments->multipass_offset < transfer->transfer_size) {
        uint32_t done = arguments->multipass_offset, left = transfer->transfer_size - done;
        struct page_run run = next_run(driver, mdl, transfer->mdl_offset + done / (uint32_t)PAGE_BYTES,
                                       pages_of_bytes(left));
        uint32_t bytes = min_u32(run.pages * (uint32_t)PAGE_BYTES, left);
        uint32_t system = frame_address(run.frame), local = transfer->transfer_offset + done;
        uint32_t source = from_system ? system : transfer->source.segment_address + local;
        uint32_t target = to_system ? system : transfer->destination.segment_address + local;
        /* The first packet waits for earlier writes: what it reads may have just been written. */
        if (!emit(arguments, packet_copy(source, target, bytes, done == 0u, false)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += bytes;
    }
    return DDI_SUCCESS;
}

static enum ddi_status fill(struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_fill *fill = &arguments->u.fill;
    if (fill->destination.segment_id == 0u || fill->destination.segment_id == (uint32_t)SEGMENT_LIMIT)
        return DDI_NOT_SUPPORTED;
    if (!emit(arguments, packet_fill(fill->destination.segment_address, fill->fill_size, fill->fill_pattern)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

static enum ddi_status access_physical(struct ddi_build_paging_buffer *arguments, bool is_write)
{
    const struct ddi_access_physical *access = &arguments->u.access_physical;
    if (access->access_size < 1u || access->access_size > 8u) return DDI_NOT_SUPPORTED;
    if (!emit(arguments, packet_touch(access->physical_address, access->access_size, is_write)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

static enum ddi_status map(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_map_aperture_segment *map = &arguments->u.map;
    hal_system_invalidate();
    while (arguments->multipass_offset < map->number_of_pages) {
        uint32_t done = arguments->multipass_offset;
        struct page_run run = next_run(driver, map->mdl, map->mdl_offset + done, map->number_of_pages - done);
        if (!emit(arguments, packet_map(map->offset_in_pages + done, run.pages, run.frame, map->is_cache_coherent)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += run.pages;
    }
    return DDI_SUCCESS;
}

static enum ddi_status unmap(struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_unmap_aperture_segment *unmap = &arguments->u.unmap;
    if (!emit(arguments, packet_unmap(unmap->offset_in_pages, unmap->number_of_pages, unmap->dummy_page)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

enum ddi_status driver_build_paging_buffer(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const struct driver *driver = adapter;
    switch (arguments->operation) {
    case DDI_TRANSFER: return transfer(driver, arguments);
    case DDI_FILL: return fill(arguments);
    case DDI_DISCARD_CONTENT: return DDI_SUCCESS; /* nothing of ours remembers content */
    case DDI_READ_PHYSICAL: return access_physical(arguments, false);
    case DDI_WRITE_PHYSICAL: return access_physical(arguments, true);
    case DDI_MAP_APERTURE_SEGMENT: return map(driver, arguments);
    case DDI_UNMAP_APERTURE_SEGMENT: return unmap(arguments);
    default: return DDI_NOT_SUPPORTED;
    }
}
