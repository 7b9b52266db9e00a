/* SPDX-License-Identifier: Apache-2.0
 *
 * A second driver for the manager: ours inside, but as difficult as the documents allow. It answers BUSY
 * until an allocation is idle, fills a paging buffer with one packet, uses private data, and has no room at
 * times. It checks every promise the manager makes in a call and stops the program when one is broken. It runs
 * under the firmware on the golden model (second_model.c) and on the chip (tests/chip/system/second.c).
 */
#ifndef TESSERA_SECOND_DRIVER_H
#define TESSERA_SECOND_DRIVER_H

#include "ddi/ddi.h"
#include "gpu.h"

enum { SECOND_PRIVATE_BYTES = 24, SECOND_PRIVATE_PER_CALL = 4 };

struct second_driver {
    struct ddi ddi; /* give this to gpu_options.ddi */
    uint32_t random;
    bool says_busy, is_one_packet, is_slow;
    bool is_stubborn;   /* BUSY every time that it may be said, not now and then */
    uint32_t busy_from; /* only to Transfers from this TransferOffset on */
    /* What it is in the middle of. */
    bool has_pending, was_busy;
    struct ddi_build_paging_buffer pending;
    uint32_t open_transfer, open_bytes; /* handle of a transfer between Start and End, and how far it is; 0 = none */
    uint32_t buffer_bytes;              /* of a fresh paging buffer, as the first call had it */
    uint32_t next_free;                 /* what the last call left free in the open buffer */
    /* What it has seen. */
    bool is_preempting[2];
    struct ddi_patch patched; /* the last Patch ... */
    bool has_patched;         /* ... since when nothing has been submitted, preempted or reset */
    uint32_t calls, busy_answers, insufficient_answers, submissions, pieces, preemptions, rebindings;
};

void second_driver_init(struct second_driver *driver, uint32_t seed);

/* ------------------------------------------------------------------ the world it is in */

/* The firmware that is running: its driver is the one inside. */
struct gpu *second_gpu(void);
/* A promise of the manager's was kept. */
void second_kept(const char *promise);
/* One is broken: say which, and stop. */
_Noreturn void second_broken(const char *promise);

#endif
