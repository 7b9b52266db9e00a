/* SPDX-License-Identifier: Apache-2.0
 *
 * How long one client's message holds up another's, on the simulated chip. Goal: a NOP, and a LOCK of what is idle, are
 * answered within 5,000 cycles whatever one message of another client makes the firmware do (docs/security.md,
 * Promises). Method: many allocations, contexts and list entries; each message that there is, sent by client 2, while
 * client 9 asks again and again. Beside a flood of a message, client 9's small DMA buffers take so many cycles more.
 * Both under each policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "open_chip.h"
#include "tessera_stream.h"

enum {
    SOON = 5000,
    ALLOCATIONS = 800,
    ENTRIES = 2048,
    LARGE_PAGES = 4096,
    MEMORY_BYTES = 64 << 20,
    OWN = 48 << 20, /* the test's own memory: DMA buffer, lists, pages */
    BUSY = 2,       /* clients */
    ASKING = 9,
    FLOOD = 8, /* messages */
    DRAWN = 4  /* DMA buffers */
};

static struct tessera *gpu;
static struct transport *chip;
static struct tessera_allocation *idle, *small, *resident[ALLOCATIONS];
static uint32_t context, drawing, commands, list, patches, pages;

static uint64_t now(void) { return chip->cycles(chip->context); }
static void as(uint32_t client) { tessera_set_client(gpu, client); }

static tessera_ticket send(uint32_t client, const uint32_t words[16])
{
    uint32_t message[16];
    tessera_ticket ticket = 0;
    memcpy(message, words, sizeof message);
    as(client);
    CHECK_EQUAL(tessera_send(gpu, message, &ticket), TESSERA_OK);
    return ticket;
}

/* Cycles until the answer. */
static uint32_t ask(const uint32_t words[16])
{
    const uint64_t begin = now();
    const tessera_ticket ticket = send(ASKING, words);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    return (uint32_t)(now() - begin);
}

/* The longest that a NOP and an idle LOCK wait while `words` is carried out. */
static void hold_up(const char *what, const uint32_t words[16])
{
    const uint32_t nop[16] = {MSG_NOP}, unlock[16] = {MSG_UNLOCK, 0, tessera_allocation_handle(idle)};
    const uint32_t lock[16] = {MSG_LOCK, 0, tessera_allocation_handle(idle), LOCK_ENTIRE};
    uint32_t longest[2] = {0};
    const uint64_t begin = now();
    const tessera_ticket ticket = send(BUSY, words);
    do {
        const uint32_t first = ask(nop), second = ask(lock);
        const uint32_t third = ask(unlock);
        if (third > longest[1]) longest[1] = third;
        if (first > longest[0]) longest[0] = first;
        if (second > longest[1]) longest[1] = second;
    } while (!tessera_is_done(gpu, ticket) && now() - begin < 5000000u);
    as(BUSY);
    const int status = tessera_wait(gpu, ticket, NULL);
    printf("%-44s NOP %5u, LOCK %5u cycles; %s\n", what, longest[0], longest[1], tessera_status_name(status));
    CHECK(longest[0] < SOON && longest[1] < SOON);
}

/* ------------------------------------------------------------------ a flood */

/* Client 2 always has this message under way so many times. */
struct flood {
    const uint32_t *words; /* NULL: none */
    tessera_ticket ticket[FLOOD];
    bool is_sent[FLOOD];
};

static void keep_flooding(struct flood *flood)
{
    for (uint32_t i = 0; flood->words != NULL && i < FLOOD; i++) {
        as(BUSY);
        if (flood->is_sent[i] && !tessera_is_done(gpu, flood->ticket[i])) continue;
        if (flood->is_sent[i]) (void)tessera_wait(gpu, flood->ticket[i], NULL); /* BUSY is an answer, too */
        flood->ticket[i] = send(BUSY, flood->words);
        flood->is_sent[i] = true;
    }
}

/* Cycles that so many small DMA buffers take, one after the other, beside the flood. */
static uint32_t draw_beside(const uint32_t *words)
{
    struct flood flood = {.words = words};
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_surface surface = {
        .allocation = small, .format = FORMAT_ARGB8888, .pitch = 256, .is_target = true};
    CHECK_EQUAL(tessera_stream_bind(stream, 0, &surface), TESSERA_OK);
    tessera_stream_fill_rect(stream, 0, 0, 0, 8, 8, 5);
    keep_flooding(&flood);
    const uint64_t begin = now();
    for (uint32_t i = 0; i < DRAWN; i++) {
        tessera_ticket ticket;
        as(ASKING);
        CHECK_EQUAL(tessera_submit(gpu, drawing, stream, 0, &ticket), TESSERA_OK);
        while (!tessera_is_done(gpu, ticket)) {
            keep_flooding(&flood);
            chip->wait(chip->context, 100);
            as(ASKING);
        }
        CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    }
    const uint32_t cycles = (uint32_t)(now() - begin);
    for (uint32_t i = 0; i < FLOOD; i++)
        if (flood.is_sent[i]) (void)tessera_wait(gpu, flood.ticket[i], NULL);
    tessera_stream_destroy(stream);
    return cycles;
}

static uint32_t alone, most_added; /* cycles of the DMA buffers without a flood; what a flood may add to each */

/* The aim is 1.5 times. Most of what is added is the time of the flood's messages in the one ring before each SUBMIT;
 * under the literal policy an eviction is followed by a look at all residents, too. */
static void flood(const char *what, const uint32_t words[16])
{
    if (alone == 0u) alone = (draw_beside(NULL), draw_beside(NULL)); /* the first time it is paged in */
    const uint32_t beside = draw_beside(words), added = (beside - alone) / DRAWN;
    printf("%-44s small DMA buffers take %u.%02u times as long, %u cycles more each than %u\n", what, beside / alone,
           beside % alone * 100u / alone, added, alone / DRAWN);
    CHECK(added < most_added);
}

static struct tessera_allocation *create(uint32_t client, uint32_t bytes, uint32_t set)
{
    struct tessera_allocation *allocation = NULL;
    const struct tessera_allocation_options options = {
        .bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE, .read_set = set, .write_set = set};
    as(client);
    CHECK_EQUAL(tessera_allocation_create(gpu, &options, &allocation), TESSERA_OK);
    return allocation;
}

/* Everything that client 1 has is drawn to once, and so resident. */
static void fill_memory(void)
{
    uint32_t theirs = 0;
    for (uint32_t i = 0; i < ALLOCATIONS; i++) resident[i] = create(1, 4096, i % 2u != 0u ? 4u : 2u);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &theirs), TESSERA_OK);
    struct tessera_stream *stream = tessera_stream_create();
    for (uint32_t i = 0; i < ALLOCATIONS; i++) {
        const struct tessera_surface surface = {
            .allocation = resident[i], .format = FORMAT_ARGB8888, .pitch = 256, .is_target = true};
        CHECK_EQUAL(tessera_stream_bind(stream, i % 60u, &surface), TESSERA_OK);
        tessera_stream_fill_rect(stream, i % 60u, 0, 0, 1, 1, 5);
    }
    tessera_ticket ticket;
    CHECK_EQUAL(tessera_submit(gpu, theirs, stream, 0, &ticket), TESSERA_OK);
    CHECK_EQUAL(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    tessera_stream_destroy(stream);
}

/* ENTRIES binds of two allocations, each with an entry in both lists. */
static void write_job(const struct tessera_allocation *const two[2])
{
    uint32_t *words = calloc(ENTRIES, 16), *entries = calloc(ENTRIES, 8), *locations = calloc(ENTRIES, 24);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        words[4 * i] = PKT_BIND | FIELD_PUT(i % 60u, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_ARGB8888, PKT_BIND_FORMAT);
        words[4 * i + 2] = 256;
        words[4 * i + 3] = 4096;
        entries[2 * i] = tessera_allocation_handle(two[i % 2u]);
        entries[2 * i + 1] = 1;
        locations[6 * i + PATCH_ALLOCATION_INDEX] = i;
        locations[6 * i + PATCH_SLOT_ID] = i % 60u;
        locations[6 * i + PATCH_PATCH_OFFSET] = 16 * i + 4;
        locations[6 * i + PATCH_SPLIT_OFFSET] = 16 * i;
    }
    chip->memory_write(chip->context, commands, words, ENTRIES * 16);
    chip->memory_write(chip->context, list, entries, ENTRIES * 8);
    chip->memory_write(chip->context, patches, locations, ENTRIES * 24);
    free(words);
    free(entries);
    free(locations);
}

/* All rights to share but one exist, to what was created after BUSY's: its own right comes before them. */
static void fill_rights(void)
{
    enum { OF_ONE = GPU_LIMIT(SHARES) - GPU_LIMIT(SHARES) / 8, EACH = 60 };
    struct tessera_allocation *rest = NULL; /* client 0's: no other may have the last eighth */
    for (uint32_t i = 0; i + 1u < GPU_LIMIT(SHARES); i++) {
        const uint32_t more = i - OF_ONE;
        if (i >= OF_ONE && more % EACH == 0u) rest = create(0, 4096, 4);
        as(i < OF_ONE ? 1 : 0);
        CHECK_EQUAL(
            tessera_share(gpu, i < OF_ONE ? resident[i / EACH] : rest, 3u + (i < OF_ONE ? i : more) % EACH, RIGHT_READ),
            TESSERA_OK);
    }
}

/* As many timelines as there may be, and messages that wait for points but for one; *own is BUSY's. */
static uint32_t fill_timelines(uint32_t *own)
{
    enum { FIRST = 3, LAST = 8 };
    uint32_t waits = 0;
    as(BUSY);
    CHECK_EQUAL(tessera_timeline_create(gpu, 0, 0, own), TESSERA_OK);
    for (uint32_t client = FIRST; client <= LAST; client++) {
        struct tessera_point point = {0, 1};
        tessera_ticket ticket;
        uint32_t timeline;
        as(client);
        while (tessera_timeline_create(gpu, 0, 0x7fffffff, &timeline) == TESSERA_OK) point.timeline = timeline;
        while (point.timeline != 0u && waits + 1u < GPU_LIMIT(POINT_WAITS)) {
            CHECK_EQUAL(tessera_timeline_wait(gpu, &point, 0, &ticket), TESSERA_OK);
            CHECK_EQUAL(tessera_call(gpu, (uint32_t[16]){MSG_NOP}, NULL), TESSERA_OK);
            if (tessera_is_done(gpu, ticket)) break; /* BUSY: it has its part */
            waits++;
        }
    }
    return waits;
}

/* Each message of the timelines, and a DMA buffer with points, beside all that may wait. */
static void test_points(const uint32_t submit[16])
{
    uint32_t own = 0, message[16], other = 0, destroy[16] = {MSG_DESTROY_CONTEXT};
    CHECK_EQUAL(fill_timelines(&own), GPU_LIMIT(POINT_WAITS) - 1);
    const struct {
        const char *what;
        uint32_t words[16];
    } rows[] = {
        {"CREATE_TIMELINE", {MSG_CREATE_TIMELINE}},
        {"QUERY_TIMELINE", {MSG_QUERY_TIMELINE, 0, own}},
        {"SHARE_TIMELINE", {MSG_SHARE_TIMELINE, 0, own, 3, RIGHT_READ}},
        {"SIGNAL_TIMELINE", {MSG_SIGNAL_TIMELINE, 0, own, 1}},
        {"WAIT_TIMELINE that ends at its limit", {MSG_WAIT_TIMELINE, 0, own, 99, 0, 30000}},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) hold_up(rows[i].what, rows[i].words);
    memcpy(message, submit, sizeof message);
    message[MSG_SUBMIT_FLAGS] = SUBMIT_FLAG_POINTS;
    message[MSG_SUBMIT_WAIT_TIMELINE] = message[MSG_SUBMIT_SIGNAL_TIMELINE] = own;
    message[MSG_SUBMIT_WAIT_LO] = 1, message[MSG_SUBMIT_SIGNAL_LO] = 2;
    hold_up("SUBMIT with a point that is reached", message);
    as(BUSY);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &other), TESSERA_OK);
    message[MSG_SUBMIT_CONTEXT] = destroy[MSG_DESTROY_CONTEXT_CONTEXT] = other;
    message[MSG_SUBMIT_WAIT_LO] = 3;
    const tessera_ticket waits = send(BUSY, message);
    hold_up("DESTROY_CONTEXT in which one waits", destroy);
    as(BUSY);
    CHECK_EQUAL(tessera_wait(gpu, waits, NULL), STATUS_WAIT_ENDED);
    const uint32_t end[16] = {MSG_DESTROY_TIMELINE, 0, own};
    hold_up("DESTROY_TIMELINE", end);
}

static void open_chip(uint32_t policy)
{
    const struct simulator_options options = {.memory_bytes = MEMORY_BYTES, .seed = 1};
    const struct tessera_options limits = {.seed = 1,
                                           .force = FIELD_PUT(policy, HOST_FORCE_POLICY),
                                           .patience_cycles = 400000000,
                                           .own_bytes = 16u << 20,
                                           .allocations = 16384,
                                           .contexts = 256,
                                           .list_entries = 4096,
                                           .dma_bytes = 65536};
    (void)open_chip_with(&gpu, &options, &limits);
    chip = tessera_transport(gpu);
    commands = OWN, list = OWN + 0x40000, patches = OWN + 0x80000, pages = OWN + 0x100000;
}

static void try_every_message(uint32_t policy)
{
    open_chip(policy);
    alone = 0;
    most_added = policy == (uint32_t)POLICY_LITERAL ? 72000 : 24000;
    printf("\nPolicy %s\n", policy == (uint32_t)POLICY_LITERAL ? "literal" : "lookahead");
    uint32_t other;
    as(BUSY);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &context), TESSERA_OK);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &other), TESSERA_OK);
    idle = create(ASKING, 4096, 4);
    const struct tessera_allocation *const two[2] = {create(BUSY, 65536, 3), create(BUSY, 65536, 3)};
    fill_memory();
    write_job(two);
    uint32_t *numbers = malloc(LARGE_PAGES * 4);
    for (uint32_t i = 0; i < LARGE_PAGES; i++) numbers[i] = 1000;
    chip->memory_write(chip->context, pages, numbers, LARGE_PAGES * 4);
    free(numbers);
    const uint32_t handle = tessera_allocation_handle(two[0]);
    uint32_t submit[16] = {MSG_SUBMIT}, large[16] = {MSG_CREATE_ALLOCATION};
    submit[MSG_SUBMIT_CONTEXT] = context;
    submit[MSG_SUBMIT_DMA] = commands, submit[MSG_SUBMIT_DMA_BYTES] = ENTRIES * 16;
    submit[MSG_SUBMIT_LIST] = list, submit[MSG_SUBMIT_LIST_COUNT] = ENTRIES;
    submit[MSG_SUBMIT_PATCHES] = patches, submit[MSG_SUBMIT_PATCH_COUNT] = ENTRIES;
    large[MSG_CREATE_ALLOCATION_BYTES] = LARGE_PAGES * 4096u;
    large[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE;
    large[MSG_CREATE_ALLOCATION_READ_SET] = large[MSG_CREATE_ALLOCATION_WRITE_SET] = 4;
    large[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000;
    large[MSG_CREATE_ALLOCATION_PAGES] = pages;
    small = create(ASKING, 4096, 2);
    CHECK_EQUAL(tessera_context_create(gpu, 0, 0, &drawing), TESSERA_OK);
    hold_up("SUBMIT with long lists", submit);
    hold_up("the same again", submit);
    hold_up("CREATE_ALLOCATION of 4,096 pages", large);
    const struct {
        const char *what;
        uint32_t words[16];
    } rows[] = {
        {"NOP", {MSG_NOP}},
        {"QUERY_SEGMENT", {MSG_QUERY_SEGMENT, 0, 2}},
        {"QUERY_ALLOCATION", {MSG_QUERY_ALLOCATION, 0, handle}},
        {"QUERY_CONTEXT", {MSG_QUERY_CONTEXT, 0, context}},
        {"QUERY_STATISTICS", {MSG_QUERY_STATISTICS, 0, pages, 64}},
        {"CREATE_CONTEXT", {MSG_CREATE_CONTEXT, 0, 0, 0}},
        {"SET_CONTEXT", {MSG_SET_CONTEXT, 0, context, 3, 1, 64}},
        {"SET_PRIORITY", {MSG_SET_PRIORITY, 0, handle, 5}},
        {"SHARE", {MSG_SHARE, 0, handle, 3, RIGHT_READ}},
        {"SHARE, taken back", {MSG_SHARE, 0, handle, 3, 0}},
        {"LOCK", {MSG_LOCK, 0, handle, LOCK_ENTIRE}},
        {"UNLOCK", {MSG_UNLOCK, 0, handle}},
        {"OFFER", {MSG_OFFER, 0, handle, 1}},
        {"RECLAIM", {MSG_RECLAIM, 0, handle}},
        {"EVICT of all, of which it has few", {MSG_EVICT, 0, 0}},
        {"SELF_TEST", {MSG_SELF_TEST, 0, 1}},
        {"PREEMPT", {MSG_PREEMPT, 0, 0}},
        {"ADMIT_CLIENT", {MSG_ADMIT_CLIENT, 0, 3}},
        {"QUERY_CLIENT, of tables", {MSG_QUERY_CLIENT, 0, BUSY, CLIENT_PART_TABLES}},
        {"QUERY_CLIENT, of a segment", {MSG_QUERY_CLIENT, 0, BUSY, CLIENT_PART_SEGMENT + 2}},
        {"SET_CLIENT, a minimum", {MSG_SET_CLIENT, 0, BUSY, 2, 64, 0xffffffff}},
        {"SET_CLIENT, no limit", {MSG_SET_CLIENT, 0, BUSY, 2, 0, 0xffffffff}},
        {"WAIT_BUDGET, ended", {MSG_WAIT_BUDGET, 0, 1}},
        {"DESTROY_CONTEXT that owns nothing", {MSG_DESTROY_CONTEXT, 0, other}},
        {"DESTROY_ALLOCATION", {MSG_DESTROY_ALLOCATION, 0, handle}},
        {"a message that is none", {0xabcd}},
    };
    const uint32_t evict[16] = {MSG_EVICT};
    flood("CREATE_ALLOCATION of 4,096 pages", large);
    flood("EVICT of all, of which it has few", evict);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) /* what can be destroyed once is no flood */
        if (strncmp(rows[i].what, "DESTROY", 7) != 0) flood(rows[i].what, rows[i].words);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) hold_up(rows[i].what, rows[i].words);
    const struct tessera_allocation *const left[2] = {two[1], two[1]}; /* the other one was destroyed */
    write_job(left);
    test_points(submit);
    fill_rights();
    const uint32_t share[16] = {MSG_SHARE, 0, tessera_allocation_handle(two[1]), 3, RIGHT_READ};
    hold_up("SHARE, the last of 1,024", share);
    tessera_close(gpu);
}

static void test_every_message(void) { try_every_message(POLICY_LOOKAHEAD); }
static void test_every_message_under_the_literal_policy(void) { try_every_message(POLICY_LITERAL); }

int main(void)
{
    CHECK_RUN(test_every_message);
    CHECK_RUN(test_every_message_under_the_literal_policy);
    return check_finish();
}
