/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: out/trace.json is a time line one can trust. Method: it parses; on every track the spans nest or follow
 * each other; every arrow has its start, not later than its end; portions, paging buffers and firmware work exist.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

enum { TRACKS = 5, DEPTH_MAX = 8 };

struct event { uint64_t begin, end; int track; };
struct start { const char *name; int64_t id; uint64_t time; };

static const char *text(json_object *event, const char *key)
{
    json_object *value = NULL;
    return json_object_object_get_ex(event, key, &value) ? json_object_get_string(value) : "";
}

static int64_t whole(json_object *event, const char *key)
{
    json_object *value = NULL;
    return json_object_object_get_ex(event, key, &value) ? json_object_get_int64(value) : -1;
}

static int by_begin(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->track != b->track) return a->track < b->track ? -1 : 1;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* Spans that overlap without one holding the other. */
static unsigned badly_nested(struct event *spans, size_t count)
{
    uint64_t open[DEPTH_MAX];
    unsigned depth = 0, bad = 0;
    qsort(spans, count, sizeof *spans, by_begin);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || spans[i].track != spans[i - 1].track) depth = 0;
        while (depth > 0 && open[depth - 1] <= spans[i].begin) depth--;
        if ((depth > 0 && spans[i].end > open[depth - 1]) || depth == DEPTH_MAX) bad++;
        if (depth < DEPTH_MAX) open[depth++] = spans[i].end;
    }
    return bad;
}

static bool has_start(const struct start *starts, size_t count, json_object *event)
{
    for (size_t i = count; i-- > 0;)
        if (starts[i].id == whole(event, "id") && strcmp(starts[i].name, text(event, "name")) == 0)
            return starts[i].time <= (uint64_t)whole(event, "ts");
    return false;
}

static unsigned check(bool is_good, const char *what)
{
    printf("%s  %s\n", is_good ? "ok  " : "FAIL", what);
    return !is_good;
}

int main(int argc, char **argv)
{
    json_object *root = argc == 2 ? json_object_from_file(argv[1]) : NULL, *list = NULL;
    if (root == NULL || !json_object_object_get_ex(root, "traceEvents", &list)) {
        printf("FAIL  it does not parse\n0 passed, 1 failed\n");
        return 1;
    }
    size_t count = json_object_array_length(list), span_count = 0, start_count = 0;
    struct event *spans = calloc(count + 1, sizeof *spans);
    struct start *starts = calloc(count + 1, sizeof *starts);
    unsigned lost_arrows = 0, arrows = 0, portions = 0, paging = 0, on_track[TRACKS] = {0};
    if (spans == NULL || starts == NULL) return 2;
    for (size_t i = 0; i < count; i++) {
        json_object *event = json_object_array_get_idx(list, i);
        const char *phase = text(event, "ph"), *name = text(event, "name");
        int64_t track = whole(event, "tid"), begin = whole(event, "ts");
        if (*phase == 'X' && track > 0 && track < TRACKS) {
            spans[span_count++] = (struct event){(uint64_t)begin, (uint64_t)(begin + whole(event, "dur")), (int)track};
            on_track[track]++;
            portions += strncmp(name, "portion", 7) == 0;
            paging += strncmp(name, "paging buffer", 13) == 0;
        }
        if (*phase == 's') starts[start_count++] = (struct start){name, whole(event, "id"), (uint64_t)begin};
        if (*phase == 't' || *phase == 'f') {
            arrows++;
            lost_arrows += !has_start(starts, start_count, event);
        }
    }
    unsigned failed = check(badly_nested(spans, span_count) == 0, "spans nest on every track");
    failed += check(arrows > 0 && lost_arrows == 0, "every arrow has a start before its end");
    failed += check(portions > 1 && paging > 1, "portions and paging buffers are there");
    failed += check(on_track[1] > 0 && on_track[2] > 0 && on_track[3] > 0 && on_track[4] > 0, "no track is empty");
    printf("%u passed, %u failed\n", 4 - failed, failed);
    free(spans);
    free(starts);
    json_object_put(root);
    return failed != 0;
}
