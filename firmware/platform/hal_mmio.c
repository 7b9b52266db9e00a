/* SPDX-License-Identifier: Apache-2.0
 *
 * hal.h on the control core: the only file with volatile, inline assembly and addresses. Stores reach the
 * bus in order and a store to system memory is answered only when the memory has it, so a barrier only has
 * to keep the compiler from moving them.
 */
#include "platform/hal.h"

#include "platform/base.h"

/* start.S protects everything below. */
_Static_assert(GPU_LIMIT(ADDR_REGISTERS) == 0x40000000u, "REGISTERS in start.S is stale");
_Static_assert(MEMORY_FIRMWARE_BYTES_OFFSET == 0x51c, "FIRMWARE_BYTES in start.S is stale");

static volatile uint32_t *word_at(uint32_t address) { return (volatile uint32_t *)(uintptr_t)address; }

uint32_t hal_register_read(uint32_t offset) { return *word_at(GPU_LIMIT(ADDR_REGISTERS) + offset); }
void hal_register_write(uint32_t offset, uint32_t value) { *word_at(GPU_LIMIT(ADDR_REGISTERS) + offset) = value; }

uint32_t hal_command_read(uint32_t offset) { return *word_at(GPU_LIMIT(ADDR_COMMAND) + offset); }
void hal_command_write(uint32_t offset, uint32_t word) { *word_at(GPU_LIMIT(ADDR_COMMAND) + offset) = word; }
void *hal_command_memory(uint32_t offset) { return (void *)(uintptr_t)(GPU_LIMIT(ADDR_COMMAND) + offset); }

/* From the linker script. */
extern char __bss_end[], __memory_end[], __region_start[], __cold_bss_end[];

void hal_free_memory(struct hal_memory part[2])
{
    const uintptr_t core = (uintptr_t)__bss_end, region = (uintptr_t)__region_start, used = (uintptr_t)__cold_bss_end;
    const bool has_region = region != GPU_LIMIT(ADDR_REGISTERS);
    part[0] = (struct hal_memory){(void *)core, (uint32_t)((uintptr_t)__memory_end - core)};
    part[1] = (struct hal_memory){NULL, 0};
    if (!has_region) return;
    part[1].start = (void *)used;
    part[1].bytes = hal_register_read(MEMORY_FIRMWARE_BYTES_OFFSET) - (uint32_t)(used - region);
}

void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    const volatile uint32_t *source = word_at(GPU_LIMIT(ADDR_SYSTEM) + address);
    /* Command words come this way: eight at a time, all loaded before the first is stored. */
    for (; count >= 8u; count -= 8u, source += 8, words += 8) {
        const uint32_t a = source[0], b = source[1], c = source[2], d = source[3];
        const uint32_t e = source[4], f = source[5], g = source[6], h = source[7];
        words[0] = a;
        words[1] = b;
        words[2] = c;
        words[3] = d;
        words[4] = e;
        words[5] = f;
        words[6] = g;
        words[7] = h;
    }
    for (uint32_t i = 0; i < count; i++) words[i] = source[i];
}

void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count)
{
    volatile uint32_t *target = word_at(GPU_LIMIT(ADDR_SYSTEM) + address);
    for (uint32_t i = 0; i < count; i++) target[i] = words[i];
}

void hal_system_invalidate(void) { hal_register_write(CORE_INVALIDATE_OFFSET, 1); }

/* The trap handler of start.S leaves the address that failed in tp, which C does not use; 0: none. */
bool hal_system_failed(uint32_t *address)
{
    uint32_t failed;
    __asm__ volatile("mv %0, tp\n\tli tp, 0" : "=r"(failed));
    if (failed == 0u) return false;
    *address = failed - GPU_LIMIT(ADDR_SYSTEM);
    return true;
}

void hal_barrier(void) { __asm__ volatile("fence" ::: "memory"); }

uint32_t hal_cycles(void) { return hal_register_read(CORE_CYCLE_LO_OFFSET); }

/* The timer compares 64 bits: the high half is parked at its largest value while the halves change. */
static void set_timer(uint32_t cycles)
{
    uint32_t high, low;
    do {
        high = hal_register_read(CORE_CYCLE_HI_OFFSET);
        low = hal_register_read(CORE_CYCLE_LO_OFFSET);
    } while (high != hal_register_read(CORE_CYCLE_HI_OFFSET));
    uint32_t target = low + cycles;
    hal_register_write(CORE_TIMECMP_HI_OFFSET, 0xffffffffu);
    hal_register_write(CORE_TIMECMP_LO_OFFSET, target);
    hal_register_write(CORE_TIMECMP_HI_OFFSET, high + (target < low ? 1u : 0u));
}

/* Interrupts stay disabled in mstatus: a pending and enabled line ends wfi without a trap. */
void hal_idle(uint32_t cycles)
{
    hal_trace(TRACE_IDLE, 0);
    set_timer(cycles);
    __asm__ volatile("wfi" ::: "memory");
    hal_trace(TRACE_WAKE, 0);
}

void hal_trace(enum gpu_trace_event event, uint32_t argument)
{
    hal_register_write(CORE_TRACE_ARG_OFFSET, argument);
    hal_register_write(CORE_TRACE_OFFSET, (uint32_t)event);
}

/* From start.S: hal_last_words on the main loop's stack, begun again, then sleep for ever. */
_Noreturn void stack_last(uint32_t code, uint32_t place) __attribute__((weak)); /* there, if the other is */
extern void hal_last_words(uint32_t code, uint32_t place) __attribute__((weak));

/* A panic in the last words changes nothing of what was said. */
static bool has_stopped;

static _Noreturn void stop(uint32_t code, uint32_t place)
{
    const bool is_first = !has_stopped;
    has_stopped = true;
    if (is_first) {
        hal_register_write(HOST_PANIC_PLACE_OFFSET, place);
        hal_register_write(HOST_PANIC_CODE_OFFSET, code);
        hal_register_write(HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_PANIC));
        if (hal_last_words != NULL) stack_last(code, place);
    }
    for (;;) __asm__ volatile("csrw mie, zero\n\twfi" ::: "memory");
}

_Noreturn void hal_panic(enum gpu_enumerator code, uint32_t place) { stop((uint32_t)code, place); }

/* Not inlined: the return address is the place. */
__attribute__((noinline)) _Noreturn void hal_assert_failed(const char *text)
{
    (void)text;
    stop(PANIC_ASSERT, (uint32_t)(uintptr_t)__builtin_return_address(0));
}

/* From start.S: a trap that is neither an interrupt nor a bus error of system memory. */
_Noreturn void hal_trap(uint32_t mepc, uint32_t mcause, uint32_t mtval);
_Noreturn void hal_trap(uint32_t mepc, uint32_t mcause, uint32_t mtval)
{
    if (!has_stopped) {
        hal_register_write(HOST_PANIC_CAUSE_OFFSET, mcause);
        hal_register_write(HOST_PANIC_ADDRESS_OFFSET, mtval);
    }
    stop(PANIC_TRAP, mepc);
}
