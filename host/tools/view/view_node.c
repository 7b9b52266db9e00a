/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes' part of view.h: a span per packet with its fields and what it waited for, a portion or paging buffer
 * around them, arrows at fences, and bytes by cause. Counters are those of the cycle of begin and end, which can
 * charge a cycle or two to the neighbour.
 */
#include "tools/view/view_internal.h"

#include <inttypes.h>
#include <string.h>

#include "gpu_names.h"
#include "gpu_spec.h"

/* The trace holds every packet up to this size; past it portions and paging buffers only. */
static const uint64_t trace_limit_bytes = 256u << 20;

static struct track node_track(unsigned node)
{
    return (struct track){GROUP_GPU, node == 0 ? TRACK_RENDER : TRACK_PAGING};
}

/* ------------------------------------------------------------------ arguments */

static const struct packet_field {
    uint8_t opcode, word, lsb, width;
    bool is_address;
    const char *name;
} fields[] = {
#define PLAIN false
#define ADDR true
#define PKT_FIELD(packet, word, name, lsb, width, kind, doc) {PKT_##packet, word, lsb, width, kind, #name},
#include "gpu.def"
#undef PLAIN
#undef ADDR
};

static uint32_t packet_words(uint32_t opcode)
{
    switch (opcode) {
        /* clang-format off */
#define PKT(name, opcode, words, privilege, doc) \
    case opcode: return words;
#include "gpu.def"
        /* clang-format on */
    default: return 1;
    }
}

struct text {
    char text[512];
    size_t used;
};

static void add(struct text *text, const char *name, const char *format, uint32_t value)
{
    char member[64];
    /* analyse: wrongPrintfScanfArgNum: "%" PRIu32 or an address's format, chosen by the caller */
    int length = snprintf(member, sizeof member, format, value);
    size_t room = sizeof text->text - text->used;
    int used = snprintf(text->text + text->used, room, "%s\"%s\":%s", text->used != 0 ? "," : "", name, member);
    if (length > 0 && used > 0 && (size_t)used < room) text->used += (size_t)used;
    else text->text[text->used] = 0;
}

static void add_nonzero(struct text *text, const char *name, uint32_t value)
{
    if (value != 0) add(text, name, "%" PRIu32, value);
}

static void add_fields(struct text *text, const uint32_t *words)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].opcode != (words[0] & 0xffu)) continue;
        uint32_t value = field_extract(words[fields[i].word], fields[i].lsb, fields[i].width);
        add(text, fields[i].name, fields[i].is_address ? "\"0x%08" PRIx32 "\"" : "%" PRIu32, value);
    }
}

static void add_waits(struct text *text, const struct node_counters *from, const struct node_counters *to)
{
    add_nonzero(text, "waits for command words", to->stall_fetch - from->stall_fetch);
    add_nonzero(text, "waits for a fence", to->stall_fence - from->stall_fence);
    add_nonzero(text, "waits for read data", to->stall_read - from->stall_read);
    add_nonzero(text, "waits for the bus to take data", to->stall_write - from->stall_write);
    add_nonzero(text, "waits for earlier writes", to->stall_drain - from->stall_drain);
    add_nonzero(text, "bytes read from local memory", to->read_local - from->read_local);
    add_nonzero(text, "bytes read from system memory", to->read_system - from->read_system);
    add_nonzero(text, "bytes written to local memory", to->write_local - from->write_local);
    add_nonzero(text, "bytes written to system memory", to->write_system - from->write_system);
}

static void describe(char name[64], unsigned node, const uint32_t *words)
{
    uint32_t opcode = words[0] & 0xffu;
    switch (opcode) {
    case PKT_RUN:
        snprintf(name, 64, "%s, %u bytes", node == 0 ? "portion" : "paging buffer", words[PKT_RUN_BYTES_WORD]);
        break;
    case PKT_FENCE:
    case PKT_WAIT_FENCE: snprintf(name, 64, "%s %u", packet_name(opcode), words[PKT_FENCE_VALUE_WORD]); break;
    case PKT_COPY: snprintf(name, 64, "COPY %u bytes", words[PKT_COPY_BYTES_WORD]); break;
    case PKT_COPY_LIST: snprintf(name, 64, "COPY_LIST %u bytes", words[PKT_COPY_LIST_BYTES_WORD]); break;
    case PKT_FILL: snprintf(name, 64, "FILL %u bytes", words[PKT_FILL_BYTES_WORD]); break;
    case PKT_BLIT:
        snprintf(name, 64, "BLIT %ux%u", FIELD_GET(words[PKT_BLIT_WIDTH_WORD], PKT_BLIT_WIDTH),
                 FIELD_GET(words[PKT_BLIT_HEIGHT_WORD], PKT_BLIT_HEIGHT));
        break;
    case PKT_BLIT_AFFINE:
        snprintf(name, 64, "BLIT_AFFINE %ux%u", FIELD_GET(words[PKT_BLIT_AFFINE_WIDTH_WORD], PKT_BLIT_AFFINE_WIDTH),
                 FIELD_GET(words[PKT_BLIT_AFFINE_HEIGHT_WORD], PKT_BLIT_AFFINE_HEIGHT));
        break;
    default: snprintf(name, 64, "%s", packet_name(opcode)); break;
    }
}

/* ------------------------------------------------------------------ bytes by cause */

static bool is_system(uint32_t address) { return address >= GPU_LIMIT(ADDR_SYSTEM); }

static void count_move(struct traffic *traffic, uint32_t source, uint32_t target, uint64_t bytes)
{
    if (is_system(source) && !is_system(target)) traffic->paging_in += bytes;
    else if (!is_system(source) && is_system(target)) traffic->paging_out += bytes;
    else traffic->moved += bytes;
}

static void count_paging(struct traffic *traffic, const uint32_t *words)
{
    switch (words[0] & 0xffu) {
    case PKT_COPY:
        count_move(traffic, words[PKT_COPY_SOURCE_WORD], words[PKT_COPY_TARGET_WORD], words[PKT_COPY_BYTES_WORD]);
        break;
    case PKT_COPY_2D:
    case PKT_TILE: /* words 1 to 3 of both mean the same */
        count_move(traffic, words[PKT_TILE_SOURCE_WORD], words[PKT_TILE_TARGET_WORD],
                   (uint64_t)FIELD_GET(words[PKT_TILE_ROWS_WORD], PKT_TILE_ROWS) *
                       FIELD_GET(words[PKT_TILE_ROW_BYTES_WORD], PKT_TILE_ROW_BYTES));
        break;
    case PKT_COPY_LIST:
        *(FIELD_GET(words[0], PKT_COPY_LIST_TO_SYSTEM) != 0 ? &traffic->paging_out : &traffic->paging_in) +=
            words[PKT_COPY_LIST_BYTES_WORD];
        break;
    case PKT_FILL: traffic->filled += words[PKT_FILL_BYTES_WORD]; break;
    case PKT_MAP:
    case PKT_MAP_LIST: /* its count lies in the same place */
        traffic->mapped += (uint64_t)FIELD_GET(words[PKT_MAP_COUNT_WORD], PKT_MAP_COUNT) * GPU_LIMIT(PAGE_BYTES);
        break;
    default: break;
    }
}

_Static_assert((int)PKT_TILE_SOURCE_WORD == (int)PKT_COPY_2D_SOURCE_WORD &&
                   (int)PKT_TILE_TARGET_WORD == (int)PKT_COPY_2D_TARGET_WORD &&
                   (int)PKT_TILE_ROWS_WORD == (int)PKT_COPY_2D_ROWS_WORD &&
                   (int)PKT_TILE_ROWS_LSB == (int)PKT_COPY_2D_ROWS_LSB &&
                   (int)PKT_TILE_ROW_BYTES_WORD == (int)PKT_COPY_2D_ROW_BYTES_WORD,
               "count_paging reads both packets alike");

/* ------------------------------------------------------------------ waits for the firmware */

/* A node that has nothing to do while the firmware is busy waits for it; gaps between packets are too short to see. */
void view_firmware_wait(struct view *view, uint64_t cycle, unsigned node)
{
    enum { SHORTEST = 64 };
    if (view->depth[node] != 0 || view->is_idle || !view->has_counters) return;
    if (cycle >= view->free_since[node] + (uint64_t)SHORTEST && timeline_bytes(view->timeline) <= trace_limit_bytes)
        timeline_span(view->timeline, node_track(node), view->free_since[node], cycle, "waits for the firmware", NULL);
    view->free_since[node] = cycle;
}

/* ------------------------------------------------------------------ the probe */

void view_packet_begin(void *context, uint64_t cycle, unsigned node, uint32_t offset, const uint32_t *words)
{
    struct view *view = context;
    uint32_t opcode = words[0] & 0xffu, depth;
    if (node >= VIEW_NODES) return;
    view->now = cycle;
    draws_packet_begin(view->draws, cycle, node, offset, words);
    view_firmware_wait(view, cycle, node);
    depth = view->depth[node]++;
    if (depth < VIEW_DEPTH) {
        struct open_packet *packet = &view->open[node][depth];
        uint32_t count = 0;
        while (count < VIEW_WORDS && count < packet_words(opcode)) {
            packet->words[count] = words[count];
            count++;
        }
        packet->begin = cycle;
        packet->at = view->counters.node[node];
    }
    if (node == 1) count_paging(&view->traffic, words);
    if (opcode == PKT_FENCE) {
        uint32_t fence = words[PKT_FENCE_VALUE_WORD];
        view->passed[node][fence % VIEW_FENCES] = (struct passed){fence, cycle};
        timeline_flow(view->timeline, node_track(node), cycle, 'f', node == 0 ? "portion" : "paging", fence);
    }
}

/* An arrow from the other node's fence to the end of the wait for it. */
static void show_wait(struct view *view, uint64_t cycle, unsigned node, uint32_t fence)
{
    const struct passed *passed = &view->passed[node ^ 1u][fence % VIEW_FENCES];
    if (passed->fence != fence || passed->cycle == 0 || passed->cycle >= cycle) return;
    timeline_flow(view->timeline, node_track(node ^ 1u), passed->cycle, 's', "wait", ++view->waits);
    timeline_flow(view->timeline, node_track(node), cycle - 1u, 'f', "wait", view->waits);
}

void view_packet_end(void *context, uint64_t cycle, unsigned node)
{
    struct view *view = context;
    struct text text = {.used = 0};
    char name[64];
    if (node >= VIEW_NODES || view->depth[node] == 0) return;
    uint32_t depth = --view->depth[node];
    view->free_since[node] = cycle;
    if (cycle > view->now) view->now = cycle;
    if (depth >= VIEW_DEPTH) return;
    const struct open_packet *packet = &view->open[node][depth];
    uint32_t opcode = packet->words[0] & 0xffu;
    draws_packet_end(view->draws, cycle, node);
    bool is_small = opcode != PKT_RUN && opcode != PKT_FENCE && opcode != PKT_WAIT_FENCE;
    if (is_small && timeline_bytes(view->timeline) > trace_limit_bytes) {
        if (!view->has_left_out)
            timeline_instant(view->timeline, node_track(node), cycle, "the file is long: no single packets from here",
                             NULL);
        view->has_left_out = true;
        return;
    }
    describe(name, node, packet->words);
    add_fields(&text, packet->words);
    add_waits(&text, &packet->at, &view->counters.node[node]);
    timeline_span(view->timeline, node_track(node), packet->begin, cycle, name, text.text);
    if (opcode == PKT_WAIT_FENCE) show_wait(view, cycle, node, packet->words[PKT_WAIT_FENCE_VALUE_WORD]);
}

void view_counters(void *context, uint64_t cycle, const struct probe_counters *counters)
{
    struct view *view = context;
    account_until(&view->account, cycle, counters, view->is_idle);
    view->counters = *counters;
    view->has_counters = true;
    if (cycle > view->now) view->now = cycle;
    if (cycle % PROBE_SAMPLE == 0) view_sample(view, cycle);
}
