/* SPDX-License-Identifier: Apache-2.0
 *
 * A display: decodes the TMDS symbols of a DVI link into frames of 640 x 480, checking what a display relies on.
 */
#ifndef BOARD_DISPLAY_H
#define BOARD_DISPLAY_H

#include <stdint.h>

enum { DISPLAY_WIDTH = 640, DISPLAY_HEIGHT = 480 };

struct display {
    uint8_t pixels[DISPLAY_WIDTH * DISPLAY_HEIGHT * 3]; /* red, green, blue; of the last whole frame */
    uint8_t drawing[DISPLAY_WIDTH * DISPLAY_HEIGHT * 3];
    uint32_t x, y;        /* of the next pixel */
    uint32_t frames;      /* whole ones since the start */
    uint32_t bad_lines;   /* lines with another number of pixels, frames with another number of lines */
    int disparity[3];     /* ones less zeros since the start of the line, per channel */
    uint32_t bad_symbols; /* more than 8 out of balance, or no symbol of the code */
    uint32_t control;     /* vsync, hsync as last seen */
    int is_synchronised;  /* a vertical synchronisation has been seen */
};

void display_init(struct display *display);
/* One pixel clock. Returns 1 when a frame has become whole. */
int display_take(struct display *display, uint16_t red, uint16_t green, uint16_t blue);
/* 0, or -1 with a line in `message`. */
int display_write_png(const struct display *display, const char *path, char message[256]);

#endif
