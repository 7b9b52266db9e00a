/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/scene/scenes.h"

#include <stdio.h>
#include <stddef.h>
#include <string.h>

static const struct {
    struct scene_about about;
    scene_make *make;
} scenes[] = {
    {{.name = "freedoom",
      .title = "Freedoom's pictures",
      .text = "A mosaic of 400 pictures of a game, four times what local memory holds, and figures walking before it.",
      .programs = {"scene"},
      .segment1_pages = 64,
      .segment2_pages = 512,
      .is_file = true},
     NULL},
    {{.name = "collection",
      .title = "A collection of textures",
      .text = "A mosaic of 400 computed textures, four times what local memory holds.",
      .programs = {"scene"},
      .segment1_pages = 64,
      .segment2_pages = 512},
     scene_collection},
    {{.name = "cards",
      .title = "A deck of cards",
      .text = "52 cards, each its own texture, and a table with room for a part of them in memory.",
      .programs = {"player"},
      .segment1_pages = 16,
      .segment2_pages = 64,
      .is_copied = true},
     scene_cards},
    {{.name = "programs",
      .title = "Two programs",
      .text = "Two programs with a context each draw a half of the frame; each would fill memory alone.",
      .programs = {"left", "right"},
      .segment1_pages = 16,
      .segment2_pages = 160,
      .is_copied = true},
     scene_two_programs},
    {{.name = "locks",
      .title = "A program that touches its surfaces",
      .text = "A program paints some of its surfaces itself before each frame: the GPU has to give them back first.",
      .programs = {"painter"},
      .segment1_pages = 16,
      .segment2_pages = 144,
      .is_copied = true},
     scene_locks},
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

const struct scene_about *scene_about_number(uint32_t number) { return number < SCENES ? &scenes[number].about : NULL; }

const struct scene_about *scene_about(const char *name)
{
    for (uint32_t i = 0; i < SCENES; i++)
        if (strcmp(scenes[i].about.name, name) == 0) return &scenes[i].about;
    return NULL;
}

int scene_computed(struct scene *scene, const char *name, uint32_t seed, char message[256])
{
    memset(scene, 0, sizeof *scene);
    for (uint32_t i = 0; i < SCENES; i++) {
        if (strcmp(scenes[i].about.name, name) != 0 || scenes[i].make == NULL) continue;
        scene->name = scenes[i].about.name;
        if (scenes[i].make(scene, seed)) return 0;
        snprintf(message, 256, "out of memory");
        if (scene->destroy != NULL) scene->destroy(scene);
        return -1;
    }
    snprintf(message, 256, "there is no computed scene '%.80s'", name);
    return -1;
}
