/* SPDX-License-Identifier: Apache-2.0
 *
 * The default scene, from Freedoom's data. Every frame, back to front:
 *
 *   1, 2  a mosaic of 20 x 20 tesserae of 16 x 12 pixels, each a moving crop of another wall texture or
 *         flat. Which texture goes where is chosen by brightness, so that together they show the title picture.
 *   3     the title picture itself, translucent and breathing; torches, walking monsters (colour key), glows
 *         (premultiplied blend)
 *   4     status bar, frame counter and a line of text
 *
 * The mosaic is what makes local memory too small: its textures alone are several times what fits, and
 * every frame needs all of them once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "tools/scene/scene.h"
#include "tools/scene/scene_texture.h"

enum {
    COLUMNS = 20,
    ROWS = 20,
    CELL_WIDTH = 16,
    CELL_HEIGHT = 12,
    CELLS = COLUMNS * ROWS,
    GLYPH_FIRST = 33,
    GLYPHS = 63,
    DIGITS = 10,
    STEPS = 4,
    WALKERS = 6,
    TORCHES = 3,
    GLOWS = 3,
    TEXTURE_CAPACITY = 900,
    BUCKETS = 5
};

struct freedoom {
    uint16_t cell[CELLS];
    uint8_t phase[CELLS]; /* where a cell's crop starts its way */
    uint32_t footprint;   /* of frame 0, bytes */
    uint32_t variety;     /* different textures in the mosaic; further cells repeat them */
    uint16_t title, bar, strip, logo;
    uint16_t glyph[GLYPHS], digit[DIGITS];
    uint16_t walker[WALKERS][STEPS], torch[TORCHES][STEPS], glow[GLOWS];
};

static uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* ------------------------------------------------------------------ choosing textures */

struct candidate {
    int lump;
    bool is_flat;
    uint32_t pages;
};

/* Candidates of similar size, shuffled. */
struct bucket {
    struct candidate *items;
    uint32_t count, taken;
};

static const uint32_t bucket_pages[BUCKETS] = {2, 4, 8, 16, 64};

static void offer(struct bucket *buckets, struct candidate candidate)
{
    for (uint32_t b = 0; b < BUCKETS; b++) {
        if (candidate.pages == bucket_pages[b]) {
            buckets[b].items[buckets[b].count++] = candidate;
            return;
        }
    }
}

/* Everything between two markers that is opaque and has one of the bucket sizes. */
static void gather(struct texture_maker *maker, const char *start, const char *end, bool is_flat,
                   struct bucket *buckets)
{
    const struct wad *wad = maker->wad;
    int first = wad_find(wad, start, true, 0), last = wad_find(wad, end, true, first < 0 ? 0 : first);
    for (int lump = first; first >= 0 && lump < last; lump++) {
        struct picture picture;
        if (!texture_picture(maker, lump, is_flat, &picture)) continue;
        uint32_t bytes = picture.width * picture.height * 2u;
        if (!picture.has_holes && picture.width >= 32 && picture.height >= 32)
            offer(buckets, (struct candidate){lump, is_flat, (bytes + 4095u) / 4096u});
        picture_free(&picture);
    }
}

static void shuffle(struct bucket *bucket, uint32_t *state)
{
    for (uint32_t i = bucket->count; i > 1; i--) {
        uint32_t other = random_next(state) % i;
        struct candidate moved = bucket->items[i - 1];
        bucket->items[i - 1] = bucket->items[other];
        bucket->items[other] = moved;
    }
}

/* The bucket for the next of `left` cells that have `pages` to fill: one of the two around the average, so that
 * the sum comes out right. */
static struct bucket *pick_bucket(struct bucket *buckets, uint32_t pages, uint32_t left, uint32_t *state)
{
    uint32_t below = 0, above = BUCKETS - 1;
    for (uint32_t b = 0; b < BUCKETS; b++)
        if (buckets[b].taken < buckets[b].count && bucket_pages[b] * left <= pages) below = b;
    for (uint32_t b = BUCKETS; b-- > 0;)
        if (buckets[b].taken < buckets[b].count && bucket_pages[b] * left >= pages) above = b;
    uint32_t low = bucket_pages[below] * left, high = bucket_pages[above] * left;
    bool takes_above = above > below && (pages > low ? pages - low : 0) > random_next(state) % (high - low);
    struct bucket *bucket = &buckets[takes_above ? above : below];
    for (uint32_t b = 0; bucket->taken == bucket->count && b < BUCKETS; b++) bucket = &buckets[b];
    return bucket->taken < bucket->count ? bucket : NULL;
}

static uint32_t make_candidate(struct texture_maker *maker, const struct candidate *candidate)
{
    struct picture picture;
    char name[9];
    if (!candidate->is_flat) return texture_from_lump(maker, candidate->lump);
    if (!texture_picture(maker, candidate->lump, true, &picture)) return SCENE_FILL;
    wad_name(maker->wad, candidate->lump, name);
    uint32_t index = texture_from_picture(maker, name, &picture);
    picture_free(&picture);
    return index;
}

/* `variety` textures of `pages` pages in sum, as near as the data allows. A fifth are flats and a twentieth
 * large, for variety; the rest fills up. */
static bool choose_cells(struct texture_maker *maker, struct freedoom *freedoom, uint32_t pages, uint32_t *state)
{
    struct bucket buckets[BUCKETS];
    struct candidate *items = calloc(BUCKETS * maker->wad->lump_count + 1u, sizeof *items);
    bool is_good = items != NULL;
    maker->is_out_of_memory = maker->is_out_of_memory || items == NULL;
    for (uint32_t b = 0; b < BUCKETS && is_good; b++)
        buckets[b] = (struct bucket){items + b * maker->wad->lump_count, 0, 0};
    if (is_good) {
        gather(maker, "F_START", "F_END", true, buckets);
        gather(maker, "P_START", "P_END", false, buckets);
        for (uint32_t b = 0; b < BUCKETS; b++) shuffle(&buckets[b], state);
    }
    for (uint32_t i = 0; i < freedoom->variety && is_good; i++) {
        struct bucket *bucket = pick_bucket(buckets, pages, freedoom->variety - i, state);
        if (i < freedoom->variety / 5 && buckets[0].taken < buckets[0].count) bucket = &buckets[0];
        else if (i < freedoom->variety / 4 && buckets[3].taken < buckets[3].count) bucket = &buckets[3];
        is_good = bucket != NULL;
        if (!is_good) break;
        const struct candidate *candidate = &bucket->items[bucket->taken++];
        uint32_t index = make_candidate(maker, candidate);
        freedoom->cell[i] = (uint16_t)index;
        freedoom->phase[i] = (uint8_t)random_next(state);
        is_good = index != SCENE_FILL;
        pages = pages > candidate->pages ? pages - candidate->pages : 0;
    }
    for (uint32_t i = freedoom->variety; i < CELLS && is_good; i++) {
        freedoom->cell[i] = freedoom->cell[i - freedoom->variety];
        freedoom->phase[i] = (uint8_t)random_next(state);
    }
    free(items);
    return is_good;
}

/* ------------------------------------------------------------------ arranging the mosaic */

struct ranked {
    uint32_t brightness;
    uint16_t value;
};

static int by_brightness(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->brightness != b->brightness) return a->brightness < b->brightness ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static uint32_t luminance(uint32_t colour)
{
    return 3u * (colour >> 16 & 255u) + 6u * (colour >> 8 & 255u) + (colour & 255u);
}

static uint32_t texture_brightness(const struct scene_texture *texture)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < texture->width * texture->height; i++) {
        uint32_t unit = (uint32_t)texture->data[2 * i] | (uint32_t)texture->data[2 * i + 1] << 8;
        sum += luminance((unit >> 11 & 31u) << 19 | (unit >> 5 & 63u) << 10 | (unit & 31u) << 3);
    }
    /* analyse: clang-analyzer-core.DivideZero: wad.c takes no picture without a pixel */
    return (uint32_t)(sum * 16u / (texture->width * texture->height));
}

/* Brightness of the title picture under one cell; cells below it continue its last row. */
static uint32_t cell_brightness(const struct scene_texture *title, uint32_t cell)
{
    uint32_t left = cell % COLUMNS * CELL_WIDTH, top = cell / COLUMNS * CELL_HEIGHT, sum = 0;
    for (uint32_t y = 0; y < CELL_HEIGHT; y++) {
        for (uint32_t x = 0; x < CELL_WIDTH; x++) {
            uint32_t row = top + y < title->height ? top + y : title->height - 1u;
            uint32_t column = left + x < title->width ? left + x : title->width - 1u;
            const uint8_t *unit = title->data + row * title->pitch + column * 4u;
            sum += luminance((uint32_t)unit[2] << 16 | (uint32_t)unit[1] << 8 | unit[0]);
        }
    }
    return sum;
}

/* The brightest texture to the brightest cell, and so on down. */
static void arrange_cells(const struct scene *scene, struct freedoom *freedoom)
{
    struct ranked cells[CELLS], textures[CELLS];
    for (uint32_t i = 0; i < CELLS; i++) {
        cells[i] = (struct ranked){cell_brightness(&scene->textures[freedoom->title], i), (uint16_t)i};
        textures[i] = (struct ranked){texture_brightness(&scene->textures[freedoom->cell[i]]), freedoom->cell[i]};
    }
    qsort(cells, CELLS, sizeof *cells, by_brightness);
    qsort(textures, CELLS, sizeof *textures, by_brightness);
    for (uint32_t i = 0; i < CELLS; i++) freedoom->cell[cells[i].value] = textures[i].value;
}

/* ------------------------------------------------------------------ drawing */

struct painter {
    const struct scene *scene;
    struct scene_frame *frame;
};

static void next_buffer(struct painter *painter)
{
    if (painter->frame->buffer_count < SCENE_BUFFERS) painter->frame->buffer_count++;
}

/* Draw a texture, or a crop of it, clipped to the frame. */
static void draw(struct painter *painter, uint32_t index, int x, int y, struct scene_draw how)
{
    struct scene_frame *frame = painter->frame;
    uint32_t buffer = frame->buffer_count - 1u;
    const struct scene_texture *texture = &painter->scene->textures[index];
    if (index == SCENE_FILL || frame->buffer[buffer].count == SCENE_BUFFER_DRAWS) return;
    int width = how.width != 0 ? how.width : (int)texture->width,
        height = how.height != 0 ? how.height : (int)texture->height;
    int left = x < 0 ? -x : 0, top = y < 0 ? -y : 0;
    if (x + width > SCENE_WIDTH) width = SCENE_WIDTH - x;
    if (y + height > SCENE_HEIGHT) height = SCENE_HEIGHT - y;
    if (left >= width || top >= height) return;
    how.texture = (uint16_t)index;
    how.target_x = (uint16_t)(x + left);
    how.target_y = (uint16_t)(y + top);
    how.source_x = (uint16_t)(how.source_x + left);
    how.source_y = (uint16_t)(how.source_y + top);
    how.width = (uint16_t)(width - left);
    how.height = (uint16_t)(height - top);
    frame->buffer[buffer].draws[frame->buffer[buffer].count++] = how;
}

static const struct scene_draw key_draw = {.mode = BLIT_KEY, .value = TEXTURE_KEY};

static void paint_text(struct painter *painter, const struct freedoom *freedoom, int x, int y, const char *text)
{
    for (; *text != 0; text++) {
        int glyph = *text - GLYPH_FIRST;
        if (glyph < 0 || glyph >= GLYPHS || freedoom->glyph[glyph] == SCENE_FILL) {
            x += 4;
            continue;
        }
        draw(painter, freedoom->glyph[glyph], x, y, key_draw);
        x += (int)painter->scene->textures[freedoom->glyph[glyph]].width;
    }
}

/* The crop of a cell wanders through its texture, back and forth in both directions. */
static uint32_t wander(uint32_t time, uint32_t range)
{
    uint32_t at = range != 0 ? time % (2u * range) : 0;
    return at < range ? at : 2u * range - at;
}

static void paint_mosaic(struct painter *painter, const struct freedoom *freedoom, uint32_t number, uint32_t first,
                         uint32_t count)
{
    for (uint32_t cell = first; cell < first + count; cell++) {
        const struct scene_texture *texture = &painter->scene->textures[freedoom->cell[cell]];
        struct scene_draw crop = {.mode = BLIT_COPY, .width = CELL_WIDTH, .height = CELL_HEIGHT};
        crop.source_x = (uint16_t)wander(freedoom->phase[cell] + 2u * number, texture->width - CELL_WIDTH);
        crop.source_y = (uint16_t)wander(freedoom->phase[cell] / 3u + number, texture->height - CELL_HEIGHT);
        draw(painter, freedoom->cell[cell], (int)(cell % COLUMNS * CELL_WIDTH), (int)(cell / COLUMNS * CELL_HEIGHT),
             crop);
    }
}

static void paint_actors(struct painter *painter, const struct freedoom *freedoom, uint32_t number)
{
    enum { FLOOR = 206, PATH = SCENE_WIDTH + 120 };
    struct scene_draw light = {.mode = BLIT_BLEND, .is_premultiplied = 1};
    for (uint32_t i = 0; i < TORCHES; i++) {
        uint32_t torch = freedoom->torch[i][(number + i) % STEPS];
        int x = 30 + 120 * (int)i;
        if (torch == SCENE_FILL) continue;
        int height = (int)painter->scene->textures[torch].height;
        draw(painter, torch, x, FLOOR - 6 - height, key_draw);
        light.value = 200u + 18u * ((number + i) % STEPS);
        draw(painter, freedoom->glow[i], x - 38, FLOOR - 40 - height, light);
    }
    for (uint32_t i = 0; i < WALKERS; i++) {
        uint32_t sprite = freedoom->walker[i][(number + i) % STEPS];
        if (sprite == SCENE_FILL) continue;
        const struct scene_texture *texture = &painter->scene->textures[sprite];
        int x = SCENE_WIDTH - (int)((number * (5u + i % 3u) + i * 73u) % PATH) + 60 - (int)texture->width;
        draw(painter, sprite, x, FLOOR + 2 * (int)(i % 3u) - (int)texture->height, key_draw);
    }
}

static void paint_status(struct painter *painter, const struct freedoom *freedoom, uint32_t number)
{
    struct scene_draw blend = {.mode = BLIT_BLEND, .value = 255};
    char text[64];
    draw(painter, freedoom->strip, 0, 0, blend);
    snprintf(text, sizeof text, "TESSERA: %u TEXTURES, %u KB", freedoom->variety, freedoom->footprint / 1024u);
    paint_text(painter, freedoom, 6, 4, text);
    draw(painter, freedoom->logo, (SCENE_WIDTH - 159) / 2, 20, blend);
    draw(painter, freedoom->bar, 0, SCENE_HEIGHT - 32, blend);
    snprintf(text, sizeof text, "%03u", number % 1000u);
    for (uint32_t i = 0; text[i] != 0; i++)
        draw(painter, freedoom->digit[text[i] - '0'], 50 + 14 * (int)i, SCENE_HEIGHT - 29, key_draw);
}

static void freedoom_frame(const struct scene *scene, uint32_t number, struct scene_frame *frame)
{
    const struct freedoom *freedoom = scene->state;
    struct painter painter = {scene, frame};
    struct scene_draw breath = {.mode = BLIT_BLEND, .value = 96u + 12u * wander(number, 4)};
    memset(frame, 0, sizeof *frame);
    next_buffer(&painter);
    paint_mosaic(&painter, freedoom, number, 0, CELLS / 2);
    next_buffer(&painter);
    paint_mosaic(&painter, freedoom, number, CELLS / 2, CELLS / 2);
    next_buffer(&painter);
    draw(&painter, freedoom->title, 0, 0, breath);
    paint_actors(&painter, freedoom, number);
    next_buffer(&painter);
    paint_status(&painter, freedoom, number);
}

/* ------------------------------------------------------------------ making the scene */

/* Four steps of a walk or a flame: lumps named <prefix>A.., B.., C.., D.. with `suffix` after the letter. */
static void load_steps(struct texture_maker *maker, uint16_t steps[STEPS], const char *prefix, const char *suffix)
{
    for (unsigned i = 0; i < STEPS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%c%s", prefix, (int)('A' + i), suffix);
        steps[i] = (uint16_t)texture_from_lump(maker, wad_find(maker->wad, name, false, 0));
    }
}

static bool load_actors(struct texture_maker *maker, struct freedoom *freedoom)
{
    static const char *const walkers[WALKERS] = {"POSS", "TROO", "SPOS", "SARG", "BOSS", "PLAY"};
    static const char *const torches[TORCHES] = {"TRED", "TGRN", "TBLU"};
    static const uint32_t colours[GLOWS] = {0xff6020, 0x40ff50, 0x5070ff};
    const struct wad *wad = maker->wad;
    for (unsigned i = 0; i < WALKERS; i++) load_steps(maker, freedoom->walker[i], walkers[i], "3");
    for (unsigned i = 0; i < TORCHES; i++) load_steps(maker, freedoom->torch[i], torches[i], "0");
    for (unsigned i = 0; i < GLOWS; i++) freedoom->glow[i] = (uint16_t)texture_glow(maker, "(glow)", 96, colours[i]);
    for (unsigned i = 0; i < GLYPHS; i++) {
        char name[16];
        snprintf(name, sizeof name, "STCFN%03u", GLYPH_FIRST + i);
        freedoom->glyph[i] = (uint16_t)texture_from_lump(maker, wad_find(wad, name, true, 0));
    }
    for (unsigned i = 0; i < DIGITS; i++) {
        char name[16];
        snprintf(name, sizeof name, "STTNUM%u", i);
        freedoom->digit[i] = (uint16_t)texture_from_lump(maker, wad_find(wad, name, true, 0));
    }
    freedoom->title = (uint16_t)texture_argb_from_lump(maker, wad_find(wad, "TITLEPIC", true, 0), 255);
    freedoom->logo = (uint16_t)texture_argb_from_lump(maker, wad_find(wad, "M_DOOM", true, 0), 200);
    freedoom->bar = (uint16_t)texture_argb_from_lump(maker, wad_find(wad, "STBAR", true, 0), 235);
    freedoom->strip = (uint16_t)texture_plain(maker, "(strip)", SCENE_WIDTH, 15, 0xa0100808);
    return freedoom->title != SCENE_FILL && freedoom->bar != SCENE_FILL;
}

static void freedoom_destroy(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->texture_count; i++) free(scene->textures[i].data);
    free(scene->textures);
    free(scene->state);
    memset(scene, 0, sizeof *scene);
}

/* Also without enough pictures in the WAD file, or without memory for them, which *is_out_of_memory says, false. */
static bool make_scene(struct scene *scene, const struct wad *wad, uint32_t seed, uint64_t footprint, uint32_t variety,
                       bool *is_out_of_memory)
{
    struct texture_maker maker;
    struct freedoom *freedoom = scene->state;
    freedoom->variety = variety != 0 && variety < CELLS ? variety : CELLS;
    uint32_t state = seed * 2654435761u + 0x1234567u;
    if (state == 0) state = 1;
    bool is_good = texture_maker_init(&maker, scene, wad, TEXTURE_CAPACITY) && load_actors(&maker, freedoom);
    *is_out_of_memory = maker.is_out_of_memory;
    if (!is_good || maker.is_out_of_memory) return false;
    /* What every frame shows besides the mosaic: title, strip, logo, bar. */
    const uint16_t always[] = {freedoom->title, freedoom->strip, freedoom->bar};
    uint32_t pages = (uint32_t)(footprint / 4096u) + 1u;
    for (unsigned i = 0; i < sizeof always / sizeof *always; i++)
        pages -= pages > texture_pages(&scene->textures[always[i]]) ? texture_pages(&scene->textures[always[i]]) : 0;
    is_good = choose_cells(&maker, freedoom, pages, &state);
    *is_out_of_memory = maker.is_out_of_memory;
    if (!is_good || maker.is_out_of_memory) return false;
    arrange_cells(scene, freedoom);
    freedoom->footprint = (uint32_t)scene_frame_footprint(scene, 0);
    *is_out_of_memory = freedoom->footprint == 0;
    return freedoom->footprint != 0;
}

int scene_freedoom(struct scene *scene, const char *wad_path, uint32_t seed, uint64_t footprint, uint32_t variety,
                   char message[256])
{
    struct wad wad;
    memset(scene, 0, sizeof *scene);
    if (wad_open(&wad, wad_path, message) != 0) return -1;
    scene->name = "freedoom";
    scene->frame = freedoom_frame;
    scene->destroy = freedoom_destroy;
    scene->state = calloc(1, sizeof(struct freedoom));
    bool is_out_of_memory = scene->state == NULL;
    bool is_made = scene->state != NULL && make_scene(scene, &wad, seed, footprint, variety, &is_out_of_memory);
    wad_close(&wad);
    uint64_t reached = is_made ? scene_frame_footprint(scene, 0) : 0;
    if (is_made && reached >= footprint) return 0;
    if (is_out_of_memory || (is_made && reached == 0)) snprintf(message, 256, "out of memory");
    else
        snprintf(message, 256,
                 "%s lacks pictures that this scene needs (%llu KB of %llu KB of textures). Use freedoom1.wad of "
                 "Debian's package freedoom.",
                 wad_path, (unsigned long long)reached / 1024u, (unsigned long long)footprint / 1024u);
    freedoom_destroy(scene);
    return -1;
}
