/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: whatever goes wrong under one context's DMA buffer, the others never notice: their output is exact, no
 * byte outside the culprit's allocations changes, the bus stays legal, the machine goes on; and if it goes wrong
 * under the memory manager's own paging, everything ends exact or says that it is lost, never quietly wrong.
 * Method: three contexts work on the simulated hardware with the real firmware; at a random cycle a memory withholds
 * a node's data or answers until a node is reset or for a while, or takes no address, or answers with an error, or
 * bits of the running DMA buffer flip (sim/fault.c). Then every job's status and every byte is compared with the
 * oracle of tests/chip/sequence, who lost something gets a new context and content, and the next fault follows. System
 * memory's bus is judged by sim/world.c, segment 2's by sim/fault_gate.v, the inside by the assertions of the RTL:
 * each ends the simulation. TDR-01, TDR-02, TDR-03, TDR-07, TDR-08.
 *
 * test_fault [--seed FIRST] [--boots N] [--rounds PER BOOT] [--kind K] [--node N] [--stall PERCENT] [--verbose 1]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "sequence.h"
#include "simulator.h"

enum {
    JOBS = SEQUENCE_IN_FLIGHT,
    TIMEOUT_CYCLES = 30000,
    PATIENCE = 20000000,
    SPREAD = 30000,
    SHORT_HOLD = 3000,
    NODES = 2,
    ALL_RECOVERIES = 16,
    SHARED = SEQUENCE_CONTEXTS * SEQUENCE_PER_CONTEXT
};

/* What a round may do. */
enum round_kind {
    ROUND_HANG_READ,   /* data never comes: a packet that never ends */
    ROUND_HANG_ANSWER, /* writes are never answered */
    ROUND_NO_ADDRESS,  /* no address is taken for a while */
    ROUND_LATE,        /* data comes late, but in time */
    ROUND_READ_ERROR,
    ROUND_WRITE_ERROR,
    ROUND_COMMAND,
    ROUND_KINDS
};
static const char *const kind_names[ROUND_KINDS] = {"hang of a read",   "hang of a write", "no address taken",
                                                    "late data",        "bus error, read", "bus error, write",
                                                    "bits of a command"};

struct outcome {
    enum round_kind kind;
    uint32_t node;
    bool has_struck, ends_by_itself;
    bool is_lost[SEQUENCE_CONTEXTS];
    bool is_spoilt[SEQUENCE_CONTEXTS]; /* lost, or a job of it was not done: its content is not known */
    unsigned lost, faults, timeouts, recoveries, adapter_resets;
};

static struct sequence sequence;
static struct sequence_counts counts;
static unsigned passed, failed, silent, content_lost;
static unsigned armed[NODES][ROUND_KINDS], struck[NODES][ROUND_KINDS], lost[NODES][ROUND_KINDS];
static unsigned resets[NODES][ROUND_KINDS];
static uint32_t fixed_kind = ROUND_KINDS, fixed_node = NODES;
static uint32_t asked, reset_count, last_statistics[STAT_COUNT]; /* of this boot: preempt requests, resets */
static uint64_t longest;                                         /* round, cycles */
static bool is_verbose;

static void on_event(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    (void)context, (void)cycle, (void)argument;
    asked += event == TRACE_PREEMPT;
    reset_count += event == TRACE_RECOVER;
}
static const struct probe probe = {.firmware = on_event};

/* ------------------------------------------------------------------ the fault */

static void arm(struct outcome *outcome)
{
    static const enum simulator_fault_kind kinds[ROUND_KINDS] = {
        SIMULATOR_HOLD_READS, SIMULATOR_HOLD_ANSWERS, SIMULATOR_HOLD_ADDRESSES, SIMULATOR_HOLD_READS,
        SIMULATOR_READ_ERROR, SIMULATOR_WRITE_ERROR,  SIMULATOR_COMMAND_WORD};
    enum round_kind kind = outcome->kind;
    const struct transport *transport = &sequence.machine.transport;
    struct simulator_fault fault = {.kind = kinds[kind],
                                    .node = outcome->node,
                                    .memory = sequence_pick(&sequence, 2) ? 2 : 0,
                                    .at = transport->cycles(transport->context) + sequence_pick(&sequence, SPREAD),
                                    .pick = sequence_pick(&sequence, 1u << 16),
                                    .bits = 1u << sequence_pick(&sequence, 32)};
    /* The core stands behind what is held on system memory, and nobody is left to notice: only segment 2 hangs. */
    if (kind <= ROUND_HANG_ANSWER) fault.memory = 2;
    if (kind == ROUND_LATE || kind == ROUND_NO_ADDRESS) fault.cycles = 100 + sequence_pick(&sequence, SHORT_HOLD);
    if (kind == ROUND_COMMAND && sequence_pick(&sequence, 2)) fault.bits = sequence_random(&sequence) | 1u;
    outcome->ends_by_itself = fault.cycles != 0;
    armed[fault.node][kind]++;
    simulator_inject(sequence.machine.inside, &fault);
}

/* ------------------------------------------------------------------ what may have happened */

static bool take_status(struct outcome *outcome, uint32_t context, int status)
{
    switch (status) {
    case TESSERA_OK: return true;
    case STATUS_NO_PLACEMENT:
    case STATUS_CONTENT_LOST: outcome->is_spoilt[context] = true; return true;
    case STATUS_FAULT: outcome->faults++; break;
    case STATUS_TIMEOUT: outcome->timeouts++; break;
    case STATUS_CONTEXT_LOST: break;
    default: return sequence_complain(&sequence, "a job", status);
    }
    outcome->lost += !outcome->is_lost[context];
    outcome->is_lost[context] = outcome->is_spoilt[context] = true;
    return true;
}

/* Several jobs of every context, the fault among them, and their ends. */
static bool run_jobs(struct outcome *outcome)
{
    bool is_right = true;
    sequence.flights = 0;
    arm(outcome);
    for (uint32_t i = 0; i < JOBS && is_right; i++)
        is_right = sequence_submit(&sequence, (i + sequence.step) % SEQUENCE_CONTEXTS);
    for (uint32_t i = 0; i < sequence.flights && is_right; i++) {
        struct flight *flight = &sequence.flight[i];
        int status = tessera_wait(sequence.tessera, flight->ticket, NULL);
        counts.jobs++;
        is_right = take_status(outcome, flight->context, status);
    }
    outcome->has_struck = simulator_fault_fired(sequence.machine.inside);
    simulator_inject(sequence.machine.inside, NULL);
    sequence.flights = 0;
    return is_right;
}

static bool count_resets(struct outcome *outcome)
{
    uint32_t statistics[STAT_COUNT];
    int status = tessera_statistics(sequence.tessera, statistics);
    if (status != TESSERA_OK) return sequence_complain(&sequence, "statistics", status);
    outcome->recoveries = statistics[STAT_RECOVERIES] - last_statistics[STAT_RECOVERIES];
    outcome->adapter_resets = statistics[STAT_ADAPTER_RESETS] - last_statistics[STAT_ADAPTER_RESETS];
    memcpy(last_statistics, statistics, sizeof statistics);
    return true;
}

/* A context may be lost whose jobs had ended before, or ended otherwise: ask each. */
static bool ask_contexts(struct outcome *outcome)
{
    const uint32_t nothing = PKT_NOP;
    for (uint32_t context = 0; context < SEQUENCE_CONTEXTS && outcome->recoveries; context++) {
        tessera_ticket ticket;
        tessera_stream_clear(sequence.stream);
        tessera_stream_raw(sequence.stream, &nothing, 1);
        int status = tessera_submit(sequence.tessera, sequence.context[context], sequence.stream, 0, &ticket);
        if (status == TESSERA_OK) status = tessera_wait(sequence.tessera, ticket, NULL);
        if (status == TESSERA_OK && outcome->is_lost[context])
            return sequence_complain(&sequence, "a lost context goes on", 0);
        if (status != TESSERA_OK && status != STATUS_CONTEXT_LOST)
            return sequence_complain(&sequence, "an empty job", status);
        if (!take_status(outcome, context, status)) return false;
    }
    return true;
}

/* What became of it agrees with what it was. NULL, or what does not. A held burst holds those of the other node
 * after it, so a hang may be taken for either's. */
static const char *judge(const struct outcome *outcome)
{
    bool is_error = outcome->kind == ROUND_READ_ERROR || outcome->kind == ROUND_WRITE_ERROR;
    bool is_hang = outcome->kind == ROUND_HANG_READ || outcome->kind == ROUND_HANG_ANSWER;
    unsigned ends = outcome->faults + outcome->timeouts;
    if (outcome->recoveries > 1) return "more than one recovery";
    if (!outcome->has_struck && (outcome->recoveries || ends)) return "a recovery without a fault";
    if (outcome->ends_by_itself && outcome->recoveries) return "late data is taken for a fault";
    if (outcome->adapter_resets == 0) {
        if (outcome->lost > 1) return "more than one context is lost";
        if (outcome->lost != ends || outcome->lost != outcome->recoveries) return "a context is lost without a culprit";
    }
    if (outcome->timeouts && !is_hang && outcome->kind != ROUND_COMMAND) return "a fault is taken for a time-out";
    if (!outcome->has_struck) return NULL;
    if (is_error && outcome->recoveries != 1) return "a bus error goes unnoticed";
    if (is_error && outcome->adapter_resets != outcome->node) return "a bus error is taken for the other node's";
    if (is_hang && !outcome->ends_by_itself && outcome->recoveries != 1) return "a hang goes unnoticed";
    if (is_hang && outcome->recoveries && asked == 0) return "a time-out without a preempt request";
    return NULL;
}

/* ------------------------------------------------------------------ content */

enum content { CONTENT_EXACT, CONTENT_WRONG, CONTENT_GONE };

static enum content look(struct tracked *tracked)
{
    uint8_t bytes[SEQUENCE_BYTES_MAX];
    int status = tessera_read(sequence.tessera, tracked->allocation, 0, bytes, tracked->bytes);
    if (status == STATUS_CONTENT_LOST) return CONTENT_GONE;
    counts.compared += tracked->bytes;
    return status == TESSERA_OK && memcmp(bytes, tracked->image, tracked->bytes) == 0 ? CONTENT_EXACT : CONTENT_WRONG;
}

static bool renew(struct tracked *tracked)
{
    return sequence_destroy(&sequence, tracked) && sequence_create(&sequence, tracked);
}

/* Exact, unless its context is spoilt; gone only after an adapter reset. What is not known any more is made again. */
static bool check_allocation(struct outcome *outcome, struct tracked *tracked, bool is_spoilt, bool *is_changed)
{
    enum content content = look(tracked);
    if (content == CONTENT_GONE) {
        content_lost++;
        if (outcome->adapter_resets == 0) return sequence_complain(&sequence, "content lost, no adapter reset", 0);
    } else if (content == CONTENT_WRONG && !is_spoilt) {
        /* A flipped command need not be an illegal one: its own context then draws something else. */
        *is_changed = outcome->kind == ROUND_COMMAND && outcome->has_struck && outcome->lost == 0;
        if (!*is_changed) return sequence_compare(&sequence, tracked);
    }
    return (content == CONTENT_EXACT && !is_spoilt) || renew(tracked);
}

static bool check_content(struct outcome *outcome)
{
    unsigned changed_contexts = 0;
    bool none = false;
    for (uint32_t i = SHARED; i < SEQUENCE_ALLOCATIONS; i++)
        if (!check_allocation(outcome, &sequence.tracked[i], false, &none) || none) return false;
    for (uint32_t context = 0; context < SEQUENCE_CONTEXTS; context++) {
        bool is_changed = false;
        for (uint32_t i = 0; i < SEQUENCE_PER_CONTEXT; i++) {
            struct tracked *tracked = &sequence.tracked[context * SEQUENCE_PER_CONTEXT + i];
            bool now_changed = false;
            if (!check_allocation(outcome, tracked, outcome->is_spoilt[context], &now_changed)) return false;
            is_changed |= now_changed;
        }
        changed_contexts += is_changed;
    }
    silent += changed_contexts;
    if (changed_contexts > 1) return sequence_complain(&sequence, "a flipped command changes two contexts", 0);
    return sequence_check_untouched(&sequence);
}

static bool replace_contexts(const struct outcome *outcome)
{
    for (uint32_t context = 0; context < SEQUENCE_CONTEXTS; context++) {
        if (!outcome->is_lost[context]) continue;
        int status = tessera_context_destroy(sequence.tessera, sequence.context[context]);
        if (status == TESSERA_OK)
            status = tessera_context_create(sequence.tessera, 0, (int32_t)sequence_pick(&sequence, 15) - 7,
                                            &sequence.context[context]);
        if (status != TESSERA_OK) return sequence_complain(&sequence, "another context", status);
    }
    return true;
}

/* A hang of the whole machine ends as a time-out of the library's: `longest` tells it from a slow simulation. */
static bool run_round(enum round_kind kind, uint32_t node)
{
    const struct transport *transport = &sequence.machine.transport;
    uint64_t begin = transport->cycles(transport->context);
    struct outcome outcome = {.kind = kind, .node = kind == ROUND_COMMAND ? 0 : node};
    asked = 0;
    bool is_right = run_jobs(&outcome) && count_resets(&outcome) && ask_contexts(&outcome);
    const char *what = is_right ? judge(&outcome) : NULL;
    if (what != NULL) is_right = sequence_complain(&sequence, what, 0);
    is_right = is_right && check_content(&outcome) && replace_contexts(&outcome);
    uint64_t cycles = transport->cycles(transport->context) - begin;
    if (cycles > longest) longest = cycles;
    struck[outcome.node][kind] += outcome.has_struck;
    lost[outcome.node][kind] += outcome.lost;
    resets[outcome.node][kind] += outcome.recoveries;
    if (is_verbose || !is_right)
        printf("  step %" PRIu32 " %s, node %" PRIu32 ": struck %d, %u faults, %u time-outs, %u contexts lost, %u "
               "recoveries, %u of the adapter\n",
               sequence.step, kind_names[kind], outcome.node, outcome.has_struck, outcome.faults, outcome.timeouts,
               outcome.lost, outcome.recoveries, outcome.adapter_resets);
    return is_right;
}

static bool open_boot(uint32_t seed, uint32_t stall, uint32_t recoveries)
{
    const struct sequence_plan plan = {.seed = seed,
                                       .stall_percent = stall,
                                       .timeout_cycles = TIMEOUT_CYCLES,
                                       .recovery_limit = recoveries,
                                       .recovery_window = UINT32_MAX,
                                       .patience_cycles = PATIENCE,
                                       .probe = &probe};
    memset(last_statistics, 0, sizeof last_statistics);
    reset_count = 0;
    return sequence_open(&sequence, &plan, &counts);
}

static bool run_boot(uint32_t seed, uint32_t rounds, uint32_t stall)
{
    if (!open_boot(seed, stall, ALL_RECOVERIES)) return false;
    bool is_right = true;
    for (sequence.step = 0; sequence.step < rounds && is_right; sequence.step++) {
        uint32_t kind = sequence_pick(&sequence, ROUND_KINDS), node = sequence_pick(&sequence, 3) == 0;
        if (fixed_kind < ROUND_KINDS) kind = fixed_kind;
        if (fixed_node < NODES) node = fixed_node;
        is_right = run_round((enum round_kind)kind, node);
    }
    if (is_right && reset_count != last_statistics[STAT_RECOVERIES])
        is_right = sequence_complain(&sequence, "resets traced and counted differ", 0);
    is_right = is_right && sequence_finish(&sequence);
    sequence_close(&sequence);
    return is_right;
}

/* TDR-02: what a context has to answer for is never final, however low the limit. */
static bool run_low_limit(uint32_t seed)
{
    if (!open_boot(seed, 0, 1)) return false;
    bool is_right = true;
    for (sequence.step = 0; sequence.step < 12 && is_right; sequence.step++)
        is_right = run_round(sequence.step % 2 ? ROUND_READ_ERROR : ROUND_WRITE_ERROR, 0);
    if (is_right && last_statistics[STAT_RECOVERIES] < 4)
        is_right = sequence_complain(&sequence, "hardly a recovery", (int)last_statistics[STAT_RECOVERIES]);
    is_right = is_right && sequence_finish(&sequence);
    sequence_close(&sequence);
    return is_right;
}

/* ------------------------------------------------------------------ the run */

static uint32_t option(int argc, char **argv, const char *name, uint32_t value)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0) value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    return value;
}

static void count(bool is_right, const char *rows, const char *how, uint32_t seed, uint32_t rounds, uint32_t stall)
{
    rows_count(rows, is_right);
    passed += is_right;
    failed += !is_right;
    if (!is_right)
        printf("repeat: test_fault --seed %" PRIu32 " --boots 1 --rounds %" PRIu32 " --stall %" PRIu32 "%s\n", seed,
               rounds, stall, how);
    fflush(stdout);
}

static void report(void)
{
    unsigned all_armed = 0, all_struck = 0;
    for (unsigned node = 0; node < NODES; node++)
        for (unsigned kind = 0; kind < ROUND_KINDS; kind++) {
            if (armed[node][kind] == 0) continue;
            printf("%-18s %s node: %4u armed %4u struck %4u recoveries %4u contexts lost\n", kind_names[kind],
                   node ? "paging" : "render", armed[node][kind], struck[node][kind], resets[node][kind],
                   lost[node][kind]);
            all_armed += armed[node][kind];
            all_struck += struck[node][kind];
        }
    printf("%u faults armed, %u struck, %u changed the culprit's picture only, %u allocations said to be lost; "
           "%" PRIu32 " jobs, %" PRIu32 " bytes compared, %.1f Mcycles, at most %.2f in a round\n",
           all_armed, all_struck, silent, content_lost, counts.jobs, counts.compared, (double)counts.cycles / 1e6,
           (double)longest / 1e6);
    if (all_struck * 3 < all_armed) failed++, printf("too few faults struck\n");
}

int main(int argc, char **argv)
{
    static const char boot_rows[] = "TDR-01, TDR-03, TDR-07, TDR-08";
    uint32_t first = option(argc, argv, "--seed", 1), boots = option(argc, argv, "--boots", 4);
    uint32_t rounds = option(argc, argv, "--rounds", 5), stall = option(argc, argv, "--stall", 0);
    fixed_kind = option(argc, argv, "--kind", ROUND_KINDS);
    fixed_node = option(argc, argv, "--node", NODES);
    is_verbose = option(argc, argv, "--verbose", 0) != 0;
    for (uint32_t seed = first; seed < first + boots && failed < 5; seed++)
        count(run_boot(seed, rounds, stall), boot_rows, "", seed, rounds, stall);
    if (option(argc, argv, "--low-limit", 0))
        count(run_low_limit(first), "TDR-02", " --low-limit 1", first, rounds, stall);
    report();
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
