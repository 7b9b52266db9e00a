/* SPDX-License-Identifier: Apache-2.0
 *
 * System memory of the device, managed by the host: the pool of pages behind allocations, and the page lists. They stay
 * where they are for an allocation's life: the firmware reads them again whenever it pages.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tessera_internal.h"

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

bool memory_has_system_pages(const struct tessera *tessera) { return tessera->transport->take_pages != NULL; }

int memory_init(struct tessera *tessera, const struct tessera_options *options)
{
    uint32_t total = tessera->transport->memory_bytes / PAGE_BYTES;
    uint32_t first = tessera->pool_address / PAGE_BYTES, state = options->seed * 2654435761u + 1u;
    uint32_t own = options->own_bytes / PAGE_BYTES + (options->own_bytes % PAGE_BYTES != 0);
    if (state == 0) state = 1;
    if (own != 0 && memory_has_system_pages(tessera))
        return tessera_fail(tessera, TESSERA_MISUSE,
                            "own_bytes %u is not possible: this device's memory is the system's to give.",
                            options->own_bytes);
    if (own != 0 && (total < first || own > total - first))
        return tessera_fail(tessera, TESSERA_NO_MEMORY,
                            "own_bytes %u is too large: system memory has %u bytes after the library's.",
                            options->own_bytes, total > first ? (total - first) * PAGE_BYTES : 0);
    tessera->own_page = total - own;
    tessera->pool_count =
        tessera->own_page > first && !memory_has_system_pages(tessera) ? tessera->own_page - first : 0;
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

int memory_clear_before_use(struct tessera *tessera, const struct tessera_allocation *allocation)
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
    if (memory_has_system_pages(tessera))
        tessera->transport->give_pages(tessera->transport->context, allocation->pages[0]);
    for (uint32_t i = allocation->page_count; i > 0 && !allocation->is_own && !memory_has_system_pages(tessera); i--)
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
    if (memory_has_system_pages(tessera)) return first + index;
    if (options->pages != NULL) return options->pages[index];
    return options->address != 0 ? options->address / PAGE_BYTES + index : tessera->pool[--tessera->pool_count];
}

/* So many pages can be had; of the system's, those from *first on have been. */
static bool has_pages(struct tessera *tessera, uint32_t count, bool is_own, uint32_t *first)
{
    struct transport *transport = tessera->transport;
    if (is_own) return true;
    if (!memory_has_system_pages(tessera)) return count <= tessera->pool_count;
    return transport->take_pages(transport->context, count, first) == TRANSPORT_OK;
}

struct tessera_allocation *memory_reserve(struct tessera *tessera, const struct tessera_allocation_options *options)
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

int memory_check_own(struct tessera *tessera, const struct tessera_allocation_options *options)
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
