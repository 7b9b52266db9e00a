/* SPDX-License-Identifier: Apache-2.0
 *
 * See lv_draw_tessera_internal.h. Masks lie in sheets of one pitch, on shelves, so that a binding serves many of them.
 * When neither sheet nor shelf has room left, all masks are given up and made again as they are asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "clients/lvgl/lv_draw_tessera_internal.h"

enum {
    PITCH = 512,
    ROWS = 256,
    SHEETS = 4,
    SHELVES = 48,
    MASKS = 1024, /* a power of two: places of the table */
    FULL = MASKS * 3 / 4
};

struct shelf {
    int32_t top, height, used;
};

struct sheet {
    uint8_t *pixels;
    struct tessera_allocation *allocation; /* of its own, if it is not shared */
    struct tessera_surface surface;
    struct shelf shelves[SHELVES];
    int32_t shelf_count, used; /* rows */
    int32_t new_top, new_end;  /* rows to send */
};

struct entry {
    struct mask_key key;
    struct mask mask;
    bool is_used;
};

static struct {
    struct sheet sheets[SHEETS];
    struct tessera_surface ones;
    struct entry *entries;
    uint32_t sheet_count, count;
} masks;

/* ------------------------------------------------------------------ sheets */

static int sheet_begin(struct sheet *sheet)
{
    const struct tessera_allocation_options options = {.bytes = PITCH * ROWS, .flags = ALLOCATION_CPU_VISIBLE};
    bool is_shared = false;
    int status = TESSERA_OK;
    memset(sheet, 0, sizeof *sheet);
    sheet->pixels = lvt_memory_take(PITCH * ROWS, &is_shared);
    if (sheet->pixels == NULL) return TESSERA_NO_MEMORY;
    const struct picture picture = {sheet->pixels, PITCH, PITCH, ROWS, 1, FORMAT_A8};
    if (is_shared) sheet->surface = lvt_memory_surface(&picture, false);
    else status = tessera_allocation_create(lvt_gpu.tessera, &options, &sheet->allocation);
    if (status != TESSERA_OK) {
        lvt_memory_give(sheet->pixels);
        return status;
    }
    if (!is_shared)
        sheet->surface = (struct tessera_surface){
            .allocation = sheet->allocation, .format = FORMAT_A8, .pitch = PITCH, .bytes = PITCH * ROWS};
    return TESSERA_OK;
}

static void note_new(struct sheet *sheet, int32_t top, int32_t height)
{
    if (sheet->allocation == NULL) return;
    if (sheet->new_top == sheet->new_end) sheet->new_top = top;
    sheet->new_top = LV_MIN(sheet->new_top, top);
    sheet->new_end = LV_MAX(sheet->new_end, top + height);
}

int lvt_masks_send(void)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < masks.sheet_count && status == TESSERA_OK; i++) {
        struct sheet *sheet = &masks.sheets[i];
        const uint32_t from = (uint32_t)sheet->new_top * PITCH, bytes = (uint32_t)sheet->new_end * PITCH - from;
        if (bytes == 0) continue;
        status = tessera_write(lvt_gpu.tessera, sheet->allocation, from, sheet->pixels + from, bytes);
        lvt_gpu.counts.bytes_in += bytes;
        sheet->new_top = sheet->new_end = 0;
    }
    return status;
}

/* ------------------------------------------------------------------ shelves */

/* A shelf that is high enough, and not much higher, with room; a new one; NULL. */
static struct shelf *shelf_for(struct sheet *sheet, int32_t width, int32_t height)
{
    for (struct shelf *shelf = sheet->shelves; shelf < sheet->shelves + sheet->shelf_count; shelf++)
        if (shelf->height >= height && shelf->height <= height + height / 4 + 2 && PITCH - shelf->used >= width)
            return shelf;
    if (sheet->shelf_count == SHELVES || ROWS - sheet->used < height) return NULL;
    struct shelf *made = &sheet->shelves[sheet->shelf_count++];
    *made = (struct shelf){sheet->used, height, 0};
    sheet->used += height;
    return made;
}

static bool place(struct mask *mask, uint8_t **first)
{
    for (uint32_t i = 0; i < SHEETS; i++) {
        struct sheet *sheet = &masks.sheets[i];
        if (i == masks.sheet_count && sheet_begin(sheet) != TESSERA_OK) return false;
        if (i == masks.sheet_count) masks.sheet_count++;
        struct shelf *shelf = shelf_for(sheet, mask->width, mask->height);
        if (shelf == NULL) continue;
        mask->surface = sheet->surface;
        mask->x = (uint32_t)shelf->used;
        mask->y = (uint32_t)shelf->top;
        shelf->used += mask->width;
        note_new(sheet, shelf->top, mask->height);
        *first = sheet->pixels + (size_t)mask->y * PITCH + mask->x;
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ the table */

/* Member by member: what pads them has no meaning. */
static bool is_same(const struct mask_key *a, const struct mask_key *b)
{
    return a->font == b->font && a->kind == b->kind && a->glyph == b->glyph && a->width == b->width &&
           a->height == b->height && a->radius == b->radius && a->line == b->line && a->side == b->side;
}

static uint32_t hash_of(const struct mask_key *key)
{
    const uint32_t words[] = {(uint32_t)(uintptr_t)key->font,
                              key->kind,
                              key->glyph,
                              (uint32_t)key->width,
                              (uint32_t)key->height,
                              (uint32_t)key->radius,
                              (uint32_t)key->line,
                              (uint32_t)key->side};
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static struct entry *entry_of(const struct mask_key *key)
{
    for (uint32_t at = hash_of(key);; at++) {
        struct entry *entry = &masks.entries[at % MASKS];
        if (!entry->is_used || is_same(&entry->key, key)) return entry;
    }
}

bool lvt_masks_hold(int32_t width, int32_t height) { return width <= PITCH && height <= ROWS - MASK_ONES / PITCH; }

bool lvt_masks_find(const struct mask_key *key, struct mask *mask)
{
    const struct entry *entry = entry_of(key);
    if (entry->is_used) *mask = entry->mask;
    return entry->is_used;
}

void lvt_masks_forget(void)
{
    lvt_queue_finish();
    memset(masks.entries, 0, MASKS * sizeof *masks.entries);
    masks.count = 0;
    for (uint32_t i = 0; i < masks.sheet_count; i++) {
        masks.sheets[i].shelf_count = 0;
        masks.sheets[i].used = i == 0 ? MASK_ONES / PITCH : 0;
    }
}

uint8_t *lvt_masks_add(const struct mask_key *key, struct mask *mask, uint32_t *stride)
{
    uint8_t *first = NULL;
    *mask = (struct mask){.width = key->width, .height = key->height};
    *stride = PITCH;
    if (!lvt_masks_hold(key->width, key->height)) return NULL;
    if (masks.count >= FULL || !place(mask, &first)) {
        lvt_masks_forget();
        if (!place(mask, &first)) return NULL;
    }
    struct entry *entry = entry_of(key);
    *entry = (struct entry){*key, *mask, true};
    masks.count++;
    lvt_gpu.counts.masks++;
    for (int32_t y = 0; y < mask->height; y++) memset(first + (size_t)y * PITCH, 0, (size_t)mask->width);
    return first;
}

const struct tessera_surface *lvt_masks_ones(void) { return &masks.ones; }

int lvt_masks_begin(void)
{
    memset(&masks, 0, sizeof masks);
    masks.entries = calloc(MASKS, sizeof *masks.entries);
    int status = masks.entries != NULL ? sheet_begin(&masks.sheets[0]) : TESSERA_NO_MEMORY;
    if (status != TESSERA_OK) {
        free(masks.entries);
        return status;
    }
    masks.sheet_count = 1;
    masks.sheets[0].used = MASK_ONES / PITCH;
    memset(masks.sheets[0].pixels, 255, MASK_ONES);
    note_new(&masks.sheets[0], 0, MASK_ONES / PITCH);
    masks.ones = masks.sheets[0].surface;
    masks.ones.pitch = 0;
    masks.ones.bytes = MASK_ONES;
    return TESSERA_OK;
}

void lvt_masks_end(void)
{
    for (uint32_t i = 0; i < masks.sheet_count; i++) {
        (void)tessera_allocation_destroy(lvt_gpu.tessera, masks.sheets[i].allocation);
        lvt_memory_give(masks.sheets[i].pixels);
    }
    free(masks.entries);
    memset(&masks, 0, sizeof masks);
}
