/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of a dump that are read from a device. None of these sends a message, and what cannot be read is left
 * out.
 */
#ifndef TESSERA_TDUMP_SECTIONS_H
#define TESSERA_TDUMP_SECTIONS_H

#include "lib/tessera_internal.h"
#include "lib/tdump/bytes.h"

/* ------------------------------------------------------------------ sections_device.c */

bool sections_register(struct tessera *tessera, uint32_t offset, uint32_t *value);
bool sections_memory(struct tessera *tessera, uint32_t address, void *data, size_t bytes);
void sections_registers(struct tessera *tessera, struct bytes *bytes);
void sections_host_rings(struct tessera *tessera, struct bytes *bytes);
/* The rings of the nodes, and what they were told to run: of the render node, the guilty DMA buffer (NULL: none), whose
 * last fence this is; of the paging node, the last paging buffer. */
void sections_nodes(struct tessera *tessera, struct bytes *bytes, const struct stream_view *guilty, uint32_t fence);
void sections_inside(struct tessera *tessera, struct bytes *bytes, enum tdump_tag tag, enum transport_view view);

/* ------------------------------------------------------------------ sections_buffers.c */

/* Every DMA buffer in flight and the guilty one, in the order in which they were sent; `others` are there already. */
void sections_buffers(struct tessera *tessera, struct bytes *bytes, const struct outstanding *guilty, uint32_t others);
/* The allocations that the DMA buffers of the file name. */
void sections_allocations(struct tessera *tessera, struct bytes *bytes, bool has_contents);
/* The sections of the dump before that are not there, told apart by word `word`: a panic comes from what happened
 * before, too. Returns how many, at most `most`. */
uint32_t sections_earlier(struct bytes *bytes, const struct bytes *last, enum tdump_tag tag, uint32_t word,
                          uint32_t most);
/* The guilty DMA buffer of the file, in a copy that the caller frees, because the file moves while it grows. NULL:
 * there is none, or no memory. */
uint32_t *sections_guilty(const struct bytes *bytes, struct stream_view *view);
/* NULL: it exists no more. */
struct tessera_allocation *sections_find_allocation(struct tessera *tessera, uint32_t handle);

#endif
