/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: names in reports are right, and a damaged ELF file yields none instead of a crash. Method: look up a
 * firmware's own symbols; then cut the file at every length of its headers and tables and corrupt single
 * words of the headers, under the sanitizers. Argument: an ELF of the test firmware.
 */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

static unsigned passed, failed;

static void check(int is_right, const char *what)
{
    if (is_right) passed++;
    else {
        failed++;
        printf("FAILED: %s\n", what);
    }
}

static void write_file(const char *path, const unsigned char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes) exit(2);
    fclose(file);
}

/* Reading must end well whatever the file is; what it yields must be usable. */
static void probe(const char *path)
{
    uint32_t offset = 0;
    struct symbols *symbols = symbols_read(path);
    for (uint32_t address = 0; address < 0x400; address += 0x40) {
        const char *name = symbols_find(symbols, address, &offset);
        if (name && strlen(name) > 1000) failed++;
    }
    symbols_free(symbols);
    passed++;
}

/* A file with every kind of symbol and of part: only functions and labels have names, only code is code. */
static struct made {
    Elf32_Ehdr header;
    Elf32_Phdr part[5];
    Elf32_Shdr section[3];
    Elf32_Sym symbol[9];
    char strings[64];
    uint8_t code[2][32];
} made;

static void make_symbol(unsigned index, unsigned name, uint32_t address, unsigned type, uint16_t section)
{
    made.symbol[index] = (Elf32_Sym){.st_name = name, .st_value = address, .st_shndx = section};
    made.symbol[index].st_info = (unsigned char)ELF32_ST_INFO(STB_GLOBAL, type);
}

static void make_file(const char *path)
{
    const Elf32_Word code = offsetof(struct made, code);
    memset(&made, 0, sizeof made);
    memcpy(made.header.e_ident, ELFMAG, SELFMAG);
    made.header.e_ident[EI_CLASS] = ELFCLASS32;
    made.header.e_ident[EI_DATA] = ELFDATA2LSB;
    made.header.e_phentsize = sizeof(Elf32_Phdr), made.header.e_shentsize = sizeof(Elf32_Shdr);
    made.header.e_phoff = offsetof(struct made, part), made.header.e_phnum = 5;
    made.header.e_shoff = offsetof(struct made, section), made.header.e_shnum = 3;
    made.part[0] = (Elf32_Phdr){PT_LOAD, code, 0x100, 0, 32, 32, PF_R | PF_X, 4};
    made.part[1] = (Elf32_Phdr){PT_NOTE, code, 0x50, 0x50, 8, 8, PF_X, 4};
    made.part[2] = (Elf32_Phdr){PT_LOAD, code, 0x900, 0, 32, 32, PF_R | PF_W, 4};
    made.part[3] = (Elf32_Phdr){PT_LOAD, code, 0x800, 0, 0, 32, PF_X, 4};
    made.part[4] = (Elf32_Phdr){PT_LOAD, code + 32, 0x20000000, 0, 31, 31, PF_X, 4};
    made.section[1] = (Elf32_Shdr){.sh_type = SHT_STRTAB, .sh_size = sizeof made.strings};
    made.section[1].sh_offset = offsetof(struct made, strings);
    made.section[2] = (Elf32_Shdr){.sh_type = SHT_SYMTAB, .sh_size = sizeof made.symbol, .sh_link = 1};
    made.section[2].sh_offset = offsetof(struct made, symbol);
    memcpy(made.strings + 1, "later", 6), memcpy(made.strings + 10, "first", 6), memcpy(made.strings + 20, "$x", 3);
    memcpy(made.strings + 30, ".L3", 4), memcpy(made.strings + 40, "data", 5), memcpy(made.strings + 50, "label", 6);
    make_symbol(1, 1, 0x118, STT_FUNC, 1);
    make_symbol(2, 10, 0x100, STT_FUNC, 1);
    make_symbol(3, 20, 0x104, STT_NOTYPE, 1);
    make_symbol(4, 30, 0x106, STT_NOTYPE, 1);
    make_symbol(5, 40, 0x108, STT_OBJECT, 1);
    make_symbol(6, 50, 0x110, STT_NOTYPE, 1);
    make_symbol(7, 50, 0x10a, STT_FUNC, SHN_ABS);
    make_symbol(8, sizeof made.strings, 0x10c, STT_FUNC, 1);
    for (unsigned i = 0; i < sizeof made.code; i++) made.code[i / 32][i % 32] = (uint8_t)(i * 3);
    write_file(path, (const unsigned char *)&made, sizeof made);
}

static void test_made(const char *path)
{
    static const struct {
        uint32_t address;
        const char *name;
        uint32_t offset;
    } places[] = {{0x100, "first", 0}, {0x10f, "first", 15}, {0x110, "label", 0},
                  {0x117, "label", 7}, {0x118, "later", 0},  {0x30000000, "later", 0x30000000 - 0x118}};
    uint32_t offset = 9, address = 0, bytes = 0;
    make_file(path);
    struct symbols *symbols = symbols_read(path);
    check(symbols != NULL, "a made-up file");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *name = symbols_find(symbols, places[i].address, &offset);
        check(name != NULL && strcmp(name, places[i].name) == 0 && offset == places[i].offset, places[i].name);
    }
    check(symbols_find(symbols, 0xff, &offset) == NULL, "an address before the first");
    const uint8_t *code = symbols_code(symbols, 0, &address, &bytes);
    check(code != NULL && memcmp(code, made.code[0], 32) == 0 && address == 0x100 && bytes == 32, "the first part");
    code = symbols_code(symbols, 1, &address, &bytes);
    check(code != NULL && memcmp(code, made.code[1], 31) == 0 && address == 0x20000000 && bytes == 31, "the second");
    check(symbols_code(symbols, 2, &address, &bytes) == NULL, "no third");
    check(symbols_code(NULL, 0, &address, &bytes) == NULL, "no code of nothing");
    symbols_free(symbols);
    static const struct {
        size_t at;
        uint8_t value;
    } spoils[] = {{EI_CLASS, ELFCLASS64},
                  {EI_DATA, ELFDATA2MSB},
                  {0, 'X'},
                  {offsetof(Elf32_Ehdr, e_shentsize), 41},
                  {offsetof(struct made, section[2].sh_link), 3},
                  {offsetof(struct made, section[2].sh_type), 7}};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        make_file(path);
        ((uint8_t *)&made)[spoils[i].at] = spoils[i].value;
        write_file(path, (const unsigned char *)&made, sizeof made);
        check((symbols = symbols_read(path)) == NULL, "a file that is no such ELF");
        symbols_free(symbols);
    }
    make_file(path);
    made.header.e_phentsize = 31; /* names, and no code */
    write_file(path, (const unsigned char *)&made, sizeof made);
    symbols = symbols_read(path);
    check(symbols != NULL && symbols_code(symbols, 0, &address, &bytes) == NULL, "parts of another size");
    symbols_free(symbols);
}

int main(int argc, char **argv)
{
    static unsigned char image[1 << 20], damaged[1 << 20];
    const char *damaged_path = "build/system/damaged.elf";
    uint32_t offset = 1;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t bytes = file ? fread(image, 1, sizeof image, file) : 0;
    if (!file || bytes == 0) {
        fprintf(stderr, "usage: test_symbols firmware.elf\n");
        return 2;
    }
    fclose(file);

    struct symbols *symbols = symbols_read(argv[1]);
    check(symbols != NULL, "the symbols cannot be read");
    const char *name = symbols_find(symbols, 0, &offset);
    check(name && strcmp(name, "_start") == 0 && offset == 0, "the reset vector is not _start");
    name = symbols_find(symbols, 6, &offset);
    check(name && strcmp(name, "_start") == 0 && offset == 6, "an offset in _start");
    symbols_free(symbols);
    test_made(damaged_path);
    check(symbols_read("build/system/no-such-file") == NULL, "a missing file has symbols");
    check(symbols_find(NULL, 0, &offset) == NULL, "no symbols, yet a name");

    for (size_t cut = 0; cut < bytes; cut += cut < 64 || cut + 1200 > bytes ? 1 : 37) {
        write_file(damaged_path, image, cut);
        probe(damaged_path);
    }
    for (size_t at = 0; at < bytes; at += at < 64 || at + 1200 > bytes ? 1 : 509) {
        memcpy(damaged, image, bytes);
        for (size_t i = at; i < at + 4 && i < bytes; i++) damaged[i] = 0xff;
        write_file(damaged_path, damaged, bytes);
        probe(damaged_path);
    }
    remove(damaged_path);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
