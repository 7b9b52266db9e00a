/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading the firmware: the ELF file's PT_LOAD segments at their physical addresses, in core memory or in the
 * firmware's region, word by word through HOST.LOAD_ADDRESS and LOAD_DATA while the core is held. What lies past a
 * segment's file part (bss) is the image's own business to clear. For a chip without the region the image NAME-tcm.elf
 * is taken that lies beside NAME.elf.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tessera_internal.h"

static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t *data = NULL;
    long end = -1;
    /* A directory opens, and says an impossible length. */
    if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0 && end < (1l << 24) && fseek(file, 0, SEEK_SET) == 0)
        data = malloc((size_t)end + 1u);
    if (data != NULL && fread(data, 1, (size_t)end, file) != (size_t)end) {
        free(data);
        data = NULL;
    }
    fclose(file);
    *bytes = data != NULL ? (size_t)end : 0;
    return data;
}

/* What is wrong with the image, or NULL. */
static const char *image_defect(const uint8_t *image, size_t bytes, Elf32_Ehdr *header)
{
    if (bytes < sizeof *header) return "it is too short";
    memcpy(header, image, sizeof *header);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return "it is not an ELF file";
    if (header->e_ident[EI_CLASS] != ELFCLASS32 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_RISCV)
        return "it is not for 32-bit RISC-V";
    if (header->e_type != ET_EXEC || header->e_phentsize != sizeof(Elf32_Phdr)) return "it is not an executable";
    if (header->e_phoff > bytes || (size_t)header->e_phnum * sizeof(Elf32_Phdr) > bytes - header->e_phoff)
        return "it is cut short";
    return NULL;
}

static int load_segment(struct tessera *tessera, const uint8_t *image, const Elf32_Phdr *segment)
{
    int status = tessera_register_write(tessera, HOST_LOAD_ADDRESS_OFFSET, segment->p_paddr);
    for (uint32_t at = 0; at < segment->p_filesz && status == TESSERA_OK; at += 4) {
        uint8_t bytes[4] = {0, 0, 0, 0};
        uint32_t left = segment->p_filesz - at;
        memcpy(bytes, image + segment->p_offset + at, left < 4u ? left : 4u);
        status = tessera_register_write(tessera, HOST_LOAD_DATA_OFFSET,
                                        (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                                            (uint32_t)bytes[3] << 24);
    }
    return status;
}

/* In core memory, or in the region. */
static bool fits(const Elf32_Phdr *segment, uint32_t tcm_bytes, uint32_t region_bytes)
{
    bool is_low = segment->p_paddr < GPU_LIMIT(ADDR_FIRMWARE);
    uint32_t offset = is_low ? segment->p_paddr : segment->p_paddr - GPU_LIMIT(ADDR_FIRMWARE);
    uint32_t room = is_low ? tcm_bytes : region_bytes;
    return offset % 4u == 0 && offset <= room && segment->p_filesz <= room - offset;
}

static int load_image(struct tessera *tessera, const char *path, const uint8_t *image, size_t bytes,
                      uint32_t region_bytes)
{
    Elf32_Ehdr header;
    uint32_t tcm_bytes = 0;
    bool is_anything_loaded = false;
    const char *defect = image_defect(image, bytes, &header);
    if (defect != NULL)
        return tessera_fail(tessera, TESSERA_FIRMWARE, "%s is no firmware image: %s. Build one with 'make firmware'.",
                            path, defect);
    int status = tessera_register_read(tessera, MEMORY_TCM_BYTES_OFFSET, &tcm_bytes);
    for (uint32_t i = 0; i < header.e_phnum && status == TESSERA_OK; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
        if (segment.p_offset > bytes || segment.p_filesz > bytes - segment.p_offset ||
            !fits(&segment, tcm_bytes, region_bytes))
            return tessera_fail(tessera, TESSERA_FIRMWARE,
                                "%s does not fit: a part at 0x%x of %u bytes, core memory has %u, the firmware's "
                                "region at 0x%x has %u. Is it linked for another machine?",
                                path, segment.p_paddr, segment.p_filesz, tcm_bytes, GPU_LIMIT(ADDR_FIRMWARE),
                                region_bytes);
        status = load_segment(tessera, image, &segment);
        is_anything_loaded = true;
    }
    if (status == TESSERA_OK && !is_anything_loaded)
        return tessera_fail(tessera, TESSERA_FIRMWARE, "%s has nothing to load. Build one with 'make firmware'.", path);
    return status;
}

/* NAME-tcm.elf of NAME.elf, or NULL; the caller frees it. */
static char *path_of_tcm_image(const char *path)
{
    size_t stem = strlen(path);
    if (stem < 4u || strcmp(path + stem - 4u, ".elf") != 0) return NULL;
    char *name = malloc(stem + 5u);
    if (name != NULL) sprintf(name, "%.*s-tcm.elf", (int)stem - 4, path);
    return name;
}

int boot_load(struct tessera *tessera, const char *path)
{
    size_t bytes = 0;
    uint32_t region_bytes = 0;
    int status = tessera_register_read(tessera, MEMORY_FIRMWARE_BYTES_OFFSET, &region_bytes);
    if (status != TESSERA_OK) return status;
    char *beside = region_bytes == 0 ? path_of_tcm_image(path) : NULL;
    uint8_t *image = beside != NULL ? read_file(beside, &bytes) : NULL;
    if (image == NULL) image = read_file(path, &bytes);
    free(beside);
    if (image == NULL)
        return tessera_fail(tessera, TESSERA_FIRMWARE,
                            "cannot read the firmware image %s: %s. Build it with "
                            "'make firmware' or name another with --firmware.",
                            path, strerror(errno));
    status = load_image(tessera, path, image, bytes, region_bytes);
    free(image);
    return status;
}
