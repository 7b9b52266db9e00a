/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a virtual machine that draw (host/device/transport_drm.c, host/virtio/gpu_programs.c, submitter.c). Goal:
 * what a program draws is what the same calls draw on the GPU itself; a wrong payload has its named status in its
 * record, changes nothing and leaves the kernel's log quiet; no program reaches what is another's; whatever programs
 * do and however they end, nothing stays in the GPU. Method: the library in a program, a kernel that turns what it asks
 * into commands, the real device and the golden model; payloads with one word changed; random hostile sessions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "fake_kernel.h"
#include "tessera_stream.h"

enum { PAGE = 4096, PIXELS = 64 * 48, BYTES = PIXELS * 4, RENDER = 0 };

struct guest {
    struct transport transport;
    struct tessera *gpu;
    struct tessera_stream *stream;
    uint32_t program, context;
};

static char message[256];
static uint64_t state = 1;

static uint32_t below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static void open_guest(struct guest *guest)
{
    const struct tessera_options options = {0};
    *guest = (struct guest){.program = fake_kernel_next()};
    const struct drm_kernel kernel = fake_kernel_open();
    assert_int_equal(drm_open(&guest->transport, &kernel, message), 0);
    assert_int_equal(tessera_open(&guest->gpu, &guest->transport, &options, message), TESSERA_OK);
    guest->stream = tessera_stream_create_for(guest->gpu);
    assert_non_null(guest->stream);
    assert_int_equal(tessera_context_create(guest->gpu, 0, 0, &guest->context), TESSERA_OK);
}

static void close_guest(struct guest *guest)
{
    tessera_stream_destroy(guest->stream);
    tessera_close(guest->gpu);
}

static struct tessera_allocation *create(struct tessera *gpu, uint32_t bytes)
{
    struct tessera_allocation *made = NULL;
    const struct tessera_allocation_options options = {.bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE};
    assert_int_equal(tessera_allocation_create(gpu, &options, &made), TESSERA_OK);
    return made;
}

/* ------------------------------------------------------------------ nothing stays */

struct room {
    uint32_t allocations, contexts, shares;
};

/* What the GPU still has room for. */
static struct room room(void)
{
    static struct tessera_allocation *made[LIMIT_BITS_ALLOCATIONS + 1];
    static uint32_t contexts[LIMIT_BITS_CONTEXTS + 1];
    struct tessera *gpu = machine.tessera;
    const struct tessera_allocation_options options = {.bytes = PAGE};
    struct room found = {0};
    while (tessera_allocation_create(gpu, &options, &made[found.allocations]) == TESSERA_OK) found.allocations++;
    while (tessera_context_create(gpu, 0, 0, &contexts[found.contexts]) == TESSERA_OK) found.contexts++;
    for (uint32_t i = 0; i < found.allocations * 8; i++)
        found.shares += tessera_share(gpu, made[i / 8], 40 + i % 8, RIGHT_READ) == TESSERA_OK;
    for (uint32_t i = 0; i < found.allocations; i++)
        assert_int_equal(tessera_allocation_destroy(gpu, made[i]), TESSERA_OK);
    for (uint32_t i = 0; i < found.contexts; i++)
        assert_int_equal(tessera_context_destroy(gpu, contexts[i]), TESSERA_OK);
    return found;
}

static struct room at_first;

static int begin(void **test)
{
    (void)test;
    fake_machine_begin();
    at_first = room();
    return 0;
}

static int end(void **test)
{
    uint32_t statistics[STAT_COUNT];
    (void)test;
    fake_kernel_flush();
    for (uint32_t i = 0; i < KERNEL_PROGRAMS; i++) {
        const struct drm_kernel kernel = fake_kernel_of(i);
        kernel.close(kernel.context);
    }
    const struct submitter_counts *counts = submitter_counts(machine.submitter);
    assert_int_equal(counts->clients, 0);
    assert_int_equal(counts->contexts, 0);
    assert_int_equal(counts->allocations, 0);
    assert_int_equal(virtio_gpu_resources(&machine.gpu), 0);
    assert_int_equal(virtio_gpu_contexts(&machine.gpu), 0);
    assert_int_equal(machine.gpu.bytes, 0);
    assert_int_equal(tessera_statistics(machine.tessera, statistics), TESSERA_OK);
    assert_int_equal(statistics[STAT_RESIDENT_PAGES_1] + statistics[STAT_RESIDENT_PAGES_2], 0);
    assert_int_equal(statistics[STAT_MAPPED_PAGES], 0);
    const struct room now = room();
    assert_memory_equal(&now, &at_first, sizeof now);
    assert_true(now.allocations > 900 && now.contexts > 60 && now.shares > 900);
    fake_machine_end();
    return 0;
}

/* ------------------------------------------------------------------ drawing */

/* A gradient, a rectangle, and a blend of both, which are read back. */
static void draw(struct tessera *gpu, struct tessera_stream *stream, uint32_t context, uint32_t *pixels)
{
    struct tessera_allocation *source = create(gpu, BYTES), *target = create(gpu, BYTES);
    const struct tessera_surface from = {.allocation = source, .format = TESSERA_ARGB8888, .pitch = 256};
    const struct tessera_surface to = {
        .allocation = target, .format = TESSERA_ARGB8888, .pitch = 256, .is_target = true};
    const struct tessera_blit blit = {.target = 0,
                                      .source = 1,
                                      .mode = TESSERA_BLEND,
                                      .target_x = 3,
                                      .target_y = 5,
                                      .width = 50,
                                      .height = 40,
                                      .value = 255};
    tessera_ticket ticket;
    for (uint32_t i = 0; i < PIXELS; i++) pixels[i] = i * 0x01030507u;
    assert_int_equal(tessera_write(gpu, source, 0, pixels, BYTES), TESSERA_OK);
    memset(pixels, 0, BYTES);
    tessera_stream_clear(stream);
    assert_int_equal(tessera_stream_bind(stream, 0, &to), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 1, &from), TESSERA_OK);
    assert_int_equal(tessera_stream_fill_rect(stream, 0, 0, 0, 64, 48, 0xff3366ccu), TESSERA_OK);
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK);
    assert_int_equal(tessera_submit(gpu, context, stream, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(gpu, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera_read(gpu, target, 0, pixels, BYTES), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(gpu, source), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(gpu, target), TESSERA_OK);
}

static void test_picture(void **test)
{
    static uint32_t here[PIXELS], there[PIXELS];
    struct guest guest;
    uint32_t context;
    (void)test;
    open_guest(&guest);
    draw(guest.gpu, guest.stream, guest.context, here);
    assert_int_equal(tessera_context_create(machine.tessera, 0, 0, &context), TESSERA_OK);
    draw(machine.tessera, guest.stream, context, there);
    assert_int_equal(tessera_context_destroy(machine.tessera, context), TESSERA_OK);
    assert_memory_equal(here, there, sizeof here);
    assert_int_equal(here[0], 0xff3366cc);
    assert_int_not_equal(here[6 * 64 + 10], 0xff3366cc);
    assert_int_equal(machine.errors, 0);
    close_guest(&guest);
}

/* What tells of the GPU. */
static void test_device(void **test)
{
    struct guest guest;
    struct tessera_segment here[8], there[8];
    uint32_t count = 8, other = 8, statistics[STAT_COUNT], features, same;
    struct tessera_completion completion;
    (void)test;
    open_guest(&guest);
    memset(here, 0, sizeof here);
    memset(there, 0, sizeof there);
    assert_int_equal(tessera_query_segments(guest.gpu, here, &count), TESSERA_OK);
    assert_int_equal(tessera_query_segments(machine.tessera, there, &other), TESSERA_OK);
    assert_int_equal(count, other);
    assert_memory_equal(here, there, sizeof here);
    assert_int_equal(tessera_features(guest.gpu, &features), TESSERA_OK);
    assert_int_equal(tessera_features(machine.tessera, &same), TESSERA_OK);
    assert_int_equal(features, same);
    memset(statistics, 0xff, sizeof statistics);
    assert_int_equal(tessera_statistics(guest.gpu, statistics), TESSERA_OK);
    for (uint32_t i = 0; i < STAT_COUNT; i++) assert_int_equal(statistics[i], 0);
    uint32_t nop[16] = {MSG_NOP};
    assert_int_equal(tessera_call(guest.gpu, nop, &completion), TESSERA_OK);
    struct tessera_allocation *allocation = create(guest.gpu, BYTES);
    struct tessera_residence place;
    assert_int_equal(tessera_residence(guest.gpu, allocation, &place), TESSERA_OK);
    assert_int_equal(tessera_offer(guest.gpu, allocation, 1), TESSERA_OK);
    bool is_discarded = true;
    assert_int_equal(tessera_reclaim(guest.gpu, allocation, &is_discarded), TESSERA_OK);
    assert_int_equal(tessera_evict(guest.gpu, allocation), TESSERA_OK);
    assert_int_equal(tessera_set_priority(guest.gpu, allocation, 7), TESSERA_OK);
    struct tessera_share share;
    assert_int_equal(tessera_context_query(guest.gpu, guest.context, &share), TESSERA_OK);
    assert_int_equal(tessera_context_set_budget(guest.gpu, guest.context, 10), TESSERA_OK);
    assert_int_equal(machine.errors, 0);
    close_guest(&guest);
}

/* Three times local memory: the content goes to the machine's pages and comes back. */
static void test_large(void **test)
{
    enum { COUNT = 24, EACH = 128 << 10, STEPS = 200 };
    static uint8_t expected[COUNT][EACH], found[EACH];
    struct tessera_allocation *made[COUNT];
    const struct tessera_allocation_options options = {
        .bytes = EACH, .flags = ALLOCATION_CPU_VISIBLE, .read_set = 2, .write_set = 2};
    struct guest guest;
    uint32_t statistics[STAT_COUNT];
    tessera_ticket ticket;
    (void)test;
    open_guest(&guest);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(tessera_allocation_create(guest.gpu, &options, &made[i]), TESSERA_OK);
        for (uint32_t at = 0; at < EACH; at++) expected[i][at] = (uint8_t)below(256);
        assert_int_equal(tessera_write(guest.gpu, made[i], 0, expected[i], EACH), TESSERA_OK);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t to = below(COUNT), from = (to + 1 + below(COUNT - 1)) % COUNT;
        const uint32_t bytes = 4 + below(EACH / 8) * 4, at = below((EACH - bytes) / 4 + 1) * 4;
        const uint32_t source_at = below((EACH - bytes) / 4 + 1) * 4;
        const struct tessera_place target = {made[to], at, 0}, source = {made[from], source_at, 1};
        tessera_stream_clear(guest.stream);
        assert_int_equal(tessera_stream_copy(guest.stream, &target, &source, bytes), TESSERA_OK);
        assert_int_equal(tessera_submit(guest.gpu, guest.context, guest.stream, 0, &ticket), TESSERA_OK);
        assert_int_equal(tessera_wait(guest.gpu, ticket, NULL), TESSERA_OK);
        memcpy(expected[to] + at, expected[from] + source_at, bytes);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(tessera_read(guest.gpu, made[i], 0, found, EACH), TESSERA_OK);
        assert_memory_equal(found, expected[i], EACH);
    }
    assert_int_equal(tessera_statistics(machine.tessera, statistics), TESSERA_OK);
    assert_true(statistics[STAT_PAGES_OUT] > 0 && statistics[STAT_EVICTIONS] > 0);
    assert_int_equal(machine.errors, 0);
    close_guest(&guest); /* and its allocations, which it does not destroy */
}

/* 1,000 submissions, as many in flight as the library has, waited for in another order. */
static void test_in_flight(void **test)
{
    enum { AT_ONCE = 100, ROUNDS = 10 };
    struct guest guest;
    tessera_ticket tickets[AT_ONCE];
    uint32_t words[AT_ONCE * ROUNDS];
    (void)test;
    open_guest(&guest);
    struct tessera_allocation *target = create(guest.gpu, sizeof words);
    machine.is_late = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            const struct tessera_place place = {target, (round * AT_ONCE + i) * 4, 0};
            tessera_stream_clear(guest.stream);
            assert_int_equal(tessera_stream_fill(guest.stream, &place, 4, round * AT_ONCE + i + 7), TESSERA_OK);
            assert_int_equal(tessera_submit(guest.gpu, guest.context, guest.stream, 0, &tickets[i]), TESSERA_OK);
        }
        for (uint32_t i = AT_ONCE; i > 0; i--)
            assert_int_equal(tessera_wait(guest.gpu, tickets[i - 1], NULL), TESSERA_OK);
    }
    assert_int_equal(tessera_read(guest.gpu, target, 0, words, sizeof words), TESSERA_OK);
    for (uint32_t i = 0; i < AT_ONCE * ROUNDS; i++) assert_int_equal(words[i], i + 7);
    assert_int_equal(machine.errors, 0);
    close_guest(&guest);
}

/* ------------------------------------------------------------------ payloads by hand */

/* A program without the library: a record, two resources that are allocations, and a context. */
struct raw {
    struct drm_kernel kernel;
    uint32_t context, record, target, source, drawing;
    uint32_t handles[3];
};

static const uint32_t *sent(const struct raw *raw, const uint32_t *payload, uint32_t words)
{
    uint32_t *record = (uint32_t *)(void *)fake_kernel_page(raw->record, 0);
    memset(record, 0xee, 32);
    record[0] = 0;
    assert_int_equal(fake_kernel_submit(raw->context, payload, words * 4), RESPONSE_OK);
    return record;
}

static void head(const struct raw *raw, uint32_t *payload, uint32_t code)
{
    memset(payload, 0, PAYLOAD_LIST * sizeof *payload);
    payload[PAYLOAD_MAGIC] = PAYLOAD_IS_MAGIC;
    payload[PAYLOAD_VERSION] = PAYLOAD_IS_VERSION;
    payload[PAYLOAD_RECORD] = raw->record;
    payload[PAYLOAD_MESSAGE] = code;
    payload[PAYLOAD_MESSAGE + 1] = 1234;
}

/* A message whose words 2 and 3 are these: its status. */
static uint32_t call(const struct raw *raw, uint32_t code, uint32_t word2, uint32_t word3)
{
    uint32_t payload[PAYLOAD_LIST];
    head(raw, payload, code);
    payload[PAYLOAD_MESSAGE + 2] = word2;
    payload[PAYLOAD_MESSAGE + 3] = word3;
    const uint32_t *record = sent(raw, payload, PAYLOAD_LIST);
    assert_int_equal(record[COMPLETION_TAG], 1234);
    return record[COMPLETION_STATUS];
}

static uint32_t make(const struct raw *raw, uint32_t resource, uint32_t bytes, uint32_t flags)
{
    uint32_t payload[PAYLOAD_LIST], *words = payload + PAYLOAD_MESSAGE;
    head(raw, payload, MSG_CREATE_ALLOCATION);
    words[MSG_CREATE_ALLOCATION_BYTES] = bytes;
    words[MSG_CREATE_ALLOCATION_FLAGS] = flags;
    words[MSG_CREATE_ALLOCATION_READ_SET] = words[MSG_CREATE_ALLOCATION_WRITE_SET] = 7;
    words[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000;
    words[MSG_CREATE_ALLOCATION_PAGES] = resource;
    const uint32_t *record = sent(raw, payload, PAYLOAD_LIST);
    if (record[COMPLETION_STATUS] == STATUS_OK) assert_int_equal(record[REPLY_CREATE_ALLOCATION_HANDLE], resource);
    return record[COMPLETION_STATUS];
}

static void open_raw(struct raw *raw)
{
    const uint32_t program = fake_kernel_next();
    raw->kernel = fake_kernel_open();
    raw->context = machine.program[program].context;
    assert_int_equal(raw->kernel.create(raw->kernel.context, PAGE, &raw->handles[0], &raw->record), 0);
    assert_int_equal(raw->kernel.create(raw->kernel.context, 3 * PAGE, &raw->handles[1], &raw->target), 0);
    assert_int_equal(raw->kernel.create(raw->kernel.context, 3 * PAGE, &raw->handles[2], &raw->source), 0);
    assert_int_equal(make(raw, raw->target, 3 * PAGE, ALLOCATION_CPU_VISIBLE), STATUS_OK);
    assert_int_equal(make(raw, raw->source, 3 * PAGE, ALLOCATION_CPU_VISIBLE), STATUS_OK);
    assert_int_equal(call(raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    raw->drawing = ((const uint32_t *)(const void *)fake_kernel_page(raw->record, 0))[REPLY_CREATE_CONTEXT_CONTEXT];
}

/* A copy of 64 bytes from the source to the target: where in the payload its parts are. */
struct parts {
    uint32_t list, patches, words, total;
};
static struct parts copy_payload(const struct raw *raw, uint32_t *payload)
{
    struct tessera_stream *stream = tessera_stream_create();
    const uint32_t *words, *list, *patches;
    uint32_t word_count, list_count, patch_count;
    struct tessera_allocation *target = create(machine.tessera, PAGE), *source = create(machine.tessera, PAGE);
    const struct tessera_place to = {target, 0, 0}, from = {source, 0, 1};
    assert_int_equal(tessera_stream_copy(stream, &to, &from, 64), TESSERA_OK);
    tessera_stream_parts(stream, &words, &word_count, &list, &list_count, &patches, &patch_count);
    head(raw, payload, MSG_SUBMIT);
    payload[PAYLOAD_MESSAGE + MSG_SUBMIT_CONTEXT] = raw->drawing;
    payload[PAYLOAD_LIST_COUNT] = list_count / LIMIT_BITS_LIST_ENTRY_WORDS;
    payload[PAYLOAD_PATCH_COUNT] = patch_count / LIMIT_BITS_PATCH_ENTRY_WORDS;
    payload[PAYLOAD_WORD_COUNT] = word_count;
    const struct parts parts = {PAYLOAD_LIST, PAYLOAD_LIST + list_count, PAYLOAD_LIST + list_count + patch_count,
                                PAYLOAD_LIST + list_count + patch_count + word_count};
    memcpy(payload + parts.list, list, list_count * 4);
    memcpy(payload + parts.patches, patches, patch_count * 4);
    memcpy(payload + parts.words, words, word_count * 4);
    assert_int_equal(list_count, 6); /* NULL, the target, the source */
    for (uint32_t i = 1; i < 3; i++) {
        const bool is_target = payload[parts.list + 2 * i] == tessera_allocation_handle(target);
        payload[parts.list + 2 * i] = is_target ? raw->target : raw->source;
    }
    tessera_stream_destroy(stream);
    assert_int_equal(tessera_allocation_destroy(machine.tessera, target), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(machine.tessera, source), TESSERA_OK);
    return parts;
}

/* What the target holds, in its pages. */
static const uint8_t *content(const struct raw *raw)
{
    assert_int_equal(call(raw, MSG_LOCK, raw->target, LOCK_ENTIRE | LOCK_READ_ONLY), STATUS_OK);
    assert_int_equal(call(raw, MSG_UNLOCK, raw->target, 0), STATUS_OK);
    return fake_kernel_page(raw->target, 0);
}

static void test_payload(void **test)
{
    enum { MOST = 400 };
    uint32_t payload[MOST], spoilt[MOST];
    struct raw raw;
    (void)test;
    open_raw(&raw);
    memset(fake_kernel_page(raw.source, 0), 'S', 64);
    const struct parts parts = copy_payload(&raw, payload);
    const uint32_t at_message = PAYLOAD_MESSAGE;
    const struct {
        uint32_t word, value, status, detail;
    } wrong[] = {
        {PAYLOAD_VERSION, 2, STATUS_PAYLOAD_VERSION, PAYLOAD_IS_VERSION},
        {PAYLOAD_VERSION, 0, STATUS_PAYLOAD_VERSION, PAYLOAD_IS_VERSION},
        {PAYLOAD_RESERVED, 1, STATUS_BAD_PAYLOAD, PAYLOAD_RESERVED},
        {PAYLOAD_LIST_COUNT, 4, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_LIST_COUNT, UINT32_MAX, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_PATCH_COUNT, 0, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_PATCH_COUNT, 0x80000000, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_WORD_COUNT, 0, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {PAYLOAD_WORD_COUNT, UINT32_MAX, STATUS_BAD_PAYLOAD, PAYLOAD_WORD_COUNT},
        {at_message, MSG_SUBMIT | 1u << 16, STATUS_BAD_PAYLOAD, PAYLOAD_LIST_COUNT}, /* as another client */
        {at_message, MSG_NOP, STATUS_BAD_PAYLOAD, PAYLOAD_LIST_COUNT},
        {at_message + MSG_SUBMIT_CONTEXT, raw.drawing + 1, STATUS_BAD_CONTEXT, 0},
        {at_message + MSG_SUBMIT_CONTEXT, 0, STATUS_BAD_CONTEXT, 0},
        {at_message + MSG_SUBMIT_DMA, 4096, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
        {at_message + MSG_SUBMIT_PATCH_COUNT, 1, STATUS_BAD_ADDRESS, MSG_SUBMIT_PATCH_COUNT},
        {at_message + MSG_SUBMIT_FLAGS, 6, STATUS_BAD_FLAGS, 6},
        {parts.list, raw.target, STATUS_BAD_HANDLE, 0},
        {parts.list + 1, 1, STATUS_BAD_HANDLE, 0},
        {parts.list + 2, 9999, STATUS_BAD_HANDLE, 1}, /* forged */
        {parts.list + 2, 0, STATUS_BAD_HANDLE, 1},
        {parts.list + 2, raw.record, STATUS_BAD_HANDLE, 1},              /* no allocation */
        {parts.list + 4, payload[parts.list + 2], STATUS_BAD_HANDLE, 2}, /* twice */
        {parts.list + 3, 2, STATUS_BAD_FLAGS, 1},
        {parts.patches + PATCH_ALLOCATION_INDEX, 3, STATUS_BAD_ALLOCATION_INDEX, 0},
        {parts.patches + PATCH_PATCH_OFFSET, 4096, STATUS_BAD_PATCH_OFFSET, 0},
        {parts.patches + PATCH_PATCH_OFFSET, UINT32_MAX, STATUS_BAD_PATCH_OFFSET, 0},
        {parts.patches + PATCH_ALLOCATION_OFFSET, 3 * PAGE, STATUS_EXTENT, 0},
        {parts.patches + PATCH_SLOT_ID, 64, STATUS_BAD_SLOT, 0},
        {parts.words, 0xffffffff, STATUS_BAD_OPCODE, 0},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(spoilt, payload, sizeof payload);
        spoilt[wrong[i].word] = wrong[i].value;
        const uint32_t *record = sent(&raw, spoilt, parts.total);
        if (record[COMPLETION_STATUS] != wrong[i].status || record[COMPLETION_DETAIL] != wrong[i].detail)
            fail_msg("row %u: status %u, detail %u", i, record[COMPLETION_STATUS], record[COMPLETION_DETAIL]);
        assert_int_equal(record[COMPLETION_TAG], 1234);
        for (uint32_t at = 0; at < 64; at++) assert_int_equal(content(&raw)[at], 0);
    }
    for (uint32_t words = 0; words < parts.total; words++) { /* cut anywhere: the head has to be there for an answer */
        const uint32_t *record = sent(&raw, payload, words);
        const bool is_answered = words > PAYLOAD_MESSAGE + COMPLETION_TAG;
        assert_int_equal(record[0], is_answered ? 1234 : 0);
        if (is_answered) assert_int_equal(record[COMPLETION_STATUS], STATUS_BAD_PAYLOAD);
    }
    assert_int_equal(content(&raw)[0], 0);
    const uint32_t *record = sent(&raw, payload, parts.total);
    assert_int_equal(record[COMPLETION_STATUS], STATUS_OK);
    assert_memory_equal(content(&raw), fake_kernel_page(raw.source, 0), 64);
    assert_int_equal(machine.errors, 0);
}

/* Where the answer has no place, nothing is done and nothing else is written. */
static void test_record(void **test)
{
    uint32_t payload[400], spoilt[400];
    struct raw raw, other;
    (void)test;
    open_raw(&raw);
    open_raw(&other);
    memset(fake_kernel_page(raw.source, 0), 'S', 64);
    const struct parts parts = copy_payload(&raw, payload);
    const struct {
        uint32_t word, value;
    } wrong[] = {{PAYLOAD_MAGIC, 0},
                 {PAYLOAD_RECORD, 0},
                 {PAYLOAD_RECORD, 4000},
                 {PAYLOAD_RECORD, other.record},
                 {PAYLOAD_RECORD_OFFSET, 4},
                 {PAYLOAD_RECORD_OFFSET, PAGE - 16},
                 {PAYLOAD_RECORD_OFFSET, PAGE},
                 {PAYLOAD_RECORD_OFFSET, 0xffffffe0}};
    memset(fake_kernel_page(other.record, 0), 0x77, PAGE);
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(spoilt, payload, sizeof payload);
        spoilt[wrong[i].word] = wrong[i].value;
        assert_int_equal(sent(&raw, spoilt, parts.total)[0], 0);
        assert_int_equal(machine.gpu.counts.unrecorded, i + 1);
    }
    for (uint32_t i = 0; i < PAGE; i++) assert_int_equal(fake_kernel_page(other.record, 0)[i], 0x77);
    assert_int_equal(content(&raw)[0], 0);
    payload[PAYLOAD_RECORD_OFFSET] = PAGE - 32; /* the last one there is */
    (void)sent(&raw, payload, parts.total);
    assert_int_equal(((const uint32_t *)(const void *)(fake_kernel_page(raw.record, 0) + PAGE - 32))[0], 1234);
    assert_int_equal(machine.errors, 0);
}

/* ------------------------------------------------------------------ isolation */

static uint32_t copy_of(const struct raw *raw, uint32_t target, uint32_t source)
{
    uint32_t payload[400];
    const struct parts parts = copy_payload(raw, payload);
    for (uint32_t i = 1; i < 3; i++) {
        uint32_t *entry = &payload[parts.list + 2 * i];
        *entry = *entry == raw->target ? target : source;
    }
    return sent(raw, payload, parts.total)[COMPLETION_STATUS];
}

static void test_others(void **test)
{
    struct raw first, second;
    (void)test;
    open_raw(&first);
    open_raw(&second);
    memset(fake_kernel_page(first.source, 0), 'F', 64);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&second, first.target, second.source), STATUS_BAD_HANDLE);
    static const uint32_t codes[] = {MSG_LOCK,
                                     MSG_UNLOCK,
                                     MSG_OFFER,
                                     MSG_RECLAIM,
                                     MSG_EVICT,
                                     MSG_SET_PRIORITY,
                                     MSG_QUERY_ALLOCATION,
                                     MSG_DESTROY_ALLOCATION};
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(call(&second, codes[i], first.source, 1), STATUS_BAD_HANDLE);
    assert_int_equal(call(&second, MSG_DESTROY_CONTEXT, first.drawing, 0), STATUS_BAD_CONTEXT);
    assert_int_equal(call(&second, MSG_QUERY_CONTEXT, first.drawing, 0), STATUS_BAD_CONTEXT);
    assert_int_equal(make(&second, first.source, PAGE, 0), STATUS_BAD_HANDLE);
    /* Passed on, it may be named; its maker alone rules it. */
    const uint32_t handle = fake_kernel_pass(first.source, fake_kernel_next() - 1);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_OK);
    assert_memory_equal(content(&second), fake_kernel_page(first.source, 0), 64);
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(call(&second, codes[i], first.source, 1), STATUS_BAD_HANDLE);
    assert_int_equal(make(&second, first.source, PAGE, 0), STATUS_BAD_ARGUMENT);
    second.kernel.destroy(second.kernel.context, handle);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    (void)fake_kernel_pass(first.source, fake_kernel_next() - 1);
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_OK);
    first.kernel.close(first.kernel.context); /* it went with the program that made it */
    assert_int_equal(copy_of(&second, second.target, first.source), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&second, second.target, second.source), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* Messages that are not for programs. */
static void test_allowed(void **test)
{
    struct raw raw;
    (void)test;
    open_raw(&raw);
    static const uint32_t codes[] = {MSG_QUERY_STATISTICS,
                                     MSG_SELF_TEST,
                                     MSG_PREEMPT,
                                     MSG_SHARE,
                                     MSG_ADMIT_CLIENT,
                                     MSG_QUERY_SEGMENT,
                                     MSG_GIVE_DISPLAY,
                                     MSG_FLIP,
                                     MSG_SET_MODE,
                                     MSG_QUERY_DISPLAY,
                                     0x7f,
                                     MSG_NOP | 3u << 16};
    for (uint32_t i = 0; i < sizeof codes / sizeof *codes; i++)
        assert_int_equal(call(&raw, codes[i], raw.target, 0), STATUS_NOT_ALLOWED);
    assert_int_equal(make(&raw, raw.record, PAGE, ALLOCATION_PINNED), STATUS_NOT_ALLOWED);
    assert_int_equal(make(&raw, raw.record, 2 * PAGE, 0), STATUS_BAD_ARGUMENT); /* more than it has */
    assert_int_equal(make(&raw, raw.record, 0, 0), STATUS_BAD_ARGUMENT);
    assert_int_equal(make(&raw, raw.record, PAGE, ALLOCATION_CACHED), STATUS_BAD_ARGUMENT);
    assert_int_equal(call(&raw, MSG_EVICT, 0, 0), STATUS_BAD_HANDLE); /* not everything */
    for (uint32_t i = 1; i < SUBMITTER_CONTEXTS_MOST; i++)
        assert_int_equal(call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OUT_OF_HANDLES);
    assert_int_equal(call(&raw, MSG_CREATE_CONTEXT, 3, 0), STATUS_OUT_OF_HANDLES);
    assert_int_equal(call(&raw, MSG_DESTROY_CONTEXT, raw.drawing, 0), STATUS_OK);
    assert_int_equal(call(&raw, MSG_CREATE_CONTEXT, 3, 0), STATUS_BAD_ARGUMENT);
    assert_int_equal(call(&raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* More programs than the GPU has clients: the last are told, and served when others end. */
static void test_programs(void **test)
{
    static struct drm_kernel kernels[KERNEL_PROGRAMS];
    struct raw raw = {0};
    uint32_t handle, status = STATUS_OK, count = 0;
    (void)test;
    for (; count < KERNEL_PROGRAMS && status == STATUS_OK; count++) {
        const uint32_t program = fake_kernel_next();
        kernels[count] = fake_kernel_open();
        raw.context = machine.program[program].context;
        assert_int_equal(kernels[count].create(kernels[count].context, PAGE, &handle, &raw.record), 0);
        status = call(&raw, MSG_NOP, 0, 0);
    }
    assert_int_equal(status, STATUS_OUT_OF_HANDLES);
    assert_int_equal(count, LIMIT_BITS_CLIENTS);
    kernels[5].close(kernels[5].context);
    assert_int_equal(call(&raw, MSG_NOP, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* Resources that went, locks that are held, and a program that ends with work in flight. */
static void test_gone(void **test)
{
    struct raw raw;
    struct guest guest;
    tessera_ticket ticket;
    (void)test;
    open_raw(&raw);
    assert_int_equal(call(&raw, MSG_LOCK, raw.source, LOCK_ENTIRE), STATUS_OK);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_LOCKED);
    assert_int_equal(call(&raw, MSG_DESTROY_ALLOCATION, raw.source, 0), STATUS_LOCKED);
    raw.kernel.destroy(raw.kernel.context, raw.handles[2]);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_BAD_HANDLE);
    assert_int_equal(fake_kernel_command(COMMAND_DETACH_BACKING, 0, raw.target), RESPONSE_OK);
    assert_int_equal(call(&raw, MSG_LOCK, raw.target, LOCK_ENTIRE), STATUS_BAD_HANDLE);
    assert_int_equal(copy_of(&raw, raw.target, raw.record), STATUS_BAD_HANDLE);
    assert_int_equal(fake_kernel_command(COMMAND_DETACH_BACKING, 0, raw.record), RESPONSE_OK);
    machine.is_late = true;
    open_guest(&guest);
    struct tessera_allocation *target = create(guest.gpu, BYTES);
    const struct tessera_place place = {target, 0, 0};
    assert_int_equal(tessera_lock(guest.gpu, target, 0), TESSERA_OK);
    assert_int_equal(tessera_unlock(guest.gpu, target), TESSERA_OK);
    for (uint32_t i = 0; i < 20; i++) {
        tessera_stream_clear(guest.stream);
        assert_int_equal(tessera_stream_fill(guest.stream, &place, BYTES, i), TESSERA_OK);
        assert_int_equal(tessera_submit(guest.gpu, guest.context, guest.stream, 0, &ticket), TESSERA_OK);
    }
    close_guest(&guest);
    assert_int_equal(machine.errors, 0);
}

/* A context that the engine stops on is lost, and it alone. */
static void test_hang(void **test)
{
    struct raw first, second;
    uint32_t status;
    (void)test;
    open_raw(&first);
    open_raw(&second);
    device_hang(machine.device, RENDER);
    status = copy_of(&first, first.target, first.source);
    assert_int_equal(status, STATUS_TIMEOUT);
    assert_int_equal(copy_of(&first, first.target, first.source), STATUS_CONTEXT_LOST);
    assert_int_equal(copy_of(&second, second.target, second.source), STATUS_OK);
    assert_int_equal(call(&first, MSG_DESTROY_CONTEXT, first.drawing, 0), STATUS_OK);
    assert_int_equal(call(&first, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    assert_int_equal(machine.errors, 0);
}

/* TRANSFER: what a program wrote is the content, and the other way round. */
static void test_transfer(void **test)
{
    struct raw raw;
    (void)test;
    open_raw(&raw);
    memset(fake_kernel_page(raw.source, 0), 1, 64);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_OK);
    memset(fake_kernel_page(raw.source, 0), 2, 64);
    struct virtio_gpu_transfer_3d command = {.header = {.type = COMMAND_TRANSFER_TO_HOST_3D, .context = raw.context},
                                             .width = 3 * PAGE,
                                             .height = 1,
                                             .depth = 1,
                                             .resource = raw.source};
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_OK);
    assert_int_equal(copy_of(&raw, raw.target, raw.source), STATUS_OK);
    command.header.type = COMMAND_TRANSFER_FROM_HOST_3D;
    command.resource = raw.target;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_OK);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(fake_kernel_page(raw.target, 0)[i], 2);
    command.width--;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_PARAMETER);
    command.width++;
    command.header.context = 999;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_CONTEXT);
    command.header.context = raw.context;
    command.resource = 999;
    assert_int_equal(fake_command(&machine.gpu, &machine.queue, &command, sizeof command), RESPONSE_BAD_RESOURCE);
}

/* ------------------------------------------------------------------ what the library says */

static void test_said(void **test)
{
    struct guest guest;
    struct tessera_allocation *made = NULL;
    struct tessera_options options = {.own_bytes = PAGE};
    struct transport transport;
    struct tessera *gpu;
    (void)test;
    open_guest(&guest);
    struct tessera_allocation_options wish = {.bytes = 64 << 20, .flags = ALLOCATION_CPU_VISIBLE};
    assert_int_equal(tessera_allocation_create(guest.gpu, &wish, &made), TESSERA_NO_MEMORY);
    assert_non_null(strstr(tessera_message(guest.gpu), "the kernel makes no resource"));
    wish.bytes = 4 << 20;
    wish.read_set = wish.write_set = 3; /* local memory is smaller */
    assert_int_equal(tessera_allocation_create(guest.gpu, &wish, &made), STATUS_NO_SEGMENT);
    machine.refuses = 1;
    wish = (struct tessera_allocation_options){.bytes = PAGE};
    assert_int_equal(tessera_allocation_create(guest.gpu, &wish, &made), TESSERA_NO_MEMORY);
    assert_int_equal(tessera_allocation_create(guest.gpu, &wish, &made), TESSERA_OK);
    assert_int_equal(tessera_set_client(guest.gpu, 3), TESSERA_OK);
    uint32_t nop[16] = {MSG_NOP};
    assert_int_equal(tessera_call(guest.gpu, nop, NULL), STATUS_BAD_MESSAGE);
    struct drm_kernel kernel = fake_kernel_open();
    assert_int_equal(drm_open(&transport, &kernel, message), 0);
    assert_int_equal(tessera_open(&gpu, &transport, &options, message), TESSERA_MISUSE);
    assert_non_null(strstr(message, "own_bytes"));
    options = (struct tessera_options){.list_entries = 4096};
    assert_int_equal(tessera_open(&gpu, &transport, &options, message), TESSERA_LINK);
    assert_non_null(strstr(message, "lists of 1024 entries"));
    options = (struct tessera_options){.abi = 5};
    assert_int_equal(tessera_open(&gpu, &transport, &options, message), TESSERA_ABI);
    transport.close(transport.context);
    machine.gpu.programs.context = NULL; /* a GPU without programs */
    kernel = fake_kernel_open();
    assert_int_equal(drm_open(&transport, &kernel, message), -1);
    assert_non_null(strstr(message, "is not a Tessera"));
    submitter_table(machine.submitter, &machine.gpu.programs);
    close_guest(&guest);
}

/* ------------------------------------------------------------------ hostile sessions */

enum { HOSTILE = 5, STEPS = 60 };
static uint32_t sessions = 60;

static uint32_t some_resource(const struct raw *raws)
{
    const struct raw *raw = &raws[below(HOSTILE)];
    switch (below(5)) {
    case 0: return raw->record;
    case 1: return below(40);
    case 2: return raw->source;
    default: return raw->target;
    }
}

/* An engine that stands still and has not been noticed is not the honest program's to find. */
static void notice_hang(void)
{
    struct tessera_allocation *target = create(machine.tessera, PAGE);
    struct tessera_stream *stream = tessera_stream_create_for(machine.tessera);
    const struct tessera_place place = {target, 0, 0};
    uint32_t context;
    tessera_ticket ticket;
    assert_int_equal(tessera_context_create(machine.tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_stream_fill(stream, &place, PAGE, 0), TESSERA_OK);
    assert_int_equal(tessera_submit(machine.tessera, context, stream, 0, &ticket), TESSERA_OK);
    (void)tessera_wait(machine.tessera, ticket, NULL);
    assert_int_equal(tessera_context_destroy(machine.tessera, context), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(machine.tessera, target), TESSERA_OK);
    tessera_stream_destroy(stream);
}

static void hostile_payload(const struct raw *raws, const struct raw *raw)
{
    uint32_t payload[400];
    struct parts parts = copy_payload(raw, payload);
    for (uint32_t i = 1; i < 3; i++)
        if (below(3) == 0) payload[parts.list + 2 * i] = some_resource(raws);
    for (uint32_t spoils = below(3) == 0 ? below(4) : 0; spoils > 0; spoils--)
        payload[below(parts.total)] = below(2) == 0 ? below(70) : below(UINT32_MAX);
    if (below(20) == 0) parts.total = below(parts.total);
    const bool hangs = below(30) == 0;
    if (hangs) device_hang(machine.device, RENDER);
    (void)fake_kernel_submit(raw->context, payload, parts.total * 4);
    if (hangs) notice_hang();
}

static void hostile_message(const struct raw *raws, const struct raw *raw)
{
    static const uint32_t codes[] = {MSG_LOCK,
                                     MSG_UNLOCK,
                                     MSG_OFFER,
                                     MSG_RECLAIM,
                                     MSG_CREATE_CONTEXT,
                                     MSG_EVICT,
                                     MSG_DESTROY_ALLOCATION,
                                     MSG_DESTROY_CONTEXT,
                                     MSG_CREATE_ALLOCATION,
                                     MSG_SET_PRIORITY,
                                     MSG_QUERY_ALLOCATION,
                                     MSG_SET_CONTEXT};
    uint32_t payload[PAYLOAD_LIST], *words = payload + PAYLOAD_MESSAGE;
    head(raw, payload, below(10) == 0 ? below(64) : codes[below(sizeof codes / sizeof *codes)]);
    for (uint32_t i = 2; i < 16; i++) words[i] = below(3) == 0 ? below(1u << below(32)) : 0;
    words[2] = below(2) == 0 ? some_resource(raws) : raw->drawing;
    if (words[0] == MSG_CREATE_CONTEXT) words[2] = words[3] = 0;
    if (words[0] == MSG_LOCK && below(4) != 0) words[3] = LOCK_ENTIRE;
    if (words[0] == MSG_CREATE_ALLOCATION && below(4) != 0) {
        memset(words + 2, 0, 14 * sizeof *words);
        words[MSG_CREATE_ALLOCATION_BYTES] = PAGE * (1 + below(3));
        words[MSG_CREATE_ALLOCATION_READ_SET] = words[MSG_CREATE_ALLOCATION_WRITE_SET] = 1 + below(7);
        words[MSG_CREATE_ALLOCATION_PRIORITY] = 1;
        words[MSG_CREATE_ALLOCATION_FLAGS] = ALLOCATION_CPU_VISIBLE;
        words[MSG_CREATE_ALLOCATION_PAGES] = some_resource(raws);
    }
    (void)fake_kernel_submit(raw->context, payload, sizeof payload);
}

/* What only a kernel can do, and ours would not; to the hostile programs alone. */
static void hostile_kernel(const struct raw *raws, const struct raw *raw)
{
    static const uint32_t types[] = {COMMAND_CONTEXT_ATTACH, COMMAND_CONTEXT_DETACH,      COMMAND_DETACH_BACKING,
                                     COMMAND_UNREF,          COMMAND_TRANSFER_TO_HOST_3D, COMMAND_CONTEXT_CREATE};
    const struct raw *of = &raws[below(HOSTILE)];
    (void)fake_kernel_command(types[below(sizeof types / sizeof *types)], raw->context, of->target);
}

/* An honest program beside hostile ones: its picture is always right. */
static void test_sessions(void **test)
{
    static uint32_t expected[PIXELS], pixels[PIXELS];
    struct raw raws[HOSTILE];
    uint32_t counted = 0;
    (void)test;
    struct guest honest;
    open_guest(&honest);
    draw(honest.gpu, honest.stream, honest.context, expected);
    for (uint32_t session = 0; session < sessions; session++) {
        for (uint32_t i = 0; i < HOSTILE; i++) open_raw(&raws[i]);
        for (uint32_t step = 0; step < STEPS; step++) {
            const struct raw *raw = &raws[below(HOSTILE)];
            const uint32_t kind = below(10);
            if (kind < 5) hostile_payload(raws, raw);
            else if (kind < 9) hostile_message(raws, raw);
            else hostile_kernel(raws, raw);
        }
        memset(pixels, 0, sizeof pixels);
        draw(honest.gpu, honest.stream, honest.context, pixels);
        assert_memory_equal(pixels, expected, sizeof pixels);
        for (uint32_t i = 0; i < HOSTILE; i++) raws[i].kernel.close(raws[i].kernel.context);
        const struct submitter_counts *counts = submitter_counts(machine.submitter);
        assert_int_equal(counts->clients, 1);
        assert_int_equal(counts->allocations, 0);
        assert_int_equal(counts->contexts, 1);
        counted = (uint32_t)counts->refused;
    }
    assert_true(counted > sessions);
    close_guest(&honest);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static int ended(int failed, int count)
{
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}

/* test_programs [SEED SESSIONS]: hostile sessions alone. */
int main(int argc, char **argv)
{
    const struct CMUnitTest hostile[] = {TEST(test_sessions)};
    if (argc == 3) {
        state = strtoul(argv[1], NULL, 10);
        sessions = (uint32_t)strtoul(argv[2], NULL, 10);
        return ended(cmocka_run_group_tests(hostile, NULL, NULL), 1);
    }
    const struct CMUnitTest tests[] = {
        TEST(test_picture), TEST(test_device),   TEST(test_large),   TEST(test_in_flight), TEST(test_payload),
        TEST(test_record),  TEST(test_others),   TEST(test_allowed), TEST(test_programs),  TEST(test_gone),
        TEST(test_hang),    TEST(test_transfer), TEST(test_said),    TEST(test_sessions),
    };
    return ended(cmocka_run_group_tests(tests, NULL, NULL), (int)(sizeof tests / sizeof *tests));
}
