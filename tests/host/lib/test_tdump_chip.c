/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a dump of the simulated chip has what only a chip has, and command RAM can be read without the simulator's own
 * eyes, as on a board, and the core goes on. Method: bits flip in the DMA buffer that the render node runs; the dump is
 * written with the simulator's view, and then through the debug unit alone. The dumps go to FOLDER for tdump_chip.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "simulator.h"
#include "lib/tdump/tdump.h"
#include "tessera_dump.h"
#include "tessera_stream.h"

enum {
    BYTES = 65536,
    SIDE = 64,
    PITCH = 256,
    FILLS = 100,
    TRIES = 30,
    SPREAD = 3000,
    PATIENCE = 20000000,
    FLIPPED = 0x80
};

static const char *folder = ".";
static void *kept;
static size_t kept_bytes;

static void take_dump(void *context, const void *dump, size_t bytes)
{
    (void)context;
    free(kept);
    kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, dump, bytes);
    kept_bytes = bytes;
}

/* A submission of many rectangles in a context of its own, while bits flip. */
static int run(struct tessera *tessera, struct simulator *simulator, struct tessera_allocation *target, uint32_t pick)
{
    const struct tessera_surface surface = {target, 0, TESSERA_ARGB8888, PITCH, 0, true, 0, 0};
    const struct transport *transport = tessera_transport(tessera);
    struct tessera_stream *stream = tessera_stream_create();
    tessera_ticket ticket;
    uint32_t context = 0;
    assert_non_null(stream);
    assert_int_equal(tessera_stream_bind(stream, 1, &surface), TESSERA_OK);
    for (uint32_t i = 0; i < FILLS; i++)
        assert_int_equal(tessera_stream_fill_rect(stream, 1, 0, 0, SIDE, SIDE, i), TESSERA_OK);
    assert_int_equal(tessera_context_create(tessera, 0, 0, &context), TESSERA_OK);
    const struct simulator_fault fault = {.kind = SIMULATOR_COMMAND_WORD,
                                          .at = transport->cycles(transport->context) + SPREAD,
                                          .pick = pick,
                                          .bits = FLIPPED};
    if (pick != 0) simulator_inject(simulator, &fault);
    assert_int_equal(tessera_submit(tessera, context, stream, 0, &ticket), TESSERA_OK);
    const int status = tessera_wait(tessera, ticket, NULL);
    assert_int_equal(tessera_context_destroy(tessera, context), TESSERA_OK);
    tessera_stream_destroy(stream);
    return status;
}

static void keep(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.tdump", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(kept, 1, kept_bytes, file), kept_bytes);
    assert_int_equal(fclose(file), 0);
}

static void test_dump(bool has_inside, const char *name)
{
    char message[256];
    const struct simulator_options of_chip = {.seed = 5, .firmware_elf = "build/firmware/gpu.elf"};
    const struct tessera_options options = {.firmware = of_chip.firmware_elf, .seed = 3, .patience_cycles = PATIENCE};
    const struct tessera_allocation_options texture = {.bytes = BYTES, .read_set = 3, .write_set = 3};
    struct simulator *simulator = simulator_create(&of_chip, message);
    struct transport transport;
    struct tessera *tessera;
    struct tessera_allocation *target;
    struct tdump *dump = malloc(sizeof *dump);
    assert_true(simulator != NULL && dump != NULL);
    simulator_transport(simulator, &transport);
    if (!has_inside) transport.inside = (struct transport_inside){0};
    assert_int_equal(tessera_open(&tessera, &transport, &options, message), TESSERA_OK);
    assert_int_equal(tessera_dump_faults(tessera, take_dump, NULL, false), TESSERA_OK);
    assert_int_equal(tessera_allocation_create(tessera, &texture, &target), TESSERA_OK);
    int status = TESSERA_OK;
    for (uint32_t pick = 1; pick <= TRIES && status != STATUS_FAULT; pick++) {
        status = run(tessera, simulator, target, pick);
        assert_true(status == TESSERA_OK || status == STATUS_FAULT);
    }
    assert_int_equal(status, STATUS_FAULT);
    assert_int_equal(tdump_read(dump, kept, kept_bytes), TDUMP_OK);
    const struct tdump_buffer *guilty = tdump_guilty(dump);
    assert_non_null(guilty);
    assert_int_equal(dump->instruction_count, has_inside ? TDUMP_INSTRUCTIONS_MAX : 0);
    assert_int_equal(dump->event_count > 8, has_inside);
    assert_int_equal(dump->statistic_count, STAT_COUNT);
    /* What ran is that buffer with one word that is not. */
    uint32_t differ = 0;
    assert_true(dump->portion_count >= 1);
    const struct tdump_portion *portion = &dump->portions[0];
    assert_int_equal(portion->node, 0);
    assert_int_equal(portion->start, 0);
    assert_int_equal(portion->word_count, guilty->word_count);
    for (uint32_t i = PKT_BIND_WORDS; i < guilty->word_count; i++)
        differ += portion->words[i] == (guilty->words[i] ^ FLIPPED);
    assert_int_equal(differ, 1);
    keep(name);
    /* The core goes on. */
    assert_int_equal(run(tessera, simulator, target, 0), TESSERA_OK);
    free(dump);
    free(kept);
    kept = NULL;
    tessera_close(tessera);
}

static void test_by_simulator(void **state) { (void)state, test_dump(true, "chip"); }
static void test_by_debug_unit(void **state) { (void)state, test_dump(false, "board"); }

int main(int argc, char **argv)
{
    if (argc > 1) folder = argv[1];
    (void)mkdir(folder, 0777);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_simulator), cmocka_unit_test(test_by_debug_unit)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
