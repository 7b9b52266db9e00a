/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench's hardware door and the act of submitting: see job_bench.h. Offences against the bench's rules
 * abort at once: they are bugs of the code under test, and a debugger should find the stack as it was.
 */
#include "job_bench.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "examine.h"
#include "examiner_door.h"
#include "platform/turn.h"
#include "table_memory.h"

uint32_t bench_system[BENCH_SYSTEM_BYTES / 4];
uint32_t bench_command[BENCH_COMMAND_BYTES / 4];

static uint8_t was_read[BENCH_SYSTEM_BYTES / 4];
static uint32_t touched_first, touched_end; /* words of system memory that reads have spoiled lie in between */
static uint32_t window_bytes;               /* of command RAM that the job may touch */
static bool regions_overlap;                /* the submission itself asks for some words twice */
static uint32_t readings;                   /* of lists, so far: with every eighth one content is lost */
static uint32_t room_bytes;                 /* of command RAM after it, for the patch list of the reader of lists */
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
    const struct lists_memory memory = {bench_command, BENCH_COMMAND_BYTES / 4, bench_system, BENCH_SYSTEM_BYTES / 4};
    examiner_door_write(offset, value, &memory);
    /* Content that the job does not name is lost while the examiner walks, and at times while lists are read. */
    if (offset == EXAMINE_START_OFFSET && !scratch.counts_traffic) bench_table.losses++;
    if (offset != EXAMINE_READ_OFFSET) return;
    readings++;
    bench_table.losses += readings % 8u == 0u;
}

void hal_barrier(void) {}

/* Work that pauses, which it does for the examiner alone, is given up. */
static jmp_buf abandoned;
_Noreturn void hal_pause(void) { longjmp(abandoned, 1); }
struct turn *hal_turn(void)
{
    static struct turn turn;
    return &turn;
}
uint32_t hal_cycles(void) { return 0; }
bool hal_run(enum hal_stack stack, void (*body)(void *context), void *context)
{
    (void)stack;
    body(context);
    return true;
}

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
    uint8_t *begin = (uint8_t *)bench_command, *window = begin + BENCH_DMA_OFFSET;
    uint8_t *end = window + window_bytes + (scratch.avoids_lists ? 0u : room_bytes);
    __asan_unpoison_memory_region(begin, sizeof bench_command);
    if (!is_fenced) return;
    __asan_poison_memory_region(begin, BENCH_DMA_OFFSET);
    __asan_poison_memory_region(end, (size_t)(begin + sizeof bench_command - end));
#else
    (void)is_fenced;
#endif
}

/* ------------------------------------------------------------------ what the reader of lists knows */

/* Its ROW_PLACE: D may only be read there, C is nowhere. */
static uint32_t place_of(uint32_t allocation)
{
    if (allocation == BENCH_C) return 0;
    return FIELD_PUT(0x10000u + 0x123u * (allocation + 1u), EXAMINE_ROW_PLACE_PAGE) |
           FIELD_PUT(1, EXAMINE_ROW_PLACE_READ) | FIELD_PUT(allocation != BENCH_D, EXAMINE_ROW_PLACE_WRITE);
}

/* What the reader of lists knows of each allocation: who may name it, and a place of its own. */
static void tell(void)
{
    hal_register_write(EXAMINE_STOP_OFFSET, FIELD_PUT(1, EXAMINE_STOP_FORGET));
    for (uint32_t i = 0; i < BENCH_ALLOCATIONS; i++) {
        const bool is_ready = i != BENCH_LOCKED && i != BENCH_OFFERED && i != BENCH_LOST && i != BENCH_HUGE;
        hal_register_write(EXAMINE_ROW_KEY_OFFSET, FIELD_PUT(BENCH_GENERATION, EXAMINE_ROW_KEY_GENERATION) |
                                                       FIELD_PUT(is_ready, EXAMINE_ROW_KEY_READY));
        hal_register_write(EXAMINE_ROW_PLACE_OFFSET, place_of(i));
        hal_register_write(EXAMINE_ROW_OFFSET,
                           FIELD_PUT(i, EXAMINE_ROW_ALLOCATION) | FIELD_PUT(bench_pages[i], EXAMINE_ROW_PAGES));
    }
    bench_table.row_count = 1u << DOOR_ROWS_LOG2;
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
    if (scratch.lists_room == 0u) bench_offence("no reader of lists", 0);
    tell();
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
    room_bytes = min_u32(m[MSG_SUBMIT_PATCH_COUNT], PATCH_LIMIT) * (uint32_t)sizeof(struct patch);
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
    /* The reader of lists writes the patch list itself, after the DMA buffer. */
    struct patch *after = (struct patch *)(void *)&bench_command[(BENCH_DMA_OFFSET + window_bytes) / 4u];
    struct patch *room = scratch.avoids_lists ? verdict->room : after;
    verdict->job = untouched;
    verdict->why = (struct refusal){STATUS_OK, 0};
    fence_window(true);
    verdict->is_accepted = examine(&scratch, &bench_table, s->message, BENCH_CONTEXT, BENCH_DMA_OFFSET, room,
                                   room_count, &verdict->job, &verdict->why);
    fence_window(false);
    if (verdict->is_accepted && room == after) {
        memcpy(verdict->room, room, verdict->job.patch_count * sizeof *room);
        verdict->job.patches = verdict->room;
    }
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

uint64_t bench_examined[3];
static bool is_given_up; /* it still works on what came before, and could not be asked */

/* Must the reader of lists accept what the examiner does? Not if the list names something twice, or what it does not
 * know; nor an offset that no entry of the examiner has room for. */
static bool is_for_lists(const struct submission *s)
{
    bool is_named[BENCH_ALLOCATIONS] = {false};
    if (s->message[MSG_SUBMIT_LIST] != BENCH_LIST_ADDRESS || s->message[MSG_SUBMIT_PATCHES] != BENCH_PATCH_ADDRESS)
        return false;
    for (uint32_t i = 0; i < s->message[MSG_SUBMIT_LIST_COUNT]; i++) {
        const uint32_t handle = s->list[i * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE];
        if (handle == 0u) continue;
        const uint32_t index = handle - BENCH_HANDLE;
        if (index >= BENCH_HUGE || is_named[index]) return false;
        is_named[index] = true;
    }
    for (uint32_t i = 0; i < s->message[MSG_SUBMIT_PATCH_COUNT]; i++)
        if (s->patches[i * LIMIT_BITS_PATCH_ENTRY_WORDS + PATCH_ALLOCATION_OFFSET] >> 25 != 0u) return false;
    return true;
}

/* The addresses that stand in their words, and whether all it names is said to be in place. */
static void check_addresses(const struct job *job)
{
    bool is_in_place = true;
    for (uint32_t i = 0; i < job->patch_count; i++) {
        const struct patch *patch = &job->patches[i];
        const bool is_null = patch->allocation == PATCH_NULL;
        const uint32_t place = is_null ? 0u : place_of(patch->allocation);
        const uint32_t page = FIELD_GET(place, EXAMINE_ROW_PLACE_PAGE), address = page * PAGE_BYTES + patch->offset;
        const uint32_t word = bench_command[job->dma_offset / 4u + patch->patch_word];
        if (word != (is_null ? 0u : address)) bench_offence("the address of an entry", i);
        is_in_place = is_in_place && (is_null || ((patch->flags & PATCH_WRITE) != 0u
                                                      ? FIELD_GET(place, EXAMINE_ROW_PLACE_WRITE)
                                                      : FIELD_GET(place, EXAMINE_ROW_PLACE_READ)) != 0u);
    }
    if (scratch.is_in_place != is_in_place) bench_offence("what is in place", scratch.is_in_place);
}

/* The same by the reader of lists, before all others: it says the same of everything. */
static void validate_by_lists(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    scratch.avoids_lists = false;
    validate(s, room_count, verdict);
    scratch.avoids_lists = true;
    if (scratch.by_lists && readings % 8u == 0u) bench_offence("a reading counts though content was lost", readings);
    if (!verdict->is_accepted || !scratch.by_lists) return;
    const uint32_t *words = &bench_system[s->message[MSG_SUBMIT_LIST] / 4u]; /* the firmware has not read it */
    for (uint32_t i = 0; i < BENCH_ALLOCATIONS; i++) {
        bool is_named = false;
        for (uint32_t k = 0; k < s->message[MSG_SUBMIT_LIST_COUNT]; k++)
            is_named |= words[k * LIMIT_BITS_LIST_ENTRY_WORDS + LIST_HANDLE] == bench_handle((enum bench_allocation)i);
        if (index_set_has(scratch.named, i) != is_named) bench_offence("what the list names", i);
    }
    if (lists_progress() < LISTS_ACCEPTED) return;
    check_addresses(&verdict->job);
    bench_examined[2]++;
}

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

static void compare_lists(const struct submission *s, const struct verdict *by_lists, const struct verdict *verdict,
                          bool was_examiner, bool was_accepted)
{
    struct job job = by_lists->job;
    if (by_lists->is_accepted != verdict->is_accepted || by_lists->why.status != verdict->why.status ||
        by_lists->why.detail != verdict->why.detail)
        bench_offence("the reader of lists changes what is said", by_lists->why.status);
    if (!verdict->is_accepted) return;
    job.patches = verdict->job.patches;
    if (memcmp(&job, &verdict->job, sizeof job) != 0 ||
        memcmp(by_lists->room, verdict->room, job.patch_count * sizeof by_lists->room[0]) != 0)
        bench_offence("the reader of lists changes the job", job.tag);
    if (was_examiner && is_for_lists(s) && !is_given_up && !was_accepted && readings % 8u != 0u)
        bench_offence("not what the reader of lists accepts", job.tag);
}

void bench_validate(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    static struct verdict by_lists;
    const uint64_t before = bench_examined[2];
    validate_by_lists(s, room_count, &by_lists);
    bench_place(s);
    validate(s, room_count, verdict);
    const bool was_examiner = scratch.by_examiner;
    /* What the firmware reads twice it finds changed. */
    if (!regions_overlap) compare_lists(s, &by_lists, verdict, was_examiner, bench_examined[2] != before);
    validate_alone(s, room_count, verdict);
    if (verdict->is_accepted && was_examiner) validate_without_traffic(s, room_count, verdict);
    is_given_up = false;
}

void bench_abandon(const struct submission *s)
{
    static struct verdict verdict;
    static bool was_by_lists; /* either unit in turn */
    bench_place(s);
    was_by_lists = !was_by_lists;
    scratch.avoids_lists = !was_by_lists;
    fence_window(true);
    if (!validation_begin(&scratch, &bench_table, s->message, BENCH_CONTEXT, BENCH_DMA_OFFSET, verdict.room,
                          PATCH_LIMIT, &verdict.why))
        bench_offence("refused before it was read", verdict.why.status);
    hal_turn()->may_pause = true;
    hal_turn()->limit = UINT32_MAX; /* for nothing but the examiner */
    if (setjmp(abandoned) == 0) {
        (void)validation_examine(&scratch, &verdict.job, &verdict.why);
        bench_offence("the examiner was never waited for", verdict.why.status);
    }
    hal_turn()->may_pause = false;
    fence_window(false);
    scratch.avoids_lists = false;
    is_given_up = true;
}

void bench_submit(const struct submission *s, uint32_t room_count, struct verdict *verdict)
{
    bench_place(s);
    bench_validate(s, room_count, verdict);
}
