/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated chip with the firmware, opened by the library: what tests of whole programs begin with.
 */
#ifndef TESSERA_TEST_OPEN_CHIP_H
#define TESSERA_TEST_OPEN_CHIP_H

#include <stdio.h>
#include <stdlib.h>

#include "simulator.h"
#include "tessera.h"

#define CHIP_FIRMWARE "build/firmware/gpu.elf"

/* One at a time. The program ends with 2 and the reason when it cannot be opened. Both take CHIP_FIRMWARE; the chip is
 * tessera_transport(*gpu), and tessera_close ends both. */
static inline struct simulator *open_chip_with(struct tessera **gpu, const struct simulator_options *chip,
                                               const struct tessera_options *options)
{
    static struct transport transport;
    char message[256];
    struct simulator_options with_symbols = *chip;
    struct tessera_options with_firmware = *options;
    with_symbols.firmware_elf = with_firmware.firmware = CHIP_FIRMWARE;
    struct simulator *simulator = simulator_create(&with_symbols, message);
    if (simulator != NULL) simulator_transport(simulator, &transport);
    if (simulator != NULL && tessera_open(gpu, &transport, &with_firmware, message) == TESSERA_OK) return simulator;
    printf("%s\n", message);
    exit(2);
}

#endif
