/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a run's allocations are read at its end, and why (QUERY_ALLOCATION), for its results.
 */
#ifndef TESSERA_PLACES_H
#define TESSERA_PLACES_H

#include <stdio.h>

#include "tessera.h"
#include "tools/view/view.h"

enum { PLACE_REASONS = PLACE_REASON_ELSEWHERE + 1 };

struct places {
    uint32_t count, by_reason[PLACE_REASONS]; /* allocations */
    uint64_t bytes[PLACE_REASONS];
};

/* Ask for one more, and tell the view; NULL: none. A status of tessera.h. */
int places_ask(struct places *places, struct view *view, struct tessera *tessera,
               struct tessera_allocation *allocation);
/* As a member of run.json, with its comma: null if none was asked for. */
void places_json(FILE *file, const struct places *places);
/* In words: "416 mapped: a copy is no quicker; 2 nothing else allowed". */
void places_words(const struct places *places, char *text, size_t room);

#endif
