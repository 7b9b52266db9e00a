/* SPDX-License-Identifier: Apache-2.0
 *
 * See command_memory.h.
 */
#include "lib/tdump/command_memory.h"

#include "gpu_spec.h"

enum { POLLS = 200, CYCLES = 1000 };

/* Of a debugger that is attached, something is set. */
static bool is_debugged(struct transport *transport)
{
    uint32_t control = 0, status = 0;
    return transport->register_read(transport->context, DEBUG_CONTROL_OFFSET, &control) != TRANSPORT_OK ||
           transport->register_read(transport->context, DEBUG_STATUS_OFFSET, &status) != TRANSPORT_OK || control != 0 ||
           FIELD_GET(status, DEBUG_STATUS_STOPPED) != 0;
}

static bool stop(struct command_memory *command)
{
    struct transport *transport = command->transport;
    uint32_t status = 0;
    if (debug_attach(&command->debug, transport) != DEBUG_OK) return false;
    command->has_debug = true;
    if (debug_stop(&command->debug) != DEBUG_OK) return false;
    for (unsigned poll = 0; poll < POLLS; poll++) {
        if (debug_status(&command->debug, &status) != DEBUG_OK) return false;
        if (FIELD_GET(status, DEBUG_STATUS_STOPPED) != 0) return true;
        if (transport->wait(transport->context, CYCLES) != TRANSPORT_OK) return false;
    }
    return false;
}

bool command_memory_open(struct command_memory *command, struct transport *transport)
{
    uint32_t bytes = 0;
    *command = (struct command_memory){.transport = transport};
    if (transport->register_read(transport->context, MEMORY_COMMAND_BYTES_OFFSET, &bytes) != TRANSPORT_OK) return false;
    command->words = bytes / 4u;
    if (transport->inside.look != NULL) return true;
    if (!is_debugged(transport) && stop(command)) return true;
    command_memory_close(command);
    return false;
}

bool command_memory_read(struct command_memory *command, uint32_t offset, uint32_t *words, uint32_t count)
{
    const struct transport_inside *inside = &command->transport->inside;
    if (offset % 4u != 0 || offset / 4u > command->words || count > command->words - offset / 4u) return false;
    if (inside->look != NULL)
        return inside->look(inside->context, TRANSPORT_COMMAND, offset / 4u, words, count) == count;
    return debug_read(&command->debug, GPU_LIMIT(ADDR_COMMAND) + offset, words, (size_t)count * 4u) == DEBUG_OK;
}

void command_memory_close(struct command_memory *command)
{
    if (command->has_debug) (void)debug_detach(&command->debug);
    command->has_debug = false;
}
