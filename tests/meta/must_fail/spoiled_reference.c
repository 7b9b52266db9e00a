/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain C rendition of a scene with one bit of one pixel wrong. A `tessera` linked with it must say that a
 * frame differs and exit with a status that is not 0.
 */
#define scene_reference scene_reference_right
#include "../../../host/tools/scene/scene_reference.c"
#undef scene_reference

void scene_reference(const struct scene *scene, const struct scene_frame *frame, uint8_t *pixels);

void scene_reference(const struct scene *scene, const struct scene_frame *frame, uint8_t *pixels)
{
    scene_reference_right(scene, frame, pixels);
    pixels[SCENE_FRAME_BYTES / 2] ^= 1;
}
