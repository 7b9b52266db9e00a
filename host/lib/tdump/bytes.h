/* SPDX-License-Identifier: Apache-2.0
 *
 * A dump while it is written.
 */
#ifndef TESSERA_TDUMP_BYTES_H
#define TESSERA_TDUMP_BYTES_H

#include "lib/tdump/tdump.h"

struct bytes {
    uint32_t *words; /* to free */
    size_t count, room;
    uint32_t sections;
    bool has_failed; /* no memory, or it would be too long */
};

/* An empty file: room for the head. */
void bytes_start(struct bytes *bytes);
/* A section of so many words, all 0, to be filled before the next is begun; NULL: it has failed. */
uint32_t *bytes_begin(struct bytes *bytes, enum tdump_tag tag, size_t count);
/* The section that was begun last, which has so many words, has `less` less. */
void bytes_shorten(struct bytes *bytes, uint32_t *section, size_t less);
/* That section is not to be there after all. */
void bytes_take_back(struct bytes *bytes, size_t count);
/* Is there a section of this kind whose word `word` has this value? */
bool bytes_have(const struct bytes *bytes, enum tdump_tag tag, uint32_t word, uint32_t value);
/* The next section from word `at` on (TDUMP_HEAD_WORDS for the first): its tag and its words. */
static inline size_t bytes_next(const struct bytes *bytes, size_t at) { return at + 2u + bytes->words[at + 1] / 4u; }
/* Write the head. */
void bytes_finish(struct bytes *bytes);

#endif
