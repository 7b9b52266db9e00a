/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching a portion: see portion_patch.h.
 */
#include "schedule/portion_patch.h"

enum { PATCH_ENTRIES = 96 }; /* that are patched in a step */

uint32_t portion_address(const void *context, uint32_t allocation)
{
    const struct manager *manager = context;
    const struct allocation *entry = &manager->residency.table.entry[allocation];
    ASSERT(entry->segment != 0u); /* SCH-13: everything a portion references is resident */
    return manager->segments[entry->segment - 1u].base_address + (uint32_t)entry->first_page * (uint32_t)PAGE_BYTES;
}

struct ddi_patch portion_describe(const struct scheduler *scheduler)
{
    const struct manager *manager = scheduler->manager;
    const struct job *job = &scheduler->jobs[scheduler->current].job;
    const struct portion *portion = &scheduler->portion;
    return (struct ddi_patch){
        .dma_buffer = job->dma_offset,
        .dma_buffer_size = job->dma_words * 4u,
        .submission_start_offset = portion->start_word * 4u,
        .submission_end_offset = portion->end_word * 4u,
        .patch_location_list = job->patches,
        .patch_location_list_size = job->patch_count,
        .patch_location_list_submission_start = portion->first_entry,
        .patch_location_list_submission_length = portion->entry_count,
        .submission_fence_id = scheduler->last_fence + 1u,
        .address = portion_address,
        .context = manager,
        .must_rewrite = manager_is_forced(manager, HOST_FORCE_ALWAYS_REPATCH_LSB),
    };
}

void portion_patch_begin(struct scheduler *scheduler)
{
    scheduler->patched = 0;
    scheduler->stage = STAGE_PATCH;
}

bool portion_words_are_right(const struct scheduler *scheduler)
{
    return scheduler->jobs[scheduler->current].use->is_in_place &&
           !manager_is_forced(scheduler->manager, HOST_FORCE_ALWAYS_REPATCH_LSB);
}

void portion_patch_step(struct scheduler *scheduler)
{
    struct manager *manager = scheduler->manager;
    struct ddi_patch patch = portion_describe(scheduler);
    scheduler->patch_fence = patch.submission_fence_id;
    const uint32_t left = scheduler->portion.entry_count - scheduler->patched;
    const bool is_right = portion_words_are_right(scheduler);
    const uint32_t count = is_right ? left : min_u32(left, PATCH_ENTRIES);
    patch.patch_location_list_submission_start += scheduler->patched;
    patch.patch_location_list_submission_length = count;
    patch.right_count = count;
    if (!is_right && manager->ddi.patch(manager->ddi.adapter, &patch) != DDI_SUCCESS)
        hal_panic(PANIC_SUBMIT, patch.submission_fence_id); /* DMA-14 */
    manager->statistics[STAT_PREPATCH_VALID] += patch.right_count;
    manager->statistics[STAT_PATCHED] += count - (patch.must_rewrite ? 0u : patch.right_count);
    scheduler->patched += count;
    if (scheduler->patched == scheduler->portion.entry_count) scheduler->stage = STAGE_SUBMIT;
}
