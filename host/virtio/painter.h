/* SPDX-License-Identifier: Apache-2.0
 *
 * What draws for a virtio GPU (gpu.h): a Tessera. A resource is an allocation of local memory, its backing another over
 * the driver's own pages, which the GPU reads where they are. Where pages cannot be named (a board has no such memory,
 * entries that begin within a page), the backing is copied by the host instead.
 */
#ifndef TESSERA_VIRTIO_PAINTER_H
#define TESSERA_VIRTIO_PAINTER_H

#include "tessera.h"
#include "virtio/gpu.h"

struct painter;

struct painter_options {
    struct guest_memory memory;
    uint8_t *system;      /* the GPU's system memory, where this program can touch it; NULL: elsewhere */
    uint32_t screen;      /* where in it PAINTER_SCREEN_BYTES of the program's lie, for what is read back */
    uint32_t guest;       /* ... and where the driver's address 0 is ... */
    uint32_t guest_bytes; /* ... and how much of its memory from there on; 0: none */
    /* Told of each allocation of the command at hand: a "resource" or "pages of resource". NULL: does not matter. */
    void (*name)(void *context, const struct tessera_allocation *allocation, const char *kind);
    void *name_context;
};

enum { PAINTER_SCREEN_BYTES = 4 << 20 };

struct painter_counts {
    uint64_t in_place, copied; /* transfers that the GPU read from the driver's pages; that the host copied */
    uint64_t too_large;        /* resources that local memory can never hold, which are refused */
    uint64_t failures;
};

/* NULL after a line in `message`. The device stays the caller's. */
struct painter *painter_create(struct tessera *tessera, const struct painter_options *options, char message[256]);
/* What is left of resources goes, too. NULL is fine. */
void painter_destroy(struct painter *painter);
/* What rectangles are read back through. */
const struct tessera_allocation *painter_screen(const struct painter *painter);
void painter_table(struct painter *painter, struct virtio_gpu_painter *table);
/* What frees local memory when there is none for a transfer or a rectangle that is read: true if it has freed some,
 * then the GPU tries once more. NULL: nothing does. */
void painter_make_room(struct painter *painter, bool (*make_room)(void *context), void *context);
/* What a resource is in the GPU, and the bytes from row to row. */
struct tessera_allocation *painter_content(const struct painter *painter, uint32_t place, uint32_t *pitch);
/* A rectangle of a resource, rows `pitch` bytes apart. False: the GPU failed. */
bool painter_read(struct painter *painter, uint32_t place, const struct virtio_gpu_rectangle *rectangle,
                  uint8_t *pixels, size_t pitch);
/* Is a resource's content in local memory? Of its backing: the pages that the GPU reads in place, or the entries that
 * the host copies. */
struct painter_place {
    bool is_local;
    uint32_t guest_pages, entries;
};
void painter_where(struct painter *painter, uint32_t place, struct painter_place *where);
const struct painter_counts *painter_counts(const struct painter *painter);
/* What went wrong last; "" if nothing did. */
const char *painter_message(const struct painter *painter);

#endif
