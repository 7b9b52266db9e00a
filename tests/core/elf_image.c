/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the few fields of an ELF file that a test bench needs, by offset: every access is checked against the
 * file's length, so a damaged file is refused and never read past its end.
 */
#include "elf_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_BYTES = 52,
    PROGRAM_BYTES = 32,
    SECTION_BYTES = 40,
    SYMBOL_BYTES = 16,
    MACHINE_RISCV = 243,
    PT_LOAD = 1,
    SHT_SYMTAB = 2,
    STT_NOTYPE = 0,
    STT_FUNC = 2,
};

static uint32_t word(const struct elf_image *image, size_t offset)
{
    const uint8_t *p = image->file + offset;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t half(const struct elf_image *image, size_t offset)
{
    return (uint32_t)image->file[offset] | (uint32_t)image->file[offset + 1] << 8;
}

static bool inside(const struct elf_image *image, uint32_t offset, uint64_t bytes)
{
    return offset <= image->bytes && bytes <= image->bytes - offset;
}

static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint8_t *data = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        if (end >= 0 && (data = malloc((size_t)end + 1)) != NULL) {
            *bytes = fread(data, 1, (size_t)end, file);
        }
    }
    fclose(file);
    return data;
}

/* Finds .symtab and its strings. An absent table is no error. */
static bool find_symbols(struct elf_image *image)
{
    uint32_t table = word(image, 32), count = half(image, 48);
    if (count == 0) return true;
    if (half(image, 46) != SECTION_BYTES || !inside(image, table, (uint64_t)count * SECTION_BYTES)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t section = table + i * SECTION_BYTES;
        if (word(image, section + 4) != SHT_SYMTAB) continue;
        uint32_t link = word(image, section + 24);
        if (link >= count) return false;
        uint32_t strings = table + link * SECTION_BYTES;
        image->symbols = word(image, section + 16);
        image->symbol_count = word(image, section + 20) / SYMBOL_BYTES;
        image->strings = word(image, strings + 16);
        image->string_bytes = word(image, strings + 20);
        if (!inside(image, image->symbols, (uint64_t)image->symbol_count * SYMBOL_BYTES) ||
            !inside(image, image->strings, image->string_bytes))
            return false;
        /* Names are compared as C strings: the table has to end one. */
        return image->string_bytes == 0 || image->file[image->strings + image->string_bytes - 1] == 0;
    }
    return true;
}

bool elf_open(struct elf_image *image, const char *path, char *error)
{
    static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1}; /* 32 bits, little endian, version 1 */
    memset(image, 0, sizeof *image);
    image->file = read_file(path, &image->bytes);
    const char *reason = NULL;
    if (!image->file) reason = "cannot be read";
    else if (image->bytes < HEADER_BYTES || memcmp(image->file, magic, sizeof magic) != 0)
        reason = "is not a 32-bit little-endian ELF file";
    else if (half(image, 18) != MACHINE_RISCV) reason = "is not for RISC-V";
    else if (!find_symbols(image)) reason = "has a damaged symbol table";
    if (reason) {
        snprintf(error, 256, "%s %s", path, reason);
        elf_close(image);
        return false;
    }
    image->entry = word(image, 24);
    return true;
}

void elf_close(struct elf_image *image)
{
    free(image->file);
    memset(image, 0, sizeof *image);
}

bool elf_load(const struct elf_image *image,
              bool (*store)(void *context, uint32_t address, const uint8_t *data, uint32_t file_bytes,
                            uint32_t memory_bytes),
              void *context)
{
    uint32_t table = word(image, 28), count = half(image, 44);
    if (!inside(image, table, (uint64_t)count * PROGRAM_BYTES)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t program = table + i * PROGRAM_BYTES;
        if (word(image, program) != PT_LOAD) continue;
        uint32_t offset = word(image, program + 4), address = word(image, program + 12);
        uint32_t file_bytes = word(image, program + 16), memory_bytes = word(image, program + 20);
        if (file_bytes > memory_bytes || !inside(image, offset, file_bytes)) return false;
        if (memory_bytes != 0 && !store(context, address, image->file + offset, file_bytes, memory_bytes)) return false;
    }
    return true;
}

static const char *symbol_name(const struct elf_image *image, uint32_t index)
{
    uint32_t name = word(image, image->symbols + index * SYMBOL_BYTES);
    return name < image->string_bytes ? (const char *)image->file + image->strings + name : "";
}

bool elf_symbol(const struct elf_image *image, const char *name, uint32_t *value)
{
    for (uint32_t i = 0; i < image->symbol_count; i++) {
        if (strcmp(symbol_name(image, i), name) != 0) continue;
        *value = word(image, image->symbols + i * SYMBOL_BYTES + 4);
        return true;
    }
    return false;
}

const char *elf_nearest(const struct elf_image *image, uint32_t address, uint32_t *distance)
{
    const char *best = NULL;
    for (uint32_t i = 0; i < image->symbol_count; i++) {
        uint32_t symbol = image->symbols + i * SYMBOL_BYTES;
        uint32_t value = word(image, symbol + 4), type = image->file[symbol + 12] & 15u;
        const char *name = symbol_name(image, i);
        if ((type != STT_FUNC && type != STT_NOTYPE) || name[0] == 0 || name[0] == '$') continue;
        if (half(image, symbol + 14) == 0 || half(image, symbol + 14) >= 0xff00) continue; /* not in a section */
        if (value > address || (best && address - value >= *distance)) continue;
        best = name;
        *distance = address - value;
    }
    return best;
}
