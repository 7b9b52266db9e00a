/* SPDX-License-Identifier: Apache-2.0
 *
 * See view_internal.h: the lists of the history, what is resident where, and samples.
 */
#include "tools/view/view_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"

/* ------------------------------------------------------------------ lists */

void *view_append(struct view *view, void **list, uint32_t *count, uint32_t *room, uint32_t limit, size_t bytes)
{
    if (*count == *room && *room < limit) {
        uint32_t wanted = *room != 0 ? *room * 2u : 256u;
        void *larger = realloc(*list, (wanted < limit ? wanted : limit) * bytes);
        if (larger != NULL) {
            *list = larger;
            *room = wanted < limit ? wanted : limit;
        }
    }
    if (*count == *room) {
        view->is_cut = true;
        return NULL;
    }
    void *entry = (uint8_t *)*list + (size_t)*count * bytes;
    memset(entry, 0, bytes);
    ++*count;
    return entry;
}

struct known *view_known(struct view *view, uint32_t handle)
{
    uint32_t at = handle * 2654435761u >> 17 & (VIEW_KNOWN - 1u);
    if (handle == 0) return NULL;
    while (view->known[at].handle != 0 && view->known[at].handle != handle) at = (at + 1u) & (VIEW_KNOWN - 1u);
    if (view->known[at].handle == handle) return &view->known[at];
    if (view->known_count >= VIEW_KNOWN * 3u / 4u) {
        view->is_cut = true;
        return NULL;
    }
    view->known_count++;
    view->known[at].handle = handle;
    snprintf(view->known[at].name, sizeof view->known[at].name, "0x%" PRIx32, handle);
    return &view->known[at];
}

void view_name(struct view *view, uint32_t handle, const char *name)
{
    struct known *known = view != NULL ? view_known(view, handle) : NULL;
    if (known != NULL) snprintf(known->name, sizeof known->name, "%s", name);
}

void view_reason(struct view *view, uint32_t handle, uint32_t reason)
{
    struct known *known = view != NULL ? view_known(view, handle) : NULL;
    if (known != NULL) known->reason = reason + 1u;
}

/* ------------------------------------------------------------------ residency */

void view_left(struct view *view, uint64_t cycle, uint32_t handle, enum stay_end how)
{
    struct known *known = view_known(view, handle);
    if (known == NULL || known->stay == 0) return;
    struct stay *stay = &view->stays[known->stay - 1u];
    stay->end = cycle;
    stay->how_ended = (uint8_t)how;
    stay->left_in = view->is_planning ? view->decision_count : NO_PLAN; /* which it becomes */
    if (how == STAY_EVICTED) {
        stay->next_use = view->next_use;
        view->next_use = NO_NEXT_USE;
    }
    known->stay = 0;
    view->resident[stay->segment] -= stay->pages;
    view_show_leaving(view, stay);
}

void view_arrived(struct view *view, uint64_t cycle, uint32_t handle)
{
    struct known *known = view_known(view, handle);
    uint32_t segment = view->place >> 28, page = view->place & 0x0fffffffu;
    if (known == NULL || segment == 0) return;
    uint64_t bytes = (uint64_t)known->pages * GPU_LIMIT(PAGE_BYTES);
    bool is_move = known->stay != 0;
    if (is_move) view_left(view, cycle, handle, STAY_MOVED);
    else *(known->arrivals != 0 ? &view->traffic.in_again : &view->traffic.in_first) += bytes;
    known->arrivals += !is_move;
    struct stay *stay =
        view_append(view, (void **)&view->stays, &view->stay_count, &view->stay_room, VIEW_STAYS, sizeof *stay);
    if (stay == NULL) {
        view->stay_lost++;
        return;
    }
    *stay = (struct stay){.begin = cycle,
                          .known = (uint32_t)(known - view->known),
                          .page = page,
                          .pages = known->pages,
                          .segment = (uint8_t)segment,
                          .how_ended = STAY_OPEN,
                          .is_again = !is_move && known->arrivals > 1u,
                          .arrived_in = view->is_planning ? view->decision_count : NO_PLAN,
                          .left_in = NO_PLAN,
                          .next_use = NO_NEXT_USE};
    known->stay = view->stay_count;
    view->resident[segment] += stay->pages;
    if (page + stay->pages > view->segment_top[segment]) view->segment_top[segment] = page + stay->pages;
    view_show_arrival(view, stay);
}

/* ------------------------------------------------------------------ samples */

static void add_node(struct node_counters *sum, const struct node_counters *from, const struct node_counters *to)
{
    uint32_t *a = &sum->packets;
    const uint32_t *b = &from->packets, *c = &to->packets;
    for (size_t i = 0; i < sizeof *sum / sizeof *a; i++) a[i] += c[i] - b[i];
}

/* Neighbours become one, so that a run of any length keeps its shape. */
static void merge_samples(struct view *view)
{
    static const struct node_counters zero;
    for (uint32_t i = 0; i < view->sample_count / 2u; i++) {
        struct sample sum = view->samples[2u * i + 1u];
        const struct sample *first = &view->samples[2u * i];
        sum.begin = first->begin;
        sum.firmware_busy += first->firmware_busy;
        for (unsigned node = 0; node < VIEW_NODES; node++) sum.firmware_waits[node] += first->firmware_waits[node];
        for (unsigned port = 0; port < 3; port++) sum.beats[port] += first->beats[port];
        for (unsigned node = 0; node < VIEW_NODES; node++) add_node(&sum.node[node], &zero, &first->node[node]);
        view->samples[i] = sum;
    }
    view->sample_count /= 2u;
    view->sample_merge *= 2u;
}

static void show_sample(struct view *view, uint64_t cycle)
{
    static const char *const names[VIEW_NODES] = {"render node: cycles", "paging node: cycles"};
    const struct probe_counters *now = &view->counters, *last = &view->sampled;
    char arguments[400];
    size_t used = 0;
    snprintf(arguments, sizeof arguments, "\"segment 1\":%u,\"segment 2\":%u,\"system memory\":%u",
             (now->beats[0] - last->beats[0]) * 8u, (now->beats[1] - last->beats[1]) * 8u,
             (now->beats[2] - last->beats[2]) * 8u);
    timeline_counter(view->timeline, GROUP_COUNTERS, cycle, "bytes per port", arguments);
    for (unsigned node = 0; node < VIEW_NODES; node++) {
        const struct node_counters *a = &last->node[node], *b = &now->node[node];
        snprintf(arguments, sizeof arguments,
                 "\"busy\":%u,\"waits for command words\":%u,\"waits for a fence\":%u,\"waits for read data\":%u,"
                 "\"waits for the bus to take data\":%u,\"waits for earlier writes\":%u",
                 b->busy - a->busy, b->stall_fetch - a->stall_fetch, b->stall_fence - a->stall_fence,
                 b->stall_read - a->stall_read, b->stall_write - a->stall_write, b->stall_drain - a->stall_drain);
        timeline_counter(view->timeline, GROUP_COUNTERS, cycle, names[node], arguments);
    }
    arguments[0] = 0;
    for (uint32_t segment = 1; segment < VIEW_SEGMENTS; segment++)
        if (view->segment_top[segment] != 0)
            used += (size_t)snprintf(arguments + used, sizeof arguments - used, "%s\"segment %u\":%u",
                                     used != 0 ? "," : "", segment, view->resident[segment]);
    if (used != 0) timeline_counter(view->timeline, GROUP_COUNTERS, cycle, "resident pages", arguments);
}

void view_sample(struct view *view, uint64_t cycle)
{
    if (cycle <= view->sampled_at) return;
    uint64_t idle = view->idle_cycles + (view->is_idle ? cycle - view->idle_begin : 0);
    uint64_t busy = cycle > idle ? cycle - idle : 0;
    uint32_t last = view->sample_count - 1u;
    bool is_new = view->sample_count == 0 ||
                  view->samples[last].end - view->samples[last].begin >= (uint64_t)view->sample_merge * PROBE_SAMPLE;
    if (is_new && view->sample_count == VIEW_SAMPLES) merge_samples(view);
    if (is_new) {
        last = view->sample_count++;
        memset(&view->samples[last], 0, sizeof *view->samples);
        view->samples[last].begin = view->sampled_at;
    }
    struct sample *sample = &view->samples[last];
    sample->end = cycle;
    sample->firmware_busy += busy - view->busy_sampled;
    for (unsigned port = 0; port < 3; port++)
        sample->beats[port] += view->counters.beats[port] - view->sampled.beats[port];
    for (unsigned node = 0; node < VIEW_NODES; node++) {
        const uint64_t waits = view->account.node[node].firmware;
        add_node(&sample->node[node], &view->sampled.node[node], &view->counters.node[node]);
        sample->firmware_waits[node] += waits - view->waits_sampled[node];
        view->waits_sampled[node] = waits;
    }
    memcpy(sample->resident, view->resident, sizeof sample->resident);
    sample->queued = view->queued;
    if (view->has_counters) show_sample(view, cycle);
    view->sampled = view->counters;
    view->sampled_at = cycle;
    view->busy_sampled = busy;
}
