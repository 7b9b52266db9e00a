/* SPDX-License-Identifier: Apache-2.0
 *
 * See submitter.h. Of a program at most one submission is under way, so that one which found no room (BUSY) can be sent
 * again before those after it. Everything else is waited for.
 */
#include "virtio/submitter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/device/creation.h"
#include "tessera_stream.h"

enum { PAGE = LIMIT_BITS_PAGE_BYTES, CLIENTS = LIMIT_BITS_CLIENTS, WORDS = LIMIT_BITS_MESSAGE_WORDS };
/* Under way at most: the painter needs one of the library's eight staging buffers, too. And cycles of the GPU between
 * two looks at the driver's queues. */
enum { UNDER_WAY_MOST = 6, MOMENT = 20000 };
enum { LIST_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS, PATCH_WORDS = LIMIT_BITS_PATCH_ENTRY_WORDS };

/* A buffer's pages of system memory, and what a program has made of it. */
struct buffer {
    uint32_t *pages;
    uint32_t page_count, bytes;
    struct tessera_allocation *allocation; /* NULL: none */
    uint32_t owner;                        /* the place of the context that made it */
    bool is_locked;
    uint64_t shared; /* a bit per client that may name it */
};

/* A program's context, and what it is in the GPU. */
struct program {
    uint32_t client;                            /* 0: it has not submitted anything yet */
    uint32_t contexts[SUBMITTER_CONTEXTS_MOST]; /* 0: none */
    bool is_drawing;
    tessera_ticket ticket; /* of that */
};

struct submitter {
    struct tessera *tessera;
    struct submitter_options options;
    struct tessera_stream *stream;
    uint64_t taken;     /* a bit per client */
    uint32_t under_way; /* submissions */
    bool has_failed;    /* the GPU answers no more */
    struct buffer buffer[VIRTIO_GPU_RESOURCES_MOST];
    struct program program[VIRTIO_GPU_CONTEXTS_MOST];
    uint32_t capset[CAPSET_WORDS];
    struct submitter_counts counts;
};

static int answer_with(uint32_t *answer, uint32_t status, uint32_t detail)
{
    answer[COMPLETION_STATUS] = status;
    answer[COMPLETION_DETAIL] = detail;
    return (int)status;
}

/* A status of the library's, which has no completion, as one of the device. */
static uint32_t status_of(int status)
{
    if (status >= 0) return (uint32_t)status;
    if (status == TESSERA_NO_MEMORY) return STATUS_OUT_OF_HANDLES;
    return status == TESSERA_MISUSE ? STATUS_BAD_ARGUMENT : STATUS_CONTEXT_LOST;
}

/* ------------------------------------------------------------------ the capability set */

static void put_wide(uint32_t *words, uint64_t value)
{
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

static int fill_capset(struct submitter *submitter)
{
    struct tessera *tessera = submitter->tessera;
    struct tessera_segment segments[LIMIT_BITS_SEGMENTS];
    uint32_t *words = submitter->capset, statistics[STAT_COUNT], count = LIMIT_BITS_SEGMENTS;
    int status = tessera_query_segments(tessera, segments, &count);
    if (status == TESSERA_OK) status = tessera_features(tessera, &words[CAPSET_FEATURES]);
    if (status == TESSERA_OK)
        status = tessera_register_read(tessera, MEMORY_COMMAND_BYTES_OFFSET, &words[CAPSET_COMMAND_BYTES]);
    if (status == TESSERA_OK) status = tessera_register_read(tessera, HOST_ABI_OFFSET, &words[CAPSET_ABI]);
    if (status == TESSERA_OK) status = tessera_statistics(tessera, statistics);
    if (status != TESSERA_OK) return status;
    words[CAPSET_MAGIC] = PAYLOAD_IS_MAGIC;
    words[CAPSET_VERSION] = PAYLOAD_IS_VERSION;
    words[CAPSET_DMA_BYTES] = statistics[STAT_DMA_LIMIT];
    words[CAPSET_LIST_ENTRIES] = statistics[STAT_LIST_LIMIT];
    words[CAPSET_SEGMENT_COUNT] = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *of = words + CAPSET_SEGMENT + i * (uint32_t)CAPSET_SEGMENT_WORDS;
        of[CAPSET_SEGMENT_FLAGS] = segments[i].flags;
        put_wide(of + CAPSET_SEGMENT_BASE, segments[i].base);
        put_wide(of + CAPSET_SEGMENT_BYTES, segments[i].bytes);
        put_wide(of + CAPSET_SEGMENT_COMMIT_LIMIT, segments[i].commit_limit);
    }
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ messages */

/* As the client; with 0 as what this program is. */
static int call_as(struct submitter *submitter, uint32_t client, const uint32_t *message, uint32_t *answer)
{
    struct tessera_completion completion = {.status = STATUS_OK};
    uint32_t copy[WORDS];
    memcpy(copy, message, sizeof copy);
    (void)tessera_set_client(submitter->tessera, client);
    const int status = tessera_call(submitter->tessera, copy, &completion);
    (void)tessera_set_client(submitter->tessera, 0);
    if (status < 0) return answer_with(answer, status_of(status), 0);
    memcpy(answer + 4, completion.words, sizeof completion.words);
    return answer_with(answer, completion.status, completion.detail);
}

/* The program's client; 0: there is none left. */
static uint32_t client_of(struct submitter *submitter, struct program *program)
{
    for (uint32_t client = 1; client < CLIENTS && program->client == 0; client++) {
        if ((submitter->taken >> client & 1u) != 0) continue;
        submitter->taken |= 1ull << client;
        program->client = client;
        submitter->counts.clients++;
    }
    return program->client;
}

static int create_context(struct submitter *submitter, struct program *program, const uint32_t *message,
                          uint32_t *answer)
{
    uint32_t free = 0;
    while (free < SUBMITTER_CONTEXTS_MOST && program->contexts[free] != 0) free++;
    if (free == SUBMITTER_CONTEXTS_MOST) return answer_with(answer, STATUS_OUT_OF_HANDLES, 0);
    const int status = call_as(submitter, program->client, message, answer);
    if (status != STATUS_OK) return status;
    program->contexts[free] = answer[REPLY_CREATE_CONTEXT_CONTEXT];
    submitter->counts.contexts++;
    return status;
}

static void forget_context(struct submitter *submitter, struct program *program, uint32_t context)
{
    for (uint32_t i = 0; i < SUBMITTER_CONTEXTS_MOST; i++) {
        if (context == 0 || program->contexts[i] != context) continue;
        program->contexts[i] = 0;
        submitter->counts.contexts--;
    }
}

static int destroy_context(struct submitter *submitter, struct program *program, const uint32_t *message,
                           uint32_t *answer)
{
    const int status = call_as(submitter, program->client, message, answer);
    if (status == STATUS_OK) forget_context(submitter, program, message[MSG_DESTROY_CONTEXT_CONTEXT]);
    return status;
}

/* ------------------------------------------------------------------ allocations */

static uint32_t owner_of(const struct submitter *submitter, const struct buffer *buffer)
{
    return submitter->program[buffer->owner].client;
}

static bool share(struct submitter *submitter, struct buffer *buffer, uint32_t client, uint32_t rights, int *status)
{
    const uint64_t bit = 1ull << client;
    if (((buffer->shared & bit) != 0) == (rights != 0)) return true;
    (void)tessera_set_client(submitter->tessera, owner_of(submitter, buffer));
    *status = tessera_share(submitter->tessera, buffer->allocation, client, rights);
    (void)tessera_set_client(submitter->tessera, 0);
    if (*status != TESSERA_OK) return false;
    buffer->shared ^= bit;
    return true;
}

static int destroy_it(struct submitter *submitter, struct buffer *buffer)
{
    (void)tessera_set_client(submitter->tessera, owner_of(submitter, buffer));
    const int status = tessera_allocation_destroy(submitter->tessera, buffer->allocation);
    (void)tessera_set_client(submitter->tessera, 0);
    if (status > 0) return status; /* it is as it was */
    buffer->allocation = NULL;
    buffer->shared = 0;
    buffer->is_locked = false;
    submitter->counts.allocations--;
    return status;
}

/* An allocation that goes with its program, locked or not. */
static void forget_allocation(struct submitter *submitter, struct buffer *buffer)
{
    uint32_t message[WORDS] = {MSG_UNLOCK}, answer[LIMIT_BITS_COMPLETION_WORDS];
    if (buffer->allocation == NULL) return;
    message[MSG_UNLOCK_HANDLE] = tessera_allocation_handle(buffer->allocation);
    if (buffer->is_locked) (void)call_as(submitter, owner_of(submitter, buffer), message, answer);
    (void)destroy_it(submitter, buffer);
}

/* What it would keep from others for good is no program's: there is one display, and it needs memory. */
static int create_allocation(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    const uint32_t *message = payload->message, bytes = message[MSG_CREATE_ALLOCATION_BYTES];
    const uint32_t place = virtio_gpu_attached(payload->gpu, payload->context, message[MSG_CREATE_ALLOCATION_PAGES]);
    if (virtio_gpu_is_gone(payload->gpu, message[MSG_CREATE_ALLOCATION_PAGES]))
        return answer_with(answer, STATUS_TABLE_SHARE, 0);
    if (place == VIRTIO_GPU_NOTHING) return answer_with(answer, STATUS_BAD_HANDLE, MSG_CREATE_ALLOCATION_PAGES);
    struct buffer *buffer = &submitter->buffer[place];
    const uint32_t pages = bytes / PAGE + (bytes % PAGE != 0);
    if (buffer->allocation != NULL) return answer_with(answer, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_PAGES);
    if (bytes == 0 || pages > buffer->page_count)
        return answer_with(answer, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BYTES);
    if (message[MSG_CREATE_ALLOCATION_BANKS] != 0)
        return answer_with(answer, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BANKS);
    if ((message[MSG_CREATE_ALLOCATION_FLAGS] & ALLOCATION_PINNED) != 0)
        return answer_with(answer, STATUS_NOT_ALLOWED, MSG_CREATE_ALLOCATION);
    struct tessera_allocation_options options = options_of_creation(message);
    options.context = message[MSG_CREATE_ALLOCATION_CONTEXT];
    options.pages = buffer->pages;
    options.page_count = pages;
    options.keeps_pages = true;
    (void)tessera_set_client(submitter->tessera, submitter->program[payload->context].client);
    const int status = tessera_allocation_create(submitter->tessera, &options, &buffer->allocation);
    (void)tessera_set_client(submitter->tessera, 0);
    if (status != TESSERA_OK) return answer_with(answer, status_of(status), 0);
    buffer->owner = payload->context;
    submitter->counts.allocations++;
    answer[REPLY_CREATE_ALLOCATION_HANDLE] = message[MSG_CREATE_ALLOCATION_PAGES];
    return answer_with(answer, STATUS_OK, 0);
}

/* The buffer in word 2 of a message, if this program has made it an allocation; else NULL. */
static struct buffer *own_buffer(struct submitter *submitter, const struct virtio_gpu_payload *payload)
{
    const uint32_t place = virtio_gpu_attached(payload->gpu, payload->context, payload->message[MSG_LOCK_HANDLE]);
    if (place == VIRTIO_GPU_NOTHING) return NULL;
    struct buffer *buffer = &submitter->buffer[place];
    return buffer->allocation != NULL && buffer->owner == payload->context ? buffer : NULL;
}

/* A message whose word 2 is an allocation of the program's. */
static int of_allocation(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    struct buffer *buffer = own_buffer(submitter, payload);
    uint32_t message[WORDS];
    if (buffer == NULL) return answer_with(answer, STATUS_BAD_HANDLE, MSG_LOCK_HANDLE);
    if (payload->message[0] == MSG_DESTROY_ALLOCATION)
        return answer_with(answer, status_of(destroy_it(submitter, buffer)), 0);
    memcpy(message, payload->message, sizeof message);
    message[MSG_LOCK_HANDLE] = tessera_allocation_handle(buffer->allocation);
    if (message[0] == MSG_LOCK && message[MSG_LOCK_PAGES] != 0)
        return answer_with(answer, STATUS_BAD_ADDRESS, MSG_LOCK_PAGES);
    const int status = call_as(submitter, owner_of(submitter, buffer), message, answer);
    if (status == STATUS_OK && message[0] == MSG_LOCK) {
        buffer->is_locked = true;
        answer[REPLY_LOCK_HANDLE] = payload->message[MSG_LOCK_HANDLE];
    }
    if (status == STATUS_OK && message[0] == MSG_UNLOCK) buffer->is_locked = false;
    return status;
}

/* ------------------------------------------------------------------ submission */

/* The list's resources as allocations that the client may name, once each, in their order. */
static int build_list(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t client,
                      uint32_t *answer)
{
    for (uint32_t i = 0; i < payload->list_count; i++) {
        const uint32_t *entry = payload->list + (size_t)i * LIST_WORDS;
        uint32_t index = 0;
        int status = TESSERA_OK;
        if ((entry[LIST_FLAGS] & ~(uint32_t)LIST_FLAG_WRITE) != 0) return answer_with(answer, STATUS_BAD_FLAGS, i);
        if (i == 0) {
            if ((entry[LIST_HANDLE] | entry[LIST_FLAGS]) != 0) return answer_with(answer, STATUS_BAD_HANDLE, i);
            continue;
        }
        const uint32_t place = virtio_gpu_attached(payload->gpu, payload->context, entry[LIST_HANDLE]);
        if (place == VIRTIO_GPU_NOTHING || submitter->buffer[place].allocation == NULL)
            return answer_with(answer, STATUS_BAD_HANDLE, i);
        struct buffer *buffer = &submitter->buffer[place];
        if (buffer->owner != payload->context && !share(submitter, buffer, client, RIGHT_READ | RIGHT_WRITE, &status))
            return answer_with(answer, status_of(status), i);
        status = tessera_stream_list(submitter->stream, buffer->allocation, (entry[LIST_FLAGS] & LIST_FLAG_WRITE) != 0,
                                     &index);
        if (status != TESSERA_OK || index != i) return answer_with(answer, STATUS_BAD_HANDLE, i); /* named twice */
    }
    return STATUS_OK;
}

/* Longer than the GPU takes: the word of the message that would say so. STATUS_OK: it is not. */
static int check_lengths(const struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    const struct tessera_stream *stream = submitter->stream;
    const uint32_t entries = payload->list_count != 0 ? payload->list_count - 1u : 0; /* the stream has entry 0 */
    if (!tessera_stream_has_room(stream, payload->word_count, 0, 0))
        return answer_with(answer, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES);
    if (payload->list_count == 0 || !tessera_stream_has_room(stream, 0, entries, 0))
        return answer_with(answer, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT);
    if (!tessera_stream_has_room(stream, 0, 0, payload->patch_count))
        return answer_with(answer, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT);
    return STATUS_OK;
}

static int check_words(const uint32_t *message, uint32_t *answer)
{
    for (uint32_t i = MSG_SUBMIT_DMA; i < MSG_SUBMIT_FLAGS; i++)
        if (message[i] != 0) return answer_with(answer, STATUS_BAD_ADDRESS, i);
    return STATUS_OK;
}

/* Begin it. STATUS_OK: it is under way. */
static int draw(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t client,
                uint32_t *answer)
{
    struct program *program = &submitter->program[payload->context];
    (void)tessera_set_client(submitter->tessera, client);
    const int status = tessera_submit(submitter->tessera, payload->message[MSG_SUBMIT_CONTEXT], submitter->stream,
                                      payload->message[MSG_SUBMIT_FLAGS], &program->ticket);
    (void)tessera_set_client(submitter->tessera, 0);
    if (status == TESSERA_MISUSE) return answer_with(answer, STATUS_BAD_FLAGS, payload->message[MSG_SUBMIT_FLAGS]);
    if (status != TESSERA_OK) return answer_with(answer, status_of(status), 0);
    program->is_drawing = true;
    submitter->under_way++;
    return STATUS_OK;
}

static int submit_stream(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t client,
                         uint32_t *answer)
{
    struct tessera_stream *stream = submitter->stream;
    tessera_stream_clear(stream);
    submitter->counts.submissions++;
    int status = check_words(payload->message, answer);
    if (status == STATUS_OK) status = check_lengths(submitter, payload, answer);
    if (status == STATUS_OK) status = build_list(submitter, payload, client, answer);
    if (status != STATUS_OK) return status;
    for (uint32_t i = 0; i < payload->patch_count; i++)
        (void)tessera_stream_patch(stream, payload->patches + (size_t)i * PATCH_WORDS); /* there is room */
    (void)tessera_stream_raw(stream, payload->words, payload->word_count);
    return draw(submitter, payload, client, answer);
}

/* Of itself, which to the program is client 0. */
static int query_client(struct submitter *submitter, uint32_t client, const uint32_t *message, uint32_t *answer)
{
    uint32_t copy[WORDS];
    memcpy(copy, message, sizeof copy);
    if (copy[MSG_QUERY_CLIENT_CLIENT] != 0) return answer_with(answer, STATUS_NOT_ALLOWED, MSG_QUERY_CLIENT);
    copy[MSG_QUERY_CLIENT_CLIENT] = client;
    return call_as(submitter, client, copy, answer);
}

/* One message of a program. */
static int serve(struct submitter *submitter, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    struct program *program = &submitter->program[payload->context];
    const uint32_t *message = payload->message;
    const uint32_t client = client_of(submitter, program);
    if (client == 0) return answer_with(answer, STATUS_OUT_OF_HANDLES, 0);
    if (message[0] == MSG_SUBMIT) return submit_stream(submitter, payload, client, answer);
    submitter->counts.messages++;
    if ((payload->list_count | payload->patch_count | payload->word_count) != 0)
        return answer_with(answer, STATUS_BAD_PAYLOAD, PAYLOAD_LIST_COUNT);
    switch (message[0]) {
    case MSG_CREATE_CONTEXT: return create_context(submitter, program, message, answer);
    case MSG_DESTROY_CONTEXT: return destroy_context(submitter, program, message, answer);
    case MSG_QUERY_CLIENT: return query_client(submitter, client, message, answer);
    case MSG_NOP:
    case MSG_SET_CONTEXT:
    case MSG_QUERY_CONTEXT: return call_as(submitter, client, message, answer);
    case MSG_CREATE_ALLOCATION: return create_allocation(submitter, payload, answer);
    case MSG_DESTROY_ALLOCATION:
    case MSG_LOCK:
    case MSG_UNLOCK:
    case MSG_SET_PRIORITY:
    case MSG_OFFER:
    case MSG_RECLAIM:
    case MSG_EVICT:
    case MSG_QUERY_ALLOCATION: return of_allocation(submitter, payload, answer);
    default: return answer_with(answer, STATUS_NOT_ALLOWED, message[0]);
    }
}

/* ------------------------------------------------------------------ the table */

static enum virtio_gpu_ended submit(void *context, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    struct submitter *submitter = context;
    const struct program *program = &submitter->program[payload->context];
    if (payload->message[0] == MSG_SUBMIT && submitter->under_way == UNDER_WAY_MOST) return VIRTIO_GPU_AGAIN;
    if (serve(submitter, payload, answer) != STATUS_OK) submitter->counts.refused++;
    return program->is_drawing ? VIRTIO_GPU_NOT_YET : VIRTIO_GPU_ENDED;
}

/* What is under way has ended: its completion. A GPU that has failed does not answer. */
static void end(struct submitter *submitter, struct program *program, struct tessera_completion *completion)
{
    *completion = (struct tessera_completion){.status = STATUS_CONTEXT_LOST};
    program->is_drawing = false;
    submitter->under_way--;
    if (!submitter->has_failed)
        submitter->has_failed = tessera_wait(submitter->tessera, program->ticket, completion) < 0;
}

static enum virtio_gpu_ended poll(void *context, uint32_t of, uint32_t *answer)
{
    struct submitter *submitter = context;
    struct program *program = &submitter->program[of];
    struct tessera_completion completion;
    if (!submitter->has_failed && !tessera_is_done(submitter->tessera, program->ticket)) return VIRTIO_GPU_NOT_YET;
    end(submitter, program, &completion);
    if (completion.status == STATUS_BUSY) {
        submitter->counts.submissions--;
        return VIRTIO_GPU_AGAIN;
    }
    if (completion.status != STATUS_OK) submitter->counts.refused++;
    memcpy(answer + 4, completion.words, sizeof completion.words);
    (void)answer_with(answer, completion.status, completion.detail);
    return VIRTIO_GPU_ENDED;
}

static void work(void *context)
{
    struct submitter *submitter = context;
    if (!submitter->has_failed) submitter->has_failed = tessera_work(submitter->tessera, MOMENT) != TESSERA_OK;
}

static void give_up(void *context, uint32_t of)
{
    struct submitter *submitter = context;
    struct tessera_completion completion;
    if (submitter->program[of].is_drawing) end(submitter, &submitter->program[of], &completion);
}

static void record(void *context, uint32_t place, uint32_t offset, const uint32_t *answer)
{
    const struct submitter *submitter = context;
    const struct buffer *buffer = &submitter->buffer[place];
    uint8_t *at = submitter->options.system + (size_t)buffer->pages[offset / PAGE] * PAGE + offset % PAGE;
    memcpy(at + 4, answer + 1, (LIMIT_BITS_COMPLETION_WORDS - 1) * sizeof *answer);
    __atomic_store_n((uint32_t *)(void *)at, answer[COMPLETION_TAG], __ATOMIC_RELEASE);
}

static bool attach(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count,
                   uint32_t bytes)
{
    struct submitter *submitter = context;
    const uint64_t limit = submitter->options.guest_bytes;
    const uint32_t wanted = bytes / PAGE + (bytes % PAGE != 0);
    uint32_t *pages = malloc(wanted * sizeof *pages), found = 0;
    if (pages == NULL) return false;
    for (uint32_t i = 0; i < count && found < wanted; i++) {
        const struct virtio_gpu_entry *entry = &entries[i];
        const bool is_whole = entry->address % PAGE == 0 && entry->bytes % PAGE == 0;
        if (!is_whole || entry->address > limit || entry->bytes > limit - entry->address) break;
        for (uint32_t at = 0; at < entry->bytes && found < wanted; at += PAGE)
            pages[found++] = (uint32_t)((submitter->options.guest + entry->address + at) / PAGE);
    }
    if (found < wanted) {
        free(pages);
        return false;
    }
    submitter->buffer[place] = (struct buffer){.pages = pages, .page_count = wanted, .bytes = bytes};
    return true;
}

static void detach(void *context, uint32_t place)
{
    struct submitter *submitter = context;
    struct buffer *buffer = &submitter->buffer[place];
    forget_allocation(submitter, buffer);
    free(buffer->pages);
    *buffer = (struct buffer){0};
}

/* A lock brings the content to the driver's pages, and what is there when it ends is the content. */
static bool transfer(void *context, uint32_t place, bool is_from_host)
{
    struct submitter *submitter = context;
    const struct buffer *buffer = &submitter->buffer[place];
    uint32_t message[WORDS] = {MSG_LOCK}, answer[LIMIT_BITS_COMPLETION_WORDS] = {0};
    if (buffer->allocation == NULL || buffer->is_locked) return true; /* it is there */
    message[MSG_LOCK_HANDLE] = tessera_allocation_handle(buffer->allocation);
    message[MSG_LOCK_FLAGS] =
        (uint32_t)LOCK_ENTIRE | (is_from_host ? (uint32_t)LOCK_READ_ONLY : (uint32_t)LOCK_WRITE_ONLY | LOCK_DISCARD);
    if (call_as(submitter, owner_of(submitter, buffer), message, answer) != STATUS_OK) return false;
    message[0] = MSG_UNLOCK;
    message[MSG_LOCK_FLAGS] = 0;
    return call_as(submitter, owner_of(submitter, buffer), message, answer) == STATUS_OK;
}

static void part(void *context, uint32_t of, uint32_t place)
{
    struct submitter *submitter = context;
    struct buffer *buffer = &submitter->buffer[place];
    const uint32_t client = submitter->program[of].client;
    int status;
    if (buffer->allocation == NULL) return;
    if (buffer->owner == of) forget_allocation(submitter, buffer);
    else if (client != 0) (void)share(submitter, buffer, client, 0, &status);
}

/* Its allocations are gone by now, or another's. */
static void leave(void *context, uint32_t of)
{
    struct submitter *submitter = context;
    struct program *program = &submitter->program[of];
    uint32_t answer[LIMIT_BITS_COMPLETION_WORDS];
    if (program->client == 0) return;
    for (uint32_t i = 0; i < SUBMITTER_CONTEXTS_MOST; i++) {
        uint32_t message[WORDS] = {MSG_DESTROY_CONTEXT};
        message[MSG_DESTROY_CONTEXT_CONTEXT] = program->contexts[i];
        if (program->contexts[i] != 0) (void)destroy_context(submitter, program, message, answer);
    }
    (void)tessera_admit_client(submitter->tessera, program->client);
    submitter->taken &= ~(1ull << program->client);
    submitter->counts.clients--;
    *program = (struct program){0};
}

/* ------------------------------------------------------------------ life */

struct submitter *submitter_create(struct tessera *tessera, const struct submitter_options *options, char message[256])
{
    struct submitter *submitter = calloc(1, sizeof *submitter);
    snprintf(message, 256, "out of memory");
    if (submitter == NULL) return NULL;
    submitter->tessera = tessera;
    submitter->options = *options;
    submitter->stream = tessera_stream_create_for(tessera);
    if (submitter->stream != NULL && fill_capset(submitter) == TESSERA_OK) return submitter;
    if (submitter->stream != NULL) snprintf(message, 256, "%.255s", tessera_message(tessera));
    tessera_stream_destroy(submitter->stream);
    free(submitter);
    return NULL;
}

void submitter_destroy(struct submitter *submitter)
{
    if (submitter == NULL) return;
    for (uint32_t i = 0; i < VIRTIO_GPU_RESOURCES_MOST; i++) detach(submitter, i);
    for (uint32_t i = 0; i < VIRTIO_GPU_CONTEXTS_MOST; i++) leave(submitter, i);
    tessera_stream_destroy(submitter->stream);
    free(submitter);
}

void submitter_table(struct submitter *submitter, struct virtio_gpu_programs *table)
{
    *table = (struct virtio_gpu_programs){.context = submitter,
                                          .capset = submitter->capset,
                                          .capset_bytes = sizeof submitter->capset,
                                          .attach = attach,
                                          .detach = detach,
                                          .transfer = transfer,
                                          .submit = submit,
                                          .poll = poll,
                                          .work = work,
                                          .give_up = give_up,
                                          .record = record,
                                          .part = part,
                                          .leave = leave};
}

struct tessera_allocation *submitter_allocation(const struct submitter *submitter, uint32_t place)
{
    return submitter->buffer[place].allocation;
}

const struct submitter_counts *submitter_counts(const struct submitter *submitter) { return &submitter->counts; }
