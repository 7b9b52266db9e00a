/* SPDX-License-Identifier: Apache-2.0
 *
 * The include rule of firmware/ and host/: tests/meta/tidy/layers says which folder may include which, and which
 * files of a folder stand in a circle. That folders have one direction follows from how the list is read: a folder's
 * line names only folders of lines above.
 */
#include <stdlib.h>
#include <string.h>

#include "tidy.h"

static int find_folder(const struct layers *layers, const char *path, size_t length)
{
    for (unsigned i = 0; i < layers->folder_count; i++)
        if (strlen(layers->folder[i].path) == length && strncmp(layers->folder[i].path, path, length) == 0)
            return (int)i;
    return -1;
}

/* The folder of a file, or -1. */
static int folder_of(const struct layers *layers, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? -1 : find_folder(layers, path, (size_t)(slash - path));
}

/* ------------------------------------------------------------------ the list */

static bool keep(char *to, const char *name) { return snprintf(to, LAYER_PATH_MAX, "%s", name) < LAYER_PATH_MAX; }

static bool read_root(struct layers *layers, const char *first, char *rest)
{
    if (layers->root_count == LAYER_ROOTS_MAX) return false;
    struct layer_root *root = &layers->root[layers->root_count++];
    bool is_good = keep(root->path, first);
    for (char *name; (name = strtok_r(NULL, " \n", &rest)) != NULL && is_good;)
        is_good = root->outside_count < LAYER_MEMBERS_MAX && keep(root->outside[root->outside_count++], name);
    return is_good;
}

/* The rank that a folder is in, or -1. */
static int rank_of(const struct layers *layers, const char *path)
{
    for (unsigned i = 0; i < layers->rank_count; i++) {
        size_t length = strlen(layers->rank[i].path);
        if (strncmp(layers->rank[i].path, path, length) == 0 && (path[length] == '/' || path[length] == 0))
            return (int)i;
    }
    return -1;
}

static bool read_rank(struct layers *layers, const char *first, char *rest)
{
    if (layers->rank_count == LAYER_RANKS_MAX) return false;
    struct layer_rank *rank = &layers->rank[layers->rank_count];
    bool is_good = keep(rank->path, first);
    for (char *name; (name = strtok_r(NULL, " \n", &rest)) != NULL && is_good;) {
        int used = rank_of(layers, name);
        is_good = used >= 0;
        if (is_good) rank->may_use |= 1u << used;
    }
    rank->may_use |= 1u << layers->rank_count++;
    return is_good;
}

/* A folder of no rank is above all of them. */
static bool may_use_rank(const struct layers *layers, const struct layer_folder *folder, int used)
{
    int rank = layers->folder[used].rank;
    return folder->rank < 0 || (rank >= 0 && (layers->rank[folder->rank].may_use >> rank & 1u));
}

static bool read_folder(struct layers *layers, const char *first, char *rest)
{
    if (layers->folder_count == LAYER_FOLDERS_MAX || find_folder(layers, first, strlen(first)) >= 0) return false;
    struct layer_folder *folder = &layers->folder[layers->folder_count];
    bool is_good = keep(folder->path, first);
    folder->rank = rank_of(layers, first);
    for (char *name; (name = strtok_r(NULL, " \n", &rest)) != NULL && is_good;) {
        int used = find_folder(layers, name, strlen(name));
        is_good = used >= 0 && may_use_rank(layers, folder, used);
        if (is_good) folder->may_use |= 1ull << used;
    }
    folder->may_use |= 1ull << layers->folder_count++;
    return is_good;
}

static bool read_circle(struct layers *layers, const char *first, char *rest)
{
    if (layers->circle_count == LAYER_CIRCLES_MAX || find_folder(layers, first, strlen(first)) < 0) return false;
    struct layer_circle *circle = &layers->circle[layers->circle_count++];
    bool is_good = true;
    for (char *name; (name = strtok_r(NULL, " \n", &rest)) != NULL && is_good;)
        is_good =
            circle->member_count < LAYER_MEMBERS_MAX &&
            snprintf(circle->member[circle->member_count++], LAYER_PATH_MAX, "%s/%s", first, name) < LAYER_PATH_MAX;
    return is_good;
}

static bool read_line(struct layers *layers, char *line)
{
    char *rest = NULL, *verb = strtok_r(line, " \n", &rest), *first = strtok_r(NULL, " \n", &rest);
    if (verb == NULL || verb[0] == '#') return true;
    if (first == NULL) return false;
    if (strcmp(verb, "calls") == 0 || strcmp(verb, "called") == 0) return true; /* calls.py has them */
    return strcmp(verb, "root") == 0     ? read_root(layers, first, rest)
           : strcmp(verb, "rank") == 0   ? read_rank(layers, first, rest)
           : strcmp(verb, "folder") == 0 ? read_folder(layers, first, rest)
           : strcmp(verb, "circle") == 0 ? read_circle(layers, first, rest)
                                         : false;
}

bool layers_read(struct layers *layers, const char *path)
{
    char line[512];
    FILE *stream = fopen(path, "r");
    bool is_good = stream != NULL;
    for (unsigned number = 1; is_good && fgets(line, sizeof line, stream) != NULL; number++) {
        is_good = read_line(layers, line);
        if (!is_good) printf("%s:%u: not a line of this list, or names what is not above it\n", path, number);
    }
    if (stream != NULL) fclose(stream);
    return is_good && layers->folder_count > 0;
}

/* ------------------------------------------------------------------ files */

/* The number of the module, which is a path without its ending; added when it is new. What only the files of a
 * module include is NAME_internal.h. */
static unsigned module_of(struct layers *layers, const char *path)
{
    static const char internal[] = "_internal";
    const char *slash = strrchr(path, '/');
    size_t length = (size_t)(slash - path) + strcspn(slash, "."), end = sizeof internal - 1;
    if (length > end && strncmp(path + length - end, internal, end) == 0) length -= end;
    unsigned i = 0;
    while (i < layers->module_count &&
           (strlen(layers->module[i].path) != length || strncmp(layers->module[i].path, path, length) != 0))
        i++;
    if (i == LAYER_MODULES_MAX) {
        printf("tests/meta/tidy/tidy.h: more modules than LAYER_MODULES_MAX\n");
        exit(2);
    }
    if (i == layers->module_count)
        snprintf(layers->module[layers->module_count++].path, LAYER_PATH_MAX, "%.*s", (int)length, path);
    return i;
}

static const struct layer_root *root_of(const struct layers *layers, const char *path)
{
    for (unsigned i = 0; i < layers->root_count; i++) {
        size_t length = strlen(layers->root[i].path);
        if (strncmp(path, layers->root[i].path, length) == 0 && path[length] == '/') return &layers->root[i];
    }
    return NULL;
}

static bool is_from_outside(const struct layer_root *root, const char *header)
{
    for (unsigned i = 0; i < root->outside_count; i++)
        if (strcmp(root->outside[i], header) == 0) return true;
    return false;
}

static void check_include(struct layers *layers, const struct layer_root *root, struct file *file, unsigned line,
                          const char *header)
{
    char path[2 * LAYER_PATH_MAX];
    if (is_from_outside(root, header)) return;
    snprintf(path, sizeof path, "%s/%s", root->path, header);
    int from = folder_of(layers, file->path), to = folder_of(layers, path);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        offend(file, line, "no %s: an include is a path below %s/", path, root->path);
        return;
    }
    fclose(stream);
    if (to < 0 || !(layers->folder[from].may_use >> to & 1u))
        offend(file, line, "%s may not include %s (tests/meta/tidy/layers)", layers->folder[from].path, header);
    unsigned user = module_of(layers, file->path), used = module_of(layers, path);
    if (from == to) layers->module[user].reaches[used] = true;
}

void layers_check(struct layers *layers, struct file *file)
{
    const struct layer_root *root = root_of(layers, file->path);
    if (root == NULL) return;
    if (folder_of(layers, file->path) < 0) {
        offend(file, 1, "its folder is not in tests/meta/tidy/layers: add a line");
        return;
    }
    layers->module[module_of(layers, file->path)].is_seen = true;
    for (unsigned i = 0; i < file->line_count; i++) {
        char header[LAYER_PATH_MAX];
        if (strncmp(file->lines[i], "#include \"", 10) != 0) continue;
        snprintf(header, sizeof header, "%.*s", (int)strcspn(file->lines[i] + 10, "\""), file->lines[i] + 10);
        check_include(layers, root, file, i + 1, header);
    }
}

/* ------------------------------------------------------------------ circles */

static void close_graph(struct layers *layers)
{
    for (unsigned by = 0; by < layers->module_count; by++)
        for (unsigned from = 0; from < layers->module_count; from++)
            for (unsigned to = 0; to < layers->module_count && layers->module[from].reaches[by]; to++)
                layers->module[from].reaches[to] |= layers->module[by].reaches[to];
}

static bool is_in_circle(const struct layers *layers, unsigned a, unsigned b)
{
    return a != b && layers->module[a].reaches[b] && layers->module[b].reaches[a];
}

static bool is_member(const struct layer_circle *circle, const char *module)
{
    for (unsigned i = 0; i < circle->member_count; i++)
        if (strcmp(circle->member[i], module) == 0) return true;
    return false;
}

static bool is_named(const struct layers *layers, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < layers->circle_count; i++)
        if (is_member(&layers->circle[i], layers->module[a].path) &&
            is_member(&layers->circle[i], layers->module[b].path))
            return true;
    return false;
}

/* A member that needs none of the others, or is gone, is named in vain. Judged when all files of its folder were
 * read: a list of names may be one file. */
static unsigned check_members(const struct layers *layers, const struct layer_circle *circle)
{
    unsigned offences = 0;
    for (unsigned i = 0; i < circle->member_count; i++) {
        bool is_needed = false, is_unread = false;
        for (unsigned a = 0; a < layers->module_count; a++)
            for (unsigned b = 0; b < layers->module_count; b++)
                is_needed |= strcmp(layers->module[a].path, circle->member[i]) == 0 &&
                             is_member(circle, layers->module[b].path) && is_in_circle(layers, a, b);
        for (unsigned a = 0; a < layers->module_count; a++)
            is_unread |= is_member(circle, layers->module[a].path) && !layers->module[a].is_seen;
        if (!is_needed && !is_unread && layers->module_count > 0) {
            printf("tests/meta/tidy/layers: %s is in no circle: remove it from that line\n", circle->member[i]);
            offences++;
        }
    }
    return offences;
}

unsigned layers_finish(struct layers *layers)
{
    unsigned offences = 0;
    close_graph(layers);
    for (unsigned a = 0; a < layers->module_count; a++)
        for (unsigned b = a + 1; b < layers->module_count; b++)
            if (is_in_circle(layers, a, b) && !is_named(layers, a, b)) {
                printf("%s and %s include each other: make a third file\n", layers->module[a].path,
                       layers->module[b].path);
                offences++;
            }
    for (unsigned i = 0; i < layers->circle_count; i++) offences += check_members(layers, &layers->circle[i]);
    return offences;
}
