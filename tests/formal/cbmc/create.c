/* SPDX-License-Identifier: Apache-2.0
 * Every CREATE_ALLOCATION message that is not swizzled, over segments of up to PAGES pages: what is created, later
 * stages may rely on.
 * cbmc: --unwind 18 --unsigned-overflow-check --conversion-check
 */
#include "cbmc.h"
#include "memory/allocation.c"

enum { PAGES = 20 };

static struct allocation entries[6];
static struct allocation_details details[6];
static uint16_t of_client[CLIENT_LIMIT];
static struct allocation_table table = {
    .entry = entries, .details = details, .limit = ALLOCATION_DEFAULT, .of_client = of_client};

int main(void)
{
    uint32_t message[MESSAGE_WORDS], handle = 0;
    struct refusal why;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        table.segment_pages[i] = nondet_u16();
        ASSUME(table.segment_pages[i] <= PAGES);
        table.segment_set |= (uint32_t)(table.segment_pages[i] != 0u) << i;
    }
    table.aperture_set = nondet_u32() & table.segment_set;
    table.commit_limit = nondet_u32();
    table.system_pages = nondet_u32();
    ASSUME(table.system_pages >= 1u && table.system_pages <= 0x80000u);
    system_bytes_there = table.system_pages * (uint32_t)PAGE_BYTES;
    table.free_head = 5; /* one entry stands for all: their places are alike */
    table.live_count = nondet_u16();
    ASSUME(table.live_count < ALLOCATION_DEFAULT);
    table.entry[5].first_page = (uint16_t)NO_ENTRY;
    table.entry[5].generation = nondet_u16();
    for (uint32_t i = 0; i < MESSAGE_WORDS; i++) message[i] = nondet_u32();
    ASSUME(message[0] >> 16 < CLIENT_LIMIT);                                    /* command.c has seen to that */
    ASSUME((message[MSG_CREATE_ALLOCATION_FLAGS] & ALLOCATION_SWIZZLED) == 0u); /* shape.c */
    const uint32_t client = message[0] >> 16;
    of_client[client] = nondet_u16();
    ASSUME(of_client[client] <= table.live_count);
    const uint32_t held = of_client[client], used = table.live_count;
    if (!allocation_create(&table, message, &handle, &why)) {
        PROVE(why.status != STATUS_OK);
        return 0;
    }
    const struct allocation *entry = &table.entry[5];
    const struct allocation_details *more = &table.details[5];
    PROVE(of_client[client] == held + 1u && table.live_count == used + 1u);
    PROVE(client == 0u || used < ALLOCATION_DEFAULT - ALLOCATION_DEFAULT / 8 ||
          held < ALLOCATION_DEFAULT / CLIENT_LIMIT); /* nobody takes the last of the table */
    PROVE(handle != 0u && entry->pages >= 1u && entry->pages <= PAGES);
    PROVE((uint64_t)entry->pages * PAGE_BYTES >= message[MSG_CREATE_ALLOCATION_BYTES]);
    PROVE(message[MSG_CREATE_ALLOCATION_PAGES] % 4u == 0u);
    PROVE(message[MSG_CREATE_ALLOCATION_PAGES] + 4ull * entry->pages <= system_bytes_there);
    /* Finding 1: an alignment that later stages count in 16 bits. */
    PROVE(1u << more->alignment_pages_log2 <= UINT16_MAX);
    PROVE((uint64_t)PAGE_BYTES << more->alignment_pages_log2 >= message[MSG_CREATE_ALLOCATION_ALIGNMENT]);
    PROVE(((entry->read_set | more->write_set) & ~table.segment_set) == 0u);
    PROVE((more->eviction_set & ~table.aperture_set) == 0u);
    return 0;
}
