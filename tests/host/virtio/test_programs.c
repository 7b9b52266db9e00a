/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of a virtual machine that draw with the library (host/lib/device/transport_drm.c, host/virtio/submitter.c).
 * Goal: what a program draws is what the same calls draw on the GPU itself, and what fails has a sentence; beside
 * hostile programs its pictures stay right; however programs end, nothing stays in the GPU. Method: the library in a
 * program, a kernel that turns what it asks into commands, the real device and the golden model; random sessions.
 */
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/tdump/tdump.h"
#include "program_bench.h"
#include "tessera_dump.h"

/* ------------------------------------------------------------------ drawing */

static void test_picture(void **test)
{
    static uint32_t here[PIXELS], there[PIXELS];
    struct guest guest;
    uint32_t context;
    (void)test;
    open_guest(&guest);
    bench_draw(guest.gpu, guest.stream, guest.context, here);
    assert_int_equal(tessera_context_create(machine.tessera, 0, 0, &context), TESSERA_OK);
    bench_draw(machine.tessera, guest.stream, context, there);
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
    struct tessera_allocation *allocation = bench_create(guest.gpu, BYTES);
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
        for (uint32_t at = 0; at < EACH; at++) expected[i][at] = (uint8_t)bench_below(256);
        assert_int_equal(tessera_write(guest.gpu, made[i], 0, expected[i], EACH), TESSERA_OK);
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        const uint32_t to = bench_below(COUNT), from = (to + 1 + bench_below(COUNT - 1)) % COUNT;
        const uint32_t bytes = 4 + bench_below(EACH / 8) * 4, at = bench_below((EACH - bytes) / 4 + 1) * 4;
        const uint32_t source_at = bench_below((EACH - bytes) / 4 + 1) * 4;
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
    struct tessera_allocation *target = bench_create(guest.gpu, sizeof words);
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
    assert_int_equal(drm_open(&transport, &kernel, bench_message), 0);
    assert_int_equal(tessera_open(&gpu, &transport, &options, bench_message), TESSERA_MISUSE);
    assert_non_null(strstr(bench_message, "own_bytes"));
    options = (struct tessera_options){.list_entries = 4096};
    assert_int_equal(tessera_open(&gpu, &transport, &options, bench_message), TESSERA_LINK);
    assert_non_null(strstr(bench_message, "lists of 1024 entries"));
    options = (struct tessera_options){.abi = 5};
    assert_int_equal(tessera_open(&gpu, &transport, &options, bench_message), TESSERA_ABI);
    transport.close(transport.context);
    machine.gpu.programs.context = NULL; /* a GPU without programs */
    kernel = fake_kernel_open();
    assert_int_equal(drm_open(&transport, &kernel, bench_message), -1);
    assert_non_null(strstr(bench_message, "is not a Tessera"));
    submitter_table(machine.submitter, &machine.gpu.programs);
    close_guest(&guest);
}

/* ------------------------------------------------------------------ hostile sessions */

enum { HOSTILE = 5, STEPS = 60 };
static uint32_t sessions = 60;

static uint32_t some_resource(const struct raw *raws)
{
    const struct raw *raw = &raws[bench_below(HOSTILE)];
    switch (bench_below(5)) {
    case 0: return raw->record;
    case 1: return bench_below(40);
    case 2: return raw->source;
    default: return raw->target;
    }
}

/* An engine that stands still and has not been noticed is not the honest program's to find. */
static void notice_hang(void)
{
    struct tessera_allocation *target = bench_create(machine.tessera, PAGE);
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
        if (bench_below(3) == 0) payload[parts.list + 2 * i] = some_resource(raws);
    for (uint32_t spoils = bench_below(3) == 0 ? bench_below(4) : 0; spoils > 0; spoils--)
        payload[bench_below(parts.total)] = bench_below(2) == 0 ? bench_below(70) : bench_below(UINT32_MAX);
    if (bench_below(20) == 0) parts.total = bench_below(parts.total);
    const bool hangs = bench_below(30) == 0;
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
    bench_head(raw, payload, bench_below(10) == 0 ? bench_below(64) : codes[bench_below(sizeof codes / sizeof *codes)]);
    for (uint32_t i = 2; i < 16; i++) words[i] = bench_below(3) == 0 ? bench_below(1u << bench_below(32)) : 0;
    words[2] = bench_below(2) == 0 ? some_resource(raws) : raw->drawing;
    if (words[0] == MSG_CREATE_CONTEXT) words[2] = words[3] = 0;
    if (words[0] == MSG_LOCK && bench_below(4) != 0) words[3] = LOCK_ENTIRE;
    if (words[0] == MSG_CREATE_ALLOCATION && bench_below(4) != 0) {
        memset(words + 2, 0, 14 * sizeof *words);
        words[MSG_CREATE_ALLOCATION_BYTES] = PAGE * (1 + bench_below(3));
        words[MSG_CREATE_ALLOCATION_READ_SET] = words[MSG_CREATE_ALLOCATION_WRITE_SET] = 1 + bench_below(7);
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
    const struct raw *of = &raws[bench_below(HOSTILE)];
    (void)fake_kernel_command(types[bench_below(sizeof types / sizeof *types)], raw->context, of->target);
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
    bench_draw(honest.gpu, honest.stream, honest.context, expected);
    for (uint32_t session = 0; session < sessions; session++) {
        for (uint32_t i = 0; i < HOSTILE; i++) open_raw(&raws[i]);
        for (uint32_t step = 0; step < STEPS; step++) {
            const struct raw *raw = &raws[bench_below(HOSTILE)];
            const uint32_t kind = bench_below(10);
            if (kind < 5) hostile_payload(raws, raw);
            else if (kind < 9) hostile_message(raws, raw);
            else hostile_kernel(raws, raw);
        }
        memset(pixels, 0, sizeof pixels);
        bench_draw(honest.gpu, honest.stream, honest.context, pixels);
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

/* What stops the GPU, as the program sees it and as the machine does: a dump of each. */
struct dumped {
    uint32_t count, segment1_bytes, segment2_bytes, aperture_pages;
};

static void take_dump(void *context, const void *bytes, size_t count)
{
    static struct tdump dump;
    struct dumped *dumped = context;
    assert_int_equal(tdump_read(&dump, bytes, count), TDUMP_OK);
    assert_int_equal(dump.about[ABOUT_REASON], TDUMP_TIMEOUT);
    assert_true(dump.buffer_count == 1 && dump.allocation_count == 1 && dump.register_count > 0);
    dumped->count++;
    dumped->segment1_bytes = tdump_register(&dump, MEMORY_SEGMENT1_BYTES_OFFSET, 0);
    dumped->segment2_bytes = tdump_register(&dump, MEMORY_SEGMENT2_BYTES_OFFSET, 0);
    dumped->aperture_pages = tdump_register(&dump, APERTURE_PAGES_OFFSET, 0);
}

static void test_dumps(void **state)
{
    struct guest guest;
    struct dumped here = {0}, there = {0};
    tessera_ticket ticket;
    (void)state;
    open_guest(&guest);
    const struct tessera_place place = {bench_create(guest.gpu, BYTES), 0, 0};
    assert_int_equal(tessera_dump_faults(guest.gpu, take_dump, &here, true), TESSERA_OK);
    assert_int_equal(tessera_dump_faults(machine.tessera, take_dump, &there, true), TESSERA_OK);
    assert_int_equal(tessera_stream_fill(guest.stream, &place, BYTES, 7), TESSERA_OK);
    device_hang(machine.device, 0);
    assert_int_equal(tessera_submit(guest.gpu, guest.context, guest.stream, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(guest.gpu, ticket, NULL), STATUS_TIMEOUT);
    assert_int_equal(here.count, 1);
    assert_int_equal(there.count, 1);
    assert_int_equal(here.segment1_bytes, there.segment1_bytes);
    assert_int_equal(here.segment2_bytes, there.segment2_bytes);
    assert_int_equal(here.aperture_pages, there.aperture_pages);
    assert_true(there.segment1_bytes != 0 && there.segment2_bytes != 0 && there.aperture_pages != 0);
    assert_int_equal(tessera_dump_faults(machine.tessera, NULL, NULL, false), TESSERA_OK);
    close_guest(&guest);
}

/* A fence that passes after some time, and whether it has. */
static struct {
    int descriptor;
    bool has_passed;
} later;

static void *pass_later(void *context)
{
    const uint64_t one = 1;
    (void)context;
    (void)usleep(20000);
    later.has_passed = true;
    assert_int_equal(write(later.descriptor, &one, sizeof one), sizeof one);
    return NULL;
}

/* The system's fences go with payloads, which wait for them, and a descriptor that is none is said. */
static void test_fences(void **state)
{
    struct guest guest;
    struct tessera_allocation *made;
    pthread_t thread;
    int out = -1;
    (void)state;
    open_guest(&guest);
    const struct transport *transport = &guest.transport;
    assert_true(drm_is(transport));
    const int fence = eventfd(1, EFD_CLOEXEC);
    assert_int_equal(drm_fence_out(transport, &out), TRANSPORT_OK);
    assert_int_equal(close(out), 0);
    assert_int_equal(machine.fences_in, 0);
    assert_int_equal(drm_fence_in(transport, fence), TRANSPORT_OK);
    assert_int_equal(drm_fence_in(transport, fence), TRANSPORT_OK); /* both count */
    assert_int_equal(close(fence), 0);
    assert_int_equal(machine.fences_in, 1);
    made = bench_create(guest.gpu, 4096);
    assert_int_equal(machine.fences_in, 2);
    assert_int_equal(drm_fence_in(transport, fence), TRANSPORT_IO);
    assert_non_null(strstr(transport->error, "the descriptor: Bad file descriptor"));
    assert_int_equal(tessera_allocation_destroy(guest.gpu, made), TESSERA_OK);
    assert_int_equal(machine.fences_in, 2);
    later.descriptor = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(pthread_create(&thread, NULL, pass_later, NULL), 0);
    assert_int_equal(drm_fence_in(transport, later.descriptor), TRANSPORT_OK);
    made = bench_create(guest.gpu, 4096);
    assert_true(later.has_passed);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(close(later.descriptor), 0);
    assert_int_equal(tessera_allocation_destroy(guest.gpu, made), TESSERA_OK);
    assert_int_equal(machine.fences_in, 3);
    assert_int_equal(machine.gpu.counts.unrecorded, 0);
    close_guest(&guest);
}

/* test_programs [SEED SESSIONS]: hostile sessions alone. */
int main(int argc, char **argv)
{
    const struct CMUnitTest hostile[] = {TEST(test_sessions)};
    if (argc == 3) {
        bench_state = strtoul(argv[1], NULL, 10);
        sessions = (uint32_t)strtoul(argv[2], NULL, 10);
        return bench_ended(cmocka_run_group_tests(hostile, NULL, NULL), 1);
    }
    const struct CMUnitTest tests[] = {TEST(test_picture), TEST(test_device), TEST(test_large), TEST(test_in_flight),
                                       TEST(test_said),    TEST(test_fences), TEST(test_dumps), TEST(test_sessions)};
    return bench_ended(cmocka_run_group_tests(tests, NULL, NULL), (int)(sizeof tests / sizeof *tests));
}
