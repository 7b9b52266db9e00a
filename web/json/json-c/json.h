/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host's code uses of json-c, where there is none: for WebAssembly the distribution has no json-c. Strict
 * JSON; integers that do not fit 64 bits are the nearest that does; objects keep the last of two members with one name.
 */
#ifndef TESSERA_WEB_JSON_H
#define TESSERA_WEB_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_type {
    json_type_null,
    json_type_boolean,
    json_type_double,
    json_type_int,
    json_type_object,
    json_type_array,
    json_type_string
} json_type;
typedef struct json_object json_object;
typedef bool json_bool;

enum json_tokener_error { json_tokener_success, json_tokener_continue, json_tokener_error_parse };
enum { JSON_TOKENER_STRICT = 1, JSON_TOKENER_ALLOW_TRAILING_CHARS = 2, JSON_TOKENER_VALIDATE_UTF8 = 16 };
struct json_tokener;

struct json_tokener *json_tokener_new(void);
void json_tokener_free(struct json_tokener *tokener);
void json_tokener_set_flags(struct json_tokener *tokener, int flags);
/* One value; what is after it is left. NULL: an error, or the value null. */
json_object *json_tokener_parse_ex(struct json_tokener *tokener, const char *text, int length);
enum json_tokener_error json_tokener_get_error(const struct json_tokener *tokener);
size_t json_tokener_get_parse_end(const struct json_tokener *tokener);
const char *json_tokener_error_desc(enum json_tokener_error error);

/* Free the value and all in it; NULL is fine. */
int json_object_put(json_object *value);
json_type json_object_get_type(const json_object *value);
bool json_object_is_type(const json_object *value, json_type type);
const char *json_type_to_name(json_type type);
bool json_object_get_boolean(const json_object *value);
int64_t json_object_get_int64(const json_object *value);
double json_object_get_double(const json_object *value);
const char *json_object_get_string(json_object *value);
size_t json_object_array_length(const json_object *array);
json_object *json_object_array_get_idx(const json_object *array, size_t index);
bool json_object_object_get_ex(const json_object *object, const char *name, json_object **value);

#endif
