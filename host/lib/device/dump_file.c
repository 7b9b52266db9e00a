/* SPDX-License-Identifier: Apache-2.0
 *
 * See dump_file.h. A number that is taken already is passed over, so that dumps of an earlier run stay.
 */
#include "lib/device/dump_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tessera_internal.h"
#include "lib/tdump/tdump_write.h"
#include "tessera_dump.h"

enum { FILES = 999999, PATH = 4096 };

static const char *folder_name;
static bool has_failed;

static void say(const char *path)
{
    has_failed = true;
    fprintf(stderr, "tessera: cannot write the dump %s: %s. Name a folder that exists.\n", path, strerror(errno));
}

static void write_dump(void *context, const void *dump, size_t bytes)
{
    static unsigned number;
    char path[PATH];
    FILE *file = NULL;
    (void)context;
    if (has_failed) return;
    do {
        const size_t length = (size_t)snprintf(path, sizeof path, "%s/%06u.tdump", folder_name, ++number);
        errno = ENAMETOOLONG;
        file = length < sizeof path ? fopen(path, "wbx") : NULL;
    } while (file == NULL && errno == EEXIST && number < FILES);
    if (file == NULL) {
        say(path);
        return;
    }
    const bool is_written = fwrite(dump, 1, bytes, file) == bytes;
    if (fclose(file) != 0 || !is_written) say(path);
    else fprintf(stderr, "tessera: the GPU stopped on something; %s has it: tessera dump %s\n", path, path);
}

static void begin(struct tessera *tessera)
{
    (void)tessera_dump_faults(tessera, write_dump, NULL, getenv("TESSERA_FAULTS_CONTENTS") != NULL);
}

void dump_file_begin(const char *folder)
{
    tdump_program = tessera_version();
    if (folder_name == NULL) folder_name = folder != NULL ? folder : getenv("TESSERA_FAULTS");
    if (folder_name != NULL) boot_opened = begin;
}

bool dump_file_option(const char *program, const char *folder)
{
    struct stat found = {0};
    int why = 0;
    if (access(folder, W_OK) != 0 || stat(folder, &found) != 0) why = errno;
    else if (!S_ISDIR(found.st_mode)) why = ENOTDIR;
    if (why == 0) dump_file_begin(folder);
    else fprintf(stderr, "%s: --faults %s: %s. Name a folder that exists.\n", program, folder, strerror(why));
    return why == 0;
}
