/* SPDX-License-Identifier: Apache-2.0
 *
 * See tape.h. A difference is a list of runs: words skipped, words changed, and these exclusive-or those before.
 */
#include "tape.h"

#include <stdlib.h>
#include <string.h>

struct tape {
    size_t words;             /* of a state */
    uint64_t *newest, *shown; /* the state appended last, and the one that was asked for */
    uint32_t at;              /* which that is */
    uint32_t *data;           /* all differences, one after the other */
    size_t used, room;        /* words of it */
    size_t *begins;           /* of each difference in `data` */
    uint32_t count, begins_room;
};

struct tape *tape_create(size_t bytes)
{
    struct tape *tape = calloc(1, sizeof *tape);
    if (tape == NULL) return NULL;
    tape->words = bytes / sizeof(uint64_t);
    tape->newest = calloc(tape->words, sizeof(uint64_t));
    tape->shown = calloc(tape->words, sizeof(uint64_t));
    if (tape->newest != NULL && tape->shown != NULL) return tape;
    tape_destroy(tape);
    return NULL;
}

void tape_destroy(struct tape *tape)
{
    if (tape == NULL) return;
    free(tape->newest);
    free(tape->shown);
    free(tape->data);
    free(tape->begins);
    free(tape);
}

uint32_t tape_length(const struct tape *tape) { return tape->count; }
size_t tape_bytes(const struct tape *tape) { return tape->used * sizeof *tape->data; }

/* The differences from here to there: what is before becomes what is after, and the other way round. */
static void apply(const struct tape *tape, uint64_t *state, size_t from, size_t to)
{
    size_t at = 0;
    for (size_t i = from; i < to;) {
        at += tape->data[i++];
        for (uint32_t left = tape->data[i++]; left != 0; left--, i += 2) {
            uint64_t change;
            memcpy(&change, &tape->data[i], sizeof change);
            state[at++] ^= change;
        }
    }
}

/* ------------------------------------------------------------------ appending */

static bool need(struct tape *tape, size_t words)
{
    if (tape->room - tape->used >= words) return true;
    const size_t room = tape->room * 3u / 2u + words + 1024u;
    uint32_t *larger = realloc(tape->data, room * sizeof *larger);
    if (larger == NULL) return false;
    tape->data = larger;
    tape->room = room;
    return true;
}

static bool note_begin(struct tape *tape)
{
    if (tape->count == tape->begins_room) {
        const uint32_t room = tape->begins_room * 2u + 1024u;
        size_t *larger = realloc(tape->begins, (room + 1u) * sizeof *larger);
        if (larger == NULL) return false;
        tape->begins = larger;
        tape->begins_room = room;
        if (tape->count == 0) larger[0] = 0;
    }
    return true;
}

/* The run of changed words at `at`; *skipped: since the run before. */
static bool add_run(struct tape *tape, const uint64_t *state, size_t from, size_t at, size_t end)
{
    const size_t length = end - at;
    if (!need(tape, 2u + 2u * length)) return false;
    tape->data[tape->used++] = (uint32_t)(at - from);
    tape->data[tape->used++] = (uint32_t)length;
    for (size_t i = at; i < end; i++) {
        const uint64_t change = state[i] ^ tape->newest[i];
        memcpy(&tape->data[tape->used], &change, sizeof change);
        tape->used += 2;
        tape->newest[i] = state[i];
    }
    return true;
}

bool tape_append(struct tape *tape, const void *state, size_t first, size_t count)
{
    const uint64_t *words = state;
    const size_t begin = count != 0 ? first / 8u : 0, limit = count != 0 ? (first + count + 7u) / 8u : tape->words;
    const size_t before = tape->used;
    size_t from = 0;
    if (!note_begin(tape)) return false;
    for (size_t at = begin; at < limit;) {
        if (words[at] == tape->newest[at]) {
            at++;
            continue;
        }
        size_t end = at + 1u;
        while (end < limit && words[end] != tape->newest[end]) end++;
        if (!add_run(tape, words, from, at, end)) {
            apply(tape, tape->newest, before, tape->used);
            tape->used = before;
            return false;
        }
        from = at = end;
    }
    tape->begins[++tape->count] = tape->used;
    return true;
}

/* ------------------------------------------------------------------ seeking */

static void step(struct tape *tape, uint32_t number)
{
    apply(tape, tape->shown, tape->begins[number], tape->begins[number + 1u]);
}

const void *tape_seek(struct tape *tape, uint32_t at)
{
    while (tape->at < at) step(tape, tape->at++);
    while (tape->at > at) step(tape, --tape->at);
    return tape->shown;
}
