/* SPDX-License-Identifier: Apache-2.0
 *
 * See library.h. Symbols are looked up in the object's own tables. dlsym would also look in the libraries that the
 * object needs, and of the program itself it would give the recorder's hooks.
 */
#define _GNU_SOURCE
#include "clients/sdl/record/library.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ one object's symbols */

static bool is_defined(const struct library *library, uint32_t index, const char *name)
{
    const ElfW(Sym) *symbol = &library->symbols[index];
    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
           strcmp(library->names + symbol->st_name, name) == 0;
}

static void *address_of(const struct library *library, uint32_t index)
{
    return (void *)(uintptr_t)(library->base +
                               library->symbols[index].st_value); /* NOLINT(performance-no-int-to-ptr) */
}

/* Head: how many buckets, the first symbol, how many words of the filter, its shift. */
static void *find_by_gnu_hash(const struct library *library, const char *name)
{
    enum { HEAD = 4, WORDS_OF_ADDRESS = sizeof(ElfW(Addr)) / sizeof(uint32_t) };
    const uint32_t *head = library->gnu_hash;
    const uint32_t *buckets = head + HEAD + (size_t)head[2] * WORDS_OF_ADDRESS, *chain = buckets + head[0];
    uint32_t hash = 5381;
    for (const char *at = name; *at != 0; at++) hash = hash * 33u + (uint8_t)*at;
    uint32_t index = head[0] != 0 ? buckets[hash % head[0]] : 0;
    if (index < head[1] || index == 0) return NULL;
    for (;; index++) {
        uint32_t own = chain[index - head[1]];
        if (((own ^ hash) >> 1) == 0 && is_defined(library, index, name)) return address_of(library, index);
        if ((own & 1u) != 0) return NULL;
    }
}

/* The second word of the old table is the number of symbols. */
static void *find_by_hash(const struct library *library, const char *name)
{
    for (uint32_t index = 1; index < library->hash[1]; index++)
        if (is_defined(library, index, name)) return address_of(library, index);
    return NULL;
}

void *library_function(const struct library *library, const char *name)
{
    if (library->symbols == NULL || library->names == NULL) return NULL;
    if (library->gnu_hash != NULL) return find_by_gnu_hash(library, name);
    return library->hash != NULL ? find_by_hash(library, name) : NULL;
}

bool library_has_mark(const struct library *library, const struct library_mark *mark)
{
    return library_function(library, mark->with) != NULL &&
           (mark->also == NULL || library_function(library, mark->also) != NULL) &&
           (mark->without == NULL || library_function(library, mark->without) == NULL);
}

/* ------------------------------------------------------------------ all objects */

/* The loader has made the addresses of a dynamic section absolute; those of the kernel's own object are not. */
static const void *table_at(uintptr_t base, uintptr_t value)
{
    return (const void *)(value < base ? base + value : value);
}

static void read_tables(struct library *library, const struct dl_phdr_info *object)
{
    *library = (struct library){.base = object->dlpi_addr};
    snprintf(library->path, sizeof library->path, "%s", object->dlpi_name);
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = table_at(0, object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            const void *table = table_at(library->base, entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) library->symbols = table;
            if (entry->d_tag == DT_STRTAB) library->names = table;
            if (entry->d_tag == DT_GNU_HASH) library->gnu_hash = table;
            if (entry->d_tag == DT_HASH) library->hash = table;
        }
    }
}

static bool holds_address(const struct dl_phdr_info *object, const void *address)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        ElfW(Addr) offset = (ElfW(Addr))(uintptr_t)address - object->dlpi_addr - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && offset < segment->p_memsz) return true;
    }
    return false;
}

struct search {
    struct library *library;
    const struct library_mark *mark; /* or NULL: the object that holds the address */
    const void *address;
};

static int look_at(struct dl_phdr_info *object, size_t bytes, void *data)
{
    const struct search *search = data;
    (void)bytes;
    if (holds_address(object, (const void *)(uintptr_t)library_find)) return 0;
    if (search->mark == NULL && !holds_address(object, search->address)) return 0;
    read_tables(search->library, object);
    return search->mark == NULL || library_has_mark(search->library, search->mark);
}

bool library_find(struct library *library, const struct library_mark *mark)
{
    struct search search = {.library = library, .mark = mark};
    if (dl_iterate_phdr(look_at, &search) == 0) return false;
    if (library->path[0] != 0) (void)dlopen(library->path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return true;
}

bool library_at(struct library *library, const void *address)
{
    struct search search = {.library = library, .address = address};
    return dl_iterate_phdr(look_at, &search) != 0;
}
