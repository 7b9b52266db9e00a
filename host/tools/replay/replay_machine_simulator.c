/* SPDX-License-Identifier: Apache-2.0
 *
 * A replay's device: the Verilated chip.
 */
#include "tools/replay/replay.h"
#include "simulator.h"

int replay_open_simulator(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    const struct simulator_options simulator_options = {.memory_bytes = options->memory_bytes,
                                                        .read_latency = options->latency,
                                                        .write_latency = options->latency / 2u,
                                                        .stall_percent = options->stall_percent,
                                                        .seed = options->seed,
                                                        .max_cycles = options->max_cycles,
                                                        .firmware_elf = options->firmware};
    struct simulator *simulator = simulator_create(&simulator_options, message);
    if (simulator == NULL) return -1;
    simulator_transport(simulator, transport);
    simulator_probe(simulator, options->probe);
    return 0;
}
