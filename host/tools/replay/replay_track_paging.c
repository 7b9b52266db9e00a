/* SPDX-License-Identifier: Apache-2.0
 *
 * The paging node's packets, gathered into whole operations. Which allocation a packet belongs to follows
 * from its system pages (each page has one owner), for a fill from its pattern, for an unmapping and a move
 * from what lies there.
 */
#include "tools/replay/replay_track_internal.h"

_Static_assert((int)PAGESIM_PAGE_BYTES == (int)LIMIT_BITS_PAGE_BYTES, "one size of page");

static uint32_t space_base(uint32_t segment)
{
    return segment == 1 ? GPU_LIMIT(ADDR_SEGMENT1) : segment == 2 ? GPU_LIMIT(ADDR_SEGMENT2) : GPU_LIMIT(ADDR_APERTURE);
}

/* Segment 1 or 2 of an address; 0 for any other space. */
static uint32_t memory_segment(uint32_t address)
{
    uint32_t space = address & 0xf0000000u;
    return space == GPU_LIMIT(ADDR_SEGMENT1) ? 1u : space == GPU_LIMIT(ADDR_SEGMENT2) ? 2u : 0u;
}

/* ------------------------------------------------------------------ completed operations */

static void record(struct track *track, const struct track_operation *operation)
{
    if (operation->surface >= track->setup.workload->allocation_count) return; /* the replay's own */
    struct track_operation *item = list_add(&track->operations, sizeof *item);
    struct track_surface *surface = &track->surfaces[operation->surface];
    uint32_t pages = track->setup.workload->allocations[operation->surface].pages;
    if (item == NULL) {
        track_complain(track, "out of memory");
        return;
    }
    *item = *operation;
    track->counts.pages[operation->kind] += pages;
    if (operation->kind == TRACK_OUT) {
        *(surface->is_dirty ? &track->counts.dirty_out : &track->counts.clean_out) += pages;
        track->counts.clean_out_by_step += surface->is_dirty_by_step ? 0 : pages;
    }
    if (operation->kind == TRACK_OUT || operation->kind == TRACK_IN)
        surface->is_dirty = surface->is_dirty_by_step = false;
    if (operation->kind == TRACK_FILL) {
        surface->is_dirty = true; /* the pattern is nowhere else */
        surface->is_dirty_by_step = false;
    }
}

static void leave(struct track *track, uint32_t surface)
{
    struct place *place = &track->surfaces[surface].place;
    uint32_t *owner = track->space_owner[place->segment];
    uint32_t end = place->page + track->surfaces[surface].page_count;
    for (uint32_t page = place->page; place->segment != 0 && page < end; page++)
        if (owner[page] == surface + 1u) owner[page] = 0;
    place->segment = 0;
}

static void drop(struct track *track, uint32_t surface)
{
    const struct track_operation *now = &track->open.operation;
    bool is_mapped = track->surfaces[surface].place.segment == LIMIT_BITS_SEGMENT_COUNT;
    struct track_operation operation = *now;
    operation.kind = is_mapped ? TRACK_UNMAP : TRACK_DROP;
    operation.surface = surface;
    record(track, &operation);
    leave(track, surface);
}

/* ------------------------------------------------------------------ pieces of operations */

/* A piece of a packet: `bytes` for the surface, whose first page is, was or will be `page` of `segment`. */
struct piece {
    enum track_kind kind;
    uint32_t surface, segment, page;
    uint64_t bytes;
};

static bool is_arrival(enum track_kind kind) { return kind == TRACK_IN || kind == TRACK_FILL || kind == TRACK_MAP; }

static void take_pages(struct track *track, const struct piece *piece)
{
    struct track_surface *surface = &track->surfaces[piece->surface];
    if (piece->page >= TRACK_SPACE_PAGES || surface->page_count > TRACK_SPACE_PAGES - piece->page) {
        track_complain(track, "allocation %u was placed outside of segment %u", piece->surface, piece->segment);
        return;
    }
    if (is_arrival(piece->kind) && surface->place.segment != 0) drop(track, piece->surface);
    for (uint32_t page = piece->page; page < piece->page + surface->page_count; page++) {
        uint32_t owner = track->space_owner[piece->segment][page];
        if (owner != 0 && owner != piece->surface + 1u) drop(track, owner - 1u);
    }
    if (piece->kind == TRACK_MOVE) leave(track, piece->surface);
    for (uint32_t page = piece->page; page < piece->page + surface->page_count; page++)
        track->space_owner[piece->segment][page] = piece->surface + 1u;
    surface->place = (struct place){piece->segment, piece->page};
}

static void open_operation(struct track *track, const struct piece *piece)
{
    struct open_operation *open = &track->open;
    if (open->is_open)
        track_complain(track, "a paging operation on allocation %u was not finished", open->operation.surface);
    *open = (struct open_operation){.is_open = true, .segment = piece->segment};
    open->operation = (struct track_operation){.kind = piece->kind,
                                               .surface = piece->surface,
                                               .page = piece->page,
                                               .wait_run = track->paging_wait,
                                               .runs_done = track->runs_done,
                                               .paging_ordinal = track->paging_fences.count};
    const struct place *place = &track->surfaces[piece->surface].place;
    if (piece->kind == TRACK_OUT && (place->segment != piece->segment || place->page != piece->page))
        track_complain(track, "allocation %u was copied out of a place where it is not", piece->surface);
    if (is_arrival(piece->kind) || piece->kind == TRACK_MOVE) take_pages(track, piece);
}

static void add_piece(struct track *track, const struct piece *piece)
{
    struct open_operation *open = &track->open;
    uint64_t total = (uint64_t)track->surfaces[piece->surface].page_count * PAGESIM_PAGE_BYTES;
    bool is_continued = open->is_open && open->operation.kind == piece->kind &&
                        open->operation.surface == piece->surface && open->operation.page == piece->page &&
                        open->segment == piece->segment;
    if (!is_continued) open_operation(track, piece);
    open->bytes_done += piece->bytes;
    if (open->bytes_done < total) return;
    if (open->bytes_done > total)
        track_complain(track, "a paging operation on allocation %u moved more than the allocation", piece->surface);
    open->is_open = false;
    record(track, &open->operation);
    if (piece->kind == TRACK_UNMAP) leave(track, piece->surface);
}

/* ------------------------------------------------------------------ packets */

/* Between a memory segment and a host page, from its start. */
static void transfer(struct track *track, uint32_t frame, uint32_t local, uint32_t bytes, enum track_kind kind)
{
    uint32_t owner = frame < TRACK_SYSTEM_PAGES ? track->frame_owner[frame] : 0, segment = memory_segment(local);
    if (owner == 0 || local % PAGESIM_PAGE_BYTES != 0) {
        track_complain(track, "the paging node used system page %u, which belongs to no allocation", frame);
        return;
    }
    uint32_t page = (local - space_base(segment)) / PAGESIM_PAGE_BYTES;
    add_piece(track, &(struct piece){kind, owner - 1u, segment, page - track->frame_index[frame], bytes});
}

/* Inside local memory: the owner of the source, by as much as it is shifted. */
static void move(struct track *track, uint32_t source, uint32_t target, uint32_t bytes)
{
    const struct open_operation *open = &track->open;
    uint32_t segment = memory_segment(source), target_segment = memory_segment(target);
    uint32_t from = (source - space_base(segment)) / PAGESIM_PAGE_BYTES;
    uint32_t to = (target - space_base(target_segment)) / PAGESIM_PAGE_BYTES;
    if (open->is_open && open->operation.kind == TRACK_MOVE) { /* the owner is at its new place already */
        add_piece(track,
                  &(struct piece){TRACK_MOVE, open->operation.surface, open->segment, open->operation.page, bytes});
        return;
    }
    uint32_t owner = from < TRACK_SPACE_PAGES ? track->space_owner[segment][from] : 0;
    if (owner == 0) {
        track_complain(track, "the paging node moved page %u of segment %u, which is empty", from, segment);
        return;
    }
    uint32_t page = to - (from - track->surfaces[owner - 1u].place.page);
    add_piece(track, &(struct piece){TRACK_MOVE, owner - 1u, target_segment, page, bytes});
}

static void copy(struct track *track, uint32_t source, uint32_t target, uint32_t bytes)
{
    if (memory_segment(source) != 0 && memory_segment(target) != 0) move(track, source, target, bytes);
    else
        track_complain(track, "the paging node copied from 0x%08x to 0x%08x, which are not both in segments", source,
                       target);
}

/* The page number at `index` of a list, as it is in memory now; one that is no page if it cannot be read. */
static uint32_t listed(const struct track *track, uint32_t list, uint32_t index)
{
    const struct transport *transport = track->setup.transport;
    uint32_t address = list - GPU_LIMIT(ADDR_SYSTEM) + 4u * index, frame;
    if (transport->memory_read(transport->context, address, &frame, sizeof frame) != TRANSPORT_OK) return UINT32_MAX;
    return frame;
}

static void copy_list(struct track *track, uint32_t local, uint32_t bytes, uint32_t list, enum track_kind kind)
{
    if (memory_segment(local) == 0) {
        track_complain(track, "the paging node copied between a page list and 0x%08x, which is outside of all segments",
                       local);
        return;
    }
    for (uint32_t done = 0; done < bytes && track->problem[0] == 0; done += PAGESIM_PAGE_BYTES) {
        uint32_t part = bytes - done < PAGESIM_PAGE_BYTES ? bytes - done : PAGESIM_PAGE_BYTES;
        transfer(track, listed(track, list, done / PAGESIM_PAGE_BYTES), local + done, part, kind);
    }
}

static void fill(struct track *track, uint32_t target, uint32_t bytes, uint32_t pattern)
{
    const struct open_operation *open = &track->open;
    uint32_t surface = 0, segment = memory_segment(target);
    while (surface < track->setup.surface_count &&
           (track->surfaces[surface].pages == NULL || track->surfaces[surface].pattern != pattern))
        surface++;
    if (surface == track->setup.surface_count || segment == 0) {
        track_complain(track, "the paging node filled 0x%08x with a pattern that belongs to no allocation", target);
        return;
    }
    uint32_t page = (target - space_base(segment)) / PAGESIM_PAGE_BYTES;
    if (open->is_open && open->operation.kind == TRACK_FILL && open->operation.surface == surface) {
        if (target != space_base(segment) + open->operation.page * PAGESIM_PAGE_BYTES + (uint32_t)open->bytes_done)
            track_complain(track, "the fill of allocation %u has a gap", surface);
        page = open->operation.page;
    }
    add_piece(track, &(struct piece){TRACK_FILL, surface, segment, page, bytes});
}

static void map_list(struct track *track, uint32_t first, uint32_t count, uint32_t list)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t frame = listed(track, list, i), owner = frame < TRACK_SYSTEM_PAGES ? track->frame_owner[frame] : 0;
        if (owner == 0) {
            track_complain(track, "system page %u was mapped, which belongs to no allocation", frame);
            return;
        }
        add_piece(track, &(struct piece){TRACK_MAP, owner - 1u, LIMIT_BITS_SEGMENT_COUNT,
                                         first + i - track->frame_index[frame], PAGESIM_PAGE_BYTES});
    }
}

static void unmap(struct track *track, uint32_t first, uint32_t count)
{
    for (uint32_t page = first; page < first + count && page < TRACK_SPACE_PAGES; page++) {
        uint32_t owner = track->space_owner[LIMIT_BITS_SEGMENT_COUNT][page];
        if (owner == 0) {
            track_complain(track, "page %u of the aperture was unmapped, which is not mapped", page);
            return;
        }
        add_piece(track, &(struct piece){TRACK_UNMAP, owner - 1u, LIMIT_BITS_SEGMENT_COUNT,
                                         track->surfaces[owner - 1u].place.page, PAGESIM_PAGE_BYTES});
    }
}

void track_paging_packet(struct track *track, const uint32_t *words)
{
    switch (words[0] & 0xffu) {
    case PKT_COPY:
        copy(track, words[PKT_COPY_SOURCE_WORD], words[PKT_COPY_TARGET_WORD], words[PKT_COPY_BYTES_WORD]);
        break;
    case PKT_FILL:
        fill(track, words[PKT_FILL_TARGET_WORD], words[PKT_FILL_BYTES_WORD], words[PKT_FILL_PATTERN_WORD]);
        break;
    case PKT_COPY_LIST:
        copy_list(track, words[PKT_COPY_LIST_LOCAL_WORD], words[PKT_COPY_LIST_BYTES_WORD],
                  words[PKT_COPY_LIST_LIST_WORD],
                  FIELD_GET(words[0], PKT_COPY_LIST_TO_SYSTEM) != 0 ? TRACK_OUT : TRACK_IN);
        break;
    case PKT_MAP_LIST:
        map_list(track, FIELD_GET(words[PKT_MAP_LIST_FIRST_WORD], PKT_MAP_LIST_FIRST),
                 FIELD_GET(words[PKT_MAP_LIST_COUNT_WORD], PKT_MAP_LIST_COUNT), words[PKT_MAP_LIST_LIST_WORD]);
        break;
    case PKT_UNMAP:
        unmap(track, FIELD_GET(words[PKT_UNMAP_FIRST_WORD], PKT_UNMAP_FIRST),
              FIELD_GET(words[PKT_UNMAP_COUNT_WORD], PKT_UNMAP_COUNT));
        break;
    case PKT_MAP:
    case PKT_COPY_2D:
    case PKT_TILE:
        track_complain(track, "the paging node executed packet 0x%02x, which no allocation needs", words[0] & 0xffu);
        break;
    default: break; /* RUN, TOUCH, NOP: no allocation changes its place */
    }
}
