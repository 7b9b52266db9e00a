/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages that wait (firmware/frontend/deferred.h), against the whole firmware on the golden model. Goal: whatever and
 * however much of one client waits, others' messages are carried out; a client's own stay in their order; the bound is
 * BUSY for who exceeds it and for nobody else; and everybody is answered once.
 */
#include "scheduling.h"

enum { HOSTILE = 5, OTHER = 6, KINDS = 5, FLOOD = 30 };

static uint32_t send(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    client.id = id;
    return client_send(&client, message);
}

static struct answer call(uint32_t id, uint32_t code, uint32_t word2, uint32_t word3)
{
    const uint32_t message[16] = {code, 0, word2, word3};
    client.id = id;
    return client_call(&client, message);
}

static uint32_t create(uint32_t id, struct client_allocation *allocation)
{
    client.id = id;
    return client_create(&client, allocation, 1, SET_LOCAL, NULL);
}

static uint32_t context_of(uint32_t id)
{
    client.id = id;
    return client_context(&client, 0);
}

static uint32_t send_use(uint32_t id, uint32_t context, const struct client_allocation *target)
{
    client.id = id;
    return sent.tag[send_fill(context, target, 0, 8, id)];
}

/* The firmware's and the host's view of one answer that has come already. */
static bool receive_now(struct answer *answer) { return client_has_answer(&client) && client_receive(&client, answer); }

/* ------------------------------------------------------------------ others go on */

/* A flood of what waits, of each kind, while the render node stands: others are served, the flood's rest is BUSY. */
static void test_others_go_on(void)
{
    struct client_allocation busy, idle;
    struct answer answer;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        begin(8, 8);
        const uint32_t context = context_of(HOSTILE), other = context_of(OTHER);
        CHECK_EQUAL(create(HOSTILE, &busy), STATUS_OK);
        CHECK_EQUAL(create(OTHER, &idle), STATUS_OK);
        node(0)->is_enabled = false;
        const uint32_t first = client.next_tag;
        const uint32_t jobs = kind == 4u ? 8u : 1u; /* as many as there is room for */
        for (uint32_t i = 0; i < jobs; i++) send_use(HOSTILE, context, &busy);
        const uint32_t waits = client.next_tag;
        for (uint32_t i = 0; i < FLOOD; i++) {
            switch (kind) {
            case 0: send(HOSTILE, MSG_LOCK, busy.handle, LOCK_ENTIRE); break;
            case 1: send(HOSTILE, MSG_EVICT, busy.handle, 0); break;
            case 2: send(HOSTILE, MSG_OFFER, busy.handle, 1); break;
            case 3: send(HOSTILE, MSG_DESTROY_CONTEXT, context, 0); break;
            default: sent.count = 8; send_use(HOSTILE, context, &busy);
            }
        }
        turns(200);
        uint32_t refused = 0;
        for (; receive_now(&answer); refused++) { /* the newest, in order */
            CHECK_EQUAL(answer.status, STATUS_BUSY);
            CHECK_EQUAL(answer.tag, waits + DEFERRED_CLIENT + refused);
        }
        CHECK_EQUAL(refused, FLOOD - DEFERRED_CLIENT);
        CHECK_EQUAL(call(0, MSG_NOP, 0, 0).status, STATUS_OK);
        CHECK_EQUAL(call(HOSTILE, MSG_NOP, 0, 0).status, STATUS_OK); /* depends on nothing */
        CHECK_EQUAL(call(OTHER, MSG_LOCK, idle.handle, LOCK_ENTIRE).status, STATUS_OK);
        CHECK_EQUAL(call(OTHER, MSG_UNLOCK, idle.handle, 0).status, STATUS_OK);
        CHECK_EQUAL(call(OTHER, MSG_EVICT, idle.handle, 0).status, STATUS_OK);
        CHECK_EQUAL(call(OTHER, MSG_QUERY_CONTEXT, other, 0).status, STATUS_OK);
        CHECK_EQUAL(call(0, MSG_CREATE_CONTEXT, 0, 0).status, STATUS_OK);
        node(0)->is_enabled = true;
        for (uint32_t i = 0; i < jobs + DEFERRED_CLIENT; i++) {
            CHECK(client_receive(&client, &answer));
            CHECK_EQUAL(answer.tag, first + i);
            const bool is_again = i > jobs; /* locked, or gone, by the first of them */
            const uint32_t again = kind == 0u ? STATUS_LOCKED : kind == 3u ? STATUS_BAD_CONTEXT : STATUS_OK;
            CHECK_EQUAL(answer.status, is_again ? again : STATUS_OK);
        }
        sent.count = 0;
        client_close(&client);
    }
}

/* The host program's own SUBMITs without room wait in the ring, but not with a NOP or another client after them. */
static void test_behind_submits(void)
{
    enum { JOBS = 14 };
    struct client_allocation busy, idle;
    struct answer answer;
    begin(8, 8);
    const uint32_t context = context_of(0);
    CHECK_EQUAL(create(0, &busy), STATUS_OK);
    CHECK_EQUAL(create(OTHER, &idle), STATUS_OK);
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < JOBS; i++) send_use(0, context, &busy);
    turns(200);
    CHECK_EQUAL(device_gpu(client.device)->deferred.count, 0);
    CHECK_EQUAL(call(0, MSG_NOP, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(call(OTHER, MSG_LOCK, idle.handle, LOCK_ENTIRE).status, STATUS_OK);
    CHECK(device_gpu(client.device)->deferred.count != 0u);
    node(0)->is_enabled = true;
    for (uint32_t i = 0; i < JOBS; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.tag, sent.tag[i]);
        CHECK_EQUAL(answer.status, STATUS_OK);
    }
    sent.count = 0;
    client_close(&client);
}

/* A LOCK's eviction is under way when another client, with whom the allocation is shared, submits work on it: the lock
 * waits for that as well, and finds what it wrote. */
static void test_shared_meanwhile(void)
{
    struct client_allocation a;
    struct answer first, second_answer;
    begin(8, 8);
    const uint32_t mine = context_of(HOSTILE), theirs = context_of(OTHER);
    CHECK_EQUAL(create(HOSTILE, &a), STATUS_OK);
    const uint32_t message[16] = {MSG_SHARE, 0, a.handle, OTHER, RIGHT_READ | RIGHT_WRITE};
    client.id = HOSTILE;
    CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    CHECK_EQUAL(use(mine, &a), STATUS_OK);
    node(1)->is_enabled = false;
    const uint32_t lock = send(HOSTILE, MSG_LOCK, a.handle, LOCK_ENTIRE);
    turns(100);
    client.id = OTHER;
    const uint32_t job = sent.tag[send_fill(theirs, &a, 0, 8, 0x77)];
    turns(100);
    CHECK(!client_has_answer(&client));
    node(1)->is_enabled = true;
    CHECK(client_receive(&client, &first) && client_receive(&client, &second_answer));
    CHECK_EQUAL(first.tag, job);
    CHECK_EQUAL(first.status, STATUS_OK);
    CHECK_EQUAL(second_answer.tag, lock);
    CHECK_EQUAL(second_answer.status, STATUS_OK);
    CHECK_EQUAL(word_of(&a, 0), 0x77);
    sent.count = 0;
    client_close(&client);
}

/* ------------------------------------------------------------------ overtaking */

/* As many SUBMITs as there is room for, none of which can end. */
static void fill_room(uint32_t id, uint32_t context, const struct client_allocation *target)
{
    node(0)->is_enabled = false;
    for (uint32_t i = 0; i < 8u; i++) send_use(id, context, target);
    turns(200);
}

/* Is the message answered, with OK, within a while? */
static bool is_answered(uint32_t tag)
{
    struct answer answer = {0};
    turns(100);
    if (!receive_now(&answer)) return false;
    CHECK_EQUAL(answer.tag, tag);
    CHECK_EQUAL(answer.status, STATUS_OK);
    return true;
}

/* Ends everything that is out; the last answer has to be that of `tag`. */
static void drain_until(uint32_t tag)
{
    struct answer answer = {0};
    node(0)->is_enabled = true;
    do
        if (!client_receive(&client, &answer)) break;
    while (answer.tag != tag);
    CHECK_EQUAL(answer.tag, tag);
    CHECK_EQUAL(answer.status, STATUS_OK);
    CHECK(gpu_check(device_gpu(client.device)));
    sent.count = 0;
    client_close(&client);
}

/* A LOCK and an UNLOCK of what no SUBMIT in front of them names do not wait for these. */
static void test_overtakes_submits(void)
{
    struct client_allocation busy, idle;
    for (uint32_t id = 0; id < 2u; id++) {
        begin(8, 8);
        CHECK_EQUAL(create(id, &busy), STATUS_OK);
        CHECK_EQUAL(create(id, &idle), STATUS_OK);
        const uint32_t context = context_of(id);
        fill_room(id, context, &busy);
        send_use(id, context, &busy); /* waits */
        CHECK(is_answered(send(id, MSG_LOCK, idle.handle, LOCK_ENTIRE)));
        CHECK(is_answered(send(id, MSG_UNLOCK, idle.handle, 0)));
        const uint32_t lock = send(id, MSG_LOCK, busy.handle, LOCK_ENTIRE);
        CHECK(!is_answered(lock));
        drain_until(lock);
    }
}

/* It waits for the one that names it, wherever in its list, and for anything else of its client that is in front. */
static void test_waits_for_its_own(void)
{
    enum { NAMED, FIRST, OTHER_MESSAGE, NEW_INSTANCE, CASES };
    struct client_allocation busy, idle, pages, many[40];
    for (uint32_t kind = 0; kind < CASES; kind++) {
        begin(8, 8);
        CHECK_EQUAL(create(OTHER, &busy), STATUS_OK);
        CHECK_EQUAL(create(OTHER, &idle), STATUS_OK);
        CHECK_EQUAL(create(OTHER, &pages), STATUS_OK);
        const uint32_t context = context_of(OTHER);
        for (uint32_t i = 0; i < 40u && kind == NAMED; i++) CHECK_EQUAL(create(OTHER, &many[i]), STATUS_OK);
        fill_room(OTHER, context, &busy);
        stream_init(&stream);
        for (uint32_t i = 0; i < 40u && kind == NAMED; i++) stream_fill(&stream, many[i].handle, 0, 8, i, 0);
        if (kind <= FIRST) stream_fill(&stream, idle.handle, 0, 8, 5, 0);
        stream_fill(&stream, busy.handle, 0, 8, 5, 0);
        client.id = OTHER;
        (void)send_job(context);
        send_use(OTHER, context, &busy);
        if (kind == OTHER_MESSAGE) send(OTHER, MSG_EVICT, busy.handle, 0);
        uint32_t lock[16] = {MSG_LOCK, 0, idle.handle, LOCK_ENTIRE};
        if (kind == NEW_INSTANCE) {
            lock[MSG_LOCK_FLAGS] |= LOCK_DISCARD;
            lock[MSG_LOCK_PAGES] = pages.list;
        }
        client.id = OTHER;
        const uint32_t tag = client_send(&client, lock);
        CHECK(!is_answered(tag));
        drain_until(tag);
    }
}

/* The list of a SUBMIT in front cannot be read: it may name anything. One that will be refused names nothing. */
static void test_list_not_there(void)
{
    enum { HOLE = 16 << 20 };
    const uint32_t word[] = {MSG_SUBMIT_LIST, MSG_SUBMIT_LIST, MSG_SUBMIT_LIST_COUNT};
    const uint32_t value[] = {HOLE + 64, 2 * HOLE, LIMIT_BITS_LIST_ENTRIES + 1};
    const uint32_t expected[] = {STATUS_BUS_ERROR, STATUS_BAD_ADDRESS, STATUS_LIST_LENGTH};
    for (uint32_t i = 0; i < 3u; i++) {
        struct client_allocation busy, idle;
        struct answer answer = {0};
        uint32_t message[16], refused = 0;
        boot.system_pages = 2 * HOLE / CLIENT_PAGE;
        begin(8, 8);
        boot.system_pages = 0;
        CHECK_EQUAL(create(0, &busy), STATUS_OK);
        CHECK_EQUAL(create(0, &idle), STATUS_OK);
        const uint32_t context = context_of(0);
        fill_room(0, context, &busy);
        stream_init(&stream);
        stream_fill(&stream, busy.handle, 0, 8, 1, 0);
        client_stage(&client, &stream, context, 0, message);
        message[word[i]] = value[i];
        const uint32_t bad = client_send(&client, message);
        const uint32_t lock = send(0, MSG_LOCK, idle.handle, LOCK_ENTIRE);
        CHECK_EQUAL(is_answered(lock), i != 0u);
        node(0)->is_enabled = true;
        for (uint32_t k = i != 0u; k < 10u && client_receive(&client, &answer); k++) {
            if (answer.tag == bad) refused = answer.status;
            else CHECK_EQUAL(answer.status, STATUS_OK);
        }
        CHECK_EQUAL(refused, expected[i]);
        sent.count = 0;
        client_close(&client);
    }
}

/* A DMA buffer is examined: what its list does not name can be locked meanwhile, by its own client, and by another even
 * if something is shared; nothing else can, and what it names not before it has been done. */
static void test_overtakes_examination(void)
{
    struct client_allocation named, mine, theirs;
    for (uint32_t is_shared = 0; is_shared < 2u; is_shared++) {
        begin(8, 8);
        const struct gpu *gpu = device_gpu(client.device);
        CHECK_EQUAL(create(HOSTILE, &named), STATUS_OK);
        CHECK_EQUAL(create(HOSTILE, &mine), STATUS_OK);
        CHECK_EQUAL(create(OTHER, &theirs), STATUS_OK);
        const uint32_t context = context_of(HOSTILE);
        const uint32_t share[16] = {MSG_SHARE, 0, named.handle, OTHER, RIGHT_READ};
        client.id = HOSTILE;
        if (is_shared != 0u) CHECK_EQUAL(client_call(&client, share).status, STATUS_OK);
        device_look_cycles(client.device, 4096);
        stream_init(&stream);
        for (uint32_t i = 0; i < 600u; i++) stream_fill(&stream, named.handle, i, 1, 9, 0);
        client.id = HOSTILE;
        (void)send_job(context);
        const uint32_t lock = send(HOSTILE, MSG_LOCK, named.handle, LOCK_ENTIRE);
        const uint32_t own = send(is_shared != 0u ? OTHER : HOSTILE, MSG_LOCK,
                                  is_shared != 0u ? theirs.handle : mine.handle, LOCK_ENTIRE);
        const uint32_t other = send(OTHER, MSG_QUERY_ALLOCATION, theirs.handle, 0);
        uint32_t during = 0, other_during = 0;
        struct answer answer;
        bool is_locked = false;
        while (!gpu->is_examining) turns(1);
        for (uint32_t i = 0; !is_locked && i < 100000u; i++) {
            turns(1);
            while (receive_now(&answer)) {
                during += answer.tag == own && gpu->is_examining;
                other_during += answer.tag == other && gpu->is_examining;
                is_locked |= answer.tag == lock;
                CHECK_EQUAL(answer.status, STATUS_OK);
            }
        }
        CHECK(is_locked);
        CHECK_EQUAL(during, is_shared); /* of the same client the LOCK of `named` is in front */
        CHECK_EQUAL(other_during, 1u - is_shared);
        CHECK_EQUAL(word_of(&named, 0) & 0xffu, 9);
        CHECK(gpu_check(gpu));
        sent.count = 0;
        client_close(&client);
    }
}

/* Messages that come as fast as they are taken, and take a turn's time each, do not keep another's from its turn. */
static void test_flood_of_reads(void)
{
    struct client_allocation theirs;
    struct answer answer;
    begin(8, 8);
    const uint32_t context = context_of(OTHER);
    CHECK_EQUAL(create(OTHER, &theirs), STATUS_OK);
    node(0)->is_enabled = false;
    send_use(OTHER, context, &theirs);
    turns(200);
    const uint32_t lock = send(OTHER, MSG_LOCK, theirs.handle, LOCK_ENTIRE);
    turns(50);
    CHECK(!client_has_answer(&client));
    device_look_cycles(client.device, 4096);
    node(0)->is_enabled = true;
    bool is_locked = false;
    for (uint32_t i = 0; !is_locked && i < 400u; i++) {
        for (uint32_t k = 0; k < 4u; k++) send(HOSTILE, MSG_NOP, 0, 0);
        for (uint32_t k = 0; k < 4u; k++) {
            turns(1);
            while (receive_now(&answer)) is_locked |= answer.tag == lock;
        }
    }
    CHECK(is_locked);
    sent.count = 0;
    client_close(&client);
}

/* ------------------------------------------------------------------ a full table */

/* Six clients fill the table; a seventh still gets one in, for which a client with most gives way with its newest. */
static void test_who_gives_way(void)
{
    enum { GREEDY = DEFERRED_LIMIT / DEFERRED_CLIENT, LATE = DEFERRED_LIMIT - DEFERRED_HOST };
    struct client_allocation busy[GREEDY + LATE + 1];
    struct answer answer;
    uint32_t lock[GREEDY + LATE + 1][DEFERRED_CLIENT], given_way[GREEDY + LATE + 1] = {0};
    begin(16, 16);
    for (uint32_t i = 0; i < GREEDY + LATE + 1u; i++) {
        client.id = i + 1u;
        CHECK_EQUAL(client_create(&client, &busy[i], 1, SET_APERTURE, NULL), STATUS_OK);
    }
    /* Six jobs keep what the six have busy; the late ones have allocations shared with the first, and busy by it. */
    node(0)->is_enabled = false;
    const uint32_t context = context_of(1);
    for (uint32_t i = 1; i < GREEDY + LATE + 1u; i++) {
        const uint32_t message[16] = {MSG_SHARE, 0, busy[i].handle, 1, RIGHT_READ | RIGHT_WRITE};
        client.id = i + 1u;
        CHECK_EQUAL(client_call(&client, message).status, STATUS_OK);
    }
    stream_init(&stream);
    for (uint32_t i = 0; i < GREEDY + LATE + 1u; i++) stream_fill(&stream, busy[i].handle, 0, 8, i, 0);
    client.id = 1;
    const uint32_t job = sent.tag[send_job(context)];
    turns(50);
    for (uint32_t i = 0; i < GREEDY; i++)
        for (uint32_t k = 0; k < DEFERRED_CLIENT; k++) lock[i][k] = send(i + 1u, MSG_EVICT, busy[i].handle, 0);
    turns(50);
    CHECK(!receive_now(&answer));
    for (uint32_t i = GREEDY; i < GREEDY + LATE; i++) {
        lock[i][0] = send(i + 1u, MSG_EVICT, busy[i].handle, 0);
        turns(20);
        CHECK(receive_now(&answer));
        CHECK_EQUAL(answer.status, STATUS_BUSY);
        uint32_t who = 0;
        while (who < GREEDY && lock[who][DEFERRED_CLIENT - 1u - given_way[who]] != answer.tag) who++;
        CHECK(who < GREEDY); /* the newest of somebody */
        given_way[who]++;
        CHECK(!receive_now(&answer));
    }
    for (uint32_t i = 0; i < GREEDY; i++) CHECK(given_way[i] <= 2u); /* of those with most */
    node(0)->is_enabled = true;
    for (uint32_t i = 0; i < DEFERRED_LIMIT + 1u; i++) {
        CHECK(client_receive(&client, &answer));
        CHECK_EQUAL(answer.status, STATUS_OK);
        CHECK(i != 0u || answer.tag == job);
    }
    sent.count = 0;
    client_close(&client);
}

/* ------------------------------------------------------------------ order */

enum { CLIENTS = 4, STEPS = 4000, WINDOW = 32 };

/* What is out, per client: its tags in order, 0 where it has been answered. */
static struct flow {
    struct client_allocation own[2];
    bool is_locked[2];
    uint32_t context, tag[WINDOW], code[WINDOW], handle[WINDOW], count;
} flows[CLIENTS];

static uint32_t random_state;

static uint32_t overtaken; /* SUBMITs by a LOCK that has been granted */

static void note(struct flow *flow, uint32_t tag, uint32_t code, uint32_t handle)
{
    flow->tag[flow->count] = tag;
    flow->handle[flow->count] = handle;
    flow->code[flow->count++] = code;
}

/* SUBMITs end when the GPU has done them, NOPs at once; all else of a client is answered in its order, unless BUSY. */
static void take_answer(const struct answer *answer)
{
    for (uint32_t id = 0; id < CLIENTS; id++) {
        struct flow *flow = &flows[id];
        uint32_t i = 0;
        while (i < flow->count && flow->tag[i] != answer->tag) i++;
        if (i == flow->count) continue;
        const bool is_ordered = flow->code[i] != MSG_SUBMIT && flow->code[i] != MSG_NOP;
        CHECK(id != 0u || answer->status != STATUS_BUSY);
        for (uint32_t k = 0; k < i && is_ordered && answer->status != STATUS_BUSY; k++)
            CHECK(flow->code[k] == MSG_SUBMIT || flow->code[k] == MSG_NOP);
        /* A LOCK sees the results of everything that its client has submitted before. */
        for (uint32_t k = 0; k < i && flow->code[i] == MSG_LOCK && answer->status == STATUS_OK; k++) {
            CHECK(flow->code[k] != MSG_SUBMIT || flow->handle[k] != flow->handle[i]);
            overtaken += flow->code[k] == MSG_SUBMIT;
        }
        flow->count--;
        for (; i < flow->count; i++) {
            flow->tag[i] = flow->tag[i + 1u];
            flow->code[i] = flow->code[i + 1u];
            flow->handle[i] = flow->handle[i + 1u];
        }
        return;
    }
    CHECK(false); /* answered twice, or never asked */
}

static void send_some(uint32_t id)
{
    static const uint32_t codes[] = {MSG_LOCK,   MSG_UNLOCK, MSG_EVICT, MSG_OFFER,         MSG_RECLAIM,
                                     MSG_SUBMIT, MSG_SUBMIT, MSG_NOP,   MSG_QUERY_CONTEXT, MSG_SHARE};
    struct flow *flow = &flows[id];
    const uint32_t code = codes[check_pick(&random_state, 10)], which = check_pick(&random_state, 2);
    const uint32_t whose = check_pick(&random_state, 4) == 0u ? check_pick(&random_state, CLIENTS) : id;
    uint32_t message[16] = {code, 0, flow->own[which].handle}, handle = flow->own[which].handle;
    client.id = id;
    if (code == MSG_LOCK) message[3] = LOCK_ENTIRE | (check_pick(&random_state, 2) != 0u ? LOCK_READ_ONLY : 0u);
    if (code == MSG_OFFER) message[3] = 1;
    if (code == MSG_QUERY_CONTEXT) message[2] = flow->context;
    if (code == MSG_SHARE) {
        message[3] = (id + 1u) % CLIENTS;
        message[4] = check_pick(&random_state, 2) * 3u;
    }
    if (code == MSG_SUBMIT) {
        stream_init(&stream);
        handle = flows[whose].own[which].handle;
        stream_fill(&stream, handle, 0, 8, 1, 0);
        client_stage(&client, &stream, flow->context, check_pick(&random_state, 16), message);
    }
    note(flow, client_send(&client, message), code, handle);
}

static void test_order(void)
{
    struct answer answer;
    random_state = 77;
    begin(3, 3);
    for (uint32_t id = 0; id < CLIENTS; id++) {
        flows[id] = (struct flow){.context = context_of(id)};
        for (uint32_t i = 0; i < 2u; i++) CHECK_EQUAL(create(id, &flows[id].own[i]), STATUS_OK);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t id = check_pick(&random_state, CLIENTS);
        if (flows[id].count < (uint32_t)WINDOW / 4u) send_some(id);
        if (check_pick(&random_state, 8) == 0u) node(0)->is_enabled = !node(0)->is_enabled;
        turns(check_pick(&random_state, 4));
        while (receive_now(&answer)) take_answer(&answer);
        CHECK(gpu_check(device_gpu(client.device)));
    }
    node(0)->is_enabled = true;
    turns(4000);
    while (receive_now(&answer)) take_answer(&answer);
    for (uint32_t id = 0; id < CLIENTS; id++) CHECK_EQUAL(flows[id].count, 0);
    CHECK(overtaken >= 5u);
    client_close(&client);
}

int main(void)
{
    CHECK_RUN(test_others_go_on);
    CHECK_RUN(test_behind_submits);
    CHECK_RUN(test_shared_meanwhile);
    CHECK_RUN(test_overtakes_submits);
    CHECK_RUN(test_waits_for_its_own);
    CHECK_RUN(test_list_not_there);
    CHECK_RUN(test_overtakes_examination);
    CHECK_RUN(test_flood_of_reads);
    CHECK_RUN(test_who_gives_way);
    CHECK_RUN(test_order);
    return check_finish();
}
