/* SPDX-License-Identifier: Apache-2.0
 *
 * The writer of submissions and the allocation table of the bench: see job_bench.h.
 */
#include "job_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint32_t bench_pages[BENCH_ALLOCATIONS] = {1, 2, 4, 16, 1, 1, 1, 0xffff};
/* All are client 0's. */
#define ENTRY(states) \
    { \
        .flags = ALLOCATION_EXISTS | (states), .generation = BENCH_GENERATION \
    }
static struct allocation entries[BENCH_ALLOCATIONS + 1] = {
    [BENCH_A] = ENTRY(0),
    [BENCH_B] = ENTRY(0),
    [BENCH_C] = ENTRY(0),
    [BENCH_D] = ENTRY(0),
    [BENCH_LOCKED] = ENTRY(ALLOCATION_LOCKED),
    [BENCH_OFFERED] = {.flags = ALLOCATION_EXISTS, .generation = BENCH_GENERATION, .offer = 1},
    [BENCH_LOST] = ENTRY(ALLOCATION_LOST),
    [BENCH_HUGE] = ENTRY(0),
    [BENCH_ALLOCATIONS] = ENTRY(0), /* after the table */
};
#undef ENTRY
struct allocation_table bench_table = {.entry = entries, .limit = BENCH_ALLOCATIONS};

/* ------------------------------------------------------------------ the allocation table, as far as jobs see it */

uint32_t bench_handle(enum bench_allocation index) { return BENCH_HANDLE + (uint32_t)index; }
uint32_t bench_bytes(enum bench_allocation index) { return bench_pages[index] * GPU_LIMIT(PAGE_BYTES); }

bool allocation_find(const struct allocation_table *table, uint32_t handle, uint32_t *index)
{
    if (table != &bench_table || handle < BENCH_HANDLE || handle >= BENCH_HANDLE + BENCH_ALLOCATIONS) return false;
    *index = handle - BENCH_HANDLE;
    return true;
}

/* Everybody here is client 0. */
uint32_t rights_find(const struct right_table *rights, uint32_t index, uint32_t client)
{
    (void)rights;
    bench_offence("a right of a client was asked for", client * ALLOCATION_MAXIMUM + index);
    return 0;
}

uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index)
{
    if (table != &bench_table || index >= BENCH_ALLOCATIONS)
        bench_offence("an allocation that does not exist was asked for", index);
    return bench_bytes((enum bench_allocation)index);
}

bool allocation_is_locked(const struct allocation_table *table, uint32_t index)
{
    return table == &bench_table && index == BENCH_LOCKED;
}

bool allocation_is_offered(const struct allocation_table *table, uint32_t index)
{
    return table == &bench_table && index == BENCH_OFFERED;
}

bool allocation_is_lost(const struct allocation_table *table, uint32_t index)
{
    return table == &bench_table && index == BENCH_LOST;
}

/* ------------------------------------------------------------------ writing a submission */

void submission_begin(struct submission *s)
{
    s->dma_words = s->list_count = s->patch_count = 0;
    memset(s->message, 0, sizeof s->message);
}

uint32_t submission_list(struct submission *s, uint32_t handle, bool is_written)
{
    uint32_t *entry = &s->list[s->list_count * LIMIT_BITS_LIST_ENTRY_WORDS];
    if (s->list_count >= LIST_LIMIT) bench_offence("the test's allocation list is full", s->list_count);
    entry[LIST_HANDLE] = handle;
    entry[LIST_FLAGS] = is_written ? LIST_FLAG_WRITE : 0;
    return s->list_count++;
}

void submission_word(struct submission *s, uint32_t word)
{
    if (s->dma_words >= DMA_WORD_LIMIT) bench_offence("the test's DMA buffer is full", s->dma_words);
    s->dma[s->dma_words++] = word;
}

/* An address word with noise in it, and the patch entry that covers it. */
static void put_address(struct submission *s, uint32_t packet, struct reference reference)
{
    uint32_t *entry = &s->patches[s->patch_count * LIMIT_BITS_PATCH_ENTRY_WORDS];
    if (s->patch_count >= PATCH_LIMIT) bench_offence("the test's patch list is full", s->patch_count);
    entry[PATCH_ALLOCATION_INDEX] = reference.list_index;
    entry[PATCH_SLOT_ID] = reference.slot;
    entry[PATCH_DRIVER_ID] = 0xd1d1d1d1u;
    entry[PATCH_ALLOCATION_OFFSET] = reference.offset;
    entry[PATCH_PATCH_OFFSET] = s->dma_words * 4u;
    entry[PATCH_SPLIT_OFFSET] = reference.split_offset == SPLIT_HERE ? packet : reference.split_offset;
    s->patch_count++;
    submission_word(s, 0xadd7e550u + s->patch_count);
}

uint32_t submission_nop(struct submission *s)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_NOP);
    return packet;
}

uint32_t submission_copy(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                         uint32_t bytes)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_COPY | flags);
    put_address(s, packet, source);
    put_address(s, packet, target);
    submission_word(s, bytes);
    return packet;
}

uint32_t submission_fill(struct submission *s, struct reference target, uint32_t bytes, uint32_t pattern)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_FILL);
    put_address(s, packet, target);
    submission_word(s, bytes);
    submission_word(s, pattern);
    return packet;
}

uint32_t submission_palette(struct submission *s, struct reference source)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_PALETTE);
    put_address(s, packet, source);
    return packet;
}

uint32_t submission_copy_2d(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                            uint32_t row_bytes, uint32_t rows, uint32_t source_pitch, uint32_t target_pitch)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_COPY_2D | flags);
    put_address(s, packet, source);
    put_address(s, packet, target);
    submission_word(s, FIELD_PUT(row_bytes, PKT_COPY_2D_ROW_BYTES) | FIELD_PUT(rows, PKT_COPY_2D_ROWS));
    submission_word(s, FIELD_PUT(source_pitch, PKT_COPY_2D_SOURCE_PITCH) |
                           FIELD_PUT(target_pitch, PKT_COPY_2D_TARGET_PITCH));
    return packet;
}

uint32_t submission_tile(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                         uint32_t row_bytes, uint32_t rows, uint32_t pitch)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_TILE | flags);
    put_address(s, packet, source);
    put_address(s, packet, target);
    submission_word(s, FIELD_PUT(row_bytes, PKT_TILE_ROW_BYTES) | FIELD_PUT(rows, PKT_TILE_ROWS));
    submission_word(s, FIELD_PUT(pitch, PKT_TILE_PITCH));
    return packet;
}

uint32_t submission_bind(struct submission *s, struct reference surface, uint32_t format, uint32_t pitch,
                         uint32_t bytes)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_BIND | FIELD_PUT(surface.slot, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT));
    put_address(s, packet, surface);
    submission_word(s, FIELD_PUT(pitch, PKT_BIND_PITCH));
    submission_word(s, bytes);
    return packet;
}

uint32_t submission_fill_rect(struct submission *s, uint32_t slot, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, uint32_t colour)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_FILL_RECT | FIELD_PUT(slot, PKT_FILL_RECT_TARGET));
    submission_word(s, FIELD_PUT(x, PKT_FILL_RECT_X) | FIELD_PUT(y, PKT_FILL_RECT_Y));
    submission_word(s, FIELD_PUT(width, PKT_FILL_RECT_WIDTH) | FIELD_PUT(height, PKT_FILL_RECT_HEIGHT));
    submission_word(s, colour);
    return packet;
}

uint32_t submission_blit(struct submission *s, struct blit blit)
{
    uint32_t packet = s->dma_words * 4u;
    submission_word(s, PKT_BLIT | blit.flags | FIELD_PUT(blit.target, PKT_BLIT_TARGET) |
                           FIELD_PUT(blit.source, PKT_BLIT_SOURCE) | FIELD_PUT(blit.mode, PKT_BLIT_MODE));
    submission_word(s, FIELD_PUT(blit.target_x, PKT_BLIT_TARGET_X) | FIELD_PUT(blit.target_y, PKT_BLIT_TARGET_Y));
    submission_word(s, FIELD_PUT(blit.source_x, PKT_BLIT_SOURCE_X) | FIELD_PUT(blit.source_y, PKT_BLIT_SOURCE_Y));
    submission_word(s, FIELD_PUT(blit.width, PKT_BLIT_WIDTH) | FIELD_PUT(blit.height, PKT_BLIT_HEIGHT));
    submission_word(s, blit.value);
    submission_word(s, FIELD_PUT(blit.rop, PKT_BLIT_ROP));
    return packet;
}

uint32_t submission_affine(struct submission *s, const struct affine *affine)
{
    const uint32_t packet = submission_blit(s, affine->blit);
    s->dma[packet / 4u] ^= (uint32_t)PKT_BLIT ^ (uint32_t)PKT_BLIT_AFFINE; /* the same fields in the same places */
    submission_word(s, FIELD_PUT(affine->columns, PKT_BLIT_AFFINE_SOURCE_WIDTH) |
                           FIELD_PUT(affine->rows, PKT_BLIT_AFFINE_SOURCE_HEIGHT));
    for (uint32_t i = 0; i < 6; i++) submission_word(s, affine->map[i]);
    return packet;
}

uint32_t *submission_patch(struct submission *s, uint32_t index, enum gpu_patch_entry word)
{
    return &s->patches[index * LIMIT_BITS_PATCH_ENTRY_WORDS + (uint32_t)word];
}

void submission_end(struct submission *s)
{
    s->message[0] = MSG_SUBMIT;
    s->message[1] = 0x7a6;
    s->message[MSG_SUBMIT_CONTEXT] = 1;
    s->message[MSG_SUBMIT_DMA] = BENCH_DMA_ADDRESS;
    s->message[MSG_SUBMIT_DMA_BYTES] = s->dma_words * 4u;
    s->message[MSG_SUBMIT_LIST] = BENCH_LIST_ADDRESS;
    s->message[MSG_SUBMIT_LIST_COUNT] = s->list_count;
    s->message[MSG_SUBMIT_PATCHES] = BENCH_PATCH_ADDRESS;
    s->message[MSG_SUBMIT_PATCH_COUNT] = s->patch_count;
}
