/* SPDX-License-Identifier: Apache-2.0
 *
 * The DMA buffers of a dump on a machine with firmware: the same limits and options, the same allocations, page lists
 * that are spoiled in the same places, the same contexts. Handles and pages are this machine's own.
 *
 * A page number of the dump is one of four things: as the library gave it; another one of system memory; one that the
 * bus does not answer for, though the device was told of so much memory; or above what it was told. Each becomes a
 * number of the same kind.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/dump_again.h"
#include "gpu_names.h"
#include "lib/device/creation.h"
#include "lib/tessera_internal.h"

enum { MORE_PAGES = 16, PATIENCE = 10000000 }; /* cycles that the rest takes, whatever the limits are */

struct machine {
    const struct tdump *dump;
    struct platform platform;
    struct transport transport; /* the platform's, with more memory than there is, if the dump's said so */
    struct tessera *tessera;
    struct tessera_allocation *made[TDUMP_ALLOCATIONS_MAX];
    uint32_t contexts[TDUMP_BUFFERS_MAX];
    tessera_ticket tickets[TDUMP_BUFFERS_MAX];
    uint32_t staging[TDUMP_BUFFERS_MAX];
    bool is_sent[TDUMP_BUFFERS_MAX];
};

/* ------------------------------------------------------------------ the device */

static bool has_more(const struct tdump *dump)
{
    return tdump_register(dump, HOST_SYSTEM_PAGES_OFFSET, 0) > dump->about[ABOUT_MEMORY_BYTES] / PAGE_BYTES;
}

/* Registers that the library leaves alone have to be written before the core starts. */
static int register_write(void *context, uint32_t offset, uint32_t value)
{
    static const uint32_t own[] = {HOST_PREEMPT_DELAY_OFFSET, HOST_PORTION_LIMIT_OFFSET, HOST_RECOVERY_LIMIT_OFFSET,
                                   HOST_RECOVERY_WINDOW_OFFSET};
    const struct machine *machine = context;
    const struct transport *inner = &machine->platform.transport;
    int result = TRANSPORT_OK;
    if (offset == HOST_SYSTEM_PAGES_OFFSET && has_more(machine->dump)) value += MORE_PAGES;
    if (offset == HOST_CONTROL_OFFSET && value != 0)
        for (size_t i = 0; i < sizeof own / sizeof *own && result == TRANSPORT_OK; i++)
            result = inner->register_write(inner->context, own[i], tdump_register(machine->dump, own[i], 0));
    return result == TRANSPORT_OK ? inner->register_write(inner->context, offset, value) : result;
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    const struct transport *inner = &((const struct machine *)context)->platform.transport;
    return inner->register_read(inner->context, offset, value);
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    const struct transport *inner = &((const struct machine *)context)->platform.transport;
    return inner->memory_read(inner->context, address, data, bytes);
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    const struct transport *inner = &((const struct machine *)context)->platform.transport;
    return inner->memory_write(inner->context, address, data, bytes);
}

static int wait_for(void *context, uint32_t cycles)
{
    const struct transport *inner = &((const struct machine *)context)->platform.transport;
    return inner->wait(inner->context, cycles);
}

static uint64_t cycles(void *context)
{
    return transport_cycles(&((const struct machine *)context)->platform.transport);
}

static void close_machine(void *context)
{
    const struct transport *inner = &((const struct machine *)context)->platform.transport;
    inner->close(inner->context);
}

static uint32_t pages_of(const struct tdump *dump, uint32_t bytes_at, uint32_t limit_at)
{
    const uint32_t pages = tdump_register(dump, bytes_at, 0) / PAGE_BYTES, limit = tdump_register(dump, limit_at, 0);
    return limit != 0 && (limit < pages || pages == 0) ? limit : pages;
}

static bool open_machine(struct machine *machine, const struct platform_options *options, char message[256])
{
    const struct tdump *dump = machine->dump;
    const struct tessera_options of_library = {
        .segment1_pages = pages_of(dump, MEMORY_SEGMENT1_BYTES_OFFSET, HOST_SEGMENT1_LIMIT_OFFSET),
        .segment2_pages = pages_of(dump, MEMORY_SEGMENT2_BYTES_OFFSET, HOST_SEGMENT2_LIMIT_OFFSET),
        .force = tdump_register(dump, HOST_FORCE_OFFSET, 0),
        .timeout_cycles = tdump_register(dump, HOST_TIMEOUT_OFFSET, 0),
        .boot_options = tdump_register(dump, HOST_BOOT_OPTIONS_OFFSET, 0),
        .commit_limit = tdump_register(dump, HOST_COMMIT_LIMIT_OFFSET, 0),
        .allocations = tdump_register(dump, HOST_ALLOCATIONS_OFFSET, 0),
        .contexts = tdump_register(dump, HOST_CONTEXTS_OFFSET, 0),
        .list_entries = tdump_register(dump, HOST_LIST_ENTRIES_OFFSET, 0),
        .dma_bytes = tdump_register(dump, HOST_DMA_BYTES_OFFSET, 0),
        .patience_cycles = PATIENCE + 2u * places_limits(dump).portion,
        .seed = 1};
    if (platform_open(&machine->platform, options, message) != 0) return false;
    machine->transport = (struct transport){.context = machine,
                                            .register_read = register_read,
                                            .register_write = register_write,
                                            .memory_read = memory_read,
                                            .memory_write = memory_write,
                                            .wait = wait_for,
                                            .cycles = cycles,
                                            .close = close_machine,
                                            .memory_bytes = machine->platform.transport.memory_bytes};
    struct tessera_options with_firmware = of_library;
    with_firmware.firmware = machine->platform.firmware;
    if (tessera_open(&machine->tessera, &machine->transport, &with_firmware, message) == TESSERA_OK) return true;
    close_machine(machine);
    return false;
}

/* ------------------------------------------------------------------ what the buffers need */

static uint32_t page_like(const struct machine *machine, const struct tdump_allocation *allocation, uint32_t index,
                          uint32_t own)
{
    const struct tdump *dump = machine->dump;
    const uint32_t page = allocation->found[index], pages = machine->transport.memory_bytes / PAGE_BYTES;
    const uint32_t told = tdump_register(dump, HOST_SYSTEM_PAGES_OFFSET, dump->about[ABOUT_MEMORY_BYTES] / PAGE_BYTES);
    if (page == allocation->given[index]) return own;
    if (page >= told) return 0xfffffu;
    if (page >= dump->about[ABOUT_MEMORY_BYTES] / PAGE_BYTES) return pages + page % MORE_PAGES;
    return DUMMY_ADDRESS / PAGE_BYTES;
}

static int create(struct machine *machine, uint32_t index)
{
    const struct tdump_allocation *allocation = &machine->dump->allocations[index];
    struct tessera_allocation_options options = options_of_creation(allocation->created);
    options.bytes = allocation->page_count * PAGE_BYTES;
    struct tessera *tessera = machine->tessera;
    int status = tessera_set_client(tessera, allocation->client);
    if (status == TESSERA_OK) status = tessera_allocation_create(tessera, &options, &machine->made[index]);
    if (status != TESSERA_OK) return status;
    const struct tessera_allocation *made = machine->made[index];
    for (uint32_t i = 0; i < allocation->page_count && status == TESSERA_OK; i++) {
        const uint32_t page = page_like(machine, allocation, i, made->pages[i]);
        if (allocation->content != NULL)
            status = link_write(tessera, made->pages[i] * PAGE_BYTES, allocation->content + (size_t)i * PAGE_BYTES,
                                PAGE_BYTES);
        if (status == TESSERA_OK && page != made->pages[i])
            status = link_write(tessera, made->list_address + i * 4u, &page, sizeof page);
    }
    return status;
}

/* A buffer's context: one for all of the same client and context of the dump. */
static int find_context(struct machine *machine, uint32_t index)
{
    const struct tdump_buffer *buffer = &machine->dump->buffers[index];
    for (uint32_t i = 0; i < index; i++) {
        const struct tdump_buffer *before = &machine->dump->buffers[i];
        if (before->client != buffer->client || before->context != buffer->context) continue;
        machine->contexts[index] = machine->contexts[i];
        return TESSERA_OK;
    }
    return tessera_context_create(machine->tessera, 0, 0, &machine->contexts[index]);
}

/* Its list has handles of the dump; one that is not in the dump is unknown here, too. */
static int send(struct machine *machine, uint32_t index)
{
    const struct tdump_buffer *buffer = &machine->dump->buffers[index];
    struct tessera *tessera = machine->tessera;
    uint32_t message[16] = {MSG_SUBMIT}, address = 0;
    uint32_t list[LIMIT_BITS_LIST_ENTRIES_MAX * LIMIT_BITS_LIST_ENTRY_WORDS];
    const size_t list_bytes = (size_t)buffer->list_count * LIMIT_BITS_LIST_ENTRY_WORDS * 4u;
    const size_t patch_bytes = (size_t)buffer->patch_count * LIMIT_BITS_PATCH_ENTRY_WORDS * 4u;
    memcpy(list, buffer->list, list_bytes);
    for (uint32_t i = 0; i < machine->dump->allocation_count; i++)
        for (uint32_t k = 0; k < buffer->list_count; k++)
            if (buffer->list[k * LIMIT_BITS_LIST_ENTRY_WORDS] == machine->dump->allocations[i].handle)
                list[k * LIMIT_BITS_LIST_ENTRY_WORDS] = machine->made[i]->handle;
    int status = tessera_set_client(tessera, buffer->client);
    if (status == TESSERA_OK) status = find_context(machine, index);
    if (status == TESSERA_OK) status = tessera_staging_take(tessera, &address);
    if (status != TESSERA_OK) return status;
    machine->staging[index] = address;
    if (buffer->word_count * 4u > tessera->staging_list ||
        list_bytes > tessera->staging_patches - tessera->staging_list ||
        patch_bytes > tessera->staging_bytes - tessera->staging_patches)
        return tessera_fail(tessera, TESSERA_MISUSE, "the DMA buffer is longer than its limits (HOST.DMA_BYTES)");
    status = link_write(tessera, address, buffer->words, buffer->word_count * 4u);
    if (status == TESSERA_OK) status = link_write(tessera, address + tessera->staging_list, list, list_bytes);
    if (status == TESSERA_OK && patch_bytes != 0)
        status = link_write(tessera, address + tessera->staging_patches, buffer->patches, patch_bytes);
    message[MSG_SUBMIT_CONTEXT] = machine->contexts[index];
    message[MSG_SUBMIT_DMA] = address;
    message[MSG_SUBMIT_DMA_BYTES] = buffer->word_count * 4u;
    message[MSG_SUBMIT_LIST] = address + tessera->staging_list;
    message[MSG_SUBMIT_LIST_COUNT] = buffer->list_count;
    message[MSG_SUBMIT_PATCHES] = address + tessera->staging_patches;
    message[MSG_SUBMIT_PATCH_COUNT] = buffer->patch_count;
    message[MSG_SUBMIT_FLAGS] = buffer->flags;
    if (status == TESSERA_OK) status = tessera_send(tessera, message, &machine->tickets[index]);
    machine->is_sent[index] = status == TESSERA_OK;
    return status;
}

/* ------------------------------------------------------------------ how it ends */

static bool is_like(const struct tdump *dump, const struct again *again)
{
    return dump->about[ABOUT_REASON] == again->reason &&
           ((again->reason != TDUMP_FAULT && again->reason != TDUMP_PANIC) || dump->about[ABOUT_VALUE] == again->value);
}

/* What a status is for *again; false: nothing that a dump is written for. */
static bool take_end(struct tessera *tessera, int status, uint32_t detail, struct again *again)
{
    again->value = 0;
    switch (status) {
    case STATUS_FAULT:
        again->reason = TDUMP_FAULT;
        again->value = detail;
        snprintf(again->text, sizeof again->text, "FAULT %s", fault_name(detail));
        return true;
    case STATUS_TIMEOUT: again->reason = TDUMP_TIMEOUT; break;
    case STATUS_CONTEXT_LOST: again->reason = TDUMP_CONTEXT_LOST; break;
    case TESSERA_TIMED_OUT: again->reason = TDUMP_NO_ANSWER; break;
    case TESSERA_PANIC:
        again->reason = TDUMP_PANIC;
        (void)tessera_register_read(tessera, HOST_PANIC_CODE_OFFSET, &again->value);
        break;
    default: return false;
    }
    snprintf(again->text, sizeof again->text, "%s",
             status < 0 ? tessera_message(tessera) : status_name((uint32_t)status));
    return true;
}

/* Of all that happens, what is like the dump counts, else the first. */
static void wait_for_all(struct machine *machine, struct again *again)
{
    bool has_ended = false;
    int status = TESSERA_OK;
    again->has_run = true;
    snprintf(again->text, sizeof again->text, "all that was in flight is done");
    for (uint32_t i = 0; i < machine->dump->buffer_count && status >= TESSERA_OK; i++) {
        struct tessera_completion completion = {0};
        struct again end = {.has_run = true, .reason = TDUMP_ASKED};
        if (!machine->is_sent[i]) continue;
        status = tessera_wait(machine->tessera, machine->tickets[i], &completion);
        if (take_end(machine->tessera, status, completion.detail, &end)) {
            if (!has_ended || (is_like(machine->dump, &end) && !is_like(machine->dump, again))) *again = end;
            has_ended = true;
        } else if (status > TESSERA_OK && !has_ended)
            snprintf(again->text, sizeof again->text, "%.80s", tessera_message(machine->tessera));
        if (status >= TESSERA_OK) tessera_staging_free(machine->tessera, machine->staging[i]);
    }
}

void again_machine(const struct tdump *dump, const struct platform_options *options, struct again *again)
{
    struct machine *machine = calloc(1, sizeof *machine);
    char message[256] = "out of memory";
    int status = TESSERA_OK;
    *again = (struct again){.reason = TDUMP_ASKED};
    if (machine != NULL) machine->dump = dump;
    if (dump->buffer_count == 0) snprintf(message, sizeof message, "no DMA buffer was in flight");
    if (machine == NULL || dump->buffer_count == 0 || !open_machine(machine, options, message)) {
        snprintf(again->text, sizeof again->text, "%.250s", message);
        free(machine);
        return;
    }
    for (uint32_t i = 0; i < dump->allocation_count && status == TESSERA_OK; i++) status = create(machine, i);
    for (uint32_t i = 0; i < dump->buffer_count && status == TESSERA_OK; i++) status = send(machine, i);
    if (status == TESSERA_OK || take_end(machine->tessera, status, 0, again)) wait_for_all(machine, again);
    else snprintf(again->text, sizeof again->text, "it cannot be set up: %.200s", tessera_message(machine->tessera));
    tessera_close(machine->tessera);
    free(machine);
}
