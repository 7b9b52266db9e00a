/* SPDX-License-Identifier: Apache-2.0
 *
 * dlsym, in front of the C library's own: a program that takes SDL's functions out of a library by their names gets the
 * hooks. All else goes on to the C library's by a jump, since RTLD_NEXT and RTLD_DEFAULT depend on the caller:
 * the compiler makes a call in tail position one, and a test holds that (tests/host/play/loads.c).
 *
 * SDL libraries that are made of another SDL (sdl12-compat, sdl2-compat) ask dlsym for that one's functions: these are
 * not what the program draws with.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "clients/sdl/record/hook.h"
#include "clients/sdl/record/library.h"

typedef void *dlsym_function(void *, const char *);

/* All sanitizers call dlsym before they are ready. */
#define PLAIN __attribute__((no_sanitize("address", "undefined")))

PLAIN static dlsym_function *own_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    static dlsym_function *own;
    for (size_t i = 0; own == NULL && i < sizeof versions / sizeof *versions; i++)
        *(void **)&own = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    if (own == NULL) abort();
    return own;
}

/* The recorder's own function of that name. */
static void *hook_of(const char *name)
{
    static void *self;
    Dl_info info;
    if (self == NULL && dladdr((const void *)(uintptr_t)hook_of, &info) != 0)
        self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return self != NULL ? own_dlsym()(self, name) : NULL;
}

static void *hooked(void *handle, const char *name, const void *caller)
{
    struct library library;
    void *own = own_dlsym()(handle, name);
    if (own == NULL || !sdl_is_library(own) || (library_at(&library, caller) && sdl_is_library(caller))) return own;
    void *hook = hook_of(name);
    return hook != NULL && sdl_take_library(own) ? hook : own;
}

HOOK PLAIN void *dlsym(void *restrict handle, const char *restrict name);
HOOK PLAIN void *dlsym(void *restrict handle, const char *restrict name)
{
    bool is_of_sdl = name[0] == 'S' && name[1] == 'D' && name[2] == 'L' && name[3] == '_';
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT && is_of_sdl)
        return hooked(handle, name, __builtin_return_address(0));
    return own_dlsym()(handle, name);
}
