/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of tessera_boot.c: the golden model has its firmware already, nothing is loaded.
 */
#include "lib/tessera_internal.h"

int boot_load(struct tessera *tessera, const char *path)
{
    return tessera_fail(tessera, TESSERA_FIRMWARE, "%s: no firmware is loaded here.", path);
}
