/* SPDX-License-Identifier: Apache-2.0
 *
 * See simulator.h.
 */
#include "simulator.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t simulator_start(const char *path, const char *frames, unsigned *port)
{
    int ends[2];
    char text[64] = "";
    if (pipe(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nothing running */
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execl(path, path, "--port", "0", frames != NULL ? "--frames" : (char *)NULL, frames, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *output = child > 0 ? fdopen(ends[0], "r") : NULL; /* stays open for its last line */
    bool listens =
        output != NULL && fgets(text, sizeof text, output) != NULL && sscanf(text, "listening on port %u", port) == 1;
    return listens ? child : -1;
}

bool simulator_stop(pid_t simulator)
{
    int status = 0;
    return kill(simulator, SIGTERM) == 0 && waitpid(simulator, &status, 0) == simulator && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}
