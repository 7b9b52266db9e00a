/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of tessera_boot.c: the golden model has its firmware already, nothing is loaded.
 */
#include "lib/tessera_internal.h"

static int refuse(struct tessera *tessera, const void *path)
{
    return tessera_fail(tessera, TESSERA_FIRMWARE, "%s: no firmware is loaded here.", (const char *)path);
}

int tessera_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                 char message[256])
{
    return boot_open(tessera, transport, options, options->firmware != NULL ? refuse : NULL, options->firmware,
                     message);
}
