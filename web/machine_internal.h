/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of machine.h share.
 */
#ifndef TESSERA_WEB_MACHINE_INTERNAL_H
#define TESSERA_WEB_MACHINE_INTERNAL_H

#include "machine.h"

/* ------------------------------------------------------------------ machine_tape.c: what happens becomes operations */

/* What the device calls, and the transport above it: both go on to the view's and to whoever has opened the device. */
struct probe machine_probe(struct machine *machine, const struct probe *next);
void machine_watch(struct machine *machine, struct transport *inner, struct transport *watched);
/* The tape begins: what is now is position 0. False: out of memory. */
bool machine_tape_begin(struct machine *machine);
/* The last packet has been executed: it becomes an operation. */
void machine_tape_flush(struct machine *machine);
/* The program has read a frame. */
void machine_tape_frame(struct machine *machine, uint32_t number);
void machine_tape_free(struct machine *machine);

/* ------------------------------------------------------------------ machine_picture.c */

/* So many surfaces of this size and format (FORMAT group). False: out of memory. */
bool machine_picture_init(struct machine *machine, uint32_t width, uint32_t height, uint32_t format, uint32_t count);
/* The packet has drawn into one of the scene's targets: its rows are read. *first and *count are the bytes that may
 * have changed, count 0: none. */
void machine_picture_drawn(struct machine *machine, const uint32_t *words, size_t *first, size_t *count);

#endif
