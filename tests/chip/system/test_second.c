/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the protocols of paging buffers between manager and driver hold on the chip, with the hardware engine at work
 * beside them. Method: second.elf is the whole firmware with a driver that says BUSY, has room for one packet, runs out
 * of private data or answers what it must not, as HOST.SCRATCH says; small buffers, cut transfers and nearly full
 * segments make every rule matter. Calls and packets are recorded by second_log.c; here the record is judged, and every
 * byte that a host reads is compared; at the end of each the manager's own validators run on the core.
 * PGB-05, PGB-06, PGB-07, PGB-09, PGB-10, PGB-11, PGB-12, PGB-13, PGB-14, PGB-15, PGB-16, PGB-17, PGB-22, PGB-25,
 * PGB-26, PGB-27, PGB-28, PGB-29, PGB-38, PGB-43, PGB-44, PGB-48, SEG-08, SEG-11, ALC-05.
 *
 * test_second [--seed N] [--stall PERCENT] [--latency CYCLES] [--only TEST] [--first 1] [--firmware ELF]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../rows.h"
#include "paging_oracle.h"
#include "second_log.h"
#include "simulator.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { PAGE = 4096, MEMORY_BYTES = 4 << 20, SEGMENT_PAGES = 8, SET_1 = 1, SET_2 = 2, SET_APERTURE = 4, PLACE = 40 };
enum {
    BIG = 6 * PAGE,
    LARGEST = 16 * PAGE,
    SMALL_WORDS = 18,
    PIECE_PAGES = 2,
    LOOKS = 500,
    REPEATS = 24,
    PATIENCE = 3000000
};

static struct simulator_options options = {.memory_bytes = MEMORY_BYTES, .firmware_elf = "build/system/second.elf"};
static struct simulator *simulator;
static struct transport transport;
static struct tessera *tessera;
static struct tessera_stream *stream;
static struct tessera_allocation *created[LOG_ALLOCATIONS];
static uint32_t created_count, context, passed, failed, buffer_bytes;
static bool stops_at_first; /* failed check */
static uint64_t cycles;
static const struct log *const seen = &log_of_chip;

static bool check(bool is_right, const char *what, const char *rule)
{
    passed += is_right;
    failed += !is_right;
    rows_count(rule, is_right);
    if (!is_right) printf("FAILED: %s: %s %s\n", rule, what, tessera != NULL ? tessera_message(tessera) : "");
    if (!is_right && stops_at_first) exit(1);
    return is_right;
}

static void done(int status, const char *what) { check(status == TESSERA_OK, what, tessera_status_name(status)); }

/* ------------------------------------------------------------------ the machine */

static void console(void *nothing, char character)
{
    (void)nothing;
    putchar(character);
}

static uint32_t scratch(void)
{
    uint32_t value = 0;
    transport.register_read(transport.context, HOST_SCRATCH_OFFSET, &value);
    return value;
}

static void set_mode(uint32_t mode)
{
    done(tessera_register_write(tessera, HOST_SCRATCH_OFFSET, SECOND_DIRECTED | mode), "the mode is set");
}

/* The manager's own validators hold, on the core; when all is destroyed nothing is resident or mapped any more. */
static void finish(void)
{
    uint32_t statistics[STAT_COUNT], mode;
    for (uint32_t round = 0; round < 2; round++) {
        mode = SECOND_VALIDATE;
        set_mode(SECOND_VALIDATE);
        done(tessera_statistics(tessera, statistics), "statistics"); /* wakes the firmware; idle again, it looks */
        for (uint32_t i = 0; i < 100 && (mode & SECOND_VALIDATE) != 0u; i++) {
            transport.wait(transport.context, 10000);
            mode = scratch();
        }
        check((mode & SECOND_VALIDATE) == 0u, "the manager's validators hold", "validator");
        for (; created_count != 0u; created_count--)
            done(tessera_allocation_destroy(tessera, created[created_count - 1u]), "the end of an allocation");
    }
    check(statistics[STAT_RESIDENT_PAGES_1] + statistics[STAT_RESIDENT_PAGES_2] + statistics[STAT_MAPPED_PAGES] == 0u,
          "nothing is left when all is destroyed", "leak");
}

static void close_machine(void)
{
    created_count = 0;
    cycles += transport.cycles(transport.context);
    tessera_stream_destroy(stream);
    tessera_close(tessera);
    tessera = NULL;
}

static void boot(uint32_t transfer_pages, uint32_t paging_words, uint32_t commit_limit)
{
    char message[256];
    struct probe probe;
    const struct tessera_options boot_with = {.firmware = options.firmware_elf,
                                              .segment1_pages = SEGMENT_PAGES,
                                              .segment2_pages = SEGMENT_PAGES,
                                              .commit_limit = commit_limit,
                                              .patience_cycles = PATIENCE,
                                              .seed = options.seed + 1u,
                                              .boot_options =
                                                  FIELD_PUT(transfer_pages, HOST_BOOT_OPTIONS_TRANSFER_PAGES) |
                                                  FIELD_PUT(paging_words, HOST_BOOT_OPTIONS_PAGING_WORDS)};
    simulator = simulator_create(&options, message);
    if (simulator == NULL) printf("%s\n", message), exit(2);
    simulator_transport(simulator, &transport);
    log_begin(&probe);
    probe.console = console;
    simulator_probe(simulator, &probe);
    transport.register_write(transport.context, HOST_SCRATCH_OFFSET, SECOND_DIRECTED);
    if (tessera_open(&tessera, &transport, &boot_with, message) != TESSERA_OK) printf("%s\n", message), exit(2);
    stream = tessera_stream_create();
    buffer_bytes = paging_words != 0u ? 4u * paging_words : GPU_LIMIT(PAGING_BUFFER_BYTES);
    done(tessera_context_create(tessera, 0, 0, &context), "a context");
}

static struct tessera_allocation *create(uint32_t bytes, uint32_t set, const struct tessera_allocation_options *more)
{
    struct tessera_allocation *allocation = NULL;
    struct tessera_allocation_options wanted = {.flags = ALLOCATION_CPU_VISIBLE};
    if (more != NULL) wanted = *more;
    wanted.bytes = bytes;
    wanted.read_set = wanted.write_set = set;
    done(tessera_allocation_create(tessera, &wanted, &allocation), "an allocation");
    log_allocation(tessera_allocation_handle(allocation), bytes);
    if (created_count < LOG_ALLOCATIONS) created[created_count++] = allocation;
    return allocation;
}

static void fill(struct tessera_allocation *target, uint32_t offset, uint32_t bytes, uint32_t pattern)
{
    const struct tessera_place place = {target, offset, PLACE};
    done(tessera_stream_fill(stream, &place, bytes, pattern), "a fill");
}

static void copy(struct tessera_allocation *target, struct tessera_allocation *source, uint32_t bytes)
{
    const struct tessera_place to = {target, 0, PLACE}, from = {source, 0, PLACE + 1};
    done(tessera_stream_copy(stream, &to, &from, bytes), "a copy");
}

static tessera_ticket submit(void)
{
    tessera_ticket ticket = 0;
    done(tessera_submit(tessera, context, stream, 0, &ticket), "a submission");
    tessera_stream_clear(stream);
    return ticket;
}

static void await(tessera_ticket ticket) { done(tessera_wait(tessera, ticket, NULL), "a job"); }

static void compare(struct tessera_allocation *allocation, const uint8_t *expected, const char *what)
{
    static uint8_t bytes[LARGEST];
    uint32_t count = tessera_allocation_bytes(allocation);
    done(tessera_read(tessera, allocation, 0, bytes, count), "a read");
    check(memcmp(bytes, expected, count) == 0, what, "content");
}

static void randomise(uint8_t *bytes, uint32_t count)
{
    static uint32_t state = 0x2545f491u;
    for (uint32_t i = 0; i < count; i++) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        bytes[i] = (uint8_t)(state >> 9);
    }
}

static void fill_words(uint8_t *bytes, uint32_t count, uint32_t pattern)
{
    for (uint32_t i = 0; i < count; i += 4) memcpy(bytes + i, &pattern, 4);
}

/* ------------------------------------------------------------------ judging the record */

static struct counts {
    uint32_t operations, calls, packed, unaligned, insufficient, busy[2], resumed, starts_again, pieces, batched_busy;
    uint32_t through_aperture, submissions, patches;
} counted;

static bool is_transfer(const struct log_call *call) { return call->word[BUILD_OPERATION] == DDI_TRANSFER; }

/* The second of two calls for one operation: nothing has changed but, after BUSY, the idle flag. */
static void judge_again(const struct log_call *before, const struct log_call *again)
{
    uint32_t different = 0, flags = is_transfer(again) ? (uint32_t)TRANSFER_FLAGS : (uint32_t)DISCARD_FLAGS;
    const uint32_t idle = DDI_TRANSFER_ALLOCATION_IS_IDLE;
    bool is_busy = before->status == DDI_ALLOCATION_BUSY;
    check(again->word[BUILD_OPERATION] == before->word[BUILD_OPERATION] &&
              again->word[BUILD_HANDLE] == before->word[BUILD_HANDLE],
          "the same operation again", "PGB-05");
    check(again->word[BUILD_MULTIPASS] == before->word[BUILD_AFTER_MULTIPASS], "MultipassOffset is the driver's",
          "PGB-07");
    for (uint32_t i = 0; i < BUILD_UNION_WORDS && is_transfer(again); i++)
        different += log_union(again, i) != (log_union(before, i) | (is_busy && i == flags ? idle : 0u));
    check(different == 0, "arguments are constant over passes", "PGB-22");
    if (is_busy) check(log_is_idle(again), "idle after BUSY", "PGB-26");
    else if (log_is_idle(before)) check(log_is_idle(again), "idle at every further pass", "PGB-27");
    counted.resumed += again->word[BUILD_MULTIPASS] != 0u;
    counted.starts_again += is_transfer(again) && (log_flags(again) & DDI_TRANSFER_START) != 0u;
}

/* Where the call's packets go: right after the last ones, or to the start of a buffer that is all fresh. */
static void judge_buffer(const struct log_call *before, const struct log_call *call, bool is_submitted)
{
    const uint32_t *word = call->word;
    if (before != NULL && !is_submitted && before->status == DDI_INSUFFICIENT_DMA_BUFFER)
        check(before->word[BUILD_AFTER_BUFFER] % PAGE == 0, "a partial buffer is submitted at once", "PGB-05");
    bool is_fresh = before == NULL || is_submitted;
    if (is_fresh) {
        check(word[BUILD_BUFFER] % PAGE == 0, "a fresh buffer is aligned", "PGB-12");
        check(word[BUILD_SIZE] == buffer_bytes && word[BUILD_PRIVATE_SIZE] == 24, "a fresh buffer's sizes", "PGB-09");
        if (before != NULL)
            check(word[BUILD_BUFFER] / PAGE != before->word[BUILD_BUFFER] / PAGE, "it is another buffer", "PGB-09");
    } else {
        check(word[BUILD_BUFFER] == before->word[BUILD_AFTER_BUFFER], "tightly packed", "PGB-11");
        check(word[BUILD_SIZE] == buffer_bytes - word[BUILD_BUFFER] % PAGE, "what is left", "SEG-08");
        counted.packed += word[BUILD_BUFFER] % PAGE != 0;
        counted.unaligned += word[BUILD_BUFFER] % PAGE != 0 && call->status == DDI_SUCCESS;
    }
}

/* PGB-14, PGB-16, PGB-17: the pieces of a transfer, in order, all of them, nothing else transferred in between. */
static void judge_piece(const struct log_call *call)
{
    static uint32_t open_handle, open_bytes;
    uint32_t flags = log_flags(call), handle = call->word[BUILD_HANDLE], bytes = log_bytes(handle);
    if (seen->call == call) open_handle = 0;
    check(((flags & DDI_TRANSFER_START) != 0u) == (open_handle == 0u), "Start at the first piece only", "PGB-14");
    if (open_handle == 0u) open_bytes = 0;
    else check(handle == open_handle, "another transfer inside one", "PGB-16");
    check(log_union(call, TRANSFER_OFFSET) == open_bytes, "pieces in order", "PGB-17");
    open_bytes += log_union(call, TRANSFER_SIZE);
    bool is_end = (flags & DDI_TRANSFER_END) != 0u;
    check(is_end == (open_bytes == bytes), "End at the last piece only, and all of it", "PGB-17");
    counted.pieces += open_handle != 0u;
    open_handle = is_end ? 0u : handle;
}

static void judge_submission(const struct log_call *built, const struct log_call *call)
{
    const uint32_t *word = call->word;
    if (word[SUBMIT_IS_PAGING] == 0u) return;
    counted.submissions++;
    check(built != NULL && word[SUBMIT_START] == 0 && word[SUBMIT_END] == word[SUBMIT_SIZE] &&
              word[SUBMIT_BUFFER] % PAGE == 0 &&
              word[SUBMIT_BUFFER] + word[SUBMIT_SIZE] == built->word[BUILD_AFTER_BUFFER],
          "what was built is submitted, no more and no less", "PGB-13");
}

/* PGB-28: of what is in the open buffer, something is for the allocation that is BUSY; its idle call comes after the
 * hardware has executed it. */
static void judge_batched(uint32_t busy_at)
{
    const struct log_call *busy = &seen->call[busy_at];
    uint32_t fence = 0;
    bool is_batched = false;
    for (uint32_t i = busy_at; i-- > 0;) {
        const struct log_call *call = &seen->call[i];
        if (call->kind == CALL_SUBMIT && call->word[SUBMIT_IS_PAGING] != 0u) break;
        is_batched |= call->kind == CALL_BUILD && call->word[BUILD_HANDLE] == busy->word[BUILD_HANDLE] &&
                      call->word[BUILD_AFTER_BUFFER] != call->word[BUILD_BUFFER];
    }
    if (!is_batched) return;
    for (uint32_t i = busy_at + 1; i < seen->calls; i++) {
        const struct log_call *call = &seen->call[i];
        if (call->kind == CALL_SUBMIT && call->word[SUBMIT_IS_PAGING] != 0u) fence = call->word[SUBMIT_FENCE];
        if (call->kind != CALL_BUILD) continue;
        check(fence != 0u && call->paging_fence == fence, "what was batched is executed first", "PGB-28");
        counted.batched_busy++;
        return;
    }
}

static void judge_patch(const struct log_call *call, uint32_t paging_end)
{
    counted.patches++;
    check(call->word[SUBMIT_BUFFER] >= paging_end, "Patch of a paging buffer", "PGB-13");
}

static void judge(void)
{
    const struct log_call *built = NULL;
    uint32_t paging_end = 0;
    bool is_submitted = false;
    for (uint32_t i = 0; i < seen->calls; i++)
        if (seen->call[i].kind == CALL_BUILD && seen->call[i].word[BUILD_AFTER_BUFFER] > paging_end)
            paging_end = seen->call[i].word[BUILD_AFTER_BUFFER];
    for (uint32_t i = 0; i < seen->calls; i++) {
        const struct log_call *call = &seen->call[i];
        if (call->kind == CALL_SUBMIT) {
            judge_submission(built, call);
            is_submitted |= call->word[SUBMIT_IS_PAGING] != 0u;
        }
        if (call->kind == CALL_PATCH) judge_patch(call, paging_end);
        if (call->kind != CALL_BUILD || !call->is_done) continue;
        bool is_again = built != NULL && built->status != DDI_SUCCESS;
        judge_buffer(built, call, is_submitted);
        if (is_again) judge_again(built, call);
        else check(call->word[BUILD_MULTIPASS] == 0, "MultipassOffset is 0 at first", "PGB-07");
        check(call->word[BUILD_OPERATION] <= DDI_UNMAP_APERTURE_SEGMENT, "no SpecialLockTransfer", "PGB-43");
        if (is_transfer(call) && call->status == DDI_SUCCESS) judge_piece(call);
        counted.calls++;
        counted.operations += call->status == DDI_SUCCESS;
        counted.insufficient += call->status == DDI_INSUFFICIENT_DMA_BUFFER;
        counted.busy[!is_transfer(call)] += call->status == DDI_ALLOCATION_BUSY;
        if (call->status == DDI_ALLOCATION_BUSY) judge_batched(i);
        bool is_unswizzled = is_transfer(call) && (log_flags(call) & DDI_TRANSFER_UNSWIZZLE) != 0u;
        counted.through_aperture +=
            is_unswizzled && call->status == DDI_SUCCESS && log_union(call, TRANSFER_TO_SEGMENT) == 3u;
        is_submitted = false;
        built = call;
    }
    check(seen->calls > 0 && seen->overflow == 0, "the record is complete", "record");
    check(seen->nested == 0, "a call inside another", "PGB-48");
    check(seen->compared > 0 && seen->changed == 0, "packets reach the engine as the driver wrote them", "PGB-13");
    check(seen->not_idle == 0, "the GPU is in an allocation that was promised idle", "PGB-26, PGB-27");
    check(seen->in_configuration == 0, "the GPU is in a range that is being configured", "PGB-38");
    check(seen->unmapped == 0, "the GPU is in a range that is not mapped", "PGB-38");
}

static void begin_judging(void) { memset(&counted, 0, sizeof counted); }

/* ------------------------------------------------------------------ BUSY, small buffers, pieces */

/* Two allocations of six pages in a segment of eight: each use of one evicts the other while the node is in it, first
 * written content (Transfer), then content only read (DiscardContent). One is tiled, a page of tiles to a page
 * of rows: its Transfers need a packet per row, and what fills whole pages is the same in both layouts. */
static void exchange(uint32_t mode, uint32_t round)
{
    static uint8_t image[2][BIG], sum[BIG];
    static struct tessera_allocation *allocation[2], *target;
    uint32_t pattern = 0x01030507u * (round + 1u);
    const struct tessera_allocation_options tiled = {.flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED,
                                                     .pitch = PAGE / GPU_LIMIT(TILE_ROWS),
                                                     .height = BIG / PAGE * GPU_LIMIT(TILE_ROWS),
                                                     .levels = 1};
    if (round == 0u) {
        for (uint32_t i = 0; i < 2; i++) {
            allocation[i] = create(BIG, SET_1, i == 0u ? &tiled : NULL);
            randomise(image[i], BIG);
            done(tessera_write(tessera, allocation[i], 0, image[i], BIG), "a write");
        }
        target = create(BIG, SET_2, &tiled);
    }
    set_mode(mode);
    for (uint32_t i = 0; i < REPEATS; i++) fill(allocation[0], PAGE, BIG - PAGE, pattern + i);
    fill_words(image[0] + PAGE, BIG - PAGE, pattern + REPEATS - 1u);
    tessera_ticket first = submit();
    fill(allocation[1], 0, PAGE, ~pattern);
    fill_words(image[1], PAGE, ~pattern);
    tessera_ticket second = submit();
    await(first);
    await(second);
    for (uint32_t i = 0; i < REPEATS / 2; i++) copy(target, allocation[0], BIG);
    first = submit();
    fill(allocation[1], 0, PAGE, pattern);
    fill_words(image[1], PAGE, pattern);
    second = submit();
    await(first);
    await(second);
    memcpy(sum, image[0], BIG);
    compare(target, sum, "copied by the GPU");
    compare(allocation[0], image[0], "evicted while it was in use");
    compare(allocation[1], image[1], "brought in after it");
}

static void test_exchange(void)
{
    static const uint32_t modes[] = {0, SECOND_BUSY | SECOND_LINGERS, SECOND_BUSY | SECOND_BUSY_LATER,
                                     SECOND_BUSY | SECOND_ONE_PACKET, SECOND_ONE_PACKET};
    begin_judging();
    boot(PIECE_PAGES, SMALL_WORDS, 0);
    for (uint32_t i = 0; i < sizeof modes / sizeof modes[0]; i++) exchange(modes[i], i);
    judge();
    check(counted.insufficient > 20, "paging buffers run out", "PGB-05");
    check(counted.resumed > 5, "operations go on in another buffer", "PGB-07");
    check(counted.busy[0] > 10 && counted.busy[1] > 0, "BUSY to Transfer and to DiscardContent", "PGB-25");
    check(seen->idle_calls > 10 && seen->busy_in_use > 0, "BUSY while the GPU is in it", "PGB-26");
    check(counted.batched_busy > 0, "BUSY after what was batched for it", "PGB-28");
    check(counted.unaligned > 5, "later operations begin anywhere", "PGB-12");
    check(counted.starts_again > 5, "Start comes again without a new transfer", "PGB-15");
    check(counted.pieces > 20, "transfers in pieces", "PGB-14");
    check(counted.patches > 0 && counted.submissions > 20, "submissions", "PGB-13");
    printf("%u operations in %u calls and %u submissions, %u INSUFFICIENT, %u pieces, Start again %u times\n",
           counted.operations, counted.calls, counted.submissions, counted.insufficient, counted.pieces,
           counted.starts_again);
    printf("%u + %u BUSY (%u with the node in it, %u after a batch), %u packets compared\n", counted.busy[0],
           counted.busy[1], seen->busy_in_use, counted.batched_busy, seen->compared);
    finish();
    close_machine();
}

/* Whole allocations in buffers that are too small for them: what the first pass wrote is at work when the second one
 * may begin, and idleness is promised for both. */
static void test_passes(void)
{
    enum { PASS_WORDS = 24 * PKT_COPY_2D_WORDS + 2 }; /* long enough to be at work when the next call comes */
    begin_judging();
    boot(0, PASS_WORDS, 0);
    exchange(SECOND_BUSY, 0);
    judge();
    check(counted.resumed > 2 && seen->idle_calls > counted.resumed, "idle in several passes", "PGB-27");
    finish();
    close_machine();
}

/* ------------------------------------------------------------------ apertures */

/* 96 pages through an aperture that may map 40, each job at work longer than the next one is prepared: ranges are
 * unmapped and mapped again while the node works in others. Content is locked in between, so that nothing newer is
 * asked of the driver. */
static void test_apertures(void)
{
    enum { COUNT = 6, BYTES = LARGEST, JOBS = 4, ROUNDS = 3, COPIES = 10 };
    static uint8_t image[COUNT][BYTES];
    struct tessera_allocation *allocation[COUNT];
    tessera_ticket ticket[JOBS];
    begin_judging();
    boot(0, 0, 40);
    for (uint32_t i = 0; i < COUNT; i++) {
        allocation[i] = create(BYTES, SET_APERTURE, NULL);
        randomise(image[i], BYTES);
        done(tessera_write(tessera, allocation[i], 0, image[i], BYTES), "a write");
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        set_mode(round == 1u ? SECOND_ONE_PACKET : 0u);
        for (uint32_t job = 0; job < JOBS; job++) {
            uint32_t source = (job * 5u + round) % COUNT, target = (source + 1u + job % 2u) % COUNT;
            for (uint32_t i = 0; i < COPIES; i++) copy(allocation[target], allocation[source], BYTES - PAGE);
            memcpy(image[target], image[source], BYTES - PAGE);
            ticket[job] = submit();
        }
        for (uint32_t job = 0; job < JOBS; job++) await(ticket[job]);
        done(tessera_lock(tessera, allocation[round], 0), "a lock");
        done(tessera_unlock(tessera, allocation[round]), "its end");
        done(tessera_lock(tessera, allocation[round + 1], LOCK_READ_ONLY), "a lock for reading");
        done(tessera_unlock(tessera, allocation[round + 1]), "its end");
    }
    for (uint32_t i = 0; i < COUNT; i++) compare(allocation[i], image[i], "through the aperture");
    judge();
    printf("%u ranges configured, %u packets through the aperture\n", seen->configurations, seen->through_aperture);
    check(seen->configurations > 20 && seen->through_aperture > 30, "ranges change while jobs run", "PGB-38");
    printf("%u configurations, %u packets through the aperture\n", seen->configurations, seen->through_aperture);
    finish();
    close_machine();
}

/* Tiled content leaves through the aperture, and is linear there and in the pages. The GPU sees it as tiles. */
static void test_swizzled(void)
{
    enum { PITCH = 128, HEIGHT = 96, BYTES = PITCH * HEIGHT };
    static uint8_t linear[BYTES], tiled[BYTES];
    const struct tessera_allocation_options swizzled = {.flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_SWIZZLED,
                                                        .eviction_set = SET_APERTURE,
                                                        .pitch = PITCH,
                                                        .height = HEIGHT,
                                                        .levels = 1};
    begin_judging();
    boot(0, 0, 0);
    struct tessera_allocation *surface = create(BYTES, SET_1, &swizzled), *plain = create(BYTES, SET_2, NULL);
    randomise(linear, BYTES);
    done(tessera_write(tessera, surface, 0, linear, BYTES), "a write");
    oracle_swizzle(linear, tiled, PITCH, HEIGHT, 1);
    copy(plain, surface, BYTES);
    await(submit());
    compare(plain, tiled, "tiles as the GPU sees them");
    fill(surface, 5, 1, 0xee); /* byte 5 is the same place in both layouts */
    linear[5] = 0xee;
    await(submit());
    done(tessera_evict(tessera, surface), "its eviction");
    judge();
    check(counted.through_aperture == 1, "one Transfer out through the aperture", "PGB-44, ALC-05");
    compare(surface, linear, "linear in the pages");
    finish();
    close_machine();
}

/* ------------------------------------------------------------------ answers that stop everything */

/* Transfer, Fill and Map; then, content offered, DiscardContent, Transfer, Unmap. True if all of it ended well. */
static bool run_everything(void)
{
    const struct tessera_allocation_options undefined = {.flags = ALLOCATION_CPU_VISIBLE | ALLOCATION_UNDEFINED};
    struct tessera_allocation *a = create(PAGE, SET_1, NULL), *b = create(PAGE, SET_1, &undefined),
                              *c = create(PAGE, SET_APERTURE, NULL);
    tessera_ticket ticket = 0;
    copy(c, b, 8);
    copy(a, b, 8);
    if (tessera_submit(tessera, context, stream, 0, &ticket) != TESSERA_OK) return false;
    if (tessera_wait(tessera, ticket, NULL) != TESSERA_OK) return false;
    if (tessera_offer(tessera, a, 1) != TESSERA_OK) return false;
    return tessera_evict(tessera, NULL) == TESSERA_OK;
}

static void test_fatal(void)
{
    enum { UNKNOWN = 77 };
    static const struct {
        uint32_t operation, status, when;
        const char *rule;
    } cases[] = {{DDI_FILL, DDI_ALLOCATION_BUSY, 0, "PGB-29"},
                 {DDI_MAP_APERTURE_SEGMENT, DDI_ALLOCATION_BUSY, 0, "PGB-29"},
                 {DDI_UNMAP_APERTURE_SEGMENT, DDI_ALLOCATION_BUSY, 0, "PGB-29"},
                 {DDI_TRANSFER, DDI_ALLOCATION_BUSY, SECOND_BAD_IDLE, "PGB-29"},
                 {DDI_DISCARD_CONTENT, DDI_ALLOCATION_BUSY, SECOND_BAD_IDLE, "PGB-29"},
                 {DDI_TRANSFER, UNKNOWN, 0, "PGB-29"},
                 {DDI_DISCARD_CONTENT, DDI_NOT_SUPPORTED, 0, "PGB-29"},
                 {DDI_TRANSFER, DDI_INSUFFICIENT_DMA_BUFFER, 0, "PGB-10"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t code = 0, offender = 0, head = 0, tail = 1;
        boot(0, 0, 0);
        set_mode(SECOND_BAD | cases[i].when | cases[i].operation << SECOND_BAD_OPERATION_LSB |
                 cases[i].status << SECOND_BAD_STATUS_LSB);
        bool goes_on = run_everything();
        transport.register_read(transport.context, HOST_PANIC_CODE_OFFSET, &code);
        check(!goes_on && code == PANIC_DRIVER, "the code is recorded", cases[i].rule);
        /* Time passes: no further call, and what was submitted before is the last that the engine does. */
        uint32_t calls = seen->calls;
        for (uint32_t k = 0; k < LOOKS; k++) transport.register_read(transport.context, HOST_SCRATCH_OFFSET, &code);
        for (uint32_t k = 0; k < calls; k++)
            if (seen->call[k].kind == CALL_BUILD) offender = seen->call[k].word[BUILD_OPERATION];
        transport.register_read(transport.context, NODE_HEAD_OFFSET + NODE_STRIDE, &head);
        transport.register_read(transport.context, NODE_TAIL_OFFSET + NODE_STRIDE, &tail);
        check(seen->calls == calls && head == tail, "everything stops", cases[i].rule);
        check(offender == cases[i].operation, "at that very call", cases[i].rule);
        close_machine();
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {{"exchange", test_exchange},
             {"passes", test_passes},
             {"apertures", test_apertures},
             {"swizzled", test_swizzled},
             {"fatal", test_fatal}};

int main(int argc, char **argv)
{
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint32_t value = (uint32_t)strtoul(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--seed") == 0) options.seed = value;
        else if (strcmp(argv[i], "--stall") == 0) options.stall_percent = value;
        else if (strcmp(argv[i], "--firmware") == 0) options.firmware_elf = argv[i + 1];
        else if (strcmp(argv[i], "--only") == 0) only = argv[i + 1];
        else if (strcmp(argv[i], "--first") == 0) stops_at_first = value != 0u;
        else if (strcmp(argv[i], "--latency") == 0) options.read_latency = options.write_latency = value;
    }
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (only == NULL || strcmp(only, tests[i].name) == 0) tests[i].run();
    printf("%.1f Mcycles\n%u passed, %u failed\n", (double)cycles / 1e6, passed, failed);
    return failed != 0;
}
