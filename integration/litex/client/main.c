/* SPDX-License-Identifier: Apache-2.0
 *
 * The client of a LiteX system with Tessera: addresses from the headers that LiteX writes for the SoC (generated/csr.h,
 * soc.h, mem.h), the GPU through host/device/transport_mmio.h, the picture on the SoC's video framebuffer if it has
 * one. Its last line is "client: done" or "client: failed".
 */
#include <stdbool.h>
#include <stdio.h>

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>
#include <irq.h>    /* LiteX's, of the processor that the SoC has: interrupts */
#include <system.h> /* ... and caches */

#include "device/transport_mmio.h"
#include "heap.h"
#include "picture.h"

#ifndef CLIENT_SEGMENT2_PAGES
#define CLIENT_SEGMENT2_PAGES 0 /* all */
#endif
enum { MIE_MEIE = 0x800 };
#define CAUSE_INTERRUPT 0x80000000ul

extern const unsigned char client_firmware[], client_firmware_end[];
/* Large, and written before it is read: it is not cleared. */
#define NOT_CLEARED __attribute__((section(".noinit"), aligned(8)))
static unsigned char heap[512 * 1024] NOT_CLEARED;
static uint8_t pixels[PICTURE_BYTES] NOT_CLEARED;
static volatile bool is_woken;

/* ------------------------------------------------------------------ the console */

static void put(char character)
{
    while (uart_txfull_read() != 0) {}
    uart_rxtx_write((unsigned char)character);
}

static void say(const char *line)
{
    while (*line != 0) put(*line++);
    put('\r');
    put('\n');
}

/* ------------------------------------------------------------------ cache and interrupt */

/* Writes go through LiteX's 32-bit processors' data cache, so there is nothing to write out. What the cache holds is
 * dropped whole, which is all they can; an L2 cache lies between both and memory (docs/litex.md, Memory). */
static void forget(const void *from, size_t bytes)
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
    say(line);
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

/* ------------------------------------------------------------------ the picture */

/* The display reads memory beside an L2 cache: what that has not written yet has to leave it, for other lines. */
static void write_out_l2(void)
{
#ifdef CONFIG_L2_SIZE
    flush_cpu_dcache();
    for (uintptr_t at = 0; at < CONFIG_L2_SIZE; at += 4) (void)*(volatile uint32_t *)(MAIN_RAM_BASE + at);
#endif
}

/* The BIOS shows whatever lies in memory, which takes half of what the SDRAM can do. */
static void hide(void)
{
#ifdef CSR_VIDEO_FRAMEBUFFER_BASE
    video_framebuffer_dma_enable_write(0);
#endif
}

static void show(const struct picture *picture)
{
#ifdef CSR_VIDEO_FRAMEBUFFER_BASE
    write_out_l2();
    video_framebuffer_dma_base_write(TESSERA_SEGMENT2_BASE + picture->segment2_offset);
    video_framebuffer_dma_enable_write(1);
    say("the display shows it");
#else
    (void)picture;
#endif
}

static bool run(struct transport *transport)
{
    struct picture picture = {.pixels = pixels};
    const struct tessera_options options = {.segment2_pages = CLIENT_SEGMENT2_PAGES};
    struct tessera *gpu = NULL;
    char message[256], line[300];
    int status = tessera_open_image(&gpu, transport, &options, client_firmware,
                                    (size_t)(client_firmware_end - client_firmware), message);
    if (status != TESSERA_OK) {
        say(message);
        return false;
    }
    uint32_t old = 0;
    say("the GPU's firmware runs");
    status = picture_agree(gpu, &old, say);
    if (status == TESSERA_OK) status = picture_draw(gpu, &picture, say);
    if (status == TESSERA_OK) show(&picture);
    else {
        snprintf(line, sizeof line, "%s: %s", tessera_status_name(status), tessera_message(gpu));
        say(line);
    }
    return status == TESSERA_OK && old == 0;
}

int main(void)
{
    static struct mmio_link link;
    static struct transport transport;
    char line[64];
    say("client: begins");
    hide();
    link.registers = (volatile uint32_t *)TESSERA_REGS_BASE;
    link.memory = (uint8_t *)TESSERA_SYSTEM_BASE;
    link.memory_bytes = TESSERA_SYSTEM_BYTES;
    link.forget = forget;
#ifdef TESSERA_INTERRUPT
    link.sleep = sleep;
    interrupts_on();
#endif
    heap_give(heap, sizeof heap);
    mmio_transport(&link, &transport);
    bool is_good = run(&transport);
    snprintf(line, sizeof line, "heap: %u KB of %u", (unsigned)(heap_most() >> 10), (unsigned)(sizeof heap >> 10));
    say(line);
    say(is_good ? "client: done" : "client: failed");
    return 0;
}
