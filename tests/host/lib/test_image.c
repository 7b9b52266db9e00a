/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: a firmware image is loaded word for word where its parts belong, and one that is not for this machine is
 * refused by name, the rest of it unread. Method: images made here, right to the last byte; then each field spoiled
 * alone, and each limit met and passed by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "fake_device.h"
#include "tessera.h"

enum { PARTS = 3, TCM = 128 << 10, REGION = 4096, WORDS = 64 };
#define REGION_ADDRESS GPU_LIMIT(ADDR_FIRMWARE)

static const char path[] = "build/host/image.elf", beside[] = "build/host/image-tcm.elf";
static struct fake_device device;
static struct transport transport;
static struct image {
    Elf32_Ehdr header;
    Elf32_Phdr part[PARTS];
    uint8_t rest[256];
} image;
static size_t image_bytes;
static struct {
    uint32_t address, value;
} loaded[WORDS];
static uint32_t loaded_count, load_address;

static int (*write_inner)(void *, uint32_t, uint32_t);
static int write_register(void *context, uint32_t offset, uint32_t value)
{
    if (offset == HOST_LOAD_ADDRESS_OFFSET) load_address = value;
    if (offset == HOST_LOAD_DATA_OFFSET) {
        assert_true(loaded_count < WORDS);
        loaded[loaded_count].address = load_address;
        loaded[loaded_count++].value = value;
        load_address += 4;
    }
    return write_inner(context, offset, value);
}

/* Two parts, 32 bytes in core memory and 14 in the region; between them one that is not loaded. */
static void make(void)
{
    memset(&image, 0, sizeof image);
    memcpy(image.header.e_ident, ELFMAG, SELFMAG);
    image.header.e_ident[EI_CLASS] = ELFCLASS32;
    image.header.e_ident[EI_DATA] = ELFDATA2LSB;
    image.header.e_machine = EM_RISCV;
    image.header.e_type = ET_EXEC;
    image.header.e_phentsize = sizeof(Elf32_Phdr);
    image.header.e_phoff = offsetof(struct image, part);
    image.header.e_phnum = PARTS;
    const uint32_t first = offsetof(struct image, rest);
    image.part[0] = (Elf32_Phdr){.p_type = PT_LOAD, .p_offset = first, .p_paddr = 0x100, .p_filesz = 32};
    image.part[1] = (Elf32_Phdr){.p_type = PT_NOTE, .p_offset = first, .p_paddr = 0x200, .p_filesz = 32};
    image.part[2] =
        (Elf32_Phdr){.p_type = PT_LOAD, .p_offset = first + 32, .p_paddr = REGION_ADDRESS + 8, .p_filesz = 14};
    for (uint32_t i = 0; i < sizeof image.rest; i++) image.rest[i] = (uint8_t)(11 + 7 * i);
    image_bytes = first + 32 + 14;
}

static void write_image(const char *name)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(&image, 1, image_bytes, file), image_bytes);
    assert_int_equal(fclose(file), 0);
}

/* Opens the device with what lies at `path`. */
static int load(char message[256])
{
    struct tessera *tessera;
    fake_device_init(&device, &transport);
    device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = REGION;
    write_inner = transport.register_write;
    transport.register_write = write_register;
    loaded_count = 0;
    message[0] = 0;
    int status = tessera_open(&tessera, &transport, &(struct tessera_options){.firmware = path}, message);
    tessera_close(tessera);
    fake_device_free(&device);
    return status;
}

static void refuse(const char *what)
{
    char message[256];
    write_image(path);
    int status = load(message);
    if (status != TESSERA_FIRMWARE || strstr(message, what) == NULL || strstr(message, path) == NULL ||
        strchr(message, '\n') != NULL)
        fail_msg("not '%s' but %d, '%s'", what, status, message);
}

static void accept(void)
{
    char message[256];
    write_image(path);
    if (load(message) != TESSERA_OK) fail_msg("%s", message);
}

static void expect_words(void)
{
    assert_int_equal(loaded_count, 8 + 4);
    for (uint32_t i = 0; i < loaded_count; i++) {
        uint32_t value = 0;
        memcpy(&value, image.rest + 4 * i, i == 11 ? 2 : 4); /* after the last byte: zeros */
        assert_int_equal(loaded[i].address, i < 8 ? 0x100 + 4 * i : REGION_ADDRESS + 8 + 4 * (i - 8));
        assert_int_equal(loaded[i].value, value);
    }
}

static void test_words(void **state)
{
    (void)state;
    make();
    (void)remove(beside);
    accept();
    expect_words();
}

static void test_header(void **state)
{
    (void)state;
    make();
    for (uint32_t i = 0; i < SELFMAG; i++) {
        image.header.e_ident[i]++;
        refuse("it is not an ELF file");
        assert_int_equal(loaded_count, 0);
        image.header.e_ident[i]--;
    }
    image.header.e_ident[EI_CLASS] = ELFCLASS64, refuse("it is not for 32-bit RISC-V"), make();
    image.header.e_ident[EI_DATA] = ELFDATA2MSB, refuse("it is not for 32-bit RISC-V"), make();
    image.header.e_machine = EM_386, refuse("it is not for 32-bit RISC-V"), make();
    image.header.e_type = ET_DYN, refuse("it is not an executable"), make();
    image.header.e_phentsize++, refuse("it is not an executable"), make();
    image_bytes = sizeof image.header - 1, refuse("it is too short"), make();
    image_bytes = sizeof image.header, refuse("it is cut short"), make();
    image_bytes = offsetof(struct image, rest) - 1, refuse("it is cut short"), make();
    image.header.e_phoff = (uint32_t)image_bytes + 1, refuse("it is cut short"), make();
    image.header.e_phoff = UINT32_MAX, refuse("it is cut short"), make();
    image.header.e_phoff = (uint32_t)image_bytes, image.header.e_phnum = 0, refuse("has nothing to load");
}

static void test_parts(void **state)
{
    (void)state;
    make();
    image_bytes--, refuse("does not fit"), make();
    image.part[2].p_filesz++, refuse("does not fit"), make();
    image.part[2].p_offset = (uint32_t)image_bytes + 1, refuse("does not fit"), make();
    image.part[0].p_paddr += 2, refuse("does not fit"), make();
    image.part[0].p_paddr = TCM - 32, accept(), make();
    image.part[0].p_paddr = TCM - 28, refuse("does not fit"), make();
    image.part[0].p_paddr = TCM + 4, refuse("a part at 0x20004 of 32 bytes, core memory has 131072"), make();
    image.part[2].p_paddr = REGION_ADDRESS + REGION - 16, accept(), make();
    image.part[2].p_paddr = REGION_ADDRESS + REGION - 12, refuse("does not fit"), make();
    image.part[2].p_paddr = REGION_ADDRESS + REGION + 4, refuse("has 4096. Is it"), make();
    image.part[0].p_memsz = TCM - 0x100, accept(), make(); /* what it clears itself */
    image.part[0].p_memsz = TCM - 0xfc, refuse("a part at 0x100 of 130820 bytes"), make();
    image.part[2].p_memsz = REGION - 8, accept(), make();
    image.part[2].p_memsz = REGION - 4, refuse("does not fit"), make();
    image.part[1].p_type = PT_LOAD, image.part[1].p_filesz = 0, image.part[1].p_offset = UINT32_MAX;
    image.part[1].p_paddr = TCM - 64, image.part[1].p_memsz = 64, accept();
    expect_words();
    image.part[1].p_memsz = 68, refuse("does not fit"), make();
    image.part[0].p_filesz = image.part[2].p_filesz = 0, refuse("has nothing to load"), make();
}

/* Without the region the image beside it, if it is there, else its own. */
static void test_beside(void **state)
{
    struct tessera *tessera;
    char message[256];
    (void)state;
    make();
    image.part[2].p_paddr = 0x180;
    write_image(beside);
    image.part[0].p_paddr = 0x1000;
    write_image(path);
    for (unsigned round = 0; round < 3; round++) {
        fake_device_init(&device, &transport);
        device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = round == 0 ? REGION : 0;
        write_inner = transport.register_write;
        transport.register_write = write_register;
        loaded_count = 0;
        if (round == 2) assert_int_equal(remove(beside), 0);
        int status = tessera_open(&tessera, &transport, &(struct tessera_options){.firmware = path}, message);
        if (status != TESSERA_OK) fail_msg("%s", message);
        assert_int_equal(loaded[0].address, round == 1 ? 0x100 : 0x1000);
        tessera_close(tessera);
        fake_device_free(&device);
    }
    assert_int_equal(remove(path), 0);
    assert_int_equal(load(message), TESSERA_FIRMWARE);
    assert_non_null(strstr(message, "cannot read the firmware image build/host/image.elf: No such file"));
}

static int load_memory(size_t bytes, const char *file, uint32_t abi, char message[256])
{
    struct tessera *tessera;
    fake_device_init(&device, &transport);
    device.registers[MEMORY_FIRMWARE_BYTES_OFFSET / 4] = REGION;
    if (abi != 0) device.boot_status = 0x80000000u + STATUS_ABI_MISMATCH;
    write_inner = transport.register_write;
    transport.register_write = write_register;
    loaded_count = 0;
    int status =
        tessera_open_image(&tessera, &transport, &(struct tessera_options){.firmware = file}, &image, bytes, message);
    tessera_close(tessera);
    fake_device_free(&device);
    return status;
}

/* The same words, refused for the same reasons by another name, and no file is looked for. */
static void test_memory(void **state)
{
    char message[256];
    (void)state;
    make();
    assert_int_equal(load_memory(image_bytes, "build/host/none.elf", 0, message), TESSERA_OK);
    expect_words();
    assert_int_equal(load_memory(image_bytes - 1, NULL, 0, message), TESSERA_FIRMWARE);
    assert_non_null(strstr(message, "the firmware image in memory does not fit: a part at"));
    image.header.e_ident[0] = 0;
    assert_int_equal(load_memory(image_bytes, NULL, 0, message), TESSERA_FIRMWARE);
    assert_string_equal(message,
                        "the firmware image in memory is not a firmware image: it is not an ELF file. Build one "
                        "with 'make firmware'.");
    make();
    assert_int_equal(load_memory(image_bytes, NULL, 1, message), TESSERA_ABI);
    assert_string_equal(message, "the firmware image was built from another table than hardware and program. Build it "
                                 "again: 'make firmware'.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_header),
                                       cmocka_unit_test(test_parts), cmocka_unit_test(test_beside),
                                       cmocka_unit_test(test_memory)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL), all = (int)(sizeof tests / sizeof *tests);
    printf("%d passed, %d failed\n", all - failed, failed);
    return failed != 0;
}
