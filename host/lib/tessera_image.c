/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading the firmware: the ELF file's PT_LOAD segments at their physical addresses, in core memory or in the
 * firmware's region, word by word through HOST.LOAD_ADDRESS and LOAD_DATA while the core is held. What lies past a
 * segment's file part (bss, the stack) has to have room too; to clear it is the image's own business. Nothing here
 * needs an operating system.
 */
#include <string.h>

#include "lib/elf32.h"
#include "lib/tessera_internal.h"

/* What is wrong with the image, or NULL. */
static const char *image_defect(const uint8_t *image, size_t bytes, struct elf32_header *header)
{
    if (bytes < sizeof *header) return "it is too short";
    memcpy(header, image, sizeof *header);
    if (memcmp(header->identity, "\177ELF", 4) != 0) return "it is not an ELF file";
    if (header->identity[ELF32_CLASS] != ELF32_IS_32 || header->identity[ELF32_DATA] != ELF32_IS_LITTLE ||
        header->machine != ELF32_RISCV)
        return "it is not for 32-bit RISC-V";
    if (header->type != ELF32_EXECUTABLE || header->program_bytes != sizeof(struct elf32_program))
        return "it is not an executable";
    if (header->program_offset > bytes ||
        (size_t)header->program_count * sizeof(struct elf32_program) > bytes - header->program_offset)
        return "it is cut short";
    return NULL;
}

static int load_segment(struct tessera *tessera, const uint8_t *image, const struct elf32_program *segment)
{
    int status = tessera_register_write(tessera, HOST_LOAD_ADDRESS_OFFSET, segment->physical_address);
    for (uint32_t at = 0; at < segment->file_bytes && status == TESSERA_OK; at += 4) {
        uint8_t bytes[4] = {0, 0, 0, 0};
        uint32_t left = segment->file_bytes - at;
        memcpy(bytes, image + segment->offset + at, left < 4u ? left : 4u);
        status = tessera_register_write(tessera, HOST_LOAD_DATA_OFFSET,
                                        (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                                            (uint32_t)bytes[3] << 24);
    }
    return status;
}

/* Bytes that the segment takes. */
static uint32_t size_of(const struct elf32_program *segment)
{
    return segment->file_bytes > segment->memory_bytes ? segment->file_bytes : segment->memory_bytes;
}

/* In core memory, or in the region. */
static bool fits(const struct elf32_program *segment, uint32_t tcm_bytes, uint32_t region_bytes)
{
    bool is_low = segment->physical_address < GPU_LIMIT(ADDR_FIRMWARE);
    uint32_t offset = is_low ? segment->physical_address : segment->physical_address - GPU_LIMIT(ADDR_FIRMWARE);
    uint32_t room = is_low ? tcm_bytes : region_bytes;
    return offset % 4u == 0 && offset <= room && size_of(segment) <= room - offset;
}

int boot_image(struct tessera *tessera, const char *path, const uint8_t *image, size_t bytes, uint32_t region_bytes)
{
    struct elf32_header header;
    uint32_t tcm_bytes = 0;
    bool is_anything_loaded = false;
    const char *defect = image_defect(image, bytes, &header);
    if (defect != NULL)
        return tessera_fail(tessera, TESSERA_FIRMWARE,
                            "%s is not a firmware image: %s. Build one with 'make firmware'.", path, defect);
    int status = tessera_register_read(tessera, MEMORY_TCM_BYTES_OFFSET, &tcm_bytes);
    for (uint32_t i = 0; i < header.program_count && status == TESSERA_OK; i++) {
        struct elf32_program segment;
        memcpy(&segment, image + header.program_offset + i * sizeof segment, sizeof segment);
        if (segment.type != ELF32_LOAD || size_of(&segment) == 0) continue;
        bool is_whole =
            segment.file_bytes == 0 || (segment.offset <= bytes && segment.file_bytes <= bytes - segment.offset);
        if (!is_whole || !fits(&segment, tcm_bytes, region_bytes))
            return tessera_fail(tessera, TESSERA_FIRMWARE,
                                "%s does not fit: a part at 0x%x of %u bytes, core memory has %u, the firmware's "
                                "region at 0x%x has %u. Is it linked for another machine?",
                                path, segment.physical_address, size_of(&segment), tcm_bytes, GPU_LIMIT(ADDR_FIRMWARE),
                                region_bytes);
        if (segment.file_bytes == 0) continue;
        status = load_segment(tessera, image, &segment);
        is_anything_loaded = true;
        tessera->uses_region |= segment.physical_address >= GPU_LIMIT(ADDR_FIRMWARE);
    }
    tessera->has_image = is_anything_loaded;
    if (status == TESSERA_OK && !is_anything_loaded)
        return tessera_fail(tessera, TESSERA_FIRMWARE, "%s has nothing to load. Build one with 'make firmware'.", path);
    return status;
}

struct image {
    const uint8_t *data;
    size_t bytes;
};

static int load_from_memory(struct tessera *tessera, const void *what)
{
    const struct image *image = what;
    uint32_t region_bytes = 0;
    int status = tessera_register_read(tessera, MEMORY_FIRMWARE_BYTES_OFFSET, &region_bytes);
    if (status != TESSERA_OK) return status;
    return boot_image(tessera, "the firmware image in memory", image->data, image->bytes, region_bytes);
}

int tessera_open_image(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                       const void *image, size_t bytes, char message[256])
{
    const struct image what = {image, bytes};
    return boot_open(tessera, transport, options, load_from_memory, &what, message);
}
