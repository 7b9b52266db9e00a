/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of allocations: see index_set.h.
 */
#include "memory/index_set.h"

#include <string.h>

uint32_t index_set_word(const struct index_set *set, uint32_t word)
{
    for (uint32_t group = word / 32u; group < set->group_count; group++) {
        const uint32_t all = index_set_words(set, group),
                       left = group == word / 32u ? all >> word % 32u << word % 32u : all;
        if (left != 0u) return group * 32u + lowest_bit(left);
    }
    return INDEX_NONE;
}

uint32_t index_set_next(const struct index_set *set, uint32_t from)
{
    for (uint32_t word = index_set_word(set, from / 32u); word != (uint32_t)INDEX_NONE;
         word = index_set_word(set, word + 1u)) {
        const uint32_t bits = set->words[word], left = word == from / 32u ? bits >> from % 32u << from % 32u : bits;
        if (left != 0u) return word * 32u + lowest_bit(left);
    }
    return INDEX_NONE;
}

void index_set_trim(struct index_set *set)
{
    for (uint32_t group = 0; group < set->group_count; group++)
        for (uint32_t left = index_set_words(set, group); left != 0u; left &= left - 1u)
            if (set->words[group * 32u + lowest_bit(left)] == 0u) *index_set_group(set, group) &= ~(left & (0u - left));
}

void index_set_clear(struct index_set *set)
{
    for (uint32_t group = 0; group < set->group_count; group++) {
        if (index_set_words(set, group) == 0u) continue;
        memset(set->words + group * 32u, 0, GROUP_BYTES);
        *index_set_group(set, group) = 0;
    }
}

/* `bytes` is a multiple of 16; four words in a turn, as a call of memset takes longer than what it does here. */
static inline void store_word(unsigned char *to, uint32_t bytes, uint32_t word)
{
    unsigned char *at = __builtin_assume_aligned(to, 4), *end = at + bytes;
    for (; at != end; at += 16) {
        memcpy(at, &word, 4);
        memcpy(at + 4, &word, 4);
        memcpy(at + 8, &word, 4);
        memcpy(at + 12, &word, 4);
    }
}

void pieces_reset(uint8_t *pieces, uint32_t limit, void *table, uint32_t entry_bytes, uint32_t byte)
{
    const uint32_t piece_bytes = (uint32_t)PIECE_ENTRIES * entry_bytes, count = pieces_bytes(limit);
    unsigned char *at = table;
    for (uint32_t i = 0; i < count; i += 4u, at += 4u * piece_bytes) {
        uint32_t four;
        memcpy(&four, __builtin_assume_aligned(pieces + i, 4), sizeof four);
        if (four == 0u) continue;
        for (uint32_t k = 0; k < 4u; k++)
            if (pieces[i + k] != 0u) store_word(at + k * piece_bytes, piece_bytes, byte * 0x01010101u);
        four = 0;
        memcpy(__builtin_assume_aligned(pieces + i, 4), &four, sizeof four);
    }
}

void index_set_copy(struct index_set *set, const struct index_set *from)
{
    index_set_clear(set);
    for (uint32_t group = 0; group < set->group_count; group++) {
        *index_set_group(set, group) = index_set_words(from, group);
        for (uint32_t left = index_set_words(from, group); left != 0u; left &= left - 1u) {
            const uint32_t word = group * 32u + lowest_bit(left);
            set->words[word] = from->words[word];
        }
    }
}
