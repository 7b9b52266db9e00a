/* SPDX-License-Identifier: Apache-2.0
 *
 * See soc.h: addresses are from the headers that LiteX writes for the SoC (generated/csr.h, soc.h, mem.h).
 */
#include "soc.h"

#include <stdbool.h>
#include <stdio.h>

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <irq.h>    /* LiteX's, of the processor that the SoC has: interrupts */
#include <system.h> /* ... and caches */

#include "lib/device/transport_mmio.h"

enum { MIE_MEIE = 0x800 };
#define CAUSE_INTERRUPT 0x80000000ul

static volatile bool is_woken;

/* ------------------------------------------------------------------ the console */

static void put(char character)
{
    while (uart_txfull_read() != 0) {}
    uart_rxtx_write((unsigned char)character);
}

void soc_say(const char *line)
{
    while (*line != 0) put(*line++);
    put('\r');
    put('\n');
}

/* ------------------------------------------------------------------ cache and interrupt */

/* Writes go through LiteX's 32-bit processors' data cache, so there is nothing to write out. What the cache holds is
 * dropped whole, which is all they can; an L2 cache lies between both and memory (docs/litex.md, Memory). */
void soc_forget(const void *from, size_t bytes)
{
    (void)from;
    (void)bytes;
#ifndef CLIENT_KEEPS_CACHE /* to try what that comes to */
    flush_cpu_dcache();
    __asm__ volatile("nop\n nop\n nop\n nop\n nop" ::: "memory");
#endif
}

void client_trap(unsigned long cause, unsigned long place);
void client_trap(unsigned long cause, unsigned long place)
{
    char line[64];
#ifdef TESSERA_INTERRUPT
    if ((cause & CAUSE_INTERRUPT) != 0) {
        is_woken = true;
        tessera_ev_enable_write(0); /* a level, until the GPU has been asked: looked at again by the next sleep */
        return;
    }
#endif
    snprintf(line, sizeof line, "client: failed: trap %lx at %lx", cause, place);
    soc_say(line);
    for (;;) {}
}

#ifdef TESSERA_INTERRUPT
static void interrupts_on(void)
{
    irq_setmask(1u << TESSERA_INTERRUPT);
    __asm__ volatile("csrs mie, %0" ::"r"(MIE_MEIE));
    irq_setie(1);
}

/* Registers are left alone while the GPU works; a turn of the loop takes about 8 cycles. */
static uint32_t sleep(uint32_t cycles)
{
    uint32_t slept = 0;
    is_woken = false;
    tessera_ev_enable_write(1);
    while (!is_woken && slept < cycles) slept += 8;
    return slept != 0 ? slept : 1;
}
#endif

/* ------------------------------------------------------------------ the GPU */

void soc_transport(struct transport *transport)
{
    static struct mmio_link link;
    link.registers = (volatile uint32_t *)TESSERA_REGS_BASE;
    link.memory = (uint8_t *)TESSERA_SYSTEM_BASE;
    link.memory_bytes = TESSERA_SYSTEM_BYTES;
    link.forget = soc_forget;
#ifdef TESSERA_INTERRUPT
    link.sleep = sleep;
    interrupts_on();
#endif
    mmio_transport(&link, transport);
}

/* ------------------------------------------------------------------ the display */

/* The display reads memory beside an L2 cache: what that has not written yet has to leave it, for other lines. */
static void write_out_l2(void)
{
#ifdef CONFIG_L2_SIZE
    flush_cpu_dcache();
    for (uintptr_t at = 0; at < CONFIG_L2_SIZE; at += 4) (void)*(volatile uint32_t *)(MAIN_RAM_BASE + at);
#endif
}

/* The BIOS shows whatever lies in memory, which takes half of what the SDRAM can do. */
void soc_hide(void)
{
#ifdef CSR_VIDEO_FRAMEBUFFER_BASE
    video_framebuffer_dma_enable_write(0);
#endif
}

void soc_show(uint32_t address)
{
#ifdef CSR_VIDEO_FRAMEBUFFER_BASE
    write_out_l2();
    video_framebuffer_dma_base_write(address);
    video_framebuffer_dma_enable_write(1);
    soc_say("the display shows it");
#else
    (void)address;
#endif
}

/* ------------------------------------------------------------------ the clock */

/* LiteX's timer counts down. */
void soc_clock_begin(void)
{
    timer0_en_write(0);
    timer0_load_write(UINT32_MAX);
    timer0_reload_write(UINT32_MAX);
    timer0_en_write(1);
}

uint32_t soc_clock(void)
{
    timer0_update_value_write(1);
    return 0u - timer0_value_read();
}
