/* SPDX-License-Identifier: Apache-2.0
 *
 * check_display FRAME.png DISPLAY.png...: has the display shown the frame? True when one of its pictures is the frame
 * with each pixel 2 x 2 (scan-out), or the frame in the middle of black (the chip's display). The display has no other
 * way to a frame than the board's memory.
 */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pixels of a picture, three bytes each; NULL if it cannot be read. */
static uint8_t *read_picture(const char *path, uint32_t *width, uint32_t *height)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path)) return NULL;
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    if (pixels == NULL || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        free(pixels);
        return NULL;
    }
    *width = image.width;
    *height = image.height;
    return pixels;
}

static bool is_doubled(const uint8_t *small, uint32_t width, uint32_t height, const uint8_t *large)
{
    for (uint32_t y = 0; y < 2 * height; y++)
        for (uint32_t x = 0; x < 2 * width; x++)
            if (memcmp(large + 3u * (y * 2u * width + x), small + 3u * (y / 2u * width + x / 2u), 3) != 0) return false;
    return true;
}

static bool is_in_the_middle(const uint8_t *small, uint32_t width, uint32_t height, const uint8_t *large)
{
    static const uint8_t black[3];
    for (uint32_t y = 0; y < 2 * height; y++)
        for (uint32_t x = 0; x < 2 * width; x++) {
            const uint32_t column = x - width / 2u, row = y - height / 2u; /* beyond the frame also left and above */
            const uint8_t *is = large + 3u * (y * 2u * width + x);
            const uint8_t *should = column < width && row < height ? small + 3u * (row * width + column) : black;
            if (memcmp(is, should, 3) != 0) return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    uint32_t width = 0, height = 0, shown_width = 0, shown_height = 0;
    int shown = 0;
    uint8_t *frame = argc > 2 ? read_picture(argv[1], &width, &height) : NULL;
    if (frame == NULL) {
        fprintf(stderr, "check_display FRAME.png DISPLAY.png...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        uint8_t *display = read_picture(argv[i], &shown_width, &shown_height);
        if (display != NULL && shown_width == 2 * width && shown_height == 2 * height &&
            (is_doubled(frame, width, height, display) || is_in_the_middle(frame, width, height, display))) {
            printf("%s shows the frame\n", argv[i]);
            shown++;
        }
        free(display);
    }
    free(frame);
    if (shown == 0) printf("none of %d pictures is the frame\n", argc - 2);
    return shown == 0;
}
