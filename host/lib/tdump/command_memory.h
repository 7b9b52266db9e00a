/* SPDX-License-Identifier: Apache-2.0
 *
 * Command RAM as a dump reads it: a simulated device shows it, on a board the core reads it for the debug unit, and
 * stands still from open to close. It is left alone where there is neither, or where a debugger is attached.
 */
#ifndef TESSERA_COMMAND_MEMORY_H
#define TESSERA_COMMAND_MEMORY_H

#include "lib/gdb/debug.h"

struct command_memory {
    struct transport *transport;
    uint32_t words; /* how many there are */
    bool has_debug;
    struct debug debug;
};

/* False: it cannot be read. Else close it. */
bool command_memory_open(struct command_memory *command, struct transport *transport);
/* `count` words from this byte offset on; false: not all of them are there. */
bool command_memory_read(struct command_memory *command, uint32_t offset, uint32_t *words, uint32_t count);
void command_memory_close(struct command_memory *command);

#endif
