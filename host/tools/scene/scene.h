/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene: textures, and per frame a list of draws in several buffers. It knows nothing of slots, streams or
 * memory. scene_gpu.c turns it into DMA buffers, scene_reference.c draws it in plain C; both must agree
 * byte for byte.
 */
#ifndef TESSERA_SCENE_H
#define TESSERA_SCENE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SCENE_WIDTH = 320,
    SCENE_HEIGHT = 240,
    SCENE_PITCH = SCENE_WIDTH * 2,
    SCENE_FRAME_BYTES = SCENE_PITCH * SCENE_HEIGHT
};
enum { SCENE_FILL = 0xffff }; /* texture of a solid rectangle; its colour is `value` */

struct scene_texture {
    char name[16];
    uint32_t format;               /* FORMAT group */
    uint32_t width, height, pitch; /* units, rows, bytes */
    uint8_t *data;                 /* pitch * height bytes */
};

/* A rectangle of a texture onto the RGB565 frame. Always inside both. */
struct scene_draw {
    uint16_t texture, mode; /* mode: BLIT group */
    uint16_t target_x, target_y, source_x, source_y, width, height;
    uint32_t value; /* key, constant alpha or colour */
    uint16_t is_premultiplied;
};

enum { SCENE_BUFFERS = 8, SCENE_BUFFER_DRAWS = 512, SCENE_TOUCHES = 8, SCENE_PROGRAMS = 2 };

/* Before the frame is drawn the program itself writes all of a texture. It does so in every frame, or in none. */
struct scene_touch {
    uint32_t texture;
    const uint8_t *data; /* pitch * height bytes, the scene's */
};

struct scene_frame {
    struct {
        struct scene_draw draws[SCENE_BUFFER_DRAWS];
        uint32_t count;
        uint32_t program; /* whose buffer; what different programs draw does not overlap */
    } buffer[SCENE_BUFFERS];
    uint32_t buffer_count;
    struct scene_touch touches[SCENE_TOUCHES];
    uint32_t touch_count;
};

struct scene {
    const char *name;
    struct scene_texture *textures;
    uint32_t texture_count;
    uint32_t program_count; /* contexts of their own; 0 is 1 */
    bool unbinds;           /* small textures are unbound right after their use, too: no split has to keep them */
    void *state;            /* the scene's own */
    void (*frame)(const struct scene *scene, uint32_t number, struct scene_frame *frame);
    void (*destroy)(struct scene *scene);
};

/* Bytes of whole pages of the textures that frame `number` names; 0 without memory to count them. */
uint64_t scene_frame_footprint(const struct scene *scene, uint32_t number);

/* Freedoom's data; its per-frame footprint is at least `footprint` bytes. `variety`: different textures in its
 * mosaic, 0 = as many as it has cells (400). 0, or -1 with a line in `message`. */
int scene_freedoom(struct scene *scene, const char *wad_path, uint32_t seed, uint64_t footprint, uint32_t variety,
                   char message[256]);

/* The scene with this name (scenes.h) but "freedoom". 0, or -1 with a line in `message`. */
int scene_computed(struct scene *scene, const char *name, uint32_t seed, char message[256]);

/* The frame as it must look: `target` is SCENE_FRAME_BYTES of RGB565. */
void scene_reference(const struct scene *scene, const struct scene_frame *frame, uint8_t *target);

#endif
