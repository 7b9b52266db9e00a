/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: whatever a host asks for, in whatever order, every byte of every allocation is what an oracle says that
 * knows nothing of memory management; nothing is resident or mapped when all is destroyed; no page of nobody's is
 * touched. Method: seeded random sequences over libtessera (sequence.c): create, destroy, lock, write, read,
 * submissions of several contexts, offer, reclaim, evict, priorities, aperture-only and swizzled allocations,
 * forced modes, both descriptions of the segments, segments nearly full. The same file runs on the simulated hardware
 * and on the golden model. PGB-05, PGB-08, PGB-11, PGB-17, PGB-24, PGB-45, PGB-50, CNF-01, CNF-02,
 * CNF-03, CNF-04, CNF-06, CNF-07.
 *
 * --buffers: every step is a submission, and each sequence runs a second time on a machine with all of local
 * memory and no forced mode, where nothing may be split; what the host sees must be the same both times.
 *
 * test_sequence [--seed FIRST] [--count N] [--steps N] [--stall PERCENT] [--latency CYCLES] [--buffers]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "sequence.h"

struct run {
    uint32_t seed, count, steps, stall, latency;
    bool buffers;
};

static struct sequence_counts total, unsplit;
static unsigned passed, failed;

static bool take_options(struct run *run, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--buffers") == 0) {
            run->buffers = true;
            continue;
        }
        if (i + 1 == argc) return false;
        uint32_t value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--seed") == 0) run->seed = value;
        else if (strcmp(argv[i], "--count") == 0) run->count = value;
        else if (strcmp(argv[i], "--steps") == 0) run->steps = value;
        else if (strcmp(argv[i], "--stall") == 0) run->stall = value;
        else if (strcmp(argv[i], "--latency") == 0) run->latency = value;
        else return false;
        i++;
    }
    return true;
}

static bool run_one(const struct run *run, uint32_t seed)
{
    struct sequence_plan plan = {.seed = seed,
                                 .steps = run->steps,
                                 .only_jobs = run->buffers,
                                 .patience_cycles = 20000000,
                                 .stall_percent = run->stall,
                                 .latency = run->latency};
    uint32_t digest = 0, whole = 0, unplaced = total.unplaced;
    if (!sequence_run(&plan, &total, &digest)) return false;
    if (!run->buffers || total.unplaced != unplaced) return true;
    plan.is_unsplit = true;
    if (!sequence_run(&plan, &unsplit, &whole)) return false;
    if (digest != whole) printf("seed %u: the output differs from the unsplit run\n", seed);
    return digest == whole;
}

/* What each sequence proves: that every byte is right whatever is paged, patched, forced, locked and split. */
static const char sequence_rows[] = "PGB-05, PGB-08, PGB-11, PGB-17, PGB-24, PGB-45, PGB-50, CNF-01, CNF-02, CNF-03, "
                                    "CNF-04, CNF-06, CNF-07";
/* ... and a DMA buffer that is split, clobbered and patched again has the effect that it has whole. */
static const char buffer_rows[] = "SPL-01, SPL-06, SPL-07, SPL-13, SPL-18, SPL-28";

/* Hard, but not hopeless: splits and evictions happen, few jobs find no placement. */
static void judge_mix(const struct run *run)
{
    bool is_enough = run->count >= 10;
    bool is_hard = total.portions > total.jobs + total.jobs / 8 && total.evictions > total.jobs / 4;
    bool is_possible = total.unplaced <= total.jobs / 5;
    bool has_discards = run->buffers || run->count < 50 || total.discarded > 0;
    if (!is_enough || (is_hard && is_possible && has_discards)) return;
    printf("the mix is wrong: hard %d, possible %d, discards %d\n", is_hard, is_possible, has_discards);
    failed++;
}

int main(int argc, char **argv)
{
    struct run run = {.seed = 1, .count = 10, .steps = 24};
    if (!take_options(&run, argc, argv)) {
        printf("usage: test_sequence [--seed FIRST] [--count N] [--steps N] [--stall %%] [--latency CYCLES]"
               " [--buffers]\n");
        return 2;
    }
    for (uint32_t seed = run.seed; seed < run.seed + run.count && failed < 5; seed++) {
        bool is_right = run_one(&run, seed);
        passed += is_right;
        failed += !is_right;
        rows_count(run.buffers ? buffer_rows : sequence_rows, is_right);
        if (!is_right)
            printf("repeat: %s --seed %" PRIu32 " --count 1 --steps %" PRIu32 " --stall %" PRIu32 " --latency %" PRIu32
                   "%s\n",
                   argv[0], seed, run.steps, run.stall, run.latency, run.buffers ? " --buffers" : "");
        fflush(stdout);
    }
    judge_mix(&run);
    printf("%s: %" PRIu32 " sequences, %" PRIu32 " DMA buffers (%" PRIu32 " without placement), %" PRIu32
           " portions, %" PRIu32 " evictions, %" PRIu32 " discards, %" PRIu32 " bytes compared, %.1f Mcycles\n",
           machine_name, total.sequences, total.jobs, total.unplaced, total.portions, total.evictions, total.discarded,
           total.compared, (double)total.cycles / 1e6);
    if (run.buffers)
        printf("unsplit: %" PRIu32 " DMA buffers, %" PRIu32 " portions, %.1f Mcycles\n", unsplit.jobs, unsplit.portions,
               (double)unsplit.cycles / 1e6);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
