/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every kind of fault leaves a dump, it says what happened, and no other file is taken for one. Method: the
 * golden model with its firmware; what the engine runs is spoiled in command RAM after it was checked, page lists are
 * changed after the allocation was made, a node hangs. The dumps go to FOLDER for tdump.sh, which has them explained
 * and run again.
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

#include "device.h"
#include "lib/device/dump_file.h"
#include "lib/tdump/tdump.h"
#include "tessera_dump.h"
#include "tessera_stream.h"

enum {
    MEMORY = 8 << 20,
    MORE_PAGES = 16,
    BYTES = 65536,
    SIDE = 64,
    PITCH = 256,
    LONG_BYTES = 1 << 20,
    SHORT_TIMEOUT = 20000,
    APERTURE_ONLY = 4,
    MEMORY_ONLY = 3,
    DUMPS = 8,
    JOBS = 2
};

static const char *folder = ".";

/* ------------------------------------------------------------------ the machine and what goes wrong */

struct scene;
typedef void spoiler(uint32_t *words, uint32_t count);

struct scene {
    struct device *device;
    struct transport inner, transport;
    struct tessera *tessera;
    struct tessera_stream *stream;
    struct tessera_allocation *target, *source;
    uint32_t context;
    uint32_t list, lists[2]; /* where the page list of the last allocation is; of target and source */
    spoiler *spoil;          /* of the next RUN of the render node; NULL: none */
    bool hangs;              /* the render node, at its next RUN */
    bool has_files;          /* dumps go where the environment says */
    bool has_fence;          /* its next fence is another than the firmware's */
    bool has_more;           /* the device is told of more memory than there is */
    void *dumps[DUMPS];
    size_t bytes[DUMPS];
    unsigned count;
};

static void on_packet(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct scene *scene = context;
    (void)cycle;
    if (node != 0 || (words[0] & 0xffu) != PKT_RUN) return;
    if (scene->hangs) device_hang(scene->device, 0);
    if (scene->has_fence) /* after the RUN */
        device_engine(scene->device)->command[offset / 4u + PKT_RUN_WORDS + PKT_FENCE_VALUE_WORD] += 1000;
    if (scene->spoil == NULL || words[PKT_RUN_BYTES_WORD] == 0) return;
    scene->spoil(device_engine(scene->device)->command + words[PKT_RUN_ADDRESS_WORD] / 4u,
                 words[PKT_RUN_BYTES_WORD] / 4u);
    scene->spoil = NULL;
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    const struct scene *scene = context;
    if (offset == HOST_SYSTEM_PAGES_OFFSET && scene->has_more) value += MORE_PAGES;
    return scene->inner.register_write(scene->inner.context, offset, value);
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    const struct scene *scene = context;
    return scene->inner.register_read(scene->inner.context, offset, value);
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    const struct scene *scene = context;
    return scene->inner.memory_read(scene->inner.context, address, data, bytes);
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    struct scene *scene = context;
    const uint32_t *message = data;
    if (bytes == LIMIT_BITS_MESSAGE_WORDS * 4 && message[0] == MSG_CREATE_ALLOCATION)
        scene->list = message[MSG_CREATE_ALLOCATION_PAGES];
    return scene->inner.memory_write(scene->inner.context, address, data, bytes);
}

static int wait_for(void *context, uint32_t cycles)
{
    const struct scene *scene = context;
    return scene->inner.wait(scene->inner.context, cycles);
}

static void close_scene(void *context)
{
    const struct scene *scene = context;
    scene->inner.close(scene->inner.context);
}

static void take_dump(void *context, const void *dump, size_t bytes)
{
    struct scene *scene = context;
    assert_true(scene->count < DUMPS);
    scene->dumps[scene->count] = malloc(bytes);
    assert_non_null(scene->dumps[scene->count]);
    memcpy(scene->dumps[scene->count], dump, bytes);
    scene->bytes[scene->count++] = bytes;
}

static struct tessera_allocation *create(const struct scene *scene, uint32_t bytes, uint32_t set)
{
    struct tessera_allocation *made = NULL;
    const struct tessera_allocation_options options = {
        .bytes = bytes, .flags = ALLOCATION_CPU_VISIBLE, .read_set = set, .write_set = set};
    assert_int_equal(tessera_allocation_create(scene->tessera, &options, &made), TESSERA_OK);
    return made;
}

static void open_scene(struct scene *scene, const struct tessera_options *options, uint32_t set)
{
    char message[256];
    const struct probe probe = {.context = scene, .packet_begin = on_packet};
    const struct device_options of_device = {.memory_bytes = MEMORY, .seed = 0, .probe = &probe};
    scene->device = device_create(&of_device, message);
    assert_non_null(scene->device);
    device_transport(scene->device, &scene->inner);
    scene->transport = scene->inner;
    scene->transport.context = scene;
    scene->transport.register_read = register_read;
    scene->transport.register_write = register_write;
    scene->transport.memory_read = memory_read;
    scene->transport.memory_write = memory_write;
    scene->transport.wait = wait_for;
    scene->transport.cycles = NULL;
    scene->transport.close = close_scene;
    assert_int_equal(tessera_open(&scene->tessera, &scene->transport, options, message), TESSERA_OK);
    if (!scene->has_files) assert_int_equal(tessera_dump_faults(scene->tessera, take_dump, scene, true), TESSERA_OK);
    scene->target = create(scene, BYTES, set);
    scene->lists[0] = scene->list;
    scene->source = create(scene, BYTES, set);
    scene->lists[1] = scene->list;
    assert_int_equal(tessera_context_create(scene->tessera, 0, 0, &scene->context), TESSERA_OK);
    scene->stream = tessera_stream_create();
    assert_non_null(scene->stream);
}

static void end_scene(struct scene *scene)
{
    tessera_stream_destroy(scene->stream);
    tessera_close(scene->tessera);
    for (unsigned i = 0; i < scene->count; i++) free(scene->dumps[i]);
}

/* BIND, BIND, BLIT, FILL_RECT. */
enum {
    PAGE = LIMIT_BITS_PAGE_BYTES,
    BIND_TARGET = 0,
    BIND_SOURCE = PKT_BIND_WORDS,
    FILL = 2 * PKT_BIND_WORDS + PKT_BLIT_WORDS
};
static void draw(struct scene *scene)
{
    const struct tessera_surface target = {scene->target, 0, TESSERA_ARGB8888, PITCH, 0, true, 0, 0};
    const struct tessera_surface source = {scene->source, 0, TESSERA_ARGB8888, PITCH, 0, false, 0, 0};
    const struct tessera_blit blit = {.target = 1, .source = 2, .mode = TESSERA_COPY, .width = SIDE, .height = SIDE};
    assert_int_equal(tessera_stream_bind(scene->stream, 1, &target), TESSERA_OK);
    assert_int_equal(tessera_stream_bind(scene->stream, 2, &source), TESSERA_OK);
    assert_int_equal(tessera_stream_blit(scene->stream, &blit), TESSERA_OK);
    assert_int_equal(tessera_stream_fill_rect(scene->stream, 1, 0, 0, SIDE, SIDE, 0xff00ff00u), TESSERA_OK);
}

/* Submit and wait. */
static int run(struct scene *scene)
{
    tessera_ticket ticket;
    const int status = tessera_submit(scene->tessera, scene->context, scene->stream, 0, &ticket);
    return status == TESSERA_OK ? tessera_wait(scene->tessera, ticket, NULL) : status;
}

static void change_list(const struct scene *scene, uint32_t list, uint32_t index, uint32_t page)
{
    assert_int_equal(scene->inner.memory_write(scene->inner.context, list + index * 4u, &page, sizeof page),
                     TRANSPORT_OK);
}

/* The dump number `index`, as a file, and what it says. */
static struct tdump *keep(const struct scene *scene, unsigned index, const char *name, enum tdump_reason reason,
                          uint32_t value)
{
    char path[512];
    struct tdump *dump = malloc(sizeof *dump);
    assert_non_null(dump);
    assert_true(scene->count > index);
    assert_int_equal(tdump_read(dump, scene->dumps[index], scene->bytes[index]), TDUMP_OK);
    assert_int_equal(dump->about[ABOUT_REASON], reason);
    assert_int_equal(dump->about[ABOUT_VALUE], value);
    snprintf(path, sizeof path, "%s/%s.tdump", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(scene->dumps[index], 1, scene->bytes[index], file), scene->bytes[index]);
    assert_int_equal(fclose(file), 0);
    return dump;
}

/* ------------------------------------------------------------------ the engine's faults */

static void bad_opcode(uint32_t *words, uint32_t count) { (void)count, words[FILL] |= 0xeeu; }
static void privilege(uint32_t *words, uint32_t count) { (void)count, words[FILL] = PKT_FENCE; }
static void truncated(uint32_t *words, uint32_t count) { words[count - PKT_FILL_RECT_WORDS] = PKT_BLIT | 1u << 8; }
static void bad_operand(uint32_t *words, uint32_t count) { (void)count, words[FILL] |= 1u << 20; }
static void unbound(uint32_t *words, uint32_t count) { (void)count, words[FILL] ^= 32u << 8; }
static void read_guard(uint32_t *words, uint32_t count) { (void)count, words[BIND_SOURCE + 1] ^= 0x100000u; }
static void write_guard(uint32_t *words, uint32_t count) { (void)count, words[BIND_TARGET + 1] ^= 0x100000u; }

static void test_spoiled(void **state)
{
    static const struct {
        const char *name;
        spoiler *spoil;
        uint32_t fault, differs; /* a word of the buffer */
    } kinds[] = {{"bad-opcode", bad_opcode, FAULT_BAD_OPCODE, FILL},
                 {"privilege", privilege, FAULT_PRIVILEGE, FILL},
                 {"truncated", truncated, FAULT_TRUNCATED, FILL},
                 {"bad-operand", bad_operand, FAULT_BAD_OPERAND, FILL},
                 {"unbound", unbound, FAULT_UNBOUND, FILL},
                 {"read-guard", read_guard, FAULT_READ_GUARD, BIND_SOURCE + 1},
                 {"write-guard", write_guard, FAULT_WRITE_GUARD, BIND_TARGET + 1}};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct scene scene = {.spoil = kinds[i].spoil};
        const struct tessera_options options = {.seed = 3};
        open_scene(&scene, &options, MEMORY_ONLY);
        draw(&scene);
        assert_int_equal(run(&scene), STATUS_FAULT);
        struct tdump *dump = keep(&scene, 0, kinds[i].name, TDUMP_FAULT, kinds[i].fault);
        const struct tdump_buffer *guilty = tdump_guilty(dump);
        assert_non_null(guilty);
        assert_int_equal(dump->allocation_count, 2);
        assert_non_null(dump->allocations[0].content);
        assert_true(dump->event_count > 4 && dump->journal_count >= 4 && dump->statistic_count == STAT_COUNT);
        assert_true(dump->rings[TDUMP_RING_RENDER].words != NULL && dump->rings[TDUMP_RING_SUBMIT].words != NULL);
        /* What ran is there, and differs where it was spoiled. */
        const struct tdump_portion *portion = &dump->portions[0];
        assert_int_equal(portion->node, 0);
        assert_int_equal(portion->start, 0);
        assert_int_equal(portion->word_count, guilty->word_count);
        assert_int_not_equal(portion->words[kinds[i].differs], guilty->words[kinds[i].differs]);
        /* The context is lost for all that it sends, which is no news. */
        assert_int_equal(run(&scene), STATUS_CONTEXT_LOST);
        assert_int_equal(scene.count, 1);
        free(dump);
        end_scene(&scene);
    }
}

/* ------------------------------------------------------------------ page lists that change */

/* Pages that are not there, behind the aperture: the render node meets them. */
static void test_bus(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct scene scene = {.has_more = true};
        const struct tessera_options options = {.seed = 3};
        open_scene(&scene, &options, APERTURE_ONLY);
        draw(&scene);
        change_list(&scene, scene.lists[i == 0], 1, MEMORY / PAGE + 3);
        assert_int_equal(run(&scene), STATUS_FAULT);
        struct tdump *dump =
            keep(&scene, 0, i == 0 ? "read-bus" : "write-bus", TDUMP_FAULT, i == 0 ? FAULT_READ_BUS : FAULT_WRITE_BUS);
        const struct tdump_allocation *allocation =
            tdump_allocation_of(dump, tessera_allocation_handle(i == 0 ? scene.source : scene.target));
        assert_non_null(allocation);
        assert_int_equal(allocation->found[1], MEMORY / PAGE + 3);
        assert_int_not_equal(allocation->given[1], allocation->found[1]);
        free(dump);
        end_scene(&scene);
    }
}

/* A number that no system has: the paging node stops. */
static void test_page(void **state)
{
    struct scene scene = {.hangs = false};
    const struct tessera_options options = {.seed = 3};
    (void)state;
    open_scene(&scene, &options, MEMORY_ONLY);
    draw(&scene);
    change_list(&scene, scene.lists[1], 2, 0xfffffu);
    assert_int_equal(run(&scene), STATUS_FAULT);
    free(keep(&scene, 0, "bad-page", TDUMP_FAULT, FAULT_BAD_PAGE));
    end_scene(&scene);
}

/* The second portion needs what the paging node cannot bring: the reset takes the context along. Both DMA buffers in
 * flight are there. */
static void test_lost(void **state)
{
    struct scene scene = {.has_more = true};
    const struct tessera_options options = {.seed = 3, .force = FIELD_PUT(1, HOST_FORCE_SPLIT)};
    tessera_ticket tickets[JOBS];
    (void)state;
    open_scene(&scene, &options, MEMORY_ONLY);
    for (uint32_t i = 0; i < JOBS; i++) {
        uint32_t context = 0;
        const struct tessera_place good = {create(&scene, BYTES, MEMORY_ONLY), 0, 1};
        const struct tessera_place bad = {create(&scene, BYTES, MEMORY_ONLY), 0, 2};
        tessera_stream_clear(scene.stream);
        assert_int_equal(tessera_stream_fill(scene.stream, &good, BYTES, i), TESSERA_OK);
        assert_int_equal(tessera_stream_fill(scene.stream, &bad, BYTES, i), TESSERA_OK);
        change_list(&scene, scene.list, 1, MEMORY / PAGE + 3);
        assert_int_equal(tessera_context_create(scene.tessera, 0, 0, &context), TESSERA_OK);
        assert_int_equal(tessera_submit(scene.tessera, context, scene.stream, 0, &tickets[i]), TESSERA_OK);
    }
    assert_int_equal(tessera_wait(scene.tessera, tickets[0], NULL), STATUS_CONTEXT_LOST);
    struct tdump *dump = keep(&scene, 0, "context-lost", TDUMP_CONTEXT_LOST, 0);
    assert_int_equal(dump->buffer_count, JOBS);
    assert_int_equal(tdump_guilty(dump)->tag, tickets[0]);
    free(dump);
    assert_int_equal(tessera_wait(scene.tessera, tickets[1], NULL), STATUS_CONTEXT_LOST);
    assert_int_equal(scene.count, JOBS); /* another context */
    end_scene(&scene);
}

/* A fence that nobody submitted: the firmware stops. What was guilty before is there, too. */
static void test_panic(void **state)
{
    struct scene scene = {.spoil = bad_opcode};
    const struct tessera_options options = {.seed = 3};
    (void)state;
    open_scene(&scene, &options, MEMORY_ONLY);
    draw(&scene);
    assert_int_equal(run(&scene), STATUS_FAULT);
    scene.has_fence = true;
    assert_int_equal(tessera_context_create(scene.tessera, 0, 0, &scene.context), TESSERA_OK);
    assert_int_equal(run(&scene), TESSERA_PANIC);
    assert_non_null(strstr(tessera_message(scene.tessera), "FENCE"));
    struct tdump *dump = keep(&scene, 1, "panic", TDUMP_PANIC, PANIC_FENCE);
    assert_int_equal(dump->buffer_count, 2);
    assert_int_equal(dump->allocation_count, 2);
    assert_null(tdump_guilty(dump));
    assert_int_equal(tdump_register(dump, HOST_PANIC_CODE_OFFSET, 0), PANIC_FENCE);
    assert_int_equal(dump->statistic_count, 0); /* nobody is there to ask */
    assert_int_equal(run(&scene), TESSERA_PANIC);
    assert_int_equal(scene.count, 2); /* said once */
    free(dump);
    end_scene(&scene);
}

/* ------------------------------------------------------------------ time */

static void test_timeout(void **state)
{
    const struct tessera_options options = {.seed = 3, .timeout_cycles = SHORT_TIMEOUT};
    (void)state;
    for (unsigned is_long = 0; is_long < 2; is_long++) {
        struct scene scene = {.hangs = true};
        open_scene(&scene, &options, MEMORY_ONLY);
        if (is_long) {
            const struct tessera_place place = {create(&scene, LONG_BYTES, MEMORY_ONLY), 0, 1};
            assert_int_equal(tessera_stream_fill(scene.stream, &place, LONG_BYTES, 7), TESSERA_OK);
        } else draw(&scene);
        assert_int_equal(run(&scene), STATUS_TIMEOUT);
        free(keep(&scene, 0, is_long ? "timeout" : "hang", TDUMP_TIMEOUT, 0));
        end_scene(&scene);
    }
}

/* ------------------------------------------------------------------ asked for; no answer; not too many */

static void test_asked(void **state)
{
    struct scene scene = {.hangs = false};
    const struct tessera_options options = {.seed = 3};
    (void)state;
    open_scene(&scene, &options, MEMORY_ONLY);
    draw(&scene);
    assert_int_equal(run(&scene), TESSERA_OK);
    assert_int_equal(scene.count, 0); /* nothing was wrong */
    assert_int_equal(tessera_dump(scene.tessera, take_dump, &scene, false), TESSERA_OK);
    struct tdump *dump = keep(&scene, 0, "asked", TDUMP_ASKED, 0);
    assert_int_equal(dump->buffer_count, 0);
    free(dump);
    assert_int_equal(tessera_dump_faults(scene.tessera, NULL, NULL, false), TESSERA_OK);
    scene.spoil = bad_opcode;
    assert_int_equal(run(&scene), STATUS_FAULT);
    assert_int_equal(scene.count, 1); /* none is wanted any more */
    end_scene(&scene);
}

/* Neither contents nor the text of the error are touched by what is not asked for. */
static void test_text(void **state)
{
    struct scene scene = {.spoil = bad_opcode}, plain = {.spoil = bad_opcode};
    const struct tessera_options options = {.seed = 3};
    (void)state;
    open_scene(&scene, &options, MEMORY_ONLY);
    open_scene(&plain, &options, MEMORY_ONLY);
    assert_int_equal(tessera_dump_faults(plain.tessera, NULL, NULL, false), TESSERA_OK);
    assert_int_equal(tessera_dump_faults(scene.tessera, take_dump, &scene, false), TESSERA_OK);
    draw(&scene);
    draw(&plain);
    assert_int_equal(run(&scene), STATUS_FAULT);
    assert_int_equal(run(&plain), STATUS_FAULT);
    assert_string_equal(tessera_message(scene.tessera), tessera_message(plain.tessera));
    struct tdump *dump = keep(&scene, 0, "text", TDUMP_FAULT, FAULT_BAD_OPCODE);
    assert_null(dump->allocations[0].content);
    free(dump);
    end_scene(&scene);
    end_scene(&plain);
}

/* ------------------------------------------------------------------ files by the environment */

const char *tessera_version(void) { return "1.2.3"; }

static bool is_file(unsigned number, struct tdump *dump)
{
    static uint32_t words[1 << 17];
    char path[512];
    snprintf(path, sizeof path, "%s/files/%06u.tdump", folder, number);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    const size_t bytes = fread(words, 1, sizeof words, file);
    fclose(file);
    return tdump_read(dump, words, bytes) == TDUMP_OK;
}

static void test_files(void **state)
{
    char path[512];
    struct scene scene = {.has_files = true, .spoil = bad_opcode};
    const struct tessera_options options = {.seed = 3};
    struct tdump *dump = malloc(sizeof *dump);
    (void)state;
    assert_non_null(dump);
    snprintf(path, sizeof path, "%s/files", folder);
    (void)mkdir(path, 0777);
    for (unsigned i = 1; i < 4; i++) {
        char old[600];
        snprintf(old, sizeof old, "%s/%06u.tdump", path, i);
        (void)remove(old);
    }
    snprintf(path, sizeof path, "%s/files/000001.tdump", folder);
    FILE *taken = fopen(path, "wb"); /* an earlier run's */
    assert_non_null(taken);
    fclose(taken);
    snprintf(path, sizeof path, "%s/files", folder);
    assert_int_equal(setenv("TESSERA_FAULTS", path, 1), 0);
    dump_file_begin(NULL);
    open_scene(&scene, &options, MEMORY_ONLY);
    draw(&scene);
    assert_int_equal(run(&scene), STATUS_FAULT);
    assert_false(is_file(1, dump));
    assert_true(is_file(2, dump));
    assert_string_equal((const char *)(dump->about + ABOUT_TEXT), "1.2.3");
    assert_null(dump->allocations[0].content);
    assert_false(is_file(3, dump));
    end_scene(&scene);
    assert_int_equal(setenv("TESSERA_FAULTS_CONTENTS", "1", 1), 0);
    scene = (struct scene){.has_files = true, .spoil = bad_opcode};
    open_scene(&scene, &options, MEMORY_ONLY);
    draw(&scene);
    assert_int_equal(run(&scene), STATUS_FAULT);
    assert_true(is_file(3, dump));
    assert_non_null(dump->allocations[0].content);
    end_scene(&scene);
    free(dump);
}

int main(int argc, char **argv)
{
    if (argc > 1) folder = argv[1];
    (void)mkdir(folder, 0777);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spoiled), cmocka_unit_test(test_bus),   cmocka_unit_test(test_page),
        cmocka_unit_test(test_lost),    cmocka_unit_test(test_panic), cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_asked),   cmocka_unit_test(test_text),  cmocka_unit_test(test_files),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%d passed, %d failed\n", (int)(sizeof tests / sizeof *tests) - failed, failed);
    return failed != 0;
}
