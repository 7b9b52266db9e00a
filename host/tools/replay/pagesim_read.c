/* SPDX-License-Identifier: Apache-2.0
 *
 * The file format "pagesim-1", read with json-c in strict mode. The reader believes nothing:
 * every value's type and range is checked where it is taken, so that the rest of the program need not.
 * A refusal is one line "FILE: PLACE: what is wrong"; the place is a line and byte for text that is not
 * JSON, and a path such as buffers[3].patches[0][2] for everything else.
 */
#include "tools/replay/pagesim.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (64u << 20)

struct reader {
    const char *file;
    char *message;
    char path[96]; /* of the object whose fields are being read, "" or ending in '.' */
};

static bool refuse(const struct reader *reader, const char *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(const struct reader *reader, const char *field, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(reader->message, PAGESIM_MESSAGE, "%.200s: %s%s%s%s", reader->file, reader->path, field,
             reader->path[0] != 0 || field[0] != 0 ? ": " : "", text);
    return false;
}

static const char *type_name(const json_object *value) { return json_type_to_name(json_object_get_type(value)); }

/* ------------------------------------------------------------------ values */

static bool take_integer(const struct reader *reader, const char *field, const json_object *value, int64_t low,
                         int64_t high, int64_t *out)
{
    if (!json_object_is_type(value, json_type_int))
        return refuse(reader, field, "an integer is expected, not %s", type_name(value));
    *out = json_object_get_int64(value);
    if (*out < low || *out > high)
        return refuse(reader, field, "%lld is not in %lld..%lld", (long long)*out, (long long)low, (long long)high);
    return true;
}

/* A field that may be missing: then `fallback`. */
static bool get_integer(const struct reader *reader, const json_object *object, const char *field, int64_t fallback,
                        int64_t low, int64_t high, int64_t *out)
{
    json_object *value;
    *out = fallback;
    if (!json_object_object_get_ex(object, field, &value)) return true;
    return take_integer(reader, field, value, low, high, out);
}

static bool get_flag(const struct reader *reader, const json_object *object, const char *field, bool *out)
{
    json_object *value;
    *out = false;
    if (!json_object_object_get_ex(object, field, &value)) return true;
    if (!json_object_is_type(value, json_type_boolean) && !json_object_is_type(value, json_type_int))
        return refuse(reader, field, "true or false is expected, not %s", type_name(value));
    *out = json_object_get_int64(value) != 0;
    return true;
}

static bool need(const struct reader *reader, const json_object *object, const char *field, enum json_type type,
                 json_object **out)
{
    if (!json_object_object_get_ex(object, field, out)) return refuse(reader, field, "missing");
    if (!json_object_is_type(*out, type))
        return refuse(reader, field, "%s is expected, not %s", json_type_to_name(type), type_name(*out));
    return true;
}

/* Element `index` of an array of objects; field names that follow are told relative to it. */
static bool enter(struct reader *reader, const char *array, size_t index, const json_object *element)
{
    snprintf(reader->path, sizeof reader->path, "%s[%zu]", array, index);
    if (!json_object_is_type(element, json_type_object))
        return refuse(reader, "", "an object is expected, not %s", type_name(element));
    strcat(reader->path, ".");
    return true;
}

/* A size in bytes becomes whole pages. */
static bool get_pages(const struct reader *reader, const json_object *object, const char *field, bool is_rounded_up,
                      uint32_t *pages)
{
    json_object *value;
    int64_t bytes = 0;
    if (!need(reader, object, field, json_type_int, &value) ||
        !take_integer(reader, field, value, 1, (int64_t)PAGESIM_PAGES_MAX * PAGESIM_PAGE_BYTES, &bytes))
        return false;
    *pages = (uint32_t)((bytes + (is_rounded_up ? PAGESIM_PAGE_BYTES - 1 : 0)) / PAGESIM_PAGE_BYTES);
    if (*pages == 0) return refuse(reader, field, "smaller than a page of %d bytes", PAGESIM_PAGE_BYTES);
    return true;
}

/* ------------------------------------------------------------------ segments and allocations */

static bool read_segments(struct reader *reader, struct pagesim *workload, const json_object *array)
{
    size_t count = json_object_array_length(array);
    if (count == 0 || count > PAGESIM_SEGMENTS)
        return refuse(reader, "segments", "%zu segments. Give 1 to %d", count, PAGESIM_SEGMENTS);
    workload->segment_count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const json_object *element = json_object_array_get_idx(array, i);
        json_object *kind;
        if (!enter(reader, "segments", i, element) ||
            !get_pages(reader, element, "size", false, &workload->segments[i].pages))
            return false;
        if (json_object_object_get_ex(element, "kind", &kind)) {
            const char *text = json_object_is_type(kind, json_type_string) ? json_object_get_string(kind) : "";
            if (strcmp(text, "local") != 0 && strcmp(text, "aperture") != 0)
                return refuse(reader, "kind", "\"local\" or \"aperture\" is expected");
            workload->segments[i].is_aperture = text[0] == 'a';
        }
    }
    reader->path[0] = 0;
    return true;
}

static bool read_init(const struct reader *reader, const json_object *element, enum pagesim_init *init)
{
    static const char *const names[] = {"backing", "undef", "resident"};
    json_object *value;
    *init = PAGESIM_BACKING;
    if (!json_object_object_get_ex(element, "init", &value)) return true;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (json_object_is_type(value, json_type_string) && strcmp(json_object_get_string(value), names[i]) == 0) {
            *init = (enum pagesim_init)i;
            return true;
        }
    }
    return refuse(reader, "init", "\"backing\", \"undef\" or \"resident\" is expected");
}

static bool read_allocation(struct reader *reader, const struct pagesim *workload, const json_object *element,
                            struct pagesim_allocation *allocation)
{
    int64_t segment, alignment;
    if (!get_pages(reader, element, "size", true, &allocation->pages) ||
        !get_integer(reader, element, "seg", 0, 0, (int64_t)workload->segment_count - 1, &segment) ||
        !get_integer(reader, element, "align", PAGESIM_PAGE_BYTES, 0, (int64_t)PAGESIM_PAGES_MAX * PAGESIM_PAGE_BYTES,
                     &alignment) ||
        !read_init(reader, element, &allocation->init) || !get_flag(reader, element, "temp", &allocation->is_temporary))
        return false;
    allocation->segment = (uint32_t)segment;
    uint32_t pages = (uint32_t)(alignment / PAGESIM_PAGE_BYTES);
    allocation->alignment_pages = pages == 0 ? 1 : pages;
    if ((allocation->alignment_pages & (allocation->alignment_pages - 1u)) != 0)
        return refuse(reader, "align", "%u pages. Give a power of two", allocation->alignment_pages);
    if (allocation->pages > workload->segments[segment].pages) return refuse(reader, "size", "larger than its segment");
    return true;
}

static bool read_allocations(struct reader *reader, struct pagesim *workload, const json_object *array)
{
    size_t count = json_object_array_length(array);
    workload->allocations = calloc(count + 1u, sizeof *workload->allocations);
    if (workload->allocations == NULL) return refuse(reader, "", "out of memory");
    workload->allocation_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const json_object *element = json_object_array_get_idx(array, i);
        if (!enter(reader, "allocs", i, element) ||
            !read_allocation(reader, workload, element, &workload->allocations[i]))
            return false;
    }
    reader->path[0] = 0;
    return true;
}

/* ------------------------------------------------------------------ buffers */

static bool read_patch(const struct reader *reader, const struct pagesim *workload, const json_object *entry,
                       size_t index, struct pagesim_patch *patch)
{
    char field[48];
    int64_t slot, allocation = PAGESIM_NULL, offset, is_written;
    snprintf(field, sizeof field, "patches[%zu]", index);
    if (!json_object_is_type(entry, json_type_array) || json_object_array_length(entry) < 4)
        return refuse(reader, field, "[slot, allocation or null, split offset, write] is expected");
    const json_object *target = json_object_array_get_idx(entry, 1), *write = json_object_array_get_idx(entry, 3);
    size_t end = strlen(field);
    strcpy(field + end, "[0]");
    if (!take_integer(reader, field, json_object_array_get_idx(entry, 0), 0, (int64_t)workload->slots - 1, &slot))
        return false;
    strcpy(field + end, "[1]");
    if (target != NULL && !take_integer(reader, field, target, 0, (int64_t)workload->allocation_count - 1, &allocation))
        return false;
    strcpy(field + end, "[2]");
    if (!take_integer(reader, field, json_object_array_get_idx(entry, 2), 0, INT32_MAX, &offset)) return false;
    strcpy(field + end, "[3]");
    is_written = json_object_is_type(write, json_type_boolean) ? json_object_get_boolean(write) : 0;
    if (!json_object_is_type(write, json_type_boolean) && !take_integer(reader, field, write, 0, 1, &is_written))
        return false;
    *patch = (struct pagesim_patch){(uint32_t)slot, target != NULL ? (uint32_t)allocation : PAGESIM_NULL,
                                    (uint32_t)offset, is_written != 0};
    return true;
}

/* The times of one buffer, appended at `next`; as many as it has different split offsets. */
static bool read_times(const struct reader *reader, struct pagesim *workload, const struct pagesim_buffer *buffer,
                       const json_object *object, uint32_t *next)
{
    json_object *array;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < buffer->patch_count; i++) {
        const struct pagesim_patch *patch = &workload->patches[buffer->first_patch + i];
        steps += i == 0 || patch->split_offset != patch[-1].split_offset;
    }
    bool has_times = json_object_object_get_ex(object, "times", &array) && array != NULL;
    if (has_times && !json_object_is_type(array, json_type_array))
        return refuse(reader, "times", "array is expected, not %s", type_name(array));
    if (has_times && json_object_array_length(array) < steps)
        return refuse(reader, "times", "%zu times for %u steps. Give one for each step",
                      json_object_array_length(array), steps);
    for (uint32_t i = 0; i < steps; i++) {
        const json_object *value = has_times ? json_object_array_get_idx(array, i) : NULL;
        bool is_number = json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
        double time = is_number ? json_object_get_double(value) : 1.0;
        if ((has_times && !is_number) || !isfinite(time) || time < 0)
            return refuse(reader, "times", "[%u]: a number of at least 0 is expected", i);
        workload->times[(*next)++] = time;
    }
    return true;
}

static bool read_buffer(struct reader *reader, struct pagesim *workload, const json_object *object,
                        struct pagesim_buffer *buffer, uint32_t *next_time)
{
    json_object *length, *patches;
    int64_t bytes;
    if (!need(reader, object, "len", json_type_int, &length) ||
        !take_integer(reader, "len", length, 0, INT32_MAX, &bytes) ||
        !need(reader, object, "patches", json_type_array, &patches))
        return false;
    size_t count = json_object_array_length(patches);
    *buffer = (struct pagesim_buffer){
        .bytes = (uint32_t)bytes, .first_patch = workload->patch_count, .patch_count = (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        if (!read_patch(reader, workload, json_object_array_get_idx(patches, i), i,
                        &workload->patches[workload->patch_count + i]))
            return false;
    workload->patch_count += (uint32_t)count;
    return read_times(reader, workload, buffer, object, next_time);
}

static bool read_buffers(struct reader *reader, struct pagesim *workload, const json_object *array)
{
    size_t count = json_object_array_length(array), patches = 0;
    uint32_t next_time = 0;
    for (size_t i = 0; i < count; i++) {
        json_object *list;
        if (json_object_object_get_ex(json_object_array_get_idx(array, i), "patches", &list) &&
            json_object_is_type(list, json_type_array))
            patches += json_object_array_length(list);
    }
    workload->buffers = calloc(count + 1u, sizeof *workload->buffers);
    workload->patches = calloc(patches + 1u, sizeof *workload->patches);
    workload->times = calloc(patches + 1u, sizeof *workload->times);
    if (workload->buffers == NULL || workload->patches == NULL || workload->times == NULL)
        return refuse(reader, "", "out of memory");
    workload->buffer_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const json_object *element = json_object_array_get_idx(array, i);
        if (!enter(reader, "buffers", i, element) ||
            !read_buffer(reader, workload, element, &workload->buffers[i], &next_time))
            return false;
    }
    reader->path[0] = 0;
    return true;
}

/* ------------------------------------------------------------------ the whole file */

static bool read_workload(struct reader *reader, struct pagesim *workload, const json_object *root)
{
    json_object *value, *segments, *allocations, *buffers;
    int64_t page, slots;
    if (!json_object_is_type(root, json_type_object))
        return refuse(reader, "", "a JSON object is expected, not %s", type_name(root));
    if (json_object_object_get_ex(root, "format", &value) &&
        (!json_object_is_type(value, json_type_string) || strcmp(json_object_get_string(value), "pagesim-1") != 0))
        return refuse(reader, "format", "\"pagesim-1\" is expected");
    bool has_name = json_object_object_get_ex(root, "name", &value) && json_object_is_type(value, json_type_string);
    const char *name = has_name ? json_object_get_string(value) : "?";
    workload->name = malloc(strlen(name) + 1u);
    if (workload->name == NULL) return refuse(reader, "", "out of memory");
    strcpy(workload->name, name);
    if (!get_integer(reader, root, "page", PAGESIM_PAGE_BYTES, 1, INT32_MAX, &page)) return false;
    if (page != PAGESIM_PAGE_BYTES)
        return refuse(reader, "page", "%lld. The hardware's pages have %d bytes: give that", (long long)page,
                      PAGESIM_PAGE_BYTES);
    if (!need(reader, root, "slots", json_type_int, &value) ||
        !take_integer(reader, "slots", value, 1, PAGESIM_SLOTS, &slots) ||
        !need(reader, root, "segments", json_type_array, &segments) ||
        !need(reader, root, "allocs", json_type_array, &allocations) ||
        !need(reader, root, "buffers", json_type_array, &buffers))
        return false;
    /* analyse: clang-analyzer-core.uninitialized.Assign: take_integer has set it, or refused */
    workload->slots = (uint32_t)slots;
    if (!read_segments(reader, workload, segments) || !read_allocations(reader, workload, allocations) ||
        !read_buffers(reader, workload, buffers))
        return false;
    char text[PAGESIM_MESSAGE];
    if (!pagesim_reduce(workload, text)) return refuse(reader, "", "%.150s", text);
    return true;
}

/* The JSON text as a tree, or NULL: the text is not JSON, or something follows it. */
static json_object *parse_text(const struct reader *reader, const char *text, size_t length)
{
    struct json_tokener *tokener = json_tokener_new();
    if (tokener == NULL) {
        (void)refuse(reader, "", "out of memory");
        return NULL;
    }
    json_tokener_set_flags(tokener,
                           JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8 | JSON_TOKENER_ALLOW_TRAILING_CHARS);
    json_object *root = json_tokener_parse_ex(tokener, text, (int)length);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t at = json_tokener_get_parse_end(tokener), line = 1;
    json_tokener_free(tokener);
    if (error == json_tokener_success) {
        while (at < length && strchr(" \t\r\n", text[at]) != NULL && text[at] != 0) at++;
        if (at == length) return root;
    }
    for (size_t i = 0; i < at && i < length; i++) line += text[i] == '\n';
    const char *what = error == json_tokener_success    ? "something follows the workload. Remove it"
                       : error == json_tokener_continue ? "the file ends inside a value"
                                                        : json_tokener_error_desc(error);
    (void)refuse(reader, "", "line %zu, byte %zu: not JSON: %s", line, at, what);
    if (error == json_tokener_success) json_object_put(root);
    return NULL;
}

struct pagesim *pagesim_parse(const char *text, size_t length, const char *name, char message[PAGESIM_MESSAGE])
{
    struct reader reader = {.file = name, .message = message};
    message[0] = 0;
    if (length > FILE_BYTES_MAX) {
        (void)refuse(&reader, "", "the file has %zu bytes, at most %u are read", length, FILE_BYTES_MAX);
        return NULL;
    }
    json_object *root = parse_text(&reader, text, length);
    if (root == NULL) {
        if (message[0] == 0) (void)refuse(&reader, "", "a JSON object is expected, not null");
        return NULL;
    }
    struct pagesim *workload = calloc(1, sizeof *workload);
    if (workload == NULL || !read_workload(&reader, workload, root)) {
        if (workload == NULL) (void)refuse(&reader, "", "out of memory");
        pagesim_free(workload);
        workload = NULL;
    }
    json_object_put(root);
    return workload;
}

struct pagesim *pagesim_read(const char *path, char message[PAGESIM_MESSAGE])
{
    const struct reader reader = {.file = path, .message = message};
    struct pagesim *workload = NULL;
    FILE *file = fopen(path, "rb");
    message[0] = 0;
    if (file == NULL) {
        (void)refuse(&reader, "", "%s", strerror(errno));
        return NULL;
    }
    char *text = malloc(FILE_BYTES_MAX + 2u);
    size_t length = text != NULL ? fread(text, 1, FILE_BYTES_MAX + 1u, file) : 0;
    if (text == NULL) (void)refuse(&reader, "", "out of memory");
    else if (ferror(file)) (void)refuse(&reader, "", "%s", strerror(errno));
    else workload = pagesim_parse(text, length, path, message);
    free(text);
    fclose(file);
    return workload;
}
