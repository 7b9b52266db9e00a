/* SPDX-License-Identifier: Apache-2.0
 *
 * For test_machine.c: every snapshot that the page's machine takes (--wrap) is compared with a second, plain reading of
 * the firmware's tables, the rings and the trace.
 */
#ifndef TESTS_SNAPSHOT_CHECK_H
#define TESTS_SNAPSHOT_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "device_internal.h"
#include "snapshot.h"

enum { FENCES = 4096, UNPLACED = 0 };

/* What the trace has said of each fence, and of each allocation's content on its way. */
static struct {
    bool is_told;
    uint32_t plan, tag;
} fences[2][FENCES];
static struct {
    bool is_coming, has_fence;
    uint32_t fence;
} content[SNAPSHOT_ALLOCATIONS];
/* How much there was to compare. */
static struct snapshot_seen {
    uint32_t snapshots, allocations, jobs, cuts, waits, contexts;
    uint32_t flags[8];       /* by bit of enum snapshot_flag */
    uint32_t submissions[2]; /* by node */
} seen;

void __real_snapshot_note(struct snapshot_memory *memory, const struct view *view, uint32_t event, uint32_t argument);
void __wrap_snapshot_note(struct snapshot_memory *memory, const struct view *view, uint32_t event, uint32_t argument);
void __real_snapshot_take(struct snapshot *snapshot, struct snapshot_memory *memory, struct device *device,
                          const struct view *view);
void __wrap_snapshot_take(struct snapshot *snapshot, struct snapshot_memory *memory, struct device *device,
                          const struct view *view);

/* Before a machine is made. */
static void snapshot_check_begin(void)
{
    memset(fences, 0, sizeof fences);
    memset(content, 0, sizeof content);
    memset(&seen, 0, sizeof seen);
}

void __wrap_snapshot_note(struct snapshot_memory *memory, const struct view *view, uint32_t event, uint32_t argument)
{
    const uint32_t handle = argument % SNAPSHOT_ALLOCATIONS;
    if (event == TRACE_PAGE_IN || event == TRACE_MOVE)
        content[handle].is_coming = true, content[handle].has_fence = false;
    if (event == TRACE_EVICT) content[handle].is_coming = false;
    if (event == TRACE_PAGING) {
        for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
            if (!content[i].is_coming || content[i].has_fence) continue;
            content[i].has_fence = true;
            content[i].fence = argument;
        }
    }
    if (event == TRACE_PAGING || event == TRACE_PORTION) {
        const unsigned node = event == TRACE_PAGING;
        CHECK(argument < (uint32_t)FENCES);
        fences[node][argument].is_told = true;
        fences[node][argument].plan = node == 0           ? view->decision_count - 1u
                                      : view->is_planning ? view->decision_count
                                                          : NO_PLAN;
        fences[node][argument].tag = node == 0 || view->is_planning ? view->portion_tag : 0;
    }
    __real_snapshot_note(memory, view, event, argument);
}

/* ------------------------------------------------------------------ what a snapshot has to say */

static void check_allocations(const struct snapshot *snapshot, const struct device *device)
{
    const struct residency *residency = &device->gpu.manager.residency;
    const uint32_t drawn = device->engine.node[0].fence, paged = device->engine.node[1].fence;
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
        const struct snapshot_allocation *is = &snapshot->allocations[i], none = {0};
        const struct allocation *entry = &residency->world.table.entry[i];
        if ((entry->flags & (uint32_t)ALLOCATION_EXISTS) == 0) {
            CHECK(memcmp(is, &none, sizeof none) == 0);
            continue;
        }
        CHECK_EQUAL(is->handle, allocation_handle(&residency->world.table, i));
        CHECK_EQUAL(is->handle % SNAPSHOT_ALLOCATIONS, i);
        CHECK_EQUAL(is->pages, entry->pages);
        CHECK_EQUAL(is->segment, entry->segment);
        CHECK_EQUAL(is->page, entry->first_page);
        CHECK_EQUAL(is->planned, residency->world.map.link[i].where);
        CHECK_EQUAL(is->planned_page, residency->world.map.link[i].first);
        CHECK_EQUAL(is->owner, allocation_owner(entry));
        bool is_bound = false;
        for (uint32_t slot = 0; slot < LIMIT_BITS_SLOTS; slot++) {
            const uint32_t address = device->engine.node[0].bindings[slot].address;
            const uint32_t first = entry->segment << 28 | (uint32_t)entry->first_page << 12;
            is_bound = is_bound || (entry->segment != (uint32_t)UNPLACED && address >= first &&
                                    address < first + ((uint32_t)entry->pages << 12));
        }
        const bool is_coming = content[i].is_coming && (!content[i].has_fence || content[i].fence > paged);
        const uint32_t wanted =
            ((entry->flags & (uint32_t)ALLOCATION_DIRTY) != 0 ? SNAPSHOT_DIRTY : 0u) |
            ((entry->flags & (uint32_t)ALLOCATION_LOCKED) != 0 ? SNAPSHOT_LOCKED : 0u) |
            (entry->offer != 0 ? SNAPSHOT_OFFERED : 0u) | (is_bound ? SNAPSHOT_BOUND : 0u) |
            ((int32_t)(entry->last_fence - drawn) > 0 ? SNAPSHOT_USED : 0u) |
            (residency->plan.mark[i] != 0 && device->gpu.scheduler.stage != STAGE_IDLE ? SNAPSHOT_NEXT : 0u) |
            (is_coming ? SNAPSHOT_COMING : 0u);
        CHECK_EQUAL(snapshot->allocations[i].flags, wanted);
        for (unsigned flag = 0; flag < 8; flag++) seen.flags[flag] += wanted >> flag & 1u;
        seen.allocations++;
    }
}

/* The ring from head to tail, once more: words, their opcodes, and what each fence ends. */
static void check_queue(const struct snapshot *snapshot, const struct device *device, unsigned node)
{
    static const uint8_t lengths[256] = {
#define PKT(name, opcode, words, privilege, doc) [opcode] = words,
#include "gpu.def"
    };
    const struct engine_node *from = &device->engine.node[node];
    const struct snapshot_node *is = &snapshot->node[node];
    const uint32_t *ring = device->engine.command + from->ring_base / 4u, mask = (1u << from->ring_log2_words) - 1u;
    uint32_t count = 0, bytes = 0, opcode = 0, waits = 0;
    CHECK_EQUAL(is->fence, from->fence);
    CHECK_EQUAL(is->packets, from->packets);
    bool is_first = true, is_waiting = false;
    for (uint32_t at = from->head; at != from->tail && from->ring_log2_words != 0;) {
        const uint32_t word = ring[at & mask], next = ring[(at + 1u) & mask], kind = word & 255u;
        CHECK(lengths[kind] != 0);
        if (opcode == 0 || kind == PKT_RUN) opcode = kind;
        if (kind == PKT_RUN) bytes += ring[(at + PKT_RUN_BYTES_WORD) & mask];
        if (is_first && kind == PKT_WAIT_FENCE && (int32_t)(next - device->engine.node[1u - node].fence) > 0)
            waits = next, is_waiting = true;
        const bool is_run = is_first && from->is_in_run;
        is_first = false;
        at += lengths[kind];
        if (count == 0 && is_run) CHECK_EQUAL(is->queue[0].state, SNAPSHOT_EXECUTING);
        if (kind != PKT_FENCE) continue;
        CHECK(count < (uint32_t)SNAPSHOT_QUEUE);
        const struct snapshot_submission *submission = &is->queue[count];
        CHECK_EQUAL(submission->fence, next);
        CHECK_EQUAL(submission->bytes, bytes);
        CHECK_EQUAL(submission->opcode, opcode);
        CHECK_EQUAL(submission->plan, fences[node][next].is_told ? fences[node][next].plan : NO_PLAN);
        CHECK_EQUAL(submission->tag, fences[node][next].is_told ? fences[node][next].tag : 0);
        if (count != 0) CHECK_EQUAL(submission->state, SNAPSHOT_QUEUED);
        else if (is_waiting) CHECK_EQUAL(submission->state, SNAPSHOT_WAITING);
        seen.submissions[node]++;
        count++;
        bytes = opcode = 0;
    }
    CHECK_EQUAL(is->count, count);
    CHECK_EQUAL(is->waits, waits);
    seen.waits += waits != 0;
    const struct snapshot_submission none = {0};
    for (; count < (uint32_t)SNAPSHOT_QUEUE; count++) CHECK(memcmp(&is->queue[count], &none, sizeof none) == 0);
}

static void check_jobs(const struct snapshot *snapshot, const struct device *device)
{
    const struct scheduler *scheduler = &device->gpu.scheduler;
    const struct snapshot_job none = {0};
    for (uint32_t i = 0; i < SNAPSHOT_JOBS; i++) {
        const uint32_t at = (scheduler->oldest_job + i) % JOB_COUNT;
        const struct job_record *record = &scheduler->jobs[at];
        const struct snapshot_job *is = &snapshot->jobs[i];
        if (i >= scheduler->job_count || record->state == JOB_FREE || record->state == JOB_DONE) {
            CHECK(memcmp(is, &none, sizeof none) == 0);
            continue;
        }
        const uint32_t context = record->job.context % CONTEXT_MAXIMUM;
        CHECK_EQUAL(is->tag, record->job.tag);
        CHECK_EQUAL(is->context, record->job.context);
        CHECK_EQUAL(is->state, record->state);
        CHECK_EQUAL(is->portions, record->portions);
        CHECK_EQUAL(is->entries, record->job.patch_count);
        CHECK_EQUAL(is->priority, device->gpu.manager.contexts.entry[context].priority);
        CHECK_EQUAL(is->next_entry, at == scheduler->current ? scheduler->splitter.next_entry : 0);
        seen.jobs++;
        if (at != scheduler->current) continue;
        CHECK_EQUAL(snapshot->tag, record->job.tag);
        CHECK_EQUAL(snapshot->bytes, 4u * record->job.dma_words);
        CHECK_EQUAL(snapshot->entry_count, record->job.patch_count);
        CHECK(snapshot->first + snapshot->count <= snapshot->entry_count);
        CHECK(snapshot->split % 4u == 0 && snapshot->split <= snapshot->bytes);
        CHECK_EQUAL(snapshot->split != 0, snapshot->is_cut != 0);
        for (uint32_t entry = 0; entry < record->job.patch_count; entry++) {
            const struct patch *patch = &record->job.patches[entry];
            CHECK_EQUAL(snapshot->entries[entry].allocation, patch->allocation);
            CHECK_EQUAL(snapshot->entries[entry].split_word, patch->split_word);
            CHECK_EQUAL(snapshot->entries[entry].slot, patch->slot);
            CHECK_EQUAL(snapshot->entries[entry].is_written, patch->is_written);
        }
        seen.cuts += snapshot->is_cut != 0;
    }
}

static void check_contexts(const struct snapshot *snapshot, const struct device *device)
{
    const struct manager *manager = &device->gpu.manager;
    uint32_t count = 0;
    for (uint32_t i = 0; i < manager->contexts.limit; i++) {
        if (!manager->contexts.entry[i].exists || count == (uint32_t)SNAPSHOT_CONTEXTS) continue;
        const struct snapshot_context *is = &snapshot->contexts[count++];
        CHECK_EQUAL(is->id, i);
        CHECK_EQUAL(is->priority, manager->contexts.entry[i].priority);
        CHECK_EQUAL(is->budget, manager->residency.world.shares.entry[i].budget);
        CHECK_EQUAL(is->resident, manager->residency.world.shares.entry[i].pages);
        CHECK_EQUAL(is->lost, manager->residency.world.shares.entry[i].lost);
        CHECK_EQUAL(is->taken, manager->residency.world.shares.entry[i].taken);
        CHECK(is->share <= manager->residency.world.table.memory_pages);
    }
    CHECK(count != 0);
    if (count > seen.contexts) seen.contexts = count;
}

void __wrap_snapshot_take(struct snapshot *snapshot, struct snapshot_memory *memory, struct device *device,
                          const struct view *view)
{
    __real_snapshot_take(snapshot, memory, device, view);
    CHECK(snapshot->cycle == device->cycle && snapshot->decisions == view->decision_count);
    CHECK_EQUAL(snapshot->is_planning, view->is_planning);
    CHECK(memcmp(snapshot->statistics, device->gpu.manager.statistics, sizeof snapshot->statistics) == 0);
    CHECK(snapshot->traffic[0] == view->traffic.in_first && snapshot->traffic[1] == view->traffic.in_again);
    CHECK(snapshot->traffic[2] == view->traffic.paging_out && snapshot->traffic[3] == view->traffic.moved);
    CHECK(snapshot->traffic[4] == view->traffic.filled && snapshot->traffic[5] == view->traffic.mapped);
    for (uint32_t i = 0; i < LIMIT_BITS_SEGMENT_COUNT; i++)
        CHECK_EQUAL(snapshot->segment_pages[i], device->gpu.manager.residency.world.map.segment[i].pages);
    check_allocations(snapshot, device);
    for (unsigned node = 0; node < 2; node++) check_queue(snapshot, device, node);
    check_jobs(snapshot, device);
    check_contexts(snapshot, device);
    seen.snapshots++;
}

#endif
