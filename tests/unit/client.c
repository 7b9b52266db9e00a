/* SPDX-License-Identifier: Apache-2.0
 *
 * See client.h. Memory: page 0 submission ring, page 1-2 completion ring, page 3 dummy, page 4.. statistics,
 * then page lists and staging in the upper half, allocations' pages from CLIENT_FIRST_PAGE on. Rings that need more lie
 * in the middle.
 */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_hash.h"

enum { COMPLETE_BASE = 4096, STATISTICS = 4 * 4096, STAGE_BYTES = 65536, STAGE_COUNT = 16 };

static void die(const char *text)
{
    fprintf(stderr, "client: %s\n", text);
    abort();
}

static void set(struct client *client, uint32_t offset, uint32_t value)
{
    client->transport.register_write(client->transport.context, offset, value);
}

static uint32_t get(struct client *client, uint32_t offset)
{
    uint32_t value = 0;
    client->transport.register_read(client->transport.context, offset, &value);
    return value;
}

void client_open(struct client *client, const struct device_options *options, uint32_t force)
{
    client_boot(client, options, &(struct client_boot){.force = force});
}

void client_boot(struct client *client, const struct device_options *options, const struct client_boot *boot)
{
    char error[256];
    *client = (struct client){0};
    client->device = device_create(options, error);
    if (client->device == NULL) die(error);
    device_check_rows(client->device);
    device_transport(client->device, &client->transport);
    if (!client_start(client, boot)) die("the firmware does not boot");
}

bool client_start(struct client *client, const struct client_boot *boot)
{
    const uint32_t log2 = boot->ring_log2 != 0 ? boot->ring_log2 : CLIENT_RING_LOG2;
    const bool is_small = log2 <= CLIENT_RING_LOG2;
    client->next_tag = 1;
    client->id = 0;
    client->next_page = CLIENT_FIRST_PAGE;
    client->random = 0x1234567u;
    client->force = boot->force;
    client->submit_log2 = client->complete_log2 = log2;
    client->submit_base = is_small ? 0u : client->transport.memory_bytes / 2u;
    client->complete_base = is_small ? (uint32_t)COMPLETE_BASE : client->submit_base + (64u << log2);
    set(client, HOST_CONTROL_OFFSET, 0);
    client->submit_tail = get(client, HOST_SUBMIT_HEAD_OFFSET);
    client->complete_head = get(client, HOST_COMPLETE_TAIL_OFFSET);
    set(client, HOST_SUBMIT_TAIL_OFFSET, client->submit_tail);
    set(client, HOST_COMPLETE_HEAD_OFFSET, client->complete_head);
    set(client, HOST_SUBMIT_BASE_OFFSET, client->submit_base);
    set(client, HOST_SUBMIT_SIZE_OFFSET, client->submit_log2);
    set(client, HOST_COMPLETE_BASE_OFFSET, client->complete_base);
    set(client, HOST_COMPLETE_SIZE_OFFSET, client->complete_log2);
    const uint32_t pages = client->transport.memory_bytes / CLIENT_PAGE;
    set(client, HOST_SYSTEM_PAGES_OFFSET, boot->system_pages != 0 ? boot->system_pages : pages);
    set(client, HOST_DUMMY_PAGE_OFFSET, CLIENT_DUMMY_PAGE);
    set(client, HOST_ABI_HOST_OFFSET, GPU_ABI_HASH);
    set(client, HOST_FORCE_OFFSET, boot->force);
    set(client, HOST_BOOT_OPTIONS_OFFSET, boot->options);
    set(client, HOST_COMMIT_LIMIT_OFFSET, boot->commit_limit);
    set(client, HOST_ALLOCATIONS_OFFSET, boot->allocations);
    set(client, HOST_CONTEXTS_OFFSET, boot->contexts);
    set(client, HOST_LIST_ENTRIES_OFFSET, boot->list_entries);
    set(client, HOST_DMA_BYTES_OFFSET, boot->dma_bytes);
    set(client, HOST_TIMEOUT_OFFSET, boot->timeout);
    set(client, HOST_PREEMPT_DELAY_OFFSET, boot->preempt_delay);
    set(client, HOST_PORTION_LIMIT_OFFSET, boot->portion_limit);
    set(client, HOST_RECOVERY_LIMIT_OFFSET, boot->recovery_limit);
    set(client, HOST_RECOVERY_WINDOW_OFFSET, boot->recovery_window);
    set(client, HOST_IRQ_ENABLE_OFFSET, 3);
    set(client, HOST_CONTROL_OFFSET, 1);
    for (uint32_t tries = 0; tries < 100 && get(client, HOST_BOOT_STATUS_OFFSET) == 0; tries++)
        client->transport.wait(client->transport.context, 10000);
    return get(client, HOST_BOOT_STATUS_OFFSET) == 1;
}

uint32_t client_send(struct client *client, const uint32_t message[16])
{
    uint32_t words[16];
    memcpy(words, message, sizeof words);
    words[0] |= message_word(0, client->id);
    words[1] = client->next_tag++;
    uint32_t slot = client->submit_tail % (1u << client->submit_log2);
    client->transport.memory_write(client->transport.context, client->submit_base + slot * 64u, words, 64);
    set(client, HOST_SUBMIT_TAIL_OFFSET, ++client->submit_tail);
    return words[1];
}

bool client_receive(struct client *client, struct answer *answer)
{
    for (int tries = 0; tries < 2000; tries++) {
        set(client, HOST_IRQ_STATUS_OFFSET, 1);
        if (get(client, HOST_COMPLETE_TAIL_OFFSET) != client->complete_head) {
            uint32_t slot = client->complete_head % (1u << client->complete_log2);
            client->transport.memory_read(client->transport.context, client->complete_base + slot * 32u, answer, 32);
            set(client, HOST_COMPLETE_HEAD_OFFSET, ++client->complete_head);
            /* No word of the host's is at fault where the detail says none. */
            if ((answer->status == STATUS_OK || answer->status == STATUS_CONTEXT_LOST) && answer->detail != 0)
                die("a detail that says nothing");
            return true;
        }
        if (client->transport.wait(client->transport.context, 1000000) != TRANSPORT_OK) return false;
        if (get(client, HOST_PANIC_CODE_OFFSET) != 0) return false;
    }
    return false;
}

bool client_has_answer(struct client *client)
{
    return get(client, HOST_COMPLETE_TAIL_OFFSET) != client->complete_head;
}

struct answer client_call(struct client *client, const uint32_t message[16])
{
    struct answer answer;
    uint32_t tag = client_send(client, message);
    if (!client_receive(client, &answer)) die("no answer");
    if (answer.tag != tag) die("the answer to another message");
    return answer;
}

/* ------------------------------------------------------------------ the end */

/* The answer to a message of the end; others that come first belong to what the test has left. */
static uint32_t end_call(struct client *client, uint32_t code, uint32_t word2)
{
    const uint32_t words[16] = {code, 0, word2};
    struct answer answer;
    uint32_t tag = client_send(client, words);
    do {
        if (!client_receive(client, &answer)) die("no answer at the end");
    } while (answer.tag != tag);
    return answer.status;
}

static void destroy_all(struct client *client)
{
    const struct allocation_table *table = &device_gpu(client->device)->manager.residency.world.table;
    for (uint32_t i = 0; i < table->limit; i++) {
        if ((table->entry[i].flags & ALLOCATION_EXISTS) == 0u) continue;
        uint32_t handle = allocation_handle(table, i);
        client->id = table->entry[i].client;
        if (allocation_is_locked(table, i) && end_call(client, MSG_UNLOCK, handle) != STATUS_OK) die("no unlock");
        if (end_call(client, MSG_DESTROY_ALLOCATION, handle) != STATUS_OK) die("no end of an allocation");
    }
}

static void check_nothing_left(const struct client *client)
{
    const struct gpu *gpu = device_gpu(client->device);
    const struct residency *residency = &gpu->manager.residency;
    if (!gpu_check(gpu)) die("the validators fail at the end");
    if (residency->world.table.live_count != 0u || residency->plan.journal_count != 0u) die("allocations are left");
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++)
        if (residency->world.map.segment[i].used_pages != 0u) die("pages are left in a segment");
    for (uint32_t i = 0; i < gpu->manager.contexts.limit; i++)
        if (gpu->manager.contexts.entry[i].jobs != 0u) die("jobs are left");
    for (uint32_t i = 0; i < 3u * GPU_LIMIT(GUARD_SPACE_PAGES); i++)
        if (device_engine(client->device)->node[0].guard[i] != 0u) die("the engine is left with access");
    const struct engine_model *engine = device_engine(client->device);
    for (uint32_t i = 0; i < engine->aperture_pages; i++)
        if (FIELD_GET(engine->aperture[i], APERTURE_ENTRY_MAPPED) != 0u) die("a page is left mapped");
}

void client_close(struct client *client)
{
    if (get(client, HOST_BOOT_STATUS_OFFSET) == 1u && get(client, HOST_PANIC_CODE_OFFSET) == 0u) {
        set(client, HOST_FORCE_OFFSET, 0);
        client->id = 0;
        end_call(client, MSG_NOP, 0);
        if (!gpu_check(device_gpu(client->device))) die("the validators fail");
        destroy_all(client);
        for (uint32_t i = 0; i < 50u; i++) device_turn(client->device);
        check_nothing_left(client);
    }
    client->transport.close(client->transport.context);
}

/* ------------------------------------------------------------------ allocations */

static uint32_t random_word(struct client *client)
{
    client->random = client->random * 1664525u + 1013904223u;
    return client->random >> 8;
}

void client_pages(struct client *client, struct client_allocation *allocation, uint32_t pages)
{
    uint32_t list[CLIENT_PAGES];
    if (pages > CLIENT_PAGES) die("too many pages for a test");
    allocation->pages = pages;
    /* Runs of neighbours and jumps, so that paging has runs of every length. */
    for (uint32_t i = 0; i < pages; i++) {
        client->next_page += random_word(client) % 3u == 0 ? 2u : 1u;
        allocation->page[i] = (uint16_t)client->next_page;
        list[i] = client->next_page;
    }
    allocation->list = (client->next_page + 1u) * CLIENT_PAGE;
    client->next_page += 2u;
    client->transport.memory_write(client->transport.context, allocation->list, list, pages * 4u);
}

uint32_t client_create(struct client *client, struct client_allocation *allocation, uint32_t pages, uint32_t set,
                       const uint32_t *message)
{
    uint32_t words[16] = {MSG_CREATE_ALLOCATION};
    client_pages(client, allocation, pages);
    words[MSG_CREATE_ALLOCATION_BYTES] = pages * CLIENT_PAGE;
    words[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE;
    words[MSG_CREATE_ALLOCATION_READ_SET] = set;
    words[MSG_CREATE_ALLOCATION_WRITE_SET] = set;
    words[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u;
    words[MSG_CREATE_ALLOCATION_PAGES] = allocation->list;
    for (uint32_t i = 2; message != NULL && i < 16; i++)
        if (message[i] != 0) words[i] = message[i];
    struct answer answer = client_call(client, words);
    allocation->handle = answer.words[REPLY_CREATE_ALLOCATION_HANDLE - 4];
    return answer.status;
}

static uint32_t simple(struct client *client, uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t words[16] = {code, 0, word2, word3};
    return client_call(client, words).status;
}

uint32_t client_lock(struct client *client, const struct client_allocation *allocation, uint32_t flags)
{
    return simple(client, MSG_LOCK, allocation->handle, flags | LOCK_ENTIRE);
}

uint32_t client_unlock(struct client *client, const struct client_allocation *allocation)
{
    return simple(client, MSG_UNLOCK, allocation->handle, 0);
}

uint32_t client_destroy(struct client *client, const struct client_allocation *allocation)
{
    return simple(client, MSG_DESTROY_ALLOCATION, allocation->handle, 0);
}

uint32_t client_context(struct client *client, int32_t priority)
{
    const uint32_t words[16] = {MSG_CREATE_CONTEXT, 0, 0, (uint32_t)priority};
    return client_call(client, words).words[REPLY_CREATE_CONTEXT_CONTEXT - 4];
}

void client_write(struct client *client, const struct client_allocation *allocation, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < allocation->pages; i++)
        client->transport.memory_write(client->transport.context, allocation->page[i] * (uint32_t)CLIENT_PAGE,
                                       bytes + i * CLIENT_PAGE, CLIENT_PAGE);
}

void client_read(struct client *client, const struct client_allocation *allocation, uint8_t *bytes)
{
    for (uint32_t i = 0; i < allocation->pages; i++)
        client->transport.memory_read(client->transport.context, allocation->page[i] * (uint32_t)CLIENT_PAGE,
                                      bytes + i * CLIENT_PAGE, CLIENT_PAGE);
}

void client_statistics(struct client *client, uint32_t statistics[STAT_COUNT])
{
    const uint32_t words[16] = {MSG_QUERY_STATISTICS, 0, STATISTICS, STAT_COUNT};
    if (client_call(client, words).status != STATUS_OK) die("no statistics");
    client->transport.memory_read(client->transport.context, STATISTICS, statistics, STAT_COUNT * 4);
}

/* ------------------------------------------------------------------ DMA buffers */

void stream_init(struct stream *stream)
{
    stream->used = stream->patches_used = stream->split = 0;
    stream->handle[0] = stream->writes[0] = 0;
    stream->list_used = 1;
}

uint32_t stream_list(struct stream *stream, uint32_t handle, bool write)
{
    uint32_t index = 1;
    if (handle == 0) return 0;
    while (index < stream->list_used && stream->handle[index] != handle) index++;
    if (index == STREAM_LIST) die("allocation list full");
    if (index == stream->list_used) {
        stream->handle[index] = handle;
        stream->writes[index] = 0;
        stream->list_used++;
    }
    if (write) stream->writes[index] = 1;
    return index;
}

void stream_patch(struct stream *stream, uint32_t list_index, uint32_t slot, uint32_t offset)
{
    if (stream->patches_used == STREAM_PATCHES) die("patch list full");
    uint32_t *patch = stream->patch[stream->patches_used++];
    patch[PATCH_ALLOCATION_INDEX] = list_index;
    patch[PATCH_SLOT_ID] = slot;
    patch[PATCH_DRIVER_ID] = 0x600d;
    patch[PATCH_ALLOCATION_OFFSET] = offset;
    patch[PATCH_PATCH_OFFSET] = stream->used * 4u;
    patch[PATCH_SPLIT_OFFSET] = stream->split;
}

void stream_push(struct stream *stream, uint32_t word)
{
    if (stream->used == STREAM_WORDS) die("stream full");
    stream->words[stream->used++] = word;
}

void stream_copy(struct stream *stream, uint32_t source, uint32_t source_offset, uint32_t target,
                 uint32_t target_offset, uint32_t bytes, uint32_t slot)
{
    stream->split = stream->used * 4u;
    stream_push(stream, PKT_COPY | FIELD_PUT(1, PKT_COPY_BARRIER));
    stream_patch(stream, stream_list(stream, source, false), slot, source_offset);
    stream_push(stream, 0xdeadbeefu);
    stream_patch(stream, stream_list(stream, target, true), slot + 1u, target_offset);
    stream_push(stream, 0xdeadbeefu);
    stream_push(stream, bytes);
}

void stream_fill(struct stream *stream, uint32_t target, uint32_t offset, uint32_t bytes, uint32_t pattern,
                 uint32_t slot)
{
    stream->split = stream->used * 4u;
    stream_push(stream, PKT_FILL);
    stream_patch(stream, stream_list(stream, target, true), slot, offset);
    stream_push(stream, 0xdeadbeefu);
    stream_push(stream, bytes);
    stream_push(stream, pattern);
}

void stream_bind(struct stream *stream, uint32_t slot, uint32_t handle, uint32_t offset, uint32_t pitch, uint32_t bytes,
                 bool write)
{
    stream->split = stream->used * 4u;
    stream_push(stream, PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT));
    stream_patch(stream, stream_list(stream, handle, write), slot, offset);
    stream_push(stream, 0xdeadbeefu);
    stream_push(stream, pitch);
    stream_push(stream, bytes);
}

void stream_unbind(struct stream *stream, uint32_t slot) { stream_bind(stream, slot, 0, 0, 0, 0, false); }

void stream_fill_rect(struct stream *stream, uint32_t slot, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      uint32_t colour)
{
    stream_push(stream, PKT_FILL_RECT | FIELD_PUT(slot, PKT_FILL_RECT_TARGET) | FIELD_PUT(1, PKT_FILL_RECT_BARRIER));
    stream_push(stream, FIELD_PUT(x, PKT_FILL_RECT_X) | FIELD_PUT(y, PKT_FILL_RECT_Y));
    stream_push(stream, FIELD_PUT(width, PKT_FILL_RECT_WIDTH) | FIELD_PUT(height, PKT_FILL_RECT_HEIGHT));
    stream_push(stream, colour);
}

void client_stage(struct client *client, const struct stream *stream, uint32_t context, uint32_t place,
                  uint32_t message[16])
{
    if (place >= STAGE_COUNT) die("no such staging place");
    uint32_t list[STREAM_LIST][2];
    uint32_t base = client->transport.memory_bytes - (place + 1u) * STAGE_BYTES;
    uint32_t list_at = base + STREAM_WORDS * 4u, patches_at = list_at + STREAM_LIST * 8u;
    for (uint32_t i = 0; i < stream->list_used; i++) {
        list[i][LIST_HANDLE] = stream->handle[i];
        list[i][LIST_FLAGS] = stream->writes[i];
    }
    client->transport.memory_write(client->transport.context, base, stream->words, stream->used * 4u);
    client->transport.memory_write(client->transport.context, list_at, list, stream->list_used * 8u);
    client->transport.memory_write(client->transport.context, patches_at, stream->patch, stream->patches_used * 24u);
    memset(message, 0, 64);
    message[0] = MSG_SUBMIT;
    message[MSG_SUBMIT_CONTEXT] = context;
    message[MSG_SUBMIT_DMA] = base;
    message[MSG_SUBMIT_DMA_BYTES] = stream->used * 4u;
    message[MSG_SUBMIT_LIST] = list_at;
    message[MSG_SUBMIT_LIST_COUNT] = stream->list_used;
    message[MSG_SUBMIT_PATCHES] = patches_at;
    message[MSG_SUBMIT_PATCH_COUNT] = stream->patches_used;
}
