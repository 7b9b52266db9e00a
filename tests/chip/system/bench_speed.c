/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast is the simulator? Runs the mailbox firmware (a core that never sleeps, system memory always
 * asked) for a number of cycles and prints millions of cycles per second of processor time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../rtl/regs/mailbox.h"
#include "gpu_spec.h"
#include "rig.h"

/* Processor time, so that a busy machine does not matter. */
static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int argc, char **argv)
{
    enum { CYCLES = 3000000 };
    const uint32_t nothing_asked[32] = {0};
    struct rig rig;
    rig_open(&rig, argc, argv, "build/system/mailbox.elf", 5000000);
    rig.transport.memory_write(rig.transport.context, MAILBOX, nothing_asked, sizeof nothing_asked);
    rig_load(&rig, "build/system/mailbox.bin");
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    double start = now();
    rig_check(&rig, rig.transport.wait(rig.transport.context, CYCLES) == TRANSPORT_OK, "%s", rig.transport.error);
    printf("%.2f million cycles per second\n", CYCLES * 1e-6 / (now() - start));
    return rig_close(&rig);
}
