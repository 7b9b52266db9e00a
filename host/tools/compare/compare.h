/* SPDX-License-Identifier: Apache-2.0
 *
 * `tessera compare A/run.json B/run.json`: two finished runs of `tessera run` or `tessera play` beside each other: the
 * frames, the figures, where the time went, and the first decision of the firmware that differs, with its cause.
 *
 * A run is the folder of its run.json: frame-NN.png, trace.json and profile.folded beside it are read if they are
 * there; what is missing, or cannot be compared, is said (`cannot`) and nothing else is left out for it. Files are
 * believed nothing: all come from elsewhere, may be damaged, and are refused with one line that says what to do.
 */
#ifndef TESSERA_COMPARE_H
#define TESSERA_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

enum {
    COMPARE_MESSAGE = 512,
    COMPARE_NAME = 96,
    COMPARE_LINES = 24,
    COMPARE_LINE = 400,
    COMPARE_DECISIONS = 1000000, /* of a run: what comes later is not compared */
    COMPARE_FRAMES = 10000
};

/* Sentences for the reader, in the order in which they were said; too many are dropped, too long ones cut. */
struct compare_lines {
    char line[COMPARE_LINES][COMPARE_LINE];
    uint32_t count;
};
void compare_say(struct compare_lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------------ a run */

enum compare_kind { COMPARE_EVICT, COMPARE_PAGE_IN, COMPARE_MOVE, COMPARE_PORTION };

/* What the firmware decided, in the order of its trace. Frame, buffer and portion are those that it was decided for. */
struct compare_decision {
    enum compare_kind kind;
    uint32_t name;    /* of the allocation, in names */
    uint32_t place;   /* of what comes or moves: segment << 28 | page; of a portion: the byte where the DMA buffer was
                         cut after it, 0 = not */
    uint32_t frame;   /* UINT32_MAX: not known */
    uint32_t buffer;  /* DMA buffers in the order of submission, 0 first; UINT32_MAX: not known */
    uint32_t portion; /* portions before this one */
    uint64_t cycle;
};

/* Cycles of the firmware by what it did, from the spans of its track. */
enum compare_stage {
    STAGE_VALIDATE,
    STAGE_PLAN,
    STAGE_EVICT,
    STAGE_PAGE_IN,
    STAGE_MOVE,
    STAGE_PAGING,
    STAGE_PORTION,
    STAGE_RETIRE,
    STAGE_COMPLETE,
    STAGE_LOOK,
    STAGE_OTHER,
    COMPARE_STAGES
};
extern const char *const compare_stage_names[COMPARE_STAGES];

struct compare_trace {
    bool is_read;
    struct compare_decision *decisions;
    uint32_t decision_count, decision_room, portions;
    char (*names)[24];
    uint32_t name_count, name_room;
    uint64_t stage[COMPARE_STAGES];
    uint32_t again[2]; /* page-ins of what had been resident before; all page-ins */
};

struct compare_run {
    char path[COMPARE_MESSAGE], folder[COMPARE_MESSAGE];
    json_object *root;
    struct compare_trace trace;
};

/* Reads run.json; `path` may name its folder. False: one line in `message`. Whatever comes back, compare_free_run. */
bool compare_read_run(const char *path, struct compare_run *run, char message[COMPARE_MESSAGE]);
void compare_free_run(struct compare_run *run);
/* A member, NULL: missing. Of a text "" then, of a number `fallback`. */
json_object *compare_member(const json_object *object, const char *name);
const char *compare_text(const struct compare_run *run, const char *name);
double compare_number(const struct compare_run *run, const char *name, double fallback);

/* Reads trace.json in `folder`, line by line, as timeline.c writes it. False, with a line: it is not there, or not
 * ours, or memory ran out; then there is nothing in `trace`, which compare_free_trace takes in any state. */
bool compare_read_trace(const char *folder, struct compare_trace *trace, char message[COMPARE_MESSAGE]);
void compare_free_trace(struct compare_trace *trace);

/* ------------------------------------------------------------------ the comparison */

enum compare_group {
    GROUP_FIGURES,    /* members of run.json that are numbers */
    GROUP_STATISTICS, /* of them, the firmware's counters and the nodes' */
    GROUP_RENDER,     /* cycles of the render node: works, waits for ... */
    GROUP_PAGING,     /* of the paging node */
    GROUP_STAGES,     /* of the firmware, by what it did */
    GROUP_FUNCTIONS,  /* of the firmware, by function, without what it called */
    COMPARE_GROUPS
};
extern const char *const compare_group_names[COMPARE_GROUPS];

struct compare_row {
    char name[COMPARE_NAME];
    enum compare_group group;
    double value[2];
    bool is_known[2];
};

enum compare_outcome { COMPARE_EQUAL, COMPARE_DIFFERENT, COMPARE_MISSING, COMPARE_OTHER_SIZE };

struct compare_frame {
    uint32_t number;
    enum compare_outcome outcome;
    char file[2][32];                        /* names in the folders */
    uint32_t width, height, pixels, largest; /* of the difference: pixels, levels */
    uint32_t left, top, right, bottom;       /* where it lies; right and bottom belong to it */
    double cycles[2];                        /* from the picture before to this one; -1: not known */
};

struct comparison {
    const struct compare_run *run[2];
    struct compare_lines settings; /* what was asked for differently */
    struct compare_lines cannot;   /* what is left out, and why */
    struct compare_lines decided;  /* the first different decision: where, what both did, why */
    struct compare_lines moved;    /* what the change of the cycles consists of */
    struct compare_row *rows;
    uint32_t row_count, row_room;
    struct compare_frame *frames;
    uint32_t frame_count, frames_equal, frames_different;
    uint32_t decisions_same; /* before the first different one */
    bool is_same_work;       /* the same pictures were asked for */
    bool is_timed;           /* both have a clock, and it counts the same */
    bool is_decided_alike, is_out_of_memory;
};

/* Both runs, which must stay until compare_free. Never fails: what cannot be compared is in `cannot`; without memory
 * is_out_of_memory is set. */
void compare_runs(const struct compare_run *a, const struct compare_run *b, struct comparison *comparison);
void compare_free(struct comparison *comparison);
/* Nothing but the time of the wall differs, of what could be compared. */
bool compare_is_equal(const struct comparison *comparison);

/* Its parts, in this order. */
void compare_settings(struct comparison *comparison);
void compare_figures(struct comparison *comparison);
void compare_frames(struct comparison *comparison);
void compare_decisions(struct comparison *comparison);
void compare_moved(struct comparison *comparison);
/* Decision `at` as a sentence without its end. */
void compare_describe(const struct compare_trace *trace, uint32_t at, char text[COMPARE_LINE]);
/* The name of the paging policy that the run was told, "" if its run.json does not say. */
const char *compare_policy(const struct compare_run *run);
/* A row of this name and group, entered if new; NULL: no memory. */
struct compare_row *compare_row(struct comparison *comparison, enum compare_group group, const char *name);
double compare_change(const struct compare_row *row);
bool compare_differs(const struct compare_row *row);

/* ------------------------------------------------------------------ what it says */

/* On standard output; without `shows_all` what does not differ is counted only. */
void compare_table(const struct comparison *comparison, bool shows_all);
/* The page. False: one line in `message`. */
bool compare_page(const char *path, const struct comparison *comparison, char message[COMPARE_MESSAGE]);

int compare_command(int argc, char **argv);

#endif
