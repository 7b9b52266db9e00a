/* SPDX-License-Identifier: Apache-2.0
 *
 * The public structures of SDL 1.2, 2 and 3 that the recorder looks into and the player hands out, by their binary
 * interface. SDL's headers cannot be used: the versions define the same names differently and one object serves all of
 * them, and none is to be needed for building. The layouts are frozen by their projects; tests/host/play compiles
 * programs against the real headers and would see a difference.
 */
#ifndef TESSERA_SDL_ABI_H
#define TESSERA_SDL_ABI_H

#include <stdint.h>

struct sdl_colour {
    uint8_t red, green, blue, alpha; /* alpha: SDL 2 only */
};

struct sdl_palette {
    int count;
    struct sdl_colour *colours;
};

/* ------------------------------------------------------------------ SDL 1.2 */

struct sdl1_rect {
    int16_t x, y;
    uint16_t width, height;
};

struct sdl1_format {
    struct sdl_palette *palette;
    uint8_t bits, bytes;
    uint8_t loss[4], shift[4];
    uint32_t red, green, blue, alpha_mask;
    uint32_t key;
    uint8_t alpha;
};

struct sdl1_surface {
    uint32_t flags;
    struct sdl1_format *format;
    int width, height;
    uint16_t pitch;
    void *pixels;
    int offset;
    void *hardware;
    struct sdl1_rect clip;
    uint32_t unused;
    uint32_t locked;
    void *map;
    unsigned int format_version;
    int references;
};

enum { SDL1_SRCCOLORKEY = 0x1000, SDL1_RLEACCEL = 0x4000, SDL1_SRCALPHA = 0x10000 };

enum { SDL1_KEYDOWN = 2, SDL1_KEYUP = 3, SDL1_MOUSEMOTION = 4, SDL1_MOUSEBUTTONDOWN = 5, SDL1_MOUSEBUTTONUP = 6 };

union sdl1_event {
    uint8_t type;
    struct {
        uint8_t type, which, state;
        uint8_t scancode __attribute__((aligned(4)));
        int symbol, modifiers;
        uint16_t unicode;
    } key;
    struct {
        uint8_t type, which, state;
        uint16_t x, y;
        int16_t dx, dy;
    } motion;
    struct {
        uint8_t type, which, button, state;
        uint16_t x, y;
    } button;
    void *align[4];
};

/* ------------------------------------------------------------------ SDL 2 */

struct sdl2_rect {
    int x, y, width, height;
};

struct sdl2_format {
    uint32_t format;
    struct sdl_palette *palette;
    uint8_t bits, bytes, padding[2];
    uint32_t red, green, blue, alpha_mask;
};

struct sdl2_surface {
    uint32_t flags;
    struct sdl2_format *format;
    int width, height, pitch;
    void *pixels;
    void *user;
    int locked;
    void *blit_maps;
    struct sdl2_rect clip;
    void *map;
    int references;
};

enum { SDL2_RLEACCEL = 2 };
enum { SDL2_BLENDMODE_NONE = 0, SDL2_BLENDMODE_BLEND = 1, SDL2_BLENDMODE_ADD = 2, SDL2_BLENDMODE_MOD = 4 };
enum {
    SDL2_PIXELFORMAT_INDEX8 = 0x13000801,
    SDL2_PIXELFORMAT_RGB565 = 0x15151002,
    SDL2_PIXELFORMAT_XRGB8888 = 0x16161804,
    SDL2_PIXELFORMAT_ARGB8888 = 0x16362004,
    SDL2_PIXELFORMAT_BGR24 = 0x17401803,
    SDL2_PIXELFORMAT_ARGB1555 = 0x15331002,
    SDL2_PIXELFORMAT_XRGB1555 = 0x15130f02
};

enum {
    SDL2_QUIT = 0x100,
    SDL2_KEYDOWN = 0x300,
    SDL2_KEYUP = 0x301,
    SDL2_MOUSEMOTION = 0x400,
    SDL2_MOUSEBUTTONDOWN = 0x401,
    SDL2_MOUSEBUTTONUP = 0x402
};

union sdl2_event {
    uint32_t type;
    struct {
        uint32_t type, time, window;
        uint8_t state, repeat, padding[2];
        int scancode, symbol;
        uint16_t modifiers;
        uint32_t unused;
    } key;
    struct {
        uint32_t type, time, window, which, state;
        int32_t x, y, dx, dy;
    } motion;
    struct {
        uint32_t type, time, window, which;
        uint8_t button, state, clicks, padding;
        int32_t x, y;
    } button;
    uint8_t bytes[64];
};

/* ------------------------------------------------------------------ SDL 3 */

/* Of no palette, key or modulation: SDL 3 has functions for these. Rectangles and blend modes are SDL 2's. */
struct sdl3_surface {
    uint32_t flags, format;
    int width, height, pitch;
    void *pixels;
    int references;
    void *reserved;
};

struct sdl3_format {
    uint32_t format;
    uint8_t bits, bytes, padding[2];
    uint32_t red, green, blue, alpha_mask;
    uint8_t channel_bits[4], shift[4];
};

enum { SDL3_COLORSPACE_SRGB = 0x120005a0 };

/* The types are numbered as those of SDL 2. */
union sdl3_event {
    uint32_t type;
    struct {
        uint32_t type, reserved;
        uint64_t time;
        uint32_t window, which;
        int scancode;
        uint32_t symbol;
        uint16_t modifiers, raw;
        uint8_t is_down, is_repeated;
    } key;
    struct {
        uint32_t type, reserved;
        uint64_t time;
        uint32_t window, which, state;
        float x, y, dx, dy;
    } motion;
    struct {
        uint32_t type, reserved;
        uint64_t time;
        uint32_t window, which;
        uint8_t button, is_down, clicks, padding;
        float x, y;
    } button;
    uint8_t bytes[128];
};

#endif
