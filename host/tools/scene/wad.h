/* SPDX-License-Identifier: Apache-2.0
 *
 * Reader of WAD files (Doom, Freedoom): the directory, the palette, flats and patches. The file is
 * untrusted: every offset is checked, a picture that lies about itself is refused.
 */
#ifndef TESSERA_WAD_H
#define TESSERA_WAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wad {
    uint8_t *data;
    size_t bytes;
    uint32_t lump_count, directory;
};

/* Palette indices, row by row; `opaque` is 0 where the picture has a hole. */
struct picture {
    uint32_t width, height;
    uint8_t *indices, *opaque;
    bool has_holes, is_out_of_memory;
};

/* 0, or -1 with a line in `message` (256 bytes) that says what to do. */
int wad_open(struct wad *wad, const char *path, char message[256]);
void wad_close(struct wad *wad);

/* Index of the first lump from `from` on whose name begins with `name` (whole name if 8 long or `exact`);
 * -1 if there is none. */
int wad_find(const struct wad *wad, const char *name, bool exact, int from);
/* Name with terminating zero. */
void wad_name(const struct wad *wad, int lump, char name[9]);
const uint8_t *wad_lump(const struct wad *wad, int lump, uint32_t *bytes);

/* 256 colours of PLAYPAL's first palette as 0xffRRGGBB. False if there is none. */
bool wad_palette(const struct wad *wad, uint32_t palette[256]);

/* Decode; false if the lump is no such picture, or with picture->is_out_of_memory: nothing is left to be released then.
 * picture_free() releases. */
bool wad_patch(const struct wad *wad, int lump, struct picture *picture);
bool wad_flat(const struct wad *wad, int lump, struct picture *picture);
void picture_free(struct picture *picture);

#endif
