/* SPDX-License-Identifier: Apache-2.0
 *
 * What planning costs on the control core, in instructions (qemu counts one per cycle): allocations of one page, then
 * of mixed sizes, in a full segment, each DMA buffer with new ones, so that every requirement evicts. Measured
 * against the number of residents, because that is what the work grows with, for both policies.
 */
#include <stdio.h>

#include "carry_out.h"
#include "check.h"
#include "fake_hal.h"
#include "plan/splitter.h"
#include "policy/policies.h"
#include "foresee.h"
#include "table_memory.h"

enum { ENTRIES = 64 };

static struct residency residency;
static struct splitter splitter;
static struct patch patches[ENTRIES];

static uint32_t instructions(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

static void open_world(uint32_t residents, uint32_t largest)
{
    uint32_t random = 3;
    const uint16_t sizes[SEGMENT_LIMIT] = {(uint16_t)(residents * (largest + 1u) / 2u), 1, 1};
    residency_init(&residency, table_memory(), sizes, 1000);
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++) {
        residency.world.table.entry[i] = (struct allocation){.flags = (uint32_t)ALLOCATION_EXISTS, .read_set = 1};
        residency.world.table.details[i] = (struct allocation_details){.priority = 0x78000000u, .write_set = 1};
    }
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        residency.world.table.entry[i].pages = (uint16_t)(1u + check_pick(&random, largest));
}

static void end_plan(uint32_t fence)
{
    (void)carry_out(&residency);
    for (uint32_t i = 0; i < ALLOCATION_LIMIT; i++)
        if (residency.plan.mark[i] != 0) residency.world.table.entry[i].last_fence = fence;
}

/* What the worst portion was aimed at: 20 instructions per resident and 1,000 per reference looked at, which is one
 * more than the portion has where it ends before one. */
static uint32_t bound_of(uint32_t residents, uint32_t references)
{
    return 20u * residents + 1000u * (references + 1u);
}

static void measure(uint32_t policy, uint32_t residents, uint32_t largest, uint32_t limit, uint32_t over_limit)
{
    const struct splitter_modes modes = {0};
    uint32_t most = 0, over = 0, total = 0, rounds = 0, next = 0, looked_at = 0;
    open_world(residents, largest);
    residency_set_policy(&residency, policies[policy]);
    for (uint32_t fence = 1; fence < 60; fence++) {
        for (uint32_t i = 0; i < ENTRIES; i++, next = (next + 1) % ALLOCATION_LIMIT)
            patches[i] = (struct patch){.allocation = (uint16_t)next,
                                        .patch_word = (uint16_t)(4 * i + 1) & 0x7fffu,
                                        .split_word = (uint16_t)(4 * i),
                                        .slot = i % 8u};
        const struct job job = {.dma_words = 4 * ENTRIES, .patches = patches, .patch_count = ENTRIES};
        struct portion portion;
        struct refusal why;
        splitter_init(&splitter);
        uint32_t survey = instructions();
        foresee_job(&residency, &job, &splitter);
        residency.outlook.retired_fence = fence - 1;
        survey = instructions() - survey;
        if (policy == (uint32_t)POLICY_LOOKAHEAD && fence > residents / ENTRIES + 1) total += survey;
        do {
            const uint32_t looked_before = residency.policy_state.candidates;
            uint32_t begin = instructions();
            CHECK(plan_portion(&splitter, &job, &residency, fence, &modes, &portion, &why));
            uint32_t cost = instructions() - begin;
            end_plan(fence);
            if (fence <= residents / ENTRIES + 1) continue; /* the memory fills up first */
            total += cost;
            rounds += portion.entry_count;
            looked_at += residency.policy_state.candidates - looked_before;
            most = max_u32(most, cost);
            over = max_u32(over, cost / (bound_of(residents, portion.entry_count) / 100u));
        } while (!portion.is_last);
    }
    printf("%s, %4lu residents of 1..%lu pages: %6lu instructions per patch location that evicts, "
           "%lu.%lu looked at, %lu worst portion, %lu %% of its bound\n",
           policy == (uint32_t)POLICY_LITERAL ? "literal" : "lookahead", (unsigned long)residents,
           (unsigned long)largest, (unsigned long)(total / rounds), (unsigned long)(looked_at / rounds),
           (unsigned long)(looked_at % rounds * 10u / rounds), (unsigned long)most, (unsigned long)over);
    CHECK(rounds != 0 && total / rounds < limit && over <= over_limit);
}

static void test_cost(void)
{
    static const uint32_t residents[] = {16, 64, 128, 512, 128, 512}, largest[] = {1, 1, 1, 1, 8, 8};
    for (uint32_t i = 0; i < 6; i++) measure(POLICY_LITERAL, residents[i], largest[i], 3600, 285);
    for (uint32_t i = 0; i < 6; i++) measure(POLICY_LOOKAHEAD, residents[i], largest[i], 7600, 650);
}

int main(void)
{
    fake_hal_reset();
    CHECK_RUN(test_cost);
    return check_finish();
}
