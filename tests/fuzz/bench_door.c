/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench's hardware door and the act of submitting: see job_bench.h. Offences against the bench's rules
 * abort at once: they are bugs of the code under test, and a debugger should find the stack as it was.
 */
#include "job_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "examine.h"
#include "examiner_door.h"
#include "table_memory.h"

uint32_t bench_system[BENCH_SYSTEM_BYTES / 4];
uint32_t bench_command[BENCH_COMMAND_BYTES / 4];

static uint8_t was_read[BENCH_SYSTEM_BYTES / 4];
static uint32_t touched_first, touched_end; /* words of system memory that reads have spoiled lie in between */
static uint32_t window_bytes;               /* of command RAM that the job may touch */
static bool regions_overlap;                /* the submission itself asks for some words twice */
static struct validation scratch;
static uint16_t list[LIST_LIMIT];

_Noreturn void bench_offence(const char *rule, uint32_t value)
{
    fprintf(stderr, "bench: %s (0x%08x)\n", rule, (unsigned)value);
    abort();
}

/* ------------------------------------------------------------------ the hardware's door */

static bool is_examiner(uint32_t offset) { return offset - EXAMINE_BASE < 256u; }

uint32_t hal_register_read(uint32_t offset)
{
    if (offset == MEMORY_FEATURES_OFFSET) return FEATURES_ALL;
    if (!is_examiner(offset)) bench_offence("a register was read", offset);
    return examiner_door_read(offset);
}

void hal_register_write(uint32_t offset, uint32_t value)
{
    if (!is_examiner(offset)) bench_offence("a register was written", offset);
    examiner_door_write(offset, value, bench_command, BENCH_COMMAND_BYTES / 4);
    /* Content that the job does not name is lost while the examiner walks. */
    if (offset == EXAMINE_START_OFFSET && !scratch.counts_traffic) bench_table.losses++;
}

void hal_barrier(void) {}

static uint32_t *command_word(uint32_t offset)
{
    if (offset % 4u != 0 || offset < BENCH_DMA_OFFSET || offset - BENCH_DMA_OFFSET >= window_bytes)
        bench_offence("command RAM outside the job's window", offset);
    return &bench_command[offset / 4u];
}

uint32_t hal_command_read(uint32_t offset) { return *command_word(offset); }
void hal_command_write(uint32_t offset, uint32_t word) { *command_word(offset) = word; }
void *hal_command_memory(uint32_t offset) { return command_word(offset); }

void hal_system_read(uint32_t address, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = address / 4u + i;
        if (address % 4u != 0 || place >= BENCH_SYSTEM_BYTES / 4)
            bench_offence("system memory outside its pages", address);
        if (was_read[place] && !regions_overlap) bench_offence("the host's memory was read twice", place * 4u);
        was_read[place] = 1;
        touched_first = min_u32(touched_first, place);
        touched_end = max_u32(touched_end, place + 1u);
        words[i] = bench_system[place];
        bench_system[place] = 0x5eed0000u ^ place * 2654435761u;
    }
}

void hal_system_write(uint32_t address, const uint32_t *words, uint32_t count)
{
    (void)words, (void)count;
    bench_offence("system memory was written", address);
}

void hal_system_invalidate(void) {}
bool hal_system_failed(uint32_t *address)
{
    (void)address;
    return false;
}
_Noreturn void hal_assert_failed(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

/* With the address sanitizer a step outside the window through a pointer is caught where it happens. */
static void fence_window(bool is_fenced)
{
#ifdef __SANITIZE_ADDRESS__
    uint8_t *begin = (uint8_t *)bench_command, *window = begin + BENCH_DMA_OFFSET, *end = window + window_bytes;
    __asan_unpoison_memory_region(begin, sizeof bench_command);
    if (!is_fenced) return;
    __asan_poison_memory_region(begin, BENCH_DMA_OFFSET);
    __asan_poison_memory_region(end, (size_t)(begin + sizeof bench_command - end));
#else
    (void)is_fenced;
#endif
}

/* ------------------------------------------------------------------ submitting */

void bench_reset(void)
{
    struct allocation *entries = bench_table.entry;
    memset(&bench_table, 0, sizeof bench_table);
    bench_table.entry = entries;
    bench_table.limit = BENCH_ALLOCATIONS;
    bench_table.system_pages = BENCH_SYSTEM_BYTES / PAGE_BYTES;
    examiner_door_reset();
    validation_init(&scratch, table_memory(), list);
    if (scratch.examiner_room == 0u) bench_offence("no examiner", 0);
    scratch.counts_traffic = true;
}

void bench_leave_out(uint32_t features)
{
    scratch.access.left_out = features;
    scratch.examiner_room = FIELD_GET(features, MEMORY_FEATURES_FORMATS) == 0u ? examiner_room() : 0u;
}

static bool overlap(uint64_t first, uint64_t first_words, uint64_t second, uint64_t second_words)
{
    return first < second + second_words * 4u && second < first + first_words * 4u;
}

void bench_place(const struct submission *s)
{
    const uint32_t *m = s->message;
    uint64_t list_words = (uint64_t)m[MSG_SUBMIT_LIST_COUNT] * LIMIT_BITS_LIST_ENTRY_WORDS;
    uint64_t patch_words = (uint64_t)m[MSG_SUBMIT_PATCH_COUNT] * LIMIT_BITS_PATCH_ENTRY_WORDS;
    uint64_t dma_words = m[MSG_SUBMIT_DMA_BYTES] / 4u;
    window_bytes = min_u32(m[MSG_SUBMIT_DMA_BYTES], GPU_LIMIT(DMA_BYTES));
    regions_overlap = overlap(m[MSG_SUBMIT_DMA], dma_words, m[MSG_SUBMIT_LIST], list_words) ||
                      overlap(m[MSG_SUBMIT_DMA], dma_words, m[MSG_SUBMIT_PATCHES], patch_words) ||
                      overlap(m[MSG_SUBMIT_LIST], list_words, m[MSG_SUBMIT_PATCHES], patch_words);
    for (uint32_t i = touched_first; i < touched_end; i++) was_read[i] = 0, bench_system[i] = 0;
    touched_first = UINT32_MAX, touched_end = 0;
    memcpy(&bench_system[BENCH_DMA_ADDRESS / 4], s->dma, sizeof s->dma);
    memcpy(&bench_system[BENCH_LIST_ADDRESS / 4], s->list, sizeof s->list);
    memcpy(&bench_system[BENCH_PATCH_ADDRESS / 4], s->patches, sizeof s->patches);
}

static void validate(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    static const struct job untouched = {.tag = 0xdead, .dma_words = 0xbeef};
    verdict->job = untouched;
    verdict->why = (struct refusal){STATUS_OK, 0};
    fence_window(true);
    verdict->is_accepted = examine(&scratch, &bench_table, s->message, BENCH_CONTEXT, BENCH_DMA_OFFSET, verdict->room,
                                   room_count, &verdict->job, &verdict->why);
    fence_window(false);
    if (!verdict->is_accepted && memcmp(&verdict->job, &untouched, sizeof untouched) != 0)
        bench_offence("a refusal changed the job", verdict->why.status);
    if (!verdict->is_accepted && verdict->why.status == STATUS_OK) bench_offence("a refusal without a reason", 0);
}

/* Larger than a segment can be, so that the examiner may think it smaller. */
static bool names_huge(const struct job *job)
{
    for (uint32_t i = 0; i < job->patch_count; i++)
        if (job->patches[i].allocation == BENCH_HUGE) return true;
    return false;
}

/* Is every packet one that the examiner knows? */
static bool is_for_examiner(const struct job *job)
{
    for (uint32_t at = 0; at < job->dma_words;) {
        const uint32_t word0 = bench_command[job->dma_offset / 4u + at];
        switch (word0 & field_mask(8)) {
        case PKT_NOP: at += PKT_NOP_WORDS; break;
        case PKT_BIND:
            if (FIELD_GET(word0, PKT_BIND_FORMAT) > FORMAT_A8) return false;
            at += PKT_BIND_WORDS;
            break;
        case PKT_FILL_RECT: at += PKT_FILL_RECT_WORDS; break;
        case PKT_BLIT: at += PKT_BLIT_WORDS; break;
        default: return false;
        }
    }
    return job->dma_words != 0u;
}

uint64_t bench_examined[2];
static bool is_given_up; /* it still walks what came before, and could not be asked */

/* The same once more, by the firmware alone: it says the same of everything, and the examiner has accepted exactly what
 * is sound and made of packets that it knows. */
static void validate_alone(const struct submission *s, uint32_t room_count, const struct verdict *verdict)
{
    static struct verdict alone;
    const bool was_examiner = scratch.by_examiner, has_examiner = scratch.examiner_room != 0u;
    bench_place(s);
    const uint32_t room = scratch.examiner_room;
    scratch.examiner_room = 0;
    validate(s, room_count, &alone);
    scratch.examiner_room = room;
    if (alone.is_accepted != verdict->is_accepted || alone.why.status != verdict->why.status ||
        alone.why.detail != verdict->why.detail)
        bench_offence("the examiner changes what is said", alone.why.status);
    if (!alone.is_accepted) return;
    const bool may = has_examiner && is_for_examiner(&alone.job), must = may && !names_huge(&alone.job);
    alone.job.patches = verdict->job.patches;
    if (memcmp(&alone.job, &verdict->job, sizeof alone.job) != 0 ||
        memcmp(alone.room, verdict->room, alone.job.patch_count * sizeof alone.room[0]) != 0)
        bench_offence("the examiner changes the job", alone.job.tag);
    if (was_examiner ? !may : must && !is_given_up) bench_offence("not what the examiner accepts", was_examiner);
    bench_examined[was_examiner]++;
}

/* The same once more by the examiner where no traffic is wanted: none is counted, and all else is as it was. */
static void validate_without_traffic(const struct submission *s, uint32_t room_count, const struct verdict *verdict)
{
    static struct verdict without;
    bench_place(s);
    scratch.counts_traffic = false;
    validate(s, room_count, &without);
    scratch.counts_traffic = true;
    for (uint32_t i = 0; i < verdict->job.patch_count; i++) {
        struct patch patch = verdict->room[i];
        patch.traffic = 0;
        if (memcmp(&without.room[i], &patch, sizeof patch) != 0) bench_offence("traffic changes the job", i);
    }
}

void bench_validate(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    validate(s, room_count, verdict);
    const bool was_examiner = scratch.by_examiner;
    validate_alone(s, room_count, verdict);
    if (verdict->is_accepted && was_examiner) validate_without_traffic(s, room_count, verdict);
    is_given_up = false;
}

void bench_abandon(const struct submission *s)
{
    static struct verdict verdict;
    bench_place(s);
    fence_window(true);
    if (!validation_begin(&scratch, &bench_table, s->message, BENCH_CONTEXT, BENCH_DMA_OFFSET, verdict.room,
                          PATCH_LIMIT, &verdict.why))
        bench_offence("refused before it was read", verdict.why.status);
    while (!validation_waits(&scratch))
        if (validation_step(&scratch, &verdict.job, &verdict.why) != VALIDATION_GOES_ON)
            bench_offence("the examiner was never waited for", verdict.why.status);
    fence_window(false);
    is_given_up = true;
}

void bench_submit(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    bench_place(s);
    bench_validate(s, room_count, verdict);
}
