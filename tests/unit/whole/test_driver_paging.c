/* SPDX-License-Identifier: Apache-2.0
 *
 * Paging buffers between manager and driver, call by call, and what the engine does with them. The record is the
 * manager's side; packets are watched as the engine takes them.
 * PGB-05, PGB-06, PGB-10, PGB-13..PGB-17, PGB-20, PGB-21, PGB-27, PGB-29, PGB-31, PGB-34..PGB-36, PGB-38..PGB-41,
 * PGB-43, PGB-48.
 */
#include "record.h"

enum { CUT_RAM_HIGH = 4, CUT_COHERENT = 2, CUT_BANKED = 8, CUT_PLAIN = 16 };

static void boot_with(uint32_t description, uint32_t options)
{
    boot = (struct client_boot){.options = options | FIELD_PUT(description, HOST_BOOT_OPTIONS_DESCRIPTION)};
}

/* ------------------------------------------------------------------ submissions */

static uint32_t built_words[RECORD][512];

static enum ddi_status keep_words(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    uint32_t start = arguments->dma_buffer, at = built_count;
    enum ddi_status status = record_build(adapter, arguments);
    for (uint32_t i = 0; i < (arguments->dma_buffer - start) / 4u; i++)
        built_words[at][i] = hal_command_read(start + i * 4u);
    return status;
}

/* An operation of several passes: a tiled transfer with a paging buffer of two packets. */
static void page_in_passes(struct client_allocation *a,
                           enum ddi_status (*build)(void *, struct ddi_build_paging_buffer *))
{
    uint32_t message[16] = {0};
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED; /* a packet per row and page */
    message[MSG_CREATE_ALLOCATION_PITCH] = 1024;
    message[MSG_CREATE_ALLOCATION_HEIGHT] = 8 | 1u << 16;
    boot_with(DESCRIPTION_WHOLE, FIELD_PUT(10, HOST_BOOT_OPTIONS_PAGING_WORDS)); /* two packets */
    open_recorded(8, 32);
    device_gpu(client.device)->manager.ddi.build_paging_buffer = build;
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, a, 2, SET_2, message), STATUS_OK);
    CHECK_EQUAL(use(context, a), STATUS_OK);
}

/* PGB-05, PGB-06: each partial paging buffer is a submission of its own, with the next fence, from the buffer's
 * beginning to where the driver stopped. PGB-13: nothing changes its words or its size after it was built: Patch is
 * not called for it, so it has no list to carry. */
static void test_partial_buffers(void)
{
    CASE("PGB-05, PGB-06, PGB-13");
    struct client_allocation a;
    page_in_passes(&a, keep_words);
    uint32_t partial = 0, paging = 0, call = 0, fence = 0;
    for (uint32_t i = 0; i < built_count; i++) partial += answered[i] == DDI_INSUFFICIENT_DMA_BUFFER;
    CHECK(partial >= 3);
    for (uint32_t i = 0; i < submitted_count; i++) {
        if (!submitted[i].is_paging) continue;
        CHECK_EQUAL(submitted[i].submission_start_offset, 0);
        CHECK_EQUAL(submitted[i].submission_end_offset, submitted[i].dma_buffer_size);
        if (paging != 0) CHECK_EQUAL(submitted[i].submission_fence_id, fence + 1);
        fence = submitted[i].submission_fence_id;
        CHECK_EQUAL(built[call].dma_buffer, submitted[i].dma_buffer); /* one call each: it begins the buffer ... */
        CHECK_EQUAL(built_to[call], submitted[i].dma_buffer + submitted[i].dma_buffer_size); /* ... and ends it */
        call++;
        paging++;
    }
    CHECK_EQUAL(paging, partial + 1);
    CHECK_EQUAL(call, built_count);
    /* The last one's words are still there, as built. */
    const struct ddi_build_paging_buffer *last = &built[built_count - 1];
    for (uint32_t i = 0; i < (built_to[built_count - 1] - last->dma_buffer) / 4u; i++)
        CHECK_EQUAL(device_engine(client.device)->command[last->dma_buffer / 4u + i], built_words[built_count - 1][i]);
    close_checked();
}

static uint32_t promised_calls;

static enum ddi_status busy_until_idle(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    const bool is_transfer = arguments->operation == DDI_TRANSFER;
    const bool is_idle = is_transfer && (arguments->u.transfer.flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u;
    if (is_transfer && !is_idle) return DDI_ALLOCATION_BUSY;
    if (is_idle) {
        const uint32_t fence = hal_register_read(NODE_FENCE_OFFSET + NODE_PAGING * NODE_STRIDE);
        CHECK(fence_reached(fence, device_gpu(client.device)->manager.paging.last_fence));
        promised_calls++;
    }
    return record_build(adapter, arguments);
}

/* PGB-27: idleness, once promised, holds at every further pass: what the passes before have submitted is over. */
static void test_idle_in_passes(void)
{
    CASE("PGB-27");
    struct client_allocation a;
    promised_calls = 0;
    page_in_passes(&a, busy_until_idle);
    CHECK(promised_calls >= 3);
    close_checked();
}

/* What each packet of the paging node held when the engine took it. */
static uint32_t taken[4096][5], taken_count;
static void take(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)context, (void)offset;
    if (node != 1 || (words[0] & 0xffu) < PKT_MAP || taken_count == 4096) return;
    uint32_t opcode = words[0] & 0xffu;
    uint32_t count = opcode == PKT_COPY_2D ? PKT_COPY_2D_WORDS : opcode == PKT_TOUCH ? PKT_TOUCH_WORDS : PKT_COPY_WORDS;
    for (uint32_t i = 0; i < count; i++) taken[taken_count][i] = words[i];
    taken_count++;
}

/* PGB-13 once more, under load: every word of every paging buffer reaches the engine as the driver wrote it. */
static void test_words_arrive(void)
{
    CASE("PGB-13");
    struct client_allocation a[4];
    boot_with(DESCRIPTION_WHOLE, FIELD_PUT(8, HOST_BOOT_OPTIONS_PAGING_WORDS));
    open_seeded(2, 4, 5);
    device_gpu(client.device)->manager.ddi.build_paging_buffer = keep_words;
    device_engine(client.device)->on_packet = take;
    taken_count = 0;
    uint32_t context = client_context(&client, 0), packet = 0;
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQUAL(client_create(&client, &a[i], 2, i == 3 ? SET_APERTURE : SET_1, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 12; i++) CHECK_EQUAL(use(context, &a[i % 4]), STATUS_OK);
    for (uint32_t i = 0; i < built_count; i++) {
        uint32_t words = (built_to[i] - built[i].dma_buffer) / 4u;
        for (uint32_t at = 0; at < words; packet++) {
            uint32_t length = (built_words[i][at] & 0xffu) == PKT_COPY_2D ? PKT_COPY_2D_WORDS : PKT_COPY_WORDS;
            CHECK(packet < taken_count);
            for (uint32_t k = 0; k < length; k++) CHECK_EQUAL(taken[packet][k], built_words[i][at + k]);
            at += length;
        }
    }
    CHECK(packet >= 12);
    CHECK_EQUAL(packet, taken_count);
    close_checked();
}

/* ------------------------------------------------------------------ sub-transfers */

/* PGB-14..PGB-17, PGB-21, PGB-22: an allocation of 5 pages in pieces of at most 2, in and out: Start first, End last,
 * offsets on the segment side, pages on the other, MultipassOffset from 0 for each, and all of it is moved. PGB-20:
 * the address holds the segment's base already, the same in every piece. */
static void test_pieces(void)
{
    CASE("PGB-14, PGB-15, PGB-16, PGB-17, PGB-21, PGB-22, PGB-20");
    struct client_allocation a;
    boot_with(DESCRIPTION_CUT, FIELD_PUT(2, HOST_BOOT_OPTIONS_TRANSFER_PAGES));
    open_recorded(16, 16);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &a, 5, CUT_RAM_HIGH, NULL), STATUS_OK);
    fill_pattern(&a, 60);
    for (uint32_t is_out = 0; is_out < 2; is_out++) {
        forget();
        CHECK_EQUAL(is_out ? evict(&a) : use(context, &a), STATUS_OK);
        CHECK_EQUAL(built_count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            const struct ddi_transfer *piece = &built[i].u.transfer;
            const struct ddi_location *local = is_out ? &piece->source : &piece->destination;
            const struct ddi_location *pages = is_out ? &piece->destination : &piece->source;
            CHECK_EQUAL(built[i].operation, DDI_TRANSFER);
            CHECK_EQUAL(built[i].allocation.handle, a.handle);
            CHECK_EQUAL(built[i].multipass_offset, 0);
            CHECK_EQUAL(piece->transfer_offset, i * 2 * CLIENT_PAGE);
            CHECK_EQUAL(piece->transfer_size, i < 2 ? 2 * CLIENT_PAGE : CLIENT_PAGE);
            CHECK_EQUAL(piece->mdl_offset, i * 2);
            CHECK_EQUAL(piece->flags, (i == 0 ? DDI_TRANSFER_START : 0u) | (i == 2 ? DDI_TRANSFER_END : 0u));
            CHECK_EQUAL(local->segment_id, 3);
            CHECK_EQUAL(local->segment_address, 0x10008000u);
            CHECK(pages->segment_id == 0 && pages->mdl == a.list);
        }
    }
    uint8_t bytes[5 * CLIENT_PAGE];
    client_read(&client, &a, bytes);
    for (uint32_t i = 8; i < sizeof bytes; i++) CHECK_EQUAL(bytes[i], (uint8_t)(60 + i * 7u + i / 256u));
    close_checked();
}

/* ------------------------------------------------------------------ answers that stop everything */

static enum ddi_operation bad_operation;
static enum ddi_status bad_status;
static bool waits_for_idle_flag;

static enum ddi_status answer_badly(void *adapter, struct ddi_build_paging_buffer *arguments)
{
    uint32_t flags = arguments->operation == DDI_TRANSFER          ? arguments->u.transfer.flags
                     : arguments->operation == DDI_DISCARD_CONTENT ? arguments->u.discard_content.flags
                                                                   : 0u;
    bool is_idle = (flags & DDI_TRANSFER_ALLOCATION_IS_IDLE) != 0u;
    if (arguments->operation != bad_operation) return second.ddi.build_paging_buffer(adapter, arguments);
    if (waits_for_idle_flag && !is_idle) return DDI_ALLOCATION_BUSY;
    return bad_status;
}

/* Uses, evicts and maps until the firmware has stopped; true if it did, with the code for it. */
static bool stops(enum ddi_operation operation, enum ddi_status status, bool waits)
{
    struct client_allocation a, b, c;
    struct answer answer;
    uint32_t message[16] = {0};
    boot_with(DESCRIPTION_WHOLE, 0);
    open_recorded(4, 4);
    device_gpu(client.device)->manager.ddi.build_paging_buffer = answer_badly;
    bad_operation = operation;
    bad_status = status;
    waits_for_idle_flag = waits;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED;
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, message), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &c, 1, SET_APERTURE, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_copy(&stream, b.handle, 0, c.handle, 0, 8, 0); /* Fill, Map */
    stream_copy(&stream, b.handle, 0, a.handle, 0, 8, 2); /* Transfer */
    client_stage(&client, &stream, context, 0, message);
    const uint32_t offer[16] = {MSG_OFFER, 0, a.handle, 1}, everything[16] = {MSG_EVICT};
    client_send(&client, message);
    bool goes_on = client_receive(&client, &answer);
    if (goes_on) client_send(&client, offer);
    goes_on = goes_on && client_receive(&client, &answer);
    if (goes_on) client_send(&client, everything); /* DiscardContent, Transfer, Unmap */
    goes_on = goes_on && client_receive(&client, &answer);
    uint32_t code = device_register(client.device, HOST_PANIC_CODE_OFFSET);
    CHECK_EQUAL(code, goes_on ? PANIC_NONE : PANIC_DRIVER);
    client_close(&client);
    return !goes_on;
}

/* PGB-29: BUSY for an operation that has no idle flag, BUSY although the flag is set, any other code: the code is
 * recorded and everything stops. PGB-10: INSUFFICIENT without progress in a fresh buffer likewise, at once. BUSY
 * while the flag is clear is no reason to stop. */
static void test_fatal_answers(void)
{
    CASE("PGB-29, PGB-10");
    static const enum ddi_operation operations[] = {DDI_TRANSFER, DDI_FILL, DDI_DISCARD_CONTENT,
                                                    DDI_MAP_APERTURE_SEGMENT, DDI_UNMAP_APERTURE_SEGMENT};
    for (uint32_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        CHECK(stops(operations[i], DDI_ALLOCATION_BUSY, false));
        CHECK(stops(operations[i], DDI_NOT_SUPPORTED, false));
        CHECK(stops(operations[i], (enum ddi_status)77, false));
        CHECK(stops(operations[i], DDI_INSUFFICIENT_DMA_BUFFER, false)); /* PGB-10 */
        bool has_flag = operations[i] == DDI_TRANSFER || operations[i] == DDI_DISCARD_CONTENT;
        if (has_flag) CHECK(stops(operations[i], DDI_ALLOCATION_BUSY, true));
    }
    CHECK(!stops((enum ddi_operation)99, DDI_SUCCESS, false)); /* a sound driver */
}

/* ------------------------------------------------------------------ content that nobody wants */

/* PGB-31: clean content is discarded: no Transfer, and what is in the segment does not reach the pages. */
static void test_discard(void)
{
    CASE("PGB-31");
    struct client_allocation a, b;
    boot_with(DESCRIPTION_WHOLE, 0);
    open_recorded(4, 4);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_2, NULL), STATUS_OK);
    fill_pattern(&a, 44);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, b.handle, 0, 64, 0); /* read only */
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    const struct allocation *entry = entry_of(&a);
    CHECK_EQUAL(entry->segment, 1);
    memset(device_engine(client.device)->segment1 + entry->first_page * CLIENT_PAGE, 0xee, CLIENT_PAGE);
    uint32_t out = statistic(STAT_PAGES_OUT);
    forget();
    CHECK_EQUAL(evict(&a), STATUS_OK);
    CHECK_EQUAL(only(DDI_DISCARD_CONTENT)->u.discard_content.segment_id, 1);
    CHECK_EQUAL(built_count, 1);
    CHECK_EQUAL(statistic(STAT_PAGES_OUT), out);
    CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
    CHECK(has_pattern(&a, 44));
    close_checked();
}

/* ------------------------------------------------------------------ apertures */

/* PGB-34: Map and Unmap count from the segment's start, and the engine's entries are those of that segment; PGB-35,
 * PGB-36: the coherent bit is set for cacheable pages in a coherent aperture and for nothing else, and reaches the
 * engine's table. PGB-39: after Unmap every entry of the range is the dummy page's. */
static void test_map_offsets(void)
{
    CASE("PGB-34, PGB-35, PGB-36, PGB-39");
    struct client_allocation a[4], filler[2];
    boot_with(DESCRIPTION_CUT, 0);
    open_recorded(4, 4);
    const struct engine_model *engine = device_engine(client.device);
    uint32_t context = client_context(&client, 0), message[16] = {0};
    for (uint32_t i = 0; i < 2; i++) { /* so that offsets are not 0 */
        CHECK_EQUAL(client_create(&client, &filler[i], 1, i ? CUT_PLAIN : CUT_COHERENT, NULL), STATUS_OK);
        CHECK_EQUAL(use(context, &filler[i]), STATUS_OK);
    }
    for (uint32_t i = 0; i < 4; i++) {
        bool is_cached = i % 2 != 0, is_second = i / 2 != 0;
        message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | (is_cached ? ALLOCATION_CACHED : 0u);
        CHECK_EQUAL(client_create(&client, &a[i], 2, is_second ? CUT_PLAIN : CUT_COHERENT, message), STATUS_OK);
        forget();
        CHECK_EQUAL(use(context, &a[i]), STATUS_OK);
        const struct ddi_map_aperture_segment map = only(DDI_MAP_APERTURE_SEGMENT)->u.map;
        uint32_t first = 8 * is_second + map.offset_in_pages;
        CHECK_EQUAL(map.segment_id, is_second ? 5 : 2);
        CHECK_EQUAL(map.offset_in_pages, 1 + 2 * is_cached);
        CHECK_EQUAL(map.is_cache_coherent, is_cached && !is_second);
        for (uint32_t page = 0; page < 2; page++) {
            uint32_t entry = engine->aperture[first + page];
            CHECK_EQUAL(FIELD_GET(entry, APERTURE_ENTRY_FRAME), a[i].page[page]);
            CHECK_EQUAL(FIELD_GET(entry, APERTURE_ENTRY_MAPPED), 1);
            CHECK_EQUAL(FIELD_GET(entry, APERTURE_ENTRY_COHERENT), is_cached && !is_second);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        forget();
        CHECK_EQUAL(evict(&a[i]), STATUS_OK);
        const struct ddi_unmap_aperture_segment unmap = only(DDI_UNMAP_APERTURE_SEGMENT)->u.unmap;
        CHECK_EQUAL(unmap.segment_id, i / 2 ? 5 : 2);
        CHECK_EQUAL(unmap.offset_in_pages, 1 + 2 * (i % 2));
        for (uint32_t page = 0; page < 2; page++) {
            uint32_t entry = engine->aperture[8 * (i / 2) + unmap.offset_in_pages + page];
            CHECK_EQUAL(FIELD_GET(entry, APERTURE_ENTRY_FRAME), CLIENT_DUMMY_PAGE);
            CHECK_EQUAL(FIELD_GET(entry, APERTURE_ENTRY_MAPPED), 0);
        }
    }
    close_checked();
}

/* PGB-40: through an unmapped range the GPU reads and writes the dummy page, without a fault. */
static void test_unmapped_access(void)
{
    CASE("PGB-40");
    struct client_allocation a;
    uint8_t byte = 0;
    boot_with(DESCRIPTION_CUT, 0);
    open_recorded(4, 4);
    struct engine_model *engine = device_engine(client.device);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &a, 2, CUT_PLAIN, NULL), STATUS_OK);
    fill_pattern(&a, 9);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(evict(&a), STATUS_OK);
    memset(engine->system + CLIENT_DUMMY_PAGE * CLIENT_PAGE, 0xd0, CLIENT_PAGE);
    for (uint32_t page = 0; page < 16; page++) { /* unmapped again, and never mapped */
        uint32_t address = GPU_LIMIT(ADDR_APERTURE) + page * CLIENT_PAGE + page;
        CHECK(engine_model_read(engine, address, &byte));
        CHECK_EQUAL(byte, 0xd0);
        CHECK(engine_model_write(engine, address, (uint8_t)(page + 1)));
        CHECK_EQUAL(engine->system[CLIENT_DUMMY_PAGE * CLIENT_PAGE + page], page + 1);
        engine->system[CLIENT_DUMMY_PAGE * CLIENT_PAGE + page] = 0xd0;
    }
    CHECK_EQUAL(word_of(&a, 0), 1);
    for (uint32_t i = 2; i < CLIENT_PAGE / 4; i++) CHECK_EQUAL(word_of(&a, i) & 0xff, (uint8_t)(9 + i * 28 + i / 64));
    close_checked();
}

static uint32_t configurations, packets_through, touched_early;

/* Whenever the render node executes a packet: is every aperture page that it may touch now configured for it? Its
 * rights are set before the mapping and taken back after the portion, so what counts is the moment of use. */
static void watch_configuration(void *context, unsigned node, uint32_t offset, const uint32_t *words)
{
    const struct engine_model *engine = device_engine(client.device);
    uint32_t opcode = words[0] & 0xffu, granted = 0;
    (void)context, (void)offset;
    configurations += node == 1 && (opcode == PKT_MAP_LIST || opcode == PKT_UNMAP);
    if (node != 0 || opcode < PKT_COPY) return;
    for (uint32_t page = 0; page < engine->aperture_pages; page++) {
        if (engine->node[0].guard[2u * GPU_LIMIT(GUARD_SPACE_PAGES) + page] == 0u) continue;
        granted++;
        touched_early += FIELD_GET(engine->aperture[page], APERTURE_ENTRY_MAPPED) == 0u;
    }
    packets_through += granted != 0u;
}

/* PGB-38: a range is configured before anything that may touch it runs, and not while it does, however firmware and
 * nodes interleave. PGB-41: the same range is used again and again for other pages: each use sees its own content. */
static void test_configuration_is_apart(void)
{
    CASE("PGB-38, PGB-41");
    enum { COUNT = 12, JOBS = 16, ROUNDS = 6 };
    configurations = packets_through = touched_early = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        struct client_allocation a[COUNT], sum;
        struct answer answer;
        uint32_t message[16], model[COUNT] = {0};
        boot_with(DESCRIPTION_WHOLE, 0);
        open_seeded(4, 4, seed);
        device_engine(client.device)->on_packet = watch_configuration;
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &sum, 1, SET_1, NULL), STATUS_OK);
        for (uint32_t i = 0; i < COUNT; i++) { /* 36 pages through an aperture of 16 */
            CHECK_EQUAL(client_create(&client, &a[i], 3, SET_APERTURE, NULL), STATUS_OK);
            fill_pattern(&a[i], (uint8_t)(i * 17));
        }
        for (uint32_t round = 0; round < ROUNDS; round++) {
            forget();
            for (uint32_t k = 0; k < JOBS; k++) {
                uint32_t i = (k * 5 + round) % COUNT;
                stream_init(&stream);
                stream_fill(&stream, a[i].handle, CLIENT_PAGE * 2, 4, round * 1000 + k, 0);
                model[i] = round * 1000 + k;
                stream_copy(&stream, a[i].handle, 4, sum.handle, 4 * k, 4, 2);
                client_stage(&client, &stream, context, k, message);
                client_send(&client, message);
            }
            for (uint32_t k = 0; k < JOBS; k++) {
                CHECK(client_receive(&client, &answer));
                CHECK_EQUAL(answer.status, STATUS_OK);
            }
            CHECK_EQUAL(client_lock(&client, &sum, LOCK_READ_ONLY), STATUS_OK);
            for (uint32_t k = 0; k < JOBS; k++)
                CHECK_EQUAL(word_of(&sum, k) & 0xff, (uint8_t)((k * 5 + round) % COUNT * 17 + 28));
            CHECK_EQUAL(client_unlock(&client, &sum), STATUS_OK);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            CHECK_EQUAL(client_lock(&client, &a[i], 0), STATUS_OK);
            CHECK_EQUAL(word_of(&a[i], 2 * CLIENT_PAGE / 4), model[i]);
        }
        close_checked();
    }
    CHECK(configurations > 1000);
    CHECK(packets_through > 1000);
    CHECK_EQUAL(touched_early, 0);
}

/* ------------------------------------------------------------------ what is never asked */

/* PGB-43: no SpecialLockTransfer, nor anything newer, whatever happens to locked content: there is no alternate VA.
 * PGB-48: at most one call is active at any time (record.h fails on a nested one), recovery included. */
static void test_calls(void)
{
    CASE("PGB-43, PGB-48");
    struct client_allocation a[6];
    uint32_t message[16], seen = 0;
    boot_with(DESCRIPTION_CUT, FIELD_PUT(1, HOST_BOOT_OPTIONS_TRANSFER_PAGES));
    open_seeded(4, 4, 3);
    second.says_busy = second.is_slow = true;
    uint32_t context = client_context(&client, 0);
    for (uint32_t i = 0; i < 6; i++) {
        message[MSG_CREATE_ALLOCATION_FLAGS] = 0;
        uint32_t with_set[16] = {0};
        with_set[MSG_CREATE_ALLOCATION_EVICTION_SET] = i % 2 ? CUT_PLAIN : 0;
        CHECK_EQUAL(client_create(&client, &a[i], 1, i < 4 ? CUT_RAM_HIGH : CUT_PLAIN, with_set), STATUS_OK);
    }
    for (uint32_t i = 0; i < 30; i++) {
        CHECK_EQUAL(use(context, &a[i % 6]), STATUS_OK);
        if (i % 4 != 0) continue;
        CHECK_EQUAL(client_lock(&client, &a[i % 6], i % 8 ? LOCK_READ_ONLY : 0), STATUS_OK);
        CHECK_EQUAL(use(context, &a[(i + 1) % 6]), STATUS_OK); /* paging while it is locked */
        CHECK_EQUAL(client_unlock(&client, &a[i % 6]), STATUS_OK);
    }
    stream_init(&stream); /* a node that hangs: status queries and a reset */
    stream_fill(&stream, a[0].handle, 0, 8, 1, 0);
    client_stage(&client, &stream, context, 0, message);
    device_hang(client.device, 0);
    CHECK_EQUAL(client_call(&client, message).status, STATUS_TIMEOUT);
    for (uint32_t i = 0; i < built_count; i++) {
        CHECK(built[i].operation <= DDI_UNMAP_APERTURE_SEGMENT);
        seen |= 1u << built[i].operation;
    }
    const uint32_t expected = 1u << DDI_TRANSFER | 1u << DDI_MAP_APERTURE_SEGMENT | 1u << DDI_UNMAP_APERTURE_SEGMENT;
    CHECK_EQUAL(seen & expected, expected);
    CHECK(calls_made > 100);
    close_checked();
}

int main(void)
{
    CHECK_RUN(test_partial_buffers);
    CHECK_RUN(test_idle_in_passes);
    CHECK_RUN(test_words_arrive);
    CHECK_RUN(test_pieces);
    CHECK_RUN(test_fatal_answers);
    CHECK_RUN(test_discard);
    CHECK_RUN(test_map_offsets);
    CHECK_RUN(test_unmapped_access);
    CHECK_RUN(test_configuration_is_apart);
    CHECK_RUN(test_calls);
    return check_finish();
}
