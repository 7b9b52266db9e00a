/* SPDX-License-Identifier: Apache-2.0
 *
 * The recorder inside a program, compiled against SDL 1.2 and against SDL 2. Goal: surfaces that come and go, change
 * their pixels, palettes and shapes, presents of every kind, keys and clicks, ends and errors are recorded as they are.
 * Method: recorder_rig.h; the lines that are expected stand beside what is drawn.
 *   test_recorder_life FOLDER SUMS
 */
#include <signal.h>
#include <sys/resource.h>

#include "clients/sdl/record/surface.h"
#include "recorder_rig.h"

/* ------------------------------------------------------------------ surfaces */

static void put(SDL_Surface *surface, int x, int y, Uint32 unit) { memcpy(at(surface, x, y), &unit, 4); }

static uint32_t sum_of_area(const SDL_Surface *surface, int x, int y, int width, int height)
{
    uint32_t sum = 0;
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            sum = (uint32_t)crc32(sum, (const uint8_t *)&(Uint32){unit_at(surface, column, row) | 0xff000000u}, 4);
    return sum;
}

static void note_area(int id, const SDL_Surface *surface, int x, int y, int width, int height)
{
    note("pixels %d %d,%d %dx%d %08x\n", id, x, y, width, height, (unsigned)sum_of_area(surface, x, y, width, height));
}

static void note_screen(void)
{
    note("surface 0 format 2 64x48\n");
    note_area(0, screen, 0, 0, WIDTH, HEIGHT);
}

/* What changed behind the recorder's back is the smallest rectangle that holds it; changes with four rows between them
 * that are as they were have each its own. */
static void draw_changes(void)
{
    enum { ROWS_BETWEEN = 4 };
    static const int points[][4] = {{0, 0, 0, 0},    {63, 47, 63, 47}, {5, 7, 9, 7},     {9, 3, 5, 20},
                                    {0, 20, 63, 20}, {31, 0, 31, 47},  {12, 10, 14, 14}, {14, 25, 12, 30}};
    open_screen();
    scribble(screen);
    show();
    note_screen();
    note("present 0\n");
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const int *p = points[i];
        put(screen, p[0], p[1], ~unit_at(screen, p[0], p[1]));
        if (p[0] != p[2] || p[1] != p[3]) put(screen, p[2], p[3], ~unit_at(screen, p[2], p[3]));
        int left = p[0] < p[2] ? p[0] : p[2], right = p[0] < p[2] ? p[2] : p[0];
        if (p[3] - p[1] > ROWS_BETWEEN) {
            note_area(0, screen, p[0], p[1], 1, 1);
            note_area(0, screen, p[2], p[3], 1, 1);
        } else {
            note_area(0, screen, left, p[1], right - left + 1, p[3] - p[1] + 1);
        }
        show();
        note("present 0\n");
    }
    show();
    note("present 0\n");
}

/* A source that has changed is told before it is drawn; where it is not drawn from, nothing of it is. */
static void draw_sources(void)
{
    SDL_Surface *source = plain();
    SDL_Rect part = {4, 5, 6, 7}, to = {10, 11, 0, 0};
    open_screen();
    scribble(source);
    note("surface 0 format 2 20x20\n");
    note_area(0, source, 0, 0, SIDE, SIDE);
    SDL_BlitSurface(source, &part, screen, &to);
    note("surface 1 format 2 64x48\n");
    note_area(1, screen, 0, 0, WIDTH, HEIGHT);
    note("blit 1 10,11 6x7 from 0 4,5 mode 0 alpha 255 colour ffffff key 00000000\n");
    put(source, 9, 11, ~unit_at(source, 9, 11));
    put(source, 10, 11, ~unit_at(source, 10, 11));
    note_area(0, source, 9, 11, 1, 1);
    SDL_BlitSurface(source, &part, screen, &to);
    note("blit 1 10,11 6x7 from 0 4,5 mode 0 alpha 255 colour ffffff key 00000000\n");
    source->refcount++;
    SDL_FreeSurface(source);
    SDL_BlitSurface(source, &part, screen, &to);
    note("blit 1 10,11 6x7 from 0 4,5 mode 0 alpha 255 colour ffffff key 00000000\n");
    SDL_FreeSurface(source);
    note("free 0\n");
    SDL_FreeSurface(NULL);
    source = plain();
    SDL_FillRect(source, NULL, 0x123456);
    note("surface 0 format 2 20x20\n");
    note_area(0, source, 0, 0, SIDE, SIDE);
    note("fill 0 0,0 20x20 ff123456\n");
    show();
    note("present 1\n");
}

/* The same address with another shape: another surface. */
static void draw_reshaped(void)
{
    SDL_Surface *source = plain();
    open_screen();
    SDL_FillRect(source, NULL, 5);
    note("surface 0 format 2 20x20\n");
    note_area(0, source, 0, 0, SIDE, SIDE);
    note("fill 0 0,0 20x20 ff000005\n");
    for (int i = 0; i < 2; i++) {
        int *side = i == 0 ? &source->w : &source->h;
        *side = 13;
        SDL_Rect all = {0, 0, (Uint16)source->w, (Uint16)source->h};
        SDL_SetClipRect(source, &all);
        SDL_FillRect(source, NULL, 6);
        note("free 0\nsurface 0 format 2 %dx%d\n", source->w, source->h);
        note_area(0, source, 0, 0, source->w, source->h);
        note("fill 0 0,0 %dx%d ff000006\n", source->w, source->h);
    }
    show();
    note("surface 1 format 2 64x48\n");
    note_area(1, screen, 0, 0, WIDTH, HEIGHT);
    note("present 1\n");
}

/* Many surfaces at a time; numbers are used again, the lowest first. */
static void draw_many(void)
{
    enum { MANY = 40 };
    SDL_Surface *list[MANY];
    open_screen();
    for (int i = 0; i < MANY; i++) {
        list[i] = plain();
        SDL_FillRect(list[i], NULL, (Uint32)i);
        note("surface %d format 2 20x20\n", i);
        note_area(i, list[i], 0, 0, SIDE, SIDE);
        note("fill %d 0,0 20x20 ff0000%02x\n", i, (unsigned)i);
    }
    for (int i = MANY - 1; i >= 0; i -= 2) {
        SDL_FreeSurface(list[i]);
        note("free %d\n", i);
    }
    for (int i = 0; i < MANY; i += 2) {
        SDL_FillRect(list[i], NULL, 1000);
        note("fill %d 0,0 20x20 ff0003e8\n", i);
    }
    show();
    note("surface 1 format 2 64x48\n");
    note_area(1, screen, 0, 0, WIDTH, HEIGHT);
    note("present 1\n");
}

static void too_many(void)
{
    open_screen();
    for (int i = 0; i <= RECORDING_SURFACES; i++)
        SDL_FillRect(SDL_CreateRGBSurface(0, 1, 1, 32, 0xff0000, 0xff00, 0xff, 0), NULL, 1);
    show();
}

/* ------------------------------------------------------------------ palettes */

static void set_colours(SDL_Surface *surface, SDL_Color *colours)
{
#if SDL_VERSION_WANTED == 2
    SDL_SetPaletteColors(surface->format->palette, colours, 0, 256);
#else
    SDL_SetColors(surface, colours, 0, 256);
#endif
}

static void draw_palette(void)
{
    SDL_Surface *surface = make(8, 0, 0, 0, 0);
    SDL_Color colours[256];
    for (int i = 0; i < 256; i++) memset(&colours[i], i < 250 ? i : 249, 4), memset((char *)&colours[i] + 3, 255, 1);
    open_screen();
    for (int i = 0; i < SIDE * SIDE; i++) *at(surface, i % SIDE, i / SIDE) = (Uint8)i;
    set_colours(surface, colours);
    SDL_BlitSurface(surface, NULL, screen, NULL);
    SDL_SetColorKey(surface, 1 << 12, 250); /* of the colour of others */
    SDL_BlitSurface(surface, NULL, screen, NULL);
    SDL_SetColorKey(surface, 1 << 12, 7);
    SDL_BlitSurface(surface, NULL, screen, NULL);
    colours[9].r ^= 255;
    set_colours(surface, colours);
    SDL_BlitSurface(surface, NULL, screen, NULL);
    memset((char *)&colours[9] + 3, 100, 1);
    set_colours(surface, colours);
    SDL_BlitSurface(surface, NULL, screen, NULL);
    show();
}

/* What cannot be looked at: one member of a surface is wrong, the others are a good one's. */
static void see(SDL_Surface surface, bool is_seen, const char *what)
{
    struct view view;
    if (view_make(&view, &surface) != is_seen) fprintf(stderr, "a surface with %s\n", what), _exit(1);
}

static void draw_unseen(void)
{
    struct view view;
    SDL_Surface *good = plain(), bad = *good;
    if (view_make(&view, NULL)) _exit(1);
    see(*good, true, "all that it needs");
    bad.pixels = NULL, see(bad, false, "no pixels");
    bad = *good, bad.format = NULL, see(bad, false, "no format");
    bad = *good, bad.w = 0, see(bad, false, "no width");
    bad = *good, bad.h = 0, see(bad, false, "no height");
    bad = *good, bad.w = -1, see(bad, false, "a negative width");
    bad = *good, bad.h = -1, see(bad, false, "a negative height");
    bad = *good, bad.w = 1, bad.h = 1, see(bad, true, "one pixel");
    bad = *good, bad.w = RECORDING_SIDE, see(bad, true, "the longest rows");
    bad = *good, bad.w = RECORDING_SIDE + 1, see(bad, false, "longer rows");
    bad = *good, bad.h = RECORDING_SIDE, see(bad, true, "the most rows");
    bad = *good, bad.h = RECORDING_SIDE + 1, see(bad, false, "more rows");
    for (Uint8 bytes = 0; bytes <= 5; bytes++) {
        SDL_PixelFormat format = *good->format;
        format.BytesPerPixel = bytes;
        bad = *good, bad.format = &format;
        see(bad, bytes >= 2 && bytes <= 4, "so many bytes a pixel, without a palette");
    }
    SDL_Surface *indexed = make(8, 0, 0, 0, 0);
    SDL_PixelFormat format = *indexed->format;
    see(*indexed, true, "a palette");
    bad = *indexed, bad.format = &format;
    format.palette = NULL, see(bad, false, "a byte a pixel and no palette");
    format = *indexed->format, format.BytesPerPixel = 2, see(bad, false, "a palette and two bytes a pixel");
    format = *indexed->format, format.BitsPerPixel = 7, see(bad, false, "7 bits a pixel");
#if SDL_VERSION_WANTED == 1
    bad = *good, bad.flags |= SDL_RLEACCEL, see(bad, false, "its rows encoded");
#endif
}

static void test_surfaces(void)
{
    check(record(draw_unseen, "", NULL) == 0, "which surfaces can be looked at");
    static const struct {
        void (*draw)(void);
        const char *name;
    } list[] = {{draw_changes, "changes"}, {draw_sources, "sources"}, {draw_reshaped, "reshaped"}, {draw_many, "many"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check(record(list[i].draw, RECORDING, NULL) == 0, list[i].name);
        same(list[i].name);
        hold_found(list[i].name);
    }
    check(record(draw_palette, RECORDING, NULL) == 0, "palette");
    hold_found("palette");
    check(record(too_many, RECORDING, NULL) == 0, "too many");
    check(!shared->has_failed && shared->counts.surfaces > RECORDING_SURFACES, "too many: one gave way");
    hold_found("too-many");
}

/* ------------------------------------------------------------------ presents, and what is seen */

static void present_all(void)
{
    SDL_Rect all = {0, 0, WIDTH, HEIGHT};
    open_screen();
#if SDL_VERSION_WANTED == 2
    SDL_UpdateWindowSurface(window);
    SDL_UpdateWindowSurfaceRects(window, &all, 1);
    SDL_UpdateWindowSurfaceRects(window, &all, 0);
#else
    SDL_Flip(screen);
    SDL_UpdateRects(screen, 1, &all);
    SDL_UpdateRects(screen, 0, &all);
    SDL_UpdateRect(screen, 0, 0, 0, 0);
#endif
}

#if SDL_VERSION_WANTED == 2
static void fill_several(void)
{
    SDL_Rect list[] = {{1, 2, 3, 4}, {-5, 0, 7, 9}, {70, 0, 3, 3}, {60, 40, 30, 30}};
    open_screen();
    SDL_FillRects(screen, list, 0, 9);
    SDL_FillRects(screen, list, 1, 9);
    SDL_FillRects(screen, list, 4, 0xabcdef);
    show();
}
/* Scaled, and of the same size: from colours and indices, to both, of a part, clipped, with a key, and refused. */
static void draw_scaled(void)
{
    SDL_Surface *colours = plain(), *indices = make(8, 0, 0, 0, 0), *other = make(8, 0, 0, 0, 0);
    SDL_Rect part = {2, 3, 7, 5};
    open_screen();
    scribble(colours), scribble(indices);
    SDL_Surface *const sources[] = {colours, indices, colours, indices}, *const targets[] = {screen, screen, other,
                                                                                             other};
    for (int i = 0; i < 4; i++) {
        SDL_Rect same = {1, 2, 7, 5}, wide = {10, 4, 31, 17}, outside = {50, 40, 30, 30}, all = {0, 0, 60, 44};
        SDL_UpperBlitScaled(sources[i], &part, targets[i], &same);
        SDL_UpperBlitScaled(sources[i], &part, targets[i], &wide);
        SDL_UpperBlitScaled(sources[i], NULL, targets[i], &outside);
        SDL_UpperBlitScaled(sources[i], &(SDL_Rect){15, 15, 9, 9}, targets[i], &all);
        SDL_UpperBlitScaled(sources[i], NULL, targets[i], NULL);
        SDL_SetColorKey(sources[i], SDL_TRUE, unit_at(sources[i], 5, 5));
        SDL_UpperBlitScaled(sources[i], &part, targets[i], &(SDL_Rect){20, 8, 14, 10});
        SDL_SetColorKey(sources[i], SDL_FALSE, 0);
    }
    SDL_UpperBlitScaled(NULL, NULL, screen, NULL);
    SDL_UpperBlitScaled(colours, NULL, NULL, NULL);
    SDL_SoftStretch(colours, &part, screen, &(SDL_Rect){3, 3, 20, 20});
    SDL_SoftStretch(colours, &part, screen, &(SDL_Rect){60, 3, 20, 20});
    SDL_SoftStretch(indices, &part, screen, &(SDL_Rect){3, 3, 20, 20});
    SDL_SoftStretch(colours, &(SDL_Rect){2, 3, 19, 5}, screen, NULL);
    SDL_BlitSurface(other, NULL, screen, NULL);
    show();
}
static void see_gl(void) { SDL_GL_SwapWindow(NULL); }
/* Each kind of operation that a renderer's calls become; what they look like is judged by rendered.sh. */
static void see_renderer(void)
{
    SDL_Renderer *own = SDL_CreateRenderer(SDL_CreateWindow("", 0, 0, WIDTH, HEIGHT, 0), -1, 0);
    SDL_Texture *textures[3];
    SDL_Rect part = {1, 2, 5, 6}, to = {3, 4, 5, 6};
    Uint8 units[SIDE * SIDE * 4];
    for (size_t i = 0; i < sizeof units; i++) units[i] = (Uint8)pick(256);
    for (int access = 0; access < 3; access++) {
        textures[access] = SDL_CreateTexture(own, SDL_PIXELFORMAT_ARGB8888, access, SIDE, SIDE);
        SDL_UpdateTexture(textures[access], NULL, units, SIDE * 4);
    }
    SDL_SetRenderDrawColor(own, 9, 8, 7, 255);
    SDL_RenderClear(own);
    SDL_RenderCopy(own, textures[0], &part, &to);
    SDL_SetTextureBlendMode(textures[1], SDL_BLENDMODE_BLEND);
    SDL_SetTextureAlphaMod(textures[1], 99);
    SDL_RenderCopy(own, textures[1], &part, &to);
    to.w = 17;
    SDL_RenderCopy(own, textures[1], &part, &to);
    SDL_SetRenderTarget(own, textures[2]);
    SDL_RenderDrawRect(own, &part);
    SDL_SetRenderTarget(own, NULL);
    SDL_RenderCopy(own, textures[2], NULL, &(SDL_Rect){30, 20, SIDE, SIDE});
    SDL_SetRenderDrawBlendMode(own, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(own, 90, 180, 70, 100);
    SDL_RenderSetClipRect(own, &(SDL_Rect){20, 10, 9, 40});
    SDL_RenderFillRect(own, NULL);
    SDL_RenderDrawLine(own, 0, 0, 60, 40);
    SDL_DestroyTexture(textures[0]);
    SDL_RenderPresent(own);
    SDL_DestroyRenderer(own);
}
#else
static void see_gl(void) { SDL_GL_SwapBuffers(); }
static void see_overlay(void)
{
    open_screen();
    SDL_Overlay *overlay = SDL_CreateYUVOverlay(16, 16, SDL_YV12_OVERLAY, screen);
    SDL_Rect rect = {0, 0, 16, 16};
    if (overlay != NULL) SDL_DisplayYUVOverlay(overlay, &rect);
}
#endif
static void see_nothing(void) {}
static void see_screen(void) { open_screen(); }
static void show_nothing(void)
{
#if SDL_VERSION_WANTED == 2
    SDL_UpdateWindowSurface(NULL);
#else
    SDL_Surface none = {0};
    SDL_UpdateRects(&none, 1, NULL);
#endif
}

/* Another process has the recording. */
static void show_as_second(void)
{
    shared->owner = 1;
    open_screen();
    SDL_FillRect(screen, NULL, 7);
    show();
}

static void show_when_closed(void)
{
    open_screen();
    show();
    shared->is_closed = true;
    show();
}

/* What a fork of the process that records draws is not recorded. */
static void show_in_fork(void)
{
    open_screen();
    show();
    if (fork() == 0) {
        SDL_FillRect(screen, NULL, 9);
        show();
        _exit(0);
    }
    wait(NULL);
    show();
}

static void show_to_limit(void)
{
    shared->frame_limit = 3;
    open_screen();
    for (int i = 0; i < 5; i++) show();
    _exit(9);
}

static void test_presents(void)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } list[] = {
        {"presents", present_all},
#if SDL_VERSION_WANTED == 2
        {"fills", fill_several},
        {"scaled", draw_scaled},
        {"renderer", see_renderer},
#else
        {"overlay", see_overlay},
#endif
        {"gl", see_gl},
        {"nothing", see_nothing},
        {"screen", see_screen},
        {"no-surface", show_nothing},
        {"second", show_as_second},
        {"closed", show_when_closed},
        {"fork", show_in_fork},
        {"limit", show_to_limit}
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check(record(list[i].draw, RECORDING, NULL) == 0, list[i].name);
        hold_found(list[i].name);
    }
}

/* ------------------------------------------------------------------ keys and clicks */

static void poll_all(int frame)
{
    SDL_Event event;
    int x = -1, y = -1, count = 0;
    note("frame %d:", frame);
    while (SDL_PollEvent(&event))
        if (event.type == SDL_KEYDOWN || event.type == SDL_KEYUP)
            note(" key %d %d %d", event.type == SDL_KEYDOWN, (int)event.key.keysym.sym,
                 SDL_VERSION_WANTED == 2 ? (int)event.key.keysym.scancode : event.key.state);
        else if (event.type == SDL_MOUSEMOTION) note(" move %d,%d", (int)event.motion.x, (int)event.motion.y);
        else if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP)
            note(" button %d %d %d at %d,%d", event.type == SDL_MOUSEBUTTONDOWN, event.button.button,
                 event.button.state, (int)event.button.x, (int)event.button.y);
    Uint32 buttons = SDL_GetMouseState(&x, &y);
    note(" mouse %u %d,%d", (unsigned)buttons, x, y);
    (void)SDL_GetMouseState(NULL, NULL);
#if SDL_VERSION_WANTED == 2
    const Uint8 *keys = SDL_GetKeyboardState(&count);
    (void)SDL_GetKeyboardState(NULL);
#else
    const Uint8 *keys = SDL_GetKeyState(&count);
    (void)SDL_GetKeyState(NULL);
#endif
    note(" of %d", count);
    for (int i = 0; i < count; i++)
        if (keys[i]) note(" held %d", i);
    note("\n");
}

static void play_events(void)
{
    open_screen();
    for (int frame = 0; frame < 12; frame++) {
        show();
        poll_all(frame + 1);
    }
}

static void hold_events(const char *name, const char *events)
{
    check(record(play_events, RECORDING, events) == 0, name);
    strcpy(found, noted);
    hold_found(name);
}

static void test_events(void)
{
    static const char *const bad[] = {"5",     "5:",        "5:shift",      "x:a", "5:a:0",
                                      "5:a:x", "5:click=3", "5:click=3,4x", "5:A", "5:ab",
                                      "5:a 7", "5:a:2:3",   "5:click=,4"};
    hold_events("events", "1:return 2:escape:1 2:space:4 4:up 5:down 6:left 7:right 8:a 9:z:3 10:0 11:1:1 11:9");
    hold_events("clicks", " 2:click=10,20  5:click=-3,4 8:click=63,47 ");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t bytes;
        (void)record(play_events, RECORDING, bad[i]);
        const char *err = (char *)load("build/play/recorder.err", &bytes);
        check(strncmp(err, "tessera-record: event '", 23) == 0 && strchr(err, '\n') == err + bytes - 1 &&
                  strstr(err, "write FRAME:KEY[:FRAMES]") != NULL,
              bad[i]);
        check(strlen(found) == 0, "a wrong list records nothing");
    }
    char long_list[4096] = "";
    for (int i = 0; i < 256; i++) strcat(long_list, "99:a ");
    check(record(see_screen, RECORDING, long_list) == 0, "256 events");
    strcat(long_list, "99:a");
    (void)record(play_events, RECORDING, long_list);
    check(strlen(found) == 0, "257 events are refused");
}

/* ------------------------------------------------------------------ errors */

static void draw_much(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){2000000, 2000000});
    open_screen();
    for (int i = 0; i < 900; i++) scribble(screen), show();
}

static void test_errors(void)
{
#define ENDS ". The recording ends here; the program goes on.\n"
    static const char *const files[] = {"build/play/no/such", RECORDING};
    for (size_t i = 0; i < 2; i++) {
        size_t bytes;
        check(record(i == 0 ? see_screen : draw_much, files[i], NULL) == 0, files[i]);
        if (i == 0) check(record(present_all, files[i], NULL) == 0, files[i]);
        const char *err = (char *)load("build/play/recorder.err", &bytes);
        check(strcmp(err, i == 0 ? "tessera-record: the file: No such file or directory" ENDS
                                 : "tessera-record: the file: File too large" ENDS) == 0,
              err);
        check(shared->has_failed, "the launcher is told");
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_recorder_life FOLDER SUMS\n"), 2;
    rig_begin(argv);
    test_surfaces();
    test_presents();
    test_events();
    test_errors();
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
