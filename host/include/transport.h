/* SPDX-License-Identifier: Apache-2.0
 *
 * How the host library reaches a GPU: four verbs and a wait. Implementations: the Verilator simulation
 * (sim/simulator.h), the golden model (model/device.h), a board's link.
 *
 * Every verb returns 0, or a negative TRANSPORT_* code; the text of the last error is in `error`.
 */
#ifndef TESSERA_TRANSPORT_H
#define TESSERA_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum transport_result {
    TRANSPORT_OK = 0,
    TRANSPORT_IO = -1,      /* the link failed: cable, closed socket */
    TRANSPORT_TIMEOUT = -2, /* no answer within the link's patience, or the simulation's --max-cycles */
    TRANSPORT_DEAD = -3,    /* the device panicked or the simulation ended */
};

/* What a simulated device shows of its inside, for dumps of faults (tessera_dump.h). */
enum transport_view {
    TRANSPORT_COMMAND,      /* words of command RAM, from word `first` on */
    TRANSPORT_INSTRUCTIONS, /* addresses of the last instructions that the core retired, the oldest first */
    TRANSPORT_EVENTS        /* the last events of the firmware, the oldest first, four words each: the cycle's low and
                               high half, TRACE group, argument */
};
struct transport_inside {
    void *context; /* its own, so that a transport in front of another can pass it on as it is */
    /* Fills at most `count` words and returns how many. NULL: nothing can be seen. Takes no time of the device. */
    uint32_t (*look)(void *context, enum transport_view view, uint32_t first, uint32_t *words, uint32_t count);
};

struct transport {
    void *context;
    /* Host registers (HOST_*_OFFSET and the read-only view of the other blocks). */
    int (*register_read)(void *context, uint32_t offset, uint32_t *value);
    int (*register_write)(void *context, uint32_t offset, uint32_t value);
    /* System memory as the device sees it: bus addresses, 0 .. memory_bytes - 1, any alignment. */
    int (*memory_read)(void *context, uint32_t address, void *data, size_t bytes);
    int (*memory_write)(void *context, uint32_t address, const void *data, size_t bytes);
    /* Let the device work until its interrupt line rises or it has worked `cycles` cycles (device time),
     * whichever is first. A board's link sleeps for about as long. */
    int (*wait)(void *context, uint32_t cycles);
    /* Device cycles since reset, as far as this side knows (simulations); 0 where unknown. */
    uint64_t (*cycles)(void *context);
    void (*close)(void *context);
    /* Where an allocation's memory is the system's to give (programs in a virtual machine): take so many pages side by
     * side, all 0, and the number of the first; give them back. NULL: all of system memory is the library's. */
    int (*take_pages)(void *context, uint32_t count, uint32_t *first);
    void (*give_pages)(void *context, uint32_t first);
    struct transport_inside inside;
    uint32_t memory_bytes; /* system memory reserved for the device, multiple of 4096 */
    char error[256];
};

/* Device cycles; 0 where unknown. */
static inline uint64_t transport_cycles(const struct transport *transport)
{
    return transport->cycles != NULL ? transport->cycles(transport->context) : 0;
}

#endif
