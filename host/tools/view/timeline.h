/* SPDX-License-Identifier: Apache-2.0
 *
 * A Chrome trace file, event by event (opens in ui.perfetto.dev and chrome://tracing). One cycle is shown as one
 * microsecond. Events may come in any order of time. `name` may be any text; `arguments` is JSON as it goes into
 * "args": {...}, or NULL. A NULL timeline takes everything and keeps nothing. What a run shows is view.h's business.
 */
#ifndef TESSERA_TIMELINE_H
#define TESSERA_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

/* Place of an event: process and thread of the trace format, here a group and a track in it. */
struct track {
    uint32_t group, line;
};

struct timeline;

/* NULL when the file cannot be written. */
struct timeline *timeline_open(const char *path);
/* 0, or -1 if any writing failed. NULL is fine. */
int timeline_close(struct timeline *timeline);
uint64_t timeline_bytes(const struct timeline *timeline); /* written so far, about */

void timeline_name_group(struct timeline *timeline, uint32_t group, const char *name);
void timeline_name_track(struct timeline *timeline, struct track track, const char *name);

void timeline_span(struct timeline *timeline, struct track track, uint64_t begin, uint64_t end, const char *name,
                   const char *arguments);
void timeline_instant(struct timeline *timeline, struct track track, uint64_t cycle, const char *name,
                      const char *arguments);
/* Arrow `id` of `category`: phase 's' starts it, 't' passes by, 'f' ends it; each inside a span of the track. */
void timeline_flow(struct timeline *timeline, struct track track, uint64_t cycle, char phase, const char *category,
                   uint32_t id);
/* Every member of `arguments` is a line of the chart. */
void timeline_counter(struct timeline *timeline, uint32_t group, uint64_t cycle, const char *name,
                      const char *arguments);
/* Spans that may overlap: phase 'b' begins and 'e' ends `id` of `category`. */
void timeline_overlapping(struct timeline *timeline, uint32_t group, uint64_t cycle, char phase, const char *category,
                          uint32_t id, const char *name);

/* `text` as a JSON string without its quotes: what would end it, or a script of HTML around it, is escaped. */
void json_print_text(FILE *file, const char *text);

#endif
