/* SPDX-License-Identifier: Apache-2.0
 *
 * The extent of every access, computed from the packet alone and compared with the allocation. Lengths are
 * 64-bit: the end of a rectangle at the far corner of a surface does not fit 32.
 *
 * Direct packets (COPY, FILL, COPY_2D, TILE, PALETTE) name their operands through their own address words. Draws
 * (FILL_RECT, BLIT, BLIT_AFFINE) name binding registers, which keep what an earlier BIND loaded; a register is as good
 * as the row of the resource table that keeps its allocation in place.
 */
#include "validate/access.h"

enum direction { READS, WRITES };

static bool refuse_access(const struct access_state *state, enum gpu_status status, uint32_t detail)
{
    *state->why = (struct refusal){status, detail};
    return false;
}

/* For the statuses whose detail is the packet's byte offset. */
static bool refuse_packet(const struct access_state *state, enum gpu_status status)
{
    return refuse_access(state, status, state->position * 4u);
}

/* ------------------------------------------------------------------ the resource table */

/* Where an entry of the list is due; past every word when there is none. */
static uint32_t split_of(const struct job *job, uint32_t entry)
{
    return entry < job->patch_count ? job->patches[entry].split_word : UINT32_MAX;
}

void access_begin(struct access_state *state, const struct allocation_table *allocations, const struct job *job)
{
    state->allocations = allocations;
    state->job = job;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) state->row[slot] = state->binding[slot].entry = ACCESS_NOTHING;
    state->entries_begun = 0;
    state->next_split_word = split_of(job, 0);
    state->split_word = state->work = 0;
    state->palette_split = ACCESS_NO_PALETTE;
}

/* Entries take their row at their split point, in list order. All that are due must be due exactly here: one
 * that was due earlier was not due at a packet boundary. */
static bool begin_entries(struct access_state *state)
{
    const struct job *job = state->job;
    while (state->next_split_word <= state->position) {
        if (state->next_split_word != state->position)
            return refuse_access(state, STATUS_SPLIT_ORDER, state->entries_begun);
        state->row[job->patches[state->entries_begun].slot] = state->entries_begun;
        state->split_word = state->position;
        state->entries_begun++;
        state->next_split_word = split_of(job, state->entries_begun);
    }
    return true;
}

/* Is what `entry` refers to certain to be where it was when the address was written? Yes while the entry
 * holds its row, and yes while no split point has come since: then nothing can be evicted in between. */
static bool is_held(const struct access_state *state, uint32_t slot, uint32_t entry, uint32_t split_word)
{
    return state->row[slot] == entry || state->split_word == split_word;
}

/* ------------------------------------------------------------------ address words */

/* The entry behind an address word, if it is in force at this packet. */
static bool resolve(const struct access_state *state, uint32_t word, uint32_t *entry)
{
    *entry = state->words[word];
    if (state->job->patches[*entry].split_word > state->position)
        return refuse_access(state, STATUS_SPLIT_ORDER, *entry);
    return true;
}

static bool fits_allocation(const struct access_state *state, const struct patch *patch, uint64_t bytes)
{
    uint64_t limit = allocation_bytes(state->allocations, patch->allocation);
    return patch->offset <= limit && bytes <= limit - patch->offset;
}

/* An operand of a direct packet: `bytes` from the address in `word`, which must be a multiple of `alignment`
 * (allocations start on a page, so AllocationOffset decides). */
static bool check_operand(const struct access_state *state, uint32_t word, enum direction direction, uint64_t bytes,
                          uint32_t alignment)
{
    uint32_t entry;
    if (!resolve(state, word, &entry)) return false;
    const struct patch *patch = &state->job->patches[entry];
    if (patch->allocation == PATCH_NULL) return refuse_access(state, STATUS_NULL_ALLOCATION, entry);
    if (patch->offset % alignment != 0) return refuse_packet(state, STATUS_BAD_OPERAND);
    if (!fits_allocation(state, patch, bytes)) return refuse_packet(state, STATUS_EXTENT);
    if (direction == WRITES && !(patch->flags & PATCH_WRITE)) return refuse_packet(state, STATUS_NOT_WRITABLE);
    if (!is_held(state, patch->slot, entry, patch->split_word)) return refuse_packet(state, STATUS_STALE_REFERENCE);
    if (direction == WRITES) state->job->patches[entry].is_written = 1;
    return true;
}

/* Bytes from the first byte of the first row to the last byte of the last. */
static uint64_t rows_extent(uint32_t rows, uint32_t row_bytes, uint32_t pitch)
{
    if (rows == 0 || row_bytes == 0) return 0;
    return (uint64_t)(rows - 1u) * pitch + row_bytes;
}

/* The engine's time is bounded before it is asked for: `rows` of `row_bytes` are written to a surface of
 * `surface_bytes`. Where rows overlap they are written again and again. */
static bool check_work(struct access_state *state, uint32_t rows, uint32_t row_bytes, uint32_t surface_bytes)
{
    const uint64_t bytes = (uint64_t)rows * row_bytes;
    /* PACKET_REUSE times the largest allocation at most, so that the sum is seen before it wraps. */
    if (bytes <= surface_bytes * GPU_LIMIT(PACKET_REUSE)) {
        state->work += (uint32_t)bytes;
        if (state->work <= GPU_LIMIT(DMA_WORK_BYTES)) return true;
    }
    return refuse_packet(state, STATUS_WORK_LIMIT);
}
/* With a filter it counts four times. */
_Static_assert((uint64_t)4 * LIMIT_BITS_GUARD_SPACE_PAGES * LIMIT_BITS_PAGE_BYTES * LIMIT_BITS_PACKET_REUSE +
                       LIMIT_BITS_DMA_WORK_BYTES <=
                   UINT32_MAX,
               "the sum is seen before it wraps");

/* The same for the target of a direct packet, that has been checked. */
__attribute__((noinline)) static bool check_target_work(struct access_state *state, uint32_t word, uint32_t rows,
                                                        uint32_t row_bytes)
{
    return check_work(state, rows, row_bytes,
                      allocation_bytes(state->allocations, state->job->patches[state->words[word]].allocation));
}

/* ------------------------------------------------------------------ direct packets */

/* A colour is taken a cycle: as long as 8 bytes each are written. */
__attribute__((cold)) static bool check_palette(struct access_state *state)
{
    enum { ALIGNMENT = 256, TIMES = 2 };
    if (!check_operand(state, PKT_PALETTE_SOURCE_WORD, READS, GPU_LIMIT(PALETTE_BYTES), ALIGNMENT)) return false;
    state->palette_split = state->split_word;
    return check_target_work(state, PKT_PALETTE_SOURCE_WORD, TIMES, GPU_LIMIT(PALETTE_BYTES));
}

static bool check_copy(struct access_state *state)
{
    uint32_t bytes = state->words[PKT_COPY_BYTES_WORD];
    return check_operand(state, PKT_COPY_SOURCE_WORD, READS, bytes, 1) &&
           check_operand(state, PKT_COPY_TARGET_WORD, WRITES, bytes, 1) &&
           check_target_work(state, PKT_COPY_TARGET_WORD, 1, bytes);
}

static bool check_fill(struct access_state *state)
{
    uint32_t bytes = state->words[PKT_FILL_BYTES_WORD];
    return check_operand(state, PKT_FILL_TARGET_WORD, WRITES, bytes, 1) &&
           check_target_work(state, PKT_FILL_TARGET_WORD, 1, bytes);
}

__attribute__((cold)) static bool check_copy_2d(struct access_state *state)
{
    const uint32_t *words = state->words;
    uint32_t row_bytes = FIELD_GET(words[PKT_COPY_2D_ROW_BYTES_WORD], PKT_COPY_2D_ROW_BYTES);
    uint32_t rows = FIELD_GET(words[PKT_COPY_2D_ROWS_WORD], PKT_COPY_2D_ROWS);
    uint32_t source_pitch = FIELD_GET(words[PKT_COPY_2D_SOURCE_PITCH_WORD], PKT_COPY_2D_SOURCE_PITCH);
    uint32_t target_pitch = FIELD_GET(words[PKT_COPY_2D_TARGET_PITCH_WORD], PKT_COPY_2D_TARGET_PITCH);
    return check_operand(state, PKT_COPY_2D_SOURCE_WORD, READS, rows_extent(rows, row_bytes, source_pitch), 1) &&
           check_operand(state, PKT_COPY_2D_TARGET_WORD, WRITES, rows_extent(rows, row_bytes, target_pitch), 1) &&
           check_target_work(state, PKT_COPY_2D_TARGET_WORD, rows, row_bytes);
}

__attribute__((cold)) static bool check_tile(struct access_state *state)
{
    enum { LINEAR_ALIGNMENT = 8 };
    const uint32_t *words = state->words;
    const uint32_t tile_bytes = GPU_LIMIT(TILE_ROW_BYTES) * GPU_LIMIT(TILE_ROWS);
    uint32_t row_bytes = FIELD_GET(words[PKT_TILE_ROW_BYTES_WORD], PKT_TILE_ROW_BYTES);
    uint32_t rows = FIELD_GET(words[PKT_TILE_ROWS_WORD], PKT_TILE_ROWS);
    uint32_t pitch = FIELD_GET(words[PKT_TILE_PITCH_WORD], PKT_TILE_PITCH);
    if (row_bytes % GPU_LIMIT(TILE_ROW_BYTES) != 0 || rows % GPU_LIMIT(TILE_ROWS) != 0 || pitch % LINEAR_ALIGNMENT != 0)
        return refuse_packet(state, STATUS_BAD_OPERAND);

    uint64_t linear = rows_extent(rows, row_bytes, pitch);
    uint64_t tiled = (uint64_t)rows * row_bytes;
    if (FIELD_GET(words[0], PKT_TILE_UNTILE))
        return check_operand(state, PKT_TILE_SOURCE_WORD, READS, tiled, tile_bytes) &&
               check_operand(state, PKT_TILE_TARGET_WORD, WRITES, linear, LINEAR_ALIGNMENT) &&
               check_target_work(state, PKT_TILE_TARGET_WORD, rows, row_bytes);
    return check_operand(state, PKT_TILE_SOURCE_WORD, READS, linear, LINEAR_ALIGNMENT) &&
           check_operand(state, PKT_TILE_TARGET_WORD, WRITES, tiled, tile_bytes) &&
           check_target_work(state, PKT_TILE_TARGET_WORD, rows, row_bytes);
}

/* ------------------------------------------------------------------ bindings and draws */

/* Formats are numbered so: up to INDEX8, and above it A8's bits with a depth above them. */
enum { WHOLE_BITS = 3, WHOLE_MASK = (1 << WHOLE_BITS) - 1 };
_Static_assert((int)FORMAT_INDEX8 == (int)WHOLE_MASK && (int)FORMAT_A4 == ((int)FORMAT_A8 | 1 << (int)WHOLE_BITS) &&
                   (int)FORMAT_A2 == ((int)FORMAT_A8 | 2 << (int)WHOLE_BITS) &&
                   (int)FORMAT_A1 == ((int)FORMAT_A8 | 3 << (int)WHOLE_BITS),
               "a format's number says whether its units are parts of bytes");
static bool is_format(uint32_t format) { return format <= FORMAT_INDEX8 || (format & WHOLE_MASK) == FORMAT_A8; }
/* A format of this number has units that are parts of bytes. */
static uint32_t depth_of(uint32_t format) { return format >> WHOLE_BITS; }

/* Bytes per unit; 1 too where a byte has more of them. */
static uint32_t unit_bytes(uint32_t format)
{
    switch (format) {
    case FORMAT_RGB565:
    case FORMAT_ARGB1555: return 2;
    case FORMAT_RGB888: return 3;
    case FORMAT_ARGB8888:
    case FORMAT_XRGB8888: return 4;
    default: return 1;
    }
}

static bool check_bind(struct access_state *state)
{
    const uint32_t *words = state->words;
    uint32_t slot = FIELD_GET(words[0], PKT_BIND_SLOT);
    uint32_t format = FIELD_GET(words[0], PKT_BIND_FORMAT);
    uint32_t bytes = words[PKT_BIND_BYTES_WORD];
    uint32_t entry;
    if (!resolve(state, PKT_BIND_ADDRESS_WORD, &entry)) return false;
    const struct patch *patch = &state->job->patches[entry];
    if (patch->slot != slot) return refuse_access(state, STATUS_BAD_SLOT, entry);
    if (!is_format(format)) return refuse_packet(state, STATUS_BAD_OPERAND);

    struct access_binding *binding = &state->binding[slot];
    if (patch->allocation == PATCH_NULL) {
        binding->entry = ACCESS_NOTHING;
        return true;
    }
    if (!fits_allocation(state, patch, bytes)) return refuse_packet(state, STATUS_EXTENT);
    *binding = (struct access_binding){
        .bytes = bytes,
        .pitch = narrow_u16(FIELD_GET(words[PKT_BIND_PITCH_WORD], PKT_BIND_PITCH)),
        .entry = narrow_u16(entry),
        .split_word = patch->split_word,
        .flags = patch->flags,
        .format = narrow_u8(format),
        .unit_bytes = narrow_u8(unit_bytes(format)),
        .depth = narrow_u8(depth_of(format)),
    };
    return true;
}

/* The work of a rectangle of the surface in `slot`, which has been checked. */
static bool check_draw_work(struct access_state *state, uint32_t slot, uint32_t width, uint32_t height)
{
    const struct access_binding *binding = &state->binding[slot];
    return check_work(state, height, width * binding->unit_bytes, binding->bytes);
}

_Static_assert((uint64_t)LIMIT_BITS_GUARD_SPACE_PAGES *LIMIT_BITS_PAGE_BYTES * 8 <= UINT32_MAX,
               "the units of an allocation are counted in 32 bits");
/* A rectangle of the surface in `slot`, up to column `right` and row `bottom` (both exclusive): bound, in
 * place, inside the bytes bound, writable if written. */
static bool check_surface(const struct access_state *state, uint32_t slot, enum direction direction, bool is_empty,
                          uint32_t right, uint32_t bottom)
{
    const struct access_binding *binding = &state->binding[slot];
    if (binding->entry == ACCESS_NOTHING) return refuse_packet(state, STATUS_UNBOUND_SLOT);
    if (direction == WRITES && !(binding->flags & PATCH_WRITE)) return refuse_packet(state, STATUS_NOT_WRITABLE);
    if (!is_held(state, slot, binding->entry, binding->split_word)) return refuse_packet(state, STATUS_STALE_REFERENCE);
    if (!is_empty && (uint64_t)(bottom - 1u) * binding->pitch + right * binding->unit_bytes > binding->bytes
                                                                                                  << binding->depth)
        return refuse_packet(state, STATUS_BAD_OPERAND);
    if (direction == WRITES) state->job->patches[binding->entry].is_written = 1;
    return true;
}

static bool check_fill_rect(struct access_state *state)
{
    const uint32_t *words = state->words;
    uint32_t slot = FIELD_GET(words[0], PKT_FILL_RECT_TARGET);
    uint32_t width = FIELD_GET(words[PKT_FILL_RECT_WIDTH_WORD], PKT_FILL_RECT_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT);
    uint32_t right = FIELD_GET(words[PKT_FILL_RECT_X_WORD], PKT_FILL_RECT_X) + width;
    uint32_t bottom = FIELD_GET(words[PKT_FILL_RECT_Y_WORD], PKT_FILL_RECT_Y) + height;
    if (!check_surface(state, slot, WRITES, width == 0 || height == 0, right, bottom)) return false;
    if (state->binding[slot].depth != 0) return refuse_packet(state, STATUS_BAD_OPERAND);
    return check_draw_work(state, slot, width, height);
}

/* Formats that colours can be written in. */
static bool has_colours(uint32_t format)
{
    return format - (uint32_t)FORMAT_RGB565 < (uint32_t)FORMAT_A8 - FORMAT_RGB565;
}

/* Colours of INDEX8 are those of a palette of this portion, whichever of the split points declared are taken. */
static bool check_colours(const struct access_state *state, uint32_t source_format, uint32_t target_format)
{
    if (source_format != FORMAT_INDEX8 || target_format == FORMAT_INDEX8) return true;
    if (state->palette_split == state->split_word) return true;
    return refuse_packet(state, STATUS_NO_PALETTE);
}

/* The combinations of mode, flags and formats that the engine executes. */
static bool blit_is_legal(uint32_t word, uint32_t source_format, uint32_t target_format)
{
    uint32_t mode = FIELD_GET(word, PKT_BLIT_MODE);
    bool has_flags = FIELD_GET(word, PKT_BLIT_KEYED) != 0 || FIELD_GET(word, PKT_BLIT_COLOURED) != 0;
    bool is_same_format = source_format == target_format && depth_of(source_format) == 0;
    if (mode == BLIT_COPY && is_same_format && !has_flags) return true;
    if (FIELD_GET(word, PKT_BLIT_REVERSE) || mode > BLIT_MOD) return false;
    if (mode == BLIT_ROP) return is_same_format && source_format != FORMAT_RGB888 && !has_flags;
    if (source_format == FORMAT_BYTES || !has_colours(target_format)) return false;
    bool has_key = mode == BLIT_KEY || FIELD_GET(word, PKT_BLIT_KEYED) != 0;
    return !(mode == BLIT_KEY && has_flags) && !(has_key && (source_format & WHOLE_MASK) == FORMAT_A8);
}

static bool check_blit(struct access_state *state)
{
    const uint32_t *words = state->words;
    uint32_t source_slot = FIELD_GET(words[0], PKT_BLIT_SOURCE);
    uint32_t target_slot = FIELD_GET(words[0], PKT_BLIT_TARGET);
    uint32_t width = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT);
    uint32_t source_right = FIELD_GET(words[PKT_BLIT_SOURCE_X_WORD], PKT_BLIT_SOURCE_X) + width;
    uint32_t source_bottom = FIELD_GET(words[PKT_BLIT_SOURCE_Y_WORD], PKT_BLIT_SOURCE_Y) + height;
    uint32_t target_right = FIELD_GET(words[PKT_BLIT_TARGET_X_WORD], PKT_BLIT_TARGET_X) + width;
    uint32_t target_bottom = FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y) + height;
    bool is_empty = width == 0 || height == 0;
    if (!check_surface(state, source_slot, READS, is_empty, source_right, source_bottom) ||
        !check_surface(state, target_slot, WRITES, is_empty, target_right, target_bottom))
        return false;
    const uint32_t from = state->binding[source_slot].format, to = state->binding[target_slot].format;
    if (!blit_is_legal(words[0], from, to)) return refuse_packet(state, STATUS_BAD_OPERAND);
    if (!check_colours(state, from, to)) return false;
    return check_draw_work(state, target_slot, width, height);
}

/* Can a coordinate of the map be told in signed 16.16 all over the rectangle? So it can if it can in its corners. */
static bool is_told(const uint32_t *axis, uint32_t right, uint32_t bottom)
{
    enum { STEP_X = PKT_BLIT_AFFINE_U_X_WORD - PKT_BLIT_AFFINE_U_WORD, STEP_Y = 2 * STEP_X };
    const int64_t across = (int64_t)(int32_t)axis[STEP_X] * (int32_t)right + (int32_t)axis[0];
    const int64_t down = (int64_t)(int32_t)axis[STEP_Y] * (int32_t)bottom;
    const int64_t last = across + down, low = down + (int32_t)axis[0];
    return (int32_t)across == across && (int32_t)low == low && (int32_t)last == last;
}

/* The map as the engine's tells it: with an inverse, and without a step out of the numbers in a target that has units.
 */
static bool check_map(const struct access_state *state, uint32_t width, uint32_t height)
{
    const uint32_t *words = state->words;
    const int64_t u_x_v_y =
        (int64_t)(int32_t)words[PKT_BLIT_AFFINE_U_X_WORD] * (int32_t)words[PKT_BLIT_AFFINE_V_Y_WORD];
    const int64_t v_x_u_y =
        (int64_t)(int32_t)words[PKT_BLIT_AFFINE_V_X_WORD] * (int32_t)words[PKT_BLIT_AFFINE_U_Y_WORD];
    uint32_t wrong = 0;
    if (u_x_v_y == v_x_u_y) wrong = PKT_BLIT_AFFINE_U_X_WORD;
    else if (width == 0 || height == 0) return true;
    else if (!is_told(words + PKT_BLIT_AFFINE_U_WORD, width - 1u, height - 1u)) wrong = PKT_BLIT_AFFINE_U_WORD;
    else if (!is_told(words + PKT_BLIT_AFFINE_V_WORD, width - 1u, height - 1u)) wrong = PKT_BLIT_AFFINE_V_WORD;
    return wrong == 0 || refuse_access(state, STATUS_BAD_MAP, (state->position + wrong) * 4u);
}

/* How source units are found and mixed: one edge at most, a filter only where its units are not compared and each lies
 * in a beat. The allocation begins on a page. */
static bool sampling_is_legal(const struct access_state *state, const struct access_binding *source)
{
    const uint32_t *words = state->words;
    const uint32_t offset = state->job->patches[source->entry].offset, bytes = source->unit_bytes;
    if (FIELD_GET(words[0], PKT_BLIT_AFFINE_TRANSPARENT) && FIELD_GET(words[0], PKT_BLIT_AFFINE_REPEAT)) return false;
    if (!FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR)) return true;
    return FIELD_GET(words[0], PKT_BLIT_AFFINE_MODE) != BLIT_KEY && !FIELD_GET(words[0], PKT_BLIT_AFFINE_KEYED) &&
           source->format != FORMAT_RGB888 && source->format != FORMAT_INDEX8 &&
           ((offset | source->pitch) & (bytes - 1u)) == 0;
}

/* Whatever the map says, the engine reads nothing outside the source rectangle, and a unit, or two beats of it, a
 * cycle: so it works as long as for 8 bytes a unit, with a filter, which may need four, 32. */
__attribute__((cold, noinline)) static bool check_affine(struct access_state *state)
{
    enum { WORK_BYTES = 8, READS_MORE = 3 };
    const uint32_t *words = state->words;
    const uint32_t source_slot = FIELD_GET(words[0], PKT_BLIT_AFFINE_SOURCE);
    const uint32_t target_slot = FIELD_GET(words[0], PKT_BLIT_AFFINE_TARGET);
    const uint32_t width = FIELD_GET(words[PKT_BLIT_AFFINE_WIDTH_WORD], PKT_BLIT_AFFINE_WIDTH);
    const uint32_t height = FIELD_GET(words[PKT_BLIT_AFFINE_HEIGHT_WORD], PKT_BLIT_AFFINE_HEIGHT);
    const uint32_t columns = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD], PKT_BLIT_AFFINE_SOURCE_WIDTH);
    const uint32_t rows = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_HEIGHT_WORD], PKT_BLIT_AFFINE_SOURCE_HEIGHT);
    const bool has_source = columns != 0 && rows != 0;
    if (!check_surface(state, source_slot, READS, !has_source,
                       FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_X_WORD], PKT_BLIT_AFFINE_SOURCE_X) + columns,
                       FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_Y_WORD], PKT_BLIT_AFFINE_SOURCE_Y) + rows) ||
        !check_surface(state, target_slot, WRITES, width == 0 || height == 0,
                       FIELD_GET(words[PKT_BLIT_AFFINE_TARGET_X_WORD], PKT_BLIT_AFFINE_TARGET_X) + width,
                       FIELD_GET(words[PKT_BLIT_AFFINE_TARGET_Y_WORD], PKT_BLIT_AFFINE_TARGET_Y) + height))
        return false;
    const uint32_t from = state->binding[source_slot].format, to = state->binding[target_slot].format;
    if (!has_source || from == FORMAT_BYTES || depth_of(from) != 0 || !has_colours(to) ||
        FIELD_GET(words[0], PKT_BLIT_AFFINE_MODE) == BLIT_ROP || !blit_is_legal(words[0], from, to) ||
        !sampling_is_legal(state, &state->binding[source_slot]))
        return refuse_packet(state, STATUS_BAD_OPERAND);
    if (!check_colours(state, from, to) || !check_map(state, width, height) ||
        !check_work(state, height, width * (uint32_t)WORK_BYTES, state->binding[target_slot].bytes))
        return false;
    if (FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR))
        state->work += READS_MORE * (uint32_t)WORK_BYTES * width * height;
    return state->work <= GPU_LIMIT(DMA_WORK_BYTES) || refuse_packet(state, STATUS_WORK_LIMIT);
}

/* Does the packet need a feature that the engine was built without? */
__attribute__((cold, noinline)) static bool is_left_out(const struct access_state *state)
{
    const uint32_t *words = state->words, opcode = words[0] & field_mask(8);
    const uint32_t mode = FIELD_GET(words[0], PKT_BLIT_MODE), format = FIELD_GET(words[0], PKT_BIND_FORMAT);
    const uint32_t flags = FIELD_GET(words[0], PKT_BLIT_KEYED) | FIELD_GET(words[0], PKT_BLIT_COLOURED);
    const uint32_t rounding = FIELD_GET(words[0], PKT_BLIT_TRUNCATED) | FIELD_GET(words[0], PKT_BLIT_BY_256);
    const bool is_moved = mode == BLIT_COPY && state->binding[FIELD_GET(words[0], PKT_BLIT_SOURCE)].format ==
                                                   state->binding[FIELD_GET(words[0], PKT_BLIT_TARGET)].format;
    uint32_t needs = 0;
    switch (opcode) {
    case PKT_BIND:
        needs = FIELD_PUT(format > FORMAT_ARGB8888, MEMORY_FEATURES_FORMATS) |
                FIELD_PUT(format == FORMAT_INDEX8, MEMORY_FEATURES_PALETTE) |
                FIELD_PUT(depth_of(format) != 0, MEMORY_FEATURES_MASKS);
        break;
    case PKT_PALETTE: needs = FIELD_PUT(1, MEMORY_FEATURES_PALETTE); break;
    case PKT_BLIT_AFFINE:
        needs = FIELD_PUT(1, MEMORY_FEATURES_MAPS) |
                FIELD_PUT(FIELD_GET(words[0], PKT_BLIT_AFFINE_REPEAT), MEMORY_FEATURES_REPEAT) |
                FIELD_PUT(FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR),
                          MEMORY_FEATURES_BILINEAR) |
                FIELD_PUT((uint32_t)(mode > BLIT_ROP) | flags | rounding, MEMORY_FEATURES_FORMATS);
        break;
    case PKT_BLIT:
        needs =
            FIELD_PUT((uint32_t)(mode > BLIT_ROP) | flags | (rounding & (uint32_t)!is_moved), MEMORY_FEATURES_FORMATS);
        break;
    default: break;
    }
    return (needs & state->left_out) != 0;
}
/* In BLIT_AFFINE, where it has them, the fields of BLIT lie in the same places. */
_Static_assert((int)PKT_BLIT_AFFINE_MODE_LSB == (int)PKT_BLIT_MODE_LSB &&
                   (int)PKT_BLIT_AFFINE_KEYED_LSB == (int)PKT_BLIT_KEYED_LSB &&
                   (int)PKT_BLIT_AFFINE_COLOURED_LSB == (int)PKT_BLIT_COLOURED_LSB &&
                   (int)PKT_BLIT_AFFINE_TRUNCATED_LSB == (int)PKT_BLIT_TRUNCATED_LSB &&
                   (int)PKT_BLIT_AFFINE_BY_256_LSB == (int)PKT_BLIT_BY_256_LSB,
               "is_left_out reads both");

bool access_check(struct access_state *state, uint32_t position, const uint32_t *words, struct refusal *why)
{
    state->position = position;
    state->words = words;
    state->why = why;
    if (!begin_entries(state)) return false;
    if (state->left_out != 0 && is_left_out(state)) return refuse_packet(state, STATUS_UNSUPPORTED);
    switch (words[0] & field_mask(8)) {
    case PKT_NOP: return true;
    case PKT_COPY: return check_copy(state);
    case PKT_FILL: return check_fill(state);
    case PKT_COPY_2D: return check_copy_2d(state);
    case PKT_TILE: return check_tile(state);
    case PKT_BIND: return check_bind(state);
    case PKT_FILL_RECT: return check_fill_rect(state);
    case PKT_BLIT: return check_blit(state);
    case PKT_BLIT_AFFINE: return check_affine(state);
    case PKT_PALETTE: return check_palette(state);
    /* A user packet added to the table must be examined here before it can be used. */
    default: return refuse_packet(state, STATUS_BAD_OPCODE);
    }
}
