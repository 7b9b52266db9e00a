/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: libtessera opens a device or says in one line why not, never waits for ever, and builds streams whose
 * lists obey the rules (SPL-19: a split point at every bind and unbind).
 * Method: against fake_device.c, which can be silent, slow, panicking or of another build.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../rows.h"
#include "rig.h"
#include "gpu_hash.h"
#include "tools/scene/scene.h"
#include "tools/scene/scene_gpu.h"
#include "tessera.h"
#include "lib/tessera_internal.h"
#include "tessera_stream.h"

static struct tessera *open_device(struct rig *rig)
{
    struct tessera *tessera;
    const struct tessera_options options = {.seed = 7, .patience_cycles = 5000000};
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    return tessera;
}

static int try_open(struct rig *rig, const struct tessera_options *options)
{
    struct tessera *tessera;
    int status = tessera_open(&tessera, &rig->transport, options, rig->message);
    assert_null(tessera);
    assert_null(strchr(rig->message, '\n'));
    assert_true(strlen(rig->message) > 20);
    return status;
}

static const char *write_file(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
    return path;
}

static void test_open_refusals(void **state)
{
    struct rig *rig = *state;
    struct tessera_options options = {.seed = 1};
    options.abi = GPU_ABI_HASH ^ 1u; /* a program of another table */
    assert_int_equal(try_open(rig, &options), TESSERA_ABI);
    assert_non_null(strstr(rig->message, "make"));
    options.abi = 0;
    rig->device.boot_status = 0x80000000u + STATUS_ABI_MISMATCH; /* a firmware of another table */
    assert_int_equal(try_open(rig, &options), TESSERA_ABI);
    rig->device.boot_status = 0x80000000u + STATUS_BAD_ADDRESS;
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT);
    assert_non_null(strstr(rig->message, "BAD_ADDRESS"));
    rig->device.boot_status = 0; /* never ready */
    rig->device.registers[HOST_BOOT_STATUS_OFFSET / 4] = 0;
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT);
    assert_non_null(strstr(rig->message, "Open the board once without --keep-firmware."));
    rig->device.registers[HOST_PANIC_CODE_OFFSET / 4] = PANIC_TRAP;
    assert_int_equal(try_open(rig, &options), TESSERA_PANIC);
    rig->device.registers[HOST_ID_OFFSET / 4] = 0;
    assert_int_equal(try_open(rig, &options), TESSERA_NOT_A_GPU);
    rig->device.registers[HOST_ID_OFFSET / 4] = 0x41525354;
    rig->transport.memory_bytes = 65536;
    assert_int_equal(try_open(rig, &options), TESSERA_NO_MEMORY);
}

/* A small RV32 image: header, one program header, `words` of content. */
static size_t make_image(uint8_t *image, uint32_t address, uint32_t words)
{
    const uint8_t head[52] = {0x7f, 'E', 'L', 'F', 1,  1, 1,  0, 0, 0, 0,  0, 0, 0, 0, 0, 2, 0,
                              243,  0,   1,   0,   0,  0, 0,  0, 0, 0, 52, 0, 0, 0, 0, 0, 0, 0,
                              0,    0,   0,   0,   52, 0, 32, 0, 1, 0, 0,  0, 0, 0, 0, 0};
    const uint32_t program[8] = {1, 84, 0x55555554, address, words * 4, words * 4, 5, 4};
    memcpy(image, head, 52);
    memcpy(image + 52, program, 32);
    memset(image + 84, 0x5a, words * 4);
    return 84 + words * 4;
}

/* The line says what this hardware and the image that was loaded leave to do. */
static void test_no_table_room(void **state)
{
    struct rig *rig = *state;
    uint8_t image[1024];
    const char *path = "build/host/test-room.elf";
    struct tessera_options options = {.allocations = 16384, .seed = 1};
    rig->device.boot_status = 0x80000000u + STATUS_NO_TABLE_ROOM;
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT);
    assert_string_equal(rig->message, "16384 allocations and 64 contexts do not fit in the firmware's memory: ask for "
                                      "fewer. This hardware has only core memory (FIRMWARE_BYTES is 0).");
    rig->device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = 65536;
    options = (struct tessera_options){.contexts = 256, .seed = 1};
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT); /* which image the device has nobody knows */
    assert_string_equal(rig->message, "1024 allocations and 256 contexts do not fit in the firmware's memory: ask for "
                                      "fewer, or use hardware with more than FIRMWARE_BYTES = 65536.");
    options.firmware = write_file(path, image, make_image(image, GPU_LIMIT(ADDR_FIRMWARE), 16));
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT);
    assert_non_null(strstr(rig->message, "more than FIRMWARE_BYTES = 65536"));
    write_file(path, image, make_image(image, 0x100, 16));
    assert_int_equal(try_open(rig, &options), TESSERA_BOOT);
    assert_non_null(strstr(rig->message,
                           "or load the image that uses the region of 65536 bytes that this hardware has, "
                           "gpu.elf; the one loaded uses core memory alone."));
    options.contexts = 257;
    assert_int_equal(try_open(rig, &options), TESSERA_MISUSE);
    assert_string_equal(rig->message, "257 contexts are more than the 256 that the firmware can manage.");
    options.allocations = 16385;
    assert_int_equal(try_open(rig, &options), TESSERA_MISUSE);
    assert_string_equal(rig->message, "16385 allocations are more than the 16384 that the firmware can manage.");
    remove(path);
}

static void test_firmware_images(void **state)
{
    struct rig *rig = *state;
    uint8_t image[1024];
    const char *path = "build/host/test-image.elf";
    struct tessera_options options = {.firmware = "build/host/there-is-no-such-file"};
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    options.firmware = write_file(path, "#!/bin/sh", 9);
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    size_t bytes = make_image(image, 0x100, 16);
    image[18] = 62; /* x86-64 */
    write_file(path, image, bytes);
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    assert_non_null(strstr(rig->message, "RISC-V"));
    bytes = make_image(image, 0x100, 16);
    write_file(path, image, bytes - 1); /* cut short */
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    bytes = make_image(image, (128 << 10) - 60, 16); /* one word past core memory */
    write_file(path, image, bytes);
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    bytes = make_image(image, GPU_LIMIT(ADDR_FIRMWARE), 16); /* there is no region, and no image for a chip without */
    write_file(path, image, bytes);
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    rig->device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = 4096;
    bytes = make_image(image, GPU_LIMIT(ADDR_FIRMWARE) + 4096 - 60, 16); /* one word past the region */
    write_file(path, image, bytes);
    assert_int_equal(try_open(rig, &options), TESSERA_FIRMWARE);
    assert_non_null(strstr(rig->message, "the firmware's region at 0x8000000 has 4096"));
    assert_int_equal(rig->device.loaded_words, 0);
    struct tessera *tessera;
    bytes = make_image(image, GPU_LIMIT(ADDR_FIRMWARE) + 4096 - 64, 16);
    write_file(path, image, bytes);
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    assert_int_equal(rig->device.loaded_words, 16);
    assert_int_equal(rig->device.load_address, GPU_LIMIT(ADDR_FIRMWARE) + 4096 - 64);
    tessera_close(tessera);
    /* The image beside it is taken where there is no region, and only there. */
    char beside[64];
    snprintf(beside, sizeof beside, "%.*s-tcm.elf", (int)strlen(path) - 4, path);
    bytes = make_image(image, 0x200, 4);
    write_file(beside, image, bytes);
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    assert_int_equal(rig->device.loaded_words, 32);
    tessera_close(tessera);
    rig->device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = 0;
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    assert_int_equal(rig->device.loaded_words, 36);
    tessera_close(tessera);
    remove(beside);
    rig->device.loaded_words = 0;
    bytes = make_image(image, 0x100, 16);
    write_file(path, image, bytes);
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
    assert_int_equal(rig->device.loaded_words, 16);
    assert_int_equal(rig->device.load_address, 0x100); /* p_paddr, not p_vaddr */
    assert_int_equal(rig->device.registers[HOST_LOAD_DATA_OFFSET / 4], 0x5a5a5a5a);
    tessera_close(tessera);
}

static void test_content(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *allocation;
    const struct tessera_allocation_options options = {.bytes = 3 * 4096 - 5, .flags = ALLOCATION_CPU_VISIBLE};
    uint8_t data[9000], back[9000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 31 + i / 256);
    uint32_t free_before = tessera->pool_count;
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_OK);
    assert_int_equal(tessera_allocation_bytes(allocation), 3 * 4096);
    assert_int_equal(tessera_write(tessera, allocation, 1000, data, sizeof data), TESSERA_OK);
    assert_int_equal(tessera_read(tessera, allocation, 1000, back, sizeof back), TESSERA_OK);
    assert_memory_equal(back, data, sizeof data);
    /* pages are no neighbours in order */
    assert_false(allocation->pages[1] == allocation->pages[0] + 1 && allocation->pages[2] == allocation->pages[1] + 1);
    assert_int_equal(tessera_read(tessera, allocation, 3 * 4096 - 10, back, 11), TESSERA_MISUSE);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_OK);
    assert_int_equal(tessera->pool_count, free_before);
    /* destroyed without waiting: its pages are free when the ticket has been waited for, unless the device refuses */
    tessera_ticket ticket;
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_OK);
    const uint32_t handle = allocation->handle;
    allocation->handle = 0x777;
    assert_int_equal(tessera_allocation_destroy_begin(tessera, allocation, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), (int)STATUS_BAD_HANDLE);
    allocation->handle = handle;
    assert_int_equal(tessera_write(tessera, allocation, 1000, data, sizeof data), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy_begin(tessera, allocation, &ticket), TESSERA_OK);
    while (!tessera_is_done(tessera, ticket)) rig->transport.wait(rig->transport.context, 1000);
    assert_int_equal(tessera->pool_count, free_before - 3);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera->pool_count, free_before);
    /* destroyed once, whatever the device says; what it never answers goes with the library */
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_OK);
    rig->device.is_silent = true;
    tessera->patience_cycles = 1000;
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_TIMED_OUT);
    assert_int_equal(tessera_allocation_destroy(tessera, allocation), TESSERA_MISUSE);
    rig->device.is_silent = false;
    free_before -= 3;
    const struct tessera_allocation_options huge = {.bytes = 200u << 20};
    assert_int_equal(tessera_allocation_create(tessera, &huge, &allocation), TESSERA_NO_MEMORY);
    const struct tessera_allocation_options large = {.bytes = 20u << 20}; /* the device refuses it */
    assert_int_equal(tessera_allocation_create(tessera, &large, &allocation), (int)STATUS_NO_SEGMENT);
    assert_int_equal(tessera->pool_count, free_before);
    tessera_close(tessera);
}

static void test_never_waits_for_ever(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP}, unknown[16] = {0x77};
    tessera_ticket ticket, other;
    rig->device.delay = 3;
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_OK);
    assert_int_equal(tessera_call(tessera, unknown, NULL), (int)STATUS_BAD_MESSAGE);
    assert_non_null(strstr(tessera_message(tessera), "BAD_MESSAGE"));
    assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_OK);
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_MISUSE);
    /* so many tickets in flight, not one more; the device takes them all and answers none */
    rig->device.is_silent = true;
    for (unsigned i = 0; i < TESSERA_OUTSTANDING; i++)
        assert_int_equal(tessera_send(tessera, message, &ticket), TESSERA_OK);
    rig->device.delay = 0xffffffff; /* the ring stays full */
    assert_int_equal(tessera_send(tessera, message, &other), TESSERA_TIMED_OUT);
    rig->device.delay = 0;
    assert_int_equal(tessera_wait(tessera, ticket, NULL), TESSERA_TIMED_OUT);
    assert_int_equal(tessera_send(tessera, message, &other), TESSERA_MISUSE);
    tessera_close(tessera);
}

static void test_panic(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    uint32_t message[16] = {MSG_NOP};
    rig->device.panic_after = 2;
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_OK);
    assert_int_equal(tessera_call(tessera, message, NULL), TESSERA_PANIC);
    assert_non_null(strstr(tessera_message(tessera), "0x1234"));
    tessera_close(tessera);
}

static struct tessera_allocation *make(struct tessera *tessera, uint32_t bytes)
{
    struct tessera_allocation *allocation;
    const struct tessera_allocation_options options = {.bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE};
    assert_int_equal(tessera_allocation_create(tessera, &options, &allocation), TESSERA_OK);
    return allocation;
}

static void test_stream_lists(void **state)
{
    rows_begin("SPL-19");
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *a = make(tessera, 4096), *b = make(tessera, 4096);
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_surface target = {
        .allocation = a, .format = FORMAT_RGB565, .pitch = 64, .bytes = 4096, .is_target = true};
    const struct tessera_surface source = {.allocation = b, .offset = 16, .format = FORMAT_RGB565, .pitch = 64};
    struct tessera_blit blit = {.target = 0, .source = 9, .mode = BLIT_BLEND, .width = 2, .height = 2, .value = 255};
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_MISUSE); /* nothing bound */
    assert_int_equal(tessera_stream_bind(stream, 0, &target), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 9, &source), TESSERA_OK);
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK); /* offset 32: nothing written yet */
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK); /* offset 56: reads what the first wrote */
    blit.mode = BLIT_COPY;
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_OK); /* offset 80: reads no target */
    assert_int_equal(tessera_stream_unbind(stream, 9), TESSERA_OK);
    assert_int_equal(tessera_stream_blit(stream, &blit), TESSERA_MISUSE);
    struct stream_view view = stream_view(stream);
    assert_int_equal(view.list_count, 3);
    assert_memory_equal(view.list, ((const uint32_t[]){0, 0, a->handle, 1, b->handle, 0}), 24);
    const uint32_t patches[] = {1, 0, 0, 0, 4, 0, 2, 9, 0, 16, 20, 16, 0, 9, 0, 0, 108, 104};
    assert_memory_equal(view.patches, patches, sizeof patches);
    assert_int_equal(view.words[4 + 3], 4096 - 16);
    assert_int_equal(view.words[32 / 4] >> 31, 0);
    assert_int_equal(view.words[56 / 4] >> 31, 1);
    assert_int_equal(view.words[80 / 4] >> 31, 0);
    /* a full stream refuses and stays as it is */
    tessera_stream_clear(stream);
    unsigned binds = 0;
    while (tessera_stream_bind(stream, 0, &target) == TESSERA_OK) binds++;
    assert_int_equal(binds, 1024);
    assert_int_equal(tessera_stream_bytes(stream), 16384);
    tessera_stream_destroy(stream);
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, b), TESSERA_OK);
    tessera_close(tessera);
    rows_check();
    rows_end(true);
}

/* SPL-20: a large binding is programmed again at every split point until it is unbound, in the same group; the row
 * that a copy took for a large allocation is unbound after it. */
static void test_large(void **state)
{
    rows_begin("SPL-20");
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *a = make(tessera, 8192), *b = make(tessera, 4096);
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_surface large = {
        .allocation = a, .offset = 4096, .format = FORMAT_RGB565, .pitch = 64, .bytes = 4096, .is_target = true};
    const struct tessera_surface small = {.allocation = b, .format = FORMAT_RGB565, .pitch = 64};
    const struct tessera_place target = {b, 0, 4}, source = {a, 0, 5};
    tessera_stream_large(stream, 8192);
    tessera_stream_clear(stream); /* it stays */
    assert_int_equal(tessera_stream_bind(stream, 0, &large), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 9, &small), TESSERA_OK);
    assert_int_equal(tessera_stream_fill(stream, &(struct tessera_place){b, 0, 3}, 8, 0), TESSERA_OK);
    assert_int_equal(tessera_stream_copy(stream, &target, &source, 8), TESSERA_OK);
    assert_int_equal(tessera_stream_unbind(stream, 0), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(stream, 9, &small), TESSERA_OK);
    const uint32_t patches[] = {1,
                                0,
                                0,
                                4096,
                                4,
                                0, /* bind, offset 0 */
                                1,
                                0,
                                0,
                                4096,
                                20,
                                16,
                                2,
                                9,
                                0,
                                0,
                                36,
                                16, /* bind, 16 */
                                1,
                                0,
                                0,
                                4096,
                                52,
                                48,
                                2,
                                3,
                                0,
                                0,
                                68,
                                48, /* fill, 48 */
                                1,
                                0,
                                0,
                                4096,
                                84,
                                80,
                                1,
                                5,
                                0,
                                0,
                                96 + 4 * PKT_COPY_SOURCE_WORD,
                                80,
                                2,
                                4,
                                0,
                                0,
                                96 + 4 * PKT_COPY_TARGET_WORD,
                                80, /* copy, 80 */
                                1,
                                0,
                                0,
                                4096,
                                116,
                                112,
                                0,
                                5,
                                0,
                                0,
                                132,
                                112, /* unbind of the copy's source, 112 */
                                0,
                                0,
                                0,
                                0,
                                148,
                                144, /* unbind, 144 */
                                2,
                                9,
                                0,
                                0,
                                164,
                                160}; /* bind, 160 */
    struct stream_view view = stream_view(stream);
    assert_int_equal(view.patch_count, sizeof patches / sizeof *patches / LIMIT_BITS_PATCH_ENTRY_WORDS);
    assert_memory_equal(view.patches, patches, sizeof patches);
    for (uint32_t at = 16; at <= 112; at += 32) assert_memory_equal(view.words + at / 4, view.words, 16);
    /* a full stream refuses and stays as it is */
    assert_int_equal(tessera_stream_bind(stream, 0, &large), TESSERA_OK);
    while (tessera_stream_copy(stream, &target, &source, 8) == TESSERA_OK) view = stream_view(stream);
    assert_in_range(view.patch_count, 1024 - 5, 1024);
    assert_int_equal(tessera_stream_patches(stream), view.patch_count);
    assert_int_equal(tessera_stream_bytes(stream), view.word_count * 4);
    tessera_stream_destroy(stream);
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, b), TESSERA_OK);
    tessera_close(tessera);
    rows_check();
    rows_end(true);
}

static void test_context(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_share share = {0};
    uint32_t context;
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    rig->device.budget = 77;
    assert_int_equal(tessera_context_set_priority(tessera, context, -7), TESSERA_OK);
    assert_int_equal(rig->device.priority, -7);
    assert_int_equal(rig->device.budget, 77);
    assert_int_equal(tessera_context_set_budget(tessera, context, 5), TESSERA_OK);
    assert_int_equal(rig->device.priority, -7);
    assert_int_equal(rig->device.budget, 5);
    assert_int_equal(tessera_context_query(tessera, context, &share), TESSERA_OK);
    assert_int_equal(share.share, 40);
    assert_int_equal(share.resident, 50);
    assert_int_equal(share.lost, 60);
    assert_int_equal(share.taken, 70);
    assert_int_equal(tessera_context_query(tessera, context + 1, &share), STATUS_BAD_CONTEXT);
    assert_int_equal(tessera_context_destroy(tessera, context), TESSERA_OK);
    tessera_close(tessera);
}

static void test_clients(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *a = make(tessera, 4096);
    assert_int_equal(rig->device.client, 0);
    assert_int_equal(tessera_set_client(tessera, LIMIT_BITS_CLIENTS), TESSERA_MISUSE);
    assert_int_equal(tessera_set_client(tessera, LIMIT_BITS_CLIENTS - 1), TESSERA_OK);
    assert_int_equal(tessera_share(tessera, a, 5, RIGHT_READ | RIGHT_WRITE), TESSERA_OK);
    assert_int_equal(rig->device.client, LIMIT_BITS_CLIENTS - 1);
    assert_int_equal(rig->device.shared[0], tessera_allocation_handle(a));
    assert_int_equal(rig->device.shared[1], 5);
    assert_int_equal(rig->device.shared[2], 3);
    rig->device.busy = 3; /* a call tries again */
    assert_int_equal(tessera_share(tessera, a, 6, RIGHT_READ), TESSERA_OK);
    assert_int_equal(rig->device.shared[1], 6);
    assert_int_equal(rig->device.busy, 0);
    assert_int_equal(tessera_admit_client(tessera, 9), TESSERA_OK);
    assert_int_equal(rig->device.admitted, 9);
    assert_int_equal(tessera_share(tessera, a, 5, 0), TESSERA_OK);
    assert_int_equal(rig->device.client, LIMIT_BITS_CLIENTS - 1);
    assert_int_equal(tessera_set_client(tessera, 0), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_OK);
    assert_int_equal(rig->device.client, 0);
    tessera_close(tessera);
}

static void test_submit_and_read_back(void **state)
{
    struct rig *rig = *state;
    struct tessera *tessera = open_device(rig);
    struct tessera_allocation *a = make(tessera, 8192), *b = make(tessera, 8192);
    struct tessera_stream *stream = tessera_stream_create();
    const struct tessera_place source = {a, 4000, 1}, target = {b, 17, 2};
    uint8_t data[300], back[300];
    tessera_ticket tickets[20];
    uint32_t context;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(255 - i);
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    assert_int_equal(tessera_write(tessera, a, 4000, data, sizeof data), TESSERA_OK);
    assert_int_equal(tessera_stream_copy(stream, &target, &source, sizeof data), TESSERA_OK);
    assert_int_equal(tessera_stream_fill(stream, &(struct tessera_place){b, 0, 2}, 5, 0x04030201), TESSERA_OK);
    for (unsigned i = 0; i < 20; i++) /* more than there are staging buffers */
        assert_int_equal(tessera_submit(tessera, context, stream, 0, &tickets[i]), TESSERA_OK);
    for (unsigned i = 20; i-- > 0;) assert_int_equal(tessera_wait(tessera, tickets[i], NULL), TESSERA_OK);
    assert_int_equal(tessera->staging_used, 0);
    assert_int_equal(tessera_read(tessera, b, 17, back, sizeof back), TESSERA_OK);
    assert_memory_equal(back, data, sizeof data);
    assert_int_equal(tessera_read(tessera, b, 0, back, 8), TESSERA_OK);
    assert_memory_equal(back, ((const uint8_t[]){1, 2, 3, 4, 1, 0, 0, 0}), 8);
    tessera_stream_destroy(stream);
    assert_int_equal(tessera_allocation_destroy(tessera, a), TESSERA_OK);
    assert_int_equal(tessera_allocation_destroy(tessera, b), TESSERA_OK);
    tessera_close(tessera);
}

/* The scene's DMA buffers, run by the engine model without paging, give the reference's pictures. */
static void test_scene(void **state)
{
    struct rig *rig = *state;
    struct scene scene;
    struct scene_gpu gpu;
    struct scene_result result;
    struct tessera *tessera = open_device(rig);
    uint8_t *expected = calloc(1, SCENE_FRAME_BYTES), *got = calloc(1, SCENE_FRAME_BYTES);
    struct scene_frame *frame = calloc(1, sizeof *frame);
    uint64_t footprint = 4u * (256u + 2048u) * 1024u;
    assert_int_equal(scene_freedoom(&scene, "/usr/share/games/doom/freedoom1.wad", 3, footprint, 0, rig->message), 0);
    assert_true(scene_frame_footprint(&scene, 0) >= footprint);
    assert_true(scene_frame_footprint(&scene, 0) <= footprint + footprint / 16);
    assert_int_equal(scene_gpu_create(&gpu, tessera, &scene, false), TESSERA_OK);
    for (uint32_t number = 0; number < 2; number++) {
        scene.frame(&scene, number, frame);
        scene_reference(&scene, frame, expected);
        assert_int_equal(scene_gpu_submit(&gpu, number, frame), TESSERA_OK);
        assert_int_equal(scene_gpu_finish(&gpu, number, got, &result), TESSERA_OK);
        assert_memory_equal(got, expected, SCENE_FRAME_BYTES);
        assert_true(result.buffers >= 4);
    }
    scene_gpu_destroy(&gpu);
    scene.destroy(&scene);
    tessera_close(tessera);
    free(expected);
    free(got);
    free(frame);
}

static void test_bad_wads(void **state)
{
    struct rig *rig = *state;
    struct scene scene;
    assert_int_equal(scene_freedoom(&scene, "build/host/no.wad", 1, 1, 0, rig->message), -1);
    assert_non_null(strstr(rig->message, "--wad"));
    /* a directory that reaches past the file; then a WAD without pictures */
    const char *path = write_file("build/host/test.wad", "IWAD\x02\0\0\0\x0c\0\0\0", 12);
    assert_int_equal(scene_freedoom(&scene, path, 1, 1, 0, rig->message), -1);
    write_file(path, "IWAD\x00\0\0\0\x0c\0\0\0", 12);
    assert_int_equal(scene_freedoom(&scene, path, 1, 1, 0, rig->message), -1);
    assert_non_null(strstr(rig->message, "freedoom"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_open_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_table_room, setup, teardown),
        cmocka_unit_test_setup_teardown(test_firmware_images, setup, teardown),
        cmocka_unit_test_setup_teardown(test_content, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clients, setup, teardown),
        cmocka_unit_test_setup_teardown(test_never_waits_for_ever, setup, teardown),
        cmocka_unit_test_setup_teardown(test_panic, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stream_lists, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large, setup, teardown),
        cmocka_unit_test_setup_teardown(test_context, setup, teardown),
        cmocka_unit_test_setup_teardown(test_submit_and_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scene, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_wads, setup, teardown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    int count = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", count - failed, failed);
    return failed != 0;
}
