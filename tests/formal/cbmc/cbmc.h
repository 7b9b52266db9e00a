/* SPDX-License-Identifier: Apache-2.0
 *
 * What every proof uses: values that may be anything, and the hardware as the worst host could make it. A proof
 * includes the .c files that it is about, so that it reaches their static functions. Its head names the options
 * for cbmc (tests/formal/cbmc/cbmc.sh).
 */
#ifndef TESTS_CBMC_CBMC_H
#define TESTS_CBMC_CBMC_H

#include "platform/base.h"

uint32_t nondet_u32(void);
uint16_t nondet_u16(void);
uint8_t nondet_u8(void);
bool nondet_bool(void);

#define ASSUME(condition) __CPROVER_assume(condition)
#define PROVE(condition) __CPROVER_assert(condition, #condition)

/* Reached by no host. */
_Noreturn void hal_assert_failed(const char *text)
{
    (void)text;
    __CPROVER_assert(0, "an ASSERT of the firmware's fails");
    __CPROVER_assume(0);
    for (;;) {}
}

/* Whatever is there, another value at every read; or nothing is there. */
static uint32_t system_bytes_there;
void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    PROVE(address % 4u == 0u && address <= system_bytes_there && count * 4u <= system_bytes_there - address);
    for (uint32_t i = 0; i < count; i++) words[i] = nondet_u32();
}

void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count)
{
    PROVE(address % 4u == 0u && address <= system_bytes_there && count * 4u <= system_bytes_there - address);
    for (uint32_t i = 0; i < count; i++) (void)words[i];
}

bool hal_system_failed(uint32_t *address)
{
    *address = nondet_u32();
    return nondet_bool();
}

void hal_system_invalidate(void) {}
void hal_barrier(void) {}
void hal_trace(enum gpu_trace_event event, uint32_t argument) { (void)event, (void)argument; }
uint32_t hal_register_read(uint32_t offset)
{
    (void)offset;
    return nondet_u32();
}
void hal_register_write(uint32_t offset, uint32_t value) { (void)offset, (void)value; }

#endif
