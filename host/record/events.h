/* SPDX-License-Identifier: Apache-2.0
 *
 * Events for a program that nobody sits in front of: TESSERA_RECORD_EVENTS is a list, separated by blanks, of
 *
 *   FRAME:KEY[:FRAMES]      press a key when FRAME has been presented, release it FRAMES later (2)
 *   FRAME:click=X,Y         move the mouse there and click
 *
 * KEY: return escape space up down left right, a letter or a digit. They go through SDL_PushEvent, so a program that
 * asks for the keyboard's state instead does not see them.
 */
#ifndef TESSERA_RECORD_EVENTS_H
#define TESSERA_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* False after a line on stderr that names the item that is wrong. NULL is an empty list. */
bool events_parse(const char *text);
/* Frame `number` has been presented. */
void events_push(uint32_t number);

#endif
