// SPDX-License-Identifier: Apache-2.0
//
// Cases of test_display.cpp that have a scene of their own; each takes a unit that was just reset.
#ifndef CASES_H
#define CASES_H

#include "display_door.h"

void case_registers(display_door &door);
void case_steady(display_door &door);
void case_now(display_door &door);
void case_late(display_door &door);
void case_cursor(display_door &door);
void case_any_time(display_door &door, uint32_t flips);

// Every pixel of a frame against the golden model.
void compare(display_door &door, const display_picture &picture, const display_frame &frame);

#endif
