/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations: their life, their content, and what a program may ask of one. tessera_pages.c has their pages.
 *
 * Where is the content? Before any submission names an allocation, and between lock and unlock, in the
 * host's pages; else only the firmware knows. tessera_write and tessera_read choose accordingly.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ create and destroy */

uint32_t tessera_prefer(uint32_t first, uint32_t second, uint32_t third)
{
    const uint32_t most = GPU_LIMIT(SEGMENTS), none = 0xffffffffu; /* tessera_allocation_create refuses that word */
    return first > most || second > most || third > most ? none : first | second << 6 | third << 12;
}

int tessera_allocation_create(struct tessera *tessera, const struct tessera_allocation_options *options,
                              struct tessera_allocation **allocation)
{
    const uint32_t every_segment = field_mask(LIMIT_BITS_SEGMENT_COUNT);
    uint32_t message[16] = {MSG_CREATE_ALLOCATION};
    struct tessera_completion completion;
    *allocation = NULL;
    int status = argument_check_allocation(tessera, options);
    if (status != TESSERA_OK) return status;
    status = memory_check_own(tessera, options);
    if (status != TESSERA_OK) return status;
    struct tessera_allocation *made = memory_reserve(tessera, options);
    if (made == NULL && memory_has_system_pages(tessera))
        return tessera_fail(tessera, TESSERA_NO_MEMORY, "an allocation of %u bytes: %s.", options->bytes,
                            tessera->transport->error);
    if (made == NULL)
        return tessera_fail(tessera, TESSERA_NO_MEMORY,
                            "an allocation of %u bytes does not fit in system memory: %u pages are free.",
                            options->bytes, tessera->pool_count);
    status = memory_clear_before_use(tessera, made);
    if (status == TESSERA_OK) status = link_write(tessera, made->list_address, made->pages, made->page_count * 4u);
    message[MSG_CREATE_ALLOCATION_BYTES] = options->bytes;
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = options->alignment;
    message[MSG_CREATE_ALLOCATION_FLAGS] = options->flags;
    message[MSG_CREATE_ALLOCATION_PREFERRED] = options->preferred;
    message[MSG_CREATE_ALLOCATION_READ_SET] = options->read_set != 0 ? options->read_set : every_segment;
    message[MSG_CREATE_ALLOCATION_WRITE_SET] = options->write_set != 0 ? options->write_set : every_segment;
    message[MSG_CREATE_ALLOCATION_EVICTION_SET] = options->eviction_set;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = options->priority != 0 ? options->priority : 0x78000000u;
    message[MSG_CREATE_ALLOCATION_PAGES] = made->list_address;
    message[MSG_CREATE_ALLOCATION_PITCH] = options->pitch;
    message[MSG_CREATE_ALLOCATION_HEIGHT] = options->height | options->levels << 16;
    message[MSG_CREATE_ALLOCATION_PATTERN] = options->pattern;
    message[MSG_CREATE_ALLOCATION_CONTEXT] = options->context;
    memcpy(made->created, message, sizeof made->created);
    if (status == TESSERA_OK) status = tessera_call(tessera, message, &completion);
    if (status != TESSERA_OK) {
        made->client = 0; /* no client has had it: what the program's own pages hold stays */
        (void)memory_release(tessera, made);
        return status;
    }
    made->handle = completion.words[REPLY_CREATE_ALLOCATION_HANDLE - 4];
    made->is_known_to_gpu = (options->flags & ALLOCATION_UNDEFINED) != 0; /* its content is not what the pages hold */
    *allocation = made;
    return TESSERA_OK;
}

/* A message whose word 2 is a handle and whose word 3 is `argument`. */
static int handle_call(struct tessera *tessera, uint32_t code, const struct tessera_allocation *allocation,
                       uint32_t argument, struct tessera_completion *completion)
{
    uint32_t message[16] = {code, 0, allocation != NULL ? allocation->handle : 0, argument};
    return tessera_call(tessera, message, completion);
}

/* The same without waiting. */
static int handle_send(struct tessera *tessera, uint32_t code, const struct tessera_allocation *allocation,
                       uint32_t argument, tessera_ticket *ticket)
{
    uint32_t message[16] = {code, 0, allocation->handle, argument};
    return tessera_send(tessera, message, ticket);
}

int tessera_allocation_destroy(struct tessera *tessera, struct tessera_allocation *allocation)
{
    tessera_ticket ticket;
    uint64_t spent = 0;
    int status;
    if (allocation == NULL) return TESSERA_OK;
    do {
        status = tessera_allocation_destroy_begin(tessera, allocation, &ticket);
        /* analyse: clang-analyzer-core.CallAndMessage: begun: there is a ticket */
        if (status == TESSERA_OK) status = tessera_wait(tessera, ticket, NULL);
        else allocation->is_released = true; /* the device could not be told, and may use its pages */
    } while (queue_is_busy(tessera, status, &spent));
    return status;
}

int tessera_allocation_destroy_begin(struct tessera *tessera, struct tessera_allocation *allocation,
                                     tessera_ticket *ticket)
{
    if (allocation->is_released)
        return tessera_fail(tessera, TESSERA_MISUSE, "the allocation is being destroyed already.");
    int status = handle_send(tessera, MSG_DESTROY_ALLOCATION, allocation, 0, ticket);
    if (status == TESSERA_OK) queue_keep(tessera, *ticket, allocation);
    return status;
}

uint32_t tessera_allocation_handle(const struct tessera_allocation *allocation) { return allocation->handle; }
uint32_t tessera_allocation_bytes(const struct tessera_allocation *allocation) { return allocation->bytes; }

/* ------------------------------------------------------------------ locks and content */

int tessera_lock_begin(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t flags,
                       tessera_ticket *ticket)
{
    int status = argument_check_lock(tessera, flags);
    if (status == TESSERA_OK) status = handle_send(tessera, MSG_LOCK, allocation, flags | LOCK_ENTIRE, ticket);
    if (status == TESSERA_OK) queue_keep_lock(tessera, *ticket, allocation);
    return status;
}

int tessera_unlock_begin(struct tessera *tessera, struct tessera_allocation *allocation, tessera_ticket *ticket)
{
    int status = handle_send(tessera, MSG_UNLOCK, allocation, 0, ticket);
    if (status == TESSERA_OK) allocation->is_locked = false;
    return status;
}

int tessera_lock(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t flags)
{
    int status = argument_check_lock(tessera, flags);
    if (status == TESSERA_OK) status = handle_call(tessera, MSG_LOCK, allocation, flags | LOCK_ENTIRE, NULL);
    allocation->is_locked = allocation->is_locked || status == TESSERA_OK;
    return status;
}

int tessera_unlock(struct tessera *tessera, struct tessera_allocation *allocation)
{
    int status = handle_call(tessera, MSG_UNLOCK, allocation, 0, NULL);
    if (status == TESSERA_OK) allocation->is_locked = false;
    return status;
}

static int copy_pages(struct tessera *tessera, const struct tessera_allocation *allocation, uint32_t offset, void *in,
                      const void *out, uint32_t bytes)
{
    int status = TESSERA_OK;
    for (uint32_t done = 0; done < bytes && status == TESSERA_OK;) {
        uint32_t at = offset + done, in_page = at % PAGE_BYTES, part = PAGE_BYTES - in_page;
        uint32_t address = allocation->pages[at / PAGE_BYTES] * PAGE_BYTES + in_page;
        if (part > bytes - done) part = bytes - done;
        status = in != NULL ? link_read(tessera, address, (uint8_t *)in + done, part)
                            : link_write(tessera, address, (const uint8_t *)out + done, part);
        done += part;
    }
    return status;
}

static int copy_content(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, void *in,
                        const void *out, uint32_t bytes)
{
    bool needs_lock = allocation->is_known_to_gpu && !allocation->is_locked;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset)
        return tessera_fail(tessera, TESSERA_MISUSE, "bytes %u to %llu are outside the allocation of %u bytes.", offset,
                            (unsigned long long)offset + bytes, allocation->bytes);
    int status = needs_lock ? tessera_lock(tessera, allocation, in != NULL ? LOCK_READ_ONLY : 0) : TESSERA_OK;
    if (status != TESSERA_OK) return status;
    status = copy_pages(tessera, allocation, offset, in, out, bytes);
    int unlock_status = needs_lock ? tessera_unlock(tessera, allocation) : TESSERA_OK;
    return status != TESSERA_OK ? status : unlock_status;
}

int tessera_write(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, const void *data,
                  uint32_t bytes)
{
    return copy_content(tessera, allocation, offset, NULL, data, bytes);
}

int tessera_read(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t offset, void *data,
                 uint32_t bytes)
{
    return copy_content(tessera, allocation, offset, data, NULL, bytes);
}

/* ------------------------------------------------------------------ priorities, offers, eviction */

int tessera_set_priority(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t priority)
{
    int status = argument_check_priority(tessera, priority);
    return status != TESSERA_OK ? status : handle_call(tessera, MSG_SET_PRIORITY, allocation, priority, NULL);
}

int tessera_residence(struct tessera *tessera, struct tessera_allocation *allocation, struct tessera_residence *place)
{
    struct tessera_completion completion;
    int status = handle_call(tessera, MSG_QUERY_ALLOCATION, allocation, 0, &completion);
    if (status != TESSERA_OK) return status;
    *place = (struct tessera_residence){.segment = completion.words[REPLY_QUERY_ALLOCATION_SEGMENT - 4],
                                        .offset = completion.words[REPLY_QUERY_ALLOCATION_OFFSET - 4],
                                        .reason = completion.words[REPLY_QUERY_ALLOCATION_REASON - 4]};
    return TESSERA_OK;
}

int tessera_where(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t *segment, uint32_t *offset)
{
    struct tessera_residence place;
    int status = tessera_residence(tessera, allocation, &place);
    if (status != TESSERA_OK) return status;
    *segment = place.segment;
    *offset = place.offset;
    return TESSERA_OK;
}

const char *tessera_reason_name(uint32_t reason)
{
    static const char *const names[] = {[PLACE_REASON_PAGES] = "in no segment",
                                        [PLACE_REASON_ONLY] = "nothing else allowed",
                                        [PLACE_REASON_ORDER] = "the host's order",
                                        [PLACE_REASON_QUICK] = "mapped: a copy is no quicker",
                                        [PLACE_REASON_LITTLE] = "mapped: not worth a copy",
                                        [PLACE_REASON_WORTH] = "copied: worth it",
                                        [PLACE_REASON_ELSEWHERE] = "would go elsewhere now"};
    return reason < sizeof names / sizeof *names ? names[reason] : "?";
}

int tessera_offer(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t priority)
{
    int status = argument_check_offer(tessera, priority);
    return status != TESSERA_OK ? status : handle_call(tessera, MSG_OFFER, allocation, priority, NULL);
}

int tessera_reclaim(struct tessera *tessera, struct tessera_allocation *allocation, bool *is_discarded)
{
    struct tessera_completion completion;
    int status = handle_call(tessera, MSG_RECLAIM, allocation, 0, &completion);
    if (status == TESSERA_OK) *is_discarded = completion.words[REPLY_RECLAIM_DISCARDED - 4] != 0;
    return status;
}

int tessera_share(struct tessera *tessera, struct tessera_allocation *allocation, uint32_t client, uint32_t rights)
{
    uint32_t message[16] = {MSG_SHARE};
    int status = argument_check_client(tessera, "share", client);
    if (status == TESSERA_OK) status = argument_check_rights(tessera, rights);
    if (status != TESSERA_OK) return status;
    message[MSG_SHARE_HANDLE] = allocation->handle;
    message[MSG_SHARE_CLIENT] = client;
    message[MSG_SHARE_RIGHTS] = rights;
    return tessera_call(tessera, message, NULL);
}

int tessera_evict(struct tessera *tessera, struct tessera_allocation *allocation)
{
    return handle_call(tessera, MSG_EVICT, allocation, 0, NULL);
}
