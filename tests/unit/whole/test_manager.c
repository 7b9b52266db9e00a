/* SPDX-License-Identifier: Apache-2.0
 *
 * What the memory manager does with descriptions, hints, limits and forced modes, seen by the host and in the
 * record between manager and driver. Content is judged by the host's pages.
 * SEG-16, SEG-17, SEG-18, SEG-19, SEG-21..SEG-23, SEG-27, ALC-05, ALC-19, PGB-44, CNF-04, CNF-05.
 */
#include "record.h"

enum { /* sets of the cut description */
       CUT_RAM_LOW = 1,
       CUT_COHERENT = 2,
       CUT_RAM_HIGH = 4,
       CUT_BANKED = 8,
       CUT_PLAIN = 16,
       CUT_MEMORY = CUT_RAM_LOW | CUT_RAM_HIGH | CUT_BANKED,
       CUT_APERTURES = CUT_COHERENT | CUT_PLAIN
};

static void boot_with(uint32_t description, uint32_t options, uint32_t commit_limit, uint32_t force)
{
    options |= FIELD_PUT(description, HOST_BOOT_OPTIONS_DESCRIPTION);
    boot = (struct client_boot){.force = force, .options = options, .commit_limit = commit_limit};
}

static uint32_t create_with(struct client_allocation *allocation, uint32_t pages, uint32_t set, uint32_t word,
                            uint32_t value)
{
    uint32_t message[16] = {0};
    message[word] = value;
    return client_create(&client, allocation, pages, set, message);
}

/* ------------------------------------------------------------------ descriptions */

/* SEG-18, SEG-19: five segments of both kinds in any order; an allocation of one segment's bit lands in the segment
 * with that id, at the address the description says, and its bytes are its own. */
static void test_cut_description(void)
{
    CASE("SEG-18, SEG-19");
    static const struct {
        uint32_t flags, base, pages;
    } expected[] = {
        {0, 0x10000000, 4},
        {DDI_SEGMENT_APERTURE | DDI_SEGMENT_CACHE_COHERENT, 0x30000000, 8},
        {0, 0x10004000, 4},
        {DDI_SEGMENT_USE_BANKING, 0x20000000, 16},
        {DDI_SEGMENT_APERTURE, 0x30008000, 8},
    };
    struct client_allocation a[5], none;
    boot_with(DESCRIPTION_CUT, 0, 0, 0);
    open_recorded(8, 16);
    const struct manager *manager = &device_gpu(client.device)->manager;
    CHECK_EQUAL(manager->adapter.nb_segment, 5);
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_EQUAL(manager->segments[i].flags, expected[i].flags);
        CHECK_EQUAL(manager->segments[i].base_address, expected[i].base);
        CHECK_EQUAL(manager->segments[i].size, expected[i].pages * CLIENT_PAGE);
        CHECK_EQUAL(client_create(&client, &a[i], 2, 1u << i, NULL), STATUS_OK);
        fill_pattern(&a[i], (uint8_t)(10 + i));
        CHECK_EQUAL(use(context, &a[i]), STATUS_OK);
        CHECK_EQUAL(segment_of(&a[i]), i + 1);
    }
    CHECK_EQUAL(client_create(&client, &none, 1, 32, NULL), STATUS_BAD_SEGMENT_SET); /* no sixth */
    for (uint32_t i = 0; i < 5; i++) { /* what the GPU wrote, where the description says */
        uint8_t byte;
        CHECK(engine_model_read(device_engine(client.device), expected[i].base, &byte) && byte == 1);
        CHECK_EQUAL(client_lock(&client, &a[i], 0), STATUS_OK);
        uint8_t bytes[2 * CLIENT_PAGE];
        client_read(&client, &a[i], bytes);
        CHECK_EQUAL(word_of(&a[i], 0), 1);
        for (uint32_t k = 8; k < sizeof bytes; k++) CHECK_EQUAL(bytes[k], (uint8_t)(10 + i + k * 7u + k / 256u));
    }
    close_checked();
}

/* A description that does not exist stops the boot. SEG-27: the totals reach the host, in pages. */
static void test_totals_reported(void)
{
    CASE("SEG-27");
    const struct {
        uint32_t description, options, limit, shared;
    } rows[] = {
        {DESCRIPTION_WHOLE, 0, 0, 16},
        {DESCRIPTION_CUT, FIELD_PUT(1, HOST_BOOT_OPTIONS_PLAIN_QUERY), 0, 16},
        {DESCRIPTION_CUT, 0, 5, 5},
        {DESCRIPTION_WHOLE, 0, 99, 16},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        boot_with(rows[i].description, rows[i].options, rows[i].limit, 0);
        open_recorded(8, 16);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_DEDICATED_VIDEO], 24);
        CHECK_EQUAL(statistics[STAT_DEDICATED_SYSTEM], 0);
        CHECK_EQUAL(statistics[STAT_AVAILABLE_SYSTEM], (64u << 20) / CLIENT_PAGE); /* 8 MiB: the least there is */
        CHECK_EQUAL(statistics[STAT_SHARED_SYSTEM], rows[i].shared);
        CHECK_EQUAL(statistics[STAT_TOTAL_VIDEO], 24 + rows[i].shared);
        close_checked();
    }
    uint32_t statistics[STAT_COUNT];
    boot_with(DESCRIPTION_WHOLE, 0, 0, 0); /* all the pages that there are, to the last one */
    open_recorded(64, 4096);
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_DEDICATED_VIDEO], 64 + 4096);
    CHECK_EQUAL(statistics[STAT_TOTAL_VIDEO], 64 + 4096 + statistics[STAT_SHARED_SYSTEM]);
    close_checked();
}

/* SEG-16, SEG-17: two apertures of 8 pages under one limit of 6: more is allocated than may be mapped; never more is
 * mapped at once, counted in the engine's own table, and both apertures are used. */
static void test_global_limit(void)
{
    CASE("SEG-16, SEG-17");
    struct client_allocation a[8], large;
    boot_with(DESCRIPTION_CUT, 0, 6, 0);
    open_recorded(8, 16);
    const struct engine_model *engine = device_engine(client.device);
    uint32_t context = client_context(&client, 0), most = 0, in[2] = {0, 0};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQUAL(client_create(&client, &a[i], 2, i % 2 ? CUT_COHERENT : CUT_PLAIN, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &large, 7, CUT_APERTURES, NULL), STATUS_NO_SEGMENT);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t mapped = 0;
        CHECK_EQUAL(use(context, &a[i * 3 % 8]), STATUS_OK);
        for (uint32_t page = 0; page < 16; page++) {
            uint32_t is_mapped = FIELD_GET(engine->aperture[page], APERTURE_ENTRY_MAPPED);
            mapped += is_mapped;
            in[page / 8] += is_mapped;
        }
        CHECK(mapped <= 6);
        most = max_u32(most, mapped);
    }
    CHECK_EQUAL(most, 6);
    CHECK(in[0] > 0 && in[1] > 0);
    CHECK(statistic(STAT_MAPPED_MAX) == 6);
    /* An eviction through an aperture needs room under the limit too; without, straight to the pages. */
    struct client_allocation local;
    CHECK_EQUAL(create_with(&local, 1, CUT_BANKED, MSG_CREATE_ALLOCATION_EVICTION_SET, CUT_APERTURES), STATUS_OK);
    CHECK_EQUAL(use(context, &local), STATUS_OK);
    forget();
    CHECK_EQUAL(evict(&local), STATUS_OK);
    CHECK_EQUAL(built_count, 1);
    CHECK_EQUAL(only(DDI_TRANSFER)->u.transfer.destination.segment_id, 0);
    /* One that may live in memory too does so when the limit is taken by what must not leave. */
    struct client_allocation either;
    CHECK_EQUAL(create_with(&either, 5, CUT_PLAIN | CUT_BANKED, MSG_CREATE_ALLOCATION_PREFERRED, 5), STATUS_OK);
    stream_init(&stream);
    stream_copy(&stream, a[0].handle, 0, either.handle, 0, 8, 0); /* one group: both at once */
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    CHECK_EQUAL(segment_of(&either), 4);
    close_checked();
}

/* SEG-16: an aperture's own limit, 3 of its 8 pages, where the global one leaves room for more. */
static void test_limit_of_one(void)
{
    CASE("SEG-16");
    struct client_allocation a[8];
    own_commit_limit[1] = 3;
    boot_with(DESCRIPTION_CUT, 0, 0, 0);
    open_recorded(8, 16);
    own_commit_limit[1] = 0;
    const struct engine_model *engine = device_engine(client.device);
    uint32_t context = client_context(&client, 0), most[2] = {0, 0};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQUAL(client_create(&client, &a[i], 1 + i % 2, i < 4 ? CUT_COHERENT : CUT_PLAIN, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t mapped[2] = {0, 0};
        CHECK_EQUAL(use(context, &a[i % 8]), STATUS_OK);
        for (uint32_t page = 0; page < 16; page++)
            mapped[page / 8] += FIELD_GET(engine->aperture[page], APERTURE_ENTRY_MAPPED);
        for (uint32_t k = 0; k < 2; k++) most[k] = max_u32(most[k], mapped[k]);
    }
    CHECK_EQUAL(most[0], 3);
    CHECK_EQUAL(most[1], 6);
    CHECK_EQUAL(statistic(STAT_SHARED_SYSTEM), 11);
    struct client_allocation large;
    CHECK_EQUAL(client_create(&client, &large, 4, CUT_COHERENT, NULL), STATUS_NO_SEGMENT);
    close_checked();
}

/* ------------------------------------------------------------------ banks */

static void check_place(const struct client_allocation *allocation, uint32_t first_page)
{
    CHECK_EQUAL(segment_of(allocation), 4);
    CHECK_EQUAL(entry_of(allocation)->first_page, first_page);
}

/* SEG-22, SEG-23: banks of 4 pages; hints in their order, each from its end, while there is room; then anywhere,
 * which is counted. SEG-21: what is larger than a bank straddles banks inside the segment. Hints are about the most
 * preferred segment, and numbers of no bank are passed over. */
static void test_banks(void)
{
    CASE("SEG-22, SEG-23, SEG-21");
    enum { BANK_3_UP = 3, BANK_1_DOWN = 1 | 128, NO_BANK = 77 };
    static const uint32_t expected[] = {8, 9, 10, 11, 3, 2, 1, 0, 4};
    struct client_allocation a[9], large, elsewhere, wall;
    uint32_t message[16] = {0};
    boot_with(DESCRIPTION_CUT, 0, 0, 0);
    open_recorded(8, 16);
    uint32_t context = client_context(&client, 0);
    message[MSG_CREATE_ALLOCATION_PREFERRED] = 4;
    message[MSG_CREATE_ALLOCATION_BANKS] = NO_BANK | BANK_3_UP << 8 | BANK_1_DOWN << 16;
    for (uint32_t i = 0; i < 9; i++) {
        CHECK_EQUAL(client_create(&client, &a[i], 1, CUT_MEMORY, message), STATUS_OK);
        CHECK_EQUAL(use(context, &a[i]), STATUS_OK);
        check_place(&a[i], expected[i]);
    }
    CHECK_EQUAL(statistic(STAT_BANK_HINTS), 8);
    CHECK_EQUAL(statistic(STAT_BANK_HINTS_MISSED), 1);
    for (uint32_t i = 0; i < 9; i++) CHECK_EQUAL(client_destroy(&client, &a[i]), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &large, 6, CUT_MEMORY, message), STATUS_OK);
    CHECK_EQUAL(use(context, &large), STATUS_OK);
    check_place(&large, 0);
    message[MSG_CREATE_ALLOCATION_PREFERRED] = 1 | 4 << 6; /* banks of a segment that has none */
    CHECK_EQUAL(client_create(&client, &elsewhere, 1, CUT_MEMORY, message), STATUS_OK);
    CHECK_EQUAL(use(context, &elsewhere), STATUS_OK);
    CHECK_EQUAL(segment_of(&elsewhere), 1);
    CHECK_EQUAL(evict(&elsewhere), STATUS_OK); /* that one full: the hints are not about the second choice */
    CHECK_EQUAL(create_with(&wall, 4, CUT_RAM_LOW, MSG_CREATE_ALLOCATION_FLAGS, ALLOCATION_PINNED), STATUS_OK);
    CHECK_EQUAL(use(context, &wall), STATUS_OK);
    CHECK_EQUAL(use(context, &elsewhere), STATUS_OK);
    check_place(&elsewhere, 6);
    close_checked();
}

/* ------------------------------------------------------------------ eviction through an aperture */

/* ALC-05: the pages are mapped in an aperture of the set, one copy goes from segment to segment, the range is unmapped;
 * without room there, straight to the pages (ALC-04). */
static void test_eviction_through_aperture(void)
{
    CASE("ALC-05, ALC-04");
    struct client_allocation a, filler;
    for (uint32_t set = CUT_COHERENT; set <= CUT_PLAIN; set += CUT_PLAIN - CUT_COHERENT) {
        uint32_t id = set == CUT_COHERENT ? 2 : 5;
        boot_with(DESCRIPTION_CUT, 0, 0, 0);
        open_recorded(8, 16);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(create_with(&a, 3, CUT_BANKED, MSG_CREATE_ALLOCATION_EVICTION_SET, set), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &filler, 6, set, NULL), STATUS_OK);
        fill_pattern(&a, 77);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        forget();
        CHECK_EQUAL(evict(&a), STATUS_OK);
        CHECK_EQUAL(built_count, 3);
        CHECK_EQUAL(built[0].operation, DDI_MAP_APERTURE_SEGMENT);
        CHECK_EQUAL(built[0].u.map.segment_id, id);
        CHECK_EQUAL(built[0].u.map.number_of_pages, 3);
        CHECK_EQUAL(built[0].u.map.mdl, a.list);
        CHECK_EQUAL(built[1].operation, DDI_TRANSFER);
        CHECK_EQUAL(built[1].u.transfer.source.segment_id, 4);
        CHECK_EQUAL(built[1].u.transfer.destination.segment_id, id);
        CHECK_EQUAL(built[1].u.transfer.destination.segment_address,
                    (set == CUT_COHERENT ? 0x30000000u : 0x30008000u) + built[0].u.map.offset_in_pages * CLIENT_PAGE);
        CHECK_EQUAL(built[2].operation, DDI_UNMAP_APERTURE_SEGMENT);
        CHECK_EQUAL(built[2].u.unmap.segment_id, id);
        CHECK_EQUAL(built[2].u.unmap.offset_in_pages, built[0].u.map.offset_in_pages);
        CHECK_EQUAL(statistic(STAT_PAGES_THROUGH_APERTURE), 3);
        CHECK_EQUAL(word_of(&a, 0), 1);
        CHECK_EQUAL(word_of(&a, 1), 1);
        uint8_t bytes[3 * CLIENT_PAGE];
        client_read(&client, &a, bytes);
        for (uint32_t i = 8; i < sizeof bytes; i++) CHECK_EQUAL(bytes[i], (uint8_t)(77 + i * 7u + i / 256u));
        CHECK_EQUAL(use(context, &filler), STATUS_OK); /* 2 pages are left in that aperture */
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        forget();
        CHECK_EQUAL(evict(&a), STATUS_OK);
        CHECK_EQUAL(built_count, 1);
        CHECK_EQUAL(only(DDI_TRANSFER)->u.transfer.destination.segment_id, 0);
        close_checked();
    }
}

/* ALC-19, PGB-44: tiled content that leaves through a linearising aperture arrives linear, in pieces of any size and
 * paging buffers of any size, and comes back tiled. */
static void test_swizzled_through_aperture(void)
{
    CASE("ALC-19, PGB-44");
    for (uint32_t pieces = 0; pieces < 3; pieces++) {
        struct client_allocation a;
        uint32_t message[16] = {0};
        message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED;
        message[MSG_CREATE_ALLOCATION_PITCH] = 128;
        message[MSG_CREATE_ALLOCATION_HEIGHT] = 64 | 2u << 16; /* 8192 and 2048 bytes, and plain bytes after */
        message[MSG_CREATE_ALLOCATION_EVICTION_SET] = CUT_APERTURES;
        boot_with(DESCRIPTION_CUT,
                  FIELD_PUT(pieces, HOST_BOOT_OPTIONS_TRANSFER_PAGES) |
                      FIELD_PUT(pieces == 2 ? 5 : 0, HOST_BOOT_OPTIONS_PAGING_WORDS),
                  0, 0);
        open_recorded(8, 16);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &a, 4, CUT_BANKED, message), STATUS_OK);
        fill_pattern(&a, 5);
        stream_init(&stream); /* the last 8 bytes of the plain end: the rest must survive two ways */
        stream_fill(&stream, a.handle, 4 * CLIENT_PAGE - 8, 8, 1, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        uint8_t byte; /* row 1 of the surface follows row 0 after 32 bytes in a tile, after 128 in the pages */
        CHECK(engine_model_read(device_engine(client.device), 0x20000020u, &byte));
        CHECK_EQUAL(byte, (uint8_t)(5 + 128u * 7u + 128u / 256u));
        CHECK_EQUAL(evict(&a), STATUS_OK);
        CHECK_EQUAL(statistic(STAT_PAGES_THROUGH_APERTURE), 4);
        uint8_t bytes[4 * CLIENT_PAGE];
        client_read(&client, &a, bytes);
        for (uint32_t i = 0; i < sizeof bytes - 8; i++) CHECK_EQUAL(bytes[i], (uint8_t)(5 + i * 7u + i / 256u));
        CHECK_EQUAL(word_of(&a, CLIENT_PAGE - 1), 1);
        close_checked();
    }
}

/* ------------------------------------------------------------------ forced modes */

static uint32_t job_of_two(uint32_t context, const struct client_allocation *a, const struct client_allocation *b)
{
    stream_init(&stream);
    stream_bind(&stream, 3, a->handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 3, 0, 0, 4, 4, 0x77);
    stream_copy(&stream, a->handle, 0, b->handle, 0, 64, 8);
    return submit(context).status;
}

/* CNF-04: what is resident is pre-patched and need not be patched again; NO_PREPATCH: nothing is; ALWAYS_REPATCH: every
 * entry is written all the same. The content does not depend on it. */
static void test_patch_modes(void)
{
    CASE("CNF-04");
    const struct {
        uint32_t force, valid, patched;
    } rows[] = {
        {0, 3, 0},
        {FIELD_PUT(1, HOST_FORCE_NO_PREPATCH), 0, 3},
        {FIELD_PUT(1, HOST_FORCE_ALWAYS_REPATCH), 3, 3},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct client_allocation a, b;
        boot_with(DESCRIPTION_WHOLE, 0, 0, rows[i].force);
        open_recorded(8, 8);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_2, NULL), STATUS_OK);
        CHECK_EQUAL(job_of_two(context, &a, &b), STATUS_OK);
        uint32_t valid = statistic(STAT_PREPATCH_VALID), patched = statistic(STAT_PATCHED);
        CHECK(valid == 0 && patched == 3); /* nothing was resident */
        CHECK_EQUAL(job_of_two(context, &a, &b), STATUS_OK);
        CHECK_EQUAL(statistic(STAT_PREPATCH_VALID) - valid, rows[i].valid);
        CHECK_EQUAL(statistic(STAT_PATCHED) - patched, rows[i].patched);
        CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
        CHECK_EQUAL(word_of(&b, 0), 0x77);
        close_checked();
    }
}

/* CLOBBER: binding registers of earlier jobs are emptied, those that a portion inherits are not. */
static void test_clobber(void)
{
    for (uint32_t is_forced = 0; is_forced < 2; is_forced++) {
        struct client_allocation a, b;
        boot_with(DESCRIPTION_WHOLE, 0, 0, FIELD_PUT(is_forced, HOST_FORCE_CLOBBER) | FIELD_PUT(1, HOST_FORCE_SPLIT));
        open_recorded(8, 8);
        const struct engine_node *node = &device_engine(client.device)->node[0];
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(job_of_two(context, &a, &b), STATUS_OK);
        CHECK(node->bindings[3].address != 0); /* sticky: the copy's portion inherits slot 3 */
        CHECK_EQUAL(use(context, &b), STATUS_OK);
        CHECK_EQUAL(node->bindings[3].address == 0, is_forced);
        for (uint32_t i = 0; i < submitted_count; i++)
            CHECK_EQUAL(submitted[i].clobbered_slots != 0, is_forced && !submitted[i].is_paging);
        close_checked();
    }
}

/* EVICT: everything evictable leaves before each job. The paging buffer's size and the commit limit at their least,
 * with sub-transfers of a page, at once: the bytes are the same. */
static void test_minimal_machine(void)
{
    struct client_allocation a, b;
    const uint32_t least =
        FIELD_PUT(5, HOST_BOOT_OPTIONS_PAGING_WORDS) | FIELD_PUT(1, HOST_BOOT_OPTIONS_TRANSFER_PAGES);
    boot_with(DESCRIPTION_CUT, least, 2, FIELD_PUT(1, HOST_FORCE_EVICT));
    open_recorded(4, 4);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(create_with(&a, 2, CUT_RAM_LOW, MSG_CREATE_ALLOCATION_EVICTION_SET, CUT_APERTURES), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, CUT_APERTURES, NULL), STATUS_OK);
    fill_pattern(&a, 3);
    fill_pattern(&b, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(use(context, i % 2 ? &a : &b), STATUS_OK);
        CHECK_EQUAL(is_resident(&a), i % 2);
        CHECK_EQUAL(is_resident(&b), 1 - i % 2);
    }
    CHECK_EQUAL(device_gpu(client.device)->manager.adapter.paging_buffer_size, 20);
    CHECK(statistic(STAT_PAGES_THROUGH_APERTURE) >= 2);
    for (uint32_t i = 0; i < submitted_count; i++)
        CHECK(!submitted[i].is_paging || submitted[i].submission_end_offset <= 20);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    CHECK_EQUAL(word_of(&a, 0), 1);
    CHECK_EQUAL(word_of(&a, 1), 1);
    CHECK_EQUAL(word_of(&a, 2) & 0xff, (uint8_t)(3 + 8 * 7));
    close_checked();
}

/* CNF-05: preparation fails at the n-th step: a clean refusal, nothing leaks, and the next job runs. */
static void test_failed_preparation(void)
{
    CASE("CNF-05");
    for (uint32_t step = 1; step <= 4; step++) {
        struct client_allocation a[3];
        boot_with(DESCRIPTION_CUT, 0, 0, FIELD_PUT(step, HOST_FORCE_FAIL_STEP));
        open_recorded(4, 4);
        uint32_t context = client_context(&client, 0);
        stream_init(&stream);
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_EQUAL(client_create(&client, &a[i], 1, CUT_MEMORY | CUT_APERTURES, NULL), STATUS_OK);
            stream_fill(&stream, a[i].handle, 0, 8, i, i);
        }
        CHECK_EQUAL(submit(context).status, step <= 3 ? STATUS_NO_PLACEMENT : STATUS_OK);
        client.transport.register_write(client.transport.context, HOST_FORCE_OFFSET, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        close_checked();
    }
}

/* ------------------------------------------------------------------ time */

/* One packet of the paging node copies 32 contiguous pages and takes twenty times the time-out: as long as bytes move
 * that is no reason to reset it. The same without a byte moved is. */
static void test_long_copy(void)
{
    for (uint32_t is_stuck = 0; is_stuck < 2; is_stuck++) {
        struct client_allocation a;
        boot_with(DESCRIPTION_WHOLE, 0, 0, 0);
        boot.timeout = 4000;
        open_recorded(8, 40);
        boot.timeout = 0;
        uint32_t context = client_context(&client, 0), list[32];
        CHECK_EQUAL(client_create(&client, &a, 32, SET_2, NULL), STATUS_OK);
        for (uint32_t i = 0; i < 32; i++) { /* in a row */
            a.page[i] = (uint16_t)(a.page[0] + i);
            list[i] = a.page[i];
        }
        a.list = (uint32_t)(a.page[31] + 1) * CLIENT_PAGE; /* after them, where nothing else is */
        client.next_page = a.page[31] + 2u;
        client.transport.memory_write(client.transport.context, a.list, list, sizeof list);
        const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_PAGES] = a.list};
        struct client_allocation row = a;
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &row, 32, SET_2, message), STATUS_OK);
        row.list = a.list;
        memcpy(row.page, a.page, sizeof a.page);
        fill_pattern(&row, 8);
        forget();
        device_slow(client.device, NODE_PAGING, 200, is_stuck ? 0 : 256);
        uint32_t status = use(context, &row);
        CHECK_EQUAL(built_to[0] - built[0].dma_buffer, 4 * PKT_COPY_WORDS); /* one packet */
        device_slow(client.device, NODE_PAGING, 0, 0);
        CHECK_EQUAL(statistic(STAT_RECOVERIES) != 0, is_stuck);
        CHECK_EQUAL(status, is_stuck ? STATUS_TIMEOUT : STATUS_OK);
        if (is_stuck) {
            close_checked();
            continue;
        }
        CHECK_EQUAL(evict(&row), STATUS_OK);
        CHECK_EQUAL(word_of(&row, 0), 1);
        CHECK_EQUAL(word_of(&row, 32 * CLIENT_PAGE / 4 - 1) & 0xff,
                    (uint8_t)(8 + (32 * CLIENT_PAGE - 4) * 7u + (32 * CLIENT_PAGE - 4) / 256u));
        close_checked();
    }
}

/* The private memory of jobs is a ring: what waits is not overwritten by what comes, however full it is. Method: seven
 * jobs under way, of up to 700 patch locations where 1,536 have room, each storing words one by one. */
static void test_pool_wraps(void)
{
    enum { ROUNDS = 60, WORDS = 4096, DEPTH = 7 };
    static uint32_t expected[WORDS];
    struct client_allocation a;
    open_recorded(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 4, SET_1, NULL), STATUS_OK);
    struct engine_node *render = &device_engine(client.device)->node[0];
    uint32_t context = client_context(&client, 0), message[16], in_flight = 0, count = 0, random = 5;
    CHECK_EQUAL(client_lock(&client, &a, LOCK_DISCARD), STATUS_OK);
    memset(expected, 0, sizeof expected);
    client_write(&client, &a, (const uint8_t *)expected);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    while (count < ROUNDS || in_flight > 0) {
        render->is_enabled = false;
        for (; count < ROUNDS && in_flight < DEPTH; in_flight++, count++) {
            stream_init(&stream);
            for (uint32_t left = 1 + check_pick(&random, 700); left > 0; left--) {
                uint32_t word = check_pick(&random, WORDS);
                expected[word] = check_random(&random);
                stream_fill(&stream, a.handle, word * 4, 4, expected[word], 0);
            }
            client_stage(&client, &stream, context, count % 16, message);
            client_send(&client, message);
        }
        for (uint32_t i = 0; i < 100; i++) device_turn(client.device);
        render->is_enabled = true;
        struct answer answer;
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        in_flight--;
        forget();
    }
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    for (uint32_t i = 0; i < WORDS; i++) CHECK_EQUAL(word_of(&a, i), expected[i]);
    CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_cut_description);
    CHECK_RUN(test_totals_reported);
    CHECK_RUN(test_global_limit);
    CHECK_RUN(test_limit_of_one);
    CHECK_RUN(test_banks);
    CHECK_RUN(test_eviction_through_aperture);
    CHECK_RUN(test_swizzled_through_aperture);
    CHECK_RUN(test_patch_modes);
    CHECK_RUN(test_clobber);
    CHECK_RUN(test_minimal_machine);
    CHECK_RUN(test_failed_preparation);
    CHECK_RUN(test_long_copy);
    CHECK_RUN(test_pool_wraps);
    return check_finish();
}
