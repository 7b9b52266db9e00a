/* SPDX-License-Identifier: Apache-2.0
 *
 * See link.h.
 */
#include "clients/sdl/record/link.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct record_link *shared;
static int32_t claimed; /* the process in which this copy of the recorder began */

static void attach(void)
{
    const char *path = getenv(LINK_VARIABLE);
    struct stat status;
    int descriptor = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    if (fstat(descriptor, &status) == 0 && status.st_size == (off_t)sizeof *shared) {
        void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (memory != MAP_FAILED) shared = memory;
    }
    (void)close(descriptor);
}

struct record_link *link_attach(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, attach);
    return shared;
}

void link_see(enum link_seen what)
{
    struct record_link *link = link_attach();
    if (link != NULL) atomic_fetch_or(&link->seen, (uint32_t)what);
}

const char *link_self(void)
{
    const struct record_link *link = link_attach();
    return link != NULL && link->drawn.pictures[0] != 0 ? "tessera-live" : "tessera-record";
}

void link_has_screen(void)
{
    struct record_link *link = link_attach();
    int32_t nobody = 0, own = (int32_t)getpid();
    link_see(SEEN_SCREEN);
    if (link != NULL && atomic_compare_exchange_strong(&link->owner, &nobody, own)) claimed = own;
}

bool link_is_ours(void) { return claimed != 0 && claimed == (int32_t)getpid() && !atomic_load(&shared->is_closed); }
