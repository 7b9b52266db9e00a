/* SPDX-License-Identifier: Apache-2.0
 *
 * What was submitted, as a workload of its own, and its schedule: one DMA buffer per submission, as far as it was
 * executed. A buffer in which a step found no placement was submitted again from that step, with everything bound
 * again, and a long one in parts; each part begins with what the resource table held.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/replay/pagesim_json.h"
#include "tools/replay/replay_track_json.h"

/* The runs of one submission. */
struct piece {
    uint32_t first_step, step_count;
};

struct submitted {
    const struct pagesim *workload;
    struct piece *pieces;
    uint32_t piece_count;
    uint32_t *piece_of_run;
    struct pagesim_buffer *buffers; /* one per piece */
    struct pagesim_patch *patches;
    uint32_t patch_count;
};

static void collect_pieces(struct submitted *submitted, const struct track *track)
{
    const struct track_run *runs = track->runs.items;
    for (uint32_t i = 0; i < track->runs.count; i++) {
        if (runs[i].begins_submission)
            submitted->pieces[submitted->piece_count++] = (struct piece){runs[i].first_step, 0};
        submitted->piece_of_run[i] = submitted->piece_count - 1u;
        submitted->pieces[submitted->piece_count - 1u].step_count += runs[i].step_count;
    }
}

/* Bind what the resource table held before the piece's first step. */
static void carry_table(struct submitted *submitted, const struct piece *piece)
{
    const struct pagesim *workload = submitted->workload;
    const struct pagesim_step *first = &workload->steps[piece->first_step];
    const struct pagesim_buffer *buffer = &workload->buffers[first->buffer];
    struct pagesim_patch table[PAGESIM_SLOTS];
    for (uint32_t i = 0; i < PAGESIM_SLOTS; i++) table[i].allocation = PAGESIM_NULL;
    for (uint32_t i = buffer->first_patch; i < first->first_patch; i++)
        table[workload->patches[i].slot] = workload->patches[i];
    for (uint32_t i = 0; i < PAGESIM_SLOTS; i++) {
        if (table[i].allocation == PAGESIM_NULL) continue;
        table[i].split_offset = 0;
        submitted->patches[submitted->patch_count++] = table[i];
    }
}

static void add_buffer(struct submitted *submitted, uint32_t i)
{
    const struct pagesim *workload = submitted->workload;
    const struct piece *piece = &submitted->pieces[i];
    const struct pagesim_step *first = &workload->steps[piece->first_step], *last = first + piece->step_count - 1u;
    struct pagesim_buffer *buffer = &submitted->buffers[i];
    *buffer = (struct pagesim_buffer){.bytes = last->end - first->start,
                                      .first_patch = submitted->patch_count,
                                      .first_step = piece->first_step,
                                      .step_count = piece->step_count};
    carry_table(submitted, piece);
    /* analyse: clang-analyzer-unix.Malloc: track_write_submitted frees what it made */
    for (uint32_t k = first->first_patch; k < last->first_patch + last->patch_count; k++) {
        struct pagesim_patch *patch = &submitted->patches[submitted->patch_count++];
        *patch = workload->patches[k];
        patch->split_offset -= first->start;
    }
    buffer->patch_count = submitted->patch_count - buffer->first_patch;
}

static struct track_bytes in_piece(const struct track *track, uint32_t run_index, const void *context)
{
    const struct submitted *submitted = context;
    const struct track_run *run = (const struct track_run *)track->runs.items + run_index;
    const struct pagesim_step *steps = submitted->workload->steps;
    uint32_t piece = submitted->piece_of_run[run_index], base = steps[submitted->pieces[piece].first_step].start;
    return (struct track_bytes){piece, steps[run->first_step].start - base,
                                steps[run->first_step + run->step_count - 1u].end - base};
}

static bool write_file(const struct submitted *submitted, const struct track *track, const char *path,
                       char message[PAGESIM_MESSAGE])
{
    struct pagesim copy = *submitted->workload;
    copy.buffers = submitted->buffers;
    copy.buffer_count = submitted->piece_count;
    copy.patches = submitted->patches;
    copy.patch_count = submitted->patch_count;
    json_object *root = pagesim_to_json(&copy);
    track_add_schedule(root, track, in_piece, submitted);
    return pagesim_write_json(root, path, message);
}

bool track_write_submitted(const struct track *track, const char *path, char message[PAGESIM_MESSAGE])
{
    const struct pagesim *workload = track->setup.workload;
    size_t limit = track->runs.count + 1u; /* every run may begin a piece, and each carries a whole table at most */
    struct submitted submitted = {.workload = workload,
                                  .pieces = calloc(limit, sizeof *submitted.pieces),
                                  .piece_of_run = calloc(limit, sizeof *submitted.piece_of_run),
                                  .buffers = calloc(limit, sizeof *submitted.buffers),
                                  .patches =
                                      calloc(workload->patch_count + limit * PAGESIM_SLOTS, sizeof *submitted.patches)};
    bool is_good = submitted.pieces && submitted.piece_of_run && submitted.buffers && submitted.patches;
    if (!is_good) snprintf(message, PAGESIM_MESSAGE, "%s: out of memory", path);
    if (is_good) {
        collect_pieces(&submitted, track);
        for (uint32_t i = 0; i < submitted.piece_count; i++) add_buffer(&submitted, i);
        is_good = write_file(&submitted, track, path, message);
    }
    free(submitted.pieces);
    free(submitted.piece_of_run);
    free(submitted.buffers);
    free(submitted.patches);
    return is_good;
}
