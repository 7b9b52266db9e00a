/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging operations in packets. An operation is one packet: the paging node walks the page list itself. Only tiles
 * are made and unmade piece by piece, one packet each; space is checked before each, and multipass_offset counts the
 * bytes already written.
 *
 * The page list is in host memory and may have changed since it was checked, so every number is checked when it is
 * used: by the paging node, which stops at one outside system memory, and here, where it becomes the dummy page.
 */
#include "driver/driver_paging.h"

/* Spaces are 1 << SPACE_BITS bytes apart, and a segment is inside one. */
uint32_t driver_first_page(const struct driver *driver, uint32_t id)
{
    ASSERT(id >= 1u && id <= driver->segment_count);
    uint32_t base = driver->segment[id - 1u].base_address;
    return (base & ((1u << SPACE_BITS) - 1u)) / (uint32_t)PAGE_BYTES;
}

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

static uint32_t list_address(uint32_t mdl, uint32_t index) { return GPU_LIMIT(ADDR_SYSTEM) + mdl + index * 4u; }

/* Where the page of this index lies. */
static uint32_t listed_page(const struct driver *driver, uint32_t mdl, uint32_t index)
{
    uint32_t frame, failed;
    hal_system_read(mdl + index * 4u, &frame, 1);
    if (hal_system_failed(&failed) || frame >= driver->system_pages) frame = driver->dummy_page;
    return GPU_LIMIT(ADDR_SYSTEM) + frame * (uint32_t)PAGE_BYTES;
}

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
    bool is_tiled;   /* false: after the last level, plain bytes */
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

/* Tiles on the segment's side, scattered pages on the other: one packet per row of the surface and page. */
static enum ddi_status transfer_tiled_pages(const struct driver *driver, struct ddi_build_paging_buffer *arguments,
                                            uint32_t mdl, uint32_t local, bool to_system)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    uint32_t page = 0; /* where it lies; 0: not known yet */
    hal_system_invalidate();
    while (arguments->multipass_offset < transfer->transfer_size) {
        uint32_t done = arguments->multipass_offset, in_page = done % (uint32_t)PAGE_BYTES;
        uint32_t limit = min_u32((uint32_t)PAGE_BYTES - in_page, transfer->transfer_size - done);
        struct tiled_piece piece = find_piece(&arguments->allocation, transfer->transfer_offset + done, limit);
        if (page == 0u || in_page == 0u) page = listed_page(driver, mdl, transfer->mdl_offset + done / PAGE_BYTES);
        /* The first packet waits for earlier writes: what it reads may have just been written. */
        if (!emit(arguments, piece_packet(&piece, page + in_page, local, to_system, done == 0u)))
            return DDI_INSUFFICIENT_DMA_BUFFER;
        arguments->multipass_offset += piece.bytes;
    }
    return DDI_SUCCESS;
}

/* The pages on one side, a segment on the other. */
static enum ddi_status transfer_pages(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_transfer *transfer = &arguments->u.transfer;
    bool to_system = transfer->destination.segment_id == 0u;
    uint32_t mdl = to_system ? transfer->destination.mdl : transfer->source.mdl;
    uint32_t local = to_system ? transfer->source.segment_address : transfer->destination.segment_address;
    if (has_tiles(arguments)) return transfer_tiled_pages(driver, arguments, mdl, local, to_system);
    if (!emit(arguments, packet_copy_list(local + transfer->transfer_offset, transfer->transfer_size,
                                          list_address(mdl, transfer->mdl_offset), to_system)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
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
    if (!from_system && !to_system) return has_tiles(arguments) ? transfer_tiled(arguments) : transfer_local(arguments);
    return transfer_pages(driver, arguments);
}

/* ------------------------------------------------------------------ the other operations */

static bool driver_is_aperture(const struct driver *driver, uint32_t id)
{
    return id >= 1u && id <= driver->segment_count && (driver->segment[id - 1u].flags & DDI_SEGMENT_APERTURE) != 0u;
}

static enum ddi_status build_fill(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_fill *fill = &arguments->u.fill;
    uint32_t id = fill->destination.segment_id;
    if (id == 0u || id > driver->segment_count || driver_is_aperture(driver, id)) return DDI_NOT_SUPPORTED;
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
    if (!driver_is_aperture(driver, map->segment_id)) return DDI_NOT_SUPPORTED;
    uint32_t first = driver_first_page(driver, map->segment_id) + map->offset_in_pages;
    if (!emit(arguments, packet_map_list(first, map->number_of_pages, list_address(map->mdl, map->mdl_offset),
                                         map->is_cache_coherent)))
        return DDI_INSUFFICIENT_DMA_BUFFER;
    return DDI_SUCCESS;
}

static enum ddi_status unmap(const struct driver *driver, struct ddi_build_paging_buffer *arguments)
{
    const struct ddi_unmap_aperture_segment *unmap = &arguments->u.unmap;
    if (!driver_is_aperture(driver, unmap->segment_id)) return DDI_NOT_SUPPORTED;
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
    case DDI_FILL: return build_fill(driver, arguments);
    case DDI_DISCARD_CONTENT: return DDI_SUCCESS; /* nothing of ours remembers content */
    case DDI_READ_PHYSICAL: return access_physical(arguments, false);
    case DDI_WRITE_PHYSICAL: return access_physical(arguments, true);
    case DDI_MAP_APERTURE_SEGMENT: return map(driver, arguments);
    case DDI_UNMAP_APERTURE_SEGMENT: return unmap(driver, arguments);
    default: return DDI_NOT_SUPPORTED;
    }
}
