/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "clients/sdl/record/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------ the file */

/* Has the ELF file of 64 bits an interpreter: is it linked dynamically? */
static bool has_interpreter(const uint8_t *bytes, size_t size)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    memcpy(&header, bytes, sizeof header);
    for (uint32_t i = 0; i < header.e_phnum; i++) {
        uint64_t at = header.e_phoff + (uint64_t)i * header.e_phentsize;
        if (at > size || size - at < sizeof segment) return true; /* a strange file: nothing is said of it */
        memcpy(&segment, bytes + at, sizeof segment);
        if (segment.p_type == PT_INTERP) return true;
    }
    return header.e_phnum == 0;
}

static bool holds(const uint8_t *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

static const char *refusal(const uint8_t *bytes, size_t size)
{
    if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0) return NULL;
    if (bytes[EI_CLASS] != ELFCLASS64) return "it is a 32-bit program. Only 64-bit programs can be recorded";
    if (!has_interpreter(bytes, size)) return "it is linked statically. Link it with SDL as a shared library";
    bool has_driver = holds(bytes, size, "SDL_VIDEODRIVER") || holds(bytes, size, "SDL_VIDEO_DRIVER"); /* SDL 3 */
    if (has_driver && !holds(bytes, size, "libSDL"))
        return "it has SDL linked in. Link it with SDL as a shared library";
    return NULL;
}

const char *program_refusal(const char *path)
{
    const char *why = NULL;
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    if (fstat(descriptor, &about) == 0 && about.st_size > 0) {
        size_t size = (size_t)about.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes != MAP_FAILED) {
            why = refusal(bytes, size);
            (void)munmap(bytes, size);
        }
    }
    (void)close(descriptor);
    return why;
}

/* ------------------------------------------------------------------ what is loaded */

enum { HAS_SDL = 1, HAS_OPENGL = 2, HAS_VULKAN = 4, HAS_OTHER = 8, DEPTH = 4 };

static unsigned look(pid_t process, unsigned depth)
{
    static const struct {
        const char *name;
        unsigned has;
    } libraries[] = {{"/libSDL-", HAS_SDL},   {"/libSDL2-", HAS_SDL},  {"/libSDL2.so", HAS_SDL},
                     {"/libSDL.so", HAS_SDL}, {"/libSDL3", HAS_SDL},   {"/libGL.so", HAS_OPENGL},
                     {"/libGLX", HAS_OPENGL}, {"/libEGL", HAS_OPENGL}, {"/libvulkan", HAS_VULKAN},
                     {"/libX11", HAS_OTHER},  {"/libxcb", HAS_OTHER},  {"/libwayland", HAS_OTHER}};
    char path[64], line[512];
    unsigned has = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *maps = fopen(path, "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
            if (strstr(line, libraries[i].name) != NULL) has |= libraries[i].has;
    if (maps != NULL) fclose(maps);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *children = depth < DEPTH ? fopen(path, "r") : NULL;
    int child = 0;
    while (children != NULL && fscanf(children, "%d", &child) == 1) has |= look(child, depth + 1u);
    if (children != NULL) fclose(children);
    return has;
}

const char *program_loaded(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    if (process <= 0 || access(path, R_OK) != 0) return NULL;
    unsigned has = look(process, 0);
    if ((has & HAS_SDL) != 0) return NULL;
    if ((has & HAS_VULKAN) != 0) return "it has loaded Vulkan, and none of SDL 1.2, 2 and 3. Only SDL can be recorded";
    if ((has & HAS_OPENGL) != 0) return "it has loaded OpenGL, and none of SDL 1.2, 2 and 3. Only SDL can be recorded";
    if ((has & HAS_OTHER) != 0) return "it draws without SDL 1.2, 2 and 3. Only SDL can be recorded";
    return "it has loaded none of SDL 1.2, 2 and 3. Only SDL can be recorded";
}
