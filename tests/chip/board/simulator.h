/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulated board in a process of its own, for the tests that speak to it over its wire.
 */
#ifndef BOARD_SIMULATOR_H
#define BOARD_SIMULATOR_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts the simulator (board_sim.c, whatever board it was built with) on a free port, its pictures going to the folder
 * `frames` (NULL: nowhere). -1 if it does not listen. It ends with the caller, however that ends. */
pid_t simulator_start(const char *path, const char *frames, unsigned *port);

/* Ends it. True: no assertion of the RTL failed, no bad symbol, line or frame was seen. */
bool simulator_stop(pid_t simulator);

#endif
