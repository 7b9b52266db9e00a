/* SPDX-License-Identifier: Apache-2.0
 *
 * What playing a recording has that a browser has not: SDL to compare with, a window, pictures as files. A picture goes
 * to the machine, and as an uncompressed PNG into memory, for the report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_internal.h"
#include "tools/picture/image_png.h"
#include "tools/picture/window.h"
#include "pixel_model.h"
#include "clients/sdl/play/play_check.h"
#include "zlib.h"

/* ------------------------------------------------------------------ no SDL, no window */

struct play_check *play_check_create(uint32_t tolerance, char message[256])
{
    (void)tolerance;
    snprintf(message, 256, "there is no SDL here to compare with");
    return NULL;
}
void play_check_destroy(struct play_check *check) { (void)check; }
const char *play_check_version(const struct play_check *check) { return (void)check, ""; }
int play_check_event(struct play_check *check, const struct recording_event *event, char message[256])
{
    (void)check, (void)event, (void)message;
    return 0;
}
struct check_picture *play_check_keep(const struct play_check *check, uint32_t surface)
{
    (void)check, (void)surface;
    return NULL;
}
const uint8_t *play_check_units(const struct check_picture *picture) { return (void)picture, NULL; }
void play_check_kept(const struct play_check *check, const struct check_picture *picture, const uint8_t *pixels,
                     struct check_result *result)
{
    (void)check, (void)picture, (void)pixels, (void)result;
}
void play_check_forget(struct check_picture *picture) { (void)picture; }

struct window *window_open(const char *title, uint32_t width, uint32_t height, char message[256])
{
    (void)title, (void)width, (void)height;
    snprintf(message, 256, "there is no window here");
    return NULL;
}
bool window_show(struct window *window, enum recording_format format, const uint8_t *pixels)
{
    (void)window, (void)format, (void)pixels;
    return false;
}
uint32_t window_frames(const struct window *window) { return (void)window, 0; }
void window_close(struct window *window) { (void)window; }

/* ------------------------------------------------------------------ pictures */

static void put_word(uint8_t *to, uint32_t word)
{
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(word >> (24 - 8 * i));
}

static bool put_chunk(FILE *file, const char *name, const uint8_t *data, uint32_t bytes)
{
    uint8_t length[4], sum[4];
    put_word(length, bytes);
    put_word(sum, (uint32_t)crc32_z(crc32_z(0, (const uint8_t *)name, 4), data, bytes));
    return fwrite(length, 1, 4, file) == 4 && fwrite(name, 1, 4, file) == 4 && fwrite(data, 1, bytes, file) == bytes &&
           fwrite(sum, 1, 4, file) == 4;
}

/* `rows`: of each a byte 0, then red, green, blue. */
static int write_png(const char *path, const uint8_t *rows, uint32_t width, uint32_t height, char message[256])
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const uLong bytes = (uLong)height * (3u * width + 1u);
    uLongf packed_bytes = compressBound(bytes);
    uint8_t header[13] = {[8] = 8, [9] = 2}, *packed = malloc(packed_bytes);
    FILE *file = fopen(path, "wb");
    put_word(header, width);
    put_word(header + 4, height);
    const bool is_good = file != NULL && packed != NULL && compress2(packed, &packed_bytes, rows, bytes, 0) == Z_OK &&
                         fwrite(signature, 1, 8, file) == 8 && put_chunk(file, "IHDR", header, 13) &&
                         put_chunk(file, "IDAT", packed, (uint32_t)packed_bytes) && put_chunk(file, "IEND", header, 0);
    free(packed);
    if (file != NULL) fclose(file);
    if (!is_good) snprintf(message, 256, "cannot write %.200s", path);
    return is_good ? 0 : -1;
}

/* The recording's frame goes to the tape. */
static void show(const char *path, const uint8_t *units, uint32_t width, uint32_t height)
{
    struct machine *machine = machine_current();
    const char *number = strrchr(path, '-');
    if (machine == NULL || !machine->is_taping || number == NULL) return;
    if (width == machine->width && height == machine->height)
        machine_picture_shown(machine, (uint32_t)strtoul(number + 1, NULL, 10), units);
}

int image_png_write_rgb888(const char *path, const uint8_t *units, uint32_t width, uint32_t height, char message[256])
{
    uint8_t *rows = malloc((size_t)height * (3u * width + 1u));
    for (uint32_t y = 0; rows != NULL && y < height; y++) {
        uint8_t *row = rows + (size_t)y * (3u * width + 1u);
        const uint8_t *from = units + (size_t)y * width * 4u;
        row[0] = 0;
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t part = 0; part < 3; part++) row[1u + 3u * x + part] = from[4u * x + 2u - part];
    }
    if (rows == NULL) snprintf(message, 256, "out of memory");
    const int status = rows != NULL ? write_png(path, rows, width, height, message) : -1;
    free(rows);
    show(path, units, width, height);
    return status;
}

int image_png_write(const char *path, const uint8_t *rgb565, uint32_t width, uint32_t height, char message[256])
{
    uint8_t *units = malloc((size_t)width * height * 4u);
    for (size_t i = 0; units != NULL && i < (size_t)width * height; i++) {
        const uint32_t colour = pixel_expand(FORMAT_RGB565, (uint32_t)rgb565[2 * i] | (uint32_t)rgb565[2 * i + 1] << 8);
        memcpy(units + 4 * i, &colour, 4);
    }
    if (units == NULL) snprintf(message, 256, "out of memory");
    const int status = units != NULL ? image_png_write_rgb888(path, units, width, height, message) : -1;
    free(units);
    return status;
}
