/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that hang, crawl or fault, and drivers that fail. Goal: the preempt request comes first, only the culprit is
 * lost, what a reset destroys is told and everything else works on. Method: the golden model with a node held still
 * behind the firmware's back, the calls between manager and driver recorded.
 * TDR-01, TDR-04..TDR-08, SCH-03..SCH-05, DMA-14.
 */
#include "scheduling.h"

enum { TIMEOUT = 1000000, DELAY = 500000 };

static uint64_t now(void) { return client.transport.cycles(client.transport.context); }

/* ------------------------------------------------------------------ what happened, and when */

static uint64_t asked_at, reset_at;
static bool was_pushed_aside; /* TDR-06: the driver answers this aborted fence */
static uint32_t false_fence;

static enum ddi_status note_preempt(void *adapter, const struct ddi_preempt_command *arguments)
{
    asked_at = now();
    return second.ddi.preempt_command(adapter, arguments);
}

static void note_reset(void *adapter, struct ddi_reset_engine *arguments)
{
    reset_at = now();
    second.ddi.reset_engine(adapter, arguments);
    if (was_pushed_aside) arguments->last_aborted_fence_id = false_fence;
}

static void note_adapter_reset(void *adapter)
{
    reset_at = now();
    forget(); /* what is built from now on is the purge */
    second.ddi.reset_from_timeout(adapter);
}

static void begin_noted(uint32_t segment1_pages, uint32_t segment2_pages)
{
    boot.timeout = TIMEOUT;
    boot.preempt_delay = DELAY;
    begin(segment1_pages, segment2_pages);
    device_gpu(client.device)->manager.ddi.preempt_command = note_preempt;
    device_gpu(client.device)->manager.ddi.reset_engine = note_reset;
    device_gpu(client.device)->manager.ddi.reset_from_timeout = note_adapter_reset;
    asked_at = reset_at = 0;
    was_pushed_aside = false;
}

/* ------------------------------------------------------------------ the render node */

/* TDR-01, TDR-08: a hung node is asked to preempt, and reset only when that has not helped for PREEMPT_DELAY. The jobs
 * of others run, with new fences. */
static void test_request_comes_first(void)
{
    CASE("TDR-01, TDR-08");
    struct client_allocation a, b;
    begin_noted(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
    uint32_t guilty = client_context(&client, 0), other = client_context(&client, 0);
    device_hang(client.device, 0);
    uint64_t start = now();
    uint32_t first = send_fill(guilty, &a, 0, 8, 0x11), second_job = send_fill(guilty, &a, 8, 8, 0x22);
    uint32_t third = send_fill(other, &b, 0, 8, 0x33);
    turns(100);
    uint32_t withheld_fence = submitted[submitted_count - 1].submission_fence_id;
    receive_all();
    CHECK(asked_at - start > TIMEOUT && asked_at - start < 2 * TIMEOUT);
    CHECK(reset_at - asked_at > DELAY && reset_at - asked_at < 2 * DELAY);
    CHECK_EQUAL(sent.answer[first].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[second_job].status, STATUS_CONTEXT_LOST);
    CHECK_EQUAL(sent.answer[third].status, STATUS_OK);
    CHECK(sent.answer[third].fence != withheld_fence && fence_reached(sent.answer[third].fence, withheld_fence));
    check_words(&b, 0, 0x33);
    CHECK_EQUAL(use(guilty, &a), STATUS_CONTEXT_LOST);
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 1);
    CHECK_EQUAL(statistic(STAT_PREEMPTIONS), 1);
    CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 0);
    client_close(&client);
}

/* A node that gets going again in time is preempted and not reset: nobody is lost. */
static void test_slow_is_not_stuck(void)
{
    CASE("TDR-01");
    struct client_allocation a;
    begin_noted(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    node(0)->is_enabled = false;
    device_hang(client.device, 0);
    uint32_t job = send_fill(context, &a, 0, 8, 0x44), next = send_fill(context, &a, 8, 8, 0x55);
    while (asked_at == 0) client.transport.wait(client.transport.context, 10000);
    node(0)->is_enabled = true;
    device_release(client.device, 0);
    receive_all();
    CHECK_EQUAL(sent.answer[job].status, STATUS_OK);
    CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
    CHECK_EQUAL(reset_at, 0);
    check_words(&a, 0, 0x44);
    check_words(&a, 2, 0x55);
    client_close(&client);
}

/* A portion that completes packet after packet and never ends is bounded by PORTION_LIMIT. */
static void test_endless_portion(void)
{
    CASE("TDR-08");
    struct client_allocation a;
    boot.portion_limit = 3 * TIMEOUT;
    begin_noted(4, 4);
    boot.portion_limit = 0;
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t guilty = client_context(&client, 0), other = client_context(&client, 0);
    device_crawl(client.device, 0, UINT32_MAX);
    uint64_t start = now();
    uint32_t first = send_fill(guilty, &a, 0, 8, 0x66), next = send_fill(other, &a, 8, 8, 0x77);
    receive_all();
    CHECK(asked_at - start > 3 * TIMEOUT && reset_at - asked_at > DELAY);
    CHECK_EQUAL(sent.answer[first].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[next].status, STATUS_OK);
    /* The same work in less time is nobody's business. */
    device_crawl(client.device, 0, 2 * TIMEOUT / 600);
    CHECK_EQUAL(use(other, &a), STATUS_OK);
    CHECK_EQUAL(statistic(STAT_RECOVERIES), 1);
    client_close(&client);
}

static void hang_once(const struct client_allocation *target)
{
    device_hang(client.device, 0);
    uint32_t context = client_context(&client, 0);
    send_fill(context, target, 0, 8, 1);
}

/* TDR-06: an aborted fence before the last completed or after the last submitted one is fatal. */
static void test_aborted_fence(void)
{
    CASE("TDR-06");
    struct client_allocation a;
    for (uint32_t k = 0; k < 3; k++) {
        begin_noted(4, 4);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        for (uint32_t i = 0; i < 5; i++) CHECK_EQUAL(use(context, &a), STATUS_OK);
        uint32_t completed = node(0)->fence;
        hang_once(&a); /* + 1, and the preemption fence + 2 */
        was_pushed_aside = true;
        false_fence = k == 0 ? completed - 1 : k == 1 ? completed + 3 : completed + 2;
        if (k < 2) {
            struct answer answer;
            CHECK(!client_receive(&client, &answer));
            CHECK_EQUAL(host_read(HOST_PANIC_PLACE_OFFSET), false_fence);
            check_panic(PANIC_FENCE);
        } else {
            receive_all();
            CHECK_EQUAL(sent.answer[0].status, STATUS_TIMEOUT);
            client_close(&client);
        }
    }
}

/* ------------------------------------------------------------------ the paging node */

static uint32_t local_address(const struct client_allocation *allocation)
{
    const struct allocation *entry = entry_of(allocation);
    return device_gpu(client.device)->manager.segments[entry->segment - 1u].base_address +
           (uint32_t)entry->first_page * CLIENT_PAGE;
}

static uint32_t count_purged(uint32_t address)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < built_count; i++)
        count += built[i].operation == DDI_TRANSFER && built[i].u.transfer.transfer_size == 0u &&
                 built[i].u.transfer.source.segment_address == address &&
                 built[i].u.transfer.destination.segment_id == 0u;
    return count;
}

/* TDR-04, TDR-05, TDR-07: a hang on a page-in resets the adapter. */
static void test_adapter_reset(void)
{
    CASE("TDR-04, TDR-05, TDR-07");
    struct client_allocation dirty, clean, mapped, victim, late;
    for (uint32_t is_fault = 0; is_fault < 2; is_fault++) {
        begin_noted(8, 4);
        CHECK_EQUAL(client_create(&client, &dirty, 1, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &clean, 2, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &mapped, 2, SET_APERTURE, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &victim, 2, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &late, 1, SET_2, NULL), STATUS_OK);
        fill_pattern(&clean, 3);
        fill_pattern(&victim, 4);
        uint32_t guilty = client_context(&client, 0), other = client_context(&client, 0);
        uint32_t writer = client_context(&client, 0);
        stream_init(&stream);
        stream_copy(&stream, clean.handle, 0, mapped.handle, 0, CLIENT_PAGE, 0);
        stream_fill(&stream, dirty.handle, 0, 8, 0x99, 0);
        CHECK_EQUAL(submit(other).status, STATUS_OK);
        uint32_t dirty_at = local_address(&dirty), clean_at = local_address(&clean);

        if (is_fault == 0) device_hang(client.device, 1);
        else node(1)->is_paused = true;
        stream_init(&stream);
        stream_copy(&stream, victim.handle, 0, late.handle, 0, 8, 0);
        uint32_t culprit = send_job(guilty);
        stream_init(&stream); /* waits after it; what it needs is clean or in the pages */
        stream_copy(&stream, clean.handle, 4, mapped.handle, CLIENT_PAGE, 64, 0);
        uint32_t innocent = send_job(other);
        uint32_t loser = send_fill(writer, &dirty, 8, 8, 0xaa); /* needs what is lost */
        turns(200);
        if (is_fault != 0) {
            uint32_t ring = node(1)->ring_base / 4u, head = node(1)->head;
            const uint32_t *words = device_engine(client.device)->command;
            while ((words[ring + head % 1024u] & 0xffu) != PKT_RUN) head += 2u;
            device_engine(client.device)->command[words[ring + (head + 1u) % 1024u] / 4u] = 0xee;
            node(1)->is_paused = false;
        }
        receive_all();
        CHECK(is_fault != 0 || (asked_at != 0 && reset_at - asked_at > DELAY));
        CHECK_EQUAL(sent.answer[culprit].status, is_fault != 0 ? STATUS_FAULT : STATUS_TIMEOUT);
        CHECK_EQUAL(sent.answer[culprit].detail, is_fault != 0 ? FAULT_BAD_OPCODE : 0);
        CHECK_EQUAL(sent.answer[innocent].status, STATUS_OK);
        CHECK_EQUAL(sent.answer[loser].status, STATUS_CONTENT_LOST);
        /* TDR-04: told of each resident allocation once. */
        CHECK_EQUAL(count_purged(dirty_at), 1);
        CHECK_EQUAL(count_purged(clean_at), 1);
        CHECK(nth(DDI_UNMAP_APERTURE_SEGMENT, 0) != NULL);
        /* dirty is gone and says so, the others are whole. */
        CHECK_EQUAL(client_lock(&client, &dirty, 0), STATUS_CONTENT_LOST);
        CHECK_EQUAL(use(writer, &dirty), STATUS_CONTENT_LOST);
        CHECK_EQUAL(use(writer, &late), STATUS_OK);
        CHECK_EQUAL(use(guilty, &late), STATUS_CONTEXT_LOST);
        CHECK_EQUAL(client_lock(&client, &victim, 0), STATUS_OK);
        CHECK(has_pattern(&victim, 4));
        CHECK_EQUAL(client_lock(&client, &clean, 0), STATUS_OK);
        CHECK(has_pattern(&clean, 3));
        CHECK_EQUAL(client_lock(&client, &mapped, 0), STATUS_OK);
        CHECK_EQUAL(word_of(&mapped, 1024), word_of(&clean, 1));
        CHECK_EQUAL(client_destroy(&client, &dirty), STATUS_OK);
        CHECK_EQUAL(statistic(STAT_ADAPTER_RESETS), 1);
        CHECK_EQUAL(statistic(STAT_RECOVERIES), 1);
        client_close(&client);
    }
}

/* TDR-05: at the reset, and before anything else is submitted, both fences are those of the last submissions. */
static uint32_t fences_at_restart[2], submitted_at_reset[2];
static void note_restart(void *adapter)
{
    const struct gpu *gpu = device_gpu(client.device);
    for (uint32_t i = 0; i < 2; i++) {
        fences_at_restart[i] = node(i)->fence;
        submitted_at_reset[i] = gpu->driver.submitted[i];
        CHECK_EQUAL(node(i)->head, node(i)->tail);
        CHECK(!node(i)->is_enabled); /* no memory traffic until the restart */
    }
    second.ddi.restart_from_timeout(adapter);
}

static void test_fences_after_reset(void)
{
    CASE("TDR-05");
    struct client_allocation a, b;
    begin_noted(2, 2);
    device_gpu(client.device)->manager.ddi.restart_from_timeout = note_restart;
    CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
    CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
    uint32_t first = client_context(&client, 0), next = client_context(&client, 0);
    device_hang(client.device, 1);
    send_fill(first, &a, 0, 8, 1);
    send_fill(next, &b, 0, 8, 2); /* takes a's place: its paging waits for the render node, which waits for a's */
    turns(300);
    uint32_t render = submitted[submitted_count - 1].submission_fence_id;
    CHECK(node(0)->fence != render);
    receive_all();
    CHECK_EQUAL(fences_at_restart[0], submitted_at_reset[0]);
    CHECK_EQUAL(fences_at_restart[1], submitted_at_reset[1]);
    CHECK_EQUAL(sent.answer[0].status, STATUS_TIMEOUT);
    CHECK_EQUAL(sent.answer[1].status, STATUS_OK);
    check_words(&b, 0, 2);
    client_close(&client);
}

/* Content on its way out when the node stops is lost; the lock that asked for it says so, and so does whoever asks
 * later, also when the allocation was paged in again after the copy. */
static void test_copy_out_is_lost(void)
{
    CASE("TDR-07");
    struct client_allocation a, b;
    for (uint32_t again = 0; again < 2; again++) {
        begin_noted(2, 2);
        CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0), other = client_context(&client, 0);
        CHECK_EQUAL(use(context, &a), STATUS_OK); /* a is newer than its pages */
        device_hang(client.device, 1);
        if (again == 0) {
            CHECK_EQUAL(client_lock(&client, &a, 0), STATUS_CONTENT_LOST);
        } else {
            send_fill(other, &b, 0, 8, 7);                 /* a leaves, by a copy */
            uint32_t back = send_fill(other, &a, 8, 8, 8); /* and comes again */
            receive_all();
            CHECK(sent.answer[back].status != STATUS_OK);
            CHECK_EQUAL(use(context, &a), STATUS_CONTENT_LOST);
        }
        CHECK_EQUAL(client_destroy(&client, &a), STATUS_OK);
        client_close(&client);
    }
}

/* An operation of several paging buffers belongs to its allocation in each of them: whichever the node stops in, the
 * job that needed it is told, and no other. */
static void test_stopped_in_each_buffer(void)
{
    CASE("TDR-07");
    enum { BUFFERS = 3, TWO_PACKETS = 40 };
    for (uint32_t passed = 0; passed < BUFFERS; passed++) {
        struct client_allocation a, b;
        uint32_t message[16] = {0};
        message[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED; /* a packet per row */
        message[MSG_CREATE_ALLOCATION_PITCH] = 1024;
        message[MSG_CREATE_ALLOCATION_HEIGHT] = 8 | 1u << 16;
        gpu_options.paging_buffer_bytes = TWO_PACKETS;
        begin_noted(8, 8);
        gpu_options.paging_buffer_bytes = 0;
        CHECK_EQUAL(client_create(&client, &a, 2, SET_1, message), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 1, SET_1, NULL), STATUS_OK);
        uint32_t guilty = client_context(&client, 0), other = client_context(&client, 0);
        node(1)->is_enabled = false;
        uint32_t culprit = send_fill(guilty, &a, 0, 8, 5), innocent = send_fill(other, &b, 0, 8, 6);
        turns(300);
        CHECK(submitted_count >= (uint32_t)BUFFERS);
        node(1)->is_enabled = true;
        const uint32_t fence = node(1)->fence + passed;
        while (node(1)->fence != fence) step_node(1);
        device_hang(client.device, 1);
        receive_all();
        CHECK_EQUAL(sent.answer[culprit].status, STATUS_TIMEOUT);
        CHECK_EQUAL(sent.answer[innocent].status, STATUS_OK);
        CHECK_EQUAL(use(guilty, &b), STATUS_CONTEXT_LOST);
        CHECK_EQUAL(use(other, &a), STATUS_OK);
        client_close(&client);
    }
}

/* Resets at random moments, also during plans, commands and preemptions: whatever is answered OK is right. */
static void test_resets_at_random(void)
{
    enum { ALLOCATIONS = 8 };
    struct client_allocation a[ALLOCATIONS];
    uint32_t random = 77, done = 0, lost = 0;
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t expected[ALLOCATIONS] = {0}, contexts[4];
        boot.recovery_limit = 16;
        begin_noted(5, 3);
        boot.recovery_limit = 0;
        for (uint32_t i = 0; i < ALLOCATIONS; i++) {
            uint32_t set = i % 4 == 3 ? SET_APERTURE : i % 2 == 0 ? SET_1 : SET_LOCAL;
            CHECK_EQUAL(client_create(&client, &a[i], 1 + i % 3, set, NULL), STATUS_OK);
            uint32_t zeros[3 * CLIENT_PAGE / 4] = {0};
            client_write(&client, &a[i], (const uint8_t *)zeros);
        }
        for (uint32_t i = 0; i < 4; i++) contexts[i] = client_context(&client, (int32_t)(i % 2));
        uint32_t target[JOBS_MAX], value[JOBS_MAX];
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t k = check_pick(&random, ALLOCATIONS);
            target[sent.count] = k;
            value[sent.count] = round * 100 + i + 1;
            if (check_pick(&random, 6) == 0) {
                send_preempt(check_pick(&random, 2));
            } else { /* each value at a word of its own: what ran is seen whatever the order */
                send_fill(contexts[check_pick(&random, 4)], &a[k], i * 4, 4, value[sent.count]);
            }
            turns(check_pick(&random, 40));
            if (i == round % 8) device_hang(client.device, check_pick(&random, 2));
        }
        uint32_t count = sent.count;
        receive_all();
        for (uint32_t i = 0; i < count; i++) {
            if (sent.answer[i].status == STATUS_OK) done++;
            else lost++;
        }
        for (uint32_t i = 0; i < ALLOCATIONS; i++) {
            uint32_t status = client_lock(&client, &a[i], 0);
            CHECK(status == STATUS_OK || status == STATUS_CONTENT_LOST);
            if (status != STATUS_OK) continue;
            for (uint32_t k = 0; k < count; k++) /* preemptions have the same indices, but no effect */
                if (target[k] == i && sent.answer[k].status == STATUS_OK && sent.answer[k].fence != 0u)
                    expected[i] |= word_of(&a[i], k) == value[k] ? 0u : 1u;
            CHECK_EQUAL(expected[i], 0);
        }
        client_close(&client);
    }
    printf("resets at random: %lu jobs done, %lu not\n", (unsigned long)done, (unsigned long)lost);
    CHECK(done > 200 && lost > 20);
}

/* ------------------------------------------------------------------ interrupts and broken drivers */

/* SCH-03: the interrupt wakes, the work is done later in the loop, and both speak of the same event. */
static void test_deferred(void)
{
    CASE("SCH-03");
    struct client_allocation a;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    device_sleep(client.device, true);
    uint32_t before = host_read(HOST_COMPLETE_TAIL_OFFSET), fence = node(0)->fence;
    node(0)->is_paused = true;
    send_fill(context, &a, 0, 8, 5);
    turns(50);
    node(0)->is_paused = false;
    while (engine_model_step(device_engine(client.device), 0)) {} /* the node alone, to the end */
    const uint32_t cause = FIELD_PUT(1, CORE_IRQ_PENDING_NODE0);
    CHECK((device_register(client.device, CORE_IRQ_PENDING_OFFSET) & cause) != 0u); /* at interrupt level */
    CHECK(node(0)->fence != fence);
    CHECK_EQUAL(host_read(HOST_COMPLETE_TAIL_OFFSET), before);
    fence = node(0)->fence;
    turns(3);
    CHECK((device_register(client.device, CORE_IRQ_PENDING_OFFSET) & cause) == 0u); /* deferred: taken there */
    CHECK_EQUAL(host_read(HOST_COMPLETE_TAIL_OFFSET), before + 1);
    receive_all();
    CHECK_EQUAL(sent.answer[0].fence, fence);
    client_close(&client);
}

/* SCH-05: with every interrupt of the nodes lost, jobs and locks still end, by the core's own looking. */
static void test_lost_interrupts(void)
{
    CASE("SCH-05");
    struct client_allocation a, b;
    uint64_t took[2];
    for (uint32_t dropped = 0; dropped < 2; dropped++) {
        begin_noted(2, 2);
        CHECK_EQUAL(client_create(&client, &a, 2, SET_1, NULL), STATUS_OK);
        CHECK_EQUAL(client_create(&client, &b, 2, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        device_sleep(client.device, true);
        device_drop_interrupts(client.device, dropped != 0);
        device_crawl(client.device, 0, 20); /* still at work when the core goes to sleep */
        uint64_t start = now();
        for (uint32_t i = 0; i < 4; i++) send_fill(context, i % 2 == 0 ? &a : &b, i * 8, 8, i + 1);
        receive_all();
        took[dropped] = now() - start;
        for (uint32_t i = 0; i < 4; i++) CHECK_EQUAL(sent.answer[i].status, STATUS_OK);
        check_words(&a, 4, 3);
        check_words(&b, 6, 4);
        CHECK_EQUAL(statistic(STAT_RECOVERIES), 0);
        device_drop_interrupts(client.device, false);
        client_close(&client);
    }
    CHECK(took[0] < TIMEOUT / 8 && took[1] >= DELAY / 4); /* it was the patience that ended the wait */
}

/* SCH-04: a fence that nobody submitted. */
static void test_unknown_fence(void)
{
    CASE("SCH-04");
    struct client_allocation a;
    struct answer answer;
    begin(4, 4);
    CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
    uint32_t context = client_context(&client, 0);
    CHECK_EQUAL(use(context, &a), STATUS_OK);
    node(0)->fence += 10;
    send_fill(context, &a, 0, 8, 1);
    CHECK(!client_receive(&client, &answer));
    CHECK_EQUAL(host_read(HOST_PANIC_PLACE_OFFSET), node(0)->fence);
    check_panic(PANIC_FENCE);
}

/* DMA-14: errors where the documents allow none. */
static enum ddi_status fail_submit(void *adapter, const struct ddi_submit_command *arguments)
{
    (void)adapter, (void)arguments;
    return DDI_INVALID_PARAMETER;
}
static enum ddi_status fail_patch(void *adapter, struct ddi_patch *arguments)
{
    (void)adapter, (void)arguments;
    return DDI_INVALID_PARAMETER;
}
static enum ddi_status fail_preempt(void *adapter, const struct ddi_preempt_command *arguments)
{
    (void)adapter, (void)arguments;
    return DDI_INVALID_PARAMETER;
}

static void test_failures_are_fatal(void)
{
    CASE("DMA-14");
    struct client_allocation a;
    for (uint32_t k = 0; k < 3; k++) {
        struct answer answer;
        begin(4, 4);
        CHECK_EQUAL(client_create(&client, &a, 1, SET_1, NULL), STATUS_OK);
        uint32_t context = client_context(&client, 0);
        CHECK_EQUAL(use(context, &a), STATUS_OK);
        struct ddi *ddi = &device_gpu(client.device)->manager.ddi;
        if (k == 0) ddi->submit_command = fail_submit;
        if (k == 1) ddi->patch = fail_patch;
        if (k == 1) set_force(FIELD_PUT(1, HOST_FORCE_ALWAYS_REPATCH)); /* else it is skipped */
        if (k == 2) ddi->preempt_command = fail_preempt;
        if (k == 2) send_preempt(0);
        else send_fill(context, &a, 0, 8, 1);
        CHECK(!client_receive(&client, &answer));
        check_panic(PANIC_SUBMIT);
    }
}

int main(void)
{
    CHECK_RUN(test_request_comes_first);
    CHECK_RUN(test_slow_is_not_stuck);
    CHECK_RUN(test_endless_portion);
    CHECK_RUN(test_aborted_fence);
    CHECK_RUN(test_adapter_reset);
    CHECK_RUN(test_fences_after_reset);
    CHECK_RUN(test_copy_out_is_lost);
    CHECK_RUN(test_stopped_in_each_buffer);
    CHECK_RUN(test_resets_at_random);
    CHECK_RUN(test_deferred);
    CHECK_RUN(test_lost_interrupts);
    CHECK_RUN(test_unknown_fence);
    CHECK_RUN(test_failures_are_fatal);
    return check_finish();
}
