/* SPDX-License-Identifier: Apache-2.0
 *
 * What a user may name in SDL3_DYNAMIC_API, for test_hooks3.c: a library that makes the table, of one function.
 */
#include <stdint.h>

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes);

static int version_of(void) { return 3002001; }

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes)
{
    void **place = table;
    for (uint32_t i = 0; i < bytes / sizeof *place; i++) place[i] = (void *)(uintptr_t)version_of;
    return version == 2 ? 0 : -1;
}
