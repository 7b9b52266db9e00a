/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"
#include "machine.h"

const char machine_name[] = "golden model";
const bool machine_is_model = true;

bool machine_open(struct machine *machine, const struct machine_options *options, char message[256])
{
    const struct device_options device_options = {
        .memory_bytes = options->memory_bytes, .probe = options->probe, .seed = options->seed};
    struct device *device = device_create(&device_options, message);
    if (device == NULL) return false;
    machine->inside = device;
    device_transport(device, &machine->transport);
    return true;
}

const char *machine_firmware(void) { return NULL; }

bool machine_is_consistent(const struct machine *machine) { return gpu_check(device_gpu(machine->inside)); }
