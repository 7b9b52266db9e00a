/* SPDX-License-Identifier: Apache-2.0
 *
 * The SDL libraries that this process has loaded, whatever their files are called and however they were loaded: linked,
 * with RTLD_LOCAL, or by the program's own dlopen. They are known by the functions that they define.
 *
 * Programs that ask dlsym for a function of SDL get the hook of that name (library_hook.c).
 */
#ifndef TESSERA_RECORD_LIBRARY_H
#define TESSERA_RECORD_LIBRARY_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>

/* A loaded object's own symbols. */
struct library {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash, *hash; /* one of them, or both */
    char path[4096];
};

/* A symbol that decides: which objects have it and have not `without` (or NULL)? */
struct library_mark {
    const char *with, *also, *without;
};

/* The first object in the order of loading that has the mark, the recorder's own left out. It is not unloaded again.
 */
bool library_find(struct library *library, const struct library_mark *mark);
/* The object in which this address lies. False: none, or the recorder's own. */
bool library_at(struct library *library, const void *address);
bool library_has_mark(const struct library *library, const struct library_mark *mark);
/* A function that the object itself defines, or NULL. */
void *library_function(const struct library *library, const char *name);

#endif
