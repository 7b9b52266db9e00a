/* SPDX-License-Identifier: Apache-2.0
 *
 * What the worker sends to the page as JSON: protocol.md says what each member is.
 */
#ifndef TESSERA_WEB_STATE_JSON_H
#define TESSERA_WEB_STATE_JSON_H

#include <stdio.h>

#include "machine.h"

/* Of `ready`: scenes, policies, forces, counters. */
void about_json(FILE *file);
/* Of `created`. */
void created_json(FILE *file, const struct machine *machine);
/* Of `state`, after operation `at`; without sentences and picture. */
void state_json(FILE *file, struct machine *machine, uint32_t at);

/* Of `state`: the list at hand; the newest plans. Each with a comma after it. */
void patch_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot);
void plans_json(FILE *file, const struct machine *machine, const struct snapshot *snapshot);
/* { patch, tag } of a DMA buffer that is on the tape somewhere, best from `from` on; without `patch` where it is not.
 */
void list_json(FILE *file, struct machine *machine, uint32_t tag, uint32_t from);

/* "NAME": and a string, with a comma after it; and a number. */
void json_text(FILE *file, const char *name, const char *text);
void json_number(FILE *file, const char *name, uint64_t number);

#endif
