/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile host found, against the whole firmware on the golden model (the chip:
 * tests/chip/system/test_hostile.c). Goal: nothing a host says or a program does stops the firmware or takes others'
 * time. docs/security.md has the promises.
 */
#include "scheduling.h"

/* ------------------------------------------------------------------ numbers that do not fit */

static uint32_t create_aligned(struct client_allocation *allocation, uint32_t alignment)
{
    uint32_t message[16] = {0};
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = alignment;
    return client_create(&client, allocation, 1, SET_LOCAL, message);
}

/* Every ALIGNMENT is legal as the table says; two allocations of the largest are placed, each in its own segment. */
static void test_alignment(void)
{
    struct client_allocation a, b;
    begin(4, 4);
    uint32_t context = client_context(&client, 0);
    for (uint32_t log2 = 0; log2 < 32u; log2++) {
        const bool is_legal = 1u << log2 <= GPU_LIMIT(ALIGNMENT_BYTES);
        CHECK_EQUAL(create_aligned(&a, 1u << log2), is_legal ? STATUS_OK : STATUS_BAD_ARGUMENT);
        if (is_legal) CHECK_EQUAL(create_aligned(&b, 1u << log2), STATUS_OK);
        if (!is_legal) continue;
        fill_pattern(&a, 7);
        stream_init(&stream);
        stream_copy(&stream, a.handle, 0, b.handle, 0, CLIENT_PAGE, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &b, LOCK_READ_ONLY), STATUS_OK);
        CHECK(has_pattern(&b, 7));
        CHECK_EQUAL(client_unlock(&client, &b), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    }
    client_close(&client);
}

/* ------------------------------------------------------------------ a page list that changes */

static void spoil(const struct client_allocation *allocation, uint32_t index, uint32_t frame)
{
    client.transport.memory_write(client.transport.context, allocation->list + 4u * index, &frame, sizeof frame);
}

/* An entry that is no page any more when it is used, copied in, copied out or mapped: the paging node stops at it, who
 * used the allocation is told so, and however often it happens the firmware goes on. Nothing but the pages before it
 * has changed, and whoever comes next is served. */
static void test_spoiled_list(void)
{
    struct client_allocation a, b;
    uint8_t before[CLIENT_PAGE], after[CLIENT_PAGE];
    static const uint32_t nowhere[] = {0xffffffffu, 0x80000000u, 1u << 20, 1u << 19};
    begin(8, 8);
    for (uint32_t round = 0; round < 24; round++) {
        const uint32_t way = round % 3; /* in, out, mapped */
        const uint32_t pages = host_read(HOST_SYSTEM_PAGES_OFFSET);
        const uint32_t frame = round % 5 == 4 ? pages : nowhere[round % 4] + (round % 2 ? a.page[2] : 0u);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(client_create(&client, &a, 4, way == 2 ? SET_APERTURE : SET_LOCAL, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_LOCAL, NULL), STATUS_OK);
        fill_pattern(&a, 3);
        sent.count = 0;
        if (way == 1) {
            uint32_t write = send_fill(context, &a, 0, 4 * CLIENT_PAGE, 0x12345678);
            receive_all();
            CHECK_EQUAL(sent.answer[write].status, STATUS_OK);
        }
        client.transport.memory_read(client.transport.context, a.page[3] * CLIENT_PAGE, before, CLIENT_PAGE);
        spoil(&a, 2, frame);
        if (way == 1) { /* and no context has to answer for it */
            const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, context};
            CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
            CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_CONTENT_LOST);
        } else {
            sent.count = 0;
            uint32_t use = send_fill(context, &a, 0, 8, 1);
            receive_all();
            /* Though the render node may have begun with it, up to its wait for the pages. */
            CHECK_EQUAL(sent.answer[use].status, STATUS_FAULT);
            CHECK_EQUAL(sent.answer[use].detail, FAULT_BAD_PAGE);
        }
        client.transport.memory_read(client.transport.context, a.page[3] * CLIENT_PAGE, after, CLIENT_PAGE);
        CHECK(memcmp(before, after, CLIENT_PAGE) == 0);
        spoil(&a, 2, a.page[2]);
        uint32_t other = client_context(&client, 0);
        sent.count = 0;
        uint32_t next = send_fill(other, &b, 0, 8, 0x55);
        receive_all();
        CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    }
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 24);
    client_close(&client);
}

/* ------------------------------------------------------------------ memory that is not there */

/* SYSTEM_PAGES says more than there is: what lies in the hole refuses the message that names it, with the address. */
static void test_hole(void)
{
    enum { HOLE = 16 << 20, INSTALLED = 8 << 20 };
    struct client_allocation a;
    uint32_t message[16] = {0};
    boot.system_pages = 2 * HOLE / CLIENT_PAGE;
    begin(4, 4);
    boot.system_pages = 0;
    uint32_t context = client_context(&client, 0);
    message[MSG_CREATE_ALLOCATION_PAGES] = HOLE;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, message), STATUS_BUS_ERROR);
    message[MSG_CREATE_ALLOCATION_PAGES] = INSTALLED - 4; /* its second page is in the hole */
    const uint32_t first_page = CLIENT_FIRST_PAGE;
    client.transport.memory_write(client.transport.context, INSTALLED - 4, &first_page, 4);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_LOCAL, message), STATUS_BUS_ERROR);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, NULL), STATUS_OK);
    static const uint32_t words[] = {MSG_SUBMIT_DMA, MSG_SUBMIT_LIST, MSG_SUBMIT_PATCHES};
    for (uint32_t i = 0; i < 3u; i++) {
        stream_init(&stream);
        stream_fill(&stream, a.handle, 0, 8, 1, 0);
        client_stage(&client, &stream, context, 0, message);
        message[words[i]] = HOLE + 64;
        struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_BUS_ERROR);
        CHECK(answer.detail >= HOLE + 64u && answer.detail < HOLE + 128u);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
    }
    const uint32_t statistics[16] = {MSG_QUERY_STATISTICS, 0, HOLE, 4};
    struct answer answer = client_call(&client, statistics);
    CHECK_EQUAL(answer.status, STATUS_BUS_ERROR);
    CHECK(answer.detail >= HOLE && answer.detail < HOLE + 16u);
    const uint32_t segments[16] = {MSG_QUERY_SEGMENT, 0, DDI_QUERY_SEGMENT3, HOLE, 8};
    CHECK_EQUAL(client_call(&client, segments).status, STATUS_BUS_ERROR);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    client_close(&client);
}

/* A message whose place in the ring stops answering: as test_host.c finds host_peek to say it. */
static uint32_t unreadable;
bool __real_host_peek(struct host *host, uint32_t message[16]);
bool __wrap_host_peek(struct host *host, uint32_t message[16]);
bool __wrap_host_peek(struct host *host, uint32_t message[16])
{
    if (!__real_host_peek(host, message)) return false;
    if (unreadable != 0u) message[0] = (uint32_t)MESSAGE_UNREADABLE, message[1] = 0, message[2] = unreadable;
    return true;
}

/* It is answered with that place and tag 0, whatever it was to be, and the next one as ever. */
static void test_unreadable(void)
{
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_LOCAL, NULL), STATUS_OK);
    const uint32_t messages[][16] = {{MSG_NOP}, {MSG_DESTROY_ALLOCATION, 0, a.handle}, {MSG_CREATE_CONTEXT}};
    for (uint32_t i = 0; i < 3; i++) {
        struct answer answer;
        unreadable = 0x3000 + 64 * i;
        (void)client_send(&client, messages[i]);
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, 0);
        CHECK_EQUAL(answer.status, STATUS_BUS_ERROR);
        CHECK_EQUAL(answer.detail, 0x3000 + 64 * i);
        unreadable = 0;
        CHECK_EQUAL(client_call(&client, messages[0]).status, STATUS_OK);
    }
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    client_close(&client);
}

/* Registers that change whenever they are read: each is read once at boot. */
static uint32_t reads[256], spoils;
uint32_t __real_hal_register_read(uint32_t offset);
uint32_t __wrap_hal_register_read(uint32_t offset);
uint32_t __wrap_hal_register_read(uint32_t offset)
{
    const uint32_t value = __real_hal_register_read(offset);
    if (spoils == 0u || offset >= CORE_CYCLE_LO_OFFSET) return value;
    return reads[offset / 4u]++ == 0u ? value : 0xffffffffu;
}

static void test_registers_once(void)
{
    static const uint32_t offsets[] = {
        HOST_SYSTEM_PAGES_OFFSET,   HOST_DUMMY_PAGE_OFFSET,      HOST_SUBMIT_BASE_OFFSET,   HOST_SUBMIT_SIZE_OFFSET,
        HOST_SUBMIT_HEAD_OFFSET,    HOST_COMPLETE_BASE_OFFSET,   HOST_COMPLETE_SIZE_OFFSET, HOST_COMPLETE_TAIL_OFFSET,
        HOST_ABI_HOST_OFFSET,       HOST_BOOT_OPTIONS_OFFSET,    HOST_COMMIT_LIMIT_OFFSET,  HOST_SEGMENT1_LIMIT_OFFSET,
        HOST_SEGMENT2_LIMIT_OFFSET, HOST_TIMEOUT_OFFSET,         HOST_PREEMPT_DELAY_OFFSET, HOST_PORTION_LIMIT_OFFSET,
        HOST_RECOVERY_LIMIT_OFFSET, HOST_RECOVERY_WINDOW_OFFSET, HOST_ALLOCATIONS_OFFSET,   HOST_CONTEXTS_OFFSET,
        HOST_LIST_ENTRIES_OFFSET,   HOST_DMA_BYTES_OFFSET};
    memset(reads, 0, sizeof reads);
    spoils = 1;
    open_with(4, 4, 0, 0);
    spoils = 0;
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) CHECK_EQUAL(reads[offsets[i] / 4u], 1);
    const struct gpu *gpu = device_gpu(client.device);
    CHECK_EQUAL(gpu->manager.residency.world.table.system_pages, (8u << 20) / CLIENT_PAGE);
    CHECK_EQUAL(gpu->manager.dummy_page, CLIENT_DUMMY_PAGE);
    CHECK_EQUAL(gpu->driver.system_pages, (8u << 20) / CLIENT_PAGE);
    CHECK_EQUAL(gpu->driver.dummy_page, CLIENT_DUMMY_PAGE);
    close_checked();
}

/* ------------------------------------------------------------------ programs that end the GPU for others */

/* 1,000 programs, one after the other: each hangs the render node, or the paging node under its own pages, and pays
 * with its context. Another one draws on, also at the lowest limit. */
static void test_thousand_hangs(void)
{
    enum { TIMEOUT = 100000, PROGRAMS = 1000 };
    struct client_allocation a, b;
    boot.timeout = boot.preempt_delay = TIMEOUT;
    boot.recovery_limit = 1;
    boot.recovery_window = UINT32_MAX;
    begin(4, 4);
    boot = (struct client_boot){0};
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_APERTURE, NULL), STATUS_OK);
    const uint32_t other = client_context(&client, 0);
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const uint32_t context = client_context(&client, 0);
        if (i % 4u == 3u) CHECK_EQUAL(evict(&a), STATUS_OK); /* so that it has to come again */
        device_hang(client.device, i % 4u == 3u ? 1 : 0);
        send_fill(context, &a, 0, 8, i);
        receive_all();
        CHECK_EQUAL(sent.answer[0].status, STATUS_TIMEOUT);
        CHECK_EQUAL(use(context, &a), STATUS_CONTEXT_LOST);
        const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, context};
        CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
        CHECK_EQUAL(use(other, &b), STATUS_OK);
        forget();
    }
    CHECK_EQUAL(statistic(STAT_RECOVERIES), PROGRAMS);
    client_close(&client);
}

/* Rows over each other, and a DMA buffer full of them: hours of the engine's time in a few words. */
static void push_copy_2d(uint32_t source, uint32_t target, uint32_t row_bytes, uint32_t rows, uint32_t pitch)
{
    stream.split = stream.used * 4u;
    stream_push(&stream, PKT_COPY_2D);
    stream_patch(&stream, stream_list(&stream, source, false), 0, 0);
    stream_push(&stream, 0);
    stream_patch(&stream, stream_list(&stream, target, true), 1, 0);
    stream_push(&stream, 0);
    stream_push(&stream, FIELD_PUT(row_bytes, PKT_COPY_2D_ROW_BYTES) | FIELD_PUT(rows, PKT_COPY_2D_ROWS));
    stream_push(&stream, FIELD_PUT(pitch, PKT_COPY_2D_SOURCE_PITCH) | FIELD_PUT(pitch, PKT_COPY_2D_TARGET_PITCH));
}

static void test_work_is_bounded(void)
{
    enum { PAGES = 16, BYTES = PAGES * CLIENT_PAGE, REUSE = LIMIT_BITS_PACKET_REUSE };
    struct client_allocation a, b;
    begin(40, 4);
    const uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(client_create(&client, &a, PAGES, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, PAGES, SET_1, NULL), STATUS_OK);
    static const struct {
        uint32_t row_bytes, rows, pitch, status;
    } copies[] = {{65535, 65535, 0, STATUS_WORK_LIMIT},
                  {1024, REUSE * BYTES / 1024, 0, STATUS_OK},
                  {1024, REUSE * BYTES / 1024 + 1, 0, STATUS_WORK_LIMIT},
                  {4096, PAGES, 4096, STATUS_OK}};
    for (uint32_t i = 0; i < 4u; i++) {
        stream_init(&stream);
        push_copy_2d(a.handle, b.handle, copies[i].row_bytes, copies[i].rows, copies[i].pitch);
        CHECK_EQUAL(submit(context).status, copies[i].status);
    }
    static const struct {
        uint32_t width, height, status;
    } fills[] = {{16384, 65535, STATUS_WORK_LIMIT},
                 {256, REUSE * BYTES / 1024, STATUS_OK},
                 {256, REUSE * BYTES / 1024 + 1, STATUS_WORK_LIMIT}};
    for (uint32_t i = 0; i < 3u; i++) {
        stream_init(&stream);
        stream_bind(&stream, 0, a.handle, 0, 0, BYTES, true);
        stream_fill_rect(&stream, 0, 0, 0, fills[i].width, fills[i].height, 1);
        struct answer answer = submit(context);
        CHECK_EQUAL(answer.status, fills[i].status);
        if (answer.status != STATUS_OK) CHECK_EQUAL(answer.detail, 16);
    }
    /* A whole DMA buffer. */
    CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
    CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &a, 36, SET_1, NULL), STATUS_OK);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 0, 36 * CLIENT_PAGE, true);
    const uint32_t rows = REUSE * 36u * CLIENT_PAGE / 1024u, most = GPU_LIMIT(DMA_WORK_BYTES) / (rows * 1024u);
    for (uint32_t i = 0; i <= most; i++) stream_fill_rect(&stream, 0, 0, 0, 256, rows, 1);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_WORK_LIMIT);
    CHECK_EQUAL(answer.detail, 16u + most * 16u); /* the last one */
    stream.used -= 4u;
    const uint32_t rest = (GPU_LIMIT(DMA_WORK_BYTES) - most * rows * 1024u) / 1024u; /* to the last byte */
    CHECK(rest != 0u && (GPU_LIMIT(DMA_WORK_BYTES) - most * rows * 1024u) % 1024u == 0u);
    stream_fill_rect(&stream, 0, 0, 0, 256, rest + 1u, 1);
    CHECK_EQUAL(submit(context).status, STATUS_WORK_LIMIT);
    stream.used -= 4u;
    stream_fill_rect(&stream, 0, 0, 0, 256, rest, 1);
    uint32_t message[16];
    client_stage(&client, &stream, context, 0, message);
    message[MSG_SUBMIT_FLAGS] = 1; /* it is legal; what it would draw is not waited for */
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    client_close(&client);
}

/* ------------------------------------------------------------------ messages that wait */

/* NOPs after LOCKs and SUBMITs that wait are answered meanwhile, as far as the host program's own messages can be set
 * aside; each message once, and in its turn otherwise. */
static void test_nop_overtakes(void)
{
    enum { ROUNDS = 14 };
    struct client_allocation a;
    struct answer answer;
    uint32_t message[16], tags[3 * ROUNDS + 8], nops[ROUNDS + 8], count = 0, nop_count = 0;
    begin(4, 4);
    const uint32_t context = client_context(&client, 0), nop[16] = {MSG_NOP};
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    const uint32_t lock[16] = {MSG_LOCK, 0, a.handle, LOCK_ENTIRE}, unlock[16] = {MSG_UNLOCK, 0, a.handle};
    node(0)->is_enabled = false;
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, 0x77, 0);
    client_stage(&client, &stream, context, 0, message);
    tags[count++] = client_send(&client, message);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        tags[count++] = client_send(&client, lock);
        tags[count++] = client_send(&client, unlock);
        nops[nop_count++] = client_send(&client, nop);
    }
    turns(100);
    uint32_t early = 0;
    while (host_read(HOST_COMPLETE_TAIL_OFFSET) != client.complete_head) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, nops[early]);
        CHECK_EQUAL(answer.status, STATUS_OK);
        early++;
    }
    CHECK_EQUAL(early, DEFERRED_HOST / 2);
    node(0)->is_enabled = true;
    for (uint32_t next = 0, rest = early; next < count || rest < nop_count;) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        if (next < count && answer.tag == tags[next]) next++;
        else CHECK_EQUAL(answer.tag, nops[rest++]);
    }
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_alignment);
    CHECK_RUN(test_spoiled_list);
    CHECK_RUN(test_hole);
    CHECK_RUN(test_unreadable);
    CHECK_RUN(test_registers_once);
    CHECK_RUN(test_thousand_hangs);
    CHECK_RUN(test_work_is_bounded);
    CHECK_RUN(test_nop_overtakes);
    return check_finish();
}
