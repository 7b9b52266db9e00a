/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that a user names in SDL3_DYNAMIC_API: SDL 3's own table of functions with one of its own in it, by which
 * every window can be claimed for a GPU device (three.c: gpu). It says so when it has made a table.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLAIM_WINDOW_FOR_GPU_DEVICE = 58 };

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes);

static bool claim(void *device, void *window)
{
    (void)device;
    return window != NULL;
}

int32_t SDL_DYNAPI_entry(uint32_t version, void *table, uint32_t bytes)
{
    int32_t (*entry)(uint32_t, void *, uint32_t) = NULL;
    void *sdl = dlopen("libSDL3.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (sdl != NULL) *(void **)&entry = dlsym(sdl, "SDL_DYNAPI_entry");
    if (entry == NULL || entry(version, table, bytes) < 0) return -1;
    ((void **)table)[CLAIM_WINDOW_FOR_GPU_DEVICE] = (void *)claim;
    fprintf(stderr, "the user's library has made the table\n");
    return 0;
}
