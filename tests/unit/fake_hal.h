/* SPDX-License-Identifier: Apache-2.0
 *
 * hal.h over plain arrays, for tests of single modules, natively and as RV32. Assertions and panics of the
 * firmware come back to the test that expects them.
 */
#ifndef TESSERA_FAKE_HAL_H
#define TESSERA_FAKE_HAL_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

enum { FAKE_REGISTER_BYTES = 0xa00, FAKE_COMMAND_BYTES = 65536, FAKE_SYSTEM_BYTES = 1 << 20 };

struct fake_hal {
    uint32_t registers[FAKE_REGISTER_BYTES / 4];
    uint32_t command[FAKE_COMMAND_BYTES / 4];
    uint32_t system[FAKE_SYSTEM_BYTES / 4];
    uint32_t reset_polls;  /* NODE.CONTROL.RESET reads 1 this often */
    uint32_t traced[32];   /* the last argument of each event */
    uint32_t missing_from; /* reads of system memory from here on fail; 0 = none do */
    uint32_t clock_unit;   /* DISPLAY.CLOCK gives a multiple of it; 0 = what is asked for */
    uint32_t cycles;       /* what hal_cycles says */
    uint32_t pauses, away; /* calls of hal_pause so far; cycles that each takes */
    bool is_left;          /* what runs on another stack says that it has paused */
    bool expects_stop;
    jmp_buf stop;
    uint32_t stop_code; /* PANIC_* */
};
extern struct fake_hal fake_hal;

void fake_hal_reset(void);

/* Does `call` end in a firmware assertion or panic? Runs it either way. */
#define FAKE_STOPS(call) \
    (fake_hal.expects_stop = true, setjmp(fake_hal.stop) != 0 || ((call), false)) && fake_hal_stopped()
bool fake_hal_stopped(void);

#endif
