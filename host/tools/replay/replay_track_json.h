/* SPDX-License-Identifier: Apache-2.0
 *
 * A schedule as JSON (replay_schedule.c), for the two files that tell one: against the workload, and against
 * the buffers as they were submitted (replay_submitted.c).
 */
#ifndef REPLAY_TRACK_JSON_H
#define REPLAY_TRACK_JSON_H

#include <json-c/json.h>

#include "tools/replay/replay_track_internal.h"

/* Bytes of a DMA buffer. */
struct track_bytes {
    uint32_t buffer, low, high;
};
/* Where the run stands in the file that is being written. */
typedef struct track_bytes track_locate(const struct track *track, uint32_t run_index, const void *context);

/* Adds the keys of a schedule to the object: initial, ops, runs. */
void track_add_schedule(json_object *root, const struct track *track, track_locate *locate, const void *context);

#endif
