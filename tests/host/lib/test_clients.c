/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a client gets nothing that another had, refusals are sentences, and tessera_close frees what was left. Method:
 * the golden model, one client that fills allocations and destroys them, another that reads all it can get; DMA buffers
 * with a mistake each. Leaks are found by the sanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { MEMORY = 8 << 20, OWN = 16 * PAGE_BYTES, OWN_AT = MEMORY - OWN, BYTES = 65536, SECRET = 'S' };

static struct transport transport;
static struct tessera *tessera;
static uint8_t buffer[BYTES];

static int open_device(void **state)
{
    char message[256];
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    const struct tessera_options open_options = {.seed = 3, .own_bytes = OWN};
    struct device *device = device_create(&options, message);
    (void)state;
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &open_options, message), TESSERA_OK);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    tessera_close(tessera);
    return 0;
}

static struct tessera_allocation *create(uint32_t client, uint32_t flags, uint32_t address)
{
    struct tessera_allocation *made;
    struct tessera_allocation_options options = {.bytes = BYTES, .flags = ALLOCATION_CPU_VISIBLE | flags};
    options.address = address;
    options.read_set = options.write_set = address != 0 ? 4 : 0;
    assert_int_equal(tessera_set_client(tessera, client), TESSERA_OK);
    return tessera_allocation_create(tessera, &options, &made) == TESSERA_OK ? made : NULL;
}

static void write_secret(struct tessera_allocation *allocation)
{
    memset(buffer, SECRET, sizeof buffer);
    assert_int_equal(tessera_write(tessera, allocation, 0, buffer, sizeof buffer), TESSERA_OK);
}

static uint32_t count_secrets(struct tessera_allocation *allocation)
{
    uint32_t count = 0;
    memset(buffer, 0, sizeof buffer);
    assert_int_equal(tessera_read(tessera, allocation, 0, buffer, sizeof buffer), TESSERA_OK);
    for (uint32_t i = 0; i < sizeof buffer; i++) count += buffer[i] == SECRET;
    return count;
}

/* Every page of the pool has been `from`'s; then `to` takes every page. */
static void pass_on(uint32_t from, uint32_t to, uint32_t flags)
{
    static struct tessera_allocation *all[MEMORY / BYTES];
    uint32_t count = 0;
    while ((all[count] = create(from, 0, 0)) != NULL) write_secret(all[count++]);
    assert_true(count > 50);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(tessera_allocation_destroy(tessera, all[i]), TESSERA_OK);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = create(to, flags, 0);
        assert_non_null(all[i]);
        assert_int_equal(count_secrets(all[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++) assert_int_equal(tessera_allocation_destroy(tessera, all[i]), TESSERA_OK);
}

static void test_pages(void **state)
{
    (void)state;
    pass_on(1, 2, 0);
    pass_on(1, 2, ALLOCATION_UNDEFINED);
    pass_on(0, 1, 0);
    pass_on(1, 1, 0); /* an id may be another program's by now */
    pass_on(1, 0, 0);
    pass_on(2, 0, ALLOCATION_UNDEFINED);
}

/* The program's own pages: what it put there stays, what a client left there does not. */
static void test_own_pages(void **state)
{
    (void)state;
    memset(buffer, SECRET, sizeof buffer);
    assert_int_equal(transport.memory_write(transport.context, OWN_AT, buffer, sizeof buffer), 0);
    struct tessera_allocation *allocation = create(1, 0, OWN_AT);
    assert_non_null(allocation);
    assert_int_equal(count_secrets(allocation), BYTES);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
    allocation = create(2, 0, OWN_AT);
    assert_int_equal(count_secrets(allocation), 0);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
    allocation = create(0, 0, OWN_AT);
    write_secret(allocation);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
    allocation = create(0, 0, OWN_AT);
    assert_int_equal(count_secrets(allocation), BYTES);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
}

static void test_staging(void **state)
{
    uint32_t address;
    uint8_t *const part = buffer;
    (void)state;
    for (uint32_t client = 1; client != UINT32_MAX; client--) { /* 1's, read by 0; 0's by 0 */
        assert_int_equal(tessera_set_client(tessera, 1), TESSERA_OK);
        for (uint32_t i = 0; i < 16; i++) {
            assert_int_equal(tessera_staging_take(tessera, &address), TESSERA_OK);
            memset(part, SECRET, 4096);
            assert_int_equal(transport.memory_write(transport.context, address + 4096, part, 4096), 0);
            tessera_staging_free(tessera, address);
        }
        assert_int_equal(tessera_set_client(tessera, client == 1 ? 2 : 0), TESSERA_OK);
        assert_int_equal(tessera_staging_take(tessera, &address), TESSERA_OK);
        assert_int_equal(transport.memory_read(transport.context, address + 4096, part, 4096), 0);
        for (uint32_t i = 0; i < 4096; i++) assert_int_equal(part[i], 0);
        tessera_staging_free(tessera, address);
    }
}

/* ------------------------------------------------------------------ refusals */

static struct tessera_stream *stream;
static struct tessera_allocation *picture;

static void submit(const char *expected)
{
    uint32_t context = 0;
    tessera_ticket ticket;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_submit(tessera, context, stream, 0, &ticket), TESSERA_OK);
    tessera_stream_clear(stream); /* what was submitted is told, not what the stream holds now */
    assert_true(tessera_wait(tessera, ticket, NULL) > 0);
    if (strstr(tessera_message(tessera), expected) == NULL)
        fail_msg("'%s' is not in '%s'", expected, tessera_message(tessera));
    assert_int_equal(tessera_context_destroy(tessera, context), TESSERA_OK);
}

static void bind(uint32_t slot, uint32_t format, uint32_t bytes, bool is_target)
{
    const struct tessera_surface surface = {
        .allocation = picture, .format = format, .pitch = 64, .bytes = bytes, .is_target = is_target};
    assert_int_equal(tessera_stream_bind(stream, slot, &surface), TESSERA_OK);
}

static void raw(const uint32_t *words, uint32_t count)
{
    assert_int_equal(tessera_stream_raw(stream, words, count), TESSERA_OK);
}
#define RAW(...) raw((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define PATCH(...) assert_int_equal(tessera_stream_patch(stream, (const uint32_t[6]){__VA_ARGS__}), TESSERA_OK)

static void refuse_draws(uint32_t handle)
{
    char text[128];
    bind(0, FORMAT_RGB565, 0, false);
    assert_int_equal(tessera_stream_fill_rect(stream, 0, 0, 0, 1, 1, 0), TESSERA_OK);
    snprintf(
        text, sizeof text,
        "NOT_WRITABLE: FILL_RECT at byte 16 writes allocation %u (slot 0), which is listed without WriteOperation: "
        "set is_target",
        handle);
    submit(text);
    bind(3, FORMAT_RGB565, 256, true);
    assert_int_equal(tessera_stream_fill_rect(stream, 3, 30, 2, 2, 3, 0), TESSERA_OK);
    submit(
        "BAD_OPERAND: FILL_RECT at byte 16: 2 x 3 at 30, 2 leaves the TARGET in slot 3 (RGB565, pitch 64, 256 bytes)");
    bind(3, FORMAT_RGB565, 0, true);
    bind(4, FORMAT_BYTES, 0, false);
    const struct tessera_blit blend = {
        .target = 3, .source = 4, .mode = BLIT_BLEND, .width = 1, .height = 1, .value = 255};
    assert_int_equal(tessera_stream_blit(stream, &blend), TESSERA_OK);
    submit("BAD_OPERAND: BLIT at byte 32: this combination of mode, flags, formats and alignment is not possible "
           "(docs/pixels.md): BLIT TARGET=3 SOURCE=4 MODE=BLEND");
    RAW(PKT_FILL_RECT | 7u << 8, 0, 1u | 1u << 16, 0);
    submit("UNBOUND_SLOT: FILL_RECT at byte 0 names slot 7, its target, to which nothing is bound");
    bind(3, FORMAT_RGB565, 0, true);
    bind(4, FORMAT_INDEX8, 0, false);
    RAW(PKT_BLIT | 3u << 8 | 4u << 16, 0, 0, 1u | 1u << 16, 0, 0);
    submit("NO_PALETTE: BLIT at byte 32 draws from INDEX8 in slot 4");
}

static void refuse_words(void)
{
    RAW(PKT_NOP, 0xee);
    submit("BAD_OPCODE: the word at byte 4, 0x000000ee, is not a packet: opcode 0xee does not exist");
    RAW(PKT_NOP, PKT_FENCE, 1);
    submit("PRIVILEGED: FENCE at byte 4 is a packet of rings");
    RAW(PKT_NOP, PKT_FILL, 0);
    submit("TRUNCATED: the buffer of 12 bytes ends inside FILL at byte 4, which has 4 words");
    RAW(PKT_NOP | 1u << 9);
    submit("RESERVED_BITS: NOP at byte 0 (0x00000200 ...)");
    RAW(PKT_FILL, 0, 4, 0);
    submit("UNPATCHED_ADDRESS: FILL at byte 0: its address word at byte 4 has no patch location");
}

static void refuse_entries(uint32_t handle)
{
    uint32_t index;
    char text[128];
    assert_int_equal(tessera_stream_list(stream, picture, true, &index), TESSERA_OK);
    RAW(PKT_FILL, 0, 4, 0);
    PATCH(index, 2, 0, 0, 8, 0);
    submit("BAD_PATCH_OFFSET: patch location 0 (byte 8, allocation index 1, slot 2, split at byte 0) does not name");
    RAW(PKT_FILL, 0, 4, 0);
    PATCH(5, 2, 0, 0, 4, 0);
    submit("BAD_ALLOCATION_INDEX: patch location 0");
    RAW(PKT_FILL, 0, 4, 0);
    PATCH(0, 2, 0, 0, 4, 0);
    submit("NULL_ALLOCATION: patch location 0");
    assert_int_equal(tessera_stream_list(stream, picture, true, &index), TESSERA_OK);
    RAW(PKT_FILL, 0, BYTES + 4, 0);
    PATCH(index, 2, 0, 8, 4, 0);
    snprintf(
        text, sizeof text,
        "EXTENT: FILL at byte 0 leaves an allocation: TARGET is byte 8 of allocation %u, which has 65536; BYTES is "
        "65540",
        handle);
    submit(text);
    assert_int_equal(tessera_lock(tessera, picture, 0), TESSERA_OK);
    assert_int_equal(tessera_stream_list(stream, picture, true, &index), TESSERA_OK);
    RAW(PKT_NOP);
    snprintf(text, sizeof text, "LOCKED: allocation %u, entry 1 of the allocation list, is locked", handle);
    submit(text);
    assert_int_equal(tessera_unlock(tessera, picture), TESSERA_OK);
}

static void test_refusals(void **state)
{
    (void)state;
    picture = create(0, 0, 0);
    stream = tessera_stream_create_for(tessera);
    assert_non_null(picture);
    const uint32_t handle = tessera_allocation_handle(picture);
    refuse_draws(handle);
    refuse_words();
    refuse_entries(handle);
    assert_int_equal(tessera_unlock(tessera, picture), STATUS_NOT_LOCKED);
    assert_string_equal(tessera_message(tessera), "NOT_LOCKED: UNLOCK: Unlock without lock. Lock it first.");
    assert_int_equal(tessera_context_set_priority(tessera, 99, 0), STATUS_BAD_CONTEXT);
    assert_non_null(strstr(tessera_message(tessera), "BAD_CONTEXT: SET_CONTEXT"));
    uint32_t message[16] = {MSG_SET_PRIORITY, 0, handle, 0}; /* the library would not send it */
    assert_int_equal(tessera_call(tessera, message, NULL), STATUS_BAD_ARGUMENT);
    assert_non_null(strstr(tessera_message(tessera), "BAD_ARGUMENT: SET_PRIORITY: PRIORITY is 0 (0x0)."));
    tessera_stream_destroy(stream);
}

/* ------------------------------------------------------------------ everything of a client goes */

static uint32_t statistic(enum tessera_statistic which)
{
    uint32_t statistics[TESSERA_STATISTICS];
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    return statistics[which];
}

/* Buffers that fill `target`, without waiting; the last one's ticket. */
static tessera_ticket submit_fills(uint32_t context, struct tessera_allocation *target, uint32_t count)
{
    const struct tessera_place place = {target, 0, 0};
    struct tessera_stream *fills = tessera_stream_create();
    tessera_ticket ticket = 0;
    assert_int_equal(tessera_stream_fill(fills, &place, BYTES, 0x01020304), TESSERA_OK);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(tessera_submit(tessera, context, fills, 0, &ticket), TESSERA_OK);
    tessera_stream_destroy(fills);
    return ticket;
}

/* Client 3 has all kinds of things, many in flight; client 4 and the program itself have the same and keep it. */
static void test_clear(void **state)
{
    (void)state;
    bool is_discarded;
    uint32_t context[5];
    tessera_ticket ticket;
    struct tessera_allocation *kept = create(4, 0, 0), *mine = create(0, 0, 0);
    for (uint32_t round = 0; round < 40; round++) { /* more than all pages and contexts hold, if any stayed */
        struct tessera_allocation *drawn = create(3, 0, 0), *locked = create(3, 0, 0), *offered = create(3, 0, 0);
        struct tessera_allocation *locking = create(3, 0, 0), *going = create(3, 0, 0);
        assert_non_null(going);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(tessera_context_create(tessera, 0, 0, &context[i]), TESSERA_OK);
        submit_fills(context[0], drawn, 3);
        submit_fills(context[1], drawn, 2);
        assert_int_equal(tessera_lock(tessera, locked, 0), TESSERA_OK);
        assert_int_equal(tessera_offer(tessera, offered, 1), TESSERA_OK);
        assert_int_equal(tessera_lock_begin(tessera, locking, 0, &ticket), TESSERA_OK);
        assert_int_equal(tessera_allocation_destroy_begin(tessera, going, &ticket), TESSERA_OK);
        assert_int_equal(tessera_share(tessera, drawn, 4, TESSERA_RIGHT_READ), TESSERA_OK);
        assert_int_equal(tessera_set_client(tessera, 4), TESSERA_OK);
        assert_int_equal(tessera_client_clear(tessera, 3), TESSERA_OK);
        assert_int_equal(tessera_lock(tessera, kept, 0), TESSERA_OK); /* the client that was set is still set */
        assert_int_equal(tessera_unlock(tessera, kept), TESSERA_OK);
    }
    assert_int_equal(tessera_offer(tessera, kept, 1), TESSERA_OK);
    assert_int_equal(tessera_reclaim(tessera, kept, &is_discarded), TESSERA_OK);
    assert_int_equal(tessera_client_clear(tessera, 4), TESSERA_OK);
    assert_int_equal(tessera_set_client(tessera, 0), TESSERA_OK);
    write_secret(mine);
    assert_int_equal(count_secrets(mine), BYTES);
    assert_int_equal(tessera_client_clear(tessera, 0), TESSERA_OK);
    assert_int_equal(statistic(TESSERA_STATISTIC_RESIDENT_PAGES_1) + statistic(TESSERA_STATISTIC_RESIDENT_PAGES_2), 0);
    assert_int_equal(tessera_client_clear(tessera, 64), TESSERA_MISUSE);
}

static uint32_t timeline_of(uint32_t client, uint32_t with)
{
    uint32_t timeline = 0;
    assert_int_equal(tessera_set_client(tessera, client), TESSERA_OK);
    assert_int_equal(tessera_timeline_create(tessera, 0, 0x7fffffff, &timeline), TESSERA_OK);
    assert_int_equal(tessera_timeline_share(tessera, timeline, with, true), TESSERA_OK);
    return timeline;
}

static tessera_ticket submit_empty(uint32_t client, const struct tessera_point *wait, uint32_t *context)
{
    struct tessera_stream *empty = tessera_stream_create();
    tessera_ticket ticket = 0;
    assert_int_equal(tessera_set_client(tessera, client), TESSERA_OK);
    assert_int_equal(tessera_context_create(tessera, 0, 0, context), TESSERA_OK);
    assert_int_equal(tessera_submit_points(tessera, *context, empty, 0, wait, NULL, &ticket), TESSERA_OK);
    tessera_stream_destroy(empty);
    return ticket;
}

/* A client goes that waits for its own points and another's, who waits for its. None of the waits would end else. */
static void test_clear_waits(void **state)
{
    uint32_t context, kept;
    uint64_t value;
    (void)state;
    for (uint32_t round = 0; round < 60; round++) { /* more than all timelines and waits, if any stayed */
        const struct tessera_point threes = {timeline_of(3, 4), 1}, fours = {timeline_of(4, 3), 1};
        tessera_ticket lost, flip;
        (void)submit_empty(3, &threes, &context);
        (void)submit_empty(3, &fours, &context);
        assert_int_equal(tessera_timeline_wait(tessera, &fours, 0, &lost), TESSERA_OK);
        const tessera_ticket theirs = submit_empty(4, &threes, &kept);
        const tessera_ticket own = submit_empty(4, &fours, &kept);
        assert_int_equal(tessera_timeline_wait(tessera, &threes, 0, &flip), TESSERA_OK);
        assert_int_equal(tessera_client_clear(tessera, 3), TESSERA_OK);
        assert_int_equal(tessera_wait(tessera, theirs, NULL), STATUS_TIMELINE_GONE);
        assert_int_equal(tessera_wait(tessera, flip, NULL), STATUS_TIMELINE_GONE);
        assert_false(tessera_is_done(tessera, own));
        assert_int_equal(tessera_timeline_signal(tessera, fours.timeline, 1), TESSERA_OK);
        assert_int_equal(tessera_wait(tessera, own, NULL), TESSERA_OK);
        assert_int_equal(tessera_set_client(tessera, 3), TESSERA_OK);
        assert_int_equal(tessera_timeline_query(tessera, fours.timeline, &value), STATUS_BAD_TIMELINE);
        assert_non_null(strstr(tessera_message(tessera), "BAD_TIMELINE: QUERY_TIMELINE: TIMELINE is "));
        assert_int_equal(tessera_client_clear(tessera, 4), TESSERA_OK);
    }
}

static int no_more(void *context, uint32_t cycles)
{
    (void)context;
    (void)cycles;
    return TRANSPORT_IO;
}

/* A program that waits on a descriptor: tessera_work alone brings the answer. */
static void test_work(void **state)
{
    (void)state;
    uint32_t context = 0;
    struct tessera_allocation *target = create(0, 0, 0);
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    const tessera_ticket ticket = submit_fills(context, target, 1);
    for (unsigned turn = 0; turn < 1000; turn++) assert_int_equal(tessera_work(tessera, 1000), TESSERA_OK);
    transport.wait = no_more; /* whoever waits now gets nothing */
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera_work(tessera, 1000), TESSERA_LINK);
}

/* What a program leaves behind: allocations, some locked, tickets that nobody waits for, refusals among them. */
static void test_close(void **state)
{
    tessera_ticket ticket;
    uint32_t message[16] = {MSG_UNLOCK, 0, 77};
    (void)state;
    for (uint32_t i = 0; i < 5u; i++) assert_non_null(create(0, 0, 0));
    struct tessera_allocation *locked = create(0, 0, 0), *begun = create(0, 0, 0);
    assert_int_equal(tessera_lock(tessera, locked, 0), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, locked), STATUS_LOCKED);
    assert_int_equal(tessera_allocation_destroy_begin(tessera, begun, &ticket), TESSERA_OK);
    assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_OK);
    while (!tessera_is_done(tessera, ticket)) assert_int_equal(transport.wait(transport.context, 1000), 0);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, open_device, close_device)
    const struct CMUnitTest tests[] = {CASE(test_pages),    CASE(test_own_pages), CASE(test_staging),
                                       CASE(test_refusals), CASE(test_clear),     CASE(test_clear_waits),
                                       CASE(test_work),     CASE(test_close)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
