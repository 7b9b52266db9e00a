/* SPDX-License-Identifier: Apache-2.0
 *
 * What one run shows of itself, put together from three sources: the device's probe (packets, firmware, counters),
 * the traffic of the host's rings (seen in the transport, so any program is watched without its help), and what
 * the program says (names, frames). It goes into out/trace.json as it happens, and a summary is kept for
 * out/report.html.
 *
 *   view_open - platform_open with view_probe - view_watch the transport - tessera_open with the watched one -
 *   the program's run, with view_name, view_span, view_frame as it likes - view_close - report_html - view_free
 *
 * Every function accepts a NULL view and then does nothing, so that an unwatched run needs no other code.
 */
#ifndef TESSERA_VIEW_H
#define TESSERA_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/device/probe.h"
#include "transport.h"
#include "tools/view/account.h"

struct view;

/* Starts DIRECTORY/trace.json. NULL with a line in `message` when it cannot be written. */
struct view *view_open(const char *directory, char message[256]);

/* In the time line every page at which allocations begin has a track; else a segment has one for all. Before the run.
 */
void view_show_pages(struct view *view);

/* For platform_options.probe. Valid until view_free. */
const struct probe *view_probe(struct view *view);
/* `watched` behaves as `inner`; closing it closes `inner`. Both must stay where they are. With a NULL view it is a
 * copy of `inner`. */
void view_watch(struct view *view, struct transport *inner, struct transport *watched);

/* A span on the host's track; such spans nest or follow each other. */
void view_span(struct view *view, uint64_t begin, uint64_t end, const char *name);
/* The program's name of an allocation (its handle); without one it is called by its handle. */
void view_name(struct view *view, uint32_t handle, const char *name);
/* Why it is read where it is, as QUERY_ALLOCATION says: PLACE_REASON group. */
void view_reason(struct view *view, uint32_t handle, uint32_t reason);
/* What is submitted from now on belongs to frame `number`. */
void view_frame_begin(struct view *view, uint32_t number, uint64_t cycle);
void view_frame_end(struct view *view, uint32_t number, uint64_t cycle);

/* Frames `first` to `last` are kept draw by draw for the report. Before the first message of the program. */
void view_report_frames(struct view *view, uint32_t first, uint32_t last);
/* What was submitted before belongs to no frame. */
void view_frames_begin(struct view *view);
/* A surface that draws can have as a target, or its rows from `row` on. */
struct view_surface {
    uint32_t id, width, height, format; /* the program's number of it; FORMAT group */
    uint32_t row;
    const char *name;
};
/* From the next DMA buffer on it lies in this allocation, from its first byte on, in rows without padding. */
void view_surface(struct view *view, uint32_t handle, const struct view_surface *surface);
/* Before view_frame_end: the picture of the frame as the host has read it, rows without padding, and as it should be;
 * NULL: it is as it should be, or nothing is known. Of what size and format, the surface with this number says. */
void view_frame_picture(struct view *view, uint32_t number, uint32_t surface, const uint8_t *pixels,
                        const uint8_t *expected);

/* Where the cycles went so far; of a device without counters, or of no view: nothing. */
struct account view_account(const struct view *view);

/* The time line ends here, which keeps the file of a long run small; the history for the report goes on. 0, or -1
 * if the file could not be written. */
int view_end_timeline(struct view *view);

/* The last of both. 0, or -1 if the file could not be written. */
int view_close(struct view *view);
void view_free(struct view *view);

#endif
