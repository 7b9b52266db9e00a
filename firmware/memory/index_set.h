/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of allocations, by their index in the table, that costs what is in it and not how large the table is: a bit per
 * allocation, and above these a bit per word of them that may have any.
 */
#ifndef FIRMWARE_INDEX_SET_H
#define FIRMWARE_INDEX_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/base.h"

enum { INDEX_NONE = 0xffff, GROUP_ENTRIES = 1024, GROUP_BYTES = GROUP_ENTRIES / 8 };

/* The groups' words, a bit per word of theirs that may have any, lie before it, the first next to it. */
struct index_set {
    uint32_t group_count;
    uint32_t words[]; /* bit per allocation */
};
static inline uint32_t *index_set_group(struct index_set *set, uint32_t group)
{
    return &set->group_count - 1u - group;
}
static inline uint32_t index_set_words(const struct index_set *set, uint32_t group)
{
    return *(&set->group_count - 1u - group);
}

/* True: it was there already. */
static inline bool index_set_add(struct index_set *set, uint32_t index)
{
    const uint32_t word = index / 32u, before = set->words[word], bit = 1u << index % 32u;
    set->words[word] = before | bit;
    if (before == 0u) *index_set_group(set, word / 32u) |= 1u << word % 32u;
    return (before & bit) != 0u;
}
/* Members 32 * word and so on, as the bits say: nothing of that word has been in it since it was cleared. */
static inline void index_set_put_word(struct index_set *set, uint32_t word, uint32_t bits)
{
    set->words[word] = bits;
    if (bits != 0u) *index_set_group(set, word / 32u) |= 1u << word % 32u;
}
static inline void index_set_drop(struct index_set *set, uint32_t index) { bit_clear(set->words, index); }
static inline bool index_set_has(const struct index_set *set, uint32_t index) { return bit_is_set(set->words, index); }

/* The first word from `word` on that may have any: its number, or INDEX_NONE. O(groups). */
uint32_t index_set_word(const struct index_set *set, uint32_t word);

/* The least member from `from` on, or INDEX_NONE. O(words that have had any since the set was cleared). */
uint32_t index_set_next(const struct index_set *set, uint32_t from);
/* Each member in turn, also when it is dropped meanwhile. */
#define INDEX_SET_EACH(i, set) \
    for (uint32_t i = index_set_next(set, 0); i != (uint32_t)INDEX_NONE; i = index_set_next(set, i + 1u))

/* What has been dropped costs nothing any more. O(words that have had any since the set was cleared). */
void index_set_trim(struct index_set *set);

/* O(groups). */
void index_set_clear(struct index_set *set);
void index_set_copy(struct index_set *set, const struct index_set *from);

/* The same in less time, where only whole pieces of 32 are asked for: a byte for each. */
enum { PIECE_ENTRIES = 32 };
static inline uint32_t pieces_bytes(uint32_t limit) { return align_up(limit / (uint32_t)PIECE_ENTRIES, 4); }
static inline void pieces_note(uint8_t *pieces, uint32_t index) { pieces[index / (uint32_t)PIECE_ENTRIES] = 1; }

/* Each byte of a noted piece of `table`, which has `entry_bytes` for each of `limit` allocations, is `byte` now, and
 * none is noted any more. O(pieces / 4 + noted ones). */
void pieces_reset(uint8_t *pieces, uint32_t limit, void *table, uint32_t entry_bytes, uint32_t byte);

#endif
