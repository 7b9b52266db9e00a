/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps in order, each refusing by itself:
 *
 *   regions      the message's lengths and addresses, before anything is read
 *   copy         commands to command RAM; each list read once, in small pieces
 *   lists        handles of the allocation list; what each patch entry says about itself
 *   structure    one walk over the packets: opcodes, lengths, reserved bits; remembers where packets start
 *                and which words are addresses
 *   locations    patch entries and address words are paired off one to one; the private copy of each address
 *                word now holds its entry's index, so that the last step finds it without a search
 *   accesses     a second walk: extents, bindings, split points (access.h)
 */
#include "validate.h"

#include <stddef.h>

enum { PIECE_WORDS = 48 }; /* of host memory on the stack at a time; whole entries of either list */
_Static_assert(PIECE_WORDS % LIMIT_BITS_LIST_ENTRY_WORDS == 0, "a piece holds whole allocation-list entries");
_Static_assert(PIECE_WORDS % LIMIT_BITS_PATCH_ENTRY_WORDS == 0, "a piece holds whole patch entries");
_Static_assert((int)LIMIT_BITS_ALLOCATIONS <= (int)PATCH_NULL, "an index must differ from PATCH_NULL");
_Static_assert((int)PATCH_LIMIT <= (int)ACCESS_NOTHING, "an entry index must differ from ACCESS_NOTHING");
_Static_assert(DMA_WORD_LIMIT <= 0x10000, "patch_word and split_word are 16 bits");

enum { SUBMIT_FLAG_NULL_RENDERING = 1 };

static bool refuse(struct refusal *why, enum gpu_status status, uint32_t detail)
{
    *why = (struct refusal){status, detail};
    return false;
}

/* ------------------------------------------------------------------ bits */

static void bits_clear_all(uint32_t *words, uint32_t bits)
{
    for (uint32_t i = 0; i < (bits + 31u) / 32u; i++)
        words[i] = 0;
}

static void bit_set(uint32_t *words, uint32_t bit) { words[bit / 32u] |= 1u << bit % 32u; }
static void bit_clear(uint32_t *words, uint32_t bit) { words[bit / 32u] &= ~(1u << bit % 32u); }
static bool bit_is_set(const uint32_t *words, uint32_t bit) { return (words[bit / 32u] >> bit % 32u & 1u) != 0; }

/* Index of the lowest bit set, `bits` if there is none. */
static uint32_t first_bit(const uint32_t *words, uint32_t bits)
{
    uint32_t bit = 0;
    while (bit < bits && words[bit / 32u] == 0)
        bit += 32u;
    while (bit < bits && !bit_is_set(words, bit))
        bit++;
    return min_u32(bit, bits);
}

/* ------------------------------------------------------------------ regions */

/* Are `bytes` at the address in message word `address_word` inside system memory? */
static bool check_region(const uint32_t *message, uint32_t address_word, uint32_t bytes, uint32_t system_bytes,
                         struct refusal *why)
{
    uint32_t address = message[address_word];
    if (bytes == 0)
        return true;
    if (address % 4u != 0 || address > system_bytes || bytes > system_bytes - address)
        return refuse(why, STATUS_BAD_ADDRESS, address_word);
    return true;
}

static bool check_regions(const struct allocation_table *allocations, const uint32_t *message, uint32_t room_count,
                          struct refusal *why)
{
    uint32_t dma_bytes = message[MSG_SUBMIT_DMA_BYTES];
    uint32_t list_count = message[MSG_SUBMIT_LIST_COUNT];
    uint32_t patch_count = message[MSG_SUBMIT_PATCH_COUNT];
    uint32_t unknown_flags = message[MSG_SUBMIT_FLAGS] & ~(uint32_t)SUBMIT_FLAG_NULL_RENDERING;
    uint32_t system_bytes = min_u32(allocations->system_pages, GPU_LIMIT(ADDR_SYSTEM) / PAGE_BYTES) * PAGE_BYTES;
    if (unknown_flags != 0)
        return refuse(why, STATUS_BAD_FLAGS, unknown_flags);
    if (dma_bytes > GPU_LIMIT(DMA_BYTES) || dma_bytes % 4u != 0)
        return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES);
    if (list_count > LIST_LIMIT)
        return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT);
    if (patch_count > PATCH_LIMIT)
        return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT);
    if (!check_region(message, MSG_SUBMIT_DMA, dma_bytes, system_bytes, why)
        || !check_region(message, MSG_SUBMIT_LIST, list_count * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u, system_bytes, why)
        || !check_region(message, MSG_SUBMIT_PATCHES, patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u, system_bytes,
                         why))
        return false;
    if (patch_count > room_count)
        return refuse(why, STATUS_BUSY, MSG_SUBMIT_PATCH_COUNT);
    return true;
}

/* ------------------------------------------------------------------ copy and lists */

static void copy_commands(const struct job *job, uint32_t address)
{
    uint32_t piece[PIECE_WORDS];
    for (uint32_t done = 0; done < job->dma_words;) {
        uint32_t count = min_u32(PIECE_WORDS, job->dma_words - done);
        hal_system_read(address + done * 4u, piece, count);
        for (uint32_t i = 0; i < count; i++)
            hal_command_write(job->dma_offset + (done + i) * 4u, piece[i]);
        done += count;
    }
}

/* One allocation-list entry: a handle that exists and may be used, or NULL. */
static bool take_list_entry(struct validation *scratch, const struct allocation_table *allocations, uint32_t index,
                            const uint32_t *entry, struct refusal *why)
{
    uint32_t allocation = PATCH_NULL;
    uint32_t unknown_flags = entry[LIST_FLAGS] & ~(uint32_t)LIST_FLAG_WRITE;
    if (unknown_flags != 0)
        return refuse(why, STATUS_BAD_FLAGS, unknown_flags);
    if (entry[LIST_HANDLE] != 0) {
        if (!allocation_find(allocations, entry[LIST_HANDLE], &allocation))
            return refuse(why, STATUS_BAD_HANDLE, index);
        if (allocation_is_lost(allocations, allocation))
            return refuse(why, STATUS_CONTENT_LOST, index);
        if (allocation_is_locked(allocations, allocation))
            return refuse(why, STATUS_LOCKED, index);
        if (allocation_is_offered(allocations, allocation))
            return refuse(why, STATUS_OFFERED, index);
    }
    scratch->list[index] = (uint16_t)allocation;
    if (entry[LIST_FLAGS] & LIST_FLAG_WRITE)
        bit_set(scratch->list_writes, index);
    return true;
}

static bool read_allocation_list(struct validation *scratch, const struct allocation_table *allocations,
                                 const uint32_t *message, struct refusal *why)
{
    enum { ENTRY_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS, PIECE_ENTRIES = PIECE_WORDS / ENTRY_WORDS };
    uint32_t piece[PIECE_WORDS];
    uint32_t list_count = message[MSG_SUBMIT_LIST_COUNT];
    bits_clear_all(scratch->list_writes, list_count);
    for (uint32_t first = 0; first < list_count; first += PIECE_ENTRIES) {
        uint32_t count = min_u32(PIECE_ENTRIES, list_count - first);
        hal_system_read(message[MSG_SUBMIT_LIST] + first * ENTRY_WORDS * 4u, piece, count * ENTRY_WORDS);
        for (uint32_t i = 0; i < count; i++)
            if (!take_list_entry(scratch, allocations, first + i, &piece[i * ENTRY_WORDS], why))
                return false;
    }
    return true;
}

/* One patch entry: everything it says that needs no look at the commands. */
static bool take_patch_entry(const struct validation *scratch, const struct job *job, uint32_t list_count,
                             uint32_t index, const uint32_t *entry, struct refusal *why)
{
    uint32_t list_index = entry[PATCH_ALLOCATION_INDEX];
    uint32_t patch_offset = entry[PATCH_PATCH_OFFSET];
    uint32_t split_offset = entry[PATCH_SPLIT_OFFSET];
    uint32_t dma_bytes = job->dma_words * 4u;
    uint32_t previous_split = index == 0 ? 0 : job->patches[index - 1u].split_word * 4u;
    if (list_index >= list_count)
        return refuse(why, STATUS_BAD_ALLOCATION_INDEX, index);
    if (entry[PATCH_SLOT_ID] >= SLOT_LIMIT)
        return refuse(why, STATUS_BAD_SLOT, index);
    if (patch_offset % 4u != 0 || patch_offset >= dma_bytes)
        return refuse(why, STATUS_BAD_PATCH_OFFSET, index);
    if (split_offset % 4u != 0 || split_offset >= dma_bytes || split_offset < previous_split)
        return refuse(why, STATUS_SPLIT_ORDER, index);
    job->patches[index] = (struct patch){
        .allocation = scratch->list[list_index],
        .patch_word = (uint16_t)(patch_offset / 4u),
        .split_word = (uint16_t)(split_offset / 4u),
        .slot = (uint8_t)entry[PATCH_SLOT_ID],
        .flags = bit_is_set(scratch->list_writes, list_index) ? PATCH_WRITE : 0,
        .offset = entry[PATCH_ALLOCATION_OFFSET],
    };
    return true;
}

static bool read_patch_list(const struct validation *scratch, const struct job *job, const uint32_t *message,
                            struct refusal *why)
{
    enum { ENTRY_WORDS = LIMIT_BITS_PATCH_ENTRY_WORDS, PIECE_ENTRIES = PIECE_WORDS / ENTRY_WORDS };
    uint32_t piece[PIECE_WORDS];
    for (uint32_t first = 0; first < job->patch_count; first += PIECE_ENTRIES) {
        uint32_t count = min_u32(PIECE_ENTRIES, job->patch_count - first);
        hal_system_read(message[MSG_SUBMIT_PATCHES] + first * ENTRY_WORDS * 4u, piece, count * ENTRY_WORDS);
        for (uint32_t i = 0; i < count; i++)
            if (!take_patch_entry(scratch, job, message[MSG_SUBMIT_LIST_COUNT], first + i, &piece[i * ENTRY_WORDS],
                                  why))
                return false;
    }
    return true;
}

/* ------------------------------------------------------------------ commands */

static uint32_t command(const struct job *job, uint32_t word)
{
    return hal_command_read(job->dma_offset + word * 4u);
}

static bool check_structure(struct validation *scratch, const struct job *job, struct refusal *why)
{
    bits_clear_all(scratch->packet_starts, job->dma_words);
    bits_clear_all(scratch->address_words, job->dma_words);
    for (uint32_t position = 0; position < job->dma_words;) {
        const struct packet_rule *rule = packet_rule_find(&scratch->rules, command(job, position));
        if (rule == NULL)
            return refuse(why, STATUS_BAD_OPCODE, position * 4u);
        if (rule->is_privileged)
            return refuse(why, STATUS_PRIVILEGED, position * 4u);
        if (rule->words > job->dma_words - position)
            return refuse(why, STATUS_TRUNCATED, position * 4u);
        bit_set(scratch->packet_starts, position);
        for (uint32_t i = 0; i < rule->words; i++) {
            if (rule->address_words >> i & 1u)
                bit_set(scratch->address_words, position + i);
            else if (command(job, position + i) & ~rule->legal[i])
                return refuse(why, STATUS_RESERVED_BITS, (position + i) * 4u);
        }
        position += rule->words;
    }
    return true;
}

static bool check_locations(struct validation *scratch, const struct job *job, struct refusal *why)
{
    for (uint32_t i = 0; i < job->patch_count; i++) {
        const struct patch *patch = &job->patches[i];
        if (!bit_is_set(scratch->address_words, patch->patch_word))
            return refuse(why, STATUS_BAD_PATCH_OFFSET, i);
        if (!bit_is_set(scratch->packet_starts, patch->split_word))
            return refuse(why, STATUS_SPLIT_ORDER, i);
        bit_clear(scratch->address_words, patch->patch_word);
        hal_command_write(job->dma_offset + patch->patch_word * 4u, i);
    }
    uint32_t word = first_bit(scratch->address_words, job->dma_words);
    if (word < job->dma_words)
        return refuse(why, STATUS_UNPATCHED_ADDRESS, word * 4u);
    return true;
}

static bool check_accesses(struct validation *scratch, const struct allocation_table *allocations,
                           const struct job *job, struct refusal *why)
{
    uint32_t words[PACKET_RULE_WORDS] = {0};
    access_begin(&scratch->access);
    for (uint32_t position = 0; position < job->dma_words;) {
        words[0] = command(job, position);
        const struct packet_rule *rule = packet_rule_find(&scratch->rules, words[0]);
        ASSERT(rule != NULL);
        for (uint32_t i = 1; i < rule->words; i++)
            words[i] = command(job, position + i);
        if (!access_check(&scratch->access, allocations, job, position, words, why))
            return false;
        position += rule->words;
    }
    return true;
}

/* WriteOperation is a property of the allocation in the whole buffer, even if the list names it twice. */
static void spread_write_flags(const struct job *job)
{
    uint32_t written[ALLOCATION_LIMIT / 32] = {0};
    for (uint32_t i = 0; i < job->patch_count; i++)
        if (job->patches[i].allocation != PATCH_NULL && job->patches[i].flags & PATCH_WRITE)
            bit_set(written, job->patches[i].allocation);
    for (uint32_t i = 0; i < job->patch_count; i++)
        if (job->patches[i].allocation != PATCH_NULL && bit_is_set(written, job->patches[i].allocation))
            job->patches[i].flags |= PATCH_WRITE;
}

/* ------------------------------------------------------------------ public */

void validation_init(struct validation *scratch)
{
    packet_rules_build(&scratch->rules);
}

bool job_copy_and_validate(struct validation *scratch, const struct allocation_table *allocations,
                           const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                           struct patch *room, uint32_t room_count, struct job *out, struct refusal *why)
{
    if (!check_regions(allocations, message, room_count, why))
        return false;
    const struct job job = {
        .tag = message[1],
        .context = context_index,
        .dma_offset = dma_offset,
        .dma_words = message[MSG_SUBMIT_DMA_BYTES] / 4u,
        .flags = message[MSG_SUBMIT_FLAGS],
        .patches = room,
        .patch_count = message[MSG_SUBMIT_PATCH_COUNT],
    };
    hal_system_invalidate();
    copy_commands(&job, message[MSG_SUBMIT_DMA]);
    if (!read_allocation_list(scratch, allocations, message, why)
        || !read_patch_list(scratch, &job, message, why)
        || !check_structure(scratch, &job, why)
        || !check_locations(scratch, &job, why)
        || !check_accesses(scratch, allocations, &job, why))
        return false;
    spread_write_flags(&job);
    *out = job;
    return true;
}
