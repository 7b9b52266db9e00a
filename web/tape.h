/* SPDX-License-Identifier: Apache-2.0
 *
 * A tape of states: bytes of a fixed size, after each operation, of which only what changes is kept. What is kept is
 * the exclusive-or of a state with the one before, so one step takes the same forwards and backwards.
 */
#ifndef TESSERA_WEB_TAPE_H
#define TESSERA_WEB_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tape;

/* States of so many bytes, a multiple of 8; the first is all zero. NULL: out of memory. */
struct tape *tape_create(size_t bytes);
void tape_destroy(struct tape *tape); /* NULL is fine */

/* Append the state. `first` and `count`: only these bytes of it may differ from the one before; count 0: any. False:
 * out of memory, and nothing is appended. */
bool tape_append(struct tape *tape, const void *state, size_t first, size_t count);
/* How many have been appended, and bytes that are kept of them. */
uint32_t tape_length(const struct tape *tape);
size_t tape_bytes(const struct tape *tape);
/* The state after `at` of them, 0 .. tape_length. It stays the tape's, valid until the next call of the two. */
const void *tape_seek(struct tape *tape, uint32_t at);

#endif
