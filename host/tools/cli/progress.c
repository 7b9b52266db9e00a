/* SPDX-License-Identifier: Apache-2.0
 *
 * See progress.h.
 */
#include "tools/cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 40 };
static const double redraw_seconds = 0.1;

static double now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void progress_begin(struct progress *progress, const char *what, uint32_t total)
{
    *progress = (struct progress){.what = what, .total = total, .is_terminal = isatty(STDERR_FILENO) == 1};
    progress->last = now_seconds() - (progress->is_terminal ? redraw_seconds : 0);
}

static void draw(struct progress *progress, uint32_t done)
{
    char bar[BAR + 1];
    memset(bar, ' ', BAR);
    memset(bar, '#', (size_t)((uint64_t)BAR * done / progress->total));
    bar[BAR] = 0;
    fprintf(stderr, "\r  [%s] %s %u of %u", bar, progress->what, done, progress->total);
    progress->is_drawn = true;
    if (done == progress->total) progress_break(progress);
}

void progress_show(struct progress *progress, uint32_t done)
{
    double now = now_seconds();
    bool is_last = done == progress->total;
    if (progress->total == 0 || done > progress->total) return;
    if (progress->is_terminal && (is_last || now - progress->last >= redraw_seconds)) {
        draw(progress, done);
        progress->last = now;
    } else if (!progress->is_terminal && !is_last && now - progress->last >= PROGRESS_QUIET_SECONDS) {
        fprintf(stderr, "  %s %u of %u\n", progress->what, done, progress->total);
        progress->last = now;
    }
}

void progress_break(struct progress *progress)
{
    if (progress->is_drawn) fputc('\n', stderr);
    progress->is_drawn = false;
}
