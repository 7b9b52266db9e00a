/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is refused: with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc one place that asks for it gets none, at
 * one of its calls.
 */
#ifndef TESTS_REFUSED_H
#define TESTS_REFUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { REFUSED_SITES = 512 };

static const void *refused_sites[REFUSED_SITES];
static unsigned refused_calls[REFUSED_SITES], refused_site_count, refused_bad_site, refused_bad_call;
static bool refused_is_off; /* what asks now is not judged */

/* Is it the turn of this place, and of this call of it? Places are numbered as they come. */
static bool refused_is(const void *site)
{
    unsigned i = 0;
    if (refused_is_off) return false;
    while (i < refused_site_count && refused_sites[i] != site) i++;
    if (i == REFUSED_SITES) return false;
    if (i == refused_site_count) refused_sites[refused_site_count++] = site;
    return ++refused_calls[i] == refused_bad_call && i + 1 == refused_bad_site;
}

/* From here on, the place's call of that number gets nothing. Places are numbered from 1; 0: none. */
static void refused_begin(unsigned site, unsigned call)
{
    memset(refused_calls, 0, sizeof refused_calls);
    refused_bad_site = site, refused_bad_call = call;
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) { return refused_is(__builtin_return_address(0)) ? NULL : __real_malloc(bytes); }
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return refused_is(__builtin_return_address(0)) ? NULL : __real_calloc(count, bytes);
}
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return refused_is(__builtin_return_address(0)) ? NULL : __real_realloc(old, bytes);
}

#endif
