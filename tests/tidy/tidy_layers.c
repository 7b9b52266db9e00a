/* SPDX-License-Identifier: Apache-2.0
 *
 * The include rule of firmware/: tests/tidy/layers says which header lies in which row.
 */
#include <string.h>

#include "tidy.h"

static struct layer *find(struct layers *layers, const char *name)
{
    for (unsigned i = 0; i < layers->count; i++)
        if (strcmp(layers->layer[i].name, name) == 0)
            return &layers->layer[i];
    return NULL;
}

static struct layer *find_or_add(struct layers *layers, const char *name)
{
    struct layer *layer = find(layers, name);
    if (layer == NULL && layers->count < LAYER_NAMES_MAX) {
        layer = &layers->layer[layers->count++];
        snprintf(layer->name, sizeof layer->name, "%s", name);
        layer->row = -1;
    }
    return layer;
}

/* One line: "row N NAME...", "part NAME OF", "only NAME USER...". */
static bool read_line(struct layers *layers, char *line)
{
    char *rest = NULL, *verb = strtok_r(line, " \n", &rest), *first = strtok_r(NULL, " \n", &rest);
    if (verb == NULL || verb[0] == '#')
        return true;
    if (first == NULL)
        return false;
    bool is_row = strcmp(verb, "row") == 0, is_part = strcmp(verb, "part") == 0, is_only = strcmp(verb, "only") == 0;
    struct layer *layer = is_row ? NULL : find_or_add(layers, first);
    for (char *name = strtok_r(NULL, " \n", &rest); name != NULL; name = strtok_r(NULL, " \n", &rest)) {
        if (is_row) {
            struct layer *member = find_or_add(layers, name);
            if (member == NULL || sscanf(first, "%d", &member->row) != 1)
                return false;
        } else if (is_part && layer != NULL) {
            snprintf(layer->whole, sizeof layer->whole, "%s", name);
        } else if (is_only && layer != NULL && layer->user_count < LAYER_USERS_MAX) {
            snprintf(layer->users[layer->user_count++], LAYER_NAME_MAX, "%s", name);
        } else {
            return false;
        }
    }
    return is_row || is_part || is_only;
}

bool layers_read(struct layers *layers, const char *path)
{
    char line[256];
    FILE *stream = fopen(path, "r");
    bool is_good = stream != NULL;
    while (is_good && fgets(line, sizeof line, stream) != NULL)
        is_good = read_line(layers, line);
    if (stream != NULL)
        fclose(stream);
    return is_good && layers->count > 0;
}

/* ------------------------------------------------------------------ checking */

/* "firmware/driver.c" -> "driver"; false when it is not a name that fits. */
static bool stem_of(const char *path, char name[LAYER_NAME_MAX])
{
    const char *start = strrchr(path, '/');
    start = start != NULL ? start + 1 : path;
    size_t length = strcspn(start, ".");
    if (length >= LAYER_NAME_MAX)
        return false;
    memcpy(name, start, length);
    name[length] = 0;
    return true;
}

/* The row that a file's includes are measured by: its header's, or its whole's, or above all rows. */
static int row_of(const struct layers *layers, const char *name)
{
    const struct layer *layer = find((struct layers *)layers, name);
    if (layer != NULL && layer->row < 0 && layer->whole[0] != 0)
        layer = find((struct layers *)layers, layer->whole);
    return layer != NULL && layer->row >= 0 ? layer->row : 99;
}

static bool may_use(const struct layer *header, const char *name)
{
    for (unsigned i = 0; i < header->user_count; i++)
        if (strcmp(header->users[i], name) == 0)
            return true;
    return header->user_count == 0;
}

/* Pieces of one module may include each other's headers. */
static bool is_same_module(const struct layers *layers, const char *a, const char *b)
{
    const struct layer *first = find((struct layers *)layers, a), *second = find((struct layers *)layers, b);
    const char *whole_a = first != NULL && first->whole[0] != 0 ? first->whole : a;
    const char *whole_b = second != NULL && second->whole[0] != 0 ? second->whole : b;
    return strcmp(whole_a, whole_b) == 0;
}

void layers_check(const struct layers *layers, struct file *file)
{
    char name[LAYER_NAME_MAX], included[LAYER_NAME_MAX];
    if (!stem_of(file->path, name))
        return;
    if (ends_with(file->path, ".h") && row_of(layers, name) == 99)
        offend(file, 1, "this header is in no row of tests/tidy/layers");
    for (unsigned i = 0; i < file->line_count; i++) {
        if (strncmp(file->lines[i], "#include \"", 10) != 0 || strstr(file->lines[i], ".def\"") != NULL
            || !stem_of(file->lines[i] + 10, included))
            continue;
        const struct layer *header = find((struct layers *)layers, included);
        int row = row_of(layers, name), included_row = row_of(layers, included);
        if (strcmp(name, included) == 0 || is_same_module(layers, name, included))
            continue;
        if (included_row > 0 && included_row >= row)
            offend(file, i + 1, "row %d includes %s.h of row %d", row, included, included_row);
        if (header != NULL && strcmp(name, included) != 0 && !may_use(header, name))
            offend(file, i + 1, "%s.h is below a boundary that this file is above", included);
    }
}
