/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a preemption takes back what a node has not begun, and nothing else, whatever both nodes are doing; what was
 * taken back runs later, once, and nobody's output changes.
 * Method: random DMA buffers of three contexts on the simulated hardware with the real firmware, many of several
 * portions, each with fills of a large allocation after or before it, and a memory that keeps the paging node waiting
 * for a while, so that submissions pile up before both nodes; PREEMPT messages for both come at random cycles. What
 * the nodes executed (the probe's packets) and what the firmware submitted (its trace) is held against every report;
 * each job's words have to be executed once, in order, its portions back to back; every byte is compared with the
 * oracle of tests/chip/sequence.
 * SCH-06, SCH-07, SCH-08, SCH-09, SPL-16.
 *
 * test_preempt [--seed FIRST] [--boots N] [--rounds PER BOOT] [--stall PERCENT] [--verbose 1]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "sequence.h"
#include "simulator.h"
#include "lib/tessera_internal.h"

enum {
    JOBS = SEQUENCE_IN_FLIGHT,
    REQUESTS = 4,
    ENTRIES = 8192,
    NODES = 2,
    SLICE = 200,
    SPREAD = 3000,
    DEPTH = 4,
    PATIENCE = 100000,
    BALLAST_PAGES = 16,
    BALLAST_SLOT = 50,
    BALLAST_PITCH = 1024,
    FILLS = 3,
    COMPARED_EVERY = 2,
    HOLD = 20000,
    MIXED_FROM = 40
};

/* What happened, in order. */
enum kind {
    SUBMITTED, /* render: a portion of job `tag`; paging: a buffer. `value`: its fence */
    EXECUTED,  /* a FENCE, `value` its id */
    RAN,       /* a RUN, [value, value + bytes) of command RAM */
    ASKED,     /* the node was asked to preempt; `value`: nodes at work, a bit each */
    REPORTED   /* DMA_PREEMPTED, `value` the last completed fence */
};
struct entry {
    enum kind kind;
    uint32_t node, value, bytes, tag;
};

struct request {
    tessera_ticket ticket;
    uint32_t node, asked, reported; /* places in the log */
    struct tessera_completion reply;
};

static struct sequence sequence;
static struct sequence_counts counts;
static struct entry entries[ENTRIES];
static uint32_t entry_count, job_tag, depth[NODES], asked_node, job_bytes[JOBS];
static struct tessera_completion completion[JOBS];
static bool is_placed[JOBS], is_waiting[NODES];
static struct request requests[REQUESTS];
/* Before the round: paging ids, the newest submitted and the newest executed; what the render node executed last. */
static uint32_t paged[2], executed_before;
static struct tessera_allocation *ballast[SEQUENCE_CONTEXTS]; /* large; what is in it is nobody's business */
static bool is_verbose;
static struct {
    uint32_t requests, direct, withheld, both_busy, begun_goes_on;
} sum[NODES];

/* ------------------------------------------------------------------ the log */

static void note(enum kind kind, uint32_t node, uint32_t value, uint32_t bytes)
{
    if (entry_count < ENTRIES) entries[entry_count++] = (struct entry){kind, node, value, bytes, job_tag};
}

static uint32_t at_work(unsigned node) { return depth[node] != 0 && !is_waiting[node]; }

static void on_event(void *nothing, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)nothing, (void)cycle;
    if (event == TRACE_JOB) job_tag = argument;
    if (event == TRACE_PORTION) note(SUBMITTED, 0, argument, 0);
    if (event == TRACE_PAGING) note(SUBMITTED, 1, argument, 0);
    if (event == TRACE_PREEMPT) note(ASKED, asked_node = argument, at_work(0) + 2u * at_work(1), 0);
    if (event == TRACE_PREEMPTED) note(REPORTED, asked_node, argument, 0);
}

static void on_begin(void *nothing, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    (void)nothing, (void)cycle, (void)offset;
    uint32_t opcode = words[0] & 0xffu;
    is_waiting[node] = opcode == PKT_WAIT_FENCE;
    depth[node]++;
    if (opcode == PKT_FENCE) note(EXECUTED, node, words[PKT_FENCE_VALUE_WORD], 0);
    if (opcode == PKT_RUN) note(RAN, node, words[PKT_RUN_ADDRESS_WORD], words[PKT_RUN_BYTES_WORD]);
}

static void on_end(void *nothing, uint64_t cycle, unsigned node)
{
    (void)nothing, (void)cycle;
    is_waiting[node] = false;
    depth[node]--;
}
static const struct probe probe = {.firmware = on_event, .packet_begin = on_begin, .packet_end = on_end};

/* The next entry of the kind and node from `at` on, or entry_count. */
static uint32_t next_entry(enum kind kind, uint32_t node, uint32_t at)
{
    while (at < entry_count && (entries[at].kind != kind || entries[at].node != node)) at++;
    return at;
}

static uint32_t times_executed(uint32_t node, uint32_t fence)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < entry_count; i++)
        count += entries[i].kind == EXECUTED && entries[i].node == node && entries[i].value == fence;
    return count;
}

/* What the node executed last before the place. */
static uint32_t last_executed(uint32_t node, uint32_t before)
{
    uint32_t fence = node == 0 ? executed_before : paged[1];
    for (uint32_t i = 0; i < before; i++)
        if (entries[i].kind == EXECUTED && entries[i].node == node) fence = entries[i].value;
    return fence;
}

/* ------------------------------------------------------------------ the judge */

static const char *judge_render(const struct request *request)
{
    uint32_t fence = request->reply.words[REPLY_PREEMPT_FENCE - 4], withheld = 0;
    uint32_t last = request->reply.words[REPLY_PREEMPT_LAST_COMPLETED - 4];
    bool is_direct = request->reply.words[REPLY_PREEMPT_DIRECT - 4] != 0;
    uint32_t reached = 0; /* the preemption fence's place */
    while (reached < entry_count &&
           (entries[reached].kind != EXECUTED || entries[reached].node != 0 || entries[reached].value != fence))
        reached++;
    if (is_direct != (reached == entry_count)) return "a preemption fence too many or too few";
    if (!is_direct && reached > request->reported) return "reported before its fence";
    if (last != last_executed(0, is_direct ? request->reported : reached)) return "another fence was completed last";
    for (uint32_t i = 0; i < entry_count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->kind != SUBMITTED || entry->node != 0) continue;
        if (i > request->asked && i < request->reported) return "submitted between request and report";
        if (i > request->reported && (int32_t)(entry->value - fence) <= 0) return "an old fence after the preemption";
        if (i > request->asked || (int32_t)(entry->value - last) <= 0) continue;
        withheld++;
        if (times_executed(0, entry->value) != 0) return "withheld, but executed";
    }
    if (withheld != request->reply.words[REPLY_PREEMPT_WITHHELD - 4]) return "another number withheld";
    return is_direct && withheld != 0 ? "reported directly though something was left" : NULL;
}

/* Resubmitted first, in order, with their ids. */
static const char *judge_paging(const struct request *request)
{
    uint32_t last = request->reply.words[REPLY_PREEMPT_LAST_COMPLETED - 4], newest = paged[0];
    uint32_t withheld = request->reply.words[REPLY_PREEMPT_WITHHELD - 4];
    bool is_direct = request->reply.words[REPLY_PREEMPT_DIRECT - 4] != 0;
    for (uint32_t i = 0; i < request->asked; i++)
        if (entries[i].kind == SUBMITTED && entries[i].node == 1 && (int32_t)(entries[i].value - newest) > 0)
            newest = entries[i].value;
    /* A node that stands between a RUN and its FENCE has completed it. */
    uint32_t behind = last - last_executed(1, request->reported);
    if (behind > 1 || (behind == 1 && is_direct)) return "another fence was completed last";
    if (withheld != newest - last) return "another number withheld";
    if (is_direct && withheld != 0) return "reported directly though something was left";
    uint32_t at = request->reported + 1;
    for (uint32_t i = 1; i <= withheld; i++, at++) {
        while (at < entry_count && entries[at].kind != SUBMITTED) at++;
        if (at == entry_count || entries[at].node != 1 || entries[at].value != last + i) return "not resubmitted first";
    }
    return NULL;
}

/* Each job's words were executed once and in order, no other job's in between; its last fence is what it was told. */
static const char *judge_job(uint32_t index)
{
    uint32_t tag = sequence.flight[index].ticket, bytes = 0, end = 0, fence = 0;
    bool has_begun = false, has_other = false;
    for (uint32_t i = next_entry(EXECUTED, 0, 0); i < entry_count; i = next_entry(EXECUTED, 0, i + 1)) {
        uint32_t submitted = 0, ran = i;
        while (submitted < entry_count && (entries[submitted].kind != SUBMITTED || entries[submitted].node != 0 ||
                                           entries[submitted].value != entries[i].value))
            submitted++;
        if (submitted == entry_count) { /* a preemption's */
            sum[0].begun_goes_on += has_begun && bytes < job_bytes[index];
            continue;
        }
        if (entries[submitted].tag != tag) {
            has_other = has_begun;
            continue;
        }
        while (ran > 0 && (entries[ran].kind != RAN || entries[ran].node != 0)) ran--;
        if (has_other) return "another job between two portions";
        if (has_begun && entries[ran].value != end) return "a portion does not follow the one before";
        has_begun = true;
        end = entries[ran].value + entries[ran].bytes;
        bytes += entries[ran].bytes;
        fence = entries[i].value;
    }
    if (has_begun && fence != completion[index].fence) return "another fence than the completion's";
    return is_placed[index] && bytes != job_bytes[index] ? "not all its words, or some twice" : NULL;
}

/* The end of the round: the paging node's ids go up one by one, each executed once. */
static const char *judge_ids(void)
{
    executed_before = last_executed(0, entry_count);
    for (uint32_t i = 0; i < entry_count; i++) {
        if (entries[i].node != 1) continue;
        if (entries[i].kind == EXECUTED && entries[i].value != ++paged[1]) return "paging ids out of order";
        if (entries[i].kind == SUBMITTED && (int32_t)(entries[i].value - paged[0]) > 0 &&
            entries[i].value != ++paged[0])
            return "a paging id left out";
    }
    return paged[0] != paged[1] ? "a paging buffer was not executed" : NULL;
}

static bool judge(uint32_t request_count)
{
    const char *what = entry_count == ENTRIES ? "the log is too short" : NULL;
    uint32_t at = 0;
    for (uint32_t i = 0; i < request_count && what == NULL; i++) {
        struct request *request = &requests[i];
        while (at < entry_count && entries[at].kind != ASKED) at++;
        request->asked = at;
        request->reported = next_entry(REPORTED, request->node, at++);
        if (request->reported == entry_count || entries[request->asked].node != request->node) what = "no report";
        else what = request->node == 0 ? judge_render(request) : judge_paging(request);
        sum[request->node].requests++;
        sum[request->node].direct += request->reply.words[REPLY_PREEMPT_DIRECT - 4];
        sum[request->node].withheld += request->reply.words[REPLY_PREEMPT_WITHHELD - 4];
        sum[request->node].both_busy += request->asked < entry_count && entries[request->asked].value == 3;
        if (is_verbose || what != NULL)
            printf("  step %" PRIu32 " node %" PRIu32 ": fence %" PRIu32 ", last completed %" PRIu32 ", %" PRIu32
                   " withheld, direct %" PRIu32 "\n",
                   sequence.step, request->node, request->reply.words[0], request->reply.words[1],
                   request->reply.words[2], request->reply.words[3]);
    }
    for (uint32_t i = 0; i < sequence.flights && what == NULL; i++) what = judge_job(i);
    return what == NULL || sequence_complain(&sequence, what, 0);
}

/* ------------------------------------------------------------------ a round */

/* Segment 2 keeps the paging node waiting, never so long that it would be an error. */
static void hold_paging(void)
{
    const struct simulator_fault fault = {.kind = sequence_pick(&sequence, 2) ? SIMULATOR_HOLD_READS
                                                                              : SIMULATOR_HOLD_ANSWERS,
                                          .node = 1,
                                          .memory = 2,
                                          .cycles = HOLD + sequence_pick(&sequence, HOLD)};
    simulator_inject(sequence.machine.inside, &fault);
}

static bool force(void)
{
    static const uint32_t one_in[][2] = {{HOST_FORCE_SPLIT_LSB, 2},
                                         {HOST_FORCE_EVICT_LSB, 3},
                                         {HOST_FORCE_CLOBBER_LSB, 4},
                                         {HOST_FORCE_NO_PREPATCH_LSB, 4}};
    uint32_t value = 0;
    for (uint32_t i = 0; i < sizeof one_in / sizeof one_in[0]; i++)
        if (sequence_pick(&sequence, one_in[i][1]) == 0) value |= 1u << one_in[i][0];
    int status = tessera_register_write(sequence.tessera, HOST_FORCE_OFFSET, value);
    return status == TESSERA_OK || sequence_complain(&sequence, "force", status);
}

/* Submissions that the node has not completed. */
static uint32_t outstanding(uint32_t node)
{
    uint32_t last = last_executed(node, entry_count), count = 0;
    for (uint32_t i = next_entry(SUBMITTED, node, 0); i < entry_count; i = next_entry(SUBMITTED, node, i + 1))
        count += (int32_t)(entries[i].value - last) > 0;
    return count;
}

/* Until the node has so many submissions before it, both are at work if that is wanted, and some cycles more.
 * Completions are taken off the ring meanwhile, or their interrupt would end every wait. */
static void let_work(uint32_t node, uint32_t submissions, bool is_both, uint32_t cycles)
{
    struct transport *transport = &sequence.machine.transport;
    uint64_t now = transport->cycles(transport->context), limit = now + PATIENCE, end = 0;
    while (end == 0 || now < end) {
        bool is_ready = outstanding(node) >= submissions && (!is_both || at_work(0) + at_work(1) == 2);
        if (end == 0 && (now >= limit || is_ready)) end = now + cycles;
        uint32_t done = 0;
        while (done < sequence.flights && tessera_is_done(sequence.tessera, sequence.flight[done].ticket)) done++;
        if (done == sequence.flights) return;
        if (transport->wait(transport->context, SLICE) != TRANSPORT_OK) return;
        now = transport->cycles(transport->context);
    }
}

/* Work that only takes time. */
static int add_fills(struct tessera_allocation *target, uint32_t fills)
{
    const struct tessera_surface surface = {
        .allocation = target, .format = FORMAT_ARGB8888, .pitch = BALLAST_PITCH, .is_target = true};
    int status = tessera_stream_bind(sequence.stream, BALLAST_SLOT, &surface);
    for (; fills > 0 && status == TESSERA_OK; fills--)
        status = tessera_stream_fill_rect(sequence.stream, BALLAST_SLOT, 0, 0, BALLAST_PITCH / 4,
                                          BALLAST_PAGES * SEQUENCE_PAGE / BALLAST_PITCH, fills);
    return status == TESSERA_OK ? tessera_stream_unbind(sequence.stream, BALLAST_SLOT) : status;
}

/* A random buffer, with fills before it or after it. */
static bool submit_job(uint32_t context)
{
    struct flight *flight = &sequence.flight[sequence.flights];
    bool is_before = sequence_pick(&sequence, 2) != 0;
    uint32_t fills = 1 + sequence_pick(&sequence, FILLS);
    tessera_stream_clear(sequence.stream);
    int status = is_before ? add_fills(ballast[context], fills) : TESSERA_OK;
    sequence_build_job(&sequence, context);
    if (!is_before) status = add_fills(ballast[context], fills);
    flight->context = context;
    if (status == TESSERA_OK)
        status = tessera_submit(sequence.tessera, sequence.context[context], sequence.stream, 0, &flight->ticket);
    job_bytes[sequence.flights++] = tessera_stream_bytes(sequence.stream);
    return status == TESSERA_OK || sequence_complain(&sequence, "submit", status);
}

static bool submit_jobs(void)
{
    bool is_right = true;
    sequence.flights = 0;
    while (sequence.flights < JOBS && is_right) is_right = submit_job(sequence_pick(&sequence, SEQUENCE_CONTEXTS));
    return is_right;
}

/* At a moment that depends on what the node has before it. */
static bool send_request(struct request *request)
{
    uint32_t message[16] = {MSG_PREEMPT};
    *request = (struct request){.node = sequence_pick(&sequence, NODES)};
    uint32_t submissions = sequence_pick(&sequence, DEPTH), cycles = sequence_pick(&sequence, SPREAD);
    bool is_both = request->node == 0 && sequence_pick(&sequence, 2) != 0;
    let_work(request->node, submissions, is_both, is_both || request->node == 1 ? 0 : cycles);
    message[MSG_PREEMPT_NODE] = request->node;
    int status = tessera_send(sequence.tessera, message, &request->ticket);
    return status == TESSERA_OK || sequence_complain(&sequence, "a PREEMPT", status);
}

static bool receive(uint32_t request_count)
{
    for (uint32_t i = 0; i < sequence.flights; i++) {
        const struct flight *flight = &sequence.flight[i];
        int status = tessera_wait(sequence.tessera, flight->ticket, &completion[i]);
        is_placed[i] = status == TESSERA_OK;
        counts.jobs++;
        counts.portions += completion[i].words[REPLY_SUBMIT_PORTIONS - 4];
        if (status == STATUS_NO_PLACEMENT) sequence.is_unknown[flight->context] = true;
        else if (status != TESSERA_OK) return sequence_complain(&sequence, "a job", status);
    }
    for (uint32_t i = 0; i < request_count; i++) {
        int status = tessera_wait(sequence.tessera, requests[i].ticket, &requests[i].reply);
        if (status != TESSERA_OK) return sequence_complain(&sequence, "a PREEMPT's answer", status);
    }
    return true;
}

static bool compare_all(void)
{
    for (uint32_t i = 0; i < SEQUENCE_ALLOCATIONS; i++)
        if (!sequence_compare(&sequence, &sequence.tracked[i])) return false;
    memset(sequence.is_unknown, 0, sizeof sequence.is_unknown);
    return sequence_check_untouched(&sequence);
}

static bool run_round(void)
{
    uint32_t request_count = 1 + sequence_pick(&sequence, REQUESTS);
    bool is_right = force();
    entry_count = 0;
    hold_paging();
    is_right = is_right && submit_jobs();
    for (uint32_t i = 0; i < request_count && is_right; i++) is_right = send_request(&requests[i]);
    is_right = is_right && receive(request_count) && judge(request_count);
    simulator_inject(sequence.machine.inside, NULL);
    sequence.flights = 0;
    is_right = is_right && (sequence.step % COMPARED_EVERY != 0 || compare_all());
    const char *what = is_right ? judge_ids() : NULL;
    return is_right && (what == NULL || sequence_complain(&sequence, what, 0));
}

/* ------------------------------------------------------------------ the run */

/* Equals, so that nobody but the host asks for preemptions. */
static bool make_equal(void)
{
    for (uint32_t i = 0; i < SEQUENCE_CONTEXTS; i++) {
        int status = tessera_context_destroy(sequence.tessera, sequence.context[i]);
        if (status == TESSERA_OK) status = tessera_context_create(sequence.tessera, 0, 0, &sequence.context[i]);
        if (status != TESSERA_OK) return sequence_complain(&sequence, "a context", status);
    }
    return true;
}

static bool create_ballast(void)
{
    const uint32_t set = sequence_is_cut(&sequence) ? 8 : 2; /* the second memory */
    const struct tessera_allocation_options options = {
        .bytes = BALLAST_PAGES * SEQUENCE_PAGE, .read_set = set, .write_set = set, .flags = ALLOCATION_CPU_VISIBLE};
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < SEQUENCE_CONTEXTS && status == TESSERA_OK; i++)
        status = tessera_allocation_create(sequence.tessera, &options, &ballast[i]);
    if (sequence.tessera->pool_count < sequence.untouched_pages)
        sequence.untouched_pages = sequence.tessera->pool_count;
    return status == TESSERA_OK || sequence_complain(&sequence, "ballast", status);
}

static bool destroy_ballast(void)
{
    int status = TESSERA_OK;
    for (uint32_t i = 0; i < SEQUENCE_CONTEXTS && status == TESSERA_OK; i++)
        status = tessera_allocation_destroy(sequence.tessera, ballast[i]);
    return status == TESSERA_OK || sequence_complain(&sequence, "ballast", status);
}

static bool run_boot(uint32_t seed, uint32_t rounds, uint32_t stall)
{
    const struct sequence_plan plan = {.seed = seed,
                                       .more_pages = (SEQUENCE_CONTEXTS - 1) * BALLAST_PAGES,
                                       .only_jobs = seed % 2 == 0,
                                       .patience_cycles = 20000000,
                                       .stall_percent = stall,
                                       .probe = &probe};
    entry_count = paged[0] = paged[1] = executed_before = 0;
    memset(depth, 0, sizeof depth);
    if (!sequence_open(&sequence, &plan, &counts)) return false;
    bool is_right = make_equal() && create_ballast() && compare_all();
    const char *what = is_right ? judge_ids() : NULL;
    if (what != NULL) is_right = sequence_complain(&sequence, what, 0);
    for (sequence.step = 0; sequence.step < rounds && is_right; sequence.step++) is_right = run_round();
    is_right = is_right && compare_all() && destroy_ballast() && sequence_finish(&sequence);
    sequence_close(&sequence);
    return is_right;
}

static uint32_t option(int argc, char **argv, const char *name, uint32_t value)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0) value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    return value;
}

int main(int argc, char **argv)
{
    uint32_t first = option(argc, argv, "--seed", 13), boots = option(argc, argv, "--boots", 1);
    uint32_t rounds = option(argc, argv, "--rounds", 6), stall = option(argc, argv, "--stall", 0);
    unsigned passed = 0, failed = 0;
    is_verbose = option(argc, argv, "--verbose", 0) != 0;
    for (uint32_t seed = first; seed < first + boots && failed < 5; seed++) {
        bool is_right = run_boot(seed, rounds, stall);
        passed += is_right;
        failed += !is_right;
        rows_count("SCH-06, SCH-07, SCH-08, SCH-09, SPL-16", is_right);
        if (!is_right)
            printf("repeat: test_preempt --seed %" PRIu32 " --boots 1 --rounds %" PRIu32 " --stall %" PRIu32 "\n", seed,
                   rounds, stall);
        fflush(stdout);
    }
    for (uint32_t node = 0; node < NODES; node++) {
        printf("%s node: %" PRIu32 " preemptions, %" PRIu32 " while both nodes worked, %" PRIu32 " reported directly, "
               "%" PRIu32 " submissions withheld\n",
               node ? "paging" : "render", sum[node].requests, sum[node].both_busy, sum[node].direct,
               sum[node].withheld);
        bool is_mixed = sum[node].both_busy && sum[node].direct && sum[node].withheld;
        if (!is_mixed && rounds * boots >= MIXED_FROM) failed++, printf("the mix is wrong\n");
    }
    if (sum[0].begun_goes_on == 0 && rounds * boots >= MIXED_FROM)
        failed++, printf("no preemption between two portions\n");
    printf("%" PRIu32 " preemptions between two portions of one buffer; %" PRIu32 " jobs, %" PRIu32 " portions, "
           "%" PRIu32 " bytes compared, %.1f Mcycles\n",
           sum[0].begun_goes_on, counts.jobs, counts.portions, counts.compared, (double)counts.cycles / 1e6);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
