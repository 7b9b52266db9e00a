/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: libtessera's books stay right whatever the link and the device do: tickets that were waited for, completions
 * that nobody asked for, a link that fails at any call, allocations made and destroyed without end.
 * Method: against fake_device.c, through a transport that fails at a chosen call; the books are counted afterwards.
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

enum call { REGISTER_READ, REGISTER_WRITE, MEMORY_READ, MEMORY_WRITE, WAIT, ANY };

struct rig {
    struct fake_device device;
    struct transport real, transport;
    enum call fails; /* calls of this kind fail */
    uint32_t after;  /* once so many of them were good ... */
    uint32_t times;  /* ... and so often */
    char message[256];
};

static bool fails(struct rig *rig, enum call call)
{
    if (rig->times == 0 || (rig->fails != ANY && rig->fails != call)) return false;
    if (rig->after > 0) {
        rig->after--;
        return false;
    }
    rig->times--;
    return true;
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    struct rig *rig = context;
    return fails(rig, REGISTER_READ) ? TRANSPORT_IO : rig->real.register_read(rig->real.context, offset, value);
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    struct rig *rig = context;
    return fails(rig, REGISTER_WRITE) ? TRANSPORT_IO : rig->real.register_write(rig->real.context, offset, value);
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    struct rig *rig = context;
    return fails(rig, MEMORY_READ) ? TRANSPORT_IO : rig->real.memory_read(rig->real.context, address, data, bytes);
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct rig *rig = context;
    return fails(rig, MEMORY_WRITE) ? TRANSPORT_IO : rig->real.memory_write(rig->real.context, address, data, bytes);
}

static int wait_cycles(void *context, uint32_t cycles)
{
    struct rig *rig = context;
    return fails(rig, WAIT) ? TRANSPORT_IO : rig->real.wait(rig->real.context, cycles);
}

static uint64_t cycles(void *context) { return ((struct rig *)context)->device.cycles; }

static struct tessera *open_device(struct rig *rig)
{
    struct tessera *tessera;
    const struct tessera_options options = {.seed = 7, .patience_cycles = 5000000};
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    return tessera;
}

static int setup(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    fake_device_init(&rig->device, &rig->real);
    rig->transport = rig->real;
    rig->transport.context = rig;
    rig->transport.register_read = register_read;
    rig->transport.register_write = register_write;
    rig->transport.memory_read = memory_read;
    rig->transport.memory_write = memory_write;
    rig->transport.wait = wait_cycles;
    rig->transport.cycles = cycles;
    *state = rig;
    return 0;
}

static int teardown(void **state)
{
    struct rig *rig = *state;
    fake_device_free(&rig->device);
    free(rig);
    return 0;
}

static unsigned slots_used(const struct tessera *tessera)
{
    unsigned used = 0;
    for (unsigned i = 0; i < TESSERA_OUTSTANDING; i++) used += tessera->outstanding[i].is_used;
    return used;
}

static unsigned granules_used(const struct tessera *tessera)
{
    unsigned used = 0;
    for (unsigned i = 0; i < LISTS_GRANULES; i++) used += tessera->list_used[i];
    return used;
}

/* Every page of the pool once, and none but those of the pool. */
static void assert_pool_is_sound(const struct tessera *tessera, uint32_t expected)
{
    uint32_t pages = tessera->transport->memory_bytes / PAGE_BYTES;
    uint8_t *seen = calloc(pages, 1);
    assert_int_equal(tessera->pool_count, expected);
    for (uint32_t i = 0; i < tessera->pool_count; i++) {
        assert_in_range(tessera->pool[i], POOL_ADDRESS / PAGE_BYTES, pages - 1);
        assert_int_equal(seen[tessera->pool[i]]++, 0);
    }
    free(seen);
}

/* ------------------------------------------------------------------ tickets and completions */

/* A ticket that was waited for says so, also when its place belongs to a younger message. */
static void test_stale_tickets(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP};
    tessera_ticket first, ticket;
    assert_int_equal(tessera_send(tessera, message, &first), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, first, NULL), TESSERA_OK);
    do {
        assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_OK);
        if (ticket != first + TESSERA_OUTSTANDING) assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    } while (ticket != first + TESSERA_OUTSTANDING);
    assert_int_equal(tessera_wait(tessera, first, NULL), TESSERA_MISUSE);
    assert_true(tessera_is_done(tessera, first));
    assert_false(tessera_is_done(tessera, ticket)); /* the device has not run */
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(slots_used(tessera), 0);
    tessera_close(tessera);
}

static void complete(struct rig *rig, uint32_t tag, uint32_t status)
{
    uint32_t completion[LIMIT_BITS_COMPLETION_WORDS] = {tag, status};
    uint32_t *tail = &rig->device.registers[HOST_COMPLETE_TAIL_OFFSET / 4];
    uint32_t index = *tail & field_mask(COMPLETE_RING_LOG2);
    memcpy(rig->device.system + COMPLETE_RING_ADDRESS + index * sizeof completion, completion, sizeof completion);
    ++*tail;
}

/* A completion with a tag that is not in flight changes nothing, whoever's place it names. */
static void test_foreign_completions(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP};
    struct tessera_completion completion;
    tessera_ticket ticket;
    rig->device.is_silent = true;
    assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_OK);
    complete(rig, ticket + TESSERA_OUTSTANDING, STATUS_FAULT);
    complete(rig, ticket - TESSERA_OUTSTANDING, STATUS_FAULT);
    complete(rig, ticket + 1, STATUS_FAULT);
    assert_false(tessera_is_done(tessera, ticket));
    assert_int_equal(tessera->complete_head, rig->device.registers[HOST_COMPLETE_TAIL_OFFSET / 4]);
    complete(rig, ticket, STATUS_OK);
    complete(rig, ticket + 2 * TESSERA_OUTSTANDING, STATUS_FAULT); /* after the right one */
    assert_int_equal(tessera_wait(tessera, ticket, &completion), TESSERA_OK);
    complete(rig, ticket, STATUS_FAULT); /* twice */
    rig->device.is_silent = false;
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_OK);
    assert_int_equal(slots_used(tessera), 0);
    tessera_close(tessera);
}

static uint32_t head_told(const struct rig *rig) { return rig->device.registers[HOST_COMPLETE_HEAD_OFFSET / 4]; }

/* What cannot be read stays in the ring, and the link's failure is not lost after the completions before it. */
static void test_collect(void **state)
{
    enum { RING = 1 << COMPLETE_RING_LOG2 };
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP};
    tessera_ticket tickets[3];
    bool progress = true;
    rig->device.is_silent = true;
    rig->fails = REGISTER_WRITE; /* with nothing in the ring one register is written, not its head */
    rig->after = rig->times = 1;
    assert_int_equal(queue_collect(tessera, &progress), TESSERA_OK);
    assert_int_equal(rig->times, 1);
    assert_false(progress);
    rig->times = 0;
    for (unsigned i = 0; i < 3; i++) assert_int_equal(tessera_send(tessera, message, &tickets[i]), TESSERA_OK);
    const uint32_t head = tessera->complete_head;
    for (unsigned i = 0; i < 3; i++) complete(rig, tickets[i], STATUS_OK);
    rig->fails = MEMORY_READ;
    rig->after = rig->times = 1;
    assert_int_equal(queue_collect(tessera, &progress), TESSERA_LINK);
    assert_true(progress);
    assert_int_equal(tessera->complete_head, head + 1u);
    assert_int_equal(head_told(rig), head);
    assert_int_equal(queue_collect(tessera, &progress), TESSERA_OK);
    assert_true(progress);
    assert_int_equal(head_told(rig), head + 3u);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(tessera_wait(tessera, tickets[i], NULL), TESSERA_OK);
    for (unsigned i = 0; i < RING; i++) complete(rig, tickets[0], STATUS_OK); /* nobody's, but as many as may be */
    assert_int_equal(queue_collect(tessera, &progress), TESSERA_OK);
    assert_int_equal(head_told(rig), head + 3u + RING);
    for (unsigned i = 0; i < RING + 1u; i++) complete(rig, tickets[0], STATUS_OK);
    assert_int_equal(queue_collect(tessera, &progress), TESSERA_PANIC);
    assert_false(progress);
    assert_non_null(strstr(tessera_message(tessera), "the completion ring is inconsistent"));
    rig->device.registers[HOST_COMPLETE_TAIL_OFFSET / 4] = tessera->complete_head;
    rig->device.is_silent = false;
    tessera_close(tessera);
}

/* ------------------------------------------------------------------ a link that fails */

/* A message that could not be sent leaves no place taken, however often. */
static void test_sending_fails(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP};
    tessera_ticket ticket;
    for (unsigned i = 0; i < 3 * TESSERA_OUTSTANDING; i++) {
        rig->fails = MEMORY_WRITE;
        rig->times = 1;
        assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_LINK);
        assert_true(strlen(tessera_message(tessera)) > 10);
        assert_int_equal(slots_used(tessera), 0);
    }
    for (unsigned i = 0; i < 20; i++) { /* the doorbell */
        rig->fails = REGISTER_WRITE;
        rig->times = 1;
        assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_LINK);
        assert_int_equal(slots_used(tessera), 0);
    }
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_OK);
    tessera_close(tessera);
}

/* Everything once: content there, a DMA buffer, content back. The first failure ends it, but what was made goes. */
static int work(struct tessera *tessera, uint32_t context, const struct tessera_stream *stream,
                struct tessera_allocation *a, bool *has_sent, tessera_ticket *ticket)
{
    uint8_t data[64] = {1, 2, 3};
    *has_sent = false;
    int status = tessera_write(tessera, a, 100, data, sizeof data);
    if (status != TESSERA_OK) return status;
    status = tessera_submit(tessera, context, stream, 0, ticket);
    if (status != TESSERA_OK) return status;
    *has_sent = true;
    status = tessera_wait(tessera, *ticket, NULL);
    if (status != TESSERA_OK) return status;
    *has_sent = false;
    return tessera_read(tessera, a, 100, data, sizeof data);
}

/* Whichever call of the link fails, it is said, the next call goes on, and no place or buffer is lost. */
static void test_any_call_fails(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *a;
    const struct tessera_allocation_options options = {.bytes = 8192, .flags = ALLOCATION_CPU_VISIBLE};
    struct tessera_stream *stream = tessera_stream_create();
    uint32_t context;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(tessera, &options, &a), TESSERA_OK);
    const struct tessera_place target = {a, 0, 1};
    assert_int_equal(tessera_stream_fill(stream, &target, 64, 0x01010101), TESSERA_OK);
    unsigned failed = 0;
    for (;; failed++) {
        bool has_sent;
        tessera_ticket ticket;
        rig->fails = ANY;
        rig->after = failed;
        rig->times = 1;
        int status = work(tessera, context, stream, a, &has_sent, &ticket);
        if (rig->times != 0) {
            rig->times = 0;
            assert_int_equal(status, TESSERA_OK);
            break;
        }
        assert_int_equal(status, TESSERA_LINK);
        assert_true(strlen(tessera_message(tessera)) > 10);
        if (has_sent) assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
        assert_int_equal(tessera->staging_used, 0);
        if (a->is_locked) assert_int_equal(tessera_unlock(tessera, a), TESSERA_OK);
    }
    assert_in_range(failed, 15, 100);
    /* What was sent in calls that failed has been answered by now, to nobody. */
    uint32_t message[16] = {MSG_NOP};
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_OK);
    assert_int_equal(slots_used(tessera), 0);
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_OK);
    tessera_stream_destroy(stream);
    tessera_close(tessera);
}

/* A destruction that could not be sent may have reached the device: the allocation is kept, and not destroyed again. */
static void test_destruction_fails(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    const struct tessera_allocation_options options = {.bytes = 8192, .flags = ALLOCATION_CPU_VISIBLE};
    struct tessera_allocation *a, *other;
    tessera_ticket ticket;
    assert_int_equal(tessera_allocation_create(tessera, &options, &a), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(tessera, &options, &other), TESSERA_OK);
    const uint32_t pool = tessera->pool_count;
    rig->fails = MEMORY_WRITE;
    rig->after = 0;
    rig->times = 1;
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_LINK);
    assert_int_equal(rig->times, 0);
    assert_true(a->is_released);
    assert_int_equal(tessera->pool_count, pool);
    assert_int_equal(tessera_allocation_destroy_begin(tessera, a, &ticket), TESSERA_MISUSE);
    assert_non_null(strstr(tessera_message(tessera), "destroyed already"));
    assert_false(other->is_released);
    assert_int_equal(tessera_allocation_destroy(tessera, other), TESSERA_OK);
    tessera_close(tessera);
}

/* ------------------------------------------------------------------ without end */

enum { LIVE = 8, TURNS = 100000, PAGES = 40 };

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Made and destroyed in any order, an allocation takes pages and a list that nobody else has, and gives them back. */
static void test_churn(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *live[LIVE] = {NULL};
    uint32_t seed = 1, before = tessera->pool_count, granules = granules_used(tessera), owned = 0;
    uint8_t *is_owned = calloc(tessera->transport->memory_bytes / PAGE_BYTES, 1);
    for (unsigned turn = 0; turn < TURNS + LIVE; turn++) {
        struct tessera_allocation **one = &live[turn < TURNS ? draw(&seed) % LIVE : turn - TURNS];
        if (*one != NULL) {
            for (uint32_t i = 0; i < (*one)->page_count; i++) is_owned[(*one)->pages[i]] = 0;
            owned -= (*one)->page_count;
            assert_int_equal(tessera_allocation_destroy(tessera, *one), TESSERA_OK);
            *one = NULL;
        } else if (turn < TURNS) {
            const struct tessera_allocation_options options = {.bytes = draw(&seed) % PAGES * 4096 + 1};
            assert_int_equal(tessera_allocation_create(tessera, &options, one), TESSERA_OK);
            for (uint32_t i = 0; i < (*one)->page_count; i++) assert_int_equal(is_owned[(*one)->pages[i]]++, 0);
            owned += (*one)->page_count;
        }
        assert_int_equal(tessera->pool_count, before - owned);
    }
    assert_pool_is_sound(tessera, before);
    assert_int_equal(granules_used(tessera), granules);
    assert_int_equal(slots_used(tessera), 0);
    free(is_owned);
    tessera_close(tessera);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stale_tickets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_foreign_completions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_collect, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sending_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_call_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(test_destruction_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(test_churn, setup, teardown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
