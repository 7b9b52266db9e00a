/* SPDX-License-Identifier: Apache-2.0
 *
 * See snapshot.h.
 */
#include "snapshot.h"

#include <string.h>

#include "device_internal.h"

enum { PAGE_SHIFT = 12, UNKNOWN = UINT32_MAX };

static uint32_t index_of(uint32_t handle) { return handle % SNAPSHOT_ALLOCATIONS; }
static bool is_later(uint32_t fence, uint32_t than) { return (int32_t)(fence - than) > 0; }

void snapshot_memory_init(struct snapshot_memory *memory) { memset(memory, 0, sizeof *memory); }

/* ------------------------------------------------------------------ what the trace has told */

static void note_submission(struct snapshot_memory *memory, unsigned node, uint32_t fence, uint32_t plan, uint32_t tag)
{
    memory->submitted[node][fence % 256u].fence = fence;
    memory->submitted[node][fence % 256u].plan = plan;
    memory->submitted[node][fence % 256u].tag = tag;
}

static void note_paging(struct snapshot_memory *memory, const struct view *view, uint32_t fence)
{
    const uint32_t plan = view->is_planning ? view->decision_count : NO_PLAN;
    note_submission(memory, 1, fence, plan, view->is_planning ? view->portion_tag : 0);
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++)
        if (memory->is_coming[i] != 0 && memory->coming[i] == UNKNOWN) memory->coming[i] = fence;
}

void snapshot_note(struct snapshot_memory *memory, const struct view *view, uint32_t event, uint32_t argument)
{
    switch (event) {
    case TRACE_PAGE_IN:
    case TRACE_MOVE:
        memory->is_coming[index_of(argument)] = 1;
        memory->coming[index_of(argument)] = UNKNOWN;
        break;
    case TRACE_EVICT: memory->is_coming[index_of(argument)] = 0; break;
    case TRACE_PAGING: note_paging(memory, view, argument); break;
    case TRACE_PORTION: note_submission(memory, 0, argument, view->decision_count - 1u, view->portion_tag); break;
    default: break;
    }
}

/* ------------------------------------------------------------------ nodes */

static uint32_t packet_words(uint32_t opcode)
{
    switch (opcode) {
        /* clang-format off */
#define PKT(name, opcode, words, privilege, doc) \
    case opcode: return words;
#include "gpu.def"
        /* clang-format on */
    default: return 1;
    }
}

static uint32_t ring_word(const struct device *device, const struct engine_node *node, uint32_t at)
{
    return device->engine.command[node->ring_base / 4u + (at & field_mask(node->ring_log2_words))];
}

static void end_submission(struct snapshot_node *to, const struct snapshot_memory *memory, unsigned node,
                           struct snapshot_submission *open, uint32_t fence)
{
    open->fence = fence;
    if (memory->submitted[node][fence % 256u].fence == fence) {
        open->plan = memory->submitted[node][fence % 256u].plan;
        open->tag = memory->submitted[node][fence % 256u].tag;
    }
    if (to->count < SNAPSHOT_QUEUE) to->queue[to->count++] = *open;
    *open = (struct snapshot_submission){.plan = NO_PLAN};
}

/* From the ring's head on, each fence ends a submission. */
static void take_queue(struct snapshot_node *to, const struct snapshot_memory *memory, const struct device *device,
                       unsigned node)
{
    const struct engine_node *from = &device->engine.node[node];
    struct snapshot_submission open = {.plan = NO_PLAN};
    to->count = to->waits = 0;
    for (uint32_t at = from->head; at != from->tail && from->tail - at < 1u << from->ring_log2_words;) {
        const uint32_t opcode = ring_word(device, from, at) & 0xffu;
        const uint32_t value = ring_word(device, from, at + 1u);
        if (open.opcode == 0 || opcode == PKT_RUN) open.opcode = (uint8_t)opcode;
        if (opcode == PKT_RUN) open.bytes += ring_word(device, from, at + PKT_RUN_BYTES_WORD);
        if (at == from->head && opcode == PKT_WAIT_FENCE && is_later(value, device->engine.node[1u - node].fence)) {
            open.state = SNAPSHOT_WAITING;
            to->waits = value;
        }
        if (at == from->head && from->is_in_run) open.state = SNAPSHOT_EXECUTING;
        if (opcode == PKT_FENCE) end_submission(to, memory, node, &open, value);
        at += packet_words(opcode);
    }
    for (uint32_t i = to->count; i < SNAPSHOT_QUEUE; i++) to->queue[i] = (struct snapshot_submission){0};
}

static void take_nodes(struct snapshot *snapshot, const struct snapshot_memory *memory, const struct device *device)
{
    for (unsigned node = 0; node < 2; node++) {
        struct snapshot_node *to = &snapshot->node[node];
        to->fence = device->engine.node[node].fence;
        to->packets = device->engine.node[node].packets;
        memcpy(to->packet, memory->packet[node], sizeof to->packet);
        take_queue(to, memory, device, node);
    }
}

/* ------------------------------------------------------------------ allocations */

static bool covers(const struct allocation *entry, uint32_t segment, uint32_t page)
{
    return (entry->flags & (uint32_t)ALLOCATION_EXISTS) != 0 && entry->segment == segment &&
           page - entry->first_page < entry->pages;
}

/* The allocation at a GPU address; SNAPSHOT_ALLOCATIONS: none. */
static uint32_t find_at(const struct allocation_table *table, uint32_t address, uint32_t guess)
{
    const uint32_t segment = address >> 28, page = (address & 0x0fffffffu) >> PAGE_SHIFT;
    if (address == 0 || covers(&table->entry[guess], segment, page)) return address == 0 ? SNAPSHOT_ALLOCATIONS : guess;
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++)
        if (covers(&table->entry[i], segment, page)) return i;
    return SNAPSHOT_ALLOCATIONS;
}

static void take_bound(struct snapshot *snapshot, struct snapshot_memory *memory, const struct device *device)
{
    const struct allocation_table *table = &device->gpu.manager.residency.world.table;
    for (uint32_t slot = 0; slot < LIMIT_BITS_SLOTS; slot++) {
        const uint32_t found = find_at(table, device->engine.node[0].bindings[slot].address, memory->bound[slot]);
        if (found == SNAPSHOT_ALLOCATIONS) continue;
        memory->bound[slot] = (uint16_t)found;
        snapshot->allocations[found].flags |= SNAPSHOT_BOUND;
    }
}

static uint8_t flags_of(const struct device *device, const struct snapshot_memory *memory, uint32_t i)
{
    const struct residency *residency = &device->gpu.manager.residency;
    const struct allocation *entry = &residency->world.table.entry[i];
    uint32_t flags = 0;
    if ((entry->flags & (uint32_t)ALLOCATION_DIRTY) != 0) flags |= SNAPSHOT_DIRTY;
    if ((entry->flags & (uint32_t)ALLOCATION_LOCKED) != 0) flags |= SNAPSHOT_LOCKED;
    if (entry->offer != 0) flags |= SNAPSHOT_OFFERED;
    if (is_later(entry->last_fence, device->engine.node[0].fence)) flags |= SNAPSHOT_USED;
    if (residency->plan.mark[i] != 0 && device->gpu.scheduler.stage != STAGE_IDLE) flags |= SNAPSHOT_NEXT;
    if (memory->is_coming[i] != 0 &&
        (memory->coming[i] == UNKNOWN || is_later(memory->coming[i], device->engine.node[1].fence)))
        flags |= SNAPSHOT_COMING;
    return (uint8_t)flags;
}

static void take_allocations(struct snapshot *snapshot, const struct snapshot_memory *memory,
                             const struct device *device)
{
    const struct residency *residency = &device->gpu.manager.residency;
    ASSERT(residency->world.table.limit == SNAPSHOT_ALLOCATIONS); /* this machine boots with the default */
    for (uint32_t i = 0; i < SNAPSHOT_ALLOCATIONS; i++) {
        const struct allocation *entry = &residency->world.table.entry[i];
        struct snapshot_allocation *to = &snapshot->allocations[i];
        if ((entry->flags & (uint32_t)ALLOCATION_EXISTS) == 0) {
            *to = (struct snapshot_allocation){0};
            continue;
        }
        *to = (struct snapshot_allocation){.handle = allocation_handle(&residency->world.table, i),
                                           .pages = entry->pages,
                                           .page = entry->first_page,
                                           .planned_page = residency->world.map.link[i].first,
                                           .segment = entry->segment,
                                           .planned = residency->world.map.link[i].where,
                                           .flags = flags_of(device, memory, i),
                                           .owner = (uint16_t)allocation_owner(entry)};
    }
}

/* ------------------------------------------------------------------ jobs, and the patch list at hand */

static void take_patches(struct snapshot *snapshot, const struct job *job)
{
    snapshot->tag = job->tag;
    snapshot->bytes = 4u * job->dma_words;
    snapshot->entry_count = job->patch_count < SNAPSHOT_ENTRIES ? job->patch_count : SNAPSHOT_ENTRIES;
    for (uint32_t i = 0; i < SNAPSHOT_ENTRIES; i++) {
        const struct patch *patch = &job->patches[i];
        snapshot->entries[i] = i >= snapshot->entry_count ? (struct snapshot_entry){0}
                                                          : (struct snapshot_entry){.allocation = patch->allocation,
                                                                                    .split_word = patch->split_word,
                                                                                    .slot = patch->slot,
                                                                                    .is_written = patch->is_written};
    }
}

/* A plan is told before the scheduler goes on to what follows. */
static bool has_plan(const struct scheduler *scheduler, const struct view *view)
{
    return scheduler->stage > STAGE_PLAN || (view->last_event == TRACE_PLANNED && view->last_argument != 0u);
}

static void take_current(struct snapshot *snapshot, const struct scheduler *scheduler, const struct view *view)
{
    const struct job *job = &scheduler->jobs[scheduler->current].job;
    const bool is_new = snapshot->tag != job->tag;
    if (is_new) take_patches(snapshot, job);
    const struct portion *portion = &scheduler->portion;
    const bool is_planned = has_plan(scheduler, view);
    if (!is_planned && !is_new) return; /* the portion before stays at hand until the next is planned */
    snapshot->first = is_planned ? portion->first_entry : 0;
    snapshot->count = is_planned ? portion->entry_count : 0;
    snapshot->is_cut = is_planned && !portion->is_last;
    snapshot->split = snapshot->is_cut != 0 ? 4u * portion->end_word : 0;
}

static void take_jobs(struct snapshot *snapshot, const struct device *device, const struct view *view)
{
    const struct scheduler *scheduler = &device->gpu.scheduler;
    for (uint32_t i = 0; i < SNAPSHOT_JOBS; i++) {
        const uint32_t at = (scheduler->oldest_job + i) % JOB_COUNT;
        const struct job_record *record = &scheduler->jobs[at];
        const bool is_held = i < scheduler->job_count && record->state != JOB_FREE && record->state != JOB_DONE;
        snapshot->jobs[i] =
            !is_held
                ? (struct snapshot_job){0}
                : (struct snapshot_job){
                      .tag = record->job.tag,
                      .context = record->job.context,
                      .state = record->state,
                      .portions = record->portions,
                      .entries = record->job.patch_count,
                      .priority =
                          (uint32_t)device->gpu.manager.contexts.entry[record->job.context % CONTEXT_MAXIMUM].priority,
                      .next_entry = at == scheduler->current ? scheduler->splitter.next_entry : 0};
    }
    if (scheduler->current != NO_JOB) take_current(snapshot, scheduler, view);
}

static void take_contexts(struct snapshot *snapshot, const struct device *device)
{
    const struct manager *manager = &device->gpu.manager;
    uint32_t count = 0;
    for (uint32_t i = 0; i < manager->contexts.limit && count < SNAPSHOT_CONTEXTS; i++) {
        if (!manager->contexts.entry[i].exists) continue;
        const struct share *share = &manager->residency.world.shares.entry[i];
        snapshot->contexts[count++] = (struct snapshot_context){
            .id = i,
            .priority = (uint32_t)manager->contexts.entry[i].priority,
            .budget = share->budget,
            .share = share_of(&manager->residency.world.shares, i, manager->residency.world.table.memory_pages),
            .resident = share->pages,
            .lost = share->lost,
            .taken = share->taken};
    }
}

/* ------------------------------------------------------------------ all of it */

void snapshot_take(struct snapshot *snapshot, struct snapshot_memory *memory, struct device *device,
                   const struct view *view)
{
    snapshot->cycle = device->cycle;
    memcpy(snapshot->statistics, device->gpu.manager.statistics, sizeof snapshot->statistics);
    const struct traffic *traffic = &view->traffic;
    const uint64_t bytes[] = {traffic->in_first, traffic->in_again, traffic->paging_out,
                              traffic->moved,    traffic->filled,   traffic->mapped};
    memcpy(snapshot->traffic, bytes, sizeof bytes);
    snapshot->decisions = view->decision_count;
    snapshot->is_planning = view->is_planning;
    for (uint32_t i = 0; i < LIMIT_BITS_SEGMENT_COUNT; i++)
        snapshot->segment_pages[i] = device->gpu.manager.residency.world.map.segment[i].pages;
    take_nodes(snapshot, memory, device);
    take_jobs(snapshot, device, view);
    take_contexts(snapshot, device);
    take_allocations(snapshot, memory, device);
    take_bound(snapshot, memory, device);
}
