/* SPDX-License-Identifier: Apache-2.0
 *
 * How well both nodes' work lies side by side, from the counters that a simulated device shows of them. A node works
 * while it is busy and not in WAIT_FENCE.
 */
#ifndef REPLAY_METER_H
#define REPLAY_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/device/probe.h"

struct meter {
    bool has_sample;
    struct probe_counters last;
    uint64_t both_cycles;             /* both nodes worked */
    uint64_t copy_cycles, copy_bytes; /* the paging node copied between system memory and a segment, alone */
    uint64_t beats[3];                /* as in probe_counters: of 8 bytes, at each memory */
};

enum { METER_SEGMENT2_BEAT_CYCLES = 2 }; /* on the one data path of segment 2 (sim/sim_top.v) */

/* Forget all sums. What was sampled last stays. */
void meter_begin(struct meter *meter);

/* The counters at a later time. Samples come at least at both ends of every packet, so that a node has hardly more than
 * one state between two. */
void meter_sample(struct meter *meter, const struct probe_counters *counters);

/* Cycles for copying a page while the render node rests; 0: none was. */
double meter_page_cycles(const struct meter *meter, uint32_t page_bytes);

#endif
