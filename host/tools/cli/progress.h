/* SPDX-License-Identifier: Apache-2.0
 *
 * How far long work is, on stderr: a bar that is drawn again and again where that is a terminal, elsewhere a line every
 * PROGRESS_QUIET_SECONDS, so that short work says nothing and logs stay short.
 */
#ifndef TESSERA_PROGRESS_H
#define TESSERA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_QUIET_SECONDS = 10 };

struct progress {
    const char *what; /* "frame": the bar says "frame 3 of 8" */
    uint32_t total;
    bool is_terminal, is_drawn;
    double last; /* when it was shown, seconds */
};

void progress_begin(struct progress *progress, const char *what, uint32_t total);
/* `done` of the total are done; with all of them a bar gets its newline. */
void progress_show(struct progress *progress, uint32_t done);
/* Before another line goes to stderr: it shall not be written after the bar. */
void progress_break(struct progress *progress);

#endif
