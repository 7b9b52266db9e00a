/* SPDX-License-Identifier: Apache-2.0
 *
 * What loading reads of a 32-bit ELF file, so that a program without <elf.h> (bare metal) can load one: the header, and
 * an entry of the program table.
 */
#ifndef TESSERA_ELF32_H
#define TESSERA_ELF32_H

#include <stdint.h>

enum { ELF32_CLASS = 4, ELF32_DATA = 5 }; /* places in `identity` */
enum { ELF32_IS_32 = 1, ELF32_IS_LITTLE = 1, ELF32_EXECUTABLE = 2, ELF32_RISCV = 243, ELF32_LOAD = 1 };

struct elf32_header {
    uint8_t identity[16];
    uint16_t type, machine;
    uint32_t version, entry, program_offset, section_offset, flags;
    uint16_t header_bytes, program_bytes, program_count, section_bytes, section_count, section_names;
};

struct elf32_program {
    uint32_t type, offset, virtual_address, physical_address, file_bytes, memory_bytes, flags, alignment;
};

#endif
