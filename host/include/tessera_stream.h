/* SPDX-License-Identifier: Apache-2.0
 *
 * Builder of one DMA buffer with its allocation list and patch-location list.
 *
 * Rules it keeps, so that any buffer it makes may be split anywhere it declares (wddm-memory-model 4.6):
 *  - entry 0 of the allocation list is NULL, every other allocation appears once;
 *  - a split point at every bind and every unbind: SplitOffset = the packet's own offset (SPL-19);
 *  - draws name slots, so the only state a portion inherits is the binding registers, which the resource
 *    table mirrors slot by slot;
 *  - packets that carry addresses themselves (copy, fill) take rows of the table for as long as nothing
 *    takes them over; unbind them to let the memory go;
 *  - from tessera_stream_large on, a large allocation never keeps its place by being bound: its BIND is repeated at
 *    every split point, and a copy or fill lets go of its row at once (SPL-20);
 *  - a palette is loaded again before the first draw that needs it after a split point, since no portion has that of
 *    the one before;
 *  - BARRIER is set where a packet reads what an earlier packet of the buffer may have written.
 *
 * Calls return 0 or TESSERA_STREAM_FULL / TESSERA_MISUSE; a failed call has changed nothing, and
 * tessera_stream_message says in a sentence what is wrong. A number that its field has no room for is MISUSE; none is
 * cut.
 */
#ifndef TESSERA_STREAM_H
#define TESSERA_STREAM_H

#include "tessera.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tessera_surface {
    struct tessera_allocation *allocation;
    uint32_t offset; /* first byte in the allocation */
    uint32_t format; /* enum tessera_format: TESSERA_RGB565, ... */
    uint32_t
        pitch; /* at most 65535: bytes from row to row; of A4, A2 and A1, of which a row may begin anywhere, units */
    uint32_t bytes;         /* extent draws may touch; 0 = to the end of the allocation */
    bool is_target;         /* draws will write it: WriteOperation */
    uint32_t width, height; /* units and rows; a rectangle outside them is MISUSE. 0: not checked, the device knows
                             * pitch and bytes alone */
};

struct tessera_blit {
    uint32_t target, source; /* slots */
    uint32_t mode;           /* enum tessera_mode: TESSERA_COPY, ... */
    uint32_t target_x, target_y, source_x, source_y, width, height;
    uint32_t value; /* BLEND and ADD: 7:0 is a constant alpha, 255 for the source's own; 0 needs is_alpha_zero */
    uint32_t rop;
    uint32_t key; /* with is_keyed: colour bits of source units that are not written */
    bool is_premultiplied, is_reverse, is_keyed, is_coloured, is_truncated, is_by_256;
    bool is_alpha_zero; /* BLEND, ADD: value 0 is meant. Without it value 0, which draws nothing, is MISUSE */
};

/* A blit whose source coordinates come from an affine map: target unit (x, y), from the target rectangle's corner on,
 * is made of the source unit at column u + x * u_x + y * u_y, row v + x * v_x + y * v_y of the source rectangle, both
 * signed 16.16 and rounded down. What lies outside the rectangle is not read: the nearest unit inside is taken, or,
 * with is_transparent, none is written, or, with is_repeated, the rectangle is repeated (not both). is_filtered:
 * between that unit, the next in its row and the two below, by the coordinates' fractions (docs/pixels.md); the source
 * is no RGB888 and its units lie at multiples of their size, no key; is_transparent then speaks of the unit whose
 * centre is the nearest. `blit` as of tessera_stream_blit, with these differences: width and height are the target's;
 * source_x and source_y the source rectangle's corner; mode is not ROP and is_reverse is false, both formats have
 * colours (the source's may be A8). The source must not be what is written. */
struct tessera_affine {
    struct tessera_blit blit;
    uint32_t source_width, source_height; /* not 0 */
    int32_t u, v, u_x, v_x, u_y, v_y;
    bool is_transparent, is_repeated, is_filtered;
};

/* A place in an allocation and the row of the resource table it takes. */
struct tessera_place {
    struct tessera_allocation *allocation;
    uint32_t offset, slot;
};

struct tessera_stream *tessera_stream_create(void); /* as long as by default; NULL: out of memory */
/* As long as the limits that the device was opened with. */
struct tessera_stream *tessera_stream_create_for(const struct tessera *tessera);
void tessera_stream_destroy(struct tessera_stream *stream);
void tessera_stream_clear(struct tessera_stream *stream);
/* Is there room for so many words, entries of the allocation list and patch locations more? */
bool tessera_stream_has_room(const struct tessera_stream *stream, uint32_t words, uint32_t entries, uint32_t patches);
/* Allocations of so many bytes and more are large from now on, beyond clears too; 0, as created: none. A large binding
 * costs a BIND and a patch location per split point. */
void tessera_stream_large(struct tessera_stream *stream, uint32_t bytes);

int tessera_stream_bind(struct tessera_stream *stream, uint32_t slot, const struct tessera_surface *surface);
int tessera_stream_unbind(struct tessera_stream *stream, uint32_t slot);
int tessera_stream_fill_rect(struct tessera_stream *stream, uint32_t target, uint32_t x, uint32_t y, uint32_t width,
                             uint32_t height, uint32_t colour);
int tessera_stream_blit(struct tessera_stream *stream, const struct tessera_blit *blit);
/* Also MISUSE: ROP, is_reverse, is_transparent with is_repeated, is_filtered with a key. The GPU refuses a map without
 * an inverse, and one that leaves 16.16 in the target rectangle: BAD_MAP. */
int tessera_stream_blit_affine(struct tessera_stream *stream, const struct tessera_affine *affine);
/* The map that lays the source rectangle over the whole target rectangle: mirrored left to right if so wished, then
 * turned clockwise by so many quarters, and scaled as the sizes want it, each target unit from the source unit that its
 * centre lies in, with is_filtered from between the centres around it. is_filtered and sizes are set already; the rest
 * of *affine stays. MISUSE, and *affine is as it was: a size is 0 or above 32767. */
int tessera_affine_fit(struct tessera_affine *affine, uint32_t quarters, bool is_mirrored);
/* Draws from FORMAT_INDEX8 take their colours from the 256 words at this place from now on (ARGB8888; the offset a
 * multiple of 256), as they are when a draw loads them: the first, and the first after each split point. MISUSE: they
 * do not lie in the allocation. A draw that needs a palette is MISUSE as long as there is none, and it is gone when its
 * row is taken for something else. */
int tessera_stream_palette(struct tessera_stream *stream, const struct tessera_place *colours);
int tessera_stream_copy(struct tessera_stream *stream, const struct tessera_place *target,
                        const struct tessera_place *source, uint32_t bytes);
int tessera_stream_fill(struct tessera_stream *stream, const struct tessera_place *target, uint32_t bytes,
                        uint32_t pattern);

/* The bare stream, for tests and tools: any words, any list entry, any patch entry. */
int tessera_stream_raw(struct tessera_stream *stream, const uint32_t *words, uint32_t count);
/* Index of the allocation in the list, added if it is not there; NULL gives 0. */
int tessera_stream_list(struct tessera_stream *stream, struct tessera_allocation *allocation, bool is_written,
                        uint32_t *index);
int tessera_stream_patch(struct tessera_stream *stream, const uint32_t entry[LIMIT_BITS_PATCH_ENTRY_WORDS]);

/* The three parts as they lie in memory, counts in words. */
void tessera_stream_parts(const struct tessera_stream *stream, const uint32_t **words, uint32_t *word_count,
                          const uint32_t **list, uint32_t *list_words, const uint32_t **patches, uint32_t *patch_words);

/* What was wrong with the last call that failed, in a sentence; "" before that. Valid until the next call. */
const char *tessera_stream_message(const struct tessera_stream *stream);

uint32_t tessera_stream_bytes(const struct tessera_stream *stream);
uint32_t tessera_stream_patches(const struct tessera_stream *stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
