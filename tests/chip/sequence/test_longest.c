/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: DMA buffers and lists as long as HOST.DMA_BYTES and HOST.LIST_ENTRIES may allow are carried out exactly, one
 * byte or entry more is refused, and what a reference costs depends little on how many a DMA buffer has. Method:
 * allocations of a page, into each of which a word of its own is drawn, by FILLs, which the firmware examines, or by
 * rectangles, which the examiner does; COPYs, with two locations each, gather the words in one allocation, which is
 * compared whole. longest ALLOCATIONS PER [rectangles]: FILLs of so many, or rectangles, PER of them in a DMA buffer,
 * for measurements; longest most: all there may be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "machine.h"
#include "tessera.h"
#include "tessera_stream.h"

enum {
    PAGE = 4096,
    MEMORY_BYTES = 128 << 20,
    UNIT = 8, /* bytes that are drawn of an allocation */
    SLOTS = 60,
    FRAMES = 2,
    MOST = LIMIT_BITS_LIST_ENTRIES_MAX,
    TICKETS = 64
};

struct run {
    uint32_t count;          /* allocations */
    uint32_t per;            /* of them in a DMA buffer, at most */
    uint32_t entries, bytes; /* the limits */
    uint32_t frames;
    bool has_fills, has_rectangles;
    bool is_compared;
};

static struct tessera_stream *stream;
static struct tessera_allocation *allocation[MOST], *target;
static uint32_t context;
static tessera_ticket ticket[TICKETS];
static uint32_t tickets;

static uint32_t now(void)
{
    uint32_t cycle = 0;
    check(tessera_register_read(tessera, CORE_CYCLE_LO_OFFSET, &cycle) == TESSERA_OK, "the cycle counter");
    return cycle;
}

/* ------------------------------------------------------------------ what is drawn */

static uint32_t word_of(uint32_t k, uint32_t frame) { return (k + 1u) * 2654435761u + frame; }

static bool fill(uint32_t k, uint32_t frame)
{
    const struct tessera_place place = {allocation[k], 0, k % SLOTS};
    return tessera_stream_fill(stream, &place, UNIT, word_of(k, frame)) == TESSERA_OK;
}

static bool draw(uint32_t k, uint32_t frame)
{
    const uint32_t slot = k % SLOTS;
    const struct tessera_surface surface = {
        .allocation = allocation[k], .format = FORMAT_ARGB8888, .pitch = 64, .is_target = true};
    return tessera_stream_bind(stream, slot, &surface) == TESSERA_OK &&
           tessera_stream_fill_rect(stream, slot, 0, 0, UNIT / 4, 1, word_of(k, frame)) == TESSERA_OK;
}

static bool gather(uint32_t k, uint32_t frame)
{
    const struct tessera_place to = {target, k * UNIT, 0}, from = {allocation[k], 0, 1 + k % SLOTS};
    (void)frame;
    return tessera_stream_copy(stream, &to, &from, UNIT) == TESSERA_OK;
}

/* NOPs to the last byte, where it is not time that is measured. */
static bool submit(bool is_padded)
{
    static const uint32_t nop = PKT_NOP;
    while (is_padded && tessera_stream_has_room(stream, 1, 0, 0)) (void)tessera_stream_raw(stream, &nop, 1);
    const bool is_sent =
        tickets < TICKETS && tessera_submit(tessera, context, stream, 0, &ticket[tickets]) == TESSERA_OK;
    tickets += is_sent;
    tessera_stream_clear(stream);
    return check(is_sent, "submit");
}

/* Cycles; *longest becomes the most patch locations of a DMA buffer. */
static uint32_t draw_all(const struct run *run, uint32_t frame, bool (*one)(uint32_t k, uint32_t frame),
                         uint32_t *longest)
{
    const uint32_t begin = now();
    bool is_done = true;
    tickets = *longest = 0;
    for (uint32_t k = 0, in_buffer = 0; k < run->count && is_done; k++, in_buffer++) {
        if (in_buffer == run->per || !one(k, frame)) {
            is_done = submit(run->is_compared) && one(k, frame);
            in_buffer = 0;
        }
        if (tessera_stream_patches(stream) > *longest) *longest = tessera_stream_patches(stream);
    }
    is_done = check(is_done, "draw") && submit(run->is_compared);
    for (uint32_t i = 0; i < tickets; i++) {
        struct tessera_completion completion;
        check(tessera_wait(tessera, ticket[i], &completion) == TESSERA_OK, "a DMA buffer");
    }
    return now() - begin;
}

static void compare(const struct run *run, uint32_t frame)
{
    uint32_t *words = calloc(run->count, UNIT), wrong = 0, longest;
    (void)draw_all(run, frame, gather, &longest);
    check(words != NULL && tessera_read(tessera, target, 0, words, run->count * UNIT) == TESSERA_OK, "read");
    for (uint32_t i = 0; i < run->count * UNIT / 4u && words != NULL; i++)
        wrong += words[i] != word_of(i / (UNIT / 4u), frame);
    check(wrong == 0, "every word");
    free(words);
}

static void measure(const struct run *run, const char *name, bool (*one)(uint32_t k, uint32_t frame))
{
    uint32_t cycles = 0, longest = 0;
    for (uint32_t frame = 0; frame < run->frames; frame++) {
        const uint32_t taken = draw_all(run, frame, one, &longest);
        if (frame != 0) cycles += taken;
        if (run->is_compared) compare(run, frame);
    }
    if (run->frames > 1u)
        printf("%u %s, at most %u locations in a DMA buffer: %.1f cycles per reference\n", run->count, name, longest,
               (double)cycles / (run->frames - 1u) / run->count);
}

/* ------------------------------------------------------------------ a world */

/* A message that is one too long somewhere. */
static void check_refused(uint32_t word, uint32_t value)
{
    uint32_t message[16] = {MSG_SUBMIT, [MSG_SUBMIT_CONTEXT] = context}, address = 0;
    struct tessera_completion completion = {0};
    check(tessera_staging_take(tessera, &address) == TESSERA_OK, "staging");
    message[MSG_SUBMIT_DMA] = message[MSG_SUBMIT_LIST] = message[MSG_SUBMIT_PATCHES] = address;
    message[word] = value;
    const int status = tessera_call(tessera, message, &completion);
    check(status == STATUS_LIST_LENGTH && completion.detail == word, "one too long");
    tessera_staging_free(tessera, address);
}

static bool create(uint32_t bytes, uint32_t set, struct tessera_allocation **made)
{
    const struct tessera_allocation_options options = {
        .bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE, .read_set = set, .write_set = set};
    return tessera_allocation_create(tessera, &options, made) == TESSERA_OK;
}

static void try(const struct run *run)
{
    char message[256];
    struct machine machine;
    uint32_t statistics[STAT_COUNT];
    const struct machine_options machine_options = {.memory_bytes = MEMORY_BYTES, .seed = 3};
    const struct tessera_options options = {.firmware = machine_firmware(),
                                            .allocations = run->count + 1u,
                                            .list_entries = run->entries,
                                            .dma_bytes = run->bytes,
                                            .seed = 3,
                                            .patience_cycles = 200000000};
    tessera = NULL;
    if (!check(machine_open(&machine, &machine_options, message), message) ||
        !check(tessera_open(&tessera, &machine.transport, &options, message) == TESSERA_OK, message))
        return;
    check(tessera_statistics(tessera, statistics) == TESSERA_OK, "statistics");
    check(statistics[STAT_LIST_LIMIT] == run->entries && statistics[STAT_DMA_LIMIT] == run->bytes,
          "the limits in force");
    check(tessera_context_create(tessera, 0, 0, &context) == TESSERA_OK, "context");
    check(create(run->count * UNIT, 3, &target), "the target");
    for (uint32_t i = 0; i < run->count; i++)
        if (!create(PAGE, 7, &allocation[i])) check(false, "create");
    stream = tessera_stream_create_for(tessera);
    if (!check(stream != NULL, "stream")) return;
    if (run->has_fills) measure(run, "FILLs", fill);
    if (run->has_rectangles) measure(run, "rectangles", draw);
    check_refused(MSG_SUBMIT_DMA_BYTES, run->bytes + 4u);
    check_refused(MSG_SUBMIT_LIST_COUNT, run->entries + 1u);
    check_refused(MSG_SUBMIT_PATCH_COUNT, run->entries + 1u);
    check(tessera_statistics(tessera, statistics) == TESSERA_OK, "statistics");
    if (!machine_is_model && run->frames > 1u) printf("longest turn: %u cycles\n", statistics[STAT_TURN_MAX]);
    check(machine_is_consistent(&machine), "the manager's validator");
    for (uint32_t i = 0; i < run->count && machine_is_model; i++)
        if (tessera_allocation_destroy(tessera, allocation[i]) != TESSERA_OK) check(false, "destroy");
    if (machine_is_model) check(tessera_allocation_destroy(tessera, target) == TESSERA_OK, "destroy");
    tessera_stream_destroy(stream);
    tessera_close(tessera);
}

int main(int argc, char **argv)
{
    /* A list has entry 0 besides: 4,095 allocations in one DMA buffer; FILLs of them take 65,520 bytes. */
    static const struct run longest = {MOST - 1, MOST, MOST, LIMIT_BITS_DMA_BYTES_MAX, 1, true, true, true};
    static const struct run on_chip = {700, MOST, MOST, LIMIT_BITS_DMA_BYTES_MAX, 1, true, false, true};
    static const struct run on_model[] = {{MOST - 1, MOST, MOST, LIMIT_BITS_DMA_BYTES_MAX, 2, true, true, true},
                                          {1000, MOST, 1024, 49152, 2, true, true, true},
                                          {100, MOST, 64, 1024, 2, true, true, true}};
    if (argc >= 3) {
        const bool are_rectangles = argc > 3;
        const struct run run = {
            (uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]), MOST, LIMIT_BITS_DMA_BYTES_MAX, FRAMES,
            !are_rectangles,         are_rectangles,          false};
        try(&run);
    } else if (argc == 2) try(&longest);
    else if (machine_is_model)
        for (uint32_t i = 0; i < 3; i++) try(&on_model[i]);
    else try(&on_chip);
    printf("%s: %u passed, %u failed\n", machine_name, passed, failed);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
