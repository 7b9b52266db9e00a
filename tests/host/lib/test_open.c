/* SPDX-License-Identifier: Apache-2.0
 *
 * A device opened by its name (host/lib/device/tessera_device.c). Goal: each name opens its device with what was asked
 * for, a failure has its status and leaves nothing open, and what is no name opens none. Method: the platform and the
 * library are stand-ins that note what they are given.
 */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "lib/device/installation.h"
#include "lib/device/platform.h"
#include "lib/device/transport_drm.h"
#include "lib/tessera_internal.h"
#include "noted.h"
#include "tessera_device.h"

static char message[256];
static bool fails;
static int open_status;
static struct tessera opened;
static void *given; /* to the platform */
static uint32_t given_bytes;

static void close_noted(void *context) { note("close %d ", context == noted); }

int platform_open(struct platform *platform, const struct platform_options *o, char error[256])
{
    note("%s %s %s %d %u %u %u ", o->is_model ? "model" : "no model", o->device != NULL ? o->device : "none",
         o->firmware, o->keeps_firmware, o->seed, o->latency, o->stall_percent);
    note("%llu ", (unsigned long long)o->max_cycles);
    given = o->memory;
    given_bytes = o->memory_bytes;
    memset(platform, 0, sizeof *platform);
    platform->transport = (struct transport){.context = noted, .close = close_noted};
    platform->firmware = "chosen.elf";
    snprintf(error, 256, "no platform");
    return fails ? -1 : 0;
}
int tessera_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                 char error[256])
{
    note("open %d %s %u ", transport->close == close_noted, options->firmware, options->segment1_pages);
    snprintf(error, 256, "no tessera");
    *tessera = open_status == TESSERA_OK ? &opened : NULL;
    return open_status;
}
static bool has_display;
static platform_frame *given_frame;
static void *given_context;

bool platform_display(struct platform *platform, platform_frame *frame, void *context)
{
    note("display %d ", platform == opened.platform);
    given_frame = frame;
    given_context = context;
    return has_display;
}
static bool is_drm;
static struct transport transport;

struct transport *tessera_transport(struct tessera *tessera) { return tessera == &opened ? &transport : NULL; }
bool drm_is(const struct transport *of) { return of == &transport && is_drm; }
int drm_fence_out(const struct transport *of, int *descriptor)
{
    *descriptor = 5;
    return of == &transport ? TRANSPORT_OK : TRANSPORT_IO;
}
int drm_fence_in(const struct transport *of, int descriptor)
{
    return of == &transport && descriptor == 3 ? TRANSPORT_OK : TRANSPORT_IO;
}
int tessera_fail(struct tessera *tessera, int status, const char *format, ...)
{
    assert_true(tessera == &opened && format[0] != 0);
    return status;
}
const char *installation_firmware(void) { return "installed.elf"; }

static void test_names(void **state)
{
    static const struct tessera_device_options device = {.seed = 3,
                                                         .latency = 30,
                                                         .stall_percent = 4,
                                                         .max_cycles = 1000},
                                               keeps = {.keeps_firmware = true};
    static const struct tessera_options options = {.segment1_pages = 9, .firmware = "mine.elf"};
    static const struct {
        const char *where;
        const struct tessera_device_options *device;
        const struct tessera_options *options;
        const char *asked;
    } cases[] = {{"model", NULL, NULL, "model none installed.elf 0 0 0 0 0 "},
                 {"model", &device, &options, "model none mine.elf 0 3 30 4 1000 "},
                 {"simulator", NULL, NULL, "no model none installed.elf 0 0 0 0 0 "},
                 {"simulator", &device, &options, "no model none mine.elf 0 3 30 4 1000 "},
                 {"tty:x", NULL, NULL, "no model tty:x installed.elf 0 0 0 0 0 "},
                 {"tcp:a:1", &device, &options, "no model tcp:a:1 mine.elf 0 3 30 4 1000 "},
                 {"tcp:a:1", &keeps, &options, "no model tcp:a:1 mine.elf 1 0 0 0 0 "}};
    struct tessera *tessera;
    char expected[256];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned trouble = 0; trouble < 3; trouble++) { /* none, of the device, of the library */
            noted[0] = message[0] = 0;
            fails = trouble == 1;
            open_status = trouble == 2 ? TESSERA_PANIC : TESSERA_OK;
            tessera = &opened;
            int status = tessera_open_device(&tessera, cases[i].where, cases[i].device, cases[i].options, message);
            const uint32_t pages = cases[i].options != NULL ? 9 : 0;
            int length = snprintf(expected, sizeof expected, "%s", cases[i].asked);
            if (trouble != 1)
                snprintf(expected + length, sizeof expected - (size_t)length, "open 1 chosen.elf %u %s", pages,
                         trouble == 2 ? "close 1 " : "");
            assert_string_equal(noted, expected);
            assert_int_equal(status, trouble == 0 ? TESSERA_OK : trouble == 1 ? TESSERA_LINK : TESSERA_PANIC);
            assert_ptr_equal(tessera, trouble == 0 ? &opened : NULL);
            if (trouble != 0) assert_string_equal(message, trouble == 1 ? "no platform" : "no tessera");
            if (trouble != 0) continue;
            assert_true(((struct platform *)opened.platform)->transport.close == close_noted);
            free(opened.platform);
        }
}

static void test_no_names(void **state)
{
    static const char *const unknown[] = {"", "models", "mode", "simulator ", "tty", "tcp", "usb:1", "Model"};
    struct tessera *tessera = &opened;
    char expected[256];
    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        noted[0] = message[0] = 0;
        tessera = &opened;
        assert_int_equal(tessera_open_device(&tessera, unknown[i], NULL, NULL, message), TESSERA_MISUSE);
        assert_string_equal(noted, "");
        assert_null(tessera);
        snprintf(expected, sizeof expected, "there is no device '%s': name model,", unknown[i]);
        assert_int_equal(strncmp(message, expected, strlen(expected)), 0);
    }
}

static void close_opened(struct tessera *tessera)
{
    tessera->on_close(tessera->platform);
    free(tessera->platform);
}

/* Memory of the program's own reaches the platform as it is; of a file, its bytes do. */
static void test_memory(void **state)
{
    static uint8_t mine[2 * PAGE_BYTES];
    const int file = memfd_create("memory", 0);
    struct tessera_device_options device = {.memory = mine, .memory_bytes = sizeof mine};
    struct tessera *tessera;
    (void)state;
    fails = false;
    open_status = TESSERA_OK;
    assert_int_equal(tessera_open_device(&tessera, "model", &device, NULL, message), TESSERA_OK);
    assert_ptr_equal(given, mine);
    assert_int_equal(given_bytes, sizeof mine);
    close_opened(tessera);
    assert_int_equal(ftruncate(file, 3 * PAGE_BYTES), 0);
    assert_int_equal(pwrite(file, "of the file", 12, PAGE_BYTES), 12);
    device = (struct tessera_device_options){.memory_descriptor = file, .memory_bytes = 3 * PAGE_BYTES};
    assert_int_equal(tessera_open_device(&tessera, "simulator", &device, NULL, message), TESSERA_OK);
    assert_string_equal((const char *)given + PAGE_BYTES, "of the file");
    strcpy((char *)given, "by the device");
    close_opened(tessera);
    char text[16];
    assert_int_equal(pread(file, text, 14, 0), 14);
    assert_string_equal(text, "by the device");
    close(file);
}

static void test_no_memory(void **state)
{
    static uint8_t mine[PAGE_BYTES];
    static const struct {
        const char *where;
        struct tessera_device_options device;
        const char *said;
    } wrong[] = {{"tty:x", {.memory = mine, .memory_bytes = PAGE_BYTES}, "this device has its own system memory"},
                 {"tcp:a:1", {.memory_bytes = PAGE_BYTES}, "this device has its own system memory"},
                 {"model", {.memory = mine, .memory_descriptor = 1, .memory_bytes = PAGE_BYTES}, "are both given"},
                 {"model", {.memory = mine}, "without its memory_bytes"},
                 {"model", {.memory = mine, .memory_bytes = 100}, "memory_bytes is out of range"},
                 {"model", {.memory_bytes = 0x80000000u}, "memory_bytes is out of range"},
                 {"model", {.memory_descriptor = 9999, .memory_bytes = PAGE_BYTES}, "cannot map 4096 bytes"}};
    struct tessera *tessera;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        noted[0] = 0;
        tessera = &opened;
        assert_true(tessera_open_device(&tessera, wrong[i].where, &wrong[i].device, NULL, message) < 0);
        assert_non_null(strstr(message, wrong[i].said));
        assert_string_equal(noted, "");
        assert_null(tessera);
    }
}

static bool is_readable(int descriptor)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    assert_in_range(poll(&ready, 1, 0), 0, 1);
    return (ready.revents & POLLIN) != 0;
}

/* It follows what the library says is in flight, also before it was asked for. */
static void test_event(void **state)
{
    struct tessera *tessera;
    (void)state;
    for (uint32_t before = 0; before < 2; before++) {
        assert_int_equal(tessera_open_device(&tessera, "model", NULL, NULL, message), TESSERA_OK);
        tessera->flight_count = before;
        const int event = tessera_event_descriptor(tessera);
        assert_true(event > 0);
        assert_int_equal(tessera_event_descriptor(tessera), event);
        assert_int_equal(is_readable(event), before);
        for (unsigned round = 0; round < 3; round++) {
            if (before == 0 || round != 0) tessera->on_flight(tessera->platform, true);
            assert_true(is_readable(event));
            tessera->on_flight(tessera->platform, false);
            assert_false(is_readable(event));
        }
        close_opened(tessera);
        assert_int_equal(fcntl(event, F_GETFD), -1);
    }
    tessera->platform = NULL;
    assert_int_equal(tessera_event_descriptor(tessera), -1);
}

/* Only a virtual machine's GPU has them. */
static void test_fences(void **state)
{
    int fence = 7;
    (void)state;
    is_drm = false;
    assert_int_equal(tessera_fence_out(&opened, &fence), TESSERA_STATUS_UNSUPPORTED);
    assert_int_equal(tessera_fence_in(&opened, 3), TESSERA_STATUS_UNSUPPORTED);
    assert_int_equal(fence, 7);
    is_drm = true;
    assert_int_equal(tessera_fence_out(&opened, &fence), TESSERA_OK);
    assert_int_equal(fence, 5);
    assert_int_equal(tessera_fence_in(&opened, 3), TESSERA_OK);
    assert_int_equal(tessera_fence_in(&opened, -1), TESSERA_LINK);
}

static void on_frame(void *context, const uint32_t *pixels, uint32_t columns, uint32_t rows)
{
    (void)context, (void)pixels, (void)columns, (void)rows;
}

/* Of the platform that was opened; a transport of the program's own has none. */
static void test_frames(void **state)
{
    struct tessera *tessera;
    (void)state;
    for (int is_there = 0; is_there < 2; is_there++) {
        assert_int_equal(tessera_open_device(&tessera, "model", NULL, NULL, message), TESSERA_OK);
        noted[0] = 0;
        has_display = is_there != 0;
        assert_int_equal(tessera_device_frames(tessera, on_frame, &given), has_display);
        assert_string_equal(noted, "display 1 ");
        assert_true(given_frame == on_frame && given_context == &given);
        close_opened(tessera);
    }
    noted[0] = 0;
    tessera->platform = NULL;
    assert_false(tessera_device_frames(tessera, on_frame, NULL));
    assert_string_equal(noted, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fences), cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_names),  cmocka_unit_test(test_no_names),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_no_memory),
                                       cmocka_unit_test(test_event)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
