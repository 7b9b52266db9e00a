/* SPDX-License-Identifier: Apache-2.0
 *
 * Requirements seen from between manager and driver: a driver that is ours inside records every call while the
 * whole firmware works, and the record is judged. Content is judged by the host's pages.
 * SEG-07, SEG-25, ALC-02, ALC-04, ALC-13, ALC-18, ALC-20, ALC-22, CAP-01, CAP-05.
 */
#include "record.h"

/* ------------------------------------------------------------------ who runs paging, and from where */

/* CAP-05: paging runs on the driver's PagingNode and nothing else does. SEG-07: its buffers lie in the memory that
 * PagingBufferSegmentId names, 0: contiguous memory outside every segment, which is the command RAM, and never
 * where a DMA buffer lies at the same time. */
static void test_paging_node(void)
{
    CASE("CAP-05, SEG-07");
    struct client_allocation a[6];
    open_recorded(2, 2);
    CHECK_EQUAL(device_gpu(client.device)->manager.adapter.paging_buffer_segment_id, 0);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQUAL(client_create(&client, &a[i], 1, i < 4 ? SET_LOCAL : SET_APERTURE, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0), paging = 0, render = 0, low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < 18; i++) CHECK_EQUAL(use(context, &a[i % 6]), STATUS_OK);
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(evict(&a[i]), STATUS_OK);
    const uint32_t node = device_gpu(client.device)->manager.caps.paging_node;
    for (uint32_t i = 0; i < submitted_count; i++) {
        const struct ddi_submit_command *command = &submitted[i];
        CHECK_EQUAL(command->node_ordinal == node, command->is_paging);
        CHECK(command->dma_buffer + command->dma_buffer_size <= COMMAND_BYTES);
        paging += command->is_paging;
        render += !command->is_paging;
        if (!command->is_paging) continue;
        low = min_u32(low, command->dma_buffer);
        high = max_u32(high, command->dma_buffer + command->submission_end_offset);
    }
    CHECK(paging >= 6 && render >= 18);
    for (uint32_t i = 0; i < submitted_count; i++)
        CHECK(submitted[i].is_paging || submitted[i].dma_buffer >= high ||
              submitted[i].dma_buffer + submitted[i].dma_buffer_size <= low);
    for (uint32_t i = 0; i < built_count; i++) CHECK(built[i].dma_buffer >= low && built[i].dma_buffer < COMMAND_BYTES);
    close_checked();
}

/* CAP-01: rows 0 to MaxAllocationListSlotId of the resource table, in a field of 24 bits. */
static void test_slots(void)
{
    CASE("CAP-01");
    struct client_allocation a;
    static const struct {
        uint32_t slot, status;
    } rows[] = {
        {0, STATUS_OK},
        {SLOT_LIMIT - 1, STATUS_OK},
        {SLOT_LIMIT, STATUS_BAD_SLOT},
        {255, STATUS_BAD_SLOT},
        {256, STATUS_BAD_SLOT},
        {0xffffff, STATUS_BAD_SLOT},
        {1u << 24, STATUS_BAD_SLOT},
        {0xff000001u, STATUS_BAD_SLOT},
    };
    open_recorded(4, 4);
    CHECK_EQUAL(device_gpu(client.device)->manager.caps.max_allocation_list_slot_id, SLOT_LIMIT - 1);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        stream_init(&stream);
        stream_fill(&stream, a.handle, 0, 8, 1, rows[i].slot);
        CHECK_EQUAL(submit(context).status, rows[i].status);
    }
    close_checked();
}

/* ------------------------------------------------------------------ synchronous paging */

/* Two allocations take turns in one page while the render node is behind; how often was an operation on `a` built
 * before the last DMA buffer that uses `a` was done? No DMA buffer starts before the paging ahead of it is over. */
static uint32_t count_early(uint32_t flags, uint32_t seed)
{
    enum { JOBS = 12 };
    struct client_allocation a, b;
    struct answer answer;
    uint32_t message[16] = {0}, early = 0, operations = 0, last_paging = 0;
    open_seeded(1, 4, seed);
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | flags;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, message), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    forget();
    for (uint32_t i = 0; i < JOBS; i++) {
        stream_init(&stream);
        stream_fill(&stream, i % 2 != 0 ? b.handle : a.handle, i * 8, 8, 0x90 + i, 0);
        client_stage(&client, &stream, context, i, message);
        client_send(&client, message);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    for (uint32_t i = 0; i < built_count; i++) {
        operations += built[i].allocation.handle == a.handle;
        early += built[i].allocation.handle == a.handle && !was_idle[i];
    }
    CHECK(operations >= JOBS - 1); /* in and out, every time */
    for (uint32_t i = 0; i < submitted_count; i++) {
        if (submitted[i].is_paging) last_paging = submitted[i].submission_fence_id;
        else
            CHECK(fence_reached(paging_fence[i], last_paging) ||
                  (submitted[i].must_wait && fence_reached(submitted[i].wait_fence_id, last_paging)));
    }
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    for (uint32_t i = 0; i < JOBS; i += 2) CHECK_EQUAL(word_of(&a, i * 2), 0x90 + i);
    close_checked();
    return early;
}

/* ALC-13: a SynchronousPaging allocation is not paged while any fence refers to it; without the flag paging is
 * built ahead, so the record can tell the difference. */
static void test_synchronous_paging(void)
{
    CASE("ALC-13");
    uint32_t early = 0;
    for (uint32_t seed = 1; seed <= 8; seed++) early += count_early(0, seed);
    CHECK(early > 0);
    for (uint32_t seed = 1; seed <= 8; seed++) CHECK_EQUAL(count_early(ALLOCATION_SYNCHRONOUS_PAGING, seed), 0);
}

/* ------------------------------------------------------------------ segments the host cannot see */

/* SEG-25: no segment is CpuVisible here, so there is no CPU offset to differ: a lock brings the content to the
 * host's pages, byte for byte, wherever in its segment the allocation was. ALC-04: with EvictionSegmentSet 0 that
 * is one Transfer from the segment to the page list. */
static void test_eviction(void)
{
    CASE("SEG-25, ALC-04");
    struct client_allocation a, b;
    for (uint32_t set = SET_1; set <= SET_2; set *= 2) {
        open_recorded(4, 4);
        const struct manager *manager = &device_gpu(client.device)->manager;
        CHECK_EQUAL(manager->adapter.nb_segment, 3);
        for (uint32_t i = 0; i < manager->adapter.nb_segment; i++) {
            CHECK_EQUAL(manager->segments[i].flags & DDI_SEGMENT_CPU_VISIBLE, 0);
            CHECK_EQUAL(manager->segments[i].cpu_translated_address, 0);
        }
        CHECK_EQUAL(client_create(&client, &b, 1, set, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &a, 3, set, NULL), STATUS_OK);
        fill_pattern(&a, 9);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(use(context, &b), STATUS_OK); /* so that `a` does not start at offset 0 */
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(segment_of(&a), set);
        forget();
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        CHECK_EQUAL(segment_of(&a), 0);
        const struct ddi_build_paging_buffer *transfer = only(DDI_TRANSFER);
        CHECK_EQUAL(built_count, 1);
        CHECK_EQUAL(transfer->u.transfer.source.segment_id, set);
        CHECK_EQUAL(transfer->u.transfer.source.segment_address, (set << 28) + CLIENT_PAGE);
        CHECK_EQUAL(transfer->u.transfer.destination.segment_id, 0);
        CHECK_EQUAL(transfer->u.transfer.destination.mdl, a.list);
        CHECK_EQUAL(transfer->u.transfer.transfer_size, 3 * CLIENT_PAGE);
        CHECK_EQUAL(transfer->u.transfer.transfer_offset, 0);
        CHECK_EQUAL(word_of(&a, 0), 1); /* what the GPU wrote */
        CHECK_EQUAL(word_of(&a, 1), 1);
        uint8_t bytes[3 * CLIENT_PAGE];
        client_read(&client, &a, bytes);
        for (uint32_t i = 8; i < sizeof bytes; i++) CHECK_EQUAL(bytes[i], (uint8_t)(9 + i * 7u + i / 256u));
        close_checked();
    }
}

/* ALC-18, as it holds here: the CPU's address of an allocation is its own pages, for good. Bytes written under a lock
 * stay there while everything else is paged, the GPU is kept away until unlock, and page-in brings them in. */
static void test_locked_address(void)
{
    CASE("ALC-18");
    struct client_allocation a, others[4];
    for (uint32_t set = SET_1; set <= SET_APERTURE; set *= 2) {
        open_recorded(2, 2);
        CHECK_EQUAL(client_create(&client, &a, 1, set, NULL), STATUS_OK);
        for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &others[i], 1, set, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        fill_pattern(&a, 33);
        for (uint32_t i = 0; i < 8; i++) CHECK_EQUAL(use(context, &others[i % 4]), STATUS_OK); /* pressure */
        const uint32_t everything[16] = {MSG_EVICT};
        CHECK_EQUAL(client_call(&client, everything).status, STATUS_OK);
        CHECK_EQUAL(use(context, &a), STATUS_LOCKED);
        CHECK(has_pattern(&a, 33));
        CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(evict(&a), STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        uint8_t bytes[CLIENT_PAGE];
        client_read(&client, &a, bytes);
        CHECK_EQUAL(word_of(&a, 0), 1);
        for (uint32_t i = 8; i < CLIENT_PAGE; i++) CHECK_EQUAL(bytes[i], (uint8_t)(33 + i * 7u + i / 256u));
        close_checked();
    }
}

/* ALC-20: out with Unswizzle; the next GPU use brings it back to a memory segment with Swizzle, and an aperture is
 * never a place for it. */
static void test_swizzled_return(void)
{
    CASE("ALC-20");
    struct client_allocation a;
    uint32_t message[16] = {0};
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED;
    message[MSG_CREATE_ALLOCATION_PITCH] = 128;
    message[MSG_CREATE_ALLOCATION_HEIGHT] = 32 | 1u << 16;
    open_recorded(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_ALL, message), STATUS_BAD_SEGMENT_SET);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_APERTURE, message), STATUS_BAD_SEGMENT_SET);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, message), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    for (uint32_t round = 0; round < 3; round++) {
        forget();
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        const struct ddi_transfer *in = &only(DDI_TRANSFER)->u.transfer;
        CHECK(segment_of(&a) == 1 || segment_of(&a) == 2);
        CHECK_EQUAL(in->flags & (DDI_TRANSFER_SWIZZLE | DDI_TRANSFER_UNSWIZZLE), DDI_TRANSFER_SWIZZLE);
        CHECK_EQUAL(in->destination.segment_id, segment_of(&a));
        forget();
        CHECK_EQUAL(evict(&a), STATUS_OK);
        const struct ddi_transfer *back = &only(DDI_TRANSFER)->u.transfer;
        CHECK_EQUAL(back->flags & (DDI_TRANSFER_SWIZZLE | DDI_TRANSFER_UNSWIZZLE), DDI_TRANSFER_UNSWIZZLE);
        CHECK_EQUAL(back->destination.segment_id, 0);
        CHECK_EQUAL(segment_of(&a), 0);
    }
    close_checked();
}

/* ------------------------------------------------------------------ refusals at creation */

/* ALC-02: a preference outside the supported sets, in every one of the five places, with either direction; inside
 * them every combination of sets is accepted. */
static void test_preferences(void)
{
    CASE("ALC-02");
    struct client_allocation a;
    uint32_t message[16] = {0};
    open_recorded(4, 4);
    for (uint32_t set = 1; set <= SET_ALL; set++)
        for (uint32_t id = 1; id <= 31; id++)
            for (uint32_t place = 0; place < 10; place++) {
                message[MSG_CREATE_ALLOCATION_PREFERRED] = (id | (place % 2) << 5) << (place / 2 * 6);
                bool is_inside = id <= SEGMENT_LIMIT && (set >> (id - 1) & 1) != 0;
                if (id > SEGMENT_LIMIT + 2 && id < 31) continue;
                client.next_page = CLIENT_FIRST_PAGE;
                uint32_t expected = is_inside ? STATUS_OK : STATUS_BAD_SEGMENT_SET;
                CHECK_EQUAL(client_create(&client, &a, 1, set, message), expected);
                if (is_inside) CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
            }
    /* Preferred for reading alone or writing alone is inside. */
    message[MSG_CREATE_ALLOCATION_PREFERRED] = 2;
    message[MSG_CREATE_ALLOCATION_READ_SET] = SET_2;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, message), STATUS_OK);
    message[MSG_CREATE_ALLOCATION_PREFERRED] = 3;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, message), STATUS_BAD_SEGMENT_SET);
    close_checked();
}

/* ALC-22: without CPU virtual memory UseAlternateVA is refused, at creation and at a lock, whatever comes with it. */
static void test_alternate_va(void)
{
    CASE("ALC-22");
    struct client_allocation a;
    uint32_t message[16] = {0};
    open_recorded(4, 4);
    for (uint32_t with = 0; with < 4; with++) {
        message[MSG_CREATE_ALLOCATION_FLAGS] =
            ALLOCATION_ALTERNATE_VA | (with & 1 ? ALLOCATION_CPU_VISIBLE : 0) | (with & 2 ? ALLOCATION_PINNED : 0);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, message), STATUS_BAD_FLAGS);
    }
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, NULL), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_ALTERNATE_VA), STATUS_BAD_FLAGS);
    CHECK_EQUAL(client_lock(&client, &a, LOCK_ALTERNATE_VA | LOCK_ACQUIRE_APERTURE), STATUS_UNSUPPORTED);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_NOT_LOCKED);
    close_checked();
}

/* ------------------------------------------------------------------ what is mapped, from one operation to the next */

/* SEG-17 after each operation that is built, not only when the plan is over: what leaves is unmapped before what comes
 * is mapped. Six allocations of a page take turns with one that pushes five of them out of the aperture. */
static void test_mapped_total(void)
{
    CASE("SEG-17");
    enum { ALLOCATIONS = 7, LIMIT = 6, USES = 60 };
    struct client_allocation a[ALLOCATIONS];
    uint32_t full = 0, most_at_once = 0, at_once = 0;
    int32_t mapped = 0;
    boot = (struct client_boot){.commit_limit = LIMIT};
    open_recorded(4, 4);
    boot = (struct client_boot){0};
    for (uint32_t i = 0; i < ALLOCATIONS; i++)
        CHECK_EQUAL(client_create(&client, &a[i], i == 6u ? 5 : 1, SET_APERTURE, NULL), STATUS_OK);
    const uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < USES; i++) CHECK_EQUAL(use(context, &a[i % ALLOCATIONS]), STATUS_OK);
    for (uint32_t i = 0; i < built_count; i++) {
        if (answered[i] != DDI_SUCCESS) continue;
        at_once = built[i].operation == DDI_UNMAP_APERTURE_SEGMENT ? at_once + 1u : 0u;
        if (at_once > most_at_once) most_at_once = at_once;
        if (built[i].operation == DDI_MAP_APERTURE_SEGMENT) mapped += (int32_t)built[i].u.map.number_of_pages;
        if (built[i].operation == DDI_UNMAP_APERTURE_SEGMENT) mapped -= (int32_t)built[i].u.unmap.number_of_pages;
        CHECK(mapped >= 0 && mapped <= LIMIT);
        full += mapped == LIMIT;
    }
    CHECK(full > 5 && most_at_once >= 3);
    /* The gauges say what lies where. */
    CHECK_EQUAL(statistic(STAT_MAPPED_PAGES), mapped);
    for (uint32_t set = SET_1; set <= SET_2; set *= 2) {
        struct client_allocation local;
        CHECK_EQUAL(client_create(&client, &local, set + 1u, set, NULL), STATUS_OK);
        CHECK_EQUAL(use(context, &local), STATUS_OK);
    }
    CHECK_EQUAL(statistic(STAT_RESIDENT_PAGES_1), 2);
    CHECK_EQUAL(statistic(STAT_RESIDENT_PAGES_2), 3);
    CHECK_EQUAL(statistic(STAT_MAPPED_PAGES), mapped);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_mapped_total);
    CHECK_RUN(test_paging_node);
    CHECK_RUN(test_slots);
    CHECK_RUN(test_synchronous_paging);
    CHECK_RUN(test_eviction);
    CHECK_RUN(test_locked_address);
    CHECK_RUN(test_swizzled_return);
    CHECK_RUN(test_preferences);
    CHECK_RUN(test_alternate_va);
    return check_finish();
}
