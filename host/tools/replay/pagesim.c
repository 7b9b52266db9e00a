/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads: from patch locations to steps, the rules that need steps, and changes of scale.
 */
#include "tools/replay/pagesim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(char message[PAGESIM_MESSAGE], const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char message[PAGESIM_MESSAGE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, PAGESIM_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

void pagesim_free(struct pagesim *workload)
{
    if (workload == NULL) return;
    free(workload->name);
    free(workload->allocations);
    free(workload->buffers);
    free(workload->patches);
    free(workload->times);
    free(workload->steps);
    free(workload->members);
    free(workload);
}

/* ------------------------------------------------------------------ steps of one buffer */

/* The resource table of the buffer being walked. */
struct row {
    uint32_t allocation; /* PAGESIM_NULL: nothing bound */
    bool is_written;
    bool is_programmed; /* by the group at hand */
};

static bool grow_members(struct pagesim *workload, uint32_t *room)
{
    if (*room - workload->member_count >= PAGESIM_SLOTS) return true;
    uint32_t larger = *room * 2u + PAGESIM_SLOTS;
    struct pagesim_member *members = realloc(workload->members, larger * sizeof *members);
    if (members == NULL) return false;
    workload->members = members;
    *room = larger;
    return true;
}

/* What the table holds, each allocation once; sticky if some slot that the group did not program held it. */
static void collect_members(struct pagesim *workload, struct pagesim_step *step, const struct row *table)
{
    step->first_member = workload->member_count;
    for (uint32_t slot = 0; slot < workload->slots; slot++) {
        struct pagesim_member *members = workload->members + step->first_member;
        uint32_t i = 0, count = workload->member_count - step->first_member;
        if (table[slot].allocation == PAGESIM_NULL) continue;
        while (i < count && members[i].allocation != table[slot].allocation) i++;
        if (i == count) {
            members[i] = (struct pagesim_member){.allocation = table[slot].allocation};
            workload->member_count++;
        }
        members[i].is_written |= table[slot].is_written;
        members[i].is_sticky |= !table[slot].is_programmed;
    }
    step->member_count = workload->member_count - step->first_member;
}

static bool check_step_fits(const struct pagesim *workload, const struct pagesim_step *step,
                            char message[PAGESIM_MESSAGE])
{
    uint64_t pages[PAGESIM_SEGMENTS] = {0};
    for (uint32_t i = 0; i < step->member_count; i++) {
        const struct pagesim_allocation *allocation =
            &workload->allocations[workload->members[step->first_member + i].allocation];
        pages[allocation->segment] += allocation->pages;
    }
    for (uint32_t i = 0; i < workload->segment_count; i++)
        if (pages[i] > workload->segments[i].pages)
            return refuse(message,
                          "buffers[%u], offset %u: one step binds %llu pages in segment %u of %u pages. "
                          "Bind less in a step, or make the segment larger",
                          step->buffer, workload->patches[step->first_patch].split_offset, (unsigned long long)pages[i],
                          i, workload->segments[i].pages);
    return true;
}

static bool reduce_buffer(struct pagesim *workload, uint32_t index, uint32_t *member_room,
                          char message[PAGESIM_MESSAGE])
{
    struct pagesim_buffer *buffer = &workload->buffers[index];
    const struct pagesim_patch *patches = workload->patches + buffer->first_patch;
    struct row table[PAGESIM_SLOTS];
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++) table[slot] = (struct row){.allocation = PAGESIM_NULL};
    buffer->first_step = workload->step_count;
    for (uint32_t i = 0; i < buffer->patch_count;) {
        uint32_t offset = patches[i].split_offset, group = i;
        struct pagesim_step *step = &workload->steps[workload->step_count];
        if (i > 0 && offset < patches[i - 1].split_offset)
            return refuse(message,
                          "buffers[%u].patches[%u][2]: the split offset is before that of the patch before. Order them",
                          index, i);
        if (offset >= buffer->bytes)
            return refuse(message, "buffers[%u].patches[%u][2]: the split offset is outside of the buffer", index, i);
        for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++) table[slot].is_programmed = false;
        for (; i < buffer->patch_count && patches[i].split_offset == offset; i++)
            table[patches[i].slot] = (struct row){patches[i].allocation, patches[i].is_written, true};
        *step = (struct pagesim_step){.buffer = index,
                                      .start = group == 0 ? 0 : offset,
                                      .end = buffer->bytes,
                                      .first_patch = buffer->first_patch + group,
                                      .patch_count = i - group,
                                      .time = workload->times != NULL ? workload->times[workload->step_count] : 1.0};
        if (!grow_members(workload, member_room)) return refuse(message, "out of memory");
        collect_members(workload, step, table);
        if (!check_step_fits(workload, step, message)) return false;
        if (group > 0) step[-1].end = offset;
        workload->step_count++;
    }
    buffer->step_count = workload->step_count - buffer->first_step;
    return true;
}

/* ------------------------------------------------------------------ the whole workload */

static bool check_resident(const struct pagesim *workload, char message[PAGESIM_MESSAGE])
{
    uint64_t pages[PAGESIM_SEGMENTS] = {0};
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &workload->allocations[i];
        if (allocation->pages > workload->segments[allocation->segment].pages)
            return refuse(message, "allocs[%u].size: larger than its segment. Make the segment larger", i);
        if (allocation->init == PAGESIM_RESIDENT) pages[allocation->segment] += allocation->pages;
    }
    for (uint32_t i = 0; i < workload->segment_count; i++)
        if (pages[i] > workload->segments[i].pages)
            return refuse(message,
                          "segments[%u].size: allocations that are resident at the start need %llu pages, there are %u",
                          i, (unsigned long long)pages[i], workload->segments[i].pages);
    return true;
}

static void find_lifetimes(struct pagesim *workload)
{
    for (uint32_t i = 0; i < workload->allocation_count; i++)
        workload->allocations[i].first_step = workload->allocations[i].last_step = PAGESIM_NEVER;
    for (uint32_t t = 0; t < workload->step_count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        for (uint32_t i = 0; i < step->member_count; i++) {
            struct pagesim_allocation *allocation =
                &workload->allocations[workload->members[step->first_member + i].allocation];
            if (allocation->first_step == PAGESIM_NEVER) allocation->first_step = t;
            allocation->last_step = t;
        }
    }
}

bool pagesim_reduce(struct pagesim *workload, char message[PAGESIM_MESSAGE])
{
    uint32_t member_room = 0;
    free(workload->steps);
    free(workload->members);
    workload->members = NULL;
    workload->member_count = 0;
    workload->step_count = 0;
    workload->steps = calloc(workload->patch_count + 1u, sizeof *workload->steps);
    if (workload->steps == NULL) return refuse(message, "out of memory");
    if (!check_resident(workload, message)) return false;
    for (uint32_t i = 0; i < workload->buffer_count; i++)
        if (!reduce_buffer(workload, i, &member_room, message)) return false;
    find_lifetimes(workload);
    return true;
}

bool pagesim_limit(struct pagesim *workload, uint32_t count, char message[PAGESIM_MESSAGE])
{
    if (count >= workload->buffer_count) return true;
    workload->patch_count = workload->buffers[count].first_patch;
    workload->buffer_count = count;
    return pagesim_reduce(workload, message);
}

/* ------------------------------------------------------------------ scale */

static uint32_t divide_up(uint32_t value, uint32_t divisor)
{
    return value / divisor + (value % divisor != 0 ? 1u : 0u);
}

static uint32_t power_of_two_up(uint32_t value)
{
    uint32_t power = 1;
    while (power < value) power *= 2u;
    return power;
}

/* Pages that segment `id` must have for each step, and for the start. */
static uint32_t pages_needed(const struct pagesim *workload, uint32_t id)
{
    uint32_t most = 0, resident = 0;
    for (uint32_t i = 0; i < workload->allocation_count; i++)
        if (workload->allocations[i].segment == id && workload->allocations[i].init == PAGESIM_RESIDENT)
            resident += workload->allocations[i].pages;
    for (uint32_t t = 0; t < workload->step_count; t++) {
        const struct pagesim_step *step = &workload->steps[t];
        uint32_t pages = 0;
        for (uint32_t i = 0; i < step->member_count; i++) {
            const struct pagesim_allocation *allocation =
                &workload->allocations[workload->members[step->first_member + i].allocation];
            if (allocation->segment == id) pages += allocation->pages;
        }
        most = pages > most ? pages : most;
    }
    return most > resident ? most : resident;
}

bool pagesim_scale(struct pagesim *workload, uint32_t divisor, uint32_t *grown_pages, char message[PAGESIM_MESSAGE])
{
    *grown_pages = 0;
    if (divisor == 0) return refuse(message, "--scale 0: give at least 1");
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        struct pagesim_allocation *allocation = &workload->allocations[i];
        allocation->pages = divide_up(allocation->pages, divisor);
        allocation->alignment_pages = power_of_two_up(divide_up(allocation->alignment_pages, divisor));
    }
    for (uint32_t i = 0; i < workload->segment_count; i++) {
        uint32_t pages = divide_up(workload->segments[i].pages, divisor), needed = pages_needed(workload, i);
        if (needed > pages) {
            *grown_pages += needed - pages;
            pages = needed;
        }
        for (uint32_t a = 0; a < workload->allocation_count; a++)
            if (workload->allocations[a].segment == i && workload->allocations[a].pages > pages)
                pages = workload->allocations[a].pages; /* never used, or it would have been counted */
        workload->segments[i].pages = pages;
    }
    return pagesim_reduce(workload, message);
}
