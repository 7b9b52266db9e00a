/* SPDX-License-Identifier: Apache-2.0
 *
 * A replay under test: the files it reads and writes, and the judges that every replay has to pass.
 */
#ifndef TESSERA_REPLAY_RIG_H
#define TESSERA_REPLAY_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/replay/replay.h"
#include "schedule_check.h"

#ifndef REPLAY_RIG
#define REPLAY_RIG "test" /* begins the names of its files */
#endif
static const char workload_path[] = "build/replay/" REPLAY_RIG "-workload.json";
static const char replayed_path[] = "build/replay/" REPLAY_RIG "-replayed.json";
static const char submitted_path[] = "build/replay/" REPLAY_RIG "-submitted.json";
static const char schedule_path[] = "build/replay/" REPLAY_RIG "-schedule.json";
static const char report_path[] = "build/replay/" REPLAY_RIG "-report.json";

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static inline char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(16u << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (16u << 20) - 1u, file);
    text[length] = 0;
    (void)fclose(file);
    return text;
}

static inline struct replay_options usual_options(void)
{
    return (struct replay_options){.file = workload_path,
                                   .schedule = schedule_path,
                                   .workload = replayed_path,
                                   .submitted = submitted_path,
                                   .open = replay_open_model,
                                   .ahead = 2,
                                   .latency = 20,
                                   .seed = 1};
}

/* What was submitted is legal for itself, whatever failed; and what it bound and ran is all of the workload's. */
static inline void check_submitted(const struct pagesim *workload, const struct replay_result *result, const char *what)
{
    struct schedule_counts counts;
    char message[PAGESIM_MESSAGE] = "";
    char *text = read_file(submitted_path);
    struct pagesim *submitted = pagesim_read(submitted_path, message);
    if (submitted == NULL || !schedule_check(submitted, text, 0, &counts, message))
        fail_msg("%s, as submitted: %s", what, message);
    assert_int_equal(counts.portions, result->portions);
    assert_int_equal(counts.in, result->paging.pages[TRACK_IN]);
    assert_int_equal(counts.out, result->paging.pages[TRACK_OUT]);
    assert_int_equal(submitted->step_count, workload->step_count - result->skipped_steps);
    assert_true(submitted->buffer_count >= result->failed_steps);
    if (result->reordered_buffers == 0 && result->skipped_steps == 0)
        for (uint32_t t = 0; t < submitted->step_count; t++) {
            const struct pagesim_step *mine = &submitted->steps[t], *step = &workload->steps[t];
            assert_int_equal(mine->end - mine->start, step->end - step->start);
            assert_int_equal(mine->member_count, step->member_count);
        }
    free(text);
    pagesim_free(submitted);
}

/* Replay `text`; it must succeed, and unless steps failed the schedule must be legal and say what the report says. */
static inline struct replay_result replay(const char *text, const struct replay_options *options, const char *what)
{
    struct replay_result result;
    struct schedule_counts counts;
    char message[PAGESIM_MESSAGE] = "";
    write_file(workload_path, text);
    if (!replay_run(options, &result, message)) fail_msg("%s: %s", what, message);
    struct pagesim *workload = pagesim_read(replayed_path, message);
    char *schedule = read_file(schedule_path);
    assert_non_null(workload);
    bool is_legal = schedule_check(workload, schedule, 0, &counts, message);
    if (result.failed_steps == 0 && !is_legal) fail_msg("%s: %s", what, message);
    if (result.failed_steps == 0) {
        assert_int_equal(counts.portions, result.portions);
        assert_int_equal(counts.in, result.paging.pages[TRACK_IN]);
        assert_int_equal(counts.out, result.paging.pages[TRACK_OUT]);
        assert_int_equal(counts.fill, result.paging.pages[TRACK_FILL]);
        assert_int_equal(counts.map, result.paging.pages[TRACK_MAP]);
        assert_true(result.portions >= result.portions_minimum);
    }
    check_submitted(workload, &result, what);
    free(schedule);
    pagesim_free(workload);
    free(result.buffer);
    result.buffer = NULL;
    return result;
}

#endif
