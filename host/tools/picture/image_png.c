/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame as a PNG file: RGB565 expanded to 24 bits as the engine expands it, or 32 bits without the last byte, written
 * by libpng's simplified interface.
 */
#include "tools/picture/image_png.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "pixel_model.h"

static int write_rgb(const char *path, const uint8_t *pixels, uint32_t width, uint32_t height, char message[256])
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    int is_written = pixels != NULL && png_image_write_to_file(&image, path, 0, pixels, 0, NULL);
    if (!is_written)
        snprintf(message, 256, "cannot write %.120s: %.64s. Name another directory with --out.", path,
                 image.message[0] != 0 ? image.message : "out of memory");
    return is_written ? 0 : -1;
}

int image_png_write(const char *path, const uint8_t *rgb565, uint32_t width, uint32_t height, char message[256])
{
    uint8_t *pixels = malloc((size_t)width * height * 3u);
    for (size_t i = 0; pixels != NULL && i < (size_t)width * height; i++) {
        uint32_t colour = pixel_expand(FORMAT_RGB565, (uint32_t)rgb565[2 * i] | (uint32_t)rgb565[2 * i + 1] << 8);
        pixels[3 * i] = (uint8_t)(colour >> 16);
        pixels[3 * i + 1] = (uint8_t)(colour >> 8);
        pixels[3 * i + 2] = (uint8_t)colour;
    }
    int status = write_rgb(path, pixels, width, height, message);
    free(pixels);
    return status;
}

int image_png_write_rgb888(const char *path, const uint8_t *units, uint32_t width, uint32_t height, char message[256])
{
    uint8_t *pixels = malloc((size_t)width * height * 3u);
    for (size_t i = 0; pixels != NULL && i < (size_t)width * height; i++) {
        pixels[3 * i] = units[4 * i + 2];
        pixels[3 * i + 1] = units[4 * i + 1];
        pixels[3 * i + 2] = units[4 * i];
    }
    int status = write_rgb(path, pixels, width, height, message);
    free(pixels);
    return status;
}
