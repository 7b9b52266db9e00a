/* SPDX-License-Identifier: Apache-2.0
 *
 * Preemption, priorities and what the driver is told. Goal: what is preempted had not begun, comes back in the right
 * order with the right fences, and a more urgent context gets its turn. Method: the golden model with nodes held still,
 * the calls between manager and driver recorded.
 * SCH-06..SCH-12, SPL-07, SPL-16, SPL-18, DMA-02, DMA-08, DMA-09, CNF-06.
 */
#include "scheduling.h"

/* The node alone goes on until it has executed `count` RUNs more, and stops before their last FENCE. */
static void run_portions(uint32_t index, uint32_t count)
{
    node(index)->is_enabled = true;
    while (count > 0u) {
        const struct engine_node *engine = node(index);
        uint32_t at = engine->ring_base / 4u + engine->head % (1u << engine->ring_log2_words);
        uint32_t word = device_engine(client.device)->command[at];
        CHECK(engine_model_step(device_engine(client.device), index));
        count -= (word & 0xffu) == PKT_RUN;
    }
    node(index)->is_enabled = false;
}

/* ------------------------------------------------------------------ preemption of the render node */

/* SCH-06: nothing left to preempt is reported directly: no fence is queued, the id is new. */
static void test_nothing_left(void)
{
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    turns(10);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t fence = node(i)->fence, tail = node(i)->tail;
        const uint32_t message[16] = {MSG_PREEMPT, 0, i};
        struct answer answer = client_call(&client, message);
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK_EQUAL(answer.words[REPLY_PREEMPT_DIRECT - 4], 1);
        CHECK_EQUAL(answer.words[REPLY_PREEMPT_WITHHELD - 4], 0);
        CHECK_EQUAL(answer.words[REPLY_PREEMPT_LAST_COMPLETED - 4], fence);
        CHECK(i == 1 || answer.words[REPLY_PREEMPT_FENCE - 4] == fence + 1);
        CHECK_EQUAL(node(i)->fence, fence);
        CHECK_EQUAL(node(i)->tail, tail);
    }
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    const uint32_t none[16] = {MSG_PREEMPT, 0, 2};
    struct answer answer = client_call(&client, none);
    CHECK_EQUAL(answer.status, STATUS_BAD_ARGUMENT);
    CHECK_EQUAL(answer.detail, MSG_PREEMPT_NODE);
    client_close(&client);
}

/* SCH-07, SCH-08, SCH-09: of three buffers the node stands before the second one: that and the third are withheld and
 * run later under new fences; the report says so. */
static void test_buffers_are_withheld(void)
{
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    CHECK_EQUAL(device_gpu(client.device)->manager.caps.preemption_granularity, DDI_PREEMPTION_DMA_BUFFER_BOUNDARY);
    forget();
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < 3; i++) send_fill(context, &a, i * 8, 8, 0x100 + i);
    turns(200);
    CHECK_EQUAL(submitted_count, 3);
    uint32_t first = submitted[0].submission_fence_id;
    run_portions(0, 1);
    CHECK_EQUAL(node(0)->fence, first - 1u);
    uint32_t request = send_preempt(0);
    turns(5);
    node(0)->is_enabled = true;
    receive_all();
    const struct answer *report = &sent.answer[request];
    CHECK_EQUAL(report->words[REPLY_PREEMPT_LAST_COMPLETED - 4], first);
    CHECK_EQUAL(report->words[REPLY_PREEMPT_FENCE - 4], first + 3);
    CHECK_EQUAL(report->words[REPLY_PREEMPT_WITHHELD - 4], 2);
    CHECK_EQUAL(report->words[REPLY_PREEMPT_DIRECT - 4], 0);
    CHECK_EQUAL(submitted_count, 5);
    CHECK_EQUAL(submitted[3].submission_fence_id, first + 4); /* after the preemption fence */
    CHECK_EQUAL(submitted[4].submission_fence_id, first + 5);
    CHECK_EQUAL(submitted[3].dma_buffer, submitted[1].dma_buffer);
    CHECK_EQUAL(submitted[4].dma_buffer, submitted[2].dma_buffer);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[i].words[REPLY_SUBMIT_PORTIONS - 4], 1);
        check_words(&a, i * 2, 0x100 + i);
    }
    CHECK_EQUAL(sent.answer[2].fence, first + 5);
    CHECK_EQUAL(statistic(STAT_WITHHELD), 2);
    client_close(&client);
}

/* SCH-09, SPL-16: a buffer whose first portion has run is not interrupted: its other portions follow before the
 * report, and nothing stands between them. Each is not repeatable: a copy that shifts. */
static void test_begun_buffer_goes_on(void)
{
    struct client_allocation a, b;
    boot.force = FIELD_PUT(1, HOST_FORCE_SPLIT);
    begin(4, 4);
    boot.force = 0;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0), other = client_context(&client, 0);
    fill_pattern(&a, 9);
    uint32_t original[8];
    for (uint32_t i = 0; i < 8; i++) original[i] = word_of(&a, i);
    node(0)->is_enabled = false;
    stream_init(&stream);
    for (uint32_t i = 0; i < 6; i++) /* six times one word down */
        stream_copy(&stream, a.handle, 4, a.handle, 0, 64, 0);
    uint32_t job = send_job(context);
    uint32_t next = send_fill(other, &b, 0, 8, 0x77);
    turns(400);
    CHECK(node(1)->head == node(1)->tail); /* all is paged in */
    run_portions(0, 2);
    uint32_t request = send_preempt(0);
    turns(5);
    node(0)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[request].words[REPLY_PREEMPT_WITHHELD - 4], 1);
    CHECK_EQUAL(sent.answer[request].words[REPLY_PREEMPT_LAST_COMPLETED - 4], sent.answer[job].fence);
    CHECK_EQUAL(sent.answer[job].words[REPLY_SUBMIT_PORTIONS - 4], 6);
    CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
    check_words(&a, 0, original[6]);
    check_words(&b, 0, 0x77);
    client_close(&client);
}

/* A context of higher priority does not wait after buffers that have not begun. */
static void test_urgent(void)
{
    struct client_allocation a, b;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    uint32_t low = client_context(&client, -3), high = client_context(&client, 3);
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < 4; i++) send_fill(low, &a, i * 8, 8, i + 1);
    turns(200);
    uint32_t urgent = send_fill(high, &b, 0, 8, 9);
    turns(50);
    node(0)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
        CHECK(sent.answer[i].fence - sent.answer[urgent].fence < 100u); /* after it */
        check_words(&a, i * 2, i + 1);
    }
    CHECK_EQUAL(statistic(STAT_PREEMPTIONS), 1);
    CHECK_EQUAL(statistic(STAT_WITHHELD), 4);
    client_close(&client);
}

/* SCH-11, SCH-12: as many contexts as the table has, one more is refused; with one of the highest priority that never
 * stops, the lowest get their turns. */
static void test_many_contexts(void)
{
    enum { LOW = 63, STORM = 63 * 4 }; /* STORM: buffers in all until the last of the low ones is done */
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
    uint32_t context[LOW], high = client_context(&client, 7), message[16], done = 0, storm = 0, in_flight = 0, lows = 0;
    for (uint32_t i = 0; i < LOW; i++) context[i] = client_context(&client, (int32_t)(i % 15) - 7);
    const uint32_t another[16] = {MSG_CREATE_CONTEXT};
    CHECK_EQUAL(client_call(&client, another).status, STATUS_OUT_OF_HANDLES);
    uint32_t tags[LOW], next = 0;
    while (done < LOW && storm < STORM) {
        for (; in_flight < 6; in_flight++) {
            bool is_low = next < LOW && lows < 2; /* two of theirs beside four of the other */
            stream_init(&stream);
            stream_fill(&stream, a.handle, is_low ? next * 8 : 4096, 8, next, 0);
            client_stage(&client, &stream, is_low ? context[next] : high, storm % 16, message);
            uint32_t tag = client_send(&client, message);
            if (is_low) tags[next++] = tag;
            lows += is_low;
            storm++;
        }
        node(0)->is_enabled = false; /* what waits is planned, and some of it preempted */
        turns(40);
        node(0)->is_enabled = true;
        struct answer answer;
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        in_flight--;
        forget();
        for (uint32_t i = 0; i < next; i++) {
            if (tags[i] != answer.tag) continue;
            done++;
            lows--;
        }
    }
    CHECK_EQUAL(done, LOW);
    for (; in_flight > 0; in_flight--) {
        struct answer answer;
        CHECK(client_receive(&client, &answer));
    }
    for (uint32_t i = 0; i < LOW; i++) check_words(&a, i * 2, i);
    client_close(&client);
}

/* ------------------------------------------------------------------ preemption of the paging node */

/* SCH-08: preempted paging buffers are submitted again in their order, with their ids, and before anything else. */
static void test_paging_keeps_ids(void)
{
    struct client_allocation a[4];
    boot.options = FIELD_PUT(20, HOST_BOOT_OPTIONS_PAGING_WORDS);
    begin(16, 4);
    boot.options = 0;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(client_create(&client, &a[i], 4, SET_1, NULL), STATUS_OK);
        fill_pattern(&a[i], (uint8_t)i);
    }
    uint32_t context = client_context(&client, 0);
    forget();
    node(1)->is_enabled = false;
    for (uint32_t i = 0; i < 4; i++) send_fill(context, &a[i], 0, 4, 0x200 + i);
    turns(300);
    uint32_t ids[8], count = 0;
    for (uint32_t i = 0; i < submitted_count; i++)
        if (submitted[i].is_paging) ids[count++] = submitted[i].submission_fence_id;
    CHECK_EQUAL(count, 4); /* all buffers in rotation */
    uint32_t before = submitted_count;
    run_portions(1, 1);
    uint32_t request = send_preempt(1);
    turns(5);
    node(1)->is_enabled = true;
    turns(20);
    CHECK(submitted_count >= before + 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(submitted[before + i].is_paging);
        CHECK_EQUAL(submitted[before + i].submission_fence_id, ids[i + 1]);
        uint32_t k = 0;
        while (!submitted[k].is_paging || submitted[k].submission_fence_id != ids[i + 1]) k++;
        CHECK_EQUAL(submitted[before + i].dma_buffer, submitted[k].dma_buffer);
        CHECK_EQUAL(submitted[before + i].submission_end_offset, submitted[k].submission_end_offset);
        CHECK_EQUAL(submitted[before + i].must_wait, submitted[k].must_wait);
    }
    receive_all();
    CHECK_EQUAL(sent.answer[request].words[REPLY_PREEMPT_WITHHELD - 4], 3);
    CHECK_EQUAL(sent.answer[request].words[REPLY_PREEMPT_LAST_COMPLETED - 4], ids[0]);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
        check_words(&a[i], 0, 0x200 + i);
    }
    client_close(&client);
}

/* ------------------------------------------------------------------ order */

/* SPL-16: jobs of several contexts, split at every point, with priorities and preemptions: the portions of one buffer
 * follow each other on the render node, each beginning where the one before ended. */
static void test_back_to_back(void)
{
    struct client_allocation a[3];
    uint32_t random = 5, splits = 0;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        boot.force = FIELD_PUT(1, HOST_FORCE_SPLIT) | FIELD_PUT(seed % 3 == 0, HOST_FORCE_CLOBBER);
        sent.count = 0;
        open_seeded(3, 2, seed);
        boot.force = 0;
        for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(client_create(&client, &a[i], 1, SET_LOCAL, NULL), STATUS_OK);
        uint32_t context[3];
        for (uint32_t i = 0; i < 3; i++) context[i] = client_context(&client, (int32_t)i * 2 - 2);
        for (uint32_t i = 0; i < 12; i++) {
            if (check_pick(&random, 5) == 0) {
                send_preempt(0);
                continue;
            }
            stream_init(&stream);
            for (uint32_t k = 0; k <= check_pick(&random, 5); k++)
                stream_fill(&stream, a[check_pick(&random, 3)].handle, i * 8, 8, i, 0);
            send_job(context[check_pick(&random, 3)]);
            turns(check_pick(&random, 12));
        }
        receive_all();
        const struct ddi_submit_command *last = NULL;
        for (uint32_t i = 0; i < submitted_count; i++) {
            const struct ddi_submit_command *now = &submitted[i];
            if (now->is_paging) continue;
            bool is_first = now->submission_start_offset == 0u;
            CHECK(is_first || (last != NULL && last->dma_buffer == now->dma_buffer &&
                               last->submission_end_offset == now->submission_start_offset));
            splits += !is_first;
            last = now;
        }
        client_close(&client);
    }
    CHECK(splits > 200);
}

/* SPL-07: from the offset at which its slot is given to another, an allocation is not required any more: the third one
 * takes its place, and it need not be there. */
static void test_slot_used_again(void)
{
    struct client_allocation a, b, c;
    begin(2, 2);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &c, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    stream_init(&stream);
    stream_bind(&stream, 0, a.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 0, 0, 0, 1, 1, 1);
    stream_bind(&stream, 1, b.handle, 0, 64, CLIENT_PAGE, true);
    stream_fill_rect(&stream, 1, 0, 0, 1, 1, 2);
    stream_bind(&stream, 0, c.handle, 0, 64, CLIENT_PAGE, true); /* a's slot: a may go, b must stay */
    stream_fill_rect(&stream, 0, 0, 0, 1, 1, 3);
    stream_fill_rect(&stream, 1, 1, 0, 1, 1, 4);
    struct answer answer = submit(context);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_PORTIONS - 4], 2);
    CHECK(!is_resident(&a) && is_resident(&b) && is_resident(&c));
    check_words(&a, 0, 1);
    check_words(&b, 0, 2);
    check_words(&b, 1, 4);
    check_words(&c, 0, 3);
    client_close(&client);
}

/* SCH-10: what a buffer at work uses is not moved under it: the paging buffer that evicts waits for the render node. */
static void test_move_waits(void)
{
    struct client_allocation a, b;
    begin(2, 2);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0), other = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    forget();
    node(0)->is_enabled = false;
    send_fill(context, &a, 0, 8, 0x31);
    send_fill(other, &b, 0, 8, 0x32);
    turns(200);
    uint32_t used = 0, waiting = 0;
    for (uint32_t i = 0; i < submitted_count; i++) {
        if (!submitted[i].is_paging && used == 0u) used = submitted[i].submission_fence_id;
        if (!submitted[i].is_paging) continue;
        CHECK(submitted[i].must_wait);
        CHECK_EQUAL(submitted[i].wait_fence_id, used);
        waiting++;
    }
    CHECK(waiting > 0);
    CHECK_EQUAL(node(1)->fence, submitted[1].submission_fence_id - 1u); /* and so it stands */
    node(0)->is_enabled = true;
    receive_all();
    check_words(&a, 0, 0x31);
    check_words(&b, 0, 0x32);
    client_close(&client);
}

/* Marks of allocations that nobody uses for very long: fence ids go by, half of all of them and more. */
static void test_old_marks(void)
{
    struct client_allocation a, b, idle, away;
    begin(3, 2);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &idle, 1, SET_2, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &away, 1, SET_2, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &idle), STATUS_OK);
    CHECK_EQUAL(use(context, &away), STATUS_OK);
    const uint32_t message[16] = {MSG_EVICT, 0, away.handle};
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    for (uint32_t leap = 0; leap < 5; leap++) {
        for (uint32_t i = 0; i < 1100; i++) { /* more than there are allocations */
            forget();
            CHECK_EQUAL(use(context, i % 2 == 0 ? &a : &b), STATUS_OK);
        }
        turns(10);
        struct gpu *gpu = device_gpu(client.device);
        const uint32_t far = 1u << 29;
        gpu->scheduler.last_fence += far; /* as if so many portions had run meanwhile */
        gpu->scheduler.retired_fence += far;
        gpu->driver.submitted[0] += far;
        gpu->driver.reported[0] += far;
        node(0)->fence += far;
    }
    CHECK_EQUAL(use(context, &away), STATUS_OK);
    CHECK_EQUAL(use(context, &idle), STATUS_OK);
    check_words(&idle, 0, 1);
    client_close(&client);
}

/* ------------------------------------------------------------------ DMA buffers */

/* DMA-02: the declared sizes are there for every buffer, whatever else is in flight: several of the full size, with
 * full lists, one after the other. */
static void test_declared_sizes(void)
{
    enum { JOBS = 6, FULL_WORDS = 4000 };
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    struct ddi_context_info info;
    CHECK_EQUAL(second.ddi.create_context(&second, NODE_RENDER, &info), DDI_SUCCESS);
    CHECK_EQUAL(info.dma_buffer_segment_set, 0);
    CHECK_EQUAL(info.patch_location_list_size, STREAM_PATCHES);
    for (uint32_t i = 0; i < JOBS; i++) {
        stream_init(&stream);
        for (uint32_t k = 0; k < STREAM_PATCHES - 1; k++) /* one address each, a full patch list */
            stream_fill(&stream, a.handle, (i * 1024 + k) % 2048 * 4, 4, i << 16 | k, 0);
        stream_fill(&stream, a.handle, 4 * i, 4, 0x1000 + i, 0);
        CHECK_EQUAL(stream.patches_used, STREAM_PATCHES);
        CHECK(stream.used >= FULL_WORDS);
        send_job(context);
    }
    receive_all();
    for (uint32_t i = 0; i < JOBS; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    check_words(&a, JOBS - 1, 0x1000 + JOBS - 1);
    client_close(&client);
}

/* ------------------------------------------------------------------ the host's content */

/* CNF-06: what the host writes under locks stays right while the allocation goes through every segment. */
static void test_host_content(void)
{
    struct client_allocation a, copy, filler;
    begin(3, 3);
    CHECK_EQUAL(client_create(&client, &a, 2, SET_ALL, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &copy, 2, SET_APERTURE, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &filler, 2, SET_ALL, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0), places = 0;
    for (uint32_t round = 0; round < 40; round++) {
        CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_OK);
        fill_pattern(&a, (uint8_t)round);
        CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
        const uint32_t none[16] = {MSG_EVICT, 0, round % 3 == 0 ? filler.handle : 0};
        if (round % 2 == 0) CHECK_EQUAL(client_call(&client, none).status, STATUS_OK);
        if (round % 3 != 0) CHECK_EQUAL(use(context, &filler), STATUS_OK); /* takes the best place */
        stream_init(&stream);
        stream_copy(&stream, a.handle, 0, copy.handle, 0, 2 * CLIENT_PAGE, 0);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        places |= 1u << (entry_of(&a)->segment * 4u + entry_of(&a)->first_page % 4u);
        CHECK_EQUAL(client_lock(&client, &copy, LOCK_READ_ONLY), STATUS_OK);
        CHECK(has_pattern(&copy, (uint8_t)round));
        CHECK_EQUAL(client_unlock(&client, &copy), STATUS_OK);
        CHECK_EQUAL(client_lock(&client, &a, LOCK_READ_ONLY), STATUS_OK);
        CHECK(has_pattern(&a, (uint8_t)round));
        CHECK_EQUAL(client_unlock(&client, &a), STATUS_OK);
    }
    CHECK((places & (places - 1u)) != 0u); /* it was not always in one place */
    client_close(&client);
}

int main(void)
{
    CHECK_CASE("SCH-06", test_nothing_left);
    CHECK_CASE("SCH-07, SCH-08, SCH-09", test_buffers_are_withheld);
    CHECK_CASE("SCH-09, SPL-16", test_begun_buffer_goes_on);
    CHECK_RUN(test_urgent);
    CHECK_CASE("SCH-11, SCH-12", test_many_contexts);
    CHECK_CASE("SCH-08", test_paging_keeps_ids);
    CHECK_CASE("SPL-16", test_back_to_back);
    CHECK_CASE("SPL-07", test_slot_used_again);
    CHECK_CASE("SCH-10", test_move_waits);
    CHECK_RUN(test_old_marks);
    CHECK_CASE("DMA-02", test_declared_sizes);
    CHECK_CASE("CNF-06", test_host_content);
    return check_finish();
}
