/* SPDX-License-Identifier: Apache-2.0
 *
 * What the simulator and the C++ library ask for and a browser's worker has not: Ctrl-C, other threads, and the
 * firmware's symbols, as there is no elf.h to read them by.
 */
#include "interrupt.h"
#include "symbols.h"

#include <stddef.h>

void interrupt_watch(void) {}
bool interrupt_asked(void) { return false; }

struct symbols *symbols_read(const char *path)
{
    (void)path;
    return NULL;
}

void symbols_free(struct symbols *symbols) { (void)symbols; }

const char *symbols_find(const struct symbols *symbols, uint32_t address, uint32_t *offset)
{
    (void)symbols;
    (void)address;
    (void)offset;
    return NULL;
}

const uint8_t *symbols_code(const struct symbols *symbols, unsigned part, uint32_t *address, uint32_t *bytes)
{
    (void)symbols;
    (void)part;
    (void)address;
    (void)bytes;
    return NULL;
}

/* The only thread ends with the program. */
int __cxa_atexit(void (*leave)(void *), void *object, void *library);
int __cxa_thread_atexit(void (*leave)(void *), void *object, void *library);
int __cxa_thread_atexit(void (*leave)(void *), void *object, void *library)
{
    return __cxa_atexit(leave, object, library);
}
