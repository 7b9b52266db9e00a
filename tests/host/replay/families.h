/* SPDX-License-Identifier: Apache-2.0
 *
 * Invented workloads for the tests, as pagesim-1 text: six families after the ways programs use video memory,
 * small enough for a test of a few seconds, and random ones that exercise every corner of the format.
 */
#ifndef FAMILIES_H
#define FAMILIES_H

#include <stdint.h>

enum family {
    FAMILY_STREAMING,    /* a camera moves along a row of textures */
    FAMILY_COMPOSITION,  /* windows and tiles of a desktop, dirty ones only */
    FAMILY_MULTIPASS,    /* render targets written and read back inside a frame */
    FAMILY_PINGPONG,     /* a blocked grid larger than memory, two sides in turns */
    FAMILY_MIXED,        /* sizes over three decades: fragmentation */
    FAMILY_PATHOLOGICAL, /* cyclic scans slightly larger than memory */
    FAMILY_COUNT
};
extern const char *const family_names[FAMILY_COUNT];

/* The text; free() it. Local memory is 256 pages. NULL: out of memory. */
char *family_text(enum family family, uint32_t seed, uint32_t frames);

/* A tiny random workload: 1 or 2 memory segments, maybe an aperture, all kinds of allocations, slots that are
 * shared, rebound to the same allocation and unbound, several entries per group. */
char *random_text(uint32_t seed);

#endif
