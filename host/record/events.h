/* SPDX-License-Identifier: Apache-2.0
 *
 * Events for a program that runs unattended: TESSERA_RECORD_EVENTS is a list, separated by blanks, of
 *
 *   FRAME:KEY[:FRAMES]      press a key when FRAME has been presented, release it FRAMES later (2)
 *   FRAME:click=X,Y         move the mouse there and click
 *
 * KEY: return escape space up down left right, a letter or a digit. They go through SDL_PushEvent; programs that
 * ask for the state of mouse and keyboard instead see them too.
 */
#ifndef TESSERA_RECORD_EVENTS_H
#define TESSERA_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* False after a line on stderr that names the item that is wrong. NULL is an empty list. */
bool events_parse(const char *text);
/* The mouse as the list has left it; false: it has not touched it. */
bool events_mouse(int position[2], uint32_t *buttons);
/* Set the keys that are held, by symbol (SDL 1.2) or scan code (SDL 2). */
void events_keys(uint8_t *keys, int count);
/* Frame `number` has been presented. */
void events_push(uint32_t number);

#endif
