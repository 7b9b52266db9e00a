/* SPDX-License-Identifier: Apache-2.0
 *
 * What serves programs of a virtual machine (gpu.h): a Tessera. A program that submits is a client of it, and what it
 * makes of its buffers are allocations over the machine's own pages. These belong to the program that made them, and
 * are shared with each other program that has attached the buffer and names it: so two programs share a buffer by the
 * kernel's means.
 */
#ifndef TESSERA_VIRTIO_SUBMITTER_H
#define TESSERA_VIRTIO_SUBMITTER_H

#include "tessera.h"
#include "virtio/gpu.h"

enum { SUBMITTER_CONTEXTS_MOST = 8 }; /* of a program, that draw */

struct submitter;

struct submitter_options {
    uint8_t *system;      /* the GPU's system memory */
    uint32_t guest;       /* where in it the driver's address 0 is ... */
    uint32_t guest_bytes; /* ... and how much of its memory from there on */
};

struct submitter_counts {
    uint64_t submissions, messages, refused; /* payloads that draw, others, those of both that were refused */
    uint32_t clients, contexts, allocations; /* there are now */
};

/* NULL after a line in `message`. The device stays the caller's. */
struct submitter *submitter_create(struct tessera *tessera, const struct submitter_options *options, char message[256]);
/* What programs left goes, too. NULL is fine. */
void submitter_destroy(struct submitter *submitter);
void submitter_table(struct submitter *submitter, struct virtio_gpu_programs *table);
/* The allocation that a buffer is; NULL: none. */
struct tessera_allocation *submitter_allocation(const struct submitter *submitter, uint32_t place);
const struct submitter_counts *submitter_counts(const struct submitter *submitter);

#endif
