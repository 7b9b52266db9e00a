/* SPDX-License-Identifier: Apache-2.0 */
#include "examiner_door.h"

#include "job_bench.h"

static struct examiner_model examiner;
static struct lists_model lists;
/* Times that they still say BUSY: the models take no time, hardware does. */
static uint32_t walks_for, reads_for;
static bool is_stopping; /* a second STOP prolongs nothing */

void examiner_door_reset(void)
{
    examiner_model_reset(&examiner, EXAMINER_LOG2_MAX);
    lists_model_reset(&lists, DOOR_ROWS_LOG2);
    walks_for = reads_for = 0;
    is_stopping = false;
}

uint32_t examiner_door_read(uint32_t offset)
{
    if (offset == EXAMINE_LISTS_OFFSET && reads_for != 0u) {
        reads_for--;
        return FIELD_PUT(1, EXAMINE_LISTS_PRESENT) | FIELD_PUT(1, EXAMINE_LISTS_BUSY);
    }
    if (offset == EXAMINE_STATUS_OFFSET && walks_for != 0u) {
        walks_for--;
        return FIELD_PUT(1, EXAMINE_STATUS_PRESENT) | FIELD_PUT(1, EXAMINE_STATUS_BUSY);
    }
    return offset < EXAMINE_LISTS_OFFSET ? examiner_model_read(&examiner, offset) : lists_model_read(&lists, offset);
}

void examiner_door_write(uint32_t offset, uint32_t value, const struct lists_memory *memory)
{
    const bool is_stop = offset == EXAMINE_STOP_OFFSET; /* which takes time, too */
    if (!is_stop && (walks_for != 0u || reads_for != 0u))
        bench_offence("the examiner was written to while it works", offset);
    if (offset >= EXAMINE_LISTS_OFFSET) lists_model_write(&lists, &examiner, offset, value, memory);
    else examiner_model_write(&examiner, offset, value, memory->command, memory->command_words);
    if (offset == EXAMINE_START_OFFSET) walks_for = 2;
    if (offset == EXAMINE_READ_OFFSET) reads_for = 3, is_stopping = false;
    if (is_stop && reads_for != 0u && !is_stopping) reads_for = 2, is_stopping = true;
}
