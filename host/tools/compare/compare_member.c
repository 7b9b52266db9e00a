/* SPDX-License-Identifier: Apache-2.0
 *
 * See compare.h: members of what json-c has read.
 */
#include "tools/compare/compare.h"

json_object *compare_member(const json_object *object, const char *name)
{
    json_object *value = NULL;
    return json_object_is_type(object, json_type_object) && json_object_object_get_ex(object, name, &value) ? value
                                                                                                            : NULL;
}

const char *compare_text(const struct compare_run *run, const char *name)
{
    json_object *value = compare_member(run->root, name);
    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

double compare_number(const struct compare_run *run, const char *name, double fallback)
{
    json_object *value = compare_member(run->root, name);
    bool is_number = json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
    return is_number ? json_object_get_double(value) : fallback;
}
