/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the steps that are planned for a call of SDL 2's renderer draw what SDL draws, pixel for pixel, so that the
 * recording has copies and fills instead of pixels. Method: random calls go to SDL's software renderer and to plan.c;
 * the steps are carried out here, plainly. What is left to pixels is counted, and may be no more than is known.
 */
#include <SDL2/SDL.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/plan.h"
#include "clients/sdl/record/steps.h"

enum { WIDTH = 64, HEIGHT = 48, TEXELS_X = 16, TEXELS_Y = 12, EACH = 4000, KINDS = 8 };
static const char *const kinds[KINDS] = {"clear", "fill", "points", "lines", "outline", "copy", "turned", "triangles"};
/* Of each kind, what is left to pixels (sides of 0, triangles that make no rectangle for SDL), and what SDL draws
 * otherwise (some lines, some turns around a corner): pixels are recorded then. Neither may grow, nor shrink unseen. */
static const unsigned known_left[KINDS] = {[5] = 196, [7] = 417}, known_unlike[KINDS] = {[3] = 514, [6] = 18};

static uint32_t drawn[HEIGHT][WIDTH], texels[TEXELS_Y][TEXELS_X];
static SDL_Surface *screen;
static SDL_Renderer *renderer;
static SDL_Texture *texture;
static struct sdl2_rect clip; /* of the steps */
static bool is_left;
static int wanted_mode;
static unsigned passed, failed;

/* ------------------------------------------------------------------ stand-ins: steps, carried out */

enum sdl_version sdl_version(void) { return SDL_2; }
void *sdl_function(const char *name)
{
    return strcmp(name, "SDL_GetTextureScaleMode") == 0 ? (void *)(uintptr_t)SDL_GetTextureScaleMode : NULL;
}
uint32_t renderer_raw(const struct renderer_state *state, uint32_t colour)
{
    (void)state;
    return colour >> 8 | colour << 24;
}
bool texture_view(struct view *view, void *of)
{
    *view = (struct view){.width = TEXELS_X, .height = TEXELS_Y};
    return of == texture;
}
static void put(int x, int y, uint32_t unit, const struct sdl2_rect *within)
{
    if (x >= within->x && y >= within->y && x < within->x + within->width && y < within->y + within->height)
        drawn[y][x] = unit;
}
void steps_clear(uint32_t raw)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) drawn[i / WIDTH][i % WIDTH] = raw;
}
void steps_flat(const struct sdl2_rect *rect, uint32_t colour, int mode, uint32_t raw)
{
    if (mode != wanted_mode || raw != (colour >> 8 | colour << 24)) is_left = true;
    for (int y = rect->y; y < rect->y + rect->height; y++)
        for (int x = rect->x; x < rect->x + rect->width; x++) put(x, y, raw, &clip);
}
void steps_blit(const struct view *source, const struct sdl2_rect *from, int32_t x, int32_t y)
{
    (void)source;
    for (int i = 0; i < from->width * from->height; i++) {
        const int column = i % from->width, row = i / from->width;
        put(x + column, y + row, texels[from->y + row][from->x + column], &clip);
    }
}
void steps_map(const struct view *source, const struct steps_map *how)
{
    (void)source;
    if (!recording_map_fits(&how->map, (uint32_t)how->to.width, (uint32_t)how->to.height)) {
        is_left = true;
        return;
    }
    for (int y = 0; y < how->to.height; y++) {
        for (int x = 0; x < how->to.width; x++) {
            uint32_t column, row;
            recording_map_at(&how->map, (uint32_t)x, (uint32_t)y, &column, &row);
            put(how->to.x + x, how->to.y + y, texels[how->from.y + (int)row][how->from.x + (int)column], &clip);
        }
    }
}
void steps_leave(const struct sdl2_rect *rect, enum recording_reason reason)
{
    (void)rect, (void)reason;
    is_left = true;
}

/* ------------------------------------------------------------------ random calls */

static uint32_t noise = 9;
static int pick(int limit)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return (int)(noise % (uint32_t)limit);
}
static int between(int low, int high) { return low + pick(high - low + 1); }
static float part(bool is_whole) { return is_whole ? 0.0f : (float)pick(8) / 8.0f; }

static struct sdl2_rect shared(struct sdl2_rect a, SDL_Rect b)
{
    const int left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
    const int right = a.x + a.width < b.x + b.w ? a.x + a.width : b.x + b.w;
    const int bottom = a.y + a.height < b.y + b.h ? a.y + a.height : b.y + b.h;
    return (struct sdl2_rect){left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

/* Scale, viewport and clip, at SDL and as the recorder sees them. */
static struct renderer_state set_state(bool may_scale)
{
    static const float scales[] = {2, 1.5f, 0.5f, 3};
    struct renderer_state state = {.target.width = WIDTH, .target.height = HEIGHT, .scale_x = 1, .scale_y = 1};
    const SDL_Rect viewport = {between(-5, 20), between(-5, 20), between(1, WIDTH), between(1, HEIGHT)};
    const SDL_Rect inside = {between(-3, 10), between(-3, 10), between(1, 40), between(1, 30)};
    const uint32_t colour = (uint32_t)pick(1 << 24) << 8 | 255u;
    state.viewport = (struct sdl2_rect){0, 0, WIDTH, HEIGHT};
    clip = state.viewport;
    (void)SDL_RenderSetScale(renderer, 1, 1);
    (void)SDL_RenderSetViewport(renderer, NULL);
    (void)SDL_RenderSetClipRect(renderer, NULL);
    if (pick(3) == 0) {
        (void)SDL_RenderSetViewport(renderer, &viewport);
        state.viewport = (struct sdl2_rect){viewport.x, viewport.y, viewport.w, viewport.h};
        clip = shared(clip, viewport);
    }
    if (pick(3) == 0) {
        (void)SDL_RenderSetClipRect(renderer, &inside);
        clip = shared(clip, (SDL_Rect){inside.x + state.viewport.x, inside.y + state.viewport.y, inside.w, inside.h});
    }
    if (may_scale && pick(3) == 0) {
        state.scale_x = scales[pick(4)];
        state.scale_y = scales[pick(4)];
        (void)SDL_RenderSetScale(renderer, state.scale_x, state.scale_y);
    }
    state.target.clip = clip;
    state.colour = colour;
    state.mode = wanted_mode = SDL_BLENDMODE_NONE;
    state.raw = renderer_raw(&state, colour);
    (void)SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_NONE);
    (void)SDL_SetRenderDrawColor(renderer, (Uint8)(colour >> 24), (Uint8)(colour >> 16), (Uint8)(colour >> 8), 255);
    return state;
}

static SDL_FRect a_rect(bool is_whole)
{
    return (SDL_FRect){(float)between(-10, WIDTH) + part(is_whole), (float)between(-10, HEIGHT) + part(is_whole),
                       (float)between(0, 40) + part(is_whole), (float)between(0, 30) + part(is_whole)};
}
static SDL_Rect a_part(void) { return (SDL_Rect){between(-4, 14), between(-4, 10), between(1, 18), between(1, 14)}; }
static const void *as(const void *of, bool is_given) { return is_given ? of : NULL; }

static void draw_points(const struct renderer_state *state, bool are_lines)
{
    SDL_FPoint points[5];
    const int count = between(2, 5);
    for (int i = 0; i < count; i++) {
        points[i] = (SDL_FPoint){(float)between(-9, WIDTH + 9), (float)between(-9, HEIGHT + 9)};
        if (i > 0 && pick(2) == 0) points[i].x = points[i - 1].x;
        else if (i > 0 && pick(2) == 0) points[i].y = points[i - 1].y;
        if (i > 1 && pick(4) == 0) points[i] = points[0];
    }
    if (are_lines) (void)SDL_RenderDrawLinesF(renderer, points, count);
    else (void)SDL_RenderDrawPointsF(renderer, points, count);
    (are_lines ? plan_lines : plan_points)(state, (const struct sdl2_float_point *)points, count);
}

static void draw_turned(const struct renderer_state *state)
{
    const SDL_FRect to = {(float)between(-10, WIDTH), (float)between(-10, HEIGHT), (float)between(1, 30),
                          (float)between(1, 30)};
    const SDL_Rect from = a_part();
    const SDL_FPoint centre = {(float)between(0, 20), (float)between(0, 20)};
    const bool has_part = pick(2) == 0, has_centre = pick(2) == 0, has_place = pick(8) != 0;
    const struct plan_turn how = {90.0 * between(-5, 5), as(&centre, has_centre), pick(4)};
    (void)SDL_RenderCopyExF(renderer, texture, as(&from, has_part), as(&to, has_place), how.angle,
                            as(&centre, has_centre), (SDL_RendererFlip)how.flip);
    plan_turned(state, texture, as(&from, has_part), as(&to, has_place), &how);
}

/* A rectangle of two triangles, with one of both diagonals and in any order; or a flat one. */
static void draw_triangles(const struct renderer_state *state)
{
    const float x[2] = {(float)between(-10, WIDTH), x[0] + (float)between(1, 30)};
    const float y[2] = {(float)between(-10, HEIGHT), y[0] + (float)between(1, 30)};
    const bool has_texture = pick(2) == 0;
    const float u[2] = {(float)pick(TEXELS_X) / TEXELS_X, (float)pick(TEXELS_X + 1) / TEXELS_X};
    const float v[2] = {(float)pick(TEXELS_Y) / TEXELS_Y, (float)pick(TEXELS_Y + 1) / TEXELS_Y};
    const SDL_Color colour = {(Uint8)(has_texture ? 255 : pick(256)), 255, 255, 255};
    SDL_Vertex vertices[4];
    static const Uint8 orders[][6] = {{0, 1, 2, 1, 2, 3}, {1, 2, 3, 2, 0, 1}, {0, 1, 3, 3, 2, 0}, {3, 0, 1, 0, 3, 2}};
    const Uint8 *order = orders[pick(10) == 0 ? pick(2) : 2 + pick(2)];
    int indices[6];
    Uint16 halves[6];
    for (int i = 0; i < 4; i++) vertices[i] = (SDL_Vertex){{x[i % 2], y[i / 2]}, colour, {u[i % 2], v[i / 2]}};
    for (int i = 0; i < 6; i++) indices[i] = order[i], halves[i] = order[i];
    const int bytes = 1 << pick(3);
    const void *given = bytes == 1 ? (const void *)order : bytes == 2 ? (const void *)halves : (const void *)indices;
    const struct plan_triangles triangles = {&vertices[0].position,
                                             &vertices[0].color,
                                             has_texture ? &vertices[0].tex_coord : NULL,
                                             sizeof *vertices,
                                             sizeof *vertices,
                                             sizeof *vertices,
                                             4,
                                             given,
                                             6,
                                             bytes};
    (void)SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    wanted_mode = SDL_BLENDMODE_BLEND;
    (void)SDL_RenderGeometryRaw(renderer, has_texture ? texture : NULL, &vertices[0].position.x, sizeof *vertices,
                                &vertices[0].color, sizeof *vertices, &vertices[0].tex_coord.x, sizeof *vertices, 4,
                                given, 6, bytes);
    plan_triangles(state, has_texture ? texture : NULL, &triangles);
}

static void draw(unsigned kind)
{
    const struct renderer_state state = set_state(kind < 6);
    const SDL_FRect rect = a_rect(kind == 4);
    const SDL_Rect from = a_part();
    const bool has_rect = pick(8) != 0, has_part = pick(2) == 0;
    switch (kind) {
    case 0: (void)SDL_RenderClear(renderer), plan_clear(&state); break;
    case 1:
        (void)SDL_RenderFillRectF(renderer, as(&rect, has_rect));
        plan_fill(&state, as(&rect, has_rect));
        break;
    case 2:
    case 3: draw_points(&state, kind == 3); break;
    case 4:
        (void)SDL_RenderDrawRectF(renderer, as(&rect, has_rect));
        plan_outline(&state, as(&rect, has_rect));
        break;
    case 5:
        (void)SDL_RenderCopyF(renderer, texture, as(&from, has_part), as(&rect, has_rect));
        plan_copy(&state, texture, as(&from, has_part), as(&rect, has_rect));
        break;
    case 6: draw_turned(&state); break;
    default: draw_triangles(&state); break;
    }
    (void)SDL_RenderFlush(renderer);
}

static void test_kind(unsigned kind)
{
    unsigned left = 0, unlike = 0;
    for (unsigned i = 0; i < (unsigned)EACH; i++) {
        for (int unit = 0; unit < WIDTH * HEIGHT; unit++)
            drawn[unit / WIDTH][unit % WIDTH] = 0xff000000u | (uint32_t)unit * 7919u;
        memcpy(screen->pixels, drawn, sizeof drawn);
        is_left = false;
        draw(kind);
        if (is_left) left++;
        else unlike += memcmp(screen->pixels, drawn, sizeof drawn) != 0;
    }
    const bool is_good = left == known_left[kind] && unlike == known_unlike[kind];
    printf("%s %s: %u of %u calls, %u left, %u unlike SDL\n", is_good ? "ok  " : "FAIL", kinds[kind],
           (unsigned)EACH - left - unlike, (unsigned)EACH, left, unlike);
    passed += is_good;
    failed += !is_good;
}

int main(void)
{
    SDL_version version;
    SDL_GetVersion(&version);
    if (version.minor > 26 && version.patch >= 50) return printf("of SDL 2 alone\n0 passed, 0 failed, 1 skipped\n"), 0;
    screen = SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    renderer = screen != NULL ? SDL_CreateSoftwareRenderer(screen) : NULL;
    texture = renderer != NULL
                  ? SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, TEXELS_X, TEXELS_Y)
                  : NULL;
    if (texture == NULL) return printf("%s\n", SDL_GetError()), 2;
    for (int i = 0; i < TEXELS_X * TEXELS_Y; i++)
        texels[i / TEXELS_X][i % TEXELS_X] = 0xff000000u | (uint32_t)pick(1 << 24);
    (void)SDL_UpdateTexture(texture, NULL, texels, (int)sizeof *texels);
    (void)SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    for (unsigned kind = 0; kind < (unsigned)KINDS; kind++) test_kind(kind);
    printf("%u passed, %u failed\n", passed, failed);
    SDL_DestroyTexture(texture);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(screen);
    return failed != 0;
}
