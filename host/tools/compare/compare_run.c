/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: reading run.json with json-c in strict mode.
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUN_BYTES_MAX = 64 << 20, DEPTH_MAX = 16 };

/* All of a file, with a 0 after it; NULL with a line. */
static char *load(const char *path, size_t *bytes, char message[COMPARE_MESSAGE])
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        snprintf(message, COMPARE_MESSAGE, "cannot read %.300s: %s. Name a run.json that 'tessera run' wrote.", path,
                 strerror(errno));
        if (file != NULL) fclose(file);
        return NULL;
    }
    char *text = NULL;
    if (!S_ISREG(about.st_mode) || about.st_size > RUN_BYTES_MAX)
        snprintf(message, COMPARE_MESSAGE, "%.300s is not a run.json: %s. Name the run.json of a run.", path,
                 S_ISREG(about.st_mode) ? "it is too long" : "it is not a file");
    else if ((text = malloc((size_t)about.st_size + 1u)) == NULL) snprintf(message, COMPARE_MESSAGE, "out of memory");
    else {
        *bytes = fread(text, 1, (size_t)about.st_size, file);
        text[*bytes] = 0;
    }
    fclose(file);
    return text;
}

static json_object *parse(const char *path, const char *text, size_t bytes, char message[COMPARE_MESSAGE])
{
    json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
    if (tokener == NULL) {
        snprintf(message, COMPARE_MESSAGE, "out of memory");
        return NULL;
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    json_object *root = json_tokener_parse_ex(tokener, text, (int)bytes);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener), line = 1;
    json_tokener_free(tokener);
    if (error == json_tokener_success) return root;
    for (size_t i = 0; i < end && i < bytes; i++) line += text[i] == '\n';
    const char *why = error == json_tokener_continue ? "it ends in the middle" : json_tokener_error_desc(error);
    snprintf(message, COMPARE_MESSAGE,
             "%.300s is damaged at line %zu: %s. Write it again with the command that made it.", path, line, why);
    json_object_put(root);
    return NULL;
}

/* ------------------------------------------------------------------ is it one of ours? */

/* A number, or a null that is written down: of a device without a clock. */
static bool is_cycle(const json_object *object, const char *name)
{
    json_object *value = NULL;
    return json_object_is_type(object, json_type_object) && json_object_object_get_ex(object, name, &value) &&
           (value == NULL || json_object_is_type(value, json_type_int));
}

/* Numbers, texts and truths where this program counts on them. */
static const char *foreign(const json_object *root)
{
    json_object *frames = compare_member(root, "frame"), *statistics = compare_member(root, "statistics");
    if (!json_object_is_type(root, json_type_object)) return "an object";
    if (!json_object_is_type(compare_member(root, "scene"), json_type_string) &&
        !json_object_is_type(compare_member(root, "recording"), json_type_string))
        return "a member \"scene\" or \"recording\"";
    if (!json_object_is_type(compare_member(root, "device"), json_type_string)) return "a member \"device\"";
    if (!is_cycle(root, "cycles")) return "a member \"cycles\"";
    if (!json_object_is_type(statistics, json_type_object)) return "a member \"statistics\"";
    if (!json_object_is_type(frames, json_type_array)) return "a list \"frame\"";
    size_t count = json_object_array_length(frames);
    if (count > COMPARE_FRAMES) return "a list \"frame\" of at most 10000";
    for (size_t i = 0; i < count; i++)
        if (!is_cycle(json_object_array_get_idx(frames, i), "done_cycle")) return "a \"done_cycle\" in every frame";
    return NULL;
}

bool compare_read_run(const char *path, struct compare_run *run, char message[COMPARE_MESSAGE])
{
    struct stat about;
    size_t bytes = 0;
    memset(run, 0, sizeof *run);
    bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    snprintf(run->path, sizeof run->path, "%.480s%s", path, is_folder ? "/run.json" : "");
    snprintf(run->folder, sizeof run->folder, "%s", run->path);
    char *slash = strrchr(run->folder, '/');
    if (slash != NULL) slash[slash == run->folder] = 0;
    else snprintf(run->folder, sizeof run->folder, ".");
    char *text = load(run->path, &bytes, message);
    if (text == NULL) return false;
    run->root = parse(run->path, text, bytes, message);
    free(text);
    if (run->root == NULL) {
        if (message[0] == 0)
            snprintf(message, COMPARE_MESSAGE, "%.300s is empty. Name the run.json of a run.", run->path);
        return false;
    }
    const char *missing = foreign(run->root);
    if (missing != NULL)
        snprintf(message, COMPARE_MESSAGE,
                 "%.300s was not written by 'tessera run' or 'tessera play': it lacks %s. Name a run.json of theirs.",
                 run->path, missing);
    return missing == NULL;
}

void compare_free_run(struct compare_run *run)
{
    json_object_put(run->root);
    compare_free_trace(&run->trace);
    memset(run, 0, sizeof *run);
}
