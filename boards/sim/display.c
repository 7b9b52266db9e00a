/* SPDX-License-Identifier: Apache-2.0
 *
 * A display: see display.h. The inverse of the code in DVI 1.0, section 3.3.
 */
#include "display.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

enum { NOT_CONTROL = 4, VSYNC = 2 };

void display_init(struct display *display) { memset(display, 0, sizeof *display); }

static uint32_t control_of(uint16_t symbol)
{
    switch (symbol) {
    case 0x354: return 0;
    case 0x0ab: return 1;
    case 0x154: return 2;
    case 0x2ab: return 3;
    default: return NOT_CONTROL;
    }
}

static uint8_t value_of(uint16_t symbol)
{
    uint32_t q = symbol & 0xffu, value;
    if ((symbol & 0x200u) != 0u) q = ~q & 0xffu;
    value = q ^ (q << 1 & 0xffu);
    return (uint8_t)((symbol & 0x100u) != 0u ? value : value ^ 0xfeu);
}

static void weigh(struct display *display, int channel, uint16_t symbol)
{
    display->disparity[channel] += 2 * __builtin_popcount(symbol) - 10;
    if (display->disparity[channel] > 16 || display->disparity[channel] < -16) display->bad_symbols++;
}

static void end_line(struct display *display)
{
    if (display->x == 0) return;
    if (display->x != DISPLAY_WIDTH && display->is_synchronised) display->bad_lines++;
    display->x = 0;
    display->y++;
    memset(display->disparity, 0, sizeof display->disparity);
}

int display_take(struct display *display, uint16_t red, uint16_t green, uint16_t blue)
{
    uint32_t control = control_of(blue);
    if (control == NOT_CONTROL) {
        weigh(display, 0, red);
        weigh(display, 1, green);
        weigh(display, 2, blue);
        if (display->x < DISPLAY_WIDTH && display->y < DISPLAY_HEIGHT) {
            uint8_t *pixel = display->drawing + 3u * (display->y * DISPLAY_WIDTH + display->x);
            pixel[0] = value_of(red);
            pixel[1] = value_of(green);
            pixel[2] = value_of(blue);
        }
        display->x++;
        return 0;
    }
    if (control_of(red) != 0 || control_of(green) != 0) display->bad_symbols++;
    end_line(display);
    uint32_t before = display->control;
    display->control = control;
    /* Synchronisation is active low in this mode. */
    if ((before & VSYNC) == 0 || (control & VSYNC) != 0) return 0;
    int is_whole = display->is_synchronised && display->y == DISPLAY_HEIGHT;
    if (display->is_synchronised && !is_whole) display->bad_lines++;
    display->is_synchronised = 1;
    display->y = 0;
    if (is_whole) {
        memcpy(display->pixels, display->drawing, sizeof display->pixels);
        display->frames++;
    }
    return is_whole;
}

int display_write_png(const struct display *display, const char *path, char message[256])
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = DISPLAY_WIDTH;
    image.height = DISPLAY_HEIGHT;
    image.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&image, path, 0, display->pixels, 0, NULL)) return 0;
    snprintf(message, 256, "cannot write %.120s: %.64s. Name another folder with --frames.", path, image.message);
    return -1;
}
