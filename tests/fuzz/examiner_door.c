/* SPDX-License-Identifier: Apache-2.0 */
#include "examiner_door.h"

#include "examiner_model.h"
#include "job_bench.h"

static struct examiner_model examiner;
static uint32_t walks_for; /* times that STATUS still says BUSY: the model takes no time, hardware does */

void examiner_door_reset(void)
{
    examiner_model_reset(&examiner, EXAMINER_LOG2_MAX);
    walks_for = 0;
}

uint32_t examiner_door_read(uint32_t offset)
{
    if (offset != EXAMINE_STATUS_OFFSET || walks_for == 0u) return examiner_model_read(&examiner, offset);
    walks_for--;
    return FIELD_PUT(1, EXAMINE_STATUS_PRESENT) | FIELD_PUT(1, EXAMINE_STATUS_BUSY);
}

void examiner_door_write(uint32_t offset, uint32_t value, const uint32_t *command, uint32_t command_words)
{
    if (walks_for != 0u) bench_offence("the examiner was written to while it walks", offset);
    examiner_model_write(&examiner, offset, value, command, command_words);
    if (offset == EXAMINE_START_OFFSET) walks_for = 2;
}
