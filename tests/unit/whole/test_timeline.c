/* SPDX-License-Identifier: Apache-2.0
 *
 * Timelines, against the whole firmware on the golden model. Goal: a SUBMIT, FLIP or WAIT_TIMELINE goes on when its
 * point is reached and not before, in order; a wait that cannot end is answered by name after its limit and costs only
 * its context; whatever goes, all waits for it end and nothing is left. Method: each rule by itself, with the bytes
 * that were drawn.
 */
#include "points.h"

enum { MINE = 1, THEIRS = 2, OTHER = 3 };

static void start(void)
{
    forget_answers();
    open_with(8, 8, 0, 0);
}

static void end(void)
{
    CHECK_EQUAL(waits_left(), 0);
    client.id = 0;
    close_checked();
}

/* ------------------------------------------------------------------ values and names */

static void test_values(void)
{
    start();
    const uint32_t timeline = timeline_of(0, 0xfffffffeu, 0);
    CHECK(value_of(0, timeline) == 0xfffffffeu);
    CHECK_EQUAL(signal_to(0, timeline, 3), STATUS_OK); /* it only grows */
    CHECK(value_of(0, timeline) == 0xfffffffeu);
    CHECK_EQUAL(signal_to(0, timeline, 0x100000001u), STATUS_OK);
    CHECK(value_of(0, timeline) == 0x100000001u);
    CHECK_EQUAL(signal_to(0, timeline, 0xffffffffu), STATUS_OK);
    CHECK(value_of(0, timeline) == 0x100000001u);
    CHECK_EQUAL(status_of(wait_for(0, (struct point){timeline, 0x100000001u}, 0)), STATUS_OK);
    CHECK_EQUAL(status_of(wait_for(0, (struct point){timeline, 0x100000002u}, LIMIT)), STATUS_POINT_TIMEOUT);
    CHECK_EQUAL(status_of(wait_for(0, (struct point){timeline, 0x200000000u}, LIMIT)), STATUS_POINT_TIMEOUT);
    CHECK_EQUAL(signal_to(0, timeline, UINT64_MAX), STATUS_OK);
    CHECK_EQUAL(status_of(wait_for(0, (struct point){timeline, UINT64_MAX}, 0)), STATUS_OK);
    check_refusal(ask(0, MSG_CREATE_TIMELINE, 0, 0, 0x80000000u), STATUS_BAD_ARGUMENT, MSG_CREATE_TIMELINE_LIMIT);
    check_refusal(answer_of(wait_for(0, (struct point){timeline, 1}, 0x80000000u)), STATUS_BAD_ARGUMENT,
                  MSG_WAIT_TIMELINE_LIMIT);
    check_refusal(ask(0, MSG_SHARE_TIMELINE, timeline, 0, RIGHT_READ), STATUS_BAD_ARGUMENT, MSG_SHARE_TIMELINE_CLIENT);
    check_refusal(ask(0, MSG_SHARE_TIMELINE, timeline, CLIENT_LIMIT, RIGHT_READ), STATUS_BAD_ARGUMENT,
                  MSG_SHARE_TIMELINE_CLIENT);
    check_refusal(ask(0, MSG_SHARE_TIMELINE, timeline, 1, RIGHT_READ | RIGHT_WRITE), STATUS_BAD_ARGUMENT,
                  MSG_SHARE_TIMELINE_RIGHTS);
    CHECK_EQUAL(ask(0, MSG_WAIT_TIMELINE + 1, timeline, 0, 0).status, STATUS_BAD_MESSAGE);
    CHECK_EQUAL(ask(0, MSG_DESTROY_TIMELINE, timeline, 0, 0).status, STATUS_OK);
    end();
}

/* What each message says of this name; a SUBMIT's wait and signal, too. */
static void check_name(uint32_t id, uint32_t context, uint32_t timeline, bool may_wait, bool is_own)
{
    const uint32_t wait = may_wait ? STATUS_OK : STATUS_BAD_TIMELINE, own = is_own ? STATUS_OK : STATUS_BAD_TIMELINE;
    const struct point zero = {timeline, 0};
    CHECK_EQUAL(ask(id, MSG_QUERY_TIMELINE, timeline, 0, 0).status, wait);
    CHECK_EQUAL(status_of(wait_for(id, zero, 0)), wait);
    CHECK_EQUAL(signal_to(id, timeline, 0), own);
    CHECK_EQUAL(share_with(id, timeline, OTHER, 0), own);
    if (!is_own) check_refusal(ask(id, MSG_DESTROY_TIMELINE, timeline, 0, 0), own, MSG_DESTROY_TIMELINE_TIMELINE);
    struct answer answer = answer_of(send_empty(id, context, zero, no_point));
    check_refusal(answer, wait, may_wait ? 0u : MSG_SUBMIT_WAIT_TIMELINE);
    answer = answer_of(send_empty(id, context, no_point, zero));
    check_refusal(answer, own, is_own ? 0u : MSG_SUBMIT_SIGNAL_TIMELINE);
}

static void test_names(void)
{
    start();
    const uint32_t mine = context_for(MINE), theirs = context_for(THEIRS);
    uint32_t timeline = timeline_of(MINE, 0, 0);
    check_name(MINE, mine, timeline, true, true);
    check_name(THEIRS, theirs, timeline, false, false);
    for (uint32_t bit = 0; bit < 32u; bit++) check_name(MINE, mine, timeline ^ 1u << bit, false, false);
    CHECK_EQUAL(share_with(MINE, timeline, THEIRS, RIGHT_READ), STATUS_OK);
    check_name(THEIRS, theirs, timeline, true, false);
    CHECK_EQUAL(share_with(MINE, timeline, THEIRS, 0), STATUS_OK);
    check_name(THEIRS, theirs, timeline, false, false);
    CHECK_EQUAL(ask(MINE, MSG_DESTROY_TIMELINE, timeline, 0, 0).status, STATUS_OK);
    check_name(MINE, mine, timeline, false, false);
    const uint32_t stale = timeline;
    timeline = timeline_of(MINE, 0, 0);
    CHECK(timeline != stale);
    check_name(MINE, mine, stale, false, false);
    check_name(THEIRS, theirs, timeline, false, false); /* a right does not outlive what it was given for */
    end();
}

/* A client has at most one more than are free: nobody alone takes the last. */
static void test_parts(void)
{
    start();
    uint32_t of[CLIENT_LIMIT] = {0}, left = LIMIT_BITS_TIMELINES;
    for (uint32_t id = 1; id < 6u; id++) {
        while (left > of[id]) {
            (void)timeline_of(id, 0, 0);
            of[id]++;
            left--;
        }
        CHECK(left > 0u && of[id] > 0u);
        CHECK_EQUAL(ask(id, MSG_CREATE_TIMELINE, 0, 0, 0).status, STATUS_OUT_OF_HANDLES);
    }
    CHECK_EQUAL(of[1], LIMIT_BITS_TIMELINES / 2);
    end();
}

/* ------------------------------------------------------------------ DMA buffers */

static uint32_t send_fill(uint32_t id, uint32_t context, const struct client_allocation *target, uint32_t colour,
                          struct point wait, struct point signal)
{
    stream_init(&stream);
    stream_fill(&stream, target->handle, 0, 8, colour, 0);
    return send_stream(id, context, wait, signal);
}

static uint32_t drawn(uint32_t id, const struct client_allocation *target)
{
    client.id = id;
    CHECK_EQUAL(client_lock(&client, target, LOCK_ENTIRE), STATUS_OK);
    const uint32_t word = word_of(target, 0);
    CHECK_EQUAL(client_unlock(&client, target), STATUS_OK);
    return word;
}

static void test_waits(void)
{
    struct client_allocation target;
    start();
    CHECK_EQUAL(client_create(&client, &target, 1, SET_LOCAL, NULL), STATUS_OK);
    const uint32_t first = context_for(0), second = context_for(0), timeline = timeline_of(0, 0, 0);
    const struct point one = {timeline, 1}, two = {timeline, 2}, five = {timeline, 5};
    const uint32_t late = send_fill(0, first, &target, 2, one, two);
    const uint32_t behind = send_fill(0, first, &target, 3, no_point, no_point); /* in order of its context */
    settle();
    CHECK(!is_answered(late) && !is_answered(behind));
    CHECK_EQUAL(waits_left(), 2);
    CHECK_EQUAL(drawn(0, &target), 0); /* what waits counts as not sent: nothing waits for it */
    CHECK_EQUAL(status_of(send_fill(0, second, &target, 1, no_point, one)), STATUS_OK);
    CHECK_EQUAL(status_of(late), STATUS_OK);
    CHECK_EQUAL(status_of(behind), STATUS_OK);
    CHECK_EQUAL(drawn(0, &target), 3);
    CHECK(value_of(0, timeline) == 2u);
    const uint32_t again = send_fill(0, first, &target, 4, five, no_point);
    CHECK_EQUAL(signal_to(0, timeline, 4), STATUS_OK);
    settle();
    CHECK(!is_answered(again));
    CHECK_EQUAL(signal_to(0, timeline, 6), STATUS_OK);
    CHECK_EQUAL(status_of(again), STATUS_OK);
    CHECK_EQUAL(drawn(0, &target), 4);
    CHECK_EQUAL(status_of(send_fill(0, first, &target, 5, five, no_point)), STATUS_OK); /* reached already */
    end();
}

/* Flags of SUBMIT: without POINTS its words say nothing. */
static void test_flags(void)
{
    uint32_t message[16];
    start();
    const uint32_t context = context_for(0), timeline = timeline_of(0, 0, 0);
    stream_init(&stream);
    stream_push(&stream, PKT_NOP);
    client_stage(&client, &stream, context, 0, message);
    write_points(&message[MSG_SUBMIT_WAIT_TIMELINE], (struct point){timeline, 9}, (struct point){4711, 1});
    CHECK_EQUAL(status_of(client_send(&client, message)), STATUS_OK);
    message[MSG_SUBMIT_FLAGS] = SUBMIT_FLAG_POINTS | SUBMIT_FLAG_NULL_RENDERING;
    CHECK_EQUAL(status_of(client_send(&client, message)), STATUS_BAD_TIMELINE);
    write_points(&message[MSG_SUBMIT_WAIT_TIMELINE], no_point, (struct point){timeline, 9});
    CHECK_EQUAL(status_of(client_send(&client, message)), STATUS_OK);
    CHECK(value_of(0, timeline) == 9u);
    message[MSG_SUBMIT_FLAGS] = 4;
    check_refusal(answer_of(client_send(&client, message)), STATUS_BAD_FLAGS, 4);
    end();
}

/* Only what is complete and good signals. */
static void test_failures(void)
{
    start();
    const uint32_t context = context_for(0), other = context_for(0), timeline = timeline_of(0, 0, LIMIT);
    const struct point one = {timeline, 1};
    const uint32_t late = send_empty(0, other, one, no_point);
    stream_init(&stream);
    stream_push(&stream, 0xff);
    CHECK_EQUAL(status_of(send_stream(0, context, no_point, one)), STATUS_BAD_OPCODE);
    CHECK(value_of(0, timeline) == 0u);
    CHECK_EQUAL(status_of(late), STATUS_POINT_TIMEOUT);
    CHECK_EQUAL(status_of(send_empty(0, other, no_point, one)), STATUS_OK); /* its context is as before */
    CHECK(value_of(0, timeline) == 1u);
    end();
}

/* What has been accepted and fails while it runs signals nothing either. */
static void test_lost_before_it_runs(void)
{
    start();
    const uint32_t context = context_for(0), timeline = timeline_of(0, 0, LIMIT);
    struct gpu *gpu = device_gpu(client.device);
    uint32_t index;
    CHECK(context_find(&gpu->manager.contexts, context, &index));
    const uint32_t lost = send_empty(0, context, no_point, (struct point){timeline, 1});
    for (uint32_t i = 0; i < 100u && gpu->scheduler.job_count == 0u; i++) (void)gpu_turn(gpu);
    CHECK_EQUAL(gpu->scheduler.job_count, 1);
    gpu->manager.contexts.entry[index].is_lost = true;
    CHECK_EQUAL(status_of(lost), STATUS_CONTEXT_LOST);
    CHECK(value_of(0, timeline) == 0u);
    end();
}

/* Two clients wait for each other: both are told so, and a third is served as ever. */
static void test_cycle(void)
{
    struct client_allocation target;
    start();
    client.id = OTHER;
    CHECK_EQUAL(client_create(&client, &target, 1, SET_LOCAL, NULL), STATUS_OK);
    const uint32_t contexts[3] = {context_for(MINE), context_for(THEIRS), context_for(OTHER)};
    const uint32_t mine = timeline_of(MINE, 0, LIMIT), theirs = timeline_of(THEIRS, 0, LIMIT);
    CHECK_EQUAL(share_with(MINE, mine, THEIRS, RIGHT_READ), STATUS_OK);
    CHECK_EQUAL(share_with(THEIRS, theirs, MINE, RIGHT_READ), STATUS_OK);
    const uint32_t a = send_empty(MINE, contexts[0], (struct point){theirs, 1}, (struct point){mine, 1});
    const uint32_t b = send_empty(THEIRS, contexts[1], (struct point){mine, 1}, (struct point){theirs, 1});
    const uint64_t begin = client.transport.cycles(client.transport.context);
    for (uint32_t i = 0; i < 8u; i++)
        CHECK_EQUAL(status_of(send_fill(OTHER, contexts[2], &target, i, no_point, no_point)), STATUS_OK);
    CHECK(!is_answered(a) && !is_answered(b));
    CHECK_EQUAL(status_of(a), STATUS_POINT_TIMEOUT);
    CHECK_EQUAL(status_of(b), STATUS_POINT_TIMEOUT);
    const uint64_t cycles = client.transport.cycles(client.transport.context) - begin;
    CHECK(cycles > LIMIT && cycles < 2u * LIMIT);
    CHECK(value_of(MINE, mine) == 0u && value_of(THEIRS, theirs) == 0u);
    CHECK_EQUAL(status_of(send_empty(MINE, contexts[0], no_point, (struct point){mine, 1})), STATUS_OK);
    CHECK_EQUAL(status_of(send_empty(THEIRS, contexts[1], (struct point){mine, 1}, no_point)), STATUS_OK);
    end();
}

/* The limit of a timeline that has none is that of a portion. */
static void test_default_limit(void)
{
    const struct device_options options = {.memory_bytes = 8u << 20};
    const struct client_boot boot = {.portion_limit = 3u * LIMIT};
    forget_answers();
    client_boot(&client, &options, &boot);
    const struct point one = {timeline_of(0, 0, 0), 1};
    const uint64_t begin = client.transport.cycles(client.transport.context);
    CHECK_EQUAL(status_of(wait_for(0, one, LIMIT)), STATUS_POINT_TIMEOUT);
    CHECK(client.transport.cycles(client.transport.context) - begin < 2u * LIMIT);
    CHECK_EQUAL(status_of(send_empty(0, context_for(0), one, no_point)), STATUS_POINT_TIMEOUT);
    CHECK(client.transport.cycles(client.transport.context) - begin > 4u * LIMIT);
    end();
}

/* ------------------------------------------------------------------ what goes */

static void test_gone(void)
{
    start();
    const uint32_t contexts[2] = {context_for(MINE), context_for(THEIRS)};
    for (uint32_t way = 0; way < 3u; way++) {
        const uint32_t timeline = timeline_of(MINE, 0, 0), held = timeline_of(THEIRS, 0, 0);
        const struct point one = {timeline, 1};
        CHECK_EQUAL(share_with(MINE, timeline, THEIRS, RIGHT_READ), STATUS_OK);
        const uint32_t own = send_empty(MINE, contexts[0], one, no_point);
        const uint32_t other = send_empty(THEIRS, contexts[1], one, (struct point){held, 1});
        const uint32_t last = send_empty(THEIRS, contexts[1], no_point, no_point);
        const uint32_t message = wait_for(THEIRS, one, 0);
        settle();
        CHECK_EQUAL(waits_left(), 4);
        if (way == 0u) { /* the timeline */
            CHECK_EQUAL(ask(MINE, MSG_DESTROY_TIMELINE, timeline, 0, 0).status, STATUS_OK);
            CHECK_EQUAL(status_of(own), STATUS_TIMELINE_GONE);
        } else if (way == 1u) { /* the right */
            CHECK_EQUAL(share_with(MINE, timeline, THEIRS, 0), STATUS_OK);
        } else { /* the context, and after it the right */
            CHECK_EQUAL(ask(THEIRS, MSG_DESTROY_CONTEXT, contexts[1], 0, 0).status, STATUS_OK);
            CHECK_EQUAL(status_of(other), STATUS_WAIT_ENDED);
            CHECK_EQUAL(status_of(last), STATUS_WAIT_ENDED);
            CHECK_EQUAL(waits_left(), 2);
            CHECK_EQUAL(share_with(MINE, timeline, THEIRS, 0), STATUS_OK);
        }
        if (way < 2u) CHECK_EQUAL(status_of(other), STATUS_TIMELINE_GONE);
        if (way < 2u) CHECK_EQUAL(status_of(last), STATUS_OK); /* it waited for its turn alone */
        CHECK_EQUAL(status_of(message), STATUS_TIMELINE_GONE);
        CHECK(value_of(THEIRS, held) == 0u);
        if (way == 0u) continue;
        CHECK_EQUAL(signal_to(MINE, timeline, 1), STATUS_OK);
        CHECK_EQUAL(status_of(own), STATUS_OK);
    }
    end();
}

/* A timeline that goes before what would signal it. */
static void test_signal_of_gone(void)
{
    start();
    const uint32_t context = context_for(0), gate = timeline_of(0, 0, 0), timeline = timeline_of(0, 0, 0);
    const uint32_t late = send_empty(0, context, (struct point){gate, 1}, (struct point){timeline, 7});
    settle();
    CHECK_EQUAL(ask(0, MSG_DESTROY_TIMELINE, timeline, 0, 0).status, STATUS_OK);
    const uint32_t next = timeline_of(0, 0, 0); /* in its place */
    CHECK_EQUAL(signal_to(0, gate, 1), STATUS_OK);
    CHECK_EQUAL(status_of(late), STATUS_OK);
    CHECK(value_of(0, next) == 0u);
    end();
}

/* The context is lost: what waits in it says so, without waiting for its limit. */
static void test_lost(void)
{
    start();
    const uint32_t context = context_for(MINE), timeline = timeline_of(MINE, 0, 0x7fffffffu);
    uint32_t index;
    const uint32_t late = send_empty(MINE, context, (struct point){timeline, 1}, no_point);
    const uint32_t last = send_empty(MINE, context, no_point, no_point);
    settle();
    struct context_table *contexts = &device_gpu(client.device)->manager.contexts;
    CHECK(context_find(contexts, context, &index));
    contexts->entry[index].is_lost = true;
    CHECK_EQUAL(status_of(late), STATUS_CONTEXT_LOST);
    CHECK_EQUAL(status_of(last), STATUS_CONTEXT_LOST);
    end();
}

/* A message that begins to wait while others are to be looked at takes the look from none of them: the one in front is
 * found before the firmware has nothing more to do. */
static void test_begins_among_looks(void)
{
    start();
    const uint32_t first = timeline_of(MINE, 0, 0), second = timeline_of(MINE, 0, 0);
    const uint32_t found = wait_for(MINE, (struct point){first, 1}, 0);
    uint32_t others[3];
    for (uint32_t i = 0; i < 2u; i++) others[i] = wait_for(MINE, (struct point){second, 1}, 0);
    settle();
    struct gpu *gpu = device_gpu(client.device);
    CHECK_EQUAL(waits_left(), 3);
    gpu->manager.timelines->next = 1;
    gpu->turns = 1; /* limits are not looked at soon */
    client.id = MINE;
    const uint32_t signal = client_send(&client, (uint32_t[16]){MSG_SIGNAL_TIMELINE, 0, first, 1});
    others[2] = wait_for(MINE, (struct point){second, 1}, 0);
    for (uint32_t i = 0; i < 12u && gpu_turn(gpu); i++) continue;
    CHECK(is_answered(signal) && is_answered(found) && !is_answered(others[2]));
    CHECK_EQUAL(status_of(signal), STATUS_OK);
    CHECK_EQUAL(status_of(found), STATUS_OK);
    CHECK_EQUAL(signal_to(MINE, second, 1), STATUS_OK);
    for (uint32_t i = 0; i < 3u; i++) CHECK_EQUAL(status_of(others[i]), STATUS_OK);
    end();
}

/* As many waits as there may be; who has none gets one nevertheless. */
static void test_full(void)
{
    uint32_t tags[LIMIT_BITS_POINT_WAITS + 1];
    start();
    const uint32_t mine = timeline_of(MINE, 0, 0), theirs = timeline_of(THEIRS, 0, 0);
    uint32_t count = 0;
    for (; count <= LIMIT_BITS_POINT_WAITS; count++) {
        tags[count] = wait_for(MINE, (struct point){mine, 1}, 0);
        settle();
        if (!is_answered(tags[count])) continue;
        CHECK_EQUAL(status_of(tags[count]), STATUS_BUSY);
        break;
    }
    CHECK_EQUAL(count, LIMIT_BITS_POINT_WAITS / 2);
    CHECK_EQUAL(status_of(send_empty(MINE, context_for(MINE), (struct point){mine, 1}, no_point)), STATUS_BUSY);
    const uint32_t other = send_empty(THEIRS, context_for(THEIRS), (struct point){theirs, 1}, no_point);
    settle();
    CHECK(!is_answered(other));
    CHECK_EQUAL(signal_to(MINE, mine, 1), STATUS_OK);
    for (uint32_t i = 0; i < count; i++) CHECK_EQUAL(status_of(tags[i]), STATUS_OK);
    CHECK_EQUAL(signal_to(THEIRS, theirs, 1), STATUS_OK);
    CHECK_EQUAL(status_of(other), STATUS_OK);
    end();
}

/* ------------------------------------------------------------------ flips */

enum { POINTS_AT = 5 * CLIENT_PAGE };

static uint32_t send_flip(const struct client_allocation *surface, struct point wait, struct point signal)
{
    struct flip_message message = flip_of(surface);
    uint32_t words[6];
    write_points(words, wait, signal);
    client.transport.memory_write(client.transport.context, POINTS_AT, words, sizeof words);
    message.words[MSG_FLIP_POINTS] = POINTS_AT;
    client.id = 0;
    const uint32_t tag = client_send(&client, message.words);
    (void)ask(OTHER, MSG_NOP, 0, 0, 0);
    client.id = 0;
    return tag;
}

/* A FLIP that names another client's DMA buffer is refused, and not held up by it. */
static void check_anothers_buffer(struct flip_message flip, uint32_t timeline)
{
    const uint32_t theirs = timeline_of(OTHER, 0, 0), context = context_for(OTHER);
    const uint32_t buffer = send_empty(OTHER, context, (struct point){theirs, 1}, no_point);
    const uint32_t own = wait_for(0, (struct point){timeline, 3}, LIMIT);
    flip.words[MSG_FLIP_CONTEXT] = context;
    flip.words[MSG_FLIP_TAG] = buffer;
    check_refusal(answer_of(client_send(&client, flip.words)), STATUS_BAD_CONTEXT, 0);
    CHECK(!is_answered(buffer));
    CHECK_EQUAL(signal_to(OTHER, theirs, 1), STATUS_OK);
    CHECK_EQUAL(status_of(buffer), STATUS_OK);
    CHECK_EQUAL(status_of(own), STATUS_POINT_TIMEOUT);
    client.id = 0;
}

static void test_flips(void)
{
    forget_answers();
    begin();
    const uint32_t timeline = timeline_of(0, 0, 0), shown = timeline_of(0, 0, 0);
    const uint32_t first = send_flip(&red, (struct point){timeline, 1}, (struct point){shown, 1});
    const struct flip_message plain = flip_of(&green);
    const uint32_t second = client_send(&client, plain.words); /* in order of its plane */
    show_frame();
    show_frame();
    CHECK(!is_answered(first) && !is_answered(second));
    CHECK(value_of(0, shown) == 0u && seen_at(5, 5) == 0u);
    CHECK_EQUAL(signal_to(0, timeline, 1), STATUS_OK);
    CHECK_EQUAL(status_of(first), STATUS_OK);
    CHECK(value_of(0, shown) == 1u);
    CHECK_EQUAL(status_of(second), STATUS_OK);
    show_frame();
    CHECK_EQUAL(seen_at(5, 5), GREEN_SEEN);
    /* After a DMA buffer that waits. */
    struct flip_message after = flip_of(&blue);
    const uint32_t context = context_for(0);
    uint32_t late = send_empty(0, context, (struct point){timeline, 2}, no_point);
    after.words[MSG_FLIP_CONTEXT] = context;
    after.words[MSG_FLIP_TAG] = late;
    uint32_t third = client_send(&client, after.words);
    show_frame();
    CHECK(!is_answered(third));
    CHECK_EQUAL(signal_to(0, timeline, 2), STATUS_OK);
    CHECK_EQUAL(status_of(late), STATUS_OK);
    CHECK_EQUAL(status_of(third), STATUS_OK);
    check_anothers_buffer(after, timeline);
    /* The same, and it fails. */
    late = send_empty(0, context, (struct point){timeline, 3}, no_point);
    after.words[MSG_FLIP_TAG] = late;
    third = client_send(&client, after.words);
    settle();
    CHECK_EQUAL(ask(0, MSG_DESTROY_TIMELINE, timeline, 0, 0).status, STATUS_OK);
    CHECK_EQUAL(status_of(late), STATUS_TIMELINE_GONE);
    check_refusal(answer_of(third), STATUS_DROPPED, STATUS_TIMELINE_GONE);
    close_display();
}

static void test_flips_end(void)
{
    forget_answers();
    begin();
    const uint32_t timeline = timeline_of(0, 0, LIMIT), forever = timeline_of(0, 0, 0);
    const uint32_t shown = timeline_of(0, 0, 0);
    CHECK_EQUAL(status_of(send_flip(&red, (struct point){timeline, 1}, (struct point){shown, 1})),
                STATUS_POINT_TIMEOUT);
    check_refusal(answer_of(send_flip(&red, (struct point){4711, 1}, no_point)), STATUS_BAD_TIMELINE, MSG_FLIP_POINTS);
    check_refusal(answer_of(send_flip(&red, no_point, (struct point){4711, 1})), STATUS_BAD_TIMELINE, MSG_FLIP_POINTS);
    static const uint32_t addresses[] = {POINTS_AT + 2, 0xfffffffcu, 0x7ffffff0u};
    for (uint32_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct flip_message message = flip_of(&red);
        message.words[MSG_FLIP_POINTS] = addresses[i];
        check_refusal(answer_of(client_send(&client, message.words)), STATUS_BAD_ADDRESS, MSG_FLIP_POINTS);
    }
    const uint32_t dropped = send_flip(&red, (struct point){forever, 1}, (struct point){shown, 1});
    CHECK_EQUAL(ask(0, MSG_SET_MODE, DISPLAY_MODE_VGA, 0, 0).status, STATUS_OK);
    check_refusal(answer_of(dropped), STATUS_DROPPED, 0);
    struct flip_message later = flip_of(&red);
    uint32_t words[6];
    write_points(words, no_point, (struct point){shown, 1});
    client.transport.memory_write(client.transport.context, POINTS_AT, words, sizeof words);
    later.words[MSG_FLIP_POINTS] = POINTS_AT;
    later.words[MSG_FLIP_WHEN] = WHEN_FRAME;
    later.words[MSG_FLIP_FRAME] = frame_now() + 1000u;
    const uint32_t waits = client_send(&client, later.words); /* for its frame alone */
    settle();
    CHECK_EQUAL(waits_left(), 0);
    CHECK_EQUAL(ask(0, MSG_SET_MODE, DISPLAY_MODE_VGA, 0, 0).status, STATUS_OK);
    check_refusal(answer_of(waits), STATUS_DROPPED, 0);
    CHECK(value_of(0, shown) == 0u);
    CHECK_EQUAL(waits_left(), 0);
    CHECK_EQUAL(statistic(STAT_FLIPS_DROPPED), 2);
    close_display();
}

int main(void)
{
    CHECK_RUN(test_values);
    CHECK_RUN(test_names);
    CHECK_RUN(test_parts);
    CHECK_RUN(test_waits);
    CHECK_RUN(test_flags);
    CHECK_RUN(test_failures);
    CHECK_RUN(test_lost_before_it_runs);
    CHECK_RUN(test_cycle);
    CHECK_RUN(test_default_limit);
    CHECK_RUN(test_gone);
    CHECK_RUN(test_signal_of_gone);
    CHECK_RUN(test_lost);
    CHECK_RUN(test_begins_among_looks);
    CHECK_RUN(test_full);
    CHECK_RUN(test_flips);
    CHECK_RUN(test_flips_end);
    return check_finish();
}
