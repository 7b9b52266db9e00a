/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the recorder knows which SDL is the program's when several are loaded, SDL 2 made of SDL 3 (sdl2-compat) among
 * them, and calls each function in that library. Method: host/clients/sdl/record/surface.c alone, over stand-ins of the
 * libraries; each row of a table in a process of its own, as what is found once stays.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clients/sdl/record/library.h"
#include "clients/sdl/record/link.h"
#include "clients/sdl/record/surface.h"

struct row {
    const char *libraries;   /* that are loaded: 1, 2, 3 */
    int major, minor, patch; /* that SDL 2 says; major 0: it has no SDL_GetVersion */
    enum sdl_version version;
    char function,
        real; /* the library that has a function, for the recorder and for a hook; '-': none, '0': does nothing */
};
static const struct row rows[] = {
    {"", 0, 0, 0, SDL_NONE, '-', '0'},     {"1", 0, 0, 0, SDL_1_2, '1', '1'},  {"2", 2, 26, 5, SDL_2, '2', '2'},
    {"12", 2, 26, 5, SDL_1_2, '1', '1'},   {"3", 0, 0, 0, SDL_3, '3', '3'},    {"13", 0, 0, 0, SDL_1_2, '1', '1'},
    {"23", 2, 32, 49, SDL_2, '2', '2'},    {"23", 2, 32, 50, SDL_3, '3', '2'}, {"23", 2, 32, 51, SDL_3, '3', '2'},
    {"23", 3, 32, 50, SDL_2, '2', '2'},    {"23", 1, 0, 99, SDL_2, '2', '2'},  {"23", 0, 0, 0, SDL_2, '2', '2'},
    {"123", 2, 32, 50, SDL_1_2, '1', '1'}, {"2", 2, 32, 50, SDL_2, '2', '2'},
};

/* ------------------------------------------------------------------ the libraries */

static const struct row *row;
static char places[4]; /* an address in each */

static bool take(struct library *library, char which)
{
    if (strchr(row->libraries, which) == NULL) return false;
    memset(library, 0, sizeof *library);
    library->base = (ElfW(Addr))which;
    return true;
}

bool library_find(struct library *library, const struct library_mark *mark)
{
    return take(library, strcmp(mark->with, "SDL_SetVideoMode") == 0 ? '1' : '2');
}
bool library_at(struct library *library, const void *address)
{
    for (char which = 1; which <= 3; which++)
        if (address == &places[(int)which]) return take(library, (char)('0' + which));
    return false;
}
bool library_has_mark(const struct library *library, const struct library_mark *mark)
{
    return library->base == (ElfW(Addr))(strcmp(mark->with, "SDL_SetVideoMode") == 0 ? '1' : '2');
}

static void get_version(void *number)
{
    const unsigned char bytes[3] = {(unsigned char)row->major, (unsigned char)row->minor, (unsigned char)row->patch};
    memcpy(number, bytes, sizeof bytes);
}
static void one(void) {}
static void two(void) {}
static void three(void) {}

void *library_function(const struct library *library, const char *name)
{
    if (strcmp(name, "SDL_GetVersion") == 0) return row->major != 0 ? (void *)(uintptr_t)get_version : NULL;
    if (strcmp(name, "SDL_Function") != 0) return NULL;
    return (void *)(uintptr_t)(library->base == '1' ? one : library->base == '2' ? two : three);
}
const char *link_self(void) { return "test_versions"; }

/* ------------------------------------------------------------------ rows */

static char which(const void *function)
{
    return function == NULL                       ? '-'
           : function == (void *)(uintptr_t)one   ? '1'
           : function == (void *)(uintptr_t)two   ? '2'
           : function == (void *)(uintptr_t)three ? '3'
                                                  : '0';
}

/* The number of the first thing that is not so; 0: all is. */
static int look(void)
{
    if (strchr(row->libraries, '3') != NULL) sdl_has_3(&places[3]);
    if (sdl_version() != row->version || sdl_version() != row->version) return 1;
    if (which(sdl_function("SDL_Function")) != row->function) return 2;
    if (which(sdl_real("SDL_Function")) != row->real) return 3;
    if (row->version != SDL_NONE && sdl_function("SDL_Nothing") != NULL) return 4;
    if (which(sdl_real("SDL_Nothing")) != '0') return 5;
    for (int i = 1; i <= 2; i++)
        if (sdl_is_library(&places[i]) != (strchr(row->libraries, '0' + i) != NULL)) return 6;
    if (sdl_is_library(&places[3]) || sdl_is_library(&places[0])) return 7;
    return 0;
}

/* What the program takes out of a library with dlsym makes it the program's, if none is. */
static int look_taken(void)
{
    const int first = row->libraries[0] - '0';
    if (sdl_take_library(&places[0])) return 1;
    if (!sdl_take_library(&places[first])) return 2;
    if (sdl_version() != (first == 1 ? SDL_1_2 : SDL_2)) return 3;
    if (which(sdl_function("SDL_Function")) != row->libraries[0]) return 4;
    if (row->libraries[1] != 0 && sdl_take_library(&places[3 - first])) return 5;
    return 0;
}

static int in_child(int (*looked)(void))
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) _exit(looked());
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(void)
{
    static const struct row taken[] = {
        {.libraries = "1"}, {.libraries = "2"}, {.libraries = "12"}, {.libraries = "21"}};
    unsigned passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows + sizeof taken / sizeof *taken; i++) {
        const size_t more = i - sizeof rows / sizeof *rows;
        const bool is_taken = i >= sizeof rows / sizeof *rows;
        row = is_taken ? &taken[more] : &rows[i];
        const int wrong = in_child(is_taken ? look_taken : look);
        passed += wrong == 0;
        failed += wrong != 0;
        if (wrong != 0) printf("FAILED: row %zu, '%s': %d\n", i, row->libraries, wrong);
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
