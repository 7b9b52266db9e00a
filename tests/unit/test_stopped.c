/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that stop where no portion is to blame: behind the last one, in the middle of a preemption, between a Map and
 * its Unmap. Goal: the machine goes on, nobody is told OK who has not run, nothing stays mapped. Method: the golden
 * model with nodes held still at chosen and at random places, under both drivers.
 * TDR-01, TDR-04, TDR-08, SCH-08, PGB-26..PGB-28.
 */
#include "scheduling.h"

/* ------------------------------------------------------------------ the paging node */

/* SCH-08: a host that preempts the paging node again and again, when that hardly gets on, does not fill its ring: what
 * is withheld is submitted again when its room is free. */
static void test_preempted_for_ever(void)
{
    enum { REQUESTS = 60 };
    struct client_allocation a[4];
    struct answer answer;
    boot.options = FIELD_PUT(20, HOST_BOOT_OPTIONS_PAGING_WORDS);
    begin(16, 4);
    boot.options = 0;
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(client_create(&client, &a[i], 4, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    node(1)->is_enabled = false;
    for (uint32_t i = 0; i < 4; i++) send_fill(context, &a[i], 0, 4, 0x200 + i);
    turns(300);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t message[16] = {MSG_PREEMPT, 0, 1};
        client_send(&client, message);
        turns(4);
    }
    turns(200);
    node(1)->is_enabled = true;
    for (uint32_t i = 0; i < REQUESTS + 4; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    for (uint32_t i = 0; i < 4; i++) check_words(&a[i], 0, 0x200 + i);
    client_close(&client);
}

/* ------------------------------------------------------------------ drivers */

static bool has_had_room;
static bool can_submit_once(void *adapter, uint32_t node_ordinal)
{
    has_had_room = !has_had_room;
    return has_had_room && second.ddi.can_submit(adapter, node_ordinal);
}

/* A driver whose can_submit need not say twice what it has said once: whoever has asked may submit. */
static void test_room_is_asked_for_once(void)
{
    begin(4, 4);
    has_had_room = false;
    device_gpu(client.device)->manager.ddi.can_submit = can_submit_once;
    for (uint32_t number = 1; number <= 3; number++) {
        const uint32_t message[16] = {MSG_SELF_TEST, 0, number};
        struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK_EQUAL(answer.words[REPLY_SELF_TEST_RESULT - 4], 0);
    }
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_preempted_for_ever);
    CHECK_RUN(test_room_is_asked_for_once);
    return check_finish();
}
