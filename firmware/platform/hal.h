/* SPDX-License-Identifier: Apache-2.0
 *
 * The only door from the firmware to the hardware. hal_mmio.c implements it on the target and is the only
 * file with volatile, inline assembly or an address; model/device.c implements it on the host, so the
 * firmware's C is the same everywhere and the linker chooses.
 *
 * Addresses are device addresses (uint32_t), never pointers: a 64-bit host cannot change their meaning.
 */
#ifndef FIRMWARE_HAL_H
#define FIRMWARE_HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu_spec.h"

/* Registers, by the *_OFFSET names of the table. */
uint32_t hal_register_read(uint32_t offset);
void hal_register_write(uint32_t offset, uint32_t value);

/* Command RAM, by byte offset (multiple of 4). */
uint32_t hal_command_read(uint32_t offset);
void hal_command_write(uint32_t offset, uint32_t word);
/* The same memory as data of the core's, from `offset` (multiple of 4) on: as fast as core memory. Bytes used this way
 * are written before they are read, and while no node executes them. */
void *hal_command_memory(uint32_t offset);

/* Memory that the image leaves free: of core memory, then of the firmware's region, 0 bytes where there is none.
 * Aligned to 16 bytes; what is in it is anything. */
struct hal_memory {
    void *start;
    uint32_t bytes;
};
void hal_free_memory(struct hal_memory part[2]);

/* System memory, by bus address (multiple of 4, inside HOST_SYSTEM_PAGES: the caller checks). Whether there is memory
 * is known only from the bus: where it answers with an error a write does nothing and a read leaves anything in
 * `words`, and hal_system_failed() says so. After reading or writing it is asked before what was read is used.
 * Reads may come from line buffers, which read ahead in a page: call hal_system_invalidate() before reading what the
 * host may have changed since its last call. A write is visible to the host before any later register write is. */
void hal_system_read(uint32_t address, uint32_t *words, uint32_t count);
void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count);
void hal_system_invalidate(void);
/* Has a read or write failed since this was asked last? Then *address is of the last one. */
bool hal_system_failed(uint32_t *address);

/* One word of it, as hal_system_read does. */
static inline uint32_t hal_system_word(uint32_t address)
{
    uint32_t word;
    hal_system_read(address, &word, 1);
    return word;
}

/* Everything written before is visible to nodes and host before anything written after. */
void hal_barrier(void);

/* Device cycles since reset, low half. */
uint32_t hal_cycles(void);

/* Sleep until an interrupt is pending, or about `cycles` cycles have passed. Returns at once if one is
 * pending already, so that a check made before the call cannot be missed. */
void hal_idle(uint32_t cycles);

/* A firmware event for the timeline (TRACE group). */
void hal_trace(enum gpu_trace_event event, uint32_t argument);

/* The firmware cannot go on: PANIC_CODE and PANIC_PLACE are set and the core stops. Host builds abort. */
_Noreturn void hal_panic(enum gpu_enumerator code, uint32_t place);
_Noreturn void hal_assert_failed(const char *text);

#endif
