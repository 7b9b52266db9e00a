/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU on the processor's own bus, as a transport: registers at an address, system memory that both can reach. No
 * operating system, no heap, no thread; a system on chip's processor, or a driver that has mapped both (integration/
 * litex is one such system, docs/litex.md).
 *
 * Order: `memory` is written before the register that tells the GPU of it, in the program's order; so the
 * processor must not reorder or keep back either. A cache that writes through and an uncached register region do that
 * by themselves. Where the cache writes back, `clean` has to write out what it holds of a range before the call
 * returns. Where the cache may hold what the GPU has changed since, `forget` has to drop a range of it before it is
 * read. NULL: there is nothing to do.
 */
#ifndef TESSERA_TRANSPORT_MMIO_H
#define TESSERA_TRANSPORT_MMIO_H

#include "transport.h"

struct mmio_link {
    volatile uint32_t *registers; /* HOST's 4 KB, never cached; whole words only */
    uint8_t *memory;              /* byte 0 of the GPU's system memory, aligned to a page */
    uint32_t memory_bytes;        /* multiple of 4096 */
    void (*clean)(const void *from, size_t bytes);
    void (*forget)(const void *from, size_t bytes);
    /* Sleep until the GPU's interrupt or for about `cycles`, whichever is first; returns the cycles slept, at least 1.
     * NULL: the register that says whether there is an interrupt is read again and again. */
    uint32_t (*sleep)(uint32_t cycles);
    uint32_t poll_cycles;        /* what one such look counts; 0 = 16 */
    uint64_t (*cycles)(void);    /* a clock, for patience; NULL: what was waited is counted */
    struct transport *transport; /* set by mmio_transport: where errors are told */
};

/* `link` stays the caller's and where it is. An access outside of `memory` is refused: TRANSPORT_IO. */
void mmio_transport(struct mmio_link *link, struct transport *transport);

#endif
