/* SPDX-License-Identifier: Apache-2.0
 *
 * A packet of a DMA buffer in words: its name and fields as spec/gpu.def has them, its address words as the
 * allocations that patch locations name. For tessera_stream_text and for refusals (refusal.c).
 */
#ifndef TESSERA_PACKET_TEXT_H
#define TESSERA_PACKET_TEXT_H

#include "lib/tessera_internal.h"

enum packet_state {
    PACKET_GOOD,
    PACKET_UNKNOWN,    /* no packet has this opcode */
    PACKET_TRUNCATED,  /* the buffer ends inside it */
    PACKET_PRIVILEGED, /* not allowed in a program's DMA buffer */
    PACKET_RESERVED    /* bits that belong to no field are set */
};

/* Words of the packet with this first word; 0: there is none. */
uint32_t packet_words(uint32_t word);
/* The packet at word `position`, one that is good by itself or the first reason why not. */
enum packet_state packet_state(const struct stream_view *view, uint32_t position);
/* "FILL_RECT TARGET=0 X=1 ..." of as many words as there are; cut to `size`. */
void packet_print(const struct stream_view *view, uint32_t position, char *text, size_t size);

/* The field `name` of the packet at `position`; `missing` if it has none, or the buffer ends before it. */
uint32_t packet_field(const struct stream_view *view, uint32_t position, const char *name, uint32_t missing);
/* The word of a field, from the packet's first on; 0: it has none. */
uint32_t packet_field_word(uint32_t first_word, const char *name);
/* The patch entry of the word at `position`; the count of entries: it has none. */
uint32_t packet_patch_of(const struct stream_view *view, uint32_t position);
/* A word of a patch entry, or of the list entry it names; 0 past the lists. */
uint32_t packet_patch_word(const struct stream_view *view, uint32_t entry, uint32_t word);
uint32_t packet_list_word(const struct stream_view *view, uint32_t entry, uint32_t word);

#endif
