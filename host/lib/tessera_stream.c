/* SPDX-License-Identifier: Apache-2.0
 *
 * Builder of DMA buffers: see tessera_stream.h for the rules it keeps.
 *
 * Barriers: `written` remembers the list entries that packets since the last barrier may have written. A
 * packet that reads one of them carries BARRIER, which covers everything before it, so the set is emptied.
 */
#include "tessera_stream.h"

#include <stdlib.h>
#include <string.h>

#include "lib/stream_internal.h"

/* One piece of memory: the struct, then pointers, words, bytes. */
static struct tessera_stream *create(uint32_t dma_bytes, uint32_t entries)
{
    struct tessera_stream *stream;
    const size_t words = dma_bytes / 4u + (size_t)entries * (LIST_WORDS + PATCH_WORDS);
    /* analyse: bugprone-sizeof-expression: an array of pointers */
    const size_t bytes = sizeof *stream + entries * sizeof *stream->allocations + words * sizeof(uint32_t) + entries;
    stream = malloc(bytes);
    if (stream == NULL) return NULL;
    memset(stream, 0, bytes);
    stream->word_limit = dma_bytes / 4u;
    stream->entry_limit = entries;
    stream->allocations = (struct tessera_allocation **)(stream + 1);
    stream->words = (uint32_t *)(stream->allocations + entries);
    stream->list = stream->words + stream->word_limit;
    stream->patches = stream->list + (size_t)entries * LIST_WORDS;
    stream->written = (uint8_t *)(stream->patches + (size_t)entries * PATCH_WORDS);
    stream->list_count = 1; /* entry 0: NULL */
    return stream;
}

struct tessera_stream *tessera_stream_create(void) { return create(GPU_LIMIT(DMA_BYTES), GPU_LIMIT(LIST_ENTRIES)); }

struct tessera_stream *tessera_stream_create_for(const struct tessera *tessera)
{
    return create(tessera->dma_bytes, tessera->list_entries);
}

void tessera_stream_destroy(struct tessera_stream *stream) { free(stream); }

/* What was used alone: the whole is 76 KB, which a small processor clears for longer than it builds a buffer. Words and
 * patches are written before they are counted. */
void tessera_stream_clear(struct tessera_stream *stream)
{
    memset(stream->list, 0, stream->list_count * LIST_WORDS * sizeof *stream->list);
    for (uint32_t i = 0; i < stream->list_count; i++) stream->allocations[i] = NULL;
    memset(stream->written, 0, stream->list_count);
    memset(stream->bound, 0, sizeof stream->bound);
    memset(stream->binding, 0, sizeof stream->binding);
    stream->word_count = stream->patch_count = 0;
    stream->palette.allocation = NULL;
    stream->list_count = 1; /* entry 0: NULL */
}

struct stream_view stream_view(const struct tessera_stream *stream)
{
    return (struct stream_view){stream->words,      stream->list,        stream->patches,    stream->word_count,
                                stream->list_count, stream->patch_count, stream->allocations};
}

void tessera_stream_parts(const struct tessera_stream *stream, const uint32_t **words, uint32_t *word_count,
                          const uint32_t **list, uint32_t *list_words, const uint32_t **patches, uint32_t *patch_words)
{
    *words = stream->words;
    *list = stream->list;
    *patches = stream->patches;
    *word_count = stream->word_count;
    *list_words = stream->list_count * LIST_WORDS;
    *patch_words = stream->patch_count * PATCH_WORDS;
}

const char *tessera_stream_message(const struct tessera_stream *stream) { return stream->message; }

uint32_t tessera_stream_bytes(const struct tessera_stream *stream) { return stream->word_count * 4u; }
uint32_t tessera_stream_patches(const struct tessera_stream *stream) { return stream->patch_count; }

/* ------------------------------------------------------------------ lists */

bool tessera_stream_has_room(const struct tessera_stream *stream, uint32_t words, uint32_t entries, uint32_t patches)
{
    return words <= stream->word_limit - stream->word_count && entries <= stream->entry_limit - stream->list_count &&
           patches <= stream->entry_limit - stream->patch_count;
}

int tessera_stream_list(struct tessera_stream *stream, struct tessera_allocation *allocation, bool is_written,
                        uint32_t *index)
{
    uint32_t i = 0;
    if (allocation != NULL)
        for (i = 1; i < stream->list_count && stream->allocations[i] != allocation;) i++;
    if (i == stream->list_count) {
        if (!tessera_stream_has_room(stream, 0, 1, 0)) return stream_is_full(stream);
        stream->allocations[i] = allocation;
        stream->list[i * LIST_WORDS + LIST_HANDLE] = allocation != NULL ? allocation->handle : 0;
        stream->list_count++;
    }
    if (is_written) stream->list[i * LIST_WORDS + LIST_FLAGS] |= LIST_FLAG_WRITE;
    *index = i;
    return TESSERA_OK;
}

int tessera_stream_patch(struct tessera_stream *stream, const uint32_t entry[PATCH_WORDS])
{
    if (!tessera_stream_has_room(stream, 0, 0, 1)) return stream_is_full(stream);
    memcpy(stream->patches + stream->patch_count++ * PATCH_WORDS, entry, PATCH_WORDS * sizeof *entry);
    return TESSERA_OK;
}

int tessera_stream_raw(struct tessera_stream *stream, const uint32_t *words, uint32_t count)
{
    if (!tessera_stream_has_room(stream, count, 0, 0)) return stream_is_full(stream);
    if (count != 0) memcpy(stream->words + stream->word_count, words, count * sizeof *words);
    stream->word_count += count;
    return TESSERA_OK;
}

/* The packet about to be appended, of the group at `split`, needs list entry `index` at `offset` in its word `word`,
 * through `slot`. */
static void add_patch(struct tessera_stream *stream, uint32_t split, uint32_t index, uint32_t slot, uint32_t offset,
                      uint32_t word)
{
    uint32_t entry[PATCH_WORDS] = {0};
    entry[PATCH_ALLOCATION_INDEX] = index;
    entry[PATCH_SLOT_ID] = slot;
    entry[PATCH_ALLOCATION_OFFSET] = offset;
    entry[PATCH_PATCH_OFFSET] = 4u * (stream->word_count + word);
    entry[PATCH_SPLIT_OFFSET] = split;
    memcpy(stream->patches + stream->patch_count++ * PATCH_WORDS, entry, sizeof entry);
}

/* ------------------------------------------------------------------ large allocations */

static bool is_large(const struct tessera_stream *stream, const struct tessera_allocation *allocation)
{
    return stream->large_bytes != 0 && allocation->bytes >= stream->large_bytes;
}

/* Large bindings, but for those in the rows `taken` (bits) that the packet at hand takes over. */
static uint32_t count_large(const struct tessera_stream *stream, uint64_t taken)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++)
        count += stream->binding[slot].is_large && (taken >> slot & 1u) == 0;
    return count;
}

/* The split point of the packet about to be appended: large bindings are programmed again there, so that they need not
 * stay in place. Returns its offset. There is room. */
static uint32_t split_here(struct tessera_stream *stream, uint64_t taken)
{
    uint32_t split = stream->word_count * 4u;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        const struct binding *binding = &stream->binding[slot];
        if (!binding->is_large || (taken >> slot & 1u) != 0) continue;
        add_patch(stream, split, stream->bound[slot], slot, binding->offset, PKT_BIND_ADDRESS_WORD);
        (void)tessera_stream_raw(stream, binding->words, PKT_BIND_WORDS);
    }
    return split;
}

/* Row `slot` is another's now. */
static void forget_palette(struct tessera_stream *stream, uint32_t slot)
{
    if (stream->palette.slot == slot) stream->palette.allocation = NULL;
}

void tessera_stream_large(struct tessera_stream *stream, uint32_t bytes) { stream->large_bytes = bytes; }

/* ------------------------------------------------------------------ barriers */

static bool must_wait(struct tessera_stream *stream, uint32_t source_index, uint32_t target_index)
{
    if (!stream->written[source_index] && !stream->written[target_index]) return false;
    memset(stream->written, 0, stream->entry_limit);
    return true;
}

/* ------------------------------------------------------------------ packets */

int tessera_stream_bind(struct tessera_stream *stream, uint32_t slot, const struct tessera_surface *surface)
{
    uint32_t words[PKT_BIND_WORDS] = {0}, index = 0;
    int status = stream_check_surface(stream, slot, surface);
    if (status != TESSERA_OK) return status;
    uint32_t again = count_large(stream, 1ull << slot);
    if (!tessera_stream_has_room(stream, (again + 1u) * PKT_BIND_WORDS, 1, again + 1u)) return stream_is_full(stream);
    (void)tessera_stream_list(stream, surface->allocation, surface->is_target, &index);
    words[0] = PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(surface->format, PKT_BIND_FORMAT);
    words[PKT_BIND_PITCH_WORD] = FIELD_PUT(surface->pitch, PKT_BIND_PITCH);
    words[PKT_BIND_BYTES_WORD] = surface->bytes != 0 ? surface->bytes : surface->allocation->bytes - surface->offset;
    forget_palette(stream, slot);
    add_patch(stream, split_here(stream, 1ull << slot), index, slot, surface->offset, PKT_BIND_ADDRESS_WORD);
    stream->bound[slot] = (uint16_t)index;
    stream->binding[slot].offset = surface->offset;
    stream->binding[slot].width = surface->width;
    stream->binding[slot].height = surface->height;
    stream->binding[slot].is_large = is_large(stream, surface->allocation);
    memcpy(stream->binding[slot].words, words, sizeof words);
    return tessera_stream_raw(stream, words, PKT_BIND_WORDS);
}

int tessera_stream_unbind(struct tessera_stream *stream, uint32_t slot)
{
    const uint32_t words[PKT_BIND_WORDS] = {PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT), 0, 0, 0};
    int status = stream_check_slot(stream, "unbind", slot);
    if (status != TESSERA_OK) return status;
    uint32_t again = count_large(stream, 1ull << slot);
    if (!tessera_stream_has_room(stream, (again + 1u) * PKT_BIND_WORDS, 0, again + 1u)) return stream_is_full(stream);
    forget_palette(stream, slot);
    add_patch(stream, split_here(stream, 1ull << slot), 0, slot, 0, PKT_BIND_ADDRESS_WORD);
    stream->bound[slot] = 0;
    stream->binding[slot].is_large = false;
    return tessera_stream_raw(stream, words, PKT_BIND_WORDS);
}

int tessera_stream_fill_rect(struct tessera_stream *stream, uint32_t target, uint32_t x, uint32_t y, uint32_t width,
                             uint32_t height, uint32_t colour)
{
    const uint32_t words[PKT_FILL_RECT_WORDS] = {
        PKT_FILL_RECT | FIELD_PUT(target, PKT_FILL_RECT_TARGET),
        FIELD_PUT(x, PKT_FILL_RECT_X) | FIELD_PUT(y, PKT_FILL_RECT_Y),
        FIELD_PUT(width, PKT_FILL_RECT_WIDTH) | FIELD_PUT(height, PKT_FILL_RECT_HEIGHT), colour};
    int status = stream_check_fill_rect(stream, target, x, y, width, height);
    if (status == TESSERA_OK) status = tessera_stream_raw(stream, words, PKT_FILL_RECT_WORDS);
    if (status == TESSERA_OK) stream->written[stream->bound[target]] = 1;
    return status;
}

/* Row `slot` now stands for a place, not for a binding: a draw through it would be refused. */
static uint32_t take_row(struct tessera_stream *stream, uint32_t split, const struct tessera_place *place,
                         bool is_written, uint32_t word)
{
    uint32_t index = 0;
    (void)tessera_stream_list(stream, place->allocation, is_written, &index);
    add_patch(stream, split, index, place->slot, place->offset, word);
    stream->bound[place->slot] = 0;
    forget_palette(stream, place->slot);
    stream->binding[place->slot].is_large = false;
    return index;
}

/* Room for a packet with addresses in the rows `taken`, of which `large` belong to large allocations and are unbound
 * after it. */
static bool has_room_for(const struct tessera_stream *stream, uint64_t taken, uint32_t words, uint32_t places,
                         uint32_t large)
{
    uint32_t again = count_large(stream, taken) * (large + 1u) + large;
    return tessera_stream_has_room(stream, words + again * PKT_BIND_WORDS, places, places + again);
}

int tessera_stream_palette(struct tessera_stream *stream, const struct tessera_place *colours)
{
    enum { ALIGNMENT = 256, BYTES = LIMIT_BITS_PALETTE_BYTES };
    int status = stream_check_place(stream, "palette", "palette", colours, BYTES);
    if (status != TESSERA_OK) return status;
    if (colours->offset % ALIGNMENT != 0)
        return stream_fail(stream, TESSERA_MISUSE, "palette: offset %u is not a multiple of %u.", colours->offset,
                           (unsigned)ALIGNMENT);
    stream->palette = *colours;
    stream->palette_patches = UINT32_MAX;
    stream->bound[colours->slot] = 0;
    stream->binding[colours->slot].is_large = false;
    return TESSERA_OK;
}

static uint32_t format_in(const struct tessera_stream *stream, uint32_t slot)
{
    return FIELD_GET(stream->binding[slot].words[0], PKT_BIND_FORMAT);
}

/* The palette for a draw of `words`, for which there is room then; nothing where it needs none or has it. A palette
 * keeps its row, however large its allocation. */
static int load_palette(struct tessera_stream *stream, const struct tessera_blit *blit, uint32_t words)
{
    const uint32_t packet[PKT_PALETTE_WORDS] = {PKT_PALETTE, 0};
    const struct tessera_place palette = stream->palette;
    if (format_in(stream, blit->source) != FORMAT_INDEX8 || format_in(stream, blit->target) == FORMAT_INDEX8 ||
        (palette.allocation != NULL && stream->palette_patches == stream->patch_count))
        return tessera_stream_has_room(stream, words, 0, 0) ? TESSERA_OK : stream_is_full(stream);
    if (palette.allocation == NULL)
        return stream_fail(stream, TESSERA_MISUSE,
                           "blit: slot %u, the source, is INDEX8 and no palette is loaded. Call tessera_stream_palette "
                           "first.",
                           blit->source);
    if (!has_room_for(stream, 1ull << palette.slot, PKT_PALETTE_WORDS + words, 1, 0)) return stream_is_full(stream);
    uint32_t split = split_here(stream, 1ull << palette.slot);
    (void)take_row(stream, split, &palette, false, PKT_PALETTE_SOURCE_WORD);
    (void)tessera_stream_raw(stream, packet, PKT_PALETTE_WORDS);
    stream->palette = palette;
    stream->palette_patches = stream->patch_count;
    memset(stream->written, 0, stream->entry_limit); /* it waits for everything before */
    return TESSERA_OK;
}

/* The words of a BLIT, with which a BLIT_AFFINE begins, and `more` after them. */
static int append_blit(struct tessera_stream *stream, const struct tessera_blit *blit, uint32_t opcode,
                       const uint32_t *more, uint32_t more_words)
{
    int status = load_palette(stream, blit, PKT_BLIT_WORDS + more_words);
    if (status != TESSERA_OK) return status;
    uint32_t target = stream->bound[blit->target], source = stream->bound[blit->source];
    bool reads_target = blit->mode != BLIT_COPY && blit->mode != BLIT_KEY;
    bool is_barrier = must_wait(stream, source, reads_target ? target : source);
    const uint32_t words[PKT_BLIT_WORDS] = {
        opcode | FIELD_PUT(blit->target, PKT_BLIT_TARGET) | FIELD_PUT(blit->source, PKT_BLIT_SOURCE) |
            FIELD_PUT(blit->mode, PKT_BLIT_MODE) | FIELD_PUT(blit->is_premultiplied, PKT_BLIT_PREMULTIPLIED) |
            FIELD_PUT(blit->is_keyed, PKT_BLIT_KEYED) | FIELD_PUT(blit->is_coloured, PKT_BLIT_COLOURED) |
            FIELD_PUT(blit->is_truncated, PKT_BLIT_TRUNCATED) | FIELD_PUT(blit->is_by_256, PKT_BLIT_BY_256) |
            FIELD_PUT(blit->is_reverse, PKT_BLIT_REVERSE) | FIELD_PUT(is_barrier, PKT_BLIT_BARRIER),
        FIELD_PUT(blit->target_x, PKT_BLIT_TARGET_X) | FIELD_PUT(blit->target_y, PKT_BLIT_TARGET_Y),
        FIELD_PUT(blit->source_x, PKT_BLIT_SOURCE_X) | FIELD_PUT(blit->source_y, PKT_BLIT_SOURCE_Y),
        FIELD_PUT(blit->width, PKT_BLIT_WIDTH) | FIELD_PUT(blit->height, PKT_BLIT_HEIGHT),
        blit->value,
        FIELD_PUT(blit->rop, PKT_BLIT_ROP) | FIELD_PUT(blit->key, PKT_BLIT_KEY)};
    stream->written[target] = 1;
    (void)tessera_stream_raw(stream, words, PKT_BLIT_WORDS);
    return tessera_stream_raw(stream, more, more_words);
}

int tessera_stream_blit(struct tessera_stream *stream, const struct tessera_blit *blit)
{
    int status = stream_check_blit(stream, blit, NULL);
    return status != TESSERA_OK ? status : append_blit(stream, blit, PKT_BLIT, NULL, 0);
}

int tessera_stream_blit_affine(struct tessera_stream *stream, const struct tessera_affine *affine)
{
    const uint32_t opcode = PKT_BLIT_AFFINE | FIELD_PUT(affine->is_transparent, PKT_BLIT_AFFINE_TRANSPARENT) |
                            FIELD_PUT(affine->is_repeated, PKT_BLIT_AFFINE_REPEAT);
    const uint32_t more[PKT_BLIT_AFFINE_WORDS - PKT_BLIT_WORDS] = {
        FIELD_PUT(affine->source_width, PKT_BLIT_AFFINE_SOURCE_WIDTH) |
            FIELD_PUT(affine->source_height, PKT_BLIT_AFFINE_SOURCE_HEIGHT),
        (uint32_t)affine->u,
        (uint32_t)affine->v,
        (uint32_t)affine->u_x,
        (uint32_t)affine->v_x,
        (uint32_t)affine->u_y,
        (uint32_t)affine->v_y};
    struct tessera_blit blit = affine->blit;
    int status = stream_check_blit(stream, &blit, affine);
    if (status != TESSERA_OK) return status;
    blit.rop = FIELD_PUT(affine->is_filtered, PKT_BLIT_AFFINE_BILINEAR); /* in whose bits it is */
    return append_blit(stream, &blit, opcode, more, PKT_BLIT_AFFINE_WORDS - PKT_BLIT_WORDS);
}

/* One source axis of `size` units over `count` units of a target axis, forwards or backwards. Where there is a filter
 * centres are met with centres, and the start is rounded as SDL's linear stretch does. */
static int32_t fit_axis(uint32_t size, uint32_t count, bool is_backwards, bool is_filtered, int32_t *start)
{
    const int32_t step = (int32_t)((size << 16) / count), half = is_filtered ? 0x8000 : 0;
    *start = is_backwards ? (int32_t)(size << 16) - (step + 1) / 2 : (step + (is_filtered ? 1 : 0)) / 2;
    *start -= half;
    return is_backwards ? -step : step;
}

int tessera_affine_fit(struct tessera_affine *affine, uint32_t quarters, bool is_mirrored)
{
    enum { MOST = 32767 };
    const uint32_t sizes[] = {affine->source_width, affine->source_height, affine->blit.width, affine->blit.height};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] == 0 || sizes[i] > MOST) return TESSERA_MISUSE;
    const bool is_across = quarters % 2u != 0; /* the source's columns follow the target's rows */
    const bool is_filtered = affine->is_filtered;
    const uint32_t width = affine->blit.width, height = affine->blit.height, turned = quarters % 4u;
    const int32_t columns = fit_axis(affine->source_width, is_across ? height : width, (turned >= 2u) != is_mirrored,
                                     is_filtered, &affine->u);
    const int32_t rows = fit_axis(affine->source_height, is_across ? width : height, turned == 1u || turned == 2u,
                                  is_filtered, &affine->v);
    affine->u_x = is_across ? 0 : columns;
    affine->u_y = is_across ? columns : 0;
    affine->v_x = is_across ? rows : 0;
    affine->v_y = is_across ? 0 : rows;
    return TESSERA_OK;
}

int tessera_stream_copy(struct tessera_stream *stream, const struct tessera_place *target,
                        const struct tessera_place *source, uint32_t bytes)
{
    int status = stream_check_place(stream, "copy", "target", target, bytes);
    if (status == TESSERA_OK) status = stream_check_place(stream, "copy", "source", source, bytes);
    if (status != TESSERA_OK) return status;
    if (target->slot == source->slot)
        return stream_fail(stream, TESSERA_MISUSE, "copy: target and source need different slots, both name %u.",
                           target->slot);
    uint64_t taken = 1ull << target->slot | 1ull << source->slot;
    bool is_source_large = is_large(stream, source->allocation), is_target_large = is_large(stream, target->allocation);
    if (!has_room_for(stream, taken, PKT_COPY_WORDS, 2, (uint32_t)is_source_large + is_target_large))
        return stream_is_full(stream);
    uint32_t split = split_here(stream, taken);
    uint32_t source_index = take_row(stream, split, source, false, PKT_COPY_SOURCE_WORD);
    uint32_t target_index = take_row(stream, split, target, true, PKT_COPY_TARGET_WORD);
    bool is_barrier = must_wait(stream, source_index, source_index);
    const uint32_t words[PKT_COPY_WORDS] = {PKT_COPY | FIELD_PUT(is_barrier, PKT_COPY_BARRIER), 0, 0, bytes};
    stream->written[target_index] = 1;
    (void)tessera_stream_raw(stream, words, PKT_COPY_WORDS);
    if (is_source_large) (void)tessera_stream_unbind(stream, source->slot);
    if (is_target_large) (void)tessera_stream_unbind(stream, target->slot);
    return TESSERA_OK;
}

int tessera_stream_fill(struct tessera_stream *stream, const struct tessera_place *target, uint32_t bytes,
                        uint32_t pattern)
{
    const uint32_t words[PKT_FILL_WORDS] = {PKT_FILL, 0, bytes, pattern};
    int status = stream_check_place(stream, "fill", "target", target, bytes);
    if (status != TESSERA_OK) return status;
    uint64_t taken = 1ull << target->slot;
    bool is_target_large = is_large(stream, target->allocation);
    if (!has_room_for(stream, taken, PKT_FILL_WORDS, 1, is_target_large)) return stream_is_full(stream);
    uint32_t split = split_here(stream, taken);
    stream->written[take_row(stream, split, target, true, PKT_FILL_TARGET_WORD)] = 1;
    (void)tessera_stream_raw(stream, words, PKT_FILL_WORDS);
    if (is_target_large) (void)tessera_stream_unbind(stream, target->slot);
    return TESSERA_OK;
}
