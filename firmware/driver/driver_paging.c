/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging operations in packets. System pages are scattered: each run of neighbouring page numbers becomes
 * one packet, and space is checked before each. multipass_offset counts what is already written: bytes of
 * a Transfer, pages of a Map, 1 for operations of one packet.
 *
 * The page list is in host memory and may have changed since it was checked, so every number is checked
 * again here; one outside system memory becomes the dummy page.
 */
#include "driver/driver_paging.h"

#include "driver/driver.h"

enum { LIST_BLOCK = 8 }; /* page numbers read at a time */

/* ------------------------------------------------------------------ the bounded stream */

/* Unrolled, a packet's words go from registers to command RAM; as a loop they would stand on the stack first. */
static bool emit(struct ddi_build_paging_buffer *arguments, struct packet packet)
{
    uint32_t bytes = packet.words * 4u;
    if (arguments->dma_size < bytes) return false;
#pragma GCC unroll 6
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

/* A page list, read once from some page to its end. */
struct page_list {
    uint32_t next, end;                  /* addresses of the words not read yet */
    uint32_t numbers[LIST_BLOCK], at, count; /* those read and not taken yet */
};

static void open_list(struct page_list *list, uint32_t mdl, uint32_t index, uint32_t pages)
{
    list->next = mdl + index * 4u;
    list->end = list->next + pages * 4u;
    list->at = list->count = 0;
    hal_system_invalidate();
}

/* The longest run of neighbouring pages where the list stands. */
static struct page_run next_run(const struct driver *driver, struct page_list *list)
{
    struct page_run run = {0, 0};
    for (;; run.pages++, list->at++) {
        if (list->at == list->count) {
            list->count = min_u32(LIST_BLOCK, (list->end - list->next) / 4u);
            list->at = 0;
            if (list->count == 0u) return run;
            uint32_t failed;
            hal_system_read(list->next, list->numbers, list->count);
            if (hal_system_failed(&failed)) /* it could be read when the allocation was created */
                for (uint32_t i = 0; i < list->count; i++) list->numbers[i] = driver->dummy_page;
            list->next += list->count * 4u;
        }
        uint32_t frame = checked_frame(driver, list->numbers[list->at]);
        if (run.pages == 0u) run.frame = frame;
        else if (frame != run.frame + run.pages) return run;
    }
}

static uint32_t frame_address(uint32_t frame) { return GPU_LIMIT(ADDR_SYSTEM) + frame * (uint32_t)PAGE_BYTES; }

/* ------------------------------------------------------------------ operations */

/* Within or between segments, as it is: one packet. A move inside one segment may overlap itself. */
static enum ddi_status transfer_local(struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    uint32_t source = transfer->source.segment_address + transfer->transfer_offset;
    uint32_t target = transfer->destination.segment_address + transfer->transfer_offset;
    if (!emit(arguments, packet_copy(source, target, transfer->transfer_size, true, target > source)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

/* ------------------------------------------------------------------ swizzling */

/* Where a piece of linear content goes in tiled memory, and how much of it one packet can carry. */
struct tiled_piece {
    uint32_t offset; /* tiled byte offset in the allocation; later tiles of the row follow at tile_bytes */
    uint32_t bytes;  /* linear bytes, whole tile rows of one row of the surface */
    bool is_tiled;   /* false: behind the last level, plain bytes */
};

static const uint32_t tile_row = LIMIT_BITS_TILE_ROW_BYTES, tile_rows = LIMIT_BITS_TILE_ROWS;
static const uint32_t tile_bytes = LIMIT_BITS_TILE_ROW_BYTES * LIMIT_BITS_TILE_ROWS;

/* The piece at linear offset `at`, at most `limit` bytes. Every level is whole tiles, so levels start at the
 * same offset in both layouts. */
static struct tiled_piece find_piece(const struct ddi_allocation *allocation, uint32_t at, uint32_t limit)
{
    uint32_t base = 0;
    for (uint32_t level = 0; level < allocation->levels; level++) {
        uint32_t row_bytes = align_up(max_u32(allocation->pitch >> level, 1u), tile_row);
        uint32_t bytes = row_bytes * align_up(max_u32(allocation->height >> level, 1u), tile_rows);
        if (at - base < bytes) {
            uint32_t x = (at - base) % row_bytes, y = (at - base) / row_bytes;
            uint32_t tile = y / tile_rows * (row_bytes / tile_row) + x / tile_row;
            return (struct tiled_piece){base + tile * tile_bytes + y % tile_rows * tile_row,
                                        min_u32(row_bytes - x, limit), true};
        }
        base += bytes;
    }
    return (struct tiled_piece){at, limit, false};
}

/* One piece: `system` is its linear place, `local` the first byte of the allocation in its segment. */
static struct packet piece_packet(const struct tiled_piece *piece, uint32_t system, uint32_t local, bool to_system,
                                  bool has_barrier)
{
    uint32_t tiled = local + piece->offset;
    if (!piece->is_tiled)
        return packet_copy(to_system ? tiled : system, to_system ? system : tiled, piece->bytes, has_barrier, false);
    return packet_copy_2d(to_system ? tiled : system, to_system ? system : tiled, tile_row, piece->bytes / tile_row,
                          to_system ? tile_bytes : tile_row, to_system ? tile_row : tile_bytes, has_barrier);
}

/* ------------------------------------------------------------------ Transfer */

/* No allocation: a plain copy of bytes, whatever the flags say (PGB-19). */
static bool has_tiles(const struct ddi_build_paging_buffer *arguments)
{
    const uint32_t either = (uint32_t)DDI_TRANSFER_SWIZZLE | (uint32_t)DDI_TRANSFER_UNSWIZZLE;
    return arguments->allocation.handle != 0u && (arguments->u.transfer.flags & either) != 0u;
}

/* A run of neighbouring pages is one packet. */
static enum ddi_status transfer_linear(const struct driver *driver, struct ddi_build_paging_buffer *arguments,
                                       struct page_list *list, uint32_t local, bool to_system)
{
    const uint32_t size = arguments->u.transfer.transfer_size;
    uint32_t done = arguments->multipass_offset;
    local += arguments->u.transfer.transfer_offset;
    while (done < size) {
        struct page_run run = next_run(driver, list);
        uint32_t in_page = done % (uint32_t)PAGE_BYTES; /* of the first run */
        uint32_t bytes = min_u32(run.pages * (uint32_t)PAGE_BYTES - in_page, size - done);
        uint32_t system = frame_address(run.frame) + in_page, inside = local + done;
        /* The first packet waits for earlier writes: what it reads may have just been written. */
        if (!emit(arguments, packet_copy(to_system ? inside : system, to_system ? system : inside, bytes, done == 0u,
                                         false)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        done += bytes;
        arguments->multipass_offset = done;
    }
    return DDI_SUCCESS;
}

/* The pages on one side, a segment on the other; tiled, one packet per row of the surface. */
static enum ddi_status transfer_pages(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool to_system = transfer->destination.segment_id == 0u;
    uint32_t mdl = to_system ? transfer->destination.mdl : transfer->source.mdl;
    uint32_t local = to_system ? transfer->source.segment_address : transfer->destination.segment_address;
    struct page_run run = {0, 0};
    uint32_t run_start = align_down(arguments->multipass_offset, PAGE_BYTES); /* progress at which the run begins */
    struct page_list list;
    open_list(&list, mdl, transfer->mdl_offset + run_start / (uint32_t)PAGE_BYTES,
              pages_of_bytes(transfer->transfer_size - run_start));
    if (!has_tiles(arguments)) return transfer_linear(driver, arguments, &list, local, to_system);
    while (arguments->multipass_offset < transfer->transfer_size) {
        uint32_t done = arguments->multipass_offset, left = transfer->transfer_size - done;
        if (done - run_start >= run.pages * (uint32_t)PAGE_BYTES) {
            run_start += run.pages * (uint32_t)PAGE_BYTES;
            run = next_run(driver, &list);
        }
        uint32_t in_run = done - run_start;
        uint32_t limit = min_u32(run.pages * (uint32_t)PAGE_BYTES - in_run, left);
        struct tiled_piece piece = find_piece(&arguments->allocation, transfer->transfer_offset + done, limit);
        /* The first packet waits for earlier writes: what it reads may have just been written. */
        if (!emit(arguments, piece_packet(&piece, frame_address(run.frame) + in_run, local, to_system, done == 0u)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += piece.bytes;
    }
    return DDI_SUCCESS;
}

/* Between segments with tiles made or unmade on the way, through an aperture that shows the pages linearly. */
static enum ddi_status transfer_tiled(struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool is_unmade = (transfer->flags & DDI_TRANSFER_UNSWIZZLE) != 0u;
    uint32_t linear = is_unmade ? transfer->destination.segment_address : transfer->source.segment_address;
    uint32_t tiled = is_unmade ? transfer->source.segment_address : transfer->destination.segment_address;
    while (arguments->multipass_offset < transfer->transfer_size) {
        uint32_t done = arguments->multipass_offset, at = transfer->transfer_offset + done;
        struct tiled_piece piece = find_piece(&arguments->allocation, at, transfer->transfer_size - done);
        if (!emit(arguments, piece_packet(&piece, linear + at, tiled, is_unmade, done == 0u)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += piece.bytes;
    }
    return DDI_SUCCESS;
}

static enum ddi_status transfer(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool from_system = transfer->source.segment_id == 0u, to_system = transfer->destination.segment_id == 0u;
    if (transfer->transfer_size == 0u) return DDI_SUCCESS; /* a notice that the content is gone */
    if (from_system && to_system) return DDI_NOT_SUPPORTED;
    if (!from_system && !to_system)
        return has_tiles(arguments) ? transfer_tiled(arguments) : transfer_local(arguments);
    return transfer_pages(driver, arguments);
}

/* ------------------------------------------------------------------ the other operations */

static bool is_aperture(const struct driver *driver, uint32_t id)
{
    return id >= 1u && id <= driver->segment_count &&
           (driver->segment[id - 1u].flags & DDI_SEGMENT_APERTURE) != 0u;
}

static enum ddi_status fill(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_fill *fill = &arguments->u.fill;
    uint32_t id = fill->destination.segment_id;
    if (id == 0u || id > driver->segment_count || is_aperture(driver, id)) return DDI_NOT_SUPPORTED;
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
    if (!is_aperture(driver, map->segment_id)) return DDI_NOT_SUPPORTED;
    uint32_t first = driver_first_page(driver, map->segment_id) + map->offset_in_pages;
    struct page_list list;
    open_list(&list, map->mdl, map->mdl_offset + arguments->multipass_offset,
              map->number_of_pages - arguments->multipass_offset);
    while (arguments->multipass_offset < map->number_of_pages) {
        uint32_t done = arguments->multipass_offset;
        struct page_run run = next_run(driver, &list);
        if (!emit(arguments, packet_map(first + done, run.pages, run.frame, map->is_cache_coherent)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += run.pages;
    }
    return DDI_SUCCESS;
}

static enum ddi_status unmap(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_unmap_aperture_segment *unmap = &arguments->u.unmap;
    if (!is_aperture(driver, unmap->segment_id)) return DDI_NOT_SUPPORTED;
    uint32_t first = driver_first_page(driver, unmap->segment_id) + unmap->offset_in_pages;
    if (!emit(arguments, packet_unmap(first, unmap->number_of_pages, unmap->dummy_page)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

enum ddi_status driver_build_paging_buffer(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const struct driver *driver = adapter;
    switch (arguments->operation) {
    case DDI_TRANSFER: return transfer(driver, arguments);
    case DDI_FILL: return fill(driver, arguments);
    case DDI_DISCARD_CONTENT: return DDI_SUCCESS; /* nothing of ours remembers content */
    case DDI_READ_PHYSICAL: return access_physical(arguments, false);
    case DDI_WRITE_PHYSICAL: return access_physical(arguments, true);
    case DDI_MAP_APERTURE_SEGMENT: return map(driver, arguments);
    case DDI_UNMAP_APERTURE_SEGMENT: return unmap(driver, arguments);
    default: return DDI_NOT_SUPPORTED;
    }
}
