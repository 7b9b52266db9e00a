/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: out/trace.json is a time line one can trust. Method: read the finished file and hold it against what must
 * be true of any run: on every track the spans nest or follow each other; every arrow has one start and one end,
 * in order and each inside a span; no page of a segment has two tenants at a time; what begins ends; the counters'
 * samples add up to the totals of run.json, which come from the registers.
 *   check_trace trace.json run.json
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace_events.h"

enum { DEPTH_MAX = 8, PAGES = 8192, GROUP_GPU = 1, GROUP_SEGMENT = 10, SEGMENTS = 16 };
enum { TRACK_HOST = 1, TRACK_FIRMWARE, TRACK_RENDER, TRACK_PAGING, TRACKS };

/* An allocation in pages of a segment. */
struct tenant {
    int64_t group, begin, end;
    int64_t page, pages;
    bool is_last; /* resident at the end */
};

struct arrow {
    const char *category;
    int64_t id, group, track, time;
    char phase;
};

struct counts {
    struct span *spans;
    struct tenant *tenants;
    struct arrow *arrows;
    size_t span_count, tenant_count, arrow_count;
    unsigned portions, paging, begun, ended, on_track[TRACKS], unknown;
    int64_t queue_low, queue_last;
    int64_t busy[2], waits[2], resident[SEGMENTS], local_bytes, system_bytes;
    bool has_counters;
};

/* ------------------------------------------------------------------ spans */

/* Spans that overlap without one holding the other; on a segment's tracks spans that overlap at all. */
static unsigned badly_nested(const struct span *spans, size_t count)
{
    struct nesting nesting = {0};
    unsigned bad = 0;
    for (size_t i = 0; i < count; i++) {
        const struct span *span = &spans[i];
        const bool is_second =
            span->group > GROUP_SEGMENT && span->end > span->begin; /* where time stands still: none */
        const int held_by = span_enters(&nesting, span, DEPTH_MAX);
        if (held_by >= 0 && !(held_by > 0 && is_second)) continue;
        if (bad++ == 0)
            printf("      group %" PRId64 ", track %" PRId64 ", from %" PRId64 " to %" PRId64 "\n", span->group,
                   span->track, span->begin, span->end);
    }
    return bad;
}

/* Is there a span of that track that holds the moment? */
static bool is_inside(const struct span *spans, size_t count, const struct arrow *arrow)
{
    struct span key = {.group = arrow->group, .track = arrow->track, .begin = arrow->time, .end = -1};
    size_t low = 0, high = count;
    while (low < high) { /* the first span that begins later */
        size_t middle = low + (high - low) / 2;
        if (by_begin(&spans[middle], &key) <= 0) low = middle + 1;
        else high = middle;
    }
    for (unsigned tries = 0; low-- > 0 && tries < 10000; tries++) {
        if (spans[low].track != arrow->track || spans[low].group != arrow->group) return false;
        if (spans[low].end >= arrow->time) return true;
    }
    return false;
}

static int by_time(const void *left, const void *right)
{
    const struct tenant *a = left, *b = right;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* Pages that get a tenant while another is there. Sorts the tenants by time. */
static unsigned shared_pages(struct tenant *tenants, size_t count)
{
    static int64_t until[SEGMENTS][PAGES];
    unsigned bad = 0;
    qsort(tenants, count, sizeof *tenants, by_time);
    for (size_t i = 0; i < count; i++) {
        int64_t segment = tenants[i].group - GROUP_SEGMENT;
        if (segment <= 0) continue;
        if (segment >= SEGMENTS || tenants[i].pages <= 0 || tenants[i].page + tenants[i].pages > PAGES) {
            bad++;
            continue;
        }
        for (int64_t page = tenants[i].page; page < tenants[i].page + tenants[i].pages; page++) {
            bad += until[segment][page] > tenants[i].begin;
            until[segment][page] = tenants[i].end;
        }
    }
    return bad;
}

/* ------------------------------------------------------------------ arrows */

static int by_arrow(const void *left, const void *right)
{
    const struct arrow *a = left, *b = right;
    int order = strcmp(a->category, b->category);
    if (order != 0) return order;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->phase == 's' ? 0 : a->phase == 't' ? 1 : 2) - (b->phase == 's' ? 0 : b->phase == 't' ? 1 : 2);
}

static bool is_same_arrow(const struct arrow *a, const struct arrow *b)
{
    return a->id == b->id && strcmp(a->category, b->category) == 0;
}

/* In order of time every arrow is s, any t, f. */
static unsigned broken_arrows(struct arrow *arrows, size_t count)
{
    unsigned bad = 0;
    qsort(arrows, count, sizeof *arrows, by_arrow);
    for (size_t i = 0; i < count; i++) {
        bool is_first = i == 0 || !is_same_arrow(&arrows[i], &arrows[i - 1]);
        bool is_last = i + 1 == count || !is_same_arrow(&arrows[i], &arrows[i + 1]);
        char expected = is_first ? 's' : is_last ? 'f' : 't';
        if (arrows[i].phase != expected || (is_first && is_last)) {
            if (bad++ == 0)
                printf("      %s %" PRId64 " at %" PRId64 "\n", arrows[i].category, arrows[i].id, arrows[i].time);
        }
    }
    return bad;
}

static unsigned of_category(const struct counts *counts, const char *category)
{
    unsigned found = 0;
    for (size_t i = 0; i < counts->arrow_count; i++)
        found += counts->arrows[i].phase == 's' && strcmp(counts->arrows[i].category, category) == 0;
    return found;
}

/* ------------------------------------------------------------------ events */

static void take_counter(struct counts *counts, const char *name, json_object *values)
{
    if (strcmp(name, "queue depth") == 0) {
        counts->queue_last = whole(values, "DMA buffers taken");
        if (counts->queue_last < counts->queue_low) counts->queue_low = counts->queue_last;
    } else if (strcmp(name, "bytes per port") == 0) {
        counts->has_counters = true;
        counts->local_bytes += whole(values, "segment 1") + whole(values, "segment 2");
        counts->system_bytes += whole(values, "system memory");
    } else if (strcmp(name, "resident pages") == 0) {
        for (int segment = 1; segment < SEGMENTS; segment++) {
            char key[32];
            snprintf(key, sizeof key, "segment %d", segment);
            counts->resident[segment] = whole(values, key);
        }
    } else {
        unsigned node = strncmp(name, "paging", 6) == 0;
        counts->busy[node] += whole(values, "busy");
        counts->waits[node] += whole(values, "waits for the bus to take data");
    }
}

/* What is told when an allocation leaves, and at the end of what is still there. */
static void take_tenant(struct counts *counts, json_object *event, int64_t end)
{
    json_object *values = member(event, "args");
    if (member(values, "since") == NULL) return;
    counts->tenants[counts->tenant_count++] =
        (struct tenant){.group = whole(event, "pid"),
                        .begin = whole(values, "since"),
                        .end = end,
                        .page = whole(values, "page"),
                        .pages = whole(values, "pages"),
                        .is_last = strcmp(text(values, "end"), "resident at the end") == 0};
}

static void take_span(struct counts *counts, json_object *event, const char *name)
{
    struct span *span = &counts->spans[counts->span_count++];
    *span = (struct span){.group = whole(event, "pid"), .track = whole(event, "tid"), .begin = whole(event, "ts")};
    span->end = span->begin + whole(event, "dur");
    if (span->group > GROUP_SEGMENT) { /* on a segment's track it begins when the allocation leaves */
        bool is_change = strncmp(name, "out ", 4) == 0;
        take_tenant(counts, event, is_change ? span->begin : span->end);
    }
    if (span->group == GROUP_GPU && span->track > 0 && span->track < TRACKS) counts->on_track[span->track]++;
    counts->portions += strncmp(name, "portion", 7) == 0;
    counts->paging += strncmp(name, "paging buffer", 13) == 0;
}

static void take(struct counts *counts, json_object *event)
{
    const char *name = text(event, "name");
    char phase = *text(event, "ph");
    switch (phase) {
    case 'X': take_span(counts, event, name); break;
    case 's':
    case 't':
    case 'f':
        counts->arrows[counts->arrow_count++] =
            (struct arrow){text(event, "cat"),  whole(event, "id"), whole(event, "pid"),
                           whole(event, "tid"), whole(event, "ts"), phase};
        break;
    case 'C': take_counter(counts, name, member(event, "args")); break;
    case 'b': counts->begun++; break;
    case 'e': counts->ended++; break;
    case 'i': take_tenant(counts, event, whole(event, "ts")); break;
    case 'M': break;
    default: counts->unknown++; break;
    }
}

/* ------------------------------------------------------------------ verdict */

static unsigned passed, failed;

static void check(bool is_good, const char *what)
{
    printf("%s  %s\n", is_good ? "ok  " : "FAIL", what);
    passed += is_good;
    failed += !is_good;
}

static void judge_counters(const struct counts *counts, json_object *run)
{
    json_object *render = member(run, "render_node"), *paging = member(run, "paging_node");
    int64_t local = whole(render, "read_local") + whole(render, "write_local") + whole(paging, "read_local") +
                    whole(paging, "write_local");
    int64_t system = whole(render, "read_system") + whole(render, "write_system") + whole(paging, "read_system") +
                     whole(paging, "write_system");
    check(counts->busy[0] == whole(render, "busy") && counts->busy[1] == whole(paging, "busy"),
          "the samples of both nodes' busy cycles add up to their registers");
    check(counts->waits[0] == whole(render, "stall_write") && counts->waits[1] == whole(paging, "stall_write"),
          "so do those of a wait");
    check(counts->local_bytes >= local && counts->system_bytes >= system && local > 0 && system > 0,
          "the ports have moved at least what the nodes have");
}

static void judge(struct counts *counts, json_object *run)
{
    int64_t left[SEGMENTS] = {0};
    unsigned outside = 0, wrong = 0, tenants = 0;
    qsort(counts->spans, counts->span_count, sizeof *counts->spans, by_begin);
    check(counts->unknown == 0, "every event is of a known kind");
    check(badly_nested(counts->spans, counts->span_count) == 0, "spans nest on every track, tenants never overlap");
    for (size_t i = 0; i < counts->arrow_count; i++)
        outside += !is_inside(counts->spans, counts->span_count, &counts->arrows[i]);
    check(outside == 0, "every arrow starts and ends in a span");
    check(broken_arrows(counts->arrows, counts->arrow_count) == 0, "every arrow has one start and one end, in order");
    check(of_category(counts, "submission") == (unsigned)whole(run, "dma_buffers"), "an arrow per DMA buffer");
    check(of_category(counts, "portion") == (unsigned)whole(run, "portions"), "an arrow per portion");
    check(of_category(counts, "paging") == (unsigned)whole(run, "paging_buffers"), "an arrow per paging buffer");
    check(of_category(counts, "wait") > 0, "arrows from paging to the portions that wait for it");
    check(counts->portions == (unsigned)whole(run, "portions"), "a span per portion");
    check(counts->paging == (unsigned)whole(run, "paging_buffers"), "a span per paging buffer");
    for (unsigned track = 1; track < TRACKS; track++) wrong += counts->on_track[track] == 0;
    check(wrong == 0, "no track is empty");
    check(counts->begun > 0 && counts->begun == counts->ended, "what begins ends");
    check(counts->queue_low == 0 && counts->queue_last == 0, "the queue runs empty");
    for (size_t i = 0; i < counts->tenant_count; i++) {
        int64_t segment = counts->tenants[i].group - GROUP_SEGMENT;
        tenants += segment > 0;
        if (segment > 0 && segment < SEGMENTS && counts->tenants[i].is_last) left[segment] += counts->tenants[i].pages;
    }
    check(tenants > (unsigned)whole(run, "evictions"), "more arrivals than evictions");
    if (counts->has_counters) {
        check(memcmp(left, counts->resident, sizeof left) == 0, "the last count of resident pages is what is left");
        judge_counters(counts, run);
    }
    check(shared_pages(counts->tenants, counts->tenant_count) == 0, "no page has two tenants at a time");
}

int main(int argc, char **argv)
{
    json_object *root = argc == 3 ? json_object_from_file(argv[1]) : NULL;
    json_object *run = argc == 3 ? json_object_from_file(argv[2]) : NULL;
    json_object *list = root != NULL ? member(root, "traceEvents") : NULL;
    if (list == NULL || run == NULL) {
        printf("FAIL  %s does not parse\n0 passed, 1 failed\n", list == NULL ? "the time line" : "run.json");
        return 1;
    }
    size_t count = json_object_array_length(list);
    struct counts counts = {.spans = calloc(count + 1, sizeof *counts.spans),
                            .tenants = calloc(count + 1, sizeof *counts.tenants),
                            .arrows = calloc(count + 1, sizeof *counts.arrows)};
    if (counts.spans == NULL || counts.tenants == NULL || counts.arrows == NULL) return 2;
    for (size_t i = 0; i < count; i++) take(&counts, json_object_array_get_idx(list, i));
    judge(&counts, run);
    printf("%u passed, %u failed\n", passed, failed);
    free(counts.spans);
    free(counts.tenants);
    free(counts.arrows);
    json_object_put(root);
    json_object_put(run);
    return failed != 0;
}
