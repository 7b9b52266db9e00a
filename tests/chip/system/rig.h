/* SPDX-License-Identifier: Apache-2.0
 *
 * What the whole-chip tests share: a simulator with its options from the command line, a flat firmware
 * image loaded through LOAD_DATA, and a count of checks.
 */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "simulator.h"

struct rig {
    struct simulator_options options;
    struct simulator *simulator;
    struct transport transport;
    unsigned passed, failed;
};

/* System memory is 1 MiB. Options: --seed N --stall PERCENT --latency CYCLES --fst FILE. Exits with a message
 * when the simulator refuses one. */
void rig_open(struct rig *rig, int argc, char **argv, const char *elf, uint64_t max_cycles);
/* Ends the test: prints "N passed, N failed"; the result is the program's exit status. */
int rig_close(struct rig *rig);

bool rig_check(struct rig *rig, bool is_right, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Register access that must succeed. */
uint32_t rig_read(struct rig *rig, uint32_t offset);
void rig_write(struct rig *rig, uint32_t offset, uint32_t value);

/* Holds the core, loads `path` (a flat image for address 0), reads it back, does not release the core. */
void rig_load(struct rig *rig, const char *path);

/* Waits until the register at `offset` is `value`, at most `cycles`. */
bool rig_await(struct rig *rig, uint32_t offset, uint32_t value, uint32_t cycles);

#endif
