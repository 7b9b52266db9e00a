/* SPDX-License-Identifier: Apache-2.0
 *
 * The examiner behind the bench's registers: the golden model (examiner_door.c), or the Verilog beside it
 * (tests/rtl/examiner).
 */
#ifndef TESTS_EXAMINER_DOOR_H
#define TESTS_EXAMINER_DOOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void examiner_door_reset(void);
uint32_t examiner_door_read(uint32_t offset);
void examiner_door_write(uint32_t offset, uint32_t value, const uint32_t *command, uint32_t command_words);

#ifdef __cplusplus
}
#endif

#endif
