/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver below ddi.h (firmware/driver*.c, engine.c) on the chip without a memory manager above it: the host
 * asks for any paging operation with any arguments, and this calls the driver as the documents' sample loop
 * does, submits what it wrote and waits for the fence. test_paging.c is the host and the judge.
 */
#include "paging.h"

#include "ddi/ddi.h"
#include "driver/driver.h"
#include "memory/segment.h"
#include "platform/turn.h"

enum { RING_BYTES = 4 * LIMIT_BITS_RING_WORDS, BUFFERS = 2 * RING_BYTES, BUFFER_BYTES = 4096, RENDER = BUFFERS + 8192 };
enum { CLOBBER = RENDER + 4096 };
enum { FREE_WORD = 0x7fee7fee, BEHIND_BYTES = 64 };

static struct driver driver;
static struct ddi ddi;
static uint32_t reply[REPLY_WORDS];
static uint32_t fence[NODE_LIMIT];
static uint32_t buffer, used;  /* the open paging buffer: 0 or 1, bytes of packets in it */
static uint32_t checked_bytes; /* of command RAM: the buffer, and a little after it */

/* There is no manager, and nothing pauses. */
void yield_if_late(void) {}

static uint32_t buffer_start(void) { return BUFFERS + buffer * BUFFER_BYTES; }

static void wait_for(uint32_t node)
{
    while (ddi.query_current_fence(ddi.adapter, node) != fence[node]) hal_idle(1000);
    if (ddi.query_engine_status(ddi.adapter, node).is_faulted) hal_panic(PANIC_DRIVER, node);
}

static void submit(uint32_t node, uint32_t start, uint32_t bytes)
{
    const struct ddi_submit_command command = {.node_ordinal = node,
                                               .dma_buffer = start,
                                               .dma_buffer_size = bytes,
                                               .submission_end_offset = bytes,
                                               .submission_fence_id = ++fence[node],
                                               .is_paging = true};
    ddi.submit_command(ddi.adapter, &command);
}

/* Fresh: full of a word that no packet has, so that a write after the end is seen. */
static void open_buffer(void)
{
    buffer ^= 1u;
    used = 0;
    for (uint32_t i = 0; i < checked_bytes; i += 4) hal_command_write(buffer_start() + i, FREE_WORD);
}

static void close_buffer(void)
{
    submit(NODE_PAGING, buffer_start(), used);
    reply[REPLY_SUBMISSIONS]++;
    wait_for(NODE_PAGING);
    open_buffer();
}

static void count_spoiled(void)
{
    for (uint32_t i = used; i < checked_bytes; i += 4)
        reply[REPLY_SPOILED] += hal_command_read(buffer_start() + i) != FREE_WORD;
}

static struct ddi_location location(const uint32_t *words)
{
    return (struct ddi_location){words[0], words[1], words[2]};
}

static void take_arguments(const uint32_t request[REQUEST_WORDS], struct ddi_build_paging_buffer *arguments)
{
    const uint32_t *words = request + REQUEST_ARGUMENTS;
    *arguments = (struct ddi_build_paging_buffer){
        .operation = (enum ddi_operation)request[REQUEST_OPERATION],
        .allocation = {request[REQUEST_HANDLE], request[REQUEST_PITCH], request[REQUEST_HEIGHT],
                       request[REQUEST_LEVELS]},
    };
    switch (arguments->operation) {
    case DDI_TRANSFER:
        arguments->u.transfer = (struct ddi_transfer){.transfer_offset = words[0],
                                                      .transfer_size = words[1],
                                                      .source = location(words + 2),
                                                      .destination = location(words + 5),
                                                      .flags = words[8],
                                                      .mdl_offset = words[9]};
        break;
    case DDI_FILL: arguments->u.fill = (struct ddi_fill){words[0], words[1], location(words + 2)}; break;
    case DDI_DISCARD_CONTENT:
        arguments->u.discard_content = (struct ddi_discard_content){words[0], words[1], words[2]};
        break;
    case DDI_READ_PHYSICAL:
    case DDI_WRITE_PHYSICAL:
        arguments->u.access_physical = (struct ddi_access_physical){words[0], words[1], words[2]};
        break;
    case DDI_MAP_APERTURE_SEGMENT:
        arguments->u.map =
            (struct ddi_map_aperture_segment){words[0], words[1], words[2], words[3], words[4], words[5] != 0u};
        break;
    case DDI_UNMAP_APERTURE_SEGMENT:
        arguments->u.unmap = (struct ddi_unmap_aperture_segment){words[0], words[1], words[2], words[3]};
        break;
    default: break;
    }
}

/* The sample loop: what does not fit is submitted, and a fresh buffer goes on with the same operation. */
static void build(const uint32_t request[REQUEST_WORDS], bool stays_open)
{
    struct ddi_build_paging_buffer arguments;
    take_arguments(request, &arguments);
    uint32_t status = DDI_INSUFFICIENT_DMA_BUFFER;
    bool makes_progress = true;
    if (used == 0u) {
        checked_bytes = request[REQUEST_BUFFER] + BEHIND_BYTES;
        open_buffer();
    }
    while (status == DDI_INSUFFICIENT_DMA_BUFFER && makes_progress) {
        uint32_t before = used;
        arguments.dma_buffer = buffer_start() + used;
        arguments.dma_size = request[REQUEST_BUFFER] - used;
        uint32_t begin = hal_cycles();
        status = ddi.build_paging_buffer(ddi.adapter, &arguments);
        reply[REPLY_CYCLES] += hal_cycles() - begin;
        used = arguments.dma_buffer - buffer_start();
        makes_progress = before > 0u || used > before; /* a fresh buffer too small for a packet ends it */
        reply[REPLY_CALLS]++;
        reply[REPLY_BYTES] += used - before;
        count_spoiled();
        if (used > 0u && !(status == DDI_SUCCESS && stays_open)) close_buffer();
    }
    reply[REPLY_STATUS] = status;
    reply[REPLY_USED] = used;
    reply[REPLY_OFFSET] = arguments.multipass_offset;
    reply[REPLY_FENCE] = ddi.query_current_fence(ddi.adapter, NODE_PAGING);
}

/* `copies` times the same bytes, one submission. */
static void render_copy(uint32_t source, uint32_t target, uint32_t bytes, uint32_t copies)
{
    const uint32_t packet[PKT_COPY_WORDS] = {PKT_COPY, source, target, bytes};
    for (uint32_t i = 0; i < copies * PKT_COPY_WORDS; i++)
        hal_command_write(RENDER + 4 * i, packet[i % PKT_COPY_WORDS]);
    submit(NODE_RENDER, RENDER, copies * sizeof packet);
}

/* As long as a search for two pages can take among so many ranges: a hole of one page below each of them, and enough
 * pages free in all. What the map knows of its holes is undone by a release. */
static void search(uint32_t ranges)
{
    static struct segment_map map;
    const uint16_t pages[SEGMENT_LIMIT] = {2048};
    const struct segment_request two = {2, 1, false};
    static _Alignas(16) unsigned char memory[12288];
    const struct hal_memory part[2] = {{memory, sizeof memory}, {0, 0}};
    struct tables tables;
    const struct table_limits limits = {ALLOCATION_DEFAULT, CONTEXT_DEFAULT, LIST_DEFAULT, DMA_BYTES_DEFAULT};
    tables_init(&tables, &limits, part);
    segment_map_init(&map, &tables, pages);
    struct segment_place place = {1, map.none};
    for (uint32_t i = 0; i < ranges; i++) {
        segment_insert(&map, 1, i, i + 1u < ranges ? 1 : 2048 - 2 * i - 1, &place);
        place = (struct segment_place){2 * i + 3, i};
    }
    segment_remove(&map, 0);
    place = (struct segment_place){1, map.none};
    segment_insert(&map, 1, 0, 1, &place);
    uint32_t begin = hal_cycles();
    bool is_found = segment_find_hole(&map, 1, &two, &place);
    reply[REPLY_CYCLES] = hal_cycles() - begin;
    reply[REPLY_STATUS] = is_found ? DDI_INVALID_PARAMETER : DDI_SUCCESS;
}

static bool execute(const uint32_t request[REQUEST_WORDS])
{
    const uint32_t window = GPU_LIMIT(ADDR_SYSTEM) + PAGING_WINDOW, address = request[REQUEST_ADDRESS];
    const uint32_t bytes = request[REQUEST_BYTES];
    volatile uint32_t *memory = (volatile uint32_t *)(uintptr_t)address;
    uint32_t word;
    for (uint32_t i = 0; i < REPLY_WORDS; i++) reply[i] = 0;
    switch (request[REQUEST_COMMAND]) {
    case PAGING_BUILD: build(request, false); return true;
    case PAGING_BUILD_OPEN: build(request, true); return true;
    case PAGING_PEEK:
    case PAGING_POKE:
        if (request[REQUEST_COMMAND] == PAGING_PEEK) render_copy(address, window, bytes, 1);
        else render_copy(window, address, bytes, 1);
        wait_for(NODE_RENDER);
        return true;
    case PAGING_LOAD:
        for (uint32_t i = 0; i < bytes / 4; i++) {
            word = memory[i];
            hal_system_write(PAGING_WINDOW + 4 * i, &word, 1);
        }
        return true;
    case PAGING_STORE:
        for (uint32_t i = 0; i < bytes / 4; i++) {
            hal_system_read(PAGING_WINDOW + 4 * i, &word, 1);
            memory[i] = word;
        }
        return true;
    case PAGING_RENDER_COPY: render_copy(address, request[REQUEST_TARGET], bytes, request[REQUEST_COPIES]); return true;
    case PAGING_SEARCH: search(bytes); return true;
    case PAGING_RENDER_WAIT: wait_for(NODE_RENDER); return true;
    default: return false;
    }
}

/* What ends wfi: the timer, the doorbell, both nodes. Interrupts are polled, never taken. */
static void enable_lines(void)
{
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrw mie, %0\n.option pop" : : "r"(1u << 7 | 7u << 16));
}

int main(void)
{
    const struct driver_layout layout = {{0, RING_BYTES},
                                         {RING_BYTES / 4, RING_BYTES / 4},
                                         {0, 0},
                                         CLOBBER,
                                         hal_register_read(HOST_SYSTEM_PAGES_OFFSET),
                                         hal_register_read(HOST_DUMMY_PAGE_OFFSET),
                                         DMA_BYTES_DEFAULT,
                                         LIST_DEFAULT};
    uint32_t request[REQUEST_WORDS], done = 0;
    enable_lines();
    driver_init(&driver, &layout);
    ddi = driver_ddi(&driver);
    open_buffer();
    hal_register_write(HOST_BOOT_STATUS_OFFSET, 1);
    for (;;) {
        while (hal_register_read(HOST_SUBMIT_TAIL_OFFSET) == done) hal_idle(10000);
        hal_register_write(CORE_IRQ_PENDING_OFFSET, FIELD_PUT(1, CORE_IRQ_PENDING_DOORBELL));
        hal_system_invalidate();
        hal_system_read(PAGING_REQUEST, request, REQUEST_WORDS);
        if (!execute(request)) return 42;
        hal_system_write(PAGING_REPLY, reply, REPLY_WORDS);
        hal_register_write(HOST_COMPLETE_TAIL_OFFSET, ++done);
        hal_register_write(HOST_IRQ_RAISE_OFFSET, FIELD_PUT(1, HOST_IRQ_STATUS_COMPLETION));
    }
}
