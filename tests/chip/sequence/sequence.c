/* SPDX-License-Identifier: Apache-2.0
 *
 * See sequence.h. The host's messages are taken in order, so the oracle moves with what the program asks, not
 * with when the device does it. Segments are nearly full: a dozen and a half allocations share a few pages.
 */
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tessera_internal.h"

enum { MEMORY_BYTES = 6 << 20, UNTOUCHED = 0x5c };

uint32_t sequence_random(struct sequence *sequence)
{
    sequence->random ^= sequence->random << 13;
    sequence->random ^= sequence->random >> 17;
    sequence->random ^= sequence->random << 5;
    return sequence->random;
}

uint32_t sequence_pick(struct sequence *sequence, uint32_t limit) { return (sequence_random(sequence) >> 3) % limit; }

static bool chance(struct sequence *sequence, uint32_t of) { return sequence_pick(sequence, of) == 0; }

bool sequence_complain(const struct sequence *sequence, const char *what, int status)
{
    printf("seed %u step %u: %s: %s %s\n", sequence->plan.seed, sequence->step, what, tessera_status_name(status),
           sequence->tessera != NULL ? tessera_message(sequence->tessera) : "");
    return false;
}

static bool is_ok(const struct sequence *sequence, int status, const char *what)
{
    return status == TESSERA_OK || sequence_complain(sequence, what, status);
}

/* Every third sequence boots on the cut description, with what else BOOT_OPTIONS offers: the first memory and the
 * aperture are two segments each, and ids and sets are others. */
bool sequence_is_cut(const struct sequence *sequence) { return sequence->plan.seed % 3u == 0; }

static uint32_t boot_options(const struct sequence *sequence)
{
    if (!sequence_is_cut(sequence)) return 0;
    uint32_t kind = sequence->plan.seed / 3u;
    return FIELD_PUT(DESCRIPTION_CUT, HOST_BOOT_OPTIONS_DESCRIPTION) |
           FIELD_PUT(kind & 1u, HOST_BOOT_OPTIONS_PLAIN_QUERY) |
           FIELD_PUT(kind / 2u % 3u, HOST_BOOT_OPTIONS_TRANSFER_PAGES) |
           FIELD_PUT(kind % 4u == 0 ? 8 : 0, HOST_BOOT_OPTIONS_PAGING_WORDS);
}

/* A set of memory 1, memory 2 and aperture as the description in use has it. */
static uint32_t as_described(const struct sequence *sequence, uint32_t set)
{
    enum { FIRST_MEMORY = 1 | 4, SECOND_MEMORY = 8, APERTURES = 2 | 16 };
    if (!sequence_is_cut(sequence)) return set;
    return ((set & 1u) != 0 ? (uint32_t)FIRST_MEMORY : 0u) | ((set & 2u) != 0 ? (uint32_t)SECOND_MEMORY : 0u) |
           ((set & 4u) != 0 ? (uint32_t)APERTURES : 0u);
}

/* ------------------------------------------------------------------ allocations */

static uint32_t context_of(const struct sequence *sequence, const struct tracked *tracked)
{
    return (uint32_t)(tracked - sequence->tracked) / SEQUENCE_PER_CONTEXT;
}

static bool is_shared(const struct sequence *sequence, const struct tracked *tracked)
{
    return context_of(sequence, tracked) >= SEQUENCE_CONTEXTS;
}

static bool write_image(struct sequence *sequence, struct tracked *tracked)
{
    return is_ok(sequence, tessera_write(sequence->tessera, tracked->allocation, 0, tracked->image, tracked->bytes),
                 "write of an allocation");
}

static void random_image(struct sequence *sequence, struct tracked *tracked)
{
    for (uint32_t i = 0; i < tracked->bytes; i++) tracked->image[i] = (uint8_t)(sequence_random(sequence) >> 9);
}

/* No content yet: the first page-in is a Fill. The pages get the same behind the device's back, for a first use
 * that is no page-in. */
static bool write_pattern(struct sequence *sequence, struct tracked *tracked, uint32_t pattern)
{
    bool is_right = true;
    for (uint32_t i = 0; i < tracked->bytes; i += 4) memcpy(tracked->image + i, &pattern, 4);
    for (uint32_t i = 0; i < tracked->bytes / SEQUENCE_PAGE && is_right; i++)
        is_right = is_ok(
            sequence,
            link_write(sequence->tessera, tracked->allocation->pages[i] * SEQUENCE_PAGE, tracked->image, SEQUENCE_PAGE),
            "write of a page");
    return is_right;
}

bool sequence_create(struct sequence *sequence, struct tracked *tracked)
{
    static const uint32_t sets[] = {1, 2, 3, 3, 3, 7, 7, 4, 6};
    struct tessera_allocation_options options = {.flags = ALLOCATION_CPU_VISIBLE};
    bool is_local = sequence->plan.only_jobs;
    tracked->set = is_local ? 1 + sequence_pick(sequence, 3) : sets[sequence_pick(sequence, 9)];
    is_local = (tracked->set & 4u) == 0;
    tracked->bytes = (1 + sequence_pick(sequence, sequence->plan.only_jobs ? 2 : SEQUENCE_PAGES_MAX)) * SEQUENCE_PAGE;
    tracked->is_swizzled = is_local && chance(sequence, 5);
    tracked->is_offered = false;
    options.bytes = tracked->bytes;
    options.read_set = options.write_set = as_described(sequence, tracked->set);
    options.priority = chance(sequence, 3) ? 0xC8000000u : 0x70000000u + sequence_pick(sequence, 1u << 20);
    options.pattern = 0x9b000000u + sequence_pick(sequence, 1u << 16);
    if (chance(sequence, 4)) options.flags |= ALLOCATION_FROM_END;
    if (chance(sequence, 5)) options.flags |= ALLOCATION_CACHED;
    if (chance(sequence, 5)) options.flags |= ALLOCATION_PERMANENT_SYSMEM;
    if (chance(sequence, 6)) options.flags |= ALLOCATION_SYNCHRONOUS_PAGING;
    if (chance(sequence, 4) && is_local && !tracked->is_swizzled) options.eviction_set = as_described(sequence, 4);
    bool is_undefined = chance(sequence, 6) && is_local && !tracked->is_swizzled;
    if (is_undefined) options.flags |= ALLOCATION_UNDEFINED;
    if (tracked->is_swizzled) {
        options.flags |= ALLOCATION_SWIZZLED;
        options.pitch = SEQUENCE_PITCH;
        options.height = tracked->bytes / SEQUENCE_PITCH;
        options.levels = 1;
    }
    int status = tessera_allocation_create(sequence->tessera, &options, &tracked->allocation);
    if (!is_ok(sequence, status, "create")) return false;
    random_image(sequence, tracked);
    if (sequence->tessera->pool_count < sequence->untouched_pages)
        sequence->untouched_pages = sequence->tessera->pool_count;
    return is_undefined ? write_pattern(sequence, tracked, options.pattern) : write_image(sequence, tracked);
}

bool sequence_destroy(struct sequence *sequence, struct tracked *tracked)
{
    int status = tessera_allocation_destroy(sequence->tessera, tracked->allocation);
    return is_ok(sequence, status, "destroy");
}

/* ------------------------------------------------------------------ jobs */

static bool receive(struct sequence *sequence)
{
    struct tessera_completion completion;
    struct flight flight = sequence->flight[0];
    memmove(sequence->flight, sequence->flight + 1, --sequence->flights * sizeof flight);
    int status = tessera_wait(sequence->tessera, flight.ticket, &completion);
    sequence->counts->jobs++;
    if (status == STATUS_NO_PLACEMENT && !sequence->plan.is_unsplit) {
        sequence->is_unknown[flight.context] = true;
        sequence->counts->unplaced++;
    } else if (!is_ok(sequence, status, "a job")) {
        return false;
    }
    sequence->counts->portions += completion.words[REPLY_SUBMIT_PORTIONS - 4];
    sequence->counts->evictions += completion.words[REPLY_SUBMIT_EVICTIONS - 4];
    if (sequence->plan.is_unsplit && completion.words[REPLY_SUBMIT_PORTIONS - 4] != 1)
        return sequence_complain(sequence, "a job is split though all of it fits", 0);
    return true;
}

static bool drain(struct sequence *sequence)
{
    bool is_right = true;
    while (is_right && sequence->flights > 0) is_right = receive(sequence);
    return is_right;
}

bool sequence_submit(struct sequence *sequence, uint32_t context)
{
    tessera_stream_clear(sequence->stream);
    sequence_build_job(sequence, context);
    if (tessera_stream_bytes(sequence->stream) == 0) return true;
    struct flight *flight = &sequence->flight[sequence->flights++];
    flight->context = context;
    return is_ok(sequence,
                 tessera_submit(sequence->tessera, sequence->context[context], sequence->stream, 0, &flight->ticket),
                 "submit");
}

/* ------------------------------------------------------------------ what the host sees */

static void digest(struct sequence *sequence, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) sequence->digest = (sequence->digest ^ bytes[i]) * 16777619u;
}

/* All bytes as the oracle says. Everything in flight was waited for. */
bool sequence_compare(struct sequence *sequence, struct tracked *tracked)
{
    uint8_t bytes[SEQUENCE_BYTES_MAX];
    int status = tessera_read(sequence->tessera, tracked->allocation, 0, bytes, tracked->bytes);
    if (!is_ok(sequence, status, "read")) return false;
    if (!is_shared(sequence, tracked) && sequence->is_unknown[context_of(sequence, tracked)])
        memcpy(tracked->image, bytes, tracked->bytes);
    digest(sequence, bytes, tracked->bytes);
    sequence->counts->compared += tracked->bytes;
    for (uint32_t i = 0; i < tracked->bytes; i++)
        if (bytes[i] != tracked->image[i]) {
            printf("allocation %u, set %u, %u bytes: byte %u is %02x, not %02x\n",
                   (unsigned)(tracked - sequence->tracked), tracked->set, tracked->bytes, i, bytes[i],
                   tracked->image[i]);
            return sequence_complain(sequence, "content", 0);
        }
    return true;
}

static bool compare_all(struct sequence *sequence)
{
    for (uint32_t i = 0; i < SEQUENCE_ALLOCATIONS; i++)
        if (!sequence->tracked[i].is_offered && !sequence_compare(sequence, &sequence->tracked[i])) return false;
    memset(sequence->is_unknown, 0, sizeof sequence->is_unknown);
    return true;
}

/* Lock, compare or overwrite, change a few bytes, unlock. */
static bool visit(struct sequence *sequence, struct tracked *tracked)
{
    static const uint32_t kinds[] = {0, 0, LOCK_READ_ONLY, LOCK_WRITE_ONLY, LOCK_DISCARD};
    uint32_t flags = kinds[sequence_pick(sequence, 5)];
    if (!is_ok(sequence, tessera_lock(sequence->tessera, tracked->allocation, flags), "lock")) return false;
    if (tessera_lock(sequence->tessera, tracked->allocation, 0) != STATUS_LOCKED)
        return sequence_complain(sequence, "a second lock", 0);
    bool is_right = true;
    if (flags == LOCK_DISCARD) {
        random_image(sequence, tracked);
        is_right = write_image(sequence, tracked);
    } else {
        is_right = sequence_compare(sequence, tracked);
        if (flags != LOCK_READ_ONLY) {
            uint32_t at = sequence_pick(sequence, tracked->bytes - 8);
            for (uint32_t i = 0; i < 8; i++) tracked->image[at + i] = (uint8_t)sequence_random(sequence);
            int status = tessera_write(sequence->tessera, tracked->allocation, at, tracked->image + at, 8);
            is_right = is_right && is_ok(sequence, status, "write under a lock");
        }
    }
    return is_ok(sequence, tessera_unlock(sequence->tessera, tracked->allocation), "unlock") && is_right;
}

/* ------------------------------------------------------------------ the other operations */

static bool offer(struct sequence *sequence, struct tracked *tracked)
{
    int status = tessera_offer(sequence->tessera, tracked->allocation, 1 + sequence_pick(sequence, 3));
    tracked->is_offered = true;
    if (!is_ok(sequence, status, "offer")) return false;
    if (tessera_lock(sequence->tessera, tracked->allocation, 0) == STATUS_OFFERED) return true;
    return sequence_complain(sequence, "lock of an offered allocation", 0);
}

/* Content that is gone is written again; content that is said to be there must be. */
static bool reclaim(struct sequence *sequence, struct tracked *tracked)
{
    bool is_discarded = false;
    int status = tessera_reclaim(sequence->tessera, tracked->allocation, &is_discarded);
    if (!is_ok(sequence, status, "reclaim")) return false;
    tracked->is_offered = false;
    if (!is_discarded) return sequence_compare(sequence, tracked);
    sequence->counts->discarded++;
    random_image(sequence, tracked);
    return write_image(sequence, tracked);
}

static bool force(struct sequence *sequence)
{
    static const uint32_t bits[] = {HOST_FORCE_SPLIT_LSB, HOST_FORCE_EVICT_LSB, HOST_FORCE_ALWAYS_REPATCH_LSB,
                                    HOST_FORCE_NO_PREPATCH_LSB, HOST_FORCE_CLOBBER_LSB};
    sequence->force ^= 1u << bits[sequence_pick(sequence, sizeof bits / sizeof bits[0])];
    return is_ok(sequence, tessera_register_write(sequence->tessera, HOST_FORCE_OFFSET, sequence->force), "force");
}

static bool operate_host(struct sequence *sequence)
{
    struct tracked *tracked = &sequence->tracked[sequence_pick(sequence, SEQUENCE_ALLOCATIONS)];
    uint32_t at = sequence_pick(sequence, tracked->bytes), bytes = 1 + sequence_pick(sequence, tracked->bytes - at);
    if (!drain(sequence)) return false;
    if (tracked->is_offered) return reclaim(sequence, tracked);
    if (!is_shared(sequence, tracked) && sequence->is_unknown[context_of(sequence, tracked)])
        return compare_all(sequence);
    switch (sequence_pick(sequence, 8)) {
    case 0: return visit(sequence, tracked);
    case 1:
        for (uint32_t i = at; i < at + bytes; i++) tracked->image[i] = (uint8_t)sequence_random(sequence);
        return is_ok(sequence, tessera_write(sequence->tessera, tracked->allocation, at, tracked->image + at, bytes),
                     "write");
    case 2: return sequence_compare(sequence, tracked);
    case 3: return sequence_destroy(sequence, tracked) && sequence_create(sequence, tracked);
    case 4: return offer(sequence, tracked);
    case 5:
        return is_ok(sequence, tessera_evict(sequence->tessera, chance(sequence, 2) ? NULL : tracked->allocation),
                     "evict");
    case 6:
        return is_ok(sequence,
                     tessera_set_priority(sequence->tessera, tracked->allocation, 1 + sequence_pick(sequence, 0xffff)),
                     "set priority");
    default: return force(sequence);
    }
}

static bool submit(struct sequence *sequence)
{
    uint32_t context = sequence_pick(sequence, SEQUENCE_CONTEXTS);
    if (sequence->flights == SEQUENCE_IN_FLIGHT && !receive(sequence)) return false;
    return sequence_submit(sequence, context);
}

static bool operate(struct sequence *sequence)
{
    bool is_job = sequence_pick(sequence, 5) != 0;
    if (sequence->plan.only_jobs && !is_job) return drain(sequence) && compare_all(sequence);
    return is_job ? submit(sequence) : operate_host(sequence);
}

/* ------------------------------------------------------------------ from boot to the end */

static bool boot(struct sequence *sequence)
{
    const struct sequence_plan *plan = &sequence->plan;
    const struct machine_options machine = {.memory_bytes = MEMORY_BYTES,
                                            .seed = sequence_pick(sequence, 4) == 0 ? 0 : plan->seed,
                                            .stall_percent = plan->stall_percent,
                                            .latency = plan->latency,
                                            .probe = plan->probe};
    char message[256];
    uint8_t page[SEQUENCE_PAGE];
    if (!machine_open(&sequence->machine, &machine, message)) return sequence_complain(sequence, message, 0);
    struct transport *transport = &sequence->machine.transport;
    transport->register_write(transport->context, HOST_RECOVERY_LIMIT_OFFSET, plan->recovery_limit);
    transport->register_write(transport->context, HOST_RECOVERY_WINDOW_OFFSET, plan->recovery_window);
    memset(page, UNTOUCHED, sizeof page);
    for (uint32_t at = POOL_ADDRESS; at < MEMORY_BYTES; at += SEQUENCE_PAGE)
        transport->memory_write(transport->context, at, page, sizeof page);
    /* Either half of a cut memory holds any allocation. */
    const uint32_t low1 = sequence_is_cut(sequence) ? 2u * SEQUENCE_PAGES_MAX : 4u, low2 = 4 + plan->more_pages;
    const struct tessera_options options = {.firmware = machine_firmware(),
                                            .segment1_pages = plan->is_unsplit ? 0 : low1 + sequence_pick(sequence, 5),
                                            .segment2_pages = plan->is_unsplit ? 0 : low2 + sequence_pick(sequence, 8),
                                            .seed = plan->seed,
                                            .timeout_cycles = plan->timeout_cycles,
                                            .boot_options = boot_options(sequence),
                                            .commit_limit = sequence_is_cut(sequence) && plan->seed % 2u == 0 ? 5 : 0,
                                            .patience_cycles = plan->patience_cycles};
    if (tessera_open(&sequence->tessera, transport, &options, message) != TESSERA_OK) {
        transport->close(transport->context);
        return sequence_complain(sequence, message, 0);
    }
    sequence->untouched_pages = sequence->tessera->pool_count;
    return true;
}

static bool populate(struct sequence *sequence)
{
    bool is_right = true;
    for (uint32_t i = 0; i < SEQUENCE_CONTEXTS && is_right; i++)
        is_right = is_ok(sequence,
                         tessera_context_create(sequence->tessera, 0, (int32_t)sequence_pick(sequence, 15) - 7,
                                                &sequence->context[i]),
                         "create a context");
    for (uint32_t i = 0; i < SEQUENCE_ALLOCATIONS && is_right; i++)
        is_right = sequence_create(sequence, &sequence->tracked[i]);
    uint32_t modes = sequence_pick(sequence, 3); /* the same draws in the unsplit run */
    for (uint32_t i = 0; i < modes && is_right; i++) is_right = force(sequence);
    if (sequence->plan.is_unsplit) {
        sequence->force = 0;
        int status = tessera_register_write(sequence->tessera, HOST_FORCE_OFFSET, 0);
        is_right = is_right && is_ok(sequence, status, "force");
    }
    return is_right;
}

/* Pages that no allocation ever had are as they were. */
bool sequence_check_untouched(struct sequence *sequence)
{
    uint8_t page[SEQUENCE_PAGE];
    struct transport *transport = &sequence->machine.transport;
    for (uint32_t i = 0; i < sequence->untouched_pages; i++) {
        uint32_t address = sequence->tessera->pool[i] * SEQUENCE_PAGE;
        transport->memory_read(transport->context, address, page, sizeof page);
        for (uint32_t at = 0; at < SEQUENCE_PAGE; at++)
            if (page[at] != UNTOUCHED) {
                printf("system address 0x%x is %02x\n", address + at, page[at]);
                return sequence_complain(sequence, "a page of nobody's", 0);
            }
    }
    return true;
}

/* The device checks its dummy page and its coherency itself. Its operations go into one paging buffer, so it refuses
 * where that is a few words. */
static bool self_test(struct sequence *sequence)
{
    bool has_room = FIELD_GET(boot_options(sequence), HOST_BOOT_OPTIONS_PAGING_WORDS) == 0;
    for (uint32_t test = 1; test <= 3; test++) {
        uint32_t message[16] = {MSG_SELF_TEST};
        struct tessera_completion completion;
        message[MSG_SELF_TEST_TEST] = test;
        int status = tessera_call(sequence->tessera, message, &completion);
        if (!has_room && status == STATUS_UNSUPPORTED) continue;
        if (!is_ok(sequence, status, "self test")) return false;
        if (!has_room) return sequence_complain(sequence, "a self test was not refused", 0);
        uint32_t failed_step = completion.words[REPLY_SELF_TEST_RESULT - 4];
        if (failed_step != 0) return sequence_complain(sequence, "a self test failed at step", (int)failed_step);
    }
    return true;
}

/* Everything as the oracle says, then everything gone: nothing resident, nothing mapped. */
bool sequence_finish(struct sequence *sequence)
{
    uint32_t statistics[STAT_COUNT];
    if (!drain(sequence)) return false;
    for (uint32_t i = 0; i < SEQUENCE_ALLOCATIONS; i++)
        if (sequence->tracked[i].is_offered && !reclaim(sequence, &sequence->tracked[i])) return false;
    if (!compare_all(sequence) || !sequence_check_untouched(sequence) || !self_test(sequence)) return false;
    if (!compare_all(sequence)) return false;
    for (uint32_t i = 0; i < SEQUENCE_ALLOCATIONS; i++)
        if (!sequence_destroy(sequence, &sequence->tracked[i])) return false;
    for (uint32_t i = 0; i < SEQUENCE_CONTEXTS; i++)
        if (!is_ok(sequence, tessera_context_destroy(sequence->tessera, sequence->context[i]), "destroy a context"))
            return false;
    if (!is_ok(sequence, tessera_statistics(sequence->tessera, statistics), "statistics")) return false;
    if (statistics[STAT_RESIDENT_PAGES_1] + statistics[STAT_RESIDENT_PAGES_2] + statistics[STAT_MAPPED_PAGES] != 0)
        return sequence_complain(sequence, "pages stay resident or mapped", 0);
    return machine_is_consistent(&sequence->machine) || sequence_complain(sequence, "the manager's validator", 0);
}

bool sequence_open(struct sequence *sequence, const struct sequence_plan *plan, struct sequence_counts *counts)
{
    memset(sequence, 0, sizeof *sequence);
    sequence->plan = *plan;
    sequence->counts = counts;
    sequence->digest = 2166136261u;
    sequence->random = plan->seed * 2654435761u | 1u;
    for (uint32_t i = 0; i < 8; i++) sequence_random(sequence);
    if (!boot(sequence)) return false;
    sequence->random = plan->seed * 2246822519u | 1u; /* what booting draws is not the same for every plan */
    sequence->stream = tessera_stream_create();
    if (sequence->stream != NULL && populate(sequence)) return true;
    sequence_close(sequence);
    return false;
}

void sequence_close(struct sequence *sequence)
{
    struct transport *transport = &sequence->machine.transport;
    sequence->counts->cycles += transport->cycles != NULL ? transport->cycles(transport->context) : 0;
    tessera_stream_destroy(sequence->stream);
    tessera_close(sequence->tessera);
}

bool sequence_run(const struct sequence_plan *plan, struct sequence_counts *counts, uint32_t *digest_of_run)
{
    static struct sequence sequence;
    if (!sequence_open(&sequence, plan, counts)) return false;
    bool is_right = true;
    for (sequence.step = 0; sequence.step < plan->steps && is_right; sequence.step++)
        is_right = operate(&sequence) && (machine_is_consistent(&sequence.machine) ||
                                          sequence_complain(&sequence, "the manager's validator", 0));
    is_right = is_right && sequence_finish(&sequence);
    counts->sequences++;
    *digest_of_run = sequence.digest;
    sequence_close(&sequence);
    return is_right;
}
