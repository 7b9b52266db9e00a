/* SPDX-License-Identifier: Apache-2.0
 *
 * flatten FILE: prints a JSON document as lines "path value", path being the keys and array indexes on the
 * way, joined by dots. So that scripts read reports with awk.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

enum { PATH_MAX_BYTES = 512 };

static int flatten(struct json_object *value, char path[PATH_MAX_BYTES], size_t length);

/* One child: `path` grows by its name for the time of the visit. */
static int flatten_child(struct json_object *child, char path[PATH_MAX_BYTES], size_t length, const char *name)
{
    int added = snprintf(path + length, PATH_MAX_BYTES - length, "%s%s", length != 0 ? "." : "", name);
    if (added < 0 || (size_t)added >= PATH_MAX_BYTES - length) {
        fprintf(stderr, "flatten: a path longer than %d bytes\n", PATH_MAX_BYTES);
        return 1;
    }
    int result = flatten(child, path, length + (size_t)added);
    path[length] = 0;
    return result;
}

static int flatten(struct json_object *value, char path[PATH_MAX_BYTES], size_t length)
{
    int result = 0;
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach (value, key, child) result |= flatten_child(child, path, length, key);
    } else if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++) {
            char index[24];
            snprintf(index, sizeof index, "%zu", i);
            result |= flatten_child(json_object_array_get_idx(value, i), path, length, index);
        }
    } else {
        printf("%s %s\n", path, value != NULL ? json_object_get_string(value) : "null");
    }
    return result;
}

int main(int argc, char **argv)
{
    char path[PATH_MAX_BYTES] = "";
    if (argc != 2) {
        fputs("usage: flatten FILE\n", stderr);
        return 2;
    }
    struct json_object *document = json_object_from_file(argv[1]);
    if (document == NULL) {
        fprintf(stderr, "flatten: %s\n", json_util_get_last_err());
        return 1;
    }
    int result = flatten(document, path, 0);
    json_object_put(document);
    return result != 0 || fflush(stdout) != 0;
}
