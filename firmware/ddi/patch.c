/* SPDX-License-Identifier: Apache-2.0
 *
 * Patching in place: a validated location is one word of the buffer.
 */
#include "ddi/patch.h"

#include "platform/base.h"
#include "platform/turn.h"

/* One location; true if its word was right already. */
static bool patch_word(uint32_t dma_buffer, const struct patch *patch, patch_address *address, const void *context,
                       bool must_rewrite)
{
    uint32_t place = dma_buffer + patch->patch_word * 4u;
    uint32_t value = patch->allocation == PATCH_NULL ? 0u : address(context, patch->allocation) + patch->offset;
    bool is_right = hal_command_read(place) == value;
    if (!is_right || must_rewrite) hal_command_write(place, value);
    return is_right;
}

uint32_t job_patch(const struct job *job, uint32_t first, uint32_t count, patch_address *address, const void *context)
{
    uint32_t right_already = 0;
    ASSERT(first <= job->patch_count);
    ASSERT(count <= job->patch_count - first);
    for (uint32_t i = first; i < first + count; i++)
        right_already += patch_word(job->dma_offset, &job->patches[i], address, context, false);
    return right_already;
}

bool job_prepatch(const struct job *job, uint32_t first, uint32_t end, prepatch_address *address, const void *context)
{
    const uint32_t dma_buffer = job->dma_offset;
    const struct patch *const patches = job->patches;
    bool is_whole = true;
    ASSERT(end <= job->patch_count);
    for (uint32_t i = first; i < end; i++) { /* there may be no list */
        const struct patch *patch = &patches[i];
        uint32_t value = 0;
        yield_in_loop(i);
        if (patch->allocation != PATCH_NULL) {
            const uint32_t base = address(context, patch);
            value = base + patch->offset;
            if (base == 0u) {
                is_whole = false;
                continue;
            }
        }
        hal_command_write(dma_buffer + patch->patch_word * 4u, value);
    }
    return is_whole;
}

bool patch_portion(struct ddi_patch *arguments)
{
    uint32_t first = arguments->patch_location_list_submission_start;
    uint32_t count = arguments->patch_location_list_submission_length;
    uint32_t start = arguments->submission_start_offset, end = arguments->submission_end_offset;
    const struct patch *list = arguments->patch_location_list;
    if (start > end || end > arguments->dma_buffer_size) return false;
    uint32_t size = arguments->patch_location_list_size;
    if (first > size || count > size - first) return false;
    for (uint32_t i = first; i < first + count; i++)
        if (list[i].patch_word * 4u < start || list[i].patch_word * 4u >= arguments->dma_buffer_size) return false;
    arguments->right_count = 0;
    for (uint32_t i = first; i < first + count; i++)
        arguments->right_count += patch_word(arguments->dma_buffer, &list[i], arguments->address, arguments->context,
                                             arguments->must_rewrite);
    return true;
}
