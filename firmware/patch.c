/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching in place: a validated location is one word of the buffer, so there is nothing left to check.
 */
#include "patch.h"

#include "base.h"

static uint32_t patch_range(const struct job *job, uint32_t first, uint32_t count, patch_address *address,
                            const void *context, bool is_always)
{
    uint32_t right_already = 0;
    ASSERT(first <= job->patch_count);
    ASSERT(count <= job->patch_count - first);
    for (uint32_t i = first; i < first + count; i++) {
        const struct patch *patch = &job->patches[i];
        uint32_t place = job->dma_offset + patch->patch_word * 4u;
        uint32_t value = 0;
        if (patch->allocation != PATCH_NULL)
            value = address(context, patch->allocation) + patch->offset;
        bool is_right = hal_command_read(place) == value;
        right_already += is_right;
        if (is_always || !is_right) hal_command_write(place, value);
    }
    return right_already;
}

uint32_t job_patch(const struct job *job, uint32_t first, uint32_t count, patch_address *address,
                   const void *context)
{
    return patch_range(job, first, count, address, context, false);
}

uint32_t job_repatch(const struct job *job, uint32_t first, uint32_t count, patch_address *address,
                     const void *context)
{
    return patch_range(job, first, count, address, context, true);
}

void job_prepatch(const struct job *job, patch_address *address, const void *context)
{
    for (uint32_t i = 0; i < job->patch_count; i++) {
        const struct patch *patch = &job->patches[i];
        uint32_t base = patch->allocation != PATCH_NULL ? address(context, patch->allocation) : 0u;
        if (base != 0u) hal_command_write(job->dma_offset + patch->patch_word * 4u, base + patch->offset);
    }
}
