/* SPDX-License-Identifier: Apache-2.0
 *
 * See installation.h, and tessera_version() of tessera.h. TESSERA_FIRMWARE_PATH and TESSERA_VERSION come from the make
 * rules, the latter from the file VERSION.
 */
#include "lib/device/installation.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tessera.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

/* The image `below` the folder of this program into path; false: there is none. */
static bool beside(const char *below, char path[PATH_MAX])
{
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1u);
    if (length <= 0) return false;
    program[length] = 0;
    *strrchr(program, '/') = 0;
    const int written = snprintf(path, PATH_MAX, "%s/%s", program, below);
    return written > 0 && written < PATH_MAX && access(path, R_OK) == 0;
}

const char *installation_firmware(void)
{
    static char path[PATH_MAX];
    static const char *const below[] = {"firmware/gpu.elf", "../share/tessera/gpu.elf"}; /* build/; a moved PREFIX */
    struct stat here, there;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        if (!beside(below[i], path)) continue;
        const bool is_same = stat(TEXT(TESSERA_FIRMWARE_PATH), &here) == 0 && stat(path, &there) == 0 &&
                             here.st_ino == there.st_ino && here.st_dev == there.st_dev;
        return is_same ? TEXT(TESSERA_FIRMWARE_PATH) : path; /* the shorter name, where it leads to the same */
    }
    return TEXT(TESSERA_FIRMWARE_PATH);
}

const char *tessera_version(void) { return TEXT(TESSERA_VERSION); }
