/* SPDX-License-Identifier: Apache-2.0
 *
 * A library over fake_device.c: made before each test of cmocka's, freed after it.
 */
#ifndef TEST_HOST_LIB_RIG_H
#define TEST_HOST_LIB_RIG_H

#include <stdlib.h>

#include "fake_device.h"

struct rig {
    struct fake_device device;
    struct transport transport;
    char message[256];
};

static int setup(void **state)
{
    struct rig *rig = calloc(1, sizeof *rig);
    fake_device_init(&rig->device, &rig->transport);
    *state = rig;
    return 0;
}

static int teardown(void **state)
{
    struct rig *rig = *state;
    fake_device_free(&rig->device);
    free(rig);
    return 0;
}

#endif
