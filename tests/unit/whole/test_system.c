/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole firmware on the golden model: goal, that a host's program gives the same bytes whatever is
 * split and paged; method, small deterministic programs, each about one rule, checked through locks.
 */
#include "system.h"

/* A copy through local memory; the lock sees what the GPU wrote (CNF-07). */
static void test_copy(void)
{
    CASE("CNF-07");
    struct client_allocation a, b;
    open_with(8, 8, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 3, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 3, SET_2, NULL), STATUS_OK);
    fill_pattern(&a, 5);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, b.handle, 0, 3 * CLIENT_PAGE, 60);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 1);
    CHECK_EQUAL(answer.words[2], 6);
    CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
    CHECK(has_pattern(&b, 5));
    CHECK_EQUAL(client_unlock(&client, &b), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    close_checked();
}

/* The worked example of the model's 4.7: three portions in two units of memory (SPL-09..SPL-13, SPL-25). */
static void test_worked_example(void)
{
    CASE("SPL-09, SPL-10, SPL-11, SPL-12, SPL-13, SPL-25");
    struct client_allocation a, b, c;
    open_with(2, 1, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &c, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 64, CLIENT_PAGE, true);
    stream.split = 0;
    uint32_t first = stream.patches_used;
    stream_bind(&stream, 1, b.handle, 0, 64, CLIENT_PAGE, true);
    stream.patch[first][PATCH_SPLIT_OFFSET] = 0;
    stream_fill_rect(&stream, 0, 0, 0, 4, 4, 0x11111111);
    stream_fill_rect(&stream, 1, 0, 0, 4, 4, 0x22222222);
    stream_bind(&stream, 1, c.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 1, 0, 0, 4, 4, 0x33333333);
    stream_fill_rect(&stream, 0, 8, 0, 4, 4, 0x44444444);
    stream_bind(&stream, 0, b.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 0, 8, 8, 4, 4, 0x55555555);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 3);
    uint32_t bytes[CLIENT_PAGE / 4];
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    client_read(&client, &a, (uint8_t *)bytes);
    CHECK_EQUAL(bytes[0], 0x11111111);
    CHECK_EQUAL(bytes[8], 0x44444444);
    CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
    client_read(&client, &b, (uint8_t *)bytes);
    CHECK_EQUAL(bytes[0], 0x22222222);
    CHECK_EQUAL(bytes[8 * 16 + 8], 0x55555555);
    CHECK_EQUAL(client_lock(&client, &c, 0), STATUS_OK);
    client_read(&client, &c, (uint8_t *)bytes);
    CHECK_EQUAL(bytes[0], 0x33333333);
    close_checked();
}

/* SPL-15: solvable only because a slot programmed again at the split point need not stay in place. */
static void test_exemption(void)
{
    CASE("SPL-15");
    struct client_allocation a, b;
    open_with(2, 1, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 0, 0, 0, 1, 1, 0xaaaaaaaa);
    stream_bind(&stream, 0, b.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 0, 0, 0, 1, 1, 0xbbbbbbbb);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 2);
    close_checked();
}

/* SPL-11, SPL-23, SPL-24, SPL-27: an allocation held by another slot stays, so this one has no
 * solution; the job fails with the SplitOffset of the group, and the next job is unharmed. */
static void test_no_placement(void)
{
    CASE("SPL-11, SPL-23, SPL-24, SPL-27");
    struct client_allocation a, b;
    open_with(2, 1, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 64, CLIENT_PAGE, true);
    stream_bind(&stream, 1, a.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 0, 0, 0, 1, 1, 0xaaaaaaaa);
    stream_bind(&stream, 0, b.handle, 0, 64, CLIENT_PAGE, true);
    uint32_t split = stream.split;
    stream_fill_rect(&stream, 1, 0, 0, 1, 1, 0xbbbbbbbb);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_NO_PLACEMENT);
    CHECK_EQUAL(answer.detail, split);
    stream_init(&stream);
    stream_fill(&stream, b.handle, 0, 2 * CLIENT_PAGE, 0x01020304, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    close_checked();
}

/* SPL-28: every declared split point is taken. SPL-29: a carried binding is a leak in verify mode. */
static void test_forced_split_and_leak(void)
{
    CASE("SPL-28, SPL-29");
    struct client_allocation a;
    open_with(2, 1, FIELD_PUT(1, HOST_FORCE_SPLIT), 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    for (uint32_t i = 0; i < 5; i++) stream_fill(&stream, a.handle, i * 8, 8, i, 0);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 5);
    client_close(&client);

    open_with(2, 1, FIELD_PUT(1, HOST_FORCE_SPLIT) | FIELD_PUT(1, HOST_FORCE_LEAK_CHECK), 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill(&stream, a.handle, 0, 8, 1, 1);
    uint32_t split = stream.split;
    answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_LEAK);
    CHECK_EQUAL(answer.detail, split);
    close_checked();
}

/* ALC-12: content that the GPU has not written leaves by DiscardContent, written content by Transfer. */
static void test_clean_eviction_is_discard(void)
{
    CASE("ALC-12");
    struct client_allocation a, b;
    uint32_t statistics[STAT_COUNT];
    const uint32_t evict_all[16] = {MSG_EVICT};
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    fill_pattern(&a, 9);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, b.handle, 0, 2 * CLIENT_PAGE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    CHECK_EQUAL(client_call(&client, evict_all).status, STATUS_OK);
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_OP_DISCARD], 1);
    CHECK_EQUAL(statistics[STAT_PAGES_DISCARDED], 2);
    CHECK_EQUAL(statistics[STAT_PAGES_OUT], 2);
    CHECK_EQUAL(statistics[STAT_RESIDENT_PAGES_1], 0);
    CHECK(has_pattern(&b, 9));
    close_checked();
}

/* ALC-07: the first page-in of an allocation without content is a Fill; its pattern survives eviction. */
static void test_undefined_is_filled(void)
{
    CASE("ALC-07");
    struct client_allocation a, b;
    uint32_t statistics[STAT_COUNT];
    uint32_t message[16] = {0};
    open_with(4, 4, 0, 0);
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED;
    message[MSG_CREATE_ALLOCATION_PATTERN] = 0xfeedc0deu;
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, message), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, b.handle, 0, 2 * CLIENT_PAGE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_OP_FILL], 1);
    CHECK_EQUAL(statistics[STAT_PAGES_FILLED], 2);
    CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
    CHECK_EQUAL(word_of(&b, 0), 0xfeedc0deu);
    CHECK_EQUAL(word_of(&b, 2047), 0xfeedc0deu);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    CHECK_EQUAL(word_of(&a, 2047), 0xfeedc0deu);
    close_checked();
}

/* PGB-33, PGB-39, SEG-28: page-in to the aperture is a Map, eviction an Unmap to the dummy page. */
static void test_aperture(void)
{
    CASE("PGB-33, PGB-39, SEG-28");
    struct client_allocation a;
    uint32_t statistics[STAT_COUNT];
    const uint32_t evict_all[16] = {MSG_EVICT};
    open_with(4, 4, 0, 0);
    const struct engine_model *engine = device_engine(client.device);
    CHECK_EQUAL(client_create(&client, &a, 4, SET_APERTURE, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 4 * CLIENT_PAGE, 0x0badf00d, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(FIELD_GET(engine->aperture[i], APERTURE_ENTRY_FRAME), a.page[i]);
        CHECK_EQUAL(FIELD_GET(engine->aperture[i], APERTURE_ENTRY_MAPPED), 1);
        CHECK_EQUAL(FIELD_GET(engine->aperture[i], APERTURE_ENTRY_COHERENT), 0);
    }
    CHECK_EQUAL(word_of(&a, 4095), 0x0badf00d);
    CHECK_EQUAL(client_call(&client, evict_all).status, STATUS_OK);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(FIELD_GET(engine->aperture[i], APERTURE_ENTRY_FRAME), CLIENT_DUMMY_PAGE);
        CHECK_EQUAL(FIELD_GET(engine->aperture[i], APERTURE_ENTRY_MAPPED), 0);
    }
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_OP_MAP], 1);
    CHECK_EQUAL(statistics[STAT_OP_UNMAP], 1);
    CHECK_EQUAL(statistics[STAT_PAGES_UNMAPPED], 4);
    CHECK_EQUAL(statistics[STAT_OP_TRANSFER], 0);
    close_checked();
}

/* ALC-08, SCH-01: the lower priority leaves first, among equals the one used longest ago, also while fences
 * wrap. ALC-10: a priority change counts at once. */
static void test_eviction_order(void)
{
    CASE("ALC-08, SCH-01, ALC-10");
    struct client_allocation a[4];
    for (uint32_t first_fence = 0xfffffff8u; first_fence != 2; first_fence++) {
        gpu_options.first_fence = first_fence;
        open_with(3, 1, 0, 0);
        gpu_options.first_fence = 0;
        uint32_t context = client_context(&client, 0);
        for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &a[i], 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(use(context, &a[1]), STATUS_OK);
        CHECK_EQUAL(use(context, &a[0]), STATUS_OK);
        CHECK_EQUAL(use(context, &a[2]), STATUS_OK);
        CHECK_EQUAL(use(context, &a[1]), STATUS_OK);
        CHECK_EQUAL(use(context, &a[3]), STATUS_OK);
        CHECK(!is_resident(&a[0]) && is_resident(&a[1]) && is_resident(&a[2]) && is_resident(&a[3]));
        CHECK_EQUAL(use(context, &a[0]), STATUS_OK);
        CHECK(is_resident(&a[0]) && is_resident(&a[1]) && !is_resident(&a[2]) && is_resident(&a[3]));
        const uint32_t lower[16] = {MSG_SET_PRIORITY, 0, a[3].handle, 0x50000000u};
        CHECK_EQUAL(client_call(&client, lower).status, STATUS_OK);
        CHECK_EQUAL(use(context, &a[2]), STATUS_OK);
        CHECK(is_resident(&a[0]) && is_resident(&a[1]) && is_resident(&a[2]) && !is_resident(&a[3]));
        close_checked();
    }
}

/* ALC-09: a soft-pinned allocation makes the buffer split to its minimum before it leaves. */
static void test_soft_pinned(void)
{
    CASE("ALC-09");
    struct client_allocation pinned, b, c;
    uint32_t message[16] = {0};
    open_with(3, 1, 0, 0);
    uint32_t context = client_context(&client, 0);
    message[MSG_CREATE_ALLOCATION_PRIORITY] = 0xC8000000u;
    CHECK_EQUAL(client_create(&client, &pinned, 1, SET_1, message), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &c, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(use(context, &pinned), STATUS_OK);
    stream_init(&stream);
    stream_fill(&stream, b.handle, 0, 8, 1, 0);
    stream_fill(&stream, c.handle, 0, 8, 1, 0);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 2);
    CHECK(is_resident(&pinned));
    stream_init(&stream);
    stream_copy(&stream, b.handle, 0, c.handle, 0, 8, 0); /* one group of three pages: there is no other way */
    answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 1);
    CHECK(!is_resident(&pinned));
    close_checked();
}

/* ALC-11: what is pinned stays, even if a job must fail for it. */
static void test_pinned(void)
{
    CASE("ALC-11");
    struct client_allocation pinned, b;
    uint32_t message[16] = {0};
    open_with(3, 1, 0, 0);
    uint32_t context = client_context(&client, 0);
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_PINNED;
    CHECK_EQUAL(client_create(&client, &pinned, 1, SET_1, message), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 3, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(use(context, &pinned), STATUS_OK);
    CHECK_EQUAL(use(context, &b), STATUS_NO_PLACEMENT);
    CHECK(is_resident(&pinned));
    const uint32_t evict[16] = {MSG_EVICT, 0, pinned.handle};
    CHECK_EQUAL(client_call(&client, evict).status, STATUS_PINNED);
    CHECK_EQUAL(client_lock(&client, &pinned, 0), STATUS_PINNED);
    CHECK_EQUAL(client_destroy(&client, &pinned), STATUS_OK);
    CHECK_EQUAL(use(context, &b), STATUS_OK);
    close_checked();
}

/* Large buffers fill the private pool: later ones wait in the host's ring, none is overwritten. */
static void test_private_pool(void)
{
    enum { JOBS = 14 };
    struct client_allocation a[JOBS];
    uint32_t message[16], tags[JOBS];
    open_with(16, 16, 0, 0);
    uint32_t context[2] = {client_context(&client, 0), client_context(&client, 1)};
    for (uint32_t i = 0; i < JOBS; i++) CHECK_EQUAL(client_create(&client, &a[i], 1, SET_LOCAL, NULL), STATUS_OK);
    device_engine(client.device)->node[0].is_paused = true;
    for (uint32_t i = 0; i < JOBS; i++) {
        stream_init(&stream);
        stream_fill(&stream, a[i].handle, 0, CLIENT_PAGE, 0x1000 + i, 0);
        for (uint32_t k = 0; k < 2000u + i % 3u * 900u; k++) stream_push(&stream, PKT_NOP);
        stream_fill(&stream, a[i].handle, 8, 8, 0x2000 + i, 0);
        client_stage(&client, &stream, context[i % 2], i, message);
        tags[i] = client_send(&client, message);
        for (uint32_t k = 0; k < 40; k++) device_turn(client.device);
    }
    device_engine(client.device)->node[0].is_paused = false;
    for (uint32_t i = 0; i < JOBS; i++) {
        struct answer answer;
        CHECK(client_receive(&client, &answer));
        CHECK(answer.tag >= tags[0] && answer.tag <= tags[JOBS - 1]);
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        CHECK_EQUAL(client_lock(&client, &a[i], 0), STATUS_OK);
        CHECK_EQUAL(word_of(&a[i], 0), 0x1000 + i);
        CHECK_EQUAL(word_of(&a[i], 2), 0x2000 + i);
        CHECK_EQUAL(word_of(&a[i], 1023), 0x1000 + i);
    }
    close_checked();
}

static void push_untile(uint32_t source, uint32_t source_offset, uint32_t target, uint32_t target_offset,
                        uint32_t row_bytes, uint32_t rows)
{
    stream.split = stream.used * 4u;
    stream_push(&stream, PKT_TILE | FIELD_PUT(1, PKT_TILE_UNTILE));
    stream_patch(&stream, stream_list(&stream, source, false), 10, source_offset);
    stream_push(&stream, 0xdeadbeefu);
    stream_patch(&stream, stream_list(&stream, target, true), 11, target_offset);
    stream_push(&stream, 0xdeadbeefu);
    stream_push(&stream, FIELD_PUT(row_bytes, PKT_TILE_ROW_BYTES) | FIELD_PUT(rows, PKT_TILE_ROWS));
    stream_push(&stream, FIELD_PUT(row_bytes, PKT_TILE_PITCH));
}

/* ALC-19, PGB-44, PGB-45: a swizzled allocation is tiled in a memory segment, every level of it, and linear
 * in the pages. The engine's own TILE packet is the judge, also over scattered pages and tiny buffers. */
static void test_swizzled(void)
{
    CASE("ALC-19, PGB-44, PGB-45");
    enum {
        PITCH = 160,
        HEIGHT = 64,
        LEVEL1 = PITCH * HEIGHT,
        PITCH1 = 96,
        HEIGHT1 = 32,
        END = LEVEL1 + PITCH1 * HEIGHT1
    };
    struct client_allocation a, b;
    static uint8_t linear[4 * CLIENT_PAGE], tiled[4 * CLIENT_PAGE];
    uint32_t message[16] = {0};
    for (uint32_t bytes = 20; bytes <= 2048; bytes += 676) {
        gpu_options.paging_buffer_bytes = bytes;
        open_with(8, 8, 0, 0);
        gpu_options.paging_buffer_bytes = 0;
        message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED;
        message[MSG_CREATE_ALLOCATION_PITCH] = PITCH;
        message[MSG_CREATE_ALLOCATION_HEIGHT] = HEIGHT | 2u << 16;
        CHECK_EQUAL(client_create(&client, &a, 4, SET_LOCAL, message), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 4, SET_LOCAL, NULL), STATUS_OK);
        for (uint32_t i = 0; i < sizeof linear; i++) linear[i] = (uint8_t)(i * 13u + i / 251u);
        client_write(&client, &a, linear);
        uint32_t context = client_context(&client, 0);
        stream_init(&stream);
        push_untile(a.handle, 0, b.handle, 0, PITCH, HEIGHT);
        push_untile(a.handle, LEVEL1, b.handle, LEVEL1, PITCH1, HEIGHT1);
        stream_copy(&stream, a.handle, END, b.handle, END, 4 * CLIENT_PAGE - END, 20);
        stream_fill(&stream, a.handle, 5, 1, 0xee, 22); /* byte 5 is the same place in both layouts */
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
        client_read(&client, &b, tiled);
        CHECK(memcmp(tiled, linear, sizeof linear) == 0);
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        client_read(&client, &a, tiled);
        linear[5] = 0xee;
        CHECK(memcmp(tiled, linear, sizeof linear) == 0);
        close_checked();
    }
}

/* CNF-05: a preparation that fails at any step fails its job alone, and leaks nothing. */
static void test_preparation_failure(void)
{
    CASE("CNF-05");
    struct client_allocation a[4];
    for (uint32_t step = 1; step <= 5; step++) {
        open_with(4, 1, FIELD_PUT(step, HOST_FORCE_FAIL_STEP), 0);
        for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &a[i], 1, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        stream_init(&stream);
        for (uint32_t i = 0; i < 4; i++) stream_fill(&stream, a[i].handle, 0, 8, 0x30 + i, 0);
        struct answer answer = submit(context);
        CHECK_EQUAL(answer.status, step <= 4 ? STATUS_NO_PLACEMENT : STATUS_OK);
        client.transport.register_write(client.transport.context, HOST_FORCE_OFFSET, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_EQUAL(client_lock(&client, &a[i], 0), STATUS_OK);
            CHECK_EQUAL(word_of(&a[i], 0), 0x30 + i);
            CHECK_EQUAL(client_unlock(&client, &a[i]), STATUS_OK);
            CHECK_EQUAL(client_destroy(&client, &a[i]), STATUS_OK);
        }
        CHECK_EQUAL(device_gpu(client.device)->manager.residency.world.map.segment[0].used_pages, 0);
        close_checked();
    }
}

/* Fences of a context: a fault ends its jobs, the others' run on (TDR-08, SCH-12). */
static void test_fault_and_timeout(void)
{
    CASE("TDR-08, SCH-12");
    struct client_allocation a, b;
    for (uint32_t hang = 0; hang < 2; hang++) {
        open_with(8, 8, 0, 0);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
        uint32_t guilty = client_context(&client, 3), innocent = client_context(&client, 0), message[16];
        uint32_t tags[4];
        struct engine_model *engine = device_engine(client.device);
        for (uint32_t i = 0; i < 4; i++) { /* guilty, guilty, innocent, innocent */
            stream_init(&stream);
            stream_fill(&stream, i < 2 ? a.handle : b.handle, i * 8, 8, 0x01010101u * (i + 1u), 0);
            client_stage(&client, &stream, i < 2 ? guilty : innocent, i, message);
            tags[i] = client_send(&client, message);
        }
        /* Let everything be queued after a node that does not move, then break it. */
        engine->node[0].is_paused = true;
        for (uint32_t i = 0; i < 400; i++) device_turn(client.device);
        if (hang != 0) {
            device_hang(client.device, 0);
        } else {
            /* The first RUN's first word becomes an unknown opcode, behind the validator's back. */
            uint32_t ring = engine->node[0].ring_base / 4u, head = engine->node[0].head;
            while ((engine->command[ring + head % 1024u] & 0xffu) != PKT_RUN)
                head += (engine->command[ring + head % 1024u] & 0xffu) == PKT_GUARD ? PKT_GUARD_WORDS : 2u;
            engine->command[engine->command[ring + (head + 1u) % 1024u] / 4u] = 0xee;
        }
        engine->node[0].is_paused = false;
        uint32_t status[4] = {99, 99, 99, 99}, detail[4] = {0};
        for (uint32_t i = 0; i < 4; i++) {
            struct answer answer;
            CHECK(client_receive(&client, &answer));
            for (uint32_t k = 0; k < 4; k++)
                if (tags[k] == answer.tag) {
                    status[k] = answer.status;
                    detail[k] = answer.detail;
                }
        }
        CHECK_EQUAL(status[0], hang != 0 ? STATUS_TIMEOUT : STATUS_FAULT);
        if (hang == 0) CHECK_EQUAL(detail[0], FAULT_BAD_OPCODE);
        CHECK_EQUAL(status[1], STATUS_CONTEXT_LOST);
        CHECK_EQUAL(status[2], STATUS_OK);
        CHECK_EQUAL(status[3], STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &b, 0), STATUS_OK);
        CHECK_EQUAL(word_of(&b, 4), 0x03030303);
        CHECK_EQUAL(word_of(&b, 6), 0x04040404);
        stream_init(&stream);
        stream_fill(&stream, a.handle, 0, 8, 1, 0);
        CHECK_EQUAL(submit(guilty).status, STATUS_CONTEXT_LOST);
        uint32_t statistics[STAT_COUNT];
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_RECOVERIES], 1);
        close_checked();
    }
}

/* DMA-13: the fence is signalled, nothing is executed, nothing becomes dirty. */
static void test_null_rendering(void)
{
    CASE("DMA-13");
    struct client_allocation a;
    uint32_t message[16], statistics[STAT_COUNT];
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    fill_pattern(&a, 77);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, CLIENT_PAGE, 0, 0);
    client_stage(&client, &stream, context, 0, message);
    message[MSG_SUBMIT_FLAGS] = 1;
    struct answer answer = client_call(&client, message);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK(answer.fence != 0);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    CHECK(has_pattern(&a, 77));
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_PAGES_OUT], 0);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_copy);
    CHECK_RUN(test_worked_example);
    CHECK_RUN(test_exemption);
    CHECK_RUN(test_no_placement);
    CHECK_RUN(test_forced_split_and_leak);
    CHECK_RUN(test_clean_eviction_is_discard);
    CHECK_RUN(test_undefined_is_filled);
    CHECK_RUN(test_aperture);
    CHECK_RUN(test_eviction_order);
    CHECK_RUN(test_soft_pinned);
    CHECK_RUN(test_pinned);
    CHECK_RUN(test_private_pool);
    CHECK_RUN(test_swizzled);
    CHECK_RUN(test_preparation_failure);
    CHECK_RUN(test_fault_and_timeout);
    CHECK_RUN(test_null_rendering);
    return check_finish();
}
