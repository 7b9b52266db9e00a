/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps in order, each refusing by itself:
 *
 *   regions   the message's lengths and addresses, before anything is read
 *   copy      the DMA buffer, as it is, into command RAM
 *   lists     handles of the allocation list; what each patch entry says about itself. The entry's index is
 *             left in command RAM at the word it patches, so that no later step has to search for it
 *   commands  one walk over the copy, by the examiner of the chip (examiner.h); if it has none, or it stops, here.
 *             Opcode, length and reserved bits by the packet table; address words must be exactly the words that
 *             entries claim; then what the packet touches (access.h)
 *
 * The reader of lists (lists.h) does the same by itself where it can. Every word of the host's memory is read once by
 * whoever judges it, and packets are judged where they will run. Between two pieces of a few words it yields.
 */
#include "validate/validate.h"

#include <stddef.h>

#include "platform/turn.h"
#include "validate/traffic.h"

_Static_assert((int)ALLOCATION_MAXIMUM <= (int)LIST_NULL, "an index must differ from LIST_NULL");
_Static_assert((int)LIST_MAXIMUM <= (int)ACCESS_NOTHING, "an entry index must differ from ACCESS_NOTHING");
_Static_assert(DMA_BYTES_MAXIMUM / 4 <= 0x8000, "patch_word is 15 bits, split_word 16");

__attribute__((cold)) static bool refuse(struct refusal *why, enum gpu_status status, uint32_t detail)
{
    *why = (struct refusal){status, detail};
    return false;
}

/* ------------------------------------------------------------------ bits */

static void bits_clear_all(uint32_t *words, uint32_t bits)
{
    for (uint32_t i = 0; i < (bits + 31u) / 32u; i++, yield_in_loop(i)) words[i] = 0;
}

/* `count` bits, at most 31, from `first` on. */
static inline uint32_t bits_from(const uint32_t *words, uint32_t first, uint32_t count)
{
    uint32_t shift = first % 32u, bits = words[first / 32u] >> shift;
    if (shift + count > 32u) bits |= words[first / 32u + 1u] << (32u - shift);
    return bits & ((1u << count) - 1u);
}

/* ------------------------------------------------------------------ regions */

/* Are `bytes` at the address in message word `address_word` inside system memory? */
static bool check_region(const uint32_t *message, uint32_t address_word, uint32_t bytes, uint32_t system_bytes,
                         struct refusal *why)
{
    uint32_t address = message[address_word];
    if (bytes == 0) return true;
    if (address % 4u != 0 || address > system_bytes || bytes > system_bytes - address)
        return refuse(why, STATUS_BAD_ADDRESS, address_word);
    return true;
}

static uint32_t system_bytes_of(uint32_t system_pages)
{
    return min_u32(system_pages, GPU_LIMIT(ADDR_SYSTEM) / PAGE_BYTES) * PAGE_BYTES;
}

static bool check_regions(const struct validation *scratch, const struct allocation_table *allocations,
                          const uint32_t *message, uint32_t room_count, struct refusal *why)
{
    uint32_t dma_bytes = message[MSG_SUBMIT_DMA_BYTES];
    uint32_t list_count = message[MSG_SUBMIT_LIST_COUNT];
    uint32_t patch_count = message[MSG_SUBMIT_PATCH_COUNT];
    uint32_t unknown_flags = message[MSG_SUBMIT_FLAGS] & ~((uint32_t)SUBMIT_FLAG_NULL_RENDERING | SUBMIT_FLAG_POINTS);
    uint32_t system_bytes = system_bytes_of(allocations->system_pages);
    if (unknown_flags != 0) return refuse(why, STATUS_BAD_FLAGS, unknown_flags);
    if (dma_bytes > scratch->dma_limit || dma_bytes % 4u != 0)
        return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES);
    if (list_count > scratch->list_limit) return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT);
    if (patch_count > scratch->list_limit) return refuse(why, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT);
    if (!check_region(message, MSG_SUBMIT_DMA, dma_bytes, system_bytes, why) ||
        !check_region(message, MSG_SUBMIT_LIST, list_count * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u, system_bytes, why) ||
        !check_region(message, MSG_SUBMIT_PATCHES, patch_count * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u, system_bytes, why))
        return false;
    if (patch_count > room_count) return refuse(why, STATUS_BUSY, MSG_SUBMIT_PATCH_COUNT);
    return true;
}

/* ------------------------------------------------------------------ lists */

/* Both lists are read with what does not change from entry to entry in local variables, since a store to what has been
 * taken might, for all that the compiler knows, change what scratch holds. */

/* What entry `index` of the allocation list names is not the client's, or not ready: RIGHT_* if it is another's and
 * shared, or 0: refused. */
__attribute__((cold, noinline)) static uint32_t rights_to_other(const struct validation *scratch, uint32_t handle,
                                                                uint32_t index, struct refusal *why)
{
    const struct allocation_table *allocations = scratch->allocations;
    uint32_t allocation, rights = 0;
    if (allocation_find(allocations, handle, &allocation))
        rights = allocation_rights(allocations, scratch->client, allocation);
    if (rights == 0) return refuse(why, STATUS_BAD_HANDLE, index);
    if (allocation_is_lost(allocations, allocation)) return refuse(why, STATUS_CONTENT_LOST, index);
    if (allocation_is_locked(allocations, allocation)) return refuse(why, STATUS_LOCKED, index);
    if (allocation_is_offered(allocations, allocation)) return refuse(why, STATUS_OFFERED, index);
    return rights;
}

/* Entries of the allocation list: each a handle that exists for the client and may be used, or NULL. What is shared for
 * reading has no WriteOperation, so that a packet that writes it is NOT_WRITABLE. */
static bool read_allocation_list(struct validation *scratch, struct refusal *why)
{
    const struct allocation *const allocations = scratch->allocations->entry;
    const uint32_t limit = scratch->allocations->limit;
    struct index_set *const named = scratch->named;
    uint16_t *const list = scratch->list;
    const uint32_t client = scratch->client, first = scratch->list_taken;
    const uint32_t end = min_u32(first + PIECE_OF_LIST, scratch->job.list_count);
    uint32_t address = scratch->list_address + first * GPU_LIMIT(LIST_ENTRY_WORDS) * 4u;
    bool is_named_before = false;
    for (uint32_t i = first; i < end; i++, address += GPU_LIMIT(LIST_ENTRY_WORDS) * 4u) {
        const uint32_t handle = hal_system_word(address + 4u * LIST_HANDLE);
        const uint32_t flags = hal_system_word(address + 4u * LIST_FLAGS);
        uint32_t rights = RIGHT_READ | RIGHT_WRITE;
        if ((flags & ~(uint32_t)LIST_FLAG_WRITE) != 0u)
            return refuse(why, STATUS_BAD_FLAGS, flags & ~(uint32_t)LIST_FLAG_WRITE);
        if (handle == 0u) {
            list[i] = LIST_NULL;
            continue;
        }
        const uint32_t allocation = allocation_index(handle);
        if (allocation >= limit || !allocation_is_ready(&allocations[allocation], client, handle)) {
            rights = rights_to_other(scratch, handle, i, why);
            if (rights == 0u) return false;
        }
        const bool may_write = (rights & RIGHT_WRITE) != 0u && flags != 0u;
        list[i] = (allocation | (may_write ? (uint32_t)LIST_WRITES : 0u)) & 0xffffu;
        is_named_before |= index_set_add(named, allocation);
    }
    scratch->names_twice |= is_named_before;
    scratch->list_taken = end;
    return true;
}

/* A patch keeps 25 bits of AllocationOffset: an offset past these is past every allocation too, and stays so. */
static const uint32_t beyond_all = 0x1fffff0u;
_Static_assert(LIMIT_BITS_GUARD_SPACE_PAGES *LIMIT_BITS_PAGE_BYTES < 0x1fffff0, "no allocation is as large");
static inline uint32_t kept_offset(uint32_t offset)
{
    return offset < beyond_all ? offset : beyond_all | (offset & 15u);
}

/* Patch entries: everything they say that needs no look at the commands. Each claims its word. Whether split offsets
 * are packet boundaries in order is seen when the walk comes past them. One that no packet can use ends the examiner's
 * part: it is refused by the first that does. */
static bool read_patch_list(struct validation *scratch, struct refusal *why)
{
    const struct allocation_table *const allocations = scratch->allocations;
    const uint16_t *const list = scratch->list;
    uint32_t *const claimed = scratch->claimed;
    const uint32_t list_count = scratch->job.list_count, commands = scratch->job.dma_offset;
    const uint32_t dma_bytes = scratch->job.dma_words * 4u, first = scratch->patches_taken;
    const uint32_t end = first + min_u32(PIECE_OF_LIST, scratch->job.patch_count - first);
    uint32_t address = scratch->patch_address + first * GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u;
    struct patch *patch = &scratch->job.patches[first];
    bool by_examiner = scratch->by_examiner;
    for (uint32_t i = first; i < end; i++, patch++, address += GPU_LIMIT(PATCH_ENTRY_WORDS) * 4u) {
        const uint32_t list_index = hal_system_word(address + 4u * PATCH_ALLOCATION_INDEX);
        const uint32_t slot = hal_system_word(address + 4u * PATCH_SLOT_ID);
        const uint32_t offset = hal_system_word(address + 4u * PATCH_ALLOCATION_OFFSET);
        const uint32_t patch_offset = hal_system_word(address + 4u * PATCH_PATCH_OFFSET);
        const uint32_t split_offset = hal_system_word(address + 4u * PATCH_SPLIT_OFFSET);
        if (list_index >= list_count) return refuse(why, STATUS_BAD_ALLOCATION_INDEX, i);
        if (slot >= SLOT_LIMIT) return refuse(why, STATUS_BAD_SLOT, i);
        if (patch_offset % 4u != 0 || patch_offset >= dma_bytes) return refuse(why, STATUS_BAD_PATCH_OFFSET, i);
        uint32_t *const claims = &claimed[patch_offset / 128u];
        const uint32_t claims_before = *claims, claim = 1u << patch_offset / 4u % 32u;
        if ((claims_before & claim) != 0u) return refuse(why, STATUS_BAD_PATCH_OFFSET, i);
        if (split_offset % 4u != 0 || split_offset >= dma_bytes) return refuse(why, STATUS_SPLIT_ORDER, i);
        *claims = claims_before | claim;
        hal_command_write(commands + patch_offset, i);
        const uint32_t named = list[list_index], start = kept_offset(offset);
        const bool may_write = (named & (uint32_t)LIST_WRITES) != 0u;
        uint32_t allocation = named & (uint32_t)LIST_NULL, room = 0;
        bool unbinds = false;
        if (named == LIST_NULL) {
            unbinds = true;
            allocation = PATCH_NULL;
        } else {
            const uint32_t bytes = allocation_bytes(allocations, allocation);
            room = bytes - start;
            by_examiner = by_examiner && start <= bytes;
        }
        *patch = patch_of(allocation, patch_offset, split_offset, slot, may_write, start);
        if (may_write) {
            if (scratch->writes_end == 0u) scratch->writes_first = i;
            scratch->writes_end = i + 1u;
        }
        if (by_examiner) examiner_take(patch_offset, split_offset, slot, unbinds, may_write, room);
    }
    scratch->by_examiner = by_examiner;
    scratch->patches_taken = end;
    return true;
}

/* ------------------------------------------------------------------ commands */

/* The next words of the DMA buffer, from the host's memory to where they will run. */
static void copy_commands(struct validation *scratch)
{
    const struct job *job = &scratch->job;
    const uint32_t first = scratch->words_copied, count = min_u32(COPY_WORDS, job->dma_words - first);
    hal_system_read(scratch->dma_address + first * 4u, hal_command_memory(job->dma_offset + first * 4u), count);
    scratch->words_copied += count;
}

/* A packet with a bit that no field owns, or whose address words are not exactly the words that entries claim. Which:
 * reserved bits of what the host wrote, then a claim of what is no address, then an address that no entry patches. */
__attribute__((cold, noinline)) static bool refuse_packet(const struct packet_rule *rule, uint32_t position,
                                                          const uint32_t *words, uint32_t claimed, struct refusal *why)
{
    if ((words[0] & rule->reserved0) != 0) return refuse(why, STATUS_RESERVED_BITS, position * 4u);
    if (!(claimed >> rule->other & 1u) && packet_rule_reserved(rule, words) != 0)
        return refuse(why, STATUS_RESERVED_BITS, (position + rule->other) * 4u);
    for (uint32_t i = 0; i < rule->words; i++)
        if (claimed & ~(uint32_t)rule->address_words & 1u << i) return refuse(why, STATUS_BAD_PATCH_OFFSET, words[i]);
    uint32_t missing = 0;
    while (!((rule->address_words & ~claimed) >> missing & 1u)) missing++;
    return refuse(why, STATUS_UNPATCHED_ADDRESS, (position + missing) * 4u);
}

/* The examiner walks the packets. Where it stops, everything is as if it had not been asked. */
static void ask_examiner(struct validation *scratch)
{
    const struct job *job = &scratch->job;
    const uint32_t end = scratch->counts_traffic ? job->patch_count : scratch->writes_end;
    examiner_start(job);
    while (examiner_progress() == EXAMINER_WALKS) turn_wait();
    scratch->by_examiner = examiner_progress() == EXAMINER_ACCEPTED;
    if (!scratch->by_examiner) return;
    for (uint32_t first = scratch->counts_traffic ? 0u : scratch->writes_first, count; first < end; first += count) {
        count = min_u32(RESULT_ENTRIES, end - first);
        examiner_results(job, first, count, scratch->counts_traffic);
        yield_if_late();
    }
    scratch->position = job->dma_words;
}

static bool read_commands(struct validation *scratch, struct refusal *why)
{
    const struct job *job = &scratch->job;
    if (scratch->position == 0u) access_begin(&scratch->access, scratch->allocations, job);
    const uint32_t total = job->dma_words, end = min_u32(scratch->position + PIECE_WORDS, total);
    uint32_t position = scratch->position;
    while (position < end) {
        const uint32_t *words = hal_command_memory(job->dma_offset + position * 4u);
        uint32_t claimed = bits_from(scratch->claimed, position, PACKET_RULE_WORDS);
        if (claimed & 1u) return refuse(why, STATUS_BAD_PATCH_OFFSET, words[0]);
        const struct packet_rule *rule = packet_rule_find(&scratch->rules, words[0]);
        if (rule == NULL) return refuse(why, STATUS_BAD_OPCODE, position * 4u);
        if (rule->is_privileged) return refuse(why, STATUS_PRIVILEGED, position * 4u);
        if (rule->words > total - position) return refuse(why, STATUS_TRUNCATED, position * 4u);
        claimed &= (1u << rule->words) - 1u;
        if (claimed != rule->address_words || packet_rule_reserved(rule, words) != 0)
            return refuse_packet(rule, position, words, claimed, why);
        if (!access_check(&scratch->access, position, words, why)) return false;
        if (scratch->counts_traffic) traffic_count(&scratch->access);
        position += rule->words;
    }
    scratch->position = position;
    /* Every entry patches a packet, and none is due after its packet. */
    ASSERT(position < total || scratch->access.entries_begun == job->patch_count);
    return true;
}

/* WriteOperation is a property of the allocation in the whole buffer, even if the list names it twice. */
static void spread_write_flags(struct index_set *written, const struct job *job)
{
    index_set_clear(written);
    for (uint32_t i = 0; i < job->patch_count; i++, yield_in_loop(i))
        if (job->patches[i].allocation != PATCH_NULL && job->patches[i].flags & PATCH_WRITE)
            index_set_add(written, job->patches[i].allocation);
    for (uint32_t i = 0; i < job->patch_count; i++, yield_in_loop(i))
        if (job->patches[i].allocation != PATCH_NULL && index_set_has(written, job->patches[i].allocation))
            job->patches[i].flags = PATCH_WRITE;
}

/* A reset between two pieces may have lost the content of what was named. */
static bool is_content_there(const struct validation *scratch, struct refusal *why)
{
    const uint16_t *const list = scratch->list;
    if (scratch->allocations->losses == scratch->losses) return true;
    for (uint32_t i = 0; i < scratch->job.list_count; i++, yield_in_loop(i))
        if (list[i] != LIST_NULL && allocation_is_lost(scratch->allocations, list[i] & (uint32_t)LIST_NULL))
            return refuse(why, STATUS_CONTENT_LOST, i);
    return true;
}

/* ------------------------------------------------------------------ public */

void validation_init(struct validation *scratch, struct tables *tables, uint16_t *list)
{
    scratch->named = tables_take_set(tables);
    scratch->written = tables_take_set(tables);
    scratch->list = list;
    scratch->list_limit = tables->limits.list_entries;
    scratch->dma_limit = tables->limits.dma_bytes;
    scratch->claimed = tables_take(tables, scratch->dma_limit / 32u + 4u);
    scratch->counts_traffic = scratch->avoids_lists = false;
    scratch->access.left_out = FEATURES_ALL & ~hal_register_read(MEMORY_FEATURES_OFFSET);
    /* Which knows all formats but those it stops at. */
    scratch->examiner_room = FIELD_GET(scratch->access.left_out, MEMORY_FEATURES_FORMATS) == 0u ? examiner_room() : 0u;
    scratch->lists_room = lists_room();
    packet_rules_build(&scratch->rules);
}

bool validation_begin(struct validation *scratch, const struct allocation_table *allocations,
                      const uint32_t message[MESSAGE_WORDS], uint32_t context_index, uint32_t dma_offset,
                      struct patch *room, uint32_t room_count, struct refusal *why)
{
    if (!check_regions(scratch, allocations, message, room_count, why)) return false;
    scratch->allocations = allocations;
    scratch->client = message_client(message[0]);
    scratch->job = (struct job){
        .tag = message[1],
        .context = context_index,
        .dma_offset = dma_offset,
        .dma_words = message[MSG_SUBMIT_DMA_BYTES] / 4u,
        .flags = message[MSG_SUBMIT_FLAGS],
        .patches = room,
        .patch_count = message[MSG_SUBMIT_PATCH_COUNT],
        .list_count = message[MSG_SUBMIT_LIST_COUNT],
    };
    scratch->list_address = message[MSG_SUBMIT_LIST];
    scratch->patch_address = message[MSG_SUBMIT_PATCHES];
    scratch->dma_address = message[MSG_SUBMIT_DMA];
    scratch->words_copied = scratch->list_taken = scratch->patches_taken = scratch->position = 0;
    index_set_clear(scratch->named);
    scratch->names_twice = false;
    scratch->losses = allocations->losses;
    scratch->writes_first = scratch->writes_end = 0;
    /* Both may still be at work on what was given up; what they say then is of that. */
    const bool was_reading = lists_stop();
    scratch->by_examiner = examiner_reaches(scratch->examiner_room, &scratch->job) && !was_reading &&
                           examiner_progress() != EXAMINER_WALKS;
    scratch->is_in_place = false;
    scratch->told = allocations->told;
    scratch->by_lists =
        scratch->by_examiner && !scratch->avoids_lists && scratch->job.list_count <= scratch->lists_room;
    if (!scratch->by_lists) return true;
    lists_begin(&(struct lists_source){.dma = scratch->dma_address,
                                       .list = scratch->list_address,
                                       .patches = scratch->patch_address,
                                       .list_count = scratch->job.list_count,
                                       .client = scratch->client,
                                       .counts_traffic = scratch->counts_traffic},
                &scratch->job);
    return true;
}

bool validation_list_names(const uint32_t message[MESSAGE_WORDS], uint32_t system_pages, uint32_t list_limit,
                           uint32_t handle)
{
    enum { ENTRY_WORDS = LIMIT_BITS_LIST_ENTRY_WORDS };
    const uint32_t count = message[MSG_SUBMIT_LIST_COUNT], words = count * ENTRY_WORDS;
    struct refusal why;
    uint32_t piece[PIECE_WORDS], failed;
    if (count > list_limit || !check_region(message, MSG_SUBMIT_LIST, words * 4u, system_bytes_of(system_pages), &why))
        return false; /* it will be refused */
    hal_system_invalidate();
    for (uint32_t first = 0; first < words; first += PIECE_WORDS) {
        const uint32_t taken = min_u32(PIECE_WORDS, words - first);
        hal_system_read(message[MSG_SUBMIT_LIST] + first * 4u, piece, taken);
        if (hal_system_failed(&failed)) return true;
        for (uint32_t i = 0; i < taken; i += ENTRY_WORDS)
            if (piece[i + LIST_HANDLE] == handle) return true;
        yield_if_late();
    }
    return false;
}

/* A word of the host's was not there: whatever was found in it does not count. */
static bool is_missing(struct refusal *why)
{
    uint32_t failed;
    return hal_system_failed(&failed) && !refuse(why, STATUS_BUS_ERROR, failed);
}

/* All that the host has: the DMA buffer as it is, then both lists. */
static bool read_host(struct validation *scratch, struct refusal *why)
{
    const struct job *job = &scratch->job;
    for (; scratch->words_copied < job->dma_words; yield_if_late()) {
        copy_commands(scratch);
        if (is_missing(why)) return false;
    }
    for (; scratch->list_taken < scratch->job.list_count; yield_if_late()) {
        const bool is_sound = read_allocation_list(scratch, why);
        if (is_missing(why) || !is_sound) return false;
    }
    for (; scratch->patches_taken < job->patch_count; yield_if_late()) {
        const bool is_sound = read_patch_list(scratch, why);
        if (is_missing(why) || !is_sound) return false;
    }
    return true;
}

/* The words that patch entries claim, for a walk over what the reader of lists has left. */
static bool claim_words(struct validation *scratch, struct refusal *why)
{
    uint32_t *const claimed = scratch->claimed;
    for (uint32_t i = 0; i < scratch->job.patch_count; i++, yield_in_loop(i)) {
        const uint32_t word = scratch->job.patches[i].patch_word;
        if (bit_is_set(claimed, word)) return refuse(why, STATUS_BAD_PATCH_OFFSET, i);
        bit_set(claimed, word);
    }
    return true;
}

static bool walk_commands(struct validation *scratch, struct refusal *why)
{
    do { /* a buffer without words is looked at, too */
        if (!read_commands(scratch, why)) return false;
        yield_if_late();
    } while (scratch->position < scratch->job.dma_words);
    return true;
}

/* The reader of lists does it. False: it has stopped, or content was lost meanwhile; nothing of what it did counts. */
static bool ask_lists(struct validation *scratch, enum lists_progress *progress)
{
    const struct allocation_table *allocations = scratch->allocations;
    while ((*progress = lists_progress()) == LISTS_READS) turn_wait();
    if (*progress == LISTS_STOPPED || allocations->losses != scratch->losses) return false;
    lists_take_named(scratch->named, min_u32(allocations->row_count, allocations->limit));
    scratch->is_in_place = *progress == LISTS_IN_PLACE && allocations->told == scratch->told;
    return true;
}

/* All of it, by the firmware with the examiner. Rare where the chip has a reader of lists. */
__attribute__((noinline)) static bool examine_lists_and_words(struct validation *scratch, struct refusal *why)
{
    const struct job *job = &scratch->job;
    if (scratch->by_examiner) examiner_begin();
    hal_system_invalidate();
    if (!read_host(scratch, why)) return false;
    if (scratch->by_examiner) ask_examiner(scratch);
    if (!scratch->by_examiner && !walk_commands(scratch, why)) return false;
    if (!is_content_there(scratch, why)) return false;
    if (scratch->names_twice) spread_write_flags(scratch->written, job);
    return true;
}

bool validation_examine(struct validation *scratch, struct job *out, struct refusal *why)
{
    const uint32_t bits = scratch->job.dma_words + PACKET_RULE_WORDS;
    enum lists_progress progress;
    bool is_done = scratch->by_lists && ask_lists(scratch, &progress);
    if (is_done && progress == LISTS_SOUND) {
        bits_clear_all(scratch->claimed, bits);
        if (!claim_words(scratch, why) || !walk_commands(scratch, why)) return false;
        is_done = scratch->allocations->losses == scratch->losses;
    }
    if (!is_done) {
        scratch->by_lists = scratch->is_in_place = false;
        scratch->position = 0;
        index_set_clear(scratch->named);
        bits_clear_all(scratch->claimed, bits);
        if (!examine_lists_and_words(scratch, why)) return false;
    }
    scratch->position = scratch->job.dma_words;
    *out = scratch->job;
    return true;
}
