/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware as the firmware sees it, over the engine model: hal.h and the register file. Access rights
 * come from the table; the core doing what its column forbids is a defect and aborts. Reads of system
 * memory go through a model of the core's line buffer, so that a missing invalidate shows as stale data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_internal.h"
#include "gpu_hash.h"
#include "platform/hal.h"
#include "unwind.h"

static _Thread_local struct device *current;

struct device *device_current(void) { return current; }
void device_enter(struct device *device) { current = device; }

/* ------------------------------------------------------------------ register file */

enum access { ACCESS_NA = 0, ACCESS_RO = 1, ACCESS_WO = 2, ACCESS_RW = 3, ACCESS_W1C = 3 };

struct register_row {
    uint32_t offset, reset;
    enum access access[2]; /* host, core */
    enum gpu_block block;
};

static const struct register_row rows[] = {
#define REG(block, name, offset, host, core, reset, doc) \
    {block##_BASE + (offset), (uint32_t)(reset), {ACCESS_##host, ACCESS_##core}, block##_BASE},
#include "gpu.def"
};

/* Row of an offset; `copy` is which copy of a repeated block it is in. */
static const struct register_row *find_row(uint32_t offset, uint32_t *copy)
{
    *copy = 0;
    if (offset >= NODE_BASE + NODE_STRIDE && offset < NODE_BASE + NODE_COUNT * NODE_STRIDE) {
        *copy = 1;
        offset -= NODE_STRIDE;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].offset == offset) return &rows[i];
    return NULL;
}

void device_registers_reset(struct device *device)
{
    memset(device->registers, 0, sizeof device->registers);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) device->registers[rows[i].offset / 4u] = rows[i].reset;
    device->registers[HOST_ABI_OFFSET / 4u] = GPU_ABI_HASH;
    device->registers[DEBUG_STATUS_OFFSET / 4u] = 0; /* no debug unit here */
    device->registers[APERTURE_PAGES_OFFSET / 4u] = device->engine.aperture_pages;
    device->registers[MEMORY_TCM_BYTES_OFFSET / 4u] = TCM_BYTES;
    device->registers[MEMORY_COMMAND_BYTES_OFFSET / 4u] = device->engine.command_bytes;
    device->registers[MEMORY_SEGMENT1_BYTES_OFFSET / 4u] = device->engine.segment1_bytes;
    device->registers[MEMORY_SEGMENT2_BYTES_OFFSET / 4u] = device->engine.segment2_bytes;
    device->registers[MEMORY_FEATURES_OFFSET / 4u] =
        FEATURES_ALL | FIELD_PUT(device->display.is_there, MEMORY_FEATURES_DISPLAY);
    examiner_model_reset(&device->examiner, device->examiner_log2);
    lists_model_reset(&device->lists, LISTS_ROWS_LOG2);
}

static uint32_t node_status(const struct device *device, uint32_t index)
{
    const struct engine_node *node = &device->engine.node[index];
    bool is_stopped = node->is_paused && !device_is_inside(device, index);
    bool is_stuck = device->is_hung[index] || device->crawling[index] != 0u;
    bool has_work = node->head != node->tail && !node->is_halted && node->is_enabled && !is_stopped;
    bool is_waiting = has_work && device->is_waiting[index] && !is_stuck && !node->is_paused;
    return FIELD_PUT(has_work || is_stuck, NODE_STATUS_BUSY) | FIELD_PUT(node->is_halted, NODE_STATUS_HALTED) |
           FIELD_PUT(is_waiting, NODE_STATUS_WAITING) | FIELD_PUT(is_stopped && !is_stuck, NODE_STATUS_PAUSED);
}

static uint32_t node_read(const struct device *device, uint32_t index, uint32_t offset)
{
    const struct engine_node *node = &device->engine.node[index];
    switch (offset) {
    case NODE_CONTROL_OFFSET:
        return FIELD_PUT(node->is_enabled, NODE_CONTROL_ENABLE) | FIELD_PUT(node->is_paused, NODE_CONTROL_PAUSE);
    case NODE_STATUS_OFFSET: return node_status(device, index);
    case NODE_RING_BASE_OFFSET: return node->ring_base;
    case NODE_RING_SIZE_OFFSET: return node->ring_log2_words;
    case NODE_TAIL_OFFSET: return node->tail;
    case NODE_HEAD_OFFSET: return node->head;
    case NODE_FENCE_OFFSET: return node->fence;
    case NODE_ERROR_OFFSET: return node->error;
    case NODE_ERROR_ADDRESS_OFFSET: return node->error_address;
    case NODE_ERROR_PACKET_OFFSET: return node->error_packet;
    case NODE_ERROR_WORD_OFFSET: return node->error_word;
    case NODE_IRQ_OFFSET: return node->irq;
    case NODE_PAGE_BOUND_OFFSET: return node->page_bound;
    case NODE_PACKETS_OFFSET: return node->packets;
    case NODE_READ_LOCAL_OFFSET: return (uint32_t)node->bytes_read_local;
    case NODE_READ_SYSTEM_OFFSET: return (uint32_t)node->bytes_read_system;
    case NODE_WRITE_LOCAL_OFFSET: return (uint32_t)node->bytes_written_local;
    case NODE_WRITE_SYSTEM_OFFSET: return (uint32_t)node->bytes_written_system;
    default: return 0; /* stall counters: the model has no time of its own */
    }
}

static void node_write(struct device *device, uint32_t index, uint32_t offset, uint32_t value)
{
    struct engine_node *node = &device->engine.node[index];
    switch (offset) {
    case NODE_CONTROL_OFFSET:
        node->is_enabled = FIELD_GET(value, NODE_CONTROL_ENABLE) != 0u;
        node->is_paused = FIELD_GET(value, NODE_CONTROL_PAUSE) != 0u;
        if (FIELD_GET(value, NODE_CONTROL_RESET) != 0u) {
            engine_model_reset(&device->engine, index);
            device->is_hung[index] = false;
            device->slow_left[index] = device->slow_turns[index];
            device->crawling[index] = 0;
        }
        break;
    case NODE_RING_BASE_OFFSET: node->ring_base = value; break;
    case NODE_RING_SIZE_OFFSET: node->ring_log2_words = value; break;
    case NODE_TAIL_OFFSET: node->tail = value; break;
    case NODE_FENCE_OFFSET: node->fence = value; break;
    case NODE_IRQ_OFFSET: node->irq &= ~value; break;
    case NODE_PAGE_BOUND_OFFSET: node->page_bound = FIELD_GET(value, NODE_PAGE_BOUND_PAGES); break;
    default: break;
    }
}

/* The display unit, at this cycle. */
static struct display_model *display_now(struct device *device)
{
    display_model_advance(&device->display, device->cycle);
    return &device->display;
}

static uint32_t core_pending(struct device *device)
{
    const struct display_model *display = display_now(device);
    return FIELD_PUT((display->irq & display->irq_enable) != 0u, CORE_IRQ_PENDING_DISPLAY) |
           device->registers[CORE_IRQ_PENDING_OFFSET / 4u] |
           FIELD_PUT(device->engine.node[0].irq != 0u && !device->drops_interrupts, CORE_IRQ_PENDING_NODE0) |
           FIELD_PUT(device->engine.node[1].irq != 0u && !device->drops_interrupts, CORE_IRQ_PENDING_NODE1);
}

/* Where the firmware goes in steps, a reading takes some of them. */
enum { LISTS_STEPS = 3 };
static uint32_t lists_read(struct device *device, uint32_t offset)
{
    const uint32_t answer = lists_model_read(&device->lists, offset);
    if (offset != EXAMINE_LISTS_OFFSET || device->lists_waits == 0u) return answer;
    const bool is_named = --device->lists_waits == 0u && FIELD_GET(answer, EXAMINE_LISTS_NAMED) != 0u;
    return FIELD_PUT(1, EXAMINE_LISTS_PRESENT) | FIELD_PUT(1, EXAMINE_LISTS_BUSY) |
           FIELD_PUT(is_named, EXAMINE_LISTS_NAMED);
}

uint32_t device_register_read(struct device *device, uint32_t offset, enum device_side side)
{
    uint32_t copy;
    const struct register_row *row = find_row(offset, &copy);
    if (row == NULL || (row->access[side] & ACCESS_RO) == 0) return 0;
    if (row->block == NODE_BASE) return node_read(device, copy, row->offset);
    if (row->block == DISPLAY_BASE) return display_model_read(display_now(device), offset, device->cycle);
    if (row->block == EXAMINE_BASE)
        return offset < EXAMINE_LISTS_OFFSET ? examiner_model_read(&device->examiner, offset)
                                             : lists_read(device, offset);
    switch (offset) {
    case CORE_CYCLE_LO_OFFSET: return (uint32_t)device->cycle;
    case CORE_CYCLE_HI_OFFSET: return (uint32_t)(device->cycle >> 32);
    case CORE_IRQ_PENDING_OFFSET: return core_pending(device);
    case APERTURE_DUMMY_OFFSET: return device->engine.dummy_page;
    case APERTURE_LOOKUPS_OFFSET: return device->engine.lookups;
    case APERTURE_DUMMY_HITS_OFFSET: return device->engine.dummy_hits;
    case APERTURE_ENTRY_OFFSET: {
        uint32_t index = device->registers[APERTURE_INDEX_OFFSET / 4u];
        return index < device->engine.aperture_pages ? device->engine.aperture[index] : 0;
    }
    default: return device->registers[offset / 4u];
    }
}

static void keep_event(struct device *device, uint32_t event, uint32_t argument)
{
    uint32_t *kept = device->events[device->event_count++ % EVENTS_KEPT];
    kept[0] = (uint32_t)device->cycle;
    kept[1] = (uint32_t)(device->cycle >> 32);
    kept[2] = event;
    kept[3] = argument;
}

void device_register_write(struct device *device, uint32_t offset, uint32_t value, enum device_side side)
{
    uint32_t copy;
    const struct register_row *row = find_row(offset, &copy);
    bool is_allowed = row != NULL && (row->access[side] & ACCESS_WO) != 0;
    if (!is_allowed && side == SIDE_CORE) {
        fprintf(stderr, "device: the firmware wrote register 0x%03x, which it must not\n", offset);
        abort();
    }
    if (!is_allowed) return;
    if (row->block == NODE_BASE) {
        node_write(device, copy, row->offset, value);
        return;
    }
    if (row->block == DISPLAY_BASE) {
        display_model_write(display_now(device), offset, value, device->cycle);
        return;
    }
    if (row->block == EXAMINE_BASE && offset >= EXAMINE_LISTS_OFFSET) {
        const struct lists_memory memory = {device->engine.command, device->engine.command_bytes / 4u,
                                            (const void *)device->engine.system, device->engine.system_bytes / 4u};
        lists_model_write(&device->lists, &device->examiner, offset, value, &memory);
        const bool is_stepped = FIELD_GET(device->registers[HOST_FORCE_OFFSET / 4u], HOST_FORCE_STEP_PLAN) != 0u;
        if (offset == EXAMINE_READ_OFFSET) device->lists_waits = is_stepped ? LISTS_STEPS : 0u;
        if (offset == EXAMINE_STOP_OFFSET) device->lists_waits = 0;
        return;
    }
    if (row->block == EXAMINE_BASE) {
        examiner_model_write(&device->examiner, offset, value, device->engine.command,
                             device->engine.command_bytes / 4u);
        return;
    }
    uint32_t *word = &device->registers[offset / 4u];
    switch (offset) {
    case HOST_IRQ_STATUS_OFFSET: *word &= ~value; break;
    case HOST_IRQ_RAISE_OFFSET: device->registers[HOST_IRQ_STATUS_OFFSET / 4u] |= value; break;
    case HOST_SUBMIT_TAIL_OFFSET:
    case HOST_COMPLETE_HEAD_OFFSET:
        *word = value;
        device->registers[CORE_IRQ_PENDING_OFFSET / 4u] |= FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL);
        break;
    case CORE_IRQ_PENDING_OFFSET: *word &= ~value; break;
    case CORE_INVALIDATE_OFFSET: device->line_is_valid = false; break;
    case CORE_CONSOLE_OFFSET:
        if (device->probe.console != NULL) device->probe.console(device->probe.context, (char)value);
        break;
    case CORE_TRACE_OFFSET:
        keep_event(device, value, device->registers[CORE_TRACE_ARG_OFFSET / 4u]);
        if (device->probe.firmware != NULL)
            device->probe.firmware(device->probe.context, device->cycle, value,
                                   device->registers[CORE_TRACE_ARG_OFFSET / 4u]);
        break;
    case APERTURE_DUMMY_OFFSET: device->engine.dummy_page = value; break;
    default: *word = value; break;
    }
}

/* ------------------------------------------------------------------ hal.h */

uint32_t hal_register_read(uint32_t offset) { return device_register_read(current, offset, SIDE_CORE); }
void hal_register_write(uint32_t offset, uint32_t value) { device_register_write(current, offset, value, SIDE_CORE); }

static uint32_t *command_word(uint32_t offset)
{
    if (offset % 4u != 0u || offset >= current->engine.command_bytes) hal_assert_failed("access outside command RAM");
    return &current->engine.command[offset / 4u];
}

uint32_t hal_command_read(uint32_t offset) { return *command_word(offset); }
void hal_command_write(uint32_t offset, uint32_t word) { *command_word(offset) = word; }
void *hal_command_memory(uint32_t offset) { return command_word(offset); }

void hal_free_memory(struct hal_memory part[2])
{
    part[0] = (struct hal_memory){current->tables, current->table_bytes};
    part[1] = (struct hal_memory){NULL, 0};
}

/* Is there memory? Otherwise the bus answers with an error. */
static bool has_system_bytes(uint32_t address, uint32_t bytes)
{
    uint32_t size = current->engine.system_bytes;
    if (address % 4u != 0u || address >= GPU_LIMIT(ADDR_SYSTEM)) hal_assert_failed("no address of system memory");
    if (address <= size && bytes <= size - address) return true;
    current->has_failed = true;
    current->failed_address = address;
    return false;
}

bool hal_system_failed(uint32_t *address)
{
    if (!current->has_failed) return false;
    current->has_failed = false;
    *address = current->failed_address;
    return true;
}

void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    const uint32_t line_bytes = LINE_WORDS * 4u;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = address + i * 4u;
        if (!has_system_bytes(at, 4)) continue;
        if (!current->line_is_valid || at - current->line_address >= line_bytes) {
            current->line_address = at - at % line_bytes;
            memcpy(current->line, current->engine.system + current->line_address, line_bytes);
            current->line_is_valid = true;
        }
        words[i] = current->line[(at - current->line_address) / 4u];
    }
}

void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (has_system_bytes(address + i * 4u, 4)) memcpy(current->engine.system + address + i * 4u, &words[i], 4);
    if (current->line_is_valid && address < current->line_address + LINE_WORDS * 4u &&
        current->line_address < address + count * 4u)
        current->line_is_valid = false;
}

void hal_system_invalidate(void) { hal_register_write(CORE_INVALIDATE_OFFSET, 1); }
void hal_barrier(void) {}
uint32_t hal_cycles(void)
{
    current->cycle += current->look_cycles;
    return (uint32_t)current->cycle;
}

/* A bus error is of what runs on the stack. */
bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context)
{
    return stacks_run(current->stacks, stack, body, context);
}
void hal_pause(void)
{
    const bool has_failed = current->has_failed;
    const uint32_t address = current->failed_address;
    current->has_failed = false;
    stacks_pause(current->stacks);
    current->has_failed = has_failed;
    current->failed_address = address;
}
struct turn *hal_turn(void) { return &current->turn; }

void hal_idle(uint32_t cycles) { (void)cycles; } /* the device's own loop decides what runs */

void hal_trace(enum gpu_trace_event event, uint32_t argument)
{
    hal_register_write(CORE_TRACE_ARG_OFFSET, argument);
    hal_register_write(CORE_TRACE_OFFSET, (uint32_t)event);
}

_Noreturn void hal_panic(enum gpu_enumerator code, uint32_t place)
{
    struct device *device = current;
    device->registers[HOST_PANIC_CODE_OFFSET / 4u] = (uint32_t)code;
    device->registers[HOST_PANIC_PLACE_OFFSET / 4u] = place;
    device->registers[HOST_IRQ_STATUS_OFFSET / 4u] |= FIELD_PUT(1, HOST_IRQ_STATUS_PANIC);
    device->is_dead = true;
    stacks_leave(device->stacks);
    unwind_leave();
}

_Noreturn void hal_assert_failed(const char *text)
{
    fprintf(stderr, "firmware assertion failed: %s\n", text);
    abort();
}
