/* SPDX-License-Identifier: Apache-2.0
 *
 * A 32-bit little-endian RISC-V ELF file: its loadable segments and its symbols.
 */
#ifndef TESSERA_ELF_IMAGE_H
#define TESSERA_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct elf_image {
    uint8_t *file; /* the whole file, owned */
    size_t bytes;
    uint32_t entry;
    uint32_t symbols, symbol_count; /* file offset of .symtab; 0, 0 when stripped */
    uint32_t strings, string_bytes;
};

/* Reads and checks a file. False, with the reason in `error` (at least 256 bytes), when it is not such an ELF or
 * any table leaves the file; nothing is then owned. */
bool elf_open(struct elf_image *image, const char *path, char *error);
void elf_close(struct elf_image *image);

/* Calls `store` once per loadable segment with its physical address, file bytes and memory size (the rest is
 * zero). Stops and returns false when `store` does, or a segment leaves the file. */
bool elf_load(const struct elf_image *image,
              bool (*store)(void *context, uint32_t address, const uint8_t *data, uint32_t file_bytes,
                            uint32_t memory_bytes),
              void *context);

/* The value of the symbol `name`; false when there is none. */
bool elf_symbol(const struct elf_image *image, const char *name, uint32_t *value);

/* The nearest function or label at or below `address`, with the distance; NULL when there is none. */
const char *elf_nearest(const struct elf_image *image, uint32_t address, uint32_t *distance);

#ifdef __cplusplus
}
#endif
#endif
