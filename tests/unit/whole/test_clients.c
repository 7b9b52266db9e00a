/* SPDX-License-Identifier: Apache-2.0
 *
 * Clients that do not trust each other, against the whole firmware on the golden model. Goal: what is another's and
 * not shared does not exist, in whatever message or list it is named; and no answer and no byte that a client can read
 * depends on what another keeps in its allocations (the same world is run twice, with other secrets, and compared).
 */
#include "scheduling.h"

enum { MINE = 1, THEIRS = 2, CLIENTS = LIMIT_BITS_CLIENTS };

static struct answer call(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3, uint32_t word4)
{
    const uint32_t message[16] = {code, 0, word2, word3, word4};
    client.id = id;
    return client_call(&client, message);
}

static uint32_t create(uint32_t id, struct client_allocation *allocation, uint32_t pages, uint32_t set)
{
    client.id = id;
    return client_create(&client, allocation, pages, set, NULL);
}

static uint32_t context_of(uint32_t id, int32_t priority)
{
    client.id = id;
    return client_context(&client, priority);
}

static uint32_t give_right(uint32_t id, const struct client_allocation *allocation, uint32_t with, uint32_t rights)
{
    return call(id, MSG_SHARE, allocation->handle, with, rights).status;
}
static uint32_t share(const struct client_allocation *allocation, uint32_t with, uint32_t rights)
{
    return give_right(MINE, allocation, with, rights);
}

/* What a client's job says that reads and, if asked to, writes the allocation. */
static struct answer use_of(uint32_t id, uint32_t context, const struct client_allocation *allocation, bool writes)
{
    stream_init(&stream);
    stream_bind(&stream, 3, allocation->handle, 0, 64, CLIENT_PAGE, writes);
    if (writes) stream_fill_rect(&stream, 3, 0, 0, 1, 1, 5);
    client.id = id;
    return submit(context);
}

static bool is_same(const struct answer *a, const struct answer *b)
{
    return a->status == b->status && a->detail == b->detail && a->fence == b->fence &&
           memcmp(a->words, b->words, sizeof a->words) == 0;
}

/* ------------------------------------------------------------------ what is another's does not exist */

/* Every message that has a handle or a context, in the state in which it would do most. */
static void test_nothing_of_others(void)
{
    static const uint32_t messages[][3] = {{MSG_DESTROY_ALLOCATION, 0, 0},
                                           {MSG_LOCK, LOCK_ENTIRE, 0},
                                           {MSG_LOCK, LOCK_ENTIRE | LOCK_READ_ONLY, 0},
                                           {MSG_UNLOCK, 0, 0},
                                           {MSG_SET_PRIORITY, 1, 0},
                                           {MSG_OFFER, 1, 0},
                                           {MSG_RECLAIM, 0, 0},
                                           {MSG_EVICT, 0, 0},
                                           {MSG_QUERY_ALLOCATION, 0, 0},
                                           {MSG_SHARE, THEIRS, RIGHT_READ}};
    static const uint32_t contexts[][3] = {
        {MSG_DESTROY_CONTEXT, 0, 0}, {MSG_SET_CONTEXT, CONTEXT_PRIORITY, 0}, {MSG_QUERY_CONTEXT, 0, 0}};
    struct client_allocation mine, theirs;
    begin(4, 4);
    const uint32_t my_context = context_of(MINE, 0), their_context = context_of(THEIRS, 0);
    CHECK_EQUAL(create(MINE, &mine, 1, SET_LOCAL), STATUS_OK);
    CHECK_EQUAL(create(THEIRS, &theirs, 1, SET_LOCAL), STATUS_OK);
    for (uint32_t id = 0; id < CLIENTS; id++) {
        if (id == MINE) continue;
        for (uint32_t state = 0; state < 3u; state++) { /* as created, resident, locked */
            if (state == 1u) CHECK_EQUAL(use_of(MINE, my_context, &mine, true).status, STATUS_OK);
            if (state == 2u) CHECK_EQUAL(call(MINE, MSG_LOCK, mine.handle, LOCK_ENTIRE, 0).status, STATUS_OK);
            for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
                const uint32_t *m = messages[i];
                struct answer answer = call(id, m[0], mine.handle, m[1], m[2]);
                struct answer nothing = call(id, m[0], 0x4155555u, m[1], m[2]);
                CHECK_EQUAL(answer.status, STATUS_BAD_HANDLE);
                CHECK(is_same(&answer, &nothing));
            }
            for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
                const uint32_t *m = contexts[i];
                struct answer answer = call(id, m[0], my_context, m[1], m[2]);
                struct answer nothing = call(id, m[0], 0x1555500u, m[1], m[2]);
                CHECK_EQUAL(answer.status, STATUS_BAD_CONTEXT);
                CHECK(is_same(&answer, &nothing));
            }
        }
        CHECK_EQUAL(call(MINE, MSG_UNLOCK, mine.handle, 0, 0).status, STATUS_OK);
    }
    /* In lists and as contexts of a SUBMIT, and as the context of a new allocation. */
    struct client_allocation nowhere = {.handle = 0x4155555u};
    struct answer answer = use_of(THEIRS, their_context, &mine, false);
    struct answer nothing = use_of(THEIRS, their_context, &nowhere, false);
    CHECK_EQUAL(answer.status, STATUS_BAD_HANDLE);
    CHECK(is_same(&answer, &nothing));
    CHECK_EQUAL(use_of(THEIRS, my_context, &theirs, false).status, STATUS_BAD_CONTEXT);
    CHECK_EQUAL(use_of(THEIRS, their_context, &theirs, true).status, STATUS_OK);
    uint32_t words[16] = {0};
    words[MSG_CREATE_ALLOCATION_CONTEXT] = my_context;
    client.id = THEIRS;
    CHECK_EQUAL(client_create(&client, &nowhere, 1, SET_LOCAL, words), STATUS_BAD_CONTEXT);
    /* EVICT of all is of all that is one's own; of client 0 it is of everybody. */
    CHECK_EQUAL(use_of(MINE, my_context, &mine, true).status, STATUS_OK);
    CHECK_EQUAL(call(THEIRS, MSG_EVICT, 0, 0, 0).status, STATUS_OK);
    CHECK(is_resident(&mine) && !is_resident(&theirs));
    CHECK_EQUAL(call(0, MSG_EVICT, 0, 0, 0).status, STATUS_OK);
    CHECK(!is_resident(&mine));
    client_close(&client);
}

/* What concerns everybody is client 0's; what tells of others is not told. */
static void test_only_the_host(void)
{
    static const uint32_t codes[] = {MSG_QUERY_STATISTICS, MSG_SELF_TEST, MSG_PREEMPT};
    struct client_allocation large, mine;
    begin(4, 0);
    for (uint32_t i = 0; i < 3u; i++) {
        struct answer answer = call(MINE, codes[i], 0, 0, 0);
        CHECK_EQUAL(answer.status, STATUS_NOT_ALLOWED);
        CHECK_EQUAL(answer.detail, codes[i]);
    }
    const struct answer far = call(CLIENTS, MSG_NOP, 0, 0, 0), wide = call(0xffffu, MSG_NOP, 0, 0, 0);
    CHECK_EQUAL(far.status, STATUS_BAD_MESSAGE);
    CHECK_EQUAL(far.detail, message_word(MSG_NOP, CLIENTS));
    CHECK_EQUAL(wide.status, STATUS_BAD_MESSAGE);
    CHECK_EQUAL(call(CLIENTS - 1, MSG_NOP, 0, 0, 0).status, STATUS_OK);
    const uint32_t others = context_of(THEIRS, 0), context = context_of(MINE, 0);
    CHECK_EQUAL(create(THEIRS, &large, 4, SET_1), STATUS_OK);
    CHECK_EQUAL(create(MINE, &mine, 4, SET_1), STATUS_OK);
    CHECK_EQUAL(use_of(THEIRS, others, &large, true).status, STATUS_OK);
    const struct answer answer = use_of(MINE, context, &mine, true); /* for which `large` has to leave */
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK_EQUAL(answer.fence, 0);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_EVICTIONS - 4], 0);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_PAGED_OUT - 4], 0);
    CHECK_EQUAL(answer.words[REPLY_SUBMIT_PAGED_IN - 4], 4);
    CHECK_EQUAL(call(MINE, MSG_QUERY_CONTEXT, context, 0, 0).words[REPLY_QUERY_CONTEXT_TAKEN - 4], 0);
    client_close(&client);
}

/* ------------------------------------------------------------------ sharing */

static void test_share(void)
{
    struct client_allocation mine, many[2], shared[GPU_LIMIT(SHARES) / 62u];
    begin(32, 4);
    const uint32_t context = context_of(THEIRS, 0), third = context_of(3, 0);
    CHECK_EQUAL(create(MINE, &mine, 1, SET_LOCAL), STATUS_OK);
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ), STATUS_OK);
    CHECK_EQUAL(use_of(THEIRS, context, &mine, false).status, STATUS_OK);
    struct answer answer = use_of(THEIRS, context, &mine, true);
    CHECK_EQUAL(answer.status, STATUS_NOT_WRITABLE);
    CHECK_EQUAL(answer.detail, 16);
    CHECK_EQUAL(use_of(3, third, &mine, false).status, STATUS_BAD_HANDLE);
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ | RIGHT_WRITE), STATUS_OK);
    CHECK_EQUAL(use_of(THEIRS, context, &mine, true).status, STATUS_OK);
    /* The right is to name it in lists: all else is its owner's. */
    CHECK_EQUAL(call(THEIRS, MSG_LOCK, mine.handle, LOCK_ENTIRE, 0).status, STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(THEIRS, MSG_DESTROY_ALLOCATION, mine.handle, 0, 0).status, STATUS_BAD_HANDLE);
    CHECK_EQUAL(call(THEIRS, MSG_SHARE, mine.handle, 3, RIGHT_READ).status, STATUS_BAD_HANDLE);
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ), STATUS_OK); /* less than before */
    CHECK_EQUAL(use_of(THEIRS, context, &mine, true).status, STATUS_NOT_WRITABLE);
    CHECK_EQUAL(share(&mine, THEIRS, 0), STATUS_OK);
    CHECK_EQUAL(share(&mine, THEIRS, 0), STATUS_OK); /* there is none to take back */
    CHECK_EQUAL(use_of(THEIRS, context, &mine, false).status, STATUS_BAD_HANDLE);
    static const uint32_t wrong[][3] = {{MINE, RIGHT_READ, MSG_SHARE_CLIENT},
                                        {CLIENTS, RIGHT_READ, MSG_SHARE_CLIENT},
                                        {THEIRS, RIGHT_WRITE, MSG_SHARE_RIGHTS},
                                        {THEIRS, 4 | RIGHT_READ, MSG_SHARE_RIGHTS}};
    for (uint32_t i = 0; i < 4u; i++) {
        answer = call(MINE, MSG_SHARE, mine.handle, wrong[i][0], wrong[i][1]);
        CHECK_EQUAL(answer.status, STATUS_BAD_ARGUMENT);
        CHECK_EQUAL(answer.detail, wrong[i][2]);
    }
    /* The table is full, by name; what is destroyed makes room, and its successor is nobody else's. One client cannot
     * fill it: the last eighth is for those that have given few rights, and for client 0. */
    CHECK_EQUAL(create(MINE, &many[0], 1, SET_LOCAL), STATUS_OK);
    for (uint32_t i = 0; i < GPU_LIMIT(SHARES) % 62u; i++) CHECK_EQUAL(share(&many[0], 2u + i, RIGHT_READ), STATUS_OK);
    for (uint32_t i = 0; i < GPU_LIMIT(SHARES) / 62u; i++) {
        const uint32_t owner = i < 12u ? MINE : 0;
        CHECK_EQUAL(create(owner, &shared[i], 1, SET_LOCAL), STATUS_OK);
        for (uint32_t k = 2; k < (uint32_t)CLIENTS; k++)
            CHECK_EQUAL(give_right(owner, &shared[i], k, RIGHT_READ), STATUS_OK);
    }
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ), STATUS_TABLE_SHARE);
    CHECK_EQUAL(give_right(0, &shared[15], MINE, RIGHT_READ), STATUS_OUT_OF_HANDLES);
    for (uint32_t i = 0; i < GPU_LIMIT(SHARES) / 62u; i++) {
        CHECK_EQUAL(use_of(THEIRS, context, &shared[i], false).status, STATUS_OK);
        CHECK_EQUAL(use_of(3, third, &shared[i], true).status, STATUS_NOT_WRITABLE);
    }
    CHECK_EQUAL(share(&many[0], 3, RIGHT_READ | RIGHT_WRITE), STATUS_OK);
    CHECK_EQUAL(call(MINE, MSG_DESTROY_ALLOCATION, many[0].handle, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(give_right(0, &shared[15], MINE, RIGHT_READ), STATUS_OK);
    struct answer greedy = call(MINE, MSG_SHARE, mine.handle, THEIRS, RIGHT_READ);
    CHECK_EQUAL(greedy.status, STATUS_TABLE_SHARE);
    CHECK_EQUAL(greedy.detail, 12 * 62);
    CHECK_EQUAL(create(THEIRS, &many[0], 1, SET_LOCAL), STATUS_OK);
    for (uint32_t k = 3; k < 3u + GPU_LIMIT(SHARES) / (uint32_t)CLIENTS; k++)
        CHECK_EQUAL(give_right(THEIRS, &many[0], k, RIGHT_READ), STATUS_OK);
    CHECK_EQUAL(give_right(THEIRS, &many[0], MINE, RIGHT_READ), STATUS_TABLE_SHARE);
    for (uint32_t i = 0; i < 4u; i++) /* MINE is below seven eighths again */
        CHECK_EQUAL(call(MINE, MSG_DESTROY_ALLOCATION, shared[i].handle, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ), STATUS_OK);
    for (uint32_t i = 0; i < ALLOCATION_DEFAULT; i++) { /* every entry of the table comes up again */
        CHECK_EQUAL(create(MINE, &many[1], 1, SET_LOCAL), STATUS_OK);
        client.next_page = CLIENT_FIRST_PAGE + 64u;
        const uint32_t expected = STATUS_BAD_HANDLE;
        CHECK_EQUAL(use_of(3, third, &many[1], false).status, expected);
        CHECK_EQUAL(call(MINE, MSG_DESTROY_ALLOCATION, many[1].handle, 0, 0).status, STATUS_OK);
    }
    client_close(&client);
}

/* ------------------------------------------------------------------ no byte of another's */

enum { OTHERS = 2, OWN = 4, PAGES = 2, OTHER_PAGES = 8, ROUNDS = 30, OUTCOME = OWN * PAGES * CLIENT_PAGE };

struct outcome {
    uint8_t bytes[OUTCOME];
    struct answer answers[ROUNDS];
    uint32_t completed;
};

static uint32_t random_state;
static bool one_in(uint32_t count) { return check_pick(&random_state, count) == 0u; }

/* Draws from what is bound and from what never was: slots 0 to 3 are this stream's, 4 to 7 were the other client's. */
static void random_draws(const struct client_allocation *own)
{
    const bool is_one_format = one_in(3);
    uint32_t format = 0;
    stream_init(&stream);
    for (uint32_t slot = 0; slot < 4u; slot++) {
        if (slot == 0u || !is_one_format) format = 1u + check_pick(&random_state, 5 + (slot == 3u));
        stream.split = stream.used * 4u;
        stream_push(&stream, PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT));
        stream_patch(&stream, stream_list(&stream, own[slot].handle, true), slot, 0);
        stream_push(&stream, 0);
        stream_push(&stream, 128);
        stream_push(&stream, PAGES * CLIENT_PAGE);
    }
    const uint32_t draws = 1u + check_pick(&random_state, 3);
    for (uint32_t i = 0; i < draws; i++) {
        const uint32_t slots = one_in(16) ? 8u : 4u;
        const uint32_t mode = is_one_format ? check_pick(&random_state, 6) : check_pick(&random_state, 2) * 3u + 2u;
        const bool has_flags = mode != (uint32_t)BLIT_KEY && mode != (uint32_t)BLIT_ROP;
        stream_push(&stream, PKT_BLIT | FIELD_PUT(check_pick(&random_state, slots), PKT_BLIT_TARGET) |
                                 FIELD_PUT(check_pick(&random_state, slots), PKT_BLIT_SOURCE) |
                                 FIELD_PUT(mode, PKT_BLIT_MODE) | FIELD_PUT(has_flags && one_in(4), PKT_BLIT_KEYED) |
                                 FIELD_PUT(has_flags && one_in(4), PKT_BLIT_COLOURED) |
                                 FIELD_PUT(one_in(4), PKT_BLIT_PREMULTIPLIED) |
                                 FIELD_PUT(one_in(4), PKT_BLIT_TRUNCATED) | FIELD_PUT(one_in(8), PKT_BLIT_BY_256) |
                                 FIELD_PUT(1, PKT_BLIT_BARRIER));
        stream_push(&stream, check_pick(&random_state, 16) | check_pick(&random_state, 32) << 16);
        stream_push(&stream, check_pick(&random_state, 16) | check_pick(&random_state, 32) << 16);
        stream_push(&stream, (1u + check_pick(&random_state, 16)) | (1u + check_pick(&random_state, 32)) << 16);
        stream_push(&stream, one_in(2) ? 255u : check_pick(&random_state, 1u << 24));
        stream_push(&stream, !has_flags ? check_pick(&random_state, 256)
                                        : FIELD_PUT(check_pick(&random_state, 1u << 15), PKT_BLIT_KEY));
    }
}

/* The other client fills all of memory with its secret, in every slot that it can bind. */
static void spread_secret(uint32_t context, const struct client_allocation *others, uint32_t secret)
{
    client.id = THEIRS;
    for (uint32_t i = 0; i < OTHERS; i++) {
        stream_init(&stream);
        for (uint32_t slot = 0; slot < 8u; slot++) {
            stream_bind(&stream, slot, others[i].handle, 0, 128, OTHER_PAGES * CLIENT_PAGE, true);
            stream_fill_rect(&stream, slot, 0, 0, 32, OTHER_PAGES * CLIENT_PAGE / 128u, secret * (slot + 1u + i));
        }
        CHECK_EQUAL(submit(context).status, STATUS_OK);
    }
}

/* What a client has to show for itself beside another whose content is `secret`. */
static void run_beside(uint32_t secret, uint32_t seed, struct outcome *outcome)
{
    struct client_allocation own[OWN], others[OTHERS];
    random_state = seed;
    memset(outcome, 0, sizeof *outcome);
    begin(OTHER_PAGES, OTHER_PAGES);
    const uint32_t their_context = context_of(THEIRS, 0), context = context_of(MINE, 0);
    for (uint32_t i = 0; i < OTHERS; i++) CHECK_EQUAL(create(THEIRS, &others[i], OTHER_PAGES, 1u + i), STATUS_OK);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        spread_secret(their_context, others, secret);
        client.id = MINE;
        if (round % 4u == 0u) { /* fresh ones: with content, without, tiled, tiled without */
            for (uint32_t i = 0; i < OWN; i++) {
                uint32_t words[16] = {0};
                if (round != 0u) CHECK_EQUAL(client_destroy(&client, &own[i]), STATUS_OK);
                words[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE |
                                                     (i % 2u != 0u ? ALLOCATION_UNDEFINED : 0u) |
                                                     (i / 2u != 0u ? ALLOCATION_SWIZZLED : 0u);
                words[MSG_CREATE_ALLOCATION_PITCH] = 64;
                words[MSG_CREATE_ALLOCATION_HEIGHT] = 24 | 3 << 16; /* less than its pages: there is a rest */
                words[MSG_CREATE_ALLOCATION_PATTERN] = 0x01020304u * (i + 1u);
                CHECK_EQUAL(client_create(&client, &own[i], PAGES, i % 2u == 0u ? SET_LOCAL : SET_1, words), STATUS_OK);
                fill_pattern(&own[i], (uint8_t)(i + round));
            }
        }
        random_draws(own);
        outcome->answers[round] = submit(context);
        outcome->answers[round].tag = 0;
        outcome->completed += outcome->answers[round].status == STATUS_OK;
        for (uint32_t i = 0; i < OWN; i++) {
            uint8_t bytes[64 * CLIENT_PAGE];
            const uint32_t flags = one_in(4) ? LOCK_DISCARD : 0u;
            CHECK_EQUAL(client_lock(&client, &own[i], flags), STATUS_OK);
            client_read(&client, &own[i], bytes);
            for (uint32_t k = 0; k < PAGES * CLIENT_PAGE; k++) /* every round counts, not only the last */
                outcome->bytes[i * PAGES * CLIENT_PAGE + k] =
                    (uint8_t)(outcome->bytes[i * PAGES * CLIENT_PAGE + k] * 31u + bytes[k]);
            CHECK_EQUAL(client_unlock(&client, &own[i]), STATUS_OK);
            if (!one_in(4)) continue;
            CHECK_EQUAL(call(MINE, MSG_OFFER, own[i].handle, 1, 0).status, STATUS_OK);
            spread_secret(their_context, others, secret);
            CHECK_EQUAL(call(MINE, MSG_RECLAIM, own[i].handle, 0, 0).status, STATUS_OK);
        }
    }
    client_close(&client);
}

static void test_no_byte_of_others(void)
{
    static struct outcome one, other;
    uint32_t completed = 0;
    for (uint32_t seed = 1; seed <= 2u; seed++) {
        run_beside(0x5ec4e701u, seed, &one);
        run_beside(0xa11b0af3u, seed, &other);
        CHECK(memcmp(&one, &other, sizeof one) == 0);
        completed += one.completed;
    }
    CHECK(completed > ROUNDS); /* the draws are not all refused */
}

/* ------------------------------------------------------------------ who makes nodes stop too often */

enum { TIMEOUT = 100000, LIMIT = 2, WINDOW = 40000000 };

static void begin_limited(uint32_t limit)
{
    boot.timeout = boot.preempt_delay = TIMEOUT;
    boot.recovery_limit = limit;
    boot.recovery_window = WINDOW;
    begin(4, 4);
    boot = (struct client_boot){0};
}

static uint32_t try_context(uint32_t id) { return call(id, MSG_CREATE_CONTEXT, 0, 0, 0).status; }

/* The render node stops in a job of the client's. */
static void hang(uint32_t context, const struct client_allocation *target)
{
    device_hang(client.device, 0);
    send_fill(context, target, 0, 8, 1);
    receive_all();
    CHECK_EQUAL(sent.answer[0].status, STATUS_TIMEOUT);
}

static void end_context(uint32_t id, uint32_t context)
{
    CHECK_EQUAL(call(id, MSG_DESTROY_CONTEXT, context, 0, 0).status, STATUS_OK);
}

/* A client over the limit is barred until it is admitted; one below it in each window never is; nor is client 0. */
static void test_barred(void)
{
    struct client_allocation mine, theirs;
    begin_limited(LIMIT);
    const uint32_t bystander = context_of(MINE, 0), good = context_of(THEIRS, 0);
    CHECK_EQUAL(create(MINE, &mine, 1, SET_1), STATUS_OK);
    CHECK_EQUAL(create(THEIRS, &theirs, 1, SET_1), STATUS_OK);
    for (uint32_t round = 0; round < 2u; round++) {
        for (uint32_t i = 0; i <= LIMIT; i++) {
            const uint32_t context = context_of(MINE, 0);
            if (round == 0u) CHECK_EQUAL(use_of(MINE, bystander, &mine, true).status, STATUS_OK);
            client.id = MINE;
            hang(context, &mine);
            end_context(MINE, context);
            forget();
        }
        CHECK_EQUAL(try_context(MINE), STATUS_BARRED);
        CHECK_EQUAL(use_of(MINE, bystander, &mine, true).status, STATUS_CONTEXT_LOST);
        CHECK_EQUAL(use_of(THEIRS, good, &theirs, true).status, STATUS_OK);
        CHECK_EQUAL(call(MINE, MSG_ADMIT_CLIENT, MINE, 0, 0).status, STATUS_NOT_ALLOWED);
        device_set_cycle(client.device, client.transport.cycles(client.transport.context) + 2u * WINDOW);
        CHECK_EQUAL(try_context(MINE), STATUS_BARRED); /* time heals nothing */
        CHECK_EQUAL(call(0, MSG_ADMIT_CLIENT, MINE, 0, 0).status, STATUS_OK);
    }
    for (uint32_t i = 0; i < 4u * LIMIT; i++) { /* so many that no window has more than LIMIT of them */
        const uint32_t context = context_of(MINE, 0);
        client.id = MINE;
        hang(context, &mine);
        end_context(MINE, context);
        if (i % LIMIT == LIMIT - 1u)
            device_set_cycle(client.device, client.transport.cycles(client.transport.context) + WINDOW);
        forget();
    }
    CHECK_EQUAL(try_context(MINE), STATUS_OK);
    struct client_allocation hosts;
    CHECK_EQUAL(create(0, &hosts, 1, SET_1), STATUS_OK);
    for (uint32_t i = 0; i < 4u * LIMIT; i++) {
        const uint32_t context = context_of(0, 0);
        hang(context, &hosts);
        end_context(0, context);
        forget();
    }
    CHECK_EQUAL(try_context(0), STATUS_OK);
    client_close(&client);
}

/* The paging node stops under a client's allocation that no context uses any more: the client answers for it, not the
 * GPU. */
static void test_barred_for_pages(void)
{
    struct client_allocation mine;
    begin_limited(1);
    for (uint32_t i = 0; i < 6u; i++) {
        if (try_context(MINE) == STATUS_BARRED) CHECK_EQUAL(call(0, MSG_ADMIT_CLIENT, MINE, 0, 0).status, STATUS_OK);
        const uint32_t context = context_of(MINE, 0);
        CHECK_EQUAL(create(MINE, &mine, 1, SET_1), STATUS_OK);
        CHECK_EQUAL(use_of(MINE, context, &mine, true).status, STATUS_OK);
        end_context(MINE, context);
        device_hang(client.device, 1);
        CHECK_EQUAL(call(MINE, MSG_LOCK, mine.handle, LOCK_ENTIRE, 0).status, STATUS_CONTENT_LOST);
        CHECK_EQUAL(call(MINE, MSG_DESTROY_ALLOCATION, mine.handle, 0, 0).status, STATUS_OK);
        forget();
    }
    CHECK_EQUAL(host_read(HOST_PANIC_CODE_OFFSET), PANIC_NONE);
    client_close(&client);
}

/* 1,000 hostile clients, one after the other under all ids, each until it is barred: another's work goes on. */
static void test_thousand_clients(void)
{
    struct client_allocation target, good;
    begin_limited(1);
    const uint32_t other = context_of(THEIRS, 0);
    CHECK_EQUAL(create(THEIRS, &good, 1, SET_LOCAL), STATUS_OK);
    for (uint32_t i = 0; i < 1000u; i++) {
        const uint32_t id = 3u + i % (CLIENTS - 3u);
        CHECK_EQUAL(call(0, MSG_ADMIT_CLIENT, id, 0, 0).status, STATUS_OK);
        CHECK_EQUAL(create(id, &target, 1, SET_1), STATUS_OK);
        for (uint32_t k = 0; k < 2u; k++) {
            const uint32_t context = context_of(id, 0);
            hang(context, &target);
            end_context(id, context);
        }
        CHECK_EQUAL(try_context(id), STATUS_BARRED);
        CHECK_EQUAL(call(id, MSG_DESTROY_ALLOCATION, target.handle, 0, 0).status, STATUS_OK);
        CHECK_EQUAL(use_of(THEIRS, other, &good, true).status, STATUS_OK);
        client.next_page = CLIENT_FIRST_PAGE + 64u;
        forget();
    }
    client.id = 0;
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 2000);
    client_close(&client);
}

/* While content leaves for a LOCK, another client, with which it is shared, submits: the lock is not granted under its
 * job, and then the pages hold what that job has drawn. The job is planned at once, or waits for one before it. */
static void lock_while_another_submits(uint32_t flags, uint32_t jobs_before, bool renders_at_once)
{
    struct client_allocation mine, theirs;
    struct answer answer;
    begin(4, 4);
    const uint32_t my_context = context_of(MINE, 0), their_context = context_of(THEIRS, 0);
    CHECK_EQUAL(create(MINE, &mine, 2, SET_LOCAL), STATUS_OK);
    CHECK_EQUAL(create(THEIRS, &theirs, 1, SET_LOCAL), STATUS_OK);
    CHECK_EQUAL(share(&mine, THEIRS, RIGHT_READ | RIGHT_WRITE), STATUS_OK);
    CHECK_EQUAL(use_of(THEIRS, their_context, &theirs, true).status, STATUS_OK);
    CHECK_EQUAL(use_of(MINE, my_context, &mine, true).status, STATUS_OK);
    node(NODE_PAGING)->is_paused = true;
    client.id = MINE;
    const uint32_t lock[16] = {MSG_LOCK, 0, mine.handle, flags};
    const uint32_t tag = client_send(&client, lock);
    turns(100);
    CHECK(!client_has_answer(&client));
    node(NODE_RENDER)->is_paused = !renders_at_once;
    client.id = THEIRS;
    for (uint32_t i = 0; i < jobs_before; i++) send_fill(their_context, &theirs, 0, 8, i);
    send_fill(their_context, &mine, 0, 8, 0x77);
    turns(200);
    node(NODE_PAGING)->is_paused = false;
    turns(500);
    if (!renders_at_once) CHECK(!client_has_answer(&client));
    node(NODE_RENDER)->is_paused = false;
    bool is_granted = false;
    for (uint32_t i = 0; i < jobs_before + 2u; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        is_granted = is_granted || answer.tag == tag;
        if (answer.tag == tag) CHECK_EQUAL(i, jobs_before + 1u); /* the last of all */
    }
    CHECK(is_granted);
    CHECK_EQUAL(word_of(&mine, 0), 0x77);
    CHECK_EQUAL(call(MINE, MSG_UNLOCK, mine.handle, 0, 0).status, STATUS_OK);
    client_close(&client);
}

static void test_lock_while_another_submits(void)
{
    for (uint32_t jobs_before = 0; jobs_before < 6u; jobs_before++)
        for (uint32_t i = 0; i < 4u; i++)
            lock_while_another_submits(LOCK_ENTIRE | (i % 2u != 0 ? LOCK_READ_ONLY : 0u), jobs_before, i / 2u != 0);
}

int main(void)
{
    CHECK_RUN(test_barred);
    CHECK_RUN(test_barred_for_pages);
    CHECK_RUN(test_thousand_clients);
    CHECK_RUN(test_nothing_of_others);
    CHECK_RUN(test_only_the_host);
    CHECK_RUN(test_share);
    CHECK_RUN(test_no_byte_of_others);
    CHECK_RUN(test_lock_while_another_submits);
    return check_finish();
}
