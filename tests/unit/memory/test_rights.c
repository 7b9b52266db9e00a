/* SPDX-License-Identifier: Apache-2.0
 *
 * Rights to allocations of others. Goal: as many exist at once as the specification says, one more is refused, and each
 * is what was last given until it is taken back. Method: random gifts beside a byte per allocation and client, in the
 * whole range of both.
 */
#include <string.h>

#include "check.h"
#include "fake_hal.h"
#include "table_memory.h"
#include "memory/rights.h"

enum { ALL = RIGHT_READ | RIGHT_WRITE, FEW = 40 };

static struct right_table rights;
static uint8_t model[ALLOCATION_MAXIMUM][CLIENT_LIMIT];
static uint32_t random_state, count;

static uint32_t pick(uint32_t limit) { return check_pick(&random_state, limit); }

static void start(void)
{
    fake_hal_reset();
    rights_init(&rights, table_memory());
    memset(model, 0, sizeof model);
    random_state = 7, count = 0;
}

/* Every right of the model in order, and no other. */
static void check_rights(void)
{
    CHECK_EQUAL(rights.count, count);
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index = rights.index[i], client = rights.client[i] % (uint32_t)RIGHT_TO_WRITE;
        if (i != 0u) CHECK(before < index * CLIENT_LIMIT + client);
        before = index * CLIENT_LIMIT + client;
        CHECK(model[index][client] != 0u);
        CHECK_EQUAL(rights_find(&rights, index, client), model[index][client]);
    }
    for (uint32_t i = 0; i < 2000u; i++) {
        const uint32_t index = pick(ALLOCATION_MAXIMUM), client = pick(CLIENT_LIMIT);
        CHECK_EQUAL(rights_find(&rights, index, client), model[index][client]);
    }
}

static void give(uint32_t index, uint32_t client, uint32_t granted)
{
    const uint8_t before = model[index][client];
    const bool fits = granted == 0u || before != 0u || count < (uint32_t)RIGHT_LIMIT;
    CHECK_EQUAL(rights_set(&rights, index, client, granted), fits);
    if (!fits) return;
    count += (uint32_t)(granted != 0u) - (uint32_t)(before != 0u);
    model[index][client] = (uint8_t)granted;
}

static void take_all(uint32_t index)
{
    for (uint32_t client = 0; client < (uint32_t)CLIENT_LIMIT; client++) {
        count -= (uint32_t)(model[index][client] != 0u);
        model[index][client] = 0;
    }
    rights_remove(&rights, index);
}

/* 1,024 at once, in any order; then each is changed, and taken back. */
static void test_all_at_once(void)
{
    CHECK_EQUAL(RIGHT_LIMIT, 1024);
    start();
    while (count < (uint32_t)RIGHT_LIMIT) give(pick(ALLOCATION_MAXIMUM), pick(CLIENT_LIMIT), RIGHT_READ);
    check_rights();
    uint32_t index = pick(ALLOCATION_MAXIMUM), client = pick(CLIENT_LIMIT);
    while (model[index][client] != 0u) index = pick(ALLOCATION_MAXIMUM);
    CHECK(!rights_set(&rights, index, client, RIGHT_READ));
    check_rights();
    uint32_t left = 0;
    for (index = 0; index < (uint32_t)ALLOCATION_MAXIMUM; index++)
        for (client = 0; client < (uint32_t)CLIENT_LIMIT; client++)
            if (model[index][client] != 0u) give(index, client, left++ % 2u == 0u ? (uint32_t)ALL : 0u);
    CHECK_EQUAL(count, RIGHT_LIMIT / 2);
    check_rights();
}

/* Few allocations with every client each: the table fills up and empties again, from both ends. */
static void test_gifts(void)
{
    static const uint32_t granted[] = {RIGHT_READ, ALL, RIGHT_READ, ALL, 0};
    start();
    for (uint32_t i = 0; i < 6000u; i++) {
        const uint32_t index = pick(2) == 0u ? pick(FEW) : (uint32_t)ALLOCATION_MAXIMUM - 1u - pick(FEW);
        if (pick(60) == 0u) take_all(index);
        else give(index, pick(CLIENT_LIMIT), granted[pick(5)]);
        if (i % 1500u == 0u) check_rights();
    }
    check_rights();
    for (uint32_t i = 0; i < (uint32_t)FEW; i++) {
        take_all(i);
        take_all((uint32_t)ALLOCATION_MAXIMUM - 1u - i);
    }
    CHECK_EQUAL(count, 0);
    check_rights();
}

int main(void)
{
    CHECK_RUN(test_all_at_once);
    CHECK_RUN(test_gifts);
    return check_finish();
}
