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

int main(void)
{
    CHECK_RUN(test_preempted_for_ever);
    return check_finish();
}
