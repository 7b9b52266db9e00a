/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: trace.json is what the Trace Event format asks for, so that any reader of it, not one that guesses, shows it as
 * it is meant. Method: every event is held against the rules of its phase; every track has a name and a place in the
 * order of use; spans of a track nest; what begins ends, in this order; nothing is told of tracks that are not there.
 *   trace_format segments|pages TRACE.json
 * With `segments` a group of residency has one track, with `pages` any number.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../trace_events.h"

enum { GROUPS = 32, TRACKS = 8192, DEPTHS = 16, OPENS = 65536, GROUP_SEGMENT = 10 };

/* A process and its threads in the words of the format. */
struct track {
    char name[64];
    int64_t index; /* of the order, -1: none */
    bool is_used;
};
struct group {
    struct track itself, tracks[TRACKS]; /* tracks by tid */
    unsigned track_count;
};
static struct group groups[GROUPS];

/* An asynchronous event that has begun. */
struct open {
    char category[16];
    int64_t group, id, begin;
};
static struct open open[OPENS];
static size_t open_count;

static unsigned passed, failed, wrong;

static void check(bool is_good, const char *what)
{
    printf("%s  %s\n", is_good ? "ok  " : "FAIL", what);
    passed += is_good;
    failed += !is_good;
}

/* A rule that each event has to keep: the first breaches are shown. */
static void must(bool is_kept, const char *rule, json_object *event)
{
    if (!is_kept && wrong++ < 5)
        printf("      %s: %s\n", rule, json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN));
}

static bool is_whole(json_object *event, const char *key)
{
    return json_object_is_type(member(event, key), json_type_int) && json_object_get_int64(member(event, key)) >= 0;
}

/* ------------------------------------------------------------------ metadata */

static struct track *track_of(json_object *event)
{
    int64_t group = whole(event, "pid"), track = whole(event, "tid");
    bool is_there = group > 0 && group < GROUPS && track >= 0 && track < TRACKS;
    must(is_there, "pid and tid of a track", event);
    if (!is_there) return NULL;
    return track == 0 ? &groups[group].itself : &groups[group].tracks[track];
}

static void take_metadata(json_object *event)
{
    const char *name = text(event, "name"), *value = text(member(event, "args"), "name");
    bool is_process = strncmp(name, "process_", 8) == 0, is_thread = strncmp(name, "thread_", 7) == 0;
    const char *kind = is_process ? name + 8 : is_thread ? name + 7 : "";
    must(is_process || is_thread, "process_ or thread_ metadata", event);
    if (strcmp(name, "process_labels") == 0) {
        must(text(member(event, "args"), "labels")[0] != 0, "args.labels", event);
        return;
    }
    struct track *track = track_of(event);
    if (track == NULL) return;
    must(is_process == (whole(event, "tid") == 0), "thread metadata have a thread", event);
    if (strcmp(kind, "name") == 0) {
        must(value[0] != 0 && track->name[0] == 0, "one args.name", event);
        snprintf(track->name, sizeof track->name, "%s", value);
    } else if (strcmp(kind, "sort_index") == 0) {
        must(is_whole(member(event, "args"), "sort_index"), "a whole args.sort_index", event);
        track->index = whole(member(event, "args"), "sort_index") + 1;
    } else must(false, "name, sort_index or labels", event);
}

/* ------------------------------------------------------------------ events */

static void take_async(json_object *event, bool begins)
{
    const char *category = text(event, "cat");
    must(category[0] != 0 && strlen(category) < sizeof open->category && is_whole(event, "id"), "cat and id", event);
    struct open key = {.group = whole(event, "pid"), .id = whole(event, "id"), .begin = whole(event, "ts")};
    snprintf(key.category, sizeof key.category, "%s", category);
    size_t i = 0;
    while (i < open_count &&
           (open[i].id != key.id || open[i].group != key.group || strcmp(open[i].category, key.category) != 0))
        i++;
    must(begins == (i == open_count), "a begin that is not open, or the end of one that is", event);
    if (begins && open_count < OPENS) open[open_count++] = key;
    else if (!begins && i < open_count) {
        must(open[i].begin <= key.begin, "an end behind its begin", event);
        open[i] = open[--open_count];
    }
}

static void take_counter(json_object *event)
{
    json_object *values = member(event, "args");
    must(json_object_is_type(values, json_type_object) && json_object_object_length(values) > 0, "args", event);
    if (!json_object_is_type(values, json_type_object)) return;
    json_object_object_foreach (values, key, value) {
        (void)key;
        must(json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double),
             "numbers of a counter", event);
    }
}

static void take(json_object *event, struct span *spans, size_t *count)
{
    const char *phase = text(event, "ph");
    must(strlen(phase) == 1 && strchr("XiCbestfM", phase[0]) != NULL, "a phase that is known", event);
    must(text(event, "name")[0] != 0 && is_whole(event, "pid"), "name and pid", event);
    if (phase[0] == 'M') {
        take_metadata(event);
        return;
    }
    must(is_whole(event, "ts") && is_whole(event, "tid"), "ts and tid", event);
    must(member(event, "args") == NULL || json_object_is_type(member(event, "args"), json_type_object),
         "args are an object", event);
    struct track *track = track_of(event);
    if (track != NULL) track->is_used = true;
    bool is_on_thread = strchr("Xistf", phase[0]) != NULL;
    must(is_on_thread == (whole(event, "tid") != 0), "a track for what has one, and no other", event);
    if (phase[0] == 'X') {
        must(is_whole(event, "dur"), "dur", event);
        spans[(*count)++] = (struct span){whole(event, "pid"), whole(event, "tid"), whole(event, "ts"),
                                          whole(event, "ts") + whole(event, "dur")};
    } else if (phase[0] == 'i') must(strcmp(text(event, "s"), "t") == 0, "scope of an instant", event);
    else if (phase[0] == 'C') take_counter(event);
    else if (phase[0] == 'b' || phase[0] == 'e') take_async(event, phase[0] == 'b');
    else {
        must(is_whole(event, "id") && text(event, "cat")[0] != 0, "cat and id of an arrow", event);
        must(phase[0] == 's' || strcmp(text(event, "bp"), "e") == 0, "an arrow binds to the span around it", event);
    }
}

/* ------------------------------------------------------------------ verdict */

static unsigned crossing(struct span *spans, size_t count, int *deepest)
{
    struct nesting nesting = {0};
    unsigned bad = 0;
    qsort(spans, count, sizeof *spans, by_begin);
    for (size_t i = 0; i < count; i++) {
        const int held_by = span_enters(&nesting, &spans[i], DEPTHS);
        bad += held_by < 0;
        if (nesting.depth > *deepest && spans[i].group == 1 && spans[i].track == 2) *deepest = nesting.depth;
    }
    return bad;
}

static void judge_tracks(bool is_of_pages)
{
    static const char *const order[] = {"host", "firmware", "render node", "paging node"};
    unsigned unnamed = 0, unordered = 0, idle = 0, many = 0, segments = 0;
    int64_t last_group = 0;
    for (unsigned g = 1; g < GROUPS; g++) {
        struct group *group = &groups[g];
        int64_t last = 0;
        unsigned used = 0;
        for (unsigned t = 1; t < TRACKS; t++) {
            const struct track *track = &group->tracks[t];
            bool is_there = track->is_used || track->name[0] != 0;
            unnamed += track->is_used && track->name[0] == 0;
            idle += is_there && !track->is_used;
            unordered += is_there && (track->index <= last || track->index == 0);
            last = is_there ? track->index : last;
            used += is_there;
        }
        bool is_there = group->itself.is_used || group->itself.name[0] != 0 || used != 0;
        unnamed += is_there && group->itself.name[0] == 0;
        unordered += is_there && (group->itself.index <= last_group || group->itself.index == 0);
        last_group = is_there ? group->itself.index : last_group;
        many += g > GROUP_SEGMENT && used > 1;
        segments += g > GROUP_SEGMENT && used != 0;
    }
    check(unnamed == 0, "every track and group has a name");
    check(unordered == 0, "and a place in an order of its own");
    check(idle == 0, "none is named that has nothing");
    check(segments > 0 && (is_of_pages ? many > 0 : many == 0), "as many tracks of residency as were asked for");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        check(strcmp(groups[1].tracks[i + 1].name, order[i]) == 0, order[i]);
    check(strcmp(groups[2].itself.name, "ports, nodes, memory") == 0, "counters stand behind them");
}

int main(int argc, char **argv)
{
    json_object *root = argc == 3 ? json_object_from_file(argv[2]) : NULL, *list = member(root, "traceEvents");
    if (!json_object_is_type(list, json_type_array)) {
        printf("FAIL  no object with a list traceEvents\n0 passed, 1 failed\n");
        return 1;
    }
    size_t count = json_object_array_length(list), spans = 0;
    struct span *span = calloc(count + 1, sizeof *span);
    int deepest = 0;
    if (span == NULL) return 2;
    for (size_t i = 0; i < count; i++) take(json_object_array_get_idx(list, i), span, &spans);
    check(wrong == 0, "every event keeps the rules of its phase");
    check(open_count == 0, "all that begins ends");
    check(spans > 0 && crossing(span, spans, &deepest) == 0, "spans nest");
    check(deepest >= 2, "the firmware's stages lie in its decisions");
    judge_tracks(strcmp(argv[1], "pages") == 0);
    printf("%u passed, %u failed\n", passed, failed);
    free(span);
    json_object_put(root);
    return failed != 0;
}
