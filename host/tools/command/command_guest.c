/* SPDX-License-Identifier: Apache-2.0
 *
 * tessera info --device guest:SOCKET and tessera top guest:SOCKET: what a running tessera-gpu says.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/command/command_guest.h"

static int connect_to(const char *path, const char *suffix)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t bytes = strlen(path), more = strlen(suffix) + 1u;
    if (bytes + more > sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, bytes);
    memcpy(address.sun_path + bytes, suffix, more);
    const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
    const int error = errno;
    (void)close(connection);
    errno = error;
    return -1;
}

int command_guest(const char *path, const char *suffix, FILE *file)
{
    char text[4096];
    ssize_t got;
    size_t all = 0;
    const int connection = connect_to(path, suffix);
    if (connection < 0) {
        fprintf(stderr, "tessera: guest:%s: no tessera-gpu: %s. Name the path that its --socket has.\n", path,
                strerror(errno));
        return 2;
    }
    while ((got = read(connection, text, sizeof text)) > 0) all += fwrite(text, 1, (size_t)got, file);
    (void)close(connection);
    if (all != 0) return 0;
    fprintf(stderr, "tessera: guest:%s: tessera-gpu has failed or ended. Start it again.\n", path);
    return 1;
}
