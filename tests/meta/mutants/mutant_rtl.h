/* SPDX-License-Identifier: Apache-2.0
 *
 * Included before what Verilator writes of modules that hold generated faults (mutate_rtl.py): which of them a program
 * runs with. With MUTANT_REACHED=FILE the paths of the modules that it has are added to the file.
 */
#ifndef TESSERA_MUTANT_RTL_H
#define TESSERA_MUTANT_RTL_H

#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((unused)) int mutant_in(const char *module)
{
    const char *number = getenv("MUTANT"), *path = getenv("MUTANT_REACHED");
    FILE *file = path != 0 ? fopen(path, "a") : 0;
    if (file != 0) {
        fprintf(file, "%s\n", module);
        fclose(file);
    }
    return number != 0 ? atoi(number) : 0;
}
#endif
