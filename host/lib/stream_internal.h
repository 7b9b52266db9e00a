/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the builder of DMA buffers (tessera_stream.c): its struct, and the checks of what a call is given
 * (stream_check.c). A check that finds something wrong writes the sentence of tessera_stream_message and returns
 * TESSERA_MISUSE; it changes nothing else.
 */
#ifndef TESSERA_STREAM_INTERNAL_H
#define TESSERA_STREAM_INTERNAL_H

#include "lib/tessera_internal.h"
#include "tessera_stream.h"

enum {
    SLOT_LIMIT = LIMIT_BITS_SLOTS,
    LIST_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS,
    PATCH_WORDS = LIMIT_BITS_PATCH_ENTRY_WORDS,
    STREAM_MESSAGE_BYTES = 192
};

/* A BIND as it was built. */
struct binding {
    uint32_t words[PKT_BIND_WORDS], offset;
    uint32_t width, height; /* of the surface, 0: not said */
    bool is_large;
};

struct tessera_stream {
    uint32_t word_limit, entry_limit; /* words, and entries of either list, that there is room for */
    struct tessera_allocation **allocations;
    uint32_t *words, *list, *patches;
    uint8_t *written;
    uint32_t word_count, list_count, patch_count;
    uint16_t bound[SLOT_LIMIT]; /* list index of what a binding register holds, 0 = nothing */
    struct binding binding[SLOT_LIMIT];
    uint32_t large_bytes;         /* allocations of so many bytes and more are large; 0: none is */
    struct tessera_place palette; /* no allocation: none */
    uint32_t palette_patches;     /* entries when it was loaded: another since is a split point */
    char message[STREAM_MESSAGE_BYTES];
};

/* Note the sentence and return `status`. */
int stream_fail(struct tessera_stream *stream, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* TESSERA_STREAM_FULL, with its sentence. */
int stream_is_full(struct tessera_stream *stream);

int stream_check_slot(struct tessera_stream *stream, const char *call, uint32_t slot);
int stream_check_surface(struct tessera_stream *stream, uint32_t slot, const struct tessera_surface *surface);
int stream_check_fill_rect(struct tessera_stream *stream, uint32_t target, uint32_t x, uint32_t y, uint32_t width,
                           uint32_t height);
/* `affine` NULL: a BLIT. Else `blit` is its part, and the source rectangle is its own. */
int stream_check_blit(struct tessera_stream *stream, const struct tessera_blit *blit,
                      const struct tessera_affine *affine);
/* `bytes` from the place on lie in its allocation. `what`: "target" of "copy". */
int stream_check_place(struct tessera_stream *stream, const char *call, const char *what,
                       const struct tessera_place *place, uint64_t bytes);

/* Units of this format have so many bits; 0: there is no such format. */
uint32_t stream_unit_bits(uint32_t format);

#endif
