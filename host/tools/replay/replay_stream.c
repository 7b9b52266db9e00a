/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a job, step by step: the binds of the step's group, then its drawings.
 *
 * Which drawings: one for every allocation that the group binds (these are certain to be made), then, while
 * the DMA buffer has room, the last look at temporaries that die here, and some of what stays bound from
 * earlier steps, chosen at random, so that an allocation taken away too early is missed. The step's bytes
 * (time * work) are then shared out among them, none beyond its surface.
 */
#include "tools/replay/replay_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BIND_BYTES = 4 * PKT_BIND_WORDS,
    DRAW_BYTES_MAX = 4 * PKT_BLIT_WORDS,
    DMA_BYTES = LIMIT_BITS_DMA_BYTES,
    PATCH_LIMIT = LIMIT_BITS_LIST_ENTRIES,
    USUAL_BYTES = 12288,  /* what is not certain stays below this: several buffers shall fit command RAM */
    LOOKS_PER_STEP = 3,   /* at what was bound earlier */
    REPEATS_PER_STEP = 4, /* when the surfaces are too small for the step's time */
    DRAWS_PER_STEP = PAGESIM_SLOTS * 2 + LOOKS_PER_STEP + REPEATS_PER_STEP,
    DRAW_BYTES_MIN = 64
};
#define ROP_XOR 0x66u

/* A drawing without its place. */
struct sketch {
    enum draw_kind kind;
    uint32_t target, source;
    uint32_t number; /* among those of the step, as they were made */
    uint64_t limit;  /* bytes of the smaller surface */
    uint64_t bytes;
};

struct builder {
    const struct stream_setup *setup;
    const struct pagesim *workload;
    struct tessera_stream *stream;
    struct stream_job *job;
    uint32_t table[PAGESIM_SLOTS]; /* allocation per slot */
    uint8_t *is_pending;           /* surfaces written since the last barrier */
    uint32_t draw_count, draw_room;
    uint32_t spare_bytes; /* of the DMA buffer, beyond what is certain */
    uint32_t random;
    bool is_out_of_memory;
    struct sketch sketches[DRAWS_PER_STEP];
    uint32_t sketch_count;
};

static uint32_t random_below(struct builder *builder, uint32_t limit)
{
    builder->random ^= builder->random << 13;
    builder->random ^= builder->random >> 17;
    builder->random ^= builder->random << 5;
    return builder->random % limit;
}

static uint32_t collector(const struct builder *builder) { return builder->workload->allocation_count; }

static bool has_collector(const struct builder *builder)
{
    return builder->setup->collector_slot != STREAM_NO_COLLECTOR;
}

static uint32_t surface_pages(const struct builder *builder, uint32_t surface)
{
    return surface == collector(builder) ? builder->setup->collector_pages
                                         : builder->workload->allocations[surface].pages;
}

static const struct pagesim_member *members_of(const struct builder *builder, const struct pagesim_step *step)
{
    return builder->workload->members + step->first_member;
}

/* ------------------------------------------------------------------ packets */

static void emit_bind(struct builder *builder, uint32_t slot, uint32_t surface, bool is_written, uint32_t split)
{
    uint32_t words[PKT_BIND_WORDS] = {PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT), 0, 0, 0};
    uint32_t entry[LIMIT_BITS_PATCH_ENTRY_WORDS] = {0};
    struct tessera_allocation *allocation = surface != PAGESIM_NULL ? builder->setup->allocations[surface] : NULL;
    if (allocation != NULL) {
        words[0] |= FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
        words[PKT_BIND_PITCH_WORD] = FIELD_PUT(ORACLE_PITCH, PKT_BIND_PITCH);
        words[PKT_BIND_BYTES_WORD] = surface_pages(builder, surface) * (uint32_t)PAGESIM_PAGE_BYTES;
    }
    int status = tessera_stream_list(builder->stream, allocation, is_written, &entry[PATCH_ALLOCATION_INDEX]);
    entry[PATCH_SLOT_ID] = slot;
    entry[PATCH_PATCH_OFFSET] = tessera_stream_bytes(builder->stream) + 4u * PKT_BIND_ADDRESS_WORD;
    entry[PATCH_SPLIT_OFFSET] = split;
    if (status == TESSERA_OK) status = tessera_stream_patch(builder->stream, entry);
    uint32_t at = tessera_stream_bytes(builder->stream) / 4u;
    if (status == TESSERA_OK) status = tessera_stream_raw(builder->stream, words, PKT_BIND_WORDS);
    if (status != TESSERA_OK) builder->is_out_of_memory = true; /* cannot be: the room was counted */
    else memcpy(builder->job->words + at, words, sizeof words);
    builder->job->patch_count++;
}

static uint32_t slot_of(const struct builder *builder, uint32_t surface)
{
    uint32_t slot = 0;
    if (surface == collector(builder)) return (uint32_t)builder->setup->collector_slot;
    while (slot + 1u < PAGESIM_SLOTS && builder->table[slot] != surface) slot++;
    return slot;
}

/* Must the packet wait for the node's earlier writes? Reading what has been written since the last barrier. */
static bool take_barrier(struct builder *builder, const struct draw *draw)
{
    bool is_needed = (draw->kind != DRAW_FILL && builder->is_pending[draw->source]) ||
                     (draw->kind == DRAW_XOR && builder->is_pending[draw->target]);
    if (is_needed) memset(builder->is_pending, 0, builder->workload->allocation_count + 1u);
    builder->is_pending[draw->target] = 1;
    return is_needed;
}

static void emit_draw(struct builder *builder, const struct draw *draw)
{
    uint32_t words[PKT_BLIT_WORDS] = {0}, count, at = tessera_stream_bytes(builder->stream) / 4u;
    bool is_barrier = take_barrier(builder, draw);
    if (draw->kind == DRAW_FILL) {
        count = PKT_FILL_RECT_WORDS;
        words[0] = PKT_FILL_RECT | FIELD_PUT(slot_of(builder, draw->target), PKT_FILL_RECT_TARGET);
        words[1] = FIELD_PUT(draw->target_x, PKT_FILL_RECT_X) | FIELD_PUT(draw->target_y, PKT_FILL_RECT_Y);
        words[2] = FIELD_PUT(draw->width, PKT_FILL_RECT_WIDTH) | FIELD_PUT(draw->height, PKT_FILL_RECT_HEIGHT);
        words[3] = draw->colour;
    } else {
        bool is_xor = draw->kind == DRAW_XOR;
        count = PKT_BLIT_WORDS;
        words[0] = PKT_BLIT | FIELD_PUT(slot_of(builder, draw->target), PKT_BLIT_TARGET) |
                   FIELD_PUT(slot_of(builder, draw->source), PKT_BLIT_SOURCE) |
                   FIELD_PUT(is_xor ? BLIT_ROP : BLIT_COPY, PKT_BLIT_MODE) | FIELD_PUT(is_barrier, PKT_BLIT_BARRIER);
        words[1] = FIELD_PUT(draw->target_x, PKT_BLIT_TARGET_X) | FIELD_PUT(draw->target_y, PKT_BLIT_TARGET_Y);
        words[2] = FIELD_PUT(draw->source_x, PKT_BLIT_SOURCE_X) | FIELD_PUT(draw->source_y, PKT_BLIT_SOURCE_Y);
        words[3] = FIELD_PUT(draw->width, PKT_BLIT_WIDTH) | FIELD_PUT(draw->height, PKT_BLIT_HEIGHT);
        words[5] = is_xor ? ROP_XOR : 0;
    }
    if (tessera_stream_raw(builder->stream, words, count) != TESSERA_OK)
        builder->is_out_of_memory = true; /* cannot be: the room was counted */
    else memcpy(builder->job->words + at, words, count * sizeof *words);
}

/* ------------------------------------------------------------------ choosing drawings */

static void sketch(struct builder *builder, enum draw_kind kind, uint32_t target, uint32_t source)
{
    uint32_t pages = surface_pages(builder, target);
    if (builder->sketch_count == DRAWS_PER_STEP) return;
    if (kind != DRAW_FILL && surface_pages(builder, source) < pages) pages = surface_pages(builder, source);
    const uint32_t number = builder->sketch_count++;
    builder->sketches[number] = (struct sketch){.number = number,
                                                .kind = kind,
                                                .target = target,
                                                .source = source,
                                                .limit = (uint64_t)pages * PAGESIM_PAGE_BYTES};
}

/* A member other than `index` that the step writes (or only reads), at random; member_count if there is none. */
static uint32_t other_member(struct builder *builder, const struct pagesim_step *step, uint32_t index, bool is_written)
{
    const struct pagesim_member *members = members_of(builder, step);
    uint32_t start = random_below(builder, step->member_count);
    for (uint32_t i = 0; i < step->member_count; i++) {
        uint32_t other = (start + i) % step->member_count;
        if (other != index && members[other].is_written == is_written) return other;
    }
    return step->member_count;
}

/* Sketch something that reads or writes the member, as it may be. */
static bool sketch_member(struct builder *builder, const struct pagesim_step *step, uint32_t index)
{
    const struct pagesim_member *members = members_of(builder, step);
    uint32_t allocation = members[index].allocation;
    uint32_t partner = other_member(builder, step, index, !members[index].is_written);
    bool has_partner = partner < step->member_count;
    if (members[index].is_written && (!has_partner || random_below(builder, 3) != 0))
        sketch(builder, DRAW_FILL, allocation, allocation);
    else if (members[index].is_written) sketch(builder, DRAW_COPY, allocation, members[partner].allocation);
    else if (has_collector(builder) && (!has_partner || random_below(builder, 2) != 0))
        sketch(builder, DRAW_XOR, collector(builder), allocation);
    else if (has_partner) sketch(builder, DRAW_COPY, members[partner].allocation, allocation);
    else return false;
    return true;
}

static bool is_bound_here(const struct builder *builder, const struct pagesim_step *step, uint32_t allocation)
{
    const struct pagesim_patch *patches = builder->workload->patches + step->first_patch;
    bool is_resumed = step == &builder->workload->steps[builder->job->first_step];
    for (uint32_t i = 0; i < step->patch_count && !is_resumed; i++)
        if (patches[i].allocation == allocation) return true;
    return is_resumed;
}

static void choose_draws(struct builder *builder, uint32_t t, uint32_t allowance)
{
    const struct pagesim_step *step = &builder->workload->steps[t];
    const struct pagesim_member *members = members_of(builder, step);
    builder->sketch_count = 0;
    for (uint32_t i = 0; i < step->member_count; i++)
        if (is_bound_here(builder, step, members[i].allocation) && !sketch_member(builder, step, i))
            builder->job->unread++;
    for (uint32_t i = 0; i < step->member_count && allowance > 0 && has_collector(builder); i++) {
        const struct pagesim_allocation *allocation = &builder->workload->allocations[members[i].allocation];
        if (allocation->is_temporary && allocation->last_step == t) {
            sketch(builder, DRAW_XOR, collector(builder), members[i].allocation);
            allowance--;
        }
    }
    uint32_t start = step->member_count > 0 ? random_below(builder, step->member_count) : 0, looks = 0;
    for (uint32_t i = 0; i < step->member_count && allowance > 0 && looks < LOOKS_PER_STEP; i++) {
        uint32_t index = (start + i) % step->member_count;
        if (!is_bound_here(builder, step, members[index].allocation) && sketch_member(builder, step, index)) {
            allowance--;
            looks++;
        }
    }
}

static int compare_limits(const void *a, const void *b)
{
    const struct sketch *left = a, *right = b;
    if (left->limit != right->limit) return left->limit < right->limit ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number; /* the same with every library's qsort */
}

/* Give each sketch its bytes: equal shares, the small surfaces' rest to the larger ones; then repeat the
 * largest while there is something left. Returns how many repeats were added. */
static uint32_t share_out(struct builder *builder, uint64_t bytes, uint32_t allowance)
{
    uint32_t repeats = 0;
    qsort(builder->sketches, builder->sketch_count, sizeof *builder->sketches, compare_limits);
    for (uint32_t i = 0; i < builder->sketch_count; i++) {
        struct sketch *one = &builder->sketches[i];
        uint64_t share = bytes / (builder->sketch_count - i);
        one->bytes = share < one->limit ? share : one->limit;
        bytes -= one->bytes;
    }
    if (builder->sketch_count == 0) return 0;
    struct sketch largest = builder->sketches[builder->sketch_count - 1u];
    while (bytes >= DRAW_BYTES_MIN && repeats < allowance && repeats < REPEATS_PER_STEP &&
           builder->sketch_count < DRAWS_PER_STEP) {
        largest.bytes = bytes < largest.limit ? bytes : largest.limit;
        bytes -= largest.bytes;
        builder->sketches[builder->sketch_count++] = largest;
        repeats++;
    }
    return repeats;
}

/* A rectangle of about `bytes`: whole rows, or part of one. */
static struct draw place_draw(struct builder *builder, const struct sketch *one)
{
    uint32_t units = (uint32_t)((one->bytes < DRAW_BYTES_MIN ? DRAW_BYTES_MIN : one->bytes) / 4u);
    struct draw draw = {.kind = one->kind, .target = one->target, .source = one->source};
    draw.width = units < ORACLE_WIDTH ? units : ORACLE_WIDTH;
    draw.height = units < ORACLE_WIDTH ? 1u : units / ORACLE_WIDTH;
    uint32_t target_rows = surface_pages(builder, one->target) * ORACLE_PAGE_ROWS;
    uint32_t source_rows = surface_pages(builder, one->source) * ORACLE_PAGE_ROWS;
    draw.target_x = random_below(builder, ORACLE_WIDTH - draw.width + 1u);
    draw.source_x = random_below(builder, ORACLE_WIDTH - draw.width + 1u);
    draw.target_y = random_below(builder, target_rows - draw.height + 1u);
    draw.source_y = random_below(builder, source_rows - draw.height + 1u);
    draw.colour = builder->random;
    return draw;
}

static void emit_draws(struct builder *builder)
{
    struct stream_job *job = builder->job;
    if (builder->draw_room - builder->draw_count < DRAWS_PER_STEP) {
        struct draw *draws = realloc(job->draws, (builder->draw_room + 4u * DRAWS_PER_STEP) * sizeof *draws);
        if (draws == NULL) {
            builder->is_out_of_memory = true;
            return;
        }
        job->draws = draws;
        builder->draw_room += 4u * DRAWS_PER_STEP;
    }
    for (uint32_t i = 0; i < builder->sketch_count; i++) {
        struct draw draw = place_draw(builder, &builder->sketches[i]);
        emit_draw(builder, &draw);
        job->draws[builder->draw_count++] = draw;
        job->draw_bytes += (uint64_t)draw.width * draw.height * 4u;
    }
}

/* ------------------------------------------------------------------ steps */

/* The table before step t of its buffer. */
static void table_before(struct builder *builder, uint32_t t)
{
    const struct pagesim *workload = builder->workload;
    const struct pagesim_buffer *buffer = &workload->buffers[workload->steps[t].buffer];
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS; slot++) builder->table[slot] = PAGESIM_NULL;
    for (uint32_t i = buffer->first_patch; i < workload->steps[t].first_patch; i++)
        builder->table[workload->patches[i].slot] = workload->patches[i].allocation;
}

/* Does the buffer write the allocation anywhere? WriteOperation is a property of the whole buffer. */
static bool is_written_in_buffer(const struct pagesim *workload, uint32_t b, uint32_t allocation)
{
    const struct pagesim_buffer *buffer = &workload->buffers[b];
    for (uint32_t i = 0; i < buffer->patch_count; i++) {
        const struct pagesim_patch *patch = &workload->patches[buffer->first_patch + i];
        if (patch->allocation == allocation && patch->is_written) return true;
    }
    return false;
}

/* A later entry of the group programs the slot again: no step ever uses this one, and binding it all the same
 * would ask for memory that the workload does not. */
static bool is_overridden(const struct pagesim *workload, const struct pagesim_step *step, uint32_t index)
{
    const struct pagesim_patch *patches = workload->patches + step->first_patch;
    for (uint32_t i = index + 1u; i < step->patch_count; i++)
        if (patches[i].slot == patches[index].slot) return true;
    return false;
}

static void emit_binds(struct builder *builder, uint32_t t)
{
    const struct pagesim *workload = builder->workload;
    const struct pagesim_step *step = &workload->steps[t];
    bool is_first = t == builder->job->first_step;
    bool is_resumed = is_first && t != workload->buffers[step->buffer].first_step;
    uint32_t split = tessera_stream_bytes(builder->stream);
    if (is_first && has_collector(builder))
        emit_bind(builder, (uint32_t)builder->setup->collector_slot, collector(builder), true, split);
    for (uint32_t i = 0; i < step->patch_count; i++) {
        const struct pagesim_patch *patch = &workload->patches[step->first_patch + i];
        builder->table[patch->slot] = patch->allocation;
        if (!is_resumed && !is_overridden(workload, step, i))
            emit_bind(builder, patch->slot, patch->allocation, patch->is_written, split);
    }
    for (uint32_t slot = 0; slot < PAGESIM_SLOTS && is_resumed; slot++)
        if (builder->table[slot] != PAGESIM_NULL)
            emit_bind(builder, slot, builder->table[slot],
                      is_written_in_buffer(workload, step->buffer, builder->table[slot]), split);
}

/* How many steps from first_step the limits allow, and what they leave. */
static uint32_t count_steps(struct builder *builder, uint32_t first_step, uint32_t end_step)
{
    const struct pagesim *workload = builder->workload;
    const struct pagesim_buffer *buffer = &workload->buffers[workload->steps[first_step].buffer];
    uint32_t count = 0, bytes = BIND_BYTES, patches = 1; /* the collector's */
    if (first_step != buffer->first_step) {
        patches += PAGESIM_SLOTS; /* at most: the table that is bound again */
        bytes += PAGESIM_SLOTS * (BIND_BYTES + DRAW_BYTES_MAX);
    }
    builder->spare_bytes = 0;
    for (uint32_t t = first_step; t < end_step; t++, count++) {
        const struct pagesim_step *step = &workload->steps[t];
        patches += step->patch_count;
        bytes += step->patch_count * BIND_BYTES;
        for (uint32_t i = 0; i < step->patch_count; i++)
            bytes += workload->patches[step->first_patch + i].allocation != PAGESIM_NULL ? DRAW_BYTES_MAX : 0;
        if (patches > PATCH_LIMIT || bytes > DMA_BYTES) break;
        builder->spare_bytes = bytes < USUAL_BYTES ? USUAL_BYTES - bytes : 0;
    }
    return count;
}

static void build_step(struct builder *builder, uint32_t index)
{
    struct stream_job *job = builder->job;
    uint32_t t = job->first_step + index, steps_left = job->step_count - index;
    uint32_t allowance = builder->spare_bytes / steps_left / DRAW_BYTES_MAX;
    const struct pagesim_step *step = &builder->workload->steps[t];
    builder->random = (t * 2654435761u ^ (builder->setup->seed + 1u) * 0x9e3779b1u) | 1u;
    job->offsets[index] = tessera_stream_bytes(builder->stream);
    job->draw_first[index] = builder->draw_count;
    emit_binds(builder, t);
    choose_draws(builder, t, allowance);
    uint32_t certain = 0;
    for (uint32_t i = 0; i < step->member_count; i++)
        certain += is_bound_here(builder, step, members_of(builder, step)[i].allocation);
    uint32_t used = builder->sketch_count > certain ? builder->sketch_count - certain : 0;
    used += share_out(builder, (uint64_t)(step->time * builder->setup->work), allowance - used);
    builder->spare_bytes -= used * DRAW_BYTES_MAX;
    emit_draws(builder);
}

/* ------------------------------------------------------------------ public */

bool stream_build(const struct stream_setup *setup, uint32_t first_step, uint32_t end_step,
                  struct tessera_stream *stream, struct stream_job *job, char message[PAGESIM_MESSAGE])
{
    struct builder builder = {.setup = setup, .workload = setup->workload, .stream = stream, .job = job};
    uint32_t b = setup->workload->steps[first_step].buffer;
    *job = (struct stream_job){.buffer = b, .first_step = first_step};
    job->step_count = count_steps(&builder, first_step, end_step);
    if (job->step_count == 0) {
        snprintf(message, PAGESIM_MESSAGE,
                 "buffers[%u], offset %u: one step has more patch locations than a DMA "
                 "buffer can hold. Make two steps of it",
                 b, setup->workload->steps[first_step].start);
        return false;
    }
    job->offsets = calloc(job->step_count + 1u, sizeof *job->offsets);
    job->draw_first = calloc(job->step_count + 1u, sizeof *job->draw_first);
    job->words = calloc(DMA_BYTES / 4, sizeof *job->words);
    builder.is_pending = calloc(setup->workload->allocation_count + 1u, 1);
    builder.is_out_of_memory =
        job->offsets == NULL || job->draw_first == NULL || job->words == NULL || builder.is_pending == NULL;
    if (!builder.is_out_of_memory) {
        tessera_stream_clear(stream);
        table_before(&builder, first_step);
        for (uint32_t i = 0; i < job->step_count && !builder.is_out_of_memory; i++) build_step(&builder, i);
        job->offsets[job->step_count] = tessera_stream_bytes(stream);
        job->draw_first[job->step_count] = builder.draw_count;
    }
    free(builder.is_pending);
    if (!builder.is_out_of_memory) return true;
    stream_job_free(job);
    snprintf(message, PAGESIM_MESSAGE, "out of memory");
    return false;
}

void stream_job_free(struct stream_job *job)
{
    free(job->offsets);
    free(job->draw_first);
    free(job->draws);
    free(job->words);
    *job = (struct stream_job){0};
}
