/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the functions in front of SDL 3's tell the recorder what SDL is about to draw and has drawn, in that order, and
 * hand every argument on; they are put into SDL's table, and only into one that the recorder knows. Method: the two
 * modules alone, over stand-ins of SDL 3 and of the recorder's parts, which note each call. Every hook is called with
 * each of these false and true: the recorder takes part, the target is known, the source is known, one of them has a
 * palette, SDL succeeds. What was noted is held in sums (tests/host/report/written). Where there is an SDL 3,
 * tests/host/play/three.sh compares pictures.
 *   test_hooks3 FOLDER SUMS
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>

#include "held.h"
#include "hooks3_rig.h"

typedef int32_t entry_function(uint32_t version, void *table, uint32_t bytes);
entry_function SDL_DYNAPI_entry;

static char noted[4 << 20];
static size_t used;
struct hooks3 is;
static void *table[PLACES];
static int renderer, window, texture;
static struct fake_surface source = {.head = {.width = 30, .height = 20}},
                           target = {.head = {.width = 64, .height = 48}};

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(noted + used, sizeof noted - used, format, arguments);
    va_end(arguments);
}

/* Addresses that are known have a name. */
const char *named(const void *address)
{
    return address == NULL           ? "none"
           : address == &renderer    ? "renderer"
           : address == &window      ? "window"
           : address == &texture     ? "texture"
           : address == &source      ? "source"
           : address == &target      ? "target"
           : address == target.units ? "units"
                                     : "another";
}

void *address_of(const char *name)
{
    return strcmp(name, "renderer") == 0  ? (void *)&renderer
           : strcmp(name, "window") == 0  ? (void *)&window
           : strcmp(name, "texture") == 0 ? (void *)&texture
           : strcmp(name, "source") == 0  ? (void *)&source
           : strcmp(name, "target") == 0  ? (void *)&target
           : strcmp(name, "another") == 0 ? (void *)&used
                                          : NULL;
}

/* What a hook is called with, in turn; once more where the recorder takes no part. */
static void each(const char *name, void (*call)(void))
{
    for (unsigned bits = 0; bits < 64; bits++) {
        const bool enters = (bits & 1u) != 0;
        if (!enters && bits > 2u && (bits & 32u) == 0) continue;
        is = (struct hooks3){.enters = enters,
                             .has_target = (bits & 2u) != 0,
                             .has_source = (bits & 4u) != 0,
                             .has_palette = (bits & 8u) != 0,
                             .agrees = (bits & 16u) != 0,
                             .succeeds = (bits & 32u) != 0};
        note("%s %u: ", name, bits);
        call();
        note("\n");
    }
}

static void say(bool result) { note("= %d ", result); }

/* The hook of that name. */
#define HOOKED(type, name, ...) ((type(*)(__VA_ARGS__))table[SDL3_##name])

/* ------------------------------------------------------------------ surfaces */

static const struct sdl2_rect from = {1, 2, 10, 9}, to = {3, 4, 20, 18};

static void blits(void)
{
    say(HOOKED(bool, BlitSurface, void *, const void *, void *, const void *)(&source, &from, &target, &to));
    say(HOOKED(bool, BlitSurfaceUnchecked, void *, const void *, void *, const void *)(&source, NULL, &target, &to));
}

static void scaled(void)
{
    for (int mode = 0; mode < 2; mode++) {
        is.is_planned = mode != 0;
        say(HOOKED(bool, BlitSurfaceScaled, void *, const void *, void *, const void *, int)(&source, &from, &target,
                                                                                             &to, mode));
        say(HOOKED(bool, BlitSurfaceUncheckedScaled, void *, const void *, void *, const void *,
                   int)(&source, NULL, &target, NULL, !mode));
        say(HOOKED(bool, StretchSurface, void *, const void *, void *, const void *, int)(&source, &from, &target, &to,
                                                                                          mode));
    }
}

static void grids(void)
{
    say(HOOKED(bool, BlitSurface9Grid, void *, const void *, int, int, int, int, float, int, void *,
               const void *)(&source, &from, 1, 2, 3, 4, 5.5f, 6, &target, &to));
    say(HOOKED(bool, BlitSurfaceTiledWithScale, void *, const void *, float, int, void *,
               const void *)(&source, &from, 1.5f, 1, &target, NULL));
}

static void tile(const struct sdl2_rect *part, const struct sdl2_rect *there)
{
    say(HOOKED(bool, BlitSurfaceTiled, void *, const void *, void *, const void *)(&source, part, &target, there));
}

static void tiles(void)
{
    static const struct sdl2_rect parts[] = {{1, 2, 10, 9}, {-5, -6, 15, 13}, {25, 15, 100, 100}, {0, 0, 0, 5},
                                             {30, 0, 4, 4}, {0, -7, 4, 7},    {0, 0, 1, 1},       {2, 2, 2, 2}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tile(&parts[i], &(struct sdl2_rect){3, 4, 20, 19});
        tile(&parts[i], &(struct sdl2_rect){3, 4, 25, 40});
        tile(&parts[i], NULL);
    }
    tile(&parts[7], &(struct sdl2_rect){0, 0, 62, 30}); /* as many as are told one by one */
    tile(&parts[7], &(struct sdl2_rect){0, 0, 61, 32});
}

static void fills(void)
{
    static const struct sdl2_rect rects[] = {{0, 0, 5, 5}, {60, 40, 30, 30}, {-9, 0, 9, 9}};
    for (uint32_t bytes = 1; bytes <= 4; bytes++) {
        is.unit_bytes = bytes;
        say(HOOKED(bool, FillSurfaceRect, void *, const void *, uint32_t)(&target, &to, 0x89abcdef));
        say(HOOKED(bool, FillSurfaceRect, void *, const void *, uint32_t)(&target, NULL, 0x12345678));
        say(HOOKED(bool, FillSurfaceRects, void *, const struct sdl2_rect *, int, uint32_t)(&target, rects, 3, 77));
        say(HOOKED(bool, FillSurfaceRects, void *, const struct sdl2_rect *, int, uint32_t)(&target, NULL, 0, 77));
        say(HOOKED(bool, ClearSurface, void *, float, float, float, float)(&target, 0.25f, 0.5f, 0.75f, 1));
    }
}

static void lives(void)
{
    for (target.head.references = 0; target.head.references < 4; target.head.references++)
        HOOKED(void, DestroySurface, void *)(&target);
    HOOKED(void, DestroySurface, void *)(NULL);
    for (uint32_t flags = 0; flags < 64; flags += 32) {
        say(HOOKED(bool, Init, uint32_t)(flags));
        say(HOOKED(bool, InitSubSystem, uint32_t)(flags));
        HOOKED(void, QuitSubSystem, uint32_t)(flags);
    }
    HOOKED(void, Quit, void)();
}

static void windows(void)
{
    note("%s ", named(HOOKED(void *, GetWindowSurface, void *)(&window)));
    say(HOOKED(bool, UpdateWindowSurface, void *)(&window));
    say(HOOKED(bool, UpdateWindowSurfaceRects, void *, const void *, int)(&window, &to, 1));
    say(HOOKED(bool, UpdateWindowSurfaceRects, void *, const void *, int)(&window, &to, 0));
    say(HOOKED(bool, GL_SwapWindow, void *)(&window));
    say(HOOKED(bool, ClaimWindowForGPUDevice, void *, void *)(&renderer, &window));
    say(HOOKED(bool, Vulkan_CreateSurface, void *, void *, const void *, void *)(&window, NULL, NULL, &target));
}

static void inputs(void)
{
    float x = -1, y = -1;
    int count = 0;
    note("%u ", HOOKED(uint32_t, GetMouseState, float *, float *)(&x, &y));
    note("%g,%g ", (double)x, (double)y);
    note("%u ", HOOKED(uint32_t, GetMouseState, float *, float *)(NULL, NULL));
    for (is.keys = 0; is.keys <= 513; is.keys += is.keys == 512 ? 1 : 256) {
        const bool *keys = HOOKED(const bool *, GetKeyboardState, int *)(is.keys == 0 ? NULL : &count);
        note("%d keys: %d %d ", count, keys == is.own_keys, keys != NULL && is.keys != 0 ? keys[is.keys % 512] : 9);
    }
}

/* ------------------------------------------------------------------ renderers */

static void renderers(void)
{
    void *a_window = NULL, *a_renderer = NULL;
    note("%s ", named(HOOKED(void *, CreateRenderer, void *, const char *)(&window, "opengl")));
    for (is.has_surface = 0; is.has_surface < 2; is.has_surface++)
        note("%s ", named(HOOKED(void *, CreateRendererWithProperties, uint32_t)(7)));
    say(HOOKED(bool, CreateWindowAndRenderer, const char *, int, int, uint64_t, void **,
               void **)("title", 64, 48, 1ull << 40, &a_window, &a_renderer));
    note("%s ", named(HOOKED(void *, CreateSoftwareRenderer, void *)(&target)));
    HOOKED(void, DestroyRenderer, void *)(&renderer);
    HOOKED(void, DestroyWindow, void *)(&window);
    HOOKED(void, DestroyWindow, void *)(NULL);
    say(HOOKED(bool, SetRenderVSync, void *, int)(&renderer, 1));
}

static void textures(void)
{
    note("%s ", named(HOOKED(void *, CreateTexture, void *, uint32_t, int, int, int)(&renderer, 5, 1, 6, 7)));
    note("%s ", named(HOOKED(void *, CreateTextureFromSurface, void *, void *)(&renderer, &source)));
    note("%s ", named(HOOKED(void *, CreateTextureWithProperties, void *, uint32_t)(&renderer, 8)));
    HOOKED(void, DestroyTexture, void *)(&texture);
    say(HOOKED(bool, UpdateTexture, void *, const void *, const void *, int)(&texture, &to, target.units, 256));
}

/* Where a logical size is, whole and in part outside; the pixels beside it of one colour and of two. */
static void presents(void)
{
    static const struct floats places[] = {
        {0, 0, 64, 48},        {10, 6, 44, 36}, {10.25f, 0, 43.5f, 48}, {-1, 6, 44, 36}, {0, -1, 64, 50},
        {0, 6.5f, 64, 35.25f}, {70, 50, 1, 1},  {10, 6, 100, 99},       {1, 1, 62, 46},  {0.5f, 0.5f, 63, 47.5f}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (unsigned way = 0; way < 16; way++) {
            is.place = places[i];
            is.mode = (way & 1u) != 0 ? 2 : 0;
            is.is_hidden = (way & 6u) == 6u;
            is.has_drawn = (way & 2u) != 0;
            is.has_texture_target = (way & 4u) != 0;
            is.has_screen = (way & 8u) == 0;
            is.has_window = way != 3;
            is.unit_bytes = way == 5 ? 2 : 4;
            memset(target.units, 0x11, sizeof target.units);
            if (way == 3) target.units[4 * 64 + 3] = 9; /* a bar above of two colours */
            if (way == 7) target.units[(47 * 64 + 63) * 4] = 9;
            note("present %zu %u: ", i, way);
            say(HOOKED(bool, RenderPresent, void *)(&renderer));
        }
}

static void draws(void)
{
    static const struct floats rects[] = {{1, 2, 3, 4}, {5.5f, 6, 7, 8}};
    static const float points[] = {1, 2, 3, 4, 5, 6};
    say(HOOKED(bool, RenderClear, void *)(&renderer));
    say(HOOKED(bool, RenderFillRect, void *, const void *)(&renderer, rects));
    say(HOOKED(bool, RenderFillRects, void *, const void *, int)(&renderer, rects, 2));
    say(HOOKED(bool, RenderFillRects, void *, const void *, int)(&renderer, NULL, 2));
    say(HOOKED(bool, RenderRect, void *, const void *)(&renderer, NULL));
    say(HOOKED(bool, RenderRects, void *, const void *, int)(&renderer, rects, 2));
    say(HOOKED(bool, RenderRects, void *, const void *, int)(&renderer, NULL, 1));
    say(HOOKED(bool, RenderPoint, void *, float, float)(&renderer, 1.5f, 2.5f));
    say(HOOKED(bool, RenderPoints, void *, const void *, int)(&renderer, points, 3));
    say(HOOKED(bool, RenderPoints, void *, const void *, int)(&renderer, NULL, 3));
    say(HOOKED(bool, RenderLine, void *, float, float, float, float)(&renderer, 1, 2, 3, 4));
    say(HOOKED(bool, RenderLines, void *, const void *, int)(&renderer, points, 3));
    say(HOOKED(bool, RenderLines, void *, const void *, int)(&renderer, NULL, 3));
}

static void copies(void)
{
    static const struct floats whole = {1, 2, 30, 20}, parts[] = {{1.5f, 2.5f, 10.75f, 9.5f},
                                                                  {-3, -4, 20, 20},
                                                                  {25, 15, 50, 50},
                                                                  {30, 0, 5, 5},
                                                                  {0, 20, 5, 5},
                                                                  {3, 3, 0, 5},
                                                                  {-9, 0, 9, 5},
                                                                  {3, 3, 5, 0}};
    static const double angles[] = {0, 90, 360, -720, 361};
    static const float centre[2] = {3, 4};
    for (size_t i = 0; i <= sizeof parts / sizeof *parts; i++) {
        const void *part = i != 0 ? &parts[i - 1] : NULL;
        is.alpha = i % 3 == 0 ? 255 : 128;
        is.alpha_mask = i % 4 == 3 ? 0xff000000u : 0;
        is.access = i == 4;
        is.has_source_surface = i != 5;
        say(HOOKED(bool, RenderTexture, void *, void *, const void *, const void *)(&renderer, &texture, part, &whole));
        for (int flip = 0; flip < 2; flip++)
            say(HOOKED(bool, RenderTextureRotated, void *, void *, const void *, const void *, double, const void *,
                       int)(&renderer, &texture, part, &whole, angles[i % 5], centre, flip));
    }
    say(HOOKED(bool, RenderTextureTiled, void *, void *, const void *, float, const void *)(&renderer, &texture, parts,
                                                                                            2, &whole));
    say(HOOKED(bool, RenderTexture9Grid, void *, void *, const void *, float, float, float, float, float,
               const void *)(&renderer, &texture, parts, 1, 2, 3, 4, 5, &whole));
    say(HOOKED(bool, RenderTextureAffine, void *, void *, const void *, const void *, const void *,
               const void *)(&renderer, &texture, parts, centre, NULL, centre));
    say(HOOKED(bool, RenderDebugText, void *, float, float, const char *)(&renderer, 1, 2, "text"));
    say(HOOKED(bool, RenderGeometry, void *, void *, const void *, int, const int *, int)(&renderer, NULL, parts, 3,
                                                                                          NULL, 0));
    say(HOOKED(bool, RenderGeometryRaw, void *, void *, const float *, int, const void *, int, const float *, int, int,
               const void *, int, int)(&renderer, &texture, centre, 8, parts, 16, centre, 8, 3, NULL, 6, 2));
}

/* ------------------------------------------------------------------ the table */

static void begin(const char *user)
{
    memset(table, 0, sizeof table);
    is = (struct hooks3){.is_library = true, .has_entry = true, .has_link = true, .version = 3002000};
    if (user == NULL) unsetenv(LINK_SDL3_USER_VARIABLE);
    else setenv(LINK_SDL3_USER_VARIABLE, user, 1);
}

/* The table is SDL's own function for function, or has the hooks in front. */
static void ask(const char *what, uint32_t version, uint32_t places)
{
    const int32_t result = SDL_DYNAPI_entry(version, table, places * (uint32_t)sizeof *table);
    uint32_t own = 0, hooked = 0, sum = 0;
    for (uint32_t i = 0; i < PLACES; i++) {
        /* place 0 has no hook: the user's library has the same everywhere */
        const bool is_own = table[i] != NULL && (table[i] == hooks3_own(i) || table[i] == table[0]);
        own += is_own;
        hooked += table[i] != NULL && !is_own;
        sum = sum * 31u + (table[i] == NULL ? 0 : is_own ? 1u : 2u);
    }
    note("%s: %d, %u own, %u hooked, %08x\n", what, result, own, hooked, sum);
}

static void tables(void)
{
    static const uint32_t places[] = {SDL3_Vulkan_CreateSurface,
                                      SDL3_Vulkan_CreateSurface + 1u,
                                      SDL3_RenderDebugText,
                                      SDL3_RenderDebugText + 1u,
                                      SDL3_RenderTextureAffine + 1u,
                                      SDL3_StretchSurface,
                                      SDL3_StretchSurface + 1u,
                                      4096,
                                      4097};
    static const int versions[] = {3001999, 3002000, 3999999, 4000000};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) begin(NULL), ask("places", 2, places[i]);
    for (uint32_t version = 1; version <= 3; version++) begin(NULL), ask("table's version", version, 1300);
    for (size_t i = 0; i < 4; i++) begin(NULL), is.version = versions[i], ask("SDL's version", 2, 1300);
    begin(NULL), is.is_library = false, ask("asked from elsewhere", 2, 1300);
    begin(NULL), is.has_entry = false, ask("no entry", 2, 1300);
    begin(NULL), is.is_own_entry = true, ask("the recorder's own entry", 2, 1300);
    begin(NULL), is.has_link = false, ask("nothing is recorded", 2, 1300);
    begin(NULL), is.entry_result = -1, ask("SDL refuses", 2, 1300);
    begin(""), ask("no library of the user's", 2, 1300);
    char list[600];
    snprintf(list, sizeof list, "%s/missing.so,libz.so.1,%s/hooks3_user.so", folder, folder);
    begin(list), is.user_has_mark = true, ask("the user's", 2, 1300);
    begin(list), ask("the user's, which is no SDL", 2, 1300);
    begin("libz.so.1"), ask("none of the user's", 2, 1300);
}

/* ------------------------------------------------------------------ the whole */

static void hold_noted(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(noted, 1, used, file) != used || fclose(file) != 0) exit(2);
    hold(name, (uint32_t)crc32(0, (const uint8_t *)noted, (uInt)used));
    used = 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } calls[] = {{"blits", blits},         {"scaled", scaled},     {"grids", grids},       {"tiles", tiles},
                 {"fills", fills},         {"lives", lives},       {"windows", windows},   {"inputs", inputs},
                 {"renderers", renderers}, {"textures", textures}, {"presents", presents}, {"draws", draws},
                 {"copies", copies}};
    if (argc != 3) return printf("usage: test_hooks3 FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    tables();
    hold_noted("hooks3-tables");
    begin(NULL);
    (void)SDL_DYNAPI_entry(2, table, 1300 * (uint32_t)sizeof *table);
    used = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char name[64];
        each(calls[i].name, calls[i].call);
        snprintf(name, sizeof name, "hooks3-%s", calls[i].name);
        hold_noted(name);
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
