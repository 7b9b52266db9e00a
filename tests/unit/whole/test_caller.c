/* SPDX-License-Identifier: Apache-2.0
 *
 * A second caller above the driver: the documents' sample loop, corrected where it is wrong (a fresh buffer re-primes
 * pointer, size and private data; BUSY is not fatal), with nothing of the memory manager in it. It batches random
 * operations in small paging buffers on the driver, or on the difficult one of second_driver.h, lets the engine's model
 * execute what was submitted, and compares every byte of every memory with an oracle of plain arrays.
 * PGB-01, PGB-02, PGB-05, PGB-06, PGB-08, PGB-09, PGB-11, PGB-12, PGB-14, PGB-15, PGB-18, PGB-19, PGB-21,
 * PGB-24..PGB-26, PGB-30, PGB-33, PGB-34, PGB-39, PGB-40, PGB-49.
 *
 * test_caller [first seed] [rounds]
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_internal.h"
#include "second_driver.h"

enum {
    PAGE = 4096,
    PAGES_1 = 8,
    PAGES_2 = 16,
    PAGES_SYSTEM = 64,
    PAGES_APERTURE = 16,
    DUMMY = 3,
    LISTS = 56, /* pages from here on hold page lists; those below are content */
    LIST_BYTES = 256,
    BUFFERS_AT = 16384,
    BUFFER_COUNT = 2,
    CLOBBER_AT = 32768,
    PRIVATE_BYTES = SECOND_PRIVATE_BYTES,
    OPERATIONS = 24
};

static struct device *device;
static struct second_driver second;
static struct ddi ddi;
static uint32_t seed, busy, partial, batched, lists;

static uint32_t pick(uint32_t limit) { return check_pick(&seed, limit); }

/* ------------------------------------------------------------------ the oracle */

static uint8_t segment1[PAGES_1 * PAGE], segment2[PAGES_2 * PAGE], system_memory[PAGES_SYSTEM * PAGE];
static uint32_t frame_of[PAGES_APERTURE]; /* what each aperture page shows */

static uint8_t *at(uint32_t address)
{
    uint32_t offset = address & 0x0fffffffu;
    switch (address >> 28) {
    case 1: return &segment1[offset];
    case 2: return &segment2[offset];
    case 3: return &system_memory[frame_of[offset / PAGE] * PAGE + offset % PAGE];
    default: return &system_memory[address - 0x80000000u];
    }
}

static void check_memories(void)
{
    CHECK(memcmp(segment1, device->engine.segment1, sizeof segment1) == 0);
    CHECK(memcmp(segment2, device->engine.segment2, sizeof segment2) == 0);
    CHECK(memcmp(system_memory, device->engine.system, LISTS * PAGE) == 0);
    for (uint32_t i = 0; i < PAGES_APERTURE; i++) {
        uint8_t byte;
        CHECK(engine_model_read(&device->engine, 0x30000000u + i * PAGE + i, &byte));
        CHECK_EQUAL(byte, *at(0x30000000u + i * PAGE + i));
    }
}

/* ------------------------------------------------------------------ the sample loop */

static struct caller {
    uint32_t buffer, start, bytes, fence, buffer_fence[BUFFER_COUNT], in_buffer;
    uint8_t private_data[BUFFER_COUNT][PRIVATE_BYTES];
    struct ddi_build_paging_buffer arguments;
} caller;

static void wait_until(uint32_t fence)
{
    while (!fence_reached(ddi.query_current_fence(ddi.adapter, NODE_PAGING), fence))
        CHECK(engine_model_step(&device->engine, NODE_PAGING));
}

/* A fresh buffer, 4 KB aligned or not as the size allows; everything that describes it is set again. */
static void acquire(void)
{
    caller.buffer = (caller.buffer + 1u) % BUFFER_COUNT;
    wait_until(caller.buffer_fence[caller.buffer]);
    caller.start = BUFFERS_AT + caller.buffer * PAGE;
    CHECK_EQUAL(caller.start % PAGE, 0); /* PGB-12 */
    memset(caller.private_data[caller.buffer], 0, PRIVATE_BYTES);
    caller.arguments.dma_buffer = caller.start;
    caller.arguments.private_data = caller.private_data[caller.buffer];
    caller.in_buffer = 0;
}

/* An empty buffer has nothing to submit; it is given up all the same, with its private data. */
static void submit(void)
{
    uint32_t bytes = caller.arguments.dma_buffer - caller.start;
    if (bytes != 0u) {
        const struct ddi_submit_command command = {.node_ordinal = NODE_PAGING,
                                                   .dma_buffer = caller.start,
                                                   .dma_buffer_size = bytes,
                                                   .submission_end_offset = bytes,
                                                   .submission_fence_id = ++caller.fence,
                                                   .is_paging = true};
        while (!ddi.can_submit(ddi.adapter, NODE_PAGING)) engine_model_step(&device->engine, NODE_PAGING);
        CHECK_EQUAL(ddi.submit_command(ddi.adapter, &command), DDI_SUCCESS);
        caller.buffer_fence[caller.buffer] = caller.fence;
    }
    batched += caller.in_buffer > 1u;
    acquire();
}

static void build(const struct ddi_build_paging_buffer *operation)
{
    struct ddi_build_paging_buffer *arguments = &caller.arguments;
    uint32_t dma_buffer = arguments->dma_buffer;
    uint8_t *private_data = arguments->private_data;
    *arguments = *operation;
    arguments->dma_buffer = dma_buffer;
    arguments->private_data = private_data;
    arguments->multipass_offset = 0;
    for (;;) {
        arguments->dma_size = caller.start + caller.bytes - arguments->dma_buffer;
        arguments->private_data_size =
            (uint32_t)(caller.private_data[caller.buffer] + PRIVATE_BYTES - arguments->private_data);
        uint32_t before = arguments->dma_buffer;
        enum ddi_status status = ddi.build_paging_buffer(ddi.adapter, arguments);
        CHECK(arguments->dma_buffer >= before && arguments->dma_buffer <= caller.start + caller.bytes);
        caller.in_buffer++;
        if (status == DDI_SUCCESS) return;
        if (status == DDI_ALLOCATION_BUSY) { /* flush, wait for it, promise idleness */
            uint32_t *flags = arguments->operation == DDI_TRANSFER ? &arguments->u.transfer.flags
                                                                   : &arguments->u.discard_content.flags;
            CHECK((*flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) == 0u);
            submit();
            wait_until(caller.fence);
            *flags |= (uint32_t)DDI_TRANSFER_ALLOCATION_IS_IDLE;
            busy++;
            continue;
        }
        CHECK_EQUAL(status, DDI_INSUFFICIENT_DMA_BUFFER);
        submit();
        bool is_idle = arguments->operation == DDI_TRANSFER &&
                       (arguments->u.transfer.flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u;
        if (is_idle) wait_until(caller.fence); /* the promise holds at every pass */
        partial++;
    }
}

/* ------------------------------------------------------------------ operations, and what they mean */

/* Different pages of content in a random order, as a page list; returns its address. A list stays as it is while
 * packets that name it may be under way: each has a place of its own in a round. */
static uint32_t random_list(uint32_t frames[PAGES_2], uint32_t count)
{
    uint32_t place = LISTS * PAGE + lists++ * LIST_BYTES + 4 * pick(16), next = pick(LISTS);
    CHECK(lists < (PAGES_SYSTEM - LISTS) * PAGE / LIST_BYTES);
    uint32_t *list = (uint32_t *)(void *)(device->engine.system + place);
    for (uint32_t i = 0; i < count; i++) {
        next = (next + (pick(3) == 0 ? 1 + pick(3) : 1)) % (LISTS - 4);
        frames[i] = 4 + next; /* not the dummy page */
        for (uint32_t k = 0; k < i; k++)
            if (frames[k] == frames[i]) {
                next++;
                frames[i] = 4 + next % (LISTS - 4);
                k = UINT32_MAX; /* again from the first */
            }
        list[i] = frames[i];
    }
    return place;
}

static uint32_t random_segment_address(uint32_t id, uint32_t pages)
{
    static const uint32_t sizes[] = {PAGES_1, PAGES_2, PAGES_APERTURE};
    return (id << 28) + pick(sizes[id - 1] - pages + 1) * PAGE;
}

/* In one piece or in several, Start at every one of them or only at the first: both are legal. */
static void transfer_in_pieces(const struct ddi_transfer *whole, bool has_list)
{
    uint32_t done = 0;
    bool repeats = !second.says_busy && !second.is_one_packet && pick(2) != 0;
    while (done < whole->transfer_size) {
        uint32_t pages = 1 + pick((whole->transfer_size - done) / PAGE), end = done + pages * PAGE;
        struct ddi_build_paging_buffer piece = {.operation = DDI_TRANSFER, .allocation = {.handle = 1234567}};
        piece.u.transfer = *whole;
        piece.u.transfer.transfer_offset = done;
        piece.u.transfer.transfer_size = pages * PAGE;
        piece.u.transfer.mdl_offset = has_list ? whole->mdl_offset + done / PAGE : 0u;
        piece.u.transfer.flags = (done == 0 || (repeats && ddi.adapter != &second) ? DDI_TRANSFER_START : 0u) |
                                 (end == whole->transfer_size ? DDI_TRANSFER_END : 0u);
        build(&piece);
        done = end;
    }
}

static void transfer_with_list(void)
{
    uint32_t frames[PAGES_2], id = 1 + pick(2), skipped = ddi.adapter == &second ? 0 : pick(3);
    uint32_t pages = 1 + pick(6), list = random_list(frames, pages + skipped);
    uint32_t local = random_segment_address(id, pages);
    bool is_in = pick(2) != 0;
    const struct ddi_location segment = {id, local, 0}, system = {0, 0, list};
    const struct ddi_transfer transfer = {.transfer_size = pages * PAGE,
                                          .source = is_in ? system : segment,
                                          .destination = is_in ? segment : system,
                                          .mdl_offset = skipped};
    for (uint32_t i = 0; i < pages; i++) {
        uint8_t *page = &system_memory[frames[skipped + i] * PAGE];
        if (is_in) memcpy(at(local + i * PAGE), page, PAGE);
        else memcpy(page, at(local + i * PAGE), PAGE);
    }
    transfer_in_pieces(&transfer, true);
}

/* Between segments, the aperture included, or inside one, where the two places may overlap. */
static void transfer_local(void)
{
    uint32_t pages = 1 + pick(5), from = 1 + pick(3), to = from == 3 ? 1 + pick(2) : 1 + pick(3);
    uint32_t source = random_segment_address(from, pages), target = random_segment_address(to, pages);
    struct ddi_build_paging_buffer operation = {.operation = DDI_TRANSFER};
    operation.u.transfer = (struct ddi_transfer){.transfer_size = pages * PAGE,
                                                 .source = {from, source, 0},
                                                 .destination = {to, target, 0},
                                                 .flags = DDI_TRANSFER_START | DDI_TRANSFER_END};
    if (from == to) {
        memmove(at(target), at(source), pages * PAGE);
    } else {
        for (uint32_t i = 0; i < pages; i++) { /* in the engine's order: aperture pages may show the same page */
            uint32_t page = target > source ? pages - 1 - i : i;
            memcpy(at(target + page * PAGE), at(source + page * PAGE), PAGE);
        }
    }
    build(&operation);
}

static void fill(void)
{
    uint32_t id = 1 + pick(2), pages = 1 + pick(4), target = random_segment_address(id, pages);
    uint32_t pattern = check_random(&seed);
    struct ddi_build_paging_buffer operation = {.operation = DDI_FILL};
    operation.u.fill = (struct ddi_fill){pages * PAGE, pattern, {id, target, 0}};
    for (uint32_t i = 0; i < pages * PAGE; i += 4) memcpy(at(target + i), &pattern, 4);
    build(&operation);
}

static void map_or_unmap(void)
{
    uint32_t frames[PAGES_2], pages = 1 + pick(6), first = pick(PAGES_APERTURE - pages + 1);
    bool is_map = pick(3) != 0;
    struct ddi_build_paging_buffer operation = {.operation =
                                                    is_map ? DDI_MAP_APERTURE_SEGMENT : DDI_UNMAP_APERTURE_SEGMENT};
    uint32_t skipped = pick(3), list = random_list(frames, pages + skipped);
    if (is_map) operation.u.map = (struct ddi_map_aperture_segment){3, first, pages, list, skipped, pick(2) != 0};
    else operation.u.unmap = (struct ddi_unmap_aperture_segment){3, first, pages, DUMMY};
    for (uint32_t i = 0; i < pages; i++) frame_of[first + i] = is_map ? frames[skipped + i] : DUMMY;
    build(&operation);
}

static void touch(void)
{
    uint32_t id = 1 + pick(3), address = random_segment_address(id, 1) + pick(PAGE / 8) * 8, size = 1 + pick(8);
    bool is_write = pick(2) != 0;
    struct ddi_build_paging_buffer operation = {.operation = is_write ? DDI_WRITE_PHYSICAL : DDI_READ_PHYSICAL};
    operation.u.access_physical = (struct ddi_access_physical){id, address, size};
    if (is_write) memset(at(address), 0, size); /* the value does not matter; the engine's is 0 */
    build(&operation);
}

static void discard(void)
{
    struct ddi_build_paging_buffer operation = {.operation = DDI_DISCARD_CONTENT};
    operation.u.discard_content = (struct ddi_discard_content){0, 1, random_segment_address(1, 1)};
    build(&operation);
}

/* ------------------------------------------------------------------ rounds */

static void open_round(uint32_t round)
{
    char error[256];
    const struct device_options options = {.memory_bytes = PAGES_SYSTEM * PAGE,
                                           .segment1_bytes = PAGES_1 * PAGE,
                                           .segment2_bytes = PAGES_2 * PAGE,
                                           .aperture_pages = PAGES_APERTURE};
    const struct driver_layout layout = {{0, 4096}, {1024, 1024},      {0, 0},      CLOBBER_AT, PAGES_SYSTEM,
                                         DUMMY,     DMA_BYTES_DEFAULT, LIST_DEFAULT};
    seed = round * 2654435761u | 1u;
    for (int i = 0; i < 8; i++) check_random(&seed);
    device = device_create(&options, error);
    CHECK(device != NULL);
    device_enter(device);
    device->registers[HOST_SYSTEM_PAGES_OFFSET / 4] = PAGES_SYSTEM;
    device->registers[HOST_DUMMY_PAGE_OFFSET / 4] = DUMMY;
    for (uint32_t i = 0; i < sizeof system_memory; i++) system_memory[i] = (uint8_t)(check_random(&seed) >> 7);
    memcpy(device->engine.system, system_memory, sizeof system_memory);
    memcpy(segment1, device->engine.segment1, sizeof segment1);
    memcpy(segment2, device->engine.segment2, sizeof segment2);
    for (uint32_t i = 0; i < PAGES_APERTURE; i++) frame_of[i] = DUMMY;
    device->gpu.manager.residency.world.table.limit = 0; /* the second driver looks there: no allocations */
    driver_init(&device->gpu.driver, &layout);
    second_driver_init(&second, seed);
    second.says_busy = pick(2) != 0;
    second.is_one_packet = pick(2) != 0;
    ddi = pick(2) != 0 ? second.ddi : driver_ddi(&device->gpu.driver);
    lists = 0;
    caller = (struct caller){.bytes = 20 + 4 * pick(100)};
    acquire();
}

static uint32_t first_round = 1, rounds = 400, round_at;

static void test_rounds(void)
{
    CASE("PGB-01, PGB-02, PGB-05, PGB-06, PGB-08, PGB-09, PGB-11, PGB-12, PGB-14, PGB-15, PGB-18, PGB-19, "
         "PGB-21, PGB-24, PGB-25, PGB-26, PGB-30, PGB-33, PGB-34, PGB-39, PGB-40, PGB-49");
    for (round_at = first_round; round_at < first_round + rounds; round_at++) {
        open_round(round_at);
        for (uint32_t i = 0; i < OPERATIONS; i++) {
            switch (pick(8)) {
            case 0:
            case 1:
            case 2: transfer_with_list(); break;
            case 3: transfer_local(); break;
            case 4: fill(); break;
            case 5: map_or_unmap(); break;
            case 6: touch(); break;
            default: discard(); break;
            }
            if (pick(8) != 0) continue;
            submit();
            wait_until(caller.fence);
            check_memories();
        }
        submit();
        wait_until(caller.fence);
        check_memories();
        device_destroy(device);
    }
    printf("%lu buffers with several operations, %lu partial ones, %lu answers BUSY\n", (unsigned long)batched,
           (unsigned long)partial, (unsigned long)busy);
    CHECK(rounds < 100 || (batched > 100 && partial > 100 && busy > 100));
}

int main(int count, char **arguments)
{
    if (count > 1) first_round = (uint32_t)strtoul(arguments[1], NULL, 0);
    if (count > 2) rounds = (uint32_t)strtoul(arguments[2], NULL, 0);
    CHECK_RUN(test_rounds);
    if (check_state.failed != 0) printf("repeat: test_caller %lu 1\n", (unsigned long)round_at);
    return check_finish();
}
