/* SPDX-License-Identifier: Apache-2.0
 *
 * The frames of a report draw by draw (draws.h), as a member of its data.
 */
#ifndef TESSERA_REPORT_DRAWS_H
#define TESSERA_REPORT_DRAWS_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/view/view.h"

/* "draws": null, or how they are encoded and all of them. */
void report_draws(FILE *file, const struct view *view);

/* "MEMBER":{...}, of an ENUMERATOR group of the table: by value the names, or what the table says of each. */
void report_print_group(FILE *file, const char *member, const char *group, bool is_text);

#endif
