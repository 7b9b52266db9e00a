/* SPDX-License-Identifier: Apache-2.0
 *
 * Which device a command opens, and with what (host/lib/device/platform.c). Goal: every option reaches the
 * device that was asked for and no other, a failure leaves nothing open, and what only the simulator can do is asked of
 * it alone. Method: the four devices are stand-ins that note what they are given.
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
#include "lib/device/drm_kernel.h"
#include "lib/device/platform.h"
#include "lib/device/dump_file.h"
#include "lib/device/top_file.h"
#include "lib/device/stream_file.h"
#include "lib/device/transport_wire.h"
#include "lib/gdb/gdb.h"
#include "noted.h"
#include "simulator.h"

static bool fails, gdb_fails;
static const char *board; /* of the simulator, if it is one's */
static char one;          /* the address of every device */

static void close_noted(void *context)
{
    (void)context;
    note("close ");
}

/* ------------------------------------------------------------------ the devices */

struct device *device_create(const struct device_options *options, char *error)
{
    note("model %u %u %u %d ", options->segment1_bytes, options->segment2_bytes, options->seed, options->probe != NULL);
    snprintf(error, 256, "no model");
    return fails ? NULL : (struct device *)(void *)&one;
}
void device_transport(struct device *device, struct transport *transport)
{
    *transport = (struct transport){.context = device, .close = close_noted};
}
/* The model's memory: that of whichever device is asked. */
static uint8_t memory[1];
struct engine_model *device_engine(struct device *device)
{
    static struct engine_model engine = {.system = memory};
    return (void *)device == &one ? &engine : NULL;
}
struct simulator *simulator_create(const struct simulator_options *o, char *error)
{
    note("simulator %u %u %u %u ", o->read_latency, o->write_latency, o->stall_percent, o->seed);
    note("%llu %llu %s %s ", (unsigned long long)o->max_cycles, (unsigned long long)o->end_cycle, o->firmware_elf,
         o->fst_path);
    note("%llu %llu ", (unsigned long long)o->fst_from, (unsigned long long)o->fst_to);
    snprintf(error, 256, "no simulator");
    return fails ? NULL : (struct simulator *)(void *)&one;
}
static struct display_model display; /* the model's */
struct display_model *device_display(struct device *device) { return (void *)device == &one ? &display : NULL; }
static simulator_frame shown; /* what the simulator gives its frames */
static void *shown_context;
bool simulator_display(struct simulator *simulator, simulator_frame frame, void *context)
{
    shown = frame;
    shown_context = context;
    return !fails && (void *)simulator == &one;
}
const char *simulator_board(void) { return board; }
uint32_t simulator_clock_hz(void) { return 41666666; }
void simulator_transport(struct simulator *simulator, struct transport *transport)
{
    *transport = (struct transport){.context = simulator, .close = close_noted};
}
void simulator_probe(struct simulator *simulator, const struct probe *probe)
{
    note("probe %d ", (void *)simulator == &one && probe != NULL);
}
void simulator_report(const struct simulator *simulator) { note("report %d ", (const void *)simulator == &one); }
bool simulator_reached_end(const struct simulator *simulator)
{
    note("end ");
    return (const void *)simulator == &one;
}
const struct profile *simulator_profile(const struct simulator *simulator)
{
    return fails ? NULL : (const struct profile *)(const void *)simulator;
}
bool profile_write_folded(const struct profile *profile, const char *path)
{
    note("folded %s ", path);
    return (const void *)profile == &one;
}
uint32_t profile_rows(const struct profile *profile, struct profile_row *rows, uint32_t limit)
{
    (void)rows;
    return (const void *)profile == &one ? limit - 1 : 77;
}
int wire_open(struct transport *transport, const char *device, uint32_t patience_ms, char message[256])
{
    note("wire %s %u ", device, patience_ms);
    *transport = (struct transport){.close = close_noted};
    snprintf(message, 256, "no wire");
    return fails ? -1 : 0;
}
static bool has_node = true;
int drm_kernel_open(struct drm_kernel *kernel, const char *path, char message[256])
{
    note("node %s ", path);
    *kernel = (struct drm_kernel){.context = &one};
    snprintf(message, 256, "no node");
    return has_node ? 0 : -1;
}
int drm_open(struct transport *transport, const struct drm_kernel *kernel, char message[256])
{
    note("drm %d ", kernel->context == &one);
    *transport = (struct transport){.close = close_noted};
    snprintf(message, 256, "no drm");
    return fails ? -1 : 0;
}
struct gdb *gdb_open(struct transport *transport, uint16_t port, char message[256])
{
    note("gdb %d %u ", transport->close == close_noted, port);
    snprintf(message, 256, "no gdb");
    return gdb_fails ? NULL : (struct gdb *)(void *)&one;
}
uint16_t gdb_port(const struct gdb *gdb) { return (const void *)gdb == &one ? 4321 : 0; }

/* ------------------------------------------------------------------ tests */

void stream_file_begin(void) {}
void dump_file_begin(const char *folder) { (void)folder; }
void top_file_begin(void) {}

static struct platform platform;
static char message[256];

static int setup(void **state)
{
    (void)state;
    noted[0] = message[0] = 0;
    fails = gdb_fails = false;
    has_node = true;
    board = NULL;
    return 0;
}

static const struct probe probe = {.context = NULL};
static const struct platform_options all = {.firmware = "a.elf",
                                            .seed = 7,
                                            .latency = 31,
                                            .stall_percent = 5,
                                            .max_cycles = 1000,
                                            .end_cycle = 900,
                                            .fst_path = "w.fst",
                                            .fst_from = 10,
                                            .fst_to = 20,
                                            .probe = &probe,
                                            .gdb_port = 99};

static void test_devices(void **state)
{
    static const char model[] = "model 262144 16777216 7 1 ", wire[] = "wire tcp:a:1 0 ";
    static const char simulated[] = "simulator 31 15 5 7 1000 900 a.elf w.fst 10 20 ";
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned bad = 0; bad < 2; bad++) {
            struct platform_options options = all;
            options.is_model = kind == 0;
            options.device = kind == 1 ? "tcp:a:1" : NULL;
            setup(NULL);
            fails = bad != 0;
            memset(&platform, 0x55, sizeof platform);
            assert_int_equal(platform_open(&platform, &options, message), bad ? -1 : 0);
            char expected[256];
            snprintf(expected, sizeof expected, "%s%s",
                     kind == 0   ? model
                     : kind == 1 ? wire
                                 : simulated,
                     kind == 2 && !bad ? "probe 1 " : "");
            assert_string_equal(noted, expected);
            if (bad) assert_string_equal(message, kind == 0 ? "no model" : kind == 1 ? "no wire" : "no simulator");
            if (bad) continue;
            assert_string_equal(platform.name, kind == 0 ? "golden model" : kind == 1 ? "board" : "simulated hardware");
            assert_ptr_equal(platform.simulator, kind == 2 ? (void *)&one : NULL);
            assert_int_equal(platform.clock_hz, kind == 2 ? 41666666 : 0);
            assert_ptr_equal(platform.memory, kind == 0 ? memory : NULL);
            if (kind == 0) assert_null(platform.firmware);
            else assert_string_equal(platform.firmware, "a.elf");
        }
    setup(NULL);
    struct platform_options options = all;
    options.device = "tty:x";
    options.keeps_firmware = true;
    assert_int_equal(platform_open(&platform, &options, message), 0);
    assert_null(platform.firmware);
    setup(NULL);
    options = all;
    options.probe = NULL;
    assert_int_equal(platform_open(&platform, &options, message), 0);
    assert_null(strstr(noted, "probe"));
}

/* The GPU of a virtual machine has its firmware; what is wrong with the node or behind it is said. */
static void test_virtual(void **state)
{
    (void)state;
    struct platform_options options = all;
    options.device = "drm:/dev/dri/renderD128";
    assert_int_equal(platform_open(&platform, &options, message), 0);
    assert_string_equal(noted, "node /dev/dri/renderD128 drm 1 ");
    assert_string_equal(platform.name, "GPU of this virtual machine");
    assert_null(platform.firmware);
    setup(NULL);
    fails = true;
    assert_int_equal(platform_open(&platform, &options, message), -1);
    assert_string_equal(message, "no drm");
    setup(NULL);
    has_node = false;
    assert_int_equal(platform_open(&platform, &options, message), -1);
    assert_string_equal(noted, "node /dev/dri/renderD128 ");
    assert_string_equal(message, "no node");
}

static void test_board(void **state)
{
    (void)state;
    struct platform_options options = all;
    board = "ulx3s";
    for (unsigned given = 0; given < 4; given++) {
        options.latency = given & 1u ? PLATFORM_LATENCY + 1u : PLATFORM_LATENCY;
        options.stall_percent = given >> 1;
        noted[0] = 0;
        assert_int_equal(platform_open(&platform, &options, message), given == 0 ? 0 : -1);
        if (given == 0) {
            assert_string_equal(platform.name, "simulated ulx3s");
            continue;
        }
        assert_string_equal(noted, "");
        assert_string_equal(message, "--latency and --stall have no effect on the SDRAM of the simulated ulx3s. "
                                     "Leave them out.");
    }
}

static void test_debugger(void **state)
{
    (void)state;
    struct platform_options options = all;
    options.is_model = options.is_debugged = true;
    assert_int_equal(platform_open(&platform, &options, message), 0);
    assert_string_equal(noted, "model 262144 16777216 7 1 gdb 1 99 ");
    setup(NULL);
    gdb_fails = true;
    assert_int_equal(platform_open(&platform, &options, message), -1);
    assert_string_equal(noted, "model 262144 16777216 7 1 gdb 1 99 close ");
    assert_string_equal(message, "no gdb");
    setup(NULL);
    fails = true;
    assert_int_equal(platform_open(&platform, &options, message), -1);
    assert_null(strstr(noted, "gdb"));
}

static void test_simulator_only(void **state)
{
    struct profile_row rows[5];
    (void)state;
    for (unsigned is_model = 0; is_model < 2; is_model++) {
        struct platform_options options = all;
        options.is_model = is_model;
        setup(NULL);
        assert_int_equal(platform_open(&platform, &options, message), 0);
        setup(NULL);
        assert_true(platform_write_profile(&platform, "p"));
        assert_int_equal(platform_profile(&platform, rows, 5), is_model ? 0 : 4);
        assert_int_equal(platform_reached_end(&platform), !is_model);
        platform_report(&platform);
        assert_string_equal(noted, is_model ? "" : "folded p end report 1 ");
        fails = true; /* a simulator without a profile */
        assert_true(platform_write_profile(&platform, "p"));
        assert_int_equal(platform_profile(&platform, rows, 5), 0);
    }
}

static void frame_noted(void *context, const uint32_t *pixels, uint32_t width, uint32_t height)
{
    note("frame %d %u %u %u ", context == &probe, pixels[0], width, height);
}

/* Frames of the model and of the simulator come to the function; a board has none to give. */
static void test_display(void **state)
{
    static const uint32_t pixels[] = {77};
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        struct platform_options options = all;
        options.is_model = kind == 0;
        options.device = kind == 1 ? "tcp:a:1" : NULL;
        setup(NULL);
        shown = NULL;
        display.on_frame = NULL;
        assert_int_equal(platform_open(&platform, &options, message), 0);
        noted[0] = 0;
        assert_int_equal(platform_display(&platform, frame_noted, (void *)(uintptr_t)&probe), kind != 1);
        if (kind == 0) display.on_frame(display.context, pixels, 1, 1, 3, 9);
        if (kind == 2) shown(shown_context, pixels, 1, 1, 9);
        assert_string_equal(noted, kind == 1 ? "" : "frame 1 77 1 1 ");
        fails = true;
        if (kind == 2) assert_false(platform_display(&platform, frame_noted, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_devices, setup),  cmocka_unit_test_setup(test_board, setup),
        cmocka_unit_test_setup(test_debugger, setup), cmocka_unit_test_setup(test_simulator_only, setup),
        cmocka_unit_test_setup(test_display, setup),  cmocka_unit_test_setup(test_virtual, setup)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
