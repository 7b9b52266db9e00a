/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that a replay writes natively and the page does not ask for: they would need json-c.
 */
#include "tools/replay/pagesim.h"
#include "tools/replay/replay_track.h"

#include <stdio.h>

static bool refuse(const char *path, char message[PAGESIM_MESSAGE])
{
    snprintf(message, PAGESIM_MESSAGE, "%.160s: this is not written here", path);
    return false;
}

bool pagesim_write(const struct pagesim *workload, const char *path, char message[PAGESIM_MESSAGE])
{
    (void)workload;
    return refuse(path, message);
}

bool track_write_schedule(const struct track *track, const char *path, char message[PAGESIM_MESSAGE])
{
    (void)track;
    return refuse(path, message);
}

bool track_write_submitted(const struct track *track, const char *path, char message[PAGESIM_MESSAGE])
{
    (void)track;
    return refuse(path, message);
}
