/* SPDX-License-Identifier: Apache-2.0
 *
 * Destruction, and jobs that run again: preempted, overtaken by a reset, taken back in the middle of their plan. Goal:
 * whoever is answered OK has found the content that it was owed, and whoever has not is told so. Method: the golden
 * model with nodes held still at the worst moment, and at random ones.
 * SCH-08, SCH-09, TDR-04, TDR-08.
 *
 * test_destruction_repeat [first seed] [worlds]
 */
#include "pending_destroy.h"

/* ------------------------------------------------------------------ jobs that run again */

/* The temporary has content that is nobody's own any more, and the node is held. */
static uint32_t begin_held(struct cast *cast)
{
    begin_cast(cast, 0, 0);
    stream_init(&stream);
    stream_fill(&stream, cast->temporary.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(cast->context).status, STATUS_OK);
    return hold(cast->blocker, &cast->other);
}

/* The portion that uses it was submitted and is taken back, by a preemption or because another one hangs: it finds the
 * content that it left. */
static void test_kept_for_a_repeat(void)
{
    CASE("SCH-08, SCH-09");
    struct cast cast;
    for (uint32_t hangs = 0; hangs < 2; hangs++) {
        uint32_t held = begin_held(&cast);
        stream_init(&stream);
        stream_copy(&stream, cast.temporary.handle, 0, cast.result.handle, 0, 8, 0);
        stream_fill(&stream, cast.big.handle, 0, 8, 1, 0);
        uint32_t job = send_job(cast.context), gone = send_destroy(&cast.temporary);
        turns(200);
        rerun(hangs != 0);
        CHECK_EQUAL(sent.answer[held].status, hangs != 0 ? STATUS_TIMEOUT : STATUS_OK);
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        check_words(&cast.result, 0, VALUE);
        close_checked();
    }
}

/* A job has found no placement after its first portion, which has not run, and the content that it did not come to is
 * in another's way. Taken back it comes there once more: content stays until it has been answered. */
static void test_kept_for_what_did_not_fit(void)
{
    struct cast cast;
    for (uint32_t hangs = 0; hangs < 2; hangs++) {
        uint32_t held = begin_held(&cast);
        forget();
        stream_init(&stream);
        stream_fill(&stream, cast.result.handle, 0, 8, 1, 0);
        stream_copy(&stream, cast.temporary.handle, 0, cast.big.handle, 0, 8, 0);
        uint32_t job = send_job(cast.context), gone = send_destroy(&cast.temporary);
        turns(200);
        uint32_t next = send_fill(client_context(&client, 0), &cast.big, 0, 8, 1);
        turns(200);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_DISCARD_CONTENT), 0);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_TRANSFER), 1);
        rerun(hangs != 0);
        CHECK_EQUAL(sent.answer[held].status, hangs != 0 ? STATUS_TIMEOUT : STATUS_OK);
        CHECK_EQUAL(sent.answer[job].status, STATUS_NO_PLACEMENT);
        CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        close_checked();
    }
}

/* Content of the job's own: made, read and made again. The result has what was written and, after it,
 * what was there before. */
static void build_own(const struct cast *cast)
{
    stream_init(&stream);
    stream_fill(&stream, cast->temporary.handle, 0, 8, VALUE + 1, 0);
    stream_copy(&stream, cast->temporary.handle, 0, cast->result.handle, 0, 12, 0);
    stream_fill(&stream, cast->temporary.handle, 8, 4, VALUE + 2, 0);
}

static void check_own(const struct cast *cast)
{
    check_words(&cast->result, 1, VALUE + 1);
    check_words(&cast->result, 2, VALUE);
    close_checked();
}

/* What the job alone has made is dropped before the portion that reads it has run. The job is taken back, by a
 * preemption or because another one hangs, and finds the allocation as it was: the host's content, or its pattern. */
static void test_own_content_dropped(void)
{
    struct cast cast;
    for (uint32_t kind = 0; kind < 4; kind++) {
        const bool is_undefined = kind / 2 == 0, hangs = kind % 2 == 1;
        const uint32_t words[2 * CLIENT_PAGE / 4] = {[2] = is_undefined ? 1 : VALUE};
        begin_cast(&cast, 0, is_undefined ? ALLOCATION_UNDEFINED : 0u);
        client_write(&client, &cast.temporary, (const uint8_t *)words);
        CHECK_EQUAL(use(cast.context, &cast.big), STATUS_OK);
        uint32_t held = hold(cast.blocker, &cast.other);
        forget();
        build_own(&cast);
        stream_fill(&stream, cast.big.handle, 0, 8, 1, 0);
        uint32_t job = send_job(cast.context), gone = send_destroy(&cast.temporary);
        turns(200);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_DISCARD_CONTENT), 1);
        CHECK_EQUAL(count_built(&cast.temporary, DDI_TRANSFER), 0);
        CHECK(gpu_check(device_gpu(client.device)));
        rerun(hangs);
        CHECK_EQUAL(sent.answer[held].status, hangs ? STATUS_TIMEOUT : STATUS_OK);
        CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
        CHECK(statistic(STAT_WITHHELD) >= 2);
        check_own(&cast);
    }
}

/* The same job is taken back while its first portion is still being paged: its plan has passed the only use already,
 * and FORCE.EVICT comes before the next look at the queue. */
static void test_kept_for_a_plan_undone(void)
{
    struct client_allocation temporary, result, other, more[6];
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE};
    boot.options = FIELD_PUT(5, HOST_BOOT_OPTIONS_PAGING_WORDS); /* one packet in each buffer */
    boot.force = FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    begin(8, 10);
    boot = (struct client_boot){0};
    look_ahead_at_once();
    CHECK_EQUAL(client_create(&client, &temporary, 4, SET_1, message), STATUS_OK);
    create(&result, 1, SET_2);
    create(&other, 1, SET_2);
    for (uint32_t i = 0; i < 6; i++) create(&more[i], 1, SET_2);
    uint32_t context = client_context(&client, 0), blocker = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, temporary.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK); /* content that is not the next job's own */
    const struct scheduler *scheduler = &device_gpu(client.device)->scheduler;
    (void)hold(blocker, &other);
    node(1)->is_enabled = false;
    stream_init(&stream);
    stream_copy(&stream, temporary.handle, 0, result.handle, 0, 8, 0);
    for (uint32_t i = 0; i < 6; i++) stream_copy(&stream, more[i].handle, 0, result.handle, 8 + 8 * i, 8, 0);
    uint32_t job = send_job(context), gone = send_destroy(&temporary);
    (void)send_preempt(0);
    turns(50);
    CHECK_EQUAL(scheduler->stage, STAGE_PAGE);
    set_force(FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_EVICT));
    node(0)->is_enabled = true;
    turns(5);
    CHECK(!scheduler->preemption[0].is_pending);
    node(1)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[job].status == STATUS_OK && sent.answer[gone].status == STATUS_OK);
    check_words(&result, 0, VALUE);
    close_checked();
}

/* The driver cannot discard yet, and meanwhile the job that made the content is taken back. */
static void test_taken_back_while_discarded(void)
{
    struct cast cast;
    begin_cast(&cast, 0, ALLOCATION_UNDEFINED);
    const struct gpu *gpu = device_gpu(client.device);
    CHECK_EQUAL(use(cast.context, &cast.big), STATUS_OK);
    (void)hold(cast.blocker, &cast.other);
    build_own(&cast);
    uint32_t job = send_job(cast.context);
    turns(50);
    (void)send_destroy(&cast.temporary);
    second.says_busy = second.is_stubborn = true;
    (void)send_fill(cast.context, &cast.big, 0, 8, 1);
    turns(50);
    CHECK(gpu->manager.paging.awaits_idle && gpu->manager.paging.arguments.operation == DDI_DISCARD_CONTENT);
    rerun(false);
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    check_own(&cast);
}

/* The first job has made the content, the second one only reads it, and is taken back while the first goes on. */
static void test_not_its_own(void)
{
    struct cast cast;
    begin_cast(&cast, 0, 0);
    CHECK_EQUAL(use(cast.context, &cast.big), STATUS_OK);
    node(0)->is_enabled = false;
    uint32_t maker = send_fill(cast.context, &cast.temporary, 0, 8, VALUE);
    turns(100);
    node(0)->is_enabled = true;
    while ((*at_head(0) & 0xffu) != PKT_RUN) step_node(0);
    while ((*at_head(0) & 0xffu) == PKT_RUN) step_node(0);
    CHECK((*at_head(0) & 0xffu) == PKT_FENCE);
    node(0)->is_enabled = false; /* it has begun */
    stream_init(&stream);
    stream_copy(&stream, cast.temporary.handle, 0, cast.result.handle, 0, 8, 0);
    stream_fill(&stream, cast.big.handle, 0, 8, 1, 0);
    uint32_t reader = send_job(cast.context), gone = send_destroy(&cast.temporary);
    turns(200);
    CHECK_EQUAL(count_built(&cast.temporary, DDI_TRANSFER), 1);
    send_preempt(0);
    turns(20);
    node(0)->is_enabled = true;
    receive_all();
    CHECK(sent.answer[maker].status == STATUS_OK && sent.answer[reader].status == STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK(statistic(STAT_WITHHELD) >= 1 && statistic(STAT_WITHHELD) <= 2); /* the reader's portions */
    check_words(&cast.result, 0, VALUE);
    close_checked();
}

/* The node hangs in the job that uses it: the job is lost, the allocation goes. */
static void test_lost_job(void)
{
    CASE("TDR-08");
    struct client_allocation a;
    begin_ahead(4, 4, 0);
    create(&a, 2, SET_1);
    uint32_t context = client_context(&client, 0);
    device_hang(client.device, 0);
    uint32_t job = send_fill(context, &a, 0, 8, VALUE), gone = send_destroy(&a);
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    close_checked();
}

/* The paging node hangs while it has something to do for it: a job that waits is told that the content is lost, and
 * the allocation goes. */
static void test_lost_content(void)
{
    CASE("TDR-04");
    struct client_allocation a, b, other;
    begin_ahead(4, 4, 0);
    create(&a, 2, SET_1);
    create(&b, 4, SET_1);
    create(&other, 1, SET_2);
    uint32_t context = client_context(&client, 0), next = client_context(&client, 0);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    device_hang(client.device, 1);
    uint32_t job = send_fill(context, &b, 0, 8, 1); /* the other one has to leave for it */
    turns(50);
    stream_init(&stream);
    stream_copy(&stream, a.handle, 0, other.handle, 0, 8, 0);
    uint32_t second_job = send_job(next), gone = send_destroy(&a);
    receive_all();
    CHECK(sent.answer[job].status != STATUS_OK && sent.answer[second_job].status != STATUS_OK);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    CHECK_EQUAL(residency_of()->world.table.live_count, 2);
    close_checked();
}

/* A job that was told that content is lost is still told so when it has been preempted since. */
static void test_lost_for_good(void)
{
    CASE("SCH-08, TDR-08");
    struct client_allocation a, b, c, other, target;
    const uint32_t flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_SYNCHRONOUS_PAGING;
    const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_FLAGS] = flags};
    begin_ahead(4, 4, 0);
    const struct gpu *gpu = device_gpu(client.device);
    create(&a, 2, SET_1);
    create(&b, 4, SET_1);
    CHECK_EQUAL(client_create(&client, &other, 1, SET_2, message), STATUS_OK);
    create(&target, 1, SET_2);
    create(&c, 1, SET_2);
    uint32_t context = client_context(&client, 0), first = client_context(&client, 7);
    uint32_t later = client_context(&client, 6);
    stream_init(&stream);
    stream_fill(&stream, a.handle, 0, 8, VALUE, 0);
    stream_fill(&stream, c.handle, 0, 8, VALUE, 0);
    CHECK_EQUAL(submit(context).status, STATUS_OK);
    device_hang(client.device, 1);
    (void)send_fill(context, &b, 0, 8, 1); /* one of them has to leave for it */
    turns(50);
    uint32_t blocker = send_fill(first, &other, 0, 8, 1);
    stream_init(&stream);
    stream_copy(&stream, c.handle, 0, target.handle, 0, 8, 0);
    uint32_t reader = send_job(later), gone = send_destroy(&c);
    turns(50);
    set_force(FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY) | FIELD_PUT(1, HOST_FORCE_EVICT));
    while (gpu->manager.statistics[STAT_ADAPTER_RESETS] == 0) client.transport.wait(client.transport.context, 1);
    node(0)->is_enabled = false;
    for (uint32_t i = 0; gpu->scheduler.stage != STAGE_FORCED_EVICT || gpu->scheduler.queue_count != 1; i++) {
        CHECK(i < 1000);
        turns(1);
    }
    send_preempt(0);
    turns(100);
    node(0)->is_enabled = true;
    receive_all();
    CHECK_EQUAL(sent.answer[blocker].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[reader].status, STATUS_CONTENT_LOST);
    CHECK_EQUAL(sent.answer[gone].status, STATUS_OK);
    close_checked();
}

/* ------------------------------------------------------------------ at random */

enum { ALLOCATIONS = 8, MESSAGES = 15, CONTEXTS = 4, CONTENT = 0x1000 };

struct random_world {
    uint32_t random, force, contexts[CONTEXTS];
    struct client_allocation a[ALLOCATIONS], witness;
    bool is_gone[ALLOCATIONS];
    uint32_t source[MESSAGES]; /* of the job with this index in `sent`, or ALLOCATIONS */
};

static uint32_t read_jobs, failed_jobs, destroyed;
static uint32_t first_seed = 1, worlds = 120, world_seed;

static uint32_t pick(struct random_world *world, uint32_t limit) { return check_pick(&world->random, limit); }

static uint32_t pick_present(struct random_world *world)
{
    uint32_t k = pick(world, ALLOCATIONS);
    while (world->is_gone[k]) k = (k + 1) % ALLOCATIONS;
    return k;
}

static bool may_go(const struct random_world *world)
{
    uint32_t present = 0;
    for (uint32_t i = 0; i < ALLOCATIONS; i++) present += !world->is_gone[i];
    return present > 2 && sent.count < MESSAGES;
}

static void open_world(struct random_world *world, uint32_t seed)
{
    *world = (struct random_world){.random = seed * 2654435761u | 1u};
    for (uint32_t i = 0; i < 5; i++) check_random(&world->random);
    if (pick(world, 3) != 0) world->force |= FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY);
    if (pick(world, 4) == 0) world->force |= FIELD_PUT(1, HOST_FORCE_EVICT);
    if (pick(world, 2) == 0) world->force |= FIELD_PUT(1, HOST_FORCE_SPLIT);
    if (seed % 2u == 0u) world->force |= FIELD_PUT(1, HOST_FORCE_STEP_PLAN);
    boot = (struct client_boot){.force = world->force,
                                .timeout = TIMEOUT,
                                .recovery_limit = 16,
                                .options = FIELD_PUT(pick(world, 3) * 20u, HOST_BOOT_OPTIONS_PAGING_WORDS) |
                                           FIELD_PUT(pick(world, 3), HOST_BOOT_OPTIONS_TRANSFER_PAGES)};
    sent.count = 0;
    open_seeded(5, 3, pick(world, 3) != 0 ? seed : 0);
    boot = (struct client_boot){0};
    device_gpu(client.device)->scheduler.costs.is_starved = pick(world, 3) == 0;
    second.random = seed;
    second.says_busy = pick(world, 3) != 0;
    second.is_one_packet = pick(world, 2) != 0;
    second.is_slow = pick(world, 2) != 0;
    for (uint32_t i = 0; i < CONTEXTS; i++) world->contexts[i] = client_context(&client, (int32_t)(i % 2));
}

/* Full of one word each: as the host wrote it, or as a Fill makes it. */
static void fill_world(struct random_world *world)
{
    static uint32_t content[3 * CLIENT_PAGE / 4];
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        const bool is_undefined = pick(world, 3) == 0;
        uint32_t flags = ALLOCATION_CPU_VISIBLE | (is_undefined ? ALLOCATION_UNDEFINED : 0u);
        if (pick(world, 5) == 0) flags |= ALLOCATION_SYNCHRONOUS_PAGING;
        const uint32_t message[16] = {[MSG_CREATE_ALLOCATION_EVICTION_SET] = i == 1 ? SET_APERTURE : 0,
                                      [MSG_CREATE_ALLOCATION_FLAGS] = flags,
                                      [MSG_CREATE_ALLOCATION_PATTERN] = CONTENT + i};
        for (uint32_t k = 0; k < 3 * CLIENT_PAGE / 4; k++) content[k] = is_undefined ? 0xdead : CONTENT + i;
        CHECK_EQUAL(client_create(&client, &world->a[i], 1 + i % 3, i == 1 ? SET_LOCAL : SET_1, message), STATUS_OK);
        client_write(&client, &world->a[i], (const uint8_t *)content);
    }
    create(&world->witness, 1, SET_APERTURE);
}

static void destroy(struct random_world *world, uint32_t k)
{
    world->source[sent.count] = ALLOCATIONS;
    (void)send_destroy(&world->a[k]);
    world->is_gone[k] = true;
    destroyed++;
}

/* A word of one goes to the job's own word of the witness; before and after it there may be writes. */
static void send_reader(struct random_world *world)
{
    const uint32_t k = pick_present(world), job = sent.count;
    stream_init(&stream);
    if (pick(world, 2) != 0) stream_fill(&stream, world->a[k].handle, 64 + 4 * job, 4, 7, 0);
    stream_copy(&stream, world->a[k].handle, 0, world->witness.handle, 4 * job, 4, 0);
    if (pick(world, 2) != 0) stream_fill(&stream, world->a[k].handle, 0, 4, CONTENT + k, 0);
    if (pick(world, 2) != 0) stream_fill(&stream, world->a[pick_present(world)].handle, 64 + 4 * job, 4, 8, 0);
    world->source[job] = k;
    (void)send_job(world->contexts[pick(world, CONTEXTS)]);
    if (may_go(world) && pick(world, 2) != 0) destroy(world, k);
}

static void send_anything(struct random_world *world)
{
    const uint32_t kind = pick(world, 8), evict[16] = {MSG_EVICT};
    world->source[sent.count] = ALLOCATIONS;
    if (pick(world, 12) == 0) set_force(world->force ^= FIELD_PUT(POLICY_LOOKAHEAD, HOST_FORCE_POLICY));
    if (kind < 2) (void)send_preempt(pick(world, 4) == 0);
    else if (kind == 2) sent.tag[sent.count++] = client_send(&client, evict);
    else if (kind == 3 && may_go(world)) destroy(world, pick_present(world));
    else send_reader(world);
}

/* Whatever stops and whoever is taken back: who is answered OK has read what was there. */
static void run_world(uint32_t seed)
{
    static struct random_world world;
    open_world(&world, seed);
    fill_world(&world);
    while (sent.count < MESSAGES) {
        send_anything(&world);
        turns(pick(&world, 40));
        disturb(&world.random);
    }
    const uint32_t count = sent.count;
    node(0)->is_enabled = node(1)->is_enabled = true;
    receive_all();
    const uint32_t status = client_lock(&client, &world.witness, 0);
    CHECK(status == STATUS_OK || status == STATUS_CONTENT_LOST);
    for (uint32_t k = 0; k < count && status == STATUS_OK; k++) {
        if (world.source[k] == ALLOCATIONS) CHECK_EQUAL(sent.answer[k].status, STATUS_OK);
        else if (sent.answer[k].status != STATUS_OK) failed_jobs++;
        else CHECK_EQUAL(word_of(&world.witness, k), CONTENT + world.source[k]);
        read_jobs += world.source[k] != ALLOCATIONS && sent.answer[k].status == STATUS_OK;
    }
    client.transport.wait(client.transport.context, 4 * TIMEOUT); /* what hangs after the last portion is found */
    client_close(&client);
}

static void test_at_random(void)
{
    for (uint32_t seed = first_seed; seed < first_seed + worlds; seed++) {
        world_seed = seed;
        run_world(seed);
    }
    printf("%u jobs found what they were owed, %u were told that they had not, %u allocations destroyed\n", read_jobs,
           failed_jobs, destroyed);
    CHECK(worlds < 100 || (read_jobs > 3 * worlds && failed_jobs > worlds / 2 && destroyed > 2 * worlds));
}

int main(int count, char **arguments)
{
    if (count > 1) first_seed = (uint32_t)strtoul(arguments[1], NULL, 0);
    if (count > 2) worlds = (uint32_t)strtoul(arguments[2], NULL, 0);
    CHECK_RUN(test_kept_for_a_repeat);
    CHECK_RUN(test_kept_for_what_did_not_fit);
    CHECK_RUN(test_own_content_dropped);
    CHECK_RUN(test_kept_for_a_plan_undone);
    CHECK_RUN(test_taken_back_while_discarded);
    CHECK_RUN(test_not_its_own);
    CHECK_RUN(test_lost_job);
    CHECK_RUN(test_lost_content);
    CHECK_RUN(test_lost_for_good);
    CHECK_RUN(test_at_random);
    if (check_state.failed != 0) printf("repeat: test_destruction_repeat %u 1\n", world_seed);
    return check_finish();
}
