/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts that share memory. Goal: the host sets and reads a context's share and priority, wrong requests change
 * nothing; a context within its share keeps its pages beside one that wants all of memory, and both get everything they
 * ask for; equals take turns in streaks that end. Method: the golden model, sets larger than a small segment, answers
 * and the device's own counts. SCH-12.
 */
#include "scheduling.h"

enum { SEGMENT1 = 4, SEGMENT2 = 16, SMALL = 2, HOG = 12, PAGES = 2 };

static struct client_allocation small[SMALL], hog[HOG];

static uint32_t ahead(void) { return FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY); }

static struct answer set_context(uint32_t context, uint32_t changes, uint32_t priority, uint32_t budget)
{
    const uint32_t message[16] = {MSG_SET_CONTEXT, 0, context, changes, priority, budget};
    return client_call(&client, message);
}

static struct answer query(uint32_t context)
{
    const uint32_t message[16] = {MSG_QUERY_CONTEXT, 0, context};
    return client_call(&client, message);
}

static uint32_t word_in(const struct answer *answer, uint32_t word) { return answer->words[word - 4]; }

static void begin_with(uint32_t force)
{
    boot.force = force;
    begin(SEGMENT1, SEGMENT2);
    boot.force = 0;
}

static void create_all(struct client_allocation *set, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(client_create(&client, &set[i], PAGES, SET_2, NULL), STATUS_OK);
}

/* A DMA buffer that writes a word of each. */
static void fill_all(const struct client_allocation *set, uint32_t count, uint32_t pattern)
{
    stream_init(&stream);
    for (uint32_t i = 0; i < count; i++) stream_fill(&stream, set[i].handle, 0, 4, pattern + i, 0);
}

static struct answer use_all(uint32_t context, const struct client_allocation *set, uint32_t count)
{
    uint32_t message[16];
    fill_all(set, count, 7);
    client_stage(&client, &stream, context, 0, message);
    struct answer answer = client_call(&client, message);
    CHECK_EQUAL(answer.status, STATUS_OK);
    return answer;
}

/* ------------------------------------------------------------------ the interface */

static void check_refusal(struct answer answer, uint32_t status, uint32_t detail)
{
    CHECK_EQUAL(answer.status, status);
    CHECK_EQUAL(answer.detail, detail);
}

static void test_refusals(void)
{
    const uint32_t all = CONTEXT_PRIORITY | CONTEXT_BUDGET;
    begin_with(0);
    uint32_t context = client_context(&client, -2), gone = client_context(&client, 0);
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, gone};
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    CHECK_EQUAL(set_context(context, CONTEXT_BUDGET, 99, 5).status, STATUS_OK); /* the priority's word is not read */
    check_refusal(set_context(0, all, 0, 0), STATUS_BAD_CONTEXT, 0);
    check_refusal(set_context(gone, all, 0, 0), STATUS_BAD_CONTEXT, 0);
    check_refusal(query(gone), STATUS_BAD_CONTEXT, 0);
    check_refusal(set_context(context, 0, 0, 0), STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_CHANGES);
    check_refusal(set_context(context, all | 12, 0, 0), STATUS_BAD_FLAGS, 12);
    check_refusal(set_context(context, all, 8, 0), STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_PRIORITY);
    check_refusal(set_context(context, all, 0xfffffff8u, 0), STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_PRIORITY);
    check_refusal(set_context(context, all, 3, SEGMENT1 + SEGMENT2 + 1), STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_BUDGET);
    const struct manager *manager = &device_gpu(client.device)->manager;
    CHECK_EQUAL(manager->contexts.entry[0].priority, -2);
    CHECK_EQUAL(manager->residency.world.shares.entry[0].budget, 5);
    CHECK_EQUAL(manager->residency.world.shares.entry[0].weight, SHARE_WEIGHT - 2);
    CHECK_EQUAL(set_context(context, all, 7, SEGMENT1 + SEGMENT2).status, STATUS_OK);
    CHECK_EQUAL(manager->contexts.entry[0].priority, 7);
    CHECK_EQUAL(manager->residency.world.shares.entry[0].weight, SHARE_WEIGHT + 7);
    struct answer answer = query(context);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), SEGMENT1 + SEGMENT2);
    client_close(&client);
}

static void test_query(void)
{
    begin_with(0);
    create_all(small, SMALL);
    create_all(hog, HOG);
    uint32_t a = client_context(&client, 0), b = client_context(&client, 0);
    struct answer answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), 0);
    use_all(a, small, SMALL);
    answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), SEGMENT1 + SEGMENT2);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_RESIDENT), SMALL * PAGES);
    use_all(b, hog, HOG); /* literal: the oldest leave */
    answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), (SEGMENT1 + SEGMENT2) / 2);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_RESIDENT), 0);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_LOST), SMALL * PAGES);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_TAKEN), 0);
    answer = query(b);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_RESIDENT), SEGMENT2);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_LOST), 0); /* what it evicts of its own is its business */
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_TAKEN), SMALL * PAGES);
    CHECK_EQUAL(set_context(a, CONTEXT_PRIORITY, 4, 0).status, STATUS_OK);
    answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), (SEGMENT1 + SEGMENT2) * 12 / 20);
    use_all(a, hog, 1); /* what it uses is its own from then on */
    answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_RESIDENT), PAGES);
    const uint32_t evict[16] = {MSG_EVICT, 0, 0}; /* the host's wish is nobody's fault */
    CHECK_EQUAL(client_call(&client, evict).status, STATUS_OK);
    struct answer after = query(a);
    CHECK_EQUAL(word_in(&after, REPLY_QUERY_CONTEXT_RESIDENT), 0);
    CHECK_EQUAL(word_in(&after, REPLY_QUERY_CONTEXT_LOST), word_in(&answer, REPLY_QUERY_CONTEXT_LOST));
    client_close(&client);
}

/* What the host had set aside for a context is for the others when that one is gone. */
static void test_budget_of_the_gone(void)
{
    begin_with(0);
    create_all(small, SMALL);
    uint32_t a = client_context(&client, 0), gone = client_context(&client, 0);
    use_all(a, small, SMALL);
    CHECK_EQUAL(set_context(gone, CONTEXT_BUDGET, 0, SEGMENT2).status, STATUS_OK);
    struct answer answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), SEGMENT1);
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, gone};
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_SHARE), SEGMENT1 + SEGMENT2);
    client_close(&client);
}

/* A context whose DMA buffer found no placement has taken nothing, whatever the host evicts afterwards. */
static void test_evict_after_refusal(void)
{
    begin_with(0);
    create_all(small, SMALL);
    create_all(hog, HOG);
    uint32_t a = client_context(&client, 0), b = client_context(&client, 0);
    use_all(a, small, SMALL);
    stream_init(&stream);
    for (uint32_t i = 0; i < HOG; i++) stream_bind(&stream, i, hog[i].handle, 0, 64, CLIENT_PAGE, true);
    for (uint32_t i = 0; i < stream.patches_used; i++) stream.patch[i][PATCH_SPLIT_OFFSET] = 0; /* all in one group */
    CHECK_EQUAL(submit(b).status, STATUS_NO_PLACEMENT);
    CHECK_EQUAL(evict(&small[0]), STATUS_OK);
    struct answer answer = query(a);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_LOST), 0);
    answer = query(b);
    CHECK_EQUAL(word_in(&answer, REPLY_QUERY_CONTEXT_TAKEN), 0);
    client_close(&client);
}

/* ------------------------------------------------------------------ who keeps its pages */

/* Pages in for the small context's DMA buffers, while one that wants more than memory works between them. */
static uint32_t pages_of_small(uint32_t force, uint32_t budget_small, uint32_t budget_hog)
{
    uint32_t pages = 0;
    begin_with(force);
    create_all(small, SMALL);
    create_all(hog, HOG);
    uint32_t a = client_context(&client, 0), b = client_context(&client, 0);
    CHECK_EQUAL(set_context(a, CONTEXT_BUDGET, 0, budget_small).status, STATUS_OK);
    CHECK_EQUAL(set_context(b, CONTEXT_BUDGET, 0, budget_hog).status, STATUS_OK);
    use_all(a, small, SMALL);
    for (uint32_t i = 0; i < 6; i++) {
        use_all(b, hog, HOG);
        struct answer answer = use_all(a, small, SMALL);
        pages += word_in(&answer, REPLY_SUBMIT_PAGED_IN);
        CHECK(gpu_check(device_gpu(client.device)));
    }
    for (uint32_t i = 0; i < SMALL; i++) check_words(&small[i], 0, 7 + i);
    for (uint32_t i = 0; i < HOG; i++) check_words(&hog[i], 0, 7 + i);
    client_close(&client);
    return pages;
}

static void test_small_beside_hog(void)
{
    CASE("SCH-12");
    CHECK_EQUAL(pages_of_small(0, 0, 0), 6 * SMALL * PAGES); /* literal: all of it, each time */
    CHECK(pages_of_small(ahead() | FIELD_PUT(1, HOST_FORCE_NO_SHARES), 0, 0) >= 6 * PAGES);
    CHECK_EQUAL(pages_of_small(ahead(), 0, 0), 0);
    CHECK_EQUAL(pages_of_small(ahead(), SMALL * PAGES, 0), 0);
    CHECK(pages_of_small(ahead(), 1, SEGMENT2) >= 6 * PAGES); /* the host has given it next to nothing */
}

/* A budget refuses nothing: with one page each, both draw what they draw without. */
static void test_preference(void)
{
    begin_with(ahead());
    create_all(hog, HOG);
    uint32_t a = client_context(&client, 0), b = client_context(&client, 0);
    CHECK_EQUAL(set_context(a, CONTEXT_BUDGET, 0, 1).status, STATUS_OK);
    CHECK_EQUAL(set_context(b, CONTEXT_BUDGET, 0, SEGMENT2).status, STATUS_OK);
    use_all(b, hog, HOG / 2);
    stream_init(&stream); /* all of segment 2 bound at once, in one group */
    for (uint32_t i = 0; i < SEGMENT2 / PAGES; i++)
        stream_bind(&stream, i, hog[HOG - 1 - i].handle, 0, 64, CLIENT_PAGE, true);
    for (uint32_t i = 0; i < SEGMENT2 / PAGES; i++) stream_fill_rect(&stream, i, 0, 0, 1, 1, 0x500 + i);
    CHECK_EQUAL(submit(a).status, STATUS_OK);
    for (uint32_t i = 0; i < SEGMENT2 / PAGES; i++) check_words(&hog[HOG - 1 - i], 0, 0x500 + i);
    client_close(&client);
}

/* What a context leaves behind goes first. */
static void test_legacy(void)
{
    begin_with(ahead());
    create_all(small, SMALL);
    create_all(hog, HOG);
    uint32_t a = client_context(&client, 0), b = client_context(&client, 0), c = client_context(&client, 0);
    use_all(b, hog, 3);
    use_all(a, small, SMALL);
    use_all(c, hog + 3, 3);
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, a};
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    use_all(c, hog + 6, 2);
    for (uint32_t i = 0; i < SMALL; i++) CHECK(!is_resident(&small[i]));
    for (uint32_t i = 0; i < 6; i++) CHECK(is_resident(&hog[i]));
    client_close(&client);
}

/* ------------------------------------------------------------------ turns */

/* A context has had all the turns that it may have in a row, and goes; the next one gets its place in the table. */
static uint32_t replace_context(uint32_t context)
{
    const uint32_t destroy[16] = {MSG_DESTROY_CONTEXT, 0, context};
    for (uint32_t i = 0; i < 4; i++) use_all(context, hog, HOG / 2);
    CHECK_EQUAL(client_call(&client, destroy).status, STATUS_OK);
    uint32_t next = client_context(&client, 0);
    CHECK_EQUAL(next & 0xffu, context & 0xffu);
    return next;
}

/* Of two whose sets displace each other, in the order of the letters; the first of them may be new in an old place. */
static void check_turns(uint32_t force, const char *sent_order, const char *order, bool is_new)
{
    struct client_allocation other;
    uint32_t contexts[2], tags = 0;
    begin_with(force);
    create_all(hog, HOG);
    CHECK_EQUAL(client_create(&client, &other, 1, SET_1, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 2; i++) contexts[i] = client_context(&client, 0);
    use_all(contexts[0], hog, HOG / 2);
    CHECK_EQUAL(use(client_context(&client, 0), &other), STATUS_OK); /* whatever streak there was is over */
    if (is_new) contexts[0] = replace_context(contexts[0]);
    node(0)->is_enabled = node(1)->is_enabled = false;
    for (; sent_order[tags] != 0; tags++) {
        uint32_t who = sent_order[tags] == 'b';
        fill_all(hog + who * (HOG / 2), HOG / 2, 7);
        send_job(contexts[who]);
    }
    node(0)->is_enabled = node(1)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < tags; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    char found[JOBS_MAX + 1] = {0};
    for (uint32_t i = 0; i < tags; i++) {
        uint32_t earlier = 0;
        for (uint32_t k = 0; k < tags; k++) earlier += sent.answer[k].fence < sent.answer[i].fence;
        found[earlier] = sent_order[i];
    }
    if (strcmp(found, order) != 0) printf("%s, expected %s\n", found, order);
    CHECK(strcmp(found, order) == 0);
    client_close(&client);
}

static void test_streak(void)
{
    CASE("SCH-12");
    check_turns(0, "abababab", "abababab", false);
    check_turns(ahead(), "abababab", "aaaabbbb", false);
    check_turns(ahead(), "aaaaaab", "aaaabaa", false);                            /* it ends, whatever is there */
    check_turns(FIELD_PUT(15, HOST_FORCE_POLICY), "abababab", "aaaabbbb", false); /* no policy's number: ahead */
    check_turns(ahead(), "abababab", "aaaabbbb", true); /* what the one that is gone had does not count */
}

/* A priority set later counts as one given at the creation. */
static void test_priority(void)
{
    CASE("SCH-12");
    struct client_allocation a;
    begin_with(0);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t low = client_context(&client, 0), high = client_context(&client, 0);
    CHECK_EQUAL(set_context(high, CONTEXT_PRIORITY, 5, 0).status, STATUS_OK);
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < 3; i++) send_fill(low, &a, i * 8, 8, i + 1);
    turns(200);
    uint32_t urgent = send_fill(high, &a, 64, 8, 9);
    turns(50);
    node(0)->is_enabled = true;
    receive_all();
    for (uint32_t i = 1; i < 3; i++) CHECK(sent.answer[i].fence - sent.answer[urgent].fence < 100u); /* after it */
    client_close(&client);
}

/* How long a SUBMIT may be put off, case by case. */
static void test_patience(void)
{
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t low = client_context(&client, 0), high = client_context(&client, 1);
    struct scheduler *scheduler = &device_gpu(client.device)->scheduler;
    uint32_t of_low[MESSAGE_WORDS] = {MSG_SUBMIT}, of_high[MESSAGE_WORDS] = {MSG_SUBMIT}, of_none[MESSAGE_WORDS] = {0};
    of_low[MSG_SUBMIT_CONTEXT] = low;
    of_high[MSG_SUBMIT_CONTEXT] = high;
    uint32_t *counted = &scheduler->manager->statistics[STAT_FIRMWARE_CYCLES];
    node(0)->is_enabled = false;
    send_fill(low, &a, 0, 8, 1);
    turns(400);
    CHECK_EQUAL(scheduler->job_count, 1);
    CHECK_EQUAL(*counted, 0);
    CHECK_EQUAL(scheduler_patience(scheduler, of_low, true), 0); /* the firmware takes no time */
    *counted = 1;
    CHECK_EQUAL(scheduler_patience(scheduler, of_low, true), 1);
    CHECK_EQUAL(scheduler_patience(scheduler, of_high, true), 1);
    CHECK_EQUAL(scheduler_patience(scheduler, of_none, true), 0); /* will be refused */
    enum job_state *state = &scheduler->jobs[scheduler->oldest_job].state, before = *state;
    *state = JOB_QUEUED;
    send_fill(low, &a, 8, 8, 2);
    send_fill(low, &a, 16, 8, 3);
    CHECK_EQUAL(scheduler_patience(scheduler, of_low, true), PATIENCE);
    CHECK_EQUAL(scheduler_patience(scheduler, of_high, true), 1);
    send_fill(high, &a, 24, 8, 4);
    CHECK_EQUAL(scheduler_patience(scheduler, of_low, true), 0); /* it stands in front of a higher priority */
    *state = before;
    *counted = 0;
    node(0)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    client_close(&client);
}

/* A long buffer is examined in pieces, while what was accepted before goes on, and what was sent after it waits. One
 * that turns out to be bad only at its end, or whose content a reset loses meanwhile, is refused then, with the right
 * word; nothing else notices. The hardware has read its lists, or the firmware does. */
static void check_examined_in_pieces(uint32_t force)
{
    enum { GOOD, BAD, LOST, COUNT };
    struct client_allocation a[3], target;
    boot.force = force;
    begin(4, 4);
    boot.force = 0;
    struct gpu *gpu = device_gpu(client.device);
    const uint32_t *portions = &gpu->manager.statistics[STAT_PORTIONS];
    device_look_cycles(client.device, 4096);
    for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(client_create(&client, &a[i], 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &target, 1, SET_2, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0), other = client_context(&client, 0), index;
    CHECK(allocation_find(&gpu->manager.residency.world.table, target.handle, &index));
    for (uint32_t kind = 0; kind < COUNT; kind++) {
        static const uint32_t expected[COUNT] = {STATUS_OK, STATUS_BAD_OPCODE, STATUS_CONTENT_LOST};
        uint32_t during = 0, pieces = 0, waited = 0;
        stream_init(&stream);
        for (uint32_t i = 0; i < 24; i++) {
            stream.split = stream.used * 4u;
            stream_fill(&stream, a[i % 3].handle, 0, 8, i, 0);
        }
        uint32_t split = send_job(context);
        stream_init(&stream);
        for (uint32_t i = 0; i < 300; i++) stream_fill(&stream, target.handle, 8 * i, 8, kind * 1000 + i, 0);
        const uint32_t end = stream.used * 4u;
        if (kind == BAD) stream_push(&stream, 0xee);
        uint32_t full = send_job(other);
        uint32_t last = send_fill(other, &target, 2400, 4, 77 + kind);
        while (!gpu->is_examining || gpu->scheduler.validation.job.dma_words < 1200u) turns(1);
        while (gpu->is_examining && pieces < 2000) {
            uint32_t done = *portions, head = gpu->manager.host.submit_head;
            turns(1);
            pieces++;
            during += *portions - done;
            waited += gpu->is_examining && gpu->manager.host.submit_head == head;
            /* As a reset of the adapter would. */
            if (kind == LOST && pieces == 40) allocation_lose(&gpu->manager.residency.world.table, index);
        }
        CHECK(pieces > 20 && pieces < 1000 && waited == pieces - 1u && during > 2);
        gpu->manager.residency.world.table.entry[index].flags &= ~(uint32_t)ALLOCATION_LOST & 0xffffu;
        allocation_tell(&gpu->manager.residency.world.table, index);
        receive_all();
        CHECK_EQUAL(sent.answer[split].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[full].status, expected[kind]);
        CHECK_EQUAL(sent.answer[full].detail, kind == BAD ? end : kind == LOST ? 1 : 0);
        CHECK_EQUAL(sent.answer[last].status, STATUS_OK);
        check_words(&target, 599, 299); /* what was refused has not run */
        check_words(&target, 600, 77 + kind);
    }
    check_words(&a[2], 0, 23);
    close_checked();
}
static void test_examined_in_pieces(void)
{
    check_examined_in_pieces(0);
    check_examined_in_pieces(FIELD_PUT(1, HOST_FORCE_NO_LISTS));
}

/* What a SUBMIT of a higher priority waits after is examined to its end, with no turn for anything else. */
static void test_examined_for_the_urgent(void)
{
    struct client_allocation target;
    boot.force = FIELD_PUT(1, HOST_FORCE_NO_LISTS);
    begin(4, 4);
    boot.force = 0;
    const struct gpu *gpu = device_gpu(client.device);
    device_look_cycles(client.device, 4096);
    CHECK_EQUAL(client_create(&client, &target, 1, SET_2, NULL), STATUS_OK);
    uint32_t low = client_context(&client, -3), high = client_context(&client, 5);
    stream_init(&stream);
    for (uint32_t i = 0; i < 300; i++) stream_fill(&stream, target.handle, 8 * i, 8, i, 0);
    (void)send_job(low);
    while (!gpu->is_examining) turns(1);
    turns(5);
    CHECK(gpu->is_examining);
    (void)send_fill(high, &target, 0, 4, 7);
    uint32_t others = 0, pieces = 0;
    for (; gpu->is_examining && pieces < 1000u; pieces++) {
        turns(1);
        others += gpu->is_examining && gpu->part != PART_EXAMINATION;
    }
    CHECK(pieces > 5u && others <= 1u);
    CHECK_EQUAL(gpu->scheduler.job_count, 1);
    receive_all();
    close_checked();
}

/* The rest of a buffer that found no placement is submitted again, with everything bound afresh: the longer it stays
 * bound the lower it lies. Otherwise what is bound together comes in the order of the list. */
static void test_laid_out_again(void)
{
    struct client_allocation big, wide, s[3];
    boot.force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    begin(4, 4);
    boot.force = 0;
    CHECK_EQUAL(client_create(&client, &big, 3, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &wide, 2, SET_1, NULL), STATUS_OK);
    for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(client_create(&client, &s[i], 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    for (uint32_t round = 0; round < 3; round++) {
        stream_init(&stream);
        stream_bind(&stream, 0, big.handle, 0, 64, CLIENT_PAGE, true);
        if (round == 1) stream_bind(&stream, 1, wide.handle, 0, 64, CLIENT_PAGE, true); /* does not fit beside it */
        CHECK_EQUAL(submit(context).status, round == 1 ? STATUS_NO_PLACEMENT : STATUS_OK);
        CHECK_EQUAL(evict(&big), STATUS_OK);
        stream_init(&stream);
        for (uint32_t i = 0; i < 3; i++) stream_bind(&stream, i, s[i].handle, 0, 64, CLIENT_PAGE, true);
        for (uint32_t i = 0; i < 3; i++) stream.patch[i][PATCH_SPLIT_OFFSET] = 0;
        stream_unbind(&stream, 0);
        stream_unbind(&stream, 2);
        CHECK_EQUAL(submit(context).status, STATUS_OK);
        const uint32_t by_list[3] = {0, 1, 2}, by_time[3] = {2, 0, 1};
        for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(entry_of(&s[i])->first_page, (round == 1 ? by_time : by_list)[i]);
        for (uint32_t i = 0; i < 3; i++) CHECK_EQUAL(evict(&s[i]), STATUS_OK);
    }
    close_checked();
}

/* Words and patch locations of a DMA buffer come from one pool. As many are accepted as fit; the others wait, and all
 * of them run. Until the last of them has, the allocation is named. */
static void test_patch_locations_in_flight(void)
{
    static const uint32_t copies[] = {511, 511, 511, 511};
    struct client_allocation a, b;
    begin(4, 4);
    const struct gpu *gpu = device_gpu(client.device);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    node(NODE_RENDER)->is_enabled = false;
    for (uint32_t i = 0; i < 4; i++) {
        stream_init(&stream);
        for (uint32_t k = 0; k < copies[i]; k++) stream_copy(&stream, a.handle, 4 * k, b.handle, 4 * k, 4, 0);
        send_job(context);
    }
    for (uint32_t i = 0; i < 3000; i++) device_turn(client.device);
    CHECK_EQUAL(gpu->scheduler.job_count, 2);
    const uint32_t index = (uint32_t)(entry_of(&a) - gpu->manager.residency.world.table.entry);
    CHECK(residency_is_named(&gpu->manager.residency.uses, index));
    node(NODE_RENDER)->is_enabled = true;
    receive_all();
    for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
    CHECK(!residency_is_named(&gpu->manager.residency.uses, index));
    CHECK(gpu_check(gpu));
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_patch_locations_in_flight);
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_laid_out_again);
    CHECK_RUN(test_query);
    CHECK_RUN(test_budget_of_the_gone);
    CHECK_RUN(test_evict_after_refusal);
    CHECK_RUN(test_small_beside_hog);
    CHECK_RUN(test_preference);
    CHECK_RUN(test_legacy);
    CHECK_RUN(test_streak);
    CHECK_RUN(test_priority);
    CHECK_RUN(test_patience);
    CHECK_RUN(test_examined_in_pieces);
    CHECK_RUN(test_examined_for_the_urgent);
    return check_finish();
}
