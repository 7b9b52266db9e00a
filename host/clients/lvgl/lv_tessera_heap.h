/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared memory in which nothing lies yet, given out in pieces: first fit, pieces in the order of their addresses, each
 * after a header of HEAP_GRAIN bytes. A handful of draw buffers at a time: searches are linear.
 */
#ifndef LV_TESSERA_HEAP_H
#define LV_TESSERA_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { HEAP_GRAIN = 64 }; /* what is given out lies at multiples of it from the first byte on */

/* Forgets all that was given out before. */
void lvt_heap_begin(void *first, uint32_t bytes);
void *lvt_heap_take(uint32_t bytes); /* NULL: no piece is so large */
bool lvt_heap_holds(const void *data);
void lvt_heap_give(void *data);

#endif
