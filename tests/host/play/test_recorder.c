/* SPDX-License-Identifier: Apache-2.0
 *
 * The recorder inside a program, compiled against SDL 1.2 and against SDL 2. Goal: a recording holds exactly what the
 * program drew, each operation as the operation it was. Method: recorder_rig.h; rectangles are compared with those that
 * have changed, units with their channels one by one. What modes become is held in tests/host/play/recorded.
 *   test_recorder FOLDER SUMS
 */
#include "recorder_rig.h"

enum { TRIES = 3000 };

/* ------------------------------------------------------------------ rectangles */

static int coordinate(int limit) { return (int)pick((uint32_t)(3 * limit)) - limit; }

/* The rectangle of the screen that is not black, and the unit at its corner. */
static bool changed(SDL_Rect *rect, Uint32 *corner)
{
    int left = WIDTH, right = -1, top = HEIGHT, bottom = -1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if ((unit_at(screen, x, y) & 0xffffff) != 0) {
                left = x < left ? x : left, right = x > right ? x : right;
                top = y < top ? y : top, bottom = y;
            }
    if (right < 0) return false;
    *corner = unit_at(screen, left, top) & 0xffffff;
    rect->x = (Sint16)left, rect->y = (Sint16)top;
    rect->w = (Uint16)(right - left + 1), rect->h = (Uint16)(bottom - top + 1);
    return true;
}

static void draw_clipped(void)
{
    open_screen();
    SDL_Surface *source = plain();
    for (int i = 0; i < SIDE * SIDE; i++)
        memcpy(at(source, i % SIDE, i / SIDE), &(Uint32){0x800000u | (Uint32)(i / SIDE) << 8 | (Uint32)(i % SIDE)}, 4);
    SDL_FillRect(screen, NULL, 0);
    note("surface 0 format 2 64x48\npixels 0 0,0 64x48 *\nfill 0 0,0 64x48 ff000000\n");
    for (int i = 0; i < TRIES; i++) {
        SDL_Rect from = {(Sint16)coordinate(SIDE), (Sint16)coordinate(SIDE), (Uint16)pick(SIDE + 9),
                         (Uint16)pick(SIDE + 9)};
        SDL_Rect to = {(Sint16)coordinate(WIDTH), (Sint16)coordinate(HEIGHT), (Uint16)pick(WIDTH),
                       (Uint16)pick(HEIGHT)};
        SDL_Rect clip = {(Sint16)coordinate(WIDTH), (Sint16)coordinate(HEIGHT), (Uint16)pick(2 * WIDTH),
                         (Uint16)pick(2 * HEIGHT)};
        SDL_Rect rect;
        Uint32 corner;
        bool is_fill = pick(2) == 0;
        SDL_SetClipRect(screen, pick(3) == 0 ? NULL : &clip);
        if (is_fill) SDL_FillRect(screen, pick(9) == 0 ? NULL : &to, 0x345678);
        else SDL_BlitSurface(source, pick(5) == 0 ? NULL : &from, screen, pick(9) == 0 ? NULL : &to);
        if (!changed(&rect, &corner)) continue;
        if (is_fill) note("fill 0 %d,%d %dx%d ff345678\n", rect.x, rect.y, rect.w, rect.h);
        static bool is_known;
        if (!is_fill && !is_known) note("surface 1 format 2 20x20\npixels 1 0,0 20x20 *\n");
        if (!is_fill) is_known = true;
        if (!is_fill)
            note("blit 0 %d,%d %dx%d from 1 %u,%u mode 0 alpha 255 colour ffffff key 00000000\n", rect.x, rect.y,
                 rect.w, rect.h, (unsigned)(corner & 255), (unsigned)(corner >> 8 & 127));
        SDL_SetClipRect(screen, NULL);
        SDL_FillRect(screen, NULL, 0);
        note("fill 0 0,0 64x48 ff000000\n");
    }
    show();
    note("present 0\n");
}

/* Sums of pixels are of no interest here. */
static void forget_sums(void)
{
    for (char *line = strstr(found, "pixels "); line != NULL; line = strstr(line, "pixels ")) {
        line = strchr(line, '\n');
        memmove(line - 7, line, strlen(line) + 1);
        line[-8] = '*';
    }
}

static void test_rectangles(void)
{
    check(record(draw_clipped, RECORDING, NULL) == 0, "clipped: exit status");
    forget_sums();
    same("clipped");
    check(strlen(noted) > 9000, "clipped: enough is drawn");
}

/* ------------------------------------------------------------------ formats */

static const struct shape {
    int bits;
    Uint32 red, green, blue, alpha;
    int format; /* of the recording */
} shapes[] = {
    {32, 0xff0000, 0xff00, 0xff, 0, 2},
    {32, 0xff0000, 0xff00, 0xff, 0xff000000, 3},
    {32, 0xff, 0xff00, 0xff0000, 0xff000000, 3},
    {32, 0xff000000, 0xff0000, 0xff00, 0xff, 3},
    {32, 0xff00, 0xff0000, 0xff000000, 0, 2},
    {24, 0xff0000, 0xff00, 0xff, 0, 4},
    {24, 0xff, 0xff00, 0xff0000, 0, 4},
    {16, 0xf800, 0x7e0, 0x1f, 0, 1},
    {16, 0x1f, 0x7e0, 0xf800, 0, 2},
    {15, 0x7c00, 0x3e0, 0x1f, 0, 6},
    {16, 0x7c00, 0x3e0, 0x1f, 0x8000, 5},
    {16, 0xf00, 0xf0, 0xf, 0xf000, 3},
    {12, 0xf00, 0xf0, 0xf, 0, 2},
    {8, 0, 0, 0, 0, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static unsigned shape; /* the one that is drawn */

static SDL_Surface *make_shape(const struct shape *s)
{
    SDL_Surface *surface = make(s->bits, s->red, s->green, s->blue, s->alpha);
    SDL_Color colours[256];
    for (int i = 0; i < 256; i++) {
        memset(&colours[i], 255, sizeof colours[i]);
        colours[i].r = (Uint8)(i * 7), colours[i].g = (Uint8)(255 - i), colours[i].b = (Uint8)(i * 3);
    }
#if SDL_VERSION_WANTED == 2
    if (s->bits == 8) SDL_SetPaletteColors(surface->format->palette, colours, 0, 256);
#else
    if (s->bits == 8) SDL_SetColors(surface, colours, 0, 256);
#endif
    return surface;
}

/* Each channel of `width` bits, widened as the recorder's users know it: the level over the highest, of 255. */
static Uint32 widened(Uint32 unit, Uint32 mask)
{
    Uint32 low = mask & (0u - mask);
    return mask == 0 ? 0 : (unit & mask) / low * 255u / (mask / low);
}

/* What the recording has to say of this unit. */
static Uint32 expected_unit(const struct shape *s, const SDL_Surface *surface, Uint32 unit)
{
    if (s->format == RECORDING_RGB565 || s->format == RECORDING_ARGB1555) return unit & 0xffffu;
    if (s->format == RECORDING_XRGB1555) return unit & 0x7fffu;
    if (s->bits == 8) {
        const SDL_Color *colour = &surface->format->palette->colors[unit];
        return 0xff000000u | (Uint32)colour->r << 16 | (Uint32)colour->g << 8 | colour->b;
    }
    return (s->alpha != 0 ? widened(unit, s->alpha) : 255u) << 24 | widened(unit, s->red) << 16 |
           widened(unit, s->green) << 8 | widened(unit, s->blue);
}

static void note_pixels(const struct shape *s, const SDL_Surface *surface, int id)
{
    uint8_t bytes[SIDE * SIDE * 4];
    uint32_t unit_bytes = recording_unit_bytes((uint32_t)s->format), used = 0;
    for (int i = 0; i < SIDE * SIDE; i++, used += unit_bytes) {
        Uint32 unit = expected_unit(s, surface, unit_at(surface, i % SIDE, i / SIDE));
        memcpy(bytes + used, &unit, unit_bytes);
    }
    note("pixels %d 0,0 20x20 %08x\n", id, (unsigned)sum_of(bytes, used));
}

/* The surface is new, whole, filled in part, and has its pixels changed behind the recorder's back. */
static void draw_shape(void)
{
    const struct shape *s = &shapes[shape];
    SDL_Rect part = {3, 4, 5, 6};
    SDL_Surface *surface = make_shape(s);
    open_screen();
    scribble(surface);
    note("surface 0 format %d 20x20\n", s->format);
    Uint32 colour = s->bits == 8 ? 77 : pick(0xffff) | (s->bits > 16 ? pick(0xffff) << 16 : 0);
    if (s->bits == 24) colour &= 0xffffff;
    SDL_FillRect(surface, &part, colour);
    note_pixels(s, surface, 0);
    Uint32 unit = expected_unit(s, surface, unit_at(surface, 3, 4));
    if (s->format == RECORDING_RGB888) unit |= 0xff000000u;
    note("fill 0 3,4 5x6 %08x\n", (unsigned)unit);
    SDL_FillRect(surface, &part, colour);
    note("fill 0 3,4 5x6 %08x\n", (unsigned)unit);
}

static void test_shapes(void)
{
    char what[64];
    for (shape = 0; shape < SHAPES; shape++) {
        snprintf(what, sizeof what, "shape %u, %d bits", shape, shapes[shape].bits);
        check(record(draw_shape, RECORDING, NULL) == 0, what);
        same(what);
    }
}

/* ------------------------------------------------------------------ modes */

#if SDL_VERSION_WANTED == 2
enum { WAYS = 5 * 2 * 3 };
/* Blend mode, key, modulation. */
static void set_way(SDL_Surface *surface, int way)
{
    static const SDL_BlendMode modes[] = {SDL_BLENDMODE_NONE, SDL_BLENDMODE_BLEND, SDL_BLENDMODE_ADD, SDL_BLENDMODE_MOD,
                                          SDL_BLENDMODE_MUL};
    SDL_SetSurfaceBlendMode(surface, modes[way % 5]);
    SDL_SetColorKey(surface, (way / 5 % 2) * 2, 0x21);
    SDL_SetSurfaceAlphaMod(surface, way / 10 == 0 ? 255 : 100);
    SDL_SetSurfaceColorMod(surface, 255, way / 10 == 2 ? 50 : 255, 255);
    SDL_SetSurfaceRLE(surface, 1); /* the recorder lets no surface become one */
}
#else
enum { WAYS = 2 * 2 * 3 };
static void set_way(SDL_Surface *surface, int way)
{
    SDL_SetAlpha(surface, way % 2 != 0 ? SDL_SRCALPHA | SDL_RLEACCEL : 0, way / 4 == 0 ? 255 : (Uint8)(way / 4 * 60));
    SDL_SetColorKey(surface, way / 2 % 2 != 0 ? SDL_SRCCOLORKEY | SDL_RLEACCEL : 0, 0x21);
}
#endif

/* The shape on itself, on the screen and on another target, in every way. */
static void draw_modes(void)
{
    SDL_Surface *surface = make_shape(&shapes[shape]), *target = make_shape(&shapes[1]);
    SDL_Rect to = {2, 3, 0, 0};
    open_screen();
    scribble(surface), scribble(target);
    for (int way = 0; way < WAYS; way++) {
        set_way(surface, way);
        SDL_BlitSurface(surface, NULL, screen, &to);
        SDL_BlitSurface(surface, NULL, target, &to);
        SDL_Rect part = {5, 5, 9, 9};
        SDL_BlitSurface(surface, &part, surface, &to);
        SDL_LowerBlit(surface, &part, screen, &part);
    }
    show();
}

static void test_modes(void)
{
    char name[32];
    for (shape = 0; shape < SHAPES; shape++) {
        snprintf(name, sizeof name, "modes-%u", shape);
        check(record(draw_modes, RECORDING, NULL) == 0, name);
        hold_found(name);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_recorder FOLDER SUMS\n"), 2;
    rig_begin(argv);
    test_rectangles();
    test_shapes();
    test_modes();
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
