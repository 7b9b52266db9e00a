/* SPDX-License-Identifier: Apache-2.0
 *
 * What a driver says of its segments and of itself, judged once at boot before anything believes it, and the
 * memory totals that follow from it. Pure functions: no state, no hardware.
 */
#ifndef FIRMWARE_SEGMENT_DESCRIPTION_H
#define FIRMWARE_SEGMENT_DESCRIPTION_H

#include <stdint.h>

#include "platform/base.h"
#include "ddi/ddi.h"

/* The rules, in the order in which they are tried; X(name, what a driver must do). */
#define SEGMENT_RULES(X) \
    X(COUNT, "as many segments as this manager has room for") \
    X(FLAGS_KNOWN, "no flag that this version does not know") \
    X(AGP_ALONE, "Agp combined with no other flag (SEG-12)") \
    X(AGP_INFO, "an AGP segment only with AGP information (SEG-06)") \
    X(AGP_ONCE, "at most one AGP segment (SEG-13)") \
    X(CACHE_COHERENT, "CacheCoherent only with Aperture (SEG-24)") \
    X(PRESERVE, "one of the four triples of preserve flags (SEG-26)") \
    X(SYSTEM_END, "SystemMemoryEndAddress only with PartiallyPreservedDuringHibernate") \
    X(SIZE, "Size a page multiple, inside the 32-bit address space (SEG-14)") \
    X(COMMIT_LIMIT, "CommitLimit of a memory segment equal to its Size, of an aperture whole pages (SEG-15)") \
    X(CPU_ADDRESS, "CpuTranslatedAddress only with CpuVisible (SEG-25)") \
    X(BANKS, "banks only with UseBanking, ends ascending inside the segment (SEG-22)") \
    X(OVERLAP, "segments apart from each other (SEG-20)") \
    X(PAGING_SEGMENT, "PagingBufferSegmentId an aperture segment or 0 (SEG-10)") \
    X(PAGING_SIZE, "PagingBufferSize not 0") \
    X(SLOTS, "MaxAllocationListSlotId inside the 24-bit slot field and the manager's table (CAP-01)") \
    X(SCHEDULING_CAPS, "capabilities with what they need (CAP-02)") \
    X(PAGING_NODE, "PagingNode one of the nodes (CAP-05)")

enum segment_rule {
    SEGMENT_RULE_NONE, /* nothing is wrong */
#define X(name, text) SEGMENT_RULE_##name,
    SEGMENT_RULES(X)
#undef X
        SEGMENT_RULE_COUNT_OF
};

/* What the manager can hold. */
struct segment_description_limits {
    uint32_t segments; /* at most */
    uint32_t slots;    /* rows of the resource table */
};

/* The first rule that is broken, and the segment that breaks it (index; 0 where no segment is to blame). */
struct segment_fault {
    enum segment_rule rule;
    uint32_t segment;
};

/* True: sound. False: `fault` says why. `out` is complete (second call). O(segments^2 + banks). */
bool segment_description_check(const struct ddi_query_segment_in *in, const struct ddi_query_segment_out *out,
                               const struct ddi_driver_caps *caps, const struct segment_description_limits *limits,
                               struct segment_fault *fault);

/* What is reported of memory, and what bounds it (SEG-27), bytes. */
struct memory_totals {
    uint64_t available_system_memory; /* TotalSystemMemoryAvailableForGraphics */
    uint64_t dedicated_video_memory;
    uint64_t dedicated_system_memory;
    uint64_t shared_system_memory; /* also the limit on what all apertures map together (SEG-17) */
    uint64_t total_video_memory;
};

struct memory_totals segment_description_totals(const struct ddi_query_segment_out *out,
                                                const struct ddi_driver_caps *caps, uint64_t system_bytes);

#endif
