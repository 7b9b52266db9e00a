/* SPDX-License-Identifier: Apache-2.0
 * The regions of every SUBMIT message: what is accepted lies in system memory and fits its room.
 * cbmc: --unwind 10 --unsigned-overflow-check
 */
#include "cbmc.h"
#include "validate/validate.c"

int main(void)
{
    static struct allocation_table table;
    static struct validation scratch;
    uint32_t message[MESSAGE_WORDS];
    struct refusal why;
    for (uint32_t i = 2; i < 10u; i++) message[i] = nondet_u32();
    table.system_pages = nondet_u32();
    scratch.list_limit = nondet_u32();
    scratch.dma_limit = nondet_u32();
    ASSUME(scratch.list_limit <= (uint32_t)LIST_MAXIMUM && scratch.dma_limit <= (uint32_t)DMA_BYTES_MAXIMUM);
    const uint32_t room = nondet_u32();
    if (!check_regions(&scratch, &table, message, room, &why)) {
        PROVE(why.status != STATUS_OK);
        return 0;
    }
    const uint64_t limit = (uint64_t)table.system_pages * PAGE_BYTES;
    const uint64_t bytes[] = {message[MSG_SUBMIT_DMA_BYTES], message[MSG_SUBMIT_LIST_COUNT] * 8ull,
                              message[MSG_SUBMIT_PATCH_COUNT] * 24ull};
    const uint32_t at[] = {MSG_SUBMIT_DMA, MSG_SUBMIT_LIST, MSG_SUBMIT_PATCHES};
    for (uint32_t i = 0; i < 3u; i++)
        PROVE(bytes[i] == 0u || (message[at[i]] % 4u == 0u && message[at[i]] + bytes[i] <= limit));
    PROVE(bytes[0] <= scratch.dma_limit && message[MSG_SUBMIT_LIST_COUNT] <= scratch.list_limit);
    PROVE(message[MSG_SUBMIT_PATCH_COUNT] <= scratch.list_limit && message[MSG_SUBMIT_PATCH_COUNT] <= room);
    return 0;
}
