/* SPDX-License-Identifier: Apache-2.0
 *
 * See program_bench.h.
 */
#include "program_bench.h"

char bench_message[256];
uint64_t bench_state = 1;

uint32_t bench_below(uint32_t limit)
{
    bench_state = bench_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(bench_state >> 33) % limit;
}

void open_guest(struct guest *guest)
{
    const struct tessera_options options = {0};
    *guest = (struct guest){.program = fake_kernel_next()};
    const struct drm_kernel kernel = fake_kernel_open();
    assert_int_equal(drm_open(&guest->transport, &kernel, bench_message), 0);
    assert_int_equal(tessera_open(&guest->gpu, &guest->transport, &options, bench_message), TESSERA_OK);
    guest->stream = tessera_stream_create_for(guest->gpu);
    assert_non_null(guest->stream);
    assert_int_equal(tessera_context_create(guest->gpu, 0, 0, &guest->context), TESSERA_OK);
}

void close_guest(struct guest *guest)
{
    tessera_stream_destroy(guest->stream);
    tessera_close(guest->gpu);
}

struct tessera_allocation *bench_create(struct tessera *gpu, uint32_t bytes)
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

uint32_t bench_shares(void) { return room().shares; }

static struct room at_first;

int bench_begin(void **test)
{
    (void)test;
    fake_machine_begin();
    at_first = room();
    return 0;
}

int bench_end(void **test)
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

int bench_ended(int failed, int count)
{
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}

/* ------------------------------------------------------------------ drawing */

/* A gradient, a rectangle, and a blend of both, which are read back. */
void bench_draw(struct tessera *gpu, struct tessera_stream *stream, uint32_t context, uint32_t *pixels)
{
    struct tessera_allocation *source = bench_create(gpu, BYTES), *target = bench_create(gpu, BYTES);
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

/* ------------------------------------------------------------------ payloads by hand */

const uint32_t *bench_sent(const struct raw *raw, const uint32_t *payload, uint32_t words)
{
    uint32_t *record = (uint32_t *)(void *)fake_kernel_page(raw->record, 0);
    memset(record, 0xee, 32);
    record[0] = 0;
    assert_int_equal(fake_kernel_submit(raw->context, payload, words * 4), RESPONSE_OK);
    return record;
}

void bench_head(const struct raw *raw, uint32_t *payload, uint32_t code)
{
    memset(payload, 0, PAYLOAD_LIST * sizeof *payload);
    payload[PAYLOAD_MAGIC] = PAYLOAD_IS_MAGIC;
    payload[PAYLOAD_VERSION] = PAYLOAD_IS_VERSION;
    payload[PAYLOAD_RECORD] = raw->record;
    payload[PAYLOAD_MESSAGE] = code;
    payload[PAYLOAD_MESSAGE + 1] = 1234;
}

/* A message whose words 2 and 3 are these: its status. */
uint32_t bench_call(const struct raw *raw, uint32_t code, uint32_t word2, uint32_t word3)
{
    uint32_t payload[PAYLOAD_LIST];
    bench_head(raw, payload, code);
    payload[PAYLOAD_MESSAGE + 2] = word2;
    payload[PAYLOAD_MESSAGE + 3] = word3;
    const uint32_t *record = bench_sent(raw, payload, PAYLOAD_LIST);
    assert_int_equal(record[COMPLETION_TAG], 1234);
    return record[COMPLETION_STATUS];
}

uint32_t bench_make(const struct raw *raw, uint32_t resource, uint32_t bytes, uint32_t flags)
{
    uint32_t payload[PAYLOAD_LIST], *words = payload + PAYLOAD_MESSAGE;
    bench_head(raw, payload, MSG_CREATE_ALLOCATION);
    words[MSG_CREATE_ALLOCATION_BYTES] = bytes;
    words[MSG_CREATE_ALLOCATION_FLAGS] = flags;
    words[MSG_CREATE_ALLOCATION_READ_SET] = words[MSG_CREATE_ALLOCATION_WRITE_SET] = 7;
    words[MSG_CREATE_ALLOCATION_PRIORITY] = 0x78000000;
    words[MSG_CREATE_ALLOCATION_PAGES] = resource;
    const uint32_t *record = bench_sent(raw, payload, PAYLOAD_LIST);
    if (record[COMPLETION_STATUS] == STATUS_OK) assert_int_equal(record[REPLY_CREATE_ALLOCATION_HANDLE], resource);
    return record[COMPLETION_STATUS];
}

void open_raw(struct raw *raw)
{
    const uint32_t program = fake_kernel_next();
    raw->kernel = fake_kernel_open();
    raw->context = machine.program[program].context;
    assert_int_equal(raw->kernel.create(raw->kernel.context, PAGE, &raw->handles[0], &raw->record), 0);
    assert_int_equal(raw->kernel.create(raw->kernel.context, 3 * PAGE, &raw->handles[1], &raw->target), 0);
    assert_int_equal(raw->kernel.create(raw->kernel.context, 3 * PAGE, &raw->handles[2], &raw->source), 0);
    assert_int_equal(bench_make(raw, raw->target, 3 * PAGE, ALLOCATION_CPU_VISIBLE), STATUS_OK);
    assert_int_equal(bench_make(raw, raw->source, 3 * PAGE, ALLOCATION_CPU_VISIBLE), STATUS_OK);
    assert_int_equal(bench_call(raw, MSG_CREATE_CONTEXT, 0, 0), STATUS_OK);
    raw->drawing = ((const uint32_t *)(const void *)fake_kernel_page(raw->record, 0))[REPLY_CREATE_CONTEXT_CONTEXT];
}

struct parts copy_payload(const struct raw *raw, uint32_t *payload)
{
    struct tessera_stream *stream = tessera_stream_create();
    const uint32_t *words, *list, *patches;
    uint32_t word_count, list_count, patch_count;
    struct tessera_allocation *target = bench_create(machine.tessera, PAGE),
                              *source = bench_create(machine.tessera, PAGE);
    const struct tessera_place to = {target, 0, 0}, from = {source, 0, 1};
    assert_int_equal(tessera_stream_copy(stream, &to, &from, 64), TESSERA_OK);
    tessera_stream_parts(stream, &words, &word_count, &list, &list_count, &patches, &patch_count);
    bench_head(raw, payload, MSG_SUBMIT);
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
const uint8_t *bench_content(const struct raw *raw)
{
    assert_int_equal(bench_call(raw, MSG_LOCK, raw->target, LOCK_ENTIRE | LOCK_READ_ONLY), STATUS_OK);
    assert_int_equal(bench_call(raw, MSG_UNLOCK, raw->target, 0), STATUS_OK);
    return fake_kernel_page(raw->target, 0);
}

uint32_t copy_of(const struct raw *raw, uint32_t target, uint32_t source)
{
    uint32_t payload[400];
    const struct parts parts = copy_payload(raw, payload);
    for (uint32_t i = 1; i < 3; i++) {
        uint32_t *entry = &payload[parts.list + 2 * i];
        *entry = *entry == raw->target ? target : source;
    }
    return bench_sent(raw, payload, parts.total)[COMPLETION_STATUS];
}
