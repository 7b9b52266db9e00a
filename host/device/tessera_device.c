/* SPDX-License-Identifier: Apache-2.0
 *
 * See tessera_device.h: a platform (platform.h) that belongs to the struct tessera on it.
 */
#include "tessera_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/installation.h"
#include "device/platform.h"
#include "lib/tessera_internal.h"

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static const char *wrong_device(const struct tessera_device_options *device)
{
    enum { LATENCY_MOST = 10000, STALL_MOST = 90 };
    if (device->latency > LATENCY_MOST)
        return "open_device: latency is out of range, 1 to 10000 cycles is possible, and 0 for the default.";
    if (device->stall_percent > STALL_MOST) return "open_device: stall_percent is out of range, 0 to 90 is possible.";
    return NULL;
}

int tessera_open_device(struct tessera **tessera, const char *where, const struct tessera_device_options *device,
                        const struct tessera_options *options, char message[256])
{
    struct tessera_options of_tessera = options != NULL ? *options : (struct tessera_options){0};
    struct tessera_device_options of_device = device != NULL ? *device : (struct tessera_device_options){0};
    *tessera = NULL;
    if (where == NULL) where = "";
    bool is_model = strcmp(where, "model") == 0, is_board = starts(where, "tty:") || starts(where, "tcp:");
    if (!is_model && !is_board && strcmp(where, "simulator") != 0) {
        snprintf(message, 256, "there is no device '%.80s': name model, simulator, tty:... or tcp:...", where);
        return TESSERA_MISUSE;
    }
    const char *wrong = wrong_device(&of_device);
    if (wrong != NULL) {
        snprintf(message, 256, "%s", wrong);
        return TESSERA_MISUSE;
    }
    struct platform *platform = malloc(sizeof *platform);
    if (platform == NULL) {
        snprintf(message, 256, "out of memory");
        return TESSERA_NO_MEMORY;
    }
    const struct platform_options of_platform = {.is_model = is_model,
                                                 .device = is_board ? where : NULL,
                                                 .firmware = of_tessera.firmware != NULL ? of_tessera.firmware
                                                                                         : installation_firmware(),
                                                 .keeps_firmware = of_device.keeps_firmware,
                                                 .seed = of_device.seed,
                                                 .latency = of_device.latency,
                                                 .stall_percent = of_device.stall_percent,
                                                 .max_cycles = of_device.max_cycles};
    int status = platform_open(platform, &of_platform, message) == 0 ? TESSERA_OK : TESSERA_LINK;
    if (status == TESSERA_OK) {
        of_tessera.firmware = platform->firmware;
        status = tessera_open(tessera, &platform->transport, &of_tessera, message);
        if (status != TESSERA_OK) platform->transport.close(platform->transport.context);
    }
    if (status == TESSERA_OK) (*tessera)->platform = platform;
    else free(platform);
    return status;
}

void *tessera_device_memory(struct tessera *tessera)
{
    const struct platform *platform = tessera->platform;
    return platform != NULL ? platform->memory : NULL;
}
