/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump that travels: when the GPU stops on something, what the host can know of it as one block of bytes, for
 * `tessera dump FILE.tdump` anywhere else (docs/host.md). It has registers, rings, the guilty DMA buffer as submitted
 * and, where command RAM can be read, as executed, the allocations that it names, the last messages, and from simulated
 * chips the last instructions and decisions of the firmware. Over any transport; what one cannot show is left out.
 */
#ifndef TESSERA_DUMP_H
#define TESSERA_DUMP_H

#include "tessera.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Takes a whole dump, at most 16 MB; the bytes go when it returns. It calls nothing of the library. */
typedef void (*tessera_dump_sink)(void *context, const void *dump, size_t bytes);

enum { TESSERA_DUMPS_MOST = 16 }; /* of one struct tessera, so that no program fills a disk */

/* From now on a dump is written when a submission ends FAULT, TIMEOUT or, the first time for a context, CONTEXT_LOST;
 * when the firmware has panicked; and when nothing is answered within the patience: TESSERA_DUMPS_MOST in all. It comes
 * within a call that waits. has_contents: with what the pages of the allocations held, as far as there is room; without
 * it no picture leaves the machine. While the core's command RAM is read through its debug unit (boards), the core
 * stands still, for up to some seconds on a serial line. A debugger that is attached is left alone.
 * sink NULL: no more dumps. NO_MEMORY. */
int tessera_dump_faults(struct tessera *tessera, tessera_dump_sink sink, void *context, bool has_contents);
/* One now, of everything in flight. NO_MEMORY, or what stopped the device. */
int tessera_dump(struct tessera *tessera, tessera_dump_sink sink, void *context, bool has_contents);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
