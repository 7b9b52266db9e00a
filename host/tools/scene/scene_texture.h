/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures of a scene from pictures of a WAD file: RGB565 with a colour key for holes, ARGB8888 with
 * alpha, or computed.
 */
#ifndef TESSERA_SCENE_TEXTURE_H
#define TESSERA_SCENE_TEXTURE_H

#include <stdbool.h>

#include "tools/scene/scene.h"
#include "tools/scene/wad.h"

enum { TEXTURE_KEY = 0xf81f }; /* magenta; a palette colour that rounds to it becomes 0xf81e */

struct texture_maker {
    const struct wad *wad;
    uint32_t palette[256];
    struct scene *scene;
    uint32_t capacity;
    bool is_out_of_memory;
};

bool texture_maker_init(struct texture_maker *maker, struct scene *scene, const struct wad *wad, uint32_t capacity);

/* Decode a lump, as wad.h says; without memory the maker has failed, too. */
bool texture_picture(struct texture_maker *maker, int lump, bool is_flat, struct picture *picture);

/* Each returns the texture's index in the scene, or SCENE_FILL if the lump is no such picture. */
uint32_t texture_from_picture(struct texture_maker *maker, const char *name, const struct picture *picture);
uint32_t texture_from_lump(struct texture_maker *maker, int lump);
/* Holes get alpha 0, everything else `alpha`. */
uint32_t texture_argb_from_lump(struct texture_maker *maker, int lump, uint32_t alpha);
/* A round light: premultiplied `colour` fading to the rim. */
uint32_t texture_glow(struct texture_maker *maker, const char *name, uint32_t side, uint32_t colour);
/* One colour, alpha included. */
uint32_t texture_plain(struct texture_maker *maker, const char *name, uint32_t width, uint32_t height, uint32_t argb);

/* Pages of an allocation that holds it. */
uint32_t texture_pages(const struct scene_texture *texture);

#endif
