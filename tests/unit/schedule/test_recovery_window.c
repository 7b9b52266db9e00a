/* SPDX-License-Identifier: Apache-2.0
 *
 * TDR-02 as a table. Goal: a recovery is final exactly when RECOVERY_LIMIT recoveries lie within RECOVERY_WINDOW before
 * it, for any limit, wherever the two words of the cycle counter wrap. Method: the golden model with a render node
 * that stops where nobody has to answer for it, and a cycle counter that is set; the time between two recoveries is
 * chosen so that the first of the last LIMIT lies just inside or just outside the window.
 */
#include "scheduling.h"

enum { TIMEOUT = 100000, DELAY = 50000, WINDOW = 4000000, MARGIN = 60000, LIMITS = 5 };

static uint64_t now(void) { return client.transport.cycles(client.transport.context); }
/* Nothing is at work meanwhile. */
static void sleep_until(uint64_t cycle)
{
    CHECK(now() <= cycle);
    device_set_cycle(client.device, cycle);
}

static uint64_t reset_at;
static void note_reset(void *adapter, struct ddi_reset_engine *arguments)
{
    reset_at = now();
    second.ddi.reset_engine(adapter, arguments);
}

static struct client_allocation target;
static uint32_t context;

static void begin_at(uint64_t cycle, uint32_t limit)
{
    boot = (struct client_boot){
        .timeout = TIMEOUT, .preempt_delay = DELAY, .recovery_limit = limit, .recovery_window = WINDOW};
    begin(4, 4);
    boot = (struct client_boot){0};
    device_set_cycle(client.device, cycle);
    device_gpu(client.device)->manager.ddi.reset_engine = note_reset;
    CHECK_EQUAL(client_create(&client, &target, 1, SET_1, NULL), STATUS_OK);
    context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &target), STATUS_OK);
}

/* The render node stops after the last portion, where nobody has to answer for it; false: that was one too many. */
static bool survives(void)
{
    turns(20);
    node(0)->is_enabled = false;
    send_fill(context, &target, 0, 8, 1);
    turns(50);
    node(0)->is_enabled = true;
    while ((*at_head(0) & 0xffu) != PKT_FENCE) step_node(0);
    step_node(0);
    device_hang(client.device, 0);
    receive_all();
    CHECK_EQUAL(sent.answer[0].status, STATUS_OK);
    reset_at = 0;
    client.transport.wait(client.transport.context, 2 * (TIMEOUT + DELAY));
    CHECK(reset_at != 0);
    return host_read(HOST_PANIC_CODE_OFFSET) == PANIC_NONE;
}

/* How long it takes from survives() to the reset that it counts. */
static uint64_t lead(void)
{
    begin_at(1000, 5);
    uint64_t start = now();
    CHECK(survives());
    uint64_t cycles = reset_at - start;
    client_close(&client);
    return cycles;
}

/* LIMIT recoveries, the next one `cycles` after the first of them: is it survived? */
static bool survives_after(uint64_t start, uint32_t limit, uint64_t cycles)
{
    uint64_t before = lead(), first = 0;
    begin_at(start, limit);
    for (uint32_t i = 0; i < limit; i++) {
        if (i > 0) sleep_until(first + cycles * i / limit - before);
        CHECK(survives());
        if (i == 0) first = reset_at;
    }
    sleep_until(first + cycles - before);
    bool is_survived = survives();
    if (is_survived) client_close(&client);
    else check_panic(PANIC_RECOVERY);
    return is_survived;
}

static void test_table(void)
{
    CASE("TDR-02");
    static const uint64_t starts[] = {1000, (1ull << 32) - WINDOW / 2, (3ull << 32) - WINDOW - 5 * TIMEOUT};
    for (uint32_t k = 0; k < sizeof starts / sizeof *starts; k++)
        for (uint32_t limit = 1; limit <= LIMITS; limit++) {
            CHECK(!survives_after(starts[k], limit, WINDOW - MARGIN));
            CHECK(survives_after(starts[k], limit, WINDOW + MARGIN));
        }
    /* Four thousand million cycles later nothing looks as if it had been just before. */
    CHECK(survives_after(1000, 1, (1ull << 32) + 3 * TIMEOUT));
}

/* The counter goes on while it is read: the low word wraps between the two looks at the high one at one of these
 * places. What is noted then must lie in the window of the recovery that follows at once. */
static void test_wrap_while_read(void)
{
    CASE("TDR-02");
    enum { LOOK = 2000 };
    uint64_t before = 0;
    for (uint32_t place = 0; place < 40; place++) {
        uint64_t start = place == 0 ? 1000 : (1ull << 32) - before + 1000 - 20 * LOOK / 2 + place * LOOK / 2;
        begin_at(start, 1);
        device_look_cycles(client.device, LOOK);
        CHECK(survives());
        if (place == 0) before = reset_at;
        CHECK(!survives());
        check_panic(PANIC_RECOVERY);
    }
}

int main(void)
{
    CHECK_RUN(test_table);
    CHECK_RUN(test_wrap_while_read);
    return check_finish();
}
