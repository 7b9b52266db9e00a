/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene's frames on the device's display: each is a flip of the overlay, which the device makes at the first vertical
 * blank after the frame's last DMA buffer. The two render targets take turns, so a frame is drawn into what the flip
 * before has taken off the display.
 */
#ifndef TESSERA_SCENE_FLIPS_H
#define TESSERA_SCENE_FLIPS_H

#include "tools/scene/scene_gpu.h"

enum { SCENE_DISPLAY_WIDTH = 640, SCENE_DISPLAY_HEIGHT = 480 }; /* of the mode */

/* After scene_gpu_create: set a mode; frames are shown from now on. The other calls do nothing without it. */
int scene_flips_begin(struct scene_gpu *gpu);
/* The frame in `target` is submitted; it is complete. In a scene of several programs only the latter flips. */
int scene_flips_submitted(struct scene_gpu *gpu, uint32_t target);
int scene_flips_completed(struct scene_gpu *gpu, uint32_t target);
/* Wait until the frame that was flipped last is shown. The other target is then free. */
int scene_flips_await(struct scene_gpu *gpu);
/* Instead of these: show the complete frame in `target`, and return when the display has shown every line of it. */
int scene_flips_show(struct scene_gpu *gpu, uint32_t target);

#endif
