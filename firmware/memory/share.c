/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares of local memory: see share.h.
 */
#include "memory/share.h"

void share_init(struct share_table *table, struct tables *tables)
{
    const uint32_t contexts = tables->limits.contexts;
    *table = (struct share_table){.contexts = contexts};
    table->protected = tables_take(tables, contexts / 8u);
    table->holding = tables_take(tables, contexts / 8u);
    table->budgeted = tables_take(tables, contexts / 8u);
    table->entry = tables_take(tables, contexts * (uint32_t)sizeof(struct share));
    for (uint32_t i = 0; !tables->is_short && i < contexts; i++) table->entry[i].used_at = 0u - SHARE_TURNS;
}

static bool is_recent(const struct share_table *table, uint32_t context)
{
    return table->turn - table->entry[context].used_at < (uint32_t)SHARE_TURNS;
}

static bool is_automatic(const struct share_table *table, uint32_t context)
{
    const struct share *share = &table->entry[context];
    return share->budget == 0u && is_recent(table, context);
}

/* What the context adds to the weights of automatic shares. */
static uint32_t claim_of(const struct share_table *table, uint32_t context)
{
    return is_automatic(table, context) ? table->entry[context].weight : 0u;
}

void share_open(struct share_table *table, uint32_t context, uint32_t weight)
{
    ASSERT(context < table->contexts && weight != 0u && table->entry[context].pages == 0u);
    ASSERT(!is_recent(table, context) && table->entry[context].budget == 0u);
    table->entry[context] = (struct share){.weight = weight & 0xffu, .used_at = table->turn - SHARE_TURNS};
}

void share_close(struct share_table *table, uint32_t context)
{
    struct share *share = &table->entry[context];
    ASSERT(share->pages == 0u);
    share_set_budget(table, context, 0);
    table->weights -= claim_of(table, context);
    if (is_recent(table, context)) table->recent--;
    share->weight = 0;
    share->used_at = table->turn - SHARE_TURNS;
}

void share_use(struct share_table *table, uint32_t context)
{
    struct share *share = &table->entry[context];
    const uint32_t turn = table->turn + 1u;
    uint8_t *latest = &table->latest[turn % (uint32_t)SHARE_TURNS];
    if (table->entry[*latest].used_at == turn - (uint32_t)SHARE_TURNS) {
        table->weights -= claim_of(table, *latest);
        table->recent--;
    }
    table->turn = turn;
    table->weights -= claim_of(table, context);
    if (!is_recent(table, context)) table->recent++;
    *latest = (uint8_t)context;
    share->used_at = turn;
    table->weights += claim_of(table, context);
    share->peak = share->pages;
    /* Turns are compared by their difference: one a time is looked at, so that none is too old. */
    struct share *aged = &table->entry[turn % table->contexts];
    if (turn - aged->used_at >= (uint32_t)SHARE_TURNS) aged->used_at = turn - (uint32_t)SHARE_TURNS;
}

void share_set_budget(struct share_table *table, uint32_t context, uint32_t budget)
{
    table->budgets = table->budgets - table->entry[context].budget + budget;
    table->weights -= claim_of(table, context);
    table->entry[context].budget = narrow(budget, 24) & 0xffffffu;
    table->weights += claim_of(table, context);
    if (budget != 0u) bit_set(table->budgeted, context);
    else bit_clear(table->budgeted, context);
}

void share_set_weight(struct share_table *table, uint32_t context, uint32_t weight)
{
    table->weights -= claim_of(table, context);
    table->entry[context].weight = weight & 0xffu;
    table->weights += claim_of(table, context);
}

void share_note_holder(struct share_table *table, uint32_t context)
{
    if (context == (uint32_t)NO_CONTEXT) return;
    if (table->entry[context].pages != 0u) bit_set(table->holding, context);
    else bit_clear(table->holding, context);
}

void share_evicted(struct share_table *table, uint32_t owner, uint32_t context, uint32_t pages)
{
    ASSERT(owner != context);
    if (owner == (uint32_t)NO_CONTEXT || context == (uint32_t)NO_CONTEXT) return;
    table->entry[owner].lost += pages;
    table->entry[context].taken += pages;
}

uint32_t share_of(const struct share_table *table, uint32_t context, uint32_t memory_pages)
{
    const uint32_t left = memory_pages - min_u32(table->budgets, memory_pages), claim = claim_of(table, context);
    if (table->entry[context].budget != 0u) return table->entry[context].budget;
    return claim != 0u ? left * claim / table->weights : 0u;
}

/* ------------------------------------------------------------------ what is protected */

/* Automatic shares while they are divided. */
struct division {
    uint32_t left, weights;           /* memory and claims that are not granted yet */
    uint8_t open[SHARE_TURNS], count; /* whose */
};

/* What counts as held by one that is not the planner and has an automatic share. */
static uint32_t held(const struct share_table *table, uint32_t context)
{
    return table->has_more ? table->entry[context].peak : table->entry[context].pages;
}

/* Those that use less than their part of what is left keep what they use; the others divide the rest. */
static void grant_small_claims(const struct share_table *table, uint32_t planner, struct division *division)
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

/* Those with automatic shares, the last user first. */
static void find_automatic(const struct share_table *table, struct division *division)
{
    uint32_t turn = table->turn;
    for (uint32_t left = table->recent; left != 0u; turn--) {
        const uint32_t context = table->latest[turn % (uint32_t)SHARE_TURNS];
        const struct share *share = &table->entry[context];
        if (share->used_at != turn) continue; /* it has come again since, or is gone */
        left--;
        if (share->weight == 0u || share->budget != 0u) continue;
        division->open[division->count++] = (uint8_t)context;
        division->weights += share->weight;
    }
}

/* Those with budgets: what each has within its own is not divided, the whole of the planner's; what has more is no
 * longer protected. */
static void serve_budgets(struct share_table *table, uint32_t planner, struct division *division)
{
    for (uint32_t i = 0; i < table->contexts / 32u; i++)
        for (uint32_t bits = table->budgeted[i]; bits != 0u; bits &= bits - 1u) {
            const uint32_t context = i * 32u + lowest_bit(bits);
            const struct share *share = &table->entry[context];
            const uint32_t claim = context == planner ? share->budget : min_u32(share->budget, share->pages);
            division->left -= min_u32(claim, division->left);
            if (share->pages <= share->budget) bit_set(table->protected, context);
        }
}

/* What has more than its share, pages of no context left out, is no longer protected. False: none has. */
static bool expose_excess(struct share_table *table, uint32_t planner, uint32_t placed, uint32_t need)
{
    struct division division = {.left = table->pages + placed, .weights = 0, .count = 0};
    uint32_t *protected = table->protected, found = 0;
    for (uint32_t i = 0; i < table->contexts / 32u; i++) protected[i] = ~table->holding[i];
    serve_budgets(table, planner, &division);
    if (planner != (uint32_t)NO_CONTEXT && table->entry[planner].pages + need > table->entry[planner].budget)
        bit_clear(protected, planner);
    find_automatic(table, &division);
    for (uint32_t k = 0; k < division.count; k++) bit_set(protected, division.open[k]);
    grant_small_claims(table, planner, &division);
    for (uint32_t k = 0; k < division.count; k++) {
        uint32_t i = division.open[k], pages = i == planner ? table->entry[i].pages + need : held(table, i);
        if (pages * division.weights > division.left * table->entry[i].weight) bit_clear(protected, i);
    }
    for (uint32_t i = 0; i < table->contexts / 32u; i++) found |= ~protected[i];
    return found != 0u;
}

void share_review(struct share_table *table, uint32_t context, uint32_t placed, uint32_t pages)
{
    const bool has_excess = !table->is_off && share_has_others(table, context) &&
                            (expose_excess(table, context, placed, placed + pages) || table->nobody.pages != 0u);
    table->has_protected = false;
    for (uint32_t i = 0; i < table->contexts / 32u; i++) {
        if (!has_excess) table->protected[i] = 0;
        table->has_protected |= table->protected[i] != 0u;
    }
}

bool share_check(const struct share_table *table)
{
    uint32_t recent = 0, budgets = 0, weights = 0;
    for (uint32_t i = 0; i < table->contexts; i++) {
        const struct share *share = &table->entry[i];
        const bool is_used = is_recent(table, i);
        recent += is_used;
        budgets += share->budget;
        weights += claim_of(table, i);
        if (bit_is_set(table->holding, i) != (share->pages != 0u)) return false;
        if (bit_is_set(table->budgeted, i) != (share->budget != 0u)) return false;
        if (is_used && table->latest[share->used_at % (uint32_t)SHARE_TURNS] != i) return false;
    }
    return recent == table->recent && budgets == table->budgets && weights == table->weights;
}
