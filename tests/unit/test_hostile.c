/* SPDX-License-Identifier: Apache-2.0
 *
 * What a hostile host found, against the whole firmware on the golden model (the chip: tests/system/test_hostile.c).
 * Goal: nothing a host says or a program does stops the firmware or takes others' time. docs/security.md has the
 * promises.
 */
#include "scheduling.h"

/* ------------------------------------------------------------------ numbers that do not fit */

static uint32_t create_aligned(struct client_allocation *allocation, uint32_t alignment)
{
    uint32_t message[16] = {0};
    message[MSG_CREATE_ALLOCATION_ALIGNMENT] = alignment;
    return client_create(&client, allocation, 1, SET_LOCAL, message);
}

/* Every ALIGNMENT is legal as the table says; two allocations of the largest are placed, each in its own segment. */
static void test_alignment(void)
{
    struct client_allocation a, b;
    begin(4, 4);
    uint32_t context = client_context(&client, 0);
    for (uint32_t log2 = 0; log2 < 32u; log2++) {
        const bool is_legal = 1u << log2 <= GPU_LIMIT(ALIGNMENT_BYTES);
        CHECK_EQUAL(create_aligned(&a, 1u << log2), is_legal ? STATUS_OK : STATUS_BAD_ARGUMENT);
        if (is_legal) CHECK_EQUAL(create_aligned(&b, 1u << log2), STATUS_OK);
        if (!is_legal) continue;
        fill_pattern(&a, 7);
        stream_init(&stream);
        stream_copy(&stream, a.handle, 0, b.handle, 0, CLIENT_PAGE, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &b, LOCK_READ_ONLY), STATUS_OK);
        CHECK(has_pattern(&b, 7));
        CHECK_EQUAL(client_unlock(&client, &b), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        CHECK_EQUAL(client_destroy(&client, &b), STATUS_OK);
    }
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_alignment);
    return check_finish();
}
