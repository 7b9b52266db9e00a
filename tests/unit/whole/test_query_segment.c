/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver says of its segments and of a context's DMA buffers. Goal: both calls of the documents in both forms,
 * word by word, with nothing written besides; what a driver wants of DMA buffers decides whether a context can be.
 * Method: the words in system memory; a driver whose answer is changed. SEG-01..SEG-03, DMA-01, DMA-02.
 */
#include "system.h"

/* SEG-01..SEG-05, SEG-09, SEG-10, SEG-14, SEG-15, SEG-18: two calls, the right form, sound descriptors. */
static void test_segment_query(void)
{
    CASE("SEG-01, SEG-02, SEG-03, SEG-04, SEG-05, SEG-09, SEG-10, SEG-14, SEG-15, SEG-18");
    enum { OUT = 5 * CLIENT_PAGE, WORDS = SEGMENT_OUT_DESCRIPTORS + 3 * SEGMENT3_WORDS };
    uint32_t words[WORDS];
    open_with(4, 7, 0, 0);
    uint32_t message[16] = {MSG_QUERY_SEGMENT, 0, 5, 0, 0};
    struct answer answer = client_call(&client, message);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[0], 3);
    message[MSG_QUERY_SEGMENT_FORM] = 2;
    CHECK_EQUAL(client_call(&client, message).status, STATUS_UNSUPPORTED);
    message[MSG_QUERY_SEGMENT_FORM] = 5;
    message[MSG_QUERY_SEGMENT_ADDRESS] = OUT;
    message[MSG_QUERY_SEGMENT_COUNT] = 2;
    CHECK_EQUAL(client_call(&client, message).status, STATUS_BAD_ARGUMENT);
    message[MSG_QUERY_SEGMENT_COUNT] = 3;
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    client.transport.memory_read(client.transport.context, OUT, words, sizeof words);
    CHECK_EQUAL(words[SEGMENT_OUT_COUNT], 3);
    CHECK_EQUAL(words[SEGMENT_OUT_PAGING_SEGMENT], 0);
    CHECK_EQUAL(words[SEGMENT_OUT_PAGING_BYTES], GPU_LIMIT(PAGING_BUFFER_BYTES));
    const uint32_t *second = words + SEGMENT_OUT_DESCRIPTORS + SEGMENT3_WORDS;
    CHECK_EQUAL(second[SEGMENT3_FLAGS], 0);
    CHECK_EQUAL(second[SEGMENT3_BASE], GPU_LIMIT(ADDR_SEGMENT2));
    CHECK_EQUAL(second[SEGMENT3_SIZE], 7 * CLIENT_PAGE);
    CHECK_EQUAL(second[SEGMENT3_COMMIT_LIMIT], 7 * CLIENT_PAGE);
    CHECK_EQUAL(second[SEGMENT3_WORDS + SEGMENT3_FLAGS], 0x11);
    close_checked();
}

/* Both forms of a description, every word of segment 2's: what has 64 bits has an empty upper half. */
static void test_segment_words(void)
{
    enum { OUT = 5 * CLIENT_PAGE, BYTES = 7 * CLIENT_PAGE };
    static const uint32_t expected[2][SEGMENT3_WORDS] = {
        {[SEGMENT3_BASE] = GPU_LIMIT(ADDR_SEGMENT2), [SEGMENT3_SIZE] = BYTES, [SEGMENT3_COMMIT_LIMIT] = BYTES},
        {[SEGMENT2_BASE] = GPU_LIMIT(ADDR_SEGMENT2), [SEGMENT2_SIZE] = BYTES, [SEGMENT2_COMMIT_LIMIT] = BYTES}};
    const struct device_options options = {.memory_bytes = 8u << 20,
                                           .segment1_bytes = 4 * CLIENT_PAGE,
                                           .segment2_bytes = BYTES,
                                           .aperture_pages = 16,
                                           .gpu = &gpu_options};
    for (uint32_t plain = 0; plain < 2; plain++) {
        const uint32_t stride = plain ? SEGMENT2_WORDS : SEGMENT3_WORDS;
        const struct client_boot boot = {.options = FIELD_PUT(plain, HOST_BOOT_OPTIONS_PLAIN_QUERY)};
        uint32_t words[SEGMENT_OUT_DESCRIPTORS + 3 * SEGMENT3_WORDS];
        client_boot(&client, &options, &boot);
        memset(words, 0xa5, sizeof words);
        client.transport.memory_write(client.transport.context, OUT, words, sizeof words);
        const uint32_t message[16] = {MSG_QUERY_SEGMENT, 0, plain ? 2 : 5, OUT, 3};
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        client.transport.memory_read(client.transport.context, OUT, words, sizeof words);
        for (uint32_t i = 0; i < stride; i++)
            CHECK_EQUAL(words[SEGMENT_OUT_DESCRIPTORS + stride + i], expected[plain][i]);
        for (uint32_t i = SEGMENT_OUT_DESCRIPTORS + 3 * stride; i < sizeof words / sizeof words[0]; i++)
            CHECK_EQUAL(words[i], 0xa5a5a5a5u);
        close_checked();
    }
}

static struct ddi_context_info context_info;

static enum ddi_status answer_context(void *adapter, uint32_t node_ordinal, struct ddi_context_info *info)
{
    (void)adapter, (void)node_ordinal;
    *info = context_info;
    return DDI_SUCCESS;
}

/* DMA-01, DMA-02: what the driver asks for a context's DMA buffers decides whether the context can be. */
static void test_context_info(void)
{
    const struct ddi_context_info full = {GPU_LIMIT(DMA_BYTES), 0, GPU_LIMIT(LIST_ENTRIES), GPU_LIMIT(LIST_ENTRIES)};
    static const struct {
        uint32_t buffer, set, list, patches, status;
    } cases[] = {
        {0, 0, 0, 0, STATUS_OK},
        {0, 1, 0, 0, STATUS_BAD_SEGMENT_SET}, /* memory segments */
        {0, 2, 0, 0, STATUS_BAD_SEGMENT_SET},
        {0, 5, 0, 0, STATUS_BAD_SEGMENT_SET}, /* one of each */
        {0, 4, 0, 0, STATUS_UNSUPPORTED},     /* an aperture: legal, but they live in command RAM here */
        {4, 0, 0, 0, STATUS_UNSUPPORTED},     /* more than there is room for */
        {0, 0, 1, 0, STATUS_UNSUPPORTED},
        {0, 0, 0, 1, STATUS_UNSUPPORTED},
    };
    open_with(4, 4, 0, 0);
    CHECK_EQUAL(device_gpu(client.device)->manager.adapter.paging_buffer_segment_id, 0);
    device_gpu(client.device)->manager.ddi.create_context = answer_context;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t create[16] = {MSG_CREATE_CONTEXT};
        context_info = full;
        context_info.dma_buffer_size += cases[i].buffer;
        context_info.dma_buffer_segment_set = cases[i].set;
        context_info.allocation_list_size += cases[i].list;
        context_info.patch_location_list_size += cases[i].patches;
        CHECK_EQUAL(client_call(&client, create).status, cases[i].status);
    }
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_segment_query);
    CHECK_RUN(test_segment_words);
    CHECK_CASE("DMA-01, DMA-02", test_context_info);
    return check_finish();
}
