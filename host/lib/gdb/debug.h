/* SPDX-License-Identifier: Apache-2.0
 *
 * The control core's debug unit (block DEBUG of spec/gpu.def) over a transport: stop, go on, step; registers, CSRs,
 * memory; hardware breakpoints and watched words. gdb.h makes it a gdb-remote server.
 *
 * While the core is stopped it executes single instructions for us, so memory is what the core itself sees at an
 * address (core memory, command RAM, segments, aperture, register blocks) with the bus's rules: a register block
 * takes whole words only. System memory (from 0x80000000) is reached over the transport, because the core
 * reads it through a buffer. Two registers are borrowed for this and given back before the core goes on.
 *
 * Every function returns DEBUG_OK or what is wrong, and then has changed nothing, but for debug_write: it may
 * have written the bytes before the one that failed.
 */
#ifndef TESSERA_DEBUG_H
#define TESSERA_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport.h"

enum debug_result {
    DEBUG_OK = 0,
    DEBUG_LINK,    /* the transport failed; its `error` says how */
    DEBUG_ABSENT,  /* the device has no debug unit */
    DEBUG_RUNNING, /* the core is not stopped */
    DEBUG_FAULT,   /* the core's access to memory or CSR trapped */
    DEBUG_NO_ROOM, /* every breakpoint or watched word is in use */
    DEBUG_STUCK,   /* an access got no answer: the core hangs on its bus */
};

enum { DEBUG_REGISTERS = 33, DEBUG_PC = 32, DEBUG_BREAKS = 4, DEBUG_WATCHES = 2, DEBUG_BORROWED = 2 };

struct debug {
    struct transport *transport;
    bool is_borrowed; /* x5 and x6 hold ours; the core's are in `borrowed` */
    bool has_base;    /* x5 holds `base` */
    uint32_t base;
    uint32_t borrowed[DEBUG_BORROWED];
    uint32_t breaks[DEBUG_BREAKS]; /* the registers' contents, 0 = free */
    uint32_t watches[DEBUG_WATCHES];
};

/* ABSENT if there is no unit. From here on an ebreak stops the core. The core may be running, stopped or held. */
enum debug_result debug_attach(struct debug *debug, struct transport *transport);
/* Take away everything that stops the core; a stopped core goes on. */
enum debug_result debug_detach(struct debug *debug);

/* Ask the core to stop before its next instruction, or before its first while it is held. */
enum debug_result debug_stop(struct debug *debug);
/* DEBUG.STATUS. */
enum debug_result debug_status(struct debug *debug, uint32_t *status);
/* A stopped core goes on at its pc, for one instruction only if `is_step`. */
enum debug_result debug_resume(struct debug *debug, bool is_step);

/* While stopped. number: 0..31, or DEBUG_PC. Writes of x0 are ignored. */
enum debug_result debug_register(struct debug *debug, uint32_t number, uint32_t *value);
enum debug_result debug_set_register(struct debug *debug, uint32_t number, uint32_t value);
/* FAULT: no such CSR, or it is read-only. */
enum debug_result debug_csr(struct debug *debug, uint32_t number, uint32_t *value);
enum debug_result debug_set_csr(struct debug *debug, uint32_t number, uint32_t value);
enum debug_result debug_read(struct debug *debug, uint32_t address, void *data, size_t bytes);
enum debug_result debug_write(struct debug *debug, uint32_t address, const void *data, size_t bytes);

/* Hardware breakpoints: NO_ROOM past DEBUG_BREAKS. Setting one twice and clearing one that is not set do nothing. */
enum debug_result debug_break(struct debug *debug, uint32_t address, bool is_set);
/* Watched words: the range [address, address + bytes) must lie in the words that are free. */
enum debug_result debug_watch(struct debug *debug, uint32_t address, uint32_t bytes, bool loads, bool stores,
                              bool is_set);

#endif
