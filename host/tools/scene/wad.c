/* SPDX-License-Identifier: Apache-2.0
 *
 * WAD files: 12 bytes of header {"IWAD" or "PWAD", lump count, directory offset}, then lumps, then the
 * directory of 16-byte entries {offset, size, name}. A patch is a header {width, height, left, top}, a table of
 * column offsets and columns made of posts {top, length, pad, bytes..., pad} ended by 255. A flat is 64 x 64
 * bytes. Pixels are indices into PLAYPAL.
 */
#include "tools/scene/wad.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 12, ENTRY_BYTES = 16, FLAT_SIDE = 64, PICTURE_SIDE_LIMIT = 2048 };

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t half_at(const uint8_t *bytes) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8; }

static bool read_whole(struct wad *wad, FILE *file)
{
    long end;
    if (fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) return false;
    wad->bytes = (size_t)end;
    wad->data = malloc(wad->bytes + 1u);
    return wad->data != NULL && fread(wad->data, 1, wad->bytes, file) == wad->bytes;
}

int wad_open(struct wad *wad, const char *path, char message[256])
{
    memset(wad, 0, sizeof *wad);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(message, 256, "cannot read %s: %s. Install Debian's package freedoom, or name a file with --wad.",
                 path, strerror(errno));
        return -1;
    }
    bool is_read = read_whole(wad, file);
    fclose(file);
    if (wad->bytes != 0 && wad->data == NULL) {
        snprintf(message, 256, "out of memory");
        return -1;
    }
    if (is_read && wad->bytes >= HEADER_BYTES && memcmp(wad->data + 1, "WAD", 3) == 0) {
        wad->lump_count = word_at(wad->data + 4);
        wad->directory = word_at(wad->data + 8);
        if (wad->directory <= wad->bytes && wad->lump_count <= (wad->bytes - wad->directory) / ENTRY_BYTES) return 0;
    }
    snprintf(message, 256,
             "%s is not a complete WAD file. Reinstall Debian's package freedoom, or name a file with --wad.", path);
    wad_close(wad);
    return -1;
}

void wad_close(struct wad *wad)
{
    free(wad->data);
    memset(wad, 0, sizeof *wad);
}

static const uint8_t *entry_of(const struct wad *wad, int lump)
{
    return wad->data + wad->directory + (size_t)lump * ENTRY_BYTES;
}

void wad_name(const struct wad *wad, int lump, char name[9])
{
    memcpy(name, entry_of(wad, lump) + 8, 8);
    name[8] = 0;
}

int wad_find(const struct wad *wad, const char *name, bool exact, int from)
{
    for (int lump = from; lump >= 0 && lump < (int)wad->lump_count; lump++) {
        char candidate[9];
        wad_name(wad, lump, candidate);
        if (exact ? strcmp(candidate, name) == 0 : strncmp(candidate, name, strlen(name)) == 0) return lump;
    }
    return -1;
}

const uint8_t *wad_lump(const struct wad *wad, int lump, uint32_t *bytes)
{
    const uint8_t *entry = entry_of(wad, lump);
    uint32_t offset = word_at(entry);
    *bytes = word_at(entry + 4);
    if (offset > wad->bytes || *bytes > wad->bytes - offset) *bytes = 0;
    return wad->data + (*bytes != 0 ? offset : 0);
}

bool wad_palette(const struct wad *wad, uint32_t palette[256])
{
    uint32_t bytes = 0;
    int lump = wad_find(wad, "PLAYPAL", true, 0);
    const uint8_t *data = lump >= 0 ? wad_lump(wad, lump, &bytes) : NULL;
    if (data == NULL || bytes < 768) return false;
    for (unsigned i = 0; i < 256; i++)
        palette[i] = 0xff000000u | (uint32_t)data[3 * i] << 16 | (uint32_t)data[3 * i + 1] << 8 | data[3 * i + 2];
    return true;
}

/* ------------------------------------------------------------------ pictures */

void picture_free(struct picture *picture)
{
    free(picture->indices);
    free(picture->opaque);
    memset(picture, 0, sizeof *picture);
}

static bool picture_make(struct picture *picture, uint32_t width, uint32_t height)
{
    memset(picture, 0, sizeof *picture);
    if (width == 0 || height == 0 || width > PICTURE_SIDE_LIMIT || height > PICTURE_SIDE_LIMIT) return false;
    picture->width = width;
    picture->height = height;
    picture->indices = calloc((size_t)width * height, 1);
    picture->opaque = calloc((size_t)width * height, 1);
    if (picture->indices != NULL && picture->opaque != NULL) return true;
    picture_free(picture);
    picture->is_out_of_memory = true;
    return false;
}

bool wad_flat(const struct wad *wad, int lump, struct picture *picture)
{
    uint32_t bytes = 0;
    const uint8_t *data = wad_lump(wad, lump, &bytes);
    memset(picture, 0, sizeof *picture);
    if (bytes != FLAT_SIDE * FLAT_SIDE || !picture_make(picture, FLAT_SIDE, FLAT_SIDE)) return false;
    memcpy(picture->indices, data, FLAT_SIDE * FLAT_SIDE);
    memset(picture->opaque, 1, FLAT_SIDE * FLAT_SIDE);
    return true;
}

/* One column of posts; false if it leaves the lump. A top not above the last one is relative to it, as in
 * pictures higher than 255. */
static bool decode_column(struct picture *picture, uint32_t x, const uint8_t *data, uint32_t bytes, uint32_t at)
{
    uint32_t last_top = 0;
    bool is_first = true;
    while (at < bytes && data[at] != 255) {
        if (bytes - at < 4u || data[at + 1] > bytes - at - 4u) return false;
        uint32_t top = data[at], length = data[at + 1];
        if (!is_first && top <= last_top) top += last_top;
        for (uint32_t i = 0; i < length && top + i < picture->height; i++) {
            picture->indices[(top + i) * picture->width + x] = data[at + 3 + i];
            picture->opaque[(top + i) * picture->width + x] = 1;
        }
        last_top = top;
        is_first = false;
        at += length + 4u;
    }
    return at < bytes;
}

bool wad_patch(const struct wad *wad, int lump, struct picture *picture)
{
    uint32_t bytes = 0;
    const uint8_t *data = wad_lump(wad, lump, &bytes);
    memset(picture, 0, sizeof *picture);
    if (bytes < 8 || !picture_make(picture, half_at(data), half_at(data + 2))) return false;
    bool is_good = picture->width <= (bytes - 8u) / 4u;
    for (uint32_t x = 0; x < picture->width && is_good; x++)
        is_good = decode_column(picture, x, data, bytes, word_at(data + 8 + 4 * x));
    if (!is_good) {
        picture_free(picture);
        return false;
    }
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++)
        picture->has_holes = picture->has_holes || !picture->opaque[i];
    return true;
}
