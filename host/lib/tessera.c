/* SPDX-License-Identifier: Apache-2.0
 *
 * libtessera: opening the device (identity, ABI, firmware, rings, boot), and queries.
 * The order of tessera_open is the order docs/host.md numbers.
 */
#include "tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_hash.h"
#include "gpu_names.h"
#include "lib/command_room.h"
#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ opening */

static int check_identity(struct tessera *tessera, uint32_t abi)
{
    uint32_t id = 0, hardware = 0;
    int status = tessera_register_read(tessera, HOST_ID_OFFSET, &id);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, HOST_ABI_OFFSET, &hardware);
    if (status != TESSERA_OK) return status;
    if (id != 0x41525354u)
        return tessera_fail(
            tessera, TESSERA_NOT_A_GPU,
            "the device is not a Tessera: register ID is 0x%08x, not 'TSRA'. Check cable and bit stream.", id);
    if (hardware != abi)
        return tessera_fail(tessera, TESSERA_ABI,
                            "this program was built from table 0x%08x, the hardware from 0x%08x. Build both from one "
                            "tree: 'make clean all', then load the hardware again.",
                            abi, hardware);
    return TESSERA_OK;
}

static uint32_t abi_of(const struct tessera_options *options)
{
    return options->abi != 0 ? options->abi : GPU_ABI_HASH;
}

static int set_up(struct tessera *tessera, const struct tessera_options *options)
{
    const struct {
        uint32_t offset, value;
    } registers[] = {
        {HOST_SUBMIT_BASE_OFFSET, SUBMIT_RING_ADDRESS},
        {HOST_SUBMIT_SIZE_OFFSET, SUBMIT_RING_LOG2},
        {HOST_SUBMIT_TAIL_OFFSET, 0},
        {HOST_COMPLETE_BASE_OFFSET, COMPLETE_RING_ADDRESS},
        {HOST_COMPLETE_SIZE_OFFSET, COMPLETE_RING_LOG2},
        {HOST_COMPLETE_HEAD_OFFSET, 0},
        {HOST_SYSTEM_PAGES_OFFSET, tessera->transport->memory_bytes / PAGE_BYTES},
        {HOST_DUMMY_PAGE_OFFSET, DUMMY_ADDRESS / PAGE_BYTES},
        {HOST_SEGMENT1_LIMIT_OFFSET, options->segment1_pages},
        {HOST_SEGMENT2_LIMIT_OFFSET, options->segment2_pages},
        {HOST_ABI_HOST_OFFSET, abi_of(options)},
        {HOST_FORCE_OFFSET, options->force},
        {HOST_TIMEOUT_OFFSET, options->timeout_cycles},
        {HOST_BOOT_OPTIONS_OFFSET, options->boot_options},
        {HOST_COMMIT_LIMIT_OFFSET, options->commit_limit},
        {HOST_ALLOCATIONS_OFFSET, options->allocations},
        {HOST_CONTEXTS_OFFSET, options->contexts},
        {HOST_LIST_ENTRIES_OFFSET, options->list_entries},
        {HOST_DMA_BYTES_OFFSET, options->dma_bytes},
        {HOST_IRQ_STATUS_OFFSET, 0xffffffffu},
        {HOST_IRQ_ENABLE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION) | FIELD_PUT(1, HOST_IRQ_STATUS_PANIC)},
    };
    int status = TESSERA_OK;
    for (size_t i = 0; i < sizeof registers / sizeof *registers && status == TESSERA_OK; i++)
        status = tessera_register_write(tessera, registers[i].offset, registers[i].value);
    return status;
}

/* The command RAM that DMA buffers and lists of this length take, in bytes (command_room.h). */
static uint32_t command_need(uint32_t dma_bytes, uint32_t entries)
{
    const uint32_t list_bytes = entries > GPU_LIMIT(LIST_ENTRIES) ? entries * COMMAND_LIST_BYTES : 0;
    return COMMAND_OWN_BYTES + dma_bytes + entries * COMMAND_PATCH_BYTES + list_bytes;
}

/* Where command RAM has no room for DMA buffers and lists of the default lengths, half of both is the default, and so
 * on; one that the program has set stays, and with it the other. Hardware that says nothing (a stand-in) has room. */
static int fit_command_memory(struct tessera *tessera, struct tessera_options *options)
{
    enum { LEAST = 4096 };
    uint32_t command = 0, dma_bytes = GPU_LIMIT(DMA_BYTES), entries = GPU_LIMIT(LIST_ENTRIES);
    int status = tessera_register_read(tessera, MEMORY_COMMAND_BYTES_OFFSET, &command);
    if (status != TESSERA_OK || command == 0 || options->dma_bytes != 0 || options->list_entries != 0) return status;
    if (command_need(dma_bytes, entries) <= command) return TESSERA_OK;
    while (command_need(dma_bytes, entries) > command && dma_bytes > LEAST) dma_bytes /= 2u, entries /= 2u;
    options->dma_bytes = dma_bytes;
    options->list_entries = entries;
    return TESSERA_OK;
}

/* DMA buffers and lists that command RAM has no room for; OK: it has. */
static int no_command_room(struct tessera *tessera)
{
    const uint32_t entries = tessera->list_entries, need = command_need(tessera->dma_bytes, entries);
    uint32_t command = 0;
    int status = tessera_register_read(tessera, MEMORY_COMMAND_BYTES_OFFSET, &command);
    if (status == TESSERA_OK && need > command)
        status = tessera_fail(tessera, TESSERA_BOOT,
                              "DMA buffers of %u bytes with lists of %u entries need %u bytes of command RAM, and this "
                              "hardware has %u (COMMAND_BYTES): ask for shorter ones.",
                              tessera->dma_bytes, entries, need, command);
    return status;
}

/* What could be done about it depends on where the firmware had room to look for. */
static int no_table_room(struct tessera *tessera)
{
    uint32_t allocations = 0, contexts = 0, region = 0;
    int above = no_command_room(tessera);
    if (above != TESSERA_OK) return above;
    int status = tessera_register_read(tessera, HOST_ALLOCATIONS_OFFSET, &allocations);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, HOST_CONTEXTS_OFFSET, &contexts);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, MEMORY_FIRMWARE_BYTES_OFFSET, &region);
    if (status != TESSERA_OK) return status;
    allocations = allocations != 0 ? allocations : GPU_LIMIT(ALLOCATIONS);
    contexts = contexts != 0 ? contexts : GPU_LIMIT(CONTEXTS);
    char text[128];
    snprintf(text, sizeof text, "%u allocations and %u contexts do not fit in the firmware's memory: ask for fewer",
             allocations, contexts);
    if (region == 0)
        return tessera_fail(tessera, TESSERA_BOOT, "%s. This hardware has only core memory (FIRMWARE_BYTES is 0).",
                            text);
    if (tessera->has_image && !tessera->uses_region)
        return tessera_fail(tessera, TESSERA_BOOT,
                            "%s, or load the image that uses the region of %u bytes that this hardware has, gpu.elf; "
                            "the one loaded uses core memory alone.",
                            text, region);
    return tessera_fail(tessera, TESSERA_BOOT, "%s, or use hardware with more than FIRMWARE_BYTES = %u.", text, region);
}

/* Wait for BOOT_STATUS, by polling: there is no interrupt before the firmware is ready. */
static int wait_for_boot(struct tessera *tessera, bool is_loaded)
{
    enum { POLLS = 4000, CYCLES = 1000 };
    uint32_t boot = 0, panic = 0;
    for (unsigned poll = 0; poll < POLLS; poll++) {
        int status = tessera_register_read(tessera, HOST_BOOT_STATUS_OFFSET, &boot);
        if (status == TESSERA_OK) status = tessera_register_read(tessera, HOST_PANIC_CODE_OFFSET, &panic);
        if (status != TESSERA_OK) return status;
        if (boot == 1) return TESSERA_OK;
        if (boot == 0x80000000u + STATUS_ABI_MISMATCH || panic == PANIC_ABI)
            return tessera_fail(tessera, TESSERA_ABI,
                                "the firmware image was built from another table than hardware "
                                "and program. Build it again: 'make firmware'.");
        if (boot == 0x80000000u + STATUS_NO_TABLE_ROOM) return no_table_room(tessera);
        if (boot != 0)
            return tessera_fail(tessera, TESSERA_BOOT, "the firmware refused to start: %s.",
                                status_name(boot & 0x7fffffffu));
        status = queue_check_panic(tessera, " while starting");
        if (status != TESSERA_OK) return status;
        struct transport *transport = tessera->transport;
        status = link_result(tessera, transport->wait(transport->context, CYCLES), "wait for the firmware");
        if (status != TESSERA_OK) return status;
    }
    return tessera_fail(
        tessera, TESSERA_BOOT, "the firmware did not become ready within %u cycles. %s", (unsigned)POLLS * CYCLES,
        is_loaded ? "Is the image built for this machine?"
                  : "Has firmware been loaded since power-up? Open the board once without --keep-firmware.");
}

static int clear_control_pages(struct tessera *tessera)
{
    static const uint8_t zeros[PAGE_BYTES];
    int status = TESSERA_OK;
    for (uint32_t page = 0; page < CLEAR_PAGES && status == TESSERA_OK; page++)
        status = link_write(tessera, page * PAGE_BYTES, zeros, sizeof zeros);
    return status;
}

static int open_steps(struct tessera *tessera, const struct tessera_options *options, boot_loader load,
                      const void *image)
{
    if (tessera->transport->memory_bytes < tessera->pool_address + 16 * PAGE_BYTES)
        return tessera_fail(tessera, TESSERA_NO_MEMORY,
                            "the device has too little system memory: %u bytes, at least %u are needed.",
                            tessera->transport->memory_bytes, tessera->pool_address + 16 * PAGE_BYTES);
    int status = tessera_register_write(tessera, HOST_CONTROL_OFFSET, 0);
    if (status == TESSERA_OK) status = clear_control_pages(tessera);
    if (status == TESSERA_OK && load != NULL) status = load(tessera, image);
    if (status == TESSERA_OK) status = set_up(tessera, options);
    if (status == TESSERA_OK)
        status = tessera_register_write(tessera, HOST_CONTROL_OFFSET, FIELD_PUT(1, HOST_CONTROL_CORE_RUN));
    if (status == TESSERA_OK) status = wait_for_boot(tessera, load != NULL);
    return status;
}

void (*boot_opened)(struct tessera *tessera);

int boot_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
              boot_loader load, const void *image, char message[256])
{
    *tessera = NULL;
    struct tessera *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        snprintf(message, 256, "out of memory");
        return TESSERA_NO_MEMORY;
    }
    opened->transport = transport;
    opened->patience_cycles = options->patience_cycles != 0 ? options->patience_cycles : 200000000u;
    opened->next_tag = 1;
    struct tessera_options fitting = *options;
    int status = argument_check_options(opened, options);
    if (status == TESSERA_OK) status = check_identity(opened, abi_of(options));
    if (status == TESSERA_OK) status = fit_command_memory(opened, &fitting);
    if (status == TESSERA_OK) {
        memory_layout(opened, &fitting);
        status = memory_init(opened, &fitting);
    }
    if (status == TESSERA_OK) status = open_steps(opened, &fitting, load, image);
    if (status != TESSERA_OK) {
        snprintf(message, 256, "%.255s", opened->message);
        memory_free(opened);
        free(opened);
        return status;
    }
    *tessera = opened;
    if (boot_opened != NULL) boot_opened(opened);
    return TESSERA_OK;
}

void tessera_close(struct tessera *tessera)
{
    if (tessera == NULL) return;
    if (tessera->fault_hooks != NULL) tessera->fault_hooks->closed(tessera);
    if (tessera->transport->close != NULL) tessera->transport->close(tessera->transport->context);
    for (unsigned i = 0; i < TESSERA_OUTSTANDING; i++) free(tessera->outstanding[i].refusal);
    memory_free(tessera);
    while (tessera->contexts != NULL) queue_forget(&tessera->contexts, tessera->contexts->id);
    while (tessera->timelines != NULL) queue_forget(&tessera->timelines, tessera->timelines->id);
    if (tessera->on_close != NULL) tessera->on_close(tessera->platform);
    free(tessera->platform);
    free(tessera);
}

/* ------------------------------------------------------------------ queries */

int tessera_statistics(struct tessera *tessera, uint32_t statistics[STAT_COUNT])
{
    uint32_t message[16] = {MSG_QUERY_STATISTICS};
    struct tessera_completion completion;
    message[MSG_QUERY_STATISTICS_ADDRESS] = SCRATCH_ADDRESS;
    message[MSG_QUERY_STATISTICS_WORDS] = STAT_COUNT;
    memset(statistics, 0, STAT_COUNT * sizeof *statistics);
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    uint32_t words = completion.words[REPLY_QUERY_STATISTICS_WORDS - 4];
    return link_read(tessera, SCRATCH_ADDRESS, statistics,
                     (words < STAT_COUNT ? words : STAT_COUNT) * sizeof *statistics);
}

static uint64_t wide(const uint32_t *words) { return (uint64_t)words[1] << 32 | words[0]; }

int tessera_query_segments(struct tessera *tessera, struct tessera_segment *segments, uint32_t *count)
{
    enum { FORM = 5, DESCRIPTOR_LIMIT = 31 }; /* QUERYSEGMENT3; ids are 5 bits */
    uint32_t message[16] = {MSG_QUERY_SEGMENT}, words[SEGMENT_OUT_DESCRIPTORS + DESCRIPTOR_LIMIT * SEGMENT3_WORDS];
    struct tessera_completion completion;
    message[MSG_QUERY_SEGMENT_FORM] = FORM;
    int status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) return status;
    uint32_t room = *count, found = completion.words[REPLY_QUERY_SEGMENT_COUNT - 4];
    *count = found;
    if (segments == NULL) return TESSERA_OK;
    if (found > DESCRIPTOR_LIMIT || found > room)
        return tessera_fail(tessera, TESSERA_MISUSE, "there are %u segments, the array has room for %u.", found, room);
    message[MSG_QUERY_SEGMENT_ADDRESS] = SCRATCH_ADDRESS;
    message[MSG_QUERY_SEGMENT_COUNT] = found;
    status = tessera_call(tessera, message, &completion);
    if (status == TESSERA_OK)
        status = link_read(tessera, SCRATCH_ADDRESS, words,
                           (SEGMENT_OUT_DESCRIPTORS + found * SEGMENT3_WORDS) * sizeof *words);
    for (uint32_t i = 0; status == TESSERA_OK && i < found; i++) {
        const uint32_t *descriptor = words + SEGMENT_OUT_DESCRIPTORS + i * SEGMENT3_WORDS;
        segments[i] =
            (struct tessera_segment){descriptor[SEGMENT3_FLAGS], wide(descriptor + SEGMENT3_BASE),
                                     wide(descriptor + SEGMENT3_SIZE), wide(descriptor + SEGMENT3_COMMIT_LIMIT)};
    }
    return status;
}
