/* SPDX-License-Identifier: Apache-2.0
 *
 * malloc, calloc and free over one piece of memory that the program gives: all that libtessera asks of a heap, without
 * an operating system. First fit; what is freed joins its neighbours.
 */
#ifndef TESSERA_LITEX_HEAP_H
#define TESSERA_LITEX_HEAP_H

#include <stddef.h>

/* Before the first malloc. `memory` aligned to 8 bytes. */
void heap_give(void *memory, size_t bytes);
/* The most that was taken at a time, with what the heap itself needs. */
size_t heap_most(void);

#endif
