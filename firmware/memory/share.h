/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of local memory each context has, and how much is its due. Pages in memory segments belong to the context
 * that used the allocation last, because that context loses by an eviction. Allocations themselves belong to the
 * adapter: they may be shared, and the context that created one may be gone. The planner counts (residency.c). This
 * module does not know allocations.
 *
 * A context's *share* is the budget that the host gave it, or else an automatic one: what budgets leave of memory,
 * divided by the weights of the contexts that have used memory lately. It is a preference: what one does not use, the
 * others may have.
 */
#ifndef FIRMWARE_SHARE_H
#define FIRMWARE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/tables.h"
#include "platform/base.h"

enum {
    SHARE_WEIGHT = 8, /* of a context of priority 0; one more or less for each step of priority */
    /* A context uses memory lately if one of so many DMA buffers begun was its: as many contexts at most divide memory,
     * however many there are. */
    SHARE_TURNS = 64
};

struct share {
    uint32_t budget : 24; /* pages, by the host; 0 = automatic */
    uint32_t weight : 8;  /* among automatic shares; 0 = no context */
    uint32_t pages;       /* resident in memory segments and its own */
    uint32_t peak;        /* most of these since its last DMA buffer began */
    uint32_t lost;        /* pages of its own evicted for others ... */
    uint32_t taken;       /* ... and of others for it, ever */
    uint32_t used_at;     /* `turn` of its last DMA buffer */
};

struct share_table {
    uint32_t turn;       /* DMA buffers begun */
    uint32_t pages;      /* of all together, those of no context included */
    uint32_t budgets;    /* of all together */
    uint32_t weights;    /* of those that have automatic shares and use memory lately */
    bool is_off;         /* no context is protected */
    bool has_more;       /* the planner's next DMA buffer waits: it may go on for a while */
    bool has_protected;  /* a context is */
    uint32_t contexts;   /* entries of the tables, a multiple of 32 */
    struct share *entry; /* by context */
    struct share nobody; /* pages of no context */
    uint32_t *protected; /* bit per context: within its share while another has more (share_review) */
    /* What a review need not look at every context for: */
    uint32_t *holding;           /* bit per context: has pages */
    uint32_t *budgeted;          /* bit per context: the host has given it a budget */
    uint32_t recent;             /* contexts that use memory lately */
    uint8_t latest[SHARE_TURNS]; /* by turn: whose that DMA buffer was */
};
_Static_assert(CONTEXT_MAXIMUM <= 256, "a byte for a context");

/* Takes what it needs of `tables`; if that is short nothing else may be called. */
void share_init(struct share_table *table, struct tables *tables);
/* A new context: no budget, not used lately. What was counted of an earlier one is forgotten. */
void share_open(struct share_table *table, uint32_t context, uint32_t weight);
/* It owns nothing any more; what its budget kept is the others'. */
void share_close(struct share_table *table, uint32_t context);

/* The host gives it so many pages, less than 2^24; 0: an automatic share. */
void share_set_budget(struct share_table *table, uint32_t context, uint32_t budget);

/* Its part of the automatic shares; not 0. */
void share_set_weight(struct share_table *table, uint32_t context, uint32_t weight);

/* One of its DMA buffers begins. O(1). */
void share_use(struct share_table *table, uint32_t context);

/* Was the DMA buffer begun last its? Not of another context that had the same place in the table. */
static inline bool share_is_last(const struct share_table *table, uint32_t context)
{
    return table->entry[context].used_at == table->turn;
}

/* It has pages now and had none, or the other way round. */
void share_note_holder(struct share_table *table, uint32_t context);

/* So many pages more or fewer are its own, or NO_CONTEXT's. O(1). */
static inline void share_count(struct share_table *table, uint32_t context, uint32_t pages, bool is_added)
{
    struct share *share = context == (uint32_t)NO_CONTEXT ? &table->nobody : &table->entry[context];
    const uint32_t before = share->pages;
    ASSERT(is_added || before >= pages);
    share->pages = is_added ? before + pages : before - pages;
    share->peak = max_u32(share->peak, share->pages);
    table->pages = is_added ? table->pages + pages : table->pages - pages;
    if ((before == 0u) != (share->pages == 0u)) share_note_holder(table, context);
}

/* Pages of `owner` have been evicted for another, `context`; nothing is counted if either is NO_CONTEXT. */
void share_evicted(struct share_table *table, uint32_t owner, uint32_t context, uint32_t pages);

/* Do pages belong to another context, or to none? */
static inline bool share_has_others(const struct share_table *table, uint32_t context)
{
    return table->pages != (context == (uint32_t)NO_CONTEXT ? &table->nobody : &table->entry[context])->pages;
}

/* Memory is full, as far as `pages` more for `context` are concerned, whose plan has brought in `placed`: whose pages
 * should stay while others' are left? Those within their shares of what is used now, as these are if `context` takes
 * all that is its due, and what the others do not use of theirs is divided again. While the planner goes on, an
 * automatic share is compared with `peak`: of two that cannot be content with their shares, each has memory to itself
 * in its turn, which moves fewer pages. That stays so until the next call. O(1) if no other has pages, else
 * O(contexts / 32 + those with budgets + those that use memory lately), and at worst the square of the last for the
 * division. */
void share_review(struct share_table *table, uint32_t context, uint32_t placed, uint32_t pages);

static inline bool share_has_protected(const struct share_table *table) { return table->has_protected; }

static inline bool share_is_protected(const struct share_table *table, uint32_t context)
{
    return context != (uint32_t)NO_CONTEXT && bit_is_set(table->protected, context);
}

/* Its share of so many pages of memory. O(1). */
uint32_t share_of(const struct share_table *table, uint32_t context, uint32_t memory_pages);

/* Validator: what is kept for reviews is what the entries say. */
bool share_check(const struct share_table *table);

#endif
