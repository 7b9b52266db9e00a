/* SPDX-License-Identifier: Apache-2.0
 *
 * From a workload to a device that is ready for it.
 *
 * Segments: a single memory segment becomes the device's segment 2, two become 2 (the larger) and 1; the
 * aperture becomes segment 3. HOST.SEGMENT*_LIMIT makes them as small as the workload says; the aperture has
 * no such limit, so a pinned allocation, the *filler*, occupies its far end. The *collector* (replay_stream.h)
 * lives in segment 1, or else pinned at the far end of the aperture.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/replay/replay_internal.h"
#include "lib/tessera_internal.h"

enum {
    COLLECTOR_PAGES = 16,
    SEGMENT_1 = 1,
    SEGMENT_2 = 2,
    APERTURE = 3,
    OWN_BYTES = 8 << 20, /* rings, staging and lists of the library, and a little more */
    OWN_ALLOCATIONS = 2
};
#define MEMORY_BYTES_MAX 0x7fffe000u

bool replay_refuse(struct replay *replay, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (replay->message[0] == 0) vsnprintf(replay->message, PAGESIM_MESSAGE, format, arguments);
    va_end(arguments);
    return false;
}

bool replay_check(struct replay *replay, int status, const char *what)
{
    if (status == TESSERA_OK) return true;
    return replay_refuse(replay, "%.160s: %s: %s", replay->options->file, what, tessera_message(replay->tessera));
}

static uint32_t collector(const struct replay *replay) { return replay->workload->allocation_count; }
static uint32_t filler(const struct replay *replay) { return replay->workload->allocation_count + 1u; }

/* ------------------------------------------------------------------ segments */

struct sizes {
    uint32_t pages[4]; /* by segment id */
};

static bool place_segment(struct replay *replay, uint32_t index, uint32_t id, const struct sizes *sizes)
{
    uint32_t pages = replay->workload->segments[index].pages;
    /* analyse: clang-analyzer-core.UndefinedBinaryOperatorResult: the ids that there are: 1, 2, 3 */
    if (sizes->pages[id] == 0)
        return replay_refuse(replay, "%.160s: segments[%u].size: %u pages, segment %u of this device has 0",
                             replay->options->file, index, pages, id);
    if (pages > sizes->pages[id])
        return replay_refuse(replay,
                             "%.160s: segments[%u].size: %u pages, segment %u of this device has %u: use --scale %u "
                             "or more",
                             replay->options->file, index, pages, id, sizes->pages[id],
                             (pages + sizes->pages[id] - 1u) / sizes->pages[id] * replay->result->scale);
    replay->segment_ids[index] = id;
    if (id != APERTURE) replay->segment_limits[id - 1u] = pages;
    return true;
}

static bool place_segments(struct replay *replay, const struct sizes *sizes)
{
    const struct pagesim *workload = replay->workload;
    uint32_t memory[PAGESIM_SEGMENTS], memory_count = 0, aperture_count = 0, aperture_pages = 0;
    for (uint32_t i = 0; i < workload->segment_count; i++) {
        if (!workload->segments[i].is_aperture) {
            memory[memory_count++] = i;
            continue;
        }
        if (++aperture_count > 1)
            return replay_refuse(replay, "%.160s: segments[%u]: the device has one aperture. Remove this segment",
                                 replay->options->file, i);
        aperture_pages = workload->segments[i].pages;
        if (!place_segment(replay, i, APERTURE, sizes)) return false;
    }
    if (memory_count > 2)
        return replay_refuse(replay, "%.160s: segments[%u]: the device has two memory segments. Remove this one",
                             replay->options->file, memory[2]);
    if (memory_count == 2) {
        bool is_second_larger = workload->segments[memory[1]].pages > workload->segments[memory[0]].pages;
        if (!place_segment(replay, memory[is_second_larger ? 0 : 1], SEGMENT_1, sizes)) return false;
        memory[0] = memory[is_second_larger ? 1 : 0];
    }
    if (memory_count > 0 && !place_segment(replay, memory[0], SEGMENT_2, sizes)) return false;
    if (memory_count < 2) replay->collector_segment = SEGMENT_1;
    else if (sizes->pages[APERTURE] - aperture_pages >= COLLECTOR_PAGES) replay->collector_segment = APERTURE;
    if (workload->slots == PAGESIM_SLOTS) replay->collector_segment = 0; /* no slot is left */
    if (aperture_count > 0)
        replay->filler_pages =
            sizes->pages[APERTURE] - aperture_pages - (replay->collector_segment == APERTURE ? COLLECTOR_PAGES : 0u);
    return true;
}

/* ------------------------------------------------------------------ memory */

/* Granules of the library's page lists, one list per allocation. */
static uint32_t list_granules(uint32_t pages) { return (pages * 4u + LISTS_GRANULE - 1u) / LISTS_GRANULE; }

/* What exists at a time, at most. */
struct demand {
    uint64_t pages, lists;
    uint32_t count;
};

static void add_demand(struct demand *demand, uint32_t pages)
{
    demand->pages += pages;
    demand->lists += list_granules(pages);
    demand->count++;
}

/* Temporaries exist from the buffer of their first use to that of their last, and for `lag` buffers more. */
static struct demand demand_at(const struct pagesim *workload, uint32_t b, uint32_t lag)
{
    struct demand demand = {0, list_granules(COLLECTOR_PAGES) + list_granules(LIMIT_BITS_GUARD_SPACE_PAGES),
                            OWN_ALLOCATIONS};
    for (uint32_t i = 0; i < workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &workload->allocations[i];
        bool is_there = !allocation->is_temporary;
        if (allocation->is_temporary && allocation->first_step != PAGESIM_NEVER)
            is_there = workload->steps[allocation->first_step].buffer <= b &&
                       workload->steps[allocation->last_step].buffer + lag >= b;
        if (is_there) add_demand(&demand, allocation->pages);
    }
    return demand;
}

static struct demand most_demand(const struct pagesim *workload, uint32_t lag)
{
    struct demand most = demand_at(workload, 0, lag);
    for (uint32_t b = 1; b < workload->buffer_count; b++) {
        const struct demand demand = demand_at(workload, b, lag);
        most.pages = demand.pages > most.pages ? demand.pages : most.pages;
        most.lists = demand.lists > most.lists ? demand.lists : most.lists;
        most.count = demand.count > most.count ? demand.count : most.count;
    }
    return most;
}

static uint64_t demand_bytes(const struct demand *demand)
{
    return (demand->pages + COLLECTOR_PAGES + LIMIT_BITS_GUARD_SPACE_PAGES) * PAGESIM_PAGE_BYTES + OWN_BYTES;
}

static bool is_met(const struct demand *demand)
{
    return demand->count <= LIMIT_BITS_ALLOCATIONS && demand->lists <= LISTS_GRANULES &&
           demand_bytes(demand) <= MEMORY_BYTES_MAX;
}

/* Bytes of system memory to open the device with. What died before may linger as long as buffers run ahead, if there is
 * room for that. */
static bool count_demand(struct replay *replay, uint64_t *bytes)
{
    const char *file = replay->options->file;
    struct demand most = most_demand(replay->workload, replay->lag);
    if (!is_met(&most)) {
        replay->lag = 0;
        most = most_demand(replay->workload, 0);
    }
    *bytes = demand_bytes(&most);
    if (most.count > LIMIT_BITS_ALLOCATIONS)
        return replay_refuse(replay, "%.160s: allocs: %u exist at the same time, the device holds %d. Free some first",
                             file, most.count, LIMIT_BITS_ALLOCATIONS);
    if (most.lists > LISTS_GRANULES)
        return replay_refuse(replay,
                             "%.160s: allocs: %llu pages exist at the same time, the host library has page lists for "
                             "about %d: use --scale %llu or more",
                             file, (unsigned long long)most.pages, LISTS_GRANULES * LISTS_GRANULE / 4,
                             (unsigned long long)(most.lists / LISTS_GRANULES + 1u) * replay->result->scale);
    if (*bytes > MEMORY_BYTES_MAX)
        return replay_refuse(replay,
                             "%.160s: allocs: %llu MB of system memory are needed, the device addresses 2 GB: use "
                             "--scale",
                             file, (unsigned long long)(*bytes >> 20));
    return true;
}

static bool open_device(struct replay *replay)
{
    const struct replay_options *options = replay->options;
    struct probe probe;
    uint64_t bytes = 0;
    char message[256] = "";
    if (!count_demand(replay, &bytes)) return false;
    track_probe(replay->track, &probe);
    const struct replay_machine_options machine = {.memory_bytes = (uint32_t)bytes,
                                                   .latency = options->latency,
                                                   .stall_percent = options->stall_percent,
                                                   .seed = options->seed,
                                                   .split_pages = options->split_pages,
                                                   .max_cycles = options->max_cycles,
                                                   .firmware = options->firmware,
                                                   .probe = &probe};
    if (options->open(&replay->transport, &machine, message) != 0)
        return replay_refuse(replay, "the device cannot be opened: %s", message);
    replay->is_transport_open = true;
    return true;
}

static bool read_sizes(struct replay *replay, struct sizes *sizes)
{
    struct transport *transport = &replay->transport;
    uint32_t bytes1 = 0, bytes2 = 0, aperture = 0;
    if (transport->register_read(transport->context, MEMORY_SEGMENT1_BYTES_OFFSET, &bytes1) != TRANSPORT_OK ||
        transport->register_read(transport->context, MEMORY_SEGMENT2_BYTES_OFFSET, &bytes2) != TRANSPORT_OK ||
        transport->register_read(transport->context, APERTURE_PAGES_OFFSET, &aperture) != TRANSPORT_OK)
        return replay_refuse(replay, "the device does not answer: %s", transport->error);
    *sizes = (struct sizes){{0, bytes1 / PAGESIM_PAGE_BYTES, bytes2 / PAGESIM_PAGE_BYTES, aperture}};
    for (uint32_t id = 1; id <= LIMIT_BITS_SEGMENT_COUNT; id++)
        if (sizes->pages[id] > LIMIT_BITS_GUARD_SPACE_PAGES) sizes->pages[id] = LIMIT_BITS_GUARD_SPACE_PAGES;
    return true;
}

static bool open_library(struct replay *replay)
{
    char message[256] = "";
    const struct tessera_options options = {.firmware = replay->options->firmware,
                                            .segment1_pages = replay->segment_limits[0],
                                            .segment2_pages = replay->segment_limits[1],
                                            .force = replay->options->force,
                                            .allocations = replay->options->limits.allocations,
                                            .contexts = replay->options->limits.contexts,
                                            .seed = replay->options->seed,
                                            .patience_cycles = UINT64_MAX};
    if (tessera_open(&replay->tessera, &replay->transport, &options, message) != TESSERA_OK)
        return replay_refuse(replay, "the device does not start: %s", message);
    return replay_check(replay, tessera_context_create(replay->tessera, 0, 0, &replay->context), "creating a context");
}

/* ------------------------------------------------------------------ allocations */

/* Create the surface, tell tracker and oracle. */
static bool create_surface(struct replay *replay, uint32_t surface, const struct tessera_allocation_options *options)
{
    uint32_t pages = options->bytes / PAGESIM_PAGE_BYTES;
    bool is_undefined = (options->flags & ALLOCATION_UNDEFINED) != 0;
    int status = tessera_allocation_create(replay->tessera, options, &replay->allocations[surface]);
    if (!replay_check(replay, status, "creating an allocation")) return false;
    if (!oracle_surface(replay->oracle, surface, pages, is_undefined) ||
        !track_own(replay->track, surface, replay->allocations[surface]->pages, pages, options->pattern))
        return replay_refuse(replay, "out of memory");
    for (uint32_t page = 0; page < pages && !is_undefined && status == TESSERA_OK; page++) {
        uint8_t bytes[ORACLE_PAGE_BYTES];
        oracle_page(replay->oracle, surface, page, bytes);
        status = tessera_write(replay->tessera, replay->allocations[surface], page * PAGESIM_PAGE_BYTES, bytes,
                               sizeof bytes);
    }
    return replay_check(replay, status, "writing an allocation");
}

bool replay_create(struct replay *replay, uint32_t surface)
{
    const struct pagesim_allocation *allocation = &replay->workload->allocations[surface];
    uint32_t set = 1u << (replay->segment_ids[allocation->segment] - 1u);
    /* The aperture shows system memory, so nothing there is without content: no fill, but noise from us. */
    bool is_undefined = allocation->init == PAGESIM_UNDEFINED && replay->segment_ids[allocation->segment] != APERTURE;
    const struct tessera_allocation_options options = {
        .bytes = allocation->pages * (uint32_t)PAGESIM_PAGE_BYTES,
        .alignment = allocation->alignment_pages * (uint32_t)PAGESIM_PAGE_BYTES,
        .flags = ALLOCATION_CPU_VISIBLE | (is_undefined ? ALLOCATION_UNDEFINED : 0u),
        .read_set = set,
        .write_set = set,
        .preferred = tessera_prefer(replay->segment_ids[allocation->segment], 0, 0),
        .pattern = oracle_pattern(replay->oracle, surface)};
    return create_surface(replay, surface, &options);
}

/* Wait for the oldest of those that go. */
static bool finish_departure(struct replay *replay)
{
    const struct departure departure = replay->departures[0];
    replay->departure_count--;
    memmove(replay->departures, replay->departures + 1, replay->departure_count * sizeof *replay->departures);
    int status = tessera_wait(replay->tessera, departure.ticket, NULL);
    track_disown(replay->track, departure.surface);
    oracle_release(replay->oracle, departure.surface);
    return replay_check(replay, status, "destroying an allocation");
}

bool replay_depart(struct replay *replay, uint32_t surface, uint32_t buffer)
{
    if (replay->departure_count == REPLAY_DEPARTURES && !finish_departure(replay)) return false;
    struct departure *departure = &replay->departures[replay->departure_count];
    *departure = (struct departure){.surface = surface, .buffer = buffer};
    int status = tessera_allocation_destroy_begin(replay->tessera, replay->allocations[surface], &departure->ticket);
    replay->departure_count += status == TESSERA_OK;
    replay->allocations[surface] = NULL;
    return replay_check(replay, status, "destroying an allocation");
}

bool replay_settle(struct replay *replay, uint32_t buffer)
{
    while (replay->departure_count > 0 &&
           (replay->departures[0].buffer < buffer || tessera_is_done(replay->tessera, replay->departures[0].ticket)))
        if (!finish_departure(replay)) return false;
    return true;
}

static bool create_own(struct replay *replay)
{
    uint32_t set = replay->collector_segment != 0 ? 1u << (replay->collector_segment - 1u) : 0;
    uint32_t apart = replay->collector_segment == APERTURE ? ALLOCATION_PINNED | ALLOCATION_FROM_END : 0u;
    const struct tessera_allocation_options collector_options = {.bytes = COLLECTOR_PAGES * PAGESIM_PAGE_BYTES,
                                                                 .flags = ALLOCATION_CPU_VISIBLE | apart,
                                                                 .read_set = set,
                                                                 .write_set = set,
                                                                 .pattern =
                                                                     oracle_pattern(replay->oracle, collector(replay))};
    const struct tessera_allocation_options filler_options = {
        .bytes = replay->filler_pages * (uint32_t)PAGESIM_PAGE_BYTES,
        .flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_PINNED | ALLOCATION_FROM_END,
        .read_set = 1u << (APERTURE - 1),
        .write_set = 1u << (APERTURE - 1),
        .pattern = oracle_pattern(replay->oracle, filler(replay))};
    if (replay->collector_segment != 0 && !create_surface(replay, collector(replay), &collector_options)) return false;
    return replay->filler_pages == 0 || create_surface(replay, filler(replay), &filler_options);
}

/* ------------------------------------------------------------------ what is resident at the start */

/* Bring surfaces in by a buffer that binds up to a table full of them, and does nothing with them. */
static bool bring_in(struct replay *replay, const uint32_t *surfaces, uint32_t count)
{
    tessera_ticket ticket;
    int status = TESSERA_OK;
    tessera_stream_clear(replay->stream);
    for (uint32_t i = 0; i < count && status == TESSERA_OK; i++) {
        const uint32_t words[PKT_BIND_WORDS] = {PKT_BIND | FIELD_PUT(i, PKT_BIND_SLOT), 0, 0, 0};
        uint32_t entry[LIMIT_BITS_PATCH_ENTRY_WORDS] = {0};
        entry[PATCH_SLOT_ID] = i;
        entry[PATCH_PATCH_OFFSET] = tessera_stream_bytes(replay->stream) + 4u * PKT_BIND_ADDRESS_WORD;
        status = tessera_stream_list(replay->stream, replay->allocations[surfaces[i]], false,
                                     &entry[PATCH_ALLOCATION_INDEX]);
        if (status == TESSERA_OK) status = tessera_stream_patch(replay->stream, entry);
        if (status == TESSERA_OK) status = tessera_stream_raw(replay->stream, words, PKT_BIND_WORDS);
    }
    if (status == TESSERA_OK) status = tessera_submit(replay->tessera, replay->context, replay->stream, 0, &ticket);
    if (status == TESSERA_OK) status = tessera_wait(replay->tessera, ticket, NULL);
    return replay_check(replay, status, "bringing in what is resident at the start");
}

static bool bring_in_residents(struct replay *replay)
{
    uint32_t surfaces[PAGESIM_SLOTS], count = 0;
    if (replay->filler_pages != 0) surfaces[count++] = filler(replay);
    if (replay->collector_segment != 0) surfaces[count++] = collector(replay);
    for (uint32_t i = 0; i < replay->workload->allocation_count; i++) {
        if (replay->workload->allocations[i].init != PAGESIM_RESIDENT || replay->allocations[i] == NULL) continue;
        surfaces[count++] = i;
        if (count == PAGESIM_SLOTS) {
            if (!bring_in(replay, surfaces, count)) return false;
            count = 0;
        }
    }
    return count == 0 || bring_in(replay, surfaces, count);
}

bool replay_open(struct replay *replay)
{
    struct sizes sizes;
    if (!open_device(replay) || !read_sizes(replay, &sizes) || !place_segments(replay, &sizes) ||
        !open_library(replay) || !create_own(replay))
        return false;
    for (uint32_t i = 0; i < replay->workload->allocation_count; i++) {
        const struct pagesim_allocation *allocation = &replay->workload->allocations[i];
        /* A temporary that is resident from the start exists from the start. */
        bool is_now = !allocation->is_temporary || allocation->init == PAGESIM_RESIDENT;
        if (is_now && !replay_create(replay, i)) return false;
    }
    replay->setup = (struct stream_setup){
        .workload = replay->workload,
        .allocations = replay->allocations,
        .collector_pages = COLLECTOR_PAGES,
        .collector_slot = replay->collector_segment != 0 ? (int)replay->workload->slots : STREAM_NO_COLLECTOR,
        .work = replay->result->work,
        .seed = replay->options->seed};
    return bring_in_residents(replay);
}

/* ------------------------------------------------------------------ the end */

static bool compare_surface(struct replay *replay, uint32_t surface)
{
    struct tessera_allocation *allocation = replay->allocations[surface];
    uint32_t bytes = tessera_allocation_bytes(allocation);
    uint8_t *data = malloc(bytes);
    if (data == NULL) return replay_refuse(replay, "out of memory");
    bool is_good =
        replay_check(replay, tessera_read(replay->tessera, allocation, 0, data, bytes), "reading an allocation back");
    for (uint32_t page = 0; is_good && page < bytes / PAGESIM_PAGE_BYTES; page++) {
        uint8_t wanted[ORACLE_PAGE_BYTES];
        const uint8_t *found = data + (size_t)page * PAGESIM_PAGE_BYTES;
        uint32_t at = 0;
        oracle_page(replay->oracle, surface, page, wanted);
        replay->result->checked_pages++;
        if (memcmp(found, wanted, sizeof wanted) == 0) continue;
        while (found[at] == wanted[at]) at++;
        is_good = replay_refuse(
            replay, "%.160s: allocation %u%s: byte %u of page %u is 0x%02x, and not 0x%02x" REPLAY_BUG,
            replay->options->file, surface, surface == collector(replay) ? " (made by replay itself)" : "", at, page,
            found[at], wanted[at]);
    }
    free(data);
    return is_good;
}

bool replay_compare(struct replay *replay)
{
    for (uint32_t i = 0; i <= replay->workload->allocation_count; i++) {
        bool is_defined = replay->allocations[i] != NULL &&
                          (i == collector(replay) || replay->workload->allocations[i].init != PAGESIM_UNDEFINED ||
                           oracle_is_drawn(replay->oracle, i));
        if (is_defined && !compare_surface(replay, i)) return false;
    }
    return true;
}

void replay_close(struct replay *replay)
{
    if (replay->tessera != NULL) tessera_close(replay->tessera); /* with all allocations */
    else if (replay->is_transport_open) replay->transport.close(replay->transport.context);
    free(replay->allocations);
    tessera_stream_destroy(replay->stream);
    track_destroy(replay->track);
    oracle_destroy(replay->oracle);
    pagesim_free(replay->workload);
}
