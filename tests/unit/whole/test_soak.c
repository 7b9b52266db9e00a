/* SPDX-License-Identifier: Apache-2.0
 *
 * Soak of the whole firmware on the golden model. Goal: every byte of every allocation is what an oracle
 * that knows nothing of memory management says, whatever is split, evicted, mapped, locked or reordered.
 * Method: seeded random worlds with segments nearly full, tiny paging buffers, random interleaving of
 * firmware and nodes, forced modes, fences that wrap; after each world everything is locked and compared,
 * the manager's own validators hold, and nothing is left when all is destroyed.
 * Every second world runs on the second driver (second_driver.h), every fifth under a third policy (random_policy.h),
 * every fourth with other limits than the default ones.
 * Proves at this level: SPL-02..SPL-28, PGB-05..PGB-11, PGB-24, PGB-50, ALC-12, ALC-17, CNF-03, CNF-04,
 * CNF-07, SCH-01, SCH-06, SCH-08, SCH-09, SCH-12, SCH-13, DMA-03..DMA-13. The host preempts nodes at random moments.
 *
 * test_soak [first seed] [worlds] [print]: `make decisions` takes soak_expected.h again after a change that is meant.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client.h"
#include "random_policy.h"
#include "second_driver.h"
#include "soak_held.h"

enum {
    ALLOCATIONS = 24,
    CONTEXTS = 3,
    NOBODY = 99,
    SETTING = 98,
    GOING = 97,
    PER_CONTEXT = ALLOCATIONS / CONTEXTS,
    MAX_PAGES = 3,
    SLOTS = 6,
    IN_FLIGHT = 8,
    STEPS = 80,
    PITCH = 64,
    RECT_ROWS = CLIENT_PAGE / PITCH
};

struct tracked {
    struct client_allocation allocation;
    uint8_t image[MAX_PAGES * CLIENT_PAGE];
    uint32_t set;
    bool is_gone; /* destroyed after the jobs that use it; another takes its place when all is quiet */
};

struct flight {
    uint32_t tag;
    uint32_t context; /* or NOBODY: a PREEMPT; or SETTING: a SET_CONTEXT; or GOING: a DESTROY_ALLOCATION */
};

struct soak_world {
    struct client client;
    struct tracked tracked[ALLOCATIONS];
    uint32_t context[CONTEXTS];
    bool is_unknown[CONTEXTS]; /* a job of it found no placement: read back before trusting images */
    struct flight flight[IN_FLIGHT];
    uint32_t flights;
    uint32_t random;
    bool is_cut; /* the segment description */
    uint32_t apertures;
};

static struct soak_world world;
static struct stream stream;
static uint32_t jobs_done, jobs_unplaced, portions, evictions, busy_answers, insufficient_answers, pieces;
static uint32_t detours, discarded, rebound;
static uint32_t preemptions, withheld, direct, settings, taken, destroyed, dropped;

static uint32_t pick(uint32_t limit) { return check_pick(&world.random, limit); }

/* ------------------------------------------------------------------ the world */

/* Sets of segments, first those of the whole description, then those of the cut one. */
static uint32_t random_set(void)
{
    static const uint32_t sets[2][8] = {{1, 2, 3, 3, 3, 7, 4, 6}, {1, 12, 8, 13, 13, 31, 18, 26}};
    return sets[world.is_cut][pick(8)];
}

static void create(uint32_t i)
{
    struct tracked *tracked = &world.tracked[i];
    uint32_t message[16] = {0};
    uint32_t flags = ALLOCATION_CPU_VISIBLE;
    bool is_undefined = pick(6) == 0;
    tracked->is_gone = false;
    tracked->set = random_set();
    if (pick(4) == 0) flags |= ALLOCATION_FROM_END;
    if (pick(5) == 0) flags |= ALLOCATION_CACHED;
    if (pick(6) == 0) flags |= ALLOCATION_SYNCHRONOUS_PAGING;
    if (is_undefined && (tracked->set & world.apertures) == 0) flags |= ALLOCATION_UNDEFINED;
    message[MSG_CREATE_ALLOCATION_FLAGS] = flags;
    message[MSG_CREATE_ALLOCATION_PRIORITY] = pick(3) == 0 ? 0xC8000000u : 0x70000000u + pick(1u << 20);
    message[MSG_CREATE_ALLOCATION_PATTERN] = 0x9b000000u + i;
    message[MSG_CREATE_ALLOCATION_EVICTION_SET] = pick(3) == 0 ? world.apertures : 0;
    if ((tracked->set & 8u) != 0) { /* the segment with banks */
        message[MSG_CREATE_ALLOCATION_PREFERRED] = 4;
        message[MSG_CREATE_ALLOCATION_BANKS] = check_random(&world.random);
    }
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = pick(5) == 0 ? 2 * CLIENT_PAGE : 0;
    uint32_t status = client_create(&world.client, &tracked->allocation, 1 + pick(MAX_PAGES), tracked->set, message);
    CHECK_EQUAL(status, STATUS_OK);
    uint32_t bytes = tracked->allocation.pages * CLIENT_PAGE;
    for (uint32_t k = 0; k < bytes; k++) tracked->image[k] = (uint8_t)(check_random(&world.random) >> 5);
    client_write(&world.client, &tracked->allocation, tracked->image);
    /* An undefined one starts as its pattern when it is first paged in, so its pages hold the same here. */
    if ((flags & ALLOCATION_UNDEFINED) != 0) {
        for (uint32_t k = 0; k < bytes; k += 4) memcpy(tracked->image + k, &message[MSG_CREATE_ALLOCATION_PATTERN], 4);
        client_write(&world.client, &tracked->allocation, tracked->image);
    }
}

/* The world's driver, and what goes by on its way there: content dropped that jobs under way have made. */
static struct ddi inner;
static enum ddi_status count_dropped(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const struct allocation_table *table = &device_gpu(world.client.device)->manager.residency.world.table;
    const uint32_t dead = (uint32_t)ALLOCATION_PENDING_DESTROY | (uint32_t)ALLOCATION_DIRTY;
    uint32_t index;
    const enum ddi_status status = inner.build_paging_buffer(adapter, arguments);
    if (status == DDI_SUCCESS && arguments->operation == DDI_DISCARD_CONTENT &&
        allocation_find_any(table, arguments->allocation.handle, &index))
        dropped += (table->entry[index].flags & dead) == dead;
    return status;
}

/* Of every fourth world. */
static const struct table_limits other_limits[] = {
    {32, CONTEXT_MAXIMUM, LIST_MAXIMUM, DMA_BYTES_DEFAULT},
    {4096, 1, LIST_DEFAULT, DMA_BYTES_MAXIMUM},
    {1500, 200, LIST_DEFAULT, DMA_BYTES_DEFAULT},
    {ALLOCATION_MAXIMUM, CONTEXT_MAXIMUM, LIST_MAXIMUM, DMA_BYTES_MAXIMUM}};

static void open_world(uint32_t seed, const struct gpu_options *gpu)
{
    world = (struct soak_world){.random = seed * 2654435761u | 1u};
    for (int i = 0; i < 8; i++) check_random(&world.random);
    uint32_t force = 0;
    if (pick(4) == 0) force |= FIELD_PUT(1, HOST_FORCE_SPLIT);
    if (pick(2) == 0) force |= FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    if (pick(5) == 0) force |= FIELD_PUT(1, HOST_FORCE_EVICT);
    if (pick(5) == 0) force |= FIELD_PUT(1, HOST_FORCE_NO_SHARES);
    if (pick(3) == 0) force |= FIELD_PUT(1, HOST_FORCE_MOVE_BOUND);
    if (pick(3) == 0) force |= FIELD_PUT(1, HOST_FORCE_STEP_PLAN);
    if (pick(4) == 0) force |= FIELD_PUT(1, HOST_FORCE_ALWAYS_REPATCH);
    if (pick(4) == 0) force |= FIELD_PUT(1, HOST_FORCE_NO_PREPATCH);
    if (pick(3) == 0) force |= FIELD_PUT(1, HOST_FORCE_CLOBBER);
    if (seed % 5u == 2u) force |= FIELD_PUT(1, HOST_FORCE_NO_LISTS);
    const struct device_options options = {.memory_bytes = 16u << 20,
                                           .segment1_bytes = (6 + pick(4)) * CLIENT_PAGE,
                                           .segment2_bytes = (4 + pick(12)) * CLIENT_PAGE,
                                           .aperture_pages = 6 + pick(8),
                                           .seed = pick(4) == 0 ? 0 : seed,
                                           .gpu = gpu,
                                           .probe = &soak_probe};
    struct client_boot boot = {.force = force};
    world.is_cut = pick(2) != 0;
    world.apertures = world.is_cut ? 2 | 16 : 4;
    boot.options = FIELD_PUT(world.is_cut, HOST_BOOT_OPTIONS_DESCRIPTION) |
                   FIELD_PUT(pick(2), HOST_BOOT_OPTIONS_PLAIN_QUERY) |
                   FIELD_PUT(pick(3), HOST_BOOT_OPTIONS_TRANSFER_PAGES);
    boot.commit_limit = pick(3) == 0 ? MAX_PAGES + pick(4) : 0;
    const struct table_limits none = {0}, *limits = seed % 4u == 3u ? &other_limits[seed / 4u % 4u] : &none;
    boot.allocations = limits->allocations, boot.contexts = limits->contexts;
    boot.list_entries = limits->list_entries, boot.dma_bytes = limits->dma_bytes;
    client_boot(&world.client, &options, &boot);
    inner = device_gpu(world.client.device)->manager.ddi;
    device_gpu(world.client.device)->manager.ddi.build_paging_buffer = count_dropped;
    device_gpu(world.client.device)->scheduler.costs.is_starved = pick(2) != 0; /* a model's nodes never decide that */
    if (seed % 3u == 0u) device_look_cycles(world.client.device, 256);          /* DMA buffers are examined in pieces */
    for (uint32_t i = 0; i < CONTEXTS; i++) world.context[i] = client_context(&world.client, (int32_t)pick(15) - 7);
    for (uint32_t i = 0; i < ALLOCATIONS; i++) create(i);
}

/* ------------------------------------------------------------------ jobs */

/* At least one of the context's is there. */
static struct tracked *random_of(uint32_t context)
{
    struct tracked *tracked;
    do tracked = &world.tracked[context * PER_CONTEXT + pick(PER_CONTEXT)];
    while (tracked->is_gone);
    return tracked;
}

struct binding {
    struct tracked *tracked;
    uint32_t offset, rows;
};

static void draw(struct binding *binding, uint32_t slot)
{
    uint32_t x = pick(PITCH / 4), y = pick(binding->rows), colour = check_random(&world.random);
    uint32_t width = 1 + pick(PITCH / 4 - x), height = 1 + pick(binding->rows - y);
    stream_fill_rect(&stream, slot, x, y, width, height, colour);
    for (uint32_t row = y; row < y + height; row++)
        for (uint32_t column = x; column < x + width; column++)
            memcpy(binding->tracked->image + binding->offset + row * PITCH + column * 4, &colour, 4);
}

static void bind(struct binding *binding, uint32_t slot, uint32_t context)
{
    struct tracked *tracked = random_of(context);
    uint32_t page = pick(tracked->allocation.pages);
    *binding = (struct binding){tracked, page * CLIENT_PAGE, RECT_ROWS};
    stream_bind(&stream, slot, tracked->allocation.handle, binding->offset, PITCH, CLIENT_PAGE, true);
}

static void copy(uint32_t context)
{
    struct tracked *source = random_of(context), *target = random_of(context);
    if (source == target) return;
    uint32_t from = pick(source->allocation.pages * CLIENT_PAGE - 64);
    uint32_t to = pick(target->allocation.pages * CLIENT_PAGE - 64);
    uint32_t limit = source->allocation.pages * CLIENT_PAGE - from, room = target->allocation.pages * CLIENT_PAGE - to;
    uint32_t bytes = 1 + pick(limit < room ? limit : room);
    stream_copy(&stream, source->allocation.handle, from, target->allocation.handle, to, bytes, 60);
    memcpy(target->image + to, source->image + from, bytes);
}

static void fill(uint32_t context)
{
    struct tracked *target = random_of(context);
    uint32_t to = pick(target->allocation.pages * CLIENT_PAGE - 64);
    uint32_t bytes = 1 + pick(target->allocation.pages * CLIENT_PAGE - to), pattern = check_random(&world.random);
    stream_fill(&stream, target->allocation.handle, to, bytes, pattern, 58);
    for (uint32_t i = 0; i < bytes; i++) target->image[to + i] = (uint8_t)(pattern >> (i % 4 * 8));
}

/* No row holds it any more, and nothing uses it from here on. */
static void leave(struct binding bindings[SLOTS], struct tracked *leaver)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (bindings[slot].tracked != leaver) continue;
        stream_unbind(&stream, slot);
        bindings[slot].tracked = NULL;
    }
    leaver->is_gone = true;
}

/* A random buffer of one context; the images follow it. The leaver, if there is one, is used in its first third. */
static void build_job(uint32_t context, struct tracked *leaver)
{
    struct binding bindings[SLOTS] = {{0}};
    uint32_t operations = (1 + pick(24)) * (pick(6) == 0 ? 8 : 1), live = 1 + pick(SLOTS);
    stream_init(&stream);
    for (uint32_t i = 0; i < operations; i++) {
        uint32_t slot = pick(live);
        if (leaver != NULL && i == operations / 3) leave(bindings, leaver);
        switch (pick(8)) {
        case 0:
        case 1: copy(context); break;
        case 2: fill(context); break;
        case 3:
        case 4: bind(&bindings[slot], slot, context); break;
        case 5:
            if (bindings[slot].tracked != NULL) stream_unbind(&stream, slot);
            bindings[slot].tracked = NULL;
            break;
        default:
            if (bindings[slot].tracked != NULL) draw(&bindings[slot], slot);
            break;
        }
    }
}

static void receive(void)
{
    struct answer answer;
    CHECK(client_receive(&world.client, &answer));
    soak_note(answer.status << 24 ^ answer.detail ^ answer.fence << 8);
    for (uint32_t i = 0; i < 4; i++) soak_note(answer.words[i]);
    uint32_t i = 0;
    while (i < world.flights && world.flight[i].tag != answer.tag) i++;
    CHECK(i < world.flights);
    if (world.flight[i].context == SETTING || world.flight[i].context == GOING) {
        CHECK_EQUAL(answer.status, STATUS_OK);
        *(world.flight[i].context == GOING ? &destroyed : &settings) += 1;
        world.flight[i] = world.flight[--world.flights];
        return;
    }
    bool is_preemption = world.flight[i].context == NOBODY;
    if (is_preemption) {
        CHECK_EQUAL(answer.status, STATUS_OK);
        bool is_direct = answer.words[REPLY_PREEMPT_DIRECT - 4] != 0;
        CHECK(!is_direct || answer.words[REPLY_PREEMPT_WITHHELD - 4] == 0); /* SCH-06 */
        world.flight[i] = world.flight[--world.flights];
        preemptions++;
        withheld += answer.words[REPLY_PREEMPT_WITHHELD - 4];
        direct += answer.words[REPLY_PREEMPT_DIRECT - 4];
        return;
    }
    if (answer.status == STATUS_NO_PLACEMENT) {
        world.is_unknown[world.flight[i].context] = true;
        jobs_unplaced++;
    } else {
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK(answer.words[0] >= 1);
    }
    jobs_done++;
    portions += answer.words[0];
    evictions += answer.words[1];
    world.flight[i] = world.flight[--world.flights];
}

static void drain(void)
{
    while (world.flights > 0) receive();
    for (uint32_t i = 0; i < ALLOCATIONS; i++)
        if (world.tracked[i].is_gone) create(i);
}

/* One that the next job uses in its first part at most, and that is destroyed right after it. What was copied out of
 * it must be right. NULL: the context has too few. */
static struct tracked *pick_leaver(uint32_t context)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < PER_CONTEXT; i++) left += !world.tracked[context * PER_CONTEXT + i].is_gone;
    return left < 4 ? NULL : random_of(context);
}

static void destroy_behind(const struct tracked *leaver)
{
    const uint32_t message[16] = {MSG_DESTROY_ALLOCATION, 0, leaver->allocation.handle};
    if (world.flights == IN_FLIGHT) receive();
    world.flight[world.flights++] = (struct flight){client_send(&world.client, message), GOING};
}

static void submit(void)
{
    uint32_t context = pick(CONTEXTS), message[16];
    if (world.is_unknown[context]) return;
    if (world.flights == IN_FLIGHT) receive();
    if (world.is_unknown[context]) return;
    uint32_t place = 0; /* a staging place nobody in flight uses: the job is copied when it is accepted */
    struct tracked *leaver = pick(3) == 0 ? pick_leaver(context) : NULL;
    build_job(context, leaver);
    static uint32_t rotate;
    place = rotate++ % 16;
    client_stage(&world.client, &stream, world.context[context], place, message);
    world.flight[world.flights++] = (struct flight){client_send(&world.client, message), context};
    if (leaver != NULL) destroy_behind(leaver);
}

/* ------------------------------------------------------------------ checks and other operations */

static void compare(struct tracked *tracked)
{
    uint8_t bytes[MAX_PAGES * CLIENT_PAGE];
    uint32_t size = tracked->allocation.pages * CLIENT_PAGE;
    CHECK_EQUAL(client_lock(&world.client, &tracked->allocation, 0), STATUS_OK);
    client_read(&world.client, &tracked->allocation, bytes);
    uint32_t context = (uint32_t)(tracked - world.tracked) / PER_CONTEXT;
    if (world.is_unknown[context]) memcpy(tracked->image, bytes, size);
    CHECK(memcmp(bytes, tracked->image, size) == 0);
}

/* Lock, compare, change some bytes as the host, unlock. */
static void visit(struct tracked *tracked)
{
    compare(tracked);
    uint32_t at = pick(tracked->allocation.pages * CLIENT_PAGE);
    tracked->image[at] = (uint8_t)(tracked->image[at] + 1u);
    client_write(&world.client, &tracked->allocation, tracked->image);
    CHECK_EQUAL(client_unlock(&world.client, &tracked->allocation), STATUS_OK);
}

static void visit_context(uint32_t context)
{
    for (uint32_t i = 0; i < PER_CONTEXT; i++) visit(&world.tracked[context * PER_CONTEXT + i]);
    world.is_unknown[context] = false;
}

/* Preempt a node whatever it is doing. */
static void preempt(void)
{
    const uint32_t message[16] = {MSG_PREEMPT, 0, pick(4) == 0 ? NODE_PAGING : NODE_RENDER};
    if (world.flights == IN_FLIGHT) receive();
    world.flight[world.flights++] = (struct flight){client_send(&world.client, message), NOBODY};
}

/* Another priority or another budget, whatever is under way. */
static void set_context(void)
{
    const struct allocation_table *table = &device_gpu(world.client.device)->manager.residency.world.table;
    const uint32_t message[16] = {MSG_SET_CONTEXT,
                                  0,
                                  world.context[pick(CONTEXTS)],
                                  1 + pick(CONTEXT_PRIORITY | CONTEXT_BUDGET),
                                  (uint32_t)((int32_t)pick(15) - 7),
                                  pick(3) == 0 ? 0 : pick(table->memory_pages + 1)};
    if (world.flights == IN_FLIGHT) receive();
    world.flight[world.flights++] = (struct flight){client_send(&world.client, message), SETTING};
}

/* Is its image known? */
static bool is_trusted(const struct tracked *tracked)
{
    return !world.is_unknown[(uint32_t)(tracked - world.tracked) / PER_CONTEXT];
}

/* New content in place of the old, through a lock that does not ask for it. */
static void replace(struct tracked *tracked)
{
    for (uint32_t k = 0; k < tracked->allocation.pages * CLIENT_PAGE; k++)
        tracked->image[k] = (uint8_t)(check_random(&world.random) >> 5);
    client_write(&world.client, &tracked->allocation, tracked->image);
}

static void lock_for_discard(struct tracked *tracked)
{
    CHECK_EQUAL(client_lock(&world.client, &tracked->allocation, LOCK_DISCARD | LOCK_WRITE_ONLY), STATUS_OK);
    replace(tracked);
    CHECK_EQUAL(client_unlock(&world.client, &tracked->allocation), STATUS_OK);
}

/* A new instance over other pages; the old one goes. */
static void rename_tracked(struct tracked *tracked)
{
    const uint32_t old = tracked->allocation.handle;
    struct client_allocation pages;
    client_pages(&world.client, &pages, tracked->allocation.pages);
    const uint32_t lock[16] = {MSG_LOCK, 0, old, LOCK_ENTIRE | LOCK_DISCARD, pages.list};
    struct answer answer = client_call(&world.client, lock);
    CHECK_EQUAL(answer.status, STATUS_OK);
    tracked->allocation = pages;
    tracked->allocation.handle = answer.words[REPLY_LOCK_HANDLE - 4];
    replace(tracked);
    CHECK_EQUAL(client_unlock(&world.client, &tracked->allocation), STATUS_OK);
    const uint32_t destroy[16] = {MSG_DESTROY_ALLOCATION, 0, old};
    CHECK_EQUAL(client_call(&world.client, destroy).status, STATUS_OK);
}

/* Offered content may be gone; then it is written again. */
static void offer_and_reclaim(struct tracked *tracked)
{
    const uint32_t offer[16] = {MSG_OFFER, 0, tracked->allocation.handle, 1 + pick(3)};
    const uint32_t evict[16] = {MSG_EVICT, 0, pick(2) != 0 ? tracked->allocation.handle : 0};
    const uint32_t reclaim[16] = {MSG_RECLAIM, 0, tracked->allocation.handle};
    CHECK_EQUAL(client_call(&world.client, offer).status, STATUS_OK);
    CHECK_EQUAL(client_lock(&world.client, &tracked->allocation, 0), STATUS_OFFERED);
    if (pick(2) != 0) CHECK_EQUAL(client_call(&world.client, evict).status, STATUS_OK);
    struct answer answer = client_call(&world.client, reclaim);
    CHECK_EQUAL(answer.status, STATUS_OK);
    discarded += answer.words[REPLY_RECLAIM_DISCARDED - 4];
    if (answer.words[REPLY_RECLAIM_DISCARDED - 4] != 0) lock_for_discard(tracked);
    else visit(tracked);
}

/* The content is read while it stays where it is. */
static void read_in_place(struct tracked *tracked)
{
    uint8_t bytes[MAX_PAGES * CLIENT_PAGE];
    uint32_t size = tracked->allocation.pages * CLIENT_PAGE;
    CHECK_EQUAL(client_lock(&world.client, &tracked->allocation, LOCK_READ_ONLY | LOCK_DONT_EVICT), STATUS_OK);
    client_read(&world.client, &tracked->allocation, bytes);
    CHECK(memcmp(bytes, tracked->image, size) == 0);
    CHECK_EQUAL(client_unlock(&world.client, &tracked->allocation), STATUS_OK);
}

static void operate(void)
{
    if (world.flights == 0) drain();
    struct tracked *tracked = &world.tracked[pick(ALLOCATIONS)];
    switch (pick(24)) {
    case 0:
        drain();
        visit(tracked);
        break;
    case 1: {
        drain();
        const uint32_t message[16] = {MSG_SET_PRIORITY, 0, tracked->allocation.handle, 1 + pick(0xffff)};
        CHECK_EQUAL(client_call(&world.client, message).status, STATUS_OK);
        break;
    }
    case 2: {
        drain();
        const uint32_t message[16] = {MSG_EVICT, 0, pick(2) != 0 ? tracked->allocation.handle : 0};
        CHECK_EQUAL(client_call(&world.client, message).status, STATUS_OK);
        break;
    }
    case 3:
        drain();
        CHECK_EQUAL(client_destroy(&world.client, &tracked->allocation), STATUS_OK);
        create((uint32_t)(tracked - world.tracked));
        break;
    case 4:
        drain();
        if (is_trusted(tracked)) offer_and_reclaim(tracked);
        break;
    case 5:
        drain();
        if (is_trusted(tracked)) read_in_place(tracked);
        break;
    case 6:
        drain();
        lock_for_discard(tracked);
        break;
    case 7:
        drain();
        rename_tracked(tracked);
        break;
    case 8:
    case 9: preempt(); break;
    case 10: set_context(); break;
    default: submit(); break;
    }
    CHECK(gpu_check(device_gpu(world.client.device)));
    for (uint32_t i = 0; i < CONTEXTS; i++)
        if (world.is_unknown[i] && world.flights == 0) {
            drain();
            visit_context(i);
        }
}

static void run_world(uint32_t seed)
{
    struct gpu_options gpu = {0};
    uint32_t random = seed | 1u;
    static const uint32_t sizes[] = {20, 32, 64, 256, 0};
    gpu.paging_buffer_bytes = sizes[check_pick(&random, 5)];
    gpu.policies = seed % 5u == 1u ? random_policies : NULL;
    gpu.first_fence = check_pick(&random, 3) == 0 ? 0xfffffff0u : 0;
    static struct second_driver second;
    second_driver_init(&second, seed);
    second.says_busy = check_pick(&random, 2) != 0;
    second.is_one_packet = check_pick(&random, 2) != 0;
    second.is_slow = check_pick(&random, 2) != 0;
    if (seed % 2 == 0) gpu.ddi = &second.ddi;
    open_world(seed, &gpu);
    for (uint32_t step = 0; step < STEPS; step++) operate();
    drain();
    for (uint32_t i = 0; i < CONTEXTS; i++) visit_context(i);
    for (uint32_t i = 0; i < ALLOCATIONS; i++)
        CHECK_EQUAL(client_destroy(&world.client, &world.tracked[i].allocation), STATUS_OK);
    const struct gpu *inside = device_gpu(world.client.device);
    const struct manager *manager = &inside->manager;
    for (uint32_t i = 0; i < STAT_COUNT; i++) soak_seen.statistics[i] += manager->statistics[i];
    detours += manager->statistics[STAT_PAGES_THROUGH_APERTURE];
    for (uint32_t i = 0; i < manager->contexts.limit; i++) taken += manager->residency.world.shares.entry[i].taken;
    rebound += manager->statistics[STAT_BOUND_ANEW];
    CHECK_EQUAL(manager->residency.world.shares.pages, 0);
    CHECK(gpu_check(inside));
    for (uint32_t i = 0; i < 50; i++) device_turn(world.client.device);
    for (uint32_t page = 0; page < 3 * GPU_LIMIT(GUARD_SPACE_PAGES); page++) /* nothing is granted any more */
        CHECK_EQUAL(device_engine(world.client.device)->node[0].guard[page], 0);
    CHECK_EQUAL(manager->residency.world.table.live_count, 0);
    for (uint32_t i = 0; i < SEGMENT_LIMIT; i++) CHECK_EQUAL(manager->residency.world.map.segment[i].used_pages, 0);
    client_close(&world.client);
    busy_answers += second.busy_answers;
    insufficient_answers += second.insufficient_answers;
    pieces += second.pieces;
}

static uint32_t first_seed = 1, worlds = SOAK_WORLDS, world_seed;
static bool prints; /* what soak_expected.h has to hold */

static void test_worlds(void)
{
    CASE("ALC-12, ALC-17, CNF-03, CNF-04, CNF-07, DMA-10, PGB-08, PGB-24, PGB-50, SCH-06, SCH-09, SCH-12, "
         "SPL-13, SPL-28");
    for (uint32_t seed = first_seed; seed < first_seed + worlds; seed++) {
        world_seed = seed;
        run_world(seed);
        if (seed % SOAK_TEN == 0 && seed <= SOAK_WORLDS) soak_compare(seed / SOAK_TEN - 1, first_seed, prints);
    }
    printf("%lu jobs (%lu without placement), %lu portions, %lu evictions\n", (unsigned long)jobs_done,
           (unsigned long)jobs_unplaced, (unsigned long)portions, (unsigned long)evictions);
    printf("second driver: %lu BUSY, %lu INSUFFICIENT, %lu further pieces of transfers\n", (unsigned long)busy_answers,
           (unsigned long)insufficient_answers, (unsigned long)pieces);
    printf("%lu pages out through apertures, %lu offers discarded\n", (unsigned long)detours, (unsigned long)discarded);
    CHECK(worlds < 20 ||
          (busy_answers > 100 && insufficient_answers > 100 && pieces > 100 && detours > 100 && discarded > 10));
    printf("%lu registers bound again\n", (unsigned long)rebound);
    CHECK(worlds < 20 || rebound > 10 * worlds);
    printf("%lu preemptions took back %lu submissions, %lu found nothing\n", (unsigned long)preemptions,
           (unsigned long)withheld, (unsigned long)direct);
    CHECK(worlds < 20 || (withheld > worlds / 4 && direct > worlds));
    printf("%lu changes of priority or budget, %lu pages taken from other contexts\n", (unsigned long)settings,
           (unsigned long)taken);
    CHECK(worlds < 20 || (settings > worlds && taken > 10 * worlds));
    printf("%lu allocations destroyed after jobs, content dropped in time of %lu\n", (unsigned long)destroyed,
           (unsigned long)dropped);
    CHECK(worlds < 20 || (destroyed > 2 * worlds && dropped > worlds / 20));
    CHECK(worlds < 20 || random_policy_rooms > 10 * worlds);
    /* The worlds must be hard, but not hopeless. */
    CHECK(portions > jobs_done + jobs_done / 4);
    CHECK(evictions > jobs_done / 2);
    CHECK(jobs_unplaced < jobs_done / 5);
}

int main(int count, char **arguments)
{
    if (count > 1) first_seed = (uint32_t)strtoul(arguments[1], NULL, 0);
    if (count > 2) worlds = (uint32_t)strtoul(arguments[2], NULL, 0);
    prints = count > 3;
    CHECK_RUN(test_worlds);
    if (check_state.failed != 0) printf("repeat: test_soak %lu 1\n", (unsigned long)world_seed);
    return check_finish();
}
