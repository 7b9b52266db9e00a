/* SPDX-License-Identifier: Apache-2.0
 *
 * See timeline.h. Nothing is held back: an event is a line of the file when the call returns.
 */
#include "tools/view/timeline.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct timeline {
    FILE *file;
    uint64_t bytes; /* about */
};

/* Bytes of the character of UTF-8 that begins here; 0: none does. */
static size_t character_bytes(const unsigned char *text)
{
    const uint32_t first = text[0];
    const size_t count = first < 0x80u ? 1 : first < 0xc2u ? 0 : first < 0xe0u ? 2 : first < 0xf0u ? 3 : 4;
    if (first > 0xf4u || count == 0) return 0;
    for (size_t i = 1; i < count; i++)
        if ((text[i] & 0xc0u) != 0x80u) return 0;
    const bool is_long = (first == 0xe0u && text[1] < 0xa0u) || (first == 0xf0u && text[1] < 0x90u);
    const bool is_beyond = (first == 0xedu && text[1] > 0x9fu) || (first == 0xf4u && text[1] > 0x8fu);
    return is_long || is_beyond ? 0 : count;
}

void json_print_text(FILE *file, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != 0;) {
        const size_t count = character_bytes(at);
        if (*at == '"' || *at == '\\') fputc('\\', file);
        if (count == 0) fputs("\\ufffd", file);
        else if (*at < 0x20u || *at == '<') fprintf(file, "\\u%04x", *at);
        else fwrite(at, 1, count, file);
        at += count != 0 ? count : 1;
    }
}

/* The members every event has; its line stays open. */
static FILE *begin_event(struct timeline *timeline, char phase, struct track track, uint64_t cycle, const char *name)
{
    FILE *file = timeline->file;
    fprintf(file, ",\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ",\"name\":\"", phase,
            track.group, track.line, cycle);
    json_print_text(file, name);
    fputc('"', file);
    timeline->bytes += 80u + strlen(name);
    return file;
}

static void end_event(FILE *file, const char *arguments)
{
    if (arguments != NULL && arguments[0] != 0) fprintf(file, ",\"args\":{%s}", arguments);
    fputc('}', file);
}

void timeline_span(struct timeline *timeline, struct track track, uint64_t begin, uint64_t end, const char *name,
                   const char *arguments)
{
    if (timeline == NULL) return;
    FILE *file = begin_event(timeline, 'X', track, begin, name);
    fprintf(file, ",\"dur\":%" PRIu64, end - begin);
    if (arguments != NULL) timeline->bytes += strlen(arguments);
    end_event(file, arguments);
}

void timeline_instant(struct timeline *timeline, struct track track, uint64_t cycle, const char *name,
                      const char *arguments)
{
    if (timeline == NULL) return;
    FILE *file = begin_event(timeline, 'i', track, cycle, name);
    fputs(",\"s\":\"t\"", file);
    end_event(file, arguments);
}

void timeline_flow(struct timeline *timeline, struct track track, uint64_t cycle, char phase, const char *category,
                   uint32_t id)
{
    if (timeline == NULL) return;
    FILE *file = begin_event(timeline, phase, track, cycle, category);
    fprintf(file, ",\"cat\":\"%s\",\"id\":%" PRIu32 "%s", category, id, phase == 's' ? "" : ",\"bp\":\"e\"");
    end_event(file, NULL);
}

void timeline_counter(struct timeline *timeline, uint32_t group, uint64_t cycle, const char *name,
                      const char *arguments)
{
    if (timeline != NULL) end_event(begin_event(timeline, 'C', (struct track){group, 0}, cycle, name), arguments);
}

void timeline_overlapping(struct timeline *timeline, uint32_t group, uint64_t cycle, char phase, const char *category,
                          uint32_t id, const char *name)
{
    if (timeline == NULL) return;
    FILE *file = begin_event(timeline, phase, (struct track){group, 0}, cycle, name);
    fprintf(file, ",\"cat\":\"%s\",\"id\":%" PRIu32, category, id);
    end_event(file, NULL);
}

static void metadata(struct timeline *timeline, const char *kind, struct track track, const char *name)
{
    if (timeline == NULL) return;
    fprintf(timeline->file,
            ",\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s_name\",\"args\":{\"name\":\"",
            track.group, track.line, kind);
    json_print_text(timeline->file, name);
    fprintf(timeline->file,
            "\"}},\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s_sort_index\","
            "\"args\":{\"sort_index\":%" PRIu32 "}}",
            track.group, track.line, kind, track.line != 0 ? track.line : track.group);
}

void timeline_name_group(struct timeline *timeline, uint32_t group, const char *name)
{
    metadata(timeline, "process", (struct track){group, 0}, name);
}

void timeline_name_track(struct timeline *timeline, struct track track, const char *name)
{
    metadata(timeline, "thread", track, name);
}

struct timeline *timeline_open(const char *path)
{
    struct timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline == NULL || (timeline->file = fopen(path, "w")) == NULL) {
        free(timeline);
        return NULL;
    }
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us = 1 cycle\"},\"traceEvents\":[\n"
          "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_labels\",\"args\":{\"labels\":\"1 us = 1 cycle\"}}",
          timeline->file);
    return timeline;
}

uint64_t timeline_bytes(const struct timeline *timeline) { return timeline != NULL ? timeline->bytes : 0; }

int timeline_close(struct timeline *timeline)
{
    if (timeline == NULL) return 0;
    fputs("\n]}\n", timeline->file);
    bool is_bad = ferror(timeline->file) != 0;
    is_bad = fclose(timeline->file) != 0 || is_bad;
    free(timeline);
    return is_bad ? -1 : 0;
}
