/* SPDX-License-Identifier: Apache-2.0
 *
 * check_schedule WORKLOAD SCHEDULE [FAILED]: the schedule's counts and exit status 0 if it is legal, else one line and
 * 1. FAILED: how many steps found no placement (0); there, what is bound may have moved, if it had to.
 */
#include <stdio.h>
#include <stdlib.h>

#include "schedule_check.h"

enum { SCHEDULE_BYTES_MAX = 64 << 20 };

int main(int argc, char **argv)
{
    char message[PAGESIM_MESSAGE] = "";
    struct schedule_counts counts;
    if (argc != 3 && argc != 4) {
        fputs("usage: check_schedule WORKLOAD SCHEDULE [FAILED]\n", stderr);
        return 2;
    }
    struct pagesim *workload = pagesim_read(argv[1], message);
    FILE *file = fopen(argv[2], "rb");
    char *text = malloc(SCHEDULE_BYTES_MAX);
    bool is_good = false;
    if (workload != NULL && file != NULL && text != NULL) {
        text[fread(text, 1, SCHEDULE_BYTES_MAX - 1, file)] = 0;
        uint32_t failed = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
        is_good = schedule_check(workload, text, failed, &counts, message);
    } else if (message[0] == 0) {
        snprintf(message, sizeof message, "%.200s: cannot be read", argv[2]);
    }
    if (is_good)
        printf("legal: %u portions, pages in %llu, out %llu, filled %llu, moved %llu, mapped %llu\n", counts.portions,
               (unsigned long long)counts.in, (unsigned long long)counts.out, (unsigned long long)counts.fill,
               (unsigned long long)counts.move, (unsigned long long)counts.map);
    else fprintf(stderr, "%s\n", message);
    if (file != NULL) (void)fclose(file);
    free(text);
    pagesim_free(workload);
    return is_good ? 0 : 1;
}
