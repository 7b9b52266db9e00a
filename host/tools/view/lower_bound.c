/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/view/lower_bound.h"

#include <inttypes.h>

int lower_bound_solve(const struct bound *bound, struct tessera *tessera, uint32_t stall_percent,
                      struct bound_result *result, uint64_t *frames, uint32_t count)
{
    struct tessera_segment segments[GPU_LIMIT(SEGMENT_COUNT)];
    struct bound_machine machine = {.stall_percent = stall_percent};
    uint32_t segment_count = GPU_LIMIT(SEGMENT_COUNT), place = BOUND_SEGMENT1;
    int status = tessera_query_segments(tessera, segments, &segment_count);
    for (uint32_t i = 0; i < segment_count && place < BOUND_PLACES && status == TESSERA_OK; i++)
        if ((segments[i].flags & (uint32_t)TESSERA_SEGMENT_APERTURE) == 0)
            machine.pages[place++] = (uint32_t)(segments[i].bytes / GPU_LIMIT(PAGE_BYTES));
    if (status == TESSERA_OK) *result = bound_solve_frames(bound, &machine, frames, count);
    return status;
}

void lower_bound_frame_json(FILE *file, uint64_t cycles)
{
    fputs("\"lower_bound\": ", file);
    if (cycles != 0) fprintf(file, "%" PRIu64, cycles);
    else fputs("null", file);
}

void lower_bound_json(FILE *file, const struct bound_result *result, uint64_t cycles)
{
    fprintf(file,
            "  \"lower_bound\": {\"cycles\": %" PRIu64 ", \"busiest\": \"%s\", \"cycles_per_bound\": ", result->cycles,
            bound_resource_name(result->busiest));
    if (cycles == 0 || result->cycles == 0) fputs("null},\n", file);
    else fprintf(file, "%.3f},\n", (double)cycles / (double)result->cycles);
}

void lower_bound_row(const struct bound_result *result, uint64_t cycles, char value[24], char note[128])
{
    const double bound = result->cycles != 0 ? (double)result->cycles : 1;
    snprintf(value, 24, "%.2f", (double)cycles / bound);
    snprintf(note, 128, "the least with any mix of mapping and copying: %" PRIu64 " cycles; busiest: %s",
             result->cycles, bound_resource_name(result->busiest));
}
