/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge by arithmetic (job_oracle.h): slow and literal on purpose.
 */
#include <stdio.h>
#include <stdlib.h>

#include "job_oracle.h"

/* A surface as a draw sees it. */
struct surface {
    bool is_bound;
    uint32_t entry, format, pitch, bytes;
};

struct walk {
    const struct submission *s;
    uint32_t packet; /* word index */
    const uint32_t *words;
    struct surface slot[64];
    bool has_palette;
    uint32_t palette; /* word index of its packet */
    uint64_t bytes;
};

static _Noreturn void wrong(const struct walk *walk, const char *what)
{
    fprintf(stderr, "oracle: accepted, but %s; packet at byte %u, word 0x%08x\n", what, walk->packet * 4u,
            walk->words[0]);
    abort();
}

static const uint32_t *patch_entry(const struct walk *walk, uint32_t index)
{
    return &walk->s->patches[index * LIMIT_BITS_PATCH_ENTRY_WORDS];
}

/* The one entry that patches word `word` of the packet. */
static uint32_t entry_of(const struct walk *walk, uint32_t word)
{
    uint32_t found = 0, entry = 0;
    for (uint32_t i = 0; i < walk->s->message[MSG_SUBMIT_PATCH_COUNT]; i++)
        if (patch_entry(walk, i)[PATCH_PATCH_OFFSET] == (walk->packet + word) * 4u) {
            found++;
            entry = i;
        }
    if (found != 1) wrong(walk, "an address word has not exactly one entry");
    if (patch_entry(walk, entry)[PATCH_SPLIT_OFFSET] > walk->packet * 4u)
        wrong(walk, "a split point lies after the packet that needs it");
    return entry;
}

static const uint32_t *list_entry(const struct walk *walk, uint32_t entry)
{
    uint32_t index = patch_entry(walk, entry)[PATCH_ALLOCATION_INDEX];
    if (index >= walk->s->message[MSG_SUBMIT_LIST_COUNT]) wrong(walk, "an AllocationIndex lies outside the list");
    return &walk->s->list[index * LIMIT_BITS_LIST_ENTRY_WORDS];
}

/* `bytes` at `offset` past what `entry` points at. */
static void access_bytes(struct walk *walk, uint32_t entry, uint64_t offset, uint64_t bytes, bool is_write)
{
    const uint32_t *list = list_entry(walk, entry);
    if (list[LIST_HANDLE] == 0) wrong(walk, "it uses NULL");
    if (bytes == 0) return;
    uint64_t start = (uint64_t)patch_entry(walk, entry)[PATCH_ALLOCATION_OFFSET] + offset;
    if (start + bytes > bench_bytes((enum bench_allocation)(list[LIST_HANDLE] - bench_handle(BENCH_A))))
        wrong(walk, "it leaves its allocation");
    if (is_write && !(list[LIST_FLAGS] & LIST_FLAG_WRITE)) wrong(walk, "it writes without WriteOperation");
    walk->bytes += bytes;
}

/* Rows that lie over each other are counted each time. */
static void check_reuse(const struct walk *walk, uint64_t bytes, uint64_t surface_bytes)
{
    if (bytes > surface_bytes * LIMIT_BITS_PACKET_REUSE) wrong(walk, "it writes its target too often");
}

static void access_rows(struct walk *walk, uint32_t entry, uint32_t row_bytes, uint32_t rows, uint32_t pitch,
                        bool is_write)
{
    const uint32_t handle = list_entry(walk, entry)[LIST_HANDLE];
    if (is_write && handle != 0)
        check_reuse(walk, (uint64_t)rows * row_bytes,
                    bench_bytes((enum bench_allocation)(handle - bench_handle(BENCH_A))));
    for (uint64_t row = 0; row < rows; row++) access_bytes(walk, entry, row * pitch, row_bytes, is_write);
}

static void walk_tile(struct walk *walk, uint32_t source, uint32_t target)
{
    uint32_t row_bytes = FIELD_GET(walk->words[PKT_TILE_ROW_BYTES_WORD], PKT_TILE_ROW_BYTES);
    uint32_t rows = FIELD_GET(walk->words[PKT_TILE_ROWS_WORD], PKT_TILE_ROWS);
    uint32_t pitch = FIELD_GET(walk->words[PKT_TILE_PITCH_WORD], PKT_TILE_PITCH);
    bool is_untile = FIELD_GET(walk->words[0], PKT_TILE_UNTILE) != 0;
    uint32_t tiled = is_untile ? source : target, linear = is_untile ? target : source;
    if (row_bytes % 32u || rows % 8u || pitch % 8u || patch_entry(walk, tiled)[PATCH_ALLOCATION_OFFSET] % 256u ||
        patch_entry(walk, linear)[PATCH_ALLOCATION_OFFSET] % 8u)
        wrong(walk, "a TILE is misaligned");
    for (uint32_t tile = 0; tile < rows / 8u * (row_bytes / 32u); tile++)
        access_bytes(walk, tiled, tile * 256ull, 256, !is_untile);
    access_rows(walk, linear, row_bytes, rows, pitch, is_untile);
}

/* Bits. */
static uint32_t unit_of(uint32_t format)
{
    static const uint32_t bits[] = {8, 16, 32, 32, 24, 16, 8, 8}; /* in the order of the FORMAT group */
    if (format == FORMAT_A4) return 4;
    if (format == FORMAT_A2) return 2;
    if (format == FORMAT_A1) return 1;
    return bits[format];
}

static void draw(struct walk *walk, uint32_t slot, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                 bool is_write)
{
    const struct surface *surface = &walk->slot[slot];
    if (!surface->is_bound) wrong(walk, "a draw's slot is empty");
    const uint64_t unit = unit_of(surface->format), pitch = surface->pitch * (unit < 8u ? unit : 8u);
    if (is_write && unit < 8u) wrong(walk, "it writes parts of bytes");
    if (is_write) check_reuse(walk, (uint64_t)width * height * unit / 8u, surface->bytes);
    for (uint64_t row = y; width != 0 && row < (uint64_t)y + height; row++) {
        uint64_t first = row * pitch + x * unit, start = first / 8u;
        uint64_t bytes = (first + width * unit + 7u) / 8u - start;
        if (start + bytes > surface->bytes) wrong(walk, "a draw leaves what was bound");
        access_bytes(walk, surface->entry, start, bytes, is_write);
    }
}

static void walk_bind(struct walk *walk)
{
    uint32_t entry = entry_of(walk, PKT_BIND_ADDRESS_WORD);
    uint32_t slot = FIELD_GET(walk->words[0], PKT_BIND_SLOT);
    if (patch_entry(walk, entry)[PATCH_SLOT_ID] != slot) wrong(walk, "BIND and its entry name different slots");
    walk->slot[slot] = (struct surface){
        .is_bound = list_entry(walk, entry)[LIST_HANDLE] != 0,
        .entry = entry,
        .format = FIELD_GET(walk->words[0], PKT_BIND_FORMAT),
        .pitch = FIELD_GET(walk->words[PKT_BIND_PITCH_WORD], PKT_BIND_PITCH),
        .bytes = walk->words[PKT_BIND_BYTES_WORD],
    };
}

/* Colours of INDEX8: a palette is there, and whatever split points are taken, it is of the same portion. */
static void check_colours(const struct walk *walk, uint32_t source_slot, uint32_t target_slot)
{
    if (walk->slot[source_slot].format != FORMAT_INDEX8 || walk->slot[target_slot].format == FORMAT_INDEX8) return;
    if (!walk->has_palette) wrong(walk, "there is no palette");
    for (uint32_t i = 0; i < walk->s->message[MSG_SUBMIT_PATCH_COUNT]; i++) {
        const uint32_t split = patch_entry(walk, i)[PATCH_SPLIT_OFFSET] / 4u;
        if (split > walk->palette && split <= walk->packet) wrong(walk, "the palette is of another portion");
    }
}

static void walk_palette(struct walk *walk)
{
    const uint32_t entry = entry_of(walk, PKT_PALETTE_SOURCE_WORD);
    if (patch_entry(walk, entry)[PATCH_ALLOCATION_OFFSET] % 256u != 0) wrong(walk, "a palette is misaligned");
    access_bytes(walk, entry, 0, LIMIT_BITS_PALETTE_BYTES, false);
    walk->has_palette = true, walk->palette = walk->packet;
}

static void walk_blit(struct walk *walk)
{
    const uint32_t *words = walk->words;
    check_colours(walk, FIELD_GET(words[0], PKT_BLIT_SOURCE), FIELD_GET(words[0], PKT_BLIT_TARGET));
    uint32_t width = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT);
    draw(walk, FIELD_GET(words[0], PKT_BLIT_SOURCE), FIELD_GET(words[PKT_BLIT_SOURCE_X_WORD], PKT_BLIT_SOURCE_X),
         FIELD_GET(words[PKT_BLIT_SOURCE_Y_WORD], PKT_BLIT_SOURCE_Y), width, height, false);
    draw(walk, FIELD_GET(words[0], PKT_BLIT_TARGET), FIELD_GET(words[PKT_BLIT_TARGET_X_WORD], PKT_BLIT_TARGET_X),
         FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y), width, height, true);
}

static bool is_coordinate(const uint32_t *axis, int64_t x, int64_t y)
{
    const int64_t at = (int32_t)axis[0] + x * (int32_t)axis[2] + y * (int32_t)axis[4];
    return at >= INT32_MIN && at <= INT32_MAX;
}

/* Unit by unit: each has coordinates, and whatever they are it is read in the source rectangle. */
static void walk_affine(struct walk *walk)
{
    const uint32_t *words = walk->words;
    const uint32_t width = words[3] & 0xffffu, height = words[3] >> 16, columns = words[6] & 0xffffu;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            if (!is_coordinate(words + 7, x, y) || !is_coordinate(words + 8, x, y)) wrong(walk, "a map leaves 16.16");
    check_colours(walk, FIELD_GET(words[0], PKT_BLIT_AFFINE_SOURCE), FIELD_GET(words[0], PKT_BLIT_AFFINE_TARGET));
    if (columns == 0 || words[6] >> 16 == 0) wrong(walk, "an empty source");
    if ((int64_t)(int32_t)words[9] * (int32_t)words[12] == (int64_t)(int32_t)words[10] * (int32_t)words[11])
        wrong(walk, "a map without an inverse");
    draw(walk, FIELD_GET(words[0], PKT_BLIT_AFFINE_SOURCE), words[2] & 0xffffu, words[2] >> 16, columns, words[6] >> 16,
         false);
    draw(walk, FIELD_GET(words[0], PKT_BLIT_AFFINE_TARGET), words[1] & 0xffffu, words[1] >> 16, width, height, true);
}

/* Returns the packet's words. */
static uint32_t walk_packet(struct walk *walk)
{
    const uint32_t *words = walk->words;
    uint32_t source, target;
    switch (words[0] & 0xffu) {
    case PKT_NOP: return PKT_NOP_WORDS;
    case PKT_COPY:
        source = entry_of(walk, PKT_COPY_SOURCE_WORD), target = entry_of(walk, PKT_COPY_TARGET_WORD);
        access_bytes(walk, source, 0, words[PKT_COPY_BYTES_WORD], false);
        access_bytes(walk, target, 0, words[PKT_COPY_BYTES_WORD], true);
        return PKT_COPY_WORDS;
    case PKT_FILL:
        access_bytes(walk, entry_of(walk, PKT_FILL_TARGET_WORD), 0, words[PKT_FILL_BYTES_WORD], true);
        return PKT_FILL_WORDS;
    case PKT_COPY_2D:
        source = entry_of(walk, PKT_COPY_2D_SOURCE_WORD), target = entry_of(walk, PKT_COPY_2D_TARGET_WORD);
        access_rows(walk, source, words[3] & 0xffffu, words[3] >> 16, words[4] & 0xffffu, false);
        access_rows(walk, target, words[3] & 0xffffu, words[3] >> 16, words[4] >> 16, true);
        return PKT_COPY_2D_WORDS;
    case PKT_TILE:
        walk_tile(walk, entry_of(walk, PKT_TILE_SOURCE_WORD), entry_of(walk, PKT_TILE_TARGET_WORD));
        return PKT_TILE_WORDS;
    case PKT_BIND: walk_bind(walk); return PKT_BIND_WORDS;
    case PKT_PALETTE: walk_palette(walk); return PKT_PALETTE_WORDS;
    case PKT_FILL_RECT:
        draw(walk, FIELD_GET(words[0], PKT_FILL_RECT_TARGET), words[1] & 0xffffu, words[1] >> 16, words[2] & 0xffffu,
             words[2] >> 16, true);
        return PKT_FILL_RECT_WORDS;
    case PKT_BLIT: walk_blit(walk); return PKT_BLIT_WORDS;
    case PKT_BLIT_AFFINE: walk_affine(walk); return PKT_BLIT_AFFINE_WORDS;
    default: wrong(walk, "the opcode is not a user packet's");
    }
}

void oracle_check_extents(const struct submission *s, uint64_t *bytes)
{
    struct walk walk = {.s = s, .packet = 0};
    uint32_t dma_words = s->message[MSG_SUBMIT_DMA_BYTES] / 4u;
    while (walk.packet < dma_words) {
        walk.words = &s->dma[walk.packet];
        walk.packet += walk_packet(&walk);
    }
    if (walk.packet != dma_words) wrong(&walk, "its end is inside a packet");
    *bytes = walk.bytes;
}
