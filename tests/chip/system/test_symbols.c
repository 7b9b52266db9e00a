/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: names in reports are right, and a damaged ELF file yields none instead of a crash. Method: look up a
 * firmware's own symbols; then cut the file at every length of its headers and tables and corrupt single
 * words of the headers, under the sanitizers. Argument: an ELF of the test firmware.
 */
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
