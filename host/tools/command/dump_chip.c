/* SPDX-License-Identifier: Apache-2.0
 *
 * A portion on the simulated chip's render node, without firmware: the core is stopped before its first instruction,
 * and its debug unit writes command RAM and the node's registers. The ring has the grants, the aperture's pages, a RUN
 * and a FENCE.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/command/dump_again.h"
#include "lib/gdb/debug.h"
#include "gpu_names.h"

enum {
    PAGE = LIMIT_BITS_PAGE_BYTES,
    ENTRIES_LOG2 = 12,
    BUFFER_AT = 4 << ENTRIES_LOG2, /* in command RAM, after the ring */
    POLLS = 1000,
    SLICE = 1000,
    DONE = 1 /* fence */
};

static const struct work_limits own_limits = {POLLS * SLICE, POLLS *SLICE}; /* of the replay's own packets */

struct chip {
    struct platform platform;
    struct debug debug;
    uint32_t tail, fence;
    bool has_failed; /* a verb of the transport or of the debug unit */
};

static void put(struct chip *chip, uint32_t address, uint32_t value)
{
    if (!chip->has_failed) chip->has_failed = debug_write(&chip->debug, address, &value, sizeof value) != DEBUG_OK;
}

static void put_register(struct chip *chip, uint32_t offset, uint32_t value)
{
    put(chip, GPU_LIMIT(ADDR_REGISTERS) + offset, value);
}

static uint32_t get_register(struct chip *chip, uint32_t offset)
{
    struct transport *transport = &chip->platform.transport;
    uint32_t value = 0;
    if (transport->register_read(transport->context, offset, &value) != TRANSPORT_OK) chip->has_failed = true;
    return value;
}

static void push(struct chip *chip, uint32_t word)
{
    put(chip, GPU_LIMIT(ADDR_COMMAND) + (chip->tail++ & field_mask(ENTRIES_LOG2)) * 4u, word);
}

static void pass(struct chip *chip, uint32_t cycles)
{
    struct transport *transport = &chip->platform.transport;
    if (!chip->has_failed && transport->wait(transport->context, cycles) != TRANSPORT_OK) chip->has_failed = true;
}

/* The ring so far runs. True: up to its end; false: it stops, or takes too long in all or for a packet. */
static bool drain(struct chip *chip, const struct work_limits *limits)
{
    uint64_t since = 0;
    uint32_t packets = 0;
    push(chip, PKT_FENCE);
    push(chip, ++chip->fence);
    put_register(chip, NODE_TAIL_OFFSET, chip->tail);
    for (uint64_t spent = 0; spent <= limits->portion && !chip->has_failed; spent += SLICE) {
        const uint32_t now = get_register(chip, NODE_PACKETS_OFFSET);
        if (now != packets) since = spent;
        packets = now;
        if (spent - since > limits->packet) return false;
        if (get_register(chip, NODE_FENCE_OFFSET) == chip->fence) return true;
        if (FIELD_GET(get_register(chip, NODE_STATUS_OFFSET), NODE_STATUS_HALTED) != 0) return false;
        pass(chip, SLICE);
    }
    return false;
}

static void push_guard(struct chip *chip, uint32_t first, uint32_t pages, bool may_read, bool may_write)
{
    push(chip, PKT_GUARD | FIELD_PUT(may_read, PKT_GUARD_READ) | FIELD_PUT(may_write, PKT_GUARD_WRITE));
    push(chip, first);
    push(chip, pages);
}

static void push_map(struct chip *chip, uint32_t first, uint32_t pages, uint32_t frame)
{
    push(chip, PKT_MAP);
    push(chip, first);
    push(chip, pages);
    push(chip, frame);
}

/* Grants and pages of one allocation. */
static void grant(struct chip *chip, const struct tdump *dump, const struct place *place)
{
    const uint32_t outside = chip->platform.transport.memory_bytes / PAGE;
    push_guard(chip, place->space * (uint32_t)PLACES_SPACE_PAGES + place->first_page, place->pages, true,
               place->may_write);
    if (place->space != 2) return;
    push_map(chip, place->first_page, place->pages, place->frame);
    for (uint32_t i = 0; i < place->pages; i++) {
        if (!places_is_outside(dump, place->allocation, i)) continue;
        push_map(chip, place->first_page + i, 1, outside);
        if (i % 256u == 255u) (void)drain(chip, &own_limits); /* the ring has room for so many */
    }
}

/* A stopped core, and a node that runs an empty ring. */
static bool bring_up(struct chip *chip)
{
    struct transport *transport = &chip->platform.transport;
    uint32_t status = 0;
    if (debug_attach(&chip->debug, transport) != DEBUG_OK || debug_stop(&chip->debug) != DEBUG_OK) return false;
    if (transport->register_write(transport->context, HOST_CONTROL_OFFSET, FIELD_PUT(1, HOST_CONTROL_CORE_RUN)) !=
        TRANSPORT_OK)
        return false;
    for (unsigned poll = 0; poll < POLLS && FIELD_GET(status, DEBUG_STATUS_STOPPED) == 0; poll++) {
        pass(chip, 1);
        if (chip->has_failed || debug_status(&chip->debug, &status) != DEBUG_OK) return false;
    }
    put_register(chip, NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_RESET));
    for (unsigned poll = 0; poll < POLLS; poll++)
        if (FIELD_GET(get_register(chip, NODE_CONTROL_OFFSET), NODE_CONTROL_RESET) == 0) break;
    put_register(chip, NODE_FENCE_OFFSET, 0);
    put_register(chip, NODE_RING_BASE_OFFSET, 0);
    put_register(chip, NODE_RING_SIZE_OFFSET, ENTRIES_LOG2);
    chip->tail = get_register(chip, NODE_HEAD_OFFSET);
    put_register(chip, NODE_TAIL_OFFSET, chip->tail);
    put_register(chip, NODE_CONTROL_OFFSET, FIELD_PUT(1, NODE_CONTROL_ENABLE));
    push_guard(chip, 0, PLACES_SPACES * PLACES_SPACE_PAGES, false, false);
    return drain(chip, &own_limits) && !chip->has_failed;
}

/* True: it did not end well, and *again says how. */
static bool run(struct chip *chip, const struct again_part *part, const struct work_limits *limits, struct again *again)
{
    for (uint32_t i = 0; i < part->count && !chip->has_failed; i++)
        put(chip, GPU_LIMIT(ADDR_COMMAND) + BUFFER_AT + i * 4u, part->words[i]);
    push(chip, PKT_RUN);
    push(chip, BUFFER_AT);
    push(chip, part->count * 4u);
    if (drain(chip, limits)) return false;
    if (chip->has_failed) {
        again->has_run = false;
        snprintf(again->text, sizeof again->text, "the simulated chip cannot be driven: %.200s",
                 chip->platform.transport.error);
        return true;
    }
    if (FIELD_GET(get_register(chip, NODE_STATUS_OFFSET), NODE_STATUS_HALTED) == 0) {
        again->reason = TDUMP_TIMEOUT;
        snprintf(again->text, sizeof again->text, "TIMEOUT: a packet over %llu cycles, or the portion over %llu",
                 (unsigned long long)limits->packet, (unsigned long long)limits->portion);
        return true;
    }
    again->reason = TDUMP_FAULT;
    again->value = FIELD_GET(get_register(chip, NODE_ERROR_OFFSET), NODE_ERROR_CODE);
    snprintf(again->text, sizeof again->text, "%s at address 0x%08x: byte %u, word 0x%08x", fault_name(again->value),
             get_register(chip, NODE_ERROR_ADDRESS_OFFSET),
             part->start + get_register(chip, NODE_ERROR_PACKET_OFFSET) - BUFFER_AT,
             get_register(chip, NODE_ERROR_WORD_OFFSET));
    return true;
}

static void run_all(struct chip *chip, const struct tdump *dump, const struct places *places, uint32_t *patched,
                    struct again *again)
{
    const struct work_limits limits = places_limits(dump);
    struct again_part part;
    if (!bring_up(chip)) {
        snprintf(again->text, sizeof again->text, "the simulated chip cannot be driven: it has no debug unit");
        return;
    }
    for (uint32_t i = 0; i < places->count; i++) {
        grant(chip, dump, &places->place[i]);
        if (!drain(chip, &own_limits)) { /* the replay's own packets */
            snprintf(again->text, sizeof again->text, "the simulated chip does not take the grants of allocation %u",
                     places->place[i].allocation->handle);
            return;
        }
    }
    snprintf(again->text, sizeof again->text, "%s", again_no_places);
    for (uint32_t i = 0; again_part(dump, places, i, patched, &part); i++) {
        if (!part.has_places) continue;
        again->has_run = true;
        if (run(chip, &part, &limits, again)) return;
        snprintf(again->text, sizeof again->text, "%s", again_to_its_end);
    }
}

void again_chip(const struct tdump *dump, const struct platform_options *options, struct again *again)
{
    struct places places = {0};
    struct chip *chip = calloc(1, sizeof *chip);
    char message[256] = "out of memory";
    if (!again_is_possible(dump, again)) {
        free(chip);
        return;
    }
    uint32_t *patched = calloc(tdump_guilty(dump)->word_count, sizeof *patched);
    if (chip == NULL || patched == NULL || !places_find(&places, dump, tdump_guilty(dump)) ||
        platform_open(&chip->platform, options, message) != 0) {
        snprintf(again->text, sizeof again->text, "%.250s", message);
    } else {
        run_all(chip, dump, &places, patched, again);
        chip->platform.transport.close(chip->platform.transport.context);
    }
    free(chip);
    free(patched);
    places_free(&places);
}
