/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: what libtessera does with the link, in which order, and what each call gives back, changes only where that is
 * meant. Method: some thousand calls in a random order over the stand-in of a GPU: every one, with sizes and offsets
 * on both sides of their limits, right and wrong; then the same with verbs of the link failing, and memory of each
 * size. All verbs and all results are held in sums: tests/host/report/written.
 *   test_verbs FOLDER SUMS
 */
#include <inttypes.h>
#include <stdlib.h>

#include "fake_device.h"
#include "held.h"
#include "lib/tessera_internal.h"
#include "tessera.h"
#include "tessera_stream.h"

enum { THINGS = 24, CALLS = 1500, TICKETS = 6 };

static struct fake_device device;
static struct transport inner, transport;
static struct tessera *tessera;
static struct tessera_stream *stream;
static struct tessera_allocation *things[THINGS];
static tessera_ticket tickets[TICKETS];
static uint32_t verbs, results, fails_at, verb_count, context;

/* ------------------------------------------------------------------ what is done and given back */

static void add(uint32_t *sum, const void *data, size_t bytes) { *sum = (uint32_t)crc32(*sum, data, (uInt)bytes); }

static void did(char verb, uint32_t at, const void *data, size_t bytes)
{
    const uint32_t head[3] = {(uint32_t)verb, at, (uint32_t)bytes};
    add(&verbs, head, sizeof head);
    if (data != NULL && !(verb == 'W' && at == HOST_ABI_OFFSET)) add(&verbs, data, bytes);
}

static bool fails(void)
{
    verb_count++;
    if (fails_at == 0 || verb_count < fails_at) return false;
    snprintf(transport.error, sizeof transport.error, pick(2) != 0 ? "it is cut" : "%s", "");
    return true;
}

static int read_register(void *it, uint32_t offset, uint32_t *value)
{
    did('R', offset, NULL, 4);
    return fails() ? TRANSPORT_IO : inner.register_read(it, offset, value);
}

static int write_register(void *it, uint32_t offset, uint32_t value)
{
    did('W', offset, &value, 4);
    return fails() ? TRANSPORT_IO : inner.register_write(it, offset, value);
}

static int read_memory(void *it, uint32_t address, void *data, size_t bytes)
{
    did('r', address, NULL, bytes);
    return fails() ? TRANSPORT_IO : inner.memory_read(it, address, data, bytes);
}

static int write_memory(void *it, uint32_t address, const void *data, size_t bytes)
{
    did('w', address, data, bytes);
    return fails() ? TRANSPORT_IO : inner.memory_write(it, address, data, bytes);
}

static int wait(void *it, uint32_t cycles)
{
    did('.', cycles, NULL, 0);
    return fails() ? TRANSPORT_DEAD : inner.wait(it, cycles);
}

static void give(int status)
{
    const char *text = tessera != NULL ? tessera_message(tessera) : "";
    add(&results, &status, sizeof status);
    if (status != TESSERA_OK) add(&results, text, strlen(text));
}

static void give_number(uint32_t number) { add(&results, &number, sizeof number); }

/* ------------------------------------------------------------------ calls */

/* Near `limit`, or anywhere below. */
static uint32_t near(uint32_t limit) { return pick(3) == 0 ? limit - 2 + pick(5) : pick(limit + 1); }

static struct tessera_allocation **some(void)
{
    uint32_t at = pick(THINGS);
    for (uint32_t i = 0; i < THINGS && things[at] == NULL; i++) at = (at + 1) % THINGS;
    return &things[at];
}

static void call_create(void)
{
    static const uint32_t sizes[] = {1, 4095, 4096, 4097, 20000, 65536, 300000, 0, 0x7fffffff};
    struct tessera_allocation **place = &things[pick(THINGS)];
    const struct tessera_allocation_options options = {.bytes = sizes[pick(9)],
                                                       .alignment = pick(3) << 12,
                                                       .flags = pick(4) == 0 ? ALLOCATION_UNDEFINED : 0,
                                                       .preferred = tessera_prefer(pick(3), pick(3), pick(3)),
                                                       .read_set = pick(4),
                                                       .write_set = pick(4),
                                                       .priority = pick(3) * 1000};
    if (*place != NULL) return;
    give(tessera_allocation_create(tessera, &options, place));
    if (*place == NULL) return;
    give_number(tessera_allocation_handle(*place));
    give_number(tessera_allocation_bytes(*place));
}

/* Nothing may name what goes. */
static void settle(void)
{
    for (uint32_t i = 0; i < TICKETS; i++) {
        if (tickets[i] != 0) give(tessera_wait(tessera, tickets[i], NULL));
        tickets[i] = 0;
    }
    tessera_stream_clear(stream);
}

static void call_destroy(void)
{
    settle();
    struct tessera_allocation **place = some();
    give(tessera_allocation_destroy(tessera, *place));
    *place = NULL;
}

static void call_content(bool is_write)
{
    static uint8_t bytes[400000];
    struct tessera_allocation *thing = *some();
    uint32_t size = thing != NULL ? tessera_allocation_bytes(thing) : 0, offset = near(size),
             count = near(size - offset);
    if (thing == NULL || count > sizeof bytes) return;
    for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)(is_write ? pick(256) : 0);
    give(is_write ? tessera_write(tessera, thing, offset, bytes, count)
                  : tessera_read(tessera, thing, offset, bytes, count));
    if (!is_write) add(&results, bytes, count);
}

static void call_lock(uint32_t kind)
{
    struct tessera_allocation **place = some(), *thing = *place;
    tessera_ticket *ticket = &tickets[pick(TICKETS)];
    if (thing == NULL || (kind > 1 && *ticket != 0)) return;
    if (kind == 0) give(tessera_lock(tessera, thing, pick(2) != 0 ? LOCK_READ_ONLY : 0));
    else if (kind == 1) give(tessera_unlock(tessera, thing));
    else if (kind == 2) give(tessera_lock_begin(tessera, thing, 0, ticket));
    else if (kind == 3) give(tessera_unlock_begin(tessera, thing, ticket));
    else {
        settle();
        int status = tessera_allocation_destroy_begin(tessera, thing, ticket);
        give(status);
        if (status == TESSERA_OK) *place = NULL;
    }
}

static void call_ticket(void)
{
    struct tessera_completion completion = {0};
    tessera_ticket *ticket = &tickets[pick(TICKETS)];
    if (pick(3) == 0) give_number(tessera_is_done(tessera, *ticket));
    give(tessera_wait(tessera, pick(20) == 0 ? 77777 : *ticket, &completion));
    give_number(completion.detail);
    *ticket = 0;
}

static void call_stream(void)
{
    struct tessera_allocation *thing = *some(), *other = *some();
    uint32_t kind = pick(9), slot = pick(12) == 0 ? near(64) : pick(5);
    const struct tessera_surface surface = {.allocation = thing,
                                            .offset = pick(3) * 64,
                                            .format = 1 + pick(4),
                                            .pitch = 64 << pick(2),
                                            .bytes = pick(4) * 1024,
                                            .is_target = pick(2) != 0};
    const struct tessera_blit blit = {.target = slot,
                                      .source = pick(5),
                                      .mode = pick(5),
                                      .width = near(16),
                                      .height = near(16),
                                      .target_x = pick(3),
                                      .source_y = pick(3),
                                      .value = pick(999),
                                      .rop = pick(256),
                                      .is_keyed = pick(2) != 0,
                                      .key = pick(99),
                                      .is_reverse = pick(2) != 0,
                                      .is_coloured = pick(2) != 0,
                                      .is_premultiplied = pick(2) != 0,
                                      .is_truncated = pick(2) != 0,
                                      .is_by_256 = pick(2) != 0};
    const struct tessera_place target = {thing, pick(64) * 4, slot}, source = {other, pick(64) * 4, pick(5)};
    if (thing == NULL) return;
    if (kind <= 2) give(tessera_stream_bind(stream, slot, &surface));
    else if (kind == 3) give(tessera_stream_unbind(stream, slot));
    else if (kind == 4) give(tessera_stream_fill_rect(stream, slot, pick(9), pick(9), near(16), near(16), pick(999)));
    else if (kind == 5) give(tessera_stream_blit(stream, &blit));
    else if (kind == 6) give(tessera_stream_copy(stream, &target, &source, pick(900)));
    else if (kind == 7) give(tessera_stream_fill(stream, &target, near(4096), pick(999)));
    else if (pick(20) == 0) tessera_stream_large(stream, pick(2) * 20000);
    const uint32_t *parts[3];
    uint32_t words[3];
    tessera_stream_parts(stream, &parts[0], &words[0], &parts[1], &words[1], &parts[2], &words[2]);
    for (unsigned i = 0; i < 3; i++) add(&results, parts[i], 4 * words[i]);
}

static void call_submit(void)
{
    tessera_ticket *ticket = &tickets[pick(TICKETS)];
    if (*ticket != 0) return;
    give(tessera_submit(tessera, context, stream, pick(2), ticket));
    tessera_stream_clear(stream);
}

static void call_other(void)
{
    struct tessera_allocation *thing = *some();
    struct tessera_segment segments[8];
    struct tessera_share share = {0};
    uint32_t numbers[STAT_COUNT] = {0}, count = pick(5), address = 0;
    bool is_discarded = false;
    switch (thing != NULL ? pick(13) : 6 + pick(7)) {
    case 0: give(tessera_set_priority(tessera, thing, pick(99))); break;
    case 1: give(tessera_where(tessera, thing, &numbers[0], &numbers[1])); break;
    case 2: give(tessera_offer(tessera, thing, pick(4))); break;
    case 3: give(tessera_reclaim(tessera, thing, &is_discarded)); break;
    case 4: give(tessera_evict(tessera, pick(2) != 0 ? thing : NULL)); break;
    case 5: give(tessera_share(tessera, thing, pick(4), pick(4))); break;
    case 6: give(tessera_statistics(tessera, numbers)); break;
    case 7: give(tessera_query_segments(tessera, pick(3) != 0 ? segments : NULL, &count)); break;
    case 8: give(tessera_context_query(tessera, pick(3), &share)); break;
    case 9: give(tessera_context_set_budget(tessera, pick(3), pick(99))); break;
    case 10: give(tessera_context_set_priority(tessera, pick(3), (int32_t)pick(9) - 4)); break;
    case 11: give(tessera_set_client(tessera, pick(20) == 0 ? near(8) : 0)); break;
    default:
        give(tessera_staging_take(tessera, &address));
        if (address != 0 && pick(4) != 0) tessera_staging_free(tessera, address);
        break;
    }
    add(&results, numbers, sizeof numbers);
    give_number(count);
    give_number(address);
}

/* ------------------------------------------------------------------ lives */

static int begin(uint32_t number, uint32_t memory_bytes, uint32_t patience)
{
    const struct tessera_options options = {.seed = number, .patience_cycles = patience};
    char message[256] = "";
    fake_device_init(&device, &inner);
    transport = inner;
    transport.register_read = read_register;
    transport.register_write = write_register;
    transport.memory_read = read_memory;
    transport.memory_write = write_memory;
    transport.wait = wait;
    if (memory_bytes != 0) transport.memory_bytes = memory_bytes;
    verb_count = 0;
    int status = tessera_open(&tessera, &transport, &options, message);
    give(status);
    add(&results, message, strlen(message));
    return status;
}

static void end(void)
{
    if (tessera != NULL && stream != NULL) settle();
    for (uint32_t i = 0; i < THINGS; i++)
        if (things[i] != NULL) give(tessera_allocation_destroy(tessera, things[i]));
    if (stream != NULL) tessera_stream_destroy(stream);
    stream = NULL;
    tessera_close(tessera);
    tessera = NULL;
    memset(things, 0, sizeof things);
    memset(tickets, 0, sizeof tickets);
    fake_device_free(&device);
}

static void live(uint32_t number, uint32_t calls, uint32_t memory_bytes)
{
    if (begin(number, memory_bytes, 3000000) == TESSERA_OK) {
        stream = tessera_stream_create();
        give(tessera_context_create(tessera, 0, 0, &context));
        for (uint32_t i = 0; i < calls; i++) {
            uint32_t kind = pick(24);
            if (kind <= 2) call_create();
            else if (kind == 3) call_destroy();
            else if (kind <= 7) call_content(kind <= 5);
            else if (kind <= 11) call_lock(pick(5));
            else if (kind <= 14) call_ticket();
            else if (kind <= 19) call_stream();
            else if (kind == 20) call_submit();
            else call_other();
        }
    }
    end();
}

int main(int argc, char **argv)
{
    if (argc != 3) return printf("usage: test_verbs FOLDER SUMS\n"), 2;
    folder = argv[1];
    sums = argv[2];
    for (uint32_t number = 0; number < 5; number++) live(number, CALLS, number == 4 ? POOL_ADDRESS + 60 * 4096 : 0);
    hold("verbs", verbs);
    hold("verbs-results", results);
    for (uint32_t number = 0; number < 60; number++) {
        fails_at = 1 + (number < 25 ? number : pick(2500));
        live(number, 300, 0);
    }
    fails_at = 0;
    hold("verbs-failing", verbs + 31 * results);
    for (uint32_t pages = 0; pages < 18; pages += pages < 14 ? 2 : 1)
        live(pages, 40, POOL_ADDRESS + pages * 4096 - (pages == 17));
    hold("verbs-memory", verbs + 31 * results);
    device.is_silent = false;
    if (begin(1, 0, 0) == TESSERA_OK) {
        struct tessera_segment none;
        uint32_t count = 0;
        device.is_silent = true; /* for as long as a caller that names no patience waits */
        give(tessera_query_segments(tessera, &none, &count));
        give_number((uint32_t)device.cycles);
    }
    end();
    hold("verbs-patience", results);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed != 0;
}
