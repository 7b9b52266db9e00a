/* SPDX-License-Identifier: Apache-2.0
 *
 * Which generated fault a program runs with, and which it comes to: see mutant.h. Children share both.
 */
#include "mutant.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char nowhere[MUTANTS_MAX];
int mutant_chosen;
unsigned char *mutant_reached = nowhere;

__attribute__((constructor(101))) static void choose(void)
{
    const char *number = getenv("MUTANT"), *path = getenv("MUTANT_REACHED");
    int file;
    void *map;
    mutant_chosen = number != NULL ? atoi(number) : 0;
    if (path == NULL || (file = open(path, O_RDWR)) < 0) return;
    map = mmap(NULL, MUTANTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED) mutant_reached = map;
}
