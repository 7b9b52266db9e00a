/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program without an operating system needs of a LiteX SoC with Tessera: console, caches, interrupt, display,
 * clock. client_trap, which start.S calls, is here, too.
 */
#ifndef TESSERA_LITEX_SOC_H
#define TESSERA_LITEX_SOC_H

#include <stddef.h>
#include <stdint.h>

#include "transport.h"

/* Large, and written before it is read: it is not cleared. */
#define SOC_NOT_CLEARED __attribute__((section(".noinit"), aligned(8)))

/* The GPU's firmware, an ELF file (start.S). */
extern const unsigned char client_firmware[], client_firmware_end[];

/* The line and its end, to LiteX's UART. */
void soc_say(const char *line);
/* Drop what the data cache holds of what the GPU has written: mmio_link.forget. */
void soc_forget(const void *from, size_t bytes);
/* The GPU of the SoC; sleeps by its interrupt if the SoC has connected it. */
void soc_transport(struct transport *transport);
/* The video framebuffer, if the SoC has one, shows nothing, or what lies at this bus address. */
void soc_hide(void);
void soc_show(uint32_t address);
/* Cycles since soc_clock_begin, modulo 2^32. */
void soc_clock_begin(void);
uint32_t soc_clock(void);

#endif
