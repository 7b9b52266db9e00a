/* SPDX-License-Identifier: Apache-2.0
 *
 * All orders in which three contexts of three clients can send two DMA buffers each that wait for each other. Goal:
 * whatever the order, what can run runs, after what it waits for; what waits in a circle or for what never comes ends
 * with POINT_TIMEOUT; nothing else ends so, and nothing is left. Method: every way to give each buffer a wait for one
 * of the others' points or none, and each of the 90 orders, against a search for what can run.
 *
 * Usage: test_timeline_orders [STEP]: every STEPth way to give waits (1: all).
 */
#include "points.h"

enum {
    CONTEXTS = 3,
    BUFFERS = 2, /* of each */
    COUNT = CONTEXTS * BUFFERS,
    WAYS = 5,        /* a wait for none, for the first or second point of the next context or of the one after it */
    ALL_WAYS = 15625 /* WAYS to the COUNT */
};

static uint32_t context[CONTEXTS], timeline[CONTEXTS], tag[COUNT], ended[COUNT], status[COUNT];
static uint64_t base; /* every timeline has this value when a run begins */
static unsigned runs, cycles_seen;

/* Buffer `b` of context b / 2 signals its context's point b % 2 + 1. `ways` says what it waits for. */
static bool wait_of(uint32_t ways, uint32_t b, uint32_t *of, uint32_t *point)
{
    for (uint32_t i = 0; i < b; i++) ways /= WAYS;
    const uint32_t way = ways % WAYS;
    if (way == 0u) return false;
    *of = (b / BUFFERS + 1u + (way - 1u) / 2u) % CONTEXTS;
    *point = 1u + (way - 1u) % 2u;
    return true;
}

/* Has one of these buffers this point, or a higher one? */
static bool is_signalled(uint32_t buffers, uint32_t of, uint32_t point)
{
    for (uint32_t j = point - 1u; j < BUFFERS; j++)
        if ((buffers >> (of * BUFFERS + j) & 1u) != 0u) return true;
    return false;
}

/* Those that run before any limit passes; or, if those in front may fail, all that might run. */
static uint32_t can_run(uint32_t ways, bool in_order)
{
    uint32_t set = 0, before, of, point;
    do {
        before = set;
        for (uint32_t b = 0; b < COUNT; b++) {
            const bool has_turn = !in_order || b % BUFFERS == 0u || (set >> (b - 1u) & 1u) != 0u;
            if (has_turn && (!wait_of(ways, b, &of, &point) || is_signalled(set, of, point))) set |= 1u << b;
        }
    } while (set != before);
    return set;
}

static void send_buffer(uint32_t ways, uint32_t b)
{
    uint32_t of = 0, point = 0;
    const bool waits = wait_of(ways, b, &of, &point);
    const struct point wait = {waits ? timeline[of] : 0u, base + point};
    tag[b] = send_empty(1u + b / BUFFERS, context[b / BUFFERS], wait,
                        (struct point){timeline[b / BUFFERS], base + b % BUFFERS + 1u});
}

/* Take what has been answered, and note in which order. */
static uint32_t note_ended(uint32_t count)
{
    struct answer answer;
    while (client_has_answer(&client)) {
        CHECK(client_receive(&client, &answer));
        uint32_t b = 0;
        while (b < COUNT && tag[b] != answer.tag) b++;
        CHECK(b < COUNT && ended[b] == 0u);
        ended[b] = ++count;
        status[b] = answer.status;
    }
    return count;
}

static void check_run_of(uint32_t ways)
{
    const uint32_t sure = can_run(ways, true), maybe = can_run(ways, false);
    uint32_t ok = 0, of, point;
    for (uint32_t b = 0; b < COUNT; b++) ok |= (uint32_t)(status[b] == STATUS_OK) << b;
    CHECK_EQUAL(ok & sure, sure);
    CHECK_EQUAL(ok & ~maybe, 0);
    for (uint32_t b = 0; b < COUNT; b++) {
        const bool waits = wait_of(ways, b, &of, &point);
        if ((ok >> b & 1u) == 0u) CHECK(waits && status[b] == STATUS_POINT_TIMEOUT);
        if ((ok >> b & 1u) == 0u || !waits) continue;
        bool is_after = false;
        for (uint32_t j = point - 1u; j < BUFFERS; j++) {
            const uint32_t other = of * BUFFERS + j;
            is_after = is_after || ((ok >> other & 1u) != 0u && ended[other] < ended[b]);
        }
        CHECK(is_after);
    }
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        const uint32_t own = ok >> c * BUFFERS & 3u;
        if (own == 3u) CHECK(ended[c * BUFFERS] < ended[c * BUFFERS + 1u]);
        CHECK(device_gpu(client.device)->manager.timelines->entry[timeline[c] & 0xffu].value[0] ==
              (uint32_t)base + (own >= 2u ? 2u : own));
    }
    cycles_seen += maybe != (1u << COUNT) - 1u;
}

static void run(uint32_t ways, const uint8_t order[COUNT])
{
    uint32_t sent_of[CONTEXTS] = {0}, count = 0;
    base += 4;
    for (uint32_t c = 0; c < CONTEXTS; c++) CHECK_EQUAL(signal_to(1u + c, timeline[c], base), STATUS_OK);
    memset(ended, 0, sizeof ended);
    for (uint32_t i = 0; i < COUNT; i++) {
        send_buffer(ways, order[i] * BUFFERS + sent_of[order[i]]++);
        if ((runs + i) % 3u == 0u) device_turn(client.device);
    }
    for (uint32_t tries = 0; count < COUNT && tries < 4000u; tries++) {
        pass(1000);
        count = note_ended(count);
    }
    CHECK_EQUAL(count, COUNT);
    CHECK_EQUAL(waits_left(), 0);
    check_run_of(ways);
    runs++;
}

/* All orders of two 0s, two 1s and two 2s. */
static void run_orders(uint32_t ways, uint8_t order[COUNT], uint32_t count, const uint32_t left[CONTEXTS])
{
    if (count == COUNT) run(ways, order);
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        uint32_t rest[CONTEXTS];
        if (left[c] == 0u) continue;
        memcpy(rest, left, sizeof rest);
        rest[c]--;
        order[count] = (uint8_t)c;
        run_orders(ways, order, count + 1u, rest);
    }
}

static uint32_t step = 307;

static void test_orders(void)
{
    const uint32_t left[CONTEXTS] = {BUFFERS, BUFFERS, BUFFERS};
    uint8_t order[COUNT];
    open_with(8, 8, 0, 0);
    for (uint32_t c = 0; c < CONTEXTS; c++) {
        context[c] = context_for(1u + c);
        timeline[c] = timeline_of(1u + c, 0, 20000);
    }
    for (uint32_t c = 0; c < CONTEXTS; c++)
        for (uint32_t other = 0; other < CONTEXTS; other++)
            if (other != c) CHECK_EQUAL(share_with(1u + c, timeline[c], 1u + other, RIGHT_READ), STATUS_OK);
    for (uint32_t ways = 0; ways < ALL_WAYS; ways += step) run_orders(ways, order, 0, left);
    CHECK(runs > 90u && cycles_seen > runs / 4u);
    printf("%u runs, %u of them with a wait that cannot end\n", runs, cycles_seen);
    close_checked();
}

int main(int argc, char **argv)
{
    if (argc > 1) step = (uint32_t)strtoul(argv[1], NULL, 10);
    CHECK_RUN(test_orders);
    return check_finish();
}
