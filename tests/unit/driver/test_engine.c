/* SPDX-License-Identifier: Apache-2.0
 *
 * A node's command ring. Goal: it wraps in words and in counts, what is withheld begins at a DMA buffer that has not
 * run, and a reset that never ends is given up. Method: a node of registers that stands where the test wants it.
 * SCH-09.
 */
#include "check.h"
#include "driver/driver.h"
#include "fake_hal.h"

static uint32_t *node_register(uint32_t node, uint32_t offset)
{
    return &fake_hal.registers[(offset + node * NODE_STRIDE) / 4];
}

/* The ring wraps in its words and in its counts. */
static void test_ring_wrap(void)
{
    struct engine engine;
    fake_hal_reset();
    *node_register(1, NODE_TAIL_OFFSET) = *node_register(1, NODE_HEAD_OFFSET) = 0xffffff00u;
    engine_init(&engine, 1, 8192, 1024, 5);
    CHECK_EQUAL(*node_register(1, NODE_FENCE_OFFSET), 5);
    uint32_t expected = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        const struct packet packet = packet_fence(i);
        if (engine_room(&engine) < packet.words) { /* the node catches up */
            for (uint32_t at = *node_register(1, NODE_HEAD_OFFSET); at != *node_register(1, NODE_TAIL_OFFSET);
                 at += 2) {
                CHECK_EQUAL(fake_hal.command[8192 / 4 + at % 1024], PKT_FENCE | FIELD_PUT(1, PKT_FENCE_INTERRUPT));
                CHECK_EQUAL(fake_hal.command[8192 / 4 + (at + 1) % 1024], expected++);
            }
            *node_register(1, NODE_HEAD_OFFSET) = *node_register(1, NODE_TAIL_OFFSET);
        }
        engine_push(&engine, &packet);
        engine_kick(&engine);
    }
    CHECK(expected > 4000);
    CHECK_EQUAL(*node_register(0, NODE_TAIL_OFFSET), 0);
}

/* SCH-09: what is withheld begins at a DMA buffer that has not run: at each place where the node may have stopped,
 * the rest of the buffer at work is kept, its words untouched; of the others only access rights, in pairs, and bindings
 * are left. */
static void test_withhold(void)
{
    CASE("SCH-09");
    enum { GROUP = 3 + 4 + 2 + 3 + 2 + 3 };
    static const uint32_t bind[PKT_BIND_WORDS] = {PKT_BIND};
    for (uint32_t head = 0; head <= 5 * GROUP; head++) {
        struct engine engine;
        static uint32_t before[5 * GROUP];
        uint32_t place = head % GROUP;
        if (head < 5 * GROUP && place != 0 && place != 3 && place != 7 && place != 9 && place != 12 && place != 14)
            continue;
        fake_hal_reset();
        engine_init(&engine, 0, 0, 1024, 10);
        for (uint32_t fence = 11; fence <= 15; fence++) { /* 11 12 13 are one buffer, 14 15 another */
            const struct packet group[] = {
                packet_guard(1, 1, true, false),   packet_bind(bind, 0), packet_wait_fence(9),
                packet_run(64 * fence, 32, false), packet_fence(fence),  packet_guard(1, 1, false, false)};
            engine_note(&engine, fence, fence != 11 && fence != 14);
            for (uint32_t i = 0; i < 6; i++) engine_push(&engine, &group[i]);
        }
        engine_kick(&engine);
        for (uint32_t i = 0; i < 5 * GROUP; i++) before[i] = fake_hal.command[i];
        *node_register(0, NODE_HEAD_OFFSET) = head;
        *node_register(0, NODE_FENCE_OFFSET) = 10 + (head + 3) / GROUP;
        uint32_t first_kept = head <= 9 ? 0 : head <= 9 + 3 * GROUP ? 3 : 5; /* submissions from the start */
        CHECK_EQUAL(engine_withhold(&engine), 10 + first_kept);
        for (uint32_t i = 0; i < 5 * GROUP; i++) {
            bool is_right = i % GROUP < 7 || i % GROUP >= GROUP - 3;
            CHECK_EQUAL(fake_hal.command[i], i < head || i / GROUP < first_kept || is_right ? before[i] : PKT_NOP);
        }
    }
}

/* A node that never finishes its reset is a broken chip, not an endless loop. */
static void test_reset_gives_up(void)
{
    struct engine engine;
    fake_hal_reset();
    fake_hal.reset_polls = UINT32_MAX;
    CHECK(FAKE_STOPS(engine_init(&engine, 0, 0, 1024, 0)));
    CHECK_EQUAL(fake_hal.stop_code, PANIC_DRIVER);
}

int main(void)
{
    CHECK_RUN(test_ring_wrap);
    CHECK_RUN(test_withhold);
    CHECK_RUN(test_reset_gives_up);
    return check_finish();
}
