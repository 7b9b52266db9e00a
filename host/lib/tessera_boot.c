/* SPDX-License-Identifier: Apache-2.0
 *
 * The firmware from a file. For a chip without the firmware's region the image NAME-tcm.elf is taken that lies beside
 * NAME.elf. This is the only part of the library that opens files: a program without them leaves it out, and
 * tessera_open with it (tessera_image.c has tessera_open_image).
 */
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
    status = boot_image(tessera, path, image, bytes, region_bytes);
    free(image);
    return status;
}

static int load_from_file(struct tessera *tessera, const void *what) { return boot_load(tessera, what); }

int tessera_open(struct tessera **tessera, struct transport *transport, const struct tessera_options *options,
                 char message[256])
{
    return boot_open(tessera, transport, options, options->firmware != NULL ? load_from_file : NULL, options->firmware,
                     message);
}
