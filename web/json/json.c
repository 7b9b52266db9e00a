/* SPDX-License-Identifier: Apache-2.0
 *
 * See json-c/json.h. The text is a stranger's: it is read within its length, and nesting has a limit.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "json-c/json.h"

enum { DEPTH = 32, NUMBER = 63 };

struct json_object {
    json_type type;
    int64_t integer; /* a boolean, too */
    double real;
    char *text;          /* of a string; of a member its name is in `names` */
    json_object **items; /* of arrays and objects; NULL stands for null */
    char **names;
    size_t count, room;
};

struct json_tokener {
    const char *text;
    size_t at, length;
    enum json_tokener_error error;
    unsigned depth;
};

/* ------------------------------------------------------------------ values */

static json_object *make(json_type type)
{
    json_object *value = calloc(1, sizeof *value);
    if (value != NULL) value->type = type;
    return value;
}

int json_object_put(json_object *value)
{
    if (value == NULL) return 0;
    for (size_t i = 0; i < value->count; i++) {
        (void)json_object_put(value->items[i]);
        if (value->names != NULL) free(value->names[i]);
    }
    free(value->items);
    free(value->names);
    free(value->text);
    free(value);
    return 1;
}

json_type json_object_get_type(const json_object *value) { return value != NULL ? value->type : json_type_null; }
bool json_object_is_type(const json_object *value, json_type type) { return json_object_get_type(value) == type; }

const char *json_type_to_name(json_type type)
{
    static const char *const names[] = {"null", "boolean", "double", "int", "object", "array", "string"};
    return names[type];
}

bool json_object_get_boolean(const json_object *value) { return value != NULL && value->integer != 0; }
int64_t json_object_get_int64(const json_object *value) { return value != NULL ? value->integer : 0; }
double json_object_get_double(const json_object *value) { return value != NULL ? value->real : 0; }
const char *json_object_get_string(json_object *value)
{
    return value != NULL && value->text != NULL ? value->text : "";
}
size_t json_object_array_length(const json_object *array) { return array->count; }

json_object *json_object_array_get_idx(const json_object *array, size_t index)
{
    return index < array->count ? array->items[index] : NULL;
}

bool json_object_object_get_ex(const json_object *object, const char *name, json_object **value)
{
    *value = NULL;
    if (object == NULL || object->type != json_type_object) return false;
    for (size_t i = object->count; i-- != 0;) {
        if (strcmp(object->names[i], name) != 0) continue;
        *value = object->items[i];
        return true;
    }
    return false;
}

static bool add(json_object *to, char *name, json_object *item)
{
    if (to->count == to->room) {
        const size_t room = to->room * 2u + 8u;
        json_object **items = realloc(to->items, room * sizeof *items);
        if (items == NULL) return false;
        to->items = items;
        if (to->type == json_type_object) {
            char **names = realloc(to->names, room * sizeof *names);
            if (names == NULL) return false;
            to->names = names;
        }
        to->room = room;
    }
    if (to->type == json_type_object) to->names[to->count] = name;
    to->items[to->count++] = item;
    return true;
}

/* ------------------------------------------------------------------ reading */

struct json_tokener *json_tokener_new(void) { return calloc(1, sizeof(struct json_tokener)); }
void json_tokener_free(struct json_tokener *tokener) { free(tokener); }
void json_tokener_set_flags(struct json_tokener *tokener, int flags) { (void)tokener, (void)flags; }
enum json_tokener_error json_tokener_get_error(const struct json_tokener *tokener) { return tokener->error; }
size_t json_tokener_get_parse_end(const struct json_tokener *tokener) { return tokener->at; }
const char *json_tokener_error_desc(enum json_tokener_error error)
{
    return error ? "unexpected character" : "success";
}

static int peek(const struct json_tokener *tokener)
{
    return tokener->at < tokener->length ? (unsigned char)tokener->text[tokener->at] : -1;
}

static void skip_space(struct json_tokener *tokener)
{
    while (peek(tokener) >= 0 && strchr(" \t\r\n", peek(tokener)) != NULL && peek(tokener) != 0) tokener->at++;
}

/* The text ends, or goes on as no JSON does. */
static bool fail(struct json_tokener *tokener)
{
    if (tokener->error == json_tokener_success)
        tokener->error = peek(tokener) < 0 ? json_tokener_continue : json_tokener_error_parse;
    return false;
}

static bool take(struct json_tokener *tokener, char wanted)
{
    skip_space(tokener);
    if (peek(tokener) != wanted) return fail(tokener);
    tokener->at++;
    return true;
}

static bool read_value(struct json_tokener *tokener, json_object **value);

static int hex_digit(int character)
{
    return isdigit(character) ? character - '0' : isxdigit(character) ? tolower(character) - 'a' + 10 : -1;
}

/* After a backslash; characters above ASCII become '?': names are only shown. */
static bool read_escape(struct json_tokener *tokener, char *character)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const int letter = peek(tokener);
    const char *at = letter > 0 ? strchr(letters, letter) : NULL;
    if (at == NULL && letter != 'u') return fail(tokener);
    tokener->at++;
    if (at != NULL) {
        *character = meanings[at - letters];
        return true;
    }
    int code = 0;
    for (int i = 0; i < 4; i++, tokener->at++) {
        if (hex_digit(peek(tokener)) < 0) return fail(tokener);
        code = code * 16 + hex_digit(peek(tokener));
    }
    *character = code > 0 && code < 128 ? (char)code : '?';
    return true;
}

static char *read_string(struct json_tokener *tokener)
{
    if (!take(tokener, '"')) return NULL;
    size_t used = 0;
    char *text = malloc(tokener->length - tokener->at + 1u);
    while (text != NULL && peek(tokener) != '"') {
        const int character = peek(tokener);
        if (character < 0x20) {
            (void)fail(tokener);
            free(text);
            return NULL;
        }
        tokener->at++;
        text[used] = (char)character;
        if (character == '\\' && !read_escape(tokener, &text[used])) {
            free(text);
            return NULL;
        }
        used++;
    }
    if (text == NULL) return NULL;
    tokener->at++;
    text[used] = 0;
    char *smaller = realloc(text, used + 1u);
    return smaller != NULL ? smaller : text;
}

static bool read_number(struct json_tokener *tokener, json_object **value)
{
    char text[NUMBER + 1], *end;
    size_t used = 0;
    while (used < NUMBER && peek(tokener) > 0 && (isdigit(peek(tokener)) || strchr("+-.eE", peek(tokener)) != NULL))
        text[used++] = tokener->text[tokener->at++];
    text[used] = 0;
    const char *digits = text + (text[0] == '-');
    if (!isdigit((unsigned char)digits[0]) || (digits[0] == '0' && isdigit((unsigned char)digits[1])))
        return fail(tokener);
    *value = make(strpbrk(text, ".eE") != NULL ? json_type_double : json_type_int);
    if (*value == NULL) return false;
    (*value)->integer = strtoll(text, &end, 10); /* as far as 64 bits go */
    (*value)->real = strtod(text, &end);
    return *end == 0 && isdigit((unsigned char)text[used - 1u]) ? true : fail(tokener);
}

static bool read_word(struct json_tokener *tokener, const char *word, json_type type, int64_t integer,
                      json_object **value)
{
    for (; *word != 0; word++, tokener->at++)
        if (peek(tokener) != *word) return fail(tokener);
    if (type == json_type_null) return true;
    *value = make(type);
    if (*value != NULL) (*value)->integer = integer;
    return *value != NULL;
}

/* Members or elements up to `end`. */
static bool read_items(struct json_tokener *tokener, json_object *to, char end)
{
    tokener->at++;
    skip_space(tokener);
    if (peek(tokener) == end) {
        tokener->at++;
        return true;
    }
    for (;;) {
        char *name = NULL;
        json_object *item = NULL;
        bool is_good = true;
        if (to->type == json_type_object) {
            name = read_string(tokener);
            is_good = name != NULL && take(tokener, ':');
        }
        if (!is_good || !read_value(tokener, &item) || !add(to, name, item)) {
            (void)json_object_put(item);
            free(name);
            return false;
        }
        skip_space(tokener);
        if (peek(tokener) == end) {
            tokener->at++;
            return true;
        }
        if (!take(tokener, ',')) return false;
    }
}

static bool read_value(struct json_tokener *tokener, json_object **value)
{
    skip_space(tokener);
    const int first = peek(tokener);
    *value = NULL;
    if (first == 't') return read_word(tokener, "true", json_type_boolean, 1, value);
    if (first == 'f') return read_word(tokener, "false", json_type_boolean, 0, value);
    if (first == 'n') return read_word(tokener, "null", json_type_null, 0, value);
    if (first == '-' || isdigit(first)) return read_number(tokener, value);
    if (first == '"') {
        *value = make(json_type_string);
        if (*value != NULL) (*value)->text = read_string(tokener);
        return *value != NULL && (*value)->text != NULL;
    }
    if ((first != '{' && first != '[') || tokener->depth == DEPTH) return fail(tokener);
    *value = make(first == '{' ? json_type_object : json_type_array);
    tokener->depth++;
    const bool is_good = *value != NULL && read_items(tokener, *value, first == '{' ? '}' : ']');
    tokener->depth--;
    return is_good;
}

json_object *json_tokener_parse_ex(struct json_tokener *tokener, const char *text, int length)
{
    json_object *value = NULL;
    tokener->text = text;
    tokener->length = (size_t)length;
    tokener->at = tokener->depth = 0;
    tokener->error = json_tokener_success;
    if (read_value(tokener, &value)) return value;
    if (tokener->error == json_tokener_success) tokener->error = json_tokener_error_parse;
    (void)json_object_put(value);
    return NULL;
}
