/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the program's own (tessera_options.own_bytes, tessera_allocation_options.address). Goal: an allocation
 * there is what lies there, for program and GPU, without a lock and without a copy; the library takes nothing of it,
 * gives nothing of it away, and a place that is not wholly in it is refused. Method: the golden model, whose system
 * memory the test looks into.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include "device.h"
#include "tessera.h"
#include "tessera_stream.h"

/* LIBRARY: what the library needs for itself, the pool of pages behind it (host/lib/tessera_internal.h). */
enum { MEMORY = 8 << 20, OWN = 64 * PAGE_BYTES, OWN_AT = MEMORY - OWN, LIBRARY = 0x290000, APERTURE = 4, LIMIT = 400 };

static struct transport transport;
static struct tessera *tessera;
static uint8_t *memory;
static char message[256];

static int try_open(uint32_t own_bytes)
{
    const struct device_options options = {.memory_bytes = MEMORY, .seed = 1};
    const struct tessera_options open_options = {.seed = 3, .own_bytes = own_bytes};
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    memory = device_engine(device)->system;
    device_transport(device, &transport);
    int status = tessera_open(&tessera, &transport, &open_options, message);
    if (status != TESSERA_OK) device_destroy(device);
    return status;
}

static int open_device(void **state)
{
    (void)state;
    return try_open(OWN - 1); /* whole pages are taken */
}

static int close_device(void **state)
{
    (void)state;
    tessera_close(tessera);
    return 0;
}

static struct tessera_allocation *own(uint32_t address, uint32_t bytes)
{
    const struct tessera_allocation_options options = {.bytes = bytes,
                                                       .flags = ALLOCATION_CPU_VISIBLE,
                                                       .address = address,
                                                       .read_set = APERTURE,
                                                       .write_set = APERTURE};
    struct tessera_allocation *allocation;
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_OK);
    return allocation;
}

/* `bytes` from a place to another, and the answer waited for. */
static void copy(struct tessera_allocation *to, uint32_t to_offset, struct tessera_allocation *from,
                 uint32_t from_offset, uint32_t bytes)
{
    const struct tessera_place target = {to, to_offset, 0}, source = {from, from_offset, 1};
    struct tessera_stream *stream = tessera_stream_create();
    tessera_ticket ticket;
    uint32_t context;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_stream_copy(stream, &target, &source, bytes), TESSERA_OK);
    assert_int_equal(tessera_submit(tessera, context, stream, 0, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera_context_destroy(tessera, context), TESSERA_OK);
    tessera_stream_destroy(stream);
}

/* What is written with no call of the library is read by the next submission, again and again. */
static void test_in_place(void **state)
{
    (void)state;
    struct tessera_allocation *whole = own(OWN_AT, OWN), *small = own(OWN_AT + 3 * PAGE_BYTES, 100);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 9000; i++) memory[OWN_AT + 5001 + i] = (uint8_t)(i * 7 + i / 256 + round);
        memset(memory + OWN_AT + 40003, 0xee, 9002);
        copy(whole, 40004, whole, 5001, 9000);
        assert_memory_equal(memory + OWN_AT + 40004, memory + OWN_AT + 5001, 9000);
        assert_int_equal(memory[OWN_AT + 40003] << 8 | memory[OWN_AT + 40004 + 9000], 0xeeee);
    }
    uint8_t bytes[50];
    assert_int_equal(tessera_write(tessera, small, 7, "written", 8), TESSERA_OK);
    assert_string_equal((const char *)memory + OWN_AT + 3 * PAGE_BYTES + 7, "written");
    copy(small, 60, whole, 3 * PAGE_BYTES + 7, 8);
    assert_int_equal(tessera_read(tessera, small, 60, bytes, 8), TESSERA_OK);
    assert_string_equal((const char *)bytes, "written");
    assert_int_equal(tessera_allocation_destroy(tessera, small), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, whole), TESSERA_OK);
}

/* As many of `bytes` as the library has pages for, each full of 0x11. */
static uint32_t take_all(struct tessera_allocation *made[LIMIT], uint32_t bytes)
{
    const struct tessera_allocation_options options = {.bytes = bytes};
    uint8_t content[5 * PAGE_BYTES];
    uint32_t count = 0;
    memset(content, 0x11, sizeof content);
    while (tessera_allocation_create(tessera, &options, &made[count]) == TESSERA_OK) {
        assert_int_equal(tessera_write(tessera, made[count], 0, content, bytes), TESSERA_OK);
        assert_true(++count < LIMIT);
    }
    return count;
}

/* The library's allocations take all else, and never a page of the program's. */
static void test_apart(void **state)
{
    (void)state;
    struct tessera_allocation *made[LIMIT];
    const uint32_t expected = (MEMORY - LIBRARY - OWN) / PAGE_BYTES / 5;
    memset(memory + OWN_AT, 0xa5, OWN);
    for (unsigned round = 0; round < 2; round++) { /* what is given back is no more than was taken */
        struct tessera_allocation *mine = own(OWN_AT, OWN);
        uint32_t count = take_all(made, 5 * PAGE_BYTES);
        assert_int_equal(count, expected);
        if (round == 0) assert_int_equal(tessera_allocation_destroy(tessera, mine), TESSERA_OK);
        while (count > 0) assert_int_equal(tessera_allocation_destroy(tessera, made[--count]), TESSERA_OK);
        if (round != 0) assert_int_equal(tessera_allocation_destroy(tessera, mine), TESSERA_OK);
        for (uint32_t i = 0; i < OWN; i++) assert_int_equal(memory[OWN_AT + i], 0xa5);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t address, bytes;
    } wrong[] = {{OWN_AT - PAGE_BYTES, PAGE_BYTES}, {OWN_AT + 4, PAGE_BYTES},     {OWN_AT, OWN + 1},
                 {MEMORY - PAGE_BYTES, 0x1001},     {MEMORY, PAGE_BYTES},         {MEMORY - PAGE_BYTES, UINT32_MAX},
                 {PAGE_BYTES, PAGE_BYTES},          {0u - PAGE_BYTES, PAGE_BYTES}};
    struct tessera_allocation *allocation;
    char line[96];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct tessera_allocation_options options = {.bytes = wrong[i].bytes, .address = wrong[i].address};
        assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_MISUSE);
        snprintf(line, sizeof line, "%u bytes at 0x%x are not whole pages of the program's own memory (own_bytes).",
                 wrong[i].bytes, wrong[i].address);
        assert_string_equal(tessera_message(tessera), line);
    }
    struct tessera_allocation *last = own(MEMORY - PAGE_BYTES, PAGE_BYTES);
    assert_int_equal(tessera_allocation_destroy(tessera, last), TESSERA_OK);
}

/* Pages in any order, with holes, are one allocation: byte i of it is in the page that the list says. */
static void test_scattered(void **state)
{
    (void)state;
    enum { PAGES = 5 };
    static const uint32_t places[PAGES] = {9, 2, 40, 3, 63};
    uint32_t pages[PAGES];
    for (uint32_t i = 0; i < PAGES; i++) pages[i] = OWN_AT / PAGE_BYTES + places[i];
    struct tessera_allocation_options options = {.bytes = PAGES * PAGE_BYTES - 7,
                                                 .flags = ALLOCATION_CPU_VISIBLE,
                                                 .pages = pages,
                                                 .page_count = PAGES,
                                                 .read_set = APERTURE,
                                                 .write_set = APERTURE};
    struct tessera_allocation *scattered, *flat = own(OWN_AT + 50 * PAGE_BYTES, PAGES * PAGE_BYTES);
    assert_int_equal(tessera_allocation_create(tessera, &options, &scattered), TESSERA_OK);
    memset(pages, 0, sizeof pages); /* the list is the caller's again */
    memset(memory + OWN_AT, 0x5c, 50 * PAGE_BYTES);
    for (uint32_t i = 0; i < PAGES * PAGE_BYTES; i++)
        memory[OWN_AT + 50 * PAGE_BYTES + i] = (uint8_t)(i * 5 + i / 4096);
    copy(scattered, 4, flat, 4, PAGES * PAGE_BYTES - 8);
    for (uint32_t i = 4; i < PAGES * PAGE_BYTES - 8; i++)
        assert_int_equal(memory[OWN_AT + places[i / PAGE_BYTES] * PAGE_BYTES + i % PAGE_BYTES],
                         (uint8_t)(i * 5 + i / 4096));
    for (uint32_t i = 0; i < PAGE_BYTES; i++) assert_int_equal(memory[OWN_AT + 10 * PAGE_BYTES + i], 0x5c);
    assert_int_equal(tessera_allocation_destroy(tessera, flat), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, scattered), TESSERA_OK);
}

static void test_scattered_refused(void **state)
{
    (void)state;
    static const uint32_t first = OWN_AT / PAGE_BYTES, end = MEMORY / PAGE_BYTES;
    uint32_t pages[2] = {first, first + 1};
    struct tessera_allocation *allocation;
    struct tessera_allocation_options options = {.bytes = 2 * PAGE_BYTES, .pages = pages, .page_count = 2};
    static const uint32_t wrong[] = {0, first - 1, end, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pages[1] = wrong[i];
        assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_MISUSE);
        assert_non_null(strstr(tessera_message(tessera), "page 1 of the list, 0x"));
    }
    pages[1] = first;
    for (options.page_count = 0; options.page_count < 4; options.page_count++) {
        if (options.page_count == 2) continue;
        assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_MISUSE);
        assert_non_null(strstr(tessera_message(tessera), "pages are named, 8192 bytes take 2"));
    }
    options.page_count = 2;
    options.address = OWN_AT;
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_MISUSE);
    assert_non_null(strstr(tessera_message(tessera), "not both"));
}

/* All but the last page of 2 GiB, most of it the program's: what lies at its end is drawn from like what is below. */
static void test_large(void **state)
{
    (void)state;
    enum { BYTES = 0x7ffff000, LAST = BYTES - PAGE_BYTES, FIRST = 16 << 20 };
    void *mapping = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(mapping, MAP_FAILED);
    const struct device_options options = {.memory_bytes = BYTES, .memory = mapping};
    const struct tessera_options open_options = {.own_bytes = BYTES - FIRST};
    struct device *device = device_create(&options, message);
    assert_non_null(device);
    memory = device_engine(device)->system;
    assert_ptr_equal(memory, mapping);
    device_transport(device, &transport);
    assert_int_equal(tessera_open(&tessera, &transport, &open_options, message), TESSERA_OK);
    struct tessera_allocation *last = own(LAST, PAGE_BYTES), *first = own(FIRST, PAGE_BYTES);
    for (uint32_t i = 0; i < PAGE_BYTES; i++) memory[LAST + i] = (uint8_t)(i * 3);
    copy(first, 0, last, 0, PAGE_BYTES);
    assert_memory_equal(memory + FIRST, memory + LAST, PAGE_BYTES);
    tessera_close(tessera);
    assert_int_equal(((const uint8_t *)mapping)[FIRST + 1], 3); /* it is the caller's still */
    assert_int_equal(munmap(mapping, BYTES), 0);
}

static void test_too_much(void **state)
{
    (void)state;
    struct tessera_allocation *made[LIMIT];
    assert_int_equal(try_open(MEMORY - LIBRARY), TESSERA_OK);
    assert_int_equal(take_all(made, 1), 0);
    tessera_close(tessera);
    static const uint32_t wrong[] = {MEMORY - LIBRARY + 1, MEMORY, UINT32_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(try_open(wrong[i]), TESSERA_NO_MEMORY);
        assert_non_null(strstr(message, ": system memory has "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_in_place, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_apart, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_refused, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_scattered, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_scattered_refused, open_device, close_device),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_too_much)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed;
}
