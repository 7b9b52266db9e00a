/* SPDX-License-Identifier: Apache-2.0
 *
 * The virtio GPU's commands (host/virtio/gpu.c, gpu_commands.c). Goal: each does what the specification says, each
 * wrong word has its error and changes nothing, nothing is left after a reset. Method: a driver's side in memory, a
 * painter and a display that note what they are told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fake.h"
#include "gpu_spec.h"
#include "virtio/edid.h"

static struct virtio_gpu gpu;
static struct virtio_queue queue;

static int begin(void **state)
{
    (void)state;
    fake_begin(&gpu, &queue);
    return 0;
}

#define SEND(command) fake_command(&gpu, &queue, &(command), sizeof(command))

static uint32_t create(uint32_t id, uint32_t format, uint32_t width, uint32_t height)
{
    const struct virtio_gpu_create_2d command = {{.type = COMMAND_CREATE_2D}, id, format, width, height};
    return SEND(command);
}
static uint32_t named(uint32_t type, uint32_t which)
{
    const struct virtio_gpu_named command = {{.type = type}, which, 0};
    return SEND(command);
}
static uint32_t scanout(uint32_t which, uint32_t id, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const struct virtio_gpu_set_scanout command = {{.type = COMMAND_SET_SCANOUT}, {x, y, width, height}, which, id};
    return SEND(command);
}
static uint32_t flush(uint32_t id, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const struct virtio_gpu_flush command = {{.type = COMMAND_FLUSH}, {x, y, width, height}, id, 0};
    return SEND(command);
}
static uint32_t transfer(uint32_t id, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint64_t offset)
{
    const struct virtio_gpu_transfer_2d command = {
        {.type = COMMAND_TRANSFER_TO_HOST_2D}, {x, y, width, height}, offset, id, 0};
    return SEND(command);
}
static uint32_t attach(uint32_t id, uint32_t count, uint32_t there)
{
    struct {
        struct virtio_gpu_attach head;
        struct virtio_gpu_entry entry[3];
    } command = {{{.type = COMMAND_ATTACH_BACKING}, id, count}, {{0x10000, 0x1000, 0}, {0x30000, 0x2000, 0}}};
    return fake_command(&gpu, &queue, &command, (uint32_t)(sizeof command.head + there * sizeof command.entry[0]));
}
static void cursor(uint32_t type, uint32_t which, uint32_t id)
{
    const struct virtio_gpu_cursor command = {{.type = type}, which, 30, 40, 0, id, 5, 6, 0};
    memcpy(fake_at(FAKE_COMMAND), &command, sizeof command);
    fake_describe(0, FAKE_COMMAND, sizeof command, 0, 0);
    fake_offer(0);
    assert_true(virtio_gpu_cursor(&gpu, &queue));
    assert_int_equal(fake_written(NULL), 0);
}

/* What was told since the last time is this. */
static void told(const char *expected)
{
    assert_string_equal(fake_told, expected);
    fake_told[0] = 0;
}

static void test_screen(void **state)
{
    (void)state;
    assert_int_equal(create(7, VIRTIO_BGRX, 100, 50), RESPONSE_OK);
    assert_int_equal(attach(7, 2, 2), RESPONSE_OK);
    assert_int_equal(scanout(0, 7, 10, 20, 64, 30), RESPONSE_OK);
    assert_int_equal(transfer(7, 1, 2, 3, 4, 808), RESPONSE_OK);
    told("create 0 100x50\nattach 0 2 10000+1000 30000+2000\nshow 0: 0 of 2 10,20 64x30\n"
         "transfer 0 1,2 3x4 at 808\n");
    assert_int_equal(flush(7, 0, 0, 100, 50), RESPONSE_OK);
    assert_int_equal(flush(7, 70, 45, 30, 5), RESPONSE_OK);
    assert_int_equal(flush(7, 0, 0, 10, 50), RESPONSE_OK); /* beside what is shown */
    assert_int_equal(flush(7, 5, 0, 6, 21), RESPONSE_OK);
    told("flush 0: 0,0 64x30\nflush 0: 60,25 4x5\nflush 0: 0,0 1x1\n");
    assert_int_equal(scanout(1, 7, 0, 0, 16, 16), RESPONSE_OK); /* two show it */
    assert_int_equal(flush(7, 10, 0, 100 - 10, 50), RESPONSE_OK);
    told("show 1: 0 of 2 0,0 16x16\nflush 0: 0,0 64x30\nflush 1: 10,0 6x16\n");
    assert_int_equal(scanout(0, 0, 0, 0, 0, 0), RESPONSE_OK);
    assert_int_equal(scanout(0, 0, 0, 0, 0, 0), RESPONSE_OK);
    assert_int_equal(named(COMMAND_DETACH_BACKING, 7), RESPONSE_OK);
    assert_int_equal(named(COMMAND_UNREF, 7), RESPONSE_OK); /* the other scanout goes dark */
    told("show 0: -1 of 0 0,0 0x0\ndetach 0\nshow 1: -1 of 0 0,0 0x0\ndestroy 0\n");
    assert_int_equal(gpu.bytes, 0);
    assert_int_equal(gpu.counts.refused, 0);
}

static void test_refused(void **state)
{
    (void)state;
    assert_int_equal(create(7, VIRTIO_ABGR, 100, 50), RESPONSE_OK);
    assert_int_equal(attach(7, 2, 2), RESPONSE_OK);
    assert_int_equal(create(8, VIRTIO_XBGR, 100, 50), RESPONSE_OK);
    fake_told[0] = 0;
    const struct virtio_gpu before = gpu;
    assert_int_equal(create(0, VIRTIO_BGRX, 10, 10), RESPONSE_BAD_RESOURCE);
    assert_int_equal(create(7, VIRTIO_BGRX, 10, 10), RESPONSE_BAD_RESOURCE);
    assert_int_equal(create(9, 5, 10, 10), RESPONSE_BAD_PARAMETER);
    assert_int_equal(create(9, VIRTIO_BGRX, 0, 10), RESPONSE_BAD_PARAMETER);
    assert_int_equal(create(9, VIRTIO_BGRX, 10, 0), RESPONSE_BAD_PARAMETER);
    assert_int_equal(create(9, VIRTIO_BGRX, 16384, 1), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(create(9, VIRTIO_BGRX, 1, 16384), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(create(9, VIRTIO_BGRX, UINT32_MAX, UINT32_MAX), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(create(9, VIRTIO_BGRX, 4096, 4096), RESPONSE_OUT_OF_MEMORY); /* of 64 MB some are taken */
    assert_int_equal(attach(9, 2, 2), RESPONSE_BAD_RESOURCE);
    assert_int_equal(attach(7, 2, 2), RESPONSE_UNSPECIFIED); /* it has one */
    assert_int_equal(attach(8, 2, 1), RESPONSE_UNSPECIFIED); /* fewer than it says */
    assert_int_equal(attach(8, VIRTIO_GPU_ENTRIES_MOST + 1, 2), RESPONSE_UNSPECIFIED);
    assert_int_equal(attach(8, UINT32_MAX, 2), RESPONSE_UNSPECIFIED);
    assert_int_equal(named(COMMAND_UNREF, 9), RESPONSE_BAD_RESOURCE);
    assert_int_equal(named(COMMAND_UNREF, 0), RESPONSE_BAD_RESOURCE);
    assert_int_equal(named(COMMAND_DETACH_BACKING, 8), RESPONSE_BAD_RESOURCE);
    assert_int_equal(transfer(8, 0, 0, 1, 1, 0), RESPONSE_BAD_RESOURCE); /* it has no backing */
    assert_int_equal(scanout(2, 7, 0, 0, 20, 20), RESPONSE_BAD_SCANOUT);
    assert_int_equal(scanout(UINT32_MAX, 0, 0, 0, 0, 0), RESPONSE_BAD_SCANOUT);
    assert_int_equal(scanout(0, 9, 0, 0, 20, 20), RESPONSE_BAD_RESOURCE);
    assert_int_equal(scanout(0, 7, 0, 0, 15, 20), RESPONSE_BAD_PARAMETER);
    assert_int_equal(scanout(0, 7, 0, 0, 20, 15), RESPONSE_BAD_PARAMETER);
    static const struct virtio_gpu_rectangle outside[] = {
        {0, 0, 101, 50}, {0, 0, 100, 51},         {81, 0, 20, 20},        {0, 31, 20, 20},
        {101, 0, 0, 20}, {UINT32_MAX, 0, 20, 20}, {1, 0, UINT32_MAX, 20}, {0, 20, 20, UINT32_MAX - 10}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        const struct virtio_gpu_rectangle r = outside[i];
        assert_int_equal(scanout(0, 7, r.x, r.y, r.width, r.height), RESPONSE_BAD_PARAMETER);
        assert_int_equal(flush(7, r.x, r.y, r.width, r.height), RESPONSE_BAD_PARAMETER);
        assert_int_equal(transfer(7, r.x, r.y, r.width, r.height, 0), RESPONSE_BAD_PARAMETER);
    }
    assert_int_equal(flush(9, 0, 0, 1, 1), RESPONSE_BAD_RESOURCE);
    assert_int_equal(named(0x200, 1), RESPONSE_UNSPECIFIED); /* 3D was not agreed on */
    assert_int_equal(named(0, 1), RESPONSE_UNSPECIFIED);
    assert_int_equal(named(COMMAND_GET_EDID, 2), RESPONSE_BAD_PARAMETER);
    told("");
    assert_memory_equal(gpu.resource, before.resource, sizeof gpu.resource);
    assert_memory_equal(gpu.scanout, before.scanout, sizeof gpu.scanout);
    assert_int_equal(gpu.bytes, before.bytes);
}

/* Every command cut short by a byte, and nothing at all. */
static void test_short(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, bytes;
    } whole[] = {{COMMAND_CREATE_2D, 40},      {COMMAND_UNREF, 32},         {COMMAND_SET_SCANOUT, 48},
                 {COMMAND_FLUSH, 48},          {COMMAND_GET_EDID, 32},      {COMMAND_TRANSFER_TO_HOST_2D, 56},
                 {COMMAND_ATTACH_BACKING, 32}, {COMMAND_DETACH_BACKING, 32}};
    assert_int_equal(create(1, VIRTIO_BGRX, 100, 50), RESPONSE_OK);
    fake_told[0] = 0;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const uint32_t command[16] = {whole[i].type, [6] = 1};
        assert_int_equal(fake_command(&gpu, &queue, command, whole[i].bytes - 1u), RESPONSE_UNSPECIFIED);
        assert_int_equal(fake_command(&gpu, &queue, command, 23), RESPONSE_UNSPECIFIED);
    }
    told("");
    fake_paints = false;
    assert_int_equal(create(2, VIRTIO_BGRX, 100, 50), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(attach(1, 2, 2), RESPONSE_UNSPECIFIED);
    assert_int_equal(named(COMMAND_DETACH_BACKING, 1), RESPONSE_BAD_RESOURCE);
    assert_int_equal(virtio_gpu_resources(&gpu), 1);
    fake_paints = true;
    assert_int_equal(attach(1, 0, 0), RESPONSE_OK); /* none are as good as some */
}

static void test_bounds(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 2; round++) {
        uint32_t count = 0;
        while (create(count + 1, VIRTIO_RGBA, 1, 1) == RESPONSE_OK) assert_true(++count < 1000);
        assert_int_equal(count, VIRTIO_GPU_PICTURES_MOST);
        assert_int_equal(virtio_gpu_resources(&gpu), count);
        virtio_gpu_reset(&gpu);
        assert_int_equal(virtio_gpu_resources(&gpu), 0);
        assert_int_equal(gpu.bytes, 0);
    }
    gpu.bytes_most = 4000;
    assert_int_equal(create(1, VIRTIO_RGBX, 10, 100), RESPONSE_OK);
    assert_int_equal(create(2, VIRTIO_XRGB, 1, 1), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(named(COMMAND_UNREF, 1), RESPONSE_OK);
    assert_int_equal(create(2, VIRTIO_ARGB, 1, 1), RESPONSE_OK);
}

static void test_reset(void **state)
{
    (void)state;
    assert_int_equal(create(7, VIRTIO_BGRA, 100, 50), RESPONSE_OK);
    assert_int_equal(scanout(1, 7, 0, 0, 20, 20), RESPONSE_OK);
    fake_told[0] = 0;
    virtio_gpu_reset(&gpu);
    told("cursor 0: -1 of 0 hot 0,0\ncursor 1: -1 of 0 hot 0,0\nshow 1: -1 of 0 0,0 0x0\ndestroy 0\n");
    memset(gpu.scanout, 0, sizeof gpu.scanout);
    gpu.scanouts = VIRTIO_GPU_SCANOUTS_MOST;
    virtio_gpu_begin(&gpu); /* none of them shows anything */
    fake_told[0] = 0;
    virtio_gpu_reset(&gpu);
    assert_null(strstr(fake_told, "show"));
}

static void test_cursor(void **state)
{
    (void)state;
    assert_int_equal(create(3, VIRTIO_BGRA, 64, 64), RESPONSE_OK);
    assert_int_equal(create(4, VIRTIO_BGRA, 64, 63), RESPONSE_OK);
    fake_told[0] = 0;
    cursor(COMMAND_UPDATE_CURSOR, 0, 3);
    cursor(COMMAND_MOVE_CURSOR, 1, 9);
    cursor(COMMAND_UPDATE_CURSOR, 0, 0);
    told("cursor 0: 0 of 1 hot 5,6\nmove 0: 30,40\nmove 1: 30,40\ncursor 0: -1 of 0 hot 5,6\nmove 0: 30,40\n");
    cursor(COMMAND_UPDATE_CURSOR, 0, 4);
    cursor(COMMAND_UPDATE_CURSOR, 0, 9);
    cursor(COMMAND_UPDATE_CURSOR, 2, 3);
    cursor(COMMAND_MOVE_CURSOR, UINT32_MAX, 3);
    cursor(COMMAND_FLUSH, 0, 3);
    told("");
    assert_int_equal(gpu.counts.refused, 5);
}

static void test_fences(void **state)
{
    (void)state;
    struct virtio_gpu_header header;
    const struct virtio_gpu_named fenced = {
        {.type = COMMAND_UNREF, .flags = VIRTIO_GPU_FLAG_FENCE, .fence = 0x123456789abcull, .context = 5}, 1, 0};
    assert_int_equal(SEND(fenced), RESPONSE_BAD_RESOURCE); /* refused, and its fence has passed */
    memcpy(&header, fake_at(FAKE_ANSWER), sizeof header);
    assert_int_equal(header.flags, VIRTIO_GPU_FLAG_FENCE);
    assert_true(header.fence == 0x123456789abcull);
    assert_int_equal(header.context, 5);
    const struct virtio_gpu_named plain = {{.type = COMMAND_UNREF, .fence = 99, .context = 5}, 1, 0};
    assert_int_equal(SEND(plain), RESPONSE_BAD_RESOURCE);
    memcpy(&header, fake_at(FAKE_ANSWER), sizeof header);
    assert_int_equal(header.flags | header.context, 0);
    assert_true(header.fence == 0);
}

static void test_questions(void **state)
{
    (void)state;
    struct virtio_gpu_display_info info;
    struct virtio_gpu_edid edid;
    assert_int_equal(named(COMMAND_GET_DISPLAY_INFO, 0), RESPONSE_DISPLAY_INFO);
    assert_int_equal(fake_written(NULL), sizeof info);
    memcpy(&info, fake_at(FAKE_ANSWER), sizeof info);
    assert_int_equal(info.mode[0].rectangle.width, 1024);
    assert_int_equal(info.mode[0].rectangle.height, 768);
    for (uint32_t i = 0; i < VIRTIO_GPU_SCANOUTS_MOST; i++) assert_int_equal(info.mode[i].is_enabled, i == 0);
    assert_int_equal(named(COMMAND_GET_EDID, 1), RESPONSE_EDID);
    memcpy(&edid, fake_at(FAKE_ANSWER), sizeof edid);
    assert_int_equal(edid.bytes, 128);
    uint8_t sum = 0;
    for (uint32_t i = 0; i < 128; i++) sum = (uint8_t)(sum + edid.edid[i]);
    assert_int_equal(sum, 0);
    assert_memory_equal(edid.edid, "\0\xff\xff\xff\xff\xff\xff\0", 8);
    assert_int_equal(edid.edid[56] | (edid.edid[58] >> 4) << 8, 1024);
    assert_int_equal(edid.edid[59] | (edid.edid[61] >> 4) << 8, 768);
}

/* CVT's reduced blanks of some sizes, as its authors' sheet computes them: rows in all, and units a second. */
static void test_timings(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, blank, clock; /* 10 kHz */
    } known[] = {{1024, 768, 22, 5600}, {1280, 800, 23, 7100}, {1920, 1080, 31, 13850}, {640, 480, 14, 2350}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t edid[EDID_BYTES];
        edid_make(edid, known[i].width, known[i].height);
        assert_int_equal(edid[60], known[i].blank);
        assert_int_equal(edid[54] | edid[55] << 8, known[i].clock);
    }
}

/* All that a display says, byte for byte; edid-decode (2024) finds nothing wrong with it. */
static void test_edid(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        const char *bytes;
    } known[] = {{64, 64,
                  "00ffffffffffff00527201000000000000240104a501017806ee91a3544c99260f5054000000010101010101010101010101"
                  "01010101640040a00040130030203a0010100000001a000000fc00546573736572610a202020202000000010000000000000"
                  "000000000000000000000010000000000000000000000000000000b7"},
                 {1024, 768,
                  "00ffffffffffff00527201000000000000240104a51b147806ee91a3544c99260f5054210800010101010101010101010101"
                  "01010101e01500a040001630302034000ecb1000001a000000fc00546573736572610a202020202000000010000000000000"
                  "0000000000000000000000100000000000000000000000000000001a"},
                 {4095, 1024,
                  "00ffffffffffff00527201000000000000240104a56c1b7806ee91a3544c99260f5054210800010101010101010101010101"
                  "010101011469ffa0f0001e4030203a003b0e4100001a000000fc00546573736572610a202020202000000010000000000000"
                  "000000000000000000000010000000000000000000000000000000cc"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint8_t edid[EDID_BYTES];
        char text[2 * EDID_BYTES + 1];
        edid_make(edid, known[i].width, known[i].height);
        for (uint32_t k = 0; k < EDID_BYTES; k++) (void)snprintf(text + 2 * k, 3, "%02x", edid[k]);
        assert_string_equal(text, known[i].bytes);
    }
}

/* An answer that has less room than it needs, or none: what fits is written, and nothing behind it. */
static void test_room(void **state)
{
    (void)state;
    static const uint32_t rooms[] = {1, 23, 24, 25, 407};
    const struct virtio_gpu_named command = {{.type = COMMAND_GET_DISPLAY_INFO}, 0, 0};
    memcpy(fake_at(FAKE_COMMAND), &command, sizeof command);
    fake_describe(0, FAKE_COMMAND, sizeof command, FAKE_NEXT, 1);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        memset(fake_at(FAKE_ANSWER), 0xee, 512);
        fake_describe(1, FAKE_ANSWER, rooms[i], FAKE_WRITE, 0);
        fake_offer(0);
        assert_true(virtio_gpu_control(&gpu, &queue));
        assert_int_equal(fake_written(NULL), rooms[i]);
        assert_int_equal(*fake_at(FAKE_ANSWER + rooms[i]), 0xee);
    }
    fake_describe(0, FAKE_COMMAND, sizeof command, 0, 0);
    fake_offer(0);
    assert_true(virtio_gpu_control(&gpu, &queue));
    assert_int_equal(fake_written(NULL), 0);
    assert_int_equal(gpu.counts.refused, 0);
    fake_describe(0, FAKE_COMMAND, 8, FAKE_NEXT, 0); /* a loop */
    fake_offer(0);
    assert_true(virtio_gpu_control(&gpu, &queue));
    assert_int_equal(fake_written(NULL), 0);
    assert_int_equal(gpu.counts.refused, 1);
    fake_offer(200);
    assert_false(virtio_gpu_control(&gpu, &queue));
}

/* ------------------------------------------------------------------ programs */

static uint32_t of_context(uint32_t type, uint32_t context, uint32_t which)
{
    const struct virtio_gpu_named command = {{.type = type, .context = context}, which, 0};
    const struct virtio_gpu_context_create create_it = {.header = command.header};
    return type == COMMAND_CONTEXT_CREATE ? SEND(create_it) : SEND(command);
}
static uint32_t buffer(uint32_t id, uint32_t bytes, uint32_t target, uint32_t height, uint32_t flags)
{
    const struct virtio_gpu_create_3d command = {.header.type = COMMAND_CREATE_3D,
                                                 .resource = id,
                                                 .target = target,
                                                 .width = bytes,
                                                 .height = height,
                                                 .depth = 1,
                                                 .layers = 1,
                                                 .flags = flags};
    return SEND(command);
}
static void note(const char *what, uint32_t a, uint32_t b)
{
    const size_t length = strlen(fake_told);
    snprintf(fake_told + length, sizeof fake_told - length, "%s %u %u\n", what, a, b);
}
static bool attach_buffer(void *context, uint32_t place, const struct virtio_gpu_entry *entries, uint32_t count,
                          uint32_t bytes)
{
    (void)context;
    (void)entries;
    note("pages", place, count * 10000 + bytes);
    return fake_paints;
}
static void detach_buffer(void *context, uint32_t place) { note("no pages", place, context == NULL); }
static bool transfer_buffer(void *context, uint32_t place, bool is_from_host)
{
    (void)context;
    note("moved", place, is_from_host);
    return fake_paints;
}
static enum virtio_gpu_ended submitted(void *context, const struct virtio_gpu_payload *payload, uint32_t *answer)
{
    (void)context;
    note("submitted", payload->context, payload->message[2]);
    answer[COMPLETION_STATUS] = 5;
    return VIRTIO_GPU_ENDED; /* test_late.c has what is not */
}
static void recorded(void *context, uint32_t place, uint32_t offset, const uint32_t *answer)
{
    (void)context;
    note("recorded", place, offset + answer[COMPLETION_STATUS]);
}
static void parted(void *context, uint32_t of, uint32_t place) { note("parted", of, place + (context == NULL)); }
static void left(void *context, uint32_t of) { note("left", of, context == NULL); }

static void serve_programs(void)
{
    static const uint32_t set[3] = {7, 8, 9};
    gpu.programs = (struct virtio_gpu_programs){
        &gpu, set,  sizeof set, attach_buffer, detach_buffer, transfer_buffer, submitted, NULL,
        NULL, NULL, recorded,   parted,        left};
}

static void test_no_programs(void **state)
{
    (void)state;
    gpu.programs.context = NULL;
    for (uint32_t type = COMMAND_CONTEXT_CREATE; type <= COMMAND_SUBMIT_3D; type++)
        assert_int_equal(of_context(type, 1, 1), RESPONSE_UNSPECIFIED);
    assert_int_equal(named(COMMAND_GET_CAPSET_INFO, 0), RESPONSE_UNSPECIFIED);
    assert_int_equal(named(COMMAND_GET_CAPSET, PAYLOAD_IS_CAPSET), RESPONSE_UNSPECIFIED);
    told("");
}

static void test_programs(void **state)
{
    (void)state;
    serve_programs();
    assert_int_equal(named(COMMAND_GET_CAPSET_INFO, 0), RESPONSE_CAPSET_INFO);
    const uint32_t info[4] = {PAYLOAD_IS_CAPSET, PAYLOAD_IS_VERSION, 12, 0};
    assert_memory_equal(fake_at(FAKE_ANSWER) + sizeof(struct virtio_gpu_header), info, sizeof info);
    assert_int_equal(named(COMMAND_GET_CAPSET_INFO, 1), RESPONSE_BAD_PARAMETER);
    assert_int_equal(named(COMMAND_GET_CAPSET, PAYLOAD_IS_CAPSET), RESPONSE_CAPSET);
    assert_int_equal(fake_written(NULL), sizeof(struct virtio_gpu_header) + 12);
    assert_int_equal(fake_at(FAKE_ANSWER)[sizeof(struct virtio_gpu_header) + 8], 9);
    assert_int_equal(named(COMMAND_GET_CAPSET, 1), RESPONSE_BAD_PARAMETER);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 0, 0), RESPONSE_BAD_CONTEXT);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 50, 0), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 50, 0), RESPONSE_BAD_CONTEXT);
    assert_int_equal(of_context(COMMAND_CONTEXT_DESTROY, 51, 0), RESPONSE_BAD_CONTEXT);
    assert_int_equal(buffer(3, 8192, 0, 1, 0), RESPONSE_OK);
    assert_int_equal(buffer(3, 8192, 0, 1, 0), RESPONSE_BAD_RESOURCE);
    assert_int_equal(buffer(0, 8192, 0, 1, 0), RESPONSE_BAD_RESOURCE);
    assert_int_equal(buffer(4, 8192, 2, 1, 0), RESPONSE_BAD_PARAMETER);
    assert_int_equal(buffer(4, 8192, 0, 2, 0), RESPONSE_BAD_PARAMETER);
    assert_int_equal(buffer(4, 8192, 0, 1, 1), RESPONSE_BAD_PARAMETER);
    assert_int_equal(buffer(4, 0, 0, 1, 0), RESPONSE_BAD_PARAMETER);
    assert_int_equal(buffer(4, 64 << 20, 0, 1, 0), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(create(3, VIRTIO_BGRX, 16, 16), RESPONSE_BAD_RESOURCE);
    assert_int_equal(gpu.bytes, 8192);
    told("");
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 50, 3), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 51, 3), RESPONSE_BAD_CONTEXT);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 50, 4), RESPONSE_BAD_RESOURCE);
    assert_int_equal(virtio_gpu_attached(&gpu, 0, 3), VIRTIO_GPU_NOTHING); /* it has no pages */
    assert_int_equal(attach(3, 2, 2), RESPONSE_OK);
    assert_int_equal(virtio_gpu_attached(&gpu, 0, 3), 0);
    assert_int_equal(virtio_gpu_attached(&gpu, 1, 3), VIRTIO_GPU_NOTHING);
    told("pages 0 28192\n");
    /* What is a picture's is not a buffer's. */
    assert_int_equal(scanout(0, 3, 0, 0, 16, 16), RESPONSE_BAD_RESOURCE);
    assert_int_equal(flush(3, 0, 0, 1, 1), RESPONSE_BAD_RESOURCE);
    assert_int_equal(transfer(3, 0, 0, 1, 1, 0), RESPONSE_BAD_RESOURCE);
    told("");
    struct {
        struct virtio_gpu_named head;
        uint32_t words[PAYLOAD_LIST];
    } payload = {{{.type = COMMAND_SUBMIT_3D, .context = 50}, sizeof payload.words, 0}, {0}};
    payload.words[PAYLOAD_MAGIC] = PAYLOAD_IS_MAGIC;
    payload.words[PAYLOAD_VERSION] = PAYLOAD_IS_VERSION;
    payload.words[PAYLOAD_RECORD] = 3;
    payload.words[PAYLOAD_RECORD_OFFSET] = 64;
    payload.words[PAYLOAD_MESSAGE + 2] = 77;
    assert_int_equal(SEND(payload), RESPONSE_OK);
    told("submitted 0 77\nrecorded 0 69\n");
    payload.head.header.context = 51;
    assert_int_equal(SEND(payload), RESPONSE_BAD_CONTEXT);
    payload.head.header.context = 50;
    payload.head.which = 0x10000; /* it says more than there is: what is there is looked at */
    assert_int_equal(SEND(payload), RESPONSE_OK);
    told("submitted 0 77\nrecorded 0 69\n");
    assert_int_equal(of_context(COMMAND_CONTEXT_DETACH, 50, 3), RESPONSE_OK);
    told("parted 0 0\n");
    assert_int_equal(SEND(payload), RESPONSE_OK);
    told("");
    assert_int_equal(gpu.counts.unrecorded, 1);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 50, 3), RESPONSE_OK);
    assert_int_equal(named(COMMAND_DETACH_BACKING, 3), RESPONSE_OK);
    assert_int_equal(attach(3, 1, 1), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_DESTROY, 50, 0), RESPONSE_OK);
    assert_int_equal(named(COMMAND_UNREF, 3), RESPONSE_OK);
    told("no pages 0 0\npages 0 18192\nparted 0 0\nleft 0 0\nno pages 0 0\n");
    assert_int_equal(gpu.bytes, 0);
}

/* Before the kernel's 2D commands, of a dumb buffer that a program transfers itself. */
static void test_picture_of_program(void **state)
{
    (void)state;
    serve_programs();
    assert_int_equal(create(7, VIRTIO_BGRX, 100, 50), RESPONSE_OK);
    assert_int_equal(attach(7, 2, 2), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 1, 0), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 1, 7), RESPONSE_OK);
    struct virtio_gpu_transfer_3d command = {.header = {.type = COMMAND_TRANSFER_TO_HOST_3D, .context = 1}};
    command.x = 1, command.y = 2, command.width = 3, command.height = 4, command.depth = 1;
    command.offset = 808, command.resource = 7;
    fake_told[0] = 0;
    assert_int_equal(SEND(command), RESPONSE_OK);
    told("transfer 0 1,2 3x4 at 808\n");
    command.z = 1;
    assert_int_equal(SEND(command), RESPONSE_BAD_PARAMETER);
    command.z = 0;
    command.header.type = COMMAND_TRANSFER_FROM_HOST_3D;
    assert_int_equal(SEND(command), RESPONSE_BAD_PARAMETER);
    told("");
    virtio_gpu_reset(&gpu);
    assert_int_equal(virtio_gpu_contexts(&gpu), 0);
}

/* As many contexts as there is room for. */
static void test_contexts(void **state)
{
    (void)state;
    serve_programs();
    for (uint32_t i = 1; i <= VIRTIO_GPU_CONTEXTS_MOST; i++)
        assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, i * 1000, 0), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 7, 0), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(of_context(COMMAND_CONTEXT_DESTROY, 9000, 0), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, 7, 0), RESPONSE_OK);
    for (uint32_t i = 1; i <= VIRTIO_GPU_BUFFERS_MOST; i++) assert_int_equal(buffer(i, 64, 0, 1, 0), RESPONSE_OK);
    assert_int_equal(buffer(5000, 64, 0, 1, 0), RESPONSE_OUT_OF_MEMORY);
    assert_int_equal(create(5000, VIRTIO_BGRX, 16, 16), RESPONSE_OK); /* pictures have room of their own */
    virtio_gpu_reset(&gpu);
    assert_int_equal(virtio_gpu_resources(&gpu) + virtio_gpu_contexts(&gpu), 0);
}

/* Buffers that a greedy program has kept; the first id is `id`. */
static uint32_t take_buffers(uint32_t context, uint32_t id, uint32_t tries, uint32_t bytes)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tries; i++) {
        assert_int_equal(buffer(id + i, bytes, 0, 1, 0), RESPONSE_OK);
        assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, context, id + i), RESPONSE_OK);
        kept += virtio_gpu_find(&gpu, id + i) != VIRTIO_GPU_RESOURCES_MOST;
    }
    return kept;
}

/* One program cannot take all buffers, nor all bytes: others come to their share, and no kernel has to complain. */
static void test_shares(void **state)
{
    (void)state;
    enum { SHARE = VIRTIO_GPU_BUFFERS_MOST / VIRTIO_GPU_SHARES, KEPT = VIRTIO_GPU_BUFFERS_MOST / 8 * 7 };
    serve_programs();
    for (uint32_t i = 1; i <= 9; i++) assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, i, 0), RESPONSE_OK);
    assert_int_equal(take_buffers(1, 1, 1200, 64), KEPT);
    assert_int_equal(gpu.counts.surplus, 1200 - KEPT);
    assert_int_equal(gpu.bytes, KEPT * 64u);
    for (uint32_t i = 2; i <= 9; i++) assert_int_equal(take_buffers(i, i * 2000, SHARE + 3, 64), SHARE);
    /* What has gone answers as what is there, once let go as what never was. */
    fake_told[0] = 0;
    assert_int_equal(attach(1200, 1, 1), RESPONSE_OK);
    assert_int_equal(named(COMMAND_DETACH_BACKING, 1200), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 2, 1200), RESPONSE_OK);
    assert_int_equal(of_context(COMMAND_CONTEXT_DETACH, 1, 1200), RESPONSE_OK);
    assert_int_equal(named(COMMAND_UNREF, 1200), RESPONSE_OK);
    assert_int_equal(named(COMMAND_UNREF, 1200), RESPONSE_BAD_RESOURCE);
    assert_int_equal(of_context(COMMAND_CONTEXT_ATTACH, 2, 1200), RESPONSE_BAD_RESOURCE);
    told("");
    /* What it gives back it may take again; its end gives back all. */
    assert_int_equal(take_buffers(1, 30000, 1, 64), 0);
    for (uint32_t i = 1; i <= 200; i++) assert_int_equal(named(COMMAND_UNREF, i), RESPONSE_OK);
    assert_int_equal(take_buffers(1, 30001, 1, 64), 1);
    virtio_gpu_reset(&gpu);
    assert_int_equal(gpu.bytes, 0);
    /* The same of bytes. */
    const uint32_t large = (uint32_t)(gpu.bytes_most / 16u);
    for (uint32_t i = 1; i <= 2; i++) assert_int_equal(of_context(COMMAND_CONTEXT_CREATE, i, 0), RESPONSE_OK);
    assert_int_equal(take_buffers(1, 1, 16, large), 14);
    assert_int_equal(take_buffers(2, 100, 1, (uint32_t)(gpu.bytes_most / VIRTIO_GPU_SHARES)), 1);
    assert_int_equal(take_buffers(2, 101, 1, 4096), 0);
    virtio_gpu_reset(&gpu);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup(test, begin)
    const struct CMUnitTest tests[] = {CASE(test_screen),   CASE(test_refused),
                                       CASE(test_short),    CASE(test_bounds),
                                       CASE(test_reset),    CASE(test_cursor),
                                       CASE(test_fences),   CASE(test_questions),
                                       CASE(test_timings),  CASE(test_edid),
                                       CASE(test_room),     CASE(test_no_programs),
                                       CASE(test_programs), CASE(test_picture_of_program),
                                       CASE(test_contexts), CASE(test_shares)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
