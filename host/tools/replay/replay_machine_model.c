/* SPDX-License-Identifier: Apache-2.0
 *
 * A replay's device: the firmware on the golden model, with local memory as large as the guard table allows.
 */
#include "device.h"
#include "tools/replay/replay.h"

_Static_assert((int)REPLAY_SPLIT_PAGES_MAX <= (int)COST_SPLIT_PAGES_MAX, "the firmware takes it as it is");
enum { SEGMENT1_BYTES = 256 << 10, SEGMENT2_BYTES = 16 << 20 };

int replay_open_model(struct transport *transport, const struct replay_machine_options *options, char message[256])
{
    const struct gpu_options gpu_options = {.split_pages = options->split_pages};
    const struct device_options device_options = {.memory_bytes = options->memory_bytes,
                                                  .segment1_bytes = SEGMENT1_BYTES,
                                                  .segment2_bytes = SEGMENT2_BYTES,
                                                  .probe = options->probe,
                                                  .gpu = &gpu_options,
                                                  .seed = options->seed};
    struct device *device = device_create(&device_options, message);
    if (device == NULL) return -1;
    device_transport(device, transport);
    return 0;
}
