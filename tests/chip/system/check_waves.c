/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: `make waves` gives a wave form of the cycles asked for, and sim/waves.gtkw shows what is in it. Method: read
 * both, the wave form with the library that comes with Verilator; every name of the view must be a signal of that
 * width, the clock must toggle twice in each cycle of the window and nowhere else, and the core must move.
 *   check_waves WAVES.fst VIEW.gtkw FROM TO
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fstapi.h"

enum { UNITS_PER_CYCLE = 10, RESET_CYCLES = 8 /* the simulator's cycle 0 comes after them */ };

struct count {
    fstHandle clock, pc;
    unsigned clock_changes, pc_changes, outside;
    uint64_t first, last;
};

static unsigned passed, failed;

static void check(bool is_good, const char *what, const char *name)
{
    if (!is_good) printf("FAIL  %s %s\n", what, name);
    passed += is_good;
    failed += !is_good;
}

static void change(void *context, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct count *count = context;
    (void)value;
    count->clock_changes += handle == count->clock;
    count->pc_changes += handle == count->pc;
    count->outside += time < count->first || time > count->last;
}

/* The handle of a signal by its full name, with its range as the viewer writes it; 0 if there is none. */
static fstHandle find(void *reader, const char *name)
{
    struct fstHier *entry;
    char full[512];
    fstHandle handle = 0;
    fstReaderIterateHierRewind(reader);
    fstReaderResetScope(reader);
    while (handle == 0 && (entry = fstReaderIterateHier(reader)) != NULL) {
        if (entry->htyp == FST_HT_SCOPE) fstReaderPushScope(reader, entry->u.scope.name, NULL);
        if (entry->htyp == FST_HT_UPSCOPE) fstReaderPopScope(reader);
        if (entry->htyp != FST_HT_VAR) continue;
        snprintf(full, sizeof full, "%s.%s", fstReaderGetCurrentFlatScope(reader), entry->u.var.name);
        char *range = strchr(full, ' '); /* "retire_pc [31:0]" */
        if (range != NULL) memmove(range, range + 1, strlen(range));
        if (strcmp(full, name) == 0) handle = entry->u.var.handle;
    }
    return handle;
}

int main(int argc, char **argv)
{
    char line[512];
    void *reader = argc == 5 ? fstReaderOpen(argv[1]) : NULL;
    FILE *view = argc == 5 ? fopen(argv[2], "r") : NULL;
    if (reader == NULL || view == NULL) {
        fprintf(stderr, "usage: check_waves WAVES.fst VIEW.gtkw FROM TO\n");
        return 2;
    }
    unsigned names = 0;
    while (fgets(line, sizeof line, view) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "TOP.", 4) != 0) continue;
        names++;
        check(find(reader, line) != 0, "the wave form has no", line);
    }
    fclose(view);
    check(names > 40, "the view has names:", argv[2]);
    uint64_t from = strtoull(argv[3], NULL, 10), to = strtoull(argv[4], NULL, 10);
    struct count count = {.clock = find(reader, "TOP.sim_top.clk"), .pc = find(reader, "TOP.sim_top.retire_pc[31:0]")};
    count.first = (from + RESET_CYCLES) * UNITS_PER_CYCLE;
    count.last = (to + RESET_CYCLES) * UNITS_PER_CYCLE;
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks(reader, change, &count, NULL);
    printf("%u names; the clock changed %u times, the program counter %u times\n", names, count.clock_changes,
           count.pc_changes);
    check(count.clock_changes + 1 >= 2 * (to - from) && count.clock_changes <= 2 * (to - from) + 1,
          "a clock of all its cycles:", argv[1]);
    check(count.pc_changes > 10, "a core that works:", argv[1]);
    check(count.outside == 0, "nothing outside the window:", argv[1]);
    fstReaderClose(reader);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
