/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of view.h: a transport between a program and its device that reads the two rings as they are
 * written. It asks nothing of the device, so a watched run takes the same cycles.
 */
#include "tools/view/view_internal.h"

#include <inttypes.h>
#include <string.h>

#include "gpu_names.h"
#include "gpu_spec.h"

static const struct track track = {GROUP_GPU, TRACK_HOST};

static struct pending *pending_of(struct view *view, uint32_t tag)
{
    return &view->pending[tag % (sizeof view->pending / sizeof *view->pending)];
}

struct view_job *view_job_of(struct view *view, uint32_t tag)
{
    const struct pending *pending = pending_of(view, tag);
    return pending->tag == tag && pending->job != 0 ? &view->jobs[pending->job - 1u] : NULL;
}

static uint64_t now(const struct view *view)
{
    return view->inner->cycles != NULL ? view->inner->cycles(view->inner->context) : view->now;
}

/* ------------------------------------------------------------------ messages and completions */

static void see_submit(struct view *view, const uint32_t *message, struct pending *pending, uint64_t cycle)
{
    struct view_job *job =
        view_append(view, (void **)&view->jobs, &view->job_count, &view->job_room, VIEW_JOBS, sizeof *job);
    if (job == NULL) return;
    *job = (struct view_job){.submitted = cycle,
                             .tag = message[1],
                             .context = message[MSG_SUBMIT_CONTEXT],
                             .bytes = message[MSG_SUBMIT_DMA_BYTES],
                             .frame = view->frame};
    pending->job = view->job_count;
    timeline_flow(view->timeline, track, cycle, 's', "submission", message[1]);
}

static void see_message(struct view *view, const uint32_t *message, uint64_t cycle)
{
    struct pending *pending = pending_of(view, message[1]);
    uint32_t page = GPU_LIMIT(PAGE_BYTES), bytes = message[MSG_CREATE_ALLOCATION_BYTES];
    *pending = (struct pending){.tag = message[1], .code = message_code(message[0])};
    view->messages++;
    timeline_overlapping(view->timeline, GROUP_GPU, cycle, 'b', "message", message[1], message_name(pending->code));
    if (pending->code == MSG_CREATE_ALLOCATION) pending->pages = bytes / page + (bytes % page != 0);
    if (pending->code == MSG_DESTROY_ALLOCATION) pending->handle = message[MSG_DESTROY_ALLOCATION_HANDLE];
    if (pending->code == MSG_SUBMIT) see_submit(view, message, pending, cycle);
}

/* No plan had a part in it. */
static void see_destroyed(struct view *view, uint32_t handle, uint64_t cycle)
{
    const struct known *known = view_known(view, handle);
    const uint32_t stay = known != NULL ? known->stay : 0;
    view_left(view, cycle, handle, STAY_EVICTED);
    if (stay != 0) view->stays[stay - 1u].left_in = NO_PLAN;
}

static void see_completion(struct view *view, const uint32_t *words, uint64_t cycle)
{
    struct pending *pending = pending_of(view, words[COMPLETION_TAG]);
    struct view_job *job = view_job_of(view, words[COMPLETION_TAG]);
    if (pending->tag != words[COMPLETION_TAG]) return;
    timeline_overlapping(view->timeline, GROUP_GPU, cycle, 'e', "message", pending->tag, message_name(pending->code));
    if (pending->code == MSG_CREATE_ALLOCATION && words[COMPLETION_STATUS] == STATUS_OK) {
        struct known *known = view_known(view, words[REPLY_CREATE_ALLOCATION_HANDLE]);
        if (known != NULL) known->pages = pending->pages;
    }
    if (pending->handle != 0 && words[COMPLETION_STATUS] == STATUS_OK) see_destroyed(view, pending->handle, cycle);
    if (job != NULL) {
        job->status = words[COMPLETION_STATUS];
        job->portions = words[REPLY_SUBMIT_PORTIONS];
        job->evictions = words[REPLY_SUBMIT_EVICTIONS];
        job->pages_in = words[REPLY_SUBMIT_PAGED_IN];
        job->pages_out = words[REPLY_SUBMIT_PAGED_OUT];
    }
}

/* Entries `ring->count` .. `count` - 1, in order. */
static void see_ring(struct view *view, struct ring *ring, uint32_t count, uint32_t words,
                     void (*see)(struct view *view, const uint32_t *words, uint64_t cycle), uint64_t cycle)
{
    uint32_t entry[LIMIT_BITS_MESSAGE_WORDS];
    if (ring->base == 0 || count - ring->count > 1u << ring->log2) ring->count = count; /* not ours to follow */
    for (; ring->count != count; ring->count++) {
        uint32_t index = ring->count & field_mask(ring->log2);
        if (view->inner->memory_read(view->inner->context, ring->base + index * words * 4u, entry, words * 4u) == 0)
            see(view, entry, cycle);
    }
}

/* ------------------------------------------------------------------ the transport */

static void see_register(struct view *view, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case HOST_SUBMIT_BASE_OFFSET: view->submit = (struct ring){.base = value}; break;
    case HOST_SUBMIT_SIZE_OFFSET: view->submit.log2 = value & 15u; break;
    case HOST_COMPLETE_BASE_OFFSET: view->complete = (struct ring){.base = value}; break;
    case HOST_COMPLETE_SIZE_OFFSET: view->complete.log2 = value & 15u; break;
    case HOST_COMPLETE_HEAD_OFFSET:
        see_ring(view, &view->complete, value, GPU_LIMIT(COMPLETION_WORDS), see_completion, now(view));
        break;
    default: break;
    }
}

/* The text of an error goes where the caller looks for it. */
static int pass(struct view *view, int result)
{
    if (result != TRANSPORT_OK) memcpy(view->outer->error, view->inner->error, sizeof view->outer->error);
    return result;
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    struct view *view = context;
    uint64_t begin = now(view);
    see_register(view, offset, value);
    if (offset != HOST_SUBMIT_TAIL_OFFSET)
        return pass(view, view->inner->register_write(view->inner->context, offset, value));
    see_ring(view, &view->submit, value, GPU_LIMIT(MESSAGE_WORDS), see_message, begin);
    int result = view->inner->register_write(view->inner->context, offset, value);
    uint64_t end = now(view);
    if (begin != view->rung || begin == 0) /* where time stands still, one span for all */
        timeline_span(view->timeline, track, begin, end > begin ? end : begin + 1u, "doorbell", NULL);
    view->rung = begin;
    return pass(view, result);
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct view *view = context;
    return pass(view, view->inner->register_read(view->inner->context, offset, value));
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct view *view = context;
    return pass(view, view->inner->memory_read(view->inner->context, address, data, bytes));
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct view *view = context;
    draws_host_write(view->draws, address, data, bytes);
    return pass(view, view->inner->memory_write(view->inner->context, address, data, bytes));
}

static int wait_cycles(void *context, uint32_t cycles)
{
    struct view *view = context;
    return pass(view, view->inner->wait(view->inner->context, cycles));
}

static uint64_t cycles(void *context)
{
    struct view *view = context;
    return view->inner->cycles(view->inner->context);
}

static int take_pages(void *context, uint32_t count, uint32_t *first)
{
    struct view *view = context;
    return pass(view, view->inner->take_pages(view->inner->context, count, first));
}

static void give_pages(void *context, uint32_t first)
{
    struct view *view = context;
    view->inner->give_pages(view->inner->context, first);
}

static void close_inner(void *context)
{
    struct view *view = context;
    view->inner->close(view->inner->context);
}

void view_watch(struct view *view, struct transport *inner, struct transport *watched)
{
    *watched = *inner;
    if (view == NULL) return;
    view->inner = inner;
    view->outer = watched;
    watched->context = view;
    watched->register_read = register_read;
    watched->register_write = register_write;
    watched->memory_read = memory_read;
    watched->memory_write = memory_write;
    watched->wait = wait_cycles;
    watched->cycles = inner->cycles != NULL ? cycles : NULL;
    watched->close = close_inner;
    if (inner->take_pages != NULL) watched->take_pages = take_pages;
    if (inner->give_pages != NULL) watched->give_pages = give_pages;
}
