/* SPDX-License-Identifier: Apache-2.0
 *
 * What is bound may move (docs/memory.md). Goal: where a group finds no place beside what stays bound, that is given
 * another place and every command after the split finds it there, however its address was loaded; and nothing moves
 * under the literal policy. Method: three allocations fill a segment of six pages, those at both ends are unbound, and
 * one comes that needs more than either hole.
 */
#include "system.h"

enum { END = 6 * CLIENT_PAGE, LOOKALIKE = 33 };

static struct client_allocation low, bound, high, large;
static uint32_t context, split;

static uint32_t force_of(uint32_t policy) { return FIELD_PUT(policy, HOST_FORCE_POLICY); }

static uint32_t rebound(void)
{
    uint32_t statistics[STAT_COUNT];
    client_statistics(&client, statistics);
    return statistics[STAT_BOUND_ANEW];
}

/* Two pages each of `low`, `bound` and `high`, which is all of segment 1; `set` is where `bound` may be. */
static void open_full(uint32_t force, uint32_t set, uint32_t large_pages)
{
    open_with(END / CLIENT_PAGE, 2, force, 0);
    CHECK_EQUAL(client_create(&client, &low, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &bound, 2, set, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &high, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &large, large_pages, SET_1, NULL), STATUS_OK);
    context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, low.handle, 0, 64, 2 * CLIENT_PAGE, true);
    stream_bind(&stream, 1, bound.handle, CLIENT_PAGE, 64, CLIENT_PAGE, true);
    stream_bind(&stream, 2, high.handle, 0, 64, 2 * CLIENT_PAGE, true);
    for (uint32_t slot = 0; slot < 3; slot++) stream_fill_rect(&stream, slot, 0, 0, 1, 1, 1 + slot);
}

/* The split: both ends are free, and `large` is bound. */
static void replace(void)
{
    stream_unbind(&stream, 0);
    stream_unbind(&stream, 2);
    stream_bind(&stream, 3, large.handle, 0, 64, large.pages * CLIENT_PAGE, true);
    split = stream.split;
    stream_fill_rect(&stream, 3, 0, 0, 1, 1, 4);
    stream_fill_rect(&stream, 1, 1, 0, 1, 1, 5);
}

/* Nothing is lost that was drawn before the split or after it. */
static void check_drawn(void)
{
    CHECK_EQUAL(client_lock(&client, &low, 0), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &bound, 0), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &high, 0), STATUS_OK);
    CHECK_EQUAL(client_lock(&client, &large, 0), STATUS_OK);
    CHECK_EQUAL(word_of(&low, 0), 1);
    CHECK_EQUAL(word_of(&bound, CLIENT_PAGE / 4), 2);
    CHECK_EQUAL(word_of(&bound, CLIENT_PAGE / 4 + 1), 5);
    CHECK_EQUAL(word_of(&high, 0), 3);
    CHECK_EQUAL(word_of(&large, 0), 4);
}

static void check_result(uint32_t rows)
{
    const struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_PORTIONS - 4], 2);
    CHECK_EQUAL(rebound(), rows);
    check_drawn();
}

static void test_literal(void)
{
    open_full(force_of(POLICY_LITERAL), SET_1, 4);
    replace();
    const struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_NO_PLACEMENT);
    CHECK_EQUAL(answer.detail, split);
    CHECK_EQUAL(rebound(), 0);
    close_checked();
    open_full(force_of(POLICY_LITERAL) | FIELD_PUT(1, HOST_FORCE_MOVE_BOUND), SET_1, 4);
    replace();
    CHECK_EQUAL(submit(context).status, STATUS_NO_PLACEMENT);
    close_checked();
}

/* It slides aside, inside its segment: nothing of it goes over the bus. */
static void test_slides(void)
{
    uint32_t statistics[STAT_COUNT];
    open_full(force_of(POLICY_LOOKAHEAD), SET_1, 4);
    replace();
    const struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_PAGED_IN - 4], 10);
    client_statistics(&client, statistics);
    CHECK_EQUAL(statistics[STAT_PAGES_MOVED], 2);
    CHECK_EQUAL(statistics[STAT_PAGES_OUT], 4);
    CHECK_EQUAL(statistics[STAT_BOUND_ANEW], 1);
    check_drawn();
    close_checked();
}

/* Every register that holds it is loaded again, each with its own offset. */
static void test_several_slots(void)
{
    open_full(force_of(POLICY_LOOKAHEAD), SET_1, 4);
    stream_bind(&stream, 63, bound.handle, 0, 64, 2 * CLIENT_PAGE, true);
    stream_fill_rect(&stream, 63, 8, 0, 1, 1, 6);
    replace();
    stream_fill_rect(&stream, 63, 9, 0, 1, 1, 7);
    check_result(2);
    CHECK_EQUAL(word_of(&bound, 8), 6);
    CHECK_EQUAL(word_of(&bound, 9), 7);
    close_checked();
}

/* Paged out, and in again in another segment, where it can stay no longer where it is. */
static void test_other_segment(void)
{
    const struct allocation_table *table;
    uint32_t index;
    open_full(force_of(POLICY_LOOKAHEAD), SET_LOCAL, 6);
    replace();
    const struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    table = &device_gpu(client.device)->manager.residency.world.table;
    CHECK(allocation_find(table, bound.handle, &index));
    CHECK_EQUAL(table->entry[index].segment, 2);
    CHECK_EQUAL(rebound(), 1);
    check_drawn();
    close_checked();
}

/* A COPY after the split, whose locations took their rows before it: no register holds what it names, and its words
 * are patched again. */
static void test_word_behind(void)
{
    uint32_t rows[2][6];
    open_full(force_of(POLICY_LOOKAHEAD), SET_1, 4);
    const uint32_t at = stream.patches_used;
    replace();
    stream_copy(&stream, bound.handle, CLIENT_PAGE, bound.handle, 64, 4, 8);
    memcpy(rows, stream.patch[stream.patches_used - 2u], sizeof rows);
    memmove(stream.patch[at + 2u], stream.patch[at], (stream.patches_used - 2u - at) * sizeof *stream.patch);
    memcpy(stream.patch[at], rows, sizeof rows);
    for (uint32_t i = 0; i < 2; i++) {
        stream.patch[at + i][PATCH_SPLIT_OFFSET] = stream.patch[at - 1u][PATCH_SPLIT_OFFSET];
        stream.patch[at + i][PATCH_SLOT_ID] = 8 + i;
    }
    check_result(3);
    CHECK_EQUAL(word_of(&bound, 16), 2);
    close_checked();
}

/* A COPY before the split has loaded no register. Its target's word stands behind its source's, which looks like the
 * first word of a BIND of that very slot. */
static void test_lookalike(void)
{
    open_full(force_of(POLICY_LOOKAHEAD), SET_1, 4);
    const struct engine_binding *binding = &device_engine(client.device)->node[0].bindings[LOOKALIKE];
    const uint32_t offset = PKT_BIND | 1u << 8, word = GPU_LIMIT(ADDR_SEGMENT1) + 2 * CLIENT_PAGE + offset;
    stream_copy(&stream, bound.handle, offset, bound.handle, 64, 4, LOOKALIKE - 1);
    CHECK_EQUAL(FIELD_GET(word, PKT_BIND_SLOT), LOOKALIKE);
    replace();
    check_result(3);
    CHECK_EQUAL(binding->address, 0);
    close_checked();
}

/* The render node has a portion to end. */
static bool has_work_ahead(void)
{
    const struct scheduler *scheduler = &device_gpu(client.device)->scheduler;
    const struct ddi *ddi = &scheduler->manager->ddi;
    return ddi->query_current_fence(ddi->adapter, NODE_RENDER) != scheduler->last_fence;
}

/* A reset at every turn at which a portion runs or waits: the context that it meets is lost, and what another one binds
 * is right. */
static void test_reset(void)
{
    struct answer answer;
    uint32_t hangs = 0, lost = 0;
    for (uint32_t turns = 1; turns < 80; turns++) {
        uint32_t message[16], tags[2], status[2] = {99, 99};
        open_full(force_of(POLICY_LOOKAHEAD), SET_1, 4);
        replace();
        client_stage(&client, &stream, context, 0, message);
        tags[0] = client_send(&client, message);
        stream_init(&stream);
        stream_bind(&stream, 1, high.handle, 0, 64, CLIENT_PAGE, true);
        stream_fill_rect(&stream, 1, 2, 0, 1, 1, 8);
        client_stage(&client, &stream, client_context(&client, -1), 1, message);
        tags[1] = client_send(&client, message);
        for (uint32_t i = 0; i < turns; i++) device_turn(client.device);
        if (has_work_ahead()) {
            device_hang(client.device, 0);
            hangs++;
        }
        for (uint32_t i = 0; i < 2; i++) {
            CHECK(client_receive(&client, &answer));
            status[answer.tag == tags[1]] = answer.status;
        }
        CHECK(status[0] == STATUS_TIMEOUT || status[0] == STATUS_OK);
        CHECK(status[1] == STATUS_OK || status[1] == STATUS_TIMEOUT);
        CHECK(status[0] == STATUS_OK || status[1] == STATUS_OK);
        lost += status[0] == STATUS_TIMEOUT;
        CHECK_EQUAL(client_lock(&client, &high, 0), STATUS_OK);
        if (status[1] == STATUS_OK) CHECK_EQUAL(word_of(&high, 2), 8);
        close_checked();
    }
    CHECK(hangs >= 6 && lost >= 4);
}

int main(void)
{
    CHECK_RUN(test_literal);
    CHECK_RUN(test_slides);
    CHECK_RUN(test_several_slots);
    CHECK_RUN(test_other_segment);
    CHECK_RUN(test_word_behind);
    CHECK_RUN(test_lookalike);
    CHECK_RUN(test_reset);
    return check_finish();
}
