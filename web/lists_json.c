/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of DMA buffers that wait or have been: their patch lists, which are on the tape where each was planned
 * or is later, and the newest portions that have been decided.
 */
#include <inttypes.h>

#include "state_json.h"

enum { PLANS_SHOWN = 64 };

void plans_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot)
{
    const struct view *view = machine->view;
    const uint32_t end = snapshot->decisions, begin = end > PLANS_SHOWN ? end - PLANS_SHOWN : 0;
    const char *comma = "";
    fputs("\"plans\":[", file);
    for (uint32_t i = begin; i < end && i < view->decision_count; i++) {
        const struct decision *decision = &view->decisions[i];
        const uint32_t tag = decision->job < view->job_count ? view->jobs[decision->job].tag : 0;
        if (tag == 0) continue;
        fprintf(file, "%s{\"plan\":%" PRIu32 ",\"tag\":%" PRIu32 ",", comma, i, tag);
        json_number(file, "first", decision->first_entry);
        json_number(file, "count", decision->entries);
        fprintf(file, "\"fence\":%" PRIu32 "}", decision->fence);
        comma = ",";
    }
    fputs("],", file);
}

/* Where on the tape the list of `tag` is the one at hand, from `from` on or else before it; UINT32_MAX: nowhere yet. */
static uint32_t place_of_list(struct machine *machine, uint32_t tag, uint32_t from)
{
    for (uint32_t at = from; at <= machine->count; at++)
        if (machine_state(machine, at)->tag == tag) return at;
    for (uint32_t at = from; at-- > 0;)
        if (machine_state(machine, at)->tag == tag) return at;
    return UINT32_MAX;
}

void list_json(FILE *file, struct machine *machine, uint32_t tag, uint32_t from)
{
    const uint32_t at = tag != 0 ? place_of_list(machine, tag, from) : UINT32_MAX;
    fputs("{", file);
    if (at != UINT32_MAX) patch_json(file, machine, machine_state(machine, at));
    fprintf(file, "\"tag\":%" PRIu32 "}", tag);
}
