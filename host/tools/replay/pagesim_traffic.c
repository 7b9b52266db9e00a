/* SPDX-License-Identifier: Apache-2.0
 *
 * A lower bound on paging traffic, loads and write-backs together, for every schedule that moves allocations
 * whole, whatever its portions.
 *
 * Between two steps that need an allocation lies a *gap*: keep it there, or drop it and pay its pages again. The
 * gaps that follow one write form an *epoch*: dropping any of them costs, once, a write-back too. Steps leave
 * `room` pages for what is kept. A gap in which some step leaves less room than the allocation has pages is an
 * eviction that no schedule avoids. For the rest, a price per page and step turns the limit on room into a sum:
 * each epoch chooses what is cheaper, and the total less the price of all room is a bound for any prices that
 * are not negative (Lagrange). Subgradient steps raise it.
 */
#include "tools/replay/pagesim.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, PATIENCE = 12 };

struct gap {
    uint32_t low, high; /* steps [low, high) */
    uint32_t reload;    /* 1: dropping it costs the pages again */
};

struct epoch {
    uint32_t size, write_back;
    uint32_t first_gap, gap_count;
};

struct problem {
    uint32_t steps;
    int64_t *room;
    double base; /* pages that every schedule moves */
    struct gap *gaps;
    uint32_t gap_count;
    struct epoch *epochs;
    uint32_t epoch_count;
    /* workspace, one per step and one more */
    double *sum, *difference, *prices, *best_prices, *gradient;
};

/* ------------------------------------------------------------------ gaps and epochs */

static int64_t least_room(const struct problem *problem, const struct gap *gap)
{
    int64_t least = problem->room[gap->low];
    for (uint32_t t = gap->low; t < gap->high; t++) least = problem->room[t] < least ? problem->room[t] : least;
    return least;
}

/* The gaps from `first_gap` on become an epoch of an allocation of `size` pages. */
static void close_epoch(struct problem *problem, uint32_t first_gap, uint32_t size, bool is_dirty)
{
    uint32_t kept = first_gap, write_back = is_dirty ? 1 : 0;
    for (uint32_t i = first_gap; i < problem->gap_count; i++) {
        const struct gap gap = problem->gaps[i];
        if (gap.reload == 0 && !is_dirty) continue;
        if (least_room(problem, &gap) < (int64_t)size) {
            problem->base += (double)size * (gap.reload + write_back);
            write_back = 0;
        } else {
            problem->gaps[kept++] = gap;
        }
    }
    uint32_t end = kept;
    kept = first_gap;
    for (uint32_t i = first_gap; i < end; i++)
        if (problem->gaps[i].reload != 0 || write_back != 0) problem->gaps[kept++] = problem->gaps[i];
    problem->gap_count = kept;
    if (kept > first_gap)
        problem->epochs[problem->epoch_count++] = (struct epoch){size, write_back, first_gap, kept - first_gap};
}

static void add_gap(struct problem *problem, uint32_t low, uint32_t high, bool is_defined)
{
    problem->gaps[problem->gap_count++] = (struct gap){low, high, is_defined ? 1 : 0};
}

/* What the walk over the steps knows of one allocation. */
struct history {
    bool is_used, is_dirty, is_defined;
    uint32_t last;
};

static void walk_allocation(struct problem *problem, const struct pagesim *workload, uint32_t index)
{
    const struct pagesim_allocation *allocation = &workload->allocations[index];
    struct history history = {.is_defined = allocation->init != PAGESIM_UNDEFINED};
    uint32_t first_gap = problem->gap_count;
    for (uint32_t t = allocation->first_step; t != PAGESIM_NEVER && t <= allocation->last_step; t++) {
        const struct pagesim_member *member = &workload->members[workload->steps[t].first_member];
        const struct pagesim_member *end = member + workload->steps[t].member_count;
        while (member < end && member->allocation != index) member++;
        if (member == end) continue;
        if (!history.is_used && allocation->init == PAGESIM_BACKING) problem->base += allocation->pages;
        if (!history.is_used && allocation->init == PAGESIM_RESIDENT && t > 0) add_gap(problem, 0, t, true);
        if (history.is_used && t > history.last + 1u) add_gap(problem, history.last + 1u, t, history.is_defined);
        if (member->is_written) {
            close_epoch(problem, first_gap, allocation->pages, history.is_dirty);
            first_gap = problem->gap_count;
            history.is_dirty = history.is_defined = true;
        }
        history.is_used = true;
        history.last = t;
    }
    if (history.is_used && history.is_dirty && history.last + 1u < problem->steps && !allocation->is_temporary)
        add_gap(problem, history.last + 1u, problem->steps, false);
    close_epoch(problem, first_gap, allocation->pages, history.is_dirty);
}

static void find_room(struct problem *problem, const struct pagesim *workload, uint32_t segment)
{
    for (uint32_t t = 0; t < workload->step_count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        problem->room[t] = workload->segments[segment].pages;
        for (uint32_t i = 0; i < step->member_count; i++) {
            uint32_t index = workload->members[step->first_member + i].allocation;
            if (workload->allocations[index].segment == segment) problem->room[t] -= workload->allocations[index].pages;
        }
    }
}

/* ------------------------------------------------------------------ the bound at given prices */

/* The bound at the present prices; the gradient says where room is over- or undersold. */
static double evaluate(struct problem *problem)
{
    double value = problem->base, run = 0;
    problem->sum[0] = 0;
    for (uint32_t t = 0; t < problem->steps; t++) {
        problem->sum[t + 1u] = problem->sum[t] + problem->prices[t];
        value -= problem->prices[t] * (double)problem->room[t];
    }
    memset(problem->difference, 0, (problem->steps + 1u) * sizeof *problem->difference);
    for (uint32_t e = 0; e < problem->epoch_count; e++) {
        const struct epoch *epoch = &problem->epochs[e];
        const struct gap *gaps = problem->gaps + epoch->first_gap;
        double total = 0, gain = 0;
        for (uint32_t i = 0; i < epoch->gap_count; i++) {
            double cost = problem->sum[gaps[i].high] - problem->sum[gaps[i].low];
            total += cost;
            gain += cost > gaps[i].reload ? cost - gaps[i].reload : 0;
        }
        bool is_dropped = gain > epoch->write_back;
        value += epoch->size * (total - (is_dropped ? gain - epoch->write_back : 0));
        for (uint32_t i = 0; i < epoch->gap_count; i++) {
            double cost = problem->sum[gaps[i].high] - problem->sum[gaps[i].low];
            if (is_dropped && cost > gaps[i].reload) continue;
            problem->difference[gaps[i].low] += epoch->size;
            problem->difference[gaps[i].high] -= epoch->size;
        }
    }
    for (uint32_t t = 0; t < problem->steps; t++) {
        run += problem->difference[t];
        problem->gradient[t] = run - (double)problem->room[t];
        if (problem->prices[t] <= 0 && problem->gradient[t] < 0) problem->gradient[t] = 0;
    }
    return value;
}

static double ascend(struct problem *problem)
{
    double best = problem->base, pace = 1.0;
    uint32_t stall = 0;
    size_t bytes = (problem->steps + 1u) * sizeof *problem->prices;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double value = evaluate(problem), norm = 0;
        if (value > best + 1e-9) {
            stall = value < best * 1.0005 ? stall + 1u : 0;
            best = value;
            memcpy(problem->best_prices, problem->prices, bytes);
        } else {
            stall++;
        }
        if (stall >= PATIENCE) {
            pace *= 0.7;
            stall = 0;
            memcpy(problem->prices, problem->best_prices, bytes);
            value = evaluate(problem);
        }
        for (uint32_t t = 0; t < problem->steps; t++) norm += problem->gradient[t] * problem->gradient[t];
        double aim = best * 1.05 + 1;
        if (norm <= 0 || aim - value <= 1e-6 || pace < 1e-4) break;
        for (uint32_t t = 0; t < problem->steps; t++) {
            double price = problem->prices[t] + pace * (aim - value) / norm * problem->gradient[t];
            problem->prices[t] = price > 0 ? price : 0;
        }
    }
    return best;
}

/* ------------------------------------------------------------------ public */

static void free_problem(struct problem *problem)
{
    free(problem->room);
    free(problem->gaps);
    free(problem->epochs);
    free(problem->sum);
}

static bool make_problem(struct problem *problem, const struct pagesim *workload, uint32_t segment)
{
    size_t items = workload->step_count + 1u, members = workload->member_count + workload->allocation_count + 1u;
    *problem = (struct problem){.steps = workload->step_count};
    problem->room = calloc(items, sizeof *problem->room);
    problem->gaps = calloc(members + workload->allocation_count, sizeof *problem->gaps);
    problem->epochs = calloc(members, sizeof *problem->epochs);
    problem->sum = calloc(5 * items, sizeof *problem->sum);
    if (problem->room == NULL || problem->gaps == NULL || problem->epochs == NULL || problem->sum == NULL) return false;
    problem->difference = problem->sum + items;
    problem->prices = problem->difference + items;
    problem->best_prices = problem->prices + items;
    problem->gradient = problem->best_prices + items;
    find_room(problem, workload, segment);
    for (uint32_t i = 0; i < workload->allocation_count; i++)
        if (workload->allocations[i].segment == segment) walk_allocation(problem, workload, i);
    return true;
}

uint64_t pagesim_minimum_traffic(const struct pagesim *workload)
{
    double pages = 0;
    for (uint32_t s = 0; s < workload->segment_count; s++) {
        struct problem problem;
        if (workload->segments[s].is_aperture) continue;
        if (make_problem(&problem, workload, s)) pages += ascend(&problem);
        free_problem(&problem);
    }
    uint64_t loads = pagesim_minimum_loads(workload);
    return pages > (double)loads ? (uint64_t)pages : loads;
}
