/* SPDX-License-Identifier: Apache-2.0
 *
 * System memory of the device, managed by the host: the pool of pages behind allocations, the page lists
 * (they stay where they are for an allocation's life: the firmware reads them again whenever it pages), and
 * the content of allocations.
 *
 * Where is the content? Before any submission names an allocation, and between lock and unlock, in the
 * host's pages; else only the firmware knows. tessera_write and tessera_read choose accordingly.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tessera_internal.h"

/* ------------------------------------------------------------------ pages and lists */

static uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static uint32_t limit_of(uint32_t option, uint32_t otherwise, uint32_t unit)
{
    return option != 0 ? (option + unit - 1u) / unit * unit : otherwise;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

void memory_layout(struct tessera *tessera, const struct tessera_options *options)
{
    tessera->dma_bytes = limit_of(options->dma_bytes, GPU_LIMIT(DMA_BYTES), 128);
    tessera->list_entries = limit_of(options->list_entries, GPU_LIMIT(LIST_ENTRIES), 32);
    const uint32_t words = larger(tessera->dma_bytes, GPU_LIMIT(DMA_BYTES));
    const uint32_t entries = larger(tessera->list_entries, GPU_LIMIT(LIST_ENTRIES));
    tessera->staging_list = words;
    tessera->staging_patches = words + entries * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u;
    tessera->staging_bytes = tessera->staging_patches + entries * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u;
    tessera->lists_address = STAGING_ADDRESS + STAGING_COUNT * tessera->staging_bytes;
    tessera->lists_address = (tessera->lists_address + PAGE_BYTES - 1u) / PAGE_BYTES * PAGE_BYTES;
    tessera->pool_address = tessera->lists_address + LISTS_GRANULE * LISTS_GRANULES;
}

/* Allocations have pages that the transport gives, and none of the pool. */
static bool has_system_pages(const struct tessera *tessera) { return tessera->transport->take_pages != NULL; }

int memory_init(struct tessera *tessera, const struct tessera_options *options)
{
    uint32_t total = tessera->transport->memory_bytes / PAGE_BYTES;
    uint32_t first = tessera->pool_address / PAGE_BYTES, state = options->seed * 2654435761u + 1u;
    uint32_t own = options->own_bytes / PAGE_BYTES + (options->own_bytes % PAGE_BYTES != 0);
    if (state == 0) state = 1;
    if (own != 0 && has_system_pages(tessera))
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "own_bytes %u is not possible: this device's memory is the system's to give.",
                            options->own_bytes);
    if (own != 0 && (total < first || own > total - first))
        return tessera_fail(tessera, TESSERA_NO_MEMORY,
                            "own_bytes %u is too large: system memory has %u bytes after the library's.",
                            options->own_bytes, total > first ? (total - first) * PAGE_BYTES : 0);
    tessera->own_page = total - own;
    tessera->pool_count = tessera->own_page > first && !has_system_pages(tessera) ? tessera->own_page - first : 0;
    tessera->pool = malloc((tessera->pool_count + 1u) * sizeof *tessera->pool);
    if (tessera->pool == NULL) return tessera_fail(tessera, TESSERA_NO_MEMORY, "out of memory");
    tessera->is_clients = calloc(total + 1u, 1);
    if (tessera->is_clients == NULL) return tessera_fail(tessera, TESSERA_NO_MEMORY, "out of memory");
    for (uint32_t i = 0; i < tessera->pool_count; i++) tessera->pool[i] = first + i;
    for (uint32_t i = tessera->pool_count; i > 1; i--) { /* Fisher and Yates */
        uint32_t other = random_next(&state) % i, page = tessera->pool[i - 1];
        tessera->pool[i - 1] = tessera->pool[other];
        tessera->pool[other] = page;
    }
    return TESSERA_OK;
}

void memory_free(struct tessera *tessera)
{
    while (tessera->all != NULL) {
        struct tessera_allocation *allocation = tessera->all;
        tessera->all = allocation->next;
        free(allocation->pages);
        free(allocation);
    }
    free(tessera->pool);
    free(tessera->is_clients);
}

int memory_clear(struct tessera *tessera, uint32_t address, uint32_t bytes)
{
    static const uint8_t zeros[PAGE_BYTES];
    int status = TESSERA_OK;
    for (uint32_t done = 0; done < bytes && status == TESSERA_OK; done += PAGE_BYTES)
        status = link_write(tessera, address + done, zeros, bytes - done < PAGE_BYTES ? bytes - done : PAGE_BYTES);
    return status;
}

/* Pages of the library's may hold what others left: those that go to a client, or had been a client's, are cleared.
 * What client 0 gives to itself stays as it is. The program's own pages hold what the program put there. */
static int clear_before_use(struct tessera *tessera, const struct tessera_allocation *allocation)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < allocation->page_count && status == TESSERA_OK && !allocation->is_own; i++) {
        const uint32_t page = allocation->pages[i];
        if (allocation->client == 0 && !tessera->is_clients[page]) continue;
        status = memory_clear(tessera, page * PAGE_BYTES, PAGE_BYTES);
        if (status == TESSERA_OK) tessera->is_clients[page] = allocation->client != 0;
    }
    return status;
}

static int clear_own(struct tessera *tessera, const struct tessera_allocation *allocation)
{
    int status = TESSERA_OK;
    if (!allocation->is_own || allocation->client == 0 || allocation->keeps_pages) return TESSERA_OK;
    for (uint32_t i = 0; i < allocation->page_count && status == TESSERA_OK; i++)
        status = memory_clear(tessera, allocation->pages[i] * PAGE_BYTES, PAGE_BYTES);
    return status;
}

static bool list_take(struct tessera *tessera, uint32_t granules, uint32_t *address)
{
    uint32_t run = 0;
    for (uint32_t i = 0; i < LISTS_GRANULES; i++) {
        run = tessera->list_used[i] ? 0 : run + 1;
        if (run == granules) {
            memset(tessera->list_used + i + 1u - granules, 1, granules);
            *address = tessera->lists_address + (i + 1u - granules) * LISTS_GRANULE;
            return true;
        }
    }
    return false;
}

int memory_release(struct tessera *tessera, struct tessera_allocation *allocation)
{
    const int status = clear_own(tessera, allocation);
    *allocation->link = allocation->next;
    if (allocation->next != NULL) allocation->next->link = allocation->link;
    if (has_system_pages(tessera)) tessera->transport->give_pages(tessera->transport->context, allocation->pages[0]);
    for (uint32_t i = allocation->page_count; i > 0 && !allocation->is_own && !has_system_pages(tessera); i--)
        tessera->pool[tessera->pool_count++] = allocation->pages[i - 1];
    if (allocation->list_granules != 0)
        memset(tessera->list_used + (allocation->list_address - tessera->lists_address) / LISTS_GRANULE, 0,
               allocation->list_granules);
    free(allocation->pages);
    free(allocation);
    return status;
}

static uint32_t pages_of(uint32_t bytes) { return bytes / PAGE_BYTES + (bytes % PAGE_BYTES != 0); }

/* The page number `index` of what the options name or the system has given from `first` on, or the next of the pool. */
static uint32_t page_at(struct tessera *tessera, const struct tessera_allocation_options *options, uint32_t first,
                        uint32_t index)
{
    if (has_system_pages(tessera)) return first + index;
    if (options->pages != NULL) return options->pages[index];
    return options->address != 0 ? options->address / PAGE_BYTES + index : tessera->pool[--tessera->pool_count];
}

/* So many pages can be had; of the system's, those from *first on have been. */
static bool has_pages(struct tessera *tessera, uint32_t count, bool is_own, uint32_t *first)
{
    struct transport *transport = tessera->transport;
    if (is_own) return true;
    if (!has_system_pages(tessera)) return count <= tessera->pool_count;
    return transport->take_pages(transport->context, count, first) == TRANSPORT_OK;
}

/* Host pages, those that the options name if they do, and page list; NULL when memory is out. */
static struct tessera_allocation *reserve(struct tessera *tessera, const struct tessera_allocation_options *options)
{
    const uint32_t page_count = pages_of(options->bytes);
    const bool is_own = options->address != 0 || options->pages != NULL;
    struct tessera_allocation *allocation = calloc(1, sizeof *allocation);
    if (allocation == NULL) return NULL;
    allocation->pages = calloc(page_count + 1u, sizeof *allocation->pages);
    uint32_t granules = (page_count * 4u + LISTS_GRANULE - 1u) / LISTS_GRANULE;
    if (granules == 0) granules = 1;
    uint32_t first = 0;
    if (allocation->pages == NULL || !has_pages(tessera, page_count, is_own, &first) ||
        !list_take(tessera, granules, &allocation->list_address)) {
        if (first != 0) tessera->transport->give_pages(tessera->transport->context, first);
        free(allocation->pages);
        free(allocation);
        return NULL;
    }
    allocation->list_granules = granules;
    allocation->bytes = page_count * PAGE_BYTES;
    allocation->page_count = page_count;
    allocation->is_own = is_own;
    allocation->keeps_pages = options->keeps_pages;
    for (uint32_t i = 0; i < page_count; i++) allocation->pages[i] = page_at(tessera, options, first, i);
    allocation->client = tessera->client;
    allocation->next = tessera->all;
    allocation->link = &tessera->all;
    if (allocation->next != NULL) allocation->next->link = &allocation->next;
    tessera->all = allocation;
    return allocation;
}

/* The program's own pages are whole ones after the library's. */
static bool is_own_place(const struct tessera *tessera, uint32_t address, uint32_t bytes)
{
    uint32_t first = address / PAGE_BYTES, total = tessera->transport->memory_bytes / PAGE_BYTES;
    return address % PAGE_BYTES == 0 && first >= tessera->own_page && first < total &&
           bytes <= (total - first) * PAGE_BYTES;
}

/* OK, or MISUSE after a sentence: the pages that the options name are not the program's. */
static int check_own(struct tessera *tessera, const struct tessera_allocation_options *options)
{
    const uint32_t total = tessera->transport->memory_bytes / PAGE_BYTES;
    if (options->address != 0 && options->pages != NULL)
        return tessera_fail(tessera, TESSERA_MISUSE, "allocation_create: name either an address or pages, not both.");
    if (options->address != 0 && !is_own_place(tessera, options->address, options->bytes))
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "%u bytes at 0x%x are not whole pages of the program's own memory (own_bytes).",
                            options->bytes, options->address);
    if (options->pages != NULL && options->page_count != pages_of(options->bytes))
        return tessera_fail(tessera, TESSERA_MISUSE, "allocation_create: %u pages are named, %u bytes take %u.",
                            options->page_count, options->bytes, pages_of(options->bytes));
    for (uint32_t i = 0; options->pages != NULL && i < options->page_count; i++)
        if (options->pages[i] < tessera->own_page || options->pages[i] >= total)
            return tessera_fail(tessera, TESSERA_MISUSE,
                                "allocation_create: page %u of the list, 0x%x, is not of the program's own memory "
                                "(own_bytes).",
                                i, options->pages[i]);
    return TESSERA_OK;
}

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
    status = check_own(tessera, options);
    if (status != TESSERA_OK) return status;
    struct tessera_allocation *made = reserve(tessera, options);
    if (made == NULL && has_system_pages(tessera))
        return tessera_fail(tessera, TESSERA_NO_MEMORY, "an allocation of %u bytes: %s.", options->bytes,
                            tessera->transport->error);
    if (made == NULL)
        return tessera_fail(tessera, TESSERA_NO_MEMORY,
                            "an allocation of %u bytes does not fit in system memory: %u pages are free.",
                            options->bytes, tessera->pool_count);
    status = clear_before_use(tessera, made);
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
