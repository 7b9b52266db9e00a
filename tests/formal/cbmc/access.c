/* SPDX-License-Identifier: Apache-2.0
 * One packet of any words, against any rows, bindings and patch entries: what is accepted lies inside.
 * all: --unwind 8 --unwindset access_begin.0:65 --unsigned-overflow-check
 * cbmc: -DPACKET=check_copy -DOPCODE=PKT_COPY
 * cbmc: -DPACKET=check_fill -DOPCODE=PKT_FILL
 * cbmc: -DPACKET=check_copy_2d -DOPCODE=PKT_COPY_2D
 * cbmc: -DPACKET=check_tile -DOPCODE=PKT_TILE
 * cbmc: -DPACKET=check_palette -DOPCODE=PKT_PALETTE
 * cbmc: -DDRAWS -DPACKET=check_bind -DOPCODE=PKT_BIND
 * cbmc: -DDRAWS -DPACKET=check_fill_rect -DOPCODE=PKT_FILL_RECT
 * cbmc: -DDRAWS -DPACKET=check_blit -DOPCODE=PKT_BLIT
 */
#include "cbmc.h"
#include "validate/access.c"

enum { ENTRIES = 2, PAGES = 4096 };

static struct patch patches[ENTRIES];
static uint32_t pages_of[ENTRIES]; /* of the allocation that the entry names: one each */

uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index)
{
    (void)table;
    PROVE(index < ENTRIES);
    return pages_of[index] * (uint32_t)PAGE_BYTES;
}

static struct access_state state;
static struct job job;

/* As earlier packets can have left a binding. */
static void any_binding(uint32_t slot)
{
    struct access_binding *binding = &state.binding[slot];
    binding->bytes = nondet_u32(), binding->pitch = nondet_u16(), binding->split_word = nondet_u16();
    binding->flags = nondet_u8(), binding->format = nondet_u8();
    binding->entry = nondet_bool() ? (uint16_t)ACCESS_NOTHING : nondet_u16();
    ASSUME(binding->entry == ACCESS_NOTHING || binding->entry < job.patch_count);
    ASSUME(is_format(binding->format));
    binding->unit_bytes = (uint8_t)unit_bytes(binding->format);
    binding->depth = (uint8_t)depth_of(binding->format);
    ASSUME(binding->bytes <= PAGES * (uint32_t)PAGE_BYTES);
}

int main(void)
{
    uint32_t words[6];
    struct refusal why;
    job.patches = patches;
    job.patch_count = nondet_u16();
    ASSUME(job.patch_count <= ENTRIES);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        pages_of[i] = nondet_u32();
        ASSUME(pages_of[i] >= 1u && pages_of[i] <= PAGES);
        patches[i].offset = nondet_u32();
        patches[i].slot = nondet_u8();
        patches[i].split_word = nondet_u16();
        patches[i].flags = nondet_u8();
        patches[i].allocation = nondet_bool() ? (uint16_t)PATCH_NULL : (uint16_t)i;
        ASSUME(patches[i].slot < 2u); /* two rows stand for all */
    }
    access_begin(&state, NULL, &job);
    for (uint32_t i = 0; i < 6u; i++) words[i] = nondet_u32();
    /* Address words hold their entries, and word 0 is of this packet: validate.c has seen to both. */
    const uint32_t opcode = OPCODE;
    if (OPCODE != PKT_FILL_RECT && OPCODE != PKT_BLIT) ASSUME(words[1] < job.patch_count);
    if (OPCODE == PKT_COPY || OPCODE == PKT_COPY_2D || OPCODE == PKT_TILE) ASSUME(words[2] < job.patch_count);
    const uint32_t first = FIELD_GET(words[0], PKT_BLIT_SOURCE), second = FIELD_GET(words[0], PKT_BLIT_TARGET);
#ifdef DRAWS
    ASSUME(first < 2u && second < 2u);
    any_binding(0);
    any_binding(1);
#endif
    for (uint32_t slot = 0; slot < 2u; slot++) {
        state.row[slot] = nondet_u16();
        ASSUME(state.row[slot] == ACCESS_NOTHING || state.row[slot] < job.patch_count);
    }
    state.palette_split = nondet_u32();
    state.work = nondet_u32(), state.split_word = nondet_u32(), state.entries_begun = nondet_u16();
    ASSUME(state.work <= GPU_LIMIT(DMA_WORK_BYTES) && state.entries_begun <= job.patch_count);
    state.next_split_word = split_of(&job, state.entries_begun);
    const uint32_t position = nondet_u32();
    ASSUME(position < LIMIT_BITS_DMA_BYTES_MAX / 4);
    state.position = position;
    state.words = words;
    state.why = &why;
    if (!PACKET(&state)) {
        PROVE(why.status != STATUS_OK);
        return 0;
    }
    PROVE(opcode == PKT_BIND || state.work <= GPU_LIMIT(DMA_WORK_BYTES));
    if (opcode == PKT_PALETTE) {
        const struct patch *source = &patches[words[1]];
        PROVE(source->offset % 256u == 0u);
        PROVE((uint64_t)source->offset + GPU_LIMIT(PALETTE_BYTES) <= (uint64_t)pages_of[words[1]] * PAGE_BYTES);
        PROVE(state.palette_split == state.split_word);
    }
    if (opcode == PKT_BLIT && state.binding[first].format == FORMAT_INDEX8 &&
        state.binding[second].format != FORMAT_INDEX8)
        PROVE(state.palette_split == state.split_word);
    if (opcode == PKT_BIND) {
        const struct access_binding *bound = &state.binding[FIELD_GET(words[0], PKT_BIND_SLOT)];
        PROVE(bound->entry == ACCESS_NOTHING || is_format(bound->format));
    }
    if (opcode == PKT_BLIT || opcode == PKT_FILL_RECT) PROVE(state.binding[second].depth == 0);
    if (opcode == PKT_BLIT && FIELD_GET(words[3], PKT_BLIT_WIDTH) != 0 && FIELD_GET(words[3], PKT_BLIT_HEIGHT) != 0 &&
        state.binding[first].depth != 0) {
        /* The last unit's last bit lies in the bytes bound. */
        const uint64_t rows = FIELD_GET(words[2], PKT_BLIT_SOURCE_Y) + FIELD_GET(words[3], PKT_BLIT_HEIGHT) - 1u;
        const uint64_t units = rows * state.binding[first].pitch + FIELD_GET(words[2], PKT_BLIT_SOURCE_X) +
                               FIELD_GET(words[3], PKT_BLIT_WIDTH);
        PROVE(units * (8u >> state.binding[first].depth) <= (uint64_t)state.binding[first].bytes * 8u);
    }
    if (opcode == PKT_COPY) {
        const struct patch *source = &patches[words[1]], *target = &patches[words[2]];
        PROVE((uint64_t)source->offset + words[3] <= (uint64_t)pages_of[words[1]] * PAGE_BYTES);
        PROVE((uint64_t)target->offset + words[3] <= (uint64_t)pages_of[words[2]] * PAGE_BYTES);
        PROVE((target->flags & PATCH_WRITE) != 0u && target->is_written);
    }
    return 0;
}
