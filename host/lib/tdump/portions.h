/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node was told to run, from its ring, which keeps it after a reset: a RUN with its FENCE.
 */
#ifndef TESSERA_PORTIONS_H
#define TESSERA_PORTIONS_H

#include "lib/tessera_internal.h"

enum { PORTIONS_FOUND_MAX = 16 };
struct portion_found {
    uint32_t at, bytes, fence; /* where in command RAM */
};

/* The last ones before `tail` whose words are still there, privileged or not, the oldest first; how many. */
uint32_t portions_find(const uint32_t *ring, uint32_t log2, uint32_t tail, bool is_privileged,
                       struct portion_found found[PORTIONS_FOUND_MAX]);
/* Are these words, which end at byte `end` of the DMA buffer or anywhere (TDUMP_NOWHERE), of it, but for addresses and
 * some that differ (under half)? *start: the byte of the DMA buffer at which they begin. */
bool portions_match(const struct stream_view *view, const uint32_t *words, uint32_t count, uint32_t end,
                    uint32_t *start);

#endif
