/* SPDX-License-Identifier: Apache-2.0
 * The shape of every swizzled allocation of up to LEVELS mip level and PAGES pages: whole tiles that fit their fields.
 * cbmc: --unwind 4 --unsigned-overflow-check
 */
#include "cbmc.h"
#include "memory/allocation.c"

enum { LEVELS = 1, PAGES = 8 };

int main(void)
{
    uint32_t message[MESSAGE_WORDS];
    struct refusal why;
    message[MSG_CREATE_ALLOCATION_PITCH] = nondet_u32();
    message[MSG_CREATE_ALLOCATION_HEIGHT] = nondet_u32();
    const uint32_t pages = nondet_u32();
    ASSUME(pages >= 1u && pages <= (uint32_t)PAGES && (message[MSG_CREATE_ALLOCATION_HEIGHT] >> 16 & 0xffu) <= LEVELS);
    if (!check_shape(message, pages * (uint32_t)PAGE_BYTES, &why)) return 0;
    PROVE(message[MSG_CREATE_ALLOCATION_PITCH] / GPU_LIMIT(TILE_ROW_BYTES) < 1u << 11); /* as many bits as there are */
    PROVE((message[MSG_CREATE_ALLOCATION_HEIGHT] & 0xffffu) / GPU_LIMIT(TILE_ROWS) < 1u << 13);
    PROVE(message[MSG_CREATE_ALLOCATION_HEIGHT] >> 16 <= 16u);
    return 0;
}
