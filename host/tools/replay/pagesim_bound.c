/* SPDX-License-Identifier: Apache-2.0
 *
 * Yardsticks that no schedule can beat: how few portions, how few pages.
 */
#include "tools/replay/pagesim.h"

#include <stdlib.h>
#include <string.h>

static const struct pagesim_member *member_of(const struct pagesim *workload, const struct pagesim_step *step,
                                              uint32_t i)
{
    return &workload->members[step->first_member + i];
}

/* ------------------------------------------------------------------ portions */

/* The portion being grown: its allocations carry its number as their stamp. */
struct portion {
    uint32_t number;
    uint64_t pages[PAGESIM_SEGMENTS];
};

/* Add a step's allocations; false if they do not fit then. */
static bool portion_add(const struct pagesim *workload, const struct pagesim_step *step, struct portion *portion,
                        uint32_t *stamps)
{
    for (uint32_t i = 0; i < step->member_count; i++) {
        uint32_t index = member_of(workload, step, i)->allocation;
        if (stamps[index] == portion->number) continue;
        stamps[index] = portion->number;
        portion->pages[workload->allocations[index].segment] += workload->allocations[index].pages;
    }
    for (uint32_t s = 0; s < workload->segment_count; s++)
        if (portion->pages[s] > workload->segments[s].pages) return false;
    return true;
}

uint32_t pagesim_minimum_portions(const struct pagesim *workload)
{
    struct portion portion = {0};
    uint32_t *stamps = calloc(workload->allocation_count + 1u, sizeof *stamps);
    if (stamps == NULL) return 0;
    for (uint32_t t = 0; t < workload->step_count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        bool is_first = t == 0 || step->buffer != step[-1].buffer;
        if (!is_first && portion_add(workload, step, &portion, stamps)) continue;
        portion = (struct portion){.number = portion.number + 1u};
        (void)portion_add(workload, step, &portion, stamps); /* one step fits: the reader checked */
    }
    free(stamps);
    return portion.number;
}

/* ------------------------------------------------------------------ loads */

/* What of each allocation is in its segment, and when it is needed next. */
struct holding {
    uint32_t pages;
    uint32_t next_step;
    uint32_t must; /* 1 + the last step that needed it */
    bool is_defined;
};

/* next[member index] = the next step that needs the same allocation. */
static uint32_t *next_uses(const struct pagesim *workload)
{
    uint32_t *next = malloc((workload->member_count + 1u) * sizeof *next);
    uint32_t *seen = malloc((workload->allocation_count + 1u) * sizeof *seen);
    if (next == NULL || seen == NULL) {
        free(next);
        free(seen);
        return NULL;
    }
    memset(seen, 0xff, workload->allocation_count * sizeof *seen); /* PAGESIM_NEVER */
    for (uint32_t t = workload->step_count; t-- > 0;) {
        const struct pagesim_step *step = &workload->steps[t];
        for (uint32_t i = 0; i < step->member_count; i++) {
            uint32_t member = step->first_member + i, index = workload->members[member].allocation;
            next[member] = seen[index];
            seen[index] = t;
        }
    }
    free(seen);
    return next;
}

/* Take `excess` pages from what step t does not need, furthest next use first. */
static void shrink(const struct pagesim *workload, uint32_t segment, uint32_t t, uint64_t excess, struct holding *held)
{
    while (excess > 0) {
        struct holding *victim = NULL;
        for (uint32_t i = 0; i < workload->allocation_count; i++)
            if (workload->allocations[i].segment == segment && held[i].pages > 0 && held[i].must != t + 1u &&
                (victim == NULL || held[i].next_step > victim->next_step))
                victim = &held[i];
        if (victim == NULL) return; /* cannot be: the step fits */
        uint32_t pages = victim->pages < excess ? victim->pages : (uint32_t)excess;
        victim->pages -= pages;
        excess -= pages;
    }
}

static uint64_t segment_loads(const struct pagesim *workload, uint32_t segment, const uint32_t *next,
                              struct holding *held)
{
    uint64_t loads = 0, total = 0;
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &workload->allocations[i];
        bool is_here = allocation->segment == segment && allocation->init == PAGESIM_RESIDENT;
        held[i] = (struct holding){is_here ? allocation->pages : 0, allocation->first_step, 0,
                                   allocation->init != PAGESIM_UNDEFINED};
        total += held[i].pages;
    }
    for (uint32_t t = 0; t < workload->step_count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        for (uint32_t i = 0; i < step->member_count; i++) {
            const struct pagesim_member *member = member_of(workload, step, i);
            struct holding *holding = &held[member->allocation];
            if (workload->allocations[member->allocation].segment != segment) continue;
            uint32_t missing = workload->allocations[member->allocation].pages - holding->pages;
            loads += holding->is_defined ? missing : 0;
            total += missing;
            holding->pages += missing;
            holding->next_step = next[step->first_member + i];
            holding->must = t + 1u;
            holding->is_defined |= member->is_written;
        }
        if (total > workload->segments[segment].pages) {
            shrink(workload, segment, t, total - workload->segments[segment].pages, held);
            total = workload->segments[segment].pages;
        }
        for (uint32_t i = 0; i < step->member_count; i++) {
            uint32_t index = member_of(workload, step, i)->allocation;
            if (workload->allocations[index].segment == segment && !held[index].is_defined) {
                total -= held[index].pages; /* undefined content costs nothing to drop */
                held[index].pages = 0;
            }
        }
    }
    return loads;
}

uint64_t pagesim_minimum_loads(const struct pagesim *workload)
{
    uint64_t loads = 0;
    uint32_t *next = next_uses(workload);
    struct holding *held = calloc(workload->allocation_count + 1u, sizeof *held);
    for (uint32_t s = 0; s < workload->segment_count && next != NULL && held != NULL; s++)
        if (!workload->segments[s].is_aperture) loads += segment_loads(workload, s, next, held);
    free(next);
    free(held);
    return loads;
}
