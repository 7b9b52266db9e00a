/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of code addresses, from the symbol table of a 32-bit little-endian ELF file.
 */
#ifndef TESSERA_SYMBOLS_H
#define TESSERA_SYMBOLS_H

#include <stdint.h>

struct symbols;

/* NULL when the file cannot be read or is not such an ELF; reports then show bare addresses. */
struct symbols *symbols_read(const char *path);
void symbols_free(struct symbols *symbols);

/* The function that holds `address` and the offset in it; NULL when none is known. Accepts symbols NULL. */
const char *symbols_find(const struct symbols *symbols, uint32_t address, uint32_t *offset);

/* The image's code: bytes of its executable loadable part number `part` (0: the first in the file), where they lie and
 * how many; NULL without one. Empty parts do not count. */
const uint8_t *symbols_code(const struct symbols *symbols, unsigned part, uint32_t *address, uint32_t *bytes);

#endif
