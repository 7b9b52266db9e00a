/* SPDX-License-Identifier: Apache-2.0
 *
 * What play_gpu.c (surfaces and drawing) and play_bind.c (streams and binding slots) share.
 */
#ifndef TESSERA_PLAY_GPU_INTERNAL_H
#define TESSERA_PLAY_GPU_INTERNAL_H

#include "play/play_gpu.h"
#include "play/play_view.h"
#include "tessera_stream.h"

enum { PLAY_SLOTS = 32, PLAY_TICKETS = 16 };

struct image {
    bool exists, is_drawn;
    enum recording_format format;
    uint32_t width, height, unit_bytes, band_rows, band_count;
    uint8_t *pixels;
    struct {
        struct tessera_allocation **bands; /* NULL: there is no such view */
    } views[PLAY_VIEWS];
    uint64_t stream;   /* the last one that names it */
    uint64_t last_use; /* number of the last operation that names it */
};

struct binding {
    struct image *image; /* NULL: free */
    enum play_view view;
    uint32_t band, pages;
    bool is_target;
    uint64_t last_use;
};

struct play_gpu {
    struct tessera *tessera;
    struct tessera_stream *stream;
    uint32_t context, local_pages, band_bytes, bound_pages;
    uint32_t surface_set; /* segments in which surfaces may be */
    uint32_t allocation_count;
    uint64_t stream_number, clock, operation;
    struct binding bindings[PLAY_SLOTS];
    tessera_ticket tickets[PLAY_TICKETS];
    uint32_t first_ticket, ticket_count;
    struct play_counts counts;
    struct view *view;
    uint8_t *row; /* one converted row */
    struct image images[RECORDING_SURFACES];
};

uint32_t image_format(const struct image *image, enum play_view view); /* FORMAT group */
uint32_t image_pitch(const struct image *image, enum play_view view);
uint32_t image_band_height(const struct image *image, uint32_t band);

/* Submit what has been drawn, if anything. Nothing is bound afterwards. */
int play_flush(struct play_gpu *gpu);
/* And wait for everything. */
int play_drain(struct play_gpu *gpu);
/* Bind a band of a view, unless it is bound already; *slot says where. The slot `kept` stays as it is. */
int play_bind(struct play_gpu *gpu, struct image *image, enum play_view view, uint32_t band, bool is_target,
              uint32_t kept, uint32_t *slot);
/* Room in the stream for one operation on one pair of bands, with its bindings. */
int play_make_room(struct play_gpu *gpu);

#endif
