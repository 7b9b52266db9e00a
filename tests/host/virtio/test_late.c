/* SPDX-License-Identifier: Apache-2.0
 *
 * Payloads that are given back when the GPU has drawn them (host/virtio/gpu.h). Goal: meanwhile other commands are
 * done, those of the same context wait in their order, fences are answered in their order, what found no room is
 * submitted again, and a driver that goes or a ring that stops leaves nothing behind. Method: a stand-in serves
 * programs; the test says how far each is. What was given back is read from the used ring.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "fake.h"
#include "gpu_spec.h"

enum { FIRST = 10, SECOND = 20, RECORD = 3 /* and 4: the second's */, SLOTS = 20 };

static struct virtio_gpu gpu;
static struct virtio_queue queue;
static char said[1024];
static enum virtio_gpu_ended first_answer;                  /* of submit */
static enum virtio_gpu_ended how[VIRTIO_GPU_CONTEXTS_MOST]; /* of poll, by the context's place */
static uint32_t works;
static uint16_t seen; /* of the used ring */

static void note(const char *what, uint32_t a, uint32_t b)
{
    const size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "%s %u %u\n", what, a, b);
}
static void heard(const char *text)
{
    assert_string_equal(said, text);
    said[0] = 0;
}

/* ------------------------------------------------------------------ the stand-in */

static bool attach(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count,
                   uint32_t bytes)
{
    (void)context, (void)place, (void)entries, (void)count, (void)bytes;
    return true;
}
static void detach(void *context, uint32_t place) { (void)context, (void)place; }
static bool transfer(void *context, uint32_t place, bool is_from_host)
{
    (void)context;
    note("moved", place, is_from_host);
    return true;
}
static enum virtio_gpu_ended submit(void *context, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    (void)context;
    note("submit", payload->context, payload->message[2]);
    answer[COMPLETION_STATUS] = 1;
    return first_answer;
}
static enum virtio_gpu_ended poll(void *context, uint32_t of, uint32_t *answer)
{
    (void)context;
    answer[COMPLETION_STATUS] = 5;
    return how[of];
}
static void work(void *context)
{
    (void)context;
    works++;
}
static void give_up(void *context, uint32_t of) { note("give up", of, context == NULL); }
static void record(void *context, uint32_t place, uint32_t offset, const uint32_t *answer)
{
    (void)context;
    note("record", place * 1000 + offset, answer[COMPLETION_STATUS] * 100 + answer[COMPLETION_TAG]);
}
static void part(void *context, uint32_t of, uint32_t place) { (void)context, (void)of, (void)place; }
static void leave(void *context, uint32_t of) { note("leave", of, context == NULL); }

/* ------------------------------------------------------------------ the driver */

/* Queue it, with a chain of its own; nothing is done. */
static void queue_command(uint32_t slot, void *command, uint32_t bytes, uint64_t fence)
{
    struct virtio_gpu_header *header = command;
    const uint32_t at = FAKE_COMMAND + slot * 0x400, answer = FAKE_ANSWER + slot * 0x80;
    header->flags = fence != 0 ? (uint32_t)VIRTIO_GPU_FLAG_FENCE : 0;
    header->fence = fence;
    memcpy(fake_at(at), command, bytes);
    memset(fake_at(answer), 0, 0x80);
    fake_describe(2 * slot, at, bytes, FAKE_NEXT, (uint16_t)(2 * slot + 1));
    fake_describe(2 * slot + 1, answer, 0x80, FAKE_WRITE, 0);
    fake_offer((uint16_t)(2 * slot));
}
static void queue_payload(uint32_t slot, uint32_t context, uint32_t word, uint64_t fence)
{
    struct {
        struct virtio_gpu_named head;
        uint32_t words[PAYLOAD_LIST];
    } payload = {{{.type = COMMAND_SUBMIT_3D, .context = context}, sizeof payload.words, 0}, {0}};
    payload.words[PAYLOAD_MAGIC] = PAYLOAD_IS_MAGIC;
    payload.words[PAYLOAD_VERSION] = PAYLOAD_IS_VERSION;
    payload.words[PAYLOAD_RECORD] = context == FIRST ? RECORD : RECORD + 1;
    payload.words[PAYLOAD_RECORD_OFFSET] = 32 * slot;
    payload.words[PAYLOAD_MESSAGE + 1] = slot; /* the tag */
    payload.words[PAYLOAD_MESSAGE + 2] = word;
    queue_command(slot, &payload, sizeof payload, fence);
}
static void queue_named(uint32_t slot, uint32_t type, uint32_t context, uint32_t which, uint64_t fence)
{
    struct virtio_gpu_named command = {{.type = type, .context = context}, which, 0};
    queue_command(slot, &command, sizeof command, fence);
}
static void turn(uint32_t times)
{
    while (times-- > 0) assert_true(virtio_gpu_control(&gpu, &queue));
}
/* The slots that were given back since it was asked last, and their answers' types. */
static void given(const char *expected)
{
    char text[256] = "";
    for (; seen != fake_used_index(); seen++) {
        uint32_t head, type;
        memcpy(&head, fake_at(FAKE_USED) + 4 + 8 * (seen % FAKE_SIZE), sizeof head);
        memcpy(&type, fake_at(FAKE_ANSWER + head / 2 * 0x80), sizeof type);
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%u%s ", head / 2, type == RESPONSE_OK ? "" : "!");
    }
    assert_string_equal(text, expected);
}

static void send(void *command, uint32_t bytes)
{
    assert_int_equal(fake_command(&gpu, &queue, command, bytes), RESPONSE_OK);
}

static int begin(void **state)
{
    static const uint32_t set[1] = {7};
    (void)state;
    gpu.programs = (struct virtio_gpu_programs){&gpu, set,  sizeof set, attach, detach, transfer, submit,
                                                poll, work, give_up,    record, part,   leave};
    fake_begin(&gpu, &queue);
    first_answer = VIRTIO_GPU_NOT_YET;
    memset(how, 0, sizeof how);
    for (uint32_t id = RECORD; id <= RECORD + 1; id++) {
        struct virtio_gpu_context_create create = {
            .header = {.type = COMMAND_CONTEXT_CREATE, .context = id == RECORD ? FIRST : SECOND}};
        struct virtio_gpu_create_3d buffer = {
            .header.type = COMMAND_CREATE_3D, .resource = id, .width = 4096, .height = 1, .depth = 1, .layers = 1};
        struct virtio_gpu_named named = {{.type = COMMAND_CONTEXT_ATTACH, .context = create.header.context}, id, 0};
        struct virtio_gpu_attach pages = {{.type = COMMAND_ATTACH_BACKING}, id, 0};
        send(&create, sizeof create);
        send(&buffer, sizeof buffer);
        send(&named, sizeof named);
        send(&pages, sizeof pages);
    }
    seen = fake_used_index();
    works = 0;
    said[0] = 0;
    return 0;
}

/* ------------------------------------------------------------------ cases */

static void test_others_go_on(void **state)
{
    (void)state;
    queue_payload(0, FIRST, 70, 1);
    queue_named(1, COMMAND_UNREF, 0, 99, 0);              /* refused, at once */
    queue_named(2, COMMAND_CONTEXT_ATTACH, SECOND, 3, 0); /* another context's */
    turn(6);
    heard("submit 0 70\n");
    given("1! 2 ");
    assert_true(virtio_gpu_is_late(&gpu));
    assert_true(works > 0);
    how[0] = VIRTIO_GPU_ENDED;
    turn(1);
    heard("record 0 500\n");
    given("0 ");
    assert_false(virtio_gpu_is_late(&gpu));
}

/* All that is queued begins before the GPU works; a driver that queues without end does not hold it up. */
static void test_begun_first(void **state)
{
    enum { FLOOD = 40 };
    (void)state;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, FIRST, 71, 2);
    queue_payload(2, FIRST, 72, 3);
    queue_payload(3, SECOND, 73, 4);
    turn(4);
    heard("submit 0 70\nsubmit 1 73\n");
    assert_int_equal(works, 0);
    turn(1);
    assert_int_equal(works, 1);
    for (uint32_t i = 0; i < FLOOD; i++) {
        queue_named(5, COMMAND_UNREF, 0, 99, 0); /* refused, at once */
        turn(1);
    }
    assert_int_equal(works, 2);
    how[0] = how[1] = VIRTIO_GPU_ENDED;
    turn(4);
    assert_false(virtio_gpu_is_late(&gpu));
}

static void test_one_context(void **state)
{
    (void)state;
    queue_payload(1, FIRST, 71, 1);
    queue_payload(2, FIRST, 72, 2);
    queue_named(3, COMMAND_CONTEXT_DESTROY, FIRST, 0, 0); /* not before what was submitted */
    queue_payload(4, SECOND, 73, 3);
    turn(8);
    heard("submit 0 71\nsubmit 1 73\n");
    given("");
    how[0] = VIRTIO_GPU_ENDED;
    turn(1);
    heard("record 32 501\nsubmit 0 72\n");
    given("1 ");
    turn(1);
    heard("record 64 502\nleave 0 0\n");
    given("2 3 ");
    how[1] = VIRTIO_GPU_ENDED;
    turn(1);
    heard("record 1128 504\n");
    given("4 ");
    assert_int_equal(virtio_gpu_contexts(&gpu), 1);
}

static void test_fences_in_order(void **state)
{
    (void)state;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, SECOND, 71, 2);
    queue_named(2, COMMAND_CONTEXT_ATTACH, 0, 3, 3); /* of no context there is: refused, but its fence waits */
    queue_payload(3, SECOND, 72, 0);                 /* waits for no fence but its context */
    turn(4);
    how[1] = VIRTIO_GPU_ENDED;
    turn(4);
    heard("submit 0 70\nsubmit 1 71\nrecord 1032 501\nsubmit 1 72\nrecord 1096 503\n"); /* in the records at once */
    given("3 ");
    how[0] = VIRTIO_GPU_ENDED;
    turn(1);
    heard("record 0 500\n");
    given("0 1 2! ");
}

static void test_again(void **state)
{
    (void)state;
    first_answer = VIRTIO_GPU_AGAIN;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, FIRST, 71, 2);
    turn(2);
    const uint64_t payloads = gpu.counts.payloads;
    turn(3);
    assert_int_equal(gpu.counts.payloads, payloads);
    heard("submit 0 70\nsubmit 0 70\nsubmit 0 70\nsubmit 0 70\nsubmit 0 70\nsubmit 0 70\n");
    first_answer = VIRTIO_GPU_NOT_YET;
    turn(1);
    how[0] = VIRTIO_GPU_AGAIN; /* as the GPU answers BUSY */
    turn(1);
    heard("submit 0 70\n");
    how[0] = VIRTIO_GPU_NOT_YET;
    turn(1);
    heard("submit 0 70\n"); /* and not 71 before it */
    how[0] = VIRTIO_GPU_ENDED;
    turn(4);
    heard("record 0 500\nsubmit 0 71\nrecord 32 501\n");
    given("0 1 ");
}

/* What the driver changes meanwhile is judged when its turn comes; a record that has gone is written by nobody. */
static void test_changed(void **state)
{
    (void)state;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, FIRST, 71, 2);
    turn(2);
    heard("submit 0 70\n");
    const uint32_t forged = 77;
    memcpy(fake_at(FAKE_COMMAND + 0x400 + sizeof(struct virtio_gpu_named) + 4 * PAYLOAD_RECORD), &forged, 4);
    queue_named(2, COMMAND_UNREF, 0, RECORD, 0);
    turn(1);
    how[0] = VIRTIO_GPU_ENDED;
    turn(3);
    heard("");
    given("2 0 1 ");
    assert_int_equal(gpu.counts.unrecorded, 2);
}

static void test_reset_and_settle(void **state)
{
    (void)state;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, FIRST, 71, 2);
    queue_payload(2, SECOND, 72, 3);
    turn(3);
    heard("submit 0 70\nsubmit 1 72\n");
    how[0] = how[1] = VIRTIO_GPU_ENDED;
    virtio_gpu_settle(&gpu, &queue);
    heard("record 0 500\nsubmit 0 71\nrecord 1064 502\nrecord 32 501\n");
    given("0 1 2 ");
    how[0] = how[1] = VIRTIO_GPU_NOT_YET;
    queue_payload(0, FIRST, 70, 1);
    queue_payload(1, FIRST, 71, 2);
    turn(2);
    said[0] = 0;
    virtio_gpu_reset(&gpu);
    heard("give up 0 0\nleave 0 0\nleave 1 0\n");
    given("");
    assert_false(virtio_gpu_is_late(&gpu));
}

/* A driver that queues without end is not taken from without end. */
static void test_bound(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2 * VIRTIO_GPU_LATE_MOST; i++) {
        queue_payload(i % SLOTS, FIRST, 70, i + 1);
        turn(1);
    }
    assert_int_equal(gpu.late_count, VIRTIO_GPU_LATE_MOST);
    assert_true(queue.is_broken || (uint16_t)(seen + VIRTIO_GPU_LATE_MOST) == queue.next);
    how[0] = VIRTIO_GPU_ENDED;
    virtio_gpu_settle(&gpu, &queue);
    assert_false(virtio_gpu_is_late(&gpu));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup(test, begin)
    const struct CMUnitTest tests[] = {CASE(test_others_go_on),    CASE(test_begun_first),     CASE(test_one_context),
                                       CASE(test_fences_in_order), CASE(test_again),           CASE(test_changed),
                                       CASE(test_bound),           CASE(test_reset_and_settle)};
    const int count = sizeof tests / sizeof *tests, failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
