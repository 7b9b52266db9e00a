/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of the engine's packets: memory as the engine sees it (address spaces, aperture, guard), then
 * one function per packet, written to be obviously right.
 *
 * NODE_ERROR_ADDRESS here is the first refused byte in the order of the work; the hardware reports the burst
 * that contains it, so the two agree in the page and, working forward, the hardware's is never above. What a
 * packet wrote before its fault is unspecified in both; but pages of a list before a BAD_PAGE are complete, and
 * nothing after it is touched.
 *
 * The guard is asked before the bus: a page outside its spaces (system memory, core spaces, anything past
 * 4096 pages) is refused as by a cleared bit. All modes but COPY and KEY read the target, so they need the read
 * bit there.
 * Counters: lookups and dummy hits count pages touched per packet and direction (hardware: bursts), bytes
 * count payload (hardware: bus beats).
 */
#include "engine_packets.h"

#include <stddef.h>

#include "affine_model.h"
#include "engine_port.h"
#include "pixel_model.h"

/* ------------------------------------------------------------------ memory as the engine sees it */

static uint8_t *page_of(uint8_t *memory, uint32_t memory_bytes, uint32_t offset)
{
    uint32_t page = offset / GPU_LIMIT(PAGE_BYTES);
    return page < memory_bytes / GPU_LIMIT(PAGE_BYTES) ? memory + (size_t)page * GPU_LIMIT(PAGE_BYTES) : NULL;
}

static uint8_t *aperture_page(struct engine_model *engine, uint32_t offset)
{
    uint32_t index = offset / GPU_LIMIT(PAGE_BYTES);
    if (index >= engine->aperture_pages) return NULL;
    uint32_t entry = engine->aperture[index];
    uint32_t frame =
        FIELD_GET(entry, APERTURE_ENTRY_VALID) ? FIELD_GET(entry, APERTURE_ENTRY_FRAME) : engine->dummy_page;
    engine->lookups++;
    if (!FIELD_GET(entry, APERTURE_ENTRY_MAPPED)) engine->dummy_hits++;
    if (frame >= engine->system_bytes / GPU_LIMIT(PAGE_BYTES)) return NULL;
    return engine->system + (size_t)frame * GPU_LIMIT(PAGE_BYTES);
}

/* The page that holds `address`, or NULL for a bus error. */
static uint8_t *memory_page(struct engine_model *engine, uint32_t address, bool *is_local)
{
    *is_local = false;
    if (address >= GPU_LIMIT(ADDR_SYSTEM))
        return page_of(engine->system, engine->system_bytes, address - GPU_LIMIT(ADDR_SYSTEM));
    uint32_t offset = address & 0x0fffffffu, space = address - offset;
    if (space == GPU_LIMIT(ADDR_APERTURE)) return aperture_page(engine, offset);
    *is_local = true;
    if (space == GPU_LIMIT(ADDR_SEGMENT1)) return page_of(engine->segment1, engine->segment1_bytes, offset);
    if (space == GPU_LIMIT(ADDR_SEGMENT2)) return page_of(engine->segment2, engine->segment2_bytes, offset);
    return NULL;
}

static bool guard_grants(const struct engine_node *node, uint32_t address, bool is_write)
{
    uint32_t page = (address & 0x0fffffffu) / GPU_LIMIT(PAGE_BYTES);
    uint32_t space = address & 0xf0000000u;
    uint32_t index;
    if (space == GPU_LIMIT(ADDR_SEGMENT1)) index = 0;
    else if (space == GPU_LIMIT(ADDR_SEGMENT2)) index = 1;
    else if (space == GPU_LIMIT(ADDR_APERTURE)) index = 2;
    else return false;
    if (page >= GPU_LIMIT(GUARD_SPACE_PAGES)) return false;
    return (node->guard[index * GPU_LIMIT(GUARD_SPACE_PAGES) + page] & (is_write ? 2u : 1u)) != 0;
}

/* The byte at `address`, or NULL once anything has been refused. */
static uint8_t *port_byte(struct port *port, enum access kind, uint32_t address)
{
    bool is_write = kind == ACCESS_WRITE;
    uint32_t page = address / GPU_LIMIT(PAGE_BYTES);
    if (port->fault != FAULT_NONE) return NULL;
    if (port->window[kind].bytes == NULL || port->window[kind].page != page) {
        bool is_local = false;
        uint8_t *bytes = NULL;
        if (port->is_guarded && !guard_grants(port->node, address, is_write))
            port->fault = is_write ? FAULT_WRITE_GUARD : FAULT_READ_GUARD;
        else if ((bytes = memory_page(port->engine, address, &is_local)) == NULL)
            port->fault = is_write ? FAULT_WRITE_BUS : FAULT_READ_BUS;
        if (port->fault != FAULT_NONE) {
            port->fault_address = address;
            return NULL;
        }
        port->window[kind].page = page;
        port->window[kind].bytes = bytes;
        port->window[kind].is_local = is_local;
    }
    if (is_write && port->window[kind].is_local) port->node->bytes_written_local++;
    else if (is_write) port->node->bytes_written_system++;
    else if (port->window[kind].is_local) port->node->bytes_read_local++;
    else port->node->bytes_read_system++;
    return port->window[kind].bytes + address % GPU_LIMIT(PAGE_BYTES);
}

static uint8_t port_read(struct port *port, enum access kind, uint32_t address)
{
    const uint8_t *byte = port_byte(port, kind, address);
    return byte != NULL ? *byte : 0;
}

static void port_write(struct port *port, uint32_t address, uint8_t value)
{
    uint8_t *byte = port_byte(port, ACCESS_WRITE, address);
    if (byte != NULL) *byte = value;
}

uint8_t *engine_model_page(struct engine_model *engine, uint32_t address)
{
    bool is_local;
    return memory_page(engine, address, &is_local);
}

bool engine_model_read(struct engine_model *engine, uint32_t address, uint8_t *value)
{
    const uint8_t *page = engine_model_page(engine, address);
    if (page == NULL) return false;
    *value = page[address % GPU_LIMIT(PAGE_BYTES)];
    return true;
}

bool engine_model_write(struct engine_model *engine, uint32_t address, uint8_t value)
{
    uint8_t *page = engine_model_page(engine, address);
    if (page == NULL) return false;
    page[address % GPU_LIMIT(PAGE_BYTES)] = value;
    return true;
}

/* ------------------------------------------------------------------ packets that move bytes
 * Every executor returns a FAULT_* of its operands; faults of memory are in the port. */

static void copy_row(struct port *port, uint32_t source, uint32_t target, uint32_t bytes, bool is_reverse)
{
    for (uint32_t done = 0; done < bytes && port->fault == FAULT_NONE; done++) {
        uint32_t i = is_reverse ? bytes - 1u - done : done;
        port_write(port, target + i, port_read(port, ACCESS_SOURCE, source + i));
        if (!is_reverse) done += port_copy_rest(port, source + i, target + i, bytes - done - 1u);
    }
}

static uint32_t execute_copy(struct port *port, const uint32_t *words)
{
    copy_row(port, words[PKT_COPY_SOURCE_WORD], words[PKT_COPY_TARGET_WORD], words[PKT_COPY_BYTES_WORD],
             FIELD_GET(words[0], PKT_COPY_REVERSE) != 0);
    return FAULT_NONE;
}

static uint32_t execute_fill(struct port *port, const uint32_t *words)
{
    for (uint32_t i = 0; i < words[PKT_FILL_BYTES_WORD] && port->fault == FAULT_NONE; i++)
        port_write(port, words[PKT_FILL_TARGET_WORD] + i, (uint8_t)(words[PKT_FILL_PATTERN_WORD] >> 8u * (i % 4u)));
    return FAULT_NONE;
}

static uint32_t execute_copy_2d(struct port *port, const uint32_t *words)
{
    uint32_t row_bytes = FIELD_GET(words[PKT_COPY_2D_ROW_BYTES_WORD], PKT_COPY_2D_ROW_BYTES);
    uint32_t rows = FIELD_GET(words[PKT_COPY_2D_ROWS_WORD], PKT_COPY_2D_ROWS);
    uint32_t source_pitch = FIELD_GET(words[PKT_COPY_2D_SOURCE_PITCH_WORD], PKT_COPY_2D_SOURCE_PITCH);
    uint32_t target_pitch = FIELD_GET(words[PKT_COPY_2D_TARGET_PITCH_WORD], PKT_COPY_2D_TARGET_PITCH);
    bool is_reverse = FIELD_GET(words[0], PKT_COPY_2D_REVERSE) != 0;
    for (uint32_t done = 0; done < rows; done++) {
        uint32_t row = is_reverse ? rows - 1u - done : done;
        copy_row(port, words[PKT_COPY_2D_SOURCE_WORD] + row * source_pitch,
                 words[PKT_COPY_2D_TARGET_WORD] + row * target_pitch, row_bytes, is_reverse);
    }
    return FAULT_NONE;
}

/* Tile (tx, ty) of a surface lies at (ty * tiles per row + tx) * 256, its row r at r * 32. */
static uint32_t tiled_offset(uint32_t row_bytes, uint32_t x, uint32_t y)
{
    const uint32_t width = GPU_LIMIT(TILE_ROW_BYTES), height = GPU_LIMIT(TILE_ROWS);
    uint32_t tile = y / height * (row_bytes / width) + x / width;
    return tile * width * height + y % height * width + x % width;
}

static uint32_t execute_tile(struct port *port, const uint32_t *words)
{
    bool is_untile = FIELD_GET(words[0], PKT_TILE_UNTILE) != 0;
    uint32_t source = words[PKT_TILE_SOURCE_WORD], target = words[PKT_TILE_TARGET_WORD];
    uint32_t row_bytes = FIELD_GET(words[PKT_TILE_ROW_BYTES_WORD], PKT_TILE_ROW_BYTES);
    uint32_t rows = FIELD_GET(words[PKT_TILE_ROWS_WORD], PKT_TILE_ROWS);
    uint32_t pitch = FIELD_GET(words[PKT_TILE_PITCH_WORD], PKT_TILE_PITCH);
    uint32_t tile_bytes = GPU_LIMIT(TILE_ROW_BYTES) * GPU_LIMIT(TILE_ROWS);
    if (row_bytes % GPU_LIMIT(TILE_ROW_BYTES) != 0 || rows % GPU_LIMIT(TILE_ROWS) != 0 || pitch % 8u != 0 ||
        (is_untile ? source : target) % tile_bytes != 0 || (is_untile ? target : source) % 8u != 0)
        return FAULT_BAD_OPERAND;
    for (uint32_t y = 0; y < rows; y++) {
        for (uint32_t x = 0; x < row_bytes && port->fault == FAULT_NONE; x++) {
            uint32_t tiled = tiled_offset(row_bytes, x, y), linear = y * pitch + x;
            port_write(port, target + (is_untile ? linear : tiled),
                       port_read(port, ACCESS_SOURCE, source + (is_untile ? tiled : linear)));
        }
    }
    return FAULT_NONE;
}

static uint32_t execute_touch(struct port *port, const uint32_t *words)
{
    uint32_t bytes = FIELD_GET(words[0], PKT_TOUCH_BYTES);
    if (bytes < 1u || bytes > 8u) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; i < bytes; i++) {
        if (FIELD_GET(words[0], PKT_TOUCH_WRITE)) port_write(port, words[PKT_TOUCH_ADDRESS_WORD] + i, 0);
        else (void)port_read(port, ACCESS_SOURCE, words[PKT_TOUCH_ADDRESS_WORD] + i);
    }
    return FAULT_NONE;
}

/* ------------------------------------------------------------------ packets that draw */

static uint32_t unit_read(struct port *port, enum access kind, uint32_t address, uint32_t unit_bytes)
{
    uint32_t unit = 0;
    for (uint32_t i = 0; i < unit_bytes; i++) unit |= (uint32_t)port_read(port, kind, address + i) << 8u * i;
    return unit;
}

static void unit_write(struct port *port, uint32_t address, uint32_t unit_bytes, uint32_t unit)
{
    if (port->engine->on_unit != NULL) port->engine->on_unit(port->engine->context, address);
    for (uint32_t i = 0; i < unit_bytes; i++) port_write(port, address + i, (uint8_t)(unit >> 8u * i));
}

static uint32_t unit_address(const struct engine_binding *surface, uint32_t x, uint32_t y)
{
    return surface->address + y * surface->pitch + x * pixel_unit_bytes(surface->format);
}

static uint32_t execute_bind(struct port *port, const uint32_t *words)
{
    struct engine_binding *binding = &port->node->bindings[FIELD_GET(words[0], PKT_BIND_SLOT)];
    uint32_t format = FIELD_GET(words[0], PKT_BIND_FORMAT);
    if (pixel_unit_bytes(format) == 0 && pixel_depth(format) == 0) return FAULT_BAD_OPERAND;
    binding->address = words[PKT_BIND_ADDRESS_WORD];
    binding->pitch = FIELD_GET(words[PKT_BIND_PITCH_WORD], PKT_BIND_PITCH);
    binding->format = format;
    binding->bytes = words[PKT_BIND_BYTES_WORD];
    return FAULT_NONE;
}

/* 256 colours, little end first. One that cannot be read leaves none. */
static uint32_t execute_palette(struct port *port, unsigned node_index, const uint32_t *words)
{
    struct engine_node *node = port->node;
    const uint32_t source = words[PKT_PALETTE_SOURCE_WORD];
    if (node_index != 0u || source % 256u != 0) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; i < 256u; i++) node->palette[i] = unit_read(port, ACCESS_SOURCE, source + 4u * i, 4);
    node->has_palette = port->fault == FAULT_NONE;
    return FAULT_NONE;
}

static uint32_t execute_fill_rect(struct port *port, const uint32_t *words)
{
    const struct engine_binding *target = &port->node->bindings[FIELD_GET(words[0], PKT_FILL_RECT_TARGET)];
    uint32_t left = FIELD_GET(words[PKT_FILL_RECT_X_WORD], PKT_FILL_RECT_X);
    uint32_t top = FIELD_GET(words[PKT_FILL_RECT_Y_WORD], PKT_FILL_RECT_Y);
    uint32_t width = FIELD_GET(words[PKT_FILL_RECT_WIDTH_WORD], PKT_FILL_RECT_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_FILL_RECT_HEIGHT_WORD], PKT_FILL_RECT_HEIGHT);
    if (target->address == 0) return FAULT_UNBOUND;
    if (pixel_depth(target->format) != 0) return FAULT_BAD_OPERAND;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width && port->fault == FAULT_NONE; x++)
            unit_write(port, unit_address(target, left + x, top + y), pixel_unit_bytes(target->format),
                       words[PKT_FILL_RECT_COLOUR_WORD]);
    return FAULT_NONE;
}

/* One unit of a BLIT that writes: the new target unit. */
static uint32_t blit_unit(const uint32_t *words, const uint32_t *palette, uint32_t source_format, uint32_t source,
                          uint32_t target_format, uint32_t target)
{
    struct pixel_operation operation = {
        .mode = FIELD_GET(words[0], PKT_BLIT_MODE),
        .value = words[PKT_BLIT_VALUE_WORD],
        .is_premultiplied = FIELD_GET(words[0], PKT_BLIT_PREMULTIPLIED) != 0,
        .is_coloured = FIELD_GET(words[0], PKT_BLIT_COLOURED) != 0,
        .is_truncated = FIELD_GET(words[0], PKT_BLIT_TRUNCATED) != 0,
        .is_by_256 = FIELD_GET(words[0], PKT_BLIT_BY_256) != 0,
    };
    bool is_copy = operation.mode == BLIT_COPY || operation.mode == BLIT_KEY;
    if (operation.mode == BLIT_ROP)
        return pixel_rop(FIELD_GET(words[PKT_BLIT_ROP_WORD], PKT_BLIT_ROP), operation.value, source, target);
    if (is_copy && !operation.is_coloured && source_format == target_format) return source;
    if (source_format == FORMAT_INDEX8) source = palette[source];
    if (pixel_is_even(&operation)) source = pixel_expand_even(&operation, source_format, source, target_format);
    else source = pixel_expand_rounded(source_format, source, operation.is_truncated, operation.is_by_256);
    target = pixel_expand_rounded(target_format, target, operation.is_truncated, operation.is_by_256);
    return pixel_reduce(target_format, pixel_operate(&operation, source, target));
}

/* What the words say without a binding. */
static bool sampling_is_legal(const uint32_t *words)
{
    bool is_keyed = FIELD_GET(words[0], PKT_BLIT_AFFINE_MODE) == BLIT_KEY || FIELD_GET(words[0], PKT_BLIT_AFFINE_KEYED);
    if (FIELD_GET(words[0], PKT_BLIT_AFFINE_REPEAT) && FIELD_GET(words[0], PKT_BLIT_AFFINE_TRANSPARENT)) return false;
    return !FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR) || !is_keyed;
}

bool engine_affine_is_legal(const uint32_t *words, uint32_t source_format, uint32_t target_format)
{
    bool has_bytes = source_format == FORMAT_BYTES || target_format == FORMAT_BYTES;
    bool is_filtered = FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR) != 0;
    bool is_in_beats = source_format != FORMAT_RGB888 && source_format != FORMAT_INDEX8;
    return sampling_is_legal(words) && !(is_filtered && !is_in_beats) && !has_bytes &&
           pixel_depth(source_format) == 0 && FIELD_GET(words[0], PKT_BLIT_AFFINE_MODE) != BLIT_ROP &&
           target_format != FORMAT_A8 && target_format != FORMAT_INDEX8 &&
           pixel_blit_is_legal(words[0], source_format, target_format);
}

/* Where a BLIT_AFFINE has the fields of a BLIT that draw_unit looks at, it has them in the same places. */
_Static_assert((int)PKT_BLIT_AFFINE_MODE_LSB == (int)PKT_BLIT_MODE_LSB &&
                   (int)PKT_BLIT_AFFINE_VALUE_WORD == (int)PKT_BLIT_VALUE_WORD &&
                   (int)PKT_BLIT_AFFINE_KEY_WORD == (int)PKT_BLIT_KEY_WORD,
               "draw_unit reads both");

/* What KEY and KEYED compare of a source unit, and with what; a mask of 0: no unit is left out. */
struct key {
    uint32_t mask, value;
};

static struct key blit_key(const uint32_t *words, uint32_t format)
{
    if (FIELD_GET(words[0], PKT_BLIT_MODE) == BLIT_KEY)
        return (struct key){field_mask(8u * pixel_unit_bytes(format)), words[PKT_BLIT_VALUE_WORD]};
    if (FIELD_GET(words[0], PKT_BLIT_KEYED) == 0) return (struct key){0, 0};
    return (struct key){pixel_colour_mask(format), FIELD_GET(words[PKT_BLIT_KEY_WORD], PKT_BLIT_KEY)};
}

/* A unit of a surface; of A4, A2 and A1, whose pitch counts units, as one of A8. */
static uint32_t source_unit(struct port *port, const struct engine_binding *surface, uint32_t x, uint32_t y)
{
    const uint32_t depth = pixel_depth(surface->format);
    const uint64_t index = (uint64_t)y * surface->pitch + x;
    if (depth == 0)
        return unit_read(port, ACCESS_SOURCE, unit_address(surface, x, y), pixel_unit_bytes(surface->format));
    return pixel_part(surface->format, unit_read(port, ACCESS_SOURCE, surface->address + (uint32_t)(index >> depth), 1),
                      (uint32_t)index & ((1u << depth) - 1u));
}

/* The target unit at (x, y) from the source unit at (from_x, from_y). */
static void draw_unit(struct port *port, const uint32_t *words, uint32_t x, uint32_t y, uint32_t from_x,
                      uint32_t from_y)
{
    const struct engine_binding *target = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_TARGET)];
    const struct engine_binding *source = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_SOURCE)];
    uint32_t target_bytes = pixel_unit_bytes(target->format);
    uint32_t source_format = pixel_depth(source->format) != 0 ? (uint32_t)FORMAT_A8 : source->format;
    uint32_t mode = FIELD_GET(words[0], PKT_BLIT_MODE);
    bool reads_target = mode != BLIT_COPY && mode != BLIT_KEY;
    struct key key = blit_key(words, source_format);
    uint32_t address = unit_address(target, x, y);
    uint32_t unit = source_unit(port, source, from_x, from_y);
    uint32_t old = reads_target ? unit_read(port, ACCESS_TARGET, address, target_bytes) : 0;
    if (key.mask != 0 && ((unit ^ key.value) & key.mask) == 0) return;
    unit_write(port, address, target_bytes,
               blit_unit(words, port->node->palette, source_format, unit, target->format, old));
}

/* The same from a colour, without a key. */
static void draw_colour(struct port *port, const uint32_t *words, uint32_t x, uint32_t y, uint32_t colour)
{
    const struct engine_binding *target = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_TARGET)];
    const uint32_t address = unit_address(target, x, y), bytes = pixel_unit_bytes(target->format);
    const bool reads_target = FIELD_GET(words[0], PKT_BLIT_MODE) != BLIT_COPY;
    const uint32_t old = reads_target ? unit_read(port, ACCESS_TARGET, address, bytes) : 0;
    unit_write(port, address, bytes, blit_unit(words, NULL, FORMAT_ARGB8888, colour, target->format, old));
}

/* Are the colours of a draw between these formats there? */
static bool has_colours(const struct engine_node *node, uint32_t source_format, uint32_t target_format)
{
    return source_format != FORMAT_INDEX8 || target_format == FORMAT_INDEX8 || node->has_palette;
}

static uint32_t execute_blit(struct port *port, const uint32_t *words)
{
    const struct engine_binding *target = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_TARGET)];
    const struct engine_binding *source = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_SOURCE)];
    uint32_t target_x = FIELD_GET(words[PKT_BLIT_TARGET_X_WORD], PKT_BLIT_TARGET_X);
    uint32_t target_y = FIELD_GET(words[PKT_BLIT_TARGET_Y_WORD], PKT_BLIT_TARGET_Y);
    uint32_t source_x = FIELD_GET(words[PKT_BLIT_SOURCE_X_WORD], PKT_BLIT_SOURCE_X);
    uint32_t source_y = FIELD_GET(words[PKT_BLIT_SOURCE_Y_WORD], PKT_BLIT_SOURCE_Y);
    uint32_t width = FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT);
    bool is_reverse = FIELD_GET(words[0], PKT_BLIT_REVERSE) != 0;
    if (source->address == 0 || target->address == 0) return FAULT_UNBOUND;
    if (!pixel_blit_is_legal(words[0], source->format, target->format) ||
        !has_colours(port->node, source->format, target->format))
        return FAULT_BAD_OPERAND;
    for (uint32_t row = 0; row < height; row++) {
        uint32_t y = is_reverse ? height - 1u - row : row;
        for (uint32_t column = 0; column < width && port->fault == FAULT_NONE; column++) {
            uint32_t x = is_reverse ? width - 1u - column : column;
            draw_unit(port, words, target_x + x, target_y + y, source_x + x, source_y + y);
        }
    }
    return FAULT_NONE;
}

/* Between the four units around, of a source that a blit does not have: it is left in ARGB8888. */
static uint32_t filtered_colour(struct port *port, const struct engine_binding *source, const uint32_t *words,
                                uint32_t x, uint32_t y)
{
    const uint32_t left = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_X_WORD], PKT_BLIT_AFFINE_SOURCE_X);
    const uint32_t top = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_Y_WORD], PKT_BLIT_AFFINE_SOURCE_Y);
    const struct affine_between between = affine_between(words, x, y);
    uint32_t colours[4];
    for (uint32_t i = 0; i < 4u; i++) {
        const uint32_t at = unit_address(source, left + between.column[i % 2u], top + between.row[i / 2u]);
        const uint32_t unit = unit_read(port, ACCESS_SOURCE, at, pixel_unit_bytes(source->format));
        colours[i] = pixel_expand(source->format, unit);
    }
    return pixel_bilinear(colours, between.across, between.down);
}

/* Bilinear: a unit lies in a beat, wherever it is. */
static bool is_aligned(const struct engine_binding *binding)
{
    return (binding->address | binding->pitch) % pixel_unit_bytes(binding->format) == 0;
}

static uint32_t execute_affine(struct port *port, unsigned node_index, const uint32_t *words)
{
    const struct engine_binding *target = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_AFFINE_TARGET)];
    const struct engine_binding *source = &port->node->bindings[FIELD_GET(words[0], PKT_BLIT_AFFINE_SOURCE)];
    uint32_t target_x = FIELD_GET(words[PKT_BLIT_AFFINE_TARGET_X_WORD], PKT_BLIT_AFFINE_TARGET_X);
    uint32_t target_y = FIELD_GET(words[PKT_BLIT_AFFINE_TARGET_Y_WORD], PKT_BLIT_AFFINE_TARGET_Y);
    uint32_t source_x = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_X_WORD], PKT_BLIT_AFFINE_SOURCE_X);
    uint32_t source_y = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_Y_WORD], PKT_BLIT_AFFINE_SOURCE_Y);
    uint32_t width = FIELD_GET(words[PKT_BLIT_AFFINE_WIDTH_WORD], PKT_BLIT_AFFINE_WIDTH);
    uint32_t height = FIELD_GET(words[PKT_BLIT_AFFINE_HEIGHT_WORD], PKT_BLIT_AFFINE_HEIGHT);
    uint32_t columns = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_WIDTH_WORD], PKT_BLIT_AFFINE_SOURCE_WIDTH);
    uint32_t rows = FIELD_GET(words[PKT_BLIT_AFFINE_SOURCE_HEIGHT_WORD], PKT_BLIT_AFFINE_SOURCE_HEIGHT);
    bool is_transparent = FIELD_GET(words[0], PKT_BLIT_AFFINE_TRANSPARENT) != 0;
    bool is_filtered = FIELD_GET(words[PKT_BLIT_AFFINE_BILINEAR_WORD], PKT_BLIT_AFFINE_BILINEAR) != 0;
    if (node_index != 0u || !sampling_is_legal(words)) return FAULT_BAD_OPERAND;
    if (source->address == 0 || target->address == 0) return FAULT_UNBOUND;
    if (!engine_affine_is_legal(words, source->format, target->format) || columns == 0 || rows == 0 ||
        !has_colours(port->node, source->format, target->format) || (is_filtered && !is_aligned(source)))
        return FAULT_BAD_OPERAND;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width && port->fault == FAULT_NONE; x++) {
            uint32_t column, row;
            if (!affine_nearest(words, x, y, &column, &row) && is_transparent) continue;
            if (is_filtered)
                draw_colour(port, words, target_x + x, target_y + y, filtered_colour(port, source, words, x, y));
            else draw_unit(port, words, target_x + x, target_y + y, source_x + column, source_y + row);
        }
    return FAULT_NONE;
}

/* ------------------------------------------------------------------ packets that manage */

static uint32_t execute_guard(struct engine_node *node, const uint32_t *words)
{
    uint32_t first = FIELD_GET(words[PKT_GUARD_FIRST_WORD], PKT_GUARD_FIRST);
    uint32_t count = FIELD_GET(words[PKT_GUARD_COUNT_WORD], PKT_GUARD_COUNT);
    uint32_t grants = FIELD_GET(words[0], PKT_GUARD_READ) | FIELD_GET(words[0], PKT_GUARD_WRITE) << 1;
    if (count == 0) return FAULT_NONE;
    if (first >= sizeof node->guard || count > sizeof node->guard - first) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; i < count; i++) node->guard[first + i] = (uint8_t)grants;
    return FAULT_NONE;
}

/* MAP and UNMAP; their FIRST, COUNT and FRAME lie in the same places. */
static uint32_t execute_map(struct engine_model *engine, const uint32_t *words, bool is_map)
{
    uint32_t first = FIELD_GET(words[PKT_MAP_FIRST_WORD], PKT_MAP_FIRST);
    uint32_t count = FIELD_GET(words[PKT_MAP_COUNT_WORD], PKT_MAP_COUNT);
    uint32_t frame = FIELD_GET(words[PKT_MAP_FRAME_WORD], PKT_MAP_FRAME);
    if (count == 0) return FAULT_NONE;
    if (first >= engine->aperture_pages || count > engine->aperture_pages - first) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; i < count; i++)
        engine->aperture[first + i] =
            FIELD_PUT(is_map ? frame + i : frame, APERTURE_ENTRY_FRAME) | FIELD_PUT(1, APERTURE_ENTRY_VALID) |
            FIELD_PUT(is_map, APERTURE_ENTRY_MAPPED) |
            FIELD_PUT(is_map && FIELD_GET(words[0], PKT_MAP_COHERENT), APERTURE_ENTRY_COHERENT);
    return FAULT_NONE;
}

/* ------------------------------------------------------------------ packets that walk a page list */

static bool list_is_legal(unsigned node_index, uint32_t list)
{
    return node_index == 1u && list >= GPU_LIMIT(ADDR_SYSTEM) && list % 4u == 0;
}

/* Entry `index` of the list, read once and checked. False: the walk ends there, with `fault` or the port's. */
static bool list_entry(struct port *port, uint32_t list, uint32_t index, uint32_t *frame, uint32_t *fault)
{
    const uint32_t most = (0u - GPU_LIMIT(ADDR_SYSTEM)) / GPU_LIMIT(PAGE_BYTES); /* pages of 2 GiB */
    *frame = 0;
    for (uint32_t i = 0; i < 4u; i++)
        *frame |= (uint32_t)port_read(port, ACCESS_SOURCE, list + 4u * index + i) << 8u * i;
    if (port->fault != FAULT_NONE) return false;
    if (*frame < port->node->page_bound && *frame < most) return true;
    *fault = FAULT_BAD_PAGE;
    port->fault_address = index;
    return false;
}

static uint32_t execute_copy_list(struct port *port, unsigned node_index, const uint32_t *words)
{
    const uint32_t page = GPU_LIMIT(PAGE_BYTES), list = words[PKT_COPY_LIST_LIST_WORD];
    uint32_t local = words[PKT_COPY_LIST_LOCAL_WORD], left = words[PKT_COPY_LIST_BYTES_WORD];
    uint32_t frame, fault = FAULT_NONE;
    if (!list_is_legal(node_index, list)) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; left != 0 && list_entry(port, list, i, &frame, &fault); i++) {
        uint32_t system = GPU_LIMIT(ADDR_SYSTEM) + frame * page, inside = local + i * page;
        uint32_t bytes = left < page ? left : page;
        bool is_out = FIELD_GET(words[0], PKT_COPY_LIST_TO_SYSTEM) != 0;
        copy_row(port, is_out ? inside : system, is_out ? system : inside, bytes, false);
        if (port->fault != FAULT_NONE) break;
        left -= bytes;
    }
    return fault;
}

static uint32_t execute_map_list(struct port *port, unsigned node_index, const uint32_t *words)
{
    struct engine_model *engine = port->engine;
    uint32_t first = FIELD_GET(words[PKT_MAP_LIST_FIRST_WORD], PKT_MAP_LIST_FIRST);
    uint32_t count = FIELD_GET(words[PKT_MAP_LIST_COUNT_WORD], PKT_MAP_LIST_COUNT);
    uint32_t list = words[PKT_MAP_LIST_LIST_WORD], frame, fault = FAULT_NONE;
    if (!list_is_legal(node_index, list)) return FAULT_BAD_OPERAND;
    if (count == 0) return FAULT_NONE;
    if (first >= engine->aperture_pages || count > engine->aperture_pages - first) return FAULT_BAD_OPERAND;
    for (uint32_t i = 0; i < count && list_entry(port, list, i, &frame, &fault); i++)
        engine->aperture[first + i] = FIELD_PUT(frame, APERTURE_ENTRY_FRAME) | FIELD_PUT(1, APERTURE_ENTRY_VALID) |
                                      FIELD_PUT(1, APERTURE_ENTRY_MAPPED) |
                                      FIELD_PUT(FIELD_GET(words[0], PKT_MAP_LIST_COHERENT), APERTURE_ENTRY_COHERENT);
    return fault;
}

/* ------------------------------------------------------------------ the door */

uint32_t engine_packet_execute(struct engine_model *engine, unsigned node_index, const uint32_t *words, bool is_guarded,
                               uint32_t *address)
{
    struct engine_node *node = &engine->node[node_index];
    /* The guard looks at a palette whoever asks for it. */
    is_guarded = is_guarded || (words[0] & 0xffu) == PKT_PALETTE;
    struct port port = {.engine = engine, .node = node, .is_guarded = is_guarded};
    uint32_t fault = FAULT_NONE;
    switch (words[0] & 0xffu) {
    case PKT_NOP: break;
    case PKT_FENCE:
        node->fence = words[PKT_FENCE_VALUE_WORD];
        if (FIELD_GET(words[0], PKT_FENCE_INTERRUPT)) node->irq |= FIELD_PUT(1, NODE_IRQ_FENCE);
        break;
    case PKT_GUARD: fault = execute_guard(node, words); break;
    case PKT_MAP: fault = execute_map(engine, words, true); break;
    case PKT_UNMAP: fault = execute_map(engine, words, false); break;
    case PKT_MAP_LIST: fault = execute_map_list(&port, node_index, words); break;
    case PKT_COPY_LIST: fault = execute_copy_list(&port, node_index, words); break;
    case PKT_TOUCH: fault = execute_touch(&port, words); break;
    case PKT_COPY: fault = execute_copy(&port, words); break;
    case PKT_FILL: fault = execute_fill(&port, words); break;
    case PKT_COPY_2D: fault = execute_copy_2d(&port, words); break;
    case PKT_TILE: fault = execute_tile(&port, words); break;
    case PKT_BIND: fault = execute_bind(&port, words); break;
    case PKT_FILL_RECT: fault = execute_fill_rect(&port, words); break;
    case PKT_BLIT: fault = execute_blit(&port, words); break;
    case PKT_PALETTE: fault = execute_palette(&port, node_index, words); break;
    case PKT_BLIT_AFFINE: fault = execute_affine(&port, node_index, words); break;
    default: fault = FAULT_BAD_OPCODE; break;
    }
    *address = port.fault_address;
    return fault != FAULT_NONE ? fault : port.fault;
}
