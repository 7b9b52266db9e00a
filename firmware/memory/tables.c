/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for tables: see tables.h.
 */
#include "memory/tables.h"

#include <string.h>

enum { TABLE_ALIGNMENT = 8 };

static bool is_limit(uint32_t limit, uint32_t unit, uint32_t maximum)
{
    return limit % unit == 0u && limit != 0u && limit <= maximum;
}

void tables_init(struct tables *tables, const struct table_limits *limits, const struct hal_memory part[2])
{
    ASSERT(is_limit(limits->allocations, 32, ALLOCATION_MAXIMUM) && is_limit(limits->contexts, 32, CONTEXT_MAXIMUM));
    ASSERT(is_limit(limits->list_entries, 32, LIST_MAXIMUM) && is_limit(limits->dma_bytes, 128, DMA_BYTES_MAXIMUM));
    *tables = (struct tables){.limits = *limits, .part = {part[0], part[1]}};
}

__attribute__((cold)) void *tables_take(struct tables *tables, uint32_t bytes)
{
    const uint32_t need = align_up(bytes, TABLE_ALIGNMENT);
    tables->taken += need;
    for (uint32_t i = 0; i < 2u; i++) {
        struct hal_memory *part = &tables->part[i];
        if (part->bytes < need) continue;
        unsigned char *start = part->start;
        part->start = start + need;
        part->bytes -= need;
        memset(start, 0, need);
        return start;
    }
    tables->is_short = true;
    return NULL;
}

struct index_set *tables_take_set(struct tables *tables)
{
    const uint32_t groups = (tables->limits.allocations + (uint32_t)GROUP_ENTRIES - 1u) / (uint32_t)GROUP_ENTRIES;
    const uint32_t word = (uint32_t)sizeof(uint32_t);
    uint32_t *start = tables_take(tables, groups * (word + (uint32_t)GROUP_BYTES) + (uint32_t)sizeof(struct index_set));
    if (start == NULL) return NULL;
    struct index_set *set = (struct index_set *)(start + groups);
    set->group_count = groups;
    return set;
}
