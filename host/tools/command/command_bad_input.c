/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera bad-input: send every case of bad_input_cases.c through the whole stack. Around each of them good
 * submissions are in flight, before and after; they must complete with the right content, the refused one
 * must come back with the named status and place and must have changed nothing, and nothing may hang.
 *
 * Exit status 0 when every case passed. The last line is "N passed, N failed".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/bad_input.h"
#include "gpu_names.h"
#include "tools/cli/options.h"

enum { CONTENT = 8192, PATIENCE_CYCLES = 3000000, LIST_OFFSET = 32768, PATCHES_OFFSET = 40960 };
enum { LOCAL_SEGMENTS = 3 };

/* ------------------------------------------------------------------ bench */

static int allocate(struct bench *bench, uint32_t flags, struct tessera_allocation **allocation)
{
    const struct tessera_allocation_options options = {
        .bytes = CONTENT, .flags = flags, .read_set = LOCAL_SEGMENTS, .write_set = LOCAL_SEGMENTS};
    return tessera_allocation_create(bench->tessera, &options, allocation);
}

static int set_up(struct bench *bench, uint8_t *content)
{
    const struct {
        uint32_t flags;
        struct tessera_allocation **allocation;
    } list[] = {{ALLOCATION_CPU_VISIBLE, &bench->source},
                {ALLOCATION_CPU_VISIBLE, &bench->target},
                {ALLOCATION_CPU_VISIBLE, &bench->locked},
                {ALLOCATION_CPU_VISIBLE, &bench->offered},
                {0, &bench->hidden}};
    int status = tessera_context_create(bench->tessera, 0, 0, &bench->context);
    for (size_t i = 0; i < sizeof list / sizeof *list && status == TESSERA_OK; i++)
        status = allocate(bench, list[i].flags, list[i].allocation);
    for (uint32_t i = 0; i < CONTENT; i++) content[i] = (uint8_t)(i * 7u + i / 251u);
    if (status == TESSERA_OK) status = tessera_write(bench->tessera, bench->source, 0, content, CONTENT);
    if (status == TESSERA_OK) status = tessera_lock(bench->tessera, bench->locked, 0);
    if (status == TESSERA_OK) status = tessera_offer(bench->tessera, bench->offered, 2);
    if (status == TESSERA_OK) status = tessera_staging_take(bench->tessera, &bench->staging);
    bench->stream = tessera_stream_create();
    return status == TESSERA_OK && bench->stream == NULL ? TESSERA_NO_MEMORY : status;
}

/* The start every case has: both surfaces bound, four by four units copied. */
static int start_stream(struct bench *bench)
{
    const struct tessera_surface target = {
        .allocation = bench->target, .format = FORMAT_RGB565, .pitch = 64, .bytes = CONTENT, .is_target = true};
    const struct tessera_surface source = {
        .allocation = bench->source, .format = FORMAT_RGB565, .pitch = 64, .bytes = CONTENT};
    const struct tessera_blit blit = {.target = 0, .source = 1, .mode = BLIT_COPY, .width = 4, .height = 4};
    tessera_stream_clear(bench->stream);
    int status = tessera_stream_bind(bench->stream, 0, &target);
    if (status == TESSERA_OK) status = tessera_stream_bind(bench->stream, 1, &source);
    return status != TESSERA_OK ? status : tessera_stream_blit(bench->stream, &blit);
}

/* A good submission: all of the source to the target, row by row upside down would do; a plain copy is enough to
 * tell whether anything else wrote. */
static int good_submission(struct bench *bench, tessera_ticket *ticket)
{
    const struct tessera_place target = {bench->target, 0, 0}, source = {bench->source, 0, 1};
    tessera_stream_clear(bench->stream);
    int status = tessera_stream_copy(bench->stream, &target, &source, CONTENT);
    return status != TESSERA_OK ? status : tessera_submit(bench->tessera, bench->context, bench->stream, 0, ticket);
}

/* The bare SUBMIT of the bench's stream, its parts in the bench's own staging buffer. */
static int stage_case(struct bench *bench)
{
    struct transport *transport = tessera_transport(bench->tessera);
    struct {
        uint32_t at;
        const uint32_t *words;
        uint32_t count;
    } parts[3];
    tessera_stream_parts(bench->stream, &parts[0].words, &parts[0].count, &parts[1].words, &parts[1].count,
                         &parts[2].words, &parts[2].count);
    parts[0].at = 0;
    parts[1].at = LIST_OFFSET;
    parts[2].at = PATCHES_OFFSET;
    for (unsigned i = 0; i < 3; i++)
        if (transport->memory_write(transport->context, bench->staging + parts[i].at, parts[i].words,
                                    parts[i].count * 4u) != 0)
            return TESSERA_LINK;
    memset(bench->message, 0, sizeof bench->message);
    bench->message[0] = MSG_SUBMIT;
    bench->message[MSG_SUBMIT_CONTEXT] = bench->context;
    bench->message[MSG_SUBMIT_DMA] = bench->staging;
    bench->message[MSG_SUBMIT_DMA_BYTES] = parts[0].count * 4u;
    bench->message[MSG_SUBMIT_LIST] = bench->staging + LIST_OFFSET;
    bench->message[MSG_SUBMIT_LIST_COUNT] = parts[1].count / GPU_LIMIT(LIST_ENTRY_WORDS);
    bench->message[MSG_SUBMIT_PATCHES] = bench->staging + PATCHES_OFFSET;
    bench->message[MSG_SUBMIT_PATCH_COUNT] = parts[2].count / GPU_LIMIT(PATCH_ENTRY_WORDS);
    return TESSERA_OK;
}

/* ------------------------------------------------------------------ one case */

static bool run_case(struct bench *bench, const struct bad_case *bad, const uint8_t *content)
{
    tessera_ticket before, ticket, after;
    struct tessera_completion completion = {0};
    static uint8_t found[CONTENT];
    if (good_submission(bench, &before) != TESSERA_OK || start_stream(bench) != TESSERA_OK) return false;
    if (bad->add != NULL) bad->add(bench);
    if (stage_case(bench) != TESSERA_OK) return false;
    if (bad->spoil != NULL) bad->spoil(bench);
    if (tessera_send(bench->tessera, bench->message, &ticket) != TESSERA_OK ||
        good_submission(bench, &after) != TESSERA_OK)
        return false;
    int status_after = tessera_wait(bench->tessera, after, NULL);
    int status_before = tessera_wait(bench->tessera, before, NULL);
    int status = tessera_wait(bench->tessera, ticket, &completion);
    if (status_before != TESSERA_OK || status_after != TESSERA_OK) {
        printf("FAIL  %s: submissions around it: %s, %s\n", bad->name, tessera_status_name(status_before),
               tessera_status_name(status_after));
        return false;
    }
    if (status != (int)bad->status || (bad->detail != BAD_INPUT_ANY && completion.detail != bad->detail)) {
        printf("FAIL  %s: %s, detail %u; expected %s, detail %u\n", bad->name, tessera_status_name(status),
               completion.detail, status_name(bad->status), bad->detail);
        return false;
    }
    if (tessera_read(bench->tessera, bench->target, 0, found, CONTENT) != TESSERA_OK ||
        memcmp(found, content, CONTENT) != 0) {
        printf("FAIL  %s: it changed the target\n", bad->name);
        return false;
    }
    printf("ok    %-38s %s, detail %u\n", bad->name, status_name(bad->status), completion.detail);
    return true;
}

static int run_cases(struct bench *bench)
{
    static uint8_t content[CONTENT];
    uint32_t passed = 0;
    int status = set_up(bench, content);
    if (status != TESSERA_OK) {
        fprintf(stderr, "tessera: %s: %s\n", tessera_status_name(status), tessera_message(bench->tessera));
        return 2;
    }
    for (uint32_t i = 0; i < bad_case_count; i++) passed += run_case(bench, &bad_cases[i], content);
    printf("%u passed, %u failed\n", passed, bad_case_count - passed);
    tessera_stream_destroy(bench->stream);
    return passed == bad_case_count ? 0 : 1;
}

int command_bad_input(const struct program_options *options)
{
    struct tessera_options open_options = {.segment1_pages = options->segment1_pages,
                                           .segment2_pages = options->segment2_pages,
                                           .seed = options->platform.seed,
                                           .allocations = options->limits.allocations,
                                           .contexts = options->limits.contexts,
                                           .list_entries = options->limits.list_entries,
                                           .dma_bytes = options->limits.dma_bytes,
                                           .patience_cycles = PATIENCE_CYCLES,
                                           .abi = options->abi};
    struct platform platform;
    struct bench bench = {0};
    char message[256];
    if (platform_open(&platform, &options->platform, message) != 0) {
        fprintf(stderr, "tessera: %s\n", message);
        return 2;
    }
    open_options.firmware = platform.firmware;
    if (tessera_open(&bench.tessera, &platform.transport, &open_options, message) != TESSERA_OK) {
        fprintf(stderr, "tessera: %s\n", message);
        platform.transport.close(platform.transport.context);
        return 2;
    }
    int status = run_cases(&bench);
    if (status != 0) platform_report(&platform);
    tessera_close(bench.tessera);
    return status;
}
