/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: whatever goes wrong under one context's DMA buffer, the others never notice: their output is exact, no
 * byte outside the culprit's allocations changes, the bus stays legal, the machine goes on. Method: three contexts
 * work on the simulated hardware with the real firmware; at a random cycle a memory withholds the render node's
 * data or answers until the node is reset, or for a while, or takes no address, or answers with an error, or bits
 * of the running DMA buffer flip (sim/fault.c). Then every job's status and every byte is compared with the oracle
 * of tests/sequence, the culprit gets a new context and content, and the next fault follows. System memory's bus
 * is judged by sim/world.c, segment 2's by sim/fault_gate.v, the inside by the assertions of the RTL: each ends the
 * simulation. TDR-03, TDR-08.
 *
 * test_fault [--seed FIRST] [--boots N] [--rounds PER BOOT] [--kind K] [--stall PERCENT] [--verbose 1]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"
#include "simulator.h"

enum { JOBS = SEQUENCE_IN_FLIGHT, TIMEOUT_CYCLES = 10000, SPREAD = 30000, SHORT_HOLD = 3000 };

/* What a round may do. */
enum round_kind {
    ROUND_HANG_READ,    /* data never comes: a packet that never ends */
    ROUND_HANG_ANSWER,  /* writes are never answered */
    ROUND_NO_ADDRESS,   /* no address is taken for a while */
    ROUND_LATE,         /* data comes late, but in time */
    ROUND_READ_ERROR,
    ROUND_WRITE_ERROR,
    ROUND_COMMAND,
    ROUND_KINDS
};
static const char *const kind_names[ROUND_KINDS] = {"hang of a read",     "hang of a write",     "no address taken",
                                                    "late data",          "bus error, read",     "bus error, write",
                                                    "bits of a command"};

struct outcome {
    bool has_struck, ends_by_itself;
    bool is_spoilt[SEQUENCE_CONTEXTS]; /* lost, or without placement: its content is not known */
    unsigned lost, faults, timeouts;
};

static struct sequence sequence;
static struct sequence_counts counts;
static unsigned passed, failed, armed[ROUND_KINDS], struck[ROUND_KINDS], recovered[ROUND_KINDS], silent;
static uint32_t fixed_kind = ROUND_KINDS;
static bool is_verbose;

/* ------------------------------------------------------------------ the fault */

static void arm(enum round_kind kind, struct outcome *outcome)
{
    static const enum simulator_fault_kind kinds[ROUND_KINDS] = {
        SIMULATOR_HOLD_READS, SIMULATOR_HOLD_ANSWERS, SIMULATOR_HOLD_ADDRESSES, SIMULATOR_HOLD_READS,
        SIMULATOR_READ_ERROR, SIMULATOR_WRITE_ERROR, SIMULATOR_COMMAND_WORD};
    const struct transport *transport = &sequence.machine.transport;
    struct simulator_fault fault = {.kind = kinds[kind],
                                    .memory = sequence_pick(&sequence, 2) ? 2 : 0,
                                    .at = transport->cycles(transport->context) + sequence_pick(&sequence, SPREAD),
                                    .pick = sequence_pick(&sequence, 1u << 16),
                                    .bits = 1u << sequence_pick(&sequence, 32)};
    /* Core and paging node stand behind a held burst too, on system memory both at once: only segment 2 hangs. */
    if (kind <= ROUND_HANG_ANSWER) fault.memory = 2;
    if (kind == ROUND_LATE || kind == ROUND_NO_ADDRESS) fault.cycles = 100 + sequence_pick(&sequence, SHORT_HOLD);
    if (kind == ROUND_COMMAND && sequence_pick(&sequence, 2)) fault.bits = sequence_random(&sequence) | 1u;
    outcome->ends_by_itself = fault.cycles != 0;
    armed[kind]++;
    simulator_inject(sequence.machine.inside, &fault);
}

/* ------------------------------------------------------------------ what may have happened */

static bool take_status(struct outcome *outcome, uint32_t context, int status, bool *is_lost)
{
    switch (status) {
    case TESSERA_OK: return true;
    case STATUS_NO_PLACEMENT: outcome->is_spoilt[context] = true; return true;
    case STATUS_FAULT: outcome->faults++; break;
    case STATUS_TIMEOUT: outcome->timeouts++; break;
    case STATUS_CONTEXT_LOST: break;
    default: return sequence_complain(&sequence, "a job", status);
    }
    outcome->lost += !*is_lost;
    *is_lost = outcome->is_spoilt[context] = true;
    return true;
}

/* Several jobs of every context, the fault among them, and their ends. */
static bool run_jobs(enum round_kind kind, struct outcome *outcome, bool is_lost[SEQUENCE_CONTEXTS])
{
    bool is_right = true;
    sequence.flights = 0;
    arm(kind, outcome);
    for (uint32_t i = 0; i < JOBS && is_right; i++)
        is_right = sequence_submit(&sequence, (i + sequence.step) % SEQUENCE_CONTEXTS);
    for (uint32_t i = 0; i < sequence.flights && is_right; i++) {
        struct flight *flight = &sequence.flight[i];
        int status = tessera_wait(sequence.tessera, flight->ticket, NULL);
        counts.jobs++;
        is_right = take_status(outcome, flight->context, status, &is_lost[flight->context]);
    }
    outcome->has_struck = simulator_fault_fired(sequence.machine.inside);
    simulator_inject(sequence.machine.inside, NULL);
    sequence.flights = 0;
    return is_right;
}

/* What the fault did agrees with what it was. */
static bool judge(enum round_kind kind, const struct outcome *outcome)
{
    unsigned ends = outcome->faults + outcome->timeouts;
    if (outcome->lost > 1) return sequence_complain(&sequence, "more than one context is lost", 0);
    if (ends > 1) return sequence_complain(&sequence, "more than one culprit", 0);
    if (outcome->lost != ends) return sequence_complain(&sequence, "a context is lost without a culprit", 0);
    if (!outcome->has_struck && ends) return sequence_complain(&sequence, "a recovery without a fault", 0);
    if (outcome->ends_by_itself && ends) return sequence_complain(&sequence, "late data is taken for a fault", 0);
    bool is_error = kind == ROUND_READ_ERROR || kind == ROUND_WRITE_ERROR;
    if (outcome->has_struck && is_error && outcome->faults != 1)
        return sequence_complain(&sequence, "a bus error goes unnoticed", 0);
    if (outcome->timeouts && (is_error || kind == ROUND_COMMAND))
        return sequence_complain(&sequence, "a fault is taken for a time-out", 0);
    bool is_hang = kind == ROUND_HANG_READ || kind == ROUND_HANG_ANSWER;
    if (outcome->has_struck && is_hang && !outcome->ends_by_itself && outcome->timeouts != 1)
        return sequence_complain(&sequence, "a hang goes unnoticed", 0);
    return true;
}

/* ------------------------------------------------------------------ content */

static bool is_exact(struct tracked *tracked)
{
    uint8_t bytes[SEQUENCE_BYTES_MAX];
    int status = tessera_read(sequence.tessera, tracked->allocation, 0, bytes, tracked->bytes);
    return status == TESSERA_OK && memcmp(bytes, tracked->image, tracked->bytes) == 0;
}

static bool check_content(enum round_kind kind, struct outcome *outcome)
{
    unsigned changed = 0;
    for (uint32_t i = SEQUENCE_CONTEXTS * SEQUENCE_PER_CONTEXT; i < SEQUENCE_ALLOCATIONS; i++)
        if (!sequence_compare(&sequence, &sequence.tracked[i])) return false;
    for (uint32_t context = 0; context < SEQUENCE_CONTEXTS; context++) {
        struct tracked *tracked = &sequence.tracked[context * SEQUENCE_PER_CONTEXT];
        bool is_changed = false;
        if (outcome->is_spoilt[context]) continue;
        for (uint32_t i = 0; i < SEQUENCE_PER_CONTEXT && !is_changed; i++) is_changed = !is_exact(&tracked[i]);
        if (!is_changed) continue;
        /* A flipped command need not be an illegal one: its own context then draws something else. */
        bool may_change = kind == ROUND_COMMAND && outcome->has_struck && outcome->lost == 0 && changed == 0;
        if (!may_change) {
            for (uint32_t i = 0; i < SEQUENCE_PER_CONTEXT; i++) sequence_compare(&sequence, &tracked[i]);
            return false;
        }
        outcome->is_spoilt[context] = true;
        changed++;
    }
    silent += changed;
    return sequence_check_untouched(&sequence);
}

/* A new context and new content for whoever lost them. */
static bool heal(const struct outcome *outcome, const bool is_lost[SEQUENCE_CONTEXTS])
{
    bool is_right = true;
    for (uint32_t context = 0; context < SEQUENCE_CONTEXTS && is_right; context++) {
        if (is_lost[context]) {
            int status = tessera_context_destroy(sequence.tessera, sequence.context[context]);
            if (status == TESSERA_OK)
                status = tessera_context_create(sequence.tessera, 0, (int32_t)sequence_pick(&sequence, 15) - 7,
                                                &sequence.context[context]);
            if (status != TESSERA_OK) return sequence_complain(&sequence, "another context", status);
        }
        for (uint32_t i = 0; outcome->is_spoilt[context] && i < SEQUENCE_PER_CONTEXT && is_right; i++) {
            struct tracked *tracked = &sequence.tracked[context * SEQUENCE_PER_CONTEXT + i];
            is_right = sequence_destroy(&sequence, tracked) && sequence_create(&sequence, tracked);
        }
    }
    return is_right;
}

static bool run_round(enum round_kind kind)
{
    struct outcome outcome = {0};
    bool is_lost[SEQUENCE_CONTEXTS] = {0};
    bool is_right = run_jobs(kind, &outcome, is_lost) && judge(kind, &outcome) && check_content(kind, &outcome) &&
                    heal(&outcome, is_lost);
    struck[kind] += outcome.has_struck;
    recovered[kind] += outcome.lost;
    if (is_verbose || !is_right)
        printf("  step %" PRIu32 " %s: struck %d, %u faults, %u time-outs, %u contexts lost\n", sequence.step,
               kind_names[kind], outcome.has_struck, outcome.faults, outcome.timeouts, outcome.lost);
    return is_right;
}

static bool run_boot(uint32_t seed, uint32_t rounds, uint32_t stall)
{
    const struct sequence_plan plan = {.seed = seed, .stall_percent = stall, .timeout_cycles = TIMEOUT_CYCLES};
    if (!sequence_open(&sequence, &plan, &counts)) return false;
    bool is_right = true;
    for (sequence.step = 0; sequence.step < rounds && is_right; sequence.step++) {
        uint32_t kind = fixed_kind < ROUND_KINDS ? fixed_kind : sequence_pick(&sequence, ROUND_KINDS);
        is_right = run_round((enum round_kind)kind);
    }
    is_right = is_right && sequence_finish(&sequence);
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
    uint32_t first = option(argc, argv, "--seed", 1), boots = option(argc, argv, "--boots", 4);
    uint32_t rounds = option(argc, argv, "--rounds", 5), stall = option(argc, argv, "--stall", 0);
    unsigned all_armed = 0, all_struck = 0;
    fixed_kind = option(argc, argv, "--kind", ROUND_KINDS);
    is_verbose = option(argc, argv, "--verbose", 0) != 0;
    for (uint32_t seed = first; seed < first + boots && failed < 5; seed++) {
        bool is_right = run_boot(seed, rounds, stall);
        passed += is_right;
        failed += !is_right;
        if (!is_right)
            printf("repeat: %s --seed %" PRIu32 " --boots 1 --rounds %" PRIu32 " --stall %" PRIu32 "\n", argv[0], seed,
                   rounds, stall);
        fflush(stdout);
    }
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++) {
        printf("%-20s %4u armed %4u struck %4u contexts lost\n", kind_names[kind], armed[kind], struck[kind],
               recovered[kind]);
        all_armed += armed[kind];
        all_struck += struck[kind];
    }
    printf("%u faults armed, %u struck, %u changed the culprit's picture only; %" PRIu32 " jobs, %" PRIu32
           " bytes compared, %.1f Mcycles\n", all_armed, all_struck, silent, counts.jobs, counts.compared,
           (double)counts.cycles / 1e6);
    if (all_struck * 3 < all_armed) failed++, printf("too few faults struck\n");
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
