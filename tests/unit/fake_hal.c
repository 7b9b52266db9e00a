/* SPDX-License-Identifier: Apache-2.0
 *
 * See fake_hal.h. Accesses outside the arrays fail the program: they would be bus errors.
 */
#include "fake_hal.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/hal.h"
#include "platform/turn.h"

struct fake_hal fake_hal;

static _Noreturn void die(const char *text, uint32_t address)
{
    printf("fake_hal: %s 0x%lx\n", text, (unsigned long)address);
    exit(2);
}

void fake_hal_reset(void)
{
    for (uint32_t i = 0; i < FAKE_REGISTER_BYTES / 4u; i++) fake_hal.registers[i] = 0;
    for (uint32_t i = 0; i < FAKE_COMMAND_BYTES / 4u; i++) fake_hal.command[i] = 0xc3c3c3c3u;
    for (uint32_t i = 0; i < FAKE_SYSTEM_BYTES / 4u; i++) fake_hal.system[i] = 0;
    fake_hal.registers[MEMORY_FEATURES_OFFSET / 4u] = FEATURES_ALL;
    fake_hal.expects_stop = false;
    fake_hal.reset_polls = fake_hal.clock_unit = fake_hal.cycles = fake_hal.pauses = fake_hal.away = 0;
    fake_hal.is_left = false;
}

bool fake_hal_stopped(void)
{
    fake_hal.expects_stop = false;
    return true;
}

uint32_t hal_register_read(uint32_t offset)
{
    if (offset >= FAKE_REGISTER_BYTES) die("no register", offset);
    bool is_control = offset == NODE_CONTROL_OFFSET || offset == NODE_CONTROL_OFFSET + NODE_STRIDE;
    if (is_control && fake_hal.reset_polls == 0u)
        return fake_hal.registers[offset / 4u] & ~FIELD_PUT(1, NODE_CONTROL_RESET);
    if (is_control) fake_hal.reset_polls--;
    return fake_hal.registers[offset / 4u];
}

void hal_register_write(uint32_t offset, uint32_t value)
{
    if (offset >= FAKE_REGISTER_BYTES) die("no register", offset);
    if (offset == DISPLAY_CLOCK_OFFSET && fake_hal.clock_unit != 0u) value -= value % fake_hal.clock_unit;
    if (offset == NODE_IRQ_OFFSET || offset == NODE_IRQ_OFFSET + NODE_STRIDE)
        value = fake_hal.registers[offset / 4u] & ~value;
    fake_hal.registers[offset / 4u] = value;
    bool is_control = offset == NODE_CONTROL_OFFSET || offset == NODE_CONTROL_OFFSET + NODE_STRIDE;
    if (is_control && FIELD_GET(value, NODE_CONTROL_RESET) != 0u) { /* HEAD := TAIL, errors cleared */
        uint32_t node = offset - NODE_CONTROL_OFFSET;
        fake_hal.registers[(NODE_HEAD_OFFSET + node) / 4u] = fake_hal.registers[(NODE_TAIL_OFFSET + node) / 4u];
        fake_hal.registers[(NODE_STATUS_OFFSET + node) / 4u] = 0;
        fake_hal.registers[(NODE_ERROR_OFFSET + node) / 4u] = 0;
    }
}

static uint32_t *command(uint32_t offset)
{
    if (offset % 4u != 0u || offset >= FAKE_COMMAND_BYTES) die("outside command RAM", offset);
    return &fake_hal.command[offset / 4u];
}
uint32_t hal_command_read(uint32_t offset) { return *command(offset); }
void hal_command_write(uint32_t offset, uint32_t word) { *command(offset) = word; }
void *hal_command_memory(uint32_t offset) { return command(offset); }
/* Tests of single modules bring their own (table_memory.h). */
void hal_free_memory(struct hal_memory part[2]) { part[0] = part[1] = (struct hal_memory){NULL, 0}; }

static uint32_t *system_word(uint32_t address)
{
    if (address % 4u != 0u || address >= FAKE_SYSTEM_BYTES) die("outside system memory", address);
    return &fake_hal.system[address / 4u];
}
static uint32_t failed_address;
void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (fake_hal.missing_from != 0u && address + 4u * i >= fake_hal.missing_from) {
            if (failed_address == 0u) failed_address = address + 4u * i;
            continue;
        }
        words[i] = *system_word(address + 4u * i);
    }
}
void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) *system_word(address + 4u * i) = words[i];
}
void hal_system_invalidate(void) {}
bool hal_system_failed(uint32_t *address)
{
    const bool has_failed = failed_address != 0u;
    if (has_failed) *address = failed_address;
    failed_address = 0;
    return has_failed;
}
void hal_barrier(void) {}
uint32_t hal_cycles(void) { return fake_hal.cycles; }
/* Single modules are called; in a pause time goes by. */
bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context)
{
    (void)stack;
    body(context);
    return !fake_hal.is_left;
}
void hal_pause(void)
{
    fake_hal.pauses++;
    fake_hal.cycles += fake_hal.away;
}
struct turn *hal_turn(void)
{
    static struct turn turn = {.limit = UINT32_MAX}; /* as when nothing may pause */
    return &turn;
}
void hal_idle(uint32_t cycles) { (void)cycles; }
void hal_trace(enum gpu_trace_event event, uint32_t argument)
{
    if ((uint32_t)event >= 32u) die("an event that is none", (uint32_t)event);
    fake_hal.traced[event] = argument;
}

static _Noreturn void stop(uint32_t code, const char *text)
{
    fake_hal.stop_code = code;
    if (fake_hal.expects_stop) longjmp(fake_hal.stop, 1);
    die(text, code);
}
_Noreturn void hal_panic(enum gpu_enumerator code, uint32_t place)
{
    (void)place;
    stop((uint32_t)code, "panic");
}
_Noreturn void hal_assert_failed(const char *text) { stop(PANIC_ASSERT, text); }
