/* SPDX-License-Identifier: Apache-2.0
 *
 * The split queue (host/virtio/queue.c). Goal: chains are what the specification says, direct and indirect; a malformed
 * one is given back without a byte of it read or written, a ring that makes no sense stops; the driver is told when it
 * asked to be. Method: a driver's side in memory of its own size, under a sanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fake.h"

static struct virtio_queue queue;
static struct virtio_chain chain;

static int begin(void **state)
{
    (void)state;
    fake_begin(NULL, &queue);
    return 0;
}

static void test_direct(void **state)
{
    (void)state;
    uint8_t data[32];
    for (uint32_t i = 0; i < 20; i++) fake_at(FAKE_COMMAND)[i] = (uint8_t)(i + 1);
    fake_describe(5, FAKE_COMMAND, 3, FAKE_NEXT, 9);
    fake_describe(9, FAKE_COMMAND + 10, 4, FAKE_NEXT, 2);
    fake_describe(2, FAKE_ANSWER, 2, FAKE_WRITE | FAKE_NEXT, 63);
    fake_describe(63, FAKE_ANSWER + 8, 5, FAKE_WRITE, 0);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_NOTHING);
    fake_offer(5);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_CHAIN);
    assert_int_equal(chain.head, 5);
    assert_int_equal(virtio_chain_read(&chain, 0, data, sizeof data), 7);
    assert_memory_equal(data, ((const uint8_t[]){1, 2, 3, 11, 12, 13, 14}), 7);
    assert_int_equal(virtio_chain_read(&chain, 2, data, 3), 3);
    assert_memory_equal(data, ((const uint8_t[]){3, 11, 12}), 3);
    assert_int_equal(virtio_chain_read(&chain, 7, data, 3), 0);
    assert_int_equal(virtio_chain_write(&chain, "abcdefghij", 10), 7);
    assert_memory_equal(fake_at(FAKE_ANSWER), "ab\0\0\0\0\0\0cdefg\0", 14);
    virtio_queue_give(&queue, chain.head, 7);
    uint16_t head;
    assert_int_equal(fake_written(&head), 7);
    assert_int_equal(head, 5);
    assert_int_equal(fake_used_index(), 1);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_NOTHING);
}

static void indirect(uint32_t index, uint64_t address, uint32_t bytes, uint16_t flags, uint16_t next)
{
    const struct fake_descriptor descriptor = {address, bytes, flags, next};
    memcpy(fake_at(FAKE_INDIRECT) + index * sizeof descriptor, &descriptor, sizeof descriptor);
}

static void test_indirect(void **state)
{
    (void)state;
    char data[16] = "";
    memcpy(fake_at(FAKE_COMMAND), "hello", 5);
    indirect(0, FAKE_COMMAND, 2, FAKE_NEXT, 2);
    indirect(1, FAKE_ANSWER, 4, FAKE_WRITE, 0);
    indirect(2, FAKE_COMMAND + 2, 3, FAKE_NEXT, 1);
    fake_describe(3, FAKE_INDIRECT, 48, FAKE_INDIRECT_FLAG, 0);
    fake_offer(3);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_CHAIN);
    assert_int_equal(chain.part_count, 3);
    assert_int_equal(chain.readable_count, 2);
    assert_int_equal(virtio_chain_read(&chain, 0, data, 16), 5);
    assert_string_equal(data, "hello");
    /* As many as a chain may have, and one more. */
    for (uint32_t count = VIRTIO_CHAIN_MOST; count <= VIRTIO_CHAIN_MOST + 1; count++) {
        for (uint32_t i = 0; i < count; i++)
            indirect(i, FAKE_COMMAND + i, 1, i + 1 < count ? FAKE_NEXT : 0, (uint16_t)(i + 1));
        fake_describe(4, FAKE_INDIRECT, count * 16, FAKE_INDIRECT_FLAG, 0);
        fake_offer(4);
        assert_int_equal(virtio_queue_take(&queue, &chain),
                         count == VIRTIO_CHAIN_MOST ? VIRTIO_CHAIN : VIRTIO_MALFORMED);
    }
}

/* Each with a mistake: the chain from descriptor 0 is given back, and the next is as good as ever. */
static void test_malformed(void **state)
{
    (void)state;
    enum { END = FAKE_FROM + FAKE_BYTES };
    static const struct {
        struct fake_descriptor first, second, inner;
    } wrong[] = {
        {{0, 8, 0, 0}, {0}, {0}},                                                    /* before memory */
        {{END, 1, 0, 0}, {0}, {0}},                                                  /* behind it */
        {{END - 7, 8, 0, 0}, {0}, {0}},                                              /* over its end */
        {{UINT64_MAX - 3, 8, 0, 0}, {0}, {0}},                                       /* around */
        {{FAKE_COMMAND, UINT32_MAX, 0, 0}, {0}, {0}},                                /* longer than memory */
        {{FAKE_COMMAND, 0, 0, 0}, {0}, {0}},                                         /* of no bytes */
        {{FAKE_COMMAND, 8, FAKE_NEXT, 0}, {0}, {0}},                                 /* a loop of one */
        {{FAKE_COMMAND, 8, FAKE_NEXT, 1}, {FAKE_COMMAND, 8, FAKE_NEXT, 0}, {0}},     /* of two */
        {{FAKE_COMMAND, 8, FAKE_NEXT, 64}, {0}, {0}},                                /* out of the table */
        {{FAKE_COMMAND, 8, FAKE_NEXT, 0xffff}, {0}, {0}},                            /* far out */
        {{FAKE_ANSWER, 8, FAKE_WRITE | FAKE_NEXT, 1}, {FAKE_COMMAND, 8, 0, 0}, {0}}, /* to read behind to write */
        {{FAKE_INDIRECT, 15, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_COMMAND, 8, 0, 0}},  /* not whole entries */
        {{FAKE_INDIRECT, 0, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_COMMAND, 8, 0, 0}},   /* none */
        {{END - 8, 16, FAKE_INDIRECT_FLAG, 0}, {0}, {0}},                            /* a table over the end */
        {{FAKE_INDIRECT, 0xfffffff0, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_COMMAND, 8, 0, 0}}, /* a huge one */
        {{FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG | FAKE_NEXT, 1}, {FAKE_COMMAND, 8, 0, 0}, {FAKE_COMMAND, 8, 0, 0}},
        {{FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG | FAKE_WRITE, 0}, {0}, {FAKE_COMMAND, 8, 0, 0}},
        {{FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG, 0}}, /* in itself */
        {{FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_COMMAND, 8, FAKE_NEXT, 1}}, /* out of its table */
        {{FAKE_INDIRECT, 16, FAKE_INDIRECT_FLAG, 0}, {0}, {FAKE_COMMAND, 8, FAKE_NEXT, 0}}, /* a loop in it */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fake_describe(0, wrong[i].first.address, wrong[i].first.bytes, wrong[i].first.flags, wrong[i].first.next);
        fake_describe(1, wrong[i].second.address, wrong[i].second.bytes, wrong[i].second.flags, wrong[i].second.next);
        indirect(0, wrong[i].inner.address, wrong[i].inner.bytes, wrong[i].inner.flags, wrong[i].inner.next);
        fake_offer(0);
        if (virtio_queue_take(&queue, &chain) != VIRTIO_MALFORMED) fail_msg("mistake %zu is not seen", i);
        assert_int_equal(chain.head, 0);
        virtio_queue_give(&queue, chain.head, 0);
        fake_describe(7, END - 8, 8, 0, 0); /* the last bytes there are */
        fake_offer(7);
        assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_CHAIN);
        virtio_queue_give(&queue, chain.head, 0);
    }
}

static void test_broken(void **state)
{
    (void)state;
    fake_describe(0, FAKE_COMMAND, 8, 0, 0);
    fake_offer(FAKE_SIZE); /* a head that is not in the table */
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_BROKEN);
    fake_offer(0);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_BROKEN); /* until it is started again */
    assert_false(virtio_queue_wait(&queue));
    fake_begin(NULL, &queue);
    const uint16_t far = FAKE_SIZE + 1; /* more than the ring holds */
    memcpy(fake_at(FAKE_AVAILABLE) + 2, &far, 2);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_BROKEN);
    static const uint32_t sizes[] = {0, 3, 48, 2048, 65536, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_false(virtio_queue_start(&queue, sizes[i], 0));
        assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_NOTHING);
        virtio_queue_give(&queue, 0, 0); /* nothing is written into a queue that does not run */
    }
}

static void give(uint32_t count)
{
    while (count-- > 0) virtio_queue_give(&queue, 0, 0);
}
static void set(uint64_t address, uint16_t value) { memcpy(fake_at(address), &value, 2); }

static void test_notifies(void **state)
{
    (void)state;
    assert_false(virtio_queue_notifies(&queue)); /* nothing was given */
    give(1);
    assert_true(virtio_queue_notifies(&queue));
    assert_false(virtio_queue_notifies(&queue));
    set(FAKE_AVAILABLE, 1); /* no interrupts */
    give(3);
    assert_false(virtio_queue_notifies(&queue));
    queue.has_events = true;
    const uint64_t event = FAKE_AVAILABLE + 4 + 2 * FAKE_SIZE;
    set(event, 5); /* after the one with index 5 */
    give(1);
    assert_false(virtio_queue_notifies(&queue));
    give(1);
    assert_true(virtio_queue_notifies(&queue));
    give(2);
    assert_false(virtio_queue_notifies(&queue));
    assert_true(virtio_queue_start(&queue, FAKE_SIZE, 0xfffe)); /* indices go around */
    set(event, 0xffff);
    give(1);
    assert_false(virtio_queue_notifies(&queue));
    give(2);
    assert_true(virtio_queue_notifies(&queue));
}

static void test_waits(void **state)
{
    (void)state;
    uint16_t event;
    queue.has_events = true;
    fake_describe(0, FAKE_COMMAND, 8, 0, 0);
    fake_offer(0);
    fake_offer(0);
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_CHAIN);
    assert_true(virtio_queue_wait(&queue)); /* there is one more */
    assert_int_equal(virtio_queue_take(&queue, &chain), VIRTIO_CHAIN);
    assert_false(virtio_queue_wait(&queue));
    memcpy(&event, fake_at(FAKE_USED + 4 + 8 * FAKE_SIZE), 2);
    assert_int_equal(event, 2);
}

/* As the specification has them: a descriptor of 16 bytes, a head of 4 and an event of 2 on each ring. */
static void test_bytes(void **state)
{
    (void)state;
    for (uint32_t size = 1; size <= 32768u; size *= 2u) {
        assert_int_equal(virtio_table_bytes(size), 16u * size);
        assert_int_equal(virtio_available_bytes(size), 6u + 2u * size);
        assert_int_equal(virtio_used_bytes(size), 6u + 8u * size);
    }
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup(test, begin)
    const struct CMUnitTest tests[] = {CASE(test_direct), CASE(test_indirect), CASE(test_malformed),
                                       CASE(test_broken), CASE(test_notifies), CASE(test_waits),
                                       CASE(test_bytes)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
