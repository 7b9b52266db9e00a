/* SPDX-License-Identifier: Apache-2.0
 *
 * See sections.h.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/tdump/sections.h"

/* A SUBMIT's DMA buffer and lists; NULL: not all of it can be read. */
static const uint32_t *add_buffer(struct tessera *tessera, struct bytes *bytes, const uint32_t *message, bool is_guilty)
{
    const uint32_t words = message[MSG_SUBMIT_DMA_BYTES] / 4u, lists = message[MSG_SUBMIT_LIST_COUNT];
    const uint32_t patches = message[MSG_SUBMIT_PATCH_COUNT];
    if (words > GPU_LIMIT(DMA_BYTES_MAX) / 4u || lists > GPU_LIMIT(LIST_ENTRIES_MAX) ||
        patches > GPU_LIMIT(LIST_ENTRIES_MAX))
        return NULL;
    const uint32_t list_words = lists * GPU_LIMIT(LIST_ENTRY_WORDS);
    const uint32_t patch_words = patches * GPU_LIMIT(PATCH_ENTRY_WORDS);
    const size_t size = BUFFER_WORDS + words + list_words + patch_words;
    uint32_t *buffer = bytes_begin(bytes, TDUMP_BUFFER, size);
    if (buffer == NULL) return NULL;
    buffer[BUFFER_IS_GUILTY] = is_guilty;
    buffer[BUFFER_TAG] = message[1];
    buffer[BUFFER_CLIENT] = message_client(message[0]);
    buffer[BUFFER_CONTEXT] = message[MSG_SUBMIT_CONTEXT];
    buffer[BUFFER_FLAGS] = message[MSG_SUBMIT_FLAGS];
    buffer[BUFFER_WORD_COUNT] = words;
    buffer[BUFFER_LIST_COUNT] = lists;
    buffer[BUFFER_PATCH_COUNT] = patches;
    uint32_t *at = buffer + BUFFER_WORDS;
    if (sections_memory(tessera, message[MSG_SUBMIT_DMA], at, words * 4u) &&
        sections_memory(tessera, message[MSG_SUBMIT_LIST], at + words, list_words * 4u) &&
        sections_memory(tessera, message[MSG_SUBMIT_PATCHES], at + words + list_words, patch_words * 4u))
        return buffer;
    bytes_take_back(bytes, size);
    return NULL;
}

struct tessera_allocation *sections_find_allocation(struct tessera *tessera, uint32_t handle)
{
    struct tessera_allocation *allocation = tessera->all;
    while (allocation != NULL && allocation->handle != handle) allocation = allocation->next;
    return allocation;
}

/* What its pages hold, if they are all there. */
static bool add_content(struct tessera *tessera, const struct tessera_allocation *allocation, uint8_t *content)
{
    for (uint32_t i = 0; i < allocation->page_count; i++)
        if (!sections_memory(tessera, allocation->pages[i] * PAGE_BYTES, content + (size_t)i * PAGE_BYTES, PAGE_BYTES))
            return false;
    return true;
}

static void add_allocation(struct tessera *tessera, struct bytes *bytes, const struct tessera_allocation *allocation,
                           bool has_content)
{
    const uint32_t pages = allocation->page_count;
    const size_t plain = PLACE_WORDS + 2u * (size_t)pages, content = (size_t)pages * PAGE_BYTES / 4u;
    /* Half the room is for what is not content. */
    has_content = has_content && bytes->count + plain + content < TDUMP_BYTES_MAX / 8;
    uint32_t *place = bytes_begin(bytes, TDUMP_ALLOCATION, plain + (has_content ? content : 0));
    if (place == NULL) return;
    place[PLACE_HANDLE] = allocation->handle;
    place[PLACE_CLIENT] = allocation->client;
    place[PLACE_SEGMENT] = TDUMP_NOWHERE;
    place[PLACE_PAGES] = pages;
    memcpy(place + PLACE_CREATED, allocation->created, sizeof allocation->created);
    memcpy(place + PLACE_WORDS, allocation->pages, pages * sizeof *place);
    if (!sections_memory(tessera, allocation->list_address, place + PLACE_WORDS + pages, pages * sizeof *place))
        memcpy(place + PLACE_WORDS + pages, allocation->pages, pages * sizeof *place);
    if (!has_content) return;
    if (add_content(tessera, allocation, (uint8_t *)(place + plain))) place[PLACE_CONTENT_BYTES] = pages * PAGE_BYTES;
    else { /* without it, then */ bytes->count -= content;
        place[-1] -= (uint32_t)content * 4u;
    }
}

uint32_t sections_earlier(struct bytes *bytes, const struct bytes *last, enum tdump_tag tag, uint32_t word,
                          uint32_t most)
{
    uint32_t count = 0;
    for (size_t at = TDUMP_HEAD_WORDS; at < last->count && count < most; at = bytes_next(last, at)) {
        const uint32_t *from = last->words + at + 2;
        if (last->words[at] != (uint32_t)tag || bytes_have(bytes, tag, word, from[word])) continue;
        uint32_t *words = bytes_begin(bytes, tag, last->words[at + 1] / 4u);
        if (words == NULL) break;
        memcpy(words, from, last->words[at + 1]);
        if (tag == TDUMP_BUFFER) words[BUFFER_IS_GUILTY] = 0;
        count++;
    }
    return count;
}

void sections_allocations(struct tessera *tessera, struct bytes *bytes, bool has_contents)
{
    uint32_t count = 0;
    const size_t end = bytes->count;
    for (size_t at = TDUMP_HEAD_WORDS; at < end && !bytes->has_failed; at = bytes_next(bytes, at)) {
        if (bytes->words[at] != TDUMP_BUFFER) continue;
        const size_t list = at + 2u + BUFFER_WORDS + bytes->words[at + 2 + BUFFER_WORD_COUNT];
        const uint32_t entries = bytes->words[at + 2 + BUFFER_LIST_COUNT];
        for (uint32_t i = 0; i < entries && count < TDUMP_ALLOCATIONS_MAX; i++) {
            const uint32_t handle = bytes->words[list + (size_t)i * GPU_LIMIT(LIST_ENTRY_WORDS)];
            const struct tessera_allocation *allocation =
                handle != 0 ? sections_find_allocation(tessera, handle) : NULL;
            if (allocation == NULL || bytes_have(bytes, TDUMP_ALLOCATION, PLACE_HANDLE, handle) ||
                allocation->page_count > TDUMP_PAGES_MAX)
                continue;
            add_allocation(tessera, bytes, allocation, has_contents);
            count++;
        }
    }
}

void sections_buffers(struct tessera *tessera, struct bytes *bytes, const struct outstanding *guilty, uint32_t others)
{
    for (uint32_t tag = tessera->next_tag - TESSERA_OUTSTANDING; tag != tessera->next_tag; tag++) {
        const struct outstanding *slot = &tessera->outstanding[tag % TESSERA_OUTSTANDING];
        if (!slot->is_used || slot->tag != tag || message_code(slot->message[0]) != MSG_SUBMIT) continue;
        if (slot != guilty && (slot->is_done || others >= TDUMP_BUFFERS_MAX - 1)) continue;
        if (add_buffer(tessera, bytes, slot->message, slot == guilty) != NULL) others += slot != guilty;
    }
}

uint32_t *sections_guilty(const struct bytes *bytes, struct stream_view *view)
{
    for (size_t at = TDUMP_HEAD_WORDS; at < bytes->count; at = bytes_next(bytes, at)) {
        const uint32_t *head = bytes->words + at + 2;
        if (bytes->words[at] != TDUMP_BUFFER || head[BUFFER_IS_GUILTY] == 0) continue;
        const uint32_t words = head[BUFFER_WORD_COUNT], lists = head[BUFFER_LIST_COUNT];
        const size_t size = bytes->words[at + 1] - BUFFER_WORDS * 4u;
        uint32_t *copy = malloc(size + 1u);
        if (copy == NULL) return NULL;
        memcpy(copy, head + BUFFER_WORDS, size);
        *view = (struct stream_view){copy,  copy + words, copy + words + (size_t)lists * GPU_LIMIT(LIST_ENTRY_WORDS),
                                     words, lists,        head[BUFFER_PATCH_COUNT],
                                     NULL};
        return copy;
    }
    return NULL;
}
