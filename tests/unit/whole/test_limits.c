/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST.ALLOCATIONS, CONTEXTS, LIST_ENTRIES and DMA_BYTES. Goal: as many allocations and contexts, and lists and DMA
 * buffers as long as were asked for and no more, for every limit, and each context gets its turns; a limit whose tables
 * have no room, or that no firmware has, is refused at boot by its name. Method: whole machines with little memory for
 * tables, or little command RAM.
 */
#include "system.h"
#include "lib/command_room.h"

enum { PAGES_LIST = 0x6000 };

static uint32_t boot_on(struct device_options options, const struct client_boot *limits)
{
    char error[256];
    options.segment1_bytes = 8 * CLIENT_PAGE;
    options.segment2_bytes = 90 * CLIENT_PAGE;
    client = (struct client){0};
    client.device = device_create(&options, error);
    CHECK(client.device != NULL);
    device_transport(client.device, &client.transport);
    const bool is_ready = client_start(&client, limits);
    const uint32_t status = device_register(client.device, HOST_BOOT_STATUS_OFFSET);
    CHECK_EQUAL(is_ready, status == 1);
    return status;
}

static uint32_t boot(uint32_t allocations, uint32_t contexts, uint32_t table_bytes)
{
    return boot_on((struct device_options){.memory_bytes = 8u << 20, .table_bytes = table_bytes},
                   &(struct client_boot){.allocations = allocations, .contexts = contexts});
}

static void refused(uint32_t allocations, uint32_t contexts, uint32_t table_bytes)
{
    CHECK_EQUAL(boot(allocations, contexts, table_bytes), 0x80000000u + STATUS_NO_TABLE_ROOM);
    device_destroy(client.device);
}

static uint32_t rounded(uint32_t limit) { return (limit + 31u) / 32u * 32u; }

static void test_room(void)
{
    static const uint32_t limits[][2] = {{1, 1},      {32, CONTEXT_MAXIMUM},
                                         {1000, 33},  {ALLOCATION_DEFAULT, CONTEXT_DEFAULT},
                                         {4096, 200}, {ALLOCATION_MAXIMUM, CONTEXT_MAXIMUM}};
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const uint32_t allocations = limits[i][0], contexts = limits[i][1];
        CHECK_EQUAL(boot(allocations, contexts, 0), 1);
        const struct tables *tables = &device_gpu(client.device)->tables;
        const uint32_t needed = tables->taken;
        CHECK_EQUAL(tables->limits.allocations, rounded(allocations));
        CHECK_EQUAL(tables->limits.contexts, rounded(contexts));
        if (contexts == (uint32_t)CONTEXT_DEFAULT) CHECK_EQUAL(needed, TABLES_DEFAULT_BYTES);
        client_close(&client);
        CHECK_EQUAL(boot(allocations, contexts, needed), 1);
        client_close(&client);
        refused(allocations, contexts, needed - 8u);
        refused(allocations, contexts, 16);
    }
    refused(ALLOCATION_MAXIMUM + 1, 0, 0);
    refused(UINT32_MAX, 0, 0);
    refused(0, CONTEXT_MAXIMUM + 1, 0);
    refused(0, UINT32_MAX, 0);
}

/* All entries of a table are in use: one more is refused, and each that is destroyed is gone and free again. */
static void check_full(const uint32_t create[16], uint32_t destroy, const uint32_t *ids, uint32_t entries,
                       enum gpu_status gone)
{
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
    for (uint32_t k = 0; k < entries; k += 7) {
        const uint32_t message[16] = {destroy, 0, ids[k]};
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        CHECK_EQUAL(client_call(&client, message).status, gone);
        CHECK_EQUAL(client_call(&client, create).status, STATUS_OK);
    }
    CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
}

static void test_limit(void)
{
    static const uint32_t limits[] = {1, 32, 1500, ALLOCATION_MAXIMUM};
    static uint32_t handles[ALLOCATION_MAXIMUM];
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        const uint32_t entries = rounded(limits[i]);
        uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                [MSG_CREATE_ALLOCATION_READ_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_WRITE_SET] = SET_ALL,
                                [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                [MSG_CREATE_ALLOCATION_PAGES] = PAGES_LIST};
        CHECK_EQUAL(boot(limits[i], 0, 0), 1);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_ALLOCATION_LIMIT], entries);
        for (uint32_t k = 0; k < entries; k++) {
            const struct answer answer = client_call(&client, message);
            CHECK_EQUAL(answer.status, STATUS_OK);
            handles[k] = answer.words[0];
        }
        check_full(message, MSG_DESTROY_ALLOCATION, handles, entries, STATUS_BAD_HANDLE);
        close_checked();
    }
}

/* The same of contexts. Each draws a word of its own, in turns that do not all fit in memory together; pages are
 * counted for the context that has used them last. */
static void test_contexts(void)
{
    CASE("SCH-11, SCH-12");
    static const uint32_t limits[] = {1, 100, CONTEXT_MAXIMUM};
    static struct client_allocation own[CONTEXT_MAXIMUM];
    static uint32_t ids[CONTEXT_MAXIMUM], drawn[CONTEXT_MAXIMUM], words[CLIENT_PAGE / 4];
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t statistics[STAT_COUNT];
        const uint32_t entries = rounded(limits[i]), create[16] = {MSG_CREATE_CONTEXT};
        CHECK_EQUAL(boot(0, limits[i], 0), 1);
        client_statistics(&client, statistics);
        CHECK_EQUAL(statistics[STAT_CONTEXT_LIMIT], entries);
        for (uint32_t k = 0; k < entries; k++) {
            CHECK((ids[k] = client_context(&client, (int32_t)(k % 15u) - 7)) != 0);
            CHECK_EQUAL(client_create(&client, &own[k], 1, SET_LOCAL, NULL), STATUS_OK);
        }
        CHECK_EQUAL(client_call(&client, create).status, STATUS_OUT_OF_HANDLES);
        const struct manager *manager = &device_gpu(client.device)->manager;
        for (uint32_t turn = 0; turn < 2u * entries; turn++) {
            const uint32_t k = turn * 37u % entries; /* all of them, in another order than they were created */
            stream_init(&stream);
            stream_fill(&stream, own[k].handle, 0, 8, drawn[k] = turn + 1u, 0);
            CHECK_EQUAL(submit(ids[k]).status, STATUS_OK);
            CHECK_EQUAL(manager->residency.world.shares.recent, min_u32(min_u32(turn + 1u, entries), SHARE_TURNS));
        }
        uint32_t pages = 0;
        for (uint32_t k = 0; k < entries; k++) pages += manager->residency.world.shares.entry[k].pages;
        CHECK_EQUAL(pages, min_u32(entries, 98));
        for (uint32_t k = 0; k < entries; k++) {
            CHECK_EQUAL(client_lock(&client, &own[k], 0), STATUS_OK); /* pages are the host's from here on */
            client_read(&client, &own[k], (uint8_t *)words);
            CHECK_EQUAL(words[0], drawn[k]);
        }
        check_full(create, MSG_DESTROY_CONTEXT, ids, entries, STATUS_BAD_CONTEXT);
        close_checked();
    }
}

/* ------------------------------------------------------------------ long DMA buffers and lists */

enum {
    MEMORY = 64 << 20,
    FIRST_PAGE = 10000, /* of the contents, one each */
    PAGE_LISTS = 60 << 20,
    DMA = 61 << 20,
    LIST = DMA + (128 << 10),
    PATCHES = LIST + (64 << 10)
};
static uint32_t long_handle[LIST_MAXIMUM];

static uint32_t boot_long(uint32_t entries, uint32_t bytes, uint32_t command_bytes, uint32_t examiner_log2)
{
    return boot_on(
        (struct device_options){.memory_bytes = MEMORY, .command_bytes = command_bytes, .examiner_log2 = examiner_log2},
        &(struct client_boot){.allocations = 4128, .list_entries = entries, .dma_bytes = bytes});
}

static void put(uint32_t address, const uint32_t *words, uint32_t count)
{
    client.transport.memory_write(client.transport.context, address, words, count * 4u);
}

/* Entry 0 of the list is NULL; allocation k, of one page, is entry k. */
static void create_long(uint32_t entries, uint32_t set)
{
    for (uint32_t k = 1; k < entries; k++) {
        const uint32_t page = FIRST_PAGE + k;
        put(PAGE_LISTS + 4 * k, &page, 1);
        const uint32_t message[16] = {[0] = MSG_CREATE_ALLOCATION,
                                      [MSG_CREATE_ALLOCATION_BYTES] = CLIENT_PAGE,
                                      [MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE,
                                      [MSG_CREATE_ALLOCATION_READ_SET] = set,
                                      [MSG_CREATE_ALLOCATION_WRITE_SET] = set,
                                      [MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000u,
                                      [MSG_CREATE_ALLOCATION_PAGES] = PAGE_LISTS + 4 * k};
        const struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_OK);
        long_handle[k] = answer.words[0];
        const uint32_t entry[2] = {[LIST_HANDLE] = long_handle[k], [LIST_FLAGS] = LIST_FLAG_WRITE};
        put(LIST + 8 * k, entry, 2);
    }
}

static void put_patch(uint32_t index, uint32_t list_index, uint32_t slot, uint32_t word, uint32_t split)
{
    const uint32_t entry[LIMIT_BITS_PATCH_ENTRY_WORDS] = {[PATCH_ALLOCATION_INDEX] = list_index,
                                                          [PATCH_SLOT_ID] = slot,
                                                          [PATCH_PATCH_OFFSET] = 4 * word,
                                                          [PATCH_SPLIT_OFFSET] = 4 * split};
    put(PATCHES + index * (uint32_t)sizeof entry, entry, LIMIT_BITS_PATCH_ENTRY_WORDS);
}

static struct answer submit_long(uint32_t context, uint32_t dma_bytes, uint32_t entries, uint32_t patches)
{
    const uint32_t message[16] = {
        [0] = MSG_SUBMIT,
        [MSG_SUBMIT_CONTEXT] = context,
        [MSG_SUBMIT_DMA] = DMA,
        [MSG_SUBMIT_DMA_BYTES] = dma_bytes,
        [MSG_SUBMIT_LIST] = LIST,
        [MSG_SUBMIT_LIST_COUNT] = entries,
        [MSG_SUBMIT_PATCHES] = PATCHES,
        [MSG_SUBMIT_PATCH_COUNT] = patches,
    };
    return client_call(&client, message);
}

static void check_refused(uint32_t context, uint32_t dma_bytes, uint32_t entries, uint32_t patches, uint32_t word)
{
    const struct answer answer = submit_long(context, dma_bytes, entries, patches);
    CHECK_EQUAL(answer.status, STATUS_LIST_LENGTH);
    CHECK_EQUAL(answer.detail, word);
}

/* Every page has the word that was drawn into its allocation. */
static void check_drawn(uint32_t entries, uint32_t seed)
{
    uint32_t wrong = 0;
    for (uint32_t k = 1; k < entries; k++) {
        const uint32_t lock[16] = {MSG_LOCK, [MSG_LOCK_HANDLE] = long_handle[k], [MSG_LOCK_FLAGS] = LOCK_ENTIRE};
        uint32_t word;
        CHECK_EQUAL(client_call(&client, lock).status, STATUS_OK);
        client.transport.memory_read(client.transport.context, (FIRST_PAGE + k) * (uint32_t)CLIENT_PAGE, &word, 4);
        wrong += word != seed + k;
        const uint32_t unlock[16] = {MSG_UNLOCK, [MSG_UNLOCK_HANDLE] = long_handle[k]};
        CHECK_EQUAL(client_call(&client, unlock).status, STATUS_OK);
    }
    CHECK_EQUAL(wrong, 0);
}

/* FILLs, which the firmware examines by itself, of as many words and entries as there may be; then BINDs with
 * FILL_RECTs, which the examiner walks if its table has room for the entries. */
static void check_long(uint32_t entries, uint32_t dma_bytes, uint32_t examiner_log2, uint32_t set)
{
    const uint32_t packets = min_u32(entries, dma_bytes / 16u), allocations = min_u32(entries, packets);
    uint32_t statistics[STAT_COUNT];
    CHECK_EQUAL(boot_long(entries, dma_bytes, 0, examiner_log2), 1);
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_LIST_LIMIT], entries);
    CHECK_EQUAL(statistics[STAT_DMA_LIMIT], dma_bytes);
    const uint32_t context = client_context(&client, 0);
    create_long(entries, set);
    for (uint32_t i = 0; i < packets; i++) { /* the last one fills the first allocation again, with the same */
        const uint32_t k = i + 1u < entries ? i + 1u : 1u;
        const uint32_t fill[PKT_FILL_WORDS] = {PKT_FILL, 0, 4, 1000 + k};
        put(DMA + 16 * i, fill, PKT_FILL_WORDS);
        put_patch(i, k, i % 64u, 4 * i + PKT_FILL_TARGET_WORD, 4 * i);
    }
    for (uint32_t i = 4 * packets; i < dma_bytes / 4u; i++) put(DMA + 4 * i, (const uint32_t[]){PKT_NOP}, 1);
    check_refused(context, dma_bytes + 4, entries, packets, MSG_SUBMIT_DMA_BYTES);
    check_refused(context, dma_bytes, entries + 1, packets, MSG_SUBMIT_LIST_COUNT);
    check_refused(context, dma_bytes, entries, entries + 1, MSG_SUBMIT_PATCH_COUNT);
    CHECK_EQUAL(submit_long(context, dma_bytes, entries, packets).status, STATUS_OK);
    check_drawn(allocations, 1000);
    const uint32_t pairs = min_u32(allocations - 1u, dma_bytes / 32u);
    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t k = i + 1u, slot = i % 61u;
        const uint32_t words[PKT_BIND_WORDS + PKT_FILL_RECT_WORDS] = {
            PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT),
            0,
            64,
            CLIENT_PAGE,
            PKT_FILL_RECT | FIELD_PUT(slot, PKT_FILL_RECT_TARGET),
            0,
            0x00010001,
            2000 + k};
        put(DMA + 32 * i, words, PKT_BIND_WORDS + PKT_FILL_RECT_WORDS);
        put_patch(i, k, slot, 8 * i + PKT_BIND_ADDRESS_WORD, 8 * i);
    }
    CHECK_EQUAL(submit_long(context, 32 * pairs, entries, pairs).status, STATUS_OK);
    check_drawn(pairs + 1u, 2000);
    client_close(&client);
}

static void test_long(void)
{
    check_long(LIST_MAXIMUM, DMA_BYTES_MAXIMUM, 0, SET_ALL);
    check_long(LIST_MAXIMUM, DMA_BYTES_MAXIMUM, 10, SET_LOCAL);
    check_long(LIST_MAXIMUM, DMA_BYTES_DEFAULT, 0, SET_LOCAL);
    check_long(LIST_DEFAULT, DMA_BYTES_MAXIMUM, 10, SET_ALL);
    check_long(32, 128, 0, SET_ALL);
    check_long(128, 4096, 5, SET_ALL);
}

/* What has no room in command RAM is refused at boot, to the word; what no firmware has, too. */
static void test_long_room(void)
{
    enum {
        OWN = COMMAND_OWN_BYTES,
        LONGEST = OWN + DMA_BYTES_MAXIMUM + LIST_MAXIMUM * (COMMAND_PATCH_BYTES + COMMAND_LIST_BYTES)
    };
    static const struct {
        uint32_t entries, bytes, command_bytes;
        bool has_room;
    } cases[] = {
        {0, 0, 65536, true},
        {0, 0, 32768, false},
        {0, 12288, OWN + 24576, true},
        {0, 12288, OWN + 24572, false},
        {LIST_MAXIMUM, 0, 65536, false},
        {0, DMA_BYTES_MAXIMUM, 65536, false},
        {2048, 16384, 65536, true},
        {2048, 16384 + 1, 65536, false},
        {2048 + 1, 16384, 65536, false},
        {LIST_MAXIMUM, DMA_BYTES_MAXIMUM, 131072, false},
        {LIST_MAXIMUM, DMA_BYTES_MAXIMUM, LONGEST, true},
        {LIST_MAXIMUM, DMA_BYTES_MAXIMUM, LONGEST - 4, false},
        {LIST_MAXIMUM + 1, 0, 0, false},
        {UINT32_MAX, 0, 0, false},
        {0, DMA_BYTES_MAXIMUM + 1, 0, false},
        {0, UINT32_MAX, 0, false},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t status = boot_long(cases[i].entries, cases[i].bytes, cases[i].command_bytes, 0);
        CHECK_EQUAL(status, cases[i].has_room ? 1u : 0x80000000u + STATUS_NO_TABLE_ROOM);
        if (status == 1u) client_close(&client);
        else device_destroy(client.device);
    }
}

int main(void)
{
    CHECK_RUN(test_room);
    CHECK_RUN(test_limit);
    CHECK_RUN(test_contexts);
    CHECK_RUN(test_long);
    CHECK_RUN(test_long_room);
    return check_finish();
}
