/* SPDX-License-Identifier: Apache-2.0
 *
 * See rebinding.h.
 */
#include "schedule/rebinding.h"

bool rebinding_bind(struct manager *manager, const struct job *job, const struct splitter *splitter,
                    struct portion *portion, patch_address *address)
{
    const struct ddi *ddi = &manager->ddi;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        const uint64_t bit = (uint64_t)1 << slot;
        if ((portion->moved_slots & bit) == 0u) continue;
        const uint32_t entry = splitter->carried[slot];
        if (job->patches[entry].patch_word >= portion->start_word) continue;
        const struct ddi_rebinding rebinding = {
            .dma_buffer = job->dma_offset,
            .patch_location_list = job->patches,
            .patch_location_list_size = job->patch_count,
            .patch_location = entry,
            .address = address(manager, job->patches[entry].allocation),
        };
        if (!ddi->rebind(ddi->adapter, &rebinding)) return false;
        portion->moved_slots &= ~bit;
        manager->statistics[STAT_BOUND_ANEW]++;
    }
    return true;
}

void rebinding_patch(struct manager *manager, const struct splitter *splitter, const struct portion *portion,
                     const struct ddi_patch *patch)
{
    const struct ddi *ddi = &manager->ddi;
    for (uint32_t slot = 0; slot < SLOT_LIMIT; slot++) {
        if ((portion->moved_slots >> slot & 1u) == 0u) continue;
        struct ddi_patch one = *patch;
        one.patch_location_list_submission_start = splitter->carried[slot];
        one.patch_location_list_submission_length = 1;
        if (ddi->patch(ddi->adapter, &one) != DDI_SUCCESS) hal_panic(PANIC_SUBMIT, patch->submission_fence_id);
        manager->statistics[STAT_BOUND_ANEW]++;
    }
}
