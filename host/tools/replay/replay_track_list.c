/* SPDX-License-Identifier: Apache-2.0
 *
 * What all of the tracker uses: its first complaint, and growing arrays.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/replay/replay_track_internal.h"

void track_complain(struct track *track, const char *format, ...)
{
    va_list arguments;
    if (track->problem[0] != 0) return; /* the first one matters */
    va_start(arguments, format);
    vsnprintf(track->problem, sizeof track->problem, format, arguments);
    va_end(arguments);
}

void *list_add(struct list *list, size_t item_bytes)
{
    if (list->count == list->room) {
        uint32_t room = list->room * 2u + 64u;
        void *items = realloc(list->items, room * item_bytes);
        if (items == NULL) return NULL;
        list->items = items;
        list->room = room;
    }
    return (char *)list->items + item_bytes * list->count++;
}
