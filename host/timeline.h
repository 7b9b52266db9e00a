/* SPDX-License-Identifier: Apache-2.0
 *
 * out/trace.json: a Chrome trace (opens in ui.perfetto.dev and chrome://tracing) of one run. Tracks: host,
 * firmware, render node, paging node; one cycle is shown as one microsecond. Portions and paging buffers are
 * tied to the firmware's decisions and to each other by arrows (fence ids).
 */
#ifndef TESSERA_TIMELINE_H
#define TESSERA_TIMELINE_H

#include <stdint.h>

#include "probe.h"

struct timeline;

/* NULL when the file cannot be written. */
struct timeline *timeline_open(const char *path);
/* Fill in a probe that records the device. Valid until timeline_close. */
void timeline_probe(struct timeline *timeline, struct probe *probe);
/* A span on the host's track. */
void timeline_host(struct timeline *timeline, uint64_t begin, uint64_t end, const char *name);
/* 0, or -1 if writing failed. */
int timeline_close(struct timeline *timeline);

#endif
