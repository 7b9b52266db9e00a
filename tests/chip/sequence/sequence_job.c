/* SPDX-License-Identifier: Apache-2.0
 *
 * Random DMA buffers through the library's stream builder. The effect of each packet on the images is written
 * down from the packets' description in spec/gpu.def. Packets see an allocation as it lies in memory segments:
 * a swizzled one as tiles.
 * Split, clobbered and repatched they must have the effect they have unsplit: SPL-01, SPL-06, SPL-07, SPL-13,
 * SPL-18, SPL-28.
 */
#include <string.h>

#include "../system/paging_oracle.h"
#include "sequence.h"

enum { SLOTS = 3, PLACE = 40, OPERATIONS_MAX = 12, RECT = SEQUENCE_PITCH / 4 };

struct binding {
    struct tracked *tracked;
    uint32_t offset;
    bool is_target;
};

struct job {
    struct sequence *sequence;
    uint32_t context;
    struct binding binding[SLOTS];
};

/* ------------------------------------------------------------------ the GPU's view of an image */

static void to_gpu(const struct tracked *tracked, uint8_t view[SEQUENCE_BYTES_MAX])
{
    memcpy(view, tracked->image, tracked->bytes);
    if (tracked->is_swizzled) oracle_swizzle(tracked->image, view, SEQUENCE_PITCH, tracked->bytes / SEQUENCE_PITCH, 1);
}

static void from_gpu(struct tracked *tracked, const uint8_t view[SEQUENCE_BYTES_MAX])
{
    uint8_t place[SEQUENCE_BYTES_MAX / 4 * 4];
    if (!tracked->is_swizzled) {
        memcpy(tracked->image, view, tracked->bytes);
        return;
    }
    /* Where does each byte of the linear surface lie? Swizzle their numbers, low and high half. */
    static uint8_t low[SEQUENCE_BYTES_MAX], high[SEQUENCE_BYTES_MAX];
    for (uint32_t i = 0; i < tracked->bytes; i++) place[i] = (uint8_t)i;
    oracle_swizzle(place, low, SEQUENCE_PITCH, tracked->bytes / SEQUENCE_PITCH, 1);
    for (uint32_t i = 0; i < tracked->bytes; i++) place[i] = (uint8_t)(i >> 8);
    oracle_swizzle(place, high, SEQUENCE_PITCH, tracked->bytes / SEQUENCE_PITCH, 1);
    for (uint32_t i = 0; i < tracked->bytes; i++) tracked->image[low[i] | high[i] << 8] = view[i];
}

/* ------------------------------------------------------------------ operations */

static struct tracked *own(const struct job *job)
{
    struct sequence *sequence = job->sequence;
    return &sequence->tracked[job->context * SEQUENCE_PER_CONTEXT + sequence_pick(sequence, SEQUENCE_PER_CONTEXT)];
}

static struct tracked *readable(const struct job *job)
{
    struct sequence *sequence = job->sequence;
    uint32_t shared = SEQUENCE_CONTEXTS * SEQUENCE_PER_CONTEXT + sequence_pick(sequence, SEQUENCE_SHARED);
    return sequence_pick(sequence, 3) == 0 ? &sequence->tracked[shared] : own(job);
}

static bool is_usable(const struct tracked *tracked) { return tracked->allocation != NULL && !tracked->is_offered; }

static void copy(struct job *job)
{
    struct sequence *sequence = job->sequence;
    struct tracked *source = readable(job), *target = own(job);
    if (source == target || !is_usable(source) || !is_usable(target)) return;
    uint8_t from_view[SEQUENCE_BYTES_MAX], to_view[SEQUENCE_BYTES_MAX];
    uint32_t from = sequence_pick(sequence, source->bytes - 64), to = sequence_pick(sequence, target->bytes - 64);
    uint32_t room = source->bytes - from < target->bytes - to ? source->bytes - from : target->bytes - to;
    uint32_t bytes = 1 + sequence_pick(sequence, room);
    const struct tessera_place read = {source->allocation, from, PLACE}, write = {target->allocation, to, PLACE + 1};
    if (tessera_stream_copy(sequence->stream, &write, &read, bytes) != TESSERA_OK) return;
    to_gpu(source, from_view);
    to_gpu(target, to_view);
    memcpy(to_view + to, from_view + from, bytes);
    from_gpu(target, to_view);
}

static void fill(struct job *job)
{
    struct sequence *sequence = job->sequence;
    struct tracked *target = own(job);
    if (!is_usable(target)) return;
    uint8_t view[SEQUENCE_BYTES_MAX];
    uint32_t to = sequence_pick(sequence, target->bytes - 64), bytes = 1 + sequence_pick(sequence, target->bytes - to);
    uint32_t pattern = sequence_random(sequence);
    const struct tessera_place write = {target->allocation, to, PLACE + 2};
    if (tessera_stream_fill(sequence->stream, &write, bytes, pattern) != TESSERA_OK) return;
    to_gpu(target, view);
    for (uint32_t i = 0; i < bytes; i++) view[to + i] = (uint8_t)(pattern >> (i % 4 * 8));
    from_gpu(target, view);
}

static void bind(struct job *job, uint32_t slot)
{
    struct sequence *sequence = job->sequence;
    struct tracked *tracked = sequence_pick(sequence, 3) == 0 ? readable(job) : own(job);
    if (!is_usable(tracked)) return;
    uint32_t shared = SEQUENCE_CONTEXTS * SEQUENCE_PER_CONTEXT;
    struct binding binding = {tracked, sequence_pick(sequence, tracked->bytes / SEQUENCE_PAGE) * SEQUENCE_PAGE,
                              tracked < &sequence->tracked[shared]};
    const struct tessera_surface surface = {.allocation = tracked->allocation,
                                            .offset = binding.offset,
                                            .format = FORMAT_ARGB8888,
                                            .pitch = SEQUENCE_PITCH,
                                            .bytes = SEQUENCE_PAGE,
                                            .is_target = binding.is_target};
    if (tessera_stream_bind(sequence->stream, slot, &surface) == TESSERA_OK) job->binding[slot] = binding;
}

static void unbind(struct job *job, uint32_t slot)
{
    if (job->binding[slot].tracked == NULL) return;
    if (tessera_stream_unbind(job->sequence->stream, slot) == TESSERA_OK) job->binding[slot].tracked = NULL;
}

static void fill_rect(struct job *job, uint32_t slot)
{
    struct sequence *sequence = job->sequence;
    struct binding *binding = &job->binding[slot];
    if (binding->tracked == NULL || !binding->is_target) return;
    uint8_t view[SEQUENCE_BYTES_MAX];
    uint32_t x = sequence_pick(sequence, RECT), y = sequence_pick(sequence, SEQUENCE_ROWS);
    uint32_t width = 1 + sequence_pick(sequence, RECT - x), height = 1 + sequence_pick(sequence, SEQUENCE_ROWS - y);
    uint32_t colour = sequence_random(sequence);
    if (tessera_stream_fill_rect(sequence->stream, slot, x, y, width, height, colour) != TESSERA_OK) return;
    to_gpu(binding->tracked, view);
    for (uint32_t row = y; row < y + height; row++)
        for (uint32_t column = x; column < x + width; column++)
            memcpy(view + binding->offset + row * SEQUENCE_PITCH + column * 4, &colour, 4);
    from_gpu(binding->tracked, view);
}

static uint32_t rop3(uint32_t rop, uint32_t pattern, uint32_t source, uint32_t target)
{
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        uint32_t index = 4 * (pattern >> bit & 1) + 2 * (source >> bit & 1) + (target >> bit & 1);
        result |= (rop >> index & 1) << bit;
    }
    return result;
}

/* COPY, KEY and ROP between different places; equal formats. */
static void blit(struct job *job, uint32_t target_slot, uint32_t source_slot)
{
    static const uint32_t modes[] = {BLIT_COPY, BLIT_KEY, BLIT_ROP};
    struct sequence *sequence = job->sequence;
    struct binding *target = &job->binding[target_slot], *source = &job->binding[source_slot];
    if (target->tracked == NULL || source->tracked == NULL || !target->is_target) return;
    if (target->tracked == source->tracked && target->offset == source->offset) return;
    uint8_t from[SEQUENCE_BYTES_MAX], to[SEQUENCE_BYTES_MAX];
    uint32_t width = 1 + sequence_pick(sequence, RECT), height = 1 + sequence_pick(sequence, SEQUENCE_ROWS);
    struct tessera_blit packet = {.target = target_slot,
                                  .source = source_slot,
                                  .mode = modes[sequence_pick(sequence, 3)],
                                  .target_x = sequence_pick(sequence, RECT - width + 1),
                                  .target_y = sequence_pick(sequence, SEQUENCE_ROWS - height + 1),
                                  .source_x = sequence_pick(sequence, RECT - width + 1),
                                  .source_y = sequence_pick(sequence, SEQUENCE_ROWS - height + 1),
                                  .width = width,
                                  .height = height,
                                  .value = sequence_random(sequence),
                                  .is_alpha_zero = true};
    if (packet.mode == BLIT_ROP) packet.rop = sequence_pick(sequence, 256);
    to_gpu(source->tracked, from);
    if (packet.mode == BLIT_KEY) /* a key that occurs */
        memcpy(&packet.value, from + source->offset + packet.source_y * SEQUENCE_PITCH + packet.source_x * 4, 4);
    if (tessera_stream_blit(sequence->stream, &packet) != TESSERA_OK) return;
    to_gpu(target->tracked, to);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t pixel, old;
            uint8_t *place = to + target->offset + (packet.target_y + y) * SEQUENCE_PITCH + (packet.target_x + x) * 4;
            uint32_t at = source->offset + (packet.source_y + y) * SEQUENCE_PITCH + (packet.source_x + x) * 4;
            memcpy(&pixel, from + at, 4);
            memcpy(&old, place, 4);
            if (packet.mode == BLIT_KEY && pixel == packet.value) continue;
            if (packet.mode == BLIT_ROP) pixel = rop3(packet.rop, packet.value, pixel, old);
            memcpy(place, &pixel, 4);
        }
    from_gpu(target->tracked, to);
}

void sequence_build_job(struct sequence *sequence, uint32_t context)
{
    struct job job = {.sequence = sequence, .context = context};
    uint32_t operations = 1 + sequence_pick(sequence, OPERATIONS_MAX);
    for (uint32_t i = 0; i < operations; i++) {
        uint32_t slot = sequence_pick(sequence, SLOTS);
        switch (sequence_pick(sequence, 10)) {
        case 0:
        case 1:
        case 2: copy(&job); break;
        case 3: fill(&job); break;
        case 4:
        case 5: bind(&job, slot); break;
        case 6: unbind(&job, slot); break;
        case 7: fill_rect(&job, slot); break;
        default: blit(&job, slot, (slot + 1 + sequence_pick(sequence, SLOTS - 1)) % SLOTS); break;
        }
    }
}
