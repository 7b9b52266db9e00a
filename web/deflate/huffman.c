/* SPDX-License-Identifier: Apache-2.0
 *
 * See huffman.h: the two lightest are joined until one is left.
 */
#include "huffman.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
    uint32_t weight, symbol;
};

/* In one order for all, as qsort leaves equals as it likes. */
static int by_weight(const void *left, const void *right)
{
    const struct leaf *a = left, *b = right;
    if (a->weight != b->weight) return a->weight < b->weight ? -1 : 1;
    return a->symbol < b->symbol ? -1 : a->symbol > b->symbol;
}

/* False: one of them is longer than `limit`. */
static bool join(const struct leaf *leaves, uint32_t count, uint32_t limit, uint8_t *lengths)
{
    uint32_t weight[2 * HUFFMAN_SYMBOLS], parent[2 * HUFFMAN_SYMBOLS], depth[2 * HUFFMAN_SYMBOLS];
    uint32_t leaf = 0, node = count, end = count; /* leaves and joined ones are both in order of weight */
    for (uint32_t i = 0; i < count; i++) weight[i] = leaves[i].weight;
    while (end < 2u * count - 1u) {
        weight[end] = 0;
        for (uint32_t side = 0; side < 2u; side++) {
            const bool is_node = node < end && (leaf == count || weight[node] < weight[leaf]);
            const uint32_t picked = is_node ? node++ : leaf++;
            parent[picked] = end;
            weight[end] += weight[picked];
        }
        end++;
    }
    depth[end - 1u] = 0;
    for (uint32_t i = end - 1u; i-- > 0u;) depth[i] = depth[parent[i]] + 1u;
    for (uint32_t i = 0; i < count; i++) {
        if (depth[i] > limit) return false;
        lengths[leaves[i].symbol] = (uint8_t)depth[i];
    }
    return true;
}

void huffman_lengths(const uint32_t *often, uint32_t count, uint32_t limit, uint8_t *lengths)
{
    struct leaf leaves[HUFFMAN_SYMBOLS];
    uint32_t used = 0;
    memset(lengths, 0, count);
    for (uint32_t i = 0; i < count; i++)
        if (often[i] != 0) leaves[used++] = (struct leaf){often[i], i};
    if (used == 0) return;
    if (used == 1u) {
        lengths[leaves[0].symbol] = 1;
        return;
    }
    qsort(leaves, used, sizeof *leaves, by_weight);
    while (!join(leaves, used, limit, lengths)) /* flatter weights, until the longest is short enough */
        for (uint32_t i = 0; i < used; i++) leaves[i].weight = leaves[i].weight / 2u | 1u;
}

void huffman_codes(const uint8_t *lengths, uint32_t count, uint16_t *codes)
{
    uint32_t of_length[16] = {0}, next[16] = {0};
    for (uint32_t i = 0; i < count; i++) of_length[lengths[i]]++;
    of_length[0] = 0;
    for (uint32_t length = 1; length < 16u; length++) next[length] = (next[length - 1u] + of_length[length - 1u]) << 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t reversed = 0;
        if (lengths[i] == 0) continue;
        for (uint32_t bit = 0, code = next[lengths[i]]++; bit < lengths[i]; bit++, code >>= 1)
            reversed = reversed << 1 | (code & 1u);
        codes[i] = (uint16_t)reversed;
    }
}
