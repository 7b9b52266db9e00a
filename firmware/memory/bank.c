/* SPDX-License-Identifier: Apache-2.0
 *
 * Hinted banks. A hint names a bank by its number, from 1; numbers that no bank has are passed over.
 */
#include "memory/bank.h"

struct page_range {
    uint32_t low, high;
};

bool bank_has_hints(const struct allocation_table *table, const struct allocation *entry)
{
    return allocation_details(table, entry)->hinted_banks != 0u && (entry->flags & ALLOCATION_PENDING_DESTROY) == 0u;
}

/* Hints are about the most preferred segment, SegmentId0, only. */
static bool has_hints(const struct allocation_table *table, const struct allocation *entry, uint32_t id)
{
    const uint32_t first = allocation_details(table, entry)->preferred & ((uint32_t)PREFERENCE_FROM_END - 1u);
    return bank_has_hints(table, entry) && first == id;
}

static bool find_bank(const struct allocation_table *table, uint32_t id, uint32_t hint, struct page_range *bank)
{
    const struct allocation_banks *banks = &table->banks[id - 1u];
    uint32_t number = hint & ((uint32_t)BANK_HINT_FROM_END - 1u);
    if (number == 0u || number > banks->count) return false;
    bank->low = number == 1u ? 0u : pages_of_bytes(banks->end[number - 2u]);
    bank->high =
        number == banks->count ? table->segment_pages[id - 1u] : banks->end[number - 1u] / (uint32_t)PAGE_BYTES;
    return bank->low < bank->high;
}

/* The lowest or highest place inside the bank. */
static bool find_in_bank(const struct segment_map *map, uint32_t id, const struct page_range *bank,
                         const struct segment_request *request, struct segment_place *place)
{
    bool is_found = false;
    uint32_t low = 0, before = map->none, owner = map->segment[id - 1u].head;
    for (;;) {
        uint32_t high = owner == map->none ? map->segment[id - 1u].pages : map->link[owner].first;
        uint32_t from = align_up(max_u32(low, bank->low), request->alignment_pages), to = min_u32(high, bank->high);
        if (from <= to && request->pages <= to - from) {
            uint32_t first = request->is_from_end ? align_down(to - request->pages, request->alignment_pages) : from;
            *place = (struct segment_place){first, before};
            is_found = true;
            if (!request->is_from_end) return true;
        }
        if (owner == map->none || high >= bank->high) return is_found;
        low = high + map->link[owner].count;
        before = owner;
        owner = map->link[owner].next;
    }
}

bool bank_find_hole(const struct allocation_table *table, const struct allocation *entry, const struct segment_map *map,
                    uint32_t id, struct segment_place *place)
{
    if (!has_hints(table, entry, id)) return false;
    const struct allocation_details *details = allocation_details(table, entry);
    struct segment_request request = {entry->pages, 1u << details->alignment_pages_log2, false};
    for (uint32_t left = details->hinted_banks; left != 0u; left >>= BANK_HINT_BITS) {
        struct page_range bank;
        request.is_from_end = (left & BANK_HINT_FROM_END) != 0u;
        if (find_bank(table, id, left, &bank) && find_in_bank(map, id, &bank, &request, place)) return true;
    }
    return false;
}

bool bank_is_hinted(const struct allocation_table *table, const struct allocation *entry, uint32_t id,
                    uint32_t first_page)
{
    if (!has_hints(table, entry, id)) return false;
    for (uint32_t left = allocation_details(table, entry)->hinted_banks; left != 0u; left >>= BANK_HINT_BITS) {
        struct page_range bank;
        if (!find_bank(table, id, left, &bank)) continue;
        if (bank.low <= first_page && first_page + entry->pages <= bank.high) return true;
    }
    return false;
}
