/* SPDX-License-Identifier: Apache-2.0 */
#include "examiner_door.h"

#include "examiner_model.h"

static struct examiner_model examiner;

void examiner_door_reset(void) { examiner_model_reset(&examiner); }
uint32_t examiner_door_read(uint32_t offset) { return examiner_model_read(&examiner, offset); }
void examiner_door_write(uint32_t offset, uint32_t value, const uint32_t *command, uint32_t command_words)
{
    examiner_model_write(&examiner, offset, value, command, command_words);
}
