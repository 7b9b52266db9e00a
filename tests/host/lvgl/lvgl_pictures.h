/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of every format that change in every frame, over gradients, for demos.c.
 */
#ifndef TESTS_LVGL_PICTURES_H
#define TESTS_LVGL_PICTURES_H

/* `kinds`: letters of what to do with the images, all if empty: s scale, a scale with antialiasing, t turn, r recolour,
 * o opacity, g gradients; digits: which of the images, all if none. */
void pictures_begin(const char *kinds);
void pictures_step(void);

#endif
