/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for the whole GPU under libtessera: see fake_device.h.
 */
#include "fake_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_hash.h"

enum { SYSTEM_BYTES = 64 << 20, SEGMENT2_BYTES = 16 << 20, PAGE = LIMIT_BITS_PAGE_BYTES };

static uint32_t *reg(struct fake_device *device, uint32_t offset) { return &device->registers[offset / 4]; }

static uint32_t system_word(const struct fake_device *device, uint32_t address)
{
    uint32_t word;
    memcpy(&word, device->system + address, 4);
    return word;
}

/* Content between the host's pages and the segment. */
static void move_content(struct fake_device *device, struct fake_allocation *allocation, bool is_in)
{
    if (allocation->is_in == is_in) return;
    for (uint32_t page = 0; page * PAGE < allocation->bytes; page++) {
        uint8_t *host = device->system + (size_t)system_word(device, allocation->list + 4 * page) * PAGE;
        uint8_t *local = device->segment2 + allocation->offset + page * PAGE;
        memcpy(is_in ? local : host, is_in ? host : local, PAGE);
    }
    allocation->is_in = is_in;
}

static uint32_t run_submission(struct fake_device *device, const uint32_t *message)
{
    if (message[MSG_SUBMIT_DMA] > SYSTEM_BYTES / 2 || message[MSG_SUBMIT_DMA_BYTES] > sizeof device->command ||
        message[MSG_SUBMIT_PATCHES] > SYSTEM_BYTES / 2 || message[MSG_SUBMIT_LIST] > SYSTEM_BYTES / 2 ||
        message[MSG_SUBMIT_PATCH_COUNT] > 4096)
        return STATUS_BAD_ADDRESS;
    memcpy(device->command, device->system + message[MSG_SUBMIT_DMA], message[MSG_SUBMIT_DMA_BYTES]);
    for (uint32_t i = 0; i < message[MSG_SUBMIT_PATCH_COUNT]; i++) {
        uint32_t patch = message[MSG_SUBMIT_PATCHES] + i * 4 * LIMIT_BITS_PATCH_ENTRY_WORDS;
        uint32_t index = system_word(device, patch + 4 * PATCH_ALLOCATION_INDEX);
        uint32_t handle = system_word(device, message[MSG_SUBMIT_LIST] + index * 4 * LIMIT_BITS_LIST_ENTRY_WORDS);
        uint32_t address = 0;
        if (handle > FAKE_ALLOCATIONS ||
            system_word(device, patch + 4 * PATCH_PATCH_OFFSET) > sizeof device->command - 4)
            return STATUS_BAD_HANDLE;
        if (handle != 0) {
            struct fake_allocation *allocation = &device->allocations[handle - 1];
            move_content(device, allocation, true);
            address = GPU_LIMIT(ADDR_SEGMENT2) + allocation->offset +
                      system_word(device, patch + 4 * PATCH_ALLOCATION_OFFSET);
        }
        device->command[system_word(device, patch + 4 * PATCH_PATCH_OFFSET) / 4] = address;
    }
    uint32_t fault = engine_model_run(&device->engine, 0, 0, message[MSG_SUBMIT_DMA_BYTES], false);
    return fault == FAULT_NONE ? STATUS_OK : STATUS_FAULT;
}

static void create(struct fake_device *device, const uint32_t *message, uint32_t *completion)
{
    uint32_t bytes = (message[MSG_CREATE_ALLOCATION_BYTES] + PAGE - 1) / PAGE * PAGE, i = 0;
    struct fake_allocation *places = device->allocations;
    while (i < device->allocation_count && (places[i].exists || places[i].room < bytes)) i++;
    if (i == device->allocation_count) {
        if (bytes > SEGMENT2_BYTES - device->segment2_used || i == FAKE_ALLOCATIONS) {
            completion[COMPLETION_STATUS] = STATUS_NO_SEGMENT;
            return;
        }
        places[device->allocation_count++] = (struct fake_allocation){.room = bytes, .offset = device->segment2_used};
        device->segment2_used += bytes;
    }
    places[i] = (struct fake_allocation){bytes, places[i].room, message[MSG_CREATE_ALLOCATION_PAGES], places[i].offset,
                                         true,  false};
    completion[REPLY_CREATE_ALLOCATION_HANDLE] = i + 1;
}

/* Numbers of which each is another one. */
static void write_numbers(struct fake_device *device, uint32_t address, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        memcpy(device->system + address + 4 * i, &(uint32_t){1009 * (i + 1) + device->messages}, 4);
}

static void segments(struct fake_device *device, const uint32_t *message, uint32_t *completion)
{
    if (message[MSG_QUERY_SEGMENT_FORM] != 5) completion[COMPLETION_STATUS] = STATUS_UNSUPPORTED;
    completion[REPLY_QUERY_SEGMENT_COUNT] = device->segment_count;
    if (device->has_numbers && message[MSG_QUERY_SEGMENT_ADDRESS] != 0)
        write_numbers(device, message[MSG_QUERY_SEGMENT_ADDRESS],
                      SEGMENT_OUT_DESCRIPTORS + message[MSG_QUERY_SEGMENT_COUNT] * SEGMENT3_WORDS);
}

/* What a device with numbers says besides. */
static void add_numbers(struct fake_device *device, const uint32_t *message, uint32_t *completion)
{
    if (message[0] == MSG_SUBMIT) {
        completion[REPLY_SUBMIT_PORTIONS] = 1 + device->messages % 3;
        completion[REPLY_SUBMIT_EVICTIONS] = device->messages % 5;
        completion[REPLY_SUBMIT_PAGED_IN] = device->messages % 7;
        completion[REPLY_SUBMIT_PAGED_OUT] = device->messages % 11;
    } else if (message[0] == MSG_QUERY_STATISTICS) {
        write_numbers(device, message[MSG_QUERY_STATISTICS_ADDRESS], message[MSG_QUERY_STATISTICS_WORDS]);
        const uint32_t none[] = {STAT_RECOVERIES,
                                 *reg(device, HOST_SEGMENT2_LIMIT_OFFSET) == 0 ? STAT_SPLITS : STAT_RECOVERIES};
        for (unsigned i = 0; i < 2; i++)
            memset(device->system + message[MSG_QUERY_STATISTICS_ADDRESS] + 4 * none[i], 0, 4);
        completion[REPLY_QUERY_STATISTICS_WORDS] = message[MSG_QUERY_STATISTICS_WORDS];
        completion[COMPLETION_STATUS] = STATUS_OK;
    } else if (message[0] == MSG_QUERY_ALLOCATION) {
        completion[REPLY_QUERY_ALLOCATION_SEGMENT] = 2;
        if (message[2] - 1 < FAKE_ALLOCATIONS)
            completion[REPLY_QUERY_ALLOCATION_OFFSET] = device->allocations[message[2] - 1].offset;
        completion[COMPLETION_STATUS] = STATUS_OK;
    } else if (completion[COMPLETION_STATUS] == STATUS_BAD_MESSAGE) {
        completion[COMPLETION_STATUS] = STATUS_OK; /* it takes everything */
    }
}

static void answer(struct fake_device *device, const uint32_t *message)
{
    uint32_t completion[LIMIT_BITS_COMPLETION_WORDS] = {message[1], STATUS_OK};
    uint32_t handle = message[2];
    bool is_known = handle >= 1 && handle <= device->allocation_count && device->allocations[handle - 1].exists;
    if (device->client != 0 && device->busy != 0) {
        device->busy--;
        completion[COMPLETION_STATUS] = STATUS_BUSY;
    } else switch (message[0]) {
        case MSG_NOP: break;
        case MSG_CREATE_ALLOCATION: create(device, message, completion); break;
        case MSG_CREATE_CONTEXT: completion[REPLY_CREATE_CONTEXT_CONTEXT] = 1; break;
        case MSG_DESTROY_CONTEXT: break;
        case MSG_SET_CONTEXT:
            if (message[MSG_SET_CONTEXT_CHANGES] == CONTEXT_PRIORITY)
                device->priority = (int32_t)message[MSG_SET_CONTEXT_PRIORITY];
            else if (message[MSG_SET_CONTEXT_CHANGES] == CONTEXT_BUDGET)
                device->budget = message[MSG_SET_CONTEXT_BUDGET];
            else completion[COMPLETION_STATUS] = STATUS_BAD_FLAGS;
            break;
        case MSG_QUERY_CONTEXT:
            if (message[MSG_QUERY_CONTEXT_CONTEXT] != 1) completion[COMPLETION_STATUS] = STATUS_BAD_CONTEXT;
            for (uint32_t i = REPLY_QUERY_CONTEXT_SHARE; i <= REPLY_QUERY_CONTEXT_TAKEN; i++) completion[i] = 10 * i;
            break;
        case MSG_QUERY_SEGMENT: segments(device, message, completion); break;
        case MSG_SUBMIT: completion[COMPLETION_STATUS] = run_submission(device, message); break;
        case MSG_ADMIT_CLIENT:
            if (device->client != 0) completion[COMPLETION_STATUS] = STATUS_NOT_ALLOWED;
            device->admitted = message[MSG_ADMIT_CLIENT_CLIENT];
            break;
        case MSG_SHARE: memcpy(device->shared, &message[MSG_SHARE_HANDLE], sizeof device->shared); break;
        case MSG_LOCK:
        case MSG_UNLOCK:
        case MSG_DESTROY_ALLOCATION:
            if (!is_known) {
                completion[COMPLETION_STATUS] = STATUS_BAD_HANDLE;
                completion[COMPLETION_DETAIL] = 2;
            } else if (message[0] == MSG_LOCK) {
                move_content(device, &device->allocations[handle - 1], false);
            } else if (message[0] == MSG_DESTROY_ALLOCATION) {
                device->allocations[handle - 1].exists = false;
            }
            break;
        default: completion[COMPLETION_STATUS] = STATUS_BAD_MESSAGE; break;
        }
    if (device->has_numbers) add_numbers(device, message, completion);
    if (device->messages == device->refuse_at) completion[COMPLETION_STATUS] = STATUS_NO_SEGMENT;
    uint32_t *tail = reg(device, HOST_COMPLETE_TAIL_OFFSET);
    uint32_t index = *tail & field_mask(*reg(device, HOST_COMPLETE_SIZE_OFFSET));
    memcpy(device->system + *reg(device, HOST_COMPLETE_BASE_OFFSET) + index * sizeof completion, completion,
           sizeof completion);
    ++*tail;
    *reg(device, HOST_IRQ_STATUS_OFFSET) |= FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION);
}

static int fake_wait(void *context, uint32_t cycles)
{
    struct fake_device *device = context;
    uint32_t *head = reg(device, HOST_SUBMIT_HEAD_OFFSET);
    device->cycles += cycles;
    if (device->delay > 0 && device->delay-- > 0) return TRANSPORT_OK;
    while (*head != *reg(device, HOST_SUBMIT_TAIL_OFFSET)) {
        uint32_t message[LIMIT_BITS_MESSAGE_WORDS], index = *head & field_mask(*reg(device, HOST_SUBMIT_SIZE_OFFSET));
        memcpy(message, device->system + *reg(device, HOST_SUBMIT_BASE_OFFSET) + index * sizeof message,
               sizeof message);
        ++*head;
        device->messages++;
        device->client = message_client(message[0]);
        message[0] = message_code(message[0]);
        if (device->panic_after != 0 && device->messages == device->panic_after) {
            *reg(device, HOST_PANIC_CODE_OFFSET) = PANIC_ASSERT;
            *reg(device, HOST_PANIC_PLACE_OFFSET) = 0x1234;
            device->is_silent = true;
        }
        if (!device->is_silent) answer(device, message);
    }
    return TRANSPORT_OK;
}

static int fake_register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct fake_device *device = context;
    if (offset % 4 != 0 || offset / 4 >= FAKE_REGISTERS) return TRANSPORT_IO;
    *value = *reg(device, offset);
    return TRANSPORT_OK;
}

static int fake_register_write(void *context, uint32_t offset, uint32_t value)
{
    struct fake_device *device = context;
    if (offset % 4 != 0 || offset / 4 >= FAKE_REGISTERS) return TRANSPORT_IO;
    if (offset == HOST_IRQ_STATUS_OFFSET) {
        *reg(device, offset) &= ~value;
        return TRANSPORT_OK;
    }
    *reg(device, offset) = value;
    if (offset == HOST_LOAD_DATA_OFFSET) device->loaded_words++;
    if (offset == HOST_LOAD_ADDRESS_OFFSET) device->load_address = value;
    if (offset == HOST_CONTROL_OFFSET && value != 0) *reg(device, HOST_BOOT_STATUS_OFFSET) = device->boot_status;
    return TRANSPORT_OK;
}

static int fake_memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct fake_device *device = context;
    if (address > SYSTEM_BYTES || bytes > SYSTEM_BYTES - address) return TRANSPORT_IO;
    memcpy(data, device->system + address, bytes);
    return TRANSPORT_OK;
}

static int fake_memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct fake_device *device = context;
    if (address > SYSTEM_BYTES || bytes > SYSTEM_BYTES - address) return TRANSPORT_IO;
    memcpy(device->system + address, data, bytes);
    return TRANSPORT_OK;
}

static uint64_t fake_cycles(void *context) { return ((struct fake_device *)context)->cycles; }

void fake_device_init(struct fake_device *device, struct transport *transport)
{
    memset(device, 0, sizeof *device);
    device->system = calloc(1, SYSTEM_BYTES);
    device->segment2 = calloc(1, SEGMENT2_BYTES);
    device->engine.system = device->system;
    device->engine.segment2 = device->segment2;
    device->engine.system_bytes = SYSTEM_BYTES;
    device->engine.segment2_bytes = SEGMENT2_BYTES;
    device->engine.command = device->command;
    device->engine.command_bytes = sizeof device->command;
    memset(device->engine.node[0].guard, 3, sizeof device->engine.node[0].guard);
    device->boot_status = 1;
    device->segment_count = 3;
    *reg(device, HOST_ID_OFFSET) = 0x41525354u;
    *reg(device, HOST_ABI_OFFSET) = GPU_ABI_HASH;
    *reg(device, MEMORY_TCM_BYTES_OFFSET) = 128 << 10;
    *reg(device, MEMORY_COMMAND_BYTES_OFFSET) = 64 << 10;
    *transport = (struct transport){.context = device,
                                    .register_read = fake_register_read,
                                    .register_write = fake_register_write,
                                    .memory_read = fake_memory_read,
                                    .memory_write = fake_memory_write,
                                    .wait = fake_wait,
                                    .cycles = fake_cycles,
                                    .memory_bytes = SYSTEM_BYTES};
}

void fake_device_free(struct fake_device *device)
{
    free(device->system);
    free(device->segment2);
}
