/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: DMA buffers and lists are as long as a device was opened for, and what there is no room for is said in a line.
 * Method: against fake_device.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rig.h"
#include "tessera.h"
#include "tessera_stream.h"

static void check_refused(struct rig *rig, uint32_t entries, uint32_t bytes, int status, const char *line)
{
    const struct tessera_options options = {.list_entries = entries, .dma_bytes = bytes, .seed = 1};
    struct tessera *tessera;
    assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), status);
    assert_null(tessera);
    assert_non_null(strstr(rig->message, line));
}

static void test_no_room(void **state)
{
    struct rig *rig = *state;
    rig->device.boot_status = 0x80000000u + STATUS_NO_TABLE_ROOM;
    check_refused(rig, 4096, 65536, TESSERA_BOOT,
                  "DMA buffers of 65536 bytes with lists of 4096 entries need 143312 bytes of command RAM, and this "
                  "hardware has 65536 (COMMAND_BYTES): ask for shorter ones.");
    check_refused(rig, 2048, 16384, TESSERA_BOOT,
                  "do not fit in the firmware's memory"); /* they have, in command RAM */
    check_refused(rig, 4097, 0, TESSERA_MISUSE,
                  "4097 entries of a list are more than the 4096 that the firmware can manage.");
    check_refused(rig, 0, 65537, TESSERA_MISUSE,
                  "65537 bytes of a DMA buffer are more than the 65536 that the firmware can manage.");
}

/* A stream is as long as the device was opened for; one that is longer is not sent, whatever is in it. */
static void test_long_streams(void **state)
{
    struct rig *rig = *state;
    const uint32_t entries[] = {0, 64, 4096}, bytes[] = {0, 256, 65536}, nop = PKT_NOP;
    struct tessera_stream *longest = NULL;
    for (uint32_t i = 3; i-- > 0;) {
        const struct tessera_options options = {.list_entries = entries[i], .dma_bytes = bytes[i], .seed = 1};
        uint32_t context, address[2] = {0, 0}, words = 0;
        struct tessera *tessera;
        tessera_ticket ticket;
        fake_device_free(&rig->device);
        fake_device_init(&rig->device, &rig->transport);
        assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
        assert_int_equal(rig->device.registers[HOST_LIST_ENTRIES_OFFSET / 4], entries[i]);
        assert_int_equal(rig->device.registers[HOST_DMA_BYTES_OFFSET / 4], bytes[i]);
        struct tessera_stream *stream = tessera_stream_create_for(tessera);
        const uint32_t most = bytes[i] != 0 ? bytes[i] : GPU_LIMIT(DMA_BYTES);
        assert_true(tessera_stream_has_room(stream, most / 4u, 0, entries[i] != 0 ? entries[i] : 1024));
        assert_false(tessera_stream_has_room(stream, most / 4u + 1u, 0, 0));
        assert_false(tessera_stream_has_room(stream, 0, 0, (entries[i] != 0 ? entries[i] : 1024u) + 1u));
        while (tessera_stream_raw(stream, &nop, 1) == TESSERA_OK) words++;
        assert_int_equal(words, most / 4u);
        for (uint32_t k = 0; k < 2; k++) assert_int_equal(tessera_staging_take(tessera, &address[k]), TESSERA_OK);
        assert_int_equal(address[1] - address[0], i == 2 ? 65536 + 4096 * 32 : 65536);
        for (uint32_t k = 0; k < 2; k++) tessera_staging_free(tessera, address[k]);
        assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
        if (longest != NULL) assert_int_equal(tessera_submit(tessera, context, longest, 0, &ticket), TESSERA_MISUSE);
        assert_int_equal(tessera_submit(tessera, context, stream, 0, &ticket), TESSERA_OK);
        struct tessera_completion completion;
        assert_int_equal(tessera_wait(tessera, ticket, &completion), TESSERA_OK);
        tessera_close(tessera);
        if (longest == NULL) longest = stream;
        else tessera_stream_destroy(stream);
    }
    tessera_stream_destroy(longest);
}

/* With less command RAM the default is half, a quarter, and so on; what the program has set stays. */
static void test_little_command_memory(void **state)
{
    static const struct {
        uint32_t command, asked_entries, asked_bytes, entries, bytes;
    } cases[] = {{65536, 0, 0, 0, 0},      {65487, 0, 0, 512, 16384}, {32768, 0, 0, 256, 8192},
                 {31695, 0, 0, 128, 4096}, {16384, 0, 0, 128, 4096},  {0, 0, 0, 0, 0},
                 {32768, 512, 0, 512, 0},  {32768, 0, 2048, 0, 2048}, {131072, 0, 0, 0, 0}};
    struct rig *rig = *state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tessera_options options = {
            .list_entries = cases[i].asked_entries, .dma_bytes = cases[i].asked_bytes, .seed = 1};
        struct tessera *tessera;
        fake_device_free(&rig->device);
        fake_device_init(&rig->device, &rig->transport);
        rig->device.registers[MEMORY_COMMAND_BYTES_OFFSET / 4] = cases[i].command;
        assert_int_equal(tessera_open(&tessera, &rig->transport, &options, rig->message), TESSERA_OK);
        assert_int_equal(rig->device.registers[HOST_LIST_ENTRIES_OFFSET / 4], cases[i].entries);
        assert_int_equal(rig->device.registers[HOST_DMA_BYTES_OFFSET / 4], cases[i].bytes);
        struct tessera_stream *stream = tessera_stream_create_for(tessera);
        const uint32_t words = (cases[i].bytes != 0 ? cases[i].bytes : GPU_LIMIT(DMA_BYTES)) / 4u;
        assert_true(tessera_stream_has_room(stream, words, 0, 0));
        assert_false(tessera_stream_has_room(stream, words + 1u, 0, 0));
        tessera_stream_destroy(stream);
        tessera_close(tessera);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_room, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_streams, setup, teardown),
        cmocka_unit_test_setup_teardown(test_little_command_memory, setup, teardown),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
