/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine to run sequences on, behind struct transport: the Verilated chip with its real firmware
 * (machine_hardware.c) or the firmware on the golden model (machine_model.c). The linker chooses.
 */
#ifndef TEST_SEQUENCE_MACHINE_H
#define TEST_SEQUENCE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/device/probe.h"
#include "transport.h"

struct machine_options {
    uint32_t memory_bytes, seed;
    uint32_t stall_percent, latency; /* of system memory, where there is a bus; latency 0 = the usual one */
    const struct probe *probe;       /* may be NULL; copied */
};

struct machine {
    struct transport transport;
    void *inside; /* struct simulator or struct device */
};

extern const char machine_name[];
extern const bool machine_is_model;

/* False, with `message`, when it cannot be made. The transport's close ends it. */
bool machine_open(struct machine *machine, const struct machine_options *options, char message[256]);
/* The firmware image that tessera_open is to load; NULL: it is there already. */
const char *machine_firmware(void);
/* Do the manager's own validators hold, as far as this machine can be looked into? */
bool machine_is_consistent(const struct machine *machine);

#endif
