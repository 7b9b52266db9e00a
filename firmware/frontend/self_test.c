/* SPDX-License-Identifier: Apache-2.0
 *
 * Self tests. The source area of the dummy page gets a pattern, the GPU copies it to the target area through the
 * aperture page, and the core looks at what has arrived.
 *   1 unmapped    the page is unmapped: both the read and the write must land on the dummy page;
 *   2 corruption  the page is unmapped: the GPU writes 8 bytes, and nothing else of the dummy page may change;
 *   3 coherency   the page is mapped (to the dummy page, the only page the firmware owns): what the core wrote
 *                 must be seen by the GPU and the other way round, several times with other patterns.
 */
#include "frontend/self_test.h"

enum { SOURCE = 0, LIST = 1024, TARGET = 2048, AREA_BYTES = SELF_TEST_WORDS * 4 };
enum { COHERENCY_ROUNDS = 4, OPERATIONS_MAX = 4 };

uint32_t self_test_rounds(uint32_t number) { return number == SELF_TEST_COHERENCY ? COHERENCY_ROUNDS : 1u; }

static uint32_t dummy_address(const struct manager *manager, uint32_t offset)
{
    return manager->dummy_page * (uint32_t)PAGE_BYTES + offset;
}

static uint32_t pattern(uint32_t round, uint32_t i) { return (0x5eed0000u + round * 0x101u) ^ (i * 0x01010101u); }

/* Sum of the dummy page without the two areas and the word of the page list. */
__attribute__((noinline)) static uint32_t sum_of_rest(const struct manager *manager)
{
    uint32_t sum = 0;
    hal_system_invalidate();
    for (uint32_t at = 0; at < (uint32_t)PAGE_BYTES; at += AREA_BYTES) {
        uint32_t words[SELF_TEST_WORDS];
        if (at == SOURCE || at == TARGET || at == LIST) continue;
        hal_system_read(dummy_address(manager, at), words, SELF_TEST_WORDS);
        for (uint32_t i = 0; i < SELF_TEST_WORDS; i++) sum = (sum << 1 | sum >> 31) + words[i];
    }
    return sum;
}

static struct ddi_build_paging_buffer plain(enum ddi_operation operation)
{
    return (struct ddi_build_paging_buffer){.operation = operation};
}

__attribute__((noinline)) static uint32_t list_operations(const struct manager *manager, uint32_t number, uint32_t id,
                                                          uint32_t page,
                                                          struct ddi_build_paging_buffer list[OPERATIONS_MAX])
{
    bool is_coherent = (manager->segments[id - 1u].flags & DDI_SEGMENT_CACHE_COHERENT) != 0u;
    uint32_t base = manager->segments[id - 1u].base_address + page * (uint32_t)PAGE_BYTES, count = 0;
    struct ddi_build_paging_buffer unmap = plain(DDI_UNMAP_APERTURE_SEGMENT), map = plain(DDI_MAP_APERTURE_SEGMENT);
    struct ddi_build_paging_buffer copy = plain(DDI_TRANSFER), touch = plain(DDI_WRITE_PHYSICAL);
    unmap.u.unmap = (struct ddi_unmap_aperture_segment){id, page, 1, manager->dummy_page};
    map.u.map = (struct ddi_map_aperture_segment){id, page, 1, dummy_address(manager, LIST), 0, is_coherent};
    copy.u.transfer =
        (struct ddi_transfer){.transfer_size = AREA_BYTES,
                              .source = {id, base + SOURCE, 0},
                              .destination = {id, base + TARGET, 0},
                              .flags = DDI_TRANSFER_START | DDI_TRANSFER_END | DDI_TRANSFER_ALLOCATION_IS_IDLE};
    touch.u.access_physical = (struct ddi_access_physical){id, base + TARGET, 8};
    list[count++] = number == SELF_TEST_COHERENCY ? map : unmap;
    list[count++] = number == SELF_TEST_CORRUPTION ? touch : copy;
    if (number == SELF_TEST_COHERENCY) {
        list[count] = touch; /* ReadPhysical: the copy is visible to the core after it */
        list[count++].operation = DDI_READ_PHYSICAL;
        list[count++] = unmap;
    }
    return count;
}

/* A free page of an aperture, as high as it goes; the first aperture that has one. */
static bool find_page(struct manager *manager, uint32_t *id, struct segment_place *place)
{
    const struct segment_request one = {1, 1, true};
    for (*id = 1; *id <= manager->adapter.nb_segment; (*id)++)
        if (allocation_is_aperture(&manager->residency.world.table, *id) &&
            segment_find_hole(&manager->residency.world.map, *id, &one, place))
            return true;
    return false;
}

bool self_test_has_page(struct manager *manager)
{
    struct segment_place place;
    uint32_t id;
    return find_page(manager, &id, &place);
}

bool self_test_begin(struct self_test *self_test, struct manager *manager, uint32_t number)
{
    struct segment_place place;
    struct ddi_build_paging_buffer list[OPERATIONS_MAX];
    uint32_t words[SELF_TEST_WORDS], id;
    if (!find_page(manager, &id, &place) || !paging_can_build(&manager->paging)) return false;

    if (self_test->round == 0u) {
        hal_system_invalidate();
        hal_system_read(dummy_address(manager, SOURCE), self_test->saved, SELF_TEST_WORDS);
        hal_system_read(dummy_address(manager, TARGET), self_test->saved + SELF_TEST_WORDS, SELF_TEST_WORDS);
        hal_system_read(dummy_address(manager, LIST), &self_test->saved_list, 1);
        self_test->sum = sum_of_rest(manager);
    }
    for (uint32_t i = 0; i < SELF_TEST_WORDS; i++) words[i] = pattern(self_test->round, i);
    hal_system_write(dummy_address(manager, SOURCE), words, SELF_TEST_WORDS);
    for (uint32_t i = 0; i < SELF_TEST_WORDS; i++) words[i] = ~pattern(self_test->round, i);
    hal_system_write(dummy_address(manager, TARGET), words, SELF_TEST_WORDS);
    hal_system_write(dummy_address(manager, LIST), &manager->dummy_page, 1);
    self_test->fence = paging_build(&manager->paging, list, list_operations(manager, number, id, place.first, list));
    self_test->round++;
    return true;
}

uint32_t self_test_check(struct self_test *self_test, struct manager *manager, uint32_t number)
{
    uint32_t round = self_test->round - 1u, words[SELF_TEST_WORDS], failed = 0;
    hal_system_invalidate();
    hal_system_read(dummy_address(manager, TARGET), words, SELF_TEST_WORDS);
    for (uint32_t i = 0; i < SELF_TEST_WORDS; i++) {
        bool is_zeroed = number == SELF_TEST_CORRUPTION && i < 2u; /* WritePhysical stores zeros */
        uint32_t copied = number == SELF_TEST_CORRUPTION ? ~pattern(round, i) : pattern(round, i);
        if (words[i] != (is_zeroed ? 0u : copied)) failed = 1;
    }
    hal_system_read(dummy_address(manager, SOURCE), words, SELF_TEST_WORDS);
    for (uint32_t i = 0; i < SELF_TEST_WORDS && failed == 0u; i++)
        if (words[i] != pattern(round, i)) failed = 2;
    if (failed == 0u && sum_of_rest(manager) != self_test->sum) failed = 3;
    if (failed != 0u || self_test->round == self_test_rounds(number)) {
        hal_system_write(dummy_address(manager, SOURCE), self_test->saved, SELF_TEST_WORDS);
        hal_system_write(dummy_address(manager, TARGET), self_test->saved + SELF_TEST_WORDS, SELF_TEST_WORDS);
        hal_system_write(dummy_address(manager, LIST), &self_test->saved_list, 1);
    }
    return failed;
}
