/* SPDX-License-Identifier: Apache-2.0
 *
 * See debug.h. An access is one instruction the core executes: `lui x5, page` (kept for the next access), then a
 * load whose value is DEBUG.RESULT, or `lui x6` and `addi x6` for the value and a store.
 */
#include "lib/gdb/debug.h"

#include <string.h>

#include "gpu_spec.h"

enum { BASE = 5, VALUE = 6, POLLS = 1000 };
enum { OP_LOAD = 0x03, OP_ADDI = 0x13, OP_STORE = 0x23, OP_LUI = 0x37, OP_CSRRW = 0x1073, OP_CSRRS = 0x2073 };

/* ------------------------------------------------------------------ the unit's registers */

static enum debug_result get(struct debug *debug, uint32_t offset, uint32_t *value)
{
    struct transport *transport = debug->transport;
    return transport->register_read(transport->context, offset, value) == TRANSPORT_OK ? DEBUG_OK : DEBUG_LINK;
}

static enum debug_result put(struct debug *debug, uint32_t offset, uint32_t value)
{
    struct transport *transport = debug->transport;
    return transport->register_write(transport->context, offset, value) == TRANSPORT_OK ? DEBUG_OK : DEBUG_LINK;
}

enum debug_result debug_status(struct debug *debug, uint32_t *status)
{
    enum debug_result result = get(debug, DEBUG_STATUS_OFFSET, status);
    if (result == DEBUG_OK && !FIELD_GET(*status, DEBUG_STATUS_STOPPED)) debug->is_borrowed = false; /* a reset */
    return result;
}

/* Until nothing of ours is under way. */
static enum debug_result settle(struct debug *debug, uint32_t *status)
{
    for (unsigned poll = 0; poll < POLLS; poll++) {
        enum debug_result result = debug_status(debug, status);
        if (result != DEBUG_OK) return result;
        if (!FIELD_GET(*status, DEBUG_STATUS_BUSY)) return DEBUG_OK;
    }
    return DEBUG_STUCK;
}

static enum debug_result check_stopped(struct debug *debug)
{
    uint32_t status = 0;
    enum debug_result result = settle(debug, &status);
    return result != DEBUG_OK ? result : FIELD_GET(status, DEBUG_STATUS_STOPPED) ? DEBUG_OK : DEBUG_RUNNING;
}

/* The core executes one instruction. */
static enum debug_result execute(struct debug *debug, uint32_t instruction)
{
    uint32_t status = 0;
    enum debug_result result = put(debug, DEBUG_INSTRUCTION_OFFSET, instruction);
    if (result == DEBUG_OK) result = settle(debug, &status);
    if (result != DEBUG_OK) return result;
    return FIELD_GET(status, DEBUG_STATUS_FAILED) ? DEBUG_FAULT : DEBUG_OK;
}

static enum debug_result evaluate(struct debug *debug, uint32_t instruction, uint32_t *value)
{
    enum debug_result result = execute(debug, instruction);
    return result == DEBUG_OK ? get(debug, DEBUG_RESULT_OFFSET, value) : result;
}

/* ------------------------------------------------------------------ instructions */

/* lui takes the upper 20 bits, rounded so that the signed lower 12 reach the rest. */
static uint32_t upper(uint32_t value) { return (value + 0x800u) & 0xfffff000u; }
static uint32_t lower(uint32_t value) { return value & 0xfffu; }

/* addi x0, source, 0: its value is the result. */
static uint32_t move(uint32_t source) { return OP_ADDI | source << 15; }

static enum debug_result load_immediate(struct debug *debug, uint32_t number, uint32_t value)
{
    enum debug_result result = execute(debug, OP_LUI | number << 7 | upper(value));
    return result == DEBUG_OK ? execute(debug, OP_ADDI | number << 7 | number << 15 | lower(value) << 20) : result;
}

/* ------------------------------------------------------------------ borrowed registers */

static enum debug_result borrow(struct debug *debug)
{
    if (debug->is_borrowed) return DEBUG_OK;
    enum debug_result result = evaluate(debug, move(BASE), &debug->borrowed[0]);
    if (result == DEBUG_OK) result = evaluate(debug, move(VALUE), &debug->borrowed[1]);
    debug->is_borrowed = result == DEBUG_OK;
    debug->has_base = false;
    return result;
}

static enum debug_result give_back(struct debug *debug)
{
    if (!debug->is_borrowed) return DEBUG_OK;
    enum debug_result result = load_immediate(debug, BASE, debug->borrowed[0]);
    if (result == DEBUG_OK) result = load_immediate(debug, VALUE, debug->borrowed[1]);
    if (result == DEBUG_OK) debug->is_borrowed = debug->has_base = false;
    return result;
}

/* ------------------------------------------------------------------ attach, stop, go on */

enum debug_result debug_attach(struct debug *debug, struct transport *transport)
{
    uint32_t status = 0;
    *debug = (struct debug){.transport = transport};
    enum debug_result result = debug_status(debug, &status);
    if (result != DEBUG_OK) return result;
    if (!FIELD_GET(status, DEBUG_STATUS_PRESENT)) return DEBUG_ABSENT;
    for (uint32_t i = 0; i < DEBUG_BREAKS && result == DEBUG_OK; i++)
        result = put(debug, DEBUG_BREAK0_OFFSET + 4 * i, 0);
    for (uint32_t i = 0; i < DEBUG_WATCHES && result == DEBUG_OK; i++)
        result = put(debug, DEBUG_WATCH0_OFFSET + 4 * i, 0);
    return result == DEBUG_OK ? put(debug, DEBUG_CONTROL_OFFSET, FIELD_PUT(1, DEBUG_CONTROL_EBREAK)) : result;
}

enum debug_result debug_detach(struct debug *debug)
{
    struct debug clean;
    uint32_t status = 0;
    enum debug_result result = settle(debug, &status);
    if (result == DEBUG_OK && FIELD_GET(status, DEBUG_STATUS_STOPPED)) result = give_back(debug);
    if (result == DEBUG_OK) result = debug_attach(&clean, debug->transport);
    if (result == DEBUG_OK) result = put(debug, DEBUG_CONTROL_OFFSET, 0);
    if (result == DEBUG_OK && FIELD_GET(status, DEBUG_STATUS_STOPPED)) result = put(debug, DEBUG_RESUME_OFFSET, 0);
    if (result == DEBUG_OK) *debug = clean;
    return result;
}

enum debug_result debug_stop(struct debug *debug)
{
    return put(debug, DEBUG_CONTROL_OFFSET, FIELD_PUT(1, DEBUG_CONTROL_HALT) | FIELD_PUT(1, DEBUG_CONTROL_EBREAK));
}

enum debug_result debug_resume(struct debug *debug, bool is_step)
{
    enum debug_result result = check_stopped(debug);
    if (result == DEBUG_OK) result = give_back(debug);
    return result == DEBUG_OK ? put(debug, DEBUG_RESUME_OFFSET, is_step ? FIELD_PUT(1, DEBUG_RESUME_STEP) : 0) : result;
}

/* ------------------------------------------------------------------ registers */

static bool is_lent(const struct debug *debug, uint32_t number)
{
    return debug->is_borrowed && number >= BASE && number < BASE + DEBUG_BORROWED;
}

enum debug_result debug_register(struct debug *debug, uint32_t number, uint32_t *value)
{
    enum debug_result result = check_stopped(debug);
    if (result != DEBUG_OK) return result;
    if (number == DEBUG_PC) return get(debug, DEBUG_PC_OFFSET, value);
    if (is_lent(debug, number)) {
        *value = debug->borrowed[number - BASE];
        return DEBUG_OK;
    }
    return evaluate(debug, move(number & 31u), value);
}

enum debug_result debug_set_register(struct debug *debug, uint32_t number, uint32_t value)
{
    enum debug_result result = check_stopped(debug);
    if (result != DEBUG_OK || number == 0) return result;
    if (number == DEBUG_PC) return put(debug, DEBUG_PC_OFFSET, value);
    if (is_lent(debug, number)) {
        debug->borrowed[number - BASE] = value;
        return DEBUG_OK;
    }
    return load_immediate(debug, number & 31u, value);
}

enum debug_result debug_csr(struct debug *debug, uint32_t number, uint32_t *value)
{
    enum debug_result result = check_stopped(debug);
    return result == DEBUG_OK ? evaluate(debug, OP_CSRRS | (number & 0xfffu) << 20, value) : result;
}

enum debug_result debug_set_csr(struct debug *debug, uint32_t number, uint32_t value)
{
    enum debug_result result = check_stopped(debug);
    if (result == DEBUG_OK) result = borrow(debug);
    if (result == DEBUG_OK) result = load_immediate(debug, VALUE, value);
    return result == DEBUG_OK ? execute(debug, OP_CSRRW | VALUE << 15 | (number & 0xfffu) << 20) : result;
}

/* ------------------------------------------------------------------ memory */

static bool is_system(const struct debug *debug, uint32_t address, size_t bytes)
{
    uint32_t at = address - GPU_LIMIT(ADDR_SYSTEM), room = debug->transport->memory_bytes;
    return address >= GPU_LIMIT(ADDR_SYSTEM) && at <= room && bytes <= room - at;
}

/* log2 of the widest access at `address` that `left` bytes have room for. */
static uint32_t width(uint32_t address, size_t left)
{
    return address % 4u == 0 && left >= 4 ? 2u : address % 2u == 0 && left >= 2 ? 1u : 0u;
}

/* x5 := what reaches `address` with a 12-bit offset. */
static enum debug_result point(struct debug *debug, uint32_t address)
{
    if (debug->has_base && debug->base == upper(address)) return DEBUG_OK;
    enum debug_result result = execute(debug, OP_LUI | BASE << 7 | upper(address));
    debug->has_base = result == DEBUG_OK;
    debug->base = upper(address);
    return result;
}

enum debug_result debug_read(struct debug *debug, uint32_t address, void *data, size_t bytes)
{
    struct transport *transport = debug->transport;
    enum debug_result result = check_stopped(debug);
    if (result != DEBUG_OK) return result;
    if (is_system(debug, address, bytes)) {
        int code = transport->memory_read(transport->context, address - GPU_LIMIT(ADDR_SYSTEM), data, bytes);
        return code == TRANSPORT_OK ? DEBUG_OK : DEBUG_LINK;
    }
    result = borrow(debug);
    for (size_t done = 0; done < bytes && result == DEBUG_OK;) {
        uint32_t at = address + (uint32_t)done, log2 = width(at, bytes - done), value = 0;
        uint32_t kind = log2 == 2 ? 2u : 4u + log2; /* lw, lhu, lbu */
        result = point(debug, at);
        if (result == DEBUG_OK) result = evaluate(debug, OP_LOAD | kind << 12 | BASE << 15 | lower(at) << 20, &value);
        for (uint32_t i = 0; i < 1u << log2 && result == DEBUG_OK; i++)
            ((uint8_t *)data)[done + i] = (uint8_t)(value >> 8 * i);
        done += (size_t)1 << log2;
    }
    return result;
}

enum debug_result debug_write(struct debug *debug, uint32_t address, const void *data, size_t bytes)
{
    struct transport *transport = debug->transport;
    enum debug_result result = check_stopped(debug);
    if (result != DEBUG_OK) return result;
    if (is_system(debug, address, bytes)) {
        int code = transport->memory_write(transport->context, address - GPU_LIMIT(ADDR_SYSTEM), data, bytes);
        return code == TRANSPORT_OK ? DEBUG_OK : DEBUG_LINK;
    }
    result = borrow(debug);
    for (size_t done = 0; done < bytes && result == DEBUG_OK;) {
        uint32_t at = address + (uint32_t)done, log2 = width(at, bytes - done), value = 0;
        for (uint32_t i = 0; i < 1u << log2; i++) value |= (uint32_t)((const uint8_t *)data)[done + i] << 8 * i;
        result = point(debug, at);
        if (result == DEBUG_OK) result = load_immediate(debug, VALUE, value);
        if (result == DEBUG_OK)
            result = execute(debug, OP_STORE | log2 << 12 | BASE << 15 | VALUE << 20 | (lower(at) >> 5) << 25 |
                                        (lower(at) & 31u) << 7);
        done += (size_t)1 << log2;
    }
    return result;
}

/* ------------------------------------------------------------------ breakpoints */

/* Put `value` into a free register of `count` from `offset` on, or take it out. */
static enum debug_result change(struct debug *debug, uint32_t *kept, uint32_t count, uint32_t offset, uint32_t value,
                                bool is_set)
{
    uint32_t place = count;
    for (uint32_t i = 0; i < count && place == count; i++)
        if (kept[i] == 0) place = i;
    for (uint32_t i = 0; i < count; i++) {
        if (kept[i] != value) continue;
        if (is_set) return DEBUG_OK;
        place = i;
    }
    if (!is_set && (place == count || kept[place] == 0)) return DEBUG_OK;
    if (place == count) return DEBUG_NO_ROOM;
    enum debug_result result = put(debug, offset + 4 * place, is_set ? value : 0);
    if (result == DEBUG_OK) kept[place] = is_set ? value : 0;
    return result;
}

enum debug_result debug_break(struct debug *debug, uint32_t address, bool is_set)
{
    return change(debug, debug->breaks, DEBUG_BREAKS, DEBUG_BREAK0_OFFSET, address | 1u, is_set);
}

enum debug_result debug_watch(struct debug *debug, uint32_t address, uint32_t bytes, bool loads, bool stores,
                              bool is_set)
{
    uint32_t kind = (loads ? 1u : 0u) | (stores ? 2u : 0u), first = address & ~3u;
    uint32_t words = bytes == 0 || bytes > 4u * DEBUG_WATCHES ? DEBUG_WATCHES + 1u : (address % 4u + bytes + 3u) / 4u;
    uint32_t room = 0;
    for (uint32_t i = 0; i < DEBUG_WATCHES; i++) room += debug->watches[i] == 0;
    if (kind == 0 || words > DEBUG_WATCHES || (is_set && words > room)) return DEBUG_NO_ROOM;
    enum debug_result result = DEBUG_OK;
    for (uint32_t i = 0; i < words && result == DEBUG_OK; i++)
        result = change(debug, debug->watches, DEBUG_WATCHES, DEBUG_WATCH0_OFFSET, (first + 4 * i) | kind, is_set);
    return result;
}
