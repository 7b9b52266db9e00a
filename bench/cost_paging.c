/* SPDX-License-Identifier: Apache-2.0
 *
 * What building paging operations costs on the control core, in instructions (qemu counts one per cycle), on a
 * hardware door of plain loads and stores. Costs are slopes: from operations of one page and of many
 * pages whose page list is in one piece, and whose page list jumps at every page. Every operation's packets are
 * counted too, so that a driver that builds nothing is not cheap.
 */
#include "check.h"
#include "driver/driver.h"
#include "fake_hal.h"

enum { BUFFER = 8192, BUFFER_BYTES = 8192, MDL = 0x8000, PAGES = 64, SYSTEM_PAGES = 400 };

static struct driver driver;

static uint32_t instructions(void)
{
    uint32_t count;
    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

static void start(void)
{
    fake_hal_reset();
    fake_hal.registers[MEMORY_SEGMENT1_BYTES_OFFSET / 4] = 64 * 4096;
    fake_hal.registers[MEMORY_SEGMENT2_BYTES_OFFSET / 4] = 512 * 4096;
    fake_hal.registers[APERTURE_PAGES_OFFSET / 4] = 1024;
    fake_hal.registers[HOST_SYSTEM_PAGES_OFFSET / 4] = SYSTEM_PAGES;
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

/* Instructions to build one operation whose packets are `words` long. */
static uint32_t cost(struct ddi_build_paging_buffer operation, uint32_t words)
{
    struct ddi ddi = driver_ddi(&driver);
    operation.dma_buffer = BUFFER;
    operation.dma_size = BUFFER_BYTES;
    uint32_t begin = instructions();
    enum ddi_status status = ddi.build_paging_buffer(ddi.adapter, &operation);
    uint32_t count = instructions() - begin;
    CHECK_EQUAL(status, DDI_SUCCESS);
    CHECK_EQUAL(operation.dma_buffer - BUFFER, 4 * words);
    return count;
}

static uint32_t transfer(uint32_t pages)
{
    struct ddi_build_paging_buffer operation = {.operation = DDI_TRANSFER};
    operation.u.transfer = (struct ddi_transfer){.transfer_size = pages * 4096,
                                                 .source = {0, 0, MDL},
                                                 .destination = {2, GPU_LIMIT(ADDR_SEGMENT2), 0},
                                                 .flags = DDI_TRANSFER_START | DDI_TRANSFER_END};
    return cost(operation, PKT_COPY_LIST_WORDS);
}

static uint32_t map(uint32_t pages)
{
    struct ddi_build_paging_buffer operation = {.operation = DDI_MAP_APERTURE_SEGMENT};
    operation.u.map = (struct ddi_map_aperture_segment){3, 0, pages, MDL, 0, true};
    return cost(operation, PKT_MAP_LIST_WORDS);
}

static void page_list(uint32_t stride)
{
    for (uint32_t i = 0; i < PAGES; i++) fake_hal.system[MDL / 4 + i] = 1 + i * stride;
}

static void figure(const char *name, uint32_t value)
{
    printf("paging.%s %lu instructions\n", name, (unsigned long)value);
}

static void test_cost(void)
{
    start();
    page_list(1);
    figure("build_transfer_of_one_page", transfer(1));
    figure("build_transfer_of_a_run", transfer(PAGES));
    figure("build_map_of_one_page", map(1));
    figure("build_map_of_a_run", map(PAGES));
    page_list(2);
    figure("build_transfer_of_scattered_pages", transfer(PAGES));
    figure("build_map_of_scattered_pages", map(PAGES));
}

int main(void)
{
    CHECK_RUN(test_cost);
    return check_finish();
}
