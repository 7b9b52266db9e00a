/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: every paging operation that our driver writes does on the hardware engine what the documents say. Method: the
 * driver runs on the chip's core without a manager above it (paging.c); the host asks for operations with arguments of
 * its own, looks at system memory itself and at GPU memory through the render node, and compares every byte of the
 * target, its surroundings and the pages that nobody named with an oracle; which rows each case proves is said where it
 * is run. test_paging [--seed N] [--stall PERCENT] [--latency CYCLES]
 */
#include <stdio.h>
#include <string.h>

#include "../../rows.h"
#include "ddi/ddi.h"
#include "paging.h"
#include "paging_oracle.h"
#include "rig.h"

enum { PAGE = 4096, LIST_PAGES = 96, ROOM = 48 * PAGE };
enum { SEGMENT1 = 1, SEGMENT2 = 2, APERTURE = 3 };
enum { BIG_BUFFER = 512, SMALL_BUFFER = 128 };
enum { WHOLE = DDI_TRANSFER_START | DDI_TRANSFER_END };
enum { COPY_BYTES = 4 * PKT_COPY_LIST_WORDS, COPY_2D_BYTES = 4 * PKT_COPY_2D_WORDS };
enum { MAP_BYTES = 4 * PKT_MAP_LIST_WORDS };
_Static_assert((int)PKT_COPY_LIST_WORDS == (int)PKT_COPY_WORDS, "a Transfer is one packet of this size");

static struct rig rig;
static uint32_t request[REQUEST_WORDS], reply[REPLY_WORDS], list[LIST_PAGES], random_state = 1, messages;
static uint8_t before[1 << 20], after[1 << 20], expected[ROOM], found[ROOM];

static uint32_t pick(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void randomise(uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) bytes[i] = (uint8_t)(pick(1u << 16) >> 3);
}

static void read_memory(uint32_t address, void *data, uint32_t bytes)
{
    rig.transport.memory_read(rig.transport.context, address, data, bytes);
}

static void write_memory(uint32_t address, const void *data, uint32_t bytes)
{
    rig.transport.memory_write(rig.transport.context, address, data, bytes);
}

/* ------------------------------------------------------------------ requests */

static bool call(void)
{
    const uint32_t completion = FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION);
    write_memory(PAGING_REQUEST, request, sizeof request);
    rig_write(&rig, HOST_SUBMIT_TAIL_OFFSET, ++messages);
    for (unsigned tries = 0; tries < 40; tries++) {
        rig.transport.wait(rig.transport.context, 100000);
        if (rig_read(&rig, HOST_COMPLETE_TAIL_OFFSET) == messages) break;
        if (rig_read(&rig, HOST_PANIC_CODE_OFFSET) != PANIC_NONE) break;
    }
    rig_write(&rig, HOST_IRQ_STATUS_OFFSET, completion);
    read_memory(PAGING_REPLY, reply, sizeof reply);
    return rig_check(&rig, rig_read(&rig, HOST_COMPLETE_TAIL_OFFSET) == messages, "request %u is not answered",
                     request[REQUEST_COMMAND]);
}

static void simple(uint32_t command, uint32_t address, uint32_t target, uint32_t bytes, uint32_t copies)
{
    memset(request, 0, sizeof request);
    request[REQUEST_COMMAND] = command;
    request[REQUEST_ADDRESS] = address;
    request[REQUEST_TARGET] = target;
    request[REQUEST_BYTES] = bytes;
    request[REQUEST_COPIES] = copies;
    call();
}

static void take(uint32_t command, uint32_t address, uint8_t *bytes, uint32_t count)
{
    for (uint32_t done = 0; done < count; done += PAGING_WINDOW_BYTES) {
        uint32_t part = count - done < PAGING_WINDOW_BYTES ? count - done : PAGING_WINDOW_BYTES;
        simple(command, address + done, 0, part, 0);
        read_memory(PAGING_WINDOW, bytes + done, part);
    }
}

static void give(uint32_t command, uint32_t address, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t done = 0; done < count; done += PAGING_WINDOW_BYTES) {
        uint32_t part = count - done < PAGING_WINDOW_BYTES ? count - done : PAGING_WINDOW_BYTES;
        write_memory(PAGING_WINDOW, bytes + done, part);
        simple(command, address + done, 0, part, 0);
    }
}

static void peek(uint32_t address, uint8_t *bytes, uint32_t count) { take(PAGING_PEEK, address, bytes, count); }
static void poke(uint32_t address, const uint8_t *bytes, uint32_t count) { give(PAGING_POKE, address, bytes, count); }

static void begin(uint32_t operation, uint32_t buffer_bytes)
{
    memset(request, 0, sizeof request);
    request[REQUEST_COMMAND] = PAGING_BUILD;
    request[REQUEST_OPERATION] = operation;
    request[REQUEST_BUFFER] = buffer_bytes;
    request[REQUEST_HANDLE] = 77;
}

static void arguments(const uint32_t *words, uint32_t count) { memcpy(request + REQUEST_ARGUMENTS, words, 4 * count); }

/* The caller's loop ended well, every buffer was a submission of its own, nothing lies behind its end. */
static void run_operation(const char *what, uint32_t bytes)
{
    uint32_t fence = rig_read(&rig, NODE_FENCE_OFFSET + NODE_STRIDE);
    call();
    rig_check(&rig, reply[REPLY_STATUS] == DDI_SUCCESS, "%s: status %u", what, reply[REPLY_STATUS]);
    rig_check(&rig, reply[REPLY_BYTES] == bytes, "%s: %u bytes of packets, not %u", what, reply[REPLY_BYTES], bytes);
    rig_check(&rig, reply[REPLY_SPOILED] == 0, "%s: %u words behind the end", what, reply[REPLY_SPOILED]);
    rig_check(&rig, reply[REPLY_FENCE] == fence + reply[REPLY_SUBMISSIONS], "%s: %u submissions, fence %u after %u",
              what, reply[REPLY_SUBMISSIONS], reply[REPLY_FENCE], fence);
}

static void refuse_operation(const char *what)
{
    call();
    rig_check(&rig, reply[REPLY_STATUS] == DDI_NOT_SUPPORTED && reply[REPLY_BYTES] == 0 && reply[REPLY_SPOILED] == 0,
              "%s: status %u, %u bytes", what, reply[REPLY_STATUS], reply[REPLY_BYTES]);
}

/* ------------------------------------------------------------------ places */

/* Runs and jumps over distinct pages. */
static void make_list(void)
{
    uint32_t free_page[LIST_PAGES];
    for (uint32_t i = 0; i < LIST_PAGES; i++) free_page[i] = PAGING_PAGES + i;
    for (uint32_t i = 0; i < LIST_PAGES / 4; i++) {
        uint32_t a = pick(LIST_PAGES), b = pick(LIST_PAGES), keep = free_page[a];
        free_page[a] = free_page[b];
        free_page[b] = keep;
    }
    memcpy(list, free_page, sizeof list);
    write_memory(PAGING_LISTS, list, sizeof list);
}

static uint32_t segment_base(uint32_t segment)
{
    static const uint32_t base[] = {0, GPU_LIMIT(ADDR_SEGMENT1), GPU_LIMIT(ADDR_SEGMENT2), GPU_LIMIT(ADDR_APERTURE)};
    return base[segment];
}

static void get_pages(uint32_t first, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++) read_memory(list[first + i] * PAGE, bytes + i * PAGE, PAGE);
}

static void put_pages(uint32_t first, uint32_t count, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++) write_memory(list[first + i] * PAGE, bytes + i * PAGE, PAGE);
}

/* Pages of system memory that no list names in [first, first + count) are what they were. */
static void check_other_pages(const char *what, uint32_t first, uint32_t count)
{
    uint32_t wrong = 0;
    read_memory(0, after, sizeof after);
    for (uint32_t page = PAGING_DUMMY; page < PAGING_PAGES + LIST_PAGES; page++) {
        bool is_named = false;
        for (uint32_t i = 0; i < count; i++) is_named |= list[first + i] == page;
        if (!is_named) wrong += memcmp(before + page * PAGE, after + page * PAGE, PAGE) != 0;
    }
    rig_check(&rig, wrong == 0, "%s: %u other pages changed", what, wrong);
}

static void remember_pages(void) { read_memory(0, before, sizeof before); }

/* ------------------------------------------------------------------ Transfer */

struct side {
    uint32_t segment, offset; /* offset in the segment; segment 0: the list */
};

static void request_transfer(struct side source, struct side target, uint32_t transfer_offset, uint32_t bytes,
                             uint32_t flags, uint32_t mdl_offset, uint32_t buffer)
{
    const uint32_t words[] = {transfer_offset,
                              bytes,
                              source.segment,
                              source.segment ? segment_base(source.segment) + source.offset : 0,
                              source.segment ? 0 : PAGING_LISTS,
                              target.segment,
                              target.segment ? segment_base(target.segment) + target.offset : 0,
                              target.segment ? 0 : PAGING_LISTS,
                              flags,
                              mdl_offset};
    begin(DDI_TRANSFER, buffer);
    arguments(words, 10);
}

/* Content of a side: `bytes` at `offset` of it, in segments with a page of surroundings on both ends. */
static void load_side(struct side side, uint32_t first_page, uint32_t bytes, uint8_t *content)
{
    if (side.segment) peek(segment_base(side.segment) + side.offset - PAGE, content, bytes + 2 * PAGE);
    else get_pages(first_page, bytes / PAGE, content + PAGE);
}

static void transfer_case(struct side source, struct side target, uint32_t pages, uint32_t skip, uint32_t buffer)
{
    static uint8_t from[ROOM], to[ROOM];
    char what[80];
    uint32_t bytes = pages * PAGE, first = pick(8) + skip;
    snprintf(what, sizeof what, "Transfer %u to %u, %u pages, buffer %u", source.segment, target.segment, pages,
             buffer);
    /* The sub-transfer that begins `skip` pages inside the allocation. */
    struct side inside_source = {source.segment, source.offset + skip * PAGE};
    struct side inside_target = {target.segment, target.offset + skip * PAGE};
    randomise(from, sizeof from);
    if (source.segment) poke(segment_base(source.segment) + inside_source.offset, from + PAGE, bytes);
    else put_pages(first, pages, from + PAGE);
    load_side(inside_target, first, bytes, to);
    remember_pages();
    request_transfer(source, target, skip * PAGE, bytes, WHOLE, first, buffer);
    run_operation(what, COPY_BYTES);
    rig_check(&rig, reply[REPLY_SUBMISSIONS] == 1, "%s: %u submissions", what, reply[REPLY_SUBMISSIONS]);
    memcpy(to + PAGE, from + PAGE, bytes);
    load_side(inside_target, first, bytes, found);
    uint32_t compared = target.segment ? bytes + 2 * PAGE : bytes, start = target.segment ? 0 : PAGE;
    rig_check(&rig, memcmp(to + start, found + start, compared) == 0, "%s: wrong bytes", what);
    check_other_pages(what, first, target.segment ? 0 : pages);
}

static void test_transfers(void)
{
    static const struct side places[] = {
        {0, 0}, {SEGMENT1, 2 * PAGE}, {SEGMENT1, 20 * PAGE}, {SEGMENT2, 5 * PAGE}, {SEGMENT2, 40 * PAGE}};
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 5; j++)
            if (i != j) transfer_case(places[i], places[j], 3 + pick(6), pick(3), BIG_BUFFER);
    for (uint32_t buffer = COPY_BYTES; buffer <= 4 * COPY_BYTES; buffer += 12) { /* many passes */
        transfer_case(places[0], places[1], 16, 1, buffer);
        transfer_case(places[3], places[0], 16, 0, buffer);
    }
    /* From pages to pages there is nothing to do for the GPU. */
    request_transfer(places[0], places[0], 0, PAGE, 0, 0, BIG_BUFFER);
    refuse_operation("Transfer between pages");
}

static void set_shape(uint32_t pitch, uint32_t height, uint32_t levels)
{
    request[REQUEST_PITCH] = pitch;
    request[REQUEST_HEIGHT] = height;
    request[REQUEST_LEVELS] = levels;
}

/* The content is gone: no packet, nothing moves. */
static void test_notice(void)
{
    uint8_t old[4 * PAGE];
    peek(GPU_LIMIT(ADDR_SEGMENT1) + 2 * PAGE, old, sizeof old);
    remember_pages();
    request_transfer((struct side){SEGMENT1, 2 * PAGE}, (struct side){0, 0}, 0, 0, WHOLE, 0, BIG_BUFFER);
    run_operation("zero-size Transfer", 0);
    peek(GPU_LIMIT(ADDR_SEGMENT1) + 2 * PAGE, found, sizeof old);
    rig_check(&rig, memcmp(old, found, sizeof old) == 0, "a notice changes the segment");
    check_other_pages("zero-size Transfer", 0, 0);
}

static void test_overlaps(void)
{
    static const struct {
        uint32_t segment, from, to, bytes;
    } moves[] = {
        {SEGMENT1, 4, 5, 6}, {SEGMENT1, 5, 4, 6}, {SEGMENT2, 4, 9, 7}, {SEGMENT2, 9, 4, 7}, {SEGMENT1, 3, 3, 2}};
    for (uint32_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        uint32_t base = segment_base(moves[i].segment), bytes = 20 * PAGE;
        randomise(expected, bytes);
        poke(base, expected, bytes);
        memmove(expected + moves[i].to * PAGE, expected + moves[i].from * PAGE, moves[i].bytes * PAGE);
        request_transfer((struct side){moves[i].segment, moves[i].from * PAGE},
                         (struct side){moves[i].segment, moves[i].to * PAGE}, 0, moves[i].bytes * PAGE, WHOLE, 0,
                         BIG_BUFFER);
        run_operation("overlapping move", COPY_BYTES);
        peek(base, found, bytes);
        rig_check(&rig, memcmp(expected, found, bytes) == 0, "move %u: wrong bytes", i);
    }
}

/* Pages hold the linear surface, the segment the tiled one, all levels in one allocation. */
static void swizzle_case(uint32_t pitch, uint32_t height, uint32_t levels, uint32_t buffer)
{
    static uint8_t linear[ROOM], tiled[ROOM];
    const struct side local = {SEGMENT2, 60 * PAGE}, pages = {0, 0};
    char what[80];
    uint32_t used = oracle_surface_bytes(pitch, height, levels), count = (used + PAGE - 1) / PAGE;
    snprintf(what, sizeof what, "swizzle %u x %u, %u levels, buffer %u", pitch, height, levels, buffer);
    randomise(linear, count * PAGE);
    oracle_swizzle(linear, tiled, pitch, height, levels);
    memcpy(tiled + used, linear + used, count * PAGE - used);
    for (uint32_t is_out = 0; is_out < 2; is_out++) {
        uint8_t *target = is_out ? linear : tiled;
        memset(found, 0xee, sizeof found);
        put_pages(1, count, is_out ? found : linear);
        remember_pages();
        request_transfer(is_out ? local : pages, is_out ? pages : local, 0, count * PAGE,
                         (is_out ? DDI_TRANSFER_UNSWIZZLE : DDI_TRANSFER_SWIZZLE) | WHOLE, 1, buffer);
        set_shape(pitch, height, levels);
        call();
        rig_check(&rig, reply[REPLY_STATUS] == DDI_SUCCESS && reply[REPLY_SPOILED] == 0, "%s: status %u", what,
                  reply[REPLY_STATUS]);
        rig_check(&rig, reply[REPLY_SUBMISSIONS] * buffer >= reply[REPLY_BYTES], "%s: more than fits", what);
        if (is_out) get_pages(1, count, found);
        else peek(segment_base(local.segment) + local.offset, found, count * PAGE);
        rig_check(&rig, memcmp(target, found, count * PAGE) == 0, "%s: wrong bytes %s", what, is_out ? "out" : "in");
        check_other_pages(what, 1, is_out ? count : 0);
    }
}

/* ------------------------------------------------------------------ Fill, DiscardContent, physical accesses */

static void test_fill(void)
{
    for (uint32_t segment = SEGMENT1; segment <= SEGMENT2; segment++) {
        uint32_t base = segment_base(segment), pattern = 0x5eed0000u + segment * 0x1001u;
        const uint32_t words[] = {3 * PAGE, pattern, segment, base + 8 * PAGE, 0};
        peek(base + 7 * PAGE, expected, 5 * PAGE);
        for (uint32_t i = 0; i < 3 * PAGE; i += 4) memcpy(expected + PAGE + i, &pattern, 4);
        begin(DDI_FILL, BIG_BUFFER);
        arguments(words, 5);
        run_operation("Fill", 4 * PKT_FILL_WORDS);
        peek(base + 7 * PAGE, found, 5 * PAGE);
        rig_check(&rig, memcmp(expected, found, 5 * PAGE) == 0, "Fill of segment %u: wrong bytes", segment);
    }
    const uint32_t targets[2][5] = {{PAGE, 1, APERTURE, GPU_LIMIT(ADDR_APERTURE), 0}, {PAGE, 1, 0, 0, PAGING_LISTS}};
    for (uint32_t i = 0; i < 2; i++) {
        begin(DDI_FILL, BIG_BUFFER);
        arguments(targets[i], 5);
        refuse_operation(i == 0 ? "Fill of the aperture" : "Fill of pages");
    }
}

static void test_discard(void)
{
    const uint32_t words[] = {DDI_TRANSFER_ALLOCATION_IS_IDLE, SEGMENT1, GPU_LIMIT(ADDR_SEGMENT1) + 8 * PAGE};
    peek(GPU_LIMIT(ADDR_SEGMENT1) + 8 * PAGE, expected, 2 * PAGE);
    remember_pages();
    begin(DDI_DISCARD_CONTENT, BIG_BUFFER);
    arguments(words, 3);
    run_operation("DiscardContent", 0);
    peek(GPU_LIMIT(ADDR_SEGMENT1) + 8 * PAGE, found, 2 * PAGE);
    rig_check(&rig, memcmp(expected, found, 2 * PAGE) == 0, "DiscardContent moves bytes");
    check_other_pages("DiscardContent", 0, 0);
}

/* A write is seen in memory, a read by the node's counter of bytes on the bus. */
static void test_physical(void)
{
    for (uint32_t bytes = 1; bytes <= 8; bytes++)
        for (uint32_t is_write = 0; is_write < 2; is_write++) {
            uint32_t segment = 1 + bytes % 2, place = segment_base(segment) + 6 * PAGE + 64 + bytes * (bytes + 1);
            uint32_t counter = (is_write ? NODE_WRITE_LOCAL_OFFSET : NODE_READ_LOCAL_OFFSET) + NODE_STRIDE;
            const uint32_t words[] = {segment, place, bytes};
            memset(expected, 0xd7, 256);
            poke(segment_base(segment) + 6 * PAGE, expected, 256);
            uint32_t start = rig_read(&rig, counter);
            begin(is_write ? DDI_WRITE_PHYSICAL : DDI_READ_PHYSICAL, BIG_BUFFER);
            arguments(words, 3);
            run_operation("physical access", 4 * PKT_TOUCH_WORDS);
            rig_check(&rig, rig_read(&rig, counter) - start >= bytes, "%u bytes, write %u: nothing", bytes, is_write);
            if (is_write) memset(expected + place % PAGE, 0, bytes);
            peek(segment_base(segment) + 6 * PAGE, found, 256);
            rig_check(&rig, memcmp(expected, found, 256) == 0, "%u bytes, write %u: wrong bytes", bytes, is_write);
        }
    for (uint32_t bytes = 0; bytes <= 9; bytes += 9) {
        const uint32_t words[] = {SEGMENT1, GPU_LIMIT(ADDR_SEGMENT1), bytes};
        begin(DDI_WRITE_PHYSICAL, BIG_BUFFER);
        arguments(words, 3);
        refuse_operation("physical access of no or nine bytes");
    }
}

/* ------------------------------------------------------------------ the aperture */

static void request_map(uint32_t first, uint32_t pages, uint32_t mdl_offset, bool is_coherent, uint32_t buffer)
{
    const uint32_t words[] = {APERTURE, first, pages, PAGING_LISTS, mdl_offset, is_coherent};
    begin(DDI_MAP_APERTURE_SEGMENT, buffer);
    request[REQUEST_HANDLE] = 0; /* a DMA buffer: nothing but pages is known of it */
    arguments(words, 6);
}

static void request_unmap(uint32_t first, uint32_t pages, uint32_t buffer)
{
    const uint32_t words[] = {APERTURE, first, pages, PAGING_DUMMY};
    begin(DDI_UNMAP_APERTURE_SEGMENT, buffer);
    request[REQUEST_HANDLE] = 0;
    arguments(words, 4);
}

/* The entry of aperture page `page`, as the hardware's table has it. */
static uint32_t entry_of(uint32_t page)
{
    uint8_t word[4];
    memcpy(word, &page, 4);
    give(PAGING_STORE, GPU_LIMIT(ADDR_REGISTERS) + APERTURE_INDEX_OFFSET, word, 4);
    return rig_read(&rig, APERTURE_ENTRY_OFFSET);
}

static uint32_t aperture_at(uint32_t page) { return GPU_LIMIT(ADDR_APERTURE) + page * PAGE; }

/* Both ways through mapped pages, both ways through the dummy page once they are unmapped. */
static void test_aperture(void)
{
    enum { FIRST = 100, PAGES = 12, SKIP = 5 };
    uint8_t dummy[PAGE], line[64];
    take(PAGING_LOAD, aperture_at(900), found, 64);
    read_memory(PAGING_DUMMY * PAGE, dummy, PAGE);
    rig_check(&rig, memcmp(dummy, found, 64) == 0, "before the first map the aperture is not the dummy page");
    for (uint32_t round = 0; round < 3; round++) {
        bool is_coherent = round % 2 == 0;
        uint32_t skip = SKIP + round; /* other pages behind the same entries */
        randomise(expected, PAGES * PAGE);
        put_pages(skip, PAGES, expected);
        remember_pages();
        request_map(FIRST, PAGES, skip, is_coherent, round == 1 ? MAP_BYTES : BIG_BUFFER);
        run_operation("MapApertureSegment", MAP_BYTES);
        for (uint32_t i = 0; i < PAGES; i++) {
            uint32_t entry = entry_of(FIRST + i);
            rig_check(&rig,
                      FIELD_GET(entry, APERTURE_ENTRY_FRAME) == list[skip + i] &&
                          FIELD_GET(entry, APERTURE_ENTRY_MAPPED) &&
                          FIELD_GET(entry, APERTURE_ENTRY_COHERENT) == is_coherent,
                      "entry %u is %08x, page %u coherent %d wanted", FIRST + i, entry, list[skip + i], is_coherent);
        }
        rig_check(&rig,
                  !FIELD_GET(entry_of(FIRST - 1), APERTURE_ENTRY_MAPPED) &&
                      !FIELD_GET(entry_of(FIRST + PAGES), APERTURE_ENTRY_MAPPED),
                  "a neighbour is mapped");
        peek(aperture_at(FIRST), found, PAGES * PAGE);
        rig_check(&rig, memcmp(expected, found, PAGES * PAGE) == 0, "reads through the aperture, round %u", round);
        /* The engine's own way, both directions: half of the range moves onto the other half. */
        memcpy(expected + 6 * PAGE, expected, 6 * PAGE);
        const struct side low = {APERTURE, FIRST * PAGE}, high = {APERTURE, (FIRST + 6) * PAGE};
        request_transfer(low, high, 0, 6 * PAGE, WHOLE, 0, BIG_BUFFER);
        run_operation("Transfer inside the aperture", COPY_BYTES);
        get_pages(skip, PAGES, found);
        rig_check(&rig, memcmp(expected, found, PAGES * PAGE) == 0, "writes through the aperture, round %u", round);
        check_other_pages("mapped", skip, PAGES);

        remember_pages();
        request_unmap(FIRST, PAGES, BIG_BUFFER);
        run_operation("UnmapApertureSegment", 4 * PKT_UNMAP_WORDS);
        randomise(line, sizeof line);
        for (uint32_t i = 0; i < PAGES; i++) { /* reads and writes stay enabled */
            rig_check(&rig, FIELD_GET(entry_of(FIRST + i), APERTURE_ENTRY_FRAME) == PAGING_DUMMY, "entry %u", i);
            line[0] = (uint8_t)i;
            give(PAGING_STORE, aperture_at(FIRST + i) + 128, line, sizeof line);
            read_memory(PAGING_DUMMY * PAGE, dummy, PAGE);
            rig_check(&rig, memcmp(dummy + 128, line, sizeof line) == 0, "the write misses the dummy page");
            take(PAGING_LOAD, aperture_at(FIRST + i), found, 256);
            rig_check(&rig, memcmp(dummy, found, 256) == 0, "the read misses the dummy page");
        }
        write_memory(PAGING_DUMMY * PAGE, before + PAGING_DUMMY * PAGE, PAGE);
        check_other_pages("unmapped", 0, 0);
    }
}

/* PGB-44: tiles that leave through an aperture are linear in what it shows, and in the pages behind it. */
static void test_unswizzle_through_aperture(void)
{
    enum { PITCH = 96, HEIGHT = 72, LEVELS = 3, PAGES = 3, FIRST = 300, SKIP = 2 };
    static uint8_t linear[PAGES * PAGE], tiled[PAGES * PAGE];
    randomise(linear, sizeof linear);
    memcpy(tiled, linear, sizeof linear);
    oracle_swizzle(linear, tiled, PITCH, HEIGHT, LEVELS);
    poke(segment_base(SEGMENT2), tiled, sizeof tiled);
    request_map(FIRST, PAGES, SKIP, true, BIG_BUFFER);
    run_operation("map for tiles", MAP_BYTES);
    request_transfer((struct side){SEGMENT2, 0}, (struct side){APERTURE, FIRST * PAGE}, 0, sizeof tiled,
                     DDI_TRANSFER_UNSWIZZLE | WHOLE, 0, BIG_BUFFER);
    set_shape(PITCH, HEIGHT, LEVELS);
    call();
    peek(aperture_at(FIRST), found, sizeof linear);
    rig_check(&rig, memcmp(linear, found, sizeof linear) == 0, "the aperture does not show linear content");
    request_unmap(FIRST, PAGES, BIG_BUFFER);
    run_operation("unmap for tiles", 4 * PKT_UNMAP_WORDS);
    get_pages(SKIP, PAGES, found);
    rig_check(&rig, memcmp(linear, found, sizeof linear) == 0, "the pages are not what the aperture showed");
}

/* The render node copies through one part of the aperture while another part is mapped and unmapped. */
static void test_aperture_traffic(void)
{
    enum { FIRST = 40, PAGES = 32, OTHER = 200 };
    randomise(expected, PAGES * PAGE);
    put_pages(0, PAGES, expected);
    request_map(FIRST, PAGES, 0, true, BIG_BUFFER);
    run_operation("map for the render node", MAP_BYTES);
    uint32_t fence = rig_read(&rig, NODE_FENCE_OFFSET), rounds = 0;
    simple(PAGING_RENDER_COPY, aperture_at(FIRST), GPU_LIMIT(ADDR_SEGMENT1) + 8 * PAGE, PAGES * PAGE, 4);
    while (rig_read(&rig, NODE_FENCE_OFFSET) == fence && rounds < 100) {
        request_map(OTHER, 8, 40 + rounds % 8, false, SMALL_BUFFER);
        call();
        request_unmap(OTHER, 8, SMALL_BUFFER);
        call();
        rounds++;
    }
    simple(PAGING_RENDER_WAIT, 0, 0, 0, 0);
    rig_check(&rig, rounds >= 2, "only %u rounds while the copies ran", rounds);
    peek(GPU_LIMIT(ADDR_SEGMENT1) + 8 * PAGE, found, PAGES * PAGE);
    rig_check(&rig, memcmp(expected, found, PAGES * PAGE) == 0, "the copy was disturbed");
    printf("%u maps and unmaps beside the copies\n", rounds);
}

/* Several in one buffer: fill, move, read back to pages, touch, map: tightly packed, one submission, in order. */
static void test_batch(void)
{
    const uint32_t base = GPU_LIMIT(ADDR_SEGMENT2), pattern = 0xba7c4ed5u;
    const uint32_t fill[] = {2 * PAGE, pattern, SEGMENT2, base, 0}, touch[] = {SEGMENT2, base + 8 * PAGE + 16, 8};
    remember_pages();
    begin(DDI_FILL, BIG_BUFFER);
    arguments(fill, 5);
    request[REQUEST_COMMAND] = PAGING_BUILD_OPEN;
    run_operation("Fill, first of a batch", 4 * PKT_FILL_WORDS);
    request_transfer((struct side){SEGMENT2, 0}, (struct side){SEGMENT2, 8 * PAGE}, 0, 2 * PAGE, WHOLE, 0, BIG_BUFFER);
    request[REQUEST_COMMAND] = PAGING_BUILD_OPEN;
    run_operation("Transfer, second of a batch", COPY_BYTES);
    begin(DDI_WRITE_PHYSICAL, BIG_BUFFER);
    arguments(touch, 3);
    request[REQUEST_COMMAND] = PAGING_BUILD_OPEN;
    run_operation("WritePhysical, third of a batch", 4 * PKT_TOUCH_WORDS);
    rig_check(&rig, reply[REPLY_SUBMISSIONS] == 0, "a batch is submitted early");
    rig_check(&rig, reply[REPLY_USED] == 4 * PKT_FILL_WORDS + COPY_BYTES + 4 * PKT_TOUCH_WORDS, "%u bytes of a batch",
              reply[REPLY_USED]);
    request_transfer((struct side){SEGMENT2, 8 * PAGE}, (struct side){0, 0}, 0, 2 * PAGE, WHOLE, 10, BIG_BUFFER);
    run_operation("Transfer, last of a batch", COPY_BYTES);
    rig_check(&rig, reply[REPLY_SUBMISSIONS] == 1, "a batch of %u submissions", reply[REPLY_SUBMISSIONS]);
    for (uint32_t i = 0; i < 2 * PAGE; i += 4) memcpy(expected + i, &pattern, 4);
    memset(expected + 16, 0, 8);
    get_pages(10, 2, found);
    rig_check(&rig, memcmp(expected, found, 2 * PAGE) == 0, "a batch: wrong bytes");
    check_other_pages("a batch", 10, 2);
}

static void test_refusals(void)
{
    static const uint32_t unknown[] = {7, 8, 9, 11, 12, 13, 14, 15, 16, 17};
    for (uint32_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        begin(unknown[i], BIG_BUFFER);
        refuse_operation("SpecialLockTransfer, or an operation of a later driver version");
    }
    /* No room for a packet: the driver says so each time and writes nothing. */
    request_transfer((struct side){SEGMENT1, 0}, (struct side){SEGMENT2, 0}, 0, PAGE, 0, 0, COPY_BYTES - 4);
    call();
    bool is_untouched = !reply[REPLY_BYTES] && !reply[REPLY_SPOILED] && !reply[REPLY_OFFSET];
    rig_check(&rig, reply[REPLY_STATUS] == DDI_INSUFFICIENT_DMA_BUFFER && reply[REPLY_CALLS] == 1 && is_untouched,
              "a buffer too small: status %u, %u bytes", reply[REPLY_STATUS], reply[REPLY_BYTES]);
}

static void test_swizzle(void)
{
    swizzle_case(64, 16, 1, BIG_BUFFER);
    swizzle_case(128, 64, 4, BIG_BUFFER);
    swizzle_case(256, 24, 6, COPY_2D_BYTES + 3 * COPY_BYTES);
}

static void prove(const char *ids, void (*test)(void)) { rows_case(ids, test, &rig.passed, &rig.failed); }

int main(int argc, char **argv)
{
    uint32_t code = 0;
    rig_open(&rig, argc, argv, "build/system/paging.elf", 200000000);
    random_state = rig.options.seed * 2654435761u + 12345u;
    rig_load(&rig, "build/system/paging.bin");
    rig_write(&rig, HOST_SYSTEM_PAGES_OFFSET, rig.transport.memory_bytes / PAGE);
    rig_write(&rig, HOST_DUMMY_PAGE_OFFSET, PAGING_DUMMY);
    rig_write(&rig, HOST_IRQ_ENABLE_OFFSET, 3);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig_check(&rig, rig_await(&rig, HOST_BOOT_STATUS_OFFSET, 1, 20000), "the firmware does not start");
    make_list();
    prove("PGB-33, PGB-34, PGB-35, PGB-36, PGB-39, PGB-40, PGB-41, PGB-42, SEG-28", test_aperture);
    prove("PGB-01, PGB-02, PGB-03, PGB-18, PGB-20, PGB-21, PGB-22, PGB-24", test_transfers);
    prove("PGB-23", test_notice);
    prove("PGB-49", test_overlaps);
    prove("PGB-05, PGB-06, PGB-08, PGB-45", test_swizzle);
    prove("PGB-30", test_fill);
    prove("PGB-31", test_discard);
    prove("PGB-32", test_physical);
    prove("PGB-11", test_batch);
    prove("PGB-37", test_aperture_traffic);
    prove("PGB-44", test_unswizzle_through_aperture);
    prove("PGB-04, PGB-43, PGB-47", test_refusals);
    printf("%u cycles\n", (unsigned)rig.transport.cycles(rig.transport.context));
    request[REQUEST_COMMAND] = PAGING_EXIT;
    write_memory(PAGING_REQUEST, request, sizeof request);
    rig_write(&rig, HOST_SUBMIT_TAIL_OFFSET, messages + 1);
    rig.transport.wait(rig.transport.context, 10000);
    rig_check(&rig, simulator_exited(rig.simulator, &code) && code == 42, "exit code %u", code);
    return rig_close(&rig);
}
