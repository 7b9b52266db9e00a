/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded or invented use of video memory: segments, allocations, and DMA buffers given as nothing but
 * their patch locations and the engine time between them. The file format is "pagesim-1" (docs/replay.md).
 *
 * Split offsets that are equal form a group; from one group to the next is a *step*, and a step needs exactly
 * what the resource table holds after its group. Sizes are pages everywhere in this header.
 */
#ifndef PAGESIM_H
#define PAGESIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAGESIM_PAGE_BYTES = 4096,
    PAGESIM_SLOTS = 64, /* rows of the resource table: what a file may ask for at most */
    PAGESIM_SEGMENTS = 3,
    PAGESIM_MESSAGE = 512 /* one line, with the place */
};
#define PAGESIM_NULL 0xffffffffu  /* the allocation of an unbind */
#define PAGESIM_NEVER 0xffffffffu /* no step */
/* Above this many pages no device of this kind can hold it; keeps every later sum inside 32 bits. */
#define PAGESIM_PAGES_MAX 0x100000u

struct pagesim_segment {
    bool is_aperture;
    uint32_t pages;
};

/* Where an allocation's content is valid when the workload starts. */
enum pagesim_init {
    PAGESIM_BACKING,   /* in system memory */
    PAGESIM_UNDEFINED, /* nowhere: its first page-in is a fill */
    PAGESIM_RESIDENT   /* in its segment and in system memory */
};

struct pagesim_allocation {
    uint32_t pages, segment, alignment_pages;
    enum pagesim_init init;
    bool is_temporary;   /* destroyed after its last use: the content need not survive */
    uint32_t first_step; /* that needs it, or PAGESIM_NEVER */
    uint32_t last_step;
};

struct pagesim_patch {
    uint32_t slot, allocation, split_offset;
    bool is_written;
};

struct pagesim_buffer {
    uint32_t bytes;
    uint32_t first_patch, patch_count;
    uint32_t first_step, step_count; /* no patches, no steps */
};

/* One allocation that a step needs, once however many slots hold it. */
struct pagesim_member {
    uint32_t allocation;
    bool is_written;
    bool is_sticky; /* keeps its address if a split is taken at this step's start */
};

struct pagesim_step {
    uint32_t buffer;
    uint32_t start, end; /* bytes of the DMA buffer; the first step of a buffer starts at 0 */
    uint32_t first_patch, patch_count;
    uint32_t first_member, member_count;
    double time; /* engine time, in the file's unit; 1 where the file has none */
};

struct pagesim {
    char *name;
    uint32_t slots;
    struct pagesim_segment segments[PAGESIM_SEGMENTS];
    uint32_t segment_count;
    struct pagesim_allocation *allocations;
    uint32_t allocation_count;
    struct pagesim_buffer *buffers;
    uint32_t buffer_count;
    struct pagesim_patch *patches;
    uint32_t patch_count;
    double *times; /* one per step of the file, or NULL */
    struct pagesim_step *steps;
    uint32_t step_count;
    struct pagesim_member *members;
    uint32_t member_count;
};

/* ------------------------------------------------------------------ reading and writing (pagesim_read.c,
 * pagesim_write.c) */

/* NULL and one line in `message` that names the place (byte and line, or field), when the file cannot be
 * read, is not the format, or breaks one of its rules. Never trusts the file. */
struct pagesim *pagesim_read(const char *path, char message[PAGESIM_MESSAGE]);
/* The same from `length` bytes of text; `name` stands for the file in messages. */
struct pagesim *pagesim_parse(const char *text, size_t length, const char *name, char message[PAGESIM_MESSAGE]);
void pagesim_free(struct pagesim *workload);

/* Write the workload as it stands (after scaling, say). False and a message: cannot write. */
bool pagesim_write(const struct pagesim *workload, const char *path, char message[PAGESIM_MESSAGE]);

/* ------------------------------------------------------------------ the workload (pagesim.c) */

/* Compute steps and members from the patches, and the first and last step of every allocation; check what
 * needs them: split offsets in order and inside the buffer, each step and the initially resident
 * allocations fit their segments, `times` as many as steps. For the readers and after every change. */
bool pagesim_reduce(struct pagesim *workload, char message[PAGESIM_MESSAGE]);

/* Keep the first `count` buffers. */
bool pagesim_limit(struct pagesim *workload, uint32_t count, char message[PAGESIM_MESSAGE]);

/* Divide every size by `divisor`: allocations, segments and alignments, each rounded up to whole pages
 * (alignments to powers of two). Rounding can make a step outgrow its segment; such a segment is enlarged
 * to its largest step (and to what is resident at the start), and *grown_pages tells by how many pages in
 * all, 0 usually. */
bool pagesim_scale(struct pagesim *workload, uint32_t divisor, uint32_t *grown_pages, char message[PAGESIM_MESSAGE]);

/* ------------------------------------------------------------------ yardsticks (pagesim_bound.c, pagesim_traffic.c) */

/* Fewest portions into which the buffers can be split, placement left out of account: the longest portion
 * that fits, again and again (a part of what fits fits, so this is optimal). */
uint32_t pagesim_minimum_portions(const struct pagesim *workload);

/* Fewest pages that any schedule brings into the memory segments: furthest next use, page by page. */
uint64_t pagesim_minimum_loads(const struct pagesim *workload);

/* A number of pages that no schedule gets below, loads and write-backs together, if allocations move whole
 * (pagesim_traffic.c). Close to the true minimum on workloads of some size, not exact. */
uint64_t pagesim_minimum_traffic(const struct pagesim *workload);

#endif
