/* SPDX-License-Identifier: Apache-2.0
 *
 * A bench for what happens to a job between the host's rings and the engine: system memory, command RAM and
 * an allocation table small enough to see through, a writer for DMA buffers with their two lists, and a
 * stand-in for the hardware door (hal.h) that is stricter than the hardware:
 *   - every word of system memory may be read once per submission, and is overwritten with noise by the
 *     read, so code that looks at the host's memory twice is caught or gets a different answer;
 *   - command RAM may be touched only where the job's own words lie.
 */
#ifndef TESTS_JOB_BENCH_H
#define TESTS_JOB_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "validate/validate.h"

enum {
    BENCH_SYSTEM_BYTES = 256 * 1024,
    BENCH_COMMAND_BYTES = 128 * 1024,
    BENCH_DMA_OFFSET = 0x8000,  /* of the job in command RAM */
    BENCH_DMA_ADDRESS = 0x1000, /* where submissions lie in system memory */
    BENCH_LIST_ADDRESS = 0xa000,
    BENCH_PATCH_ADDRESS = 0xd000,
    BENCH_CONTEXT = 5
};
enum { LIST_LIMIT = LIST_DEFAULT, PATCH_LIMIT = LIST_DEFAULT, DMA_WORD_LIMIT = DMA_BYTES_DEFAULT / 4 };

/* Allocations of the bench: index = position, handle = bench_handle(index). */
enum bench_allocation {
    BENCH_A,
    BENCH_B,
    BENCH_C,
    BENCH_D,
    BENCH_LOCKED,
    BENCH_OFFERED,
    BENCH_LOST,
    BENCH_HUGE,
    BENCH_ALLOCATIONS
};
/* The first one's; those of the others follow it. */
enum {
    BENCH_GENERATION = 0x42,
    BENCH_HANDLE = 1 << (HANDLE_INDEX_BITS + HANDLE_GENERATION_BITS) | BENCH_GENERATION << HANDLE_INDEX_BITS
};
extern const uint32_t bench_pages[BENCH_ALLOCATIONS];
uint32_t bench_handle(enum bench_allocation index);
uint32_t bench_bytes(enum bench_allocation index);

extern uint32_t bench_system[BENCH_SYSTEM_BYTES / 4];
extern uint32_t bench_command[BENCH_COMMAND_BYTES / 4];
extern struct allocation_table bench_table;

void bench_reset(void);
void bench_leave_out(uint32_t features); /* of what is submitted from now on, fields of MEMORY.FEATURES */
_Noreturn void bench_offence(const char *rule, uint32_t value);

/* A submission as the host writes it. */
struct submission {
    uint32_t dma[DMA_WORD_LIMIT];
    uint32_t list[LIST_LIMIT * LIMIT_BITS_LIST_ENTRY_WORDS];
    uint32_t patches[PATCH_LIMIT * LIMIT_BITS_PATCH_ENTRY_WORDS];
    uint32_t dma_words, list_count, patch_count;
    uint32_t message[MESSAGE_WORDS];
};

/* An address word: which list entry, which row, and where the buffer may be split before it. */
struct reference {
    uint32_t list_index, slot, offset, split_offset;
};
#define SPLIT_HERE 0xfffffffcu /* as split_offset: the packet's own offset */

/* The usual one: split offset at the packet itself. */
static inline struct reference at(uint32_t list_index, uint32_t slot, uint32_t offset)
{
    return (struct reference){list_index, slot, offset, SPLIT_HERE};
}

void submission_begin(struct submission *s);
uint32_t submission_list(struct submission *s, uint32_t handle, bool is_written);
void submission_word(struct submission *s, uint32_t word);

/* Packets. Each returns the byte offset of its word 0. `flags` is OR-ed into word 0. */
uint32_t submission_nop(struct submission *s);
uint32_t submission_copy(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                         uint32_t bytes);
uint32_t submission_fill(struct submission *s, struct reference target, uint32_t bytes, uint32_t pattern);
uint32_t submission_palette(struct submission *s, struct reference source);
uint32_t submission_copy_2d(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                            uint32_t row_bytes, uint32_t rows, uint32_t source_pitch, uint32_t target_pitch);
uint32_t submission_tile(struct submission *s, uint32_t flags, struct reference source, struct reference target,
                         uint32_t row_bytes, uint32_t rows, uint32_t pitch);
uint32_t submission_bind(struct submission *s, struct reference surface, uint32_t format, uint32_t pitch,
                         uint32_t bytes);
uint32_t submission_fill_rect(struct submission *s, uint32_t slot, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, uint32_t colour);
struct blit {
    uint32_t mode, flags, target, source, target_x, target_y, source_x, source_y, width, height, value, rop;
};
uint32_t submission_blit(struct submission *s, struct blit blit);
/* BLIT_AFFINE: the blit's value and key are its own, `rop` its word 5. */
struct affine {
    struct blit blit;
    uint32_t columns, rows; /* of the source */
    uint32_t map[6];        /* U, V, U_X, V_X, U_Y, V_Y */
};
uint32_t submission_affine(struct submission *s, const struct affine *affine);

/* Word `word` of patch entry `index`, for cases that spoil one. */
uint32_t *submission_patch(struct submission *s, uint32_t index, enum gpu_patch_entry word);

/* The message that submits what has been written so far; cases may spoil it before bench_submit. */
void submission_end(struct submission *s);

/* What validation said. */
struct verdict {
    bool is_accepted;
    struct refusal why;
    struct job job;
    struct patch room[PATCH_LIMIT];
};

/* Put the submission into system memory. */
void bench_place(const struct submission *s);

/* Validate what was placed, with the reader of lists, with the examiner and once more without both, and once more
 * without counting traffic. Aborts when these differ, or when the bench's rules were broken: a word read twice or
 * outside, command RAM touched outside the window, *out changed by a refusal.
 */
void bench_validate(const struct submission *s, uint32_t room_count, struct verdict *verdict);

/* Place the submission, and give its examination up while the examiner walks it. */
void bench_abandon(const struct submission *s);

/* Jobs that were accepted, by the firmware alone, by the examiner, and by the reader of lists with the examiner. */
extern uint64_t bench_examined[3];

/* Both. */
void bench_submit(const struct submission *s, uint32_t room_count, struct verdict *verdict);

#endif
