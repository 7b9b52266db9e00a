/* SPDX-License-Identifier: Apache-2.0
 *
 * The frames of a scene on an open device, one after the other: what `tessera run` does, and the page in web/. Frames
 * overlap by one: the next is submitted before the last is waited for, unless a display shows them.
 */
#ifndef TESSERA_SCENE_RUN_H
#define TESSERA_SCENE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/scene/scene_gpu.h"
#include "tools/view/report.h"
#include "tools/view/view.h"

struct scene_run {
    /* Filled in before scene_run_begin. */
    const struct scene *scene;
    uint32_t frames;
    const uint8_t *expected; /* all frames, one after the other; NULL: they are not judged */
    uint8_t *pixels;         /* where they go */
    bool is_mapped;          /* textures may be read where they lie */
    bool is_bound;           /* the lower bound is wanted */
    bool asks_why;           /* QUERY_ALLOCATION of all at the end */
    bool spoils, has_display;
    bool has_flips;            /* frames are shown by flips (scene_flips.h) */
    uint32_t stall_percent;    /* of the device, for the lower bound */
    struct view *view;         /* NULL: nothing watches */
    struct run_record *record; /* filled in: frames, account, statistics, node, least, places, cycles */
    /* A frame has been read; may be NULL. */
    void (*on_frame)(void *context, uint32_t number, const struct frame_record *frame, const uint8_t *pixels);
    void *context;
    /* The run's own. */
    struct scene_gpu gpu;
    struct scene_frame frame;
    struct bound *bound;
    struct account before;
    uint32_t submitted, finished;
};

/* Create the scene's allocations and write their content. A status of tessera.h, as of the others. */
int scene_run_begin(struct scene_run *run, struct tessera *tessera);
/* Submit the next frame and finish the one before; after the last one, finish that. *is_over: there is nothing left.
 */
int scene_run_frame(struct scene_run *run, bool *is_over);
/* Read counters, bound and places of what has been drawn. */
int scene_run_measure(struct scene_run *run);
/* Free what is the run's own; the device is closed next. */
void scene_run_end(struct scene_run *run);

#endif
