/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene on the GPU: an allocation per texture, two render targets in turn, DMA buffers that bind, draw
 * and unbind, a context for each of its programs. Frames may overlap by one: submit the next, then finish the last.
 */
#ifndef TESSERA_SCENE_GPU_H
#define TESSERA_SCENE_GPU_H

#include "tools/bound/bound.h"
#include "tools/scene/scene.h"
#include "tessera.h"

enum { SCENE_TARGETS = 2, SCENE_TICKETS = 24 };

/* What the device said about one frame's DMA buffers. */
struct scene_result {
    uint32_t buffers, failed, portions, evictions, pages_in, pages_out;
};

struct scene_gpu {
    struct tessera *tessera;
    const struct scene *scene;
    struct tessera_allocation **textures;
    struct tessera_allocation *targets[SCENE_TARGETS];
    struct tessera_stream *stream;
    uint32_t contexts[SCENE_PROGRAMS];
    uint32_t target, program;         /* of the stream being built */
    uint32_t slot_of[SCENE_FILL + 1]; /* in the stream being built: slot + 1 of a texture, 0 = not bound */
    uint32_t texture_in[64];          /* texture + 1 in a slot */
    uint32_t next_slot;               /* of the rotation */
    tessera_ticket tickets[SCENE_TARGETS][SCENE_TICKETS];
    uint32_t ticket_count[SCENE_TARGETS];
    uint32_t waited[SCENE_TARGETS];             /* of a target's tickets, those already waited for */
    struct scene_result results[SCENE_TARGETS]; /* of these, and the first status that was not good */
    int refusals[SCENE_TARGETS];
    uint32_t most_queued; /* DMA buffers not complete at a time; may be set after scene_gpu_create, 0: any number */
    struct bound *bound;  /* what is told of the frames; NULL: nothing */
    bool has_display;     /* may be set after scene_gpu_create; see scene_gpu_finish */
    bool has_flips;       /* scene_flips.h; is_flipping: `flip` was not waited for */
    bool tears;           /* they do not wait for a blank; may be set after scene_gpu_create */
    bool is_flipping;
    tessera_ticket flip;
};

/* Create allocations and write their content. Textures are read in the host's pages, through the aperture, where
 * `is_mapped` and the policy agree; else they are copied into a memory segment before. Returns a TESSERA_* or
 * device status. */
int scene_gpu_create(struct scene_gpu *gpu, struct tessera *tessera, const struct scene *scene, bool is_mapped);
/* Tell this all that is drawn from now on; what has been created is in its pages. */
void scene_gpu_tell(struct scene_gpu *gpu, struct bound *bound, bool is_mapped);
void scene_gpu_destroy(struct scene_gpu *gpu);
/* Free the program's side only: the device is closed next. */
void scene_gpu_forget(struct scene_gpu *gpu);

/* The allocation of texture i, or after the textures a target; NULL: there are no more. */
struct tessera_allocation *scene_gpu_allocation(const struct scene_gpu *gpu, uint32_t i);

/* Submit frame `number`; it goes to target number % SCENE_TARGETS, whose last frame must be finished. */
int scene_gpu_submit(struct scene_gpu *gpu, uint32_t number, const struct scene_frame *frame);
/* Wait for it and read it: SCENE_FRAME_BYTES. With has_display the device is a board, nothing may have been submitted
 * after the frame, and before it is read the board's display shows it whole; a frame in segment 1 cannot be shown. */
int scene_gpu_finish(struct scene_gpu *gpu, uint32_t number, uint8_t *pixels, struct scene_result *result);

#endif
