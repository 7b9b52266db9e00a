/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading trace.json, for the tests that judge it: members of an event, and whether the spans of a track nest.
 */
#ifndef TESTS_TRACE_EVENTS_H
#define TESTS_TRACE_EVENTS_H

#include <stdint.h>

#include <json-c/json.h>

static inline json_object *member(json_object *object, const char *key)
{
    json_object *value = NULL;
    if (json_object_is_type(object, json_type_object)) (void)json_object_object_get_ex(object, key, &value);
    return value;
}

/* "" and 0 where there is no such member. */
static inline const char *text(json_object *event, const char *key)
{
    json_object *value = member(event, key);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}
static inline int64_t whole(json_object *event, const char *key) { return json_object_get_int64(member(event, key)); }

struct span {
    int64_t group, track, begin, end;
};

/* Track by track, as they begin; of those that begin together the longest first. */
static inline int by_begin(const void *left, const void *right)
{
    const struct span *a = left, *b = right;
    if (a->group != b->group) return a->group < b->group ? -1 : 1;
    if (a->track != b->track) return a->track < b->track ? -1 : 1;
    if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* The ends of the spans that hold a moment of a track; at first all zero. */
struct nesting {
    int64_t group, track, ends[16];
    int depth;
};

/* The next span in the order of by_begin: how many hold it, or -1 if it crosses one of them, or is held by `most`, at
 * most 16. */
static inline int span_enters(struct nesting *nesting, const struct span *span, int most)
{
    if (span->track != nesting->track || span->group != nesting->group) nesting->depth = 0;
    nesting->track = span->track, nesting->group = span->group;
    while (nesting->depth > 0 && nesting->ends[nesting->depth - 1] <= span->begin) nesting->depth--;
    const int held_by = nesting->depth;
    if (held_by == most) return -1;
    nesting->ends[nesting->depth++] = span->end;
    return held_by > 0 && span->end > nesting->ends[held_by - 1] ? -1 : held_by;
}

#endif
