/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated device shows of its inside, for timelines and progress. Any function may be NULL.
 * `cycle` is device time; calls come in time order.
 */
#ifndef TESSERA_PROBE_H
#define TESSERA_PROBE_H

#include <stdint.h>

struct probe {
    void *context;
    /* A node starts / has completed a packet; `offset` is the packet's byte offset in command RAM and
     * `words` its words (valid during the call, as long as the opcode says). */
    void (*packet_begin)(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words);
    void (*packet_end)(void *context, uint64_t cycle, unsigned node);
    /* The firmware wrote CORE_TRACE (TRACE_* of the table). */
    void (*firmware)(void *context, uint64_t cycle, uint32_t event, uint32_t argument);
    void (*console)(void *context, char character);
};

#endif
