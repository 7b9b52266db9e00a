/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching in place: a validated location is one word of the buffer, so there is nothing left to check.
 */
#include "patch.h"

#include "base.h"

uint32_t job_patch(const struct job *job, uint32_t first, uint32_t count, patch_address *address,
                   const void *context)
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
        if (hal_command_read(place) == value)
            right_already++;
        else
            hal_command_write(place, value);
    }
    return right_already;
}
