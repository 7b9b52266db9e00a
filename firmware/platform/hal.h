/* SPDX-License-Identifier: Apache-2.0
 *
 * The only door from the firmware to the hardware.
 *
 * hal_mmio.c and stacks.c implement it on the chip. hal_mmio.c is the only file with volatile, inline assembly or an
 * address. model/device.c implements it on the host. So the firmware's C is the same everywhere, and the linker
 * chooses.
 *
 * Addresses are device addresses (uint32_t), never pointers: a host of 64 bits cannot change their meaning.
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
/* The same memory as data of the core, from `offset` (multiple of 4) on, as fast as core memory. Such bytes are
 * written before they are read, and while no node executes them. */
void *hal_command_memory(uint32_t offset);

/* Memory that the image leaves free: in core memory, then in the firmware's region. 0 bytes: none. Aligned to 16
 * bytes; the content is undefined. */
struct hal_memory {
    void *start;
    uint32_t bytes;
};
void hal_free_memory(struct hal_memory part[2]);

/* System memory by bus address: a multiple of 4, inside HOST_SYSTEM_PAGES, which the caller checks. The bus may
 * answer with an error. Then a write does nothing, a read leaves `words` undefined, and hal_system_failed() returns
 * true. Ask it before what was read is used.
 *
 * Reads may come from line buffers, which read ahead inside a page. Call hal_system_invalidate() before reading what
 * the host may have changed since the last call. A write is visible to the host before any later register write. */
void hal_system_read(uint32_t address, uint32_t *words, uint32_t count);
void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count);
void hal_system_invalidate(void);
/* Has a read or write failed since the last call? *address: the last one that failed. */
bool hal_system_failed(uint32_t *address);

/* Read one word, as hal_system_read does. */
static inline uint32_t hal_system_word(uint32_t address)
{
    uint32_t word;
    hal_system_read(address, &word, 1);
    return word;
}

/* Everything written before is visible to nodes and host before anything written later. */
void hal_barrier(void);

/* Device cycles since reset, low 32 bits. */
uint32_t hal_cycles(void);

/* The stacks of long work, beside that of the main loop. */
enum hal_stack { HAL_STACK_WORK, HAL_STACK_EXAMINE, HAL_STACK_COUNT };

/* Run body(context) on a stack, or continue what has paused there. True: it has ended. False: it has paused. From the
 * main loop's stack only. Where there is no second stack (WebAssembly), it always runs to its end. */
bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context);
/* From the body: go back to the main loop's hal_run. Returns when hal_run continues here. */
void hal_pause(void);
/* What turn.h knows of the turn at hand. */
struct turn *hal_turn(void);

/* Sleep until an interrupt is pending, or about `cycles` cycles. Returns at once if one is already pending, so a
 * check made before the call misses nothing. */
void hal_idle(uint32_t cycles);

/* Record a firmware event for the timeline (TRACE group). */
void hal_trace(enum gpu_trace_event event, uint32_t argument);

/* Stop: the firmware cannot continue. Sets PANIC_CODE and PANIC_PLACE, and the core stops. Host builds abort. */
_Noreturn void hal_panic(enum gpu_enumerator code, uint32_t place);
_Noreturn void hal_assert_failed(const char *text);
/* Called once after a panic that the host has been told of, on an empty stack. The program's own; it need not have one,
 * and host builds do not call it. */
void hal_last_words(uint32_t code, uint32_t place);

#endif
