/* SPDX-License-Identifier: Apache-2.0
 * The second driver's world on the golden model: see second_driver.h. */
#include <stdio.h>
#include <stdlib.h>

#include "../rows.h"
#include "device_internal.h"
#include "second_driver.h"

struct gpu *second_gpu(void) { return device_gpu(device_current()); }

void second_kept(const char *promise) { rows_count(promise, true); }

_Noreturn void second_broken(const char *promise)
{
    rows_count(promise, false);
    printf("second driver: the manager broke a promise: %s\n", promise);
    exit(2);
}
