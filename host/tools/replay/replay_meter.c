/* SPDX-License-Identifier: Apache-2.0
 *
 * See replay_meter.h. Counters have 32 bits and wrap; differences between two samples do not.
 */
#include "tools/replay/replay_meter.h"

void meter_begin(struct meter *meter)
{
    meter->both_cycles = meter->copy_cycles = meter->copy_bytes = 0;
    for (unsigned i = 0; i < 3; i++) meter->beats[i] = 0;
}

static uint32_t worked(const struct node_counters *from, const struct node_counters *to)
{
    uint32_t busy = to->busy - from->busy, waited = to->stall_fence - from->stall_fence;
    return busy > waited ? busy - waited : 0;
}

void meter_sample(struct meter *meter, const struct probe_counters *counters)
{
    const struct probe_counters *last = &meter->last;
    if (meter->has_sample) {
        const struct node_counters *from = &last->node[1], *to = &counters->node[1];
        uint32_t render = worked(&last->node[0], &counters->node[0]), paging = worked(from, to);
        uint32_t system = to->read_system - from->read_system + to->write_system - from->write_system;
        uint32_t local = to->read_local - from->read_local + to->write_local - from->write_local;
        meter->both_cycles += render < paging ? render : paging;
        if (render == 0 && (system != 0 || local == 0)) { /* neither a fill nor a move inside a segment */
            meter->copy_cycles += paging;
            meter->copy_bytes += system;
        }
        for (unsigned i = 0; i < 3; i++) meter->beats[i] += counters->beats[i] - last->beats[i];
    }
    meter->last = *counters;
    meter->has_sample = true;
}

double meter_page_cycles(const struct meter *meter, uint32_t page_bytes)
{
    if (meter->copy_bytes == 0) return 0;
    return (double)meter->copy_cycles * page_bytes / (double)meter->copy_bytes;
}
