/* SPDX-License-Identifier: Apache-2.0
 * Rounding, narrowing and bits for every number.
 * cbmc: --unwind 12 --unsigned-overflow-check --conversion-check
 */
#include "cbmc.h"

int main(void)
{
    const uint32_t bytes = nondet_u32(), pages = pages_of_bytes(bytes);
    PROVE((uint64_t)pages * PAGE_BYTES >= bytes && (uint64_t)pages * PAGE_BYTES < (uint64_t)bytes + PAGE_BYTES);
    const uint32_t log2 = nondet_u32(), value = nondet_u32();
    ASSUME(log2 < 28u && value <= UINT32_MAX - (1u << log2));
    const uint32_t up = align_up(value, 1u << log2);
    PROVE(up >= value && up - value < 1u << log2 && up % (1u << log2) == 0u);
    const uint32_t bits = nondet_u32();
    ASSUME(bits != 0u);
    const uint32_t lowest = lowest_bit(bits);
    PROVE(lowest < 32u && (bits >> lowest & 1u) == 1u && (bits & ((1u << lowest) - 1u)) == 0u);
    const uint32_t small = nondet_u32();
    ASSUME(small <= UINT16_MAX);
    PROVE(narrow_u16(small) == small);
    return 0;
}
