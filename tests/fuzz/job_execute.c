/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge by execution (job_oracle.h): the golden engine, and a memory manager that is as unkind as the
 * documents allow. At each split point only what the resource table holds outside the re-programmed slots
 * stays (SPL-10, SPL-11, SPL-15); the rest moves to a random place, and is copied back only if an entry in force since
 * it came says that a packet writes through it. The guard is open for the resident
 * allocations and for nothing else, with closed pages around each, so any access that leaves its allocation
 * or its portion's residents faults.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_model.h"
#include "job_oracle.h"
#include "ddi/patch.h"

enum { PLACES = 256, PLACED = BENCH_D + 1 }; /* pages of segment 2; allocations that can be placed */
enum { NONE = 0xffff };

/* Where each allocation's first page lies, and its content while it is nowhere. */
struct memory {
    uint32_t place[PLACED];
    bool is_dirty[PLACED];
    uint8_t content[PLACED][16 * 4096];
};

static struct engine_model engine;
static uint8_t segment2[PLACES * 4096];
static struct memory memory;
static uint32_t random_state;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static _Noreturn void wrong(const char *what, uint32_t value)
{
    fprintf(stderr, "oracle: %s (0x%x)\n", what, value);
    abort();
}

static uint32_t address_of(const void *context, uint32_t allocation)
{
    const struct memory *m = context;
    if (allocation >= PLACED || m->place[allocation] == NONE)
        wrong("an allocation was patched that is not resident", allocation);
    return GPU_LIMIT(ADDR_SEGMENT2) + m->place[allocation] * GPU_LIMIT(PAGE_BYTES);
}

/* Is there a closed page on both sides, counting what is resident? */
static bool is_free(uint32_t place, uint32_t pages)
{
    if (place == 0 || place + pages >= PLACES) return false;
    for (uint32_t i = 0; i < PLACED; i++)
        if (memory.place[i] != NONE && place <= memory.place[i] + bench_pages[i] && memory.place[i] <= place + pages)
            return false;
    return true;
}

static void page_in(uint32_t allocation)
{
    uint32_t place;
    do place = next_random() % PLACES;
    while (!is_free(place, bench_pages[allocation]));
    memory.place[allocation] = place;
    memcpy(&segment2[place * 4096u], memory.content[allocation], bench_pages[allocation] * 4096u);
}

static void page_out(uint32_t allocation)
{
    uint8_t *place = &segment2[memory.place[allocation] * 4096u];
    if (memory.is_dirty[allocation]) memcpy(memory.content[allocation], place, bench_pages[allocation] * 4096u);
    memory.is_dirty[allocation] = false;
    memset(place, 0xdb, bench_pages[allocation] * 4096u);
    memory.place[allocation] = NONE;
}

/* Open the guard for what is resident: reads, and writes where the job says so. */
static void open_guard(const struct job *job)
{
    uint8_t *guard = &engine.node[0].guard[GPU_LIMIT(GUARD_SPACE_PAGES)];
    uint32_t written = 0;
    for (uint32_t i = 0; i < job->patch_count; i++)
        if (job->patches[i].allocation != PATCH_NULL && job->patches[i].flags & PATCH_WRITE)
            written |= 1u << job->patches[i].allocation;
    memset(engine.node[0].guard, 0, sizeof engine.node[0].guard);
    for (uint32_t i = 0; i < PLACED; i++)
        if (memory.place[i] != NONE) memset(&guard[memory.place[i]], written >> i & 1u ? 3 : 1, bench_pages[i]);
}

static void run_portion(const struct job *job, uint32_t start_word, uint32_t end_word, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].allocation != PATCH_NULL && memory.place[job->patches[i].allocation] == NONE)
            page_in(job->patches[i].allocation);
    for (uint32_t i = first; i < end; i++)
        if (job->patches[i].is_written) memory.is_dirty[job->patches[i].allocation] = true;
    open_guard(job);
    job_patch(job, first, end - first, address_of, &memory);
    uint32_t bytes = (end_word - start_word) * 4u;
    uint32_t fault = engine_model_run(&engine, 0, job->dma_offset + start_word * 4u, bytes, false);
    if (fault != FAULT_NONE) wrong("the golden engine stopped on an accepted job; fault", fault);
}

static void begin_run(uint32_t seed)
{
    static uint32_t aperture[16];
    random_state = seed | 1u;
    memset(&engine, 0, sizeof engine);
    engine.segment2 = segment2, engine.segment2_bytes = sizeof segment2;
    engine.command = bench_command, engine.command_bytes = sizeof bench_command;
    engine.aperture = aperture, engine.aperture_pages = 16;
    memset(segment2, 0xdb, sizeof segment2);
    for (uint32_t i = 0; i < PLACED; i++) {
        memory.place[i] = NONE;
        memory.is_dirty[i] = false;
        for (uint32_t byte = 0; byte < bench_pages[i] * 4096u; byte += 4) {
            uint32_t word = next_random();
            memcpy(&memory.content[i][byte], &word, 4);
        }
    }
}

/* All content back in memory.content; with `is_all` what nothing says was written too. */
static void end_run(bool is_all)
{
    for (uint32_t i = 0; i < PLACED; i++) {
        if (is_all) memory.is_dirty[i] = true;
        if (memory.place[i] != NONE) page_out(i);
    }
}

/* At the split point before entry `first`: move out all but what must stay, and spoil every binding register
 * that is not certain to survive (SPL-18). `row` is the resource table just before: entries. */
static void split(const struct job *job, const uint16_t row[SLOT_LIMIT], uint32_t first, uint32_t end)
{
    bool is_reprogrammed[SLOT_LIMIT] = {false}, stays[PLACED] = {false};
    for (uint32_t i = first; i < end; i++) is_reprogrammed[job->patches[i].slot] = true;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        const struct patch *patch = row[slot] == NONE ? NULL : &job->patches[row[slot]];
        if (patch != NULL && patch->allocation != PATCH_NULL && !is_reprogrammed[slot]) stays[patch->allocation] = true;
        else engine.node[0].bindings[slot].address = GPU_LIMIT(ADDR_SYSTEM);
    }
    for (uint32_t i = 0; i < PLACED; i++)
        if (memory.place[i] != NONE && !stays[i]) page_out(i);
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++)
        if (row[slot] != NONE && !is_reprogrammed[slot] && job->patches[row[slot]].is_written)
            memory.is_dirty[job->patches[row[slot]].allocation] = true;
}

uint32_t oracle_execute(const struct job *job, uint32_t seed)
{
    static uint8_t whole[PLACED][16 * 4096];
    uint16_t row[SLOT_LIMIT];
    uint32_t portions = 0, first = 0, start_word = 0;

    begin_run(seed);
    run_portion(job, 0, job->dma_words, 0, job->patch_count);
    end_run(true);
    memcpy(whole, memory.content, sizeof whole);

    begin_run(seed);
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) row[slot] = NONE;
    while (first < job->patch_count || portions == 0) {
        uint32_t end = first;
        while (end < job->patch_count && job->patches[end].split_word == job->patches[first].split_word) end++;
        uint32_t end_word = end < job->patch_count ? job->patches[end].split_word : job->dma_words;
        if (portions > 0) split(job, row, first, end);
        run_portion(job, start_word, end_word, first, end);
        for (uint32_t i = first; i < end; i++) row[job->patches[i].slot] = (uint16_t)i;
        start_word = end_word;
        first = end;
        portions++;
    }
    end_run(false);
    for (uint32_t i = 0; i < PLACED; i++)
        if (memcmp(whole[i], memory.content[i], bench_pages[i] * 4096u) != 0)
            wrong("split and whole run differ in allocation", i);
    return portions;
}
