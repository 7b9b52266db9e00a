/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: the firmware's decisions and stages from trace.json. view_firmware.c and view.c write what is read
 * here: an event is a line, so that a file of 256 MB needs no memory of its size.
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_GPU = 1, GROUP_SEGMENT = 10, TRACK_FIRMWARE = 2, TAGS = 256, STAYS_MAX = 400000 };

const char *const compare_stage_names[COMPARE_STAGES] = {
    [STAGE_VALIDATE] = "validate and accept",
    [STAGE_PLAN] = "plan portions",
    [STAGE_EVICT] = "evict",
    [STAGE_PAGE_IN] = "page in",
    [STAGE_MOVE] = "move",
    [STAGE_PAGING] = "submit paging buffers",
    [STAGE_PORTION] = "grant, patch, submit portions",
    [STAGE_RETIRE] = "retire portions",
    [STAGE_COMPLETE] = "complete",
    [STAGE_LOOK] = "look for work",
    [STAGE_OTHER] = "other",
};

/* Where an allocation came to, and when. */
struct arrival {
    uint64_t cycle;
    uint32_t name, place;
};

struct reading {
    struct compare_trace *trace;
    struct arrival *arrivals;
    uint32_t arrival_count, arrival_room;
    uint32_t open; /* the first decision whose portion is not known yet */
    uint32_t frame, buffers;
    struct tag {
        uint32_t tag, buffer, frame;
    } tags[TAGS], now; /* of DMA buffers, by tag % TAGS; of the portion at hand */
    uint32_t *table;   /* names by hash: index + 1 */
    uint32_t table_size;
    bool is_short, is_portion; /* memory ran out; the last arrow began a portion */
};

/* ------------------------------------------------------------------ lists */

static void *append(struct reading *reading, void **list, uint32_t *count, uint32_t *room, uint32_t limit, size_t bytes)
{
    if (*count == *room && *room < limit) {
        uint32_t wanted = *room != 0 ? *room * 2u : 1024u;
        wanted = wanted < limit ? wanted : limit;
        void *larger = realloc(*list, wanted * bytes);
        reading->is_short = reading->is_short || larger == NULL;
        if (larger == NULL) return NULL;
        *list = larger;
        *room = wanted;
    }
    if (*count == *room) return NULL;
    return memset((uint8_t *)*list + (size_t)(*count)++ * bytes, 0, bytes);
}

static uint32_t hash(const char *text)
{
    uint32_t value = 2166136261u;
    for (; *text != 0; text++) value = (value ^ (uint8_t)*text) * 16777619u;
    return value;
}

static bool grow_table(struct reading *reading)
{
    uint32_t size = reading->table_size != 0 ? 2u * reading->table_size : 4096u;
    uint32_t *table = calloc(size, sizeof *table);
    reading->is_short = reading->is_short || table == NULL;
    if (table == NULL) return false;
    for (uint32_t i = 0; i < reading->trace->name_count; i++) {
        uint32_t at = hash(reading->trace->names[i]) & (size - 1u);
        while (table[at] != 0) at = (at + 1u) & (size - 1u);
        table[at] = i + 1u;
    }
    free(reading->table);
    reading->table = table;
    reading->table_size = size;
    return true;
}

/* Its number; a new one is entered. */
static uint32_t name_number(struct reading *reading, const char *text)
{
    struct compare_trace *trace = reading->trace;
    char name[sizeof trace->names[0]];
    snprintf(name, sizeof name, "%s", text);
    if (2u * (trace->name_count + 1u) > reading->table_size && !grow_table(reading)) return 0;
    uint32_t at = hash(name) & (reading->table_size - 1u);
    for (; reading->table[at] != 0; at = (at + 1u) & (reading->table_size - 1u))
        if (strcmp(trace->names[reading->table[at] - 1u], name) == 0) return reading->table[at] - 1u;
    char(*entry)[24] = append(reading, (void **)&trace->names, &trace->name_count, &trace->name_room, COMPARE_DECISIONS,
                              sizeof *entry);
    if (entry == NULL) return 0;
    memcpy(*entry, name, sizeof *entry);
    reading->table[at] = trace->name_count;
    return trace->name_count - 1u;
}

/* ------------------------------------------------------------------ events */

static uint64_t whole(const json_object *event, const char *name)
{
    int64_t value = json_object_get_int64(compare_member(event, name));
    return value > 0 ? (uint64_t)value : 0;
}

static const char *words(const json_object *event, const char *name)
{
    json_object *value = compare_member(event, name);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

static struct compare_decision *decide(struct reading *reading, enum compare_kind kind, const char *name,
                                       uint64_t cycle)
{
    struct compare_trace *trace = reading->trace;
    struct compare_decision *decision = append(reading, (void **)&trace->decisions, &trace->decision_count,
                                               &trace->decision_room, COMPARE_DECISIONS, sizeof *decision);
    if (decision == NULL) return NULL;
    *decision = (struct compare_decision){.kind = kind,
                                          .name = name != NULL ? name_number(reading, name) : 0,
                                          .frame = UINT32_MAX,
                                          .buffer = UINT32_MAX,
                                          .portion = trace->portions,
                                          .cycle = cycle};
    return decision;
}

/* All that was decided since the last portion was for this one. */
static void label(struct reading *reading)
{
    struct compare_trace *trace = reading->trace;
    for (; reading->open < trace->decision_count; reading->open++) {
        trace->decisions[reading->open].frame = reading->now.frame;
        trace->decisions[reading->open].buffer = reading->now.buffer;
    }
}

/* A span of the firmware ends: it is named after what it did. */
static void take_stage(struct reading *reading, const json_object *event)
{
    static const struct {
        const char *begin;
        enum compare_stage stage;
        int kind; /* of the decision, -1: none */
    } stages[] = {{"evict ", STAGE_EVICT, COMPARE_EVICT},
                  {"page in ", STAGE_PAGE_IN, COMPARE_PAGE_IN},
                  {"move ", STAGE_MOVE, COMPARE_MOVE},
                  {"grant, patch, submit portion ", STAGE_PORTION, COMPARE_PORTION},
                  {"plan ", STAGE_PLAN, -1},
                  {"submit paging buffer ", STAGE_PAGING, -1},
                  {"retire portion ", STAGE_RETIRE, -1},
                  {"complete ", STAGE_COMPLETE, -1},
                  {"look for work", STAGE_LOOK, -1},
                  {"validate ", STAGE_VALIDATE, -1},
                  {"accept ", STAGE_VALIDATE, -1}};
    const char *name = words(event, "name");
    if (strncmp(name, "decide portion ", 15) == 0) return; /* around others */
    uint64_t cycles = whole(event, "dur"), cycle = whole(event, "ts") + cycles;
    size_t i = 0;
    while (i < sizeof stages / sizeof *stages && strncmp(name, stages[i].begin, strlen(stages[i].begin)) != 0) i++;
    bool is_known = i < sizeof stages / sizeof *stages;
    reading->trace->stage[is_known ? stages[i].stage : STAGE_OTHER] += cycles;
    if (!is_known || stages[i].kind < 0) return;
    bool is_portion = stages[i].kind == COMPARE_PORTION;
    decide(reading, (enum compare_kind)stages[i].kind, is_portion ? NULL : name + strlen(stages[i].begin), cycle);
    if (!is_portion) return;
    label(reading);
    reading->trace->portions++;
}

/* The arrows of a portion come before its span: portion, then submission. */
static void take_arrow(struct reading *reading, const json_object *event, char phase)
{
    const char *category = words(event, "cat");
    uint32_t id = (uint32_t)whole(event, "id");
    if (strcmp(category, "frame") == 0 && phase == 'b') reading->frame = id;
    if (strcmp(category, "submission") == 0 && phase == 's')
        reading->tags[id % TAGS] = (struct tag){id, reading->buffers++, reading->frame};
    if (strcmp(category, "submission") == 0 && phase == 't' && reading->is_portion &&
        reading->tags[id % TAGS].tag == id)
        reading->now = reading->tags[id % TAGS];
    reading->is_portion = strcmp(category, "portion") == 0 && phase == 's';
    if (reading->is_portion) reading->now = (struct tag){0, UINT32_MAX, UINT32_MAX};
}

/* Of a segment's track: "in NAME"; of a page's, which has no such word, a stay that has ended. */
static void take_stay(struct reading *reading, const json_object *event, uint64_t segment)
{
    const json_object *about = compare_member(event, "args");
    const char *name = words(event, "name");
    bool is_arrival = compare_member(about, "since") == NULL;
    if (!is_arrival && strncmp(name, "out ", 4) == 0) return;
    if (is_arrival && strncmp(name, "in ", 3) == 0) name += 3;
    struct arrival *arrival = append(reading, (void **)&reading->arrivals, &reading->arrival_count,
                                     &reading->arrival_room, STAYS_MAX, sizeof *arrival);
    if (arrival == NULL) return;
    *arrival = (struct arrival){whole(event, "ts"), name_number(reading, name),
                                (uint32_t)(segment << 28 | (whole(about, "page") & 0x0fffffffu))};
    reading->trace->again[0] += json_object_get_boolean(compare_member(about, "again")) != 0;
    reading->trace->again[1]++;
}

static void take(struct reading *reading, const json_object *event)
{
    char phase = words(event, "ph")[0];
    uint64_t group = whole(event, "pid"), track = whole(event, "tid");
    bool is_firmware = group == GROUP_GPU && track == TRACK_FIRMWARE;
    struct compare_trace *trace = reading->trace;
    if (phase == 'X' && is_firmware) take_stage(reading, event);
    else if (phase == 'X' && group > GROUP_SEGMENT && group < GROUP_SEGMENT + 16u)
        take_stay(reading, event, group - GROUP_SEGMENT);
    else if (phase == 'i' && is_firmware && strcmp(words(event, "name"), "split at byte") == 0) {
        if (trace->decision_count != 0 && trace->decisions[trace->decision_count - 1u].kind == COMPARE_PORTION)
            trace->decisions[trace->decision_count - 1u].place =
                (uint32_t)whole(compare_member(event, "args"), "value");
    } else if (phase == 'b' || phase == 's' || phase == 't') take_arrow(reading, event, phase);
}

/* ------------------------------------------------------------------ places */

static int by_cycle(const void *left, const void *right)
{
    const struct arrival *a = left, *b = right;
    if (a->cycle != b->cycle) return a->cycle < b->cycle ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

static void find_places(struct reading *reading)
{
    struct compare_trace *trace = reading->trace;
    if (reading->arrival_count == 0) return;
    qsort(reading->arrivals, reading->arrival_count, sizeof *reading->arrivals, by_cycle);
    for (uint32_t i = 0; i < trace->decision_count; i++) {
        struct compare_decision *decision = &trace->decisions[i];
        const struct arrival key = {decision->cycle, decision->name, 0};
        const struct arrival *arrival = NULL;
        if (decision->kind == COMPARE_PAGE_IN || decision->kind == COMPARE_MOVE)
            arrival = bsearch(&key, reading->arrivals, reading->arrival_count, sizeof key, by_cycle);
        if (arrival != NULL) decision->place = arrival->place;
    }
}

/* ------------------------------------------------------------------ the file */

/* Lines that are not looked at, by far the most: counters, single packets. */
static bool is_of_use(const char *line)
{
    return strncmp(line, "{\"ph\":\"C\"", 9) != 0 && strncmp(line, "{\"ph\":\"M\"", 9) != 0 &&
           strstr(line, "\"pid\":1,\"tid\":3,") == NULL && strstr(line, "\"pid\":1,\"tid\":4,") == NULL;
}

/* False: the line is no event. */
static bool take_line(struct reading *reading, char *line, size_t bytes)
{
    while (bytes > 0 && strchr(",\r\n", line[bytes - 1]) != NULL) line[--bytes] = 0;
    if (bytes == 0 || strcmp(line, "]}") == 0 || !is_of_use(line)) return true;
    json_object *event = json_tokener_parse(line);
    if (event != NULL) take(reading, event);
    bool is_event = json_object_is_type(event, json_type_object);
    json_object_put(event);
    return is_event;
}

static bool read_lines(FILE *file, struct reading *reading, char message[COMPARE_MESSAGE])
{
    char *line = NULL;
    size_t room = 0, number = 0;
    ssize_t bytes = getline(&line, &room, file);
    bool is_good = bytes > 0 && strncmp(line, "{\"displayTimeUnit\"", 18) == 0, is_ended = false;
    while (is_good && (bytes = getline(&line, &room, file)) > 0) {
        number++;
        is_ended = strcmp(line, "]}\n") == 0;
        is_good = take_line(reading, line, (size_t)bytes);
    }
    free(line);
    if (number == 0) snprintf(message, COMPARE_MESSAGE, "it is not a time line of Tessera");
    else if (!is_good) snprintf(message, COMPARE_MESSAGE, "it is damaged at line %zu", number + 1u);
    else if (!is_ended) snprintf(message, COMPARE_MESSAGE, "its end is missing");
    return number != 0 && is_good && is_ended;
}

bool compare_read_trace(const char *folder, struct compare_trace *trace, char message[COMPARE_MESSAGE])
{
    char path[COMPARE_MESSAGE + 16];
    struct reading *reading = calloc(1, sizeof *reading);
    memset(trace, 0, sizeof *trace);
    snprintf(path, sizeof path, "%s/trace.json", folder);
    FILE *file = reading != NULL ? fopen(path, "r") : NULL;
    bool is_good = file != NULL;
    if (reading != NULL) reading->trace = trace;
    if (reading == NULL) snprintf(message, COMPARE_MESSAGE, "out of memory");
    else if (file == NULL) snprintf(message, COMPARE_MESSAGE, "%s", strerror(errno));
    if (is_good) is_good = read_lines(file, reading, message);
    if (is_good && reading->is_short) {
        snprintf(message, COMPARE_MESSAGE, "out of memory");
        is_good = false;
    }
    if (is_good) find_places(reading);
    if (file != NULL) fclose(file);
    if (reading != NULL) {
        free(reading->arrivals);
        free(reading->table);
    }
    free(reading);
    if (!is_good) compare_free_trace(trace);
    trace->is_read = is_good;
    return is_good;
}

void compare_free_trace(struct compare_trace *trace)
{
    free(trace->decisions);
    free(trace->names);
    memset(trace, 0, sizeof *trace);
}
