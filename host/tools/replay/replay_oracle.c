/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle's memory: pages exist from the first drawing into them; until then they are computed.
 */
#include "tools/replay/replay_oracle.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_WORDS = ORACLE_PAGE_BYTES / 4 };

struct surface {
    uint32_t **pages; /* NULL: as it was at the start */
    uint32_t page_count;
    bool is_undefined, is_drawn;
};

struct oracle {
    struct surface *surfaces;
    uint32_t surface_count;
    uint32_t seed;
};

struct oracle *oracle_create(uint32_t surface_count, uint32_t seed)
{
    struct oracle *oracle = calloc(1, sizeof *oracle);
    if (oracle == NULL) return NULL;
    oracle->surfaces = calloc(surface_count + 1u, sizeof *oracle->surfaces);
    oracle->surface_count = surface_count;
    oracle->seed = seed;
    if (oracle->surfaces == NULL) {
        free(oracle);
        return NULL;
    }
    return oracle;
}

void oracle_destroy(struct oracle *oracle)
{
    if (oracle == NULL) return;
    for (uint32_t i = 0; i < oracle->surface_count; i++) oracle_release(oracle, i);
    free(oracle->surfaces);
    free(oracle);
}

bool oracle_surface(struct oracle *oracle, uint32_t id, uint32_t pages, bool is_undefined)
{
    struct surface *surface = &oracle->surfaces[id];
    oracle_release(oracle, id);
    surface->pages = calloc(pages, sizeof *surface->pages);
    surface->page_count = surface->pages != NULL ? pages : 0;
    surface->is_undefined = is_undefined;
    return surface->pages != NULL;
}

void oracle_release(struct oracle *oracle, uint32_t id)
{
    struct surface *surface = &oracle->surfaces[id];
    for (uint32_t i = 0; i < surface->page_count; i++) free(surface->pages[i]);
    free(surface->pages);
    *surface = (struct surface){0};
}

/* ------------------------------------------------------------------ content before the first drawing */

/* Every bit of the input stirs every bit of the output. */
static uint32_t stir(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ value >> 16;
}

uint32_t oracle_pattern(const struct oracle *oracle, uint32_t id)
{
    /* An odd multiple of the id plus a constant is different for every id; 0 is left out. */
    uint32_t pattern = (id + 1u) * 0x9e3779b1u ^ stir(oracle->seed + 1u);
    return pattern != 0 ? pattern : 0x5eed5eedu;
}

static void initial_page(const struct oracle *oracle, uint32_t id, uint32_t page, uint32_t words[PAGE_WORDS])
{
    uint32_t pattern = oracle_pattern(oracle, id);
    for (uint32_t i = 0; i < PAGE_WORDS; i++)
        words[i] = oracle->surfaces[id].is_undefined ? pattern : stir(pattern + page * PAGE_WORDS + i);
}

void oracle_page(const struct oracle *oracle, uint32_t id, uint32_t page, uint8_t bytes[ORACLE_PAGE_BYTES])
{
    uint32_t words[PAGE_WORDS];
    const uint32_t *drawn = oracle->surfaces[id].pages[page];
    if (drawn == NULL) initial_page(oracle, id, page, words);
    memcpy(bytes, drawn != NULL ? drawn : words, ORACLE_PAGE_BYTES);
}

bool oracle_is_drawn(const struct oracle *oracle, uint32_t id) { return oracle->surfaces[id].is_drawn; }

/* ------------------------------------------------------------------ drawing */

static uint32_t *row_for_writing(struct oracle *oracle, uint32_t id, uint32_t y)
{
    struct surface *surface = &oracle->surfaces[id];
    uint32_t page = y / ORACLE_PAGE_ROWS;
    if (surface->pages[page] == NULL) {
        surface->pages[page] = malloc(ORACLE_PAGE_BYTES);
        /* analyse: analyzer-malloc-leak: the surface's, freed with it */
        if (surface->pages[page] == NULL) return NULL;
        initial_page(oracle, id, page, surface->pages[page]);
    }
    return surface->pages[page] + y % ORACLE_PAGE_ROWS * ORACLE_WIDTH;
}

static void read_row(const struct oracle *oracle, uint32_t id, uint32_t y, uint32_t row[ORACLE_WIDTH])
{
    uint32_t words[PAGE_WORDS];
    oracle_page(oracle, id, y / ORACLE_PAGE_ROWS, (uint8_t *)words);
    memcpy(row, words + y % ORACLE_PAGE_ROWS * ORACLE_WIDTH, ORACLE_PITCH);
}

bool oracle_draw(struct oracle *oracle, const struct draw *draw)
{
    uint32_t source[ORACLE_WIDTH];
    oracle->surfaces[draw->target].is_drawn = true;
    for (uint32_t y = 0; y < draw->height; y++) {
        uint32_t *row = row_for_writing(oracle, draw->target, draw->target_y + y);
        if (row == NULL) return false;
        if (draw->kind != DRAW_FILL) read_row(oracle, draw->source, draw->source_y + y, source);
        for (uint32_t x = 0; x < draw->width; x++) {
            uint32_t *unit = &row[draw->target_x + x];
            switch (draw->kind) {
            case DRAW_FILL: *unit = draw->colour; break;
            case DRAW_COPY: *unit = source[draw->source_x + x]; break;
            case DRAW_XOR: *unit ^= source[draw->source_x + x]; break;
            }
        }
    }
    return true;
}
