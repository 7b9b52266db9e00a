/* SPDX-License-Identifier: Apache-2.0
 *
 * What every allocation must contain. The oracle keeps the bytes of all allocations in the program's own
 * memory, never paged, never split, never moved, and repeats each drawing there; at the end the device must
 * agree byte for byte. It shares nothing with the golden model.
 *
 * Surfaces are ARGB8888, ORACLE_WIDTH units wide; one page holds ORACLE_PAGE_ROWS rows.
 */
#ifndef REPLAY_ORACLE_H
#define REPLAY_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ORACLE_PITCH = 1024, /* bytes from row to row */
    ORACLE_WIDTH = ORACLE_PITCH / 4,
    ORACLE_PAGE_BYTES = 4096,
    ORACLE_PAGE_ROWS = ORACLE_PAGE_BYTES / ORACLE_PITCH
};

enum draw_kind {
    DRAW_FILL, /* target := colour */
    DRAW_COPY, /* target := source */
    DRAW_XOR   /* target := target xor source */
};

/* One rectangle drawn by the engine. Target and source are different surfaces. */
struct draw {
    enum draw_kind kind;
    uint32_t target, source; /* surfaces */
    uint32_t target_x, target_y, source_x, source_y, width, height;
    uint32_t colour;
};

struct oracle;

/* NULL: out of memory. */
struct oracle *oracle_create(uint32_t surface_count, uint32_t seed);
void oracle_destroy(struct oracle *oracle);

/* Surface `id` has `pages` pages; its content is the surface's own noise, or with `is_undefined` the
 * repeated oracle_pattern(). */
bool oracle_surface(struct oracle *oracle, uint32_t id, uint32_t pages, bool is_undefined);
/* The fill pattern of a surface; different for different surfaces, never 0. */
uint32_t oracle_pattern(const struct oracle *oracle, uint32_t id);
/* Forget the content (the allocation is destroyed). */
void oracle_release(struct oracle *oracle, uint32_t id);

/* False: out of memory. */
bool oracle_draw(struct oracle *oracle, const struct draw *draw);

/* Has anything been drawn into it? */
bool oracle_is_drawn(const struct oracle *oracle, uint32_t id);
/* The expected bytes of one page. */
void oracle_page(const struct oracle *oracle, uint32_t id, uint32_t page, uint8_t bytes[ORACLE_PAGE_BYTES]);

#endif
