/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures and limits of clients, against the whole firmware on the golden model. Goal: what a client is told of itself
 * is what it has had done; no plan gives it more than its maximum, none takes its minimum for another; it is told when
 * it has to give way; and no client but client 0 can take the last of a table. Method: small memories, greedy clients,
 * and random worlds in which the tables are looked at after every answer.
 */
#include "scheduling.h"

enum { MINE = 1, THEIRS = 2, CLIENTS = LIMIT_BITS_CLIENTS, NONE = 0xffff };

static struct answer call(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3, uint32_t word4, uint32_t word5)
{
    const uint32_t message[16] = {code, 0, word2, word3, word4, word5};
    client.id = id;
    return client_call(&client, message);
}

static void begin_force(uint32_t segment1_pages, uint32_t segment2_pages, uint32_t force)
{
    begin(segment1_pages, segment2_pages);
    set_force(force);
}

static uint32_t create(uint32_t id, struct client_allocation *allocation, uint32_t pages, uint32_t set)
{
    client.id = id;
    return client_create(&client, allocation, pages, set, NULL);
}

static uint32_t context_of(uint32_t id)
{
    client.id = id;
    return client_context(&client, 0);
}

static uint32_t limit(uint32_t id, uint32_t segment, uint32_t minimum, uint32_t maximum)
{
    return call(0, MSG_SET_CLIENT, id, segment, minimum, maximum).status;
}

static struct answer part_of(uint32_t id, uint32_t part) { return call(0, MSG_QUERY_CLIENT, id, part, 0, 0); }

static uint32_t pages_of(uint32_t id, uint32_t segment)
{
    return part_of(id, CLIENT_PART_SEGMENT + segment).words[CLIENT_SEGMENT_PAGES];
}

/* A job that writes the first word of these allocations; at once, or with a split point before each. */
static uint32_t use_all(uint32_t id, uint32_t context, const struct client_allocation *allocations, uint32_t count,
                        bool may_split)
{
    stream_init(&stream);
    for (uint32_t i = 0; i < count; i++) {
        if (may_split) stream_fill(&stream, allocations[i].handle, 0, 8, i + 1u, 0);
        else stream_bind(&stream, i, allocations[i].handle, 0, 64, CLIENT_PAGE, true);
    }
    for (uint32_t i = 0; i < count && !may_split; i++) stream_fill_rect(&stream, i, 0, 0, 1, 1, i + 1u);
    client.id = id;
    return submit(context).status;
}

/* ------------------------------------------------------------------ figures */

static void test_figures(void)
{
    struct client_allocation mine[3];
    begin(8, 8);
    const uint32_t context = context_of(MINE);
    for (uint32_t i = 0; i < 3u; i++) CHECK_EQUAL(create(MINE, &mine[i], 2, SET_1), STATUS_OK);
    CHECK_EQUAL(use_all(MINE, context, mine, 3, true), STATUS_OK);
    struct answer answer = part_of(MINE, CLIENT_PART_TABLES);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_ALLOCATIONS], 3);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_CONTEXTS], 1);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_BUFFERS], 1);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_WAITING], 0);
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_IN], 6);
    CHECK_EQUAL(pages_of(MINE, 1), 6);
    CHECK_EQUAL(pages_of(MINE, 2), 0);
    answer = part_of(MINE, CLIENT_PART_SEGMENT + 1u);
    CHECK_EQUAL(answer.words[CLIENT_SEGMENT_MINIMUM], 0);
    CHECK_EQUAL(answer.words[CLIENT_SEGMENT_MAXIMUM], 8);
    CHECK_EQUAL(answer.words[CLIENT_SEGMENT_SIZE], 8);
    /* 256 bytes are a unit, and what is left of one counts with the next. */
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_WORK).words[CLIENT_WORK_WRITTEN], 0);
    stream_init(&stream);
    stream_fill(&stream, mine[0].handle, 0, 2u * CLIENT_PAGE, 7, 0);
    client.id = MINE;
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_WORK).words[CLIENT_WORK_WRITTEN], 2u * CLIENT_PAGE / 256u);
    CHECK_EQUAL(part_of(0, CLIENT_PART_WORK).words[CLIENT_WORK_WRITTEN], 0);
    CHECK_EQUAL(call(MINE, MSG_EVICT, 0, 0, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_OUT], 0);  /* no DMA buffer's */
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_LOST], 0); /* its own wish */
    CHECK_EQUAL(pages_of(MINE, 1), 0);
    /* One's own, or client 0. */
    CHECK_EQUAL(call(MINE, MSG_QUERY_CLIENT, MINE, CLIENT_PART_TABLES, 0, 0).words[CLIENT_TABLES_ALLOCATIONS], 3);
    answer = call(THEIRS, MSG_QUERY_CLIENT, MINE, CLIENT_PART_TABLES, 0, 0);
    CHECK_EQUAL(answer.status, STATUS_NOT_ALLOWED);
    CHECK_EQUAL(answer.detail, MSG_QUERY_CLIENT);
    static const uint32_t wrong[][3] = {{CLIENTS, CLIENT_PART_WORK, MSG_QUERY_CLIENT_CLIENT},
                                        {MINE, CLIENT_PART_TABLES + 1, MSG_QUERY_CLIENT_PART},
                                        {MINE, CLIENT_PART_SEGMENT, MSG_QUERY_CLIENT_PART},
                                        {MINE, CLIENT_PART_SEGMENT + 4, MSG_QUERY_CLIENT_PART},
                                        {MINE, 0xffffffffu, MSG_QUERY_CLIENT_PART}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        answer = part_of(wrong[i][0], wrong[i][1]);
        CHECK_EQUAL(answer.status, STATUS_BAD_ARGUMENT);
        CHECK_EQUAL(answer.detail, wrong[i][2]);
    }
    /* The id goes to another: counts begin again, what exists stays. */
    CHECK_EQUAL(call(0, MSG_ADMIT_CLIENT, MINE, 0, 0, 0).status, STATUS_OK);
    answer = part_of(MINE, CLIENT_PART_TABLES);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_ALLOCATIONS], 3);
    CHECK_EQUAL(answer.words[CLIENT_TABLES_BUFFERS], 0);
    close_checked();
}

/* Who gives way to whom. */
static void test_giving_way(void)
{
    struct client_allocation mine, theirs;
    begin(4, 0);
    const uint32_t my_context = context_of(MINE), their_context = context_of(THEIRS);
    CHECK_EQUAL(create(MINE, &mine, 3, SET_1), STATUS_OK);
    CHECK_EQUAL(create(THEIRS, &theirs, 3, SET_1), STATUS_OK);
    CHECK_EQUAL(use_all(MINE, my_context, &mine, 1, true), STATUS_OK);
    CHECK_EQUAL(use_all(THEIRS, their_context, &theirs, 1, true), STATUS_OK);
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_LOST], 3);
    CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_TAKEN], 0);
    CHECK_EQUAL(part_of(THEIRS, CLIENT_PART_PAGES).words[CLIENT_PAGES_LOST], 0);
    CHECK_EQUAL(part_of(THEIRS, CLIENT_PART_PAGES).words[CLIENT_PAGES_TAKEN], 3);
    CHECK_EQUAL(call(THEIRS, MSG_QUERY_CLIENT, THEIRS, CLIENT_PART_PAGES, 0, 0).words[CLIENT_PAGES_TAKEN], 0);
    close_checked();
}

/* ------------------------------------------------------------------ the budget event */

static uint32_t send_wait(uint32_t id)
{
    const uint32_t message[16] = {MSG_WAIT_BUDGET};
    client.id = id;
    return client_send(&client, message);
}

static struct answer next_answer(void)
{
    struct answer answer = {.status = NONE};
    CHECK(client_receive(&client, &answer));
    return answer;
}

static void test_budget(void)
{
    struct client_allocation mine, theirs;
    begin(4, 0);
    const uint32_t my_context = context_of(MINE), their_context = context_of(THEIRS);
    CHECK_EQUAL(create(MINE, &mine, 3, SET_1), STATUS_OK);
    CHECK_EQUAL(create(THEIRS, &theirs, 3, SET_1), STATUS_OK);
    CHECK_EQUAL(use_all(MINE, my_context, &mine, 1, true), STATUS_OK);
    /* It waits, and holds up nothing of its client's. */
    const uint32_t first = send_wait(MINE);
    CHECK_EQUAL(call(MINE, MSG_NOP, 0, 0, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(use_all(MINE, my_context, &mine, 1, true), STATUS_OK);
    turns(50);
    CHECK(!client_has_answer(&client));
    /* Another client's plan takes its pages: the event comes before, or with, that job's end. */
    stream_init(&stream);
    stream_fill(&stream, theirs.handle, 0, 8, 1, 0);
    client.id = THEIRS;
    uint32_t message[16];
    client_stage(&client, &stream, their_context, 0, message);
    const uint32_t job = client_send(&client, message);
    struct answer answer = next_answer();
    CHECK_EQUAL(answer.tag, first);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[REPLY_WAIT_BUDGET_LOST - 4], 3);
    CHECK_EQUAL(answer.words[REPLY_WAIT_BUDGET_IS_SET - 4], 0);
    CHECK_EQUAL(next_answer().tag, job);
    /* What happens while none waits is told to the next, once. */
    CHECK_EQUAL(use_all(MINE, my_context, &mine, 1, true), STATUS_OK);
    CHECK_EQUAL(use_all(THEIRS, their_context, &theirs, 1, true), STATUS_OK);
    CHECK_EQUAL(limit(MINE, 1, 0, 4), STATUS_OK);
    answer = call(MINE, MSG_WAIT_BUDGET, 0, 0, 0, 0);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.words[REPLY_WAIT_BUDGET_LOST - 4], 3);
    CHECK_EQUAL(answer.words[REPLY_WAIT_BUDGET_IS_SET - 4], 1);
    /* One of a client: an earlier one is dropped; CANCEL drops it, too. */
    const uint32_t earlier = send_wait(MINE), later = send_wait(MINE);
    answer = next_answer();
    CHECK_EQUAL(answer.tag, earlier);
    CHECK_EQUAL(answer.status, STATUS_DROPPED);
    const uint32_t sets[16] = {MSG_SET_CLIENT, 0, MINE, 1, 0, 3};
    client.id = 0;
    const uint32_t set = client_send(&client, sets);
    CHECK_EQUAL(next_answer().tag, set);
    answer = next_answer();
    CHECK_EQUAL(answer.tag, later);
    CHECK_EQUAL(answer.words[REPLY_WAIT_BUDGET_IS_SET - 4], 1);
    const uint32_t cancelled = send_wait(MINE), cancels[16] = {MSG_WAIT_BUDGET, 0, 1};
    const uint32_t cancel = client_send(&client, cancels);
    answer = next_answer();
    CHECK_EQUAL(answer.tag, cancelled);
    CHECK_EQUAL(answer.status, STATUS_DROPPED);
    answer = next_answer();
    CHECK_EQUAL(answer.tag, cancel);
    CHECK_EQUAL(answer.status, STATUS_OK);
    answer = call(MINE, MSG_WAIT_BUDGET, 2, 0, 0, 0);
    CHECK_EQUAL(answer.status, STATUS_BAD_ARGUMENT);
    CHECK_EQUAL(answer.detail, MSG_WAIT_BUDGET_CANCEL);
    close_checked();
}

/* In a ring of two entries one may wait: with two no other message could be answered, nor taken to end them. */
static void test_small_ring(void)
{
    const struct device_options options = {.memory_bytes = 1 << 20, .segment1_bytes = 8 * CLIENT_PAGE, .seed = 1};
    const struct client_boot small = {.ring_log2 = 1};
    const uint32_t cancels[16] = {MSG_WAIT_BUDGET, 0, 1};
    client_boot(&client, &options, &small);
    const uint32_t waits = send_wait(MINE);
    CHECK_EQUAL(call(0, MSG_NOP, 0, 0, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(call(THEIRS, MSG_WAIT_BUDGET, 0, 0, 0, 0).status, STATUS_BUSY);
    CHECK_EQUAL(call(0, MSG_NOP, 0, 0, 0, 0).status, STATUS_OK);
    client.id = MINE;
    const uint32_t cancel = client_send(&client, cancels);
    const struct answer ended = next_answer(), last = next_answer();
    CHECK_EQUAL(ended.tag, waits);
    CHECK_EQUAL(ended.status, STATUS_DROPPED);
    CHECK_EQUAL(last.tag, cancel);
    close_checked();
}

/* ------------------------------------------------------------------ limits */

static void test_maximum(void)
{
    for (uint32_t policy = 0; policy < POLICY_COUNT; policy++) {
        struct client_allocation mine[6], theirs[2];
        begin_force(16, 0, FIELD_PUT(policy, HOST_FORCE_POLICY));
        const uint32_t context = context_of(MINE), other = context_of(THEIRS);
        for (uint32_t i = 0; i < 6u; i++) CHECK_EQUAL(create(MINE, &mine[i], 2, SET_1), STATUS_OK);
        for (uint32_t i = 0; i < 2u; i++) CHECK_EQUAL(create(THEIRS, &theirs[i], 2, SET_1), STATUS_OK);
        for (uint32_t i = 0; i < 6u; i++) fill_pattern(&mine[i], (uint8_t)(i * 3u));
        CHECK_EQUAL(use_all(THEIRS, other, theirs, 2, false), STATUS_OK);
        CHECK_EQUAL(limit(MINE, 1, 0, 6), STATUS_OK);
        for (uint32_t round = 0; round < 3u; round++) {
            CHECK_EQUAL(use_all(MINE, context, mine, 6, true), STATUS_OK); /* split */
            CHECK(pages_of(MINE, 1) <= 6u && pages_of(MINE, 1) != 0u);
            CHECK_EQUAL(use_all(MINE, context, mine + round, 3, false), STATUS_OK);
            CHECK_EQUAL(pages_of(MINE, 1), 6);
            CHECK_EQUAL(use_all(MINE, context, mine, 4, false), STATUS_OVER_LIMIT);
        }
        CHECK_EQUAL(pages_of(THEIRS, 1), 4); /* there was room for all: nobody gave way */
        CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_TAKEN], 0);
        CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_LOST], 0);
        /* Lowered, it is met at the next placement; raised, everything fits again. */
        CHECK_EQUAL(limit(MINE, 1, 0, 4), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 6, true), STATUS_OK);
        CHECK(pages_of(MINE, 1) <= 4u);
        CHECK_EQUAL(limit(MINE, 1, 0, 1), STATUS_OK);
        CHECK_EQUAL(call(MINE, MSG_EVICT, 0, 0, 0, 0).status, STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 1, true), STATUS_OVER_LIMIT); /* larger than it may have */
        CHECK_EQUAL(limit(MINE, 1, 0, 0xffffffffu), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 6, false), STATUS_OK);
        CHECK_EQUAL(pages_of(MINE, 1), 12);
        close_checked();
    }
}

/* Set below what is in use, a maximum is kept from the next plan on, though that has nothing to place. */
static void test_lowered(void)
{
    for (uint32_t policy = 0; policy < POLICY_COUNT; policy++) {
        struct client_allocation mine[6], pinned;
        const uint32_t flags[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_PINNED};
        begin_force(16, 0, FIELD_PUT(policy, HOST_FORCE_POLICY));
        const uint32_t context = context_of(MINE), other = context_of(THEIRS);
        for (uint32_t i = 0; i < 6u; i++) CHECK_EQUAL(create(MINE, &mine[i], 2, SET_1), STATUS_OK);
        for (uint32_t i = 0; i < 6u; i++) fill_pattern(&mine[i], (uint8_t)(i * 3u));
        CHECK_EQUAL(use_all(MINE, context, mine, 6, false), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 2, false), STATUS_OK); /* the newest */
        CHECK_EQUAL(limit(MINE, 1, 0, 4), STATUS_OK);
        CHECK_EQUAL(pages_of(MINE, 1), 12);
        CHECK_EQUAL(use_all(MINE, context, mine, 2, false), STATUS_OK);
        CHECK_EQUAL(pages_of(MINE, 1), 4);
        CHECK_EQUAL(part_of(MINE, CLIENT_PART_PAGES).words[CLIENT_PAGES_IN], 12); /* these two stayed */
        /* All that it has is needed: only with splits. */
        CHECK_EQUAL(limit(MINE, 1, 0, 2), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 2, false), STATUS_OVER_LIMIT);
        CHECK_EQUAL(use_all(MINE, context, mine, 2, true), STATUS_OK);
        CHECK_EQUAL(pages_of(MINE, 1), 2);
        for (uint32_t i = 0; i < 6u; i++) CHECK_EQUAL(call(MINE, MSG_EVICT, mine[i].handle, 0, 0, 0).status, STATUS_OK);
        /* What is pinned stays, and nothing joins it. */
        client.id = THEIRS;
        CHECK_EQUAL(client_create(&client, &pinned, 4, SET_1, flags), STATUS_OK);
        CHECK_EQUAL(use_all(THEIRS, other, &pinned, 1, true), STATUS_OK);
        CHECK_EQUAL(limit(THEIRS, 1, 0, 3), STATUS_OK);
        CHECK_EQUAL(use_all(THEIRS, other, &pinned, 1, true), STATUS_OK);
        CHECK_EQUAL(pages_of(THEIRS, 1), 4);
        close_checked();
    }
}

/* At its maximum of one segment a client goes to another. */
static void test_next_segment(void)
{
    struct client_allocation mine[4];
    begin(8, 8);
    const uint32_t context = context_of(MINE);
    for (uint32_t i = 0; i < 4u; i++) CHECK_EQUAL(create(MINE, &mine[i], 2, SET_LOCAL), STATUS_OK);
    CHECK_EQUAL(limit(MINE, 1, 0, 3), STATUS_OK);
    CHECK_EQUAL(use_all(MINE, context, mine, 4, false), STATUS_OK);
    CHECK_EQUAL(pages_of(MINE, 1), 2);
    CHECK_EQUAL(pages_of(MINE, 2), 6);
    close_checked();
}

static void test_minimum(void)
{
    for (uint32_t policy = 0; policy < POLICY_COUNT; policy++) {
        struct client_allocation mine[8], theirs[4];
        begin_force(16, 0, FIELD_PUT(policy, HOST_FORCE_POLICY));
        const uint32_t context = context_of(MINE), other = context_of(THEIRS);
        for (uint32_t i = 0; i < 8u; i++) CHECK_EQUAL(create(MINE, &mine[i], 2, SET_1), STATUS_OK);
        for (uint32_t i = 0; i < 4u; i++) CHECK_EQUAL(create(THEIRS, &theirs[i], 2, SET_1), STATUS_OK);
        CHECK_EQUAL(limit(THEIRS, 1, 5, 16), STATUS_OK);
        CHECK_EQUAL(use_all(THEIRS, other, theirs, 4, true), STATUS_OK);
        CHECK_EQUAL(pages_of(THEIRS, 1), 8);
        /* Of four allocations three are within five pages. */
        for (uint32_t round = 0; round < 4u; round++) {
            CHECK_EQUAL(use_all(MINE, context, mine, 8, true), STATUS_OK);
            CHECK(pages_of(THEIRS, 1) >= 6u);
        }
        CHECK_EQUAL(use_all(MINE, context, mine, 5, false), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 6, false), STATUS_OVER_LIMIT);
        CHECK_EQUAL(pages_of(THEIRS, 1), 6);
        /* Its own plan may take of it what it likes, and comes to what is guaranteed. */
        CHECK_EQUAL(call(THEIRS, MSG_EVICT, 0, 0, 0, 0).status, STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 8, false), STATUS_OK);
        CHECK_EQUAL(pages_of(THEIRS, 1), 0);
        CHECK_EQUAL(use_all(THEIRS, other, theirs, 3, false), STATUS_OK);
        CHECK_EQUAL(pages_of(THEIRS, 1), 6);
        CHECK_EQUAL(limit(THEIRS, 1, 0, 16), STATUS_OK);
        CHECK_EQUAL(use_all(MINE, context, mine, 8, false), STATUS_OK);
        CHECK_EQUAL(pages_of(THEIRS, 1), 0);
        close_checked();
    }
}

/* Minimums that cannot all be kept are refused by name, and nothing has changed. */
static void test_refusals(void)
{
    struct client_allocation pinned;
    const uint32_t flags[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_PINNED};
    static const uint32_t wrong[][5] = {{CLIENTS, 1, 0, 1, MSG_SET_CLIENT_CLIENT},
                                        {MINE, 0, 0, 1, MSG_SET_CLIENT_SEGMENT},
                                        {MINE, 4, 0, 1, MSG_SET_CLIENT_SEGMENT},
                                        {MINE, 1, 2, 1, MSG_SET_CLIENT_MINIMUM},
                                        {MINE, 1, 17, 0xffffffffu, MSG_SET_CLIENT_MINIMUM}};
    begin(16, 4);
    struct answer answer = call(MINE, MSG_SET_CLIENT, MINE, 1, 0, 1);
    CHECK_EQUAL(answer.status, STATUS_NOT_ALLOWED);
    CHECK_EQUAL(answer.detail, MSG_SET_CLIENT);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        answer = call(0, MSG_SET_CLIENT, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]);
        CHECK_EQUAL(answer.status, STATUS_BAD_ARGUMENT);
        CHECK_EQUAL(answer.detail, wrong[i][4]);
    }
    CHECK_EQUAL(limit(MINE, 1, 10, 12), STATUS_OK);
    answer = call(0, MSG_SET_CLIENT, THEIRS, 1, 7, 16);
    CHECK_EQUAL(answer.status, STATUS_MINIMUMS);
    CHECK_EQUAL(answer.detail, 6);
    CHECK_EQUAL(part_of(THEIRS, CLIENT_PART_SEGMENT + 1u).words[CLIENT_SEGMENT_MINIMUM], 0);
    CHECK_EQUAL(limit(THEIRS, 1, 6, 16), STATUS_OK);
    CHECK_EQUAL(limit(MINE, 1, 11, 12), STATUS_MINIMUMS);
    answer = part_of(MINE, CLIENT_PART_SEGMENT + 1u);
    CHECK_EQUAL(answer.words[CLIENT_SEGMENT_MINIMUM], 10);
    CHECK_EQUAL(answer.words[CLIENT_SEGMENT_MAXIMUM], 12);
    CHECK_EQUAL(limit(MINE, 1, 2, 2), STATUS_OK); /* to lower one's own is always possible */
    /* What is pinned beyond a minimum counts, too: it keeps others' minimums, and others' minimums keep it. */
    client.id = 3;
    CHECK_EQUAL(client_create(&client, &pinned, 8, SET_1, flags), STATUS_OK);
    const uint32_t context = context_of(3);
    CHECK_EQUAL(use_all(3, context, &pinned, 1, true), STATUS_OK);
    answer = call(0, MSG_SET_CLIENT, MINE, 1, 3, 16);
    CHECK_EQUAL(answer.status, STATUS_MINIMUMS);
    CHECK_EQUAL(answer.detail, 2);
    struct client_allocation more;
    client.id = 3;
    CHECK_EQUAL(client_create(&client, &more, 1, SET_1, flags), STATUS_OK);
    CHECK_EQUAL(use_all(3, context, &more, 1, true), STATUS_OVER_LIMIT);
    CHECK_EQUAL(limit(MINE, 1, 1, 16), STATUS_OK);
    CHECK_EQUAL(use_all(3, context, &more, 1, true), STATUS_OK);
    close_checked();
}

/* ------------------------------------------------------------------ random worlds */

enum { RANDOM_CLIENTS = 4, EACH = 6, RANDOM_SEGMENTS = 3 };

static struct client_part part_now(uint32_t segment, uint32_t id)
{
    return *client_part(&device_gpu(client.device)->manager.residency.world.clients, segment, id);
}

/* Greedy clients with random limits: after every job its client has no more than its maximum, whatever it had before;
 * no other has more than before; and none of the others has less than before and less than its minimum. */
static void test_random(void)
{
    const uint32_t forces[] = {0, FIELD_PUT(1, HOST_FORCE_SPLIT), FIELD_PUT(1, HOST_FORCE_STEP_PLAN),
                               FIELD_PUT(1, HOST_FORCE_NO_SHARES)};
    uint32_t random = 5, over = 0, refused = 0, kept = 0, lowered = 0;
    for (uint32_t world = 0; world < 24u; world++) {
        struct client_allocation own[RANDOM_CLIENTS][EACH];
        uint32_t contexts[RANDOM_CLIENTS];
        begin_force(8 + check_pick(&random, 16), check_pick(&random, 12),
                    forces[world % 4u] | FIELD_PUT(world / 4u % (uint32_t)POLICY_COUNT, HOST_FORCE_POLICY));
        for (uint32_t i = 0; i < RANDOM_CLIENTS; i++) {
            contexts[i] = context_of(1 + i);
            for (uint32_t k = 0; k < EACH; k++)
                CHECK_EQUAL(create(1 + i, &own[i][k], 1 + check_pick(&random, 4),
                                   check_pick(&random, 3) != 0 ? SET_1 : SET_ALL),
                            STATUS_OK);
        }
        for (uint32_t step = 0; step < 120u; step++) {
            const uint32_t i = check_pick(&random, RANDOM_CLIENTS), first = check_pick(&random, EACH);
            struct client_part before[RANDOM_CLIENTS][RANDOM_SEGMENTS];
            const uint32_t maximum = check_pick(&random, 20);
            if (check_pick(&random, 6) == 0)
                refused += limit(1 + i, 1 + check_pick(&random, 2), check_pick(&random, 1 + maximum), maximum) ==
                           (uint32_t)STATUS_MINIMUMS;
            for (uint32_t c = 0; c < RANDOM_CLIENTS; c++)
                for (uint32_t s = 0; s < RANDOM_SEGMENTS; s++) before[c][s] = part_now(1 + s, 1 + c);
            const uint32_t status = use_all(1 + i, contexts[i], &own[i][first], 1 + check_pick(&random, EACH - first),
                                            check_pick(&random, 3) != 0);
            CHECK(status == STATUS_OK || status == STATUS_OVER_LIMIT || status == STATUS_NO_PLACEMENT);
            over += status == STATUS_OVER_LIMIT;
            for (uint32_t c = 0; c < RANDOM_CLIENTS; c++)
                for (uint32_t s = 0; s < RANDOM_SEGMENTS; s++) {
                    const struct client_part now = part_now(1 + s, 1 + c);
                    CHECK(now.held <= now.maximum ||
                          (now.held <= before[c][s].held && (c != i || status != (uint32_t)STATUS_OK)));
                    lowered += c == i && before[c][s].held > now.maximum && now.held <= now.maximum;
                    if (c == i || now.minimum == 0u) continue;
                    CHECK(now.held >= now.minimum || now.held >= before[c][s].held);
                    kept += now.held < before[c][s].held;
                }
        }
        close_checked();
    }
    CHECK(over > 20 && refused > 5 && kept > 5 && lowered > 5);
}

/* ------------------------------------------------------------------ tables */

/* A greedy client takes of each table what it gets; eight others come to their share, and client 0 to the last. */
static void test_tables(void)
{
    static struct client_allocation allocation;
    uint32_t taken = 0, status;
    begin(4, 4);
    while ((status = create(MINE, &allocation, 1, SET_LOCAL)) == STATUS_OK) {
        client.next_page = CLIENT_FIRST_PAGE + 64u;
        taken++;
    }
    CHECK_EQUAL(status, STATUS_TABLE_SHARE);
    CHECK_EQUAL(taken, ALLOCATION_DEFAULT - ALLOCATION_DEFAULT / 8);
    for (uint32_t id = THEIRS; id < THEIRS + 7u; id++)
        for (uint32_t i = 0; i <= (uint32_t)(ALLOCATION_DEFAULT / CLIENTS); i++) {
            status = create(id, &allocation, 1, SET_LOCAL);
            client.next_page = CLIENT_FIRST_PAGE + 64u;
            CHECK_EQUAL(status, i < (uint32_t)(ALLOCATION_DEFAULT / CLIENTS) ? STATUS_OK : STATUS_TABLE_SHARE);
        }
    while ((status = create(0, &allocation, 1, SET_LOCAL)) == STATUS_OK) client.next_page = CLIENT_FIRST_PAGE + 64u;
    CHECK_EQUAL(status, STATUS_OUT_OF_HANDLES);
    CHECK_EQUAL(create(MINE, &allocation, 1, SET_LOCAL), STATUS_OUT_OF_HANDLES);

    const uint32_t message[16] = {MSG_CREATE_CONTEXT};
    taken = 0;
    client.id = MINE;
    struct answer answer = client_call(&client, message);
    for (; answer.status == STATUS_OK; answer = client_call(&client, message)) taken++;
    CHECK_EQUAL(answer.status, STATUS_TABLE_SHARE);
    CHECK_EQUAL(answer.detail, taken);
    CHECK_EQUAL(taken, CONTEXT_DEFAULT - CONTEXT_DEFAULT / 8);
    for (uint32_t id = THEIRS; id < THEIRS + 7u; id++) {
        client.id = id;
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
        CHECK_EQUAL(client_call(&client, message).status, STATUS_TABLE_SHARE);
    }
    client.id = 0;
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OUT_OF_HANDLES);
    client_close(&client);
}

/* What frees entries lets a client take them again. */
static void test_tables_again(void)
{
    struct client_allocation allocation, last = {0};
    begin(4, 4);
    uint32_t status;
    while ((status = create(MINE, &allocation, 1, SET_LOCAL)) == STATUS_OK) {
        last = allocation;
        client.next_page = CLIENT_FIRST_PAGE + 64u;
    }
    for (uint32_t round = 0; round < 3u; round++) {
        client.id = MINE;
        CHECK_EQUAL(client_destroy(&client, &last), STATUS_OK);
        CHECK_EQUAL(create(MINE, &last, 1, SET_LOCAL), STATUS_OK);
        client.next_page = CLIENT_FIRST_PAGE + 64u;
        CHECK_EQUAL(create(MINE, &allocation, 1, SET_LOCAL), STATUS_TABLE_SHARE);
    }
    client_close(&client);
}

/* LOCKs that make a second instance, each of another allocation, until one is refused; how many were not. */
static uint32_t rename_all(uint32_t id, struct answer *answer)
{
    uint32_t made = 0;
    do {
        struct client_allocation allocation, pages = {0};
        CHECK_EQUAL(create(id, &allocation, 1, SET_LOCAL), STATUS_OK);
        client_pages(&client, &pages, 1);
        *answer = call(id, MSG_LOCK, allocation.handle, LOCK_ENTIRE | LOCK_DISCARD, pages.list, 0);
        CHECK(answer->status != (uint32_t)STATUS_OK || answer->words[0] != allocation.handle);
        client.next_page = CLIENT_FIRST_PAGE + 64u;
        made += answer->status == (uint32_t)STATUS_OK;
    } while (answer->status == (uint32_t)STATUS_OK);
    return made;
}

/* The same of renaming groups, one for each client. */
static void test_groups(void)
{
    struct answer answer;
    begin(4, 4);
    CHECK_EQUAL(rename_all(MINE, &answer), RENAMING_GROUPS - RENAMING_GROUPS / 8);
    CHECK_EQUAL(answer.status, STATUS_TABLE_SHARE);
    CHECK_EQUAL(answer.detail, RENAMING_GROUPS - RENAMING_GROUPS / 8);
    for (uint32_t id = THEIRS; id < THEIRS + 7u; id++) {
        CHECK_EQUAL(rename_all(id, &answer), 1);
        CHECK_EQUAL(answer.status, STATUS_TABLE_SHARE);
    }
    CHECK_EQUAL(rename_all(0, &answer), 1);
    CHECK_EQUAL(answer.status, STATUS_OUT_OF_HANDLES);
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_figures);
    CHECK_RUN(test_giving_way);
    CHECK_RUN(test_budget);
    CHECK_RUN(test_small_ring);
    CHECK_RUN(test_maximum);
    CHECK_RUN(test_lowered);
    CHECK_RUN(test_next_segment);
    CHECK_RUN(test_minimum);
    CHECK_RUN(test_refusals);
    CHECK_RUN(test_random);
    CHECK_RUN(test_tables);
    CHECK_RUN(test_tables_again);
    CHECK_RUN(test_groups);
    return check_finish();
}
