/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: each call of libtessera sends the message that its contract says, word by word, gives back what the completion
 * said, and changes nothing of the caller's when it is refused or the link fails; and says so in one exact line.
 * Method: a device that notes every message and answers with numbers of its own, or as it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_device.h"
#include "lib/tessera_internal.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { CLIENT = 3, ANSWER = 0x1004 }; /* word 4 of every completion, 5 in the next */

static struct fake_device device;
static struct transport transport;
static struct tessera *tessera;
static struct tessera_allocation *allocation;
static uint32_t handle, context, sent[16], messages, refuses_with, reply4;
static int link_fails; /* the transport's result of the next read of a register, 0 = it works */
static int (*real_read)(void *context, uint32_t offset, uint32_t *value);

static int read_or_fail(void *it, uint32_t offset, uint32_t *value)
{
    int result = link_fails;
    link_fails = TRANSPORT_OK;
    return result != TRANSPORT_OK ? result : real_read(it, offset, value);
}

/* Takes the messages, notes the last, answers each. */
static int answer(void *it, uint32_t cycles)
{
    uint32_t *head = &device.registers[HOST_SUBMIT_HEAD_OFFSET / 4],
             *tail = &device.registers[HOST_COMPLETE_TAIL_OFFSET / 4];
    (void)it;
    device.cycles += cycles;
    for (; *head != device.registers[HOST_SUBMIT_TAIL_OFFSET / 4]; ++*head, messages++) {
        memcpy(sent, device.system + SUBMIT_RING_ADDRESS + (*head & field_mask(SUBMIT_RING_LOG2)) * 64u, sizeof sent);
        const uint32_t completion[8] = {sent[1], refuses_with, 0x77, 0x99, reply4, ANSWER + 1, ANSWER + 2, ANSWER + 3};
        memcpy(device.system + COMPLETE_RING_ADDRESS + (*tail & field_mask(COMPLETE_RING_LOG2)) * 32u, completion,
               sizeof completion);
        ++*tail;
    }
    return TRANSPORT_OK;
}

static int setup(void **state)
{
    const struct tessera_options options = {.seed = 7, .patience_cycles = 5000000};
    const struct tessera_allocation_options make = {.bytes = 3 * 4096};
    char message[256];
    (void)state;
    fake_device_init(&device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &options, message), TESSERA_OK);
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(tessera, &make, &allocation), TESSERA_OK);
    handle = tessera_allocation_handle(allocation);
    real_read = transport.register_read;
    transport.register_read = read_or_fail;
    transport.wait = answer;
    refuses_with = STATUS_OK;
    reply4 = ANSWER;
    assert_int_equal(tessera_set_client(tessera, CLIENT), TESSERA_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    refuses_with = STATUS_OK;
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
    tessera_close(tessera);
    fake_device_free(&device);
    return 0;
}

/* The last message: code and client, then these words from the second on, then nothing. */
#define SENT(code, ...) \
    do { \
        const uint32_t expected[16] = {code, sent[1], __VA_ARGS__}; \
        assert_memory_equal(sent, expected, sizeof sent); \
    } while (0)
#define OF(code) message_word(code, CLIENT)

static void test_messages(void **state)
{
    struct tessera_share share;
    struct tessera_allocation *made;
    tessera_ticket ticket;
    uint32_t value = 0, segment = 0, offset = 0;
    bool is_discarded = false;
    (void)state;
    assert_int_equal(tessera_context_create(tessera, 0, -7, &value), TESSERA_OK);
    SENT(OF(MSG_CREATE_CONTEXT), 0, (uint32_t)-7);
    assert_int_equal(value, ANSWER);
    assert_int_equal(tessera_context_destroy(tessera, 5), TESSERA_OK);
    SENT(OF(MSG_DESTROY_CONTEXT), 5);
    assert_int_equal(tessera_context_set_priority(tessera, 6, -3), TESSERA_OK);
    SENT(OF(MSG_SET_CONTEXT), 6, CONTEXT_PRIORITY, (uint32_t)-3, 0);
    assert_int_equal(tessera_context_set_budget(tessera, 6, 44), TESSERA_OK);
    SENT(OF(MSG_SET_CONTEXT), 6, CONTEXT_BUDGET, 0, 44);
    assert_int_equal(tessera_context_query(tessera, 8, &share), TESSERA_OK);
    SENT(OF(MSG_QUERY_CONTEXT), 8);
    assert_int_equal(share.share, ANSWER);
    assert_int_equal(share.resident, ANSWER + 1);
    assert_int_equal(share.lost, ANSWER + 2);
    assert_int_equal(share.taken, ANSWER + 3);
    assert_int_equal(tessera_admit_client(tessera, 9), TESSERA_OK);
    SENT(MSG_ADMIT_CLIENT, 9); /* for client 0 */

    assert_int_equal(tessera_lock(tessera, allocation, LOCK_READ_ONLY), TESSERA_OK);
    SENT(OF(MSG_LOCK), handle, LOCK_READ_ONLY | LOCK_ENTIRE);
    assert_int_equal(tessera_unlock(tessera, allocation), TESSERA_OK);
    SENT(OF(MSG_UNLOCK), handle);
    assert_int_equal(tessera_lock_begin(tessera, allocation, LOCK_READ_ONLY, &ticket), TESSERA_OK);
    assert_false(allocation->is_locked); /* the device has not said so */
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_LOCK), handle, LOCK_READ_ONLY | LOCK_ENTIRE);
    assert_true(allocation->is_locked);
    assert_int_equal(tessera_unlock_begin(tessera, allocation, &ticket), TESSERA_OK);
    assert_false(allocation->is_locked);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_UNLOCK), handle);
    assert_int_equal(tessera_set_priority(tessera, allocation, 0x1234), TESSERA_OK);
    SENT(OF(MSG_SET_PRIORITY), handle, 0x1234);
    assert_int_equal(tessera_offer(tessera, allocation, 2), TESSERA_OK);
    SENT(OF(MSG_OFFER), handle, 2);
    assert_int_equal(tessera_reclaim(tessera, allocation, &is_discarded), TESSERA_OK);
    SENT(OF(MSG_RECLAIM), handle);
    assert_true(is_discarded);
    reply4 = 0;
    assert_int_equal(tessera_reclaim(tessera, allocation, &is_discarded), TESSERA_OK);
    assert_false(is_discarded);
    reply4 = ANSWER;
    assert_int_equal(tessera_share(tessera, allocation, 2, RIGHT_READ), TESSERA_OK);
    SENT(OF(MSG_SHARE), handle, 2, RIGHT_READ);
    assert_int_equal(tessera_evict(tessera, allocation), TESSERA_OK);
    SENT(OF(MSG_EVICT), handle);
    assert_int_equal(tessera_evict(tessera, NULL), TESSERA_OK);
    SENT(OF(MSG_EVICT), 0);
    assert_int_equal(tessera_where(tessera, allocation, &segment, &offset), TESSERA_OK);
    SENT(OF(MSG_QUERY_ALLOCATION), handle);
    assert_int_equal(segment, ANSWER);
    assert_int_equal(offset, ANSWER + 1);
    struct tessera_residence place;
    assert_int_equal(tessera_residence(tessera, allocation, &place), TESSERA_OK);
    SENT(OF(MSG_QUERY_ALLOCATION), handle);
    assert_int_equal(place.segment, ANSWER);
    assert_int_equal(place.offset, ANSWER + 1);
    assert_int_equal(place.reason, ANSWER + 2);
    assert_string_equal(tessera_reason_name(PLACE_REASON_WORTH), "copied: worth it");
    assert_string_equal(tessera_reason_name(PLACE_REASON_ELSEWHERE + 1), "?");

    const struct tessera_allocation_options all = {
        5000, 8192, ALLOCATION_UNDEFINED, tessera_prefer(2, 1, 3), 1, 2, 4, 9, 64, 16, 2, 77, 1, 0, NULL, 0, false};
    assert_int_equal(tessera_prefer(2, 1, 3), 2 | 1 << 6 | 3 << 12);
    assert_int_equal(tessera_allocation_create(tessera, &all, &made), TESSERA_OK);
    SENT(OF(MSG_CREATE_ALLOCATION), 5000, 8192, ALLOCATION_UNDEFINED, 2 | 1 << 6 | 3 << 12, 1, 2, 4, 9,
         made->list_address, 64, 16 | 2 << 16, 77, 1);
    assert_int_equal(tessera_allocation_handle(made), ANSWER);
    assert_int_equal(tessera_allocation_bytes(made), 8192); /* whole pages */
    assert_true(made->is_known_to_gpu);
    assert_memory_equal(device.system + made->list_address, made->pages, 2 * sizeof *made->pages);
    assert_int_equal(tessera_allocation_destroy_begin(tessera, made, &ticket), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy_begin(tessera, made, &ticket), TESSERA_MISUSE);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_DESTROY_ALLOCATION), ANSWER);
    const struct tessera_allocation_options least = {.bytes = 4096};
    assert_int_equal(tessera_allocation_create(tessera, &least, &made), TESSERA_OK);
    SENT(OF(MSG_CREATE_ALLOCATION), 4096, 0, 0, 0, 7, 7, 0, 0x78000000, made->list_address);
    assert_false(made->is_known_to_gpu);
    assert_int_equal(tessera_allocation_destroy(tessera, made), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, NULL), TESSERA_OK);
}

static void test_queries(void **state)
{
    struct tessera_segment segments[3] = {{0}};
    uint32_t statistics[STAT_COUNT], count = 3, at = SCRATCH_ADDRESS;
    (void)state;
    for (uint32_t i = 0; i < 64; i++) memcpy(device.system + SCRATCH_ADDRESS + 4 * i, &(uint32_t){500 + i}, 4);
    reply4 = 5;
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    SENT(OF(MSG_QUERY_STATISTICS), SCRATCH_ADDRESS, STAT_COUNT);
    for (uint32_t i = 0; i < STAT_COUNT; i++) assert_int_equal(statistics[i], i < 5 ? 500 + i : 0);
    reply4 = STAT_COUNT + 9; /* a newer firmware has more */
    assert_int_equal(tessera_statistics(tessera, statistics), TESSERA_OK);
    for (uint32_t i = 0; i < STAT_COUNT; i++) assert_int_equal(statistics[i], 500 + i);
    reply4 = 3;
    assert_int_equal(tessera_query_segments(tessera, NULL, &count), TESSERA_OK);
    SENT(OF(MSG_QUERY_SEGMENT), 5);
    assert_int_equal(count, 3);
    assert_int_equal(tessera_query_segments(tessera, segments, &count), TESSERA_OK);
    SENT(OF(MSG_QUERY_SEGMENT), 5, SCRATCH_ADDRESS, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t words[SEGMENT3_WORDS];
        memcpy(words, device.system + at + 4 * (SEGMENT_OUT_DESCRIPTORS + i * SEGMENT3_WORDS), sizeof words);
        assert_int_equal(segments[i].flags, words[SEGMENT3_FLAGS]);
        assert_int_equal(segments[i].base, words[SEGMENT3_BASE] | (uint64_t)words[SEGMENT3_BASE + 1] << 32);
        assert_int_equal(segments[i].bytes, words[SEGMENT3_SIZE] | (uint64_t)words[SEGMENT3_SIZE + 1] << 32);
        assert_int_equal(segments[i].commit_limit,
                         words[SEGMENT3_COMMIT_LIMIT] | (uint64_t)words[SEGMENT3_COMMIT_LIMIT + 1] << 32);
    }
    count = 2;
    assert_int_equal(tessera_query_segments(tessera, segments, &count), TESSERA_MISUSE);
    assert_string_equal(tessera_message(tessera), "there are 3 segments, the array has room for 2.");
    assert_int_equal(count, 3);
    reply4 = count = 32; /* more than ids can name */
    assert_int_equal(tessera_query_segments(tessera, segments, &count), TESSERA_MISUSE);
}

/* Refused, or the link fails: the caller's variables stay, and the line says why. */
static void test_refusals(void **state)
{
    const struct tessera_allocation_options least = {.bytes = 4096};
    struct tessera_allocation *made = allocation;
    struct tessera_share share = {1, 2, 3, 4};
    uint32_t value = 5, segment = 6, offset = 7, pool = tessera->pool_count;
    bool is_discarded = true;
    (void)state;
    refuses_with = STATUS_BAD_HANDLE;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &value), STATUS_BAD_HANDLE);
    assert_string_equal(tessera_message(tessera),
                        "BAD_HANDLE: CREATE_CONTEXT: No such allocation of the client, nor one that is shared with it. "
                        "Detail: 119 (0x77).");
    assert_int_equal(tessera_context_query(tessera, 1, &share), STATUS_BAD_HANDLE);
    assert_int_equal(tessera_where(tessera, allocation, &segment, &offset), STATUS_BAD_HANDLE);
    assert_int_equal(tessera_reclaim(tessera, allocation, &is_discarded), STATUS_BAD_HANDLE);
    assert_int_equal(tessera_lock(tessera, allocation, 0), STATUS_BAD_HANDLE);
    assert_false(allocation->is_locked);
    tessera_ticket ticket;
    assert_int_equal(tessera_lock_begin(tessera, allocation, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), STATUS_BAD_HANDLE);
    assert_false(allocation->is_locked);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), STATUS_BAD_HANDLE);
    assert_false(allocation->is_released);
    assert_int_equal(tessera_allocation_create(tessera, &least, &made), STATUS_BAD_HANDLE);
    assert_null(made);
    assert_int_equal(tessera->pool_count, pool);
    assert_int_equal(value, 5);
    assert_int_equal(share.share + share.resident + share.lost + share.taken, 10);
    assert_int_equal(segment + offset, 13);
    assert_true(is_discarded);
    refuses_with = STATUS_OK;
    assert_int_equal(tessera_lock(tessera, allocation, 0), TESSERA_OK);
    refuses_with = STATUS_BAD_HANDLE;
    assert_int_equal(tessera_lock(tessera, allocation, 0), STATUS_BAD_HANDLE);
    assert_true(allocation->is_locked); /* by the first */
    assert_int_equal(tessera_unlock(tessera, allocation), STATUS_BAD_HANDLE);
    assert_true(allocation->is_locked);
    assert_int_equal(tessera_set_client(tessera, GPU_LIMIT(CLIENTS)), TESSERA_MISUSE);
    assert_int_equal(tessera->client, CLIENT);
    assert_int_equal(tessera_wait(tessera, 12345, NULL), TESSERA_MISUSE);
    assert_string_equal(tessera_message(tessera), "ticket 12345 was waited for already.");

    static const struct {
        int result;
        const char *error, *line;
    } rows[] = {{TRANSPORT_TIMEOUT, "", "register read: the device gave no answer in time (no details)"},
                {TRANSPORT_DEAD, "it burns", "register read: the device has stopped (it burns)"},
                {TRANSPORT_IO, "x", "register read: the link failed (x)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(transport.error, sizeof transport.error, "%s", rows[i].error);
        link_fails = rows[i].result;
        assert_int_equal(tessera_register_read(tessera, HOST_ID_OFFSET, &value), TESSERA_LINK);
        assert_string_equal(tessera_message(tessera), rows[i].line);
    }
}

static void test_display(void **state)
{
    struct tessera_display display;
    struct tessera_blank blank;
    tessera_ticket ticket;
    uint32_t colours[256], address;
    (void)state;
    assert_int_equal(tessera_query_display(tessera, &display), TESSERA_OK);
    SENT(OF(MSG_QUERY_DISPLAY));
    assert_int_equal(display.modes, ANSWER);
    assert_int_equal(display.columns, ANSWER + 1);
    assert_int_equal(display.rows, 0);
    assert_true(display.is_owner);
    assert_int_equal(display.frame, ANSWER + 3);
    assert_int_equal(tessera_give_display(tessera, 9), TESSERA_OK);
    SENT(MSG_GIVE_DISPLAY, 9); /* for client 0 */
    assert_int_equal(tessera_give_display(tessera, GPU_LIMIT(CLIENTS)), TESSERA_MISUSE);
    static const uint32_t sizes[][2] = {{0, 0}, {640, 480}, {800, 600}, {1024, 768}, {1280, 720}};
    for (uint32_t mode = 0; mode < 5; mode++) {
        assert_int_equal(tessera_mode_of(sizes[mode][0], sizes[mode][1]), mode);
        assert_int_equal(tessera_mode_of(sizes[mode][1], sizes[mode][0]), TESSERA_DISPLAY_OFF);
        assert_int_equal(tessera_mode_of(sizes[mode][0], sizes[mode][1] + 1), TESSERA_DISPLAY_OFF);
    }
    assert_int_equal(tessera_set_mode(tessera, TESSERA_DISPLAY_SVGA), TESSERA_OK);
    SENT(OF(MSG_SET_MODE), 2);
    for (uint32_t i = 0; i < 256; i++) colours[i] = i * 77u;
    assert_int_equal(tessera_set_palette(tessera, colours), TESSERA_OK);
    address = sent[MSG_SET_PALETTE_ADDRESS];
    SENT(OF(MSG_SET_PALETTE), address);
    assert_memory_equal(device.system + address, colours, sizeof colours);
    assert_int_equal(tessera_move_cursor(tessera, -3, 32767), TESSERA_OK);
    SENT(OF(MSG_MOVE_CURSOR), 0x7ffffffd);
    assert_int_equal(tessera_move_cursor(tessera, -32769, 0), TESSERA_MISUSE);
    assert_int_equal(tessera_move_cursor(tessera, 0, 32768), TESSERA_MISUSE);
    assert_string_equal(tessera_message(tessera),
                        "move_cursor: 0, 32768 is out of range, -32768 to 32767 is possible.");
    assert_int_equal(tessera_wait_vblank(tessera, TESSERA_WHEN_FRAME, 44, &blank), TESSERA_OK);
    SENT(OF(MSG_WAIT_VBLANK), 2, 44);
    assert_int_equal(blank.frame, ANSWER);
    assert_true(blank.cycle == ((uint64_t)(ANSWER + 2) << 32 | (ANSWER + 1)));
    assert_int_equal(tessera_cursor(tessera, allocation, 256, 3, 63, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_SET_CURSOR), handle, 256, 63 << 16 | 3);
    assert_true(allocation->is_known_to_gpu);
    assert_int_equal(tessera_cursor(tessera, NULL, 0, 0, 64, &ticket), TESSERA_MISUSE);
}

static void test_flip(void **state)
{
    struct tessera_flip flip = {.plane = TESSERA_PLANE_OVERLAY,
                                .allocation = allocation,
                                .offset = 8,
                                .pitch = 64,
                                .format = TESSERA_RGB565,
                                .when = TESSERA_WHEN_FRAME,
                                .frame = 99,
                                .context = 7,
                                .after = 55,
                                .x = 1,
                                .y = 2,
                                .width = 3,
                                .height = 4,
                                .mix = TESSERA_MIX_KEY,
                                .value = 0xabcdef};
    tessera_ticket ticket;
    (void)state;
    assert_int_equal(tessera_flip(tessera, &flip, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_FLIP), 1, handle, 8, 64, FORMAT_RGB565, 2, 99, 7, 55, 2 << 16 | 1, 4 << 16 | 3, 1, 0xabcdef);
    flip = (struct tessera_flip){.after = 55};
    assert_int_equal(tessera_flip(tessera, &flip, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_FLIP), 0); /* without a context no submission is named */
    flip.height = 65536;
    assert_int_equal(tessera_flip(tessera, &flip, &ticket), TESSERA_MISUSE);
    assert_string_equal(tessera_message(tessera), "flip: 0 x 65536 at 0, 0: each is at most 4095.");
    assert_int_equal(tessera_lock(tessera, allocation, 0), TESSERA_OK);
    flip = (struct tessera_flip){.allocation = allocation};
    assert_int_equal(tessera_flip(tessera, &flip, &ticket), TESSERA_MISUSE);
    assert_string_equal(tessera_message(tessera), "flip: the allocation is locked. Unlock it first.");
    assert_int_equal(tessera_unlock(tessera, allocation), TESSERA_OK);
    refuses_with = STATUS_SHOWN;
    assert_int_equal(tessera_evict(tessera, allocation), STATUS_SHOWN);
    assert_string_equal(tessera_message(tessera),
                        "SHOWN: EVICT: The allocation is shown, or a FLIP of it waits. Flip to something else first.");
}

static void test_timelines(void **state)
{
    const struct tessera_point wait = {0x11, 0x2200000033u}, signal = {0x44, 0x5500000066u};
    struct tessera_stream *stream = tessera_stream_create();
    const uint64_t value = 0x700000008u;
    uint32_t timeline = 0, words[6];
    uint64_t reached = 0;
    tessera_ticket ticket;
    (void)state;
    assert_int_equal(tessera_timeline_create(tessera, value, 9, &timeline), TESSERA_OK);
    SENT(OF(MSG_CREATE_TIMELINE), 8, 7, 9);
    assert_int_equal(timeline, ANSWER);
    assert_int_equal(tessera_timeline_share(tessera, timeline, 5, true), TESSERA_OK);
    SENT(OF(MSG_SHARE_TIMELINE), ANSWER, 5, RIGHT_READ);
    assert_int_equal(tessera_timeline_share(tessera, timeline, 5, false), TESSERA_OK);
    SENT(OF(MSG_SHARE_TIMELINE), ANSWER, 5, 0);
    assert_int_equal(tessera_timeline_signal(tessera, timeline, value), TESSERA_OK);
    SENT(OF(MSG_SIGNAL_TIMELINE), ANSWER, 8, 7);
    assert_int_equal(tessera_timeline_query(tessera, timeline, &reached), TESSERA_OK);
    SENT(OF(MSG_QUERY_TIMELINE), ANSWER);
    assert_true(reached == ((uint64_t)(ANSWER + 1) << 32 | ANSWER));
    assert_int_equal(tessera_timeline_wait(tessera, &wait, 10, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    SENT(OF(MSG_WAIT_TIMELINE), 0x11, 0x33, 0x22, 10);
    for (uint32_t which = 0; which < 4u; which++) {
        const bool waits = (which & 1u) != 0, signals = (which & 2u) != 0;
        assert_int_equal(tessera_submit_points(tessera, 6, stream, SUBMIT_FLAG_NULL_RENDERING, waits ? &wait : NULL,
                                               signals ? &signal : NULL, &ticket),
                         TESSERA_OK);
        assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
        assert_int_equal(sent[MSG_SUBMIT_FLAGS], SUBMIT_FLAG_NULL_RENDERING | (which != 0 ? SUBMIT_FLAG_POINTS : 0));
        const uint32_t expected[6] = {waits ? 0x11 : 0,   waits ? 0x33 : 0,   waits ? 0x22 : 0,
                                      signals ? 0x44 : 0, signals ? 0x66 : 0, signals ? 0x55 : 0};
        assert_memory_equal(&sent[MSG_SUBMIT_WAIT_TIMELINE], expected, sizeof expected);
    }
    const struct tessera_flip flip = {.plane = 1};
    const uint32_t staging = tessera->staging_used;
    assert_int_equal(tessera_flip_points(tessera, &flip, &wait, &signal, &ticket), TESSERA_OK);
    assert_int_not_equal(tessera->staging_used, staging);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera->staging_used, staging);
    memcpy(words, device.system + sent[MSG_FLIP_POINTS], sizeof words);
    const uint32_t points[6] = {0x11, 0x33, 0x22, 0x44, 0x66, 0x55};
    assert_memory_equal(words, points, sizeof words);
    assert_int_equal(sent[MSG_FLIP_PLANE], 1);
    refuses_with = STATUS_BAD_TIMELINE;
    assert_int_equal(tessera_timeline_create(tessera, 0, 0, &timeline), STATUS_BAD_TIMELINE);
    assert_int_equal(tessera_timeline_query(tessera, timeline, &reached), STATUS_BAD_TIMELINE);
    assert_int_equal(timeline, ANSWER);
    assert_true(reached == ((uint64_t)(ANSWER + 1) << 32 | ANSWER));
    refuses_with = STATUS_OK;
    assert_int_equal(tessera_timeline_destroy(tessera, timeline), TESSERA_OK);
    SENT(OF(MSG_DESTROY_TIMELINE), ANSWER);
    assert_null(tessera->timelines);
    tessera_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_messages, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_display, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_flip, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_timelines, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_queries, setup, teardown),
                                       cmocka_unit_test_setup_teardown(test_refusals, setup, teardown)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
