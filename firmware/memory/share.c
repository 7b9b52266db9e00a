/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares of local memory: see share.h.
 */
#include "memory/share.h"

void share_init(struct share_table *table)
{
    for (uint32_t i = 0; i <= CONTEXT_LIMIT; i++) table->entry[i] = (struct share){.used_at = 0u - SHARE_TURNS};
    for (uint32_t i = 0; i < CONTEXT_LIMIT / 32; i++) table->protected[i] = 0;
    table->turn = table->pages = 0;
    table->is_off = table->has_more = false;
}

void share_open(struct share_table *table, uint32_t context, uint32_t weight)
{
    ASSERT(context < CONTEXT_LIMIT && weight != 0u && table->entry[context].pages == 0u);
    table->entry[context] = (struct share){.weight = weight & 0xffu, .used_at = table->turn - SHARE_TURNS};
}

void share_close(struct share_table *table, uint32_t context)
{
    ASSERT(table->entry[context].pages == 0u);
    table->entry[context].weight = 0;
    table->entry[context].budget = 0;
}

void share_evicted(struct share_table *table, uint32_t owner, uint32_t context, uint32_t pages)
{
    ASSERT(owner != context);
    if (owner == (uint32_t)NO_CONTEXT || context == (uint32_t)NO_CONTEXT) return;
    table->entry[owner].lost += pages;
    table->entry[context].taken += pages;
}

static bool is_automatic(const struct share_table *table, uint32_t context)
{
    const struct share *share = &table->entry[context];
    return share->weight != 0u && share->budget == 0u && table->turn - share->used_at < (uint32_t)SHARE_TURNS;
}

uint32_t share_of(const struct share_table *table, uint32_t context, uint32_t memory_pages)
{
    uint32_t left = memory_pages, weights = 0;
    if (table->entry[context].budget != 0u) return table->entry[context].budget;
    for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) {
        left -= min_u32(table->entry[i].budget, left);
        if (is_automatic(table, i)) weights += table->entry[i].weight;
    }
    return is_automatic(table, context) ? left * table->entry[context].weight / weights : 0u;
}

/* ------------------------------------------------------------------ what is protected */

/* Automatic shares while they are divided. */
struct division {
    uint32_t left, weights;             /* memory and claims that are not settled */
    uint8_t open[CONTEXT_LIMIT], count; /* whose */
};

/* What counts as held by one that is not the planner and has an automatic share. */
static uint32_t held(const struct share_table *table, uint32_t context)
{
    return table->has_more ? table->entry[context].peak : table->entry[context].pages;
}

/* Those that use less than their part of what is left keep what they use; the others divide the rest. */
static void settle(const struct share_table *table, uint32_t planner, struct division *division)
{
    for (uint32_t i = 0; i < division->count;) {
        uint32_t context = division->open[i];
        const struct share *share = &table->entry[context];
        if (context == planner || held(table, context) * division->weights > division->left * share->weight) {
            i++;
            continue;
        }
        division->left -= share->pages;
        division->weights -= share->weight;
        division->open[i] = division->open[--division->count];
        i = 0;
    }
}

/* What has more than its share, pages of no context left out: a bit per context. False: none has. */
static bool find_excess(const struct share_table *table, uint32_t planner, uint32_t placed, uint32_t need,
                        uint32_t excess[CONTEXT_LIMIT / 32])
{
    struct division division = {.left = table->pages + placed, .weights = 0, .count = 0};
    bool is_found = false;
    for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) {
        const struct share *share = &table->entry[i];
        uint32_t pages = share->pages + (i == planner ? need : 0u);
        if (share->weight == 0u) continue;
        if (is_automatic(table, i)) {
            division.open[division.count++] = (uint8_t)i;
            division.weights += share->weight;
            continue;
        }
        division.left -= min_u32(i == planner ? share->budget : min_u32(share->budget, pages), division.left);
        if (pages <= share->budget) continue;
        bit_set(excess, i);
        is_found = true;
    }
    settle(table, planner, &division);
    for (uint32_t k = 0; k < division.count; k++) {
        uint32_t i = division.open[k], pages = i == planner ? table->entry[i].pages + need : held(table, i);
        if (pages * division.weights <= division.left * table->entry[i].weight) continue;
        bit_set(excess, i);
        is_found = true;
    }
    return is_found;
}

void share_review(struct share_table *table, uint32_t context, uint32_t placed, uint32_t pages)
{
    uint32_t excess[CONTEXT_LIMIT / 32] = {0};
    bool has_excess =
        !table->is_off && share_has_others(table, context) &&
        (find_excess(table, context, placed, placed + pages, excess) || table->entry[NO_CONTEXT].pages != 0u);
    for (uint32_t i = 0; i < CONTEXT_LIMIT / 32; i++) table->protected[i] = has_excess ? ~excess[i] : 0u;
}
