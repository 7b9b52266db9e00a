/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of malformed inputs. Expected details are what the STATUS rows of spec/gpu.def promise: a byte
 * offset in the DMA buffer, an entry's index, a message word, or the offending bits.
 *
 * Offsets: every stream starts with BIND at 0 (address word 4), BIND at 16 (address word 20), BLIT at 32; what
 * a case adds starts at byte 56 with list entry 2 and patch entry 2 as the last ones before it.
 */
#include <string.h>

#include "tools/command/bad_input.h"

enum { TARGET = 1, SOURCE = 2, SECOND = BAD_INPUT_START }; /* list indices; offset of what a case adds */

/* ------------------------------------------------------------------ helpers */

static void words(struct bench *bench, uint32_t count, const uint32_t *list)
{
    (void)tessera_stream_raw(bench->stream, list, count);
}
#define WORDS(bench, ...) words(bench, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static void patch(struct bench *bench, uint32_t index, uint32_t slot, uint32_t offset, uint32_t place, uint32_t split)
{
    const uint32_t entry[LIMIT_BITS_PATCH_ENTRY_WORDS] = {index, slot, 0, offset, place, split};
    (void)tessera_stream_patch(bench->stream, entry);
}

static void bind(struct bench *bench, uint32_t slot, uint32_t format, uint32_t bytes)
{
    WORDS(bench, PKT_BIND | FIELD_PUT(slot, PKT_BIND_SLOT) | FIELD_PUT(format, PKT_BIND_FORMAT), 0, 64, bytes);
}

static uint32_t draw(uint32_t target, uint32_t source, uint32_t mode)
{
    return PKT_BLIT | FIELD_PUT(target, PKT_BLIT_TARGET) | FIELD_PUT(source, PKT_BLIT_SOURCE) |
           FIELD_PUT(mode, PKT_BLIT_MODE);
}

/* ------------------------------------------------------------------ commands */

static void unknown_opcode(struct bench *bench) { WORDS(bench, 0x55); }
static void privileged(struct bench *bench) { WORDS(bench, PKT_FENCE, 1); }
static void truncated(struct bench *bench) { WORDS(bench, draw(0, 1, BLIT_COPY), 0, 0); }
static void reserved_bits(struct bench *bench) { WORDS(bench, PKT_NOP | 0x80000000u); }
static void reserved_bits_inside(struct bench *bench) /* above BIND's pitch */
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    WORDS(bench, PKT_BIND | FIELD_PUT(2, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_RGB565, PKT_BIND_FORMAT), 0, 0x10000 | 64,
          64);
}
static void uncovered_address(struct bench *bench) { bind(bench, 2, FORMAT_RGB565, 64); }
static void unbound_slot(struct bench *bench) { WORDS(bench, draw(0, 9, BLIT_COPY), 0, 0, 4u | 4u << 16, 0, 0); }
static void bad_mode(struct bench *bench) { WORDS(bench, draw(0, 1, 7), 0, 0, 4u | 4u << 16, 0, 0); }

/* BIND is the split point: a palette of before would be gone. */
static void no_palette(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_INDEX8, 64);
    WORDS(bench, draw(0, 2, BLIT_COPY), 0, 0, 4u | 1u << 16, 0, 0);
}

static void odd_palette(struct bench *bench)
{
    patch(bench, SOURCE, 2, 128, SECOND + 4, SECOND);
    WORDS(bench, PKT_PALETTE, 0);
}

/* 64 bytes hold 128 units of 4 bits; rows of 16. */
static void wide_mask(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    WORDS(bench, PKT_BIND | FIELD_PUT(2, PKT_BIND_SLOT) | FIELD_PUT(FORMAT_A4, PKT_BIND_FORMAT), 0, 16, 64);
    WORDS(bench, draw(0, 2, BLIT_BLEND), 0, 1, 16u | 8u << 16, 0xff, 0);
}

static void no_format(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_A4 + 1u, 64);
}

static void wide_rectangle(struct bench *bench) /* the last row leaves the 8192 bytes bound */
{
    WORDS(bench, draw(0, 1, BLIT_COPY), 0, 0, 4u | 129u << 16, 0, 0);
}

/* 4 x 4 units from 4 x 4, `first` on the source's left edge, steps of `step` to the right and none down. */
static void draw_by_map(struct bench *bench, uint32_t first, uint32_t step)
{
    WORDS(bench, draw(0, 1, BLIT_COPY) - PKT_BLIT + PKT_BLIT_AFFINE, 0, 0, 4u | 4u << 16, 0, 0, 4u | 4u << 16, first, 0,
          step, 0, 0, 0x10000);
}
static void flat_map(struct bench *bench) { draw_by_map(bench, 0, 0); }
static void far_map(struct bench *bench) { draw_by_map(bench, 0x7fffffff, 0x10000); }

static void copy_past_end(struct bench *bench)
{
    patch(bench, SOURCE, 2, 8190, SECOND + 4, SECOND);
    patch(bench, TARGET, 3, 0, SECOND + 8, SECOND);
    WORDS(bench, PKT_COPY, 0, 0, 3);
}

static void copy_wraps(struct bench *bench) /* offset + length passes 2^32 */
{
    patch(bench, SOURCE, 2, 4, SECOND + 4, SECOND);
    patch(bench, TARGET, 3, 0, SECOND + 8, SECOND);
    WORDS(bench, PKT_COPY, 0, 0, 0xfffffffe);
}

static void bind_past_end(struct bench *bench)
{
    patch(bench, SOURCE, 2, 4096, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 4097);
}

static void offset_past_end(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0xfffff000, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 4096);
}

static void fill_source(struct bench *bench) /* list entry 2 has no WriteOperation */
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    WORDS(bench, PKT_FILL, 0, 4, 0);
}

static void draw_into_source(struct bench *bench) { WORDS(bench, draw(1, 0, BLIT_COPY), 0, 0, 4u | 4u << 16, 0, 0); }

static void null_source(struct bench *bench)
{
    patch(bench, 0, 2, 0, SECOND + 4, SECOND);
    patch(bench, TARGET, 3, 0, SECOND + 8, SECOND);
    WORDS(bench, PKT_COPY, 0, 0, 4);
}

/* The COPY's source row is given away at a later split point, then the copy is repeated through ... nothing:
 * a draw from slot 1 after row 1 went to another allocation through a COPY that does not rebind the register. */
static void stale_row(struct bench *bench)
{
    patch(bench, TARGET, 1, 0, SECOND + 4, SECOND);
    WORDS(bench, PKT_FILL, 0, 4, 0);
    WORDS(bench, draw(0, 1, BLIT_COPY), 0, 0, 4u | 4u << 16, 0, 0);
}

/* ------------------------------------------------------------------ lists */

static void split_decreases(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, 0);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void split_inside_packet(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND - 4);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void split_after_packet(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND + 16);
    bind(bench, 2, FORMAT_RGB565, 64);
    WORDS(bench, PKT_NOP);
}

static void slot_range(struct bench *bench)
{
    patch(bench, SOURCE, 64, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void slot_reserved(struct bench *bench)
{
    patch(bench, SOURCE, 2u | 1u << 24, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void slot_differs(struct bench *bench)
{
    patch(bench, SOURCE, 3, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void index_range(struct bench *bench)
{
    patch(bench, 3, 2, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void patch_plain_word(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 8, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void patch_outside(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, 0x10000, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void patch_twice(struct bench *bench)
{
    patch(bench, SOURCE, 2, 0, SECOND + 4, SECOND);
    patch(bench, TARGET, 2, 0, SECOND + 4, SECOND);
    bind(bench, 2, FORMAT_RGB565, 64);
}

static void list_allocation(struct bench *bench, struct tessera_allocation *allocation)
{
    uint32_t index;
    (void)tessera_stream_list(bench->stream, allocation, false, &index);
}
static void locked_allocation(struct bench *bench) { list_allocation(bench, bench->locked); }
static void offered_allocation(struct bench *bench) { list_allocation(bench, bench->offered); }

static void write_staged(struct bench *bench, uint32_t address, uint32_t word)
{
    struct transport *transport = tessera_transport(bench->tessera);
    (void)transport->memory_write(transport->context, address, &word, 4);
}

static uint32_t staged_entry(const struct bench *bench) { return bench->message[MSG_SUBMIT_LIST] + 8 * SOURCE; }
static void unknown_handle(struct bench *bench) { write_staged(bench, staged_entry(bench), 0x00dead00); }
static void list_flags(struct bench *bench) { write_staged(bench, staged_entry(bench) + 4, 0x10); }

/* ------------------------------------------------------------------ lengths and addresses that lie */

static uint32_t memory_end(const struct bench *bench) { return tessera_transport(bench->tessera)->memory_bytes; }

static void dma_odd(struct bench *bench) { bench->message[MSG_SUBMIT_DMA_BYTES] += 2; }
static void dma_long(struct bench *bench) { bench->message[MSG_SUBMIT_DMA_BYTES] = GPU_LIMIT(DMA_BYTES_MAX) + 4; }
static void dma_misaligned(struct bench *bench) { bench->message[MSG_SUBMIT_DMA] += 2; }
static void dma_outside(struct bench *bench) { bench->message[MSG_SUBMIT_DMA] = memory_end(bench) - 4; }
static void dma_wraps(struct bench *bench) { bench->message[MSG_SUBMIT_DMA] = 0xfffffffc; }
static void list_long(struct bench *bench) { bench->message[MSG_SUBMIT_LIST_COUNT] = 0x20000001; }
static void list_outside(struct bench *bench) { bench->message[MSG_SUBMIT_LIST] = memory_end(bench) - 8; }
static void patches_long(struct bench *bench)
{
    bench->message[MSG_SUBMIT_PATCH_COUNT] = GPU_LIMIT(LIST_ENTRIES_MAX) + 1;
}
static void patches_outside(struct bench *bench) { bench->message[MSG_SUBMIT_PATCHES] = memory_end(bench) - 24; }
static void list_short(struct bench *bench) { bench->message[MSG_SUBMIT_LIST_COUNT] = 1; }
static void patches_short(struct bench *bench) { bench->message[MSG_SUBMIT_PATCH_COUNT] = 1; }
static void submit_flags(struct bench *bench) { bench->message[MSG_SUBMIT_FLAGS] = 0x40; }
static void unknown_context(struct bench *bench) { bench->message[MSG_SUBMIT_CONTEXT] = 0xabcd; }

/* ------------------------------------------------------------------ other messages */

static void message(struct bench *bench, uint32_t code)
{
    memset(bench->message, 0, sizeof bench->message);
    bench->message[0] = code;
}

static void unknown_message(struct bench *bench) { message(bench, 0x77); }

/* A creation that would succeed; its page list is in the staging buffer. */
static void creation(struct bench *bench)
{
    message(bench, MSG_CREATE_ALLOCATION);
    bench->message[MSG_CREATE_ALLOCATION_BYTES] = 8192;
    bench->message[MSG_CREATE_ALLOCATION_READ_SET] = 3;
    bench->message[MSG_CREATE_ALLOCATION_WRITE_SET] = 3;
    bench->message[MSG_CREATE_ALLOCATION_PRIORITY] = 1;
    bench->message[MSG_CREATE_ALLOCATION_PAGES] = bench->staging;
    for (uint32_t page = 0; page < 2; page++) write_staged(bench, bench->staging + 4 * page, 20 + page);
}

#define CREATION(function, word, value) \
    static void function(struct bench *bench) \
    { \
        creation(bench); \
        bench->message[MSG_CREATE_ALLOCATION_##word] = (value); \
    }
CREATION(create_empty, BYTES, 0)
CREATION(create_alignment, ALIGNMENT, 4096 + 1)
CREATION(create_alignment_far, ALIGNMENT, 2 * GPU_LIMIT(ALIGNMENT_BYTES))
CREATION(create_flags, FLAGS, 0x80000)
CREATION(create_alternate_va, FLAGS, ALLOCATION_ALTERNATE_VA)
CREATION(create_cached, FLAGS, ALLOCATION_CACHED)
CREATION(create_priority, PRIORITY, 0)
CREATION(create_read_set, READ_SET, 1u << 3)
CREATION(create_eviction_set, EVICTION_SET, 1)
CREATION(create_preference, PREFERRED, 3)
CREATION(create_list_outside, PAGES, memory_end(bench) - 4)
CREATION(create_context, CONTEXT, 0xabcd)

static void create_large(struct bench *bench) /* larger than either memory segment; no page list is read */
{
    creation(bench);
    bench->message[MSG_CREATE_ALLOCATION_BYTES] = 0x02000000;
}

static void create_bad_page(struct bench *bench)
{
    creation(bench);
    write_staged(bench, bench->staging + 4, memory_end(bench) / 4096u);
}

#define HANDLE_MESSAGE(function, code, allocation, argument) \
    static void function(struct bench *bench) \
    { \
        message(bench, code); \
        bench->message[2] = tessera_allocation_handle(bench->allocation); \
        bench->message[3] = (argument); \
    }
HANDLE_MESSAGE(lock_hidden, MSG_LOCK, hidden, LOCK_ENTIRE)
HANDLE_MESSAGE(lock_twice, MSG_LOCK, locked, LOCK_ENTIRE)
HANDLE_MESSAGE(lock_offered, MSG_LOCK, offered, LOCK_ENTIRE)
HANDLE_MESSAGE(lock_part, MSG_LOCK, target, 0)
HANDLE_MESSAGE(lock_both, MSG_LOCK, target, LOCK_ENTIRE | LOCK_READ_ONLY | LOCK_WRITE_ONLY)
HANDLE_MESSAGE(unlock_free, MSG_UNLOCK, target, 0)
HANDLE_MESSAGE(destroy_locked, MSG_DESTROY_ALLOCATION, locked, 0)
HANDLE_MESSAGE(priority_zero, MSG_SET_PRIORITY, target, 0)
HANDLE_MESSAGE(offer_range, MSG_OFFER, target, 4)

HANDLE_MESSAGE(share_itself, MSG_SHARE, target, 0)
HANDLE_MESSAGE(share_far, MSG_SHARE, target, LIMIT_BITS_CLIENTS)
HANDLE_MESSAGE(share_nothing, MSG_SHARE, target, 1)

static void share_write_only(struct bench *bench)
{
    share_nothing(bench);
    bench->message[MSG_SHARE_RIGHTS] = RIGHT_WRITE;
}

static void share_unknown(struct bench *bench)
{
    share_write_only(bench);
    bench->message[MSG_SHARE_HANDLE] = 0x00dead00;
}

/* What was right for client 0 comes from another. */
static void of_client(struct bench *bench, uint32_t code, uint32_t client)
{
    bench->message[0] = message_word(code, client);
}

static void client_far(struct bench *bench) { of_client(bench, MSG_SUBMIT, LIMIT_BITS_CLIENTS); }
static void client_of_context(struct bench *bench) { of_client(bench, MSG_SUBMIT, 1); }

static void client_of_handle(struct bench *bench)
{
    lock_part(bench);
    of_client(bench, MSG_LOCK, 1);
}

static void client_of_query(struct bench *bench)
{
    message(bench, MSG_QUERY_CONTEXT);
    bench->message[MSG_QUERY_CONTEXT_CONTEXT] = bench->context;
    of_client(bench, MSG_QUERY_CONTEXT, 1);
}

static void admit_far(struct bench *bench)
{
    message(bench, MSG_ADMIT_CLIENT);
    bench->message[MSG_ADMIT_CLIENT_CLIENT] = LIMIT_BITS_CLIENTS;
}

static void admit_itself(struct bench *bench)
{
    message(bench, MSG_ADMIT_CLIENT);
    bench->message[MSG_ADMIT_CLIENT_CLIENT] = 1;
    of_client(bench, MSG_ADMIT_CLIENT, 1);
}

static void client_of_statistics(struct bench *bench)
{
    message(bench, MSG_QUERY_STATISTICS);
    of_client(bench, MSG_QUERY_STATISTICS, 1);
}

static void destroy_unknown(struct bench *bench)
{
    message(bench, MSG_DESTROY_ALLOCATION);
    bench->message[2] = 0x00dead00;
}

static void context_node(struct bench *bench)
{
    message(bench, MSG_CREATE_CONTEXT);
    bench->message[MSG_CREATE_CONTEXT_NODE] = 5;
}

static void context_message(struct bench *bench, uint32_t changes, uint32_t priority, uint32_t budget)
{
    message(bench, MSG_SET_CONTEXT);
    bench->message[MSG_SET_CONTEXT_CONTEXT] = bench->context;
    bench->message[MSG_SET_CONTEXT_CHANGES] = changes;
    bench->message[MSG_SET_CONTEXT_PRIORITY] = priority;
    bench->message[MSG_SET_CONTEXT_BUDGET] = budget;
}

static void context_nothing(struct bench *bench) { context_message(bench, 0, 0, 0); }
static void context_changes(struct bench *bench) { context_message(bench, CONTEXT_BUDGET | 0x10u, 0, 0); }
static void context_priority(struct bench *bench) { context_message(bench, CONTEXT_PRIORITY, 8, 0); }
static void context_budget(struct bench *bench) { context_message(bench, CONTEXT_BUDGET, 0, 0xffffffffu); }

static void context_unknown(struct bench *bench)
{
    context_message(bench, CONTEXT_BUDGET, 0, 0);
    bench->message[MSG_SET_CONTEXT_CONTEXT] = 0xabcd;
}

static void query_unknown_context(struct bench *bench)
{
    message(bench, MSG_QUERY_CONTEXT);
    bench->message[MSG_QUERY_CONTEXT_CONTEXT] = 0xabcd;
}

static void query_form(struct bench *bench)
{
    message(bench, MSG_QUERY_SEGMENT);
    bench->message[MSG_QUERY_SEGMENT_FORM] = 2;
}

static void statistics_outside(struct bench *bench)
{
    message(bench, MSG_QUERY_STATISTICS);
    bench->message[MSG_QUERY_STATISTICS_ADDRESS] = memory_end(bench) - 4;
    bench->message[MSG_QUERY_STATISTICS_WORDS] = 8;
}

/* ------------------------------------------------------------------ the table */

const struct bad_case bad_cases[] = {
    {"unknown opcode", unknown_opcode, NULL, STATUS_BAD_OPCODE, SECOND},
    {"privileged packet", privileged, NULL, STATUS_PRIVILEGED, SECOND},
    {"truncated packet", truncated, NULL, STATUS_TRUNCATED, SECOND},
    {"reserved bits", reserved_bits, NULL, STATUS_RESERVED_BITS, SECOND},
    {"reserved bits in a later word", reserved_bits_inside, NULL, STATUS_RESERVED_BITS, SECOND + 8},
    {"address without patch location", uncovered_address, NULL, STATUS_UNPATCHED_ADDRESS, SECOND + 4},
    {"draw from an unbound slot", unbound_slot, NULL, STATUS_UNBOUND_SLOT, SECOND},
    {"unknown mode", bad_mode, NULL, STATUS_BAD_OPERAND, SECOND},
    {"colours without a palette", no_palette, NULL, STATUS_NO_PALETTE, SECOND + 4 * PKT_BIND_WORDS},
    {"palette at no multiple of 256", odd_palette, NULL, STATUS_BAD_OPERAND, SECOND},
    {"mask past its surface", wide_mask, NULL, STATUS_BAD_OPERAND, SECOND + 4 * PKT_BIND_WORDS},
    {"surface of no format", no_format, NULL, STATUS_BAD_OPERAND, SECOND},
    {"rectangle past its surface", wide_rectangle, NULL, STATUS_BAD_OPERAND, SECOND},
    {"map without an inverse", flat_map, NULL, STATUS_BAD_MAP, SECOND + 4 * PKT_BLIT_AFFINE_U_X_WORD},
    {"map that leaves 16.16", far_map, NULL, STATUS_BAD_MAP, SECOND + 4 * PKT_BLIT_AFFINE_U_WORD},
    {"copy past the allocation", copy_past_end, NULL, STATUS_EXTENT, SECOND},
    {"copy past 2^32", copy_wraps, NULL, STATUS_EXTENT, SECOND},
    {"surface past the allocation", bind_past_end, NULL, STATUS_EXTENT, SECOND},
    {"offset past the allocation", offset_past_end, NULL, STATUS_EXTENT, SECOND},
    {"fill without WriteOperation", fill_source, NULL, STATUS_NOT_WRITABLE, SECOND},
    {"draw without WriteOperation", draw_into_source, NULL, STATUS_NOT_WRITABLE, SECOND},
    {"copy from NULL", null_source, NULL, STATUS_NULL_ALLOCATION, 2},
    {"address whose row was given away", stale_row, NULL, STATUS_STALE_REFERENCE, SECOND + 16},
    {"split offset decreases", split_decreases, NULL, STATUS_SPLIT_ORDER, 2},
    {"split offset inside a packet", split_inside_packet, NULL, STATUS_SPLIT_ORDER, 2},
    {"split offset after its packet", split_after_packet, NULL, STATUS_SPLIT_ORDER, 2},
    {"slot out of range", slot_range, NULL, STATUS_BAD_SLOT, 2},
    {"reserved bits of SlotId", slot_reserved, NULL, STATUS_BAD_SLOT, 2},
    {"slot of another packet", slot_differs, NULL, STATUS_BAD_SLOT, 2},
    {"AllocationIndex out of range", index_range, NULL, STATUS_BAD_ALLOCATION_INDEX, 2},
    {"patch of a plain word", patch_plain_word, NULL, STATUS_BAD_PATCH_OFFSET, 2},
    {"patch outside the buffer", patch_outside, NULL, STATUS_BAD_PATCH_OFFSET, 2},
    {"word patched twice", patch_twice, NULL, STATUS_BAD_PATCH_OFFSET, 3},
    {"unknown handle", NULL, unknown_handle, STATUS_BAD_HANDLE, SOURCE},
    {"unknown list flags", NULL, list_flags, STATUS_BAD_FLAGS, 0x10},
    {"locked allocation", locked_allocation, NULL, STATUS_LOCKED, 3},
    {"offered allocation", offered_allocation, NULL, STATUS_OFFERED, 3},
    {"DMA length not a multiple of 4", NULL, dma_odd, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES},
    {"DMA buffer too long", NULL, dma_long, STATUS_LIST_LENGTH, MSG_SUBMIT_DMA_BYTES},
    {"DMA buffer misaligned", NULL, dma_misaligned, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
    {"DMA buffer past system memory", NULL, dma_outside, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
    {"DMA buffer around 2^32", NULL, dma_wraps, STATUS_BAD_ADDRESS, MSG_SUBMIT_DMA},
    {"allocation list too long", NULL, list_long, STATUS_LIST_LENGTH, MSG_SUBMIT_LIST_COUNT},
    {"allocation list past system memory", NULL, list_outside, STATUS_BAD_ADDRESS, MSG_SUBMIT_LIST},
    {"allocation list shorter than its use", NULL, list_short, STATUS_BAD_ALLOCATION_INDEX, 0},
    {"patch list too long", NULL, patches_long, STATUS_LIST_LENGTH, MSG_SUBMIT_PATCH_COUNT},
    {"patch list past system memory", NULL, patches_outside, STATUS_BAD_ADDRESS, MSG_SUBMIT_PATCHES},
    {"patch list shorter than its use", NULL, patches_short, STATUS_UNPATCHED_ADDRESS, 20},
    {"unknown submission flags", NULL, submit_flags, STATUS_BAD_FLAGS, 0x40},
    {"unknown context", NULL, unknown_context, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"unknown message", NULL, unknown_message, STATUS_BAD_MESSAGE, 0x77},
    {"allocation of no bytes", NULL, create_empty, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_BYTES},
    {"alignment no power of two", NULL, create_alignment, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_ALIGNMENT},
    {"alignment past its limit", NULL, create_alignment_far, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_ALIGNMENT},
    {"unknown allocation flags", NULL, create_flags, STATUS_BAD_FLAGS, 0x80000},
    {"alternate virtual address", NULL, create_alternate_va, STATUS_BAD_FLAGS, ALLOCATION_ALTERNATE_VA},
    {"cached without CPU visible", NULL, create_cached, STATUS_BAD_FLAGS, ALLOCATION_CACHED},
    {"priority 0", NULL, create_priority, STATUS_BAD_ARGUMENT, MSG_CREATE_ALLOCATION_PRIORITY},
    {"segment that does not exist", NULL, create_read_set, STATUS_BAD_SEGMENT_SET, BAD_INPUT_ANY},
    {"eviction to a memory segment", NULL, create_eviction_set, STATUS_BAD_SEGMENT_SET, BAD_INPUT_ANY},
    {"preference outside the sets", NULL, create_preference, STATUS_BAD_SEGMENT_SET, BAD_INPUT_ANY},
    {"allocation no segment can hold", NULL, create_large, STATUS_NO_SEGMENT, BAD_INPUT_ANY},
    {"page outside system memory", NULL, create_bad_page, STATUS_BAD_PAGE, 1},
    {"page list outside system memory", NULL, create_list_outside, STATUS_BAD_ADDRESS, MSG_CREATE_ALLOCATION_PAGES},
    {"owner that does not exist", NULL, create_context, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"lock of what is not CPU visible", NULL, lock_hidden, STATUS_NOT_CPU_VISIBLE, BAD_INPUT_ANY},
    {"lock of what is locked", NULL, lock_twice, STATUS_LOCKED, BAD_INPUT_ANY},
    {"lock of what is offered", NULL, lock_offered, STATUS_OFFERED, BAD_INPUT_ANY},
    {"lock of a part", NULL, lock_part, STATUS_BAD_FLAGS, LOCK_ENTIRE},
    {"read-only and write-only lock", NULL, lock_both, STATUS_BAD_FLAGS, LOCK_READ_ONLY | LOCK_WRITE_ONLY},
    {"unlock without lock", NULL, unlock_free, STATUS_NOT_LOCKED, BAD_INPUT_ANY},
    {"destroy of what is locked", NULL, destroy_locked, STATUS_LOCKED, BAD_INPUT_ANY},
    {"destroy of an unknown handle", NULL, destroy_unknown, STATUS_BAD_HANDLE, MSG_DESTROY_ALLOCATION_HANDLE},
    {"change to priority 0", NULL, priority_zero, STATUS_BAD_ARGUMENT, MSG_SET_PRIORITY_PRIORITY},
    {"offer priority out of range", NULL, offer_range, STATUS_BAD_ARGUMENT, MSG_OFFER_PRIORITY},
    {"context on an unknown node", NULL, context_node, STATUS_BAD_ARGUMENT, MSG_CREATE_CONTEXT_NODE},
    {"change of an unknown context", NULL, context_unknown, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"change of nothing", NULL, context_nothing, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_CHANGES},
    {"change of what a context has not", NULL, context_changes, STATUS_BAD_FLAGS, 0x10},
    {"context priority out of range", NULL, context_priority, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_PRIORITY},
    {"budget larger than memory", NULL, context_budget, STATUS_BAD_ARGUMENT, MSG_SET_CONTEXT_BUDGET},
    {"query of an unknown context", NULL, query_unknown_context, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"segment query of another version", NULL, query_form, STATUS_UNSUPPORTED, BAD_INPUT_ANY},
    {"share with oneself", NULL, share_itself, STATUS_BAD_ARGUMENT, MSG_SHARE_CLIENT},
    {"share with no client", NULL, share_far, STATUS_BAD_ARGUMENT, MSG_SHARE_CLIENT},
    {"share to write only", NULL, share_write_only, STATUS_BAD_ARGUMENT, MSG_SHARE_RIGHTS},
    {"share of an unknown handle", NULL, share_unknown, STATUS_BAD_HANDLE, MSG_SHARE_HANDLE},
    {"message of no client", NULL, client_far, STATUS_BAD_MESSAGE, MSG_SUBMIT | LIMIT_BITS_CLIENTS << 16},
    {"another client's context", NULL, client_of_context, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"another client's allocation", NULL, client_of_handle, STATUS_BAD_HANDLE, MSG_LOCK_HANDLE},
    {"query of another client's context", NULL, client_of_query, STATUS_BAD_CONTEXT, BAD_INPUT_ANY},
    {"admission of no client", NULL, admit_far, STATUS_BAD_ARGUMENT, MSG_ADMIT_CLIENT_CLIENT},
    {"admission by a client", NULL, admit_itself, STATUS_NOT_ALLOWED, MSG_ADMIT_CLIENT},
    {"statistics for a client", NULL, client_of_statistics, STATUS_NOT_ALLOWED, MSG_QUERY_STATISTICS},
    {"statistics outside system memory", NULL, statistics_outside, STATUS_BAD_ADDRESS, MSG_QUERY_STATISTICS_ADDRESS},
};
const uint32_t bad_case_count = sizeof bad_cases / sizeof *bad_cases;
