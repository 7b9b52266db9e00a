/* SPDX-License-Identifier: Apache-2.0
 *
 * See symbols.h. The structures are those of the C library's elf.h; every offset of the file is checked
 * against its length before it is used. Functions and unsized assembler labels are kept, sorted by address.
 */
#include "symbols.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    uint32_t address;
    const char *name;
};

struct symbols {
    uint8_t *file;
    size_t bytes;
    struct symbol *symbol;
    size_t count;
};

static bool holds(const struct symbols *symbols, size_t offset, size_t bytes)
{
    return bytes <= symbols->bytes && offset <= symbols->bytes - bytes;
}

static bool read_file(struct symbols *symbols, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    long bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (bytes > 0 && fseek(file, 0, SEEK_SET) == 0) {
        symbols->bytes = (size_t)bytes;
        symbols->file = malloc(symbols->bytes + 1);
        if (symbols->file && fread(symbols->file, 1, symbols->bytes, file) != symbols->bytes) symbols->bytes = 0;
        if (symbols->file) symbols->file[symbols->bytes] = 0; /* the last string ends, whatever the file says */
    }
    fclose(file);
    return symbols->file && symbols->bytes > 0;
}

static int by_address(const void *left, const void *right)
{
    uint32_t a = ((const struct symbol *)left)->address, b = ((const struct symbol *)right)->address;
    return a < b ? -1 : a > b;
}

static void collect(struct symbols *symbols, const Elf32_Shdr *table, const Elf32_Shdr *strings)
{
    size_t entries = table->sh_size / sizeof(Elf32_Sym);
    symbols->symbol = calloc(entries + 1, sizeof *symbols->symbol);
    if (symbols->symbol == NULL) return; /* no memory: no names */
    for (size_t i = 0; i < entries; i++) {
        Elf32_Sym entry;
        memcpy(&entry, symbols->file + table->sh_offset + i * sizeof entry, sizeof entry);
        unsigned type = ELF32_ST_TYPE(entry.st_info);
        if ((type != STT_FUNC && type != STT_NOTYPE) || entry.st_shndx == SHN_UNDEF || entry.st_shndx == SHN_ABS)
            continue;
        if (entry.st_name == 0 || entry.st_name >= strings->sh_size) continue;
        const char *name = (const char *)symbols->file + strings->sh_offset + entry.st_name;
        if (name[0] == '$' || strncmp(name, ".L", 2) == 0) continue; /* mapping and local labels */
        symbols->symbol[symbols->count].address = entry.st_value;
        symbols->symbol[symbols->count++].name = name;
    }
    if (symbols->count) qsort(symbols->symbol, symbols->count, sizeof *symbols->symbol, by_address);
}

static bool read_symbols(struct symbols *symbols)
{
    Elf32_Ehdr header;
    if (!holds(symbols, 0, sizeof header)) return false;
    memcpy(&header, symbols->file, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shentsize != sizeof(Elf32_Shdr) ||
        !holds(symbols, header.e_shoff, (size_t)header.e_shnum * sizeof(Elf32_Shdr)))
        return false;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf32_Shdr table, strings;
        memcpy(&table, symbols->file + header.e_shoff + i * sizeof table, sizeof table);
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum) continue;
        memcpy(&strings, symbols->file + header.e_shoff + table.sh_link * sizeof strings, sizeof strings);
        if (!holds(symbols, table.sh_offset, table.sh_size) || !holds(symbols, strings.sh_offset, strings.sh_size))
            return false;
        collect(symbols, &table, &strings);
        return symbols->count > 0;
    }
    return false;
}

struct symbols *symbols_read(const char *path)
{
    struct symbols *symbols = calloc(1, sizeof *symbols);
    if (symbols && read_file(symbols, path) && read_symbols(symbols)) return symbols;
    symbols_free(symbols);
    return NULL;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols) return;
    free(symbols->symbol);
    free(symbols->file);
    free(symbols);
}

const char *symbols_find(const struct symbols *symbols, uint32_t address, uint32_t *offset)
{
    if (!symbols || address < symbols->symbol[0].address) return NULL;
    size_t low = 0, high = symbols->count; /* symbol[low] <= address < symbol[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (symbols->symbol[middle].address <= address) low = middle;
        else high = middle;
    }
    *offset = address - symbols->symbol[low].address;
    return symbols->symbol[low].name;
}

const uint8_t *symbols_code(const struct symbols *symbols, unsigned number, uint32_t *address, uint32_t *bytes)
{
    Elf32_Ehdr header;
    if (!symbols) return NULL;
    memcpy(&header, symbols->file, sizeof header); /* read_symbols has judged it */
    if (header.e_phentsize != sizeof(Elf32_Phdr) ||
        !holds(symbols, header.e_phoff, (size_t)header.e_phnum * sizeof(Elf32_Phdr)))
        return NULL;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr part;
        memcpy(&part, symbols->file + header.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type != PT_LOAD || !(part.p_flags & PF_X) || part.p_filesz == 0) continue;
        if (!holds(symbols, part.p_offset, part.p_filesz)) return NULL;
        if (number-- != 0) continue;
        *address = part.p_vaddr;
        *bytes = part.p_filesz;
        return symbols->file + part.p_offset;
    }
    return NULL;
}
