/* SPDX-License-Identifier: Apache-2.0
 * See second_log.h. */
#include "second_log.h"

#include <string.h>

enum { PAGE = 4096, DEPTH = 2, RANGES = 2, COMMAND_WORDS = 16384 };

struct range {
    uint32_t first, bytes;
};

struct packet_at_work {
    uint32_t opcode, fence;
    struct range range[RANGES]; /* what it reads or writes; of MAP_LIST and UNMAP, what it configures */
};

/* An allocation of which idleness was promised: nothing may touch it before the operation's own first packet. */
struct watch {
    bool is_on;
    struct range source, target; /* of the operation, the whole allocation each */
    uint32_t buffer;             /* where its packets begin */
};

struct log log_of_chip;

static struct packet_at_work at_work[2][DEPTH];
static uint32_t depth[2];
static struct watch watch;
static struct range allocations[LOG_ALLOCATIONS]; /* handle and bytes */
static uint32_t allocation_count, built_words;
static uint32_t built[COMMAND_WORDS]; /* the command RAM as the driver left it; 0: not written by it */
static bool is_mapped[LOG_BUSY_PAGES];

static bool overlap(struct range a, struct range b)
{
    return a.bytes != 0u && b.bytes != 0u && a.first - b.first < b.bytes
               ? true
               : a.bytes != 0u && b.bytes != 0u && b.first - a.first < a.bytes;
}

static bool touches(const struct packet_at_work *packet, struct range range)
{
    return overlap(packet->range[0], range) || overlap(packet->range[1], range);
}

void log_allocation(uint32_t handle, uint32_t bytes)
{
    if (allocation_count < LOG_ALLOCATIONS) allocations[allocation_count++] = (struct range){handle, bytes};
}

uint32_t log_bytes(uint32_t handle)
{
    for (uint32_t i = 0; i < allocation_count; i++)
        if (allocations[i].first == handle) return allocations[i].bytes;
    return 0;
}

/* ------------------------------------------------------------------ packets */

static bool is_configuring(uint32_t opcode) { return opcode == PKT_MAP_LIST || opcode == PKT_UNMAP; }

static struct packet_at_work describe(const uint32_t *words)
{
    struct packet_at_work packet = {.opcode = words[0] & 0xffu};
    uint32_t rows, pitch;
    switch (packet.opcode) {
    case PKT_FENCE: packet.fence = words[1]; break;
    case PKT_COPY:
        packet.range[0] = (struct range){words[1], words[3]};
        packet.range[1] = (struct range){words[2], words[3]};
        break;
    case PKT_FILL:
    case PKT_COPY_LIST: packet.range[0] = (struct range){words[1], words[2]}; break; /* of a list the local side */
    case PKT_COPY_2D:
        rows = FIELD_GET(words[3], PKT_COPY_2D_ROWS);
        pitch = FIELD_GET(words[4], PKT_COPY_2D_SOURCE_PITCH);
        packet.range[0] = (struct range){words[1], (rows - 1u) * pitch + FIELD_GET(words[3], PKT_COPY_2D_ROW_BYTES)};
        pitch = FIELD_GET(words[4], PKT_COPY_2D_TARGET_PITCH);
        packet.range[1] = (struct range){words[2], (rows - 1u) * pitch + FIELD_GET(words[3], PKT_COPY_2D_ROW_BYTES)};
        break;
    case PKT_MAP_LIST:
    case PKT_UNMAP:
        packet.range[0] = (struct range){GPU_LIMIT(ADDR_APERTURE) + FIELD_GET(words[1], PKT_MAP_FIRST) * PAGE,
                                         FIELD_GET(words[2], PKT_MAP_COUNT) * PAGE};
        break;
    default: break;
    }
    return packet;
}

/* PGB-13: as the driver wrote it. */
static void compare_words(uint32_t offset, const uint32_t *words)
{
    uint32_t opcode = words[0] & 0xffu, count = PKT_COPY_WORDS;
    if (opcode < PKT_MAP || opcode > PKT_COPY_LIST) return; /* of the ring */
    if (opcode == PKT_COPY_2D) count = PKT_COPY_2D_WORDS;
    if (opcode == PKT_TOUCH) count = PKT_TOUCH_WORDS;
    log_of_chip.compared++;
    log_of_chip.changed += memcmp(words, built + offset / 4u, count * sizeof *words) != 0;
}

static void set_mapped(const struct packet_at_work *packet, bool value)
{
    uint32_t first = (packet->range[0].first - GPU_LIMIT(ADDR_APERTURE)) / PAGE;
    for (uint32_t i = 0; i < packet->range[0].bytes / PAGE && first + i < LOG_BUSY_PAGES; i++)
        is_mapped[first + i] = value;
}

/* PGB-38, from the render node's side. */
static void check_aperture(const struct packet_at_work *packet)
{
    const struct range aperture = {GPU_LIMIT(ADDR_APERTURE), LOG_BUSY_PAGES * PAGE};
    if (!touches(packet, aperture)) return;
    log_of_chip.through_aperture++;
    for (uint32_t page = 0; page < LOG_BUSY_PAGES; page++) {
        const struct range one = {aperture.first + page * PAGE, PAGE};
        log_of_chip.unmapped += touches(packet, one) && !is_mapped[page];
    }
    for (uint32_t i = 0; i < depth[NODE_PAGING]; i++) {
        const struct packet_at_work *other = &at_work[NODE_PAGING][i];
        log_of_chip.in_configuration += is_configuring(other->opcode) && touches(packet, other->range[0]);
    }
}

/* PGB-26..PGB-28. The place that content comes to may have been another allocation's: there, only paging counts. */
static void check_watch(unsigned node, const struct packet_at_work *packet)
{
    bool is_inside = touches(packet, watch.source) || (node == NODE_PAGING && touches(packet, watch.target));
    if (is_configuring(packet->opcode)) return;
    log_of_chip.not_idle += watch.is_on && is_inside;
}

static void on_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct packet_at_work packet = describe(words);
    (void)context, (void)cycle;
    log_of_chip.packets[node]++;
    if (node == NODE_PAGING) compare_words(offset, words);
    if (node == NODE_PAGING && offset == watch.buffer) watch.is_on = false;
    check_watch(node, &packet);
    if (node == NODE_RENDER) check_aperture(&packet);
    if (node == NODE_PAGING && is_configuring(packet.opcode)) {
        log_of_chip.configurations++;
        if (packet.opcode == PKT_UNMAP) set_mapped(&packet, false);
        for (uint32_t i = 0; i < depth[NODE_RENDER]; i++)
            log_of_chip.in_configuration += touches(&at_work[NODE_RENDER][i], packet.range[0]);
    }
    if (depth[node] < DEPTH) at_work[node][depth[node]++] = packet;
}

static void on_end(void *context, uint64_t cycle, unsigned node)
{
    (void)context, (void)cycle;
    if (depth[node] == 0u) return;
    const struct packet_at_work *packet = &at_work[node][--depth[node]];
    if (packet->opcode == PKT_FENCE) log_of_chip.fence[node] = packet->fence;
    if (packet->opcode == PKT_MAP_LIST) set_mapped(packet, true);
}

/* ------------------------------------------------------------------ calls */

/* The arguments are complete: what do they promise? */
static void begin_watch(const struct log_call *call)
{
    uint32_t bytes = log_bytes(call->word[BUILD_HANDLE]);
    if (!log_is_idle(call)) return;
    log_of_chip.idle_calls++;
    watch = (struct watch){.is_on = true, .buffer = call->word[BUILD_BUFFER]};
    if (call->word[BUILD_OPERATION] == DDI_DISCARD_CONTENT) {
        watch.source = (struct range){log_union(call, DISCARD_ADDRESS), bytes};
    } else {
        if (log_union(call, TRANSFER_FROM_SEGMENT) != 0u)
            watch.source = (struct range){log_union(call, TRANSFER_FROM_ADDRESS), bytes};
        if (log_union(call, TRANSFER_TO_SEGMENT) != 0u)
            watch.target = (struct range){log_union(call, TRANSFER_TO_ADDRESS), bytes};
    }
    for (unsigned node = 0; node < 2; node++)
        for (uint32_t i = 0; i < depth[node]; i++) check_watch(node, &at_work[node][i]);
}

static void end_build(struct log_call *call)
{
    bool is_discard = call->word[BUILD_OPERATION] == DDI_DISCARD_CONTENT;
    uint32_t from = is_discard ? log_union(call, DISCARD_ADDRESS) : log_union(call, TRANSFER_FROM_ADDRESS);
    const struct range place = {from, log_bytes(call->word[BUILD_HANDLE])};
    if (call->word[BUILD_AFTER_BUFFER] == call->word[BUILD_BUFFER]) watch.is_on = false; /* no packet will come */
    if (call->status != DDI_ALLOCATION_BUSY || from == 0u) return;
    for (uint32_t i = 0; i < depth[NODE_RENDER]; i++)
        if (touches(&at_work[NODE_RENDER][i], place)) {
            log_of_chip.busy_in_use++;
            return;
        }
}

static void on_event(void *context, uint64_t cycle, uint32_t event, uint32_t argument)
{
    static struct log_call spare;
    struct log_call *call = log_of_chip.calls != 0u ? &log_of_chip.call[log_of_chip.calls - 1u] : &spare;
    (void)context, (void)cycle;
    switch (event) {
    case SECOND_CALL:
        log_of_chip.nested += log_of_chip.calls != 0u && !call->is_done;
        if (log_of_chip.calls < LOG_CALLS) call = &log_of_chip.call[log_of_chip.calls++];
        else log_of_chip.overflow++;
        *call = (struct log_call){.kind = (enum second_call)argument, .paging_fence = log_of_chip.fence[NODE_PAGING]};
        built_words = 0;
        break;
    case SECOND_WORD:
        if (call->count < BUILD_WORDS) call->word[call->count++] = argument;
        if (call->kind == CALL_BUILD && call->count == BUILD_AFTER_BUFFER) begin_watch(call);
        break;
    case SECOND_BUILT: built[(call->word[BUILD_BUFFER] / 4u + built_words++) % COMMAND_WORDS] = argument; break;
    case SECOND_RETURN:
        call->status = argument;
        call->is_done = true;
        if (call->kind == CALL_BUILD) end_build(call);
        break;
    default: break;
    }
}

void log_begin(struct probe *probe)
{
    memset(&log_of_chip, 0, sizeof log_of_chip);
    memset(built, 0, sizeof built);
    memset(is_mapped, 0, sizeof is_mapped);
    depth[0] = depth[1] = allocation_count = 0;
    watch = (struct watch){0};
    *probe = (struct probe){.packet_begin = on_begin, .packet_end = on_end, .firmware = on_event};
}
