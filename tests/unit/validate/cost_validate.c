/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: validation and patching cost the control core a bounded number of instructions per command word and
 * per patch location, whatever the length of the job.
 * Method: RV32 code under qemu with exact instruction counting; jobs of growing length with few and with many
 * patch locations, from which the costs are the slopes. The hardware's door is as plain as the target's: a
 * call and a load or store per word.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examine.h"
#include "job_bench.h"
#include "table_memory.h"
#include "ddi/patch.h"
#include "platform/turn.h"

enum { PER_WORD_MAX = 70, PER_PATCH_MAX = 200, PER_ADDRESS_MAX = 30 };

static struct validation scratch;
static uint16_t list[LIST_LIMIT];
static uint32_t command_ram[BENCH_COMMAND_BYTES / 4], system_memory[BENCH_SYSTEM_BYTES / 4];
static struct patch room[PATCH_LIMIT];
static struct submission submission;

/* ------------------------------------------------------------------ the hardware's door */

/* No examiner: the firmware looks at every packet itself. */
uint32_t hal_register_read(uint32_t offset) { return offset == MEMORY_FEATURES_OFFSET ? FEATURES_ALL : 0; }
void hal_register_write(uint32_t offset, uint32_t value) { (void)offset, (void)value; }
void hal_barrier(void) {}
uint32_t hal_cycles(void) { return 0; }
bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context) /* nothing pauses */
{
    (void)stack;
    body(context);
    return true;
}
void hal_pause(void) {}
struct turn *hal_turn(void)
{
    static struct turn turn = {.limit = UINT32_MAX};
    return &turn;
}

uint32_t hal_command_read(uint32_t offset) { return command_ram[offset / 4u]; }
void hal_command_write(uint32_t offset, uint32_t word) { command_ram[offset / 4u] = word; }
void *hal_command_memory(uint32_t offset) { return &command_ram[offset / 4u]; }
void hal_system_invalidate(void) {}
bool hal_system_failed(uint32_t *address)
{
    (void)address;
    return false;
}

void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) words[i] = system_memory[address / 4u + i];
}

_Noreturn void hal_assert_failed(const char *text)
{
    printf("%s\n", text);
    exit(1);
}

_Noreturn void bench_offence(const char *rule, uint32_t value)
{
    printf("%s (%u)\n", rule, (unsigned)value);
    exit(1);
}

/* ------------------------------------------------------------------ measuring */

static uint32_t instructions(void)
{
    uint32_t count;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(count));
    return count;
}

static uint32_t address_of(const void *context, uint32_t allocation)
{
    (void)context;
    return GPU_LIMIT(ADDR_SEGMENT2) + allocation * PAGE_BYTES;
}

/* `draws` FILL_RECTs (4 words, no patch) and `copies` FILLs (4 words, 1 patch). */
static void build(uint32_t draws, uint32_t copies)
{
    submission_begin(&submission);
    submission_list(&submission, bench_handle(BENCH_D), true);
    submission_bind(&submission, at(0, 0, 0), FORMAT_ARGB8888, 256, 65536);
    for (uint32_t i = 0; i < draws; i++) submission_fill_rect(&submission, 0, i % 60u, 1, 4, 4, i);
    for (uint32_t i = 0; i < copies; i++) submission_fill(&submission, at(0, 1, i), 4, i);
    submission_end(&submission);
}

struct cost {
    uint32_t validate, patch;
};

static struct cost measure(uint32_t draws, uint32_t copies)
{
    struct cost cost;
    struct job job;
    struct refusal why;
    build(draws, copies);
    memcpy(&system_memory[BENCH_DMA_ADDRESS / 4], submission.dma, sizeof submission.dma);
    memcpy(&system_memory[BENCH_LIST_ADDRESS / 4], submission.list, sizeof submission.list);
    memcpy(&system_memory[BENCH_PATCH_ADDRESS / 4], submission.patches, sizeof submission.patches);
    uint32_t start = instructions();
    bool is_accepted =
        examine(&scratch, &bench_table, submission.message, 0, BENCH_DMA_OFFSET, room, PATCH_LIMIT, &job, &why);
    cost.validate = instructions() - start;
    if (!is_accepted) bench_offence("a sound job was refused", (uint32_t)why.status);
    start = instructions();
    job_patch(&job, 0, job.patch_count, address_of, NULL);
    cost.patch = instructions() - start;
    return cost;
}

static int check(const char *name, uint32_t cost, uint32_t limit)
{
    printf("%-36s %6u (at most %u)\n", name, (unsigned)cost, (unsigned)limit);
    return cost > limit;
}

int main(void)
{
    int failed = 0;
    validation_init(&scratch, table_memory(), list);
    bench_table.system_pages = BENCH_SYSTEM_BYTES / PAGE_BYTES;
    struct cost none = measure(0, 0), some = measure(250, 0), many = measure(2000, 0), patched = measure(0, 1000);
    uint32_t per_word = (many.validate - some.validate) / (1750u * 4u);
    uint32_t per_word_at_first = (some.validate - none.validate) / (250u * 4u);
    uint32_t per_patch = (patched.validate - none.validate) / 1000u - 4u * per_word;
    uint32_t per_address = (patched.patch - none.patch) / 1000u;
    printf("%-36s %6u\n", "instructions for the shortest job", (unsigned)none.validate);
    failed += check("instructions per command word", per_word, PER_WORD_MAX);
    failed += check("the same over the first 1000 words", per_word_at_first, PER_WORD_MAX);
    failed += check("instructions per patch location", per_patch, PER_PATCH_MAX);
    failed += check("instructions per address written", per_address, PER_ADDRESS_MAX);
    printf("%d passed, %d failed\n", 4 - failed, failed);
    return failed != 0;
}
