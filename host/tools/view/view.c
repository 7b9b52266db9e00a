/* SPDX-License-Identifier: Apache-2.0
 *
 * See view.h: life, and the program's part.
 */
#include "tools/view/view_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

/* ------------------------------------------------------------------ the program's part */

void view_span(struct view *view, uint64_t begin, uint64_t end, const char *name)
{
    if (view != NULL) timeline_span(view->timeline, (struct track){GROUP_GPU, TRACK_HOST}, begin, end, name, NULL);
}

static struct view_frame *frame_of(struct view *view, uint32_t number)
{
    if (view == NULL || number >= VIEW_FRAMES) return NULL;
    if (number >= view->frame_count) view->frame_count = number + 1u;
    return &view->frames[number];
}

void view_frame_begin(struct view *view, uint32_t number, uint64_t cycle)
{
    struct view_frame *frame = frame_of(view, number);
    char name[32];
    if (frame == NULL) return;
    view->frame = number;
    frame->begin = cycle;
    snprintf(name, sizeof name, "frame %" PRIu32, number);
    timeline_overlapping(view->timeline, GROUP_GPU, cycle, 'b', "frame", number, name);
}

void view_frame_end(struct view *view, uint32_t number, uint64_t cycle)
{
    struct view_frame *frame = frame_of(view, number);
    char name[32];
    if (frame == NULL) return;
    frame->end = cycle;
    draws_frame_end(view->draws, number);
    snprintf(name, sizeof name, "frame %" PRIu32, number);
    timeline_overlapping(view->timeline, GROUP_GPU, cycle, 'e', "frame", number, name);
}

/* ------------------------------------------------------------------ life */

struct account view_account(const struct view *view) { return view != NULL ? view->account : (struct account){0}; }

const struct probe *view_probe(struct view *view) { return view != NULL ? &view->probe : NULL; }

static void name_tracks(struct timeline *timeline)
{
    static const struct {
        uint32_t line;
        const char *name;
    } tracks[] = {{TRACK_HOST, "host"},
                  {TRACK_FIRMWARE, "firmware"},
                  {TRACK_RENDER, "render node"},
                  {TRACK_PAGING, "paging node"}};
    timeline_name_group(timeline, GROUP_GPU, "Tessera");
    timeline_name_group(timeline, GROUP_COUNTERS, "ports, nodes, memory");
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++)
        timeline_name_track(timeline, (struct track){GROUP_GPU, tracks[i].line}, tracks[i].name);
}

struct view *view_open(const char *directory, char message[256])
{
    char path[512];
    struct view *view = calloc(1, sizeof *view);
    snprintf(path, sizeof path, "%s/trace.json", directory);
    if (view != NULL) {
        view->known = calloc(VIEW_KNOWN, sizeof *view->known);
        view->samples = calloc(VIEW_SAMPLES, sizeof *view->samples);
        view->frames = calloc(VIEW_FRAMES, sizeof *view->frames);
    }
    if (view == NULL || view->known == NULL || view->samples == NULL || view->frames == NULL) {
        snprintf(message, 256, "out of memory");
        view_free(view);
        return NULL;
    }
    view->timeline = timeline_open(path);
    if (view->timeline == NULL) {
        snprintf(message, 256, "cannot write %.150s: %s. Name a directory that can be written with --out.", path,
                 strerror(errno));
        view_free(view);
        return NULL;
    }
    view->sample_merge = 1;
    view->is_idle = true; /* until the core's first event */
    view->next_use = NO_NEXT_USE;
    view->deciding.job = UINT32_MAX;
    view->probe = (struct probe){.context = view,
                                 .packet_begin = view_packet_begin,
                                 .packet_end = view_packet_end,
                                 .counters = view_counters,
                                 .firmware = view_firmware};
    name_tracks(view->timeline);
    return view;
}

int view_end_timeline(struct view *view)
{
    if (view == NULL || view->timeline == NULL) return 0;
    view_sample(view, view->now);
    view_show_residents(view);
    int status = timeline_close(view->timeline);
    view->timeline = NULL;
    return status;
}

int view_close(struct view *view)
{
    int status = view_end_timeline(view);
    if (view == NULL || view->is_closed) return status;
    view->is_closed = true;
    view_sample(view, view->now);
    for (uint32_t i = 0; i < view->stay_count; i++)
        if (view->stays[i].how_ended == STAY_OPEN) view->stays[i].end = view->now;
    return status;
}

void view_free(struct view *view)
{
    if (view == NULL) return;
    (void)view_close(view);
    draws_destroy(view->draws);
    free(view->known);
    free(view->stays);
    free(view->jobs);
    free(view->blanks);
    free(view->decisions);
    free(view->samples);
    free(view->frames);
    free(view);
}
