/* SPDX-License-Identifier: Apache-2.0
 *
 * The device as test firmware sees it: registers, command RAM and memory as volatile words. Only for
 * tests; the firmware proper goes through hal.h.
 */
#ifndef TEST_DEVICE_H
#define TEST_DEVICE_H

#include <stdint.h>

#include "gpu_spec.h"

/* start.S and test.ld carry this one number. */
_Static_assert(GPU_LIMIT(ADDR_REGISTERS) + CORE_EXIT_OFFSET == 0x40000114u, "core_exit in test.ld is stale");

static inline volatile uint32_t *word_at(uint32_t address) { return (volatile uint32_t *)(uintptr_t)address; }

static inline uint32_t reg_read(uint32_t offset) { return *word_at(GPU_LIMIT(ADDR_REGISTERS) + offset); }
static inline void reg_write(uint32_t offset, uint32_t value) { *word_at(GPU_LIMIT(ADDR_REGISTERS) + offset) = value; }

/* Sleep until one of the platform interrupt lines in `lines` (bit 0 doorbell, 1 node 0, 2 node 1) is up. */
static inline void wait_lines(uint32_t lines)
{
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrw mie, %0\n.option pop" : : "r"(lines << 16));
    while (!(reg_read(CORE_IRQ_PENDING_OFFSET) & lines)) __asm__ volatile("wfi");
}

static inline void print(const char *text)
{
    while (*text) reg_write(CORE_CONSOLE_OFFSET, (uint8_t)*text++);
}

#endif
