/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers and memory at addresses of the processor's: transport_mmio.h has the contract.
 */
#include "lib/device/transport_mmio.h"

#include <stdbool.h>
#include <string.h>

#include "gpu_spec.h"

enum { POLL_CYCLES = 16 };

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    const struct mmio_link *link = context;
    *value = link->registers[offset / 4u];
    return TRANSPORT_OK;
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    const struct mmio_link *link = context;
    /* The compiler keeps what was written to memory in front of it, as does the processor (transport_mmio.h). */
    __asm__ volatile("" ::: "memory");
    link->registers[offset / 4u] = value;
    return TRANSPORT_OK;
}

static bool is_inside(const struct mmio_link *link, uint32_t address, size_t bytes)
{
    if (address <= link->memory_bytes && bytes <= link->memory_bytes - address) return true;
    strcpy(link->transport->error, "an access outside of the memory that is shared with the GPU");
    return false;
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    const struct mmio_link *link = context;
    if (!is_inside(link, address, bytes)) return TRANSPORT_IO;
    if (link->forget != NULL) link->forget(link->memory + address, bytes);
    __asm__ volatile("" ::: "memory");
    memcpy(data, link->memory + address, bytes);
    return TRANSPORT_OK;
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    const struct mmio_link *link = context;
    if (!is_inside(link, address, bytes)) return TRANSPORT_IO;
    memcpy(link->memory + address, data, bytes);
    __asm__ volatile("" ::: "memory");
    if (link->clean != NULL) link->clean(link->memory + address, bytes);
    return TRANSPORT_OK;
}

static bool is_interrupt(const struct mmio_link *link)
{
    return (link->registers[HOST_IRQ_STATUS_OFFSET / 4] & link->registers[HOST_IRQ_ENABLE_OFFSET / 4]) != 0;
}

static int wait(void *context, uint32_t cycles)
{
    const struct mmio_link *link = context;
    const uint32_t poll = link->poll_cycles != 0 ? link->poll_cycles : POLL_CYCLES;
    for (uint32_t spent = 0; spent < cycles && !is_interrupt(link);) {
        uint32_t slept = link->sleep != NULL ? link->sleep(cycles - spent) : poll;
        spent = slept < cycles - spent ? spent + slept : cycles;
    }
    return TRANSPORT_OK;
}

static uint64_t clock_cycles(void *context)
{
    const struct mmio_link *link = context;
    return link->cycles();
}

void mmio_transport(struct mmio_link *link, struct transport *transport)
{
    memset(transport, 0, sizeof *transport);
    transport->context = link;
    transport->register_read = register_read;
    transport->register_write = register_write;
    transport->memory_read = memory_read;
    transport->memory_write = memory_write;
    transport->wait = wait;
    if (link->cycles != NULL) transport->cycles = clock_cycles;
    transport->memory_bytes = link->memory_bytes;
    link->transport = transport;
}
