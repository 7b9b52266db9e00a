/* SPDX-License-Identifier: Apache-2.0
 *
 * What the report needs to explain decisions: every plan, which of them brought and which evicted what, and why
 * allocations are read where they are.
 */
#ifndef TESSERA_REPORT_WHY_H
#define TESSERA_REPORT_WHY_H

#include <stdio.h>

#include "tools/view/view.h"

/* Members of the page's data, each line with its comma at the end. */
void report_why(FILE *file, const struct view *view, uint32_t time_unit);

#endif
