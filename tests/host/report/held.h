/* SPDX-License-Identifier: Apache-2.0
 *
 * What a test writes, held against what is recorded: short texts as themselves, everything else as a sum (CRC-32).
 */
#ifndef TESTS_HELD_H
#define TESTS_HELD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ------------------------------------------------------------------ texts */

/* A text with more lines than a person reads, or with any other content, is held as a sum. */
enum { TEXT_LINES = 70, TEXT_COLUMNS = 160 };

static FILE *texts_file;          /* what is said now, in the form of the recorded file */
static const char *recorded = ""; /* that: after a line "== NAME" that text, its lines without blanks at their ends */

/* From here on texts are held against texts/NAME.txt beside the sums; FOLDER/NAME.txt gets what is said now. */
static inline void begin_texts(const char *name)
{
    char path[512];
    size_t bytes;
    snprintf(path, sizeof path, "%.*s/texts/%s.txt", (int)(strrchr(sums, '/') - sums), sums, name);
    recorded = strdup((const char *)load(path, &bytes));
    snprintf(path, sizeof path, "%s/%s.txt", folder, name);
    texts_file = fopen(path, "w");
    if (recorded == NULL || texts_file == NULL) printf("FAILED: cannot write %s\n", path), exit(2);
    fprintf(texts_file, "What a test says, each text after a line \"== NAME\". Taken again by: make report-written\n");
}

/* A line counts as often as it has TEXT_COLUMNS. */
static inline bool is_read(const char *text, size_t bytes)
{
    unsigned lines = 0, column = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == 0) return false;
        if (text[i] == '\n' || ++column == TEXT_COLUMNS) lines++, column = 0;
    }
    return lines <= TEXT_LINES;
}

/* The lines without blanks at their ends. The caller frees it. */
static inline char *trimmed(const char *text, size_t bytes)
{
    char *lines = malloc(bytes + 2);
    size_t used = 0;
    if (lines == NULL) exit(2);
    for (size_t i = 0; i <= bytes; i++) {
        const char next = i == bytes ? '\n' : text[i];
        while (next == '\n' && used > 0 && lines[used - 1] == ' ') used--;
        if (i < bytes || (used > 0 && lines[used - 1] != '\n')) lines[used++] = next;
    }
    lines[used] = 0;
    return lines;
}

static inline void write_lines(const char *path, const char *lines, size_t bytes)
{
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(lines, 1, bytes, file) != bytes || fclose(file) != 0) exit(2);
}

static inline void hold_text(const char *name, const char *text, size_t bytes)
{
    char title[128], path[512], found[512], command[1200];
    if (texts_file == NULL || !is_read(text, bytes)) {
        hold(name, (uint32_t)crc32(0, (const uint8_t *)text, (uInt)bytes));
        return;
    }
    char *lines = trimmed(text, bytes);
    fprintf(texts_file, "== %s\n%s", name, lines);
    snprintf(title, sizeof title, "\n== %s\n", name);
    const char *known = strstr(recorded, title), *end;
    known = known == NULL ? "" : known + strlen(title);
    end = strncmp(known, "== ", 3) == 0 ? known : strstr(known, "\n== ");
    const size_t length = end == NULL ? strlen(known) : end == known ? 0 : (size_t)(end + 1 - known);
    if (length == strlen(lines) && memcmp(known, lines, length) == 0) {
        passed++;
    } else {
        failed++, printf("FAILED: %s differs from what is recorded:\n", name), fflush(stdout);
        snprintf(path, sizeof path, "%s/recorded", folder), snprintf(found, sizeof found, "%s/found", folder);
        write_lines(path, known, length), write_lines(found, lines, strlen(lines));
        snprintf(command, sizeof command, "diff -u %s %s", path, found);
        if (system(command) == -1) printf("diff cannot be run\n");
    }
    free(lines);
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
    else hold_text(name, from, (size_t)(to - from));
}

#endif
