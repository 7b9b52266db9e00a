/* SPDX-License-Identifier: Apache-2.0
 *
 * Our driver from above: a second caller uses it as the documents' sample loop does (corrected as the
 * model's section 9 says), and an interpreter of the packets says what they would do.
 * PGB-01..PGB-04, PGB-08, PGB-11, PGB-15, PGB-18..PGB-24, PGB-30..PGB-35, PGB-39, PGB-42, PGB-43, PGB-47, PGB-49,
 * CAP-03, SEG-01..SEG-03, SEG-09.
 */
#include "check.h"
#include "driver/driver.h"
#include "driver/driver_paging.h"
#include "fake_hal.h"

enum { PAGES = 40, BUFFER = 4096, GUARD_WORD = 0x600dcafe, MDL = 0x8000, SYSTEM_PAGES = 200, DUMMY = 7 };

static struct driver driver;

static void start(void)
{
    fake_hal_reset();
    fake_hal.registers[MEMORY_SEGMENT1_BYTES_OFFSET / 4] = 64 * 4096;
    fake_hal.registers[MEMORY_SEGMENT2_BYTES_OFFSET / 4] = 512 * 4096;
    fake_hal.registers[APERTURE_PAGES_OFFSET / 4] = 1024;
    fake_hal.registers[HOST_SYSTEM_PAGES_OFFSET / 4] = SYSTEM_PAGES;
    fake_hal.registers[HOST_DUMMY_PAGE_OFFSET / 4] = DUMMY;
    const struct driver_layout layout = {{0, 4096},
                                         {1024, 1024},
                                         {0, 0},
                                         0xc000,
                                         hal_register_read(HOST_SYSTEM_PAGES_OFFSET),
                                         hal_register_read(HOST_DUMMY_PAGE_OFFSET),
                                         DMA_BYTES_DEFAULT,
                                         LIST_DEFAULT};
    driver_init(&driver, &layout);
}

/* A page list with runs of every length, jumps, and numbers outside system memory. */
static void random_list(uint32_t *random)
{
    uint32_t frame = check_pick(random, SYSTEM_PAGES);
    for (uint32_t i = 0; i < PAGES; i++) {
        frame = check_pick(random, 3) == 0 ? check_pick(random, SYSTEM_PAGES + 10) : frame + 1;
        fake_hal.system[MDL / 4 + i] = frame;
    }
}

/* The paging node checks what it reads there: frames outside system memory are not the driver's business. */
static uint32_t frame_at(uint32_t index) { return fake_hal.system[MDL / 4 + index]; }

static uint32_t listed(uint32_t list, uint32_t index)
{
    CHECK(list >= GPU_LIMIT(ADDR_SYSTEM) + MDL && list % 4 == 0);
    return fake_hal.system[(list - GPU_LIMIT(ADDR_SYSTEM)) / 4 + index];
}

/* Where each page of the operation ends up: [page] = where it is copied from or to, or mapped to. */
static uint32_t effect[PAGES];
static uint32_t packets;

static void interpret(uint32_t from, uint32_t to, bool is_into_segment, uint32_t segment)
{
    while (from < to) {
        const uint32_t *words = &fake_hal.command[from / 4];
        packets++;
        if ((words[0] & 0xffu) == PKT_COPY_LIST) {
            uint32_t local = words[PKT_COPY_LIST_LOCAL_WORD], bytes = words[PKT_COPY_LIST_BYTES_WORD];
            CHECK_EQUAL(FIELD_GET(words[0], PKT_COPY_LIST_TO_SYSTEM), !is_into_segment);
            CHECK(local >= segment && (local - segment) % 4096 == 0 && bytes % 4096 == 0);
            for (uint32_t i = 0; i < bytes / 4096; i++) {
                uint32_t page = (local - segment) / 4096 + i;
                CHECK(page < PAGES);
                CHECK_EQUAL(effect[page], 0); /* PGB-08: no page twice */
                effect[page] = GPU_LIMIT(ADDR_SYSTEM) + listed(words[PKT_COPY_LIST_LIST_WORD], i) * 4096;
            }
            from += 4 * PKT_COPY_LIST_WORDS;
        } else {
            CHECK_EQUAL(words[0] & 0xffu, PKT_MAP_LIST);
            for (uint32_t i = 0; i < words[PKT_MAP_LIST_COUNT_WORD]; i++) {
                uint32_t page = words[PKT_MAP_LIST_FIRST_WORD] - segment + i;
                CHECK(page < PAGES);
                CHECK_EQUAL(effect[page], 0);
                effect[page] = listed(words[PKT_MAP_LIST_LIST_WORD], i);
            }
            from += 4 * PKT_MAP_LIST_WORDS;
        }
    }
}

/* The sample loop: build, on INSUFFICIENT "submit" and go on in a fresh buffer of `bytes`. */
static void build(struct ddi_build_paging_buffer *arguments, uint32_t bytes, bool is_into_segment, uint32_t segment)
{
    struct ddi ddi = driver_ddi(&driver);
    enum ddi_status status;
    arguments->multipass_offset = 0;
    do {
        for (uint32_t i = 0; i <= bytes / 4; i++) fake_hal.command[BUFFER / 4 + i] = GUARD_WORD;
        arguments->dma_buffer = BUFFER;
        arguments->dma_size = bytes;
        status = ddi.build_paging_buffer(ddi.adapter, arguments);
        CHECK(status == DDI_SUCCESS || status == DDI_INSUFFICIENT_DMA_BUFFER);
        CHECK(arguments->dma_buffer - BUFFER <= bytes);
        CHECK_EQUAL(fake_hal.command[arguments->dma_buffer / 4], GUARD_WORD); /* PGB-02, PGB-03 */
        interpret(BUFFER, arguments->dma_buffer, is_into_segment, segment);
    } while (status == DDI_INSUFFICIENT_DMA_BUFFER);
}

static void clear_effect(void)
{
    for (uint32_t i = 0; i < PAGES; i++) effect[i] = 0;
    packets = 0;
}

/* Page list to segment and back, every buffer size, sub-transfers with their offsets. */
static void test_transfer(void)
{
    CASE("PGB-01, PGB-02, PGB-03, PGB-04, PGB-08, PGB-18, PGB-21, PGB-24");
    uint32_t random = 5;
    start();
    for (uint32_t round = 0; round < 400; round++) {
        random_list(&random);
        bool is_in = check_pick(&random, 2) != 0;
        uint32_t segment = GPU_LIMIT(ADDR_SEGMENT2) + 4096 * check_pick(&random, 100);
        uint32_t offset = check_pick(&random, 10), pages = 1 + check_pick(&random, PAGES - 20);
        uint32_t mdl_offset = check_pick(&random, 10);
        struct ddi_build_paging_buffer arguments = {.operation = DDI_TRANSFER};
        struct ddi_location local = {2, segment, 0}, system = {0, 0, MDL};
        arguments.u.transfer = (struct ddi_transfer){.transfer_offset = offset * 4096,
                                                     .transfer_size = pages * 4096,
                                                     .source = is_in ? system : local,
                                                     .destination = is_in ? local : system,
                                                     .flags = DDI_TRANSFER_START | DDI_TRANSFER_END,
                                                     .mdl_offset = mdl_offset};
        clear_effect();
        build(&arguments, 16 + 4 * check_pick(&random, 40), is_in, segment);
        for (uint32_t i = 0; i < PAGES; i++) {
            bool is_moved = i >= offset && i < offset + pages;
            uint32_t expected = GPU_LIMIT(ADDR_SYSTEM) + frame_at(mdl_offset + i - offset) * 4096;
            CHECK_EQUAL(effect[i], is_moved ? expected : 0);
        }
    }
}

static void test_map(void)
{
    CASE("PGB-03, PGB-04, PGB-08, PGB-33, PGB-34, PGB-35, PGB-42");
    uint32_t random = 9;
    start();
    for (uint32_t round = 0; round < 200; round++) {
        random_list(&random);
        uint32_t first = check_pick(&random, 900), pages = 1 + check_pick(&random, 20),
                 offset = check_pick(&random, 20);
        struct ddi_build_paging_buffer arguments = {.operation = DDI_MAP_APERTURE_SEGMENT};
        arguments.u.map = (struct ddi_map_aperture_segment){3, first, pages, MDL, offset, round % 2 != 0};
        clear_effect();
        build(&arguments, 16 + 4 * check_pick(&random, 40), false, first);
        for (uint32_t i = 0; i < PAGES; i++) CHECK_EQUAL(effect[i], i < pages ? frame_at(offset + i) : 0);
        CHECK_EQUAL(FIELD_GET(fake_hal.command[BUFFER / 4], PKT_MAP_LIST_COHERENT), round % 2);
    }
}

/* An operation is one packet, however scattered its pages are; what the paging node compares them with is set. */
static void test_one_packet(void)
{
    start();
    CHECK_EQUAL(fake_hal.registers[(NODE_PAGE_BOUND_OFFSET + NODE_PAGING * NODE_STRIDE) / 4], SYSTEM_PAGES);
    for (uint32_t i = 0; i < 16; i++) fake_hal.system[MDL / 4 + i] = 20 + 3 * i;
    struct ddi_build_paging_buffer arguments = {.operation = DDI_TRANSFER};
    arguments.u.transfer = (struct ddi_transfer){
        .transfer_size = 16 * 4096, .source = {0, 0, MDL}, .destination = {1, GPU_LIMIT(ADDR_SEGMENT1), 0}};
    clear_effect();
    build(&arguments, 2048, true, GPU_LIMIT(ADDR_SEGMENT1));
    CHECK_EQUAL(packets, 1);
}

/* Tiles are made page by page, and there the driver reads the list: every page where its entry says, in buffers of any
 * size, one outside system memory as the dummy page (CAP-03). A surface of two pages, 512 bytes by 16 rows. */
static void test_tiled_pages(void)
{
    CASE("CAP-03");
    start();
    for (uint32_t words = PKT_COPY_2D_WORDS; words < 60; words++) {
        uint32_t rows = 0;
        struct ddi ddi = driver_ddi(&driver);
        struct ddi_build_paging_buffer arguments = {.operation = DDI_TRANSFER, .allocation = {9, 512, 16, 1}};
        arguments.u.transfer = (struct ddi_transfer){.transfer_size = 8192,
                                                     .source = {0, 0, MDL},
                                                     .destination = {1, GPU_LIMIT(ADDR_SEGMENT1), 0},
                                                     .flags = DDI_TRANSFER_SWIZZLE,
                                                     .mdl_offset = 1};
        fake_hal.system[MDL / 4 + 1] = 33;
        fake_hal.system[MDL / 4 + 2] = words % 2 ? SYSTEM_PAGES : 44;
        enum ddi_status status;
        do {
            arguments.dma_buffer = BUFFER;
            arguments.dma_size = 4 * words;
            status = ddi.build_paging_buffer(ddi.adapter, &arguments);
            for (uint32_t at = BUFFER; at < arguments.dma_buffer; at += 4 * PKT_COPY_2D_WORDS, rows++) {
                const uint32_t *packet = &fake_hal.command[at / 4];
                uint32_t frame = rows < 8 ? 33 : words % 2 ? DUMMY : 44;
                CHECK_EQUAL(packet[0] & 0xffu, PKT_COPY_2D);
                CHECK_EQUAL(packet[PKT_COPY_2D_SOURCE_WORD], GPU_LIMIT(ADDR_SYSTEM) + frame * 4096 + rows % 8 * 512);
                CHECK_EQUAL(packet[PKT_COPY_2D_TARGET_WORD],
                            GPU_LIMIT(ADDR_SEGMENT1) + rows / 8 * 4096 + rows % 8 * 32);
            }
        } while (status == DDI_INSUFFICIENT_DMA_BUFFER);
        CHECK_EQUAL(status, DDI_SUCCESS);
        CHECK_EQUAL(rows, 16);
    }
}

static enum ddi_status once(struct ddi_build_paging_buffer *arguments, uint32_t bytes)
{
    struct ddi ddi = driver_ddi(&driver);
    arguments->dma_buffer = BUFFER;
    arguments->dma_size = bytes;
    arguments->multipass_offset = 0;
    return ddi.build_paging_buffer(ddi.adapter, arguments);
}

/* PGB-15: TransferStart at every piece is no new transfer: pieces of any size, each built on its own, in buffers of any
 * size, move every page once. PGB-20: addresses are used as they are, the base is not added again. PGB-21: the offset
 * counts on the segment's side only, MdlOffset on the other. */
static void test_repeated_start(void)
{
    CASE("PGB-15, PGB-20, PGB-21");
    uint32_t random = 77;
    start();
    for (uint32_t round = 0; round < 100; round++) {
        random_list(&random);
        bool is_in = check_pick(&random, 2) != 0;
        uint32_t segment = GPU_LIMIT(ADDR_SEGMENT2) + 4096 * check_pick(&random, 100), page = 0;
        clear_effect();
        while (page < PAGES) {
            uint32_t pages = 1 + check_pick(&random, PAGES - page), bytes = 16 + 4 * check_pick(&random, 40);
            const struct ddi_location local = {2, segment, 0}, system = {0, 0, MDL};
            struct ddi_build_paging_buffer piece = {.operation = DDI_TRANSFER, .allocation = {.handle = 9}};
            piece.u.transfer =
                (struct ddi_transfer){.transfer_offset = page * 4096,
                                      .transfer_size = pages * 4096,
                                      .source = is_in ? system : local,
                                      .destination = is_in ? local : system,
                                      .flags = DDI_TRANSFER_START | (page + pages == PAGES ? DDI_TRANSFER_END : 0u),
                                      .mdl_offset = page};
            build(&piece, bytes, is_in, segment);
            page += pages;
        }
        for (uint32_t i = 0; i < PAGES; i++) CHECK_EQUAL(effect[i], GPU_LIMIT(ADDR_SYSTEM) + frame_at(i) * 4096);
    }
}

/* PGB-19: no allocation: plain bytes, one packet, whatever the flags and the shape say; with one the
 * same call makes tiles. */
static void test_null_allocation(void)
{
    CASE("PGB-19");
    start();
    for (uint32_t i = 0; i < 2; i++) fake_hal.system[MDL / 4 + i] = 20 + i;
    for (uint32_t handle = 0; handle < 2; handle++)
        for (uint32_t is_local = 0; is_local < 2; is_local++) {
            struct ddi_build_paging_buffer arguments = {.operation = DDI_TRANSFER};
            struct ddi_location system = {0, 0, MDL}, aperture = {3, GPU_LIMIT(ADDR_APERTURE), 0};
            arguments.u.transfer = (struct ddi_transfer){.transfer_size = 8192,
                                                         .source = is_local ? aperture : system,
                                                         .destination = {1, GPU_LIMIT(ADDR_SEGMENT1), 0},
                                                         .flags = DDI_TRANSFER_SWIZZLE};
            arguments.allocation = (struct ddi_allocation){handle, 64, 128, 1};
            arguments.dma_buffer = BUFFER;
            arguments.dma_size = 4096;
            struct ddi ddi = driver_ddi(&driver);
            CHECK_EQUAL(ddi.build_paging_buffer(ddi.adapter, &arguments), DDI_SUCCESS);
            CHECK_EQUAL(fake_hal.command[BUFFER / 4] & 0xffu, handle     ? PKT_COPY_2D
                                                              : is_local ? PKT_COPY
                                                                         : PKT_COPY_LIST);
            CHECK_EQUAL(arguments.dma_buffer - BUFFER == 4 * PKT_COPY_WORDS, handle == 0);
        }
}

/* From the host's pages to the host's pages is no transfer of a GPU's. */
static void test_system_to_system(void)
{
    start();
    struct ddi ddi = driver_ddi(&driver);
    struct ddi_build_paging_buffer arguments = {.operation = DDI_TRANSFER, .dma_buffer = BUFFER, .dma_size = 4096};
    arguments.u.transfer =
        (struct ddi_transfer){.transfer_size = 4096, .source = {0, 0, MDL}, .destination = {0, 0, MDL + 4}};
    CHECK_EQUAL(ddi.build_paging_buffer(ddi.adapter, &arguments), DDI_NOT_SUPPORTED);
    CHECK_EQUAL(arguments.dma_buffer, BUFFER);
    arguments.u.transfer.transfer_size = 0; /* a notice alone */
    CHECK_EQUAL(ddi.build_paging_buffer(ddi.adapter, &arguments), DDI_SUCCESS);
    CHECK_EQUAL(arguments.dma_buffer, BUFFER);
}

/* A node's progress: its packets, and of the paging node each word and burst that it has moved besides. */
static void test_progress(void)
{
    static const uint32_t counters[] = {NODE_PACKETS_OFFSET, NODE_READ_LOCAL_OFFSET, NODE_READ_SYSTEM_OFFSET,
                                        NODE_WRITE_LOCAL_OFFSET, NODE_WRITE_SYSTEM_OFFSET};
    start();
    struct ddi ddi = driver_ddi(&driver);
    for (uint32_t node = 0; node < 2; node++)
        for (uint32_t i = 0; i < 5; i++)
            fake_hal.registers[(counters[i] + node * (uint32_t)NODE_STRIDE) / 4] = (node + 1) << 4 * i;
    CHECK_EQUAL(ddi.query_engine_status(ddi.adapter, NODE_RENDER).progress, 1);
    CHECK_EQUAL(ddi.query_engine_status(ddi.adapter, NODE_PAGING).progress, 0x22222);
}

/* PGB-32: the GPU touches 1 to 8 bytes where it is told, for real: a packet each, read or write, never left out. */
static void test_physical_accesses(void)
{
    CASE("PGB-32");
    const uint32_t *words = &fake_hal.command[BUFFER / 4];
    start();
    for (uint32_t is_write = 0; is_write < 2; is_write++)
        for (uint32_t size = 0; size < 12; size++) {
            struct ddi_build_paging_buffer arguments = {.operation = is_write ? DDI_WRITE_PHYSICAL : DDI_READ_PHYSICAL};
            arguments.u.access_physical = (struct ddi_access_physical){3, GPU_LIMIT(ADDR_APERTURE) + 64 + size, size};
            arguments.dma_buffer = BUFFER;
            arguments.dma_size = 4 * PKT_TOUCH_WORDS;
            struct ddi ddi = driver_ddi(&driver);
            bool is_legal = size >= 1 && size <= 8;
            CHECK_EQUAL(ddi.build_paging_buffer(ddi.adapter, &arguments), is_legal ? DDI_SUCCESS : DDI_NOT_SUPPORTED);
            CHECK_EQUAL(arguments.dma_buffer - BUFFER, is_legal ? 4 * PKT_TOUCH_WORDS : 0);
            if (!is_legal) continue;
            CHECK_EQUAL(words[0] & 0xffu, PKT_TOUCH);
            CHECK_EQUAL(FIELD_GET(words[0], PKT_TOUCH_BYTES), size);
            CHECK_EQUAL(FIELD_GET(words[0], PKT_TOUCH_WRITE), is_write);
            CHECK_EQUAL(words[PKT_TOUCH_ADDRESS_WORD], GPU_LIMIT(ADDR_APERTURE) + 64 + size);
        }
}

/* Operations of one packet or none. */
static void test_single_packets(void)
{
    CASE("PGB-03, PGB-04, PGB-22, PGB-23, PGB-30, PGB-31, PGB-32, PGB-34, PGB-39, PGB-43, PGB-47, PGB-49");
    const uint32_t *words = &fake_hal.command[BUFFER / 4];
    start();
    struct ddi_build_paging_buffer arguments = {.operation = DDI_FILL};
    arguments.u.fill = (struct ddi_fill){8192, 0x11223344, {1, GPU_LIMIT(ADDR_SEGMENT1) + 4096, 0}};
    CHECK_EQUAL(once(&arguments, 15), DDI_INSUFFICIENT_DMA_BUFFER);
    CHECK_EQUAL(once(&arguments, 16), DDI_SUCCESS);
    CHECK_EQUAL(words[0], PKT_FILL);
    CHECK_EQUAL(words[PKT_FILL_TARGET_WORD], GPU_LIMIT(ADDR_SEGMENT1) + 4096);
    CHECK_EQUAL(words[PKT_FILL_BYTES_WORD], 8192);
    CHECK_EQUAL(words[PKT_FILL_PATTERN_WORD], 0x11223344);
    arguments.u.fill.destination.segment_id = 3; /* PGB-30 */
    CHECK_EQUAL(once(&arguments, 16), DDI_NOT_SUPPORTED);

    arguments = (struct ddi_build_paging_buffer){.operation = DDI_UNMAP_APERTURE_SEGMENT};
    arguments.u.unmap = (struct ddi_unmap_aperture_segment){3, 17, 5, DUMMY};
    CHECK_EQUAL(once(&arguments, 16), DDI_SUCCESS);
    CHECK_EQUAL(words[0], PKT_UNMAP);
    CHECK_EQUAL(words[PKT_UNMAP_FIRST_WORD], 17);
    CHECK_EQUAL(words[PKT_UNMAP_COUNT_WORD], 5);
    CHECK_EQUAL(words[PKT_UNMAP_FRAME_WORD], DUMMY);

    arguments = (struct ddi_build_paging_buffer){.operation = DDI_READ_PHYSICAL};
    arguments.u.access_physical = (struct ddi_access_physical){3, GPU_LIMIT(ADDR_APERTURE) + 64, 8};
    CHECK_EQUAL(once(&arguments, 8), DDI_SUCCESS);
    CHECK_EQUAL(words[0], PKT_TOUCH | FIELD_PUT(8, PKT_TOUCH_BYTES));
    arguments.operation = DDI_WRITE_PHYSICAL;
    CHECK_EQUAL(once(&arguments, 8), DDI_SUCCESS);
    CHECK_EQUAL(FIELD_GET(words[0], PKT_TOUCH_WRITE), 1);
    arguments.u.access_physical.access_size = 9;
    CHECK_EQUAL(once(&arguments, 8), DDI_NOT_SUPPORTED);

    arguments = (struct ddi_build_paging_buffer){.operation = DDI_DISCARD_CONTENT};
    CHECK_EQUAL(once(&arguments, 0), DDI_SUCCESS);
    CHECK_EQUAL(arguments.dma_buffer, BUFFER);

    arguments = (struct ddi_build_paging_buffer){.operation = DDI_TRANSFER}; /* PGB-23 */
    CHECK_EQUAL(once(&arguments, 0), DDI_SUCCESS);
    CHECK_EQUAL(arguments.dma_buffer, BUFFER);

    /* PGB-49: a move up inside a segment works from the end. */
    arguments.u.transfer = (struct ddi_transfer){.transfer_size = 8192,
                                                 .source = {1, GPU_LIMIT(ADDR_SEGMENT1), 0},
                                                 .destination = {1, GPU_LIMIT(ADDR_SEGMENT1) + 4096, 0}};
    CHECK_EQUAL(once(&arguments, 16), DDI_SUCCESS);
    CHECK_EQUAL(FIELD_GET(words[0], PKT_COPY_REVERSE), 1);
    for (uint32_t operation = 7; operation < 18; operation++) { /* PGB-47, and SpecialLockTransfer, PGB-43 */
        arguments.operation = (enum ddi_operation)operation;
        CHECK_EQUAL(once(&arguments, 2048), DDI_NOT_SUPPORTED);
    }
}

static void test_segment_query(void)
{
    CASE("SEG-01, SEG-02, SEG-03, SEG-09");
    struct ddi_segment_descriptor descriptors[SEGMENT_LIMIT];
    const struct ddi_query_segment_in in = {0, 0, 0};
    struct ddi_query_segment_out out = {.paging_buffer_segment_id = 77, .paging_buffer_size = 78};
    start();
    struct ddi ddi = driver_ddi(&driver);
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT3, &in, &out), DDI_SUCCESS);
    CHECK_EQUAL(out.nb_segment, 3);
    CHECK_EQUAL(out.paging_buffer_segment_id, 77); /* SEG-02 */
    CHECK_EQUAL(out.paging_buffer_size, 78);
    out.descriptor = descriptors;
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT3, &in, &out), DDI_SUCCESS);
    CHECK_EQUAL(out.paging_buffer_segment_id, 0);
    CHECK_EQUAL(descriptors[1].size, 512 * 4096);
    CHECK_EQUAL(descriptors[2].flags, DDI_SEGMENT_APERTURE | DDI_SEGMENT_CACHE_COHERENT);
    /* Eight bytes a cycle, four, and what lies in system memory takes what it takes. */
    CHECK(descriptors[0].page_cycles == 512 && descriptors[1].page_cycles == 1024 && descriptors[2].page_cycles == 0);
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT, &in, &out), DDI_NOT_SUPPORTED);

    /* An older driver has the other form (SEG-09), the same segments, and no less of a first call. */
    fake_hal.registers[HOST_BOOT_OPTIONS_OFFSET / 4] = FIELD_PUT(1, HOST_BOOT_OPTIONS_PLAIN_QUERY);
    const struct driver_layout layout = {{0, 4096},
                                         {1024, 1024},
                                         {0, 0},
                                         0xc000,
                                         hal_register_read(HOST_SYSTEM_PAGES_OFFSET),
                                         hal_register_read(HOST_DUMMY_PAGE_OFFSET),
                                         DMA_BYTES_DEFAULT,
                                         LIST_DEFAULT};
    driver_init(&driver, &layout);
    struct ddi_driver_caps caps;
    struct ddi_query_segment_out plain = {.paging_buffer_segment_id = 77};
    ddi.query_driver_caps(ddi.adapter, &caps);
    CHECK_EQUAL(caps.wddm_version, DDI_WDDM_1_0);
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT3, &in, &plain), DDI_NOT_SUPPORTED);
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT, &in, &plain), DDI_SUCCESS);
    CHECK_EQUAL(plain.nb_segment, 3);
    CHECK_EQUAL(plain.paging_buffer_segment_id, 77);
    plain.descriptor = descriptors;
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT, &in, &plain), DDI_SUCCESS);
    CHECK_EQUAL(descriptors[1].size, 512 * 4096);

    /* A description that does not exist has no segment. */
    fake_hal.registers[HOST_BOOT_OPTIONS_OFFSET / 4] = FIELD_PUT(7, HOST_BOOT_OPTIONS_DESCRIPTION);
    driver_init(&driver, &layout);
    struct ddi_query_segment_out none = {.nb_segment = 5};
    CHECK_EQUAL(ddi.query_adapter_info(ddi.adapter, DDI_QUERY_SEGMENT3, &in, &none), DDI_SUCCESS);
    CHECK_EQUAL(none.nb_segment, 0);
}

/* ------------------------------------------------------------------ rings */

/* What a BIND has loaded is loaded again with another address, in the ring; what no BIND has loaded is left alone, even
 * if it looks like one; and the room of a submission stays free. */
static void test_rebind(void)
{
    enum { BUFFER_AT = 0x8000, SLOT = 5 };
    static const uint32_t words[] = {
        PKT_BIND | SLOT << 8 | FORMAT_RGB565 << 16, 11, 64, 4096, PKT_COPY, PKT_BIND | SLOT << 8, 12, 4};
    static const struct patch list[] = {{.patch_word = 1, .slot = SLOT, .offset = 256},
                                        {.patch_word = 5, .slot = SLOT},
                                        {.patch_word = 6, .slot = SLOT},
                                        {.patch_word = 1, .slot = SLOT + 1}};
    uint32_t pushed = 0;
    start();
    const struct ddi ddi = driver_ddi(&driver);
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) fake_hal.command[BUFFER_AT / 4 + i] = words[i];
    for (uint32_t i = 0; i < 4; i++) {
        const struct ddi_rebinding rebinding = {BUFFER_AT, list, 3 + i / 3, i, 0x10000000};
        const uint32_t tail = driver.engine[0].tail;
        CHECK(ddi.rebind(ddi.adapter, &rebinding));
        CHECK_EQUAL(driver.engine[0].tail - tail, i == 0 ? PKT_BIND_WORDS : 0);
    }
    const uint32_t expected[] = {words[0], 0x10000100, 64, 4096};
    for (uint32_t i = 0; i < PKT_BIND_WORDS; i++) CHECK_EQUAL(fake_hal.command[i], expected[i]);
    const struct ddi_rebinding rebinding = {BUFFER_AT, list, 3, 0, 0x10000000};
    while (ddi.rebind(ddi.adapter, &rebinding) && pushed < 1024) pushed++;
    CHECK(pushed > 64 && pushed < 1024 / PKT_BIND_WORDS);
    CHECK(ddi.can_submit(ddi.adapter, NODE_RENDER));
    CHECK_EQUAL(driver.engine[0].kicked, driver.engine[0].tail); /* so that the node makes room */
}

/* Without a request there is no report, and none is left when one has been given. */
static void test_no_report(void)
{
    struct ddi_dma_preempted report;
    start();
    const struct ddi ddi = driver_ddi(&driver);
    for (uint32_t node = 0; node < NODE_LIMIT; node++) {
        CHECK(!ddi.query_dma_preempted(ddi.adapter, node, &report));
        const struct ddi_preempt_command command = {node, 5};
        CHECK_EQUAL(ddi.preempt_command(ddi.adapter, &command), DDI_SUCCESS);
        CHECK(ddi.query_dma_preempted(ddi.adapter, node, &report) && report.is_direct);
        CHECK_EQUAL(report.preemption_fence_id, 5);
        CHECK(!ddi.query_dma_preempted(ddi.adapter, node, &report));
    }
}

int main(void)
{
    CHECK_RUN(test_no_report);
    CHECK_RUN(test_transfer);
    CHECK_RUN(test_map);
    CHECK_RUN(test_one_packet);
    CHECK_RUN(test_tiled_pages);
    CHECK_RUN(test_repeated_start);
    CHECK_RUN(test_null_allocation);
    CHECK_RUN(test_physical_accesses);
    CHECK_RUN(test_single_packets);
    CHECK_RUN(test_segment_query);
    CHECK_RUN(test_rebind);
    CHECK_RUN(test_system_to_system);
    CHECK_RUN(test_progress);
    return check_finish();
}
