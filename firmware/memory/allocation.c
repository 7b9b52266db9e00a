/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocation table. Creation checks everything the host says, the page list included, so that later
 * stages can rely on it: sizes fit a segment, sets and preferences name segments that exist, flags do not
 * contradict each other. The page list itself stays in host memory and is checked again when used.
 */
#include "memory/allocation.h"

#include "memory/client.h"
#include "platform/base.h"
#include "platform/hal.h"
#include "platform/turn.h"

enum { NO_ENTRY = 0xffff };

static const uint32_t priority_maximum = 0xC8000000u;
enum {
    HOST_FLAGS = ALLOCATION_CPU_VISIBLE | ALLOCATION_PERMANENT_SYSMEM | ALLOCATION_CACHED | ALLOCATION_FROM_END |
                 ALLOCATION_SWIZZLED | ALLOCATION_PINNED | ALLOCATION_SYNCHRONOUS_PAGING | ALLOCATION_UNDEFINED,
    STATES = ALLOCATION_EXISTS | ALLOCATION_DIRTY | ALLOCATION_LOCKED | ALLOCATION_LOST | ALLOCATION_PENDING_DESTROY |
             ALLOCATION_UNSAVED | ALLOCATION_OWNED
};
_Static_assert((HOST_FLAGS & STATES) == 0, "flags and states share a word");

void allocation_table_init(struct allocation_table *table, struct tables *tables,
                           const uint16_t segment_pages[SEGMENT_LIMIT], uint32_t system_pages)
{
    const uint32_t limit = tables->limits.allocations;
    table->limit = limit;
    table->entry = tables_take(tables, limit * (uint32_t)sizeof *table->entry);
    table->details = tables_take(tables, limit * (uint32_t)sizeof *table->details);
    rights_init(&table->rights, tables);
    table->of_client = tables_take(tables, CLIENT_LIMIT * (uint32_t)sizeof *table->of_client);
    if (tables->is_short) return;
    for (uint32_t i = 0; i < limit; i++) table->entry[i].first_page = narrow_u16(i + 1u < limit ? i + 1u : NO_ENTRY);
    table->free_head = 0;
    table->free_tail = narrow_u16(limit - 1u);
    table->live_count = table->pending_destroy_count = table->instance_count = 0;
    table->segment_set = 0;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        table->segment_pages[i] = segment_pages[i];
        table->segment_set |= (uint32_t)(segment_pages[i] != 0u) << i;
        table->banks[i] = (struct allocation_banks){NULL, 0};
    }
    for (uint32_t i = 0; i < RENAMING_GROUPS; i++) table->groups[i].members = 0;
    table->system_pages = system_pages;
    allocation_table_set_apertures(table, 0, 0);
}

void allocation_table_set_apertures(struct allocation_table *table, uint32_t aperture_set, uint32_t commit_limit)
{
    ASSERT(table->live_count == 0u && (aperture_set & ~((1u << SEGMENT_LIMIT) - 1u)) == 0u);
    table->aperture_set = aperture_set;
    table->commit_limit = commit_limit;
    table->memory_pages = 0;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++)
        if ((aperture_set >> i & 1u) == 0u) table->memory_pages += table->segment_pages[i];
}

/* ------------------------------------------------------------------ creation */

static bool refuse_allocation(struct refusal *why, enum gpu_status status, uint32_t detail)
{
    *why = (struct refusal){status, detail};
    return false;
}

static bool check_flags(uint32_t flags, struct refusal *why)
{
    uint32_t unknown = flags & ~(uint32_t)HOST_FLAGS;
    if (unknown != 0u) return refuse_allocation(why, STATUS_BAD_FLAGS, unknown);
    uint32_t needs_cpu = flags & ((uint32_t)ALLOCATION_PERMANENT_SYSMEM | (uint32_t)ALLOCATION_CACHED);
    if (needs_cpu != 0u && (flags & ALLOCATION_CPU_VISIBLE) == 0u)
        return refuse_allocation(why, STATUS_BAD_FLAGS, needs_cpu);
    return true;
}

/* Every preference names a segment of the sets. */
static bool check_preferences(uint32_t preferred, uint32_t set, struct refusal *why)
{
    const uint32_t fields = PREFERENCE_COUNT * PREFERENCE_BITS;
    bool is_valid = preferred >> fields == 0u;
    for (uint32_t left = preferred; is_valid && left != 0u; left >>= PREFERENCE_BITS) {
        uint32_t id = left & (PREFERENCE_FROM_END - 1u);
        is_valid = id == 0u || (id <= (uint32_t)SEGMENT_LIMIT && (set >> (id - 1u) & 1u) != 0u);
    }
    return is_valid || refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_PREFERRED);
}

static bool check_sets(const struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], struct refusal *why)
{
    const uint32_t all_sets = table->segment_set, aperture_set = table->aperture_set;
    uint32_t read_set = message[MSG_CREATE_ALLOCATION_READ_SET];
    uint32_t write_set = message[MSG_CREATE_ALLOCATION_WRITE_SET];
    uint32_t eviction_set = message[MSG_CREATE_ALLOCATION_EVICTION_SET];
    if ((read_set & ~all_sets) != 0u)
        return refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_READ_SET);
    if ((write_set & ~all_sets) != 0u)
        return refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_WRITE_SET);
    if ((read_set | write_set) == 0u)
        return refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_READ_SET);
    if ((eviction_set & ~aperture_set) != 0u)
        return refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_EVICTION_SET);
    bool is_swizzled = (message[MSG_CREATE_ALLOCATION_FLAGS] & ALLOCATION_SWIZZLED) != 0u;
    if (is_swizzled && ((read_set | write_set) & aperture_set) != 0u) /* tiled content lives in memory segments */
        return refuse_allocation(why, STATUS_BAD_SEGMENT_SET, MSG_CREATE_ALLOCATION_READ_SET);
    return true;
}

/* Can every use find a segment that is large enough when empty? */
static bool check_size(const struct allocation_table *table, uint32_t pages, uint32_t read_set, uint32_t write_set,
                       struct refusal *why)
{
    bool is_readable = read_set == 0u, is_writable = write_set == 0u;
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) {
        if (pages > table->segment_pages[i]) continue;
        if (allocation_is_aperture(table, i + 1u) && pages > table->commit_limit) continue;
        is_readable = is_readable || (read_set >> i & 1u) != 0u;
        is_writable = is_writable || (write_set >> i & 1u) != 0u;
    }
    if (!is_readable || !is_writable) return refuse_allocation(why, STATUS_NO_SEGMENT, MSG_CREATE_ALLOCATION_BYTES);
    return true;
}

/* Rows and levels of a swizzled allocation must be whole tiles and fit it. */
__attribute__((cold)) static bool check_shape(const uint32_t message[MESSAGE_WORDS], uint32_t bytes,
                                              struct refusal *why)
{
    uint32_t pitch = message[MSG_CREATE_ALLOCATION_PITCH];
    uint32_t height = message[MSG_CREATE_ALLOCATION_HEIGHT] & 0xffffu;
    uint32_t levels = message[MSG_CREATE_ALLOCATION_HEIGHT] >> 16 & 0xffu;
    if (pitch == 0u || pitch > 0xffffu || pitch % GPU_LIMIT(TILE_ROW_BYTES) != 0u)
        return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_PITCH);
    if (height == 0u || height % GPU_LIMIT(TILE_ROWS) != 0u || message[MSG_CREATE_ALLOCATION_HEIGHT] >> 24 != 0u)
        return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_HEIGHT);
    if (levels == 0u || levels > 16u) return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_HEIGHT);
    uint32_t left = bytes;
    for (uint32_t level = 0; level < levels; level++) {
        uint32_t row_bytes = align_up(max_u32(pitch >> level, 1u), GPU_LIMIT(TILE_ROW_BYTES));
        uint32_t rows = align_up(max_u32(height >> level, 1u), GPU_LIMIT(TILE_ROWS));
        if (left / row_bytes < rows) return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BYTES);
        left -= row_bytes * rows;
    }
    return true;
}

/* `word` of the message holds the address. Pages from `first` to `end` of the list. */
static bool check_page_list(const struct allocation_table *table, uint32_t address, uint32_t first, uint32_t end,
                            uint32_t word, struct refusal *why)
{
    uint32_t system_bytes = table->system_pages * (uint32_t)PAGE_BYTES; /* at most 2 GiB: boot checks */
    if (address % 4u != 0u || address > system_bytes || end * 4u > system_bytes - address)
        return refuse_allocation(why, STATUS_BAD_ADDRESS, word);
    uint32_t numbers[16], failed;
    hal_system_invalidate();
    for (uint32_t page = first; page < end; page += 16u) {
        uint32_t count = min_u32(16u, end - page);
        hal_system_read(address + page * 4u, numbers, count);
        if (hal_system_failed(&failed)) return refuse_allocation(why, STATUS_BUS_ERROR, failed);
        yield_if_late();
        for (uint32_t i = 0; i < count; i++)
            if (numbers[i] >= table->system_pages) return refuse_allocation(why, STATUS_BAD_PAGE, page + i);
    }
    return true;
}

/* A fresh entry and its generation; there is one. */
static struct allocation *take_entry(struct allocation_table *table)
{
    struct allocation *entry = &table->entry[table->free_head];
    uint16_t generation = (entry->generation + 1u) & 0xffffu;
    table->free_head = entry->first_page;
    table->live_count++;
    *entry = (struct allocation){.generation = generation};
    return entry;
}

/* All but the page list. */
static bool check_message(const struct allocation_table *table, const uint32_t message[MESSAGE_WORDS],
                          struct refusal *why)
{
    const uint32_t bytes = message[MSG_CREATE_ALLOCATION_BYTES], flags = message[MSG_CREATE_ALLOCATION_FLAGS];
    const uint32_t alignment = message[MSG_CREATE_ALLOCATION_ALIGNMENT];
    const uint32_t read_set = message[MSG_CREATE_ALLOCATION_READ_SET];
    const uint32_t write_set = message[MSG_CREATE_ALLOCATION_WRITE_SET];

    if (bytes == 0u) return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BYTES);
    if (alignment != 0u && (!is_power_of_two(alignment) || alignment > GPU_LIMIT(ALIGNMENT_BYTES)))
        return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_ALIGNMENT);
    if (message[MSG_CREATE_ALLOCATION_PRIORITY] == 0u)
        return refuse_allocation(why, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_PRIORITY);
    if (!check_flags(flags, why) || !check_sets(table, message, why)) return false;
    if (!check_preferences(message[MSG_CREATE_ALLOCATION_PREFERRED], read_set | write_set, why)) return false;
    const uint32_t pages = pages_of_bytes(bytes);
    return check_size(table, pages, read_set, write_set, why) &&
           ((flags & ALLOCATION_SWIZZLED) == 0u || check_shape(message, pages * (uint32_t)PAGE_BYTES, why));
}

bool allocation_check(const struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t *checked,
                      uint32_t count, struct refusal *why)
{
    if (!check_message(table, message, why)) return false;
    const uint32_t pages = pages_of_bytes(message[MSG_CREATE_ALLOCATION_BYTES]), first = *checked;
    *checked = first + min_u32(count, pages - first);
    return check_page_list(table, message[MSG_CREATE_ALLOCATION_PAGES], first, *checked, MSG_CREATE_ALLOCATION_PAGES,
                           why);
}

/* Is there an entry for one more of the client's? */
static bool check_room(const struct allocation_table *table, uint32_t client, struct refusal *why)
{
    const uint32_t own = table->of_client[client];
    if (table->free_head == NO_ENTRY) return refuse_allocation(why, STATUS_OUT_OF_HANDLES, 0);
    return client_may_take(client, own, table->live_count, table->limit) ||
           refuse_allocation(why, STATUS_TABLE_SHARE, own);
}

bool allocation_make(struct allocation_table *table, const uint32_t message[MESSAGE_WORDS], uint32_t *handle,
                     struct refusal *why)
{
    const uint32_t flags = message[MSG_CREATE_ALLOCATION_FLAGS];
    const uint32_t pages = pages_of_bytes(message[MSG_CREATE_ALLOCATION_BYTES]);
    const uint32_t alignment_pages = max_u32(message[MSG_CREATE_ALLOCATION_ALIGNMENT] / (uint32_t)PAGE_BYTES, 1u);
    if (!check_room(table, message_client(message[0]), why)) return false;

    struct allocation *entry = take_entry(table);
    struct allocation_details *details = allocation_details(table, entry);
    *entry = (struct allocation){
        .flags = narrow_u16(flags | (uint32_t)ALLOCATION_EXISTS),
        .pages = narrow_u16(pages),
        .generation = entry->generation,
        .client = narrow_u8(message_client(message[0])),
        .read_set = narrow_u8(message[MSG_CREATE_ALLOCATION_READ_SET]),
    };
    *details = (struct allocation_details){
        .pages_address = message[MSG_CREATE_ALLOCATION_PAGES],
        .priority = message[MSG_CREATE_ALLOCATION_PRIORITY],
        .pattern = message[MSG_CREATE_ALLOCATION_PATTERN],
        .preferred = message[MSG_CREATE_ALLOCATION_PREFERRED],
        .hinted_banks = message[MSG_CREATE_ALLOCATION_BANKS],
        .eviction_set = narrow_u8(message[MSG_CREATE_ALLOCATION_EVICTION_SET]),
        .write_set = narrow_u8(message[MSG_CREATE_ALLOCATION_WRITE_SET]),
    };
    while ((1u << details->alignment_pages_log2) < alignment_pages) details->alignment_pages_log2++;
    if ((flags & ALLOCATION_SWIZZLED) != 0u) {
        details->pitch_tiles = narrow(message[MSG_CREATE_ALLOCATION_PITCH] / GPU_LIMIT(TILE_ROW_BYTES), 11) & 0x7ffu;
        details->height_tiles = (message[MSG_CREATE_ALLOCATION_HEIGHT] & 0xffffu) / GPU_LIMIT(TILE_ROWS) & 0x1fffu;
        details->levels = narrow(message[MSG_CREATE_ALLOCATION_HEIGHT] >> 16, 5) & 0x1fu;
    }
    table->of_client[entry->client]++;
    *handle = allocation_handle(table, (uint32_t)(entry - table->entry));
    allocation_tell(table, (uint32_t)(entry - table->entry));
    return true;
}

/* ------------------------------------------------------------------ instances */

static uint32_t instance_of(const struct allocation_table *table, uint32_t index)
{
    const struct allocation_details *details = &table->details[index];
    bool is_first = table->groups[details->group - 1u].handle == allocation_handle(table, index);
    return is_first ? 0u : details->instance;
}

/* Its group, or a free one, which the client may have. */
static bool find_group(const struct allocation_table *table, uint32_t index, uint32_t *number, struct refusal *why)
{
    const uint32_t client = table->entry[index].client, known = table->details[index].group;
    uint32_t used = 0, own = 0;
    *number = known - 1u;
    if (known != 0u) return true;
    for (uint32_t i = RENAMING_GROUPS; i-- > 0u;) {
        const struct renaming_group *group = &table->groups[i];
        if (group->members == 0u) *number = i;
        used += group->members != 0u;
        own += group->members != 0u && group->client == client;
    }
    if (used == (uint32_t)RENAMING_GROUPS) return refuse_allocation(why, STATUS_OUT_OF_HANDLES, 0);
    return client_may_take(client, own, used, RENAMING_GROUPS) || refuse_allocation(why, STATUS_TABLE_SHARE, own);
}

__attribute__((cold)) bool allocation_rename(struct allocation_table *table, uint32_t index, uint32_t pages_address,
                                             uint32_t *handle, struct refusal *why)
{
    const uint32_t states = (uint32_t)ALLOCATION_NEWER | (uint32_t)ALLOCATION_LOCKED | (uint32_t)ALLOCATION_LOST |
                            (uint32_t)ALLOCATION_UNDEFINED | (uint32_t)ALLOCATION_SHOWN;
    struct allocation *entry = &table->entry[index];
    struct allocation_details *details = &table->details[index];
    uint32_t number;
    if (!check_page_list(table, pages_address, 0, entry->pages, MSG_LOCK_PAGES, why)) return false;
    if (!find_group(table, index, &number, why)) return false;
    if (!check_room(table, entry->client, why)) return false;

    struct renaming_group *group = &table->groups[number];
    if (group->members == 0u) {
        *group =
            (struct renaming_group){.handle = allocation_handle(table, index), .members = 1, .client = entry->client};
        table->instance_count++;
    }
    details->group = narrow_u8(number + 1u);
    struct allocation *instance = take_entry(table);
    struct allocation_details *instance_details = allocation_details(table, instance);
    uint16_t generation = instance->generation;
    *instance = *entry;
    *instance_details = *details;
    instance_details->pages_address = pages_address;
    allocation_clear(instance, states);
    instance->generation = generation;
    instance_details->instance = ++group->newest;
    instance->first_page = 0;
    instance->segment = 0;
    instance->offer = 0;
    if ((instance->flags & ALLOCATION_SWIZZLED) == 0u) instance_details->traffic = 0;
    group->members++;
    table->instance_count++;
    table->of_client[entry->client]++;
    *handle = allocation_handle(table, (uint32_t)(instance - table->entry));
    allocation_tell(table, (uint32_t)(instance - table->entry));
    return true;
}

bool allocation_name_instances(struct allocation_table *table, const struct job *job, struct refusal *why)
{
    uint32_t count = job->patch_count;
    bool is_ordered = true;
    if (table->instance_count == 0u) return true;
    for (uint32_t i = 0; is_ordered && i < count; i++) {
        uint32_t index = job->patches[i].allocation;
        yield_in_loop(i);
        if (index == (uint32_t)PATCH_NULL || table->details[index].group == 0u) continue;
        struct renaming_group *group = &table->groups[table->details[index].group - 1u];
        uint32_t instance = instance_of(table, index);
        is_ordered = instance >= group->named;
        if (is_ordered) {
            group->named = instance;
            continue;
        }
        refuse_allocation(why, STATUS_OLD_INSTANCE, i);
        count = i; /* what follows has not been looked at */
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = job->patches[i].allocation;
        yield_in_loop(i);
        if (index == (uint32_t)PATCH_NULL || table->details[index].group == 0u) continue;
        struct renaming_group *group = &table->groups[table->details[index].group - 1u];
        if (is_ordered) group->used = group->named;
        else group->named = group->used;
    }
    return is_ordered;
}

uint32_t allocation_driver_handle(const struct allocation_table *table, uint32_t index)
{
    uint32_t group = table->details[index].group;
    return group != 0u ? table->groups[group - 1u].handle : allocation_handle(table, index);
}

__attribute__((cold)) void allocation_begin_destroy(struct allocation_table *table, uint32_t index, uint32_t tag)
{
    struct allocation *entry = &table->entry[index];
    ASSERT((entry->flags & (ALLOCATION_EXISTS | ALLOCATION_PENDING_DESTROY)) == ALLOCATION_EXISTS);
    rights_remove(&table->rights, index);
    allocation_set(entry, ALLOCATION_PENDING_DESTROY);
    table->details[index].destroy_tag = tag;
    table->pending_destroy_count++;
    allocation_tell(table, index);
}

__attribute__((cold)) void allocation_lose(struct allocation_table *table, uint32_t index)
{
    allocation_set(&table->entry[index], ALLOCATION_LOST);
    table->losses++;
    allocation_tell(table, index);
}

void allocation_destroy(struct allocation_table *table, uint32_t index)
{
    ASSERT(index < table->limit);
    struct allocation *entry = &table->entry[index];
    ASSERT((entry->flags & ALLOCATION_EXISTS) != 0u && entry->segment == 0u);
    uint8_t *group = &table->details[index].group;
    if (*group != 0u) {
        table->groups[*group - 1u].members--;
        table->instance_count--;
    }
    *group = 0;
    if ((entry->flags & ALLOCATION_PENDING_DESTROY) != 0u) table->pending_destroy_count--;
    entry->flags = 0;
    entry->first_page = NO_ENTRY;
    if (table->free_head == NO_ENTRY) table->free_head = narrow_u16(index);
    else table->entry[table->free_tail].first_page = narrow_u16(index);
    table->free_tail = narrow_u16(index);
    table->live_count--;
    table->of_client[entry->client]--;
    allocation_tell(table, index);
}

/* ------------------------------------------------------------------ queries */

uint32_t allocation_handle(const struct allocation_table *table, uint32_t index)
{
    ASSERT(index < table->limit);
    return allocation_handle_of(&table->entry[index], index);
}

bool allocation_find_any(const struct allocation_table *table, uint32_t handle, uint32_t *index)
{
    uint32_t candidate = allocation_index(handle);
    if (candidate >= table->limit || (table->entry[candidate].flags & ALLOCATION_EXISTS) == 0u) return false;
    if (allocation_handle(table, candidate) != handle) return false;
    *index = candidate;
    return true;
}

bool allocation_find(const struct allocation_table *table, uint32_t handle, uint32_t *index)
{
    return allocation_find_any(table, handle, index) && (table->entry[*index].flags & ALLOCATION_PENDING_DESTROY) == 0u;
}

bool allocation_find_of(const struct allocation_table *table, uint32_t client, uint32_t handle, uint32_t *index)
{
    return allocation_find(table, handle, index) && table->entry[*index].client == client;
}

uint32_t allocation_bytes(const struct allocation_table *table, uint32_t index)
{
    return (uint32_t)table->entry[index].pages * (uint32_t)PAGE_BYTES;
}

bool allocation_is_locked(const struct allocation_table *table, uint32_t index)
{
    return (table->entry[index].flags & ALLOCATION_LOCKED) != 0u;
}

bool allocation_is_offered(const struct allocation_table *table, uint32_t index)
{
    return table->entry[index].offer != 0u;
}

bool allocation_is_lost(const struct allocation_table *table, uint32_t index)
{
    return (table->entry[index].flags & ALLOCATION_LOST) != 0u;
}

bool allocation_is_soft_pinned(const struct allocation_table *table, uint32_t index)
{
    return table->details[index].priority >= priority_maximum;
}

uint32_t allocation_segments(const struct allocation_table *table, uint32_t index, bool is_written)
{
    return is_written ? table->details[index].write_set : table->entry[index].read_set;
}

/* ------------------------------------------------------------------ the reader of lists */

_Static_assert((int)HANDLE_INDEX_BITS == (int)EXAMINE_ROW_ALLOCATION_WIDTH &&
                   (int)HANDLE_GENERATION_BITS == (int)EXAMINE_ROW_KEY_GENERATION_WIDTH,
               "a handle, as the hardware reads it");
_Static_assert(LIMIT_BITS_GUARD_SPACE_PAGES >> EXAMINE_ROW_PAGES_WIDTH == 0, "the pages of any allocation fit");

void allocation_table_tell(struct allocation_table *table, const uint32_t base_page[SEGMENT_LIMIT])
{
    const uint32_t lists = hal_register_read(EXAMINE_LISTS_OFFSET);
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) table->base_page[i] = base_page[i];
    table->told = 0;
    table->row_count = FIELD_GET(lists, EXAMINE_LISTS_PRESENT) << FIELD_GET(lists, EXAMINE_LISTS_ROWS);
    hal_register_write(EXAMINE_STOP_OFFSET, FIELD_PUT(1, EXAMINE_STOP_FORGET));
    while (FIELD_GET(hal_register_read(EXAMINE_LISTS_OFFSET), EXAMINE_LISTS_BUSY) != 0u) continue; /* a cycle a row */
}

static inline struct allocation_row row_of(const struct allocation_table *table, uint32_t index)
{
    const struct allocation *entry = &table->entry[index];
    const bool is_ready = allocation_is_ready(entry, entry->client, allocation_handle_of(entry, index));
    struct allocation_row row = {
        .key = FIELD_PUT(entry->generation, EXAMINE_ROW_KEY_GENERATION) |
               FIELD_PUT(entry->client, EXAMINE_ROW_KEY_CLIENT) | FIELD_PUT(is_ready, EXAMINE_ROW_KEY_READY),
        .size = FIELD_PUT(index, EXAMINE_ROW_ALLOCATION) | FIELD_PUT(entry->pages, EXAMINE_ROW_PAGES)};
    if (entry->segment != 0u) {
        const uint32_t id = entry->segment - 1u;
        row.place = (table->base_page[id] + entry->first_page) << EXAMINE_ROW_PLACE_PAGE_LSB |
                    FIELD_PUT(allocation_segments(table, index, false) >> id & 1u, EXAMINE_ROW_PLACE_READ) |
                    FIELD_PUT(allocation_segments(table, index, true) >> id & 1u, EXAMINE_ROW_PLACE_WRITE);
    }
    return row;
}

void allocation_tell(struct allocation_table *table, uint32_t index)
{
    if (index >= table->row_count) return;
    const struct allocation_row row = row_of(table, index);
    table->told++;
    hal_register_write(EXAMINE_ROW_KEY_OFFSET, row.key);
    hal_register_write(EXAMINE_ROW_PLACE_OFFSET, row.place);
    hal_register_write(EXAMINE_ROW_OFFSET, row.size);
}

struct allocation_row allocation_row(const struct allocation_table *table, uint32_t index)
{
    return row_of(table, index);
}

/* ------------------------------------------------------------------ for tests */

bool allocation_table_check(const struct allocation_table *table)
{
    uint32_t live = 0, pending = 0, free = 0, members = 0;
    for (uint32_t i = 0; i < table->limit; i++) {
        const struct allocation *entry = &table->entry[i];
        const struct allocation_details *details = &table->details[i];
        if ((entry->flags & ALLOCATION_EXISTS) == 0u) continue;
        live++;
        pending += (entry->flags & ALLOCATION_PENDING_DESTROY) != 0u;
        if (entry->pages == 0u || details->priority == 0u || entry->segment > SEGMENT_LIMIT) return false;
        if ((entry->flags & ALLOCATION_DIRTY) != 0u && !allocation_is_in_memory(table, entry)) return false;
        if ((entry->flags & ALLOCATION_UNSAVED) != 0u && (entry->flags & ALLOCATION_DIRTY) == 0u) return false;
        if ((entry->flags & ALLOCATION_LOCKED) != 0u && (entry->flags & ALLOCATION_PENDING_DESTROY) != 0u) return false;
        if (details->group > (uint32_t)RENAMING_GROUPS) return false;
        members += details->group != 0u;
        if ((entry->flags & ALLOCATION_UNDEFINED) != 0u && entry->segment != 0u) return false;
    }
    for (uint32_t i = table->free_head; i != NO_ENTRY; i = table->entry[i].first_page, free++)
        if (i >= table->limit || free >= table->limit || (table->entry[i].flags & ALLOCATION_EXISTS) != 0u)
            return false;
    for (uint32_t i = 0; i < table->rights.count; i++) {
        const struct allocation *entry = &table->entry[table->rights.index[i]];
        if ((entry->flags & ALLOCATION_EXISTS) == 0u || (entry->flags & ALLOCATION_PENDING_DESTROY) != 0u) return false;
        if (entry->client == table->rights.client[i] % (uint32_t)RIGHT_TO_WRITE) return false;
    }
    if (members != table->instance_count) return false;
    for (uint32_t i = 0; i < RENAMING_GROUPS; i++) {
        const struct renaming_group *group = &table->groups[i];
        if (group->members == 0u) continue;
        if (group->named != group->used || group->used > group->newest || group->members > group->newest + 1u)
            return false;
        members -= group->members;
    }
    if (pending != table->pending_destroy_count) return false;
    return members == 0u && live == table->live_count && live + free == table->limit;
}
