/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses in a DMA buffer before Patch and after it. Goal: an address is there before exactly when the allocation has
 * a place, a stale one is corrected before the portion is submitted, and no location is left out. Method: the words of
 * command RAM as the driver is asked, and as it leaves them. DMA-03..DMA-05.
 */
#include "scheduling.h"

/* DMA-03: an address that is right already is no excuse for leaving its location out of the list. */
static void test_unlisted_reference(void)
{
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    const struct allocation *entry = entry_of(&a);
    uint32_t address =
        device_gpu(client.device)->manager.segments[0].base_address + (uint32_t)entry->first_page * CLIENT_PAGE;
    stream_init(&stream);
    (void)stream_list(&stream, a.handle, true);
    stream_push(&stream, PKT_FILL);
    stream_push(&stream, address);
    stream_push(&stream, 8);
    stream_push(&stream, 0x5a5a5a5a);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_UNPATCHED_ADDRESS);
    CHECK_EQUAL(answer.detail, 4);
    check_words(&a, 0, 1);
    client_close(&client);
}

/* DMA-04: an address is there before Patch exactly when the allocation had a place (SegmentId not 0) at the time of
 * the submission; never with NO_PREPATCH. With all addresses there Patch is skipped, but for ALWAYS_REPATCH. */
static uint32_t word_at_patch, patched_value;
static enum ddi_status look_before_patch(void *adapter, struct ddi_patch *arguments)
{
    uint32_t word = arguments->dma_buffer / 4u + arguments->patch_location_list[0].patch_word;
    word_at_patch = device_engine(client.device)->command[word];
    enum ddi_status status = second.ddi.patch(adapter, arguments);
    patched_value = device_engine(client.device)->command[word];
    return status;
}

static void test_prepatch(void)
{
    struct client_allocation a;
    for (uint32_t without = 0; without < 2; without++) {
        boot.force = FIELD_PUT(without, HOST_FORCE_NO_PREPATCH);
        begin(4, 4);
        boot.force = 0;
        device_gpu(client.device)->manager.ddi.patch = look_before_patch;
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK(word_at_patch != patched_value); /* it was nowhere */
        patched_value = 0;
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(patched_value != 0, without);
        CHECK_EQUAL(statistic(STAT_PREPATCH_VALID), without == 0);
        set_force(FIELD_PUT(without, HOST_FORCE_NO_PREPATCH) | FIELD_PUT(1, HOST_FORCE_ALWAYS_REPATCH));
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        CHECK_EQUAL(word_at_patch == patched_value, without == 0);
        client_close(&client);
    }
}

/* DMA-05: what was pre-patched while an allocation lay in one place is corrected before the portion is submitted from
 * another one. */
static void test_stale_prepatch(void)
{
    struct client_allocation a, b, c;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 3, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &c, 1, SET_1, NULL), STATUS_OK);
    fill_pattern(&c, 5);
    uint32_t context = client_context(&client, 0), base = device_gpu(client.device)->manager.segments[0].base_address;
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    uint32_t old = base + entry_of(&a)->first_page * CLIENT_PAGE;
    device_gpu(client.device)->manager.ddi.patch = look_before_patch;
    stream_init(&stream);
    stream_copy(&stream, c.handle, 0, b.handle, 0, CLIENT_PAGE, 0); /* takes the whole segment */
    send_job(context);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, c.handle, 0, CLIENT_PAGE, 0); /* beside c there is another place for a */
    send_job(context);
    receive_all();
    CHECK_EQUAL(sent.answer[0].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[1].status, STATUS_OK);
    uint32_t place = base + entry_of(&a)->first_page * CLIENT_PAGE;
    CHECK(place != old);
    CHECK_EQUAL(word_at_patch, old);
    CHECK_EQUAL(patched_value, place);
    client_close(&client);
}

int main(void)
{
    CHECK_CASE("DMA-03", test_unlisted_reference);
    CHECK_CASE("DMA-04", test_prepatch);
    CHECK_CASE("DMA-05", test_stale_prepatch);
    return check_finish();
}
