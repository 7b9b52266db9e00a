/* SPDX-License-Identifier: Apache-2.0
 *
 * The Chrome trace of a run: see timeline.h. Events are written as they come; what is held is one open span
 * per track (two on a node: a RUN and the packet inside).
 *
 * Arrows (flow events) carry a fence id: firmware PAGING event -> FENCE packet of the paging node ->
 * WAIT_FENCE of the render node; firmware PORTION event -> FENCE packet of the render node.
 */
#include "timeline.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu_names.h"
#include "gpu_spec.h"

enum track { TRACK_HOST = 1, TRACK_FIRMWARE, TRACK_RENDER, TRACK_PAGING };
enum { NODES = 2, DEPTH = 2 };

struct span {
    uint64_t begin;
    char name[64];
    bool is_shown;
};

struct timeline {
    FILE *file;
    struct span open[NODES][DEPTH];
    unsigned depth[NODES];
    struct span firmware; /* what the core does since the last event */
    bool is_firmware_busy;
};

/* ------------------------------------------------------------------ events */

static void span_event(struct timeline *timeline, enum track track, uint64_t begin, uint64_t end, const char *name)
{
    fprintf(timeline->file,
            ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"name\":\"%s\"}", (int)track,
            begin, end - begin, name);
}

static void instant_event(struct timeline *timeline, enum track track, uint64_t cycle, const char *name,
                          uint32_t argument)
{
    fprintf(timeline->file,
            ",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":%d,\"ts\":%" PRIu64
            ",\"name\":\"%s\",\"args\":{\"value\":%u}}",
            (int)track, cycle, name, argument);
}

/* phase: 's' start, 't' step, 'f' finish */
static void flow_event(struct timeline *timeline, enum track track, uint64_t cycle, char phase, const char *name,
                       uint32_t fence)
{
    fprintf(timeline->file,
            ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%d,\"ts\":%" PRIu64 ",\"cat\":\"fence\",\"name\":\"%s\",\"id\":%u%s}",
            phase, (int)track, cycle, name, fence, phase == 's' ? "" : ",\"bp\":\"e\"");
}

/* ------------------------------------------------------------------ nodes */

static void describe(char *name, size_t bytes, unsigned node, const uint32_t *words)
{
    uint32_t opcode = words[0] & 0xffu;
    switch (opcode) {
    case PKT_RUN:
        snprintf(name, bytes, "%s, %u bytes", node == 0 ? "portion" : "paging buffer", words[PKT_RUN_BYTES_WORD]);
        break;
    case PKT_FENCE:
    case PKT_WAIT_FENCE:
        snprintf(name, bytes, "%s %u", packet_name(opcode), words[PKT_FENCE_VALUE_WORD]);
        break;
    case PKT_COPY:
        snprintf(name, bytes, "COPY %u bytes", words[PKT_COPY_BYTES_WORD]);
        break;
    case PKT_FILL:
        snprintf(name, bytes, "FILL %u bytes", words[PKT_FILL_BYTES_WORD]);
        break;
    case PKT_BLIT:
        snprintf(name, bytes, "BLIT %ux%u", FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH),
                 FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT));
        break;
    default:
        snprintf(name, bytes, "%s", packet_name(opcode));
        break;
    }
}

static void packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct timeline *timeline = context;
    uint32_t opcode = words[0] & 0xffu;
    enum track track = node == 0 ? TRACK_RENDER : TRACK_PAGING;
    (void)offset;
    if (node >= NODES) return;
    if (timeline->depth[node] < DEPTH) {
        struct span *span = &timeline->open[node][timeline->depth[node]];
        span->begin = cycle;
        span->is_shown = opcode != PKT_BIND && opcode != PKT_NOP && opcode != PKT_GUARD;
        if (span->is_shown) describe(span->name, sizeof span->name, node, words);
    }
    timeline->depth[node]++;
    if (opcode == PKT_FENCE)
        flow_event(timeline, track, cycle, node == 0 ? 'f' : 't', node == 0 ? "portion" : "paging",
                   words[PKT_FENCE_VALUE_WORD]);
    if (opcode == PKT_WAIT_FENCE && node == 0)
        flow_event(timeline, track, cycle, 'f', "paging", words[PKT_WAIT_FENCE_VALUE_WORD]);
}

static void packet_end(void *context, uint64_t cycle, unsigned node)
{
    struct timeline *timeline = context;
    if (node >= NODES || timeline->depth[node] == 0) return;
    unsigned depth = --timeline->depth[node];
    if (depth < DEPTH && timeline->open[node][depth].is_shown)
        span_event(timeline, node == 0 ? TRACK_RENDER : TRACK_PAGING, timeline->open[node][depth].begin, cycle,
                   timeline->open[node][depth].name);
}

/* ------------------------------------------------------------------ firmware and host */

static void firmware_event(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    struct timeline *timeline = context;
    if (timeline->is_firmware_busy && cycle > timeline->firmware.begin)
        span_event(timeline, TRACK_FIRMWARE, timeline->firmware.begin, cycle, timeline->firmware.name);
    timeline->is_firmware_busy = event != TRACE_IDLE;
    timeline->firmware.begin = cycle;
    snprintf(timeline->firmware.name, sizeof timeline->firmware.name, "%s %u", trace_name(event), argument);
    if (event == TRACE_SPLIT) instant_event(timeline, TRACK_FIRMWARE, cycle, "split at byte", argument);
    if (event == TRACE_EVICT) instant_event(timeline, TRACK_FIRMWARE, cycle, "evict allocation", argument);
    if (event == TRACE_RECOVER) instant_event(timeline, TRACK_FIRMWARE, cycle, "recover node", argument);
    if (event == TRACE_PAGING) flow_event(timeline, TRACK_FIRMWARE, cycle, 's', "paging", argument);
    if (event == TRACE_PORTION) flow_event(timeline, TRACK_FIRMWARE, cycle, 's', "portion", argument);
}

void timeline_host(struct timeline *timeline, uint64_t begin, uint64_t end, const char *name)
{
    if (timeline != NULL) span_event(timeline, TRACK_HOST, begin, end, name);
}

/* ------------------------------------------------------------------ file */

struct timeline *timeline_open(const char *path)
{
    static const struct {
        enum track track;
        const char *name;
    } tracks[] = {{TRACK_HOST, "host"},
                  {TRACK_FIRMWARE, "firmware"},
                  {TRACK_RENDER, "render node"},
                  {TRACK_PAGING, "paging node"}};
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL || (timeline->file = fopen(path, "w")) == NULL) {
        free(timeline);
        return NULL;
    }
    fprintf(timeline->file,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n"
            "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"Tessera\"}}");
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks; i++)
        fprintf(timeline->file,
                ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}"
                ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%d}}",
                (int)tracks[i].track, tracks[i].name, (int)tracks[i].track, (int)tracks[i].track);
    return timeline;
}

void timeline_probe(struct timeline *timeline, struct probe *probe)
{
    *probe = (struct probe){
        .context = timeline, .packet_begin = packet_begin, .packet_end = packet_end, .firmware = firmware_event};
}

int timeline_close(struct timeline *timeline)
{
    if (timeline == NULL) return 0;
    fprintf(timeline->file, "\n]}\n");
    bool is_bad = ferror(timeline->file) != 0;
    is_bad = fclose(timeline->file) != 0 || is_bad;
    free(timeline);
    return is_bad ? -1 : 0;
}
