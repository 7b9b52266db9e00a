/* SPDX-License-Identifier: Apache-2.0
 *
 * Two in-order queues, paging operations and runs, each entry waiting for one of the other queue's. First the
 * waits: every pair of an operation and a run that share an allocation must be ordered by them, and there must
 * be no cycle. Then one order that keeps them is played through on a map of pages: nothing overlaps, nothing
 * dirty is lost, what a step needs is there, what is sticky at a split point has not moved, is bound again, or had to
 * move.
 */
#include "schedule_check.h"

#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operation {
    const char *kind;
    uint32_t allocation;
    int64_t at, after_run; /* runs 0..after_run are over before it begins */
};

struct run {
    uint32_t buffer;
    int64_t lo, hi, after_operation;
    uint64_t bound;                  /* slots bound again before it, bit 0 = slot 0 */
    uint32_t first_step, step_count; /* found by their bytes */
};

/* What the played schedule knows of an allocation. */
struct state {
    bool is_resident, is_dirty, is_defined, is_backed;
    int64_t at;
    int64_t used_at; /* where the run before had it, -1 = nowhere */
};

struct check {
    const struct pagesim *workload;
    struct operation *operations;
    struct run *runs;
    uint32_t operation_count, run_count;
    struct state *states;
    uint32_t next_step, failed_steps;
    struct schedule_counts *counts;
    char *message;
};

static bool bad(struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(struct check *check, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->message, PAGESIM_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

/* ------------------------------------------------------------------ reading */

static int64_t number(json_object *object, const char *field, int64_t fallback)
{
    json_object *value;
    return json_object_object_get_ex(object, field, &value) ? json_object_get_int64(value) : fallback;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static bool read_operations(struct check *check, json_object *array)
{
    int64_t after = -1;
    for (uint32_t i = 0; i < check->operation_count; i++) {
        json_object *object = json_object_array_get_idx(array, i), *kind;
        int64_t allocation = number(object, "a", -1);
        if (!json_object_object_get_ex(object, "op", &kind) || allocation < 0 ||
            allocation >= (int64_t)check->workload->allocation_count)
            return bad(check, "op %u: no such operation or allocation", i);
        after = larger(after, number(object, "wait_run", -1)); /* a queue is in order: waits only grow */
        check->operations[i] =
            (struct operation){json_object_get_string(kind), (uint32_t)allocation, number(object, "at", -1), after};
    }
    return true;
}

static uint64_t read_slots(json_object *object)
{
    json_object *array;
    uint64_t slots = 0;
    if (!json_object_object_get_ex(object, "bound", &array) || !json_object_is_type(array, json_type_array)) return 0;
    for (size_t i = 0; i < json_object_array_length(array); i++)
        slots |= (uint64_t)1 << json_object_get_int64(json_object_array_get_idx(array, i)) % PAGESIM_SLOTS;
    return slots;
}

/* The steps a run executes follow from its bytes. */
static bool read_runs(struct check *check, json_object *array)
{
    const struct pagesim *workload = check->workload;
    int64_t after = -1;
    uint32_t step = 0;
    for (uint32_t i = 0; i < check->run_count; i++) {
        json_object *object = json_object_array_get_idx(array, i);
        struct run *run = &check->runs[i];
        after = larger(after, number(object, "wait_op", -1));
        *run = (struct run){
            .buffer = (uint32_t)number(object, "buffer", -1),
            .lo = number(object, "lo", -1),
            .hi = number(object, "hi", -1),
            .after_operation = after,
            .bound = read_slots(object),
            .first_step = step,
        };
        int64_t at = run->lo;
        while (step < workload->step_count && workload->steps[step].buffer == run->buffer &&
               workload->steps[step].start == at && workload->steps[step].end <= run->hi) {
            at = workload->steps[step++].end;
            run->step_count++;
        }
        if (run->step_count == 0 || at != run->hi)
            return bad(check, "run %u: bytes %lld..%lld of buffer %u are not the next whole steps", i,
                       (long long)run->lo, (long long)run->hi, run->buffer);
    }
    return step == workload->step_count || bad(check, "only %u of %u steps were run", step, workload->step_count);
}

static bool read_initial(struct check *check, json_object *initial)
{
    const struct pagesim *workload = check->workload;
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        check->states[i].is_backed = check->states[i].is_defined = workload->allocations[i].init != PAGESIM_UNDEFINED;
        check->states[i].used_at = -1;
    }
    if (initial == NULL) return true;
    json_object_object_foreach (initial, name, value) {
        unsigned long i = strtoul(name, NULL, 10);
        if (i >= workload->allocation_count || workload->allocations[i].init != PAGESIM_RESIDENT)
            return bad(check, "initial: allocation %s is not resident at the start", name);
        check->states[i].is_resident = true;
        check->states[i].at = json_object_get_int64(value);
    }
    return true;
}

/* ------------------------------------------------------------------ waits */

static bool needs(const struct check *check, const struct run *run, uint32_t allocation)
{
    for (uint32_t t = run->first_step; t < run->first_step + run->step_count; t++) {
        const struct pagesim_step *step = &check->workload->steps[t];
        for (uint32_t i = 0; i < step->member_count; i++)
            if (check->workload->members[step->first_member + i].allocation == allocation) return true;
    }
    return false;
}

static bool check_waits(struct check *check)
{
    for (uint32_t i = 0; i < check->operation_count; i++) {
        const struct operation *operation = &check->operations[i];
        for (uint32_t k = 0; k < check->run_count; k++) {
            bool is_before = check->runs[k].after_operation >= (int64_t)i;
            bool is_behind = operation->after_run >= (int64_t)k;
            if (is_before && is_behind) return bad(check, "op %u and run %u wait for each other", i, k);
            if (!is_before && !is_behind && needs(check, &check->runs[k], operation->allocation))
                return bad(check, "op %u on allocation %u races with run %u", i, operation->allocation, k);
        }
    }
    return true;
}

/* ------------------------------------------------------------------ playing */

static bool take_place(struct check *check, uint32_t i)
{
    const struct pagesim *workload = check->workload;
    const struct operation *operation = &check->operations[i];
    const struct pagesim_allocation *allocation = &workload->allocations[operation->allocation];
    int64_t end = operation->at + allocation->pages;
    if (operation->at < 0 || operation->at % allocation->alignment_pages != 0 ||
        end > workload->segments[allocation->segment].pages)
        return bad(check, "op %u: address %lld is not allowed for allocation %u", i, (long long)operation->at,
                   operation->allocation);
    for (uint32_t other = 0; other < workload->allocation_count; other++) {
        const struct state *state = &check->states[other];
        if (other == operation->allocation || !state->is_resident ||
            workload->allocations[other].segment != allocation->segment)
            continue;
        if (operation->at < state->at + workload->allocations[other].pages && state->at < end)
            return bad(check, "op %u: allocation %u would overlap allocation %u", i, operation->allocation, other);
    }
    check->states[operation->allocation].at = operation->at;
    check->states[operation->allocation].is_resident = true;
    return true;
}

static bool play_operation(struct check *check, uint32_t i)
{
    const struct operation *operation = &check->operations[i];
    struct state *state = &check->states[operation->allocation];
    struct schedule_counts *counts = check->counts;
    uint32_t a = operation->allocation, pages = check->workload->allocations[a].pages;
    bool is_in_memory = !check->workload->segments[check->workload->allocations[a].segment].is_aperture;
    const char *kind = operation->kind;
    bool is_arrival = strcmp(kind, "in") == 0 || strcmp(kind, "fill") == 0 || strcmp(kind, "map") == 0;
    if (is_arrival && state->is_resident) return bad(check, "op %u: allocation %u is resident already", i, a);
    if (!is_arrival && !state->is_resident)
        return bad(check, "op %u: %s of allocation %u, which is not resident", i, kind, a);
    if (is_in_memory == (strcmp(kind, "map") == 0 || strcmp(kind, "unmap") == 0))
        return bad(check, "op %u: no %s in allocation %u's segment", i, kind, a);
    if (strcmp(kind, "in") == 0) {
        counts->in += pages;
        return state->is_backed ? take_place(check, i) : bad(check, "op %u: no valid content of %u to load", i, a);
    }
    if (strcmp(kind, "fill") == 0) {
        counts->fill += pages;
        return !state->is_defined ? take_place(check, i) : bad(check, "op %u: the fill of %u loses its content", i, a);
    }
    if (strcmp(kind, "map") == 0 || strcmp(kind, "move") == 0) {
        *(kind[1] == 'a' ? &counts->map : &counts->move) += pages;
        return take_place(check, i);
    }
    if (strcmp(kind, "out") == 0) {
        counts->out += pages;
        state->is_dirty = false;
        state->is_backed = true;
        return true;
    }
    if (strcmp(kind, "drop") != 0 && strcmp(kind, "unmap") != 0) return bad(check, "op %u: unknown %s", i, kind);
    *(kind[0] == 'd' ? &counts->drop : &counts->unmap) += pages;
    if (kind[0] == 'd' && state->is_dirty) return bad(check, "op %u: dirty content of %u is dropped", i, a);
    state->is_backed |= kind[0] == 'u'; /* what the aperture shows is system memory */
    state->is_dirty &= kind[0] == 'd';
    state->is_resident = false;
    return true;
}

/* ------------------------------------------------------------------ steps that fail */

enum { PIECES_MAX = PAGESIM_SLOTS, HOLES_MAX = 2 * PAGESIM_SLOTS + 1, TRIES_MAX = 1000000 };

/* Allocations to be placed into the holes of one segment. */
struct puzzle {
    const struct pagesim_allocation *pieces[PIECES_MAX]; /* largest first */
    struct hole {
        uint32_t low, high;
    } holes[HOLES_MAX];
    uint32_t piece_count, hole_count, tries;
};

/* Places pieces from `piece` on, every way. Whoever gives up has to assume that there is one. */
static bool has_solution(struct puzzle *puzzle, uint32_t piece)
{
    if (piece == puzzle->piece_count || ++puzzle->tries > TRIES_MAX) return true;
    uint32_t pages = puzzle->pieces[piece]->pages, alignment = puzzle->pieces[piece]->alignment_pages;
    uint32_t count = puzzle->hole_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct hole hole = puzzle->holes[i];
        const uint32_t first = (hole.low + alignment - 1u) / alignment * alignment;
        for (uint32_t at = first; at + pages <= hole.high; at += alignment) {
            puzzle->holes[i] = (struct hole){at + pages, hole.high};
            if (at > hole.low) puzzle->holes[puzzle->hole_count++] = (struct hole){hole.low, at};
            bool is_solved = has_solution(puzzle, piece + 1u);
            puzzle->hole_count = count;
            puzzle->holes[i] = hole;
            if (is_solved) return true;
            if (alignment == 1) break; /* only how much is left counts */
        }
    }
    return false;
}

static void add_piece(struct puzzle *puzzle, const struct pagesim_allocation *allocation)
{
    uint32_t i = puzzle->piece_count++;
    for (; i > 0 && puzzle->pieces[i - 1u]->pages < allocation->pages; i--) puzzle->pieces[i] = puzzle->pieces[i - 1u];
    puzzle->pieces[i] = allocation;
}

/* Cut what was bound, in place, out of the holes. */
static void cut(struct puzzle *puzzle, uint32_t low, uint32_t high)
{
    for (uint32_t i = 0; i < puzzle->hole_count; i++) {
        struct hole *hole = &puzzle->holes[i];
        if (low >= hole->high || high <= hole->low) continue;
        if (high < hole->high) puzzle->holes[puzzle->hole_count++] = (struct hole){high, hole->high};
        hole->high = low;
        return;
    }
}

/* Could the step's other allocations of the segment have been placed beside what is bound? */
static bool is_placeable(const struct check *check, const struct pagesim_step *step, uint32_t segment)
{
    const struct pagesim *workload = check->workload;
    struct puzzle puzzle = {.hole_count = 1, .holes = {{0, workload->segments[segment].pages}}};
    for (uint32_t i = 0; i < step->member_count; i++) {
        const struct pagesim_member *member = &workload->members[step->first_member + i];
        const struct pagesim_allocation *allocation = &workload->allocations[member->allocation];
        int64_t used_at = check->states[member->allocation].used_at;
        if (allocation->segment != segment) continue;
        if (!member->is_sticky || used_at < 0) add_piece(&puzzle, allocation);
        else cut(&puzzle, (uint32_t)used_at, (uint32_t)used_at + allocation->pages);
    }
    return has_solution(&puzzle, 0);
}

/* The slots that hold the allocation over the split before step `t`. */
static uint64_t slots_of(const struct pagesim *workload, uint32_t t, uint32_t allocation)
{
    const struct pagesim_step *step = &workload->steps[t];
    uint32_t table[PAGESIM_SLOTS];
    uint64_t slots = 0;
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++) table[slot] = PAGESIM_NULL;
    for (uint32_t i = workload->buffers[step->buffer].first_patch; i < step->first_patch + step->patch_count; i++)
        table[workload->patches[i].slot] = i < step->first_patch ? workload->patches[i].allocation : PAGESIM_NULL;
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++)
        if (table[slot] == allocation) slots |= (uint64_t)1 << slot;
    return slots;
}

/* At a split: if anything that is bound has moved and is not bound again, this step has failed, and nothing else could
 * be done. */
static bool judge_split(struct check *check, uint32_t k, uint32_t t)
{
    const struct pagesim *workload = check->workload;
    const struct pagesim_step *step = &workload->steps[t];
    bool has_moved = false, is_justified = false;
    for (uint32_t i = 0; i < step->member_count; i++) {
        const struct pagesim_member *member = &workload->members[step->first_member + i];
        const struct state *state = &check->states[member->allocation];
        if (!member->is_sticky || state->used_at == state->at) continue;
        if ((slots_of(workload, t, member->allocation) & ~check->runs[k].bound) == 0) continue;
        if (check->counts->failed_steps == check->failed_steps)
            return bad(check, "run %u: allocation %u is still bound and has moved", k, member->allocation);
        has_moved = true;
    }
    for (uint32_t i = 0; i < workload->segment_count && has_moved; i++)
        is_justified = is_justified || !is_placeable(check, step, i);
    if (has_moved && !is_justified) return bad(check, "run %u: what is bound has moved, but there was a place", k);
    check->counts->failed_steps += has_moved;
    return true;
}

/* ------------------------------------------------------------------ runs */

static bool play_step(struct check *check, uint32_t k, uint32_t t)
{
    const struct pagesim *workload = check->workload;
    const struct pagesim_step *step = &workload->steps[t];
    for (uint32_t i = 0; i < step->member_count; i++) {
        const struct pagesim_member *member = &workload->members[step->first_member + i];
        struct state *state = &check->states[member->allocation];
        if (!state->is_resident)
            return bad(check, "run %u: allocation %u is not resident at offset %u", k, member->allocation, step->start);
        if (member->is_written) {
            state->is_dirty = state->is_defined = true;
            state->is_backed = false;
        }
        const struct pagesim_allocation *allocation = &workload->allocations[member->allocation];
        if (allocation->is_temporary && allocation->last_step == t) state->is_dirty = state->is_defined = false;
    }
    return true;
}

static bool play_run(struct check *check, uint32_t k)
{
    const struct run *run = &check->runs[k];
    bool is_split = run->step_count > 0 && check->workload->steps[run->first_step].start != 0;
    if (is_split && !judge_split(check, k, run->first_step)) return false;
    for (uint32_t t = run->first_step; t < run->first_step + run->step_count; t++)
        if (!play_step(check, k, t)) return false;
    for (uint32_t i = 0; i < check->workload->allocation_count; i++)
        check->states[i].used_at = check->states[i].is_resident ? check->states[i].at : -1;
    return true;
}

static bool play(struct check *check)
{
    uint32_t i = 0, k = 0;
    while (i < check->operation_count || k < check->run_count) {
        if (i < check->operation_count && check->operations[i].after_run < (int64_t)k) {
            if (!play_operation(check, i++)) return false;
        } else if (k < check->run_count && check->runs[k].after_operation < (int64_t)i) {
            if (!play_run(check, k++)) return false;
        } else {
            return bad(check, "op %u and run %u: each queue waits for the other", i, k);
        }
    }
    return true;
}

bool schedule_check(const struct pagesim *workload, const char *text, uint32_t failed_steps,
                    struct schedule_counts *counts, char message[PAGESIM_MESSAGE])
{
    struct check check = {.workload = workload, .failed_steps = failed_steps, .counts = counts, .message = message};
    json_object *root = json_tokener_parse(text), *operations = NULL, *runs = NULL, *initial = NULL;
    *counts = (struct schedule_counts){0};
    bool is_good = json_object_object_get_ex(root, "ops", &operations) &&
                   json_object_object_get_ex(root, "runs", &runs) && json_object_is_type(operations, json_type_array) &&
                   json_object_is_type(runs, json_type_array);
    if (is_good) {
        (void)json_object_object_get_ex(root, "initial", &initial);
        check.operation_count = (uint32_t)json_object_array_length(operations);
        counts->portions = check.run_count = (uint32_t)json_object_array_length(runs);
        check.operations = calloc(check.operation_count + 1u, sizeof *check.operations);
        check.runs = calloc(check.run_count + 1u, sizeof *check.runs);
        check.states = calloc(workload->allocation_count + 1u, sizeof *check.states);
        is_good = check.operations && check.runs && check.states && read_initial(&check, initial) &&
                  read_operations(&check, operations) && read_runs(&check, runs) && check_waits(&check) && play(&check);
    } else {
        (void)bad(&check, "not a schedule");
    }
    if (is_good && counts->failed_steps != failed_steps)
        is_good = bad(&check, "what is bound moved in %u steps, not in %u", counts->failed_steps, failed_steps);
    free(check.operations);
    free(check.runs);
    free(check.states);
    json_object_put(root);
    return is_good;
}
