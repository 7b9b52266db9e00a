/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's rings. Goal: a completion's room is reserved when its message is taken; nonsense of the host's counts is
 * no message; a ring in missing memory is said, not read. Method: rings of four and two entries on arrays.
 */
#include "check.h"
#include "fake_hal.h"
#include "host_ring/host.h"

enum { SYSTEM_PAGES = 200 };

static struct host host;

static void start_host(void)
{
    fake_hal_reset();
    fake_hal.registers[HOST_SYSTEM_PAGES_OFFSET / 4] = SYSTEM_PAGES;
    fake_hal.registers[HOST_SUBMIT_BASE_OFFSET / 4] = 0x1000;
    fake_hal.registers[HOST_SUBMIT_SIZE_OFFSET / 4] = 2;
    fake_hal.registers[HOST_COMPLETE_BASE_OFFSET / 4] = 0x2000;
    fake_hal.registers[HOST_COMPLETE_SIZE_OFFSET / 4] = 1;
    CHECK_EQUAL(host_init(&host, hal_register_read(HOST_SYSTEM_PAGES_OFFSET)), STATUS_OK);
}

/* A completion's room is reserved when its message is taken; a full completion ring stops the intake. */
static void test_rings(void)
{
    uint32_t words[MESSAGE_WORDS];
    const struct reply reply = {.status = STATUS_BAD_HANDLE, .detail = 7, .fence = 8, .words = {1, 2, 3, 4}};
    start_host();
    CHECK(!host_peek(&host, words));
    for (uint32_t i = 0; i < 4; i++) fake_hal.system[0x1000 / 4 + 16 * i + 1] = 100 + i;
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 4;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(host_peek(&host, words));
        CHECK_EQUAL(words[1], 100 + i);
        host_pop(&host);
    }
    CHECK_EQUAL(fake_hal.registers[HOST_SUBMIT_HEAD_OFFSET / 4], 2);
    CHECK(!host_peek(&host, words)); /* two completions owed, two fit */
    host_complete(&host, 100, &reply);
    CHECK_EQUAL(fake_hal.registers[HOST_COMPLETE_TAIL_OFFSET / 4], 1);
    CHECK_EQUAL(fake_hal.registers[HOST_IRQ_RAISE_OFFSET / 4], 1);
    static const uint32_t expected[] = {100, STATUS_BAD_HANDLE, 7, 8, 1, 2, 3, 4};
    for (uint32_t i = 0; i < 8; i++) CHECK_EQUAL(fake_hal.system[0x2000 / 4 + i], expected[i]);
    CHECK(!host_peek(&host, words)); /* one unread, one owed */
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 1;
    CHECK(host_peek(&host, words));
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 77; /* nonsense from the host */
    CHECK(!host_peek(&host, words));
    fake_hal.registers[HOST_COMPLETE_HEAD_OFFSET / 4] = 1;
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 2 + 5; /* more than the ring holds */
    CHECK(!host_peek(&host, words));
}

static void test_owned_range(void)
{
    start_host();
    CHECK(host_owns(&host, 0, SYSTEM_PAGES * 4096));
    CHECK(!host_owns(&host, 4, SYSTEM_PAGES * 4096));
    CHECK(!host_owns(&host, 2, 4));
    CHECK(!host_owns(&host, 0xfffffffcu, 8));
    CHECK(host_owns(&host, SYSTEM_PAGES * 4096, 0));
}

/* A ring in missing memory: the message says where, and is answered as one. */
static void test_missing_ring(void)
{
    uint32_t words[MESSAGE_WORDS] = {1, 2, 3}, client, context;
    start_host();
    fake_hal.registers[HOST_SUBMIT_TAIL_OFFSET / 4] = 1;
    fake_hal.system[0x1000 / 4] = 5;
    fake_hal.missing_from = 0x1000 + 8;
    CHECK(host_peek(&host, words));
    CHECK(words[0] == MESSAGE_UNREADABLE && words[1] == 0 && words[2] == 0x1000 + 8);
    CHECK(!host_peek_submit(&host, 0, &client, &context));
    fake_hal.missing_from = 0x1000 + 4 * MESSAGE_WORDS;
    CHECK(host_peek(&host, words));
    CHECK_EQUAL(words[0], 5);
}

int main(void)
{
    CHECK_RUN(test_rings);
    CHECK_RUN(test_owned_range);
    CHECK_RUN(test_missing_ring);
    return check_finish();
}
