/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer's side of a target (fuzz.h). Where inputs have records, half of the changes are of whole ones: copied,
 * left out, moved, so that what leads deep stays whole; the others are libFuzzer's own, inside one record.
 */
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t room, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    fuzz_one(bytes, count);
    return 0;
}

/* Open a gap of a record at `at` and fill it with a copy of the one at `from`. */
static size_t copy_record(uint8_t *bytes, size_t count, size_t room, size_t at, size_t from, size_t record)
{
    uint8_t keep[64];
    if (count + record > room || record > sizeof keep) return count;
    memcpy(keep, bytes + from, record);
    memmove(bytes + at + record, bytes + at, count - at);
    memcpy(bytes + at, keep, record);
    return count + record;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t room, unsigned seed)
{
    size_t header, record;
    fuzz_shape(&header, &record);
    const size_t records = count > header ? (count - header) / record : 0u;
    if (record == 1u || records == 0u) return LLVMFuzzerMutate(bytes, count, room);
    const size_t at = header + seed / 16u % records * record, from = header + seed / 4096u % records * record;
    switch (seed % 16u) {
    case 0: return LLVMFuzzerMutate(bytes, count, room); /* it may shift everything */
    case 1: LLVMFuzzerMutate(bytes, header, header); return count;
    case 2:
    case 3: /* leave one out */ memmove(bytes + at, bytes + at + record, count - at - record); return count - record;
    case 4:
    case 5:
    case 6: return copy_record(bytes, count, room, at, from, record);
    case 7: { /* a new one */
        const size_t longer = copy_record(bytes, count, room, at, from, record);
        if (longer != count) LLVMFuzzerMutate(bytes + at, record, record);
        return longer;
    }
    case 8: { /* the rest goes */ return at + record;
    }
    default: LLVMFuzzerMutate(bytes + at, record, record); return count;
    }
}
