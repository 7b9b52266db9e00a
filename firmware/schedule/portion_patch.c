/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching a portion: see portion_patch.h.
 */
#include "schedule/portion_patch.h"

#include "platform/turn.h"

enum { PATCH_ENTRIES = 16 }; /* in a call of the driver */

uint32_t portion_address(const void *context, uint32_t allocation)
{
    const struct manager *manager = context;
    const struct allocation *entry = &manager->residency.world.table.entry[allocation];
    ASSERT(entry->segment != 0u); /* SCH-13: everything a portion references is resident */
    return manager->segments[entry->segment - 1u].base_address + (uint32_t)entry->first_page * (uint32_t)PAGE_BYTES;
}

struct ddi_patch portion_describe(const struct manager *manager, const struct job *job, const struct portion *portion,
                                  uint32_t fence)
{
    return (struct ddi_patch){
        .dma_buffer = job->dma_offset,
        .dma_buffer_size = job->dma_words * 4u,
        .submission_start_offset = portion->start_word * 4u,
        .submission_end_offset = portion->end_word * 4u,
        .patch_location_list = job->patches,
        .patch_location_list_size = job->patch_count,
        .patch_location_list_submission_start = portion->first_entry,
        .patch_location_list_submission_length = portion->entry_count,
        .submission_fence_id = fence,
        .address = portion_address,
        .context = manager,
        .must_rewrite = manager_is_forced(manager, HOST_FORCE_ALWAYS_REPATCH_LSB),
    };
}

void portion_patch(struct manager *manager, struct ddi_patch description, bool is_right)
{
    const uint32_t end =
        description.patch_location_list_submission_start + description.patch_location_list_submission_length;
    for (uint32_t first = description.patch_location_list_submission_start, count; first < end; first += count) {
        count = is_right ? end - first : min_u32(end - first, PATCH_ENTRIES);
        description.patch_location_list_submission_start = first;
        description.patch_location_list_submission_length = count;
        description.right_count = count;
        if (!is_right && manager->ddi.patch(manager->ddi.adapter, &description) != DDI_SUCCESS)
            hal_panic(PANIC_SUBMIT, description.submission_fence_id); /* DMA-14 */
        manager->statistics[STAT_PREPATCH_VALID] += description.right_count;
        manager->statistics[STAT_PATCHED] += count - (description.must_rewrite ? 0u : description.right_count);
        yield_if_late(); /* the driver itself never does */
    }
}
