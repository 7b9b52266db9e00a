/* SPDX-License-Identifier: Apache-2.0
 *
 * Events for a program that runs unattended: TESSERA_RECORD_EVENTS is a list, separated by blanks, of
 *
 *   FRAME:KEY[:FRAMES]      press a key when FRAME has been presented, release it FRAMES later (2)
 *   MSms:KEY[:MS]           the same, MS milliseconds after the program has opened its screen, held for MS (100)
 *   idle:KEY[:MS]           the same, when the program has drawn nothing for 250 ms; several of them
 *                           wait for one another
 *   ...:click=X,Y           instead of a key: move the mouse there and click
 *
 * A thread of the recorder sends what does not depend on frames: the program may wait for it.
 *
 * KEY: return escape space up down left right, a letter or a digit. They go through SDL_PushEvent; programs that
 * ask for the state of mouse and keyboard instead see them too.
 */
#ifndef TESSERA_RECORD_EVENTS_H
#define TESSERA_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_HELP \
    "  -e, --events LIST    press keys and click: \"40:return 1500ms:left:300 idle:click=320,200\". First when: at\n" \
    "                       a frame, milliseconds after the screen opened, or idle (nothing drawn for 250 ms).\n" \
    "                       Then the key. Then how long, in frames or milliseconds.\n"

/* False after a line on stderr, from `self`, that names the item that is wrong. NULL is an empty list. */
bool events_parse(const char *self, const char *text);
/* Inside the program, which has a screen: parse LINK_EVENTS_VARIABLE and send what depends on time from now on; once,
 * whatever is called later. False: the list is wrong. */
bool events_start(void);
/* The program is in a call that draws, or no longer; from any thread. */
void events_enter(void);
void events_leave(void);
/* SDL is about to end, and has: nothing is sent between. */
void events_pause(bool is_paused);
/* The mouse as the list has left it; false: it has not touched it. */
bool events_mouse(int position[2], uint32_t *buttons);
/* Set the keys that are held, by symbol (SDL 1.2) or scan code (SDL 2). */
void events_keys(uint8_t *keys, int count);
/* Frame `number` has been presented. */
void events_push(uint32_t number);

#endif
