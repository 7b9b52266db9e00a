/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of what is written, held against those that a file says: for test_written.c and test_reports.c.
 */
#ifndef TESTS_HELD_H
#define TESTS_HELD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

static unsigned passed, failed, skipped;
static const char *folder, *sums;
static uint32_t seed = 1;

static inline uint32_t pick(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 4) * limit >> 28);
}

/* ------------------------------------------------------------------ sums */

static inline void hold(const char *name, uint32_t sum)
{
    char line[128], known[64];
    unsigned expected = 0;
    bool is_held = false;
    FILE *file = fopen(sums, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%63s %x", known, &expected) == 2 && strcmp(known, name) == 0) is_held = expected == sum;
    if (file != NULL) fclose(file);
    printf("sum %s %08x\n", name, (unsigned)sum);
    if (is_held) passed++;
    else failed++, printf("FAILED: %s is not what %s says\n", name, sums);
}

static inline uint8_t *load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    static uint8_t content[64 << 20];
    *bytes = file != NULL ? fread(content, 1, sizeof content - 1, file) : 0;
    content[*bytes] = 0;
    if (file != NULL) fclose(file);
    return content;
}

/* From the first `begin` in the file to the first `end` after it; the whole file with "". */
static inline void hold_file(const char *name, const char *begin, const char *end)
{
    char path[512];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *content = (char *)load(path, &bytes), *from = strstr(content, begin);
    char *to = from != NULL && *end != 0 ? strstr(from, end) : content + bytes;
    if (from == NULL || to == NULL || to == from) failed++, printf("FAILED: %s has no %s\n", path, begin);
    else hold(name, (uint32_t)crc32(0, (const uint8_t *)from, (uInt)(to - from)));
}

#endif
