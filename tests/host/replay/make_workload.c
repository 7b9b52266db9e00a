/* SPDX-License-Identifier: Apache-2.0
 *
 * make_workload FAMILY SEED FRAMES: one of the test families as a pagesim-1 file on standard output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "families.h"

int main(int argc, char **argv)
{
    for (int family = 0; argc == 4 && family < FAMILY_COUNT; family++) {
        if (strcmp(argv[1], family_names[family]) != 0) continue;
        char *text = family_text((enum family)family, (uint32_t)strtoul(argv[2], NULL, 10),
                                 (uint32_t)strtoul(argv[3], NULL, 10));
        if (text == NULL || fputs(text, stdout) == EOF || fflush(stdout) != 0) return 1;
        free(text);
        return 0;
    }
    fputs("usage: make_workload streaming|composition|multipass|pingpong|mixed|pathological SEED FRAMES\n", stderr);
    return 2;
}
