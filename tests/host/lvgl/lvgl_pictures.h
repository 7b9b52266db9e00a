/* SPDX-License-Identifier: Apache-2.0
 *
 * For demos.c: images of every format that change in every frame, over gradients; objects on layers of their own.
 */
#ifndef TESTS_LVGL_PICTURES_H
#define TESTS_LVGL_PICTURES_H

/* `kinds`: letters of what to do with the images, all if empty: s scale, a scale with antialiasing, t turn, r recolour,
 * o opacity, g gradients; digits: which of the images, all if none. */
void pictures_begin(const char *kinds);
void pictures_step(void);

/* Objects and labels on layers, turned and scaled, and images that are changed in the ways that LVGL knows. `kinds`: i
 * the images alone. */
void whole_begin(const char *kinds);
void whole_step(void);

#endif
