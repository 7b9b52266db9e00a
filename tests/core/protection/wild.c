/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware, going wrong on request: hal_mmio.c with another hal_idle, linked in its place.
 */
#define hal_idle hal_idle_right
#include "../../../firmware/platform/hal_mmio.c"
#undef hal_idle

#include "wild.h"

enum { RETURN = 0x8067 }; /* jr ra */

static volatile uint32_t data_word;
__attribute__((used)) static const uint32_t constant = RETURN; /* in .rodata */

void hal_idle(uint32_t cycles);
void wild(enum wild kind);
void overflow(uint32_t depth);

static uint32_t tell(uint32_t address)
{
    hal_register_write(HOST_SCRATCH_OFFSET, address);
    __asm__ volatile("" : "+r"(address)); /* the compiler is not to know it */
    return address;
}

static uint32_t address_of(const volatile void *object) { return (uint32_t)(uintptr_t)object; }
static void store(uint32_t address) { *word_at(tell(address)) = 0xdeadbeefu; }
static void jump(uint32_t address) { ((void (*)(void))(uintptr_t)tell(address))(); }

__attribute__((noinline, used)) void overflow(uint32_t depth)
{
    volatile uint32_t frame[16];
    for (unsigned i = 0; i < 16; i++) frame[i] = depth;
    if (depth != UINT32_MAX) overflow(depth + 1);
    frame[0] = frame[1];
}

__attribute__((noinline, used)) void wild(enum wild kind)
{
    volatile uint32_t stack_word = RETURN;
    data_word = RETURN;
    switch (kind) {
    case WILD_STORE_NULL: store(0); break;
    case WILD_STORE_CODE: *(volatile uint8_t *)(uintptr_t)tell(address_of((void *)(uintptr_t)hal_panic) + 1) = 0; break;
    case WILD_STORE_CONSTANT: store(address_of(&constant)); break;
    case WILD_STORE_COLD: store(GPU_LIMIT(ADDR_FIRMWARE) + 0x40); break;
    case WILD_STORE_SEGMENT1: store(GPU_LIMIT(ADDR_SEGMENT1) + 0x40); break;
    case WILD_LOAD_SEGMENT2: (void)*word_at(tell(GPU_LIMIT(ADDR_SEGMENT2))); break;
    case WILD_STORE_APERTURE: store(GPU_LIMIT(ADDR_APERTURE) + 0x1000); break;
    case WILD_STORE_BEYOND: store(0x10000); break;
    case WILD_STORE_PAST: store(GPU_LIMIT(ADDR_FIRMWARE) + hal_register_read(MEMORY_FIRMWARE_BYTES_OFFSET)); break;
    case WILD_STORE_HOLE: store(0x60000000u); break;
    case WILD_LOAD_HOLE: (void)*word_at(tell(0x70000004u)); break;
    case WILD_LOAD_ODD: (void)*word_at(tell(address_of(&data_word) + 2)); break;
    case WILD_JUMP_CONSTANT: jump(address_of(&constant)); break;
    case WILD_JUMP_DATA: jump(address_of(&data_word)); break;
    case WILD_JUMP_STACK: jump(address_of(&stack_word)); break;
    case WILD_JUMP_REGION: jump(GPU_LIMIT(ADDR_FIRMWARE) + 0x1ff00); break;
    case WILD_JUMP_COMMAND: jump(GPU_LIMIT(ADDR_COMMAND)); break;
    case WILD_OVERFLOW: overflow(0); break;
    case WILD_ILLEGAL: __asm__ volatile(".word 0xffffffff"); break;
    case WILD_EBREAK: __asm__ volatile("ebreak"); break;
    default: break;
    }
}

void hal_idle(uint32_t cycles)
{
    uint32_t kind = hal_register_read(HOST_SCRATCH_OFFSET);
    if (kind > WILD_NOTHING && kind < WILD_KINDS) wild((enum wild)kind);
    hal_idle_right(cycles);
}
