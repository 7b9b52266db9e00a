/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of allocations: see index_set.h.
 */
#include "memory/index_set.h"

uint32_t index_set_word(const struct index_set *set, uint32_t word)
{
    for (uint32_t group = word / 32u; group < set->group_count; group++) {
        const uint32_t left = group == word / 32u ? set->groups[group] >> word % 32u << word % 32u : set->groups[group];
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
        for (uint32_t left = set->groups[group]; left != 0u; left &= left - 1u)
            if (set->words[group * 32u + lowest_bit(left)] == 0u) set->groups[group] &= ~(left & (0u - left));
}

void index_set_clear(struct index_set *set)
{
    for (uint32_t group = 0; group < set->group_count; group++) {
        for (uint32_t left = set->groups[group]; left != 0u; left &= left - 1u)
            set->words[group * 32u + lowest_bit(left)] = 0;
        set->groups[group] = 0;
    }
}

void index_set_copy(struct index_set *set, const struct index_set *from)
{
    index_set_clear(set);
    for (uint32_t group = 0; group < set->group_count; group++) {
        set->groups[group] = from->groups[group];
        for (uint32_t left = set->groups[group]; left != 0u; left &= left - 1u) {
            const uint32_t word = group * 32u + lowest_bit(left);
            set->words[word] = from->words[word];
        }
    }
}
