/* SPDX-License-Identifier: Apache-2.0
 *
 * The scenes by name, what each is for, and the machine that it is meant for.
 */
#ifndef TESSERA_SCENES_H
#define TESSERA_SCENES_H

#include <stdbool.h>

#include "tools/scene/scene.h"

struct scene_about {
    const char *name, *title, *text;
    const char *programs[SCENE_PROGRAMS];    /* NULL after the last */
    uint32_t segment1_pages, segment2_pages; /* local memory that shows what the scene is about */
    bool is_copied;                          /* textures in memory segments only */
    bool is_file;                            /* made of a file, scene_freedoom; else scene_computed makes it */
};

/* The scene of this name; NULL: there is none. By number from 0 on, NULL after the last. */
const struct scene_about *scene_about(const char *name);
const struct scene_about *scene_about_number(uint32_t number);

/* Make one of them, whatever size memory has. False: out of memory. */
typedef bool scene_make(struct scene *scene, uint32_t seed);
scene_make scene_collection, scene_cards, scene_two_programs, scene_locks;

#endif
