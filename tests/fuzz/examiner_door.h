/* SPDX-License-Identifier: Apache-2.0
 *
 * The examiner, and what reads the lists for it, behind the bench's registers: the golden models (examiner_door.c), or
 * the Verilog beside them (tests/rtl/examiner).
 */
#ifndef TESTS_EXAMINER_DOOR_H
#define TESTS_EXAMINER_DOOR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "lists_model.h"

enum { DOOR_ROWS_LOG2 = 6 };

void examiner_door_reset(void);
uint32_t examiner_door_read(uint32_t offset);
void examiner_door_write(uint32_t offset, uint32_t value, const struct lists_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
