/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"
#include "simulator.h"

const char machine_name[] = "simulated hardware";
const bool machine_is_model = false;

bool machine_open(struct machine *machine, const struct machine_options *options, char message[256])
{
    const struct simulator_options simulator_options = {.memory_bytes = options->memory_bytes,
                                                        .read_latency = options->latency,
                                                        .write_latency = options->latency,
                                                        .stall_percent = options->stall_percent,
                                                        .seed = options->seed,
                                                        .firmware_elf = machine_firmware()};
    struct simulator *simulator = simulator_create(&simulator_options, message);
    if (simulator == NULL) return false;
    machine->inside = simulator;
    simulator_transport(simulator, &machine->transport);
    if (options->probe != NULL) simulator_probe(simulator, options->probe);
    return true;
}

const char *machine_firmware(void) { return "build/firmware/gpu.elf"; }

bool machine_is_consistent(const struct machine *machine)
{
    (void)machine;
    return true;
}
