/* SPDX-License-Identifier: Apache-2.0
 *
 * What paging costs on the chip's own core, in cycles, the reads of page lists in system memory included: writing the
 * packets of one operation (paging.c, optimised as the firmware is), per page of the list, and the longest search of
 * the segment allocator. Prints "name value unit" lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ddi/ddi.h"
#include "paging.h"
#include "rig.h"

enum { PAGE = 4096, PAGES = 32, BUFFER = 1024, SEGMENT1 = 1, APERTURE = 3 };

static struct rig rig;
static uint32_t messages;

/* Cycles inside the calls for this request. */
static uint32_t run(const uint32_t request[REQUEST_WORDS])
{
    uint32_t reply[REPLY_WORDS];
    rig.transport.memory_write(rig.transport.context, PAGING_REQUEST, request, 4 * REQUEST_WORDS);
    rig_write(&rig, HOST_SUBMIT_TAIL_OFFSET, ++messages);
    bool is_done = rig_await(&rig, HOST_COMPLETE_TAIL_OFFSET, messages, 1000000);
    rig.transport.memory_read(rig.transport.context, PAGING_REPLY, reply, sizeof reply);
    rig_check(&rig, is_done && reply[REPLY_STATUS] == DDI_SUCCESS && reply[REPLY_CYCLES] != 0, "request %u",
              request[REQUEST_COMMAND]);
    return reply[REPLY_CYCLES];
}

static uint32_t build(uint32_t operation, const uint32_t *arguments, uint32_t count)
{
    uint32_t request[REQUEST_WORDS] = {PAGING_BUILD};
    request[REQUEST_OPERATION] = operation;
    request[REQUEST_BUFFER] = BUFFER;
    request[REQUEST_HANDLE] = 1;
    memcpy(request + REQUEST_ARGUMENTS, arguments, 4 * count);
    return run(request);
}

static uint32_t transfer(uint32_t pages)
{
    const uint32_t in[] = {0,
                           pages * PAGE,
                           0,
                           0,
                           PAGING_LISTS,
                           SEGMENT1,
                           GPU_LIMIT(ADDR_SEGMENT1),
                           0,
                           DDI_TRANSFER_START | DDI_TRANSFER_END,
                           0};
    return build(DDI_TRANSFER, in, 10);
}

static uint32_t map(uint32_t pages)
{
    const uint32_t words[] = {APERTURE, 0, pages, PAGING_LISTS, 0, 0};
    return build(DDI_MAP_APERTURE_SEGMENT, words, 6);
}

static void figure(const char *name, uint32_t cycles) { printf("paging.%s %u cycles\n", name, cycles); }

/* Pages behind one another, or none next to another. */
static void write_list(uint32_t stride)
{
    uint32_t list[PAGES];
    for (uint32_t i = 0; i < PAGES; i++) list[i] = PAGING_PAGES + i * stride;
    rig.transport.memory_write(rig.transport.context, PAGING_LISTS, list, sizeof list);
}

int main(int argc, char **argv)
{
    rig_open(&rig, argc, argv, "build/system/paging_bench.elf", 20000000);
    rig_load(&rig, "build/system/paging_bench.bin");
    rig_write(&rig, HOST_SYSTEM_PAGES_OFFSET, rig.transport.memory_bytes / PAGE);
    rig_write(&rig, HOST_DUMMY_PAGE_OFFSET, PAGING_DUMMY);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    rig_check(&rig, rig_await(&rig, HOST_BOOT_STATUS_OFFSET, 1, 20000), "the firmware does not start");
    write_list(1);
    figure("transfer_of_one_page", transfer(1));
    figure("transfer_of_a_run", transfer(PAGES));
    figure("map_of_one_page", map(1));
    figure("map_of_a_run", map(PAGES));
    write_list(2);
    figure("transfer_of_scattered_pages", transfer(PAGES));
    figure("map_of_scattered_pages", map(PAGES));
    const uint32_t unmap[] = {APERTURE, 0, PAGES, PAGING_DUMMY}, place = GPU_LIMIT(ADDR_SEGMENT1);
    const uint32_t fill[] = {PAGE, 1, SEGMENT1, place, 0}, discard[] = {0, SEGMENT1, place};
    const uint32_t touch[] = {SEGMENT1, place, 8};
    figure("unmap", build(DDI_UNMAP_APERTURE_SEGMENT, unmap, 4));
    figure("fill", build(DDI_FILL, fill, 5));
    figure("discard", build(DDI_DISCARD_CONTENT, discard, 3));
    figure("write_physical", build(DDI_WRITE_PHYSICAL, touch, 3));
    for (uint32_t ranges = 16; ranges <= 512; ranges = ranges == 16 ? 128 : ranges * 4) {
        const uint32_t request[REQUEST_WORDS] = {PAGING_SEARCH, [REQUEST_BYTES] = ranges};
        char name[32];
        snprintf(name, sizeof name, "worst_search_of_%u", ranges);
        figure(name, run(request));
    }
    return rig_close(&rig);
}
