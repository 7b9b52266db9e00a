/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: no call of the library cuts a number or sends one that no device takes. Method: a table of the numbers of every
 * call with the last value that is possible and the first that is not. On the golden model the first goes well, the
 * second is TESSERA_MISUSE with a sentence that names the field, and the device has got no message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { MEMORY = 8 << 20 };

static struct transport transport;
static struct tessera *tessera;
static struct tessera_allocation *thing;
static struct tessera_stream *stream;
static char said[512];       /* the sentence, once the call has been made */
static uint32_t tail, moved; /* of the submission ring before it, and whether it has sent something */

/* What every call takes its arguments from; each starts as one that is possible. */
struct request {
    struct tessera_allocation_options allocation;
    struct tessera_options open;
    uint32_t client, rights, node, priority, flags, first, second, third;
};

static struct request possible(void)
{
    return (struct request){.allocation = {.bytes = 65536, .flags = ALLOCATION_CPU_VISIBLE},
                            .open = {.seed = 3},
                            .client = 1,
                            .rights = RIGHT_READ,
                            .priority = 1,
                            .first = 2};
}

static uint32_t tail_now(void)
{
    uint32_t now = 0;
    assert_int_equal(tessera_register_read(tessera, HOST_SUBMIT_TAIL_OFFSET, &now), TESSERA_OK);
    return now;
}

/* Of the call itself, before what a row does to clean up. */
static int noted(int status)
{
    snprintf(said, sizeof said, "%s", tessera_message(tessera));
    moved = tail_now() != tail;
    return status;
}

static int create(struct request *request)
{
    struct tessera_allocation *made;
    const int status = noted(tessera_allocation_create(tessera, &request->allocation, &made));
    if (status == TESSERA_OK) assert_int_equal(tessera_allocation_destroy(tessera, made), TESSERA_OK);
    return status;
}
static int swizzled(struct request *request)
{
    struct tessera_allocation_options *options = &request->allocation;
    options->flags = ALLOCATION_SWIZZLED;
    options->read_set = options->write_set = 2; /* segment 2 alone: tiles are of memory segments */
    if (options->pitch == 0) options->pitch = 256;
    if (options->height == 0) options->height = 8;
    if (options->levels == 0) options->levels = 1;
    options->bytes = 1u << 21;
    return create(request);
}
static int prefer(struct request *request)
{
    request->allocation.preferred = tessera_prefer(request->first, request->second, request->third);
    return create(request);
}
static int context(struct request *request)
{
    uint32_t made;
    const int status = noted(tessera_context_create(tessera, request->node, (int32_t)request->priority, &made));
    if (status == TESSERA_OK) assert_int_equal(tessera_context_destroy(tessera, made), TESSERA_OK);
    return status;
}
static int context_priority(struct request *request)
{
    uint32_t made;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &made), TESSERA_OK);
    tail = tail_now();
    const int status = noted(tessera_context_set_priority(tessera, made, (int32_t)request->priority));
    assert_int_equal(tessera_context_destroy(tessera, made), TESSERA_OK);
    return status;
}
static int share(struct request *request)
{
    const int status = noted(tessera_share(tessera, thing, request->client, request->rights));
    if (status == TESSERA_OK) assert_int_equal(tessera_share(tessera, thing, request->client, 0), TESSERA_OK);
    return status;
}
static int set_client(struct request *request)
{
    const int status = noted(tessera_set_client(tessera, request->client));
    (void)(status == TESSERA_OK && tessera_set_client(tessera, 0));
    return status;
}
static int admit(struct request *request) { return noted(tessera_admit_client(tessera, request->client)); }
static int lock(struct request *request)
{
    const int status = noted(tessera_lock(tessera, thing, request->flags));
    if (status == TESSERA_OK) assert_int_equal(tessera_unlock(tessera, thing), TESSERA_OK);
    return status;
}
static int lock_begin(struct request *request)
{
    tessera_ticket ticket;
    int status = noted(tessera_lock_begin(tessera, thing, request->flags, &ticket));
    if (status == TESSERA_OK) status = tessera_wait(tessera, ticket, NULL);
    if (status == TESSERA_OK) assert_int_equal(tessera_unlock(tessera, thing), TESSERA_OK);
    return status;
}
static int priority(struct request *request) { return noted(tessera_set_priority(tessera, thing, request->priority)); }
static int offer(struct request *request)
{
    bool is_discarded;
    const int status = noted(tessera_offer(tessera, thing, request->priority));
    if (status == TESSERA_OK) assert_int_equal(tessera_reclaim(tessera, thing, &is_discarded), TESSERA_OK);
    return status;
}
static int submit(struct request *request)
{
    uint32_t made;
    tessera_ticket ticket;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &made), TESSERA_OK);
    tail = tail_now();
    const int status = noted(tessera_submit(tessera, made, stream, request->flags, &ticket));
    if (status == TESSERA_OK) assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    return status;
}
static int timeline(struct request *request)
{
    uint32_t made;
    const int status = noted(tessera_timeline_create(tessera, 0, request->first, &made));
    if (status == TESSERA_OK) assert_int_equal(tessera_timeline_destroy(tessera, made), TESSERA_OK);
    return status;
}
static int timeline_call(struct request *request)
{
    struct tessera_point point = {0, 0};
    tessera_ticket ticket;
    assert_int_equal(tessera_timeline_create(tessera, 0, 0, &point.timeline), TESSERA_OK);
    tail = tail_now();
    int status = noted(request->second != 0 ? tessera_timeline_wait(tessera, &point, request->second, &ticket)
                                            : tessera_timeline_share(tessera, point.timeline, request->client, true));
    if (status == TESSERA_OK && request->second != 0) status = tessera_wait(tessera, ticket, NULL);
    assert_int_equal(tessera_timeline_destroy(tessera, point.timeline), TESSERA_OK);
    return status;
}
/* Another device, so that what is refused is seen before that one is touched. */
static int open_again(struct request *request)
{
    struct tessera *opened;
    struct transport other;
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    char message[256];
    struct device *device = device_create(&options, message);
    uint32_t base = 1;
    assert_non_null(device);
    device_transport(device, &other);
    const int status = tessera_open(&opened, &other, &request->open, message);
    if (status == TESSERA_OK) {
        tessera_close(opened);
        return status;
    }
    assert_int_equal(other.register_read(other.context, HOST_SUBMIT_BASE_OFFSET, &base), TRANSPORT_OK);
    snprintf(said, sizeof said, "%s", message);
    moved = base != 0;
    other.close(other.context);
    return status;
}

#define ROW(call, member, good, bad, words) \
    { \
        call, #call, offsetof(struct request, member), good, bad, words \
    }

static const struct row {
    int (*call)(struct request *);
    const char *name;
    size_t member;
    uint32_t good, bad;
    const char *words; /* of the sentence */
} rows[] = {
    ROW(create, allocation.bytes, 1, 0, "bytes 0"),
    ROW(create, allocation.alignment, 1u << 21, 3u << 12, "alignment 12288"),
    ROW(create, allocation.alignment, 4096, 1u << 25, "alignment 33554432"),
    ROW(create, allocation.flags, ALLOCATION_CPU_VISIBLE | ALLOCATION_CACHED, ALLOCATION_CACHED, "need CPU_VISIBLE"),
    ROW(create, allocation.flags, ALLOCATION_FROM_END, ALLOCATION_ALTERNATE_VA, "0x400"),
    ROW(create, allocation.flags, ALLOCATION_SYNCHRONOUS_PAGING, 0x1000, "0x1000"),
    ROW(create, allocation.flags, 0, 0x80000000u, "0x80000000"),
    ROW(create, allocation.preferred, 3, 9, "preferred 9"),
    ROW(create, allocation.preferred, 3, 1u << 30, "preferred 1073741824"),
    ROW(create, allocation.read_set, 7, 256, "read_set 0x100"),
    ROW(create, allocation.write_set, 7, 256, "write_set 0x100"),
    ROW(create, allocation.eviction_set, 4, 256, "eviction_set 0x100"),
    ROW(swizzled, allocation.pitch, 512, 33, "pitch 33"),
    ROW(swizzled, allocation.pitch, 65504, 65568, "pitch 65568"),
    ROW(swizzled, allocation.height, 16, 12, "height 12"),
    ROW(swizzled, allocation.height, 8192, 65544, "height 65544"),
    ROW(swizzled, allocation.levels, 16, 17, "levels 17"),
    ROW(swizzled, allocation.levels, 1, 257, "levels 257"),
    ROW(prefer, first, 3, 33, "preferred"),
    ROW(prefer, second, 1, 32, "preferred"),
    ROW(prefer, third, 1, 9, "preferred"),
    ROW(prefer, third, 1, UINT32_MAX, "preferred"),
    ROW(context, node, 0, 1, "node 1"),
    ROW(context, priority, 7, 8, "priority 8"),
    ROW(context, priority, (uint32_t)-7, (uint32_t)-8, "priority -8"),
    ROW(context_priority, priority, 7, 8, "priority 8"),
    ROW(context_priority, priority, (uint32_t)-7, (uint32_t)-8, "priority -8"),
    ROW(share, client, 63, 64, "client 64"),
    ROW(share, client, 1, 0x10001, "client 65537"),
    ROW(share, rights, RIGHT_READ | RIGHT_WRITE, 4, "rights 0x4"),
    ROW(share, rights, RIGHT_READ, RIGHT_WRITE, "needs RIGHT_READ"),
    ROW(set_client, client, 63, 64, "client 64"),
    ROW(admit, client, 63, 64, "client 64"),
    ROW(lock, flags, LOCK_DONT_EVICT, 0x100, "flags 0x100"),
    ROW(lock, flags, LOCK_DISCARD, LOCK_ACQUIRE_APERTURE, "flags 0x40"),
    ROW(lock, flags, LOCK_READ_ONLY, LOCK_READ_ONLY | LOCK_WRITE_ONLY, "exclude each other"),
    ROW(lock_begin, flags, LOCK_DONT_WAIT, 0x400, "flags 0x400"),
    ROW(priority, priority, 1, 0, "priority 0"),
    ROW(offer, priority, 3, 4, "priority 4"),
    ROW(offer, priority, 1, 0, "priority 0"),
    ROW(submit, flags, 1, 2, "flags 0x2"),
    ROW(timeline, first, 0x7fffffff, 0x80000000u, "limit_cycles 2147483648"),
    ROW(timeline_call, second, 0x7fffffff, 0x80000000u, "limit_cycles 2147483648"),
    ROW(timeline_call, client, 63, 64, "client 64"),
    ROW(open_again, open.allocations, 2048, 16385, "16385 allocations"),
    ROW(open_again, open.contexts, 128, 257, "257 contexts"),
    ROW(open_again, open.list_entries, 512, 4097, "4097 entries"),
    ROW(open_again, open.list_entries, 512, UINT32_MAX, "4294967295 entries"),
    ROW(open_again, open.dma_bytes, 16384, 65537, "65537 bytes"),
    ROW(open_again, open.dma_bytes, 16384, UINT32_MAX, "4294967295 bytes"),
    ROW(open_again, open.force, 1, 1u << 24, "force 0x1000000"),
    ROW(open_again, open.force, 1u << 16, 2u << 16, "policy 2"),
    ROW(open_again, open.boot_options, 1, 1u << 23, "boot_options 0x800000"),
    ROW(open_again, open.boot_options, 1, 2, "description 2"),
    ROW(open_again, open.boot_options, 5u << 13, 4u << 13, "4 words"),
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct request request = possible();
        memcpy((char *)&request + row->member, &row->bad, sizeof row->bad);
        tail = tail_now();
        int status = row->call(&request);
        if (status != TESSERA_MISUSE || strstr(said, row->words) == NULL || moved)
            fail_msg("row %zu, %s '%s': status %d, '%s'", i, row->name, row->words, status, said);
        request = possible();
        memcpy((char *)&request + row->member, &row->good, sizeof row->good);
        status = row->call(&request);
        if (status != TESSERA_OK)
            fail_msg("row %zu, %s '%s': %u is refused: %d, '%s'", i, row->name, row->words, row->good, status, said);
    }
}

static int open_device(void **state)
{
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    const struct request request = possible();
    char message[256];
    struct device *device = device_create(&options, message);
    (void)state;
    assert_non_null(device);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &request.open, message), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(tessera, &request.allocation, &thing), TESSERA_OK);
    stream = tessera_stream_create_for(tessera);
    assert_non_null(stream);
    assert_int_equal(tessera_stream_fill(stream, &(struct tessera_place){thing, 0, 5}, 64, 0), TESSERA_OK);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    tessera_stream_destroy(stream);
    tessera_close(tessera);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    int failed = cmocka_run_group_tests(tests, open_device, close_device);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
