/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of machine.h share.
 */
#ifndef TESSERA_WEB_MACHINE_INTERNAL_H
#define TESSERA_WEB_MACHINE_INTERNAL_H

#include "tools/cli/options.h"
#include "machine.h"

/* ------------------------------------------------------------------ machine_tape.c: what happens becomes operations */

/* What the device calls, and the transport above it: both go on to the view's, and to another's that wants to know. */
struct probe machine_probe(struct machine *machine, const struct probe *of_view, const struct probe *other);
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
/* What the engine finds at an address; what is not there stays as it is. */
void machine_read(struct machine *machine, uint32_t address, uint8_t *to, uint32_t count);
/* The packet has drawn into one of the scene's targets: its rows are read. `frame`: the one that it belongs to, or
 * UINT32_MAX. *first and *count are the bytes that may have changed, count 0: none. */
void machine_picture_drawn(struct machine *machine, const uint32_t *words, uint32_t frame, size_t *first,
                           size_t *count);

/* The program has read a frame and shows it: all of the picture, units of the surfaces' format. */
void machine_picture_shown(struct machine *machine, uint32_t number, const uint8_t *units);

/* ------------------------------------------------------------------ machine_display.c */

/* The display's pictures are kept from now on, if the knobs say that there is one. */
void machine_display_begin(struct machine *machine);
/* After a frame that began at this cycle: a program that does not wait for blanks takes the rest of its time. */
int machine_display_rest(struct machine *machine, uint64_t begin);
void machine_display_free(struct machine *machine);

/* ------------------------------------------------------------------ machine.c, for export.c */

/* One without a tape, which writes a time line and judges its frames; `expected` may be filled in after. */
struct machine *machine_create_plain(const struct knobs *knobs, const struct program_options *options,
                                     const uint8_t *expected, char message[256]);
/* It is over: counters are read, device and view closed. */
bool machine_finish(struct machine *machine);

/* ------------------------------------------------------------------ load.c, platform_web.c */

/* A device with the knobs' sizes. 0, or -1 with a line. */
int machine_open_device(struct machine *machine, uint32_t memory_bytes, uint32_t seed, const struct probe *of_view,
                        const struct probe *other, struct transport *transport, char message[256]);
/* What was dropped on the page lies at knobs.file: look at it, and run all of it. */
bool machine_load(struct machine *machine);
/* The device closes: a view that is not the machine's own is copied, as far as what is shown needs it. */
void machine_keep_view(struct machine *machine);

#endif
